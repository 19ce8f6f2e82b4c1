"""The part of a position that is in use.

In: a scene, usually on a board that wraps around and so has no true border. Out: a scene on the
sites near the pieces, with its labels moved to the new border. On an endless board, what lies
together is drawn together, wherever its window ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from gdl.board.board import Board, Drawing, Drawn, Point, Site
from gdl.board.relation import site_set
from gdl.interpreter.render.labels import border_labels
from gdl.interpreter.render.scene import DRAWN, Pair, Scene, farthest_neighbour

_MOST_SITES = 600  # of a board without a border, beyond which only the part in use is drawn
_ROOM = 2.0  # in a board's drawing units
_MOST_PARTS = 8  # of boards, that are kept
_SLIGHT = 0.1  # in a board's drawing units: enough around pieces that cover their cells


def is_wrapped(board: Board) -> bool:
    """Whether a lattice has neighbours that are drawn far apart, so that it has no true border."""
    adjacent = board.relations.get("adjacent")
    if adjacent is None or board.lattice == "graph":
        return False
    places = [(site.x, site.y) for site in board.sites]
    levels = board.numbers.get("level", (1,) * board.size)
    most = farthest_neighbour(board)
    return any(
        levels[a] == levels[b] and math.dist(places[a], places[b]) > most
        for a, b in adjacent.pairs()
    )


def is_cut(board: Board) -> bool:
    """Whether only the part in use is drawn: the board is endless, or large without a border."""
    return board.endless or (board.size > _MOST_SITES and is_wrapped(board))


def focus(scene: Scene) -> Scene:
    """The part of a scene around its marks, last move and highlights (its middle when it is bare).

    Tiles need little room around them. The sites left out are removed from the board; the others
    are numbered anew and keep their names. Cells keep the corners and sides around them.
    """
    busy = set(scene.marks) | scene.last | scene.changed
    board = _together(scene.board, busy) if scene.board.endless else scene.board
    margin = _SLIGHT if scene.tiles else _ROOM
    kept = _with_whole_cells(board, _near(board.sites, busy | set(scene.highlights), margin))
    if len(kept) in (0, board.size):
        return replace(scene, board=board)
    kept_set = site_set(site.index for site in kept)
    part = _part(board, kept_set, scene.on_points or not any(board.outlines))
    new = {part.index(site.name): site.index for site in kept}
    place = {old: index for index, old in new.items() if index is not None}
    return replace(
        scene,
        board=part,
        marks={place[i]: mark for i, mark in scene.marks.items() if i in place},
        last=frozenset(place[i] for i in scene.last if i in place),
        highlights={place[i]: text for i, text in scene.highlights.items() if i in place},
        areas={place[i]: names for i, names in scene.areas.items() if i in place},
        signs={place[i]: text for i, text in scene.signs.items() if i in place},
        bonds=_placed(scene.bonds, place),
        tracks=_placed(scene.tracks, place),
        borders=_placed(scene.borders, place),
        bridges=_placed(scene.bridges, place),
        loops=_placed(scene.loops, place),
        fields={place[i]: shape for i, shape in scene.fields.items() if i in place},
        bases={place[i]: mark for i, mark in scene.bases.items() if i in place},
        changed=frozenset(place[i] for i in scene.changed if i in place),
        way=tuple(place[i] for i in scene.way) if set(scene.way) <= place.keys() else (),
        arrows=tuple((place[a], place[b]) for a, b in scene.arrows if a in place and b in place),
        tiles={place[i]: sides for i, sides in scene.tiles.items() if i in place},
        lines=tuple((place[a], place[b]) for a, b in scene.lines if a in place and b in place),
    )


def _together(board: Board, busy: Set[int]) -> Board:
    """An endless board drawn anew where its window would divide what is in use.

    The window ends in the widest gap of columns and of rows that nothing stands in.
    """
    columns, rows = period(board)
    column_end = _widest_gap((board.sites[i].column for i in busy), columns)
    row_end = _widest_gap((board.sites[i].row for i in busy), rows)
    return _moved(board, column_end, row_end) if column_end or row_end else board


@lru_cache(maxsize=_MOST_PARTS)
def _part(board: Board, kept: int, has_lines: bool) -> Board:
    """Return the sites of a set, with labels around them."""
    drawn = _as_drawn(board, has_lines)
    return border_labels(drawn.without(board.all_sites & ~kept))


@lru_cache(maxsize=_MOST_PARTS)
def _as_drawn(board: Board, has_lines: bool) -> Board:
    """Return a board with nothing that is not drawn, so that a part of it is soon made."""
    relations = {name: board.relations[name] for name in DRAWN if name in board.relations}
    drawing = Drawing(board.outlines, board.lines if has_lines else ())
    return replace(board, relations=relations, regions={}, draw=Drawn(drawing))


@lru_cache(maxsize=_MOST_PARTS)
def _moved(board: Board, column_end: int, row_end: int) -> Board:
    """Return a board whose columns and rows up to these are drawn beyond the others."""
    columns, rows = period(board)
    across, up = steps(board)

    def way(site: Site) -> tuple[float, float]:
        """How far a site is drawn from where it was."""
        right = columns * (site.column <= column_end)
        above = rows * (site.row <= row_end)
        return right * across[0] + above * up[0], right * across[1] + above * up[1]

    ways = [way(site) for site in board.sites]
    sites = tuple(
        replace(site, x=site.x + x, y=site.y + y)
        for site, (x, y) in zip(board.sites, ways, strict=True)
    )
    outlines = tuple(
        tuple((px + x, py + y) for px, py in outline)
        for outline, (x, y) in zip(board.outlines, ways, strict=True)
    )
    return replace(board, sites=sites, draw=Drawn(Drawing(outlines, ())))


def steps(board: Board) -> tuple[Point, Point]:
    """Return how far away the next column of a lattice is drawn, and the next row."""
    first = board.sites[0]
    along = {(s.column, s.row): (s.x - first.x, s.y - first.y) for s in board.sites[::-1]}
    return along[first.column + 1, first.row], along[first.column, first.row + 1]


@lru_cache(maxsize=_MOST_PARTS)
def period(board: Board) -> tuple[int, int]:
    """Return how many columns and rows there are."""
    return len({site.column for site in board.sites}), len({site.row for site in board.sites})


def _widest_gap(used: Iterable[int], size: int) -> int:
    """The last place of the widest gap in a ring of places 1 … `size`; 0 if that is at its end."""
    ordered = sorted(set(used))
    if not ordered:
        return 0
    gaps = [(after - before, before) for before, after in pairwise(ordered)]
    outer = ordered[0] + size - ordered[-1]
    width, before = max(gaps, default=(0, 0))
    return before if width > outer else 0


def _placed(pairs: Iterable[Pair], place: Mapping[int, int]) -> tuple[Pair, ...]:
    return tuple((place[a], place[b], name) for a, b, name in pairs if a in place and b in place)


def _with_whole_cells(board: Board, kept: list[Site]) -> list[Site]:
    """With cells and other sites: the cells among `kept`, with just the sites around them."""
    cells = sum(1 << site.index for site in kept if site.kind == "cell")
    incident = board.relations.get("incident")
    if not cells or incident is None:
        return kept
    whole = cells | incident.image(cells)
    return [site for site in board.sites if whole >> site.index & 1]


def _near(sites: tuple[Site, ...], busy: set[int], margin: float) -> list[Site]:
    if not sites:
        return []
    centres = [(sites[index].x, sites[index].y) for index in busy]
    if not centres:
        xs, ys = [site.x for site in sites], [site.y for site in sites]
        centres = [((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)]
    left, right = min(x for x, _ in centres) - margin, max(x for x, _ in centres) + margin
    low, high = min(y for _, y in centres) - margin, max(y for _, y in centres) + margin
    return [site for site in sites if left <= site.x <= right and low <= site.y <= high]
