"""Chance, rounds of all sides, what seats are told, random games, arrays of one's own."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from library_games import deep_games, games_with, shipped

from gdl.diagnostic import GameError, Source
from gdl.interpreter import load
from gdl.interpreter.environment import Env, arrays_of, symmetries_of
from gdl.interpreter.environment.actions import actions_of
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import IllegalMoveError
from gdl.load import load_source, shipped_names
from gdl.model import Game


@pytest.mark.parametrize("name", deep_games(games_with("random")))
def test_chance_is_shared_out_as_its_moves_are(name: str) -> None:
    """The share of a decision is the part of all moves that go on with it."""
    with Env(shipped(name), 2, seed=1, chance="explicit") as env:
        met = 0
        for _ in range(12):
            shares = env.chance()
            begins, ids = env.legal()
            for row in range(env.n):
                if env.now.seat[row] != -1:
                    assert not shares[row].any()
                    continue
                made = int(env.decided[row])
                moves = ids[begins[row] : begins[row + 1], made]
                wanted = np.zeros(env.actions.size)
                for action, number in Counter(moves.tolist()).items():
                    wanted[action] = number / len(moves)
                assert shares[row] == pytest.approx(wanted)
                assert (shares[row] > 0).tolist() == (env.now.mask[row] > 0).tolist()
                met += 1
            env.step(env.sample())
        assert met


def test_chance_is_drawn_in_between() -> None:
    with Env(load("royal-game-of-ur"), 8, seed=3) as env:
        for _ in range(50):
            assert (env.step(env.sample()).seat >= 0).all()


def test_whole_moves_are_drawn_equally_likely() -> None:
    """Of two ways on, one with more moves behind it is drawn more often, as often as they are."""
    with Env(load("kayles"), 2000, seed=5, auto_reset=False) as env:
        begins, ids = env.legal([0])
        wanted = Counter(ids[begins[0] : begins[1], 0].tolist())
        drawn = Counter(env.sample(by="move").tolist())
        total = sum(wanted.values())
        for action, number in wanted.items():
            expected = env.n * number / total
            assert abs(drawn[action] - expected) < 5 * expected**0.5 + 5


def test_sides_that_decide_together_do_so_in_one_step() -> None:
    rules = load("goofspiel")
    with Env(rules, 4, seed=2) as env:
        masks = env.masks_together()
        assert masks.any(axis=2).all(), "each seat has something to decide"
        assert np.array_equal(masks[np.arange(4), env.now.seat], env.now.mask)
        before = env.positions()
        chosen = masks.argmax(axis=2).astype(np.int32)
        env.step_together(chosen)
        after = env.positions()
        for first, second in zip(before, after, strict=True):
            assert first.phase == second.phase and first.state != second.state
            assert not second.is_undecided


def test_in_other_games_only_the_seat_on_turn_decides() -> None:
    with Env(load("tic-tac-toe"), 2) as env:
        masks = env.masks_together()
        assert masks[:, 0].any() and not masks[:, 1].any()
        step = env.step_together(np.array([[1, 2], [3, 4]], np.int32))
        assert step.mask[:, 1:5].tolist() == [[0, 1, 1, 1], [1, 1, 0, 1]]


def test_seats_remember_what_they_were_told() -> None:
    """The one who decides knows the decision; the other only where the rules tell it."""
    with Env(load("dark-hex"), 1, seed=1, recall=8) as env:
        env.step(np.array([1], np.int32))
        own, count = env.information(0)
        other, same_count = env.information(1)
        assert count.tolist() == same_count.tolist() == [1]
        assert own[0, 0, :2].tolist() == [0, 1]
        assert other[0, 0, :2].tolist() == [0, -1]
    with Env(load("tic-tac-toe"), 1, recall=4) as env:
        for action in (1, 5, 9):
            env.step(np.array([action], np.int32))
        for seat in (0, 1):
            events, count = env.information(seat, 4)
            assert events[0, :, :2].tolist() == [[0, 1], [1, 5], [0, 9], [-1, -1]]


def test_what_two_games_tell_alike_is_remembered_alike() -> None:
    """Where the other side decided something else that nobody saw, one can't tell it."""
    with Env(load("dark-hex"), 2, seed=1, recall=8) as env:
        env.step(np.array([1, 7], np.int32))
        one, other = env.information(1)[0]
        assert np.array_equal(one, other)
        mine, yours = env.information(0)[0]
        assert not np.array_equal(mine, yours)


