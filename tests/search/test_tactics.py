"""Positions with a forced win: that it is one, and that the engine finds it."""

from __future__ import annotations

import random
from functools import reduce
from itertools import pairwise

import pytest

from gdl.interpreter import ForcedWins, Position, Rules, load
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.solve.store import engine_for
from tests.benchmarks.games_to_the_end import Players
from tests.benchmarks.tactics import FOLDER, by_processor, is_solved, kept

GAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
QUICK = ("bridg-it", "connect-four", "go", "hex")
SECONDS = 60
NUMBER = 3


def test_there_are_positions() -> None:
    assert set(QUICK) < set(GAMES)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in GAMES]
)
def test_wins_that_are_kept_are_forced_and_found(name: str) -> None:
    rules = load(name)
    engine, search = engine_for(rules, seed=1), ForcedWins(rules)
    for tactic in kept(name, NUMBER):
        found = search.solve(tactic.position, tactic.plies)
        assert found is not None and found.winner == tactic.position.mover
        assert found.result.plies == tactic.plies
        with by_processor():
            assert is_solved(engine, search, tactic, seconds=SECONDS)


def _wins_at_once(position: Position) -> bool:
    after = (position.play(move) for move in position.moves())
    return any(one.outcome is not None and position.mover in one.outcome.winners for one in after)


def test_careful_sides_give_no_win_away() -> None:
    rules = load("connect-four")
    native = Rules(rules.game, NativeRules(rules.game))
    games = Players(native, random.Random(1), search=ForcedWins(native), again=2).games()
    for _ in range(4):
        moves, positions = next(games)
        assert positions[-1].over
        assert len(moves) == len(positions) - 1
        for before, after in zip(positions[Players.opening :], positions[5:], strict=False):
            if not after.over:
                assert not _wins_at_once(before)
            if not after.over and _wins_at_once(after):
                assert all(_wins_at_once(before.play(move)) for move in before.moves())


def test_sides_move_towards_their_aim() -> None:
    rules = load("connect-four")
    native = Rules(rules.game, NativeRules(rules.game))
    aim = "sum s in own of column(s)"
    moves, positions = next(Players(native, random.Random(1), aim=aim, opening=0).games())
    rightmost = [max(move.text for move in before.moves()) for before in positions[:-1]]
    assert sum(map(str.__eq__, moves, rightmost)) > len(moves) * 3 // 4


def test_positions_nearby_differ_by_the_last_moves() -> None:
    rules = load("connect-four")
    players = Players(Rules(rules.game, NativeRules(rules.game)), random.Random(1))
    moves, positions = next(players.games())
    nearby = list(players.near(moves[:12], positions[:13], 20))
    assert any(others != moves[:12] for others, _ in nearby)
    for others, position in nearby:
        assert len(others) == 12 and others[:8] == moves[:8]
        assert position == reduce(Position.play, others, positions[0])


def test_a_side_stifles_the_weak_other_one() -> None:
    rules = load("domineering")
    players = Players(
        Rules(rules.game, NativeRules(rules.game)),
        random.Random(1),
        opening=0,
        stifle=True,
        weak=True,
    )
    games = players.games()
    for weak in (1, 2):
        _, positions = next(games)
        fewest = [
            len(after.moves()) == min(len(before.play(move).moves()) for move in before.moves())
            for before, after in pairwise(positions)
            if before.seat != weak
        ]
        assert sum(fewest) >= len(fewest) * 3 // 4
