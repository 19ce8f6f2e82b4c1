"""Arrays of words in memory: how sets on large boards are kept, and how parts of them are read.

In: sets (`Sites`). Out: code that makes, keeps and reads them. What then holds: a set that is made
is an array of 64-bit words, rounded up to whole chunks, and no bit beyond the board is ever set.
Parts of a set that is not made, but `joined` of others, are worked out where they are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from interpreter.native.emit.ir import WORD, Function, Module
from interpreter.native.emit.values import Sites
from interpreter.native.sets.set_code import SetCode, SiteLoop

LANES = 8
CHUNK = f"<{LANES} x i64>"
"""The part of a set that is worked on at a time."""
CHUNK_BYTES = LANES * WORD // 8
NO_BITS = "zeroinitializer"
JOINING = {"union": "or", "intersection": "and", "difference": "and", "symmetric difference": "xor"}
"""What joins the words of sets; in a difference, those after the first are turned round."""

_ALL_BITS = f"<{', '.join(['i64 -1'] * LANES)}>"

Few = tuple[tuple[str, str], ...]
"""Indices of sites (i64), and whether each is in a set (i1)."""


def is_listed(sites: Sites) -> bool:
    """Return whether a set is kept as a list of indices."""
    return sites.site is not None or sites.few is not None


class WordSets(SetCode):
    """Code that keeps sets of sites in memory, on a board of `size` sites."""

    are_arrays = True

    def __init__(self, module: Module, size: int) -> None:
        chunk_bits = LANES * WORD
        bits = max(1, -(-size // chunk_bits)) * chunk_bits
        super().__init__(module, size, bits, f"[{bits // WORD} x i64]")

    # ------------------------------------------------------------ making and keeping

    def constant(self, sites: int) -> Sites:
        """Return a known set."""
        if sites.bit_count() == 1:
            return Sites(None, str(sites.bit_length() - 1), True, known=sites, within=sites)
        return Sites(known=sites, within=sites)

    def read(self, f: Function, address: str) -> Sites:
        """Return the set in a variable or a field, as it is when it is looked at."""
        return Sites(address)

    def settled(self, f: Function, sites: Sites) -> Sites:
        """Return a set that is worked out, so that it can be looked at many times."""
        if sites.joined is None:
            return sites
        return Sites(self.mask(f, sites), within=sites.within)

    def write(self, f: Function, sites: Sites, address: str) -> None:
        """Put a set into a variable or a field."""
        if is_listed(sites):
            f.clear(address, self.bytes)
            self.include(f, address, sites)
        elif sites.known == 0:
            f.clear(address, self.bytes)
        elif sites.joined is not None:
            with self.chunks(f) as offset:
                f.put(CHUNK, self._part(f, sites, offset, CHUNK), f.at(address, offset))
        else:
            f.copy(self.mask(f, sites), address, self.bytes)

    def include(self, f: Function, address: str, listed: Sites) -> None:
        """Put the sites of a list into the set in a variable."""
        for index, there in self.listed(f, listed):
            self.add(f, address, index, there)

    def mask(self, f: Function, sites: Sites) -> str:
        """Return the address of a set, made if it is not."""
        if sites.mask is not None:
            return sites.mask
        if sites.known is not None:
            return self._known(sites.known)
        address = self.variable(f)
        self.write(f, sites, address)
        return address

    def _known(self, sites: int) -> str:
        return self.module.tables.once(
            ("known", sites), lambda: sites.to_bytes(self.bytes, "little")
        )

    def listed(self, f: Function, sites: Sites) -> Few:
        """Return the indices of a set that is kept as a list, and whether each is in it."""
        if sites.site is None:
            assert sites.few is not None, "a list"
            return sites.few
        if sites.is_there:
            return ((sites.site, "true"),)
        there = f.ins(f"icmp sge i64 {sites.site}, 0")
        return ((f.ins(f"select i1 {there}, i64 {sites.site}, i64 0"), there),)

    def indices(self, f: Function, sites: Sites) -> tuple[str, ...] | None:
        """Return the indices (i64; -1: none) of a set that is kept as a list."""
        if sites.site is not None:
            return (sites.site,)
        if sites.few is None:
            return None
        return tuple(self._or_none(f, index, there) for index, there in sites.few)

    def _or_none(self, f: Function, index: str, there: str) -> str:
        return index if there == "true" else f.ins(f"select i1 {there}, i64 {index}, i64 -1")

    def index(self, f: Function, sites: Sites) -> str:
        """Return the index (i64) of the first site, -1 if there is none."""
        if sites.site is not None:
            return sites.site
        if sites.few is not None:
            return self._first_of_few(f, sites.few)
        if sites.known is not None:
            return str((sites.known & -sites.known).bit_length() - 1)
        result = f.variable("i64", "-1")
        with self.each_at(f, self.mask(f, sites)) as loop:
            f.put("i64", loop.index, result)
            f.jump(loop.done)
        return f.get("i64", result)

    def _first_of_few(self, f: Function, few: Few) -> str:
        result = "-1"
        for index, there in reversed(few):
            result = f.ins(f"select i1 {there}, i64 {index}, i64 {result}")
        return result

    # --------------------------------------------------------------------- loops

    @contextmanager
    def each_at(self, f: Function, address: str, within: int | None = None) -> Iterator[SiteLoop]:
        """Add what is done for each site of the set at an address, which must stay as it is."""
        place, rest = f.variable("i64", "-8"), f.variable("i64", "0")
        with f.loop() as loop:
            word = f.get("i64", rest)
            with f.unless(f.ins(f"icmp ne i64 {word}, 0")):
                with f.loop(1) as search:
                    offset = f.ins(f"add i64 {f.get('i64', place)}, 8")
                    f.put("i64", offset, place)
                    inside = f.ins(f"and i64 {offset}, {CHUNK_BYTES - 1}")
                    f.need(f.ins(f"icmp eq i64 {inside}, 0"), search.done)
                    f.need(f.ins(f"icmp ult i64 {offset}, {self.bytes}"), loop.done)
                    chunk = self.chunk(f, address, offset)
                    f.leave_if(self.is_some(f, chunk), search.done)
                    f.put("i64", f.ins(f"add i64 {offset}, {CHUNK_BYTES - 8}"), place)
                f.put("i64", f.get("i64", f.at(address, offset)), rest)
                f.jump(loop.head)
            f.put("i64", f.ins(f"and i64 {word}, {f.ins(f'add i64 {word}, -1')}"), rest)
            lowest = f.intrinsic("cttz", "i64", word, "i1 true")
            base = f.ins(f"mul i64 {f.get('i64', place)}, 8")
            index = f.ins(f"add i64 {base}, {lowest}")
            yield SiteLoop(index, Sites(None, index, True, within=within), loop.done)

    @contextmanager
    def each_listed(
        self, f: Function, indices: Sequence[str], within: int | None
    ) -> Iterator[SiteLoop]:
        """Add what is done for each of some indices that is not -1."""
        kept = f.variable(f"[{max(1, len(indices))} x i64]")
        for number, index in enumerate(indices):
            f.put("i64", index, f.at(kept, 8 * number))
        with f.rounds(str(len(indices))) as loop:
            index = f.get("i64", f.word_at(kept, loop.number))
            f.need(f.ins(f"icmp sge i64 {index}, 0"), loop.head)
            yield SiteLoop(index, Sites(None, index, True, within=within), loop.done)

    # ------------------------------------------------------------- parts of sets

    @contextmanager
    def chunks(self, f: Function) -> Iterator[str]:
        """Write a loop over the offsets (i64) of a set's chunks."""
        if self.bytes == CHUNK_BYTES:
            yield "0"
            return
        with self.offsets(f, CHUNK_BYTES) as offset:
            yield offset

    def offsets(self, f: Function, apart: int) -> AbstractContextManager[str]:
        """Write a loop over the offsets (i64) of a set's parts, so many bytes apart."""
        return f.strides("0", str(self.bytes), apart, self.bytes // apart)

    def chunk(self, f: Function, address: str, offset: str) -> str:
        """Return the chunk of the set at an address that is at an offset in bytes."""
        return f.get(CHUNK, f.at(address, offset))

    def differs(self, f: Function, a: str, b: str, offset: str) -> str:
        """Return whether the chunks of two sets at an offset differ (i1)."""
        first, second = f.get(CHUNK, f.at(a, offset)), f.get(CHUNK, f.at(b, offset))
        return self.is_some(f, f.ins(f"xor {CHUNK} {first}, {second}"))

    def _operand(self, f: Function, sites: Sites) -> Sites:
        """Return a set of which parts can be read."""
        if sites.mask is not None or sites.joined is not None:
            return sites
        if sites.known is not None:
            return Sites(known=sites.known)
        return Sites(self.mask(f, sites))

    def _part(self, f: Function, sites: Sites, offset: str, type_: str) -> str:
        """Return a word or a chunk of a set, by its offset in bytes."""
        if sites.joined is None:
            return f.get(type_, f.at(self.mask(f, sites), offset))
        name, operands = sites.joined
        result = self._part(f, operands[0], offset, type_)
        for operand in operands[1:]:
            part = self._part(f, operand, offset, type_)
            if name == "difference":
                part = f.ins(f"xor {type_} {part}, {_ALL_BITS if type_ == CHUNK else '-1'}")
            result = f.ins(f"{JOINING[name]} {type_} {result}, {part}")
        return result

    def is_some(self, f: Function, chunk: str) -> str:
        """Return whether a chunk has a bit (i1)."""
        f.declare(f"i64 @llvm.vector.reduce.or.v{LANES}i64({CHUNK})")
        all_ = f.ins(f"call i64 @llvm.vector.reduce.or.v{LANES}i64({CHUNK} {chunk})")
        # No instruction; but LLVM 22 ends the process where it sees that a number of more than 128
        # bits depends on such a test ("Expected a SimpleValueType").
        apart = f.ins(f'call i64 asm "", "=r,0"(i64 {all_})')
        return f.ins(f"icmp ne i64 {apart}, 0")

    def _joined(self, f: Function, name: str, parts: Sequence[Sites], within: int) -> Sites:
        operands = tuple(self._operand(f, part) for part in parts)
        return Sites(joined=(name, operands), within=within)

    def address(self, f: Function, address: str, index: str) -> tuple[str, str]:
        """Return the address of the word that has a site's bit, and the bit's place in it."""
        word = f.ins(f"lshr i64 {index}, 6")
        where = f.word_at(address, word)
        return where, f.ins(f"and i64 {index}, 63")

    def add(self, f: Function, address: str, index: str, condition: str = "true") -> None:
        """Put a site into the set at an address, if a condition (i1) holds."""
        where, place = self.address(f, address, index)
        bit = self._bit(f, place, condition)
        f.put("i64", f.ins(f"or i64 {f.get('i64', where)}, {bit}"), where)

    def drop(self, f: Function, address: str, index: str, condition: str = "true") -> None:
        """Take a site out of the set at an address, if a condition (i1) holds."""
        where, place = self.address(f, address, index)
        rest = f.ins(f"xor i64 {self._bit(f, place, condition)}, -1")
        f.put("i64", f.ins(f"and i64 {f.get('i64', where)}, {rest}"), where)

    def add_new(self, f: Function, address: str, index: str, condition: str) -> str:
        """Put a site into the set at an address, if a condition (i1) holds.

        Returns whether it does, and the site was not in the set (i1).
        """
        where, place = self.address(f, address, index)
        before = f.get("i64", where)
        is_in = f.has_bit("i64", before, place)
        is_new = f.ins(f"and i1 {condition}, {f.is_not(is_in)}")
        f.put("i64", f.ins(f"or i64 {before}, {self._bit(f, place, is_new)}"), where)
        return is_new

    def _bit(self, f: Function, place: str, condition: str) -> str:
        one = "1" if condition == "true" else f.ins(f"zext i1 {condition} to i64")
        return f.ins(f"shl i64 {one}, {place}")
