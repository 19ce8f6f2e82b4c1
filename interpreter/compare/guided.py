"""Games that head for what only one of two sets of rules asks.

In: two games in lockstep. Out: a game that shows a difference where random ones do not get to it,
or None. What then holds: a position is the nearer, the less is missing until a condition that only
one of the two programs has is another than at the start.

How much is missing is the branch distance of search-based testing (B. Korel, "Automated Software
Test Data Generation", 1990; P. McMinn, "Search-based software test data generation: a survey",
2004). Moves are tried in any order: the first that leads nearer is made, or after some tries one
that leads no farther off; games begin anew until one differs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from gdl.core.nodes import Branch, Const, Expression, Op, Program, Repeat, Require
from gdl.core.types import FLAG
from gdl.core.walk import statements_in
from interpreter.compare.lockstep import BothFail, Difference, Differs, Lockstep, MovePair, Pair
from interpreter.evaluation.evaluator import RuleError, State
from interpreter.positions.position import Rules
from interpreter.reference.rules import ReferenceRules
from interpreter.verify.deadline import Deadline, TimeUp

_ENOUGH = 60  # moves that lead no nearer, after which one that leads no farther off is made
_FRUITLESS = 3  # rounds in which no game differs sooner than another one
_FAR = 1_000_000.0


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
            return _FAR
        return _FAR if after.ended is not None else self.far(after)


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
        for part in _readable(condition, known):
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


def _readable(condition: Expression, known: frozenset[Any]) -> Iterator[Expression]:
    """Yield a condition, or those of its parts that positions alone decide."""
    if condition.type != FLAG:
        return
    if condition.free <= known:
        yield condition
    elif isinstance(condition, Op) and condition.name in ("and", "or", "not"):
        for part in condition.arguments:
            yield from _readable(part, known)


def _distance(rules: Rules, condition: Expression) -> Callable[[State], float] | None:
    """Return how far a state is from a condition's being other than at the start."""
    machine = ReferenceRules(rules.game).machine
    measure = _Measure(machine.evaluator.function)
    towards = [measure.to(condition, wanted) for wanted in (False, True)]
    holds = machine.evaluator.function(condition)
    try:
        start = bool(holds(machine.frame(rules.evaluator.start().values)))
    except RuleError:
        return None
    wanted = towards[not start]

    def far(state: State) -> float:
        machine.begin_turn()
        try:
            return wanted(machine.frame(state.values))
        except RuleError:
            return _FAR

    return far


class _Measure:
    """Makes functions from frames to distances."""

    def __init__(self, function: Callable[[Expression], Callable[[Any], Any]]) -> None:
        self._function = function

    def to(self, node: Expression, wanted: bool) -> Callable[[Any], float]:
        """Return how much is missing until a condition has the value that is wanted."""
        if isinstance(node, Op):
            if node.name == "not":
                return self.to(node.arguments[0], not wanted)
            if node.name in ("and", "or"):
                parts = [self.to(part, wanted) for part in node.arguments]
                join = sum if (node.name == "and") is wanted else min
                return lambda frame: float(join(part(frame) for part in parts))
            if node.name in ("less", "not_more", "equal") and node.arguments[0].type.is_numeric:
                return self._compared(node, wanted)
            if node.name == "some" and not wanted:
                sites = self._function(node.arguments[0])
                return lambda frame: float(sites(frame).bit_count())
        holds = self._function(node)
        return lambda frame: 0.0 if bool(holds(frame)) is wanted else 1.0

    def _compared(self, node: Op, wanted: bool) -> Callable[[Any], float]:
        left, right = (self._function(part) for part in node.arguments)
        if node.name == "equal":
            if wanted:
                return lambda frame: float(abs(left(frame) - right(frame)))
            return lambda frame: 1.0 if left(frame) == right(frame) else 0.0
        slack = 1 if node.name == "less" else 0
        if wanted:
            return lambda frame: float(max(0, left(frame) - right(frame) + slack))
        return lambda frame: float(max(0, right(frame) - left(frame) + 1 - slack))
