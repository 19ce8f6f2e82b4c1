"""Boards cut out of a lattice, whatever its cells look like.

In: a `Lattice`, a `Shape` and the kinds of places that are sites. Out: a `Board`. What then
holds: sites are ordered by kind (cells, vertices, edges), then by tag, then by row and column;
a step off the board leads nowhere; where the board wraps it has no side.

Names: a column's letters and a row's number, then the tag, if the kind has several. Where
cells and vertices without tags are both sites, the vertices' names begin with `v`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

from gdl.board.board import (
    MOST_SITES,
    Board,
    BoardError,
    Drawing,
    Label,
    Point,
    Site,
    column_letters,
    site_name,
    too_large,
)
from gdl.board.lattice import KINDS, Key, Lattice, Shape, moved
from gdl.board.relation import Relation, site_set

_PLURALS = {"cell": "cells", "vertex": "vertices", "edge": "edges"}
_MIRRORED = (("north", "south"), ("top", "bottom"), ("upper", "lower"))


def build(
    lattice: Lattice, shape: Shape, kinds: Sequence[str], wrap: Sequence[str], top_first: bool
) -> Board:
    """Return the board of a shape, with the places of the given kinds as its sites.

    Raises `BoardError` if it is too large, too small to wrap, or two names would be equal.
    """
    patch = Patch(lattice, shape, tuple(wrap))
    draft = _Draft(patch, tuple(kind for kind in KINDS if kind in kinds), top_first)
    return draft.board()


class _Draft:
    """A board in the making: the sites of a patch by index."""

    def __init__(self, patch: Patch, kinds: tuple[str, ...], top_first: bool) -> None:
        self.patch = patch
        self.lattice = patch.lattice
        self.kinds = kinds
        self.top_first = top_first
        self.places = [(kind, key) for kind in kinds for key in patch.places(kind)]
        if len(self.places) > MOST_SITES:
            raise too_large()
        self.size = len(self.places)
        self.index: dict[str, dict[Key, int]] = {kind: {} for kind in KINDS}
        for index, (kind, key) in enumerate(self.places):
            self.index[kind][key] = index
        self.runs: dict[str, Runs] = {}
        for kind in KINDS:
            places = patch.places(kind) if kind in kinds else []
            self.runs[kind] = Runs(
                places, len(places) and self.index[kind][places[0]], patch.periods
            )
        self.scale = 1 / self.lattice.spacing[kinds[0]]
        self.mirror = 0.0
        if top_first:
            heights = [self.lattice.place(kind, key)[1] for kind, key in self.places]
            self.mirror = min(heights) + max(heights)

    def board(self) -> Board:
        """Put the parts together."""
        sites = tuple(self._sites())
        names = {site.name for site in sites}
        if len(names) < len(sites):
            raise BoardError(
                "the board has so many columns that two of its sites would have the same name",
                "Take fewer columns, or sites of one kind only.",
            )
        relations, families = self._relations()
        column_labels, row_labels = self._labels()
        return Board(
            sites=sites,
            relations=relations,
            families=families,
            regions=self._regions(),
            numbers=self._numbers(),
            draw=self._drawing,
            lattice=self.lattice.name,
            top_first=self.top_first,
            column_labels=column_labels,
            row_labels=row_labels,
        )

    def _drawing(self) -> Drawing:
        outlines = tuple(self._outline(kind, key) for kind, key in self.places)
        return Drawing(outlines, tuple(self._lines()))

    def _point(self, kind: str, key: Key) -> Point:
        x, y = self.lattice.place(kind, key)
        if self.top_first:
            y = self.mirror - y
        return round(x * self.scale, 9), round(y * self.scale, 9)

    def _as_seen(self, name: str) -> str:
        """Return a direction's or side's name with up and down exchanged where they are."""
        if self.top_first:
            for up, down in _MIRRORED:
                if up in name:
                    return name.replace(up, down)
                if down in name:
                    return name.replace(down, up)
        return name

    def _tag_as_seen(self, tag: str) -> str:
        return self.lattice.mirrored_tags.get(tag, tag) if self.top_first else tag

    def _sites(self) -> Iterator[Site]:
        crowded = "cell" in self.kinds and "" in self.lattice.offsets["cell"]
        index = 0
        for kind in self.kinds:
            for tag, keys in groupby(self.patch.places(kind), key=itemgetter(2)):
                prefix = "v" if crowded and kind == "vertex" and not tag else ""
                suffix = self._tag_as_seen(tag)
                for key in keys:
                    column, row, _ = key
                    name = prefix + site_name(column, row) + suffix
                    yield Site(index, name, kind, column, row, *self._point(kind, key))
                    index += 1

    def _relations(self) -> tuple[dict[str, Relation], dict[str, tuple[str, ...]]]:
        by_kind = {kind: self._directions(kind) for kind in self.kinds}
        empty = Relation.empty(self.size)
        present = {name for directions in by_kind.values() for name in directions}
        clockwise = tuple(name for name in self.lattice.directions if name in present)
        relations = {
            name: _union(empty, (d[name] for d in by_kind.values() if name in d))
            for name in clockwise
        }
        families: dict[str, tuple[str, ...]] = {}
        for family, (kinds, names) in self.lattice.families.items():
            members = [by_kind[kind] for kind in kinds if kind in by_kind]
            if members:
                families[family] = names
                relations[family] = _union(empty, (d[name] for d in members for name in names))
        if clockwise:
            families["compass"] = clockwise
            relations["compass"] = _union(empty, (relations[name] for name in clockwise))
        relations["adjacent"] = self._adjacent()
        if "cell" in self.kinds:
            levels = self.lattice.levels
            relations["touching"] = relations["compass"] if levels else self._touching()
        if len(self.kinds) > 1:
            incident = self._incident()
            relations["incident"] = incident.union(incident.inverse())
        return relations, families

    def _directions(self, kind: str) -> dict[str, Relation]:
        return {
            self._as_seen(name): self._relation(
                self._links(kind, kind, {tag: (step,) for tag, step in steps.items()})
            )
            for name, steps in self.lattice.steps.get(kind, {}).items()
        }

    def _links(
        self, source: str, target: str, steps: Mapping[str, Iterable[Key]]
    ) -> Iterator[Link]:
        """Yield where the steps of each tag lead from sites of one kind to those of another."""
        for run in self.runs[source]:
            for step in steps.get(run.tag, ()):
                yield from self.runs[target].links(run, step)

    def _relation(self, links: Iterable[Link]) -> Relation:
        return Relation.from_stretches(
            self.size, ((one.first, other.first, one.length) for one, other in links)
        )

    def _adjacent(self) -> Relation:
        neighbours = {
            tag: (*cell.neighbours, *cell.above_and_below)
            for tag, cell in self.lattice.cells.items()
        }
        adjacent = self._relation(self._links("cell", "cell", neighbours))
        if "vertex" in self.kinds:
            joined = self._relation(self._joined_vertices())
            adjacent = adjacent.union(joined).union(joined.inverse())
        if "edge" in self.kinds:
            adjacent = adjacent.union(self._meeting("edge", self.lattice.ends))
        return adjacent

    def _joined_vertices(self) -> Iterator[Link]:
        """Yield the two vertices of each edge, which need not be a site."""
        vertices = self.runs["vertex"]
        for edges in Runs(self.patch.places("edge"), 0, self.patch.periods):
            one, other = self.lattice.ends[edges.tag]
            for part, ends in vertices.links(edges, one):
                for smaller, far_ends in vertices.links(part, other):
                    yield ends.part(smaller.first - part.first, smaller.length), far_ends

    def _touching(self) -> Relation:
        corners = {tag: cell.corners for tag, cell in self.lattice.cells.items()}
        return self._meeting("cell", corners)

    def _meeting(self, kind: str, parts: Mapping[str, tuple[Key, ...]]) -> Relation:
        """Return the relation of different places of a kind that have a part in common."""
        links = self._links(kind, kind, shared_steps(parts))
        return self._relation((one, other) for one, other in links if one.first != other.first)

    def _incident(self) -> Relation:
        cells = self.lattice.cells.items()
        return self._relation(
            chain(
                self._links("cell", "vertex", {tag: cell.corners for tag, cell in cells}),
                self._links("cell", "edge", {tag: cell.edges for tag, cell in cells}),
                self._links("edge", "vertex", self.lattice.ends),
            )
        )

    def _regions(self) -> dict[str, int]:
        sides = {
            self._as_seen(name): site_set(
                self.index[kind][key] for kind in self.kinds for key in places[kind]
            )
            for name, places in self.patch.side_places.items()
        }
        border = site_set(
            self.index[kind][key] for kind in self.kinds for key in self.patch.border_places[kind]
        )
        corners = self._tips() if self.patch.point else 0
        ring = [] if self.patch.point else list(sides.values())
        for one, other in zip(ring, ring[1:] + ring[:1], strict=True):
            corners |= one & other
        if self.lattice.levels:
            sides["floor"], sides["ceiling"] = (
                site_set(site for key, site in self.index["cell"].items() if key[2] == level)
                for level in (self.lattice.levels[0], self.lattice.levels[-1])
            )
            border |= sides["floor"] | sides["ceiling"]
            corners &= sides["floor"] | sides["ceiling"]
        regions = {
            **sides,
            "corners": corners,
            "border": border,
            "interior": ((1 << self.size) - 1) & ~border,
        }
        for kind in self.kinds:
            regions[_PLURALS[kind]] = site_set(self.index[kind].values())
        if self.lattice.tag_regions and "cell" in self.kinds:
            regions["up"] = self._tagged("u")
            regions["down"] = self._tagged("d")
        if self.lattice.chequered:
            regions |= self._chequer()
        if all(self.patch.periods):
            regions["origin"] = self._origin()
        return regions

    def _origin(self) -> int:
        """The places in the middle of the window that stands for an endless board."""
        middle = tuple(period // 2 for period in self.patch.periods)
        return site_set(i for i, (_, key) in enumerate(self.places) if key[:2] == middle)

    def _tips(self) -> int:
        """The outermost places of each kind in the points of a star."""
        return site_set(
            self.index[kind][key]
            for side in self.patch.sides
            for kind in self.kinds
            for key in _least(self.patch.places(kind), side.depth)
        )

    def _tagged(self, seen: str) -> int:
        return site_set(
            index
            for (_, _, tag), index in self.index["cell"].items()
            if self._tag_as_seen(tag) == seen
        )

    def _chequer(self) -> dict[str, int]:
        """Colour cells and vertices, each kind with a dark place at the lower left as drawn."""
        colours: tuple[list[int], list[int]] = ([], [])
        level = {tag: number for number, tag in enumerate(self.lattice.levels)}
        for kind in ("cell", "vertex"):
            index = self.index[kind]
            lowest = max((row for _, row, _ in index), default=1) if self.top_first else 1
            for (column, row, tag), site in index.items():
                colours[(column - 1 + row - lowest + level.get(tag, 0)) % 2].append(site)
        return {"dark": site_set(colours[0]), "light": site_set(colours[1])}

    def _numbers(self) -> dict[str, tuple[int, ...]]:
        numbers = {
            "row": tuple(row for _, (_, row, _) in self.places),
            "column": tuple(column for _, (column, _, _) in self.places),
        }
        if self.lattice.third_axis:
            numbers["diagonal"] = tuple(c + r - 1 for _, (c, r, _) in self.places)
        if self.lattice.levels:
            level = {tag: number for number, tag in enumerate(self.lattice.levels, start=1)}
            numbers["level"] = tuple(level[tag] for _, (_, _, tag) in self.places)
        for side in self.patch.sides:
            values: list[int] = []
            for kind in self.kinds:
                depths = [side.depth(key) for key in self.patch.places(kind)]
                least = min(depths)
                values += [depth - least + 1 for depth in depths]
            numbers[f"from_{self._as_seen(side.name)}"] = tuple(values)
        return numbers

    def _outline(self, kind: str, key: Key) -> tuple[Point, ...]:
        if kind == "vertex":
            return ()
        around = self.lattice.cells[key[2]].corners if kind == "cell" else self.lattice.ends[key[2]]
        return tuple(self._point("vertex", moved(key, step)) for step in around)

    def _labels(self) -> tuple[tuple[Label, ...], tuple[Label, ...]]:
        """Label columns before their first row, and rows before their first column."""
        kind = self.kinds[0]
        first_row: dict[int, int] = {}
        first_column: dict[int, int] = {}
        for column, row, _ in self.patch.places(kind):
            first_row[column] = min(row, first_row.get(column, row))
            first_column[row] = min(column, first_column.get(row, column))
        tags = self.lattice.levels or self.lattice.tags(kind)[:1]
        columns = [
            (column_letters(column), *self._point(kind, (column, row - 1, tag)))
            for tag in tags
            for column, row in sorted(first_row.items())
        ]
        rows = [
            (str(row), *self._point(kind, (column - 1, row, tags[0])))
            for row, column in sorted(first_column.items())
        ]
        for tag in self.lattice.levels:
            middle, y = self._point(kind, (1, self.patch.rows + 1, tag))
            columns.append((f"level {tag}", middle + (self.patch.columns - 1) / 2, y))
        return tuple(columns), tuple(rows)

    def _lines(self) -> Iterator[tuple[Point, Point]]:
        vertices = self.index["vertex"]
        for edge in self.patch.places("edge") if vertices else ():
            one, other = (moved(edge, step) for step in self.lattice.ends[edge[2]])
            if one in vertices and other in vertices:
                yield self._point("vertex", one), self._point("vertex", other)


def _least(places: Sequence[Key], depth: Callable[[Key], int]) -> Iterator[Key]:
    """Yield the places of which the depth is the least."""
    least = min(depth(key) for key in places)
    yield from (key for key in places if depth(key) == least)


def _union(empty: Relation, relations: Iterable[Relation]) -> Relation:
    result = empty
    for relation in relations:
        result = result.union(relation)
    return result


# -------------------------------------------------------- the part of a lattice that a shape covers

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


# --------------------------------------------------------------------------------------------- runs


class Run(NamedTuple):
    """The places in `length` columns of a row from `column`; the index of the first is `first`."""

    column: int
    row: int
    tag: str
    first: int
    length: int

    def part(self, start: int, length: int) -> Run:
        """Return the part of the run that begins `start` places further on."""
        return Run(self.column + start, self.row, self.tag, self.first + start, length)


Link = tuple[Run, Run]
"""Two runs of one length: each place of the one with the place of the other at its rank."""


class Runs:
    """All runs of the places of one kind, on a board whose `periods` (0: none) wrap around."""

    def __init__(
        self, places: Sequence[Key], first_index: int, periods: tuple[int, int] = (0, 0)
    ) -> None:
        """Divide the places into runs; the first of them has the index `first_index`."""
        self._periods = periods
        self._in_row: dict[tuple[int, str], list[Run]] = {}
        start = 0
        for end, (column, row, tag) in enumerate(places, 1):
            if end == len(places) or places[end] != (column + 1, row, tag):
                length = end - start
                run = Run(column + 1 - length, row, tag, first_index + start, length)
                self._in_row.setdefault((row, tag), []).append(run)
                start = end

    def __iter__(self) -> Iterator[Run]:
        """Yield the runs."""
        for runs in self._in_row.values():
            yield from runs

    def links(self, source: Run, step: Key) -> Iterator[Link]:
        """Yield the parts of a run, of whatever kind, from which a step leads to one of these."""
        columns, rows = self._periods
        row = source.row + step[1]
        if rows:
            row = (row - 1) % rows + 1
        targets = self._in_row.get((row, step[2]), ())
        for start, column, length in _stretches(source, step[0], columns):
            for target in targets:
                begin = max(column, target.column)
                common = min(column + length, target.column + target.length) - begin
                if common > 0:
                    part = source.part(start + begin - column, common)
                    yield part, target.part(begin - target.column, common)


def _stretches(source: Run, across: int, period: int) -> Iterator[tuple[int, int, int]]:
    """Yield the columns that a step across leads to, as they lie side by side on the board.

    Each stretch is the rank of its first place in the run, its first column, its length.
    """
    column = source.column + across
    if not period:
        yield 0, column, source.length
        return
    start = 0
    while start < source.length:
        place = (column + start - 1) % period + 1
        length = min(source.length - start, period - place + 1)
        yield start, place, length
        start += length


def shared_steps(parts: Mapping[str, tuple[Key, ...]]) -> dict[str, list[Key]]:
    """Return for each tag the steps to all that has a part in common with it, itself too.

    `parts` are the steps from each tag to its parts.
    """
    steps: dict[str, set[Key]] = {tag: set() for tag in parts}
    for one, of_one in parts.items():
        for other, of_other in parts.items():
            for column, row, tag in of_one:
                for column_back, row_back, same in of_other:
                    if tag == same:
                        steps[one].add((column - column_back, row - row_back, other))
    return {tag: sorted(found) for tag, found in steps.items()}
