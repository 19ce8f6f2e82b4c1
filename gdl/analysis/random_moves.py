"""How a random move of a turn is drawn without a search, if it can be.

In: the program of a turn, and bounds of the ways on from its decisions. Out: what is done, in the
cases that the position at its beginning makes. What then holds: each way through the turn is as
likely as any other.

If a turn is plain, its move is drawn by bounds (`plain_turns`). If conditions that no choice bears
upon divide it, each part is looked at by itself: some may be searched, others not. Else its ways
are counted, each as it comes, and one of them is made. A loop in which something is decided is
gone through once; where it goes on, a search is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from gdl.analysis.bounds_of_ways import BoundsOfWays, WaysOn
from gdl.analysis.plain_turns import Plain, Way, plain_turn, touches_nothing, without_effects
from gdl.analysis.set_sizes import Reach
from gdl.core.known import all_known
from gdl.core.nodes import (
    Assign,
    Block,
    Branch,
    Choose,
    Decide,
    Decision,
    Expression,
    ForEach,
    If,
    Let,
    Op,
    Repeat,
    Require,
    Say,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.types import FLAG
from gdl.core.walk import (
    assigned_slots,
    block_expressions,
    changed_slots,
    filled_slots,
    is_effect,
    number_of_nodes,
    numbered,
    read_slots,
    statements_in,
)
from gdl.data_classes import dataclass
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.algebra.where import Where
from gdl.resources.budget import Meter

_MOST_CHOICES = 4
_MOST_CODE = 400
"""A turn whose ways are counted makes at most so many choices, and its code has a limit."""
_LONG = 40
"""From how many expressions on a condition is long."""
_MOST_CASES = 100
"""How many parts a turn is divided into at most; conditions in a row double them each."""


@dataclass(frozen=True)
class Counted:
    """A turn whose ways are counted, after effects that leave the position alone.

    In `block`, all decisions are choices of sites, at least one on each way. Where a condition of
    a loop (`Repeat`) in it holds, the ways are not counted, but searched for. Only after the sites
    of a set in `before_decisions`, as of the beginning of the block, is there more to decide.
    """

    before: Block
    block: Block
    before_decisions: Mapping[Decision, Expression] = field(default_factory=dict)


@dataclass(frozen=True)
class Cases:
    """A turn that goes on in one of two ways, as a condition says after some effects.

    None stands for a way that is found by search.
    """

    before: Block
    condition: Expression
    then: InPlace | None
    otherwise: InPlace | None


InPlace = Plain | Counted | Cases


def ways_of(turn: InPlace | None) -> tuple[Way, ...]:
    """Return the ways that are known by their bounds: of a turn, or of all its cases."""
    if isinstance(turn, Cases):
        return (*ways_of(turn.then), *ways_of(turn.otherwise))
    return turn.ways if isinstance(turn, Plain) else ()


def may_fail(turn: InPlace | None) -> bool:
    """Return whether a way that was drawn may turn out not to be one."""
    return any(way.may_fail for way in ways_of(turn))


def has_searched_case(turn: InPlace | None) -> bool:
    """Return whether moves are searched for in some case that is known before they are."""
    if isinstance(turn, Cases):
        return has_searched_case(turn.then) or has_searched_case(turn.otherwise)
    return turn is None


def may_need_search(turn: InPlace | None) -> bool:
    """Return whether a search may be needed; of a plain turn, all numbers may be tried."""
    if isinstance(turn, Cases):
        return may_need_search(turn.then) or may_need_search(turn.otherwise)
    return not isinstance(turn, Plain)


def drawn_in_place(
    block: Block, ways_on: WaysOn, terms: Terms, best: Slot | None
) -> InPlace | None:
    """Return how a random move of a turn is drawn, or None if it takes a search.

    `ways_on` are the bounds for the whole turn; `terms` make expressions over its board. Where the
    turn gives `best` a value, some ways are kept, and it takes a search to know which.
    """
    cases = Meter(_MOST_CASES)
    found = _drawn(effects_behind_choices(block, terms), ways_on, terms, best, cases)
    return None if cases.left < 0 else found


def effects_behind_choices(block: Block, terms: Terms) -> Block:
    """Return a block that touches the position after its first choices, and means the same.

    It is the block itself if effects on the position come first and bear upon these choices. Of a
    move that is drawn in place, all that comes before the choices must leave the position alone.
    Long conditions of such effects are asked before the choices all the same: behind them, they
    would be written for each way.
    """
    before, after = without_effects(block)
    stay, go = list[Statement](), list[Statement]()
    for statement in before:
        if go and (filled_slots((statement,)) | read_slots((statement,))) & filled_slots(tuple(go)):
            go.append(statement)
        elif touches_nothing((statement,)):
            if filled_slots((statement,)) & read_slots(tuple(go)):
                return block
            stay.append(statement)
        else:
            if (
                isinstance(statement, Branch)
                and number_of_nodes(statement.condition) >= _LONG
                and statement.condition.free.isdisjoint(filled_slots(tuple(go)))
            ):
                slot = Slot("asked before", FLAG)
                stay.append(Assign(statement.span, slot, statement.condition))
                statement = replace(statement, condition=terms.get(slot))
            go.append(statement)
    return (*stay, *_behind_choices(after, tuple(go))) if go else block


def _behind_choices(block: Block, effects: Block) -> Block:
    """Return a block with effects, which come before it, behind the choices that it begins with."""
    changed, read = filled_slots(effects), read_slots(effects)
    for place, statement in enumerate(block):
        is_said = isinstance(statement, Choose | Require | Say) or numbered(statement) is not None
        parts = block_expressions((statement,))
        is_apart = filled_slots((statement,)).isdisjoint({*changed, *read})
        is_apart = is_apart and not any(
            part.looks_ahead or not part.free.isdisjoint(changed) for part in parts
        )
        if is_said and is_apart:
            continue
        if isinstance(statement, Decide) and numbered(statement) is None:
            ways = tuple(
                replace(way, body=_behind_choices(way.body, effects))
                for way in statement.alternatives
            )
            return (*block[:place], replace(statement, alternatives=ways), *block[place + 1 :])
        return (*block[:place], *effects, *block[place:])
    return (*block, *effects)


def _drawn(
    block: Block, ways_on: WaysOn, terms: Terms, best: Slot | None, cases: Meter
) -> InPlace | None:
    if best is not None and best in changed_slots(block):
        return _cases(block, terms, best, cases)
    return plain_turn(block, ways_on) or _cases(block, terms, best, cases) or counted(block, terms)


def _case(block: Block, terms: Terms, best: Slot | None, cases: Meter) -> InPlace | None:
    cases.left -= 1
    if cases.left < 0:
        return None
    return _drawn(block, BoundsOfWays(block, Reach(terms.size)).after, terms, best, cases)


def _cases(block: Block, terms: Terms, best: Slot | None, cases: Meter) -> Cases | None:
    """Divide a turn by the first condition that no choice bears upon, into so many `cases`."""
    before, after = without_effects(block)
    changed = set[Slot]()
    if not touches_nothing(before):
        return None
    for place, statement in enumerate(after):
        if isinstance(statement, Branch) and not is_effect(statement):
            if statement.condition.free & changed:
                return None
            ways = (statement.then, statement.otherwise)
            first, second = (
                _case((*after[:place], *way, *after[place + 1 :]), terms, best, cases)
                for way in ways
            )
            if first is None and second is None:
                return None
            return Cases(before, statement.condition, first, second)
        if not is_effect(statement) and not isinstance(statement, Choose):
            return None
        changed |= changed_slots((statement,))
    return None


def counted(block: Block, terms: Terms) -> Counted | None:
    """Return a turn as one whose ways are counted, if that can be done without a search."""
    before, after = without_effects(block)
    rest = _once_round(after, terms)
    if not rest or not touches_nothing(before) or not isinstance(rest[0], Choose):
        return None
    if not all(_is_counted(statement) for statement in statements_in(rest)):
        return None
    if _choices_on(rest) > _MOST_CHOICES or _code_of(rest) > _MOST_CODE:
        return None
    return Counted(before, rest, sites_before_decisions(rest, terms))


def _once_round(block: Block, terms: Terms, *, is_missed: bool = False) -> Block | None:
    """Return a block in which loops with decisions are written out once, before themselves.

    None if there is a loop without a condition before its first round, unless the block `is_missed`
    by some ways: a loop that all go through goes on too often, and is counted for nothing.
    """
    result: list[Statement] = []
    for statement in block:
        match statement:
            case Repeat(mode=mode, bound=condition, body=body) if not is_effect(statement):
                if condition is None or not all(
                    is_effect(inner) or isinstance(inner, Choose) for inner in body
                ):
                    return None
                if mode == "while":
                    result.append(Branch(statement.span, condition, (*body, statement), ()))
                elif mode == "until" and is_missed:
                    goes_on = terms.negation(terms.intern(condition))
                    result += (*body, replace(statement, mode="while", bound=goes_on))
                else:
                    return None
            case Branch(span, condition, then, otherwise) if not is_effect(statement):
                first, second = (
                    _once_round(way, terms, is_missed=True) for way in (then, otherwise)
                )
                if first is None or second is None:
                    return None
                result.append(Branch(span, condition, first, second))
            case _:
                result.append(statement)
    return tuple(result)


def _is_counted(statement: Statement) -> bool:
    if isinstance(statement, Choose):
        return isinstance(statement.domain, SitesOf) and statement.unordered_with is None
    return is_effect(statement) or not isinstance(statement, Decide | Say | ForEach)


def _choices_on(block: Block) -> int:
    """Return how many choices a way through a block has at most."""
    number = 0
    for statement in block:
        if isinstance(statement, Choose):
            number += 1
        elif isinstance(statement, Branch):
            number += max(_choices_on(statement.then), _choices_on(statement.otherwise))
    return number


def _code_of(block: Block) -> int:
    """Return how many statements there are, those after a condition once for each of its ways."""
    number = 0
    for statement in reversed(block):
        number += 1
        if isinstance(statement, Branch) and not is_effect(statement):
            number += number + _code_of(statement.then) + _code_of(statement.otherwise)
    return number


# ------- after which sites more has to be decided in a turn, told for all sites of a choice at once

_MOST_PATHS = 64
_HEAVIEST = 60
"""A set that takes more operations costs as much as it saves, where few moves are tried."""


@dataclass(frozen=True)
class _Known:
    """What slots have on the way, over the beginning of the turn; None if that can't be told."""

    values: Mapping[Slot, Expression | None]
    chosen: frozenset[Slot] = frozenset()

    def with_value(self, slot: Slot, value: Expression | None) -> _Known:
        return _Known({**self.values, slot: value}, self.chosen)

    def reads(self, slot: Slot) -> bool:
        return any(value and slot in value.free for value in self.values.values())

    def with_choice(self, slot: Slot) -> _Known:
        values = {known: value for known, value in self.values.items() if known is not slot}
        return _Known(values, self.chosen | {slot})


