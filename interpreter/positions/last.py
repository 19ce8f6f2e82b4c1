"""What the last move did to the board, as a drawing shows it.

In: the sites that a move names, the states before and after it. Out: a `LastMove`. What then holds:
`sites` are those named, `changed` those on which pieces or numbers changed besides; `way` is the
way of a piece that went from one of the sites to others, or empty.
"""

from __future__ import annotations

from gdl.board.relation import bits
from gdl.core.types import NUMBER
from gdl.data_classes import dataclass
from gdl.model import Game
from interpreter.evaluation.evaluator import State


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
