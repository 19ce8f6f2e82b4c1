"""The code of single calls: the moves of a position, one move made, sequences counted.

In: the searches of a game. Out: the functions that a binding calls; see `game_code`. What then
holds: they agree with interpreter/reference/rules.py, which says what each of them means.
"""

from __future__ import annotations

from interpreter.native.emit.ir import FRAME_BYTES, FRAME_TYPE, Function
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
        more = query.found(f.variable(FRAME_TYPE))
        with f.when(more):
            c.fail(f, "%world", c.RULES_FAIL)
        left = query.get(c.LEFT)
        f.give(f"i64 {f.ins(f'sub i64 {MOST_WAYS}, {left}')}")

    def _write_list(self, name: str, mode: int) -> None:
        """Write what puts all moves, or what they lead to, into a list, as far as there is room."""
        parameters = ["ptr %position", "ptr %world", "ptr %list", "i64 %size"]
        f = self._module.function(name, "i64", parameters)
        query = SearchCall(self._shared, f, mode=mode, left=MOST_WAYS)
        query.set(c.LIST, "%list")
        query.set(c.LIST_SIZE, "%size")
        query.run()
        f.give(f"i64 {query.get(c.LIST_USED)}")

    def _write_follow(self) -> None:
        """What comes of a completed way: `follow(record, world, which)` finishes its position."""
        f = self._module.function(
            "follow", "internal void", ["ptr %record", "ptr %world", "i64 %which"]
        )
        f.is_of_another_turn = True
        c.allow_a_turn(f, "%world")
        f.do("call void @finish(ptr %record, ptr %world, i64 %which)")
        keys = f.at(f.at("%record", FRAME_BYTES), c.FOLLOWER_HEAD)
        self._past.copy_newest(f, "%record", "%world", keys)
        f.give("void")

    def _make_found(self, f: Function, query: SearchCall) -> None:
        """Write that the move that a query finds is made, and return whether there is one."""
        out = f.variable(FRAME_TYPE)
        found = query.found(out)
        with f.when(found):
            make(self._shared, f, out)
        f.give(f"i64 {f.ins(f'zext i1 {found} to i64')}")

    def _write_make(self) -> None:
        parameters = ["ptr %position", "ptr %world", "ptr %decisions", "i64 %count"]
        f = self._module.function("make", "i64", parameters)
        query = SearchCall(self._shared, f, left=0)
        query.set(c.DECISIONS, "%decisions")
        query.set(c.DECISION_COUNT, "%count")
        self._make_found(f, query)

    def _write_pick(self) -> None:
        f = self._module.function("pick", "i64", ["ptr %position", "ptr %world", "i64 %number"])
        self._make_found(f, SearchCall(self._shared, f, shortcut=c.SETTLED, left="%number"))

    def _write_pass_on(self) -> None:
        f = self._module.function("pass_on", "void", ["ptr %position", "ptr %world"])
        frame = f.variable(FRAME_TYPE)
        f.do(f"call void @begin(ptr {frame}, ptr %position)")
        self._begin_phase(f, frame)
        make(self._shared, f, frame)
        f.give("void")

    def _begin_phase(self, f: Function, frame: str) -> None:
        """Write that the phase begins that is to follow a pass, if the rules name one."""
        system, phases = self._shared.program.system, self._shared.program.phases
        named = {
            (p, s): {e.phase for e in phases[p].turns[s].stuck if e.phase is not None}
            for p, s in self._shared.pairs
        }
        if system.phase is None or not any(named.values()):
            return
        field = self._layout.fields[system.phase]
        for turn in self._shared.turns(Place(f, "%position")):
            if named[turn]:
                phase, side = turn
                found = f.ins(f"call i32 @stuck_{phase}_{side}(ptr %position, ptr %world)")
                for following in sorted(named[turn]):
                    with f.when(f.ins(f"icmp eq i32 {found}, {passing(following)}")):
                        field.put(f, str(following), frame)

    def _write_settle(self) -> None:
        """The mover in the position is the side that has just moved."""
        f = self._module.function("settle", "void", ["ptr %position", "ptr %world"])
        place = Place(f, "%position")
        for phase, side in self._shared.turns(place):
            f.do(f"call i1 @ended_{phase}_{side}(ptr %position, ptr %world)")
        self._past.remember(place)
        f.give("void")

    def _write_stuck(self) -> None:
        f = self._module.function("stuck", "i32", ["ptr %position", "ptr %world"])
        for phase, side in self._shared.turns(Place(f, "%position")):
            found = f.ins(f"call i32 @stuck_{phase}_{side}(ptr %position, ptr %world)")
            with f.when(f.ins(f"icmp eq i32 {found}, 0")):
                c.fail(f, "%world", c.RULES_FAIL)
            ends = f.ins(f"icmp sgt i32 {found}, {PASSES}")
            f.give(f"i32 {f.ins(f'select i1 {ends}, i32 {found}, i32 {PASSES}')}")

    def _write_sequences_after(self) -> None:
        """The sequences that go on from a turn's last position, when the turn is finished."""
        parameters = ["ptr %position", "ptr %world", "i64 %which", "i64 %depth"]
        f = self._module.function("sequences_after", "internal i64", parameters)
        f.is_of_another_turn = True
        f.do("call void @finish(ptr %position, ptr %world, i64 %which)")
        f.give(f"i64 {f.ins('call i64 @perft(ptr %position, ptr %world, i64 %depth)')}")

    def _write_step(self) -> None:
        """One move in each of many positions: `step(positions, world, picks, n)`.

        It ends with the first position in which there is no such move, or too little work allowed.
        """
        f = self._module.function(
            "step", "i64", ["ptr %positions", "ptr %world", "ptr %picks", "i64 %count"]
        )
        f.world = ""
        with f.rounds("%count") as loop:
            c.allow_a_turn(f, "%world")
            position = f.at("%positions", f.ins(f"mul i64 {loop.number}, {FRAME_BYTES}"))
            pick = f.get("i64", f.word_at("%picks", loop.number))
            made = f.ins(f"call i64 @pick(ptr {position}, ptr %world, i64 {pick})")
            is_none = f.ins(f"icmp eq i64 {made}, 0")
            with f.when(f.ins(f"or i1 {is_none}, {c.has_failed(f, '%world')}")):
                f.give(f"i64 {f.ins(f'add i64 {loop.number}, 1')}")
        f.give("i64 %count")

    def _write_perft(self) -> None:
        self._write_sequences_after()
        f = self._module.function("perft", "i64", ["ptr %position", "ptr %world", "i64 %depth"])
        with f.unless(f.ins(f"icmp eq i64 {f.get('i64', '%world')}, 0")):
            c.fail(f, "%world", c.STOPPED)
            f.give("i64 0")
        c.refuse_deep(f, "%world")
        c.allow_a_turn(f, "%world")
        with f.when(f.ins("icmp eq i64 %depth, 0")):
            f.give("i64 1")
        ended = self._layout.ended.get(f, "%position")
        with f.when(f.ins(f"icmp ne i32 {ended}, 0")):
            f.give("i64 0")
        with f.when(f.ins("icmp eq i64 %depth, 1")):
            count = f.ins("call i64 @count(ptr %position, ptr %world)")
            with f.when(f.ins(f"icmp ne i64 {count}, 0")):
                f.give(f"i64 {count}")
            found = f.ins("call i32 @stuck(ptr %position, ptr %world)")
            passes = f.ins(f"icmp eq i32 {found}, {PASSES}")
            f.give(f"i64 {f.ins(f'zext i1 {passes} to i64')}")
        query = SearchCall(self._shared, f, mode=c.COUNTING_ON, left=MOST_WAYS, is_inner=True)
        query.set(c.DEPTH, f.ins("sub i64 %depth, 1"))
        query.run()
        some = query.get(c.FOUND)
        with f.when(f.ins(f"icmp ne i32 {some}, 0")):
            f.give(f"i64 {query.get(c.NODES)}")
        found = f.ins("call i32 @stuck(ptr %position, ptr %world)")
        with f.when(f.ins(f"icmp ne i32 {found}, {PASSES}")):
            f.give("i64 0")
        after = f.variable(FRAME_TYPE)
        f.copy("%position", after, FRAME_BYTES)
        f.do(f"call void @pass_on(ptr {after}, ptr %world)")
        less = f.ins("sub i64 %depth, 1")
        f.give(f"i64 {f.ins(f'call i64 @perft(ptr {after}, ptr %world, i64 {less})')}")
