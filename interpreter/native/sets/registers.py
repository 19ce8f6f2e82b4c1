"""Sets of sites in machine code: one integer register a set.

In: sets (`Sites`). Out: code for what can be done with sets. What then holds: the register of a
set has as many bits as the board has sites, rounded up to whole words, and no bit beyond the
board is ever set.

A set that has one site at most is kept as the index of that site, so that what a relation leads
to from it is read from a table.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain

from gdl.board.relation import Relation
from gdl.interpreter.native.emit.ir import WORD, Function, Module
from gdl.interpreter.native.emit.kinds import (
    I1,
    I16,
    I32,
    I64,
    TRUE,
    Address,
    Bit,
    Integer,
    Kind,
    Mask,
    Type,
    Word,
)
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.sets.any_sets import MOST_SHIFTS, AnySets, SiteLoop

_MOST_TABULATED = 32
"""On boards of no more sites, images that take many shifts are read from tables, byte by byte."""
_MOST_BITS_IN_PLACE = 512
"""What takes many instructions for larger sets is done by functions, so that there is less code."""


class RegisterSets(AnySets):
    """Code for sets in registers, on a board of `size` sites."""

    are_arrays = False

    def __init__(self, module: Module, size: int) -> None:
        bits = max(WORD, -(-size // WORD) * WORD)
        super().__init__(module, size, bits, Type(f"i{bits}"))

    # ------------------------------------------------------------ making and keeping

    def constant(self, sites: int) -> Sites:
        """Return a known set."""
        if sites.bit_count() == 1:
            return Sites(Mask(str(sites)), Word(str(sites.bit_length() - 1)), True)
        return Sites(Mask(str(sites)))

    def read(self, f: Function, address: Address) -> Sites:
        """Return the set in a variable or a field."""
        return Sites(f.get(self.type, address))

    def write(self, f: Function, sites: Sites, address: Address) -> None:
        """Put a set into a variable or a field."""
        f.put(self.type, self.mask(f, sites), address)

    def settled(self, f: Function, sites: Sites) -> Sites:
        """Return a set that is worked out, so that it can be looked at many times."""
        return sites

    def include(self, f: Function, address: Address, single: Sites) -> None:
        """Put a single site into the set in a variable."""
        self.write(f, self.union(f, [self.read(f, address), single]), address)

    def indices(self, f: Function, sites: Sites) -> tuple[Word, ...] | None:
        """Return None: no set is kept as a list of the indices of its sites."""
        return None

    def mask(self, f: Function, sites: Sites) -> Mask:
        """Return the register of a set."""
        if sites.mask is not None:
            return Mask(sites.mask)
        assert sites.site is not None, "a set is a mask or a site"
        if self.bits > WORD:
            single_sites = (1 << i for i in range(self.size))
            return self.mask(f, self.by_site(f, "one", sites, chain([0], single_sites)))
        if sites.is_there:
            return f.binary("shl", self.type, 1, Mask(sites.site))
        shifted = f.binary("shl", self.type, 1, Mask(f.binary("and", I64, sites.site, 63)))
        return f.select(f.compare("sge", I64, sites.site, 0), self.type, shifted, 0)

    def index(self, f: Function, sites: Sites) -> Word:
        """Return the index (i64) of the first site, -1 if there is none."""
        if sites.site is not None:
            return sites.site
        mask = self.mask(f, sites)
        found = self._lowest(f, mask)
        return f.select(f.compare("ne", self.type, mask, 0), I64, found, -1)

    def first(self, f: Function, sites: Sites) -> Sites:
        """Return the set of the first site."""
        return Sites(None, self.index(f, sites), sites.is_there)

    def _lowest(self, f: Function, mask: Mask) -> Word:
        """Return the index of the first site of a set that is not empty."""

        def found(f: Function, mask: Mask) -> Word:
            return self._word(f, f.intrinsic("cttz", self.type, mask, "i1 true"))

        return self.made(f, "lowest", None, I64, found, mask)

    def made(
        self,
        f: Function,
        kind: str,
        key: Hashable,
        type_: Type[Kind],
        make: Callable[..., Kind],
        *masks: Mask,
        number: Word | None = None,
    ) -> Kind:
        """Return what is made of registers and a number; of large ones, by a function for a key.

        Such a function reads nothing but tables.
        """
        given: list[tuple[str, Mask | Word]] = [(self.type, mask) for mask in masks]
        given += [] if number is None else [(I64, number)]
        if self.bits <= _MOST_BITS_IN_PLACE:
            return make(f, *(value for _, value in given))
        names = [f"%given.{place}" for place, _ in enumerate(given)]

        def write(name: str) -> None:
            parameters = [f"{of} {own}" for (of, _), own in zip(given, names, strict=True)]
            inner = self.module.function(
                name, f"internal {type_}", parameters, "noinline memory(none) "
            )
            inner.give(f"{type_} {make(inner, *names)}")

        arguments = ", ".join(f"{of} {value}" for of, value in given)
        return f.call(type_, f"@{self.module.once(kind, key, write)}({arguments})")

    def _word(self, f: Function, register: Mask) -> Word:
        """Return the lowest word of a register."""
        if self.bits == WORD:
            return Word(register)
        return f.convert("trunc", self.type, register, I64)

    # -------------------------------------------------------------------- tables

    def by_site(self, f: Function, key: Hashable, site: Sites, entries: Iterable[int]) -> Sites:
        """Return the set that a table has for a single site; the first entry is for none.

        The table is made once for a key; entries need not be known before.
        """
        assert site.site is not None, "a single site"
        table = self.module.tables.once(
            key, lambda: b"".join(found.to_bytes(self.bytes, "little") for found in entries)
        )
        return Sites(f.get(self.type, self._entry_at(f, table, site.site, self.bytes)))

    # ------------------------------------------------------------------- algebra

    def union(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the union."""
        return Sites(f.joined("or", self.type, (self.mask(f, part) for part in parts)))

    def intersection(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the intersection."""
        single = next((part for part in parts if part.site is not None), None)
        if single is None:
            return Sites(f.joined("and", self.type, (self.mask(f, part) for part in parts)))
        for other in [part for part in parts if part is not single]:
            single = self._kept(f, single, self.holds(f, other, single))
        return single

    def difference(self, f: Function, a: Sites, b: Sites) -> Sites:
        """Return the sites of `a` that are not in `b`."""
        if a.site is not None:
            return self._kept(f, a, f.is_not(self.holds(f, b, a)))
        complement = f.binary("xor", self.type, self.mask(f, b), -1)
        return Sites(f.binary("and", self.type, self.mask(f, a), complement))

    def _kept(self, f: Function, single: Sites, condition: Bit) -> Sites:
        assert single.site is not None, "a single site"
        return Sites(None, f.select(condition, I64, single.site, -1), False)

    def holds(self, f: Function, sites: Sites, single: Sites) -> Bit:
        """Return whether a set holds a single site; if that is none, the answer is no matter."""
        assert single.site is not None, "a single site"
        if sites.site is not None:
            return f.compare("eq", I64, sites.site, single.site)
        mask = self.mask(f, sites)
        if self.bits == WORD:
            return f.has_bit(self.type, mask, Mask(f.binary("and", I64, single.site, 63)))
        shared = f.binary("and", self.type, mask, self.mask(f, single))
        return f.compare("ne", self.type, shared, 0)

    def some(self, f: Function, sites: Sites) -> Bit:
        """Return whether a set has a site."""
        if sites.site is not None:
            return TRUE if sites.is_there else f.compare("sge", I64, sites.site, 0)
        return f.compare("ne", self.type, self.mask(f, sites), 0)

    def meet(self, f: Function, parts: list[Sites]) -> Bit:
        """Return whether several sets have a site in common."""
        single = next((part for part in parts if part.site is not None and part.is_there), None)
        if single is None:
            return self.some(f, self.intersection(f, parts))
        held = [self.holds(f, part, single) for part in parts if part is not single]
        return f.joined("and", I1, held)

    def subset(self, f: Function, a: Sites, b: Sites) -> Bit:
        """Return whether `a` is not empty and lies in `b`."""
        if a.site is not None and a.is_there:
            return self.holds(f, b, a)
        beyond = self.some(f, self.difference(f, a, b))
        return f.binary("and", I1, self.some(f, a), f.is_not(beyond))

    def equal(self, f: Function, a: Sites, b: Sites) -> Bit:
        """Return whether two sets are the same."""
        if a.site is not None and b.site is not None:
            return f.compare("eq", I64, a.site, b.site)
        return f.compare("eq", self.type, self.mask(f, a), self.mask(f, b))

    def count(self, f: Function, sites: Sites) -> Word:
        """Return the number (i64) of sites."""
        if sites.site is not None:
            return Word("1") if sites.is_there else f.convert("zext", I1, self.some(f, sites), I64)
        return self._word(f, f.intrinsic("ctpop", self.type, self.mask(f, sites)))

    def choose(self, f: Function, condition: Bit, a: Sites, b: Sites) -> Sites:
        """Return one of two sets."""
        if a.site is not None and b.site is not None:
            return Sites(None, f.select(condition, I64, a.site, b.site), a.is_there and b.is_there)
        first, second = self.mask(f, a), self.mask(f, b)
        return Sites(f.select(condition, self.type, first, second))

    # ----------------------------------------------------------------- relations

    def image(self, f: Function, relation: Relation, sites: Sites) -> Sites:
        """Return what a relation leads to from a set."""
        if sites.site is not None and relation.is_function:
            targets = (-1, *(s.bit_length() - 1 for s in relation.successors))
            table = self.module.tables.once(
                ("target", relation), lambda: array("h", targets).tobytes()
            )
            found = f.get(I16, self._entry_at(f, table, sites.site, 2))
            return Sites(None, f.convert("sext", I16, found, I64), False)
        if sites.site is not None:
            return self._of_site(f, relation, sites)
        if self.is_tabulated(relation):
            return Sites(self._image_by_bytes(f, relation, self.mask(f, sites)))
        shifts = len(relation.offset_classes)
        if shifts > MOST_SHIFTS:
            return self._image_by_sites(f, relation, sites)

        def moved(f: Function, mask: Mask) -> Mask:
            return self._by_shifts(f, relation, mask)

        mask = self.mask(f, sites)
        if shifts == 1:
            return Sites(moved(f, mask))
        return Sites(self.made(f, "shifted", relation, self.type, moved, mask))

    def is_tabulated(self, relation: Relation) -> bool:
        """Return whether an image is read from tables: that takes fewer steps than its shifts."""
        return self.size <= _MOST_TABULATED and len(relation.offset_classes) > -(-self.size // 8)

    def _image_by_bytes(self, f: Function, relation: Relation, mask: Mask) -> Mask:
        """Return the union of the images of each byte's sites."""

        def images(place: int) -> bytes:
            """Return the images of all sets of sites that have bits in one byte."""
            found = array("I", [0])
            for successors in relation.successors[8 * place : 8 * place + 8]:
                found.extend(image | successors for image in tuple(found))
            return found.tobytes()

        def image_of(place: int) -> Word:
            byte = f.binary("lshr", I64, Word(mask), 8 * place) if place else Word(mask)
            byte = f.binary("and", I64, byte, (1 << min(8, self.size - 8 * place)) - 1)
            table = self.module.tables.once(("byte", relation, place), lambda: images(place))
            return f.unsigned(I32, f.entry(I32, table, byte))

        return Mask(f.joined("or", I64, map(image_of, range(-(-self.size // 8)))))

    def _by_shifts(self, f: Function, relation: Relation, mask: Mask) -> Mask:
        moved = (
            self.shifted(f, f.binary("and", self.type, mask, sources), shift)
            for sources, shift in relation.offset_classes
        )
        return f.joined("or", self.type, moved) if relation.offset_classes else Mask("0")

    def shifted(self, f: Function, mask: Mask, shift: int) -> Mask:
        """Return the register of a set of which each site's index is so much greater."""
        if shift == 0:
            return mask
        way = "shl" if shift > 0 else "lshr"
        return f.binary(way, self.type, mask, abs(shift))

    def _of_site(self, f: Function, relation: Relation, site: Sites) -> Sites:
        return self.by_site(f, ("image", relation), site, chain([0], relation.successors))

    def _image_by_sites(self, f: Function, relation: Relation, sites: Sites) -> Sites:
        result = self.variable(f, self.constant(0))
        with self.each(f, sites) as loop:
            self.include(f, result, self._of_site(f, relation, loop.site))
        return self.read(f, result)

    # --------------------------------------------------------------------- loops

    @contextmanager
    def each(self, f: Function, sites: Sites) -> Iterator[SiteLoop]:
        """Add what is done for each site of a set, in order."""
        rest = self.variable(f, sites)
        with f.loop() as loop:
            mask = f.get(self.type, rest)
            f.leave_if(f.compare("eq", self.type, mask, 0), loop.done)
            index = self._lowest(f, mask)
            less = f.binary("add", self.type, mask, -1)
            f.put(self.type, f.binary("and", self.type, mask, less), rest)
            yield SiteLoop(index, Sites(None, index, True), loop.done)

    def where(
        self, f: Function, test: str, type_: Type[Integer], numbers: Address, other: Integer
    ) -> Sites:
        """Return the sites whose number compares so with another; many are compared at once.

        In memory there is a number of the type for each site, one after the other.
        """
        parts = []
        for begin in range(0, self.size, WORD):
            sites = min(WORD, self.size - begin)
            several: Type[Integer] = Type(f"<{sites} x {type_}>")
            one = f.ins(f"insertelement {several} poison, {type_} {other}, i64 0", several)
            copies = f"{several} {one}, {several} poison, <{sites} x i32> zeroinitializer"
            there = f.get(several, f.at(numbers, begin * int(type_[1:]) // 8))
            holds = f.compare(test, several, there, f.ins(f"shufflevector {copies}", several))
            bits = f.ins(f"bitcast <{sites} x i1> {holds} to i{sites}", self.type)
            if sites < self.bits:
                bits = f.ins(f"zext i{sites} {bits} to {self.type}", self.type)
            parts.append(f.binary("shl", self.type, bits, begin) if begin else bits)
        return Sites(f.joined("or", self.type, parts))

    def most_in_line(self, f: Function, sites: Sites, step: Relation) -> Word:
        """Write a bound (i64) of how many even steps can be made in a row within a set.

        Where a run of sites begins is found for one length from a shorter one.
        """
        forward = step if step.offset_classes[0][1] > 0 else step.inverse()
        ((sources, shift),) = forward.offset_classes
        mask, longest = self.mask(f, sites), forward.longest + 1
        moved = f.binary("lshr", self.type, mask, shift)
        runs = f.binary("and", self.type, f.binary("and", self.type, mask, sources), moved)
        total, length = Word("0"), 2
        while True:
            far = min(max(1, (length - 1) // 2), max(1, longest - length))
            some = f.compare("ne", self.type, runs, 0)
            total = f.binary("add", I64, total, f.select(some, I64, far, 0))
            if length == longest:
                return total
            runs = f.binary("and", self.type, runs, f.binary("lshr", self.type, runs, far * shift))
            length += far

    def later(self, f: Function, sites: Sites, single: Sites) -> Sites:
        """Return the sites of a set with a greater index than a single site; of none, all."""
        return self.intersection(f, [sites, self.above(f, single)])

    def above(self, f: Function, single: Sites) -> Sites:
        """Return all sites with a greater index than a single site; of none, all."""
        everywhere = (1 << self.size) - 1
        later = (everywhere >> i << i for i in range(self.size + 1))
        return self.by_site(f, "above", single, later)

    def nth(self, f: Function, sites: Sites, number: Word) -> Word:
        """Return the index of the site that `number` (i64) sites precede; there must be one.

        Its word is picked in halves, without a branch, for which word it is can't be foreseen.
        """
        return self.made(f, "nth", None, I64, self._nth, self.mask(f, sites), number=number)

    def _nth(self, f: Function, mask: Mask, number: Word) -> Word:
        words = []
        for place in range(self.bits // WORD):
            moved = f.binary("lshr", self.type, mask, place * WORD) if place else mask
            words.append(self._word(f, moved))
        before = [Word("0")]
        for word in words[:-1]:
            count = f.intrinsic("ctpop", I64, word)
            before.append(f.binary("add", I64, before[-1], count))

        def pick(first: int, last: int) -> tuple[Word, Word, Word]:
            """Return the word that holds the site, its place, and how many sites precede it."""
            if first == last:
                return words[first], Word(str(first * WORD)), before[first]
            middle = (first + last + 1) // 2
            one, other = pick(first, middle - 1), pick(middle, last)
            is_further = f.compare("uge", I64, number, before[middle])
            word, base, skipped = (
                f.select(is_further, I64, b, a) for a, b in zip(one, other, strict=True)
            )
            return word, base, skipped

        word, base, skipped = pick(0, len(words) - 1)
        left = f.binary("sub", I64, number, skipped)
        return f.binary("add", I64, base, self.nth_in_word(f, word, left))
