"""Statements that come again and again, but for their slots: one loop in place of all of them.

In: statements without decisions, in their order. Out: stretches of them, and of those that repeat
which slot stands where in each round. What then holds: a round does to its slots what the first one
does to its own, so where these lie evenly spaced, the first one tells all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

from gdl.core.nodes import Assign, Block, Branch, Const, Expression, Get, If, Op, Slot, Statement
from gdl.core.walk import filled_slots
from interpreter.native.expressions.numbered_slots import is_like

_FEWEST = 13
"""So many rounds are a loop; with fewer, code that is compiled well is some hundredths quicker."""
_LONGEST = 3
"""Of how many statements a round is at most."""


@dataclass(frozen=True)
class Stretch:
    """Statements that are so many `times` the same, but for slots.

    `series` has the slots that are not the same each time, in order, those of one place together;
    `same` are those that are, and of which all only read the value.
    """

    statements: Block
    times: int = 1
    series: tuple[tuple[Slot, ...], ...] = ()
    same: tuple[Slot, ...] = ()

    @property
    def first(self) -> Block:
        """The statements of the first round."""
        return self.statements[: len(self.statements) // self.times]


def stretches(block: Block) -> Iterator[Stretch]:
    """Yield the statements of a block in stretches: many rounds of a few, or single ones."""
    place = 0
    while place < len(block):
        found = _rounds(block, place) or Stretch((block[place],))
        yield found
        place += len(found.statements)


def _rounds(block: Block, place: int) -> Stretch | None:
    """Return many rounds of the statements at a place, if they are such."""
    for many in range(1, min(_LONGEST, (len(block) - place) // _FEWEST) + 1):
        first = block[place : place + many]
        end = place + many
        rounds: list[dict[Slot, Slot]] = []
        while end + many <= len(block):
            names: dict[Slot, Slot] = {}
            if not _are_alike(first, block[end : end + many], names):
                break
            rounds.append(names)
            end += many
        if len(rounds) >= _FEWEST - 1:
            series = [(slot, *(names[slot] for names in rounds)) for slot in rounds[0]]
            changing = tuple(slots for slots in series if len({*slots}) > 1)
            filled = filled_slots(block[place:end])
            same = tuple(s for s, *others in series if {*others} == {s} and s not in filled)
            return Stretch(block[place:end], len(rounds) + 1, changing, same)
    return None


def _are_alike(first: Block, other: Block, names: dict[Slot, Slot]) -> bool:
    """Return whether blocks are the same but for `names` of slots, which are added to."""
    return len(first) == len(other) and all(map(_is_alike, first, other, repeat(names)))


def _is_alike(first: Statement, other: Statement, names: dict[Slot, Slot]) -> bool:
    if isinstance(first, Assign):
        return (
            isinstance(other, Assign)
            and names.setdefault(first.slot, other.slot) is other.slot
            and _is_same(first.value, other.value, names)
        )
    return (
        isinstance(first, Branch)
        and isinstance(other, Branch)
        and _is_same(first.condition, other.condition, names)
        and _are_alike(first.then, other.then, names)
        and _are_alike(first.otherwise, other.otherwise, names)
    )


def _is_same(first: Expression, other: Expression, names: dict[Slot, Slot]) -> bool:
    if isinstance(first, Get):
        return isinstance(other, Get) and names.setdefault(first.slot, other.slot) is other.slot
    if isinstance(first, Op):
        if not isinstance(other, Op) or not is_like(other, first):
            return False
    elif not isinstance(first, If) or not isinstance(other, If):
        return isinstance(first, Const) and first == other
    return all(map(_is_same, first.parts(), other.parts(), repeat(names)))
