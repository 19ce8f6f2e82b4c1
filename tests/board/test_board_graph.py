"""Boards given point by point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gdl.board.board import Board, BoardError
from gdl.board.make import make_graph_board
from gdl.board.relation import bits

RING = {
    **{"a1": (0, 0), "b1": (1, 0), "c1": (2, 0)},
    **{"a2": (0, 1), "b2": (1, 1), "c2": (2, 1)},
}
LINES = [["a1", "b1", "c1", "c2"], ["a2", "a1"], ["a1", "b2"], ["b1", "a1"]]


def around(board: Board, name: str, relation: str) -> set[str]:
    index = board.index(name)
    assert index is not None
    return {board.sites[i].name for i in bits(board.relations[relation].image(1 << index))}


def test_consecutive_points_of_a_line_are_adjacent() -> None:
    board = make_graph_board(RING, LINES)
    assert around(board, "a1", "adjacent") == {"b1", "a2", "b2"}
    assert around(board, "b2", "adjacent") == {"a1"}
    assert board.relations["adjacent"].is_symmetric
    assert board.size == 6
    assert len(board.lines) == 5


def test_links_belong_to_the_direction_they_lead_in() -> None:
    board = make_graph_board(RING, LINES)
    assert around(board, "a1", "east") == {"b1"}
    assert around(board, "a1", "north") == {"a2"}
    assert around(board, "a1", "northeast") == {"b2"}
    assert around(board, "a1", "orthogonal") == {"b1", "a2"}
    assert around(board, "a1", "diagonal") == {"b2"}
    assert around(board, "c2", "south") == {"c1"}
    for one, other in (("north", "south"), ("east", "west"), ("northeast", "southwest")):
        assert board.relations[one].inverse() == board.relations[other]


def test_columns_and_rows_come_from_the_names() -> None:
    board = make_graph_board({"b7": (0, 0), "d1": (5, 3)}, [["b7", "d1"]])
    assert [(site.column, site.row) for site in board.sites] == [(2, 7), (4, 1)]
    assert board.numbers["row"] == (7, 1)
    assert [label for label, _, _ in board.column_labels] == ["b", "d"]


def test_columns_and_rows_of_other_names_are_ranks() -> None:
    board = make_graph_board({"home": (4, -1), "well": (0.5, 3), "gate": (4, 3)}, [])
    assert [(site.column, site.row) for site in board.sites] == [(2, 1), (1, 2), (2, 2)]
    assert board.column_labels == ()
    assert board.numbers["column"] == (2, 1, 2)


def test_slanting_columns_have_no_label() -> None:
    board = make_graph_board({"a1": (0, 0), "a2": (0.5, 1), "b1": (1, 0)}, [])
    assert [label for label, _, _ in board.column_labels] == ["b"]
    assert [label for label, _, _ in board.row_labels] == ["1", "2"]


def test_sides_are_the_outermost_points() -> None:
    regions = make_graph_board(RING, LINES).regions
    assert regions["bottom"] == 0b000111
    assert regions["left"] == 0b001001
    assert regions["corners"] == 0b101101
    assert regions["interior"] == 0
    assert regions["vertices"] == 0b111111


@pytest.mark.parametrize(
    ("points", "lines", "message", "hint"),
    [
        ({}, [], "no points", "Give"),
        ({"a1": (0, 0), "b1": (0.0, 0)}, [], "`a1` and `b1` are at the same place", "Give"),
        ({"here": (0, 0), "there": (1, 0)}, [["here", "ther"]], "`ther`", "`there`"),
        ({"a1": (0, 0)}, [["a1", "a1"]], "`a1` to itself", "once"),
        ({"a1": (0, 0)}, [["a1"]], r"\[a1\] joins no points", "two"),
        ({f"p{i}x": (i, 0) for i in range(30_001)}, [], "30,000", "smaller"),
    ],
    ids=["empty", "same-place", "unknown", "loop", "short", "large"],
)
def test_impossible_graphs(
    points: Mapping[str, tuple[float, float]],
    lines: Sequence[Sequence[str]],
    message: str,
    hint: str,
) -> None:
    with pytest.raises(BoardError, match=message) as caught:
        make_graph_board(points, lines)
    assert hint in str(caught.value.hint)


def test_edges_are_called_by_their_ends_and_meet_in_points() -> None:
    square = {"a": (0.0, 0.0), "b": (2.0, 0.0), "c": (2.0, 2.0), "d": (0.0, 2.0)}
    lines = [["a", "b", "c", "d", "a"], ["a", "c"], ["d", "b"]]
    board = make_graph_board(square, lines, ("vertex", "edge"))
    assert [site.name for site in board.sites] == [*"abcd", "ab", "bc", "cd", "ad", "ac", "bd"]
    assert around(board, "ab", "adjacent") == {"ad", "ac", "bc", "bd"}
    assert around(board, "a", "adjacent") == {"b", "c", "d"}
    assert around(board, "a", "incident") == {"ab", "ad", "ac"}
    assert around(board, "bd", "incident") == {"b", "d"}
    assert board.outlines[4] == ((0.0, 0.0), (2.0, 0.0))
    assert {board.sites[i].name for i in bits(board.regions["top"])} == {"c", "d", "cd"}


def test_an_edge_stands_beside_others_where_lines_cross() -> None:
    cross = {"a": (0.0, 0.0), "b": (2.0, 0.0), "c": (2.0, 2.0), "d": (0.0, 2.0)}
    board = make_graph_board(cross, [["a", "c"], ["b", "d"]], ("edge",))
    assert (board.sites[0].x, board.sites[0].y) == (1, 1)
    assert (board.sites[1].x, board.sites[1].y) != (1, 1)
    assert board.size == 2
    assert "compass" not in board.relations
    assert "vertices" not in board.regions


def test_edges_of_one_name_and_no_edges_at_all_are_refused() -> None:
    twice = {"x": (0, 0), "y_z": (1, 0), "x_y": (2, 1), "z": (3, 1)}
    with pytest.raises(BoardError, match="two sites of the board would be called `x_y_z`"):
        make_graph_board(twice, [["x", "y_z"], ["x_y", "z"]], ("edge",))
    with pytest.raises(BoardError, match="has no edges"):
        make_graph_board({"x": (0, 0)}, [], ("edge",))
