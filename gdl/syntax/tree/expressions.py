"""The expressions of the syntax tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Literal, TypeAlias

from lark.ast_utils import AsList, Ast

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span


@dataclass(frozen=True)
class Node(Ast):
    """A part of the text; `span` is where it stands."""

    span: Span


@dataclass(frozen=True)
class Name(Node):
    """A word."""

    name: str


@dataclass(frozen=True)
class BorrowedName(Name):
    """A word of the language where only a name can stand, though its file gives no such name.

    If no other file does either, what is wrong is what `otherwise` tells.
    """

    otherwise: Callable[[], Diagnostic] = field(compare=False, repr=False)


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


@dataclass(frozen=True)
class Entry(Node):
    """An entry of a table: the value for a `key`; for any other, if there is none."""

    key: Expression | None
    value: Expression


@dataclass(frozen=True)
class TableOf(Node):
    """A table, as a file's section has it: the value of the entry that the word `asked` fits."""

    asked: Name
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class DrawingOf(Node):
    """A drawing of the board, as a file's section has it: a set, or a number for the `asked` site.

    Its text is that of the span.
    """

    asked: Name | None


@dataclass(frozen=True)
class PathOf(Node):
    """The relation from each site of a list to the next; `lists` are the texts of such lists."""

    lists: tuple[Span, ...]


Expression: TypeAlias = (
    Name | Number | Flag | Call | Operation | Range | Listing
    | Quantified | Pairs | Conditional | LetIn | Can | TableOf | DrawingOf | PathOf
)  # fmt: skip
"""A part that has a value."""
