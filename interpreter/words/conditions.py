"""Conditions in words.

In: a node that holds or does not, in its context. Out: what is true if it does, or if it doesn't.
What then holds: parts that are settled before play are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from gdl.core.types import SITES
from gdl.interpreter.english import (
    a,
    in_words,
    listed,
    number_word,
    plural,
    times,
    verb_of,
    verb_of_value,
)
from gdl.interpreter.words.captions import called, filled
from gdl.interpreter.words.context import THAT_WAY, THIS_WAY, Argument, Context, Say, Spoken
from gdl.interpreter.words.elements import element, times_named
from gdl.interpreter.words.numbers import is_number, over, position_words, side
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import name_of

_LONGEST = 120
_OTHERWISE = {"nothing": "something", "no": "some", "a": "no", "an": "no"}
_IS_LONGER = re.compile(r"[,;]|\b(and|or|but|not|no|if|unless|when|while|where|every|each)\b")
"""What makes a caption say more than that there is something."""
_NOT = re.compile(r"\b(is|are|was|were|has|have|can)(?: not|not|n't|'t)\b")
"""What makes a plain statement its opposite."""


def holds(node: t.Expression, at: Context, say: Say, is_so: bool) -> str:
    """Return what is true if a condition holds, or, if not `is_so`, if it does not."""
    settled = at.settled(node)
    if isinstance(settled, bool):
        return "it is always so" if settled is is_so else "it is never so"
    match node:
        case t.Operation(_, "not", (operand,)):
            return say.holds(operand, at, is_so=not is_so)
        case t.Operation(_, "and" | "or" as word, operands):
            return _junction(word, operands, at, say, is_so)
        case t.Operation(_, "some" | "no" as word, (operand,)):
            return _there_is(operand, at, say, is_so is (word == "some"))
        case t.Operation(_, "in", (member, among)):
            return _in(member, among, at, say, is_so)
        case t.Operation(_, operator, (left, right)) if operator in COMPARED:
            return compared(operator if is_so else OPPOSITE[operator], left, right, at, say)
        case t.Quantified():
            return _quantified(node, at, say, is_so)
        case t.Name(_, name):
            return _name(name, at, say, is_so)
        case t.Call(_, t.Name(_, name), arguments):
            return _call(name, arguments, at, say, is_so)
        case t.Conditional(_, condition, then, otherwise):
            known = at.settled(condition)
            if known is not None:
                return say.holds(then if known else otherwise, at, is_so=is_so)
            return _where(node, at, say, is_so)
        case t.LetIn(_, name, value, body):
            return say.holds(body, at.defined_as(name.name, value), is_so=is_so)
        case t.Can(_, who, condition):
            name = side(who, at, say)
            could = "could" if is_so else "could not"
            if at.settled(condition) is True:
                return f"{name} {could} move"
            return f"{name} {could} move so that {say.holds(condition, at)}"
    return f"{say.thing(node, at)} {'holds' if is_so else 'does not hold'}"


def _where(node: t.Conditional, at: Context, say: Say, is_so: bool) -> str:
    """Return what is true where a condition that divides two cases holds; one may be settled."""
    then, otherwise = at.settled(node.then), at.settled(node.otherwise)
    first, second = (say.holds(part, at, is_so=is_so) for part in (node.then, node.otherwise))
    if then is not None:
        met = then is is_so
        return f"{say.holds(node.condition, at, is_so=met)}, {'or else' if met else 'and'} {second}"
    if otherwise is not None:
        met = otherwise is is_so
        return (
            f"{say.holds(node.condition, at, is_so=not met)}, {'or else' if met else 'and'} {first}"
        )
    return f"{first} where {say.holds(node.condition, at)}, else {second}"


def _junction(
    word: str, operands: Sequence[t.Expression], at: Context, say: Say, is_so: bool
) -> str:
    neutral = word == "and"
    parts = [one for one in operands if at.settled(one) is not neutral]
    told = [say.holds(one, at, is_so=is_so) for one in parts]
    joint = word if is_so else {"and": "or", "or": "and"}[word]
    if len(told) == 2 and any(
        f" {other} " in f" {one} " for one in told for other in ("and", "or")
    ):
        return f"{told[0]}, {joint} {told[1]}"
    return listed(told, joint)


def _there_is(node: t.Expression, at: Context, say: Say, is_so: bool) -> str:
    parts = _parts_of(node, at)
    if parts is not None:
        first, rest = parts
        told = say.noun(first, at)
        trait = " and ".join(say.trait(one, at, of_piece=told.kind == "piece").text for one in rest)
        if told.is_one:
            return f"{told.one} is {'' if is_so else 'not '}{trait}"
        return f"{told.one if is_so else told.none} is {trait}"
    opened = _opened(node, at)
    if opened is not None:
        return _there_is(*opened, say, is_so)
    if isinstance(node, t.Name) and node.name not in at.words:
        if node.name == "empty":
            return "some site is empty" if is_so else "the board is full"
        if node.name == "occupied":
            return f"there is {'a' if is_so else 'no'} piece on the board"
    told = say.noun(node, at)
    for who, has, whose in (
        (at.voice.own, at.voice.has, at.voice.owns),
        (at.voice.enemy, "has", at.voice.enemies),
    ):
        if told.many.startswith(f"{whose} ") and told.one == f"one of {told.many}":
            thing = told.many.removeprefix(f"{whose} ")
            return (
                f"{who} {has} {'' if is_so else 'no '}{thing} {'on the board' if is_so else 'left'}"
            )
    if told.is_one and told.kind == "piece" and not at.words.get(name_of(node)):
        return f"{told.one} {'is on the board' if is_so else 'is gone'}"
    if told.is_one:
        bare = told.one.removeprefix("the ")
        return f"there is {a(bare) if is_so else f'no {bare}'}"
    return f"there is {told.one if is_so else told.none}"


def _opened(node: t.Expression, at: Context) -> tuple[t.Expression, Context] | None:
    """Return the body of a definition without a caption that a set is called by."""
    if isinstance(node, t.Name):
        argument = at.words.get(node.name)
        if isinstance(argument, Argument):
            return argument.node, argument.at
        found = at.opened(node.name, ())
    elif isinstance(node, t.Call) and isinstance(node.function, t.Name):
        found = at.opened(node.function.name, node.arguments)
    else:
        return None
    if found is None or found[0].says or found[0].from_prelude:
        return None
    body, inner = found[0].body, found[1]
    is_meet = isinstance(body, t.Operation) and body.operator == "&"
    return (body, inner) if is_meet else None


def _parts_of(node: t.Expression, at: Context) -> tuple[t.Expression, list[t.Expression]] | None:
    """Return the first part of an intersection and the others; None of anything else."""
    if not isinstance(node, t.Operation) or node.operator != "&":
        return None
    kept = [one for one in node.operands if not at.is_everything(one)]
    if len(kept) < 2:
        return None
    kinds = [one for one in kept if _is_kind(one, at)]
    others = [one for one in kept if one not in kinds]
    owners = [one for one in others if _is_side(one, at)]
    if owners and kinds:
        head: t.Expression = t.Operation(node.span, "&", (owners[0], kinds[0]))
        rest = [one for one in kept if one is not owners[0] and one is not kinds[0]]
        return (head, rest) if rest else None
    first = (owners or kinds or others)[0]
    return first, [one for one in kept if one is not first]


def _is_kind(node: t.Expression, at: Context) -> bool:
    of = at.type_of(node)
    return of is not None and of == at.scope.declarations.kind_type


def _is_side(node: t.Expression, at: Context) -> bool:
    of = at.type_of(node)
    return of is not None and of.name == "side"


def _in(member: t.Expression, among: t.Expression, at: Context, say: Say, is_so: bool) -> str:
    of = at.type_of(member)
    if isinstance(among, t.Listing):
        told = listed((say.thing(one, at) for one in among.items), "or")
        return f"{say.thing(member, at)} is {'' if is_so else 'not '}{told}"
    if of is not None and of.name == "side" and name_of(among) == "players":
        return f"{say.thing(member, at)} is {'a' if is_so else 'no'} side"
    if of is not None and of.name == "side" and name_of(among) == "team":
        return f"{say.thing(member, at)} is {'' if is_so else 'not '}of {at.voice.team}"
    is_listed = of is not None and (of.is_numeric or of.name in ("kind", "name", "direction"))
    if is_listed and not (_is_kind(member, at) and _is_set(among, at)):
        told = over(among, at, say)
        return f"{say.thing(member, at)} is {'' if is_so else 'not '}one of {told}"
    told_member = say.noun(member, at)
    trait = say.trait(among, at, of_piece=told_member.kind == "piece")
    text = trait.text if is_so else trait.negated.text
    if told_member.is_one:
        return f"{told_member.one} is {text}"
    if told_member.is_part:
        return f"{'all' if is_so else 'not all'} of {told_member.many} is {trait.text}"
    if not is_so:
        return f"not all of {told_member.many} are {trait.text}"
    return f"all of {told_member.many} are {text}"


def _is_set(node: t.Expression, at: Context) -> bool:
    return at.type_of(node) == SITES


def _quantified(node: t.Quantified, at: Context, say: Say, is_so: bool) -> str:
    body, word = node.body, node.word
    inner = element(node.domain, node.variable.name, at, say)
    spoken = inner.words[node.variable.name]
    if isinstance(spoken, Spoken) and spoken.way is not None:
        return _of_directions(node, spoken.way.along, inner, at, say, is_so)
    if word == "every":
        if is_so:
            return f"for every {_each(node, at, say)}, {say.holds(body, inner)}"
        return f"for {_any(node, at, say)}, {say.holds(body, inner, is_so=False)}"
    if is_so is (word == "some"):
        return f"for {_any(node, at, say)}, {say.holds(body, inner)}"
    return f"for no {_each(node, at, say)} is it so that {say.holds(body, inner)}"


def _of_directions(
    node: t.Quantified, family: str, inner: Context, at: Context, say: Say, is_so: bool
) -> str:
    """Return what holds in some, every or no direction of a family."""
    name, body, word = node.variable.name, node.body, node.word
    if word != "every" and _tells_direction(body, name):
        return say.holds(body, inner, is_so=is_so is (word == "some"))
    among = "" if family == "in any direction" else f" {family}"
    taken = any(isinstance(one, Spoken) and one.way == THAT_WAY for one in at.words.values())
    way = THIS_WAY if taken else THAT_WAY
    told = inner.named(
        name, Spoken(way.along.removeprefix("in "), way=way), inner.value(node.variable)
    )
    if word == "every":
        every = "in every direction" if is_so else "in some direction"
        return f"{every}{among}, {say.holds(body, told, is_so=is_so)}"
    some = "in some direction" if is_so is (word == "some") else "in no direction"
    return f"{some}{among}, {say.holds(body, told)}"


def _tells_direction(body: t.Expression, name: str) -> bool:
    """Return whether what is said of `some` direction is said without it, as of any of a family.

    It is if the direction is named once, where something is said to be there.
    """
    if times_named(body, name) != 1:
        return False
    match body:
        case t.Operation(_, "and" | "or", operands):
            return all(_tells_direction(one, name) for one in operands if times_named(one, name))
        case t.Operation(_, "some", _):
            return True
        case t.Operation(_, "in", (member, _)):
            return not times_named(member, name)
    return False


def _listed_or_element(domain: t.Expression, at: Context, say: Say) -> tuple[bool, str] | None:
    """Return words for an element of what is no set, and whether its elements are listed."""
    match domain:
        case t.Name(_, "players"):
            return False, "side"
        case t.Name(_, "team") if at.scope.declarations.teams:
            return False, "side of the team"
        case t.Name(_, "kinds"):
            return False, "kind of piece"
        case t.Name(_, "traits"):
            return False, "trait"
        case t.Listing(_, items):
            return True, f"one of {listed((say.thing(item, at) for item in items), 'and')}"
        case t.Range(_, low, high):
            return False, f"number from {say.number(low, at)} to {say.number(high, at)}"
    return None


def _each(node: t.Quantified, at: Context, say: Say) -> str:
    found = _listed_or_element(node.domain, at, say)
    if found is not None:
        return found[1]
    return say.noun(node.domain, at).every.removeprefix("every ")


def _any(node: t.Quantified, at: Context, say: Say) -> str:
    found = _listed_or_element(node.domain, at, say)
    if found is not None:
        is_listed, told_of = found
        return told_of if is_listed else f"some {told_of}"
    told = say.noun(node.domain, at)
    return (
        told.one
        if told.one.startswith("one of")
        else f"some {told.one.removeprefix('a ').removeprefix('an ')}"
    )


def _name(name: str, at: Context, say: Say, is_so: bool) -> str:
    spoken = at.words.get(name)
    if isinstance(spoken, Argument):
        return say.holds(spoken.node, spoken.at, is_so=is_so)
    if spoken is not None:
        return f"“{spoken.text}” {'holds' if is_so else 'does not hold'}"
    if name == "full":
        return "the board is full" if is_so else "some site is empty"
    if name in at.scope.declarations.state:
        return f"“{in_words(name)}” {'holds' if is_so else 'does not hold'}"
    return _defined(name, (), at, say, is_so)


def _call(name: str, arguments: Sequence[t.Expression], at: Context, say: Say, is_so: bool) -> str:
    if name == "joined" and len(arguments) == 4:
        one, other = (say.noun(argument, at).many for argument in arguments[:2])
        among, link = say.noun(arguments[3], at), say.way(arguments[2], at)
        by = "" if link.near.startswith("next to {}") else f", each {link.of('the one before')},"
        chain = f"chain of {among.bare}{by}"
        return f"{'an unbroken' if is_so else 'no'} {chain} joins {one} and {other}"
    if name in ("in_a_row", "line"):
        row, count = say.noun(arguments[0], at), say.number(arguments[-1], at)
        where = ""
        if name == "line":
            where = f" {say.way(arguments[1], at).along}"
        negation = "" if is_so else "no "
        return f"{negation}{count} {row.part} stand in a row{where}"
    if name in ("even", "odd") and len(arguments) == 1:
        word = name if is_so else {"even": "odd", "odd": "even"}[name]
        return f"{say.number(arguments[0], at)} is {word}"
    if name in at.scope.declarations.state:
        return f"“{called(name, arguments, at, say)}” {'holds' if is_so else 'does not hold'}"
    return _defined(name, arguments, at, say, is_so)


def _defined(
    name: str, arguments: Sequence[t.Expression], at: Context, say: Say, is_so: bool
) -> str:
    found = at.opened(name, arguments)
    if found is not None:
        definition, inner = found
        if definition.says:
            caption = filled(definition.says, inner, say)
            return caption if is_so else _otherwise(caption)
        told = say.holds(definition.body, inner, is_so=is_so)
        if len(told) <= _LONGEST:
            return told
    told = listed((say.thing(one, at) for one in arguments), "and") if arguments else ""
    of = f" of {told}" if told else ""
    return f"“{in_words(name)}”{of} {'holds' if is_so else 'does not hold'}"


def _otherwise(caption: str) -> str:
    """Return that what a caption of the file says is not so.

    >>> _otherwise("your King is not attacked"), _otherwise("you can't move")
    ('your King is attacked', 'you can move')
    >>> _otherwise("a piece stands there or not")
    'it is not so that a piece stands there or not'
    """
    first, _, rest = caption.partition(" ")
    opposite = _OTHERWISE.get(first)
    if opposite and not (opposite == "no" and _IS_LONGER.search(caption)):
        return f"{opposite} {rest}"
    positive, number = _NOT.subn(r"\1", caption)
    if number == 1 and not _IS_LONGER.search(positive):
        return positive
    return f"it is not so that {caption}"


# ----------------------------------------------------------------------------- comparisons in words

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
    what = position_words(node.arguments, at, say)
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
    verb = at.voice.has if whose == at.voice.own else verb_of([whose], "has")
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
