"""Statements of the core made into steps.

In: blocks of statements, and the places of slots in a frame. Out: steps. What then holds:
stretches that decide nothing, say nothing and can't fail are plain functions of the frame, and
neighbouring ones are one step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar, assert_never

from gdl.board.relation import bits
from gdl.core.evaluate import Evaluated, ExpressionEvaluator, Frame
from gdl.core.nodes import (
    GREATEST,
    LEAST,
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Decide,
    Expression,
    ForEach,
    RangeOf,
    Repeat,
    Require,
    Say,
    SitesOf,
    Slot,
    Statement,
    most_rounds,
)
from gdl.core.operations import Overflow
from gdl.core.types import NUMBER
from gdl.core.walk import expressions_of, is_effect, looks_ahead
from gdl.core.work import units_of_block, units_of_board, units_of_expressions
from gdl.diagnostic import Span
from gdl.interpreter.evaluation.evaluator import too_much_work
from gdl.interpreter.reference.failures import (
    does_not_fit,
    overflow,
    refusal,
    told_at,
    too_many_moves,
)
from gdl.interpreter.reference.steps import (
    DECISIONS_A_UNIT,
    MOST_WAYS,
    Alternatives,
    ChoiceStep,
    Demand,
    Each,
    Effect,
    Fork,
    Loop,
    Path,
    Perform,
    Step,
    Word,
)
from gdl.interpreter.reference.watch import Watch
from gdl.resources.budget import Meter, TooMuchWork

Value = TypeVar("Value")


class StepMaker:
    """Makes steps of the statements of one program.

    `remembered` has a place for each slot that another choice may change places with. With
    `within_can`, conditions of `require` that look a turn ahead are left out: looking ahead
    goes one turn deep; and bounds of numbers are no errors where `is_past_end` says that the game
    would be over. `meter` counts the work of a turn.
    """

    def __init__(
        self,
        evaluator: ExpressionEvaluator,
        places: Mapping[Slot, int],
        site_names: Sequence[str],
        remembered: Mapping[Slot, int],
        within_can: bool,
        meter: Meter,
        watch: Watch | None = None,
        is_past_end: Callable[[], bool] | None = None,
    ) -> None:
        self._effects = EffectMaker(
            evaluator, places, len(site_names), meter, watch, is_past_end if within_can else None
        )
        self._places = places
        self._site_names = site_names
        self._remembered = remembered
        self._within_can = within_can
        self._meter = meter
        self._watch = watch

    def steps(self, block: Block) -> tuple[Step, ...]:
        """Return the steps of a block; neighbouring effects are one step."""
        steps: list[Step] = []
        for are_effects, stretch in groupby(block, is_effect):
            statements = tuple(stretch)
            if are_effects:
                steps.append(self._performing(statements))
                continue
            for statement in statements:
                if self._within_can and isinstance(statement, Require) and looks_ahead(statement):
                    continue
                steps.append(self.step(statement))
        return tuple(steps)

    def _performing(self, statements: Block) -> Perform:
        """Return the step of statements that decide nothing, say nothing and can't fail."""
        effects = map(self._effects.effect, statements)
        return Perform(effects, self._meter, self._effects.units_of(statements))

    def _asked(self, statement: Statement, node: Expression) -> Evaluated:
        """Return the function of an expression that a statement asks; what it does counts."""
        return self._counting(statement, self._effects.function(node, statement.span))

    def _counting(
        self, statement: Statement, function: Callable[[Frame], Value]
    ) -> Callable[[Frame], Value]:
        """Return a function with which the expressions of a statement count as work."""
        meter, units = self._meter, self._effects.units_of_asking(statement)

        def counting(frame: Frame) -> Value:
            meter.left -= units
            return function(frame)

        return counting

    def step(self, statement: Statement) -> Step:
        """Return the step of one statement."""
        span = statement.span
        match statement:
            case Require(_, condition):
                return Demand(self._asked(statement, condition))
            case Say(_, token):
                return Word(token)
            case Branch(_, condition, then, otherwise):
                asked = self._asked(statement, condition)
                return Fork(asked, self.steps(then), self.steps(otherwise))
            case ForEach(_, slot, body=body):
                return Each(
                    self._places[slot],
                    self._effects.elements(statement),
                    self.steps(body),
                    self._counting_path(statement),
                )
            case Repeat(_, "times"):
                return Each(
                    None,
                    self._effects.rounds(statement),
                    self.steps(statement.body),
                    self._counting_path(statement),
                )
            case Repeat():
                return Loop(
                    self._effects.goes_on(statement),
                    self._effects.watched(statement),
                    self.steps(statement.body),
                    refusal(statement.limit, span),
                    self._counting_path(statement),
                )
            case Choose():
                return self._choice(statement)
            case Decide(_, alternatives):
                ways = [(way.token, self.steps(way.body)) for way in alternatives]
                return Alternatives(statement, ways)
            case Assign() | AssignAt():
                return self._performing((statement,))
            case _:
                assert_never(statement)

    def _choice(self, statement: Choose) -> ChoiceStep:
        of_sites = isinstance(statement.domain, SitesOf)
        partner = statement.unordered_with
        candidates = self._counting(statement, self._candidates(statement))
        if self._watch is not None:
            candidates = self._watch.choice(statement, candidates)
        return ChoiceStep(
            statement,
            self._places[statement.slot],
            candidates,
            self._site_names if of_sites else None,
            statement.separator,
            self._remembered.get(statement.slot),
            None if partner is None else self._remembered[partner],
        )

    def _candidates(self, statement: Choose) -> Callable[[Frame], Sequence[int]]:
        domain = statement.domain
        if isinstance(domain, SitesOf):
            sites = self._effects.function(domain.sites, statement.span)
            return lambda frame: list(bits(sites(frame)))
        numbers = self._effects.numbers(domain, statement.span)

        def candidates(frame: Frame) -> range:
            found = numbers(frame)
            if found.stop - found.start > MOST_WAYS:
                raise too_many_moves(statement.span)
            return found

        return candidates

    def _counting_path(self, loop: ForEach | Repeat) -> Callable[[Path], None]:
        """Return what counts that a loop has a round, of a path so long as it has become.

        What the round does counts by itself.
        """
        meter, units = self._meter, self._effects.units_of_asking(loop)

        def count_round(path: Path) -> None:
            meter.left -= units + len(path.decisions) // DECISIONS_A_UNIT
            if meter.left < 0:
                raise too_much_work(loop.span)

        return count_round


