"""The expressions of the core, the domains that variables run over, and slots for values.

What holds of every expression: it always has a value, of its `type`, and it changes nothing. It
knows which slots that value depends on.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import ClassVar, TypeAlias

from gdl.board.relation import Relation
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.data_classes import dataclass
from gdl.diagnostic import Span

ConstantValue = int | bool | Fraction
Payload = Relation | tuple[int, ...] | None


LEAST, GREATEST = -(2**63), 2**63 - 1
"""What a number without bounds may be where it is kept."""


_NONE: frozenset[Slot] = frozenset()


class Origin:
    """What a part of the program was made from, as whoever made it keeps that.

    Explanations speak in the author's words by it; nothing that plays reads it. It is no part of
    what the program means, so it is opaque to all that looks through programs.
    """

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Slot:
    """A place for a value: a part of the position, or a local variable of a program.

    `per_site` slots hold a tuple with a number for each site. `low` and `high` bound the
    numbers that may be stored (None: `LEAST` and `GREATEST`). `span` is where the file declares
    it; a slot that no word of the file stands for has none. `advice` is for whom a number beyond
    the bounds is told to, if there is more to say; `refused` says in the words of the file what
    such a number means, where the file has no word for the slot. `among` are the sides, kinds or
    names that it may be, by their places in its type; None is any. What the same is kept in for
    other sides has the same `family`, and its own `sides`, by number.
    """

    name: str
    type: Type
    is_state: bool = False
    per_site: bool = False
    low: int | None = None
    high: int | None = None
    span: Span | None = None
    advice: str = ""
    among: frozenset[int] | None = None
    refused: str = ""
    family: tuple[object, ...] = ()
    sides: tuple[int, ...] = ()

    @property
    def is_unbounded(self) -> bool:
        """Whether it holds a number that nothing but its width bounds."""
        return self.type == NUMBER and self.low is None and self.high is None

    def __repr__(self) -> str:
        return f"<{self.name}>"


@dataclass(frozen=True)
class ExpressionNode:
    """What all expressions have, settled when they are made.

    `free` are the slots that the value depends on; `height` is how many expressions that bind slots
    stand one inside the other here, at most; `looks_ahead` is whether there is a `can` among them.
    """

    looks_ahead: ClassVar[bool] = False
    type: Type = field(init=False)
    free: frozenset[Slot] = field(init=False, compare=False, repr=False)
    height: int = field(init=False, compare=False, repr=False)

    def parts(self) -> tuple[Expression, ...]:
        """Return the expressions directly inside, in the order in which they are written."""
        return ()

    def binds(self) -> tuple[Slot, ...]:
        """Return the slots that the expression gives a value to, for its own parts."""
        return ()


def _settle(node: ExpressionNode, of: Type, reads: frozenset[Slot] = _NONE) -> None:
    """Settle the type of an expression, which depends on what it `reads` besides its parts."""
    free, height = reads, 0
    for part in node.parts():
        free = _with(free, part.free)
        if part.height > height:
            height = part.height
        if part.looks_ahead:
            node.__dict__["looks_ahead"] = True
    if bound := node.binds():
        free, height = free.difference(bound), height + 1
    # A frozen dataclass is filled through its dictionary in a third of the time.
    node.__dict__.update(type=of, free=free, height=height)


def _with(slots: frozenset[Slot], more: frozenset[Slot]) -> frozenset[Slot]:
    """Return the union of two sets of slots: one of them, if it has all."""
    if not slots:
        return more
    return slots if more is slots or more <= slots else slots | more


@dataclass(frozen=True, init=False)
class Const(ExpressionNode):
    """A known value."""

    value: ConstantValue
    of: Type

    def __init__(self, value: ConstantValue, of: Type) -> None:
        self.__dict__.update(type=of, free=_NONE, height=0, value=value, of=of)


@dataclass(frozen=True, init=False)
class Get(ExpressionNode):
    """The value of a slot that holds one value."""

    slot: Slot

    def __init__(self, slot: Slot) -> None:
        self.__dict__.update(type=slot.type, free=frozenset((slot,)), height=0, slot=slot)


@dataclass(frozen=True)
class GetAt(ExpressionNode):
    """The number that a slot holds for the first of `sites`; 0 if there is none."""

    slot: Slot
    sites: Expression

    def __post_init__(self) -> None:
        """Settle what is known of it."""
        _settle(self, self.slot.type, frozenset((self.slot,)))

    def parts(self) -> tuple[Expression, ...]:
        """Return the sites."""
        return (self.sites,)


@dataclass(frozen=True, init=False)
class Op(ExpressionNode):
    """A strict operation by its name in operations.py; `of` is the type of the result.

    `payload` is the relation of an `image`, the numbers of a `lookup` by site or of an `entry` by a
    value: that at its place, counted from 0, or the last one if it has no place there.
    """

    name: str
    arguments: tuple[Expression, ...]
    of: Type
    payload: Payload = None

    def __init__(
        self, name: str, arguments: tuple[Expression, ...], of: Type, payload: Payload = None
    ) -> None:
        free, height = _NONE, 0
        for part in arguments:
            free = _with(free, part.free)
            if part.height > height:
                height = part.height
            if part.looks_ahead:
                self.__dict__["looks_ahead"] = True
        self.__dict__.update(
            type=of,
            free=free,
            height=height,
            name=name,
            arguments=arguments,
            of=of,
            payload=payload,
        )

    def parts(self) -> tuple[Expression, ...]:
        """Return the arguments."""
        return self.arguments


@dataclass(frozen=True, init=False)
class If(ExpressionNode):
    """One of two values; its type is that of both, or a fraction where one of them is."""

    condition: Expression
    then: Expression
    otherwise: Expression

    def __init__(self, condition: Expression, then: Expression, otherwise: Expression) -> None:
        of = FRACTION if FRACTION in (then.type, otherwise.type) else then.type
        self.__dict__.update(condition=condition, then=then, otherwise=otherwise)
        _settle(self, of)

    def parts(self) -> tuple[Expression, ...]:
        """Return the condition and both values."""
        return (self.condition, self.then, self.otherwise)


@dataclass(frozen=True, init=False)
class Let(ExpressionNode):
    """A value computed once and used in `body`."""

    slot: Slot
    value: Expression
    body: Expression

    def __init__(self, slot: Slot, value: Expression, body: Expression) -> None:
        self.__dict__.update(slot=slot, value=value, body=body)
        _settle(self, body.type)

    def parts(self) -> tuple[Expression, ...]:
        """Return the value and the body."""
        return (self.value, self.body)

    def binds(self) -> tuple[Slot, ...]:
        """Return the slot."""
        return (self.slot,)


@dataclass(frozen=True)
class SitesOf:
    """A domain: each site of a set, in the order of their indices."""

    sites: Expression

    def parts(self) -> tuple[Expression, ...]:
        """Return the set."""
        return (self.sites,)


@dataclass(frozen=True)
class GroupsOf:
    """A domain: each maximal connected part of a set, in the order of their first sites.

    `step` is one step of the connection, from the sites in the slot `frontier`.
    """

    sites: Expression
    frontier: Slot
    step: Expression

    def parts(self) -> tuple[Expression, ...]:
        """Return the set and the step."""
        return (self.sites, self.step)


@dataclass(frozen=True)
class RangeOf:
    """A domain: the numbers from `low` to `high`, both included."""

    low: Expression
    high: Expression

    def parts(self) -> tuple[Expression, ...]:
        """Return both ends."""
        return (self.low, self.high)


Domain = SitesOf | GroupsOf | RangeOf


@dataclass(frozen=True)
class Fold(ExpressionNode):
    """The values of `body`, over a domain, combined by `combine`.

    `combine` is `union intersection sum product max min or and`; of nothing they make
    `initial`.
    """

    combine: str
    slot: Slot
    domain: Domain
    body: Expression
    initial: ConstantValue

    def __post_init__(self) -> None:
        """Settle what is known of it."""
        _settle(self, self.body.type)

    def parts(self) -> tuple[Expression, ...]:
        """Return what the domain is made of, and the body."""
        return (*self.domain.parts(), self.body)

    def binds(self) -> tuple[Slot, ...]:
        """Return the variable, and that of the groups' step."""
        return bound_by(self.slot, self.domain)


