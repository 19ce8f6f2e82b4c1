"""The code of questions: which decisions some legal move goes on with after those that are made.

In: the turns of a game, and the place in a mask of each decision. Out: the function
`ask(position, world, question)`. What then holds: of the decisions that come next, those are marked
with which a whole legal move begins, as `listed` would list it; no whole moves are listed.

A turn is a program without chance, so after some decisions there is one point at which the next one
is made, or the turn is complete. A question leads the search through the decisions that are made to
that point; there it tries each candidate until one way on from it is completed: first in haste, one
way alone, for which no frame need be kept, and then all. Where the rest of a turn can't fail, none
is tried. Where only the best ways are legal, the best value is found first, once a turn; the
question keeps it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from gdl.analysis.plan import TurnPlan
from gdl.core.nodes import Choose, Decide
from gdl.interpreter.native.emit.ir import (
    CONTEXT,
    FRAME,
    FRAME_BYTES,
    FRAME_TYPE,
    POSITION,
    WORD,
    WORD_BYTES,
    WORLD,
)
from gdl.interpreter.native.emit.kinds import I1, I8, I32, I64, NULL, PTR, Address, Bit, Word
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.memory.fields import Field, Pointer
from gdl.interpreter.native.sets import SetCode
from gdl.interpreter.native.sets.arrays import ArraySets
from gdl.interpreter.native.turns.candidates import Candidates
from gdl.interpreter.native.turns.searches import Continuation, Searches, TurnCode
from gdl.interpreter.native.turns.shared_code import SharedCode
from gdl.interpreter.reference.steps import MOST_WAYS

DECISIONS = Pointer(0, 64)
"""The decisions that are made: 32 bits each; and how many they are."""
COUNT: Field[Word] = Field(8, 64)
MASK = Pointer(16, 64)
"""Where the mask is: a byte for each action, 1 for those that go on."""
WAYS = Pointer(24, 64)
"""Where it is counted how many moves go on with each action, 64 bits each; null: they are not."""
TO_MAKE: Field[Word] = Field(32, 64)
"""Whether a turn that is completed is made: the position after it takes its place."""
GROUP: Field[Word] = Field(40, 64)
"""What is asked: the number of the group of decisions."""
IS_KNOWN: Field[Word] = Field(48, 64)
"""Whether the best value of the turn is known; whether there is one; and the value."""
HAS_BEST: Field[Word] = Field(56, 64)
BEST: Field[Word] = Field(64, 64)
IS_COMPLETE: Field[Word] = Field(72, 64)
"""Whether the decisions that are made complete the turn."""
IS_HASTY: Field[Word] = Field(80, 64)
"""Whether of each decision beyond the one that is asked for only the first way is tried."""
WORDS = 11

NOTHING, COMPLETE, ASKED = range(3)
"""What `ask` gives: no legal move begins so; the turn is complete; a decision comes next. Less than
nothing: it failed, the world says how."""

_LARGE_FRAME = 1 << 10
"""Frames of more bytes are copied by a call."""

PlaceOf = Callable[[Choose | Decide], tuple[int, int]]
"""Gives the number of a decision's group, and where in a mask the value 0 would be."""


