"""The code of random games that are watched: played move by move, each of all legal moves.

In: the searches of a game, and counters. Out: two functions. `watched(position, world, list, size,
random, plies, start, before, tries)` plays a game from a position on, returns how many moves were
made, and leaves the position `before` the last of them; in each position, so many other moves are
made, too, and taken back. The traces of the moves are kept where there is room for them; that of a
pass that is forced has no entries. `watched_memory(which)` tells where the counts
lie (0), when each was counted first (1), and all that is no count (2). What then holds: of n
legal moves, the next random number below n tells which one is made, and such of a second generator
which ones are tried; in each position all were listed, and these were made, so that the reference
interpreter, which does just that, counts the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import reduce

from gdl.core.nodes import Get, Slot
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.blocks import Label
from gdl.interpreter.native.emit.ir import FRAME_TYPE, POSITION, WORD_BYTES, WORLD, Function
from gdl.interpreter.native.emit.kinds import FALSE, I1, I32, I64, PTR, Address, Bit, Word
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.expressions.counting import (
    END_OF_LINES,
    ENTERED,
    LINES,
    LISTED,
    MAKING,
    MOST_WAYS_ON,
    NAMED,
    NOW,
    Counters,
)
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.turns.endings import PASSES
from gdl.interpreter.native.turns.search_calls import SearchCall
from gdl.interpreter.native.turns.shared_code import SharedCode
from gdl.interpreter.reference.steps import MOST_WAYS

_LIST, _SIZE, _RANDOM, _PLIES = Address("%list"), Word("%size"), Address("%random"), Word("%plies")
_START, _BEFORE, _AFTER = Address("%start"), Address("%before"), Address("%after")
_TRIES = Word("%tries")


def write_watched(shared: SharedCode, counters: Counters) -> tuple[str, ...]:
    """Write the functions; return their names."""
    WatchedGames(shared, counters).write()
    return "watched", "watched_memory"


class WatchedGames:
    """Writes the functions that play games and count what becomes of positions."""

    def __init__(self, shared: SharedCode, counters: Counters) -> None:
        self._shared = shared
        self._counters = counters
        self._layout = shared.layout
        self._sets = shared.sets
        self._heading = counters.heading

    def write(self) -> None:
        """Write all of them."""
        self._write_memory()
        mover = self._shared.program.system.mover
        self._counters.write_stood_on(
            self._shared.expressions.read, lambda p: self._shared.expressions.word(p, Get(mover))
        )
        self._write_note_position()
        self._write_note_move()
        self._write_watched()

    def _write_memory(self) -> None:
        f = self._shared.module.function("watched_memory", "ptr", ["i64 %which"])
        for number, name in enumerate(("watched_counts", "watched_first")):
            f.give_if(f.compare("eq", I64, Word("%which"), number), f"ptr @{name}")
        f.give("ptr @watched_heading")

    # ------------------------------------------------------------------------ a game

    def _write_watched(self) -> None:
        parameters = ["ptr %position", "ptr %world", f"ptr {_LIST}", f"i64 {_SIZE}"]
        parameters += [f"ptr {_RANDOM}", f"i64 {_PLIES}", f"ptr {_START}", f"ptr {_BEFORE}"]
        parameters += [f"i64 {_TRIES}"]
        f = self._shared.module.function("watched", "i64", parameters)
        f.world = None
        made = f.variable(I64, 0)
        decisions, tried = f.room(f"[{w.MOST_TRACED} x i64]"), f.room(FRAME_TYPE)
        with f.block() as finished, f.loop():
            w.allow_a_turn(f, WORLD)
            with f.when(w.is_stopped(f, WORLD)):
                w.fail(f, WORLD, w.STOPPED)
                f.jump(finished)
            f.need(f.compare("slt", I64, f.get(I64, made), _PLIES), finished)
            f.do(f"call void @note_position(ptr {POSITION}, ptr {_START})")
            f.leave_if(self._layout.ended.is_set(f, POSITION), finished)
            found = self._listed(f, finished)
            with f.when(f.compare("eq", I64, found, 0)):
                w.allow_a_turn(f, WORLD)
                self._counters.add(f, self._which(f, POSITION, self._row("stuck", self._pairs)))
                clause = f.call(I32, "@stuck(ptr %position, ptr %world)")
                f.need(f.compare("eq", I32, clause, PASSES), finished)
                f.copy(POSITION, _BEFORE, self._layout.state_bytes)
                f.do("call void @pass_on(ptr %position, ptr %world)")
                self._keep_trace(f, f.variable(I64, 0), 0)
            with f.when(f.compare("ne", I64, found, 0)):
                f.copy(POSITION, _BEFORE, self._layout.state_bytes)
                with f.rounds(_TRIES):
                    f.copy(_BEFORE, tried, self._layout.state_bytes)
                    pick = self._drawn(f, f.at(_RANDOM, WORD_BYTES), found)
                    self._make(f, tried, pick, decisions)
                    f.leave_if(w.has_failed(f, WORLD), finished)
                    f.do(f"call void @note_move(ptr {_BEFORE}, ptr {tried}, ptr {_START})")
                pick = self._drawn(f, _RANDOM, found)
                self._keep_trace(f, f.word_at(_LIST, pick), f.get(I64, f.word_at(_LIST, pick)))
                self._make(f, POSITION, pick, decisions)
            f.leave_if(w.has_failed(f, WORLD), finished)
            f.do(f"call void @note_move(ptr {_BEFORE}, ptr {POSITION}, ptr {_START})")
            f.add(I64, 1, made)
            f.add(I64, 1, self._heading.word(f, NOW))
        f.give(f"i64 {f.get(I64, made)}")

    def _drawn(self, f: Function, random: Address, ways: Word) -> Word:
        """Write that one of so many moves (i64) is drawn; return where in the list it stands."""
        pick = f.call(I64, f"@random_below(ptr {random}, i64 {ways})")
        place = f.variable(I64, 0)
        with f.rounds(pick, MOST_WAYS):
            here = f.get(I64, place)
            length = f.get(I64, f.word_at(_LIST, here))
            f.put(I64, f.binary("add", I64, f.binary("add", I64, here, 1), length), place)
        return f.get(I64, place)

    def _keep_trace(self, f: Function, trace: Address, entries: Word | int) -> None:
        """Write that the trace of a move is kept; none of those after it, if it has no room."""
        place, end = (self._heading.word(f, number) for number in (LINES, END_OF_LINES))
        here, end = f.get(PTR, place), f.get(PTR, end)
        size = f.binary("mul", I64, f.binary("add", I64, entries, 1), WORD_BYTES)
        after = f.at(here, size)
        with f.when(f.compare("ult", PTR, end, after)):
            f.put(PTR, end, place)
        with f.when(f.compare("uge", PTR, end, after)):
            f.copy(trace, here, str(size))
            f.put(PTR, after, place)

    def _make(self, f: Function, position: Address, place: Word, decisions: Address) -> None:
        """Write that the move at a place (i64) of the list is made."""
        count = self._decisions(f, place, decisions)
        w.allow_a_turn(f, WORLD)
        f.put(I64, 1, self._heading.word(f, MAKING))
        self._sets.write(f, self._sets.constant(0), self._heading.set(f, NAMED))
        arguments = f"ptr {position}, ptr %world, ptr {decisions}, i64 {count}"
        f.call(I64, f"@make({arguments})")
        f.put(I64, 0, self._heading.word(f, MAKING))

    def _listed(self, f: Function, finished: Label) -> Word:
        """Write that all legal moves are listed; return how many there are (i64)."""
        query = SearchCall(f, mode=c.LISTING, left=MOST_WAYS)
        query.set(c.LIST, _LIST)
        query.set(c.LIST_SIZE, _SIZE)
        query.run()
        with f.when(f.compare("ugt", I64, query.get(c.LIST_USED), _SIZE)):
            w.fail(f, WORLD, w.NO_ROOM)
        f.leave_if(w.has_failed(f, WORLD), finished)
        found = f.binary("sub", I64, MOST_WAYS, query.get(c.LEFT))
        self._counters.add(f, f.binary("add", I64, f.at_most(found, 2), self._row("ways", 3)))
        f.add(I64, found, self._heading.word(f, LISTED))
        most = self._heading.word(f, MOST_WAYS_ON)
        f.put(I64, f.intrinsic("umax", I64, f.get(I64, most), f"i64 {found}"), most)
        return found

    def _decisions(self, f: Function, begin: Word, decisions: Address) -> Word:
        """Write the decisions of the move at a place (i64) of the list; return how many."""
        made = f.variable(I64, 0)
        length = f.get(I64, f.word_at(_LIST, begin))
        with f.rounds(length, w.MOST_TRACED) as loop:
            entry = f.binary("add", I64, f.binary("add", I64, begin, 1), loop.number)
            entry = f.get(I64, f.word_at(_LIST, entry))
            with f.when(f.compare("sge", I64, entry, 0)):
                value = f.convert("sext", I32, f.convert("trunc", I64, entry, I32), I64)
                count = f.get(I64, made)
                f.put(I64, value, f.word_at(decisions, count))
                f.put(I64, f.binary("add", I64, count, 1), made)
        return f.get(I64, made)

    # ------------------------------------------------------------- what is counted of positions

    @property
    def _pairs(self) -> int:
        return len(self._shared.pairs)

    def _row(self, what: str, size: int) -> int:
        return self._counters.row(what, None, size)

    def _which(self, f: Function, position: Address, begin: int) -> Word:
        """Return a count (i64) for the phase and side on turn, of those that begin with one."""
        return f.binary("add", I64, self._shared.which(Place(f, position)), begin)

    def _mover(self, f: Function, position: Address) -> Word:
        mover = self._shared.program.system.mover
        return self._shared.expressions.word(Place(f, position), Get(mover))

    def _layer(self, f: Function, position: Address, slot: Slot) -> Sites:
        found = self._shared.expressions.read(Place(f, position), slot)
        assert isinstance(found, Sites), "a layer is a set"
        return found

    def _join(self, f: Function, name: Hashable, sites: Sites) -> None:
        """Write that sites come to one of the sets that are kept."""
        address = self._heading.set(f, name)
        self._sets.write(f, self._sets.union(f, [self._sets.read(f, address), sites]), address)

    def _write_note_position(self) -> None:
        """`note_position(position, start)`: who is on turn where, and where pieces stand."""
        parameters = ["ptr %position", f"ptr {_START}"]
        f = self._shared.module.function("note_position", "internal void", parameters, "noinline ")
        self._counters.add(f, self._which(f, POSITION, self._row("on turn", self._pairs)))
        for slot in self._counters.watched.layers:
            self._join(f, slot, self._layer(f, POSITION, slot))
        for slot, place in self._heading.numbers.items():
            number = self._shared.expressions.word(Place(f, POSITION), Get(slot))
            for way, address in (("smin", place), ("smax", place + 1)):
                at = self._heading.word(f, address)
                f.put(I64, f.intrinsic(way, I64, f.get(I64, at), f"i64 {number}"), at)
        for slot in self._variables():
            field = self._layout.fields[slot]
            differs = f.memory_differs(field.at(f, POSITION), field.at(f, _START), field.bytes)
            self._counters.add_if(f, differs, self._counters.row("differs", slot, 1))
        f.give("void")

    def _variables(self) -> Iterator[Slot]:
        """Yield what is kept of a position besides pieces and the course of the game."""
        program = self._shared.program
        system = program.system
        course = {system.mover, system.turns, system.passes, system.phase, *system.seats}
        course.update(memory.slot for memory in program.memories)
        for slot in program.state:
            if slot not in course and slot not in self._counters.watched.layers:
                yield slot

    def _write_note_move(self) -> None:
        """`note_move(before, after, start)`: whose pieces became fewer or moved, who is next."""
        parameters = [f"ptr {_BEFORE}", f"ptr {_AFTER}", f"ptr {_START}"]
        f = self._shared.module.function("note_move", "internal void", parameters, "noinline ")
        shared, sides = self._shared, self._shared.sides
        mover = self._mover(f, _BEFORE)
        row = self._row("next", sides * sides)
        pair = f.binary("add", I64, f.binary("mul", I64, mover, sides), self._mover(f, _AFTER))
        self._counters.add(f, f.binary("add", I64, pair, row))
        phase, phases = shared.program.system.phase, len(shared.program.phases)
        if phase is not None:
            row = self._row("phases", phases * phases)
            here, there = (
                shared.expressions.word(Place(f, position), Get(phase))
                for position in (_BEFORE, _AFTER)
            )
            led = f.binary("add", I64, f.binary("mul", I64, here, phases), there)
            self._counters.add(f, f.binary("add", I64, led, row))
        with f.when(self._layout.ended.is_set(f, _AFTER)):
            self._counters.add(f, self._which(f, _BEFORE, self._row("ended", self._pairs)))
        self._note_idle(f)
        self._note_pieces(f, mover)
        f.give("void")

    def _note_idle(self, f: Function) -> None:
        """Write whether nothing but the course of the game has changed."""
        program = self._shared.program
        system = program.system
        counters = {system.mover, system.turns, system.passes}
        counters.update(memory.slot for memory in program.memories)
        changed = self._layout.ended.is_set(f, _AFTER)
        runs: list[list[int]] = []
        for slot in program.state:
            field = self._layout.fields[slot]
            if slot in counters:
                continue
            if runs and runs[-1][1] == field.offset:
                runs[-1][1] = field.offset + field.bytes
            else:
                runs.append([field.offset, field.offset + field.bytes])
        for begin, end in runs:
            one, other = f.at(_BEFORE, begin), f.at(_AFTER, begin)
            changed = f.binary("or", I1, changed, f.memory_differs(one, other, end - begin))
        self._counters.add_if(f, f.is_not(changed), self._row("idle", 1))

    def _note_pieces(self, f: Function, mover: Word) -> None:
        """Write whose pieces became fewer, moved, came to sites, and took others."""
        sets, counters = self._sets, self._counters
        layers = counters.watched.layers
        kinds = 1 + max((layer.kind for layer in layers.values()), default=0)
        changed = {slot: self._changed(f, slot) for slot in layers}
        for one in changed.values():
            self._join(f, ENTERED, one.gained)
        owned = [(slot, layer) for slot, layer in layers.items() if layer.side is not None]
        row, moved = self._row("moved", kinds), f.variable(I64, kinds)
        for slot, layer in owned:
            is_mover = f.compare("eq", I64, mover, int(layer.side or 0))
            with f.when(f.binary("and", I1, changed[slot].has_moved, is_mover)):
                counters.add(f, row + layer.kind)
                f.put(I64, layer.kind, moved)
        kind, row = f.get(I64, moved), self._row("taken", (kinds + 1) * kinds * 2)
        for slot, layer in owned:
            with f.when(f.compare("sgt", I64, changed[slot].fewer, 0)):
                is_other = f.compare("ne", I64, mover, int(layer.side or 0))
                place = f.binary("add", I64, f.binary("mul", I64, kind, kinds), layer.kind)
                place = f.binary("mul", I64, place, 2)
                place = f.binary("add", I64, place, f.convert("zext", I1, is_other, I64))
                counters.add(f, f.binary("add", I64, place, row))
        own_taken, taking = self._row("own taken", 1), self._row("taking", kinds)
        lost, touched = self._row("lost", 2), self._row("touched pieces", 2)
        named = sets.read(f, self._heading.set(f, NAMED))
        for side in f.cases(I64, mover, range(self._shared.sides)):
            own = [(layer, changed[slot]) for slot, layer in owned if layer.side == side]
            others = [changed[slot] for slot, layer in owned if layer.side != side]
            fewer, fewer_others = (
                _sum(f, [one.fewer for _, one in own]),
                _sum(f, [one.fewer for one in others]),
            )
            has_taken = f.compare("sgt", I64, fewer_others, 0)
            are_touched = [_any(f, [one.has_changed for _, one in own])]
            are_touched.append(_any(f, [one.has_changed for one in others]))
            counters.add_if(f, f.compare("sgt", I64, fewer, 0), lost)
            counters.add_if(f, has_taken, lost + 1)
            for number, is_touched in enumerate(are_touched):
                counters.add_if(f, is_touched, touched + number)
            for layer, one in own:
                has_both = f.binary("and", I1, one.has_moved, has_taken)
                counters.add_if(f, has_both, taking + layer.kind)
            before = sets.union(f, [sets.constant(0), *(one.before for _, one in own)])
            after = sets.union(f, [sets.constant(0), *(one.after for _, one in own)])
            left = sets.intersection(f, [sets.difference(f, before, after), named])
            kept = sets.intersection(f, [before, after, named])
            is_taken = f.compare("eq", I64, fewer, 1)
            for also in (f.is_not(are_touched[1]), sets.some(f, left), sets.some(f, kept)):
                is_taken = f.binary("and", I1, is_taken, also)
            counters.add_if(f, is_taken, own_taken)

    def _changed(self, f: Function, slot: Slot) -> _Changed:
        """Return what a move has done to a layer."""
        sets = self._sets
        before, after = self._layer(f, _BEFORE, slot), self._layer(f, _AFTER, slot)
        gained, gone = sets.difference(f, after, before), sets.difference(f, before, after)
        has_gained, has_lost = sets.some(f, gained), sets.some(f, gone)
        return _Changed(
            before,
            after,
            gained,
            f.binary("or", I1, has_gained, has_lost),
            f.binary("and", I1, has_gained, has_lost),
            f.binary("sub", I64, sets.count(f, before), sets.count(f, after)),
        )


@dataclass(frozen=True)
class _Changed:
    """A layer before and after a move, what it has gained, and by how many pieces it is less.

    It `has_moved` if it has gained sites and lost others.
    """

    before: Sites
    after: Sites
    gained: Sites
    has_changed: Bit
    has_moved: Bit
    fewer: Word


def _sum(f: Function, numbers: Sequence[Word]) -> Word:
    return reduce(lambda a, b: f.binary("add", I64, a, b), numbers, Word("0"))


def _any(f: Function, flags: Sequence[Bit]) -> Bit:
    return reduce(lambda a, b: f.binary("or", I1, a, b), flags, FALSE)
