"""The walk through the statements of a turn, which all code of its ways takes.

In: the statements of a block, and what is known of the way that leads there. Out: their code, in
order. What then holds: the kinds of walk differ in what they do where something is decided or
required, and at the end of a way; all else is said here.

- `turns.TurnCode` calls what follows for each possibility, or for the one that is given or drawn;
- `drawn_moves.Drawing` makes the possibility that a number names, in place;
- `counted_moves.Counting` tries each possibility in place, and puts back what it changes;
- `counted_moves.Following` makes the possibility that was noted, in place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import takewhile
from typing import Generic, TypeVar

from gdl.core.nodes import Block, Branch, Choose, Decide, ForEach, Repeat, Require, Say, Statement
from gdl.core.walk import is_effect
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.turns.effects import Effects

Way = TypeVar("Way")
"""What a walk knows of a way: what follows, and whatever else it needs."""


class Walk(ABC, Generic[Way]):
    """Writes the ways through statements, of which those without decisions are `effects`."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.expressions = effects.expressions
        self.sets = effects.expressions.sets

    def go(self, p: Place, block: Block, way: Way) -> None:
        """Write the statements of a block, and then what follows on the way."""
        while True:
            effects = tuple(takewhile(is_effect, block))
            block = block[len(effects) :]
            if not block:
                self.end(p, effects, way)
                return
            if effects:
                way = self.do(p, effects, way)
            statement, block = block[0], block[1:]
            match statement:
                case Require():
                    p.f.note(statement.span)
                    self.require(p, statement, way)
                case Say():
                    self.say(p, statement)
                case _:
                    self.fork(p, statement, self.after(block, way))
                    return

    def fork(self, p: Place, statement: Statement, way: Way) -> None:
        """Write a statement with decisions in it, given the way from behind it."""
        p.f.note(statement.span)
        match statement:
            case Branch(_, condition, then, otherwise):
                holds = self.expressions.flag(p, condition)
                for block in p.f.either(holds, then, otherwise):
                    self.go(p, block, way)
            case Choose():
                self.choose(p, statement, way)
            case Decide():
                self.decide(p, statement, way)
            case ForEach() | Repeat():
                self.loop(p, statement, way)
            case _:
                raise TypeError(f"not a statement with decisions: {statement}")

    def do(self, p: Place, effects: Block, way: Way) -> Way:
        """Write statements without decisions; return the way from behind them."""
        self.effects.effects(p, effects)
        return way

    def say(self, p: Place, statement: Say) -> None:
        """Write that a word is said, if anybody asks what was said."""

    @abstractmethod
    def after(self, block: Block, way: Way) -> Way:
        """Return the way on which a block comes before all that follows."""

    @abstractmethod
    def require(self, p: Place, statement: Require, way: Way) -> None:
        """Write that the way goes on only if a condition holds."""

    @abstractmethod
    def choose(self, p: Place, statement: Choose, way: Way) -> None:
        """Write a choice, and the way from there."""

    @abstractmethod
    def decide(self, p: Place, statement: Decide, way: Way) -> None:
        """Write a decision between alternatives, and the way from there."""

    @abstractmethod
    def loop(self, p: Place, statement: ForEach | Repeat, way: Way) -> None:
        """Write a loop with decisions in it, and the way from there."""

    @abstractmethod
    def end(self, p: Place, effects: Block, way: Way) -> None:
        """Write the effects that a block ends with, and what follows it on the way."""
