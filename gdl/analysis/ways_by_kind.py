"""How many ways there are on from pieces of one kind, without going through the others' questions.

In: the block of a turn, and the sites after which its last choices are sure to be completed. Out:
for each choice of a piece that such a choice follows, the kinds of pieces, with what a piece of
that kind can go to. What then holds: together, the kinds have the ways that the two choices have;
their order is another, so this serves only to count.

What a piece can go to is mostly a question for its kind: of a known kind, little is left of it.
Where each piece of a kind goes in a few directions, all of them are moved at once, a direction
after the other: no two of them meet, so there are as many ways as sites. Those that remain, such
as pawns on the last row but one, are gone through one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from gdl.board.relation import Relation
from gdl.core.build import flattened
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Block,
    Choose,
    Decision,
    Expression,
    Get,
    If,
    Let,
    Op,
    SitesOf,
    Slot,
)
from gdl.core.walk import blocks_of
from gdl.data_classes import dataclass
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.common_subexpressions import Hoister

_LEAST_WEIGHT = 60
"""What can be gone to without so many operations is soon asked of any piece."""
_MOST_WEIGHT = 3
"""So many times what is asked of a piece of any kind may be what is asked of all kinds."""


@dataclass(frozen=True)
class Kind:
    """Pieces of one kind: each of `pieces` can go to `targets`; `harmless` ones complete the turn.

    Where there are sets `at_once`, there are as many ways to harmless targets as they have sites,
    and `pieces` are those that have other targets, too.
    """

    pieces: Expression
    targets: Expression
    harmless: Expression
    at_once: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Kinds:
    """The kinds of pieces of a choice, and the choice of a target that follows it."""

    last: Choose
    kinds: tuple[Kind, ...]


def ways_by_kind(
    block: Block, harmless: Mapping[Decision, Expression], terms: Terms, number: Mapping[Slot, int]
) -> dict[Decision, Kinds]:
    """Return the kinds of first choices in a block, where that is worth it.

    `terms` are for this block alone, and `number` tells how many pieces layers have at first.
    """
    found: dict[Decision, Kinds] = {}
    for first, last in _pairs(block):
        if last.decision in harmless:
            kinds = _kinds(first, last, harmless[last.decision], terms, number)
            if kinds:
                found[first.decision] = Kinds(last, kinds)
    return found


def _pairs(block: Block) -> Iterator[tuple[Choose, Choose]]:
    """Yield the choices that follow one another directly, in a block and inside its statements."""
    for place, statement in enumerate(block):
        for inner in blocks_of(statement):
            yield from _pairs(inner)
        for following in block[place + 1 : place + 2]:
            if isinstance(statement, Choose) and isinstance(following, Choose):
                yield statement, following


def _kinds(
    first: Choose, last: Choose, harmless: Expression, terms: Terms, number: Mapping[Slot, int]
) -> tuple[Kind, ...]:
    """Return the kinds of a choice; none if they gain nothing."""
    if not isinstance(first.domain, SitesOf) or not isinstance(last.domain, SitesOf):
        return ()
    parts = [*flattened("union", (terms.intern(first.domain.sites),))]
    layers = [part.slot for part in parts if isinstance(part, Get)]
    if len(layers) < len(parts) or len(layers) < 2 or not terms.layers.issuperset(layers):
        return ()
    costs = Costs(terms)
    whole = costs.weight(terms.intern(last.domain.sites))
    if whole < _LEAST_WEIGHT or first.unordered_with is not None:
        return ()
    hoister = Hoister(terms, costs)
    targets, harmless = (_without_lets(node, terms) for node in (last.domain.sites, harmless))
    kinds = [
        _OneKind(terms, hoister, first.slot, layer).kind(targets, harmless, number.get(layer, 0))
        for layer in layers
    ]
    weight = sum(costs.weight(kind.targets) for kind in kinds)
    return tuple(kinds) if weight <= _MOST_WEIGHT * whole else ()


def _without_lets(node: Expression, terms: Terms) -> Expression:
    """Return an interned expression that names nothing: its parts share what it did name."""

    def rule(part: Expression) -> Expression:
        if not isinstance(part, Let):
            return part
        opened = terms.open(part)
        return terms.substitute(opened.body, opened.slot, opened.value)

    return terms.rewrite(terms.intern(node), rule, {}, terms.kinds(Let))


@dataclass(frozen=True)
class _Steps:
    """Where all of some pieces come to by going the same way: none of them to the same site.

    Each goes so many sites on, in the order of sites; if there is a `test`, then `far` has both
    numbers, for where it holds and where not.
    """

    sites: Expression
    far: tuple[int, int] = (0, 0)
    test: Expression | None = None


_Assumed = tuple[Expression, bool] | None
"""A test, and how it ends."""


class _NoStepsError(Exception):
    """Pieces of a kind can't be moved all at once."""


