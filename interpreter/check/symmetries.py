"""The symmetries of a board: turns and reflections that lead each site to a site of its kind.

In: a board. Out: permutations of its sites. What then holds: neighbours stay neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from gdl.board.board import Board
from gdl.board.relation import Relation, bits
from gdl.shared_work import shared

_STEPS = 12
_MOST_SITES = 1200
_DIGITS = 3

Permutation = Sequence[int]


@shared
def symmetries(board: Board) -> list[Permutation]:
    """Return the symmetries of a board, by where its sites are drawn; of a large board none."""
    if board.size > _MOST_SITES:
        return []
    sites = board.sites
    x0 = sum(site.x for site in sites) / len(sites)
    y0 = sum(site.y for site in sites) / len(sites)
    there = {(_rounded(s.x - x0), _rounded(s.y - y0), s.kind): s.index for s in sites}
    found: list[Permutation] = []
    for turn, flip in _motions():
        cosine, sine = math.cos(turn), math.sin(turn)
        moved = [
            there.get(
                (
                    _rounded(cosine * (s.x - x0) - sine * flip * (s.y - y0)),
                    _rounded(sine * (s.x - x0) + cosine * flip * (s.y - y0)),
                    s.kind,
                )
            )
            for s in sites
        ]
        known = [index for index in moved if index is not None]
        if len(set(known)) == board.size and _keeps(board.relations["adjacent"], known):
            found.append(known)
    return found


def _motions() -> Iterator[tuple[float, int]]:
    for step in range(_STEPS):
        for flip in (1, -1):
            yield 2 * math.pi * step / _STEPS, flip


def _rounded(value: float) -> float:
    return round(value, _DIGITS) + 0.0


def _keeps(relation: Relation, permutation: Permutation) -> bool:
    return same_under(relation, relation, permutation)


def moved_set(sites: int, permutation: Permutation) -> int:
    """Return the sites that a set is led to."""
    found = 0
    for index in bits(sites):
        found |= 1 << permutation[index]
    return found


def same_under(one: Relation, other: Relation, permutation: Permutation) -> bool:
    """Return whether a permutation leads the pairs of one relation to those of another."""
    return all(
        moved_set(one.image(1 << index), permutation) == other.image(1 << permutation[index])
        for index in range(one.size)
    )
