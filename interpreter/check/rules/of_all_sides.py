"""Ends that ask where the pieces of all sides are, though those of one are meant.

In: the clauses of `end` and `stuck`. Out: warnings. What then holds: the condition asks whether a
whole set is somewhere, and that is a kind of which several sides have pieces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gdl.diagnostic import Diagnostic
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.check.places import parsed_rules, warning

_ENTRIES = {"end": "clause", "stuck": "stuck_clause"}


def pieces_of_all_sides(game: Game) -> Iterator[Diagnostic]:
    """Yield the conditions that hold when the pieces of all sides are somewhere."""
    owners = Counter(game.kinds[layer.kind] for layer in game.layers if layer.side is not None)
    for rules in parsed_rules(game, _ENTRIES):
        for node in nodes_in(rules):
            match node:
                case t.Operation(operator="in", operands=(t.Name(name=kind), there)):
                    if owners[kind] < 2:
                        continue
                    text = there.span.text
                    place = f"({text})" if isinstance(there, t.Operation) else text
                    yield warning(
                        "of-all-sides",
                        f"`{kind}` has the pieces of all sides: this holds when all of them are"
                        " there.",
                        node.span,
                        f"Whether one of a side is there is `some own & {kind} & {place}`; whether"
                        f" all of that side are, `own & {kind} in {place}`.",
                    )
