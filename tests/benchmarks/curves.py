"""Curves of speed by the size of the board: what a move costs, and what it costs a site.

In: names of games, how long to measure. Out: a line a game and size, and the same as JSON. What
then holds: flat figures for a move and site say that a move costs as much as there are sites;
falling ones that bigger boards cost less than that. *Step* is how many times as much a move costs
as on a board that is one smaller, in the mean since the size before; one of more than `MOST` is
marked. Games that are shipped for small boards only are extended in the files of `curves/`.

Run it as `python -m tests.benchmarks.curves [--size N ...] [--json FILE] [GAME ...]`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from gdl.load import load_game
from gdl.model import Game
from gdl.resources.budget import Budget, allowed

from . import measure
from .measure import NotNative

FOLDER = Path(__file__).with_name("curves")
MOST = 1.3
_WIDE = (23, 24, 25, 26, 27, 28, 29, 32, 33, 39, 40, 45, 46, 60)
_WIDEST = (*_WIDE, 63, 64, 65, 80, 100)
CURVES: Mapping[str, Sequence[int]] = {
    "hex": (*range(5, 23, 2), *_WIDEST),
    "gomoku": (*range(6, 23, 4), *_WIDEST),
    "go": (*range(5, 20, 2), *_WIDEST),
    "othello": (*range(6, 23, 2), *_WIDEST),
    "trellis": (*range(7, 22, 2), *_WIDE),
    "filling": (*range(5, 23, 4), *_WIDEST),
    "neighbours": (*range(5, 23, 4), *_WIDEST),
    "taifas": range(5, 14),
}
"""The games whose curves are drawn, and the sizes of their boards.

Around 24 and 27 sets become arrays, in which the chunks are 512 sites; 63 is the longest line of a
word.
"""
HEADS = (
    *("game", "size", "sites", "playouts/s", "moves/s", "length", "ns/move", "ns/(move x site)"),
    "step",
)
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

    def step_from(self, smaller: Point | None) -> str:
        """Return how many times as much a move costs as on a board that is one smaller."""
        if smaller is None or smaller.game != self.game:
            return ""
        step = (self.nanoseconds / smaller.nanoseconds) ** (1 / (self.size - smaller.size))
        return f"{step:.2f}" + (" STEEP" if step > MOST else "")

    def line(self, smaller: Point | None) -> tuple[str, ...]:
        """Return the line of the table, below that of a smaller board."""
        figures = (
            self.playouts_per_second,
            self.moves_per_second,
            self.mean_length,
            self.nanoseconds,
            self.nanoseconds / self.sites,
        )
        told = map(measure.figure, figures)
        return (self.game, str(self.size), str(self.sites), *told, self.step_from(smaller))


def game_of(name: str, size: int) -> Game:
    """Return a game on a board of a size."""
    path = FOLDER / f"{name}.yaml"
    with allowed(Budget(None)):
        return load_game(str(path) if path.exists() else name, {"size": size})


def point(name: str, size: int, backend: str, rounds: int, seconds: float) -> Point:
    """Return the speed of a game on a board of a size. Raises NotNative."""
    game = game_of(name, size)
    player = measure.player(game, backend)
    played = measure.in_turn({name: player}, rounds, seconds)[name]
    return Point(name, size, len(game.board.sites), **measure.median_round(played))


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure speed by the size of the board.")
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"of {', '.join(CURVES)}; all by default"
    )
    parser.add_argument(
        "--size", type=int, action="append", help="this size in their place; repeatable"
    )
    measure.add_arguments(parser)
    chosen = parser.parse_args(words)
    for name in chosen.games:
        if name not in CURVES:
            parser.error(f"there is no curve of {name}")
    points, notes = [], []
    for name in chosen.games or CURVES:
        for size in chosen.size or CURVES[name]:
            try:
                made = point(name, size, chosen.backend, chosen.rounds, chosen.seconds)
            except NotNative as problem:
                notes.append(f"{name} {size}: {problem}")
                continue
            points.append(made)
            measure.progress(f"{name} {size}")
    print(measure.text_table(HEADS, list(map(Point.line, points, [None, *points]))))
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
