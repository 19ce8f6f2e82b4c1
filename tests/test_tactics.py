"""Positions with a forced win: that it is one, and that the engine finds it."""

from __future__ import annotations

import pytest

from interpreter import ForcedWins, load
from interpreter.solve.store import engine_for
from tests.benchmarks.tactics import FOLDER, is_solved, kept

GAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
QUICK = ("bridg-it", "chess", "connect-four", "go", "hex")
ITERATIONS = 200_000
NUMBER = 3


def test_there_are_positions() -> None:
    assert set(QUICK) < set(GAMES)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in GAMES]
)
def test_wins_that_are_kept_are_forced_and_found(name: str) -> None:
    rules = load(name)
    engine, search = engine_for(rules, seed=1), ForcedWins(rules)
    for tactic in kept(name)[:NUMBER]:
        found = search.solve(tactic.position, tactic.plies)
        assert found is not None and found.winner == tactic.position.mover
        assert found.result.plies == tactic.plies
        assert is_solved(engine, search, tactic, iterations=ITERATIONS)