class _OneKind:
    """Tells what a piece that is chosen into a slot can do, as it is in a layer."""

    def __init__(self, terms: Terms, hoister: Hoister, slot: Slot, layer: Slot) -> None:
        self.terms = terms
        self.slot = slot
        self.layer = layer
        self._hoister = hoister
        self._done = Memo[Expression, Expression]()

    def kind(self, targets: Expression, harmless: Expression, number: int) -> Kind:
        """Return the kind, of which there are so many pieces at first."""
        hoisted = self._hoister.hoisted
        pieces: Expression = self.terms.get(self.layer)
        targets, harmless = self._known(targets), self._known(harmless)
        at_once: tuple[Expression, ...] = ()
        try:
            steps = self._steps(targets)
            if len(steps) <= number and _go_apart(steps):
                pieces, at_once = self._at_once(steps, harmless)
        except _NoStepsError:
            pass
        return Kind(
            hoisted(pieces), hoisted(targets), hoisted(harmless), tuple(map(hoisted, at_once))
        )

    def _known(self, node: Expression) -> Expression:
        """Return an expression as it is of a piece of this kind."""
        if self.slot not in node.free or isinstance(node, Get):
            return node
        return self._done.of(node, self._simplified)

    def _simplified(self, node: Expression) -> Expression:
        terms, piece = self.terms, self.terms.get(self.slot)
        match node:
            case If(test, then, otherwise):
                holds = self._known(test)
                if holds is terms.yes or holds is terms.no:
                    return self._known(then if holds is terms.yes else otherwise)
            case Op("subset", (part, whole)) if part is piece:
                own = terms.get(self.layer)
                if any(each is own for each in flattened("union", (whole,))):
                    return terms.yes
                if self._is_of_others(whole):
                    return terms.no
            case Op("intersection", parts) if any(part is piece for part in parts):
                if any(map(self._is_of_others, parts)):
                    return terms.nowhere
                own = terms.get(self.layer)
                parts = tuple(self._known(part) for part in parts if part is not own)
                return terms.intersection(*parts)
            case Op("difference", (whole, part)) if part is piece and self._is_of_others(whole):
                return whole
        return terms.remade(node, self._known)

    def _is_of_others(self, node: Expression) -> bool:
        """Return whether a set has pieces of other kinds alone."""
        layers = self.terms.layers_of(node)
        return layers is not None and self.layer not in layers

    # ------------------------------------------------------------------- all at once

    def _steps(self, node: Expression, assumed: _Assumed = None) -> list[_Steps]:
        """Return the ways of going to a set from a piece, of which each leads to one site at most.

        It may be assumed how one test ends. Raises _NoStepsError.
        """
        terms = self.terms
        if node is terms.nowhere:
            return []
        match node:
            case Get(slot) if slot is self.slot:
                return [_Steps(node)]
            case Op("image", (of,), payload=Relation() as relation):
                inner = self._steps(of, assumed)
                return [
                    replace(
                        steps,
                        sites=terms.image(way, steps.sites),
                        far=(steps.far[0] + shift, steps.far[1] + shift),
                    )
                    for way, shift in _ways(relation)
                    for steps in inner
                ]
            case Op("union", parts):
                return [steps for part in parts for steps in self._steps(part, assumed)]
            case Op("intersection", parts):
                (own, *more), others = self._divided(parts)
                if not more:
                    return self._changed(own, assumed, lambda to: terms.intersection(to, *others))
            case Op("difference", (whole, away)) if self.slot not in away.free:
                return self._changed(whole, assumed, lambda to: terms.difference(to, away))
            case If(test, then, otherwise) if self.slot not in test.free:
                if assumed is not None and test is assumed[0]:
                    return self._steps(then if assumed[1] else otherwise, assumed)
                both = self._steps(then, (test, True)), self._steps(otherwise, (test, False))
                if len(both[0]) == len(both[1]):
                    return [self._either(test, *pair) for pair in zip(*both, strict=True)]
        raise _NoStepsError

    def _divided(self, parts: tuple[Expression, ...]) -> tuple[list[Expression], list[Expression]]:
        """Return which parts are asked of the piece, and which are the same for all."""
        own = [part for part in parts if self.slot in part.free]
        if not own:
            raise _NoStepsError
        return own, [part for part in parts if self.slot not in part.free]

    def _changed(
        self, node: Expression, assumed: _Assumed, change: Callable[[Expression], Expression]
    ) -> list[_Steps]:
        found = self._steps(node, assumed)
        return [replace(steps, sites=change(steps.sites)) for steps in found]

    def _either(self, test: Expression, then: _Steps, otherwise: _Steps) -> _Steps:
        """Return the steps that are the one way or the other, for all pieces alike."""
        if then.test is not None or otherwise.test is not None:
            raise _NoStepsError
        sites = self.terms.conditional(test, then.sites, otherwise.sites)
        return _Steps(sites, (then.far[0], otherwise.far[0]), test)

    def _at_once(
        self, ways: list[_Steps], harmless: Expression
    ) -> tuple[Expression, tuple[Expression, ...]]:
        """Return the pieces with targets that are not harmless, and where all others can go."""
        terms = self.terms
        layer = terms.get(self.layer)
        free, goals = self._harmless(harmless)
        movers = terms.intersection(layer, free)
        rest, found = terms.difference(layer, free), []
        for steps in ways:
            sites = terms.substitute(steps.sites, self.slot, movers)
            found.append(terms.intersection(sites, goals))
            rest = terms.union(rest, self._back(steps, terms.difference(sites, goals)))
        return rest, tuple(found)

    def _back(self, steps: _Steps, sites: Expression) -> Expression:
        """Return the pieces that have gone to some sites."""
        terms = self.terms
        then, otherwise = (
            terms.image(_shift(terms.size, -far), sites) if far else sites for far in steps.far
        )
        return then if steps.test is None else terms.conditional(steps.test, then, otherwise)

    def _harmless(self, node: Expression) -> tuple[Expression, Expression]:
        """Return pieces and sites: to each of these, each of those goes without harm.

        Raises _NoStepsError.
        """
        terms = self.terms
        if self.slot not in node.free:
            return terms.everywhere, node
        match node:
            case Op("intersection", parts):
                both = [*map(self._harmless, parts)]
                pieces = terms.intersection(*(those for those, _ in both))
                return pieces, terms.intersection(*(goals for _, goals in both))
            case Op("difference", (whole, away)) if self.slot not in away.free:
                pieces, goals = self._harmless(whole)
                return pieces, terms.difference(goals, away)
            case If(Op("some", (Op("intersection", parts),)), then, otherwise):
                piece = terms.get(self.slot)
                those = terms.intersection(*(part for part in parts if part is not piece))
                if self.slot in those.free or all(part is not piece for part in parts):
                    raise _NoStepsError
                if then is terms.nowhere:
                    pieces, goals = self._harmless(otherwise)
                    return terms.difference(pieces, those), goals
                if otherwise is terms.nowhere:
                    pieces, goals = self._harmless(then)
                    return terms.intersection(pieces, those), goals
        raise _NoStepsError


def _ways(relation: Relation) -> Iterator[tuple[Relation, int]]:
    """Yield the parts of a relation that lead equally far, each with how far."""
    for sources, shift in relation.offset_classes:
        yield _shift(relation.size, shift, sources), shift


def _shift(size: int, shift: int, sources: int = -1) -> Relation:
    """Return the relation of some sites, or all that it can be, to those that are so far on."""
    targets = range(max(0, shift), min(size, size + shift))
    pairs = ((site - shift, site) for site in targets if sources >> site - shift & 1)
    return Relation.from_pairs(size, pairs)


def _go_apart(ways: list[_Steps]) -> bool:
    """Return whether no piece comes to the same site in two of some ways."""
    tests = [steps.test for steps in ways if steps.test is not None]
    if any(test is not tests[0] for test in tests):
        return False
    return all(len({steps.far[which] for steps in ways}) == len(ways) for which in (0, 1))
