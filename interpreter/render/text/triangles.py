"""Triangular lattices as text.

In: a scene on a triangular board. Out: sizes, the most spacious first: triangles with sites in
them, on their corners and on their sides, whichever the board has; where only the corners are
sites, one character a site at last.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from interpreter.render.scene import Scene, side_length
from interpreter.render.text.canvas import Canvas
from interpreter.render.text.glyphs import Lettering
from interpreter.render.text.layout import Sheet
from interpreter.render.text.scale import Scale, Size, sized
from interpreter.render.text.slanted import dots, joined, slanting

_LARGEST = 60
_DIVIDED = 4  # rows of a triangle in which arcs can be seen


def sizes(scene: Scene, letters: Lettering) -> Iterator[Size]:
    """Yield every size that shows the scene, from large to small."""
    kinds = {site.kind for site in scene.board.sites}
    unit = side_length(scene.board)
    if kinds == {"vertex"}:
        yield joined(scene, letters, slanting(max(2, (letters.width + 4) // 2), unit))
        yield dots(scene, letters, unit)
        return
    inside, triangles = letters.width + 2, partial(_triangles, scene, letters)
    if scene.tiles:
        for height in (_DIVIDED, _DIVIDED - 1):
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


def _triangles(scene: Scene, letters: Lettering, scale: Scale) -> Canvas:
    sheet = Sheet(scene, letters)
    sheet.outlines(scale)
    sheet.corners(scale)
    sheet.tiles(scale)
    sheet.holes(scale, reach=1)
    sheet.sites(sheet.places(scale), sheet.usual, reach=1)
    sheet.labels(scale)
    return sheet.canvas
