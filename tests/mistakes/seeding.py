"""A game's file as a seeder of mistakes sees it: lines, and the sections that they belong to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gdl.load import load_game

_KEY = re.compile(r"^([a-z]\w*):")


@dataclass(frozen=True)
class Seeded:
    """A file with a mistake: its text, and the lines (from 1) at which it may be told."""

    text: str
    lines: frozenset[int]


class GameText:
    """The text of a game without its examples, which would tell many a mistake."""

    def __init__(self, text: str, sides: tuple[str, ...] = ()) -> None:
        self.lines = _without(text.rstrip("\n").split("\n"), "examples")
        self.sides = sides

    @classmethod
    def of(cls, path: Path) -> GameText:
        """Read a file; the names of the sides may stand in one that it extends."""
        return cls(path.read_text("utf-8"), load_game(str(path)).sides)

    @property
    def text(self) -> str:
        """The text as it is without a mistake."""
        return "\n".join(self.lines) + "\n"

    @cached_property
    def sections(self) -> list[str]:
        """The key of the section of each line."""
        found, key = [], ""
        for line in self.lines:
            key = match[1] if (match := _KEY.match(line)) else key
            found.append(key)
        return found

    def at(self, *sections: str) -> Iterator[int]:
        """Yield the numbers, from 0, of the lines of some sections."""
        for number, section in enumerate(self.sections):
            if section in sections:
                yield number

    def section_lines(self, *sections: str) -> frozenset[int]:
        """Return the lines, from 1, of some sections."""
        return frozenset(number + 1 for number in self.at(*sections))

    def code(self, number: int) -> str:
        """Return a line without its comment."""
        return re.split(r"(?:^|\s)#", self.lines[number], maxsplit=1)[0].rstrip()

    def with_line(self, number: int, *new: str, also: frozenset[int] = frozenset()) -> Seeded:
        """Return the text with new lines in the place of one."""
        lines = [*self.lines[:number], *new, *self.lines[number + 1 :]]
        own = frozenset(range(number + 1, number + 1 + max(1, len(new))))
        moved = frozenset(n + (len(new) - 1) * (n > number + 1) for n in also)
        return Seeded("\n".join(lines) + "\n", own | moved)

    def changed(
        self,
        pattern: str,
        new: str | Callable[[re.Match[str]], str],
        *sections: str,
        also: tuple[str, ...] = (),
        most: int = 2,
    ) -> Iterator[Seeded]:
        """Yield the text with a pattern replaced once in a line of some sections."""
        made = 0
        for number in self.at(*sections):
            code = self.code(number)
            changed = re.sub(pattern, new, code, count=1)
            if changed != code and made < most:
                made += 1
                yield self.with_line(number, changed, also=self.section_lines(*also))


def _without(lines: list[str], key: str) -> list[str]:
    kept, inside = [], False
    for line in lines:
        if match := _KEY.match(line):
            inside = match[1] == key
        if not inside:
            kept.append(line)
    return kept
