"""Ways that lead over pieces, since they are to go through all sites.

In: the texts of a game. Out: notes. What then holds: the word that is told has `all` for the sites
that it goes through.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import Diagnostic
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.check.places import RULES, note, parsed_rules

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
                        "over-pieces",
                        f"`{word}` leads on over pieces here, since it goes through `all`.",
                        through.span,
                        "Write `empty`, if a piece is to stop it.",
                    )
