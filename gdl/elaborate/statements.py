"""Programs: from the statements of a turn to those of the core, for one side.

In: the syntax of a program and its scope. Out: a block of the core. What then holds: choices
among known things (sides, kinds, directions, names) are decisions between alternatives, and an
error in one statement does not hide those in others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from gdl.budget import TooMuchWork
from gdl.core import build, nodes
from gdl.core.build import TooLarge
from gdl.core.nodes import Block, Const, Expression, ExpressionNode, Get, Slot, Statement
from gdl.core.operations import Overflow
from gdl.core.types import FRACTION, SITES
from gdl.core.walk import changed_slots
from gdl.diagnostic import suggest
from gdl.elaborate import assignments, domains, limits, moments, seats
from gdl.elaborate import expressions as ex
from gdl.elaborate.chosen_sets import chosen_set
from gdl.elaborate.foresight import divided, requirements
from gdl.elaborate.in_common import InCommon, made_from
from gdl.elaborate.known_after import NOTHING_KNOWN, KnownAfter, known_after
from gdl.elaborate.limits import note_written_out
from gdl.elaborate.move_words import is_destination, word_for
from gdl.elaborate.names import check_local
from gdl.elaborate.phases import phase_number
from gdl.elaborate.piece_statements import piece_statement
from gdl.elaborate.scope import Problem, Scope, Silent, problem
from gdl.elaborate.standing import knowing, leaves_pieces
from gdl.elaborate.values import GroupsValue, RangeValue, Unknown, Value
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_of, names_made

_FEWEST_ALIKE = 4
"""So many alternatives at least are made one later, where they are alike: slots may be shared."""

Loop = t.RepeatUntil | t.RepeatSettled | t.RepeatWhile | t.RepeatTimes


class ProgramElaborator:
    """Elaborates the programs of one phase and side; `seat` is the phase's seat, if it has one."""

    def __init__(self, seat: int | None) -> None:
        self._seat = seat
        self._actions: list[str] = []
        self._chosen: set[Slot] = set()
        self._in_common: InCommon | None = None

    def block(
        self, statements: Sequence[t.Statement], scope: Scope, known: KnownAfter = NOTHING_KNOWN
    ) -> Block:
        """Return the core of a block; its errors go to the report. Raises Exhausted.

        At its end it fills the slots of what is `known` after it.
        """
        made: list[Statement] = []
        report = scope.declarations.report
        for index, statement in enumerate(statements):
            rest = statements[index + 1 :]
            limits.spend(scope, statement.span)
            leaves = leaves_pieces(statement)
            if not leaves and isinstance(statement, t.ForEach | Loop):
                scope = scope.forgetting()
            try:
                if isinstance(statement, t.Choose):
                    chosen, scope, done = self._choose(statement, rest, scope, known)
                    made += made_from(statement, scope, chosen)
                    if done:
                        return tuple(made)
                elif isinstance(statement, t.ChooseSet):
                    several, scope = chosen_set(statement, scope)
                    made += several
                elif isinstance(statement, t.LetStatement):
                    let, after = assignments.let(statement, rest, scope)
                    made += made_from(statement, scope, let)
                    scope = after
                elif isinstance(statement, t.Either | t.If):
                    afterwards = (*rest, *known.following)
                    joined = known_after(blocks_of(statement), afterwards, statement.span)
                    ways = joined.narrowed(self._ways(statement, scope, joined))
                    made += made_from(statement, scope, ways)
                    scope = joined.scope(scope)
                    if report.failed:
                        scope = _with_unknown(names_made((statement,)), scope)
                else:
                    made += made_from(statement, scope, self._plain(statement, scope))
            except (Problem, Silent, TooLarge, TooMuchWork, Overflow) as error:
                if isinstance(error, TooLarge | TooMuchWork | Overflow):
                    report.add(limits.problem_at(error, statement.span).diagnostic)
                elif isinstance(error, Problem):
                    report.add(error.diagnostic)
                scope = _with_unknown(_names_given(statement), scope)
            scope = scope if leaves else scope.forgetting()
        return (*made, *self._filled(known, scope))

    def _filled(self, known: KnownAfter, scope: Scope) -> list[Statement]:
        """Return what fills the slots of what is known after a block; errors go to the report."""
        try:
            return known.filled(scope)
        except Problem as error:
            scope.declarations.report.add(error.diagnostic)
        except Silent:
            pass
        return []

    def _ways(self, statement: t.Dividing, scope: Scope, known: KnownAfter) -> list[Statement]:
        if isinstance(statement, t.Either):
            return self._either(statement, scope, known)
        return self._if(statement, scope, known)

    def _plain(self, statement: t.PlainStatement, scope: Scope) -> list[Statement]:
        match statement:
            case t.Optionally():
                return self._optionally(statement, scope)
            case t.Require():
                return self._require(statement, scope)
            case t.Keep():
                return self._keep(statement, scope)
            case t.Pass():
                return [nodes.Say(statement.span, "pass")]
            case t.Place() | t.Remove() | t.MovePiece() | t.Flip() | t.Change() | t.Shift():
                return piece_statement(statement, scope, self._chosen, self._in_common)
            case t.Assign():
                return assignments.assign(statement, scope)
            case t.Add():
                return assignments.add(statement, scope)
            case t.Do():
                return self._do(statement, scope)
            case t.Again():
                return [seats.again(statement, scope)]
            case t.Swap():
                return seats.swap(statement, scope)
            case t.NextSide():
                return seats.next_side(statement, scope)
            case t.Take():
                return seats.take(statement, self._seat, scope)
            case t.GoTo():
                return self._go_to(statement, scope)
            case t.ForEach():
                return self._for_each(statement, scope)
            case t.RepeatUntil():
                return self._repeat(statement, "until", ex.flag(statement.condition, scope), scope)
            case t.RepeatSettled():
                return self._repeat(statement, "settled", None, scope)
            case t.RepeatWhile():
                return self._repeat(statement, "while", ex.flag(statement.condition, scope), scope)
            case t.RepeatTimes():
                return self._repeat(statement, "times", ex.whole(statement.count, scope), scope)
            case _:
                assert_never(statement)

    # ---------------------------------------------------------------- decisions

    def _choose(
        self, node: t.Choose, rest: Sequence[t.Statement], scope: Scope, known: KnownAfter
    ) -> tuple[list[Statement], Scope, bool]:
        name = node.variable.name
        check_local(node.variable, scope)
        domain = ex.elaborate(node.domain, scope)
        span = node.domain.span
        items = None if _is_number_range(domain) else domains.unrolled(domain, span)
        if items is not None:
            return [self._alternatives(node, items, rest, scope, known)], scope, True
        if isinstance(domain, GroupsValue):
            raise problem(
                "wrong-type",
                "A move can't name a group; it can name a site.",
                node.domain.span,
                "Choose a site of the group.",
            )
        slot = domains.element_slot(node.variable, domain, node.domain.span, scope)
        if self._in_common is not None:
            slot = self._in_common.slot(node, slot)
        if slot.type == SITES:
            self._chosen.add(slot)
        inner = knowing(slot, domain, scope).bind(name, Get(slot))
        made: list[Statement] = []
        core = domains.core_domain(domain, node.domain.span, scope)
        if node.condition is not None:
            condition = ex.flag(node.condition, inner)
            if isinstance(core, nodes.SitesOf):
                here, condition = divided(condition)
                core = nodes.SitesOf(build.select(slot, core.sites, here))
            made += requirements(node.condition.span, condition)
        assert not isinstance(core, nodes.GroupsOf)
        partner = self._partner(node, scope)
        afterwards = (*rest, *known.following) if name in known.words else rest
        leads_on = _names_a_site(scope)
        is_goal = leads_on and is_destination(name, afterwards, scope)
        separator = "-" if is_goal else " "
        made.insert(0, nodes.Choose(node.span, slot, core, separator, partner))
        return made, inner, False

    def _partner(self, node: t.Choose, scope: Scope) -> Slot | None:
        if node.unordered_with is None:
            return None
        value = scope.local(node.unordered_with.name)
        if isinstance(value, Get) and value.slot in self._chosen:
            return value.slot
        raise problem(
            "unknown-name",
            f"`{node.unordered_with.name}` is no site chosen before in this turn.",
            node.unordered_with.span,
            suggest(node.unordered_with.name, [w for w in scope.locals if scope.locals[w] != value])
            or "It names the variable of a `choose` of sites above.",
        )

    def _alternatives(
        self,
        node: t.Choose,
        items: tuple[Value, ...],
        rest: Sequence[t.Statement],
        scope: Scope,
        known: KnownAfter,
    ) -> Statement:
        around = self._in_common
        self._in_common = InCommon(len(items)) if len(items) >= _FEWEST_ALIKE else None
        try:
            ways = self._ways_of_items(node, items, rest, scope, known)
            return nodes.Decide(node.span, tuple(ways))
        finally:
            self._in_common = around

    def _ways_of_items(
        self,
        node: t.Choose,
        items: tuple[Value, ...],
        rest: Sequence[t.Statement],
        scope: Scope,
        known: KnownAfter,
    ) -> Iterator[nodes.Alternative]:
        for index, item in enumerate(items):
            if self._in_common is not None:
                self._in_common.next_alternative()
            kept, value = moments.kept(node.variable.name, item, node.span)
            inner = scope.bind(node.variable.name, value)
            body = self.block(rest, inner, known)
            if node.condition is not None:
                condition = ex.flag(node.condition, inner)
                if condition == build.NO:
                    continue
                required = requirements(node.condition.span, condition)
                body = (*made_from(node, inner, required), *body)
            yield nodes.Alternative(word_for(item, node.domain, index, scope), (*kept, *body))

    def _either(self, node: t.Either, scope: Scope, known: KnownAfter) -> list[Statement]:
        if len(node.alternatives) == 1 and node.alternatives[0].label is None:
            raise problem(
                "syntax",
                "An `either` of one block that puts no word in the move decides nothing.",
                replace(node.span, end=node.span.start + len("either")),
                "Add a block `or`, or name the word: `either as NAME`.",
            )
        ways = tuple(self._alternative(way, scope, known) for way in node.alternatives)
        return [nodes.Decide(node.span, ways)]

    def _optionally(self, node: t.Optionally, scope: Scope) -> list[Statement]:
        nothing = nodes.Alternative(None, ())
        return [nodes.Decide(node.span, (self._alternative(node, scope, NOTHING_KNOWN), nothing))]

    def _alternative(
        self, way: t.Alternative | t.Optionally, scope: Scope, known: KnownAfter
    ) -> nodes.Alternative:
        label = None if way.label is None else way.label.name
        return nodes.Alternative(label, self.block(way.body, scope, known))

    def _require(self, node: t.Require, scope: Scope) -> list[Statement]:
        return requirements(node.span, ex.flag(node.condition, scope))

    def _keep(self, node: t.Keep, scope: Scope) -> list[Statement]:
        value = ex.number(node.value, scope)
        if node.extreme == "least":
            value = build.numeric("subtract", build.number(0), value)
        system = scope.declarations.system
        if system.best is None:
            system.best = Slot("best", FRACTION)
        return [nodes.Assign(node.span, system.best, value)]

    # ------------------------------------------------------------------ control

    def _if(self, node: t.If, scope: Scope, known: KnownAfter = NOTHING_KNOWN) -> list[Statement]:
        condition = ex.flag(node.condition, scope)
        if isinstance(condition, Const):
            way = node.then if condition.value else node.otherwise
            return list(self.block(way, scope, known))
        then = self.block(node.then, scope, known)
        otherwise = self.block(node.otherwise, scope, known)
        return [nodes.Branch(node.span, condition, then, otherwise)]

    def _for_each(self, node: t.ForEach, scope: Scope) -> list[Statement]:
        check_local(node.variable, scope)
        name = node.variable.name
        domain = ex.elaborate(node.domain, scope)
        items = domains.unrolled(domain, node.domain.span)
        if items is not None:
            kept = [moments.kept(name, item, node.span) for item in items]
            made = [statement for before, _ in kept for statement in before]
            for _, value in kept:
                made += self._guarded(node, scope.bind(name, value))
            return made
        slot = domains.element_slot(node.variable, domain, node.domain.span, scope)
        inner = scope.bind(name, Get(slot))
        core = domains.core_domain(domain, node.domain.span, scope)
        return [nodes.ForEach(node.span, slot, core, tuple(self._guarded(node, inner)))]

    def _guarded(self, node: t.ForEach, scope: Scope) -> list[Statement]:
        if node.condition is None:
            return list(self.block(node.body, scope))
        return self._if(t.If(node.span, node.condition, node.body, ()), scope)

    def _repeat(
        self, node: Loop, mode: str, bound: Expression | None, scope: Scope
    ) -> list[Statement]:
        limit = nodes.most_rounds(scope.declarations.board.size)
        body = self.block(node.body, scope)
        compared = _seen_outside(body, scope) if mode == "settled" else ()
        return [nodes.Repeat(node.span, mode, bound, body, limit, compared)]

    def _do(self, node: t.Do, scope: Scope) -> list[Statement]:
        name = node.name.name
        action = scope.declarations.actions.get(name)
        if action is None and name in scope.declarations.broken:
            raise Silent
        if action is None:
            raise problem(
                "unknown-name",
                f"There is no action `{name}`.",
                node.name.span,
                suggest(name, scope.declarations.actions) or "Actions are written under `actions`.",
            )
        scope.declarations.used.add(name)
        parameters = action.head.parameters
        if len(parameters) != len(node.arguments):
            count = len(parameters)
            raise problem(
                "wrong-number-of-arguments",
                f"`{name}` takes {count} argument{'s' * (count != 1)}, not {len(node.arguments)}.",
                node.span,
                f"It is `{action.head.span.text}`.",
            )
        if name in self._actions:
            raise problem(
                "recursive-definition",
                f"The action `{name}` is done by itself.",
                node.span,
                "What is done again and again is said by `repeat`.",
            )
        made: list[Statement] = []
        bound: dict[str, Value] = {}
        for parameter, argument in zip(parameters, node.arguments, strict=True):
            value = ex.elaborate(argument, scope)
            if isinstance(value, Expression) and not isinstance(value, Const):
                slot = Slot(parameter.name, value.type, span=parameter.span)
                made.append(nodes.Assign(argument.span, slot, value))
                value = Get(slot)
            elif not isinstance(value, Expression):
                before_it, value = moments.kept(parameter.name, value, argument.span)
                made += before_it
            bound[parameter.name] = value
        self._actions.append(name)
        before = scope.declarations.work_spent
        try:
            made += self.block(action.body, scope.only(bound, (action.head.span, node.span)))
        finally:
            note_written_out(scope, action.head.span, before)
        self._actions.pop()
        return made

    def _go_to(self, node: t.GoTo, scope: Scope) -> list[Statement]:
        number = phase_number(node.phase, scope)
        phase = scope.declarations.system.phase
        assert phase is not None, "what has phases has their number"
        return [nodes.Assign(node.span, phase, build.number(number))]


