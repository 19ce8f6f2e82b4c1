"""What the pages of the documentation show, carried out.

In: a page. Its blocks are taken in order, in one empty folder: `yaml NAME` is written to a file
(`yaml +NAME` is added to it), the lines after `$ ` in `console` are commands, followed by all
that they print, messages among it; `python` is a session as doctest reads it, all of a page with
the same names. Out: what was printed, and with which status. What then holds, if the tests pass:
a page shows what its reader will see.

A shown line `...` stands for any lines. After `console fails` commands end with status 1; in
`console figures` numbers are not compared, because they are times or depend on chance.

Run as `python tests/doc_pages.py` in the project's folder, it writes into the pages what their
commands print now.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forked_commands import run

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
CARRIED_OUT = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    DOCS / "tutorial.md",
    DOCS / "design.md",
    DOCS / "api.md",
    DOCS / "glossary.md",
    DOCS / "security.md",
    DOCS / "report.md",
    DOCS / "correspondence.md",
    DOCS / "page.md",
    DOCS / "playing.md",
    DOCS / "research.md",
    DOCS / "learning.md",
)
"""The pages of which all is carried out."""

_FENCE = re.compile(r"^```(\w+)?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_MOST_SECONDS = 300


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words after it, its text, and the line it begins on."""

    language: str
    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A command of a page, what the page shows of it, and how."""

    line: str
    shown: str
    kind: str
    place: str

    def agrees(self, output: str) -> bool:
        """Return whether this was printed."""
        if self.kind == "figures":
            return without_numbers(self.shown) == without_numbers(output)
        return matches(self.shown, output)


@dataclass(frozen=True)
class Result:
    """What a command printed, and its status."""

    output: str
    status: int


def _result(output: str, status: int) -> Result:
    lines = (line.rstrip() for line in output.splitlines())
    return Result("".join(f"{line}\n" for line in lines), status)


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    text = page.read_text("utf-8")
    return [_block(text, match) for match in _FENCE.finditer(text)]


def _block(text: str, match: re.Match[str]) -> Block:
    line = text.count("\n", 0, match.start()) + 1
    return Block(match[1] or "", match[2].strip(), match[3], line)


def matches(shown: str, output: str) -> bool:
    """Return whether output is what is shown, where a line `...` stands for any lines."""
    lines = (
        "(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown.splitlines()
    )
    return re.fullmatch("".join(lines), output) is not None


def without_numbers(text: str) -> str:
    """Return a text in which all numbers are the same.

    >>> without_numbers("50 games in 0.01 s: 9,062.9 a second")
    '# games in # s: # a second'
    """
    return _NUMBER.sub("#", text)


def commands(block: Block, place: str) -> Iterator[Command]:
    """Yield the commands of a `console` block."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        yield Command(line, shown, block.kind, f"{place}:{block.line} {line}")


class Session:
    """A folder in which the blocks of one page are carried out, in order."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        for name, module in (("gdl", "gdl.interpreter.cli"), ("python", "")):
            told = f"-m {module} " if module else ""
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {told}"$@"\n')
            (programs / name).chmod(0o755)
        self._environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "NO_COLOR": "1",
            "COLUMNS": "80",
        }
        self._names: dict[str, object] = {}

    def write(self, block: Block) -> None:
        """Write a file, or the end of one."""
        path = self.folder / block.kind.removeprefix("+")
        before = path.read_text("utf-8") if block.kind.startswith("+") else ""
        path.write_text(before + block.text, "utf-8")

    def run(self, command: Command) -> Result:
        """Carry out a command; one that needs no shell in a process that is forked for it."""
        if re.fullmatch(r"gdl [^|&;<>()$`*?!\n]*", command.line):
            told, output = tuple(shlex.split(command.line)[1:]), "../output"
            ran = run(told, self.folder, output, output, environment=self._environment)
            assert ran.status is not None, f"{command.place} does not end"
            return _result(ran.output, ran.status)
        done = subprocess.run(
            ["bash", "-c", command.line],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=_MOST_SECONDS,
        )
        return _result(done.stdout, done.returncode)

    def talk(self, block: Block, place: str) -> str:
        """Carry out a Python session; return what went otherwise than shown."""
        told: list[str] = []
        test = doctest.DocTestParser().get_doctest(block.text, {}, place, place, block.line)
        test.globs = self._names
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
                test, out=told.append, clear_globs=False
            )
        finally:
            os.chdir(before)
        return "".join(told)


def rewrite(page: Path) -> None:
    """Write into a page what its commands print now; where lines are left out, leave all."""
    text = page.read_text("utf-8")
    parts: list[str] = []
    done = 0
    with tempfile.TemporaryDirectory() as folder:
        session = Session(Path(folder))
        for match in _FENCE.finditer(text):
            block = _block(text, match)
            parts.append(text[done : match.start(3)])
            done = match.start(3)
            if block.language == "yaml" and block.kind:
                session.write(block)
            elif block.language == "console":
                for command in commands(block, page.name):
                    parts.append(f"$ {command.line}\n{_shown_now(session, command)}")
                done = match.end(3)
    page.write_text("".join((*parts, text[done:])), "utf-8")


def _shown_now(session: Session, command: Command) -> str:
    output = session.run(command).output
    if command.agrees(output) or "...\n" in command.shown:
        return command.shown
    print(command.place)
    return output


if __name__ == "__main__":
    for each in CARRIED_OUT:
        rewrite(each)
