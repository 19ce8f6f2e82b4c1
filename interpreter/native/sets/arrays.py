"""Sets of sites in machine code for large boards: what is done with arrays of words.

In: sets (`Sites`). Out: code for what can be done with sets. What then holds: an operation on
whole sets is one loop over their chunks, however many sets take part.

Most sets that rules speak of have few sites. So one site is kept as its index, what a relation
with few successors leads to from it as a list of indices, and an operation on lists only looks
at the bits of the sites in them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import accumulate, chain
from operator import and_, or_

from gdl.board.relation import Relation, listed
from gdl.core.nodes import Slot
from gdl.interpreter.native.emit.blocks import Label
from gdl.interpreter.native.emit.ir import WORD, WORLD, Function, Module
from gdl.interpreter.native.emit.kinds import (
    FALSE,
    I1,
    I16,
    I32,
    I64,
    PTR,
    TRUE,
    Address,
    Bit,
    Mask,
    Word,
)
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.sets.any_sets import MOST_SHIFTS, SiteLoop
from gdl.interpreter.native.sets.word_arrays import (
    CHUNK,
    CHUNK_BYTES,
    LANES,
    NO_BITS,
    WordSets,
    is_listed,
)

_MOST_UNCOUNTED = 4
"""So few sites are not worth being counted: shifts take no longer than their images."""
MOST_FEW = 16
"""The longest list of indices that is kept in registers."""


class ArraySets(WordSets):
    """Code for sets on a board of `size` sites; see `SetCode`.

    `bounds` say where the sets in a turn's variables can lie; others can be everywhere. `orbits`
    has those that are known of relations.
    """

    def __init__(self, module: Module, size: int, bounds: Mapping[Slot, int]) -> None:
        super().__init__(module, size)
        self.bounds = bounds
        self.everywhere = (1 << size) - 1
        self.orbits: dict[Relation, list[int]] = {}
        self.trails = Trails(self)
        self._least_and_most = cache(Relation.least_and_most)

    # ------------------------------------------------------------------- algebra

    def union(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the union."""
        if len(parts) == 1:
            return parts[0]
        within = reduce(or_, map(self._within, parts))
        whole = [part for part in parts if not is_listed(part)]
        if len(whole) == len(parts):
            return self._joined(f, "union", parts, within)
        result = self.variable(f)
        if len(whole) > 1:
            whole = [self._joined(f, "union", whole, within)]
        self.write(f, whole[0] if whole else Sites(known=0), result)
        for part in filter(is_listed, parts):
            self.include(f, result, part)
        return Sites(result, within=within)

    def _within(self, sites: Sites) -> int:
        return self.everywhere if sites.within is None else sites.within

    def intersection(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the intersection."""
        within = reduce(and_, map(self._within, parts))
        parts = self._without_idle(parts)
        if len(parts) == 1:
            return replace(parts[0], within=within)
        singles = [part for part in parts if part.site is not None]
        listed = next(iter((*singles, *filter(is_listed, parts))), None)
        if listed is None:
            return self._joined(f, "intersection", parts, within)
        for other in parts:
            if other is not listed:
                listed = self._filtered(f, listed, other, wanted=True)
        return replace(listed, within=within)

    def _without_idle(self, parts: list[Sites]) -> list[Sites]:
        """Leave out the known sets that another part lies within."""
        for part in tuple(parts):
            known, others = part.known, [other for other in parts if other is not part]
            if known is not None and any(not self._within(other) & ~known for other in others):
                parts = others
        return parts

    def difference(self, f: Function, a: Sites, b: Sites) -> Sites:
        """Return the sites of `a` that are not in `b`."""
        if not self._within(a) & self._within(b):
            return a
        if is_listed(a):
            return replace(self._filtered(f, a, b, wanted=False), within=a.within)
        if not is_listed(b):
            return self._joined(f, "difference", [a, b], self._within(a))
        result = self.variable(f, a)
        for index, there in self.listed(f, b):
            self.drop(f, result, index, there)
        return Sites(result, within=a.within)

    def _filtered(self, f: Function, listed: Sites, other: Sites, *, wanted: bool) -> Sites:
        """Return the sites of a list that are in another set, or those that are not."""
        kept = []
        for index, there in self.listed(f, listed):
            holds = self.holds(f, other, Sites(None, index, True))
            if not wanted:
                holds = f.is_not(holds)
            kept.append((index, holds if there == TRUE else f.binary("and", I1, there, holds)))
        if listed.site is not None:
            return Sites(None, self._or_none(f, *kept[0]), False)
        return Sites(few=tuple(kept))

    def some(self, f: Function, sites: Sites) -> Bit:
        """Return whether a set has a site."""
        if is_listed(sites):
            there = [is_in for _, is_in in self.listed(f, sites)]
            return f.joined("or", I1, there) if there else FALSE
        if sites.known is not None:
            return TRUE if sites.known else FALSE
        so_far = f.variable(CHUNK, NO_BITS)
        with self.chunks(f) as offset:
            part = self._part(f, sites, offset, CHUNK)
            f.put(CHUNK, f.binary("or", CHUNK, f.get(CHUNK, so_far), part), so_far)
        return self.is_some(f, f.get(CHUNK, so_far))

    def meet(self, f: Function, parts: list[Sites]) -> Bit:
        """Return whether several sets have a site in common."""
        return self.some(f, self.intersection(f, parts))

    def subset(self, f: Function, a: Sites, b: Sites) -> Bit:
        """Return whether `a` is not empty and lies in `b`."""
        beyond = self.some(f, self.difference(f, a, b))
        return f.binary("and", I1, self.some(f, a), f.is_not(beyond))

    def first(self, f: Function, sites: Sites) -> Sites:
        """Return the set of the first site."""
        return Sites(None, self.index(f, sites), sites.is_there)

    def equal(self, f: Function, a: Sites, b: Sites) -> Bit:
        """Return whether two sets are the same."""
        if a.site is not None and b.site is not None:
            return f.compare("eq", I64, a.site, b.site)
        differing = self._joined(f, "symmetric difference", [a, b], self.everywhere)
        return f.is_not(self.some(f, differing))

    def count(self, f: Function, sites: Sites) -> Word:
        """Return the number (i64) of sites."""
        if is_listed(sites):
            result = Word("0")
            for _, there in self.listed(f, sites):
                result = f.binary("add", I64, result, f.convert("zext", I1, there, I64))
            return result
        f.declare(f"i64 @llvm.vector.reduce.add.v{LANES}i64({CHUNK})")
        so_far = f.variable(CHUNK, NO_BITS)
        with self.chunks(f) as offset:
            part = self._part(f, sites, offset, CHUNK)
            f.add(CHUNK, f.intrinsic("ctpop", CHUNK, part), so_far)
        total = f.get(CHUNK, so_far)
        return f.call(I64, f"@llvm.vector.reduce.add.v{LANES}i64({CHUNK} {total})")

    def choose(self, f: Function, condition: Bit, a: Sites, b: Sites) -> Sites:
        """Return one of two sets."""
        none = Sites(None, Word("-1"), False, within=0)
        if a.known == 0 and b.site is not None:
            a = none
        elif b.known == 0 and a.site is not None:
            b = none
        if a.site is not None and b.site is not None:
            picked = f.select(condition, I64, a.site, b.site)
            within = self._within(a) | self._within(b)
            return Sites(None, picked, a.is_there and b.is_there, within=within)
        first, second = self.mask(f, a), self.mask(f, b)
        chosen = f.select(condition, PTR, first, second)
        return Sites(chosen, within=self._within(a) | self._within(b))

    # ----------------------------------------------------------------- relations

    def image(self, f: Function, relation: Relation, sites: Sites) -> Sites:
        """Return what a relation leads to from a set."""
        if sites.known is not None:
            return self.constant(relation.image(sites.known))
        within = self._within(sites)
        if sites.site is not None:
            fewest, most = self._least_and_most(relation, within)
            if most <= MOST_FEW:
                return self._image_of_one(f, relation, sites, fewest, most)
        known, missing = self._known_without(sites)
        if known:
            image = image_of_all_but(self, f, relation, known, self.union(f, list(missing)))
        else:
            image = image_of(self, f, relation, sites)
        image.within = relation.image(within)
        return image

    def _known_without(self, sites: Sites) -> tuple[int, tuple[Sites, ...]]:
        """Return the known set and the others in the difference that a set is; 0 if it is none."""
        if sites.joined is None or sites.joined[0] != "difference":
            return 0, ()
        first, *others = sites.joined[1]
        if first.joined is not None:
            known, before = self._known_without(first)
            return known, (*before, *others)
        return first.known or 0, tuple(others)

    def _image_of_one(
        self, f: Function, relation: Relation, sites: Sites, fewest: int, most: int
    ) -> Sites:
        """Read the indices of all that a relation leads to from one site out of a table.

        If there is a site, these are no fewer than the `fewest` and no more than the `most`.
        """
        assert sites.site is not None, "a single site"

        def lists() -> bytes:
            none = (-1,) * most
            padded = ((*row, *none)[:most] for row in targets_of(relation))
            return array("h", [*none, *chain.from_iterable(padded)]).tobytes()

        table = self.module.tables.once(("few", relation, most), lists)
        row = self._entry_at(f, table, sites.site, 2 * most)
        found = [f.get(I16, f.at(row, 2 * place)) for place in range(most)]
        image = relation.image(self._within(sites))
        if relation.is_function:
            site = f.convert("sext", I16, found[0], I64) if found else Word("-1")
            return Sites(None, site, sites.is_there and fewest == 1, within=image)
        few = []
        for place, entry in enumerate(found):
            there = TRUE
            if place >= fewest or not sites.is_there:
                there = f.compare("sge", I16, entry, 0)
                entry = f.select(there, I16, entry, 0)
            few.append((f.convert("zext", I16, entry, I64), there))
        return Sites(few=tuple(few), within=image)

    # --------------------------------------------------------------------- loops

    def each(self, f: Function, sites: Sites) -> AbstractContextManager[SiteLoop]:
        """Add what is done for each site of a set, in order."""
        indices = self.indices(f, sites)
        if indices is not None:
            return self.each_listed(f, indices, sites.within)
        address = self.variable(f, sites) if sites.known is None else self.mask(f, sites)
        return self.each_at(f, address, sites.within)

    def later(self, f: Function, sites: Sites, single: Sites) -> Sites:
        """Return the sites of a set with a greater index than a single site; of none, all."""
        assert single.site is not None, "a single site"
        if sites.few is not None:
            few = []
            for index, there in sites.few:
                is_later = f.compare("sgt", I64, index, single.site)
                few.append((index, f.binary("and", I1, there, is_later)))
            return replace(sites, few=tuple(few))
        result = self.variable(f)
        with self.offsets(f, 8) as now:
            next_ = f.binary("add", I64, single.site, 1)
            first = f.binary("sub", I64, next_, f.binary("mul", I64, now, 8))
            shift = f.select(f.compare("slt", I64, first, 0), I64, 0, first)
            high = f.compare("sge", I64, shift, WORD)
            moved = f.binary("shl", I64, -1, f.binary("and", I64, shift, 63))
            f.put(I64, f.select(high, I64, 0, moved), f.at(result, now))
        return self.intersection(f, [sites, Sites(result)])

    def nth(self, f: Function, sites: Sites, number: Word) -> Word:
        """Return the index of the site that `number` (i64) sites precede; there must be one."""
        if sites.few is not None:
            found, before = Word("0"), Word("0")
            for index, there in sites.few:
                is_it = f.binary("and", I1, there, f.compare("eq", I64, before, number))
                found = f.select(is_it, I64, index, found)
                before = f.binary("add", I64, before, f.convert("zext", I1, there, I64))
            return found
        sites = self._operand(f, sites)
        place, left = f.variable(I64, 0), f.variable(I64, number)
        with f.loop(self.bytes // 8) as loop:
            now, remaining = f.get(I64, place), f.get(I64, left)
            word = self._part(f, sites, now, I64)
            count = f.intrinsic("ctpop", I64, word)
            f.leave_if(f.compare("ult", I64, remaining, count), loop.done)
            f.put(I64, f.binary("sub", I64, remaining, count), left)
            f.put(I64, f.binary("add", I64, now, 8), place)
        inside = self.nth_in_word(f, word, remaining)
        return f.binary("add", I64, f.binary("mul", I64, now, 8), inside)


# ------------------------------------------------------- what relations lead to from sets in memory


def targets_of(relation: Relation) -> list[list[int]]:
    """Return the indices that a relation leads to from each site, ascending."""
    lists: list[list[int]] = [[] for _ in range(relation.size)]
    for sources, shift in relation.offset_classes:
        for source in listed(sources):
            lists[source].append(source + shift)
    return lists


def image_of(sets: ArraySets, f: Function, relation: Relation, sites: Sites) -> Sites:
    """Call the function that makes the image of a set."""

    def write(f: Function, source: Address, result: Address) -> None:
        _write_of_many(sets, f, relation, source, Sites(source), result)
        f.clear(result, sets.bytes)
        with (
            sets.each_at(f, source) as loop,
            _each_target(sets, f, relation, loop.index) as (target, _),
        ):
            sets.add(f, result, target)

    return sets.made_once(f, "image", (relation, 0), sites, write)


def image_of_all_but(
    sets: ArraySets, f: Function, relation: Relation, known: int, missing: Sites
) -> Sites:
    """Call the function that makes the image of a known set, but for the sites of another.

    It takes out of the image of the known set what only missing sites lead to.
    """

    def write(f: Function, source: Address, result: Address) -> None:
        sources, left_out = Sites(known=known), Sites(source)
        rest = Sites(joined=("difference", (sources, left_out)))
        _write_of_many(sets, f, relation, source, rest, result)
        f.copy(sets.mask(f, Sites(known=relation.image(known))), result, sets.bytes)
        back = relation.inverse()
        with (
            sets.each_at(f, source) as loop,
            f.when(sets.holds(f, sources, loop.site)),
            _each_target(sets, f, relation, loop.index) as (target, following),
        ):
            with _each_target(sets, f, back, target) as (other, _):
                one = Sites(None, other, True)
                stays = f.is_not(sets.holds(f, left_out, one))
                f.leave_if(f.binary("and", I1, sets.holds(f, sources, one), stays), following)
            sets.drop(f, result, target)

    return sets.made_once(f, "image", (relation, known), missing, write)


def _write_of_many(
    sets: ArraySets,
    f: Function,
    relation: Relation,
    counted: Address,
    sites: Sites,
    result: Address,
) -> None:
    """Write the image of a set, and return, if another has so many sites that shifts are quicker.

    Of a relation of many shifts, the images of its sites are always joined.
    """
    shifts = len(relation.offset_classes)
    if 0 < shifts <= MOST_SHIFTS:
        pairs = sum(sources.bit_count() for sources, _ in relation.offset_classes)
        most = sets.bytes // CHUNK_BYTES * shifts * sets.size // (sets.size + pairs)
        are_many = TRUE
        if most > _MOST_UNCOUNTED:
            are_many = f.compare("ugt", I64, sets.count(f, Sites(counted)), most)
        with f.when(are_many):
            _write_by_shifts(sets, f, relation, sites, result)
            f.give("void")


def _write_by_shifts(
    sets: ArraySets, f: Function, relation: Relation, sites: Sites, result: Address
) -> None:
    """Write the image of a set, chunk by chunk, by a shift for each class of a relation."""
    begin = _with_edges(sets, f, sites, [shift for _, shift in relation.offset_classes])
    with sets.chunks(f) as offset:
        here, image = f.at(begin, offset), NO_BITS
        for sources, shift in relation.offset_classes:
            targets = sources << shift if shift > 0 else sources >> -shift
            within = f.get(CHUNK, f.at(sets.mask(f, Sites(known=targets)), offset))
            moved = f.binary("and", CHUNK, _shifted(f, here, shift), within)
            image = f.binary("or", CHUNK, image, moved)
        f.put(CHUNK, image, f.at(result, offset))


def _with_edges(sets: ArraySets, f: Function, sites: Sites, shifts: Sequence[int]) -> Address:
    """Return the address of a copy of a set, behind and before as many zeros as shifts need."""
    ends = max(0, *shifts), -min(0, *shifts)
    before, after = ((end // WORD + 1) * WORD // 8 if end else 0 for end in ends)
    room = f.room(f"[{before + sets.bytes + after} x i8]")
    begin = f.at(room, before)
    for edge, size in ((room, before), (f.at(begin, sets.bytes), after)):
        if size:
            f.clear(edge, size)
    sets.write(f, sites, begin)
    return begin


def write_doublings(
    sets: ArraySets,
    f: Function,
    seed: Sites,
    path: Sites,
    far: int,
    longest: int,
    result: Address,
) -> None:
    """Write what is reached from a seed along a path by steps so far, of which there are few.

    That goes 1, 2, 4, … steps at once, up to the `longest` way. A chunk is changed after those are
    that are worked out from what it was before.
    """
    doublings = longest.bit_length()
    reached, open_ = (_with_edges(sets, f, given, [far << doublings - 1]) for given in (seed, path))
    last = sets.bytes - CHUNK_BYTES
    with f.rounds(doublings) as doubling:
        shift = f.binary("shl", I64, abs(far), doubling.number)
        words = f.binary("mul", I64, f.binary("lshr", I64, shift, 6), _bytes_on(far))
        first = f"{CHUNK} poison, i64 {f.binary('and', I64, shift, WORD - 1)}, i64 0"
        copies = f"{f.ins(f'insertelement {first}', CHUNK)}, {CHUNK} poison"
        by = f.ins(f"shufflevector {CHUNK} {copies}, <{LANES} x i32> zeroinitializer", CHUNK)
        with sets.chunks(f) as now:
            offset = f.binary("sub", I64, last, now) if far > 0 else now
            here, way = f.at(reached, offset), f.at(open_, offset)
            before, onward = f.get(CHUNK, here), f.get(CHUNK, way)
            moved, further = (_moved(f, f.at(one, words), far, by) for one in (here, way))
            moved = f.binary("and", CHUNK, moved, onward)
            f.put(CHUNK, f.binary("or", CHUNK, before, moved), here)
            f.put(CHUNK, f.binary("and", CHUNK, further, onward), way)
        f.need(sets.some(f, Sites(open_)), doubling.done)
    f.copy(reached, result, sets.bytes)


def _shifted(f: Function, address: Address, shift: int) -> Mask:
    """Read the chunk at an address of which each site's index is so much greater."""
    words, within = divmod(abs(shift), WORD)
    near = f.at(address, words * _bytes_on(shift))
    by = Mask(f"<{', '.join([f'i64 {within}'] * LANES)}>")
    return _moved(f, near, shift, by) if within else f.get(CHUNK, near)


def _moved(f: Function, near: Address, shift: int, by: Mask) -> Mask:
    """Read the chunk at an address, each word moved by so many bits, in the direction of a shift.

    The bits that come in are those of the word beyond.
    """
    chunks = [f.get(CHUNK, near), f.get(CHUNK, f.at(near, _bytes_on(shift)))]
    name = "fshl" if shift > 0 else "fshr"
    high, low = chunks if shift > 0 else reversed(chunks)
    f.declare(f"{CHUNK} @llvm.{name}.v{LANES}i64({CHUNK}, {CHUNK}, {CHUNK})")
    called = f"@llvm.{name}.v{LANES}i64({CHUNK} {high}, {CHUNK} {low}, {CHUNK} {by})"
    return f.call(CHUNK, called)


def _bytes_on(shift: int) -> int:
    """Return how many bytes on the word lies from which a shift moves bits into a word."""
    return -WORD // 8 if shift > 0 else WORD // 8


@contextmanager
def _each_target(
    sets: ArraySets, f: Function, relation: Relation, site: Word
) -> Iterator[tuple[Word, Label]]:
    """Write a loop over the sites that a relation leads to from a site, in order.

    Yields the present one (i64), and the label of what goes on to the next.
    """
    lists, tables = targets_of(relation), sets.module.tables
    begins = tables.add(array("I", [0, *accumulate(map(len, lists))]).tobytes())
    targets = tables.add(array("H", chain.from_iterable(lists)).tobytes())
    start = f.entry(I32, begins, site)
    place = f.variable(I64, f.unsigned(I32, start))
    last = f.unsigned(I32, f.at(start, 4))
    with f.loop(max(map(len, lists), default=0)) as loop:
        now = f.get(I64, place)
        f.need(f.compare("ult", I64, now, last), loop.done)
        f.put(I64, f.binary("add", I64, now, 1), place)
        yield f.unsigned(I16, f.entry(I16, targets, now)), loop.head


# ---------------------------------------------------- changes of sets in memory that are taken back

_MARK, _ADDRESS, _SOURCE = Address("%mark"), Address("%address"), Address("%source")


class Trails:
    """Writes stores into frames that keep what was there."""

    def __init__(self, sets: WordSets) -> None:
        self._module = sets.module
        self._sets = sets
        self._written: set[str] = set()

    def mark(self, f: Function, world: Address) -> Address:
        """Return a mark: where the trail ends now."""
        return f.get(PTR, f.at(world, w.TRAIL))

    def forget(self, f: Function, world: Address, mark: Address) -> None:
        """Leave out all entries after a mark; nothing is put back."""
        f.put(PTR, mark, f.at(world, w.TRAIL))

    def undo(self, f: Function, world: Address, mark: Address) -> None:
        """Put back all that was changed since a mark."""
        self._need("trail_undo", self._write_undo)
        f.do(f"call void @trail_undo(ptr {world}, ptr {mark})")

    def store(self, f: Function, world: Address, sites: Sites, address: Address) -> None:
        """Put a set in place of another."""
        self._need("trail_store", self._write_store)
        source = self._sets.mask(f, sites)
        f.do(f"call void @trail_store(ptr {world}, ptr {address}, ptr {source})")

    def add(
        self, f: Function, world: Address, address: Address, index: Word, *, takes_back: bool
    ) -> None:
        """Put a site (i64; -1: none) into a set, so that it can be taken back or for good."""
        self._change(f, world, address, index, is_there=False, takes_back=takes_back)

    def drop(
        self, f: Function, world: Address, address: Address, index: Word, *, takes_back: bool
    ) -> None:
        """Take a site (i64; -1: none) out of a set, so that it can be put back or for good."""
        self._change(f, world, address, index, is_there=True, takes_back=takes_back)

    def _change(
        self,
        f: Function,
        world: Address,
        address: Address,
        index: Word,
        *,
        is_there: bool,
        takes_back: bool,
    ) -> None:
        name = f"{'trail' if takes_back else 'set'}_{'drop' if is_there else 'add'}"
        self._need(name, partial(self._write_change, is_there=is_there, takes_back=takes_back))
        f.do(f"call void @{name}(ptr {world}, ptr {address}, i64 {index})")

    def _need(self, name: str, write: Callable[[str], None]) -> None:
        """Write a function the first time that it is called."""
        if name not in self._written:
            self._written.add(name)
            write(name)

    # ------------------------------------------------------------- the functions

    def _push(self, f: Function, where: Address, word: Word) -> None:
        """Write an entry; where the trail is full, there is an error in the world."""
        end = f.get(PTR, f.at(WORLD, w.TRAIL))
        last = f.get(PTR, f.at(WORLD, w.TRAIL_END))
        for is_full in f.either(f.compare("uge", PTR, end, last), True, False):
            if is_full:
                w.fail(f, WORLD, w.NO_ROOM)
                continue
            f.put(PTR, where, end)
            f.put(I64, word, f.at(end, 8))
            f.put(PTR, f.at(end, 16), f.at(WORLD, w.TRAIL))

    def _write_undo(self, name: str) -> None:
        with self._module.procedure(name, "ptr %world", "ptr %mark") as f:
            now = f.variable(PTR, self.mark(f, WORLD))
            with f.loop() as loop:
                end = f.get(PTR, now)
                f.need(f.compare("ugt", PTR, end, _MARK), loop.done)
                entry = f.at(end, -16)
                f.put(PTR, entry, now)
                f.put(I64, f.get(I64, f.at(entry, 8)), f.get(PTR, entry))
            self.forget(f, WORLD, _MARK)

    def _write_store(self, name: str) -> None:
        """Keep and write the words that differ, chunk by chunk."""
        sets, parameters = self._sets, ("ptr %world", "ptr %address", "ptr %source")
        with (
            self._module.procedure(name, *parameters) as f,
            sets.chunks(f) as offset,
        ):
            old, new = (f.get(CHUNK, f.at(one, offset)) for one in (_ADDRESS, _SOURCE))
            with f.when(sets.is_some(f, f.binary("xor", CHUNK, old, new))):
                end = f.binary("add", I64, offset, CHUNK_BYTES)
                with f.strides(offset, end, 8, CHUNK_BYTES // 8) as now:
                    where = f.at(_ADDRESS, now)
                    before, after = f.get(I64, where), f.get(I64, f.at(_SOURCE, now))
                    with f.when(f.compare("ne", I64, before, after)):
                        self._push(f, where, before)
                        f.put(I64, after, where)

    def _write_change(self, name: str, *, is_there: bool, takes_back: bool) -> None:
        """Write the function that changes the bit of a site that is there, or that is not."""
        with self._module.procedure(name, "ptr %world", "ptr %address", "i64 %index") as f:
            with f.when(f.compare("slt", I64, Word("%index"), 0)):
                f.give("void")
            where, place = self._sets.address(f, _ADDRESS, Word("%index"))
            before = f.get(I64, where)
            bit = f.has_bit(I64, before, place)
            with f.when(bit if is_there else f.is_not(bit)):
                if takes_back:
                    self._push(f, where, before)
                f.put(I64, f.binary("xor", I64, before, f.binary("shl", I64, 1, place)), where)
