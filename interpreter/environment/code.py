"""The machine code of an environment: the game's own functions, and those over rows of games.

In: a game, its actions, and what is shown of it. Out: `EnvironmentCode`, with the records that the
functions over rows read. What then holds: ordinary native code of the game is written apart from
it, and has nothing of it.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.core.nodes import Choose, Decide
from gdl.model import Game
from interpreter.environment import rows as native_rows
from interpreter.environment.actions import Actions
from interpreter.environment.observations import Showing
from interpreter.environment.rows import CHANCE, OF_MOVER
from interpreter.native.game_code import AROUND
from interpreter.native.runtime.calling import Caller
from interpreter.native.runtime.compiled import CALLS, GAMES, CompiledGame, Part
from interpreter.native.runtime.exchange import Exchange, World
from interpreter.search.machine.compiled import Compiled
from interpreter.search.machine.instructions import Record

_P, _I = ctypes.c_void_p, ctypes.c_int64


@cache
def compiled_rows() -> Compiled:
    """Return the functions over rows, compiled once."""
    return Compiled(
        native_rows.act,
        native_rows.look,
        native_rows.illegal,
        native_rows.begin_anew,
        native_rows.observe,
        native_rows.sample,
    )


def view(array: NDArray[Any]) -> memoryview:
    """Return an array as a record takes it: as one stretch of memory."""
    return memoryview(array.reshape(-1))


class EnvironmentCode(CompiledGame):
    """The code of a game with what an environment asks besides."""

    def __init__(self, game: Game, actions: Actions, showing: Showing) -> None:
        """Write the code. Raises Uncovered where there is no native code for a construct."""
        super().__init__(game)

        def place_of(statement: Choose | Decide) -> tuple[int, int]:
            number = actions.group(statement)
            group = actions.groups[number]
            return number, group.offset - group.low

        names = self.written.environment(place_of, actions.size, showing.sources)
        self.stack = self.written.stack
        signatures: dict[str, Any] = {name: CALLS[name] for name in AROUND}
        signatures["ask"] = (_I, _P, _P, _P)
        signatures.update(dict.fromkeys(names[1:], (_I, _P, _P, _P, _P)))
        text = self.written.environment_text(names)
        self.environment = Part(lambda: text, signatures, self.written.tables)
        self.caller = Caller(self)
        self.exchange = Exchange(game, self.written)
        self._game = game
        self._actions = actions
        self._showing = showing

    @property
    def _all_parts(self) -> tuple[Part, ...]:
        own = (self.environment,) if hasattr(self, "environment") else ()
        return (*super()._all_parts, *own)

    def address(self, name: str) -> int:
        """Return the address of a function, compiled well."""
        for part in (self.environment, self.calls, self.games):
            known = {id(self.calls): CALLS, id(self.games): GAMES}.get(id(part))
            if part is self.environment or (known is not None and name in known):
                try:
                    return part.machine_code.address(name)
                except KeyError:
                    continue
        raise KeyError(name)

    def rules(self, **choices: int) -> tuple[native_rows.Rules, list[Any]]:
        """Return the record of what is the same for all rows, and what it must keep alive."""
        layout, program = self.written.layout, self.written.shared.program
        system, actions, showing = program.system, self._actions, self._showing
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
        self.exchange.write(_start_of(self._game), position, world)
        start[:] = np.frombuffer(position, np.uint8)[: layout.frame_bytes]
        words = np.int64
        arrays: dict[str, NDArray[Any]] = {
            "seen": np.array(
                [environment.address(f"seen_{side}") for side in range(len(showing.sources))], words
            ),
            "phase_choosers": np.array(choosers, np.int8),
            "seats": np.array([each.offset for each in seats] or [0], words),
            "key_sizes": np.array([*self.exchange.key_bytes, 0], words),
            "key_counts": np.array([*(layout.fields[s].offset for s in histories), 0], words),
            "delta": np.array([group.offset - group.low for group in actions.groups] or [0], words),
            "group_of": actions.group_of.astype(np.int32),
            "site_of": actions.site_of,
            "plane_of": np.array(showing.decided.plane, np.int32),
            "scalar_of": np.array(showing.decided.scalar, np.int32),
            "value_of": np.array(showing.decided.value, np.float32),
            "start": start,
            "start_keys": np.array([*map(ctypes.addressof, world.pasts), 0], words),
        }
        told = sum(name.name.startswith("decided ") for name in showing.scalars)
        record = native_rows.Rules(
            **{name: environment.address(name) for name in (*AROUND, "ask")},
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
            last_plane=showing.last,
            decided_scalars=told,
            hides=int(self._game.hides),
            **choices,
        )
        return record, [arrays, world]


def _start_of(game: Game) -> Any:
    from interpreter.reference.rules import ReferenceRules

    return ReferenceRules(game).start()


def desk(world: World) -> tuple[native_rows.Desk, NDArray[np.int64], list[Any]]:
    """Return a thread's desk, what it reports, and what it must keep alive."""
    question, report = np.zeros(16, np.int64), np.zeros(4, np.int64)
    memory = memoryview(world.memory).cast("B").cast("q")
    made = native_rows.Desk(world=memory, question=view(question), report=view(report))
    return made, report, [question, world]


__all__ = ["EnvironmentCode", "Record", "compiled_rows", "desk", "view"]
