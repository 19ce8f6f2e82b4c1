"""Reading on: what stands in a program beside the lines that can't be read.

In: a program, and its first mistake. Out: the mistakes in later lines, and the statements of all
others. What then holds: what is told would be told as well if the lines before it were mended;
where that is not sure, nothing is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gdl.budget import meter_of_loading
from gdl.diagnostic import Diagnostic, Span
from gdl.syntax import tree as t
from gdl.syntax.advice import RESERVED
from gdl.syntax.parser import UNITS_A_CHARACTER, SyntaxProblem, parse_instead

_MOST = 8
_STATEMENT, _HEADING = "pass", "if yes"
"""What stands in place of a line that can't be read, so that the others can be."""
_HEADINGS = ("if", "for", "foreach", "while")
_OF_SEVERAL_PARTS = ("either", "else", "elif", "optionally", "or", "repeat", "until")
"""Lines that others belong to, which can't be read either if such a line is another one."""


class ReadOn(NamedTuple):
    """What was found behind the first mistake of a program.

    `lost` are the lines that can't be read, in whose places the `statements` do nothing; there are
    none if they are not sure.
    """

    mistakes: tuple[Diagnostic, ...] = ()
    lost: tuple[Span, ...] = ()
    statements: tuple[t.Statement, ...] = ()


def read_on(program: Span, first: Diagnostic) -> ReadOn:
    """Return what else is in a program, each mistake by itself."""
    source, found = program.source, first
    units = UNITS_A_CHARACTER * len(program.text)
    masked = source.text
    mistakes: list[Diagnostic] = []
    lost: list[Span] = []
    for _ in range(_MOST):
        if found.span is None:
            break
        line = _line(found.span, program)
        text = _without_colon(masked, found.span, line)
        if text is None:
            lost.append(line)
            text = _without_line(masked, line, program)
        is_used_again = found.hint.endswith(RESERVED)
        if text is None or not meter_of_loading().affords(units):
            break
        masked = text
        try:
            return ReadOn(tuple(mistakes), tuple(lost), parse_instead(program, masked))
        except SyntaxProblem as problem:
            later = problem.diagnostic
        if is_used_again or later.span is None or later.span.line <= line.line:
            break
        found = replace(later, span=replace(later.span, source=source))
        if later.span.text in _OF_SEVERAL_PARTS:
            break
        mistakes.append(found)
    return ReadOn(tuple(mistakes))


def _line(mistake: Span, program: Span) -> Span:
    """Return the line in which a mistake begins."""
    text = program.source.text
    start = max(text.rfind("\n", 0, mistake.start) + 1, program.start)
    end = text.find("\n", mistake.start, program.end)
    return Span(program.source, start, program.end if end < 0 else end)


def _without_colon(text: str, mistake: Span, line: Span) -> str | None:
    """Return the text without a colon that ends a line; None if the mistake is another one."""
    is_last = not text[mistake.end : line.end].split("#")[0].strip()
    if mistake.text != ":" or not is_last:
        return None
    return f"{text[: mistake.start]} {text[mistake.end :]}"


def _without_line(text: str, place: Span, program: Span) -> str | None:
    """Return the text with another line in place of one; None if others belong to that one."""
    start, end = place.start, place.end
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
