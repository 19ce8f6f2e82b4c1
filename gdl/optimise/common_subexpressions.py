"""Once is enough: what occurs twice, or does not change in a loop, is worked out before.

In: a program. Out: the same program, in which each costly expression that occurs several times
in one expression is one `Let`, at the innermost place that all its uses lie in; in which what is
the same in each round of a loop stands before the loop; and in which a costly set that several
statements without decisions ask for is put into a slot before the first of them. What then holds:
no value has changed; what might fail is worked out where it was; and `Let`s stand nowhere else,
but for values that might fail and for those that a `can` reads after the move that it looks at.

An expression is seen as a graph in which equal parts are one node. The place of a part that is
used several times is its immediate dominator in that graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from itertools import groupby

from gdl.core.memo import Memo, Met
from gdl.core.nodes import (
    Assign,
    Block,
    Can,
    Closure,
    Const,
    Expression,
    Fold,
    Get,
    Let,
    Op,
    Program,
    Repeat,
    Select,
    Slot,
    Statement,
    Times,
)
from gdl.core.rebuild import (
    change_expressions,
    change_turns,
    with_blocks,
    with_ends,
    with_expressions,
    with_parts,
)
from gdl.core.types import FLAG, SITES
from gdl.core.walk import binders_in, expressions_of, filled_slots, is_effect, program_expressions
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.terms import Terms

_COSTLY = 2
_COSTLY_IN_LOOP = 1
_COSTLY_IN_STATEMENTS = 8


def hoist(program: Program, terms: Terms) -> Program:
    """Work out once what is used several times, and before a loop what its rounds share."""
    costs = Costs(terms)
    program = change_expressions(program, terms.intern)
    program = change_turns(program, _Stretches(terms, costs).block)
    hoister = Hoister(terms, costs)
    program = change_expressions(program, lambda node: hoister.hoisted(terms.intern(node)))
    return tell_numbers_apart(program)


class _Stretches:
    """Shares sets among statements that come one after the other, with no decision between."""

    def __init__(self, terms: Terms, costs: Costs) -> None:
        self._terms = terms
        self._costs = costs

    def block(self, block: Block) -> Block:
        """Return a block in which each stretch without decisions shares what it asks for."""
        done: list[Statement] = []
        for are_effects, stretch in groupby(block, is_effect):
            statements = list(stretch)
            done += self._shared(statements) if are_effects else statements
        return tuple(map(self._inside, done))

    def _inside(self, statement: Statement) -> Statement:
        """Share within a statement, but not in a loop that ends when nothing more changes."""
        if isinstance(statement, Repeat) and statement.mode == "settled":
            return statement
        return with_blocks(statement, self.block)

    def _shared(self, statements: list[Statement]) -> list[Statement]:
        """Put the dearest set that several statements ask for into a slot, then the next."""
        while found := self._dearest(statements):
            node, first, last = found
            slot = Slot("shared", node.type)
            begun = Assign(statements[first].span, slot, node)
            made = Memo[Expression, Expression]()
            made.keep(node, self._terms.get(slot))
            here = [self._reading(each, made) for each in statements[first : last + 1]]
            statements = [*statements[:first], begun, *here, *statements[last + 1 :]]
        return statements

    def _dearest(self, statements: list[Statement]) -> tuple[Expression, int, int] | None:
        """Return the dearest set to be shared, and the first and the last statement to ask."""
        asked = [self._asked(statement) for statement in statements]
        changed = [filled_slots((statement,)) for statement in statements]
        shared: list[tuple[Expression, int, int]] = []
        for first, sets in enumerate(asked):
            for node in sets:
                last = first
                for place in range(first + 1, len(statements)):
                    if not node.free.isdisjoint(changed[place - 1]):
                        break
                    last = place if node in asked[place] else last
                if last > first:
                    shared.append((node, first, last))
        return max(shared, key=lambda found: self._costs.weight(found[0]), default=None)

    def _asked(self, statement: Statement) -> Met[Expression]:
        """Return the costly sets that a statement works out of the slots as they are before it."""
        asked = () if isinstance(statement, Repeat) else expressions_of(statement)
        roots = [root for root in asked if self._costs.weight(root) >= _COSTLY_IN_STATEMENTS]
        met = Met[Expression]()
        found: list[Expression] = []
        bound: set[Slot] = set()
        pending = roots
        while pending:
            node = pending.pop()
            if not isinstance(node, Can | Times) and met.add(node):
                found.append(node)
                bound.update(node.binds())
                pending.extend(node.parts())
        return Met(node for node in found if self._is_shareable(node, bound))

    def _is_shareable(self, node: Expression, bound: AbstractSet[Slot]) -> bool:
        return (
            node.type == SITES
            and self._costs.weight(node) >= _COSTLY_IN_STATEMENTS
            and self._costs.is_safe(node)
            and node.free.isdisjoint(bound)
        )

    def _reading(self, statement: Statement, made: Memo[Expression, Expression]) -> Statement:
        """Return a statement that reads a slot in place of a set; those within it do not."""

        def changed(part: Expression) -> Expression:
            return made.of(part, made_anew)

        def made_anew(part: Expression) -> Expression:
            return self._terms.intern(part if isinstance(part, Can) else with_parts(part, changed))

        return with_expressions(statement, changed)


class Hoister:
    """Puts what is shared within an expression into its place."""

    def __init__(self, terms: Terms, costs: Costs) -> None:
        """Take what the expressions are made with, and what they cost."""
        self._terms = terms
        self._costs = costs
        self._inlined: dict[int, Expression] = {}
        self._kinds = terms.kinds(Let, Can)
        self._done = Memo[Expression, Expression]()

    def hoisted(self, node: Expression) -> Expression:
        """Return an interned expression with all that is shared in it in its place."""
        return self._done.of(node, self._placed)

    def _placed(self, node: Expression) -> Expression:
        plain = self._terms.rewrite(node, self._without_let, self._inlined, self._kinds)
        if self._has_shared(plain):
            return self._terms.intern(_Placement(self._terms, self._costs, plain).result())
        return plain

    def _has_shared(self, root: Expression) -> bool:
        """Return whether a part of an expression may be worked out more than once."""
        if root.height:
            return True
        met = Met[Expression]()
        pending = [root]
        while pending:
            node = pending.pop()
            if not met.add(node):
                return True
            pending += [
                part
                for part in node.parts()
                if part.__class__ is not Get and part.__class__ is not Const
            ]
        return False

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
        self._place = Memo[Expression, int]()
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
        met = Met((self._root,))

        def visit(node: Expression) -> None:
            for part, _ in self._inner(node):
                if not isinstance(part, Const | Get) and met.add(part):
                    visit(part)
            finished.append(node)

        visit(self._root)
        self._order = finished[::-1]
        for place, node in enumerate(self._order):
            self._place.keep(node, place)
        self._loops = [place for place, node in enumerate(self._order) if self._is_loop(node)]
        for place, node in enumerate(self._order):
            for part, _ in self._inner(node):
                used = self._place.get(part)
                if used is not None:
                    self._uses.setdefault(used, []).append(place)

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
                where = self._place.get(part)
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
            if not self._bound(around).isdisjoint(node.free):
                break
            if place in self._body(around):
                target = around
        if target is not None:
            self._target[place] = target
            self._placed.setdefault(target, []).append(place)
            self._slots[place] = Slot("value", node.type)

    def _is_worked_out_again(self, place: int) -> bool:
        """Return whether a loop around one of a node's uses does not change it."""
        free = self._order[place].free
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
        place = self._place.get(node)
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


