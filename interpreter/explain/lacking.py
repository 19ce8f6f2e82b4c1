"""What a condition lacks: the plain parts that are so, though they would have to be otherwise.

In: a condition that fails (or holds, where it must not) at a moment of play. Out: its parts, each
with whether it holds. What then holds: were each of these parts otherwise, so would be the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.elaborate.scope import Scope
from gdl.syntax import tree as t
from interpreter.explain.moment import Moment

Part = tuple[t.Expression, bool]


def lacking(
    node: t.Expression, moment: Moment, scope: Scope, *, wanted: bool = True
) -> Iterator[Part]:
    """Yield the parts of a condition that is not as it is `wanted`, and how each of them is."""
    parts: Sequence[t.Expression]
    match node:
        case t.Operation(_, "not", (operand,)):
            yield from lacking(operand, moment, scope, wanted=not wanted)
            return
        case t.Operation(_, "and" | "or", operands):
            parts = operands
        case t.Operation(span, "in", (member, t.Operation(_, "&" | "|" as word, sets))) if (
            word == "&" or _is_one(member, moment, scope)
        ):
            parts = [t.Operation(span, "in", (member, one)) for one in sets]
        case t.Operation(span, "in", (member, t.Operation(_, "-", (whole, less)))) if _is_one(
            member, moment, scope
        ):
            inside = t.Operation(span, "in", (member, less))
            parts = [t.Operation(span, "in", (member, whole)), t.Operation(span, "not", (inside,))]
        case _:
            yield node, not wanted
            return
    for part in parts:
        if moment.holds(part, scope) is not wanted:
            yield from lacking(part, moment, scope, wanted=wanted)


def _is_one(member: t.Expression, moment: Moment, scope: Scope) -> bool:
    """Return whether a member is one site: of several, some may be in one set, some in another."""
    sites = moment.sites(member, scope)
    return sites is not None and sites.bit_count() == 1
