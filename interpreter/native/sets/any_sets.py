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
from interpreter.native.emit.blocks import Label
from interpreter.native.emit.ir import WORD, Function, Module
from interpreter.native.emit.kinds import I64, Address, Mask, Type, Word
from interpreter.native.emit.values import Sites


@dataclass(frozen=True)
class SiteLoop:
    """A loop over the sites of a set, under construction.

    `index` is the register (i64) of the present site, `site` the set of it; `done` is the label
    of what comes after the loop.
    """

    index: Word
    site: Sites
    done: Label


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
        rest, left = f.variable(I64, word), f.variable(I64, number)
        with f.loop(WORD) as loop:
            steps = f.get(I64, left)
            f.leave_if(f.compare("eq", I64, steps, 0), loop.done)
            now = f.get(I64, rest)
            f.put(I64, f.binary("and", I64, now, f.binary("add", I64, now, -1)), rest)
            f.put(I64, f.binary("add", I64, steps, -1), left)
        found = f.get(I64, rest)
        return f.binary("and", I64, found, f.binary("sub", I64, 0, found))

    def _entry_at(self, f: Function, table: Address, site: Word, size: int) -> Address:
        """Return the address of a table's entry for a site (i64; -1: none, the first entry)."""
        offset = f.binary("mul", I64, site, size)
        return f.at(f.at(table, size), offset)
