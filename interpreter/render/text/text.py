"""A position as text.

In: a `Scene`. Out: a string, or rich text with the same characters. Each site is shown exactly
once, by its piece or as empty, except that a board without a border which is too wide is cut to
the part in use. Of all sizes of picture the largest that fits is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from gdl.data_classes import dataclass
from gdl.interpreter.render.focus import focus, is_wrapped
from gdl.interpreter.render.labels import half_turned, labelled
from gdl.interpreter.render.scene import Mark, Scene, side_length
from gdl.interpreter.render.text import points, slanted
from gdl.interpreter.render.text.canvas import Canvas, Edging, Place, Run
from gdl.interpreter.render.text.glyphs import ASCII, UNICODE, Lettering, lettering
from gdl.interpreter.render.text.layout import Sheet, ground_style, holes_of, line_style
from gdl.interpreter.render.text.scale import Scale, Size, largest, sized
from gdl.interpreter.render.theme import LIGHT, Theme

# -------------------------------------------------------------------------- square lattices as text


def sizes(scene: Scene, letters: Lettering) -> Iterator[Size]:
    """Yield every size that shows the scene, from large to small."""
    kinds = {site.kind for site in scene.board.sites}
    side = side_length(scene.board)
    wide, close = (max(4, letters.width + more + (letters.width + more) % 2) for more in (3, 2))
    if kinds - {"cell"} and len(kinds) > 1:
        boxes, tight = partial(_boxes, scene, letters), 2 * (letters.width + 1)
        yield sized(scene, Scale(2 * wide / side, 4 / side), partial(boxes, wide - 1))
        yield sized(scene, Scale(tight / side, 2 / side), partial(boxes, letters.width // 2))
        return
    large = [(Scale(columns / side, 2 / side), columns) for columns in dict.fromkeys((wide, close))]
    small = Scale(_narrow(scene, letters) / side, 1 / side)
    if any(map(scene.is_row, scene.fields)):
        reach = _narrow(scene, letters) // 2
        yield sized(
            scene,
            Scale((2 * reach + 1) / side, 1 / side),
            partial(slanted.dotted, scene, letters, reach=reach),
        )
        yield sized(scene, small, partial(slanted.dotted, scene, letters))
    elif scene.on_points:
        for scale, _ in large:
            yield sized(scene, scale, partial(_crossings, scene, letters))
        yield sized(scene, small, partial(_crossings, scene, letters))
    else:
        for scale, columns in large:
            yield sized(scene, scale, partial(_boxes, scene, letters, columns // 2 - 1))
        if kinds == {"cell"}:
            if scene.areas or scene.has_areas or holes_of(scene.board):
                reach = _narrow(scene, letters) // 2
                closed = Scale((2 * reach + 1) / side, 1 / side)
                yield sized(scene, closed, partial(slanted.dotted, scene, letters, reach=reach))
            yield sized(scene, small, partial(slanted.dotted, scene, letters))


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
    sheet.bridges(scale)
    sheet.loops(scale)
    sheet.sites(sheet.places(scale), sheet.point)
    sheet.labels(scale)
    return sheet.canvas


def _narrow(scene: Scene, letters: Lettering) -> int:
    """The least distance of two sites at which neither they nor their labels touch."""
    labels = (len(text) for text, _, _ in scene.board.column_labels)
    return max(letters.width, *labels, 1) + 1


USUAL_WIDTH = 80
"""The width that a picture should fit when none is given."""
USUAL_HEIGHT = 27
"""The number of lines beyond which a smaller picture is taken."""

ColourSystem = Literal["standard", "256", "truecolor"]
"""How many colours a terminal shows: 16, 256, or all."""

_HIGH = 2  # a line of a terminal is so many times as high as a column is wide
_NEAR = 6  # columns
_DIGITS = 6  # that tell places on a board apart

_SIZES: Mapping[str, Callable[[Scene, Lettering], Iterator[Size]]] = {
    "square": sizes,
    "hexagonal": slanted.hexagonal_sizes,
    "triangular": slanted.triangular_sizes,
    "graph": points.sizes,
}


def render_text(
    scene: Scene,
    *,
    colour: bool = False,
    ascii: bool = False,
    width: int | None = None,
    theme: Theme = LIGHT,
    flip: bool = False,
    colours: ColourSystem = "256",
) -> str:
    """Draw a position as lines of text without a newline at the end.

    `colour` adds terminal codes, for the colours of `theme` or those of `colours` that are nearest;
    `ascii` keeps to characters below 128; `width` is the number of columns at hand (80 if None). If
    even the smallest picture is wider, it is drawn all the same. With `flip` the board is seen from
    the other side.
    """
    if not colour:
        return _drawn(scene, _Manner(ascii, theme, flip), width, USUAL_HEIGHT)[0].plain()
    drawn = render_rich(scene, ascii=ascii, width=width, theme=theme, flip=flip)
    lines = drawn.split("\n", allow_blank=True)
    stream = StringIO()
    console = Console(
        file=stream,
        force_terminal=True,
        color_system=colours,
        legacy_windows=False,
        no_color=False,
        width=max((line.cell_len for line in lines), default=0) + 1,
    )
    console.print(drawn, end="", no_wrap=True, overflow="ignore", crop=False)
    return stream.getvalue()


def render_rich(
    scene: Scene,
    *,
    ascii: bool = False,
    width: int | None = None,
    theme: Theme = LIGHT,
    flip: bool = False,
) -> Text:
    """Draw a position as `rich` text: the plain picture on a wooden ground, with a column around.

    Parameters as for `render_text`.
    """
    return picture(scene, ascii=ascii, width=width, theme=theme, flip=flip).text


@dataclass(frozen=True)
class _Manner:
    """How a text picture is made."""

    ascii: bool
    theme: Theme
    is_flipped: bool

    def letters(self, scene: Scene) -> Lettering:
        return lettering(scene, ASCII if self.ascii else UNICODE, self.theme)


@dataclass(frozen=True)
class Picture:
    """A position as rows of styled text, and where in it each site is: (row, column), from 0.

    Sites go by the index of the scene's board; those that are not drawn are left out. `labels` are
    those of rows and columns.
    """

    rows: Sequence[Sequence[Run]]
    sites: Mapping[int, Place]
    labels: Sequence[Edging] = ()

    @property
    def text(self) -> Text:
        """The picture as `rich` text."""
        return Text("\n").join(Text.assemble(*row) for row in self.rows)

    def site_at(self, row: int, column: int) -> int | None:
        """Return the site that is drawn nearest to a place; None if that is far away."""
        if not self.sites:
            return None

        def distance(site: int) -> float:
            own_row, own_column = self.sites[site]
            return math.hypot(_HIGH * (own_row - row), own_column - column)

        nearest = min(self.sites, key=distance)
        return nearest if distance(nearest) <= _NEAR else None


def picture(
    scene: Scene,
    *,
    ascii: bool = False,
    width: int | None = None,
    height: int = USUAL_HEIGHT,
    theme: Theme = LIGHT,
    flip: bool = False,
) -> Picture:
    """Draw a position, as large as it can be within so many columns and lines."""
    room = None if width is None else width - 2
    canvas, drawn = _drawn(scene, _Manner(ascii, theme, flip), room, height)
    rows = canvas.styled(ground_style(theme), line_style(theme))
    first_row, first_column = canvas.first
    sites = {
        number: (row - first_row, column - first_column + 1)
        for index, (row, column) in canvas.sites.items()
        if (number := scene.board.index(drawn.board.sites[index].name)) is not None
    }
    labels = tuple(
        Edging(
            label.text,
            label.row - first_row,
            label.column - first_column + 1,
            (label.end[0] - first_row, label.end[1] - first_column + 1),
            label.is_row,
        )
        for label in canvas.labels
    )
    return Picture(rows, sites, labels)


def _drawn(scene: Scene, manner: _Manner, width: int | None, height: int) -> tuple[Canvas, Scene]:
    """Return a picture, and the scene that it shows: all of the one given, or a part of it."""
    room = USUAL_WIDTH if width is None else width
    if scene.board.endless or (_columns(scene) > room and is_wrapped(scene.board)):
        part = focus(scene)
        return _largest(part, manner, room, height), part
    scene = replace(scene, board=labelled(scene.board))
    canvas = _largest(scene, manner, room, height)
    if canvas.width > room and is_wrapped(scene.board):
        part = focus(scene)
        closer = _largest(part, manner, room, height)
        if closer.width < canvas.width:
            return closer, part
    list_piles(canvas, scene, manner.letters(scene), room)
    return canvas, scene


def _columns(scene: Scene) -> int:
    """Return how many columns the narrowest picture has at least."""
    return len({round(site.x, _DIGITS) for site in scene.board.sites})


def _largest(scene: Scene, manner: _Manner, width: int, height: int) -> Canvas:
    if manner.is_flipped:
        scene = replace(scene, board=half_turned(scene.board))
    letters = manner.letters(scene)
    sizes = _SIZES[scene.board.lattice](scene, letters)
    return largest(sizes, width, height) or Canvas(letters.characters)


# -------------------------------------------------------------------------- piles in a text picture

_ORDERED = "piles, lowest first: "
_SOMEWHERE = "piles, below the top: "
_BETWEEN = 2


def list_piles(canvas: Canvas, scene: Scene, letters: Lettering, width: int) -> None:
    """Write the piles of a scene below its picture, in lines of at most `width` columns."""
    ordered: dict[int, str] = {}
    somewhere: dict[int, str] = {}
    for index, mark in sorted(scene.marks.items()):
        known = [part for part in mark.under if part is not None and not scene.is_row(index)]
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
