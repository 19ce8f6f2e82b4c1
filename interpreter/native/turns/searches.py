"""The code of searches: walks through all ways of the turn that is to be made.

In: the turns of a game. Out: the functions of each turn, and `search(position, context)`, which
calls those of the turn that is to be made. What then holds: each completed way is dealt with by
the context's mode, in the order of decisions; see `context`.

Where the ways with the best value are kept, a search has two rounds: one to learn the best value,
one for the ways that have it. A search that gathers ways has one round, and forgets those that it
has when it finds a better one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import takewhile

from gdl.analysis.plan import TurnPlan
from gdl.analysis.ranges import Uncovered
from gdl.analysis.ways_by_kind import Kinds
from gdl.core.nodes import (
    Block,
    Choose,
    Decide,
    Decision,
    ForEach,
    Get,
    Repeat,
    Require,
    Say,
    SitesOf,
)
from gdl.core.walk import filled_slots, is_effect, looks_ahead, statements_in
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.ir import (
    CONTEXT,
    FRAME,
    FRAME_BYTES,
    FRAME_TYPE,
    POSITION,
    WORD,
    Function,
    width_of,
)
from gdl.interpreter.native.emit.kinds import (
    I1,
    I8,
    I32,
    I64,
    NULL,
    PTR,
    TRUE,
    Address,
    Bit,
    Mask,
    Word,
)
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.expressions.places import Place, for_side
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.memory.fields import Field
from gdl.interpreter.native.memory.work_checks import look_here
from gdl.interpreter.native.sets.arrays import ArraySets
from gdl.interpreter.native.turns.candidates import CandidateCode, Candidates
from gdl.interpreter.native.turns.effects import Effects
from gdl.interpreter.native.turns.shared_code import SharedCode
from gdl.interpreter.native.turns.traces import Entries, TraceWords, write_in_any_order
from gdl.interpreter.native.turns.walk import Walk
from gdl.interpreter.reference.steps import MOST_WAYS

_SMALL_FRAME = 128
"""A frame of so many bytes at most is soon copied."""
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
                    c.HAS_BEST.put(f, 0, CONTEXT)
                    c.KEEPING.put(f, c.LEARNING | c.COMPARING, CONTEXT)
                    with f.unless(f.compare("eq", I32, c.MODE.get(f, CONTEXT), c.GATHERING)):
                        c.KEEPING.put(f, c.LEARNING, CONTEXT)
                        f.do(f"call i1 {walk}")
                        f.give_if(w.has_failed(f, world), "i1 true")
                        f.do(begin)
                        if is_later:
                            f.do(exchange)
                        c.KEEPING.put(f, c.COMPARING, CONTEXT)
                        c.WAYS.put(f, MOST_WAYS, CONTEXT)
            result = self._walked(f, walk, is_repeated=code.keeps)
            if isinstance(self._shared.sets, ArraySets):
                self._shared.sets.trails.forget(f, world, mark)
            f.give(f"i1 {result}")

    def _walked(self, f: Function, walk: str, *, is_repeated: bool) -> Bit:
        """Write a walk through all ways; what a walk before has counted is not counted again."""
        counters = self._shared.expressions.counters
        if counters is None or not is_repeated:
            return f.call(I1, walk)
        again = f.compare("eq", I32, c.KEEPING.get(f, CONTEXT), c.COMPARING)
        with counters.paused(f, again):
            return f.call(I1, walk)

    # ------------------------------------------------------- what completed ways are for

    def _write_completed(self, name: str, code: TurnCode) -> None:
        """What a search does with a completed way, by its mode."""
        f = self._shared.module.function(name, "internal i1", ["ptr %frame", "ptr %context"])
        world = f.world = c.WORLD.get(f, CONTEXT)
        p = Place(f, world=world)
        self.compare(p, code)
        with f.when(f.compare("ne", PTR, c.DECISIONS.get(f, CONTEXT), NULL)):
            made = self._layout.made.get(f, FRAME)
            wanted = c.DECISION_COUNT.get(f, CONTEXT)
            f.give_if(f.compare("ne", I64, f.convert("zext", I32, made, I64), wanted), "i1 false")
        # in the order of the modes, see `context`
        by_mode = (
            *(self._select, self._list, self._look),
            *(self._count_on, self._follow, self._gather),
        )
        for write in f.cases(I32, c.MODE.get(f, CONTEXT), by_mode):
            write(p, code)

    def compare(self, p: Place, code: TurnCode) -> None:
        """Write that a completed way is left, where moves depend on others, if it is no move."""
        if code.keeps or code.exchanges:
            _use_up(p.f, p.world, c.WAYS)
        if code.exchanges:
            self._compare_orders(p.f, code)
        if code.keeps:
            self._compare_best(p)

    def copy(self, f: Function, code: TurnCode, target: Address) -> None:
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
        self.copy(f, code, c.OUT.get(f, CONTEXT))
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
            self.copy(f, code, frame)
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
        self.copy(f, code, own)
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
        self.copy(f, code, record)
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

    def _gather(self, p: Place, code: TurnCode) -> None:
        """Put the frame into the list, if there is room."""
        f = p.f
        used = c.LIST_USED.at(f, CONTEXT)
        number = f.get(I64, used)
        f.put(I64, f.binary("add", I64, number, 1), used)
        with f.when(f.compare("ult", I64, number, c.LIST_SIZE.get(f, CONTEXT))):
            place = f.binary("mul", I64, number, FRAME_BYTES)
            self.copy(f, code, f.at(c.LIST.get(f, CONTEXT), place))
        f.give("i1 false")

    def _compare_best(self, p: Place) -> None:
        """Learn the best value, go on with no other, or both: then with what is best so far."""
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
        keeping = c.KEEPING.get(f, CONTEXT)

        def is_part(of: int) -> Bit:
            return f.compare("ne", I32, f.binary("and", I32, keeping, of), 0)

        with f.when(is_part(c.LEARNING)):
            better = f.compare("sgt", I64, value, c.BEST.get(f, CONTEXT))
            is_first = f.is_not(c.HAS_BEST.is_set(f, CONTEXT))
            with f.when(f.binary("and", I1, has, f.binary("or", I1, better, is_first))):
                c.BEST.put(f, value, CONTEXT)
                c.HAS_BEST.put(f, 1, CONTEXT)
                c.LIST_USED.put(f, 0, CONTEXT)
            f.give_if(f.is_not(is_part(c.COMPARING)), "i1 false")
        with f.when(is_part(c.COMPARING)):
            has_known = c.HAS_BEST.is_set(f, CONTEXT)
            same = f.compare("eq", I64, value, c.BEST.get(f, CONTEXT))
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


# -------------------------------------------------------------------------------- the code of turns

_MOST_STACK = 1 << 22
_SETS_A_CALL = 24
"""How much stack the functions of a turn may take, and how many sets in memory each has there."""


@dataclass(frozen=True)
class Continuation:
    """What follows a point of a turn: a function that walks through all ways from there on.

    It goes on with the frame it is given, and returns whether the search is to stop. One that
    `is_settled` decides nothing, and can neither fail nor ask. One that `leaves_frame` has changed
    nothing in it when the search goes on.
    """

    name: str
    is_settled: bool = True
    leaves_frame: bool = False

    def call(self, p: Place) -> Bit:
        """Write the call; return its result."""
        return p.f.call(I1, f"@{self.name}(ptr {p.frame}, ptr %context)")

    def go(self, p: Place) -> None:
        """Write that the function which calls it ends with it, and leaves the stack before."""
        called = f"musttail call i1 @{self.name}(ptr {p.frame}, ptr %context)"
        p.f.give(f"i1 {p.f.ins(called, I1)}")


class TurnCode(Walk[Continuation]):
    """Writes the functions of one turn.

    `name` begins their names, and `block` is the turn.

    `keeps`: only ways with the best value are legal; `exchanges`: of ways that differ in the
    order of choices alone, one. With `draws_likely`, a way is best drawn among those that may still
    fail, and then tried. `exchange` is the function that has been called of each frame in
    which the later of two sides is on turn, if one block serves both.
    """

    def __init__(self, shared: SharedCode, words: TraceWords, plan: TurnPlan) -> None:
        super().__init__(Effects(shared.expressions, shared.program.system.best))
        self._module = shared.module
        self._layout = shared.layout
        self._plan = plan
        self.exchange = "" if plan.both is None else f"exchange_{plan.phase}"
        self.name = f"turn_{plan.phase}_{plan.side}"
        self.block = plan.block_in(shared.program)
        self._functions = 0
        self._kinds = shared.plan.kinds
        self._ways: dict[Decision, Continuation] = {}
        most_traced = w.MOST_TRACED
        if self.sets.are_arrays:
            most_traced = min(most_traced, _MOST_STACK // (_SETS_A_CALL * self.sets.bytes))
        choices = (s for s in statements_in(self.block) if isinstance(s, Choose))
        self._entries = Entries(words, shared, choices, most_traced)
        self.keeps, self.exchanges = plan.keeps_best, plan.exchanges
        self._candidates = CandidateCode(shared.expressions)
        self.draws_likely = False

    # -------------------------------------------------------------- the functions

    def write(self, completed: str) -> None:
        """Write all functions; `completed` is that for completed ways."""
        p = self._function()
        if self._plan.harmless.before:
            with p.f.when(self._may_count(p)):
                self.effects.effects(p, self._plan.harmless.before)
        self.go(p, self.block, Continuation(completed))

    def _may_count(self, p: Place) -> Bit:
        """Return whether ways may be counted without being carried out."""
        return p.f.compare("sge", I32, c.SHORTCUT.get(p.f, CONTEXT), c.SETTLED)

    def _function(self, *more: str) -> Place:
        """Begin the next function of a frame and a context; return where its code begins."""
        name = f"{self.name}_{self._functions}" if self._functions else self.name
        self._functions += 1
        f = self._module.function(name, "internal i1", ["ptr %frame", "ptr %context", *more])
        world = f.world = c.WORLD.get(f, CONTEXT)
        w.refuse_deep(f, world)
        p, both = Place(f, world=world, takes_back=True), self._plan.both
        if both is None:
            return p
        return for_side(p, both, self._layout, c.IS_LATER.is_set(f, CONTEXT), self.exchange)

    def do(self, p: Place, effects: Block, way: Continuation) -> Continuation:
        """Write statements without decisions; those of their variables that need be live here."""
        for slot in filled_slots(effects):
            if self._layout.is_own(slot) and slot not in p.own:
                p.own[slot] = p.f.room(f"[{self._layout.fields[slot].bytes} x i8]")
        return super().do(p, effects, way)

    def after(self, block: Block, way: Continuation) -> Continuation:
        """Return a function for what follows: a block, and then what follows that."""
        if not block:
            return way
        p = self._function()
        self.go(p, block, way)
        is_settled = way.is_settled and all(map(is_effect, block))
        begins_with_choice = isinstance(block[0], Choose) and not self.sets.are_arrays
        return Continuation(p.f.name, is_settled, begins_with_choice and not self.exchanges)

    # ------------------------------------------------------------- the statements

    def say(self, p: Place, statement: Say) -> None:
        """Write that a word is said."""
        self._entries.say(p, statement)

    def require(self, p: Place, statement: Require, way: Continuation) -> None:
        """Write that the search does not go on from here unless a condition holds.

        What looks ahead is not asked within a search that does so already.
        """
        f = p.f
        asked: AbstractContextManager[None] = nullcontext()
        if looks_ahead(statement):
            searches_ahead = f.get(I64, f.at(p.world, w.SEARCHES_AHEAD))
            asked = f.when(f.compare("eq", I64, searches_ahead, 0))
        with asked, f.unless(self.expressions.flag(p, statement.condition)):
            f.give("i1 false")

    def choose(self, p: Place, statement: Choose, way: Continuation) -> None:
        """Write a choice of a site or a number."""
        f, counters = p.f, self.expressions.counters
        self._ways[statement.decision] = way
        found = self._candidates.of(p, statement)
        if counters is not None:
            counters.choice(p, statement, self._candidates.count(f, found))
        if found.sites is not None:
            found = Candidates(self._entries.in_one_order(p, statement, found.sites))
        else:
            self._refuse_large(p, statement, found)
        found = self._candidates.only(p, found)

        def take(own: Place, index: Word) -> Bit:
            value = self._candidates.value(statement, index)
            self.expressions.write(own, statement.slot, value)
            self._entries.choose(own, statement, index)
            if counters is not None and isinstance(statement.domain, SitesOf):
                is_given = f.compare("ne", PTR, c.DECISIONS.get(f, CONTEXT), NULL)
                counters.chosen(own, statement, index, c.ROOT.get(f, CONTEXT), is_given)
            return way.call(own)

        kinds = self._kinds.get(statement.decision)
        if kinds is not None and not self.sets.are_arrays:
            self._count_kinds(p, statement, kinds)
        if not self.keeps and self._plan.ways_on[statement.decision] == 1:
            self._take_at_once(p, way, found, take)
        if statement.decision in self._plan.harmless.sites and found.sites is not None:
            found = Candidates(self._count_harmless(p, statement, found.sites))
        put_back = self._keep(p) if not way.leaves_frame else self._entries.kept(p)
        with self._candidates.each(f, found) as index:
            own = p if way.leaves_frame else self._own_frame(p)
            f.give_if(take(own, index), "i1 true")
            put_back()
        f.give("i1 false")

    def decide(self, p: Place, statement: Decide, way: Continuation) -> None:
        """Write a decision between alternatives."""
        f = p.f
        is_given, decision = self._candidates.next_decision(p)
        first = self._entries.first(statement)
        put_back = self._keep(p)
        alternatives = statement.alternatives
        guards = [self._guards(alternative.body) for alternative in alternatives]
        known = [self._known(p, each) for each in guards]
        for place, alternative in enumerate(alternatives):
            way_on = self.after(alternative.body[len(guards[place]) :], way)
            is_last = self._none_goes_on(f, known[place + 1 :])
            same = f.compare("eq", I64, decision, place)
            with f.when(f.binary("or", I1, same, f.is_not(is_given))), f.block() as fails:
                for holds in self._hold(p, guards[place], known[place]):
                    f.need(holds, fails)
                own = self._own_frame(p, unless=is_last)
                self._entries.decide(own, alternative.token, first + place)
                if self.expressions.counters is not None:
                    self.expressions.counters.alternative(f, statement, place, len(alternatives))
                f.give_if(way_on.call(own), "i1 true")
                if place < len(alternatives) - 1:
                    put_back()
        f.give("i1 false")

    def _guards(self, block: Block) -> tuple[Require, ...]:
        """Return what a block requires before all else: where it fails, no frame is copied."""
        if self.expressions.counters is not None:
            return ()
        found = takewhile(lambda s: isinstance(s, Require) and not looks_ahead(s), block)
        return tuple(s for s in found if isinstance(s, Require))

    def _known(self, p: Place, guards: Sequence[Require]) -> Bit | None:
        """Return whether all that is required holds, if it is cheap to ask before it is needed."""
        if not guards or any(self.expressions.is_costly(guard.condition) for guard in guards):
            return None
        return p.f.joined("and", I1, self._hold(p, guards))

    def _hold(self, p: Place, guards: Iterable[Require], known: Bit | None = None) -> Iterable[Bit]:
        """Return whether each of what is required holds, or all of it if that is `known`."""
        if known is not None:
            return (known,)
        return (self.expressions.flag(p, guard.condition) for guard in guards)

    def _none_goes_on(self, f: Function, to_come: Sequence[Bit | None]) -> Bit | None:
        """Return whether none of the alternatives to come goes on, if it pays to ask.

        A small frame's copy lives in registers. Where several alternatives may be the last, it can
        hardly be foreseen which frame goes on: copies cost less.
        """
        if self._layout.frame_bytes <= _SMALL_FRAME or len(to_come) > 1:
            return None
        if not to_come:
            return TRUE
        return None if to_come[0] is None else f.is_not(to_come[0])

    def _refuse_large(self, p: Place, statement: Choose, found: Candidates) -> None:
        """A trace has 32 bits for a decision."""
        f, bounds = p.f, self.expressions.ranges.of_slot(statement.slot)
        if bounds.low < -(2**31) or bounds.high >= 2**31:
            below = f.compare("slt", I64, found.low, -(2**31))
            above = f.compare("sge", I64, found.high, 2**31)
            w.refuse(f, p.world, f.binary("or", I1, below, above), w.LEFT_TO_REFERENCE)

    def loop(self, p: Place, statement: ForEach | Repeat, way: Continuation) -> None:
        """Write a loop: its beginning, and the function of a round, which its body ends with."""
        inside = self._function()
        then = Continuation(inside.f.name, is_settled=False)
        begin = self.effects.rounds.begin(p, statement)
        then.go(p)

        def leave_unless(goes_on: Bit) -> None:
            with inside.f.unless(goes_on):
                way.go(inside)

        inside.f.note(statement.span)
        look_here(self._module, inside.f)
        begin(inside, leave_unless)
        self.go(inside, statement.body, then)

    def end(self, p: Place, effects: Block, way: Continuation) -> None:
        """Write the last effects of a block, and the call of what follows.

        Where a way is sure to be completed, effects that take long are left out if it is counted.
        """
        is_sure = way.is_settled and not (self.keeps or self.exchanges)
        if is_sure and self.expressions.counters is not None:
            # What follows the last decision is carried out, and counted, where a move is made.
            is_listed = p.f.compare("eq", I32, c.MODE.get(p.f, CONTEXT), c.LISTING)
            with p.f.when(is_listed):
                way.go(p)
        if is_sure and any(isinstance(s, ForEach | Repeat) for s in effects):
            self._pass_over(p)
        self.do(p, effects, way)
        way.go(p)

    # -------------------------------------------------------------------- shortcuts

    def _pass_over(self, p: Place) -> None:
        """Write that a way that is only counted is not carried out to its end."""
        f = p.f
        shortcut = c.SHORTCUT.get(f, CONTEXT)
        address = c.LEFT.at(f, CONTEXT)
        left = f.get(I64, address)
        allowed = f.compare("sge", I32, shortcut, c.SETTLED)
        with f.when(f.binary("and", I1, allowed, f.compare("ne", I64, left, 0))):
            f.put(I64, f.binary("sub", I64, left, 1), address)
            f.give("i1 false")

    def _take_at_once(
        self, p: Place, way: Continuation, found: Candidates, take: Callable[[Place, Word], Bit]
    ) -> None:
        """Write that a last choice is counted or drawn from without trying all of it.

        `take` writes that a candidate is chosen.
        """
        f, needed = p.f, c.SETTLED
        if not way.is_settled or self.exchanges:
            needed = c.LIKELY
            self.draws_likely = True
        with f.when(f.compare("sge", I32, c.SHORTCUT.get(f, CONTEXT), needed)):
            count = self._candidates.count(f, found)
            address = c.LEFT.at(f, CONTEXT)
            left = f.get(I64, address)
            with f.when(f.compare("ule", I64, count, left)):
                f.put(I64, f.binary("sub", I64, left, count), address)
                f.give("i1 false")
            f.put(I64, 0, address)
            take(p, self._candidates.nth(f, found, left))
            f.give("i1 true")

    def _count_harmless(self, p: Place, statement: Choose, among: Sites) -> Sites:
        """Write that sites which are sure to complete the turn are counted; return the others.

        All are left where one of the ways from here is looked for, which is known by its number.
        """
        f, sets, harmless = p.f, self.sets, self._plan.harmless
        others = sets.variable(f, among)
        with f.when(self._may_count(p)):
            address = c.LEFT.at(f, CONTEXT)
            left = f.get(I64, address)
            most = f.binary("mul", I64, sets.count(f, among), harmless.most[statement.decision])
            with f.when(f.compare("ule", I64, most, left)):
                known = self.expressions.sites(p, harmless.sites[statement.decision])
                known = sets.intersection(f, [among, known])
                f.put(I64, f.binary("sub", I64, left, sets.count(f, known)), address)
                sets.write(f, sets.difference(f, among, known), others)
        return sets.read(f, others)

    def _count_kinds(self, p: Place, first: Choose, kinds: Kinds) -> None:
        """Write that all ways on from pieces are counted kind by kind, if nothing else is asked."""
        f, sets = p.f, self.sets
        address = c.LEFT.at(f, CONTEXT)
        is_enough = f.compare("uge", I64, f.get(I64, address), sets.size**2)

        def count(sites: Sites) -> None:
            number = sets.count(f, sites)
            f.put(I64, f.binary("sub", I64, f.get(I64, address), number), address)

        with f.when(f.binary("and", I1, c.COUNTED.is_set(f, CONTEXT), is_enough)):
            others = self._function("i64 %site", f"i{sets.bits} %others")
            self._try_others(others, first, kinds.last)
            for kind in kinds.kinds:
                for goals in kind.at_once:
                    count(self.expressions.sites(p, goals))
                with sets.each(f, self.expressions.sites(p, kind.pieces)) as loop:
                    piece = p.binding(first.slot, sets.one(loop.index, is_there=True))
                    targets = self.expressions.sites(piece, kind.targets)
                    known = self.expressions.sites(piece, kind.harmless)
                    known = sets.intersection(f, [targets, known])
                    if not kind.at_once:
                        count(known)
                    left = sets.difference(f, targets, known)
                    with f.when(sets.some(f, left)):
                        given = f"i64 {loop.index}, i{sets.bits} {sets.mask(f, left)}"
                        called = f"@{others.f.name}(ptr {p.frame}, ptr %context, {given})"
                        f.give_if(f.call(I1, called), "i1 true")
            f.give("i1 false")

    def _try_others(self, p: Place, first: Choose, last: Choose) -> None:
        """Write the function in which a piece goes to each of some sites, one by one."""
        f, sets = p.f, self.sets
        chosen = self._own_frame(p)
        self.expressions.write(chosen, first.slot, sets.one(Word("%site"), is_there=True))
        self._entries.choose(chosen, first, Word("%site"))
        with sets.each(f, Sites(Mask("%others"))) as loop:
            own = self._own_frame(chosen)
            self.expressions.write(own, last.slot, sets.one(loop.index, is_there=True))
            self._entries.choose(own, last, loop.index)
            f.give_if(self._ways[last.decision].call(own), "i1 true")
        f.give("i1 false")

    # ------------------------------------------------------------------------- frames

    def _own_frame(self, p: Place, unless: Bit | None = None) -> Place:
        """Return a place with a copy of the frame, `unless` nobody needs the frame any more.

        Where changes are taken back, it is the frame itself.
        """
        f = p.f
        if self.sets.are_arrays or unless == TRUE:
            return p
        copy = f.room(FRAME_TYPE)
        if unless is None:
            f.copy(p.frame, copy, FRAME_BYTES)
            return replace(p, frame=copy)
        with f.unless(unless):
            f.copy(p.frame, copy, FRAME_BYTES)
        return replace(p, frame=f.select(unless, PTR, p.frame, copy))

    def _keep(self, p: Place) -> Callable[[], None]:
        """Keep what the frame is like; return what writes that it is put back."""
        f, sets = p.f, self.sets
        if not isinstance(sets, ArraySets):
            return lambda: None
        trails, copy = sets.trails, f.room(FRAME_TYPE)
        f.do(f"call void @copy_other_parts(ptr {copy}, ptr {p.frame})")
        mark = trails.mark(f, p.world)

        def put_back() -> None:
            f.do(f"call void @copy_other_parts(ptr {p.frame}, ptr {copy})")
            trails.undo(f, p.world, mark)

        return put_back
