"""Steps of a turn: what a path through it does, and the decisions at which it forks.

In: a frame. Out: frames that turns lead to. What then holds: a path is a frame and what is left
to do, as an immutable linked list; so it is forked at a decision by copying its frame alone. What
a step does counts as work when it is taken, so what ways share counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gdl.core.evaluate import Evaluated, Frame
from gdl.core.nodes import Choose, Decide, Statement
from gdl.interpreter.evaluation.word_orders import Spot
from gdl.resources.budget import Meter

MOST_WAYS = 500_000
"""How many moves, or ways on from one decision, a turn may have."""
DECISIONS_A_UNIT = 4
"""How many decisions of a path, with their words, are a unit of work to keep."""

Effect = Callable[[Frame], None]
Rest = tuple["Step", "Rest"] | None


class Path:
    """A turn under way: its frame, what is left to do, the decisions and words so far.

    `exchangeable` has pairs of indices into the decisions that may be made in either order;
    `spots` tells where the words of such decisions begin and end in the text. `sets` has the rank,
    index and spot of each decision that is one of several sites chosen at once.
    """

    __slots__ = ("decisions", "exchangeable", "frame", "rest", "sets", "spots", "text")

    def __init__(
        self,
        frame: Frame,
        rest: Rest,
        decisions: tuple[int, ...] = (),
        text: str = "",
        exchangeable: tuple[tuple[int, int], ...] = (),
        spots: tuple[tuple[int, Spot], ...] = (),
        sets: tuple[tuple[int, int, Spot], ...] = (),
    ) -> None:
        self.frame = frame
        self.rest = rest
        self.decisions = decisions
        self.text = text
        self.exchangeable = exchangeable
        self.spots = spots
        self.sets = sets

    def say(self, word: str, separator: str = " ") -> None:
        """Add a word to the text."""
        self.text = f"{self.text}{separator}{word}" if self.text else word

    def fork(self) -> Path:
        """Return a path that goes its own way from here."""
        return Path(
            self.frame.copy(),
            self.rest,
            self.decisions,
            self.text,
            self.exchangeable,
            self.spots,
            self.sets,
        )


class Step:
    """Something that a path does; `asks` tells that it is a decision, or may lead to one."""

    asks = False

    def advance(self, path: Path) -> bool:
        """Take the step; whether the path can go on."""
        raise NotImplementedError


class DecisionStep(Step):
    """A step with several ways on; `statement` is what it was made from."""

    statement: Statement
    asks = True

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
    """Effects, one after the other; by the `meter` they are so many `units` of work."""

    def __init__(self, effects: Iterable[Effect], meter: Meter, units: int) -> None:
        self.effects = tuple(effects)
        self.meter = meter
        self.units = units

    def advance(self, path: Path) -> bool:
        """Change the frame."""
        self.meter.left -= self.units
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
        self.asks = any(step.asks for step in (*then, *otherwise))

    def advance(self, path: Path) -> bool:
        """Take one of them."""
        taken = self.then if self.condition(path.frame) else self.otherwise
        path.rest = before(taken, path.rest)
        return True


class Each(Step):
    """A body for each of some values that are settled before the first.

    `place` is where the frame keeps the value (None: nowhere); `count_round` counts the work of a
    round.
    """

    def __init__(
        self,
        place: int | None,
        values: Callable[[Frame], Sequence[Any]],
        body: tuple[Step, ...],
        count_round: Callable[[Path], None],
    ) -> None:
        self.place = place
        self.values = values
        self.body = body
        self.count_round = count_round
        self.asks = any(step.asks for step in body)

    def advance(self, path: Path) -> bool:
        """Settle the values."""
        path.rest = (_EachFrom(self, self.values(path.frame), 0), path.rest)
        return True


class _EachFrom(Step):
    """What is left of an `Each`."""

    def __init__(self, each: Each, values: Sequence[Any], index: int) -> None:
        self.each = each
        self.values = values
        self.index = index
        self.asks = each.asks and index < len(values)

    def advance(self, path: Path) -> bool:
        """Begin with the next value, if there is one."""
        self.each.count_round(path)
        if self.index < len(self.values):
            if self.each.place is not None:
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
        count_round: Callable[[Path], None],
    ) -> None:
        self.goes_on = goes_on
        self.watched = watched
        self.body = body
        self.refuse_more = refuse_more
        self.count_round = count_round
        self.asks = any(step.asks for step in body)

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
        self.asks = loop.asks

    def advance(self, path: Path) -> bool:
        """Begin another round, if there is one."""
        loop, frame = self.loop, path.frame
        loop.count_round(path)
        if loop.goes_on(frame, self.rounds, self.earlier):
            loop.refuse_more(self.rounds + 1)
            now = tuple(frame[place] for place in loop.watched)
            path.rest = before(loop.body, (_LoopFrom(loop, self.rounds + 1, now), path.rest))
        return True


class ChoiceStep(DecisionStep):
    """A site, by its index, or a number.

    `remembered` is where the frame keeps which decision of the turn this one is; `partner`
    where that of the choice is kept with which this one may change places.
    """

    def __init__(
        self,
        statement: Choose,
        place: int,
        candidates: Callable[[Frame], Sequence[int]],
        site_names: Sequence[str] | None,
        separator: str,
        remembered: int | None,
        partner: int | None,
    ) -> None:
        self.statement = statement
        self.rank = statement.rank
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
        word = self.word(decision)
        path.say(word, self.separator)
        if self.remembered is not None or self.partner is not None:
            end = len(path.text)
            path.spots += ((len(path.decisions) - 1, (end - len(word), end)),)
        if self.rank:
            end = len(path.text)
            path.sets += ((self.rank, len(path.decisions) - 1, (end - len(word), end)),)

    def word(self, decision: int) -> str:
        """Return how the text names a choice."""
        return str(decision) if self.site_names is None else self.site_names[decision]


class Alternatives(DecisionStep):
    """One of several bodies, each with its word, if it has one."""

    def __init__(
        self, statement: Decide, alternatives: Sequence[tuple[str | None, tuple[Step, ...]]]
    ) -> None:
        self.statement = statement
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
