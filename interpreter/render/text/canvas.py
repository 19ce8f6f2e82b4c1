"""A sheet of characters on which a text picture is drawn.

In: lines, texts and tints at (row, column) positions, rows downwards; positions may be negative.
Out: the picture as plain text (`plain`) or as styled rows (`styled`), moved to begin at the first
used row and column. Texts cover lines; lines that meet are joined by the right character.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from rich.cells import cell_len
from rich.style import Style

from gdl.data_classes import dataclass
from gdl.interpreter.render.text.glyphs import CharacterSet

Place = tuple[int, int]
Run = tuple[str, Style]

UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
_STEEP = 2.5  # beyond this many columns a row, a slanting line is drawn column by column


@dataclass(frozen=True)
class Edging:
    """A label of a row or a column: its text, where it begins, and the `end` of what it labels."""

    text: str
    row: int
    column: int
    end: Place
    is_row: bool


@dataclass
class Canvas:
    """A picture in the making; (row, column) positions, no limits to either."""

    characters: CharacterSet
    _texts: dict[Place, str] = field(default_factory=dict)
    _styles: dict[Place, Style] = field(default_factory=dict)
    _tints: dict[Place, Style] = field(default_factory=dict)
    _arms: dict[Place, int] = field(default_factory=dict)
    _slants: dict[Place, str] = field(default_factory=dict)
    _reserved: set[Place] = field(default_factory=set)
    sites: dict[int, Place] = field(default_factory=dict)
    """Where the middle of each site is drawn, by its index."""
    labels: list[Edging] = field(default_factory=list)
    """The labels of rows and columns that are drawn around the board."""

    def write(self, row: int, column: int, text: str, style: Style | None = None) -> None:
        """Write `text` from the position to the right, over whatever is there."""
        for character in text:
            cells = cell_len(character)
            if cells == 0:
                continue
            self._texts[row, column] = character
            if style is not None:
                self._styles[row, column] = style
            for follower in range(1, cells):
                self._texts[row, column + follower] = ""
            column += cells

    def tint(self, row: int, column: int, style: Style) -> None:
        """Give a position a background."""
        self._tints[row, column] = style

    def reserve(self, row: int, column: int) -> None:
        """Count a position as used, though nothing may be written there."""
        self._reserved.add((row, column))

    def is_used(self, row: int, column: int) -> bool:
        """Whether anything stands at the position or it is reserved."""
        place = (row, column)
        layers = (self._texts, self._arms, self._slants, self._reserved)
        return any(place in layer for layer in layers)

    def text_at(self, row: int, column: int) -> str | None:
        """The character written at the position; None where there is no text."""
        return self._texts.get((row, column))

    def arms_at(self, row: int, column: int) -> int:
        """The directions in which upright and level lines leave the position, as a sum."""
        return self._arms.get((row, column), 0)

    def slants_at(self, row: int, column: int) -> bool:
        """Whether a slanting line touches the position or ends beside it."""
        return any(
            (row + down, column + right) in self._slants
            for down, right in ((0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))
        )

    def line(
        self, start: Place, end: Place, crossing: str = "", style: Style | None = None
    ) -> None:
        """Draw a straight line; slanting ones leave both ends free.

        A slanting one may have a style, and a `crossing` where it meets another one.
        """
        (row, column), (last_row, last_column) = sorted((start, end))
        if row == last_row:
            self._join(((row, c) for c in range(column, last_column + 1)), RIGHT, LEFT)
        elif column == last_column:
            self._join(((r, column) for r in range(row, last_row + 1)), DOWN, UP)
        else:
            for place, character in self._slant(row, column, last_row, last_column):
                self._stroke(place, character, crossing or self.characters.crossings[0])
                if style is not None:
                    self._styles[place] = style

    def plain(self) -> str:
        """The picture as text, without spaces at the ends of lines."""
        rows, columns = self._extent()
        return "\n".join(
            "".join(self._character((row, column)) for column in columns).rstrip() for row in rows
        )

    def styled(self, ground: Style, line: Style) -> list[list[Run]]:
        """The picture's rows with styles on a `ground` that fills it and a column around.

        Characters that follow each other in one style are one run.
        """
        rows, columns = self._extent()
        wide = range(columns.start - 1, columns.stop + 1)
        plain, mixed = Style(), dict[tuple[Style | None, Style], Style]()
        picture: list[list[Run]] = []
        for row in rows:
            runs: list[Run] = []
            text, style = "", plain
            for column in wide:
                place = (row, column)
                own = self._styles.get(place, line if place not in self._texts else plain)
                key = self._tints.get(place), own
                wanted = mixed.get(key)
                if wanted is None:
                    wanted = mixed[key] = ground + (key[0] or plain) + own
                if wanted is not style and text:
                    runs.append((text, style))
                    text = ""
                text, style = text + self._character(place), wanted
            picture.append([*runs, (text, style)])
        return picture

    @property
    def first(self) -> Place:
        """The position at which the picture begins."""
        rows, columns = self._extent()
        return rows.start, columns.start

    @property
    def width(self) -> int:
        """Columns of the picture."""
        return len(self._extent()[1])

    @property
    def height(self) -> int:
        """Rows of the picture."""
        return len(self._extent()[0])

    @property
    def bottom(self) -> int:
        """The last row that is used."""
        return self._extent()[0].stop - 1

    @property
    def left(self) -> int:
        """The first column that is used."""
        return self._extent()[1].start

    def _places(self) -> Iterator[Place]:
        for layer in (self._texts, self._arms, self._slants):
            yield from layer

    def _extent(self) -> tuple[range, range]:
        places = list(self._places())
        rows, columns = [row for row, _ in places], [column for _, column in places]
        return (
            range(min(rows, default=0), max(rows, default=-1) + 1),
            range(min(columns, default=0), max(columns, default=-1) + 1),
        )

    def _character(self, place: Place) -> str:
        text = self._texts.get(place)
        if text is not None:
            return text
        arms = self._arms.get(place, 0)
        return self.characters.arms[arms] if arms else self._slants.get(place, " ")

    def _join(self, places: Iterator[Place], forward: int, backward: int) -> None:
        run = list(places)
        for place in run[:-1]:
            self._arms[place] = self._arms.get(place, 0) | forward
        for place in run[1:]:
            self._arms[place] = self._arms.get(place, 0) | backward

    def _slant(
        self, row: int, column: int, last_row: int, last_column: int
    ) -> Iterator[tuple[Place, str]]:
        """Yield the strokes of a slanting line."""
        height, width = last_row - row, last_column - column
        direction = 1 if width > 0 else -1
        sloping = self.characters.falling if width > 0 else self.characters.rising
        if abs(width) > _STEEP * height:
            level = self.characters.arms[LEFT | RIGHT]
            before = row
            for step in range(2, abs(width) - 1):
                here = row + _rounded(height * step / abs(width))
                yield (here, column + direction * step), level if here == before else sloping
                before = here
            return
        upright = self.characters.arms[UP | DOWN]
        previous = column
        for step in range(1, height):
            here = column + _rounded(width * step / height)
            yield (row + step, here), upright if here == previous else sloping
            previous = here

    def _stroke(self, place: Place, character: str, crossing: str) -> None:
        present = self._slants.get(place, character)
        self._slants[place] = character if present == character else crossing


def _rounded(value: float) -> int:
    return int(value + 0.5) if value >= 0 else -int(0.5 - value)
