"""Statements of the core made into steps.

In: blocks of statements, and the places of slots in a frame. Out: steps. What then holds:
stretches that decide nothing, say nothing and can't fail are plain functions of the frame, and
neighbouring ones are one step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from gdl.board.relation import bits
from gdl.budget import Meter, TooMuchWork
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
from gdl.core.walk import is_effect, looks_ahead
from gdl.core.work import units_of_block, units_of_board
from gdl.diagnostic import Span
from interpreter.evaluation.failures import too_much_work
from interpreter.reference.failures import (
    does_not_fit,
    overflow,
    refusal,
    told_at,
    too_many_moves,
)
from interpreter.reference.steps import (
    DECISIONS_A_UNIT,
    MOST_WAYS,
    Alternatives,
    Choice,
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
from interpreter.reference.watch import Watch

_NUMBERS_A_UNIT = 64


class StepMaker:
    """Makes steps of the statements of one program.

    `remembered` has a place for each slot that another choice may change places with. With
    `within_can`, conditions of `require` that look a turn ahead are left out: looking ahead
    goes one turn deep. `meter` counts the work of a turn.
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
    ) -> None:
        self._evaluator = evaluator
        self._places = places
        self._site_names = site_names
        self._remembered = remembered
        self._within_can = within_can
        self._meter = meter
        self._watch = watch
        sites = len(site_names)
        self._units = units_of_board(sites)
        self._numbers_changed = 1 + sites // _NUMBERS_A_UNIT

    def steps(self, block: Block) -> tuple[Step, ...]:
        """Return the steps of a block; neighbouring effects are one step."""
        steps: list[Step] = []
        effects: list[Effect] = []
        for statement in block:
            if is_effect(statement):
                effects.append(self.effect(statement))
                continue
            if effects:
                steps.append(Perform(effects))
                effects = []
            if self._within_can and isinstance(statement, Require) and looks_ahead(statement):
                continue
            steps.append(self.step(statement))
        if effects:
            steps.append(Perform(effects))
        return tuple(steps)

    def step(self, statement: Statement) -> Step:
        """Return the step of one statement."""
        span = statement.span
        match statement:
            case Require(_, condition):
                return Demand(self._function(condition, span))
            case Say(_, token):
                return Word(token)
            case Branch(_, condition, then, otherwise):
                return Fork(
                    self._function(condition, span), self.steps(then), self.steps(otherwise)
                )
            case ForEach(_, slot, body=body):
                return Each(
                    self._places[slot],
                    self._elements(statement),
                    self.steps(body),
                    self._counting_path(statement),
                )
            case Repeat(_, "times"):
                return Each(
                    None,
                    self._rounds(statement),
                    self.steps(statement.body),
                    self._counting_path(statement),
                )
            case Repeat():
                return Loop(
                    self._goes_on(statement),
                    self._watched(statement),
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
                return Perform([self.effect(statement)])
            case _:
                assert_never(statement)

    def _choice(self, statement: Choose) -> Choice:
        of_sites = isinstance(statement.domain, SitesOf)
        partner = statement.unordered_with
        candidates = self._candidates(statement)
        if self._watch is not None:
            candidates = self._watch.choice(statement, candidates)
        return Choice(
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
            sites = self._evaluator.function(domain.sites)

            def indices(frame: Frame) -> list[int]:
                try:
                    return list(bits(sites(frame)))
                except Overflow:
                    raise overflow(statement.span) from None
                except TooMuchWork:
                    raise too_much_work(statement.span) from None

            return indices
        numbers = self._numbers(domain, statement.span)

        def candidates(frame: Frame) -> range:
            found = numbers(frame)
            if found.stop - found.start > MOST_WAYS:
                raise too_many_moves(statement.span)
            return found

        return candidates

    def _counting(self, loop: ForEach | Repeat) -> Callable[[], None]:
        """Return what counts the work of a loop's round. It raises RuleError at its place."""
        meter, units = self._meter, self._units * units_of_block(loop.body)

        def count_round() -> None:
            meter.left -= units
            if meter.left < 0:
                raise too_much_work(loop.span)

        return count_round

    def _counting_path(self, loop: ForEach | Repeat) -> Callable[[Path], None]:
        """Return what counts the work of a loop's round, and of a path so long as it has become."""
        meter, units = self._meter, self._units * units_of_block(loop.body)

        def count_round(path: Path) -> None:
            meter.left -= units + len(path.decisions) // DECISIONS_A_UNIT
            if meter.left < 0:
                raise too_much_work(loop.span)

        return count_round

    def _function(self, node: Expression, span: Span | None) -> Evaluated:
        """Return the function of an expression whose failures are told at a place."""
        return told_at(span, node, self._evaluator.function(node))

    def _numbers(self, domain: RangeOf, span: Span | None) -> Callable[[Frame], range]:
        low, high = self._function(domain.low, span), self._function(domain.high, span)
        return lambda frame: range(low(frame), high(frame) + 1)

    def _elements(self, statement: ForEach) -> Callable[[Frame], Sequence[Any]]:
        """Return the function that gives all elements of a loop as they are before the first."""
        elements = self._unwatched_elements(statement)
        return elements if self._watch is None else self._watch.elements(statement, elements)

    def _unwatched_elements(self, statement: ForEach) -> Callable[[Frame], Sequence[Any]]:
        domain, span = statement.domain, statement.span
        if isinstance(domain, RangeOf):
            numbers = self._numbers(domain, span)
            refuse_more = refusal(most_rounds(len(self._site_names)), span)

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

    # ------------------------------------------------- stretches without decisions

    def effect(self, statement: Statement) -> Effect:
        """Return what a statement without decisions does to a frame."""
        match statement:
            case Assign():
                return self._seen(statement, self._assign(statement))
            case AssignAt():
                return self._seen(statement, self._assign_at(statement))
            case Branch(_, condition, then, otherwise):
                holds = self._function(condition, statement.span)
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
        return self._watch.effect(statement, self._places[statement.slot], effect)

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
        sites = self._function(statement.sites, statement.span)
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
        """Return the function of a value that must fit into a slot."""
        if not slot.type.is_numeric:
            return self._function(expression, span)
        function = self._evaluator.function(expression)
        least = LEAST if slot.low is None else slot.low
        greatest = GREATEST if slot.high is None else slot.high
        is_bounded = slot.type == NUMBER

        def fitting(frame: Frame) -> Any:
            try:
                value = function(frame)
            except Overflow:
                raise does_not_fit(slot, None, span) from None
            except TooMuchWork:
                raise too_much_work(span) from None
            if is_bounded and not least <= value <= greatest:
                raise does_not_fit(slot, value, span)
            return value

        return fitting

    def _branch(self, holds: Evaluated, then: Effect, otherwise: Effect) -> Effect:
        def branch(frame: Frame) -> None:
            (then if holds(frame) else otherwise)(frame)

        return branch

    def _for_each(self, statement: ForEach) -> Effect:
        place = self._places[statement.slot]
        values = self._elements(statement)
        body = self._effects(statement.body)
        count_round = self._counting(statement)

        def for_each(frame: Frame) -> None:
            for value in values(frame):
                count_round()
                frame[place] = value
                body(frame)

        return for_each

    def _times(self, statement: Repeat) -> Effect:
        rounds = self._rounds(statement)
        body = self._effects(statement.body)
        count_round = self._counting(statement)

        def times(frame: Frame) -> None:
            for _ in rounds(frame):
                count_round()
                body(frame)

        return times

    def _rounds(self, statement: Repeat) -> Callable[[Frame], range]:
        """Return the function that gives a round for each time of a `times` loop."""
        assert statement.bound is not None, "`times` has a bound"
        bound = self._function(statement.bound, statement.span)
        refuse_more = refusal(statement.limit, statement.span)

        def rounds(frame: Frame) -> range:
            number = bound(frame)
            refuse_more(number)
            return range(number)

        return rounds

    def _repeat(self, statement: Repeat) -> Effect:
        goes_on = self._goes_on(statement)
        watched = self._watched(statement)
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

    def _goes_on(self, statement: Repeat) -> Callable[[Frame, int, tuple[Any, ...] | None], bool]:
        if statement.mode == "settled":
            watched = self._watched(statement)
            return lambda frame, rounds, earlier: earlier != tuple(frame[p] for p in watched)
        assert statement.bound is not None, "only `settled` has no bound"
        bound = self._function(statement.bound, statement.span)
        if statement.mode == "while":
            return lambda frame, rounds, earlier: bool(bound(frame))
        return lambda frame, rounds, earlier: rounds == 0 or not bound(frame)

    def _watched(self, statement: Repeat) -> tuple[int, ...]:
        """Where the frame keeps what is compared to know whether a round has changed anything."""
        return tuple(self._places[slot] for slot in statement.compared)
