"""A move that has not been made, as a drawing shows it: advice, or what is asked about.

In: a position and a legal move. Out: a `Meant`. What then holds: where a piece goes there are
arrows along its way, and the sites that the move names besides are marked.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.render.scene import Scene

ADVISED = "!"
"""What marks a site that is advised."""


@dataclass(frozen=True)
class Meant:
    """A move on the board: `sites` are marked, `arrows` lead from one site to another."""

    sites: frozenset[int] = frozenset()
    arrows: tuple[tuple[int, int], ...] = ()

    def on(self, scene: Scene) -> Scene:
        """Return the drawing with the move on it."""
        marks = {**scene.highlights, **dict.fromkeys(self.sites, ADVISED)}
        return replace(scene, highlights=marks, arrows=self.arrows)


def meant(position: Position, move: Move) -> Meant:
    """Return how a legal move is shown before it is made.

    Where the rules hide something, what the move would do is not looked at: only its sites are.
    """
    named = position.sites_of(move)
    if position.rules.game.hides:
        return Meant(named)
    try:
        way = position.play(move).last.way
    except RuleError:
        way = ()
    arrows = tuple(pair for pair in pairwise(way) if pair[0] != pair[1])
    return Meant(named - set(way[:-1]), arrows)
