"""Sites, lines and cells of a board on a canvas of characters.

In: a scene, its lettering and a scale. Out: drawn parts of a `Canvas`. Every site is written at
exactly one place; what is around it (brackets of the last move, highlights) depends on nothing but
that site, so a picture keeps its shape from move to move.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from itertools import pairwise

from rich.cells import cell_len
from rich.style import Style

from gdl.board.board import Board, Label, Point, Site, column_letters
from gdl.data_classes import dataclass
from gdl.interpreter.render.arrangement import HIGH, triangle
from gdl.interpreter.render.palette import ACCENT, Colour, ink_on
from gdl.interpreter.render.scene import Mark, Scene, common_side, farthest_neighbour, side_length
from gdl.interpreter.render.text.canvas import DOWN, LEFT, RIGHT, UP, Canvas, Edging, Place
from gdl.interpreter.render.text.glyphs import Lettering, fill_of, written
from gdl.interpreter.render.text.scale import Scale, places_of
from gdl.interpreter.render.theme import Theme
from gdl.interpreter.render.tiles import Tile

_MOST_STYLES = 256
DIVIDED = 4
"""So many rows has a triangle in which arcs can be seen."""
_FLAT = 2.5  # beyond this many columns a row, a bar is drawn level
_BLUNT = 0.1  # of an arc's distance: characters are coarse, and arcs look too narrow without
_STRAIGHT = (0, 1, 2, 4, 5, 8, 10)  # arms at which a junction cannot be seen as a site

_Flank = tuple[Place, str, Place, str, str]
"""What stands before a site and behind it, each with its place; and the sign under its piece."""

Blank = Callable[[int, Place], str]
"""What an empty site looks like, by its index and place."""


@dataclass
class Sheet:
    """One picture being drawn: the canvas, and the scene and lettering that are drawn on it."""

    scene: Scene
    letters: Lettering
    canvas: Canvas = field(init=False)
    _flanks: list[_Flank] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        """Begin with an empty canvas."""
        self.canvas = Canvas(self.letters.characters)

    @cached_property
    def line_style(self) -> Style:
        """The style of lines and empty sites."""
        return line_style(self.letters.theme)

    @cached_property
    def label_style(self) -> Style:
        """The style of the names of rows, columns and points."""
        return _style(ink_on(self.letters.theme.wood))

    def places(self, scale: Scale) -> dict[int, Place]:
        """The place of each site, by its drawing position."""
        return places_of(self.scene, scale)

    def lines(self, scale: Scale, lines: Iterable[tuple[Point, Point]]) -> None:
        """Draw lines between points of the board."""
        for start, end in lines:
            self.canvas.line(scale.place(start), scale.place(end))

    def outlines(self, scale: Scale) -> None:
        """Draw the sides of the cells; where edges are sites, only the sides taken."""
        board = self.scene.board
        taken = {s.index for s in board.sites if s.kind == "edge" and s.index in self.scene.marks}
        free = {
            frozenset(scale.place(point) for point in board.outlines[site.index])
            for site in board.sites
            if site.kind == "edge" and site.index not in taken
        }
        drawn: set[frozenset[Place]] = set()
        for site in board.sites:
            corners = [scale.place(point) for point in board.outlines[site.index]]
            if len(corners) < 2:
                continue
            for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
                side = frozenset((start, end))
                if side not in drawn and side not in free:
                    self.canvas.line(start, end)
                drawn.add(side)

    def links(self, scale: Scale) -> None:
        """Draw the lines of the board between near sites.

        Of several colours only slanting lines are drawn, which nothing else is drawn with: each
        crosses others of its colour by a character of its own.
        """
        sites, names = self.scene.board.sites, self.scene.colours_of_bonds
        most, places = farthest_neighbour(self.scene.board), self.places(scale)
        crossings = self.letters.characters.crossings
        for number, name in enumerate(names):
            crossing, style = crossings[number % 2], self._bond_style(name)
            for first, second, own in self.scene.bonds:
                start, end = sites[first], sites[second]
                if own != name or math.dist((start.x, start.y), (end.x, end.y)) > most:
                    continue
                near, far = places[first], places[second]
                if len(names) == 1:
                    self.canvas.line(near, far)
                elif near[0] != far[0] and near[1] != far[1]:
                    self.canvas.line(near, far, crossing, style)

    def bridges(self, scale: Scale) -> None:
        """Draw bars from sites half of the way to others, over the lines of the board."""
        places, characters = self.places(scale), self.letters.characters
        taken = set(places.values())
        for first, second, name in self.scene.bridges:
            (row, column), (last_row, last_column) = places[first], places[second]
            down, right = last_row - row, last_column - column
            steps = max(abs(down), abs(right))
            sloping = characters.falling if (down > 0) == (right > 0) else characters.rising
            if min(abs(down), abs(right)) * _FLAT < steps:
                sloping = characters.borders[int(abs(right) > abs(down))]
            for step in range(1, steps // 2 + 1):
                place = row + round(down * step / steps), column + round(right * step / steps)
                if place not in taken:
                    self.canvas.write(*place, sloping, self._bond_style(name))

    def loops(self, scale: Scale) -> None:
        """Draw the lines that join sites around a corner outside of the board.

        Each goes on from the end of a row and comes in at the end of a column; the farther from the
        corner it begins, the farther outside it is. Others are left out.
        """
        sites = self.scene.board.sites
        xs, ys = [site.x for site in sites], [site.y for site in sites]
        left, right, low, high = min(xs), max(xs), min(ys), max(ys)
        unit, places = side_length(self.scene.board), self.places(scale)
        across, down = max(1, scale.columns * unit / 2), max(1, scale.rows * unit / 2)
        for pair in (loop[:2] for loop in self.scene.loops):
            for first, second in (pair, pair[::-1]):
                row, column = sites[first], sites[second]
                if row.x in (left, right) and column.y in (low, high):
                    away = min(abs(column.x - row.x), abs(row.y - column.y)) / unit
                    start, end = places[first], places[second]
                    side = start[1] + (1 if row.x == right else -1) * round(away * across)
                    over = end[0] + (1 if column.y == low else -1) * round(away * down)
                    corners = (start, (start[0], side), (over, side), (over, end[1]), end)
                    for near, far in pairwise(corners):
                        self.canvas.line(near, far)
                    break

    def borders(self, scale: Scale) -> None:
        """Draw the borders between cells over their outlines."""
        characters = self.letters.characters.borders
        for first, second, _ in self.scene.borders:
            side = common_side(self.scene.board, first, second)
            if side is None:
                continue
            (row, column), (last_row, last_column) = sorted(map(scale.place, side))
            if column == last_column:
                places = [(r, column) for r in range(row + 1, last_row)]
            elif row == last_row:
                places = [(row, c) for c in range(column + 1, last_column)]
            else:
                continue
            for place in places:
                character = characters[int(row == last_row)]
                self.canvas.write(*place, character, self.label_style)

    def holes(self, scale: Scale, reach: int) -> None:
        """Fill cells that are cut out of a board of cells."""
        for point in holes_of(self.scene.board):
            row, column = scale.place(point)
            hole = self.letters.characters.hole * (2 * reach + 1)
            self.canvas.write(row, column - reach, hole, self.line_style)

    def corners(self, scale: Scale) -> None:
        """Mark the corners of the outlines, where lines alone would not show them."""
        board = self.scene.board
        kinds = {site.kind for site in board.sites}
        if "vertex" in kinds or (board.lattice != "triangular" and "edge" not in kinds):
            return
        characters = self.letters.characters
        for place in {scale.place(point) for outline in board.outlines for point in outline}:
            if "edge" in kinds or self.canvas.arms_at(*place) in _STRAIGHT:
                self.canvas.write(*place, characters.corner, self.line_style)

    def tiles(self, scale: Scale) -> None:
        """Fill cells in the colours of their corners, between the lines.

        Where arcs could not be seen, there is one character in a cell, of the side that has most of
        it.
        """
        for index, sides in self.scene.tiles.items():
            tile = Tile(self.scene.board.outlines[index], sides)
            rows, columns = zip(*(scale.place(point) for point in tile.outline), strict=True)
            is_divided = max(rows) - min(rows) >= DIVIDED
            for row in range(min(rows), max(rows) + 1):
                for column in range(min(columns), max(columns) + 1):
                    self._fill(tile, (row, column), scale.point((row, column)), is_divided)
            if tile.ground is not None and not is_divided:
                site = self.scene.board.sites[index]
                self._write_fill(scale.place((site.x, site.y)), tile.ground)

    def _fill(self, tile: Tile, place: Place, point: Point, is_divided: bool) -> None:
        side = tile.side_at(point, _BLUNT) if tile.covers(point) else None
        if side is None or self.canvas.is_used(*place):
            return
        self.canvas.tint(*place, Style(bgcolor=self._side_styles[side].color))
        if is_divided:
            self._write_fill(place, side)

    def _write_fill(self, place: Place, side: int) -> None:
        self.canvas.write(*place, fill_of(self.scene, side, self.letters.characters))

    def sites(self, places: Mapping[int, Place], blank: Blank, reach: int = 0) -> None:
        """Write every site, its brackets and its highlight; `reach` columns around are tinted."""
        areas = self.scene.areas
        self.canvas.sites.update(places)
        for index, (row, column) in places.items():
            if index in areas:
                theme = self.letters.theme
                colour = theme.area_in_terminal(areas[index][-1], self.scene.sides)
                tint = Style(bgcolor=colour.hex)
                for beside in range(column - reach, column + reach + 1):
                    for further in self._rows(index, row):
                        self.canvas.tint(further, beside, tint)
            self._site(index, row, column, blank)
            mark = self.scene.marks.get(index)
            if mark is not None and self.scene.is_row(index):
                parts = (part or mark for part in (*mark.under[1:], mark)[: HIGH - 1])
                for part, further in zip(parts, self._rows(index, row)[1:], strict=False):
                    glyph = self.letters.glyph(part)
                    self.canvas.write(further, column, glyph, self._style_of(part))
        self._write_flanks()

    def _rows(self, index: int, row: int) -> range:
        """The rows of a site, from that where it is written on."""
        if not self.scene.is_row(index):
            return range(row, row + 1)
        is_up = triangle(self.scene.board, index)[-1][1] > self.scene.board.sites[index].y
        return range(row, row - HIGH, -1) if is_up else range(row, row + HIGH)

    def labels(self, scale: Scale) -> None:
        """Write the labels of rows and columns outside of everything drawn so far."""
        Margin(self.canvas, self.scene.board, scale, self.label_style).write()

    def point(self, index: int, place: Place) -> str:
        """An empty site on a crossing: the crossing itself where it can be seen, else a dot."""
        characters = self.letters.characters
        arms = self.canvas.arms_at(*place)
        if characters.is_ascii and (arms or self.canvas.slants_at(*place)):
            return self._unlike_marks(characters.corner)
        if arms in _STRAIGHT:
            return self.letters.empty
        return characters.arms[arms]

    def dot(self, index: int, place: Place) -> str:
        """An empty site with nothing drawn around it."""
        return self.letters.empty

    def usual(self, index: int, place: Place) -> str:
        """An empty site among outlines: blank in a cell, a crossing or a dot elsewhere."""
        kind = self.scene.board.sites[index].kind
        return {"cell": " ", "edge": self.letters.empty}.get(kind) or self.point(index, place)

    def hollow(self, index: int, place: Place) -> str:
        """An empty site inside of an outline."""
        return " "

    def _unlike_marks(self, character: str) -> str:
        return self.letters.empty if character in self.letters.texts.values() else character

    @cached_property
    def _side_styles(self) -> tuple[Style, ...]:
        marks = self.scene.marks.values()
        present = max((mark.side for mark in marks if mark.side is not None), default=-1) + 1
        names = list(self.scene.sides) + [""] * (present - len(self.scene.sides))
        return tuple(_style(tone, bold=True) for tone in self.letters.theme.in_terminal(names))

    def _bond_style(self, name: str) -> Style:
        theme, sides = self.letters.theme, self.scene.sides
        if name in sides:
            return _style(theme.in_terminal(sides)[sides.index(name)])
        return _style(theme.nobody_in_terminal(name))

    def _style_of(self, mark: Mark) -> Style:
        if mark.side is not None:
            return self._side_styles[mark.side]
        return _style(self.letters.theme.nobody_in_terminal(mark.kind), bold=True)

    def _site(self, index: int, row: int, column: int, blank: Blank) -> None:
        scene = self.scene
        mark, highlight = scene.marks.get(index), scene.highlights.get(index, "")
        before = after = ""
        number = highlight if highlight.isdigit() else ""
        if index in scene.tiles:
            text = self.canvas.text_at(row, column) or " "
            style = None
        elif mark is not None:
            text = self.letters.texts[index]
            style = self._style_of(mark)
            before = after = "" if number else written(highlight[:1], self.letters.characters)
            after = self._heading(index) or after
        else:
            told = self._heading(index) or highlight
            shown = written(told or self._sign(index), self.letters.characters)
            text = shown or blank(index, (row, column))
            style = _ACCENT_STYLE if told else self.line_style
        tail = number if mark is not None and index not in scene.tiles else ""
        first = column - (cell_len(text + tail) - 1) // 2
        behind = first + cell_len(text + tail)
        flag = self.letters.flags.get(index, "") if mark is not None else ""
        first -= cell_len(flag)
        text = f"{flag}{text}"
        # What may be done now goes before what was done.
        if index in scene.last and not before:
            before, after = "[", after or "]"
        elif index in scene.changed and not before:
            before, after = "(", after or ")"
        if style is not None:
            self.canvas.write(row, first, text, style)
            self.canvas.write(row, first + cell_len(text), tail, _ACCENT_STYLE)
        under = scene.signs.get(index, "") if mark is not None else ""
        is_told = not under or under in PLAIN_SIGNS or (mark is not None and mark.flag == under)
        sign = "" if is_told else self._sign(index)
        self._flanks.append(((row, first - 1), before, (row, behind), after, sign))

    def _sign(self, index: int) -> str:
        """The sign on a site, or the way that a track goes on from there."""
        sign = self.scene.signs.get(index, "")
        return self.letters.characters.signs.get(sign, sign) or self._track(index)

    def _track(self, index: int) -> str:
        """An arrow to the one site to which a track leads; nothing if it leads to several."""
        ends = self._tracks.get(index, set())
        return self._arrow(index, next(iter(ends))) if len(ends) == 1 else ""

    def _heading(self, index: int) -> str:
        """An arrow to where a move leads that is meant; nothing if it does not begin here."""
        end = next((end for start, end in self.scene.arrows if start == index), None)
        return "" if end is None else self._arrow(index, end)

    def _arrow(self, start: int, end: int) -> str:
        sites = self.scene.board.sites
        across, up = sites[end].x - sites[start].x, sites[end].y - sites[start].y
        eighth = round(math.atan2(up, across) / (math.pi / 4)) % 8
        return self.letters.characters.arrows[eighth]

    @cached_property
    def _tracks(self) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for start, end, _ in self.scene.tracks:
            found.setdefault(start, set()).add(end)
        return found

    def _write_flanks(self) -> None:
        """Write what stands beside sites: brackets first, then other marks where there is room.

        Where neighbours share a column, marks stand before what they mark, and behind it if a
        bracket stands there; two brackets that meet are one stroke. Last comes what a site is that
        a piece stands on.
        """
        flanks, self._flanks = self._flanks, []
        ends = {place for _, _, place, *_ in flanks}
        is_tight = any(place in ends for place, *_ in flanks)
        drawn: dict[Place, str] = {}
        for first, before, last, after, _ in flanks:
            for place, character, opposite in ((first, before, "])"), (last, after, "[(")):
                self.canvas.reserve(*place)
                if character and character in _BRACKETS:
                    drawn[place] = "|" if drawn.get(place, " ") in opposite else character
        for first, before, last, after, _ in flanks:
            if before and before not in _BRACKETS and first not in drawn:
                drawn[first] = before
                after = "" if is_tight and after == before else after
            if after and after not in _BRACKETS:
                drawn.setdefault(last, after)
        for place, character in drawn.items():
            self.canvas.write(*place, character, _ACCENT_STYLE)
        for _, _, place, _, sign in flanks:
            is_free = not (is_tight or place in drawn or self.canvas.arms_at(*place))
            if sign and is_free and self.canvas.text_at(*place) is None:
                self.canvas.write(*place, sign, self.line_style)


_BRACKETS = "[]()"
PLAIN_SIGNS = ("cross", "point", "ring")
"""Signs that say by themselves nothing of a site."""


@lru_cache(maxsize=_MOST_STYLES)
def _style(colour: Colour, bold: bool = False) -> Style:
    return Style(color=colour.hex, bold=bold)


_ACCENT_STYLE = _style(ACCENT, bold=True)


def ground_style(theme: Theme) -> Style:
    """Return the style of the board under a picture."""
    return Style(bgcolor=theme.wood.hex)


def line_style(theme: Theme) -> Style:
    """Return the style of the lines and empty sites of a picture."""
    return _style(theme.grain)


# ---------------------------------------------------------------- cells that are cut out of a board

_MOST_BOARDS = 8  # a board is drawn again with each key
_DIGITS = 4  # to which two ways to work out one point agree


@lru_cache(maxsize=_MOST_BOARDS)
def holes_of(board: Board) -> tuple[Point, ...]:
    """Return the middle of each missing cell that shares most of its sides with cells of the board.

    So are the outermost corners of a board whose rows begin with cells that are missing, which
    share half of theirs. None where sites of other kinds are.
    """
    if any(site.kind != "cell" for site in board.sites):
        return ()
    there = {_rounded((site.x, site.y)) for site in board.sites}
    beside = Counter(point for site in board.sites for point in _across(board, site))
    half = len(board.outlines[0]) / 2
    ends = [{min(axis), max(axis)} for axis in zip(*there, strict=True)]

    def is_hole(point: Point, number: int) -> bool:
        is_corner = all(place in end for place, end in zip(point, ends, strict=True))
        return number > half or (is_corner and number == half)

    return tuple(
        point for point, number in beside.items() if point not in there and is_hole(point, number)
    )


def _across(board: Board, site: Site) -> Iterator[Point]:
    """The middle of the cell beyond each side, or where it would be: as far behind it as before."""
    corners = board.outlines[site.index]
    for (x, y), (next_x, next_y) in zip(corners, corners[1:] + corners[:1], strict=True):
        yield _rounded((x + next_x - site.x, y + next_y - site.y))


def _rounded(point: Point) -> Point:
    x, y = (round(number, _DIGITS) for number in point)
    return x, y


# --------------------------------------------------------------------- the margin of a text picture

_FARTHEST_PUSH = 12


@dataclass(frozen=True)
class Margin:
    """The labels of a board that stand around its picture."""

    canvas: Canvas
    board: Board
    scale: Scale
    style: Style

    def write(self) -> None:
        """Write all labels outside of everything drawn so far."""
        board = self.board
        if not board.sites:
            return
        middle_x = _middle(site.x for site in board.sites)
        middle_y = _middle(site.y for site in board.sites)
        rows, columns = board.row_labels, board.column_labels
        self._push([row for row in rows if row[1] < middle_x], LEFT)
        self._push([row for row in rows if row[1] >= middle_x], RIGHT)
        self._push([column for column in columns if column[2] >= middle_y], UP)
        self._push([column for column in columns if column[2] < middle_y], DOWN)

    def _push(self, labels: Sequence[Label], side: int) -> None:
        """Write the labels of one side, all moved alike, as near to the board as leaves a gap."""
        if not labels:
            return
        is_row = side in (LEFT, RIGHT)
        inwards = min(
            (self._inwards(label, is_row) for label in labels), key=lambda way: math.hypot(*way)
        )
        down, right = {LEFT: (0, -1), RIGHT: (0, 1), UP: (-1, 0), DOWN: (1, 0)}[side]
        tries = [(share, 0) for share in (0.5, 1 / 3, 0.25, 0.0)]
        tries += [(0.0, push) for push in range(1, _FARTHEST_PUSH)]
        spans: list[tuple[int, range]] = []
        for share, push in tries:
            spans = []
            for text, x, y in labels:
                point = (x + share * inwards[0], y + share * inwards[1])
                row, column = self.scale.place(point)
                first = _first_column(column + push * right, cell_len(text), side)
                spans.append((row + push * down, range(first, first + cell_len(text))))
            gap = int(is_row or share > 0)
            if not any(self._is_crowded(row, span, gap) for row, span in spans):
                break
        for (text, _, _), (row, span) in zip(labels, spans, strict=True):
            shown = written(text, self.canvas.characters)
            self.canvas.write(row, span.start, shown, self.style)
            end = self._end(text, (row, span.start), is_row)
            self.canvas.labels.append(Edging(shown, row, span.start, end, is_row))

    def _inwards(self, label: Label, is_row: bool) -> Point:
        """The way from a label to the nearest site of its row or column."""
        text, x, y = label
        own = (self._rows if is_row else self._columns).get(text)
        ways = ((site.x - x, site.y - y) for site in own or self.board.sites)
        return min(ways, key=lambda way: math.hypot(*way))

    def _end(self, text: str, place: Place, is_row: bool) -> Place:
        """Return where the row or column ends that has a label at a place."""
        sites = (self._rows if is_row else self._columns).get(text, ())
        places = [self.scale.place((site.x, site.y)) for site in sites]
        return max(places, key=lambda other: math.dist(place, other), default=place)

    @cached_property
    def _rows(self) -> dict[str, list[Site]]:
        return self._grouped(lambda site: str(site.row))

    @cached_property
    def _columns(self) -> dict[str, list[Site]]:
        return self._grouped(lambda site: column_letters(site.column))

    def _grouped(self, name: Callable[[Site], str]) -> dict[str, list[Site]]:
        groups: dict[str, list[Site]] = {}
        for site in self.board.sites:
            groups.setdefault(name(site), []).append(site)
        return groups

    def _is_crowded(self, row: int, span: range, gap: int) -> bool:
        columns = range(span.start - gap, span.stop + gap)
        return any(self.canvas.is_used(row, column) for column in columns)


def _first_column(column: int, length: int, side: int) -> int:
    """Where a text begins: at the sides it has its end next to the board at `column`."""
    return {LEFT: column - length + 1, RIGHT: column}.get(side, column - (length - 1) // 2)


def _middle(values: Iterable[float]) -> float:
    known = list(values)
    return (min(known) + max(known)) / 2