@dataclass(frozen=True)
class Select(ExpressionNode):
    """The sites of a set for which a condition holds."""

    slot: Slot
    sites: Expression
    condition: Expression

    def __post_init__(self) -> None:
        """Settle what is known of it."""
        _settle(self, SITES)

    def parts(self) -> tuple[Expression, ...]:
        """Return the set and the condition."""
        return (self.sites, self.condition)

    def binds(self) -> tuple[Slot, ...]:
        """Return the variable."""
        return (self.slot,)


@dataclass(frozen=True, init=False)
class Closure(ExpressionNode):
    """The least set that holds `seed` and all that `step` reaches from it.

    `step` is an expression over the slot `frontier`, the sites to go on from; it distributes
    over union.
    """

    seed: Expression
    frontier: Slot
    step: Expression

    def __init__(self, seed: Expression, frontier: Slot, step: Expression) -> None:
        self.__dict__.update(seed=seed, frontier=frontier, step=step)
        _settle(self, SITES)

    def parts(self) -> tuple[Expression, ...]:
        """Return the seed and the step."""
        return (self.seed, self.step)

    def binds(self) -> tuple[Slot, ...]:
        """Return the slot of the frontier."""
        return (self.frontier,)


@dataclass(frozen=True)
class Times(ExpressionNode):
    """How often the values of `key` stood so at the ends of earlier turns, or at the start."""

    history: Slot
    key: tuple[Expression, ...]

    def __post_init__(self) -> None:
        """Settle what is known of it."""
        _settle(self, NUMBER, frozenset((self.history,)))

    def parts(self) -> tuple[Expression, ...]:
        """Return the key."""
        return self.key


@dataclass(frozen=True)
class Can(ExpressionNode):
    """Whether the side, were it on turn now, has a move after which the condition holds."""

    looks_ahead = True
    side: int
    condition: Expression
    reads: frozenset[Slot]
    span: Span | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Settle what is known of it."""
        _settle(self, FLAG, self.reads)

    def parts(self) -> tuple[Expression, ...]:
        """Return the condition."""
        return (self.condition,)


Expression: TypeAlias = (
    Const | Get | GetAt | Op | If | Let | Fold | Select | Closure | Times | Can
)  # fmt: skip
"""A pure expression: it always has a value, and it changes nothing."""


def bound_by(slot: Slot, domain: Domain) -> tuple[Slot, ...]:
    """Return the slots that running over a domain gives values to."""
    return (slot, domain.frontier) if isinstance(domain, GroupsOf) else (slot,)
