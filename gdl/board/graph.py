"""Boards given point by point and line by line.

In: points by name with the place where each is drawn, lines as lists of names, and whether the
points, the links between neighbours on a line, or both are sites. Out: a `Board` of vertices, of
edges, or of both. What then holds: consecutive names on a line are adjacent, and a link that is
upright, level or slanting also belongs to the direction it leads in; links that meet in a point
are adjacent.
"""

from __future__ import annotations

import difflib
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gdl.board.board import (
    MOST_SITES,
    Board,
    BoardError,
    Drawing,
    Label,
    Point,
    Site,
    column_letters,
    place_of,
    too_large,
)
from gdl.board.lattice import CLOCKWISE, DIAGONAL, ORTHOGONAL
from gdl.board.relation import Relation, site_set
from gdl.diagnostic import Suggestion

_SHARES = (1 / 2, 2 / 5, 3 / 5, 1 / 3, 2 / 3, 1 / 4, 3 / 4)
"""How far along a link its site may stand, from its first end: the first with room is taken."""
_ROOM = 0.09  # of a link's length: how near its site may come to another


def make_graph_board(
    points: Mapping[str, Point],
    lines: Sequence[Sequence[str]],
    kinds: Sequence[str] = ("vertex",),
) -> Board:
    """Return the board of these points (x to the right, y upwards), in the order given.

    `kinds` are `vertex` (the points), `edge` (the links of lines), or both. Columns and rows come
    from the names if all of them are letters and a number, else from the order of the x and of
    the y; an edge has those of its first end. Raises `BoardError` for a board without points or
    with too many, two points at one place, a line of fewer than two names, an unknown name, a name
    that follows itself, edges as sites where there is none, or two sites of one name.
    """
    _refuse_bad_points(points)
    names = list(points)
    index = {name: i for i, name in enumerate(names)}
    links = list(dict.fromkeys(link for line in lines for link in _links(line, index)))
    places = _places(points)
    vertices = tuple(
        Site(i, name, "vertex", *places[i], *points[name]) for i, name in enumerate(names)
    )
    edges = tuple(_edges(vertices, links)) if "edge" in kinds else ()
    sites = _chosen(vertices if "vertex" in kinds else (), edges)
    relations, families = _relations(vertices, links, kinds)
    column_labels, row_labels = _labels(vertices) if _are_coordinates(names) else ((), ())
    return Board(
        sites=sites,
        relations=relations,
        families=families,
        regions=_regions(vertices, links, kinds),
        numbers={
            "row": tuple(site.row for site in sites),
            "column": tuple(site.column for site in sites),
        },
        draw=lambda: _drawing(vertices, links, kinds),
        lattice="graph",
        top_first=False,
        column_labels=column_labels,
        row_labels=row_labels,
    )


def _chosen(vertices: Sequence[Site], edges: Sequence[Site]) -> tuple[Site, ...]:
    """Return the sites of a board, numbered one after the other."""
    if not vertices and not edges:
        raise BoardError("the board has no edges", "Give it `lines`, or take its vertices.")
    if len(vertices) + len(edges) > MOST_SITES:
        raise too_large()
    sites = tuple(replace(site, index=i) for i, site in enumerate((*vertices, *edges)))
    known: set[str] = set()
    for site in sites:
        if site.name in known:
            raise BoardError(
                f"two sites of the board would be called `{site.name}`",
                "Call its points otherwise: an edge has the names of both its ends.",
            )
        known.add(site.name)
    return sites


def _edges(vertices: Sequence[Site], links: Sequence[tuple[int, int]]) -> Iterator[Site]:
    """Yield a site for each link, named by its ends, where no other stands."""
    between = "" if all(len(site.name) == 1 for site in vertices) else "_"
    taken = [_point(site) for site in vertices]
    for number, (one, other) in enumerate(links):
        first, last = vertices[one], vertices[other]
        room = _ROOM * math.dist(_point(first), _point(last))
        ways = [_on_the_way(_point(first), _point(last), share) for share in _SHARES]
        free = (way for way in ways if all(math.dist(way, there) > room for there in taken))
        place = next(free, ways[0])
        taken.append(place)
        yield Site(
            number, f"{first.name}{between}{last.name}", "edge", first.column, first.row, *place
        )