# -------------------------- statements of the core without decisions made into functions of a frame

_NUMBERS_A_UNIT = 64


class EffectMaker:
    """Makes functions of the statements of one program; `meter` counts the work of a turn.

    In a turn that is looked ahead at, `is_past_end` tells whether the game would be over by then.
    """

    def __init__(
        self,
        evaluator: ExpressionEvaluator,
        places: Mapping[Slot, int],
        sites: int,
        meter: Meter,
        watch: Watch | None,
        is_past_end: Callable[[], bool] | None = None,
    ) -> None:
        self._evaluator = evaluator
        self._places = places
        self._sites = sites
        self._meter = meter
        self._watch = watch
        self._is_past_end = is_past_end
        self._units = units_of_board(sites)
        self._numbers_changed = 1 + sites // _NUMBERS_A_UNIT

    def effect(self, statement: Statement) -> Effect:
        """Return what a statement without decisions does to a frame."""
        match statement:
            case Assign():
                return self._seen(statement, self._assign(statement))
            case AssignAt():
                return self._seen(statement, self._assign_at(statement))
            case Branch(_, condition, then, otherwise):
                holds = self.function(condition, statement.span)
                return self._branch(holds, self._effects(then), self._effects(otherwise))
            case ForEach():
                return self._for_each(statement)
            case Repeat(_, "times"):
                return self._times(statement)
            case Repeat():
                return self._repeat(statement)
            case Choose() | Decide() | Require() | Say():
                raise TypeError(f"not a statement without decisions: {statement}")
            case _:
                assert_never(statement)

    def _seen(self, statement: Assign | AssignAt, effect: Effect) -> Effect:
        if self._watch is None:
            return effect
        return self._watch.effect(statement, self._places, effect)

    def _effects(self, block: Block) -> Effect:
        effects = tuple(self.effect(statement) for statement in block)
        if len(effects) == 1:
            return effects[0]

        def perform(frame: Frame) -> None:
            for effect in effects:
                effect(frame)

        return perform

    def _assign(self, statement: Assign) -> Effect:
        place = self._places[statement.slot]
        value = self._value(statement.slot, statement.value, statement.span)

        def assign(frame: Frame) -> None:
            frame[place] = value(frame)

        return assign

    def _assign_at(self, statement: AssignAt) -> Effect:
        place = self._places[statement.slot]
        sites = self.function(statement.sites, statement.span)
        value = self._value(statement.slot, statement.value, statement.span)
        meter, units = self._meter, self._numbers_changed

        def assign_at(frame: Frame) -> None:
            meter.left -= units
            if meter.left < 0:
                raise too_much_work(statement.span)
            numbers = list(frame[place])
            new = value(frame)
            for index in bits(sites(frame)):
                numbers[index] = new
            frame[place] = tuple(numbers)

        return assign_at

    def _value(self, slot: Slot, expression: Expression, span: Span | None) -> Evaluated:
        """Return the function of a value that must fit into a slot.

        Where the game would be over, a number stays at the bound that it would pass.
        """
        if not slot.type.is_numeric:
            return self.function(expression, span)
        function = self._evaluator.function(expression)
        least = LEAST if slot.low is None else slot.low
        greatest = GREATEST if slot.high is None else slot.high
        is_bounded = slot.type == NUMBER
        has_bounds = slot.low is not None or slot.high is not None
        may_stay = self._is_past_end if has_bounds else None

        def fitting(frame: Frame) -> Any:
            try:
                value = function(frame)
            except Overflow:
                raise does_not_fit(slot, None, span) from None
            except TooMuchWork:
                raise too_much_work(span) from None
            if is_bounded and not least <= value <= greatest:
                if may_stay is None or not may_stay():
                    raise does_not_fit(slot, value, span)
                return max(least, min(value, greatest))
            return value

        return fitting

    def _branch(self, holds: Evaluated, then: Effect, otherwise: Effect) -> Effect:
        def branch(frame: Frame) -> None:
            (then if holds(frame) else otherwise)(frame)

        return branch

    def _for_each(self, statement: ForEach) -> Effect:
        place = self._places[statement.slot]
        values = self.elements(statement)
        body = self._effects(statement.body)
        count_round = self._counting(statement)

        def for_each(frame: Frame) -> None:
            for value in values(frame):
                count_round()
                frame[place] = value
                body(frame)

        return for_each

    def _times(self, statement: Repeat) -> Effect:
        rounds = self.rounds(statement)
        body = self._effects(statement.body)
        count_round = self._counting(statement)

        def times(frame: Frame) -> None:
            for _ in rounds(frame):
                count_round()
                body(frame)

        return times

    def rounds(self, statement: Repeat) -> Callable[[Frame], range]:
        """Return the function that gives a round for each time of a `times` loop."""
        assert statement.bound is not None, "`times` has a bound"
        bound = self.function(statement.bound, statement.span)
        refuse_more = refusal(statement.limit, statement.span)

        def rounds(frame: Frame) -> range:
            number = bound(frame)
            refuse_more(number)
            return range(number)

        return rounds

    def _repeat(self, statement: Repeat) -> Effect:
        goes_on = self.goes_on(statement)
        watched = self.watched(statement)
        body = self._effects(statement.body)
        refuse_more = refusal(statement.limit, statement.span)
        count_round = self._counting(statement)

        def repeat(frame: Frame) -> None:
            rounds = 0
            earlier = None
            while goes_on(frame, rounds, earlier):
                rounds += 1
                refuse_more(rounds)
                count_round()
                earlier = tuple(frame[place] for place in watched)
                body(frame)

        return repeat

    def goes_on(self, statement: Repeat) -> Callable[[Frame, int, tuple[Any, ...] | None], bool]:
        """Return the function that tells whether a loop has another round.

        It is asked with the rounds so far, and what was `watched` before the last of them.
        """
        if statement.mode == "settled":
            watched = self.watched(statement)
            return lambda frame, rounds, earlier: earlier != tuple(frame[p] for p in watched)
        assert statement.bound is not None, "only `settled` has no bound"
        bound = self.function(statement.bound, statement.span)
        if statement.mode == "while":
            return lambda frame, rounds, earlier: bool(bound(frame))
        return lambda frame, rounds, earlier: rounds == 0 or not bound(frame)

    def watched(self, statement: Repeat) -> tuple[int, ...]:
        """Where the frame keeps what is compared to know whether a round has changed anything."""
        return tuple(self._places[slot] for slot in statement.compared)

    def function(self, node: Expression, span: Span | None) -> Evaluated:
        """Return the function of an expression whose failures are told at a place."""
        return told_at(span, node, self._evaluator.function(node))

    def numbers(self, domain: RangeOf, span: Span | None) -> Callable[[Frame], range]:
        """Return the function that gives the numbers of a range."""
        low, high = self.function(domain.low, span), self.function(domain.high, span)
        return lambda frame: range(low(frame), high(frame) + 1)

    def elements(self, statement: ForEach) -> Callable[[Frame], Sequence[Any]]:
        """Return the function that gives all elements of a loop as they are before the first."""
        elements = self._unwatched_elements(statement)
        return elements if self._watch is None else self._watch.elements(statement, elements)

    def _unwatched_elements(self, statement: ForEach) -> Callable[[Frame], Sequence[Any]]:
        domain, span = statement.domain, statement.span
        if isinstance(domain, RangeOf):
            numbers = self.numbers(domain, span)
            refuse_more = refusal(most_rounds(self._sites), span)

            def bounded(frame: Frame) -> range:
                found = numbers(frame)
                refuse_more(found.stop - found.start)
                return found

            return bounded
        elements = self._evaluator.domain(domain)

        def settled(frame: Frame) -> tuple[Any, ...]:
            try:
                return tuple(elements(frame))
            except Overflow:
                raise overflow(span) from None
            except TooMuchWork:
                raise too_much_work(span) from None

        return settled

    def _counting(self, loop: ForEach | Repeat) -> Callable[[], None]:
        """Return what counts the work of a loop's round. It raises RuleError at its place."""
        meter, units = self._meter, self.units_of(loop.body)

        def count_round() -> None:
            meter.left -= units
            if meter.left < 0:
                raise too_much_work(loop.span)

        return count_round

    def units_of(self, block: Block) -> int:
        """Return how many units of work it is to carry out a block once."""
        return self._units * units_of_block(block, self._evaluator.sizes)

    def units_of_asking(self, statement: Statement) -> int:
        """Return how many units of work the expressions of a statement are when asked once."""
        return self._units * units_of_expressions(expressions_of(statement))
