"""How much was compared, and which failures of the rules were met on the way.

In: what a comparison notes while it goes on. Out: `Compared` and `Failure`s. What then holds:
what was noted before a comparison was cut short is kept.
"""

from __future__ import annotations

from dataclasses import field

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic
from interpreter.evaluation.moves import Move


@dataclass
class Compared:
    """How much two evaluators were compared on.

    `games` were played by both together, `random_games` by the other one and then replayed;
    `finished` of all these came to an end. In each of the `positions` all legal moves were
    equal: `moves` in all. `plies` moves were made.
    """

    games: int = 0
    random_games: int = 0
    finished: int = 0
    plies: int = 0
    positions: int = 0
    moves: int = 0

    def to_json(self) -> dict[str, int]:
        """Return the numbers by name."""
        return dict(vars(self))

    @property
    def text(self) -> str:
        """The numbers in words.

        >>> Compared(2, 1, 3, 20, 24, 90).text
        '2 games, 1 random game, 20 plies, 24 positions, 90 moves'
        """
        counted = (
            (self.games, "game", "games"),
            (self.random_games, "random game", "random games"),
            (self.plies, "ply", "plies"),
            (self.positions, "position", "positions"),
            (self.moves, "move", "moves"),
        )
        return ", ".join(f"{count:,} {one if count == 1 else more}" for count, one, more in counted)


@dataclass(frozen=True)
class Failure:
    """The rules fail, and both evaluators say so, after these moves."""

    diagnostic: Diagnostic
    moves: tuple[Move, ...]


@dataclass
class Notes:
    """What is noted while evaluators are compared."""

    compared: Compared = field(default_factory=Compared)
    _failures: dict[tuple[object, ...], Failure] = field(default_factory=dict)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failures that were met, each by the shortest game that met it."""
        return tuple(self._failures.values())

    def fails(self, failure: Failure) -> None:
        """Note a failure of the rules."""
        found = failure.diagnostic
        known = self._failures.setdefault((found.code, found.span, found.message), failure)
        if len(failure.moves) < len(known.moves):
            self._failures[found.code, found.span, found.message] = failure
