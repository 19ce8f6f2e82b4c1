"""What is known after a statement that goes on in several ways: words that all of them make.

In: the blocks of an `either` or `if`, and what follows it. Out: a slot for each word that every
block makes and that is used afterwards; each block ends by filling it. What then holds: a
direction, side, kind or name is one of those that some block makes it, as far as that is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from gdl.core import nodes
from gdl.core.nodes import Expression, Get, Slot, Statement
from gdl.core.rebuild import with_blocks
from gdl.data_classes import dataclass
from gdl.diagnostic import Source, Span
from gdl.elaborate import coerce, directions
from gdl.elaborate.scope import Scope, problem
from gdl.elaborate.standing import possible
from gdl.elaborate.values import describe
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import is_assigned, names_made, names_used


@dataclass
class KnownAfter:
    """The words that blocks make for what follows, and the slots that are to hold their values."""

    words: tuple[str, ...]
    following: Sequence[t.Statement]
    span: Span
    slots: dict[str, Slot] = field(default_factory=dict)
    ways: dict[str, frozenset[str]] = field(default_factory=dict)
    """What a word may be, if it is a direction, side, kind or name: each by its name."""

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
        if value is not None and directions.is_direction(value):
            self._may_be(word, directions.names_of(value))
            every = directions.direction_type(scope.declarations.board)
            return coerce.to_type(value, every, self.span, scope)
        if isinstance(value, Expression):
            self._may_be(word, _names(value, scope))
            return value
        what = "nothing" if value is None else describe(value)
        raise problem(
            "wrong-type",
            f"`{word}` is {what} here, which is not kept.",
            self.span,
            "Use it within each of the ways.",
        )

    def _may_be(self, word: str, names: frozenset[str]) -> None:
        self.ways[word] = self.ways.get(word, frozenset()) | names

    def narrowed(self, block: Sequence[Statement]) -> list[Statement]:
        """Return the statements of all ways, in which words are among those values that come."""
        narrow: dict[Slot, Slot] = {}
        for word, names in self.ways.items():
            wide = self.slots[word]
            values = wide.type.values
            if names.issuperset(values) or is_assigned(word, self.following):
                continue
            if wide.type.name == "direction":
                among = tuple(name for name in values if name in names)
                slot = Slot(word, replace(wide.type, values=among), span=self.span)
            else:
                places = frozenset(place for place, name in enumerate(values) if name in names)
                slot = Slot(word, wide.type, span=self.span, among=places)
            self.slots[word] = narrow[wide] = slot
        return list(_refilled(tuple(block), narrow)) if narrow else list(block)

    def scope(self, scope: Scope) -> Scope:
        """Return the scope of what follows."""
        for word, slot in self.slots.items():
            scope = scope.bind(word, Get(slot))
        return scope


def _names(value: Expression, scope: Scope) -> frozenset[str]:
    places, values = possible(value, scope), value.type.values
    return frozenset(values if places is None else (values[place] for place in places))


def _refilled(block: nodes.Block, narrow: Mapping[Slot, Slot]) -> nodes.Block:
    """Return a block that fills other slots, with directions of their types."""
    made: list[Statement] = []
    for statement in block:
        slot = narrow.get(statement.slot) if isinstance(statement, nodes.Assign) else None
        if isinstance(statement, nodes.Assign) and slot is not None:
            value = directions.as_value(statement.value, slot.type) or statement.value
            made.append(nodes.Assign(statement.span, slot, value))
        else:
            made.append(with_blocks(statement, lambda inner: _refilled(inner, narrow)))
    return tuple(made)


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
