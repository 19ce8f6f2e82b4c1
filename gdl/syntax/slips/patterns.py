"""Slips: what a slip of the pen is, and how one is told of.

In: patterns of texts that authors write in the manner of other languages, or of plain English.
Out: for a text, what it may mean, in the spelling of this language, and why. What then holds:
nothing: whether a text that is proposed can be read is for the parser to find out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

WORD = r"[A-Za-z_]\w*"
"""The pattern of a name."""

Rewrite = str | Callable[[re.Match[str]], str]


class Slip(NamedTuple):
    """A pattern; what is meant by what it matches (nothing known: ""); and a sentence why.

    In the sentence, `{}` is what is meant; if there is none, `Write …` follows the sentence.
    """

    pattern: re.Pattern[str]
    meant: Rewrite = ""
    why: str = ""


class Proposal(NamedTuple):
    """A text that may be meant, and the hint that says so; no text if the hint has none."""

    text: str
    hint: str


def slip(pattern: str, meant: Rewrite = "", why: str = "") -> Slip:
    """Return a slip; a blank in the pattern stands for one or more blanks, ` ?` for any number."""
    spaced = re.sub(r" \??", lambda blank: r"[ \t]" + "+*"[len(blank[0]) - 1], pattern)
    return Slip(re.compile(spaced), meant, why)


def proposal(found: re.Match[str], known: Slip, text: str) -> Proposal:
    """Return what a slip says of what its pattern has found, where `text` is meant."""
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r"\b[Tt]rue\b", "yes", re.sub(r"\b[Ff]alse\b", "no", text))
    why = found.expand(known.why).replace("{}", f"`{text}`")
    if not text or "{}" in known.why:
        return Proposal(text, why)
    return Proposal(text, f"{why} Write `{text}`.".lstrip())


def whole(text: str, slips: tuple[Slip, ...]) -> Iterator[Proposal]:
    """Yield what is proposed by slips that are the whole text."""
    for known in slips:
        found = known.pattern.fullmatch(text)
        if found is not None:
            yield proposal(found, known, _meant(found, known))


def within(text: str, slips: tuple[Slip, ...]) -> Iterator[Proposal]:
    """Yield what is proposed by slips that are parts of the text: each alone, then more and more.

    The hint of several at once is that of the first of them.
    """
    for known in slips:
        found = known.pattern.search(text)
        if found is not None:
            yield proposal(found, known, _mended(text, known))
    first: tuple[re.Match[str], Slip] | None = None
    for known in slips:
        found = known.pattern.search(text)
        if found is not None:
            text = _mended(text, known)
            if first is not None:
                yield proposal(*first, text)
            first = first or (found, known)


def _mended(text: str, known: Slip) -> str:
    def meant(found: re.Match[str]) -> str:
        return _meant(found, known)

    return known.pattern.sub(meant, text).strip()


def _meant(found: re.Match[str], known: Slip) -> str:
    return known.meant(found) if callable(known.meant) else found.expand(known.meant)
