"""The board of a picture: its ground, areas, sites, lines, borders, arrows and labels.

In: a layout and a theme. Out: SVG elements. What then holds: each site has one outline or point,
and each line, border and arrow of the scene is drawn once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from gdl.board.board import Point, Site
from gdl.data_classes import dataclass
from gdl.interpreter.render.scene import Pair, common_side
from gdl.interpreter.render.svg import elements, figures
from gdl.interpreter.render.svg.elements import between, circle, line, pairs
from gdl.interpreter.render.svg.layout import Layout
from gdl.interpreter.render.theme import Theme
from gdl.visible import visible_line

_ROUND = {"pit": 1.16, "hole": 0.98}
"""How large round fields are, in radii."""
_BAR = 0.36  # the width of a bridge, in radii
_MOST_CUT = 0.35  # of a line of the board, at each end


@dataclass(frozen=True)
class BoardPicture:
    """What of a picture would be there without pieces."""

    layout: Layout
    theme: Theme

    def ground(self) -> Iterator[str]:
        """The wood under lines, and the lines."""
        scene, layout = self.layout.scene, self.layout
        yield from self._gradients()
        if not scene.on_points and any(site.kind == "cell" for site in scene.board.sites):
            return
        paint = self.theme.board.hex
        yield (
            f'<polygon class="board" points="{pairs(layout.ground)}"'
            f' fill="{paint}" stroke="{paint}" stroke-width="{2.9 * layout.radius:.1f}"'
            f' stroke-linejoin="round"/>'
        )
        if scene.on_points:
            yield from self._areas_of_points()
        yield (
            f'<g class="lines" stroke="{self.theme.line.hex}" stroke-width="1.4"'
            f' stroke-linecap="round">'
        )
        for start, end in scene.links if scene.on_points else ():
            yield line(layout.at(start), layout.at(end))
        yield "</g>"

    def site(self, site: Site) -> Iterator[str]:
        """What of a site is seen without a piece; it also catches the pointer for the tooltip."""
        scene, layout = self.layout.scene, self.layout
        names = scene.areas.get(site.index, ())
        shape = scene.fields.get(site.index, "")
        if site.kind == "cell" and not scene.on_points:
            ground = self._area(() if shape == "triangle" else names)
            line_ = ground if shape else self.theme.line.hex
            yield (
                f'<polygon class="{" ".join(("cell", *map(css, names)))}"'
                f' points="{pairs(layout.outline(site.index))}"'
                f' fill="{ground}" stroke="{line_}"'
                f' stroke-width="1.2" stroke-linejoin="round"/>'
            )
            yield from self._field(site, shape)
        elif site.kind == "edge":
            start, end = layout.outline(site.index)
            yield (
                f'<g class="edge" stroke="{self.theme.line.hex}" stroke-width="2"'
                f' stroke-dasharray="1 5" stroke-linecap="round">{line(start, end)}</g>'
            )
        else:
            yield from self._point(site)
        yield from self._sign(site)

    def _field(self, site: Site, shape: str) -> Iterator[str]:
        """The shape of a site that is no plain cell."""
        layout, radius, rim = self.layout, self.layout.radius, self.theme.line.hex
        if shape == "triangle":
            names = layout.scene.areas.get(site.index, ())
            filled = self._area(names) if names else self.theme.dark.hex
            yield (
                f'<polygon class="field" points="{pairs(layout.triangle(site.index))}"'
                f' fill="{filled}" stroke="{rim}" stroke-width="0.8"/>'
            )
        elif shape:
            far, paint = _ROUND[shape], self.theme.dark if shape == "pit" else self.theme.frame
            middle = layout.middle(site)
            yield circle(middle, far * radius, paint.hex, rim, 0.06 * radius, css="field")

    def _point(self, site: Site) -> Iterator[str]:
        radius = self.layout.radius
        x, y = self.layout.middle(site)
        yield circle((x, y), max(2.0, 0.14 * radius), self.theme.line.hex, css="point")
        if self.layout.is_named:
            place = self.layout.name_place(site)
            yield elements.text(site.name, place, 0.6 * radius, self.theme.label, css="name")

    def _sign(self, site: Site) -> Iterator[str]:
        written = self.layout.scene.signs.get(site.index, "")
        if not written:
            return
        (x, y), radius = self.layout.middle(site), self.layout.radius
        shape = figures.sign(written, self.theme.line.hex)
        if shape:
            place = f"translate({x:.1f},{y:.1f}) scale({radius:.1f})"
            yield f'<g class="sign {css(written)}" transform="{place}">{shape}</g>'
        else:
            size = min(1.1, 1.9 / max(1, len(written))) * radius
            yield elements.text(written, (x, y), size, self.theme.line, css="sign")

    def _area(self, names: tuple[str, ...]) -> str:
        """The paint of a site of these areas: one colour, or those of two side by side."""
        if len(names) > 1:
            return f"url(#{_gradient_name(names, self.theme)})"
        return (self.theme.area(names[0], self._sides) if names else self.theme.board).hex

    @property
    def _sides(self) -> tuple[str, ...]:
        return self.layout.scene.sides

    def _areas_of_points(self) -> Iterator[str]:
        """The areas under a board of points: around each point, half the way to the next."""
        layout, board = self.layout, self.layout.scene.board
        half = 0.5 * layout.shortest * layout.scale
        for index, names in layout.scene.areas.items():
            x, y = layout.site(index)
            if board.lattice == "square":
                yield (
                    f'<rect class="{" ".join(("area", *map(css, names)))}" x="{x - half:.1f}"'
                    f' y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}"'
                    f' fill="{self._area(names)}"/>'
                )
            else:
                yield circle((x, y), half, self._area(names), css="area")

    def _gradients(self) -> Iterator[str]:
        """The paints of sites that lie in several areas: stripes of equal width."""
        for names in sorted(set(self.layout.scene.areas.values())):
            if len(names) < 2:
                continue
            yield f'<linearGradient id="{_gradient_name(names, self.theme)}" x2="1" y2="1">'
            for number, name in enumerate(names):
                paint = self.theme.area(name, self._sides).hex
                for end in (number, number + 1):
                    yield f'<stop offset="{end / len(names):.3f}" stop-color="{paint}"/>'
            yield "</linearGradient>"

    def borders(self) -> Iterator[str]:
        """The borders between cells, each along the side that two of them share."""
        layout, board = self.layout, self.layout.scene.board
        width = 0.2 * layout.radius
        for name, borders in _by_name(layout.scene.borders).items():
            yield (
                f'<g class="border {css(name)}" stroke="{self._strong(name)}"'
                f' stroke-width="{width:.1f}" stroke-linecap="round">'
            )
            for first, second, _ in borders:
                side = common_side(board, first, second)
                if side is not None:
                    yield line(layout.at(side[0]), layout.at(side[1]))
            yield "</g>"

    def loops(self) -> Iterator[str]:
        """The lines outside of the board."""
        for loop in self.layout.loops:
            yield (
                f'<path class="loop {css(loop.name)}" d="{loop.path}" fill="none"'
                f' stroke="{self._strong(loop.name)}" stroke-width="2.4"/>'
            )

    def bridges(self) -> Iterator[str]:
        """The bars from sites half of the way to others, with a rim."""
        layout, width = self.layout, _BAR * self.layout.radius
        for name, bridges in _by_name(layout.scene.bridges).items():
            paint = self.theme.strong(name, self._sides)
            ends = [(layout.site(first), layout.site(second)) for first, second, _ in bridges]
            bars = [line(start, between(start, end, 0.5)) for start, end in ends]
            for colour, wide in ((self.theme.rim(paint), width + 2.0), (paint, width)):
                yield (
                    f'<g class="bridge {css(name)}" stroke="{colour.hex}"'
                    f' stroke-width="{wide:.1f}" stroke-linecap="round">'
                )
                yield from bars
                yield "</g>"

    def bonds(self) -> Iterator[str]:
        """The lines that belong to the board, as far as pieces leave room for them."""
        layout = self.layout
        for name, bonds in _by_name(layout.scene.bonds).items():
            yield (
                f'<g class="link {css(name)}" stroke="{self._strong(name)}" stroke-width="2.4"'
                f' stroke-linecap="round">'
            )
            for first, second, _ in bonds:
                start, end = layout.site(first), layout.site(second)
                room = self._room(start, end)
                near, far = (room if i in layout.scene.marks else 0.0 for i in (first, second))
                yield line(between(start, end, near), between(start, end, 1 - far))
            yield "</g>"

    def tracks(self) -> Iterator[str]:
        """The arrows that belong to the board."""
        layout = self.layout
        for first, second, name in layout.scene.tracks:
            start, end = layout.site(first), layout.site(second)
            length = math.dist(start, end)
            share = min(0.3, 0.5 * layout.radius / length)
            ends = between(start, end, 0.5 - share), between(start, end, 0.5 + share)
            paint = self._strong(name)
            yield elements.arrow(*ends, 0.14 * layout.radius, paint, f"track {css(name)}")

    def _room(self, start: Point, end: Point) -> float:
        """The share of a line that is left to a piece at its end."""
        return min(_MOST_CUT, 0.8 * self.layout.radius / math.dist(start, end))

    def _strong(self, name: str) -> str:
        """The colour of a thin line."""
        return self.theme.area(name, self._sides, self.theme.line).hex

    def labels(self) -> Iterator[str]:
        """The names of rows and columns."""
        for kind, written, place in self.layout.labels:
            css_class, size = f"label {kind}", 0.8 * self.layout.radius
            yield elements.text(written, place, size, self.theme.label, css=css_class)


def css(name: str) -> str:
    """Return a name as a class for style sheets: lower case, and nothing but letters and digits."""
    shown = visible_line(name).lower()
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in shown)


def _by_name(pairs_of: tuple[Pair, ...]) -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {}
    for pair in pairs_of:
        found.setdefault(pair[2], []).append(pair)
    return found


def _gradient_name(names: tuple[str, ...], theme: Theme) -> str:
    """The name of a paint, unlike that of any other set of areas."""
    spelled = "-".join("".join(f"{ord(c):x}" for c in name) for name in names)
    return f"area-{theme.name}-{spelled}"
