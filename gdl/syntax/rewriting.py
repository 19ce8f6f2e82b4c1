"""Rewriting: what a text that can't be read most likely means, in the spelling of the language.

In: the text up to where it can't be read, and a function that tells how far a text can be read.
Out: a hint that quotes what the author has written as it should be, or nothing. What then holds:
what is quoted as meant, put in place, can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gdl.diagnostic import Span
from gdl.syntax.advice import Meant
from gdl.syntax.slips.expressions import CHOICES, EXPRESSIONS
from gdl.syntax.slips.patterns import Proposal, Slip, whole, within
from gdl.syntax.slips.sections import SECTIONS
from gdl.syntax.slips.sentences import said
from gdl.syntax.slips.statements import LATER_STATEMENTS, STATEMENTS
from gdl.syntax.slips.verbs import VERBS

Reads = Callable[[Span, str], bool]
"""Whether a text can be read if a part of it, the span, is replaced by another text."""

_LONGEST = 160
"""How long a statement, or another text, may be for which something is proposed."""
_MOST_TRIED = 30
_TURN = VERBS + STATEMENTS + CHOICES


def meant(text: Span, place: int, entry: str, reads: Reads, begins: bool = False) -> Meant:
    """Return what the part of `text` around `place` means, if that is known.

    `begins` is whether a statement could begin at the place.
    """
    tried = 0
    for part in _parts(text, place, entry, begins):
        if not 0 < len(part.text) <= _LONGEST:
            continue
        if sentence := said(part.text):
            return Meant(sentence)
        plain = ""
        for found in _proposals(part.text, entry):
            if found.text == part.text:
                continue
            if not found.text:
                plain = plain or found.hint
                continue
            tried += 1
            if tried > _MOST_TRIED:
                return Meant()
            if "\n" not in found.text and reads(part, found.text):
                return Meant(found.hint, _wrong_word(part, found.text))
        if plain:
            return Meant(plain)
    return Meant()


def _wrong_word(part: Span, text: str) -> Span | None:
    """Return the word of a part in whose place `text` has another one, if all else is the same."""
    words = list(re.finditer(r"\w+|[^\w\s]", part.text))
    others = re.findall(r"\w+|[^\w\s]", text)
    if len(words) != len(others):
        return None
    wrong = [word for word, other in zip(words, others, strict=True) if word[0] != other]
    if len(wrong) != 1 or not wrong[0][0].isalpha():
        return None
    return Span(part.source, part.start + wrong[0].start(), part.start + wrong[0].end())


def _parts(text: Span, place: int, entry: str, begins: bool) -> Iterator[Span]:
    """Yield what may be meant otherwise: a statement, what follows in its line, or the text."""
    if entry != "program":
        yield _stripped(Span(text.source, text.start, text.end))
        return
    whole_text = text.source.text
    start = max(whole_text.rfind("\n", text.start, place) + 1, text.start)
    end = whole_text.find("\n", place, text.end)
    line = Span(text.source, start, text.end if end < 0 else end)
    yield _stripped(line)
    borders = [part.start() for part in re.finditer(";", line.text)]
    before = max((line.start + at + 1 for at in borders if line.start + at < place), default=start)
    after = min((line.start + at for at in borders if line.start + at >= place), default=line.end)
    if borders:
        yield _stripped(Span(text.source, before, after))
    if begins and start < place:
        yield _stripped(Span(text.source, place, line.end))


def _stripped(part: Span) -> Span:
    """Return a part without the blanks around it, and the comment behind it."""
    text = part.text
    if "\n" not in text.strip():
        text = re.split(r"(?:^|(?<=\s))#", text, maxsplit=1)[0]
    start = part.start + len(text) - len(text.lstrip())
    return Span(part.source, start, max(start, part.start + len(text.rstrip())))


_ON_CONDITION = re.compile(r"((?:else )?if\s.+?)(?:,?\sthen\b|[:,])\s*(\w.*)")
"""What is done on a condition in the same line, behind a sign or a word that is none here."""


def _of_line(text: str, slips: tuple[Slip, ...]) -> Iterator[Proposal]:
    """Yield what is proposed for a whole line, also by what it does on a condition."""
    yield from whole(text, slips)
    asked = _ON_CONDITION.fullmatch(text) if slips is _TURN else None
    if asked is not None:
        for found in whole(asked[2], slips):
            if found.text:
                line = f"{asked[1]} {found.text}"
                why = "What is done on a condition stands behind it, without a sign."
                yield Proposal(line, f"{why} Write `{line}`.")


def _proposals(text: str, entry: str) -> Iterator[Proposal]:
    slips = _TURN if entry == "program" else SECTIONS.get(entry, ())
    if entry == "program" and (ended := text.rstrip("; \t")) != text:
        yield Proposal(ended, f"No `;` ends a line. Write `{ended}`.")
        text = ended
    yield from _of_line(text, slips)
    if entry in ("state_head", "head"):
        return
    for found in within(text, EXPRESSIONS):
        yield found
        yield from _of_line(found.text, slips)
    if entry == "program":
        yield from whole(text, LATER_STATEMENTS)
