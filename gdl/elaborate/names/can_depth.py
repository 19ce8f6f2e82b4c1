"""Foresight: how many turns ahead `can` looks, and which conditions it leaves out.

In: requirements of a turn, and the turns of a game. Out: core statements; and a diagnostic where
a `can` would look further than `MOST_TURNS` turns. What then holds: what a turn requires of the
next one stands apart from what else it requires, and working out a `can` comes to an end.

A turn that is looked at is carried out without the requirements that look ahead themselves. A
`can` elsewhere in it looks one turn further, and so does one in the condition of a `can`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gdl.codes import Code
from gdl.core import build
from gdl.core.memo import Memo, Met
from gdl.core.nodes import Can, Ending, Expression, Op, Phase, Require, Slot, Statement
from gdl.core.walk import assigned_slots, expressions_of, statements_in
from gdl.diagnostic import Diagnostic, Span

MOST_TURNS = 2
"""How many turns ahead the rules may look."""


def divided(condition: Expression) -> tuple[Expression, Expression]:
    """Return what a condition asks of the present position, and what of the next turn."""
    if not condition.looks_ahead:
        return condition, build.YES
    parts: tuple[Expression, ...] = (condition,)
    if isinstance(condition, Op) and condition.name == "and":
        parts = condition.arguments
    here = [part for part in parts if not part.looks_ahead]
    later = [part for part in parts if part.looks_ahead]
    return build.conjunction(*here), build.conjunction(*later)


def requirements(span: Span, condition: Expression) -> list[Statement]:
    """Return the requirements of a condition; what asks of the next turn is one of its own."""
    return [Require(span, part) for part in divided(condition) if part != build.YES]


class Foresight:
    """The turns that each `can` of a game looks at; `phase` is the slot of the present phase."""

    def __init__(self, phases: Sequence[Phase], phase: Slot | None) -> None:
        self._phases = phases
        self._phase = phase
        self._all = frozenset(range(len(phases)))
        self._met = Memo[Can, set[tuple[frozenset[int], int]]]()

    def of_turns(self) -> Iterator[Diagnostic]:
        """Yield what is wrong in the turns and endings of the game."""
        for number, phase in enumerate(self._phases):
            for side, turn in enumerate(phase.turns):
                here, after = frozenset((number,)), self._after(number, side)
                for statement in statements_in(turn.program):
                    for expression in expressions_of(statement):
                        yield from self._beyond(expression, after, 0)
                yield from self._of_endings(turn.stuck, here)
                yield from self._of_endings(turn.endings, after)

    def of_value(self, value: Expression) -> Iterator[Diagnostic]:
        """Yield what is wrong in an expression that is asked of any position."""
        return self._beyond(value, self._all, 0)

    def _of_endings(
        self, endings: Iterable[Ending], phases: frozenset[int]
    ) -> Iterator[Diagnostic]:
        for ending in endings:
            for expression in ending.expressions:
                yield from self._beyond(expression, phases, 0)

    def _after(self, phase: int, side: int) -> frozenset[int]:
        """Return the phases that may be the present one while a turn is made, or after it."""
        changes = self._phase in assigned_slots(self._phases[phase].turns[side].program)
        return self._all if changes else frozenset((phase,))

    def _beyond(
        self, value: Expression, phases: frozenset[int], depth: int
    ) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each `can` from which too many turns are looked ahead.

        `depth` is how many turns ahead of the present position the value is asked, in one of
        the `phases`.
        """
        for can in _outermost(value):
            met = self._met.of(can, lambda _: set())
            if (phases, depth) in met:
                continue
            met.add((phases, depth))
            if depth == MOST_TURNS:
                yield _too_deep(can)
                continue
            after: frozenset[int] = frozenset()
            for phase in phases:
                after |= self._after(phase, can.side)
                for part in self._asked_in_turn(phase, can.side):
                    yield from self._beyond(part, self._after(phase, can.side), depth + 1)
            yield from self._beyond(can.condition, after, depth + 1)

    def _asked_in_turn(self, phase: int, side: int) -> Iterator[Expression]:
        for statement in statements_in(self._phases[phase].turns[side].program):
            if not isinstance(statement, Require):
                yield from expressions_of(statement)


def _outermost(value: Expression) -> Iterator[Can]:
    """Yield each `can` of an expression that stands in no other one."""
    met = Met[Expression]()
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Can):
            yield part
            continue
        pending += (one for one in part.parts() if one.looks_ahead and met.add(one))


def _too_deep(can: Can) -> Diagnostic:
    return Diagnostic(
        Code.CAN_TOO_DEEP,
        f"A `can` that looks {MOST_TURNS} turns ahead comes here, and would have to look further.",
        can.span,
        "Ask it by `require`, or after `where` in a `choose`: what these ask of the next turn is "
        "left out when a turn is looked at. Of two ways under `either`, one may `require can …`, "
        "and the other `require not can …`.",
    )
