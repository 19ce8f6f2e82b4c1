"""Symmetries of the board that the rules respect: found by the drawing, and proved by the program.

In: a game. Out: for each symmetry besides the identity, where each site goes. What then holds: the
positions that one makes of one another have the same moves, up to the symmetry, and the same
value; together with the identity, the symmetries are a group.

Rotations and reflections of the drawing are tried. One is respected if the program, with all its
sets and relations moved, is the same program: the order of what can be exchanged, the names of
bound variables and the end from which a connection is followed make no difference. That is a
proof; where it fails, the rules may still be symmetric.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, pi, sin

from gdl.board.board import Site
from gdl.core.types import SITES
from gdl.model import Game
from interpreter.solve.same_program import Canon

Symmetry = tuple[int, ...]
"""Where each site goes, by index."""

_STEPS = 24
"""Into how many parts a turn is divided: all lattices have symmetries of such angles only."""
_NEAR = 0.01
_MOST_SITES = 400
"""On larger boards there is nothing to solve that way."""


def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """Return the symmetries of the board that the rules respect, without the identity."""
    has_sets_by_site = any(slot.per_site and slot.type == SITES for slot in game.program.state)
    if len(game.board.sites) > _MOST_SITES or has_sets_by_site:
        return ()
    canon = Canon(game.program)
    identity = tuple(range(len(game.board.sites)))
    wanted = canon.of_program(identity)
    if wanted is None:
        return ()
    return tuple(
        symmetry
        for symmetry in dict.fromkeys(_of_drawing(game.board.sites))
        if symmetry != identity and canon.of_program(symmetry) == wanted
    )


def _of_drawing(sites: tuple[Site, ...]) -> Iterator[Symmetry]:
    """Yield each rotation and each reflection of the drawing that puts sites on sites."""
    x = sum(site.x for site in sites) / len(sites)
    y = sum(site.y for site in sites) / len(sites)
    places = {_cell(site.x - x, site.y - y, site.kind): site.index for site in sites}
    for step in range(_STEPS):
        angle = 2 * pi * step / _STEPS
        for mirrored in (1, -1):
            targets = [
                _at(places, site, site.x - x, mirrored * (site.y - y), angle) for site in sites
            ]
            if len(set(targets)) == len(sites) and None not in targets:
                yield tuple(target for target in targets if target is not None)


def _at(
    places: dict[tuple[int, int, str], int], site: Site, x: float, y: float, angle: float
) -> int | None:
    """Return the site, of the same kind, where a place comes by a rotation."""
    across, up = x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
    column, row, _ = _cell(across, up, site.kind)
    for near in ((column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)):
        found = places.get((*near, site.kind))
        if found is not None and hypot(near[0] - across / _NEAR, near[1] - up / _NEAR) < 2:
            return found
    return None


def _cell(x: float, y: float, kind: str) -> tuple[int, int, str]:
    return round(x / _NEAR), round(y / _NEAR), kind


def moved(symmetry: Symmetry, sets: int) -> int:
    """Return the set of sites where a symmetry moves a set.

    >>> moved((1, 2, 0), 0b101)
    3
    """
    result = 0
    for site, target in enumerate(symmetry):
        result |= (sets >> site & 1) << target
    return result
