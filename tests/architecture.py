"""The architecture as the imports have it: a picture, and a table of what each room does.

In: the packages' modules. Out: `docs/images/architecture.svg`, and the tables between the marks
`<!-- rooms … -->` of `docs/design.md`. A *room* is what stands directly in a package: a folder
or a module. What then holds: each arrow is an import somewhere in the room that it leaves, what
follows from other arrows left out; and each line of a table is the first sentence of a room's
docstring.

Run as `python tests/architecture.py` in the project's folder, it writes both anew.

The picture has a row for each length of the longest way down. Arrows over several rows have a
place in each of them, and places stand in the order of the mean of those that they are joined
to (K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system
structures", 1981).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path

import networkx as nx
from doc_pages import DOCS, ROOT

PICTURE = DOCS / "images" / "architecture.svg"
PAGE = DOCS / "design.md"
PACKAGES = ("gdl", "gdl.interpreter")

_MARKED = re.compile(r"(<!-- rooms of ([a-z_., ]+) -->\n)(.*?)(<!-- end of rooms -->)", re.DOTALL)
_SENTENCE = re.compile(r"(.+?[.!?])(\s|$)", re.DOTALL)
_SWEEPS = 24
_WIDTH, _HEIGHT, _BETWEEN, _ABOVE, _MARGIN = 118, 30, 22, 44, 16
_FILLS = {"gdl": "#dbe9f6", "gdl.interpreter": "#f9e8c9"}
_STYLE = (
    "text{font:14px Verdana,DejaVu Sans,sans-serif;fill:#222;text-anchor:middle}"
    ".edge{fill:none;stroke:#777;stroke-width:1.3;marker-end:url(#tip)}"
    "rect.room{stroke:#555}"
)

Place = tuple[str, ...]
"""A room (one name), or what an arrow takes up in a row (two names, and the row's number)."""


def rooms_of(package: str) -> list[str]:
    """Return the rooms of a package, by name."""
    folder = ROOT.joinpath(*package.split("."))
    return [
        f"{package}.{path.stem}"
        for path in sorted(folder.iterdir())
        if not path.is_symlink()
        and ((path / "__init__.py").exists() or (path.suffix == ".py" and path.stem[0] != "_"))
    ]


def modules_of(room: str) -> list[Path]:
    """Return the files of a room, the one with its docstring first."""
    path = ROOT.joinpath(*room.split("."))
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


@cache
def imported(module: Path) -> frozenset[str]:
    """Return what a module imports anywhere in its text."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def graph_of(*packages: str) -> nx.DiGraph[str]:
    """Return the rooms of packages, an edge from each to those that it imports from."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(room for package in packages for room in rooms_of(package))
    for room in list(graph):
        for module in modules_of(room):
            for name in imported(module):
                for other in graph:
                    if other != room and f"{name}.".startswith(f"{other}."):
                        graph.add_edge(room, other)
    return graph


def levels(graph: nx.DiGraph[str]) -> list[list[str]]:
    """Return the rooms by the length of the longest way down, those that need nothing first."""
    return [sorted(rooms) for rooms in nx.topological_generations(graph.reverse())]


# ----------------------------------------------------------------------------- tables


def where(room: str) -> str:
    """Return where a room stands: the folder of its package is at the top of the project."""
    return re.sub(r"^gdl\.interpreter\b", "interpreter", room).replace(".", "/")


def about(room: str) -> str:
    """Return the first sentence of a room's docstring, on one line."""
    told = ast.get_docstring(ast.parse(modules_of(room)[0].read_text("utf-8"))) or ""
    match = _SENTENCE.match(told)
    assert match is not None, f"{room} has no docstring"
    return " ".join(match[1].split())


def table(packages: Sequence[str]) -> str:
    """Return the table of the rooms of packages: those that need no other first."""
    lines = ["| room | what it does |", "|---|---|"]
    for row in levels(graph_of(*packages)):
        for room in row:
            path = ROOT.joinpath(*room.split("."))
            name = f"{where(room)}{'/' if path.is_dir() else '.py'}"
            lines.append(f"| `{name}` | {about(room)} |")
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """Return a page with its tables of rooms written anew."""
    return _MARKED.sub(lambda m: m[1] + table(m[2].split(", ")) + m[4], text)


# ---------------------------------------------------------------------------- picture


def picture() -> str:
    """Return the picture of both packages as SVG."""
    whole = graph_of(*PACKAGES)
    rows = levels(whole)
    row_of = {room: number for number, row in enumerate(rows) for room in row}
    ways = [way(a, b, row_of) for a, b in sorted(nx.transitive_reduction(whole).edges)]
    centres = positions(ordered([[(room,) for room in row] for row in rows], ways))
    width = max(x for x, _ in centres.values()) + _WIDTH / 2 + _MARGIN
    height = max(y for _, y in centres.values()) + _HEIGHT / 2 + _MARGIN
    drawn = [edge([centres[place] for place in places]) for places in ways]
    drawn += [box(place[0], *centres[place]) for place in sorted(centres) if len(place) == 1]
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
            "<title>Rooms of gdl and interpreter; an arrow leads to what a room imports</title>",
            f"<style>{_STYLE}</style>",
            '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
            'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#777"/></marker>',
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
            *drawn,
            "</svg>\n",
        )
    )


