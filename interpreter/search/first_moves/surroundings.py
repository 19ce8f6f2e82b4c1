"""What stands around a site: the sites near it, and those beyond, by where they lie.

In: a board. Out: `Surroundings`: directions in which sites have others, and which site lies there.
What then holds: the same directions serve for all sites; where a site has none in one, that is told
as well. Nothing is asked but where the board's drawing has its sites.

What is *near* are the rings of nearest directions, as long as they are few: six on cells with six
sides, eight on squares. *Beyond* lies what a near site has near it, and *between* are the near
sites on the ways there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from math import atan2, hypot, pi

import numpy as np

from gdl.board.board import Board
from gdl.board.symmetries import Permutation
from gdl.data_classes import dataclass

Direction = tuple[float, float]

EMPTY, OWN, ENEMY, OFF = range(4)
"""What is told of a site: whose piece it has, or that there is no such site."""
STATES = 4
MOST_NEAR, MOST_BEYOND, MOST_BETWEEN = 8, 16, 3
_FARTHEST = 3.0
_MOST_SITES = 600


@dataclass(frozen=True)
class Surroundings:
    """Which site lies where: rows of `near_sites` and `beyond_sites` have a number for each site.

    That is the number of the site that lies in this direction, or how many `sites` there are, if
    none does. Of what lies beyond, `between` has which of the near directions lead there.
    """

    sites: int
    near: tuple[Direction, ...]
    beyond: tuple[Direction, ...]
    between: tuple[tuple[int, ...], ...]
    near_sites: tuple[tuple[int, ...], ...]
    beyond_sites: tuple[tuple[int, ...], ...]

    def turned(self, symmetry: Permutation) -> Permutation | None:
        """Return to which near direction each goes by a symmetry of the board, if that is one."""
        found: list[int] = []
        for row in self.near_sites:
            pairs = [(symmetry[a], symmetry[b]) for a, b in enumerate(row) if b < self.sites]
            a, b = pairs[0]
            there = [one[a] for one in self.near_sites]
            if b not in there:
                return None
            target = there.index(b)
            if any(self.near_sites[target][a] != b for a, b in pairs):
                return None
            found.append(target)
        turn = tuple(found)
        return turn if len(set(turn)) == len(turn) and self.beyond_turned(turn) else None

    def beyond_turned(self, turn: Permutation) -> Permutation | None:
        """Return where what lies beyond goes, if near directions go so."""
        near = np.array(self.near)
        matrix, *_ = np.linalg.lstsq(near, near[list(turn)], rcond=None)
        places = {_rounded(*v): n for n, v in enumerate(self.beyond)}
        found = [places.get(_rounded(*map(float, np.array(v) @ matrix))) for v in self.beyond]
        whole = tuple(n for n in found if n is not None)
        return whole if len(set(whole)) == len(self.beyond) else None

    @cached_property
    def beside(self) -> tuple[tuple[int, int], ...]:
        """For each near direction the ones to the right and to the left of it."""
        neighbours = len(self.near)
        return tuple(((n - 1) % neighbours, (n + 1) % neighbours) for n in range(neighbours))


def surroundings(board: Board) -> Surroundings | None:
    """Return what lies around the sites of a board; None where that can't be told by directions."""
    if not 2 <= board.size <= _MOST_SITES:
        return None
    there = _directions(board)
    exact = {direction: _exact(board, pairs) for direction, pairs in there.items()}
    rings = list(_rings(list(there)))
    near: list[Direction] = []
    while rings and len(near) + len(rings[0]) <= MOST_NEAR:
        near += rings.pop(0)
    near.sort(key=_angle)
    beyond, between = list[Direction](), list[tuple[int, ...]]()
    for direction in (one for ring in rings for one in ring):
        x, y = exact[direction]
        steps = [_rounded(x - exact[u][0], y - exact[u][1]) for u in near]
        through = tuple(n for n, step in enumerate(steps) if step in near)
        if 0 < len(through) <= MOST_BETWEEN and len(beyond) < MOST_BEYOND:
            beyond.append(direction)
            between.append(through)
    if len(near) < 2:
        return None
    rows = [tuple(there[v].get(n, board.size) for n in range(board.size)) for v in near + beyond]
    split = len(near)
    return Surroundings(
        board.size,
        tuple(exact[v] for v in near),
        tuple(exact[v] for v in beyond),
        tuple(between),
        (*rows[:split],),
        (*rows[split:],),
    )


def _directions(board: Board) -> dict[Direction, dict[int, int]]:
    """Return for each direction in which sites have others which site has which."""
    found: dict[Direction, dict[int, int]] = {}
    for a in board.sites:
        for b in board.sites:
            x, y = b.x - a.x, b.y - a.y
            if a.index != b.index and abs(x) < _FARTHEST and abs(y) < _FARTHEST:
                found.setdefault(_rounded(x, y), {})[a.index] = b.index
    return found


def _exact(board: Board, pairs: dict[int, int]) -> Direction:
    """Return how far the one of some pair of sites lies from the other."""
    a, b = next(iter(pairs.items()))
    return board.sites[b].x - board.sites[a].x, board.sites[b].y - board.sites[a].y


def _rings(directions: Sequence[Direction]) -> Iterator[list[Direction]]:
    """Yield directions by how far they lead, each ring by angle."""
    ordered = sorted(directions, key=lambda v: (_length(v), _angle(v)))
    for _, ring in groupby(ordered, key=_length):
        yield list(ring)


def _length(direction: Direction) -> float:
    return round(hypot(*direction), 1)


def _angle(direction: Direction) -> float:
    """Return the angle of a direction, from 0, which leads to the right, against the clock."""
    return round(atan2(direction[1], direction[0]) % (2 * pi), 3)


def _rounded(x: float, y: float) -> Direction:
    return round(x, 1) + 0.0, round(y, 1) + 0.0
