"""Statements of the core made into steps.

In: blocks of statements, and the places of slots in a frame. Out: steps. What then holds:
stretches that decide nothing, say nothing and can't fail are plain functions of the frame, and
neighbouring ones are one step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import TypeVar, assert_never

from gdl.board.relation import bits
from gdl.budget import Meter
from gdl.core.evaluate import Evaluated, ExpressionEvaluator, Frame
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Decide,
    Expression,
    ForEach,
    Repeat,
    Require,
    Say,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.walk import is_effect, looks_ahead
from interpreter.evaluation.failures import too_much_work
from interpreter.reference.effects import EffectMaker
from interpreter.reference.failures import refusal, too_many_moves
from interpreter.reference.steps import (
    DECISIONS_A_UNIT,
    MOST_WAYS,
    Alternatives,
    ChoiceStep,
    Demand,
    Each,
    Fork,
    Loop,
    Path,
    Perform,
    Step,
    Word,
)
from interpreter.reference.watch import Watch

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
