"""Environments say what the rules say: masks, whole moves, states, rewards, in all games.

A part of the games is looked at in each run, all of them in slow ones.
"""

from __future__ import annotations

import builtins
import copy
import inspect
import os
import random
import re
import typing
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from library_games import FEWEST, deep_games

import gdl
from gdl.interpreter import Rules, load
from gdl.interpreter.environment import Env, Step
from gdl.interpreter.environment.actions import actions_of
from gdl.interpreter.evaluation.moves import IllegalMoveError
from gdl.interpreter.positions.position import Position
from gdl.load import shipped_names

MORE = frozenset({"draughts", "santorini", "goofspiel", "dark-hex", "nim", "tak", "kayles"})
"""Games with what those that are always tested have not: the best ways alone, choices in any order,
rounds of all sides, what is hidden, numbers to choose, turns without a bound."""
GAMES = deep_games(shipped_names(), FEWEST)
GAMES = [game if game.values[0] not in MORE else pytest.param(*game.values) for game in GAMES]
CONFORMANCE = Path(__file__).parents[1] / "conformance"
_MOST_COMPARED = 50_000


def test_help_names_what_an_env_has_and_the_letters_of_shapes() -> None:
    env = Env(load("tic-tac-toe"), 2)
    told = inspect.getdoc(Env) or ""
    names = [name for name in vars(env) if not name.startswith("_")]
    assert {"actions", "planes", "seats", "hides"} <= {*names}
    assert not [name for name in names if f"`{name}`" not in told]
    texts = [inspect.getdoc(each) or "" for each in (Env, Step, *vars(Env).values())]
    shapes = re.findall(r"\[([A-Z](?:[+]1)?(?:, [\w]+)*)\]", "\n".join(texts))
    letters = {letter for shape in shapes for letter in re.findall(r"\b[A-Z]\b", shape)}
    assert {"N", "P", "W"} <= letters
    assert not [letter for letter in letters if not re.search(rf"\b{letter} \w+|{letter} of", told)]


def test_help_of_a_step_has_the_type_of_each_array() -> None:
    spec = Env(load("tic-tac-toe"), 2).spec
    told = inspect.getdoc(Step) or ""
    for name, kind in Step.__annotations__.items():
        assert str(spec[name][1]) in str(kind).replace("bool_", "bool"), name
        assert f"({spec[name][1]})" in told.split(f"`{name}`")[1], name


def test_signatures_name_what_can_be_looked_up() -> None:
    functions = [each for name, each in vars(Env).items() if not name.startswith("_")]
    kinds = [
        kind
        for each in functions
        for kind in getattr(each, "fget", each).__annotations__.values()
        if isinstance(kind, str)
    ]
    known = {*dir(gdl), *dir(builtins), *dir(typing), "NDArray", "np", "Mapping", "Sequence"}
    names = {name for kind in kinds for name in re.findall(r"(?<![.\w'])[A-Za-z]\w*", kind)}
    assert "NDArray" in names and names <= known | {"decision", "move"}, names - known


@cache
def rules_of(name: str) -> Rules:
    """Return the rules of a game."""
    return load(name)


def series(rules: Rules, position: Position) -> dict[tuple[int, ...], object]:
    """Return the legal moves of a position by their actions."""
    actions = actions_of(rules.game)
    return {tuple(map(int, actions.ids(position, move))): move for move in position.moves()}


def rewards(position: Position, rules: Rules) -> list[float]:
    """Return what a game that is over was worth to each seat."""
    outcome = position.outcome
    assert outcome is not None
    found = [0.0] * len(rules.sides)
    for number, side in enumerate(rules.sides):
        seat = position.seat_of(side) - 1
        has_won = side in outcome.winners
        is_draw = len(rules.sides) > 1 and len(outcome.winners) in (0, len(rules.sides))
        found[seat] = 0.0 if is_draw else 1.0 if has_won else -1.0
        if outcome.payoffs:
            found[seat] = float(outcome.payoffs[number])
    return found


