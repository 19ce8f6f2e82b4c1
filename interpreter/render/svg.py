"""A position as an SVG picture.

In: a `Scene`. Out: one self-contained SVG document. Each site is one group with its name as
`data-site` and as a tooltip; a large board without a border is cut to the part in use. Distances
inside are pixels, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from xml.sax.saxutils import escape, quoteattr

from gdl.board.board import Point, Site
from gdl.visible import visible_line
from interpreter.render.focus import focus, is_wrapped
from interpreter.render.labels import labelled
from interpreter.render.palette import (
    FRAME,
    LAST,
    LINE,
    NEUTRAL,
    PLAIN,
    Colour,
    area_colour,
    ink_on,
    side_colours,
)
from interpreter.render.scene import Mark, Scene, farthest_neighbour
from interpreter.render.tiles import Tile

_SPACING = 46.0  # pixels between the nearest neighbours
_LARGEST = 2400.0  # pixels of the longer side, beyond which the board is drawn smaller
_MOST_SITES = 600  # of a board without a border, beyond which only the part in use is drawn
_SOFT = 0.12  # of full brightness: the least that an area in the colour of a side has
_MOST_BARS = 9  # of a pile, beyond which only the upper ones are drawn
_MOST_CUT = 0.35  # of a line of the board, at each end
_SHARE = 0.35  # of the shortest of lines that are sites: as far apart as neighbours elsewhere
_LAYERS = ("cell", "edge", "vertex")


def render_svg(scene: Scene) -> str:
    """Draw a position as an SVG document.

    Sides have discs in their colours, with letters where the game has several kinds of pieces;
    neutral pieces are squares; the sites of the last move have a ring.
    """
    board = scene.board
    if board.endless or (board.size > _MOST_SITES and is_wrapped(board)):
        scene = focus(scene)
    return _Picture(replace(scene, board=labelled(scene.board))).document()


@dataclass
class _Picture:
    scene: Scene

    def document(self) -> str:
        (left, top), (width, height) = self._frame
        title = escape(visible_line(self.scene.title or "Position"))
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}"'
            f' height="{height:.0f}" viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}">',
            f"<title>{title}</title>",
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"'
            f' fill="{FRAME.hex}"/>',
            *self._gradients(),
            *self._ground(),
            *self._sites(),
            *self._bonds(),
            *self._lines(),
            *self._labels(),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    @cached_property
    def _shortest(self) -> float:
        """The distance of the nearest neighbours, in the board's units."""
        board = self.scene.board
        sites, most = board.sites, farthest_neighbour(board)
        if board.lattice == "graph":
            lengths = [math.dist(start, end) for start, end in self.scene.links]
            shortest = min(lengths, default=0.0) or self._spread / board.size or 1.0
            return _SHARE * shortest if any(site.kind == "edge" for site in sites) else shortest
        lengths = [
            math.dist((sites[a].x, sites[a].y), (sites[b].x, sites[b].y))
            for name in ("adjacent", "incident")
            if name in board.relations
            for a, b in board.relations[name].pairs()
            if "edge" not in (sites[a].kind, sites[b].kind)
        ]
        return min((length for length in lengths if length <= most), default=1.0)

    @cached_property
    def _spread(self) -> float:
        xs, ys = [x for x, _ in self._points], [y for _, y in self._points]
        return max(max(xs) - min(xs), max(ys) - min(ys))

    @cached_property
    def _points(self) -> list[Point]:
        board = self.scene.board
        points = [(site.x, site.y) for site in board.sites]
        if self.scene.on_points:
            return points
        return points + [point for outline in board.outlines for point in outline]

    @cached_property
    def _scale(self) -> float:
        """Pixels to the board's unit."""
        scale = _SPACING / self._shortest
        return min(scale, _LARGEST / self._spread) if self._spread else scale

    @cached_property
    def _radius(self) -> float:
        return max(3.0, 0.4 * self._shortest * self._scale)

    @cached_property
    def _frame(self) -> tuple[Point, Point]:
        """The upper left corner and the size of the picture."""
        board = self.scene.board
        labels = [(x, y) for _, x, y in (*board.row_labels, *board.column_labels)]
        pixels = [self._at(point) for point in self._points]
        margin = 2 * self._radius
        texts = [self._at(point) for point in labels]
        xs = [x + d for x, _ in pixels for d in (-margin, margin)]
        xs += [x + d for x, _ in texts for d in (-margin / 2, margin / 2)]
        ys = [y + d for _, y in pixels for d in (-margin, margin)]
        ys += [y + d for _, y in texts for d in (-margin / 2, margin / 2)]
        return (min(xs), min(ys)), (max(xs) - min(xs), max(ys) - min(ys))

    def _at(self, point: Point) -> Point:
        return point[0] * self._scale, -point[1] * self._scale

    def _ground(self) -> Iterator[str]:
        """The wood under lines, and the lines."""
        scene = self.scene
        if not scene.on_points and any(site.kind == "cell" for site in scene.board.sites):
            return
        hull = _hull(self._at(point) for point in self._points)
        wide = 2.9 * self._radius
        yield (
            f'<polygon points="{_pairs(hull)}" fill="{PLAIN.hex}" stroke="{PLAIN.hex}"'
            f' stroke-width="{wide:.1f}" stroke-linejoin="round"/>'
        )
        if scene.on_points:
            yield from self._areas_of_points()
        yield f'<g stroke="{LINE.hex}" stroke-width="1.4" stroke-linecap="round">'
        for start, end in scene.links if scene.on_points else ():
            yield _line(self._at(start), self._at(end))
        yield "</g>"

    def _lines(self) -> Iterator[str]:
        """The lines that join sites, over the pieces."""
        if self.scene.lines:
            sites, width = self.scene.board.sites, max(2.0, 0.2 * self._radius)
            yield (
                f'<g stroke="{LAST.hex}" stroke-width="{width:.1f}" stroke-linecap="round"'
                f' stroke-opacity="0.7" pointer-events="none">'
            )
            for start, end in self.scene.lines:
                a, b = sites[start], sites[end]
                yield _line(self._at((a.x, a.y)), self._at((b.x, b.y)))
            yield "</g>"

    def _labels(self) -> Iterator[str]:
        board = self.scene.board
        size = 0.8 * self._radius
        for text, x, y in (*board.row_labels, *board.column_labels):
            yield _text(text, self._at((x, y)), size, LINE)

    def _area(self, names: tuple[str, ...]) -> str:
        """The paint of a site of these areas: one colour, or those of two side by side."""
        if len(names) > 1:
            return f"url(#{_gradient_name(names)})"
        return area_colour(names[0], self.scene.sides, PLAIN).hex if names else PLAIN.hex

    def _areas_of_points(self) -> Iterator[str]:
        """The areas under a board of points: around each point, half the way to the next."""
        half = 0.5 * self._shortest * self._scale
        for index, names in self.scene.areas.items():
            site = self.scene.board.sites[index]
            x, y = self._at((site.x, site.y))
            if self.scene.board.lattice == "square":
                yield (
                    f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}"'
                    f' height="{2 * half:.1f}" fill="{self._area(names)}"/>'
                )
            else:
                yield _circle((x, y), half, self._area(names))

    def _gradients(self) -> Iterator[str]:
        """The paints of sites that lie in several areas: stripes of equal width."""
        for names in sorted(set(self.scene.areas.values())):
            if len(names) < 2:
                continue
            yield f'<linearGradient id="{_gradient_name(names)}" x2="1" y2="1">'
            for number, name in enumerate(names):
                paint = area_colour(name, self.scene.sides, PLAIN).hex
                for end in (number, number + 1):
                    yield f'<stop offset="{end / len(names):.3f}" stop-color="{paint}"/>'
            yield "</linearGradient>"

    def _sites(self) -> Iterator[str]:
        for kind in _LAYERS:
            for site in self.scene.board.sites:
                if site.kind == kind:
                    yield from self._site(site)

    def _bonds(self) -> Iterator[str]:
        """The lines that belong to the board, as far as pieces leave room for them."""
        sites = self.scene.board.sites
        for name in dict.fromkeys(name for *_, name in self.scene.bonds):
            paint = area_colour(name, self.scene.sides, LINE).hex
            yield f'<g stroke="{paint}" stroke-width="2.4" stroke-linecap="round">'
            for first, second, own in self.scene.bonds:
                if own == name:
                    start, end = (self._at((sites[i].x, sites[i].y)) for i in (first, second))
                    share = min(_MOST_CUT, 0.8 * self._radius / math.dist(start, end))
                    yield _line(_between(start, end, share), _between(start, end, 1 - share))
            yield "</g>"

    def _site(self, site: Site) -> Iterator[str]:
        scene = self.scene
        mark = scene.marks.get(site.index)
        yield f'<g class="site" data-site={quoteattr(visible_line(site.name))}>'
        yield f"<title>{escape(visible_line(self._description(site, mark)))}</title>"
        yield from self._empty(site)
        centre = self._at((site.x, site.y))
        sign = scene.signs.get(site.index)
        if sign:
            yield _text(visible_line(sign), centre, 1.1 * self._radius, LINE)
        if site.index in scene.tiles:
            yield from self._tile(site)
        elif mark is not None:
            yield from self._edge(site, mark) if site.kind == "edge" else self._piece(site, mark)
        if site.index in scene.last:
            radius = (0.5 if site.kind == "edge" else 1.04) * self._radius
            yield _circle(centre, radius, "none", LAST.hex, max(1.6, 0.14 * self._radius))
        highlight = scene.highlights.get(site.index)
        if highlight:
            yield from self._highlight(highlight, centre, mark is not None)
        yield "</g>"

    def _description(self, site: Site, mark: Mark | None) -> str:
        if mark is None:
            return site.name
        number = "" if mark.count is None else f" {mark.count}"
        told = f"{site.name}: {self._piece_name(mark)}{number}"
        under = [self._piece_name(part) for part in reversed(mark.under) if part is not None]
        return f"{told}, upon {', '.join(under)}" if under else told

    def _piece_name(self, mark: Mark) -> str:
        known = mark.side is not None and mark.side < len(self.scene.sides)
        side = f"{self.scene.sides[mark.side]} " if known and mark.side is not None else ""
        return f"{side}{mark.kind}".strip()

    def _empty(self, site: Site) -> Iterator[str]:
        """What of a site is seen without a piece; it also catches the pointer for the tooltip."""
        scene = self.scene
        names = scene.areas.get(site.index, ())
        fill = self._area(names)
        outline = [self._at(point) for point in scene.board.outlines[site.index]]
        centre = self._at((site.x, site.y))
        if site.kind == "cell" and not scene.on_points:
            yield (
                f'<polygon points="{_pairs(outline)}" fill="{fill}" stroke="{LINE.hex}"'
                f' stroke-width="1.2" stroke-linejoin="round"/>'
            )
        elif site.kind == "edge":
            yield (
                f'<g stroke="{LINE.hex}" stroke-width="2" stroke-dasharray="1 5"'
                f' stroke-linecap="round">{_line(outline[0], outline[1])}</g>'
            )
        else:
            named = scene.board.lattice == "graph" and not scene.board.column_labels
            yield _circle(centre, max(2.0, 0.14 * self._radius), LINE.hex)
            if named:
                yield _text(site.name, self._beside(centre), 0.6 * self._radius, LINE)

    def _beside(self, centre: Point) -> Point:
        """Where a point's name stands: below it; where lines are sites, on their outer side."""
        away = 1.35 * self._radius
        if not any(site.kind == "edge" for site in self.scene.board.sites):
            return centre[0], centre[1] + away
        xs, ys = zip(*(self._at(point) for point in self._points), strict=True)
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        distance = math.dist(middle, centre)
        return _between(middle, centre, 1 + away / distance) if distance else centre

    def _tile(self, site: Site) -> Iterator[str]:
        """A cell in the colours of its corners: its ground, the parts that arcs cut off, a rim."""
        tile = Tile(self.scene.board.outlines[site.index], self.scene.tiles[site.index])
        outline = [self._at(point) for point in tile.outline]
        radius = tile.reach * self._scale
        yield f'<polygon points="{_pairs(outline)}" fill="{self._shade(tile.ground).hex}"/>'
        for place, side in tile.cut:
            corner, before = outline[place], outline[place - 1]
            after = outline[(place + 1) % len(outline)]
            ends = [_towards(corner, end, radius) for end in (after, before)]
            sweep = int(_turn(corner, *ends) > 0)
            yield (
                f'<path d="M{_pair(corner)} L{_pair(ends[0])} A{radius:.1f},{radius:.1f} 0 0'
                f' {sweep} {_pair(ends[1])} Z" fill="{self._shade(side).hex}"/>'
            )
        yield (
            f'<polygon points="{_pairs(outline)}" fill="none" stroke="{LINE.hex}"'
            f' stroke-width="1.2" stroke-linejoin="round"/>'
        )

    def _shade(self, side: int | None) -> Colour:
        """The colour of an area of a side: softer than its pieces."""
        if side is None:
            return PLAIN
        colour = self._colours[side]
        return colour.toned(_SOFT + (1 - _SOFT) * colour.luminance)

    def _edge(self, site: Site, mark: Mark) -> Iterator[str]:
        start, end = (self._at(point) for point in self.scene.board.outlines[site.index])
        colour = self._colour(mark)
        inner = (_between(start, end, 0.12), _between(start, end, 0.88))
        for ink, width in ((ink_on(colour), 0.4), (colour, 0.3)):
            yield (
                f'<g stroke="{ink.hex}" stroke-width="{width * self._radius:.1f}"'
                f' stroke-linecap="round">{_line(*inner)}</g>'
            )
        text = self._letters(mark)
        if text:
            yield _circle(self._at((site.x, site.y)), 0.4 * self._radius, colour.hex)
            yield _text(text, self._at((site.x, site.y)), 0.6 * self._radius, ink_on(colour))

    def _piece(self, site: Site, mark: Mark) -> Iterator[str]:
        colour, centre = self._colour(mark), self._at((site.x, site.y))
        is_told = bool(self.scene.tiles) and site.kind == "vertex"
        radius = (0.3 if is_told else 0.86) * self._radius
        line = max(1.0, 0.07 * radius)
        if mark.side is None:
            corner = (centre[0] - 0.75 * radius, centre[1] - 0.75 * radius)
            yield (
                f'<rect x="{corner[0]:.1f}" y="{corner[1]:.1f}" width="{1.5 * radius:.1f}"'
                f' height="{1.5 * radius:.1f}" rx="{0.2 * radius:.1f}" fill="{colour.hex}"'
                f' stroke="{colour.toned(colour.luminance / 3).hex}" stroke-width="{line:.1f}"/>'
            )
        else:
            yield _circle(centre, radius, colour.hex, _rim(colour).hex, line)
        text = self._letters(mark)
        if text:
            size = radius * min(1.15, 2.2 / len(text))
            yield _text(text, centre, size, ink_on(colour), bold=True)
        yield from self._under(mark, centre)

    def _under(self, mark: Mark, centre: Point) -> Iterator[str]:
        """The pieces that one stands upon, as bars beside it, the lowest at the bottom."""
        shown = mark.under[-_MOST_BARS:]
        wide, high = 0.56 * self._radius, 1.9 * self._radius / _MOST_BARS
        left, bottom = centre[0] + 0.5 * self._radius, centre[1] + 0.95 * self._radius
        for place, part in enumerate(shown, start=1):
            colour = PLAIN if part is None else self._colour(part)
            yield (
                f'<rect class="under" x="{left:.1f}" y="{bottom - place * high:.1f}"'
                f' width="{wide:.1f}" height="{high:.1f}" rx="{high / 3:.1f}"'
                f' fill="{colour.hex}" stroke="{_rim(colour).hex}" stroke-width="1"/>'
            )

    def _highlight(self, text: str, centre: Point, is_occupied: bool) -> Iterator[str]:
        x, y = centre
        if is_occupied:
            x, y = x + 0.72 * self._radius, y - 0.72 * self._radius
        if text.isalnum():
            yield _text(text, (x, y), (0.5 if is_occupied else 0.8) * self._radius, LAST)
        else:
            yield _circle((x, y), 0.22 * self._radius, LAST.hex)

    @cached_property
    def _colours(self) -> tuple[Colour, ...]:
        marks = self.scene.pieces
        present = max((mark.side for mark in marks if mark.side is not None), default=-1) + 1
        names = list(self.scene.sides) + [""] * (present - len(self.scene.sides))
        return side_colours(names)

    def _colour(self, mark: Mark) -> Colour:
        return NEUTRAL if mark.side is None else self._colours[mark.side]

    @cached_property
    def _kinds(self) -> tuple[set[str], set[str]]:
        """The kinds of pieces of sides, and the neutral ones."""
        marks = self.scene.marks.values()
        neutral = {mark.kind for mark in marks if mark.side is None}
        owned = set(self.scene.kinds) | {m.kind for m in marks if m.side is not None}
        return owned - {self.scene.marks[site].kind for site in self.scene.tiles}, neutral

    def _letters(self, mark: Mark) -> str:
        """What is written on a piece: its kind where there are several, and its number."""
        owned, neutral = self._kinds
        several = len(neutral if mark.side is None else owned) > 1
        letter = mark.symbol.upper() if several else ""
        return letter + ("" if mark.count is None else str(mark.count))


