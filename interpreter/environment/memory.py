"""The memory of rows: positions, turns under way, what the rules remember, and saved states.

In: a game's code, and how many rows there are. Out: `RowMemory`. What then holds: a state that was
saved and is put into any row goes on there as it would have gone on where it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.interpreter.environment.code import EnvironmentCode, view, zeros
from gdl.interpreter.environment.rows import COUNTERS, IS_BEGUN, LAST, MADE, PLIES, Rows, Rules
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.native.memory import world as w

MOST_DECISIONS = w.MOST_TRACED
_USUAL_KEYS = 64
_SPARE_KEYS = 8
_HEAD_WORDS = 2
"""What a saved state begins with: for how many decisions it has room, and for how many keys."""

_Bytes = NDArray[np.uint8]
_Numbers = NDArray[np.int32]
_Places = NDArray[np.int64]


class RowMemory:
    """Memory of `n` rows, each with room for the `longest` turn; `own` has its arrays by name.

    `keys` has what is remembered, an array a memory, with room for `key_room` keys a row. So many
    events are to be kept as `recall` says; it `has_ways` if the ways of chance are counted.
    """

    def __init__(
        self, code: EnvironmentCode, rules: Rules, n: int, *, recall: int, has_ways: bool
    ) -> None:
        self._code = code
        self._rules = rules
        self._n = n
        self._recall = recall
        self._sizes = code.exchange.key_bytes
        longest = code.actions.longest
        self.longest = max(1, min(MOST_DECISIONS if longest is None else longest, MOST_DECISIONS))
        words = w.PAST_BYTES // WORD_BYTES
        self.own: dict[str, NDArray[Any]] = {
            "frames": zeros((n, rules.frame_bytes), np.uint8),
            "numbers": zeros((n, COUNTERS), np.int32),
            **{name: zeros((n, self.longest), np.int32) for name in ("decisions", "ids", "last")},
            "best": zeros((n, 3), np.int64),
            "random": zeros(n, np.int64),
            "past": zeros((n, max(1, len(self._sizes)), words), np.int64),
            "ways": zeros((n if has_ways else 1, rules.actions), np.int64),
            "events": zeros((n, rules.sides, max(1, recall), 3), np.int32),
            "event_counts": zeros((n, rules.sides), np.int32),
            "actions": zeros(n, np.int32),
        }
        self.keys: list[_Bytes] = []
        self._digests: list[_Bytes] = []
        self.key_room = 0
        self.make_room(_USUAL_KEYS)

    def record(self, shown: Mapping[str, NDArray[Any]]) -> Rows:
        """Return the record of rows, with the arrays in which they are shown."""
        bytes_ = {n: a.view(np.uint8) if a.dtype == np.bool_ else a for n, a in shown.items()}
        arrays = {name: view(array) for name, array in (self.own | bytes_).items()}
        return Rows(longest=self.longest, **arrays)

    def make_room(self, room: int) -> None:
        """Give each row memory for so many earlier positions; what is in it stays."""
        if room <= self.key_room:
            return
        before, past, rows = self.keys, self.own["past"], np.arange(self._n)
        self.keys, self._digests = [], []
        for number, size in enumerate(self._sizes):
            keys = np.zeros((self._n, room * size), np.uint8)
            if before:
                keys[:, : before[number].shape[1]] = before[number]
            digests = np.zeros((self._n, 4 * (room + w.DIGESTS_COMPARED)), np.uint8)
            past[:, number, 0] = keys.ctypes.data + rows * keys.strides[0]
            past[:, number, w.PAST_ROOM // 8] = room
            past[:, number, w.PAST_DIGESTS // 8] = digests.ctypes.data + rows * digests.strides[0]
            past[:, number, w.PAST_DIGESTED // 8] = 0
            self.keys.append(keys)
            self._digests.append(digests)
        self.key_room = room

    # ------------------------------------------------------------------------ positions

    def state(self, row: int) -> State:
        """Return the position in which the turn of a row began, with what is remembered."""
        exchange = self._code.exchange
        world = exchange.world()
        world.make_room(self.key_room)
        for number, keys in enumerate(self.keys):
            world.write_past(number, keys[row].tobytes())
        return exchange.read(self.own["frames"][row].tobytes(), None, world)

    def put(self, row: int, state: State) -> None:
        """Put a position into a row, which begins a turn there.

        Raises ValueError where it has numbers that there is no room for.
        """
        exchange = self._code.exchange
        if not exchange.holds(state):
            raise ValueError("a position has numbers that native code has no room for")
        world, memory = exchange.world(), exchange.buffer()
        exchange.write(state, memory, world)
        frame = np.frombuffer(memory, np.uint8)
        self.own["frames"][row, : len(frame)] = frame
        self.make_room(self.used_keys(frame[None, :]) + _SPARE_KEYS)
        for number, size in enumerate(self._sizes):
            used = int(self.key_counts(frame[None, :], number)[0]) * size
            self.keys[number][row, :used] = np.frombuffer(world.pasts[number], np.uint8)[:used]
        self.own["past"][row, :, w.PAST_DIGESTED // 8] = 0
        for name in ("numbers", "best", "event_counts"):
            self.own[name][row] = 0
        self.own["numbers"][row, IS_BEGUN] = 1

    def key_counts(self, frames: _Bytes, number: int) -> _Places:
        """Return how many keys positions have in a memory."""
        begin = self._rules.key_counts[number]
        found = np.ascontiguousarray(frames[:, begin : begin + WORD_BYTES]).view(np.int64)
        return found.reshape(-1)

    def used_keys(self, frames: _Bytes) -> int:
        """Return how many keys there are at most in a memory of positions."""
        counts = [self.key_counts(frames, number) for number in range(len(self._sizes))]
        return max((int(each.max(initial=0)) for each in counts), default=0)

    # --------------------------------------------------------------------------- states

    def saved(self, rows: _Places) -> _Bytes:
        """Return the states of rows."""
        own, numbers = self.own, self.own["numbers"][rows]
        width = max(1, int(numbers[:, [MADE, LAST]].max(initial=1)))
        frames = own["frames"][rows, : self._rules.state_bytes]
        room = self.used_keys(frames)
        parts = [
            *(numbers, own["random"][rows], own["best"][rows], frames),
            *(own[name][rows, :width] for name in ("decisions", "ids", "last")),
            *self._events(rows),
            *(keys[rows, : room * n] for keys, n in zip(self.keys, self._sizes, strict=True)),
        ]
        return _packed(width, room, parts)

    def states_after(self, parents: _Places, ids: _Numbers, records: _Bytes) -> _Bytes:
        """Return the states after moves of rows, in the records of native code."""
        count, width = len(parents), max(1, ids.shape[1])
        numbers = np.zeros((count, COUNTERS), np.int32)
        numbers[:, PLIES] = self.own["numbers"][parents, PLIES] + 1
        numbers[:, LAST] = (ids > 0).sum(axis=1)
        numbers[:, IS_BEGUN] = 1
        frames = records[:, : self._rules.state_bytes]
        room, begin = self.used_keys(frames), self._code.keys_at
        keys = []
        for number, size in enumerate(self._sizes):
            own = np.zeros((count, room * size), np.uint8)
            known = min(room * size, self.keys[number].shape[1])
            own[:, :known] = self.keys[number][parents, :known]
            newest = (self.key_counts(frames, number) - 1) * size
            columns = newest[:, None] + np.arange(size)
            own[np.arange(count)[:, None], columns] = records[:, begin : begin + size]
            begin += size
            keys.append(own)
        none = np.zeros((count, width), np.int32)
        parts = [
            *(numbers, self.own["random"][parents], np.zeros((count, 3), np.int64), frames),
            *(none, none, np.maximum(ids, 0)),
            *self._events(parents),
            *keys,
        ]
        return _packed(width, room, parts)

    def restore(self, rows: _Places, states: _Bytes) -> None:
        """Put saved states into rows, one each.

        Raises ValueError for bytes that are no states of this game.
        """
        given = np.ascontiguousarray(states, np.uint8)
        if given.ndim != 2 or len(given) != len(rows):
            raise ValueError(f"{len(rows)} states are wanted, one a row")
        if not len(given):
            return
        wrong = ValueError("these are no states of this game, as `save` and `expand` give them")
        at = 4 * _HEAD_WORDS
        if given.shape[1] < at:
            raise wrong
        head = given[:, :at].copy().view(np.int32)
        width, room = map(int, head[0])
        parts: dict[str, tuple[int, Any]] = {
            "numbers": (COUNTERS, np.int32),
            "random": (1, np.int64),
            "best": (3, np.int64),
            "frames": (self._rules.state_bytes, np.uint8),
            **dict.fromkeys(("decisions", "ids", "last"), (width, np.int32)),
        }
        if self._recall:
            parts["events"] = (self._rules.sides * self._recall * 3, np.int32)
            parts["event_counts"] = (self._rules.sides, np.int32)
        total = at + sum(n * np.dtype(kind).itemsize for n, kind in parts.values())
        is_sized = (head == head[0]).all() and 0 < width <= self.longest and room >= 0
        if not is_sized or given.shape[1] != total + room * sum(self._sizes):
            raise wrong
        found = {}
        for name, (count, kind) in parts.items():
            size = count * np.dtype(kind).itemsize
            found[name] = given[:, at : at + size].copy().view(kind)
            at += size
        made = found["numbers"][:, [MADE, LAST]]
        if made.min() < 0 or made.max() > width or self.used_keys(found["frames"]) > room:
            raise wrong
        self.make_room(room + _SPARE_KEYS)
        for name, values in found.items():
            self.own[name].reshape(self._n, -1)[rows, : values.shape[1]] = values
        for number, size in enumerate(self._sizes):
            self.keys[number][rows, : room * size] = given[:, at : at + room * size]
            at += room * size
            self.own["past"][rows, number, w.PAST_DIGESTED // 8] = 0

    def _events(self, rows: _Places) -> list[NDArray[Any]]:
        return [self.own[name][rows] for name in ("events", "event_counts") if self._recall]


def _packed(width: int, room: int, parts: Sequence[NDArray[Any]]) -> _Bytes:
    """Return rows of arrays as bytes, one behind the other, with their sizes before them."""
    count = len(parts[0])
    head = np.tile(np.array([width, room], np.int32), (count, 1))
    sizes = [int(np.prod(part.shape[1:])) for part in (head, *parts)]
    flat = (
        np.ascontiguousarray(part).reshape(count, size)
        for part, size in zip((head, *parts), sizes, strict=True)
    )
    bytes_ = (part.view(np.uint8).reshape(count, -1) for part in flat if part.shape[1])
    return (
        np.concatenate(list(bytes_), axis=1) if count else np.zeros((0, 4 * sum(sizes)), np.uint8)
    )
