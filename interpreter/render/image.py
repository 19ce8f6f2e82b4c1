"""Pictures as pixels: SVG documents drawn as PNG images.

In: an SVG document. Out: the bytes of a PNG. It needs what the extra `pictures` installs. Letters
are those of a font that comes with it, so an image is the same on every machine; characters which
that font has not are drawn with a font of the system.
"""

from __future__ import annotations

import atexit
import tempfile
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

_FONT = "Aileron"


class NoPixels(RuntimeError):
    """Images can't be made here: the libraries of the extra are not installed."""


def png_of(svg: str) -> bytes:
    """Return an SVG document as a PNG of its own size. Raises NoPixels."""
    try:
        drawing: Any = import_module("resvg_py")
        font = _font_file()
    except ImportError:
        raise NoPixels("The libraries that make pixels of pictures are not installed.") from None
    drawn = drawing.svg_to_bytes(svg_string=svg, font_files=[font], sans_serif_family=_FONT)
    return bytes(drawn)


@cache
def _font_file() -> str:
    """Return the path of the font that Pillow has: a file that is there while this runs."""
    fonts: Any = import_module("PIL.ImageFont")
    source = fonts.load_default(size=20).path
    if not isinstance(source, BytesIO):
        return str(source)
    file = tempfile.NamedTemporaryFile(suffix=".ttf", delete=False)  # noqa: SIM115
    with file:
        file.write(source.getvalue())
    _remove_at_exit(Path(file.name))
    return file.name


def _remove_at_exit(path: Path) -> None:
    atexit.register(path.unlink, missing_ok=True)
