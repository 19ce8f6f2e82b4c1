"""The shapes of pieces and signs, drawn around the middle of a circle of radius one.

In: the name of a figure or sign and its colours. Out: SVG elements in that circle. What then
holds: no shape leaves the circle, and each is one colour with a rim, so that sides are told apart
by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping

from gdl.board.board import Point
from gdl.data_classes import dataclass

_RIM = 0.07
_MOST_SEEDS = 15
_MOST_PIPS = 9
_HIGHEST = 4
_FARTHEST = 4  # steps that a card has room for


@dataclass(frozen=True)
class Paint:
    """The colours of a piece, as `#rrggbb`: its own, its rim's, and of what is drawn upon it."""

    fill: str
    rim: str
    ink: str


def figure(name: str, paint: Paint, number: int | None = None) -> Iterator[str]:
    """Yield the elements of a figure; `number` is for those that show one.

    A number behind its name is of how many hundredths of its size it is, as `ring-40`.
    """
    if name in COUNTED:
        yield from COUNTED[name](paint, 0 if number is None else number)
        return
    shape, _, share = name.partition("-")
    smaller = f' transform="scale({int(share) / 100:g})" ' if share else " "
    for element in _FIGURES.get(shape, _disc)(paint):
        yield element.replace(" ", smaller, 1)


def shows_number(name: str, number: int | None) -> bool:
    """Whether a figure shows this number by itself, so that it need not be written."""
    most = {"die": _MOST_PIPS, "levels": _HIGHEST}
    return number is not None and number <= most.get(name, 0)


def sign(name: str, colour: str) -> str:
    """Return a mark that lies on a site, or nothing for a text that is no mark's name."""
    shape = _SIGNS.get(name)
    return "" if shape is None else shape.replace("COLOUR", colour)


def _path(d: str, paint: Paint, fill: str = "") -> str:
    return (
        f'<path d="{d}" fill="{fill or paint.fill}" stroke="{paint.rim}" stroke-width="{_RIM}"'
        ' stroke-linejoin="round"/>'
    )


def _detail(d: str, colour: str, opacity: float = 1.0) -> str:
    return f'<path d="{d}" fill="{colour}" fill-opacity="{opacity:g}"/>'


def _stroke(d: str, colour: str, width: float = _RIM) -> str:
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width}"/>'


def _round(radius: float, x: float = 0.0, y: float = 0.0) -> str:
    """Return a circle as a path."""
    r = f"{radius:.3g}"
    return (
        f"M{x - radius:.3g},{y:.3g} a{r},{r} 0 1 0 {2 * radius:.3g},0"
        f" a{r},{r} 0 1 0 {-2 * radius:.3g},0 Z"
    )


def _box(width: float, height: float, rounding: float) -> str:
    """Return a rounded rectangle around the middle as a path."""
    x, y, r = width / 2, height / 2, rounding
    return (
        f"M{-x + r:.3g},{-y:.3g} H{x - r:.3g} Q{x:.3g},{-y:.3g} {x:.3g},{-y + r:.3g}"
        f" V{y - r:.3g} Q{x:.3g},{y:.3g} {x - r:.3g},{y:.3g} H{-x + r:.3g}"
        f" Q{-x:.3g},{y:.3g} {-x:.3g},{y - r:.3g} V{-y + r:.3g}"
        f" Q{-x:.3g},{-y:.3g} {-x + r:.3g},{-y:.3g} Z"
    )


def _disc(paint: Paint) -> Iterator[str]:
    yield (
        f'<circle cx="0" cy="0" r="0.86" fill="{paint.fill}" stroke="{paint.rim}"'
        f' stroke-width="{_RIM}"/>'
    )


def _dot(paint: Paint) -> Iterator[str]:
    yield _path(_round(0.26), paint)


def _man(paint: Paint) -> Iterator[str]:
    yield from _disc(paint)
    yield _stroke(_round(0.62), paint.rim)
    yield _stroke(_round(0.36), paint.rim)


def _crowned(paint: Paint) -> Iterator[str]:
    yield from _disc(paint)
    yield _detail("M-.42,.36 H.42 L.54,-.3 L.24,0 L0,-.5 L-.24,0 L-.54,-.3 Z", paint.ink)


def _ring(paint: Paint) -> Iterator[str]:
    yield _path(f"{_round(0.82)} {_round(0.48)}", paint).replace(
        "<path ", '<path fill-rule="evenodd" '
    )


def _ball(paint: Paint) -> Iterator[str]:
    yield from _disc(paint)
    yield _detail(_round(0.2, -0.3, -0.34), "#ffffff", 0.45)


def _peg(paint: Paint) -> Iterator[str]:
    yield _path(_round(0.58), paint)
    yield _stroke(_round(0.26), paint.rim)


def _cross(paint: Paint) -> Iterator[str]:
    yield _path(
        "M-.7,-.48 L-.48,-.7 L0,-.22 L.48,-.7 L.7,-.48 L.22,0 L.7,.48 L.48,.7 L0,.22 L-.48,.7"
        " L-.7,.48 L-.22,0 Z",
        paint,
    )


