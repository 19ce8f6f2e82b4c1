"""The first layer of checking: can the text be understood, with each variant as well?

In: a file. Out: the diagnostics of loading it, and those that only a variant brings up.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError
from gdl.interpreter.check.finding import Finding
from gdl.interpreter.check.subject import Subject


def check_text(subject: Subject) -> Iterator[Finding]:
    """Yield what is found in the game itself, then what each variant alone adds to it."""
    try:
        found = subject.diagnostics()
    except GameError as error:
        yield from map(Finding, error.diagnostics)
        return
    yield from map(Finding, subject.accepted.unknown())
    for diagnostic in found:
        if diagnostic.code != Code.UNUSED or _is_unused(diagnostic, subject):
            yield Finding(diagnostic)
    known = set(found)
    for variant in subject.variants:
        for diagnostic in subject.diagnostics(variant):
            if diagnostic.code != Code.UNUSED and diagnostic not in known:
                known.add(diagnostic)
                yield Finding(diagnostic, variant)


def _is_unused(found: Diagnostic, subject: Subject) -> bool:
    """Return whether it stands in this file, not in one that is extended, and is never used."""
    return subject.stands_here(found) and all(
        found in subject.diagnostics(variant) for variant in subject.variants
    )
