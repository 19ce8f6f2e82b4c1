"""Parts of programs that are the same but for the names of their variables.

In: two expressions, or blocks, or tuples of such. Out: whether they mean the same. What then holds:
where turns of two sides do, one code serves both; where keys of two memories do, one is kept.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, is_dataclass
from functools import cache

from gdl.core.memo import PairMemo
from gdl.core.nodes import Slot


def equal_up_to_names(a: object, b: object, fixed: Collection[Slot]) -> bool:
    """Return whether two parts differ in nothing but the names of slots that are not `fixed`."""
    return _Pairing(fixed).matches(a, b)


def are_of_one_kind(a: Slot, b: Slot) -> bool:
    """Return whether one slot may stand for another: whether they may hold the same."""
    return (a.type, a.per_site, a.low, a.high) == (b.type, b.per_site, b.low, b.high)


@cache
def _compared(of: type) -> tuple[str, ...] | None:
    """Return the names of a dataclass's fields by which it is compared; None if it is none."""
    if not is_dataclass(of):
        return None
    return tuple(field.name for field in fields(of) if field.compare and field.init)


class _Pairing:
    """Slots of one part, each with the one that it stands for in the other."""

    def __init__(self, fixed: Collection[Slot]) -> None:
        self._there = {slot: slot for slot in fixed}
        self._back = dict(self._there)
        self._same = PairMemo[object, object, bool]()

    def matches(self, a: object, b: object) -> bool:
        """Return whether two parts are the same, and pair their slots."""
        if isinstance(a, Slot) or isinstance(b, Slot):
            return isinstance(a, Slot) and isinstance(b, Slot) and self._pairs(a, b)
        if isinstance(a, tuple) and isinstance(b, tuple):
            return len(a) == len(b) and self._match_all(a, b)
        if type(a) is not type(b):
            return False
        kind: type = type(a)
        names = _compared(kind)
        if names is None:
            return a is b or a == b
        if self._same.get(a, b):
            return True
        # Slots once paired stay so: what was the same is the same wherever it stands again.
        is_same = all(self.matches(getattr(a, name), getattr(b, name)) for name in names)
        return self._same.keep(a, b, is_same)

    def _match_all(self, a: tuple[object, ...], b: tuple[object, ...]) -> bool:
        if all(isinstance(item, int) for item in a):
            return a == b
        return all(self.matches(one, other) for one, other in zip(a, b, strict=True))

    def _pairs(self, a: Slot, b: Slot) -> bool:
        if not are_of_one_kind(a, b):
            return False
        return self._there.setdefault(a, b) is b and self._back.setdefault(b, a) is a
