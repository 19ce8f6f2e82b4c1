"""Parts of rules that were made of one another: where all are alike but one, or two are the same.

In: the rules of a game, as they are written. Out: notes, each with the other part. What then holds:
the parts stand side by side, and read alike but for what is told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from gdl.board.lattice import CLOCKWISE
from gdl.codes import Code
from gdl.diagnostic import Diagnostic
from gdl.document.nodes import Mapping, Node
from gdl.elaborate.sections.sections import readable
from gdl.interpreter.check.definitions import variable_names
from gdl.interpreter.check.places import PROGRAMS, RULES, note, parsed_rules
from gdl.interpreter.check.rules.texts import EDGES
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in, parts_of

_DEFINED = {"define": "expression", "relations": "expression"}
_FEWEST_NAMES, _FEWEST_PAIRS = 4, 2


def check_copies(game: Game) -> Iterator[Diagnostic]:
    """Yield what was copied and not changed, or changed in one place too few."""
    yield from _same_branches(game)
    yield from _unlike_others(game)
    yield from _unpaid(game)
    yield from _left_undone(game)
    yield from _unasked(game)
    for rules in parsed_rules(game, {**RULES, **_DEFINED}):
        for node in nodes_in(rules):
            if isinstance(node, t.Operation) and node.operator == "or":
                yield from _unlike_ways(node)
                yield from _names_left_out(node)
            elif isinstance(node, t.Operation) and node.operator == "|":
                yield from _one_way(node, game)
                yield from _turned_sites(node)
            if isinstance(node, t.Operation) and node.operator in _OTHERWISE:
                yield from _joined_alike(node)


_OTHERWISE = {"and": "or", "or": "and", "&": "|", "|": "&"}


def _joined_alike(node: t.Operation) -> Iterator[Diagnostic]:
    """Yield parts in parentheses that are joined by the word that stands around them, too.

    Where they have directions alone, no other word can be meant.
    """
    for part in node.operands:
        if isinstance(part, t.Operation) and part.operator == node.operator:
            if all(isinstance(one, t.Name) and one.name in CLOCKWISE for one in part.operands):
                continue
            yield note(
                Code.JOINED_ALIKE,
                f"These parentheses change nothing: `{part.operator}` stands around them, too.",
                part.span,
                f"See whether `{_OTHERWISE[node.operator]}` is meant in them, or leave them out.",
            )


def shape_of(node: object) -> object:
    """Return an expression without its names, and without the numbers that are given to no word."""
    match node:
        case t.Name():
            return "name"
        case t.Call():
            given = (
                one.text if isinstance(one, t.Number) else shape_of(one) for one in node.arguments
            )
            return ("call", node.function.span.text, *given)
        case t.Number():
            return "number"
        case t.Node():
            return (type(node).__name__, *map(shape_of, parts_of(node)))
        case tuple():
            return tuple(map(shape_of, node))
    return node


def _text(*nodes: t.Node) -> str:
    """Return how nodes are written, but for blanks."""
    return " ".join(word for node in nodes for word in node.span.text.split())


# ------------------------------------------------------------------- branches that do the same


def _same_branches(game: Game) -> Iterator[Diagnostic]:
    """Yield two branches of an `if`, one behind the other, in which the same is done."""
    for rules in parsed_rules(game, PROGRAMS):
        for node in nodes_in(rules):
            if not isinstance(node, t.If):
                continue
            after = node.otherwise
            if len(after) == 1 and isinstance(after[0], t.If):
                after = after[0].then
            if after and _text(*node.then) == _text(*after):
                yield note(
                    Code.SAME_BRANCHES,
                    "The same is done here as in the branch before.",
                    after[0].span.to(after[-1].span),
                    "See whether one of them should do something else; if not, join their"
                    " conditions by `or`.",
                    (("The branch before is here.", node.then[0].span.to(node.then[-1].span)),),
                )


# ------------------------------------------------- ways of a turn of which all ask or do, but one

_BRINGING = (t.Place, t.MovePiece, t.Shift)
_FEWEST_WAYS, _FEWEST_REQUIRING = 3, 4
Ways = list[tuple[t.Node, ...]]


def _unlike_others(game: Game) -> Iterator[Diagnostic]:
    """Yield the one way, of three and more, that does not ask or do what all others do."""
    for ways in _ways(game):
        if len({any(isinstance(n, _BRINGING) for n in nodes_in(way)) for way in ways}) > 1:
            continue  # one that takes a piece off the board is no copy of those that bring one
        said = [dict(_said(way)) for way in ways]
        number = Counter(text for one in said for text in one)
        for way, one in zip(ways, said, strict=True):
            for text, times in number.items():
                if times != len(ways) - 1 or text in one:
                    continue
                others = {w: o[text] for w, o in zip(ways, said, strict=True) if text in o}
                if not any(_is_copy(way, of, part) for of, part in others.items()):
                    continue
                first = next(iter(others.values()))
                is_required = isinstance(first, t.Require)
                if len(ways) >= (_FEWEST_REQUIRING if is_required else _FEWEST_WAYS):
                    yield note(
                        Code.UNLIKE_OTHERS,
                        f"All other {times} ways here have `{first.span.text}`.",
                        way[0].span,
                        "See whether this one should have it, too.",
                        (("One of them has it here.", first.span),),
                    )


def _is_copy(way: tuple[t.Node, ...], of: tuple[t.Node, ...], but: t.Node) -> bool:
    """Whether a way has the same kinds of statements as another one, but for a part of that."""
    own, others = (_statements(one) for one in (way, of))
    return own == others - _statements((but,))


def _statements(nodes: tuple[t.Node, ...]) -> Counter[type]:
    return Counter(type(node) for node in nodes_in(nodes) if isinstance(node, t.Statement))


def _unpaid(game: Game) -> Iterator[Diagnostic]:
    """Yield what is required to be enough and not taken from, where it is in all other ways."""
    asking: dict[str, list[tuple[t.Node, bool]]] = {}
    programs, variables = list(parsed_rules(game, PROGRAMS)), variable_names(game)
    inner = (node for rules in programs for node in nodes_in(rules))
    bodies = [*programs, *(node.body for node in inner if isinstance(node, t.Alternative))]
    for body in bodies:
        paid = {n.target.name.name for n in nodes_in(body) if isinstance(n, t.Add | t.Assign)}
        for node in body:
            match node:
                case t.Require(
                    condition=t.Operation(
                        operator=">=" | ">",
                        operands=(
                            t.Call(function=t.Name(name=name)) | t.Name(name=name),
                            *_,
                        ),
                    )
                ) if name in variables:
                    asking.setdefault(name, []).append((node, name in paid))
    for body in bodies:
        yield from _paid_by_other(body, variables)
    for name, found in asking.items():
        unpaid = [node for node, is_paid in found if not is_paid]
        paying = [node for node, is_paid in found if is_paid]
        if len(unpaid) == 1 <= len(paying):
            yield note(
                Code.UNLIKE_OTHERS,
                f"`{name}` must be enough here and is not changed then; in all other ways it is.",
                unpaid[0].span,
                "See whether something is to be paid here, too.",
                (("Here it is changed then.", paying[0].span),),
            )


def _paid_by_other(body: tuple[t.Node, ...], variables: frozenset[str]) -> Iterator[Diagnostic]:
    """Yield what is taken from the one side, where the other one must have enough of it."""
    taken: dict[str, dict[str, t.Add]] = {}
    for node in nodes_in(body):
        if isinstance(node, t.Add) and _LESS.match(node.amount.span.text):
            side = next(iter(_SIDES & set(map(_text, node.target.arguments))), "")
            taken.setdefault(node.target.name.name, {})[side] = node
    for node in body:
        match node:
            case t.Require(
                condition=t.Operation(
                    operator=">=" | ">",
                    operands=(t.Call(function=t.Name(name=name), arguments=given), *_),
                )
            ) if name in variables and name in taken:
                side = next(iter(_SIDES & set(map(_text, given))), "")
                other = taken[name].get("enemy" if side == "mover" else "mover")
                if side and other is not None and side not in taken[name]:
                    yield note(
                        Code.UNLIKE_OTHERS,
                        f"`{name}` must be enough for one side, and is taken from the other one.",
                        other.span,
                        "See whether both should be of the same side.",
                        (("It must be enough here.", node.span),),
                    )


_LESS, _SIDES = re.compile(r"-|0 -"), {"mover", "enemy"}


def _left_undone(game: Game) -> Iterator[Diagnostic]:
    """Yield a way that ends with a piece somewhere, where another one then does an action there.

    Such as `move n of s onto t`, `do trim(t)` in one, and `place Load onto t` in the other.
    """
    for ways in _ways(game):
        ends = [found for way in ways if (found := _last_brought(way)) is not None]
        for brought, after in ends:
            done = [
                other
                for copy, other in ends
                if type(copy) is type(brought) or {copy.way, brought.way} == {"onto"}
                if copy.way == brought.way and len(other) == 1 and isinstance(other[0], t.Do)
                if _text(_goal(copy)) in map(_text, other[0].arguments)
            ]
            if done and not after:
                yield note(
                    Code.UNLIKE_OTHERS,
                    f"Another way then does `{done[0][0].span.text}`, and this one nothing.",
                    brought.span,
                    "See whether this one should do it, too.",
                    (("It is done here.", done[0][0].span),),
                )


def _last_brought(
    way: tuple[t.Node, ...],
) -> tuple[t.Place | t.MovePiece, tuple[t.Node, ...]] | None:
    """Return the last statement of a way that brings a piece, and what stands behind it."""
    for at in range(len(way) - 1, -1, -1):
        statement = way[at]
        if isinstance(statement, t.Place | t.MovePiece):
            return statement, way[at + 1 :]
    return None


def _goal(statement: t.Place | t.MovePiece) -> t.Node:
    return statement.sites if isinstance(statement, t.Place) else statement.destination


def _unasked(game: Game) -> Iterator[Diagnostic]:
    """Yield a way that moves a piece of one's own, where another asks that it is `not …`."""
    for ways in _ways(game):
        movers = [found for way in ways if (found := _chosen_own(way)) is not None]
        names = {name: part for _, asked, _ in movers for name, part in asked.items()}
        for choice, asked, used in movers:
            for name, part in names.items():
                if name not in asked and name not in used:
                    yield note(
                        Code.UNLIKE_OTHERS,
                        f"Another way asks for `{part.span.text}` of the piece that moves.",
                        choice.span,
                        "See whether this one should ask it, too.",
                        (("It is asked here.", part.span),),
                    )


