"""Relations in words: where one leads to from a place, and in what direction.

In: a node that is a relation, in its context. Out: a `Way`. What then holds: a relation that has a
name in the file, and no short way to be told, is called by its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gdl.elaborate.names.values import Joined, ListValue, RelationValue
from gdl.interpreter.english import a, amount, in_words, listed, number_word
from gdl.interpreter.words.context import Argument, Context, Say, Spoken, Way
from gdl.syntax import tree as t

_LONGEST = 60
_OF_BOARD = {
    "adjacent": Way("next to {}", "step by step"),
    "touching": Way("touching {}", "step by step"),
    "incident": Way("touching {}", "step by step"),
    "orthogonal": Way("orthogonally next to {}", "along a row or column"),
    "diagonal": Way("diagonally next to {}", "diagonally"),
    "compass": Way("next to {} in any direction", "in any direction"),
    "hexagonal": Way("next to {}", "in any direction"),
    "identity": Way("at {}", "in place"),
}
_STEP_AWAY = re.compile(r"an? (.+) step away from \{\}")
_ONE_DIRECTION = re.compile(r"directly (.+) of \{\}")


def way(node: t.Expression, at: Context, say: Say) -> Way:
    """Return how a relation is called."""
    known = at.value(node)
    if isinstance(known, RelationValue) and known.name and not _differs(node, at):
        return direction(known.name)
    match node:
        case t.Name(_, name):
            return _named(name, (), at, say)
        case t.Call(_, t.Name(_, "chain"), (first, second)):
            one, other = say.way(first, at), say.way(second, at)
            return Way(other.of(f"a site {one.near}"), f"{one.along} and then {other.along}")
        case t.Call(_, t.Name(_, "direction"), (one, other)):
            ends = f"from {say.noun(one, at).one} to {say.noun(other, at).one}"
            where = f"in the direction {ends}"
            return Way(f"next to {{}} {where}", where, leads_to_one=True)
        case t.Call(_, t.Name(_, "inverse" | "opposite"), (relation,)):
            there = say.way(relation, at)
            along = there.along
            if along.startswith("in the direction "):
                back = f"against {along.removeprefix('in ')}"
                return Way(f"next to {{}} {back}", back, leads_to_one=True)
            if along.startswith("in "):
                back = f"against {along.removeprefix('in ')}"
            else:
                back = f"{along} backwards"
            return Way(f"with {{}} {there.of('it')}", back)
        case t.Call(_, t.Name(_, "leaper"), (far, aside)):
            leap = f"{say.number(far, at)} by {say.number(aside, at)}"
            return Way(f"a leap of {leap} away from {{}}", f"by leaps of {leap}")
        case t.Call(_, t.Name(_, name), arguments):
            return _named(name, arguments, at, say)
        case t.Operation(_, operator, operands):
            return _operation(operator, operands, at, say)
        case t.Quantified(_, "union", variable, domain, body):
            return say.way(body, running(variable.name, domain, at, say))
        case t.Conditional(_, condition, then, otherwise):
            settled = at.settled(condition)
            if settled is not None:
                return say.way(then if settled else otherwise, at)
            ways = say.way(then, at), say.way(otherwise, at)
            said = f"if {say.holds(condition, at)}"
            return Way(
                f"{ways[0].near} {said}, else {ways[1].near}",
                f"{ways[0].along} {said}, else {ways[1].along}",
            )
        case t.LetIn(_, name, value, body):
            return say.way(body, at.defined_as(name.name, value))
        case t.Can() | t.Pairs() | t.Quantified():
            return Way("related to {}", "as the file says")
    return Way("related to {}", "as the file says")


def _differs(node: t.Expression, at: Context) -> bool:
    """Return whether a node is a relation of the file that is another one for each side."""
    if isinstance(node, t.Name) and isinstance(argument := at.words.get(node.name), Argument):
        return _differs(argument.node, argument.at)
    if isinstance(node, t.Call) and isinstance(node.function, t.Name):
        if node.function.name in ("inverse", "opposite") and node.arguments:
            return _differs(node.arguments[0], at)
        return at.differs_by_side(node.function.name, len(node.arguments), as_table=False)
    return False


def direction(name: str) -> Way:
    """Return how a direction of the board is called."""
    return Way(f"directly {name} of {{}}", f"to the {name}", leads_to_one=True)


def running(name: str, domain: t.Expression, at: Context, say: Say) -> Context:
    """Return the context of a body in which a word runs over the directions of a family."""
    along = say.way(domain, at).along if at.is_relation(domain) else "in some direction"
    value = at.value(domain)
    if isinstance(value, RelationValue) and _differs(domain, at):
        value = replace(value, name="")
    if isinstance(value, ListValue):
        names = [item.name for item in value.items if isinstance(item, RelationValue)]
        if names and all(names):
            along = listed((direction(one).along for one in names), "or")
        trees = tuple(item.tree for item in value.items if isinstance(item, RelationValue))
        value = RelationValue(Joined(trees))
    if isinstance(domain, t.Listing):
        along = listed((say.way(item, at).along for item in domain.items), "or")
    spoken = Spoken("the direction", way=Way(f"next to {{}} {along}", along, leads_to_one=True))
    return at.named(name, spoken, value)


def _named(name: str, arguments: Sequence[t.Expression], at: Context, say: Say) -> Way:
    spoken = at.words.get(name)
    if isinstance(spoken, Argument):
        return say.way(spoken.node, spoken.at)
    if spoken is not None:
        return spoken.way or Way(f"along {spoken.text} from {{}}", f"along {spoken.text}")
    if not arguments and name in _OF_BOARD:
        return _OF_BOARD[name]
    found = at.opened(name, arguments)
    if found is not None:
        definition, inner = found
        if definition.says:
            says = definition.says
            return Way(f"{says} {{}}", f"step by step, each {says} the one before")
        by_side = at.differs_by_side(name, len(arguments))
        if not isinstance(definition.body, t.Pairs | t.PathOf | t.TableOf) and not by_side:
            told = say.way(definition.body, inner)
            if len(told.near) <= _LONGEST:
                return told
    words = in_words(name)
    if at.is_quoted(name):
        return Way(f"a “{words}” step away from {{}}", f"along “{words}” steps")
    return Way(f"{a(words)} step away from {{}}", f"along {words} steps")


def _operation(operator: str, operands: Sequence[t.Expression], at: Context, say: Say) -> Way:
    if operator == "^" and (steps := at.settled(operands[1])) is not None:
        one = say.way(operands[0], at)
        if steps == 1:
            return one
        found = _ONE_DIRECTION.fullmatch(one.near)
        where = f"to the {found[1]}" if found else one.along
        text = f"{number_word(int(steps))} steps"
        return Way(f"{text} from {{}} {where}", f"{text} {where}", one.leads_to_one)
    if operator == "^":
        one, times = say.way(operands[0], at), say.number(operands[1], at)
        found = _ONE_DIRECTION.fullmatch(one.near)
        step = _STEP_AWAY.fullmatch(one.near)
        if step:
            steps = amount(times, f"{step[1]} step")
            return Way(f"{steps} away from {{}}", one.along, one.leads_to_one)
        where = f"to the {found[1]}" if found else one.along
        steps = amount(times, "step")
        return Way(f"{steps} from {{}} {where}", f"{steps} {where}", one.leads_to_one)
    if operator in ("from", "into", "within"):
        one = say.way(operands[0], at)
        if at.is_everything(operands[1]):
            return one
        among = say.noun(operands[1], at).many
        text = {"from": "beginning at", "into": "over", "within": "within"}[operator]
        return Way(f"{one.near}, {text} {among}", f"{one.along} {text} {among}")
    if operator == "when":
        settled = at.settled(operands[1])
        one = say.way(operands[0], at)
        if settled is not None:
            return one if settled else Way("nowhere near {}", "nowhere")
        condition = f"if {say.holds(operands[1], at)}"
        return Way(f"{one.near}, {condition}", f"{one.along}, {condition}")
    ways = [say.way(operand, at) for operand in operands]
    if operator == "-" and len(ways) == 2:
        return Way(
            f"{ways[0].near} but not {ways[1].near}", f"{ways[0].along}, not {ways[1].along}"
        )
    joint = "and" if operator == "&" else "or"
    directions = [_ONE_DIRECTION.fullmatch(one.near) for one in ways]
    along = listed((one.along for one in ways), joint)
    if all(directions):
        return Way(f"directly {listed((d[1] for d in directions if d), joint)} of {{}}", along)
    return Way(listed((one.near for one in ways), joint), along)
