"""Arrays of words in memory: how sets on large boards are kept, and how parts of them are read.

In: sets (`Sites`). Out: code that makes, keeps and reads them. What then holds: a set that is made
is an array of 64-bit words, rounded up to whole chunks, and no bit beyond the board is ever set.
Parts of a set that is not made, but `joined` of others, are worked out where they are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from gdl.interpreter.native.emit.ir import WORD, Function, Module
from gdl.interpreter.native.emit.kinds import (
    FALSE,
    I1,
    I8,
    I64,
    TRUE,
    Address,
    Bit,
    Kind,
    Mask,
    Type,
    Word,
)
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.sets.any_sets import AnySets, SiteLoop

LANES = 8
CHUNK: Type[Mask] = Type(f"<{LANES} x i64>")
"""The part of a set that is worked on at a time."""
CHUNK_BYTES = LANES * WORD // 8
NO_BITS = Mask("zeroinitializer")
JOINING = {"union": "or", "intersection": "and", "difference": "and", "symmetric difference": "xor"}
"""What joins the bits of sets; in a difference, those after the first are turned round."""
_ALL_BITS: dict[str, Any] = {I1: TRUE, I64: -1, CHUNK: f"<{', '.join(['i64 -1'] * LANES)}>"}
"""What turns all bits of a type round."""

Few = tuple[tuple[Word, Bit], ...]
"""Indices of sites (i64), and whether each is in a set (i1)."""


def is_listed(sites: Sites) -> bool:
    """Return whether a set is kept as a list of indices."""
    return sites.site is not None or sites.few is not None


class WordSets(AnySets):
    """Code that keeps sets of sites in memory, on a board of `size` sites."""

    are_arrays = True

    def __init__(self, module: Module, size: int) -> None:
        chunk_bits = LANES * WORD
        bits = max(1, -(-size // chunk_bits)) * chunk_bits
        super().__init__(module, size, bits, Type(f"[{bits // WORD} x i64]"))

    # ------------------------------------------------------------ making and keeping

    def constant(self, sites: int) -> Sites:
        """Return a known set."""
        if sites.bit_count() == 1:
            return Sites(None, Word(str(sites.bit_length() - 1)), True, known=sites, within=sites)
        return Sites(known=sites, within=sites)

    def read(self, f: Function, address: Address) -> Sites:
        """Return the set in a variable or a field, as it is when it is looked at."""
        return Sites(address)

    def settled(self, f: Function, sites: Sites) -> Sites:
        """Return a set that is worked out, so that it can be looked at many times."""
        if sites.joined is None:
            return sites
        return Sites(self.mask(f, sites), within=sites.within)

    def write(self, f: Function, sites: Sites, address: Address) -> None:
        """Put a set into a variable or a field."""
        if is_listed(sites) or sites.known == 0:
            f.clear(address, self.bytes)
            if is_listed(sites):
                self.include(f, address, sites)
        elif sites.joined is not None:
            with self.chunks(f) as offset:
                f.put(CHUNK, self._part(f, sites, offset, CHUNK), f.at(address, offset))
        else:
            f.copy(self.mask(f, sites), address, self.bytes)

    def write_new(self, f: Function, sites: Sites, new: Address, whole: Address) -> None:
        """Put a set into a variable, and its sites into a set that has none of them yet."""
        operand = self._operand(f, sites)
        with self.chunks(f) as offset:
            chunk, where = self._part(f, operand, offset, CHUNK), f.at(whole, offset)
            f.put(CHUNK, chunk, f.at(new, offset))
            f.put(CHUNK, f.binary("or", CHUNK, f.get(CHUNK, where), chunk), where)

    def include(self, f: Function, address: Address, listed: Sites) -> None:
        """Put the sites of a list into the set in a variable."""
        for index, there in self.listed(f, listed):
            self.add(f, address, index, there)

    def mask(self, f: Function, sites: Sites) -> Address:
        """Return the address of a set, made if it is not."""
        if sites.mask is not None:
            return Address(sites.mask)
        if sites.known is not None:
            known = sites.known
            return self.module.tables.once(
                ("known", known), lambda: known.to_bytes(self.bytes, "little")
            )
        return self.variable(f, sites)

    def listed(self, f: Function, sites: Sites) -> Few:
        """Return the indices of a set that is kept as a list, and whether each is in it."""
        if sites.site is None:
            assert sites.few is not None, "a list"
            return sites.few
        if sites.is_there:
            return ((sites.site, TRUE),)
        there = f.compare("sge", I64, sites.site, 0)
        return ((f.select(there, I64, sites.site, 0), there),)

    def indices(self, f: Function, sites: Sites) -> tuple[Word, ...] | None:
        """Return the indices (i64; -1: none) of a set that is kept as a list."""
        if sites.site is not None:
            return (sites.site,)
        if sites.few is None:
            return None
        return tuple(self._or_none(f, index, there) for index, there in sites.few)

    def _or_none(self, f: Function, index: Word, there: Bit) -> Word:
        return index if there == TRUE else f.select(there, I64, index, -1)

    def index(self, f: Function, sites: Sites) -> Word:
        """Return the index (i64) of the first site, -1 if there is none."""
        if sites.site is not None:
            return sites.site
        if sites.few is not None:
            first = Word("-1")
            for index, there in reversed(sites.few):
                first = f.select(there, I64, index, first)
            return first
        if sites.known is not None:
            return Word(str((sites.known & -sites.known).bit_length() - 1))
        result = f.variable(I64, -1)
        with self.each_at(f, self.mask(f, sites)) as loop:
            f.put(I64, loop.index, result)
            f.jump(loop.done)
        return f.get(I64, result)

    # --------------------------------------------------------------------- loops

    @contextmanager
    def each_at(
        self, f: Function, address: Address, within: int | None = None
    ) -> Iterator[SiteLoop]:
        """Add what is done for each site of the set at an address, which must stay as it is."""
        place, rest = f.variable(I64, -8), f.variable(I64, 0)
        with f.loop() as loop:
            word = f.get(I64, rest)
            with f.unless(f.compare("ne", I64, word, 0)):
                with f.loop(1) as search:
                    offset = f.binary("add", I64, f.get(I64, place), 8)
                    f.put(I64, offset, place)
                    inside = f.binary("and", I64, offset, CHUNK_BYTES - 1)
                    f.need(f.compare("eq", I64, inside, 0), search.done)
                    f.need(f.compare("ult", I64, offset, self.bytes), loop.done)
                    chunk = f.get(CHUNK, f.at(address, offset))
                    f.leave_if(self.is_some(f, chunk), search.done)
                    f.put(I64, f.binary("add", I64, offset, CHUNK_BYTES - 8), place)
                f.put(I64, f.get(I64, f.at(address, offset)), rest)
                f.jump(loop.head)
            f.put(I64, f.binary("and", I64, word, f.binary("add", I64, word, -1)), rest)
            lowest = f.intrinsic("cttz", I64, word, "i1 true")
            index = f.binary("add", I64, f.binary("mul", I64, f.get(I64, place), 8), lowest)
            yield SiteLoop(index, Sites(None, index, True, within=within), loop.done)

    @contextmanager
    def each_listed(
        self, f: Function, indices: Sequence[Word], within: int | None
    ) -> Iterator[SiteLoop]:
        """Add what is done for each of some indices that is not -1."""
        kept = f.room(f"[{max(1, len(indices))} x i64]")
        for number, index in enumerate(indices):
            f.put(I64, index, f.at(kept, 8 * number))
        with f.rounds(len(indices)) as loop:
            index = f.get(I64, f.word_at(kept, loop.number))
            f.need(f.compare("sge", I64, index, 0), loop.head)
            yield SiteLoop(index, Sites(None, index, True, within=within), loop.done)

    # ------------------------------------------------------------ sets by functions

    def made_once(
        self,
        f: Function,
        kind: str,
        key: Hashable,
        source: Sites,
        write: Callable[[Function, Address, Address], None],
    ) -> Sites:
        """Call a function of a set, which is written once for a key, and return what it makes.

        `write` is given the addresses of the set and of what is made, which is not set before.
        """

        def begin(name: str) -> None:
            given, result = Address("%source"), Address("%result")
            with self.module.procedure(
                name, f"ptr noalias {given}", f"ptr noalias {result}"
            ) as function:
                write(function, given, result)

        name = self.module.once(kind, key, begin)
        given, result = self.mask(f, source), self.variable(f)
        f.do(f"call void @{name}(ptr {given}, ptr {result})")
        return Sites(result)

    # ------------------------------------------------------------- parts of sets

    def chunks(self, f: Function) -> AbstractContextManager[Word]:
        """Write a loop over the offsets (i64) of a set's chunks; one chunk needs no loop."""
        one_chunk = self.bytes == CHUNK_BYTES
        return nullcontext(Word("0")) if one_chunk else self.offsets(f, CHUNK_BYTES)

    def offsets(self, f: Function, apart: int) -> AbstractContextManager[Word]:
        """Write a loop over the offsets (i64) of a set's parts, so many bytes apart."""
        return f.strides(0, self.bytes, apart, self.bytes // apart)

    def _operand(self, f: Function, sites: Sites) -> Sites:
        """Return a set of which parts can be read."""
        if sites.mask is not None or sites.joined is not None:
            return sites
        if sites.known is not None:
            return Sites(known=sites.known)
        return Sites(self.mask(f, sites))

    def _part(self, f: Function, sites: Sites, offset: Word, type_: Type[Kind]) -> Kind:
        """Return a word or a chunk of a set, by its offset in bytes."""
        if sites.joined is None:
            return f.get(type_, f.at(self.mask(f, sites), offset))
        return _of_joined(f, sites.joined, type_, lambda part: self._part(f, part, offset, type_))

    def holds(self, f: Function, sites: Sites, single: Sites) -> Bit:
        """Return whether a set holds a single site; if that is none, the answer is no matter."""
        ((index, _),) = self.listed(f, single)
        if is_listed(sites):
            result = FALSE
            for other, there in self.listed(f, sites):
                same = f.compare("eq", I64, index, other)
                same = same if there == TRUE else f.binary("and", I1, same, there)
                result = same if result == FALSE else f.binary("or", I1, result, same)
            return result
        if sites.joined is not None:
            one = Sites(None, index, True)
            return _of_joined(f, sites.joined, I1, lambda part: self.holds(f, part, one))
        where, place = self.address(f, self.mask(f, sites), index)
        return f.has_bit(I64, f.get(I64, where), place)

    def is_some(self, f: Function, chunk: Mask) -> Bit:
        """Return whether a chunk has a bit (i1)."""
        flags: Type[Word] = Type(f"<{LANES} x i1>")
        lanes = f.compare("ne", CHUNK, chunk, NO_BITS)
        packed = f.convert("bitcast", flags, Word(lanes), I8)
        all_ = f.convert("zext", I8, packed, I64)
        # No instruction; but LLVM 22 ends the process where it sees that a number of more than 128
        # bits depends on such a test ("Expected a SimpleValueType").
        apart = f.call(I64, f'asm "", "=r,0"(i64 {all_})')
        return f.compare("ne", I64, apart, 0)

    def _joined(self, f: Function, name: str, parts: Sequence[Sites], within: int) -> Sites:
        operands = tuple(self._operand(f, part) for part in parts)
        return Sites(joined=(name, operands), within=within)

    def address(self, f: Function, address: Address, index: Word) -> tuple[Address, Word]:
        """Return the address of the word that has a site's bit, and the bit's place in it."""
        where = f.word_at(address, f.binary("lshr", I64, index, 6))
        return where, f.binary("and", I64, index, 63)

    def add(self, f: Function, address: Address, index: Word, condition: Bit = TRUE) -> None:
        """Put a site into the set at an address, if a condition (i1) holds."""
        where, place = self.address(f, address, index)
        bit = self._bit(f, place, condition)
        f.put(I64, f.binary("or", I64, f.get(I64, where), bit), where)

    def drop(self, f: Function, address: Address, index: Word, condition: Bit = TRUE) -> None:
        """Take a site out of the set at an address, if a condition (i1) holds."""
        where, place = self.address(f, address, index)
        rest = f.binary("xor", I64, self._bit(f, place, condition), -1)
        f.put(I64, f.binary("and", I64, f.get(I64, where), rest), where)

    def add_new(self, f: Function, address: Address, index: Word, condition: Bit) -> Bit:
        """Put a site into the set at an address, if a condition (i1) holds.

        Returns whether it does, and the site was not in the set (i1).
        """
        where, place = self.address(f, address, index)
        before = f.get(I64, where)
        is_in = f.has_bit(I64, before, place)
        is_new = f.binary("and", I1, condition, f.is_not(is_in))
        f.put(I64, f.binary("or", I64, before, self._bit(f, place, is_new)), where)
        return is_new

    def _bit(self, f: Function, place: Word, condition: Bit) -> Word:
        one = 1 if condition == TRUE else f.convert("zext", I1, condition, I64)
        return f.binary("shl", I64, one, place)


def _of_joined(
    f: Function,
    joined: tuple[str, tuple[Sites, ...]],
    type_: Type[Kind],
    bits_of: Callable[[Sites], Kind],
) -> Kind:
    """Return bits of a set that is joined of others, whose bits are written one after the other."""
    name, operands = joined
    result = bits_of(operands[0])
    for operand in operands[1:]:
        bits = bits_of(operand)
        if name == "difference":
            bits = f.binary("xor", type_, bits, _ALL_BITS[type_])
        result = f.binary(JOINING[name], type_, result, bits)
    return result
