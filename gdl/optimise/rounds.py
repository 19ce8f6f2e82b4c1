"""Rounds of a loop that are few and in which something is decided are written out.

In: a program, as it was written. Out: the same program, in which what such a loop repeats stands as
often as it is done. What then holds: the same is decided and said, in the same order; each
decision has an identity of its own, and each round variables of its own.

Random moves of a loop with decisions in it have to be searched for. Of statements one after the
other it is known how many ways on there are, so moves can be drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from gdl.core.known import all_known
from gdl.core.nodes import (
    Block,
    Branch,
    Const,
    Decision,
    Expression,
    If,
    Program,
    Repeat,
    Slot,
    Statement,
)
from gdl.core.rebuild import Renaming, change_turns, with_blocks
from gdl.core.walk import decisions_in, filled_slots, read_slots, statements_in
from gdl.diagnostic import Span

_MOST = 16
"""So many rounds at most are written out, of loops within one another together."""


def write_out_rounds(program: Program) -> Program:
    """Write out what is repeated a few times, where it has decisions."""
    kept = program.lasting_slots
    return change_turns(program, lambda turn: _Turn(turn, kept).written())


class _Turn:
    """Writes out the rounds of a turn; slots that are `kept` belong to no round."""

    def __init__(self, turn: Block, kept: frozenset[Slot]) -> None:
        self._turn = turn
        self._kept = kept
        self._of_round: dict[tuple[Slot, int], Slot] = {}

    def written(self) -> Block:
        """Return the turn with the rounds of its loops."""
        if not any(0 < _rounds_of(one) <= _MOST for one in statements_in(self._turn)):
            return self._turn
        return self._block(self._turn, _MOST)

    def _block(self, block: Block, most: int) -> Block:
        """Write out at most so many rounds of each statement of a block."""
        made: list[Statement] = []
        for statement in block:
            rounds = _rounds_of(statement)
            if isinstance(statement, Repeat) and 0 < rounds <= most:
                made += self._rounds(statement, most // rounds)
            else:
                made.append(with_blocks(statement, lambda inner: self._block(inner, most)))
        return tuple(made)

    def _rounds(self, loop: Repeat, most: int) -> Block:
        assert loop.bound is not None, "how often it is done is known"
        body = self._block(loop.body, most)
        others = self._kept | _mentioned(self._turn, loop.span)
        own = [slot for slot in filled_slots(body) if slot not in others]
        rounds = self._each_round(body, own)
        return tuple(self._so_often(loop, loop.bound, rounds))

    def _each_round(self, body: Block, own: list[Slot]) -> Iterator[Block]:
        """Yield the rounds, one after the other, each time anew."""
        yield body
        number = 0
        while True:
            number += 1
            slots = {slot: self._in_round(slot, number) for slot in own}
            yield Renaming(slots, lambda _: Decision()).block(body)

    def _so_often(
        self, loop: Repeat, bound: Expression, rounds: Iterator[Block]
    ) -> Iterator[Statement]:
        if isinstance(bound, If):
            ways = (
                tuple(self._so_often(loop, way, rounds)) for way in (bound.then, bound.otherwise)
            )
            yield Branch(loop.span, bound.condition, *ways)
        elif isinstance(bound, Const):
            for _ in range(int(bound.value)):
                yield from next(rounds)

    def _in_round(self, slot: Slot, number: int) -> Slot:
        """Return the slot for a round's own value: the same for all that share the slot."""
        if (slot, number) not in self._of_round:
            self._of_round[slot, number] = replace(slot)
        return self._of_round[slot, number]


def _rounds_of(statement: Statement) -> int:
    """Return how many rounds a loop with decisions has in all cases; 0 if that is not known."""
    match statement:
        case Repeat(Span(), "times", bound, body) if decisions_in(body):
            return sum(_numbers(bound) or ())
    return 0


def _numbers(bound: Expression | None) -> list[int] | None:
    """Return the numbers that a bound may be, once for each case; None if they are not known."""
    match bound:
        case Const(int(value)):
            return [max(0, value)]
        case If(_, then, otherwise):
            ways = all_known(map(_numbers, (then, otherwise)))
            return None if ways is None else [*chain(*ways)]
    return None


def _mentioned(block: Block, without: Span | None) -> frozenset[Slot]:
    """Return the slots that a block fills and reads outside of the loops of one place in the file.

    There may be several such, in alternatives that have slots in common.
    """

    def left(block: Block) -> Block:
        others = (s for s in block if not (isinstance(s, Repeat) and s.span == without))
        return tuple(with_blocks(statement, left) for statement in others)

    rest = left(block)
    return read_slots(rest).union(filled_slots(rest))
