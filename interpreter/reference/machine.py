"""The moves of one turn: all that a program's decisions can lead to.

In: a program, and frames. Out: legal moves in the order of their decisions, and frames after
them. What then holds: a move is listed if and only if its turn can be completed; replaying its
decisions gives the frame that the search for moves saw.

A frame is a list: the state's slots first, then a place for every other slot of the program,
then, for choices that may change places, the number of their decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gdl.budget import Meter, budget
from gdl.core.evaluate import CanReach, Evaluated, ExpressionEvaluator, Frame
from gdl.core.nodes import (
    Can,
    Choose,
    Expression,
    Program,
    Slot,
)
from gdl.core.walk import changed_slots, program_statements, slots_of, statements_in
from gdl.core.work import units_of_block, units_of_board, units_of_expressions
from gdl.diagnostic import Span
from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.failures import too_much_work
from interpreter.evaluation.moves import Move
from interpreter.reference.failures import (
    told_at,
    too_many_moves,
    while_looking_ahead,
)
from interpreter.reference.leaves import (
    Leaf,
    asks_nothing,
    decisions_of,
    is_settled,
    move_of,
    opened,
)
from interpreter.reference.statements import StepMaker
from interpreter.reference.steps import (
    DECISIONS_A_UNIT,
    MOST_WAYS,
    Choice,
    Decision,
    Path,
    Rest,
    before,
)
from interpreter.reference.watch import Watch

USUAL_WORK = 2_500_000
"""How many units of work a turn may take: what a machine of today does in a second."""
_UNITS_A_WAY = 4
_COUNTED_AT_ONCE = 1000
_LEAVES_AHEAD = 128
"""How many leaves are found before their moves are named: there may prove to be too many."""
_MOST_ASKED = 256
"""How many functions are kept of expressions that are no part of the program."""
_BYTES_A_UNIT = 64
_BYTES_OF_NUMBER = 8
_SITES_A_BYTE = 8


@dataclass(frozen=True)
class TurnSteps:
    """The steps of one side's turn in one phase.

    `keeps_best`: only the best ways are legal. `exchanges`: there are choices in any order.
    `units`: how much work it is to go on one of the ways.
    """

    rest: Rest
    keeps_best: bool
    exchanges: bool
    units: int

    @property
    def is_compared(self) -> bool:
        """Whether it depends on where other moves lead which moves are legal."""
        return self.keeps_best or self.exchanges


class QuickEvaluator(ExpressionEvaluator):
    """Makes the function of a shared expression only once."""

    def __init__(
        self,
        places: dict[Slot, int],
        can_reach: CanReach,
        meter: Meter,
        units: int,
        watch: Watch | None = None,
    ) -> None:
        super().__init__(places, can_reach, meter, units)
        self._made: dict[int, tuple[Expression, Evaluated]] = {}
        self._watch = watch

    def function(self, node: Expression) -> Evaluated:
        """Return the function that gives the node's value in a frame."""
        known = self._made.get(id(node))
        if known is None:
            made = super().function(node)
            if self._watch is not None:
                made = self._watch.value(node, made, self._unmetered)
            known = self._made[id(node)] = (node, made)
        return known[1]

    def _unmetered(self, node: Expression) -> Evaluated:
        """Return the function of a node that a watch asks for: it takes nothing from the budget."""
        function, meter = self.function(node), self._meter

        def asked(frame: Frame) -> Any:
            left = meter.left
            meter.left = USUAL_WORK
            try:
                return function(frame)
            finally:
                meter.left = left

        return asked


