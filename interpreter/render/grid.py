"""Square lattices as text.

In: a scene on a square board. Out: pictures, the most spacious first: boxes with pieces in them, or
crossing lines with pieces on them; then one character a site. Where cells, vertices and edges are
sites together, each has its own place: corners, sides and middles of the boxes.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.render.canvas import Canvas
from interpreter.render.glyphs import Lettering
from interpreter.render.layout import Scale, Sheet
from interpreter.render.scene import Scene, side_length


def pictures(scene: Scene, letters: Lettering) -> Iterator[Canvas]:
    """Draw the scene in every size that shows it, from large to small."""
    kinds = {site.kind for site in scene.board.sites}
    side = side_length(scene.board)
    wide = max(4, letters.width + 3 + (letters.width + 3) % 2)
    if kinds - {"cell"} and len(kinds) > 1:
        yield _boxes(scene, letters, Scale(2 * wide / side, 4 / side), wide - 1)
        tight = 2 * (letters.width + 1)
        yield _boxes(scene, letters, Scale(tight / side, 2 / side), letters.width // 2)
    elif scene.on_points:
        yield _crossings(scene, letters, Scale(wide / side, 2 / side))
        yield _crossings(scene, letters, Scale(_narrow(scene, letters) / side, 1 / side))
    else:
        yield _boxes(scene, letters, Scale(wide / side, 2 / side), wide // 2 - 1)
        if kinds == {"cell"}:
            yield _dots(scene, letters, Scale(_narrow(scene, letters) / side, 1 / side))


def _boxes(scene: Scene, letters: Lettering, scale: Scale, reach: int) -> Canvas:
    sheet = Sheet(scene, letters)
    sheet.outlines(scale)
    sheet.corners(scale)
    sheet.tiles(scale)
    if all(site.kind == "cell" for site in scene.board.sites):
        sheet.holes(scale, reach)
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
