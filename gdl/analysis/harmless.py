"""After which sites of a last choice a turn is sure to be completed: what is required still holds.

In: the block of a turn, and the expressions of its board. Out: for choices after which nothing but
effects and requirements comes, the sites after which there is exactly one way on. What then holds:
such sites may be counted together, without making a move of each.

A requirement that held before the turn can only fail by a change at a site where it is read. Each
part of it is read with a direction: that a piece attacks the king comes of what is gained by the
attackers, or lost by what stands between. So it is worked out once a turn at which sites a loss, or
a gain, could matter; and what a way changes is told by following its statements, with the chosen
sites as variables. Where neither meets the other, what was required is still so.

A flood is read where it is, and where it ends: if nothing is lost among the sites that it came to
before, it comes to no others (its step leads from what it reached to nothing else, and it is the
least such set: Knaster and Tarski).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field

from gdl.board.relation import Relation
from gdl.core.build import flattened
from gdl.core.layers import layers_of
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Closure,
    Const,
    Decide,
    Decision,
    Expression,
    ForEach,
    Get,
    If,
    Let,
    Op,
    Require,
    Say,
    Select,
    SitesOf,
    Slot,
    Times,
)
from gdl.core.types import FLAG, SITES
from gdl.core.walk import (
    blocks_of,
    changed_slots,
    decisions_in,
    expressions_in,
    filled_slots,
    is_effect,
    statements_in,
)
from gdl.data_classes import dataclass
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.linear import reversed_closure
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.algebra.where import Where
from gdl.optimise.common_subexpressions import Hoister
from gdl.optimise.look_ahead import Needs
from gdl.optimise.one_by_one import all_at_once

_MOST_PATHS = 8
"""How many ways through effects are followed; each condition shares them out to its two cases."""
_HEAVIEST = 80
"""A set that takes more operations is worked out for each first choice at too great a cost."""
_LEAST_KEPT = 3
"""What takes so many operations is worked out once a turn, and not for each choice."""


@dataclass(frozen=True)
class Harmless:
    """The sites of last choices after which there is exactly one way on, by their decisions.

    They read slots that `before` gives values to, when the turn begins. From each such choice there
    are so many ways on at `most`.
    """

    before: tuple[Assign, ...] = ()
    sites: Mapping[Decision, Expression] = field(default_factory=dict)
    most: Mapping[Decision, int] = field(default_factory=dict)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots that are given values when the turn begins."""
        return tuple(statement.slot for statement in self.before)


def harmless_sites(block: Block, terms: Terms) -> Harmless:
    """Return the sites of the last choices in a block that are known to complete it.

    `terms` are for this block alone.
    """
    if not any(isinstance(s, Require) for s in statements_in(block)):
        return Harmless()
    analysis = _LastChoices(block, terms)
    analysis.visit(block, (), frozenset())
    if not analysis.is_worth_it:
        return Harmless()
    return Harmless(analysis.before, analysis.found, analysis.most)


class _NotKnownError(Exception):
    """What changes can't be told, or what a condition reads."""


_Values = Mapping[Slot, Expression | None]
"""What slots hold, over the values where a choice is made; None if that can't be told."""


_Regions = Memo[Expression, tuple[Slot, Expression]]
"""By a change, the slot for where it may matter, and the value of that."""


