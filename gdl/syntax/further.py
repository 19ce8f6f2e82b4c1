"""Further mistakes: what else can't be read in a program, behind the first that was found.

In: a program, and its first mistake. Out: those in later lines. What then holds: what is told
would be told as well if the lines before it were mended; where that is not sure, nothing is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gdl.budget import meter_of_loading
from gdl.diagnostic import Diagnostic, Source, Span
from gdl.syntax.advice import RESERVED
from gdl.syntax.parser import UNITS_A_CHARACTER, SyntaxProblem, parse

_MOST = 8
_STATEMENT, _HEADING = "pass", "if x"
"""What stands in place of a line that can't be read, so that the others can be."""
_HEADINGS = ("if", "for", "foreach", "while")
_OF_SEVERAL_PARTS = ("either", "else", "elif", "optionally", "or", "repeat", "until")
"""Lines that others belong to, which can't be read either if such a line is another one."""


def further_mistakes(program: Span, first: Diagnostic) -> Iterator[Diagnostic]:
    """Yield the mistakes in later lines of a program, each by itself."""
    source, found = program.source, first
    units = UNITS_A_CHARACTER * len(program.text)
    masked = source.text
    for _ in range(_MOST):
        text = None if found.span is None else _without_line(masked, found.span, program)
        is_used_again = found.hint.endswith(RESERVED)
        if text is None or is_used_again or not meter_of_loading().affords(units):
            return
        masked = text
        try:
            parse(Span(Source(source.name, masked), program.start, program.end), "program")
            return
        except SyntaxProblem as problem:
            later = problem.diagnostic
        if later.span is None or found.span is None or later.span.line <= found.span.line:
            return
        found = replace(later, span=replace(later.span, source=source))
        if later.span.text in _OF_SEVERAL_PARTS:
            return
        yield found


def _without_line(text: str, mistake: Span, program: Span) -> str | None:
    """Return the text with another line in place of that of a mistake; None if it needs its own."""
    start = max(text.rfind("\n", 0, mistake.start) + 1, program.start)
    end = text.find("\n", mistake.start, program.end)
    end = program.end if end < 0 else end
    line = text[start:end]
    bare = line.strip()
    first = bare.split(maxsplit=1)[0].rstrip(":") if bare else ""
    goes_on = _depth(text[end + 1 : program.end]) > _depth(line)
    instead = _HEADING if goes_on else _STATEMENT
    needs_its_own = first in _OF_SEVERAL_PARTS or (goes_on and first not in _HEADINGS)
    if needs_its_own or len(bare) < len(instead) or line.count("(") != line.count(")"):
        return None
    at = start + len(line) - len(line.lstrip())
    return text[:at] + instead.ljust(end - at) + text[end:]


def _depth(text: str) -> int:
    """Return how deep the first line of a text that is not blank is indented."""
    for line in text.split("\n"):
        if line.split("#")[0].strip():
            return len(line) - len(line.lstrip())
    return 0
