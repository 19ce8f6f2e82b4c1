"""Findings that the author of a file accepts.

In: the text of a file. Out: which findings are accepted: those of `# fine: CODE` beside the line,
or on the one above, and those of the key `fine` wherever they stand. What then holds: errors are
never accepted, and a code that there is none of is told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from gdl.diagnostic import Diagnostic, Report, Source, Span, suggest
from gdl.document.nodes import Scalar
from gdl.document.nodes import Sequence as Items
from gdl.document.reader import read_document
from interpreter.library.diagnostics import known_codes

_FINE = re.compile(r"(?:^|(?<=\s))#\s*fine:\s*([a-z-]+(?:\s*,\s*[a-z-]+)*)", re.MULTILINE)
_KEY = re.compile(r"^fine:", re.MULTILINE)
_CODE = re.compile(r"[a-z-]+")
_MOST_TOLD = 1000


class Accepted:
    """What a file accepts, by line and as a whole."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_line: dict[int, set[str]] = defaultdict(set)
        self._places: list[Span] = []
        self._everywhere: set[str] = set()
        for span in _spans_of_key(source):
            for code in _CODE.finditer(source.text, span.start, span.end):
                self._everywhere.add(code.group())
                self._places.append(Span(source, code.start(), code.end()))
        for found in _FINE.finditer(source.text):
            line, column = source.position(found.start())
            is_alone = not source.line(line)[: column - 1].strip()
            for code in _CODE.finditer(source.text, found.start(1), found.end(1)):
                self._by_line[line + is_alone].add(code.group())
                self._places.append(Span(source, code.start(), code.end()))

    def accepts(self, found: Diagnostic) -> bool:
        """Return whether the author says that a finding is meant so."""
        span = found.span
        if found.severity == "error" or span is None or span.source.name != self._source.name:
            return False
        if found.code in self._everywhere:
            return True
        last = span.source.position(max(span.start, span.end - 1))[0]
        return any(found.code in self._by_line.get(line, ()) for line in range(span.line, last + 1))

    def unknown(self) -> Iterator[Diagnostic]:
        """Yield a warning for each code that there is none of."""
        for span in islice(self._places, _MOST_TOLD):
            if span.text not in known_codes():
                yield Diagnostic(
                    "unknown-code",
                    f"There is no finding `{span.text}` that could be accepted.",
                    span,
                    suggest(span.text, known_codes()) or "`gdl check` tells the codes of findings.",
                    "warning",
                )


def _spans_of_key(source: Source) -> Iterator[Span]:
    """Yield where the key `fine` of a file has codes."""
    if _KEY.search(source.text) is None:
        return
    document = read_document(source, Report())
    value = None if document is None else document.get("fine")
    if isinstance(value, Scalar):
        yield value.span
    elif isinstance(value, Items):
        yield from (item.span for item in value.items if isinstance(item, Scalar))