class _LastChoices:
    """Looks at the last choices of a block."""

    def __init__(self, block: Block, terms: Terms) -> None:
        self.found: dict[Decision, Expression] = {}
        self.most: dict[Decision, int] = {}
        self.is_worth_it = True
        """Whether all last choices so far have such sites: else what is known costs too much."""
        self._terms = terms
        self._costs = Costs(terms)
        self._hoister = Hoister(terms, self._costs)
        self._needs = Needs()
        self._filled = frozenset(slot for slot in filled_slots(block) if not slot.is_state)
        self._of_sets = Memo[Expression, Expression]()
        self._kept = Memo[Expression, Slot]()
        self._regions = (_Regions(), _Regions())
        """Where changes matter: on ways on which a site at most opens a flood's way; on others."""
        _tell_layers(block, terms)

    @property
    def before(self) -> tuple[Assign, ...]:
        """What gives values to the slots that the sets read."""
        read = frozenset[Slot]().union(*(sites.free for sites in self.found.values()))
        values = ((slot, node) for node, slot in self._kept.items())
        regions = (known for each in self._regions for _, known in each.items())
        return tuple(
            Assign(None, slot, self._hoister.hoisted(value))
            for slot, value in (*values, *regions)
            if slot in read
        )

    def visit(self, block: Block, after: Block, changed: AbstractSet[Slot]) -> None:
        """Look at the choices of a block that `after` follows; slots are `changed` before it."""
        for place, statement in enumerate(block):
            rest = (*block[place + 1 :], *after)
            if not self.is_worth_it:
                return
            if isinstance(statement, Choose):
                self._choice(statement, rest, changed)
            elif isinstance(statement, Branch | Decide) and not is_effect(statement):
                for inner in blocks_of(statement):
                    self.visit(inner, rest, changed)
            changed = changed | changed_slots((statement,))

    def _choice(self, choice: Choose, rest: Block, changed: AbstractSet[Slot]) -> None:
        terms = self._terms
        if not isinstance(choice.domain, SitesOf) or choice.unordered_with is not None:
            return
        if any(isinstance(each, Choose) for each in decisions_in(rest)):
            return
        most = _ways_through(rest)
        if most is None or not any(isinstance(s, Require) for s in statements_in(rest)):
            return
        if changed & terms.layers:
            return
        values: _Values = {slot: None for slot in changed if slot.is_state}
        condition = self._settles(rest, values, _MOST_PATHS)
        if condition is terms.no:
            self.is_worth_it = False
            return
        where = Where(terms, self._costs, choice.slot)
        sites = self._light(self._sites(where, condition, choice.slot))
        if sites is terms.nowhere:
            self.is_worth_it = False
            return
        self.found[choice.decision] = self._hoister.hoisted(sites)
        self.most[choice.decision] = most

    def _sites(self, where: Where, condition: Expression, slot: Slot) -> Expression:
        """Return sites for which a condition holds: as many as can be told at little cost."""
        terms = self._terms
        match condition:
            case Op("and", parts):
                kept: Expression = terms.everywhere
                for part in parts:
                    kept = terms.intersection(kept, self._sites(where, part, slot))
                return kept
            case If(test, then, otherwise):
                ways = [self._sites(where, way, slot) for way in (then, otherwise)]
                if slot not in test.free:
                    return terms.conditional(test, *map(self._light, ways))
                beyond = [where.at_most(each) for each in (terms.negation(test), test)]
                found = [
                    terms.nowhere if out is None else self._light(terms.difference(way, out))
                    for way, out in zip(ways, beyond, strict=True)
                ]
                apart = terms.union(*found)
                both = self._light(self._sites(where, terms.conjunction(then, otherwise), slot))
                is_lighter = 3 * self._costs.weight(both) < 2 * self._costs.weight(apart)
                return both if is_lighter and both is not terms.nowhere else apart
        found_at_once = where.holds(condition)
        if found_at_once is not None:
            return found_at_once
        beyond_it = where.at_most(terms.negation(condition))
        if beyond_it is None:
            return terms.nowhere
        return terms.difference(terms.everywhere, beyond_it)

    def _light(self, sites: Expression) -> Expression:
        """Return a set, or none of its sites if it would take too many operations."""
        return sites if self._costs.weight(sites) <= _HEAVIEST else self._terms.nowhere

    # ----------------------------------------------------------------------- ways

    def _settles(self, block: Block, values: _Values, paths: int) -> Expression:
        """Return a condition under which a block is sure to be completed, in one way."""
        terms = self._terms
        if not paths:
            return terms.no
        for place, statement in enumerate(block):
            rest = block[place + 1 :]
            if is_effect(statement):
                filled = self._needs.filled(statement)
                if filled.isdisjoint(self._needs.before(rest, frozenset())):
                    values = {**values, **dict.fromkeys(filled)}
                    continue
            match statement:
                case Say():
                    pass
                case Assign(_, slot, value):
                    made = self._known(value, values)
                    if isinstance(made, If) and slot.type == SITES and not slot.is_state:
                        ways = (made.then, made.otherwise)
                        made_so = [(rest, {**values, slot: way}) for way in ways]
                        return self._either(made.condition, made_so, paths)
                    values = {**values, slot: made}
                case Branch(_, condition, then, otherwise):
                    test = self._known(condition, values)
                    cases = ((*then, *rest), values), ((*otherwise, *rest), values)
                    return self._either(test, cases, paths)
                case Require(_, condition):
                    holds = self._holds(condition, values)
                    if holds is terms.no:
                        return terms.no
                    return terms.conjunction(holds, self._settles(rest, values, paths))
                case _ if is_effect(statement):
                    values = {**values, **dict.fromkeys(self._needs.filled(statement))}
                case _:
                    return terms.no
        return terms.yes

    def _either(
        self, test: Expression | None, cases: Sequence[tuple[Block, _Values]], paths: int
    ) -> Expression:
        """Return a condition under which that one of two cases is completed that a test tells."""
        first, second = (self._settles(*case, paths // 2) for case in cases)
        terms = self._terms
        if test is None or self._costs.weight(test) > _HEAVIEST:
            return terms.conjunction(first, second)
        if first is terms.no:
            return terms.conjunction(terms.negation(test), second)
        return terms.conditional(test, first, second)

    def _known(self, node: Expression, values: _Values) -> Expression | None:
        """Return an expression over the values where the choice is made; None if not known."""
        known: dict[Slot, Expression] = {}
        for slot in node.free & values.keys():
            value = values[slot]
            if value is None:
                return None
            known[slot] = value
        return self._costs.known_before(node, known)

    # --------------------------------------------------------------- requirements

    def _holds(self, condition: Expression, values: _Values) -> Expression:
        """Return a condition under which what is required is sure to hold."""
        terms = self._terms
        node = terms.intern(condition)
        if isinstance(node, Op) and node.name in ("and", "or"):
            parts = [self._holds(part, values) for part in node.arguments]
            return (terms.conjunction if node.name == "and" else terms.disjunction)(*parts)
        if not self._costs.is_safe(node) or any(isinstance(p, Times) for p in expressions_in(node)):
            return terms.no
        if node.free & self._filled or self._costs.weight(node) < _LEAST_KEPT:
            return self._known(node, values) or terms.no
        if any(slot.type not in (SITES, FLAG) for p in expressions_in(node) for slot in p.binds()):
            return terms.no
        found = _Dependence(terms, values)
        try:
            changes = found.harms(self._of_sets.of(node, lambda node: all_at_once(terms, node)))
        except _NotKnownError:
            return terms.no
        regions = self._regions[found.opens_several]
        unchanged = (
            terms.negation(terms.some(terms.intersection(each, self._region(regions, each, at))))
            for each, at in changes
        )
        return terms.conjunction(self._once(node), *unchanged)

    def _once(self, node: Expression) -> Expression:
        """Return what stands for a value that depends on the beginning of the turn alone."""
        if self._costs.weight(node) < _LEAST_KEPT:
            return node
        return self._terms.get(self._kept.of(node, lambda node: Slot("before", node.type)))

    def _region(self, regions: _Regions, change: Expression, region: Expression) -> Expression:
        """Return where a change may matter, for all that is required on any way."""
        if self._costs.weight(region) < _LEAST_KEPT:
            return region
        slot, known = regions.get(change) or (Slot("before", SITES), region)
        regions.keep(change, (slot, self._terms.union(known, region)))
        return self._terms.get(slot)


def _tell_layers(block: Block, terms: Terms) -> None:
    """Note of which layers chosen sites are, where nothing else gives values to their slots."""
    chosen: dict[Slot, list[frozenset[Slot] | None]] = {}
    for statement in statements_in(block):
        if isinstance(statement, Choose) and isinstance(statement.domain, SitesOf):
            found = layers_of(statement.domain.sites, terms.layers)
            chosen.setdefault(statement.slot, []).append(found)
        elif isinstance(statement, Assign | AssignAt | Choose | ForEach):
            chosen.setdefault(statement.slot, []).append(None)
    for slot, told in chosen.items():
        known = [layers for layers in told if layers is not None]
        if len(known) == len(told):
            terms.within[slot] = frozenset[Slot]().union(*known)


def _ways_through(block: Block) -> int | None:
    """Return how many ways lead through a block at most; None if that is not known."""
    number = 1
    for statement in block:
        if is_effect(statement):
            continue
        match statement:
            case Branch() | Decide():
                inside = [_ways_through(inner) for inner in blocks_of(statement)]
                known = [ways for ways in inside if ways is not None]
                if len(known) < len(inside):
                    return None
                number *= (max if isinstance(statement, Branch) else sum)(known)
            case Require() | Say():
                pass
            case _:
                return None
    return number


def _is_within(node: Expression, known: AbstractSet[int]) -> bool:
    """Return whether a set is part of one of those known by identity, as it is made."""
    match node:
        case Op("intersection", parts) if any(_is_within(part, known) for part in parts):
            return True
        case Op("difference", (whole, _)) if _is_within(whole, known):
            return True
    return id(node) in known


def _without_cases(parts: Iterable[Expression], terms: Terms) -> Iterable[Expression]:
    """Yield sets of which each is had by some parts in one case or another; they may be more."""
    cases: dict[int, list[tuple[Expression, Expression]]] = {}
    for part in parts:
        had = part
        if isinstance(part, If) and terms.nowhere in (part.then, part.otherwise):
            had = part.then if part.otherwise is terms.nowhere else part.otherwise
        cases.setdefault(id(had), []).append((part, had))
    for (part, had), *others in cases.values():
        yield had if others else part


# ------------------------------------------------------------ which changes bear upon a condition


class _Dependence:
    """Tells by which changes, and where, a condition that held may come to fail.

    `values` has what slots hold afterwards, as far as they may have changed.
    """

    def __init__(self, terms: Terms, values: _Values) -> None:
        self._terms = terms
        self._values = values
        self._seen: set[tuple[int, int, bool]] = set()
        self._found: list[tuple[Expression, Expression]] = []
        self._floods: dict[int, tuple[Closure, Expression]] = {}
        self.opens_several = False
        """Whether several sites may come to open a flood's way at the same time."""

    def harms(self, condition: Expression) -> list[tuple[Expression, Expression]]:
        """Return what may change, each with the sites where that could matter.

        Raises _NotKnownError.
        """
        self._flag(condition, holds=True)
        self._go_through_floods()
        regions: dict[int, tuple[Expression, Expression]] = {}
        divided = (
            (part, region)
            for change, region in self._found
            for part in flattened("union", (change,))
        )
        for change, region in divided:
            _, before = regions.get(id(change), (change, self._terms.nowhere))
            regions[id(change)] = (change, self._terms.union(before, region))
        return [*regions.values()]

    def _is_same(self, node: Expression) -> bool:
        return node.free.isdisjoint(self._values)

    def _flag(self, node: Expression, *, holds: bool) -> None:
        """Find what may make another of a condition that holds, or does not."""
        everywhere = self._terms.everywhere
        if self._is_same(node):
            return
        match node:
            case Op("not", (opposite,)):
                self._flag(opposite, holds=not holds)
            case Op("and" | "or", parts):
                for part in parts:
                    self._flag(part, holds=holds)
            case Op("some", (sites,)):
                self._sites(sites, everywhere, gains=not holds)
            case Op("subset", (part, whole)):
                self._sites(part, everywhere, gains=True)
                self._sites(part, everywhere, gains=False)
                self._sites(whole, part, gains=not holds)
            case If(condition, then, otherwise) if self._is_same(condition):
                self._flag(then, holds=holds)
                self._flag(otherwise, holds=holds)
            case Let():
                self._flag(self._opened(node), holds=holds)
            case _:
                self._any(node)

    def _any(self, node: Expression) -> None:
        """Take any change of what an expression reads for one that may matter."""
        for slot in node.free & self._values.keys():
            get = self._terms.get(slot)
            self._sites(get, self._terms.everywhere, gains=True)
            self._sites(get, self._terms.everywhere, gains=False)

    def _opened(self, node: Let) -> Expression:
        opened = self._terms.open(node)
        return self._terms.substitute(opened.body, opened.slot, opened.value)

    def _sites(self, node: Expression, within: Expression, *, gains: bool) -> None:
        """Find what may make a set gain, or lose, a site within another set."""
        terms = self._terms
        key = (id(node), id(within), gains)
        if self._is_same(node) or within is terms.nowhere or key in self._seen:
            return
        self._seen.add(key)
        match node:
            case Get(slot):
                self._slots((slot,), within, gains=gains)
            case Op("union", parts):
                slots = [part.slot for part in parts if isinstance(part, Get)]
                self._slots(slots, within, gains=gains)
                for part in parts:
                    if not isinstance(part, Get):
                        self._sites(part, within, gains=gains)
            case Op("intersection", parts):
                if gains:
                    within = terms.intersection(within, self._bound(node))
                for part in sorted(parts, key=self._order):
                    self._sites(part, within, gains=gains)
                    within = terms.intersection(within, part)
            case Op("difference", (whole, away)):
                left = terms.difference(within, away) if self._is_same(away) else within
                self._sites(whole, left, gains=gains)
                self._sites(away, terms.intersection(within, whole), gains=not gains)
            case Op("image", (of,), payload=Relation() as relation):
                self._sites(of, terms.image(terms.inverse(relation), within), gains=gains)
            case If(condition, then, otherwise) if self._is_same(condition):
                for way in (then, otherwise):
                    self._sites(way, within, gains=gains)
            case Let():
                self._sites(self._opened(node), within, gains=gains)
            case Select(_, sites) if self._is_same(terms.open(node).condition):
                self._sites(sites, within, gains=gains)
            case Closure() if gains:
                _, other = self._floods.get(id(node), (node, terms.nowhere))
                self._floods[id(node)] = (node, terms.union(other, within))
            case _:
                self._any(node)

    def _go_through_floods(self) -> None:
        """Find what may make the floods that were met gain a site where that may matter."""
        while self._floods:
            _, (node, within) = self._floods.popitem()
            self._flood(node, within)

    def _flood(self, node: Closure, within: Expression) -> None:
        """Find what may make a flood gain a site within a set.

        Where a single site opens a way, it leads into the set as things were; and the flood came to
        it, or begins anew by the same change.
        """
        terms, opened = self._terms, self._terms.open(node)
        opening = self._gains(opened.step, terms.everywhere)
        begun = self._gains(opened.seed, terms.everywhere)
        reached = [
            (change, terms.substitute(region, opened.frontier, node)) for change, region in opening
        ]
        changes = {id(change): change for change, _ in opening}
        is_one = len(changes) == 1 and all(map(self._is_one_site, changes.values()))
        is_entered = self._bounds_what_is_entered(opened.step, opened.frontier)
        self.opens_several |= not is_one
        leads: Expression | None = None
        if is_one and is_entered and not isinstance(within, Const):
            leads = reversed_closure(terms, opened.frontier, opened.step, within)
        if leads is None:
            self._found += (*reached, *begun)
            return
        at_opening = [*reached, *(found for found in begun if id(found[0]) in changes)]
        anew = self._gains(opened.seed, leads)
        self._found += (found for found in begun if id(found[0]) not in changes)
        self._found += (found for found in anew if id(found[0]) in changes)
        self._found += ((change, terms.intersection(leads, at)) for change, at in at_opening)

    def _gains(self, node: Expression, within: Expression) -> list[tuple[Expression, Expression]]:
        """Return what may make a set gain a site within another, whatever was found before."""
        inner = _Dependence(self._terms, self._values)
        inner._sites(node, within, gains=True)
        inner._go_through_floods()
        self.opens_several |= inner.opens_several
        return inner._found

    def _bounds_what_is_entered(self, step: Expression, frontier: Slot) -> bool:
        """Return whether changes bear upon where a step comes to alone, not on where it leads."""
        match step:
            case Op("difference", (whole, away)) if frontier not in away.free:
                return self._bounds_what_is_entered(whole, frontier)
            case Op("intersection", parts):
                moving = [part for part in parts if frontier in part.free]
                return len(moving) == 1 and self._bounds_what_is_entered(moving[0], frontier)
        return self._is_same(step)

    def _is_one_site(self, node: Expression) -> bool:
        """Return whether a set has one site at most, as far as can be told."""
        match node:
            case If(_, then, otherwise):
                ways = (then, otherwise)
                return all(way is self._terms.nowhere or self._is_one_site(way) for way in ways)
            case Op("intersection", parts):
                return any(map(self._is_one_site, parts))
            case Op("difference", (whole, _)):
                return self._is_one_site(whole)
        return self._terms.is_single(node)

    def _bound(self, node: Expression) -> Expression:
        """Return a set, as it was, in which all sites lie that another has afterwards."""
        terms = self._terms
        match node:
            case _ if self._is_same(node):
                return node
            case Get(slot):
                value = self._values[slot]
                is_bound = value is not None and self._gained(value, slot) is terms.nowhere
                return node if is_bound else terms.everywhere
            case Op("union", parts):
                return terms.union(*map(self._bound, parts))
            case Op("intersection", parts):
                return terms.intersection(*map(self._bound, parts))
            case Op("difference", (whole, away)):
                bound = self._bound(whole)
                return terms.difference(bound, away) if self._is_same(away) else bound
        return terms.everywhere

    def _order(self, node: Expression) -> int:
        """Return which parts of an intersection come first: known ones bound the others."""
        return 0 if self._is_same(node) else 2 if isinstance(node, Get) else 1

    def _slots(self, slots: Sequence[Slot], within: Expression, *, gains: bool) -> None:
        """Take note of what the union of some slots may gain, or lose, within a set."""
        terms = self._terms
        values: dict[Slot, Expression] = {}
        for slot in slots:
            value = self._values.get(slot, terms.get(slot))
            if value is None or slot.type != SITES or slot.per_site:
                raise _NotKnownError
            values[slot] = value
        whole = terms.union(*map(terms.get, slots))
        if gains:
            within = terms.difference(within, whole)
            found = [self._gained(value, slot) for slot, value in values.items()]
            parts = [*flattened("union", found)]
        else:
            within = terms.intersection(within, whole)
            found = [self._lost(value, slot) for slot, value in values.items()]
            sure = {id(part) for part in self._sure(values)}
            parts = [part for part in flattened("union", found) if not _is_within(part, sure)]
        change = terms.union(*_without_cases(parts, terms))
        if change is not terms.nowhere:
            self._found.append((change, within))

    def _gained(self, node: Expression, slot: Slot) -> Expression:
        """Return a set that has all sites that a slot gains by taking a value."""
        terms = self._terms
        match node:
            case Get(other) if other is slot:
                return terms.nowhere
            case Op("difference", (whole, away)):
                without = {id(part) for part in flattened("union", (away,))}
                gained = flattened("union", (self._gained(whole, slot),))
                kept = [part for part in gained if not _is_within(part, without)]
                return terms.difference(terms.union(*kept), away)
            case Op("union", parts):
                return terms.union(*(self._gained(part, slot) for part in parts))
            case Op("intersection", parts):
                return terms.intersection(*(self._gained(part, slot) for part in parts))
            case If(condition, then, otherwise):
                ways = (self._gained(way, slot) for way in (then, otherwise))
                return terms.conditional(condition, *ways)
        return node

    def _lost(self, node: Expression, slot: Slot) -> Expression:
        """Return a set that has all sites that a slot loses by taking a value."""
        terms = self._terms
        match node:
            case Get(other) if other is slot:
                return terms.nowhere
            case Op("difference", (whole, away)) if slot in whole.free:
                return terms.union(self._lost(whole, slot), away)
            case Op("union", parts):
                for part in parts:
                    if slot in part.free and isinstance(part, Op | Get):
                        return self._lost(part, slot)
            case If(condition, then, otherwise):
                ways = (self._lost(way, slot) for way in (then, otherwise))
                return terms.conditional(condition, *ways)
        return terms.difference(terms.get(slot), node)

    def _sure(self, values: Mapping[Slot, Expression]) -> Iterable[Expression]:
        """Yield sets of which it is known that one of some slots or the other comes to have them.

        Where a piece stood, it is of some kind, and that kind has the site to which it went.
        """
        terms = self._terms
        told: dict[tuple[int, Slot], set[Slot]] = {}
        gains: dict[int, Expression] = {}
        for slot, value in values.items():
            parts = value.arguments if isinstance(value, Op) and value.name == "union" else ()
            for part in parts:
                if isinstance(part, Get) and part.slot not in values:
                    yield part
                match part:
                    case If(Op("some", (Op("intersection", (Get(a), Get(b))),)), gain, nothing):
                        origin = b if a is slot else a if b is slot else None
                        if origin in terms.singles and nothing is terms.nowhere:
                            gains[id(gain)] = gain
                            told.setdefault((id(gain), origin), set()).add(slot)
        for (which, origin), slots in told.items():
            if terms.within.get(origin) and terms.within[origin] <= slots:
                yield gains[which]
