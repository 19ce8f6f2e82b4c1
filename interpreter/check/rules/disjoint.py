"""Sets that are always empty, because no site is in both of what `&` joins; and such ranges.

In: the texts of a game. Out: warnings. What then holds: two of the words that are joined exclude
each other on every site, whatever happened: no site is empty and occupied, or of two sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from gdl.diagnostic import Diagnostic
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.check.places import RULES, parsed_rules, warning


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
            "always-empty",
            f"No number is from {low.text} to {high.text}, so this is always empty.",
            node.span,
            f"The smaller number stands first: `{high.text}..{low.text}`.",
        )


def _empty(node: t.Operation, game: Game) -> Iterator[Diagnostic]:
    names = [part.name for part in node.operands if isinstance(part, t.Name)]
    if "none" in names and "all" not in names:
        yield warning(
            "always-empty",
            "No site is in `none`, so this is always empty.",
            node.span,
            "Leave it out, or name the sites that are meant.",
        )
        return
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            if _exclude(one, other, game):
                yield warning(
                    "always-empty",
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
