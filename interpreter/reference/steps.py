"""Statements of the core made into steps that a path through a turn takes.

In: blocks of statements, and the places of slots in a frame. Out: `Step`s. What then holds: a
path is a frame and what is left to do, as an immutable linked list; so a path can be forked at
a decision by copying its frame. Stretches without decisions are plain functions of the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gdl.board.relation import bits
from gdl.core.evaluate import Evaluated, Evaluator, Frame
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Can,
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
from gdl.core.operations import Overflow
from gdl.core.types import NUMBER
from gdl.diagnostic import Diagnostic, Span
from interpreter.evaluator import RuleError

MOST_WAYS = 500_000
"""How many moves, or ways on from one decision, a turn may have."""

Effect = Callable[[Frame], None]
Rest = tuple["Step", "Rest"] | None

_LEAST, _GREATEST = -(2**63), 2**63 - 1


class Path:
    """A turn under way: its frame, what is left to do, the decisions and words so far.

    `exchangeable` has pairs of indices into the decisions that may be made in either order.
    """

    __slots__ = ("decisions", "exchangeable", "frame", "rest", "text")

    def __init__(
        self,
        frame: Frame,
        rest: Rest,
        decisions: tuple[int, ...] = (),
        text: str = "",
        exchangeable: tuple[tuple[int, int], ...] = (),
    ) -> None:
        self.frame = frame
        self.rest = rest
        self.decisions = decisions
        self.text = text
        self.exchangeable = exchangeable

    def say(self, word: str, separator: str = " ") -> None:
        """Add a word to the text."""
        self.text = f"{self.text}{separator}{word}" if self.text else word

    def fork(self) -> Path:
        """Return a path that goes its own way from here."""
        return Path(self.frame.copy(), self.rest, self.decisions, self.text, self.exchangeable)


class Step:
    """Something that a path does without a decision."""

    def advance(self, path: Path) -> bool:
        """Take the step; whether the path can go on."""
        raise NotImplementedError


class Decision(Step):
    """A step with several ways on."""

    def ways(self, path: Path) -> Sequence[int]:
        """Return the decisions that can be made, in order."""
        raise NotImplementedError

    def take(self, path: Path, decision: int) -> None:
        """Go on one of the ways."""
        raise NotImplementedError

    def admits(self, path: Path, decision: int) -> bool:
        """Whether `decision` is one of the ways."""
        return decision in self.ways(path)


class Perform(Step):
    """Effects, one after the other."""

    def __init__(self, effects: Iterable[Effect]) -> None:
        self.effects = tuple(effects)

    def advance(self, path: Path) -> bool:
        """Change the frame."""
        for effect in self.effects:
            effect(path.frame)
        return True


class Demand(Step):
    """A condition without which the path is no move."""

    def __init__(self, condition: Evaluated) -> None:
        self.condition = condition

    def advance(self, path: Path) -> bool:
        """Test the condition."""
        return bool(self.condition(path.frame))


class Word(Step):
    """A word of the text."""

    def __init__(self, word: str) -> None:
        self.word = word

    def advance(self, path: Path) -> bool:
        """Say the word."""
        path.say(self.word)
        return True


class Fork(Step):
    """Two ways on, by a condition."""

    def __init__(
        self, condition: Evaluated, then: tuple[Step, ...], otherwise: tuple[Step, ...]
    ) -> None:
        self.condition = condition
        self.then = then
        self.otherwise = otherwise

    def advance(self, path: Path) -> bool:
        """Take one of them."""
        taken = self.then if self.condition(path.frame) else self.otherwise
        path.rest = before(taken, path.rest)
        return True


class Each(Step):
    """A body for each of some values that are settled before the first."""

    def __init__(
        self, place: int, values: Callable[[Frame], Iterable[Any]], body: tuple[Step, ...]
    ) -> None:
        self.place = place
        self.values = values
        self.body = body

    def advance(self, path: Path) -> bool:
        """Settle the values."""
        path.rest = (_EachFrom(self, tuple(self.values(path.frame)), 0), path.rest)
        return True


class _EachFrom(Step):
    """What is left of an `Each`."""

    def __init__(self, each: Each, values: tuple[Any, ...], index: int) -> None:
        self.each = each
        self.values = values
        self.index = index

    def advance(self, path: Path) -> bool:
        """Begin with the next value, if there is one."""
        if self.index < len(self.values):
            path.frame[self.each.place] = self.values[self.index]
            following = _EachFrom(self.each, self.values, self.index + 1)
            path.rest = before(self.each.body, (following, path.rest))
        return True


class Loop(Step):
    """A body again and again; `goes_on` tells before a round whether there is another one.

    It is given the frame, how many rounds were made, and what `watched` places held before the
    last one.
    """

    def __init__(
        self,
        goes_on: Callable[[Frame, int, tuple[Any, ...] | None], bool],
        watched: tuple[int, ...],
        body: tuple[Step, ...],
        refuse_more: Callable[[int], None],
    ) -> None:
        self.goes_on = goes_on
        self.watched = watched
        self.body = body
        self.refuse_more = refuse_more

    def advance(self, path: Path) -> bool:
        """Begin."""
        path.rest = (_LoopFrom(self, 0, None), path.rest)
        return True


class _LoopFrom(Step):
    """A `Loop` after some rounds."""

    def __init__(self, loop: Loop, rounds: int, earlier: tuple[Any, ...] | None) -> None:
        self.loop = loop
        self.rounds = rounds
        self.earlier = earlier

    def advance(self, path: Path) -> bool:
        """Begin another round, if there is one."""
        loop, frame = self.loop, path.frame
        if loop.goes_on(frame, self.rounds, self.earlier):
            loop.refuse_more(self.rounds + 1)
            now = tuple(frame[place] for place in loop.watched)
            path.rest = before(loop.body, (_LoopFrom(loop, self.rounds + 1, now), path.rest))
        return True


class Choice(Decision):
    """A site, by its index, or a number.

    `remembered` is where the frame keeps which decision of the turn this one is; `partner`
    where that of the choice is kept with which this one may change places.
    """

    def __init__(
        self,
        place: int,
        candidates: Callable[[Frame], Sequence[int]],
        site_names: Sequence[str] | None,
        separator: str,
        remembered: int | None,
        partner: int | None,
    ) -> None:
        self.place = place
        self.candidates = candidates
        self.site_names = site_names
        self.separator = separator
        self.remembered = remembered
        self.partner = partner

    def ways(self, path: Path) -> Sequence[int]:
        """Return the sites' indices, or the numbers."""
        return self.candidates(path.frame)

    def take(self, path: Path, decision: int) -> None:
        """Put the choice into its slot and into the text."""
        frame = path.frame
        frame[self.place] = decision if self.site_names is None else 1 << decision
        if self.remembered is not None:
            frame[self.remembered] = len(path.decisions)
        if self.partner is not None and frame[self.partner] is not None:
            path.exchangeable += ((frame[self.partner], len(path.decisions)),)
        path.decisions += (decision,)
        path.say(self.word(decision), self.separator)

    def word(self, decision: int) -> str:
        """Return how the text names a choice."""
        return str(decision) if self.site_names is None else self.site_names[decision]


