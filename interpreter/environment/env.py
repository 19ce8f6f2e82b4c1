"""Many games at once, as arrays: one environment for learning.

In: a game, and how many rows there are to be. Out: `Env`: arrays of what is seen, of which actions
are legal, of who is to decide, and of rewards. What then holds: no row is an object of Python's;
all that is done with rows is one call of native code, during which other threads go on.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.model import Game
from interpreter.environment.actions import Actions, actions_of
from interpreter.environment.code import EnvironmentCode, compiled_rows, desk, view
from interpreter.environment.observations import Plane, Scalar, Showing, showing_of
from interpreter.environment.rows import (
    COUNTERS,
    FULL,
    LONG,
    MADE,
    Rows,
    act,
    begin_anew,
    illegal,
    look,
    observe,
    sample,
)
from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import State
from interpreter.evaluation.moves import IllegalMoveError
from interpreter.native.memory import world as w
from interpreter.native.runtime.exchange import World
from interpreter.positions.position import Position
from interpreter.positions.position import Rules as GameRules

_MOST_DECISIONS = w.MOST_TRACED
_USUAL_KEYS = 64
_SPARE_DIGESTS = w.DIGESTS_COMPARED


class Step(NamedTuple):
    """What `Env` gives: views of its arrays, which change with the next call that changes rows."""

    observation: NDArray[np.uint8]
    scalars: NDArray[np.float32]
    mask: NDArray[np.uint8]
    group: NDArray[np.int32]
    seat: NDArray[np.int8]
    reward: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class Env:
    """Rows of games of one kind, gone through a decision at a time."""

    def __init__(
        self,
        game: GameRules | Game,
        n: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        auto_reset: bool = True,
        chance: Literal["drawn", "explicit"] = "drawn",
        relative: bool = True,
        max_plies: int = 2000,
        illegal: Literal["raise", "lose"] = "raise",
        out: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        self.rules = game if isinstance(game, GameRules) else GameRules(game)
        self.game: Game = self.rules.game
        self.n = n
        self.seats = len(self.game.sides)
        self.actions: Actions = actions_of(self.game)
        self._showing: Showing = showing_of(self.game, self.actions, is_relative=relative)
        self.planes: tuple[Plane, ...] = self._showing.planes
        self.scalars: tuple[Scalar, ...] = self._showing.scalars
        self.hides = self.game.hides
        self.has_chance = any(phase.by_chance for phase in self.game.program.phases)
        self.is_together = bool(self.game.undecided)
        self._loses = illegal == "lose"
        self._code = EnvironmentCode(self.game, self.actions, self._showing)
        self._record, self._kept = self._code.rules(
            draws=int(chance == "drawn"),
            resets=int(auto_reset),
            loses=int(self._loses),
            most_plies=max_plies,
        )
        self._native = compiled_rows()
        self._make_arrays(out or {})
        self._make_rows()
        self._worlds: list[World] = [self._code.exchange.world() for _ in range(threads)]
        self._desks = [desk(world) for world in self._worlds]
        self.reset(seed=seed)

    # ------------------------------------------------------------------------ arrays

    @property
    def spec(self) -> Mapping[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        """The shape and the type of each array."""
        n, sites = self.n, self.game.board.size
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "observation": ((n, len(self.planes), sites), np.uint8),
            "scalars": ((n, len(self.scalars)), np.float32),
            "mask": ((n, self.actions.size), np.uint8),
            "group": ((n,), np.int32),
            "seat": ((n,), np.int8),
            "reward": ((n, self.seats), np.float32),
            "terminated": ((n,), np.bool_),
            "truncated": ((n,), np.bool_),
        }
        return MappingProxyType(
            {name: (shape, np.dtype(kind)) for name, (shape, kind) in shapes.items()}
        )

    def _make_arrays(self, out: Mapping[str, NDArray[Any]]) -> None:
        found: dict[str, NDArray[Any]] = {}
        for name, (shape, kind) in self.spec.items():
            given = out.get(name)
            if given is None:
                found[name] = np.zeros(shape, kind)
                continue
            fits = given.shape == shape and given.dtype == kind
            if not (fits and given.flags.c_contiguous and given.flags.writeable):
                raise ValueError(
                    f"`{name}` has to be a contiguous array of {kind} with the shape {shape}"
                )
            found[name] = given
        unknown = set(out) - set(found)
        if unknown:
            raise ValueError(f"there is no array called {sorted(unknown)[0]!r}")
        self.arrays: Mapping[str, NDArray[Any]] = MappingProxyType(found)
        self._step = Step(**found)

    def _make_rows(self) -> None:
        n, sizes = self.n, self._code.exchange.key_bytes
        longest = self.actions.longest
        room = _MOST_DECISIONS if longest is None else max(1, min(longest, _MOST_DECISIONS))
        needs_ways = self.has_chance
        self._own: dict[str, NDArray[Any]] = {
            "frames": np.zeros((n, self._record.frame_bytes), np.uint8),
            "numbers": np.zeros((n, COUNTERS), np.int32),
            "decisions": np.zeros((n, room), np.int32),
            "ids": np.zeros((n, room), np.int32),
            "last": np.zeros((n, room), np.int32),
            "best": np.zeros((n, 3), np.int64),
            "random": np.zeros(n, np.int64),
            "past": np.zeros((n, max(1, len(sizes)), 4), np.int64),
            "ways": np.zeros((n if needs_ways else 1, self.actions.size), np.int64),
            "actions": np.zeros(n, np.int32),
        }
        self._longest = room
        self._keys: list[NDArray[np.uint8]] = []
        self._digests: list[NDArray[np.uint8]] = []
        self._key_room = 0
        self._make_key_room(_USUAL_KEYS)
        shown = {
            name: view(array.view(np.uint8) if array.dtype == np.bool_ else array)
            for name, array in self.arrays.items()
        }
        own = {name: view(array) for name, array in self._own.items()}
        self._rows = Rows(longest=room, **own, **shown)

    def _make_key_room(self, room: int) -> None:
        """Give each row memory for so many earlier positions; what is in it stays."""
        before = self._keys
        past = self._own["past"]
        self._keys, self._digests = [], []
        for number, size in enumerate(self._code.exchange.key_bytes):
            keys = np.zeros((self.n, room * size), np.uint8)
            if before:
                keys[:, : before[number].shape[1]] = before[number]
            digests = np.zeros((self.n, 4 * (room + _SPARE_DIGESTS)), np.uint8)
            rows = np.arange(self.n)
            past[:, number, 0] = keys.ctypes.data + rows * keys.strides[0]
            past[:, number, 1] = room
            past[:, number, 2] = digests.ctypes.data + rows * digests.strides[0]
            past[:, number, 3] = 0
            self._keys.append(keys)
            self._digests.append(digests)
        self._key_room = room

    # ------------------------------------------------------------------------- calls

    def _run(self, call: Callable[[Any, int, int], int], count: int) -> None:
        """Call a function for all of `count` rows, shared out among the threads."""
        shares = len(self._desks)
        bounds = [count * part // shares for part in range(shares + 1)]
        begun, ends = bounds[:-1], bounds[1:]
        while True:
            work = [
                (place, begin, end)
                for place, (begin, end) in enumerate(zip(begun, ends, strict=True))
                if begin < end
            ]
            if not work:
                return
            if len(work) == 1 and self._code.caller.is_short:
                place, begin, end = work[0]
                found = [call(self._desks[place][0], begin, end)]
            else:

                def task(place: int, begin: int, end: int) -> Callable[[World], int]:
                    return lambda _: call(self._desks[place][0], begin, end)

                found = self._code.caller.threads(
                    [(self._worlds[place], task(*each)) for each in work for place in each[:1]]
                )
            why = set()
            for (place, _, end), stopped in zip(work, found, strict=True):
                begun[place] = stopped
                if stopped < end:
                    why.add(int(self._desks[place][1][0]))
                    reason, row = int(self._desks[place][1][0]), stopped
            if not why:
                return
            if why == {FULL}:
                self._make_key_room(2 * self._key_room)
                continue
            self._fail(reason, row)

    def _fail(self, reason: int, row: int) -> None:
        if reason == LONG:
            raise RuntimeError(f"row {row}: the turn has more than {self._longest} decisions")
        position = self.positions([row])[0]
        position.moves()
        raise RuntimeError(f"row {row}: native code failed: {[d[0].world[1] for d in self._desks]}")

    # -------------------------------------------------------------------------- play

    def reset(self, rows: NDArray[np.bool_] | None = None, seed: int | None = None) -> Step:
        """Begin new games in all rows, or in chosen ones."""
        chosen = np.arange(self.n) if rows is None else np.flatnonzero(rows)
        chosen = np.ascontiguousarray(chosen, np.int64)
        if seed is not None:
            states = [Chance(seed, int(row)).state for row in chosen]
            self._own["random"][chosen] = np.array(states, np.uint64).view(np.int64)
        where = view(chosen)
        native, record = self._native, self._record
        self._run(
            lambda d, a, b: native(begin_anew, record, self._rows, d, _address(chosen), a, b),
            len(chosen),
        )
        del where
        return self._look(chosen)

    def _look(self, chosen: NDArray[np.int64]) -> Step:
        native, record = self._native, self._record
        self._run(
            lambda d, a, b: native(look, record, self._rows, d, _address(chosen), a, b), len(chosen)
        )
        return self._step

    def step(self, actions: NDArray[np.int32]) -> Step:
        """Make an action in each row."""
        own = self._own["actions"]
        np.copyto(own, actions, casting="same_kind")
        native, record, rows = self._native, self._record, self._rows
        if not self._loses:
            bad = native(illegal, record, rows, self._desks[0][0], 0, self.n)
            if bad < self.n:
                raise IllegalMoveError(f"Action {own[bad]} is not legal in row {bad}.")
        self._run(lambda d, a, b: native(act, record, rows, d, a, b), self.n)
        return self._step

    def sample(self) -> NDArray[np.int32]:
        """Return an action for each row, drawn among those of its mask."""
        native, record, rows = self._native, self._record, self._rows
        native(sample, record, rows, self._desks[0][0], 0, self.n)
        return self._own["actions"]

    def positions(self, rows: Sequence[int] | None = None) -> list[Position]:
        """Return the positions in which the turns of rows began."""
        return [
            Position(self.rules, self._state(row)) for row in (range(self.n) if rows is None else rows)
        ]

    def _state(self, row: int) -> State:
        exchange = self._code.exchange
        world = exchange.world()
        world.make_room(self._key_room)
        for number, keys in enumerate(self._keys):
            world.write_past(number, keys[row].tobytes())
        frame = self._own["frames"][row].tobytes()
        return exchange.read(frame, None, world)


def _address(array: NDArray[Any]) -> int:
    return int(ctypes.addressof(ctypes.c_char.from_buffer(view(array)))) if array.size else 0


_Unused = (MADE, observe)
