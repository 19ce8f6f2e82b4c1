"""Checking game files, in layers: the text, the rules as they are written, the first moves.

In: a game's name or path. Out: findings. To add a layer, write its module and add it to `LAYERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gdl.shared_work import work_shared
from interpreter.check.finding import Finding
from interpreter.check.first_moves import check_first_moves
from interpreter.check.leaks import check_leaks
from interpreter.check.rules import check_rules
from interpreter.check.subject import Subject
from interpreter.check.text import check_text

__all__ = ["Finding", "check_game"]

LAYERS: Sequence[Callable[[Subject], Iterator[Finding]]] = (
    check_text,
    check_rules,
    check_first_moves,
    check_leaks,
)


def check_game(name: str) -> tuple[Finding, ...]:
    """Return what is found; a layer is looked at only if those before it found no error."""
    found: list[Finding] = []
    subject = Subject(name)
    with work_shared():
        for layer in LAYERS:
            found += layer(subject)
            if any(finding.diagnostic.severity == "error" for finding in found):
                break
    return tuple(found)