def _chosen_own(
    way: tuple[t.Node, ...],
) -> tuple[t.Choose, dict[str, t.Node], set[str]] | None:
    """Return the choice of the own piece that a way moves, what it must not be, and all names."""
    used = {node.name for node in nodes_in(way) if isinstance(node, t.Name)}
    moved = {_text(node.source) for node in nodes_in(way) if isinstance(node, t.MovePiece)}
    for node in nodes_in(way):
        if isinstance(node, t.Choose) and "own" in map(_text, nodes_in([node.domain])):
            condition = node.condition
            parts: tuple[t.Node, ...] = () if condition is None else (condition,)
            if isinstance(condition, t.Operation) and condition.operator == "and":
                parts = condition.operands
            asked = {
                str(match[1]): part
                for part in parts
                if (match := re.fullmatch(rf"not (\w+)\({node.variable.name}\)", _text(part)))
            }
            return (node, asked, used) if node.variable.name in moved else None
    return None


def _ways(game: Game) -> Iterator[Ways]:
    """Yield the ways among which a turn has a choice, together."""
    yield from _named_ways(game.document.get("turn"))
    phases = game.document.get("phases")
    for _, phase in phases.entries if isinstance(phases, Mapping) else ():
        yield from _named_ways(phase.get("turn") if isinstance(phase, Mapping) else None)
    for rules in parsed_rules(game, PROGRAMS):
        for node in nodes_in(rules):
            if isinstance(node, t.Either):
                yield [way.body for way in node.alternatives]


