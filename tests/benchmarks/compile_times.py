"""How long it takes from a game's text to code that runs, for every shipped game and variant.

In: names of games. Out: a line a game and variant, the slowest first, and the same as JSON. What
then holds: times are medians in seconds of the processor, with the grammar's tables already
read. `parse` is reading the YAML and the texts in it, `check` names, types and the core, `lower`
writing LLVM's code; `games` and `searches` are LLVM's work on its two parts. To play random games
takes the first, and the second as well if some moves are `searched` for; to find and to count
moves takes the second. The exit status is 1 if one of the two takes longer than the limit.

Run it as `python -m tests.benchmarks.compile_times [--json FILE] [GAME ...]`.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

from gdl.document import apply_variants, load_document
from gdl.load import load_game
from gdl.model import Game
from gdl.syntax.parser import parse

from . import measure

LIMIT, LIMIT_OF_LARGE = 0.5, 1.5
LARGE = 1000
"""More sites than these make a board large, with a limit of its own."""
TIMES = 3
GAMES = 10
"""So many random games tell whether such games need searches."""
PHASES = ("parse", "check", "lower", "games", "searches")
HEADS = ("game", "variant", "sites", *PHASES, "to play", "to search", "limit", "")


@dataclass(frozen=True)
class Compiled:
    """The seconds of each phase; `variant` is empty for the game as it stands.

    `note` says why there is no native code.
    """

    game: str
    variant: str
    sites: int
    parse: float
    check: float
    lower: float = 0.0
    games: float = 0.0
    searches: float = 0.0
    searched: bool = False
    note: str = ""

    @property
    def to_play(self) -> float:
        """The seconds until random games can be played."""
        return self._to_lower + self.games + (self.searches if self.searched else 0)

    @property
    def to_search(self) -> float:
        """The seconds until moves can be found and counted."""
        return self._to_lower + self.searches

    @property
    def total(self) -> float:
        """The greater of the two."""
        return max(self.to_play, self.to_search)

    @property
    def _to_lower(self) -> float:
        return self.parse + self.check + self.lower

    @property
    def limit(self) -> float:
        """The seconds that it may take."""
        return LIMIT_OF_LARGE if self.sites > LARGE else LIMIT

    @property
    def in_time(self) -> bool:
        """Whether it took no longer."""
        return self.total <= self.limit

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        told = {name: getattr(self, name) for name in ("to_play", "to_search", "total", "limit")}
        return asdict(self) | told | {"met": self.in_time}

    def line(self) -> tuple[str, ...]:
        """Return the line of the table."""
        verdict = "met" if self.in_time else "MISSED"
        return (
            self.game,
            self.variant,
            str(self.sites),
            *(f"{getattr(self, phase):.3f}" for phase in PHASES),
            f"{self.to_play:.3f}",
            f"{self.to_search:.3f}",
            f"{self.limit:g}",
            "not native" if self.note else verdict,
        )


class Stopwatch:
    """Adds up the seconds spent inside functions, each counted once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._running = False

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time taken."""

        def wrapped(*given: Any, **named: Any) -> Any:
            if self._running:
                return function(*given, **named)
            self._running = True
            begun = time.process_time()
            try:
                return function(*given, **named)
            finally:
                self.seconds += time.process_time() - begun
                self._running = False

        return wrapped


@contextmanager
def reading_timed() -> Iterator[Stopwatch]:
    """Take the time of all that reads text while games are loaded."""
    watch = Stopwatch()
    with (
        mock.patch("gdl.load.load_document", watch.timed(load_document)),
        mock.patch("gdl.load.apply_variants", watch.timed(apply_variants)),
        mock.patch("gdl.elaborate.sections.parse", watch.timed(parse)),
    ):
        yield watch


def compiled(name: str, variants: Sequence[str], backend: str) -> Compiled:
    """Compile a game once and return the times; the reference has neither lowering nor LLVM.

    What earlier games have left behind is not looked through for garbage meanwhile.
    """
    gc.collect()
    gc.freeze()
    with reading_timed() as watch:
        begun = time.process_time()
        game = load_game(name, variants=variants)
        spent = time.process_time() - begun
    native, note = native_seconds(game) if backend == "native" else ({}, "")
    sites, read = len(game.board.sites), watch.seconds
    return Compiled(name, ", ".join(variants), sites, read, spent - read, **native, note=note)


def native_seconds(game: Game) -> tuple[dict[str, Any], str]:
    """Return the seconds of each native phase, or none and why there is no native code.

    With them, whether some random games have needed a search.
    """
    from interpreter.native.runtime.rules import NativeRules, Uncovered

    begun = time.process_time()
    try:
        rules = NativeRules(game)
    except Uncovered as problem:
        return {}, str(problem)
    lowered = time.process_time()
    rules.code.compile_searches()
    searching = time.process_time()
    rules.close()
    rules = NativeRules(game)
    again = time.process_time()
    rules.code.compile_games(ahead=False)
    playing = time.process_time()
    rules.playouts(rules.start(), GAMES, 1, measure.MOST_PLIES)
    told = {
        "lower": lowered - begun,
        "games": playing - again,
        "searches": searching - lowered,
        "searched": rules.code.has_searches,
    }
    rules.close()
    return told, ""


def middle(several: Sequence[Compiled]) -> Compiled:
    """Return the medians of several times of one game, phase by phase."""
    one = several[0]
    phases = {phase: median(getattr(each, phase) for each in several) for phase in PHASES}
    return replace(one, **phases)


def measured(names: Sequence[str], times: int, backend: str) -> list[Compiled]:
    """Return the times of games and of each of their variants, the slowest first."""
    results = []
    for name in names:
        variants: list[tuple[str, ...]] = [()]
        variants += [(variant,) for variant in load_game(name).all_variants]
        for chosen in variants:
            several = [compiled(name, chosen, backend) for _ in range(times)]
            results.append(middle(several))
            measure.progress(" ".join((name, *chosen)))
    return sorted(results, key=lambda each: -each.total / each.limit)


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure how long games take to compile.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all shipped games by default")
    parser.add_argument("--times", type=int, default=TIMES, help="of which the median counts")
    parser.add_argument(
        "--backend", choices=measure.BACKENDS, default="native", help="reference: loading only"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")
    chosen = parser.parse_args(words)
    names = measure.shipped(parser, chosen.games)
    results = measured(names, chosen.times, chosen.backend)
    print(measure.text_table(HEADS, [result.line() for result in results]))
    for result in results:
        if result.note:
            print(f"{result.game} {result.variant}: {result.note}")
    measure.write_json(
        chosen.json,
        {
            "backend": chosen.backend,
            "times": chosen.times,
            "games": [result.to_json() for result in results],
        },
    )
    return int(not all(result.in_time and not result.note for result in results))


if __name__ == "__main__":
    raise SystemExit(main())