@pytest.mark.at_night("tak", "santorini")
@pytest.mark.parametrize("name", GAMES)
def test_masks_are_the_decisions_of_the_legal_moves(name: str) -> None:
    rules, rows, steps = rules_of(name), 3, 14
    with Env(rules, rows, seed=3, chance="explicit") as env:
        positions, made = [rules.start()] * rows, [()] * rows
        step, found = env.now, 0
        moves = [series(rules, position) for position in positions]
        for _ in range(steps):
            for row, position in enumerate(positions):
                here = len(made[row])
                going_on = [ids for ids in moves[row] if ids[:here] == made[row]]
                assert {ids[here] for ids in going_on} == set(np.flatnonzero(step.mask[row]))
                seat = position.seat
                assert step.seat[row] == (-1 if seat is None else seat - 1)
                found += 1
            decided = env.sample()
            step = env.step(decided)
            for row, action in enumerate(decided.tolist()):
                made[row] += (action,)
                move = moves[row].get(made[row])
                if move is None:
                    assert not step.terminated[row]
                    continue
                position = positions[row].play(move)
                if position.over:
                    assert step.terminated[row]
                    assert step.reward[row].tolist() == pytest.approx(rewards(position, rules))
                    position = rules.start()
                else:
                    assert not step.terminated[row]
                assert env.positions([row])[0].state == position.state
                positions[row], made[row] = position, ()
                moves[row] = series(rules, position)
        assert found == rows * steps


@pytest.mark.parametrize("name", deep_games(shipped_names(), frozenset({"tic-tac-toe"})))
def test_two_hundred_random_positions_have_their_legal_moves(name: str) -> None:
    """Whole moves are those of the reference, in its order; masks are the decisions of each.

    Where positions have thousands of moves, there are fewer.
    """
    rules, checked, compared = rules_of(name), 0, 0
    with Env(rules, 20, seed=7, chance="explicit") as env:
        while checked < 200 and compared < _MOST_COMPARED:
            for _ in range(7):
                env.step(env.sample())
            rows = np.flatnonzero((env.decided == 0) & (env.now.seat >= -1))
            begins, ids = env.legal(rows)
            going_on: dict[int, list[tuple[int, ...]]] = {}
            for place, position in enumerate(env.positions(rows)):
                own = ids[begins[place] : begins[place + 1]]
                going_on[int(rows[place])] = [tuple(each[each >= 0].tolist()) for each in own]
                assert going_on[int(rows[place])] == [*series(rules, position)]
                compared += len(own)
                if compared >= _MOST_COMPARED:
                    break
            checked, here = checked + len(going_on), 0
            while going_on:
                for row, moves in going_on.items():
                    decisions = {move[here] for move in moves}
                    assert decisions == set(np.flatnonzero(env.now.mask[row]).tolist())
                decided = np.full(env.n, -1, np.int32)
                asked = [*going_on]
                decided[asked] = env.sample()[asked]
                env.step(decided)
                here += 1
                for row in asked:
                    left = [m for m in going_on[row] if m[here - 1] == decided[row]]
                    going_on[row] = [move for move in left if len(move) > here]
                    if not going_on[row]:
                        assert len(left) == 1, "the turn is over"
                        del going_on[row]


@pytest.mark.parametrize("name", ["can", "can-counts", "can-twice"])
def test_masks_know_what_is_looked_ahead_for(name: str) -> None:
    """Questions have conditions of their own, of which searches ahead know."""
    rules = load(str(CONFORMANCE / f"{name}.yaml"))
    with Env(rules, 8, seed=1) as env:
        for _ in range(10):
            rows = np.flatnonzero((env.decided == 0) & (env.now.group >= 0))
            begins, ids = env.legal(rows)
            for place, row in enumerate(rows):
                decisions = {*ids[begins[place] : begins[place + 1], 0].tolist()}
                assert decisions == {*np.flatnonzero(env.now.mask[row]).tolist()}
            env.step(env.sample())


@pytest.mark.at_night("tak", "santorini")
@pytest.mark.parametrize("name", GAMES)
def test_whole_moves_states_and_steps_agree(name: str) -> None:
    rules, rows = rules_of(name), 2
    drawn = random.Random(1)
    with Env(rules, rows, seed=5, auto_reset=False) as env, Env(rules, rows, seed=5) as other:
        for _ in range(5):
            begins, ids = env.legal()
            state = env.save()
            before = {key: array.copy() for key, array in env.arrays.items()}
            assert begins[-1] == len(ids)
            for row, position in enumerate(env.positions()):
                listed = [
                    tuple(each[each >= 0].tolist()) for each in ids[begins[row] : begins[row + 1]]
                ]
                if env.now.seat[row] >= 0:
                    made = tuple(env._own["ids"][row, : env.decided[row]].tolist())
                    wanted = [m for m in series(rules, position) if m[: len(made)] == made]
                    assert listed == wanted
            begins, ids, states = env.expand()
            for row in range(rows):
                if begins[row] == begins[row + 1]:
                    continue
                number = drawn.randrange(begins[row], begins[row + 1])
                _check_expanded(env, row, ids[number], states[number], state)
            env.load(np.arange(rows), state)
            for key, array in env.arrays.items():
                if key not in ("reward", "terminated", "truncated"):
                    assert np.array_equal(array, before[key]), key
            other.load(np.arange(rows), env.save())
            env.step(env.sample())


