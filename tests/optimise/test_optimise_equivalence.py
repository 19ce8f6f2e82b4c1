"""Whatever the passes do, the rules mean the same: games in lockstep, random expressions."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_games import deep_games

from gdl.board.relation import Relation
from gdl.core import build
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import (
    Closure,
    Expression,
    Fold,
    Get,
    GroupsOf,
    If,
    Let,
    Memory,
    Op,
    Program,
    RangeOf,
    Select,
    SitesOf,
    Slot,
    SystemSlots,
)
from gdl.core.operations import SMALL
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.core.walk import slots_in
from gdl.interpreter.evaluation.evaluator import RuleError, State, is_about_work
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import OptionValue, load_game, shipped_names
from gdl.optimise import PASSES, optimise
from gdl.optimise.algebra.number_growth import unbounded_numbers
from gdl.optimise.look_ahead import is_asked_at_once

CONFORMANCE = sorted((Path(__file__).parents[1] / "conformance").glob("*.yaml"))
BY_NIGHT_IF_LONG = [
    pytest.param(
        path, id=path.stem, marks=[pytest.mark.slow] if "too-many-moves" in path.stem else []
    )
    for path in CONFORMANCE
]
SMALLER: dict[str, dict[str, OptionValue]] = {"trellis": {"size": 5}, "trichet": {"tiles": 8}}
QUICK_PLIES = 4
SLOW_PLIES = 60
MOST_MOVES = 3000


def assert_same(failure: RuleError, other: RuleError) -> None:
    """Assert that rules fail alike; less work may come to its limit at another place."""
    found, expected = failure.diagnostic, other.diagnostic
    if is_about_work(expected):
        assert found.code == expected.code
    else:
        assert found == expected


def numbers_are_small(slots: Collection[Slot], program: Program, state: State) -> bool:
    """Return whether the numbers of some slots are such as optimised rules may need."""
    values = (
        value for slot, value in zip(program.state, state.values, strict=True) if slot in slots
    )
    numbers = (
        number for value in values for number in (value if isinstance(value, tuple) else (value,))
    )
    return all(abs(number) <= SMALL for number in numbers)


def play_in_lockstep(name: str, seed: int, plies: int) -> None:
    """Play a random game by the rules as they are and by the optimised ones."""
    game = load_game(name, SMALLER.get(name))
    program = optimise(game.program, len(game.board.sites))
    assert program.state == game.program.state
    plain, other = ReferenceRules(game), ReferenceRules(replace(game, program=program))
    small = unbounded_numbers(program) if is_asked_at_once(game.program, program) else frozenset()
    chance = random.Random(seed)
    try:
        state = plain.start()
    except RuleError as error:
        with pytest.raises(RuleError) as raised:
            other.start()
        assert_same(raised.value, error)
        return
    assert other.start() == state
    for _ in range(plies):
        if not numbers_are_small(small, program, state):
            return
        try:
            moves = plain.legal(state)
            outcome = plain.outcome(state)
        except RuleError as error:
            with pytest.raises(RuleError) as raised:
                other.legal(state)
                other.outcome(state)
            assert_same(raised.value, error)
            return
        assert list(other.legal(state)) == list(moves)
        assert other.outcome(state) == outcome
        if outcome is not None or not moves or len(moves) > MOST_MOVES:
            return
        move = chance.choice(moves)
        try:
            after = plain.apply(state, move)
        except RuleError as error:
            with pytest.raises(RuleError) as raised:
                other.apply(state, move)
            assert_same(raised.value, error)
            return
        assert other.apply(state, move) == after
        state = after


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_shipped_games_are_the_same(name: str) -> None:
    play_in_lockstep(name, 1, QUICK_PLIES)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", BY_NIGHT_IF_LONG)
def test_small_games_are_the_same(path: Path, seed: int) -> None:
    play_in_lockstep(str(path), seed, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_names())
def test_long_games_are_the_same(name: str) -> None:
    for seed in range(3):
        play_in_lockstep(name, seed, SLOW_PLIES)


# ------------------------------------------------------------------ random expressions

SIZE = 6
ALL = (1 << SIZE) - 1
NEXT = Relation.from_pairs(SIZE, [(0, 1), (1, 2), (3, 4), (4, 5)])
STAR = Relation.from_pairs(SIZE, [(0, 1), (0, 2), (0, 3), (3, 5), (5, 0), (4, 4)])
BESIDE = NEXT.union(NEXT.inverse()).union(Relation.from_pairs(SIZE, [(0, 3), (3, 0)]))
RELATIONS = (NEXT, STAR, BESIDE, STAR.union(STAR.inverse()))
X, Y = Slot("x", SITES, True), Slot("y", SITES, True)
N = Slot("n", NUMBER, True, False, 0, 4)
TABLE = (3, 1, 4, 1, 5, 0)


class Grower:
    """Draws expressions; `one(n)` draws a number below n, a scope has the variables' slots."""

    def __init__(self, one: Callable[[int], int]) -> None:
        self._one = one
        self._bound = 0

    def _new(self, name: str) -> Slot:
        self._bound += 1
        return Slot(f"{name}{self._bound}", SITES)

    def sites(self, depth: int, scope: tuple[Slot, ...]) -> Expression:
        if depth == 0:
            choice = self._one(len(scope) + 3)
            if choice < len(scope):
                return Get(scope[choice])
            return (Get(X), Get(Y), build.sites(self._one(ALL + 1)))[choice - len(scope)]
        kind = self._one(12)
        if kind < 3:
            name = ("union", "intersection", "difference")[kind]
            return Op(name, (self.sites(depth - 1, scope), self.sites(depth - 1, scope)), SITES)
        if kind < 6:
            relation = RELATIONS[self._one(len(RELATIONS))]
            return Op("image", (self.sites(depth - 1, scope),), SITES, relation)
        if kind == 6:
            return If(
                self.flag(depth - 1, scope),
                self.sites(depth - 1, scope),
                self.sites(depth - 1, scope),
            )
        if kind == 7:
            slot = self._new("let")
            inner = self.sites(depth - 1, (*scope, slot))
            return Let(slot, self.sites(depth - 1, scope), inner)
        if kind == 8:
            return self.closure(depth, scope)
        if kind == 9:
            slot = self._new("site")
            condition = self.flag(depth - 1, (*scope, slot))
            return Select(slot, self.sites(depth - 1, scope), condition)
        if kind == 10:
            slot = self._new("site")
            body = self.sites(depth - 1, (*scope, slot))
            return Fold("union", slot, SitesOf(self.sites(depth - 1, scope)), body, 0)
        slot = self._new("group")
        body = self.sites(depth - 1, (*scope, slot))
        return Fold("union", slot, self.groups(depth, scope), body, 0)

    def step(self, frontier: Slot, scope: tuple[Slot, ...]) -> Expression:
        relation = RELATIONS[self._one(len(RELATIONS))]
        start: Expression = Get(frontier)
        if self._one(2):
            start = Op("intersection", (start, self.sites(0, scope)), SITES)
        reached: Expression = Op("image", (start,), SITES, relation)
        if self._one(2):
            reached = Op("intersection", (reached, self.sites(0, scope)), SITES)
        return reached

    def closure(self, depth: int, scope: tuple[Slot, ...]) -> Expression:
        frontier = self._new("frontier")
        return Closure(self.sites(depth - 1, scope), frontier, self.step(frontier, scope))

    def groups(self, depth: int, scope: tuple[Slot, ...]) -> GroupsOf:
        frontier = self._new("frontier")
        return GroupsOf(self.sites(depth - 1, scope), frontier, self.step(frontier, scope))

    def flag(self, depth: int, scope: tuple[Slot, ...]) -> Expression:
        kind = self._one(9)
        if depth == 0 or kind < 2:
            return Op("some", (self.sites(max(0, depth - 1), scope),), FLAG)
        if kind < 4:
            parts = (self.flag(depth - 1, scope), self.flag(depth - 1, scope))
            return Op(("and", "or")[kind - 2], parts, FLAG)
        if kind == 4:
            return Op("not", (self.flag(depth - 1, scope),), FLAG)
        if kind == 5:
            name = ("subset", "equal")[self._one(2)]
            return Op(name, (self.sites(depth - 1, scope), self.sites(depth - 1, scope)), FLAG)
        if kind == 6:
            name = ("equal", "less", "not_more")[self._one(3)]
            parts = (self.number(depth - 1, scope), build.number(self._one(4)))
            return Op(name, parts if self._one(2) else parts[::-1], FLAG)
        slot = self._new("element")
        domain: SitesOf | GroupsOf | RangeOf = SitesOf(self.sites(depth - 1, scope))
        if kind == 8:
            domain = self.groups(depth, scope)
        name = ("or", "and")[self._one(2)]
        return Fold(name, slot, domain, self.flag(depth - 1, (*scope, slot)), name == "and")

    def number(self, depth: int, scope: tuple[Slot, ...]) -> Expression:
        kind = self._one(5)
        if kind == 0:
            return Get(N)
        if kind == 1 or depth == 0:
            return Op("lookup", (self.sites(max(0, depth - 1), scope),), NUMBER, TABLE)
        if kind == 2:
            return Op("count", (self.sites(depth - 1, scope),), NUMBER)
        slot = self._new("element")
        domain: SitesOf | GroupsOf = SitesOf(self.sites(depth - 1, scope))
        if kind == 4:
            domain = self.groups(depth, scope)
        condition = self.flag(depth - 1, (*scope, slot))
        body = If(condition, build.number(1), build.number(self._one(2)))
        return Fold("sum", slot, domain, body, 0)


