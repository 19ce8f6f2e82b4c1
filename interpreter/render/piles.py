"""Piles in a text picture: what stands under the pieces that are seen.

In: a finished picture and its scene. Out: lines below it, with each pile from its lowest piece up,
or where the rules keep no order, with what is known to be in it. What then holds: a pile of which
no more is known than its height is not listed; its piece has the height beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from interpreter.render.canvas import Canvas
from interpreter.render.glyphs import Lettering
from interpreter.render.scene import Mark, Scene

_ORDERED = "piles, lowest first: "
_SOMEWHERE = "piles, below the top: "
_BETWEEN = 2


def list_piles(canvas: Canvas, scene: Scene, letters: Lettering, width: int) -> None:
    """Write the piles of a scene below its picture, in lines of at most `width` columns."""
    ordered: dict[int, str] = {}
    somewhere: dict[int, str] = {}
    for index, mark in sorted(scene.marks.items()):
        known = [part for part in mark.under if part is not None]
        if len(known) == len(mark.under) > 0:
            ordered[index] = _pieces((*known, mark), letters)
        elif known:
            somewhere[index] = _pieces(known, letters)
    row = canvas.bottom + 2
    for heading, listed in ((_ORDERED, ordered), (_SOMEWHERE, somewhere)):
        if listed:
            _list(canvas, scene, row, heading, listed, width)
            row = canvas.bottom + 1


def _list(
    canvas: Canvas, scene: Scene, row: int, heading: str, listed: Mapping[int, str], width: int
) -> None:
    """Write texts about sites behind a heading, from a row on."""
    left = canvas.left
    column, most = left + len(heading), left + max(width, canvas.width)
    canvas.write(row, left, heading)
    for index, told in listed.items():
        text = f"{scene.board.sites[index].name} {told}"
        if column + cell_len(text) > most and column > left + len(heading):
            row, column = row + 1, left + len(heading)
        canvas.write(row, column, text)
        column += cell_len(text) + _BETWEEN


def _pieces(marks: Sequence[Mark], letters: Lettering) -> str:
    return "".join(map(letters.glyph, marks))
