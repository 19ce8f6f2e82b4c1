"""The code that counts how random games end.

In: positions in which games have ended. Out: a tally. What then holds: while many games are
played, the counts are variables of the function that plays; they are added to the tally in
memory when it is done.
"""

from __future__ import annotations

from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I1, I32, I64, NULL, Address, Integer, Type, Word
from interpreter.native.expressions.places import Place
from interpreter.native.turns.shared_code import SharedCode

TALLY = ("playouts", "moves", "shortest", "longest", "draws", "unfinished")
"""What a tally holds, an i64 each; then the games won by each side, and by each seat, and, where
the rules have payoffs, a double for each side: the sum of them, over their unit."""

_MOST_SIDES = 4
_DOUBLE: Type[Integer] = Type("double")
_EXTREMES = {"shortest": ("slt", (1 << 63) - 1), "longest": ("sgt", 0)}


class TallyCode:
    """Writes the counting of one function: `begin` it, `count` games, and `write_back`.

    Where each side always has the same seat, a game is counted by its winners alone.
    """

    def __init__(self, shared: SharedCode, f: Function, tally: Address) -> None:
        self._shared = shared
        self._layout = shared.layout
        self._f = f
        self._tally = tally
        self._by_winners = not shared.program.system.seats and shared.sides <= _MOST_SIDES
        self._sums = {name: f.variable(I64) for name in ("playouts", "moves")}
        self._extremes = {name: f.variable(I64) for name in _EXTREMES}
        self._paid = [f.variable(_DOUBLE) for _ in self._layout.payoffs]
        self._ends = f.room(f"[{(1 << shared.sides) + 1} x i64]") if self._by_winners else NULL

    def begin(self) -> None:
        """Write that nothing is counted yet."""
        f = self._f
        for variable in self._sums.values():
            f.put(I64, 0, variable)
        for name, (_, first) in _EXTREMES.items():
            f.put(I64, first, self._extremes[name])
        for variable in self._paid:
            f.put(_DOUBLE, Integer("0.0"), variable)
        if self._by_winners:
            for winners in range((1 << self._shared.sides) + 1):
                f.put(I64, 0, f.at(self._ends, 8 * winners))

    def count(self, position: Address, moves: Word) -> None:
        """Write that a game of so many moves (i64) is counted."""
        f = self._f
        f.add(I64, 1, self._sums["playouts"])
        f.add(I64, moves, self._sums["moves"])
        for name, (test, _) in _EXTREMES.items():
            self._take_extreme(self._extremes[name], moves, test)
        self._count_payoffs(position)
        if self._by_winners:
            f.add(I64, 1, self._end_of(position))
        else:
            self._count_end(position)

    def _count_payoffs(self, position: Address) -> None:
        """Write that what a game is worth is added; one that is not over is worth nothing."""
        f = self._f
        for field, variable in zip(self._layout.payoffs, self._paid, strict=True):
            self._add_double(variable, f.convert("sitofp", I64, field.get(f, position), _DOUBLE))

    def _end_of(self, position: Address) -> Address:
        """Return the address of the number of games that end so: by winners, or unfinished."""
        f = self._f
        ended = self._layout.ended.get(f, position)
        winners = self._layout.winners.get(f, position)
        number = f.select(f.compare("eq", I32, ended, 0), I32, 1 << self._shared.sides, winners)
        return f.at(self._ends, f.binary("shl", I64, f.convert("zext", I32, number, I64), 3))

    def write_back(self) -> None:
        """Write that all counts are added to the tally."""
        f = self._f
        for name, variable in self._sums.items():
            address = self._address(name)
            f.add(I64, f.get(I64, variable), address)
        for name, (test, _) in _EXTREMES.items():
            self._take_extreme(self._address(name), f.get(I64, self._extremes[name]), test)
        for side, variable in enumerate(self._paid):
            address = f.at(self._won_by_side(2 * self._shared.sides), 8 * side)
            self._add_double(address, f.get(_DOUBLE, variable))
        if self._by_winners:
            self._write_back_ends()

    def _write_back_ends(self) -> None:
        f, sides = self._f, self._shared.sides
        for winners in range((1 << sides) + 1):
            games = f.get(I64, f.at(self._ends, 8 * winners))
            if winners == 1 << sides:
                f.add(I64, games, self._address("unfinished"))
            elif winners == 0:
                f.add(I64, games, self._address("draws"))
            for side in range(sides):
                if winners >> side & 1 and winners < 1 << sides:
                    f.add(I64, games, self._won_by_side(side))
                    f.add(I64, games, f.at(self._won_by_side(sides), 8 * side))

    def _address(self, name: str) -> Address:
        return self._f.at(self._tally, 8 * TALLY.index(name))

    def _won_by_side(self, side: int) -> Address:
        return self._f.at(self._tally, 8 * (len(TALLY) + side))

    def _add_double(self, where: Address, register: Integer) -> None:
        f = self._f
        f.put(_DOUBLE, f.binary("fadd", _DOUBLE, f.get(_DOUBLE, where), register), where)

    def _take_extreme(self, where: Address, register: Word, test: str) -> None:
        f = self._f
        known = f.get(I64, where)
        f.put(I64, f.select(f.compare(test, I64, register, known), I64, register, known), where)

    def _count_end(self, position: Address) -> None:
        """Count the end of a game in which a side may have any seat."""
        f, sides = self._f, self._shared.sides
        ended = self._layout.ended.get(f, position)
        winners = self._layout.winners.get(f, position)
        is_open = f.compare("eq", I32, ended, 0)
        unfinished = self._address("unfinished")
        f.add(I64, f.convert("zext", I1, is_open, I64), unfinished)
        drawn = f.binary("and", I1, f.compare("eq", I32, winners, 0), f.is_not(is_open))
        draws = self._address("draws")
        f.add(I64, f.convert("zext", I1, drawn, I64), draws)
        place = Place(f, position)
        for side in range(sides):
            bit = f.binary("and", I32, f.binary("lshr", I32, winners, side), 1)
            won = f.convert("zext", I32, f.select(is_open, I32, 0, bit), I64)
            f.add(I64, won, self._won_by_side(side))
            offset = f.binary("mul", I64, self._shared.seat(place, side), 8)
            f.add(I64, won, f.at(self._won_by_side(sides), offset))
