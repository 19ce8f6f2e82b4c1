"""After which sites more has to be decided in a turn, told for all sites of a choice at once.

In: what a turn does from a choice on, of which earlier choices are made. Out: for each choice of
a site, a set as of the beginning. What then holds, whatever was chosen before: after a site that
is not in the set, the turn comes to its end without a decision, a requirement or another round.

Sites of the set may prove to be such as well: what hangs upon an earlier choice is left open. So
if only a piece that comes to stand in a row takes another, the few places where one may are told
before the first piece is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping

from gdl.core.known import all_known
from gdl.core.nodes import (
    Assign,
    Block,
    Branch,
    Choose,
    Decision,
    Expression,
    If,
    Let,
    Op,
    Repeat,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.walk import assigned_slots, is_effect
from gdl.data_classes import dataclass
from gdl.optimise.cost import Costs
from gdl.optimise.terms import Terms
from gdl.optimise.where import Where

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
