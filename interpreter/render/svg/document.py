"""A position as an SVG document.

In: a `Scene`. Out: one self-contained SVG document, without scripts. Each site is one group with
its name as `data-site` and as a tooltip; a large board without a border is cut to the part in use.
Distances inside are pixels, y downwards. Colours are attributes, which style sheets may override by
the classes of the elements.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from gdl.board.board import Point, Site
from gdl.data_classes import dataclass
from gdl.interpreter.render.arrangement import HIGH
from gdl.interpreter.render.focus import focus, is_cut
from gdl.interpreter.render.labels import labelled
from gdl.interpreter.render.palette import Colour, ink_on
from gdl.interpreter.render.scene import Mark, Scene
from gdl.interpreter.render.svg import elements, figures
from gdl.interpreter.render.svg.board import BoardPicture, css
from gdl.interpreter.render.svg.elements import between, circle, line, pair, pairs, towards, turn
from gdl.interpreter.render.svg.layout import LETTER, Layout, Row
from gdl.interpreter.render.theme import LIGHT, Theme
from gdl.interpreter.render.tiles import Tile
from gdl.visible import visible_line

_LAYERS = ("cell", "edge", "vertex")


def render_svg(
    scene: Scene,
    *,
    theme: Theme = LIGHT,
    turned: int = 0,
    size: int | None = None,
    labels: bool = True,
) -> str:
    """Draw a position as an SVG document.

    Pieces are discs in the colours of their sides, unless the scene names other figures, with
    letters where the game has several kinds of pieces; neutral pieces are squares. The sites of the
    last move have a ring, what it changed besides a broken one. `turned` are degrees, clockwise:
    0, 90, 180 or 270. `size` is the width and height that it fits into, in pixels, instead of its
    natural one; without `labels` rows and columns are not named.
    """
    board = scene.board
    if is_cut(board):
        scene = focus(scene)
    layout = Layout(replace(scene, board=labelled(scene.board)), turned % 360, labels)
    return _Picture(layout, theme, size).document()


@dataclass
class _Picture:
    layout: Layout
    theme: Theme
    size: int | None

    def document(self) -> str:
        (left, top), (width, height) = self.layout.frame
        scale = self.size / max(width, height) if self.size else 1.0
        title = escape(visible_line(self._scene.title or "Position"))
        board = self._board
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width * scale:.0f}"'
            f' height="{height * scale:.0f}"'
            f' viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}">',
            f"<title>{title}</title>",
            f'<rect class="frame" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}"'
            f' height="{height:.1f}" fill="{self.theme.frame.hex}"/>',
            *board.ground(),
            *board.loops(),
            *self._places(),
            *(board.bridges() if self._scene.on_points else ()),
            *self._sites(),
            *(() if self._scene.on_points else board.bridges()),
            *board.bonds(),
            *board.tracks(),
            *self._over(),
            *(board.labels() if self.layout.has_labels else ()),
            *self._beside(),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    @property
    def _scene(self) -> Scene:
        return self.layout.scene

    @cached_property
    def _board(self) -> BoardPicture:
        return BoardPicture(self.layout, self.theme)

    @cached_property
    def _pieces(self) -> PiecesPicture:
        return PiecesPicture(self.layout, self.theme)

    def _places(self) -> Iterator[str]:
        """The places beside the board, and what lies there."""
        for place in self._scene.places:
            box = self.layout.place_box(place)
            if box is None:
                continue
            (x, y), (end_x, end_y) = box
            told = "; ".join(line.text for line in self._scene.beside if line.place == place)
            yield f'<g class="place {place}"><title>{escape(visible_line(told))}</title>'
            yield (
                f'<rect x="{min(x, end_x):.1f}" y="{min(y, end_y):.1f}"'
                f' width="{abs(end_x - x):.1f}" height="{abs(end_y - y):.1f}"'
                f' rx="{0.0 if place == "gap" else 0.9 * self.layout.radius:.1f}"'
                f' fill="{self.theme.dark.hex}"/>'
            )
            for mark, at, size in self.layout.lying(place):
                yield from self._pieces.piece(mark, at, size, self.theme.dark)
            yield "</g>"

    def _sites(self) -> Iterator[str]:
        for kind in _LAYERS:
            for site in self._scene.board.sites:
                if site.kind == kind:
                    yield from self._site(site)
            if kind == "cell":
                yield from self._board.borders()

    def _site(self, site: Site) -> Iterator[str]:
        mark = self._scene.marks.get(site.index)
        yield f'<g class="site" data-site={quoteattr(visible_line(site.name))}>'
        yield f"<title>{escape(visible_line(self._description(site, mark)))}</title>"
        yield from self._board.site(site)
        yield from self._pieces.on(site)
        yield "</g>"

    def _description(self, site: Site, mark: Mark | None) -> str:
        if mark is None:
            return site.name
        number = "" if mark.count is None else f" {mark.count}"
        told = f"{site.name}: {self._pieces.name(mark)}{number}"
        under = [self._pieces.name(part) for part in reversed(mark.under) if part is not None]
        return f"{told}, upon {', '.join(under)}" if under else told

    def _over(self) -> Iterator[str]:
        """The lines and arrows over the pieces: what a picture is about, the last move's way."""
        layout, width = self.layout, max(2.0, 0.2 * self.layout.radius)
        paint = self.theme.last
        if self._scene.lines:
            yield (
                f'<g class="about" stroke="{paint.hex}" stroke-width="{width:.1f}"'
                f' stroke-linecap="round" stroke-opacity="0.7" pointer-events="none">'
            )
            for first, second in self._scene.lines:
                yield line(layout.site(first), layout.site(second))
            yield "</g>"
        ways = [(*ends, "way", paint) for ends in pairwise(self._scene.way) if ends[0] != ends[1]]
        advised = [(*ends, "arrow", self.theme.advice) for ends in self._scene.arrows]
        for first, second, name, colour in (*ways, *advised):
            start, end = layout.site(first), layout.site(second)
            gap = min(0.4, 0.8 * layout.radius / math.dist(start, end))
            tip = between(start, end, 1 - gap)
            yield elements.arrow(start, tip, 0.2 * layout.radius, colour.hex, css(name))

    def _beside(self) -> Iterator[str]:
        """What lies beside the board, below it: a text, and pieces behind it or under it."""
        layout = self.layout
        (_, (_, y)) = layout.board_box
        y += 0.5 * layout.row_height
        for rows in layout.beside:
            yield '<g class="beside">'
            for row in rows:
                yield from self._row(row, y)
                y += layout.row_height
            yield "</g>"

    def _row(self, row: Row, y: float) -> Iterator[str]:
        """A row below the board, in the middle of which a height is."""
        (left, _), _ = self.layout.board_box
        radius, size, ink = self.layout.radius, 0.8 * self.layout.radius, self.theme.label
        x = left + radius
        if row.text:
            yield elements.anchored(row.text, (x, y), size, ink, "start", css="caption")
            x += size * LETTER * len(row.text) + 0.4 * radius
        for mark in row.marks:
            x += radius * row.scale
            yield from self._pieces.piece(mark, (x, y), 0.9 * row.scale, self.theme.frame)
            x += radius * row.scale


