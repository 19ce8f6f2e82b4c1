"""The sizes in which a text picture can be drawn.

In: a scene, and how many columns and rows of characters there are to a unit. Out: a `Size`. What
then holds: a size that is too large is known to be so before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from gdl.data_classes import dataclass
from interpreter.render.canvas import Canvas, Place
from interpreter.render.scale import Scale, places_of
from interpreter.render.scene import Scene


@dataclass(frozen=True)
class Size:
    """One size of a picture: where its sites are written, and what draws it."""

    places: Mapping[int, Place]
    draw: Callable[[], Canvas]

    @cached_property
    def least(self) -> tuple[int, int]:
        """The columns and rows from the first site to the last; a picture has no fewer."""
        rows, columns = (
            [row for row, _ in self.places.values()],
            [c for _, c in self.places.values()],
        )
        return _extent(columns), _extent(rows)


def sized(scene: Scene, scale: Scale, draw: Callable[[Scale], Canvas]) -> Size:
    """Return the size in which sites are drawn at a scale."""
    return Size(places_of(scene, scale), lambda: draw(scale))


def largest(sizes: Iterable[Size], width: int, height: int) -> Canvas | None:
    """Draw the first size that fits so many columns and rows, else the smallest; None of none."""
    known = list(sizes)
    for size in known:
        if size.least[0] <= width and size.least[1] <= height:
            canvas = size.draw()
            if canvas.width <= width and canvas.height <= height:
                return canvas
    return min(reversed(known), key=lambda size: size.least).draw() if known else None


def _extent(places: Iterable[int]) -> int:
    known = list(places)
    return max(known, default=-1) - min(known, default=0) + 1
