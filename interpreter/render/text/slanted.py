"""Hexagonal lattices as text.

In: a scene on a hexagonal board. Out: sizes, the most spacious first: six-sided cells, or points
joined by lines; then one character a site, each row shifted against the next by half a step, so
that a rhombus slants, and a triangle and a hexagon have their shape.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from interpreter.render.scene import Scene, side_length
from interpreter.render.text.canvas import DOWN, UP, Canvas
from interpreter.render.text.glyphs import Lettering
from interpreter.render.text.layout import Sheet
from interpreter.render.text.scale import Scale, Size, sized

_ROW_HEIGHT = math.sqrt(3) / 2  # in units of the distance of two cells


def slanting(steps: float, unit: float) -> Scale:
    """The scale at which a row is `steps` rows of characters high and shifts by as many columns.

    `unit` is the distance of neighbours along a row, in the board's drawing units.
    """
    return Scale(2 * steps / unit, steps / _ROW_HEIGHT / unit)


def sizes(scene: Scene, letters: Lettering) -> Iterator[Size]:
    """Yield every size that shows the scene, from large to small."""
    kinds = {site.kind for site in scene.board.sites}
    unit = side_length(scene.board) * math.sqrt(3)
    room, needed = (4, letters.width + 3) if "edge" in kinds else (7, letters.width + 2)
    large = slanting(4 * math.ceil(needed / room), unit)
    if kinds == {"vertex"}:
        yield joined(scene, letters, large)
    elif scene.on_points:
        yield joined(scene, letters, slanting(max(2, (letters.width + 4) // 2), unit))
        yield dots(scene, letters, unit)
    elif kinds == {"cell"}:
        if letters.width == 1:
            yield sized(scene, slanting(2, unit), partial(_hexagons, scene, letters))
        else:
            yield sized(scene, large, partial(_outlined, scene, letters))
        yield dots(scene, letters, unit)
    else:
        yield sized(scene, large, partial(_outlined, scene, letters))


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


def dotted(scene: Scene, letters: Lettering, scale: Scale) -> Canvas:
    """Sites without lines."""
    sheet = Sheet(scene, letters)
    sheet.sites(sheet.places(scale), sheet.dot)
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


def _outlined(scene: Scene, letters: Lettering, scale: Scale) -> Canvas:
    """Cells large enough for sites on their corners and sides."""
    sheet = Sheet(scene, letters)
    sheet.outlines(scale)
    sheet.corners(scale)
    sheet.tiles(scale)
    sheet.holes(scale, reach=3)
    sheet.sites(sheet.places(scale), sheet.usual, reach=3)
    sheet.labels(scale)
    return sheet.canvas
