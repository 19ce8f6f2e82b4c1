"""Whether a condition holds whenever another one does, as far as their texts show it.

In: two conditions of one program. Out: yes, or not known. What then holds: a yes is a proof.
"""

from __future__ import annotations

from collections.abc import Collection

from gdl.core.nodes import Expression, Op, Slot
from gdl.core.sameness import equal_up_to_names
from interpreter.check.rules.contradictions import limits

Fixed = Collection[Slot]


def follows(condition: Expression, other: Expression, fixed: Fixed) -> bool:
    """Return whether `condition` is known to hold wherever `other` does.

    Slots that are not `fixed` are the variables of each of them.
    """
    if isinstance(other, Op) and other.name == "or":
        return all(follows(condition, part, fixed) for part in other.arguments)
    if isinstance(condition, Op) and condition.name == "and":
        return all(follows(part, other, fixed) for part in condition.arguments)
    if isinstance(condition, Op) and condition.name == "or":
        if any(follows(part, other, fixed) for part in condition.arguments):
            return True
    elif equal_up_to_names(condition, other, fixed) or _is_wider(condition, other, fixed):
        return True
    if isinstance(other, Op) and other.name == "and":
        return any(follows(condition, part, fixed) for part in other.arguments)
    return False


def _is_wider(condition: Expression, other: Expression, fixed: Fixed) -> bool:
    """Return whether a comparison leaves a number all that another comparison leaves it."""
    for one, low, high in limits(condition):
        for node, least, most in limits(other):
            if low <= least and most <= high and equal_up_to_names(one, node, fixed):
                return True
    return False
