"""What writes expressions, as the modules see it that write some of them: loops, floods, functions.

In: an expression, and the place where it stands. Out: instructions, and where the value is. What
then holds: `Expressions` is the one writer; its parts ask it for the expressions inside theirs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set as AbstractSet

from gdl.analysis.number_ranges import NumberRanges
from gdl.core.nodes import Expression
from interpreter.native.emit.kinds import Bit
from interpreter.native.emit.values import Flag, Number, Sites, Value
from interpreter.native.expressions.places import Frames, Place
from interpreter.native.memory.frame import FrameLayout
from interpreter.native.sets.set_code import SetCode


class ExpressionWriter(Frames, ABC):
    """Writes expressions over one program's frames; `choices` are names of ways to write them."""

    def __init__(
        self, sets: SetCode, layout: FrameLayout, ranges: NumberRanges, choices: AbstractSet[str]
    ) -> None:
        super().__init__(sets, layout, ranges)
        self.choices = choices

    @abstractmethod
    def value(self, p: Place, node: Expression) -> Value:
        """Write the code of an expression."""

    def sites(self, p: Place, node: Expression) -> Sites:
        """Write the code of a set."""
        value = self.value(p, node)
        assert isinstance(value, Sites), node.type
        return value

    def flag(self, p: Place, node: Expression) -> Bit:
        """Write the code of a condition; return its register (i1)."""
        value = self.value(p, node)
        assert isinstance(value, Flag), node.type
        return value.register

    def number(self, p: Place, node: Expression) -> Number:
        """Write the code of a number, a fraction or a choice."""
        value = self.value(p, node)
        assert isinstance(value, Number), node.type
        return value
