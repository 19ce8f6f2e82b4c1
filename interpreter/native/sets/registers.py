"""Sets of sites in machine code: one integer register a set.

In: sets (`Sites`). Out: code for what can be done with sets. What then holds: the register of a
set has as many bits as the board has sites, rounded up to whole words, and no bit beyond the
board is ever set.

A set that has one site at most is kept as the index of that site, so that what a relation leads
to from it is read from a table.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from gdl.board.relation import Relation
from interpreter.native.emit.ir import WORD, Function, Module
from interpreter.native.emit.values import Sites
from interpreter.native.sets.set_code import SetCode, SiteLoop

MOST_SHIFTS = 24
_MOST_TABULATED = 32
"""On boards of no more sites, images that take many shifts are read from tables, byte by byte."""
_MOST_BITS_IN_PLACE = 512
"""Larger sets are shifted several times by functions of their own, so that there is less code."""


class RegisterSets(SetCode):
    """Code for sets in registers, on a board of `size` sites."""

    are_arrays = False

    def __init__(self, module: Module, size: int) -> None:
        bits = max(WORD, -(-size // WORD) * WORD)
        super().__init__(module, size, bits, f"i{bits}")

    # ------------------------------------------------------------ making and keeping

    def constant(self, sites: int) -> Sites:
        """Return a known set."""
        if sites.bit_count() == 1:
            return Sites(str(sites), str(sites.bit_length() - 1), True)
        return Sites(str(sites))

    def read(self, f: Function, address: str) -> Sites:
        """Return the set in a variable or a field."""
        return Sites(f.get(self.type, address))

    def write(self, f: Function, sites: Sites, address: str) -> None:
        """Put a set into a variable or a field."""
        f.put(self.type, self.mask(f, sites), address)

    def settled(self, f: Function, sites: Sites) -> Sites:
        """Return a set that is worked out, so that it can be looked at many times."""
        return sites

    def include(self, f: Function, address: str, single: Sites) -> None:
        """Put a single site into the set in a variable."""
        self.write(f, self.union(f, [self.read(f, address), single]), address)

    def mask(self, f: Function, sites: Sites) -> str:
        """Return the register of a set."""
        if sites.mask is not None:
            return sites.mask
        assert sites.site is not None, "a set is a mask or a site"
        if self.bits > WORD:
            alone = self.by_site(
                f, ("one",), sites, lambda: (0, *(1 << i for i in range(self.size)))
            )
            return self.mask(f, alone)
        if sites.is_there:
            return f.ins(f"shl {self.type} 1, {sites.site}")
        shift = f.ins(f"and i64 {sites.site}, 63")
        shifted = f.ins(f"shl {self.type} 1, {shift}")
        there = f.ins(f"icmp sge i64 {sites.site}, 0")
        return f.ins(f"select i1 {there}, {self.type} {shifted}, {self.type} 0")

    def index(self, f: Function, sites: Sites) -> str:
        """Return the index (i64) of the first site, -1 if there is none."""
        if sites.site is not None:
            return sites.site
        mask = self.mask(f, sites)
        found = self._lowest(f, mask)
        some = f.ins(f"icmp ne {self.type} {mask}, 0")
        return f.ins(f"select i1 {some}, i64 {found}, i64 -1")

    def _lowest(self, f: Function, mask: str) -> str:
        return self._word(f, f.intrinsic("cttz", self.type, mask, "i1 true"))

    def _word(self, f: Function, register: str) -> str:
        """Return the lowest word of a register."""
        return register if self.bits == WORD else f.ins(f"trunc {self.type} {register} to i64")

    # -------------------------------------------------------------------- tables

    def by_site(
        self,
        f: Function,
        key: tuple[object, ...],
        site: Sites,
        entries: Callable[[], Iterable[int]],
    ) -> Sites:
        """Return the set that a table has for a single site; the first entry is for none.

        The table is made once for a key.
        """
        assert site.site is not None, "a single site"
        table = self.module.tables.once(
            key, lambda: b"".join(found.to_bytes(self.bytes, "little") for found in entries())
        )
        return Sites(self._entry(f, table, site.site, self.bytes, self.type))

    # ------------------------------------------------------------------- algebra

    def union(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the union."""
        result = self.mask(f, parts[0])
        for part in parts[1:]:
            result = f.ins(f"or {self.type} {result}, {self.mask(f, part)}")
        return Sites(result)

    def intersection(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the intersection."""
        single = next((part for part in parts if part.site is not None), None)
        if single is not None:
            others = [part for part in parts if part is not single]
            for other in others:
                single = self._kept(f, single, self.holds(f, other, single))
            return single
        result = self.mask(f, parts[0])
        for part in parts[1:]:
            result = f.ins(f"and {self.type} {result}, {self.mask(f, part)}")
        return Sites(result)

    def difference(self, f: Function, a: Sites, b: Sites) -> Sites:
        """Return the sites of `a` that are not in `b`."""
        if a.site is not None:
            return self._kept(f, a, f.is_not(self.holds(f, b, a)))
        complement = f.ins(f"xor {self.type} {self.mask(f, b)}, -1")
        return Sites(f.ins(f"and {self.type} {self.mask(f, a)}, {complement}"))

    def _kept(self, f: Function, single: Sites, condition: str) -> Sites:
        kept = f.ins(f"select i1 {condition}, i64 {single.site}, i64 -1")
        return Sites(None, kept, False)

    def holds(self, f: Function, sites: Sites, single: Sites) -> str:
        """Return whether a set holds a single site; if that is none, the answer is no matter."""
        if sites.site is not None:
            return f.ins(f"icmp eq i64 {sites.site}, {single.site}")
        mask = self.mask(f, sites)
        if self.bits == WORD:
            shift = f.ins(f"and i64 {single.site}, 63")
            return f.has_bit("i64", mask, shift)
        shared = f.ins(f"and {self.type} {mask}, {self.mask(f, single)}")
        return f.ins(f"icmp ne {self.type} {shared}, 0")

    def some(self, f: Function, sites: Sites) -> str:
        """Return whether a set has a site."""
        if sites.site is not None:
            return "true" if sites.is_there else f.ins(f"icmp sge i64 {sites.site}, 0")
        return f.ins(f"icmp ne {self.type} {self.mask(f, sites)}, 0")

    def meet(self, f: Function, parts: list[Sites]) -> str:
        """Return whether several sets have a site in common."""
        single = next((part for part in parts if part.site is not None and part.is_there), None)
        if single is None:
            return super().meet(f, parts)
        held = [self.holds(f, part, single) for part in parts if part is not single]
        result = held[0]
        for other in held[1:]:
            result = f.ins(f"and i1 {result}, {other}")
        return result

    def subset(self, f: Function, a: Sites, b: Sites) -> str:
        """Return whether `a` is not empty and lies in `b`."""
        if a.site is not None and a.is_there:
            return self.holds(f, b, a)
        return super().subset(f, a, b)

    def equal(self, f: Function, a: Sites, b: Sites) -> str:
        """Return whether two sets are the same."""
        if a.site is not None and b.site is not None:
            return f.ins(f"icmp eq i64 {a.site}, {b.site}")
        return f.ins(f"icmp eq {self.type} {self.mask(f, a)}, {self.mask(f, b)}")

    def count(self, f: Function, sites: Sites) -> str:
        """Return the number (i64) of sites."""
        if sites.site is not None:
            return "1" if sites.is_there else f.ins(f"zext i1 {self.some(f, sites)} to i64")
        return self._word(f, f.intrinsic("ctpop", self.type, self.mask(f, sites)))

    def choose(self, f: Function, condition: str, a: Sites, b: Sites) -> Sites:
        """Return one of two sets."""
        if a.site is not None and b.site is not None:
            picked = f.ins(f"select i1 {condition}, i64 {a.site}, i64 {b.site}")
            return Sites(None, picked, a.is_there and b.is_there)
        first, second = self.mask(f, a), self.mask(f, b)
        return Sites(f.ins(f"select i1 {condition}, {self.type} {first}, {self.type} {second}"))

    # ----------------------------------------------------------------- relations

    def image(self, f: Function, relation: Relation, sites: Sites) -> Sites:
        """Return what a relation leads to from a set."""
        if sites.site is not None:
            return self._image_of_one(f, relation, sites)
        if self.is_tabulated(relation):
            return Sites(self._image_by_bytes(f, relation, self.mask(f, sites)))
        shifts = len(relation.offset_classes)
        if shifts > MOST_SHIFTS:
            return self._image_by_sites(f, relation, sites)
        mask = self.mask(f, sites)
        if self.bits > _MOST_BITS_IN_PLACE and shifts > 1:
            return Sites(f.ins(f"call {self.type} @{self._shifting(relation)}({self.type} {mask})"))
        return Sites(self._by_shifts(f, relation, mask))

    def is_tabulated(self, relation: Relation) -> bool:
        """Return whether an image is read from tables: that takes fewer steps than its shifts."""
        return self.size <= _MOST_TABULATED and len(relation.offset_classes) > self._set_bytes

    @property
    def _set_bytes(self) -> int:
        return -(-self.size // 8)

    def _image_by_bytes(self, f: Function, relation: Relation, mask: str) -> str:
        """Return the union of the images of each byte's sites."""
        result = "0"
        for place in range(self._set_bytes):
            byte = f.ins(f"lshr i64 {mask}, {8 * place}") if place else mask
            byte = f.ins(f"and i64 {byte}, {(1 << min(8, self.size - 8 * place)) - 1}")
            table = self._byte_table(relation, place)
            found = f.unsigned("i32", f.entry("i32", table, byte))
            result = found if place == 0 else f.ins(f"or i64 {result}, {found}")
        return result

    def _byte_table(self, relation: Relation, place: int) -> str:
        """Return a table of the images of all sets of sites that have bits in one byte."""

        def images() -> bytes:
            found = array("I", [0])
            for successors in relation.successors[8 * place : 8 * place + 8]:
                found.extend(image | successors for image in tuple(found))
            return found.tobytes()

        return self.module.tables.once(("byte", relation, place), images)

    def _shifting(self, relation: Relation) -> str:
        """Return the name of a function that makes an image by shifts."""

        def write(name: str) -> None:
            attributes = "noinline memory(none) "
            parameters = [f"{self.type} %mask"]
            f = self.module.function(name, f"internal {self.type}", parameters, attributes)
            f.give(f"{self.type} {self._by_shifts(f, relation, '%mask')}")

        return self.module.once("shifted", relation, write)

    def _by_shifts(self, f: Function, relation: Relation, mask: str) -> str:
        result = "0"
        for place, (sources, shift) in enumerate(relation.offset_classes):
            moved = self.shifted(f, f.ins(f"and {self.type} {mask}, {sources}"), shift)
            result = f.ins(f"or {self.type} {result}, {moved}") if place else moved
        return result

    def shifted(self, f: Function, mask: str, shift: int) -> str:
        """Return the register of a set of which each site's index is so much greater."""
        if shift == 0:
            return mask
        way = "shl" if shift > 0 else "lshr"
        return f.ins(f"{way} {self.type} {mask}, {abs(shift)}")

    def _image_of_one(self, f: Function, relation: Relation, sites: Sites) -> Sites:
        assert sites.site is not None, "a single site"
        if relation.is_function:
            targets = (-1, *(s.bit_length() - 1 for s in relation.successors))
            table = self.module.tables.once(
                ("target", relation), lambda: array("h", targets).tobytes()
            )
            found = self._entry(f, table, sites.site, 2, "i16")
            return Sites(None, f.ins(f"sext i16 {found} to i64"), False)
        return self._of_site(f, relation, sites)

    def _of_site(self, f: Function, relation: Relation, site: Sites) -> Sites:
        return self.by_site(f, ("image", relation), site, lambda: (0, *relation.successors))

    def _image_by_sites(self, f: Function, relation: Relation, sites: Sites) -> Sites:
        result = self.variable(f)
        f.put(self.type, "0", result)
        with self.each(f, sites) as loop:
            self.include(f, result, self._of_site(f, relation, loop.site))
        return self.read(f, result)

    # --------------------------------------------------------------------- loops

    @contextmanager
    def each(self, f: Function, sites: Sites) -> Iterator[SiteLoop]:
        """Add what is done for each site of a set, in order."""
        rest = self.variable(f)
        self.write(f, sites, rest)
        with f.loop() as loop:
            mask = f.get(self.type, rest)
            f.leave_if(f.ins(f"icmp eq {self.type} {mask}, 0"), loop.done)
            index = self._lowest(f, mask)
            less = f.ins(f"add {self.type} {mask}, -1")
            f.put(self.type, f.ins(f"and {self.type} {mask}, {less}"), rest)
            yield SiteLoop(index, Sites(None, index, True), loop.done)

    def above(self, f: Function, single: Sites) -> Sites:
        """Return all sites with a greater index than a single site; of none, all."""
        everywhere = (1 << self.size) - 1
        later = (everywhere >> i << i for i in range(self.size + 1))
        return self.by_site(f, ("above",), single, lambda: later)

    def nth(self, f: Function, sites: Sites, number: str) -> str:
        """Return the index of the site that `number` (i64) sites precede; there must be one."""
        mask = self.mask(f, sites)
        word, base, left = self._word_of_nth(f, mask, number)
        return f.ins(f"add i64 {base}, {self.nth_in_word(f, word, left)}")

    def _word_of_nth(self, f: Function, mask: str, number: str) -> tuple[str, str, str]:
        """Return the word that holds the site, its place, and how many sites of it precede.

        Words are picked in halves, without a branch, for which word it is can't be foreseen.
        """
        words = [self._word_at(f, mask, place) for place in range(self.bits // WORD)]
        before = ["0"]
        for word in words[:-1]:
            count = f.intrinsic("ctpop", "i64", word)
            before.append(f.ins(f"add i64 {before[-1]}, {count}"))

        def pick(first: int, last: int) -> tuple[str, str, str]:
            if first == last:
                return words[first], str(first * WORD), before[first]
            middle = (first + last + 1) // 2
            one, other = pick(first, middle - 1), pick(middle, last)
            is_further = f.ins(f"icmp uge i64 {number}, {before[middle]}")
            word, base, skipped = (
                f.ins(f"select i1 {is_further}, i64 {b}, i64 {a}")
                for a, b in zip(one, other, strict=True)
            )
            return word, base, skipped

        word, base, skipped = pick(0, len(words) - 1)
        return word, base, f.ins(f"sub i64 {number}, {skipped}")

    def _word_at(self, f: Function, mask: str, place: int) -> str:
        moved = f.ins(f"lshr {self.type} {mask}, {place * WORD}") if place else mask
        return self._word(f, moved)
