"""The code of random moves made in place, in plain turns.

In: a plain turn (`plain`). Out: a function that makes a random move in a position: it returns
whether there was one. What then holds: the move is the one that a search for it would have found
with the same random number; no frame was copied on the way, and no list was made.

One random number draws all choices of a way. Where it draws a way that does not exist, or a
condition fails, the position is put back and another way is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial

from gdl.analysis.changes import Changes, changes
from gdl.analysis.drawing import Cases, Counted, InPlace
from gdl.analysis.in_place import MOST_ENDINGS, Plain, Way, endings_of
from gdl.analysis.set_sizes import Part
from gdl.analysis.ways_on import MOST_DRAWS, After
from gdl.core.nodes import (
    Assign,
    Block,
    Branch,
    Choose,
    Decide,
    Decision,
    Get,
    Op,
    Require,
    Say,
    Slot,
    Statement,
)
from gdl.core.walk import assigned_slots, is_effect
from interpreter.evaluation.moves import PASS
from interpreter.native.emit.ir import Module, copy_bytes
from interpreter.native.emit.values import Number, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.games.candidates import CandidateCode, Candidates
from interpreter.native.games.counted_moves import CountedCode, put_back, save
from interpreter.native.games.pairs import PairCode
from interpreter.native.memory.frame import FrameLayout
from interpreter.native.turns.effects import Effects
from interpreter.native.views.views import Views

PARAMETERS = ("frame", "world", "random", "views", "home")
"""What the functions are given: addresses of what they work with."""
_MOST_INLINED = 600


class InPlaceCode(Effects):
    """Writes the function of a plain turn.

    `finish` writes what follows the turn, given what the way has done and whether it was a pass.
    Layers that are `unread` are those of another position, which is `home`.
    """

    def __init__(
        self,
        module: Module,
        expressions: Expressions,
        layout: FrameLayout,
        best: Slot | None,
        following: Slot,
        parts: Mapping[Decision, tuple[Part, ...]],
        views: Views,
        unread: AbstractSet[Slot],
        finish: Callable[[Place, Changes, bool], None],
    ) -> None:
        super().__init__(module, expressions, layout, best)
        self._following = following
        self._weights: After = {}
        self._parts = parts
        self._candidates = CandidateCode(expressions, views)
        self._pairs = PairCode(expressions, self._candidates)
        self._unread = unread
        self._end: Callable[[Place, tuple[Statement, ...], bool], None] = self._made
        self._meets = False
        self._finish = finish

    def write(self, name: str, turn: InPlace) -> None:
        """Write `name`, which takes `PARAMETERS`.

        Where it gives up looking for a move, it says so in the frame.
        """
        f = self._module.function(
            name,
            "internal i1",
            [f"ptr %{name}" for name in PARAMETERS],
            "nounwind ",
        )
        p = Place(f, "%frame", "%world", {})
        self._expressions.write(p, self._following, Number("-1", -1, -1))
        self._draw(p, turn)
        if f.length <= _MOST_INLINED:
            f.inline()

    def _draw(self, p: Place, turn: InPlace | None) -> None:
        """Write that a move is drawn, and the end of the function."""
        if turn is None:
            self._give_up(p)
            return
        for statement in turn.before:
            self.effect(p, statement)
        match turn:
            case Plain():
                self._draw_plain(p, turn)
            case Counted():
                self._draw_counted(p, turn)
            case Cases(_, condition, then, otherwise):
                first, second = p.f.new_label(), p.f.new_label()
                p.f.branch(self._expressions.flag(p, condition), first, second)
                p.f.label(first)
                self._draw(p, then)
                p.f.label(second)
                self._draw(p, otherwise)

    def _give_up(self, p: Place) -> None:
        """Write that a search is needed."""
        p.f.put("i8", "1", p.f.at("%frame", self._layout.undrawn.offset))
        p.f.give("i1 false")

    def _draw_counted(self, p: Place, turn: Counted) -> None:
        f = p.f
        size, give_up = self._layout.state_bytes, f.new_label()
        backup = f.variable(f"[{size} x i8]")
        copy_bytes(self._module, f, "%frame", backup, size)
        code = CountedCode(
            self._module, self._expressions, self._layout, self._candidates, self.effect
        )
        code.write(p, turn, give_up)
        done = Changes((), frozenset(assigned_slots(turn.block)), frozenset())
        self._finish(p, done, False)
        f.give("i1 true")
        f.label(give_up)
        copy_bytes(self._module, f, backup, "%frame", size)
        self._give_up(p)

    def _draw_plain(self, p: Place, turn: Plain) -> None:
        f = p.f
        self._weights = turn.ways_on
        candidates = [self._open(p, way) for way in turn.ways]
        if not candidates:
            f.give("i1 false")
            return
        total = candidates[0].count
        for found in candidates[1:]:
            total = f.ins(f"add i64 {total}, {found.count}")
        if not any(way.choice is None and not way.guards for way in turn.ways):
            with f.when(f.ins(f"icmp eq i64 {total}, 0")):
                f.give("i1 false")
        if turn.may_fail:
            self._try(p, turn, candidates, total)
        else:
            number = f.ins(f"call i64 @next_below(ptr %random, i64 {total})")
            self._take_one(p, turn, candidates, number, None)

    def effect(self, p: Place, statement: Statement) -> None:
        """Write a statement without decisions."""
        if isinstance(statement, Assign) and statement.slot in self._unread:
            p.f.note(statement.span)
            self._gain(p, statement)
        else:
            super().effect(p, statement)

    def _gain(self, p: Place, statement: Assign) -> None:
        """Write that an unread layer gains a site, in the one word where that is."""
        f = p.f
        assert isinstance(statement.value, Op), "an unread layer only gains sites"
        site = next(part for part in statement.value.arguments if part != Get(statement.slot))
        assert isinstance(site, Get), "what an unread layer gains is a choice"
        layer = f.at("%home", self._layout.fields[statement.slot].offset)
        index = self._sets.index(f, self._expressions.sites(p, site))
        address = f.at(layer, f.ins(f"shl i64 {f.ins(f'lshr i64 {index}, 6')}, 3"))
        bit = f.ins(f"shl i64 1, {f.ins(f'and i64 {index}, 63')}")
        f.put("i64", f.ins(f"or i64 {f.get('i64', address)}, {bit}"), address)

    def _try(self, p: Place, turn: Plain, candidates: list[Candidates], total: str) -> None:
        """Draw until a way does not fail, if that comes soon; else look for all that do not."""
        f = p.f
        size = self._layout.state_bytes
        backup = f.variable(f"[{size} x i8]")
        copy_bytes(self._module, f, "%frame", backup, size)
        after = tuple(statement for way in turn.ways for statement in way.after)
        own = assigned_slots(turn.before) & assigned_slots(after)
        saved = {slot: save(self._module, self._layout, p, slot) for slot in own}
        with f.rounds(str(MOST_DRAWS)) as loop:
            f.seldom.add(loop.head)
            number = f.ins(f"call i64 @next_below(ptr %random, i64 {total})")
            again = f.new_label()
            self._take_one(p, turn, candidates, number, again)
            f.label(again)
            copy_bytes(self._module, f, backup, "%frame", size)
            for slot, copy in saved.items():
                put_back(self._module, self._layout, p, slot, copy)
        self._give_up(p)

    def _take_one(
        self,
        p: Place,
        turn: Plain,
        candidates: list[Candidates],
        number: str,
        again: str | None,
    ) -> None:
        """Write each way, and which of them a number picks."""
        f = p.f
        left = number
        for place, (way, found) in enumerate(zip(turn.ways, candidates, strict=True)):
            here, other = f.new_label(), f.new_label()
            if place < len(turn.ways) - 1:
                f.branch(f.ins(f"icmp ult i64 {left}, {found.count}"), here, other)
                f.label(here)
            self._take(p, way, found, left, again)
            f.label(other)
            left = f.ins(f"sub i64 {left}, {found.count}")
        f.do("unreachable")
        f.is_open = False

    def _take(self, p: Place, way: Way, found: Candidates, number: str, again: str | None) -> None:
        passed = way.choice is None and way.says in ((), (PASS,))
        inner, descent = p, "0"
        if way.choice is not None:
            p.f.note(way.choice.span)
            if way.weight > 1:
                descent = p.f.ins(f"urem i64 {number}, {way.weight}")
                number = p.f.ins(f"udiv i64 {number}, {way.weight}")
            if way.is_pair:
                inner = self._pairs.choose(p, way, found, number)
            else:
                inner = self._candidates.choose(p, way.choice, found, number, way.after)
        self._meets = endings_of(way.rest) > MOST_ENDINGS
        self._go(inner, way.choices, way.rest, (), descent, again, passed)

    def _go(
        self,
        p: Place,
        done: tuple[Statement, ...],
        block: Block,
        rest: tuple[Block, ...],
        descent: str,
        again: str | None,
        passed: bool,
    ) -> None:
        """Write the statements of a block, then of the rest, on the way of a number.

        `done` are the statements before.
        """
        f = p.f
        for place, statement in enumerate(block):
            after = (block[place + 1 :], *rest)
            match statement:
                case Require(_, condition):
                    assert again is not None, "a way that may fail is tried"
                    f.note(statement.span)
                    go_on = f.new_label()
                    f.branch(self._expressions.flag(p, condition), go_on, again)
                    f.label(go_on)
                case Say():
                    continue
                case Branch() | Decide() if self._meets and not is_effect(statement):
                    ways = partial(self._go, p, done, (statement,), (), descent, again, passed)
                    self._meet(p, ways)
                    rest_done = (*done, statement)
                    self._go(p, rest_done, after[0], after[1:], "0", again, passed)
                    return
                case Choose():
                    assert again is not None, "a choice that may fail is tried"
                    self._choose_on(p, done, statement, after, descent, again)
                    return
                case Decide():
                    assert again is not None, "a decision that may fail is tried"
                    self._decide_on(p, done, statement, after, descent, again)
                    return
                case Branch(_, condition, then, otherwise) if not is_effect(statement):
                    f.note(statement.span)
                    first, second = f.new_label(), f.new_label()
                    f.branch(self._expressions.flag(p, condition), first, second)
                    f.label(first)
                    self._go(p, done, then, after, descent, again, passed)
                    f.label(second)
                    self._go(p, done, otherwise, after, descent, again, passed)
                    return
                case _:
                    done = (*done, statement)
                    if len(done) - 1 not in changes(done).idle:
                        self.effect(p, statement)
        if rest:
            self._go(p, done, rest[0], rest[1:], descent, again, passed)
            return
        if again is not None and descent != "0":
            exists = f.new_label()
            f.branch(f.ins(f"icmp eq i64 {descent}, 0"), exists, again)
            f.label(exists)
        self._end(p, done, passed)

    def _meet(self, p: Place, ways: Callable[[], None]) -> None:
        """Write ways of which each has come to its last decision, and where they meet."""
        f, meeting = p.f, p.f.new_label()
        kept, self._end, self._meets = self._end, lambda *_: f.jump(meeting), False
        ways()
        self._end = kept
        f.label(meeting)

    def _choose_on(
        self,
        p: Place,
        done: tuple[Statement, ...],
        choice: Choose,
        rest: tuple[Block, ...],
        descent: str,
        again: str,
    ) -> None:
        """Write a further choice: the one that the number names, if there is such a one."""
        f = p.f
        f.note(choice.span)
        weight = self._weights[choice.decision]
        assert isinstance(weight, int), "the ways after the choice have a bound"
        number, below = descent, "0"
        if weight > 1:
            number = f.ins(f"udiv i64 {descent}, {weight}")
            below = f.ins(f"urem i64 {descent}, {weight}")
        changed: Block = tuple(statement for part in rest for statement in part)
        parts = self._parts.get(choice.decision, ())
        if parts and choice.unordered_with is None:
            inner = self._candidates.choose_of_parts(p, choice, parts, number, changed, again)
            self._go(inner, (*done, choice), rest[0], rest[1:], below, again, False)
            return
        found = self._candidates.of(p, choice)
        if choice.unordered_with is not None and found.sites is not None:
            first = self._expressions.value(p, Get(choice.unordered_with))
            assert isinstance(first, Sites), "both choices are of sites"
            one = self._sets.one(self._sets.index(f, first), is_there=True)
            later = self._sets.intersection(f, [found.sites, self._sets.above(f, one)])
            found = Candidates(self._sets.count(f, later), later)
        exists = f.new_label()
        f.branch(f.ins(f"icmp ult i64 {number}, {found.count}"), exists, again)
        f.label(exists)
        inner = self._candidates.choose(p, choice, found, number, changed)
        self._go(inner, (*done, choice), rest[0], rest[1:], below, again, False)

    def _decide_on(
        self,
        p: Place,
        done: tuple[Statement, ...],
        statement: Decide,
        rest: tuple[Block, ...],
        descent: str,
        again: str,
    ) -> None:
        """Write a further decision between alternatives."""
        f = p.f
        f.note(statement.span)
        weights = self._weights[statement.decision]
        assert isinstance(weights, tuple), "all alternatives have a bound"
        left = descent
        for alternative, weight in zip(statement.alternatives, weights, strict=True):
            here, other = f.new_label(), f.new_label()
            f.branch(f.ins(f"icmp ult i64 {left}, {weight}"), here, other)
            f.label(here)
            self._go(p, done, alternative.body, rest, left, again, False)
            f.label(other)
            left = f.ins(f"sub i64 {left}, {weight}")
        f.jump(again)

    def _open(self, p: Place, way: Way) -> Candidates:
        """Return what can be chosen on a way: nothing if it is closed."""
        if way.choice is not None:
            p.f.note(way.choice.span)
        found = self._pairs.of(p, way) if way.is_pair else self._candidates.pooled(p, way.choice)
        if way.choice is None and way.may_fail:
            found = Candidates(self._is_legal(p, way))
        if way.weight > 1:
            found = replace(found, count=p.f.ins(f"mul i64 {found.count}, {way.weight}"))
        for guard in way.guards:
            holds = self._expressions.flag(p, guard)
            count = p.f.ins(f"select i1 {holds}, i64 {found.count}, i64 0")
            found = replace(found, count=count)
        return found

    def _is_legal(self, p: Place, way: Way) -> str:
        """Write a trial of a way without a choice; return how many moves (i64) it is."""
        f = p.f
        size = self._layout.state_bytes
        backup, legal = f.variable(f"[{size} x i8]"), f.variable("i64")
        copy_bytes(self._module, f, p.frame, backup, size)
        f.put("i64", "0", legal)
        failed, done = f.new_label(), f.new_label()

        def end(inner: Place, path: tuple[Statement, ...], passed: bool) -> None:
            f.put("i64", "1", legal)
            f.jump(done)

        self._end, kept = end, self._end
        self._go(p, (), way.after, (), "0", failed, False)
        self._end = kept
        f.label(failed)
        f.jump(done)
        f.label(done)
        copy_bytes(self._module, f, backup, p.frame, size)
        return f.get("i64", legal)

    def _made(self, p: Place, path: tuple[Statement, ...], passed: bool) -> None:
        """Write that a move is made."""
        self._finish(p, changes(path), passed)
        p.f.give("i1 true")