def _is_number_range(domain: Value) -> bool:
    return isinstance(domain, RangeValue)


def _names_a_site(scope: Scope) -> bool:
    """Return whether a word before may name the site that a piece comes from."""
    return any(isinstance(v, Get) and v.type == SITES for v in scope.locals.values())


def _with_unknown(names: Sequence[str], scope: Scope) -> Scope:
    """Return the scope in which nothing is told of names that mean nothing because of an error."""
    for name in names:
        if name not in scope.locals:
            scope = scope.bind(name, Unknown())
    return scope


def _names_given(statement: t.Statement) -> tuple[str, ...]:
    """Return the names that may be known after a statement because of it."""
    if isinstance(statement, t.Either | t.If):
        return tuple(name for block in blocks_of(statement) for name in names_made(block))
    return names_made((statement,))


def _seen_outside(body: Block, scope: Scope) -> tuple[Slot, ...]:
    """Return the slots that a block changes and that are no words of its own.

    What `keep` asks of a move is none of them, nor is what has effect when the turn is over.
    """
    system, outside = scope.declarations.system, set[Slot]()
    for value in scope.locals.values():
        if isinstance(value, ExpressionNode):
            outside |= value.free
    afterwards = {system.following, system.phase, *system.seats}
    changed = (slot for slot in changed_slots(body) if slot not in afterwards)
    return tuple(slot for slot in changed if slot.is_state or slot in outside)
