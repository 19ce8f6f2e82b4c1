"""A position as one side sees it.

In: a position, and a side. Out: a `View`: the pieces, sites and values that the rules let that side
see, and nothing else. What then holds: two views of one side are equal if the side can't tell the
positions apart by looking at them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from itertools import chain
from typing import Any, Protocol

from gdl.board.relation import Relation, bits, site_set
from gdl.core.nodes import Expression, Get, Op, Slot
from gdl.data_classes import dataclass
from gdl.elaborate.relations.pictures import write_picture
from gdl.interpreter.english import possessive
from gdl.interpreter.evaluation.evaluator import Outcome, RuleError
from gdl.interpreter.positions.drawing import (
    Held,
    flags_drawn,
    hands_beside,
    held_pieces,
    held_text,
    numbers_drawn,
)
from gdl.interpreter.positions.encoding import write_for_people, write_plain
from gdl.interpreter.render.scene import UNKNOWN_KIND, Mark, Scene
from gdl.model import Game, Layer, Leading, Looks, Notice, Sight

Pile = tuple[Layer | None, ...]

UNSEEN, OF_UNKNOWN_KIND = "?", "#"
"""What stands for a site that is not seen, and for a piece of which the kind is not."""
ALL_SIDES = "all sides"
"""Stands for a side where what all of them see or know is asked for: no side is called so."""
OF_NOBODY = "a piece"
"""What a piece is called that belongs to no side, where its kind is not seen."""


@dataclass(frozen=True)
class View:
    """What a side sees of a position.

    `seen` is what it sees as positions keep it: by that, views are compared. The rest is made of it
    when it is asked for. Whose turn it is, the phase and the result are always seen. It can be
    pickled, and nothing that the side does not see goes with it.
    """

    side: str
    mover: str
    seat: int | None
    phase: str
    outcome: str | None
    seen: tuple[Hashable, ...] = field(repr=False)
    look: _Look = field(compare=False, repr=False)

    @cached_property
    def pieces(self) -> tuple[tuple[str, str], ...]:
        """Side and kind by site; the side alone where the kind is not seen."""
        return self.look.pieces()

    @cached_property
    def unseen(self) -> tuple[str, ...]:
        """The sites of which the side does not see whether anything stands there."""
        return tuple(self.look.names[index] for index in self.look.unseen)

    @cached_property
    def values(self) -> tuple[tuple[str, str], ...]:
        """Texts of the rules, each with its value."""
        game = self.look.game
        return tuple((text, write_plain(game, of.type, at)) for text, of, at in self.look.values)

    @cached_property
    def told(self) -> tuple[str, ...]:
        """The values for people, by captions where there are some."""
        return self.look.told()

    @cached_property
    def notices(self) -> tuple[str, ...]:
        """What captions of conditions tell that hold, as far as the side may know it."""
        look = self.look
        return notices_told(look.game, notices(look.position, look.game, look.side, look.sight))

    @cached_property
    def scores(self) -> tuple[tuple[str, str], ...]:
        """The numbers that are shown of sides."""
        return _scores(self.look.position, self.look.game, self.look.sight)

    @cached_property
    def held(self) -> Held:
        """How many pieces the values say to be off the board, by side (or `neutral`) and kind."""
        return held_pieces(self.look.game, self.look.held())

    @cached_property
    def scene(self) -> Scene:
        """The drawing of what is seen."""
        return self.look.scene()

    @cached_property
    def symbols(self) -> Mapping[int, tuple[str | None, ...]]:
        """The characters of the sites, by their index."""
        return self.look.symbols()

    def __getstate__(self) -> dict[str, object]:
        made = (name for name, has in vars(View).items() if isinstance(has, cached_property))
        own = (one.name for one in fields(self) if one.name != "look")
        return {name: getattr(self, name) for name in chain(own, made)}

    def render(self, *, colour: bool = False, ascii: bool = False, width: int | None = None) -> str:
        """Draw what is seen as lines of text; `?` is a site that is not seen."""
        from gdl.interpreter.render.text.text import render_text

        return render_text(self.scene, colour=colour, ascii=ascii, width=width)

    def rows(self) -> str:
        """Return the rows of characters: `?` is a site that is not seen, `#` an unknown kind."""
        return write_picture(self.scene.board, self.symbols)

    def to_json(self) -> dict[str, Any]:
        """Return what is seen as plain data."""
        return {
            "side": self.side,
            "to_move": {"side": self.mover, "seat": self.seat} if self.outcome is None else None,
            "phase": self.phase,
            "outcome": self.outcome,
            "pieces": dict(self.pieces),
            "unseen": list(self.unseen),
            "values": dict(self.values),
            "scores": dict(self.scores),
        }


class Viewed(Protocol):
    """What a view is taken of: a position, as `Position` tells of it."""

    @property
    def mover(self) -> str:
        """The side on turn."""
        ...

    @property
    def seat(self) -> int | None:
        """The seat on turn, None for chance."""
        ...

    @property
    def phase(self) -> str:
        """The phase."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended."""
        ...

    @property
    def is_undecided(self) -> bool:
        """Whether some sides have decided in a round, and others have not yet."""
        ...

    def value(self, expression: Expression) -> Any:
        """Return what an expression is worth."""
        ...

    def standing(self) -> Iterator[tuple[int, Pile]]:
        """Yield each site on which pieces stand, with their layers, the lowest first."""
        ...

    def in_layers(self) -> Iterator[int]:
        """Yield the sites of each layer, in the order of the game's layers."""
        ...

    def scores(self) -> dict[str, str]:
        """Return the score of each side."""
        ...

    def scene(
        self, highlights: Mapping[int, str] | None = None, looks: Looks | None = None
    ) -> Scene:
        """Return the drawing of the whole position, perhaps with other looks of the board."""
        ...


