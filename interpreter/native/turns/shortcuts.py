"""The code of shortcuts: ways that are counted or drawn without being walked through.

In: decisions, and bounds of the ways on from them (gdl/analysis/ways_on.py). Out: code that a
search goes through before it tries what it could decide. What then holds: where the context allows
it, ways that are only counted are counted without being completed, and of a last choice that was
drawn by its number no other is tried.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.analysis.ways_on import After
from gdl.core.nodes import Block, Choose, ForEach, Repeat
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.turns.continuations import Continuation


class Shortcuts:
    """Writes the shortcuts of a turn, by the bounds `ways_on` from its decisions.

    `draws_likely`: some last choice may be drawn before it is known to lead to a way.
    """

    def __init__(self, ways_on: After, *, keeps: bool, exchanges: bool) -> None:
        self._ways_on = ways_on
        self._keeps = keeps
        self._exchanges = exchanges
        self.draws_likely = False

    # ----------------------------------------------------------------- completed ways

    def ends_settled(self, effects: Block, onward: Continuation) -> bool:
        """Whether a way is sure to be completed by effects that are worth being left out."""
        if self._keeps or self._exchanges or onward.decides or not onward.is_settled:
            return False
        return any(isinstance(s, ForEach | Repeat) for s in effects)

    def pass_over(self, p: Place) -> None:
        """Write that a way that is only counted is not carried out to its end."""
        f = p.f
        shortcut = f.get("i32", f.at("%context", c.SHORTCUT))
        address = f.at("%context", c.LEFT)
        left = f.get("i64", address)
        allowed = f.ins(f"icmp sge i32 {shortcut}, {c.SETTLED}")
        with f.when(f.ins(f"and i1 {allowed}, {f.ins(f'icmp ne i64 {left}, 0')}")):
            f.put("i64", f.ins(f"sub i64 {left}, 1"), address)
            f.give("i1 false")

    # ------------------------------------------------------------------------ choices

    def choose(
        self,
        p: Place,
        statement: Choose,
        after: Continuation,
        count: Callable[[], str],
        take: Callable[[str], str],
    ) -> None:
        """Write that a last choice is counted or drawn from without trying all of it.

        `count` writes how many there are to choose from; `take`, that one of them is chosen.
        """
        if self._keeps or self._ways_on[statement.decision] != 1:
            return
        needed = c.SETTLED
        if not after.is_settled or self._exchanges:
            needed = c.LIKELY
            self.draws_likely = True
        f = p.f
        allowed = f.get("i32", f.at("%context", c.SHORTCUT))
        with f.when(f.ins(f"icmp sge i32 {allowed}, {needed}")):
            many = count()
            address = f.at("%context", c.LEFT)
            left = f.get("i64", address)
            with f.when(f.ins(f"icmp ule i64 {many}, {left}")):
                f.put("i64", f.ins(f"sub i64 {left}, {many}"), address)
                f.give("i1 false")
            f.put("i64", "0", address)
            take(left)
            f.give("i1 true")
