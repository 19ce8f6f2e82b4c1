"""Sets of sites in words: as nouns, and as what is said of a thing that is in one.

In: a node that stands for a set, in its context. Out: a `Noun` or a `Trait`. What then holds: sides
and kinds stand for their pieces; a definition is told by its caption, by its body if that is short,
or by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gdl.core.nodes import Get, Slot
from gdl.core.types import SITES
from gdl.interpreter.english import (
    Noun,
    Trait,
    common,
    either,
    in_words,
    listed,
    owned,
    plural,
    possessive,
    region,
    single,
)
from gdl.interpreter.words.captions import called, captioned_noun, filled
from gdl.interpreter.words.context import ITS_KIND, Argument, Context, Say
from gdl.interpreter.words.elements import element, loses_variable
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import name_of

_LONGEST = 100
_SIDES_OF_BOARD = {
    "top": "the top side", "bottom": "the bottom side",
    "left": "the left side", "right": "the right side",
}  # fmt: skip
REGIONS = {
    **_SIDES_OF_BOARD,
    **{name: f"the {name.replace('_', ' ')} side" for name in ("upper_left", "upper_right")},
    **{name: f"the {name.replace('_', ' ')} side" for name in ("lower_left", "lower_right")},
    "border": "the border",
    "interior": "the interior of the board",
    "all": "the board",
}
SORTS = {
    "corners": ("corner", Trait("in a corner", True)),
    "dark": ("dark site", Trait("dark")),
    "light": ("light site", Trait("light")),
    "cells": ("cell", Trait("a cell")),
    "vertices": ("vertex", Trait("a vertex")),
    "edges": ("edge", Trait("an edge")),
    "up": ("upward cell", Trait("a cell that points up")),
    "down": ("downward cell", Trait("a cell that points down")),
}


def noun(node: t.Expression, at: Context, say: Say) -> Noun:
    """Return what a set is called."""
    match node:
        case t.Name(_, name):
            return _name(name, at, say)
        case t.Call(_, function, arguments):
            return _call(node, function, arguments, at, say)
        case t.Operation(_, operator, operands):
            return _operation(node, operator, operands, at, say)
        case t.Quantified():
            return _quantified(node, at, say)
        case t.Conditional(_, condition, then, otherwise):
            settled = at.settled(condition)
            if settled is not None:
                return say.noun(then if settled else otherwise, at)
            said = say.holds(condition, at)
            first, second = say.noun(then, at), say.noun(otherwise, at)
            return either((first.after(f"if {said}"), second.after("otherwise")))
        case t.LetIn(_, name, value, body):
            return say.noun(body, at.defined_as(name.name, value))
        case t.Listing(_, items):
            return either([say.noun(item, at) for item in items])
    return region("a part of the board")


def side_noun(side: str, at: Context) -> Noun:
    """Return what the pieces of a side are called, which is named."""
    return owned(possessive(side), at.kind_word())


def _name(name: str, at: Context, say: Say) -> Noun:
    spoken = at.words.get(name)
    if isinstance(spoken, Argument):
        return say.noun(spoken.node, spoken.at)
    d, voice = at.scope.declarations, at.voice
    if spoken is not None:
        if spoken.noun is not None:
            return spoken.noun
        return owned(possessive(spoken.text), at.kind_word())
    word = at.kind_word()
    match name:
        case "own" | "mover":
            if name == "mover" and at.scope.mover != at.scope.own and at.scope.mover is not None:
                return side_noun(d.sides[at.scope.mover], at)
            return owned(voice.owns, word)
        case "enemy":
            return owned(voice.enemies, word) if len(d.sides) > 1 else region("nothing")
        case "team" if d.teams:
            return owned(possessive(voice.team), word)
        case "all":
            return replace(common("site"), many="the whole board")
        case "none":
            return region("nothing")
        case "empty":
            return common("empty site")
        case "occupied":
            return common("piece", "piece")
        case "neutral":
            return common("neutral piece", "piece")
    if name in d.sides:
        return side_noun(name, at)
    if name in d.kind_type.values and at.how_many(name) == 1:
        return single(f"the {in_words(name)}", "piece")
    if name in d.kind_type.values or name in d.groups_of_kinds:
        return common(in_words(name), "piece")
    if name in d.board.regions and name in SORTS:
        return common(SORTS[name][0])
    if name in d.board.regions:
        return region(REGIONS.get(name, f"the {in_words(name)}"))
    if d.board.index(name) is not None:
        return single(name)
    if name in d.state:
        variable = d.state[name]
        if variable.type == SITES and not variable.is_mark:
            return region(f"the {in_words(name)} sites")
        if variable.is_mark:
            return common(f"{in_words(name)} piece", "piece")
        if variable.type.name == "side":
            return owned(f"the {possessive(in_words(name))}", word)
    return _defined(name, (), at, say) or region(f"the {in_words(name)}")


def _call(
    node: t.Call, function: t.Expression, arguments: Sequence[t.Expression], at: Context, say: Say
) -> Noun:
    if isinstance(function, t.Name):
        told = BUILT_IN.get((function.name, len(arguments)))
        if told is not None:
            return told(arguments, at, say)
        is_word = function.name in at.scope.declarations.state
        if is_word:
            return _indexed(function.name, arguments, at, say)
        if not at.is_relation(function):
            found = _defined(function.name, arguments, at, say)
            if found is not None:
                return found
    if len(arguments) != 1:
        return region(f"the {in_words(name_of(function) or 'sites')}")
    way, start = say.way(function, at), say.noun(arguments[0], at)
    there = common("site").after(way.of(start.one))
    if way.leads_to_one and start.is_one:
        text = f"the site {way.of(start.one)}"
        return replace(there, one=text, many=text, every=text, is_one=True)
    return there


def _indexed(name: str, arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return region(called(name, arguments, at, say, "sites"))


def _defined(name: str, arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun | None:
    found = at.opened(name, arguments)
    if found is None:
        if name not in at.scope.declarations.definitions:
            return None
        return _by_name(name, arguments, at, say)
    definition, inner = found
    if definition.says:
        return captioned_noun(filled(definition.says, inner, say))
    by_side = at.differs_by_side(name, len(arguments))
    if not isinstance(definition.body, t.TableOf | t.DrawingOf) and not by_side:
        told = say.noun(definition.body, inner)
        is_region = definition.result == "sites" and not arguments and not told.is_one
        is_by_name = is_region or isinstance(definition.body, t.Pairs)
        if len(told.one) <= _LONGEST and not is_by_name and not loses_variable(definition.body):
            return told
    return _by_name(name, arguments, at, say)


def _by_name(name: str, arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    words = in_words(name)
    text = called(name, arguments, at, say)
    if words.endswith("s") and not words.endswith("ss"):
        return replace(region(text), one=f"one of {text}", none=f"none of {text}")
    return region(text)


def _operation(
    node: t.Operation, operator: str, operands: Sequence[t.Expression], at: Context, say: Say
) -> Noun:
    match operator:
        case "|":
            kept = [one for one in operands if not at.is_nothing(one)]
            return either([say.noun(one, at) for one in kept or operands])
        case "&":
            return _intersection(operands, at, say)
        case "-" if len(operands) == 2:
            return _without(operands[0], [operands[1]], at, say)
        case "when":
            settled = at.settled(operands[1])
            if settled is True:
                return say.noun(operands[0], at)
            if settled is False:
                return region("nothing")
            return say.noun(operands[0], at).after(f"if {say.holds(operands[1], at)}")
    return region("a part of the board")


def _without(whole: t.Expression, less: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    """Return what a set is called of which others are left out."""
    match whole:
        case t.Operation(_, "-", (first, second)):
            return _without(first, [second, *less], at, say)
    told = common("site") if at.is_everything(whole) else say.noun(whole, at)
    buts = [_but(one, told.kind == "piece", at, say) for one in less if not at.is_nothing(one)]
    comma = ", " if " or " in told.one else " "
    return told.after(listed(buts, "and"), comma) if buts else told


def _but(node: t.Expression, of_piece: bool, at: Context, say: Say) -> str:
    left_out = say.noun(node, at)
    if left_out.is_one:
        return f"other than {left_out.one}"
    return say.trait(node, at, of_piece=of_piece).negated.behind


def _intersection(operands: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    kept = [one for one in operands if not at.is_everything(one)] or list(operands)
    for one in kept:
        if say.noun(one, at).is_one and isinstance(one, t.Name) and one.name in at.words:
            known = say.noun(one, at)
            others = [
                say.trait(x, at, of_piece=known.kind == "piece") for x in kept if x is not one
            ]
            return known.after(f"if {known.one} is {' and '.join(other.text for other in others)}")
    head = min(kept, key=lambda one: _rank(one, at, say))
    rest = [one for one in kept if one is not head]
    kinds = [one for one in rest if kind_of(one, at)]
    told = say.noun(head, at)
    whose = _owner_of(head, at, say)
    if whose and kinds:
        kind = kind_of(kinds[0], at)
        told = owned(whose, in_words(kind))
        if at.how_many(kind, of_each=True) == 1:
            told = single(f"{whose} {in_words(kind)}", "piece")
        rest = [one for one in rest if one is not kinds[0]]
    return told.after(
        " and ".join(say.trait(one, at, of_piece=told.kind == "piece").behind for one in rest)
    )


def _rank(node: t.Expression, at: Context, say: Say) -> int:
    """Return how unfit a set is to be the thing of which the others say more."""
    told = say.noun(node, at)
    if _owner_of(node, at, say):
        return 0
    if kind_of(node, at):
        return 1
    if told.kind == "piece":
        return 2
    if told.one.startswith("an empty site"):
        return 3
    return 4 if isinstance(node, t.Name) else 5


def _owner_of(node: t.Expression, at: Context, say: Say) -> str:
    """Return whose pieces a set has, if it is a side."""
    if isinstance(node, t.Name) and isinstance(at.words.get(node.name), Argument):
        argument = at.words[node.name]
        assert isinstance(argument, Argument)
        return _owner_of(argument.node, argument.at, say)
    kind = at.type_of(node)
    is_side = kind is not None and kind.name == "side"
    told = say.noun(node, at)
    if is_side and told.many.endswith(plural(at.kind_word())):
        return told.many[: -len(plural(at.kind_word()))].strip()
    return ""


def kind_of(node: t.Expression, at: Context) -> str:
    """Return the kind that a set has the pieces of, if it is one; else nothing."""
    d = at.scope.declarations
    value = at.settled(node)
    kind = at.type_of(node)
    if isinstance(value, int) and kind == d.kind_type and value >= 0:
        return d.kind_type.values[value]
    if isinstance(node, t.Name) and node.name in d.groups_of_kinds and node.name not in at.words:
        return node.name
    return ""


def _quantified(node: t.Quantified, at: Context, say: Say) -> Noun:
    match node.word:
        case "sites":
            inner = element(node.domain, node.variable.name, at, say)
            told = say.noun(node.domain, at)
            if at.is_everything(node.domain):
                told = common("site")
            if at.settled(node.body) is True:
                return told
            return told.after(f"for which {say.holds(node.body, inner)}")
        case "union" | "intersection":
            of_its_kind = _of_its_kind(node, at, say)
            if of_its_kind is not None:
                return of_its_kind
            inner = element(node.domain, node.variable.name, at, say)
            told = say.noun(node.body, inner)
            if at.is_relation(node.domain) or isinstance(node.domain, t.Range | t.Listing):
                return told
            if node.word == "intersection":
                return told.after(f"for every one of {say.noun(node.domain, at).many}")
            return told.after(f"for one of {_domain_words(node.domain, at, say)}")
    return region("a part of the board")


def _of_its_kind(node: t.Quantified, at: Context, say: Say) -> Noun | None:
    """Return what a set is called that is there for the kind that a piece has; None of others."""
    match node:
        case t.Quantified(
            _,
            "union",
            variable,
            t.Name(_, "kinds"),
            t.Operation(_, "when", (body, t.Operation(_, "in", (_, t.Name(_, kind))))),
        ) if kind == variable.name:
            slot = Get(Slot(kind, at.scope.declarations.kind_type))
            return say.noun(body, at.named(kind, ITS_KIND, slot))
    return None


def _domain_words(domain: t.Expression, at: Context, say: Say) -> str:
    if isinstance(domain, t.Name) and domain.name in ("kinds", "traits", "players"):
        return "the sides" if domain.name == "players" else "the kinds of piece"
    if isinstance(domain, t.Name) and domain.name == "team":
        return "the sides of the team"
    return say.noun(domain, at).many


# ----------------------- the words of the language and of its prelude that stand for sets, as nouns


def _reach(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way = say.noun(arguments[0], at), say.way(arguments[1], at)
    told = common("site").after(f"that can be reached from {start.many} {way.along}")
    return replace(told, many=f"all that can be reached from {start.many} {way.along}")


def _groups(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return common("group").after(f"of {say.noun(arguments[0], at).many}")


def _run(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way, through = arguments
    where = f"from {say.noun(start, at).one} {say.way(way, at).along}"
    sites = say.noun(through, at)
    told = f"in the unbroken row of {sites.bare} {where}"
    return replace(
        common("piece" if sites.kind == "piece" else "site", sites.kind).after(told),
        many=f"the unbroken row of {sites.bare} {where}",
    )


def _ray(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return _run(arguments, at, say).after("or right behind it")


def _bracketed(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way, through, close = arguments
    caught = say.noun(through, at)
    where = (
        f"{say.way(way, at).along} between {say.noun(start, at).one} and {say.noun(close, at).one}"
    )
    told = common("piece" if caught.kind == "piece" else "site", caught.kind)
    return replace(
        told.after(f"in a row of {caught.bare} {where}"),
        many=f"the rows of {caught.bare} {where}",
        none=f"no row of {caught.bare} {where}",
    )


def _slides(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way, through = (
        say.noun(arguments[0], at),
        say.way(arguments[1], at),
        say.noun(arguments[2], at),
    )
    is_usual = through.one == "an empty site"
    over = "" if is_usual else f" over {through.bare}"
    told = common("empty site" if is_usual else "site")
    if start.kind == "site":
        return told.after(f"that can be slid to from {start.one} {way.along}{over}")
    return told.after(f"that {start.one} can slide to {way.along}{over}")


def _between(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    one, other = (say.noun(argument, at).one for argument in arguments)
    return common("site").after(f"between {one} and {other}")


def _jump(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way, over, landing = arguments
    told = f"behind {say.noun(over, at).one} that is next to {say.noun(start, at).one}"
    return say.noun(landing, at).after(f"{told}, {say.way(way, at).along}")


def _connected(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, _, among = arguments
    sites = say.noun(among, at)
    told = f"of {sites.bare} from {say.noun(start, at).many}"
    return replace(
        common(sites.kind, sites.kind).after(f"in the chain {told}"), many=f"the chain {told}"
    )


def _liberties(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return common("empty site").after(f"next to {say.noun(arguments[0], at).many}")


def _lines(what: str) -> Callable[[Sequence[t.Expression], Context, Say], Noun]:
    def told(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
        ends = [_digits(argument, at, say) for argument in arguments]
        numbers = ends[0] if len(ends) == 1 else f"{ends[0]} to {ends[1]}"
        return region(f"{what if len(ends) == 1 else plural(what)} {numbers}")

    return told


def _digits(node: t.Expression, at: Context, say: Say) -> str:
    known = at.settled(node)
    return str(known) if isinstance(known, int) else say.number(node, at)


def _site(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    column, row = (say.number(argument, at) for argument in arguments)
    return single(f"the site in column {column} and row {row}")


def _first(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return single(f"the first of {say.noun(arguments[0], at).many}")


def _holding(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    told = say.noun(arguments[0], at)
    return common("pile", "piece").after(f"that holds {told.one}")


def _owner(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return owned(f"the owner of {say.noun(arguments[0], at).one}'s", at.kind_word())


def _following(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return owned(
        possessive(
            say.thing(
                t.Call(arguments[0].span, t.Name(arguments[0].span, "following"), tuple(arguments)),
                at,
            )
        ),
        at.kind_word(),
    )


BUILT_IN: dict[tuple[str, int], Callable[[Sequence[t.Expression], Context, Say], Noun]] = {
    ("reach", 2): _reach,
    ("groups", 2): _groups,
    ("run", 3): _run,
    ("ray", 3): _ray,
    ("bracketed", 4): _bracketed,
    ("slides", 3): _slides,
    ("between", 2): _between,
    ("jump", 4): _jump,
    ("connected", 3): _connected,
    ("liberties", 1): _liberties,
    ("rows", 1): _lines("row"),
    ("rows", 2): _lines("row"),
    ("columns", 1): _lines("column"),
    ("columns", 2): _lines("column"),
    ("site", 2): _site,
    ("first", 1): _first,
    ("holding", 1): _holding,
    ("owner", 1): _owner,
    ("following", 1): _following,
    ("following", 2): _following,
}
