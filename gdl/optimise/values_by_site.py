"""What expressions are worth for each single site, where they depend on that alone.

In: an expression, and the variable in it that stands for a single site. Out: its value for each
site; or, of a comparison with a number that is the same for all sites, the set of those for which
it holds, as an expression without the variable. What then holds: None stands for what is not
known, or takes too long to find out.
"""

from __future__ import annotations

from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import Expression, Op, Slot
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.core.walk import slots_in
from gdl.optimise.cost import Costs
from gdl.optimise.terms import Terms

_MOST_TRIALS = 40_000
_MOST_NUMBERS = 24
"""So many different numbers of sites are compared one by one at most."""


def values_by_site(
    terms: Terms, costs: Costs, node: Expression, variable: Slot
) -> list[object] | None:
    """Return the value of an expression for each site of the board; may raise `Overflow`."""
    if node.free != {variable} or terms.size * (1 + costs.weight(node)) > _MOST_TRIALS:
        return None
    slots = slots_in(node)
    places = {slot: place for place, slot in enumerate(slots)}
    function = ExpressionEvaluator(places).function(node)
    frame: list[object] = [None] * len(places)
    found: list[object] = []
    for index in range(terms.size):
        frame[places[variable]] = 1 << index
        found.append(function(frame))
    return found


def where_compared(terms: Terms, costs: Costs, node: Op, variable: Slot) -> Expression | None:
    """Return where a number of the site, such as its row, compares so with another number."""
    moving = [variable in part.free for part in node.arguments]
    if moving not in ([True, False], [False, True]) or not costs.is_safe(node):
        return None
    numbers = values_by_site(terms, costs, node.arguments[moving.index(True)], variable)
    if numbers is None or len(set(numbers)) > _MOST_NUMBERS:
        return None
    sites: dict[int, int] = {}
    for index, number in enumerate(numbers):
        if not isinstance(number, int):
            return None
        sites[number] = sites.get(number, 0) | 1 << index
    parts = []
    for number, among in sites.items():
        one = terms.const(number, NUMBER)
        sides = tuple(
            one if is_moving else part
            for part, is_moving in zip(node.arguments, moving, strict=True)
        )
        there = terms.op(node.name, sides, FLAG)
        parts.append(terms.conditional(there, terms.const(among, SITES), terms.nowhere))
    return terms.union(*parts)