def _on_the_way(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _drawing(
    vertices: Sequence[Site], links: Sequence[tuple[int, int]], kinds: Sequence[str]
) -> Drawing:
    lines = tuple((_point(vertices[one]), _point(vertices[other])) for one, other in links)
    of_vertices = ((),) * len(vertices) if "vertex" in kinds else ()
    return Drawing((*of_vertices, *(lines if "edge" in kinds else ())), lines)


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
                Suggestion(close[0]) if close else "",
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
    vertices: Sequence[Site], links: Sequence[tuple[int, int]], kinds: Sequence[str]
) -> tuple[dict[str, Relation], dict[str, tuple[str, ...]]]:
    relations: dict[str, Relation] = {}
    families: dict[str, tuple[str, ...]] = {}
    first_edge = len(vertices) if "vertex" in kinds else 0
    size = first_edge + (len(links) if "edge" in kinds else 0)
    adjacent: list[tuple[int, int]] = []
    if "vertex" in kinds:
        families = {"orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "compass": CLOCKWISE}
        pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in CLOCKWISE}
        for link in links:
            for source, target in (link, link[::-1]):
                pairs[_direction(vertices[source], vertices[target])].append((source, target))
        relations = {name: Relation.from_pairs(size, found) for name, found in pairs.items()}
        for family, directions in families.items():
            relations[family] = Relation.from_pairs(
                size, [pair for name in directions for pair in pairs[name]]
            )
        adjacent = [pair for found in pairs.values() for pair in found]
    if "edge" in kinds:
        around: list[list[int]] = [[] for _ in vertices]
        for edge, ends in enumerate(links, first_edge):
            for end in ends:
                around[end].append(edge)
        adjacent += (pair for edges in around for pair in itertools.permutations(edges, 2))
        if "vertex" in kinds:
            incident = [(end, edge) for end, edges in enumerate(around) for edge in edges]
            incident += [(edge, end) for end, edge in incident]
            relations["incident"] = Relation.from_pairs(size, incident)
    relations["adjacent"] = Relation.from_pairs(size, adjacent)
    return relations, families


def _regions(
    vertices: Sequence[Site], links: Sequence[tuple[int, int]], kinds: Sequence[str]
) -> dict[str, int]:
    """Take the outermost points in each of the four directions, and their links, for the sides."""
    xs, ys = [site.x for site in vertices], [site.y for site in vertices]
    top, bottom = _having(max(ys), ys), _having(min(ys), ys)
    right, left = _having(max(xs), xs), _having(min(xs), xs)
    ends = [1 << one | 1 << other for one, other in links]
    first_edge = len(vertices) if "vertex" in kinds else 0

    def sites(points: int) -> int:
        """The points that are sites, and the links between two of them that are."""
        along = site_set(i for i, pair in enumerate(ends, first_edge) if pair & points == pair)
        return (points if "vertex" in kinds else 0) | (along if "edge" in kinds else 0)

    sides = [sites(side) for side in (top, right, bottom, left)]
    border = sides[0] | sides[1] | sides[2] | sides[3]
    every = sites((1 << len(vertices)) - 1)
    regions = dict(zip(("top", "right", "bottom", "left"), sides, strict=True))
    regions["corners"] = (sides[0] | sides[2]) & (sides[1] | sides[3])
    regions["border"] = border
    regions["interior"] = every & ~border
    if "vertex" in kinds:
        regions["vertices"] = every & ((1 << first_edge) - 1)
    if "edge" in kinds:
        regions["edges"] = every >> first_edge << first_edge
    return regions


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
