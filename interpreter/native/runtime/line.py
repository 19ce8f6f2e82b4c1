"""A game played in native memory, move by move: for records that are read by the thousand.

In: an evaluator and a state. Out: the legal moves, and the position after each move that is made.
What then holds: no state is made on the way, and a move is made once for each way that it is told.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TypeVar

from gdl.core.nodes import Slot
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.moves import FORCED_PASS, Move
from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.calling import Caller
from gdl.interpreter.native.runtime.compiled import CompiledGame
from gdl.interpreter.native.runtime.exchange import Exchange
from gdl.interpreter.native.turns.endings import PASSES

_MOST_LISTED = 1 << 16
_MOST_KEPT = 1 << 20
_WORK = 1 << 40

Result = TypeVar("Result")


class CannotGoOn(Exception):
    """Memory has no room for what comes, or the rules fail: the evaluator itself has to play."""


class NativeLine:
    """One game after the other, each in the same memory. For one thread; use it in `within`."""

    def __init__(
        self,
        code: CompiledGame,
        exchange: Exchange,
        caller: Caller,
        made: Callable[[Sequence[int]], Move],
    ) -> None:
        """Make memory ready; `made` makes a move of how it is told."""
        code.compile()
        self._caller = caller
        self._code = code
        self._exchange = exchange
        self._made = made
        self._part = code.calls
        self._world = exchange.world()
        self._position = exchange.buffer()
        self._list = exchange.memory.words(_MOST_LISTED)
        self._decisions = exchange.memory.words(_MOST_LISTED)
        self._error = ctypes.c_int64.from_buffer(self._world.memory, w.ERROR)
        self._known: dict[bytes, Move] = {}
        self._bytes: bytes | None = None
        layout = code.written.layout
        self._ended = slice(layout.ended.offset, layout.ended.offset + layout.ended.bytes)
        self._places = {slot: (f.offset, f.bytes) for slot, f in layout.fields.items()}
        self._begun: State | None = None

    def within(self, work: Callable[[], Result]) -> Result:
        """Do work in a thread with room for any turn, during which the code is not freed."""
        task = self._world, lambda _: self._code.users.call(work)
        (found,) = self._caller.threads([task])
        return found

    def begin(self, state: State) -> None:
        """Begin at a state that has not ended. Raises CannotGoOn."""
        if state.ended is not None or not self._exchange.holds(state):
            raise CannotGoOn
        self._world.clear()
        self._exchange.write(state, self._position, self._world)
        self._world.make_room(_MOST_LISTED)
        self._begun, self._bytes = state, None

    def moves(self) -> list[Move]:
        """Return the legal moves; none where the game is over. Raises CannotGoOn."""
        if any(self._position[self._ended]):
            return []
        world, part = self._world.memory, self._part
        part["prepare"](world, _WORK, self._caller.room)
        used = part["listed"](self._position, world, self._list, _MOST_LISTED)
        if self._error.value or used > _MOST_LISTED:
            raise CannotGoOn
        if not used:
            passes = part["stuck"](self._position, world) == PASSES
            return [FORCED_PASS] if passes else []
        data = ctypes.string_at(self._list, used * WORD_BYTES)
        known, found, place, last = self._known, list[Move](), 0, len(data)
        while place < last:
            # Keys are bytes, which are made and looked up in half the time of tuples of numbers.
            end = place + WORD_BYTES * (1 + data[place] + (data[place + 1] << 8))
            key = data[place:end]
            move = known.get(key)
            found.append(self._new(key) if move is None else move)
            place = end
        return found

    def _new(self, key: bytes) -> Move:
        """Return the move of a trace that is met for the first time, and keep it."""
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        _, *trace = (
            int.from_bytes(key[begin : begin + WORD_BYTES], "little", signed=True)
            for begin in range(0, len(key), WORD_BYTES)
        )
        self._known[key] = self._made(trace)
        return self._known[key]

    def make(self, move: Move) -> None:
        """Make a legal move. Raises CannotGoOn."""
        self._bytes = None
        world, part = self._world.memory, self._part
        part["prepare"](world, _WORK, self._caller.room)
        if move is FORCED_PASS:
            part["pass_on"](self._position, world)
        else:
            count = len(move.decisions)
            if count > _MOST_LISTED:
                raise CannotGoOn
            self._decisions[:count] = move.decisions
            if not part["make"](self._position, world, self._decisions, count):
                raise CannotGoOn
        if self._error.value:
            raise CannotGoOn

    def number(self, slot: Slot) -> int:
        """Return what a slot holds, as a number without a sign."""
        offset, size = self._places[slot]
        return int.from_bytes(self._position[offset : offset + size], "little")

    def holds(self, slot: Slot, site: int) -> bool:
        """Return whether a site is in the set that a slot holds."""
        if self._bytes is None:
            self._bytes = bytes(self._position)
        return bool(self._bytes[self._places[slot][0] + (site >> 3)] >> (site & 7) & 1)

    def state(self) -> State:
        """Return the state that the game has come to."""
        return self._exchange.read(self._position, self._begun, self._world)
