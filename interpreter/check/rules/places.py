"""Places in a file, and warnings and notes at them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game


def warning(
    code: str,
    message: str,
    span: Span | None,
    hint: str,
    related: Iterable[tuple[str, Span]] = (),
) -> Diagnostic:
    """Return what is hardly meant."""
    return Diagnostic(code, message, span, hint, "warning", tuple(related))


def note(
    code: str,
    message: str,
    span: Span | None,
    hint: str,
    related: Iterable[tuple[str, Span]] = (),
) -> Diagnostic:
    """Return what may be meant, and is worth a look."""
    return Diagnostic(code, message, span, hint, "note", tuple(related))


def key_span(game: Game, *keys: str) -> Span | None:
    """Return where the first of some keys stands that the file has."""
    for key in keys:
        entry = game.document.entry(key)
        if entry is not None:
            return entry[0].span
    return None


def word_span(game: Game, key: str, word: str) -> Span | None:
    """Return where a word stands in the value of a key, else that of the key."""
    entry = game.document.entry(key)
    if entry is None:
        return None
    whole = entry[1].span
    found = re.search(rf"\b{re.escape(word)}\b", whole.text)
    if found is None:
        return entry[0].span
    return Span(whole.source, whole.start + found.start(), whole.start + found.end())
