"""What names mean: the declarations of a game, and the local words of one text.

In: what the sections declare. Out: `Declarations`, and a `Scope` of local words, in which
`find_name` of calls looks names up. What then holds: a name has one meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from gdl.board.board import Board
from gdl.codes import Code
from gdl.core import build
from gdl.core.layers import layers_of
from gdl.core.memo import Memo
from gdl.core.nodes import Expression, Get, Memory, Origin, Slot
from gdl.core.piles import Piles
from gdl.core.types import FLAG, NUMBER, SITES, Type
from gdl.data_classes import dataclass
from gdl.diagnostic import NO_FACTS, Diagnostic, Facts, Hint, Report, Span
from gdl.elaborate.names.origins import Origins, origins_wanted
from gdl.elaborate.names.values import Unknown, Value
from gdl.syntax import tree as t


class Problem(Exception):
    """An error in one text; the rest of the file is still looked at."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Silent(Exception):
    """A text that uses something whose own error has been told."""


def problem(
    code: Code,
    message: str,
    span: Span,
    hint: Hint = "",
    *,
    see: Any = (),
    facts: Facts = NO_FACTS,
) -> Problem:
    """Make an error; `see` has further places, each with a sentence."""
    found = Diagnostic(code, message, span, "", "error", tuple(see), facts=facts)
    return Problem(found.with_hint(hint))


@dataclass(frozen=True)
class Kind:
    """A kind of piece: its name and the sides that have it (none: it is neutral).

    `groups` are the words that stand for the pieces of this kind and others: its traits, and the
    name that it has them under.
    """

    name: str
    sides: tuple[int, ...]
    span: Span
    groups: tuple[str, ...] = ()

    @property
    def is_neutral(self) -> bool:
        """Whether its pieces belong to nobody."""
        return not self.sides


@dataclass(frozen=True)
class Definition:
    """One head with its body; several with one name differ in their constant parameters.

    `result` is the type that its section asks for (`sites` for regions, `relation`), or None.
    `says` is the author's caption.
    """

    head: t.Head
    body: t.Expression
    result: str | None = None
    from_prelude: bool = False
    says: str = ""


@dataclass(frozen=True)
class Action:
    """A named piece of program with parameters."""

    head: t.Head
    body: tuple[t.Statement, ...]


@dataclass(frozen=True)
class StateVariable:
    """A declared variable: a slot for each combination of its indices."""

    name: str
    type: Type
    indices: tuple[tuple[Value, ...], ...]
    slots: Mapping[tuple[Value, ...], Slot]
    per_site: bool
    is_mark: bool
    span: Span


@dataclass(frozen=True)
class Hands:
    """The pieces off the board: how many of a kind are in a side's hand, or in that of nobody.

    They are a variable, indexed by the side and, if hands hold several `kinds`, the kind.
    """

    variable: StateVariable
    kinds: tuple[int, ...]
    slots: Mapping[tuple[int | None, int], Slot]

    def holder(self, owner: int | None, kind: int, otherwise: int | None) -> Slot | None:
        """Return the slot of the hand to which a piece of an owner belongs by itself.

        A piece of nobody is in nobody's hand, or, where there is none, in that of `otherwise`.
        """
        if owner is None and (None, kind) not in self.slots:
            owner = otherwise
        return self.slots.get((owner, kind))


@dataclass
class System:
    """The slots of the game's course; those that the rules may ask for appear when they do."""

    mover: Slot
    following: Slot
    phase: Slot | None = None
    seats: tuple[Slot, ...] = ()
    turns: Slot | None = None
    passes: Slot | None = None
    best: Slot | None = None
    memories: list[Memory] = field(default_factory=list)
    seats_change: bool = False


@dataclass
class Together:
    """The slots of one phase in which the sides decide together.

    `decided` counts the sides that have; `aside` has, for each side, what it has set by the
    variable that takes the value when all have decided.
    """

    decided: Slot
    aside: list[dict[Slot, Slot]] = field(default_factory=list)


