"""Random games by native code, on threads; where it fails, by the reference interpreter.

In: a state, and random numbers. Out: games, or how many of them ended how. What then holds: a game
with a number depends on the seed and that number alone. Where the rules fail, the error tells the
moves that lead there. The reference works in the thread that asks, so that it can be interrupted.
"""

from __future__ import annotations

import ctypes
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from gdl.data_classes import dataclass
from gdl.model import Game
from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import Evaluator, Playout, RuleError, State
from interpreter.evaluation.failures import failure_in_moves
from interpreter.evaluation.playout import Statistics
from interpreter.native.games.tallies import TALLY
from interpreter.native.memory import context as c
from interpreter.native.runtime.calling import Caller
from interpreter.native.runtime.compiled import CompiledGame
from interpreter.native.runtime.exchange import Exchange, World
from interpreter.native.runtime.game_records import GameRecords

_I, _Drawn = ctypes.c_int64, ctypes.c_uint64
"""Words: of a tally, and the state of a generator. What is put into one is cut to 64 bits."""
_USUAL_LIST = 4096
_MOST_REMEMBERED = 100_000

Result = TypeVar("Result")


@dataclass(frozen=True)
class _Share:
    """What a thread has played: how games ended, the number of the next, and why that is not done.

    `error` is that of the thread's world; 0 if all has been played.
    """

    statistics: Statistics
    next: int
    error: int


