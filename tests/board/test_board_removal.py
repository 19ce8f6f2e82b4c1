"""Taking sites off a board."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdl.board.board import Board, BoardError
from gdl.board.make import BoardSpec, make_board
from gdl.board.relation import bits

BOARDS = [
    make_board(BoardSpec("square", "rectangle", (4, 3))),
    make_board(BoardSpec("square", "rectangle", (4, 3), ("vertex",), ("columns",))),
    make_board(BoardSpec("hexagonal", "hexagon", (2,), ("cell", "edge"))),
    make_board(BoardSpec("triangular", "rhombus", (3, 3), ("cell", "vertex"), ("columns", "rows"))),
]


def named_pairs(board: Board, relation: str) -> set[tuple[str, str]]:
    sites = board.sites
    return {(sites[i].name, sites[j].name) for i, j in board.relations[relation].pairs()}


@settings(max_examples=60)
@given(st.sampled_from(BOARDS), st.data())
def test_what_remains_is_what_it_was(board: Board, data: st.DataObject) -> None:
    removed = data.draw(st.integers(0, board.all_sites - 1))
    kept = [site for site in board.sites if not removed >> site.index & 1]
    smaller = board.without(removed)
    assert [site.index for site in smaller.sites] == list(range(len(kept)))
    assert [(s.name, s.kind, s.x, s.y) for s in smaller.sites] == [
        (s.name, s.kind, s.x, s.y) for s in kept
    ]
    left = {site.name for site in kept}
    for name in board.relations:
        expected = {pair for pair in named_pairs(board, name) if left.issuperset(pair)}
        assert named_pairs(smaller, name) == expected
    for name, region in board.regions.items():
        found = [smaller.sites[i].name for i in bits(smaller.regions[name])]
        assert found == [site.name for site in kept if region >> site.index & 1]
    for name, values in board.numbers.items():
        assert smaller.numbers[name] == tuple(values[site.index] for site in kept)
    assert smaller.outlines == tuple(board.outlines[site.index] for site in kept)
    places = {(site.x, site.y) for site in smaller.sites if site.kind == "vertex"}
    assert all(places.issuperset(line) for line in smaller.lines)


def test_labels_and_lines_of_removed_sites_disappear() -> None:
    board = make_board(BoardSpec("square", "rectangle", (2, 2), ("vertex",)))
    smaller = board.without(board.regions["left"])
    assert [label for label, _, _ in smaller.column_labels] == ["b", "c"]
    assert [label for label, _, _ in smaller.row_labels] == ["1", "2", "3"]
    assert (len(board.lines), len(smaller.lines)) == (12, 7)


def test_some_site_must_remain() -> None:
    board = BOARDS[0]
    with pytest.raises(BoardError, match="no site"):
        board.without(board.all_sites)
    assert board.without(0) is board
