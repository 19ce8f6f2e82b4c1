"""The code that writes down what each of many random games came to.

In: the position in which a game has ended. Out: a row of numbers in memory. What then holds: a game
has the same row whether it was played alone or among others.
"""

from __future__ import annotations

from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I32, I64, Address, Word
from interpreter.native.expressions.places import Place
from interpreter.native.memory.frame import FrameLayout
from interpreter.native.turns.shared_code import SharedCode

MOVES, SIDES, SEATS, PAYOFFS = range(4)
"""What a row holds, an i64 each: the number of moves; then a bit for each side, and for each seat,
that has won, or UNFINISHED; where the rules have payoffs, that of each side, over its unit."""
UNFINISHED = -1


def row_words(layout: FrameLayout) -> int:
    """Return how many numbers a row has."""
    return PAYOFFS + len(layout.payoffs)


def write_row(
    shared: SharedCode, f: Function, position: Address, moves: Word, row: Address
) -> None:
    """Write that a game of so many moves (i64), which ends in a position, is put into a row."""
    layout = shared.layout
    is_open = f.compare("eq", I32, layout.ended.get(f, position), 0)
    winners = f.convert("zext", I32, layout.winners.get(f, position), I64)
    sides, seats = (
        f.select(is_open, I64, UNFINISHED, bits)
        for bits in (winners, _by_seat(shared, f, position, winners))
    )
    for place, number in ((MOVES, moves), (SIDES, sides), (SEATS, seats)):
        f.put(I64, number, f.at(row, 8 * place))
    for place, field in enumerate(layout.payoffs, PAYOFFS):
        f.put(I64, field.get(f, position), f.at(row, 8 * place))


def _by_seat(shared: SharedCode, f: Function, position: Address, winners: Word) -> Word:
    """Return the seats (a bit each, i64) of the sides that have won."""
    if not shared.program.system.seats:
        return winners
    place, found = Place(f, position), Word("0")
    for side in range(shared.sides):
        bit = f.binary("and", I64, f.binary("lshr", I64, winners, side), 1)
        found = f.binary("or", I64, found, f.binary("shl", I64, bit, shared.seat(place, side)))
    return found