@dataclass(frozen=True)
class _Look:
    """A position, and what of it a side sees: sites, those where it sees kinds, and values.

    The side is told by its number, None for `ALL_SIDES`. A value has the text that asks for it, and
    what it is.
    """

    position: Viewed
    game: Game
    side: int | None
    sight: Sight | None
    sites: int
    kinds: int
    values: Sequence[tuple[str, Expression, Any]]

    @property
    def names(self) -> list[str]:
        """The names of the sites, by index."""
        return [site.name for site in self.game.board.sites]

    @property
    def unseen(self) -> Iterator[int]:
        """The sites of which the side does not see whether anything stands there, by index."""
        return bits(self.game.board.all_sites & ~self.sites)

    @cached_property
    def occupied(self) -> Mapping[int, Pile]:
        """The piles that are seen, by site."""
        return {n: pile for n, pile in self.position.standing() if self.sites >> n & 1}

    def seen(self) -> Iterator[Hashable]:
        """Yield all that is seen: two positions look alike where this is alike."""
        yield self.sites
        if self.game.piles is not None:
            yield self.pieces()
        else:
            of_sides = [0] * (len(self.game.sides) + 1)
            for layer, sites in zip(self.game.layers, self.position.in_layers(), strict=True):
                yield sites & self.sites & self.kinds
                of_sides[-1 if layer.side is None else layer.side] |= sites
            yield from (sites & self.sites & ~self.kinds for sites in of_sides)
        yield from (value for _, _, value in self.values)

    def pieces(self) -> tuple[tuple[str, str], ...]:
        """Return side and kind by site."""
        names, sides = self.names, self.game.sides
        return tuple(
            (names[index], _pieces(pile, bool(self.kinds >> index & 1), sides))
            for index, pile in sorted(self.occupied.items(), key=lambda item: item[0])
        )

    def held(self) -> dict[Slot, Any]:
        """Return what is in hands, as far as it is among the values."""
        return _held(self.position, self.game, (value for _, value, _ in self.values))

    def told(self) -> tuple[str, ...]:
        """Return the values as people read them: what is in hands, then each by its caption.

        On the sites that are seen to be empty numbers are drawn.
        """
        game, values, held = self.game, self.values, self.held()
        drawn = set(map(Get, numbers_drawn(game)))
        if drawn <= {value for _, value, _ in values}:
            empty = self.sites & ~site_set(self.occupied)
            values = [
                (text, of, _without(value, empty) if of in drawn else value)
                for text, of, value in values
            ]
        apart = {Get(slot) for slot in held if slot.name not in game.looks.captions}
        told = (_captioned(game, *value) for value in values if value[1] not in apart)
        return tuple(filter(None, (held_text(game, held_pieces(game, held)), *told)))

    def symbols(self) -> dict[int, tuple[str | None, ...]]:
        """Return the characters of the sites, by their index."""
        piles = {
            index: tuple(_symbol(layer, bool(self.kinds >> index & 1)) for layer in pile)
            for index, pile in self.occupied.items()
        }
        return {**piles, **dict.fromkeys(self.unseen, (UNSEEN,))}

    def scene(self) -> Scene:
        """Return the drawing of the position without what is not seen."""
        seen = self.sites, self.kinds, self.occupied
        return _scene(self.position, self.game, self.side, self.sight, *seen)


