"""A digest of a program: of what a game's text comes to, not of how it is put.

In: a program as it was elaborated, and the names of its board. Out: a few bytes. What then holds:
they are those of another program only if both have the same rules, sites and sides. What variables
are called, remarks, pictures, and how a word of the prelude is written change nothing in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from hashlib import blake2b
from typing import Any

from gdl.board.relation import Relation
from gdl.core.memo import Memo
from gdl.core.nodes import ExpressionNode, Program, Slot

_BYTES = 8
_NOT_RULES = frozenset({"reads"})
"""What is kept with a part because it is asked for often, and follows from the others."""


def program_digest(program: Program, sites: tuple[str, ...], sides: tuple[str, ...]) -> str:
    """Return what tells a program, on sites and for sides of these names, from others."""
    return _Digester().of((sites, sides, program)).hex()


class _Digester:
    """Digests of the parts of one program, each worked out of those of its own parts.

    A variable that stands for something within one expression is told by how deep it is bound, any
    other one of a turn by when it is met, one of a position by its name.
    """

    def __init__(self) -> None:
        self._known = Memo[object, bytes]()
        self._heights = Memo[ExpressionNode, int]()
        self._bound: dict[Slot, tuple[int, int]] = {}
        self._local: dict[Slot, int] = {}

    def of(self, part: Any) -> bytes:
        """Return the digest of any part: of an expression, a statement, a tuple, a value."""
        if isinstance(part, Slot):
            return self._of_slot(part)
        known = self._known.get(part)
        if known is None:
            if isinstance(part, ExpressionNode):
                self._height(part)
            known = self._known.keep(part, self._worked_out(part))
        return known

    def _worked_out(self, part: Any) -> bytes:
        if isinstance(part, Relation):
            return _digest(b"relation", repr((part.size, part.offset_classes)).encode())
        if is_dataclass(part):
            return _digest(type(part).__name__.encode(), *self._of_fields(part))
        if isinstance(part, tuple) and any(map(_has_parts, part)):
            return _digest(b"several", *map(self.of, part))
        return _digest(b"value", repr(part).encode())

    def _of_fields(self, part: Any) -> Iterator[bytes]:
        """Yield what is said of a part: nothing of what is as usual, so more can be added."""
        for field in fields(part):
            value = getattr(part, field.name)
            is_said = field.compare and field.init and field.name not in _NOT_RULES
            if is_said and (field.default is MISSING or value != field.default):
                yield field.name.encode()
                yield self.of(value)

    def _of_slot(self, slot: Slot) -> bytes:
        what: object = slot.name
        if slot in self._bound:
            what = self._bound[slot]
        elif not slot.is_state:
            what = self._local.setdefault(slot, len(self._local))
        told = (what, slot.type.name, slot.type.values, slot.per_site, slot.low, slot.high)
        return _digest(b"slot", repr(told).encode())

    def _height(self, node: ExpressionNode) -> int:
        """Return how many binders stand in one another in an expression, and note their slots."""
        known = self._heights.get(node)
        if known is None:
            known = max(map(self._height, node.parts()), default=0)
            if node.binds():
                known += 1
                for place, slot in enumerate(node.binds()):
                    self._bound[slot] = known, place
            self._heights.keep(node, known)
        return known


def _has_parts(item: object) -> bool:
    return isinstance(item, tuple) or is_dataclass(item)


def _digest(*parts: bytes) -> bytes:
    found = blake2b(digest_size=_BYTES)
    for part in parts:
        found.update(len(part).to_bytes(4, "little") + part)
    return found.digest()
