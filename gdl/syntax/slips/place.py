"""Places: where a finding is, and what stands around it.

In: a finding, and what tells whether a text can be read. Out: its words, its line, its section, and
what the file says of sides and kinds, as far as it can be seen without reading it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gdl.diagnostic import Diagnostic

LONGEST = 300
"""How long a line may be that is looked at: patterns take long for longer ones."""
Reads = Callable[[str, str], bool]
"""Whether a text can be read from an entry point of the grammar."""


class Place:
    """Where a finding is: its words, its line, and the section in which it stands."""

    def __init__(self, found: Diagnostic, reads: Reads) -> None:
        assert found.span is not None, "it is somewhere"
        span, text = found.span, found.span.source.text
        self.found = found
        self.facts = found.facts
        self.reads = reads
        self.words = span.text
        start = text.rfind("\n", 0, span.start) + 1
        end = text.find("\n", span.start)
        self.line = text[start : end if end >= 0 else len(text)].split(" #")[0].strip()
        self.behind = text[span.start : end if end >= 0 else len(text)].split(" #")[0].rstrip()
        self.before = text[start : span.start]
        self.text, self._start = text, start
        self._after = end + 1 if end >= 0 else len(text)

    def reads_as_clause(self, text: str) -> bool:
        """Return whether a text can be read as a clause of `end`."""
        return self.reads(text, "clause")

    @property
    def above(self) -> str:
        """The text above its line."""
        return self.text[: self._start]

    @property
    def section(self) -> str:
        """The key of the file below which the finding is."""
        found = re.findall(r"^(\w+) *:", self.text[: self._after], re.MULTILINE)
        return found[-1] if found else ""

    @property
    def table(self) -> str:
        """What stands under the key of its section, in that line and below it, or its beginning."""
        found = re.search(rf"^{self.section} *:(.*(?:\n[ \t]+.*)*)", self.text, re.MULTILINE)
        return found[1][:LONGEST].strip() if found is not None else ""

    @property
    def sides(self) -> list[str]:
        """The names of the sides, as far as this file says them."""
        found = re.search(r"^players *:(.*)$", self.text, re.MULTILINE)
        return re.findall(r"\w+", found[1].split(" #")[0]) if found else []

    @property
    def options(self) -> list[str]:
        """The names of the options, as far as this file says them."""
        found = re.search(r"^options *:(.*(?:\n[ \t]+.*)*)", self.text, re.MULTILINE)
        return re.findall(r"(\w+) *:", found[1][:LONGEST]) if found else []

    @property
    def kind(self) -> str:
        """The name of a kind of piece, as far as this file says one."""
        found = re.search(r"^pieces *:[\s{]*(\w+) *(?:[,:}].*)?$", self.text, re.MULTILINE)
        return found[1] if found and found[1] not in self.sides else "Stone"

    @property
    def extends(self) -> bool:
        """Whether the file changes another game."""
        return re.search(r"^extends *:", self.text, re.MULTILINE) is not None

    @property
    def key(self) -> str:
        """The key before what is wrong, in its line or above it."""
        before = self.before.strip() or self.above.rstrip().rpartition("\n")[2]
        found = re.search(r"([A-Za-z][\w ()]*?) *: *$", before.rstrip("{"))
        return found[1] if found else ""

    @property
    def block(self) -> str:
        """The words, with the lines behind them that belong to them."""
        depth = len(self.before)
        lines = [self.behind]
        for line in self.text[self._after :].split("\n")[:12]:
            if line.strip() and len(line) - len(line.lstrip(" ")) < depth:
                break
            lines.append(line)
        lines = [line[:LONGEST] for line in lines]
        return "\n".join(lines) if "\n" in "\n".join(lines).strip() else self.words
