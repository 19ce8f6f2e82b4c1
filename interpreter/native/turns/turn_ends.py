"""How turns begin and end: frames, who is on turn next, what is remembered.

In: the turns of a program, its endings and its memories. Out: functions that begin a frame, finish
it, exchange in it what is whose, and copy what is no set; and the code of finishing in place. What
then holds: a finished frame is the position after the turn, with its history and the side that is
on turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.analysis.side_symmetry import BothSides
from gdl.core.nodes import Get
from gdl.core.walk import changed_slots
from gdl.interpreter.native.emit.ir import FRAME, FRAME_BYTES, POSITION, WORD, WORLD
from gdl.interpreter.native.emit.kinds import (
    FALSE,
    I1,
    I32,
    I64,
    Address,
    Bit,
    Integer,
    Word,
)
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.turns.endings import Endings
from gdl.interpreter.native.turns.history import Past
from gdl.interpreter.native.turns.shared_code import SharedCode


class TurnEnds:
    """Writes how the frame of a turn begins, and what follows when the turn's program has run."""

    def __init__(self, shared: SharedCode, endings: Endings, past: Past) -> None:
        self._shared = shared
        self._layout = shared.layout
        self._system = shared.program.system
        self._endings = endings
        self._past = past

    def write(self) -> None:
        """Write `begin`, `exchange_P`, `finish`, and `copy_other_parts` where it is needed."""
        self._write_begin()
        for turn in self._shared.plan.turns:
            if turn.both is not None and not turn.is_later:
                self._write_exchange(turn.phase, turn.both)
        self._write_finish()
        if self._shared.sets.are_arrays:
            self._write_copy()

    def _write_begin(self) -> None:
        """A frame of a turn that is about to begin."""
        f = self._shared.module.function("begin", "internal void", ["ptr %frame", "ptr %position"])
        size = self._layout.state_bytes
        f.copy(POSITION, FRAME, size)
        f.clear(f.at(FRAME, size), f"sub (i64 {FRAME_BYTES}, i64 {size})")
        self._layout.fields[self._system.following].put(f, -1, FRAME)
        self._shared.expressions.checks.begin(f, FRAME)
        f.give("void")

    def _write_exchange(self, phase: int, both: BothSides) -> None:
        """`exchange_P(frame)`: what is one side's becomes the other's, and the other way round."""
        name, fields = f"exchange_{phase}", self._layout.fields
        f = self._shared.module.function(name, "internal void", ["ptr %frame"])
        for slot, other in both.exchanged.items():
            size = fields[slot].bytes
            if fields[slot].offset < fields[other].offset:
                kept = f.room(f"[{size} x i8]")
                one, second = fields[slot].at(f, FRAME), fields[other].at(f, FRAME)
                f.copy(one, kept, size)
                f.copy(second, one, size)
                f.copy(kept, second, size)
        f.give("void")

    def _write_finish(self) -> None:
        """What follows when a turn's program has run: `finish(frame, world, which)`."""
        parameters = ["ptr %frame", "ptr %world", "i64 %which"]
        f = self._shared.module.function("finish", "internal void", parameters)
        p = Place(f)
        self._shared.expressions.checks.end(f, FRAME, WORLD)
        passed = f.compare("ult", I32, self._layout.said.get(f, FRAME), 2)
        for phase, side in self._shared.turns(p, Word("%which")):
            is_over = self.finish(p, phase, (side,), passed)
            if any(ending.yields for ending in self._shared.turn(phase, side).endings):
                with f.when(is_over):
                    f.do("call void @give_way(ptr %frame, ptr %world)")
        f.give("void")

    def finish(
        self,
        p: Place,
        phase: int,
        sides: Sequence[int],
        passed: Bit,
        *,
        is_later: Bit | None = None,
        has_views: bool = False,
    ) -> Bit:
        """Write what follows a turn of a side in a phase; `passed` is a register or literal i1.

        Return whether the game is over (i1). Of two sides, `is_later` says which it is (i1). Where
        it `has_views`, the endings read what is kept in place of what it stands for.
        """
        f, p = p.f, p.as_it_is
        system, fields = self._system, self._layout.fields
        if system.turns is not None:
            fields[system.turns].add(f, 1, p.frame)
        if system.passes is not None:
            field = fields[system.passes]
            address = field.at(f, p.frame)
            more = Integer("0")
            if passed != FALSE:
                more = f.binary("add", field.type, f.get(field.type, address), 1)
            f.put(field.type, f.select(passed, field.type, more, 0), address)
        if is_later:
            over = f.variable(I1)
            for side in f.either(is_later, sides[1], sides[0]):
                f.put(I1, self._try_endings(p, phase, side, has_views=has_views), over)
            is_over = f.get(I1, over)
        else:
            is_over = self._try_endings(p, phase, sides[0], has_views=has_views)
        self._past.remember(p)
        others = [self._usually_next(phase, side) for side in sides]
        next_ = Word(str(others[0]))
        if is_later:
            next_ = f.select(is_later, I64, others[1], others[0])
        if any(self._names_next(phase, side) for side in sides):
            following = self._shared.expressions.word(p, Get(system.following))
            next_ = f.select(f.compare("sge", I64, following, 0), I64, following, next_)
        mover = fields[system.mover]
        if mover.bits < WORD and not next_.isdigit():
            next_ = f.convert("trunc", I64, next_, mover.type)
        mover.put(f, next_, p.frame)
        return is_over

    def next_side(self, phase: int, side: int) -> int | None:
        """Return the side that is always on turn after another one's turn, if there is one."""
        return None if self._names_next(phase, side) else self._usually_next(phase, side)

    def _usually_next(self, phase: int, side: int) -> int:
        by_chance = self._shared.program.phases[phase].by_chance
        return side if by_chance else (side + 1) % self._shared.sides

    def _names_next(self, phase: int, side: int) -> bool:
        """Whether the turn may say which side is next."""
        return self._system.following in changed_slots(self._shared.turn(phase, side).program)

    def _try_endings(self, p: Place, phase: int, side: int, *, has_views: bool) -> Bit:
        """Write that the endings of a side's turn are tried; return whether one holds (i1)."""
        if not self._shared.turn(phase, side).endings:
            return FALSE
        is_quick = has_views and (phase, side) in self._endings.quick
        name = f"{'quick_' * is_quick}ended_{phase}_{side}"
        return p.f.call(I1, f"@{name}(ptr {p.frame}, ptr {p.world})")

    def _write_copy(self) -> None:
        """`copy_other_parts(target, source)`: all of a frame but its sets."""
        parameters = ["ptr %target", "ptr %source"]
        f = self._shared.module.function("copy_other_parts", "internal void", parameters)
        for offset, size in self._layout.other_parts():
            f.copy(f.at(Address("%source"), offset), f.at(Address("%target"), offset), size)
        f.give("void")
