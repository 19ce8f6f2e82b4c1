"""Questions about what a side could do if it were its turn: `can`.

In: such a question. Out: code that searches the side's turn, in a copy of the position, and stops
at the first way after which the condition holds: `Searches` asks `looked_for` of each; and code
that tells whether the game would be over before such a turn. What then holds: the position is as it
was.
"""

from __future__ import annotations

from gdl.analysis.ranges import IN_A_WORD
from gdl.core.nodes import Can, Get, Slot
from gdl.core.walk import slots_of
from gdl.interpreter.native.emit.ir import CONTEXT, FRAME_TYPE, WORLD
from gdl.interpreter.native.emit.kinds import I1, I64, NULL, PTR, Address, Integer, Word
from gdl.interpreter.native.emit.values import Flag, Number, known_number
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.turns.shared_code import SharedCode

_SELDOM = "noinline cold "


class CanCode:
    """Writes the code of all `can` of a game: searches for a move, one turn ahead.

    The world knows how many such searches are under way; within one, a question begins a further
    one. Each completed way calls the function of the condition that is looked for.
    """

    def __init__(self, shared: SharedCode) -> None:
        self._shared = shared
        self._expressions = shared.expressions
        self._count, self._known = 0, -1

    def can(self, p: Place, node: Can) -> Flag:
        """Write a search for a move of a side after which a condition holds."""
        f, number = p.f, self._count
        slots = self._outer_slots(p, node)
        values = f.room(f"[{max(1, len(slots)) * 8} x i8]")
        for place, slot in enumerate(slots):
            address = self._expressions.variable(f, Get(slot))
            self._expressions.keep(f, Get(slot), self._expressions.value(p, Get(slot)), address)
            f.put(PTR, address, f.at(values, 8 * place))
        next_turn, context = f.room(FRAME_TYPE), f.room(f"[{c.BYTES} x i8]")
        f.do(f"call void @begin(ptr {next_turn}, ptr {p.frame})")
        if p.exchange and p.is_later is not None:
            with f.when(self._expressions.flag(p, Get(p.is_later))):
                f.do(f"call void @{p.exchange}(ptr {next_turn})")
        mover = self._shared.program.system.mover
        asking = self._expressions.word(Place(f, next_turn, p.world), Get(mover))
        self._expressions.write(Place(f, next_turn, p.world), mover, known_number(node.side))
        scratch = w.scratch_ahead(f, p.world, in_other_order=False)
        c.begin(f, context, next_turn, p.world, scratch)
        c.MODE.put(f, c.LOOKING, context)
        c.CAN.put(f, number, context)
        c.VALUES.put(f, values, context)
        innermost = f.at(p.world, w.AHEAD)
        outer = f.get(PTR, innermost)
        c.OUTER.put(f, outer, context)
        c.ASKING.put(f, asking, context)
        c.UNCOUNTED.put(f, int(not p.is_counted), context)
        f.put(PTR, context, innermost)
        f.add(I64, 1, f.at(p.world, w.SEARCHES_AHEAD))
        f.do(f"call i1 @search(ptr {next_turn}, ptr {context})")
        f.add(I64, -1, f.at(p.world, w.SEARCHES_AHEAD))
        f.put(PTR, outer, innermost)
        self._write_looked_for(node, slots)
        return Flag(c.FOUND.is_set(f, context))

    def _outer_slots(self, p: Place, node: Can) -> list[Slot]:
        """The variables outside that the condition reads: no part of the position."""
        known = {*p.bound, *self._shared.layout.fields} - set(self._shared.program.state)
        return [slot for slot in dict.fromkeys(slots_of(node.condition)) if slot in known]

    def _write_looked_for(self, node: Can, outer: list[Slot]) -> None:
        """Write the function of the condition of one `can`."""
        name, parameters = f"looked_for_{self._count}", ["ptr %frame", "ptr %values", "ptr %world"]
        self._count += 1
        f = self._shared.module.function(name, "internal i1", parameters)
        p = Place(f)
        for place, slot in enumerate(outer):
            address = f.get(PTR, f.at(Address("%values"), 8 * place))
            p = p.binding(slot, self._expressions.kept(f, Get(slot), address))
        f.give(f"i1 {self._expressions.flag(p, node.condition)}")

    def write(self) -> None:
        """Write `looked_for` and `is_past_end`."""
        self.write_looked_for()
        self._write_would_be_over()
        self._write_is_past_end()

    def _write_is_past_end(self) -> None:
        """`is_past_end(world)`: whether the game would be over before a turn that is looked at."""
        f = self._shared.module.function("is_past_end", "internal i1", ["ptr %world"], _SELDOM)
        f.is_called_seldom = True
        here = f.get(PTR, f.at(WORLD, w.AHEAD))
        f.give_if(f.compare("eq", PTR, here, NULL), "i1 false")
        around = c.OUTER.get(f, here)
        is_inner = f.compare("ne", PTR, around, NULL)
        first = f.select(is_inner, PTR, around, here)
        uncounted = c.UNCOUNTED.get(f, first)
        asked = f"@would_be_over(ptr {first}, ptr %world, i64 {uncounted})"
        f.give_if(f.call(I1, asked), "i1 true")
        f.give_if(f.is_not(is_inner), "i1 false")
        uncounted = f.binary("add", I64, uncounted, 1)
        asked = f"@would_be_over(ptr {here}, ptr %world, i64 {uncounted})"
        f.give(f"i1 {f.call(I1, asked)}")

    def _write_would_be_over(self) -> None:
        """`would_be_over(context, world, uncounted)`: whether an ending holds where it is asked.

        So many turns are counted before, as such that are no passes.
        """
        shared, system = self._shared, self._shared.program.system
        parameters = ["ptr %context", "ptr %world", "i64 %uncounted"]
        f = shared.module.function("would_be_over", "internal i1", parameters, _SELDOM)
        f.give_if(c.IS_PAST_END.is_set(f, CONTEXT), "i1 true")
        frame, uncounted = f.room(FRAME_TYPE), Word("%uncounted")
        f.do(f"call void @begin(ptr {frame}, ptr {c.ROOT.get(f, CONTEXT)})")
        p = Place(f, frame, WORLD)
        asking = Number(Integer(c.ASKING.get(f, CONTEXT)), IN_A_WORD)
        self._expressions.write(p, system.mover, asking)
        if system.turns is not None:
            turns = self._expressions.word(p, Get(system.turns))
            counted = Number(Integer(f.binary("add", I64, turns, uncounted)), IN_A_WORD)
            self._expressions.write(p, system.turns, counted)
        if system.passes is not None:
            with f.when(f.compare("ne", I64, uncounted, 0)):
                self._expressions.write(p, system.passes, known_number(0))
        for phase, side in shared.turns(p):
            is_over = f.call(I1, f"@over_{phase}_{side}(ptr {frame}, ptr %world)")
            c.IS_PAST_END.put(f, f.convert("zext", I1, is_over, I64), CONTEXT)
            f.give(f"i1 {is_over}")

    def write_looked_for(self) -> None:
        """`looked_for(number, frame, values, world)`: whether a condition holds.

        It is written again when more conditions have come.
        """
        if self._known == self._count:
            return
        self._known = self._count
        f = self._shared.module.function(
            "looked_for", "internal i1", ["i64 %number", "ptr %frame", "ptr %values", "ptr %world"]
        )
        for number in range(self._count):
            with f.when(f.compare("eq", I64, Word("%number"), number)):
                result = f.call(I1, f"@looked_for_{number}(ptr %frame, ptr %values, ptr %world)")
                f.give(f"i1 {result}")
        f.give("i1 false")
