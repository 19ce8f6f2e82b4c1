"""Quick wins that are found by every way, and how the engine uses them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from gdl.interpreter import Engine, Position, load
from gdl.interpreter.search.analysis import MoveAnalysis
from gdl.interpreter.search.engine import quick_win
from gdl.interpreter.solve.store import QuickWins, engine_for
from tests.benchmarks.tactics import kept


@dataclass
class Oracle:
    """Says that a move wins, and counts how often it is asked."""

    text: str = ""
    asked: list[tuple[int, float]] = field(default_factory=list)

    def find(
        self, position: Position, plies: int, seconds: float, first: Sequence[int] = ()
    ) -> MoveAnalysis | None:
        legal = range(len(position.moves()))
        assert first and len(first) == len(set(first)) and set(first) <= set(legal)
        self.asked.append((plies, seconds))
        found = [move for move in position.moves() if move.text == self.text]
        return MoveAnalysis(found[0], 0, 1.0, (1.0, 1.0), 3, (found[0],)) if found else None


def test_a_win_that_is_found_is_the_best_move() -> None:
    position = load("hex").start()
    engine = Engine(position.rules, seed=1)
    engine.wins = oracle = Oracle("a1")
    found = engine.analyse(position, seconds=0.5)
    assert found.best is not None and found.best.move.text == "a1" and found.best.is_proven
    assert found.verdict == f"{position.mover} wins in 3 moves at most"
    assert found.value == {side: float(side == position.mover) for side in position.rules.sides}
    texts = [one.move.text for one in found.moves]
    assert len(texts) > 1 and texts.count("a1") == 1
    (asked,) = oracle.asked
    assert asked in ((3, pytest.approx(0.025)), (9, pytest.approx(0.1)))


def test_wins_are_looked_for_where_there_is_time_and_nothing_is_proven() -> None:
    position = load("hex").start()
    engine = Engine(position.rules, seed=1)
    engine.wins = oracle = Oracle()
    engine.analyse(position, iterations=1000)
    engine.analyse(position, seconds=0.02)
    engine.analyse(position, iterations=40, seconds=3.0)  # as a level does
    assert not oracle.asked
    assert engine.analyse(position, seconds=0.3).best is not None
    assert len(oracle.asked) == 1
    proven = kept("hex", 1)[0].position
    engine.analyse(proven, iterations=200_000)
    engine.analyse(proven, seconds=0.3)
    assert len(oracle.asked) == 1


@pytest.mark.slow
def test_longer_wins_are_looked_for_where_the_search_is_slow() -> None:
    engine, fast = Engine(load("hive"), seed=1), Oracle()
    engine.wins = slow = Oracle()
    engine.analyse(engine.rules.start(), seconds=0.3)
    quick_win(fast, load("tic-tac-toe").start(), 100_000, 0.3, [0])
    assert slow.asked[0] > fast.asked[0] and slow.asked[0][0] > 3


def test_the_quickest_win_is_found() -> None:
    for name in ("hnefatafl", "halma"):
        tactic = kept(name, 1)[0]
        rules = tactic.position.rules
        wins = QuickWins(rules, Engine(rules))
        found = wins.find(tactic.position, tactic.plies, 60)
        assert found is not None and found.is_proven and found.plies == tactic.plies
        assert wins.find(tactic.position, tactic.plies - 1, 60) is None


def test_what_is_lost_or_hidden_or_takes_too_long_is_no_win() -> None:
    rules = load("tic-tac-toe")
    position = rules.start()
    for move in ("b2", "a2", "a1"):
        position = position.play(move)
    assert QuickWins(rules, Engine(rules)).find(position, 4, 60) is None
    assert QuickWins(rules, Engine(rules)).find(rules.start(), 9, 0.0) is None
    hidden = load("phantom-tic-tac-toe")
    assert QuickWins(hidden, Engine(hidden)).find(hidden.start(), 3, 60) is None


def test_games_that_pay_are_searched_for_what_they_pay() -> None:
    assert engine_for(load("hnefatafl")).wins is not None
    assert engine_for(load("backgammon")).wins is None
