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
from interpreter.native.emit.ir import FRAME_BYTES, FRAME_TYPE, WORD, Function, width_of
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.fields import Field
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.turns.shared_code import SharedCode
from interpreter.native.turns.traces import TraceWords
from interpreter.native.turns.turns import TurnCode
from interpreter.native.turns.unordered_choices import write_in_any_order
from interpreter.reference.steps import MOST_WAYS

_MIXING = -0x61C8864680B583EB
"""An odd number, by which words are multiplied that are to be mixed: 2^64 by the golden ratio."""


def follower_bytes(key_bytes: int, frame: int | str = FRAME_BYTES) -> str:
    """Return how many bytes a position takes in FOLLOWING, of whose keys there are so many."""
    more = c.FOLLOWER_HEAD + -(-key_bytes // 16) * 16
    return f"add (i64 {frame}, i64 {more})"


class Searches:
    """Writes the searches of a game; `words` are what their traces are made of.

    What is remembered of a position takes so many bytes.
    """

    def __init__(self, shared: SharedCode, key_bytes: int) -> None:
        self._shared = shared
        self._key_bytes = key_bytes
        self._program = shared.program
        self._module = shared.module
        self._layout = shared.layout
        self._expressions = shared.expressions
        self.words = TraceWords()
        self._turns: dict[tuple[int, int], TurnCode] = {}

    def turn(self, phase: int, side: int) -> TurnCode:
        """Return the code of a side's turn in a phase."""
        return self._turns[phase, side]

    def write_turns(self) -> None:
        """Write the functions of all turns."""
        for turn in self._shared.plan.turns:
            earlier = (turn.phase, 0) if turn.is_later else turn.like
            if earlier is not None:
                self._turns[turn.phase, turn.side] = self._turns[earlier]
                continue
            code = TurnCode(self._shared, self.words, turn)
            completed = f"{code.name}_completed"
            code.write(completed)
            self._write_completed(completed, code)
            self._turns[turn.phase, turn.side] = code

    def write(self) -> None:
        """Write `search(position, context)`, over all turns."""
        f = self._module.function("search", "internal i1", ["ptr %position", "ptr %context"])
        world = f.world = c.WORLD.get(f, "%context")
        frame = f.variable(FRAME_TYPE)
        f.do(f"call void @begin(ptr {frame}, ptr %position)")
        c.ROOT.put(f, "%position", "%context")
        mark = f.get("ptr", f.at(world, c.TRAIL))
        place = Place(f, "%position", world)
        decisions = c.DECISIONS.get(f, "%context")
        for phase, side in self._shared.turns(place):
            code = self._turns[phase, side]
            is_later = self._shared.plan.turn(phase, side).is_later
            c.IS_LATER.put(f, str(int(is_later)), "%context")
            if is_later:
                f.do(f"call void @{code.exchange}(ptr {frame})")
            if code.keeps:
                with f.when(f.ins(f"icmp eq ptr {decisions}, null")):
                    c.KEEPING.put(f, "1", "%context")
                    c.HAS_BEST.put(f, "0", "%context")
                    f.do(f"call i1 @{code.name}(ptr {frame}, ptr %context)")
                    with f.when(c.has_failed(f, world)):
                        f.give("i1 true")
                    f.do(f"call void @begin(ptr {frame}, ptr %position)")
                    if is_later:
                        f.do(f"call void @{code.exchange}(ptr {frame})")
                    c.KEEPING.put(f, "2", "%context")
                    c.WAYS.put(f, str(MOST_WAYS), "%context")
            result = f.ins(f"call i1 @{code.name}(ptr {frame}, ptr %context)")
            if isinstance(self._expressions.sets, ArraySets):
                self._expressions.sets.trails.forget(f, world, mark)
            f.give(f"i1 {result}")

    # ------------------------------------------------------- what completed ways are for

    def _write_completed(self, name: str, code: TurnCode) -> None:
        """What a search does with a completed way, by its mode."""
        f = self._module.function(name, "internal i1", ["ptr %frame", "ptr %context"])
        world = f.world = c.WORLD.get(f, "%context")
        if code.keeps or code.exchanges:
            _use_up(f, world, c.WAYS)
        p = Place(f, world=world)
        if code.exchanges:
            self._compare_orders(p, code)
        if code.keeps:
            self._compare_best(p)
        with f.when(f.ins(f"icmp ne ptr {c.DECISIONS.get(f, '%context')}, null")):
            made = self._layout.made.get(f, "%frame")
            wanted = c.DECISION_COUNT.get(f, "%context")
            with f.when(f.ins(f"icmp ne i64 {f.ins(f'zext i32 {made} to i64')}, {wanted}")):
                f.give("i1 false")
        mode = c.MODE.get(f, "%context")
        ways = {
            c.SELECTING: self._select,
            c.LISTING: self._list,
            c.LOOKING: self._look,
            c.COUNTING_ON: self._count_on,
            c.FOLLOWING: self._follow,
        }
        for write in f.cases("i32", mode, [ways[number] for number in range(len(ways))]):
            write(p, code)

    def _copy(self, f: Function, code: TurnCode, target: str) -> None:
        """Copy the frame; in the copy, what is whose stands where it belongs."""
        f.copy("%frame", target, FRAME_BYTES)
        if code.exchange:
            later = c.IS_LATER.get(f, "%context")
            with f.when(f.ins(f"icmp ne i64 {later}, 0")):
                f.do(f"call void @{code.exchange}(ptr {target})")

    def _select(self, p: Place, code: TurnCode) -> None:
        f = p.f
        address = c.LEFT.at(f, "%context")
        left = f.get("i64", address)
        with f.when(f.ins(f"icmp ne i64 {left}, 0")):
            f.put("i64", f.ins(f"sub i64 {left}, 1"), address)
            f.give("i1 false")
        out = c.OUT.get(f, "%context")
        self._copy(f, code, out)
        c.FOUND.put(f, "1", "%context")
        f.give("i1 true")

    def _list(self, p: Place, code: TurnCode) -> None:
        """Put the trace into the list, with its length before it, if there is room."""
        f = p.f
        _use_up(f, p.world, c.LEFT)
        depth = self._layout.depth.get(f, "%frame")
        length = f.ins(f"zext i32 {depth} to i64")
        used = c.LIST_USED.at(f, "%context")
        begin = f.get("i64", used)
        end = f.ins(f"add i64 {f.ins(f'add i64 {begin}, 1')}, {length}")
        f.put("i64", end, used)
        size = c.LIST_SIZE.get(f, "%context")
        with f.when(f.ins(f"icmp ule i64 {end}, {size}")):
            list_ = c.LIST.get(f, "%context")
            entry = f.word_at(list_, begin)
            f.put("i64", length, entry)
            trace = c.TRACE.get(f, "%context")
            f.copy(trace, f.at(entry, 8), f.ins(f"mul i64 {length}, 8"))
        f.give("i1 false")

    def _look(self, p: Place, code: TurnCode) -> None:
        f, frame = p.f, "%frame"
        if code.exchange:
            frame = f.variable(FRAME_TYPE)
            self._copy(f, code, frame)
        number = c.CAN.get(f, "%context")
        values = c.VALUES.get(f, "%context")
        result = f.ins(
            f"call i1 @looked_for(i64 {number}, ptr {frame}, ptr {values}, ptr {p.world})"
        )
        with f.when(result):
            c.FOUND.put(f, "1", "%context")
        f.give(f"i1 {result}")

    def _count_on(self, p: Place, code: TurnCode) -> None:
        """Count the sequences that begin with this way."""
        f = p.f
        _use_up(f, p.world, c.LEFT)
        c.FOUND.put(f, "1", "%context")
        own = f.variable(FRAME_TYPE)
        self._copy(f, code, own)
        root = c.ROOT.get(f, "%context")
        which = self._shared.which(Place(f, root, p.world))
        depth = c.DEPTH.get(f, "%context")
        arguments = f"ptr {own}, ptr {p.world}, i64 {which}, i64 {depth}"
        found = f.ins(f"call i64 @sequences_after({arguments})")
        c.NODES.add(f, found, "%context")
        f.give(f"i1 {c.has_failed(f, p.world)}")

    def _follow(self, p: Place, code: TurnCode) -> None:
        """Put the position that this way leads to into the list; stop where there is no room."""
        f = p.f
        _use_up(f, p.world, c.LEFT)
        used = c.LIST_USED.at(f, "%context")
        begin = f.get("i64", used)
        end = f.ins(f"add i64 {begin}, {follower_bytes(self._key_bytes)}")
        f.put("i64", end, used)
        size = c.LIST_SIZE.get(f, "%context")
        with f.when(f.ins(f"icmp ugt i64 {end}, {size}")):
            f.give("i1 true")
        record = f.at(c.LIST.get(f, "%context"), begin)
        self._copy(f, code, record)
        depth = self._layout.depth.get(f, "%frame")
        trace = c.TRACE.get(f, "%context")
        name = f.variable("i64", "0")
        with f.rounds(f.ins(f"zext i32 {depth} to i64"), c.MOST_TRACED) as loop:
            decided = f.get("i64", f.word_at(trace, loop.number))
            mixed = f.ins(f"xor i64 {f.get('i64', name)}, {decided}")
            mixed = f.ins(f"mul i64 {mixed}, {_MIXING}")
            high = f.ins(f"lshr i64 {mixed}, 29")
            f.put("i64", f.ins(f"xor i64 {mixed}, {high}"), name)
        f.put("i64", f.get("i64", name), f.at(record, FRAME_BYTES))
        root = c.ROOT.get(f, "%context")
        which = self._shared.which(Place(f, root, p.world))
        f.do(f"call void @follow(ptr {record}, ptr {p.world}, i64 {which})")
        f.give(f"i1 {c.has_failed(f, p.world)}")

    def _compare_best(self, p: Place) -> None:
        """In the first round, learn the best value; in the second, go on with no other."""
        f, layout = p.f, self._layout
        best = self._program.system.best
        assert best is not None, "a turn that keeps has a best value"
        has = f.ins(f"trunc i8 {layout.has_best.get(f, '%frame')} to i1")
        kept = f.variable("i64", "0")
        with f.when(has):
            found = self._expressions.number(p, Get(best))
            if width_of(found.range) != WORD:
                raise Uncovered("a value of more than 64 bits of which the most is kept")
            f.put("i64", found.register, kept)
        value = f.get("i64", kept)
        known = c.BEST.get(f, "%context")
        has_known = f.ins(f"icmp ne i64 {c.HAS_BEST.get(f, '%context')}, 0")
        keeping = c.KEEPING.get(f, "%context")
        with f.when(f.ins(f"icmp eq i32 {keeping}, 1")):
            better = f.ins(f"icmp sgt i64 {value}, {known}")
            first = f.is_not(has_known)
            taken = f.ins(f"and i1 {has}, {f.ins(f'or i1 {better}, {first}')}")
            with f.when(taken):
                c.BEST.put(f, value, "%context")
                c.HAS_BEST.put(f, "1", "%context")
            f.give("i1 false")
        with f.when(f.ins(f"icmp eq i32 {keeping}, 2")):
            same = f.ins(f"icmp eq i64 {value}, {known}")
            both = f.ins(f"and i1 {has}, {f.ins(f'and i1 {has_known}, {same}')}")
            neither = f.is_not(f.ins(f"or i1 {has}, {has_known}"))
            with f.unless(f.ins(f"or i1 {both}, {neither}")):
                f.give("i1 false")

    def _compare_orders(self, p: Place, code: TurnCode) -> None:
        """Go on only if each pair is in order, and legal with the same result in the other."""
        f = p.f
        free = f.ins(f"icmp eq ptr {c.DECISIONS.get(f, '%context')}, null")
        pairs = self._layout.pairs.get(f, "%frame")
        some = f.ins(f"icmp ne i32 {pairs}, 0")
        name = f"{code.name}_in_any_order"
        write_in_any_order(self._shared, name)
        with f.when(f.ins(f"and i1 {free}, {some}")):
            same = f.ins(f"call i1 @{name}(ptr %frame, ptr %context)")
            with f.unless(same):
                f.give("i1 false")


def _use_up(f: Function, world: str, ways: Field) -> None:
    """Write that one way fewer is left in a field of the context; it fails where there is none."""
    address = ways.at(f, "%context")
    left = f.get("i64", address)
    c.refuse(f, world, f.ins(f"icmp eq i64 {left}, 0"), c.RULES_FAIL)
    f.put("i64", f.ins(f"sub i64 {left}, 1"), address)
