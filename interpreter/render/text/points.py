"""Boards of any shape as text: points by their position, with the lines between them.

In: a scene on a graph board. Out: sizes, the most spacious first. Points whose positions would
fall on each other at every reasonable scale are spread out by rank. Where the board has no labels
of rows and columns, each point has its name beside it. Where lines are sites, those that are taken
are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise

from rich.cells import cell_len

from gdl.board.board import Point
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.text.canvas import Canvas, Place
from gdl.interpreter.render.text.glyphs import Lettering, written
from gdl.interpreter.render.text.layout import Sheet
from gdl.interpreter.render.text.scale import Scale, Size, places_of

_MOST_COLUMNS, _MOST_ROWS = 240, 120
_MOST_CHARACTERS = 1_000_000
_FACTORS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
_PARTS = 20
"""Where names stand at points and a factor is too large, smaller ones are tried in such parts."""


def sizes(scene: Scene, letters: Lettering) -> Iterator[Size]:
    """Yield every size that shows the scene, from large to small."""
    names = _names(scene, letters)
    picture = partial(_picture, scene, letters, names)
    gap = letters.width + 3 + max((cell_len(name) + 1 for name in names.values()), default=0)
    unit = _unit(scene)
    drawn = False
    for factor in _FACTORS:
        scale = Scale(4 * factor / unit, 2 * factor / unit)
        places = places_of(scene, scale)
        if _is_small(places) and _is_apart(places, gap):
            drawn = True
            yield Size(places, partial(picture, places, scale))
            finer = (factor * part / _PARTS for part in range(_PARTS - 1, _PARTS // 2, -1))
            scales = (Scale(4 * smaller / unit, 2 * smaller / unit) for smaller in finer)
            for scale in scales if names else ():
                places = places_of(scene, scale)
                if _is_apart(places, gap):
                    yield Size(places, partial(picture, places, scale))
            break
    short = {i: name for i, name in names.items() if scene.board.sites[i].kind != "edge"}
    for factor in _FACTORS[::-1] if not drawn and len(short) < len(names) else ():
        # The name of an edge is that of its ends: it can be left out.
        scale = Scale(4 * factor / unit, 2 * factor / unit)
        places = places_of(scene, scale)
        if _is_small(places) and _is_apart(places, letters.width + 1):
            drawn = True
            yield Size(places, partial(_picture, scene, letters, short, places, scale))
    small = Scale((letters.width + 1) / unit, 1 / unit)
    places = places_of(scene, small)
    if not names and _is_small(places) and _is_apart(places, letters.width + 1):
        drawn = True
        yield Size(places, partial(picture, places, small))
    if not drawn:
        places = _ranked(scene, gap)
        yield Size(places, partial(picture, places, None))


def _picture(
    scene: Scene,
    letters: Lettering,
    names: Mapping[int, str],
    places: Mapping[int, Place],
    scale: Scale | None,
) -> Canvas:
    sheet = Sheet(scene, letters)
    at = {(site.x, site.y): places[site.index] for site in scene.board.sites}
    for start, end in _lines(scene):
        if start in at and end in at:
            sheet.canvas.line(at[start], at[end])
    if scale is not None:
        sheet.links(scale)
    sheet.sites(places, sheet.point)
    for index, name in names.items():
        row, column = places[index]
        beside = column + letters.width // 2 + 1
        if sheet.canvas.text_at(row, beside) is None:
            sheet.canvas.write(row, beside, " ")
        sheet.canvas.write(row, beside + 1, name, sheet.label_style)
    if scale is not None:
        sheet.labels(scale)
    return sheet.canvas


def _lines(scene: Scene) -> Iterator[tuple[Point, Point]]:
    """The lines to draw: all of them, or those that are taken where they are sites."""
    edges = [site.index for site in scene.board.sites if site.kind == "edge"]
    if not edges:
        yield from scene.links
    for index in edges:
        if index in scene.marks:
            start, end = scene.board.outlines[index]
            yield start, end


def _names(scene: Scene, letters: Lettering) -> dict[int, str]:
    board = scene.board
    if board.column_labels or board.row_labels:
        return {}
    return {site.index: written(site.name, letters.characters) for site in board.sites}


def _unit(scene: Scene) -> float:
    """The length of the shortest link, which becomes four columns or two rows."""
    lengths = (math.dist(start, end) for start, end in scene.links)
    return min((length for length in lengths if length > 0), default=1.0)


def _is_small(places: Mapping[int, Place]) -> bool:
    rows = [row for row, _ in places.values()]
    columns = [column for _, column in places.values()]
    return max(rows) - min(rows) < _MOST_ROWS and max(columns) - min(columns) < _MOST_COLUMNS


def _is_apart(places: Mapping[int, Place], gap: int) -> bool:
    ordered = sorted(places.values())
    return all(
        row != next_row or next_column - column >= gap
        for (row, column), (next_row, next_column) in pairwise(ordered)
    )


def _ranked(scene: Scene, gap: int) -> dict[int, Place]:
    """A place a site, by the rank of its position; sites at one position stand side by side.

    Where that would be too large, the sites stand in rows, one after the other.
    """
    sites = scene.board.sites
    rows = {y: 2 * rank for rank, y in enumerate(sorted({site.y for site in sites}, reverse=True))}
    columns = {x: rank for rank, x in enumerate(sorted({(s.x, s.y, s.index) for s in sites}))}
    distinct = {x: rank for rank, x in enumerate(sorted({site.x for site in sites}))}
    if 2 * gap * len(rows) * len(distinct) > _MOST_CHARACTERS:
        side = math.isqrt(len(sites)) + 1
        in_order = sorted(sites, key=lambda site: (-site.y, site.x))
        return {s.index: (n // side, gap * (n % side)) for n, s in enumerate(in_order)}
    spread = len({(site.x, site.y) for site in sites}) < len(sites)
    return {
        s.index: (rows[s.y], gap * (columns[s.x, s.y, s.index] if spread else distinct[s.x]))
        for s in sites
    }
