"""Positions with a forced win: that it is one, and that the engine finds it."""

from __future__ import annotations

import pytest

from interpreter import Engine, load
from interpreter.solve.solver import Solver
from tests.benchmarks.tactics import FOLDER, is_solved, kept

GAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
QUICK = ("bridg-it", "connect-four", "hex")
ITERATIONS = 20_000
NUMBER = 3


def test_there_are_positions() -> None:
    assert set(QUICK) < set(GAMES)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in GAMES]
)
def test_wins_that_are_kept_are_forced_and_found(name: str) -> None:
    rules = load(name)
    engine, solver = Engine(rules, seed=1), Solver(rules, method="proof", memory=64 << 20)
    for position in kept(name)[:NUMBER]:
        found = solver.solve(position)
        assert found.winner == position.mover
        assert is_solved(engine, solver, position, iterations=ITERATIONS)
