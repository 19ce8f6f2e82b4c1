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
| `step(positions, world, picks, n)` | how many positions were tried: in each, a move is picked |
| `ply_listed(position, world, random)` | whether there is a random move, found by search: made |
| `playout(position, world, random, plies)` | the number of moves of a random game |
| `playouts(position, world, first, n, seed, plies, tally)` | how many random games were made |

The last two make up one part of the module, the others are its other part: which of them is
needed is compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from gdl.core.nodes import Get, Program, Slot
from gdl.core.walk import changed_slots
from gdl.optimise.weights import After, Weights, weights_after
from interpreter.native.ahead import Ahead
from interpreter.native.arrays import ArraySets
from interpreter.native.bounds import Bounds
from interpreter.native.calls import Calls
from interpreter.native.chance import write_next_below, write_random_below
from interpreter.native.changes import Changes
from interpreter.native.choices import CHOICES, ROWS
from interpreter.native.code import (
    FRAME_BYTES,
    WORD,
    Function,
    Module,
    clear_bytes,
    copy_bytes,
)
from interpreter.native.draws import write_ply_listed
from interpreter.native.endings import Endings
from interpreter.native.expressions import Expressions
from interpreter.native.keeping import Keeping
from interpreter.native.layout import Layout
from interpreter.native.many import RandomGames
from interpreter.native.newest import kept_conditions, with_flags
from interpreter.native.past import Past
from interpreter.native.places import Place
from interpreter.native.plain import Plain, plain
from interpreter.native.plies import PlyCode
from interpreter.native.pools import Pools
from interpreter.native.ranges import Ranges, Uncovered
from interpreter.native.searches import Searches
from interpreter.native.sets import RegisterSets
from interpreter.native.unread import unread_layers

MOST_REGISTER_SITES = 600
MOST_ARRAY_SITES = (1 << 15) - 1

_CALLS = (
    *("count", "listed", "make", "pick", "pass_on", "settle", "stuck", "perft", "step"),
    "ply_listed",
)
_GAMES = ("playout", "playouts")


