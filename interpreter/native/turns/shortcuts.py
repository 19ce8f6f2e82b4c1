"""The code of shortcuts: ways that are counted or drawn without being walked through.

In: decisions, and bounds of the ways on from them (gdl/analysis/ways_on.py). Out: code that a
search goes through before it tries what it could decide. What then holds: where the context allows
it, ways that are only counted are counted without being completed, and a way that was drawn by its
number is the only one that is tried.

A number that was drawn is divided at each decision by the bound of what follows. A way that some
number names may turn out not to exist, where bounds are not the numbers of ways themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.analysis.ways_on import MOST_WEIGHT, After
from gdl.core.nodes import Block, Choose, Decide, ForEach, Repeat
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.turns.continuations import Continuation


class Shortcuts:
    """Writes the shortcuts of a turn, by the bounds in `weights`.

    `is_bounded`: some of them need bounds that are not the numbers of ways themselves.
    """

    def __init__(self, weights: After, *, keeps: bool, exchanges: bool) -> None:
        self._weights = weights
        self._keeps = keeps
        self._exchanges = exchanges
        self.is_bounded = False

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
        weight = self._weights[statement.decision]
        if self._keeps or not isinstance(weight, int) or weight > MOST_WEIGHT:
            return
        needed = c.SETTLED
        if not after.is_settled or self._exchanges or weight > 1:
            needed = c.LIKELY
            self.is_bounded = True
        f = p.f
        allowed = f.get("i32", f.at("%context", c.SHORTCUT))
        with f.when(f.ins(f"icmp sge i32 {allowed}, {needed}")):
            many = count()
            self._descend(p, weight, many, take)
            address = f.at("%context", c.LEFT)
            left = f.get("i64", address)
            total = many if weight == 1 else f.ins(f"mul i64 {many}, {weight}")
            with f.when(f.ins(f"icmp ule i64 {total}, {left}")):
                f.put("i64", f.ins(f"sub i64 {left}, {total}"), address)
                f.give("i1 false")
            f.put("i64", "0", address)
            number = left
            if weight > 1:
                number = f.ins(f"udiv i64 {left}, {weight}")
                f.put("i32", "1", f.at("%context", c.DESCENDING))
                below = f.ins(f"urem i64 {left}, {weight}")
                f.put("i64", below, f.at("%context", c.DESCENT))
            take(number)
            f.give("i1 true")

    def _descend(self, p: Place, weight: int, many: str, take: Callable[[str], str]) -> None:
        """Write how a choice is made on the way that an earlier one has drawn.

        The way's number, divided by the bound of what follows, is the number of the site; there
        may be no such site, and then the way does not exist.
        """
        f = p.f
        with f.when(_is_descending(p)):
            address = f.at("%context", c.DESCENT)
            number = f.get("i64", address)
            if weight > 1:
                below = f.ins(f"urem i64 {number}, {weight}")
                number = f.ins(f"udiv i64 {number}, {weight}")
                f.put("i64", below, address)
            else:
                f.put("i64", "0", address)
            with f.when(f.ins(f"icmp ult i64 {number}, {many}")):
                take(number)
            f.give("i1 true")

    # ------------------------------------------------------------------- alternatives

    def decide(self, p: Place, statement: Decide, is_given: str, decision: str) -> tuple[str, str]:
        """Write how an alternative is taken on the way that an earlier choice has drawn.

        Returns whether an alternative is settled, given or drawn, and which.
        """
        weights = self._weights[statement.decision]
        if not isinstance(weights, tuple):
            return is_given, decision
        f = p.f
        settled, chosen = f.variable("i1"), f.variable("i64")
        f.put("i1", is_given, settled)
        f.put("i64", decision, chosen)
        with f.when(_is_descending(p)):
            f.put("i1", "true", settled)
            f.put("i64", "-1", chosen)
            address = f.at("%context", c.DESCENT)
            number = f.get("i64", address)
            begin = 0
            for place, weight in enumerate(weights):
                inside = f.ins(f"icmp ult i64 {f.ins(f'sub i64 {number}, {begin}')}, {weight}")
                with f.when(inside):
                    f.put("i64", str(place), chosen)
                    f.put("i64", f.ins(f"sub i64 {number}, {begin}"), address)
                begin += weight
        return f.get("i1", settled), f.get("i64", chosen)


def _is_descending(p: Place) -> str:
    """Return whether a choice before has drawn the way to go."""
    f = p.f
    return f.ins(f"icmp ne i32 {f.get('i32', f.at('%context', c.DESCENDING))}, 0")
