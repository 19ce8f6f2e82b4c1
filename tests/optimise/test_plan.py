"""What is known of a program before it runs, and the words for it."""

from __future__ import annotations

import pytest
from library_games import deep_games, shipped

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.plan import Plan, plan_for_code
from gdl.analysis.plan_in_words import plan_in_words
from gdl.analysis.ranges import Range
from gdl.core import build
from gdl.core.nodes import Assign, Expression, Get, Let, Slot
from gdl.core.types import NUMBER
from gdl.core.walk import decisions_in
from gdl.diagnostic import Source
from gdl.load import load_source, shipped_names
from gdl.model import Game

GAME = """\
game: Drops
players: Black, White
board: square(4, 4)
state:
  score(players): number in 0..20 = 0
turn: |
{turn}
end:
  - {end}
  - draw when no empty
stuck: passes
"""


SIXTEEN = "the number of candidates for s (at most 16)"


def game_of(turn: str, end: str = "mover wins when score(mover) = 20") -> Game:
    lines = "\n".join(f"  {line}" for line in turn.split("\n"))
    return load_source(Source("drops.yaml", GAME.format(turn=lines, end=end)))


def planned(game: Game) -> Plan:
    return plan_for_code(game.program, len(game.board.sites))


def words_of(turn: str, end: str = "mover wins when score(mover) = 20") -> list[str]:
    game = game_of(turn, end)
    text = plan_in_words(planned(game), game.sides)
    return [line.strip() for line in text.splitlines()]


def test_a_choice_with_nothing_after_it_is_drawn_once() -> None:
    words = words_of("choose s in empty\nplace Stone at s")
    assert "7:3 choose s: one way on at most" in words
    assert f"a random move is drawn without a search: a number below {SIXTEEN}" in words


def test_bounds_and_conditions_are_told_with_their_places() -> None:
    words = words_of(
        "choose a in own\nchoose b in orthogonal(a) & empty\nmove a to b\nrequire count(own) > 1"
    )
    assert "7:3 choose a: at most 4 ways on" in words
    assert "10:3 a move is ruled out unless `count(own) > 1`" in words
    drawn = next(line for line in words if line.startswith("a random move"))
    assert "a number below 4 × the number of candidates for a (at most 64)" in drawn
    assert drawn.endswith("and again where it names no legal move")


def test_effects_before_choices_that_do_not_bear_upon_them_stand_in_the_way_of_no_draw() -> None:
    drawn = f"a random move is drawn without a search: a number below {SIXTEEN}"
    turn = "set score(mover) = score(mover) + 1\nchoose s in empty{where}\nplace Stone at s"
    assert drawn in words_of(turn.format(where=""))
    bearing = words_of(turn.format(where=" where score(mover) > 1"))
    assert "a random move is found by search through the ways of the turn" in bearing


def test_a_turn_without_bounds_is_counted() -> None:
    words = words_of(
        "choose s in empty\nplace Stone at s\n"
        "repeat while score(mover) < 2\n  choose t in empty\n  place Stone at t\n"
        "  set score(mover) = score(mover) + 1"
    )
    counted = "the ways are counted without a search, and a random move is one of them"
    assert counted in words
    words = words_of(
        "if turns < 5\n  choose s in empty\n  place Stone at s\nelse\n  choose a in own\n"
        "  choose b in empty\n  move a to b\n  if b in adjacent(own)\n    choose c in empty\n"
        "    place Stone at c"
    )
    cases = words[words.index("in one of two cases:") :]
    assert "in the other:" in cases and counted in cases
    together = "sites after which nothing more is decided are counted together"
    assert together in cases and together not in words[: words.index("in one of two cases:")]


def test_a_turn_with_a_loop_of_decisions_is_searched() -> None:
    words = words_of(
        "choose s in empty\nplace Stone at s\n"
        "repeat row(s) times\n  choose t in empty\n  place Stone at t"
    )
    assert "a random move is found by search through the ways of the turn" in words


def test_order_is_told_to_be_enough_where_that_is_proved() -> None:
    first = "choose a in empty\nplace Stone at a\n"
    words = words_of(first + "choose b in empty unordered with a\nplace Stone at b")
    line = next(line for line in words if "choose b" in line)
    assert line.endswith("in any order with a: one order is enough (proved)")


