"""Findings that the author of a file accepts: `# fine: CODE` beside the line, or on the one above.

In: the text of a file. Out: which findings are accepted, line by line. What then holds: errors are
never accepted, and a code that there is none of is told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from gdl.diagnostic import Diagnostic, Source, Span, suggest
from interpreter.library.diagnostics import known_codes

_FINE = re.compile(r"(?:^|(?<=\s))#\s*fine:\s*([a-z-]+(?:\s*,\s*[a-z-]+)*)", re.MULTILINE)
_CODE = re.compile(r"[a-z-]+")


class Accepted:
    """What a file accepts, by line."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_line: dict[int, set[str]] = defaultdict(set)
        self._places: list[Span] = []
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
        last = span.source.position(max(span.start, span.end - 1))[0]
        return any(found.code in self._by_line.get(line, ()) for line in range(span.line, last + 1))

    def unknown(self) -> Iterator[Diagnostic]:
        """Yield a warning for each code that there is none of."""
        for span in self._places:
            if span.text not in known_codes():
                yield Diagnostic(
                    "unknown-code",
                    f"There is no finding `{span.text}` that could be accepted.",
                    span,
                    suggest(span.text, known_codes()) or "`gdl check` tells the codes of findings.",
                    "warning",
                )