def _star(paint: Paint) -> Iterator[str]:
    yield _path(_star_path(5, 0.9, 0.4), paint)


def _star_path(points: int, far: float, near: float) -> str:
    corners = []
    for place in range(2 * points):
        radius = near if place % 2 else far
        angle = math.pi * place / points
        corners.append(f"{radius * math.sin(angle):.3g},{-radius * math.cos(angle):.3g}")
    return f"M{' L'.join(corners)} Z"


_FOOT = "M-.5,.78 H.5 L.46,.58 H-.46 Z"


def _pawn(paint: Paint) -> Iterator[str]:
    yield _path("M-.4,.58 Q-.12,.3 -.14,-.08 H.14 Q.12,.3 .4,.58 Z", paint)
    yield _path(_round(0.27, 0, -0.32), paint)
    yield _path(_FOOT, paint)


def _knight(paint: Paint) -> Iterator[str]:
    yield _path(
        "M-.36,.58 Q-.38,.38 -.1,.06 Q-.3,.06 -.42,.2 Q-.54,.3 -.62,.2 Q-.7,.1 -.62,0"
        " L-.44,-.36 L-.4,-.72 L-.2,-.58 Q.24,-.62 .4,-.16 Q.5,.16 .42,.58 Z",
        paint,
    )
    yield _detail(_round(0.07, -0.22, -0.26), paint.ink)
    yield _path(_FOOT, paint)


def _bishop(paint: Paint) -> Iterator[str]:
    yield _path("M-.4,.58 Q-.16,.46 -.18,.3 H.18 Q.16,.46 .4,.58 Z", paint)
    yield _path("M-.22,.32 Q-.52,-.06 0,-.62 Q.52,-.06 .22,.32 Z", paint)
    yield _stroke("M.02,-.06 L.2,-.3", paint.ink, 0.08)
    yield _path(_round(0.1, 0, -0.7), paint)
    yield _path(_FOOT, paint)


def _rook(paint: Paint) -> Iterator[str]:
    yield _path(
        "M-.38,.58 L-.3,-.3 H-.46 V-.7 H-.26 V-.52 H-.1 V-.7 H.1 V-.52 H.26 V-.7 H.46 V-.3 H.3"
        " L.38,.58 Z",
        paint,
    )
    yield _path(_FOOT, paint)


def _queen(paint: Paint) -> Iterator[str]:
    yield _path(
        "M-.4,.58 L-.64,-.4 L-.32,.04 L-.24,-.58 L0,0 L.24,-.58 L.32,.04 L.64,-.4 L.4,.58 Z", paint
    )
    for x, y in ((-0.66, -0.44), (-0.24, -0.64), (0.24, -0.64), (0.66, -0.44)):
        yield _path(_round(0.09, x, y), paint)
    yield _path(_FOOT, paint)


def _king(paint: Paint) -> Iterator[str]:
    yield _path(
        "M-.06,-.84 H.06 V-.7 H.2 V-.58 H.06 V-.3 H-.06 V-.58 H-.2 V-.7 H-.06 Z", paint, paint.rim
    )
    yield _path(
        "M-.4,.58 Q-.78,.14 -.6,-.16 Q-.3,-.46 0,-.02 Q.3,-.46 .6,-.16 Q.78,.14 .4,.58 Z", paint
    )
    yield _stroke("M0,0 V.56", paint.rim)
    yield _path(_FOOT, paint)


def _cube(paint: Paint) -> Iterator[str]:
    yield _path("M0,-.82 L.7,-.42 V.4 L0,.8 L-.7,.4 V-.42 Z", paint)
    yield _detail("M0,-.8 L.67,-.41 L0,-.02 L-.67,-.41 Z", "#ffffff", 0.3)
    yield _detail("M0,-.02 L.67,-.41 V.39 L0,.77 Z", "#000000", 0.22)


def _tile(paint: Paint) -> Iterator[str]:
    yield (
        f'<rect x="-0.65" y="-0.65" width="1.3" height="1.3" rx="0.16" fill="{paint.fill}"'
        f' stroke="{paint.rim}" stroke-width="{_RIM}"/>'
    )


def _wall(paint: Paint) -> Iterator[str]:
    yield _path("M-.62,.5 L.4,-.68 L.62,-.5 L-.4,.68 Z", paint)


def _cone(paint: Paint) -> Iterator[str]:
    yield _path("M0,-.82 L.6,.52 Q0,.9 -.6,.52 Z", paint)
    yield _detail("M0,-.78 L.57,.5 Q.36,.66 .14,.69 Z", "#000000", 0.2)


def _pyramid(paint: Paint) -> Iterator[str]:
    yield _path("M0,-.8 L.74,.6 H-.74 Z", paint)
    yield _detail("M0,-.76 L.7,.57 H.2 Z", "#000000", 0.22)


def _wedge(paint: Paint) -> Iterator[str]:
    yield _path("M0,-.84 L.46,-.62 L.6,.72 H-.6 L-.46,-.62 Z", paint)


def _card(paint: Paint) -> Iterator[str]:
    yield _path(_box(1.08, 1.6, 0.14), paint)


