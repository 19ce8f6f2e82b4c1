"""A program made ready to run: functions of its expressions, steps of its turns, frames.

In: a program. Out: frames, and the steps of each turn, through which `Ways` finds the moves. What
then holds: what is asked of a position, or of a turn that is looked ahead at, counts by one meter.

A frame is a list: the state's slots first, then a place for every other slot of the program,
then, for choices that may change places, the number of their decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from gdl.core.evaluate import CanReach, Evaluated, ExpressionEvaluator, Frame
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Can,
    Choose,
    Expression,
    Get,
    Program,
    Slot,
)
from gdl.core.walk import changed_slots, program_statements, slots_of, statements_in
from gdl.core.work import units_of_board, units_of_expressions
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.reference.failures import (
    told_at,
    while_looking_ahead,
)
from gdl.interpreter.reference.statements import StepMaker
from gdl.interpreter.reference.steps import (
    Rest,
    before,
)
from gdl.interpreter.reference.watch import Watch
from gdl.interpreter.reference.ways import TurnSteps, Ways
from gdl.resources.budget import Meter, Tally, budget

USUAL_WORK = 2_500_000
"""How many units of work a turn may take: what a machine of today does in a second."""
_UNITS_ON_THE_SIDE = 4
"""How much work it is, in a tally, to ask something on the side."""
_MOST_ASKED = 256
"""How many functions are kept of expressions that are no part of the program."""
_BYTES_A_UNIT = 64
_BYTES_OF_NUMBER = 8
_SITES_A_BYTE = 8


class QuickEvaluator(ExpressionEvaluator):
    """Makes the function of a shared expression only once."""

    def __init__(
        self,
        places: dict[Slot, int],
        can_reach: CanReach,
        meter: Meter,
        units: int,
        watch: Watch | None = None,
        on_the_side: Callable[[int], object] = int,
    ) -> None:
        """Make functions; `on_the_side` is told of work that the meter does not count."""
        super().__init__(places, can_reach, meter, units)
        self._on_the_side = on_the_side
        self._made = Memo[Expression, Evaluated]()
        self._watch = watch
        self._unwatched = self if watch is None else self._without_watch(can_reach)

    def function(self, node: Expression) -> Evaluated:
        """Return the function that gives the node's value in a frame."""
        known = self._made.get(node)
        if known is None:
            known = super().function(node)
            if self._watch is not None:
                known = self._watch.value(node, known, self._unmetered)
            self._made.keep(node, known)
        return known

    def _without_watch(self, can_reach: CanReach) -> QuickEvaluator:
        return QuickEvaluator(dict(self._places), can_reach, self._meter, self._units)

    def _unmetered(self, node: Expression) -> Evaluated:
        """Return the function of a node that a watch asks for.

        It takes nothing from the budget, and the watch does not see what it does.
        """
        function, meter, on_the_side = (
            self._unwatched.function(node),
            self._meter,
            self._on_the_side,
        )

        def asked(frame: Frame) -> Any:
            left = meter.left
            meter.left = USUAL_WORK
            try:
                return function(frame)
            finally:
                on_the_side(USUAL_WORK - meter.left)
                meter.left = left

        return asked


