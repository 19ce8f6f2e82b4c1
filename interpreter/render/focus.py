"""The part of a position that is in use.

In: a scene, usually on a board that wraps around and so has no true border. Out: a scene on the
sites near the pieces, with its labels moved to the new border.
"""

from __future__ import annotations

import math
from dataclasses import replace

from gdl.board.board import Board, Site
from interpreter.render.labels import border_labels
from interpreter.render.scene import Scene, farthest_neighbour

_ROOM = 2.0  # in a board's drawing units
_SLIGHT = 0.1  # in a board's drawing units: enough around pieces that cover their cells


def is_wrapped(board: Board) -> bool:
    """Whether a lattice has neighbours that are drawn far apart, so that it has no true border."""
    adjacent = board.relations.get("adjacent")
    if adjacent is None or board.lattice == "graph":
        return False
    places = [(site.x, site.y) for site in board.sites]
    levels = board.numbers.get("level", (1,) * board.size)
    most = farthest_neighbour(board)
    return any(
        levels[a] == levels[b] and math.dist(places[a], places[b]) > most
        for a, b in adjacent.pairs()
    )


def focus(scene: Scene) -> Scene:
    """The part of a scene around its marks, last move and highlights (its middle when it is bare).

    Tiles need little room around them. The sites left out are removed from the board; the others
    are numbered anew and keep their names. Cells keep the corners and sides around them.
    """
    board = scene.board
    busy = set(scene.marks) | scene.last
    margin = _SLIGHT if scene.tiles else _ROOM
    kept = _with_whole_cells(board, _near(board.sites, busy | set(scene.highlights), margin))
    if len(kept) in (0, board.size):
        return scene
    kept_set = sum(1 << site.index for site in kept)
    part = border_labels(board.without(board.all_sites & ~kept_set))
    new = {part.index(site.name): site.index for site in kept}
    place = {old: index for index, old in new.items() if index is not None}
    return replace(
        scene,
        board=part,
        marks={place[i]: mark for i, mark in scene.marks.items() if i in place},
        last=frozenset(place[i] for i in scene.last if i in place),
        highlights={place[i]: text for i, text in scene.highlights.items() if i in place},
        areas={place[i]: names for i, names in scene.areas.items() if i in place},
        signs={place[i]: text for i, text in scene.signs.items() if i in place},
        bonds=tuple(
            (place[a], place[b], name) for a, b, name in scene.bonds if a in place and b in place
        ),
        tiles={place[i]: sides for i, sides in scene.tiles.items() if i in place},
        lines=tuple((place[a], place[b]) for a, b in scene.lines if a in place and b in place),
    )


def _with_whole_cells(board: Board, kept: list[Site]) -> list[Site]:
    """With cells and other sites: the cells among `kept`, with just the sites around them."""
    cells = sum(1 << site.index for site in kept if site.kind == "cell")
    incident = board.relations.get("incident")
    if not cells or incident is None:
        return kept
    whole = cells | incident.image(cells)
    return [site for site in board.sites if whole >> site.index & 1]


def _near(sites: tuple[Site, ...], busy: set[int], margin: float) -> list[Site]:
    if not sites:
        return []
    centres = [(sites[index].x, sites[index].y) for index in busy]
    if not centres:
        xs, ys = [site.x for site in sites], [site.y for site in sites]
        centres = [((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)]
    left, right = min(x for x, _ in centres) - margin, max(x for x, _ in centres) + margin
    low, high = min(y for _, y in centres) - margin, max(y for _, y in centres) + margin
    return [site for site in sites if left <= site.x <= right and low <= site.y <= high]
