"""All views of a game, side by side in one piece of memory.

In: what `gdl.analysis.views` finds worth being kept. Out: the views, each of the kind that is
quickest on the board; code that makes them all, and that follows what a way does. What then holds:
after both, each view is that of the position that it stands beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from gdl.analysis.changes import Changes, Gain
from gdl.analysis.groups import Group
from gdl.analysis.rows import Rows, lines_of
from gdl.analysis.views import Kept, Pool
from gdl.board.relation import Relation
from gdl.core.nodes import Choose, Expression, Get, Op, Slot
from gdl.core.walk import expressions_in
from interpreter.native.choices import TREES
from interpreter.native.emit.ir import VIEWS, WORD
from interpreter.native.emit.kinds import NULL, Address
from interpreter.native.emit.values import Flag
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.views.groups import FloodView, TreeView, can_share
from interpreter.native.views.lines import MOST_TABULATED, LineView, TableView
from interpreter.native.views.pools import PoolView
from interpreter.native.views.view import View


class Views:
    """Writes the code of all views, which take `bytes` of memory; `known` is what they tell."""

    def __init__(
        self, expressions: Expressions, kept: tuple[Kept, ...], pools: Mapping[Choose, Pool]
    ) -> None:
        self._module = expressions.sets.module
        self._expressions = expressions
        self._pools = {
            pool: PoolView(expressions, pool, [c for c, other in pools.items() if other == pool])
            for pool in pools.values()
        }
        self._pool_of = {choice: self._pools[pool] for choice, pool in pools.items()}
        self.all: tuple[View, ...] = (*self._pools.values(), *_views_of(expressions, kept))
        *begins, self.bytes = accumulate((-(-v.bytes // 8) * 8 for v in self.all), initial=0)
        self._begins = dict(zip(self.all, begins, strict=True))
        self.known = {
            condition: Get(slot) for view in self.all for condition, slot in view.stands_for
        }

    @property
    def tells_costly(self) -> bool:
        """Whether there are conditions among them that would have to be worked out."""
        return any(not isinstance(view, PoolView) for view in self.all)

    def write(self) -> None:
        """Write `keep(frame, world, views)`: all views are made from a position."""
        parameters = ["ptr %frame", "ptr %world", "ptr %views"]
        f = self._module.function("keep", "internal void", parameters, "noinline ")
        p = Place(f)
        for view in self.all:
            view.fill(p, self.memory(p, view))
        f.give("void")

    def follow(self, p: Place, done: Changes) -> None:
        """Write what a way has done to the views."""
        for view in self.all:
            gains = _gains_of(view, done)
            if _is_made_anew(view, done):
                view.fill(p, self.memory(p, view))
            elif all(gain.is_single for gain in gains):
                self._follow_sites(p, view, gains)
            else:
                self._follow_set(p, view, gains[0].site)

    def _follow_sites(self, p: Place, view: View, gains: Sequence[Gain]) -> None:
        """Write that a view follows single sites that its layers have gained."""
        own = set(view.layers)
        sure = dict.fromkeys(g.site for g in gains if g.is_sure and g.layers <= own)
        if sure:
            view.follow(p, self.memory(p, view), tuple(sure))
        for gain in gains:
            if gain.site not in sure:
                self._follow_unless(p, view, gain)

    def _follow_set(self, p: Place, view: View, gained: Slot) -> None:
        """Write that a view follows each site of a set that its layers have gained."""
        sites = self._expressions.sites(p, Get(gained))
        with self._expressions.sets.each(p.f, sites) as loop:
            site = self._expressions.sets.one(loop.index, is_there=True)
            view.follow(p.binding(gained, site), self.memory(p, view), (gained,))

    def _follow_unless(self, p: Place, view: View, gain: Gain) -> None:
        """Write that a view follows a site, unless its layers do not have it."""
        sets, read = self._expressions.sets, self._expressions.sites
        layers = [read(p, Get(layer)) for layer in view.layers if layer in gain.layers]
        single = read(p, Get(gain.site))
        with p.f.when(sets.holds(p.f, sets.union(p.f, layers), single)):
            view.follow(p, self.memory(p, view), (gain.site,))

    def read(self, p: Place) -> Iterator[tuple[Slot, Flag]]:
        """Yield what stands for conditions besides flags in the frame, and write it."""
        for view in self.all:
            yield from view.read(p)

    def pool(self, choice: Choose | None) -> PoolView | None:
        """Return the view of the set that a choice draws from, if there is one."""
        return None if choice is None else self._pool_of.get(choice)

    def memory(self, p: Place, view: View) -> Address:
        """Return the address of a view's memory; those of all are at `%views`."""
        return p.f.at(VIEWS, self._begins[view]) if view.bytes else NULL

    def looked_at(self, done: Changes) -> Iterator[Slot]:
        """Yield the layers that are read to follow what a way has done, and to tell what holds."""
        for view in self.all:
            own = set(view.layers)
            if view.reads_layers or _is_made_anew(view, done):
                yield from own
            for gain in done.added:
                is_one = gain.is_single and gain.is_sure and gain.layers <= own
                if gain.layers & own and not is_one:
                    yield from gain.layers


def _is_made_anew(view: View, done: Changes) -> bool:
    """Return whether a view is made anew after what a way has done, and so reads all its layers."""
    own, gains = set(view.layers), _gains_of(view, done)
    if done.changed & own:
        return True
    if all(gain.is_single for gain in gains):
        return False
    gain, *others = gains
    return bool(others) or not (gain.is_sure and gain.layers <= own and view.follows_sets)


def _gains_of(view: View, done: Changes) -> list[Gain]:
    """Return what the layers of a view have gained."""
    return [gain for gain in done.added if not gain.layers.isdisjoint(view.layers)]


def _views_of(expressions: Expressions, conditions: tuple[Kept, ...]) -> Iterator[View]:
    """Yield the views of conditions."""
    sets = expressions.sets
    trees: list[list[Kept]] = []
    for number, kept in enumerate(conditions):
        if isinstance(kept.asks, Rows):
            if sets.size <= MOST_TABULATED:
                yield TableView(expressions, kept, kept.asks)
                continue
            if sets.bits <= WORD and _is_shifts(kept.condition):
                continue
            lines = lines_of(kept.asks.families, sets.size)
            if lines is not None:
                yield LineView(expressions, kept, lines, f"row_{number}")
        elif _has_trees(expressions, kept.asks):
            known = next((group for group in trees if can_share(group, kept)), None)
            if known is None:
                trees.append(known := [])
            known.append(kept)
        elif kept.asks.with_newest is not None:
            yield FloodView(expressions, kept, kept.asks)
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
