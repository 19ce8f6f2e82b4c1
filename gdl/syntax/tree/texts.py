"""The other texts of a file: clauses of ends, heads of definitions, declarations, boards."""

from __future__ import annotations

from typing import Literal, TypeAlias

from lark.ast_utils import AsList

from gdl.data_classes import dataclass
from gdl.syntax.tree.expressions import Expression, Name, Node, Number


@dataclass(frozen=True)
class Outcome(Node):
    """`Black, White wins by payoff when condition`; of `stuck` without a side, the one on turn."""

    sides: tuple[Name, ...]
    outcome: Literal["wins", "loses"]
    payoff: Expression | None
    condition: Expression | None


@dataclass(frozen=True)
class Draw(Node):
    """`draw when condition`."""

    condition: Expression | None


@dataclass(frozen=True)
class Ranking(Node):
    """`every highest value wins by payoff when condition`; also `lowest`, `loses`."""

    every: str | None
    rank: Literal["highest", "lowest"]
    value: Expression
    outcome: Literal["wins", "loses"]
    payoff: Expression | None
    condition: Expression | None


@dataclass(frozen=True)
class Passes(Node):
    """`passes then go to phase when condition`: what the side that is stuck does."""

    phase: Name | None

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
class Index(Node):
    """What an index runs over, perhaps with a word for it that the value at the start may use."""

    variable: Name | None
    domain: Expression


@dataclass(frozen=True)
class StateHead(Node):
    """The name of a state variable and what it is indexed by."""

    name: Name
    indices: tuple[Index, ...]


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
class Stacks(Node):
    """How many pieces a pile may have, and the kinds that may have others upon them."""

    most: Expression
    kinds: tuple[Name, ...] | None


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