class Questions:
    """Writes `ask` over the turns of a game; masks have a byte for each of so many `actions`."""

    def __init__(
        self, shared: SharedCode, searches: Searches, place_of: PlaceOf, actions: int
    ) -> None:
        self._shared = shared
        self._searches = searches
        self._place_of = place_of
        self._actions = actions
        self._turns: dict[tuple[int, int], AskingTurn] = {}

    def write(self) -> None:
        """Write `ask`, and what it calls."""
        write_spread(self._shared.sets)
        for turn in self._shared.plan.turns:
            earlier = (turn.phase, 0) if turn.is_later else turn.like
            if earlier is None:
                code = AskingTurn(self._shared, self._searches, turn, self._place_of)
                completed = f"{code.name}_completed"
                code.write(completed)
                self._write_completed(completed, code)
                self._turns[turn.phase, turn.side] = code
            else:
                self._turns[turn.phase, turn.side] = self._turns[earlier]
        self._write_ask()

    def _write_completed(self, name: str, code: AskingTurn) -> None:
        """What is done with a completed way: it is counted, made, or enough."""
        f = self._shared.module.function(name, "internal i1", ["ptr %frame", "ptr %context"])
        world = f.world = c.WORLD.get(f, CONTEXT)
        self._searches.compare(Place(f, world=world), code)
        question = c.QUESTION.get(f, CONTEXT)
        made = code.layout.made.word(f, FRAME)
        with f.when(f.compare("eq", I64, made, COUNT.get(f, question))):
            self._searches.copy(f, code, c.OUT.get(f, CONTEXT))
            IS_COMPLETE.put(f, 1, question)
            f.give("i1 true")
        counts = f.compare("ne", PTR, WAYS.get(f, question), NULL)
        with f.when(counts):
            c.NODES.add(f, 1, CONTEXT)
            f.give("i1 false")
        f.give("i1 true")

    def _write_ask(self) -> None:
        shared, question = self._shared, Address("%question")
        parameters = ["ptr %position", "ptr %world", f"ptr {question}"]
        f = shared.module.function("ask", "i64", parameters)
        context, out, frame = (
            f.room(f"[{c.BYTES_ASKING} x i8]"),
            f.room(FRAME_TYPE),
            f.room(FRAME_TYPE),
        )
        f.clear(MASK.get(f, question), self._actions)
        c.begin(f, context, POSITION, WORLD, f.at(WORLD, w.MAIN_SCRATCH))
        c.QUESTION.put(f, question, context)
        c.OUT.put(f, out, context)
        IS_COMPLETE.put(f, 0, question)
        begin = f"call void @begin(ptr {frame}, ptr %position)"
        f.do(begin)
        mark = f.get(PTR, f.at(WORLD, w.TRAIL))
        found = f.variable(I1, 0)
        which = shared.which(Place(f, POSITION))
        for phase, side in shared.turns(Place(f, POSITION), which):
            code, is_later = self._turns[phase, side], shared.plan.turn(phase, side).is_later
            c.IS_LATER.put(f, int(is_later), context)
            exchange = f"call void @{code.exchange}(ptr {frame})"
            if is_later:
                f.do(exchange)
            if code.keeps:
                with f.when(f.compare("eq", I64, IS_KNOWN.get(f, question), 0)):
                    c.KEEPING.put(f, c.LEARNING, context)
                    walk = self._searches.turn(phase, side).name
                    f.do(f"call i1 @{walk}(ptr {frame}, ptr {context})")
                    f.give_if(w.has_failed(f, WORLD), "i64 -1")
                    IS_KNOWN.put(f, 1, question)
                    HAS_BEST.put(f, c.HAS_BEST.get(f, context), question)
                    BEST.put(f, c.BEST.get(f, context), question)
                    f.do(begin)
                    if is_later:
                        f.do(exchange)
                c.KEEPING.put(f, c.COMPARING, context)
                c.HAS_BEST.put(f, HAS_BEST.get(f, question), context)
                c.BEST.put(f, BEST.get(f, question), context)
                c.WAYS.put(f, MOST_WAYS, context)
            f.put(I1, f.call(I1, f"@{code.name}(ptr {frame}, ptr {context})"), found)
            if isinstance(shared.sets, ArraySets):
                shared.sets.trails.forget(f, WORLD, mark)
        f.give_if(w.has_failed(f, WORLD), "i64 -1")
        with f.unless(f.get(I1, found)):
            f.give(f"i64 {NOTHING}")
        f.give_if(f.compare("eq", I64, IS_COMPLETE.get(f, question), 0), f"i64 {ASKED}")
        with f.when(f.compare("ne", I64, TO_MAKE.get(f, question), 0)):
            f.do(f"call void @finish(ptr {out}, ptr %world, i64 {which})")
            f.give_if(w.has_failed(f, WORLD), "i64 -1")
            f.copy(out, POSITION, shared.layout.state_bytes)
        f.give(f"i64 {COMPLETE}")


