"""What a definition becomes for arguments that differ by their variables alone: worked out once.

In: a definition, what its parameters stand for, and the scope of a call. Out: what stands in the
place of the call: a copy of what stood there for other variables, where a call was like this one.
What then holds: it is what elaboration would make of the body again, with variables of its own; and
what a game's text makes of work is counted as if it had.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace

from gdl.core.memo import Memo
from gdl.core.nodes import (
    Closure,
    Const,
    Domain,
    Expression,
    Fold,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    RangeOf,
    Select,
    SitesOf,
    Slot,
)
from gdl.elaborate.limits import has_room
from gdl.elaborate.scope import Definition, Made, Scope
from gdl.elaborate.values import Value, is_known


class _NotCopied(Exception):
    """A part of the expression has more to it than its own variables."""


def copied_or_made(
    definition: Definition,
    parameters: Mapping[str, Value],
    scope: Scope,
    make: Callable[[], Value],
) -> Value:
    """Return what a definition stands for, with what its parameters stand for, in a call's scope.

    It is a copy of what a call like this one became; what `make` returns, where there is none.
    """
    key = None if scope.mover is None else _key(definition, parameters, scope)
    if key is None:
        return make()
    told, variables = key
    d = scope.declarations
    found = d.originals.get(told)
    if found is not None and _fits(found, scope):
        try:
            copy = _Copies(dict(zip(found.variables, variables, strict=True)), scope)
            value = copy.of(found.value)
        except _NotCopied:
            pass
        else:
            copy.note()
            _count(found, scope)
            return value
    work, calls, before = d.work_spent, d.calls_spent, dict(d.written_out)
    result = make()
    if isinstance(result, Expression) and found is None:
        d.originals[told] = Made(
            result,
            variables,
            len(scope.calls),
            d.work_spent - work,
            d.calls_spent - calls,
            {
                head: (times - before.get(head, (0, 0))[0], spent - before.get(head, (0, 0))[1])
                for head, (times, spent) in d.written_out.items()
                if before.get(head) != (times, spent)
            },
        )
    return result


def _key(
    definition: Definition, parameters: Mapping[str, Value], scope: Scope
) -> tuple[Hashable, tuple[Slot, ...]] | None:
    """Return what calls that are alike have in common, and the variables in which they differ."""
    variables: dict[Slot, int] = {}
    told: list[Hashable] = []
    for value in parameters.values():
        if isinstance(value, Get):
            slot = value.slot
            if slot.is_state:
                told.append(value)
            else:
                place = variables.setdefault(slot, len(variables))
                stands = scope.standing.get(slot)
                told.append((place, slot.type, slot.low, slot.high, slot.among, stands))
        elif is_known(value):
            told.append(value)
        else:
            return None
    return (definition.head.span, tuple(told), scope.mover, scope.own), tuple(variables)


def _fits(found: Made, scope: Scope) -> bool:
    """Return whether the call could not end in an error that the one before did not."""
    return (
        len(scope.calls) <= found.depth
        and has_room(scope, found.work, found.calls)
        and not any(head in found.written_out for head, _ in scope.calls)
    )


def _count(found: Made, scope: Scope) -> None:
    d = scope.declarations
    d.work_spent += found.work
    d.calls_spent += found.calls
    for head, (times, work) in found.written_out.items():
        so_far = d.written_out.get(head, (0, 0))
        d.written_out[head] = so_far[0] + times, so_far[1] + work


class _Copies:
    """Copies of expressions, with other variables: `variables` are those that are known."""

    def __init__(self, variables: dict[Slot, Slot], scope: Scope) -> None:
        self._variables = variables
        self._origins = scope.declarations.origins
        self._made = Memo[Expression, Expression]()

    def of(self, node: Expression) -> Expression:
        """Return a copy of an expression, or the expression where no variable stands in it."""
        if not node.height and self._variables.keys().isdisjoint(node.free):
            if node.looks_ahead:
                raise _NotCopied
            return node
        return self._made.get(node) or self._made.keep(node, self._copied(node))

    def _copied(self, node: Expression) -> Expression:
        match node:
            case Op(name, arguments, of, payload):
                return Op(name, tuple(map(self.of, arguments)), of, payload)
            case Get(slot):
                return Get(self._variables.get(slot, slot))
            case GetAt(slot, sites):
                return GetAt(slot, self.of(sites))
            case If(condition, then, otherwise):
                return If(self.of(condition), self.of(then), self.of(otherwise))
            case Let(slot, value, body):
                return Let(self._own(slot), self.of(value), self.of(body))
            case Fold(combine, slot, domain, body, initial):
                own = self._own(slot)
                return Fold(combine, own, self._domain(domain), self.of(body), initial)
            case Select(slot, sites, condition):
                return Select(self._own(slot), self.of(sites), self.of(condition))
            case Closure(seed, frontier, step):
                return Closure(self.of(seed), self._own(frontier), self.of(step))
            case Const():
                return node
            case _:
                raise _NotCopied

    def _domain(self, domain: Domain) -> Domain:
        match domain:
            case SitesOf(sites):
                return SitesOf(self.of(sites))
            case RangeOf(low, high):
                return RangeOf(self.of(low), self.of(high))
            case GroupsOf(sites, frontier, step):
                return GroupsOf(self.of(sites), self._own(frontier), self.of(step))

    def _own(self, slot: Slot) -> Slot:
        """Return what stands for a variable that the expression itself binds."""
        if slot not in self._variables:
            self._variables[slot] = replace(slot)
        return self._variables[slot]

    def note(self) -> None:
        """Let it be known where the copies come from, if somebody listens."""
        if self._origins is not None:
            for node, copy in list(self._made.items()):
                self._origins.note_copy(node, copy, self._where_it_can_be)

    def _where_it_can_be(self, node: Expression) -> Expression:
        try:
            return self.of(node)
        except _NotCopied:
            return node
