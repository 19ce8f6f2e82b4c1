"""Games that head for what random ones have not met.

In: games that were played at random, and watched. Out: more that is seen in them. What then holds:
each move was legal; what goes wrong on the way comes with the moves that lead there.

There are three kinds: games that head for a condition that always had one value so far, by how
much is missing until it has the other; games in which each side leaves the other as few moves as it
can, so that one is stuck at last; and games that prefer the move by which something happens for the
first time (novelty instead of a goal: J. Lehman and K. Stanley, "Abandoning Objectives", 2011).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from gdl.core.nodes import Expression
from gdl.interpreter.check.effort import A_GAME, Part
from gdl.interpreter.check.play.games import Games
from gdl.interpreter.evaluation.evaluator import Evaluator, RuleError, State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.reference.distance import VERY_FAR, distance_to, parts_of_positions

_MOST_PLIES = 300
_MOST_MOVES = 3000
"""Ways on of a position; where there are more, no game heads for anything."""
_ENOUGH = 24
"""Moves that lead no nearer, after which one that leads no farther off is made."""
_GAMES_A_GOAL = 2
_ROUNDS_FOR_NEWS = 12

Far = Callable[[State], float]


class GuidedGames:
    """Plays one game on, towards what was not seen of it."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._rules: Evaluator = games.rules if games.native is None else games.native
        self._random = Random(0)

    def play(self, units: float) -> None:
        """Play all kinds of games in turn for some work, or until nothing is left to be met."""
        part, rounds = self._games.work.part(units), 0
        while part.left > 0 and not self._games.is_slow:
            if self._games.coverage.is_met and rounds >= _ROUNDS_FOR_NEWS:
                break
            rounds += 1
            self._games.work.count(A_GAME)
            for goal in self._goals():
                for _ in range(_GAMES_A_GOAL):
                    self._head_for(goal, part)
            self._head_for(self._moves_left, part)
            self._look_for_news(part)

    # ------------------------------------------------------------------------ goals

    def _goals(self) -> Iterator[Far]:
        """Yield how far states are from each value that a condition never had."""
        games = self._games
        known = frozenset(games.rules.game.program.state)
        conditions = games.coverage.conditions
        for place, node in list(games.watch.asked.items()):
            failed, held = conditions[place]
            if failed and held:
                continue
            for part in parts_of_positions(node, known):
                yield self._far(part, not held)

    def _far(self, condition: Expression, wanted: bool) -> Far:
        return distance_to(self._games.rules, condition, wanted)

    def _moves_left(self, state: State) -> float:
        return float(self._rules.perft(state, 1))

    # ------------------------------------------------------------------------ games

    def _head_for(self, far: Far, part: Part) -> None:
        """Play one game in which each move leads nearer, or else not farther off."""
        state, moves, here = self._games.begin, list[str](), VERY_FAR
        while part.left > 0 and len(moves) < _MOST_PLIES and state.ended is None:
            way = partial(tuple, tuple(moves))
            move = self._nearest(state, far, here, part)
            if move is None:
                self._games.look(state, way)
                return
            here, chosen = move
            after = self._games.made(state, chosen, way)
            if after is None:
                return
            state = after
            moves.append(chosen.text)
            if here == 0:
                self._games.look(state, partial(tuple, tuple(moves)))
                return

    def _nearest(
        self, state: State, far: Far, here: float, part: Part
    ) -> tuple[float, Move] | None:
        """Return how far a move leads, and the move; None if there is none, or there are many."""
        try:
            listed = self._rules.legal(state)
        except RuleError:
            return None
        if len(listed) > _MOST_MOVES:
            return None
        self._games.work.count_listed(listed)
        legal = list(listed)
        self._random.shuffle(legal)
        best: tuple[float, Move] | None = None
        for number, move in enumerate(legal):
            found = self._after(state, move, far)
            if best is None or found < best[0]:
                best = found, move
            is_enough = best[0] < here or (best[0] == here and number >= _ENOUGH)
            if is_enough or part.left <= 0:
                break
        return best

    def _after(self, state: State, move: Move, far: Far) -> float:
        """Return how far a move leads: very far where the game is over by something else."""
        try:
            after = self._rules.apply(state, move)
            left = far(after)
        except RuleError:
            return 0.0
        return left if after.ended is None or not left else VERY_FAR

    def _look_for_news(self, part: Part) -> None:
        """Play one game; of some moves, one that makes something happen for the first time."""
        state, moves = self._games.begin, list[str]()
        while part.left > 0 and len(moves) < _MOST_PLIES:
            met = self._games.coverage.met
            following = self._games.look(state, partial(tuple, tuple(moves)))
            if not following:
                return
            is_new = self._games.coverage.met > met
            move, state = following[0] if is_new else self._random.choice(following)
            moves.append(move.text)
