"""The code of calls: searches that answer what is asked of a position, and moves that they find.

In: the searches of a game. Out: the functions that a binding calls, which make a search of their
own (see `game_code`). What then holds: they agree with interpreter/reference/rules.py, which says
what each of them means; nothing of one search is left in the next.
"""

from __future__ import annotations

from gdl.interpreter.native.emit.ir import FRAME_BYTES, FRAME_TYPE, POSITION, WORLD, Function
from gdl.interpreter.native.emit.kinds import I1, I32, I64, Address, Bit, Integer, Kind, Word
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.memory.fields import Field
from gdl.interpreter.native.turns.endings import PASSES, Endings, passing
from gdl.interpreter.native.turns.history import Past
from gdl.interpreter.native.turns.shared_code import SharedCode
from gdl.interpreter.reference.steps import MOST_WAYS

_NO_LIMIT = (1 << 63) - 1


class SearchCall:
    """A search within a function of `%position` and `%world`; it has a context of its own."""

    def __init__(
        self,
        f: Function,
        *,
        mode: int = c.SELECTING,
        shortcut: int = c.NO_SHORTCUT,
        left: int | Word = _NO_LIMIT,
        is_inner: bool = False,
    ) -> None:
        """Begin a context; it passes over all ways but those that are `left`.

        An inner query has memory of its own for its trace.
        """
        self._f = f
        scratch = f.at(WORLD, w.MAIN_SCRATCH)
        if is_inner:
            scratch = f.room(f"[{w.SCRATCH_BYTES} x i8]")
        self._context = f.room(f"[{c.BYTES} x i8]")
        c.begin(f, self._context, POSITION, WORLD, scratch)
        self.set(c.MODE, mode)
        self.set(c.LEFT, left)
        self.set(c.SHORTCUT, shortcut)

    def set(self, field: Field[Kind], value: Kind | int) -> None:
        """Write a field of the context."""
        field.put(self._f, value, self._context)

    def get(self, field: Field[Kind]) -> Kind:
        """Read a field of the context."""
        return field.get(self._f, self._context)

    def again(self, shortcut: int, left: Word | None = None) -> None:
        """Write that the next search begins anew; it looks for the way after `left` others."""
        self.set(c.SHORTCUT, shortcut)
        self.set(c.LEFT, _NO_LIMIT if left is None else left)
        self.set(c.WAYS, MOST_WAYS)
        for flag in (c.FOUND, c.KEEPING):
            self.set(flag, 0)

    def run(self) -> None:
        """Write the search."""
        self._f.do(f"call i1 @search(ptr %position, ptr {self._context})")

    def passed_over(self) -> Word:
        """Return how many ways (i64) a search has passed over that looked for none."""
        return self._f.binary("sub", I64, _NO_LIMIT, self.get(c.LEFT))

    @property
    def has_found(self) -> Bit:
        """Whether the search has found a way (i1)."""
        return c.FOUND.is_set(self._f, self._context)

    def found(self, out: Address) -> Bit:
        """Write a search whose way goes to `out`; return whether there is one (i1)."""
        self.set(c.OUT, out)
        self.run()
        return self.has_found


def make(shared: SharedCode, f: Function, frame: Address) -> None:
    """Write what follows a turn, and put the position after it in place of that before."""
    which = shared.which(Place(f, POSITION))
    f.do(f"call void @finish(ptr {frame}, ptr %world, i64 {which})")
    f.copy(frame, POSITION, shared.layout.state_bytes)