def test_ends_that_only_the_newest_piece_can_bring_about() -> None:
    turn = "choose s in empty\nplace Stone at s"
    joined = words_of(turn, "mover wins when joined(top, bottom, adjacent, own)")
    assert any("kept, and tested by the group of the newest piece" in line for line in joined)
    row = words_of(turn, "mover wins when in_a_row(own, 3)")
    assert any("tested by the rows through the newest piece alone" in line for line in row)
    counted = words_of(turn)
    assert any(line.endswith("worked out after each move") for line in counted)


def test_what_sets_can_be_is_told() -> None:
    assert "only gain sites, each when it is chosen: Black Stone, White Stone" in words_of(
        "choose s in empty\nplace Stone at s"
    )
    moved = words_of("choose a in own\nchoose b in empty\nmove a to b")
    assert "never more than one site: a, b" in moved
    assert any(line.startswith("always among ") for line in words_of("choose s in top & empty"))
    assert not any(line.startswith("only gain") for line in moved)


def test_a_bound_that_the_position_tells_is_no_figure() -> None:
    words = words_of("choose n in 1..turns\nadd 0 to score(mover)")
    assert any(line.endswith("a number below the number of candidates for n") for line in words)


def test_numbers_have_the_bounds_of_the_file() -> None:
    assert "score(White): 0 to 20 (5 bits)" in words_of("choose s in empty\nplace Stone at s")


CAUGHT = "let caught = adjacent(s) & enemy"


def test_variables_that_no_decision_outlives_are_told() -> None:
    told = "needed between two decisions alone: caught"
    assert told in words_of(f"choose s in empty\n{CAUGHT}\nremove caught\nplace Stone at s")
    then = f"choose s in empty\n{CAUGHT}\nchoose t in empty - s\nremove caught\nplace Stone at t"
    assert told not in words_of(then)
    rounds = "let last = adjacent(s)\nrepeat 2 times\n  optionally\n    choose t in last & empty"
    again = f"choose s in empty\n{rounds}\n    set last = adjacent(t)\nplace Stone at s"
    assert not any(line.startswith("needed between") for line in words_of(again))


def ranges_of(*values: Expression) -> NumberRanges:
    """Return the ranges of a program that stores each of some values."""
    program = game_of("choose s in empty").program
    stored = tuple(Assign(None, Slot("m", NUMBER), value) for value in values)
    return NumberRanges(program, 16, [stored])


def test_a_variable_has_the_range_of_all_that_is_bound_to_it() -> None:
    n = Slot("n", NUMBER)
    two, nine = (Let(n, build.number(value), Get(n)) for value in (2, 9))
    ranges = ranges_of(two, nine)
    assert ranges.of_slot(n) == ranges.of(two) == Range(2, 9)


def test_variables_that_are_bound_to_each_other_have_a_range() -> None:
    a, b = Slot("a", NUMBER), Slot("b", NUMBER)
    values = [Let(one, Get(other), Get(one)) for one, other in ((a, b), (b, a))]
    assert ranges_of(*values).of_slot(a).low < -(2**64)


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_a_plan_speaks_of_every_decision(name: str) -> None:
    game = shipped(name)
    plan = planned(game)
    for turn in plan.turns:
        block = plan.program.phases[turn.phase].turns[turn.side].program
        assert set(turn.ways_on) >= {statement.decision for statement in decisions_in(block)}
    words = plan_in_words(plan, game.sides)
    assert "None" not in words
    for side in game.sides:
        assert f"turn of {side}" in words


def test_a_layer_gains_no_more_than_chosen_sites_if_no_word_for_them_changes_its_meaning() -> None:
    """A word that gets another value further on in a loop has that when what reads it is read."""
    steps = "choose a in empty\nlet y = all & a\nrepeat 2 times\n  let x = all & y\n"
    steps += "  place Stone at x\n  {}\nplace Stone at a"
    assert planned(game_of(steps.format("let z = east(y)"))).growing
    assert not planned(game_of(steps.format("set y = east(x)"))).growing
