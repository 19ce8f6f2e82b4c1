"""Work that is done once for the variants of a game, and what makes two formulas the same."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

from gdl.board.make import BoardSpec, make_board
from gdl.core import build
from gdl.core.nodes import Const, Expression, Get, Let, Select, Slot
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.elaborate.relations import formula
from gdl.elaborate.relations.formula import structure
from gdl.interpreter.check import check_game
from gdl.load import load_game
from gdl.resources.scoped_cache import shared, work_shared


def test_results_are_kept_while_that_is_asked_for() -> None:
    seen: list[int] = []

    @shared
    def doubled(number: int) -> int:
        seen.append(number)
        return 2 * number

    assert (doubled(1), doubled(1), seen) == (2, 2, [1, 1])
    with work_shared():
        assert doubled(1) == 2
        with work_shared():
            assert doubled(1) == 2
        assert (doubled(1), doubled(2), seen) == (2, 4, [1, 1, 1, 2])
    assert (doubled(1), seen) == (2, [1, 1, 1, 2, 1])


def test_a_failure_is_not_kept() -> None:
    fails = mock.Mock(side_effect=[ValueError, 3])
    tried = shared(fails)
    with work_shared():
        with pytest.raises(ValueError):
            tried()
        assert tried() == tried() == 3


def test_each_load_makes_its_board_anew() -> None:
    spec = BoardSpec("square", "rectangle", (3, 3))
    assert make_board(spec) is not make_board(spec)
    assert load_game("hex").board is not load_game("hex").board


def named(first: Slot, inner: Slot, number: int) -> Expression:
    member = build.op("subset", (Get(inner), Get(first)), FLAG)
    chosen = Select(inner, build.sites(0b111), member)
    counted = Slot("counted", NUMBER)
    least = build.op("less", (build.number(number), Get(counted)), FLAG)
    return Let(counted, build.op("count", (chosen,), NUMBER), least)


def test_a_structure_is_the_same_whatever_slots_are_called() -> None:
    a, b, x, y = (Slot(name, SITES) for name in "abxy")
    told = structure(named(a, x, 1), (a,))
    assert told == structure(named(b, y, 1), (b,)) and hash(told) is not None
    assert told != structure(named(a, x, 2), (a,))
    assert structure(Get(a), (a, b)) != structure(Get(b), (a, b))
    assert structure(Const(1, NUMBER), ()) != structure(Const(True, FLAG), ())
    assert structure(Get(x), (a, b)) is None


def test_a_slot_that_is_bound_again_is_told_from_another() -> None:
    a, b = Slot("a", SITES), Slot("b", SITES)

    def inside(used: Slot) -> Expression:
        member = build.op("subset", (Get(used), Get(a)), FLAG)
        return Select(a, build.sites(3), build.some(Select(b, build.sites(3), member)))

    assert structure(inside(a), (a,)) != structure(inside(b), (a,))


GAME = """game: Twice
players: White, Black
board: square(5, 5)
relations:
  far: pairs a, b where abs(row(a) - row(b)) + abs(column(a) - column(b)) = 3
  farther: pairs c, d where abs(row(c) - row(d)) + abs(column(c) - column(d)) = 4
turn: |
  choose s in empty where no far(s) & own and no farther(s) & own
  place Stone at s
stuck: loses
end:
  - mover wins when count(own) > 5
variants:
  longer:
    end:
      - mover wins when count(own) > 6
  other:
    relations:
      far: pairs x, y where abs(row(x) - row(y)) + abs(column(x) - column(y)) = 2
"""


def test_the_variants_of_a_game_share_their_relations(tmp_path: Path) -> None:
    file = tmp_path / "twice.yaml"
    file.write_text(GAME)
    made = formula.Relation.from_pairs
    with mock.patch.object(formula.Relation, "from_pairs", side_effect=made) as counted:
        assert check_game(str(file)) == ()
        assert counted.call_count == 3
    games = [load_game(str(file), None, names) for names in ((), ("longer",), ("other",))]
    far, longer, other = (game.relations["far"] for game in games)
    assert far == longer != other
    assert sorted(other.pairs()) == sorted(
        (a.index, b.index)
        for a in games[0].board.sites
        for b in games[0].board.sites
        if abs(a.row - b.row) + abs(a.column - b.column) == 2
    )
