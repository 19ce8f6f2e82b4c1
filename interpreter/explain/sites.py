"""What stands on a site, since when, and what put it there.

In: the positions of a game, from the first, and the moves between them. Out: an `Explanation`.
What then holds: the move that is named is the last after which something else stands there.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.evaluation.moves import Move
from interpreter.explain.explanation import Explanation, Ruling
from interpreter.explain.legal import legal
from interpreter.explain.witness import Witness
from interpreter.positions.position import Position


def why_site(positions: Sequence[Position], moves: Sequence[Move], site: int) -> Explanation:
    """Return what stands on a site, by index, since which move, and what was there before."""
    standing = [_standing(position, site) for position in positions]
    now, name = positions[-1], now_name(positions[-1], site)
    changed = [n for n in range(1, len(standing)) if standing[n] != standing[n - 1]]
    rulings = [_change(positions, moves, number, site) for number in reversed(changed)]
    since = "the beginning" if not changed else f"move {changed[-1]}, `{moves[changed[-1] - 1]}`"
    sentence = f"{name}: {standing[-1]}, since {since}."
    return Explanation("site", sentence, now, tuple(rulings), drawn=Witness(1 << site))


def now_name(position: Position, site: int) -> str:
    """Return the name of a site."""
    return position.rules.game.board.sites[site].name


def _standing(position: Position, site: int) -> str:
    """Return what is on a site: the piece, and the numbers and marks that the site has."""
    game, values, places = position.rules.game, position.state.values, position.rules.places
    told = [layer.name for layer in game.layers if values[places[layer.slot]] >> site & 1] or [
        "no piece"
    ]
    for name, slot in game.state_slots.items():
        if slot.per_site and slot in places and values[places[slot]][site]:
            told.append(f"{name} {values[places[slot]][site]}")
    return ", ".join(told)


def _change(positions: Sequence[Position], moves: Sequence[Move], number: int, site: int) -> Ruling:
    """Return what a move has done to a site, by the statement that did it."""
    before, move = positions[number - 1], moves[number - 1]
    after = _standing(positions[number], site)
    sentence = f"move {number}, `{move}` of {before.decider}: {after}"
    for ruling in legal(before, move).rulings:
        if ruling.changes and ruling.witness.sites >> site & 1:
            return Ruling(sentence, ruling.span, ruling.text, changes=ruling.changes)
    return Ruling(sentence)
