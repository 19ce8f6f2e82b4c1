"""Ways through a turn, statement by statement.

In: a position in play, and the words of a move or its decisions. Out: where the words lead, or at
which statement they can't go on; what each statement did. What then holds: the steps are those of
the reference interpreter, except that each statement is a step of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from gdl.core.evaluate import Frame
from gdl.core.memo import Memo
from gdl.core.nodes import Block, Branch, Statement
from gdl.core.walk import statements_in
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.evaluation.moves import PASS, words
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.reference.statements import StepMaker
from gdl.interpreter.reference.steps import (
    Alternatives,
    ChoiceStep,
    DecisionStep,
    Demand,
    Path,
    Rest,
    Step,
)

_MOST_STEPS = 20_000
_MOST_WAYS = 2_000

Why = Literal["no-way", "condition", "word", "more", "less"]
"""What is wrong at a stop: the choice is none of those there are; a condition fails; a word has
another meaning here, or none; the turn goes on, or has ended already."""


class Told(StepMaker):
    """Makes a step of each statement, and knows which."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.statements: dict[Step, Statement] = {}

    def steps(self, block: Block) -> tuple[Step, ...]:
        """Return a step for each statement of a block."""
        made = []
        for statement in block:
            step = self.step(statement)
            self.statements[step] = statement
            made.append(step)
        return tuple(made)


Asked = tuple[Branch, Frame]
"""A condition that has divided a way through the turn, and the frame in which it was asked."""


@dataclass(frozen=True)
class Stop:
    """A place at which a way through the turn can't go on.

    `frame` is that before the statement. `choice` is what was to be chosen: a site's index or a
    number. `said` are the words up to there, `ways` how many ways on there are. `within` are the
    conditions by which the way came there, outermost first, each with the frame in which it was
    asked.
    """

    why: Why
    statement: Statement | None
    frame: Frame
    said: str
    choice: int | None = None
    ways: int = 0
    within: tuple[Asked, ...] = ()


@dataclass(frozen=True)
class Attempt:
    """What comes of the words of a move.

    `stops` are the first places at which the ways that agree best with the words can't go on;
    `completed` are the decisions of ways that can.
    """

    stops: tuple[Stop, ...]
    completed: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class _Way:
    path: Path
    stop: Stop | None = None
    failures: int = 0
    understood: int = 0
    asked: tuple[Asked, ...] = ()

    def fork(self) -> _Way:
        return replace(self, path=self.path.fork())


