"""Numbers that only tell whether there is something at all become that question.

In: a program. Out: the same program, in which a count compared with nothing, or with one, asks
whether a set is empty, and a sum of ones over a domain whether its condition ever holds. What
then holds: no value has changed; parts that are now known are folded.
"""

from __future__ import annotations

from gdl.core.nodes import Const, Expression, Fold, If, Op, Program, RangeOf
from gdl.core.rebuild import change_expressions
from gdl.core.types import SITES
from gdl.optimise.algebra.terms import Terms

_COMPARISONS = ("equal", "less", "not_more")


def ask_for_some(program: Program, terms: Terms) -> Program:
    """Ask whether there is one where a count tells no more."""

    def rule(node: Expression) -> Expression:
        if not isinstance(node, Op) or node.name not in _COMPARISONS:
            return node
        changed = _asked(terms, node)
        return node if changed is None else changed

    done: dict[int, Expression] = {}
    kinds = terms.kinds(*_COMPARISONS)
    return change_expressions(
        program, lambda node: terms.rewrite(terms.intern(node), rule, done, kinds)
    )


def _asked(terms: Terms, node: Op) -> Expression | None:
    left, right = node.arguments
    if left.type == SITES:
        for one, other in ((left, right), (right, left)):
            if other is terms.nowhere:
                return terms.negation(terms.some(one))
        return None
    if node.name == "equal":
        counted, number = (left, right) if isinstance(right, Const) else (right, left)
        return None if _value(number) != 0 else _none(terms, counted)
    if isinstance(right, Const):
        least = _value(right) + (node.name == "not_more")
        return _none(terms, left) if least == 1 else None
    if isinstance(left, Const):
        least = _value(left) + (node.name == "less")
        return _any(terms, right) if least == 1 else None
    return None


def _value(node: Expression) -> int:
    """Return a known whole number; -1 for all else, which no count is."""
    if isinstance(node, Const) and isinstance(node.value, int) and node.of.is_numeric:
        return node.value
    return -1


def _none(terms: Terms, counted: Expression) -> Expression | None:
    some = _any(terms, counted)
    return None if some is None else terms.negation(some)


def _any(terms: Terms, counted: Expression) -> Expression | None:
    """Return whether a count, or a sum of ones, is more than nothing."""
    if isinstance(counted, Op) and counted.name == "count":
        return terms.some(counted.arguments[0])
    if not isinstance(counted, Fold) or counted.combine != "sum" or counted.initial != 0:
        return None
    opened = terms.open(counted)
    condition = _one_if(terms, opened.body)
    if condition is None or (isinstance(opened.domain, RangeOf) and condition is terms.yes):
        return None
    return terms.fold("or", opened.slot, opened.domain, condition, False)


def _one_if(terms: Terms, body: Expression) -> Expression | None:
    """Return the condition under which a number is 1, if it is 0 otherwise."""
    if _value(body) == 1:
        return terms.yes
    if not isinstance(body, If):
        return None
    numbers = (_value(body.then), _value(body.otherwise))
    if numbers == (1, 0):
        return body.condition
    return terms.negation(body.condition) if numbers == (0, 1) else None
