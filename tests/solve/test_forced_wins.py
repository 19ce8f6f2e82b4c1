"""Wins that can be forced within so many plies, held against plain search by the rules."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.diagnostic import GameError, Source
from gdl.interpreter import load
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.solve.clock import OutOfTime
from gdl.interpreter.solve.forced_wins import ForcedWins
from gdl.interpreter.solve.retrograde import NoRoom
from gdl.load import load_source


def plainly(position: Position, seat: int, plies: int) -> bool:
    """Return whether a seat forces a win in so many plies, as its definition says.

    Where chance decides, no seat does.
    """
    outcome = position.outcome
    if outcome is not None:
        return outcome.seats == (seat,)
    if plies == 0:
        return False
    found = (plainly(position.play(move), seat, plies - 1) for move in position.moves())
    return any(found) if position.seat == seat else all(found)


def near_the_end(rules: Rules, chance: random.Random, most: int) -> list[Position]:
    """Return the last positions, so many at most, of a random game that somebody wins."""
    while True:
        positions = [rules.start()]
        while not positions[-1].over and len(positions) < 1000:
            positions.append(positions[-1].play(chance.choice(positions[-1].moves())))
        outcome = positions[-1].outcome
        if outcome is not None and len(outcome.seats) == 1:
            return positions[-1 - most : -1]


@pytest.mark.at_night("nine-mens", "einstein", "trellis", "othello")
@pytest.mark.parametrize(
    ("name", "options", "plies"),
    [
        ("tic-tac-toe", {}, 4),
        ("connect-four", {}, 4),
        ("othello", {"size": 6}, 4),
        ("clobber", {}, 4),
        ("go", {"size": 4}, 3),
        ("nine-mens-morris", {}, 2),
        pytest.param("minichess", {}, 3, marks=pytest.mark.slow),
        ("dots-and-boxes", {}, 4),
        ("trellis", {"size": 3}, 2),
        pytest.param("breakthrough", {}, 3, marks=pytest.mark.slow),
        ("einstein", {}, 3),
        pytest.param("onitama", {}, 3, marks=pytest.mark.slow),
        ("royal-game-of-ur", {}, 2),
    ],
)
def test_it_finds_what_plain_search_finds(name: str, options: dict, plies: int) -> None:
    loaded = load(name, options)
    assert wins_compared(Rules(loaded.game, NativeRules(loaded.game)), plies) > 3


def test_a_position_that_comes_again_may_decide() -> None:
    text = """
game: Back again
players: A, B
pieces: Stone
board: square(5, 4)
setup: {A Stone: a1 | c3, B Stone: e4 | c1}
turn: |
  choose s in own
  choose t in orthogonal(s) & empty
  move s to t
end: mover wins when seen(board) >= 1
"""
    game = load_source(Source("game.yaml", text))
    assert wins_compared(Rules(game, NativeRules(game)), 3) > 3


def wins_compared(rules: Rules, plies: int) -> int:
    """Compare what is found near the end of four random games; return how many wins there were."""
    search, chance, won = ForcedWins(rules), random.Random(rules.name), 0
    for _ in range(4):
        for position in near_the_end(rules, chance, plies + 1):
            wanted = {
                (n, seat): plainly(position, seat, n) for n in range(plies + 1) for seat in (1, 2)
            }
            first = min((key for key, is_won in wanted.items() if is_won), default=None)
            found = search.solve(position, plies)
            if found is None or found.winner is None:
                assert first is None
                continue
            assert first == (found.result.plies, position.seat_of(found.winner))
            end = position
            for move in found.line:
                end = end.play(move)
            assert end.outcome is not None and end.outcome.seats == (first[1],)
            assert len(found.line) == first[0]
            won += 1
    return won


def test_mates_of_chess() -> None:
    """Légal's mate, and the shortest there is."""
    rules = load("chess")
    search = ForcedWins(rules)
    legal = "e2-e4, e7-e5, g1-f3, d7-d6, f1-c4, c8-g4, b1-c3, g7-g6, f3-e5, g4-d1"
    position = rules.start()
    for move in legal.split(", "):
        position = position.play(move)
    assert search.solve(position, 2) is None
    found = search.solve(position, 5)
    assert found is not None and found.told == "White wins" and found.is_shortest
    assert [move.text for move in found.line] == ["c4-f7", "e8-e7", "c3-d5"]
    assert [move.text for move in found.best] == ["c4-f7"]
    fools = rules.start().play("f2-f3").play("e7-e5").play("g2-g4")
    found = search.solve(fools, 1)
    assert found is not None and (found.told, found.result.plies) == ("Black wins", 1)