class AskingTurn(TurnCode):
    """Writes the functions of one turn that lead a question to its point, and answer it there."""

    def __init__(
        self, shared: SharedCode, searches: Searches, plan: TurnPlan, place_of: PlaceOf
    ) -> None:
        super().__init__(shared, searches.words, plan)
        self.name = f"ask_{plan.phase}_{plan.side}"
        self.layout = shared.layout
        self._place_of = place_of

    def choose(self, p: Place, statement: Choose, way: Continuation) -> None:
        """Write a choice: the one that is made, the one that is asked for, or one beyond."""
        f = p.f
        found = self._candidates.of(p, statement)
        if found.sites is not None:
            found = Candidates(self._entries.in_one_order(p, statement, found.sites))
        else:
            self._refuse_large(p, statement, found)
        group, offset = self._place_of(statement)

        def take(own: Place, index: Word) -> Bit:
            self.expressions.write(own, statement.slot, self._candidates.value(statement, index))
            self._entries.choose(own, statement, index)
            return way.call(own)

        question = c.QUESTION.get(f, CONTEXT)
        made, count = self._progress(p, question)
        with f.when(f.compare("slt", I64, made, count)):
            decision = self._made(p, question, made)
            with f.unless(self._is_possible(p, found, decision)):
                f.give("i1 false")
            f.give(f"i1 {take(p, decision)}")
        is_sure = way.is_settled and not (self.keeps or self.exchanges)
        counts = f.compare("ne", PTR, WAYS.get(f, question), NULL)
        with f.when(f.compare("eq", I64, made, count)):
            GROUP.put(f, group, question)
            if is_sure:
                with f.unless(counts):
                    f.give(f"i1 {self._mark_all(p, found, self._entry(p, question, offset))}")
            some = f.variable(I1, 0)
            put_back = self._keep(p)
            with self._candidates.each(f, found) as index:
                action = f.binary("add", I64, index, offset)
                self._try(p, question, action, some, partial(take, index=index))
                put_back()
            f.give(f"i1 {f.get(I1, some)}")
        if is_sure:
            number = self._candidates.count(f, found)
            with f.when(counts):
                c.NODES.add(f, number, CONTEXT)
                f.give("i1 false")
            f.give(f"i1 {f.compare('ne', I64, number, 0)}")
            return
        self._in_haste(p, question, lambda: self._first(p, found, take))
        put_back = self._keep(p)
        with self._candidates.each(f, found) as index:
            f.give_if(take(self._own_frame(p), index), "i1 true")
            put_back()
        f.give("i1 false")

    def decide(self, p: Place, statement: Decide, way: Continuation) -> None:
        """Write a decision between alternatives, likewise."""
        f = p.f
        question = c.QUESTION.get(f, CONTEXT)
        made, count = self._progress(p, question)
        first = self._entries.first(statement)
        group, offset = self._place_of(statement)
        ways = [self.after(alternative.body, way) for alternative in statement.alternatives]

        def take(own: Place, place: int) -> Bit:
            self._entries.decide(own, statement.alternatives[place].token, first + place)
            return ways[place].call(own)

        with f.when(f.compare("slt", I64, made, count)):
            decision = self._made(p, question, made)
            for place in range(len(ways)):
                with f.when(f.compare("eq", I64, decision, place)):
                    f.give(f"i1 {take(p, place)}")
            f.give("i1 false")
        put_back = self._keep(p)
        with f.when(f.compare("eq", I64, made, count)):
            GROUP.put(f, group, question)
            some = f.variable(I1, 0)
            for place in range(len(ways)):
                action = Word(str(offset + place))
                self._try(p, question, action, some, partial(take, place=place))
                put_back()
            f.give(f"i1 {f.get(I1, some)}")
        self._in_haste(p, question, lambda: f.give(f"i1 {take(p, 0)}"))
        for place in range(len(ways)):
            f.give_if(take(self._own_frame(p), place), "i1 true")
            if place < len(ways) - 1:
                put_back()
        f.give("i1 false")

    def _try(
        self, p: Place, question: Address, action: Word, some: Address, take: Callable[[Place], Bit]
    ) -> None:
        """Write that a candidate is tried, and marked if some way goes on with it.

        Large boards take changes of a frame back, and so are not tried in haste.
        """
        f = p.f
        with f.block() as done:
            if self._can_haste:
                with f.block() as with_care:
                    counts = f.compare("ne", PTR, WAYS.get(f, question), NULL)
                    f.leave_if(counts, with_care)
                    IS_HASTY.put(f, 1, question)
                    goes_on = take(self._own_frame(p))
                    IS_HASTY.put(f, 0, question)
                    f.give_if(w.has_failed(f, p.world), "i1 true")
                    f.need(goes_on, with_care)
                    f.put(I1, 1, some)
                    f.put(I8, 1, f.at(MASK.get(f, question), action))
                    f.jump(done)
            before = c.NODES.get(f, CONTEXT)
            goes_on = take(self._own_frame(p))
            f.give_if(w.has_failed(f, p.world), "i1 true")
            more = f.binary("sub", I64, c.NODES.get(f, CONTEXT), before)
            is_marked = f.binary("or", I1, goes_on, f.compare("ne", I64, more, 0))
            f.need(is_marked, done)
            f.put(I1, 1, some)
            f.put(I8, 1, f.at(MASK.get(f, question), action))
            ways = WAYS.get(f, question)
            with f.when(f.compare("ne", PTR, ways, NULL)):
                f.put(I64, more, f.word_at(ways, action))

    @property
    def _can_haste(self) -> bool:
        return not (self.keeps or self.sets.are_arrays)

    def _in_haste(self, p: Place, question: Address, write: Callable[[], None]) -> None:
        """Write what is done, and given, where only the first way is tried."""
        if self._can_haste:
            with p.f.when(p.f.compare("ne", I64, IS_HASTY.get(p.f, question), 0)):
                write()

    def _first(self, p: Place, found: Candidates, take: Callable[[Place, Word], Bit]) -> None:
        """Write that the first candidate is taken in the frame itself, if there is one."""
        f = p.f
        is_some = f.compare("ne", I64, self._candidates.count(f, found), 0)
        with f.unless(is_some):
            f.give("i1 false")
        f.give(f"i1 {take(p, self._candidates.nth(f, found, Word('0')))}")

    def _own_frame(self, p: Place, unless: Bit | None = None) -> Place:
        """Return a place with a copy of the frame, made in line where it is small."""
        if self.sets.are_arrays or self.layout.frame_bytes > _LARGE_FRAME:
            return super()._own_frame(p, unless)
        f, copy = p.f, p.f.room(FRAME_TYPE)
        f.declare("void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)")
        arguments = f"ptr {copy}, ptr {p.frame}, i64 {FRAME_BYTES}, i1 false"
        f.do(f"call void @llvm.memcpy.inline.p0.p0.i64({arguments})")
        return replace(p, frame=copy)

    def _progress(self, p: Place, question: Address) -> tuple[Word, Word]:
        """Return how many decisions are made on the way, and how many the question has."""
        return self.layout.made.word(p.f, p.frame), COUNT.get(p.f, question)

    def _made(self, p: Place, question: Address, place: Word) -> Word:
        """Return a decision that is made."""
        f = p.f
        entry = f.entry(I32, DECISIONS.get(f, question), place)
        return f.convert("sext", I32, f.get(I32, entry), I64)

    def _is_possible(self, p: Place, found: Candidates, decision: Word) -> Bit:
        """Return whether a decision is among the candidates."""
        f = p.f
        if found.sites is None:
            above = f.compare("sge", I64, decision, found.low)
            return f.binary("and", I1, above, f.compare("sle", I64, decision, found.high))
        is_site = f.compare("ult", I64, decision, self.sets.size)
        index = f.select(is_site, I64, decision, -1)
        one = self.sets.one(index, is_there=False)
        return self.sets.some(f, self.sets.intersection(f, [one, found.sites]))

    def _entry(self, p: Place, question: Address, offset: int) -> Address:
        return p.f.at(MASK.get(p.f, question), offset)

    def _mark_all(self, p: Place, found: Candidates, mask: Address) -> Bit:
        """Write that all candidates are marked; return whether there are any."""
        f = p.f
        if found.sites is not None:
            sites = self.sets.variable(f, found.sites)
            f.do(f"call void @spread(ptr {sites}, ptr {mask})")
            return self.sets.some(f, found.sites)
        with self._candidates.each(f, found) as index:
            f.put(I8, 1, f.at(mask, index))
        return f.compare("sle", I64, found.low, found.high)