class Machine:
    """Runs the turns of a program; `site_names` has the name of each site by index.

    All that is asked of it counts as work, up to what the budget allows since `begin_turn`; `tally`
    adds up the work of all turns before this one. `watch` sees what happens. What `is_counted`
    tells whether the turn that was made last is counted, and what `is_over` whether an ending holds
    in a frame, is said by who knows of endings.
    """

    def __init__(
        self, program: Program, site_names: Sequence[str], watch: Watch | None = None
    ) -> None:
        self.program = program
        self._watch = watch
        self._allowed = budget().of_turn(USUAL_WORK)
        self._meter = Meter(self._allowed)
        self.tally = Tally()
        self._units = units_of_board(len(site_names))
        self.places = {slot: place for place, slot in enumerate(program.state)}
        for slot in slots_of((program.system, program.phases, program.memories)):
            self.places.setdefault(slot, len(self.places))
        self.evaluator = self._evaluator(self.places, 0)
        self._evaluators_ahead: list[ExpressionEvaluator] = []
        self._site_names = site_names
        self._phase_place = (
            None if program.system.phase is None else self.places[program.system.phase]
        )
        self._turns: dict[tuple[int, int, int], TurnSteps] = {}
        self._asked = Memo[Expression, tuple[Evaluated, int]]()
        self._asked_in: list[Frame] = []
        self.is_counted = False
        self.is_over: Callable[[Frame], bool] = lambda frame: False

    def begin_turn(self) -> None:
        """Allow as much work from here on as a turn may take; that turn is not counted yet."""
        self.tally.questions += 1
        self.tally.units += self._allowed - self._meter.left
        self._meter.left = self._allowed
        self.is_counted = False

    def _on_the_side(self, units: int) -> None:
        self.tally.units += _UNITS_ON_THE_SIDE + units

    @property
    def share_left(self) -> float:
        """How much is left of the work that a turn may take, as a part of it."""
        return self._meter.left / self._allowed

    @cached_property
    def ways(self) -> Ways:
        """What finds the ways through its turns."""
        return Ways(self.program, self.places, self._meter, self._units_of_frame, self._watch)

    @cached_property
    def _units_of_frame(self) -> int:
        """How much work it counts as to keep a frame: memory for it is needed."""
        sites = len(self._site_names)
        numbers = sum(
            sites * _BYTES_OF_NUMBER if isinstance(value, tuple) else sites // _SITES_A_BYTE
            for value in self.program.initial
        )
        return 1 + (numbers + _BYTES_OF_NUMBER * len(self._fresh_locals)) // _BYTES_A_UNIT

    @cached_property
    def _remembered(self) -> dict[Slot, int]:
        """A place for the number of the decision of each choice that may change places."""
        unordered_slots = {
            statement.unordered_with: None
            for statement in program_statements(self.program)
            if isinstance(statement, Choose) and statement.unordered_with is not None
        }
        return {slot: len(self.places) + index for index, slot in enumerate(unordered_slots)}

    @cached_property
    def _fresh_locals(self) -> list[Any]:
        state = len(self.program.state)
        values: list[Any] = [None] * (len(self.places) + len(self._remembered) - state)
        values[self.places[self.program.system.following] - state] = -1
        return values

    def frame(self, values: Sequence[Any]) -> Frame:
        """Return the frame of a turn that is about to begin."""
        return [*values, *self._fresh_locals]

    def value(self, expression: Expression, values: Sequence[Any]) -> Any:
        """Return what an expression that is no part of the program is worth in a position.

        What is asked of many positions, as what sides see, is made a function only once.
        """
        if isinstance(expression, Get):
            place = self.places.get(expression.slot, len(values))
            if place < len(values):
                return values[place]
        frame = self.frame(values)
        kept = self._asked.get(expression)
        if kept is None:
            if len(self._asked) == _MOST_ASKED:
                self._asked = Memo()
            further = self._further_slots(expression)
            made = self._function(frame, expression, further)
            kept = self._asked.keep(expression, (made, len(further)))
        function, count = kept
        return function([*frame, *[None] * count])

    def value_in(
        self, frame: Frame, expression: Expression, more_values: Mapping[Slot, Any] | None = None
    ) -> Any:
        """Return what such an expression is worth in the middle of a turn.

        `more_values` has values of slots that the frame has no place for; the frame stays as it is.
        """
        further = self._further_slots(expression)
        values = [None if more_values is None else more_values.get(slot) for slot in further]
        return self._function(frame, expression, further)([*frame, *values])

    def _further_slots(self, expression: Expression) -> list[Slot]:
        """Return the slots of an expression for which frames have no place."""
        slots = dict.fromkeys(slots_of(expression))
        return [slot for slot in slots if slot not in self.places]

    def _function(self, frame: Frame, expression: Expression, further: list[Slot]) -> Evaluated:
        """Return the function of an expression in frames that end with the further slots."""
        places = {**self.places, **{slot: len(frame) + i for i, slot in enumerate(further)}}
        return self._evaluator(places, 0).function(expression)

    def steps_by(self, maker: type[StepMaker], phase: int, side: int) -> tuple[Rest, StepMaker]:
        """Return the steps of a side's turn in a phase as a kind of maker makes them, and it."""
        made = maker(
            self.evaluator, self.places, self._site_names, self._remembered, False, self._meter
        )
        block = self.program.phases[phase].turns[side].program
        return before(made.steps(block), None), made

    def _evaluator(self, places: dict[Slot, int], depth: int) -> ExpressionEvaluator:
        """Return what makes functions of expressions that are asked `depth` turns ahead."""
        further: list[ExpressionEvaluator] = []

        def can_reach(node: Can) -> Evaluated:
            if not further:
                further.append(self._evaluator(places, depth + 1))
            condition = further[0].function(node.condition)
            told = told_at(node.span, node.condition, condition)
            return self._can_reach(node, told, depth + 1)

        return QuickEvaluator(
            places, can_reach, self._meter, self._units, self._watch, self._on_the_side
        )

    def _evaluator_ahead(self, depth: int) -> ExpressionEvaluator:
        """Return the evaluator of turns that are looked at, `depth` turns ahead."""
        while len(self._evaluators_ahead) < depth:
            self._evaluators_ahead.append(
                self._evaluator(self.places, len(self._evaluators_ahead) + 1)
            )
        return self._evaluators_ahead[depth - 1]

    def phase(self, frame: Frame) -> int:
        """Return the place of the present phase."""
        return 0 if self._phase_place is None else int(frame[self._phase_place])

    def turn(self, phase: int, side: int, depth: int = 0) -> TurnSteps:
        """Return the steps of a side's turn in a phase; made when first asked for.

        `depth` is how many turns ahead it is looked at by `can`.
        """
        key = (phase, side, depth)
        if key not in self._turns:
            self._turns[key] = self._make_turn(phase, side, depth)
        return self._turns[key]

    def _make_turn(self, phase: int, side: int, depth: int) -> TurnSteps:
        block = self.program.phases[phase].turns[side].program
        evaluator = self._evaluator_ahead(depth) if depth else self.evaluator
        within_can = depth > 0
        maker = StepMaker(
            evaluator,
            self.places,
            self._site_names,
            self._remembered,
            within_can,
            self._meter,
            self._watch,
            self._is_past_end,
        )
        best = self.program.system.best
        keeps_best = best is not None and best in changed_slots(block)
        statements = list(statements_in(block))
        self.tally.statements += len(statements)
        exchanges = any(
            isinstance(statement, Choose) and statement.unordered_with is not None
            for statement in statements
        )
        return TurnSteps(before(maker.steps(block), None), keeps_best, exchanges)

    # -------------------------------------------------------------- looking ahead

    def _can_reach(self, node: Can, condition: Evaluated, depth: int) -> Evaluated:
        mover = self.places[self.program.system.mover]
        state = len(self.program.state)
        units = self._units * units_of_expressions((node.condition,))

        def holds(frame: Frame, result: Frame) -> bool:
            self.ways.spend(units, node.span)
            return bool(condition([*result[:state], *frame[state:]]))

        def can_reach(frame: Frame) -> bool:
            turn = self.turn(self.phase(frame), node.side, depth)
            looked_at = self.frame(frame[:state])
            looked_at[mover] = node.side
            self._asked_in.append(frame)
            try:
                return any(holds(frame, result) for _, result in self.ways.results(looked_at, turn))
            except RuleError as failure:
                raise while_looking_ahead(failure, node) from None
            finally:
                self._asked_in.pop()

        return can_reach

    def _is_past_end(self) -> bool:
        """Return whether the game would be over before one of the turns that are looked at begins.

        So it is where an ending holds that does not look ahead itself, had the turn that asks ended
        there, and each that is looked at before.
        """
        turns, passes = self.program.system.turns, self.program.system.passes
        for number, asked_in in enumerate(self._asked_in):
            frame = self.frame(asked_in[: len(self.program.state)])
            uncounted = number + (not self.is_counted)
            if uncounted and turns is not None:
                frame[self.places[turns]] += uncounted
            if uncounted and passes is not None:
                frame[self.places[passes]] = 0
            if self.is_over(frame):
                return True
        return False
