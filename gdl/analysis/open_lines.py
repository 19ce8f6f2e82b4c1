"""How far a piece can go in lines, at most, in the position at hand: a bound that shrinks in play.

In: the ways of a plain turn. Out: for a last choice among sites in lines from one chosen before,
the lines, and a set that these sites lie in, told by the position before the turn. What then holds:
the sites on a line are one fewer at most than the longest run of that set along it, for the site
that they go from lies in it as well. The bound before play is that of an empty board, of which few
numbers name a way once the board has filled; this one is worked out once a turn.
"""

from __future__ import annotations

from collections.abc import Mapping

from gdl.analysis.plain_turns import Plain, Way
from gdl.analysis.set_sizes import image_of
from gdl.board.relation import Relation
from gdl.core.known import all_known
from gdl.core.nodes import (
    Assign,
    Choose,
    Closure,
    Const,
    Decision,
    Expression,
    Get,
    If,
    Let,
    Op,
    Require,
    Say,
    Select,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.types import SITES
from gdl.core.walk import changed_slots, is_effect
from gdl.data_classes import dataclass
from gdl.optimise.algebra.terms import Terms

_LEAST_WEIGHT = 12
"""Smaller bounds before play are good enough; so are those after one choice alone, which is soon
drawn again."""


@dataclass(frozen=True)
class OpenLines:
    """Where the sites of a choice lie at most: in lines along `steps`, in the set `within`.

    Each step stands for both ways along its lines, if both are gone.
    """

    steps: tuple[Relation, ...]
    within: Expression


@dataclass(frozen=True)
class _Limits:
    """Sets that a set holds at least and lies in at most, whatever was chosen."""

    least: Expression
    most: Expression


_Known = Mapping[Slot, _Limits]


def open_lines(turn: Plain, terms: Terms) -> dict[Decision, OpenLines]:
    """Return the lines of those last choices that the numbers of a plain turn are drawn for."""
    found: dict[Decision, OpenLines] = {}
    for way in turn.ways:
        last = last_choice(way)
        if last is None or not way.is_pair or way.weight < _LEAST_WEIGHT:
            continue
        lines = _Lines(terms).of(way, last) if turn.ways_on[last.decision] == 1 else None
        if lines is not None:
            found[last.decision] = lines
    return found


def last_choice(way: Way) -> Choose | None:
    """Return the only decision that is left on a way, if it is a choice of a site."""
    decisions = [s for s in way.rest if not (is_effect(s) or isinstance(s, Require | Say))]
    match decisions:
        case [Choose(domain=SitesOf(), unordered_with=None) as last] if way.cases is None:
            return last
    return None


class _Lines:
    """Finds the lines of a last choice."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._known: dict[Slot, _Limits] = {}
        self._bound: dict[Slot, Expression] = {}

    def of(self, way: Way, last: Choose) -> OpenLines | None:
        """Return the lines of the choice, if all that can be chosen lies in lines from one site."""
        assert isinstance(last.domain, SitesOf), "a site is chosen"
        for statement in (*way.choices, *way.rest):
            if statement is last:
                break
            self._done(statement)
        origins = [s.slot for s in (*way.choices, *way.rest) if isinstance(s, Choose)]
        for origin in origins:
            steps = self._steps(last.domain.sites, origin)
            if steps is not None and origin in self._known:
                most = self._limits(last.domain.sites, self._known).most
                within = self._terms.union(most, self._known[origin].most)
                return OpenLines(_axes(steps), within)
        return None

    def _done(self, statement: Statement) -> None:
        """Note what slots hold after a statement, as far as that is known."""
        match statement:
            case Choose(slot=slot, domain=SitesOf(sites)):
                most = self._limits(sites, self._known).most
                self._known[slot] = _Limits(self._terms.nowhere, most)
            case Assign(_, slot, value) if slot.type == SITES:
                self._known[slot] = self._limits(value, self._known)
            case _:
                for slot in changed_slots((statement,)):
                    self._known[slot] = self._any

    @property
    def _any(self) -> _Limits:
        return _Limits(self._terms.nowhere, self._terms.everywhere)

    def _steps(self, node: Expression, origin: Slot) -> list[Relation] | None:
        """Return along which steps the sites of a set lie in lines from a site, if they all do."""
        match node:
            case Let(_, value, body) if value.type != SITES or origin not in value.free:
                return self._steps(body, origin)
            case Op("union", parts):
                found = [self._steps(part, origin) for part in parts]
                known = all_known(found)
                return None if known is None else [step for steps in known for step in steps]
            case Closure(seed, frontier, step):
                along = image_of(step, frontier)
                if along is not None and along == image_of(seed, origin):
                    is_even = along.is_function and len(along.offset_classes) == 1
                    return [along] if is_even else None
        return None

    def _limits(self, node: Expression, known: _Known) -> _Limits:
        """Return the limits of a set, in whose expression slots have theirs."""
        terms = self._terms
        match node:
            case Get(slot):
                made = terms.get(slot)
                return known.get(slot, _Limits(made, made))
            case Const():
                made = terms.intern(node)
                return _Limits(made, made)
            case Let(slot, value, body) if value.type == SITES:
                return self._limits(body, {**known, slot: self._limits(value, known)})
            case Let(_, _, body):
                return self._limits(body, known)
            case Select(_, sites):
                return _Limits(terms.nowhere, self._limits(sites, known).most)
            case If(_, then, otherwise):
                ways = [self._limits(way, known) for way in (then, otherwise)]
                least = terms.intersection(*(way.least for way in ways))
                return _Limits(least, terms.union(*(way.most for way in ways)))
            case Op("union" | "intersection" as name, parts):
                join = terms.union if name == "union" else terms.intersection
                limits = [self._limits(part, known) for part in parts]
                least = join(*(part.least for part in limits))
                return _Limits(least, join(*(part.most for part in limits)))
            case Op("difference", (of, away)):
                left, gone = self._limits(of, known), self._limits(away, known)
                least = self._without(left.least, gone.most)
                return _Limits(least, self._without(left.most, gone.least))
            case Closure(seed, frontier, step):
                reached = self._limits(step, {**known, frontier: self._any}).most
                most = terms.union(self._limits(seed, known).most, reached)
                return _Limits(terms.nowhere, most)
        return self._any

    def _without(self, of: Expression, away: Expression) -> Expression:
        """Return a set without another; what is not in the complement of a set is in the set."""
        terms = self._terms
        match away:
            case Op("difference", (whole, kept)) if whole is terms.everywhere:
                return terms.intersection(of, kept)
        return terms.difference(of, away)


def _axes(steps: list[Relation]) -> tuple[Relation, ...]:
    """Return one of each two steps that are opposite."""
    found: list[Relation] = []
    for step in steps:
        if step not in found and step.inverse() not in found:
            found.append(step)
    return tuple(found)
