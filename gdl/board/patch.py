"""The part of a lattice that a shape covers.

In: a `Lattice`, a `Shape`, and the axes that wrap around. Out: a `Patch` with its cells,
vertices and edges. What then holds: the places of each kind are ordered by tag, then by row
and column, and a wrapped axis has no side.
"""

from __future__ import annotations

from functools import cached_property

from gdl.board.board import MOST_SITES, BoardError, too_large
from gdl.board.lattice import KINDS, Key, Lattice, Shape, moved

_FEWEST_AROUND = 3
_LARGEST_BOX = 5 * MOST_SITES


class Patch:
    """The part of a lattice that a shape covers."""

    def __init__(self, lattice: Lattice, shape: Shape, wrap: tuple[str, ...]) -> None:
        """Find the places; `BoardError` if they are far too many, or too few to wrap."""
        self.lattice = lattice
        cells = lattice.cells.items()
        self._steps = {
            "cell": {tag: cell.neighbours for tag, cell in cells},
            "vertex": {tag: cell.corners for tag, cell in cells},
            "edge": {tag: cell.edges for tag, cell in cells},
        }
        self.wrap = wrap
        self.columns = shape.columns
        self.rows = shape.rows
        self._refuse_bad_size()
        self.periods = (
            self.columns if "columns" in wrap else 0,
            self.rows if "rows" in wrap else 0,
        )
        self.sides = shape.sides
        self.point = shape.point
        self._bounds = [side for side in shape.sides if side.axis not in wrap]
        first = shape.first_column
        found: list[Key] = [
            (column, row, tag)
            for tag in lattice.cells
            for row in range(1, shape.rows + 1)
            for column in range(first(row), first(row) + shape.columns)
        ]
        for side in self._bounds:
            depth = side.depth
            found = [key for key in found if depth(key) > 0]
        if shape.within is not None:
            found = list(filter(shape.within, found))
        self._places = {"cell": found}
        self._cells = set(found)

    def places(self, kind: str) -> list[Key]:
        """Return the places of a kind: of vertices and edges, those around the cells."""
        known = self._places.get(kind)
        if known is None:
            order = {tag: rank for rank, tag in enumerate(self.lattice.tags(kind))}
            known = self._places[kind] = sorted(
                self._all_around(kind), key=lambda place: (order[place[2]], place[1], place[0])
            )
        return known

    def _all_around(self, kind: str) -> set[Key]:
        found: set[Key] = set()
        for cell, steps in self._steps[kind].items():
            here = [(column, row) for column, row, tag in self._places["cell"] if tag == cell]
            for across, up, tag in steps:
                found.update([(column + across, row + up, tag) for column, row in here])
        if not self.wrap:
            return found
        columns, rows = self.columns, self.rows
        return {
            place if 0 < place[0] <= columns and 0 < place[1] <= rows else self.wrapped(place)
            for place in found
        }

    def _refuse_bad_size(self) -> None:
        if self.columns * self.rows * len(self.lattice.cells) > _LARGEST_BOX:
            raise too_large()
        for axis, period in (("columns", self.columns), ("rows", self.rows)):
            if axis in self.wrap and period < _FEWEST_AROUND:
                raise BoardError(
                    f"a board that wraps around needs at least {_FEWEST_AROUND} {axis}",
                    f"It has {period}; take more {axis}, or don't wrap them.",
                )

    def wrapped(self, key: Key) -> Key:
        """Return the place on the board that stands for a place in the endless lattice."""
        if not self.wrap:
            return key
        column, row, tag = key
        if "columns" in self.wrap:
            column = (column - 1) % self.columns + 1
        if "rows" in self.wrap:
            row = (row - 1) % self.rows + 1
        return column, row, tag

    def around(self, kind: str, cell: Key) -> list[Key]:
        """Return the corners, the edges or (of kind `cell`) the neighbours of a cell."""
        column, row, here = cell
        places = [(column + across, row + up, tag) for across, up, tag in self._steps[kind][here]]
        return [self.wrapped(place) for place in places] if self.wrap else places

    def ends(self, edge: Key) -> list[Key]:
        """Return the two vertices that an edge joins."""
        return [self.wrapped(moved(edge, step)) for step in self.lattice.ends[edge[2]]]

    @cached_property
    def side_places(self) -> dict[str, dict[str, set[Key]]]:
        """The places of each kind along each side: those that an edge parts from beyond it.

        Of a star, those of the cells in each point, and what is around them.
        """
        along: dict[str, dict[str, set[Key]]] = {
            side.name: {kind: set() for kind in KINDS} for side in self.sides
        }
        for cell in self._places["cell"] if self.point else ():
            for side in self._bounds:
                if side.depth(cell) <= self.point:
                    for kind in ("edge", "vertex"):
                        along[side.name][kind].update(self.around(kind, cell))
                    along[side.name]["cell"].add(cell)
        for cell, edge, beyond in () if self.point else self._rim:
            for side in self._bounds:
                if side.depth(beyond) < 1:
                    along[side.name]["cell"].add(cell)
                    along[side.name]["edge"].add(edge)
                    along[side.name]["vertex"].update(self.ends(edge))
        return along

    @cached_property
    def border_places(self) -> dict[str, set[Key]]:
        """The places of each kind that an edge parts from what is not on the board."""
        border: dict[str, set[Key]] = {kind: set() for kind in KINDS}
        for cell, edge, _ in self._rim:
            border["cell"].add(cell)
            border["edge"].add(edge)
            border["vertex"].update(self.ends(edge))
        return border

    @cached_property
    def _rim(self) -> list[tuple[Key, Key, Key]]:
        """Each cell with an edge that leads off the board, the edge, and what is there."""
        found: list[tuple[Key, Key, Key]] = []
        if self._is_endless():
            return found
        for cell in self._places["cell"]:
            neighbours = self.around("cell", cell)
            if not self._cells.issuperset(neighbours):
                for edge, beyond in zip(self.around("edge", cell), neighbours, strict=True):
                    if beyond not in self._cells:
                        found.append((cell, edge, beyond))
        return found

    def _is_endless(self) -> bool:
        """Whether both axes wrap around and no place between them is missing: nothing is beyond."""
        whole = self.columns * self.rows * len(self.lattice.cells)
        return all(self.periods) and len(self._cells) == whole
