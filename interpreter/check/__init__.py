"""Checking game files, in layers. There is one so far, the text: can it be understood?

In: a game's name or path. Out: findings. To add a layer, write its module and add it to `LAYERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from interpreter.check.finding import Finding
from interpreter.check.text import check_text

__all__ = ["Finding", "check_game"]

LAYERS: Sequence[Callable[[str], Iterator[Finding]]] = (check_text,)


def check_game(name: str) -> tuple[Finding, ...]:
    """Return what is found; a layer is looked at only if those before it found no error."""
    found: list[Finding] = []
    for layer in LAYERS:
        found += layer(name)
        if any(finding.diagnostic.severity == "error" for finding in found):
            break
    return tuple(found)
