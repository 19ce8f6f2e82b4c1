"""Comparisons in words: of numbers, sets, sides, and of what counts turns and positions.

In: an operator and what stands on both sides of it. Out: what is true if it holds.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.core.types import SITES
from gdl.syntax import tree as t
from gdl.syntax.tree.parts import name_of
from interpreter.words.context import Argument, Context, Say, Spoken
from interpreter.words.english import a, in_words, number_word, plural, times, verb_of_value
from interpreter.words.numbers import is_number

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


COMPARED = {
    "=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than",
    ">=": "is at least",
}  # fmt: skip


def compared(operator: str, left: t.Expression, right: t.Expression, at: Context, say: Say) -> str:
    """Return how two values compare."""
    counted = _counted(left, at)
    known = at.settled(right)
    if isinstance(known, int) and not isinstance(known, bool):
        if counted is not None:
            return _so_many(operator, known, counted[0], counted[1], say)
        opened = _special(left, at)
        if opened is not None:
            return _SPECIAL[opened](operator, known, left, at, say)
    of, other = at.type_of(left), at.type_of(right)
    if of is not None and of.name == "flag":
        if isinstance(known, bool):
            return say.holds(left, at, is_so=known is (operator == "="))
        told = f"{say.holds(left, at)} just if {say.holds(right, at)}"
        return told if operator == "=" else f"not: {told}"
    if operator in ("=", "!=") and _is_direction(left, at) and _is_direction(right, at):
        verb = "is" if operator == "=" else "is not"
        return f"{_direction(left, at, say)} {verb} {_direction(right, at, say)}"
    if isinstance(right, t.Name) and right.name == "none" and "none" not in at.words:
        if of is not None and of.name in ("side", "kind", "direction"):
            verb = "is nobody" if of.name == "side" else "is none"
            told = verb if operator == "=" else verb.replace("is ", "is not ")
            return f"{say.thing(left, at)} {told}"
        is_there = t.Operation(left.span, "some", (left,))
        return say.holds(is_there, at, is_so=operator == "!=")
    is_set = SITES in (of, other) or (of is None and other is None)
    if is_set and not (is_number(left) or is_number(right)) and operator in ("=", "!="):
        return _same_sites(operator, left, right, at, say)
    told = say.thing(left, at)
    verb, *than = COMPARED[operator].split(" ", 1)
    compare = " ".join((verb_of_value(told, verb), *than))
    return f"{told} {compare} {say.thing(right, at)}"


def _direction(node: t.Expression, at: Context, say: Say) -> str:
    """Return how a direction is called that is compared with another."""
    if isinstance(node, t.Name) and isinstance(spoken := at.words.get(node.name), Spoken):
        return spoken.text
    if turned := _turned(node):
        return f"the opposite of {_direction(turned, at, say)}"
    return say.way(node, at).along.removeprefix("to the ")


def _is_direction(node: t.Expression, at: Context) -> bool:
    turned = _turned(node)
    return at.is_relation(node) if turned is None else _is_direction(turned, at)


def _turned(node: t.Expression) -> t.Expression | None:
    """Return the direction of which a node is the opposite; None of anything else."""
    match node:
        case t.Call(_, t.Name(_, "opposite" | "inverse"), (direction,)):
            return direction
    return None


def _same_sites(
    operator: str, left: t.Expression, right: t.Expression, at: Context, say: Say
) -> str:
    if at.is_everything(right):
        told = say.noun(left, at).many
        return f"{told} {'cover' if operator == '=' else 'do not cover'} the whole board"
    one, other = (_kept(node, at) or say.thing(node, at) for node in (left, right))
    noun = say.noun(left, at)
    if one.startswith("“"):
        return f"{one} is {'' if operator == '=' else 'not '}{other}"
    if say.noun(right, at).is_one and not noun.is_one:
        told = f"{noun.many} {noun.verb}"
        return f"{told} {'' if operator == '=' else 'not '}on {other} and nowhere else"
    return f"{one} {noun.verb} {'' if operator == '=' else 'not '}{other}"


def _kept(node: t.Expression, at: Context) -> str:
    """Return what a variable of sites is called as a whole; nothing of any other set."""
    if not isinstance(node, t.Name) or node.name in at.words:
        return ""
    variable = at.scope.declarations.state.get(node.name)
    is_plain = variable is not None and variable.type == SITES and not variable.is_mark
    return f"“{in_words(node.name)}”" if is_plain else ""


def _counted(node: t.Expression, at: Context) -> tuple[t.Expression, Context] | None:
    """Return the set that a number counts; None of other numbers."""
    if isinstance(node, t.Operation) and node.operator == "count":
        return node.operands[0], at
    if isinstance(node, t.Name) and isinstance(at.words.get(node.name), Argument):
        argument = at.words[node.name]
        assert isinstance(argument, Argument)
        return _counted(argument.node, argument.at)
    return None


def _so_many(operator: str, number: int, node: t.Expression, at: Context, say: Say) -> str:
    told = say.noun(node, at)
    if operator == "<=" and number == 0:
        operator = "="
    if operator in (">", "<"):
        operator, number = (">=", number + 1) if operator == ">" else ("<=", number - 1)
    if operator in ("=", "<=") and number == 0:
        return f"there is {told.none}" if not told.is_one else f"there is not {told.one}"
    if operator in (">=", "!=") and number == int(operator == ">="):
        return f"there is {told.one}"
    amount = {"=": "exactly", ">=": "at least", "<=": "at most", "!=": "not"}[operator]
    verb = "is" if number == 1 else "are"
    part = told.part
    if number == 1 and not part.startswith("of "):
        part = told.one.split(" ", 1)[-1]
    return f"there {verb} {amount} {number_word(number)} {part}"


def _special(node: t.Expression, at: Context) -> str | None:
    if isinstance(node, t.Name) and node.name in ("turns", "passed") and node.name not in at.words:
        return node.name
    called = name_of(node.function) if isinstance(node, t.Call) else ""
    is_hand = called == "hand" and at.scope.declarations.hands is not None
    return called if called == "seen" or is_hand else None


def _passed(operator: str, number: int, node: t.Expression, at: Context, say: Say) -> str:
    if operator in ("=", ">=", ">") and number + (operator == ">") > 0:
        made = number + (operator == ">")
        return (
            f"the last {number_word(made)} turns were passes"
            if made > 1
            else "the last turn was a pass"
        )
    if operator in ("=", "<=", "<") and number - (operator == "<") <= 0:
        return "the last turn was not a pass"
    return f"the number of passes in a row {COMPARED[operator]} {number_word(number)}"


def _turns(operator: str, number: int, node: t.Expression, at: Context, say: Say) -> str:
    if operator in (">", ">="):
        made = number + (operator == ">")
        return f"{number_word(made)} turn{'s have' if made != 1 else ' has'} been made"
    if operator == "!=":
        return f"the number of turns made is not {number_word(number)}"
    if number - (operator == "<") <= 0:
        return "no turn has been made yet"
    amount = {"=": "exactly", "<": "fewer than"}.get(operator, "at most")
    return f"{amount} {number_word(number)} turn{'s have' if number != 1 else ' has'} been made"


def _seen(operator: str, number: int, node: t.Expression, at: Context, say: Say) -> str:
    assert isinstance(node, t.Call)
    names = [argument.name for argument in node.arguments if isinstance(argument, t.Name)]
    what = "this position"
    if "board" not in names:
        what = "the same state"
    if "mover" in names:
        what += " with the same side to move"
    if operator in (">", ">=") or (operator == "!=" and number == 0):
        often = number + (operator != ">=")
        return (
            f"{what} has come up {times(often)} before"
            if often > 1
            else f"{what} has come up before"
        )
    most = number - (operator == "<")
    if operator != "!=" and most <= 0:
        return f"{what} has not come up before"
    amount = {"=": "", "!=": "not exactly "}.get(operator, "at most ")
    return f"{what} has come up {amount}{times(most)} before"


def _in_hand(operator: str, number: int, node: t.Expression, at: Context, say: Say) -> str:
    """Return how many pieces are in a hand."""
    assert isinstance(node, t.Call)
    whose = say.thing(node.arguments[0], at)
    verb = at.voice.has if whose == at.voice.own else "has"
    kind = node.arguments[1] if len(node.arguments) > 1 else None
    of_kind = isinstance(kind, t.Name) and kind.name in at.scope.declarations.kind_type.values
    piece = in_words(kind.name) if isinstance(kind, t.Name) and of_kind else "piece"
    if operator in (">", "<"):
        operator, number = (">=", number + 1) if operator == ">" else ("<=", number - 1)
    if operator in ("=", "<=") and number == 0:
        return f"{whose} {verb} no {piece} in hand"
    if operator in (">=", "!=") and number == int(operator == ">="):
        return f"{whose} {verb} {a(piece)} in hand"
    amount = {"=": "", ">=": "at least ", "<=": "at most ", "!=": "not "}[operator]
    pieces = piece if number == 1 else plural(piece)
    return f"{whose} {verb} {amount}{number_word(number)} {pieces} in hand"


_SPECIAL: dict[str, Callable[[str, int, t.Expression, Context, Say], str]] = {
    "hand": _in_hand,
    "passed": _passed,
    "turns": _turns,
    "seen": _seen,
}
