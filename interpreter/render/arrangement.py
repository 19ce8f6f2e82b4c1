"""Where the parts of a board are drawn: with gaps between them, and triangles as high as piles.

In: a board, and what its file says of gaps and fields. Out: the same board, drawn so. What then
holds: sites, relations and names are what they were, and only places differ.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate

from gdl.board.board import Board, Drawing, Drawn, Point, Site
from gdl.board.relation import Relation

HIGH = 5
"""How many pieces a triangle is as high as."""
_MOST_BOARDS = 8  # a board is drawn again with each move
_DIGITS = 4  # that tell the places of gaps apart
_TRIANGLE = 0.9  # of the height of its site

Gaps = tuple[tuple[float, Relation], ...]
"""Between which neighbours there is a gap, each behind its width in cells."""


@lru_cache(maxsize=_MOST_BOARDS)
def arranged(board: Board, gaps: Gaps, triangles: int) -> Board:
    """Return a board with gaps between neighbours, and with some cells `HIGH` times as high."""
    if triangles:
        board = _heightened(board)
    cuts = _cuts(board, gaps)
    if not any(cuts):
        return board

    before = [sorted(along) for along in cuts]
    further = [
        [0.0, *accumulate(along[cut] for cut in ends)]
        for along, ends in zip(cuts, before, strict=True)
    ]

    def moved(point: Point) -> Point:
        x, y = (
            place + widths[bisect_left(ends, place)]
            for place, ends, widths in zip(point, before, further, strict=True)
        )
        return x, y

    def drawn(site: Site) -> tuple[Point, ...]:
        x, y = moved((site.x, site.y))
        return tuple((px + x - site.x, py + y - site.y) for px, py in board.outlines[site.index])

    return replace(
        board,
        sites=tuple(_placed(site, moved((site.x, site.y))) for site in board.sites),
        draw=Drawn(
            Drawing(
                tuple(map(drawn, board.sites)),
                tuple((moved(start), moved(end)) for start, end in board.lines),
            )
        ),
        column_labels=tuple((text, *moved((x, y))) for text, x, y in board.column_labels),
        row_labels=tuple((text, *moved((x, y))) for text, x, y in board.row_labels),
    )


def triangle(board: Board, index: int) -> list[Point]:
    """Return the corners of a triangle that fills a heightened cell: its base, and its tip."""
    xs, ys = zip(*board.outlines[index], strict=True)
    outer, inner = (
        (min(ys), max(ys)) if board.sites[index].y < sum(ys) / len(ys) else (max(ys), min(ys))
    )
    tip = outer + _TRIANGLE * (inner - outer)
    return [(min(xs), outer), (max(xs), outer), ((min(xs) + max(xs)) / 2, tip)]


def _cuts(board: Board, gaps: Gaps) -> tuple[dict[float, float], dict[float, float]]:
    """Return behind which x, and which y, what follows is moved how far."""
    cuts: tuple[dict[float, float], dict[float, float]] = ({}, {})
    for width, relation in gaps:
        for a, b in relation.pairs():
            one, other = board.sites[a], board.sites[b]
            is_level = abs(one.x - other.x) >= abs(one.y - other.y)
            places = (one.x, other.x) if is_level else (one.y, other.y)
            cuts[not is_level][round(sum(places) / 2, _DIGITS)] = width
    return cuts


def _heightened(board: Board) -> Board:
    """Return a board `HIGH` times as high, with the place of each site at its outer end."""
    ys = [y for outline in board.outlines for _, y in outline]
    low, high = min(ys), max(ys)

    def stretched(point: Point) -> Point:
        x, y = point
        return x, HIGH * min(high, max(low, y)) + (y - min(high, max(low, y)))

    def outer(y: float) -> float:
        away = (HIGH - 1) / 2
        return HIGH * y + (away if y > (low + high) / 2 else -away)

    return replace(
        board,
        sites=tuple(_placed(site, (site.x, outer(site.y))) for site in board.sites),
        draw=Drawn(
            Drawing(tuple(tuple(map(stretched, outline)) for outline in board.outlines), ())
        ),
        column_labels=tuple((text, *stretched((x, y))) for text, x, y in board.column_labels),
        row_labels=tuple((text, x, outer(y)) for text, x, y in board.row_labels),
    )


def _placed(site: Site, place: Point) -> Site:
    return replace(site, x=place[0], y=place[1])
