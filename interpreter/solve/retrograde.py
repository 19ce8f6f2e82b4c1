"""A game solved by all its positions: they are enumerated, and get their values from the ends back.

In: a subject, and how much memory there is. Out: what each position that can be reached is worth.
What then holds: the work can be interrupted and gone on with at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from math import exp, inf, log

from gdl.interpreter.positions.position import Position
from gdl.interpreter.search.machine.instructions import Record
from gdl.interpreter.solve.backwards import (
    BYTES_OF_NODE,
    BYTES_OF_RETURN,
    VALUES,
    Returns,
    draw_the_rest,
    lay_out,
    new_returns,
    turn_round,
    value_backwards,
    value_by_plies,
)
from gdl.interpreter.solve.clock import Clock, Progress
from gdl.interpreter.solve.enumeration import (
    BROKEN,
    CROWDED,
    DONE,
    FULL,
    add_first,
    enumerate_more,
    find,
)
from gdl.interpreter.solve.graph import (
    EDGES,
    NEXT,
    NONE,
    ORDERED,
    QUEUED,
    REACHED,
    UNKNOWN,
    USED,
    VALUED,
    Graph,
    fill_slots,
    new_graph,
    with_more_slots,
)
from gdl.interpreter.solve.subject import Subject, value_at_end
from gdl.interpreter.solve.tables import Head, Places, fill_table, new_places

_BYTES_OF_NUMBERS, _BYTES_OF_SLOT = 8, 4
_LEVELS_LOOKED_AT = 4
_BETWEEN_LOOKS = 4096
"""How many positions are gone on from before it is looked whether there are enough."""


class Stage(Enum):
    """What is being done.

    Positions are found; values, from the last one back; moves are noted where they lead to;
    values, in the order of plies; nothing any more.
    """

    ENUMERATING = "enumerating"
    BACKWARDS = "backwards"
    TURNING = "turning"
    BY_PLIES = "by plies"
    SOLVED = "solved"


class NoRoom(Exception):
    """There are more positions than there is memory for."""


class Retrograde:
    """Solves one position by all that can be reached from it.

    `stage` is what is being done; `levels` the number of positions in so many plies; `endless` how
    many are drawn because nobody can force an end (None as long as that is not known).
    """

    name = "retrograde"

    def __init__(self, subject: Subject, position: Position, memory: int) -> None:
        """Begin with a position; of `memory` bytes, nothing is taken before it is needed."""
        self.subject = subject
        self.position = position
        self.memory = memory
        self.symmetries = subject.keeping(position.state)
        self.bench = subject.bench_of(self.symmetries)
        self.graph: Graph = new_graph(memory - memory // 4, subject.words)
        self.stage = Stage.ENUMERATING
        self.endless: int | None = None
        self.levels = [0, 1]
        self._run = subject.run
        self._returns: Returns | None = None
        subject.stand_at(position.state)
        subject.call(add_first, self.graph, subject.seat.desk, self.bench)

    # ------------------------------------------------------------------ what is known

    @property
    def positions(self) -> int:
        """How many positions have been reached, with all their images."""
        return int(self.graph.state[REACHED])

    @property
    def room(self) -> int:
        """How many positions there is room for."""
        return int(self.graph.room)

    @property
    def is_solved(self) -> bool:
        """Whether all values are known."""
        return self.stage == Stage.SOLVED

    def look_up(self, position: Position) -> tuple[int, int] | None:
        """Return the value of a position for the first seat, and the plies; None if not known."""
        if position.over:
            return value_at_end(position), 0
        self.subject.stand_at(position.state)
        number = self.subject.call(find, self.graph, self.subject.seat.desk, self.bench)
        if number == NONE or self.graph.results[number] == UNKNOWN:
            return None
        result = int(self.graph.results[number])
        return result % VALUES, result // VALUES

    def estimate(self) -> float:
        """Return about how many positions there will be, by how the number of each ply grows.

        The logarithm of the growth is taken to go on falling as it did.
        """
        sizes = [b - a for a, b in pairwise(self.levels)]
        return estimated(sizes)

    # ------------------------------------------------------------------------ the work

    def work(self, clock: Clock, most: int | None = None) -> None:
        """Work until all is known, or there are `most` positions.

        Raises OutOfTime, NoRoom, RuleError where the rules fail, KeyboardInterrupt.
        """
        while self.stage != Stage.SOLVED:
            clock.keep_if_due()
            if most is not None and int(self.graph.state[USED]) >= most:
                return
            match self.stage:
                case Stage.ENUMERATING:
                    self._enumerate(clock, None if most is None else _BETWEEN_LOOKS)
                case Stage.BACKWARDS:
                    self._backwards(clock)
                case Stage.TURNING:
                    self._turn_round(clock)
                case Stage.BY_PLIES:
                    self._by_plies(clock)

    def _enumerate(self, clock: Clock, most: int | None) -> None:
        graph = self.graph
        left = self.levels[-1] - int(graph.state[NEXT])
        left = left if most is None else min(left, most)
        with clock.watching(lambda: Progress("positions found", self.positions)):
            ended = self._run(enumerate_more, graph, *self._place, left, clock=clock)
        if ended == FULL:
            raise NoRoom
        if ended == CROWDED:
            self._refuse_too_many(0)
            self.graph = graph = with_more_slots(graph)
            self._run(fill_slots, graph, self.bench, clock=clock)
        self._look_into(ended, int(graph.state[NEXT]))
        if int(graph.state[NEXT]) == self.levels[-1]:
            if int(graph.state[USED]) > self.levels[-1]:
                self.levels.append(int(graph.state[USED]))
            else:
                self.stage = Stage.BACKWARDS if graph.state[ORDERED] else Stage.TURNING

    def _refuse_too_many(self, more: int) -> None:
        """Raise NoRoom if what there is takes more than the memory, with so many bytes more."""
        graph = self.graph
        used = int(graph.state[USED]) * (8 * graph.words + _BYTES_OF_NUMBERS)
        if used + 2 * _BYTES_OF_SLOT * (graph.mask + 1) + more > self.memory:
            raise NoRoom

    def _backwards(self, clock: Clock) -> None:
        graph = self.graph
        nodes = int(graph.state[USED])
        with clock.watching(lambda: Progress("values", int(graph.state[VALUED]), nodes)):
            ended = self._run(value_backwards, graph, *self._place, nodes + 1, clock=clock)
        self._look_into(ended, nodes - int(graph.state[VALUED]) - 1)
        if ended == DONE:
            self.stage, self.endless = Stage.SOLVED, 0

    def _turn_round(self, clock: Clock) -> None:
        graph = self.graph
        nodes = int(graph.state[USED])
        if self._returns is None:
            edges = int(graph.state[EDGES])
            self._refuse_too_many(nodes * BYTES_OF_NODE + edges * BYTES_OF_RETURN)
            self._returns = new_returns(graph)
            self._run(lay_out, graph, self._returns, clock=clock)
        place = self._place
        with clock.watching(lambda: Progress("moves", int(graph.state[NEXT]), nodes)):
            ended = self._run(turn_round, graph, self._returns, *place, nodes + 1, clock=clock)
        self._look_into(ended, int(graph.state[NEXT]))
        if ended == DONE:
            self.stage = Stage.BY_PLIES

    def _by_plies(self, clock: Clock) -> None:
        graph = self.graph
        assert self._returns is not None
        desk, nodes = self.subject.seat.desk, int(graph.state[USED])
        with clock.watching(lambda: Progress("values", int(graph.state[QUEUED]), nodes)):
            ended = self._run(value_by_plies, graph, self._returns, desk, nodes + 1, clock=clock)
        if ended == DONE:
            self.endless = self._run(draw_the_rest, graph, clock=clock)
            self.stage, self._returns = Stage.SOLVED, None

    @property
    def _place(self) -> tuple[Record, ...]:
        subject = self.subject
        return subject.seat.desk, subject.binding.code, subject.binding.fields, self.bench

    def _look_into(self, ended: int, number: int) -> None:
        """Where a call failed in a position, have the reference raise what the rules raise."""
        if ended == BROKEN:
            words = self.graph.positions[number * self.graph.words :][: self.graph.words]
            self.subject.fail_at(words.tolist())

    # ------------------------------------------------------------------------- tables

    def table(self) -> tuple[Head, Places] | None:
        """Return all values as a table; None if two positions have the same key in it."""
        places = new_places(int(self.graph.state[USED]))
        if self._run(fill_table, places, self.graph, self.bench, clock=Clock()):
            return None
        return self.subject.head(self.symmetries, int(places.state[0]), is_exact=True), places


def estimated(sizes: Sequence[int]) -> float:
    """Return about how many there will be in all, of so many in each level up to now.

    >>> round(estimated([1, 9, 72, 252]))
    1231
    >>> estimated([1, 2, 4, 8, 16])
    inf
    """
    growths = [log(b / a) for a, b in pairwise(sizes) if a and b]
    growths = growths[-_LEVELS_LOOKED_AT:]
    if len(growths) < 2:
        return inf
    fall = (growths[0] - growths[-1]) / (len(growths) - 1)
    total, level, growth = float(sum(sizes)), float(sizes[-1]), growths[-1]
    if fall <= 0 and growth >= 0:
        return inf
    while level >= 1 and total < 1e18:
        growth -= fall
        level *= exp(min(growth, 50.0))
        total += level
    return total