@dataclass(frozen=True)
class PutInPlace:
    """What a definition is in the turn of one side, for arguments that are known.

    It was put in place within so many others: `depth`. `work`, `calls` and `written_out` are what
    it took to write it out, as `Declarations` count it.
    """

    value: Expression
    depth: int
    work: int
    calls: int
    written_out: Mapping[Span, tuple[int, int]]


@dataclass(frozen=True)
class Made:
    """What a definition is in a call, and the variables that its parameters stand for there.

    `depth` and the others are those of `PutInPlace`.
    """

    value: Expression
    variables: tuple[Slot, ...]
    depth: int
    work: int
    calls: int
    written_out: Mapping[Span, tuple[int, int]]


@dataclass
class Declarations:
    """All that a file declares; filled section by section."""

    report: Report
    side_type: Type
    kind_type: Type
    board: Board
    kinds: tuple[Kind, ...]
    layers: Mapping[tuple[int, int | None], Slot]
    system: System
    options: dict[str, Value] = field(default_factory=dict)
    option_pictures: dict[str, tuple[str, Span]] = field(default_factory=dict)
    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    hidden: dict[str, list[Definition]] = field(default_factory=dict)
    """The words of the prelude whose names the file gives to definitions of its own."""
    actions: dict[str, Action] = field(default_factory=dict)
    state: dict[str, StateVariable] = field(default_factory=dict)
    traits: Mapping[str, Type] = field(default_factory=dict)
    phases: tuple[str, ...] = ()
    together: list[Together] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    calls_spent: int = 0
    initial: dict[Slot, object] = field(default_factory=dict)
    work_spent: int = 0
    written_out: dict[Span, tuple[int, int]] = field(default_factory=dict)
    """For each head: how often what it names was put in place, and what work that was in all."""
    worked_out: dict[Hashable, Value] = field(default_factory=dict)
    united: dict[tuple[str, int], Expression] = field(default_factory=dict)
    """The pieces of each side and of each kind that has been asked for."""
    within: Memo[Expression, frozenset[Slot] | None] = field(default_factory=Memo)
    """The layers of each set that has been asked for."""
    put_in_place: dict[Hashable, PutInPlace] = field(default_factory=dict)
    originals: dict[Hashable, Made] = field(default_factory=dict, init=False)
    constants: dict[int, Memo[t.Parameter, Value | None]] = field(default_factory=dict, init=False)
    """What parameters stand for that are constants, by how many variables were declared then."""
    board_is_known: bool = True
    sites_have_any_name: bool = True
    """Whether a board that is not known may be one of points that the author names."""
    board_is_asked_for: bool = False
    read_later: frozenset[str] = frozenset()
    looks_ahead: bool = False
    piles: Piles | None = None
    hands: Hands | None = None
    teams: tuple[tuple[int, ...], ...] = ()
    pile_words: set[Slot] = field(default_factory=set)
    origins: Origins | None = field(default_factory=origins_wanted)
    endings: int = 0
    """How many endings have been numbered."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, in the order of play."""
        return self.side_type.values

    def next_ending(self) -> int:
        """Return a number that no ending has yet."""
        self.endings += 1
        return self.endings

    def layers_of(self, side: int) -> list[Slot]:
        """Return the slots that hold the pieces of a side."""
        return [slot for (_, owner), slot in self.layers.items() if owner == side]

    def pieces(self) -> Expression:
        """Return the set of all pieces, made once."""
        return self._united(("all", 0), lambda _: self.layers.values())

    def pieces_of(self, side: int) -> Expression:
        """Return the set of a side's pieces, made once."""
        return self._united(("side", side), self.layers_of)

    def pieces_of_kind(self, kind: int) -> Expression:
        """Return the set of the pieces of a kind, made once."""
        return self._united(("kind", kind), self.layers_of_kind)

    def _united(self, key: tuple[str, int], layers: Callable[[int], Iterable[Slot]]) -> Expression:
        # Who listens tells sets apart by where they were made.
        if key not in self.united or self.origins is not None:
            self.united[key] = build.union(*map(Get, layers(key[1])))
        return self.united[key]

    def layers_within(self, sites: Expression) -> frozenset[Slot] | None:
        """Return the layers that a set has sites of at most; None if it may have any."""
        return self.within.of(sites, self._layers_within)

    def _layers_within(self, sites: Expression) -> frozenset[Slot] | None:
        return layers_of(sites, self._all_layers, self.layers_within)

    @cached_property
    def _all_layers(self) -> frozenset[Slot]:
        return frozenset(self.layers.values())

    def layers_of_group(self, word: str) -> list[Slot]:
        """Return the slots that hold the pieces of the kinds for which a word stands."""
        found = [index for index, kind in enumerate(self.kinds) if word in kind.groups]
        return [slot for index in found for slot in self.layers_of_kind(index)]

    @property
    def groups_of_kinds(self) -> tuple[str, ...]:
        """The words that stand for the pieces of several kinds."""
        return tuple(dict.fromkeys(word for kind in self.kinds for word in kind.groups))

    def layers_of_kind(self, kind: int) -> list[Slot]:
        """Return the slots that hold the pieces of a kind."""
        return [slot for (which, _), slot in self.layers.items() if which == kind]

    def marks(self) -> list[StateVariable]:
        """Return the variables that travel with pieces."""
        return [variable for variable in self.state.values() if variable.is_mark]

    def declared(self) -> Iterable[str]:
        """Return all names that the file itself gives a meaning."""
        return [
            *self.options,
            *self.sides,
            *(kind.name for kind in self.kinds),
            *self.state,
            *(n for n, d in self.definitions.items() if not d[0].from_prelude),
        ]


