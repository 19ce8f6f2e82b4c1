"""The moves of one turn: all that a program's decisions can lead to.

In: a program, and frames. Out: legal moves in the order of their decisions, and frames after
them. What then holds: a move is listed if and only if its turn can be completed; replaying its
decisions gives the frame that the search for moves saw.

A frame is a list: the state's slots first, then a place for every other slot of the program,
then, for choices that may change places, the number of their decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

from gdl.board.relation import Relation
from gdl.core.evaluate import CanReach, Evaluated, Evaluator, Frame
from gdl.core.nodes import (
    Can,
    Choose,
    Expression,
    Program,
    Slot,
)
from gdl.core.operations import Overflow
from gdl.diagnostic import Diagnostic, Span
from interpreter.chance import Chance
from interpreter.evaluator import RuleError
from interpreter.moves import PASS, Move
from interpreter.reference.drawing import MOST_DRAWS, Drawing, drawing_of
from interpreter.reference.statements import StepMaker, changed_slots, statements_in
from interpreter.reference.steps import (
    MOST_WAYS,
    Choice,
    Decision,
    Path,
    Perform,
    Rest,
    before,
    too_many_moves,
)


@dataclass(frozen=True)
class TurnSteps:
    """The steps of one side's turn in one phase.

    `is_compared` tells that which moves are legal depends on where others lead.
    """

    rest: Rest
    is_compared: bool


@dataclass(frozen=True, slots=True)
class Leaf:
    """A completed path, or one with a last choice that every candidate completes."""

    path: Path
    last: Choice | None
    candidates: Sequence[int]

    def __len__(self) -> int:
        return len(self.candidates)

    def move(self, index: int) -> Move:
        """Return one of the moves that the leaf stands for."""
        path = self.path
        if self.last is None:
            return _move(path)
        decision = self.candidates[index]
        word = self.last.word(decision)
        text = f"{path.text}{self.last.separator}{word}" if path.text else word
        return Move((*path.decisions, decision), text)

    def completed(self, index: int) -> Path | None:
        """Return one of the ways, carried out to the end; None if it fails."""
        path = self.path.fork()
        if self.last is not None:
            self.last.take(path, self.candidates[index])
        for _ in _decisions_of(path):
            raise AssertionError("a decision after the last one")
        return path if path.rest is None else None


class QuickEvaluator(Evaluator):
    """Makes the function of a shared expression only once."""

    def __init__(self, places: dict[Slot, int], can_reach: CanReach | None = None) -> None:
        super().__init__(places, can_reach)
        self._made: dict[int, tuple[Expression, Evaluated]] = {}

    def function(self, node: Expression) -> Evaluated:
        """Return the function that gives the node's value in a frame."""
        known = self._made.get(id(node))
        if known is None:
            known = self._made[id(node)] = (node, super().function(node))
        return known[1]