class Alternatives(Decision):
    """One of several bodies, each with its word, if it has one."""

    def __init__(self, alternatives: Sequence[tuple[str | None, tuple[Step, ...]]]) -> None:
        self.alternatives = alternatives

    def ways(self, path: Path) -> Sequence[int]:
        """Return the places of the alternatives."""
        return range(len(self.alternatives))

    def take(self, path: Path, decision: int) -> None:
        """Go on with one body."""
        token, body = self.alternatives[decision]
        path.decisions += (decision,)
        if token is not None:
            path.say(token)
        path.rest = before(body, path.rest)


def before(steps: tuple[Step, ...], rest: Rest) -> Rest:
    """Return what is left to do with `steps` in front."""
    for step in reversed(steps):
        rest = (step, rest)
    return rest


class StepMaker:
    """Makes steps of the statements of one program.

    `remembered` has a place for each slot that another choice may change places with. With
    `within_can`, conditions of `require` that look a turn ahead are left out: looking ahead
    goes one turn deep.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        places: Mapping[Slot, int],
        site_names: Sequence[str],
        remembered: Mapping[Slot, int],
        within_can: bool,
    ) -> None:
        self._evaluator = evaluator
        self._places = places
        self._site_names = site_names
        self._remembered = remembered
        self._within_can = within_can

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
            if not (self._within_can and _looks_ahead(statement)):
                steps.append(self._step(statement))
        if effects:
            steps.append(Perform(effects))
        return tuple(steps)

    def _step(self, statement: Statement) -> Step:
        value = self._evaluator.function
        match statement:
            case Require(_, condition):
                return Demand(value(condition))
            case Say(_, token):
                return Word(token)
            case Branch(_, condition, then, otherwise):
                return Fork(value(condition), self.steps(then), self.steps(otherwise))
            case ForEach(_, slot, domain, body):
                values = self._evaluator.domain(domain)
                return Each(self._places[slot], values, self.steps(body))
            case Repeat():
                watched = self._watched(statement)
                return Loop(
                    self._goes_on(statement),
                    watched,
                    self.steps(statement.body),
                    _refusal(statement.limit, statement.span),
                )
            case Choose():
                return self._choice(statement)
            case Decide(_, alternatives):
                return Alternatives([(way.token, self.steps(way.body)) for way in alternatives])
        raise TypeError(f"not a statement with decisions: {statement}")

    def _choice(self, statement: Choose) -> Choice:
        of_sites = isinstance(statement.domain, SitesOf)
        partner = statement.unordered_with
        return Choice(
            self._places[statement.slot],
            self._candidates(statement),
            self._site_names if of_sites else None,
            statement.separator,
            self._remembered.get(statement.slot),
            None if partner is None else self._remembered[partner],
        )

    def _candidates(self, statement: Choose) -> Callable[[Frame], Sequence[int]]:
        domain = statement.domain
        if isinstance(domain, SitesOf):
            sites = self._evaluator.function(domain.sites)
            return lambda frame: list(bits(sites(frame)))
        low, high = self._evaluator.function(domain.low), self._evaluator.function(domain.high)

        def numbers(frame: Frame) -> range:
            least, greatest = low(frame), high(frame)
            if greatest - least >= MOST_WAYS:
                raise too_many_moves(statement.span)
            return range(least, greatest + 1)

        return numbers

    # ------------------------------------------------- stretches without decisions

    def effect(self, statement: Statement) -> Effect:
        """Return what a statement without decisions does to a frame."""
        match statement:
            case Assign():
                return self._assign(statement)
            case AssignAt():
                return self._assign_at(statement)
            case Branch(_, condition, then, otherwise):
                return self._branch(condition, self._effects(then), self._effects(otherwise))
            case ForEach():
                return self._for_each(statement)
            case Repeat():
                return self._repeat(statement)
        raise TypeError(f"not a statement without decisions: {statement}")

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
        sites = self._evaluator.function(statement.sites)
        value = self._value(statement.slot, statement.value, statement.span)

        def assign_at(frame: Frame) -> None:
            numbers = list(frame[place])
            new = value(frame)
            for index in bits(sites(frame)):
                numbers[index] = new
            frame[place] = tuple(numbers)

        return assign_at

    def _value(self, slot: Slot, expression: Expression, span: Span | None) -> Evaluated:
        """Return the function of a value that must fit into a slot."""
        function = self._evaluator.function(expression)
        least = _LEAST if slot.low is None else slot.low
        greatest = _GREATEST if slot.high is None else slot.high
        is_bounded = slot.type == NUMBER

        def fitting(frame: Frame) -> Any:
            try:
                value = function(frame)
            except Overflow:
                raise _overflow(slot, None, span) from None
            if is_bounded and not least <= value <= greatest:
                raise _overflow(slot, value, span)
            return value

        return fitting

    def _branch(self, condition: Expression, then: Effect, otherwise: Effect) -> Effect:
        holds = self._evaluator.function(condition)

        def branch(frame: Frame) -> None:
            (then if holds(frame) else otherwise)(frame)

        return branch

    def _for_each(self, statement: ForEach) -> Effect:
        place = self._places[statement.slot]
        values = self._evaluator.domain(statement.domain)
        body = self._effects(statement.body)

        def for_each(frame: Frame) -> None:
            for value in tuple(values(frame)):
                frame[place] = value
                body(frame)

        return for_each

    def _repeat(self, statement: Repeat) -> Effect:
        goes_on = self._goes_on(statement)
        watched = self._watched(statement)
        body = self._effects(statement.body)
        refuse_more = _refusal(statement.limit, statement.span)

        def repeat(frame: Frame) -> None:
            rounds = 0
            earlier = None
            while goes_on(frame, rounds, earlier):
                rounds += 1
                refuse_more(rounds)
                earlier = tuple(frame[place] for place in watched)
                body(frame)

        return repeat

    def _goes_on(
        self, statement: Repeat
    ) -> Callable[[Frame, int, tuple[Any, ...] | None], bool]:
        if statement.mode == "settled":
            watched = self._watched(statement)
            return lambda frame, rounds, earlier: earlier != tuple(frame[p] for p in watched)
        assert statement.bound is not None, "only `settled` has no bound"
        bound = self._evaluator.function(statement.bound)
        if statement.mode == "while":
            return lambda frame, rounds, earlier: bool(bound(frame))
        if statement.mode == "until":
            return lambda frame, rounds, earlier: rounds == 0 or not bound(frame)
        return lambda frame, rounds, earlier: rounds < bound(frame)

    def _watched(self, statement: Repeat) -> tuple[int, ...]:
        """Where the frame keeps all that a round can change."""
        if statement.mode != "settled":
            return ()
        changed = {self._places[slot]: None for slot in changed_slots(statement.body)}
        return tuple(changed)


def statements_in(block: Block) -> Iterable[Statement]:
    """Yield every statement of a block, at any depth, outer ones before inner ones."""
    for statement in block:
        yield statement
        match statement:
            case Branch(_, _, then, otherwise):
                yield from statements_in(then)
                yield from statements_in(otherwise)
            case ForEach() | Repeat():
                yield from statements_in(statement.body)
            case Decide(_, alternatives):
                for alternative in alternatives:
                    yield from statements_in(alternative.body)


def changed_slots(block: Block) -> Iterable[Slot]:
    """Yield the slots that a block's statements give values to, but for running variables."""
    for statement in statements_in(block):
        if isinstance(statement, Assign | AssignAt | Choose):
            yield statement.slot


