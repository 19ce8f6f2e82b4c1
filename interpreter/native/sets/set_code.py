"""What can be done with sets of sites in code, however they are kept.

In: sets (`Sites`). Out: instructions. What then holds: whoever writes expressions, turns and games
need not know whether a set is a register (`registers`) or an array of words (`arrays`), unless it
does something that only one of them can.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from contextlib import AbstractContextManager

from gdl.board.relation import Relation
from gdl.data_classes import dataclass
from interpreter.native.emit.blocks import Label
from interpreter.native.emit.ir import WORD, Function, Module
from interpreter.native.emit.kinds import I1, I64, Address, Bit, Kind, Mask, Type, Word
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


class SetCode(ABC):
    """Code for sets on a board of `size` sites.

    A set takes `bits` bits, in whole words; `type` is that of a variable for one.
    """

    are_arrays: bool
    """Whether sets are arrays in memory: floods go site by site, and changes are taken back."""

    has_deposit = False
    """Whether the machine can place bits into the set bits of a word (x86's BMI2)."""

    def __init__(self, module: Module, size: int, bits: int, type_: Type[Mask]) -> None:
        self.module = module
        self.size = size
        self.bits = bits
        self.type = type_
        self.bytes = bits // 8

    # ------------------------------------------------------------ making and keeping

    @abstractmethod
    def constant(self, sites: int) -> Sites:
        """Return a known set."""

    def one(self, index: Word, *, is_there: bool) -> Sites:
        """Return the set of the site with an index (i64; -1: none, unless it `is_there`)."""
        return Sites(None, index, is_there)

    def variable(self, f: Function) -> Address:
        """Return a variable for a set."""
        return f.room(self.type)

    @abstractmethod
    def read(self, f: Function, address: Address) -> Sites:
        """Return the set in a variable or a field."""

    @abstractmethod
    def write(self, f: Function, sites: Sites, address: Address) -> None:
        """Put a set into a variable or a field."""

    @abstractmethod
    def settled(self, f: Function, sites: Sites) -> Sites:
        """Return a set that is worked out, so that it can be looked at many times."""

    @abstractmethod
    def include(self, f: Function, address: Address, single: Sites) -> None:
        """Put a single site into the set in a variable."""

    def indices(self, f: Function, sites: Sites) -> tuple[Word, ...] | None:
        """Return the indices (i64; -1: none) of a set that is kept as a list of them."""
        return None

    @abstractmethod
    def mask(self, f: Function, sites: Sites) -> Mask | Address:
        """Return the register or the address of a set, made if it is not."""

    @abstractmethod
    def index(self, f: Function, sites: Sites) -> Word:
        """Return the index (i64) of the first site, -1 if there is none."""

    def entry(self, f: Function, numbers: tuple[int, ...], place: Word) -> Word:
        """Return the number (i64) at a place (i64) of a table; 0 for -1."""
        table = self.module.tables.once(numbers, lambda: array("q", (0, *numbers)).tobytes())
        return self._entry(f, table, place, 8, I64)

    # ------------------------------------------------------------------- algebra

    @abstractmethod
    def union(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the union."""

    @abstractmethod
    def intersection(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the intersection."""

    @abstractmethod
    def difference(self, f: Function, a: Sites, b: Sites) -> Sites:
        """Return the sites of `a` that are not in `b`."""

    @abstractmethod
    def holds(self, f: Function, sites: Sites, single: Sites) -> Bit:
        """Return whether a set holds a single site; if that is none, the answer is no matter."""

    @abstractmethod
    def some(self, f: Function, sites: Sites) -> Bit:
        """Return whether a set has a site."""

    def meet(self, f: Function, parts: list[Sites]) -> Bit:
        """Return whether several sets have a site in common."""
        return self.some(f, self.intersection(f, parts))

    @abstractmethod
    def equal(self, f: Function, a: Sites, b: Sites) -> Bit:
        """Return whether two sets are the same."""

    def subset(self, f: Function, a: Sites, b: Sites) -> Bit:
        """Return whether `a` is not empty and lies in `b`."""
        beyond = self.some(f, self.difference(f, a, b))
        some = self.some(f, a)
        return f.binary("and", I1, some, f.is_not(beyond))

    @abstractmethod
    def count(self, f: Function, sites: Sites) -> Word:
        """Return the number (i64) of sites."""

    def first(self, f: Function, sites: Sites) -> Sites:
        """Return the set of the first site."""
        return Sites(None, self.index(f, sites), sites.is_there)

    @abstractmethod
    def choose(self, f: Function, condition: Bit, a: Sites, b: Sites) -> Sites:
        """Return one of two sets."""

    # ----------------------------------------------------------------- relations

    @abstractmethod
    def image(self, f: Function, relation: Relation, sites: Sites) -> Sites:
        """Return what a relation leads to from a set."""

    # --------------------------------------------------------------------- loops

    @abstractmethod
    def each(self, f: Function, sites: Sites) -> AbstractContextManager[SiteLoop]:
        """Add what is done for each site of a set, in order."""

    @abstractmethod
    def above(self, f: Function, single: Sites) -> Sites:
        """Return all sites with a greater index than a single site; of none, all."""

    @abstractmethod
    def nth(self, f: Function, sites: Sites, number: Word) -> Word:
        """Return the index of the site that `number` (i64) sites precede; there must be one."""

    def nth_in_word(self, f: Function, word: Word, number: Word) -> Word:
        """Return the place of the bit of a word that `number` set bits precede."""
        return self.place_of_bit(f, self.nth_bit(f, word, number))

    def place_of_bit(self, f: Function, bit: Word) -> Word:
        """Return the place of the only bit that is set in a word."""
        return f.intrinsic("cttz", I64, bit, "i1 true")

    def nth_bit(self, f: Function, word: Word, number: Word) -> Word:
        """Return the word that has only that bit of another that `number` set bits precede."""
        if self.has_deposit:
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

    # -------------------------------------------------------------------- tables

    def _entry(self, f: Function, table: Address, site: Word, size: int, type_: Type[Kind]) -> Kind:
        """Read a table's entry for a site (i64; -1: none)."""
        return f.get(type_, self._entry_at(f, table, site, size))

    def _entry_at(self, f: Function, table: Address, site: Word, size: int) -> Address:
        """Return the address of a table's entry for a site; the first stands for no site."""
        offset = f.binary("mul", I64, site, size)
        return f.at(f.at(table, size), offset)
