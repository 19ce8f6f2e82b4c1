"""The code that writes down what random games came to: a row for each, and a tally of many.

In: positions in which games have ended. Out: numbers in memory. What then holds: a game has the
same row whether it was played alone or among others; while many are played, the counts are
variables of the function that plays, and they are added to the tally when it is done.
"""

from __future__ import annotations

from gdl.interpreter.native.emit.ir import Function
from gdl.interpreter.native.emit.kinds import DOUBLE, I1, I32, I64, Address, Fraction, Word
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory.frame import FrameLayout
from gdl.interpreter.native.turns.shared_code import SharedCode

MOVES, SIDES, SEATS, PAYOFFS = range(4)
"""What a row holds, an i64 each: the number of moves; then a bit for each side, and for each seat,
that has won, or UNFINISHED; where the rules have payoffs, that of each side, over its unit."""
UNFINISHED = -1
TALLY = ("playouts", "moves", "shortest", "longest", "draws", "unfinished")
"""What a tally holds, an i64 each; then the games won by each side, and by each seat, and, where
the rules have payoffs, a double for each side: the sum of them, over their unit."""

_COUNTS = {
    "playouts": ("add", 0),
    "moves": ("add", 0),
    "shortest": ("slt", (1 << 63) - 1),
    "longest": ("sgt", 0),
}
"""How a game comes to each count: it is added, or passes a test of LLVM's; and what comes first."""
_MOST_SIDES = 4


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
    by_seat = winners
    if shared.program.system.seats:
        p, by_seat = Place(f, position), Word("0")
        for side in range(shared.sides):
            bit = f.binary("and", I64, f.binary("lshr", I64, winners, side), 1)
            seat = f.binary("shl", I64, bit, shared.seat(p, side))
            by_seat = f.binary("or", I64, by_seat, seat)
    won = (f.select(is_open, I64, UNFINISHED, bits) for bits in (winners, by_seat))
    for place, number in enumerate((moves, *won)):
        f.put(I64, number, f.at(row, 8 * place))
    for place, field in enumerate(layout.payoffs, PAYOFFS):
        f.put(I64, field.get(f, position), f.at(row, 8 * place))


class TallyCode:
    """Writes the counting of one function, from nothing: `count` games, and `write_back`.

    Where each side always has the same seat, a game is counted by its winners alone.
    """

    def __init__(self, shared: SharedCode, f: Function, tally: Address) -> None:
        self._shared = shared
        self._layout = shared.layout
        self._f = f
        self._tally = tally
        self._counts = {name: f.variable(I64, first) for name, (_, first) in _COUNTS.items()}
        self._paid = [f.variable(DOUBLE, Fraction("0.0")) for _ in shared.layout.payoffs]
        self._by_winners = not shared.program.system.seats and shared.sides <= _MOST_SIDES
        if self._by_winners:
            ends = (1 << shared.sides) + 1
            self._ends = f.room(f"[{ends} x i64]")
            for winners in range(ends):
                f.put(I64, 0, f.at(self._ends, 8 * winners))

    def count(self, position: Address, moves: Word) -> None:
        """Write that a game of so many moves (i64) is counted; one not over is worth nothing."""
        f = self._f
        for name, variable in self._counts.items():
            self._take(name, variable, Word("1") if name == "playouts" else moves)
        for field, variable in zip(self._layout.payoffs, self._paid, strict=True):
            self._pay(variable, f.convert("sitofp", I64, field.get(f, position), DOUBLE))
        ended = self._layout.ended.get(f, position)
        winners = self._layout.winners.get(f, position)
        is_open = f.compare("eq", I32, ended, 0)
        if self._by_winners:
            end = f.select(is_open, I32, 1 << self._shared.sides, winners)
            offset = f.binary("shl", I64, f.convert("zext", I32, end, I64), 3)
            f.add(I64, 1, f.at(self._ends, offset))
            return
        unfinished = self._address("unfinished")
        f.add(I64, f.convert("zext", I1, is_open, I64), unfinished)
        drawn = f.binary("and", I1, f.compare("eq", I32, winners, 0), f.is_not(is_open))
        draws = self._address("draws")
        f.add(I64, f.convert("zext", I1, drawn, I64), draws)
        place = Place(f, position)
        for side in range(self._shared.sides):
            bit = f.binary("and", I32, f.binary("lshr", I32, winners, side), 1)
            won = f.convert("zext", I32, f.select(is_open, I32, 0, bit), I64)
            f.add(I64, won, self._further(side))
            offset = f.binary("mul", I64, self._shared.seat(place, side), 8)
            f.add(I64, won, f.at(self._further(self._shared.sides), offset))

    def write_back(self) -> None:
        """Write that all counts are added to the tally."""
        f, sides = self._f, self._shared.sides
        for name, variable in self._counts.items():
            self._take(name, self._address(name), f.get(I64, variable))
        for side, variable in enumerate(self._paid):
            address = f.at(self._further(2 * sides), 8 * side)
            self._pay(address, f.get(DOUBLE, variable))
        if not self._by_winners:
            return
        for winners in range(1 << sides):
            games = f.get(I64, f.at(self._ends, 8 * winners))
            if winners == 0:
                f.add(I64, games, self._address("draws"))
            for side in range(sides):
                if winners >> side & 1:
                    f.add(I64, games, self._further(side))
                    f.add(I64, games, f.at(self._further(sides), 8 * side))
        games = f.get(I64, f.at(self._ends, 8 << sides))
        f.add(I64, games, self._address("unfinished"))

    def _address(self, name: str) -> Address:
        return self._f.at(self._tally, 8 * TALLY.index(name))

    def _further(self, place: int) -> Address:
        """Return the address of what stands at a place behind what has a name."""
        return self._f.at(self._tally, 8 * (len(TALLY) + place))

    def _take(self, name: str, where: Address, number: Word) -> None:
        """Write that a number comes to a count, which is kept at an address."""
        f, (how, _) = self._f, _COUNTS[name]
        if how == "add":
            f.add(I64, number, where)
        else:
            known = f.get(I64, where)
            f.put(I64, f.select(f.compare(how, I64, number, known), I64, number, known), where)

    def _pay(self, where: Address, worth: Fraction) -> None:
        f = self._f
        f.put(DOUBLE, f.binary("fadd", DOUBLE, f.get(DOUBLE, where), worth), where)
