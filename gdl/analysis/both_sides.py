"""Turns of two sides that differ in little but in whose pieces are whose, made one.

In: the blocks of two sides' turns in a phase. Out: one block for both, and which slots of the
position stand for which where the later side is on turn. What then holds: with these slots
exchanged, and `is_later` as it is, the block does what the block of the side on turn does.

Where expressions are not the same but for what is exchanged, their parts are looked at; what still
differs at last is there once for each side, by a condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from gdl.analysis.exchanged_slots import IN_ANY_ORDER, Comparison
from gdl.core.memo import Memo, PairMemo
from gdl.core.merging import Merger, Part, Unlike
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Can,
    Decision,
    Expression,
    Fold,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    Select,
    Slot,
    Statement,
    Times,
)
from gdl.core.rebuild import with_parts
from gdl.core.types import FLAG
from gdl.core.walk import expressions_of, filled_slots
from gdl.data_classes import dataclass


@dataclass(frozen=True)
class BothSides:
    """One block for the turns of two sides.

    `is_later` holds while the later side is on turn; then each slot of the position that is in
    `exchanged` stands for another. `variables` has the later side's slot for each variable of the
    block, and `decisions` its decision for each. So many expressions have `asked` for `is_later`.
    """

    block: Block
    is_later: Slot
    exchanged: Mapping[Slot, Slot]
    variables: Mapping[Slot, Slot]
    decisions: Mapping[Decision, Decision]
    asked: int

    @property
    def is_exact(self) -> bool:
        """Whether the block is the same for both sides."""
        return self.asked == 0


def for_both(
    first: Block, second: Block, exchanged: Mapping[Slot, Slot], *, exactly: bool = False
) -> BothSides | None:
    """Return one block for the turns of sides 0 and 1; None if they differ in too much.

    `exchanged` are the slots of the position that change places. If turns have to be so `exactly`,
    they differ in nothing else.
    """
    merging = _Merging(exchanged, filled_slots(second), exactly=exactly)
    try:
        block = merging.block((first, second))
    except Unlike:
        return None
    names = merging.comparison.names
    variables = {own: later for own, later in names.items() if not own.is_state}
    block = block if merging.asked else first
    return BothSides(
        block, merging.is_later, exchanged, variables, merging.decisions, merging.asked
    )


class _Merging(Merger):
    """Makes one of the parts of two sides' turns, the earlier side's first."""

    def __init__(
        self, exchanged: Mapping[Slot, Slot], filled: AbstractSet[Slot], *, exactly: bool
    ) -> None:
        self.is_later = Slot("is later", FLAG)
        self.asked = 0
        self.decisions: dict[Decision, Decision] = {}
        self.comparison = Comparison(exchanged, exactly=exactly)
        self._exactly = exactly
        self._filled = filled
        self._merged = PairMemo[Expression, Expression, Expression]()

    # ------------------------------------------------------------------- statements

    def block(self, blocks: Sequence[Block]) -> Block:
        """Return one block for two."""
        first, second = blocks
        if len(first) != len(second):
            raise Unlike
        left = list(second)
        return tuple([self.part((a, left.pop(self._place_of(a, left)))) for a in first])

    def _place_of(self, a: Statement, left: Sequence[Statement]) -> int:
        """Return the place of the statement that does for the later side what another does.

        It may as well be carried out before all that stand before it.
        """
        if isinstance(a, Assign | AssignAt):
            for place, b in enumerate(left):
                if not isinstance(b, Assign | AssignAt):
                    break
                if self._fits(a, b) and all(commute(b, other) for other in left[:place]):
                    return place
        return 0

    def _fits(self, a: Assign | AssignAt, b: Assign | AssignAt) -> bool:
        if not self.comparison.may_be(a.slot, b.slot):
            return False
        is_known = a.slot.is_state or a.slot in self.comparison.names
        return is_known or self.comparison.same(a.value, b.value)

    def part(self, parts: Sequence[Part]) -> Part:
        """Return one part for two; groups are only made one if they are of one step."""
        match parts:
            case GroupsOf() as a, GroupsOf() as b:
                if a.frontier is not b.frontier or not self.comparison.same(a.step, b.step):
                    raise Unlike
        return super().part(parts)

    def filled(self, slots: Sequence[Slot]) -> Slot:
        """Return the earlier side's slot, for which the later side has the other."""
        own, later = slots
        self.comparison.pair(own, later)
        return own

    read = filled

    def decision(self, decisions: Sequence[Decision]) -> Decision:
        """Return the earlier side's decision, for which the later side has the other."""
        own, later = decisions
        self.decisions[own] = later
        return own

    # ------------------------------------------------------------------ expressions

    def expression(self, nodes: Sequence[Expression]) -> Expression:
        """Return an expression that is the one or the other."""
        a, b = nodes
        if self.comparison.same(a, b):
            return a
        if self._exactly:
            raise Unlike
        return self._merged.of(a, b, self._made)

    def _made(self, a: Expression, b: Expression) -> Expression:
        is_like = type(a) is type(b) and a.type == b.type and a.binds() == b.binds()
        if not is_like or len(a.parts()) != len(b.parts()):
            return self._by_side(a, b)
        match a, b:
            case Op(), Op() if a.name == b.name:
                arguments = tuple(map(self.expression, self._aligned(a, b)))
                if a.payload is b.payload or a.payload == b.payload:
                    return replace(a, arguments=arguments)
                self.asked += 1
                one, other = replace(a, arguments=arguments), replace(b, arguments=arguments)
                return If(Get(self.is_later), other, one)
            case ((If() | Let() | Select()), _):
                return self._of_parts(a, b)
            case Fold(domain=domain), Fold(domain=other):
                is_like = (a.combine, a.initial) == (b.combine, b.initial)
                if is_like and type(domain) is type(other) and not isinstance(domain, GroupsOf):
                    return self._of_parts(a, b)
        return self._by_side(a, b)

    def _of_parts(self, a: Expression, b: Expression) -> Expression:
        parts = iter([*map(self.expression, zip(a.parts(), b.parts(), strict=True))])
        return with_parts(a, lambda _: next(parts))

    def _aligned(self, a: Op, b: Op) -> list[tuple[Expression, Expression]]:
        """Return the arguments of two operations in pairs, those that are the same together."""
        if a.name not in IN_ANY_ORDER:
            return list(zip(a.arguments, b.arguments, strict=True))
        left = list(b.arguments)
        pairs = list(self.comparison.aligned(a.arguments, left))
        return [(x, left.pop(0) if y is None else y) for x, y in pairs]

    def _by_side(self, a: Expression, b: Expression) -> Expression:
        """Return an expression that is the one or the other, by a condition."""
        if a.type != b.type:
            raise Unlike
        self.asked += 1
        return If(Get(self.is_later), self._named(b), a)

    def _named(self, node: Expression) -> Expression:
        """Return an expression of the later side, in the names of the earlier one.

        What asks for other positions names their slots as they are.
        """
        done = Memo[Expression, Expression]()

        def change(part: Expression) -> Expression:
            return done.of(part, changed)

        def changed(part: Expression) -> Expression:
            match part:
                case Get(slot):
                    return Get(self._name(slot))
                case GetAt(slot, sites):
                    return GetAt(self._name(slot), change(sites))
                case Times() | Can() if not all(slot.is_state for slot in part.free):
                    raise Unlike
                case Times() | Can():
                    return part
            return with_parts(part, change)

        return change(node)

    def _name(self, slot: Slot) -> Slot:
        known = self.comparison.back.get(slot)
        if known is None and slot in self._filled and not slot.is_state:
            raise Unlike
        return slot if known is None else known


def commute(a: Statement, b: Statement) -> bool:
    """Return whether two assignments may be carried out in either order."""
    if isinstance(a, Assign) and isinstance(b, Assign):  # as most are
        one, other = a.slot, b.slot
        return one is not other and one not in b.value.free and other not in a.value.free
    if not isinstance(a, Assign | AssignAt) or not isinstance(b, Assign | AssignAt):
        return False
    reads = [frozenset[Slot]().union(*(e.free for e in expressions_of(s))) for s in (a, b)]
    return a.slot is not b.slot and a.slot not in reads[1] and b.slot not in reads[0]
