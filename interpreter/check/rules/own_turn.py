"""Goals that are asked after a turn which can't bring them about.

In: the program of a game. Out: notes. What then holds: no turn of the side after whose turn a goal
is asked changes what it asks for, whichever side that is, and a turn of another side does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from gdl.core.nodes import Assign, AssignAt, Ending, Expression, Op, Slot, Times
from gdl.core.walk import assigned_slots, expressions_in, program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.places import note

Goal = tuple[Span, int]


def asked_too_late(game: Game) -> Iterator[Diagnostic]:
    """Yield clauses of which a part can come true in turns of others alone."""
    phases = game.program.phases
    if len(game.sides) < 2 or any(phase.by_chance or phase.seat is not None for phase in phases):
        return
    changed = _changed(game)
    anywhere = frozenset(chain.from_iterable(changed))
    late: dict[Goal, list[bool]] = defaultdict(list)
    by_program = set(game.program.state) & anywhere
    asked_for: dict[Goal, frozenset[Slot]] = {}
    for phase in phases:
        for side, turn in enumerate(phase.turns):
            for ending in turn.endings:
                if ending.span is None or ending.kind not in ("wins", "loses"):
                    continue
                for number, goal in enumerate(_goals(ending)):
                    asked = goal.free & by_program
                    asked_for[ending.span, number] = asked
                    is_late = bool(asked) and goal.free <= by_program and not asked & changed[side]
                    late[ending.span, number].append(is_late and not looks_back(goal))
    told: set[Span] = set()
    for (span, number), found in late.items():
        if all(found) and span not in told:
            told.add(span)
            yield note(
                "asked-too-late",
                "This asks for what the turn before it never changes; only turns of others do.",
                span,
                "See whether `mover` and `enemy`, or `own` and `enemy`, are exchanged, here or"
                " where it is changed.",
                [
                    ("It is changed here.", place)
                    for place in dict.fromkeys(_places(game, asked_for[span, number]))
                ],
            )


def _changed(game: Game) -> list[frozenset[Slot]]:
    """Return what the turns of each side change, in any phase."""
    return [
        frozenset().union(
            *(assigned_slots(phase.turns[side].program) for phase in game.program.phases)
        )
        for side in range(len(game.sides))
    ]


def _places(game: Game, slots: frozenset[Slot]) -> Iterator[Span]:
    """Yield where turns change some variables."""
    for statement in program_statements(game.program):
        if isinstance(statement, Assign | AssignAt) and statement.slot in slots and statement.span:
            yield statement.span


def _goals(ending: Ending) -> list[Expression]:
    """Return the parts of a clause of which each is enough."""
    found, left = [], [ending.condition]
    while left:
        part = left.pop()
        if isinstance(part, Op) and part.name == "or":
            left += reversed(part.arguments)
        else:
            found.append(part)
    return found


def looks_back(goal: Expression) -> bool:
    """Return whether a goal asks for the past."""
    return any(isinstance(node, Times) for node in expressions_in(goal))
