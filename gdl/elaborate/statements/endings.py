"""Endings: the clauses of `end` and `stuck`, for the side that has just moved or is on turn.

In: the sections of a document. Out: core endings. What then holds: in a clause about a side,
`own` is that side's; `mover` is the side whose move it was (for `stuck`, whose turn it is). What
a clause says that the game is worth is told for each side. Clauses after the entry `stuck` of
`end` yield to those of the section `stuck`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import assert_never

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Ending, Expression
from gdl.data_classes import dataclass
from gdl.diagnostic import Report
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.parts import is_stuck
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Problem, Scope, Silent, Written, problem
from gdl.elaborate.names.teams import team_of
from gdl.elaborate.relations import coerce
from gdl.elaborate.sections import sections
from gdl.elaborate.statements.statements import phase_number
from gdl.syntax import tree as t

Clauses = list[tuple[t.Clause, str]]
"""Clauses, each with its caption."""


@dataclass(frozen=True)
class Ends:
    """The clauses of `end`: those that are tried first, and those after its entry `stuck`."""

    first: Clauses
    after_stuck: Clauses

    @classmethod
    def of(cls, node: Node | None, report: Report) -> Ends:
        """Read the clauses of a section `end`; errors go to the report."""
        texts = sections.clauses(node)
        places = (n for n, (text, says) in enumerate(texts) if is_stuck(text) and not says)
        place = next(places, len(texts))
        first, later = texts[:place], texts[place + 1 :]
        return cls(read_clauses(first, "clause", report), read_clauses(later, "clause", report))

    @property
    def clauses(self) -> Clauses:
        """All of them, in order."""
        return [*self.first, *self.after_stuck]

    def endings(self, scope: Scope) -> tuple[Ending, ...]:
        """Return the endings for the side `scope.mover`; errors go to the report."""
        late = endings(self.after_stuck, scope)
        return (*endings(self.first, scope), *(replace(ending, yields=True) for ending in late))


def read_clauses(texts: Iterable[tuple[Scalar, str]], entry: str, report: Report) -> Clauses:
    """Return the clauses that texts are, read by an entry point of the grammar."""
    parsed = [(sections.parsed(text, entry, report), says) for text, says in texts]
    return [(clause, says) for clause, says in parsed if clause is not None]


def check_stuck_in_end(document: Document, report: Report) -> None:
    """Report where `end` names `stuck`, and no phase says what happens to a side without a move."""
    phases = [node for _, node in sections.entries(document, "phases")]
    parts = [document, *(node for node in phases if isinstance(node, Document))]
    if any(part.get("stuck") is not None for part in parts):
        return
    for text in (text for part in parts for text in sections.texts(part.get("end"))):
        if is_stuck(text):
            report.error(
                Code.MISSING_KEY,
                "`end` says here that a side without a legal move comes first, but nothing says"
                " what happens to it.",
                text.span,
                "Add `stuck:`, for example `stuck: loses`, or take this entry away.",
            )


def endings(clauses: Sequence[tuple[t.Clause, str]], scope: Scope) -> tuple[Ending, ...]:
    """Return the endings of clauses for the side `scope.mover`; errors go to the report.

    Each clause comes with its caption.
    """
    made: list[Ending] = []
    for clause, says in clauses:
        try:
            origin = Written(clause, scope)
            found = _endings(clause, scope)
            made += [
                replace(ending, number=scope.elaboration.next_ending(), origin=origin, says=says)
                for ending in found
            ]
        except Problem as error:
            scope.report.add(error.diagnostic)
        except Silent:
            continue
    return tuple(ending for ending in made if ending.condition != build.NO)


def _endings(clause: t.Clause, scope: Scope) -> list[Ending]:
    match clause:
        case t.Outcome(sides=(t.Name() as side,)) if _is_known_in_play(side, scope):
            return _for_one_of_them(clause, side, scope)
        case t.Outcome():
            return [_for_sides(clause, sides, scope) for sides in _sides(clause, scope)]
        case t.Ranking():
            return [_ranked(clause, scope)]
        case t.Draw():
            return [Ending("draw", (), _condition(clause, scope), span=clause.span)]
        case t.Passes(phase=name):
            phase = None if name is None else phase_number(name, scope)
            condition = _condition(clause, scope)
            return [Ending("passes", (), condition, phase=phase, span=clause.span)]
        case _:
            assert_never(clause)


def _sides(clause: t.Outcome, scope: Scope) -> list[tuple[int, ...]]:
    """Return the sides that a clause is about; `any` makes a clause of each side."""
    assert scope.mover is not None
    if any(side.name == "any" for side in clause.sides):
        if len(clause.sides) > 1:
            raise problem(
                Code.WRONG_TYPE,
                "`any` stands for every side already, so no other can stand beside it.",
                clause.span,
                "Write `any wins when …`, or name the sides.",
            )
        count = len(scope.declarations.sides)
        return [((scope.mover + i) % count,) for i in range(count)]
    sides = tuple(
        coerce.constant_side(ex.elaborate(side, scope), side.span, scope) for side in clause.sides
    )
    return [sides or (scope.mover,)]


def _is_known_in_play(side: t.Name, scope: Scope) -> bool:
    if side.name == "any":
        return False
    value = ex.elaborate(side, scope)
    is_side = isinstance(value, Expression) and value.type == scope.declarations.side_type
    return is_side and not isinstance(value, Const)


def _for_one_of_them(clause: t.Outcome, side: t.Name, scope: Scope) -> list[Ending]:
    """Return the endings of a clause whose side is known in play only: one for each side."""
    found = ex.of_type(side, scope.declarations.side_type, scope)
    made = []
    for index in range(len(scope.declarations.sides)):
        ending = _for_sides(clause, (index,), scope)
        is_it = build.equal(found, Const(index, found.type))
        made.append(replace(ending, condition=build.conjunction(is_it, ending.condition)))
    return made


def _for_sides(clause: t.Outcome, sides: tuple[int, ...], scope: Scope) -> Ending:
    inner = replace(scope, own=sides[0]) if len(sides) == 1 else scope
    condition = _condition(clause, inner)
    payoffs = _taken_from_others(clause, sides, inner)
    return Ending(clause.outcome, sides, condition, payoffs=payoffs, span=clause.span)


def _taken_from_others(
    clause: t.Outcome, sides: tuple[int, ...], scope: Scope
) -> tuple[Expression, ...]:
    """Return what a clause about sides says that the game is worth to each; empty if nothing."""
    if clause.payoff is None:
        return ()
    gain = ex.number(clause.payoff, scope)
    loss = build.numeric("subtract", build.number(0), gain)
    wins, about = clause.outcome == "wins", team_of(sides, scope.declarations)
    every = range(len(scope.declarations.sides))
    return tuple(gain if (side in about) == wins else loss for side in every)


def _ranked(clause: t.Ranking, scope: Scope) -> Ending:
    values = _of_each(clause.value, scope)
    payoffs = () if clause.payoff is None else _of_each(clause.payoff, scope)
    if clause.payoff is not None and len(payoffs) > 1 and len(set(payoffs)) == 1:
        raise problem(
            Code.SAME_FOR_ALL,
            "After `by` stands what the game is worth to each side, as `own`: here it is the same"
            " for all.",
            clause.payoff.span,
            "Write for instance `highest score(own) wins by score(own)`.",
        )
    return Ending(
        clause.rank,
        (),
        _condition(clause, scope),
        values,
        inverted=clause.outcome == "loses",
        is_shared=clause.every is not None,
        payoffs=payoffs,
        span=clause.span,
    )


def _of_each(value: t.Expression, scope: Scope) -> tuple[Expression, ...]:
    """Return a number for each side, which is `own` in it; of a team, it is the sum."""
    sides = range(len(scope.declarations.sides))
    found = [ex.number(value, replace(scope, own=side)) for side in sides]
    teams = (team_of((side,), scope.declarations) for side in sides)
    return tuple(reduce(partial(build.numeric, "add"), (found[n] for n in team)) for team in teams)


def _condition(clause: t.Clause, scope: Scope) -> Expression:
    return build.YES if clause.condition is None else ex.flag(clause.condition, scope)
