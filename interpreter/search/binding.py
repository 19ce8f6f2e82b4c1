"""A game's code and the layout of its positions, as a search needs them.

In: a game's native code. Out: addresses and offsets, desks for threads, and positions brought into
a tree. What then holds: the search reads a position where the game's code keeps it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.core.nodes import Block, Choose, Expression, ForEach, Repeat, Slot
from gdl.core.types import SITES
from gdl.core.walk import blocks_of, statements_in
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.races import COUNTS
from gdl.interpreter.native.runtime.calling import Caller
from gdl.interpreter.native.runtime.compiled import CompiledGame, Part
from gdl.interpreter.native.runtime.exchange import Exchange, World
from gdl.interpreter.search.evaluation.estimate import Estimate, no_estimate
from gdl.interpreter.search.evaluation.features import features_of
from gdl.interpreter.search.evaluation.open_rows import OpenRows, open_rows
from gdl.interpreter.search.evaluation.outlook import APART, MOST_TERMS, outlook
from gdl.interpreter.search.evaluation.row_worth import HELD
from gdl.interpreter.search.evaluation.territory import (
    MOST_COUNTS,
    Territory,
    TerritoryTable,
    no_territory,
    territory_of,
    territory_table,
)
from gdl.interpreter.search.first_moves.amaf import GAINS, MOST_MOVES
from gdl.interpreter.search.first_moves.priors import Priors, no_priors
from gdl.interpreter.search.machine.instructions import Outside, address, array, filled
from gdl.interpreter.search.memory.positions import Desk, Fields, GameFunctions
from gdl.interpreter.search.memory.tree import CHANCE, Tree, new_tree
from gdl.interpreter.search.tree_search.iterations import DEEPEST
from gdl.interpreter.search.tree_search.splitting import LEVELS, LIST_WORDS
from gdl.interpreter.search.worth import Worth
from gdl.model import Game

_OF_MOVER = -2
_FUNCTIONS = ("prepare", "count", "listed", "followers", "make", "pick", "pass_on", "stuck")


class Seat:
    """A thread's place: its `desk`, and the memory that it stands in."""

    def __init__(self, desk: Desk, memory: Any, world: World) -> None:
        self.desk = desk
        self.memory = memory
        self.world = world


