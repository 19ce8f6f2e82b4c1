"""Positions as bytes that native code reads, and back.

In: states as evaluators keep them, and memory. Out: memory, and states. What then holds: what
goes there and back is equal to what it was.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import repeat
from typing import Any

from gdl.core.nodes import Get, Slot
from gdl.core.operations import SMALL
from gdl.core.types import FLAG, FRACTION, SITES, Type
from gdl.model import Game
from interpreter.evaluation.evaluator import Outcome, State
from interpreter.native.game_code import GameCode
from interpreter.native.memory import context as c
from interpreter.native.memory.fields import Field
from interpreter.native.runtime.packed_history import PackedHistory
from interpreter.reference.history import History, Key

_USUAL_ROOM = 1024
_MOST_KEYS = 4096
_TRAIL_BYTES = 16
_TRAIL_ENTRIES = 1 << 16
_OWN_BYTES = 128
"""Memory begins at multiples of this: no two threads write to one line of a processor's cache."""


class NativeFault(RuntimeError):
    """Something does not hold that must hold of native code."""


class World:
    """Memory that all searches of one thread share; it has room for some earlier positions.

    With `has_trail`, there is room for changes that are taken back, too.
    """

    def __init__(self, key_bytes: Sequence[int], *, has_trail: bool) -> None:
        self.memory = _own_memory(c.PAST + c.PAST_BYTES * len(key_bytes))
        self._key_bytes = key_bytes
        self._has_trail = has_trail
        self.pasts: list[Any] = []
        self._digests: list[Any] = []
        self.room = 0
        self.make_room(_USUAL_ROOM)

    def bring_searches(self, addresses: Mapping[str, int]) -> None:
        """Let random games call the functions outside that `context` names."""
        for name, address in addresses.items():
            self._word(c.OUTSIDE[name]).value = address

    def make_room(self, room: int) -> None:
        """Give every memory room for so many positions; what is in it stays."""
        if room <= self.room:
            return
        self.room = room
        if self._has_trail:
            self._make_trail()
        older, self.pasts, self._digests = self.pasts, [], []
        for number, size in enumerate(self._key_bytes):
            table = ctypes.create_string_buffer(max(8, size * room))
            if older:
                ctypes.memmove(table, older[number], len(older[number]))
            digests = ctypes.create_string_buffer(4 * (room + c.DIGESTS_COMPARED))
            self.pasts.append(table)
            self._digests.append(digests)
            own = c.PAST + c.PAST_BYTES * number
            self._word(own).value = ctypes.addressof(table)
            self._word(own + c.PAST_ROOM).value = room
            self._word(own + c.PAST_DIGESTS).value = ctypes.addressof(digests)
            self._word(own + c.PAST_DIGESTED).value = 0

    def write_past(self, number: int, keys: bytes) -> None:
        """Put keys into a memory, from its first on; there has to be room."""
        ctypes.memmove(self.pasts[number], keys, len(keys))
        self._word(c.PAST + c.PAST_BYTES * number + c.PAST_DIGESTED).value = 0

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

    def go_on(self) -> None:
        """Let the calls that come next run again, when all that was to stop has ended."""
        self._word(c.STOP).value = 0


