"""The code of random moves made in place, where a turn has a single decision.

In: the program of such a turn. Out: a function that makes a random move in a position: it
returns whether there was one. What then holds: the move is the one that a search for it would
have found with the same random number; no frame was copied on the way, and no list was made.

A turn is *plain* if after some effects it decides once, by a choice or between alternatives with
one choice each, and then has effects and conditions. Where a condition fails, the position is
put back and another move is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Choose,
    Decide,
    Expression,
    Require,
    Say,
    SitesOf,
    Slot,
    Statement,
)
from interpreter.moves import PASS
from interpreter.native import context as c
from interpreter.native.code import Module, copy_bytes
from interpreter.native.effects import Effects
from interpreter.native.expressions import Expressions, Place
from interpreter.native.layout import Layout
from interpreter.native.newest import Changes, changes
from interpreter.native.values import Number, Sites
from interpreter.reference.statements import is_effect, statements_in
from interpreter.reference.steps import MOST_WAYS

MOST_DRAWS = 64


@dataclass(frozen=True)
class Way:
    """One of the ways of a plain turn: a choice, or none, and what follows it.

    `says` are the words on the way, in order, without those of the choice; the `guards` must
    hold for it to be open at all.
    """

    choice: Choose | None
    after: Block
    says: tuple[str, ...]
    guards: tuple[Expression, ...] = ()

    @cached_property
    def changes(self) -> Changes:
        """What the way does to layers."""
        return changes(self.choice, self.after)

    @property
    def may_fail(self) -> bool:
        """Whether a condition comes after the choice."""
        return any(isinstance(s, Require) for s in self.after)


@dataclass(frozen=True)
class Plain:
    """A plain turn: effects, and then one of some ways."""

    before: Block
    ways: tuple[Way, ...]

    @property
    def may_fail(self) -> bool:
        """Whether a way may have to be given up."""
        return any(way.may_fail for way in self.ways)


def plain(block: Block) -> Plain | None:
    """Return the parts of a plain turn, or None if it is not one."""
    for place, statement in enumerate(block):
        if is_effect(statement):
            continue
        if isinstance(statement, Require | Say):
            return None
        before, rest = block[:place], block[place + 1 :]
        if any(isinstance(s, AssignAt) or _changes_state(s) for s in statements_in(before)):
            return None
        ways = _ways(statement, rest)
        return None if ways is None else Plain(before, ways)
    return None


def _changes_state(statement: Statement) -> bool:
    return isinstance(statement, Assign) and statement.slot.is_state


def _ways(statement: Statement, rest: Block) -> tuple[Way, ...] | None:
    if isinstance(statement, Choose):
        way = _way(statement, rest, ())
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
        way = _way(choice, (*(body if choice is None else body[1:]), *rest), words, guards)
        if way is None or (choice is None and way.may_fail):
            return None
        ways.append(way)
    return tuple(ways)


def _way(
    choice: Choose | None, after: Block, words: tuple[str, ...], guards: Block = ()
) -> Way | None:
    if choice is not None and choice.unordered_with is not None:
        return None
    if not all(is_effect(s) or isinstance(s, Require | Say) for s in after):
        return None
    said = tuple(s.token for s in after if isinstance(s, Say))
    conditions = tuple(s.condition for s in guards if isinstance(s, Require))
    return Way(choice, after, (*words, *said), conditions)


class PlyCode(Effects):
    """Writes the function of a plain turn.

    `finish` writes what follows the turn, given the way and whether it was a pass.
    """

    def __init__(
        self,
        module: Module,
        expressions: Expressions,
        layout: Layout,
        best: Slot | None,
        following: Slot,
        finish: Callable[[Place, Way, bool], None],
    ) -> None:
        super().__init__(module, expressions, layout, best)
        self._following = following
        self._finish = finish

    def write(self, name: str, turn: Plain) -> None:
        """Write `name(position, world, random)`."""
        f = self._module.function(
            name, "internal i1", ["ptr %frame", "ptr %world", "ptr %random"], "nounwind "
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
            number = f.ins(f"call i64 @random_below(ptr %random, i64 {total})")
            self._take_one(p, turn, candidates, number, None)

    def _try(self, p: Place, turn: Plain, candidates: list[_Candidates], total: str) -> None:
        """Draw until a way does not fail, if that comes soon; else look for all that do not."""
        f = p.f
        size = self._layout.state_bytes
        backup = f.variable(f"[{size} x i8]")
        copy_bytes(self._module, f, "%frame", backup, size)
        tries = f.variable("i64")
        f.put("i64", "0", tries)
        head, inside, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", tries)
        f.branch(f.ins(f"icmp ult i64 {now}, {MOST_DRAWS}"), inside, done)
        f.label(inside)
        f.put("i64", f.ins(f"add i64 {now}, 1"), tries)
        number = f.ins(f"call i64 @random_below(ptr %random, i64 {total})")
        again = f.new_label()
        self._take_one(p, turn, candidates, number, again)
        f.label(again)
        copy_bytes(self._module, f, backup, "%frame", size)
        f.jump(head)
        f.label(done)
        f.give("i1 " + f.ins("call i1 @ply_listed(ptr %frame, ptr %world, ptr %random)"))

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
        f, sets = p.f, self._sets
        passed = way.choice is None and way.says in ((), (PASS,))
        inner = p
        if way.choice is not None:
            slot = way.choice.slot
            if found.sites is not None:
                index = sets.nth(f, found.sites, number)
                value: Sites | Number = sets.one(index, is_there=True)
            else:
                bounds = self._expressions.ranges.of_slot(slot)
                value = Number(f.ins(f"add i64 {found.low}, {number}"), bounds.low, bounds.high)
            self._expressions.write(p, slot, value)
            if slot not in self._changed(way.after):
                inner = p.binding(slot, value)
        for place, statement in enumerate(way.after):
            if place in way.changes.idle:
                continue
            if isinstance(statement, Require):
                assert again is not None, "a way that may fail is tried"
                go_on = f.new_label()
                f.branch(self._expressions.flag(inner, statement.condition), go_on, again)
                f.label(go_on)
            elif not isinstance(statement, Say):
                self.effect(inner, statement)
        self._finish(inner, way, passed)
        f.give("i1 true")

    def _changed(self, block: Block) -> set[Slot]:
        return {s.slot for s in statements_in(block) if isinstance(s, Assign | AssignAt)}

    def _open(self, p: Place, way: Way) -> _Candidates:
        """Return what can be chosen on a way: nothing if it is closed."""
        found = self._candidates(p, way.choice)
        for guard in way.guards:
            holds = self._expressions.flag(p, guard)
            count = p.f.ins(f"select i1 {holds}, i64 {found.count}, i64 0")
            found = replace(found, count=count)
        return found

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
    """What can be chosen: how many, and the sites, or the least number."""

    count: str
    sites: Sites | None = None
    low: str = "0"