def view_of(position: Viewed, game: Game, side: int | None) -> View:
    """Return what a side, by number, sees of a position of a game; None is `ALL_SIDES`."""
    sight = game.sight(side)
    everywhere = game.board.all_sites
    sites = everywhere if sight is None else position.value(sight.pieces)
    kinds = everywhere if sight is None else position.value(sight.kinds)
    outcome = position.outcome
    values = [(text, of, position.value(of)) for text, of in game.values_seen(side)]
    look = _Look(position, game, side, sight, sites, kinds, values)
    return View(
        side=ALL_SIDES if side is None else game.sides[side],
        mover=position.mover,
        seat=position.seat,
        phase=position.phase,
        outcome=None if outcome is None else outcome.text,
        seen=tuple(look.seen()),
        look=look,
    )


def notices(
    position: Viewed, game: Game, side: int | None, sight: Sight | None
) -> tuple[Notice, ...]:
    """Return the notices that hold and may be known by a side with this sight; None sees all.

    Of a game that is over there are none. A condition in which the rules fail does not hold.
    """
    if not game.looks.notices or position.outcome is not None:
        return ()
    known = (one for one in game.looks.notices if is_known(one, game, side, sight))
    return tuple(one for one in known if _holds(one, position))


def _holds(notice: Notice, position: Viewed) -> bool:
    try:
        return bool(position.value(notice.condition))
    except RuleError:
        return False


def is_known(notice: Notice, game: Game, side: int | None, sight: Sight | None) -> bool:
    """Return whether a side with this sight may know whether a notice holds.

    Its condition is one that the sight lists, or asks for nothing that is not always known.
    """
    asked = notice.condition
    if sight is None or any(value == asked for _, value in sight.values):
        return True
    return not asked.looks_ahead and _asked_for(asked, game) <= known_slots(game, side, sight)


def _asked_for(node: Expression, game: Game) -> frozenset[Slot]:
    """Return the slots that an expression depends on, without layers that can't matter.

    A site has one piece at most where there are no piles: what all of some unions of layers have
    is in the layers that are in all of them.
    """
    if not isinstance(node, Op):
        return node.free
    layers = frozenset(layer.slot for layer in game.layers)
    is_disjoint = node.name == "intersection" and game.piles is None
    unions, others = list[frozenset[Slot]](), list[frozenset[Slot]]()
    for part in node.parts():
        if is_disjoint and _is_union(part) and part.free <= layers:
            unions.append(part.free)
        else:
            others.append(_asked_for(part, game))
    common = frozenset[Slot]().union(*unions).intersection(*unions)
    return common.union(*others)


def _is_union(node: Expression) -> bool:
    is_of_unions = isinstance(node, Op) and node.name == "union"
    return isinstance(node, Get) or (is_of_unions and all(map(_is_union, node.parts())))


def notices_told(game: Game, found: Iterable[Notice]) -> tuple[str, ...]:
    """Return the texts of notices, each once."""
    return tuple(dict.fromkeys(notice_told(one, game.sides[one.side]) for one in found))


def notice_told(notice: Notice, own: str) -> str:
    """Return the text of a notice, with what its side is called."""
    return notice.text.replace("{own}'s", possessive(own)).replace("{own}", own)


def known_slots(game: Game, side: int | None, sight: Sight) -> set[Slot]:
    """Return of which slots a side with this sight always knows what they hold."""
    known = {value.slot for _, value in sight.values if isinstance(value, Get)}
    known |= {layer.slot for layer in game.layers if side is not None and layer.side == side}
    system = game.program.system
    return known | {slot for slot in (system.mover, system.phase) if slot is not None}


def _pieces(pile: Pile, is_kind_seen: bool, sides: tuple[str, ...]) -> str:
    """Return what stands on a site, the uppermost piece first."""
    return " on ".join(_piece(layer, is_kind_seen, sides) for layer in reversed(pile))


def _piece(layer: Layer | None, is_kind_seen: bool, sides: tuple[str, ...]) -> str:
    if layer is not None and is_kind_seen:
        return layer.name
    return OF_NOBODY if layer is None or layer.side is None else sides[layer.side]


