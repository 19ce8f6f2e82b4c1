"""What a thread that solves works with, and how it goes from a position to those after it.

In: a position. Out: how the game has ended there, the number of its moves, and the position after
each. What then holds: as in a search, all of it is compiled; nothing is approximated.
"""

from __future__ import annotations

from gdl.interpreter.native.memory import world as w
from gdl.interpreter.search.machine.instructions import (
    Bytes,
    Record,
    Shorts,
    Words,
    address,
    call,
    copy,
    native,
)
from gdl.interpreter.search.memory.positions import (
    Desk,
    Fields,
    GameFunctions,
    field_value,
    prepare,
    seat_of,
)

FAILED, OVER, PASS = -3, -2, -1
"""In place of a number of moves: a call failed; the game is over; the side can but pass."""
LOST, DRAWN, WON = 0, 1, 2
"""What a game is worth for the first seat."""
ERROR = w.ERROR // 8
WORD_BYTES = 8


class Bench(Record):
    """Positions that a thread has in front of it, beside that of its `Desk`.

    A position takes so many `words`, and the game has so many `seats`. Moves are made from `here`.
    `least` is the one that stands for a position and all its images, `image` one of them, as words
    and as bytes. There are so many `images` besides the position itself: `targets` says for each
    of them where each of the `size` sites goes, `tables` where the bits of each byte of a set of
    `set_bytes` go. The sets of a position begin at `sets`, of which there are `number_of_sets`;
    numbers, one a site, at `numbers`, each as large as `number_sizes` says. `found` has whatever
    a function gives besides its result, `children` the numbers of those after a position.
    """

    words: int
    seats: int
    size: int
    images: int
    set_bytes: int
    number_of_sets: int
    number_of_numbers: int
    sets: Words
    numbers: Words
    number_sizes: Words
    targets: Words
    tables: Bytes
    here: Words
    least: Words
    image: Words
    image_bytes: Bytes
    source_bytes: Bytes
    found: Words
    children: Shorts


@native
def outcome(desk: Desk, fields: Fields, bench: Bench) -> int:
    """Return what the game that is over in front of a thread is worth for the first seat."""
    winners = field_value(desk, fields.winners, 4)
    everyone = (1 << bench.seats) - 1
    if winners == 0 or (winners == everyone and bench.seats > 1):
        return DRAWN
    for side in range(bench.seats):
        if winners >> side & 1 != 0 and seat_of(desk, fields, side) == 0:
            return WON
    return LOST


@native
def is_over(desk: Desk, fields: Fields) -> bool:
    """Return whether an ending has been found in the position in front of a thread."""
    return field_value(desk, fields.ended, 4) != 0


@native
def keep_here(desk: Desk, bench: Bench) -> None:
    """Take the position in front of a thread as the one that moves are made from."""
    copy(address(bench.here), address(desk.position), bench.words * WORD_BYTES)


@native
def number_of_moves(desk: Desk, code: GameFunctions, fields: Fields) -> int:
    """Return how many moves there are in front of a thread, or PASS, OVER or FAILED.

    Where there is none, the position tells then how the game has ended.
    """
    if is_over(desk, fields):
        return OVER
    prepare(desk, code)
    position, world = address(desk.position), address(desk.world)
    moves = call(code.count, position, world)
    if moves == 0 and desk.world[ERROR] == 0:
        clause = call(code.stuck, position, world) & 0xFFFFFFFF
        moves = PASS if clause == 0xFFFFFFFF else OVER
    if desk.world[ERROR] != 0:
        return FAILED
    return moves


@native
def made(number: int, desk: Desk, code: GameFunctions, bench: Bench) -> bool:
    """Make the move with a number, or PASS, from `here`; return whether that went well."""
    copy(address(desk.position), address(bench.here), bench.words * WORD_BYTES)
    prepare(desk, code)
    position, world = address(desk.position), address(desk.world)
    if number == PASS:
        call(code.pass_on, position, world)
        return desk.world[ERROR] == 0
    is_made = call(code.pick, position, world, number)
    return is_made != 0 and desk.world[ERROR] == 0
