"""Random games by native code, on threads; where it fails, by the reference interpreter.

In: a state, and random numbers. Out: games, or how many of them ended how, and what each of them
came to, a row of numbers a game. What then holds: a game with a number depends on the seed and that
number alone. Where the rules fail, the error tells the moves that lead there. The reference works
in the thread that asks, so that it can be interrupted.
"""

from __future__ import annotations

import ctypes
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise, starmap
from typing import Any, TypeVar, Unpack

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import (
    Playout,
    RuleError,
    State,
    failure_in_moves,
    moves_between,
)
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.evaluation.playout import Statistics
from gdl.interpreter.native.games.records import (
    MOVES,
    PAYOFFS,
    SEATS,
    SIDES,
    TALLY,
    UNFINISHED,
    row_words,
)
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.memory.frame import FrameLayout
from gdl.interpreter.native.runtime.calling import Caller
from gdl.interpreter.native.runtime.compiled import CompiledGame, Options, Part
from gdl.interpreter.native.runtime.exchange import Exchange, Memory, World
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.model import Game, OfAGame, game_of

_WORD_BYTES = ctypes.sizeof(ctypes.c_int64)
_USUAL_LIST = 4096
_MOST_REMEMBERED = 100_000
_MOST_PLIES = 1 << 62
"""How long a random game may be at most: all that is more means the same."""

Result = TypeVar("Result")


class GameRecords:
    """What each of the games with these `numbers` came to: `memory` has a row of words for each.

    A row has `width` words (i64), filled by native code, or told a game played by the reference.
    Payoffs in a row are so many times what the rules say as `payoff_unit` tells.
    """

    def __init__(self, layout: FrameLayout, numbers: range, place: Memory) -> None:
        """Take the memory, of a place for it. Raises MemoryError."""
        self.numbers = numbers
        self.width = row_words(layout)
        self.payoff_unit = layout.payoff_unit
        self.memory = place.words(self.width * len(numbers))
        self._place = place

    def row(self, number: int) -> Any:
        """Return where the row of a game lies, as native code takes it."""
        return self._place.within(self.memory, _WORD_BYTES * self._begin(number))

    def _begin(self, number: int) -> int:
        return self.width * (number - self.numbers.start)

    def write(self, number: int, playout: Playout, sides: tuple[str, ...]) -> None:
        """Fill the row of a game that was played in another way."""
        outcome = playout.outcome
        row = {MOVES: playout.moves, SIDES: UNFINISHED, SEATS: UNFINISHED}
        if outcome is not None:
            row[SIDES] = sum(1 << sides.index(side) for side in outcome.winners)
            row[SEATS] = sum(1 << seat - 1 for seat in outcome.seats)
            row |= enumerate((int(one * self.payoff_unit) for one in outcome.payoffs), PAYOFFS)
        for place, value in row.items():
            self.memory[self._begin(number) + place] = value


@dataclass(frozen=True)
class _Share:
    """What a thread has played: how games ended, the number of the next, and why that is not done.

    `error` is that of the thread's world; 0 if all has been played.
    """

    statistics: Statistics
    next: int
    error: int


