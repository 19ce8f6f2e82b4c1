"""Positions in which nobody can do anything but pass, for ever.

In: a state that a long random game has come to. Out: whether it is such a one. What then holds:
each side in turn has one legal move, which leaves all as it is that any rule asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from gdl.codes import Code
from gdl.core.walk import program_expressions
from gdl.model import Game
from interpreter.check.finding import Finding
from interpreter.check.places import key_or_file_span, warning
from interpreter.check.play.seen import Seen
from interpreter.evaluation.evaluator import State
from interpreter.reference.rules import ReferenceRules


def may_stand_still(game: Game) -> bool:
    """Return whether no rule counts turns or passes, or looks at earlier positions."""
    program = game.program
    counted = {program.system.turns, program.system.passes}
    asked = chain.from_iterable(one.free for one in program_expressions(program))
    return not program.memories and counted.isdisjoint(asked)


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
