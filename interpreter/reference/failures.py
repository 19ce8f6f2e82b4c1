"""Failures of the rules in play: each with its place in the file, and a way out.

In: what went wrong, and where. Out: a `RuleError`. What then holds: a number that grows beyond
all use, or work beyond the budget, is told at the statement or clause that works it out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gdl.codes import Code
from gdl.core.evaluate import Evaluated, Frame
from gdl.core.nodes import GREATEST, LEAST, Can, Ending, Expression, Op, Slot
from gdl.core.operations import Number, Overflow
from gdl.core.walk import expressions_in
from gdl.core.work import counts_work
from gdl.diagnostic import Diagnostic, Facts, Span
from gdl.interpreter.evaluation.evaluator import RuleError, too_much_work
from gdl.interpreter.reference.steps import MOST_WAYS
from gdl.resources.budget import TooMuchWork

_AHEAD = "a turn that is looked at"
_WIDER_RANGE = "a wider range"
_GROWING = frozenset({"add", "subtract", "multiply", "fraction", "power", "shift_left"})


def told_at(span: Span | None, node: Expression, function: Evaluated) -> Evaluated:
    """Return the function of an expression that tells at a place of what it can't work out."""
    if not any(map(_may_fail, expressions_in(node))):
        return function

    def told(frame: Frame) -> object:
        try:
            return function(frame)
        except Overflow:
            raise overflow(span) from None
        except TooMuchWork:
            raise too_much_work(span) from None

    return told


def _may_fail(node: Expression) -> bool:
    return counts_work(node) or (isinstance(node, Op) and node.name in _GROWING)


def overflow(span: Span | None) -> RuleError:
    """Return the error of a value that has grown beyond all use."""
    return RuleError(
        Diagnostic(
            Code.OVERFLOW,
            "A number in the rules has grown too large to compute with.",
            span,
            "Limit it with `min` and `max`.",
        )
    )


def does_not_fit(slot: Slot, value: Number | None, span: Span | None) -> RuleError:
    """Return the error of a number beyond the bounds of a variable (None: too large to tell)."""
    what = "A number too large to keep" if value is None else str(value)
    least = LEAST if slot.low is None else slot.low
    greatest = GREATEST if slot.high is None else slot.high
    return RuleError(
        Diagnostic(
            Code.OVERFLOW,
            slot.refused
            or f"{what} does not fit into `{slot.name}`, which holds {least} to {greatest}.",
            span,
            slot.advice or "Declare a wider range, or limit the value with `min` and `max`.",
            facts=Facts(expected="" if slot.advice else _WIDER_RANGE),
        )
    )


def refusal(limit: int, span: Span | None) -> Callable[[int], None]:
    """Return what raises the error of an endless loop where there are more rounds than `limit`."""

    def refuse_more(rounds: int) -> None:
        if rounds > limit:
            raise RuleError(
                Diagnostic(
                    Code.ENDLESS_LOOP,
                    f"This loop does not end within {limit:,} rounds.",
                    span,
                    "Let every round change something that ends it.",
                )
            )

    return refuse_more


def too_many_moves(span: Span | None) -> RuleError:
    """Return the error of a turn with more moves than can be told one by one."""
    return RuleError(
        Diagnostic(
            Code.TOO_MANY_MOVES,
            f"A turn here has more than {MOST_WAYS:,} ways on, the most there may be.",
            span,
            "Choose from fewer sites or numbers.",
        )
    )


def while_looking_ahead(failure: RuleError, can: Can) -> RuleError:
    """Return the failure of a turn that is looked at, told as such."""
    found = failure.diagnostic
    if can.span is None:
        return failure
    note = ("It came up in a turn that this `can` looks at.", can.span)
    message = found.message
    if found.facts.of != _AHEAD:
        message = f"Where `can` looks ahead, {message[0].lower()}{message[1:]}"
    facts = replace(found.facts, of=_AHEAD)
    return RuleError(replace(found, message=message, related=(*found.related, note), facts=facts))


def while_trying_stuck(failure: RuleError, ending: Ending) -> RuleError:
    """Return the failure of a move of the next side, tried since an ending yields to `stuck`."""
    found = failure.diagnostic
    if found.facts.expected != _WIDER_RANGE or ending.span is None:
        return failure
    told = "Before this clause ends the game, the entry `stuck` tries the moves of the next side."
    hint = (
        "Moves that are tried for the entry `stuck` change numbers like any others: declare a "
        "range that is wider by what one move adds."
    )
    related = (*found.related, (told, ending.span))
    return RuleError(replace(found, hint=hint, related=related))
