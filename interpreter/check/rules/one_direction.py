"""Words for one direction that are given a relation which leads in several.

In: the texts of a game. Out: warnings. What then holds: the word that is told goes on from each
site in any of several directions, so that a way may turn, and come back.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import Diagnostic
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.check.places import RULES, parsed_rules, warning

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
                        "several-directions",
                        f"`{word}` goes on in one direction, and `{way.name}` leads in several: a"
                        " way may turn here, and come back.",
                        way.span,
                        f"Write `{instead}`, for each direction by itself.",
                    )
