"""A game looked through when it has been played: what each move did to the chances of the sides.

In: the positions and moves of a game, and what analyses a position. Out: a `Judgement` of each
move. What then holds: each position is analysed once; a move is judged by what was found out about
the positions before and after it, so a proven value outweighs an estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.information import Information
from gdl.interpreter.positions.position import Position, plies
from gdl.interpreter.search.analysis import Analysis

MISTAKE, BLUNDER = 0.15, 0.3
"""How much of the value of a game a move gives away that is called so."""
_FEWEST_ITERATIONS, _MOST_SEARCHES = 300, 20
_FEWEST_VISITS = 30
_FEWEST_SECONDS, _MOST_SECONDS = 0.05, 0.5
_WHOLE_SECONDS = 20.0
_WORTH_TELLING = 0.05


@dataclass(frozen=True)
class Judgement:
    """What a move did to the game: the `number`th, made in `position` and leading to `after`.

    `worth` and `worth_after` are what the game was worth for each side before and after it;
    `proven` and `proven_after` what was proven then, in words; `better` is the move that the search
    takes for the best, if that is another one, and `line` goes on from there. It `is_known` unless
    there was no time to search enough. Sides have made `ply` moves then.
    """

    number: int
    position: Position
    move: Move
    after: Position
    worth: Mapping[str, float]
    worth_after: Mapping[str, float]
    proven: str
    proven_after: str
    better: Move | None
    line: tuple[Move, ...]
    is_known: bool = True
    ply: int = 0

    @property
    def is_chance(self) -> bool:
        """Whether nobody chose the move."""
        return self.position.seat is None

    @property
    def side(self) -> str:
        """The side that made the move; of a move of chance, the one that it helped most."""
        if not self.is_chance:
            return self.position.mover
        return max(self.worth, key=lambda side: self.worth_after[side] - self.worth[side])

    @property
    def change(self) -> float:
        """How much more the game was worth for the side after the move than before."""
        return self.worth_after[self.side] - self.worth[self.side]

    @property
    def sign(self) -> str:
        """`?` for a mistake, `??` for a blunder, else nothing."""
        if not self.is_known or self.is_chance or self.better is None or self.change > -MISTAKE:
            return ""
        return "??" if self.change <= -BLUNDER else "?"

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "number": self.number,
            "side": None if self.is_chance else self.side,
            "move": self.move.text,
            "before": dict(self.worth),
            "after": dict(self.worth_after),
            "change": self.change,
            "better": None if self.better is None else self.better.text,
            "line": [move.text for move in self.line],
        }


def judgements(
    positions: Sequence[Position],
    moves: Sequence[Move],
    analyse: Callable[[Position], Analysis],
) -> Iterator[Judgement]:
    """Yield what is to say of each move of a game, as soon as it is known.

    `positions` are one more than `moves`. A position is analysed again until enough is known of it,
    but not for ever. Raises what `analyse` does.
    """
    before, is_known = _searched(positions[0], analyse)
    counted = plies(positions)[1:]
    for number, (move, position, ply) in enumerate(
        zip(moves, positions[1:], counted, strict=True), 1
    ):
        after, is_known_after = _searched(position, analyse)
        best = before.best
        better = None if best is None or best.move == move else best
        yield Judgement(
            number,
            before.position,
            move,
            position,
            outlook(before),
            outlook(after),
            before.verdict,
            after.verdict,
            None if better is None else better.move,
            () if better is None else better.line[1:],
            is_known and is_known_after,
            ply,
        )
        before, is_known = after, is_known_after


def _searched(position: Position, analyse: Callable[[Position], Analysis]) -> tuple[Analysis, bool]:
    """Analyse a position until its value means something; return whether it does."""
    found = analyse(position)
    iterations, searches = found.iterations, 1
    while not (is_known := _means_something(found, iterations)) and searches < _MOST_SEARCHES:
        found = analyse(position)
        iterations += found.iterations
        searches += 1
    return found, is_known


def _means_something(found: Analysis, iterations: int) -> bool:
    """Return whether enough is known: a search that has proven the value stops, however short."""
    return found.position.over or found.is_proven or iterations >= _FEWEST_ITERATIONS


def outlook(analysis: Analysis) -> Mapping[str, float]:
    """Return what a position is worth for each side if the best move is made that is known.

    The value of the position itself is a mean over all moves that were tried, good and bad; it is
    what is told where the best move was hardly tried, and may have been lucky.
    """
    best, sides = analysis.best, list(analysis.value)
    if best is None or len(sides) != 2:
        return analysis.value
    if best.visits < _FEWEST_VISITS and not best.is_proven:
        return analysis.value
    mover = analysis.position.mover
    return {side: best.value if side == mover else 1 - best.value for side in sides}


def moments(found: Iterable[Judgement], number: int) -> tuple[Judgement, ...]:
    """Return the moves that changed the value most, at most so many, in the order of the game.

    A change that a search could take for one by chance is none.
    """
    told = [one for one in found if one.is_known and abs(one.change) >= _WORTH_TELLING]
    told.sort(key=lambda one: -abs(one.change))
    return tuple(sorted(told[:number], key=lambda one: one.number))


def seconds_each(moves: int) -> float:
    """Return how long to search each position of a game, so that its review is worth waiting for.

    >>> seconds_each(10), seconds_each(200), seconds_each(5000)
    (0.5, 0.1, 0.05)
    """
    return max(_FEWEST_SECONDS, min(_MOST_SECONDS, round(_WHOLE_SECONDS / (moves + 1), 1)))


# -------------------------------------------- a game of which each side sees a part, looked through

_FEWEST_VISITS_OF_A_SIDE = 2
"""Several random games are played at a visit."""


def reviewed(
    positions: Sequence[Position],
    moves: Sequence[Move],
    analyse: Callable[[Position], Analysis],
    analyse_known: Callable[[Information], Analysis | None],
) -> Iterator[Judgement]:
    """Yield what is to say of each move of a game, as soon as it is known.

    `positions` are one more than `moves`. Raises what `analyse` and `analyse_known` do.
    """
    if not positions[0].rules.game.hides:
        yield from judgements(positions, moves, analyse)
        return
    found = _by_side(positions, moves, analyse_known)
    for judgement, ply in zip(found, plies(positions)[1:], strict=True):
        yield replace(judgement, ply=ply)


def _by_side(
    positions: Sequence[Position],
    moves: Sequence[Move],
    analyse: Callable[[Information], Analysis | None],
) -> Iterator[Judgement]:
    sides = positions[0].rules.sides
    known = {side: Information.at(positions[0], side) for side in sides}
    worth: Mapping[str, float] = dict.fromkeys(sides, 1 / len(sides))
    for number, (move, before) in enumerate(zip(moves, positions[:-1], strict=True), start=1):
        after = positions[number]
        found = None if before.seat is None else analyse(known[before.mover])
        if found is None:
            yield _unchanged(number, before, move, after, worth)
        else:
            judgement = _of_choice(number, before, move, after, found)
            worth = judgement.worth_after
            yield judgement
        known = {side: each.after(before, move, after) for side, each in known.items()}


def _of_choice(
    number: int, before: Position, move: Move, after: Position, found: Analysis
) -> Judgement:
    """Return what a side's choice did, as far as the side could know."""
    worth, best = outlook(found), found.best
    made = next((one for one in found.moves if one.move.text == move.text), None)
    if made is None or made.visits < _FEWEST_VISITS_OF_A_SIDE or best is None:
        return _unchanged(number, before, move, after, worth)
    # A search soon leaves what is bad: it is taken for as good as so few tries leave it possible.
    lost = max(0.0, worth[before.mover] - made.value - 0.5 / math.sqrt(made.visits))
    worth_after = {**worth, before.mover: worth[before.mover] - lost}
    if len(worth) == 2:
        other = next(side for side in worth if side != before.mover)
        worth_after[other] = worth[other] + lost
    is_best = best.move.text == move.text
    return Judgement(
        number,
        before,
        move,
        after,
        worth,
        worth_after,
        "",
        "",
        None if is_best else best.move,
        () if is_best else best.line[1:],
    )


def _unchanged(
    number: int, before: Position, move: Move, after: Position, worth: Mapping[str, float]
) -> Judgement:
    return Judgement(number, before, move, after, worth, worth, "", "", None, (), is_known=False)
