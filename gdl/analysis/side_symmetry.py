"""Turns of two sides that differ in little but in whose pieces are whose, made one.

In: the blocks of two sides' turns in a phase. Out: one block for both, and which slots of the
position stand for which where the later side is on turn. What then holds: with these slots
exchanged, and `is_later` as it is, the block does what the block of the side on turn does.

Where expressions are not the same but for what is exchanged, their parts are looked at; what still
differs at last is there once for each side, by a condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from gdl.core.memo import Memo, PairMemo
from gdl.core.merging import Merger, Part, Unlike, are_of_one_kind
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Can,
    Const,
    Decision,
    Expression,
    Fold,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    Program,
    Select,
    Slot,
    Statement,
    Times,
)
from gdl.core.rebuild import Renaming, with_parts
from gdl.core.types import FLAG, FRACTION
from gdl.core.walk import block_expressions, blocks_of, expressions_of, filled_slots, read_slots
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


# ------- what changes places where another side is on turn, and which expressions are the same then

IN_ANY_ORDER = frozenset(("union", "intersection", "and", "or", "add", "multiply"))
"""The operations whose arguments may stand in any order."""
_MOST_COMPARED = 20_000
"""So many parts are compared at most: more are no longer soon compared."""


# ------------------------------------------------------------ which slots stand for which others


def exchanged_by_side(program: Program) -> Mapping[Slot, Slot]:
    """Return the slots of the position that keep the same for each of two sides."""
    if len(program.system.mover.type.values) != 2:
        return {}
    kept = {(slot.family, slot.sides): slot for slot in program.state if slot.sides}
    pairs = (
        (slot, kept.get((family, tuple(1 - side for side in sides)), slot))
        for (family, sides), slot in kept.items()
    )
    return {a: b for a, b in pairs if a is not b and _may_be_exchanged(a, b)}


def exchanged_by_place(first: Block, second: Block) -> Mapping[Slot, Slot]:
    """Return which slots of the position stand in the second block where others do in the first.

    What is so most often is taken first: each of these slots stands for one other, and that for it.
    """
    votes = Counter(_pairs_in_blocks(first, second))
    found: dict[Slot, Slot] = {}
    for (a, b), _ in votes.most_common():
        if a not in found and b not in found and _may_be_exchanged(a, b):
            found[a], found[b] = b, a
    return found


def _may_be_exchanged(a: Slot, b: Slot) -> bool:
    """Return whether two slots may be; what is kept of fractions has a denominator of its own."""
    return a.type != FRACTION and are_of_one_kind(a, b)


def _pairs_in_blocks(first: Block, second: Block) -> Iterator[tuple[Slot, Slot]]:
    """Yield slots of the position that stand at the same place in two blocks, and differ."""
    for a, b in zip(first, second, strict=False):
        if type(a) is not type(b):
            continue
        if isinstance(a, Assign | AssignAt) and isinstance(b, Assign | AssignAt):
            yield from _pair(a.slot, b.slot)
        seen = PairMemo[Expression, Expression, bool]()
        for x, y in zip(expressions_of(a), expressions_of(b), strict=False):
            yield from _pairs_in(x, y, seen)
        for inner, other in zip(blocks_of(a), blocks_of(b), strict=False):
            yield from _pairs_in_blocks(inner, other)


def _pairs_in(
    a: Expression, b: Expression, seen: PairMemo[Expression, Expression, bool]
) -> Iterator[tuple[Slot, Slot]]:
    if a is b or a.__class__ is not b.__class__ or seen.get(a, b):
        return
    seen.keep(a, b, True)
    if isinstance(a, Get | GetAt) and isinstance(b, Get | GetAt):
        yield from _pair(a.slot, b.slot)
    for x, y in zip(a.parts(), b.parts(), strict=False):
        yield from _pairs_in(x, y, seen)


def _pair(a: Slot, b: Slot) -> Iterator[tuple[Slot, Slot]]:
    if a.is_state and b.is_state and a is not b:
        yield a, b


# -------------------------------------------------------------------------- comparison


class Comparison:
    """Compares expressions of two sides' turns.

    `names` has the later side's slot for each of the earlier one's that stands for another, or is a
    variable; `back` has them the other way round. What asks for other positions names their slots
    as they are, whoever asks: it is not the same if turns have to be so `exactly`.
    """

    def __init__(self, exchanged: Mapping[Slot, Slot], *, exactly: bool) -> None:
        self.names = dict(exchanged)
        self.back = dict(exchanged)
        self._exactly = exactly
        self._known = PairMemo[Expression, Expression, bool]()
        self._bound: set[Slot] = set()
        self._left = _MOST_COMPARED

    def may_be(self, a: Slot, b: Slot) -> bool:
        """Return whether one slot may stand for another."""
        known = self.names.get(a)
        if known is not None:
            return known is b
        return a is b if a.is_state or b.is_state else b not in self.back

    def pair(self, a: Slot, b: Slot) -> None:
        """Take note that a slot stands for another. Raises Unlike if either has a third."""
        if self.names.get(a) is not b:
            if not self.may_be(a, b) or not are_of_one_kind(a, b):
                raise Unlike
            self.names[a], self.back[b] = b, a
            self._known.drop(False)
        elif self.back.get(b) is not a:
            raise Unlike

    def same(self, a: Expression, b: Expression) -> bool:
        """Return whether two expressions are the same, but for names. Raises Unlike."""
        if isinstance(a, Get):
            return isinstance(b, Get) and self._are_read_as_same(a.slot, b.slot)
        known = self._known.get(a, b)
        if known is None:
            self._left -= 1
            if self._left < 0:
                raise Unlike
            known = self._are_same(a, b)
            if not self._bound or self._bound.isdisjoint(a.free):
                self._known.keep(a, b, known)
        return known

    def _are_read_as_same(self, a: Slot, b: Slot) -> bool:
        """Return whether one slot stands for another where both are read."""
        known = self.names.get(a)
        if known is not None:
            return known is b
        if a is b and not a.is_state and b not in self.back:
            self.pair(a, b)
        return a is b and (a.is_state or self.names.get(a) is b)

    def _are_same(self, a: Expression, b: Expression) -> bool:
        match a, b:
            case Op(), Op():
                return (
                    a.name == b.name
                    and len(a.arguments) == len(b.arguments)
                    and a.of == b.of
                    and (a.payload is b.payload or a.payload == b.payload)
                    and self._are_same_arguments(a.name, a.arguments, b.arguments)
                )
            case Const(), Const():
                return a == b
            case GetAt(), GetAt():
                return self.names.get(a.slot, a.slot) is b.slot and self.same(a.sites, b.sites)
            case (Times(), Times()) | (Can(), Can()):
                return a is b and not self._exactly
            case Fold(), Fold() if (a.combine, a.initial) != (b.combine, b.initial):
                return False
            case Fold(), Fold() if type(a.domain) is not type(b.domain):
                return False
        return type(a) is type(b) and self._within(a, b, a.binds(), b.binds())

    def _are_same_arguments(
        self, name: str, first: Sequence[Expression], second: Sequence[Expression]
    ) -> bool:
        if name not in IN_ANY_ORDER:
            return all(map(self.same, first, second))
        slots = [part.slot for part in first if isinstance(part, Get)]
        if len(slots) == len(first):
            others = {part.slot for part in second if isinstance(part, Get)}
            named = {self.names.get(slot, slot) for slot in slots}
            return named == others and len(others) == len(first)
        return all(b is not None for _, b in self.aligned(first, list(second)))

    def aligned(
        self, first: Sequence[Expression], left: list[Expression]
    ) -> Iterator[tuple[Expression, Expression | None]]:
        """Yield each of some expressions with one that is the same, taken out of those `left`."""
        for a in first:
            place = next((place for place, b in enumerate(left) if self.same(a, b)), None)
            yield a, None if place is None else left.pop(place)

    def _within(
        self, a: Expression, b: Expression, bound: Sequence[Slot], others: Sequence[Slot]
    ) -> bool:
        """Return whether all parts are the same, with each slot that is bound for another."""
        if not bound:
            return all(map(self.same, a.parts(), b.parts()))
        one, other = bound[0], others[0]
        if not are_of_one_kind(one, other):
            return False
        outer, is_outermost = self.names.get(one), one not in self._bound
        self.names[one] = other
        self._bound.add(one)
        is_same = self._within(a, b, bound[1:], others[1:])
        if is_outermost:
            self._bound.discard(one)
        del self.names[one]
        if outer is not None:
            self.names[one] = outer
        return is_same


# ------------------------------ turns of two sides that are the same but for whose pieces are whose

Mirrors = Mapping[int, BothSides]
"""What is so for both sides in the phases, by number, whose turns are one but for names."""


def mirrors_of(program: Program) -> Mirrors:
    """Return the phases of a program, as it was written, in which two turns are one but for names.

    There are none where the program looks ahead.
    """
    if any(len(phase.turns) != 2 for phase in program.phases):
        return {}
    exchanged, found = exchanged_by_side(program), {}
    for number, phase in enumerate(program.phases):
        first, second = (turn.program for turn in phase.turns)
        both = for_both(first, second, exchanged, exactly=True) if first else None
        if both is not None:
            found[number] = both
    return {} if found and _looks_ahead(program, found) else found


def without_later(program: Program, mirrors: Mirrors) -> Program:
    """Return a program in which the turns are empty that are made from others."""
    return _with_later_blocks(program, dict.fromkeys(mirrors, ()))


def with_later(program: Program, mirrors: Mirrors) -> tuple[Program, Mirrors]:
    """Return a program with the turns that are made from others, and what is so for both sides."""
    found, blocks = {}, {}
    for number, mirror in mirrors.items():
        first = program.phases[number].turns[0].program
        blocks[number], found[number] = _later_block(mirror, first)
    return _with_later_blocks(program, blocks), found


def _with_later_blocks(program: Program, blocks: Mapping[int, Block]) -> Program:
    """Return a program with these blocks for the later side, by the numbers of phases."""
    phases = list(program.phases)
    for number, block in blocks.items():
        first, second = phases[number].turns
        phases[number] = replace(phases[number], turns=(first, replace(second, program=block)))
    return replace(program, phases=tuple(phases)) if blocks else program


def _looks_ahead(program: Program, compared: Collection[int]) -> bool:
    """Return whether a program looks ahead in what has not been compared."""
    parts = [node for turn in program.turns for one in turn.clauses for node in one.expressions]
    parts += [node for memory in program.memories for node in memory.key]
    for number, phase in enumerate(program.phases):
        if number not in compared:
            parts += [node for turn in phase.turns for node in block_expressions(turn.program)]
    return any(node.looks_ahead for node in parts)


def _later_block(before: BothSides, block: Block) -> tuple[Block, BothSides]:
    """Return the later side's block for the earlier one's, which passes may have changed.

    Also return what the earlier one is for both sides; `before` is what was known before that.
    """
    used = {*read_slots(block), *filled_slots(block)}
    own = [slot for slot in filled_slots(block) if not slot.is_state]
    variables = {a: before.variables.get(a) or replace(a) for a in own}  # passes may have made some
    exchanged = {a: b for a, b in before.exchanged.items() if a in used or b in used}
    names = {**before.exchanged, **before.variables, **variables}
    later = Renaming(names, before.decisions.__getitem__).block(block)
    return later, replace(before, block=block, exchanged=exchanged, variables=variables)
