"""The ways of writing machine code that may be left out, by name.

In: names. Out: those that are known. What then holds: a choice changes how fast code is, never
what it does, so that any of them may be switched off, to measure it or to look for a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

DOUBLING = "doubling"
RAYS = "rays"
CONNECTIONS = "connections"
TREES = "trees"
ROWS = "rows"
HARMLESS = "harmless-moves"

CHOICES: Mapping[str, str] = MappingProxyType(
    {
        DOUBLING: "A flood in one direction goes 1, 2, 4, … steps at once, without a loop.",
        RAYS: "A run from one site is cut out of a table of rays.",
        CONNECTIONS: "Whether sets are joined is kept, and tested from the newest site alone.",
        TREES: "On larger boards, groups that only grow are kept as trees.",
        HARMLESS: "Moves that can't break what is required are counted without being made.",
        ROWS: "Whether a row is full is kept, and tested by the lines through the newest site.",
    }
)
"""What each choice does, by its name."""


def chosen(names: Iterable[str] | None) -> frozenset[str]:
    """Return the choices among names (None: all)."""
    return frozenset(CHOICES if names is None else set(names) & set(CHOICES))


def core_passes(names: Iterable[str] | None) -> frozenset[str] | None:
    """Return the names that are no choices: those of passes over the core (None: all)."""
    return None if names is None else frozenset(names) - set(CHOICES)
