"""Looking ahead without a search: whether a side can bring something about, as an expression.

In: a program. Out: the same program, in which each `can` is a condition of the present position:
that there is a choice, and one after it, …, for which the condition holds of the values that the
turn would leave. What then holds: no value has changed. Either all `can` of a program become such
conditions or none does, since requirements that look ahead don't count within a `can`.

The values that a turn leaves are worked out from those before it by following its statements, with
each choice as a variable (symbolic execution: J. C. King, 1976). What is done for all sites at
once, and what occurs twice, is found by the other passes.

A number that does not fit is an error, although nothing may read it: so each assignment has to be
known to fit. That of a number without bounds is if such numbers are small before the turn (see
number_growth.py). Whoever carries out a program that `is_asked_at_once` sees to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from gdl.core.memo import Memo
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Can,
    Choose,
    Const,
    Decide,
    Domain,
    Expression,
    ForEach,
    Get,
    If,
    Op,
    Program,
    RangeOf,
    Repeat,
    Require,
    Say,
    SitesOf,
    Slot,
    Statement,
    Times,
    most_rounds,
)
from gdl.core.rebuild import change_expressions, with_ends
from gdl.core.types import NUMBER, SITES
from gdl.core.walk import (
    blocks_of,
    changed_slots,
    expressions_in,
    expressions_of,
    filled_slots,
    is_effect,
    looks_ahead,
    program_statements,
    read_slots,
)
from gdl.data_classes import dataclass
from gdl.optimise.algebra.number_growth import Growth
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.sets import Lifting

_MOST_PATHS = 200
_NONE: frozenset[Slot] = frozenset()
_MOST_NODES = 3000
"""An expression of more nodes takes longer to compile than a search."""


def look_at_once(program: Program, terms: Terms) -> Program:
    """Make each `can` a condition of the present position, if that can be done with all."""
    if not _looks_ahead(program):
        return program
    looking = _LookAhead(program, terms)
    try:
        return change_expressions(program, looking.changed)
    except _NotKnownError:
        return program


def is_asked_at_once(original: Program, program: Program) -> bool:
    """Return whether each `can` of an original program has become a condition in a later form."""
    return _looks_ahead(original) and not _looks_ahead(program)


def _looks_ahead(program: Program) -> bool:
    return any(root.looks_ahead for root in _roots(program))


def _roots(program: Program) -> Iterator[Expression]:
    """Yield all expressions of turns and endings."""
    for statement in program_statements(program):
        yield from expressions_of(statement)
    for turn in program.turns:
        for ending in turn.clauses:
            yield from ending.expressions


class _NotKnownError(Exception):
    """What a turn leaves can't be told by an expression, or by a large one only."""


@dataclass(frozen=True)
class _Values:
    """What slots hold, as expressions over the position before; `lost` are those not known."""

    known: Mapping[Slot, Expression] = field(default_factory=dict)
    lost: frozenset[Slot] = frozenset()

    def with_value(self, slot: Slot, value: Expression) -> _Values:
        return _Values({**self.known, slot: value}, self.lost - {slot})

    def without(self, slots: frozenset[Slot]) -> _Values:
        kept = {slot: value for slot, value in self.known.items() if slot not in slots}
        return _Values(kept, self.lost | slots)


