"""Sets of sites: which are always empty or unnamed, and which ways and directions are meant.

In: the texts of a game. Out: warnings. What then holds: two of the words that are joined exclude
each other on every site, whatever happened: no site is empty and occupied, or of two sides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping, Node, Scalar
from gdl.elaborate.sections.sections import readable
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.check.places import RULES, note, parsed_rules, warning, without_comments


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
