"""How many ways a turn can go on in, at most: what random moves are drawn by.

In: the block of a turn. Out: for each choice and each decision between alternatives, a bound of
the ways in which the turn can go on after it, known before play. What then holds: a turn never
goes on in more ways than its bound, so that drawing a number below the bound, and drawing again
where it names no way, makes each way equally likely.

The bound of a choice among the sites that a relation leads to from one chosen site is the
greatest number of such sites; of sites in a line from it, the length of the line. Loops in which
something is decided or required have no bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from gdl.board.relation import Relation, bits
from gdl.core.nodes import (
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
    RangeOf,
    Repeat,
    Require,
    Select,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.types import SITES
from gdl.core.walk import statements_in
from gdl.optimise.interner import Interner

MOST_WEIGHT = 64
"""Greater bounds are no use: most numbers below them would name no way."""
MOST_DRAWS = 64
"""How often a way is drawn of which none may come, before all are tried."""

Bound = int | tuple[int, ...] | None
After = Mapping[Decision, Bound]
"""What `Weights.after` has."""


class Weights:
    """The bounds of one turn's block, over a board of `size` sites.

    `after` has, for each decision in the block, a bound of the ways after a choice, or of those
    through each alternative; None where there is none, or a large one.
    """

    def __init__(self, block: Block, size: int) -> None:
        """Work out all bounds of a block."""
        self._size = size
        self.after: dict[Decision, Bound] = {}
        self._chosen: set[Slot] = set()
        self._interner = Interner()
        self._block(block, 1)

    def _block(self, block: Block, after: int | None) -> int | None:
        chosen = set(self._chosen)
        for statement in block:
            if isinstance(statement, Choose) and isinstance(statement.domain, SitesOf):
                self._chosen.add(statement.slot)
        for place in range(len(block) - 1, -1, -1):
            after = self._statement(block[place], after)
        self._chosen = chosen
        return after

    def _statement(self, statement: Statement, after: int | None) -> int | None:
        match statement:
            case Choose():
                self.after[statement.decision] = _small(after)
                most = self._most(statement)
                if after is None or self._is_wide(statement, most):
                    return None
                return _small(after * most)
            case Decide(_, alternatives):
                parts = [self._block(way.body, after) for way in alternatives]
                known = tuple(part for part in parts if part is not None)
                self.after[statement.decision] = known if len(known) == len(parts) else None
                return _small(sum(known)) if len(known) == len(parts) else None
            case Branch(_, _, then, otherwise):
                a, b = self._block(then, after), self._block(otherwise, after)
                return None if a is None or b is None else max(a, b)
            case ForEach() | Repeat():
                if not _always_goes_on(statement.body):
                    self._block(statement.body, None)
                    return None
        return after

    def _is_wide(self, choice: Choose, most: int) -> bool:
        """Return whether a bound takes in most of the board, so that few numbers name a way."""
        return isinstance(choice.domain, SitesOf) and 2 * most > self._size

    def _most(self, choice: Choose) -> int:
        """Return how many candidates a choice has at most."""
        domain = choice.domain
        if isinstance(domain, RangeOf):
            if isinstance(domain.low, Const) and isinstance(domain.high, Const):
                return max(0, int(domain.high.value) - int(domain.low.value) + 1)
            return MOST_WEIGHT + 1
        return max(self._sites(domain.sites, {}).numbers, default=0)

    def _sites(self, node: Expression, known: dict[Slot, _Most]) -> _Most:
        """Return the number of sites of a set at most, by the site that a choice has."""
        reached = self._reached(node)
        if reached is not None:
            slot, relation = reached
            return _Most(slot, tuple(s.bit_count() for s in relation.successors))
        match node:
            case Const(value):
                return self._always(int(value).bit_count())
            case Get(slot) if slot in known:
                return known[slot]
            case Op("union", arguments):
                parts = [self._one_of(cases, known) for cases in self._cases(arguments)]
                return self._sum(parts)
            case Op("intersection", arguments):
                return self._combined([self._sites(part, known) for part in arguments], min)
            case Op("difference", arguments):
                return self._sites(arguments[0], known)
            case Select(_, sites):
                return self._sites(sites, known)
            case If(_, then, otherwise):
                return self._combined(
                    [self._sites(then, known), self._sites(otherwise, known)], max
                )
            case Let(slot, value, body):
                inner = {**known, slot: self._sites(value, known)} if value.type == SITES else known
                return self._sites(body, inner)
            case Closure():
                return self._line(node) or self._always(self._size)
        return self._always(self._size)

    def _always(self, number: int) -> _Most:
        return _Most(None, (number,) * self._size)

    def _combined(self, parts: list[_Most], how: Callable[[Iterable[int]], int]) -> _Most:
        """Combine bounds site by site; those by the sites of different choices by the greatest."""
        slots = {part.slot for part in parts if part.slot is not None}
        if len(slots) > 1:
            return self._always(how([max(part.numbers) for part in parts]))
        numbers = zip(*(part.numbers for part in parts), strict=True)
        return _Most(next(iter(slots), None), tuple(how(n) for n in numbers))

    def _cases(self, parts: Iterable[Expression]) -> list[list[list[Expression]]]:
        """Divide a union: of each list of cases, at most one has sites in any position.

        Such are the parts that are there if a value is one constant, and those if it is another.
        """
        by_value: dict[int, dict[object, list[Expression]]] = {}
        for part in parts:
            value, constant = _case_of(part)
            cases = by_value.setdefault(id(self._interner.intern(value)), {})
            cases.setdefault(constant, []).append(part)
        return [list(cases.values()) for cases in by_value.values()]

    def _one_of(self, cases: list[list[Expression]], known: dict[Slot, _Most]) -> _Most:
        """Bound the union of sets, given by cases of which at most one has sites."""
        parts = [[self._sites(part, known) for part in case] for case in cases]
        return self._combined([self._sum(case) for case in parts], max)

    def _sum(self, parts: list[_Most]) -> _Most:
        return self._combined(parts, lambda n: min(self._size, sum(n)))

    def _reached(self, node: Expression) -> tuple[Slot, Relation] | None:
        """Return where a set lies at most: a relation from the site of a choice."""
        match node:
            case Get(slot) if slot in self._chosen:
                return slot, Relation.identity(self._size)
            case Op("image", (of,), _, relation):
                before = self._reached(of)
                if before is None or not isinstance(relation, Relation):
                    return None
                return before[0], before[1].compose(relation)
            case Op("intersection", arguments):
                found = (self._reached(part) for part in arguments)
                return next((one for one in found if one is not None), None)
            case Op("difference", arguments):
                return self._reached(arguments[0])
        return None

    def _line(self, node: Closure) -> _Most | None:
        """Bound a flood in one direction that begins next to the site of a choice."""
        seed, step = self._reached(node.seed), _image_of(node.step, node.frontier)
        if seed is None or step is None or seed[1] != step or not step.is_function:
            return None
        lengths = []
        for site in range(self._size):
            length, here = 0, step.successors[site]
            while here and length < self._size:
                length += 1
                (index,) = bits(here)
                here = step.successors[index]
            lengths.append(length)
        return _Most(seed[0], tuple(lengths))


@dataclass(frozen=True)
class _Most:
    """How many sites there are at most, by the site of a choice (None: whatever it is)."""

    slot: Slot | None
    numbers: tuple[int, ...]


def _case_of(part: Expression) -> tuple[Expression, object]:
    """Return the value and the constant that it must be for a set to have sites."""
    match part:
        case If(Op("equal", (value, Const(constant))), _, Const(0)):
            return value, constant
    return part, None


def _image_of(node: Expression, frontier: Slot) -> Relation | None:
    """Match an image of a frontier, cut down by other sets."""
    match node:
        case Op("image", (Get(slot),), _, relation) if slot is frontier:
            return relation if isinstance(relation, Relation) else None
        case Op("image", (of,), _, relation) if isinstance(relation, Relation):
            return relation if _is_within(of, frontier) else None
        case Op("intersection", arguments):
            found = (_image_of(part, frontier) for part in arguments)
            return next((one for one in found if one is not None), None)
        case Op("difference", arguments):
            return _image_of(arguments[0], frontier)
    return None


def _is_within(node: Expression, frontier: Slot) -> bool:
    match node:
        case Get(slot):
            return slot is frontier
        case Op("intersection", arguments):
            return any(_is_within(part, frontier) for part in arguments)
        case Op("difference", arguments):
            return _is_within(arguments[0], frontier)
    return False


def _small(weight: int | None) -> int | None:
    return weight if weight is not None and weight <= MOST_WEIGHT**2 else None


def _always_goes_on(block: Block) -> bool:
    """Return whether a block neither decides anything nor requires anything."""
    return not any(isinstance(s, Choose | Decide | Require) for s in statements_in(block))


def least(a: After, b: After) -> After:
    """Return the lesser of two bounds for each decision, where both tell of the same turn."""
    return {decision: _lesser(bound, b[decision]) for decision, bound in a.items()}


def _lesser(a: Bound, b: Bound) -> Bound:
    if a is None or b is None:
        return b if a is None else a
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    assert isinstance(a, tuple) and isinstance(b, tuple), "bounds of the same decision are alike"
    return tuple(map(min, a, b))
