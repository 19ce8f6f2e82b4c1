"""Random games that are broken off: where, by what positions are judged, and that it helps."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from command_line import gdl

from gdl.core.nodes import Closure, Expression
from gdl.interpreter import Engine, Position, Rules, load
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.search.binding import Binding
from gdl.interpreter.search.evaluation.outlook import outlook, rings_around
from gdl.load import load_game

NEWCOMERS = Path(__file__).parent / "newcomers"
_RACE = """
game: Race
players: White, Black
board: square(3, 8)
setup: {White Stone: rows(1), Black Stone: rows(8)}
define: {home(White): top, home(Black): bottom}
turn: |
  choose s in own
  choose t in orthogonal(s) & empty
  move s to t
stuck: passes
end: mover wins when own in home(mover)
"""


def bound(rules: Rules) -> tuple[NativeRules, Binding]:
    """Return the native code of a game, and what binds it."""
    native = NativeRules(rules.game)
    return native, Binding(rules.game, native.code)


def promised(rules: Rules, position: Position) -> list[int]:
    """Return the numbers of the outlook, as the reference works them out."""
    terms = bound(rules)[1].outlook
    return [ReferenceRules(rules.game).value(position.state, term) for term in terms]


@pytest.fixture
def race(tmp_path: Path) -> Rules:
    path = tmp_path / "race.yaml"
    path.write_text(_RACE.strip(), encoding="utf-8")
    return load(str(path))


@pytest.mark.at_night("chinese-checkers", "twixt", "hive")
@pytest.mark.parametrize("name", ["hive", "halma", "chinese-checkers", "abalone", "twixt"])
def test_long_random_games_are_broken_off(name: str) -> None:
    assert Engine(load(name)).breaks_off


@pytest.mark.parametrize("name", ["hex", "connect-four", "tumbleweed", "royal-game-of-ur"])
def test_those_that_end_are_not(name: str) -> None:
    assert not Engine(load(name)).breaks_off


@pytest.mark.slow
def test_a_newcomers_game_of_long_games_has_an_opponent() -> None:
    rules = load(str(NEWCOMERS / "epaminondas.yaml"))
    engine = Engine(rules, seed=1)
    assert engine.breaks_off
    found = engine.analyse(rules.start(), iterations=400)
    assert found.best is not None and 0 < found.best.value < 1


@pytest.mark.parametrize("path", sorted(NEWCOMERS.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_examples_of_newcomers_games_hold(path: Path) -> None:
    assert gdl("test", path).exit_code == 0


@pytest.mark.parametrize(("name", "goals"), [("hex", 2), ("quadrant-hex", 10), ("twixt", 2)])
def test_a_flood_is_worked_out_once_for_each_goal(name: str, goals: int) -> None:
    """Not once for each ring around the goal, nor for each phase that has the same ending."""
    game = load_game(name)
    terms = outlook(game, game.program, frozenset(game.program.state))
    assert sum(map(written_floods, terms)) == goals


def written_floods(node: Expression) -> int:
    """Return how many floods code has that is written from an expression."""
    return isinstance(node, Closure) + sum(map(written_floods, node.parts()))


@pytest.mark.at_night("stratego", "twixt", "hive")
@pytest.mark.parametrize("name", ["hive", "halma", "twixt", "stratego"])
def test_native_numbers_are_those_of_the_reference(name: str) -> None:
    game = load_game(name)
    native, binding = bound(Rules(game))
    reference, start = ReferenceRules(game), native.start()
    seat = binding.seat(start, 1, 0, 200)
    assert binding.outlook
    for number, plies in enumerate((0, 7, 60, 150)):
        state = native.playout(start, Chance(1, number), plies).state
        binding.play_at_random(seat, start, Chance(1, number), plies)
        assert binding.outlook_in(seat) == [reference.value(state, one) for one in binding.outlook]


def test_who_is_nearer_to_the_goal_has_the_better_outlook(race: Rules) -> None:
    even = promised(race, race.start())
    ahead = promised(race, race.position("OOO/.../.../.../.../.../XXX/..."))
    behind = promised(race, race.position("OOO/.../.../.../.../.../.../XXX"))
    assert even[0] == behind[0] == 0 < ahead[0]


def test_rings_go_on_as_far_as_there_are_more_sites(race: Rules) -> None:
    adjacent = race.game.relations["adjacent"]
    rings = rings_around(0b111, adjacent)
    assert [one.bit_count() for one in rings] == [3, 6, 9, 12, 15, 18, 21, 24]


def test_an_engine_comes_nearer_to_its_goal_than_chance() -> None:
    rules = load("halma")
    native, _ = bound(rules)
    engine, chance = Engine(rules, seed=1), random.Random(1)
    position = Rules(rules.game, native).start()
    for ply in range(24):
        if ply % 2 == 0:
            best = engine.analyse(position, iterations=2000, lines=0).best_move
            assert best is not None
        else:
            best = chance.choice(position.moves())
        position = position.after(best)
    assert promised(rules, position)[0] > 60


@pytest.mark.slow
def test_a_search_says_the_same_again() -> None:
    rules = load("abalone")
    found = [Engine(rules, seed=7).analyse(rules.start(), iterations=200) for _ in range(2)]
    assert [(m.move, m.visits, m.value) for m in found[0].moves] == [
        (m.move, m.visits, m.value) for m in found[1].moves
    ]


def test_games_are_played_to_their_ends_where_that_is_asked() -> None:
    rules = load("abalone")
    assert not Engine(rules, breaks_off=False).breaks_off
