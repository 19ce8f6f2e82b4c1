"""What parts of a game's file stand for, asked after it was loaded.

In: a game; nodes of the syntax, each in its scope. Out: values, worked out as far as they can be:
before play, or where `gdl.interpreter.explain.moment` knows a position. What then holds: each value
is elaborated anew from the node itself, and asking changes nothing of what the file says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from gdl.core.build import TooLarge
from gdl.core.nodes import Const, Expression, Slot
from gdl.core.operations import Overflow
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.elaboration import Elaboration, Spent
from gdl.elaborate.names.limits import Exhausted
from gdl.elaborate.names.scope import Problem, Scope, Silent
from gdl.elaborate.names.values import Value
from gdl.model import Game
from gdl.resources.budget import TooMuchWork
from gdl.syntax import tree as t

NO_VALUE = (Problem, Silent, Exhausted, TooLarge, TooMuchWork, Overflow, RecursionError)
"""What is raised where a node has no value."""


class Asker:
    """Asks of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._elaboration: Elaboration | None = None

    @cached_property
    def at_start(self) -> Mapping[Slot, object]:
        """What the slots of a position hold at the start."""
        return dict(zip(self.game.program.state, self.game.program.initial, strict=True))

    def scope(self, scope: Scope) -> Scope:
        """Return a scope for questions, which have a count of work of their own from here."""
        if self._elaboration is None:
            self._elaboration = scope.elaboration.fork()
        self._elaboration.spent = Spent()
        if scope.elaboration is self._elaboration:
            return scope
        return replace(scope, elaboration=self._elaboration)

    def before_play(self, node: t.Expression, scope: Scope) -> Value | None:
        """Return what a node stands for in a scope for questions; None if there is no saying."""
        try:
            return ex.elaborate(node, scope)
        except NO_VALUE:
            return None

    def worth(self, value: Expression) -> Const | None:
        """Return what an expression of the core is worth; None if it can't be worked out."""
        return value if isinstance(value, Const) else None

    def settled(self, value: Value) -> Value:
        """Return a value in which what can be worked out is a constant."""
        return (self.worth(value) or value) if isinstance(value, Expression) else value
