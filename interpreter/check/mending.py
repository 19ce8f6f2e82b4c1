"""Mending a file: texts put in the place of others, where it is sure what is meant.

In: a file and fixes. Out: its new text. What then holds: no two changes touch one place, and
nothing is changed in another file, such as one that this one extends.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.diagnostic import Fix
from gdl.document import read_source


def with_fixes(file: str, fixes: Sequence[Fix]) -> tuple[str, int]:
    """Return the text of a file with fixes, and how many were made. Raises GameError."""
    source = read_source(file)
    text, made, begin = source.text, 0, len(source.text)
    here = {fix.span.start: fix for fix in fixes if fix.span.source == source}
    for start in sorted(here, reverse=True):
        fix = here[start]
        if fix.span.end <= begin and fix.span.text != fix.text:
            text = text[:start] + fix.text + text[fix.span.end :]
            begin, made = start, made + 1
    return text, made