def _gradient_name(names: tuple[str, ...]) -> str:
    """The name of a paint, unlike that of any other set of areas."""
    return "area-" + "-".join("".join(f"{ord(c):x}" for c in name) for name in names)


def _rim(colour: Colour) -> Colour:
    """The outline of a disc: darker than the disc, or lighter if it is nearly black."""
    return colour.toned(colour.luminance * 0.25 if colour.luminance > 0.05 else 0.02)


def _pair(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"


def _towards(start: Point, end: Point, distance: float) -> Point:
    return _between(start, end, distance / math.dist(start, end))


def _turn(corner: Point, first: Point, second: Point) -> float:
    """Positive if the way from the first to the second point goes clockwise around the corner."""
    (x, y), (x1, y1), (x2, y2) = corner, first, second
    return (x1 - x) * (y2 - y) - (y1 - y) * (x2 - x)


def _pairs(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _line(start: Point, end: Point) -> str:
    return f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'


def _circle(centre: Point, radius: float, fill: str, stroke: str = "", width: float = 0) -> str:
    rim = f' stroke="{stroke}" stroke-width="{width:.1f}"' if stroke else ""
    return (
        f'<circle cx="{centre[0]:.1f}" cy="{centre[1]:.1f}" r="{radius:.1f}" fill="{fill}"{rim}/>'
    )


def _text(text: str, centre: Point, size: float, ink: Colour, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{centre[0]:.1f}" y="{centre[1] + 0.35 * size:.1f}" font-size="{size:.1f}"'
        f' font-family="Helvetica, Arial, sans-serif" text-anchor="middle"{weight}'
        f' fill="{ink.hex}">{escape(visible_line(text))}</text>'
    )


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the convex hull, in order."""
    ordered = sorted(set(points))
    return _half_hull(ordered)[:-1] + _half_hull(ordered[::-1])[:-1] or ordered


def _half_hull(points: Iterable[Point]) -> list[Point]:
    chain: list[Point] = []
    for x, y in points:
        while len(chain) > 1:
            (x1, y1), (x2, y2) = chain[-2:]
            if (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) > 1e-9:
                break
            chain.pop()
        chain.append((x, y))
    return chain
