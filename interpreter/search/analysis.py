"""What a search has found out, as frozen data.

In: a position, and what the search knows of its moves. Out: an `Analysis`. What then holds: moves
stand from best to worst, as the seat sees them that decides. Where alpha-beta was stopped, those
that it had looked at deeper come first: what they are worth is not to be compared with the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from math import isclose
from typing import Any

from gdl.data_classes import dataclass
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.search.memory.positions import drawn_value

_NEXT_TO_NOTHING = 1e-9


@dataclass(frozen=True)
class MoveAnalysis:
    """What is known of a move.

    `value` is what the game is worth then for the seat that decides: 1 is a win, 0 a loss, and a
    draw is shared out among all teams: between two, it counts half; `bounds` are proven bounds of
    it. Where they are equal, the game ends in at most `plies` moves, this one included. `line`
    begins with the move and goes on with the best answers. If it `is_bound`, it was found just that
    it is worth no more than `value`. Alpha-beta has looked `depth` moves ahead, this one included.
    """

    move: Move
    visits: int
    value: float
    bounds: tuple[float, float]
    plies: int | None
    line: tuple[Move, ...]
    is_bound: bool = False
    depth: int | None = None

    @property
    def is_proven(self) -> bool:
        """Whether the value is known for certain."""
        return self.bounds[0] == self.bounds[1]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "move": self.move.text,
            "visits": self.visits,
            "value": self.value,
            "bounds": list(self.bounds),
            "plies": self.plies,
            "line": [move.text for move in self.line],
            "is_bound": self.is_bound,
            **({} if self.depth is None else {"depth": self.depth}),
        }


@dataclass(frozen=True)
class Analysis:
    """What a search has found out about a position.

    `iterations` were made in `seconds`, now; moves may have been visited before, while earlier
    positions were searched. `value` is what the game is worth for each side: 1 is a win, 0 a loss,
    and a draw is shared out among all teams, as is a random game without an end: between two, it
    counts half; who plays alone has lost. Where the rules have payoffs,
    it is from 1, the greatest that was met, to 0, as great a loss; `payoffs` has what is expected.
    Alpha-beta has looked `depth` moves ahead; `visits` are then positions judged after a move.
    Where others decide at the same time, it `is_mixed`: a player who can't be seen through makes
    each move as often as it was visited.
    """

    position: Position
    iterations: int
    seconds: float
    value: Mapping[str, float]
    moves: tuple[MoveAnalysis, ...]
    payoffs: Mapping[str, float] = field(default_factory=dict)
    depth: int | None = None
    is_mixed: bool = False

    def __repr__(self) -> str:
        best = "" if self.best_move is None else f", best {self.best_move}"
        return f"<Analysis of {self.position!r}: {self.iterations:,} iterations{best}>"

    @property
    def best(self) -> MoveAnalysis | None:
        """The best move and what is known of it; None where nobody chooses, or no move is known."""
        return self.moves[0] if self.moves and self.position.seat is not None else None

    @property
    def best_move(self) -> Move | None:
        """The best move; None where nobody chooses, or no move is known."""
        return None if self.best is None else self.best.move

    @property
    def iterations_per_second(self) -> float:
        """How fast the search was."""
        return self.iterations / self.seconds if self.seconds else 0.0

    @property
    def is_proven(self) -> bool:
        """Whether the value is known for certain: whoever is on turn, even if it is chance."""
        if not self.moves:
            return False
        low, high = self.moves[0].bounds
        if self.position.seat is None:
            same = all(move.bounds == (low, low) for move in self.moves)
            return same and len(self.moves) == len(self.position.moves())
        return low == high and (low == 1 or self._is_best_of_all(low))

    @property
    def verdict(self) -> str:
        """What is proven of the position, in words; empty if that is nothing.

        Nothing is said where games are worth more or less than a win or a loss.
        """
        best = self.best
        if best is None or not best.is_proven or self.payoffs:
            return ""
        proven = best.bounds[0]
        within = f"in {best.plies} move{'' if best.plies == 1 else 's'} at most"
        if proven == 1:
            return "" if best.plies is None else f"{does([self.position.mover], 'wins')} {within}"
        if not self._is_best_of_all(proven):
            return ""
        if proven == 0 and best.plies is None and len(self.value) == 1:
            return "there is no solution"
        if proven == 0:
            return "" if best.plies is None else f"{does([self.position.mover], 'loses')} {within}"
        # The mean of many draws is one but for its last digits.
        is_draw = isclose(proven, drawn_value(self.position.rules.game.number_of_teams))
        return "a draw" if is_draw else ""

    def _is_best_of_all(self, value: float) -> bool:
        """Return whether all legal moves are known, and none of them is worth more."""
        are_all = len(self.moves) == len(self.position.moves())
        return are_all and all(move.bounds[1] <= value + _NEXT_TO_NOTHING for move in self.moves)

    def with_win(self, win: MoveAnalysis) -> Analysis:
        """Return it with a move of the side on turn that is proven to win."""
        others = (one for one in self.moves if one.move != win.move)
        value = {side: float(side == self.position.mover) for side in self.value}
        return replace(self, moves=(win, *others), value=value)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "iterations": self.iterations,
            "seconds": self.seconds,
            "iterations_per_second": self.iterations_per_second,
            "value": dict(self.value),
            "verdict": self.verdict,
            "moves": [move.to_json() for move in self.moves],
            **({"payoffs": dict(self.payoffs)} if self.payoffs else {}),
        }


def end_values(winners: Collection[object], players: Sequence[object], teams: int) -> list[float]:
    """Return what a game that has ended is worth to each of its players: to sides, or to seats.

    It is a draw where nobody wins, or where all do, if there are several.
    """
    if not winners or len(winners) == len(players) > 1:
        return [drawn_value(teams)] * len(players)
    return [float(player in winners) for player in players]


class Interrupted(KeyboardInterrupt):
    """A search was interrupted; `found` is what it has found out by then."""

    def __init__(self, found: Analysis) -> None:
        """Take what was found."""
        super().__init__()
        self.found = found