class Binding:
    """What a search needs of a game with its `code`; positions go through `exchange`."""

    def __init__(
        self, game: Game, code: CompiledGame, *, is_here: bool = True, is_brief: bool = False
    ) -> None:
        """Compile what the code lacks, and find all that a search asks for.

        Where the code is not here but with another host, who knows it by names, nothing is. A brief
        search has no random games, and calls code that is soon compiled, where none is better.
        """
        if is_here and not is_brief:
            code.compile()
        self.compiled = code
        self.caller = Caller(code)
        self.exchange = Exchange(game, code.written)
        self.seats = len(game.sides)
        self.payoff_unit = code.written.layout.payoff_unit if code.written.layout.payoffs else 0
        self._sites = len(game.board.sites)
        self._code = code
        self._is_here = is_here
        self._is_brief = is_brief
        self._game = game
        self._layout = code.written.layout
        self._slots = sorted(self._layout.histories, key=self._layout.histories.__getitem__)
        self._key_begins = list(accumulate(self.exchange.key_bytes, initial=0))
        self.fields = self._fields(game)
        self._sides = game.sides
        self.features = tuple(features_of(code.written.shared.program, self._layout))
        self.code = self._addresses()

    def _addresses(self) -> GameFunctions:
        found = {name: self._address(self._code.calls, name) for name in _FUNCTIONS}
        return GameFunctions(
            **found,
            playout=0 if self._is_brief else self._address(self._code.games, "playout"),
            work=self.caller.work,
            stack=self.caller.room,
        )

    def _address(self, part: Part, name: str) -> int:
        if self._is_brief:
            return part.address(name)
        return part.machine_code.address(name) if self._is_here else Outside(name)

    def _fields(self, game: Game) -> Fields:
        program, layout = self._code.written.shared.program, self._layout
        system = program.system
        choosers = [
            CHANCE if phase.by_chance else _OF_MOVER if phase.seat is None else phase.seat
            for phase in program.phases
        ]
        mover = layout.fields[system.mover]
        phase = None if system.phase is None else layout.fields[system.phase]
        seats = [layout.fields[slot] for slot in system.seats]
        return Fields(
            teams=game.number_of_teams,
            bytes=layout.state_bytes,
            ended=layout.ended.offset,
            winners=layout.winners.offset,
            payoffs=layout.payoffs[0].offset // WORD_BYTES if layout.payoffs else 0,
            mover=mover.offset,
            mover_size=mover.entry_bytes,
            phase=0 if phase is None else phase.offset,
            phase_size=0 if phase is None else phase.entry_bytes,
            phase_choosers=filled("Signs", choosers),
            seats=filled("Words", [field.offset for field in seats]),
            seat_size=seats[0].entry_bytes if seats else 0,
            memories=len(self._slots),
            key_bytes=-(-self._key_begins[-1] // WORD_BYTES) * WORD_BYTES,
            key_begins=filled("Words", self._key_begins),
            key_sizes=filled("Words", self.exchange.key_bytes),
        )

    @cached_property
    def rows(self) -> tuple[OpenRows, ...]:
        """The rows that endings ask for, where two sides play."""
        program = self._code.written.shared.program
        if len(self._sides) != 2:
            return ()
        return open_rows(program, self._layout, self._sides, self._sites)

    @cached_property
    def territory(self) -> Territory | None:
        """The races of two sides for sites, if there are such."""
        return territory_of(self._game, self._code)

    def counts_of(self, positions: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the numbers of the races in each position, a row each."""
        assert self.territory is not None, "there are races"
        part, world = self._code.compile_reach(self.territory.races), self.exchange.world()
        found = np.zeros((len(positions), COUNTS * len(self.territory.races)), np.int64)
        for position, row in zip(np.ascontiguousarray(positions), found, strict=True):
            arguments = position.ctypes.data, world.memory, row.ctypes.data
            self.caller.within(part, "reach", world, *arguments)
        return found

    def territory_table(self, each: Mapping[str, float]) -> TerritoryTable:
        """Return what races are worth, by the names of their numbers; none if nothing is told."""
        if self.territory is None or not any(each.get(name) for name in self.territory.names):
            return no_territory()
        if not self._is_here:
            return territory_table(self.territory, each, Outside("reach"))
        part = self._code.compile_reach(self.territory.races)
        return territory_table(self.territory, each, part.address("reach"))

    @cached_property
    def outlook(self) -> tuple[Expression, ...]:
        """What positions promise, as numbers that are guessed from the rules."""
        shared, known = self._code.written.shared, frozenset(self._layout.fields)
        return outlook(self._game, shared.program, known)

    @property
    def outlook_address(self) -> int:
        """Where the function stands that works out what a position promises. Raises Uncovered."""
        if not self._is_here:
            return Outside("outlook")
        return self._code.compile_outlook(self.outlook).address("outlook")

    def outlook_in(self, seat: Seat) -> list[int]:
        """Return the numbers that the position in front of a thread promises. Raises Uncovered."""
        part = self._code.compile_outlook(self.outlook)
        numbers = address(seat.desk.counts)
        position, world = address(seat.desk.position), seat.world
        self.caller.within(part, "outlook", world, position, world.memory, numbers)
        return seat.desk.counts[: len(self.outlook) * APART : APART].tolist()

    def play_at_random(self, seat: Seat, start: State, chance: Chance, plies: int) -> bool:
        """Put a position in front of a thread, and go on from it for so many plies.

        Return whether the rules fail on the way.
        """
        self.exchange.write(start, seat.memory, seat.world)
        seat.desk.random[0] = _signed(chance.state)
        position, world, random = address(seat.desk.position), seat.world, address(seat.desk.random)
        made = position, world.memory, random, plies
        self.caller.within(self._code.games, "playout", world, *made)
        has_failed = bool(world.error)
        world.clear()
        return has_failed

    def estimate(self, worth: Worth | None) -> Estimate:
        """Return what positions are worth by what was tuned of the game, if that is anything.

        Raises ValueError if it is of other rules.
        """
        if worth is None:
            return no_estimate()
        sites = [site.name for site in self._game.board.sites]
        territory = self.territory_table(worth.each)
        return worth.estimate(self.features, sites, self.rows, territory)

    def priors(self, worth: Worth | None) -> Priors:
        """Return what moves are worth at first by what was tuned of the game."""
        if worth is None or worth.first is None:
            return no_priors()
        return worth.first.priors(self.features, self.masks, self._game)

    @property
    def is_of_two(self) -> bool:
        """Whether two sides play for a win, and for nothing more or less."""
        return self.seats == 2 and not self.payoff_unit

    @property
    def has_long_turns(self) -> bool:
        """Whether there are turns in which several things may be chosen."""
        phases = self._code.written.shared.program.phases
        return any(_choices(turn.program) > 1 for phase in phases for turn in phase.turns)

    @property
    def masks(self) -> memoryview:
        """Which bits of a position's words are sites of sets."""
        bits: memoryview[int] = array("Bytes", self.fields.bytes)
        for feature in self.features:
            if feature.is_set:
                whole, rest = divmod(self._sites, 8)
                for n in range(whole):
                    bits[feature.offset + n] = 255
                if rest:
                    bits[feature.offset + whole] = (1 << rest) - 1
        return bits.cast("q")

    @property
    def told_apart(self) -> memoryview:
        """Which bits of a position's words tell it from others: not how much is remembered."""
        words: memoryview[int] = filled("Words", [-1] * (self.fields.bytes // WORD_BYTES))
        for slot in self._slots:
            words[self._layout.fields[slot].offset // WORD_BYTES] = 0
        return words

    @property
    def kinds(self) -> memoryview:
        """For each of a position's words the number of the pieces whose sites it has, or -1."""
        words: memoryview[int] = filled("Shorts", [-1] * (self.fields.bytes // WORD_BYTES))
        for number, slot in enumerate(self._code.written.shared.program.layers):
            layer = self._layout.fields[slot]
            if slot.type != SITES or layer.offset % WORD_BYTES or layer.bytes % WORD_BYTES:
                continue
            for word in range(layer.offset, layer.offset + layer.bytes, WORD_BYTES):
                words[word // WORD_BYTES] = number
        return words

    @property
    def frame_bytes(self) -> int:
        """How many bytes a position takes with what belongs to a turn."""
        return self._layout.frame_bytes

    @property
    def follower_bytes(self) -> int:
        """How many bytes a position takes that follows another, with what is remembered of it."""
        return self.frame_bytes + c.FOLLOWER_HEAD + -(-self._key_begins[-1] // 16) * 16

    def new_tree(self, memory: int, *, is_shared: bool, has_leans: bool) -> Tree:
        """Return an empty tree of so many bytes, for one thread or for several."""
        words, key_words = self.fields.bytes // WORD_BYTES, self.fields.key_bytes // WORD_BYTES
        rest = _address_of_rest() if is_shared else 0
        return new_tree(
            memory,
            self.seats,
            words,
            key_words,
            is_shared=is_shared,
            rest=rest,
            has_leans=has_leans,
        )

    def seat(self, state: State, seed: int, number: int, plies: int) -> Seat:
        """Return the place of the thread with a number, in front of it a position.

        It may go on for so many plies; what is drawn depends on the seed and the number.
        """
        world, layout = self.exchange.world(), self._layout
        if self._is_here:
            calls = self._code.calls
            world.bring_searches({name: self._address(calls, name) for name in w.OUTSIDE})
        memory = self.exchange.buffer()
        self.exchange.write(state, memory, world)
        if self._slots:
            world.make_room(world.room + plies + DEEPEST)
        desk = Desk(
            position=memoryview(memory).cast("B"),
            words=memoryview(memory).cast("B")[: layout.frame_bytes].cast("q"),
            world=memoryview(world.memory).cast("B").cast("q"),
            tables=filled("Words", [ctypes.addressof(table) for table in world.pasts]),
            remembered=filled("Words", [self._remembered(slot, memory) for slot in self._slots]),
            path=array("Shorts", DEEPEST),
            turns=array("Shorts", DEEPEST),
            list=array("Words", LIST_WORDS),
            levels=array("Words", LEVELS),
            steps=array("Shorts", DEEPEST),
            random=filled("Words", [_signed(Chance(seed, number).state), 0]),
            values=array("Doubles", self.seats),
            marks=array("Shorts", MOST_MOVES),
            gains=array("Words", GAINS * (layout.frame_bytes // WORD_BYTES)),
            leans=array("Floats", MOST_MOVES),
            states=array("Bytes", self._sites + 1),
            stock=array("Words", 4),
            stay=array("Words", 4),
            points=array("Doubles", self.seats),
            sums=array("Doubles", self.seats),
            report=array("Words", 2),
            held=array("Words", HELD * layout.frame_bytes // WORD_BYTES),
            counts=array("Words", max(MOST_COUNTS, MOST_TERMS * APART)),
            base=array("Doubles", 1),
        )
        return Seat(desk, memory, world)

    def make_room(self, seat: Seat) -> None:
        """Give a thread's world twice as much room; what is in it stays."""
        seat.world.make_room(2 * seat.world.room)
        for place, table in enumerate(seat.world.pasts):
            seat.desk.tables[place] = ctypes.addressof(table)

    def earlier(self, seat: Seat) -> tuple[bytes, ...]:
        """Return what is remembered of the game so far, of each memory."""
        sizes = self.exchange.key_bytes
        return tuple(
            ctypes.string_at(table, self._remembered(slot, seat.memory) * size)
            for slot, table, size in zip(self._slots, seat.world.pasts, sizes, strict=True)
        )

    @property
    def memories(self) -> list[tuple[int, int]]:
        """For each memory, how long a key is, and where in a position stands how many there are."""
        counts = [self._layout.fields[slot].offset for slot in self._slots]
        return list(zip(self.exchange.key_bytes, counts, strict=True))

    def _remembered(self, slot: Slot, memory: Any) -> int:
        """Return how many keys a memory has in a position."""
        begin = self._layout.fields[slot].offset
        return int.from_bytes(memory[begin : begin + WORD_BYTES], "little")

    def position(self, tree: Tree, node: int) -> bytes:
        """Return the position of a node."""
        words = self.fields.bytes // WORD_BYTES
        return tree.positions[node * words : (node + 1) * words].tobytes()

    def key(self, tree: Tree, node: int) -> tuple[bytes, ...]:
        """Return what is remembered of a node's position, of each memory."""
        words = self.fields.key_bytes // WORD_BYTES
        data = tree.keys[node * words : (node + 1) * words].tobytes()
        return tuple(data[begin:end] for begin, end in pairwise(self._key_begins))


def _choices(block: Block) -> int:
    """Return how many choices a block has; one in a loop counts as two."""
    found = 0
    for statement in statements_in(block):
        found += isinstance(statement, Choose)
        if isinstance(statement, ForEach | Repeat):
            found += sum(map(_choices, blocks_of(statement)))
    return found


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _address_of_rest() -> int:
    """Return the address of a function that lets other threads go first, or 0."""
    try:
        function = ctypes.CDLL(None).sched_yield
    except (AttributeError, OSError, TypeError):
        return 0
    return ctypes.cast(function, ctypes.c_void_p).value or 0