class EntryPoints:
    """Writes the functions that a binding calls, and what these need of their own."""

    def __init__(self, shared: SharedCode, endings: Endings, past: Past) -> None:
        self._shared = shared
        self._endings = endings
        self._past = past

    def write(self) -> None:
        """Write all of them."""
        self._write_count()
        self._write_list("listed", c.LISTING)
        self._write_follow()
        self._write_list("followers", c.FOLLOWING)
        self._write_make()
        self._write_pick()
        self._write_pass_on()
        self._write_settle()
        self._write_stuck()
        self._write_give_way()
        self._write_perft()
        self._write_step()

    def _function(self, name: str, result: str, *more: str) -> Function:
        """Begin a function of a position and the world, and of what it is given besides."""
        parameters = ["ptr %position", "ptr %world", *more]
        return self._shared.module.function(name, result, parameters)

    def _write_count(self) -> None:
        f = self._function("count", "i64")
        query = SearchCall(f, shortcut=c.SETTLED, left=MOST_WAYS)
        query.set(c.COUNTED, 1)
        with f.when(query.found(f.room(FRAME_TYPE))):
            w.fail(f, WORLD, w.RULES_FAIL)
        f.give(f"i64 {f.binary('sub', I64, MOST_WAYS, query.get(c.LEFT))}")

    def _write_list(self, name: str, mode: int) -> None:
        """Write what puts all moves, or what they lead to, into a list, as far as there is room."""
        f = self._function(name, "i64", "ptr %list", "i64 %size")
        query = SearchCall(f, mode=mode, left=MOST_WAYS)
        query.set(c.LIST, Address("%list"))
        query.set(c.LIST_SIZE, Word("%size"))
        query.run()
        f.give(f"i64 {query.get(c.LIST_USED)}")

    def _write_follow(self) -> None:
        """What comes of a completed way: `follow(record, world, which)` finishes its position."""
        record = Address("%record")
        f = self._shared.module.function(
            "follow", "internal void", ["ptr %record", "ptr %world", "i64 %which"]
        )
        f.is_of_another_turn = True
        w.allow_a_turn(f, WORLD)
        f.do("call void @finish(ptr %record, ptr %world, i64 %which)")
        keys = f.at(f.at(record, FRAME_BYTES), c.FOLLOWER_HEAD)
        self._past.copy_newest(f, record, keys)
        f.give("void")

    def _make_found(self, f: Function, query: SearchCall) -> None:
        """Write that the move that a query finds is made, and return whether there is one."""
        out = f.room(FRAME_TYPE)
        found = query.found(out)
        with f.when(found):
            make(self._shared, f, out)
        f.give(f"i64 {f.convert('zext', I1, found, I64)}")

    def _write_make(self) -> None:
        f = self._function("make", "i64", "ptr %decisions", "i64 %count")
        query = SearchCall(f, left=0)
        query.set(c.DECISIONS, Address("%decisions"))
        query.set(c.DECISION_COUNT, Word("%count"))
        self._make_found(f, query)

    def _write_pick(self) -> None:
        f = self._function("pick", "i64", "i64 %number")
        self._make_found(f, SearchCall(f, shortcut=c.SETTLED, left=Word("%number")))

    def _write_pass_on(self) -> None:
        f = self._function("pass_on", "void")
        frame = f.room(FRAME_TYPE)
        f.do(f"call void @begin(ptr {frame}, ptr %position)")
        self._begin_phase(f, frame)
        make(self._shared, f, frame)
        f.give("void")

    def _begin_phase(self, f: Function, frame: Address) -> None:
        """Write that the phase begins that is to follow a pass, if the rules name one."""
        phase = self._shared.program.system.phase
        named = {
            turn: sorted({e.phase for e in self._shared.turn(*turn).stuck if e.phase is not None})
            for turn in self._shared.pairs
        }
        if phase is None or not any(named.values()):
            return
        for turn in self._shared.turns(Place(f, POSITION)):
            if named[turn]:
                found = self._stuck(f, *turn)
            for following in named[turn]:
                with f.when(f.compare("eq", I32, found, passing(following))):
                    self._shared.layout.fields[phase].put(f, following, frame)

    def _stuck(self, f: Function, phase: int, side: int) -> Integer:
        """Return the clause (i32) that holds of a side that is stuck."""
        return f.call(I32, f"@stuck_{phase}_{side}(ptr %position, ptr %world)")

    def _write_settle(self) -> None:
        """The mover in the position is the side that has just moved; then it may be the next."""
        f = self._function("settle", "void")
        place = Place(f, POSITION)
        for phase, side in self._shared.turns(place):
            f.do(f"call i1 @ended_{phase}_{side}(ptr %position, ptr %world)")
        self._past.remember(place)
        if self._endings.yielding:
            mover = self._shared.layout.fields[self._shared.program.system.mover]
            for _, side in self._shared.turns(place):
                mover.put(f, (side + 1) % self._shared.sides, POSITION)
            f.do("call void @give_way(ptr %position, ptr %world)")
        f.give("void")

    def _write_give_way(self) -> None:
        """`give_way(position, world)`: a game goes on where an ending held that yields.

        It does if the side on turn is stuck, and a clause of `stuck` ends the game for that.
        """
        f = self._function("give_way", "internal void")
        f.is_of_another_turn = True
        layout = self._shared.layout
        with f.block() as stays:
            f.need(self._endings.yields(f, POSITION), stays)
            w.refuse_deep(f, WORLD)
            w.allow_a_turn(f, WORLD)
            query = SearchCall(f, left=0, is_inner=True)
            f.leave_if(query.found(f.room(FRAME_TYPE)), stays)
            f.leave_if(w.has_failed(f, WORLD), stays)
            clause = f.call(I32, "@stuck(ptr %position, ptr %world)")
            f.leave_if(f.compare("eq", I32, clause, PASSES), stays)
            for field in (layout.ended, layout.winners, *layout.payoffs):
                field.put(f, 0, POSITION)
        f.give("void")

    def _write_stuck(self) -> None:
        f = self._function("stuck", "i32")
        for phase, side in self._shared.turns(Place(f, POSITION)):
            found = self._stuck(f, phase, side)
            with f.when(f.compare("eq", I32, found, 0)):
                w.fail(f, WORLD, w.RULES_FAIL)
            ends = f.compare("sgt", I32, found, PASSES)
            f.give(f"i32 {f.select(ends, I32, found, PASSES)}")

    def _write_step(self) -> None:
        """One move in each of many positions: `step(positions, world, picks, n)`.

        It ends with the first position in which there is no such move, or too little work allowed.
        """
        f = self._shared.module.function(
            "step", "i64", ["ptr %positions", "ptr %world", "ptr %picks", "i64 %count"]
        )
        f.world = None
        with f.rounds(Word("%count")) as loop:
            w.allow_a_turn(f, WORLD)
            position = f.at(Address("%positions"), f.binary("mul", I64, loop.number, FRAME_BYTES))
            pick = f.get(I64, f.word_at(Address("%picks"), loop.number))
            made = f.call(I64, f"@pick(ptr {position}, ptr %world, i64 {pick})")
            with f.when(f.binary("or", I1, f.compare("eq", I64, made, 0), w.has_failed(f, WORLD))):
                f.give(f"i64 {f.binary('add', I64, loop.number, 1)}")
        f.give("i64 %count")

    def _write_sequences_after(self) -> None:
        """The sequences that go on from a turn's last position, when the turn is finished."""
        f = self._function("sequences_after", "internal i64", "i64 %which", "i64 %depth")
        f.is_of_another_turn = True
        f.do("call void @finish(ptr %position, ptr %world, i64 %which)")
        f.give(f"i64 {f.call(I64, '@perft(ptr %position, ptr %world, i64 %depth)')}")

    def _write_perft(self) -> None:
        self._write_sequences_after()
        f, depth = self._function("perft", "i64", "i64 %depth"), Word("%depth")
        w.refuse(f, WORLD, w.is_stopped(f, WORLD), w.STOPPED)
        w.refuse_deep(f, WORLD)
        w.allow_a_turn(f, WORLD)
        f.give_if(f.compare("eq", I64, depth, 0), "i64 1")
        f.give_if(self._shared.layout.ended.is_set(f, POSITION), "i64 0")
        with f.when(f.compare("eq", I64, depth, 1)):
            count = f.call(I64, "@count(ptr %position, ptr %world)")
            f.give_if(f.compare("ne", I64, count, 0), f"i64 {count}")
            found = f.call(I32, "@stuck(ptr %position, ptr %world)")
            passes = f.compare("eq", I32, found, PASSES)
            f.give(f"i64 {f.convert('zext', I1, passes, I64)}")
        query = SearchCall(f, mode=c.COUNTING_ON, left=MOST_WAYS, is_inner=True)
        query.set(c.DEPTH, f.binary("sub", I64, depth, 1))
        query.run()
        with f.when(query.has_found):
            f.give(f"i64 {query.get(c.NODES)}")
        found = f.call(I32, "@stuck(ptr %position, ptr %world)")
        f.give_if(f.compare("ne", I32, found, PASSES), "i64 0")
        after = f.room(FRAME_TYPE)
        f.copy(POSITION, after, FRAME_BYTES)
        f.do(f"call void @pass_on(ptr {after}, ptr %world)")
        less = f.binary("sub", I64, depth, 1)
        f.give(f"i64 {f.call(I64, f'@perft(ptr {after}, ptr %world, i64 {less})')}")