class Exchange:
    """Reads and writes positions of one game."""

    def __init__(self, game: Game, code: GameCode) -> None:
        self._game = game
        self._program = code.shared.program
        self._layout = code.layout
        self._parts = code.past.parts
        self.key_bytes = code.past.key_bytes
        self._unpack = [partial(self._keys, number) for number in range(len(self.key_bytes))]
        # Those of a game under way are asked for after each move.
        self._key_data = lru_cache(_MOST_KEYS)(self._packed_key)
        self._has_trail = code.shared.sets.are_arrays
        self._clauses, self._numbers = code.endings.clauses, code.endings.numbers
        self.frame_bytes = code.layout.frame_bytes
        self._places = {slot: place for place, slot in enumerate(self._program.state)}
        self._fractions = [slot for slot in self._program.state if slot.type == FRACTION]
        small = code.shared.plan.small
        self._small = [slot for slot in self._program.state if slot in small]
        self._doubtful_memories = [
            (number, memory.slot)
            for number, memory in enumerate(self._program.memories)
            if self._fractions
            or any(not isinstance(n, Get) and not small.isdisjoint(n.free) for n in memory.key)
        ]
        stuck = (ending for turn in self._program.turns for ending in turn.stuck)
        self._stuck = {self._numbers[ending.number] for ending in stuck}

    def holds(self, state: State) -> bool:
        """Return whether memory has room for all of a state.

        A fraction is kept as a multiple of the one that the rules need; a position that somebody
        describes may have others. Numbers that must be small have to be half as large here, so that
        counts of turns can go on.
        """

        def value(slot: Slot) -> Any:
            return state.values[self._places[slot]]

        small = (n for slot in self._small for n in _entries(value(slot), slot.per_site))
        kept = [(self._layout.fields[slot], value(slot), slot.per_site) for slot in self._fractions]
        for number, slot in self._doubtful_memories:
            for key, _ in value(slot).items():
                parts = zip(self._parts[number], key, strict=True)
                kept += [(part.field, entry, part.per_site) for part, entry in parts]
        return all(abs(n) <= SMALL // 2 for n in small) and all(
            _has_room(field, n)
            for field, n_or_all, per_site in kept
            for n in _entries(n_or_all, per_site)
        )

    def world(self) -> World:
        """Return memory for the searches of one thread."""
        return World(self.key_bytes, has_trail=self._has_trail)

    def buffer(self, count: int = 1) -> Any:
        """Return memory for positions, each of `frame_bytes`."""
        return _own_memory(self.frame_bytes * count)

    def memory(self, size: int) -> Any:
        """Return memory of so many bytes, or a few more."""
        return _own_memory(max(size, 1))

    def write(self, state: State, position: Any, world: World, at: int = 0) -> None:
        """Put a state into memory, and its earlier positions into the world."""
        for slot, value in zip(self._program.state, state.values, strict=True):
            if slot in self._layout.histories:
                value = self._write_history(self._layout.histories[slot], value, world)
            self._put(self._layout.fields[slot], value, position, at, slot.per_site)
        end = state.ended
        ended = winners = 0
        if end is not None:
            ended = self._numbers.get(end.ending, len(self._clauses) + 1)
            winners = sum(1 << self._game.sides.index(side) for side in end.winners)
        self._put(self._layout.ended, ended, position, at)
        self._put(self._layout.winners, winners, position, at)
        payoffs = end.payoffs if end is not None and end.payoffs else repeat(0)
        for field, worth in zip(self._layout.payoffs, payoffs, strict=False):
            self._put(field, int(worth * self._layout.payoff_unit), position, at)

    def _put(
        self, field: Field[Any], value: Any, position: Any, at: int, per_site: bool = False
    ) -> None:
        data, begin = _packed(field, value, per_site), at + field.offset
        position[begin : begin + len(data)] = data

    def read(self, position: Any, before: State | None, world: World, at: int = 0) -> State:
        """Return the state in memory; `before` is the one that it came from by one move."""
        values = []
        for place, slot in enumerate(self._program.state):
            field = self._layout.fields[slot]
            if slot in self._layout.histories:
                past = History() if before is None else before.values[place]
                values.append(self._read_history(slot, past, position, world, at))
            else:
                begin = at + field.offset
                data = position[begin : begin + field.bytes]
                values.append(_unpacked(field, slot.type, data, slot.per_site))
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
        ending = self._clauses[number - 1] if number <= len(self._clauses) else None
        return Outcome(
            tuple(self._game.sides[side] for side in winners),
            tuple(values[self._places[seats[s]]] + 1 if seats else s + 1 for s in winners),
            tuple(
                _reduced(self._get(field, position, at, signed=True), self._layout.payoff_unit)
                for field in self._layout.payoffs
            ),
            None if ending is None else ending.span,
            0 if ending is None else ending.number,
            is_puzzle=len(self._game.sides) == 1,
        )

    def _get(self, field: Field[Any], position: Any, at: int, *, signed: bool = False) -> int:
        begin = at + field.offset
        return int.from_bytes(position[begin : begin + field.entry_bytes], "little", signed=signed)

    # ------------------------------------------------------------ earlier positions

    def _write_history(self, number: int, past: Any, world: World) -> int:
        if past is None:
            return 0
        parts = []
        while isinstance(past, PackedHistory) and past.unpack is self._unpack[number]:
            parts.append(past.new)
            past = past.before
        parts += (self._key_data(number, key) * count for key, count in past.items())
        keys = b"".join(parts)
        count = len(keys) // self.key_bytes[number]
        world.make_room(count + _USUAL_ROOM)
        world.write_past(number, keys)
        return count

    def _packed_key(self, number: int, key: Key) -> bytes:
        """Return a key as bytes."""
        data = bytearray(self.key_bytes[number])
        for part, value in zip(self._parts[number], key, strict=True):
            packed = _packed(part.field, value, part.per_site)
            data[part.field.offset : part.field.offset + len(packed)] = packed
        return bytes(data)

    def _read_history(self, slot: Slot, past: Any, position: Any, world: World, at: int) -> History:
        number = self._layout.histories[slot]
        result = past if past is not None else History()
        if isinstance(result, PackedHistory):
            known = result.size
        else:
            known = sum(count for _, count in result.items())
        new = self.keys_of(number, position, world, known, at)
        if not new:
            return result
        count = known + len(new) // self.key_bytes[number]
        return PackedHistory(result, new, self._unpack[number], count)

    def keys_of(
        self, number: int, position: Any, world: World, known: int = 0, at: int = 0
    ) -> bytes:
        """Return the keys of a memory that came to a position after so many that are known."""
        size = self.key_bytes[number]
        count = self._get(self._layout.fields[self._program.memories[number].slot], position, at)
        begin = ctypes.addressof(world.pasts[number]) + known * size
        return ctypes.string_at(begin, max(0, count - known) * size)

    def _keys(self, number: int, data: bytes) -> Iterator[Key]:
        """Yield the keys that stand in bytes one after the other."""
        size = self.key_bytes[number]
        for begin in range(0, len(data), size):
            yield self._key(number, data[begin : begin + size])

    def _key(self, number: int, data: bytes) -> Key:
        return tuple(
            _unpacked(part.field, part.node.type, data[part.field.offset :], part.per_site)
            for part in self._parts[number]
        )


