"""The margin of a text picture: labels of rows and columns around what is drawn.

In: a canvas on which a board is drawn, and the scale. Out: labels on the canvas. What then holds:
those of one side are moved alike, so far out that they stand on nothing that was drawn before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from rich.cells import cell_len
from rich.style import Style

from gdl.board.board import Board, Label, Point, Site
from gdl.board.naming import column_letters
from gdl.data_classes import dataclass
from interpreter.render.canvas import DOWN, LEFT, RIGHT, UP, Canvas
from interpreter.render.glyphs import written
from interpreter.render.scale import Scale

_FARTHEST_PUSH = 12


@dataclass(frozen=True)
class Margin:
    """The labels of a board that stand around its picture."""

    canvas: Canvas
    board: Board
    scale: Scale
    style: Style

    def write(self) -> None:
        """Write all labels outside of everything drawn so far."""
        board = self.board
        if not board.sites:
            return
        middle_x = _middle(site.x for site in board.sites)
        middle_y = _middle(site.y for site in board.sites)
        rows, columns = board.row_labels, board.column_labels
        self._push([row for row in rows if row[1] < middle_x], LEFT)
        self._push([row for row in rows if row[1] >= middle_x], RIGHT)
        self._push([column for column in columns if column[2] >= middle_y], UP)
        self._push([column for column in columns if column[2] < middle_y], DOWN)

    def _push(self, labels: Sequence[Label], side: int) -> None:
        """Write the labels of one side, all moved alike, as near to the board as leaves a gap."""
        if not labels:
            return
        is_row = side in (LEFT, RIGHT)
        inwards = min(
            (self._inwards(label, is_row) for label in labels), key=lambda way: math.hypot(*way)
        )
        down, right = {LEFT: (0, -1), RIGHT: (0, 1), UP: (-1, 0), DOWN: (1, 0)}[side]
        tries = [(share, 0) for share in (0.5, 1 / 3, 0.25, 0.0)]
        tries += [(0.0, push) for push in range(1, _FARTHEST_PUSH)]
        spans: list[tuple[int, range]] = []
        for share, push in tries:
            spans = []
            for text, x, y in labels:
                point = (x + share * inwards[0], y + share * inwards[1])
                row, column = self.scale.place(point)
                first = _first_column(column + push * right, cell_len(text), side)
                spans.append((row + push * down, range(first, first + cell_len(text))))
            gap = int(is_row or share > 0)
            if not any(self._is_crowded(row, span, gap) for row, span in spans):
                break
        for (text, _, _), (row, span) in zip(labels, spans, strict=True):
            shown = written(text, self.canvas.characters)
            self.canvas.write(row, span.start, shown, self.style)

    def _inwards(self, label: Label, is_row: bool) -> Point:
        """The way from a label to the nearest site of its row or column."""
        text, x, y = label
        own = (self._rows if is_row else self._columns).get(text)
        ways = ((site.x - x, site.y - y) for site in own or self.board.sites)
        return min(ways, key=lambda way: math.hypot(*way))

    @cached_property
    def _rows(self) -> dict[str, list[Site]]:
        return self._grouped(lambda site: str(site.row))

    @cached_property
    def _columns(self) -> dict[str, list[Site]]:
        return self._grouped(lambda site: column_letters(site.column))

    def _grouped(self, name: Callable[[Site], str]) -> dict[str, list[Site]]:
        groups: dict[str, list[Site]] = {}
        for site in self.board.sites:
            groups.setdefault(name(site), []).append(site)
        return groups

    def _is_crowded(self, row: int, span: range, gap: int) -> bool:
        columns = range(span.start - gap, span.stop + gap)
        return any(self.canvas.is_used(row, column) for column in columns)


def _first_column(column: int, length: int, side: int) -> int:
    """Where a text begins: at the sides it has its end next to the board at `column`."""
    return {LEFT: column - length + 1, RIGHT: column}.get(side, column - (length - 1) // 2)


def _middle(values: Iterable[float]) -> float:
    known = list(values)
    return (min(known) + max(known)) / 2
