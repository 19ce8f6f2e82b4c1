"""The syntax tree: what the author wrote, with the place of each part.

A class belongs to the rule of grammar.lark that has its name (`ForEach` to `for_each`); its fields
are the parts of the rule in their order. Every node has a `span`. Nothing is resolved here: a name
is a name, whatever it stands for. `Expression` and `Statement` are unions, so that who looks at
each kind of them by `match` is told by the type checker if one is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from lark.ast_utils import AsList, Ast

from gdl.diagnostic import Span


@dataclass(frozen=True)
class Node(Ast):
    """A part of the text; `span` is where it stands."""

    span: Span


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True)
class Name(Node):
    """A word."""

    name: str


@dataclass(frozen=True)
class Number(Node):
    """A number as written: digits, perhaps with decimals."""

    text: str


@dataclass(frozen=True)
class Flag(Node):
    """`yes` or `no`."""

    word: str

    @property
    def value(self) -> bool:
        """Whether it is `yes`."""
        return self.word == "yes"


@dataclass(frozen=True)
class Call(Node):
    """Something applied to arguments."""

    function: Expression
    arguments: tuple[Expression, ...]


Operator: TypeAlias = Literal[
    "when", "or", "and", "not", "some", "no", "count",
    "in", "=", "!=", "<", "<=", ">", ">=",
    "|", "&", "+", "-", "*", "/", "div", "mod", "^", "max", "min", "from", "into", "within",
]  # fmt: skip


@dataclass(frozen=True)
class Operation(Node):
    """An operator and its operands; `-` may have one."""

    operator: Operator
    operands: tuple[Expression, ...]


@dataclass(frozen=True)
class Range(Node):
    """`low .. high`, both included."""

    low: Expression
    high: Expression


@dataclass(frozen=True)
class Listing(Node, AsList):
    """`(a, b, c)`: a list that a variable can run over."""

    items: tuple[Expression, ...]


Quantifier: TypeAlias = Literal[
    "some", "no", "every", "count", "sites", "union", "intersection", "sum", "product", "max", "min"
]


@dataclass(frozen=True)
class Quantified(Node):
    """`word variable in domain … body`."""

    word: Quantifier
    variable: Name
    domain: Expression
    body: Expression


@dataclass(frozen=True)
class Pairs(Node):
    """`pairs a, b in relation where condition`: a relation by formula."""

    first: Name
    second: Name
    relation: Expression | None
    condition: Expression


@dataclass(frozen=True)
class Conditional(Node):
    """`if condition then yes else no`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True)
class LetIn(Node):
    """`let name = value; body`."""

    name: Name
    value: Expression
    body: Expression


@dataclass(frozen=True)
class Can(Node):
    """`can SIDE make condition`: the side, were it on turn, has a move after which it holds."""

    side: Name
    condition: Expression


Expression: TypeAlias = (
    Name | Number | Flag | Call | Operation | Range | Listing
    | Quantified | Pairs | Conditional | LetIn | Can
)  # fmt: skip
"""A part that has a value."""


# ------------------------------------------------------------------- statements


@dataclass(frozen=True)
class Piece(Node):
    """A piece as a statement names it: a kind, perhaps with a side before it or `of` a side."""

    words: tuple[Name, ...]
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
class Place(Node):
    """`place PIECE at sites`."""

    piece: Piece
    sites: Expression


@dataclass(frozen=True)
class Remove(Node):
    """`remove sites`."""

    sites: Expression


@dataclass(frozen=True)
class MovePiece(Node):
    """`move a to b`."""

    source: Expression
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


Naming: TypeAlias = Choose | LetStatement
"""A statement that names something for the rest of its block."""

Step: TypeAlias = (
    Either | Optionally | Require | Keep | Pass
    | Place | Remove | MovePiece | Flip | Change | Shift
    | Assign | Add | Do | Again | Swap | NextSide | Take | GoTo
    | If | ForEach | RepeatUntil | RepeatSettled | RepeatWhile | RepeatTimes
)  # fmt: skip
"""Any other part of a program: an effect, a decision, or control of the flow."""

Statement: TypeAlias = Naming | Step
Block: TypeAlias = tuple[Statement, ...]


# -------------------------------------------------- clauses, heads, declarations


@dataclass(frozen=True)
class Outcome(Node):
    """`Black, White wins when condition`; of `stuck` without a side, it is the one on turn."""

    sides: tuple[Name, ...]
    outcome: Literal["wins", "loses"]
    condition: Expression | None


@dataclass(frozen=True)
class Draw(Node):
    """`draw when condition`."""

    condition: Expression | None


@dataclass(frozen=True)
class Ranking(Node):
    """`highest value wins when condition`, or `lowest`, or `loses`."""

    rank: Literal["highest", "lowest"]
    value: Expression
    outcome: Literal["wins", "loses"]
    condition: Expression | None


@dataclass(frozen=True)
class Passes(Node):
    """`passes when condition`: what the side that is stuck does."""

    condition: Expression | None


Clause: TypeAlias = Outcome | Draw | Ranking | Passes
"""A clause of `end` or `stuck`."""


@dataclass(frozen=True)
class Parameter(Node):
    """A parameter of a head: a name, a name with its type before it, or a constant number."""

    type_name: Name | None
    word: Name | Number

    @property
    def name(self) -> str:
        """The name or number."""
        return self.word.name if isinstance(self.word, Name) else self.word.text

    @property
    def type(self) -> str | None:
        """The word of its type, if it has one."""
        return None if self.type_name is None else self.type_name.name


@dataclass(frozen=True)
class Head(Node):
    """The name and parameters of a definition."""

    name: Name
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class StateHead(Node):
    """The name of a state variable and what it is indexed by."""

    name: Name
    indices: tuple[Expression, ...]


@dataclass(frozen=True)
class StateType(Node):
    """The type of a state variable: `number per site in 0 .. 9 = 4`."""

    type: Name
    per: Name | None
    domain: Expression | None
    initial: Expression | None


@dataclass(frozen=True)
class OptionType(Node):
    """An option's default and the values it may have, if they are listed."""

    default: Expression
    allowed: tuple[Expression, ...] | None


@dataclass(frozen=True)
class PieceEntry(Node, AsList):
    """A kind of piece, with the words before it."""

    words: tuple[Name, ...]


@dataclass(frozen=True)
class Wrapping(Node, AsList):
    """`wrapping columns and rows`."""

    names: tuple[Name, ...]


@dataclass(frozen=True)
class Without(Node):
    """`without sites`."""

    sites: Expression


@dataclass(frozen=True)
class RowsFrom(Node):
    """`rows from top`."""

    what: Name
    word: str
    end: Name


BoardChange: TypeAlias = Wrapping | Without | RowsFrom


@dataclass(frozen=True)
class BoardText(Node):
    """A board: kinds of sites, lattice, shape, sizes, changes."""

    kinds: tuple[Name, ...] | None
    lattice: Name
    shape: Name | None
    sizes: tuple[Expression, ...]
    changes: tuple[BoardChange, ...]
