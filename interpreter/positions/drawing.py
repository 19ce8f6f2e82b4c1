"""The drawing of a position: what its game says of its looks, filled with what stands there.

In: a game and what is known of one position. Out: a `Scene`. What then holds: each piece, sign,
area, line, border and arrow that the rules and the file speak of is in it once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from gdl.board.relation import Relation, bits, site_set
from gdl.core.nodes import Const, Expression, Get, Let, Slot
from gdl.core.types import NUMBER, SITES
from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.positions.encoding import write_plain
from gdl.interpreter.render.arrangement import arranged
from gdl.interpreter.render.scene import Beside, Mark, Pair, Scene
from gdl.interpreter.render.tiles import corner_sides
from gdl.model import Game, Layer, Leading, Links, Looks, Steps

_MOST_BESIDE = 12
"""How many pieces are drawn beside the board one by one; more are one with a number."""


@dataclass(frozen=True)
class PositionDrawing:
    """A position as far as it is drawn.

    `values` are those of its slots, `value` works an expression out, `standing` has the layers of
    the pieces on each site, the lowest first, and `last` is what the last move did.
    """

    game: Game
    values: Mapping[Slot, Any]
    value: Callable[[Expression], Any]
    standing: Mapping[int, tuple[Layer | None, ...]]
    last: LastMove


def drawn_scene(
    drawing: PositionDrawing,
    highlights: Mapping[int, str] | None = None,
    looks: Looks | None = None,
) -> Scene:
    """Return what is to be drawn of a position; `highlights` are small texts by site index.

    The board has the `looks` that are given, or else those of the game.
    """
    game, looks = drawing.game, looks or drawing.game.looks
    counters = dict(_counters(drawing))
    bases = {index: mark for index, mark in counters.items() if mark.figure}
    marks = {**counters, **dict(_marks(drawing, bases))}
    fields = {site: shape for shape, sites in looks.fields for site in bits(sites)}
    triangles = site_set(site for site, shape in fields.items() if shape == "triangle")
    return Scene(
        board=arranged(game.board, looks.gaps, triangles),
        marks=marks,
        last=drawing.last.sites,
        changed=drawing.last.changed,
        way=drawing.last.way,
        sides=game.sides,
        style="points" if game.style == "points" else "cells",
        highlights=dict(highlights or {}),
        areas=_areas(drawing, looks),
        signs={i: text for text, sites in looks.signs for i in bits(drawing.value(sites))},
        bonds=tuple(_pairs(drawing, looks.lines)),
        tracks=tuple(_pairs(drawing, looks.arrows, is_directed=True)),
        borders=tuple(_pairs(drawing, looks.borders)),
        bridges=tuple(_pairs(drawing, looks.bridges, is_directed=True)),
        loops=tuple(_pairs(drawing, looks.loops)),
        fields=fields,
        places=tuple(dict.fromkeys(looks.places.values())),
        kinds=game.kinds,
        stock=stock(game),
        tiles=corner_sides(game.board, marks) if game.style == "arcs" else {},
        title=game.title,
        bases=bases,
        beside=tuple(_beside(drawing)),
        spare=_spare(game),
        has_areas=bool(looks.colours),
    )


def _areas(drawing: PositionDrawing, looks: Looks) -> dict[int, tuple[str, ...]]:
    areas: dict[int, tuple[str, ...]] = {}
    for name, sites in looks.colours:
        for index in bits(drawing.value(sites)):
            areas[index] = (*areas.get(index, ()), name)
    return areas


def _pairs(drawing: PositionDrawing, links: Links, *, is_directed: bool = False) -> Iterator[Pair]:
    """Yield the pairs of sites that relations join; where they have no direction, each once."""
    for name, link in links:
        seen: set[tuple[int, int]] = set()
        for a, b in link.pairs() if isinstance(link, Relation) else _led(drawing, link):
            if is_directed or (b, a) not in seen:
                seen.add((a, b))
                yield a, b, name


def _led(drawing: PositionDrawing, link: Leading) -> Iterator[tuple[int, int]]:
    for index in bits(drawing.value(link.sources)):
        led = drawing.value(Let(link.slot, Const(1 << index, SITES), link.image))
        yield from ((index, other) for other in bits(led))


def _marks(drawing: PositionDrawing, bases: Mapping[int, Mark]) -> Iterator[tuple[int, Mark]]:
    """Yield each site with the piece that is seen there, its number and what it stands upon."""
    game = drawing.game
    counted = next((slot for slot in numbers_drawn(game) if slot in game.marks), None)
    counts = None if counted is None else drawing.values[counted]
    flags = [(sign, drawing.values[slot]) for slot, sign in flags_drawn(game).items()]
    for index, pile in drawing.standing.items():
        top = pile[-1]
        if top is None:
            continue
        number = counts[index] or None if counts is not None else None
        if number is None and index in bases:
            number = bases[index].count
        if number is None and top.name in game.looks.numbers:
            number = game.looks.numbers[top.name][index]
        yield (
            index,
            replace(
                _mark(game, top),
                count=len(pile) if len(pile) > 1 else number,
                flag=next((sign for sign, sites in flags if sites >> index & 1), ""),
                under=tuple(None if part is None else _mark(game, part) for part in pile[:-1]),
            ),
        )


def stock(game: Game) -> tuple[Mark, ...]:
    """Return a piece of each kind and side that a game has, in the order of its layers."""
    return tuple(_mark(game, layer) for layer in game.layers)


def _mark(game: Game, layer: Layer) -> Mark:
    figures = game.looks.figures
    figure, letters = own = figures.get(layer.name, ("", ""))
    others = (other.name for other in game.layers if other.side == layer.side)
    if figure and not letters and [figures.get(name) for name in others].count(own) > 1:
        letters = layer.symbol.upper()
    kind = game.kinds[layer.kind]
    return Mark(layer.symbol, layer.side, kind, figure=figure, letters=letters)


def _counters(drawing: PositionDrawing) -> Iterator[tuple[int, Mark]]:
    """Yield what to draw where there are no pieces, but numbers on the sites."""
    game = drawing.game
    slot = next((slot for slot in numbers_drawn(game) if slot not in game.marks), None)
    if slot is None:
        return
    figure, letters = game.looks.figures.get(slot.name, ("", ""))
    for index, number in enumerate(drawing.values[slot]):
        if number:
            yield index, Mark("#", None, slot.name, number, figure=figure, letters=letters)


def numbers_drawn(game: Game) -> tuple[Slot, ...]:
    """Return the numbers per site that are drawn on the board, if the file doesn't hide them.

    They are the first that belong to pieces, and the first of the others.
    """
    piles = () if game.piles is None else game.piles.slots
    others = [slot for slot in game.program.state if slot not in (*game.marks, *piles)]
    found = []
    for slots in (game.marks, others):
        numbers = (slot for slot in slots if slot.per_site and slot.type == NUMBER)
        shown = (slot for slot in numbers if game.looks.captions.get(slot.name) != "")
        found += [slot for slot, _ in zip(shown, range(1), strict=False)]
    return tuple(found)


_USUAL_FLAG = "+"


def flags_drawn(game: Game) -> dict[Slot, str]:
    """Return the marks of pieces that are drawn with them, each with its sign.

    They are those that the file has a sign, a colour or a caption for; without one that is `+`.
    """
    looks, found = game.looks, dict[Slot, str]()
    coloured = {sites.slot for _, sites in looks.colours if isinstance(sites, Get)}
    for slot in game.marks:
        own = next((text for text, sites in looks.signs if sites == Get(slot)), "")
        is_told = slot in coloured or bool(looks.captions.get(slot.name))
        if slot.type == SITES and slot in game.program.state and (own or is_told):
            found[slot] = own or _USUAL_FLAG
    return found


def _spare(game: Game) -> int:
    """Return how many columns a text picture keeps for what may be written with a piece.

    That is a flag, and a number: a height, a number of the piece or of what it stands on.
    """
    written = [number for numbers in game.looks.numbers.values() for number in numbers]
    number = max((len(str(one)) for one in written), default=0)
    laid_out = any(shape == "triangle" for shape, _ in game.looks.fields)
    drawn = numbers_drawn(game)
    on_pieces = any(s in game.marks or s.name in game.looks.figures for s in drawn)
    if (game.piles is not None and not laid_out) or on_pieces:
        number = max(number, 1)
    return number + bool(flags_drawn(game))


def hands_beside(game: Game, values: Mapping[Slot, Any]) -> Iterator[Beside]:
    """Yield the pieces in each hand that is not empty, one by one if they are not too many."""
    pieces = {(layer.side, game.kinds[layer.kind]): _mark(game, layer) for layer in game.layers}
    for name, slots in game.hands.items():
        side = game.sides.index(name) if name in game.sides else None
        held = {kind: int(values.get(slot, 0)) for kind, slot in slots.items()}
        is_few = sum(held.values()) <= _MOST_BESIDE
        marks: list[Mark] = []
        for kind, number in held.items():
            others = (mark for (_, own), mark in pieces.items() if own == kind)
            mark = pieces.get((side, kind)) or next(others, Mark("#", side, kind))
            marks += [mark] * number if is_few else [replace(mark, count=number)] * bool(number)
        captions = [game.looks.captions.get(slot.name, "") for slot in slots.values()]
        told = captions[0] if len(captions) == 1 else ""
        number = sum(held.values())
        usual = "{}, off the board" if name in game.last_hands else "{} has in hand"
        text = told.replace("{}", str(number)) or usual.format(name.capitalize())
        if number:
            place = next((game.looks.places.get(slot.name, "") for slot in slots.values()), "")
            yield Beside(text, tuple(marks), place)


def _beside(drawing: PositionDrawing) -> Iterator[Beside]:
    """Yield what lies beside the board: what is in hands, the variables that have a figure."""
    game = drawing.game
    yield from hands_beside(game, drawing.values)
    for name, (figure, letters) in game.looks.figures.items():
        slot = game.state_slots.get(name)
        if slot is None or slot not in drawing.values or slot.per_site:
            continue
        if slot.type != NUMBER:
            yield from _lying(drawing, slot)
            continue
        number = int(drawing.values[slot])
        owner = next((n for n, side in enumerate(game.sides) if f"({side}" in name), None)
        mark = Mark("#", owner, name, figure=figure, letters=letters)
        is_apart = figure not in ("die", "seeds") and 0 <= number <= _MOST_BESIDE
        marks = (mark,) * number if is_apart else (replace(mark, count=number),)
        told = game.looks.captions.get(name, name).replace("{}", str(number))
        yield Beside(told, marks, game.looks.places.get(name, ""))


def _lying(drawing: PositionDrawing, slot: Slot) -> Iterator[Beside]:
    """Yield what a variable with a figure says that is no number: a kind, a side or a name."""
    game, value = drawing.game, drawing.values[slot]
    text = write_plain(game, slot.type, value)
    caption = game.looks.captions.get(slot.name, f"{slot.name} {{}}")
    if text == "none" or not caption:
        return
    figure, letters = game.looks.figures[slot.name]
    owner = game.sides.index(text) if text in game.sides else None
    steps = card_steps(game, slot, text)
    mark = Mark("#", owner, slot.name, figure=figure, letters=letters, steps=steps)
    if slot.type.name == "kind":
        mark = next((m for m in stock(game) if m.kind == text), mark)
    place = game.looks.places.get(slot.name, "")
    yield Beside(caption.replace("{}", text.replace("_", " ")), (mark,), place)


def card_steps(game: Game, slot: Slot, text: str) -> Steps:
    """Return the steps that a variable with a value shows as a card, as its owner sees them."""
    cards = game.looks.cards.get(slot.name, {})
    steps = cards.get(text) or (next(iter(cards.values())) if len(cards) == 1 else ())
    return turned(steps) if text in game.sides[1:2] else steps


def turned(steps: Steps) -> Steps:
    """Return steps as who sits on the other side of the board sees them."""
    return tuple((-across, -up) for across, up in steps)


# --------------------------------------- what the last move did to the board, as a drawing shows it


@dataclass(frozen=True)
class LastMove:
    """The sites of a move, by index."""

    sites: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    way: tuple[int, ...] = ()


NO_MOVE = LastMove()
"""There was no move yet, or none is known."""


def last_move(game: Game, named: tuple[int, ...], before: State, after: State) -> LastMove:
    """Return what a move that names these sites, in their order, did to the board."""
    sites = frozenset(named)
    changed = _changed(game, before, after) - sites
    return LastMove(sites, changed, _way(game, named, before, after))


def _changed(game: Game, before: State, after: State) -> frozenset[int]:
    """Return the sites on which pieces or numbers are others than before."""
    drawn = {layer.slot for layer in game.layers}
    hidden = {
        slot for name, slot in game.state_slots.items() if game.looks.captions.get(name) == ""
    }
    if game.piles is not None:
        hidden |= set(game.piles.slots)
    found: set[int] = set()
    for slot, old, new in zip(game.program.state, before.values, after.values, strict=True):
        if slot in drawn:
            found.update(bits(old ^ new))
        elif slot.per_site and slot.type == NUMBER and slot not in hidden:
            found.update(i for i, pair in enumerate(zip(old, new, strict=True)) if len({*pair}) > 1)
    return frozenset(found)


def _way(game: Game, named: tuple[int, ...], before: State, after: State) -> tuple[int, ...]:
    """Return the sites that one piece passed: from where it left to the last where it came to."""
    if len(named) < 2:
        return ()
    sides = len(game.sides)
    old, new = [0] * (sides + 1), [0] * (sides + 1)
    places = {slot: place for place, slot in enumerate(game.program.state)}
    for layer in game.layers:
        place = places[layer.slot]
        side = sides if layer.side is None else layer.side
        old[side] |= before.values[place]
        new[side] |= after.values[place]
    for side in range(sides + 1):
        left, come = old[side] & ~new[side], new[side] & ~old[side]
        for first, start in enumerate(named):
            if left >> start & 1:
                ends = [n for n in range(first + 1, len(named)) if come >> named[n] & 1]
                if ends:
                    return named[first : ends[-1] + 1]
    return ()


# --------------------------------------------------------------- the pieces off the board, as words

Held = Mapping[str, Mapping[str, int]]
"""Pieces by side (or `neutral`) and kind."""


def held_pieces(game: Game, values: Mapping[Slot, Any]) -> dict[str, dict[str, int]]:
    """Return how many pieces are off the board, by side (or `neutral`) and kind, but no 0."""
    return {
        side: {kind: values[slot] for kind, slot in slots.items() if values.get(slot, 0)}
        for side, slots in game.hands.items()
    }


def held_text(game: Game, held: Held) -> str:
    """Return the pieces off the board by side and kind; what has a caption is left to it."""
    kinds = dict.fromkeys(kind for slots in game.hands.values() for kind in slots)
    told: dict[str, list[str]] = {"In hand": [], "Off the board": []}
    for side, slots in game.hands.items():
        left = {k: n for k, n in held[side].items() if slots[k].name not in game.looks.captions}
        if left:
            numbers = (f"{kind} {n}" if len(kinds) > 1 else str(n) for kind, n in left.items())
            where = "Off the board" if side in game.last_hands else "In hand"
            told[where].append(f"{side} {', '.join(numbers)}")
    return ". ".join(f"{where}: {'; '.join(of)}" for where, of in told.items() if of)