class Course:
    """Writes the whole module of a game: `calls` and `games` are the texts of its two parts."""

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
        self.site_names = site_names
        self.sides = sides
        self.proven = proven
        self.pairs = [(p, s) for p in range(len(program.phases)) for s in range(sides)]
        self._original = program if original is None else original
        self._known_weights: dict[tuple[int, int], After] = {}
        self.module = Module()
        self.sets = RegisterSets(self.module, size)
        if size > most_register_sites:
            if size > MOST_ARRAY_SITES:
                raise Uncovered(f"a board of more than {MOST_ARRAY_SITES:,} sites")
            self.sets = ArraySets(self.module, size, Bounds(program, size))
            choices = frozenset()
        self.sets.has_deposit = has_deposit
        ranges = Ranges(program, size)
        kept = kept_conditions(
            program, size, choices - {ROWS} if self.sets.floods_by_site else choices
        )
        flags = tuple(condition.slot for condition in kept)
        self.layout = Layout(program, ranges, size, self.sets.bits, flags)
        self.ahead = Ahead(self)
        self.expressions = Expressions(
            self.sets,
            self.layout,
            ranges,
            self.ahead.can,
            lambda p, node: self.past.times(p, node),
            choices,
            checked=checked,
        )
        self.keeping = Keeping(self.module, self.expressions, program, kept, choices)
        self.past = Past(self.module, self.expressions, self.layout, program.memories)
        self.endings = Endings(self)
        self.searches = Searches(self)
        self.searches.write_turns(is_blind=False)
        self.plain = self._plain_turns()
        drawn = (way.choice for turn in self.plain.values() for way in turn.ways)
        self.pools = Pools(self.module, self.sets, self.expressions, drawn)
        self._write_endings()
        self.unread = self._unread_layers()
        self._write_searches()
        self._write_begin()
        self._write_finish()
        self._write_plies()
        Calls(self).write()
        write_ply_listed(self)
        RandomGames(self).write()
        self.ahead.write()
        if self.sets.floods_by_site:
            self._write_copy()

    @property
    def calls(self) -> str:
        """The text of the functions that search."""
        return self.module.text(self.layout.frame_bytes, _CALLS)

    @property
    def games(self) -> str:
        """The text of the functions that play random games."""
        return self.module.text(self.layout.frame_bytes, _GAMES)

    # ------------------------------------------------------------------- the parts

    def weights(self, phase: int, side: int) -> After:
        """Return the bounds that random moves of a turn are drawn by."""
        key = (phase, side)
        if key not in self._known_weights:
            original = self._original.phases[phase].turns[side].program
            after = Weights(original, self.sets.size).after
            block = self.program.phases[phase].turns[side].program
            self._known_weights[key] = weights_after(block, after)
        return self._known_weights[key]

    def _write_searches(self) -> None:
        """Write the searches; blind ones only if turns or endings look ahead."""
        self.searches.write("search", is_blind=False)
        if self.ahead.count:
            self.searches.write_turns(is_blind=True)
            self.searches.write("search_blind", is_blind=True)

    def _write_endings(self) -> None:
        for phase, side in self.pairs:
            turn = self.program.phases[phase].turns[side]
            self.endings.write("ended", phase, side, turn.endings)
            self.endings.write("stuck", phase, side, turn.stuck)
            if (phase, side) in self.plain:
                flags = with_flags(self.keeping.conditions)
                self.endings.write_quick(phase, side, turn.endings, flags, self.pools)

    def _unread_layers(self) -> frozenset[Slot]:
        """The layers that random moves in place never look at."""
        if self.sets.bits <= WORD or isinstance(self.sets, ArraySets) or self.program.memories:
            return frozenset()
        phases, quick = self.program.phases, self.endings.quick
        endings = [quick.get((p, s), phases[p].turns[s].endings) for p, s in self.plain]
        turns = tuple(self.plain.values())
        return unread_layers(self.program.state, turns, self.pools, self.keeping, endings)

    @property
    def is_plain(self) -> bool:
        """Whether all random moves are made in place."""
        return len(self.plain) == len(self.pairs)

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
        p = self.expressions.place(f)
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
            passes = f.ins(f"select i1 {passed}, {field.type} {more}, {field.type} 0")
            f.put(field.type, passes, address)
        if self.program.phases[phase].turns[side].endings:
            given = f"ptr {p.frame}, ptr {p.world}"
            if counts is None or (phase, side) not in self.endings.quick:
                f.do(f"call i32 @ended_{phase}_{side}({given})")
            else:
                f.do(f"call i32 @quick_ended_{phase}_{side}({given}, ptr {counts})")
        self.past.remember(p)
        chance = self.program.phases[phase].by_chance
        next_ = str(side if chance else (side + 1) % self.sides)
        block = self.program.phases[phase].turns[side].program
        if system.following in changed_slots(block):
            given = self.expressions.number(p, Get(system.following)).register
            named = f.ins(f"icmp sge i64 {given}, 0")
            next_ = f.ins(f"select i1 {named}, i64 {given}, i64 {next_}")
        mover = layout.fields[system.mover]
        if mover.bits < WORD and not next_.isdigit():
            next_ = f.ins(f"trunc i64 {next_} to {mover.type}")
        f.put(mover.type, next_, f.at(p.frame, mover.offset))

    def keep_all(self, f: Function, position: str) -> None:
        """Write that all conditions that are kept beside a position are worked out."""
        if self.plain:
            self.keeping.all(f, position, "%world")

    def _step(self, p: Place, slot: Slot) -> None:
        field = self.layout.fields[slot]
        address = p.f.at(p.frame, field.offset)
        more = p.f.ins(f"add {field.type} {p.f.get(field.type, address)}, 1")
        p.f.put(field.type, more, address)

    def seat(self, p: Place, side: int) -> str:
        """Return the seat (i64, from 0) that plays a side."""
        seats = self.program.system.seats
        return self.expressions.number(p, Get(seats[side])).register if seats else str(side)

    def _plain_turns(self) -> dict[tuple[int, int], Plain]:
        """The turns of which random moves are made in place, by phase and side."""
        found = {}
        for phase, side in self.pairs:
            code = self.searches.turn(phase, side)
            block = self.program.phases[phase].turns[side].program
            turn = plain(block, self.weights(phase, side))
            if turn is not None and not code.keeps and not code.exchanges:
                found[phase, side] = turn
        return found

    def _write_plies(self) -> None:
        """`ply_P_S`: make a random move of a side in a phase; see `plies`."""
        write_random_below(self.module)
        write_next_below(self.module, is_ahead=self.is_plain)
        for (phase, side), turn in self.plain.items():

            def finish(
                p: Place, done: Changes, passed: bool, phase: int = phase, side: int = side
            ) -> None:
                self.keeping.follow(p, done)
                self.finish(p, phase, side, "true" if passed else "false", "%counts")

            system = self.program.system
            code = PlyCode(
                self.module,
                self.expressions,
                self.layout,
                system.best,
                system.following,
                self.weights(phase, side),
                self.pools,
                self.unread,
                finish,
            )
            code.write(f"ply_{phase}_{side}", turn)
        if self.plain and self.keeping.conditions:
            self.keeping.write()
