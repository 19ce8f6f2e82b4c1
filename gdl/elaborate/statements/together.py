"""Deciding together: a phase in which every side decides before any decision takes effect.

In: the programs of `together` and of `turn` in a phase. Out: a program for each side, of
statements that every evaluator knows: the sides decide one after another, what they set is kept
aside in slots that no rule reads, and when the last side has decided all of it is set, and the
phase's `turn` runs. What then holds: a decision depends on nothing that another side has decided
in the same round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from fractions import Fraction

from gdl.codes import Code
from gdl.core import build, nodes
from gdl.core.nodes import Assign, AssignAt, Block, Const, Ending, Get, GetAt, Slot, Statement
from gdl.core.types import NUMBER
from gdl.core.walk import statements_in
from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Declarations, Problem, Scope, problem
from gdl.elaborate.statements.statements import ProgramElaborator
from gdl.syntax import tree as t


@dataclass(frozen=True)
class Together:
    """The slots of one phase in which the sides decide together.

    `decided` counts the sides that have; `aside` has, for each side, what it has set by the
    variable that takes the value when all have decided.
    """

    decided: Slot
    aside: list[dict[Slot, Slot]] = field(default_factory=list)


def together_programs(
    name: str,
    decisions: Sequence[t.Statement],
    effects: Sequence[t.Statement],
    span: Span,
    scope: Scope,
) -> tuple[tuple[Block, ...], Together]:
    """Return the program of each side in a phase by that name, and the slots that it needs.

    Errors go to the report.
    """
    d = scope.declarations
    last = len(d.sides) - 1
    together = Together(Slot(f"decided in {name}", NUMBER, is_state=True, low=0, high=last))
    decided = []
    setters: dict[Slot, Span] = {}
    for side in range(len(d.sides)):
        block = ProgramElaborator(None).block(decisions, scope.turn_of(side))
        for found in _faults(block, setters, scope):
            scope.report.add(found.diagnostic)
        mine = [slot for slot in setters if slot not in _all_set(together)]
        together.aside.append({slot: _kept_aside(slot, side, d) for slot in mine})
        decided.append(block)
    following = _effects(effects, scope)
    made = tuple(
        _program(side, block, following, together, span, scope)
        for side, block in enumerate(decided)
    )
    return made, together


def when_all_have_decided(ending: Ending, decided: Slot) -> Ending:
    """Return an ending that holds only between two rounds."""
    is_between = build.equal(Get(decided), build.number(0))
    return replace(ending, condition=build.conjunction(is_between, ending.condition))


def _all_set(together: Together) -> set[Slot]:
    return {slot for kept in together.aside for slot in kept}


def _kept_aside(slot: Slot, side: int, d: Declarations) -> Slot:
    return Slot(
        *(f"{slot.name} decided by {d.sides[side]}", slot.type, True),
        *(slot.per_site, slot.low, slot.high),
        family=("decided", slot.family or slot.name),
        sides=(*slot.sides, side),
    )


def _faults(block: Block, setters: dict[Slot, Span], scope: Scope) -> list[Problem]:
    """Return what sides may not do while they decide; note in `setters` which slots they set."""
    d = scope.declarations
    variables = {slot for variable in d.state.values() for slot in variable.slots.values()}
    others = set(setters)
    found: dict[Span, Problem] = {}
    for statement in statements_in(block):
        if not isinstance(statement, Assign | AssignAt) or statement.span is None:
            continue
        slot, span = statement.slot, statement.span
        if slot in others:
            found[span] = problem(
                Code.NOT_TOGETHER,
                f"Another side sets `{slot.name}` in the same round.",
                span,
                "Give each side a variable of its own, such as `bid(players)`, and set"
                " `bid(mover)`.",
            )
        elif slot in variables:
            setters[slot] = span
        elif slot.is_state or slot is d.system.following:
            found[span] = problem(
                Code.NOT_TOGETHER,
                "Where sides decide together, they only set variables.",
                span,
                "Keep the decision in a variable, and carry it out in the phase's `turn`.",
            )
    return list(found.values())


def _effects(effects: Sequence[t.Statement], scope: Scope) -> Block:
    """Return what happens when all have decided; nobody is on turn then."""
    block = ProgramElaborator(None).block(effects, scope)
    best = scope.elaboration.asked_for.best
    for statement in statements_in(block):
        is_choice = isinstance(statement, nodes.Choose | nodes.Decide)
        is_kept = isinstance(statement, Assign) and statement.slot is best
        is_required = isinstance(statement, nodes.Require)
        if (is_choice or is_kept or is_required) and statement.span is not None:
            found = _impossible(statement.span) if is_required else _decided(statement.span)
            scope.report.add(found.diagnostic)
            break
    return block


def _decided(span: Span) -> Problem:
    return problem(
        Code.NOT_TOGETHER,
        "Nobody can decide here: the sides have decided under `together`.",
        span,
        "Go to another phase for what is decided afterwards.",
    )


def _impossible(span: Span) -> Problem:
    return problem(
        Code.NOT_TOGETHER,
        "This may be impossible, and nobody can decide otherwise any more: the sides have decided"
        " under `together`.",
        span,
        "Ask by `if` whether it can be done. For a piece out of a hand, `place` it without `from"
        " hand`, and take one off `hand`.",
    )


def _program(
    side: int, decisions: Block, effects: Block, together: Together, span: Span, scope: Scope
) -> Block:
    """Return the program of a side: it decides, and is the last to do so or not."""
    initial = scope.declarations.initial
    counter = together.decided
    sites = build.sites(scope.declarations.board.all_sites)
    before, later = list[Statement](), list[Statement]()
    for slot, aside in together.aside[side].items():
        before += _copied(aside, slot, sites, span)
        later += _exchanged(slot, aside, sites, span)
    one_more = build.numeric("add", Get(counter), build.number(1))
    later.append(Assign(span, counter, one_more))
    now: list[Statement] = [Assign(span, counter, build.number(0))]
    for other, kept_aside in enumerate(together.aside):
        for slot, aside in kept_aside.items():
            if other != side:
                now += _copied(slot, aside, sites, span)
            now.append(_emptied(aside, initial[slot], sites, span))
    last = build.number(len(together.aside) - 1)
    is_last = build.equal(Get(counter), last)
    rest = nodes.Branch(span, is_last, (*now, *effects), tuple(later))
    return (*before, *decisions, rest)


def _copied(to: Slot, source: Slot, sites: Const, span: Span) -> list[Statement]:
    if not to.per_site:
        return [Assign(span, to, Get(source))]
    site = Slot("site", sites.type)
    body = (AssignAt(span, to, Get(site), GetAt(source, Get(site))),)
    return [nodes.ForEach(span, site, nodes.SitesOf(sites), body)]


def _exchanged(one: Slot, other: Slot, sites: Const, span: Span) -> list[Statement]:
    kept = Slot("kept", one.type, low=one.low, high=one.high)
    if not one.per_site:
        return [
            Assign(span, kept, Get(one)),
            Assign(span, one, Get(other)),
            Assign(span, other, Get(kept)),
        ]
    site = Slot("site", sites.type)
    body = (
        Assign(span, kept, GetAt(one, Get(site))),
        AssignAt(span, one, Get(site), GetAt(other, Get(site))),
        AssignAt(span, other, Get(site), Get(kept)),
    )
    return [nodes.ForEach(span, site, nodes.SitesOf(sites), body)]


def _emptied(slot: Slot, initial: object, sites: Const, span: Span) -> Statement:
    """Return what makes a slot as if nothing had been decided: equal positions are equal."""
    value = initial[0] if isinstance(initial, tuple) else initial
    assert isinstance(value, bool | int | Fraction)
    constant = Const(value, slot.type)
    return AssignAt(span, slot, sites, constant) if slot.per_site else Assign(span, slot, constant)