def _own_memory(size: int) -> Any:
    """Return so many bytes, which are 0, in lines of the cache that have nothing else."""
    whole = bytearray(-(-size // _OWN_BYTES) * _OWN_BYTES + _OWN_BYTES)
    begin = -ctypes.addressof(ctypes.c_char.from_buffer(whole)) % _OWN_BYTES
    return (ctypes.c_char * size).from_buffer(whole, begin)


def _entries(value: Any, per_site: bool) -> Any:
    """Return the value of each site, or the one that there is."""
    return value if per_site else (value,)


def _denominator(field: Field[Any]) -> int:
    return 1 if field.range is None else field.range.denominator


def _packed(field: Field[Any], value: Any, per_site: bool) -> bytes:
    """Return the bytes of a field; its value has an entry for each site, or it is one."""
    unit = _denominator(field)
    numbers = [int(n if unit == 1 else Fraction(n) * unit) for n in _entries(value, per_site)]
    return b"".join(n.to_bytes(field.entry_bytes, "little", signed=n < 0) for n in numbers)


def _unpacked(field: Field[Any], type_: Type, data: bytes, per_site: bool) -> Any:
    """Return the value that the first bytes are of."""
    step = field.entry_bytes
    entries = (_value(field, type_, data[i * step : (i + 1) * step]) for i in range(field.count))
    return tuple(entries) if per_site else next(entries)


def _value(field: Field[Any], type_: Type, data: bytes) -> Any:
    number = int.from_bytes(data, "little", signed=type_ != SITES)
    if type_ == FLAG:
        return number != 0
    return _reduced(number, _denominator(field))


def _reduced(number: int, denominator: int) -> int | Fraction:
    if denominator == 1:
        return number
    fraction = Fraction(number, denominator)
    return fraction.numerator if fraction.denominator == 1 else fraction


def _has_room(field: Field[Any], value: Any) -> bool:
    """Return whether an entry of a field has room for a value."""
    if field.range is None:
        return True
    scaled = Fraction(value * field.range.denominator)
    return scaled.denominator == 1 and -(1 << field.bits - 1) <= scaled < 1 << field.bits - 1
