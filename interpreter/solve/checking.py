"""A solution held against the reference interpreter: games in which one side plays by it.

In: a solver, and a solution that it found. Out: how many games were played. What then holds: in all
of them the reference had the same legal moves, the side that plays well got what the solution
promises, in no more plies, and the game ended as the reference says.
"""

from __future__ import annotations

import random

from gdl.codes import Code
from gdl.diagnostic import GameError, refused
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.solve.solution import Result, Solution, SolvedMove, ranked
from gdl.interpreter.solve.solver import Solver

_GAMES_A_SEAT = 10
_MOST_PLIES = 300


def replay_games(solver: Solver, solution: Solution) -> int:
    """Play games of each seat by the solution, against random moves and against itself.

    Return how many. Raises GameError (`not-verified`) where one goes wrong, OutOfTime.
    """
    seats = range(1, len(solver.rules.sides) + 1)
    chance = random.Random(0)
    games = [set(seats)] + [{seat} for seat in seats for _ in range(_GAMES_A_SEAT)]
    for good in games:
        _Game(solver, solution, good, chance).play()
    return len(games)


class _Game:
    """One game, in which the seats in `good` play by the solution."""

    def __init__(
        self, solver: Solver, solution: Solution, good: set[int], chance: random.Random
    ) -> None:
        self._solver = solver
        self._solution = solution
        self._good = good
        self._chance = chance
        self._reference = Rules(solver.rules.game)
        self._position = Position(self._reference, solution.position.state)
        self._played: list[str] = []

    def play(self) -> None:
        """Play the game to its end. Raises GameError (`not-verified`)."""
        promised = self._solution.result
        while not self._position.over and len(self._played) < _MOST_PLIES:
            position = self._position
            moves = position.moves()
            if moves != tuple(self._solver.subject.native.legal(position.state)):
                raise self._wrong("the reference has other moves")
            if position.seat in self._good:
                move = self._best(position).move
            else:
                move = self._chance.choice(moves)
            self._position = position.play(move)
            self._played.append(move.text)
            now = self._solver.value(self._position)
            if any(now.for_seat(seat) < promised.for_seat(seat) for seat in self._good):
                raise self._wrong("what was won is lost")
        if promised.plies is None:
            return
        if not self._position.over:
            if self._must_end(promised):
                raise self._wrong("it does not end")
        elif self._must_end(promised) and len(self._played) > promised.plies:
            raise self._wrong(f"it takes {len(self._played)} plies")

    def _must_end(self, promised: Result) -> bool:
        """Return whether a seat that plays well has been promised to win."""
        return any(promised.for_seat(seat) == 1 for seat in self._good)

    def _best(self, position: Position) -> SolvedMove:
        native = self._solver.subject.native
        found = []
        for move in position.moves():
            after = Position(self._reference, native.apply(position.state, move))
            found.append(SolvedMove(move, self._solver.value(after)))
        return ranked(found, position.seat or 1)[0]

    def _wrong(self, reason: str) -> GameError:
        after = ", ".join(self._played)
        message = f"The solution does not hold: {reason} after `{after}`."
        hint = "Please report it, with the command and the file."
        return refused(Code.NOT_VERIFIED, message, hint)
