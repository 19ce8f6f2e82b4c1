"""Labels of rows and columns that never meet.

In: a board, whose own labels may fall on each other where its shape is oblique. Out: `labelled`
gives a board with each label at a place of its own, outside of the board.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from gdl.board.board import Board, Drawing, Drawn, Label, Point, Site, column_letters
from gdl.interpreter.render.scene import side_length

_DIGITS = 6  # that tell places on a board apart


def labelled(board: Board) -> Board:
    """The board with its own labels if these are clear, else with `border_labels`.

    On triangular boards with corners as sites the corners are what rows and columns count.
    """
    rows = {(x, y) for _, x, y in board.row_labels}
    columns = {(x, y) for _, x, y in board.column_labels}
    counted = "vertex" if board.lattice == "triangular" else board.sites[0].kind
    is_other = board.sites[0].kind != counted and any(s.kind == counted for s in board.sites)
    return border_labels(board) if rows & columns or is_other else board


def half_turned(board: Board) -> Board:
    """The board as it is seen from the other side, with its labels where they then are."""
    drawing = Drawing(
        tuple(tuple((-x, -y) for x, y in outline) for outline in board.outlines),
        tuple(((-a, -b), (-x, -y)) for (a, b), (x, y) in board.lines),
    )
    return replace(
        board,
        sites=tuple(replace(site, x=-site.x, y=-site.y) for site in board.sites),
        draw=Drawn(drawing),
        column_labels=tuple((text, -x, -y) for text, x, y in board.column_labels),
        row_labels=tuple((text, -x, -y) for text, x, y in board.row_labels),
    )


def border_labels(board: Board) -> Board:
    """The board with labels at the ends of the rows and columns that it has.

    Columns are named below their lowest site, along their own slant, further down where a row's
    name stands there; rows on the side to which no column leans. Upright columns and their rows
    are named along the lowest row and first column.
    """
    vertices = [site for site in board.sites if site.kind == "vertex"]
    counts_vertices = vertices and board.lattice == "triangular"
    cells = [site for site in board.sites if site.kind == "cell"]
    sites = vertices if counts_vertices else cells or vertices
    if not sites:
        return board
    lean, down = _downwards(board)
    side = 1 if lean < 0 else -1
    away = max(1.0, 0.8 * side_length(board))
    rows = [
        (str(row), side * (away + max(side * site.x for site in members)), members[0].y)
        for row, members in _grouped(sites, by_column=False)
    ]
    taken = {(round(x, _DIGITS), round(y, _DIGITS)) for _, x, y in rows}
    columns: list[Label] = []
    for column, members in _grouped(sites, by_column=True):
        lowest = min(members, key=lambda site: (site.y, site.x))
        x, y = lowest.x + lean, lowest.y + down
        while (round(x, _DIGITS), round(y, _DIGITS)) in taken:
            x, y = x + lean, y + down
        columns.append((column_letters(column), x, y))
    if lean == 0:
        below, beside = min(y for _, _, y in columns), min(x for _, x, _ in rows)
        columns = [(text, x, below) for text, x, _ in columns]
        rows = [(text, beside, y) for text, _, y in rows]
    return replace(board, column_labels=tuple(columns), row_labels=tuple(rows))


def _downwards(board: Board) -> Point:
    """The way from a site down to the next one of its column."""
    side = side_length(board)
    if board.lattice == "square":
        return 0.0, -side
    step = side * (math.sqrt(3) if board.lattice == "hexagonal" else 1)
    return (step if board.top_first else -step) / 2, -step * math.sqrt(3) / 2


def _grouped(sites: Iterable[Site], by_column: bool) -> list[tuple[int, list[Site]]]:
    groups: dict[int, list[Site]] = {}
    for site in sites:
        groups.setdefault(site.column if by_column else site.row, []).append(site)
    return sorted(groups.items())
