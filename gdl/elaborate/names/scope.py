"""What names mean: the declarations of a game, and the local words of one text.

In: what the sections declare. Out: `Declarations`, and a `Scope` of local words, in which
`find_name` of calls looks names up. What then holds: a name has one meaning; what is declared is
never changed by what is elaborated, which goes on in an `Elaboration`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from gdl.board.board import Board
from gdl.codes import Code
from gdl.core import build
from gdl.core.layers import layers_of
from gdl.core.memo import Memo
from gdl.core.nodes import Expression, Get, Origin, Slot
from gdl.core.piles import Piles
from gdl.core.types import FLAG, NUMBER, SITES, Type
from gdl.data_classes import dataclass
from gdl.diagnostic import NO_FACTS, Diagnostic, Facts, Hint, Report, Span
from gdl.elaborate.names.elaboration import Elaboration
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


@dataclass(frozen=True)
class System:
    """The slots of the game's course that every game has; `phase` is there if it has phases."""

    mover: Slot
    following: Slot
    seats: tuple[Slot, ...]
    phase: Slot | None = None


@dataclass(frozen=True)
class Declarations:
    """All that a file declares; each section that is read makes one that has more.

    `hidden` are words of the prelude whose names the file gives to definitions of its own, `broken`
    names whose declarations have errors. `initial` are the values that variables have before the
    set-up. While the board and the variables are read, `read_later` are the names of these.
    `sites_have_any_name` is whether a board that is not known may be one of points that the author
    names.
    """

    side_type: Type
    kind_type: Type
    board: Board
    kinds: tuple[Kind, ...]
    layers: Mapping[tuple[int, int | None], Slot]
    system: System
    traits: Mapping[str, Type] = field(default_factory=dict)
    teams: tuple[tuple[int, ...], ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    option_pictures: Mapping[str, tuple[str, Span]] = field(default_factory=dict)
    definitions: Mapping[str, Sequence[Definition]] = field(default_factory=dict)
    hidden: Mapping[str, Sequence[Definition]] = field(default_factory=dict)
    piles: Piles | None = None
    state: Mapping[str, StateVariable] = field(default_factory=dict)
    initial: Mapping[Slot, object] = field(default_factory=dict)
    hands: Hands | None = None
    actions: Mapping[str, Action] = field(default_factory=dict)
    phases: tuple[str, ...] = ()
    broken: frozenset[str] = frozenset()
    read_later: frozenset[str] = frozenset()
    board_is_known: bool = True
    board_is_asked_for: bool = False
    sites_have_any_name: bool = True

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, in the order of play."""
        return self.side_type.values

    def without(self, *broken: str) -> Declarations:
        """Return the declarations, in which names have no meaning because of their errors."""
        return replace(self, broken=self.broken.union(broken))

    def layers_of(self, side: int) -> list[Slot]:
        """Return the slots that hold the pieces of a side."""
        return [slot for (_, owner), slot in self.layers.items() if owner == side]

    @cached_property
    def all_layers(self) -> frozenset[Slot]:
        """The slots that hold pieces."""
        return frozenset(self.layers.values())

    def layers_of_group(self, word: str) -> list[Slot]:
        """Return the slots that hold the pieces of the kinds for which a word stands."""
        found = [index for index, kind in enumerate(self.kinds) if word in kind.groups]
        return [slot for index in found for slot in self.layers_of_kind(index)]

    @cached_property
    def groups_of_kinds(self) -> tuple[str, ...]:
        """The words that stand for the pieces of several kinds."""
        return tuple(dict.fromkeys(word for kind in self.kinds for word in kind.groups))

    def layers_of_kind(self, kind: int) -> list[Slot]:
        """Return the slots that hold the pieces of a kind."""
        return [slot for (which, _), slot in self.layers.items() if which == kind]

    @cached_property
    def constants(self) -> Memo[t.Parameter, Value | None]:
        """What parameters stand for that are constants, those that have been asked for."""
        return Memo()

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
    elaboration: Elaboration
    mover: int | None = None
    own: int | None = None
    locals: Mapping[str, Value] = field(default_factory=dict)
    calls: tuple[tuple[Span, Span], ...] = ()
    standing: Mapping[Slot, frozenset[Any]] = field(default_factory=dict)

    @property
    def report(self) -> Report:
        """Where it is told what is wrong."""
        return self.elaboration.report

    def declaring(self, declarations: Declarations) -> Scope:
        """Return the scope in which more is declared."""
        return replace(self, declarations=declarations)

    def turn_of(self, side: int) -> Scope:
        """Return the scope of the turn of a side."""
        return replace(self, mover=side, own=side)

    def bind(self, name: str, value: Value) -> Scope:
        """Return the scope with one more local word."""
        return self._of({**self.locals, name: value}, self.calls, self.standing)

    def knowing(self, standing: Mapping[Slot, frozenset[Any]]) -> Scope:
        """Return the scope in which more is known of what stands on sites."""
        return self._of(self.locals, self.calls, {**self.standing, **standing})

    def forgetting(self) -> Scope:
        """Return the scope in which nothing is known of what stands on sites."""
        return self._of(self.locals, self.calls, {}) if self.standing else self

    def only(self, words: Mapping[str, Value], call: tuple[Span, Span]) -> Scope:
        """Return the scope of a definition's body: its parameters are its only local words."""
        return self._of(words, (*self.calls, call), self.standing)

    def _of(self, *about: Any) -> Scope:
        """Return the scope with other local words, calls, and pieces that are known to stand."""
        return Scope(self.declarations, self.elaboration, self.mover, self.own, *about)

    def local(self, name: str) -> Value | None:
        """Return what a local word stands for, or None; raises Silent after an error."""
        value = self.locals.get(name)
        if isinstance(value, Unknown):
            raise Silent
        return value

    def pieces(self) -> Expression:
        """Return the set of all pieces, made once."""
        return self._united(("all", 0), lambda _: self.declarations.layers.values())

    def pieces_of(self, side: int) -> Expression:
        """Return the set of a side's pieces, made once."""
        return self._united(("side", side), self.declarations.layers_of)

    def pieces_of_kind(self, kind: int) -> Expression:
        """Return the set of the pieces of a kind, made once."""
        return self._united(("kind", kind), self.declarations.layers_of_kind)

    def _united(self, key: tuple[str, int], layers: Callable[[int], Iterable[Slot]]) -> Expression:
        made = self.elaboration.united
        # Who listens tells sets apart by where they were made.
        if key not in made or self.elaboration.origins is not None:
            made[key] = build.union(*map(Get, layers(key[1])))
        return made[key]

    def layers_within(self, sites: Expression) -> frozenset[Slot] | None:
        """Return the layers that a set has sites of at most; None if it may have any."""
        return self.elaboration.within.of(sites, self._layers_within)

    def _layers_within(self, sites: Expression) -> frozenset[Slot] | None:
        return layers_of(sites, self.declarations.all_layers, self.layers_within)


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
