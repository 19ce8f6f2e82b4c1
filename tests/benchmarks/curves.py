"""Curves of speed by the size of the board: what a move costs, and what it costs a site.

In: names of games, how long to measure. Out: a line a game and size, and the same as JSON. What
then holds: a flat last column says that a move costs as much as there are sites; a falling one
that bigger boards cost less than that.

Run it as `python -m tests.benchmarks.curves [--size N ...] [--json FILE] [GAME ...]`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from gdl.load import load_game

from . import measure
from .measure import NotNative

CURVES: Mapping[str, range] = {
    "hex": range(5, 26),
    "go": range(5, 20),
    "othello": range(6, 13, 2),
    "trellis": range(7, 22, 2),
    "taifas": range(5, 14),
}
"""The games whose curves are drawn, and the sizes of their boards."""
HEADS = ("game", "size", "sites", "playouts/s", "moves/s", "length", "ns/move", "ns/(move x site)")
_NANOSECONDS = 1e9


@dataclass(frozen=True)
class Point:
    """The speed of a game on a board of one size."""

    game: str
    size: int
    sites: int
    playouts_per_second: float
    moves_per_second: float
    mean_length: float

    @property
    def nanoseconds(self) -> float:
        """Nanoseconds a move."""
        return _NANOSECONDS / self.moves_per_second

    def to_json(self) -> dict[str, object]:
        """Return all figures as plain data."""
        return asdict(self) | {
            "nanoseconds_per_move": self.nanoseconds,
            "nanoseconds_per_move_and_site": self.nanoseconds / self.sites,
        }

    def line(self) -> tuple[str, ...]:
        """Return the line of the table."""
        figures = (
            self.playouts_per_second,
            self.moves_per_second,
            self.mean_length,
            self.nanoseconds,
            self.nanoseconds / self.sites,
        )
        return (self.game, str(self.size), str(self.sites), *map(measure.figure, figures))


def point(name: str, size: int, backend: str, rounds: int, seconds: float) -> Point:
    """Return the speed of a game on a board of a size. Raises NotNative."""
    game = load_game(name, {"size": size})
    player = measure.player(game, backend)
    played = measure.in_turn({name: player}, rounds, seconds)[name]
    return Point(name, size, len(game.board.sites), **measure.median_round(played))


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure speed by the size of the board.")
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"of {', '.join(CURVES)}; all by default"
    )
    parser.add_argument("--size", type=int, action="append", help="this size only; repeatable")
    measure.add_arguments(parser)
    chosen = parser.parse_args(words)
    for name in chosen.games:
        if name not in CURVES:
            parser.error(f"there is no curve of {name}")
    points, notes = [], []
    for name in chosen.games or CURVES:
        for size in CURVES[name]:
            if chosen.size and size not in chosen.size:
                continue
            try:
                made = point(name, size, chosen.backend, chosen.rounds, chosen.seconds)
            except NotNative as problem:
                notes.append(f"{name} {size}: {problem}")
                continue
            points.append(made)
            measure.progress(f"{name} {size}")
    print(measure.text_table(HEADS, [made.line() for made in points]))
    print("".join(f"{note}\n" for note in notes), end="")
    measure.write_json(
        chosen.json,
        {
            "backend": chosen.backend,
            "rounds": chosen.rounds,
            "seconds": chosen.seconds,
            "points": [made.to_json() for made in points],
            "notes": notes,
        },
    )
    return int(bool(notes))


if __name__ == "__main__":
    raise SystemExit(main())
