"""How many seeded mistakes `gdl check` tells: `python -m tests.benchmarks.mistakes [GAME…]`.

Every kind of `tests/mistakes/kinds.py`, or with `--unforeseen` of `unforeseen.py`, with `--later`
of `later.py`, or with `--newcomers` of `newcomers.py`, is seeded into every game to which it
applies, without its examples, and the file is checked; `--effort` says how much it is played where
nothing else tells the mistake. What is told of the game without a mistake does not count. A table
by kind is printed, as `docs/mistakes.md` has it; each mistake that is not told at its place is
named on stderr.

All games take hours. With `--kept FILE`, each case is written there, a line of JSON, as soon as it
is judged; those that are there are not judged again, so that the table can be made in parts.
`--most N` takes N files of each kind, or all if there are fewer: those whose names, with the kind,
have the lowest checksums, so that it is always the same files, and nobody has picked them. With
`--part 1/2` and `--part 2/2`, two runs share the games; `--table` judges nothing, and prints the
table of what is kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from gdl.interpreter.check import Effort
from gdl.load import games_folder, shipped_names
from tests.mistakes.judging import Key, found_in, judged, keys_of
from tests.mistakes.kinds import KINDS, Seeder
from tests.mistakes.later import LATER
from tests.mistakes.newcomers import NEWCOMERS
from tests.mistakes.seeding import GameText, Seeded
from tests.mistakes.unforeseen import UNFORESEEN

ALL_KINDS = {**KINDS, **UNFORESEEN, **LATER, **NEWCOMERS}


@dataclass(frozen=True)
class Case:
    """The `number`-th mistake of a kind in a game, and what became of it."""

    game: str
    kind: str
    number: int
    verdict: str


class Judge:
    """Judges the mistakes of one game."""

    def __init__(self, game: str, folder: Path, effort: Effort) -> None:
        self._game = game
        self._folder = folder
        self._effort = effort
        self._text = GameText.of(games_folder() / f"{game}.yaml")

    @cached_property
    def _known(self) -> set[Key]:
        return keys_of(found_in(self._text.text, self._folder, self._effort))

    def seeded(self, kinds: Sequence[str]) -> Iterator[tuple[str, int, Seeded]]:
        """Yield the mistakes of some kinds."""
        for kind in kinds:
            for number, seeded in enumerate(ALL_KINDS[kind](self._text)):
                yield kind, number, seeded

    def case(self, kind: str, number: int, seeded: Seeded) -> Case:
        """Judge a mistake."""
        verdict = judged(seeded, self._known, self._folder, self._effort)
        return Case(self._game, kind, number, verdict)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names of shipped games; all if there are none")
    parser.add_argument("--effort", type=float, default=1.0)
    parser.add_argument(
        "--kind", action="append", choices=ALL_KINDS, help="this kind only; repeatable"
    )
    parser.add_argument("--unforeseen", action="store_true", help="those made up afterwards")
    parser.add_argument("--later", action="store_true", help="those made up last")
    parser.add_argument("--newcomers", action="store_true", help="those of authors of new games")
    parser.add_argument("--kept", type=Path, help="a file of cases that need not be judged again")
    parser.add_argument("--most", type=int, metavar="N", help="at most so many files a kind")
    parser.add_argument(
        "--part", default="1/1", metavar="K/N", help="every N-th game from the K-th"
    )
    parser.add_argument("--table", action="store_true", help="print what is kept, and no more")
    options = parser.parse_args()
    games, kinds = (
        options.games or shipped_names(),
        options.kind or list(_registry(options)),
    )
    cases = _kept(options.kept)
    done = {(case.game, case.kind, case.number) for case in cases}
    part, parts = map(int, options.part.split("/"))
    chosen = None if options.most is None else _chosen(games, kinds, options.most)
    for game in () if options.table else games[part - 1 :: parts]:
        with tempfile.TemporaryDirectory() as folder:
            judge = Judge(game, Path(folder), Effort(options.effort))
            for kind, number, seeded in judge.seeded(kinds):
                key = game, kind, number
                if key not in done and (chosen is None or key in chosen):
                    cases.append(judge.case(kind, number, seeded))
                    _keep(options.kept, cases[-1])
    print("\n".join(_lines(cases)))


def _registry(options: argparse.Namespace) -> dict[str, Seeder]:
    """Return the kinds that are asked for."""
    if options.newcomers:
        return NEWCOMERS
    return LATER if options.later else UNFORESEEN if options.unforeseen else KINDS


def _chosen(games: Sequence[str], kinds: Sequence[str], most: int) -> set[tuple[str, str, int]]:
    """Return some files of each kind, drawn by a checksum of their names."""
    places: dict[str, list[tuple[str, str, int]]] = {kind: [] for kind in kinds}
    for game in games:
        for kind, number, _ in Judge(game, Path(), Effort()).seeded(kinds):
            places[kind].append((game, kind, number))
    return {
        key
        for found in places.values()
        for key in sorted(found, key=lambda key: zlib.crc32(repr(key).encode()))[:most]
    }


def _kept(file: Path | None) -> list[Case]:
    if file is None or not file.exists():
        return []
    lines = file.read_text("utf-8").splitlines()
    return [case for case in (Case(**json.loads(line)) for line in lines) if case.kind in ALL_KINDS]


def _keep(file: Path | None, case: Case) -> None:
    if case.verdict != "told":
        print(f"{case.game}: {case.kind}: {case.verdict}", file=sys.stderr, flush=True)
    if file is not None:
        with file.open("a", encoding="utf-8") as kept:
            kept.write(json.dumps(asdict(case)) + "\n")


def _lines(cases: Sequence[Case]) -> list[str]:
    lines = ["| mistake | files | told at its place | told elsewhere |", "|---|---|---|---|"]
    by_kind = {kind: Counter(c.verdict for c in cases if c.kind == kind) for kind in ALL_KINDS}
    whole = Counter(case.verdict for case in cases)
    for kind, found in [*by_kind.items(), ("**all**", whole)]:
        if found:
            lines.append(f"| {kind} | {found.total()} | {found['told']} | {found['elsewhere']} |")
    return lines


if __name__ == "__main__":
    main()
