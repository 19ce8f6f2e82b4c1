"""Relations between the sites of a board, and sets of sites as bit sets.

In: pairs of site indices, or the successors of each site. Out: immutable `Relation`s with the
algebra of relations and a fast image. What then holds: a set of sites is an `int` whose bit
i stands for the site with index i, and two relations are equal when they hold the same pairs.

A relation is kept as its *offset classes*: for each difference between the indices of two
related sites, the set of sites from which that difference leads to a related one. Over a
lattice a direction has one class, or a few, so that its image is a few masks and shifts. Any
other relation has classes too, only more of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

OffsetClass = tuple[int, int]

_LARGEST_TABLE = 1024
_FEW_CLASSES = 12
_SPARSE = 16
_DIGITS = bytes.maketrans(b"01", b"\0\1")


def bits(sites: int) -> Iterator[int]:
    """Yield the indices in the set `sites`, ascending.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    digits = bin(sites)[:1:-1]
    index = digits.find("1")
    while index >= 0:
        yield index
        index = digits.find("1", index + 1)


def listed(sites: int) -> list[int]:
    """Return the indices in the set `sites`, ascending: soon where they are a large part of all.

    >>> listed(0b10110)
    [1, 2, 4]
    """
    return list(
        itertools.compress(itertools.count(), bin(sites)[:1:-1].encode().translate(_DIGITS))
    )


def site_set(indices: Iterable[int]) -> int:
    """Return the set that holds just the sites with these indices.

    >>> site_set([4, 1, 2]) == 0b10110
    True
    """
    listed = list(indices)
    if not listed:
        return 0
    packed = bytearray((max(listed) >> 3) + 1)
    for index in listed:
        packed[index >> 3] |= 1 << (index & 7)
    return int.from_bytes(packed, "little")


