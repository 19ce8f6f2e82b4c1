"""How long it takes from a game's text to its first random game, for every game and variant.

In: names of games. Out: a line a game and variant, the slowest first, and the same as JSON. What
then holds: times are the least of several, in seconds of the processor, with the grammar's tables
already read. `parse` is reading the YAML and the texts in it, `check` names, types and the core,
`lower` writing LLVM's code; `games` is LLVM's work on what plays random games, and the first of
them; `searches` LLVM's work on what finds and counts moves. *To play* and *to search* add each of
these to what comes before both. `well` is what LLVM works later, on code that has run for as long.
The exit status is 1 if it takes longer to play than the limit.

With `--kinds`, made-up games are measured instead, of 4 and of 16 kinds of pieces. Machine code is
compiled each time; with `--kept`, it is taken from the user's cache after the first.

Run it as `python -m tests.benchmarks.compile_times [--json FILE] [--kinds] [--kept] [GAME ...]`.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

from gdl.diagnostic import Source
from gdl.document import apply_variants, load_document
from gdl.interpreter.native.runtime.machine_code import OFF, VARIABLE
from gdl.load import load_game, load_source
from gdl.model import Game
from gdl.syntax.parser import parse

from . import measure

LIMIT, LIMIT_OF_LARGE = 0.4, 0.8
LARGE = 500
"""More sites than these make a board large, with a limit of its own."""
TIMES = 3
PHASES = ("parse", "check", "lower", "games", "searches", "well")
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
    well: float = 0.0
    note: str = ""

    @property
    def to_play(self) -> float:
        """The seconds until a random game has been played."""
        return self._to_lower + self.games

    @property
    def to_search(self) -> float:
        """The seconds until moves can be found and counted."""
        return self._to_lower + self.searches

    @property
    def _to_lower(self) -> float:
        return self.parse + self.check + self.lower

    @property
    def limit(self) -> float:
        """The seconds that it may take."""
        return LIMIT_OF_LARGE if self.sites > LARGE else LIMIT

    @property
    def in_time(self) -> bool:
        """Whether it took no longer to play."""
        return self.to_play <= self.limit

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        told = {name: getattr(self, name) for name in ("to_play", "to_search", "limit")}
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

        def wrapped(*arguments: Any, **named: Any) -> Any:
            if self._running:
                return function(*arguments, **named)
            self._running = True
            begun = time.process_time()
            try:
                return function(*arguments, **named)
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
        mock.patch("gdl.elaborate.sections.sections.parse", watch.timed(parse)),
    ):
        yield watch


def _forget() -> None:
    """Let all that earlier games have left behind count as old, as at the start of a process."""
    gc.collect()
    gc.freeze()
    gc.unfreeze()


def compiled(name: str, variants: Sequence[str], backend: str) -> Compiled:
    """Compile a game once and return the times; the reference has neither lowering nor LLVM."""
    _forget()
    with reading_timed() as watch:
        begun = time.process_time()
        game = load_game(name, variants=variants)
        spent = time.process_time() - begun
    native, note = native_seconds(game) if backend == "native" else ({}, "")
    sites, read = len(game.board.sites), watch.seconds
    return Compiled(name, ", ".join(variants), sites, read, spent - read, **native, note=note)


def native_seconds(game: Game) -> tuple[dict[str, Any], str]:
    """Return the seconds of each native phase, or none and why there is no native code."""
    from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered

    begun = time.process_time()
    try:
        rules = NativeRules(game)
    except Uncovered as problem:
        return {}, str(problem)
    lowered = time.process_time()
    rules.playouts(rules.start(), 1, 1, measure.MOST_PLIES)
    played = time.process_time()
    rules.code.calls.begin()
    searched = time.process_time()
    rules.compile()
    told = {
        "lower": lowered - begun,
        "games": played - lowered,
        "searches": searched - played,
        "well": time.process_time() - searched,
    }
    rules.close()
    return told, ""


def least(several: Sequence[Compiled]) -> Compiled:
    """Return the least of several times of one game, phase by phase."""
    one = several[0]
    phases = {phase: min(getattr(each, phase) for each in several) for phase in PHASES}
    return replace(one, **phases)


def measured(names: Sequence[str], times: int, backend: str) -> list[Compiled]:
    """Return the times of games and of each of their variants, the slowest first."""
    results = []
    for name in names:
        variants: list[tuple[str, ...]] = [()]
        variants += [(variant,) for variant in load_game(name).all_variants]
        for chosen in variants:
            several = [compiled(name, chosen, backend) for _ in range(times)]
            results.append(least(several))
            measure.progress(" ".join((name, *chosen)))
    return sorted(results, key=lambda each: -each.to_play / each.limit)


# ------------------------------------------------------------------------- many kinds

FEW, MANY = 4, 16
_KINDS = (
    *("Ant", "Bee", "Cow", "Dog", "Elk", "Fox", "Gnu", "Hen"),
    *("Ibis", "Jay", "Kite", "Lynx", "Mole", "Newt", "Owl", "Pig"),
)
_OF_KINDS = """\
game: Zoo
players: White, Black
pieces: {kinds}
board: square(8, 8)
state:
  hand(players, kinds): number in 0..9 = 2
