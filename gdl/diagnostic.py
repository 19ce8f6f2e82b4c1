"""Findings about a file: what is wrong, where, and how to mend it.

In: a `Source` (a name and its text) and offsets into it. Out: `Diagnostic`s, gathered in a
`Report`, in the order of the file. What then holds: nothing that a user can cause reaches
him as another kind of exception than `GameError`, which carries the diagnostics.
"""

from __future__ import annotations

import bisect
import difflib
import re
import reprlib
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from functools import cached_property
from operator import index
from typing import NamedTuple, TypeAlias

from gdl.codes import Code, Severity
from gdl.data_classes import dataclass
from gdl.resources.budget import meter_of_loading
from gdl.visible import visible, visible_line


@dataclass(frozen=True)
class Source:
    """A text and the name under which its user knows it."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column, both counted from 1, of a character offset."""
        line = bisect.bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of line `number` (from 1), without its line break."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")


@dataclass(frozen=True)
class Span:
    """A stretch of a source: the characters `start` to `end`, `end` not included."""

    source: Source = field(repr=False)
    start: int
    end: int

    def __hash__(self) -> int:
        # Few places of different texts meet, and much is kept by its place.
        return hash((self.start, self.end))

    @property
    def line(self) -> int:
        """The line on which the span begins, counted from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column in which the span begins, counted from 1."""
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """Return the span from this one's start to the end of `other`, in the same source."""
        return Span(self.source, self.start, max(self.end, other.end))

    def holds(self, other: Span | None) -> bool:
        """Return whether another span lies within this one."""
        if other is None or other.source is not self.source:
            return False
        return self.start <= other.start and other.end <= self.end

    def to_json(self) -> dict[str, object]:
        """Return the place as plain data (lines and columns counted from 1)."""
        end_line, end_column = self.source.position(self.end)
        return {
            "file": self.source.name,
            "line": self.line,
            "column": self.column,
            "end_line": end_line,
            "end_column": end_column,
        }

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Edit:
    """A text that may stand in the place of another, and mends what is wrong there."""

    span: Span
    replacement: str


@dataclass(frozen=True)
class Suggestion:
    """A hint that names the one word, or sign, that may be meant."""

    word: str

    def __str__(self) -> str:
        return f"Did you mean `{self.word}`?"


@dataclass(frozen=True)
class Facts:
    """What a finding tells of, for other passes: none of them reads a sentence of another.

    `subject` is what it is about: a key, a word or a parameter, and `of` what that belongs to.
    `expected` is what should stand there, `found` what does; `meant` is the one word that its hint
    suggests. `sections` are those of a file that would declare what is missing, or have declared
    what is too much; a finding may follow from what is wrong there. What is not said is empty.
    """

    subject: str = ""
    of: str = ""
    expected: str = ""
    found: str = ""
    meant: str = ""
    sections: tuple[str, ...] = ()


NO_FACTS = Facts()

Hint: TypeAlias = Suggestion | str
"""A way out: a sentence, or a word that makes one."""


def _edit_by(hint: Hint, span: Span | None) -> Edit | None:
    """Return the change that a hint means at a place, if it is sure enough."""
    if not isinstance(hint, Suggestion) or span is None:
        return None
    is_word = bool(span.text) and not span.text.split()[1:]
    return Edit(span, hint.word) if is_word and not _is_guess(span.text, hint.word) else None


@dataclass(frozen=True)
class Diagnostic:
    """One finding: a stable code, a place, one sentence, and a way out.

    `related` holds further places, each with a sentence of its own. `expected` are words and signs
    of the language of which one could have stood at the place; `edit` is the change of the text
    that mends it, where one is known; `facts` are what other passes may ask for.
    """

    code: Code
    message: str
    span: Span | None = None
    hint: str = ""
    severity: Severity = "error"
    related: tuple[tuple[str, Span], ...] = ()
    expected: tuple[str, ...] = ()
    edit: Edit | None = None
    facts: Facts = NO_FACTS

    def with_hint(self, hint: Hint) -> Diagnostic:
        """Return the finding with another way out, and the change that this one means."""
        meant = hint.word if isinstance(hint, Suggestion) else ""
        edit, facts = _edit_by(hint, self.span), replace(self.facts, meant=meant)
        return replace(self, hint=str(hint), edit=edit, facts=facts)

    def placed(self, span: Span) -> Diagnostic:
        """Return the finding at a place, if it has none of its own."""
        if self.span is not None:
            return self
        meant = self.facts.meant
        return replace(self, span=span).with_hint(Suggestion(meant) if meant else self.hint)

    def to_json(self) -> dict[str, object]:
        """Return the finding as plain data (lines and columns counted from 1)."""
        data: dict[str, object] = {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
        }
        if self.span is not None:
            data |= self.span.to_json()
        if self.expected:
            data["expected"] = list(self.expected)
        if self.edit is not None:
            data["fix"] = {"replacement": self.edit.replacement, **self.edit.span.to_json()}
        if self.related:
            data["related"] = [
                {"message": message, **span.to_json()} for message, span in self.related
            ]
        return data

    def to_text(self) -> str:
        """Return the finding as a person reads it: place, line, caret, sentence, way out.

        Characters that can't be seen are escaped.
        """
        lines = [f"{self.severity}[{self.code}]: {visible_line(self.message)}"]
        if self.span is not None:
            lines += _quote(self.span)
        for message, span in self.related:
            lines.append(f"  note: {visible_line(message)}")
            lines += _quote(span)
        if self.hint:
            rows = visible(self.hint).replace("\n", f"\n{_DEEPER}")
            lines.append(f"  help: {rows}")
        return "\n".join(lines)


