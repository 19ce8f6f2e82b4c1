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
from typing import Any

from gdl.data_classes import dataclass
from gdl.model import Game
from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import Evaluator, Playout, RuleError, State
from interpreter.evaluation.failures import failure_in_moves
from interpreter.evaluation.playout import Statistics
from interpreter.native.games.records import TALLY
from interpreter.native.memory import context as c
from interpreter.native.runtime.calling import Caller
from interpreter.native.runtime.compiled import CompiledGame
from interpreter.native.runtime.exchange import Exchange, World
from interpreter.native.runtime.game_records import GameRecords

_I, _Drawn = ctypes.c_int64, ctypes.c_uint64
"""Words: of a tally, and the state of a generator. What is put into one is cut to 64 bits."""
_USUAL_LIST = 4096
_MOST_REMEMBERED = 100_000


@dataclass(frozen=True)
class _Share:
    """What a thread has played until it was stopped: how the games ended, and which is the next.

    It `has_failed` if that one can't be played; it `lacks_searches` if it can be, with these.
    """

    statistics: Statistics
    next: int
    has_failed: bool = False
    lacks_searches: bool = False


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
        self._caller.ready(self._code.games)
        world = self.new_world()
        task = partial(self._played, state, chance, max_plies)
        ((made, position),) = self._caller.threads([(world, task)])
        if world.error:
            chance.state = first
            return self._after_failure(native, state, chance, max_plies, made, world)
        return Playout(made, *self._exchange.read_last(position, state, world))

    def _played(
        self, state: State, chance: Chance, max_plies: int, world: World
    ) -> tuple[int, Any]:
        """Return how many moves of a game were made, and the memory that it was played in.

        If the world has an error then, it arose after these moves.
        """
        world.make_room(min(max_plies, _MOST_REMEMBERED) + _USUAL_LIST)
        position, drawn = self._exchange.buffer(), _Drawn()
        while True:
            self._exchange.write(state, position, world)
            drawn.value = chance.state
            arguments = (position, world.memory, ctypes.byref(drawn), max_plies)
            made = self._caller.within(self._code.games, "playout", world, *arguments)
            if not self._has_brought_more(world):
                chance.state = drawn.value
                return made, position

    def _has_brought_more(self, world: World) -> bool:
        """Bring what a game lacked to go on, if it did; then it is to be played again."""
        if world.error == c.NO_SEARCHES:
            self._bring_searches(world)
            return True
        if world.error == c.PAST_IS_FULL:
            world.make_room(2 * world.room)
            return True
        return False

    def states(self, state: State, chance: Chance, max_plies: int) -> list[State]:
        """Return the states of the game that `one` plays, up to so many moves, the first too.

        Where the rules fail, and where the game ends, are the last of them.
        """
        self._caller.ready(self._code.games)
        task = partial(self._followed, state, chance, max_plies)
        (states,) = self._caller.threads([(self.new_world(), task)])
        return states

    def _followed(self, state: State, chance: Chance, max_plies: int, world: World) -> list[State]:
        """Return the states of a game, which is stopped after each move and goes on."""
        world.make_room(min(max_plies, _MOST_REMEMBERED) + _USUAL_LIST)
        position, drawn = self._exchange.buffer(), _Drawn()
        views = self._exchange.memory(self._code.written.games_in_place.views.bytes)
        while True:
            states = [state]
            self._exchange.write(state, position, world)
            drawn.value = chance.state
            for ply in range(max_plies):
                arguments = (position, world.memory, ctypes.byref(drawn), 1, views, ply)
                if not self._caller.within(self._code.games, "go_on", world, *arguments):
                    break
                states.append(self._exchange.read_last(position, states[-1], world)[1])
            if not self._has_brought_more(world):
                chance.state = drawn.value
                return states

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
        sides = self._game.sides
        statistics = Statistics(sides, len(sides))
        end = _sooner(until, self._caller.deadline)
        parts = [numbers[len(numbers) * i // threads :] for i in range(threads + 1)]
        pending = [range(one.start, other.start) for one, other in pairwise(parts)]
        while pending:
            compiled = self._code.seconds["llvm"]
            self._code.games.begin()
            self._code.improve(end)
            until = self._put_off(until, compiled)
            end = _sooner(until, self._caller.deadline)
            tasks = [
                (self.new_world(), self._share(state, part, seed, max_plies, records))
                for part in pending
            ]
            shares = self._caller.threads(tasks, _sooner(until, self._code.turning_point(end)))
            rest = []
            for share, part in zip(shares, pending, strict=True):
                statistics.include(share.statistics)
                if share.lacks_searches:
                    compiled = self._code.seconds["llvm"]
                    self._code.calls.begin()
                    until = self._put_off(until, compiled)
                if share.has_failed:
                    chance = Chance(seed, share.next)
                    one = self.one(native, state, chance, max_plies)
                    statistics.add(one)
                    if records is not None:
                        records.write(share.next, one, sides)
                rest.append(range(share.next + share.has_failed, part.stop))
            is_over = until is not None and time.monotonic() >= until
            pending = [] if is_over else [part for part in rest if part]
        return statistics

    def _put_off(self, until: float | None, compiled: float) -> float | None:
        """Return a moment, later by what was compiled since so many seconds were."""
        return None if until is None else until + self._code.seconds["llvm"] - compiled

    def _share(
        self,
        state: State,
        part: range,
        seed: int,
        max_plies: int,
        records: GameRecords | None,
    ) -> Callable[[World], _Share]:
        """Return the function that plays the games of these numbers, until one fails."""

        def play(world: World) -> _Share:
            tally = (_I * (len(TALLY) + 3 * len(self._game.sides)))()
            tally[TALLY.index("shortest")] = (1 << 63) - 1
            position = self._exchange.buffer()
            number = part.start
            while number < part.stop:
                self._exchange.write(state, position, world)
                rows = None if records is None else records.row(number)
                arguments = (number, part.stop - number, seed, max_plies, tally, rows)
                number += self._caller.within(
                    self._code.games, "playouts", world, position, world.memory, *arguments
                )
                if world.error == c.PAST_IS_FULL:
                    world.make_room(2 * world.room)
                elif world.error:
                    lacks_searches = world.error == c.NO_SEARCHES
                    has_failed = not lacks_searches and world.error != c.STOPPED
                    return _Share(self._statistics(tally), number, has_failed, lacks_searches)
            return _Share(self._statistics(tally), number)

        return play

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
