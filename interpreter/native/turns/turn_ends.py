"""The code of what a turn begins with, and of what follows when its program has run.

In: a turn's phase and side. Out: functions that begin a frame, finish it, and copy what is no set.
What then holds: a finished frame is the position after the turn, with its ending, its history and
the side that is on turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl.analysis.both_sides import BothSides
from gdl.core.nodes import Get
from gdl.core.walk import changed_slots
from interpreter.native.emit.ir import FRAME, FRAME_BYTES, POSITION, WORD, WORLD
from interpreter.native.emit.kinds import FALSE, I1, I32, I64, Address, Bit, Integer, Word
from interpreter.native.expressions.places import Place
from interpreter.native.turns.endings import Endings
from interpreter.native.turns.history import Past
from interpreter.native.turns.shared_code import SharedCode


class TurnEnds:
    """Writes how frames begin and end."""

    def __init__(self, shared: SharedCode, endings: Endings, past: Past) -> None:
        self._shared = shared
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
        size = self._shared.layout.state_bytes
        f.copy(POSITION, FRAME, size)
        f.clear(f.at(FRAME, size), f"sub (i64 {FRAME_BYTES}, i64 {size})")
        following = self._shared.program.system.following
        field = self._shared.layout.fields[following]
        field.put(f, "-1", FRAME)
        self._shared.expressions.checks.begin(f, FRAME)
        f.give("void")

    def _write_exchange(self, phase: int, both: BothSides) -> None:
        """`exchange_P(frame)`: what is one side's becomes the other's, and the other way round."""
        module, layout = self._shared.module, self._shared.layout
        f = module.function(f"exchange_{phase}", "internal void", ["ptr %frame"])
        for slot, other in both.exchanged.items():
            one, second = layout.fields[slot], layout.fields[other]
            if one.offset < second.offset:
                kept = f.room(f"[{one.bytes} x i8]")
                places = one.at(f, FRAME), second.at(f, FRAME)
                f.copy(places[0], kept, one.bytes)
                f.copy(places[1], places[0], one.bytes)
                f.copy(kept, places[1], one.bytes)
        f.give("void")

    def _write_finish(self) -> None:
        """What follows when a turn's program has run: `finish(frame, world, which)`."""
        f = self._shared.module.function(
            "finish", "internal void", ["ptr %frame", "ptr %world", "i64 %which"]
        )
        p = Place(f)
        self._shared.expressions.checks.end(f, FRAME, WORLD)
        passed = f.compare("ult", I32, self._shared.layout.said.get(f, FRAME), 2)
        for phase, side in self._shared.turns(p, Word("%which")):
            self.finish(p, phase, (side,), passed)
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
        system, layout = self._shared.program.system, self._shared.layout
        if system.turns is not None:
            layout.fields[system.turns].add(f, 1, p.frame)
        if system.passes is not None:
            field = layout.fields[system.passes]
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
        mover = layout.fields[system.mover]
        narrow: Any = next_
        if mover.bits < WORD and not next_.isdigit():
            narrow = f.convert("trunc", I64, next_, mover.type)
        mover.put(f, narrow, p.frame)
        return is_over

    def next_side(self, phase: int, side: int) -> int | None:
        """Return the side that is always on turn after another one's turn, if there is one."""
        return None if self._names_next(phase, side) else self._usually_next(phase, side)

    def _usually_next(self, phase: int, side: int) -> int:
        by_chance = self._shared.program.phases[phase].by_chance
        return side if by_chance else (side + 1) % self._shared.sides

    def _names_next(self, phase: int, side: int) -> bool:
        """Whether the turn may say which side is next."""
        turn = self._shared.program.phases[phase].turns[side]
        return self._shared.program.system.following in changed_slots(turn.program)

    def _try_endings(self, p: Place, phase: int, side: int, *, has_views: bool) -> Bit:
        """Write that the endings of a side's turn are tried; return whether one holds (i1)."""
        if not self._shared.program.phases[phase].turns[side].endings:
            return FALSE
        arguments = f"ptr {p.frame}, ptr {p.world}"
        is_quick = has_views and (phase, side) in self._endings.quick
        name = "quick_ended" if is_quick else "ended"
        return p.f.call(I1, f"@{name}_{phase}_{side}({arguments})")

    def _write_copy(self) -> None:
        """`copy_other_parts(target, source)`: all of a frame but its sets."""
        f = self._shared.module.function(
            "copy_other_parts", "internal void", ["ptr %target", "ptr %source"]
        )
        for offset, size in self._shared.layout.other_parts():
            f.copy(f.at(Address("%source"), offset), f.at(Address("%target"), offset), size)
        f.give("void")
