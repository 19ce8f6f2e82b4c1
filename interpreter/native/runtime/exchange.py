"""Positions as bytes that native code reads, and back.

In: states as evaluators keep them, and memory. Out: memory, and states. What then holds: what
goes there and back is equal to what it was.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import repeat
from struct import pack, unpack
from typing import Any

from gdl.core.nodes import Get, Slot
from gdl.core.operations import SMALL
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.evaluator import Outcome, State
from gdl.interpreter.native.game_code import GameCode
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.memory.fields import Field
from gdl.interpreter.reference.history import History, Key
from gdl.model import Game

_USUAL_ROOM = 1024
_MOST_KEYS = 4096
TRAIL_BYTES = 16
TRAIL_ENTRIES, TRAIL_ENTRIES_A_KEY = 1 << 16, 8
"""How long an entry of the trail is; how many there are, and more for each key in a memory."""
_OWN_BYTES = 128
"""Memory begins at multiples of this: no two threads write to one line of a processor's cache."""


class NativeFault(RuntimeError):
    """Something does not hold that must hold of native code."""


class Memory:
    """Where that lies which native code works with: here, in the memory of this process.

    Arrays of bytes and words are of `ctypes`, and freed when nobody has them any more.
    """

    def bytes(self, size: int) -> Any:
        """Return so many bytes, which are 0, in lines of the cache that have nothing else."""
        whole = bytearray(-(-size // _OWN_BYTES) * _OWN_BYTES + _OWN_BYTES)
        begin = -ctypes.addressof(ctypes.c_char.from_buffer(whole)) % _OWN_BYTES
        return (ctypes.c_char * size).from_buffer(whole, begin)

    def words(self, count: int) -> Any:
        """Return so many words (i64), which are 0; what is put into one is cut to its bits."""
        return (ctypes.c_int64 * count)()

    def address(self, array: Any) -> int:
        """Return the address of an array, as native code knows it."""
        return ctypes.addressof(array)

    def within(self, array: Any, offset: int) -> Any:
        """Return what a function is given as the address of a place in an array."""
        return ctypes.byref(array, offset)


class World:
    """Memory that all searches of one thread share; it has room for some earlier positions.

    With `has_trail`, there is room for changes that are taken back, too.
    """

    def __init__(self, key_bytes: Sequence[int], memory: Memory, *, has_trail: bool) -> None:
        self._memory = memory
        self.memory = memory.bytes(w.PAST + w.PAST_BYTES * len(key_bytes))
        self._key_bytes = key_bytes
        self._has_trail = has_trail
        self.pasts: list[Any] = []
        self._digests: list[Any] = []
        self._trail: Any = None
        self.room = 0
        self.make_room(_USUAL_ROOM)

    def bring_searches(self, addresses: Mapping[str, int]) -> None:
        """Let random games call the functions outside that `context` names."""
        for name, address in addresses.items():
            self._word(w.OUTSIDE[name]).value = address

    def make_room(self, room: int) -> None:
        """Give every memory room for so many positions; what is in it stays."""
        if room <= self.room:
            return
        self.room = room
        if self._has_trail:
            self._make_trail()
        older, self.pasts, self._digests = self.pasts, [], []
        for number, size in enumerate(self._key_bytes):
            table = self._memory.bytes(max(8, size * room))
            if older:
                ctypes.memmove(table, older[number], len(older[number]))
            digests = self._memory.bytes(4 * (room + w.DIGESTS_COMPARED))
            self.pasts.append(table)
            self._digests.append(digests)
            own = w.PAST + w.PAST_BYTES * number
            self._word(own).value = self._memory.address(table)
            self._word(own + w.PAST_ROOM).value = room
            self._word(own + w.PAST_DIGESTS).value = self._memory.address(digests)
            self._word(own + w.PAST_DIGESTED).value = 0

    @property
    def trail(self) -> Any:
        """The memory for changes that are taken back; None where it has none."""
        return self._trail

    @property
    def buffers(self) -> dict[int, Any]:
        """What memory the world leads to, by where in it the address stands."""
        found = {} if self._trail is None else {w.TRAIL: self._trail}
        for number, (keys, digests) in enumerate(zip(self.pasts, self._digests, strict=True)):
            own = w.PAST + w.PAST_BYTES * number
            found |= {own: keys, own + w.PAST_DIGESTS: digests}
        return found

    def write_past(self, number: int, keys: bytes) -> None:
        """Put keys into a memory, from its first on; there has to be room."""
        ctypes.memmove(self.pasts[number], keys, len(keys))
        self._word(w.PAST + w.PAST_BYTES * number + w.PAST_DIGESTED).value = 0

    def _make_trail(self) -> None:
        self._trail = self._memory.bytes(
            TRAIL_BYTES * (TRAIL_ENTRIES + TRAIL_ENTRIES_A_KEY * self.room)
        )
        self._word(w.TRAIL).value = self._memory.address(self._trail)
        self._word(w.TRAIL_END).value = self._memory.address(self._trail) + len(self._trail)

    def _word(self, offset: int) -> ctypes.c_int64:
        return ctypes.c_int64.from_buffer(self.memory, offset)

    @property
    def error(self) -> int:
        """Why the last call failed; 0 if it did not. Raises NativeFault."""
        reason = self._word(w.ERROR).value
        if reason == w.BROKEN:
            raise NativeFault("checked native code has found a fault of its own")
        return reason

    @property
    def place(self) -> int:
        """The number of the place where a turn took too much work."""
        return self._word(w.PLACE).value

    def clear(self) -> None:
        """Forget that a call failed or was to stop."""
        self._word(w.ERROR).value = 0
        self._word(w.STOP).value = 0

    def stop(self) -> None:
        """Make what is running end soon."""
        self._word(w.STOP).value = 1

    def go_on(self) -> None:
        """Let the calls that come next run again, when all that was to stop has ended."""
        self._word(w.STOP).value = 0


_LETTERS = {1: "b", 2: "h", 4: "i", 8: "q"}
"""How `struct` calls numbers with a sign of so many bytes."""


@dataclass(frozen=True)
class _Place:
    """Where a value lies in memory: in a field, or, `per_site`, a value for each site."""

    field: Field[Any]
    type: Type
    per_site: bool = False

    @cached_property
    def _unit(self) -> int:
        return 1 if self.field.range is None else self.field.range.denominator

    @cached_property
    def _begin(self) -> int:
        return self.field.offset

    @cached_property
    def _size(self) -> int:
        return self.field.entry_bytes

    @cached_property
    def _letter(self) -> str | None:
        """How `struct` calls its numbers; None where that has no name for them."""
        is_plain = self.type == NUMBER and self._unit == 1
        return _LETTERS.get(self._size) if is_plain else None

    def entries(self, value: Any) -> Any:
        """Return the value of each site, or the one that there is."""
        return value if self.per_site else (value,)

    def has_room_for(self, value: Any) -> bool:
        """Return whether there is room for all of a value."""
        most = 1 << self.field.bits - 1
        numbers = [] if self.field.range is None else self.entries(value)
        scaled = (Fraction(number * self._unit) for number in numbers)
        return all(n.denominator == 1 and -most <= n < most for n in scaled)

    def write(self, value: Any, memory: Any, at: int = 0) -> None:
        """Write a value into the memory that begins there."""
        size, unit, begin = self._size, self._unit, at + self._begin
        if not self.per_site and unit == 1:
            number = int(value)
            memory[begin : begin + size] = number.to_bytes(size, "little", signed=number < 0)
            return
        if self._letter is not None:
            memory[begin : begin + self.field.bytes] = pack(f"<{len(value)}{self._letter}", *value)
            return
        numbers = [int(n if unit == 1 else Fraction(n) * unit) for n in self.entries(value)]
        data = b"".join(number.to_bytes(size, "little", signed=number < 0) for number in numbers)
        memory[begin : begin + len(data)] = data

    def read(self, memory: Any, at: int = 0) -> Any:
        """Return the value in the memory that begins there."""
        size, begin = self._size, at + self._begin
        if not self.per_site:
            return self._entry(memory[begin : begin + size])
        data = bytes(memory[begin : begin + self.field.bytes])
        if self._letter is not None:
            return unpack(f"<{len(data) // size}{self._letter}", data)
        return tuple(self._entry(data[place : place + size]) for place in range(0, len(data), size))

    def column(self, data: bytes, step: int) -> list[Any]:
        """Return the values in pieces of memory of `step` bytes, one behind another."""
        if self.per_site or self._unit != 1:
            return [self.read(data, at) for at in range(0, len(data), step)]
        size, is_signed = self._size, self.type != SITES
        numbers = [
            int.from_bytes(data[begin : begin + size], "little", signed=is_signed)
            for begin in range(self._begin, len(data), step)
        ]
        return list(map(bool, numbers)) if self.type == FLAG else numbers

    def _entry(self, data: bytes) -> Any:
        number = int.from_bytes(data, "little", signed=self.type != SITES)
        return number != 0 if self.type == FLAG else _reduced(number, self._unit)


def _reduced(number: int, denominator: int) -> int | Fraction:
    if denominator == 1:
        return number
    fraction = Fraction(number, denominator)
    return fraction.numerator if fraction.denominator == 1 else fraction


class Exchange:
    """Reads and writes positions of one game, in the memory that its code has."""

    def __init__(self, game: Game, code: GameCode, memory: Memory | None = None) -> None:
        self.memory = Memory() if memory is None else memory
        self._sides = game.sides
        self._program = code.shared.program
        layout = code.layout
        self._histories = layout.histories
        self._slots = [
            (slot, _Place(layout.fields[slot], slot.type, slot.per_site))
            for slot in self._program.state
        ]
        self._ended = _Place(layout.ended, NUMBER)
        self._winners = _Place(layout.winners, SITES)
        self._payoffs = [_Place(field, NUMBER) for field in layout.payoffs]
        self._payoff_unit = layout.payoff_unit
        self._key_parts = [
            [_Place(part.field, part.node.type, part.per_site) for part in parts]
            for parts in code.past.parts
        ]
        self.key_bytes = code.past.key_bytes
        self._counts = [
            _Place(layout.fields[memory.slot], NUMBER) for memory in self._program.memories
        ]
        self._unpack = [partial(self._keys, number) for number in range(len(self.key_bytes))]
        # Those of a game under way are asked for after each move.
        self._key_data = lru_cache(_MOST_KEYS)(self._packed_key)
        self._has_trail = code.shared.sets.are_arrays
        self._clauses, self._numbers = code.endings.clauses, code.endings.numbers
        self.frame_bytes = code.layout.frame_bytes
        small = code.shared.plan.small
        self._small = small
        has_fractions = any(slot.type == FRACTION for slot in self._program.state)
        self._doubtful_histories = {
            memory.slot
            for memory in self._program.memories
            if has_fractions
            or any(not isinstance(n, Get) and not small.isdisjoint(n.free) for n in memory.key)
        }
        self._doubtful = [
            (number, slot, place)
            for number, (slot, place) in enumerate(self._slots)
            if slot in small or slot.type == FRACTION or slot in self._doubtful_histories
        ]
        stuck = (ending for turn in self._program.turns for ending in turn.stuck)
        self._stuck = {self._numbers[ending.number] for ending in stuck}

    def holds(self, state: State) -> bool:
        """Return whether memory has room for all of a state.

        A fraction is kept as a multiple of the one that the rules need; a position that somebody
        describes may have others. Numbers that must be small have to be half as large here, so that
        counts of turns can go on.
        """
        for number, slot, place in self._doubtful:
            value = state.values[number]
            if slot in self._small and any(abs(n) > SMALL // 2 for n in place.entries(value)):
                return False
            if slot.type == FRACTION and not place.has_room_for(value):
                return False
            if slot in self._doubtful_histories:
                parts = self._key_parts[self._histories[slot]]
                for key, _ in value.items():
                    if not all(map(_Place.has_room_for, parts, key)):
                        return False
        return True

    def world(self) -> World:
        """Return memory for the searches of one thread."""
        return World(self.key_bytes, self.memory, has_trail=self._has_trail)

    def buffer(self, count: int = 1) -> Any:
        """Return memory for positions, each of `frame_bytes`."""
        return self.memory.bytes(self.frame_bytes * count)

    def write(self, state: State, position: Any, world: World, at: int = 0) -> None:
        """Put a state into memory, and its earlier positions into the world."""
        for (slot, place), value in zip(self._slots, state.values, strict=True):
            if slot in self._histories:
                value = self._write_history(self._histories[slot], value, world)
            place.write(value, position, at)
        end = state.ended
        ended = winners = 0
        if end is not None:
            ended = self._numbers.get(end.ending, len(self._clauses) + 1)
            winners = sum(1 << self._sides.index(side) for side in end.winners)
        self._ended.write(ended, position, at)
        self._winners.write(winners, position, at)
        payoffs = end.payoffs if end is not None and end.payoffs else repeat(0)
        for place, worth in zip(self._payoffs, payoffs, strict=False):
            place.write(worth * self._payoff_unit, position, at)

    def read(self, position: Any, before: State | None, world: World, at: int = 0) -> State:
        """Return the state in memory; `before` is the one that it came from by one move."""
        values = []
        for number, (slot, place) in enumerate(self._slots):
            if slot in self._histories:
                past = None if before is None else before.values[number]
                values.append(self._read_history(slot, past, position, world, at))
            else:
                values.append(place.read(position, at))
        return State(tuple(values), self.outcome(position, tuple(values), at))

    def read_last(self, position: Any, before: State, world: World) -> tuple[Outcome | None, State]:
        """Return a game's outcome, and its last state, which has none if a side is stuck."""
        last = self.read(position, before, world)
        is_stuck = self._ended.read(position) in self._stuck
        return last.ended, (State(last.values) if is_stuck else last)

    def outcome(self, position: Any, values: tuple[Any, ...], at: int = 0) -> Outcome | None:
        """Return how the game in memory has ended, if it has."""
        number = self._ended.read(position, at)
        if number == 0:
            return None
        mask = self._winners.read(position, at)
        winners = [side for side in range(len(self._sides)) if mask >> side & 1]
        places = {slot: number for number, (slot, _) in enumerate(self._slots)}
        seats = self._program.system.seats
        ending = self._clauses[number - 1] if number <= len(self._clauses) else None
        return Outcome(
            tuple(self._sides[side] for side in winners),
            tuple(values[places[seats[s]]] + 1 if seats else s + 1 for s in winners),
            tuple(_reduced(place.read(position, at), self._payoff_unit) for place in self._payoffs),
            None if ending is None else ending.span,
            0 if ending is None else ending.number,
            is_puzzle=len(self._sides) == 1,
        )

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
        for place, value in zip(self._key_parts[number], key, strict=True):
            place.write(value, data)
        return bytes(data)

    def _read_history(self, slot: Slot, past: Any, position: Any, world: World, at: int) -> History:
        number = self._histories[slot]
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
        count = self._counts[number].read(position, at)
        begin = ctypes.addressof(world.pasts[number]) + known * size
        return ctypes.string_at(begin, max(0, count - known) * size)

    def _keys(self, number: int, data: bytes) -> Iterator[Key]:
        """Return the keys that stand in bytes one after the other."""
        size = self.key_bytes[number]
        columns = [place.column(data, size) for place in self._key_parts[number]]
        return zip(*columns, strict=True)


# -------------------- earlier positions as native code wrote them, read when somebody asks for them

Unpack = Callable[[bytes], Iterable[Key]]


class PackedHistory(History):
    """The keys of the history `before`, and `new` ones, which `unpack` reads; `size` counts all.

    >>> past = PackedHistory(History().adding((1,)), bytes((1, 2)), lambda new: zip(new), 3)
    >>> past.count((1,)), past == History().adding((1,)).adding((2,)).adding((1,))
    (2, True)
    """

    __slots__ = ("before", "new", "size", "unpack")

    def __init__(self, before: History, new: bytes, unpack: Unpack, size: int) -> None:
        # What a history consists of is left out: it is made by `__getattr__`.
        self.before = before
        self.new = new
        self.unpack = unpack
        self.size = size

    def __getattr__(self, name: str) -> Any:
        if name not in ("_counts", "_hash"):
            raise AttributeError(name)
        not_read: list[PackedHistory] = []
        past: History = self
        while isinstance(past, PackedHistory) and not _is_read(past):
            not_read.append(past)
            past = past.before
        counts = dict(past.items())
        for part in reversed(not_read):
            for key in part.unpack(part.new):
                counts[key] = counts.get(key, 0) + 1
        read = History(counts)
        self._counts, self._hash = read._counts, read._hash
        return getattr(self, name)

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, PackedHistory) and self.before is other.before:
            is_same = self.new == other.new and self.unpack == other.unpack
            return is_same or super().__eq__(other)
        return super().__eq__(other)

    def __hash__(self) -> int:
        return super().__hash__()

    def __reduce__(self) -> tuple[type[History], tuple[dict[Key, int]]]:
        return History, (dict(self.items()),)


def _is_read(past: PackedHistory) -> bool:
    try:
        object.__getattribute__(past, "_counts")
    except AttributeError:
        return False
    return True