class RandomGames(ABC):
    """Plays random games of a game with its `code`; `reference` plays what that can't."""

    compiled: type[CompiledGame] = CompiledGame
    """What makes the code."""

    def __init__(self, given: Game | OfAGame, /, **options: Unpack[Options]) -> None:
        """Write the code for a game, or for that of its rules.

        Raises Uncovered where there is no native code for a construct, TypeError for what is no
        game.
        """
        game = self.game = game_of(given)
        self.reference = ReferenceRules(game)
        self.code = self._compiled(game, **options)
        self._exchange = Exchange(game, self.code.written, self.code.memory)
        self._caller = Caller(self.code)
        self._options = options

    def _compiled(self, game: Game, **options: Unpack[Options]) -> CompiledGame:
        return self.compiled(game, **options)

    @abstractmethod
    def legal(self, state: State) -> Sequence[Move]:
        """Return the legal moves, ordered by decisions; none when the game is over."""

    @abstractmethod
    def apply(self, state: State, move: Move) -> State:
        """Return the state after a legal move; raises ValueError for one that can't be made."""

    def new_world(self) -> World:
        """Return a world for a thread."""
        world = self._exchange.world()
        if self.code.calls.is_compiled:
            self._bring_searches(world)
        return world

    def _bring_searches(self, world: World) -> None:
        """Compile what random games need for moves that have to be searched for."""
        self.code.calls.begin()
        if not self.code.written.shared.module.target.has_parts:
            return
        address = self.code.calls.address
        self.code.users.call(
            lambda: world.bring_searches({name: address(name) for name in w.OUTSIDE})
        )

    # --------------------------------------------------------------------- one game

    def playout(self, state: State, chance: Chance, max_plies: int) -> Playout:
        """Play equally likely legal moves to the end, or until `max_plies` are made.

        Raises RuleError, with the moves that lead to it.
        """
        if not self._exchange.holds(state):
            return self.reference.playout(state, chance, max_plies)
        first = chance.state
        max_plies = min(max_plies, _MOST_PLIES)

        def play(world: World, position: Any, drawn: Any) -> tuple[int, Any]:
            arguments = (position, world.memory, drawn, max_plies)
            return self._caller.within(self.code.games, "playout", world, *arguments), position

        world, (made, position) = self._played(play, state, chance, max_plies)
        if world.error:
            chance.state = first
            return self._after_failure(state, chance, max_plies, made, world)
        return Playout(made, *self._exchange.read_last(position, state, world))

    def playout_states(self, state: State, chance: Chance, max_plies: int) -> list[State]:
        """Return the states of the game that `playout` plays, this one and those after each move.

        There are as many moves as `max_plies`, or fewer if the game ends, or the rules fail.
        """
        if not self._exchange.holds(state):
            states = [state]
            while len(states) <= max_plies:
                one = self.reference.playout(states[-1], chance, 1)
                if not one.moves:
                    break
                states.append(one.state)
            return states
        views = self.code.memory.bytes(max(1, self.code.written.games_in_place.views.bytes))

        def play(world: World, position: Any, drawn: Any) -> list[State]:
            """Stop the game after each move, and go on with it."""
            states = [state]
            for ply in range(max_plies):
                arguments = (position, world.memory, drawn, 1, views, ply)
                if not self._caller.within(self.code.games, "go_on", world, *arguments):
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
            position, drawn = self._exchange.buffer(), self.code.memory.words(1)
            while True:
                self._exchange.write(state, position, world)
                drawn[0] = chance.state
                result = play(world, position, drawn)
                if world.error == w.NO_SEARCHES:
                    self._bring_searches(world)
                elif world.error == w.NO_ROOM:
                    world.make_room(2 * world.room)
                else:
                    chance.state = drawn[0] % (1 << 64)
                    return result

        self._caller.ready(self.code.games)
        world = self.new_world()
        (result,) = self._caller.threads([(world, task)])
        return world, result

    def _after_failure(
        self, state: State, chance: Chance, max_plies: int, made: int, failed: World
    ) -> Playout:
        """Return a game of which native code can't make a move after some others.

        Raises RuleError, with the moves, if it is the rules that fail there.
        """
        states = self.playout_states(state, chance, made)
        try:
            self._caller.refuse_long(failed)
            if made < max_plies:
                failure = failure_in_moves(self.reference, states[-1])
                if failure is not None:
                    raise failure
            rest = self.reference.playout(states[-1], chance, max_plies - made)
        except RuleError as problem:
            moves = tuple(move.text for move in moves_between(self, states))
            if len(moves) < len(states) - 1:
                raise RuleError(problem.diagnostic, moves) from None
            after = (*moves, *(problem.moves or ()))
            raise RuleError(problem.diagnostic, after, problem.move) from None
        return Playout(made + rest.moves, rest.outcome, rest.state)

    def playout_moves(self, state: State, chance: Chance, max_plies: int) -> tuple[Move, ...]:
        """Return the moves of the game that `playout` plays; fewer if the rules fail."""
        return moves_between(self, self.playout_states(state, chance, max_plies))

    # ------------------------------------------------------------------- many games

    def playouts(
        self,
        state: State,
        count: int,
        seed: int,
        max_plies: int,
        threads: int = 1,
        *,
        first: int = 0,
        until: float | None = None,
        records: GameRecords | None = None,
    ) -> Statistics:
        """Play many random games and tell how they ended; fill the `records` of each, if given.

        Game number i of a seed is that of `Chance(seed, i)`, on any number of threads; they
        are numbered from `first`. At the moment `until` (of `time.monotonic`) no more are begun,
        and those under way do not count; what is compiled meanwhile puts it off. Raises RuleError.
        """
        statistics = Statistics(self.game.sides, len(self.game.sides))
        max_plies = min(max_plies, _MOST_PLIES)

        def compile_more(part: Part) -> None:
            """Compile a part, and all well if that pays; put off the moment `until` by that."""
            nonlocal until
            before = self.code.seconds["llvm"]
            part.begin()
            self.code.improve(_sooner(until, self._caller.deadline))
            if until is not None:
                until += self.code.seconds["llvm"] - before

        def is_over() -> bool:
            return until is not None and time.monotonic() >= until

        def play_alone(number: int) -> None:
            one = self.playout(state, Chance(seed, number), max_plies)
            statistics.add(one)
            if records is not None:
                records.write(number, one, self.game.sides)

        if not self._exchange.holds(state):
            for number in range(first, first + count):
                if is_over():
                    break
                play_alone(number)
            return statistics
        begins = [first + count * i // threads for i in range(threads + 1)]
        pending = list(starmap(range, pairwise(begins)))
        while pending:
            compile_more(self.code.games)
            better = self.code.turning_point(_sooner(until, self._caller.deadline))
            tasks = [
                (self.new_world(), partial(self._share, state, part, seed, max_plies, records))
                for part in pending
            ]
            shares = self._caller.threads(tasks, _sooner(until, better))
            rest = []
            for share, part in zip(shares, pending, strict=True):
                statistics.include(share.statistics)
                following = share.next
                if share.error == w.NO_SEARCHES:
                    compile_more(self.code.calls)
                elif share.error not in (0, w.STOPPED):
                    play_alone(following)
                    following += 1
                rest.append(range(following, part.stop))
            pending = [] if is_over() else [part for part in rest if part]
        return statistics

    def records(self, numbers: range) -> GameRecords:
        """Return memory for what each of the games with these numbers comes to."""
        return GameRecords(self.code.written.layout, numbers, self.code.memory)

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
        tally = self.code.memory.words(len(TALLY) + 3 * len(self.game.sides))
        tally[TALLY.index("shortest")] = (1 << 63) - 1
        position = self._exchange.buffer()
        number = part.start
        while number < part.stop and world.error in (0, w.NO_ROOM):
            if world.error:
                world.make_room(2 * world.room)
            self._exchange.write(state, position, world)
            rows = None if records is None else records.row(number)
            arguments = (number, part.stop - number, seed, max_plies, tally, rows)
            number += self._caller.within(
                self.code.games, "playouts", world, position, world.memory, *arguments
            )
        return _Share(self._statistics(tally), number, world.error)

    def _statistics(self, tally: Any) -> Statistics:
        """Return what a tally tells."""
        sides = self.game.sides
        known = dict(zip(TALLY, tally, strict=False))
        if not known["playouts"]:
            return Statistics(sides, len(sides))
        first_seat, payoffs_at = len(TALLY) + len(sides), len(TALLY) + 2 * len(sides)
        by_side, by_seat = tally[len(TALLY) : first_seat], tally[first_seat:payoffs_at]
        layout = self.code.written.layout
        sums = (ctypes.c_double * len(sides)).from_buffer(tally, _WORD_BYTES * payoffs_at)
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
