"""Positions that look to a side much like what it sees now, whatever came before.

In: a position that may have come about, and what the side sees now. Out: that position with its
pieces and values set to what is seen. What then holds: all pieces and variables that the side sees
are there, and nothing that is hidden was looked at. Sites of which it sees nothing may be others
than in the real position: what it sees may depend on what it does not.

Pieces that are not seen stay as far as they can. Where the side sees a piece of which it does not
know the kind, one that is left over stands there; the rest stands where the side sees nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from gdl.core.nodes import Get, Slot
from gdl.model import Game, Layer
from interpreter.evaluation.evaluator import RuleError
from interpreter.positions.encoding import read_plain
from interpreter.positions.position import Position
from interpreter.positions.view import ALL_SIDES, OF_NOBODY, View

Piece = tuple[int, Layer]
"""A site, by its index, and what stands there."""


def similar_position(position: Position, view: View, chance: random.Random) -> Position | None:
    """Return a position with all that the side sees, in which it can go on, or None.

    There is none of games with piles.
    """
    rules, game = position.rules, position.rules.game
    if game.piles is not None:
        return None
    values = list(position.state.values)
    for layer in game.layers:
        values[rules.places[layer.slot]] = 0
    for index, layer in _arranged(game, list(position.occupied()), view, chance):
        values[rules.places[layer.slot]] |= 1 << index
    phases = [phase.name for phase in game.program.phases]
    system = game.program.system
    on_turn = (
        (system.mover, rules.sides.index(view.mover)),
        (system.phase, phases.index(view.phase)),
    )
    for slot, value in (*on_turn, *_seen_values(game, view)):
        if slot in rules.places:
            values[rules.places[slot]] = value
    try:
        found = Position(rules, rules.evaluator.settle(values))
        return found if found.moves() else None
    except RuleError:
        return None


def _arranged(
    game: Game, standing: Sequence[Piece], view: View, chance: random.Random
) -> Iterator[Piece]:
    """Yield the pieces as a side sees them, and the others where they may stand."""
    indices = {site.name: index for index, site in enumerate(game.board.sites)}
    layers = {layer.name: layer for layer in game.layers}
    seen = {indices[name]: what for name, what in view.pieces}
    left = list(standing)
    for index, what in seen.items():
        if what in layers:
            _taken(left, index, [piece for piece in left if piece[1].name == what], chance)
            yield index, layers[what]
    for index, what in seen.items():
        if what not in layers:
            sides = [layer for layer in game.layers if _side_name(game, layer) == what]
            fitting = [piece for piece in left if piece[1] in sides]
            yield index, _taken(left, index, fitting, chance) or chance.choice(sides)
    free = {indices[name] for name in view.unseen}
    hidden = [piece for piece in left if _side_name(game, piece[1]) != view.side]
    chance.shuffle(hidden)
    for index, layer in sorted(hidden, key=lambda piece: piece[0] not in free):
        if free:
            place = index if index in free else chance.choice(sorted(free))
            free.discard(place)
            yield place, layer


def _taken(
    left: list[Piece], index: int, fitting: Sequence[Piece], chance: random.Random
) -> Layer | None:
    """Take one of the pieces that fit away from those left: the one that stands there, or any."""
    if not fitting:
        return None
    here = next((piece for piece in fitting if piece[0] == index), None)
    taken = here or chance.choice(fitting)
    left.remove(taken)
    return taken[1]


def _side_name(game: Game, layer: Layer) -> str:
    return OF_NOBODY if layer.side is None else game.sides[layer.side]


def _variables(game: Game, side: str) -> Iterator[tuple[str, Slot]]:
    """Yield the variables that a side may see, each with the text that asks for it."""
    sight = game.sight(None if side == ALL_SIDES else game.sides.index(side))
    if sight is None:
        yield from game.state_slots.items()
        return
    for text, value in sight.values:
        if isinstance(value, Get):
            yield text, value.slot


def _seen_values(game: Game, view: View) -> Iterator[tuple[Slot, Any]]:
    """Yield the variables that a side sees, with their values."""
    shown = dict(view.values)
    for text, slot in _variables(game, view.side):
        told = shown.get(text, "")
        words = told.split() if slot.per_site else [told]
        read = tuple(read_plain(game, slot.type, word) for word in words)
        if None not in read:
            yield slot, read if slot.per_site else read[0]
