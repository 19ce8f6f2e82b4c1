"""Positions in which nobody can do anything but pass, for ever.

In: a state that a long random game has come to. Out: whether it is such a one. What then holds:
each side in turn has one legal move, which leaves all as it is that any rule asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf

from gdl.codes import Code
from gdl.core.nodes import Const, Expression, Get, Op, Program, Slot
from gdl.core.walk import expressions_in, program_expressions
from gdl.interpreter.check.finding import Finding
from gdl.interpreter.check.places import key_or_file_span, warning
from gdl.interpreter.check.play.seen import Seen
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.model import Game

_COMPARING = ("equal", "less", "not_more")


def may_stand_still(game: Game, state: State) -> bool:
    """Return whether no rule looks at earlier positions, or at how many more turns there will be.

    What is asked of the turns and passes there were is settled for good where there are more than
    it asks for, as with `swap: turns = 1`.
    """
    program = game.program
    if program.memories:
        return False
    asked = _largest_asked(program)
    counts = zip(program.state, state.values, strict=True)
    return all(asked[slot] < value for slot, value in counts if slot in asked)


def _largest_asked(program: Program) -> dict[Slot, float]:
    """Return the largest number that each count of turns or passes is compared with.

    It is endless where the count is asked for in another way.
    """
    found: dict[Slot, float] = {}

    def note(expression: Expression, number: float) -> None:
        if isinstance(expression, Get) and expression.slot in counted:
            found[expression.slot] = max(found.get(expression.slot, 0), number)

    counted = {program.system.turns, program.system.passes}
    for root in program_expressions(program):
        note(root, inf)
        for node in expressions_in(root):
            numbers = [one.value for one in node.parts() if isinstance(one, Const)]
            is_known = isinstance(node, Op) and node.name in _COMPARING and len(numbers) == 1
            for part in node.parts():
                note(part, float(numbers[0]) if is_known else inf)
    return found


def stands_still(
    rules: ReferenceRules, state: State, is_idle: Callable[[State, State], bool]
) -> bool:
    """Return whether nothing changes from a state on, until the same side is on turn again.

    Where no rule counts, it never will then. `is_idle` says of two states whether all is the same
    but for whose turn it is, and what is counted. Raises RuleError where the rules fail.
    """
    mover = rules.machine.places[rules.game.program.system.mover]
    begun = state.values[mover]
    for _ in rules.game.sides:
        legal = rules.legal(state)
        if len(legal) != 1:
            return False
        after = rules.apply(state, legal[0])
        if not is_idle(state, after):
            return False
        if after.values[mover] == begun:
            return True
        state = after
    return False


def endless_passes(seen: Seen) -> Iterator[Finding]:
    """Yield that a random game has come to where nobody can do anything but pass."""
    if seen.standstill is None:
        return
    found = warning(
        Code.ENDLESS_PASSES,
        "A random game came to where no side can do anything but pass, and no rule ends it then: it"
        " goes on for ever.",
        key_or_file_span(seen.game, "stuck", "turn", "phases", "game"),
        f"Let that end the game, as by `- draw when passed >= {len(seen.game.sides)}` under `end`.",
    )
    yield Finding(found, None, "witnessed", seen.standstill)
