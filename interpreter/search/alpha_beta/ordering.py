"""In which order moves are tried: what was good before, and what looks good, comes first.

In: the positions after the moves of one. Out: the next to try. What then holds: the order depends
on nothing but what the same search has met.

The best move of an earlier search comes first, then moves that end the game well, then what looks
best at first sight, where moves count as better that have often refuted others: wherever that was
(J. Schaeffer, "The history heuristic and alpha-beta search enhancements in practice", 1989), or as
deep as here ("killers": S. Akl and M. Newborn, "The principal continuation and the killer
heuristic", 1977).
"""

from __future__ import annotations

from gdl.interpreter.search.alpha_beta.arena import DRAWN, HISTORY_BITS, MOST_PLIES, OPEN, WON, Walk
from gdl.interpreter.search.machine.instructions import native, shifted

_TRIED = -(1 << 60)
_REMEMBERED, _ENDS_WELL = 1 << 40, 1 << 39
_KILLER = 1200
"""How much better a killer is, in units of a judge; what history says is no more than this much."""
MOST_HISTORY = 1500
_MOST_SORTED = 48
"""After so many moves, the others are tried as they come."""


@native
def fade(walk: Walk, part: int) -> int:
    """Leave of what history says one part in so many, none for 0; forget the killers. Return 0."""
    for n in range(2 << HISTORY_BITS):
        value = walk.history[n]
        kept = 0
        if part > 0:
            kept = value // part if value > 0 else 0 - (0 - value) // part
        walk.history[n] = kept
    for n in range(2 * MOST_PLIES):
        walk.killers[n] = 0
    return 0


@native
def _cell(walk: Walk, record: int, seat: int) -> int:
    """Return where history has the move that led to a record."""
    name = walk.words[record * walk.size + walk.name_at]
    return (seat << HISTORY_BITS) + shifted(name, 64 - HISTORY_BITS)


@native
def put_in_order(walk: Walk, ply: int, seat: int, count: int, remembered: int) -> None:
    """Say how soon each of the moves after a ply is to be tried; `remembered` is one or none."""
    begin = walk.begins[ply]
    for record in range(begin, begin + count):
        name = walk.words[record * walk.size + walk.name_at]
        priority = walk.values[record] if seat == 0 else 0 - walk.values[record]
        priority += walk.history[_cell(walk, record, seat)]
        if name == walk.killers[2 * ply] or name == walk.killers[2 * ply + 1]:
            priority += _KILLER
        result = walk.results[record]
        if result != OPEN and result != DRAWN:
            priority = _ENDS_WELL if (result == WON) == (seat == 0) else 0 - _ENDS_WELL
        if record - begin == remembered:
            priority = _REMEMBERED
        walk.priorities[record] = priority


@native
def next_record(walk: Walk, ply: int, count: int, tried: int) -> int:
    """Return the record that is to be tried next, of those that were not."""
    begin = walk.begins[ply]
    best, priority = -1, _TRIED
    for record in range(begin, begin + count):
        if walk.priorities[record] > priority:
            best = record
            priority = walk.priorities[record]
            if tried >= _MOST_SORTED:
                break
    walk.priorities[best] = _TRIED
    return best


@native
def praise(walk: Walk, ply: int, record: int, seat: int, depth: int) -> None:
    """Note that a move has refuted what led here, and that those tried before it have not."""
    name = walk.words[record * walk.size + walk.name_at]
    if walk.killers[2 * ply] != name:
        walk.killers[2 * ply + 1] = walk.killers[2 * ply]
        walk.killers[2 * ply] = name
    _credit(walk, record, seat, depth * depth)


@native
def blame(walk: Walk, ply: int, count: int, record: int, seat: int, depth: int) -> None:
    """Note that other moves were tried before the one that was good."""
    begin = walk.begins[ply]
    for other in range(begin, begin + count):
        if other != record and walk.priorities[other] == _TRIED:
            _credit(walk, other, seat, 0 - depth * depth)


@native
def _credit(walk: Walk, record: int, seat: int, gain: int) -> None:
    cell = _cell(walk, record, seat)
    before = walk.history[cell]
    much = min(MOST_HISTORY, gain if gain > 0 else 0 - gain)
    step = min(MOST_HISTORY, max(0 - MOST_HISTORY, 8 * gain))
    walk.history[cell] = before + step - before * much // MOST_HISTORY
