"""All views of a game, side by side in one piece of memory.

In: what `gdl.analysis.views` finds worth being kept. Out: the views, each of the kind that is
quickest on the board; code that makes them all, and that follows what a way does. What then holds:
after both, each view is that of the position that it stands beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gdl.analysis.changes import Changes, Gain
from gdl.analysis.groups import Group
from gdl.analysis.rows import Rows, lines_of
from gdl.analysis.views import Kept, Pool
from gdl.board.relation import Relation
from gdl.core.nodes import Choose, Expression, Get, Op, Slot
from gdl.core.walk import expressions_in
from interpreter.native.choices import TREES
from interpreter.native.emit.ir import WORD
from interpreter.native.emit.values import Flag
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.views.groups import FloodView, TreeView, can_share
from interpreter.native.views.lines import MOST_TABULATED, LineView, TableView
from interpreter.native.views.pools import PoolView
from interpreter.native.views.view import View


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
