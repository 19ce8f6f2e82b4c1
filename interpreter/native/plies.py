"""The code of random moves made in place, where a turn has a single decision.

In: the program of such a turn. Out: a function that makes a random move in a position: it
returns whether there was one. What then holds: the move is the one that a search for it would
have found with the same random number; no frame was copied on the way, and no list was made.

A turn whose first choice leaves too many ways on is drawn by pairs: its second choice is counted
for each candidate of the first.

A turn is *plain* if after some effects it makes a choice, or decides between alternatives with a
choice each, and the ways on from there have a bound (gdl/optimise/weights.py). One random number
draws them all. Where it draws a way that does not exist, or a condition fails, the position is
put back and another way is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import takewhile

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Decide,
    Expression,
    Get,
    Op,
    Require,
    Say,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.walk import is_effect, statements_in
from gdl.optimise.weights import MOST_DRAWS, MOST_WEIGHT, After
from interpreter.moves import PASS
from interpreter.native import context as c
from interpreter.native.code import Module, copy_bytes
from interpreter.native.effects import Effects
from interpreter.native.expressions import Expressions, Place
from interpreter.native.layout import Layout
from interpreter.native.newest import Changes, changes
from interpreter.native.pools import Pools
from interpreter.native.values import Number, Sites
from interpreter.reference.steps import MOST_WAYS

PARAMETERS = ("frame", "world", "random", "pools", "counts", "home")
"""What the functions are given: addresses of what they work with."""
_MOST_ENDINGS = 4
_MOST_INLINED = 600


@dataclass(frozen=True)
class Way:
    """One of the ways of a plain turn: a choice, or none, and what follows it.

    There are at most `weight` ways on after the choice; or, with `is_pair`, after the further
    choice that follows at once.

    `says` are the words on the way, in order, without those of the choice; the `guards` must
    hold for it to be open at all.
    """

    choice: Choose | None
    after: Block
    says: tuple[str, ...]
    guards: tuple[Expression, ...] = ()
    weight: int = 1
    is_pair: bool = False

    @property
    def may_fail(self) -> bool:
        """Whether a way that was drawn may turn out not to be one."""
        after = self.after[1:] if self.is_pair else self.after
        return self.weight > 1 or not all(is_effect(s) or isinstance(s, Say) for s in after)


@dataclass(frozen=True)
class Plain:
    """A plain turn: effects, and then one of some ways."""

    before: Block
    ways: tuple[Way, ...]

    @property
    def may_fail(self) -> bool:
        """Whether a way may have to be given up."""
        return any(way.may_fail for way in self.ways)


def plain(block: Block, weights: After) -> Plain | None:
    """Return the parts of a plain turn, or None if it is not one."""
    for place, statement in enumerate(block):
        if is_effect(statement):
            continue
        if isinstance(statement, Require | Say):
            return None
        before, rest = block[:place], block[place + 1 :]
        if any(isinstance(s, AssignAt) or _changes_state(s) for s in statements_in(before)):
            return None
        ways = _ways(statement, rest, weights)
        return None if ways is None else Plain(before, ways)
    return None


def _changes_state(statement: Statement) -> bool:
    return isinstance(statement, Assign) and statement.slot.is_state


def _ways(statement: Statement, rest: Block, weights: After) -> tuple[Way, ...] | None:
    if isinstance(statement, Choose):
        way = _way(statement, rest, (), weights)
        return None if way is None else (way,)
    if not isinstance(statement, Decide):
        return None
    ways = []
    for alternative in statement.alternatives:
        words = () if alternative.token is None else (alternative.token,)
        body = alternative.body
        guards = tuple(takewhile(lambda s: isinstance(s, Require), body))
        body = body[len(guards) :]
        choice = body[0] if body and isinstance(body[0], Choose) else None
        way = _way(choice, (*(body if choice is None else body[1:]), *rest), words, weights, guards)
        if way is None:
            return None
        ways.append(way)
    return tuple(ways)


def _way(
    choice: Choose | None,
    after: Block,
    words: tuple[str, ...],
    weights: After,
    guards: Block = (),
) -> Way | None:
    decides = not all(is_effect(s) or isinstance(s, Require | Say) for s in after)
    weight = 1 if choice is None else weights[id(choice)]
    is_pair = not isinstance(weight, int) or weight > MOST_WEIGHT
    if is_pair:
        weight = weights[id(after[0])] if choice is not None and _is_pair(choice, after) else None
    if not isinstance(weight, int) or weight > MOST_WEIGHT or (choice is None and decides):
        return None
    if _endings_of(after) > _MOST_ENDINGS:
        return None
    said = tuple(s.token for s in after if isinstance(s, Say))
    conditions = tuple(s.condition for s in guards if isinstance(s, Require))
    return Way(choice, after, (*words, *said), conditions, weight, is_pair)


def _is_pair(first: Choose, after: Block) -> bool:
    """Return whether a second choice of any order follows at once."""
    second = after[0] if after else None
    return (
        isinstance(first.domain, SitesOf)
        and isinstance(second, Choose)
        and second.unordered_with is None
    )


def _endings_of(block: Block) -> int:
    """Return how often what follows a block would be written: once for each way through it."""
    number = 1
    for statement in block:
        match statement:
            case Decide(_, alternatives):
                number *= sum(_endings_of(way.body) for way in alternatives)
            case Branch(_, _, then, otherwise) if not is_effect(statement):
                number *= _endings_of(then) + _endings_of(otherwise)
    return number


class PlyCode(Effects):
    """Writes the function of a plain turn.

    `finish` writes what follows the turn, given what the way has done and whether it was a pass.
    Layers that are `unread` are those of another position, which is `home`.
    """

    def __init__(
        self,
        module: Module,
        expressions: Expressions,
        layout: Layout,
        best: Slot | None,
        following: Slot,
        weights: After,
        pools: Pools,
        unread: AbstractSet[Slot],
        finish: Callable[[Place, Changes, bool], None],
    ) -> None:
        super().__init__(module, expressions, layout, best)
        self._following = following
        self._weights = weights
        self._pools = pools
        self._unread = unread
        self._end: Callable[[Place, tuple[Statement, ...], bool], None] = self._made
        self._finish = finish

    def write(self, name: str, turn: Plain) -> None:
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
        for statement in turn.before:
            self.effect(p, statement)
        candidates = [self._open(p, way) for way in turn.ways]
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
        if f.length <= _MOST_INLINED:
            f.inline()

    def effect(self, p: Place, statement: Statement) -> None:
        """Write a statement without decisions."""
        if isinstance(statement, Assign) and statement.slot in self._unread:
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
        address, bit = self._pools.word_and_bit(p, layer, site.slot)
        f.put("i64", f.ins(f"or i64 {f.get('i64', address)}, {bit}"), address)

    def _try(self, p: Place, turn: Plain, candidates: list[_Candidates], total: str) -> None:
        """Draw until a way does not fail, if that comes soon; else look for all that do not."""
        f = p.f
        size = self._layout.state_bytes
        backup = f.variable(f"[{size} x i8]")
        copy_bytes(self._module, f, "%frame", backup, size)
        with f.rounds(str(MOST_DRAWS)):
            number = f.ins(f"call i64 @next_below(ptr %random, i64 {total})")
            again = f.new_label()
            self._take_one(p, turn, candidates, number, again)
            f.label(again)
            copy_bytes(self._module, f, backup, "%frame", size)
        f.put("i8", "1", f.at("%frame", self._layout.undrawn.offset))
        f.give("i1 false")

    def _take_one(
        self,
        p: Place,
        turn: Plain,
        candidates: list[_Candidates],
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

    def _take(self, p: Place, way: Way, found: _Candidates, number: str, again: str | None) -> None:
        f = p.f
        passed = way.choice is None and way.says in ((), (PASS,))
        inner, descent = p, "0"
        if way.is_pair:
            self._take_pair(p, way, found, number, again)
            return
        if way.choice is not None:
            if way.weight > 1:
                descent = f.ins(f"urem i64 {number}, {way.weight}")
                number = f.ins(f"udiv i64 {number}, {way.weight}")
            inner = self._choose(p, way.choice, found, number, way.after)
        done = () if way.choice is None else (way.choice,)
        self._go(inner, done, way.after, (), descent, again, passed)

    def _pairs(self, p: Place, way: Way, first: _Candidates) -> _Candidates:
        """Count the second choices of each first one; `ends` has the numbers of pairs so far."""
        f, sets = p.f, self._sets
        choice, second = way.choice, way.after[0]
        assert choice is not None and isinstance(second, Choose), "a pair is two choices"
        assert first.sites is not None, "the first choice is of a site"
        ends = f.variable(f"[{sets.size + 1} x i64]")
        known = f.variable(f"[{(sets.size + 1) * sets.bytes} x i8]")
        place, total = f.variable("i64"), f.variable("i64")
        f.put("i64", "0", place)
        f.put("i64", "0", total)
        loop = sets.each(f, first.sites)
        inner = p.binding(choice.slot, sets.one(loop.index, is_there=True))
        self._expressions.write(p, choice.slot, inner.bound[choice.slot])
        further = self._candidates(inner, second)
        sum_ = f.ins(f"add i64 {f.get('i64', total)}, {further.count}")
        f.put("i64", sum_, total)
        now = f.get("i64", place)
        if further.sites is not None:
            sets.write(f, further.sites, f.at(known, f.ins(f"mul i64 {now}, {sets.bytes}")))
        f.put("i64", sum_, f.ins(f"getelementptr i64, ptr {ends}, i64 {now}"))
        f.put("i64", f.ins(f"add i64 {now}, 1"), place)
        loop.end()
        return replace(first, count=f.get("i64", total), ends=ends, known=known)

    def _take_pair(
        self, p: Place, way: Way, found: _Candidates, number: str, again: str | None
    ) -> None:
        """Write both choices of the pair that a number names, and what follows."""
        f = p.f
        choice, second = way.choice, way.after[0]
        assert choice is not None and isinstance(second, Choose), "a pair is two choices"
        descent = "0"
        if way.weight > 1:
            descent = f.ins(f"urem i64 {number}, {way.weight}")
            number = f.ins(f"udiv i64 {number}, {way.weight}")
        place, before = f.variable("i64"), f.variable("i64")
        f.put("i64", "0", place)
        f.put("i64", "0", before)
        head, further, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", place)
        end = f.get("i64", f.ins(f"getelementptr i64, ptr {found.ends}, i64 {now}"))
        f.branch(f.ins(f"icmp uge i64 {number}, {end}"), further, done)
        f.label(further)
        f.put("i64", end, before)
        f.put("i64", f.ins(f"add i64 {now}, 1"), place)
        f.jump(head)
        f.label(done)
        one = self._choose(p, choice, found, now, way.after)
        rest = f.ins(f"sub i64 {number}, {f.get('i64', before)}")
        if isinstance(second.domain, SitesOf):
            address = f.at(found.known, f.ins(f"mul i64 {now}, {self._sets.bytes}"))
            further_sites = _Candidates("", self._sets.read(f, address))
        else:
            further_sites = self._candidates(one, second)
        two = self._choose(one, second, further_sites, rest, way.after[1:])
        self._go(two, (choice, second), way.after[1:], (), descent, again, False)

    def _choose(
        self, p: Place, choice: Choose, found: _Candidates, number: str, after: Block
    ) -> Place:
        """Write that a choice is made; return the place where it is known."""
        f, sets = p.f, self._sets
        self._pools.forget(choice.slot)
        if found.pool is not None:
            value: Sites | Number = self._pools.draw(
                f, "%pools", "%counts", found.pool, choice, number
            )
        elif found.sites is not None:
            index = sets.nth(f, found.sites, number)
            value = sets.one(index, is_there=True)
        else:
            bounds = self._expressions.ranges.of_slot(choice.slot)
            value = Number(f.ins(f"add i64 {found.low}, {number}"), bounds.low, bounds.high)
        self._expressions.write(p, choice.slot, value)
        if choice.slot in self._changed(after):
            self._pools.forget(choice.slot)
            return p
        return p.binding(choice.slot, value)

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
                    go_on = f.new_label()
                    f.branch(self._expressions.flag(p, condition), go_on, again)
                    f.label(go_on)
                case Say():
                    continue
                case Choose():
                    assert again is not None, "a choice that may fail is tried"
                    self._choose_on(p, done, statement, after, descent, again)
                    return
                case Decide():
                    assert again is not None, "a decision that may fail is tried"
                    self._decide_on(p, done, statement, after, descent, again)
                    return
                case Branch(_, condition, then, otherwise) if not is_effect(statement):
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
        found = self._candidates(p, choice)
        if choice.unordered_with is not None and found.sites is not None:
            first = self._expressions.value(p, Get(choice.unordered_with))
            assert isinstance(first, Sites), "both choices are of sites"
            one = self._sets.one(self._sets.index(f, first), is_there=True)
            later = self._sets.intersection(f, [found.sites, self._sets.above(f, one)])
            found = _Candidates(self._sets.count(f, later), later)
        weight = self._weights[id(choice)]
        assert isinstance(weight, int), "the ways after the choice have a bound"
        number, below = descent, "0"
        if weight > 1:
            number = f.ins(f"udiv i64 {descent}, {weight}")
            below = f.ins(f"urem i64 {descent}, {weight}")
        exists = f.new_label()
        f.branch(f.ins(f"icmp ult i64 {number}, {found.count}"), exists, again)
        f.label(exists)
        changed: Block = tuple(statement for part in rest for statement in part)
        inner = self._choose(p, choice, found, number, changed)
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
        weights = self._weights[id(statement)]
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

    def _changed(self, block: Block) -> set[Slot]:
        return {s.slot for s in statements_in(block) if isinstance(s, Assign | AssignAt)}

    def _open(self, p: Place, way: Way) -> _Candidates:
        """Return what can be chosen on a way: nothing if it is closed."""
        number = None if way.is_pair else self._pools.number(way.choice)
        if number is not None:
            found = _Candidates(self._pools.total(p.f, "%counts", number), pool=number)
        else:
            found = self._candidates(p, way.choice)
        if way.choice is None and way.may_fail:
            found = _Candidates(self._is_legal(p, way))
        if way.is_pair:
            found = self._pairs(p, way, found)
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
        done = changes(path)
        self._pools.follow(p, "%pools", "%counts", done)
        self._finish(p, done, passed)
        p.f.give("i1 true")

    def _candidates(self, p: Place, choice: Choose | None) -> _Candidates:
        f, sets = p.f, self._sets
        if choice is None:
            return _Candidates("1")
        if isinstance(choice.domain, SitesOf):
            sites = self._expressions.sites(p, choice.domain.sites)
            if sites.mask is None:
                sites = Sites(sets.mask(f, sites))
            return _Candidates(sets.count(f, sites), sites)
        low = self._expressions.word(p, choice.domain.low)
        high = self._expressions.word(p, choice.domain.high)
        is_some = f.ins(f"icmp sle i64 {low}, {high}")
        many = f.ins(f"add i64 {f.ins(f'sub i64 {high}, {low}')}, 1")
        large = f.ins(f"icmp ugt i64 {many}, {MOST_WAYS}")
        with f.when(f.ins(f"and i1 {large}, {is_some}")):
            self.fail(p, c.RULES_FAIL)
            f.give("i1 true")
        return _Candidates(f.ins(f"select i1 {is_some}, i64 {many}, i64 0"), None, low)


@dataclass(frozen=True)
class _Candidates:
    """What can be chosen: how many, and the sites, or the least number.

    `ends` and `known` are the addresses of tables, for pairs: how many there are up to each first
    choice, and the second choices after each.
    """

    count: str
    sites: Sites | None = None
    low: str = "0"
    ends: str = ""
    known: str = ""
    pool: int | None = None
