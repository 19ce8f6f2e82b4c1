"""The code of a game's course: what turns lead to, how the game ends, and many moves at once.

In: a program. Out: a module with the functions below, for a binding to call. What then holds:
they agree with interpreter/reference/rules.py, which says what each of them means.

All take the address of a position (with room for a frame) and that of the world; those that can
fail leave the reason in the world.

| function | gives |
|---|---|
| `count(position, world)` | the number of legal moves |
| `listed(position, world, list, size)` | the size of the list of legal moves, put into the list |
| `make(position, world, decisions, n)` | 1 if the turn with these decisions is completed: made |
| `pick(position, world, k)` | 1 if there is a k-th legal move: made |
| `pass_on(position, world)` | nothing: a side without a move has passed |
| `settle(position, world)` | nothing: the endings of the side before are tried |
| `stuck(position, world)` | -1: the side may pass; else the clause (0: none) that ends the game |
| `perft(position, world, depth)` | the number of sequences of moves |
| `playouts(position, world, first, n, seed, plies, tally)` | how many random games were made |
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from gdl.core.nodes import Can, Ending, Get, Program, Slot, Times
from gdl.core.types import SITES
from gdl.core.walk import changed_slots, slots_of
from gdl.optimise.weights import After, Weights, weights_after
from interpreter.native import context as c
from interpreter.native.alike import are_alike
from interpreter.native.arrays import ArraySets
from interpreter.native.bounds import Bounds
from interpreter.native.choices import CHOICES, RAILS, ROWS, TREES
from interpreter.native.code import (
    FRAME_BYTES,
    FRAME_TYPE,
    WORD,
    Function,
    Module,
    clear_bytes,
    copy_bytes,
    width_of,
)
from interpreter.native.expressions import Expressions, Place, is_dear
from interpreter.native.joins import Join, Joins
from interpreter.native.layout import Layout
from interpreter.native.many import ManyMoves
from interpreter.native.newest import (
    Changes,
    Kept,
    kept_conditions,
    only_gains,
    replaced,
    with_flags,
)
from interpreter.native.past import Past
from interpreter.native.plies import Plain, PlyCode, plain
from interpreter.native.pools import Pools
from interpreter.native.rails import Rails
from interpreter.native.ranges import Range, Ranges, Uncovered
from interpreter.native.sets import RegisterSets
from interpreter.native.turns import TurnCode, Words
from interpreter.native.unread import unread_layers
from interpreter.native.values import Flag, Number, Sites

_MOST_INLINED = 200


def _is_joined(kept: Kept, set_bits: int, choices: AbstractSet[str]) -> bool:
    """Return whether a condition is decided by trees or rails beside the position."""
    if isinstance(kept.join, Join):
        return TREES in choices and set_bits > 2 * WORD
    return isinstance(kept.join, Rails) and RAILS in choices


MOST_REGISTER_SITES = 600
MOST_ARRAY_SITES = (1 << 15) - 1


class Course:
    """Writes the whole module of a game; `clauses` are its endings by number."""

    def __init__(
        self,
        program: Program,
        size: int,
        site_names: Sequence[str],
        sides: int,
        proven: frozenset[Slot] = frozenset(),
        has_deposit: bool = False,
        choices: AbstractSet[str] = frozenset(CHOICES),
        original: Program | None = None,
        checked: bool = False,
        most_register_sites: int = MOST_REGISTER_SITES,
    ) -> None:
        """Write the code in the ways that `choices` name. Raises Uncovered.

        Random moves are drawn by the bounds of the `original` program, before most optimisation.
        On boards of more than `most_register_sites`, sets are arrays in memory.
        """
        self.program = program
        self._original = program if original is None else original
        self.module = Module()
        self.sets = RegisterSets(self.module, size)
        if size > most_register_sites:
            if size > MOST_ARRAY_SITES:
                raise Uncovered(f"a board of more than {MOST_ARRAY_SITES:,} sites")
            self.sets = ArraySets(self.module, size, Bounds(program, size))
            choices = frozenset()
        self.sets.has_deposit = has_deposit
        self.ranges = Ranges(program, size)
        self._known_weights: dict[tuple[int, int], After] = {}
        kept = choices - {ROWS} if self.sets.floods_by_site else choices
        self._kept = kept_conditions(program, size, kept)
        self._joined = tuple(
            kept
            for kept in self._kept
            if _is_joined(kept, self.sets.bits, choices) and only_gains(program, kept.layer)
        )
        joins = tuple(kept.join for kept in self._joined if kept.join is not None)
        self.joins = Joins(self.module, size, joins)
        flags = tuple(kept.slot for kept in self._kept)
        self.layout = Layout(program, self.ranges, size, self.sets.bits, flags)
        self.expressions = Expressions(
            self.sets,
            self.layout,
            self.ranges,
            self._can,
            self._times,
            choices,
            checked=checked,
        )
        self.words = Words()
        self.sides = sides
        self._site_names = site_names
        self._proven = proven
        self.past = Past(self.module, self.expressions, self.layout, program.memories)
        self._cans: dict[int, tuple[Can, int]] = {}
        self.clauses: list[Ending] = []
        self._ended_alike: dict[tuple[object, ...], str] = {}
        self._flags = self._kept
        self._quick: dict[tuple[int, int], tuple[Ending, ...]] = {}
        self._turns: dict[tuple[int, int, bool], TurnCode] = {}
        self.pairs = [(p, s) for p in range(len(program.phases)) for s in range(sides)]
        for phase, side in self.pairs:
            self._write_turn(phase, side, False)
        self.plain = self._plain_turns()
        choices_of_plain = (way.choice for turn in self.plain.values() for way in turn.ways)
        self.pools = Pools(self.module, self.sets, self.expressions, choices_of_plain)
        for phase, side in self.pairs:
            turn = program.phases[phase].turns[side]
            self._write_endings(phase, side, turn.endings, "ended")
            self._write_endings(phase, side, turn.stuck, "stuck")
            if (phase, side) in self.plain:
                self._write_quick_endings(phase, side, turn.endings)
        self.unread = self._unread_layers()
        self._write_begin()
        self._write_finish()
        self._write_search("search", False)
        if self._cans:
            for phase, side in self.pairs:
                self._write_turn(phase, side, True)
            self._write_search("search_blind", True)
        self._write_plies()
        if self.plain and self._kept:
            self._write_keep()
        ManyMoves(self).write()
        self._write_looked_for_any()
        if self.sets.floods_by_site:
            self._write_copy()

    @property
    def text(self) -> str:
        """The module's text."""
        return self.module.text(self.layout.frame_bytes)

    # ------------------------------------------------------------------- the parts

    def _times(self, p: Place, node: Times) -> Number:
        return self.past.times(p, node)

    def _write_turn(self, phase: int, side: int, is_blind: bool) -> None:
        block = self.program.phases[phase].turns[side].program
        system = self.program.system
        fixed = {*self.program.state, system.following, system.best}
        for (p, s, blind), known in self._turns.items():
            other = self.program.phases[p].turns[s].program
            if blind == is_blind and are_alike(block, other, fixed):
                self._turns[phase, side, is_blind] = known
                return
        name = f"{'blind' if is_blind else 'turn'}_{phase}_{side}"
        code = TurnCode(
            self.module,
            self.expressions,
            self.layout,
            self.words,
            name,
            self.program.phases[phase].turns[side].program,
            self._site_names,
            self.program.system.best,
            self._proven,
            is_blind,
            self._weights(phase, side),
        )
        code.write(f"{name}_completed")
        self._turns[phase, side, is_blind] = code
        self._write_completed(code, is_blind)

    def _weights(self, phase: int, side: int) -> After:
        """Return the bounds that random moves of a turn are drawn by."""
        key = (phase, side)
        if key not in self._known_weights:
            original = self._original.phases[phase].turns[side].program
            after = Weights(original, self.sets.size).after
            block = self.program.phases[phase].turns[side].program
            self._known_weights[key] = weights_after(block, after)
        return self._known_weights[key]

    def _place(self, f: Function, frame: str = "%frame", world: str = "%world") -> Place:
        return Place(f, frame, world, {})

    def _write_endings(self, phase: int, side: int, endings: tuple[Ending, ...], what: str) -> None:
        """Write the function that tries clauses in order and gives the number of one that holds.

        Of a clause by which the side passes, it gives -1; a clause that ends the game is put
        into the position.
        """
        f = self.module.function(
            f"{what}_{phase}_{side}", "internal i32", ["ptr %frame", "ptr %world"], "nounwind "
        )
        known = self._ended_alike.setdefault((endings, *(e.span for e in endings)), f.name)
        if known != f.name:
            f.give("i32 " + f.ins(f"call i32 @{known}(ptr %frame, ptr %world)"))
            f.inline()
            return
        p = self._place(f)
        for ending in endings:
            self.clauses.append(ending)
            self._clause(p, ending, len(self.clauses))
        f.give("i32 0")

    def _write_quick_endings(self, phase: int, side: int, endings: tuple[Ending, ...]) -> None:
        """Write the same function over what is kept and over pools, if that is worth it."""
        kept = with_flags(self._flags)
        known = kept | self.pools.conditions
        quick = tuple(replace(e, condition=replaced(e.condition, known)) for e in endings)
        if quick == endings or (not kept and any(is_dear(e.condition) for e in quick)):
            return
        self._quick[phase, side] = quick
        f = self.module.function(
            f"quick_ended_{phase}_{side}",
            "internal i32",
            ["ptr %frame", "ptr %world", "ptr %counts"],
            "nounwind ",
        )
        p = Place(f, "%frame", "%world", dict(self.pools.flags(f, "%counts")))
        for ending, original in zip(quick, endings, strict=True):
            self._clause(p, ending, self._number_of(original))
        f.give("i32 0")
        if f.length <= _MOST_INLINED:
            f.inline()

    def _unread_layers(self) -> frozenset[Slot]:
        """The layers that random moves in place never look at."""
        if self.sets.bits <= WORD or isinstance(self.sets, ArraySets) or self.program.memories:
            return frozenset()
        phases = self.program.phases
        endings = [self._quick.get(key, phases[key[0]].turns[key[1]].endings) for key in self.plain]
        plain_turns = tuple(self.plain.values())
        state = self.program.state
        return unread_layers(state, plain_turns, self.pools, self._kept, self._joined, endings)

    def _number_of(self, ending: Ending) -> int:
        for number, known in enumerate(self.clauses, 1):
            if known == ending and known.span == ending.span:
                return number
        raise ValueError("an ending without a number")

    def _clause(self, p: Place, ending: Ending, number: int) -> None:
        f = p.f
        holds, after = f.new_label(), f.new_label()
        f.branch(self.expressions.flag(p, ending.condition), holds, after)
        f.label(holds)
        if ending.kind == "passes":
            f.give("i32 -1")
            f.label(after)
            return
        everyone = (1 << self.sides) - 1
        if ending.kind in ("highest", "lowest"):
            winners = self._extreme(p, ending, after)
            if ending.inverted:
                winners = f.ins(f"xor i32 {winners}, {everyone}")
        else:
            named = sum(1 << side for side in set(ending.sides))
            masks = {"wins": named, "loses": everyone & ~named}
            winners = str(masks.get(ending.kind, 0))
        f.put("i32", winners, f.at(p.frame, self.layout.winners.offset))
        f.put("i32", str(number), f.at(p.frame, self.layout.ended.offset))
        f.give(f"i32 {number}")
        f.label(after)

    def _extreme(self, p: Place, ending: Ending, shared: str) -> str:
        """Return the bit (i32) of the side with the greatest or least value.

        Goes on at `shared` where several have it.
        """
        f = p.f
        values = [self.expressions.number(p, value) for value in ending.values]
        both = Range(values[0].low, values[0].high, values[0].denominator)
        for value in values[1:]:
            both = both.hull(Range(value.low, value.high, value.denominator))
        bits = width_of(both.low, both.high)
        registers = [self.expressions.to_range(f, value, both) for value in values]
        test = "sgt" if ending.kind == "highest" else "slt"
        best, winner, several = registers[0], "1", "false"
        for side, register in enumerate(registers[1:], 1):
            better = f.ins(f"icmp {test} i{bits} {register}, {best}")
            same = f.ins(f"icmp eq i{bits} {register}, {best}")
            several = f.ins(f"or i1 {several}, {same}")
            several = f.ins(f"select i1 {better}, i1 false, i1 {several}")
            winner = f.ins(f"select i1 {better}, i32 {1 << side}, i32 {winner}")
            best = f.ins(f"select i1 {better}, i{bits} {register}, i{bits} {best}")
        alone = f.new_label()
        f.branch(several, shared, alone)
        f.label(alone)
        return winner

    def which(self, p: Place) -> str:
        """Return the number (i64) of phase and side on turn."""
        f = p.f
        system = self.program.system
        mover = self.expressions.number(p, Get(system.mover)).register
        if system.phase is None:
            return mover
        phase = self.expressions.number(p, Get(system.phase)).register
        return f.ins(f"add i64 {f.ins(f'mul i64 {phase}, {self.sides}')}, {mover}")

    def switch(self, f: Function, which: str) -> list[tuple[int, int, str]]:
        """Go on by phase and side; return the label of each."""
        cases = [(phase, side, f.new_label()) for phase, side in self.pairs]
        nowhere = f.new_label()
        listed = " ".join(f"i64 {i}, label %{label}" for i, (_, _, label) in enumerate(cases))
        f.do(f"switch i64 {which}, label %{nowhere} [{listed}]")
        f.is_open = False
        f.label(nowhere)
        f.do("unreachable")
        f.is_open = False
        return cases

    def _write_copy(self) -> None:
        """`copy_other_parts(target, source)`: all of a frame but its sets."""
        f = self.module.function(
            "copy_other_parts", "internal void", ["ptr %target", "ptr %source"], "nounwind "
        )
        for offset, size in self.layout.other_parts():
            copy_bytes(self.module, f, f.at("%source", offset), f.at("%target", offset), size)
        f.give("void")

    def _write_begin(self) -> None:
        """A frame of a turn that is about to begin."""
        f = self.module.function(
            "begin", "internal void", ["ptr %frame", "ptr %position"], "nounwind "
        )
        size = self.layout.state_bytes
        copy_bytes(self.module, f, "%position", "%frame", size)
        clear_bytes(self.module, f, f.at("%frame", size), f"sub (i64 {FRAME_BYTES}, i64 {size})")
        following = self.program.system.following
        field = self.layout.fields[following]
        f.put(field.type, "-1", f.at("%frame", field.offset))
        self.expressions.checks.begin(f, "%frame")
        f.give("void")

    def _write_finish(self) -> None:
        """What follows when a turn's program has run: `finish(frame, world, which)`."""
        f = self.module.function(
            "finish", "internal void", ["ptr %frame", "ptr %world", "i64 %which"], "nounwind "
        )
        p = self._place(f)
        self.expressions.checks.end(f, "%frame", "%world")
        said = f.get("i32", f.at("%frame", self.layout.said.offset))
        passed = f.ins(f"icmp ult i32 {said}, 2")
        after = f.new_label()
        for phase, side, label in self.switch(f, "%which"):
            f.label(label)
            self.finish(p, phase, side, passed)
            f.jump(after)
        f.label(after)
        f.give("void")

    def keep_all(self, p: Place) -> None:
        """Write that all conditions that are kept are worked out."""
        if self.plain and self._kept:
            p.f.do(f"call void @keep(ptr {p.frame}, ptr {p.world})")

    def _write_keep(self) -> None:
        """`keep(position, world)`: work out the conditions that are kept beside a position."""
        f = self.module.function(
            "keep", "internal void", ["ptr %frame", "ptr %world"], "nounwind noinline "
        )
        p = self._place(f)
        for kept in self._kept:
            self.expressions.write(p, kept.slot, Flag(self._worked_out(p, kept)))
        f.give("void")

    def _worked_out(self, p: Place, kept: Kept) -> str:
        """Write that a condition is worked out, and the trees of its layer are built."""
        if kept not in self._joined:
            return self.expressions.flag(p, kept.condition)
        f = p.f
        number = self._joined.index(kept)
        self.joins.clear_one(f, number)
        result = f.variable("i1")
        f.put("i1", "false", result)
        loop = self.sets.each(f, self.expressions.sites(p, Get(kept.layer)))
        here = self.joins.add(f, number, loop.index)
        f.put("i1", f.ins(f"or i1 {f.get('i1', result)}, {here}"), result)
        loop.end()
        return f.get("i1", result)

    def _keep_after(self, p: Place, done: Changes) -> None:
        """Write what a way has done to the conditions that are kept."""
        f = p.f
        for kept in self._kept:
            newest = [site for layer, site in done.added if layer is kept.layer]
            if kept.condition.free & done.changed:
                holds = self._worked_out(p, kept)
            elif newest:
                holds = self.expressions.flag(p, Get(kept.slot))
                for site in newest:
                    here = self._with_newest(p, kept, site)
                    holds = f.ins(f"or i1 {holds}, {here}")
            else:
                continue
            self.expressions.write(p, kept.slot, Flag(holds))

    def _with_newest(self, p: Place, kept: Kept, site: Slot) -> str:
        """Write what one more site of its layer does to a condition."""
        value = self.expressions.value(p, Get(site))
        if kept in self._joined:
            assert isinstance(value, Sites), "the newest is a site"
            index = self.sets.index(p.f, value)
            return self.joins.add(p.f, self._joined.index(kept), index)
        return self.expressions.flag(p.binding(kept.newest, value), kept.with_newest)

    def finish(
        self, p: Place, phase: int, side: int, passed: str, counts: str | None = None
    ) -> None:
        """Write what follows a turn of a side in a phase; `passed` is a register or literal i1.

        With `counts` of pools, the endings read what is kept in place of what it stands for.
        """
        f = p.f
        system, layout = self.program.system, self.layout
        if system.turns is not None:
            self._step(p, system.turns)
        if system.passes is not None:
            field = layout.fields[system.passes]
            address = f.at(p.frame, field.offset)
            more = "0"
            if passed != "false":
                more = f.ins(f"add {field.type} {f.get(field.type, address)}, 1")
            kept = f.ins(f"select i1 {passed}, {field.type} {more}, {field.type} 0")
            f.put(field.type, kept, address)
        if self.program.phases[phase].turns[side].endings:
            given = f"ptr {p.frame}, ptr {p.world}"
            if counts is None or (phase, side) not in self._quick:
                f.do(f"call i32 @ended_{phase}_{side}({given})")
            else:
                f.do(f"call i32 @quick_ended_{phase}_{side}({given}, ptr {counts})")
        self.past.remember(p)
        chance = self.program.phases[phase].by_chance
        next_ = str(side if chance else (side + 1) % self.sides)
        block = self.program.phases[phase].turns[side].program
        if system.following in set(changed_slots(block)):
            given = self.expressions.number(p, Get(system.following)).register
            named = f.ins(f"icmp sge i64 {given}, 0")
            next_ = f.ins(f"select i1 {named}, i64 {given}, i64 {next_}")
        mover = layout.fields[system.mover]
        if mover.bits < WORD and not next_.isdigit():
            next_ = f.ins(f"trunc i64 {next_} to {mover.type}")
        f.put(mover.type, next_, f.at(p.frame, mover.offset))

    def _step(self, p: Place, slot: Slot) -> None:
        field = self.layout.fields[slot]
        address = p.f.at(p.frame, field.offset)
        more = p.f.ins(f"add {field.type} {p.f.get(field.type, address)}, 1")
        p.f.put(field.type, more, address)

    def turn(self, phase: int, side: int) -> TurnCode:
        """Return the code of a side's turn in a phase."""
        return self._turns[phase, side, False]

    def seat(self, p: Place, side: int) -> str:
        """Return the seat (i64, from 0) that plays a side."""
        seats = self.program.system.seats
        return self.expressions.number(p, Get(seats[side])).register if seats else str(side)

    def _plain_turns(self) -> dict[tuple[int, int], Plain]:
        """The turns of which random moves are made in place, by phase and side."""
        found = {}
        for phase, side in self.pairs:
            code = self.turn(phase, side)
            block = self.program.phases[phase].turns[side].program
            turn = plain(block, self._weights(phase, side))
            if turn is not None and not code.keeps and not code.exchanges:
                found[phase, side] = turn
        return found

    def _write_plies(self) -> None:
        """`ply_P_S`: make a random move of a side in a phase; see `plies`."""
        for (phase, side), turn in self.plain.items():

            def finish(
                p: Place, done: Changes, passed: bool, phase: int = phase, side: int = side
            ) -> None:
                self._keep_after(p, done)
                self.finish(p, phase, side, "true" if passed else "false", "%counts")

            system = self.program.system
            code = PlyCode(
                self.module,
                self.expressions,
                self.layout,
                system.best,
                system.following,
                self._weights(phase, side),
                self.pools,
                self.unread,
                finish,
            )
            code.write(f"ply_{phase}_{side}", turn)

    # -------------------------------------------------------------------- searches

    def _write_completed(self, code: TurnCode, is_blind: bool) -> None:
        """What a search does with a completed way, by its mode."""
        f = self.module.function(
            f"{code.name}_completed", "internal i1", ["ptr %frame", "ptr %context"], "nounwind "
        )
        world = f.get("ptr", f.at("%context", c.WORLD))
        p = self._place(f, world=world)
        if code.keeps:
            self._compare_best(p)
        if code.exchanges:
            self._compare_orders(p, code, is_blind)
        with f.when(f.ins(f"icmp ne ptr {f.get('ptr', f.at('%context', c.GIVEN))}, null")):
            made = f.get("i32", f.at("%frame", self.layout.made.offset))
            wanted = f.get("i64", f.at("%context", c.GIVEN_COUNT))
            with f.when(f.ins(f"icmp ne i64 {f.ins(f'zext i32 {made} to i64')}, {wanted}")):
                f.give("i1 false")
        mode = f.get("i32", f.at("%context", c.MODE))
        ways = {
            c.SELECTING: self._select,
            c.LISTING: self._list,
            c.LOOKING: self._look,
            c.COUNTING_ON: self._count_on,
        }
        labels = {number: f.new_label() for number in ways}
        nowhere = f.new_label()
        listed = " ".join(f"i32 {number}, label %{label}" for number, label in labels.items())
        f.do(f"switch i32 {mode}, label %{nowhere} [{listed}]")
        f.is_open = False
        f.label(nowhere)
        f.give("i1 true")
        for number, write in ways.items():
            f.label(labels[number])
            write(p)

    def _select(self, p: Place) -> None:
        f = p.f
        address = f.at("%context", c.LEFT)
        left = f.get("i64", address)
        with f.when(f.ins(f"icmp ne i64 {left}, 0")):
            f.put("i64", f.ins(f"sub i64 {left}, 1"), address)
            f.give("i1 false")
        descent = f.get("i64", f.at("%context", c.DESCENT))
        with f.when(f.ins(f"icmp ne i64 {descent}, 0")):
            f.give("i1 true")
        out = f.get("ptr", f.at("%context", c.OUT))
        copy_bytes(self.module, f, "%frame", out, FRAME_BYTES)
        f.put("i32", "1", f.at("%context", c.FOUND))
        f.give("i1 true")

    def _list(self, p: Place) -> None:
        """Put the trace into the list, with its length before it, if there is room."""
        f = p.f
        depth = f.get("i32", f.at("%frame", self.layout.depth.offset))
        many = f.ins(f"zext i32 {depth} to i64")
        used = f.at("%context", c.LIST_USED)
        begin = f.get("i64", used)
        end = f.ins(f"add i64 {f.ins(f'add i64 {begin}, 1')}, {many}")
        f.put("i64", end, used)
        size = f.get("i64", f.at("%context", c.LIST_SIZE))
        with f.when(f.ins(f"icmp ule i64 {end}, {size}")):
            list_ = f.get("ptr", f.at("%context", c.LIST))
            entry = f.ins(f"getelementptr i64, ptr {list_}, i64 {begin}")
            f.put("i64", many, entry)
            trace = f.get("ptr", f.at("%context", c.TRACE))
            copy_bytes(self.module, f, trace, f.at(entry, 8), f.ins(f"mul i64 {many}, 8"))
        address = f.at("%context", c.LEFT)
        f.put("i64", f.ins(f"sub i64 {f.get('i64', address)}, 1"), address)
        f.give("i1 false")

    def _look(self, p: Place) -> None:
        f = p.f
        number = f.get("i64", f.at("%context", c.CAN))
        values = f.get("ptr", f.at("%context", c.VALUES))
        result = f.ins(
            f"call i1 @looked_for(i64 {number}, ptr %frame, ptr {values}, ptr {p.world})"
        )
        with f.when(result):
            f.put("i32", "1", f.at("%context", c.FOUND))
        f.give(f"i1 {result}")

    def _count_on(self, p: Place) -> None:
        """Count the sequences that begin with this way."""
        f = p.f
        f.put("i32", "1", f.at("%context", c.FOUND))
        own = f.variable(FRAME_TYPE)
        copy_bytes(self.module, f, "%frame", own, FRAME_BYTES)
        root = f.get("ptr", f.at("%context", c.ROOT))
        which = self.which(self._place(f, frame=root, world=p.world))
        f.do(f"call void @finish(ptr {own}, ptr {p.world}, i64 {which})")
        depth = f.get("i64", f.at("%context", c.DEPTH))
        found = f.ins(f"call i64 @perft(ptr {own}, ptr {p.world}, i64 {depth})")
        nodes = f.at("%context", c.NODES)
        f.put("i64", f.ins(f"add i64 {f.get('i64', nodes)}, {found}"), nodes)
        error = f.get("i64", f.at(p.world, c.ERROR))
        f.give(f"i1 {f.ins(f'icmp ne i64 {error}, 0')}")

    def _compare_best(self, p: Place) -> None:
        """In the first round, learn the best value; in the second, go on with no other."""
        f, layout = p.f, self.layout
        best = self.program.system.best
        assert best is not None, "a turn that keeps has a best value"
        found = self.expressions.number(p, Get(best))
        if width_of(found.low, found.high) != WORD:
            raise Uncovered("a value of more than 64 bits of which the most is kept")
        value = found.register
        has = f.ins(f"trunc i8 {f.get('i8', f.at('%frame', layout.has_best.offset))} to i1")
        known = f.get("i64", f.at("%context", c.BEST))
        has_known = f.ins(f"icmp ne i64 {f.get('i64', f.at('%context', c.HAS_BEST))}, 0")
        keeping = f.get("i32", f.at("%context", c.KEEPING))
        with f.when(f.ins(f"icmp eq i32 {keeping}, 1")):
            better = f.ins(f"icmp sgt i64 {value}, {known}")
            first = f.ins(f"xor i1 {has_known}, true")
            taken = f.ins(f"and i1 {has}, {f.ins(f'or i1 {better}, {first}')}")
            with f.when(taken):
                f.put("i64", value, f.at("%context", c.BEST))
                f.put("i64", "1", f.at("%context", c.HAS_BEST))
            f.give("i1 false")
        with f.when(f.ins(f"icmp eq i32 {keeping}, 2")):
            same = f.ins(f"icmp eq i64 {value}, {known}")
            both = f.ins(f"and i1 {has}, {f.ins(f'and i1 {has_known}, {same}')}")
            neither = f.ins(f"xor i1 {f.ins(f'or i1 {has}, {has_known}')}, true")
            with f.when(f.ins(f"xor i1 {f.ins(f'or i1 {both}, {neither}')}, true")):
                f.give("i1 false")

    def _compare_orders(self, p: Place, code: TurnCode, is_blind: bool) -> None:
        """Go on only if each pair is in order, and legal with the same result in the other."""
        f = p.f
        free = f.ins(f"icmp eq ptr {f.get('ptr', f.at('%context', c.GIVEN))}, null")
        pairs = f.get("i32", f.at("%frame", self.layout.pairs.offset))
        some = f.ins(f"icmp ne i32 {pairs}, 0")
        with f.when(f.ins(f"and i1 {free}, {some}")):
            search = "search_blind" if is_blind else "search"
            name = f"{code.name}_in_any_order"
            self._write_in_any_order(name, search, is_blind)
            same = f.ins(f"call i1 @{name}(ptr %frame, ptr %context)")
            with f.when(f.ins(f"xor i1 {same}, true")):
                f.give("i1 false")

    def _write_in_any_order(self, name: str, search: str, is_blind: bool) -> None:
        f = self.module.function(
            name, "internal i1", ["ptr %frame", "ptr %context"], "nounwind noinline "
        )
        world = f.get("ptr", f.at("%context", c.WORLD))
        p = self._place(f, world=world)
        trace = f.get("ptr", f.at("%context", c.TRACE))
        list_ = f.get("ptr", f.at("%context", c.PAIRS))
        many = f.get("i32", f.at("%frame", self.layout.pairs.offset))
        depth = f.get("i32", f.at("%frame", self.layout.depth.offset))
        decisions = f.variable(f"[{c.MOST_TRACED} x i64]")
        other, inner = f.variable(FRAME_TYPE), f.variable(f"[{c.BYTES} x i8]")
        number = f.variable("i32")
        f.put("i32", "0", number)
        head, inside, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i32", number)
        f.branch(f.ins(f"icmp ult i32 {now}, {many}"), inside, done)
        f.label(done)
        f.give("i1 true")
        f.label(inside)
        f.put("i32", f.ins(f"add i32 {now}, 1"), number)
        wide = f.ins(f"zext i32 {now} to i64")
        pair = f.ins(f"getelementptr i64, ptr {list_}, i64 {wide}")
        i = f.ins(f"zext i32 {f.get('i32', pair)} to i64")
        j = f.ins(f"zext i32 {f.get('i32', f.at(pair, 4))} to i64")
        first = f.ins(f"getelementptr i64, ptr {trace}, i64 {i}")
        second = f.ins(f"getelementptr i64, ptr {trace}, i64 {j}")
        a = f.ins(f"and i64 {f.get('i64', first)}, 4294967295")
        b = f.ins(f"and i64 {f.get('i64', second)}, 4294967295")
        with f.when(f.ins(f"icmp sge i64 {a}, {b}")):
            f.give("i1 false")
        count = self._decisions_exchanged(p, trace, depth, decisions, (i, a), (j, b))
        scratch = f.at(world, c.SCRATCH + (2 if is_blind else 1) * c.SCRATCH_BYTES)
        self.fill(p, inner, f.get("ptr", f.at("%context", c.ROOT)), world, scratch)
        f.put("ptr", decisions, f.at(inner, c.GIVEN))
        f.put("i64", count, f.at(inner, c.GIVEN_COUNT))
        f.put("ptr", other, f.at(inner, c.OUT))
        f.do(f"call i1 @{search}(ptr {f.get('ptr', f.at('%context', c.ROOT))}, ptr {inner})")
        found = f.get("i32", f.at(inner, c.FOUND))
        with f.when(f.ins(f"icmp eq i32 {found}, 0")):
            f.give("i1 false")
        with f.when(f.ins(f"xor i1 {self._same_result(p, other)}, true")):
            f.give("i1 false")
        f.jump(head)

    def _decisions_exchanged(
        self,
        p: Place,
        trace: str,
        depth: str,
        decisions: str,
        first: tuple[str, str],
        second: tuple[str, str],
    ) -> str:
        """Write the decisions of a trace with two of them exchanged; return how many they are."""
        f = p.f
        place, made = f.variable("i32"), f.variable("i64")
        f.put("i32", "0", place)
        f.put("i64", "0", made)
        head, inside, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i32", place)
        f.branch(f.ins(f"icmp ult i32 {now}, {depth}"), inside, done)
        f.label(inside)
        f.put("i32", f.ins(f"add i32 {now}, 1"), place)
        wide = f.ins(f"zext i32 {now} to i64")
        entry = f.get("i64", f.ins(f"getelementptr i64, ptr {trace}, i64 {wide}"))
        with f.when(f.ins(f"icmp slt i64 {entry}, 0")):
            f.jump(head)
        value = self._signed(f, entry)
        for (here, _), (_, instead) in ((first, second), (second, first)):
            same = f.ins(f"icmp eq i64 {wide}, {here}")
            value = f.ins(f"select i1 {same}, i64 {instead}, i64 {value}")
        count = f.get("i64", made)
        f.put("i64", value, f.ins(f"getelementptr i64, ptr {decisions}, i64 {count}"))
        f.put("i64", f.ins(f"add i64 {count}, 1"), made)
        f.jump(head)
        f.label(done)
        return f.get("i64", made)

    def _signed(self, f: Function, entry: str) -> str:
        """Return the decision in an entry of a trace."""
        return f.ins(f"sext i32 {f.ins(f'trunc i64 {entry} to i32')} to i64")

    def _same_result(self, p: Place, other: str) -> str:
        """Return whether two frames hold the same position and go on alike."""
        f = p.f
        self.module.declare("i32 @memcmp(ptr, ptr, i64)")
        size = self.layout.state_bytes
        compared = f.ins(f"call i32 @memcmp(ptr %frame, ptr {other}, i64 {size})")
        result = f.ins(f"icmp eq i32 {compared}, 0")
        system = self.program.system
        fields = [self.layout.fields[s] for s in (system.following, system.best) if s is not None]
        for field in (*fields, self.layout.has_best):
            a = f.get(field.type, f.at("%frame", field.offset))
            b = f.get(field.type, f.at(other, field.offset))
            same = f.ins(f"icmp eq {field.type} {a}, {b}")
            result = f.ins(f"and i1 {result}, {same}")
        return result

    def fill(self, p: Place, context: str, root: str, world: str, scratch: str) -> None:
        """Write a context that selects the first way, without shortcuts."""
        f = p.f
        clear_bytes(self.module, f, context, c.BYTES)
        f.put("ptr", root, f.at(context, c.ROOT))
        f.put("ptr", world, f.at(context, c.WORLD))
        f.put("ptr", scratch, f.at(context, c.TRACE))
        f.put("ptr", f.at(scratch, 8 * c.MOST_TRACED), f.at(context, c.PAIRS))

    def _write_search(self, name: str, is_blind: bool) -> None:
        """`search(position, context)`: walk through the ways of the turn that is to be made."""
        f = self.module.function(
            name, "internal i1", ["ptr %position", "ptr %context"], "nounwind "
        )
        world = f.get("ptr", f.at("%context", c.WORLD))
        frame = f.variable(FRAME_TYPE)
        f.do(f"call void @begin(ptr {frame}, ptr %position)")
        f.put("ptr", "%position", f.at("%context", c.ROOT))
        mark = f.get("ptr", f.at(world, c.TRAIL))
        which = self.which(self._place(f, frame="%position", world=world))
        given = f.get("ptr", f.at("%context", c.GIVEN))
        for phase, side, label in self.switch(f, which):
            f.label(label)
            code = self._turns[phase, side, is_blind]
            if code.keeps:
                with f.when(f.ins(f"icmp eq ptr {given}, null")):
                    f.put("i32", "1", f.at("%context", c.KEEPING))
                    f.put("i64", "0", f.at("%context", c.HAS_BEST))
                    f.do(f"call i1 @{code.name}(ptr {frame}, ptr %context)")
                    with f.when(f.ins(f"icmp ne i64 {f.get('i64', f.at(world, c.ERROR))}, 0")):
                        f.give("i1 true")
                    f.do(f"call void @begin(ptr {frame}, ptr %position)")
                    f.put("i32", "2", f.at("%context", c.KEEPING))
            result = f.ins(f"call i1 @{code.name}(ptr {frame}, ptr %context)")
            if isinstance(self.sets, ArraySets):
                self.sets.trails.forget(f, world, mark)
            f.give(f"i1 {result}")

    # -------------------------------------------------------------- looking ahead

    def _can(self, p: Place, node: Can) -> Flag:
        """Write a search for a move of a side after which a condition holds."""
        if p.is_blind:
            return Flag("false")
        f = p.f
        number = self._can_number(node)
        outer = self._outer_slots(p, node)
        values = f.variable(f"[{max(1, len(outer)) * 8} x i8]")
        spilled = [self._spill(p, slot) for slot in outer]
        for place, address in enumerate(spilled):
            f.put("ptr", address, f.at(values, 8 * place))
        ahead, inner = f.variable(FRAME_TYPE), f.variable(f"[{c.BYTES} x i8]")
        f.do(f"call void @begin(ptr {ahead}, ptr {p.frame})")
        mover = self.program.system.mover
        self.expressions.write(
            Place(f, ahead, p.world, {}), mover, Number(str(node.side), node.side, node.side)
        )
        self.fill(p, inner, ahead, p.world, f.at(p.world, c.SCRATCH))
        f.put("i32", str(c.LOOKING), f.at(inner, c.MODE))
        f.put("i64", str(number), f.at(inner, c.CAN))
        f.put("ptr", values, f.at(inner, c.VALUES))
        f.do(f"call i1 @search_blind(ptr {ahead}, ptr {inner})")
        self._write_looked_for(p, node, number, outer)
        found = f.get("i32", f.at(inner, c.FOUND))
        return Flag(f.ins(f"icmp ne i32 {found}, 0"))

    def _can_number(self, node: Can) -> int:
        return len(self._cans)

    def _outer_slots(self, p: Place, node: Can) -> list[Slot]:
        """The variables outside that the condition reads: no part of the position."""
        state = set(self.program.state)
        known = {*p.bound, *self.layout.fields} - state
        return [slot for slot in dict.fromkeys(slots_of(node.condition)) if slot in known]

    def _spill(self, p: Place, slot: Slot) -> str:
        """Return the address of a variable's value."""
        f = p.f
        value = self.expressions.value(p, Get(slot))
        if isinstance(value, Sites):
            address = self.sets.variable(f)
            self.sets.write(f, value, address)
        elif isinstance(value, Flag):
            address = f.variable("i1")
            f.put("i1", value.register, address)
        else:
            bits = width_of(value.low, value.high)
            address = f.variable(f"i{bits}")
            f.put(f"i{bits}", value.register, address)
        return address

    def _write_looked_for(
        self, outer_place: Place, node: Can, number: int, outer: list[Slot]
    ) -> None:
        """Write the function of the condition of one `can`."""
        f = self.module.function(
            f"looked_for_{number}",
            "internal i1",
            ["ptr %frame", "ptr %values", "ptr %world"],
            "nounwind ",
        )
        self._cans[number] = (node, number)
        bound: dict[Slot, Sites | Flag | Number] = {}
        for place, slot in enumerate(outer):
            address = f.get("ptr", f.at("%values", 8 * place))
            if slot.type == SITES:
                bound[slot] = self.sets.read(f, address)
                continue
            outside = self.expressions.value(outer_place, Get(slot))
            if isinstance(outside, Flag):
                bound[slot] = Flag(f.get("i1", address))
            elif isinstance(outside, Number):
                bits = width_of(outside.low, outside.high)
                bound[slot] = Number(
                    f.get(f"i{bits}", address), outside.low, outside.high, outside.denominator
                )
        p = Place(f, "%frame", "%world", dict(bound), True)
        f.give(f"i1 {self.expressions.flag(p, node.condition)}")

    def _write_looked_for_any(self) -> None:
        f = self.module.function(
            "looked_for",
            "internal i1",
            ["i64 %number", "ptr %frame", "ptr %values", "ptr %world"],
            "nounwind ",
        )
        for number in self._cans:
            with f.when(f.ins(f"icmp eq i64 %number, {number}")):
                result = f.ins(f"call i1 @looked_for_{number}(ptr %frame, ptr %values, ptr %world)")
                f.give(f"i1 {result}")
        f.give("i1 false")