class Machine:
    """Runs the turns of a program; `site_names` has the name of each site by index.

    All that is asked of it counts as work, up to what the budget allows since `begin_turn`. `watch`
    sees what happens.
    """

    def __init__(
        self, program: Program, site_names: Sequence[str], watch: Watch | None = None
    ) -> None:
        self.program = program
        self._watch = watch
        self._allowed = budget().of_turn(USUAL_WORK)
        self._meter = Meter(self._allowed)
        self._units = units_of_board(len(site_names))
        self.places = {slot: place for place, slot in enumerate(program.state)}
        for slot in slots_of((program.system, program.phases, program.memories)):
            self.places.setdefault(slot, len(self.places))
        self.evaluator = self._evaluator(self.places, 0)
        self._ahead: list[ExpressionEvaluator] = []
        self._site_names = site_names
        self._phase_place = (
            None if program.system.phase is None else self.places[program.system.phase]
        )
        self._turns: dict[tuple[int, int, int], TurnSteps] = {}
        self._asked: dict[int, tuple[Expression, Evaluated, int]] = {}

    def begin_turn(self) -> None:
        """Allow as much work from here on as a turn may take."""
        self._meter.left = self._allowed

    @property
    def share_left(self) -> float:
        """How much is left of the work that a turn may take, as a part of it."""
        return self._meter.left / self._allowed

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
        partners = {
            statement.unordered_with: None
            for statement in program_statements(self.program)
            if isinstance(statement, Choose) and statement.unordered_with is not None
        }
        return {slot: len(self.places) + index for index, slot in enumerate(partners)}

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
        frame = self.frame(values)
        kept = self._asked.get(id(expression))
        if kept is None:
            if len(self._asked) == _MOST_ASKED:
                del self._asked[next(iter(self._asked))]
            further = self._further_slots(expression)
            kept = (expression, self._function(frame, expression, further), len(further))
            self._asked[id(expression)] = kept
        _, function, count = kept
        return function([*frame, *[None] * count])

    def value_in(
        self, frame: Frame, expression: Expression, given: Mapping[Slot, Any] | None = None
    ) -> Any:
        """Return what such an expression is worth in the middle of a turn.

        `given` has values of slots that the frame has no place for; the frame stays as it is.
        """
        further = self._further_slots(expression)
        values = [None if given is None else given.get(slot) for slot in further]
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

        return QuickEvaluator(places, can_reach, self._meter, self._units, self._watch)

    def _evaluator_ahead(self, depth: int) -> ExpressionEvaluator:
        """Return the evaluator of turns that are looked at, `depth` turns ahead."""
        while len(self._ahead) < depth:
            self._ahead.append(self._evaluator(self.places, len(self._ahead) + 1))
        return self._ahead[depth - 1]

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
        )
        best = self.program.system.best
        keeps_best = best is not None and best in changed_slots(block)
        exchanges = any(
            isinstance(statement, Choose) and statement.unordered_with is not None
            for statement in statements_in(block)
        )
        units = _UNITS_A_WAY + self._units * units_of_block(block)
        return TurnSteps(before(maker.steps(block), None), keeps_best, exchanges, units)

    # ------------------------------------------------------------------- moves

    def moves(self, frame: Frame, turn: TurnSteps) -> list[Move]:
        """Return the legal moves of a turn, in order; `frame` is left as it is."""
        if turn.is_compared:
            return [move_of(path) for path in self._compared(frame, turn)]
        moves: list[Move] = []
        unnamed: list[Leaf] = []
        for leaf in self._listed(frame, turn):
            self._count(len(leaf) * _units_of_words(leaf.path), leaf.span)
            unnamed.append(leaf)
            if len(unnamed) == _LEAVES_AHEAD:
                moves += _moves_of(unnamed)
                unnamed.clear()
        return [*moves, *_moves_of(unnamed)]

    def named(self, frame: Frame, turn: TurnSteps, text: str) -> list[Move]:
        """Return the legal moves that read just so; other ways are left where they read otherwise.

        Where moves depend on other moves, all are made.
        """
        if turn.is_compared:
            return [move for move in self.moves(frame, turn) if move.text == text]
        found = []
        for leaf in self._leaves(frame, turn, is_settled, text=text):
            self._count(len(leaf) * _units_of_words(leaf.path), leaf.span)
            found += [move for move in _moves_of([leaf]) if move.text == text]
        return found

    def count(self, frame: Frame, turn: TurnSteps) -> int:
        """Return the number of legal moves."""
        if turn.is_compared:
            return len(self._compared(frame, turn))
        return sum(map(len, self._listed(frame, turn)))

    def draw(self, frame: Frame, turn: TurnSteps, chance: Chance) -> Path | None:
        """Return one of the legal moves, made, each equally likely; None if there is none.

        Nothing is carried out that follows the last decision of a turn: all ways to make its
        decisions are gathered, one is drawn, each equally likely, and carried out. It is dropped
        for another draw if it fails, or if another order of its choices stands for its move. So
        every move is exactly one way that is not dropped, and the first such way to be drawn is
        each of them with the same probability. If as many are dropped as there are ways, or if
        only the best moves are legal, one is drawn from the list of all moves instead.
        """
        leaves: list[Leaf] = []
        ways = 0
        if not turn.keeps_best:
            for leaf in self._leaves(frame, turn, asks_nothing, self._units_of_frame):
                leaves.append(leaf)
                ways += len(leaf)
                if ways > MOST_WAYS:
                    break
            if ways == 0:
                return None
        for _ in range(ways if ways <= MOST_WAYS else 0):
            path = _way(leaves, chance.below(ways))
            if path is not None and self._is_listed(frame, turn, path):
                return path
            self._count(turn.units, leaves[0].span)
        paths = self._compared(frame, turn)
        return paths[chance.below(len(paths))] if paths else None

    def _count(self, units: int, span: Span | None) -> None:
        """Count units of work. Raises RuleError where there are more than the budget allows."""
        self._meter.left -= units
        if self._meter.left < 0:
            raise too_much_work(span)

    def has_move(self, frame: Frame, turn: TurnSteps) -> bool:
        """Return whether there is a legal move."""
        leaves = self._listed(frame, turn)
        if not turn.is_compared:
            return any(leaves)
        return any(
            self._is_listed(frame, turn, self._followed(frame, turn, leaf.move(index).decisions))
            for leaf in leaves
            for index in range(len(leaf))
        )

    def after(self, frame: Frame, turn: TurnSteps, decisions: Sequence[int]) -> Frame:
        """Return the frame after the turn with these decisions.

        Raises ValueError where one of them can't be made.
        """
        return self._followed(frame, turn, decisions).frame

    def _followed(self, frame: Frame, turn: TurnSteps, decisions: Sequence[int]) -> Path:
        path = Path(frame.copy(), turn.rest)
        pending = iter(decisions)
        for decision in decisions_of(path):
            chosen = next(pending, None)
            if chosen is None or not decision.admits(path, chosen):
                raise ValueError("the move's decisions can't be made here")
            decision.take(path, chosen)
        if path.rest is not None or next(pending, None) is not None:
            raise ValueError("the move does not complete the turn")
        return path

    def results(self, frame: Frame, turn: TurnSteps) -> Iterator[tuple[Move, Frame]]:
        """Yield each legal move with the frame after it."""
        if turn.is_compared:
            for path in self._compared(frame, turn):
                yield move_of(path), path.frame
            return
        for path, _ in self._paths(frame, turn):
            yield move_of(path), path.frame

    # ----------------------------------------------------------- paths of a turn

    def _leaves(
        self,
        frame: Frame,
        turn: TurnSteps,
        is_enough: Callable[[Rest], bool],
        units: int = 0,
        text: str | None = None,
    ) -> Iterator[Leaf]:
        """Yield all ways, without making the last choice where what follows `is_enough`.

        Steps that can neither fail nor ask anything are not taken at the end. What is done with a
        way is so many `units` of work. With a `text`, ways that do not begin like it are left.
        """
        span: Span | None = None
        pending: list[tuple[Path, Decision | None, int]] = [
            (Path(frame.copy(), turn.rest), None, 0)
        ]
        units += turn.units
        done = 0
        try:
            while pending:
                path, taken, way = pending.pop()
                span = span if taken is None else taken.statement.span
                path = opened(path, taken, way)
                if text is not None and not text.startswith(path.text):
                    continue
                decision = next(decisions_of(path, listed=True), None)
                done += units
                if done > _COUNTED_AT_ONCE:
                    self._count(done, span)
                    done = 0
                if decision is None:
                    if is_settled(path.rest):
                        yield Leaf(path, None, (0,), span)
                    continue
                ways = decision.ways(path)
                done += len(ways)
                if isinstance(decision, Choice) and is_enough(path.rest):
                    yield Leaf(path, decision, ways, decision.statement.span)
                else:
                    pending.extend((path, decision, way) for way in reversed(ways))
        finally:
            self._meter.left -= done

    def _listed(self, frame: Frame, turn: TurnSteps) -> Iterator[Leaf]:
        """Yield the leaves of all ways that can be completed. Raises RuleError if too many."""
        found = 0
        for leaf in self._leaves(frame, turn, is_settled):
            found += len(leaf)
            if found > MOST_WAYS:
                raise too_many_moves(leaf.span)
            yield leaf

    def _paths(self, frame: Frame, turn: TurnSteps) -> Iterator[tuple[Path, Span | None]]:
        """Yield all completed paths, carried out to the end, and where the last decision stands."""
        for leaf in self._listed(frame, turn):
            for index in range(len(leaf)):
                self._count(turn.units, leaf.span)
                path = leaf.completed(index)
                assert path is not None, "nothing fails after a settled choice"
                yield path, leaf.span

    # ---------------------------------------- moves that depend on other moves

    def _compared(self, frame: Frame, turn: TurnSteps) -> list[Path]:
        """Return the paths after pairs are made one and only the best are kept."""
        gathered = []
        for path, span in self._paths(frame, turn):
            self._count(self._units_of_frame + _units_of_words(path), span)
            gathered.append(path)
        paths = self._without_orders(gathered)
        best = self.program.system.best
        if best is not None:
            place = self.places[best]
            values = [path.frame[place] for path in paths]
            most = max((value for value in values if value is not None), default=None)
            paths = [found for found, value in zip(paths, values, strict=True) if value == most]
        return paths

    def _without_orders(self, paths: list[Path]) -> list[Path]:
        """Return one path for all orders of what may be exchanged."""
        by_decisions = {path.decisions: path for path in paths}
        kept = []
        for path in paths:
            if any(path.decisions[i] >= path.decisions[j] for i, j in path.exchangeable):
                continue
            others = [
                by_decisions.get(_exchanged(path.decisions, i, j)) for i, j in path.exchangeable
            ]
            if all(other is not None and self._same_result(path, other) for other in others):
                kept.append(path)
        return kept

    def _is_listed(self, frame: Frame, turn: TurnSteps, path: Path) -> bool:
        """Whether a completed path stands for all its orders; `keep` is left aside."""
        for i, j in path.exchangeable:
            if path.decisions[i] >= path.decisions[j]:
                if self._watch is not None and path.decisions[i] > path.decisions[j]:
                    self._is_either_order(frame, turn, path, i, j)
                return False
            if not self._is_either_order(frame, turn, path, i, j):
                return False
        return True

    def _is_either_order(self, frame: Frame, turn: TurnSteps, path: Path, i: int, j: int) -> bool:
        """Whether two decisions of a path may be made the other way round, with one result."""
        try:
            other = self._followed(frame, turn, _exchanged(path.decisions, i, j))
        except ValueError:
            other = None
        if other is not None and self._same_result(path, other):
            return True
        if self._watch is not None:
            self._watch.one_order_only(path.decisions, i, j)
        return False

    def _same_result(self, path: Path, other: Path) -> bool:
        state = len(self.program.state)
        return path.frame[:state] == other.frame[:state] and all(
            path.frame[place] == other.frame[place] for place in self._results
        )

    @cached_property
    def _results(self) -> tuple[int, ...]:
        """The places of what comes of a turn besides the state."""
        system = self.program.system
        return tuple(
            self.places[slot] for slot in (system.following, system.best) if slot is not None
        )

    # -------------------------------------------------------------- looking ahead

    def _can_reach(self, node: Can, condition: Evaluated, depth: int) -> Evaluated:
        mover = self.places[self.program.system.mover]
        state = len(self.program.state)
        units = self._units * units_of_expressions((node.condition,))

        def holds(frame: Frame, result: Frame) -> bool:
            self._count(units, node.span)
            return bool(condition([*result[:state], *frame[state:]]))

        def can_reach(frame: Frame) -> bool:
            turn = self.turn(self.phase(frame), node.side, depth)
            ahead = self.frame(frame[:state])
            ahead[mover] = node.side
            try:
                return any(holds(frame, result) for _, result in self.results(ahead, turn))
            except RuleError as failure:
                raise while_looking_ahead(failure, node) from None

        return can_reach


def _units_of_words(path: Path) -> int:
    """How much work it counts as to keep the words and decisions of a path."""
    return 1 + len(path.decisions) // DECISIONS_A_UNIT


def _moves_of(leaves: Sequence[Leaf]) -> Iterator[Move]:
    """Yield the moves of leaves, in order."""
    for leaf in leaves:
        yield from map(leaf.move, range(len(leaf)))


def _way(leaves: Sequence[Leaf], number: int) -> Path | None:
    """Return the way with a number, carried out; None if it fails."""
    for leaf in leaves:
        if number < len(leaf):
            return leaf.completed(number)
        number -= len(leaf)
    raise IndexError("there are not so many ways")


def _exchanged(decisions: tuple[int, ...], i: int, j: int) -> tuple[int, ...]:
    exchanged = list(decisions)
    exchanged[i], exchanged[j] = exchanged[j], exchanged[i]
    return tuple(exchanged)