def _is_guess(written: str, meant: str) -> bool:
    """Return whether a word that is most like what is written may not be what is meant.

    Words that are less alike than those that are suggested are known to be meant.
    """
    alike = difflib.SequenceMatcher(None, written.lower(), meant.lower()).ratio()
    least = _SURE if written[:1].isupper() == meant[:1].isupper() else 1
    return _SUGGESTED_FROM <= alike < least


_WIDEST_QUOTE = 160
_DEEPER = " " * 8
"""What a hint's further lines begin with, so that none can be taken for a finding."""


def _quote(span: Span) -> list[str]:
    number = span.line
    line = span.source.line(number)
    column = span.column - 1
    gutter = " " * len(str(number))
    if len(line) > _WIDEST_QUOTE:
        cut = max(0, column - _WIDEST_QUOTE // 2)
        line, column = line[cut : cut + _WIDEST_QUOTE], column - cut
    last = column + max(0, min(span.end - span.start, len(line) - column))
    before, marked, after = (
        visible(part.replace("\t", " ")) for part in (line[:column], line[column:last], line[last:])
    )
    return [
        f"{gutter}--> {visible_line(str(span))}",
        f"{gutter} |",
        f"{number} | {before}{marked}{after}",
        f"{gutter} | {' ' * len(before)}{'^' * max(1, len(marked))}",
    ]


class GameError(Exception):
    """A text could not be understood; `diagnostics` says why, ordered by place."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(d.to_text() for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[GameError], tuple[tuple[Diagnostic, ...]]]:
        """Return what it is made of, so that a process can tell it to another."""
        return type(self), (self.diagnostics,)


def refused(code: Code, message: str, hint: Hint = "") -> GameError:
    """Return the error of one thing that is wrong, at no place of a file."""
    return GameError([Diagnostic(code, message).with_hint(hint)])


_MOST_FINDINGS = 1000


_OF_READING = (
    Code.SYNTAX,
    Code.UNKNOWN_CHARACTER,
    Code.INDENTATION,
    Code.EMPTY_TEXT,
    Code.NESTED_TOO_DEEP,
)
"""The codes of what can't be read, whatever else is missing."""
_OF_WORDS = (
    Code.NAME_TAKEN,
    Code.NOT_A_VARIABLE,
    Code.RESERVED_WORD,
    Code.UNKNOWN_NAME,
    Code.WRONG_NUMBER_OF_ARGUMENTS,
    Code.WRONG_TYPE,
)
"""The codes of what is wrong whatever else is missing, but for words that this has made."""


class LeftOut(NamedTuple):
    """A part of a text that can't be read, and where alone it is missing, if that is known."""

    part: Span
    within: Span | None

    def may_cause(self, found: Diagnostic) -> bool:
        """Return whether a finding may come of the part, which may have made a word."""
        if found.code in _OF_READING:
            return False
        if found.severity == "error" and found.code in _OF_WORDS and found.span is not None:
            return not _words(found.span).isdisjoint(_words(self.part))
        return self.within is None or self.within.holds(found.span)


def _words(span: Span) -> set[str]:
    return set(re.findall(r"\w+", span.text))


class Report:
    """Gathers diagnostics, so that one run tells all that is wrong.

    Of very many it keeps the first; who has mended these is told the others.
    """

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._has_failed = False
        self._gaps: list[Diagnostic] = []
        self._left_out: list[LeftOut] = []

    def error(
        self,
        code: Code,
        message: str,
        span: Span | None = None,
        hint: Hint = "",
        related: Iterable[tuple[str, Span]] = (),
        facts: Facts = NO_FACTS,
    ) -> None:
        """Add an error: the text has no meaning until it is mended."""
        found = Diagnostic(code, message, span, "", "error", tuple(related), facts=facts)
        self.add(found.with_hint(hint))

    def warning(
        self,
        code: Code,
        message: str,
        span: Span | None = None,
        hint: Hint = "",
        related: Iterable[tuple[str, Span]] = (),
        facts: Facts = NO_FACTS,
    ) -> None:
        """Add a warning: the text has a meaning, but hardly the one that was meant."""
        found = Diagnostic(code, message, span, "", "warning", tuple(related), facts=facts)
        self.add(found.with_hint(hint))

    def add(self, diagnostic: Diagnostic, *, is_mended: bool = False) -> None:
        """Add a finding; the same one twice counts once.

        With `is_mended`, what it tells of was read as if it were mended. What may come of a part
        that is missing there is left out.
        """
        if any(lost.within is not None and lost.may_cause(diagnostic) for lost in self._left_out):
            return
        is_error = diagnostic.severity == "error"
        if len(self._found) < _MOST_FINDINGS or (is_error and not self._has_failed):
            self._found[diagnostic] = None
        self._has_failed |= is_error
        if is_error and not is_mended:
            self._gaps.append(diagnostic)

    def lose(self, part: Span, within: Span | None = None) -> None:
        """Note a part of the text that is left out of what is read on, as it has an error.

        It is missing nowhere but `within` a stretch of the text, if that is said.
        """
        self._left_out.append(LeftOut(part, within))

    def tell(self, told: Callable[[Diagnostic], Diagnostic]) -> None:
        """Put what is told of a finding in its place, for each of them."""
        self._found = {told(found): None for found in self._found}

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings, ordered by file and place."""
        return tuple(sorted(self._found, key=_order))

    @property
    def failed(self) -> bool:
        """Whether an error is among the findings."""
        return self._has_failed

    @property
    def left_out(self) -> tuple[LeftOut, ...] | None:
        """The parts that were left out; None if an error lies in none of them."""
        parts = [lost.part for lost in self._left_out]
        is_known = all(any(part.holds(found.span) for part in parts) for found in self._gaps)
        return tuple(self._left_out) if is_known else None

    def raise_errors(self) -> None:
        """Raise a `GameError` with all findings if one of them is an error."""
        if self.failed:
            raise GameError(self.diagnostics)


def _order(diagnostic: Diagnostic) -> tuple[str, int, str]:
    span = diagnostic.span
    return (
        ("", -1, diagnostic.code)
        if span is None
        else (
            span.source.name,
            span.start,
            diagnostic.code,
        )
    )


_SUGGESTED_FROM, _SURE = 0.6, 0.8
"""How much alike words are, from 0 to 1, of which one is suggested, and put in place at once."""
_UNITS_A_HINT = 1000
_UNITS_A_CANDIDATE = 50


def first_names(names: Iterable[str], most: int = 12) -> str:
    """Return names with commas between them, of very many the first, and how many more there are.

    >>> first_names("abcd", 2)
    'a, b and 2 more'
    """
    known = list(names)
    more = f" and {len(known) - most} more" if len(known) > most else ""
    return ", ".join(known[:most]) + more


def suggest(name: str, candidates: Iterable[str]) -> Suggestion | None:
    """Return a hint that names the candidate most like `name`, or None.

    In a file in which very many names are wrong, only the first of them get a hint.

    >>> str(suggest("colunm", ["column", "row"]))
    'Did you mean `column`?'
    """
    meter = meter_of_loading()
    if not meter.affords(_UNITS_A_HINT):
        return None
    pool = list(candidates)
    if not meter.affords(_UNITS_A_CANDIDATE * len(pool)):
        return None
    by_lower = {candidate.lower(): candidate for candidate in pool}
    close = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=_SUGGESTED_FROM)
    return Suggestion(by_lower[close[0]]) if close else None


# ------------------------------------------------------------------ what a program gives is wrong


def wanted(given: object, kind: type, what: str) -> None:
    """Refuse what is not of a kind. Raises TypeError, which says `what` is wanted.

    >>> wanted(5, str, "a text")
    Traceback (most recent call last):
        ...
    TypeError: a text is wanted, not 5
    """
    if not isinstance(given, kind):
        raise TypeError(f"{what} is wanted, not {reprlib.repr(given)}")


def whole_number(name: str, given: object, least: int | None = None) -> int:
    """Return a whole number of Python's or of numpy's, told by its `name` where it is none.

    Raises TypeError for what is no whole number, ValueError for one below the least.

    >>> whole_number("threads", 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: threads: 0, and 1 is the least
    """
    try:
        number = index(given)  # type: ignore[arg-type]
    except TypeError:
        message = f"{name}: {reprlib.repr(given)}, and it must be a whole number"
        raise TypeError(message) from None
    if least is not None and number < least:
        raise ValueError(f"{name}: {number}, and {least} is the least")
    return number
