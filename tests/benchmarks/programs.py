"""The C programs: random games of one game each, as fast as they were made by hand.

In: a `Program`, a source of the folder `c` with its macros. Out: what was built from it, which
plays games and prints figures; these are read back. What then holds: seconds are those of the
processor that the process took, as they are for the evaluators.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .measure import Round

SOURCES = Path(__file__).with_name("c")
FLAGS = ("-O3", "-march=native")
_FIGURE = re.compile(r"(first wins|length|draws|unfinished) ([0-9.]+)")


@dataclass(frozen=True)
class Program:
    """A source and its macros. It counts `uncounted` moves a game that the rules don't have."""

    source: str
    macros: Mapping[str, int] = field(default_factory=dict)
    uncounted: int = 0


PROGRAMS: Mapping[str, Program] = {
    "amazons": Program("amazons"),
    "breakthrough": Program("breakthrough"),
    "connect-four": Program("connect-four"),
    "go superko=no": Program("go"),
    "gomoku": Program("gomoku"),
    "hex": Program("hex"),
    "hex size=14": Program("hex", {"N": 14}),
    "hex size=19": Program("hex", {"N": 19}),
    # It ends a game by two passes, where the rules see at once that neither side can move.
    "othello": Program("othello", uncounted=2),
    "tic-tac-toe": Program("tic-tac-toe"),
}
"""The programs by the game that they play, with its options."""


@dataclass(frozen=True)
class Report:
    """What a program says of its games: the share that the first side won, that were drawn or
    left, and the mean number of moves, all of them without those that the rules don't have.
    """

    first_wins: float
    draws: float
    unfinished: float
    length: float


class BuildError(Exception):
    """The compiler refused a program; the message is the compiler's."""


def compiler() -> str | None:
    """Return the path of the C compiler, or None if there is none."""
    return shutil.which(os.environ.get("CC", "cc"))


class Running:
    """A program that is built already: `command` and a number play so many games."""

    def __init__(self, command: Sequence[str | Path], uncounted: int = 0) -> None:
        self._command, self._uncounted = command, uncounted

    def report(self, games: int) -> Report:
        """Return what the program says of so many games. Its seed is always the same."""
        command = [*self._command, str(games)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        found = {name: float(figure) for name, figure in _FIGURE.findall(run.stdout)}
        return Report(
            found["first wins"],
            found.get("draws", 0.0),
            found.get("unfinished", 0.0),
            found["length"] - self._uncounted,
        )

    def play(self, games: int) -> Round:
        """Play so many games; the time to start the program counts, too."""
        begun = _seconds_of_children()
        length = self.report(games).length
        return Round(games, round(games * length), _seconds_of_children() - begun)


class ProgramPlayer(Running):
    """A program, built in a folder. Raises BuildError; there has to be a compiler."""

    def __init__(self, program: Program, folder: Path) -> None:
        macros = [f"-D{name}={value}" for name, value in program.macros.items()]
        binary = folder / "-".join([program.source, *(macro[2:] for macro in macros)])
        source = SOURCES / f"{program.source}.c"
        command = [compiler() or "cc", *FLAGS, *macros, "-o", str(binary), str(source)]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            raise BuildError(built.stderr)
        super().__init__([binary], program.uncounted)


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
