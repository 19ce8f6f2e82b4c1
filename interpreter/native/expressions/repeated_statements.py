"""Statements that come again and again, but for slots and numbers: one loop in place of them all.

In: statements without decisions, in their order. Out: stretches of them, and of those that repeat
which slot stands where in each round. What then holds: a round does to its slots what the first one
does to its own, so where these lie evenly spaced, the first one tells all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat

from gdl.core.nodes import Assign, Block, Branch, Const, Expression, Get, If, Op, Slot, Statement
from gdl.core.rebuild import change_block, with_parts
from gdl.core.types import NUMBER
from gdl.core.walk import filled_slots
from gdl.data_classes import dataclass
from gdl.interpreter.native.expressions.numbered_slots import is_same_operation

_FEWEST = 13
"""So many rounds are a loop; with fewer, code that is compiled well is some hundredths quicker."""
_LONGEST = 3
"""Of how many statements a round is at most."""


@dataclass(frozen=True)
class Stretch:
    """Statements that are so many `times` the same, but for slots, and numbers that are compared.

    The `first` round tells all. `series` has the slots that are not the same each time, in order,
    those of one place together; `same` are those that are, and of which all only read the value.
    `numbers` stand for numbers that grow by one with each round, from their lowest.
    """

    statements: Block
    first: Block
    times: int = 1
    series: tuple[tuple[Slot, ...], ...] = ()
    same: tuple[Slot, ...] = ()
    numbers: tuple[Slot, ...] = ()


_Names = dict[Slot | Const, Slot | Const]
_Part = Block | Statement | Expression


def stretches(block: Block) -> Iterator[Stretch]:
    """Yield the statements of a block in stretches: many rounds of a few, or single ones."""
    place = 0
    while place < len(block):
        found = _rounds(block, place) or Stretch((block[place],), ())
        yield found
        place += len(found.statements)


def _rounds(block: Block, place: int) -> Stretch | None:
    """Return many rounds of the statements at a place, if they are such."""
    for length in range(1, min(_LONGEST, (len(block) - place) // _FEWEST) + 1):
        first = block[place : place + length]
        end = place + length
        rounds: list[_Names] = []
        growing: set[Const] = set()
        while end + length <= len(block):
            names: _Names = {}
            if not _are_alike(first, block[end : end + length], names):
                break
            grown = {
                one: other
                for one, other in names.items()
                if isinstance(one, Const) and one != other
            }
            growing = growing if rounds else set(grown)
            further = len(rounds) + 1
            if grown != {one: Const(int(one.value) + further, NUMBER) for one in growing}:
                break
            rounds.append(names)
            end += length
        if len(rounds) >= _FEWEST - 1:
            return _stretch(block[place:end], first, rounds, growing)
    return None


def _stretch(statements: Block, first: Block, rounds: list[_Names], growing: set[Const]) -> Stretch:
    """Return rounds of which it is known how what stands in the first one is called in each."""
    same, series, filled = list[Slot](), list[tuple[Slot, ...]](), filled_slots(statements)
    for one in rounds[0]:
        if isinstance(one, Slot):
            slots = (one, *(slot for names in rounds if isinstance(slot := names[one], Slot)))
            if len({*slots}) > 1:
                series.append(slots)
            elif one not in filled:
                same.append(one)
    numbers = {}
    for one in growing:
        low = int(one.value)
        numbers[one] = Slot("number of the round", NUMBER, low=low, high=low + len(rounds))

    def with_numbers(node: Expression) -> Expression:
        if not _is_comparison(node):
            return with_parts(node, with_numbers)
        return with_parts(node, lambda part: Get(numbers[part]) if part in numbers else part)

    first = change_block(first, with_numbers) if numbers else first
    times = len(rounds) + 1
    return Stretch(statements, first, times, tuple(series), tuple(same), tuple(numbers.values()))


def _is_comparison(node: Expression) -> bool:
    """Return whether an operation asks whether a slot has a number, of which no more is made."""
    match node:
        case Op("equal", (Get(slot), Const())):
            return slot.type == NUMBER
    return False


def _are_alike(first: _Part, other: _Part, names: _Names, are_compared: bool = False) -> bool:
    """Return whether two parts are the same but for `names` of slots, which are added to.

    Numbers that `are_compared` may be called otherwise, too.
    """
    own: Sequence[_Part]
    others: Sequence[_Part]
    are_numbers = False
    match first, other:
        case Get(), Get():
            return names.setdefault(first.slot, other.slot) is other.slot
        case Const(), Const():
            return names.setdefault(first, other) == other if are_compared else first == other
        case Op(), Op() if is_same_operation(other, first):
            own, others = first.arguments, other.arguments
            are_numbers = _is_comparison(first) and _is_comparison(other)
        case If(), If():
            own, others = first.parts(), other.parts()
        case Assign(), Assign():
            own, others = (Get(first.slot), first.value), (Get(other.slot), other.value)
        case Branch(), Branch():
            own = first.condition, first.then, first.otherwise
            others = other.condition, other.then, other.otherwise
        case tuple(), tuple() if len(first) == len(other):
            own, others = first, other
        case _:
            return False
    return all(map(_are_alike, own, others, repeat(names), repeat(are_numbers)))