def card(paint: Paint, steps: Iterable[tuple[int, int]]) -> Iterator[str]:
    """Yield the elements of a card with a small board: its middle, and where steps lead from it."""
    known = set(steps)
    reach = max((abs(part) for step in known for part in step), default=2)
    reach = max(2, min(_FARTHEST, reach))
    apart = 1.6 / (2 * reach + 1)
    yield _path(_box(1.8, 1.8, 0.14), paint)
    for across in range(-reach, reach + 1):
        for up in range(-reach, reach + 1):
            x, y, half = across * apart, -up * apart, 0.44 * apart
            ends = f"H{x + half:.3g} V{y + half:.3g} H{x - half:.3g} Z"
            square = f"M{x - half:.3g},{y - half:.3g} {ends}"
            if (across, up) in known:
                yield _detail(square, paint.ink)
            elif across == up == 0:
                yield _detail(_round(half, x, y), paint.ink)
            else:
                yield _detail(square, paint.ink, 0.15)


def _ship(paint: Paint) -> Iterator[str]:
    yield _path("M-.8,.1 H.8 L.52,.58 H-.52 Z", paint)
    yield _path("M-.34,.1 V-.24 H.34 V.1 Z", paint)
    yield _path("M-.08,-.24 V-.62 H.14 V-.24 Z", paint)


_PIPS: Mapping[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    7: ((-1, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (1, 1)),
    8: ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)),
    9: tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)),
}


def _die(paint: Paint, number: int) -> Iterator[str]:
    yield _path(_box(1.36, 1.36, 0.24), paint)
    for x, y in _PIPS.get(number, ()):
        yield _detail(_round(0.13, 0.38 * x, 0.38 * y), paint.ink)


def _seeds(paint: Paint, number: int) -> Iterator[str]:
    """Seeds in a spiral: so many lie round the middle that a heap looks as large as it is."""
    shown = max(0, min(number, _MOST_SEEDS))
    for place in range(shown):
        angle = 2.4 * place
        far = 0.8 * math.sqrt((place + 0.5) / _MOST_SEEDS)
        yield _path(_round(0.15, far * math.cos(angle), far * math.sin(angle)), paint)


def _levels(paint: Paint, number: int) -> Iterator[str]:
    """Storeys seen from above, each smaller than that below; the fourth is a dome."""
    for level in range(1, min(number, _HIGHEST) + 1):
        side = 1.62 - 0.36 * (level - 1)
        if level < _HIGHEST:
            yield _path(_box(side, side, 0.1), paint)
        else:
            yield _path(_round(0.36), paint, paint.rim)


_FIGURES: Mapping[str, Callable[[Paint], Iterator[str]]] = {
    "disc": _disc,
    "dot": _dot,
    "man": _man,
    "crowned": _crowned,
    "ring": _ring,
    "ball": _ball,
    "peg": _peg,
    "cross": _cross,
    "star": _star,
    "pawn": _pawn,
    "knight": _knight,
    "bishop": _bishop,
    "rook": _rook,
    "queen": _queen,
    "king": _king,
    "cube": _cube,
    "tile": _tile,
    "wall": _wall,
    "cone": _cone,
    "pyramid": _pyramid,
    "wedge": _wedge,
    "card": _card,
    "ship": _ship,
}


def _number(paint: Paint, number: int) -> Iterator[str]:
    """Nothing: the number is written alone, or upon the piece that stands there."""
    yield from ()


COUNTED: Mapping[str, Callable[[Paint, int], Iterator[str]]] = {
    "number": _number,
    "die": _die,
    "seeds": _seeds,
    "levels": _levels,
}
"""The figures that show a number."""
DRAWN = (*_FIGURES, *COUNTED)
"""The names of the figures that are drawn here."""


def _flat(d: str) -> str:
    return f'<path d="{d}" fill="COLOUR"/>'


def _outline(d: str, width: float = 0.1) -> str:
    return _stroke(d, "COLOUR", width)


_PETALS = " ".join(
    _round(0.2, 0.44 * math.cos(angle), 0.44 * math.sin(angle))
    for angle in (math.pi * step / 4 for step in range(8))
)
_SIGNS: Mapping[str, str] = {
    "point": _flat(_round(0.24)),
    "star": _flat(_star_path(5, 0.62, 0.27)),
    "rosette": _outline(_round(0.86)) + _flat(_PETALS) + _flat(_round(0.18)),
    "throne": _outline(_box(1.5, 1.5, 0.1)) + _outline("M-.75,-.75 L.75,.75 M.75,-.75 L-.75,.75"),
    "cross": _outline("M-.55,-.55 L.55,.55 M.55,-.55 L-.55,.55", 0.14),
    "trap": _outline(_round(0.8)) + _outline("M-.8,0 H.8 M0,-.8 V.8"),
    "ring": _outline(_round(0.7), 0.12),
    "square": _outline(_box(1.3, 1.3, 0.06), 0.12),
    "hill": _outline("M-.8,.5 L-.3,-.3 L-.05,.1 L.3,-.5 L.8,.5 Z", 0.12),
}