def write_spread(sets: SetCode) -> None:
    """Write `spread(set, bytes)`: a byte for each site, 1 for those in the set.

    The last bytes are written twice where sites do not fill whole words: nothing is written behind
    them.
    """
    with sets.module.procedure("spread", "ptr %set", "ptr %bytes") as f:
        source, target = Address("%set"), Address("%bytes")

        def put(word: Word, bits: int, place: int) -> None:
            """Write the lowest bits of a word as so many bytes, from a place on."""
            mask = f.ins(f"trunc i64 {word} to i{bits}", I64) if bits < WORD else word
            flags = f.ins(f"bitcast i{bits} {mask} to <{bits} x i1>", I64)
            numbers = f.ins(f"zext <{bits} x i1> {flags} to <{bits} x i8>", I64)
            f.do(f"store <{bits} x i8> {numbers}, ptr {f.at(target, place)}, align 1")

        whole, rest = divmod(sets.size, WORD)
        words = [f.get(I64, f.at(source, WORD_BYTES * n)) for n in range(-(-sets.size // WORD))]
        for place in range(whole):
            put(words[place], WORD, WORD * place)
        if rest and whole:
            lower = f.binary("lshr", I64, words[whole - 1], rest)
            upper = f.binary("shl", I64, words[whole], WORD - rest)
            put(f.binary("or", I64, lower, upper), WORD, sets.size - WORD)
        elif rest:
            bits = 1 << (rest.bit_length() - 1)
            put(words[0], bits, 0)
            if bits < rest:
                put(f.binary("lshr", I64, words[0], rest - bits), bits, rest - bits)
