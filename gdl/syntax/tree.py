"""The syntax tree: what the author wrote, with the place of each part.

Every node has a `span`. Nothing is resolved here: a name is a name, whatever it stands for.
"""

from __future__ import annotations

from dataclasses import dataclass

from gdl.diagnostic import Span


@dataclass(frozen=True)
class Node:
    """A part of the text; `span` is where it stands."""

    span: Span


class Expression(Node):
    """A part that has a value."""


class Statement(Node):
    """A part of a program: an effect, a decision, or control of the flow."""


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True)
class Name(Expression):
    """A word."""

    name: str


@dataclass(frozen=True)
class Number(Expression):
    """A number as written: digits, perhaps with decimals."""

    text: str


@dataclass(frozen=True)
class Flag(Expression):
    """`yes` or `no`."""

    value: bool


@dataclass(frozen=True)
class Call(Expression):
    """Something applied to arguments."""

    function: Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Operation(Expression):
    """An operator and its operands.

    `operator` is one of: `when or and not some no in = != < <= > >= | & + - * / div mod ^
    negative from into within count max min`.
    """

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True)
class Range(Expression):
    """`low .. high`, both included."""

    low: Expression
    high: Expression


@dataclass(frozen=True)
class Listing(Expression):
    """`(a, b, c)`: a list that a variable can run over."""

    items: tuple[Expression, ...]


@dataclass(frozen=True)
class Quantified(Expression):
    """`word variable in domain … body`.

    `word` is one of: `some no every count sites union intersection sum product max min`.
    """

    word: str
    variable: Name
    domain: Expression
    body: Expression


@dataclass(frozen=True)
class Pairs(Expression):
    """`pairs a, b in relation where condition`: a relation by formula."""

    first: Name
    second: Name
    relation: Expression | None
    condition: Expression


@dataclass(frozen=True)
class Conditional(Expression):
    """`if condition then yes else no`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True)
class LetIn(Expression):
    """`let name = value; body`."""

    name: Name
    value: Expression
    body: Expression


@dataclass(frozen=True)
class Can(Expression):
    """`can SIDE make condition`: the side, were it on turn, has a move after which it holds."""

    side: Name
    condition: Expression


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
class Choose(Statement):
    """`choose x in domain where condition [unordered with y]`."""

    variable: Name
    domain: Expression
    condition: Expression | None
    unordered_with: Name | None


@dataclass(frozen=True)
class Place(Statement):
    """`place PIECE at sites`."""

    piece: Piece
    sites: Expression


@dataclass(frozen=True)
class Remove(Statement):
    """`remove sites`."""

    sites: Expression


@dataclass(frozen=True)
class MovePiece(Statement):
    """`move a to b`."""

    source: Expression
    destination: Expression


@dataclass(frozen=True)
class Flip(Statement):
    """`flip sites`: pieces change to the other side."""

    sites: Expression


@dataclass(frozen=True)
class Change(Statement):
    """`change sites to PIECE`: pieces change their kind, their side, or both."""

    sites: Expression
    piece: Piece


@dataclass(frozen=True)
class Shift(Statement):
    """`shift sites by relation`: all that stands on them goes along the relation at once."""

    sites: Expression
    relation: Expression


@dataclass(frozen=True)
class Assign(Statement):
    """`set target = value`."""

    target: Target
    value: Expression


@dataclass(frozen=True)
class Add(Statement):
    """`add amount to target`."""

    amount: Expression
    target: Target


@dataclass(frozen=True)
class LetStatement(Statement):
    """`let name = value`: a word for the rest of the block."""

    name: Name
    value: Expression


@dataclass(frozen=True)
class Require(Statement):
    """`require condition`."""

    condition: Expression


@dataclass(frozen=True)
class Keep(Statement):
    """`keep most value` or `keep least value`."""

    extreme: str
    value: Expression


@dataclass(frozen=True)
class Do(Statement):
    """`do action(arguments)`."""

    name: Name
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Simple(Statement):
    """A word that stands alone: `pass`, `again` or `swap`."""

    word: str


@dataclass(frozen=True)
class NextSide(Statement):
    """`next SIDE`."""

    side: Expression


@dataclass(frozen=True)
class Take(Statement):
    """`take SIDE`: the seat on turn plays for it from now on."""

    side: Expression


@dataclass(frozen=True)
class GoTo(Statement):
    """`go to PHASE`."""

    phase: Name


@dataclass(frozen=True)
class If(Statement):
    """`if condition` with its block, and the block of `else`."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True)
class ForEach(Statement):
    """`for each x in domain where condition`."""

    variable: Name
    domain: Expression
    condition: Expression | None
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Repeat(Statement):
    """A loop. `mode` is `while`, `until`, `settled` (nothing changes) or `times`."""

    mode: str
    bound: Expression | None
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Either(Statement):
    """`either … or …`: alternatives, each with its label if it has one."""

    alternatives: tuple[tuple[Name | None, tuple[Statement, ...]], ...]
    optional: bool = False


# -------------------------------------------------- clauses, heads, declarations


@dataclass(frozen=True)
class Clause(Node):
    """An end. `kind` is `wins`, `loses`, `draw`, `passes`, `highest` or `lowest`.

    `subjects` are the sides named (none for `draw`, or in a `stuck` clause without one);
    `value` is what `highest` and `lowest` compare; `outcome` is then `wins` or `loses`.
    """

    kind: str
    subjects: tuple[Name, ...]
    value: Expression | None
    condition: Expression | None
    outcome: str = ""


@dataclass(frozen=True)
class Parameter(Node):
    """A parameter of a head: a name, a name with its type, or a constant number."""

    name: str
    type: str | None


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
    """An option's default and the values it may have (none: any of its kind)."""

    default: Expression
    allowed: tuple[Expression, ...]


@dataclass(frozen=True)
class PieceEntry(Node):
    """A kind of piece, with the words before it."""

    words: tuple[Name, ...]


@dataclass(frozen=True)
class BoardChange(Node):
    """A change to a board. `kind` is `wrapping`, `without` or `rows`."""

    kind: str
    names: tuple[Name, ...]
    sites: Expression | None


@dataclass(frozen=True)
class BoardText(Node):
    """A board: kinds of sites, lattice, shape, sizes, changes."""

    kinds: tuple[Name, ...]
    lattice: Name
    shape: Name | None
    sizes: tuple[Expression, ...]
    changes: tuple[BoardChange, ...]
