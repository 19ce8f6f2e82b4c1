"""Charts and maps of the board, as SVG that stands in a page.

In: numbers. Out: SVG. What then holds: each bar and site has its value as a tooltip; nothing is
told by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from gdl.board.board import Board, Point, Site
from gdl.interpreter.report.numbers import Share
from gdl.visible import visible_line

_WIDE = 460.0
_INK, _BAR = "#333", "#4c78a8"
_SWATCHES = 7
_LEGEND = 34.0
_ROW = 26.0
_LABEL = 150.0
_MOST_BARS = 40
_LARGEST = 420.0
FEWEST_GAMES = 10
"""Of a site that fewer games tell of, it is not shown how often those won who used it."""
_MOST_SITES = 1000
"""Of a larger board, only the sites in use are shown."""
_MANY = 0.1
"""Above it, shares are written without a decimal."""
_SWATCH, _FAINTEST, _NONE = 26, 0.08, "#fff"
_LOW, _EVEN, _HIGH = (245, 245, 240), (244, 240, 230), (178, 70, 20)
_LOSING, _WINNING = (60, 110, 170), (190, 80, 30)

Colour = tuple[int, int, int]


def histogram(values: Sequence[int]) -> str:
    """Return how many games have how many moves, in bars of equal width."""
    least, most = min(values), max(values)
    width = max(1, -(-(most - least + 1) // _MOST_BARS))
    counts = [0] * ((most - least) // width + 1)
    for value in values:
        counts[(value - least) // width] += 1
    high, step = 130.0, _WIDE / len(counts)
    parts = []
    for number, count in enumerate(counts):
        tall = high * count / max(counts)
        begin = least + number * width
        last = min(most, begin + width - 1)
        told = str(begin) if begin == last else f"{begin} to {last}"
        parts.append(
            f'<rect x="{number * step:.1f}" y="{high - tall + 4:.1f}" width="{step * 0.86:.1f}"'
            f' height="{tall:.1f}" fill="{_BAR}"><title>{told} moves: {count}</title></rect>'
        )
    ends = ((0.0, "start", str(least)), (_WIDE, "end", str(most)))
    parts.append(
        f'<line x1="0" x2="{_WIDE}" y1="{high + 4}" y2="{high + 4}" stroke="currentColor"/>'
    )
    parts += [_text(x, high + 20, text, anchor) for x, anchor, text in ends]
    parts.append(_text(_WIDE / 2, high + 20, "moves", "middle"))
    return _svg(_WIDE, high + 28, parts, "How many games have how many moves")


def bars(rows: Sequence[tuple[str, Share]], title: str) -> str:
    """Return shares as bars, each with its interval."""
    room = _WIDE - _LABEL - 60
    parts = []
    for number, (label, share) in enumerate(rows):
        y = number * _ROW + 4
        low, high = share.interval
        x1, x2 = _LABEL + room * low, _LABEL + room * high
        parts += [
            _text(0, y + 14, label),
            f'<rect x="{_LABEL}" y="{y}" width="{room}" height="18"'
            ' fill="currentColor" fill-opacity="0.14"/>',
            f'<rect x="{_LABEL}" y="{y}" width="{room * share.value:.1f}" height="18"'
            f' fill="{_BAR}"><title>{share.count:g} of {share.of}</title></rect>',
            f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y + 9}" y2="{y + 9}"'
            ' stroke="currentColor" stroke-width="2"/>',
            _text(_WIDE, y + 14, f"{share.value:.1%}", "end"),
        ]
    return _svg(_WIDE, len(rows) * _ROW + 6, parts, title)


def use_map(board: Board, shares: Sequence[Share], *, on_points: bool, title: str) -> str:
    """Return a map of how often each site was used: the darker, the oftener."""
    values = [share.value for share in shares if share.count] or [0.0]
    least, most = min(values), max(values)

    def colour(value: float) -> str:
        return _mixed(_LOW, _HIGH, _FAINTEST + (1 - _FAINTEST) * _part(value, least, most))

    def filled(share: Share) -> str:
        return colour(share.value) if share.count else _NONE

    scale = [(value, colour(value)) for value in _between(least, most)]
    return _map(board, shares, filled, on_points, title, lambda share: share.count > 0, scale)


def win_map(board: Board, shares: Sequence[Share], *, on_points: bool, title: str) -> str:
    """Return a map of how often those won who used a site: blue is less than usual, red more.

    The mean of all sites is the middle of the scale.
    """
    known = [share for share in shares if share.of >= FEWEST_GAMES]
    middle = sum(s.count for s in known) / max(1, sum(s.of for s in known))
    widest = max((abs(share.value - middle) for share in known), default=0.0) or 1.0

    def colour(value: float) -> str:
        off = (value - middle) / widest
        return _mixed(_EVEN, _WINNING if off > 0 else _LOSING, abs(off))

    def filled(share: Share) -> str:
        return colour(share.value) if share.of >= FEWEST_GAMES else _NONE

    values = [share.value for share in known] or [middle]
    scale = [(value, colour(value)) for value in _between(min(values), max(values))]
    return _map(
        board, shares, filled, on_points, title, lambda share: share.of >= FEWEST_GAMES, scale
    )


def _part(value: float, least: float, most: float) -> float:
    """Return which part of the way between two numbers a third one is; all of it, if it is none."""
    return (value - least) / (most - least) if most > least else 1.0


def _between(least: float, most: float) -> list[float]:
    """Return numbers at equal distances, the first and the last of them as given."""
    number = _SWATCHES if most > least else 1
    return [least + (most - least) * place / max(1, number - 1) for place in range(number)]


def _map(
    board: Board,
    shares: Sequence[Share],
    colour: Callable[[Share], str],
    on_points: bool,
    title: str,
    is_shown: Callable[[Share], bool],
    legend: Sequence[tuple[float, str]],
) -> str:
    shown = [
        (site, () if on_points else outline, share)
        for site, outline, share in zip(board.sites, board.outlines, shares, strict=True)
        if board.size <= _MOST_SITES or is_shown(share)
    ]
    points = [(site.x, site.y) for site, _, _ in shown]
    points += [point for _, outline, _ in shown for point in outline]
    left, right = min(x for x, _ in points) - 0.6, max(x for x, _ in points) + 0.6
    low, high = min(y for _, y in points) - 0.6, max(y for _, y in points) + 0.6
    scale = _LARGEST / max(right - left, high - low)

    def at(point: Point) -> Point:
        return (point[0] - left) * scale, (high - point[1]) * scale

    parts = list(_sites(shown, colour, is_shown, at, scale))
    width, height = max(_LARGEST, (right - left) * scale), (high - low) * scale
    parts += _legend(legend, height)
    return _svg(width, height + _LEGEND, parts, title)


def _legend(scale: Sequence[tuple[float, str]], top: float) -> Iterator[str]:
    """Yield what the colours of a map stand for, from its lowest number to its highest."""
    (low, _), (high, _) = scale[0], scale[-1]
    digits = 0 if high > _MANY else 1
    yield _text(0, top + 20, f"{low:.{digits}%}")
    for place, (_, fill) in enumerate(scale):
        yield (
            f'<rect x="{_SWATCH * place + 52:.0f}" y="{top + 8:.1f}" width="{_SWATCH}" height="14"'
            f' fill="{fill}" stroke="#999" stroke-width="0.5"/>'
        )
    if len(scale) > 1:
        yield _text(_SWATCH * len(scale) + 60, top + 20, f"{high:.{digits}%}")


def _sites(
    shown: Sequence[tuple[Site, Sequence[Point], Share]],
    colour: Callable[[Share], str],
    is_shown: Callable[[Share], bool],
    at: Callable[[Point], Point],
    scale: float,
) -> Iterator[str]:
    digits = 0 if max(share.value for _, _, share in shown) > _MANY else 1
    for site, outline, share in sorted(shown, key=lambda one: len(one[1]), reverse=True):
        told = f"<title>{escape(site.name)}: {share.value:.1%} of {share.of}</title>"
        fill, (x, y) = colour(share), at((site.x, site.y))
        if len(outline) > 2:
            corners = " ".join(f"{a:.1f},{b:.1f}" for a, b in map(at, outline))
            yield f'<polygon points="{corners}" fill="{fill}" stroke="#999">{told}</polygon>'
        elif len(outline) == 2:
            (x1, y1), (x2, y2) = map(at, outline)
            yield (
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{fill}"'
                f' stroke-width="{0.16 * scale:.1f}">{told}</line>'
            )
        else:
            yield (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.4 * scale:.1f}" fill="{fill}"'
                f' stroke="#999">{told}</circle>'
            )
        if scale > 26 and len(outline) != 2 and is_shown(share):
            size = min(13.0, 0.3 * scale)
            yield (
                f'<text x="{x:.1f}" y="{y + size / 3:.1f}" font-size="{size:.1f}"'
                f' fill="{_ink_on(fill)}"'
                f' text-anchor="middle" pointer-events="none">{100 * share.value:.{digits}f}</text>'
            )


def _ink_on(fill: str) -> str:
    """Return black or white, whichever is read better on a colour."""
    red, green, blue = (int(fill[1:].ljust(6, "f")[n : n + 2], 16) for n in (0, 2, 4))
    return "#fff" if 0.3 * red + 0.59 * green + 0.11 * blue < 140 else _INK


def _mixed(one: Colour, other: Colour, part: float) -> str:
    """Return a colour between two.

    >>> _mixed((0, 0, 0), (255, 255, 255), 0.5)
    '#808080'
    """
    mixed = (round(a + (b - a) * min(1.0, part)) for a, b in zip(one, other, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    shown = escape(visible_line(text))
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="13" fill="currentColor" text-anchor="{anchor}">'
        f"{shown}</text>"
    )


def _svg(width: float, height: float, parts: Sequence[str], title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' style="max-width:{width:.0f}px"><title>{escape(visible_line(title))}</title>'
        f"{''.join(parts)}</svg>"
    )
