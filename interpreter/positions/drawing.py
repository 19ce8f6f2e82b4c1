"""The drawing of a position: what its game says of its looks, filled with what stands there.

In: a game and what is known of one position. Out: a `Scene`. What then holds: each piece, sign,
area, line, border and arrow that the rules and the file speak of is in it once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from gdl.board.relation import Relation, bits
from gdl.core.nodes import Const, Expression, Let, Slot
from gdl.core.types import NUMBER, SITES
from gdl.data_classes import dataclass
from gdl.model import Game, Layer, Leading, Links
from interpreter.positions.encoding import write_plain
from interpreter.positions.last import LastMove
from interpreter.render.scene import Beside, Mark, Pair, Scene
from interpreter.render.tiles import corner_sides

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


def drawn_scene(drawing: PositionDrawing, highlights: Mapping[int, str] | None = None) -> Scene:
    """Return what is to be drawn of a position; `highlights` are small texts by site index."""
    game, looks = drawing.game, drawing.game.looks
    counters = dict(_counters(drawing))
    bases = {index: mark for index, mark in counters.items() if mark.figure}
    marks = {**counters, **dict(_marks(drawing, bases))}
    return Scene(
        board=game.board,
        marks=marks,
        last=drawing.last.sites,
        changed=drawing.last.changed,
        way=drawing.last.way,
        sides=game.sides,
        style="points" if game.style == "points" else "cells",
        highlights=dict(highlights or {}),
        areas=_areas(drawing),
        signs={i: text for text, sites in looks.signs for i in bits(drawing.value(sites))},
        bonds=tuple(_pairs(drawing, looks.lines)),
        tracks=tuple(_pairs(drawing, looks.arrows, is_directed=True)),
        borders=tuple(_pairs(drawing, looks.borders)),
        kinds=game.kinds,
        stock=stock(game),
        tiles=corner_sides(game.board, marks) if game.style == "arcs" else {},
        title=game.title,
        bases=bases,
        beside=tuple(_beside(drawing)),
    )


def _areas(drawing: PositionDrawing) -> dict[int, tuple[str, ...]]:
    areas: dict[int, tuple[str, ...]] = {}
    for name, sites in drawing.game.looks.colours:
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
    for index, pile in drawing.standing.items():
        top = pile[-1]
        if top is None:
            continue
        number = counts[index] or None if counts is not None else None
        if number is None and index in bases:
            number = bases[index].count
        yield (
            index,
            replace(
                _mark(game, top),
                count=len(pile) if len(pile) > 1 else number,
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
            yield Beside(text, tuple(marks))


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
        yield Beside(game.looks.captions.get(name, name).replace("{}", str(number)), marks)


def _lying(drawing: PositionDrawing, slot: Slot) -> Iterator[Beside]:
    """Yield what a variable with a figure says that is no number: a kind, a side or a name."""
    game, value = drawing.game, drawing.values[slot]
    text = write_plain(game, slot.type, value)
    caption = game.looks.captions.get(slot.name, f"{slot.name} {{}}")
    if text == "none" or not caption:
        return
    figure, letters = game.looks.figures[slot.name]
    owner = game.sides.index(text) if text in game.sides else None
    mark = Mark("#", owner, slot.name, figure=figure, letters=letters)
    if slot.type.name == "kind":
        mark = next((m for m in stock(game) if m.kind == text), mark)
    yield Beside(caption.replace("{}", text.replace("_", " ")), (mark,))