def _check_expanded(
    env: Env, row: int, move: np.ndarray, after: np.ndarray, before: np.ndarray
) -> None:
    """Hold the state after a move against what comes of its decisions."""
    rows = np.arange(env.n)
    env.load(rows, before)
    made = int(env.decided[row])
    for action in move[move >= 0][made:]:
        decided = np.full(env.n, -1, np.int32)
        decided[row] = action
        env.step(decided)
    stepped = {key: array[row].copy() for key, array in env.arrays.items()}
    env.load([row], after[None, :])
    for key, array in env.arrays.items():
        assert np.array_equal(array[row], stepped[key]), key
    env.load(rows, before)


@pytest.mark.at_night("[chess]")
@pytest.mark.parametrize("name", ["minichess", "go", "tic-tac-toe", "chess"])
def test_threads_make_no_difference(name: str) -> None:
    """Neither in threads, nor where this one has its share, or does little alone."""
    rules = rules_of(name)
    with Env(rules, 300, seed=9) as one, Env(rules, 300, seed=9, threads=3) as three:
        for turn in range(40):
            a, b = one.step(one.sample()), three.step(three.sample())
            assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
            if turn % 10 == 0:
                rows = np.arange(0, 300, 7)
                for x, y in zip(one.legal(rows), three.legal(rows), strict=True):
                    assert np.array_equal(x, y)
                a, b = one.load(rows, one.save(rows)), three.load(rows, three.save(rows))
                assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
                assert np.array_equal(one.observe(1)[0], three.observe(1)[0])


def test_what_is_not_legal_is_refused_whichever_thread_finds_it() -> None:
    with Env(rules_of("go"), 300, seed=1, threads=3) as env:
        for _ in range(20):
            env.step(env.sample())
        actions = env.sample()
        actions[[170, 290]] = env.actions.size
        before = env.save()
        with pytest.raises(IllegalMoveError, match="row 170"):
            env.step(actions)
        assert np.array_equal(env.save(), before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_threads_are_woken_anew_in_a_process_that_was_forked() -> None:
    with Env(rules_of("go"), 300, seed=1, threads=2) as env:
        for _ in range(20):
            env.step(env.sample())
        child = os.fork()
        if child == 0:
            try:
                for _ in range(20):
                    env.step(env.sample())
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        (np.array([1.0, 2.0]), "actions are whole numbers, such as np.int32, not float64"),
        (np.array([True, True]), "not bool"),
        (np.array([1]), r"have to have the shape \(2,\), not \(1,\)"),
        (np.array([-2, 1]), "Action -2 is not legal in row 0"),
        (np.array([1, 2**32 + 1]), "Action 2147483647 is not legal in row 1"),
        (np.array([1, 2**63], np.uint64), "Action 2147483647 is not legal in row 1"),
    ],
)
def test_what_are_no_actions_are_refused(actions: np.ndarray, told: str) -> None:
    with (
        Env(rules_of("tic-tac-toe"), 2) as env,
        pytest.raises((TypeError, ValueError, IllegalMoveError), match=told),
    ):
        env.step(actions)


def test_nothing_is_done_in_a_game_that_is_over() -> None:
    with Env(rules_of("tic-tac-toe"), 1, auto_reset=False) as env:
        for action in (1, 4, 2, 5, 3):
            env.step(np.array([action]))
        with pytest.raises(IllegalMoveError, match="its game is over"):
            env.step(np.array([7]))
        assert env.step(np.array([-1])).seat == [-2]


def test_an_action_below_the_numbers_loses_where_illegal_ones_do() -> None:
    with Env(rules_of("tic-tac-toe"), 1, illegal="lose") as env:
        assert env.step(np.array([-2])).reward.tolist() == [[-1.0, 1.0]]


def test_states_of_another_game_are_refused() -> None:
    small = load("hex", options={"size": 3})
    with Env(rules_of("tic-tac-toe"), 1) as one, Env(small, 1) as other:
        with pytest.raises(ValueError, match="no states of this game"):
            other.load([0], one.save())
        with pytest.raises(TypeError, match="uint8"):
            one.load([0], b"no")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "asked",
    [
        "reset",
        "sample",
        "save",
        "chance",
        "masks_together",
        "positions",
        "render",
        "playout",
        "expand",
        "legal",
    ],
)
def test_a_closed_environment_says_that_it_is(asked: str) -> None:
    env = Env(rules_of("tic-tac-toe"), 1)
    env.close()
    env.close()
    with pytest.raises(ValueError, match="closed"):
        getattr(env, asked)()
    with pytest.raises(ValueError, match="closed"):
        env.step(np.array([1]))
    with pytest.raises(TypeError, match="copied or pickled"):
        copy.copy(env)
