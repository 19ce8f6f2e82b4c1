"""Boards given point by point and line by line.

In: points by name with the place where each is drawn, and lines as lists of names. Out: a
`Board` whose sites are vertices. What then holds: consecutive names on a line are adjacent,
and a link that is upright, level or slanting also belongs to the direction it leads in.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator, Mapping, Sequence

from gdl.board.board import MOST_SITES, Board, BoardError, Drawing, Label, Point, Site, too_large
from gdl.board.lattice import CLOCKWISE, DIAGONAL, ORTHOGONAL
from gdl.board.naming import column_letters, place_of
from gdl.board.relation import Relation, site_set


def make_graph_board(points: Mapping[str, Point], lines: Sequence[Sequence[str]]) -> Board:
    """Return the board of these points (x to the right, y upwards), in the order given.

    Columns and rows come from the names if all of them are letters and a number, else from
    the order of the x and of the y. Raises `BoardError` for a board without points or with too
    many, two points at one place, a line of fewer than two names, an unknown name, or a name
    that follows itself.
    """
    _refuse_bad_points(points)
    names = list(points)
    index = {name: i for i, name in enumerate(names)}
    links = list(dict.fromkeys(link for line in lines for link in _links(line, index)))
    places = _places(points)
    sites = tuple(
        Site(i, name, "vertex", *places[i], *points[name]) for i, name in enumerate(names)
    )
    relations, families = _relations(sites, links)
    column_labels, row_labels = _labels(sites) if _are_coordinates(names) else ((), ())
    return Board(
        sites=sites,
        relations=relations,
        families=families,
        regions=_regions(sites),
        numbers={
            "row": tuple(site.row for site in sites),
            "column": tuple(site.column for site in sites),
        },
        draw=lambda: _drawing(sites, links),
        lattice="graph",
        top_first=False,
        column_labels=column_labels,
        row_labels=row_labels,
    )


def _drawing(sites: Sequence[Site], links: Sequence[tuple[int, int]]) -> Drawing:
    lines = ((_point(sites[one]), _point(sites[other])) for one, other in links)
    return Drawing(((),) * len(sites), tuple(lines))


def _point(site: Site) -> Point:
    return site.x, site.y


def _refuse_bad_points(points: Mapping[str, Point]) -> None:
    if not points:
        raise BoardError("the board has no points", "Give each point a name and a place.")
    if len(points) > MOST_SITES:
        raise too_large()
    seen: dict[Point, str] = {}
    for name, (x, y) in points.items():
        other = seen.setdefault((x, y), name)
        if other != name:
            raise BoardError(
                f"the points `{other}` and `{name}` are at the same place",
                "Give each point a place of its own.",
            )


def _links(line: Sequence[str], index: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """Yield the links of a line, each with the lesser index first."""
    if len(line) < 2:
        raise BoardError(
            f"the line [{', '.join(line)}] joins no points", "A line has two names or more."
        )
    for name in line:
        if name not in index:
            close = difflib.get_close_matches(name, index, n=1)
            raise BoardError(
                f"a line has the name `{name}`, which is no point of the board",
                f"Did you mean `{close[0]}`?" if close else "",
            )
    for one, other in itertools.pairwise(line):
        if one == other:
            raise BoardError(
                f"a line joins `{one}` to itself", "Name each point of a line once in a row."
            )
        first, second = sorted((index[one], index[other]))
        yield first, second


def _are_coordinates(names: Sequence[str]) -> bool:
    return all(place_of(name) is not None for name in names)


def _places(points: Mapping[str, Point]) -> list[tuple[int, int]]:
    named = [place_of(name) for name in points]
    known = [place for place in named if place is not None]
    if len(known) == len(points):
        return known
    columns = {x: i + 1 for i, x in enumerate(sorted({x for x, _ in points.values()}))}
    rows = {y: i + 1 for i, y in enumerate(sorted({y for _, y in points.values()}))}
    return [(columns[x], rows[y]) for x, y in points.values()]


def _direction(source: Site, target: Site) -> str:
    dx, dy = target.x - source.x, target.y - source.y
    upright = "north" if dy > 0 else "south" if dy < 0 else ""
    level = "east" if dx > 0 else "west" if dx < 0 else ""
    return upright + level


def _relations(
    sites: Sequence[Site], links: Sequence[tuple[int, int]]
) -> tuple[dict[str, Relation], dict[str, tuple[str, ...]]]:
    families = {"orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "compass": CLOCKWISE}
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in CLOCKWISE}
    for link in links:
        for source, target in (link, link[::-1]):
            pairs[_direction(sites[source], sites[target])].append((source, target))
    relations = {name: Relation.from_pairs(len(sites), found) for name, found in pairs.items()}
    for family, directions in families.items():
        relations[family] = Relation.from_pairs(
            len(sites), [pair for name in directions for pair in pairs[name]]
        )
    relations["adjacent"] = relations["compass"]
    return relations, families


def _regions(sites: Sequence[Site]) -> dict[str, int]:
    """Take the outermost points in each of the four directions for the sides."""
    xs, ys = [site.x for site in sites], [site.y for site in sites]
    top, bottom = _having(max(ys), ys), _having(min(ys), ys)
    right, left = _having(max(xs), xs), _having(min(xs), xs)
    every = (1 << len(sites)) - 1
    border = top | bottom | left | right
    return {
        "top": top,
        "right": right,
        "bottom": bottom,
        "left": left,
        "corners": (top | bottom) & (left | right),
        "border": border,
        "interior": every & ~border,
        "vertices": every,
    }


def _having(value: float, values: Sequence[float]) -> int:
    return site_set(i for i, other in enumerate(values) if other == value)


def _labels(sites: Sequence[Site]) -> tuple[tuple[Label, ...], tuple[Label, ...]]:
    """Label the columns that are upright and the rows that are level."""
    lowest = min(site.y for site in sites) - 1
    leftmost = min(site.x for site in sites) - 1
    by_column: dict[int, set[float]] = {}
    by_row: dict[int, set[float]] = {}
    for site in sites:
        by_column.setdefault(site.column, set()).add(site.x)
        by_row.setdefault(site.row, set()).add(site.y)
    columns = tuple(
        (column_letters(column), xs.pop(), lowest)
        for column, xs in sorted(by_column.items())
        if len(xs) == 1
    )
    rows = tuple(
        (str(row), leftmost, ys.pop()) for row, ys in sorted(by_row.items()) if len(ys) == 1
    )
    return columns, rows
