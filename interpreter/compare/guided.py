"""Games that head for what only one of two sets of rules asks.

In: two games in lockstep. Out: a game that shows a difference where random ones do not get to it,
or None. What then holds: a position is the nearer, the less is missing until a condition that only
one of the two programs has is another than at the start.

Moves are tried in any order: the first that leads nearer is made, or after some tries one
that leads no farther off; games begin anew until one differs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from gdl.core.nodes import Branch, Const, Expression, Program, Repeat, Require
from gdl.core.walk import statements_in
from interpreter.compare.lockstep import BothFail, Difference, Differs, Lockstep, MovePair, Pair
from interpreter.evaluation.evaluator import RuleError, State
from interpreter.positions.position import Rules
from interpreter.reference.distance import VERY_FAR, distance_to, parts_of_positions
from interpreter.reference.rules import ReferenceRules
from interpreter.verify.deadline import Deadline, TimeUp

_ENOUGH = 60  # moves that lead no nearer, after which one that leads no farther off is made
_FRUITLESS = 3  # rounds in which no game differs sooner than another one


@dataclass(frozen=True)
class Distance:
    """How far states of one of the two games are from what it alone asks."""

    rules: Rules
    is_second: bool
    far: Callable[[State], float]

    def here(self, pair: Pair) -> float:
        """Return how far both states are."""
        return self.far(pair.second if self.is_second else pair.first)

    def after(self, pair: Pair, both: MovePair) -> float:
        """Return how far they are after a move; very far if the game is over then."""
        state, move = (pair.second, both[1]) if self.is_second else (pair.first, both[0])
        try:
            after = self.rules.evaluator.apply(state, move)
        except RuleError:
            return VERY_FAR
        return VERY_FAR if after.ended is not None else self.far(after)


def head_for(
    lockstep: Lockstep, max_plies: int, seed: int, deadline: Deadline
) -> Difference | None:
    """Play towards the conditions of one program alone, until the time is up.

    Returns the shortest game that differs.
    """
    chance = random.Random(seed)
    best: Difference | None = None
    try:
        distances = list(_distances(lockstep))
        fruitless = 0
        while distances and fruitless < _FRUITLESS:
            fruitless += best is not None
            for distance in distances:
                most = max_plies if best is None else len(best.moves) - 1
                try:
                    _climb(lockstep, distance, most, chance, deadline, is_straight=best is not None)
                except Differs as found:
                    best, fruitless = found.difference, 0
                except BothFail:
                    continue
    except TimeUp:
        pass
    return best


def _climb(
    lockstep: Lockstep,
    distance: Distance,
    max_plies: int,
    chance: random.Random,
    deadline: Deadline,
    *,
    is_straight: bool,
) -> None:
    """Play one game. Raises Differs, TimeUp, BothFail.

    If it `is_straight`, it is given up where every move leads farther off.
    """
    pair = lockstep.begin()
    moves: tuple[str, ...] = ()
    here = distance.here(pair)
    for _ in range(max_plies + 1):
        legal = lockstep.look(pair, moves)
        chance.shuffle(legal)
        best: tuple[float, MovePair] | None = None
        for number, both in enumerate(legal):
            deadline.check()
            far = distance.after(pair, both)
            if best is None or far < best[0]:
                best = (far, both)
            if best[0] < here or (best[0] == here and number >= _ENOUGH):
                break
        if best is None or (is_straight and best[0] > here):
            return
        here, both = best
        moves = (*moves, both[0].text)
        pair = lockstep.advance(pair, both, moves)


# --------------------------------------------------------------------- what to head for


def _distances(lockstep: Lockstep) -> Iterator[Distance]:
    """Yield how far states are from each condition that only one of the programs has."""
    both = (lockstep.first, lockstep.second)
    conditions = [_conditions(rules) for rules in both]
    for number, rules in enumerate(both):
        for text, condition in conditions[number].items():
            far = None if text in conditions[1 - number] else _distance(rules, condition)
            if far is not None:
                yield Distance(rules, number == 1, far)
    if _stuck(both[0].game.program) != _stuck(both[1].game.program):
        yield Distance(both[0], False, partial(_moves_left, both[0]))


def _moves_left(rules: Rules, state: State) -> float:
    """Return how far a side is from having no move: how many it has."""
    return float(rules.evaluator.perft(state, 1))


def _stuck(program: Program) -> list[str]:
    """Return what the rules say of sides without a move."""
    return [
        repr(clause) for phase in program.phases for turn in phase.turns for clause in turn.stuck
    ]


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
    for phase in program.phases:
        for turn in phase.turns:
            for statement in statements_in(turn.program):
                if isinstance(statement, Require | Branch):
                    yield statement.condition
                elif isinstance(statement, Repeat) and statement.bound is not None:
                    yield statement.bound
            for ending in turn.endings:
                yield ending.condition


def _distance(rules: Rules, condition: Expression) -> Callable[[State], float] | None:
    """Return how far a state is from a condition's being other than at the start."""
    machine = ReferenceRules(rules.game).machine
    holds = machine.evaluator.function(condition)
    try:
        start = bool(holds(machine.frame(rules.evaluator.start().values)))
    except RuleError:
        return None
    return distance_to(machine, condition, not start)
