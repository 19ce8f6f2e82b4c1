"""Which `keep` of a turn counts, where there are several on the way of a move.

In: what follows a statement. Out: whether a `keep` is sure to come. What then holds: what is said
of one that comes before it would be wrong, for of several the last one counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gdl.elaborate.scope import Action
from gdl.syntax import tree as t

_DEEPEST_ACTIONS = 8


def keeps_for_sure(
    statements: Sequence[t.Statement],
    actions: Mapping[str, Action],
    deepest: int = _DEEPEST_ACTIONS,
) -> bool:
    """Return whether each way through statements comes by a `keep`, as far as their form tells."""

    def keeps(block: Sequence[t.Statement]) -> bool:
        return keeps_for_sure(block, actions, deepest)

    for one in statements:
        match one:
            case t.Keep():
                return True
            case t.If(_, _, then, otherwise) if keeps(then) and keeps(otherwise):
                return True
            case t.Either(_, ways) if all(keeps(way.body) for way in ways):
                return True
            case t.RepeatUntil(_, body, _) | t.RepeatSettled(_, body) if keeps(body):
                return True
            case t.Do(_, name, _):
                action = actions.get(name.name)
                body = () if action is None or not deepest else action.body
                if keeps_for_sure(body, actions, deepest - 1):
                    return True
    return False
