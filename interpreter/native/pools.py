"""Sets to choose from that only lose sites: kept as words with counts while a game is played.

In: the domains of first choices. Out: code that draws from them and takes sites out. What then
holds: a pool has the sites of its domain in the present position, and how many there are in each
word.

The domain of most placements is a board without the sites of some layers. A piece that is placed
takes one site out of it; so there is no need to make the set anew for each move and to count it
from one end to the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gdl.core.nodes import Choose, Const, Expression, Get, Op, SitesOf, Slot
from interpreter.native.arrays import ArraySets
from interpreter.native.code import WORD, Function, Module
from interpreter.native.expressions import Expressions, Place
from interpreter.native.newest import Changes
from interpreter.native.sets import RegisterSets


@dataclass(frozen=True)
class Pool:
    """A domain: a known set without the sites of some layers."""

    domain: Expression
    layers: frozenset[Slot]


def pool_of(choice: Choose | None) -> Pool | None:
    """Return the pool that a choice draws from, if its domain is one."""
    if choice is None or not isinstance(choice.domain, SitesOf):
        return None
    domain = choice.domain.sites
    match domain:
        case Op("difference", (Const(), Op("union", layers))):
            parts = layers
        case Op("difference", (Const(), Get() as layer)):
            parts = (layer,)
        case _:
            return None
    slots = [part.slot for part in parts if isinstance(part, Get)]
    return Pool(domain, frozenset(slots)) if len(slots) == len(parts) else None


class Pools:
    """Writes the code of pools; `bytes` is the size of the memory that they are in.

    Boards of one word have none: there, nothing is quicker than the set itself. Nor have those
    whose sets are in memory.
    """

    def __init__(
        self,
        module: Module,
        sets: RegisterSets,
        expressions: Expressions,
        choices: Iterable[Choose | None],
    ) -> None:
        self._module = module
        self._sets = sets
        self._expressions = expressions
        has_words = not isinstance(sets, ArraySets) and WORD < sets.bits <= 1024
        found = [pool_of(choice) for choice in choices] if has_words else []
        self._pools = tuple(dict.fromkeys(pool for pool in found if pool is not None))
        self._words = sets.bits // WORD
        self._one = 8 * (2 * self._words + 1)

    @property
    def bytes(self) -> int:
        """The size of all pools."""
        return len(self._pools) * self._one

    def number(self, choice: Choose | None) -> int | None:
        """Return the number of the pool that a choice draws from, if it has one."""
        pool = pool_of(choice)
        return self._pools.index(pool) if pool in self._pools else None

    def _word(self, number: int, word: int) -> int:
        return number * self._one + 8 * word

    def _count(self, number: int, word: int) -> int:
        return number * self._one + 8 * (self._words + word)

    def _total(self, number: int) -> int:
        return number * self._one + 16 * self._words

    def fill(self, p: Place, pools: str) -> None:
        """Write that all pools are made from a position."""
        for number in range(len(self._pools)):
            self._fill(p, pools, number)

    def _fill(self, p: Place, pools: str, number: int) -> None:
        f, sets = p.f, self._sets
        self._module.declare("i64 @llvm.ctpop.i64(i64)")
        mask = sets.mask(f, self._expressions.sites(p, self._pools[number].domain))
        total = "0"
        for place in range(self._words):
            moved = f.ins(f"lshr {sets.type} {mask}, {place * WORD}") if place else mask
            word = f.ins(f"trunc {sets.type} {moved} to i64")
            many = f.ins(f"call i64 @llvm.ctpop.i64(i64 {word})")
            f.put("i64", word, f.at(pools, self._word(number, place)))
            f.put("i64", many, f.at(pools, self._count(number, place)))
            total = f.ins(f"add i64 {total}, {many}")
        f.put("i64", total, f.at(pools, self._total(number)))

    def total(self, f: Function, pools: str, number: int) -> str:
        """Return how many sites (i64) a pool has."""
        return f.get("i64", f.at(pools, self._total(number)))

    def nth(self, f: Function, pools: str, number: int, place: str) -> str:
        """Return the index of the site that `place` (i64) sites of a pool precede."""
        before, word, skipped = "0", "0", "0"
        for later in range(1, self._words):
            count = f.get("i64", f.at(pools, self._count(number, later - 1)))
            before = f.ins(f"add i64 {before}, {count}")
            is_further = f.ins(f"icmp uge i64 {place}, {before}")
            word = f.ins(f"add i64 {word}, {f.ins(f'zext i1 {is_further} to i64')}")
            skipped = f.ins(f"select i1 {is_further}, i64 {before}, i64 {skipped}")
        address = self._entry(f, pools, self._word(number, 0), word)
        left = f.ins(f"sub i64 {place}, {skipped}")
        bit = self._sets.nth_in_word(f, f.get("i64", address), left)
        return f.ins(f"add i64 {f.ins(f'shl i64 {word}, 6')}, {bit}")

    def _entry(self, f: Function, pools: str, offset: int, word: str) -> str:
        return f.at(f.at(pools, offset), f.ins(f"shl i64 {word}, 3"))

    def follow(self, p: Place, pools: str, done: Changes) -> None:
        """Write what a way does to the pools."""
        for number, pool in enumerate(self._pools):
            if pool.layers & done.changed:
                self._fill(p, pools, number)
                continue
            for site in dict.fromkeys(site for layer, site in done.added if layer in pool.layers):
                value = self._expressions.sites(p, Get(site))
                self._take_out(p.f, pools, number, self._sets.index(p.f, value))

    def _take_out(self, f: Function, pools: str, number: int, index: str) -> None:
        word = f.ins(f"lshr i64 {index}, 6")
        place = f.ins(f"and i64 {index}, 63")
        address = self._entry(f, pools, self._word(number, 0), word)
        now = f.get("i64", address)
        bit = f.ins(f"shl i64 1, {place}")
        f.put("i64", f.ins(f"and i64 {now}, {f.ins(f'xor i64 {bit}, -1')}"), address)
        had = f.ins(f"and i64 {f.ins(f'lshr i64 {now}, {place}')}, 1")
        count = self._entry(f, pools, self._count(number, 0), word)
        f.put("i64", f.ins(f"sub i64 {f.get('i64', count)}, {had}"), count)
        total = f.at(pools, self._total(number))
        f.put("i64", f.ins(f"sub i64 {f.get('i64', total)}, {had}"), total)
