"""How many seeded mistakes `gdl check` tells: `python -m tests.benchmarks.mistakes [GAME…]`.

Every kind of `tests/mistakes/kinds.py` is seeded into every game to which it applies, without its
examples, and the file is checked; `--seconds` says how long it is played where nothing else tells
the mistake. What is told of the game without a mistake does not count. A table by kind is printed,
as `docs/mistakes.md` has it; each mistake that is not told at its place is named on stderr.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from gdl.load import games_folder, shipped_names
from tests.mistakes.judging import found_in, judged, keys_of
from tests.mistakes.kinds import KINDS
from tests.mistakes.seeding import GameText


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names of shipped games; all if there are none")
    parser.add_argument("--seconds", type=float, default=5.0)
    given = parser.parse_args()
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for game in given.games or shipped_names():
        with tempfile.TemporaryDirectory() as folder:
            _seed(game, Path(folder), given.seconds, table)
    print("\n".join(_lines(table)))


def _seed(game: str, folder: Path, seconds: float, table: dict[str, Counter[str]]) -> None:
    text = GameText.of(games_folder() / f"{game}.yaml")
    known = keys_of(found_in(text.text, folder, seconds))
    for kind, seeder in KINDS.items():
        for seeded in seeder(text):
            verdict = judged(seeded, known, folder, seconds)
            table[kind][verdict] += 1
            if verdict != "told":
                print(f"{game}: {kind}: {verdict}", file=sys.stderr, flush=True)


def _lines(table: dict[str, Counter[str]]) -> Sequence[str]:
    lines = ["| mistake | files | told at its place | told elsewhere |", "|---|---|---|---|"]
    whole: Counter[str] = Counter()
    for kind, found in [*table.items(), ("**all**", whole)]:
        lines.append(f"| {kind} | {found.total()} | {found['told']} | {found['elsewhere']} |")
        whole.update(found if found is not whole else {})
    return lines


if __name__ == "__main__":
    main()
