"""The elements that a picture is made of, as text.

In: points and sizes in pixels, colours. Out: SVG elements, a line each. What then holds: numbers
have one decimal place at most, or three in shapes that are drawn at the size of one; text is
escaped, and what cannot be seen of it is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.sax.saxutils import escape

from gdl.board.board import Point
from gdl.interpreter.render.palette import Colour
from gdl.visible import visible_line

_FONTS = "Helvetica, Arial, sans-serif"
_DIGITS = 6  # that tell points of a board apart
_SLIGHT = 1e-6  # radians


def pair(point: Point) -> str:
    """Return a point as paths have it."""
    return f"{point[0]:.1f},{point[1]:.1f}"


def pairs(points: Iterable[Point]) -> str:
    """Return points as polygons have them."""
    return " ".join(pair(point) for point in points)


def line(start: Point, end: Point) -> str:
    """Return a line; its colour and width are those of what it stands in."""
    return f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'


def circle(
    centre: Point,
    radius: float,
    fill: str,
    stroke: str = "",
    width: float = 0.0,
    css: str = "",
) -> str:
    """Return a circle, perhaps with a rim, of a class for style sheets."""
    rim = f' stroke="{stroke}" stroke-width="{width:.1f}"' if stroke else ""
    named = f' class="{css}"' if css else ""
    return (
        f'<circle{named} cx="{centre[0]:.1f}" cy="{centre[1]:.1f}" r="{radius:.1f}"'
        f' fill="{fill}"{rim}/>'
    )


def text(
    written: str, centre: Point, size: float, ink: Colour, *, bold: bool = False, css: str = ""
) -> str:
    """Return a text around a point."""
    return anchored(written, centre, size, ink, "middle", bold=bold, css=css)


def anchored(
    written: str,
    place: Point,
    size: float,
    ink: Colour,
    anchor: str,
    *,
    bold: bool = False,
    css: str = "",
) -> str:
    """Return a text that begins, ends or has its middle at a point."""
    weight = ' font-weight="bold"' if bold else ""
    named = f' class="{css}"' if css else ""
    return (
        f'<text{named} x="{place[0]:.1f}" y="{place[1] + 0.35 * size:.1f}" font-size="{size:.1f}"'
        f' font-family="{_FONTS}" text-anchor="{anchor}"{weight}'
        f' fill="{ink.hex}">{escape(visible_line(written))}</text>'
    )


def between(start: Point, end: Point, share: float) -> Point:
    """Return the point at a share of the way from one to the other."""
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at a distance from the start."""
    return between(start, end, distance / math.dist(start, end))


def turn(corner: Point, first: Point, second: Point) -> float:
    """Return more than 0 if the way from one point to another goes clockwise round a corner."""
    (x, y), (x1, y1), (x2, y2) = corner, first, second
    return (x1 - x) * (y2 - y) - (y1 - y) * (x2 - x)


def arrow(start: Point, end: Point, width: float, paint: str, css: str) -> str:
    """Return an arrow as one shape: a shaft of a width, and a head wider than that."""
    length = math.dist(start, end)
    head = min(4 * width, 0.6 * length)
    direction = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    neck = (end[0] - head * direction[0], end[1] - head * direction[1])

    def beside(point: Point, distance: float) -> Point:
        return point[0] - distance * direction[1], point[1] + distance * direction[0]

    half, wide = width / 2, 1.9 * width
    shape = (
        *(beside(start, half), beside(neck, half), beside(neck, wide), end),
        *(beside(neck, -wide), beside(neck, -half), beside(start, -half)),
    )
    return f'<polygon class="{css}" points="{pairs(shape)}" fill="{paint}" fill-opacity="0.75"/>'


def outer_walk(links: Iterable[tuple[Point, Point]]) -> list[Point]:
    """Return the points around the outside of lines, in order: along the outermost line at each.

    None of no lines.
    """
    ways: dict[Point, set[Point]] = {}
    for ends in links:
        start, end = ((round(x, _DIGITS), round(y, _DIGITS)) for x, y in ends)
        ways.setdefault(start, set()).add(end)
        ways.setdefault(end, set()).add(start)
    if not ways:
        return []
    here = min(ways, key=lambda point: (point[1], point[0]))
    before, steps = (here[0], here[1] - 1.0), dict[tuple[Point, Point], None]()
    while (before, here) not in steps:
        steps[before, here] = None
        back = math.atan2(before[1] - here[1], before[0] - here[0])

        def angle(end: Point, here: Point = here, back: float = back) -> float:
            found = math.atan2(end[1] - here[1], end[0] - here[0]) - back
            return found % math.tau if abs(found) > _SLIGHT else math.tau

        before, here = here, min(ways[here], key=angle)
    return [point for _, point in steps]


def hull(points: Iterable[Point]) -> list[Point]:
    """Return the corners of the convex hull, in order."""
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
