"""Sets to choose from that only lose sites: kept as words with counts while a game is played.

In: the domains of first choices. Out: code that draws from them and takes sites out. What then
holds: a pool has the sites of its domain in the present position, and how many there are in all
and before each word.

The domain of most placements is a board without the sites of some layers. A piece that is placed
takes one site out of it; so there is no need to make the set anew for each move and to count it
from one end to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from gdl.analysis.changes import Changes
from gdl.core import build
from gdl.core.nodes import Choose, Const, Expression, Get, Op, SitesOf, Slot
from gdl.core.types import FLAG
from interpreter.native.emit.ir import WORD, Function, Module, width_of
from interpreter.native.emit.values import Flag, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.sets.set_code import SetCode


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


@dataclass(frozen=True)
class _Drawn:
    """A site that was drawn from a pool: its word's place, and its bit there (both i64).

    `shift` is by how much the counts are moved so that those of its word come first.
    """

    pool: int
    word: str
    bit: str
    shift: str


class Pools:
    """Writes the code of pools, which are in two pieces of memory of `bytes` and `count_bytes`.

    The first has the words. The second has, for each pool, how many sites it has, and one large
    number that tells how many sites each word has before it: a lane for each word, which holds
    the value of its highest bit less that count. To find the word of the n-th site, n is added
    to all lanes at once; the highest bit is then set in those of all words up to the one that is
    looked for, and the lane of that word has the place of the site there. All this lives in
    registers, and no branch has to be foretold.

    Boards whose sets are in memory have no pools.
    """

    def __init__(
        self,
        module: Module,
        sets: SetCode,
        expressions: Expressions,
        choices: Iterable[Choose | None],
    ) -> None:
        self._module = module
        self._sets = sets
        self._expressions = expressions
        has_words = not isinstance(sets, ArraySets) and sets.bits <= 1024
        found = [pool_of(choice) for choice in choices] if has_words else []
        self._pools = tuple(dict.fromkeys(pool for pool in found if pool is not None))
        self._words = sets.bits // WORD
        self._lane = sets.size.bit_length() + 1
        self._counts_bits = width_of(0, (1 << self._words * self._lane) - 1)
        self._type = f"i{self._counts_bits}"
        self._drawn: dict[Slot, _Drawn] = {}
        self._slots = [Slot(f"pool {number + 1}", FLAG) for number in range(len(self._pools))]

    @property
    def bytes(self) -> int:
        """The size of the words of all pools."""
        return len(self._pools) * 8 * self._words

    @property
    def count_bytes(self) -> int:
        """The size of the counts of all pools."""
        return len(self._pools) * self._one_count

    @property
    def _one_count(self) -> int:
        return 8 + (self._counts_bits // 8 if self._words > 1 else 0)

    def refilled(self, changed: AbstractSet[Slot]) -> frozenset[Slot]:
        """Return the layers that are read where some have `changed`."""
        layers = [pool.layers for pool in self._pools if pool.layers & changed]
        return frozenset().union(*layers)

    @property
    def conditions(self) -> dict[Expression, Get]:
        """The conditions that a pool has sites, each with what stands for it; see `flags`."""
        return {
            build.some(pool.domain): Get(slot)
            for pool, slot in zip(self._pools, self._slots, strict=True)
        }

    def flags(self, f: Function, counts: str) -> Iterator[tuple[Slot, Flag]]:
        """Yield what stands for each condition, and write whether it holds."""
        for number, slot in enumerate(self._slots):
            yield slot, Flag(f.ins(f"icmp ne i64 {self.total(f, counts, number)}, 0"))

    def number(self, choice: Choose | None) -> int | None:
        """Return the number of the pool that a choice draws from, if it has one."""
        pool = pool_of(choice)
        return self._pools.index(pool) if pool in self._pools else None

    def _word(self, f: Function, pools: str, number: int, word: str) -> str:
        first = f.at(pools, number * 8 * self._words)
        return first if self._words == 1 else f.at(first, f.ins(f"shl i64 {word}, 3"))

    def _total(self, f: Function, counts: str, number: int) -> str:
        return f.at(counts, number * self._one_count)

    def _lanes(self, f: Function, counts: str, number: int) -> str:
        return f.at(counts, number * self._one_count + 8)

    def _in_lanes(self, value: int, first: int = 0) -> int:
        """Return a value in all lanes from one on."""
        return sum(value << self._lane * word for word in range(first, self._words))

    def fill(self, p: Place, pools: str, counts: str) -> None:
        """Write that all pools are made from a position."""
        for number in range(len(self._pools)):
            self._fill(p, pools, counts, number)

    def _fill(self, p: Place, pools: str, counts: str, number: int) -> None:
        f, sets = p.f, self._sets
        self._module.declare("i64 @llvm.ctpop.i64(i64)")
        mask = sets.mask(f, self._expressions.sites(p, self._pools[number].domain))
        highest = 1 << self._lane - 1
        total, lanes = "0", str(self._in_lanes(highest))
        for place in range(self._words):
            moved = f.ins(f"lshr {sets.type} {mask}, {place * WORD}") if place else mask
            word = moved if self._words == 1 else f.ins(f"trunc {sets.type} {moved} to i64")
            many = f.ins(f"call i64 @llvm.ctpop.i64(i64 {word})")
            f.put("i64", word, self._word(f, pools, number, str(place)))
            total = f.ins(f"add i64 {total}, {many}")
            if place < self._words - 1:
                wide = self._widened(f, many)
                further = f.ins(f"mul {self._type} {wide}, {self._in_lanes(1, place + 1)}")
                lanes = f.ins(f"sub {self._type} {lanes}, {further}")
        f.put("i64", total, self._total(f, counts, number))
        if self._words > 1:
            f.put(self._type, lanes, self._lanes(f, counts, number))

    def _widened(self, f: Function, number: str) -> str:
        return number if self._type == "i64" else f.ins(f"zext i64 {number} to {self._type}")

    def _narrowed(self, f: Function, number: str) -> str:
        return number if self._type == "i64" else f.ins(f"trunc {self._type} {number} to i64")

    def total(self, f: Function, counts: str, number: int) -> str:
        """Return how many sites (i64) a pool has."""
        return f.get("i64", self._total(f, counts, number))

    def draw(
        self, f: Function, pools: str, counts: str, number: int, choice: Choose, place: str
    ) -> Sites:
        """Return the site that `place` (i64) sites of a pool precede, the value of a choice."""
        word, shift, left = "0", "0", place
        if self._words > 1:
            word, shift, left = self._find(f, counts, number, place)
        now = f.get("i64", self._word(f, pools, number, word))
        bit = self._sets.nth_bit(f, now, left)
        self._drawn[choice.slot] = _Drawn(number, word, bit, shift)
        index = self._sets.place_of_bit(f, bit)
        if self._words == 1:
            return Sites(bit, index, True)
        return self._sets.one(
            f.ins(f"or i64 {f.ins(f'shl i64 {word}, 6')}, {index}"), is_there=True
        )

    def _find(self, f: Function, counts: str, number: int, place: str) -> tuple[str, str, str]:
        """Return the place of a word, that of its lane, and how many of its sites precede."""
        type_ = self._type
        self._module.declare(f"{type_} @llvm.ctpop.{type_}({type_})")
        self._module.declare(f"{type_} @llvm.ctlz.{type_}({type_}, i1)")
        lanes = f.get(type_, self._lanes(f, counts, number))
        spread = f.ins(f"mul {type_} {self._widened(f, place)}, {self._in_lanes(1)}")
        reached = f.ins(f"add {type_} {lanes}, {spread}")
        marks = f.ins(f"and {type_} {reached}, {self._in_lanes(1 << self._lane - 1)}")
        many = f.ins(f"call {type_} @llvm.ctpop.{type_}({type_} {marks})")
        word = f.ins(f"sub i64 {self._narrowed(f, many)}, 1")
        above = f.ins(f"call {type_} @llvm.ctlz.{type_}({type_} {marks}, i1 true)")
        shift = f.ins(f"sub {type_} {self._counts_bits - self._lane}, {above}")
        lane = self._narrowed(f, f.ins(f"lshr {type_} {reached}, {shift}"))
        return word, shift, f.ins(f"and i64 {lane}, {WORD - 1}")

    def forget(self, slot: Slot) -> None:
        """Take note that the value of a choice is no longer what was drawn last."""
        self._drawn.pop(slot, None)

    def follow(self, p: Place, pools: str, counts: str, done: Changes) -> None:
        """Write what a way does to the pools."""
        for number, pool in enumerate(self._pools):
            if pool.layers & done.changed:
                self._fill(p, pools, counts, number)
                continue
            added = [site for layer, site in done.added if layer in pool.layers]
            drawn = [s for s in added if s in self._drawn and self._drawn[s].pool == number]
            for site in dict.fromkeys((*drawn, *added)):
                if site in drawn:
                    self._take_drawn(p.f, pools, counts, self._drawn[site])
                    continue
                value = self._expressions.sites(p, Get(site))
                self._take_out(p.f, pools, counts, number, self._sets.index(p.f, value))

    def word_and_bit(self, p: Place, layer: str, site: Slot) -> tuple[str, str]:
        """Return the address of the word of a layer that a chosen site is in, and its bit."""
        f = p.f
        drawn = self._drawn.get(site)
        if drawn is not None:
            return f.at(layer, f.ins(f"shl i64 {drawn.word}, 3")), drawn.bit
        index = self._sets.index(f, self._expressions.sites(p, Get(site)))
        word = f.ins(f"lshr i64 {index}, 6")
        bit = f.ins(f"shl i64 1, {f.ins(f'and i64 {index}, 63')}")
        return f.at(layer, f.ins(f"shl i64 {word}, 3")), bit

    def _take_drawn(self, f: Function, pools: str, counts: str, drawn: _Drawn) -> None:
        """Write that a site that was drawn, and so is in its pool, is taken out."""
        address = self._word(f, pools, drawn.pool, drawn.word)
        f.put("i64", f.ins(f"xor i64 {f.get('i64', address)}, {drawn.bit}"), address)
        self._lessen(f, counts, drawn.pool, "1", drawn.shift)

    def _take_out(self, f: Function, pools: str, counts: str, number: int, index: str) -> None:
        word, place, shift = "0", index, "0"
        if self._words > 1:
            word = f.ins(f"lshr i64 {index}, 6")
            place = f.ins(f"and i64 {index}, 63")
            shift = self._widened(f, f.ins(f"mul i64 {word}, {self._lane}"))
        address = self._word(f, pools, number, word)
        now = f.get("i64", address)
        bit = f.ins(f"shl i64 1, {place}")
        f.put("i64", f.ins(f"and i64 {now}, {f.ins(f'xor i64 {bit}, -1')}"), address)
        had = f.ins(f"and i64 {f.ins(f'lshr i64 {now}, {place}')}, 1")
        self._lessen(f, counts, number, had, shift)

    def _lessen(self, f: Function, counts: str, number: int, by: str, shift: str) -> None:
        """Write that the word of the lane at `shift` has one site less, or none (`by` is 0)."""
        total = self._total(f, counts, number)
        f.put("i64", f.ins(f"sub i64 {f.get('i64', total)}, {by}"), total)
        if self._words == 1:
            return
        more = f.ins(f"shl {self._type} {self._in_lanes(1, 1)}, {shift}")
        if by != "1":
            more = f.ins(f"mul {self._type} {more}, {self._widened(f, by)}")
        address = self._lanes(f, counts, number)
        f.put(self._type, f.ins(f"add {self._type} {f.get(self._type, address)}, {more}"), address)
