"""Hexagonal and triangular lattices as text: each row is shifted against the next by half a step.

In: a scene on such a board. Out: sizes, the most spacious first. What then holds: a rhombus slants,
and a triangle and a hexagon have their shape.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from gdl.interpreter.render.scene import Scene, side_length
from gdl.interpreter.render.text.canvas import DOWN, UP, Canvas
from gdl.interpreter.render.text.glyphs import Lettering
from gdl.interpreter.render.text.layout import DIVIDED, Sheet
from gdl.interpreter.render.text.scale import Scale, Size, sized

_ROW_HEIGHT = math.sqrt(3) / 2  # in units of the distance of two cells
_LARGEST = 60
_HEXAGON = 2  # columns within the sides of a small one, beside a mark


def slanting(steps: float, unit: float) -> Scale:
    """The scale at which a row is `steps` rows of characters high and shifts by as many columns.

    `unit` is the distance of neighbours along a row, in the board's drawing units.
    """
    return Scale(2 * steps / unit, steps / _ROW_HEIGHT / unit)


def hexagonal_sizes(scene: Scene, letters: Lettering) -> Iterator[Size]:
    """Yield every size of a hexagonal board, from large to small.

    There are six-sided cells, or points joined by lines; then one character a site.
    """
    kinds = {site.kind for site in scene.board.sites}
    unit = side_length(scene.board) * math.sqrt(3)
    room, needed = (4, letters.width + 3) if "edge" in kinds else (7, letters.width + 2)
    large = slanting(4 * math.ceil(needed / room), unit)
    if kinds == {"vertex"}:
        yield joined(scene, letters, large)
    elif scene.on_points:
        yield from _on_points(scene, letters, unit)
    elif kinds == {"cell"}:
        if letters.width <= _HEXAGON:
            yield sized(scene, slanting(2, unit), partial(_hexagons, scene, letters))
        else:
            yield sized(scene, large, partial(_outlined, scene, letters, 3))
        yield dots(scene, letters, unit)
    else:
        yield sized(scene, large, partial(_outlined, scene, letters, 3))


def triangular_sizes(scene: Scene, letters: Lettering) -> Iterator[Size]:
    """Yield every size of a triangular board, from large to small.

    There are triangles with sites in them, on their corners and on their sides, whichever the board
    has; where only the corners are sites, one character a site at last.
    """
    kinds = {site.kind for site in scene.board.sites}
    unit = side_length(scene.board)
    if kinds == {"vertex"}:
        yield from _on_points(scene, letters, unit)
        return
    inside, triangles = letters.width + 2, partial(_outlined, scene, letters, 1)
    if scene.tiles:
        for height in (DIVIDED, DIVIDED - 1):
            yield sized(scene, slanting(height, unit), triangles)
        return
    if "edge" in kinds:
        height = _height(inside, max(4, inside - inside % 2), 2)
    else:
        height = _height(inside, 3, 1)
    yield sized(scene, slanting(height, unit), triangles)
    if letters.width == 1 and "edge" not in kinds:
        yield sized(scene, slanting(2, unit), triangles)


def _height(inside: int, least: int, step: int) -> int:
    """The height of a triangle, in rows, with room for `inside` columns where its site is."""
    fitting = (rows for rows in range(least, _LARGEST, step) if 2 * round(rows * 2 / 3) > inside)
    return next(fitting, _LARGEST)


def _on_points(scene: Scene, letters: Lettering, unit: float) -> Iterator[Size]:
    """Yield the sizes of points with lines between them, in which marks touch or not; then dots."""
    roomy, close = (max(2, (letters.width + more) // 2) for more in (4, 2))
    for steps in dict.fromkeys((roomy, close)):
        yield joined(scene, letters, slanting(steps, unit))
    yield dots(scene, letters, unit)


def joined(scene: Scene, letters: Lettering, scale: Scale) -> Size:
    """Return the size at a scale of points with lines between neighbours."""
    return sized(scene, scale, partial(_joined, scene, letters))


def dots(scene: Scene, letters: Lettering, unit: float) -> Size:
    """Return the size with one row of characters a row, half a step apart."""
    labels = (len(text) for text, _, _ in scene.board.column_labels)
    half = max(letters.width, *labels, 1) // 2 + 1
    scale = Scale(2 * half / unit, 1 / _ROW_HEIGHT / unit)
    return sized(scene, scale, partial(dotted, scene, letters))


def _joined(scene: Scene, letters: Lettering, scale: Scale) -> Canvas:
    """Points with lines between neighbours."""
    sheet = Sheet(scene, letters)
    sheet.lines(scale, scene.links)
    sheet.sites(sheet.places(scale), sheet.point)
    sheet.labels(scale)
    return sheet.canvas


def dotted(scene: Scene, letters: Lettering, scale: Scale, reach: int = 0) -> Canvas:
    """Sites without lines, each with `reach` columns to either side."""
    sheet = Sheet(scene, letters)
    if reach:
        sheet.holes(scale, reach)
    sheet.sites(sheet.places(scale), sheet.dot, reach)
    sheet.labels(scale)
    return sheet.canvas


def _hexagons(scene: Scene, letters: Lettering, scale: Scale) -> Canvas:
    """Cells four columns wide and two rows high: slanting sides above and below, upright ones."""
    sheet = Sheet(scene, letters)
    places = sheet.places(scale)
    upright = letters.characters.arms[UP | DOWN]
    for row, column in places.values():
        for side in (-2, 2):
            sheet.canvas.write(row, column + side, upright, sheet.line_style)
            for tip in (-2, 2):
                sheet.canvas.line((row + tip, column), (row, column + side))
    sheet.holes(scale, reach=1)
    sheet.sites(places, sheet.hollow, reach=1)
    sheet.labels(scale)
    return sheet.canvas


def _outlined(scene: Scene, letters: Lettering, reach: int, scale: Scale) -> Canvas:
    """Cells large enough for sites on their corners and sides, `reach` columns to either side."""
    sheet = Sheet(scene, letters)
    sheet.outlines(scale)
    sheet.corners(scale)
    sheet.tiles(scale)
    sheet.holes(scale, reach=reach)
    sheet.sites(sheet.places(scale), sheet.usual, reach=reach)
    sheet.labels(scale)
    return sheet.canvas
