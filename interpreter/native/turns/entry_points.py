"""The code of single calls: the moves of a position, one move made, sequences counted.

In: the searches of a game. Out: the functions that a binding calls; see `game_code`. What then
holds: they agree with interpreter/reference/rules.py, which says what each of them means.
"""

from __future__ import annotations

from interpreter.native.emit.ir import FRAME_BYTES, FRAME_TYPE, POSITION, WORLD, Function
from interpreter.native.emit.kinds import I1, I32, I64, Address, Word
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.turns.endings import PASSES, passing
from interpreter.native.turns.history import Past
from interpreter.native.turns.search_calls import SearchCall, make
from interpreter.native.turns.shared_code import SharedCode
from interpreter.reference.steps import MOST_WAYS


class EntryPoints:
    """Writes functions that a binding calls, each of which makes a search of its own."""

    def __init__(self, shared: SharedCode, past: Past) -> None:
        self._shared = shared
        self._past = past
        self._module = shared.module
        self._layout = shared.layout

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
        self._write_perft()
        self._write_step()

    def _write_count(self) -> None:
        f = self._module.function("count", "i64", ["ptr %position", "ptr %world"])
        query = SearchCall(self._shared, f, shortcut=c.SETTLED, left=MOST_WAYS)
        more = query.found(f.room(FRAME_TYPE))
        with f.when(more):
            c.fail(f, WORLD, c.RULES_FAIL)
        left = query.get(c.LEFT)
        f.give(f"i64 {f.binary('sub', I64, MOST_WAYS, left)}")

    def _write_list(self, name: str, mode: int) -> None:
        """Write what puts all moves, or what they lead to, into a list, as far as there is room."""
        parameters = ["ptr %position", "ptr %world", "ptr %list", "i64 %size"]
        f = self._module.function(name, "i64", parameters)
        query = SearchCall(self._shared, f, mode=mode, left=MOST_WAYS)
        query.set(c.LIST, Address("%list"))
        query.set(c.LIST_SIZE, Word("%size"))
        query.run()
        f.give(f"i64 {query.get(c.LIST_USED)}")

    def _write_follow(self) -> None:
        """What comes of a completed way: `follow(record, world, which)` finishes its position."""
        f = self._module.function(
            "follow", "internal void", ["ptr %record", "ptr %world", "i64 %which"]
        )
        f.is_of_another_turn = True
        c.allow_a_turn(f, WORLD)
        f.do("call void @finish(ptr %record, ptr %world, i64 %which)")
        keys = f.at(f.at(Address("%record"), FRAME_BYTES), c.FOLLOWER_HEAD)
        self._past.copy_newest(f, Address("%record"), WORLD, keys)
        f.give("void")

    def _make_found(self, f: Function, query: SearchCall) -> None:
        """Write that the move that a query finds is made, and return whether there is one."""
        out = f.room(FRAME_TYPE)
        found = query.found(out)
        with f.when(found):
            make(self._shared, f, out)
        f.give(f"i64 {f.convert('zext', I1, found, I64)}")

    def _write_make(self) -> None:
        parameters = ["ptr %position", "ptr %world", "ptr %decisions", "i64 %count"]
        f = self._module.function("make", "i64", parameters)
        query = SearchCall(self._shared, f, left=0)
        query.set(c.DECISIONS, Address("%decisions"))
        query.set(c.DECISION_COUNT, Word("%count"))
        self._make_found(f, query)

    def _write_pick(self) -> None:
        f = self._module.function("pick", "i64", ["ptr %position", "ptr %world", "i64 %number"])
        self._make_found(f, SearchCall(self._shared, f, shortcut=c.SETTLED, left=Word("%number")))

    def _write_pass_on(self) -> None:
        f = self._module.function("pass_on", "void", ["ptr %position", "ptr %world"])
        frame = f.room(FRAME_TYPE)
        f.do(f"call void @begin(ptr {frame}, ptr %position)")
        self._begin_phase(f, frame)
        make(self._shared, f, frame)
        f.give("void")

    def _begin_phase(self, f: Function, frame: Address) -> None:
        """Write that the phase begins that is to follow a pass, if the rules name one."""
        system, phases = self._shared.program.system, self._shared.program.phases
        named = {
            (p, s): {e.phase for e in phases[p].turns[s].stuck if e.phase is not None}
            for p, s in self._shared.pairs
        }
        if system.phase is None or not any(named.values()):
            return
        field = self._layout.fields[system.phase]
        for turn in self._shared.turns(Place(f, POSITION)):
            if named[turn]:
                phase, side = turn
                found = f.call(I32, f"@stuck_{phase}_{side}(ptr %position, ptr %world)")
                for following in sorted(named[turn]):
                    with f.when(f.compare("eq", I32, found, passing(following))):
                        field.put(f, str(following), frame)

    def _write_settle(self) -> None:
        """The mover in the position is the side that has just moved."""
        f = self._module.function("settle", "void", ["ptr %position", "ptr %world"])
        place = Place(f, POSITION)
        for phase, side in self._shared.turns(place):
            f.do(f"call i1 @ended_{phase}_{side}(ptr %position, ptr %world)")
        self._past.remember(place)
        f.give("void")

    def _write_stuck(self) -> None:
        f = self._module.function("stuck", "i32", ["ptr %position", "ptr %world"])
        for phase, side in self._shared.turns(Place(f, POSITION)):
            found = f.call(I32, f"@stuck_{phase}_{side}(ptr %position, ptr %world)")
            with f.when(f.compare("eq", I32, found, 0)):
                c.fail(f, WORLD, c.RULES_FAIL)
            ends = f.compare("sgt", I32, found, PASSES)
            f.give(f"i32 {f.select(ends, I32, found, PASSES)}")

    def _write_sequences_after(self) -> None:
        """The sequences that go on from a turn's last position, when the turn is finished."""
        parameters = ["ptr %position", "ptr %world", "i64 %which", "i64 %depth"]
        f = self._module.function("sequences_after", "internal i64", parameters)
        f.is_of_another_turn = True
        f.do("call void @finish(ptr %position, ptr %world, i64 %which)")
        f.give(f"i64 {f.call(I64, '@perft(ptr %position, ptr %world, i64 %depth)')}")

    def _write_step(self) -> None:
        """One move in each of many positions: `step(positions, world, picks, n)`.

        It ends with the first position in which there is no such move, or too little work allowed.
        """
        f = self._module.function(
            "step", "i64", ["ptr %positions", "ptr %world", "ptr %picks", "i64 %count"]
        )
        f.world = None
        with f.rounds(Word("%count")) as loop:
            c.allow_a_turn(f, WORLD)
            position = f.at(Address("%positions"), f.binary("mul", I64, loop.number, FRAME_BYTES))
            pick = f.get(I64, f.word_at(Address("%picks"), loop.number))
            made = f.call(I64, f"@pick(ptr {position}, ptr %world, i64 {pick})")
            with f.when(f.binary("or", I1, f.compare("eq", I64, made, 0), c.has_failed(f, WORLD))):
                f.give(f"i64 {f.binary('add', I64, loop.number, 1)}")
        f.give("i64 %count")

    def _write_perft(self) -> None:
        self._write_sequences_after()
        f = self._module.function("perft", "i64", ["ptr %position", "ptr %world", "i64 %depth"])
        with f.when(c.is_stopped(f, WORLD)):
            c.fail(f, WORLD, c.STOPPED)
            f.give("i64 0")
        c.refuse_deep(f, WORLD)
        c.allow_a_turn(f, WORLD)
        with f.when(f.compare("eq", I64, Word("%depth"), 0)):
            f.give("i64 1")
        with f.when(f.compare("ne", I32, self._layout.ended.get(f, POSITION), 0)):
            f.give("i64 0")
        with f.when(f.compare("eq", I64, Word("%depth"), 1)):
            count = f.call(I64, "@count(ptr %position, ptr %world)")
            with f.when(f.compare("ne", I64, count, 0)):
                f.give(f"i64 {count}")
            found = f.call(I32, "@stuck(ptr %position, ptr %world)")
            passes = f.compare("eq", I32, found, PASSES)
            f.give(f"i64 {f.convert('zext', I1, passes, I64)}")
        query = SearchCall(self._shared, f, mode=c.COUNTING_ON, left=MOST_WAYS, is_inner=True)
        query.set(c.DEPTH, f.binary("sub", I64, Word("%depth"), 1))
        query.run()
        some = query.get(c.FOUND)
        with f.when(f.compare("ne", I32, some, 0)):
            f.give(f"i64 {query.get(c.NODES)}")
        found = f.call(I32, "@stuck(ptr %position, ptr %world)")
        with f.when(f.compare("ne", I32, found, PASSES)):
            f.give("i64 0")
        after = f.room(FRAME_TYPE)
        f.copy(POSITION, after, FRAME_BYTES)
        f.do(f"call void @pass_on(ptr {after}, ptr %world)")
        less = f.binary("sub", I64, Word("%depth"), 1)
        f.give(f"i64 {f.call(I64, f'@perft(ptr {after}, ptr %world, i64 {less})')}")
