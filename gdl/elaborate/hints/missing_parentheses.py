"""Missing parentheses: a word that takes in more, or less, of a text than its author meant.

In: the part of the syntax tree that has a value of the wrong type. Out: a hint that writes it with
parentheses, or nothing. `count` takes in the next word alone, `sum x in S of` all that follows, and
what is applied to something is so before a power is taken.
"""

from __future__ import annotations

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Span
from gdl.syntax import tree as t

_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


def around_counted(node: t.Operation) -> str:
    """Return a hint for `count A & B`, where a set was meant to be counted whole."""
    first, *others = node.operands
    counted = _last_count(first) if node.operator == "-" else first
    if not isinstance(counted, t.Operation) or counted.operator != "count" or not others:
        return ""
    start, end = counted.operands[0].span.start, node.span.end
    whole = f"count({_text(Span(node.span.source, start, end))})"
    if node.operator != "-":
        return f"`count` takes in the next word alone. Write `{whole}`."
    each = f"{_text(counted.span)} - count({_text(others[0].span)})"
    return f"`count` takes in the next word alone. Write `{whole}`, or `{each}`."


def around_folded(node: t.Quantified) -> str:
    """Return a hint for `sum x in S of N = 3`, where the sum was meant to be compared."""
    body = node.body
    if not isinstance(body, t.Operation) or body.operator not in _COMPARISONS:
        return ""
    first = body.operands[0].span
    folded = _text(Span(node.span.source, node.span.start, first.end))
    rest = _text(Span(node.span.source, first.end, body.span.end))
    return f"`{node.word}` takes in all that follows. Write `({folded}) {rest}`."


def around_power(node: t.Operation, found: Diagnostic) -> str:
    """Return a hint for `d^2(s)`, where the power was meant to be applied, not its exponent."""
    applied = node.operands[1]
    is_exponent = isinstance(applied, t.Call) and found.span == applied.function.span
    if not is_exponent or found.code != Code.NOT_APPLICABLE or found.span is None:
        return ""
    power = _text(Span(node.span.source, node.span.start, found.span.end))
    rest = _text(Span(node.span.source, found.span.end, node.span.end))
    return f"Parentheses belong to what stands just before them. Write `({power}){rest}`."


def _last_count(node: t.Expression) -> t.Expression:
    """Return what stands last in a sum or difference."""
    while isinstance(node, t.Operation) and node.operator in ("+", "-") and node.operands[1:]:
        node = node.operands[-1]
    return node


def _text(span: Span) -> str:
    return " ".join(span.text.split())
