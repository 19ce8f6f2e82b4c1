"""Many random games, counts and steps at once, held against games and positions one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gdl.interpreter import RuleError, Rules, load
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime.rules import NativeRules

GAMES = (
    ("hex", {"size": 4, "pie": "yes"}),  # sides change their seats
    ("tic-tac-toe", {}),  # draws
    ("backgammon", {}),  # payoffs, chance
    ("goofspiel", {}),  # moves at once
    ("chinese-checkers", {}),  # unfinished games
    ("go", {"size": 5}),  # a history
)
SEED, MOST = 5, 200
PUZZLE = """
game: Guess
players: Solver
pieces: Stone
board: square(2, 1)
turn: |
  choose s in empty
  place Stone at s
end:
  - Solver wins when own = a1
  - Solver loses when turns = 1
"""


@pytest.mark.at_night("backgammon")
@pytest.mark.parametrize(("name", "options"), GAMES, ids=[name for name, _ in GAMES])
def test_each_of_many_games_is_that_which_is_played_alone(
    name: str, options: dict[str, str | int | bool]
) -> None:
    rules = load(name, options)
    start, sides = rules.start(), rules.sides
    games = rules.native().playouts(start, 60, SEED, max_plies=MOST, threads=2)
    alone = NativeRules(rules.game)
    for number in range(60):
        one = alone.playout(start.state, Chance(SEED, number), MOST)
        winners = () if one.outcome is None else one.outcome.winners
        seats = () if one.outcome is None else one.outcome.seats
        assert games.moves[number] == one.moves
        assert games.finished[number] == (one.outcome is not None)
        assert games.won_by_side[number].tolist() == [side in winners for side in sides]
        assert games.won_by_seat[number].tolist() == [n in seats for n in range(1, len(sides) + 1)]
        if games.payoffs is not None and one.outcome is not None:
            assert games.payoffs[number].tolist() == [float(p) for p in one.outcome.payoffs]
    assert (games.payoffs is not None) == rules.game.program.has_payoffs


@pytest.mark.parametrize(("name", "options"), GAMES, ids=[name for name, _ in GAMES])
def test_a_game_of_the_reference_has_the_row_of_native_code(
    name: str, options: dict[str, str | int | bool]
) -> None:
    rules = load(name, options)
    native, start = NativeRules(rules.game), rules.start().state
    filled, told = native.records(range(20, 50)), native.records(range(20, 50))
    native.playouts(start, 30, SEED, MOST, first=20, records=filled)
    for number in told.numbers:
        playout = native.playout(start, Chance(SEED, number), MOST)
        told.write(number, playout, rules.sides)
        begin = told.width * (number - 20)
        end = begin + told.width
        assert list(told.memory[begin:end]) == list(filled.memory[begin:end])


def test_points_are_shared() -> None:
    rules = load("tic-tac-toe")
    start = rules.start()
    games = rules.native().playouts(start, 500, SEED)
    drawn = ~games.won_by_seat.any(axis=1)
    assert len(games) == 500 and 0 < drawn.sum() < 500
    assert (games.points[drawn] == 0.5).all()
    assert (games.points[~drawn] == games.won_by_seat[~drawn]).all()
    unfinished = rules.native().playouts(start, 5, SEED, max_plies=3)
    assert not unfinished.finished.any() and (unfinished.points == 0.5).all()


def test_a_puzzle_gives_points_where_it_is_solved_alone(tmp_path: Path) -> None:
    path = tmp_path / "guess.yaml"
    path.write_text(PUZZLE)
    rules = load(str(path))
    games = rules.native().playouts(rules.start(), 40, SEED)
    solved = games.won_by_side[:, 0]
    assert games.finished.all() and 0 < solved.sum() < 40
    assert (games.points[:, 0] == solved).all()
    unfinished = rules.native().playouts(rules.start(), 5, SEED, max_plies=0)
    assert not unfinished.finished.any() and not unfinished.points.any()


def test_steps_and_counts_are_those_of_positions() -> None:
    rules = load("breakthrough")
    native = rules.native()
    positions = [rules.start()] * 3
    for _ in range(4):
        counts = native.perfts(positions)
        assert counts.tolist() == [len(position.moves()) for position in positions]
        picks = counts - np.arange(1, 4)
        expected = [p.play(p.moves()[pick]) for p, pick in zip(positions, picks, strict=True)]
        positions = native.step(positions, picks)
        assert positions == expected
    assert native.perft(positions[0], 2) == native.perfts(positions, 2)[0]
    assert rules.native() is native


def test_no_games_and_games_that_are_over_are_told_as_well() -> None:
    rules = load("tic-tac-toe")
    native, over = rules.native(), rules.start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        over = over.play(move)
    assert len(native.playouts(over, 0)) == 0
    games = native.playouts(over, 2)
    assert games.moves.tolist() == [0, 0] and games.won_by_side.tolist() == [[True, False]] * 2
    assert native.perfts([over]).tolist() == [0]
    with pytest.raises(IndexError):
        native.step([over], [0])
    with pytest.raises(ValueError):
        native.playouts(over, -1)


def test_rules_that_fail_are_told(failing: Rules) -> None:
    with pytest.raises(RuleError):
        failing.native().playouts(failing.start(), 10)


@pytest.fixture
def failing() -> Rules:
    """A game whose third move adds to a number as far as it goes."""
    from gdl.diagnostic import Source
    from gdl.load import load_source

    text = """\
game: Too Much
players: A, B
board: square(3, 3)
state: {n: number in 0..2 = 0}
turn: |
  choose s in empty
  place Stone at s
  add 1 to n
end: [draw when full]
"""
    return Rules(load_source(Source("too-much.yaml", text)))


def test_positions_and_numbers_that_do_not_fit_are_refused() -> None:
    batch, start = load("hex", {"size": 3}).native(), load("hex", {"size": 3}).start()
    other = load("tic-tac-toe").start()
    for play in (batch.playouts, batch.perft):
        with pytest.raises(ValueError, match="Tic-tac-toe, not of Hex"):
            play(other, 1)
    with pytest.raises(ValueError, match="depth: -1, and 0 is the least"):
        batch.perft(start, -1)
    for pick in (99, -1):
        with pytest.raises(IndexError, match=f"no legal move with the number {pick}"):
            batch.step([start], [pick])


def test_numbers_that_are_none_or_too_large_are_refused_and_long_games_end() -> None:
    rules = load("tic-tac-toe")
    batch, start = rules.native(), rules.start()
    for pick in (1 << 63, 1 << 64, 10**30, -1):
        with pytest.raises(IndexError):
            batch.step([start], [pick])
    for wrong in (lambda: batch.step([start], [1.5]), lambda: batch.playouts(start, 1, None)):  # type: ignore[list-item, arg-type]
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="max_plies: -1, and 0 is the least"):
        batch.playouts(start, 1, max_plies=-1)
    for longest in ((1 << 63) - 1, 1 << 63, 1 << 64):
        assert batch.playouts(start, 3, max_plies=longest).finished.all()
