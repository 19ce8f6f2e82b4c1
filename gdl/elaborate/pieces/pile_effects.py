"""What statements do to piles: pieces put upon others or under them, and taken off the top.

In: sets of sites as core expressions. Out: core statements. What then holds: the layers have the
uppermost pieces, and the other slots of `Piles` what lies under them. Marks belong to uppermost
pieces; one that is covered loses them.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.core import build
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Branch,
    Expression,
    ForEach,
    Get,
    GetAt,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.piles import Piles
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Scope
from gdl.elaborate.pieces.piles import code_at, digits_from, last_digits, lying_under, with_room

ONE = build.number(1)


@dataclass(frozen=True)
class _Lifted:
    """Pieces that are taken off the top of a pile.

    They come from the site `origin`, which had `height` pieces, to the site `goal`; both are empty
    if nothing moves. `count` are lifted, all if `is_whole`; `under` are the digits of those under
    the uppermost. `turns` says whether some pieces of `start` are to come under its others.
    """

    origin: Expression
    goal: Expression
    count: Expression
    height: Expression
    under: Expression
    is_whole: bool
    start: Expression
    turns: Expression


class PileEffects:
    """Makes the statements for one place in a program."""

    def __init__(self, scope: Scope, piles: Piles, span: Span) -> None:
        self._d = scope.declarations
        self._words = scope.elaboration.asked_for.pile_words
        self._piles = piles
        self._span = span

    # ------------------------------------------------------------- what other effects do

    def single(self, at: Expression) -> Iterator[Statement]:
        """Yield what tells that each of the sites has one piece."""
        yield from self._flat(at, ONE)

    def none(self, at: Expression) -> Iterator[Statement]:
        """Yield what tells that the sites have no pieces."""
        yield from self._flat(at, build.number(0))

    def _flat(self, at: Expression, height: Expression) -> Iterator[Statement]:
        yield AssignAt(self._span, self._piles.height, at, height)
        yield AssignAt(self._span, self._piles.under, at, build.number(0))
        for slot in self._piles.beneath.values():
            yield Assign(self._span, slot, build.difference(Get(slot), at))

    def carried(self, origin: Expression, goal: Expression) -> Iterator[Statement]:
        """Yield what tells that a whole pile stands in place of another."""
        touched = build.union(origin, goal)
        for slot in (self._piles.height, self._piles.under):
            yield AssignAt(self._span, slot, goal, GetAt(slot, origin))
            yield AssignAt(self._span, slot, build.difference(origin, goal), build.number(0))
        for slot in self._piles.beneath.values():
            moving = build.some(build.intersection(Get(slot), origin))
            arriving = build.conditional(moving, goal, build.NOWHERE)
            left = build.difference(Get(slot), touched)
            yield Assign(self._span, slot, build.union(left, arriving))

    # --------------------------------------------------------------------------- placing

    def place(self, layer: Slot, sites: Expression, way: str) -> list[Statement]:
        """Put a piece upon (`onto`) or `under` what stands on each of the sites."""
        each = Slot("site", SITES)
        body = self._put_onto(layer, Get(each)) if way == "onto" else self._put_under(layer, each)
        return [ForEach(self._span, each, SitesOf(sites), tuple(body))]

    def _put_onto(self, layer: Slot, site: Expression) -> Iterator[Statement]:
        piles = self._piles
        higher = build.numeric("add", GetAt(piles.height, site), ONE)
        higher = self._refused(self._uncoverable(site), higher)
        yield AssignAt(self._span, piles.height, site, higher)
        before = with_room(GetAt(piles.under, site), ONE, piles)
        covering = build.numeric("add", before, code_at(site, piles))
        yield AssignAt(self._span, piles.under, site, covering)
        for covered, slot in piles.beneath.items():
            yield self._include(slot, build.intersection(Get(covered), site))
        for other in self._d.layers.values():
            combine = build.union if other == layer else build.difference
            yield Assign(self._span, other, combine(Get(other), site))
        yield from self._unmark(site)

    def _put_under(self, layer: Slot, each: Slot) -> Iterator[Statement]:
        piles, site = self._piles, Get(each)
        made: list[Statement] = []
        height = self._named("high", GetAt(piles.height, site), made)
        is_covered = build.op("less", (build.number(0), height), FLAG)
        covered = self._named("covered", build.conditional(is_covered, site, build.NOWHERE), made)
        yield from made
        refused = build.NOWHERE if layer in piles.coverable else covered
        higher = build.numeric("add", height, ONE)
        yield AssignAt(self._span, piles.height, site, self._refused(refused, higher))
        code = piles.coverable.index(layer) if layer in piles.coverable else 0
        place = build.numeric("subtract", height, ONE)
        digit = with_room(build.number(code), place, piles)
        lower = build.numeric("add", GetAt(piles.under, site), digit)
        changed = build.conditional(is_covered, lower, build.number(0))
        yield AssignAt(self._span, piles.under, site, changed)
        if layer in piles.beneath:
            yield self._include(piles.beneath[layer], covered)
        yield self._include(layer, build.difference(site, covered))

    # ---------------------------------------------------------------------------- moving

    def remove(self, count: Expression, sites: Expression) -> list[Statement]:
        """Take so many pieces off the top of each of the sites."""
        each = Slot("site", SITES)
        body = self.move(count, Get(each), build.NOWHERE, "to")
        return [ForEach(self._span, each, SitesOf(sites), tuple(body))]

    def move(
        self, count: Expression | None, source: Expression, destination: Expression, way: str
    ) -> list[Statement]:
        """Move pieces (None: all) off the top of a site.

        They come upon (`onto`) or `under` what stands on another, or in place of it (`to`).
        """
        made: list[Statement] = []
        lifted = self._lifted(count, source, destination, made)
        landing = lifted.goal
        if way == "under":
            taken = build.union(*map(Get, self._d.layers.values()))
            landing = self._named("landing", build.difference(lifted.goal, taken), made)
        bared = self._bared(lifted, made)
        before = self._named("before", GetAt(self._piles.height, lifted.goal), made)
        made += self._heights(lifted, before, way)
        under = self._arrived(lifted, before, way, made)
        recounted = way != "onto" or not lifted.is_whole
        if not recounted:
            made += self._beneath_after(lifted)
        made += self._tops(lifted.origin, landing, bared)
        made += self._carried_marks(lifted.origin, landing)
        rest: Expression = build.number(0)
        if not lifted.is_whole:
            digits = GetAt(self._piles.under, lifted.origin)
            rest = digits_from(digits, lifted.count, self._piles)
        made += [
            AssignAt(self._span, self._piles.under, lifted.origin, rest),
            AssignAt(self._span, self._piles.under, lifted.goal, under),
        ]
        if recounted:
            made += self._beneath_again(lifted)
        if way == "under" and not lifted.is_whole:
            made += self._turned(lifted)
        return made

    def _turned(self, lifted: _Lifted) -> Iterator[Statement]:
        """Yield what puts the uppermost pieces of a pile under its others."""
        made: list[Statement] = []
        piles = self._piles
        site = lifted.start
        all_under = GetAt(piles.under, site)
        below = build.numeric("subtract", lifted.count, ONE)
        left = self._digits("left", digits_from(all_under, below, piles), made)
        digit = self._named("digit", last_digits(left, ONE, piles), made)
        lowest = with_room(last_digits(all_under, below, piles), ONE, piles)
        lowest = build.numeric("add", lowest, code_at(site, piles))
        others = build.numeric("subtract", lifted.height, lifted.count)
        place = build.numeric("subtract", others, ONE)
        under = build.numeric("add", digits_from(left, ONE, piles), with_room(lowest, place, piles))
        under = self._digits("turned", under, made)
        height = self._refused(self._uncoverable(site), lifted.height)
        made.append(AssignAt(self._span, piles.height, site, height))
        for layer in self._d.layers.values():
            rest = build.difference(Get(layer), site)
            if layer in piles.coverable:
                is_top = build.equal(digit, build.number(piles.coverable.index(layer)))
                rest = build.union(rest, build.conditional(is_top, site, build.NOWHERE))
            made.append(Assign(self._span, layer, rest))
        made.append(AssignAt(self._span, piles.under, site, under))
        for layer, slot in piles.beneath.items():
            found = lying_under(layer, site, piles)
            made.append(
                Assign(self._span, slot, build.union(build.difference(Get(slot), site), found))
            )
        made += self._unmark(site)
        yield Branch(self._span, lifted.turns, tuple(made), ())

    def _lifted(
        self,
        count: Expression | None,
        source: Expression,
        destination: Expression,
        made: list[Statement],
    ) -> _Lifted:
        piles = self._piles
        start = self._named("origin", build.op("first", (source,), SITES), made)
        end = self._named("goal", build.op("first", (destination,), SITES), made)
        height = self._named("high", GetAt(piles.height, start), made)
        if count is None:
            lifted_count = height
        elif count == ONE:
            lifted_count = ONE
        else:
            wanted = build.numeric("maximum", count, build.number(0))
            lifted_count = self._named("many", build.numeric("minimum", wanted, height), made)
        least = build.op(
            "less", (build.number(0), height if lifted_count == ONE else lifted_count), FLAG
        )
        goes = build.conjunction(least, build.negation(build.equal(start, end)))
        origin = self._named("from", build.conditional(goes, start, build.NOWHERE), made)
        there = build.conditional(build.some(origin), end, build.NOWHERE)
        goal = self._named("there", there, made)
        under: Expression = GetAt(piles.under, origin)
        if count is not None:
            under = last_digits(under, build.numeric("subtract", lifted_count, ONE), piles)
        lifted = self._digits("lifted", under, made)
        turns = build.conjunction(least, build.op("less", (lifted_count, height), FLAG))
        turns = build.conjunction(turns, build.equal(start, end))
        return _Lifted(origin, goal, lifted_count, height, lifted, count is None, start, turns)

    def _bared(self, lifted: _Lifted, made: list[Statement]) -> dict[Slot, Expression]:
        """Return where a piece of each layer is uppermost on the origin after others have left."""
        if lifted.is_whole:
            return {}
        piles = self._piles
        below = build.numeric("subtract", lifted.count, ONE)
        digits = digits_from(GetAt(piles.under, lifted.origin), below, piles)
        rest = self._digits("rest", digits, made)
        digit = self._named("digit", last_digits(rest, ONE, piles), made)
        stays = build.op("less", (lifted.count, lifted.height), FLAG)
        bared: dict[Slot, Expression] = {}
        for code, layer in enumerate(piles.coverable):
            here = build.conjunction(stays, build.equal(digit, build.number(code)))
            sites = build.conditional(here, lifted.origin, build.NOWHERE)
            bared[layer] = self._named("bared", sites, made)
        return bared

    def _heights(self, lifted: _Lifted, before: Expression, way: str) -> Iterator[Statement]:
        """Yield what tells the heights of both piles; that of the goal may be too large."""
        left: Expression = build.number(0)
        if not lifted.is_whole:
            left = build.numeric("subtract", lifted.height, lifted.count)
            if lifted.count == ONE:
                left = build.numeric("maximum", left, build.number(0))  # one of no pieces
        yield AssignAt(self._span, self._piles.height, lifted.origin, left)
        higher = lifted.count
        if way == "onto":
            higher = build.numeric("add", before, higher)
            higher = self._refused(self._uncoverable(lifted.goal), higher)
        elif way == "under":
            is_covered = build.op("less", (build.number(0), before), FLAG)
            tops = self._uncoverable(lifted.origin)
            refused = build.conditional(is_covered, tops, build.NOWHERE)
            higher = self._refused(refused, build.numeric("add", before, higher))
        yield AssignAt(self._span, self._piles.height, lifted.goal, higher)

    def _arrived(
        self, lifted: _Lifted, before: Expression, way: str, made: list[Statement]
    ) -> Expression:
        """Return the digits of the goal afterwards; there were `before` pieces."""
        piles, goal = self._piles, lifted.goal
        if way == "to":
            return lifted.under
        if way == "onto":
            covering = with_room(GetAt(piles.under, goal), ONE, piles)
            covering = build.numeric("add", covering, code_at(goal, piles))
            below = build.numeric("subtract", lifted.count, ONE)
            under = build.numeric("add", with_room(covering, below, piles), lifted.under)
        else:
            all_of_them = with_room(lifted.under, ONE, piles)
            all_of_them = build.numeric("add", all_of_them, code_at(lifted.origin, piles))
            place = build.numeric("subtract", before, ONE)
            lowest = with_room(all_of_them, place, piles)
            is_covered = build.op("less", (build.number(0), before), FLAG)
            under = build.numeric("add", GetAt(piles.under, goal), lowest)
            under = build.conditional(is_covered, under, lifted.under)
        return self._digits("piled", under, made)

    def _tops(
        self, origin: Expression, landing: Expression, bared: dict[Slot, Expression]
    ) -> Iterator[Statement]:
        """Yield which pieces are uppermost on the two sites."""
        touched = build.union(origin, landing)
        for layer in self._d.layers.values():
            moving = build.some(build.intersection(Get(layer), origin))
            arriving = build.conditional(moving, landing, build.NOWHERE)
            left = build.difference(Get(layer), touched)
            uncovered = bared.get(layer, build.NOWHERE)
            yield Assign(self._span, layer, build.union(left, arriving, uncovered))

    def _beneath_after(self, lifted: _Lifted) -> Iterator[Statement]:
        """Yield which pieces lie under others where a whole pile comes upon another."""
        for layer, slot in self._piles.beneath.items():
            brought = build.union(
                build.intersection(lifted.origin, Get(slot)),
                build.intersection(lifted.goal, Get(layer)),
            )
            arriving = build.conditional(build.some(brought), lifted.goal, build.NOWHERE)
            left = build.difference(Get(slot), lifted.origin)
            yield Assign(self._span, slot, build.union(left, arriving))

    def _beneath_again(self, lifted: _Lifted) -> Iterator[Statement]:
        """Yield which pieces lie under others where piles were taken apart: it is looked for."""
        both = build.union(lifted.origin, lifted.goal)
        for layer, slot in self._piles.beneath.items():
            left = build.difference(Get(slot), both)
            found = lying_under(layer, both, self._piles)
            yield Assign(self._span, slot, build.union(left, found))

    # ----------------------------------------------------------------------------- parts

    def _named(self, name: str, value: Expression, made: list[Statement]) -> Expression:
        """Return the use of a value that is kept, as it is before anything changes."""
        slot = Slot(name, value.type)
        self._words.add(slot)
        made.append(Assign(self._span, slot, value))
        return Get(slot)

    def _digits(self, name: str, value: Expression, made: list[Statement]) -> Expression:
        """Return the use of digits that are kept; those of a pile may be more than a word has."""
        slot = Slot(name, NUMBER, low=0, high=self._piles.under.high)
        self._words.add(slot)
        made.append(Assign(self._span, slot, value))
        return Get(slot)

    def _include(self, slot: Slot, sites: Expression) -> Statement:
        return Assign(self._span, slot, build.union(Get(slot), sites))

    def _uncoverable(self, site: Expression) -> Expression:
        """Return the site, if its uppermost piece may have none upon it."""
        coverable = self._piles.coverable
        others = [slot for slot in self._d.layers.values() if slot not in coverable]
        return build.intersection(build.union(*map(Get, others)), site) if others else build.NOWHERE

    def _refused(self, where: Expression, height: Expression) -> Expression:
        """Return a height, or one that is too large where some pieces may not be covered."""
        too_large = build.number(self._piles.most + 1)
        return build.conditional(build.some(where), too_large, height)

    def _unmark(self, site: Expression) -> Iterator[Statement]:
        for variable in self._d.marks():
            for slot in variable.slots.values():
                if variable.per_site:
                    yield AssignAt(self._span, slot, site, build.number(0))
                else:
                    yield Assign(self._span, slot, build.difference(Get(slot), site))

    def _carried_marks(self, origin: Expression, landing: Expression) -> Iterator[Statement]:
        """Yield what takes the marks of a pile's uppermost piece along."""
        for variable in self._d.marks():
            for slot in variable.slots.values():
                if variable.per_site:
                    yield AssignAt(self._span, slot, landing, GetAt(slot, origin))
                    yield AssignAt(self._span, slot, origin, build.number(0))
                else:
                    moving = build.some(build.intersection(Get(slot), origin))
                    arriving = build.conditional(moving, landing, build.NOWHERE)
                    left = build.difference(Get(slot), build.union(origin, landing))
                    yield Assign(self._span, slot, build.union(left, arriving))
