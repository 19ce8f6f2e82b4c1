"""The machine code of an environment: the game's own functions, and those over rows of games.

In: a game, its actions, and what is shown of it. Out: `EnvironmentCode`, with the records that the
functions over rows read. What then holds: ordinary native code of the game is written apart from
it, and has nothing of it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.core.nodes import Choose, Decide, Say
from gdl.interpreter.environment import rows as native_rows
from gdl.interpreter.environment import whole_moves
from gdl.interpreter.environment.actions import Actions
from gdl.interpreter.environment.observations import Showing
from gdl.interpreter.environment.rows import CHANCE, OF_MOVER
from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.native.game_code import AROUND
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.calling import Caller
from gdl.interpreter.native.runtime.compiled import CALLS, CompiledGame, Part
from gdl.interpreter.native.runtime.exchange import Exchange, World
from gdl.interpreter.native.turns.asking import WORDS
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.model import Game

_OF_ROWS = ("act", "look", "illegal", "begin_anew", "observe", "sample")
_OF_MOVES = ("sample_moves", "count_moves", "list_moves", "play")
_USUAL_LIST = 1 << 14
_OWN_BYTES = 128
_P, _I = ctypes.c_void_p, ctypes.c_int64


@cache
def compiled_rows() -> Compiled:
    """Return the functions over rows, compiled once."""
    return Compiled(
        *(getattr(native_rows, name) for name in _OF_ROWS),
        *(getattr(whole_moves, name) for name in _OF_MOVES),
    )


def view(array: NDArray[Any]) -> memoryview:
    """Return an array as a record takes it: as one stretch of memory."""
    return memoryview(array.reshape(-1))  # type: ignore[arg-type]


def zeros(shape: int | tuple[int, ...], kind: Any) -> NDArray[Any]:
    """Return an array of zeros whose lines of the processor's cache have nothing else.

    Threads that write side by side then don't hold one another up. By DLPack, JAX shares just what
    begins where a line does, and copies the rest.
    """
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = np.zeros(-(-size // _OWN_BYTES) * _OWN_BYTES + _OWN_BYTES, np.uint8)
    begin = -memory.ctypes.data % _OWN_BYTES
    found: NDArray[Any] = memory[begin : begin + size].view(kind).reshape(shape)
    return found


class EnvironmentCode(CompiledGame):
    """The code of a game and its `actions`, with what an environment asks besides.

    Records of positions have what is remembered `keys_at` so many bytes.
    """

    def __init__(self, game: Game, actions: Actions, showing: Showing) -> None:
        """Write the code. Raises Uncovered where there is no native code for a construct."""
        super().__init__(game)

        def place_of(statement: Choose | Decide) -> tuple[int, int]:
            number = actions.group(statement)
            group = actions.groups[number]
            return number, group.offset - group.low

        names = self.written.environment(place_of, actions.size, showing.sources, showing.blank)
        self.stack = self.written.stack
        signatures: dict[str, Any] = {name: CALLS[name] for name in AROUND}
        signatures["ask"] = (_I, _P, _P, _P)
        signatures.update(dict.fromkeys(names[1:], (_I, _P, _P, _P, _P)))
        text = self.written.environment_text(names)
        self.environment = Part(lambda: text, signatures, self.written.tables)
        self.caller = Caller(self)
        self.exchange = Exchange(game, self.written)
        self._game = game
        self.actions = actions
        self._showing = showing

    @property
    def _all_parts(self) -> tuple[Part, ...]:
        own = (self.environment,) if hasattr(self, "environment") else ()
        return (*super()._all_parts, *own)

    def rules(self, **choices: int) -> tuple[native_rows.Rules, list[Any]]:
        """Return the record of what is the same for all rows, and what it must keep alive."""
        layout, program = self.written.layout, self.written.shared.program
        system, actions, showing = program.system, self.actions, self._showing
        environment = self.environment.machine_code
        mover = layout.fields[system.mover]
        phase = None if system.phase is None else layout.fields[system.phase]
        seats = [layout.fields[slot] for slot in system.seats]
        choosers = [
            CHANCE if each.by_chance else OF_MOVER if each.seat is None else each.seat
            for each in program.phases
        ]
        histories = sorted(layout.histories, key=layout.histories.__getitem__)
        world = self.exchange.world()
        start = np.zeros(layout.frame_bytes, np.uint8)
        position = self.exchange.buffer()
        self.exchange.write(ReferenceRules(self._game).start(), position, world)
        start[:] = np.frombuffer(position, np.uint8)[: layout.frame_bytes]
        words = np.int64
        statements = self.written.searches.words.statements
        self.keys_at = layout.frame_bytes + c.FOLLOWER_HEAD
        self.record_bytes = self.keys_at + -(-sum(self.exchange.key_bytes) // 16) * 16
        arrays: dict[str, NDArray[Any]] = {
            "seen": np.array(
                [environment.address(f"seen_{side}") for side in range(len(showing.sources))], words
            ),
            "phase_choosers": np.array(choosers, np.int8),
            "seats": np.array([each.offset for each in seats] or [0], words),
            "key_sizes": np.array([*self.exchange.key_bytes, 0], words),
            "key_counts": np.array([*(layout.fields[s].offset for s in histories), 0], words),
            "delta_of": np.array([_delta(actions, each) for each in statements] or [0], words),
            "delta": np.array([group.offset - group.low for group in actions.groups] or [0], words),
            "site_of": actions.site_of,
            "plane_of": np.array(showing.decided.plane, np.int32),
            "scalar_of": np.array(showing.decided.scalar, np.int32),
            "value_of": np.array(showing.decided.value, np.float32),
            "start": start,
            "start_keys": np.array([*map(ctypes.addressof, world.pasts), 0], words),
        }
        record = native_rows.Rules(
            **{name: environment.address(name) for name in (*AROUND, "ask")},
            **dict.fromkeys(("listed", "followers", "playout"), 0),
            **{name: view(array) for name, array in arrays.items()},
            work=self.caller.work,
            stack=self.caller.room,
            actions=actions.size,
            sites=self._game.board.size,
            planes=len(showing.planes),
            scalars=len(showing.scalars),
            sides=len(self._game.sides),
            state_bytes=layout.state_bytes,
            frame_bytes=layout.frame_bytes,
            ended=layout.ended.offset,
            winners=layout.winners.offset,
            payoffs=layout.payoffs[0].offset if layout.payoffs else 0,
            payoff_unit=layout.payoff_unit,
            mover=mover.offset,
            mover_size=mover.entry_bytes,
            phase=0 if phase is None else phase.offset,
            phase_size=0 if phase is None else phase.entry_bytes,
            seat_size=seats[0].entry_bytes if seats else 0,
            memories=len(histories),
            keys_at=self.keys_at,
            record_bytes=self.record_bytes,
            last_plane=showing.last,
            hides=int(self._game.hides),
            **choices,
        )
        return record, [arrays, world]

    def with_moves(self, record: native_rows.Rules) -> native_rows.Rules:
        """Return the record with the functions that list moves, which are compiled now."""
        found = self.calls.machine_code
        return record.replaced(listed=found.address("listed"), followers=found.address("followers"))

    def with_games(self, record: native_rows.Rules, worlds: Iterable[World]) -> native_rows.Rules:
        """Return the record with the function that plays random games, in these worlds."""
        searches = self.calls.machine_code
        for world in worlds:
            world.bring_searches({name: searches.address(name) for name in w.OUTSIDE})
        return record.replaced(playout=self.games.machine_code.address("playout"))


def _delta(actions: Actions, statement: Choose | Decide | Say) -> int:
    """Return what an action is more than the decision at a statement."""
    if isinstance(statement, Say):
        return 0
    group = actions.groups[actions.group(statement)]
    return group.offset - group.low


class Place:
    """A thread's place: its `desk`, what that `report`s, and the memory that it stands in."""

    def __init__(self, code: EnvironmentCode, record: native_rows.Rules) -> None:
        self.world = code.exchange.world()
        self.report = zeros(4, np.int64)
        self.list = zeros(_USUAL_LIST, np.int64)
        memories = max(1, len(self.world.pasts))
        self._own: dict[str, NDArray[Any]] = {
            "question": zeros(WORDS, np.int64),
            "own_past": zeros(memories * w.PAST_BYTES // WORD_BYTES, np.int64),
            "position": zeros(record.frame_bytes, np.uint8),
            "ways": zeros(record.actions, np.int64),
            "planes": zeros(record.planes * record.sites, np.uint8),
            "scalars": zeros(max(1, record.scalars, record.sides), np.float32),
        }
        self.desk = self._made()
        self.note_past()

    def note_past(self) -> None:
        """Note where the world's own memory of earlier positions is."""
        own = self._own["own_past"]
        size = len(self.world.pasts) * w.PAST_BYTES
        own.view(np.uint8)[:size] = np.frombuffer(self.world.memory, np.uint8)[w.PAST :][:size]

    def make_list_room(self, words: int) -> None:
        """Give the list room for so many words."""
        self.list = zeros(words, np.int64)
        self.desk = self._made()

    def _made(self) -> native_rows.Desk:
        return native_rows.Desk(
            world=memoryview(self.world.memory).cast("B").cast("q"),
            report=view(self.report),
            list=view(self.list),
            list_words=len(self.list),
            **{name: view(array) for name, array in self._own.items()},
        )
