"""The board on the screen: drawn as large as there is room, pointed at by mouse and arrow keys.

In: a table. Out: the picture, and messages that a site was pointed at. What then holds: the site
under the cursor is in sight, whatever the size of the screen, and so are the labels of the rows and
columns that are; sites stay where they are on the screen, as far as there is room.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import ScrollableContainer
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from gdl.interpreter.positions.meant import ADVISED
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.text.canvas import Edging, Place
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
        self._advised: frozenset[int] = frozenset()
        self._origin = (0, 0)
        self._is_placed = False
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
        self._is_placed = False
        self._draw()

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        """Keep the labels of rows in sight."""
        super().watch_scroll_x(old_value, new_value)
        self._look()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Keep the labels of columns in sight."""
        super().watch_scroll_y(old_value, new_value)
        self._look()

    def watch_show_vertical_scrollbar(self) -> None:
        """Keep labels clear of it."""
        self.call_after_refresh(self._look)

    def watch_show_horizontal_scrollbar(self) -> None:
        """Keep labels clear of it."""
        self.call_after_refresh(self._look)

    def _look(self) -> None:
        """Tell the sheet which part of the picture is in sight."""
        size = self.scrollable_content_region.size
        self._sheet.window(Region(round(self.scroll_x), round(self.scroll_y), *size))

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
        return max(0, _widest(self._picture) - self.size.width)

    def enlarge(self) -> bool:
        """Draw the position as large as it can be, or as there is room again.

        Return whether it has another size now.
        """
        before = len(self._picture.rows)
        self._is_large = not self._is_large
        self._draw()
        return len(self._picture.rows) != before

    def move_cursor(self, key: str, kinds: Collection[str] = ()) -> None:
        """Go to the nearest site in the direction of an arrow key, of one of these kinds if any."""
        everywhere = self._picture.sites
        places = {site: at for site, at in everywhere.items() if self._is_of(site, kinds)}
        if not places:
            return
        if self.cursor is None or self.cursor not in places:
            self.cursor = self._middle(places)
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

    def _is_of(self, site: int, kinds: Collection[str]) -> bool:
        return not kinds or (
            self._scene is not None and self._scene.board.sites[site].kind in kinds
        )

    def _middle(self, places: Mapping[int, Place]) -> int:
        """Return which of some sites is nearest to the middle of the picture."""
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
        before = self._picture
        is_first = not before.sites
        self._picture = self._pictured(self._scene)
        self._is_drawn = True
        if is_first and not self.is_whole:
            self.post_message(self.Cut(self._lacking()))
        elif is_first and len(self._pictured(self._scene, True).rows) > len(self._picture.rows):
            self.post_message(self.Reduced())
        self._sheet.show(self._picture)
        self._place(before)
        self._mark()
        self._show_last()

    def _place(self, before: Picture) -> None:
        """Have the sites stay where they are, as far as there is room; else show the middle.

        A picture that fits is in the middle at first, and when the room has changed.
        """
        rows, columns = len(self._picture.rows), _widest(self._picture)
        shift = _shift(before, self._picture, self._origin, self.size)
        origin = []
        sizes = (rows, self.size.height, shift[0]), (columns, self.size.width, shift[1])
        for axis, (length, room, moved) in enumerate(sizes):
            free = room - length
            wanted = self._origin[axis] + moved
            if free >= 0 and not self._is_placed:
                wanted = free // 2
            origin.append(min(max(wanted, min(0, free)), max(0, free)))
        self._origin, self._is_placed = (origin[0], origin[1]), True
        self._sheet.styles.margin = (max(0, origin[0]), 0, 0, max(0, origin[1]))
        self.call_after_refresh(self._scroll)

    def _scroll(self) -> None:
        row, column = (max(0, -place) for place in self._origin)
        self.scroll_to(column, row, animate=False, force=True)
        self._look()

    def _pictured(self, scene: Scene, is_large: bool | None = None) -> Picture:
        large = self._is_large if is_large is None else is_large
        width, height = (_LARGE, _LARGE) if large else (self.size.width, self.size.height)
        return picture(scene, ascii=self._ascii, width=width, height=height, theme=self._theme)

    def _show_last(self) -> None:
        """Bring the last move in sight, or one that is advised, where not all of the board is."""
        assert self._scene is not None
        scene, sites = self._scene, self._picture.sites
        advised = frozenset(site for site, mark in scene.highlights.items() if mark == ADVISED)
        news = (advised, self._advised), (scene.last, self._last)
        new = next((shown for shown, before in news if shown and shown != before), frozenset())
        places = [sites[site] for site in new if site in sites]
        if places and not self.is_whole:
            self.bring_in_sight(places[0])
        self._last, self._advised = scene.last, advised

    def _mark(self) -> None:
        """Show the cursor."""
        place = None if self.cursor is None else self._picture.sites.get(self.cursor)
        self._sheet.mark(place)
        if place is not None:
            self.bring_in_sight(place)

    def bring_in_sight(self, place: Place) -> None:
        """Scroll to a place of the picture, once the board is drawn."""
        at = Region(place[1], place[0], 1, 1)
        self.call_after_refresh(self._bring, at)

    def _bring(self, at: Region) -> None:
        if not self.is_whole:
            self.scroll_to_region(at, spacing=_MARGIN, animate=False, force=True)
            self._origin = (
                -round(self.scroll_y) or self._origin[0],
                -round(self.scroll_x) or self._origin[1],
            )


