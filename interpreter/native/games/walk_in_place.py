"""The walk through a turn in place: all its code in one function, without copies of frames.

In: blocks that follow one another. Out: their code. What then holds: what follows a statement that
divides the way stands on each branch, unless the branches meet. Layers that nobody looks at gain
their sites in the position that a random game was begun from, a word at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from itertools import compress
from operator import not_
from typing import Generic, TypeVar

from gdl.analysis.changes import Done
from gdl.analysis.plain_turns import Plain
from gdl.analysis.random_moves import Counted
from gdl.analysis.set_sizes import Part
from gdl.core.nodes import (
    Assign,
    Block,
    Branch,
    Choose,
    Decide,
    Decision,
    ForEach,
    Get,
    Op,
    Repeat,
    Require,
    Say,
    Slot,
    Statement,
)
from gdl.core.walk import assigned_slots, is_effect, numbered, statements_in
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.blocks import ENDLESS, Label
from gdl.interpreter.native.emit.ir import WORD_BYTES, Function
from gdl.interpreter.native.emit.kinds import I1, I64, PTR, TRUE, Address, Bit, Word
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.games.draws import DrawCode, part_with
from gdl.interpreter.native.turns.effects import Effects
from gdl.interpreter.native.turns.walk import Walk
from gdl.interpreter.native.views.views import Views


@dataclass(frozen=True)
class WayInPlace:
    """What follows on a way: statements, and then the label `meeting`, or else its end."""

    rest: Block = ()
    meeting: Label | None = None


Way = TypeVar("Way", bound=WayInPlace)


class WalkInPlace(Walk[Way], Generic[Way]):
    """Writes the ways through blocks that follow one another."""

    effects: EffectsInPlace

    def after(self, block: Block, way: Way) -> Way:
        """Return the way on which a block comes before all that follows."""
        return replace(way, rest=(*block, *way.rest))

    def end(self, p: Place, effects: Block, way: Way) -> None:
        """Write the last effects of a block, and what follows it."""
        self.go_on(p, self.do(p, effects, way))

    def go_on(self, p: Place, way: Way) -> None:
        """Write what follows on a way."""
        if way.rest:
            self.go(p, way.rest, replace(way, rest=()))
        elif way.meeting is not None:
            p.f.jump(way.meeting)
        else:
            self.complete(p, way)

    def meet(self, p: Place, statement: Statement, way: Way) -> None:
        """Write a statement with decisions whose ways come together at its end."""
        with p.f.block() as meeting:
            super().fork(p, statement, replace(way, rest=(), meeting=meeting))

    def decide(self, p: Place, statement: Decide, way: Way) -> None:
        """Raise TypeError: most such turns have no alternatives."""
        raise TypeError(f"alternatives in place: {statement}")

    def loop(self, p: Place, statement: ForEach | Repeat, way: Way) -> None:
        """Raise TypeError: most such turns have no loops with decisions in them."""
        raise TypeError(f"a loop with decisions in place: {statement}")

    def complete(self, p: Place, way: Way) -> None:
        """Write what a completed way is for, unless that comes behind it."""


class EffectsInPlace(Effects):
    """Writes statements without decisions; `draws` is for choices.

    `unread_layers` are those of the position `home`.
    """

    def __init__(
        self,
        expressions: Expressions,
        best: Slot | None,
        views: Views,
        unread_layers: AbstractSet[Slot],
    ) -> None:
        super().__init__(expressions, best)
        self.draws = DrawCode(expressions, views)
        self._unread_layers = unread_layers

    def keep(self, p: Place, slots: Iterable[Slot], *, with_all: bool = True) -> Callable[[], None]:
        """Write that slots are copied, and `with_all` the whole position; the result puts back."""
        f, layout = p.f, self.layout
        kept = [(layout.state_bytes, p.frame)] if with_all else []
        fields = ((slot, layout.fields[slot]) for slot in slots)
        kept += [(field.bytes, p.address(slot, field)) for slot, field in fields]
        copies = [(size, address, f.room(f"[{size} x i8]")) for size, address in kept]
        for size, address, copy in copies:
            f.copy(address, copy, size)

        def put_back() -> None:
            for size, address, copy in copies:
                f.copy(copy, address, size)

        return put_back

    def effect(self, p: Place, statement: Statement) -> None:
        """Write a statement without decisions."""
        if isinstance(statement, Assign) and statement.slot in self._unread_layers:
            p.f.note(statement.span)
            assert isinstance(statement.value, Op), "an unread layer only gains sites"
            site = next(part for part in statement.value.arguments if part != Get(statement.slot))
            assert isinstance(site, Get), "what an unread layer gains is a choice"
            self._gain(p, statement.slot, site.slot, TRUE)
        else:
            super().effect(p, statement)

    def gain_one(self, p: Place, layers: Sequence[Slot], site: Slot, number: Word) -> None:
        """Write that the layer of a number (i64) gains a site: no branch could be foreseen."""
        f, sets = p.f, self._sets
        for place, layer in enumerate(layers):
            is_it = f.compare("eq", I64, number, place)
            if layer in self._unread_layers:
                self._gain(p, layer, site, is_it)
                continue
            single = self.expressions.sites(p, Get(site))
            gained = sets.choose(f, is_it, single, sets.constant(0))
            before = self.expressions.sites(p, Get(layer))
            self.expressions.write(p, layer, sets.union(f, [before, gained]))

    def _gain(self, p: Place, layer: Slot, site: Slot, condition: Bit) -> None:
        """Write that an unread layer gains a site if a condition (i1) holds, in one word."""
        f = p.f
        index = self._sets.index(f, self.expressions.sites(p, Get(site)))
        word = f.binary("shl", I64, f.binary("lshr", I64, index, 6), 3)
        address = f.at(self.layout.fields[layer].at(f, Address("%home")), word)
        one = f.convert("zext", I1, condition, I64)
        bit = f.binary("shl", I64, one, f.binary("and", I64, index, 63))
        f.put(I64, f.binary("or", I64, f.get(I64, address), bit), address)


# ------------- the code of random moves of turns whose ways are counted in place before one is made

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


# ---------------------------------------------------- the code of a random move that a number draws

_NONE = Word("0")


@dataclass(frozen=True)
class DrawnWay(WayInPlace):
    """A way that a number names: `number` (i64) is what is left of it, after all choices 0.

    It is below `bound`. `done` are the statements so far, but for words and requirements. The code
    goes on at `again` if there is no such way; once a statement has had an effect, at `put_back`.
    It `passed` if it said no more than that, and decided nothing since. With `meets`, the ways
    through the next statement that divides them meet behind it.
    """

    number: Word = _NONE
    bound: Word | int = 1
    again: Label | None = None
    put_back: Label | None = None
    done: Done = field(default_factory=Done)
    passed: bool = False
    meets: bool = False

    def decided(
        self, statement: Statement, number: Word = _NONE, bound: Word | int = 1
    ) -> DrawnWay:
        """Return the way behind a decision, with what that leaves of the number."""
        done = self.done.and_then(statement)
        return replace(self, number=number, bound=bound, done=done, passed=False)


@dataclass(frozen=True)
class Tried:
    """Where the number that is tried is (i64), and the next one to try: one more already."""

    number: Address
    following: Address


class Drawing(WalkInPlace[DrawnWay]):
    """Writes the ways of a turn that a number names; `made` writes what a completed one is for.

    Choices with `parts` are drawn from those. All ways end with the statements `last`, if there are
    such: these, and what completed ways are for, are then written once, by `write_last`.
    """

    def __init__(
        self,
        effects: EffectsInPlace,
        parts: Mapping[Decision, tuple[Part, ...]],
        turn: Plain,
        made: Callable[[Place, DrawnWay], None],
        tried: Tried | None = None,
        last: Block | None = None,
    ) -> None:
        super().__init__(effects)
        self._parts = parts
        self.turn = turn
        self._made = made
        self._tried = tried
        self._last = last
        self._before_last: dict[bool, tuple[Label, DrawnWay]] = {}

    def go(self, p: Place, block: Block, way: DrawnWay) -> None:
        """Write the statements of a block, and what follows: `last` stands apart."""
        if self._last and not way.rest and way.meeting is None:
            place = len(block) - len(self._last)
            if block[place:] == self._last:
                block, way = block[:place], replace(way, rest=self._last)
        super().go(p, block, way)

    def write_last(self, p: Place) -> None:
        """Write what all ways end with; `p` knows nothing of them."""
        last, self._last = self._last, None
        for label, way in self._before_last.values():
            p.f.label(label)
            way = replace(way, rest=(), number=_NONE, bound=1, again=way.put_back, done=Done())
            self.go(p, last or (), way)

    def need(self, p: Place, condition: Bit, way: DrawnWay) -> None:
        """Write that the number names no way unless a condition holds."""
        assert way.again is not None, "a way that may fail is tried"
        if way.bound == 1 or self._tried is None:
            p.f.need(condition, way.again)
            return
        with p.f.unless(condition):
            self._refuse(p, way)

    def _refuse(self, p: Place, way: DrawnWay) -> None:
        """Write that the number names no way, nor do those after it that begin as it does."""
        assert way.again is not None, "a way that may fail is tried"
        if way.bound != 1 and self._tried is not None:
            f, tried = p.f, self._tried
            left = f.binary("sub", I64, way.bound, way.number)
            f.put(I64, f.binary("add", I64, f.get(I64, tried.number), left), tried.following)
        p.f.jump(way.again)

    def do(self, p: Place, effects: Block, way: DrawnWay) -> DrawnWay:
        """Write statements without decisions, if anything comes of them."""
        done = way.done.and_then(*effects)
        written = tuple(compress(effects, map(not_, done.idle[len(way.done.idle) :])))
        self.effects.effects(p, written)
        return replace(way, done=done, again=way.put_back if written else way.again)

    def require(self, p: Place, statement: Require, way: DrawnWay) -> None:
        """Write that another way is drawn unless a condition holds."""
        self.need(p, self.expressions.flag(p, statement.condition), way)

    def fork(self, p: Place, statement: Statement, way: DrawnWay) -> None:
        """Write a statement with decisions, and the ways behind it, once if they meet there."""
        divides = isinstance(statement, Branch | Decide) and numbered(statement) is None
        if way.meets and divides:
            way = replace(way, meets=False)
            self.meet(p, statement, way)
            behind = way.decided(statement)
            self.go_on(p, replace(behind, again=way.put_back, passed=way.passed))
        else:
            super().fork(p, statement, way)

    def choose(self, p: Place, statement: Choose, way: DrawnWay) -> None:
        """Write a further choice: the one that the number names, if there is such a one."""
        f, weight = p.f, self.turn.ways_on[statement.decision]
        assert isinstance(weight, int), "the ways after the choice have a bound"
        number, below = _divided(p, way.number, weight)
        after = way.decided(statement, below, weight)
        parts = self._parts.get(statement.decision, ())
        if parts and statement.unordered_with is None:
            refused: dict[int, Label] = {}
            index = self._nth_of_parts(p, parts, number, refused)
            value = self.sets.one(index, is_there=True)
            self.go_on(self.effects.draws.known(p, statement, value, way.rest), after)
            for end, label in refused.items():
                f.label(label)
                bound = min(way.bound, end * weight) if isinstance(way.bound, int) else way.bound
                self._refuse(p, replace(way, bound=bound))
            return
        drawn = self.effects.draws.of(p, statement)
        self.need(p, f.compare("ult", I64, number, drawn.count), way)
        self.go_on(self.effects.draws.choose(p, statement, drawn, number, way.rest), after)

    def _nth_of_parts(
        self, p: Place, parts: Sequence[Part], number: Word, refused: dict[int, Label]
    ) -> Word:
        """Write which site (i64) a number is, where only the part that has it is worked out.

        Parts are numbered one behind the other, each as if it were as large as it can be; where
        none has the number, the code goes on at the label that is `refused` for the end of the part
        whose numbers it is among.
        """
        f, sets = p.f, self.sets
        index, end = f.variable(I64), 0
        with f.block() as chosen:
            for which, place in part_with(f, number, [part.most for part in parts], is_sure=False):
                part = parts[which]
                end += part.most
                sites = self.expressions.sites(p, part.sites)
                if part.most > 1:
                    has_it = f.compare("ult", I64, place, sets.count(f, sites))
                else:
                    has_it = sets.some(f, sites)
                f.need(has_it, refused.setdefault(end, f.new_label()))
                found = sets.nth(f, sites, place) if part.most > 1 else sets.index(f, sites)
                f.put(I64, found, index)
                f.jump(chosen)
            refused[ENDLESS] = f.new_label()
            f.jump(refused[ENDLESS])
        return f.get(I64, index)

    def decide(self, p: Place, statement: Decide, way: DrawnWay) -> None:
        """Write a further decision: the alternative that the number names."""
        f = p.f
        gains = way.done.one_gains(statement)
        is_last = all(is_effect(further) or isinstance(further, Say) for further in way.rest)
        if gains is not None and is_last and not self.sets.are_arrays:
            layers, site = gains
            if way.again is not None:
                self.need(p, f.compare("ult", I64, way.number, len(layers)), way)
            self.effects.gain_one(p, layers, site, way.number)
            self.go_on(p, replace(way.decided(statement), again=way.put_back))
            return
        weights = self.turn.ways_on[statement.decision]
        assert isinstance(weights, tuple), "all alternatives have a bound"
        if numbered(statement) is not None:
            assert way.again is not None, "a way that may fail is tried"
            weight = max(weights)
            case, below = _divided(p, way.number, weight)
            inner = self.effects.draws.decide(p, statement, case, way.again)
            self.go_on(inner, way.decided(statement, below, weight))
            return
        for place, left in part_with(f, way.number, weights, is_sure=way.again is None):
            way_on = replace(way, number=left, bound=weights[place], passed=False)
            self.go(p, statement.alternatives[place].body, way_on)
        if way.again is not None:
            self._refuse(p, way)

    def go_on(self, p: Place, way: DrawnWay) -> None:
        """Write what follows on a way, which must not leave anything of the number."""
        is_last = way.meeting is None and way.rest == self._last
        if (is_last or not way.rest) and way.again is not None and way.number != "0":
            self.need(p, p.f.compare("eq", I64, way.number, 0), way)
        if is_last:
            to_last = self._before_last.setdefault(way.passed, (p.f.new_label(), way))
            p.f.jump(to_last[0])
        else:
            super().go_on(p, way)

    def complete(self, p: Place, way: DrawnWay) -> None:
        """Write what the way is for."""
        self._made(p, way)


def _divided(p: Place, number: Word, weight: int) -> tuple[Word, Word]:
    """Return which choice a number (i64) names, each having so many ways on, and which way on."""
    if weight <= 1:
        return number, _NONE
    f = p.f
    return f.binary("udiv", I64, number, weight), f.binary("urem", I64, number, weight)
