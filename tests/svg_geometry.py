"""Where the shapes of an SVG picture lie.

In: the text of a picture. Out: its elements, and for each the rectangle that it fills, in pixels;
strokes are left out. What then holds: circles, lines, rectangles, polygons and paths are
understood, with their transformations, if they are written as pictures have them; texts have their
anchor alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Place = tuple[float, float, float]
"""Where the middle of what is drawn at the size of one comes, and how much larger it is drawn."""

_TOKEN = re.compile(r"[MLHVQAZa]|-?\d*\.?\d+(?:e-?\d+)?")
_MOVE = re.compile(r"translate\(([-\d.]+),([-\d.]+)\) scale\(([-\d.]+)\)( rotate\(180\))?")


def parsed(picture: str) -> Element:
    """Return the root of a picture."""
    return ElementTree.fromstring(picture)


def frame(root: Element) -> Box:
    """Return the rectangle of the whole picture."""
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    return left, top, left + width, top + height


def of_class(root: Element, name: str) -> list[Element]:
    """Return the elements of a class."""
    return [e for e in root.iter() if name in e.attrib.get("class", "").split()]


def extent(element: Element) -> Box:
    """Return the rectangle that an element and what is in it fill; its own place is counted."""
    boxes = list(_boxes(element, (0.0, 0.0, 1.0)))
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def inside(inner: Box, outer: Box, slack: float = 0.6) -> bool:
    """Tell whether a rectangle lies in another."""
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


def overlap(one: Box, other: Box, slack: float = 0.6) -> bool:
    """Tell whether two rectangles share more than a rim."""
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > slack
        and min(one[3], other[3]) - max(one[1], other[1]) > slack
    )


def _boxes(element: Element, place: Place) -> Iterator[Box]:
    move = _MOVE.fullmatch(element.attrib.get("transform", ""))
    if move is not None:
        x, y, scale = (float(move[n]) for n in (1, 2, 3))
        sign = -1 if move[4] else 1
        place = (place[0] + x * place[2], place[1] + y * place[2], place[2] * scale * sign)
    points = list(_points(element))
    if points:
        xs = [place[0] + x * place[2] for x, _ in points]
        ys = [place[1] + y * place[2] for _, y in points]
        yield min(xs), min(ys), max(xs), max(ys)
    for child in element:
        yield from _boxes(child, place)


def _points(element: Element) -> Iterator[tuple[float, float]]:
    def number(name: str) -> float:
        return float(element.attrib.get(name, "0"))

    tag = element.tag.removeprefix(SVG)
    if tag == "circle":
        x, y, r = number("cx"), number("cy"), number("r")
        yield from ((x - r, y - r), (x + r, y + r))
    elif tag == "line":
        yield from ((number("x1"), number("y1")), (number("x2"), number("y2")))
    elif tag == "rect":
        x, y = number("x"), number("y")
        yield from ((x, y), (x + number("width"), y + number("height")))
    elif tag == "text":
        yield number("x"), number("y")
    elif tag == "polygon":
        for pair in element.attrib["points"].split():
            x, y = pair.split(",")
            yield float(x), float(y)
    elif tag == "path":
        yield from _path(element.attrib["d"])


def _path(text: str) -> Iterator[tuple[float, float]]:
    """Yield the points of a path; of a curve those that hold it, of a half circle its square."""
    tokens = iter(_TOKEN.findall(text))
    command, x, y = "", 0.0, 0.0
    for token in tokens:
        if token.isalpha():
            command = token
            if token == "Z":
                continue
            token = next(tokens)
        if command == "H":
            x = float(token)
        elif command == "V":
            y = float(token)
        elif command == "Q":
            yield float(token), float(next(tokens))
            x, y = float(next(tokens)), float(next(tokens))
        elif command in "Aa":
            radius = float(token)
            for _ in range(4):
                next(tokens)
            end = float(next(tokens)), float(next(tokens))
            if command == "a":
                end = x + end[0], y + end[1]
                middle = (x + end[0]) / 2, (y + end[1]) / 2
                yield from ((middle[0], middle[1] - radius), (middle[0], middle[1] + radius))
            x, y = end
        else:
            x, y = float(token), float(next(tokens))
        yield x, y
