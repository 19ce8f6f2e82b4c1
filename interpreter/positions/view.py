"""A position as one side sees it.

In: a position, and a side. Out: a `View`: the pieces, sites and values that the rules let that side
see, and nothing else. What then holds: two views of one side are equal if the side can't tell the
positions apart by looking at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any, Protocol, TypeVar

from gdl.board.relation import bits, site_set
from gdl.core.nodes import Expression, Get, Slot
from gdl.data_classes import dataclass
from gdl.elaborate.relations.pictures import write_picture
from gdl.interpreter.evaluation.evaluator import Outcome
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
from gdl.model import Game, Layer, Sight

Pile = tuple[Layer | None, ...]
T = TypeVar("T")

UNSEEN, OF_UNKNOWN_KIND = "?", "#"
"""What stands for a site that is not seen, and for a piece of which the kind is not."""
ALL_SIDES = "all sides"
"""Stands for a side where what all of them see or know is asked for: no side is called so."""
OF_NOBODY = "a piece"
"""What a piece is called that belongs to no side, where its kind is not seen."""


@dataclass(frozen=True)
class View:
    """What a side sees of a position.

    `pieces` are side and kind by site, the side alone where the kind is not seen; `unseen` the
    sites of which the side does not see whether anything stands there; `values` texts of the
    rules, each with its value, and `told` the same for people, by captions where there are some;
    `scores` the numbers that are shown of sides; `held` how many pieces the values say to be off
    the board, by side (or `neutral`) and kind. `draw` makes its drawing, `write` its characters,
    when they are needed. Whose turn it is, the phase and the result are always seen. It can be
    pickled, and nothing that the side does not see goes with it.
    """

    side: str
    mover: str
    seat: int | None
    phase: str
    outcome: str | None
    pieces: tuple[tuple[str, str], ...]
    unseen: tuple[str, ...]
    values: tuple[tuple[str, str], ...]
    told: tuple[str, ...]
    scores: tuple[tuple[str, str], ...]
    held: Held = field(compare=False, repr=False)
    draw: Callable[[], Scene] = field(compare=False, repr=False)
    write: Callable[[], Mapping[int, tuple[str | None, ...]]] = field(compare=False, repr=False)

    @cached_property
    def scene(self) -> Scene:
        """The drawing of what is seen; it is made when it is asked for."""
        return self.draw()

    @cached_property
    def symbols(self) -> Mapping[int, tuple[str | None, ...]]:
        """The characters of the sites, by their index."""
        return self.write()

    def __getstate__(self) -> dict[str, object]:
        made = {"draw": partial(_itself, self.scene), "write": partial(_itself, self.symbols)}
        return {one.name: getattr(self, one.name) for one in fields(self)} | made

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


def _itself(made: T) -> T:
    """Return what was made before: a function that a pickle can hold."""
    return made


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

    def scores(self) -> dict[str, str]:
        """Return the score of each side."""
        ...

    def scene(self) -> Scene:
        """Return the drawing of the whole position."""
        ...


def view_of(position: Viewed, game: Game, side: int | None) -> View:
    """Return what a side, by number, sees of a position of a game; None is `ALL_SIDES`."""
    sight = game.sight(side)
    everywhere = game.board.all_sites
    sites = everywhere if sight is None else position.value(sight.pieces)
    kinds = everywhere if sight is None else position.value(sight.kinds)
    occupied = {index: pile for index, pile in position.standing() if sites >> index & 1}
    names = [site.name for site in game.board.sites]
    unseen = tuple(bits(everywhere & ~sites))
    outcome, values = position.outcome, _values(position, game, side)
    return View(
        side=ALL_SIDES if side is None else game.sides[side],
        mover=position.mover,
        seat=position.seat,
        phase=position.phase,
        outcome=None if outcome is None else outcome.text,
        pieces=tuple(
            (names[index], _pieces(occupied[index], bool(kinds >> index & 1), game.sides))
            for index in sorted(occupied)
        ),
        unseen=tuple(names[index] for index in unseen),
        values=tuple((text, write_plain(game, of.type, value)) for text, of, value in values),
        told=_told(position, game, values, sites & ~site_set(occupied)),
        scores=_scores(position, game, sight),
        held=held_pieces(game, _held(position, game, (value for _, value, _ in values))),
        draw=lambda: _scene(position, game, sight, sites, kinds, occupied),
        write=lambda: {
            **{
                index: tuple(_symbol(layer, bool(kinds >> index & 1)) for layer in pile)
                for index, pile in occupied.items()
            },
            **dict.fromkeys(unseen, (UNSEEN,)),
        },
    )


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


def _values(
    position: Viewed, game: Game, side: int | None
) -> tuple[tuple[str, Expression, Any], ...]:
    """Return the values that are seen, each with the text that asks for it and what it is.

    They are those that the rules list, and all variables, where nothing is left out.
    """
    sight, kept = game.sight(side), set(game.program.state)
    if sight is not None:
        seen = dict(sight.values)
    else:
        listed = game.sights[side or 0].values if game.sights else ()
        variables = ((name, Get(slot)) for name, slot in game.state_slots.items() if slot in kept)
        seen = dict(chain(variables, listed))
    return tuple((text, value, position.value(value)) for text, value in seen.items())


def _told(
    position: Viewed, game: Game, values: Sequence[tuple[str, Expression, Any]], empty: int
) -> tuple[str, ...]:
    """Return the values as people read them: first what is in hands, then each by its caption.

    On the sites that are seen to be `empty` numbers are drawn.
    """
    seen = {value for _, value, _ in values}
    drawn = set(map(Get, numbers_drawn(game)))
    if drawn <= seen:
        values = [
            (text, of, _without(value, empty) if of in drawn else value)
            for text, of, value in values
        ]
    captions = game.looks.captions
    held = _held(position, game, (value for _, value, _ in values))
    apart = {Get(slot) for slot in held if slot.name not in captions}
    told = (_captioned(game, *value) for value in values if value[1] not in apart)
    return tuple(filter(None, (held_text(game, held_pieces(game, held)), *told)))


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
    sight: Sight | None,
    sites: int,
    kinds: int,
    occupied: Mapping[int, Pile],
) -> Scene:
    """Return the drawing of a position without what is not seen."""
    whole = position.scene()
    if sight is None:
        return _without_last(whole) if position.is_undecided else whole
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
    if game.looks.free:
        # What depends on the position may tell of what is hidden.
        whole = replace(whole, areas={}, signs={}, bonds=(), tracks=(), borders=(), bridges=())
    return replace(
        _without_last(whole),
        marks=marks,
        bases={},
        beside=tuple(hands_beside(game, _held(position, game, seen))),
        signs={**whole.signs, **dict.fromkeys(unseen, UNSEEN)},
        highlights={},
        tiles={},
    )


def _without_last(scene: Scene) -> Scene:
    """Return a drawing that tells nothing of the last move."""
    return replace(scene, last=frozenset(), changed=frozenset(), way=())
