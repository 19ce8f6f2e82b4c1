"""Where a step leads from a run is where it leads from each of its places."""

from __future__ import annotations

import itertools

import pytest

from gdl.board.assemble import Patch, Runs, shared_steps
from gdl.board.lattice import KINDS, Key, moved, of_four_sides
from gdl.board.make import BoardSpec, make_board
from gdl.board.square import SQUARE, diamond
from gdl.board.triangular import TRIANGULAR

PATCHES = {
    "flat": Patch(SQUARE, of_four_sides(5, 4), ()),
    "diamond": Patch(SQUARE, diamond(3), ()),
    "around columns": Patch(TRIANGULAR, of_four_sides(4, 3), ("columns",)),
    "around both": Patch(TRIANGULAR, of_four_sides(3, 5), ("columns", "rows")),
}
every_patch = pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)


@every_patch
def test_runs_hold_every_place_in_order(patch: Patch) -> None:
    for kind in KINDS:
        places = {
            run.first + rank: (run.column + rank, run.row, run.tag)
            for run in Runs(patch.places(kind), 7, patch.periods)
            for rank in range(run.length)
        }
        assert places == dict(enumerate(patch.places(kind), 7))


@every_patch
def test_steps_of_runs_are_those_of_their_places(patch: Patch) -> None:
    for source, target in itertools.product(KINDS, KINDS):
        here = Runs(patch.places(source), 0, patch.periods)
        there = Runs(patch.places(target), 0, patch.periods)
        index = {place: i for i, place in enumerate(patch.places(target))}
        tags = sorted({tag for _, _, tag in patch.places(target)})
        for across, up, tag in itertools.product((-7, -1, 0, 1, 2), (-4, -1, 0, 1), tags):
            step: Key = (across, up, tag)
            found = [
                (one.first + rank, other.first + rank)
                for run in here
                for one, other in there.links(run, step)
                for rank in range(one.length)
            ]
            reached = (
                (i, index.get(patch.wrapped(moved(place, step))))
                for i, place in enumerate(patch.places(source))
            )
            assert sorted(found) == [pair for pair in reached if pair[1] is not None]


def test_steps_to_what_shares_a_part_lead_back() -> None:
    steps = shared_steps({tag: cell.corners for tag, cell in TRIANGULAR.cells.items()})
    assert {tag: len(found) for tag, found in steps.items()} == {"u": 13, "d": 13}
    for tag, found in steps.items():
        assert all((-across, -up, tag) in steps[there] for across, up, there in found)


def test_a_drawing_is_made_once() -> None:
    board = make_board(BoardSpec("square", "rectangle", (4, 3), ("vertex",)))
    for drawn in (board, board.without(1)):
        assert drawn.lines is drawn.lines != ()
