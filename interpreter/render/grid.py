"""Square lattices as text.

In: a scene on a square board. Out: sizes, the most spacious first: boxes with pieces in them, or
crossing lines with pieces on them; then one character a site. Where cells, vertices and edges are
sites together, each has its own place: corners, sides and middles of the boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from interpreter.render.canvas import Canvas
from interpreter.render.glyphs import Lettering
from interpreter.render.layout import Sheet
from interpreter.render.scale import Scale
from interpreter.render.scene import Scene, side_length
from interpreter.render.size import Size, sized


def sizes(scene: Scene, letters: Lettering) -> Iterator[Size]:
    """Yield every size that shows the scene, from large to small."""
    kinds = {site.kind for site in scene.board.sites}
    side = side_length(scene.board)
    wide = max(4, letters.width + 3 + (letters.width + 3) % 2)
    if kinds - {"cell"} and len(kinds) > 1:
        boxes, tight = partial(_boxes, scene, letters), 2 * (letters.width + 1)
        yield sized(scene, Scale(2 * wide / side, 4 / side), partial(boxes, wide - 1))
        yield sized(scene, Scale(tight / side, 2 / side), partial(boxes, letters.width // 2))
        return
    large = Scale(wide / side, 2 / side)
    small = Scale(_narrow(scene, letters) / side, 1 / side)
    if scene.on_points:
        yield sized(scene, large, partial(_crossings, scene, letters))
        yield sized(scene, small, partial(_crossings, scene, letters))
    else:
        yield sized(scene, large, partial(_boxes, scene, letters, wide // 2 - 1))
        if kinds == {"cell"}:
            yield sized(scene, small, partial(_dots, scene, letters))


def _boxes(scene: Scene, letters: Lettering, reach: int, scale: Scale) -> Canvas:
    sheet = Sheet(scene, letters)
    sheet.outlines(scale)
    sheet.corners(scale)
    sheet.tiles(scale)
    sheet.holes(scale, reach)
    if all(site.kind == "cell" for site in scene.board.sites):
        sheet.borders(scale)
    sheet.sites(sheet.places(scale), sheet.usual, reach=reach)
    sheet.labels(scale)
    return sheet.canvas


def _crossings(scene: Scene, letters: Lettering, scale: Scale) -> Canvas:
    sheet = Sheet(scene, letters)
    sheet.lines(scale, scene.links)
    sheet.links(scale)
    sheet.sites(sheet.places(scale), sheet.point)
    sheet.labels(scale)
    return sheet.canvas


def _dots(scene: Scene, letters: Lettering, scale: Scale) -> Canvas:
    sheet = Sheet(scene, letters)
    sheet.sites(sheet.places(scale), sheet.dot)
    sheet.labels(scale)
    return sheet.canvas


def _narrow(scene: Scene, letters: Lettering) -> int:
    """The least distance of two sites at which neither they nor their labels touch."""
    labels = (len(text) for text, _, _ in scene.board.column_labels)
    return max(letters.width, *labels, 1) + 1