class Machine:
    """Runs the turns of a program; `site_names` has the name of each site by index."""

    def __init__(self, program: Program, site_names: Sequence[str]) -> None:
        self.program = program
        self.places = {slot: place for place, slot in enumerate(program.state)}
        for slot in slots_of((program.system, program.phases, program.memories)):
            self.places.setdefault(slot, len(self.places))
        self.evaluator, self._blind = self._evaluators(self.places)
        self._site_names = site_names
        self._phase_place = (
            None if program.system.phase is None else self.places[program.system.phase]
        )
        self._turns: dict[tuple[int, int, bool], TurnSteps] = {}
        self._drawings: dict[tuple[int, int], Drawing] = {}

    @cached_property
    def _remembered(self) -> dict[Slot, int]:
        """A place for the number of the decision of each choice that may change places."""
        partners = {
            statement.unordered_with: None
            for phase in self.program.phases
            for turn in phase.turns
            for statement in statements_in(turn.program)
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
        """Return what an expression that is no part of the program is worth in a position."""
        frame = self.frame(values)
        places = dict(self.places)
        for slot in slots_of(expression):
            if slot not in places:
                places[slot] = len(frame)
                frame.append(None)
        evaluator, _ = self._evaluators(places)
        return evaluator.function(expression)(frame)

    def _evaluators(self, places: dict[Slot, int]) -> tuple[Evaluator, Evaluator]:
        """Return what makes functions of expressions: as they are, and within a `can`."""
        blind = QuickEvaluator(places, _no_further_look)
        return QuickEvaluator(places, lambda node: self._can_reach(node, blind)), blind

    def phase(self, frame: Frame) -> int:
        """Return the place of the present phase."""
        return 0 if self._phase_place is None else int(frame[self._phase_place])

    def turn(self, phase: int, side: int, within_can: bool = False) -> TurnSteps:
        """Return the steps of a side's turn in a phase; made when first asked for."""
        key = (phase, side, within_can)
        if key not in self._turns:
            self._turns[key] = self._make_turn(phase, side, within_can)
        return self._turns[key]

    def _make_turn(self, phase: int, side: int, within_can: bool) -> TurnSteps:
        block = self.program.phases[phase].turns[side].program
        evaluator = self._blind if within_can else self.evaluator
        maker = StepMaker(evaluator, self.places, self._site_names, self._remembered, within_can)
        best = self.program.system.best
        keeps = best is not None and best in changed_slots(block)
        exchanges = any(
            isinstance(statement, Choose) and statement.unordered_with is not None
            for statement in statements_in(block)
        )
        return TurnSteps(before(maker.steps(block), None), keeps or exchanges)

    # ------------------------------------------------------------------- moves

    def moves(self, frame: Frame, turn: TurnSteps) -> list[Move]:
        """Return the legal moves of a turn, in order; `frame` is left as it is."""
        if turn.is_compared:
            return [_move(path, also) for path, also in self._compared(frame, turn)]
        return [
            leaf.move(index)
            for leaf in self._leaves(frame, turn, listed=True)
            for index in range(len(leaf))
        ]

    def count(self, frame: Frame, turn: TurnSteps) -> int:
        """Return the number of legal moves."""
        if turn.is_compared:
            return len(self._compared(frame, turn))
        return sum(map(len, self._leaves(frame, turn, listed=True)))

    def draw(self, frame: Frame, phase: int, side: int, chance: Chance) -> Path | None:
        """Return one of the legal moves, made, each equally likely; None if there is none."""
        turn = self.turn(phase, side)
        drawing = self._drawing(phase, side)
        in_order = frozenset(self.places[slot] for slot in drawing.proven)
        if drawing.is_likely:
            likely = self._leaves(frame, turn, listed=True, likely=True, in_order=in_order)
            leaves = [leaf for leaf in likely if self._may_be_listed(frame, turn, leaf)]
            number = sum(map(len, leaves))
            if not number:
                return None
            for _ in range(MOST_DRAWS):
                path = _completed(leaves, chance.below(number))
                if path is not None and self._is_listed(frame, turn, path):
                    return path
        if turn.is_compared and (drawing.is_likely or self.program.system.best is not None):
            paths = [path for path, _ in self._compared(frame, turn)]
            return paths[chance.below(len(paths))] if paths else None
        leaves = list(self._leaves(frame, turn, listed=True, in_order=in_order))
        number = sum(map(len, leaves))
        return _completed(leaves, chance.below(number)) if number else None

    def _drawing(self, phase: int, side: int) -> Drawing:
        key = (phase, side)
        if key not in self._drawings:
            block = self.program.phases[phase].turns[side].program
            self._drawings[key] = drawing_of(self.program, block, len(self._site_names))
        return self._drawings[key]

    def has_move(self, frame: Frame, turn: TurnSteps) -> bool:
        """Return whether there is a legal move."""
        leaves = self._leaves(frame, turn, listed=True)
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
        for decision in _decisions_of(path):
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
            for path, also in self._compared(frame, turn):
                yield _move(path, also), path.frame
            return
        for path in self._paths(frame, turn):
            yield _move(path), path.frame

    # ----------------------------------------------------------- paths of a turn

    def _leaves(
        self,
        frame: Frame,
        turn: TurnSteps,
        *,
        listed: bool = False,
        likely: bool = False,
        in_order: frozenset[int] = frozenset(),
    ) -> Iterator[Leaf]:
        """Yield all completions, without making the last choice where nothing depends on it.

        If they are only to be `listed`, what follows the last decision and the last condition
        is not carried out. If they need only be `likely`, no last choice is made, though it may
        fail. The choices whose places are `in_order` are made in one order only.
        """
        found = 0
        pending: list[tuple[Path, Decision | None, int]] = [
            (Path(frame.copy(), turn.rest), None, 0)
        ]
        while pending:
            path = _opened(*pending.pop())
            decision = next(_decisions_of(path, listed=listed), None)
            if decision is None:
                if not _is_settled(path.rest):
                    continue
                leaf = Leaf(path, None, (0,))
            elif isinstance(decision, Choice) and (
                _is_settled(path.rest) or (likely and not _decides(path.rest))
            ):
                leaf = Leaf(path, decision, _ways(decision, path, in_order))
            else:
                ways = _ways(decision, path, in_order)
                pending.extend((path, decision, way) for way in reversed(ways))
                continue
            found += len(leaf)
            if found > MOST_WAYS:
                raise too_many_moves(None)
            if leaf:
                yield leaf

    def _paths(self, frame: Frame, turn: TurnSteps) -> Iterator[Path]:
        """Yield all completed paths, carried out to the end."""
        for leaf in self._leaves(frame, turn):
            if leaf.last is None:
                yield leaf.path
                continue
            for index in range(len(leaf)):
                path = leaf.completed(index)
                assert path is not None, "nothing fails after a settled choice"
                yield path

    # ---------------------------------------- moves that depend on other moves

    def _compared(self, frame: Frame, turn: TurnSteps) -> list[tuple[Path, tuple[str, ...]]]:
        """Return the paths after pairs are made one and only the best are kept.

        With each come the texts of its other orders.
        """
        paths = self._without_orders(list(self._paths(frame, turn)))
        best = self.program.system.best
        if best is not None:
            place = self.places[best]
            values = [path.frame[place] for path, _ in paths]
            most = max((value for value in values if value is not None), default=None)
            paths = [found for found, value in zip(paths, values, strict=True) if value == most]
        return paths

    def _without_orders(self, paths: list[Path]) -> list[tuple[Path, tuple[str, ...]]]:
        """Return one path for all orders of what may be exchanged, with the others' texts."""
        by_decisions = {path.decisions: path for path in paths}
        kept = []
        for path in paths:
            if any(path.decisions[i] >= path.decisions[j] for i, j in path.exchangeable):
                continue
            others = [
                by_decisions.get(_exchanged(path.decisions, i, j)) for i, j in path.exchangeable
            ]
            if all(other is not None and self._same_result(path, other) for other in others):
                kept.append((path, tuple(other.text for other in others if other is not None)))
        return kept

    def _is_listed(self, frame: Frame, turn: TurnSteps, path: Path) -> bool:
        """Whether a completed path stands for all its orders; `keep` is left aside."""
        for i, j in path.exchangeable:
            if path.decisions[i] >= path.decisions[j]:
                return False
            try:
                other = self._followed(frame, turn, _exchanged(path.decisions, i, j))
            except ValueError:
                return False
            if not self._same_result(path, other):
                return False
        return True

    def _may_be_listed(self, frame: Frame, turn: TurnSteps, leaf: Leaf) -> bool:
        """Whether a leaf has a last choice, or stands for all its orders."""
        path = leaf.path
        if leaf.last is not None or not path.exchangeable:
            return True
        return self._is_listed(frame, turn, self._followed(frame, turn, path.decisions))

    def _same_result(self, path: Path, other: Path) -> bool:
        state = len(self.program.state)
        system = self.program.system
        places = [self.places[slot] for slot in (system.following, system.best) if slot is not None]
        return path.frame[:state] == other.frame[:state] and all(
            path.frame[place] == other.frame[place] for place in places
        )

    # -------------------------------------------------------------- looking ahead

    def _can_reach(self, node: Can, blind: Evaluator) -> Evaluated:
        condition = blind.function(node.condition)
        mover = self.places[self.program.system.mover]
        state = len(self.program.state)

        def can_reach(frame: Frame) -> bool:
            turn = self.turn(self.phase(frame), node.side, within_can=True)
            ahead = self.frame(frame[:state])
            ahead[mover] = node.side
            return any(
                condition([*result[:state], *frame[state:]])
                for _, result in self.results(ahead, turn)
            )

        return can_reach


def _no_further_look(node: Can) -> Evaluated:
    """What `can` means while another `can` is worked out: it looks no further."""
    return lambda frame: False


def _decisions_of(path: Path, *, listed: bool = False) -> Iterator[Decision]:
    """Take the path's steps; yield each decision, which the caller must take to go on.

    The path ends with nothing left to do, or with its failed step still in front. A path that
    is only `listed` stops before what can neither fail nor ask anything.
    """
    while path.rest is not None:
        if listed and _is_settled(path.rest):
            return
        here = path.rest
        step, path.rest = here
        if isinstance(step, Decision):
            yield step
        else:
            try:
                goes_on = step.advance(path)
            except Overflow:
                raise overflow(None) from None
            if not goes_on:
                path.rest = here
                return


def _opened(path: Path, decision: Decision | None, way: int) -> Path:
    """Return the path that takes one way of a decision (None: the path itself)."""
    if decision is None:
        return path
    taken = path.fork()
    decision.take(taken, way)
    return taken


def _is_settled(rest: Rest) -> bool:
    """Return whether what is left to do can neither fail nor ask anything."""
    while rest is not None:
        step, rest = rest
        if not isinstance(step, Perform):
            return False
    return True


def _decides(rest: Rest) -> bool:
    """Return whether what is left to do may lead to a decision."""
    while rest is not None:
        step, rest = rest
        if step.decides:
            return True
    return False


def _ways(decision: Decision, path: Path, in_order: frozenset[int]) -> Sequence[int]:
    """Return the ways of a decision; of a pair that is made in one order, those of the second."""
    ways = decision.ways(path)
    if isinstance(decision, Choice) and decision.partner is not None and decision.place in in_order:
        earlier = path.frame[decision.partner]
        if earlier is not None:
            return [way for way in ways if way > path.decisions[earlier]]
    return ways


def _completed(leaves: Sequence[Leaf], index: int) -> Path | None:
    """Return the way with this index among those of all leaves, carried out; None if it fails."""
    for leaf in leaves:
        if index < len(leaf):
            return leaf.completed(index)
        index -= len(leaf)
    raise IndexError(index)


def _move(path: Path, also: tuple[str, ...] = ()) -> Move:
    return Move(path.decisions, path.text or PASS, also)


def _exchanged(decisions: tuple[int, ...], i: int, j: int) -> tuple[int, ...]:
    exchanged = list(decisions)
    exchanged[i], exchanged[j] = exchanged[j], exchanged[i]
    return tuple(exchanged)


def overflow(span: Span | None) -> RuleError:
    """Return the error of a value that has grown beyond all use."""
    return RuleError(
        Diagnostic(
            "overflow",
            "A number in the rules has grown too large to compute with.",
            span,
            "Limit it with `min` and `max`.",
        )
    )


def slots_of(root: object) -> Iterator[Slot]:
    """Yield every slot that a part of a program mentions, in the order of first mention."""
    seen: set[int] = set()
    pending = [root]
    while pending:
        part = pending.pop()
        if isinstance(part, Slot):
            if id(part) not in seen:
                seen.add(id(part))
                yield part
        elif isinstance(part, Relation | Span | str | int):
            continue
        elif isinstance(part, tuple | frozenset):
            pending.extend(reversed(tuple(part)))
        elif is_dataclass(part) and id(part) not in seen:
            seen.add(id(part))
            pending.extend(getattr(part, f.name, None) for f in reversed(fields(part)))
