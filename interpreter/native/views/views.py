"""All views of a game, side by side in one piece of memory.

In: what `gdl.analysis.views` finds worth being kept. Out: the views, each of the kind that is
quickest on the board; code that makes them all, and that follows what a way does. What then holds:
after both, each view is that of the position that it stands beside.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from gdl.analysis.changes import Changes, Gain
from gdl.analysis.groups import MOST_TARGETS, Group, TouchCondition, TriangulatedDisc
from gdl.analysis.rows import Lines, Rows, lines_of
from gdl.analysis.views import Kept, Pool
from gdl.board.relation import Relation, bits, site_set
from gdl.core.nodes import Choose, Expression, Get, Op, Slot
from gdl.core.walk import expressions_in
from gdl.interpreter.native.choices import TREES
from gdl.interpreter.native.emit.ir import WORD, WORD_BYTES, Function, Module
from gdl.interpreter.native.emit.kinds import FALSE, I1, I8, I16, I64, Address, Bit, Word
from gdl.interpreter.native.emit.values import Flag, Sites
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.views.pools import PoolView
from gdl.interpreter.native.views.view import KeptView, View, packed


class Views:
    """Writes the code of all views, which take `bytes` of memory; `known` is what they tell.

    If it `tells_costly`, some of that would have to be worked out else.
    """

    def __init__(
        self, expressions: Expressions, kept: tuple[Kept, ...], pools: Mapping[Choose, Pool]
    ) -> None:
        self._expressions = expressions
        views = {
            pool: PoolView(expressions, pool, [c for c, other in pools.items() if other == pool])
            for pool in pools.values()
        }
        self.pool_of = {choice: views[pool] for choice, pool in pools.items()}
        self.all: tuple[View, ...] = (*views.values(), *_views_of(expressions, kept))
        self.tells_costly = len(self.all) > len(views)
        self.known: dict[Expression, Expression] = {}
        self.bytes = 0
        for view in self.all:
            self.known |= view.stands_for
            view.begin = self.bytes
            self.bytes += -(-view.bytes // 8) * 8

    def write(self) -> None:
        """Write `keep(frame, world, views)`: all views are made from a position."""
        parameters = ["ptr %frame", "ptr %world", "ptr %views"]
        module = self._expressions.sets.module
        f = module.function("keep", "internal void", parameters, "noinline ")
        for view in self.all:
            view.fill(Place(f))
        f.give("void")

    def read(self, p: Place) -> Iterator[tuple[Slot, Flag]]:
        """Yield what stands for conditions besides flags in the frame, and write it."""
        for view in self.all:
            yield from view.read(p)

    def follow(self, p: Place, done: Changes) -> None:
        """Write what a way has done to the views."""
        sets, read = self._expressions.sets, self._expressions.sites
        for view in self.all:
            gains = _gains_of(view, done)
            if _is_made_anew(view, done):
                view.fill(p)
                continue
            if not all(gain.is_single for gain in gains):
                gained = gains[0].site
                with sets.each(p.f, read(p, Get(gained))) as loop:
                    site = sets.one(loop.index, is_there=True)
                    view.follow(p.binding(gained, site), (gained,))
                continue
            sure = dict.fromkeys(gain.site for gain in gains if _is_sure(view, gain))
            if sure:
                view.follow(p, tuple(sure))
            for gain in gains:
                if gain.site not in sure:
                    own = [read(p, Get(layer)) for layer in view.layers if layer in gain.layers]
                    single = read(p, Get(gain.site))
                    with p.f.when(sets.holds(p.f, sets.union(p.f, own), single)):
                        view.follow(p, (gain.site,))

    def looked_at(self, done: Changes) -> Iterator[Slot]:
        """Yield the layers that are read to follow what a way has done, and to tell what holds."""
        for view in self.all:
            if view.reads_layers or _is_made_anew(view, done):
                yield from view.layers
            for gain in _gains_of(view, done):
                if not (gain.is_single and _is_sure(view, gain)):
                    yield from gain.layers


def _is_made_anew(view: View, done: Changes) -> bool:
    """Return whether a view is made anew after what a way has done, and so reads all its layers."""
    gains = _gains_of(view, done)
    if not done.changed.isdisjoint(view.layers):
        return True
    if all(gain.is_single for gain in gains):
        return False
    return len(gains) > 1 or not (_is_sure(view, gains[0]) and view.follows_sets)


def _gains_of(view: View, done: Changes) -> list[Gain]:
    """Return what the layers of a view have gained."""
    return [gain for gain in done.added if not gain.layers.isdisjoint(view.layers)]


def _is_sure(view: View, gain: Gain) -> bool:
    """Return whether the layers of a view gain a site whatever happens."""
    return gain.is_sure and gain.layers.issubset(view.layers)


def _views_of(expressions: Expressions, conditions: tuple[Kept, ...]) -> Iterator[View]:
    """Yield the views of conditions."""
    sets = expressions.sets
    trees: list[list[Kept]] = []
    lines_of_rows = cache(lines_of)
    for number, kept in enumerate(conditions):
        if isinstance(kept.asks, Rows):
            if sets.size <= MOST_TABULATED and not sets.are_arrays:
                yield TableView(expressions, kept, kept.asks)
                continue
            if sets.bits <= WORD and _is_shifts(kept.condition):
                continue
            lines = lines_of_rows(kept.asks.families, sets.size)
            if lines is not None:
                yield LineView(expressions, kept, lines, f"row_{number}")
        elif _has_trees(expressions, kept.asks):
            known = next((group for group in trees if can_share([*group, kept])), None)
            if known is None:
                trees.append(known := [])
            known.append(kept)
        elif kept.asks.with_newest is not None:
            yield FloodView(expressions, (kept,))
    for number, group in enumerate(trees):
        yield TreeView(expressions, group, f"join_{number}")


def _is_shifts(condition: Expression) -> bool:
    """Return whether each image in a condition is one shift: so it is soon worked out."""
    images = (node.payload for node in expressions_in(condition) if isinstance(node, Op))
    relations = [relation for relation in images if isinstance(relation, Relation)]
    return all(len(relation.offset_classes) == 1 for relation in relations)


def _has_trees(expressions: Expressions, asks: Group) -> bool:
    """Return whether groups are kept as trees: where a flood would be slow, or can't tell."""
    least = WORD if asks.may_end else 2 * WORD
    return TREES in expressions.choices and expressions.sets.bits > least


