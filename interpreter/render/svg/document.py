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

from gdl.board.board import Site
from gdl.data_classes import dataclass
from gdl.visible import visible_line
from interpreter.render.focus import focus, is_wrapped
from interpreter.render.labels import labelled
from interpreter.render.scene import Mark, Scene
from interpreter.render.svg import elements
from interpreter.render.svg.board import BoardPicture, css
from interpreter.render.svg.elements import between, line
from interpreter.render.svg.layout import LETTER, Layout, Row
from interpreter.render.svg.pieces import PiecesPicture
from interpreter.render.theme import LIGHT, Theme

_MOST_SITES = 600  # of a board without a border, beyond which only the part in use is drawn
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
    if board.endless or (board.size > _MOST_SITES and is_wrapped(board)):
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
            *self._sites(),
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
