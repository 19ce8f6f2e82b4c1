"""The ways through a turn: all of them, one that is given, one that is drawn.

In: a frame, and the steps of a turn. Out: legal moves in the order of their decisions, and frames
after them. What then holds: a move is listed if and only if its turn can be completed; replaying
its decisions gives the frame that the search for moves saw.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from gdl.core.evaluate import Frame
from gdl.core.nodes import Choose, Program, Slot
from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import too_much_work
from gdl.interpreter.evaluation.moves import PASS, Move
from gdl.interpreter.evaluation.word_orders import neighbours, other_orders
from gdl.interpreter.reference.failures import too_many_moves
from gdl.interpreter.reference.steps import (
    DECISIONS_A_UNIT,
    MOST_WAYS,
    ChoiceStep,
    DecisionStep,
    Path,
    Perform,
    Rest,
)
from gdl.interpreter.reference.watch import Watch
from gdl.resources.budget import Meter

_UNITS_A_WAY = 4
"""How much work it is to go on one of several ways, besides what is done there."""
_LEAVES_AHEAD = 128
"""How many leaves are found before their moves are named: there may prove to be too many."""


@dataclass(frozen=True)
class TurnSteps:
    """The steps of one side's turn in one phase.

    `keeps_best`: only the best ways are legal. `exchanges`: there are choices in any order.
    """

    rest: Rest
    keeps_best: bool
    exchanges: bool

    @property
    def is_compared(self) -> bool:
        """Whether it depends on where other moves lead which moves are legal."""
        return self.keeps_best or self.exchanges


class Ways:
    """Finds the ways through turns of a program, whose slots have `places` in frames.

    What is done counts by the `meter`; to keep a frame is so many `units_of_frame`. `watch` is told
    of decisions that can be made in one order only.
    """

    def __init__(
        self,
        program: Program,
        places: Mapping[Slot, int],
        meter: Meter,
        units_of_frame: int,
        watch: Watch | None = None,
    ) -> None:
        self._program = program
        self._places = places
        self._meter = meter
        self._units_of_frame = units_of_frame
        self._watch = watch

    def moves(self, frame: Frame, turn: TurnSteps) -> list[Move]:
        """Return the legal moves of a turn, in order; `frame` is left as it is."""
        if turn.is_compared:
            return [move_of(path) for path in self._compared(frame, turn)]
        moves: list[Move] = []
        unnamed: list[Leaf] = []
        for leaf in self._listed(frame, turn):
            self.spend(len(leaf) * _units_of_words(leaf.path), leaf.span)
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
            self.spend(len(leaf) * _units_of_words(leaf.path), leaf.span)
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
            self.spend(_UNITS_A_WAY, leaves[0].span)
        paths = self._compared(frame, turn)
        return paths[chance.below(len(paths))] if paths else None

    def spend(self, units: int, span: Span | None) -> None:
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
        return self._followed(frame, turn, decisions, self._watch).frame

    def _followed(
        self,
        frame: Frame,
        turn: TurnSteps,
        decisions: Sequence[int],
        watch: Watch | None = None,
    ) -> Path:
        """Return the path with these decisions; a `watch` learns of them."""
        path = Path(frame.copy(), turn.rest)
        pending = iter(decisions)
        for decision in decisions_of(path):
            chosen = next(pending, None)
            if chosen is None or not decision.admits(path, chosen):
                raise ValueError("the move's decisions can't be made here")
            decision.take(path, chosen)
            statement = decision.statement
            if watch is not None and isinstance(statement, Choose):
                watch.chosen(statement, chosen, frame)
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
        pending: list[tuple[Path, DecisionStep | None, int]] = [
            (Path(frame.copy(), turn.rest), None, 0)
        ]
        units += _UNITS_A_WAY
        while pending:
            path, taken, way = pending.pop()
            span = span if taken is None else taken.statement.span
            path = opened(path, taken, way)
            if text is not None and not text.startswith(path.text):
                continue
            decision = next(decisions_of(path, listed=True), None)
            self.spend(units, span)
            if decision is None:
                if is_settled(path.rest):
                    yield Leaf(path, None, (0,), span)
                continue
            ways = decision.ways(path)
            self._meter.left -= len(ways)
            if isinstance(decision, ChoiceStep) and is_enough(path.rest):
                yield Leaf(path, decision, ways, decision.statement.span)
            else:
                pending.extend((path, decision, way) for way in reversed(ways))

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
                self.spend(_UNITS_A_WAY, leaf.span)
                path = leaf.completed(index)
                assert path is not None, "nothing fails after a settled choice"
                yield path, leaf.span

    # ---------------------------------------- moves that depend on other moves

    def _compared(self, frame: Frame, turn: TurnSteps) -> list[Path]:
        """Return the paths after pairs are made one and only the best are kept."""
        gathered = []
        for path, span in self._paths(frame, turn):
            self.spend(self._units_of_frame + _units_of_words(path), span)
            gathered.append(path)
        paths = self._one_of_each_order(gathered)
        best = self._program.system.best
        if best is not None:
            place = self._places[best]
            values = [path.frame[place] for path in paths]
            most = max((value for value in values if value is not None), default=None)
            paths = [found for found, value in zip(paths, values, strict=True) if value == most]
        return paths

    def _one_of_each_order(self, paths: list[Path]) -> list[Path]:
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
        state = len(self._program.state)
        return path.frame[:state] == other.frame[:state] and all(
            path.frame[place] == other.frame[place] for place in self._results
        )

    @cached_property
    def _results(self) -> tuple[int, ...]:
        """The places of what comes of a turn besides the state."""
        system = self._program.system
        return tuple(
            self._places[slot] for slot in (system.following, system.best) if slot is not None
        )


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


# --------------------------------- the ways of a turn, each carried out as far as somebody needs it


@dataclasses.dataclass(slots=True)
class Leaf:
    """A path without a decision left, or one of which the last choice is not made.

    `span` is where the rules have the last decision. There are very many of them, and they are
    made sooner if they are not frozen.
    """

    path: Path
    choice: ChoiceStep | None
    candidates: Sequence[int]
    span: Span | None

    def __len__(self) -> int:
        return len(self.candidates)

    def move(self, index: int) -> Move:
        """Return one of the moves."""
        path = self.path
        if self.choice is None:
            return move_of(path)
        if self.choice.rank or path.sets:
            return move_of(opened(path, self.choice, self.candidates[index]))
        decision = self.candidates[index]
        word = self.choice.word(decision)
        text = f"{path.text}{self.choice.separator}{word}" if path.text else word
        return Move((*path.decisions, decision), text)

    def completed(self, index: int) -> Path | None:
        """Return one of the ways, carried out to the end; None if it fails.

        It is the leaf's own path where nothing of that is left to do.
        """
        if self.choice is None and self.path.rest is None:
            return self.path
        path = self.path.fork()
        if self.choice is not None:
            self.choice.take(path, self.candidates[index])
        for _ in decisions_of(path):
            raise AssertionError("a decision after the last one")
        return path if path.rest is None else None


def decisions_of(path: Path, *, listed: bool = False) -> Iterator[DecisionStep]:
    """Take the path's steps; yield each decision, which the caller must take to go on.

    The path ends with nothing left to do, or with its failed step still in front. A path that
    is only `listed` stops before what can neither fail nor ask anything.
    """
    while path.rest is not None:
        if listed and is_settled(path.rest):
            return
        here = path.rest
        step, path.rest = here
        if isinstance(step, DecisionStep):
            yield step
        else:
            if not step.advance(path):
                path.rest = here
                return


def opened(path: Path, decision: DecisionStep | None, way: int) -> Path:
    """Return the path that takes one way of a decision (None: the path itself)."""
    if decision is None:
        return path
    taken = path.fork()
    decision.take(taken, way)
    return taken


def is_settled(rest: Rest) -> bool:
    """Return whether what is left to do can neither fail nor ask anything."""
    while rest is not None:
        step, rest = rest
        if not isinstance(step, Perform):
            return False
    return True


def asks_nothing(rest: Rest) -> bool:
    """Return whether no decision is left, though what is left may fail."""
    while rest is not None:
        step, rest = rest
        if step.asks:
            return False
    return True


def move_of(path: Path) -> Move:
    """Return the move that a completed path is."""
    if not path.exchangeable and not path.sets:
        return Move(path.decisions, path.text or PASS)
    spots = {**dict(path.spots), **{index: spot for _, index, spot in path.sets}}
    pairs = (*path.exchangeable, *neighbours([(rank, index) for rank, index, _ in path.sets]))
    return Move(path.decisions, path.text or PASS, other_orders(path.text, spots, pairs))