def _named_ways(section: Node | None) -> Iterator[Ways]:
    """Yield the ways with names of their own: `turn: {slide: …, jump: …}`."""
    if not isinstance(section, Mapping):
        return
    found = [readable(value, "program") for _, value in section.entries]
    programs = [one for one in found if isinstance(one, tuple)]
    if len(programs) == len(found):
        yield programs


def _said(way: tuple[t.Node, ...]) -> Iterator[tuple[str, t.Node]]:
    """Yield what a way asks and does, each as it is written, but for the names that it chooses."""
    names = [one.variable.name for one in nodes_in(way) if isinstance(one, t.Choose)]
    for node in nodes_in(way):
        parts: tuple[t.Node, ...] = ()
        match node:
            case t.Choose(condition=asked) if asked is not None:
                is_joined = isinstance(asked, t.Operation) and asked.operator == "and"
                parts = asked.operands if isinstance(asked, t.Operation) and is_joined else (asked,)
            case t.Add() | t.Assign() | t.Do() | t.Require():
                parts = (node,)
        for part in parts:
            text = _text(part)
            for number, name in enumerate(names):
                text = re.sub(rf"\b{re.escape(name)}\b", f"_{number}", text)
            yield text, part


# ---------------------------------------------- alternatives that are alike but for one more thing


def _unlike_ways(node: t.Operation) -> Iterator[Diagnostic]:
    """Yield two ways to a goal that ask for other edges, and differ in one thing more.

    Such as `joined(left, right, R, A) or joined(top, bottom, R, B)`: one was made of the other.
    """
    for one, other in pairwise(node.operands):
        if (names := _one_difference(one, other)) is not None:
            yield note(
                Code.NO_MIRROR_IMAGE,
                f"Two ways ask for other edges; one of them has `{names[0]}` where the other has"
                f" `{names[1]}`.",
                other.span,
                "See whether both should have the same.",
                (("The other way is here.", one.span),),
            )


