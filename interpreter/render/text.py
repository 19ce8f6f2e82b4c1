"""A position as text.

In: a `Scene`. Out: a string, or rich text with the same characters. Each site is shown exactly
once, by its piece or as empty, except that a board without a border which is too wide is cut to
the part in use. Of all sizes of picture the largest that fits is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from io import StringIO

from rich.console import Console
from rich.text import Text

from interpreter.render import grid, points, slanted, triangles
from interpreter.render.canvas import Canvas
from interpreter.render.focus import focus, is_wrapped
from interpreter.render.glyphs import ASCII, UNICODE, Lettering, lettering
from interpreter.render.labels import labelled
from interpreter.render.layout import GROUND_STYLE, LINE_STYLE
from interpreter.render.scene import Scene

USUAL_WIDTH = 80
"""The width that a picture should fit when none is given."""
USUAL_HEIGHT = 27
"""The number of lines beyond which a smaller picture is taken."""

_PICTURES: Mapping[str, Callable[[Scene, Lettering], Iterator[Canvas]]] = {
    "square": grid.pictures,
    "hexagonal": slanted.pictures,
    "triangular": triangles.pictures,
    "graph": points.pictures,
}


def render_text(
    scene: Scene, *, colour: bool = False, ascii: bool = False, width: int | None = None
) -> str:
    """Draw a position as lines of text without a newline at the end.

    `colour` adds terminal codes (256 colours); `ascii` keeps to characters below 128; `width` is
    the number of columns at hand (80 if None). If even the smallest picture is wider, it is drawn
    all the same.
    """
    if not colour:
        return _canvas(scene, ascii, width).plain()
    picture = render_rich(scene, ascii=ascii, width=width)
    lines = picture.split("\n", allow_blank=True)
    stream = StringIO()
    console = Console(
        file=stream,
        force_terminal=True,
        color_system="256",
        legacy_windows=False,
        no_color=False,
        width=max((line.cell_len for line in lines), default=0) + 1,
    )
    console.print(picture, end="", no_wrap=True, overflow="ignore", crop=False)
    return stream.getvalue()


def render_rich(scene: Scene, *, ascii: bool = False, width: int | None = None) -> Text:
    """Draw a position as `rich` text: the plain picture on a wooden ground, with a column around.

    Parameters as for `render_text`.
    """
    room = None if width is None else width - 2
    return _canvas(scene, ascii, room).styled(GROUND_STYLE, LINE_STYLE)


def _canvas(scene: Scene, ascii: bool, width: int | None) -> Canvas:
    room = USUAL_WIDTH if width is None else width
    scene = replace(scene, board=labelled(scene.board))
    canvas = _largest(scene, ascii, room)
    if canvas.width > room and is_wrapped(scene.board):
        closer = _largest(focus(scene), ascii, room)
        if closer.width < canvas.width:
            return closer
    return canvas


def _largest(scene: Scene, ascii: bool, width: int) -> Canvas:
    letters = lettering(scene, ASCII if ascii else UNICODE)
    canvas: Canvas | None = None
    for picture in _PICTURES[scene.board.lattice](scene, letters):
        if picture.width <= width and picture.height <= USUAL_HEIGHT:
            return picture
        if canvas is None or (picture.width, picture.height) <= (canvas.width, canvas.height):
            canvas = picture
    return canvas if canvas is not None else Canvas(letters.characters)
