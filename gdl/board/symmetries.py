"""The symmetries of a board: turns and reflections that lead each site to a site of its kind.

In: a board. Out: permutations of its sites: where each goes, by index. What then holds: the board
looks as it did; of `symmetries`, neighbours stay neighbours, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, pi, sin

from gdl.board.board import Board, Site
from gdl.board.relation import Relation, bits
from gdl.resources.scoped_cache import shared

_STEPS = 24
"""Into how many parts a turn is divided: all lattices have symmetries of such angles only."""
_NEAR = 0.01
_MOST_SITES = 1200
_MOST_MOVED = 10**6
"""How many sites all symmetries and shifts of a board may move in all."""

Permutation = tuple[int, ...]


@shared
def symmetries(board: Board) -> list[Permutation]:
    """Return the symmetries of a board that keep neighbours; of a large board none."""
    if board.size > _MOST_SITES:
        return []
    near = board.relations["adjacent"]
    return [found for found in of_drawing(board) if same_under(near, near, found)]


@shared
def with_shifts(board: Board) -> list[Permutation]:
    """Return the symmetries of a board, after each shift along a side that wraps; or none.

    There are none of a board that is large, or has too many.
    """
    there = symmetries(board)
    shifts = list(_shifts(board)) if there else []
    if len(there) * len(shifts) * board.size > _MOST_MOVED:
        return []
    return [tuple(turned[site] for site in shifted) for shifted in shifts for turned in there]


def _shifts(board: Board) -> Iterator[Permutation]:
    """Yield how sites move along directions that lead from each site to one of its own."""
    near = board.relations["adjacent"]
    steps = []
    for name in dict.fromkeys(name for names in board.families.values() for name in names):
        relation = board.relations[name]
        images = [relation.image(1 << index) for index in range(board.size)]
        step = tuple(image.bit_length() - 1 for image in images)
        is_one_each = all(image.bit_count() == 1 for image in images)
        if is_one_each and len(set(step)) == board.size and same_under(near, near, step):
            steps.append(step)
    still = tuple(range(board.size))
    met, pending = {still}, [still]
    while pending:
        shifted = pending.pop()
        yield shifted
        further = {tuple(step[site] for site in shifted) for step in steps} - met
        met |= further
        pending += further


def of_drawing(board: Board) -> Iterator[Permutation]:
    """Yield each rotation and each reflection of the drawing that puts sites on sites."""
    sites = board.sites
    x = sum(site.x for site in sites) / len(sites)
    y = sum(site.y for site in sites) / len(sites)
    places = {_cell(site.x - x, site.y - y, site.kind): site.index for site in sites}
    for step in range(_STEPS):
        across, up = cos(2 * pi * step / _STEPS), sin(2 * pi * step / _STEPS)
        for flip in (1, -1):
            found: list[int] = []
            for site in sites:
                right, above = site.x - x, flip * (site.y - y)
                target = _at(places, site, right * across - above * up, right * up + above * across)
                if target is None:
                    break
                found.append(target)
            if len(set(found)) == len(sites):
                yield tuple(found)


def _at(places: dict[tuple[int, int, str], int], site: Site, x: float, y: float) -> int | None:
    """Return the site, of the kind of another, that lies at a place."""
    column, row, kind = _cell(x, y, site.kind)
    for near in ((column + i, row + j) for i in (0, -1, 1) for j in (0, -1, 1)):
        found = places.get((*near, kind))
        if found is not None and hypot(near[0] - x / _NEAR, near[1] - y / _NEAR) < 2:
            return found
    return None


def _cell(x: float, y: float, kind: str) -> tuple[int, int, str]:
    return round(x / _NEAR), round(y / _NEAR), kind


def moved_set(sites: int, permutation: Sequence[int]) -> int:
    """Return the sites that a set is led to.

    >>> moved_set(0b101, (1, 2, 0))
    3
    """
    found = 0
    for index in bits(sites):
        found |= 1 << permutation[index]
    return found


def same_under(one: Relation, other: Relation, permutation: Sequence[int]) -> bool:
    """Return whether a permutation leads the pairs of one relation to those of another."""
    return all(
        moved_set(one.image(1 << index), permutation) == other.image(1 << permutation[index])
        for index in range(one.size)
    )