def sites_before_decisions(block: Block, terms: Terms) -> dict[Decision, Expression]:
    """Return the sets of the choices in a block for which they are known, and not all sites."""
    analysis = _LaterDecisions(terms)
    analysis.visit(block, _Known({}))
    return analysis.found


class _LaterDecisions:
    def __init__(self, terms: Terms) -> None:
        self.found: dict[Decision, Expression] = {}
        self._terms = terms
        self._costs = Costs(terms)
        self._paths = _MOST_PATHS

    def visit(self, block: Block, known: _Known) -> None:
        """Look at each choice in a block that may be made, and at those after it."""
        for place, statement in enumerate(block):
            rest = block[place + 1 :]
            match statement:
                case Choose(slot=slot, domain=SitesOf()):
                    if slot in known.chosen or known.reads(slot):
                        return
                    known = known.with_choice(slot)
                    self._choice(statement, rest, known)
                case Branch(_, _, then, otherwise) if not is_effect(statement):
                    self.visit((*then, *rest), known)
                    self.visit((*otherwise, *rest), known)
                    return
                case _ if is_effect(statement):
                    known = self._after(statement, known)

    def _choice(self, choice: Choose, rest: Block, known: _Known) -> None:
        terms = self._terms
        if choice.decision in self.found:
            return
        self._paths = _MOST_PATHS
        condition = self._goes_on(rest, known)
        if condition is None or condition is terms.no:
            return
        where = Where(terms, self._costs, choice.slot).at_most(condition)
        if where is None:
            return
        sites = self._bound(where, known.chosen, is_upper=True)
        if sites is not terms.everywhere and self._costs.weight(sites) <= _HEAVIEST:
            self.found[choice.decision] = sites

    # -------------------------------------------------------------------- conditions

    def _goes_on(self, block: Block, known: _Known) -> Expression | None:
        """Return when a block does not come to its end by effects alone; None if not known."""
        terms = self._terms
        self._paths -= 1
        if self._paths < 0:
            return None
        for place, statement in enumerate(block):
            rest = block[place + 1 :]
            match statement:
                case _ if is_effect(statement):
                    known = self._after(statement, known)
                case Branch(_, condition, then, otherwise):
                    test = self._known_before(condition, known)
                    ways = [self._goes_on((*way, *rest), known) for way in (then, otherwise)]
                    if test is None or ways[0] is None or ways[1] is None:
                        return None
                    return terms.conditional(test, ways[0], ways[1])
                case Repeat(mode="while", bound=bound) if bound is not None:
                    test, after = self._known_before(bound, known), self._goes_on(rest, known)
                    return None if test is None or after is None else terms.disjunction(test, after)
                case _:
                    return terms.yes
        return terms.no

    def _after(self, effect: Statement, known: _Known) -> _Known:
        """Return what is known after an effect."""
        if isinstance(effect, Assign):
            return known.with_value(effect.slot, self._known_before(effect.value, known))
        for slot in assigned_slots((effect,)):
            known = known.with_value(slot, None)
        return known

    def _known_before(self, node: Expression, known: _Known) -> Expression | None:
        """Return an expression over the values at the start; None if it might fail."""
        read = node.free & known.values.keys()
        values: list[Expression] | None = all_known(known.values[slot] for slot in read)
        if values is None:
            return None
        return self._costs.known_before(node, dict(zip(read, values, strict=True)))

    # ------------------------------------------------------------------------ bounds

    def _bound(self, node: Expression, slots: frozenset[Slot], *, is_upper: bool) -> Expression:
        """Return a set without some slots that has all sites of another, or only such sites."""
        terms = self._terms
        if not node.free & slots:
            return node
        match node:
            case Op("union" | "intersection" | "image" as name, arguments, of, payload):
                parts = tuple(self._bound(each, slots, is_upper=is_upper) for each in arguments)
                return terms.op(name, parts, of, payload)
            case Op("difference", (whole, away)):
                return terms.difference(
                    self._bound(whole, slots, is_upper=is_upper),
                    self._bound(away, slots, is_upper=not is_upper),
                )
            case If(condition, then, otherwise):
                ways = [self._bound(way, slots, is_upper=is_upper) for way in (then, otherwise)]
                if not condition.free & slots:
                    return terms.conditional(condition, *ways)
                return terms.union(*ways) if is_upper else terms.intersection(*ways)
            case Let():
                bound = terms.open(node)
                whole = terms.substitute(bound.body, bound.slot, bound.value)
                return self._bound(whole, slots, is_upper=is_upper)
        return terms.everywhere if is_upper else terms.nowhere
