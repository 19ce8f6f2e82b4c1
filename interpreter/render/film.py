"""A whole game in pictures: as one animated SVG, as a GIF.

In: the positions of a game as SVG documents, each with a caption. Out: a document, or the bytes of
an image. What then holds: none has a script, and the pictures stand in the order of the game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

from gdl.data_classes import dataclass
from gdl.interpreter.render.image import NoPixels, png_of

_SIZE = re.compile(r'<svg [^>]*width="(\d+)" height="(\d+)"')
_LAST_IS_SHOWN = 3
"""How many times as long as others the last picture stays."""


@dataclass(frozen=True)
class Still:
    """One picture of a game, and the words below it."""

    svg: str
    caption: str

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height in pixels."""
        found = _SIZE.search(self.svg)
        assert found is not None, "a picture tells its size"
        return int(found[1]), int(found[2])

    def captioned(self, wide: int, high: int) -> str:
        """Return the picture as part of one of this size, its caption on a strip at the foot.

        A caption that is too long for its line is drawn narrower.
        """
        strip = _strip(wide)
        size, room = 0.66 * strip, 0.96 * wide
        is_long = 0.56 * size * len(self.caption) > room
        narrowed = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if is_long else ""
        return (
            f'{self.svg.strip()}\n<rect y="{high - strip}" width="{wide}" height="{strip}"'
            f' fill="#fff"/>\n<text x="{wide / 2:g}" y="{high - 0.3 * strip:g}" fill="#222"'
            f' font-family="sans-serif" font-size="{size:g}" text-anchor="middle"{narrowed}>'
            f"{escape(self.caption)}</text>"
        )


def animated(stills: Sequence[Still], seconds: float) -> str:
    """Return an SVG document that shows one picture after another, each for some seconds."""
    wide, high = _room(stills)
    shares = [1] * (len(stills) - 1) + [_LAST_IS_SHOWN]
    whole, before = sum(shares), 0
    parts = [_opened(wide, high)]
    for number, (still, share) in enumerate(zip(stills, shares, strict=True)):
        after = before + share
        times = f"0;{before / whole:.5f};{after / whole:.5f}"
        first = "visible" if number == 0 else "hidden"
        parts += [
            f'<g visibility="{first}"><animate attributeName="visibility" calcMode="discrete"'
            f' values="{first};visible;hidden" keyTimes="{times}" dur="{whole * seconds:g}s"'
            ' repeatCount="indefinite"/>',
            still.captioned(wide, high),
            "</g>",
        ]
        before = after
    return "\n".join([*parts, "</svg>"]) + "\n"


def gif(stills: Sequence[Still], seconds: float) -> bytes:
    """Return a GIF of the pictures. Raises NoPixels."""
    try:
        images: Any = import_module("PIL.Image")
    except ImportError:
        raise NoPixels("The libraries that make pixels of pictures are not installed.") from None
    wide, high = _room(stills)
    frames = []
    for still in stills:
        whole = f"{_opened(wide, high)}{still.captioned(wide, high)}</svg>"
        drawn = images.open(BytesIO(png_of(whole))).convert("RGB")
        frames.append(drawn.quantize(colors=128, dither=0))
    times = [round(1000 * seconds)] * (len(frames) - 1) + [round(1000 * seconds * _LAST_IS_SHOWN)]
    made = BytesIO()
    frames[0].save(
        made, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, disposal=1
    )
    return made.getvalue()


def _opened(wide: int, high: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide}" height="{high}"'
        f' viewBox="0 0 {wide} {high}"><rect width="{wide}" height="{high}" fill="#fff"/>'
    )


def _room(stills: Sequence[Still]) -> tuple[int, int]:
    """Return the size of a film: that of the largest picture, and a strip for captions."""
    widths, heights = zip(*(still.size for still in stills), strict=True)
    return max(widths), max(heights) + _strip(max(widths))


def _strip(wide: int) -> int:
    return max(16, wide // 18)