class _LookAhead:
    def __init__(self, program: Program, terms: Terms) -> None:
        self._program = program
        self._terms = terms
        self._needs = Needs()
        self._lifting = Lifting(terms, bounds=True)
        self._done: dict[int, Expression] = {}
        self._found = Memo[Can, Expression]()
        self._paths = 0
        self._growth = Memo[Block, Growth]()
        self._numbers = Growth((), terms)

    def changed(self, node: Expression) -> Expression:
        """Return an expression without `can`. Raises _NotKnownError."""
        made = self._terms.intern(node)
        return self._terms.rewrite(made, self._without_can, self._done)

    def _without_can(self, node: Expression) -> Expression:
        return self._found.of(node, self._in_any_phase) if isinstance(node, Can) else node

    def _in_any_phase(self, node: Can) -> Expression:
        terms, slot = self._terms, self._program.system.phase
        if _is_unknown(node.condition):
            raise _NotKnownError
        first, *others = (self._reached(node, phase) for phase in range(len(self._program.phases)))
        result = first
        for number, found in enumerate(others, 1):
            assert slot is not None, "several phases have a slot"
            here = (terms.get(slot), terms.const(number, NUMBER))
            test = terms.op("equal", here, node.type)
            result = terms.conditional(test, found, result)
        return result

    def _reached(self, node: Can, phase: int) -> Expression:
        """Return whether the turn of a phase leads to the condition."""
        system = self._program.system
        block = self._program.phases[phase].turns[node.side].program
        if system.best in changed_slots(block):
            raise _NotKnownError
        mover = self._terms.const(node.side, system.mover.type)
        self._paths = 0
        self._numbers = self._growth.of(block, lambda block: Growth(block, terms=self._terms))
        result = self._after(block, _Values().with_value(system.mover, mover), node.condition)
        if sum(1 for _ in expressions_in(result)) > _MOST_NODES:
            raise _NotKnownError
        return result

    def _after(self, block: Block, values: _Values, condition: Expression) -> Expression:
        """Return whether some way through a block leads to a condition."""
        terms = self._terms
        self._paths += 1
        if self._paths > _MOST_PATHS:
            raise _NotKnownError
        for place, statement in enumerate(block):
            rest = block[place + 1 :]
            if is_effect(statement):
                filled = self._needs.filled(statement)
                if filled.isdisjoint(self._needs.before(rest, condition.free)):
                    if not self._is_harmless(statement):
                        raise _NotKnownError
                    values = values.without(filled)
                    continue
            match statement:
                case Say():
                    continue
                case Assign(_, slot, value):
                    values = self._assigned(slot, value, values)
                case Require(_, required):
                    if looks_ahead(statement):
                        continue
                    follows = self._after(rest, values, condition)
                    return terms.conjunction(self._of(required, values), follows)
                case Branch(_, test, then, otherwise):
                    first = self._after((*then, *rest), values, condition)
                    second = self._after((*otherwise, *rest), values, condition)
                    if first is second:
                        return first
                    return terms.conditional(self._of(test, values), first, second)
                case Choose():
                    return self._chosen(statement, rest, values, condition)
                case Decide(_, alternatives):
                    ways = (self._after((*w.body, *rest), values, condition) for w in alternatives)
                    return terms.disjunction(*ways)
                case _:
                    raise _NotKnownError
        return self._finally(condition, values)

    def _chosen(
        self, choice: Choose, rest: Block, values: _Values, condition: Expression
    ) -> Expression:
        """Return whether something can be chosen that leads on."""
        terms = self._terms
        if choice.unordered_with is not None:
            raise _NotKnownError
        old = choice.slot
        slot = Slot(old.name, old.type, low=old.low, high=old.high)
        domain: Domain = with_ends(choice.domain, lambda part: self._of(part, values))
        if isinstance(domain, SitesOf):
            terms.singles.add(slot)
            layers = terms.layers_of(domain.sites)
            if layers is not None:
                terms.within[slot] = layers
        elif any(not isinstance(part, Const) for part in domain.parts()):
            raise _NotKnownError
        follows = self._after(rest, values.with_value(old, terms.get(slot)), condition)
        if isinstance(domain, SitesOf):
            return self._some(slot, domain.sites, follows)
        return terms.fold("or", slot, domain, follows, False)

    def _some(self, slot: Slot, among: Expression, condition: Expression) -> Expression:
        """Return whether a condition holds for one of some sites: of each kind, if that matters."""
        terms = self._terms
        layers = terms.within.get(slot, _NONE)
        if len(layers) < 2 or not any(_asks_for(slot, part) for part in expressions_in(condition)):
            return self._some_of_all(slot, among, condition)
        cases = []
        for layer in (each for each in self._program.layers if each in layers):
            one = Slot(slot.name, SITES)
            terms.singles.add(one)
            terms.within[one] = frozenset((layer,))
            here = terms.intersection(among, terms.get(layer))
            there = terms.substitute(condition, slot, terms.get(one))
            cases.append(self._some_of_all(one, here, there))
        return terms.disjunction(*cases)

    def _some_of_all(self, slot: Slot, among: Expression, condition: Expression) -> Expression:
        """Return whether a condition holds for one of some sites, found at once if that can be."""
        terms = self._terms
        if isinstance(condition, If) and slot not in condition.condition.free:
            ways = (condition.then, condition.otherwise)
            then, otherwise = (self._some_of_all(slot, among, way) for way in ways)
            return terms.conditional(condition.condition, then, otherwise)
        found = self._lifting.selected(slot, among, condition)
        if found is None:
            return terms.fold("or", slot, SitesOf(among), condition, False)
        return self._lifting.some_of(found)

    def _assigned(self, slot: Slot, value: Expression, values: _Values) -> _Values:
        """Return the values after an assignment, which must not be one that may fail."""
        if not self._fits(slot, value):
            raise _NotKnownError
        made = self._terms.intern(value)
        if _is_unknown(made) or not values.lost.isdisjoint(made.free):
            return values.without(frozenset((slot,)))
        return values.with_value(slot, self._of(value, values))

    def _fits(self, slot: Slot, value: Expression) -> bool:
        """Return whether an assignment can't be an error."""
        if slot.low is None and slot.high is None:
            return self._numbers.fits(slot, value)
        return (
            isinstance(value, Const)
            and (slot.low is None or slot.low <= value.value)
            and (slot.high is None or value.value <= slot.high)
        )

    def _is_harmless(self, statement: Statement) -> bool:
        """Return whether a statement without decisions can't fail."""
        is_safe = self._numbers.is_safe
        match statement:
            case Assign(_, slot, value):
                return self._fits(slot, value)
            case AssignAt(_, slot, sites, value):
                return is_safe(sites) and self._fits(slot, value)
            case Branch(_, condition, then, otherwise):
                return is_safe(condition) and all(map(self._is_harmless, (*then, *otherwise)))
            case ForEach(_, _, domain, body):
                is_short = not isinstance(domain, RangeOf) or _is_short(domain, self._terms.size)
                return (
                    is_short
                    and all(map(is_safe, domain.parts()))
                    and all(map(self._is_harmless, body))
                )
        return isinstance(statement, Say)

    def _of(self, node: Expression, values: _Values) -> Expression:
        """Return an expression within the turn as one over the position before it."""
        made = self._terms.intern(node)
        if _is_unknown(made) or not values.lost.isdisjoint(made.free):
            raise _NotKnownError
        return self._terms.substitute_all(made, values.known)

    def _finally(self, condition: Expression, values: _Values) -> Expression:
        """Return the condition over the position before; its other words are from outside."""
        state = self._program.state
        known = {slot: value for slot, value in values.known.items() if slot in state}
        return self._of(condition, _Values(known, values.lost & frozenset(state)))