def program_of(node: Expression) -> Program:
    mover = Slot("mover", NUMBER, True)
    system = SystemSlots(mover, Slot("following", NUMBER), None, (), None, None, None)
    return Program((X, Y, N, mover), (), system, (), (Memory(Slot("h", NUMBER), (node,)),))


def values_of(node: Expression) -> list[object]:
    """Return an expression's values for many values of the slots of the state."""
    places = {slot: place for place, slot in enumerate({X, Y, N, *slots_in(node)})}
    function = ExpressionEvaluator(places).function(node)
    found = []
    for x, y, n in product((0, 1, 0b101010, 0b011011, ALL), (0, 0b100, 0b010110, 0b110001), (0, 2)):
        frame: list[object] = [None] * len(places)
        frame[places[X]], frame[places[Y]], frame[places[N]] = x, y, n
        found.append(function(frame))
    return found


def optimised(node: Expression, names: tuple[str, ...] | None = None) -> Expression:
    program = optimise(program_of(node), SIZE, names)
    return program.memories[0].key[0]


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_random_expressions_keep_their_values(data: st.DataObject) -> None:
    grower = Grower(lambda number: data.draw(st.integers(0, number - 1)))
    kind = data.draw(st.integers(0, 1))
    node = (grower.sites if kind else grower.flag)(data.draw(st.integers(1, 4)), ())
    assert values_of(optimised(node)) == values_of(node)


def some_keep_their_values(first: int, last: int) -> None:
    for seed in range(first, last):
        chance = random.Random(seed)
        grower = Grower(chance.randrange)
        names = tuple(name for name in PASSES if chance.random() < 0.8)
        node = grower.sites(chance.randint(2, 5), ())
        assert values_of(optimised(node, names)) == values_of(node), seed


def test_expressions_of_any_shape_keep_their_values() -> None:
    some_keep_their_values(0, 300)


@pytest.mark.slow
def test_many_expressions_of_any_shape_keep_their_values() -> None:
    some_keep_their_values(300, 6000)