class RandomGames:
    """Plays random games of a game with its `code`; `reference` plays what that can't."""

    def __init__(
        self,
        game: Game,
        code: CompiledGame,
        exchange: Exchange,
        caller: Caller,
        reference: Evaluator,
    ) -> None:
        self._game = game
        self._code = code
        self._exchange = exchange
        self._caller = caller
        self._reference = reference

    def new_world(self) -> World:
        """Return a world for a thread."""
        world = self._exchange.world()
        if self._code.calls.is_compiled:
            self._bring_searches(world)
        return world

    def _bring_searches(self, world: World) -> None:
        """Compile what random games need for moves that have to be searched for."""
        with self._code.users:
            calls = self._code.calls
            world.bring_searches({name: calls.address(name) for name in c.OUTSIDE})

    # --------------------------------------------------------------------- one game

    def one(self, native: Evaluator, state: State, chance: Chance, max_plies: int) -> Playout:
        """Play equally likely legal moves to the end, or until `max_plies` are made.

        Raises RuleError, with the moves that lead to it as the `native` evaluator finds them.
        """
        first = chance.state

        def play(world: World, position: Any, drawn: Any) -> tuple[int, Any]:
            arguments = (position, world.memory, drawn, max_plies)
            return self._caller.within(self._code.games, "playout", world, *arguments), position

        world, (made, position) = self._played(play, state, chance, max_plies)
        if world.error:
            chance.state = first
            return self._after_failure(native, state, chance, max_plies, made, world)
        return Playout(made, *self._exchange.read_last(position, state, world))

    def states(self, state: State, chance: Chance, max_plies: int) -> list[State]:
        """Return the states of the game that `one` plays, up to so many moves, the first too.

        Where the rules fail, and where the game ends, are the last of them.
        """
        views = self._exchange.memory(self._code.written.games_in_place.views.bytes)

        def play(world: World, position: Any, drawn: Any) -> list[State]:
            """Stop the game after each move, and go on with it."""
            states = [state]
            for ply in range(max_plies):
                arguments = (position, world.memory, drawn, 1, views, ply)
                if not self._caller.within(self._code.games, "go_on", world, *arguments):
                    break
                states.append(self._exchange.read_last(position, states[-1], world)[1])
            return states

        return self._played(play, state, chance, max_plies)[1]

    def _played(
        self,
        play: Callable[[World, Any, Any], Result],
        state: State,
        chance: Chance,
        max_plies: int,
    ) -> tuple[World, Result]:
        """Return what comes of a game in a world, and that world, which has an error if it failed.

        It is played with a position and the state of a generator; and again, if it lacked something
        to go on.
        """

        def task(world: World) -> Result:
            world.make_room(min(max_plies, _MOST_REMEMBERED) + _USUAL_LIST)
            position, drawn = self._exchange.buffer(), _Drawn()
            while True:
                self._exchange.write(state, position, world)
                drawn.value = chance.state
                result = play(world, position, ctypes.byref(drawn))
                if world.error == c.NO_SEARCHES:
                    self._bring_searches(world)
                elif world.error == c.PAST_IS_FULL:
                    world.make_room(2 * world.room)
                else:
                    chance.state = drawn.value
                    return result

        self._caller.ready(self._code.games)
        world = self.new_world()
        (result,) = self._caller.threads([(world, task)])
        return world, result

    def _after_failure(
        self,
        native: Evaluator,
        state: State,
        chance: Chance,
        max_plies: int,
        made: int,
        failed: World,
    ) -> Playout:
        """Return a game of which native code can't make a move after some others.

        Raises RuleError, with the moves, if it is the rules that fail there.
        """
        states = self.states(state, chance, made)
        try:
            self._caller.refuse_long(failed)
            if made < max_plies:
                failure = failure_in_moves(self._reference, states[-1])
                if failure is not None:
                    raise failure
            rest = self._reference.playout(states[-1], chance, max_plies - made)
        except RuleError as problem:
            moves = _moves(native, states)
            if len(moves) < len(states) - 1:
                raise RuleError(problem.diagnostic, moves) from None
            after = (*moves, *(problem.moves or ()))
            raise RuleError(problem.diagnostic, after, problem.move) from None
        return Playout(made + rest.moves, rest.outcome, rest.state)

    # ------------------------------------------------------------------- many games

    def all_of(
        self,
        native: Evaluator,
        state: State,
        numbers: range,
        seed: int,
        max_plies: int,
        threads: int,
        until: float | None,
        records: GameRecords | None,
    ) -> Statistics:
        """Play the games of a seed that have these numbers; tell how they ended.

        What each came to is put into the `records`, if there are some. At the moment `until` the
        games that have ended are told; what is compiled meanwhile puts it off. Raises RuleError as
        for one game.
        """
        statistics = Statistics(self._game.sides, len(self._game.sides))
        compiled = self._code.seconds["llvm"]

        def end() -> float | None:
            """Return the moment `until`, later by what was compiled since."""
            return None if until is None else until + self._code.seconds["llvm"] - compiled

        parts = [numbers[len(numbers) * i // threads :] for i in range(threads + 1)]
        pending = [range(one.start, other.start) for one, other in pairwise(parts)]
        while pending:
            self._code.games.begin()
            self._code.improve(_sooner(end(), self._caller.deadline))
            better = self._code.turning_point(_sooner(end(), self._caller.deadline))
            tasks = [
                (self.new_world(), partial(self._share, state, part, seed, max_plies, records))
                for part in pending
            ]
            shares = self._caller.threads(tasks, _sooner(end(), better))
            rest = []
            for share, part in zip(shares, pending, strict=True):
                statistics.include(share.statistics)
                following = share.next
                if share.error == c.NO_SEARCHES:
                    self._code.calls.begin()
                elif share.error not in (0, c.STOPPED):
                    one = self.one(native, state, Chance(seed, following), max_plies)
                    statistics.add(one)
                    if records is not None:
                        records.write(following, one, self._game.sides)
                    following += 1
                rest.append(range(following, part.stop))
            last = end()
            is_over = last is not None and time.monotonic() >= last
            pending = [] if is_over else [part for part in rest if part]
        return statistics

    def _share(
        self,
        state: State,
        part: range,
        seed: int,
        max_plies: int,
        records: GameRecords | None,
        world: World,
    ) -> _Share:
        """Play the games of these numbers in a world, until one fails."""
        tally = (_I * (len(TALLY) + 3 * len(self._game.sides)))()
        tally[TALLY.index("shortest")] = (1 << 63) - 1
        position = self._exchange.buffer()
        number = part.start
        while number < part.stop and world.error in (0, c.PAST_IS_FULL):
            if world.error:
                world.make_room(2 * world.room)
            self._exchange.write(state, position, world)
            rows = None if records is None else records.row(number)
            arguments = (number, part.stop - number, seed, max_plies, tally, rows)
            number += self._caller.within(
                self._code.games, "playouts", world, position, world.memory, *arguments
            )
        return _Share(self._statistics(tally), number, world.error)

    def _statistics(self, tally: Any) -> Statistics:
        """Return what a tally tells."""
        sides = self._game.sides
        known = dict(zip(TALLY, tally, strict=False))
        if not known["playouts"]:
            return Statistics(sides, len(sides))
        first_seat, payoffs_at = len(TALLY) + len(sides), len(TALLY) + 2 * len(sides)
        by_side, by_seat = tally[len(TALLY) : first_seat], tally[first_seat:payoffs_at]
        layout = self._code.written.layout
        sums = (ctypes.c_double * len(sides)).from_buffer(tally, ctypes.sizeof(_I) * payoffs_at)
        payoffs = [one / layout.payoff_unit for one in sums] if layout.payoffs else []
        return Statistics(
            sides,
            len(sides),
            **known,
            by_side=Counter(dict(zip(sides, by_side, strict=True))),
            by_seat=Counter(dict(enumerate(by_seat, 1))),
            payoffs=dict(zip(sides, payoffs, strict=False)),
        )


def _sooner(one: float | None, other: float | None) -> float | None:
    """Return the sooner of two moments, of those that there are."""
    return min((moment for moment in (one, other) if moment is not None), default=None)


def _moves(native: Evaluator, states: Sequence[State]) -> tuple[str, ...]:
    """Return moves that lead from each state to the next, as far as they can be told."""
    found = []
    for before, after in pairwise(states):
        try:
            moves = native.legal(before)
            told = (m for m in moves if native.apply(before, m).values == after.values)
            found.append(next(told).text)
        except (RuleError, StopIteration):
            break
    return tuple(found)