def test_with_code_that_is_there_no_random_games_are_compiled() -> None:
    """A check looks for little: to compile its code well would take longer than the search."""
    rules = load("tic-tac-toe")
    native, position = NativeRules(rules.game), rules.start().play("a1").play("b1")
    found = ForcedWins(rules, native=native).quickest(position, 5)
    assert found is not None and found == ForcedWins(rules).quickest(position, 5)
    assert not native.code.games.is_compiled


def test_it_tells_what_it_cannot_do() -> None:
    with pytest.raises(GameError, match="don't see all"):
        ForcedWins(load("phantom-tic-tac-toe"))
    rules = load("breakthrough")
    with pytest.raises(NoRoom):
        ForcedWins(rules, memory=1000).solve(rules.start(), 5)
    with pytest.raises(OutOfTime):
        ForcedWins(rules).solve(rules.start(), 20, seconds=0.3)
    with pytest.raises(ValueError, match="no more than 60 plies"):
        ForcedWins(rules).solve(rules.start(), 61)


def test_rules_that_fail_tell_where() -> None:
    text = """
game: Too much
players: A, B
pieces: Stone
board: square(3, 1)
state: {n: number in 0..2}
turn: |
  choose s in empty
  place Stone at s
  add 1 to n
stuck: loses
"""
    rules = Rules(load_source(Source("game.yaml", text)))
    with pytest.raises(RuleError) as caught:
        ForcedWins(rules).solve(rules.start(), 4)
    assert caught.value.diagnostic.span is not None


def test_a_command_looks_for_a_win() -> None:
    asked = ["solve", "chess", "--after", "f2-f3, e7-e5, g2-g4", "--plies"]
    found = CliRunner().invoke(make_app(), [*asked, "3"])
    assert found.exit_code == 0 and "Black wins in 1 move." in found.stdout
    assert "d8-h4  wins   1" in found.stdout
    told = CliRunner().invoke(make_app(), ["solve", "chess", "--plies", "3", "--json"])
    assert told.exit_code == 1 and json.loads(told.stdout)["result"] == "unknown"
    assert json.loads(told.stdout)["to_move"] == {"side": "White", "seat": 1}
    refused = CliRunner().invoke(make_app(), [*asked, "3", "--each-move"])
    assert refused.exit_code == 2


@pytest.mark.parametrize("name", ["connect-four", "clobber", "nine-mens-morris"])
def test_moves_that_win_at_once_or_let_the_other_side_do_so_are_known(name: str) -> None:
    rules = load(name)
    search, chance = ForcedWins(rules), random.Random(name)
    for position in [one for _ in range(3) for one in near_the_end(rules, chance, 5)]:
        after = {move: position.play(move) for move in position.moves()}
        seat = position.seat or 1
        wins = {move for move, one in after.items() if plainly(one, seat, 0)}
        losses = {move for move, one in after.items() if plainly(one, 3 - seat, 1)}
        known = search.known(position, 2)
        assert {one.move for one in known if one.result.for_seat(seat) == 1} == wins
        if not wins:
            assert {one.move for one in known if one.result.for_seat(seat) == 0} == losses


def test_a_move_that_others_rule_out_is_not_made_before_them() -> None:
    """Where the move with least of something alone is legal, what settled a position may not be."""
    rules = load("antichess")
    lines = (
        (Path(__file__).parents[1] / "tactics" / "antichess.jsonl").read_text("utf-8").splitlines()
    )
    for line in lines[4:6]:
        told = json.loads(line)
        position = rules.start()
        for move in told["after"].split(", "):
            position = position.play(move)
        found = ForcedWins(rules).solve(position, 5)
        assert found is not None and found.result.plies == told["plies"]
