"""Variables that never have another value between turns than where games begin.

In: positions as they are met, and the coverage of all games. Out: notes. What then holds: of a
variable that is told, turns changed the value many times, and no turn left another one than the
first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from gdl.core.nodes import Assign, AssignAt, Get, GetAt, Slot
from gdl.core.walk import program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.places import note
from interpreter.check.play.coverage import Coverage

_FEWEST = 100
_MOST_NAMED = 4


class Lasting:
    """The variables of a game that have had one value between turns alone: `constant`."""

    def __init__(self, game: Game) -> None:
        program = game.program
        variables = set(game.state_slots.values()) - set(game.marks) - _decided_together(game)
        self.variables = {slot for slot in program.state if slot in variables and slot.span}
        self._first = {
            slot: (place, value)
            for place, (slot, value) in enumerate(zip(program.state, program.initial, strict=True))
            if slot in self.variables
        }

    @property
    def constant(self) -> set[Slot]:
        """The variables that have not had another value."""
        return set(self._first)

    def note(self, values: Sequence[Any]) -> None:
        """Look at a position between turns."""
        for slot, (place, first) in tuple(self._first.items()):
            if values[place] != first:
                del self._first[slot]


def _decided_together(game: Game) -> set[Slot]:
    """Return the variables that get what sides have decided together: no `let` can do that.

    It is kept aside until then, in slots of the state that are no variables.
    """
    variables = set(game.state_slots.values())
    return {
        statement.slot
        for statement in program_statements(game.program)
        if game.undecided
        and isinstance(statement, Assign | AssignAt)
        and isinstance(statement.value, Get | GetAt)
        and statement.value.slot.is_state
        and statement.value.slot not in variables
    }


def never_lasting(
    all_lasting: Sequence[tuple[Game, Lasting]], coverage: Coverage
) -> Iterator[Diagnostic]:
    """Yield the variables that turns change, and that no turn leaves changed."""
    kept: dict[Span, bool] = {}
    places: dict[Span, dict[Span, None]] = defaultdict(dict)
    names: dict[Span, str] = {}
    for game, lasting in all_lasting:
        constant = lasting.constant
        for slot in lasting.variables:
            assert slot.span is not None
            kept[slot.span] = kept.get(slot.span, True) and slot in constant
            names[slot.span] = slot.name.partition("(")[0]
        for statement in program_statements(game.program):
            if isinstance(statement, Assign | AssignAt) and statement.slot in lasting.variables:
                assert statement.slot.span is not None
                if statement.span is not None:
                    places[statement.slot.span][statement.span] = None
    declared = {slot.span for slot in all_lasting[0][1].variables}
    for span, is_kept in kept.items():
        if span not in declared:
            continue  # a variant declares it anew, and what changed may be that of the game itself
        changed = sum(coverage.effects[place][1] for place in places[span])
        if is_kept and changed >= _FEWEST:
            yield note(
                "never-lasts",
                f"`{names[span]}` was changed {changed:,} times while turns were tried, and was the"
                " same after each that was played: another statement takes back what is set, or no"
                " move comes of it.",
                span,
                "See whether each statement that sets it stands under the condition that is meant,"
                " and a turn can go on from there; what is asked for within a turn alone is a"
                " `let`.",
                [("It is set here.", place) for place in [*places[span]][:_MOST_NAMED]],
            )
