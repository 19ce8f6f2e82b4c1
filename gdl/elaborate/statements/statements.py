"""Programs: from the statements of a turn to those of the core, for one side.

In: the syntax of a program and its scope. Out: a block of the core. What then holds: choices
among known things (sides, kinds, directions, names) are decisions between alternatives, and an
error in one statement does not hide those in others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from gdl.board.relation import Relation
from gdl.codes import Code
from gdl.core import build, nodes
from gdl.core.build import TooLarge
from gdl.core.nodes import (
    Alternative,
    Assign,
    Block,
    Choose,
    Const,
    Expression,
    ExpressionNode,
    Get,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.operations import Overflow
from gdl.core.types import FRACTION, NUMBER, SITES
from gdl.core.walk import changed_slots
from gdl.diagnostic import suggest
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.expressions.move_words import is_destination, word_for
from gdl.elaborate.expressions.names import check_local
from gdl.elaborate.names import freeze, limits
from gdl.elaborate.names.can_depth import divided, requirements
from gdl.elaborate.names.limits import note_written_out
from gdl.elaborate.names.scope import Problem, Scope, Silent, Written, problem
from gdl.elaborate.names.values import GroupsValue, RangeValue, Unknown, Value
from gdl.elaborate.pieces.shared_alternatives import InCommon, made_from
from gdl.elaborate.relations import coerce, domains
from gdl.elaborate.relations.standing import knowing, leaves_pieces
from gdl.elaborate.statements import assignments
from gdl.elaborate.statements.assignments import NOTHING_KNOWN, KnownAfter, known_after
from gdl.elaborate.statements.named_pieces import by_side
from gdl.elaborate.statements.piece_statements import piece_statement
from gdl.resources.budget import TooMuchWork
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
        report = scope.report
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
            scope.report.add(error.diagnostic)
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
                return [again(statement, scope)]
            case t.Swap():
                return swap(statement, scope)
            case t.NextSide():
                return next_side(statement, scope)
            case t.Take():
                return take(statement, self._seat, scope)
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
                Code.WRONG_TYPE,
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
            Code.UNKNOWN_NAME,
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
            kept, value = freeze.kept(node.variable.name, item, node.span)
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
                Code.SYNTAX,
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
        asked_for = scope.elaboration.asked_for
        if asked_for.best is None:
            asked_for.best = Slot("best", FRACTION)
        return [nodes.Assign(node.span, asked_for.best, value)]

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
            kept = [freeze.kept(name, item, node.span) for item in items]
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
                Code.UNKNOWN_NAME,
                f"There is no action `{name}`.",
                node.name.span,
                suggest(name, scope.declarations.actions) or "Actions are written under `actions`.",
            )
        scope.elaboration.used.add(name)
        parameters = action.head.parameters
        if len(parameters) != len(node.arguments):
            count = len(parameters)
            raise problem(
                Code.WRONG_NUMBER_OF_ARGUMENTS,
                f"`{name}` takes {count} argument{'s' * (count != 1)}, not {len(node.arguments)}.",
                node.span,
                f"It is `{action.head.span.text}`.",
            )
        if name in self._actions:
            raise problem(
                Code.RECURSIVE_DEFINITION,
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
                before_it, value = freeze.kept(parameter.name, value, argument.span)
                made += before_it
            bound[parameter.name] = value
        self._actions.append(name)
        before = scope.elaboration.spent.work
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


# ---------------------------------------------------------------------------------- sides and seats


def again(node: t.Again | t.Swap, scope: Scope) -> Statement:
    """Return what lets the side on turn have the next turn, too."""
    mover = Const(_mover(node, scope), scope.declarations.side_type)
    return nodes.Assign(node.span, scope.declarations.system.following, mover)


def _mover(node: t.Again | t.Swap | t.Take, scope: Scope) -> int:
    if scope.mover is None:
        raise problem(
            Code.NO_SIDE_HERE,
            "No side is on turn here.",
            node.span,
            f"Say who is next, such as `next {scope.declarations.sides[0]}`.",
        )
    return scope.mover


def swap(node: t.Swap, scope: Scope) -> list[Statement]:
    """Return what lets two seats change their sides."""
    if len(scope.declarations.sides) != 2:
        raise problem(
            Code.TWO_SIDES_ONLY,
            "`swap` is for games of two sides.",
            node.span,
            "With more sides, nothing says who swaps with whom.",
        )
    scope.elaboration.asked_for.seats_change = True
    first, second = scope.declarations.system.seats
    kept = Slot("seat", NUMBER)
    return [
        nodes.Say(node.span, "swap"),
        nodes.Assign(node.span, kept, Get(first)),
        nodes.Assign(node.span, first, Get(second)),
        nodes.Assign(node.span, second, Get(kept)),
        again(node, scope),
    ]


def next_side(node: t.NextSide, scope: Scope) -> list[Statement]:
    """Return what gives a side the next turn."""
    side = ex.of_type(node.side, scope.declarations.side_type, scope)
    return [nodes.Assign(node.span, scope.declarations.system.following, side)]


def take(node: t.Take, seat: int | None, scope: Scope) -> list[Statement]:
    """Return what gives the seat on turn (`seat`, if the phase names one) a side."""
    side = ex.of_type(node.side, scope.declarations.side_type, scope)
    coerce.check_somebody(side, node.side.span)
    system = scope.declarations.system
    if len(system.seats) != 2:
        raise problem(
            Code.TWO_SIDES_ONLY,
            "`take` is for games of two sides.",
            node.span,
            "With more sides, nothing says who gets which of the others.",
        )
    scope.elaboration.asked_for.seats_change = True
    if seat is not None:
        me: Expression = build.number(seat)
    else:
        me = Get(system.seats[_mover(node, scope)])
    kept = Slot("seat", NUMBER)

    def taken(side: int | None) -> list[Statement]:
        assert side is not None, "there are as many sides as seats"
        mine, other = system.seats[side], system.seats[1 - side]
        rest = build.numeric("subtract", build.number(1), Get(kept))
        return [nodes.Assign(node.span, mine, Get(kept)), nodes.Assign(node.span, other, rest)]

    return [nodes.Assign(node.span, kept, me), *by_side(node.span, side, taken)]


# ------------------------------------------------------------ several sites that are chosen at once

_MOST_AT_ONCE = 16
_MOST_SITES = 3000
"""On larger boards, what is behind each site takes too much memory."""


def chosen_set(node: t.ChooseSet, scope: Scope) -> tuple[list[Statement], Scope]:
    """Return the statements of a choice of several sites, and the scope of what follows it."""
    check_local(node.variable, scope)
    low, high = _numbers(node, scope)
    board = scope.declarations.board
    if board.size > _MOST_SITES:
        raise problem(
            Code.TOO_LARGE,
            f"Several sites at once are chosen on boards of {_MOST_SITES:,} sites at most.",
            node.span,
            "Choose them one after another, `unordered with` the one before.",
        )
    everything = board.all_sites
    behind = Relation(board.size, [everything >> n + 1 << n + 1 for n in range(board.size)])
    among, chosen = Slot("among", SITES), Slot(node.variable.name, SITES, span=node.variable.span)
    made: list[Statement] = [Assign(node.domain.span, among, ex.sites(node.domain, scope))]
    ways = [_so_many(number, node, scope, among, chosen, behind) for number in range(low, high + 1)]
    if len(ways) == 1:
        made += ways[0]
    else:
        made.append(nodes.Decide(node.span, tuple(Alternative(None, way) for way in ways)))
    inner = scope.bind(node.variable.name, Get(chosen))
    if node.condition is not None:
        required = requirements(node.condition.span, ex.flag(node.condition, inner))
        made += [replace(one, origin=Written(node, inner)) for one in required]
    return made, inner


def _numbers(node: t.ChooseSet, scope: Scope) -> tuple[int, int]:
    """Return how many sites may be chosen, at least and at most."""
    value = ex.elaborate(node.number, scope)
    ends = (value.low, value.high) if isinstance(value, RangeValue) else (value, value)
    low, high = (
        coerce.constant_number(coerce.to_whole(coerce.to_number(end, node.number.span), span), span)
        for end, span in ((end, node.number.span) for end in ends)
    )
    if not 0 <= low <= high or not 1 <= high <= _MOST_AT_ONCE:
        raise problem(
            Code.OUT_OF_RANGE,
            f"So many sites can't be chosen at once: {node.number.span.text}.",
            node.number.span,
            f"Write a number from 1 to {_MOST_AT_ONCE}, or a range such as `1..3`.",
        )
    return low, high


def _so_many(
    number: int, node: t.ChooseSet, scope: Scope, among: Slot, chosen: Slot, behind: Relation
) -> Block:
    """Return the choices of so many sites, each behind the one before."""
    origin = Written(node, scope)
    made: list[Statement] = []
    sites: list[Expression] = []
    for rank in range(1, number + 1):
        left: Expression = Get(among)
        if sites:
            left = build.intersection(left, build.image(behind, sites[-1]))
        slot = Slot(node.variable.name, SITES)
        made.append(Choose(node.span, slot, SitesOf(left), rank=rank, origin=origin))
        sites.append(Get(slot))
    return (*made, Assign(node.span, chosen, build.union(*sites)))


# --------------------------------------------- names of phases, after `go to` in a turn or a clause


def phase_number(name: t.Name, scope: Scope) -> int:
    """Return the number of a phase. Raises Problem if there is none of that name."""
    phases = scope.declarations.phases
    if name.name not in phases:
        raise problem(
            Code.UNKNOWN_NAME,
            f"There is no phase `{name.name}`.",
            name.span,
            suggest(name.name, phases) or _there_are(phases),
        )
    return phases.index(name.name)


def _there_are(phases: Sequence[str]) -> str:
    """Return what phases there are, if they have names."""
    names = [f"`{name}`" for name in phases if name]
    return f"The phases are: {', '.join(names)}." if names else "Phases are listed under `phases`."
