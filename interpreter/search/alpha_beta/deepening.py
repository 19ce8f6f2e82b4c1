"""Iterative deepening: alpha-beta for one move ahead, then two, and so on until time is up.

In: positions of a game of two sides in which nothing is hidden and nothing left to chance. Out: an
`Analysis` of each. What then holds: on one thread, the same positions and numbers of iterations
give the same analyses; what is told as proven is true.

An *iteration* judges one position, as it does in tree search.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from math import exp, log

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.exchange import World
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position
from gdl.interpreter.search.alpha_beta.arena import (
    ABORTED,
    BROKE_AT,
    DRAWN,
    JUDGED,
    LIMIT,
    MOST_PLIES,
    OPEN,
    WHOLE,
    WON,
    Walk,
    new_walk,
)
from gdl.interpreter.search.alpha_beta.judging import new_judge
from gdl.interpreter.search.alpha_beta.ordering import fade
from gdl.interpreter.search.alpha_beta.search import (
    INFINITE,
    SURE,
    WIN,
    best_at_root,
    moves_of_root,
    take_root,
    value_of_move,
)
from gdl.interpreter.search.alpha_beta.transpositions import new_table, spread_out, widened
from gdl.interpreter.search.analysis import Analysis, MoveAnalysis
from gdl.interpreter.search.binding import Binding, Seat
from gdl.interpreter.search.evaluation.estimate import Estimate
from gdl.interpreter.search.evaluation.row_worth import UNITS
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.model import Game

DEEPEST = 120
"""How many moves ahead is searched at most."""
_ENDLESS = 1 << 60
_NOT_BELOW = 1e-6
ARENA_PART = 8
"""Which part of the memory positions on the way have; the table has most of the rest."""
_SOON = 4000
"""How many iterations take but a moment, for which no thread is begun."""
_LONGEST_LINE = 12
_MOST_EXACT = 3
"""Of how many moves the values are found out, if lines are asked for: each costs time."""


def serves(game: Game, binding: Binding) -> bool:
    """Return whether a game is one that alpha-beta can play."""
    is_known = not (game.hides or game.program.has_chance or binding.payoff_unit)
    return len(game.sides) == 2 and is_known


@dataclass
class _Root:
    """What is known of a move: its value in the last search, or a bound that it does not pass."""

    number: int
    value: int
    is_bound: bool = False
    is_whole: bool = False
    judged: int = 0
    depth: int = 0

    @property
    def rank(self) -> tuple[bool, int, int, bool]:
        """What it is ordered by: one that is certain to lose comes behind all that are not.

        A search may be stopped when it has found that of the move which was the best so far.
        """
        is_lost = self.value <= -SURE
        return not is_lost, 0 if is_lost else self.depth, self.value, not self.is_bound

    @property
    def bounds(self) -> tuple[float, float]:
        """What is certain of its value, as it is told."""
        is_exact = not self.is_bound and (self.is_whole or self.value >= SURE)
        if is_exact or self.value <= -SURE:
            return (_chances(self.value),) * 2
        return (0.0, 0.5) if self.is_whole and self.value <= 0 else (0.0, 1.0)


class Deepening:
    """Searches for the best moves of one game, with memory that is kept between positions."""

    def __init__(
        self,
        native: NativeRules,
        binding: Binding,
        estimate: Estimate,
        memory: int,
        *,
        threads: int = 1,
        prunes: bool = True,
    ) -> None:
        """Prepare to search with so many bytes; positions are judged by an estimate.

        Without `prunes`, nothing is left out, and no way is longer than others. With several
        `threads`, those beside the first search the same for what they leave in the table, every
        other one a move deeper (such a search is known as lazy SMP).
        """
        self._native = native
        self._binding = binding
        self._judge = new_judge(estimate, binding.told_apart, binding.kinds)
        arena = memory // (ARENA_PART + threads - 1)
        sizes = arena, binding.frame_bytes, binding.follower_bytes
        self._walks = [new_walk(*sizes, prunes=prunes) for _ in range(threads)]
        self._walk = self._walks[0]
        self._table_bytes = memory - threads * arena
        self._compiled = _compiled()
        self.forget()

    def numbers_from_best(self) -> list[int]:
        """Return the numbers of the moves of the last position, from best to worst."""
        return [root.number for root in self._roots]

    def forget(self) -> None:
        """Forget all that was found out."""
        self._table = new_table(self._table_bytes)
        self._state: State | None = None
        self._roots: list[_Root] = []
        for walk in self._walks:
            self._compiled(fade, walk, 0)
            for n in range(len(walk.state)):
                walk.state[n] = 0

    def analyse(
        self,
        position: Position,
        *,
        seconds: float | None,
        iterations: int | None,
        lines: int = 0,
        slack: float = 0.0,
        deepest: int = DEEPEST,
    ) -> Analysis:
        """Return what is found out within so many seconds or iterations, and `deepest` moves.

        The values of some of the best moves are told, if `lines` are to be, and of those that are
        worse by `slack` at most; of the others just that they are no better. Raises RuleError.
        """
        begun = time.perf_counter()
        until = None if seconds is None else time.monotonic() + seconds
        is_soon = iterations is not None and iterations <= _SOON and until is None
        walks = self._walks[:1] if is_soon else self._walks
        seats = [self._binding.seat(position.state, 0, n, MOST_PLIES) for n in range(len(walks))]
        self._begin(iterations, len(walks))
        roots: list[_Root] = []
        want = max(1, min(lines, _MOST_EXACT))
        is_alone = until is None and len(walks) == 1

        def open_root() -> None:
            found = list(self._opened(self._walk, seats[0]))
            roots.extend(self._roots if position.state == self._state and found else found)
            if is_alone:
                deepen()

        def deepen() -> None:
            if roots and _has_more(self._walk):
                self._deepen(self._walk, seats[0], roots, want, slack, deepest)
            for seat in seats[1:]:
                seat.world.stop()

        def help_out(number: int) -> None:
            walk, seat = walks[number], seats[number]
            theirs = list(self._opened(walk, seat))
            if theirs and _has_more(walk):
                head_start = min(root.depth for root in roots) + number % 2
                self._deepen(walk, seat, theirs, want, slack, deepest, head_start)

        self._run(walks, seats, position.state, [open_root], is_soon=is_soon)
        if not is_alone and roots:
            helpers = [partial(help_out, number) for number in range(1, len(walks))]
            self._run(walks, seats, position.state, [deepen, *helpers], until)
        if not roots:
            # There was not even room for the positions after this one.
            roots = [_Root(number, 0) for number in range(len(self._native.legal(position.state)))]
        roots.sort(key=lambda root: root.rank, reverse=True)
        self._state, self._roots = position.state, roots
        return self._told(position, roots, lines, self.judged, time.perf_counter() - begun)

    @property
    def judged(self) -> int:
        """How many positions were judged since a search began, also one that was interrupted."""
        return sum(int(walk.state[JUDGED]) for walk in self._walks)

    # ------------------------------------------------------------------ native work

    def _begin(self, iterations: int | None, threads: int) -> None:
        """Begin a search of another position."""
        self._table.age[0] += 1
        for walk in self._walks:
            self._compiled(fade, walk, 2)
            walk.state[JUDGED] = walk.state[ABORTED] = 0
            walk.state[LIMIT] = _ENDLESS if iterations is None else -(-iterations // threads)

    def _run(
        self,
        walks: Sequence[Walk],
        seats: Sequence[Seat],
        state: State,
        works: Sequence[Callable[[], None]],
        until: float | None = None,
        *,
        is_soon: bool = False,
    ) -> None:
        """Work in threads of their own, unless it is soon done. Raises RuleError for failing rules.

        A thread of its own has enough of the stack, and can be interrupted.
        """

        users = self._binding.compiled.users

        def task(work: Callable[[], None]) -> Callable[[World], None]:
            return lambda _: users.call(work)

        caller = self._binding.caller
        tasks = [(seat.world, task(work)) for seat, work in zip(seats, works, strict=False)]
        if is_soon and caller.is_short:
            for world, run in tasks:
                run(world)
        else:
            caller.threads(tasks, until)
        for walk, seat in zip(walks, seats, strict=True):
            if seat.world.error not in (0, w.STOPPED):
                self._look_into(walk, state)
            seat.world.clear()

    def _look_into(self, walk: Walk, state: State) -> None:
        """Play again what native code failed in: raises RuleError if it is the rules that fail."""
        made: list[str] = []
        try:
            for ply in range(int(walk.state[BROKE_AT])):
                number = int(walk.path[ply + 1] - walk.begins[ply])
                move = self._native.legal(state)[number]
                state = self._native.apply(state, move)
                made.append(move.text)
            for move in self._native.legal(state):
                self._native.apply(state, move)
        except RuleError as problem:
            moves = (*made, *(problem.moves or ()))
            raise RuleError(problem.diagnostic, moves, problem.move) from None

    def _opened(self, walk: Walk, seat: Seat) -> Iterator[_Root]:
        """Yield the moves of a position, each with its value at first sight."""
        binding = self._binding
        self._compiled(take_root, walk, self._judge, seat.desk, binding.fields)
        records = walk, self._judge, seat.desk, binding.code, binding.fields
        count = self._compiled(moves_of_root, *records)
        is_first = walk.seats[0] == 0
        for number in range(count):
            value = int(walk.values[number + 1])
            root = _Root(number, max(1 - SURE, min(SURE - 1, value if is_first else -value)))
            result = walk.results[number + 1]
            if result != OPEN:
                root.value = 0 if result == DRAWN else WIN - 1
                root.value *= 1 if (result == WON) == is_first else -1
                root.is_whole = True
            yield root

    def _deepen(
        self,
        walk: Walk,
        seat: Seat,
        roots: list[_Root],
        want: int,
        slack: float,
        deepest: int,
        head_start: int = 0,
    ) -> None:
        """Search deeper and deeper, until all is settled or the search is stopped.

        What was searched before is gone on with, at the depth that was reached, or `head_start`
        deeper.
        """
        reached = min(root.depth for root in roots) + head_start
        for depth in range(max(1, min(reached, deepest)), deepest + 1):
            roots.sort(key=lambda root: root.rank, reverse=True)
            exact: list[int] = []
            for root in roots:
                floor = _floor(sorted(exact, reverse=True), want, slack)
                if not self._search(walk, seat, root, depth, floor):
                    return
                if not root.is_bound:
                    exact.append(root.value)
            if max(exact) >= SURE or max(exact) <= -SURE or all(root.is_whole for root in roots):
                return

    def _search(self, walk: Walk, seat: Seat, root: _Root, depth: int, floor: int) -> bool:
        """Search a move of the root; return whether that came to its end."""
        binding = self._binding
        before = int(walk.state[JUDGED])
        value = self._compiled(
            value_of_move,
            *(walk, self._judge, self._table),
            *(root.number + 1, depth, floor),
            *(seat.desk, binding.code, binding.fields),
        )
        root.judged += int(walk.state[JUDGED]) - before
        if walk is self._walk:
            self._table = widened(self._table, self._compiled)
        if walk.state[ABORTED]:
            return False
        root.value, root.is_bound, root.depth = value, value <= floor, depth
        root.is_whole = bool(walk.state[WHOLE])
        return True

    # ------------------------------------------------------------- what was found out

    def _told(
        self, position: Position, roots: list[_Root], lines: int, judged: int, seconds: float
    ) -> Analysis:
        legal = self._native.legal(position.state)
        moves = []
        for rank, root in enumerate(roots):
            move = legal[root.number]
            line: tuple[Move, ...] = (move,)
            if rank < lines:
                line += tuple(self._line(self._native.apply(position.state, move)))
            low, high = root.bounds
            plies = WIN - abs(root.value) if low == high != 0.5 else None
            value = _chances(root.value)
            known = value, root.bounds, plies, line, root.is_bound, root.depth
            moves.append(MoveAnalysis(move, root.judged, *known))
        best = moves[0].value if moves else 0.5
        seats = {side: position.seat_of(side) for side in position.rules.sides}
        values = {side: best if at == position.seat else 1 - best for side, at in seats.items()}
        return Analysis(
            position, judged, seconds, values, tuple(moves), depth=roots[0].depth if roots else 0
        )

    def _line(self, state: State) -> Iterator[Move]:
        """Yield the moves that are likely to follow a position, as far as they are remembered."""
        binding = self._binding
        for _ in range(_LONGEST_LINE):
            if state.ended is not None:
                return
            seat = binding.seat(state, 0, 0, 1)
            self._compiled(take_root, self._walk, self._judge, seat.desk, binding.fields)
            number = self._compiled(best_at_root, self._walk, self._judge, self._table)
            legal = self._native.legal(state)
            if not 0 <= number < len(legal):
                return
            yield legal[number]
            state = self._native.apply(state, legal[number])


def _has_more(walk: Walk) -> bool:
    """Return whether a search may go on."""
    return not walk.state[ABORTED] and walk.state[JUDGED] < walk.state[LIMIT]


def _floor(exact: Sequence[int], want: int, slack: float) -> int:
    """Return up to which value a move need not be known; values are known, the best first."""
    if len(exact) < want:
        return -INFINITE
    least = _chances(exact[0]) - slack
    if not slack or exact[0] >= SURE:
        return exact[want - 1]
    if least <= _NOT_BELOW:
        return -INFINITE
    return min(exact[want - 1], int(UNITS * log(least / (1 - least))) - 1)


def _chances(value: int) -> float:
    """Return a value as it is told: from 0 to 1."""
    if abs(value) >= SURE:
        return float(value > 0)
    return 1 / (1 + exp(-value / UNITS)) if value > -600 * UNITS else 0.0


FUNCTIONS = take_root, moves_of_root, value_of_move, best_at_root, fade, spread_out
"""The functions of alpha-beta that are called from outside of them."""


@cache
def _compiled() -> Compiled:
    """Return the search as machine code: the same for all games."""
    return Compiled(*FUNCTIONS)
