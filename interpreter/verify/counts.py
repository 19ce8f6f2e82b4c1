"""How much was compared, and which failures of the rules were met on the way.

In: what a comparison notes while it goes on. Out: `Compared` and `Failure`s. What then holds:
what was noted before a comparison was cut short is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic
from gdl.interpreter.evaluation.moves import Move


@dataclass
class Compared:
    """How much two evaluators were compared on.

    `games` were played by both together, in `plies` moves; `random_games` by the other one and then
    replayed, in `random_plies`. `finished` of all these came to an end; `cut` were left unfinished
    where they had as many moves as a game may have. In each of the `positions` all legal moves were
    equal: `moves` in all.
    """

    games: int = 0
    random_games: int = 0
    finished: int = 0
    cut: int = 0
    plies: int = 0
    random_plies: int = 0
    positions: int = 0
    moves: int = 0

    def saw(self, legal: Sequence[Move]) -> None:
        """Count a position with its legal moves."""
        self.positions += 1
        self.moves += len(legal)

    @property
    def all_games(self) -> int:
        """How many games were begun."""
        return self.games + self.random_games

    def to_json(self) -> dict[str, int]:
        """Return the numbers by name."""
        return dict(vars(self))

    @property
    def text(self) -> str:
        """The numbers in words.

        >>> Compared(2, 1, plies=18, random_plies=1, positions=22, moves=90).text
        '2 games with 18 plies, 1 random game with 1 ply; 22 positions, 90 moves'
        """
        together = f"{_counted(self.games, 'game')} with {_counted(self.plies, 'ply', 'plies')}"
        plies = _counted(self.random_plies, "ply", "plies")
        drawn = f"{_counted(self.random_games, 'random game')} with {plies}"
        seen = f"{_counted(self.positions, 'position')}, {_counted(self.moves, 'move')}"
        return f"{together}, {drawn}; {seen}"


def _counted(number: int, one: str, more: str = "") -> str:
    """Return a number with the word for what it counts.

    >>> _counted(1, "ply", "plies"), _counted(1200, "move")
    ('1 ply', '1,200 moves')
    """
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


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
        """Note a failure of the rules: one for each place, whatever number fails there."""
        found = failure.diagnostic
        key = found.code, found.span, found.facts
        known = self._failures.setdefault(key, failure)
        if len(failure.moves) < len(known.moves):
            self._failures[key] = failure
