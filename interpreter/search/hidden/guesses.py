"""Positions that a side may be in, as far as it knows.

In: what a side knows of a game, and nothing else. Out: positions drawn by chance, in each of which
it would know just that, and how they may have come about. What then holds: no position is looked at
that the side could tell apart from the real one; so what is done with a guess can't tell what is
hidden.

The game is played anew: the side makes the moves that it made, others make moves at random. What
comes of a move has to agree with what the side saw; where no move agrees, the last choice before it
is made anew (depth-first search: C. Gomes, B. Selman and H. Kautz, "Boosting combinatorial search
through randomization", 1998, tell why it is not to go on for long). What is refuted late was often
decided early, so the longest game that was found is then repaired: any one of the others' moves
is made anew, the rest stays as it was as far as it can, and that is kept if it agrees for as long
as before (S. Minton and others, "Minimizing conflicts", 1992). A game that agreed is gone on with
when the side has seen more.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import chain, islice

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.information import Information
from gdl.interpreter.positions.position import Position, Rules

_FIRST_STEPS = 4
"""How many moves may be tried one after another, for each thing that the side knows, until the
game is repaired."""
_AHEAD = 4
"""How many things ahead a move may be told that was made now."""
_MOST_WEIGHED = 64
"""How many moves of chance are looked at, to tell how likely one of them was to agree."""
_MOST_TRIED = 8
"""How many other moves are tried in place of one that was made later and does not agree now."""


@dataclass(frozen=True)
class Guess:
    """A position, and what the side would know in it: the same as in the real one."""

    position: Position
    known: Information
    _others: dict[str, Information] = field(default_factory=dict, compare=False, repr=False)

    def known_to(self, side: str) -> Information:
        """Return what a side knows: another one no more than what it sees in the position."""
        if side == self.known.side:
            return self.known
        found = self._others.get(side)
        if found is None:
            found = self._others[side] = Information.at(self.position, side)
        return found


@dataclass(frozen=True)
class PossibleGame:
    """A game that agrees with what a side saw, as far as it goes: where it begins, and each move.

    There may be more `moves` than were made: those that it went on with before it was repaired.
    """

    guesses: tuple[Guess, ...]
    moves: tuple[str, ...]

    @property
    def last(self) -> Guess:
        """Where it has come to."""
        return self.guesses[-1]

    def reaches(self, known: Information) -> bool:
        """Return whether it agrees with all that the side saw."""
        return _is_found(self.last, known)

    def agrees(self, known: Information) -> bool:
        """Return whether what the side saw began so."""
        return self.last.known.side == known.side and _agrees(self.last, known)

    def log_likelihood(self, known: Information, chance: random.Random) -> float:
        """Return the logarithm of how likely chance was to let the side see what it saw.

        A game is drawn among those that agree, so this is what one that was drawn weighs
        (sequential importance sampling: J. Liu and R. Chen, "Sequential Monte Carlo methods for
        dynamic systems", 1998). Each move of chance is judged by what the side sees next. How
        others decide is not known, and weighs nothing.
        """
        found = 0.0
        for before in self.guesses[:-1]:
            if before.position.seat is None:
                moves = list(before.position.moves())
                looked_at = (
                    moves if len(moves) <= _MOST_WEIGHED else chance.sample(moves, _MOST_WEIGHED)
                )
                agreeing = sum(_agrees(_after(before, move), known, before) for move in looked_at)
                found += math.log(max(1, agreeing) / len(looked_at))
        return found


def guess(rules: Rules, known: Information, chance: random.Random, steps: int) -> Guess | None:
    """Return a position that agrees with what a side knows; None if none is found in so many steps.

    A step is a move that is tried.
    """
    game = repaired(rules, known, chance, Steps(steps))
    return game.last if game is not None and game.reaches(known) else None


def repaired(
    rules: Rules,
    known: Information,
    chance: random.Random,
    steps: Steps,
    begun: PossibleGame | None = None,
) -> PossibleGame | None:
    """Return a game that agrees with what a side knows for as long as was found in so many steps.

    It goes on from a game that has `begun` so. None, if no game agrees.
    """
    game = begun
    if game is None:
        first = Steps(_FIRST_STEPS * (len(known.events) + 1), whole=steps)
        game = _tried(rules, known, chance, first)
    if game is None:
        return None
    game = _gone_on(game, known, chance, steps)
    while steps.take() and not game.reaches(known):
        place = chance.randrange(len(game.guesses))
        before = game.guesses[place]
        if _is_own(before.position, known) or before.position.over:
            continue
        move = chance.choice(list(before.position.moves()))
        after = _after(before, move)
        if not _agrees(after, known, before) or game.moves[place : place + 1] == (move.text,):
            continue
        moves = (*game.moves[:place], move.text, *game.moves[place + 1 :])
        other = PossibleGame((*game.guesses[: place + 1], after), moves)
        other = _gone_on(other, known, chance, steps)
        if len(other.last.known.events) >= len(game.last.known.events):
            game = other
    return game


class Steps:
    """How many steps may be made: so many, of a `whole` no more than that has, until a moment.

    The moment is one of `time.perf_counter`. A step is a move that is tried.
    """

    def __init__(self, number: int, until: float | None = None, whole: Steps | None = None) -> None:
        self._left = number
        self._until = until
        self._whole = whole

    @property
    def are_over(self) -> bool:
        """Whether no more may be made."""
        is_late = self._until is not None and time.perf_counter() >= self._until
        return is_late or self._left <= 0 or (self._whole is not None and self._whole.are_over)

    def take(self) -> bool:
        """Make one more, if that may be; return whether it was."""
        if self.are_over or not (self._whole is None or self._whole.take()):
            return False
        self._left -= 1
        return True


def _gone_on(
    game: PossibleGame, known: Information, chance: random.Random, steps: Steps
) -> PossibleGame:
    """Return a game that goes on as far as it agrees."""
    guesses, moves = list(game.guesses), list(game.moves)
    while not _is_found(guesses[-1], known) and not guesses[-1].position.over:
        place, position = len(guesses) - 1, guesses[-1].position
        candidates: Iterable[Move] = _candidates(guesses[-1], known, chance)
        if place < len(moves):
            earlier = [move for move in position.moves() if move.text == moves[place]]
            candidates = chain(earlier, islice(candidates, _MOST_TRIED))
        for move in candidates:
            if not steps.take():
                return PossibleGame(tuple(guesses), tuple(moves))
            after = _after(guesses[-1], move)
            if _agrees(after, known, guesses[-1]):
                guesses.append(after)
                moves[place : place + 1] = [move.text]
                break
        else:
            break
    return PossibleGame(tuple(guesses), tuple(moves))


def _tried(
    rules: Rules, known: Information, chance: random.Random, steps: Steps
) -> PossibleGame | None:
    """Return the longest course found in so many steps, if there is any."""
    start = rules.start()
    now = Guess(start, Information.at(start, known.side))
    if not _agrees(now, known):
        return None
    way, texts = [(now, _candidates(now, known, chance))], [""]
    longest = PossibleGame((now,), ())
    while steps.take():
        now, candidates = way[-1]
        if len(now.known.events) > len(longest.last.known.events):
            longest = PossibleGame(tuple(one for one, _ in way), tuple(texts[1:]))
        if _is_found(now, known):
            return longest
        move = next(candidates, None)
        if move is None:
            way.pop()
            texts.pop()
            if not way:
                return None
            continue
        after = _after(now, move)
        if _agrees(after, known, now):
            way.append((after, _candidates(after, known, chance)))
            texts.append(move.text)
    return longest


def _agrees(now: Guess, known: Information, before: Guess | None = None) -> bool:
    """Return whether the side has seen so far what it would have seen.

    What agreed `before` is not looked at again.
    """
    done, seen = 0 if before is None else len(before.known.events), now.known.events
    return seen[done:] == known.events[done : len(seen)]


def _is_own(position: Position, known: Information) -> bool:
    """Return whether the side itself decides."""
    return position.seat is not None and position.mover == known.side


def _is_found(now: Guess, known: Information) -> bool:
    seen = now.known.events
    return len(seen) == len(known.events) and seen == known.events


def _after(now: Guess, move: Move) -> Guess:
    """Return what a legal move leads to."""
    position = now.position.after(move)
    return Guess(position, now.known.after(now.position, move, position))


def _candidates(now: Guess, known: Information, chance: random.Random) -> Iterator[Move]:
    """Yield the moves that may have been made, in the order in which they are to be tried."""
    position, done = now.position, len(now.known.events)
    if position.over:
        return
    moves = list(position.moves())
    is_own = _is_own(position, known)
    mover = "" if position.seat is None else position.mover
    told = known.events[done : done + (1 if is_own else _AHEAD)]
    texts = [event[1] for event in told if isinstance(event, tuple) and event[0] == mover]
    yield from (move for move in moves if move.text in texts[:1])
    if not is_own:
        chance.shuffle(moves)
        yield from (move for move in moves if move.text not in texts[:1])