def _one_difference(one: t.Node, other: t.Node) -> tuple[str, str] | None:
    """Return what alone differs in two calls for pairs of edges, besides these."""
    if not (isinstance(one, t.Call) and isinstance(other, t.Call)):
        return None
    parts = zip(one.arguments, other.arguments, strict=False)
    pairs = [(a.span.text, b.span.text) for a, b in parts]
    edges = [pair for pair in pairs if EDGES.keys() >= {*pair}]
    differ = [pair for pair in pairs if pair[0] != pair[1] and pair not in edges]
    is_alike = one.function.span.text == other.function.span.text
    return differ[0] if is_alike and len(edges) == 2 and len(differ) == 1 else None


def _names_left_out(node: t.Operation) -> Iterator[Diagnostic]:
    """Yield alternatives whose lists have each name as often, but one too often, one too seldom.

    Such as the sides of tiles, `s = left and k in (A, B) or s = right and k in (C, B) or …`.
    """
    if len({shape_of(one) for one in node.operands}) != 1:
        return
    names = [
        item
        for operand in node.operands
        for listing in nodes_in([operand])
        if isinstance(listing, t.Listing)
        for item in listing.items
        if isinstance(item, t.Name)
    ]
    numbers = Counter(name.name for name in names)
    usual = numbers.total() // len(numbers) if names else 0
    more, less = (
        [name for name, times in numbers.items() if times == usual + by] for by in (1, -1)
    )
    known = sum(times == usual for times in numbers.values())
    if len(numbers) < _FEWEST_NAMES or (len(more), len(less)) != (1, 1) or not usual:
        return
    if known == len(numbers) - 2:
        places = [name for name in names if name.name == more[0]]
        yield note(
            Code.NUMBER_TWICE,
            f"`{more[0]}` stands in {usual + 1} of these alternatives, `{less[0]}` in {usual - 1};"
            f" of the others, each stands in {usual}.",
            node.span,
            f"See whether one `{more[0]}` should be `{less[0]}`.",
            [("It is named here.", one.span) for one in places],
        )


# ------------------------------------------- ways of which one does not lead back, and turned sites


def _one_way(node: t.Operation, game: Game) -> Iterator[Diagnostic]:
    """Yield one direction that does not lead back, where all others do.

    Of what is written as `north from A | south into A`: what leads there from a site of `A` leads
    back into one.
    """
    ways: dict[str, tuple[str, str, t.Node]] = {}
    for part in node.operands:
        match part:
            case t.Operation(operator="from" | "into" as word, operands=(t.Name(name=name), where)):
                ways[name] = word, _text(where), part
            case _:
                return
    pairs = [(one, _back(one, ways, game)) for one in ways]
    both = [(ways[one], ways[other]) for one, other in pairs if other and one < other]
    turned = [pair for pair in both if pair[0][:2] == pair[1][:2]]
    back = [pair for pair in both if pair[0][0] != pair[1][0] and pair[0][1] == pair[1][1]]
    if (
        len(turned) == 1
        and len(both) == len(back) + 1 >= _FEWEST_PAIRS
        and 2 * len(both) == len(ways)
    ):
        (one, other), *_ = turned
        yield note(
            Code.MISSING_DIRECTION,
            f"All other ways here lead there and back; of these two, both have `{one[0]}`.",
            other[2].span,
            "See whether one of them should be `into`, the other `from`.",
            (("The way in the other direction is here.", one[2].span),),
        )


def _back(name: str, names: Iterable[str], game: Game) -> str | None:
    """Return which of some directions leads back where one leads."""
    relations = game.board.relations
    way = relations.get(name)
    if way is None:
        return None
    return next((o for o in names if o in relations and relations[o] == way.inverse()), None)


def _turned_sites(node: t.Operation) -> Iterator[Diagnostic]:
    """Yield a site of a row and a column, where one beside it is of a column and a row."""
    words = {_of_site(part): part for part in node.operands}
    straight, turned = words.get(("column", "row")), words.get(("row", "column"))
    if straight is not None and turned is not None:
        yield note(
            Code.ARGUMENTS_EXCHANGED,
            "`site` is given a row and a column here, and a column and a row beside it.",
            turned.span,
            "The column stands first: `site(column(s), row(t))`.",
            (("The other one is here.", straight.span),),
        )


def _of_site(node: t.Node) -> tuple[str, ...]:
    """Return the words by which a site is found, if it is by two."""
    match node:
        case t.Call(function=t.Name(name="site"), arguments=(t.Call() as one, t.Call() as other)):
            return one.function.span.text, other.function.span.text
    return ()
