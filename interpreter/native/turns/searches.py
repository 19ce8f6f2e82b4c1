"""The code of searches: walks through all ways of the turn that is to be made.

In: the turns of a game. Out: the functions of each turn, and `search(position, context)`, which
calls those of the turn that is to be made. What then holds: each completed way is dealt with by
the context's mode, in the order of decisions; see `context`.

Where the ways with the best value are kept, a search has two rounds: one to learn the best value,
one for the ways that have it.
"""

from __future__ import annotations

from gdl.analysis.ranges import Uncovered
from gdl.core.nodes import Get
from interpreter.native.emit.ir import (
    CONTEXT,
    FRAME,
    FRAME_BYTES,
    FRAME_TYPE,
    POSITION,
    WORD,
    Function,
    width_of,
)
from interpreter.native.emit.kinds import I1, I8, I32, I64, NULL, PTR, Address, Word
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory import world as w
from interpreter.native.memory.fields import Field
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.turns.shared_code import SharedCode
from interpreter.native.turns.traces import TraceWords, write_in_any_order
from interpreter.native.turns.turns import TurnCode
from interpreter.reference.steps import MOST_WAYS

_MIXING = -0x61C8864680B583EB
"""An odd number, by which words are multiplied that are to be mixed: 2^64 by the golden ratio."""