def way(a: str, b: str, row_of: Mapping[str, int]) -> list[Place]:
    """Return the places that an arrow takes up, from its beginning to its end."""
    between = range(row_of[a] - 1, row_of[b], -1)
    return [(a,), *((a, b, str(row)) for row in between), (b,)]


def ordered(rows: list[list[Place]], ways: Sequence[Sequence[Place]]) -> list[list[Place]]:
    """Return the places of each row, those of arrows too, such that few arrows cross."""
    joined: dict[Place, list[Place]] = {place: [] for row in rows for place in row}
    for places in ways:
        for a, b in pairwise(places):
            joined.setdefault(a, []).append(b)
            joined.setdefault(b, []).append(a)
    for place in joined:
        if len(place) > 1:
            rows[int(place[2])].append(place)
    found, fewest = rows, -1
    for sweep in range(_SWEEPS):
        numbers = range(len(rows)) if sweep % 2 else range(len(rows) - 1, -1, -1)
        for number in numbers:
            spots = {place: x for row in rows for place, x in spread(row).items()}

            def mean(place: Place, spots: Mapping[Place, float] = spots) -> tuple[float, Place]:
                others = [spots[other] for other in joined[place]]
                return sum(others) / len(others) if others else spots[place], place

            rows[number] = sorted(rows[number], key=mean)
        many = crossings(rows, ways)
        if fewest < 0 or many < fewest:
            found, fewest = [list(row) for row in rows], many
    return found


def crossings(rows: Sequence[Sequence[Place]], ways: Sequence[Sequence[Place]]) -> int:
    """Return how often arrows cross."""
    at = {place: spot for row in rows for spot, place in enumerate(row)}
    row_of = {place: number for number, row in enumerate(rows) for place in row}
    steps = [(a, b) for places in ways for a, b in pairwise(places)]
    return sum(
        row_of[a] == row_of[c] and (at[a] - at[c]) * (at[b] - at[d]) < 0
        for number, (a, b) in enumerate(steps)
        for c, d in steps[:number]
    )


def spread(row: Sequence[Place]) -> dict[Place, float]:
    """Return how far to the right each place of a row is; the middle is 0."""
    widths = [(_WIDTH if len(place) == 1 else 0) + _BETWEEN for place in row]
    left = -sum(widths) / 2
    found = {}
    for place, width in zip(row, widths, strict=True):
        found[place] = left + width / 2
        left += width
    return found


def positions(rows: Sequence[Sequence[Place]]) -> dict[Place, tuple[float, float]]:
    """Return the middle of each place in the picture; the last row is the uppermost."""
    spreads = [spread(row) for row in rows]
    middle = max(x for found in spreads for x in found.values()) + _WIDTH / 2 + _MARGIN
    return {
        place: (
            round(x + middle, 1),
            _MARGIN + _HEIGHT / 2 + (len(rows) - 1 - number) * (_HEIGHT + _ABOVE),
        )
        for number, found in enumerate(spreads)
        for place, x in found.items()
    }


def edge(points: Sequence[tuple[float, float]]) -> str:
    """Return an arrow through points, from one below a box to one above another."""
    (x, y), *middle, (last_x, last_y) = points
    through = [(x, y + _HEIGHT / 2), *middle, (last_x, last_y - _HEIGHT / 2)]
    path = f"M{through[0][0]:g} {through[0][1]:g}"
    for (x0, y0), (x1, y1) in pairwise(through):
        half = (y0 + y1) / 2
        path += f"C{x0:g} {half:g} {x1:g} {half:g} {x1:g} {y1:g}"
    return f'<path class="edge" d="{path}"/>'


def box(room: str, x: float, y: float) -> str:
    """Return a room, drawn."""
    package, _, name = room.rpartition(".")
    return (
        f'<rect class="room" x="{x - _WIDTH / 2:g}" y="{y - _HEIGHT / 2:g}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" rx="5" fill="{_FILLS[package]}"/>'
        f'<text x="{x:g}" y="{y + 5:g}">{escape(name)}</text>'
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