def _symbol(layer: Layer | None, is_kind_seen: bool) -> str | None:
    if layer is None:
        return None
    return layer.symbol if is_kind_seen else OF_UNKNOWN_KIND


def _of_unknown_kind(mark: Mark) -> Mark:
    """Return a piece, and those that it stands upon, without their kinds."""
    under = tuple(part and _of_unknown_kind(part) for part in mark.under)
    height = mark.count if under else None
    return Mark(OF_UNKNOWN_KIND, mark.side, UNKNOWN_KIND, height, under)


def _without(numbers: tuple[int, ...], sites: int) -> tuple[int, ...]:
    """Return numbers per site, without those of some sites."""
    return tuple(0 if sites >> site & 1 else number for site, number in enumerate(numbers))


def _held(position: Viewed, game: Game, values: Iterable[Expression]) -> dict[Slot, Any]:
    """Return what is in hands, as far as it is among the values."""
    hands = {slot for slots in game.hands.values() for slot in slots.values()}
    seen = (v for v in values if isinstance(v, Get) and v.slot in hands)
    return {value.slot: position.value(value) for value in seen}


def _captioned(game: Game, text: str, value: Expression, found: Any) -> str:
    """Return a value as people read it; nothing where its caption is empty, or it is none."""
    shown = write_for_people(game, value.type, found)
    captions = game.looks.captions
    caption = captions.get(text, captions.get(value.slot.name if isinstance(value, Get) else ""))
    if caption is None:
        return "" if isinstance(found, tuple) and shown == "none" else f"{text} {shown}"
    return "" if shown == "none" else caption.replace("{}", shown)


def _scores(position: Viewed, game: Game, sight: Sight | None) -> tuple[tuple[str, str], ...]:
    """Return the scores that are among the values seen."""
    seen = None if sight is None else {value for _, value in sight.values}
    told = zip(position.scores().items(), game.scores, strict=True)
    return tuple(score for score, value in told if seen is None or value in seen)


def _scene(
    position: Viewed,
    game: Game,
    side: int | None,
    sight: Sight | None,
    sites: int,
    kinds: int,
    occupied: Mapping[int, Pile],
) -> Scene:
    """Return the drawing of a position without what is not seen."""
    if sight is None:
        scene = position.scene()
        return _without_last(scene) if position.is_undecided else scene
    whole = position.scene(looks=known_looks(game, side, sight))
    seen = {value for _, value in sight.values}
    has_counts = all(Get(slot) in seen for slot in numbers_drawn(game))
    has_flags = all(Get(slot) in seen for slot in flags_drawn(game))
    marks: dict[int, Mark] = {}
    for index, mark in whole.marks.items():
        if index in occupied:
            kind = mark if kinds >> index & 1 else _of_unknown_kind(mark)
            kind = kind if has_flags else replace(kind, flag="")
            marks[index] = kind if has_counts or kind.under else replace(kind, count=None)
        elif has_counts and mark.count is not None and sites >> index & 1:
            marks[index] = mark
    unseen = bits(game.board.all_sites & ~sites)
    return replace(
        _without_last(whole),
        marks=marks,
        bases={},
        beside=tuple(hands_beside(game, _held(position, game, seen))),
        signs={**whole.signs, **dict.fromkeys(unseen, UNSEEN)},
        highlights={},
        tiles={},
    )


def known_looks(game: Game, side: int | None, sight: Sight) -> Looks:
    """Return how the board looks without what may tell a side of what is hidden."""
    looks, known = game.looks, known_slots(game, side, sight)

    def is_shown(part: Expression | Relation | Leading) -> bool:
        if isinstance(part, Relation):
            return True
        if isinstance(part, Leading):
            return part.free <= known
        return not part.looks_ahead and _asked_for(part, game) <= known

    return replace(
        looks,
        colours=tuple(one for one in looks.colours if is_shown(one[1])),
        signs=tuple(one for one in looks.signs if is_shown(one[1])),
        lines=tuple(one for one in looks.lines if is_shown(one[1])),
        arrows=tuple(one for one in looks.arrows if is_shown(one[1])),
        borders=tuple(one for one in looks.borders if is_shown(one[1])),
        bridges=tuple(one for one in looks.bridges if is_shown(one[1])),
    )


def _without_last(scene: Scene) -> Scene:
    """Return a drawing that tells nothing of the last move."""
    return replace(scene, last=frozenset(), changed=frozenset(), way=())