def _asks_for(slot: Slot, node: Expression) -> bool:
    """Return whether a condition asks what stands on a chosen site."""
    return isinstance(node, Op) and node.name == "subset" and node.arguments[0] == Get(slot)


def _is_unknown(node: Expression) -> bool:
    return any(isinstance(part, Can | Times) for part in expressions_in(node))


def _is_short(numbers: RangeOf, size: int) -> bool:
    """Return whether a loop over some numbers is known to have no more rounds than it may."""
    match numbers:
        case RangeOf(Const(low), Const(high)):
            return high - low < most_rounds(size)
    return False


class Needs:
    """Tells which values matter at a point of a turn; what statements read is found once."""

    def __init__(self) -> None:
        """Begin with no statement looked at."""
        self._known = Memo[Statement, tuple[frozenset[Slot], frozenset[Slot]]]()

    def filled(self, statement: Statement) -> frozenset[Slot]:
        """Return the slots that a statement gives values to."""
        return self._of(statement)[0]

    def before(self, block: Block, after: frozenset[Slot]) -> frozenset[Slot]:
        """Return the slots whose values matter before a block, if those `after` it matter then."""
        for statement in reversed(block):
            filled, read = self._of(statement)
            if is_effect(statement) and filled.isdisjoint(after):
                continue
            match statement:
                case Assign() | Choose():
                    after = (after - filled) | read
                case Require():
                    after |= frozenset() if looks_ahead(statement) else read
                case Branch() | Decide():
                    inside = (self.before(part, after) for part in blocks_of(statement))
                    after = read.union(*inside)
                case ForEach(body=body) | Repeat(body=body):
                    after |= read | filled | read_slots(body)
                case _:
                    after |= read
        return after

    def _of(self, statement: Statement) -> tuple[frozenset[Slot], frozenset[Slot]]:
        return self._known.of(statement, _given_and_read)


def _given_and_read(statement: Statement) -> tuple[frozenset[Slot], frozenset[Slot]]:
    """Return the slots that a statement gives values to, and those that it reads itself."""
    read = frozenset[Slot]().union(*(node.free for node in expressions_of(statement)))
    return frozenset(filled_slots((statement,))), read
