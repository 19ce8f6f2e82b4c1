"""The statements of the syntax tree."""

from __future__ import annotations

from typing import Literal, TypeAlias

from lark.ast_utils import AsList

from gdl.data_classes import dataclass
from gdl.syntax.tree.expressions import Expression, Name, Node


@dataclass(frozen=True)
class Piece(Node):
    """A piece as a statement names it: a kind, perhaps with a side before it or `of` a side."""

    words: tuple[Expression, ...]
    owner: Expression | None


@dataclass(frozen=True)
class Target(Node):
    """What is assigned to: a variable, perhaps with indices or a site."""

    name: Name
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Choose(Node):
    """`choose x in domain where condition [unordered with y]`."""

    variable: Name
    domain: Expression
    condition: Expression | None
    unordered_with: Name | None


@dataclass(frozen=True)
class ChooseSet(Node):
    """`choose number x in domain where condition`: so many sites at once."""

    number: Expression
    variable: Name
    domain: Expression
    condition: Expression | None


@dataclass(frozen=True)
class Place(Node):
    """`place PIECE from hand at sites`; `onto` or `under` what is there, in a game with piles.

    `source` is the hand that the pieces come from, if they come from any.
    """

    piece: Piece
    source: Expression | None
    way: Literal["at", "onto", "under"]
    sites: Expression


@dataclass(frozen=True)
class Remove(Node):
    """`remove sites`, or `remove n of sites`: as many from the top of each pile."""

    count: Expression | None
    sites: Expression


@dataclass(frozen=True)
class MovePiece(Node):
    """`move a to b`; `move n of a onto b`: as many from the top, upon or under what is there."""

    count: Expression | None
    source: Expression
    way: Literal["to", "onto", "under"]
    destination: Expression


@dataclass(frozen=True)
class Flip(Node):
    """`flip sites`: pieces change to the other side."""

    sites: Expression


@dataclass(frozen=True)
class Change(Node):
    """`change sites to PIECE`: pieces change their kind, their side, or both."""

    sites: Expression
    piece: Piece


@dataclass(frozen=True)
class Shift(Node):
    """`shift sites by relation`: all that stands on them goes along the relation at once."""

    sites: Expression
    relation: Expression


@dataclass(frozen=True)
class Assign(Node):
    """`set target = value`."""

    target: Target
    value: Expression


@dataclass(frozen=True)
class Add(Node):
    """`add amount to target`."""

    amount: Expression
    target: Target


@dataclass(frozen=True)
class LetStatement(Node):
    """`let name = value`: a word for the rest of the block."""

    name: Name
    value: Expression


@dataclass(frozen=True)
class Require(Node):
    """`require condition`."""

    condition: Expression


@dataclass(frozen=True)
class Keep(Node):
    """`keep most value` or `keep least value`."""

    extreme: Literal["most", "least"]
    value: Expression


@dataclass(frozen=True)
class Do(Node):
    """`do action(arguments)`."""

    name: Name
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Pass(Node):
    """`pass`."""


@dataclass(frozen=True)
class Again(Node):
    """`again`: the side is on turn once more."""


@dataclass(frozen=True)
class Swap(Node):
    """`swap`: the seats change their sides."""


@dataclass(frozen=True)
class NextSide(Node):
    """`next SIDE`."""

    side: Expression


@dataclass(frozen=True)
class Take(Node):
    """`take SIDE`: the seat on turn plays for it from now on."""

    side: Expression


@dataclass(frozen=True)
class GoTo(Node):
    """`go to PHASE`."""

    phase: Name


@dataclass(frozen=True)
class If(Node):
    """`if condition` with its block, and the block of `else`."""

    condition: Expression
    then: Block
    otherwise: Block


@dataclass(frozen=True)
class ForEach(Node):
    """`for each x in domain where condition`."""

    variable: Name
    domain: Expression
    condition: Expression | None
    body: Block


@dataclass(frozen=True)
class RepeatUntil(Node):
    """`repeat` a block `until condition`."""

    body: Block
    condition: Expression


@dataclass(frozen=True)
class RepeatSettled(Node):
    """`repeat` a block `until nothing changes`."""

    body: Block


@dataclass(frozen=True)
class RepeatWhile(Node):
    """`repeat while condition` a block."""

    condition: Expression
    body: Block


@dataclass(frozen=True)
class RepeatTimes(Node):
    """`repeat count times` a block."""

    count: Expression
    body: Block


@dataclass(frozen=True)
class Alternative(Node):
    """A way on, with its label if it has one."""

    label: Name | None
    body: Block


@dataclass(frozen=True)
class Either(Node, AsList):
    """`either … or …`."""

    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True)
class Optionally(Node):
    """`optionally` a block, with its label if it has one."""

    label: Name | None
    body: Block


Naming: TypeAlias = Choose | ChooseSet | LetStatement
"""A statement that names something for the rest of its block."""

Dividing: TypeAlias = Either | If
"""A statement that goes on in one of several ways; what all of them make is known after it."""

PlainStatement: TypeAlias = (
    Optionally | Require | Keep | Pass
    | Place | Remove | MovePiece | Flip | Change | Shift
    | Assign | Add | Do | Again | Swap | NextSide | Take | GoTo
    | ForEach | RepeatUntil | RepeatSettled | RepeatWhile | RepeatTimes
)  # fmt: skip
"""Any other part of a program: an effect, a decision, or control of the flow."""

Statement: TypeAlias = Naming | Dividing | PlainStatement
Block: TypeAlias = tuple[Statement, ...]
