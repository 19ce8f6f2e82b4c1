"""Once is enough: what occurs twice, or does not change in a loop, is worked out before.

In: a program. Out: the same program, in which each costly expression that occurs several times
in one expression is one `Let`, at the innermost place that all its uses lie in; and in which
what is the same in each round of a loop stands before the loop. What then holds: no value has
changed; what might fail is worked out where it was; and `Let`s stand nowhere else, but for
values that might fail and for those that a `can` reads after the move that it looks at.

An expression is seen as a graph in which equal parts are one node. The place of a part that is
used several times is its immediate dominator in that graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gdl.core.nodes import (
    Can,
    Closure,
    Const,
    Expression,
    Fold,
    Get,
    Let,
    Op,
    Program,
    Select,
    Slot,
)
from gdl.core.rebuild import change_expressions
from gdl.optimise.cost import Costs
from gdl.optimise.terms import Terms

_COSTLY = 2
_COSTLY_IN_LOOP = 1


def hoist(program: Program, terms: Terms) -> Program:
    """Work out once what is used several times, and before a loop what its rounds share."""
    hoister = _Hoister(terms)
    return change_expressions(program, lambda node: hoister.hoisted(terms.intern(node)))


class _Hoister:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._costs = Costs(terms)
        self._inlined: dict[int, Expression] = {}
        self._done: dict[int, Expression] = {}

    def hoisted(self, node: Expression) -> Expression:
        """Return an interned expression with all that is shared in it in its place."""
        if id(node) not in self._done:
            plain = self._terms.rewrite(node, self._without_let, self._inlined)
            placed = _Placement(self._terms, self._costs, plain).result()
            self._done[id(node)] = self._terms.intern(placed)
        return self._done[id(node)]

    def _without_let(self, node: Expression) -> Expression:
        if isinstance(node, Can):
            return self._terms.raw(replace(node, condition=self.hoisted(node.condition)))
        if not isinstance(node, Let) or not self._costs.is_safe(node.value):
            return node
        opened = self._terms.open(node)
        if self._terms.is_kept(opened.slot, opened.value, opened.body):
            return node
        return self._terms.substitute(opened.body, opened.slot, opened.value)


class _Placement:
    """Where in one expression each of its shared parts is worked out."""

    def __init__(self, terms: Terms, costs: Costs, root: Expression) -> None:
        self._terms = terms
        self._costs = costs
        self._root = root
        self._order: list[Expression] = []
        self._place: dict[int, int] = {}
        self._uses: dict[int, list[int]] = {}
        self._dominator: list[int] = []
        self._loops: list[int] = []
        self._bodies: dict[int, frozenset[int]] = {}
        self._target: dict[int, int] = {}
        self._placed: dict[int, list[int]] = {}
        self._slots: dict[int, Slot] = {}
        self._made: dict[int, Expression] = {}

    def result(self) -> Expression:
        """Return the expression with each shared part bound where it belongs."""
        if isinstance(self._root, Const | Get):
            return self._root
        self._sort()
        self._find_dominators()
        for place in range(1, len(self._order)):
            self._settle(place)
        if not self._target:
            return self._root
        return self._emitted(0)

    # ---------------------------------------------------------------------- the graph

    def _inner(self, node: Expression) -> Iterator[tuple[Expression, bool]]:
        """Yield the parts of a node, and whether each is worked out again and again."""
        terms = self._terms
        match node:
            case Can() | Const() | Get():
                return
            case Let():
                opened = terms.open(node)
                yield from ((opened.value, False), (opened.body, False))
            case Select():
                chosen = terms.open(node)
                yield from ((chosen.sites, False), (chosen.condition, True))
            case Closure():
                closed = terms.open(node)
                yield from ((closed.seed, False), (closed.step, True))
            case Fold():
                folded = terms.open(node)
                first, *others = folded.domain.parts()
                yield first, False
                is_step = len(others) == 1 and hasattr(folded.domain, "frontier")
                yield from ((other, is_step) for other in others)
                yield folded.body, True
            case _:
                yield from ((part, False) for part in node.parts())

    def _is_loop(self, node: Expression) -> bool:
        return isinstance(node, Select | Closure | Fold)

    def _sort(self) -> None:
        """Order the nodes so that each stands after all that it is used in."""
        finished: list[Expression] = []
        seen: set[int] = set()

        def visit(node: Expression) -> None:
            seen.add(id(node))
            for part, _ in self._inner(node):
                if id(part) not in seen and not isinstance(part, Const | Get):
                    visit(part)
            finished.append(node)

        visit(self._root)
        self._order = finished[::-1]
        self._place = {id(node): place for place, node in enumerate(self._order)}
        self._loops = [place for place, node in enumerate(self._order) if self._is_loop(node)]
        for place, node in enumerate(self._order):
            for part, _ in self._inner(node):
                if id(part) in self._place:
                    self._uses.setdefault(self._place[id(part)], []).append(place)

    def _find_dominators(self) -> None:
        self._dominator = [0] * len(self._order)
        for place in range(1, len(self._order)):
            first, *others = self._uses[place]
            for other in others:
                while first != other:
                    if first > other:
                        first = self._dominator[first]
                    else:
                        other = self._dominator[other]
            self._dominator[place] = first

    def _body(self, place: int) -> frozenset[int]:
        """Return the places of all that a loop works out again and again; none if it is none."""
        if place not in self._bodies:
            pending = [part for part, again in self._inner(self._order[place]) if again]
            found: set[int] = set()
            while pending:
                part = pending.pop()
                where = self._place.get(id(part))
                if where is not None and where not in found:
                    found.add(where)
                    pending.extend(inner for inner, _ in self._inner(part))
            self._bodies[place] = frozenset(found)
        return self._bodies[place]

    # --------------------------------------------------------------------- the places

    def _settle(self, place: int) -> None:
        """Decide where a node is worked out, if not in the one place where it is used."""
        node = self._order[place]
        weight = self._costs.weight(node)
        if weight < _COSTLY_IN_LOOP or not self._costs.is_safe(node):
            return
        is_shared = len(self._uses[place]) > 1 and (
            weight >= _COSTLY or self._is_worked_out_again(place)
        )
        target = self._dominator[place] if is_shared else None
        for around in self._around(place):
            if not self._bound(around).isdisjoint(self._terms.free(node)):
                break
            if place in self._body(around):
                target = around
        if target is not None:
            self._target[place] = target
            self._placed.setdefault(target, []).append(place)
            self._slots[place] = Slot("value", node.type)

    def _is_worked_out_again(self, place: int) -> bool:
        """Return whether a loop around one of a node's uses does not change it."""
        free = self._terms.free(self._order[place])
        return any(
            place in self._body(loop) and self._bound(loop).isdisjoint(free) for loop in self._loops
        )

    def _around(self, place: int) -> Iterator[int]:
        """Yield what a node stands in, from the inside out, where it is worked out by now."""
        while place:
            place = self._dominator[place]
            yield place
            while place in self._target:
                place = self._target[place]
                if place not in self._target:
                    break

    def _bound(self, place: int) -> frozenset[Slot]:
        node = self._order[place]
        if isinstance(node, Let | Fold | Select | Closure):
            return frozenset(self._terms.open(node).binds())
        return frozenset()

    # --------------------------------------------------------------------- the result

    def _used(self, node: Expression) -> Expression:
        """Return what stands for a node where it is used."""
        place = self._place.get(id(node))
        if place is None:
            return node
        if place in self._slots:
            return Get(self._slots[place])
        return self._emitted(place)

    def _emitted(self, place: int) -> Expression:
        if place not in self._made:
            node = self._order[place]
            bound = self._placed.get(place, [])
            if bound and isinstance(node, Op) and node.name in ("and", "or"):
                self._made[place] = self._junction(node, bound)
            else:
                self._made[place] = self._wrapped(self._remade(node), bound)
        return self._made[place]

    def _wrapped(self, node: Expression, bound: list[int]) -> Expression:
        """Bind slots around a node; `bound` has what uses a slot before that slot."""
        for place in bound:
            node = Let(self._slots[place], self._emitted(place), node)
        return node

    def _remade(self, node: Expression) -> Expression:
        if isinstance(node, Can):
            return node
        if isinstance(node, Let | Fold | Select | Closure):
            node = self._terms.open(node)
        return self._terms.with_parts(node, self._used)

    def _junction(self, node: Op, bound: list[int]) -> Expression:
        """Bind slots from the first condition on that uses one; those before may end it all."""
        slots = {self._slots[place] for place in bound}
        parts = [self._used(part) for part in node.arguments]
        first = 0
        while first < len(parts) and slots.isdisjoint(parts[first].free):
            first += 1
        rest = tuple(parts[first:])
        last = self._wrapped(rest[0] if len(rest) == 1 else replace(node, arguments=rest), bound)
        return replace(node, arguments=(*parts[:first], last)) if first else last
