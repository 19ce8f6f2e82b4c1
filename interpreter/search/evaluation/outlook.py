"""What a position promises, guessed from the rules alone: how near each side is to what it wants.

In: a program of two sides. Out: expressions of the core, each a number that is greater the better
the position is for the first side. What then holds: nothing was learned; where an ending can't be
told by degrees, it counts as all or nothing.

Random games of many moves say little, and take long. Where games go on for hundreds, they are
broken off, and what these numbers come to stands for how they would have ended. That conditions
are told by degrees is after S. Schiffel and M. Thielscher, "Fluxplayer: a successful general game
player" (2007); that random games are broken off and judged, after M. Winands and others, "Monte
Carlo tree search in LOA" (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import islice

from gdl.board.relation import Relation
from gdl.core import build
from gdl.core.nodes import (
    Const,
    Ending,
    Expression,
    Fold,
    Get,
    If,
    Let,
    Op,
    Program,
    Slot,
    Times,
)
from gdl.core.types import NUMBER, SITES
from gdl.core.walk import expressions_in, number_of_nodes
from gdl.interpreter.native.asked import ALIGNED
from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.search.machine.instructions import (
    Floats,
    Record,
    Words,
    address,
    array,
    call,
    native,
)
from gdl.model import Game
from gdl.optimise.algebra.interner import Interner

_FULL = 1000
"""The degree of what holds."""
_HUNDREDTHS = 100
_FURTHEST = 24
"""How many steps away from a goal a piece may be to be nearer than others."""
_FEW = 8
"""Where a number is to come down to nothing, so many count as far away."""
_LARGEST = 1_000_000
_MOST_NODES = 3_000
"""Conditions of more expressions, written out, aren't told by degrees."""


def outlook(game: Game, program: Program, known: frozenset[Slot]) -> tuple[Expression, ...]:
    """Return numbers that are greater the better a position is for the first of two sides.

    They depend on slots that are `known` alone. The first, if there are any, tells of endings that
    a side wins or loses by, then of scores that are compared, then of pieces.
    """
    if len(game.sides) != 2:
        return ()
    degrees, interner = _Degrees(game), Interner()
    wins: tuple[dict[Expression, None], dict[Expression, None]] = ({}, {})
    scores: dict[Expression, None] = {}
    for ending in _endings(program):
        if not all(one.free <= known for one in ending.expressions):
            continue
        if ending.kind in ("highest", "lowest") and len(ending.values) == 2:
            if any(one.looks_ahead for one in ending.values):
                continue
            first, second = ending.values
            is_lowest = (ending.kind == "lowest") != ending.inverted
            scores[_less(second, first) if is_lowest else _less(first, second)] = None
        elif ending.kind in ("wins", "loses") and len(ending.sides) == 1:
            winner = ending.sides[0] if ending.kind == "wins" else 1 - ending.sides[0]
            degree = degrees.of(ending.condition)
            if degree is not None and not isinstance(degree, Const):
                # Phases with the same ending have variables of their own in it.
                wins[winner][interner.intern(degree)] = None
    own = [[layer.slot for layer in game.layers if layer.side == side] for side in range(2)]
    pieces = [_count(build.union(*map(Get, slots))) if slots else build.number(0) for slots in own]
    terms: list[Expression] = []
    if any(wins):
        terms.append(_less(*(_sum([*side]) for side in wins)))
    terms += [_clamped(score, -_LARGEST, _LARGEST) for score in scores]
    terms.append(_less(*pieces))
    found = (term for term in terms if term.free and term.free <= known)
    return tuple(islice(found, MOST_TERMS))


def _endings(program: Program) -> Iterator[Ending]:
    for phase in program.phases:
        for turn in phase.turns:
            yield from turn.endings


# ------------------------------------------------------------- conditions that are told by degrees


