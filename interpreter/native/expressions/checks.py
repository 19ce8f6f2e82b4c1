"""Code that watches the code: what `--checked` adds.

In: values as they are made, and frames. Out: tests of what must hold of them. What then holds: if
a number is outside the bounds that were worked out for it, a set in memory has sites where it can't
have any, one in a register bits beyond the board, a site no place on it, or something was written
behind the end of a frame, the call fails, and says so.
"""

from __future__ import annotations

from interpreter.native.emit.ir import FRAME_BYTES, Function, number_type
from interpreter.native.emit.kinds import I1, I64, Address, Bit, Mask, Word
from interpreter.native.emit.values import Number, Sites, Value
from interpreter.native.expressions.places import Place
from interpreter.native.memory import world as w
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.sets.set_code import SetCode

GUARD_BYTES = 8
_GUARD = 0x6764_6C20_6775_6172


class Checks:
    """Writes tests, if `is_on`; otherwise it writes nothing."""

    def __init__(self, sets: SetCode, *, is_on: bool) -> None:
        self._sets = sets
        self.is_on = is_on

    def value(self, p: Place, value: Value) -> None:
        """Write the tests of a value."""
        if not self.is_on:
            return
        if isinstance(value, Number):
            f = p.f
            type_ = number_type(value.range)
            low = f.compare("sge", type_, value.register, value.range.low)
            high = f.compare("sle", type_, value.register, value.range.high)
            self._must(f, p.world, f.binary("and", I1, low, high))
        elif isinstance(value, Sites):
            self._sites(p, value)

    def _sites(self, p: Place, value: Sites) -> None:
        f, sets = p.f, self._sets
        if value.site is not None:
            low = f.compare("sge", I64, value.site, 0 if value.is_there else -1)
            high = f.compare("slt", I64, value.site, sets.size)
            self._must(f, p.world, f.binary("and", I1, low, high))
        if isinstance(sets, ArraySets):
            if value.within is not None:
                elsewhere = sets.difference(f, value, Sites(known=value.within))
                self._must(f, p.world, f.is_not(sets.some(f, elsewhere)))
        elif value.mask is not None and value.site is None:
            beyond = f.binary("and", sets.type, Mask(value.mask), ~((1 << sets.size) - 1))
            self._must(f, p.world, f.compare("eq", sets.type, beyond, 0))

    def begin(self, f: Function, frame: Address) -> None:
        """Write a mark at the end of a new frame."""
        if self.is_on:
            f.put(I64, _GUARD, self._guard(f, frame))

    def end(self, f: Function, frame: Address, world: Address) -> None:
        """Write the test that the mark is still there."""
        if self.is_on:
            found = f.get(I64, self._guard(f, frame))
            self._must(f, world, f.compare("eq", I64, found, _GUARD))

    def _guard(self, f: Function, frame: Address) -> Address:
        return f.at(frame, Word(f"sub (i64 {FRAME_BYTES}, i64 {GUARD_BYTES})"))

    def _must(self, f: Function, world: Address, condition: Bit) -> None:
        with f.when(f.is_not(condition)):
            w.fail(f, world, w.BROKEN)
