"""The code that counts how random games end.

In: positions in which games have ended. Out: a tally. What then holds: while many games are
played, the counts are variables of the function that plays; they are added to the tally in
memory when it is done.
"""

from __future__ import annotations

from interpreter.native.emit.ir import Function
from interpreter.native.expressions.places import Place
from interpreter.native.turns.shared_code import SharedCode

TALLY = ("playouts", "moves", "shortest", "longest", "draws", "unfinished")
"""What a tally holds, an i64 each; then the games won by each side, and by each seat, and, where
the rules have payoffs, a double for each side: the sum of them, over their unit."""

_MOST_SIDES = 4
_EXTREMES = {"shortest": ("slt", (1 << 63) - 1), "longest": ("sgt", 0)}


class TallyCode:
    """Writes the counting of one function: `begin` it, `count` games, and `write_back`.

    Where each side always has the same seat, a game is counted by its winners alone.
    """

    def __init__(self, shared: SharedCode, f: Function, tally: str) -> None:
        self._shared = shared
        self._layout = shared.layout
        self._f = f
        self._tally = tally
        self._by_winners = not shared.program.system.seats and shared.sides <= _MOST_SIDES
        self._sums = {name: f.variable("i64") for name in ("playouts", "moves")}
        self._extremes = {name: f.variable("i64") for name in _EXTREMES}
        self._paid = [f.variable("double") for _ in self._layout.payoffs]
        self._ends = f.variable(f"[{(1 << shared.sides) + 1} x i64]") if self._by_winners else ""

    def begin(self) -> None:
        """Write that nothing is counted yet."""
        f = self._f
        for variable in self._sums.values():
            f.put("i64", "0", variable)
        for name, (_, first) in _EXTREMES.items():
            f.put("i64", str(first), self._extremes[name])
        for variable in self._paid:
            f.put("double", "0.0", variable)
        if self._by_winners:
            for winners in range((1 << self._shared.sides) + 1):
                f.put("i64", "0", f.at(self._ends, 8 * winners))

    def count(self, position: str, moves: str) -> None:
        """Write that a game of so many moves (i64) is counted."""
        f = self._f
        f.add("i64", "1", self._sums["playouts"])
        f.add("i64", moves, self._sums["moves"])
        for name, (test, _) in _EXTREMES.items():
            self._take_extreme(self._extremes[name], moves, test)
        self._count_payoffs(position)
        if self._by_winners:
            f.add("i64", "1", self._end_of(position))
        else:
            self._count_end(position)

    def _count_payoffs(self, position: str) -> None:
        """Write that what a game is worth is added; one that is not over is worth nothing."""
        f = self._f
        for field, variable in zip(self._layout.payoffs, self._paid, strict=True):
            worth = field.get(f, position)
            self._add_double(variable, f.ins(f"sitofp i64 {worth} to double"))

    def _end_of(self, position: str) -> str:
        """Return the address of the number of games that end so: by winners, or unfinished."""
        f = self._f
        ended = self._layout.ended.get(f, position)
        winners = self._layout.winners.get(f, position)
        is_open = f.ins(f"icmp eq i32 {ended}, 0")
        number = f.ins(f"select i1 {is_open}, i32 {1 << self._shared.sides}, i32 {winners}")
        offset = f.ins(f"shl i64 {f.ins(f'zext i32 {number} to i64')}, 3")
        return f.at(self._ends, offset)

    def write_back(self) -> None:
        """Write that all counts are added to the tally."""
        f = self._f
        for name, variable in self._sums.items():
            address = self._address(name)
            f.add("i64", f.get("i64", variable), address)
        for name, (test, _) in _EXTREMES.items():
            self._take_extreme(self._address(name), f.get("i64", self._extremes[name]), test)
        for side, variable in enumerate(self._paid):
            address = f.at(self._won_by_side(2 * self._shared.sides), 8 * side)
            self._add_double(address, f.get("double", variable))
        if self._by_winners:
            self._write_back_ends()

    def _write_back_ends(self) -> None:
        f, sides = self._f, self._shared.sides
        for winners in range((1 << sides) + 1):
            games = f.get("i64", f.at(self._ends, 8 * winners))
            if winners == 1 << sides:
                f.add("i64", games, self._address("unfinished"))
            elif winners == 0:
                f.add("i64", games, self._address("draws"))
            for side in range(sides):
                if winners >> side & 1 and winners < 1 << sides:
                    f.add("i64", games, self._won_by_side(side))
                    f.add("i64", games, f.at(self._won_by_side(sides), 8 * side))

    def _address(self, name: str) -> str:
        return self._f.at(self._tally, 8 * TALLY.index(name))

    def _won_by_side(self, side: int) -> str:
        return self._f.at(self._tally, 8 * (len(TALLY) + side))

    def _add_double(self, where: str, register: str) -> None:
        f = self._f
        f.put("double", f.ins(f"fadd double {f.get('double', where)}, {register}"), where)

    def _take_extreme(self, where: str, register: str, test: str) -> None:
        f = self._f
        known = f.get("i64", where)
        better = f.ins(f"icmp {test} i64 {register}, {known}")
        f.put("i64", f.ins(f"select i1 {better}, i64 {register}, i64 {known}"), where)

    def _count_end(self, position: str) -> None:
        """Count the end of a game in which a side may have any seat."""
        f, sides = self._f, self._shared.sides
        ended = self._layout.ended.get(f, position)
        winners = self._layout.winners.get(f, position)
        is_open = f.ins(f"icmp eq i32 {ended}, 0")
        unfinished = self._address("unfinished")
        f.add("i64", f.ins(f"zext i1 {is_open} to i64"), unfinished)
        nobody = f.ins(f"icmp eq i32 {winners}, 0")
        drawn = f.ins(f"and i1 {nobody}, {f.is_not(is_open)}")
        draws = self._address("draws")
        f.add("i64", f.ins(f"zext i1 {drawn} to i64"), draws)
        place = Place(f, position)
        for side in range(sides):
            bit = f.ins(f"and i32 {f.ins(f'lshr i32 {winners}, {side}')}, 1")
            held = f.ins(f"select i1 {is_open}, i32 0, i32 {bit}")
            won = f.ins(f"zext i32 {held} to i64")
            f.add("i64", won, self._won_by_side(side))
            offset = f.ins(f"mul i64 {self._shared.seat(place, side)}, 8")
            f.add("i64", won, f.at(self._won_by_side(sides), offset))
