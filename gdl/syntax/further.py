"""Reading on: what stands in a program beside the lines that can't be read.

In: a program, and its first mistake. Out: the mistakes in later lines, and the statements of all
others. What then holds: what is told would be told as well if the lines before it were mended;
where that is not sure, nothing is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from gdl.diagnostic import Diagnostic, Edit, Source, Span
from gdl.resources.budget import meter_of_loading
from gdl.syntax import tree as t
from gdl.syntax.advice import LIKE_NAMES, RESERVED
from gdl.syntax.parser import UNITS_A_CHARACTER, SyntaxProblem, parse_instead

_MOST, _MOST_READ = 8, 24
"""How many mistakes are told, and how often a program is read again for them."""
_STATEMENT, _HEADING = "pass", "if yes"
"""What stands in place of a line that can't be read, so that the others can be."""
_HEADINGS = ("if", "for", "foreach", "while", "elif", "elsif", "elseif")
_ON_CONDITION = {"elif": "else if yes", "elsif": "else if yes", "elseif": "else if yes"}
"""What stands in place of a heading of other languages."""
_OF_SEVERAL_PARTS = ("either", "else", "optionally", "or", "repeat", "until")
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
    """Return what else is in a program, each mistake by itself.

    A word of the language that is taken for a name is told once, and another word put in its place.
    """
    source, found = program.source, first
    units = UNITS_A_CHARACTER * len(program.text)
    masked, reserved = source.text, ""
    stand_in: str | None = None
    reserved_of: dict[str, str] = {}
    mistakes: list[Diagnostic] = []
    lost: list[Span] = []
    for _ in range(_MOST_READ):
        if found.span is None or len(mistakes) >= _MOST or not meter_of_loading().affords(units):
            break
        line, word = _line(found.span, program), masked[found.span.start : found.span.end]
        is_name = found.facts.found == RESERVED
        if is_name and word in LIKE_NAMES:
            reserved, stand_in = word, _unused_word(len(word), masked)
            reserved_of = reserved_of if stand_in is None else {stand_in: word, **reserved_of}
        is_reserved = word == reserved
        if is_reserved and stand_in is not None:
            text: str | None = masked[: found.span.start] + stand_in + masked[found.span.end :]
        else:
            text = _without_colon(masked, found, line)
        if text is None:
            lost.append(line)
            text = _without_line(masked, line, program)
        if text is None:
            break
        masked = text
        try:
            statements = parse_instead(program, masked)
        except SyntaxProblem as problem:
            later = problem.diagnostic
        else:
            known = () if reserved else (tuple(lost), statements)
            return ReadOn(tuple(mistakes), *known)
        if later.span is None or later.span.text in _OF_SEVERAL_PARTS:
            break
        is_again = later.span.text == reserved
        is_behind = later.span.line > line.line
        is_beside = later.span.line == line.line and (is_reserved or is_again)
        if not (is_behind or is_beside) or (is_name and not is_reserved):
            break
        found = _as_in(source, later, reserved_of)
        if not is_again:
            mistakes.append(found)
    return ReadOn(tuple(mistakes))


def _unused_word(length: int, text: str) -> str | None:
    """Return a word of some letters that stands nowhere in a text, nor is one of the language."""
    words = ("".join(letters) for letters in product("zqxjk", repeat=length))
    return next((word for word in words if word not in text), None)


def _as_in(source: Source, later: Diagnostic, reserved_of: Mapping[str, str]) -> Diagnostic:
    """Return a finding as one in the source, where reserved words stand for those of a text.

    The latest of these are the first: none after them has it as a part.
    """
    assert later.span is not None, "it is somewhere"

    def said(text: str) -> str:
        for stand_in, word in reserved_of.items():
            text = text.replace(stand_in, word)
        return text

    span, edit = replace(later.span, source=source), later.edit
    return replace(
        later,
        span=span,
        message=said(later.message),
        hint=said(later.hint),
        edit=None if edit is None else Edit(span, said(edit.replacement)),
    )


def _line(mistake: Span, program: Span) -> Span:
    """Return the line in which a mistake begins."""
    text = program.source.text
    start = max(text.rfind("\n", 0, mistake.start) + 1, program.start)
    end = text.find("\n", mistake.start, program.end)
    return Span(program.source, start, program.end if end < 0 else end)


def _without_colon(text: str, found: Diagnostic, line: Span) -> str | None:
    """Return the text without a colon that ends a line; None if the mistake is another one."""
    place = found.span
    if place is None or place.text != ":" or text[place.end : line.end].split("#")[0].strip():
        return None
    return f"{text[: place.start]} {text[place.end :]}"


def _without_line(text: str, place: Span, program: Span) -> str | None:
    """Return the text with another line in place of one; None if others belong to that one."""
    start, end = place.start, place.end
    line = text[start:end]
    bare = line.strip()
    first = bare.split(maxsplit=1)[0].rstrip(":") if bare else ""
    goes_on = _depth(text[end + 1 : program.end]) > _depth(line)
    instead = _ON_CONDITION.get(first, _HEADING) if goes_on else _STATEMENT
    if first == "repeat" and goes_on:
        instead = first if _has_until(text[end + 1 : program.end], _depth(line)) else _HEADING
        first = instead.split()[0]
    needs_its_own = first in _OF_SEVERAL_PARTS or (goes_on and first not in _HEADINGS)
    needs_its_own = needs_its_own and instead != "repeat"
    if needs_its_own or len(bare) < len(instead) or line.count("(") != line.count(")"):
        return None
    at = start + len(line) - len(line.lstrip())
    return text[:at] + instead.ljust(end - at) + text[end:]


def _has_until(text: str, depth: int) -> bool:
    """Return whether the block at the beginning of a text, deeper than `depth`, ends by `until`."""
    for line in text.split("\n"):
        if line.split("#")[0].strip() and len(line) - len(line.lstrip()) <= depth:
            return line.split()[0] == "until"
    return False


def _depth(text: str) -> int:
    """Return how deep the first line of a text that is not blank is indented."""
    for line in text.split("\n"):
        if line.split("#")[0].strip():
            return len(line) - len(line.lstrip())
    return 0
