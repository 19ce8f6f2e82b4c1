"""The sheet that the board is drawn on: lines of text, with a cursor on one of them.

In: the rows of a picture. Out: its lines in the terminal. What then holds: only lines that have
changed are written again.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from interpreter.render.canvas import Place, Run

_CURSOR = Style(reverse=True, bold=True)
_PLAIN = Style()
"""Of text without colours: without a style, textual can't make it a grey one (`NO_COLOR`)."""
_WIDEST = 2  # columns of one character


class Sheet(Widget):
    """A picture with a cursor."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__(id="sheet")
        self._strips: list[Strip] = []
        self._cursor: Place | None = None

    def show(self, rows: Sequence[Sequence[Run]]) -> None:
        """Show these rows from now on."""
        before = self._strips
        self._strips = [
            Strip(Segment(text, style or _PLAIN) for text, style in row) for row in rows
        ]
        if _extent(before) != _extent(self._strips):
            self.styles.width, self.styles.height = _extent(self._strips)
            self.refresh(layout=True)
            return
        for row, pair in enumerate(zip(before, self._strips, strict=True)):
            if pair[0] != pair[1]:
                self.refresh(Region(0, row, pair[1].cell_length, 1))

    def mark(self, place: Place | None) -> None:
        """Put the cursor on a place, or take it away."""
        if place == self._cursor:
            return
        for at in (self._cursor, place):
            if at is not None:
                self.refresh(Region(at[1], at[0], 1, 1))
        self._cursor = place

    def render_line(self, y: int) -> Strip:
        """Return one line as it is shown."""
        if y >= len(self._strips):
            return Strip.blank(self.size.width, _PLAIN)
        strip = self._strips[y]
        if self._cursor is None or self._cursor[0] != y:
            return strip
        column = self._cursor[1]
        end = column + max(1, cell_len(strip.crop(column, column + _WIDEST).text[:1]))
        marked = strip.crop(column, end)
        return Strip.join(
            [
                strip.crop(0, column),
                Strip(Segment(text, (style or _PLAIN) + _CURSOR) for text, style, _ in marked),
                strip.crop(end, None),
            ]
        )


def _extent(strips: Sequence[Strip]) -> tuple[int, int]:
    """Return how many columns and lines there are."""
    return max((strip.cell_length for strip in strips), default=1), len(strips)