class _Degrees:
    """Tells how far a condition is from holding, by numbers from 0 to `_FULL`."""

    def __init__(self, game: Game) -> None:
        self._adjacent = game.relations.get("adjacent")

    def of(self, node: Expression, holds: bool = True) -> Expression | None:
        """Return how nearly a condition holds (or does not); None where nothing is to be said."""
        if node.looks_ahead or _is_long(node):
            return None
        match node:
            case Const():
                return build.number(_FULL if bool(node.value) is holds else 0)
            case Op("not", (inner,)):
                return self.of(inner, not holds)
            case Op("and" | "or", parts):
                found = [one for part in parts if (one := self.of(part, holds)) is not None]
                if not found:
                    return None
                if (node.name == "and") is holds:
                    return _divided(_sum(found), len(found))
                return reduce(_maximum, found)
            case Let():
                said = self.of(node.body, holds)
                return None if said is None else build.let(node.slot, node.value, said)
            case If():
                then, otherwise = self.of(node.then, holds), self.of(node.otherwise, holds)
                if then is None or otherwise is None:
                    return None
                return build.conditional(node.condition, then, otherwise)
            case Fold(combine="or" | "and"):
                body = self.of(node.body, holds)
                if body is None:
                    return None
                is_any = (node.combine == "or") is holds
                combine, nothing = ("max", 0) if is_any else ("min", _FULL)
                return Fold(combine, node.slot, node.domain, body, nothing)
            case Op("some", (inner,)):
                return self._some(inner) if holds else _none(inner)
            case Op("subset", (inner, of)) if holds:
                return self._within(inner, of)
            case Op("less" | "not_more" | "equal", (a, b)) if a.type == NUMBER == b.type:
                return self._compared(node.name, a, b, holds)
        if any(isinstance(one, Times) for one in expressions_in(node)):
            return None
        yes, no = (_FULL, 0) if holds else (0, _FULL)
        return build.conditional(node, build.number(yes), build.number(no))

    def _some(self, sites: Expression) -> Expression:
        """Return how near to a goal that never changes the nearest piece is."""
        goal, pieces = _parted(sites)
        if goal is None or pieces is None or self._adjacent is None:
            return build.conditional(build.some(sites), build.number(_FULL), build.number(0))
        one, zero = build.number(1), build.number(0)

        def near(here: Expression) -> Expression:
            return build.conditional(build.some(here), one, zero)

        return self._by_rings(pieces, goal, near, _FULL)

    def _within(self, inner: Expression, of: Expression) -> Expression:
        """Return how nearly all of a set is in another: by steps, if one of them never changes."""
        if isinstance(inner, Const) != isinstance(of, Const) and self._adjacent is not None:
            is_filled = isinstance(inner, Const)
            goal, pieces = (inner, of) if is_filled else (of, inner)
            wanted = _count(inner)
            rings = len(self._rings(int(goal.value))) if isinstance(goal, Const) else 0
            reached = self._reached(pieces, goal, min(_FURTHEST, rings + _FEW // 2))
            steps = _times(wanted, rings + _FEW // 2)
            return _minimum(_divided_by(_times(reached, _FULL), steps), build.number(_FULL))
        both = _count(build.intersection(inner, of))
        return _divided_by(_times(both, _FULL), _count(inner))

    def _reached(self, pieces: Expression, goal: Expression, steps: int) -> Expression:
        """Return for how many steps, summed over all pieces, they are nearer to a free goal."""
        assert self._adjacent is not None, "there are steps"
        slots = [Slot(f"near {n}", SITES) for n in range(steps)]
        found = [_count(build.intersection(pieces, build.union(Get(s), goal))) for s in slots]
        body = _sum(found)
        for n in range(steps - 1, 0, -1):
            before = Get(slots[n - 1])
            grown = build.union(before, build.image(self._adjacent, before))
            body = build.let(slots[n], grown, body)
        return build.let(slots[0], build.difference(goal, pieces), body)

    def _by_rings(
        self,
        pieces: Expression,
        goal: int,
        worth: Callable[[Expression], Expression],
        most: int,
    ) -> Expression:
        """Return the mean, over all rings around a goal, of what the pieces there are worth."""
        # A flood would be worked out again for each ring, if it were not kept.
        kept, rings = Slot("pieces", SITES), self._rings(goal)
        reached = _sum([worth(build.intersection(Get(kept), here)) for here in rings])
        return build.let(kept, pieces, _divided(_times(reached, most), len(rings)))

    def _rings(self, goal: int) -> list[Const]:
        """Return the sites that are so many steps from a goal at most, from none on."""
        assert self._adjacent is not None, "there are steps"
        return [build.sites(here) for here in rings_around(goal, self._adjacent)]

    def _compared(self, name: str, a: Expression, b: Expression, holds: bool) -> Expression:
        """Return how nearly a number is less than another (or no more, or the same)."""
        if name == "equal":
            if not holds:
                return build.conditional(build.equal(a, b), build.number(0), build.number(_FULL))
            margin = _less(_absolute(_less(self._soft(a), self._soft(b))), build.number(0))
        else:
            smaller, greater = (a, b) if holds else (b, a)
            is_strict = (name == "less") is holds
            margin = _less(self._soft(greater), self._soft(smaller))
            if is_strict:
                margin = _less(margin, build.number(_HUNDREDTHS))
        most = max((abs(int(one.value)) for one in (a, b) if isinstance(one, Const)), default=0)
        scaled = _divided(_times(margin, _FULL // _HUNDREDTHS), max(most, _FEW))
        return _clamped(build.op("add", (scaled, build.number(_FULL)), NUMBER), 0, _FULL)

    def _soft(self, node: Expression) -> Expression:
        """Return a number in hundredths, in which pieces on their way to a goal count in part."""
        match node:
            case Const():
                return build.number(int(node.value) * _HUNDREDTHS)
            case Op("count", (sites,)):
                goal, pieces = _parted(sites)
                if goal is None or pieces is None or self._adjacent is None:
                    return _times(_count(sites), _HUNDREDTHS)
                return self._by_rings(pieces, goal, _count, _HUNDREDTHS)
            case Op("add" | "subtract", (a, b)):
                return build.op(node.name, (self._soft(a), self._soft(b)), NUMBER)
        return _times(_clamped(node, -_LARGEST, _LARGEST), _HUNDREDTHS)


def rings_around(goal: int, steps: Relation) -> list[int]:
    """Return the sets of sites that are at most 0, 1, 2 … steps away, as far as there are more."""
    found = [goal]
    while len(found) < _FURTHEST:
        grown = found[-1] | steps.image(found[-1])
        if grown == found[-1]:
            break
        found.append(grown)
    return found


def _parted(sites: Expression) -> tuple[int | None, Expression | None]:
    """Return what of an intersection never changes, and the rest; None for a part there is not."""
    if not (isinstance(sites, Op) and sites.name == "intersection"):
        return None, sites
    known = [int(part.value) for part in sites.arguments if isinstance(part, Const)]
    rest = [part for part in sites.arguments if not isinstance(part, Const)]
    goal = reduce(int.__and__, known) if known else None
    return goal, build.intersection(*rest) if rest else None


def _none(sites: Expression) -> Expression:
    """Return how nearly a set is empty: the fewer sites it has, the more each of them counts."""
    more = build.op("add", (_count(sites), build.number(_FEW)), NUMBER)
    return _divided_by(build.number(_FULL * _FEW), more)


def _is_long(node: Expression) -> bool:
    return number_of_nodes(node) > _MOST_NODES


# --------------------------------------------------------------------- what numbers are worth

MOST_TERMS = 4
APART = ALIGNED // WORD_BYTES
"""How many words there are from one number to the next."""


class OutlookTable(Record):
    """What each of so many `terms` is worth to the first side, as the logarithm of its odds.

    The function at the address `run` puts them into memory; without such (0), there are none.
    """

    run: int
    terms: int
    worth: Floats


def outlook_table(run: int, worths: Sequence[float]) -> OutlookTable:
    """Return the table of what numbers are worth that the function at an address works out."""
    worth = array("Floats", len(worths))
    for place, one in enumerate(worths):
        worth[place] = one
    return OutlookTable(run=run, terms=len(worths), worth=worth)


def no_outlook() -> OutlookTable:
    """Return what stands for no numbers."""
    return outlook_table(0, ())


@native
def outlook_worth(table: OutlookTable, position: int, world: Words, numbers: Words) -> float:
    """Return what the position that stands at an address promises to the first side."""
    call(table.run, position, address(world), address(numbers))
    found = 0.0
    for n in range(table.terms):
        found += table.worth[n] * numbers[n * APART]
    return found


# ------------------------------------------------------------------------------------- arithmetic


def _count(sites: Expression) -> Expression:
    return build.op("count", (sites,), NUMBER)


def _sum(parts: Sequence[Expression]) -> Expression:
    found: Expression = build.number(0)
    for part in parts:
        found = build.op("add", (found, part), NUMBER)
    return found


def _less(a: Expression, b: Expression) -> Expression:
    return build.op("subtract", (a, b), NUMBER)


def _times(node: Expression, factor: int) -> Expression:
    return build.op("multiply", (node, build.number(factor)), NUMBER)


def _divided(node: Expression, by: int) -> Expression:
    return _divided_by(node, build.number(by))


def _divided_by(node: Expression, by: Expression) -> Expression:
    return build.op("divide", (node, by), NUMBER)


def _maximum(a: Expression, b: Expression) -> Expression:
    return build.op("maximum", (a, b), NUMBER)


def _minimum(a: Expression, b: Expression) -> Expression:
    return build.op("minimum", (a, b), NUMBER)


def _clamped(node: Expression, low: int, high: int) -> Expression:
    return _minimum(_maximum(node, build.number(low)), build.number(high))


def _absolute(node: Expression) -> Expression:
    return _maximum(node, _less(build.number(0), node))