# ------------------------------------------------------------ what stands on the sites of a picture

_SOFT = 0.12  # of full brightness: the least that an area in the colour of a side has
_FEW_BARS = 5  # as high as these together are fewer, too
_MOST_BARS = 9  # of a pile, beyond which only the upper ones are drawn
_UPON_BASE, _ON_TILES, _IN_RING, _IN_CELL = 0.62, 0.35, 0.55, 1.22  # of the usual size


@dataclass(frozen=True)
class PiecesPicture:
    """What stands on the sites of a picture."""

    layout: Layout
    theme: Theme

    def on(self, site: Site) -> Iterator[str]:
        """What stands on a site, with the marks of the last move and of what is proposed."""
        scene = self.layout.scene
        mark = scene.marks.get(site.index)
        if site.index in scene.tiles:
            yield from self._tile(site)
        elif mark is not None and site.kind == "edge":
            yield from self._bar(site, mark)
        elif mark is not None and scene.is_row(site.index):
            yield from self._row_of(mark, site)
        elif mark is not None:
            is_told = bool(scene.tiles) and site.kind == "vertex"
            centre, base = self.layout.middle(site), scene.bases.get(site.index)
            is_upon = base is not None and base.figure != "number" and base is not mark
            if base is not None and is_upon:
                yield from self.piece(base, centre)
                yield from self.piece(mark, centre, _UPON_BASE)
            else:
                in_cell = site.kind == "cell" and not scene.on_points
                large = _IN_CELL if in_cell and mark.figure in _SLENDER else 1.0
                yield from self.piece(mark, centre, _ON_TILES if is_told else large)
            yield from self._under(mark, centre)
        yield from self._last(site)
        highlight = scene.highlights.get(site.index)
        if highlight:
            yield from self._highlight(highlight, self.layout.middle(site), mark is not None)

    def _row_of(self, mark: Mark, site: Site) -> Iterator[str]:
        """A pile laid out in a row, from the base of a triangle to its tip."""
        base, tip = self.layout.middle(site), self.layout.triangle(site.index)[-1]
        parts = (*mark.under, mark)
        room = math.dist(base, tip) - self.layout.radius
        apart = min(2.0 * self.layout.radius, room / max(1, len(parts) - 1))
        for place, part in enumerate(parts):
            shown = mark if part is None else part
            is_last = part is mark and len(parts) > HIGH
            at = towards(base, tip, place * apart)
            drawn = "".join(self.piece(replace(shown, count=mark.count if is_last else None), at))
            yield drawn if part is mark else drawn.replace('class="piece ', 'class="under ')

    def name(self, mark: Mark) -> str:
        """Return a piece in words: the side that has it, and its kind."""
        sides = self.layout.scene.sides
        known = mark.side is not None and mark.side < len(sides)
        side = f"{sides[mark.side]} " if known and mark.side is not None else ""
        return f"{side}{mark.kind}".strip()

    def piece(
        self, mark: Mark, centre: Point, size: float = 1.0, ground: Colour | None = None
    ) -> Iterator[str]:
        """A piece around a point, perhaps not on the board but on another ground."""
        radius = size * self.layout.radius
        colour = self._colour(mark)
        name = self._figure(mark)
        turn = " rotate(180)" if name == "wedge" and self._is_upside_down(mark) else ""
        place = f"translate({centre[0]:.1f},{centre[1]:.1f}) scale({radius:.2f}){turn}"
        ink = ink_on(colour)
        is_light = name in SILHOUETTES and colour.luminance > ink.luminance
        rim = ink if is_light else self.theme.rim(colour, ground)
        paint = figures.Paint(colour.hex, rim.hex, ink.hex)
        names = ("piece", css(self.name(mark)), name)
        yield f'<g class="{" ".join(dict.fromkeys(names))}" transform="{place}">'
        if mark.steps:
            yield from figures.card(paint, mark.steps)
        else:
            yield from figures.figure(name, paint, mark.count)
        yield "</g>"
        letters = self._letters(mark)
        if letters:
            yield from self._written(letters, centre, radius, name, colour)

    def _written(
        self, letters: str, centre: Point, radius: float, name: str, colour: Colour
    ) -> Iterator[str]:
        (x, y), is_upon = centre, name not in ("seeds", "levels", *SILHOUETTES)
        size = radius * min(1.1, 2.0 / len(letters)) * (_IN_RING if name == "ring" else 1.0)
        if is_upon:
            is_bare = name in ("ring", "cross", "number")
            ink = self.theme.label if is_bare else ink_on(colour)
            yield elements.text(letters, (x, y), size, ink, bold=True, css="letters")
            return
        place = (x + 0.66 * radius, y + 0.68 * radius)
        yield circle(place, 0.36 * radius, self.theme.frame.hex, css="number")
        small = 0.5 * radius * min(1.0, 2.4 / (1 + len(letters)))
        yield elements.text(letters, place, small, self.theme.label, bold=True, css="number")

    def _is_upside_down(self, mark: Mark) -> bool:
        return (mark.side == 1) != (self.layout.turned == 180)

    def _figure(self, mark: Mark) -> str:
        if mark.figure:
            return mark.figure
        return "tile" if mark.side is None else "disc"

    def _bar(self, site: Site, mark: Mark) -> Iterator[str]:
        """A piece on an edge: a bar along it."""
        start, end = self.layout.outline(site.index)
        colour, radius = self._colour(mark), self.layout.radius
        inner = (between(start, end, 0.12), between(start, end, 0.88))
        yield f'<g class="piece {css(self.name(mark))}" stroke-linecap="round">'
        for ink, width in ((ink_on(colour), 0.4), (colour, 0.3)):
            yield f'<g stroke="{ink.hex}" stroke-width="{width * radius:.1f}">{line(*inner)}</g>'
        letters = self._letters(mark)
        if letters:
            middle = self.layout.middle(site)
            yield circle(middle, 0.4 * radius, colour.hex)
            yield elements.text(letters, middle, 0.6 * radius, ink_on(colour))
        yield "</g>"

    def _tile(self, site: Site) -> Iterator[str]:
        """A cell in the colours of its corners: its ground, the parts that arcs cut off, a rim."""
        board, tiles = self.layout.scene.board, self.layout.scene.tiles
        tile = Tile(board.outlines[site.index], tiles[site.index])
        outline = [self.layout.at(point) for point in tile.outline]
        radius = tile.reach * self.layout.scale
        yield f'<polygon points="{pairs(outline)}" fill="{self._shade(tile.ground).hex}"/>'
        for place, side in tile.cut:
            corner, before = outline[place], outline[place - 1]
            after = outline[(place + 1) % len(outline)]
            ends = [towards(corner, end, radius) for end in (after, before)]
            sweep = int(turn(corner, *ends) > 0)
            yield (
                f'<path d="M{pair(corner)} L{pair(ends[0])} A{radius:.1f},{radius:.1f} 0 0'
                f' {sweep} {pair(ends[1])} Z" fill="{self._shade(side).hex}"/>'
            )
        yield (
            f'<polygon points="{pairs(outline)}" fill="none" stroke="{self.theme.line.hex}"'
            f' stroke-width="1.2" stroke-linejoin="round"/>'
        )

    def _shade(self, side: int | None) -> Colour:
        """The colour of an area of a side."""
        if side is None:
            return self.theme.board
        return shade(self._colours[side])

    def _under(self, mark: Mark, centre: Point) -> Iterator[str]:
        """The pieces that one stands upon, as bars beside it, the lowest at the bottom."""
        radius = self.layout.radius
        shown = mark.under[-_MOST_BARS:]
        wide, high = 0.72 * radius, 1.9 * radius / max(_FEW_BARS, len(shown))
        left, bottom = centre[0] + 0.42 * radius, centre[1] + 0.95 * radius
        for place, part in enumerate(shown, start=1):
            colour = self.theme.board if part is None else self._colour(part)
            yield (
                f'<rect class="under" x="{left:.1f}" y="{bottom - place * high:.1f}"'
                f' width="{wide:.1f}" height="{high:.1f}" rx="{high / 3:.1f}"'
                f' fill="{colour.hex}" stroke="{self.theme.rim(colour).hex}" stroke-width="1"/>'
            )

    def _last(self, site: Site) -> Iterator[str]:
        """A ring around a site of the last move; broken where it only changed something."""
        scene, radius = self.layout.scene, self.layout.radius
        reach = (0.5 if site.kind == "edge" else 1.04) * radius
        ring = circle(
            self.layout.middle(site),
            reach,
            "none",
            self.theme.last.hex,
            max(1.6, 0.14 * radius),
            css="last" if site.index in scene.last else "changed",
        )
        if site.index in scene.last:
            yield ring
        elif site.index in scene.changed:
            dash = 2 * math.pi * reach / 16
            yield ring.replace("/>", f' stroke-dasharray="{dash:.1f} {dash:.1f}"/>')

    def _highlight(self, text: str, centre: Point, is_occupied: bool) -> Iterator[str]:
        (x, y), radius = centre, self.layout.radius
        if is_occupied:
            x, y = x + 0.72 * radius, y - 0.72 * radius
        if text.isalnum():
            size = (0.5 if is_occupied else 0.8) * radius
            yield elements.text(text, (x, y), size, self.theme.last, css="highlight")
        else:
            yield circle((x, y), 0.22 * radius, self.theme.last.hex, css="highlight")

    @cached_property
    def _colours(self) -> tuple[Colour, ...]:
        scene = self.layout.scene
        beside = (mark for line in scene.beside for mark in line.marks)
        found = (mark.side for mark in (*scene.pieces, *beside) if mark.side is not None)
        present = max(found, default=-1) + 1
        return self.theme.sides([*scene.sides, *[""] * (present - len(scene.sides))])

    def _colour(self, mark: Mark) -> Colour:
        return self.theme.nobody(mark.kind) if mark.side is None else self._colours[mark.side]

    @cached_property
    def _kinds(self) -> tuple[set[str], set[str]]:
        """The kinds of pieces of sides, and the neutral ones."""
        scene = self.layout.scene
        marks = scene.marks.values()
        neutral = {mark.kind for mark in marks if mark.side is None}
        owned = set(scene.kinds) | {m.kind for m in marks if m.side is not None}
        return owned - {scene.marks[site].kind for site in scene.tiles}, neutral

    def _letters(self, mark: Mark) -> str:
        """What is written on a piece: its kind where there are several, and its number."""
        owned, neutral = self._kinds
        several = len(neutral if mark.side is None else owned) > 1
        letter = mark.letters or (mark.symbol.upper() if several and not mark.figure else "")
        is_told = mark.count is None or figures.shows_number(mark.figure, mark.count)
        if is_told or letter[-1:].isdigit():
            return letter
        return letter + str(mark.count)


_SLENDER = ("pawn", "knight", "bishop", "rook", "queen", "king")
SILHOUETTES = (*_SLENDER, "crowned", "man", "star")
"""The figures that are known by their outlines: these are dark on light pieces."""


def shade(colour: Colour) -> Colour:
    """Return the colour of an area of a side: softer than its pieces."""
    return colour.toned(_SOFT + (1 - _SOFT) * colour.luminance)
