"""The statements of the core: effects, control of the flow, and decisions."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from gdl.core.nodes.expressions import Domain, Expression, Origin, RangeOf, SitesOf, Slot
from gdl.data_classes import dataclass
from gdl.diagnostic import Span


@dataclass(frozen=True)
class StatementNode:
    """What all statements have."""

    span: Span | None = field(compare=False, repr=False)
    origin: Origin | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, init=False)
class Assign(StatementNode):
    """The slot takes a value."""

    slot: Slot
    value: Expression

    def __init__(
        self, span: Span | None, slot: Slot, value: Expression, *, origin: Origin | None = None
    ) -> None:
        # Most statements are such: a frozen dataclass takes three times as long to be filled.
        self.__dict__.update(span=span, origin=origin, slot=slot, value=value)


@dataclass(frozen=True)
class AssignAt(StatementNode):
    """The slot takes a value at each of the sites."""

    slot: Slot
    sites: Expression
    value: Expression


@dataclass(frozen=True)
class Branch(StatementNode):
    """Two ways on, by a condition; no decision."""

    condition: Expression
    then: Block
    otherwise: Block


def most_rounds(size: int) -> int:
    """Return how many rounds a loop may have on a board of so many sites."""
    return max(1000, 4 * size)


@dataclass(frozen=True)
class ForEach(StatementNode):
    """The body, once for each element of the domain as it is before the first.

    A range has no more numbers than there may be rounds.
    """

    slot: Slot
    domain: Domain
    body: Block


@dataclass(frozen=True)
class Repeat(StatementNode):
    """The body again and again, at most `limit` times.

    `mode` is `while` (tested before), `until` (tested after), `settled` (until a round leaves
    the `compared` slots as they were) or `times` (`bound` is a number).
    """

    mode: str
    bound: Expression | None
    body: Block
    limit: int
    compared: tuple[Slot, ...] = ()


class Decision:
    """The identity of a point at which something is decided.

    Passes that change a statement keep it (by `dataclasses.replace`), so that what is known of a
    decision is found under its identity in every form of the program.
    """


@dataclass(frozen=True)
class Choose(StatementNode):
    """A decision: one site of a set, or one number of a range, goes into the slot.

    `separator` stands before it in a move's text. With `unordered_with`, the choice and that
    of the other slot are one move in either order. `rank` is which of the sites of a set it is,
    from 1, where several are chosen at once (0: it is a choice of its own): their words may be
    typed in any order.
    """

    slot: Slot
    domain: SitesOf | RangeOf
    separator: str = " "
    unordered_with: Slot | None = None
    rank: int = 0
    decision: Decision = field(default_factory=Decision, compare=False, repr=False)


@dataclass(frozen=True)
class Alternative:
    """One way on from a decision; `token` is its word in a move's text, if it has one."""

    token: str | None
    body: Block


@dataclass(frozen=True)
class Decide(StatementNode):
    """A decision between alternatives."""

    alternatives: tuple[Alternative, ...]
    decision: Decision = field(default_factory=Decision, compare=False, repr=False)


@dataclass(frozen=True)
class Require(StatementNode):
    """The turn can't go on unless the condition holds."""

    condition: Expression


@dataclass(frozen=True)
class Say(StatementNode):
    """A word in the move's text, without a decision."""

    token: str


Statement: TypeAlias = (
    Assign | AssignAt | Branch | ForEach | Repeat | Choose | Decide | Require | Say
)  # fmt: skip
"""A step of a turn's program."""

Block: TypeAlias = tuple[Statement, ...]