setup:
  White Ant: rows(1)
  White Bee: rows(2)
  Black Ant: rows(8)
  Black Bee: rows(7)
stuck: loses
end:
  - draw when turns >= 100
turn: |
"""
TURNS = {
    "move": """
  choose k in kinds where some own & k
  choose s in own & k
  choose t in compass(s) - own
  move s to t
""",
    "drop": """
  choose k in kinds where hand(mover, k) > 0
  choose t in empty
  place k at t
  add -1 to hand(mover, k)
""",
    "promote": """
  choose s in own
  choose t in compass(s) - own
  move s to t
  if t in top | bottom
    choose k in kinds
    change t to k
""",
    "for each": """
  choose s in own
  choose t in compass(s) - own
  move s to t
  for each k in kinds
    if t in k and hand(mover, k) > 0
      remove compass(t) & enemy & k
      add -1 to hand(mover, k)
""",
}
"""Turns that do something with each kind of pieces."""


def game_of_kinds(turn: str, kinds: int) -> Game:
    """Return a made-up game with the turn of this name, and so many kinds of pieces."""
    head = _OF_KINDS.format(kinds=", ".join(_KINDS[:kinds]))
    return load_source(Source("zoo.yaml", head + TURNS[turn].lstrip("\n")))


def seconds_of_kinds(turn: str, kinds: int, times: int) -> float:
    """Return the least seconds from the text of such a game to its first random game."""
    from gdl.interpreter.native.runtime.rules import NativeRules

    taken = []
    for _ in range(times):
        _forget()
        begun = time.process_time()
        rules = NativeRules(game_of_kinds(turn, kinds))
        rules.playouts(rules.start(), 1, 1, measure.MOST_PLIES)
        taken.append(time.process_time() - begun)
        rules.close()
    return min(taken)


def table_of_kinds(times: int) -> str:
    """Return the table of made-up games with few and with many kinds."""
    lines = []
    for turn in TURNS:
        few, many = (seconds_of_kinds(turn, kinds, times) for kinds in (FEW, MANY))
        lines.append((turn, f"{few:.3f}", f"{many:.3f}", f"{many / few:.1f}"))
    return measure.text_table(("turn", f"{FEW} kinds", f"{MANY} kinds", "ratio"), lines)


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure how long games take to compile.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all shipped games by default")
    parser.add_argument("--times", type=int, default=TIMES, help="of which the least counts")
    parser.add_argument(
        "--backend", choices=measure.BACKENDS, default="native", help="reference: loading only"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")
    parser.add_argument(
        "--kinds", action="store_true", help="made-up games of few and of many kinds instead"
    )
    parser.add_argument(
        "--kept", action="store_true", help="what is kept of machine code is not compiled again"
    )
    chosen = parser.parse_args(words)
    if not chosen.kept:
        os.environ[VARIABLE] = OFF
    if chosen.kinds:
        print(table_of_kinds(chosen.times))
        return 0
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
