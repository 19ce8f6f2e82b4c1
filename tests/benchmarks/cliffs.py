"""Cliffs: what a rule costs that is said a little differently, or that differs a little.

In: the files of `cliffs/`, each of which extends a shipped game, its twin. Out: a line a file: the
moves a second of both, and the ratio of the two. What then holds: both took turns, in the same
run; figures are medians of rounds. The exit status is 1 if a file has less than `LEAST` of its
twin's moves a second.

Run it as `python -m tests.benchmarks.cliffs [--json FILE] [NAME ...]`.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from gdl.diagnostic import Report
from gdl.document import Scalar, read_document
from gdl.load import find_game, load_game

from . import measure
from .measure import NativePlayer, Round

FOLDER = Path(__file__).with_name("cliffs")
LEAST = 0.5
SAME = (
    "either-or",
    "let-between",
    "look-ahead",
    "no-let",
    "order",
    "requirement",
    "rounds",
    "where",
    "word",
)
"""These say the same rules as their twins; the others differ by as much as they tell."""
HEADS = ("file", "twin", "what differs", "moves a second", "of the twin", "ratio", "")


def names() -> tuple[str, ...]:
    """Return the names of all files."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def path_of(name: str) -> str:
    """Return where the file of a name is."""
    return str(FOLDER / f"{name}.yaml")


@dataclass(frozen=True)
class Cliff:
    """A file, its twin, what differs, and the rounds of both."""

    name: str
    twin: str
    about: str
    rounds: Mapping[str, Sequence[Round]]

    @property
    def ratio(self) -> float:
        """Return how many moves go on one of the twin in the same time."""
        pairs = zip(self.rounds[self.name], self.rounds[self.twin], strict=True)
        return median(a.moves_per_second / b.moves_per_second for a, b in pairs)

    def speed(self, which: str) -> float:
        """Return the moves a second of the file or its twin."""
        return measure.median_round(self.rounds[which])["moves_per_second"]

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        speeds = {"moves_per_second": self.speed(self.name), "of_twin": self.speed(self.twin)}
        return {"name": self.name, "twin": self.twin, **speeds, "ratio": self.ratio}

    def line(self) -> tuple[str, ...]:
        """Return the line of the table."""
        speeds = (measure.figure(self.speed(which)) for which in (self.name, self.twin))
        verdict = "" if self.ratio >= LEAST else "CLIFF"
        return (self.name, self.twin, self.about, *speeds, f"{self.ratio:.2f}", verdict)


def twin_of(name: str) -> tuple[str, str]:
    """Return the game that a file extends, and what it says of itself, in a few words."""
    document = read_document(find_game(path_of(name)), Report())
    assert document is not None
    extends, about = document.get("extends"), document.get("about")
    assert isinstance(extends, Scalar) and isinstance(about, Scalar)
    return extends.text, about.text.partition(".")[0]


def measured(name: str, rounds: int, seconds: float) -> Cliff:
    """Measure a file and its twin."""
    gc.collect()  # the code of the games before, so that its end is in nobody's time
    twin, about = twin_of(name)
    players = {name: NativePlayer(load_game(path_of(name))), twin: NativePlayer(load_game(twin))}
    for player in players.values():
        player.play(1)
    return Cliff(name, twin, about, measure.in_turn(players, rounds, seconds))


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure rules that are said differently.")
    parser.add_argument("names", nargs="*", metavar="NAME", choices=(*names(), []))
    parser.add_argument("--rounds", type=int, default=5, help="of each player, in turn")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each round")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")
    chosen = parser.parse_args(words)
    results = []
    for name in chosen.names or names():
        results.append(measured(name, chosen.rounds, chosen.seconds))
        measure.progress(name)
    print(measure.text_table(HEADS, [result.line() for result in results]))
    measure.write_json(chosen.json, {"cliffs": [result.to_json() for result in results]})
    return 0 if all(result.ratio >= LEAST for result in results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
