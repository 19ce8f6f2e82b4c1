"""Positions as bytes that native code reads, and back.

In: states as evaluators keep them, and memory. Out: memory, and states. What then holds: what
goes there and back is equal to what it was.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from gdl.core.nodes import Slot
from gdl.core.types import FLAG, FRACTION, SITES
from gdl.model import Game
from interpreter.evaluation.evaluator import Outcome, State
from interpreter.native.game_code import GameCode
from interpreter.native.memory import context as c
from interpreter.native.memory.frame import Field
from interpreter.native.turns.history import KeyPart
from interpreter.reference.history import History, Key

_USUAL_ROOM = 1024
_TRAIL_BYTES = 16
_TRAIL_ENTRIES = 1 << 16


class NativeFault(RuntimeError):
    """Something does not hold that must hold of native code."""


class World:
    """Memory that all searches of one thread share; it has room for some earlier positions.

    With `has_trail`, there is room for changes that are taken back, too.
    """

    def __init__(
        self, key_bytes: Sequence[int], room: int | None = None, *, has_trail: bool = False
    ) -> None:
        self.memory = ctypes.create_string_buffer(c.PAST + 16 * len(key_bytes) + 16)
        self._key_bytes = key_bytes
        self._has_trail = has_trail
        self.pasts: list[Any] = []
        self.room = 0
        self.make_room(_USUAL_ROOM if room is None else room)

    def bring_searches(self, addresses: Mapping[str, int], calls: int) -> None:
        """Let random games call the functions outside that `context` names, so many times."""
        self._word(c.OUTSIDE_LEFT).value = calls
        for name, address in addresses.items():
            self._word(c.OUTSIDE[name]).value = address

    @property
    def searches_left(self) -> int | None:
        """How often functions outside may still be called; None before there are any."""
        if not self._word(next(iter(c.OUTSIDE.values()))).value:
            return None
        return self._word(c.OUTSIDE_LEFT).value

    def make_room(self, room: int) -> None:
        """Give every memory room for so many positions; what is in it stays."""
        if room <= self.room:
            return
        self.room = room
        if self._has_trail:
            self._make_trail()
        older, self.pasts = self.pasts, []
        for number, size in enumerate(self._key_bytes):
            table = ctypes.create_string_buffer(max(8, size * room))
            if older:
                ctypes.memmove(table, older[number], len(older[number]))
            self.pasts.append(table)
            self._word(c.PAST + 16 * number).value = ctypes.addressof(table)
            self._word(c.PAST + 16 * number + 8).value = room

    def _make_trail(self) -> None:
        self._trail = ctypes.create_string_buffer(_TRAIL_BYTES * (_TRAIL_ENTRIES + 8 * self.room))
        self._word(c.TRAIL).value = ctypes.addressof(self._trail)
        self._word(c.TRAIL_END).value = ctypes.addressof(self._trail) + len(self._trail)

    def _word(self, offset: int) -> ctypes.c_int64:
        return ctypes.c_int64.from_buffer(self.memory, offset)

    @property
    def error(self) -> int:
        """Why the last call failed; 0 if it did not. Raises NativeFault."""
        reason = self._word(c.ERROR).value
        if reason == c.BROKEN:
            raise NativeFault("checked native code has found a fault of its own")
        return reason

    @error.setter
    def error(self, reason: int) -> None:
        self._word(c.ERROR).value = reason

    @property
    def place(self) -> int:
        """The number of the place where a turn took too much work."""
        return self._word(c.PLACE).value

    def clear(self) -> None:
        """Forget that a call failed or was to stop."""
        self._word(c.ERROR).value = 0
        self._word(c.STOP).value = 0

    def stop(self) -> None:
        """Make what is running end soon."""
        self._word(c.STOP).value = 1


class Exchange:
    """Reads and writes positions of one game."""

    def __init__(self, game: Game, code: GameCode) -> None:
        self._game = game
        self._program = code.shared.program
        self._layout = code.layout
        self._parts = code.past.parts
        self.key_bytes = code.past.key_bytes
        self._has_trail = code.shared.sets.floods_by_site
        self._clauses = code.endings.clauses
        self.frame_bytes = code.layout.frame_bytes
        slots = list(enumerate(self._program.state))
        self._fractions = [(place, slot) for place, slot in slots if slot.type == FRACTION]
        histories = self._layout.histories
        self._histories_of_fractions = [
            (histories[slot], place)
            for place, slot in slots
            if self._fractions and slot in histories
        ]
        turns = [turn for phase in code.shared.program.phases for turn in phase.turns]
        stuck = {id(ending) for turn in turns for ending in turn.stuck}
        self._stuck = {n for n, ending in enumerate(self._clauses, 1) if id(ending) in stuck}

    def holds(self, state: State) -> bool:
        """Return whether memory has room for all of a state.

        A fraction is kept as a multiple of the one that the rules need; a position that somebody
        describes may have others.
        """
        for place, slot in self._fractions:
            value: Any = state.values[place]
            field = self._layout.fields[slot]
            if not all(_is_kept(field, entry) for entry in (value if slot.per_site else (value,))):
                return False
        return all(
            self._holds_key(number, key)
            for number, place in self._histories_of_fractions
            for key, _ in state.values[place].items()
        )

    def _holds_key(self, number: int, key: Key) -> bool:
        for part, value in zip(self._parts[number], key, strict=True):
            if part.copied is not None:
                entries: Any = value
                if not all(_is_kept(part.copied, entry) for entry in entries):
                    return False
            elif part.range is not None and not _is_multiple(value, part.range.denominator):
                return False
        return True

    def world(self) -> World:
        """Return memory for the searches of one thread."""
        return World(self.key_bytes, has_trail=self._has_trail)

    def buffer(self, many: int = 1) -> Any:
        """Return memory for positions, each of `frame_bytes`."""
        return ctypes.create_string_buffer(self.frame_bytes * many)

    def write(self, state: State, position: Any, world: World, at: int = 0) -> None:
        """Put a state into memory, and its earlier positions into the world."""
        for slot, value in zip(self._program.state, state.values, strict=True):
            if slot in self._layout.histories:
                value = self._write_history(self._layout.histories[slot], value, world)
            self._write_slot(slot, value, position, at)
        ended = 0
        winners = 0
        if state.ended is not None:
            ended = self._clause_number(state.ended)
            winners = sum(1 << self._game.sides.index(side) for side in state.ended.winners)
        self._put(self._layout.ended, ended, position, at)
        self._put(self._layout.winners, winners, position, at)

    def _clause_number(self, outcome: Outcome) -> int:
        for number, ending in enumerate(self._clauses, 1):
            if outcome.span is not None and ending.span == outcome.span:
                return number
        return len(self._clauses) + 1

    def _put(self, field: Field, value: int, position: Any, at: int) -> None:
        data = value.to_bytes(field.entry_bytes, "little", signed=value < 0)
        position[at + field.offset : at + field.offset + field.entry_bytes] = data

    def _write_slot(self, slot: Slot, value: Any, position: Any, at: int) -> None:
        field = self._layout.fields[slot]
        if not slot.per_site:
            self._put(field, self._plain(field, value), position, at)
            return
        data = b"".join(
            self._plain(field, entry).to_bytes(field.entry_bytes, "little", signed=entry < 0)
            for entry in value
        )
        position[at + field.offset : at + field.offset + len(data)] = data

    def _plain(self, field: Field, value: Any) -> int:
        if field.range is not None and field.range.denominator != 1:
            scaled = Fraction(value) * field.range.denominator
            return int(scaled)
        return int(value)

    def read(self, position: Any, before: State | None, world: World, at: int = 0) -> State:
        """Return the state in memory; `before` is the one that it came from by one move."""
        values = []
        for place, slot in enumerate(self._program.state):
            if slot in self._layout.histories:
                past = History() if before is None else before.values[place]
                values.append(self._read_history(slot, past, position, world, at))
            else:
                values.append(self._read_slot(slot, position, at))
        return State(tuple(values), self.outcome(position, tuple(values), at))

    def read_last(self, position: Any, before: State, world: World) -> tuple[Outcome | None, State]:
        """Return a game's outcome, and its last state, which has none if a side is stuck."""
        last = self.read(position, before, world)
        is_stuck = self._get(self._layout.ended, position, 0) in self._stuck
        return last.ended, (State(last.values) if is_stuck else last)

    def outcome(self, position: Any, values: tuple[Any, ...], at: int = 0) -> Outcome | None:
        """Return how the game in memory has ended, if it has."""
        number = self._get(self._layout.ended, position, at)
        if number == 0:
            return None
        mask = self._get(self._layout.winners, position, at)
        winners = [side for side in range(len(self._game.sides)) if mask >> side & 1]
        seats = self._program.system.seats
        places = {slot: place for place, slot in enumerate(self._program.state)}
        span = self._clauses[number - 1].span if number <= len(self._clauses) else None
        return Outcome(
            tuple(self._game.sides[side] for side in winners),
            tuple(values[places[seats[s]]] + 1 if seats else s + 1 for s in winners),
            span,
        )

    def _get(self, field: Field, position: Any, at: int, *, signed: bool = False) -> int:
        begin = at + field.offset
        return int.from_bytes(position[begin : begin + field.entry_bytes], "little", signed=signed)

    def _read_slot(self, slot: Slot, position: Any, at: int) -> Any:
        field = self._layout.fields[slot]
        if not slot.per_site:
            begin = at + field.offset
            return self._value(slot, field, position[begin : begin + field.entry_bytes])
        begin, step = at + field.offset, field.entry_bytes
        return tuple(
            self._value(slot, field, position[begin + i * step : begin + (i + 1) * step])
            for i in range(field.count)
        )

    def _value(self, slot: Slot, field: Field, data: bytes) -> Any:
        if slot.type == SITES:
            return int.from_bytes(data, "little")
        number = int.from_bytes(data, "little", signed=True)
        if slot.type == FLAG:
            return number != 0
        if field.range is not None and field.range.denominator != 1:
            return _whole(Fraction(number, field.range.denominator))
        return number

    # ------------------------------------------------------------ earlier positions

    def _write_history(self, number: int, past: Any, world: World) -> int:
        if past is None:
            return 0
        keys = b"".join(self._key_data(number, key) * count for key, count in past.items())
        size = self.key_bytes[number]
        many = len(keys) // size
        world.make_room(many + _USUAL_ROOM)
        ctypes.memmove(world.pasts[number], keys, len(keys))
        return many

    def _key_data(self, number: int, key: Key) -> bytes:
        data = bytearray(self.key_bytes[number])
        for part, value in zip(self._parts[number], key, strict=True):
            begin = part.offset
            if part.copied is not None:
                entries: Any = value
                packed = b"".join(
                    self._plain(part.copied, entry).to_bytes(
                        part.copied.entry_bytes, "little", signed=entry < 0
                    )
                    for entry in entries
                )
                data[begin : begin + len(packed)] = packed
                continue
            plain = self._part_number(part, value)
            packed = plain.to_bytes(part.bytes, "little", signed=plain < 0)
            data[begin : begin + part.bytes] = packed
        return bytes(data)

    def _part_number(self, part: KeyPart, value: Any) -> int:
        denominator = part.range.denominator if part.range is not None else 1
        return int(value * denominator)

    def _read_history(self, slot: Slot, past: Any, position: Any, world: World, at: int) -> History:
        number = self._layout.histories[slot]
        many = self._get(self._layout.fields[slot], position, at)
        size = self.key_bytes[number]
        table = world.pasts[number]
        known = sum(count for _, count in past.items()) if past is not None else 0
        result = past if past is not None else History()
        for place in range(known, many):
            data = ctypes.string_at(ctypes.addressof(table) + place * size, size)
            result = result.adding(self._key(number, data))
        return result

    def _key(self, number: int, data: bytes) -> Key:
        memory = self._program.memories[number]
        return tuple(
            self._key_value(node.type.name, part, data)
            for node, part in zip(memory.key, self._parts[number], strict=True)
        )

    def _key_value(self, type_: str, part: KeyPart, data: bytes) -> Any:
        begin = part.offset
        if part.copied is not None:
            step = part.copied.entry_bytes
            numbers = [
                int.from_bytes(
                    data[begin + i * step : begin + (i + 1) * step], "little", signed=True
                )
                for i in range(part.copied.count)
            ]
            return tuple(bool(n) for n in numbers) if type_ == FLAG.name else tuple(numbers)
        value = data[begin : begin + part.bytes]
        if type_ == SITES.name:
            return int.from_bytes(value, "little")
        number = int.from_bytes(value, "little", signed=True)
        if type_ == FLAG.name:
            return bool(number)
        denominator = part.range.denominator if part.range is not None else 1
        return number if denominator == 1 else _whole(Fraction(number, denominator))


def _is_kept(field: Field, value: Any) -> bool:
    """Whether a field has room for a number."""
    if field.range is None:
        return True
    if not _is_multiple(value, field.range.denominator):
        return False
    return bool(-(1 << field.bits - 1) <= value * field.range.denominator < 1 << field.bits - 1)


def _is_multiple(value: Any, denominator: int) -> bool:
    return Fraction(value * denominator).denominator == 1


def _whole(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value
