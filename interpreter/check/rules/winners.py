"""Goals that are told by the pieces of the wrong side.

In: the clauses of a game. Out: notes. What then holds: a goal that is told asks for what the enemy
has, and for nothing that the side has that wins by it.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import Diagnostic
from gdl.document.nodes import Scalar
from gdl.elaborate.sections import readable, texts
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.check.places import note

_OWN = frozenset(("own", "mover"))


def won_by_enemy(game: Game) -> Iterator[Diagnostic]:
    """Yield clauses by which the side that has moved wins, since the enemy has something."""
    for entry, text in _clauses(game):
        clause = readable(text, entry)
        if isinstance(clause, t.Ranking) and clause.rank == "highest" and clause.outcome == "wins":
            names = _names(clause.value)
            if "enemy" in names and not names & _OWN:
                yield note(
                    "won-by-enemy",
                    "Who has the highest wins, and it counts what the enemy has.",
                    clause.span,
                    "See whether `own` is meant, or `lowest`.",
                )
            continue
        if not isinstance(clause, t.Outcome) or clause.outcome != "wins":
            continue
        if {side.name for side in clause.sides} != {"mover"} or clause.condition is None:
            continue
        asked = _asked_for(clause.condition)
        if "enemy" in asked and not asked & _OWN:
            yield note(
                "won-by-enemy",
                "Who has moved wins by this, and it asks for what the enemy has.",
                clause.span,
                "See whether `own` is meant, or `enemy wins`, or `mover loses`.",
            )


def _clauses(game: Game) -> Iterator[tuple[str, Scalar]]:
    """Yield the texts of the clauses of `end` and `stuck`, each with what it is in the grammar."""
    for section, entry in (("end", "clause"), ("stuck", "stuck_clause")):
        for text in texts(game.document.get(section)):
            yield entry, text


def _asked_for(condition: t.Expression) -> frozenset[str]:
    """Return the names of what must be there for a condition to hold."""
    match condition:
        case t.Operation(operator="and" | "or", operands=operands):
            return frozenset().union(*map(_asked_for, operands))
        case t.Operation(operator="some"):
            return _names(condition)
        case t.Call() | t.Quantified(word="some"):
            return _names(condition)
    return frozenset()


def _names(node: t.Node) -> frozenset[str]:
    return frozenset(inner.name for inner in nodes_in((node,)) if isinstance(inner, t.Name))
