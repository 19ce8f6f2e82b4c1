"""Numbers in words, and values of any other type.

In: a node with a value, in its context. Out: a text. What then holds: a number that is settled
before play is a number, whatever it was made of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from gdl.core.nodes import Const
from gdl.core.types import SITES
from gdl.interpreter.english import (
    amount,
    in_words,
    is_plural,
    listed,
    number_word,
    ordinal,
    plural,
)
from gdl.interpreter.words.captions import called, filled
from gdl.interpreter.words.context import Argument, Context, Say
from gdl.interpreter.words.elements import element
from gdl.interpreter.words.relations import direction
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import name_of

_LONGEST = 80
_OF_ONE = re.compile(r"the (\w+|“[\w ]+”) of that \w+")
_MAKE_NUMBERS = ("count", "max", "min", "mod", "+", "*", "/", "div")
_PARENTHESES = re.compile(r"\([^()]*\)")
_OF_SEVERAL = re.compile(r"the (larger|smaller|greatest|least|difference|remainder|sum|product) ")
_SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by", "div": "divided by"}


def number(node: t.Expression, at: Context, say: Say) -> str:
    """Return a number in words."""
    settled = at.settled(node)
    if isinstance(settled, int | Fraction) and not isinstance(settled, bool):
        return plain_number(settled)
    match node:
        case t.Name(_, name):
            return _name(name, at, say)
        case t.Call(_, t.Name(_, name), arguments):
            return _call(name, arguments, at, say)
        case t.Operation(_, "count", (operand,)):
            counted = say.noun(operand, at).bare
            return f"the {'size' if counted == 'that group' else 'number'} of {counted}"
        case t.Operation(_, "max" | "min" as word, operands):
            told = listed((say.number(one, at) for one in operands), "and")
            return f"the {'larger' if word == 'max' else 'smaller'} of {told}"
        case t.Operation(_, "-", (operand,)):
            return f"minus {say.number(operand, at)}"
        case t.Operation(_, "mod", (left, right)):
            return f"the remainder of {say.number(left, at)} by {say.number(right, at)}"
        case t.Operation(_, "^", (left, right)):
            return f"{say.number(left, at)} to the power of {say.number(right, at)}"
        case t.Operation(_, operator, operands) if operator in _SIGNS:
            return _sum(operator, operands, at, say)
        case t.Operation(_, "when", (one, condition)):
            return f"{say.number(one, at)} if {say.holds(condition, at)}"
        case t.Conditional(_, condition, then, otherwise):
            known = at.settled(condition)
            if known is not None:
                return say.number(then if known else otherwise, at)
            first, second = say.number(then, at), say.number(otherwise, at)
            return f"{first} if {say.holds(condition, at)}, else {second}"
        case t.LetIn(_, name, value, body):
            return say.number(body, at.defined_as(name.name, value))
        case t.Quantified():
            return _quantified(node, at, say)
    return "a number"


def is_number(node: t.Expression) -> bool:
    """Return whether a node is a number by its form alone, whatever stands within it."""
    match node:
        case t.Operation(_, operator, _):
            return operator in _MAKE_NUMBERS
        case t.Quantified():
            return node.word in ("count", "sum", "product", "max", "min")
    return False


def plain_number(value: int | Fraction) -> str:
    """Return a number that is known, in words if it is small.

    >>> plain_number(3), plain_number(Fraction(15, 2)), plain_number(-1)
    ('three', '7.5', 'minus one')
    """
    if value < 0:
        return f"minus {plain_number(-value)}"
    if isinstance(value, int) or value.denominator == 1:
        return number_word(int(value))
    decimal = float(value)
    if Fraction(str(decimal)) == value:
        return str(decimal)
    return f"{number_word(value.numerator)} divided by {number_word(value.denominator)}"


def _sum(operator: str, operands: Sequence[t.Expression], at: Context, say: Say) -> str:
    if operator in "+-" and at.settled(operands[1]) == 0:
        return say.number(operands[0], at)
    if operator == "-" and at.settled(operands[0]) == 0:
        return f"minus {say.number(operands[1], at)}"
    told = [_part(operator, number, one, at, say) for number, one in enumerate(operands)]
    if operator == "*" and at.settled(operands[0]) == 2:
        return f"twice {told[1]}"
    return f" {_SIGNS[operator]} ".join(told)


def _part(operator: str, number: int, node: t.Expression, at: Context, say: Say) -> str:
    """Return a part of a sum or a product, in parentheses where it could be read otherwise.

    So it is if it is a sum itself that is taken away or multiplied, or what an `if` stands in; or
    if what comes behind it could be read as a part of it.
    """
    told = say.number(node, at)
    if at.settled(node) is not None:
        return told
    binds = operator in "*/div" or (operator == "-" and number > 0)
    outside = told
    while (inner := _PARENTHESES.sub("", outside)) != outside:
        outside = inner
    is_open = re.search(r" (if|for which|else|over) ", outside) or _OF_SEVERAL.match(told)
    is_sum = binds and re.search(r" (plus|minus|times|divided by) ", outside)
    return f"({told})" if is_open or is_sum else told


def _name(name: str, at: Context, say: Say) -> str:
    spoken = at.words.get(name)
    if isinstance(spoken, Argument):
        return say.number(spoken.node, spoken.at)
    if spoken is not None:
        return spoken.text
    if name == "turns":
        return "the number of turns made"
    if name == "passed":
        return "the number of passes in a row"
    return _defined(name, (), at, say)


def _call(name: str, arguments: Sequence[t.Expression], at: Context, say: Say) -> str:
    if name == "seen":
        return f"how often {position_words(arguments, at, say)} has come up before"
    if name == "height":
        return f"the height of {say.noun(arguments[0], at).one}"
    if name == "abs" and (differing := _difference(arguments[0])):
        one, other = (say.number(operand, at) for operand in differing)
        return f"the difference between {one} and {other}"
    if name == "abs":
        return f"{say.number(arguments[0], at)} without its sign"
    if name in ("row", "column") and len(arguments) == 1:
        return f"the {name} of {say.noun(arguments[0], at).one}"
    if name == "diagonal" and len(arguments) == 1:
        return f"the diagonal of {say.noun(arguments[0], at).one}"
    if name.startswith("from_") and len(arguments) == 1:
        side = in_words(name.removeprefix("from_"))
        return f"how far {say.noun(arguments[0], at).one} is from the {side} side"
    return _defined(name, arguments, at, say)


def position_words(arguments: Sequence[t.Expression], at: Context, say: Say) -> str:
    """Return of what `seen` says how often it has come up."""
    named = {one.name: one for one in arguments if isinstance(one, t.Name)}
    same = ["the same side to move"] if "mover" in named else []
    usual = [named[name] for name in ("board", "mover", "position") if name in named]
    others = [one for one in arguments if one not in usual]
    in_hand = [one for one in others if isinstance(one, t.Name) and one.name == "hand"]
    same += ["the same pieces in hand" for _ in in_hand]
    same += [f"the same value of {say.thing(o, at)}" for o in others if o not in in_hand]
    if "position" in named:
        return "the whole of this position"
    if "board" in named or not same:
        return f"this position with {listed(same, 'and')}" if same else "this position"
    return listed(same, "and")


def _difference(node: t.Expression) -> tuple[t.Expression, ...]:
    """Return the two numbers of which a node is the difference; nothing of any other."""
    match node:
        case t.Operation(_, "-", (one, other)):
            return one, other
    return ()


def _defined(name: str, arguments: Sequence[t.Expression], at: Context, say: Say) -> str:
    found = at.opened(name, arguments)
    if found is not None:
        definition, inner = found
        if definition.says:
            return filled(definition.says, inner, say)
        if not isinstance(definition.body, t.TableOf | t.DrawingOf):
            told = say.number(definition.body, inner)
            if len(told) <= _LONGEST:
                return told
    if not arguments and name in at.scope.declarations.state:
        return f"“{in_words(name)}”"
    return called(name, arguments, at, say)


def _quantified(node: t.Quantified, at: Context, say: Say) -> str:
    if node.word == "count":
        inner = element(node.domain, node.variable.name, at, say)
        told = say.noun(node.domain, at).bare if not _is_list(node.domain) else "those"
        return f"the number of {told} for which {say.holds(node.body, inner)}"
    inner = element(node.domain, node.variable.name, at, say)
    each = say.number(node.body, inner)
    among = over(node.domain, at, say)
    match node.word:
        case "sum":
            if at.settled(node.body) == 1:
                return f"the number of {say.noun(node.domain, at).bare}"
            return f"the sum of {_of_each(each, ' over ', among)}"
        case "product":
            return f"the product of {_of_each(each, ' over ', among)}"
        case "max":
            return f"the greatest of {_of_each(each, ', over ', among)}"
    return f"the least of {_of_each(each, ', over ', among)}"


def _of_each(each: str, link: str, among: str) -> str:
    """Return what of each is put together: the height of that piece becomes that of several."""
    of_one = _OF_ONE.fullmatch(each)
    if of_one and of_one[1].startswith("“"):
        return f"the {of_one[1]} of each of {among}"
    if of_one is None:
        return f"{each}{link}{among}"
    return f"the {of_one[1] if is_plural(of_one[1]) else plural(of_one[1])} of {among}"


def _is_list(domain: t.Expression) -> bool:
    return isinstance(domain, t.Listing | t.Range)


def over(domain: t.Expression, at: Context, say: Say) -> str:
    """Return what a variable runs over."""
    match domain:
        case t.Name(_, "players"):
            return "all sides"
        case t.Name(_, "team") if at.scope.declarations.teams:
            return "all sides of the team"
        case t.Name(_, "kinds" | "traits" as name):
            return "all kinds of piece" if name == "kinds" else "all traits"
        case t.Range(_, low, high):
            return f"the numbers {say.number(low, at)} to {say.number(high, at)}"
        case t.Listing(_, items):
            return listed((say.thing(item, at) for item in items), "and")
    if at.is_relation(domain):
        along = say.way(domain, at).along
        return (
            "the directions" if along == "in any direction" else f"the directions {_leading(along)}"
        )
    return say.noun(domain, at).many


def _leading(along: str) -> str:
    return along if along.startswith("along ") else f"that lead {along}"


# ------------------------------------------------------------------------ other values


def thing(node: t.Expression, at: Context, say: Say) -> str:
    """Return a value of any type in words: a set as its elements, a side by its name."""
    if isinstance(node, t.Name) and isinstance(at.words.get(node.name), Argument):
        argument = at.words[node.name]
        assert isinstance(argument, Argument)
        return say.thing(argument.node, argument.at)
    match node:
        case t.Call(_, t.Name(_, "opposite" | "inverse"), (turned,)) if at.type_of(node) is None:
            return f"the opposite of {say.thing(turned, at)}"
    value = at.value(node)
    of = at.type_of(node)
    if of is not None and of.name == "side":
        return side(node, at, say)
    if isinstance(value, Const) and of is not None and of.values and int(value.value) >= 0:
        return direction_words(in_words(of.values[int(value.value)]), of.name)
    if (of is not None and of.is_numeric) or (of is None and is_number(node)):
        return say.number(node, at)
    if of == SITES or of is None:
        if at.is_relation(node):
            return say.way(node, at).along
        told = say.noun(node, at)
        return told.one if told.is_one else told.many
    if of.name == "flag":
        return f"whether {say.holds(node, at)}"
    if isinstance(node, t.Name):
        spoken = at.words.get(node.name)
        if spoken is not None and not isinstance(spoken, Argument):
            return spoken.text
    if isinstance(node, t.Call) and isinstance(node.function, t.Name):
        if node.function.name == "kind":
            return f"the kind of {say.noun(node.arguments[0], at).one}"
        if node.function.name == "direction" and len(node.arguments) == 2:
            one, other = (say.noun(argument, at).one for argument in node.arguments)
            return f"the direction from {one} to {other}"
        return called(node.function.name, node.arguments, at, say)
    if isinstance(node, t.Conditional):
        condition = say.holds(node.condition, at)
        first, second = say.thing(node.then, at), say.thing(node.otherwise, at)
        return f"{first} if {condition}, else {second}"
    return f"the {in_words(name_of(node) or 'value')}"


def direction_words(name: str, kind: str) -> str:
    """Return a name that is known, and of a direction where it leads."""
    return direction(name).along if kind == "direction" else name


def side(node: t.Expression, at: Context, say: Say) -> str:
    """Return who a side is."""
    match node:
        case t.Name(_, name):
            spoken = at.words.get(name)
            if isinstance(spoken, Argument):
                return side(spoken.node, spoken.at, say)
            if spoken is not None:
                return spoken.text
            if name == "own" or (name == "mover" and at.scope.own == at.scope.mover):
                return at.voice.own
            if name == "mover":
                return "the side that has just moved"
            if name == "enemy":
                return at.voice.enemy
            if name in at.scope.declarations.sides:
                return name
            return f"the {in_words(name)}"
        case t.Call(_, t.Name(_, "following"), arguments):
            before = side(arguments[0], at, say)
            if (
                len(arguments) == 1
                and len(at.scope.declarations.sides) == 2
                and before == at.voice.own
            ):
                return at.voice.enemy
            steps = at.settled(arguments[1]) if len(arguments) > 1 else 1
            if steps == 1:
                return f"the side after {before}"
            if isinstance(steps, int) and steps > 1:
                return f"the {ordinal(steps)} side after {before}"
            return f"the side {amount(say.number(arguments[1], at), 'place')} after {before}"
        case t.Call(_, t.Name(_, "owner"), arguments):
            return f"the owner of {say.noun(arguments[0], at).one}"
        case t.Call(_, t.Name(_, name), arguments):
            return called(name, arguments, at, say)
        case t.Conditional(_, condition, then, otherwise):
            first, second = side(then, at, say), side(otherwise, at, say)
            return f"{first} if {say.holds(condition, at)}, else {second}"
    return "a side"