# ----------------------------------------------------------- views of what groups touch and enclose

_ENTRY = 4
_STATE = 2
_ADDED = 1 << 15
_USUAL_DEPTH = 16
"""How long a way to a root usually is at most."""
_MOST_TESTS = 8


class FloodView(KeptView):
    """A condition on groups, of which that of a new site is worked out."""

    reads_layers = True

    def add(self, p: Place, memory: Address, site: Sites) -> list[Bit]:
        """Write what the group of a site does."""
        asks = self.kept[0].asks
        assert isinstance(asks, Group) and asks.with_newest is not None, "the newest site tells"
        return [self._expressions.flag(p.binding(asks.newest, site), asks.with_newest)]

    def fill(self, p: Place) -> None:
        """Write that the condition is worked out."""
        holds = self._expressions.flag(p, self.kept[0].condition)
        self._expressions.write(p, self.kept[0].slot, Flag(holds))


class TreeView(KeptView):
    """All that is asked of the groups of some layers under one relation, kept as trees."""

    follows_sets = False

    def __init__(self, expressions: Expressions, kept: Sequence[Kept], name: str) -> None:
        """Write `name(memory, site)`: it adds a site, and returns a bit for each condition."""
        super().__init__(expressions, kept)
        self._asked = _asked_of(kept)
        self._targets = _targets_of(self._asked)
        discs = (g.test for g in self._asked if isinstance(g.test, TriangulatedDisc))
        self._disc = next(discs, None)
        self._size = self._sets.size
        self.bytes = -(-(self._size + 1) * _ENTRY // 8) * 8
        self.reads_layers = any(group.may_end for group in self._asked)
        self._name = name
        self._write_add()

    def add(self, p: Place, memory: Address, site: Sites) -> list[Bit]:
        """Write that a site joins its neighbours' groups."""
        f = p.f
        index = self._sets.index(f, site)
        found = f.call(I8, f"@{self._name}(ptr {memory}, i64 {index})")
        return [f.has_bit(I8, found, place) for place in range(len(self.kept))]

    def _write_add(self) -> None:
        parameters, site = ["ptr %memory", "i64 %site"], Word("%site")
        f = self._module.function(self._name, "internal i8", parameters, "noinline ")
        touches, root = f.variable(I16), f.variable(I64)
        own = _entry(f, site)
        alone = f.get(I16, f.entry(I16, self._touched_alone(), site))
        is_added = f.binary("or", I16, alone, f.get(I16, f.at(own, _STATE)))
        with f.when(f.compare("slt", I16, is_added, 0)):
            f.give("i8 0")
        f.put(I16, alone, touches)
        f.put(I64, site, root)
        f.put(I16, f.convert("trunc", I64, site, I16), own)
        runs, groups = self._meet_neighbours(f, site, touches, root)
        found = f.get(I16, touches)
        state = f.binary("or", I16, found, _ADDED - (1 << 16))
        f.put(I16, state, f.at(own, _STATE))
        f.put(I16, state, f.at(_entry(f, f.get(I64, root)), _STATE))
        told = f.get(I8, f.at(self._told(), f.convert("zext", I16, found, I64)))
        if self._disc is not None:
            rings = sum(1 << i for i, group in enumerate(self._asked) if group.may_end)
            is_ring = f.compare("ugt", I64, f.get(I64, runs), f.get(I64, groups))
            told = f.binary("or", I8, told, f.select(is_ring, I8, rings, 0))
        f.give(f"i8 {told}")

    def _touched_alone(self) -> Address:
        """Return a table of the sets (i16) that each site has; those in no group are marked."""
        within = self._asked[0].within
        touched = (
            sum(1 << i for i, target in enumerate(self._targets) if target >> site & 1)
            | (0 if within >> site & 1 else _ADDED)
            for site in range(self._size)
        )
        return self._module.tables.add(packed(touched))

    def _told(self) -> Address:
        """Return a table of the conditions that hold of a group, by the sets that it touches."""
        told = bytearray(1 << len(self._targets))
        for place, group in enumerate(self._asked):
            if isinstance(group.test, TouchCondition):
                places = [self._targets.index(target) for target in group.test.targets]
                for touched in range(len(told)):
                    own = sum(1 << i for i, at in enumerate(places) if touched >> at & 1)
                    told[touched] |= (group.test.holds >> own & 1) << place
        return self._module.tables.add(bytes(told))

    def _neighbours(self) -> tuple[Address, int]:
        """Return a table of the neighbours of each site, and how many numbers each has there.

        Where rings are asked for, the first is the neighbour before the others around the site,
        or none: the entry behind all sites, which is never added.
        """
        first, disc = self._asked[0], self._disc
        lists = [list(bits(near & first.within)) for near in first.relation.successors]
        if disc is not None:
            ends = (disc.border >> site & 1 for site in range(self._size))
            lists = [
                [self._size if end else near[-1], *near]
                for end, near in zip(ends, disc.around, strict=True)
            ]
        each = max(map(len, lists), default=0) + 1
        filled = (number for near in lists for number in near + [0xFFFF] * (each - len(near)))
        return self._module.tables.add(packed(filled)), each

    def _meet_neighbours(
        self, f: Function, site: Word, touches: Address, root: Address
    ) -> tuple[Address, Address]:
        """Hang the roots of the neighbours' trees below the site's root, or the other way round.

        Returns the addresses of how many runs of neighbours around the site were added, and how
        many groups they have, where that is asked for.
        """
        table, each = self._neighbours()
        place, runs, groups, before = (f.variable(I64) for _ in range(4))
        begin = f.binary("mul", I64, site, 2 * each)
        has_rings = self._disc is not None
        if has_rings:
            f.put(I64, 0, runs)
            f.put(I64, 0, groups)
            last = f.get(I16, f.at(table, begin))
            f.put(I64, _was_added(f, _entry(f, f.convert("zext", I16, last, I64))), before)
            begin = f.binary("add", I64, begin, 2)
        f.put(I64, begin, place)
        with f.loop(each) as loop:
            now = f.get(I64, place)
            index = f.get(I16, f.at(table, now))
            f.put(I64, f.binary("add", I64, now, 2), place)
            f.leave_if(f.compare("eq", I16, index, -1), loop.done)
            neighbour = f.convert("zext", I16, index, I64)
            added = _was_added(f, _entry(f, neighbour))
            if has_rings:
                begins = f.binary("and", I64, added, f.binary("xor", I64, f.get(I64, before), 1))
                f.add(I64, begins, runs)
                f.put(I64, added, before)
            f.leave_if(f.compare("eq", I64, added, 0), loop.head)
            other = _root(f, neighbour)
            mine = f.get(I64, root)
            f.leave_if(f.compare("eq", I64, other, mine), loop.head)
            if has_rings:
                f.add(I64, 1, groups)
            state = f.get(I16, f.at(_entry(f, other), _STATE))
            theirs = f.binary("and", I16, state, _ADDED - 1)
            f.put(I16, f.binary("or", I16, f.get(I16, touches), theirs), touches)
            f.put(I16, f.convert("trunc", I64, other, I16), _entry(f, mine))
            f.put(I64, other, root)
        return runs, groups


def _entry(f: Function, site: Word) -> Address:
    return f.at(Address("%memory"), f.binary("shl", I64, site, 2))


def _was_added(f: Function, entry: Address) -> Word:
    """Return 1 (i64) if the site of an entry was added, or else 0."""
    state = f.get(I16, f.at(entry, _STATE))
    return f.convert("zext", I16, f.binary("lshr", I16, state, 15), I64)


def _root(f: Function, site: Word) -> Word:
    """Write the way to the root of a site, which becomes half as long."""
    here = f.variable(I64, site)
    with f.loop(_USUAL_DEPTH) as loop:
        now = f.get(I64, here)
        entry = _entry(f, now)
        parent = f.unsigned(I16, entry)
        f.leave_if(f.compare("eq", I64, parent, now), loop.done)
        above = f.get(I16, _entry(f, parent))
        f.put(I16, above, entry)
        f.put(I64, f.convert("zext", I16, above, I64), here)
    return now


def can_share(kept: Sequence[Kept]) -> bool:
    """Return whether conditions can be told by the same trees."""
    asked = _asked_of(kept)
    same = {(group.layers, group.relation, group.within) for group in asked}
    fits = len(_targets_of(asked)) <= MOST_TARGETS and len(asked) <= _MOST_TESTS
    return len(same) == 1 and fits


def _asked_of(kept: Sequence[Kept]) -> list[Group]:
    return [one.asks for one in kept if isinstance(one.asks, Group)]


def _targets_of(asked: Sequence[Group]) -> tuple[int, ...]:
    """Return the known sets that are asked for, each once."""
    return tuple(dict.fromkeys(target for group in asked for target in group.targets))


# ------------------------------------------------------------------------------- views of full rows

MOST_TABULATED = 12
"""The sites of the largest board for which a table tells of each set if it has a full row."""


class LineView(KeptView):
    """A condition that a row is full, followed along lines."""

    def __init__(self, expressions: Expressions, kept: Kept, lines: Lines, name: str) -> None:
        """Write `name(memory, site)`, which adds a site."""
        super().__init__(expressions, (kept,))
        self.bytes = bytes_of(lines)
        self.reads_layers = kept.asks.may_end
        self._name = name
        parameters = ["ptr %memory", "i64 %site"]
        f = self._module.function(name, "internal i1", parameters)
        f.give(f"i1 {write_add(self._module, f, lines, Address('%memory'))}")

    def add(self, p: Place, memory: Address, site: Sites) -> list[Bit]:
        """Write that a site is added; return whether a row is full."""
        index = self._sets.index(p.f, site)
        return [p.f.call(I1, f"@{self._name}(ptr {memory}, i64 {index})")]


class TableView(View):
    """A condition on full rows, which a table of all sets tells; nothing is kept for it.

    Where more is asked of a row, the condition is worked out if there is a full one.
    """

    reads_layers = True

    def __init__(self, expressions: Expressions, kept: Kept, asks: Rows) -> None:
        super().__init__(expressions, asks.layers, {kept.condition: Get(kept.slot)})
        self._kept = kept
        rows = [site_set(row) for family in asks.families for row in family]
        full = (any(row & ~sites == 0 for row in rows) for sites in range(1 << self._sets.size))
        self._table = self._module.tables.add(bytes(full))

    def read(self, p: Place) -> Iterator[tuple[Slot, Flag]]:
        """Yield whether a row is full, and does what more is asked of it."""
        f = p.f
        layers = [self._expressions.sites(p, Get(layer)) for layer in self.layers]
        word = Word(self._sets.mask(f, self._sets.union(f, layers)))
        full = f.convert("trunc", I8, f.get(I8, f.at(self._table, word)), I1)
        if self._kept.asks.may_end:
            holds = f.variable(I1, full)
            with f.when(full):
                f.put(I1, self._expressions.flag(p, self._kept.condition), holds)
            full = f.get(I1, holds)
        yield self._kept.slot, Flag(full)


def bytes_of(lines: Lines) -> int:
    """Return the size of the words of lines; each family has one for sites on none of its own."""
    return (lines.number + len(lines.places) - 1) * lines.apart + WORD_BYTES


def write_add(module: Module, f: Function, lines: Lines, words: Address) -> Bit:
    """Write that `%site` is added; return whether a row is full (i1)."""
    lanes = WORD // lines.width

    def records() -> bytes:
        """Return of each site, for each family, where its line's word begins, and its place."""
        found = array("H")
        for site in zip(*lines.places, strict=True):
            for number, (line, place) in enumerate(site):
                index = lines.number + number if line < 0 else line
                found.extend((index * lines.apart, place + number % lanes * lines.width))
        return found.tobytes()

    table = module.tables.once(lines, records)
    record = f.at(table, f.binary("mul", I64, Word("%site"), 4 * len(lines.places)))
    joined: list[Word] = []
    for number in range(len(lines.places)):
        offset = f.unsigned(I16, f.at(record, 4 * number))
        bit = f.unsigned(I16, f.at(record, 4 * number + 2))
        address = f.at(words, offset)
        after = f.binary("or", I64, f.get(I64, address), f.binary("shl", I64, 1, bit))
        f.put(I64, after, address)
        if number % lanes == 0:
            joined.append(after)
        else:
            joined[-1] = f.binary("or", I64, joined[-1], after)
    result = FALSE
    for word in joined:
        length = 1
        while length < lines.length:
            further = min(length, lines.length - length)
            word = f.binary("and", I64, word, f.binary("lshr", I64, word, further))
            length += further
        result = f.binary("or", I1, result, f.compare("ne", I64, word, 0))
    return result