@pytest.mark.parametrize("name", ["tic-tac-toe", "nine-mens-morris"])
def test_random_games_from_rows_are_worth_what_random_games_are(name: str) -> None:
    rules = load(name)
    with Env(rules, 40, seed=1, auto_reset=False) as env:
        found = env.playout(games=20)
        again = env.save()
        assert found.shape == (40, 2)
        assert found.sum(axis=1) == pytest.approx(0, abs=1e-5)
        assert np.array_equal(env.load(np.arange(40), again).mask, env.now.mask)
        wins = rules.native().playouts(rules.start(), 800, seed=7).won_by_side.sum(axis=0)
        expected = (wins[0] - wins[1]) / 800
        assert abs(found[:, 0].mean() - expected) < 0.25


def test_a_random_game_from_the_middle_of_a_turn_completes_it() -> None:
    with Env(load("breakthrough"), 4, seed=1) as env:
        env.step(env.sample())
        before = {key: array.copy() for key, array in env.arrays.items()}
        assert env.playout(games=3).shape == (4, 2)
        assert np.array_equal(before["mask"], env.now.mask)
        assert np.array_equal(before["group"], env.now.group)
        env.step(env.sample())


def test_positions_are_put_into_rows() -> None:
    rules = load("minichess")
    position = rules.start()
    for _ in range(2):
        position = position.play(position.moves()[1])
    with Env(rules, 3) as env:
        step = env.put([1], [position])
        assert env.positions([1])[0].state == position.state
        asked = {env.actions.text(a) for a in np.flatnonzero(step.mask[1])}
        assert asked == {move.words[0] for move in position.moves()}


def test_arrays_may_be_the_callers_own() -> None:
    rules = load("tic-tac-toe")
    mask = np.zeros((3, 10), np.uint8)
    with Env(rules, 3, out={"mask": mask}) as env:
        assert env.now.mask is mask and mask[:, 1:].all()
        assert env.spec["mask"] == ((3, 10), np.dtype(np.uint8))
    with pytest.raises(ValueError, match="contiguous"):
        Env(rules, 3, out={"mask": mask[:, ::2]})
    with pytest.raises(ValueError, match="no array called `masks`"):
        Env(rules, 3, out={"masks": mask})


def test_what_is_not_legal_is_refused_or_loses() -> None:
    rules = load("tic-tac-toe")
    with Env(rules, 2) as env:
        env.step(np.array([1, 2], np.int32))
        before = env.save()
        with pytest.raises(IllegalMoveError, match=r"Action 2 \(b1\) is not legal in row 1"):
            env.step(np.array([3, 2], np.int32))
        assert np.array_equal(env.save(), before), "nothing has changed in any row"
        step = env.step(np.array([-1, 3], np.int32))
        assert step.seat.tolist() == [1, 0]
    with Env(rules, 2, illegal="lose", auto_reset=False) as env:
        env.step(np.array([1, 1], np.int32))
        step = env.step(np.array([1, 2], np.int32))
        assert step.reward.tolist() == [[1, -1], [0, 0]]
        assert step.terminated.tolist() == [True, False] and step.seat.tolist() == [-2, 0]


def test_games_that_are_too_long_are_cut_off() -> None:
    with Env(load("hex"), 2, max_plies=3, auto_reset=False) as env:
        ends = [env.step(env.sample()).truncated.all() for _ in range(3)]
        assert ends == [False, False, True]


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_symmetric_games_have_symmetric_arrays(name: str) -> None:
    game = shipped(name)
    if game.board.size > 100 and name != "hex":
        pytest.skip("its board is large, and proofs take long")
    found = symmetries_of(game)
    assert found.sites[0].tolist() == list(range(game.board.size))
    if len(found.sites) == 1 or any(phase.by_chance for phase in game.program.phases):
        return
    g = len(found.sites) - 1
    sites, actions = found.sites[g], found.actions[g]
    with Env(game, 1, seed=3, auto_reset=False) as one, Env(game, 1, auto_reset=False) as other:
        begun = one.now.observation
        moved = np.zeros_like(begun)
        moved[..., sites] = begun
        if not np.array_equal(moved, other.now.observation):
            return  # the set-up is not symmetric
        for _ in range(30):
            chosen = one.sample()
            if chosen[0] < 0:
                break
            a, b = one.step(chosen), other.step(actions[chosen])
            moved = np.zeros_like(a.observation)
            moved[..., sites] = a.observation
            assert np.array_equal(moved, b.observation)
            assert np.array_equal(a.mask[0], b.mask[0][actions])
            assert np.array_equal(a.reward, b.reward)