class Searches:
    """Writes the searches of a game; `words` are what their traces are made of.

    What is remembered of a position takes `key_bytes`.
    """

    def __init__(self, shared: SharedCode, key_bytes: int) -> None:
        self._shared = shared
        self._layout = shared.layout
        self._follower_bytes = c.FOLLOWER_HEAD + -(-key_bytes // 16) * 16
        self.words = TraceWords()
        self._turns: dict[tuple[int, int], TurnCode] = {}

    def turn(self, phase: int, side: int) -> TurnCode:
        """Return the code of a side's turn in a phase."""
        return self._turns[phase, side]

    def write_turns(self) -> None:
        """Write the functions of all turns."""
        for turn in self._shared.plan.turns:
            earlier = (turn.phase, 0) if turn.is_later else turn.like
            if earlier is None:
                code = TurnCode(self._shared, self.words, turn)
                completed = f"{code.name}_completed"
                code.write(completed)
                self._write_completed(completed, code)
            else:
                code = self._turns[earlier]
            self._turns[turn.phase, turn.side] = code

    def write(self) -> None:
        """Write `search(position, context)`, over all turns."""
        f = self._shared.module.function("search", "internal i1", ["ptr %position", "ptr %context"])
        world = f.world = c.WORLD.get(f, CONTEXT)
        frame = f.room(FRAME_TYPE)
        begin = f"call void @begin(ptr {frame}, ptr %position)"
        f.do(begin)
        c.ROOT.put(f, POSITION, CONTEXT)
        mark = f.get(PTR, f.at(world, w.TRAIL))
        decisions = c.DECISIONS.get(f, CONTEXT)
        for phase, side in self._shared.turns(Place(f, POSITION, world)):
            code = self._turns[phase, side]
            walk = f"@{code.name}(ptr {frame}, ptr %context)"
            exchange = f"call void @{code.exchange}(ptr {frame})"
            is_later = self._shared.plan.turn(phase, side).is_later
            c.IS_LATER.put(f, int(is_later), CONTEXT)
            if is_later:
                f.do(exchange)
            if code.keeps:
                with f.when(f.compare("eq", PTR, decisions, NULL)):
                    c.KEEPING.put(f, 1, CONTEXT)
                    c.HAS_BEST.put(f, 0, CONTEXT)
                    f.do(f"call i1 {walk}")
                    f.give_if(w.has_failed(f, world), "i1 true")
                    f.do(begin)
                    if is_later:
                        f.do(exchange)
                    c.KEEPING.put(f, 2, CONTEXT)
                    c.WAYS.put(f, MOST_WAYS, CONTEXT)
            result = f.call(I1, walk)
            if isinstance(self._shared.sets, ArraySets):
                self._shared.sets.trails.forget(f, world, mark)
            f.give(f"i1 {result}")

    # ------------------------------------------------------- what completed ways are for

    def _write_completed(self, name: str, code: TurnCode) -> None:
        """What a search does with a completed way, by its mode."""
        f = self._shared.module.function(name, "internal i1", ["ptr %frame", "ptr %context"])
        world = f.world = c.WORLD.get(f, CONTEXT)
        if code.keeps or code.exchanges:
            _use_up(f, world, c.WAYS)
        p = Place(f, world=world)
        if code.exchanges:
            self._compare_orders(f, code)
        if code.keeps:
            self._compare_best(p)
        with f.when(f.compare("ne", PTR, c.DECISIONS.get(f, CONTEXT), NULL)):
            made = self._layout.made.get(f, FRAME)
            wanted = c.DECISION_COUNT.get(f, CONTEXT)
            f.give_if(f.compare("ne", I64, f.convert("zext", I32, made, I64), wanted), "i1 false")
        # in the order of the modes, see `context`
        by_mode = (self._select, self._list, self._look, self._count_on, self._follow)
        for write in f.cases(I32, c.MODE.get(f, CONTEXT), by_mode):
            write(p, code)

    def _copy(self, f: Function, code: TurnCode, target: Address) -> None:
        """Copy the frame; in the copy, what is whose stands where it belongs."""
        f.copy(FRAME, target, FRAME_BYTES)
        if code.exchange:
            with f.when(c.IS_LATER.is_set(f, CONTEXT)):
                f.do(f"call void @{code.exchange}(ptr {target})")

    def _which(self, p: Place) -> Word:
        """Return the number (i64) of phase and side in the position in which the turn begins."""
        return self._shared.which(Place(p.f, c.ROOT.get(p.f, CONTEXT), p.world))

    def _select(self, p: Place, code: TurnCode) -> None:
        f = p.f
        address = c.LEFT.at(f, CONTEXT)
        left = f.get(I64, address)
        with f.when(f.compare("ne", I64, left, 0)):
            f.put(I64, f.binary("sub", I64, left, 1), address)
            f.give("i1 false")
        self._copy(f, code, c.OUT.get(f, CONTEXT))
        c.FOUND.put(f, 1, CONTEXT)
        f.give("i1 true")

    def _list(self, p: Place, code: TurnCode) -> None:
        """Put the trace into the list, with its length before it, if there is room."""
        f = p.f
        _use_up(f, p.world, c.LEFT)
        length = self._layout.depth.word(f, FRAME)
        used = c.LIST_USED.at(f, CONTEXT)
        begin = f.get(I64, used)
        end = f.binary("add", I64, f.binary("add", I64, begin, 1), length)
        f.put(I64, end, used)
        with f.when(f.compare("ule", I64, end, c.LIST_SIZE.get(f, CONTEXT))):
            entry = f.word_at(c.LIST.get(f, CONTEXT), begin)
            f.put(I64, length, entry)
            f.copy(c.TRACE.get(f, CONTEXT), f.at(entry, 8), f.binary("mul", I64, length, 8))
        f.give("i1 false")

    def _look(self, p: Place, code: TurnCode) -> None:
        f, frame = p.f, FRAME
        if code.exchange:
            frame = f.room(FRAME_TYPE)
            self._copy(f, code, frame)
        number, values = c.CAN.get(f, CONTEXT), c.VALUES.get(f, CONTEXT)
        result = f.call(I1, f"@looked_for(i64 {number}, ptr {frame}, ptr {values}, ptr {p.world})")
        with f.when(result):
            c.FOUND.put(f, 1, CONTEXT)
        f.give(f"i1 {result}")

    def _count_on(self, p: Place, code: TurnCode) -> None:
        """Count the sequences that begin with this way."""
        f = p.f
        _use_up(f, p.world, c.LEFT)
        c.FOUND.put(f, 1, CONTEXT)
        own = f.room(FRAME_TYPE)
        self._copy(f, code, own)
        which = self._which(p)
        depth = c.DEPTH.get(f, CONTEXT)
        arguments = f"ptr {own}, ptr {p.world}, i64 {which}, i64 {depth}"
        c.NODES.add(f, f.call(I64, f"@sequences_after({arguments})"), CONTEXT)
        f.give(f"i1 {w.has_failed(f, p.world)}")

    def _follow(self, p: Place, code: TurnCode) -> None:
        """Put the position that this way leads to into the list; stop where there is no room."""
        f = p.f
        _use_up(f, p.world, c.LEFT)
        used = c.LIST_USED.at(f, CONTEXT)
        begin = f.get(I64, used)
        size = Word(f"add (i64 {FRAME_BYTES}, i64 {self._follower_bytes})")
        end = f.binary("add", I64, begin, size)
        f.put(I64, end, used)
        f.give_if(f.compare("ugt", I64, end, c.LIST_SIZE.get(f, CONTEXT)), "i1 true")
        record = f.at(c.LIST.get(f, CONTEXT), begin)
        self._copy(f, code, record)
        depth = self._layout.depth.get(f, FRAME)
        trace = c.TRACE.get(f, CONTEXT)
        name = f.variable(I64, 0)
        with f.rounds(f.convert("zext", I32, depth, I64), w.MOST_TRACED) as loop:
            decided = f.get(I64, f.word_at(trace, loop.number))
            mixed = f.binary("xor", I64, f.get(I64, name), decided)
            mixed = f.binary("mul", I64, mixed, _MIXING)
            f.put(I64, f.binary("xor", I64, mixed, f.binary("lshr", I64, mixed, 29)), name)
        f.put(I64, f.get(I64, name), f.at(record, FRAME_BYTES))
        which = self._which(p)
        f.do(f"call void @follow(ptr {record}, ptr {p.world}, i64 {which})")
        f.give(f"i1 {w.has_failed(f, p.world)}")

    def _compare_best(self, p: Place) -> None:
        """In the first round, learn the best value; in the second, go on with no other."""
        f, layout = p.f, self._layout
        best = self._shared.program.system.best
        assert best is not None, "a turn that keeps has a best value"
        has = f.convert("trunc", I8, layout.has_best.get(f, FRAME), I1)
        kept = f.variable(I64, 0)
        with f.when(has):
            found = self._shared.expressions.number(p, Get(best))
            if width_of(found.range) != WORD:
                raise Uncovered("a value after `keep most` that may have more than 64 bits")
            f.put(I64, Word(found.register), kept)
        value = f.get(I64, kept)
        known = c.BEST.get(f, CONTEXT)
        has_known = c.HAS_BEST.is_set(f, CONTEXT)
        keeping = c.KEEPING.get(f, CONTEXT)
        with f.when(f.compare("eq", I32, keeping, 1)):
            better = f.compare("sgt", I64, value, known)
            taken = f.binary("and", I1, has, f.binary("or", I1, better, f.is_not(has_known)))
            with f.when(taken):
                c.BEST.put(f, value, CONTEXT)
                c.HAS_BEST.put(f, 1, CONTEXT)
            f.give("i1 false")
        with f.when(f.compare("eq", I32, keeping, 2)):
            same = f.compare("eq", I64, value, known)
            both = f.binary("and", I1, has, f.binary("and", I1, has_known, same))
            neither = f.is_not(f.binary("or", I1, has, has_known))
            with f.unless(f.binary("or", I1, both, neither)):
                f.give("i1 false")

    def _compare_orders(self, f: Function, code: TurnCode) -> None:
        """Go on only if each pair is in order, and legal with the same result in the other."""
        free = f.compare("eq", PTR, c.DECISIONS.get(f, CONTEXT), NULL)
        some = self._layout.pairs.is_set(f, FRAME)
        name = f"{code.name}_in_any_order"
        write_in_any_order(self._shared, name)
        with f.when(f.binary("and", I1, free, some)):
            is_same = f.call(I1, f"@{name}(ptr %frame, ptr %context)")
            with f.unless(is_same):
                f.give("i1 false")


def _use_up(f: Function, world: Address, ways: Field[Word]) -> None:
    """Write that one way fewer is left in a field of the context; it fails where there is none."""
    address = ways.at(f, CONTEXT)
    left = f.get(I64, address)
    w.refuse(f, world, f.compare("eq", I64, left, 0), w.RULES_FAIL)
    f.put(I64, f.binary("sub", I64, left, 1), address)
