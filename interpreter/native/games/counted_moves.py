"""The code of random moves of turns whose ways are counted in place before one is made.

In: a counted turn (see `gdl.analysis.random_moves`). Out: code that counts its ways, each as it
comes, draws one of them and makes it. What then holds: each way is as likely; no frame was copied,
but the slots that a way changes are put back after it.

Ways are kept in a table as they are counted: what was chosen before the last choice, the set that
can be chosen from last, and how many ways there are up to there. Of the sites after which nothing
more is decided (all but those of `before_decisions`), none is tried. Where the table is full, or a
loop goes on for another round, the moves are left to a search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from gdl.analysis.random_moves import Counted
from gdl.core.nodes import Branch, Choose, Decision, ForEach, Repeat, Require, Statement
from gdl.core.walk import assigned_slots, is_effect, statements_in
from gdl.data_classes import dataclass
from interpreter.native.emit.blocks import Label
from interpreter.native.emit.ir import WORD_BYTES, Function
from interpreter.native.emit.kinds import I64, PTR, Address, Word
from interpreter.native.emit.values import Sites
from interpreter.native.expressions.places import Place
from interpreter.native.games.walk_in_place import EffectsInPlace, WalkInPlace, WayInPlace

_MOST_ENTRIES = 128


def write_counted(p: Place, effects: EffectsInPlace, turn: Counted, give_up: Label) -> None:
    """Write that a way is drawn and made, or false is given; too many ways go on at `give_up`."""
    f = p.f
    counting = Counting(p, effects, turn, give_up)
    with f.block() as counted:
        counting.go(p, turn.block, CountedWay(done=counted))
    total = f.get(I64, counting.total)
    with f.when(f.compare("eq", I64, total, 0)):
        f.give("i1 false")
    number = f.call(I64, f"@next_below(ptr %random, i64 {total})")
    chosen = f.variable(PTR, counting.drawn(f, number))
    Following(effects, chosen).go(p, turn.block, WayInPlace())


@dataclass(frozen=True)
class CountedWay(WayInPlace):
    """A way that is counted: the indices of what was chosen, and the label behind it."""

    values: tuple[Word, ...] = ()
    done: Label = field(kw_only=True)


class Counting(WalkInPlace[CountedWay]):
    """Writes that all ways of a turn are entered into a table; `total` is where their number is."""

    def __init__(self, p: Place, effects: EffectsInPlace, turn: Counted, give_up: Label) -> None:
        super().__init__(effects)
        f, sets = p.f, self.sets
        self._give_up = give_up
        choices = sum(isinstance(s, Choose) for s in statements_in(turn.block))
        self._set_at = (choices + 3) * WORD_BYTES
        self._entry_bytes = self._set_at + -(-sets.bytes // WORD_BYTES) * WORD_BYTES
        self._begin = f.room(f"[{_MOST_ENTRIES * self._entry_bytes} x i8]")
        self._next, self.total = f.variable(PTR, self._begin), f.variable(I64, 0)
        self._before_decisions: dict[Decision, Address] = {}
        for decision, sites in turn.before_decisions.items():
            self._before_decisions[decision] = sets.variable(f)
            sets.write(f, self.expressions.sites(p, sites), self._before_decisions[decision])

    def _enter(self, f: Function, values: Sequence[Word], sites: Sites, count: Word) -> None:
        """Write an entry: some ways, if there are any; `values` are the choices before the last."""
        entry = f.get(PTR, self._next)
        end = f.at(self._begin, (_MOST_ENTRIES - 1) * self._entry_bytes)
        f.leave_if(f.compare("ugt", PTR, entry, end), self._give_up)
        f.put(I64, f.add(I64, count, self.total), entry)
        f.put(I64, len(values), f.at(entry, WORD_BYTES))
        for place, value in enumerate(values, start=2):
            f.put(I64, value, f.at(entry, place * WORD_BYTES))
        self.sets.write(f, sites, f.at(entry, self._set_at))
        next_ = f.at(entry, self._entry_bytes)
        f.put(PTR, f.select(f.compare("ne", I64, count, 0), PTR, next_, entry), self._next)

    def drawn(self, f: Function, number: Word) -> Address:
        """Return the address of the choices of the way with a number, the last one among them."""
        place, before = f.variable(PTR, self._begin), f.variable(I64, 0)
        with f.loop() as loop:
            entry = f.get(PTR, place)
            end = f.get(I64, entry)
            f.need(f.compare("uge", I64, number, end), loop.done)
            f.put(I64, end, before)
            f.put(PTR, f.at(entry, self._entry_bytes), place)
        left = f.binary("sub", I64, number, f.get(I64, before))
        last = self.sets.nth(f, self.sets.read(f, f.at(entry, self._set_at)), left)
        values = f.at(entry, 2 * WORD_BYTES)
        f.put(I64, last, f.word_at(values, f.get(I64, f.at(entry, WORD_BYTES))))
        return values

    def require(self, p: Place, statement: Require, way: CountedWay) -> None:
        """Write that a way is not counted unless a condition holds."""
        p.f.need(self.expressions.flag(p, statement.condition), way.done)

    def choose(self, p: Place, statement: Choose, way: CountedWay) -> None:
        """Write that the ways after each candidate are counted, all at once if nothing may fail."""
        f, sets = p.f, self.sets
        drawn = self.effects.draws.of(p, statement)
        sites = drawn.candidates.sites
        assert sites is not None, "the choice is of a site"
        if all(map(is_effect, way.rest)):
            self._enter(f, way.values, sites, drawn.count)
            f.jump(way.done)
            return
        if statement.decision in self._before_decisions:
            few = sets.read(f, self._before_decisions[statement.decision])
            last = sets.difference(f, sites, few)
            self._enter(f, way.values, last, sets.count(f, last))
            sites = sets.intersection(f, [sites, few])
        put_back = self.effects.keep(p, assigned_slots(way.rest), with_all=False)
        with sets.each(f, sites) as loop:
            with f.block() as next_:
                value = sets.one(loop.index, is_there=True)
                inner = self.effects.draws.known(p, statement, value, way.rest)
                self.go_on(inner, replace(way, values=(*way.values, loop.index), done=next_))
            put_back()
        f.jump(way.done)

    def loop(self, p: Place, statement: ForEach | Repeat, way: CountedWay) -> None:
        """Write that a search is needed if a loop goes on."""
        assert isinstance(statement, Repeat) and statement.bound, "the loop has a condition"
        p.f.leave_if(self.expressions.flag(p, statement.bound), self._give_up)
        self.go_on(p, way)

    def complete(self, p: Place, way: CountedWay) -> None:
        """Write that the way is entered, as if the first site had been chosen last."""
        self._enter(p.f, way.values, self.sets.constant(1), Word("1"))
        p.f.jump(way.done)


class Following(WalkInPlace[WayInPlace]):
    """Writes that a way of a turn is made; `chosen` is where the address of its choices is."""

    def __init__(self, effects: EffectsInPlace, chosen: Address) -> None:
        super().__init__(effects)
        self._chosen = chosen

    def require(self, p: Place, statement: Require, way: WayInPlace) -> None:
        """Write nothing: the way is known to be one."""

    def fork(self, p: Place, statement: Statement, way: WayInPlace) -> None:
        """Write a statement with decisions, and once what follows it."""
        if isinstance(statement, Branch):
            self.meet(p, statement, way)
            self.go_on(p, way)
        else:
            super().fork(p, statement, way)

    def choose(self, p: Place, statement: Choose, way: WayInPlace) -> None:
        """Write the choice that was noted."""
        f = p.f
        here = f.get(PTR, self._chosen)
        f.put(PTR, f.at(here, WORD_BYTES), self._chosen)
        value = self.sets.one(f.get(I64, here), is_there=True)
        self.go_on(self.effects.draws.known(p, statement, value, way.rest), way)

    def loop(self, p: Place, statement: ForEach | Repeat, way: WayInPlace) -> None:
        """Write nothing of a loop that does not go on."""
        self.go_on(p, way)
