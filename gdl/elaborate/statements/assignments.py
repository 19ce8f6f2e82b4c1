"""Assignments: statements that give words and variables their values.

In: `let`, `set` and `add`, and their scope. Out: statements of the core. What then holds: a
variable with an index that is known in play only is assigned case by case, and one that is kept
for each site, site by site.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from gdl.codes import Code
from gdl.core import build, nodes
from gdl.core.nodes import Const, Expression, Get, Slot, Statement
from gdl.core.rebuild import with_blocks
from gdl.core.types import NUMBER, SITES
from gdl.data_classes import dataclass
from gdl.diagnostic import Facts, Source, Span, suggest
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.expressions.names import check_local
from gdl.elaborate.names import freeze
from gdl.elaborate.names.scope import Scope, Silent, StateVariable, problem
from gdl.elaborate.names.values import RelationValue, Value, describe
from gdl.elaborate.relations import coerce, directions
from gdl.elaborate.relations.standing import possible
from gdl.elaborate.relations.variables import (
    check_indices,
    index_value,
    split_arguments,
    state_cases,
)
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import is_assigned, names_made, names_used


def let(
    node: t.LetStatement, rest: Sequence[t.Statement], scope: Scope
) -> tuple[list[Statement], Scope]:
    """Return what keeps the value of a `let`, and the scope in which its word has it.

    A direction to which the `rest` of the block gives another value is kept like a number; a side,
    kind or name to which it gives none is one of those that the value may be.
    """
    check_local(node.name, scope)
    value = ex.elaborate(node.value, scope)
    if isinstance(value, RelationValue) and value.name and is_assigned(node.name.name, rest):
        every = directions.direction_type(scope.declarations.board)
        value = coerce.to_type(value, every, node.value.span, scope)
    if not isinstance(value, Expression):
        made, value = freeze.kept(node.name.name, value, node.span)
        return made, scope.bind(node.name.name, value)
    among = possible(value, scope)
    if among is not None and is_assigned(node.name.name, rest):
        among = None
    slot = Slot(node.name.name, value.type, span=node.name.span, among=among)
    assign = nodes.Assign(node.span, slot, value)
    return [assign], scope.bind(node.name.name, Get(slot))


def assign(node: t.Assign, scope: Scope) -> list[Statement]:
    """Return what gives a variable a value."""
    return _store(
        node.target,
        scope,
        node.span,
        lambda slot, old: ex.of_type(node.value, slot.type, scope),
    )


def add(node: t.Add, scope: Scope) -> list[Statement]:
    """Return what adds to a variable."""
    before: list[Statement] = []
    amount: Expression | None = None
    variable = scope.declarations.state.get(node.target.name.name)
    if variable is not None and variable.per_site:
        value = ex.whole(node.amount, scope)
        kept, amount = coerce.named(value, "amount")
        before = [] if kept is None else [nodes.Assign(node.span, kept, value)]

    def increased(slot: Slot, old: Expression) -> Expression:
        if slot.type == SITES:
            return build.union(old, ex.sites(node.amount, scope))
        if not slot.type.is_numeric:
            raise problem(
                Code.WRONG_TYPE,
                f"`add` is for numbers and sets of sites, and `{slot.name}` is {slot.type}.",
                node.target.span,
                "A value of another type is given by `set`.",
            )
        convert = ex.whole if slot.type == NUMBER else ex.number
        more = convert(node.amount, scope) if amount is None else amount
        return build.numeric("add", old, more)

    return [*before, *_store(node.target, scope, node.span, increased)]


def _store(
    target: t.Target,
    scope: Scope,
    span: Span,
    value: Callable[[Slot, Expression], Expression],
) -> list[Statement]:
    name = target.name.name
    local = scope.local(name)
    if isinstance(local, Get) and not local.slot.is_state:
        return [nodes.Assign(span, local.slot, value(local.slot, local))]
    variable = scope.declarations.state.get(name)
    if variable is None and name in scope.declarations.broken:
        raise Silent
    if local is not None:
        raise problem(
            Code.NOT_A_VARIABLE,
            f"`{name}` is {describe(local)}, and what it stands for does not change.",
            target.name.span,
            "A value that changes is a number, a flag, a set of sites, a side or a kind: begin it "
            "with `let x = …`, or declare it under `state`.",
        )
    if variable is None:
        raise problem(
            Code.NOT_A_VARIABLE,
            f"`{name}` is no variable that can be given a value.",
            target.name.span,
            suggest(name, [*scope.declarations.state, *scope.locals])
            or "Variables are declared under `state`, or by `let` in the program.",
            facts=Facts(name, expected="a word"),
        )
    scope.elaboration.used.add(name)
    check_indices(variable, target.arguments, target.span)
    indices, at = split_arguments(variable, target.arguments)
    made, keys = _kept_keys(
        [index_value(index, variable, scope, ex.elaborate) for index in indices], variable, span
    )
    cases = state_cases(variable, keys, target.span)
    if cases == [(build.YES, cases[0][1])]:
        return _store_in(cases[0][1], at, variable, scope, span, value)
    for condition, slot in cases:
        then = tuple(_store_in(slot, at, variable, scope, span, value))
        made.append(nodes.Branch(span, condition, then, ()))
    return made


def _kept_keys(
    keys: list[Value], variable: StateVariable, span: Span
) -> tuple[list[Statement], list[Value]]:
    """Return statements that keep indices which are dear or read the variable, and their use."""
    made: list[Statement] = []
    kept: list[Value] = []
    own = set(variable.slots.values())
    for key in keys:
        is_dear = isinstance(key, Expression) and not isinstance(key, Const | Get) and len(own) > 2
        if isinstance(key, Expression) and (is_dear or key.free & own):
            slot = Slot("index", key.type)
            made.append(nodes.Assign(span, slot, key))
            key = Get(slot)
        kept.append(key)
    return made, kept


def _store_in(
    slot: Slot,
    at: t.Expression | None,
    variable: StateVariable,
    scope: Scope,
    span: Span,
    value: Callable[[Slot, Expression], Expression],
) -> list[Statement]:
    if at is None:
        return [nodes.Assign(span, slot, value(slot, Get(slot)))]
    sites = ex.sites(at, scope)
    each = Slot("site", SITES)
    new = value(slot, nodes.GetAt(slot, Get(each)))
    if each not in new.free:
        return [nodes.AssignAt(span, slot, sites, new)]
    body = (nodes.AssignAt(span, slot, Get(each), new),)
    return [nodes.ForEach(span, each, nodes.SitesOf(sites), body)]


# ------------------------------------- what is known after a statement that goes on in several ways


@dataclass
class KnownAfter:
    """The words that blocks make for what follows, and the slots that are to hold their values."""

    words: tuple[str, ...]
    following: Sequence[t.Statement]
    span: Span
    slots: dict[str, Slot] = field(default_factory=dict)
    ways: dict[str, frozenset[str]] = field(default_factory=dict)
    """What a word may be, if it is a direction, side, kind or name: each by its name."""

    def filled(self, scope: Scope) -> list[Statement]:
        """Return what fills the slots at the end of a block. Raises Problem or Silent."""
        made: list[Statement] = []
        for word in self.words:
            value = self._value(word, scope)
            slot = self.slots.setdefault(word, Slot(word, value.type, span=self.span))
            if slot.type != value.type:
                raise problem(
                    Code.WRONG_TYPE,
                    f"`{word}` is {slot.type} in one of the ways and {value.type} in another.",
                    self.span,
                    "What all ways make has one type, or else a name of its own in each.",
                )
            made.append(nodes.Assign(self.span, slot, value))
        return made

    def _value(self, word: str, scope: Scope) -> Expression:
        value = scope.local(word)
        if value is not None and directions.is_direction(value):
            self._may_be(word, directions.names_of(value))
            every = directions.direction_type(scope.declarations.board)
            return coerce.to_type(value, every, self.span, scope)
        if isinstance(value, Expression):
            self._may_be(word, _names(value, scope))
            return value
        what = "nothing" if value is None else describe(value)
        raise problem(
            Code.WRONG_TYPE,
            f"`{word}` is {what} here, which is not kept.",
            self.span,
            "Use it within each of the ways.",
        )

    def _may_be(self, word: str, names: frozenset[str]) -> None:
        self.ways[word] = self.ways.get(word, frozenset()) | names

    def narrowed(self, block: Sequence[Statement]) -> list[Statement]:
        """Return the statements of all ways, in which words are among those values that come."""
        narrow: dict[Slot, Slot] = {}
        for word, names in self.ways.items():
            wide = self.slots[word]
            values = wide.type.values
            if names.issuperset(values) or is_assigned(word, self.following):
                continue
            if wide.type.name == "direction":
                among = tuple(name for name in values if name in names)
                slot = Slot(word, replace(wide.type, values=among), span=self.span)
            else:
                places = frozenset(place for place, name in enumerate(values) if name in names)
                slot = Slot(word, wide.type, span=self.span, among=places)
            self.slots[word] = narrow[wide] = slot
        return list(_refilled(tuple(block), narrow)) if narrow else list(block)

    def scope(self, scope: Scope) -> Scope:
        """Return the scope of what follows."""
        for word, slot in self.slots.items():
            scope = scope.bind(word, Get(slot))
        return scope


def _names(value: Expression, scope: Scope) -> frozenset[str]:
    places, values = possible(value, scope), value.type.values
    return frozenset(values if places is None else (values[place] for place in places))


def _refilled(block: nodes.Block, narrow: Mapping[Slot, Slot]) -> nodes.Block:
    """Return a block that fills other slots, with directions of their types."""
    made: list[Statement] = []
    for statement in block:
        slot = narrow.get(statement.slot) if isinstance(statement, nodes.Assign) else None
        if isinstance(statement, nodes.Assign) and slot is not None:
            value = directions.as_value(statement.value, slot.type) or statement.value
            made.append(nodes.Assign(statement.span, slot, value))
        else:
            made.append(with_blocks(statement, lambda inner: _refilled(inner, narrow)))
    return tuple(made)


NOTHING_KNOWN = KnownAfter((), (), Span(Source("", ""), 0, 0))
"""What is known after a block that makes no words for what follows."""


def known_after(
    blocks: Sequence[t.Block], following: Sequence[t.Statement], span: Span
) -> KnownAfter:
    """Return what is known after blocks, of which one is gone through."""
    made = [names_made(block) for block in blocks]
    common = [name for name in made[0] if all(name in names for names in made[1:])]
    words = tuple(name for name in common if name in names_used(following)) if common else ()
    return KnownAfter(words, following, span)
