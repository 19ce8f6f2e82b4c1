"""The code that plays: single moves, counts of sequences, and random games by the thousand.

In: the searches of a course. Out: the functions that a binding calls; see `course`. What then
holds: in a random game each legal complete move is equally likely, and the game with a number
depends on the seed and that number alone.

Random numbers are SplitMix64's (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
pseudorandom number generators", 2014); a number below n is the upper half of a product with n
(D. Lemire, "Fast random integer generation in an interval", 2019), even to within n/2^64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdl.optimise.weights import MOST_DRAWS
from interpreter.native import context as c
from interpreter.native.code import FRAME_BYTES, FRAME_TYPE, Function, copy_bytes
from interpreter.native.expressions import Place
from interpreter.native.tallies import TallyCode
from interpreter.reference.steps import MOST_WAYS

if TYPE_CHECKING:
    from interpreter.native.course import Course

NO_LIMIT = (1 << 63) - 1

GOLDEN = 0x9E3779B97F4A7C15
_MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_WORD_BYTES = 8
_MAIN = c.SCRATCH + 3 * c.SCRATCH_BYTES


class ManyMoves:
    """Writes the functions that play."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._module = course.module
        self._layout = course.layout

    def write(self) -> None:
        """Write all of them."""
        self._write_count()
        self._write_listed()
        self._write_make()
        self._write_pick()
        self._write_pass_on()
        self._write_settle()
        self._write_stuck()
        self._write_perft()
        self._write_random()
        self._write_next()
        self._write_draw()
        self._write_ply_listed()
        self._write_playout()
        self._write_playouts()
        self._write_step()

    def _function(self, name: str, result: str, parameters: list[str], *, public: bool) -> Function:
        linkage = "" if public else "internal "
        return self._module.function(name, linkage + result, parameters, "nounwind ")

    # --------------------------------------------------------------------- contexts

    def _context(self, f: Function, scratch: str, *, shortcut: int = c.NO_SHORTCUT) -> str:
        """Return a context for a search that looks for no way in particular yet."""
        context = f.variable(f"[{c.BYTES} x i8]")
        place = Place(f, "%position", "%world", {})
        self._course.fill(place, context, "%position", "%world", scratch)
        f.put("i64", str(NO_LIMIT), f.at(context, c.LEFT))
        f.put("i32", str(shortcut), f.at(context, c.SHORTCUT))
        return context

    def _search(self, f: Function, context: str) -> None:
        f.do(f"call i1 @search(ptr %position, ptr {context})")

    def _passed_over(self, f: Function, context: str) -> str:
        """Return how many ways a search has passed over that looked for none."""
        left = f.get("i64", f.at(context, c.LEFT))
        return f.ins(f"sub i64 {NO_LIMIT}, {left}")

    def _fail(self, f: Function, why: int) -> None:
        f.put("i64", str(why), f.at("%world", c.ERROR))

    def _has_failed(self, f: Function) -> str:
        return f.ins(f"icmp ne i64 {f.get('i64', f.at('%world', c.ERROR))}, 0")

    # ------------------------------------------------------------------ single calls

    def _write_count(self) -> None:
        f = self._function("count", "i64", ["ptr %position", "ptr %world"], public=True)
        context = self._context(f, f.at("%world", _MAIN), shortcut=c.SETTLED)
        self._search(f, context)
        many = self._passed_over(f, context)
        with f.when(f.ins(f"icmp sgt i64 {many}, {MOST_WAYS}")):
            self._fail(f, c.RULES_FAIL)
        f.give(f"i64 {many}")

    def _write_listed(self) -> None:
        f = self._function(
            "listed", "i64", ["ptr %position", "ptr %world", "ptr %list", "i64 %size"], public=True
        )
        context = self._context(f, f.at("%world", _MAIN))
        f.put("i32", str(c.LISTING), f.at(context, c.MODE))
        f.put("ptr", "%list", f.at(context, c.LIST))
        f.put("i64", "%size", f.at(context, c.LIST_SIZE))
        self._search(f, context)
        with f.when(f.ins(f"icmp sgt i64 {self._passed_over(f, context)}, {MOST_WAYS}")):
            self._fail(f, c.RULES_FAIL)
        f.give(f"i64 {f.get('i64', f.at(context, c.LIST_USED))}")

    def _found(self, f: Function, context: str, out: str) -> str:
        """Run a search, and make the move that it finds; return whether there is one (i1)."""
        f.put("ptr", out, f.at(context, c.OUT))
        self._search(f, context)
        return f.ins(f"icmp ne i32 {f.get('i32', f.at(context, c.FOUND))}, 0")

    def _finish(self, f: Function, frame: str, position: str = "%position") -> None:
        """Write what follows a turn, and put the position after it in place of that before."""
        which = self._course.which(Place(f, position, "%world", {}))
        f.do(f"call void @finish(ptr {frame}, ptr %world, i64 {which})")
        copy_bytes(self._module, f, frame, position, self._layout.state_bytes)

    def _write_make(self) -> None:
        f = self._function(
            "make",
            "i64",
            ["ptr %position", "ptr %world", "ptr %decisions", "i64 %many"],
            public=True,
        )
        context = self._context(f, f.at("%world", _MAIN))
        f.put("i64", "0", f.at(context, c.LEFT))
        f.put("ptr", "%decisions", f.at(context, c.GIVEN))
        f.put("i64", "%many", f.at(context, c.GIVEN_COUNT))
        out = f.variable(FRAME_TYPE)
        found = self._found(f, context, out)
        with f.when(found):
            self._finish(f, out)
        f.give(f"i64 {f.ins(f'zext i1 {found} to i64')}")

    def _write_pick(self) -> None:
        f = self._function(
            "pick", "i64", ["ptr %position", "ptr %world", "i64 %number"], public=True
        )
        context = self._context(f, f.at("%world", _MAIN), shortcut=c.SETTLED)
        f.put("i64", "%number", f.at(context, c.LEFT))
        out = f.variable(FRAME_TYPE)
        found = self._found(f, context, out)
        with f.when(found):
            self._finish(f, out)
        f.give(f"i64 {f.ins(f'zext i1 {found} to i64')}")

    def _write_pass_on(self) -> None:
        f = self._function("pass_on", "void", ["ptr %position", "ptr %world"], public=True)
        frame = f.variable(FRAME_TYPE)
        f.do(f"call void @begin(ptr {frame}, ptr %position)")
        self._finish(f, frame)
        f.give("void")

    def _write_settle(self) -> None:
        """The mover in the position is the side that has just moved."""
        f = self._function("settle", "void", ["ptr %position", "ptr %world"], public=True)
        place = Place(f, "%position", "%world", {})
        after = f.new_label()
        for phase, side, label in self._course.switch(f, self._course.which(place)):
            f.label(label)
            f.do(f"call i32 @ended_{phase}_{side}(ptr %position, ptr %world)")
            f.jump(after)
        f.label(after)
        self._course.past.remember(place)
        f.give("void")

    def _write_stuck(self) -> None:
        f = self._function("stuck", "i32", ["ptr %position", "ptr %world"], public=True)
        which = self._course.which(Place(f, "%position", "%world", {}))
        for phase, side, label in self._course.switch(f, which):
            f.label(label)
            found = f.ins(f"call i32 @stuck_{phase}_{side}(ptr %position, ptr %world)")
            with f.when(f.ins(f"icmp eq i32 {found}, 0")):
                self._fail(f, c.RULES_FAIL)
            f.give(f"i32 {found}")

    def _write_step(self) -> None:
        """One move in each of many positions: `step(positions, world, picks, n)`."""
        f = self._function(
            "step", "i64", ["ptr %positions", "ptr %world", "ptr %picks", "i64 %many"], public=True
        )
        number = f.variable("i64")
        f.put("i64", "0", number)
        head, inside, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", number)
        f.branch(f.ins(f"icmp slt i64 {now}, %many"), inside, done)
        f.label(inside)
        position = f.at("%positions", f.ins(f"mul i64 {now}, {FRAME_BYTES}"))
        pick = f.get("i64", f.ins(f"getelementptr i64, ptr %picks, i64 {now}"))
        made = f.ins(f"call i64 @pick(ptr {position}, ptr %world, i64 {pick})")
        f.put("i64", f.ins(f"add i64 {now}, 1"), number)
        f.branch(f.ins(f"icmp eq i64 {made}, 0"), done, head)
        f.label(done)
        f.give(f"i64 {f.get('i64', number)}")

    # ------------------------------------------------------------------------ perft

    def _write_perft(self) -> None:
        f = self._function(
            "perft", "i64", ["ptr %position", "ptr %world", "i64 %depth"], public=True
        )
        with f.when(f.ins(f"icmp eq i64 {f.get('i64', '%world')}, 0")):
            f.jump(ready := f.new_label())
        self._fail(f, c.STOPPED)
        f.give("i64 0")
        f.label(ready)
        with f.when(f.ins("icmp eq i64 %depth, 0")):
            f.give("i64 1")
        ended = f.get("i32", f.at("%position", self._layout.ended.offset))
        with f.when(f.ins(f"icmp ne i32 {ended}, 0")):
            f.give("i64 0")
        with f.when(f.ins("icmp eq i64 %depth, 1")):
            many = f.ins("call i64 @count(ptr %position, ptr %world)")
            with f.when(f.ins(f"icmp ne i64 {many}, 0")):
                f.give(f"i64 {many}")
            found = f.ins("call i32 @stuck(ptr %position, ptr %world)")
            passes = f.ins(f"icmp eq i32 {found}, -1")
            f.give(f"i64 {f.ins(f'zext i1 {passes} to i64')}")
        scratch = f.variable(f"[{c.SCRATCH_BYTES} x i8]")
        context = self._context(f, scratch)
        f.put("i32", str(c.COUNTING_ON), f.at(context, c.MODE))
        f.put("i64", f.ins("sub i64 %depth, 1"), f.at(context, c.DEPTH))
        self._search(f, context)
        some = f.get("i32", f.at(context, c.FOUND))
        with f.when(f.ins(f"icmp ne i32 {some}, 0")):
            f.give(f"i64 {f.get('i64', f.at(context, c.NODES))}")
        found = f.ins("call i32 @stuck(ptr %position, ptr %world)")
        with f.when(f.ins(f"icmp ne i32 {found}, -1")):
            f.give("i64 0")
        after = f.variable(FRAME_TYPE)
        copy_bytes(self._module, f, "%position", after, FRAME_BYTES)
        f.do(f"call void @pass_on(ptr {after}, ptr %world)")
        less = f.ins("sub i64 %depth, 1")
        f.give(f"i64 {f.ins(f'call i64 @perft(ptr {after}, ptr %world, i64 {less})')}")

    # ----------------------------------------------------------------- random games

    def _write_random(self) -> None:
        """`random_below(state, n)`: the next random number below n."""
        f = self._function("random_below", "i64", ["ptr %random", "i64 %below"], public=False)
        state = f.ins(f"add i64 {f.get('i64', '%random')}, {GOLDEN}")
        f.put("i64", state, "%random")
        f.give(f"i64 {_scaled(f, mix(f, state), '%below')}")

    def _write_next(self) -> None:
        """`next_below(state, n)`: the next random number below n, for moves made in place.

        Where all moves are, the word that it is made of was mixed before, and lies behind the
        state; the one that follows is mixed while the number is still being waited for.
        """
        f = self._function("next_below", "i64", ["ptr %random", "i64 %below"], public=False)
        f.inline()
        if not self._mixes_ahead:
            f.give("i64 " + f.ins("call i64 @random_below(ptr %random, i64 %below)"))
            return
        word = f.get("i64", f.at("%random", _WORD_BYTES))
        state = f.ins(f"add i64 {f.get('i64', '%random')}, {GOLDEN}")
        f.put("i64", state, "%random")
        self._mix_ahead(f, state, "%random")
        f.give(f"i64 {_scaled(f, word, '%below')}")

    @property
    def _mixes_ahead(self) -> bool:
        return len(self._course.plain) == len(self._course.pairs)

    def _mix_ahead(self, f: Function, state: str, random: str) -> None:
        """Write that the word after a state is put behind it, if that is of use."""
        if self._mixes_ahead:
            word = mix(f, f.ins(f"add i64 {state}, {GOLDEN}"))
            f.put("i64", word, f.at(random, _WORD_BYTES))

    def _write_draw(self) -> None:
        """`draw(position, world, random, out)`: the frame of a random move; 0 if there is none.

        In plain turns so many ways have been drawn before that now all are tried.
        """
        f = self._function(
            "draw",
            "i64",
            ["ptr %position", "ptr %world", "ptr %random", "ptr %out"],
            public=False,
        )
        which = self._course.which(Place(f, "%position", "%world", {}))
        context = self._context(f, f.at("%world", _MAIN))
        for phase, side, label in self._course.switch(f, which):
            f.label(label)
            turn = self._course.turn(phase, side)
            if turn.draws_likely and (phase, side) not in self._course.plain:
                self._draw_likely(f, context)
            self._draw_listed(f, context)

    def _again(self, f: Function, context: str, shortcut: int, left: str) -> None:
        f.put("i32", str(shortcut), f.at(context, c.SHORTCUT))
        f.put("i64", left, f.at(context, c.LEFT))
        f.put("i32", "0", f.at(context, c.FOUND))
        f.put("i32", "0", f.at(context, c.KEEPING))
        f.put("i32", "0", f.at(context, c.DESCENDING))
        f.put("i64", "0", f.at(context, c.DESCENT))

    def _draw_listed(self, f: Function, context: str) -> None:
        self._again(f, context, c.SETTLED, str(NO_LIMIT))
        self._search(f, context)
        many = self._passed_over(f, context)
        with f.when(f.ins(f"icmp eq i64 {many}, 0")):
            f.give("i64 0")
        number = f.ins(f"call i64 @random_below(ptr %random, i64 {many})")
        self._again(f, context, c.SETTLED, number)
        found = self._found(f, context, "%out")
        f.give(f"i64 {f.ins(f'zext i1 {found} to i64')}")

    def _draw_likely(self, f: Function, context: str) -> None:
        """Draw among ways of which some may fail, until one does not, if that comes soon."""
        self._again(f, context, c.LIKELY, str(NO_LIMIT))
        self._search(f, context)
        many = self._passed_over(f, context)
        with f.when(f.ins(f"icmp eq i64 {many}, 0")):
            f.give("i64 0")
        tries = f.variable("i64")
        f.put("i64", "0", tries)
        head, inside, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", tries)
        failed = self._has_failed(f)
        few = f.ins(f"icmp ult i64 {now}, {MOST_DRAWS}")
        f.branch(f.ins(f"and i1 {few}, {f.ins(f'xor i1 {failed}, true')}"), inside, done)
        f.label(inside)
        f.put("i64", f.ins(f"add i64 {now}, 1"), tries)
        number = f.ins(f"call i64 @random_below(ptr %random, i64 {many})")
        self._again(f, context, c.LIKELY, number)
        found = self._found(f, context, "%out")
        stop = f.new_label()
        f.branch(found, stop, head)
        f.label(stop)
        f.give("i64 1")
        f.label(done)

    def _write_playout(self) -> None:
        """`playout(position, world, random, plies)`: the number of moves made."""
        parameters = ["ptr %position", "ptr %world", "ptr %random", "i64 %plies"]
        f = self._function("playout", "i64", parameters, public=True)
        joins = self._course.joins
        if joins.bytes:
            joins.use(f, f.variable(f"[{joins.bytes} x i8]"))
        self._course.keep_all(Place(f, "%position", "%world", {}))
        made = f.ins("call i64 @play_on(ptr %position, ptr %world, ptr %random, i64 %plies)")
        f.give(f"i64 {made}")
        self._write_play_on(
            self._module.function("play_on", "internal i64", parameters, "nounwind noinline ")
        )

    def _write_play_on(self, f: Function) -> None:
        """Write a random game from a position with what is kept beside it."""
        made, own, random = f.variable("i64"), f.variable(FRAME_TYPE), f.variable("[2 x i64]")
        f.put("i64", "0", made)
        undrawn = f.at(own, self._layout.undrawn.offset)
        pools, counts = "null", "null"
        if self._course.pools.bytes:
            pools = f.variable(f"[{self._course.pools.bytes} x i8]")
            counts = f.variable(f"[{self._course.pools.count_bytes} x i8]")
        f.put("i8", "0", undrawn)

        def enter() -> None:
            """Go on with a copy that nobody else sees, so that it may live in registers."""
            copy_bytes(self._module, f, "%position", own, self._layout.kept_bytes)
            state = f.get("i64", "%random")
            f.put("i64", state, random)
            self._mix_ahead(f, state, random)
            self._course.pools.fill(Place(f, own, "%world", {}), pools, counts)

        def leave() -> None:
            for offset, size in self._layout.kept_parts(self._course.unread):
                source, target = f.at(own, offset), f.at("%position", offset)
                copy_bytes(self._module, f, source, target, size)
            f.put("i64", f.get("i64", random), "%random")

        enter()
        head, going, over, outside = (f.new_label() for _ in range(4))
        f.label(head)
        ended = f.get("i32", f.at(own, self._layout.ended.offset))
        stop = f.get("i64", "%world")
        with f.when(f.ins(f"icmp ne i64 {stop}, 0")):
            self._fail(f, c.STOPPED)
        failed = self._has_failed(f)
        is_over = f.ins(f"or i1 {f.ins(f'icmp ne i32 {ended}, 0')}, {failed}")
        f.branch(is_over, over, going)
        f.label(going)
        now = f.get("i64", made)
        last, goes_on, move, none, listed = (f.new_label() for _ in range(5))
        f.branch(f.ins(f"icmp slt i64 {now}, %plies"), goes_on, last)
        f.label(goes_on)
        which = self._course.which(Place(f, own, "%world", {}))
        for phase, side, label in self._course.switch(f, which):
            f.label(label)
            if (phase, side) not in self._course.plain:
                f.jump(listed)
                continue
            values = (own, "%world", random, pools, counts, "%position")
            given = ", ".join(f"ptr {value}" for value in values)
            found = f.ins(f"call i1 @ply_{phase}_{side}({given})")
            f.branch(found, move, none)
        f.label(move)
        f.put("i64", f.ins(f"add i64 {now}, 1"), made)
        f.jump(head)
        f.label(none)
        given_up = f.ins(f"icmp ne i8 {f.get('i8', undrawn)}, 0")
        leave()
        f.put("i8", "0", undrawn)
        nowhere = f.new_label()
        f.branch(given_up, outside, nowhere)
        f.label(listed)
        leave()
        f.label(outside)
        found = f.ins("call i1 @ply_listed(ptr %position, ptr %world, ptr %random)")
        made_outside = f.new_label()
        f.branch(found, made_outside, nowhere)
        f.label(made_outside)
        enter()
        f.jump(move)
        f.label(nowhere)
        finished = f.new_label()
        self._ended_if(f, self._has_failed(f), finished)
        clause = f.ins("call i32 @stuck(ptr %position, ptr %world)")
        self._ended_if(f, f.ins(f"icmp ne i32 {clause}, -1"), finished)
        f.do("call void @pass_on(ptr %position, ptr %world)")
        enter()
        f.jump(move)
        f.label(over)
        leave()
        f.jump(finished)
        f.label(last)
        leave()
        many = f.ins("call i64 @count(ptr %position, ptr %world)")
        self._ended_if(f, f.ins(f"icmp ne i64 {many}, 0"), finished)
        self._ended_if(f, self._has_failed(f), finished)
        f.do("call i32 @stuck(ptr %position, ptr %world)")
        f.label(finished)
        f.give(f"i64 {f.get('i64', made)}")

    def _write_ply_listed(self) -> None:
        """`ply_listed(position, world, random)`: a random move found by search."""
        f = self._function(
            "ply_listed", "i1", ["ptr %position", "ptr %world", "ptr %random"], public=False
        )
        frame = f.variable(FRAME_TYPE)
        found = f.ins(f"call i64 @draw(ptr %position, ptr %world, ptr %random, ptr {frame})")
        with f.when(f.ins(f"icmp eq i64 {found}, 0")):
            f.give("i1 false")
        self._finish(f, frame)
        self._course.keep_all(Place(f, "%position", "%world", {}))
        f.give("i1 true")

    def _ended_if(self, f: Function, condition: str, over: str) -> None:
        go_on = f.new_label()
        f.branch(condition, over, go_on)
        f.label(go_on)

    def _write_playouts(self) -> None:
        f = self._function(
            "playouts",
            "i64",
            [
                "ptr %position",
                "ptr %world",
                "i64 %first",
                "i64 %many",
                "i64 %seed",
                "i64 %plies",
                "ptr %tally",
            ],
            public=True,
        )
        number, random, own = f.variable("i64"), f.variable("i64"), f.variable(FRAME_TYPE)
        f.put("i64", "0", number)
        tally = TallyCode(self._course, f, "%tally")
        tally.begin()
        joins = self._course.joins
        trees, first_trees = "", ""
        if joins.bytes:
            trees = f.variable(f"[{joins.bytes} x i8]")
            first_trees = f.variable(f"[{joins.bytes} x i8]")
            joins.use(f, first_trees)
        self._course.keep_all(Place(f, "%position", "%world", {}))
        head, inside, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", number)
        f.branch(f.ins(f"icmp slt i64 {now}, %many"), inside, done)
        f.label(inside)
        copy_bytes(self._module, f, "%position", own, self._layout.kept_bytes)
        if joins.bytes:
            joins.copy(f, first_trees, trees)
            joins.use(f, trees)
        place = f.ins(f"add i64 {f.ins(f'add i64 %first, {now}')}, 1")
        start = f.ins(f"add i64 %seed, {f.ins(f'mul i64 {place}, {GOLDEN}')}")
        f.put("i64", mix(f, start), random)
        moves = f.ins(f"call i64 @play_on(ptr {own}, ptr %world, ptr {random}, i64 %plies)")
        with f.when(self._has_failed(f)):
            copy_bytes(self._module, f, own, "%position", self._layout.state_bytes)
            tally.write_back()
            f.give(f"i64 {now}")
        tally.count(own, moves)
        f.put("i64", f.ins(f"add i64 {now}, 1"), number)
        f.jump(head)
        f.label(done)
        tally.write_back()
        f.give(f"i64 {f.get('i64', number)}")


def _scaled(f: Function, word: str, below: str) -> str:
    """Write that a random word is scaled to a number below another; return the register (i64)."""
    factors = [f.ins(f"zext i64 {factor} to i128") for factor in (word, below)]
    product = f.ins(f"mul i128 {', '.join(factors)}")
    return f.ins(f"trunc i128 {f.ins(f'lshr i128 {product}, 64')} to i64")


def mix(f: Function, state: str) -> str:
    """Write SplitMix64's mixing of a state; return the register (i64)."""
    for shift, factor in _MIX:
        state = f.ins(f"xor i64 {state}, {f.ins(f'lshr i64 {state}, {shift}')}")
        state = f.ins(f"mul i64 {state}, {factor}")
    return f.ins(f"xor i64 {state}, {f.ins(f'lshr i64 {state}, 31')}")