# ----------- variables for numbers told apart, so that what one holds never seems to rest on itself

_Names = Mapping[Slot, Slot]


def tell_numbers_apart(program: Program) -> Program:
    """Give each expression that binds a number a variable of its own, if that may matter."""
    if not _goes_round(program_expressions(program)):
        return program
    return change_expressions(program, _Renaming().renamed)


def _goes_round(roots: Iterable[Expression]) -> bool:
    """Return whether some variable may be given what rests on itself, if it is always the same."""
    binders = [node for node in binders_in(roots) if _binds_number(node)]
    variables = {slot for node in binders for slot in node.binds()}
    rests_on = TopologicalSorter[Slot]()
    for node in binders:
        *given, _ = node.parts()
        within = {slot for inner in binders_in(given) for slot in inner.binds()}
        on = within.union(*(part.free for part in given)) & variables
        for slot in node.binds():
            rests_on.add(slot, *on)
    try:
        rests_on.prepare()
    except CycleError:
        return True
    return False


def _binds_number(node: Expression) -> bool:
    """Return whether an expression has a variable for a number, or for one of several values."""
    return isinstance(node, Let | Fold) and node.slot.type not in (SITES, FLAG)


class _Renaming:
    """Gives variables other names; one expression in one place among others has one name."""

    def __init__(self) -> None:
        self._made = Memo[Expression, dict[frozenset[tuple[Slot, Slot]], Expression]]()

    def renamed(self, node: Expression) -> Expression:
        """Return an expression in which each that binds a number has its own variable."""
        return self._of(node, {})

    def _of(self, node: Expression, names: _Names) -> Expression:
        if not node.height and node.free.isdisjoint(names):
            return node
        here = {old: new for old, new in names.items() if old in node.free}
        made, key = self._made.of(node, lambda _: {}), frozenset(here.items())
        if key not in made:
            made[key] = self._anew(node, here)
        return made[key]

    def _anew(self, node: Expression, names: _Names) -> Expression:
        def outside(part: Expression) -> Expression:
            return self._of(part, names)

        match node:
            case Get(slot):
                return Get(names[slot])
            case Let(slot, value, body) if _binds_number(node):
                own = _another(slot)
                return Let(own, outside(value), self._of(body, {**names, slot: own}))
            case Fold(combine, slot, domain, body, initial) if _binds_number(node):
                own = _another(slot)
                inner = self._of(body, {**names, slot: own})
                return Fold(combine, own, with_ends(domain, outside), inner, initial)
            case Can(side, condition, reads):
                read = frozenset(names.get(slot, slot) for slot in reads)
                return Can(side, outside(condition), read, node.span)
        return with_parts(node, outside)


def _another(slot: Slot) -> Slot:
    return Slot(slot.name, slot.type, low=slot.low, high=slot.high)
