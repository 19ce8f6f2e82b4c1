"""Functions for what is worked out in several places.

In: expressions. Out: calls of functions of a frame, one for each expression that takes long and
reads nothing but the frame: on large boards, all of them, on others, those that are `shared`.
What then holds: such an expression is in the code once, whichever side's turn or ending it stands
in.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from gdl.core.nodes import Can, Closure, Expression, Fold, Let, Select, Times
from gdl.core.singles import is_single
from gdl.core.types import FLAG, SITES
from gdl.core.walk import expressions_in
from interpreter.native.emit.ir import Function, Module, width_of
from interpreter.native.emit.values import Flag, Number, Sites, Value
from interpreter.native.expressions.places import Place
from interpreter.native.expressions.writer import ExpressionWriter

_PARAMETERS = ["ptr %frame", "ptr %world"]


class Outlines:
    """Writes functions of expressions; `expressions` writes what is in them."""

    def __init__(
        self,
        module: Module,
        expressions: ExpressionWriter,
        shared: AbstractSet[Expression],
    ) -> None:
        self._shared = shared
        self._module = module
        self._expressions = expressions
        self._names: dict[Expression, str] = {}

    def value(self, p: Place, node: Expression) -> Value | None:
        """Write the call for an expression; None if it is to be written in place."""
        if not self._is_apart(p, node):
            return None
        if node not in self._names:
            self._names[node] = f"value_{len(self._names)}"
            self._write(self._names[node], node)
        called, f = f"@{self._names[node]}(ptr {p.frame}, ptr {p.world}", p.f
        if node.type == SITES:
            result = self._expressions.sets.variable(f)
            f.do(f"call void {called}, ptr {result})")
            return Sites(result)
        if node.type == FLAG:
            return Flag(f.ins(f"call i1 {called})"))
        found = self._expressions.ranges.of(node)
        register = f.ins(f"call i{width_of(found.low, found.high)} {called})")
        return Number(register, found.low, found.high, found.denominator)

    def _is_apart(self, p: Place, node: Expression) -> bool:
        if not self._expressions.sets.floods_by_site:
            is_shared = bool(self._shared) and node.type == FLAG and node in self._shared
            return is_shared and node.free.isdisjoint(p.bound)
        if not isinstance(node, Select | Fold | Closure | Let):
            return False
        if node in self._names:
            return node.free.isdisjoint(p.bound)
        if (isinstance(node, Let) and node.type == SITES) or not node.free.isdisjoint(p.bound):
            return False
        if node.type == SITES and is_single(node, self._expressions.layout.singles.keys()):
            return False
        parts = list(expressions_in(node))
        loops = any(isinstance(part, Select | Fold | Closure) for part in parts)
        return loops and not any(isinstance(part, Can | Times) for part in parts)

    def _write(self, name: str, node: Expression) -> None:
        if node.type == SITES:
            f = self._function(name, "void", [*_PARAMETERS, "ptr %result"])
            value = self._expressions.in_place(self._place(f), node)
            assert isinstance(value, Sites), "a set"
            self._expressions.sets.write(f, value, "%result")
            f.give("void")
            return
        if node.type == FLAG:
            f = self._function(name, "i1", _PARAMETERS)
            value = self._expressions.in_place(self._place(f), node)
            assert isinstance(value, Flag), "a condition"
            f.give(f"i1 {value.register}")
            return
        found = self._expressions.ranges.of(node)
        bits = width_of(found.low, found.high)
        f = self._function(name, f"i{bits}", _PARAMETERS)
        number = self._expressions.in_place(self._place(f), node)
        assert isinstance(number, Number), "a number"
        f.give(f"i{bits} {self._expressions.to_range(f, number, found)}")

    def _place(self, f: Function) -> Place:
        return self._expressions.place(f, "%frame", "%world")

    def _function(self, name: str, result: str, parameters: list[str]) -> Function:
        return self._module.function(name, f"internal {result}", parameters, "nounwind noinline ")