@dataclass(frozen=True)
class Scope:
    """The words of one text: locals, whose turn it is, and for whom `own` stands.

    `mover` and `own` are sides by number; None where no side is on turn. `calls` are the heads
    of the definitions being inlined, outermost first, each with the place of its call. `standing`
    is what is known of pieces on sites that words stand for (`gdl.elaborate.relations.standing`).
    """

    declarations: Declarations
    mover: int | None
    own: int | None
    locals: Mapping[str, Value] = field(default_factory=dict)
    calls: tuple[tuple[Span, Span], ...] = ()
    standing: Mapping[Slot, frozenset[Any]] = field(default_factory=dict)

    def bind(self, name: str, value: Value) -> Scope:
        """Return the scope with one more local word."""
        words = {**self.locals, name: value}
        return Scope(self.declarations, self.mover, self.own, words, self.calls, self.standing)

    def knowing(self, standing: Mapping[Slot, frozenset[Any]]) -> Scope:
        """Return the scope in which more is known of what stands on sites."""
        known = {**self.standing, **standing}
        return Scope(self.declarations, self.mover, self.own, self.locals, self.calls, known)

    def forgetting(self) -> Scope:
        """Return the scope in which nothing is known of what stands on sites."""
        if not self.standing:
            return self
        return Scope(self.declarations, self.mover, self.own, self.locals, self.calls)

    def only(self, words: Mapping[str, Value], call: tuple[Span, Span]) -> Scope:
        """Return the scope of a definition's body: its parameters are its only local words."""
        calls = (*self.calls, call)
        return Scope(self.declarations, self.mover, self.own, words, calls, self.standing)

    def local(self, name: str) -> Value | None:
        """Return what a local word stands for, or None; raises Silent after an error."""
        value = self.locals.get(name)
        if isinstance(value, Unknown):
            raise Silent
        return value


TYPE_WORDS: dict[str, Type] = {"sites": SITES, "number": NUMBER, "flag": FLAG}
"""The types that a declaration may name, besides side, kind and direction."""

PARAMETER_TYPES = (*TYPE_WORDS, "side", "kind", "direction", "relation", "list")
"""The words that may stand before a parameter."""


class Written(Origin):
    """A part of the syntax from which something was made, and its scope."""

    __slots__ = ("node", "scope")

    def __init__(self, node: t.Node, scope: Scope) -> None:
        self.node = node
        self.scope = scope


def written_in(origin: Origin | None) -> tuple[t.Node | None, Scope | None]:
    """Return the part of the syntax that something was made from, and its scope."""
    return (origin.node, origin.scope) if isinstance(origin, Written) else (None, None)
