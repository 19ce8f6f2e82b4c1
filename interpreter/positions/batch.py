"""Many random games, counts and steps at once, by native code, told as arrays.

In: positions of one game. Out: arrays with a row for each game or position. What then holds: game
number i of a seed is the same alone, among others, and on any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gdl.data_classes import dataclass
from gdl.diagnostic import wanted, whole_number
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.evaluation.playout import USUAL_MAX_PLIES
from gdl.interpreter.native.games.records import MOVES, PAYOFFS, SEATS, SIDES
from gdl.interpreter.native.runtime.rules import NativeRules

P = TypeVar("P")


@dataclass(frozen=True)
class Games:
    """What each of n random games came to.

    `moves` (n, int64) is how many moves it had. `finished` (n, bool) is whether it came to an end
    before its longest length. `won_by_side` and `won_by_seat` (n by sides, bool) say who won: sides
    in the order of play, seats from the first; a finished game that nobody won was drawn, a puzzle,
    which has one side, was lost.
    `payoffs` (n by sides, float64) is what the game was worth to each side; None where the rules
    do not say.
    """

    moves: NDArray[np.int64]
    finished: NDArray[np.bool_]
    won_by_side: NDArray[np.bool_]
    won_by_seat: NDArray[np.bool_]
    payoffs: NDArray[np.float64] | None

    def __len__(self) -> int:
        """The number of games."""
        return len(self.moves)

    def __repr__(self) -> str:
        return f"<{len(self):,} games, {int(self.finished.sum()):,} finished>"

    @property
    def points(self) -> NDArray[np.float64]:
        """The points of each seat (n by seats, float64): 1 shared out among those who won.

        A game that nobody won, or that was not finished, is shared out among all; a puzzle gives 0.
        """
        if self.won_by_seat.shape[1] == 1:
            return self.won_by_seat.astype(np.float64)
        has_winner = self.won_by_seat.any(axis=1, keepdims=True)
        shares: NDArray[np.float64] = np.where(has_winner, self.won_by_seat, 1.0)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)


class Batch(Generic[P]):
    """Plays positions of one game by native code; several threads may use it at once.

    It is made by `Rules.native`. All methods raise ValueError for positions of another game.
    """

    def __init__(
        self, native: NativeRules, state: Callable[[P], State], position: Callable[[State], P]
    ) -> None:
        """Play by `native`; `state` gives the state of a position, and `position` that of a state.

        `state` raises ValueError for a position of another game.
        """
        self._native = native
        self._state = state
        self._position = position

    def playouts(
        self,
        position: P,
        count: int,
        seed: int = 0,
        *,
        max_plies: int = USUAL_MAX_PLIES,
        threads: int = 1,
    ) -> Games:
        """Play so many random games from a position: of all legal moves, each is equally likely.

        Which moves one of them had is told by `moves`. Raises ValueError for a negative count or
        length or no threads, TypeError for what is no whole number, RuleError where the rules fail.
        """
        count, max_plies = whole_number("count", count, 0), whole_number("max_plies", max_plies, 0)
        seed, threads = whole_number("seed", seed), whole_number("threads", threads, 1)
        native, state = self._native, self._state(position)
        records = native.records(range(count))
        native.playouts(state, count, seed, max_plies, threads, records=records)
        rows = np.frombuffer(memoryview(records.memory), np.int64).reshape(count, records.width)
        bits = 1 << np.arange(len(native.game.sides))
        finished = rows[:, SIDES] >= 0
        won_by_side, won_by_seat = (
            (rows[:, [place]] & bits > 0) & finished[:, None] for place in (SIDES, SEATS)
        )
        has_payoffs = records.width > PAYOFFS
        payoffs = rows[:, PAYOFFS:] / records.payoff_unit if has_payoffs else None
        return Games(rows[:, MOVES].copy(), finished, won_by_side, won_by_seat, payoffs)

    def moves(
        self, position: P, number: int, seed: int = 0, *, max_plies: int = USUAL_MAX_PLIES
    ) -> tuple[Move, ...]:
        """Return the moves of the game of this number, from 0, of those that `playouts` plays.

        It raises what `playouts` does.
        """
        number, seed = whole_number("number", number, 0), whole_number("seed", seed)
        max_plies = whole_number("max_plies", max_plies, 0)
        state = self._state(position)
        self._native.playout(state, Chance(seed, number), max_plies)  # where the rules fail, raises
        return self._native.playout_moves(state, Chance(seed, number), max_plies)

    def perft(self, position: P, depth: int, *, threads: int = 1) -> int:
        """Return the number of sequences of `depth` legal moves.

        Raises ValueError for a depth below 0 or no threads, TypeError for one that is no whole
        number, RuleError where the rules fail.
        """
        _refuse(depth, threads)
        return self._native.perft(self._state(position), depth, threads)

    def perfts(
        self, positions: Sequence[P], depth: int = 1, *, threads: int = 1
    ) -> NDArray[np.int64]:
        """Return how many sequences of `depth` legal moves each position has.

        With a depth of 1, these are the legal moves: none where the game is over. It raises what
        `perft` does.
        """
        _refuse(depth, threads)
        states = self._states(positions)
        return np.array(self._native.perfts(states, depth, threads), np.int64)

    def step(self, positions: Sequence[P], picks: Sequence[int] | NDArray[np.int64]) -> list[P]:
        """Return the positions after one move each: the one with this number of its legal moves.

        Numbers begin at 0, in the order of `Position.moves`. Which sites the moves named is not
        known of the new positions, so drawings mark none. Raises IndexError where there is no
        such move, ValueError if there are not as many numbers as positions, TypeError for what
        is no whole number, RuleError where the rules fail.
        """
        wanted(picks, Iterable, "a list of numbers, one for each position,")
        numbers = [whole_number("the number of a move", pick) for pick in picks]
        states = self._states(positions)
        return [self._position(state) for state in self._native.step(states, numbers)]

    def _states(self, positions: Sequence[P]) -> list[State]:
        wanted(positions, Iterable, "a list of positions")
        return [self._state(position) for position in positions]

    def __repr__(self) -> str:
        return f"<Batch of {self._native.game.title}>"


def _refuse(depth: int, threads: int) -> None:
    """Refuse numbers that nothing can be counted with. Raises ValueError and TypeError."""
    whole_number("depth", depth, 0)
    whole_number("threads", threads, 1)
