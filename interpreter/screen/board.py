"""The board on the screen: drawn as large as there is room, pointed at by mouse and arrow keys.

In: a table. Out: the picture, and messages that a site was pointed at. What then holds: the site
under the cursor is in sight, whatever the size of the screen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import ScrollableContainer
from textual.geometry import Region, Spacing
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.text.canvas import Place, Run
from gdl.interpreter.render.text.text import Picture, picture
from gdl.interpreter.render.theme import LIGHT, Theme

_HIGH = 2  # a line of a terminal is so many times as high as a column is wide
_ASIDE = 3  # how much a step to the side counts against one in the direction of the key
_LARGE = 10_000  # columns and lines that are enough for any picture
_MARGIN = Spacing(2, 6, 2, 6)
_DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Board(ScrollableContainer):
    """A picture of a position with a cursor on one of its sites."""

    can_focus = False

    class Pointed(Message):
        """A site was pointed at."""

        def __init__(self, site: int) -> None:
            """Take the index of the site."""
            super().__init__()
            self.site = site

    class Reduced(Message):
        """The board is drawn smaller than it could be, which may leave lines out."""

    class Cut(Message):
        """Not all of the board is in sight, though it is drawn as small as it can be."""

        def __init__(self, columns: int) -> None:
            """Take the number of columns that it lacks."""
            super().__init__()
            self.columns = columns

    def __init__(self, *, ascii: bool = False, theme: Theme = LIGHT) -> None:
        """Begin without a position."""
        super().__init__()
        self._ascii = ascii
        self._theme = theme
        self._scene: Scene | None = None
        self._picture = Picture((), {})
        self._is_drawn = False
        self._is_large = False
        self._sheet = Sheet()
        self._last: frozenset[int] = frozenset()
        self.cursor: int | None = None

    def compose(self) -> ComposeResult:
        """Give the sheet that the picture is on."""
        yield self._sheet

    def show(self, scene: Scene) -> None:
        """Draw a position, unless it is the one that is shown.

        That is done when the room for it is known: what is said beside the board may change it.
        """
        if scene != self._scene:
            if self._scene is not None and self._scene.board is not scene.board:
                self.cursor = None
            self._scene = scene
            self._is_drawn = False
            self.call_after_refresh(self._draw_if_new)

    def _draw_if_new(self) -> None:
        if not self._is_drawn:
            self._draw()

    def on_resize(self) -> None:
        """Draw the position as large as there is room now."""
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Point at the site that was clicked."""
        offset = event.get_content_offset(self._sheet)
        if offset is None:
            return
        site = self._picture.site_at(offset.y, offset.x)
        if site is not None:
            self.cursor = site
            self._mark()
            self.post_message(self.Pointed(site))

    @property
    def is_whole(self) -> bool:
        """Whether all of the board is in sight."""
        return len(self._picture.rows) <= self.size.height and self._lacking() == 0

    def _lacking(self) -> int:
        """Return how many columns of the board there is no room for."""
        rows = self._picture.rows
        widest = max((sum(cell_len(text) for text, _ in row) for row in rows), default=0)
        return max(0, widest - self.size.width)

    def enlarge(self) -> bool:
        """Draw the position as large as it can be, or as there is room again.

        Return whether it has another size now.
        """
        before = len(self._picture.rows)
        self._is_large = not self._is_large
        self._draw()
        return len(self._picture.rows) != before

    def move_cursor(self, key: str) -> None:
        """Go to the nearest site in the direction of an arrow key."""
        places = self._picture.sites
        if not places:
            return
        if self.cursor is None or self.cursor not in places:
            self.cursor = self._middle()
        else:
            down, right = _DIRECTIONS[key]
            row, column = places[self.cursor]

            def cost(site: int) -> float:
                rows = (places[site][0] - row) * _HIGH
                columns = places[site][1] - column
                ahead = rows * down + columns * right
                aside = abs(rows * right) + abs(columns * down)
                return ahead + _ASIDE * aside if ahead > 0 and aside <= 2 * ahead else math.inf

            nearest = min(places, key=cost)
            if cost(nearest) < math.inf:
                self.cursor = nearest
        self._mark()

    def leave(self) -> None:
        """Take the cursor off the board."""
        self.cursor = None
        self._mark()

    def point(self) -> None:
        """Point at the site under the cursor."""
        if self.cursor is None:
            self.move_cursor("up")
        if self.cursor is not None:
            self.post_message(self.Pointed(self.cursor))

    def _middle(self) -> int:
        """Return the site nearest to the middle of the picture."""
        places = self._picture.sites
        row = sum(place[0] for place in places.values()) / len(places)
        column = sum(place[1] for place in places.values()) / len(places)
        return min(
            places,
            key=lambda site: math.hypot(_HIGH * (places[site][0] - row), places[site][1] - column),
        )

    def _draw(self) -> None:
        """Draw the position as large as there is room."""
        if self._scene is None or not self.size.width:
            return
        is_first = not self._picture.sites
        self._picture = self._pictured(self._scene)
        self._is_drawn = True
        if is_first and not self.is_whole:
            self.post_message(self.Cut(self._lacking()))
        elif is_first and len(self._pictured(self._scene, True).rows) > len(self._picture.rows):
            self.post_message(self.Reduced())
        self._sheet.show(self._picture.rows)
        self._mark()
        self._show_last()

    def _pictured(self, scene: Scene, is_large: bool | None = None) -> Picture:
        large = self._is_large if is_large is None else is_large
        width, height = (_LARGE, _LARGE) if large else (self.size.width, self.size.height)
        return picture(scene, ascii=self._ascii, width=width, height=height, theme=self._theme)

    def _show_last(self) -> None:
        """Bring the last move in sight, where not all of the board is."""
        assert self._scene is not None
        sites = self._picture.sites
        places = [sites[site] for site in self._scene.last if site in sites]
        if places and not self.is_whole and self._last != self._scene.last:
            self.bring_in_sight(places[0])
        self._last = self._scene.last

    def _mark(self) -> None:
        """Show the cursor."""
        place = None if self.cursor is None else self._picture.sites.get(self.cursor)
        self._sheet.mark(place)
        if place is not None:
            self.bring_in_sight(place)

    def bring_in_sight(self, place: Place) -> None:
        """Scroll to a place of the picture, once the board is drawn."""
        at = Region(place[1], place[0], 1, 1)
        self.call_after_refresh(self.scroll_to_region, at, spacing=_MARGIN, animate=False)


# ------------------------------------------------------------- the sheet that the board is drawn on

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
