"""Sets of sites: which are always empty or unnamed, and which ways and directions are meant.

In: the texts of a game. Out: warnings. What then holds: two of the words that are joined exclude
each other on every site, whatever happened: no site is empty and occupied, or of two sides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from gdl.board.lattice import CLOCKWISE
from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping, Node, Scalar
from gdl.elaborate.sections.sections import readable
from gdl.interpreter.check.definitions import defined_names
from gdl.interpreter.check.places import RULES, note, parsed_rules, warning, without_comments
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in


def disjoint_sets(game: Game) -> Iterator[Diagnostic]:
    """Yield the intersections in which no site can be, and the ranges without a number."""
    for rules in parsed_rules(game, RULES):
        for node in nodes_in(rules):
            if isinstance(node, t.Operation) and node.operator == "&":
                yield from _empty(node, game)
            if isinstance(node, t.Range):
                yield from _without_number(node)


def _without_number(node: t.Range) -> Iterator[Diagnostic]:
    low, high = node.low, node.high
    if not isinstance(low, t.Number) or not isinstance(high, t.Number):
        return
    if Fraction(low.text) > Fraction(high.text):
        yield warning(
            Code.ALWAYS_EMPTY,
            f"No number is from {low.text} to {high.text}, so this is always empty.",
            node.span,
            f"The smaller number stands first: `{high.text}..{low.text}`.",
        )


def _empty(node: t.Operation, game: Game) -> Iterator[Diagnostic]:
    names = [part.name for part in node.operands if isinstance(part, t.Name)]
    if "none" in names and "all" not in names:
        yield warning(
            Code.ALWAYS_EMPTY,
            "No site is in `none`, so this is always empty.",
            node.span,
            "Leave it out, or name the sites that are meant.",
        )
        return
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            if _exclude(one, other, game):
                yield warning(
                    Code.ALWAYS_EMPTY,
                    f"No site is in both `{one}` and `{other}`, so this is always empty.",
                    node.span,
                    "Write `|` if either is meant, or leave one of them out.",
                )
                return


def _exclude(one: str, other: str, game: Game) -> bool:
    """Return whether no site is in both of two words."""
    occupied = {"own", "enemy", "occupied", *game.sides}
    if "empty" in (one, other):
        return bool({one, other} & occupied)
    if game.piles is not None or len(game.sides) != 2:
        return False
    return {one, other} in ({"own", "enemy"}, set(game.sides))


# ------------------------------- ways that lead over pieces, since they are to go through all sites

_SLIDING = ("slides", "ray")


def slides_over_pieces(game: Game) -> Iterator[Diagnostic]:
    """Yield the slides and rays that go through all sites, those with pieces on them as well."""
    for rules in parsed_rules(game, RULES):
        for node in nodes_in(rules):
            match node:
                case t.Call(
                    function=t.Name(name=word), arguments=(*_, t.Name(name="all") as through)
                ) if word in _SLIDING:
                    yield note(
                        Code.OVER_PIECES,
                        f"`{word}` leads on over pieces here, since it goes through `all`.",
                        through.span,
                        "Write `empty`, if a piece is to stop it.",
                    )


# ------------------------- words for one direction that are given a relation which leads in several

_EACH_DIRECTION = {
    "line": "some d in {relation} where line({before}, d, {after})",
    "run": "slides({before}, {relation}, {after})",
    "ray": "union d in {relation} of ray({before}, d, {after})",
    "bracketed": "union d in {relation} of bracketed({before}, d, {after})",
    "jump": "union d in {relation} of jump({before}, d, {after})",
}
"""What is meant, by the word that was written."""


def turning_ways(game: Game) -> Iterator[Diagnostic]:
    """Yield the relations of several directions where one direction is asked for."""
    for rules in parsed_rules(game, RULES):
        for node in nodes_in(rules):
            match node:
                case t.Call(
                    function=t.Name(name=word), arguments=(before, t.Name() as way, *after)
                ):
                    relation = game.board.relations.get(way.name)
                    if word not in _EACH_DIRECTION or relation is None or relation.is_function:
                        continue
                    texts = [one.span.text for one in (before, *after)]
                    instead = _EACH_DIRECTION[word].format(
                        before=texts[0], relation=way.name, after=", ".join(texts[1:])
                    )
                    yield warning(
                        Code.SEVERAL_DIRECTIONS,
                        f"`{word}` goes on in one direction, and `{way.name}` leads in several: a"
                        " way may turn here, and come back.",
                        way.span,
                        f"Write `{instead}`, for each direction by itself.",
                    )


def turning_lists(game: Game) -> Iterator[Diagnostic]:
    """Yield what leads in several directions in a list of directions to go on in.

    A variable that runs over a list is all of each element, one after the other.
    """
    for rules in parsed_rules(game, RULES):
        for node in nodes_in(rules):
            match node:
                case (
                    t.Quantified(domain=t.Listing(items=items))
                    | t.ForEach(domain=t.Listing(items=items))
                ):
                    word = _going_on_in(node.variable.name, node.body)
                case t.Call(
                    function=t.Name(name="slides" as word), arguments=(_, t.Listing(items=items), _)
                ):
                    pass
                case _:
                    continue
            several = next((item for item in items if _leads_in_several(item, game)), None)
            if word and several is not None:
                texts = [
                    f"({one.span.text})" if isinstance(one, t.Operation) else one.span.text
                    for one in items
                ]
                yield warning(
                    Code.SEVERAL_DIRECTIONS,
                    f"`{word}` goes on in one direction, and this element of the list leads in"
                    " several at once: a way may turn here, and come back.",
                    several.span,
                    "Write a family, of which each direction is taken by itself: "
                    f"`{' | '.join(texts)}`.",
                )


def _going_on_in(name: str, body: t.Node | tuple[t.Node, ...]) -> str:
    """Return the word for one direction that is given a variable; nothing if none is."""
    for node in nodes_in(body if isinstance(body, tuple) else (body,)):
        match node:
            case t.Call(function=t.Name(name=word), arguments=(_, t.Name(name=way), *_)):
                if word in _EACH_DIRECTION and way == name:
                    return word
    return ""


def _leads_in_several(node: t.Expression, game: Game) -> bool:
    """Return whether a relation is a family, whole or cut, by the words in which it is written."""
    match node:
        case t.Name(name=name):
            relation = game.board.relations.get(name)
            return relation is not None and not relation.is_function
        case t.Operation(operator="from" | "into" | "within", operands=(of, _)):
            return _leads_in_several(of, game)
        case t.Operation(operator="|", operands=parts):
            return all(
                _leads_in_several(part, game)
                or (isinstance(part, t.Name) and part.name in game.board.relations)
                for part in parts
            )
    return False


# ------------------------------------- lines of a board, of which a condition leaves out just one

_ALONG = ("line", "run", "ray", "reach", "bracketed", "jump", "slides", "chain")
"""Words that lead along a line, in a direction that they are given."""
_FEWEST_LINES = 3
_ASKING = ("some", "no", "every", "count", "sum")


def missing_directions(game: Game) -> Iterator[Diagnostic]:
    """Yield the conditions that look along all lines of the board but one.

    One direction stands for the line that leads there and back; what looks at a neighbour alone
    may well be meant for some directions.
    """
    lines = _lines(game)
    for rules in parsed_rules(game, RULES) if len(lines) >= _FEWEST_LINES else ():
        for node in nodes_in(rules):
            if not isinstance(node, t.Quantified) or node.word not in _ASKING:
                continue
            names = _directions_in(node.domain)
            there = [line for line in lines for name in names if name in line]
            if len(there) != len(lines) - 1 or len(set(there)) != len(there) != len(names):
                continue
            if len(names) == len(there) and _looks_along(node.body, node.variable.name, game):
                (missing,) = (line for line in lines if line not in there)
                yield note(
                    Code.MISSING_DIRECTION,
                    f"This looks along all lines of the board but that to the"
                    f" {' and '.join(sorted(missing))}.",
                    node.domain.span,
                    f"See whether it should look there, too: add `{min(missing)}`.",
                )


def _lines(game: Game) -> list[frozenset[str]]:
    """Return the directions of the board by twos, each with the one that leads back."""
    relations = game.board.relations
    ways = {
        name: relations[name]
        for name in CLOCKWISE
        if name in relations and relations[name].is_function and relations[name].offset_classes
    }
    found: list[frozenset[str]] = []
    for name, way in ways.items():
        back = next((other for other, one in ways.items() if one == way.inverse()), None)
        if back is not None and frozenset((name, back)) not in found:
            found.append(frozenset((name, back)))
    return found


def _directions_in(domain: t.Expression) -> list[str]:
    match domain:
        case t.Listing(items=items) | t.Operation(operator="|", operands=items):
            return [one.name for one in items if isinstance(one, t.Name)]
    return []


def _looks_along(body: t.Expression, direction: str, game: Game) -> bool:
    """Return whether an expression goes on in a direction, not just one step."""
    defined = defined_names(game)
    for node in nodes_in((body,)):
        match node:
            case t.Operation(operator="^", operands=(t.Name(name=name), *_)) if name == direction:
                return True
            case t.Call(function=t.Name(name=word), arguments=arguments):
                is_given = any(isinstance(a, t.Name) and a.name == direction for a in arguments)
                if is_given and (word in _ALONG or word in defined):
                    return True
    return False


# --------------------------------------------------------- regions and relations that nothing names

_SECTIONS = ("regions", "relations")
_NAME = re.compile(r"[A-Za-z_]\w*")


def unused_regions_and_relations(game: Game) -> Iterator[Diagnostic]:
    """Yield the regions and relations whose names stand nowhere else, at their first entry."""
    unread = Counter(_names(game.document))
    found: dict[str, tuple[str, Span]] = {}
    for section in _SECTIONS:
        entries = game.document.get(section)
        for key, body in entries.entries if isinstance(entries, Mapping) else ():
            head = readable(key, "head")
            if isinstance(head, t.Head):
                found.setdefault(head.name.name, (section, head.span))
                unread.subtract(n for n in (*_names(key), *_names(body)) if n == head.name.name)
    for name, (section, span) in found.items():
        if not unread[name]:
            yield warning(
                Code.UNUSED,
                f"`{name}` stands under `{section}`, but nothing uses it.",
                span,
                "Remove it, or use it: in a rule, in the set-up or under `display`.",
            )


def _names(node: Node) -> Iterator[str]:
    """Yield the names in the keys and texts of a part of a file, as often as they stand there."""
    if isinstance(node, Scalar):
        yield from _NAME.findall(without_comments(node.text))
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield from (*_names(key), *_names(value))
    else:
        for item in node.items:
            yield from _names(item)
