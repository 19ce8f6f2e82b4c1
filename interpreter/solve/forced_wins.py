"""Wins that can be forced within so many plies: exact, and for more games than can be solved.

In: rules of one side or two, with nothing hidden; a position. Out: a `Solution`, or nothing where
that is not known so soon. What then holds: plies are those of the quickest win against the longest
defence, whatever chance does. It serves where a game is too large to be solved, where chance
decides, and where rules ask for earlier positions.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence

from gdl.diagnostic import whole_number
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.machine.instructions import Record
from gdl.interpreter.solve.clock import Clock, Progress, Tell, refuse_no_time
from gdl.interpreter.solve.forced import (
    ABORTED,
    BROKE_AT,
    CROWDED,
    LOOKED,
    MOST_PLIES,
    OPEN,
    Ways,
    find_forced,
    new_ways,
    open_ways,
)
from gdl.interpreter.solve.retrograde import NoRoom
from gdl.interpreter.solve.solution import Result, Solution, SolvedMove, ranked
from gdl.interpreter.solve.subject import Subject, value_at_end
from gdl.interpreter.solve.workspace import DRAWN, LOST, WON
from gdl.model import Game

_USUAL_MEMORY = 1 << 28


class ForcedWins:
    """Looks for wins that can be forced in positions of one game."""

    name = "plies"

    def __init__(
        self,
        rules: Rules | Game,
        *,
        memory: int = _USUAL_MEMORY,
        tell: Tell | None = None,
        engine: Engine | None = None,
        native: NativeRules | None = None,
    ) -> None:
        """Compile the game, unless an engine has or it is `native`, and take so many bytes.

        With `native` code, what is looked for is little: it is compiled no better than it is.
        `tell` is called with the progress. Raises GameError (`not-solvable`, `not-native`).
        """
        self.subject = Subject(
            rules, with_symmetries=False, engine=engine, native=native, is_exact=False
        )
        binding, program = self.subject.binding, self.subject.rules.game.program
        self._ways: Ways = new_ways(
            memory,
            binding.frame_bytes,
            binding.follower_bytes,
            may_be_stuck=any(turn.stuck for turn in program.turns),
            are_compared=program.system.best is not None,
        )
        self._tell = tell

    @property
    def positions(self) -> int:
        """How many positions were looked at since the last one was asked for."""
        return int(self._ways.state[LOOKED])

    def solve(
        self, position: Position, plies: int, *, seconds: float | None = None
    ) -> Solution | None:
        """Return what a position is worth, if that is certain after so many plies at most.

        Raises OutOfTime, NoRoom, RuleError where the rules fail, KeyboardInterrupt, and ValueError
        for more plies than are looked ahead (`MOST_PLIES`), for no time, and for a position of
        another game.
        """
        self.subject.rules.state_of(position)
        refuse_no_time(seconds)
        if whole_number("plies", plies, 0) > MOST_PLIES:
            raise ValueError(f"no more than {MOST_PLIES} plies are looked ahead")
        clock = Clock(seconds, self._tell)
        self._ways.state[LOOKED] = 0
        with clock.watching(lambda: Progress("positions looked at", self.positions)):
            found = self._found(position, plies, clock)
            if found is None:
                return None
            result, moves = found
            line = tuple(self._line(position, result, moves, clock))
        return Solution(
            position=position,
            result=result,
            moves=moves,
            line=line,
            method=self.name,
            positions=self.positions,
            symmetries=1,
            is_shortest=True,
            endless=0,
            seconds=clock.seconds,
        )

    def quickest(
        self,
        position: Position,
        plies: int,
        *,
        seconds: float | None = None,
        first: Sequence[int] = (),
    ) -> SolvedMove | None:
        """Return a move that begins the quickest win of the side on turn, of so many plies.

        What else is certain is not looked for. The moves with the numbers in `first` are tried
        before the others. Raises as `solve` does.
        """
        self.subject.rules.state_of(position)
        clock = Clock(seconds, self._tell)
        with clock.watching(lambda: Progress("positions looked at", self.positions)):
            found = self._known(position, plies, clock, with_losses=False, first=first)
        is_won = found and found[0].result.for_seat(position.seat or 1) == 1
        return found[0] if is_won else None

    def known(
        self, position: Position, plies: int, *, seconds: float | None = None
    ) -> tuple[SolvedMove, ...]:
        """Return the moves whose worth is certain after so many plies at most, the best first.

        Raises as `solve` does.
        """
        clock = Clock(seconds, self._tell)
        with clock.watching(lambda: Progress("positions looked at", self.positions)):
            return self._known(position, plies, clock)

    def _known(
        self,
        position: Position,
        plies: int,
        clock: Clock,
        *,
        with_losses: bool = True,
        first: Sequence[int] = (),
    ) -> tuple[SolvedMove, ...]:
        """Return the moves whose worth is certain after so many plies at most, the best first.

        Where there is a win, and losses are not looked for, it is one of the quickest.
        """
        if position.over:
            return ()
        seat = position.seat or 1
        win = None if position.seat is None else WON if seat == 1 else LOST
        goals = {WON: 0, LOST: 1} if self.subject.binding.seats > 1 else {WON: 0}
        is_one_enough = not with_losses and win is not None
        if is_one_enough:
            goals = {value: goal for value, goal in goals.items() if value == win}
        values = self._values(position, plies, goals, win, clock, is_one_enough, first)
        moves = self.subject.native.legal(position.state)
        told = [SolvedMove(moves[n], self.subject.result(*value)) for n, value in values.items()]
        return ranked(told, seat)

    def _found(
        self, position: Position, plies: int, clock: Clock
    ) -> tuple[Result, tuple[SolvedMove, ...]] | None:
        """Return what a position is worth, and which moves are known to lead where."""
        if position.over:
            return self.subject.result(value_at_end(position), 0), ()
        by_chance = position.seat is None
        known = self._known(position, plies, clock)
        is_won = not by_chance and known and known[0].result.for_seat(position.seat or 1) == 1
        if not is_won and len(known) < len(self.subject.native.legal(position.state)):
            return None
        if by_chance and len({one.result.value for one in known}) > 1:
            return None
        best = max(known, key=lambda one: one.result.plies or 0) if by_chance else known[0]
        return best.result, known

    def _values(
        self,
        position: Position,
        plies: int,
        goals: Mapping[int, int],
        win: int | None,
        clock: Clock,
        is_one_enough: bool,
        first: Sequence[int],
    ) -> dict[int, tuple[int, int]]:
        """Return the value of each move for the first seat, and its plies, as far as is known.

        Values that are looked for are those of `goals`, with the seat whose aim each is. It is
        looked no further ahead than the quickest win, which has the value `win`, or until one is
        found if that `is_one_enough`.
        """
        subject, ways = self.subject, self._ways
        subject.begin_at(position.state, MOST_PLIES)
        rules = subject.seat.desk, subject.binding.code, subject.binding.fields, subject.bench
        moves = self._run(position, clock, open_ways, ways, *rules)
        in_order = dict.fromkeys((*first, *range(moves)))
        ways.order[:moves] = memoryview(array("q", in_order))
        values: dict[int, tuple[int, int]] = {}

        def note(ply: int) -> None:
            for number, value in enumerate(ways.found[:moves].tolist()):
                if value != OPEN:
                    values.setdefault(number, (value, ply))

        note(1)
        for ply in range(2, plies + 1):
            if len(values) == moves or any(value == win for value, _ in values.values()):
                break
            for value, goal in goals.items():
                asked = moves, goal, value, ply - 1, int(is_one_enough)
                self._run(position, clock, find_forced, ways, *asked, *rules)
            note(ply)
        return values

    def _run(
        self,
        position: Position,
        clock: Clock,
        function: Callable[..., int],
        *arguments: Record | int,
    ) -> int:
        """Call a native function. Raises what the rules raise where they fail."""
        found = self.subject.run(function, *arguments, clock=clock)
        state = self._ways.state
        if state[CROWDED]:
            state[CROWDED] = 0
            raise NoRoom
        if state[ABORTED]:
            self.subject.fail_after(position.state, self._ways.path[: int(state[BROKE_AT])])
        return found

    def _line(
        self, position: Position, result: Result, moves: tuple[SolvedMove, ...], clock: Clock
    ) -> Iterator[Move]:
        """Yield the moves of a game that is played well, to its end if somebody wins it."""
        while moves and result.value != DRAWN / WON:
            best = next(one for one in moves if one.result == result)
            yield best.move
            position = position.play(best.move)
            found = self._found(position, (result.plies or 0) - 1, clock)
            assert found is not None, "what a win leads to is won"
            result, moves = found
