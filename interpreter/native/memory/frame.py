"""Where a position lies in memory, and what else a turn under way needs beside it.

In: a plan. Out: a `FrameLayout`: a field for each slot. What then holds: the fields of the state
come first and have the same order as the slots, so that a position is copied and compared as
one piece of memory; a frame is a position and, behind it, a turn's own variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from math import lcm
from typing import Any

from gdl.analysis.plan import Plan
from gdl.analysis.ranges import Range
from gdl.core.nodes import Slot
from gdl.core.types import FLAG, SITES
from gdl.core.walk import filled_slots
from gdl.interpreter.native.emit.ir import WORD, width_of
from gdl.interpreter.native.memory.fields import Field, OwnField

_NARROW = (8, 16, 32)


class FrameLayout:
    """The fields of the frames of a plan's program, with sets of `set_bits`.

    `fields` has those of the slots; `ended` and `winners` are the clause that ended the game (0:
    none, else its number from 1) and a bit for each winner; `payoffs`, what it was worth to each
    side, over `payoff_unit`, if the rules say so. `state_bytes` is the size of a position,
    `kept_bytes` with what is `kept` beside it, the flags and numbers of views; what comes after
    belongs to a turn. `singles` are variables of a turn that never hold more than one
    site; their fields have its index (-1: none). Variables of a turn that are not among those
    `needed` lie outside of frames (None: there are none).
    """

    def __init__(
        self,
        plan: Plan,
        set_bits: int,
        kept: Iterable[Slot] = (),
        needed: AbstractSet[Slot] | None = None,
    ) -> None:
        program = plan.program
        self._plan = plan
        self._set_bits = set_bits
        self._needed = needed
        self._end = 0
        self.set_fields: list[Field[Any]] = []
        self.histories = {memory.slot: i for i, memory in enumerate(program.memories)}
        self.singles: Mapping[Slot, bool] = {}
        self.fields: dict[Slot, Field[Any]] = {}
        self._add_slots(program.state)
        self.ended, self.winners = self.add(32), self.add(32)
        worths = (worth for turn in program.turns for e in turn.clauses for worth in e.payoffs)
        self.payoff_unit = lcm(*(plan.ranges.of(worth).denominator for worth in worths))
        sides = len(program.phases[0].turns) if program.has_payoffs else 0
        self.payoffs = tuple(self.add(WORD) for _ in range(sides))
        self._end = -(-self._end // 8) * 8
        self.state_bytes = self._end
        for slot in kept:
            is_flag, is_one_word = slot.type == FLAG, set_bits <= WORD
            self.fields[slot] = self.add(8) if is_flag else self.add(WORD, 1 + is_one_word)
        self.kept_bytes = self._end
        self.singles = plan.single_slots
        system = program.system
        self._add_slots(slot for slot in (system.following, system.best) if slot is not None)
        for turn in program.turns:
            self._add_slots(filled_slots(turn.program))
        for known in plan.turns:
            self._add_slots(known.harmless.slots)
            if known.in_place is not None:
                self._add_slots(filled_slots(known.in_place.before))
        self.has_best, self.given_up = self.add(8), self.add(8)
        self.depth, self.made, self.said, self.pairs = (self.add(32) for _ in range(4))

    def _add_slots(self, slots: Iterable[Slot]) -> None:
        """Add the fields of slots that have none."""
        for slot in slots:
            if slot not in self.fields:
                self.fields[slot] = field = self._field_of(slot)
                if self._needed is not None and slot not in self._needed:
                    self._end = field.offset
                    self.fields[slot] = OwnField(0, field.bits, field.count, field.range)

    def is_own(self, slot: Slot) -> bool:
        """Return whether a variable of a turn lies outside of frames."""
        return isinstance(self.fields[slot], OwnField)

    @property
    def frame_bytes(self) -> int:
        """The size of a frame."""
        return -(-self._end // 16) * 16 + 16

    def add(self, bits: int, count: int = 1, range: Range | None = None) -> Field[Any]:
        """Return a new field at the end."""
        step = min(bits, WORD) // 8
        self._end = -(-self._end // step) * step
        field: Field[Any] = Field(self._end, bits, count, range)
        self._end += field.bytes
        return field

    def add_set(self, count: int = 1) -> Field[Any]:
        """Return a new field for sets."""
        field = self.add(self._set_bits, count)
        self.set_fields.append(field)
        return field

    def other_parts(self) -> Iterator[tuple[int, int]]:
        """Yield where each stretch of a frame without sets begins, and its size in bytes."""
        begin = 0
        for field in self.set_fields:
            if field.offset > begin:
                yield begin, field.offset - begin
            begin = field.offset + field.bytes
        yield begin, self.frame_bytes - begin

    def kept_parts(self, without: AbstractSet[Slot]) -> list[tuple[int, int]]:
        """Return where each stretch of what is kept begins, and its size; some slots are left out.

        What is kept is a position, and the slots of views beside it; not what lies between them.
        """
        fields = [
            field
            for slot, field in self.fields.items()
            if slot not in without and not isinstance(field, OwnField)
        ]
        fields += self.ended, self.winners, *self.payoffs
        parts: list[tuple[int, int]] = []
        for field in sorted(fields, key=lambda field: field.offset):
            if field.offset < self.kept_bytes:
                begin = field.offset
                if parts and sum(parts[-1]) == begin:
                    begin, _ = parts.pop()
                parts.append((begin, field.offset + field.bytes - begin))
        return parts

    def _field_of(self, slot: Slot) -> Field[Any]:
        if slot in self.histories:
            return self.add(WORD)
        count = self._plan.size if slot.per_site else 1
        if slot.type == SITES:
            return self.add(16) if slot in self.singles else self.add_set(count)
        if slot.type == FLAG:
            return self.add(8, count)
        found = self._plan.ranges.of_slot(slot)
        narrow = (b for b in _NARROW if -(1 << b - 1) <= found.low and found.high < 1 << b - 1)
        return self.add(next(narrow, width_of(found)), count, found)