def _widest(picture: Picture) -> int:
    """Return how many columns a picture has."""
    return max((sum(cell_len(text) for text, _ in row) for row in picture.rows), default=0)


def _shift(before: Picture, after: Picture, origin: Place, room: Size) -> Place:
    """Return how far a picture's beginning must go for its sites to stay where they are.

    The site goes by that both have and that is nearest to the middle of what is in sight.
    """
    middle = room.height / 2 - origin[0], room.width / 2 - origin[1]

    def distance(site: int) -> float:
        row, column = before.sites[site]
        return math.hypot(_HIGH * (row - middle[0]), column - middle[1])

    nearest = min(before.sites.keys() & after.sites.keys(), key=distance, default=None)
    if nearest is None:
        return 0, 0
    (row, column), (new_row, new_column) = before.sites[nearest], after.sites[nearest]
    return row - new_row, column - new_column


# ------------------------------------------------------------- the sheet that the board is drawn on

_CURSOR = Style(reverse=True, bold=True)
_LABEL = Style(bold=True)
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
        self._labels: Sequence[Edging] = ()
        self._window = Region()
        self._pinned: Pinned = {}

    def show(self, picture: Picture) -> None:
        """Show a picture from now on."""
        before, self._labels = self._strips, picture.labels
        self._strips = [
            Strip(Segment(text, style or _PLAIN) for text, style in row) for row in picture.rows
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

    def window(self, part: Region) -> None:
        """Show the labels of rows and columns at the edges of the part that is in sight."""
        columns, lines = _extent(self._strips)
        part = part.intersection(Region(0, 0, columns, lines))
        found = pinned(self._labels, part)
        if found != self._pinned or (found and part != self._window):
            self.refresh()
        self._window, self._pinned = part, found

    def render_line(self, y: int) -> Strip:
        """Return one line as it is shown."""
        if y >= len(self._strips):
            return Strip.blank(self.size.width, _PLAIN)
        strip = self._marked(y)
        for column, text in self._pinned.get(y, ()):
            ground = next(iter(self._strips[y].crop(column, column + 1)), Segment(" ")).style
            shown = Segment(text, (ground or _PLAIN) + _LABEL)
            ends = strip.crop(0, column), strip.crop(column + cell_len(text), None)
            strip = Strip.join([ends[0], Strip([shown]), ends[1]])
        return strip

    def _marked(self, y: int) -> Strip:
        """Return a line of the picture with the cursor."""
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


Pinned = dict[int, list[tuple[int, str]]]
"""Texts by line, each with the column at which it begins."""


def pinned(labels: Sequence[Edging], window: Region) -> Pinned:
    """Return the labels that are not in sight where their rows and columns come in sight.

    The first or last line in sight has nothing else, if columns have labels there.

    >>> labels = [Edging("7", 4, 0, (4, 30), True), Edging("b", 9, 7, (0, 7), False)]
    >>> pinned(labels, Region(3, 2, 9, 5))
    {4: [(3, ' 7 ')], 6: [(3, '    b    ')]}
    """
    found: Pinned = {}
    lines: dict[int, list[str]] = {}
    for label in labels:
        place = _first_in_sight(label, window)
        if place is None:
            continue
        row, column = place
        if label.is_row or row not in (window.y, window.bottom - 1):
            text = f" {label.text} "
            column = min(column, window.right - len(text))
            found.setdefault(row, []).append((column, text))
        else:
            line = lines.setdefault(row, [" "] * window.width)
            line[column - window.x : column - window.x + len(label.text)] = label.text
    for row, line in lines.items():
        found[row] = [(window.x, "".join(line)[: window.width])]
    return found


def _first_in_sight(label: Edging, window: Region) -> Place | None:
    """Return the first place of a row or column that is in sight; None if its label is, or none."""
    down, right = label.end[0] - label.row, label.end[1] - label.column
    last = window.right - len(label.text)
    steps = max(abs(down), abs(right))
    for step in range(steps + 1):
        row = label.row + round(down * step / max(1, steps))
        column = label.column + round(right * step / max(1, steps))
        if window.y <= row < window.bottom and window.x <= column <= last:
            return (row, column) if step else None
    return None