def is_effect(statement: Statement) -> bool:
    """Return whether a statement neither decides anything, nor fails, nor says a word."""
    return not any(
        isinstance(inner, Choose | Decide | Require | Say) for inner in statements_in((statement,))
    )


def _looks_ahead(statement: Statement) -> bool:
    return isinstance(statement, Require) and any(
        isinstance(part, Can) for part in expressions_in(statement.condition)
    )


def expressions_in(root: Expression) -> Iterable[Expression]:
    """Yield an expression and all its parts, each shared part once."""
    seen = {id(root)}
    pending = [root]
    while pending:
        expression = pending.pop()
        yield expression
        for part in expression.parts():
            if id(part) not in seen:
                seen.add(id(part))
                pending.append(part)


def too_many_moves(span: Span | None) -> RuleError:
    """Return the error of a turn with more moves than can be told one by one."""
    return RuleError(
        Diagnostic(
            "too-many-moves",
            f"A turn here has more than {MOST_WAYS:,} ways on, the most there may be.",
            span,
            "Choose from fewer sites or numbers.",
        )
    )


def _refusal(limit: int, span: Span | None) -> Callable[[int], None]:
    def refuse_more(rounds: int) -> None:
        if rounds > limit:
            raise RuleError(
                Diagnostic(
                    "endless-loop",
                    f"This loop does not end within {limit:,} rounds.",
                    span,
                    "Let every round change something that ends it.",
                )
            )

    return refuse_more


def _overflow(slot: Slot, value: Any, span: Span | None) -> RuleError:
    what = "A number too large to keep" if value is None else str(value)
    least = _LEAST if slot.low is None else slot.low
    greatest = _GREATEST if slot.high is None else slot.high
    return RuleError(
        Diagnostic(
            "overflow",
            f"{what} does not fit into `{slot.name}`, which holds {least} to {greatest}.",
            span,
            "Declare a wider range, or limit the value with `min` and `max`.",
        )
    )
