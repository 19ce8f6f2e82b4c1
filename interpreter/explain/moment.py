"""A moment of play, of which anything can be asked in the words of the game's file.

In: the reference interpreter, and a frame of it: before a turn, in the middle of one, after one.
Out: what nodes of the syntax are worth then. What then holds: every value is worked out by the
reference interpreter from the node itself, elaborated anew in its scope.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gdl.board.relation import bits
from gdl.core.memo import PairMemo
from gdl.core.nodes import Const, Expression, Get, Slot
from gdl.core.types import SITES
from gdl.elaborate.expressions.calls import opened_call
from gdl.elaborate.names.scope import Definition, Problem, Scope
from gdl.elaborate.names.values import GroupsValue, RangeValue, Value
from gdl.elaborate.relations import coerce, domains, relations
from gdl.interpreter.english import in_words
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.positions.position import Position
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.words.asker import NO_VALUE, Asker
from gdl.syntax import tree as t

_MOST_ELEMENTS = 2_000


_Opened = tuple[Definition, Scope] | None


class Moment(Asker):
    """A frame of the reference interpreter, and what is asked of it."""

    def __init__(self, rules: ReferenceRules, frame: list[Any]) -> None:
        """Ask of a copy of `frame`, which is left as it is."""
        super().__init__(rules.game)
        self.rules = rules
        self.board = rules.game.board
        self.frame = list(frame)
        self._asked = PairMemo[t.Expression, Scope, Value | None]()
        self._opened = PairMemo[t.Expression, Scope, _Opened]()

    # -------------------------------------------------------------------- values

    def elaborated(self, node: t.Expression, scope: Scope) -> Value | None:
        """Return what a node stands for, worked out where it can be; None if there is no saying."""
        return self._asked.of(node, scope, self._elaborated)

    def _elaborated(self, node: t.Expression, scope: Scope) -> Value | None:
        value = self.before_play(node, self.scope(scope))
        return None if value is None else self.settled(value)

    def value(self, node: t.Expression, scope: Scope) -> Const | None:
        """Return what a node is worth; None if it has no value of a position, as a relation."""
        found = self.elaborated(node, scope)
        return self.worth(found) if isinstance(found, Expression) else None

    def worth(self, value: Expression, more_values: dict[Slot, Any] | None = None) -> Const | None:
        """Return what an expression of the core is worth; None if it can't be worked out."""
        if isinstance(value, Const):
            return value
        known = self.rules.machine.places.keys() | (more_values or {}).keys()
        if not value.free <= known:
            return None
        self.rules.machine.begin_turn()
        try:
            found = self.rules.machine.value_in(self.frame, value, more_values)
        except (*NO_VALUE, RuleError):
            return None
        return None if found is None else Const(found, value.type)  # no way has come to its `let`

    def holds(self, node: t.Expression, scope: Scope) -> bool | None:
        """Return whether a condition holds; None if that can't be worked out."""
        found = self.value(node, scope)
        return None if found is None else bool(found.value)

    def sites(self, node: t.Expression, scope: Scope) -> int | None:
        """Return the set that a node stands for, a side or kind for its pieces; None if none."""
        return self.sites_of(self.elaborated(node, scope), node, scope)

    def sites_of(self, value: Value | None, node: t.Expression, scope: Scope) -> int | None:
        """Return the set that a value stands for; None if it is none."""
        if value is None:
            return None
        try:
            found = self.worth(coerce.to_sites(value, node.span, scope))
        except Problem:
            return None
        return None if found is None else int(found.value)

    def named(self, scope: Scope) -> dict[str, tuple[str, Const]]:
        """Return the names and values of sites, sides and the like that local words stand for."""
        found: dict[str, tuple[str, Const]] = {}
        for word, value in scope.locals.items():
            known = self.worth(value) if isinstance(value, Expression) else None
            if known is None:
                continue
            number = int(known.value)
            if known.type == SITES and number.bit_count() == 1:
                found[word] = self.board.sites[number.bit_length() - 1].name, known
            elif known.type.is_choice and 0 <= number < len(known.type.values):
                found[word] = in_words(known.type.values[number]), known
        return found

    # ---------------------------------------------------------------- what is inside

    def elements(self, domain: t.Expression, scope: Scope) -> Iterator[Value]:
        """Yield what a variable runs over: sites, groups, numbers, directions, sides, kinds."""
        value = self.elaborated(domain, scope)
        if value is None:
            return
        items = domains.unrolled(value, domain.span)
        if items is not None:
            yield from items
        elif isinstance(value, RangeValue):
            low, high = self.worth(value.low), self.worth(value.high)
            if low is not None and high is not None:
                last = min(int(high.value), int(low.value) + _MOST_ELEMENTS)
                for number in range(int(low.value), last + 1):
                    yield Const(number, low.of)
        elif isinstance(value, GroupsValue):
            yield from self._groups(value)
        else:
            for index in bits(self.sites_of(value, domain, scope) or 0):
                yield Const(1 << index, SITES)

    def _groups(self, value: GroupsValue) -> Iterator[Value]:
        among = self.worth(value.sites)
        rest = 0 if among is None else int(among.value)
        while rest:
            group = frontier = rest & -rest
            while frontier:
                frontier = self.image(value.relation, frontier) & rest & ~group
                group |= frontier
            rest &= ~group
            yield Const(group, SITES)

    def image(self, relation: Any, sites: int) -> int:
        """Return where a relation leads to from a set: nowhere, if that can't be worked out."""
        slot = Slot("from", SITES)
        found = self.worth(relations.image(relation, Get(slot)), {slot: sites})
        return 0 if found is None else int(found.value)

    def relation(self, node: t.Expression, scope: Scope) -> Any | None:
        """Return the relation that a node stands for; None if it is none."""
        value = self.elaborated(node, scope)
        try:
            return None if value is None else coerce.to_relation(value, node.span, scope).tree
        except Problem:
            return None

    def is_fixed(self, node: t.Expression, scope: Scope) -> bool:
        """Return whether a node is worth the same in every position."""
        return isinstance(self.before_play(node, self.scope(scope)), Const)

    def opened(self, node: t.Expression, scope: Scope) -> _Opened:
        """Return the definition that a name or call means, and the scope of its body; or None."""
        return self._opened.of(node, scope, self._open)

    def _open(self, node: t.Expression, scope: Scope) -> _Opened:
        arguments: tuple[t.Expression, ...] = ()
        if isinstance(node, t.Name):
            name = node
        elif isinstance(node, t.Call) and isinstance(node.function, t.Name):
            name, arguments = node.function, node.arguments
        else:
            return None
        if name.name not in scope.declarations.definitions:
            return None
        values = [self.elaborated(argument, scope) for argument in arguments]
        known = [self.settled(value) for value in values if value is not None]
        if len(known) < len(values):
            return None
        try:
            found = opened_call(name, arguments, known, scope)
        except Problem:
            return None
        if found is None:
            return None
        definition, inner = found
        words = {word: self.settled(value) for word, value in inner.locals.items()}
        return definition, replace(inner, locals=words)


def rules_of(position: Position) -> ReferenceRules:
    """Return the reference interpreter of a position's game."""
    evaluator = position.rules.evaluator
    if isinstance(evaluator, ReferenceRules):
        return evaluator
    return ReferenceRules(position.rules.game)