class Turns:
    """The turns of a game, followed step by step."""

    def __init__(self, rules: ReferenceRules) -> None:
        self._rules = rules
        self._made: dict[tuple[int, int], tuple[Rest, Told]] = {}

    def frame(self, state: State) -> Frame:
        """Return the frame in which the turn of a state begins."""
        return self._rules.machine.frame(state.values)

    def _steps(self, frame: Frame) -> tuple[Rest, Told]:
        machine = self._rules.machine
        key = (machine.phase(frame), int(frame[machine.places[machine.program.system.mover]]))
        if key not in self._made:
            rest, maker = machine.steps_by(Told, *key)
            assert isinstance(maker, Told)
            self._made[key] = (rest, maker)
        return self._made[key]

    # ----------------------------------------------------------- a move that is made

    def passages(
        self, state: State, decisions: Sequence[int]
    ) -> Iterator[tuple[Statement, Frame, Frame, int | None]]:
        """Yield each statement of a legal move with the frames before and after it.

        With it comes the decision that is made there, if it is one.
        """
        frame = self.frame(state)
        rest, maker = self._steps(frame)
        path, pending = Path(frame, rest), iter(decisions)
        while path.rest is not None:
            step, path.rest = path.rest
            before, decision = list(path.frame), None
            if isinstance(step, DecisionStep):
                decision = next(pending)
                step.take(path, decision)
            else:
                step.advance(path)
            statement = maker.statements.get(step)
            if statement is not None:
                yield statement, before, list(path.frame), decision

    # ------------------------------------------------------------ a move that is tried

    def attempt(self, state: State, text: str) -> Attempt:
        """Return where the words of a text lead."""
        wanted = words(text)
        ended = self._ways(state, wanted)
        completed = [way.path.decisions for way in ended if way.stop is None]
        refused = [way for way in ended if way.stop is not None]
        best = max((_rank(way, wanted) for way in refused), default=None)
        stops = {
            (way.stop.why, way.stop.statement and way.stop.statement.span, way.stop.choice): way
            for way in reversed(refused)
            if way.stop is not None and _rank(way, wanted) == best
        }
        found = [way.stop for way in reversed(stops.values()) if way.stop is not None]
        return Attempt(tuple(found), tuple(completed))

    def dead_ends(self, state: State) -> list[Stop]:
        """Return the places at which ways through a turn end that has no legal move."""
        return [way.stop for way in self._ways(state, None) if way.stop is not None]

    def _ways(self, state: State, wanted: Sequence[str] | None) -> list[_Way]:
        """Return all ways that agree with the words (None: any ways), each to its end."""
        self._rules.machine.begin_turn()
        frame = self.frame(state)
        rest, maker = self._steps(frame)
        pending = [_Way(Path(frame, rest))]
        ended: list[_Way] = []
        self._left = _MOST_STEPS
        while pending and self._left > 0 and len(ended) < _MOST_WAYS:
            way = pending.pop()
            following = self._advanced(way, wanted, maker)
            if following:
                pending.extend(reversed(following))
            else:
                ended.append(way)
        return ended

    def _advanced(self, way: _Way, wanted: Sequence[str] | None, maker: Told) -> list[_Way]:
        """Go on to the next fork, or to the end: there is nothing to return then."""
        path = way.path
        while path.rest is not None:
            self._left -= 1
            if self._left <= 0:
                return []
            step, rest = path.rest
            statement = maker.statements.get(step)
            if isinstance(step, ChoiceStep):
                path.rest = rest
                if wanted is None:
                    return self._each_choice(way, step, statement)
                if not self._chosen(way, step, statement, wanted):
                    return []
                continue
            if isinstance(step, Alternatives):
                path.rest = rest
                found = self._each_alternative(way, step, wanted)
                if not found:
                    _fail(way, Stop("word", statement, list(path.frame), path.text))
                return found
            before = list(path.frame)
            path.rest = rest
            if isinstance(statement, Branch):
                way.asked = (*way.asked, (statement, before))
            try:
                goes_on = step.advance(path)
            except RuleError:
                _fail(way, Stop("condition", statement, before, path.text))
                return []
            if not goes_on:
                assert isinstance(step, Demand)
                _fail(way, Stop("condition", statement, before, path.text))
                if wanted is None:
                    return []
            if wanted is not None and not _agrees(path.text, wanted):
                _fail(way, Stop("word", statement, before, path.text))
                return []
        if wanted is not None:
            said = words(path.text or PASS)
            way.understood = max(way.understood, len(words(path.text)))
            if said != tuple(wanted):
                _fail(way, Stop("less", None, list(path.frame), path.text))
        return []

    def _each_choice(self, way: _Way, step: ChoiceStep, statement: Statement | None) -> list[_Way]:
        path = way.path
        try:
            ways = list(step.ways(path))
        except RuleError:
            ways = []
        if not ways:
            _fail(way, Stop("no-way", statement, list(path.frame), path.text))
        made = []
        for decision in ways[: max(1, self._left)]:
            taken = way.fork()
            step.take(taken.path, decision)
            made.append(taken)
        return made

    def _each_alternative(
        self, way: _Way, step: Alternatives, wanted: Sequence[str] | None
    ) -> list[_Way]:
        made = []
        for decision in step.ways(way.path):
            taken = way.fork()
            step.take(taken.path, decision)
            if wanted is None or _agrees(taken.path.text, wanted):
                made.append(taken)
        return made

    def _chosen(
        self, way: _Way, step: ChoiceStep, statement: Statement | None, wanted: Sequence[str]
    ) -> bool:
        """Choose what the next word says, legal or not; whether it says anything here."""
        path, number = way.path, len(words(way.path.text))
        frame = list(path.frame)
        way.understood = max(way.understood, number)
        try:
            ways = step.ways(path)
        except RuleError:
            ways = ()
        if number >= len(wanted):
            _fail(way, Stop("more", statement, frame, path.text, ways=len(ways)))
            return False
        choice = self._meant(step, wanted[number])
        if choice is None:
            _fail(way, Stop("word", statement, frame, path.text, ways=len(ways)))
            return False
        if choice not in ways:
            _fail(way, Stop("no-way", statement, frame, path.text, choice, len(ways)))
        way.understood = max(way.understood, number + 1)
        step.take(path, choice)
        return True

    def _meant(self, step: ChoiceStep, word: str) -> int | None:
        if step.site_names is None:
            return int(word) if word.isdigit() and len(word) < 18 else None
        return self._rules.game.board.index(word) if word else None


def _fail(way: _Way, stop: Stop) -> None:
    way.failures += 1
    if way.stop is None:
        # Of a condition in a loop, the last round counts.
        within = Memo[Branch, Frame]()
        for branch, frame in way.asked:
            within.keep(branch, frame)
        inside = (asked for asked in within.items() if _is_in(stop.statement, asked[0]))
        way.stop = replace(stop, within=tuple(inside))


def _is_in(statement: Statement | None, branch: Branch) -> bool:
    return any(one is statement for one in statements_in((*branch.then, *branch.otherwise)))


def _rank(way: _Way, wanted: Sequence[str]) -> tuple[int, int]:
    return way.understood, -way.failures


def _agrees(text: str, wanted: Sequence[str]) -> bool:
    said = words(text)
    return said == tuple(wanted[: len(said)])
