"""Phrases: nouns, traits, ways, numbers and conditions, each of which may stand within the others.

In: nodes of the syntax in their settings. Out: English. What then holds: how deep parts stand
within each other is bounded, as that of the file's own texts is.
"""

from __future__ import annotations

from gdl.interpreter.english import Noun, Trait
from gdl.interpreter.words import conditions, numbers, relations, sets, traits
from gdl.interpreter.words.context import Context, Way
from gdl.syntax import tree as t


class Phrases:
    """Says what stands within a phrase."""

    def noun(self, node: t.Expression, at: Context) -> Noun:
        """Return what a set is called."""
        return at.nouns.of(node, lambda node: sets.noun(node, at, self))

    def trait(self, node: t.Expression, at: Context, *, of_piece: bool = False) -> Trait:
        """Return what a thing is that is in a set."""
        return traits.trait(node, at, self, of_piece)

    def way(self, node: t.Expression, at: Context) -> Way:
        """Return how a relation is called."""
        return relations.way(node, at, self)

    def number(self, node: t.Expression, at: Context) -> str:
        """Return a number in words."""
        return numbers.number(node, at, self)

    def thing(self, node: t.Expression, at: Context) -> str:
        """Return a value of any type in words."""
        return numbers.thing(node, at, self)

    def holds(self, node: t.Expression, at: Context, *, is_so: bool = True) -> str:
        """Return what is true if a condition holds, or, if not `is_so`, if it does not."""
        return conditions.holds(node, at, self, is_so)
