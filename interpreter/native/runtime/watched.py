"""Native code that is watched: random games played move by move, with counts of all that happens.

In: a game, and what of it is watched. Out: games, and counts. What then holds: the counts are those
of the reference interpreter's watch, had it listed the legal moves of each position of these games
and made the one that was made; game number i of a seed is the same each time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Unpack

from gdl.core.nodes import Slot
from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Playout, State
from gdl.interpreter.evaluation.moves import FORCED_PASS, Move
from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.native.expressions.counting import (
    END_OF_LINES,
    ENTERED,
    LINES,
    LISTED,
    MOST_WAYS_ON,
    NOW,
    PAUSED,
    PLIES_A_GAME,
    WORK,
    Counters,
    Watched,
)
from gdl.interpreter.native.game_code import GameCode
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.compiled import CALLS, CompiledGame, Options, Part, code_of
from gdl.interpreter.native.runtime.exchange import World
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.model import Game

_P, _I = ctypes.c_void_p, ctypes.c_int64
_LIST = 1 << 18
_MOST_IN_LINES = 1 << 17
"""How many words are kept of the traces of moves: those of games of few moves that are dear, or the
first of many. The others can be found out again."""
_PLIES_A_LOOK = 16
"""Moves of a game between two looks whether it is to end where it is."""
_KEYS_ROOM = 4096
_MOST_REGISTER_SITES = 256
"""On larger boards, sets are arrays: code with many of them in registers takes LLVM far longer."""
_LEAST, _GREATEST = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True)
class Moment:
    """Where in random games something happened: the number of the game, and of the move in it."""

    number: int
    ply: int


@dataclass(frozen=True)
class WatchedGame:
    """A game that was played: its `number`, what it came to, and whether the rules failed in it.

    One that `is_cut` could not be played on by native code, one that `is_left` stands as it was
    left. `before` is the state before its last move where a side could not move then. Of some
    games, `kept` are states of it, each with how many moves were made before.
    """

    number: int
    playout: Playout
    has_failed: bool = False
    is_cut: bool = False
    is_left: bool = False
    before: State | None = None
    kept: tuple[tuple[int, State], ...] = ()


class _CountedGame(CompiledGame):
    """The code of a game, with counters.

    It is never compiled well: that takes a hundred times as long, for code that is half as quick
    again.
    """

    def __init__(self, game: Game, watched: Watched, **options: Unpack[Options]) -> None:
        self._watched = watched
        super().__init__(game, **options)

    def _write(self, game: Game, **options: Unpack[Options]) -> GameCode:
        return code_of(game, self.target, self._watched, **options)

    def turning_point(self, until: float | None) -> float | None:
        """Return None: the code can stay."""
        return None

    def _made_parts(self) -> tuple[Part, Part]:
        more = {"watched": (_I, *(_P,) * 3, _I, _P, _I, _P, _P, _I), "watched_memory": (_P, _I)}
        tables = self.written.tables
        part = Part(lambda: self.written.calls, {**CALLS, **more}, tables)
        return part, part


class WatchedRules(NativeRules):
    """Plays a game by machine code that counts what happens in the games that are watched."""

    def __init__(self, game: Game, watched: Watched) -> None:
        """Write the code. Raises Uncovered where there is no native code for a construct."""
        self._watched = watched
        super().__init__(game, most_register_sites=_MOST_REGISTER_SITES)
        counters = self.code.written.counters
        assert counters is not None, "the code has counters"
        self._counters: Counters = counters
        self._lines = self.code.memory.words(_MOST_IN_LINES)
        self._line_of: dict[int, tuple[int, int]] = {}

    def _compiled(self, game: Game, **options: Unpack[Options]) -> CompiledGame:
        return _CountedGame(game, self._watched, **options)

    # ------------------------------------------------------------------------ games

    def watch(
        self,
        state: State,
        numbers: Sequence[int],
        seed: int,
        max_plies: int,
        *,
        tries: int = 0,
        stop: int | None = None,
        is_counted: bool = True,
        is_over: Callable[[], bool] | None = None,
    ) -> list[WatchedGame]:
        """Play the games with these numbers from a state on, and count what happens in them.

        In each position, so many other moves are made as `tries` says, and taken back. With a
        `stop`, the state after so many moves of each is kept, and that before its last move. A game
        is left as it stands, and no other begun, when it `is_over`, which is asked now and then.
        """
        found: list[WatchedGame] = []
        part = self._caller.ready(self.code.calls)
        first = self._written(state)
        start = bytes(first)
        listed = self.code.memory.words(_LIST)

        def task(world: World) -> None:
            position, begun, before = (self._exchange.buffer() for _ in range(3))
            begun[: len(start)] = start
            random = self.code.memory.words(2)
            for number in numbers:
                world.clear()
                world.make_room(max_plies + _KEYS_ROOM if self._exchange.key_bytes else 0)
                self._exchange.write(state, position, world)
                random[0], random[1] = (Chance(s, number).state for s in (seed, seed + 1))
                self._heading[NOW] = number * PLIES_A_GAME
                first_word = self._heading[LINES]
                common = (position, world.memory, listed, len(listed), random)
                made, kept, is_left = 0, list[tuple[int, State]](), False
                while made < max_plies and not is_left:
                    if stop is not None and made == stop:
                        kept.append((made, self._exchange.read(position, state, world)))
                    plies = max_plies - made
                    if stop is not None and made < stop:
                        plies = stop - made
                    if is_over is not None:
                        plies = min(plies, _PLIES_A_LOOK)
                    more = (plies, begun, before, tries)
                    now = self._caller.within(part, "watched", world, *common, *more)
                    made += now
                    if world.error or now < plies:
                        break
                    is_left = is_over is not None and is_over()
                if world.error == w.STOPPED:
                    break
                if is_counted and self._heading[LINES] < self._heading[END_OF_LINES]:
                    self._line_of[number] = first_word, self._heading[LINES]
                if stop is not None and made and not world.error:
                    kept.append((made - 1, self._exchange.read(before, state, world)))
                outcome, last = self._exchange.read_last(position, state, world)
                has_failed = world.error in (w.RULES_FAIL, w.TOO_LONG)
                stuck = outcome is not None and last.ended is None and made > 0
                found.append(
                    WatchedGame(
                        number,
                        Playout(made, outcome, last),
                        has_failed,
                        is_cut=bool(world.error) and not has_failed,
                        is_left=is_left and outcome is None,
                        before=self._exchange.read(before, state, world) if stuck else None,
                        kept=tuple(kept),
                    )
                )
                if is_left:
                    break

        heading = self._heading
        lines = heading[LINES], heading[END_OF_LINES]
        if not is_counted:
            heading[PAUSED], heading[LINES], heading[END_OF_LINES] = 1, 0, 0
        else:
            heading[PAUSED] = 0
        self._caller.threads([(self.new_world(), task)])
        heading[PAUSED] = 1
        if not is_counted:
            heading[LINES], heading[END_OF_LINES] = lines
        return found

    def kept_way(self, moment: Moment) -> tuple[str, ...] | None:
        """Return the moves that lead to a moment of a game that was counted, if they were kept."""
        line = self._line_of.get(moment.number)
        if line is None:
            return None
        first = self.code.memory.address(self._lines)
        begin, end = ((address - first) // WORD_BYTES for address in line)
        moves = self._traces.moves(self._lines[begin:end])
        return tuple(move.text for move in moves[: moment.ply])

    def way_to(self, state: State, moment: Moment, seed: int) -> tuple[str, ...]:
        """Return the moves that lead from where games begin to a moment."""
        return tuple(self._way(state, Chance(seed, moment.number), moment.ply))

    def _way(self, state: State, chance: Chance, plies: int) -> Iterator[str]:
        for _ in range(plies):
            legal = self.legal(state)
            picked = legal[0]
            if self.is_drawn(legal):
                picked = legal[chance.below(len(legal))]
            yield picked.text
            state = self.apply(state, picked)

    @staticmethod
    def is_drawn(legal: Sequence[Move]) -> bool:
        """Return whether one of these moves is drawn: a pass that is forced is not."""
        return not (len(legal) == 1 and legal[0] == FORCED_PASS)

    # ----------------------------------------------------------------------- counts

    def _memory(self, which: int, size: int) -> Any:
        part = self._caller.ready(self.code.calls)
        address = part["watched_memory"](which)
        return (ctypes.c_int64 * max(1, size)).from_address(address)

    @property
    def _heading(self) -> Any:
        return self._memory(2, self._counters.heading.words)

    def counts(self) -> Iterator[tuple[str, Hashable, tuple[int, ...], tuple[Moment, ...]]]:
        """Yield what was counted: what, where, how often, and when at first (if ever)."""
        counts = self._memory(0, self._counters.size)
        first = self._memory(1, self._counters.size)
        for (what, where), row in self._counters.rows.items():
            places = range(row.begin, row.begin + row.size)
            moments = (Moment(*divmod(first[place], PLIES_A_GAME)) for place in places)
            yield what, where, tuple(counts[place] for place in places), tuple(moments)

    def clear(self) -> None:
        """Forget what was counted."""
        for which, size in ((0, self._counters.size), (1, self._counters.size)):
            memory = self._memory(which, size)
            ctypes.memset(memory, 0, ctypes.sizeof(memory))
        heading = self._heading
        ctypes.memset(heading, 0, ctypes.sizeof(heading))
        heading[LINES] = self.code.memory.address(self._lines)
        heading[END_OF_LINES] = heading[LINES] + WORD_BYTES * len(self._lines)
        self._line_of.clear()
        for place in self._counters.heading.numbers.values():
            heading[place], heading[place + 1] = _GREATEST, _LEAST

    @property
    def work(self) -> int:
        """How much work was done by now: instructions of machine words, about."""
        return int(self._heading[WORK])

    @property
    def listed(self) -> int:
        """How many moves were listed where games were counted."""
        return int(self._heading[LISTED])

    @property
    def most_moves(self) -> int:
        """How many moves a position had at most."""
        return int(self._heading[MOST_WAYS_ON])

    @property
    def entered(self) -> int:
        """The sites to which pieces came."""
        return self._set(ENTERED)

    def occupied(self, slot: Slot) -> int:
        """The sites on which pieces of a layer stood."""
        return self._set(slot)

    def _set(self, name: Hashable) -> int:
        heading = self._counters.heading
        begin = heading.sets[name]
        words = self._heading[begin : begin + heading.set_words]
        data = b"".join((word % (1 << 64)).to_bytes(WORD_BYTES, "little") for word in words)
        return int.from_bytes(data, "little")

    def ranges(self) -> dict[Slot, tuple[int, int]]:
        """The least and the greatest value of each number of positions."""
        heading = self._heading
        return {
            slot: (heading[place], heading[place + 1])
            for slot, place in self._counters.heading.numbers.items()
            if heading[place] <= heading[place + 1]
        }