class Relation:
    """A static binary relation over the sites 0 … `size` - 1; immutable and hashable."""

    __slots__ = ("_classes", "_down", "_successors", "_table_below", "_until_table", "_up", "size")

    def __init__(self, size: int, successors: Sequence[int]) -> None:
        """Make the relation in which site i is related to the sites in `successors[i]`.

        Raises `ValueError` unless there are `size` sets of sites 0 … `size` - 1.
        """
        if len(successors) != size or any(s < 0 or s >> size for s in successors):
            raise ValueError(f"expected {size} sets of sites 0 to {size - 1}")
        self._initialize(size, None, tuple(successors))

    def _initialize(
        self, size: int, classes: tuple[OffsetClass, ...] | None, successors: tuple[int, ...] | None
    ) -> None:
        self.size = size
        self._classes = classes
        self._successors = successors
        self._up: tuple[OffsetClass, ...] | None = None
        self._down: tuple[OffsetClass, ...] = ()
        self._table_below = 0
        self._until_table = 0

    @classmethod
    def _from_masks(cls, size: int, masks: dict[int, int]) -> Relation:
        """Make a relation from its sets by shift; all targets must lie on the board."""
        relation = cls.__new__(cls)
        classes = tuple((masks[shift], shift) for shift in sorted(masks) if masks[shift])
        relation._initialize(size, classes, None)
        return relation

    @classmethod
    def from_pairs(cls, size: int, pairs: Iterable[tuple[int, int]]) -> Relation:
        """Make the relation that holds just these pairs (a pair given twice counts once).

        Raises `ValueError` for an index outside 0 … `size` - 1.
        """
        sources: dict[int, list[int]] = {}
        for source, target in pairs:
            if not (0 <= source < size and 0 <= target < size):
                raise ValueError(f"({source}, {target}) is not a pair of sites 0 to {size - 1}")
            sources.setdefault(target - source, []).append(source)
        return cls._from_masks(size, {shift: site_set(found) for shift, found in sources.items()})

    @classmethod
    def from_stretches(cls, size: int, stretches: Iterable[tuple[int, int, int]]) -> Relation:
        """Make the relation of the pairs (source + k, target + k) for 0 ≤ k < count.

        `stretches` are triples of source, target and count, all of them on the board.
        """
        masks: dict[int, int] = {}
        for source, target, count in stretches:
            shift = target - source
            masks[shift] = masks.get(shift, 0) | ((1 << count) - 1) << source
        return cls._from_masks(size, masks)

    @classmethod
    def shift(cls, size: int, sites: int, shift: int) -> Relation:
        """Make the relation of each of some sites i to i + shift, all of which are on the board."""
        return cls._from_masks(size, {shift: sites})

    @classmethod
    def empty(cls, size: int) -> Relation:
        """Make the relation without pairs."""
        return cls._from_masks(size, {})

    @classmethod
    def identity(cls, size: int) -> Relation:
        """Make the relation of every site to itself."""
        return cls._from_masks(size, {0: (1 << size) - 1})

    @property
    def offset_classes(self) -> tuple[OffsetClass, ...]:
        """Pairs (sites, shift), ordered by shift: each of the sites i is related to i + shift.

        Together they are exactly the relation; no shift occurs twice, no set is empty.
        """
        if self._classes is None and self._is_dense():
            self._classes = self._transposed()
        elif self._classes is None:
            pairs = ((i, j) for i, targets in enumerate(self.successors) for j in bits(targets))
            self._classes = Relation.from_pairs(self.size, pairs).offset_classes
        return self._classes

    def _is_dense(self) -> bool:
        """Whether so many sites are related that all pairs of sites are looked at the sooner."""
        pairs = sum(targets.bit_count() for targets in self._successors or ())
        return pairs * _SPARSE > self.size * self.size

    def _transposed(self) -> tuple[OffsetClass, ...]:
        """Return the offset classes as columns of a table with a row for each site.

        A row has a digit for each shift; the last row and the last column stand for the lowest.
        """
        width = 2 * self.size - 1
        rows = [
            format(targets << self.size - 1 - site, f"0{width}b")
            for site, targets in enumerate(self._successors or ())
        ]
        columns = zip(*reversed(rows), strict=True)
        masks = [int("".join(column), 2) for column in columns]
        shifts = range(1 - self.size, self.size)
        return tuple(
            (mask, shift) for mask, shift in zip(reversed(masks), shifts, strict=True) if mask
        )

    @property
    def successors(self) -> tuple[int, ...]:
        """The set of related sites of each site."""
        if self._successors is None:
            table = [0] * self.size
            for source, target in self.pairs():
                table[source] |= 1 << target
            self._successors = tuple(table)
        return self._successors

    def image(self, sites: int) -> int:
        """Return the set of sites to which any of `sites` (a set on the board) is related."""
        up = self._up
        if up is None:
            up = self._plan()
        result = 0
        if sites.bit_count() < self._table_below and (self._successors or self._has_table()):
            successors = self._successors or self.successors
            while sites:
                lowest = sites & -sites
                result |= successors[lowest.bit_length() - 1]
                sites ^= lowest
            return result
        for mask, shift in up:
            result |= (sites & mask) << shift
        for mask, shift in self._down:
            result |= (sites & mask) >> shift
        return result

    def _has_table(self) -> bool:
        """Whether there is a table, or as much has been asked by now as it takes to make one."""
        if self._successors is None:
            self._until_table -= 1
        return self._successors is not None or self._until_table < 0

    def _plan(self) -> tuple[OffsetClass, ...]:
        """Settle how images are computed: from how few sites on the table is the quicker way.

        A site of the set costs about two classes. Large boards do without a table, which
        takes memory that grows with the square of the size, unless there are many classes. To make
        one, each pair is looked at: it is made when images have looked at as many classes.
        """
        classes = self.offset_classes
        up = tuple((mask, shift) for mask, shift in classes if shift >= 0)
        self._down = tuple((mask, -shift) for mask, shift in classes if shift < 0)
        if len(classes) > _FEW_CLASSES or self.size <= _LARGEST_TABLE:
            self._table_below = (len(classes) + 1) // 2
            self._until_table = self.pair_count // max(1, len(classes))
        self._up = up
        return up

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield all related pairs, ordered by offset class and then by source."""
        for mask, shift in self.offset_classes:
            for source in bits(mask):
                yield source, source + shift

    @property
    def pair_count(self) -> int:
        """How many pairs are related; none of them is looked at for it."""
        return sum(mask.bit_count() for mask, _ in self.offset_classes)

    def least_and_most(self, sites: int) -> tuple[int, int]:
        """Return to how few and to how many sites one of some sites is related (of none: 0).

        They are counted for all sites at once, in binary: a set has the sites with one digit.
        """
        digits: list[int] = []
        for sources, _ in self.offset_classes:
            carried = sources & sites
            for place, digit in enumerate(digits):
                digits[place], carried = digit ^ carried, digit & carried
            if carried:
                digits.append(carried)
        least, most, fewest, largest = 0, 0, sites, sites
        for place in reversed(range(len(digits))):
            if largest & digits[place]:
                largest &= digits[place]
                most |= 1 << place
            if fewest & ~digits[place]:
                fewest &= ~digits[place]
            elif fewest:
                least |= 1 << place
        return least, most

    def _masks(self) -> dict[int, int]:
        return {shift: mask for mask, shift in self.offset_classes}

    def _require_same_size(self, other: Relation) -> None:
        if self.size != other.size:
            raise ValueError(f"relations over {self.size} and {other.size} sites do not combine")

    def union(self, other: Relation) -> Relation:
        """Return the pairs of either relation; `ValueError` if the sizes differ."""
        self._require_same_size(other)
        masks = self._masks()
        for mask, shift in other.offset_classes:
            masks[shift] = masks.get(shift, 0) | mask
        return self._from_masks(self.size, masks)

    def intersection(self, other: Relation) -> Relation:
        """Return the pairs of both relations; `ValueError` if the sizes differ."""
        self._require_same_size(other)
        theirs = other._masks()
        return self._from_masks(
            self.size,
            {shift: mask & theirs.get(shift, 0) for mask, shift in self.offset_classes},
        )

    def difference(self, other: Relation) -> Relation:
        """Return the pairs of this relation that `other` lacks; `ValueError` if sizes differ."""
        self._require_same_size(other)
        theirs = other._masks()
        return self._from_masks(
            self.size,
            {shift: mask & ~theirs.get(shift, 0) for mask, shift in self.offset_classes},
        )

    def compose(self, other: Relation) -> Relation:
        """Return the pairs (i, k) with (i, j) in this relation and (j, k) in `other`.

        Raises `ValueError` if the sizes differ.
        """
        self._require_same_size(other)
        if len(self.offset_classes) * len(other.offset_classes) > 2 * self.size:
            return Relation(self.size, [other.image(targets) for targets in self.successors])
        masks: dict[int, int] = {}
        for first, shift in self.offset_classes:
            for second, further in other.offset_classes:
                met = first & _shifted(second, -shift)
                masks[shift + further] = masks.get(shift + further, 0) | met
        return self._from_masks(self.size, masks)

    def inverse(self) -> Relation:
        """Return the relation with every pair turned round."""
        return self._from_masks(
            self.size, {-shift: _shifted(mask, shift) for mask, shift in self.offset_classes}
        )

    def power(self, exponent: int) -> Relation:
        """Return the relation composed with itself `exponent` times; 0 gives the identity.

        Raises `ValueError` for a negative exponent.
        """
        if exponent < 0:
            raise ValueError("a relation has no negative powers")
        result, square = Relation.identity(self.size), self
        while exponent:
            if exponent & 1:
                result = result.compose(square)
            exponent >>= 1
            if exponent:
                square = square.compose(square)
        return result

    def restrict(self, source_mask: int, target_mask: int) -> Relation:
        """Return the pairs that lead from the one set of sites into the other."""
        return self._from_masks(
            self.size,
            {
                shift: mask & source_mask & _shifted(target_mask, -shift)
                for mask, shift in self.offset_classes
            },
        )

    @property
    def longest(self) -> int:
        """How many steps can be made in a row at most; there must be no way round."""
        steps, reached = 0, (1 << self.size) - 1
        while reached := self.image(reached):
            steps += 1
        return steps

    @property
    def is_symmetric(self) -> bool:
        """Whether every pair is there in both orders."""
        return self == self.inverse()

    @property
    def is_function(self) -> bool:
        """Whether no site is related to more than one."""
        seen = 0
        for mask, _ in self.offset_classes:
            if seen & mask:
                return False
            seen |= mask
        return True

    def __eq__(self, other: object) -> bool:
        """Whether both relations hold the same pairs over the same number of sites."""
        if not isinstance(other, Relation):
            return NotImplemented
        return self.size == other.size and self.offset_classes == other.offset_classes

    def __hash__(self) -> int:
        """Return a hash that equal relations share."""
        return hash((self.size, self.offset_classes))

    def __repr__(self) -> str:
        """Return the numbers of pairs and sites, since all pairs would be too many."""
        return f"<Relation of {self.pair_count} pairs over {self.size} sites>"


def _shifted(sites: int, shift: int) -> int:
    return sites << shift if shift >= 0 else sites >> -shift
