"""Games that head for what only one of two sets of rules asks.

In: two games side by side. Out: a game that shows a difference where random ones do not get to it,
or None. What then holds: a position is the nearer, the less is missing until a condition that only
one of the two programs has is another than at the start.

Games are played side by side, and only the nearest are kept after each move: a beam search
(P. S. Ow and T. E. Morton, "Filtered beam search in scheduling", 1988). As it depends on chance,
it begins anew as long as there is time, few games wide most often, and twice as wide half as often
(M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993). Moves that
answer the last by a symmetry of the board are always tried, others are drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import nsmallest

from gdl.board.symmetries import moved_set, symmetries
from gdl.core.nodes import Branch, Const, Expression, Program, Repeat, Require
from gdl.core.walk import statements_in
from gdl.data_classes import dataclass
from gdl.interpreter.compare.two_games import MovePair, Near, TwoGames
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.reference.distance import VERY_FAR, distance_to, parts_of_positions
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify.deadline import Deadline, TimeUp
from gdl.interpreter.verify.lockstep import Difference, Differs, Failed, Pair

_TRIED = 60  # moves of a position that are tried, besides those that answer by a symmetry
_NARROWEST = 3  # games side by side
_FRUITLESS = 20  # searches in which nothing differs sooner, and twice as many as were made before


@dataclass(frozen=True)
class Distance:
    """How far states of one of the two games are from what it alone asks."""

    rules: Rules
    is_second: bool
    far: Callable[[Sequence[State]], list[float]]


@dataclass(frozen=True)
class _Game:
    """A game as far as it was played, and how far it is from what is headed for."""

    pair: Pair
    far: float = VERY_FAR


@dataclass(frozen=True)
class _Tried:
    """A move of a game, how far the game is after it, and a number for chance."""

    game: _Game
    both: MovePair
    far: float
    drawn: float

    def order(self) -> tuple[float, float]:
        """Return what the nearest has least of.

        What is asked of one side is often far at the turns of others: so the turn before counts.
        """
        return min(self.far, self.game.far), self.drawn


def head_for(
    two_games: TwoGames,
    max_plies: int,
    seed: int,
    deadline: Deadline,
    known: Difference | None = None,
    searches: int | None = None,
) -> Difference | None:
    """Play towards the conditions of one program alone, until the time is up.

    No more than some `searches` are made towards each, if a number is given. Returns the shortest
    game that differs, which may be the one that is `known`.
    """
    best = known
    try:
        towards = [
            _Search(two_games, distance, random.Random(seed), deadline)
            for distance in _distances(two_games)
        ]
        number, last = 0, 0
        while towards and number != searches:
            if best is not None and number - last >= _FRUITLESS + 2 * last:
                break
            number += 1
            for search in towards:
                most = max_plies if best is None else len(best.moves) - 1
                found = search.play(_NARROWEST * _width(number), most)
                if found is not None:
                    best, last = found, number
    except TimeUp:
        pass
    return best


def _width(number: int) -> int:
    """Return how many games wide a search is.

    >>> [_width(number) for number in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    whole = 1 << number.bit_length() - 1
    return whole if number + 1 == 2 * whole else _width(number - whole + 1)


class _Search:
    """Plays games towards one condition."""

    def __init__(
        self, two_games: TwoGames, distance: Distance, chance: random.Random, deadline: Deadline
    ) -> None:
        self._two_games, self._distance = two_games, distance
        self._chance, self._deadline = chance, deadline
        self._near = Near(two_games.first.game.board)
        self._symmetries = symmetries(two_games.first.game.board)

    def play(self, width: int, max_plies: int) -> Difference | None:
        """Play so many games side by side, for some moves at most. Raises TimeUp."""
        try:
            games = [_Game(self._two_games.begin())]
            for _ in range(max_plies + 1):
                if not games:
                    break
                nearest = nsmallest(width, self._tried(games), key=_Tried.order)
                games = [
                    _Game(self._two_games.advance(tried.game.pair, tried.both), tried.far)
                    for tried in nearest
                ]
        except Differs as found:
            return found.difference
        except Failed:
            pass
        return None

    def _tried(self, games: list[_Game]) -> Iterator[_Tried]:
        """Yield further moves of games. Raises Differs, TimeUp."""
        met: set[State] = set()
        for game in games:
            try:
                legal = self._two_games.look(game.pair)
            except Failed:
                continue
            new: dict[State, MovePair] = {}
            for both in self._some(legal, game):
                self._deadline.check()
                after = self._after(game, both)
                if after is not None and after not in met:
                    met.add(after)
                    new[after] = both
            for both, far in zip(new.values(), self._distance.far(list(new)), strict=True):
                yield _Tried(game, both, far, self._chance.random())

    def _after(self, game: _Game, both: MovePair) -> State | None:
        """Return the state after a move in the game that is measured; None if it is over then."""
        pair, is_second = game.pair, self._distance.is_second
        state, move = (pair.second, both[1]) if is_second else (pair.first, both[0])
        try:
            after = self._distance.rules.evaluator.apply(state, move)
        except RuleError:
            return None
        if after.ended is None:
            return after
        self._two_games.look(self._two_games.advance(pair, both))
        return None

    def _some(self, legal: list[MovePair], game: _Game) -> Iterator[MovePair]:
        """Yield the moves that answer the last by a symmetry of the board, and some others."""
        moves = game.pair.moves
        last = self._near.sites(moves[-1].text) if moves else 0
        answers = {moved_set(last, symmetry) for symmetry in self._symmetries} if last else set()
        if answers:
            yield from (both for both in legal if self._near.sites(both[0].text) in answers)
        yield from self._chance.sample(legal, min(_TRIED, len(legal)))


# --------------------------------------------------------------------- what to head for


def _distances(two_games: TwoGames) -> Iterator[Distance]:
    """Yield how far states are from each condition that only one of the programs has."""
    both = two_games.rules
    conditions = [_conditions(rules) for rules in both]
    for number, rules in enumerate(both):
        for text, condition in conditions[number].items():
            far = None if text in conditions[1 - number] else _distance(rules, condition)
            if far is not None:
                yield Distance(rules, number == 1, far)
    if _stuck(both[0].game.program) != _stuck(both[1].game.program):
        yield Distance(both[0], False, partial(_moves_left, both[0]))


def _moves_left(rules: Rules, states: Sequence[State]) -> list[float]:
    """Return how far sides are from having no move: how many they have."""
    try:
        return [float(count) for count in rules.evaluator.perfts(states, 1)]
    except RuleError:
        return [VERY_FAR] * len(states)


def _stuck(program: Program) -> list[str]:
    """Return what the rules say of sides without a move."""
    return [repr(clause) for turn in program.turns for clause in turn.stuck]


def _conditions(rules: Rules) -> dict[str, Expression]:
    """Return the conditions on positions that a game's turns and endings ask, by what they say."""
    known = frozenset(rules.game.program.state)
    found: dict[str, Expression] = {}
    for condition in _asked(rules.game.program):
        for part in parts_of_positions(condition, known):
            if not isinstance(part, Const):
                found.setdefault(repr(part), part)
    return found


def _asked(program: Program) -> Iterator[Expression]:
    for turn in program.turns:
        for statement in statements_in(turn.program):
            if isinstance(statement, Require | Branch):
                yield statement.condition
            elif isinstance(statement, Repeat) and statement.bound is not None:
                yield statement.bound
        for ending in turn.endings:
            yield ending.condition


def _distance(
    rules: Rules, condition: Expression
) -> Callable[[Sequence[State]], list[float]] | None:
    """Return how far states are from a condition's being other than at the start."""
    reference = ReferenceRules(rules.game)
    machine = reference.machine
    holds = machine.evaluator.function(condition)
    try:
        start = bool(holds(machine.frame(rules.evaluator.start().values)))
    except RuleError:
        return None
    far = distance_to(reference, condition, not start)
    return lambda states: [far(state) for state in states]
