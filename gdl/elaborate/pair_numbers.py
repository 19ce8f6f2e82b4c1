"""Numbers of two sites, such as how far apart they are, and the pairs of sites that share them.

In: expressions over two slots. Out: `PairNumber`s, made of a number of each site; and pairs,
grouped by the values of some. What then holds: a condition on these numbers alone has one truth
for each group, however many pairs are in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple

from gdl.core.columns import column
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import Expression, Op, Slot
from gdl.core.operations import OPERATIONS, Overflow
from gdl.core.walk import slots_in

Pair = tuple[int, int]


class PairNumber(NamedTuple):
    """An operation on a number of the one site and a number of the other, by their indices.

    `operation` takes the first site's number as its left argument, unless it is `turned`. A
    number of one site alone is the sum of it and 0.
    """

    operation: str
    of_first: tuple[Any, ...]
    of_second: tuple[Any, ...]
    turned: bool = False


class Groups(NamedTuple):
    """Pairs by the values of some numbers.

    `values` has those of each group; `partners` each first site, its partners, and the group of
    the pair that it is with each of them.
    """

    values: tuple[tuple[object, ...], ...]
    partners: list[tuple[int, Sequence[int], list[int]]]


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
    rows = [_Rows(number, size) for number in numbers]
    group_of = _Numbering()
    partners: list[tuple[int, Sequence[int], list[int]]] = []
    for a, others in candidates:
        keys = zip(*(row.at(a, others) for row in rows), strict=True)
        partners.append((a, others, list(map(group_of.__getitem__, keys))))
    return Groups(tuple(group_of), partners)


def pairs_in(groups: Groups, holds: Callable[[list[object]], object]) -> Iterator[Pair]:
    """Yield the pairs of the groups for whose values a condition holds."""
    truths = [holds(list(values)) for values in groups.values]
    for a, others, numbers in groups.partners:
        for b in compress(others, map(truths.__getitem__, numbers)):
            yield a, b


class _Numbering(dict[tuple[object, ...], int]):
    """Numbers of what is asked for, in the order in which it is first asked for."""

    def __missing__(self, values: tuple[object, ...]) -> int:
        number = self[values] = len(self)
        return number


class _Rows:
    """The values of a number, remembered by the numbers of the sites."""

    def __init__(self, number: PairNumber, size: int) -> None:
        self._number = number
        self._size = size
        self._rows: dict[object, _Row] = {}
        self._whole: dict[object, list[object]] = {}

    def at(self, a: int, others: Sequence[int]) -> list[object]:
        """Return the values for a first site and each of its partners, in ascending order."""
        of_first, of_second = self._number.of_first[a], self._number.of_second
        row = self._rows.get(of_first)
        if row is None:
            row = self._rows[of_first] = _Row(self._number, of_first)
        if len(others) < self._size:
            return [row[of_second[b]] for b in others]
        whole = self._whole.get(of_first)
        if whole is None:
            whole = self._whole[of_first] = [row[value] for value in of_second]
        return whole


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
