"""The model of a game: everything about it that is known before play. Immutable.

In: what elaboration made of a file. Out: a `Game`, which every evaluator, renderer and command
reads. Its board is also there as a networkx graph, built when first asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import field
from functools import cached_property, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Protocol

from gdl.board.board import Board
from gdl.board.relation import Relation
from gdl.core import build
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Const,
    Expression,
    Get,
    If,
    Op,
    Origin,
    Program,
    Slot,
)
from gdl.core.piles import Piles
from gdl.core.types import FLAG, SITES
from gdl.core.walk import program_statements
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span, wanted
from gdl.document.nodes import Mapping as Document

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True)
class Layer:
    """A set of sites in the position: the pieces of one kind and side (None: neutral).

    `symbol` stands for such a piece in pictures made of characters.
    """

    slot: Slot
    kind: int
    side: int | None
    symbol: str
    name: str


@dataclass(frozen=True)
class OptionInfo:
    """An option as a user sees it: its value here, its default, what it may be."""

    name: str
    value: str
    default: str
    allowed: str
    about: str = ""

    @property
    def is_usual(self) -> bool:
        """Whether it has its default."""
        return self.value == self.default

    def values(self, most: int) -> tuple[str, ...]:
        """Return what it may be, in order; nothing where that is more than `most`, or is no list.

        >>> OptionInfo("size", "5", "5", "3..6").values(9)
        ('3', '4', '5', '6')
        >>> OptionInfo("pie", "no", "no", "").values(9)
        ('yes', 'no')
        >>> OptionInfo("n", "5", "5", "1..99").values(9)
        ()
        """
        bounds = re.fullmatch(r"(\d{1,9})\.\.(\d{1,9})", self.allowed)
        if bounds and self.default.isdecimal():
            numbers = range(int(bounds[1]), int(bounds[2]) + 1)
            return tuple(map(str, numbers)) if len(numbers) <= most else ()
        listed: tuple[str, ...] = ("yes", "no") if self.default in ("yes", "no") else ()
        if self.allowed:
            listed = tuple(self.allowed.split(", "))
        return listed if self.default in listed and len(listed) <= most else ()


@dataclass(frozen=True)
class Sight:
    """What one side sees of a position, as expressions.

    `pieces` are the sites of which it sees what stands there, `kinds` those on which it sees of
    what kind a piece is; `values` are further things, each with the text that asks for it;
    `moves` is whether it is told the move that the position came from.
    """

    pieces: Expression
    kinds: Expression
    values: tuple[tuple[str, Expression], ...]
    moves: Expression

    def expressions(self) -> tuple[Expression, ...]:
        """Return all expressions."""
        return (self.pieces, self.kinds, *(value for _, value in self.values), self.moves)

    @property
    def free(self) -> frozenset[Slot]:
        """The slots that it depends on."""
        return frozenset().union(*(part.free for part in self.expressions()))


COLOURS = (
    *("black", "white", "red", "blue", "green", "yellow", "purple", "orange", "brown", "grey"),
    *("pink", "teal", "silver", "gold", "dark", "light"),
)
"""The names of colours that a file may use for areas, besides those of its sides."""


@dataclass(frozen=True)
class Leading:
    """A relation that depends on the position: `image` is where it leads from the site in `slot`.

    It leads nowhere but from `sources`.
    """

    slot: Slot
    image: Expression
    sources: Expression

    @property
    def free(self) -> frozenset[Slot]:
        """The slots that it depends on."""
        return (self.image.free - {self.slot}) | self.sources.free


Links = tuple[tuple[str, "Relation | Leading"], ...]
"""Relations to be drawn, each in a colour."""


@dataclass(frozen=True)
class Notice:
    """What is told of a position while a condition holds, with a side (by number) as `own`.

    In the text `{own}` is that side's name. The condition was made from `origin`, at `span`.
    """

    text: str
    side: int
    condition: Expression
    span: Span
    origin: Origin | None = field(default=None, compare=False, repr=False)

    @property
    def free(self) -> frozenset[Slot]:
        """The slots that it depends on."""
        return self.condition.free


Steps = tuple[tuple[int, int], ...]
"""Ways from a site to others: so many columns to the right, and so many rows up."""


@dataclass(frozen=True)
class Looks:
    """How a board looks besides its pieces; expressions and relations may depend on the position.

    `colours` are sets of sites in the colour of a side or another one of `COLOURS`, by its name;
    `signs` sets of sites on which a small text stands, or one of the marks that have a name. Of
    relations in such colours, `lines` are drawn between sites, `arrows` lead from the first to the
    second, `borders` are the sides that two cells share, and `bridges` are thick and lie under
    pieces. Known before play are `loops`, lines that leave the board at its border, `gaps`, the
    neighbours that a gap of some cells lies between, and `fields`, the shape of sites. `places` are
    where beside the board a variable lies, by its name; `numbers` what is written on a piece, by
    its name and then by site; `cards` the steps that a variable shows, by the names that it may
    have, or of the name that it goes by. `figures` are the shape of each piece and what is written
    on it, by the piece's name; and so for variables. `captions` are texts for variables by name, in
    which `{}` is the value, and for kinds of pieces, of which they say what they do; `notices` are
    what captions of conditions tell while these hold; `prompts` for decisions, by the name of what
    is chosen, perhaps with its phase before it; `phases` are the names of phases for players.
    """

    colours: tuple[tuple[str, Expression], ...] = ()
    signs: tuple[tuple[str, Expression], ...] = ()
    lines: Links = ()
    arrows: Links = ()
    borders: Links = ()
    bridges: Links = ()
    loops: tuple[tuple[str, Relation], ...] = ()
    gaps: tuple[tuple[float, Relation], ...] = ()
    fields: tuple[tuple[str, int], ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    cards: Mapping[str, Mapping[str, Steps]] = field(default_factory=dict)
    figures: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    captions: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)
    phases: Mapping[str, str] = field(default_factory=dict)

    @property
    def free(self) -> frozenset[Slot]:
        """The slots that it depends on."""
        sets = (part.free for _, part in (*self.colours, *self.signs))
        links = (*self.lines, *self.arrows, *self.borders, *self.bridges)
        led = (part.free for _, part in links if isinstance(part, Leading))
        return frozenset[Slot]().union(*sets, *led)

    def prompt(self, phase: str, variable: str) -> str:
        """Return what a player is asked for who is to choose a variable, or an empty text."""
        return self.prompts.get(f"{phase} {variable}", self.prompts.get(variable, ""))


FormPart = tuple[str, str]
"""What a part of a form is, and its sign; see `gdl.elaborate.sections.notation`."""


NUMBER = "#"
"""Stands in the letter of a kind for the number of a piece."""

HERE = "here"
"""The sign of no direction, by which the site of a piece itself is told."""


@dataclass(frozen=True)
class Form:
    """One way in which moves are written.

    `word` is the word of the rules that such moves have. `conditions` has for each side when it is
    used; nothing if it always is.
    """

    parts: tuple[FormPart, ...]
    word: str = ""
    conditions: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class PositionNotation:
    """How a position is written in a line of text, such as FEN.

    `fields` stand with blanks between, each with names in braces. `letters` are those of kinds, of
    the first side in capitals and of the second in small letters; `movers` stand for the sides.
    `signs` are those of sites of a variable, by its name and the site's; `marks` are how a letter
    is written on sites of a variable, with `{}` for the letter.
    """

    fields: tuple[str, ...]
    letters: Mapping[str, str]
    movers: tuple[str, ...]
    signs: Mapping[str, Mapping[str, str]]
    marks: Mapping[str, str]


@dataclass(frozen=True)
class Notation:
    """How the moves of a game are written elsewhere, and how sites are called there.

    `columns` and `rows` are the two halves of each site's name, in that order; of a number, all is
    in the first. `letters` are those of kinds, `words` the signs of words of the rules. The first
    of the `forms` that fits a move is the one it is written in. `checks` tells for each side
    whether its turn begins in check, or is empty. Conditions know the first and the last site of a
    move by the slots `first` and `last`. `skips` are texts for a turn that a record leaves out,
    `mirrors` for a swap after which it has the board mirrored, and the players keep their sides.
    `sides` are how the letters of a side's pieces are written, with `{}` for the letter;
    `directions` the signs of relations of the board, with `{}` where a piece stands in its place,
    and `here` for the site itself. `unsaid` are words of the rules that records leave out where
    another side goes on, `effects` forms of words that say only what a move does. `numbers` tells
    for each side the number by which it calls the site in the slot `site`, or is empty. `agreed`
    tells for each side whether players agree on the result of a game that has ended so.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    letters: Mapping[str, str]
    words: Mapping[str, str]
    forms: tuple[Form, ...]
    checks: tuple[Expression, ...]
    skips: tuple[str, ...]
    mirrors: tuple[str, ...]
    tags: Mapping[str, tuple[str, ...]]
    options: Mapping[str, tuple[tuple[str, ...], str]]
    position: PositionNotation | None
    first: Slot
    last: Slot
    sides: Mapping[str, str]
    directions: Mapping[str, str]
    unsaid: tuple[str, ...]
    effects: tuple[Form, ...]
    numbers: tuple[Expression, ...]
    site: Slot
    agreed: tuple[Expression, ...]

    @property
    def tells_numbers(self) -> bool:
        """Whether pieces have numbers, in the order in which they came."""
        return any(NUMBER in letter for letter in self.letters.values())

    @property
    def free(self) -> frozenset[Slot]:
        """The slots of a position that it depends on."""
        conditions = (condition for form in self.forms for condition in form.conditions)
        free = (part.free for part in (*conditions, *self.checks, *self.numbers, *self.agreed))
        return frozenset[Slot]().union(*free) - {self.first, self.last, self.site}


