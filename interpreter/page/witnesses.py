"""What of a clause can be shown on the board when it has ended a game: chains and full rows.

In: the condition of a clause, as code has it. Out: plain data by which the player of a page finds
the sites, once the condition holds. What then holds: they are those that the condition speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gdl.analysis.groups import Group, TouchCondition, group_of
from gdl.analysis.rows import Rows, rows_of
from gdl.analysis.views import without_lets
from gdl.board.relation import Relation, bits
from gdl.core.nodes import Expression, If, Op, Slot
from gdl.core.types import FLAG, SITES

_MOST_ROWS = 5000
"""Sites in rows, of more of which a page tells nothing."""


def witnesses_of(
    condition: Expression, places: Mapping[Slot, int], relations: list[Relation]
) -> list[dict[str, Any]]:
    """Return what shows that a condition holds, each with the `layers` of its pieces by place.

    A chain touches so many of the sets `ends` that the table `holds` has its bit, by steps of a
    relation (its number in `relations`, to which it is added) within some sites; `rows` are lists
    of sites, of which one is full.
    """
    found = []
    for asks in _asked(condition):
        told = _told(asks, relations) if places.keys() >= set(asks.layers) else None
        if told is not None:
            found.append({"layers": [places[layer] for layer in asks.layers], **told})
    return found


def steps_of(relation: Relation) -> list[list[int]]:
    """Return which sites each site leads to."""
    return [sorted(bits(relation.image(1 << site))) for site in range(relation.size)]


def _asked(node: Expression) -> Iterator[Group | Rows]:
    """Yield what a condition asks of groups and rows; nothing inside what is such a question."""
    if node.type == SITES:
        return
    if node.type == FLAG:
        whole = without_lets(node)
        found = group_of(whole) or rows_of(whole)
        if found is not None:
            yield found
            return
    if isinstance(node, Op | If):
        for part in node.parts():
            yield from _asked(part)


def _told(asks: Group | Rows, relations: list[Relation]) -> dict[str, Any] | None:
    if isinstance(asks, Rows):
        rows = [row for family in asks.families for row in sorted(family)]
        return {"rows": rows} if sum(map(len, rows)) <= _MOST_ROWS else None
    if not isinstance(asks.test, TouchCondition):
        return None
    if asks.relation not in relations:
        relations.append(asks.relation)
    everywhere = (1 << asks.relation.size) - 1
    return {
        "near": relations.index(asks.relation),
        "ends": [sorted(bits(target & everywhere)) for target in asks.targets],
        "holds": f"{asks.test.holds:x}",
        "within": None if asks.within == -1 else sorted(bits(asks.within)),
    }
