"""Piles in a text picture: what stands under the pieces that are seen.

In: a finished picture and its scene. Out: lines below it, with each pile from its lowest piece up.
What then holds: a pile of which no more is known than its height is not listed; its piece has the
height beside it.
"""

from __future__ import annotations

from rich.cells import cell_len

from interpreter.render.canvas import Canvas
from interpreter.render.glyphs import Lettering
from interpreter.render.scene import Mark, Scene

_HEADING = "piles, lowest first: "
_BETWEEN = 2
_UNKNOWN = "?"


def list_piles(canvas: Canvas, scene: Scene, letters: Lettering, width: int) -> None:
    """Write the piles of a scene below its picture, in lines of at most `width` columns."""
    listed = {
        index: mark
        for index, mark in sorted(scene.marks.items())
        if any(part for part in mark.under)
    }
    if not listed:
        return
    row, left = canvas.bottom + 2, canvas.left
    column, most = left + len(_HEADING), left + max(width, canvas.width)
    canvas.write(row, left, _HEADING)
    for index, mark in listed.items():
        text = f"{scene.board.sites[index].name} {_pieces(mark, letters)}"
        if column + cell_len(text) > most and column > left + len(_HEADING):
            row, column = row + 1, left + len(_HEADING)
        canvas.write(row, column, text)
        column += cell_len(text) + _BETWEEN


def _pieces(mark: Mark, letters: Lettering) -> str:
    known = (_UNKNOWN if part is None else letters.glyph(part) for part in (*mark.under, mark))
    return "".join(known)