class Vocabulary(Protocol):
    """A game's own words, in which texts can be read that come after its file."""

    def expression(self, span: Span, side: int | None) -> Expression:
        """Return the expression of a text, in which `own` and `mover` are the side by number.

        Raises GameError.
        """

    def arrangement(self, section: Document) -> Mapping[Slot, object]:
        """Return what a section like `setup` gives to slots, all layers of pieces among them.

        Raises GameError.
        """


@dataclass(frozen=True, eq=False)
class Game:
    """A compiled game, with its options and variants settled.

    `scores` are numbers to be shown with a position, one a side, or none at all.
    `digest` tells one set of rules from another: a hash of all that they were made from;
    `whole_digest` does so even where somebody means two to have one.
    `words` are for texts that are read later. `state_slots` are the declared variables, each by
    its name and indices (`hand(White)`), whether the rules read it or not. `numbered` tells that
    moves have short texts, too. `piles` are there where pieces may stand upon each other; of their
    slots, positions have those that the rules ask for. `sights` are what each side sees, or nothing
    if all see all; each slot of `undecided` counts, in a round in which the sides decide together,
    how many have: until all have, none sees what the others decided. `looks` are areas, signs,
    lines and captions. `hands` are the pieces off the board: the slot of each number, by the side
    (or `neutral`) and the kind. A game can be pickled, and threads may share it.
    """

    name: str
    title: str
    credits: Mapping[str, str]
    other_names: tuple[str, ...]
    sides: tuple[str, ...]
    kinds: tuple[str, ...]
    board: Board
    layers: tuple[Layer, ...]
    marks: tuple[Slot, ...]
    relations: Mapping[str, Relation]
    regions: Mapping[str, int]
    program: Program
    options: tuple[OptionInfo, ...]
    variants: tuple[str, ...]
    all_variants: Mapping[str, str]
    digest: str
    whole_digest: str
    style: str
    scores: tuple[Expression, ...]
    examples: tuple[Document, ...]
    document: Document
    words: Vocabulary
    state_slots: Mapping[str, Slot]
    numbered: bool = False
    sights: tuple[Sight, ...] = ()
    undecided: tuple[Slot, ...] = ()
    piles: Piles | None = None
    looks: Looks = field(default_factory=Looks)
    hands: Mapping[str, Mapping[str, Slot]] = field(default_factory=dict)
    notations: tuple[Notation, ...] = ()
    warnings: tuple[Diagnostic, ...] = field(default=())

    @property
    def number_of_teams(self) -> int:
        """How many there are that win on their own: teams, or sides where each plays alone."""
        return len(set(self.program.teams)) or len(self.sides)

    @property
    def hides(self) -> bool:
        """Whether there are positions of which some side doesn't see everything."""
        return bool(self.undecided) or self.hides_by_sight

    @property
    def hides_by_sight(self) -> bool:
        """Whether `sees` leaves out a part of some position, for some side.

        Who sees all of the position before and after a move need not be told the move.
        """
        return any(sight is not None for sight in self._limits)

    def sight(self, side: int | None) -> Sight | None:
        """Return what a side sees, by its number, or what all sides see; None if that is all."""
        return self._common_limit if side is None else self._limits[side] if self._limits else None

    def values_seen(self, side: int | None) -> tuple[tuple[str, Expression], ...]:
        """Return what a side, by its number, sees beside the pieces, or what all sides see.

        Each has the text that asks for it. They are those that the rules list, and all variables,
        where nothing is left out.
        """
        return self._values_seen[-1 if side is None else side]

    @cached_property
    def _values_seen(self) -> tuple[tuple[tuple[str, Expression], ...], ...]:
        kept = set(self.program.state)
        variables = [(name, Get(slot)) for name, slot in self.state_slots.items() if slot in kept]
        found = list[Mapping[str, Expression]]()
        for side in (*range(len(self.sides)), None):
            sight = self.sight(side)
            listed = self.sights[side or 0].values if self.sights else ()
            found.append(dict(sight.values if sight is not None else (*variables, *listed)))
        return tuple(tuple(values.items()) for values in found)

    @cached_property
    def _limits(self) -> tuple[Sight | None, ...]:
        """The sight of each side; None for one that always sees everything that changes."""
        if not self.sights:
            return ()
        program, system = self.program, self.program.system
        given = (s.slot for s in program_statements(program) if isinstance(s, Assign | AssignAt))
        course = (system.mover, system.phase, system.turns, system.passes, *system.seats)
        piles = () if self.piles is None else self.piles.slots
        with_pieces = (*(layer.slot for layer in self.layers), *piles)
        variables = set(given).intersection(program.state).difference(course, with_pieces)
        return tuple(sight if self._leaves_out(sight, variables) else None for sight in self.sights)

    def _leaves_out(self, sight: Sight, variables: Set[Slot]) -> bool:
        """Return whether a sight may leave out a piece, its kind, or one of the variables."""
        everywhere = self.board.all_sites
        sides = Counter(layer.side for layer in self.layers)
        for layer in self.layers:
            has_known_kind = sides[layer.side] == 1 and self.piles is None
            for seen in (sight.pieces,) if has_known_kind else (sight.pieces, sight.kinds):
                if _at_least(seen, layer.slot, everywhere) != everywhere:
                    return True
        return not variables <= {v.slot for _, v in sight.values if isinstance(v, Get)}

    @cached_property
    def _common_limit(self) -> Sight | None:
        """What is said of every side alike: so each knows that the others see it, too.

        Which sites two sides happen to see by rules of their own would tell what each of them sees.
        """
        limits = [sight for sight in self._limits if sight is not None]
        if not limits:
            return None
        common = set.intersection(*({value for _, value in sight.values} for sight in limits))
        return Sight(
            _said_alike([sight.pieces for sight in limits]),
            _said_alike([sight.kinds for sight in limits]),
            tuple((text, value) for text, value in limits[0].values if value in common),
            limits[0].moves if len({sight.moves for sight in limits}) == 1 else Const(False, FLAG),
        )

    @cached_property
    def last_hands(self) -> frozenset[str]:
        """The hands that pieces come into and never leave: what is there is out of the game."""
        adding, other = set[Slot](), set[Slot]()
        for statement in program_statements(self.program):
            if isinstance(statement, Assign):
                match statement.value:
                    case Op("add", (Get(slot), _)) if slot is statement.slot:
                        adding.add(slot)
                    case _:
                        other.add(statement.slot)
        return frozenset(
            name
            for name, slots in self.hands.items()
            if adding.intersection(slots.values()) and not other.intersection(slots.values())
        )

    def __repr__(self) -> str:
        told = (*self.variants, *(f"{o.name} {o.value}" for o in self.options if not o.is_usual))
        return f"<Game {', '.join((self.name, *told))}>"

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "graph"}

    @cached_property
    def graph(self) -> networkx.MultiDiGraph[str]:
        """The board: a node a site, a labelled edge for each pair of each named relation."""
        from gdl.board.export import board_graph

        return board_graph(self.board, self.relations, self.regions)


def _said_alike(sites: Sequence[Expression]) -> Expression:
    """Return the parts that unions of sites share."""
    parts = [
        one.arguments if isinstance(one, Op) and one.name == "union" else (one,) for one in sites
    ]
    shared = [part for part in parts[0] if all(part in others for others in parts)]
    return build.union(*shared)


def _at_least(node: Expression, layer: Slot, everywhere: int) -> int:
    """Return a set of which an expression has all sites at which a piece of a layer stands."""
    parts = [_at_least(part, layer, everywhere) for part in node.parts()]
    match node:
        case Const(value) if node.type == SITES:
            return int(value)
        case Get(slot) if slot is layer:
            return everywhere
        case Op("union"):
            return reduce(or_, parts)
        case Op("intersection"):
            return reduce(and_, parts)
        case If():
            return parts[1] & parts[2]
    return 0


class OfAGame(Protocol):
    """What has a game, such as its `Rules`."""

    @property
    def game(self) -> Game:
        """The game."""
        ...


def game_of(given: Game | OfAGame) -> Game:
    """Return a game, or that of its rules. Raises TypeError for what is neither."""
    found = getattr(given, "game", given)
    wanted(found, Game, "a Game, such as `rules.game`,")
    assert isinstance(found, Game)
    return found