def test_boards_are_graphs_and_grids() -> None:
    arrays = arrays_of(shipped("connect-four"))
    assert arrays.grid is not None and arrays.grid.shape == (6, 7)
    board = shipped("connect-four").board
    assert board.sites[arrays.grid[5, 0]].name == "a1"
    assert arrays.edges.shape == (2, len(arrays.relation))
    east = arrays.relation == arrays.names.index("east")
    source, target = arrays.edges[:, east]
    assert (arrays.xy[target, 0] - arrays.xy[source, 0] == 1).all()
    assert arrays_of(shipped("nine-mens-morris")).xy.shape == (24, 2)


@pytest.mark.parametrize("name", ["breakthrough", "minichess", "royal-game-of-ur", "kayles"])
def test_whole_moves_have_numbers_of_their_own(name: str) -> None:
    """By moves, masks are the legal moves, and what comes of a move is what the rules say."""
    rules = load(name)
    with Env(rules, 3, seed=2, by="move", chance="explicit") as env:
        assert env.now.mask.shape == (3, env.actions.flat())
        for _ in range(20):
            positions = env.positions()
            for row, position in enumerate(positions):
                ids = [env.actions.ids(position, move) for move in position.moves()]
                padded = np.full((len(ids), max(map(len, ids))), -1, np.int32)
                for place, each in enumerate(ids):
                    padded[place, : len(each)] = each
                numbers = env.actions.flat_of(padded)
                assert sorted(numbers.tolist()) == np.flatnonzero(env.now.mask[row]).tolist()
                again = env.actions.decisions_of(numbers)[:, : padded.shape[1]]
                assert np.array_equal(again, padded)
            chosen = env.sample()
            step = env.step(chosen)
            for row, position in enumerate(positions):
                decided = env.actions.decisions_of(chosen[row : row + 1])[0]
                move = env.actions.move(position, decided[decided >= 0])
                after = position.play(move)
                assert step.terminated[row] == after.over
                if not after.over:
                    assert env.positions([row])[0].state == after.state
    with pytest.raises(ValueError, match="more than 65,536"):
        Env(load("amazons"), by="move")


def test_moves_that_are_not_legal_are_refused_by_number() -> None:
    with Env(load("breakthrough"), 2, by="move") as env:
        with pytest.raises(IllegalMoveError, match="Move 1 is not legal in row 0"):
            env.step(np.array([1, -1], np.int32))
        with pytest.raises(ValueError, match="a decision at a time"):
            env.masks_together()


HEAP = """
game: heap
players: A, B
board: square(1, 1)
state: {heap: number = 21}
turn: |
  choose n in 1..heap
  add 0 - n to heap
stuck: loses
"""


def _text_game(text: str) -> Game:
    return load_source(Source("heap.yaml", text))


def test_numbers_that_only_shrink_are_bounded_by_those_of_the_start() -> None:
    (group,) = actions_of(_text_game(HEAP)).groups
    assert (group.low, group.size) == (1, 21)


def test_turns_are_counted_though_no_statement_does() -> None:
    """What is made of their number is as large as that: no action, and no scale of a scalar."""
    counted = HEAP.replace("heap: number = 21", "heap: number = 0")
    by_turns = counted.replace("1..heap", "0..turns").replace("0 - n", "turns")
    with pytest.raises(GameError, match="no-actions"):
        actions_of(_text_game(by_turns))
    kept = HEAP.replace("heap: number = 21", "heap: number = 21, last: number = 0")
    with Env(_text_game(kept.replace("add 0", "set last = turns\n  add 0")), 1) as env:
        (last,) = (scalar for scalar in env.scalars if scalar.name == "last")
        assert last.high == float("inf")


FAILING = """
game: heap
players: A, B
board: square(3, 3)
pieces: Stone
state: {score: number in 0..3 = 0}
turn: |
  choose s in empty
  place Stone at s
  add 2 to score
end: draw when full
"""


def test_rules_that_fail_say_so() -> None:
    with Env(_text_game(FAILING), 2) as env:
        env.step(np.array([1, 1], np.int32))
        with pytest.raises(RuleError, match="score"):
            env.step(np.array([2, -1], np.int32))
        assert env.positions([0])[0].state == env.positions([1])[0].state, "it is as it was"
        assert env.sample().min() > 0


def test_numbers_without_a_bound_are_refused() -> None:
    with pytest.raises(GameError, match="no-actions"):
        actions_of(_text_game(HEAP.replace("0 - n", "n")))
