"""What sets of sites have in common in code, however they are kept.

In: a board's size, tables, words of bits. Out: instructions. What then holds: `RegisterSets` and
`ArraySets` build on this, and have the same methods besides; so whoever writes expressions, turns
and games need not know which of them it is (`SetCode`), unless it does something that only one of
them can.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array

from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.blocks import Label
from gdl.interpreter.native.emit.ir import WORD, Function, Module
from gdl.interpreter.native.emit.kinds import I8, I64, Address, Mask, Type, Word
from gdl.interpreter.native.emit.values import Sites


@dataclass(frozen=True)
class SiteLoop:
    """A loop over the sites of a set, under construction.

    `index` is the register (i64) of the present site, `site` the set of it; `done` is the label
    of what comes after the loop.
    """

    index: Word
    site: Sites
    done: Label


MOST_SHIFTS = 24
"""Images of relations of more shifts are joined of those of sites."""
_EACH_BYTE = 0x0101010101010101
_TOP = 0x80


def _bits_of_bytes() -> bytes:
    """Return the place of the bit that so many precede (from 0 on) in each byte; 0 for none."""
    places = [[bit for bit in range(8) if byte >> bit & 1] for byte in range(256)]
    return bytes(found[n] if n < len(found) else 0 for n in range(8) for found in places)


class AnySets(ABC):
    """Code for sets on a board of `size` sites.

    A set takes `bits` bits, in whole words; `type` is that of a variable for one.
    """

    are_arrays: bool
    """Whether sets are arrays in memory: floods go site by site, and changes are taken back."""

    def __init__(self, module: Module, size: int, bits: int, type_: Type[Mask]) -> None:
        self.module = module
        self.size = size
        self.bits = bits
        self.type = type_
        self.bytes = bits // 8

    def one(self, index: Word, *, is_there: bool) -> Sites:
        """Return the set of the site with an index (i64; -1: none, unless it `is_there`)."""
        return Sites(None, index, is_there)

    @abstractmethod
    def write(self, f: Function, sites: Sites, address: Address) -> None:
        """Put a set into a variable or a field."""

    def variable(self, f: Function, sites: Sites | None = None) -> Address:
        """Return a variable for a set; it has the one that is given, if one is."""
        address = f.room(self.type)
        if sites is not None:
            self.write(f, sites, address)
        return address

    def entry(self, f: Function, numbers: tuple[int, ...], place: Word) -> Word:
        """Return the number (i64) at a place (i64) of a table; 0 for -1."""
        table = self.module.tables.once(numbers, lambda: array("q", (0, *numbers)).tobytes())
        return f.get(I64, self._entry_at(f, table, place, 8))

    def nth_in_word(self, f: Function, word: Word, number: Word) -> Word:
        """Return the place of the bit of a word that `number` set bits precede."""
        return self.place_of_bit(f, self.nth_bit(f, word, number))

    def place_of_bit(self, f: Function, bit: Word) -> Word:
        """Return the place of the only bit that is set in a word."""
        return f.intrinsic("cttz", I64, bit, "i1 true")

    def nth_bit(self, f: Function, word: Word, number: Word) -> Word:
        """Return the word that has only that bit of another that `number` set bits precede."""
        if self.module.target.has_deposit:
            f.declare("i64 @llvm.x86.bmi.pdep.64(i64, i64)")
            bit = f.binary("shl", I64, 1, number)
            return f.call(I64, f"@llvm.x86.bmi.pdep.64(i64 {bit}, i64 {word})")
        return f.binary("shl", I64, 1, self._place_in_word(f, word, number))

    def _place_in_word(self, f: Function, word: Word, number: Word) -> Word:
        """Return the place of the bit that `number` set bits precede, without a branch.

        Its byte is found, in which a table tells the bit.
        """
        find = self._byte_by_halves if self.size <= WORD // 2 else self._byte_by_sums
        begin, byte, left = find(f, word, number)
        entry = f.binary("or", I64, f.binary("shl", I64, left, 8), byte)
        table = self.module.tables.once("bits of bytes", _bits_of_bytes)
        within = f.convert("zext", I8, f.get(I8, f.at(table, entry)), I64)
        return f.binary("add", I64, begin, within)

    def _byte_by_halves(self, f: Function, word: Word, number: Word) -> tuple[Word, Word, Word]:
        """Return where the byte of a bit begins, the byte, and how many bits there precede it."""
        begin = Word("0")
        for bits in (WORD // 4, WORD // 8):
            if self.size <= bits:
                continue
            low = f.binary("and", I64, word, (1 << bits) - 1)
            count = f.intrinsic("ctpop", I64, low)
            is_above = f.compare("uge", I64, number, count)
            word = f.select(is_above, I64, f.binary("lshr", I64, word, bits), low)
            number = f.select(is_above, I64, f.binary("sub", I64, number, count), number)
            further = f.select(is_above, I64, bits, 0)
            begin = f.binary("add", I64, begin, further)
        return begin, word, number

    def _byte_by_sums(self, f: Function, word: Word, number: Word) -> tuple[Word, Word, Word]:
        """Return the same as `_byte_by_halves`, for words of any size.

        What is known before the number is worked out beside it: how many bits are set up to the
        end of each byte. Source: Sebastiano Vigna, "Broadword implementation of rank/select
        queries" (2008).
        """

        def masked(value: Word, mask: int) -> Word:
            return f.binary("and", I64, value, _EACH_BYTE * mask)

        def moved(value: Word, bits: int) -> Word:
            return f.binary("lshr", I64, value, bits)

        pairs = f.binary("sub", I64, word, masked(moved(word, 1), 0x55))
        fours = f.binary("add", I64, masked(pairs, 0x33), masked(moved(pairs, 2), 0x33))
        eights = masked(f.binary("add", I64, fours, moved(fours, 4)), 0x0F)
        up_to = f.binary("mul", I64, eights, _EACH_BYTE)
        everywhere = f.binary("mul", I64, number, _EACH_BYTE)
        topped = f.binary("or", I64, everywhere, _EACH_BYTE * _TOP)
        are_before = masked(f.binary("sub", I64, topped, up_to), _TOP)
        begin = f.binary("shl", I64, f.intrinsic("ctpop", I64, are_before), 3)
        before = f.binary("lshr", I64, f.binary("shl", I64, up_to, 8), begin)
        left = f.binary("sub", I64, number, f.binary("and", I64, before, 255))
        return begin, f.binary("and", I64, f.binary("lshr", I64, word, begin), 255), left

    def _entry_at(self, f: Function, table: Address, site: Word, size: int) -> Address:
        """Return the address of a table's entry for a site (i64; -1: none, the first entry)."""
        offset = f.binary("mul", I64, site, size)
        return f.at(f.at(table, size), offset)
