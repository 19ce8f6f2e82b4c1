"""Joined sets: `and`, `or` and `not` between sets or relations, written with the signs for these.

In: an operation whose operands should be conditions. Out: its text as one of sets, if all that it
joins are sets; else nothing. What then holds: the text means of each site what the words say.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_

from gdl.core.nodes import Const, Expression
from gdl.core.types import SITES
from gdl.elaborate.scope import Problem, Scope, Silent
from gdl.elaborate.values import RelationValue, Value
from gdl.syntax import tree as t

_WORDS = ("and", "or", "not")
_LOOSE = ("|", "+", "-", "if", "when")
_LONGEST = 120

Elaborate = Callable[[t.Expression, Scope], Value]


def joined_sets(node: t.Expression, scope: Scope, elaborate: Elaborate) -> str:
    """Return the text of an operation as one of sets; nothing if something in it is no set."""
    try:
        text = _text(node, scope, elaborate)
    except (Problem, Silent):
        return ""
    return "" if len(text) > _LONGEST else text


def _text(node: t.Expression, scope: Scope, elaborate: Elaborate) -> str:
    """Write a set, joined by signs. Raises Silent for what is none."""
    if isinstance(node, t.Operation) and node.operator == "not":
        return f"all - {_tight(node.operands[0], scope, elaborate)}"
    if isinstance(node, t.Operation) and node.operator == "or":
        return " | ".join(_text(operand, scope, elaborate) for operand in node.operands)
    if isinstance(node, t.Operation) and node.operator == "and":
        first, *others = node.operands
        if _are_apart(node.operands, scope, elaborate):
            return " | ".join(_text(operand, scope, elaborate) for operand in node.operands)
        text = _tight(first, scope, elaborate)
        for other in others:
            is_not = isinstance(other, t.Operation) and other.operator == "not"
            if is_not and isinstance(other, t.Operation):
                text = f"{text} - {_tight(other.operands[0], scope, elaborate)}"
            else:
                text = f"({text})" if " - " in text else text
                text = f"{text} & {_tight(other, scope, elaborate)}"
        return text
    value = elaborate(node, scope)
    types = (SITES, scope.declarations.side_type, scope.declarations.kind_type)
    is_set = isinstance(value, Expression) and value.type in types
    if not is_set and not isinstance(value, RelationValue):
        raise Silent
    return " ".join(node.span.text.split())


def _are_apart(operands: tuple[t.Expression, ...], scope: Scope, elaborate: Elaborate) -> bool:
    """Whether sets have no site in common, so that `and` must mean the sites of all of them."""
    if any(isinstance(one, t.Operation) and one.operator in _WORDS for one in operands):
        return False
    values = [elaborate(operand, scope) for operand in operands]
    known = [value for value in values if isinstance(value, Const)]
    if len(known) < len(values) or len({value.type for value in known}) > 1:
        return False
    if known[0].type == SITES:
        return not reduce(and_, (int(value.value) for value in known))
    return len({value.value for value in known}) > 1


def _tight(node: t.Expression, scope: Scope, elaborate: Elaborate) -> str:
    """Write a set, in parentheses if it is no single term."""
    text = _text(node, scope, elaborate)
    loose = not isinstance(node, t.Name | t.Call) and (
        not isinstance(node, t.Operation) or node.operator in (*_LOOSE, *_WORDS)
    )
    return f"({text})" if loose else text
