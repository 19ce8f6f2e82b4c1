"""The code of turns: functions that walk through all ways in which a turn can be completed.

In: the program of one side's turn in one phase. Out: functions of a frame and a context that
return whether the search is to stop. What then holds: ways are completed in the order of their
decisions, as the reference interpreter lists them.

A turn is cut at its decisions. What follows a decision is a function of its own, called once for
each choice with a frame of its own, as continuations are (J. C. Reynolds, "The discoveries of
continuations", 1993): so loops with decisions in them need no stack but the machine's. Where ways
are only counted, or one is drawn by its number, some need not be walked through.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from gdl.analysis.plan import TurnPlan
from gdl.core.nodes import Block, Choose, Decide, ForEach, Repeat, Require, Say
from gdl.core.walk import is_effect, looks_ahead, statements_in
from gdl.data_classes import dataclass
from interpreter.native.emit.ir import CONTEXT, FRAME_BYTES, FRAME_TYPE
from interpreter.native.emit.kinds import I1, I32, I64, Bit, Word
from interpreter.native.expressions.places import Place, for_side
from interpreter.native.memory import context as c
from interpreter.native.memory import world as w
from interpreter.native.memory.polls import look_here
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.turns.candidates import CandidateCode, Candidates
from interpreter.native.turns.effects import Effects
from interpreter.native.turns.shared_code import SharedCode
from interpreter.native.turns.traces import Entries, TraceWords
from interpreter.native.turns.walk import Walk

_MOST_STACK = 1 << 22
_SETS_A_CALL = 24
"""How much stack the functions of a turn may take, and how many sets in memory each has there."""


@dataclass(frozen=True)
class Continuation:
    """What follows a point of a turn: a function that walks through all ways from there on.

    It goes on with the frame it is given, and returns whether the search is to stop. One that
    `is_settled` decides nothing, and can neither fail nor ask.
    """

    name: str
    is_settled: bool = True

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
        turn = shared.turn(plan.phase, plan.side)
        self.block = turn.program if plan.both is None else plan.both.block
        self._functions = 0
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
        self.go(self._function(), self.block, Continuation(completed))

    def _function(self) -> Place:
        """Begin the next function of a frame and a context; return where its code begins."""
        name = f"{self.name}_{self._functions}" if self._functions else self.name
        self._functions += 1
        f = self._module.function(name, "internal i1", ["ptr %frame", "ptr %context"])
        world = f.world = c.WORLD.get(f, CONTEXT)
        w.refuse_deep(f, world)
        p, both = Place(f, world=world, takes_back=True), self._plan.both
        if both is None:
            return p
        return for_side(p, both, self._layout, c.IS_LATER.is_set(f, CONTEXT), self.exchange)

    def after(self, block: Block, way: Continuation) -> Continuation:
        """Return a function for what follows: a block, and then what follows that."""
        if not block:
            return way
        p = self._function()
        self.go(p, block, way)
        return Continuation(p.f.name, way.is_settled and all(map(is_effect, block)))

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
        f = p.f
        found = self._candidates.of(p, statement)
        if found.sites is not None:
            found = Candidates(self._entries.in_one_order(p, statement, found.sites))
        else:
            self._refuse_large(p, statement, found)
        found = self._candidates.only(p, found)

        def take(own: Place, index: Word) -> Bit:
            value = self._candidates.value(statement, index)
            self.expressions.write(own, statement.slot, value)
            self._entries.choose(own, statement, index)
            return way.call(own)

        if not self.keeps and self._plan.ways_on[statement.decision] == 1:
            self._take_at_once(p, way, found, take)
        put_back = self._keep(p)
        with self._candidates.each(f, found) as index:
            f.give_if(take(self._own_frame(p), index), "i1 true")
            put_back()
        f.give("i1 false")

    def decide(self, p: Place, statement: Decide, way: Continuation) -> None:
        """Write a decision between alternatives."""
        f = p.f
        is_given, decision = self._candidates.next_decision(p)
        first = self._entries.first(statement)
        put_back = self._keep(p)
        alternatives = statement.alternatives
        ways = [self.after(alternative.body, way) for alternative in alternatives]
        for place, (alternative, way_on) in enumerate(zip(alternatives, ways, strict=True)):
            same = f.compare("eq", I64, decision, place)
            with f.when(f.binary("or", I1, same, f.is_not(is_given))):
                own = self._own_frame(p)
                self._entries.decide(own, alternative.token, first + place)
                f.give_if(way_on.call(own), "i1 true")
                if place < len(ways) - 1:
                    put_back()
        f.give("i1 false")

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
        if is_sure and any(isinstance(s, ForEach | Repeat) for s in effects):
            self._pass_over(p)
        self.effects.effects(p, effects)
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

    # ------------------------------------------------------------------------- frames

    def _own_frame(self, p: Place) -> Place:
        """Return a place with a copy of the frame; the frame, where changes are taken back."""
        if self.sets.are_arrays:
            return p
        copy = p.f.room(FRAME_TYPE)
        p.f.copy(p.frame, copy, FRAME_BYTES)
        return replace(p, frame=copy)

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
