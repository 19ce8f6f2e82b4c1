"""What is known after a statement that goes on in several ways: words that all of them make.

In: the blocks of an `either` or `if`, and what follows it. Out: a slot for each word that every
block makes and that is used afterwards; each block ends by filling it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gdl.core import nodes
from gdl.core.nodes import Expression, Get, Slot, Statement
from gdl.diagnostic import Source, Span
from gdl.elaborate import coerce, directions
from gdl.elaborate.scope import Scope, problem
from gdl.elaborate.values import RelationValue, describe
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import names_made, names_used


@dataclass
class KnownAfter:
    """The words that blocks make for what follows, and the slots that are to hold their values."""

    words: tuple[str, ...]
    following: Sequence[t.Statement]
    span: Span
    slots: dict[str, Slot] = field(default_factory=dict)

    def filled(self, scope: Scope) -> list[Statement]:
        """Return what fills the slots at the end of a block. Raises Problem or Silent."""
        made: list[Statement] = []
        for word in self.words:
            value = self._value(word, scope)
            slot = self.slots.setdefault(word, Slot(word, value.type, span=self.span))
            if slot.type != value.type:
                raise problem(
                    "wrong-type",
                    f"`{word}` is {slot.type} in one of the ways and {value.type} in another.",
                    self.span,
                    "What all ways make has one type, or else a name of its own in each.",
                )
            made.append(nodes.Assign(self.span, slot, value))
        return made

    def _value(self, word: str, scope: Scope) -> Expression:
        value = scope.local(word)
        if isinstance(value, RelationValue) and value.name:
            every = directions.direction_type(scope.declarations.board)
            return coerce.to_type(value, every, self.span, scope)
        if isinstance(value, Expression):
            return value
        what = "nothing" if value is None else describe(value)
        raise problem(
            "wrong-type",
            f"`{word}` is {what} here, which is not kept.",
            self.span,
            "Use it within each of the ways.",
        )

    def scope(self, scope: Scope) -> Scope:
        """Return the scope of what follows."""
        for word, slot in self.slots.items():
            scope = scope.bind(word, Get(slot))
        return scope


NOTHING_KNOWN = KnownAfter((), (), Span(Source("", ""), 0, 0))
"""What is known after a block that makes no words for what follows."""


def known_after(
    blocks: Sequence[t.Block], following: Sequence[t.Statement], span: Span
) -> KnownAfter:
    """Return what is known after blocks, of which one is gone through."""
    made = [names_made(block) for block in blocks]
    common = [name for name in made[0] if all(name in names for names in made[1:])]
    words = tuple(name for name in common if name in names_used(following)) if common else ()
    return KnownAfter(words, following, span)
