"""Numbers of two sites, such as how far apart they are, and the pairs of sites that share them.

In: expressions over two slots. Out: `PairNumber`s, made of a number of each site; and pairs,
grouped by the values of some. What then holds: a condition on these numbers alone has one truth
for each group, however many pairs are in it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gdl.core.columns import column
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import Expression, Op, Slot
from gdl.core.operations import OPERATIONS, Overflow
from gdl.core.walk import slots_in

Pair = tuple[int, int]
Groups = dict[tuple[object, ...], "array[int]"]
"""Pairs by the values of some numbers. A pair (a, b) is kept as a · size + b."""


class PairNumber(NamedTuple):
    """An operation on a number of the one site and a number of the other, by their indices.

    `operation` takes the first site's number as its left argument, unless it is `turned`. A
    number of one site alone is the sum of it and 0.
    """

    operation: str
    of_first: tuple[Any, ...]
    of_second: tuple[Any, ...]
    turned: bool = False


def pair_number(node: Expression, first: Slot, second: Slot, size: int) -> PairNumber | None:
    """Return the number that an expression gives for the sites in two slots, or None.

    None if it is no number, no operation on two values that depend on one site each, or if one
    of these values is too large.
    """
    if not node.type.is_numeric:
        return None
    try:
        if node.free == {first}:
            return PairNumber("add", values(node, first, size), (0,) * size)
        if node.free == {second}:
            return PairNumber("add", (0,) * size, values(node, second, size))
        if not isinstance(node, Op) or node.name not in OPERATIONS or len(node.arguments) != 2:
            return None
        left, right = node.arguments
        if left.free == {first} and right.free == {second}:
            return PairNumber(node.name, values(left, first, size), values(right, second, size))
        if left.free == {second} and right.free == {first}:
            of_first, of_second = values(right, first, size), values(left, second, size)
            return PairNumber(node.name, of_first, of_second, turned=True)
    except Overflow:
        pass
    return None


def values(number: Expression, slot: Slot, size: int) -> tuple[Any, ...]:
    """Return the value of an expression for each single site in a slot."""
    known = column(number, slot, range(size))
    if known is not None:
        return tuple(known)
    places = {slot: 0}
    for inner in slots_in(number) - {slot}:
        places[inner] = len(places)
    frame: list[Any] = [None] * len(places)
    value = ExpressionEvaluator(places).function(number)
    found = []
    for index in range(size):
        frame[0] = 1 << index
        found.append(value(frame))
    return tuple(found)


def grouped(
    candidates: Iterable[tuple[int, Sequence[int]]], numbers: Sequence[PairNumber], size: int
) -> Groups:
    """Return pairs by the values of the numbers; `candidates` has the partners of first sites."""
    rows = [_Rows(number) for number in numbers]
    groups: Groups = {}
    for a, others in candidates:
        start = a * size
        keys = zip(*(row.at(a, others) for row in rows), strict=True)
        for b, key in zip(others, keys, strict=True):
            group = groups.get(key)
            if group is None:
                group = groups[key] = array("q")
            group.append(start + b)
    return groups


def pairs_in(groups: Groups, size: int, holds: Callable[[list[object]], object]) -> Iterator[Pair]:
    """Yield the pairs of the groups for whose values a condition holds."""
    for key, group in groups.items():
        if holds(list(key)):
            for place in group:
                yield divmod(place, size)


class _Rows:
    """The values of a number, remembered by the numbers of the sites."""

    def __init__(self, number: PairNumber) -> None:
        self._number = number
        self._rows: dict[object, _Row] = {}

    def at(self, a: int, others: Sequence[int]) -> list[object]:
        """Return the values for a first site and each of its partners."""
        of_first, of_second = self._number.of_first[a], self._number.of_second
        row = self._rows.get(of_first)
        if row is None:
            row = self._rows[of_first] = _Row(self._number, of_first)
        return [row[of_second[b]] for b in others]


class _Row(dict[Any, Any]):
    """The values of a number by that of the second site, for one number of the first."""

    def __init__(self, number: PairNumber, of_first: object) -> None:
        self._apply = OPERATIONS[number.operation]
        self._turned = number.turned
        self._of_first = of_first

    def __missing__(self, of_second: object) -> object:
        pair = (of_second, self._of_first) if self._turned else (self._of_first, of_second)
        value = self[of_second] = self._apply(*pair)
        return value
