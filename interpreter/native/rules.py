"""A game compiled to machine code, as an evaluator.

In: a `Game`. Out: the same states, moves and outcomes as the reference interpreter's, sooner.
What then holds: nothing is approximated. Where the rules fail (a number too large, a loop
without end), the reference interpreter is asked to say why.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import random
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gdl.core.nodes import Choose, Decide, Expression, Say, SitesOf, Slot
from gdl.model import Game
from gdl.optimise import optimise, proven_unordered
from interpreter.evaluator import Outcome, Playout, RuleError, State
from interpreter.moves import FORCED_PASS, PASS, Move
from interpreter.native import context as c
from interpreter.native.course import Course
from interpreter.native.engine import Engine, features
from interpreter.native.exchange import Exchange, World
from interpreter.native.many import TALLY
from interpreter.native.ranges import Uncovered
from interpreter.playout import Statistics
from interpreter.reference.history import History
from interpreter.reference.rules import ReferenceRules

_P, _I = ctypes.c_void_p, ctypes.c_int64
_USUAL_LIST = 4096
_BATCH = 16


class NativeRules:
    """Plays a game by machine code made from its program.

    `seconds` tells how long writing the code and compiling it took. A `NativeRules` may be used
    by several threads, one at a time; `playouts` and `perft` use threads of their own.
    """

    def __init__(
        self, game: Game, *, checked: bool = False, passes: Collection[str] | None = None
    ) -> None:
        """Compile. Raises Uncovered where there is no native code for a construct."""
        begun = time.perf_counter()
        self._game = game
        self._reference = ReferenceRules(game)
        names = tuple(site.name for site in game.board.sites)
        self._site_names = names
        program = optimise(game.program, len(names), passes)
        proven: frozenset[Slot] = frozenset()
        for phase in game.program.phases:
            for turn in phase.turns:
                proven |= proven_unordered(game.program, turn.program, len(names))
        self._course = Course(
            program,
            len(names),
            names,
            len(game.sides),
            proven,
            has_deposit=bool(features().get("bmi2")),
        )
        self.ir = self._course.text
        written = time.perf_counter()
        self._engine: Engine | None = Engine(self.ir)
        self.seconds = {"lower": written - begun, "llvm": self._engine.seconds}
        self._exchange = Exchange(game, self._course)
        self._world = World(self._exchange.key_bytes)
        self._list = (_I * _USUAL_LIST)()
        engine = self._engine
        self._count = engine.function("count", _I, _P, _P)
        self._listed = engine.function("listed", _I, _P, _P, _P, _I)
        self._make = engine.function("make", _I, _P, _P, _P, _I)
        self._pass_on = engine.function("pass_on", None, _P, _P)
        self._settle = engine.function("settle", None, _P, _P)
        self._stuck = engine.function("stuck", ctypes.c_int32, _P, _P)
        self._perft = engine.function("perft", _I, _P, _P, _I)
        self._playouts = engine.function("playouts", _I, _P, _P, _I, _I, _I, _I, _P)
        self._playout = engine.function("playout", _I, _P, _P, _P, _I)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @property
    def optimised(self) -> str:
        """LLVM's code after its optimisation, as text."""
        return self._open_engine().optimised

    @property
    def assembly(self) -> str:
        """The machine code as text."""
        return self._open_engine().assembly

    def _open_engine(self) -> Engine:
        assert self._engine is not None, "the code has been freed"
        return self._engine

    def close(self) -> None:
        """Free the machine code; nothing can be played any more."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    # -------------------------------------------------------------------- evaluator

    def start(self) -> State:
        """Return the state that the game begins with."""
        return self.settle(self._game.program.initial)

    def settle(self, values: Sequence[Any]) -> State:
        """Return the state with these values of the slots, as if the side before had just moved."""
        program = self._game.program
        places = {slot: place for place, slot in enumerate(program.state)}
        given = list(values)
        for memory in program.memories:
            given[places[memory.slot]] = History()
        mover_place = places[program.system.mover]
        mover = int(given[mover_place])
        given[mover_place] = (mover - 1) % len(self._game.sides)
        position = self._written(State(tuple(given)))
        self._settle(position, self._world.memory)
        if self._world.error:
            return self._reference.settle(values)
        found = self._exchange.read(position, State(tuple(given)), self._world)
        changed = list(found.values)
        changed[mover_place] = mover
        return State(tuple(changed), found.ended)

    def _written(self, state: State) -> Any:
        self._world.clear()
        position = self._exchange.buffer()
        self._exchange.write(state, position, self._world)
        self._world.make_room(2 * _USUAL_LIST)
        return position

    def legal(self, state: State) -> Sequence[Move]:
        """Return the legal moves, ordered by decisions; none when the game is over."""
        if state.ended is not None:
            return ()
        position = self._written(state)
        used = self._listed(position, self._world.memory, self._list, len(self._list))
        if self._world.error:
            return self._reference.legal(state)
        if used > len(self._list):
            self._list = (_I * (2 * used))()
            used = self._listed(position, self._world.memory, self._list, len(self._list))
        moves = self._moves(used)
        if not moves:
            passes = self._stuck(position, self._world.memory) == -1
            if self._world.error:
                return self._reference.legal(state)
            return (FORCED_PASS,) if passes else ()
        return moves

    def _moves(self, used: int) -> list[Move]:
        entries = self._list[:used]
        moves = []
        place = 0
        while place < used:
            end = place + 1 + entries[place]
            moves.append(self._move(entries[place + 1 : end]))
            place = end
        return moves

    def _move(self, trace: Sequence[int]) -> Move:
        """Return the move that a trace tells of."""
        decisions: list[int] = []
        exchangeable: list[tuple[int, int]] = []
        places: dict[Any, int] = {}
        words: list[tuple[str, str]] = []
        for entry in trace:
            number, value = (entry >> 32) & 0x7FFFFFFF, _signed(entry)
            statement = self._course.words.statements[number]
            if isinstance(statement, Say):
                words.append((" ", statement.token))
                continue
            if isinstance(statement, Decide):
                token = statement.alternatives[value].token
                if token is not None:
                    words.append((" ", token))
            else:
                partner = places.get(statement.unordered_with)
                if partner is not None:
                    exchangeable.append((partner, len(decisions)))
                places[statement.slot] = len(decisions)
                words.append((statement.separator, self._word(statement, value)))
            decisions.append(value)
        return Move(tuple(decisions), _joined(words), self._other_texts(trace, exchangeable))

    def _word(self, statement: Choose, value: int) -> str:
        is_site = isinstance(statement.domain, SitesOf)
        return self._site_names[value] if is_site else str(value)

    def _other_texts(
        self, trace: Sequence[int], exchangeable: Sequence[tuple[int, int]]
    ) -> tuple[str, ...]:
        """Return the texts of a move with the sites of each pair in the other order."""
        texts = []
        places = [place for place, entry in enumerate(trace) if entry >= 0]
        for i, j in exchangeable:
            a, b = places[i], places[j]
            other = list(trace)
            other[a] = (trace[a] >> 32 << 32) | (trace[b] & 0xFFFFFFFF)
            other[b] = (trace[b] >> 32 << 32) | (trace[a] & 0xFFFFFFFF)
            words = []
            for entry in other:
                statement = self._course.words.statements[(entry >> 32) & 0x7FFFFFFF]
                if isinstance(statement, Say):
                    words.append((" ", statement.token))
                elif isinstance(statement, Choose):
                    words.append((statement.separator, self._word(statement, _signed(entry))))
                else:
                    token = statement.alternatives[_signed(entry)].token
                    if token is not None:
                        words.append((" ", token))
            texts.append(_joined(words))
        return tuple(texts)

    def apply(self, state: State, move: Move) -> State:
        """Return the state after a legal move; raises ValueError for one that can't be made."""
        position = self._written(state)
        if move == FORCED_PASS:
            self._pass_on(position, self._world.memory)
            made = 1
        else:
            decisions = (_I * (len(move.decisions) + 1))(*move.decisions)
            made = self._make(position, self._world.memory, decisions, len(move.decisions))
        if self._world.error:
            return self._reference.apply(state, move)
        if not made:
            raise ValueError("the move's decisions can't be made here")
        return self._exchange.read(position, state, self._world)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game has ended, or None if it goes on."""
        if state.ended is not None:
            return state.ended
        position = self._written(state)
        many = self._count(position, self._world.memory)
        if not many and not self._world.error:
            clause = self._stuck(position, self._world.memory)
            if not self._world.error:
                if clause == -1:
                    return None
                return self._exchange.outcome(position, state.values)
        if self._world.error:
            return self._reference.outcome(state)
        return None

    def value(self, state: State, expression: Expression) -> Any:
        """Return what an expression of the core is worth in a state."""
        return self._reference.value(state, expression)

    def hash(self, state: State) -> int:
        """Return 128 bits that equal states share."""
        position = self._written(state)
        layout = self._course.layout
        data = bytearray(position[: layout.state_bytes])
        total = 0
        for slot, number in layout.histories.items():
            field = layout.fields[slot]
            many = int.from_bytes(data[field.offset : field.offset + 8], "little")
            size = self._exchange.key_bytes[number]
            table = self._world.pasts[number]
            for place in range(many):
                key = ctypes.string_at(ctypes.addressof(table) + place * size, size)
                total += _digest(bytes((number,)) + key)
        return (_digest(bytes(data)) + total) % (1 << 128)

    def perft(self, state: State, depth: int) -> int:
        """Return the number of sequences of `depth` moves; a game that ends earlier has none."""
        position = self._written(state)
        nodes = self._watched(self._world, self._perft, position, self._world.memory, depth)
        if self._world.error:
            return self._reference.perft(state, depth)
        return int(nodes)

    def playout(self, state: State, random: random.Random, max_plies: int) -> Playout:
        """Play equally likely legal moves to the end, or until `max_plies` are made."""
        position = self._written(state)
        self._world.make_room(min(max_plies, 100_000) + _USUAL_LIST)
        seed = _I(random.getrandbits(63))
        made = self._watched(
            self._world,
            self._playout,
            position,
            self._world.memory,
            ctypes.byref(seed),
            max_plies,
        )
        if self._world.error:
            return self._reference.playout(state, random, max_plies)
        last = self._exchange.read(position, state, self._world)
        return Playout(int(made), last.ended, last)

    # ------------------------------------------------------------------- many games

    def playouts(
        self, state: State, count: int, seed: int, max_plies: int, threads: int = 1
    ) -> Statistics:
        """Play many random games and tell how they ended.

        Game number i of a seed is the same on any number of threads. Raises RuleError.
        """
        worlds = [World(self._exchange.key_bytes) for _ in range(threads)]
        seed = (seed + (1 << 63)) % (1 << 64) - (1 << 63)
        shares = [(i * count // threads, (i + 1) * count // threads) for i in range(threads)]
        arguments = [
            (state, world, first, last - first, seed, max_plies)
            for world, (first, last) in zip(worlds, shares, strict=True)
        ]
        statistics = Statistics(self._game.sides, len(self._game.sides))
        with ThreadPoolExecutor(threads) as pool:
            futures = [pool.submit(self._share, *one) for one in arguments]
            try:
                for future in futures:
                    while not future.done():
                        with contextlib.suppress(TimeoutError):
                            future.result(timeout=0.05)
                    self._add(statistics, future.result())
            finally:
                for world in worlds:
                    world.stop()
        return statistics

    def _share(
        self, state: State, world: World, first: int, count: int, seed: int, max_plies: int
    ) -> Any:
        """Play some of the games; return their tally."""
        sides = len(self._game.sides)
        tally = (_I * (len(TALLY) + 2 * sides))()
        tally[TALLY.index("shortest")] = (1 << 63) - 1
        position = self._exchange.buffer()
        while count:
            self._exchange.write(state, position, world)
            made = self._playouts(position, world.memory, first, count, seed, max_plies, tally)
            first, count = first + made, count - made
            if world.error == c.PAST_IS_FULL:
                world.clear()
                world.make_room(2 * world.room)
            elif world.error == c.STOPPED:
                break
            elif world.error:
                self._explain(self._exchange.read(position, state, world))
        return tally

    def _explain(self, state: State) -> None:
        """Raise the error of the rules in a state from which native code could not go on."""
        for move in self._reference.legal(state):
            self._reference.outcome(self._reference.apply(state, move))
        self._reference.outcome(state)
        raise AssertionError("native code failed where the rules do not")

    def _add(self, statistics: Statistics, tally: Any) -> None:
        known = dict(zip(TALLY, tally, strict=False))
        if not known["playouts"]:
            return
        statistics.playouts += known["playouts"]
        statistics.moves += known["moves"]
        statistics.draws += known["draws"]
        statistics.unfinished += known["unfinished"]
        for name, better in (("shortest", min), ("longest", max)):
            before = getattr(statistics, name)
            setattr(
                statistics, name, known[name] if before is None else better(before, known[name])
            )
        sides = self._game.sides
        for place, side in enumerate(sides):
            statistics.by_side[side] += tally[len(TALLY) + place]
            statistics.by_seat[place + 1] += tally[len(TALLY) + len(sides) + place]

    def _watched(self, world: World, function: Any, *arguments: Any) -> Any:
        """Call native code in a thread, so that an interrupt can stop it."""
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(function, *arguments)
            try:
                while True:
                    with contextlib.suppress(TimeoutError):
                        return future.result(timeout=0.05)
            finally:
                if not future.done():
                    world.stop()


def _signed(entry: int) -> int:
    value = entry & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def _joined(words: Sequence[tuple[str, str]]) -> str:
    text = ""
    for separator, word in words:
        text = f"{text}{separator}{word}" if text else word
    return text or PASS


def _digest(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=16).digest(), "little")


__all__ = ["NativeRules", "RuleError", "Uncovered"]
