"""Positions that a side may be in, as far as it knows.

In: what a side knows of a game, and nothing else. Out: positions drawn by chance, in each of which
it would know just that. What then holds: no position is looked at that the side could tell apart
from the real one; so what is done with a guess can't tell what is hidden.

The game is played anew: the side makes the moves that it made, others make moves at random. What
comes of a move has to agree with what the side saw; where no move agrees, the last choice before it
is made anew (depth-first search with restarts: C. Gomes, B. Selman and H. Kautz, "Boosting
combinatorial search through randomization", 1998).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.evaluation.moves import Move
from interpreter.positions.information import Information
from interpreter.positions.position import Position, Rules

_FIRST_STEPS = 4
"""How many moves may be tried before a game is begun anew, for each thing that the side knows."""
_AHEAD = 4
"""How many things ahead a move may be told that was made now."""


@dataclass(frozen=True)
class Guess:
    """A position, and what the side would know in it: the same as in the real one."""

    position: Position
    known: Information


def guess(rules: Rules, known: Information, chance: random.Random, steps: int) -> Guess | None:
    """Return a position that agrees with what a side knows; None if none is found in so many steps.

    A step is a move that is tried.
    """
    limit = _FIRST_STEPS * (len(known.events) + 1)
    while steps > 0:
        found, used = _tried(rules, known, chance, min(limit, steps))
        if found is not None:
            return found
        steps -= used
        limit *= 2
    return None


def _tried(
    rules: Rules, known: Information, chance: random.Random, steps: int
) -> tuple[Guess | None, int]:
    """Return a guess, if one is found in so many steps; and how many there were."""
    start = rules.start()
    now = Guess(start, Information.at(start, known.side))
    if now.known.events != known.events[: len(now.known.events)]:
        return None, steps
    way = [(now, _candidates(now, known, chance))]
    for step in range(steps):
        now, candidates = way[-1]
        if _is_found(now, known):
            return now, step
        move = next(candidates, None)
        if move is None:
            way.pop()
            if not way:
                return None, step + 1
            continue
        after = _after(now, move)
        if after.known.events == known.events[: len(after.known.events)]:
            way.append((after, _candidates(after, known, chance)))
    return (way[-1][0], steps) if _is_found(way[-1][0], known) else (None, steps)


def _is_found(now: Guess, known: Information) -> bool:
    return now.known.events == known.events


def _after(now: Guess, move: Move) -> Guess:
    """Return what a legal move leads to."""
    rules, before = now.position.rules, now.position
    position = Position(rules, rules.evaluator.apply(before.state, move))
    return Guess(position, now.known.after(before, move, position))


def _candidates(now: Guess, known: Information, chance: random.Random) -> Iterator[Move]:
    """Yield the moves that may have been made, in the order in which they are to be tried."""
    position, done = now.position, len(now.known.events)
    if position.over:
        return
    moves = list(position.moves())
    is_own = position.seat is not None and position.mover == known.side
    mover = "" if position.seat is None else position.mover
    told = known.events[done : done + (1 if is_own else _AHEAD)]
    texts = [event[1] for event in told if isinstance(event, tuple) and event[0] == mover]
    yield from (move for move in moves if move.text in texts[:1])
    if not is_own:
        chance.shuffle(moves)
        yield from (move for move in moves if move.text not in texts[:1])
