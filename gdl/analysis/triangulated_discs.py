"""Boards on which what a group encloses is told by the neighbours of its newest site.

In: the relation of neighbours. Out: the neighbours of each site in the order in which they lie
around it, if the board is a disc made of triangles. What then holds: where the sites that are not
in a set all hang together with the border, and the set gains a site, they do so still unless two
of the newest site's neighbours in the set, which others keep apart around it, are of one group.

This is duality on a sphere (J. W. Alexander, 1922), which the disc becomes when a point beyond its
border is added: what is left of it hangs together if and only if the set has no ring around it;
and a site closes a ring if it joins a group with itself (the sequence of L. Mayer and W. Vietoris,
1929). A surface of triangles is a disc if it hangs together and has one more corner and triangle
than edges.
"""

from __future__ import annotations

from gdl.board.relation import Relation, bits
from gdl.data_classes import dataclass


@dataclass(frozen=True)
class TriangulatedDisc:
    """A disc made of triangles: each site's neighbours, in order around it.

    Those of sites in `border` begin and end at the border; those of others go round.
    """

    around: tuple[tuple[int, ...], ...]
    border: int


def triangulated_disc(relation: Relation) -> TriangulatedDisc | None:
    """Return the disc that neighbours make, or None if they make none."""
    if not relation.is_symmetric:
        return None
    successors = relation.successors
    around: list[tuple[int, ...]] = []
    border = 0
    for site, near in enumerate(successors):
        ends = [n for n in bits(near) if (successors[n] & near).bit_count() == 1]
        order = _in_order(near, ends[0] if ends else None, successors)
        if near >> site & 1 or order is None:
            return None
        around.append(order)
        border |= bool(ends) << site
    edges = sum(near.bit_count() for near in successors) // 2
    corners = sum(len(order) - (border >> site & 1) for site, order in enumerate(around))
    is_disc = border and len(around) - edges + corners // 3 == 1 and _hangs_together(relation)
    return TriangulatedDisc(tuple(around), border) if is_disc else None


def _in_order(near: int, first: int | None, successors: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return sites as a path from its first one, or as a circle; None if they are neither."""
    if near.bit_count() < (2 if first is not None else 4):
        return None
    here = (near & -near).bit_length() - 1 if first is None else first
    order = [here]
    left = near & ~(1 << here)
    while left:
        following = successors[here] & left
        if following.bit_count() > (2 if first is None and len(order) == 1 else 1) or not following:
            return None
        here = (following & -following).bit_length() - 1
        order.append(here)
        left &= ~(1 << here)
    links = sum((successors[site] & near).bit_count() for site in order)
    return tuple(order) if links == 2 * (len(order) - (first is not None)) else None


def _hangs_together(relation: Relation) -> bool:
    reached, fresh = 0, 1
    while fresh:
        reached |= fresh
        fresh = relation.image(fresh) & ~reached
    return reached == (1 << relation.size) - 1
