"""Conditions on groups that are kept while random games are played: touching, and closing rings."""

from __future__ import annotations

from itertools import count

import pytest

from gdl.analysis.groups import TouchCondition, touch_condition, touches_all, triangulated_disc
from gdl.board.relation import bits
from gdl.core.nodes import Expression, Fold
from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.views.view import KeptView
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_source
from gdl.optimise import optimise

GAME = """\
game: Groups
players: First, Second
board: {board}
define:
  outside: reach(border - own, adjacent into (all - own))
turn: |
  choose s in {choice}
  place Stone at s
end:
  - mover wins when {condition}
  - draw when full
"""
HOLE = "some all - own - outside"
ANY_SITE = "empty"


def source(condition: str, board: str = "hex hexagon(5)", choice: str = ANY_SITE) -> Source:
    text = GAME.format(condition=condition, board=board, choice=choice)
    return Source("groups.yaml", text)


def kept(rules: NativeRules) -> list[str]:
    """Return what the conditions that are kept ask for, in the order of names."""
    views = rules.code.written.games_in_place.views.all
    conditions = [kept for view in views if isinstance(view, KeptView) for kept in view.kept]
    return sorted("hole" if kept.asks.may_end else "group" for kept in conditions)


def assert_kept_as_worked_out(rules: NativeRules, games: int, every: int = 7) -> None:
    """Fail where a random game has not ended just when its endings say so."""
    reference = ReferenceRules(rules.game)
    for number in range(games):
        for plies in count(1, every):
            state = rules.playout(rules.start(), Chance(3, number), plies).state
            assert reference.settle(state.values).ended == state.ended
            if state.ended is not None:
                break


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("some g in groups(own, adjacent) where count(g & corners) >= 2", ["group"] * 2),
        (
            "some g in groups(own, adjacent) where some g & top and (some g & bottom"
            " or count(g & corners) > 2) or count e in (top, bottom, lower_left)"
            " where some g & e - corners >= 3",
            ["group"] * 2,
        ),
        (HOLE, ["hole"] * 2),
        (
            f"{HOLE} or some g in groups(own, adjacent) where count(g & top) > 1",
            ["group", "group", "hole", "hole"],
        ),
        (f"count(empty) < 9 and {HOLE}", ["hole"] * 2),
        ("some g in groups(own, adjacent) where count(g) >= 9", []),
        ("some g in groups(own, adjacent) where count(g & corners) <= 0", []),
    ],
)
def test_conditions_on_groups_are_kept(condition: str, names: list[str]) -> None:
    rules = NativeRules(load_source(source(condition, "hex hexagon(7)")))
    assert kept(rules) == names
    assert_kept_as_worked_out(rules, 12)


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_rings_on_boards_of_any_size(size: int) -> None:
    rules = NativeRules(load_source(source(HOLE, f"hex hexagon({size})")))
    assert kept(rules) == (["hole"] * 2 if size > 5 else [])
    assert_kept_as_worked_out(rules, 12, 3)


def test_a_ring_may_be_filled_again() -> None:
    """Whether there is a ring matters at the very end, when most have been filled."""
    condition = f"count(empty) < 12 and not ({HOLE})"
    rules = NativeRules(load_source(source(condition, "hex hexagon(6)")))
    assert kept(rules) == ["hole"] * 2
    assert_kept_as_worked_out(rules, 25, 1)


def test_a_site_that_is_there_already_may_be_added_again() -> None:
    """Its group touches what it touched, even if the site stands for the whole group."""
    text = """
game: Marks
players: First, Second
board: hex rhombus(12, 12)
state: {marked: sites}
turn: |
  choose s in all
  set marked = marked | s
end:
  - mover wins when joined(top, bottom, adjacent, marked)
"""
    rules = NativeRules(load_source(Source("marks.yaml", text)))
    assert kept(rules) == ["group"]
    assert_kept_as_worked_out(rules, 40, 60)


@pytest.mark.parametrize(
    "board",
    ["square(9, 9)", "hex hexagon(6) without e5", "hex hexagon(6) without (e5 | d9)"],
)
def test_rings_are_worked_out_where_neighbours_do_not_tell(board: str) -> None:
    rules = NativeRules(load_source(source(HOLE, board)))
    assert_kept_as_worked_out(rules, 6)


@pytest.mark.parametrize(
    ("board", "is_disc"),
    [
        ("hex hexagon(4)", True),
        ("hex rhombus(5, 7)", True),
        ("hex triangle(6)", True),
        ("hex hexagon(4) without d4", False),
        ("square(5, 5)", False),
    ],
)
def test_boards_of_triangles_are_discs(board: str, is_disc: bool) -> None:
    game = load_source(source("full", board))
    found = triangulated_disc(game.relations["adjacent"])
    assert (found is not None) == is_disc
    if found is not None:
        assert found.border == game.regions["border"]
        for near, order in zip(game.relations["adjacent"].successors, found.around, strict=True):
            assert sorted(order) == list(bits(near))


def group_condition(condition: str) -> Fold:
    game = load_source(source(f"some g in groups(own, adjacent) where {condition}"))
    program = optimise(game.program, len(game.board.sites))
    found: Expression = program.phases[0].turns[0].endings[0].condition
    assert isinstance(found, Fold)
    return found


def test_a_table_tells_which_targets_are_enough() -> None:
    fold = group_condition(
        "count(g & corners) >= 3 or (count e in (top, bottom) where some g & e) >= 2"
    )
    found = touch_condition(fold.body, fold.slot, 8)
    assert found is not None
    assert len(found.targets) == 8
    game = load_source(source("full"))
    top, bottom = game.regions["top"], game.regions["bottom"]
    for touched in range(1 << 8):
        touches = [t for i, t in enumerate(found.targets) if touched >> i & 1]
        corners = [t for t in touches if t not in (top, bottom)]
        expected = len(corners) >= 3 or (top in touches and bottom in touches)
        assert bool(found.holds >> touched & 1) == expected
    assert touch_condition(fold.body, fold.slot, 7) is None


def test_all_targets() -> None:
    assert touches_all([3, 5]) == TouchCondition((3, 5), 0b1000)
