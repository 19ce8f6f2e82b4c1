"""Moments: values as they are now, for places where a word is read at another time.

In: a value, or the local words of a scope. Out: the same value over slots of its own, and what
these slots are to hold. What then holds: the value no longer changes with the position; the
value of a side or kind, which is known, still stands for its pieces wherever a set is wanted.

A word that `can` asks about is read after the move that it looks at, one that `let` names and
the argument of an action after what the turn has changed by then.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.core.nodes import Assign, Const, Expression, Get, Slot, Statement
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Scope
from gdl.elaborate.names.values import (
    Chain,
    Chosen,
    Cut,
    Directed,
    Formula,
    GroupsValue,
    Joined,
    Known,
    ListValue,
    RangeValue,
    RelationTree,
    RelationValue,
    Repeated,
    Unkept,
    Value,
)

Kept = list[tuple[Slot, Expression]]


class _Changing(Exception):
    """A formula about the position, for which no slot can stand."""


def kept(name: str, value: Value, span: Span) -> tuple[list[Statement], Value]:
    """Return the statements, at a span, that keep a value as it is now, and the value over them.

    `Unkept` for a relation whose formula asks about the position.
    """
    slots: Kept = []
    now = _kept(name, value, slots, False)
    return [Assign(span, slot, part) for slot, part in slots], now


def kept_words(scope: Scope) -> tuple[Scope, Kept]:
    """Return a scope whose local words mean what they mean now, and what its new slots hold.

    A word of the turn itself needs no new slot: a turn that is looked at changes none of them.
    """
    slots: Kept = []
    words = {name: _kept(name, value, slots, True) for name, value in scope.locals.items()}
    return replace(scope, locals=words).forgetting(), slots


def _kept(name: str, value: Value, slots: Kept, leaves_words: bool) -> Value:
    try:
        return _Keeper(name, slots, leaves_words).value(value)
    except _Changing:
        return Unkept(name)


class _Keeper:
    def __init__(self, name: str, slots: Kept, leaves_words: bool) -> None:
        self._name = name
        self._slots = slots
        self._leaves_words = leaves_words

    def value(self, value: Value) -> Value:
        match value:
            case RelationValue():
                return self._relation(value)
            case ListValue(items):
                return ListValue(tuple(map(self.value, items)))
            case RangeValue(low, high):
                return RangeValue(self._expression(low), self._expression(high))
            case GroupsValue(sites, relation):
                return GroupsValue(self._expression(sites), self._tree(relation))
        return self._expression(value) if isinstance(value, Expression) else value

    def _relation(self, value: RelationValue) -> RelationValue:
        members = tuple(map(self._relation, value.members))
        parts = tuple(map(self._relation, value.parts))
        return replace(value, tree=self._tree(value.tree), members=members, parts=parts)

    def _expression(self, value: Expression) -> Expression:
        is_word = isinstance(value, Get) and not value.slot.is_state
        if isinstance(value, Const) or (is_word and self._leaves_words):
            return value
        for slot, kept_already in self._slots:
            if slot.name == self._name and kept_already == value:
                return Get(slot)  # the parts of a family are cut by the same set
        slot = Slot(self._name, value.type)
        self._slots.append((slot, value))
        return Get(slot)

    def _part(self, value: Expression | None) -> Expression | None:
        return None if value is None else self._expression(value)

    def _tree(self, tree: RelationTree) -> RelationTree:
        match tree:
            case Known():
                return tree
            case Joined(parts):
                return Joined(tuple(map(self._tree, parts)))
            case Cut(relation, source, target):
                return Cut(self._tree(relation), self._part(source), self._part(target))
            case Chain(first, second):
                return Chain(self._tree(first), self._tree(second))
            case Chosen(condition, then, otherwise):
                chosen = self._expression(condition)
                return Chosen(chosen, self._tree(then), self._tree(otherwise))
            case Directed(which, relations):
                return Directed(self._expression(which), relations)
            case Repeated(relation, times, most):
                return Repeated(self._tree(relation), self._expression(times), most)
            case Formula(first, second, _, condition):
                if any(slot.is_state for slot in condition.free - {first, second}):
                    raise _Changing
                return tree
