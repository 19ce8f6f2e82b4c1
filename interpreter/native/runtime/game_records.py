"""Memory for what each of many random games came to, a row of numbers a game.

In: how many games there are. Out: rows, which native code fills, or which are told a game that the
reference interpreter has played. What then holds: the rows of games that were played are filled.
"""

from __future__ import annotations

import ctypes
from typing import Any

from interpreter.evaluation.evaluator import Playout
from interpreter.native.games.records import MOVES, PAYOFFS, SEATS, SIDES, UNFINISHED, row_words
from interpreter.native.memory.frame import FrameLayout

_WORD = ctypes.sizeof(ctypes.c_int64)


class GameRecords:
    """The rows of the games with these `numbers`: `memory` has `width` words (i64) for each.

    Payoffs in a row are so many times what the rules say as `payoff_unit` tells.
    """

    def __init__(self, layout: FrameLayout, numbers: range) -> None:
        """Take the memory. Raises MemoryError."""
        self.numbers = numbers
        self.width = row_words(layout)
        self.payoff_unit = layout.payoff_unit
        self.memory = (ctypes.c_int64 * (self.width * len(numbers)))()

    def row(self, number: int) -> Any:
        """Return where the row of a game lies, as native code takes it."""
        return ctypes.byref(self.memory, _WORD * self.width * (number - self.numbers.start))

    def write(self, number: int, playout: Playout, sides: tuple[str, ...]) -> None:
        """Fill the row of a game that was played in another way."""
        outcome = playout.outcome
        row = {MOVES: playout.moves, SIDES: UNFINISHED, SEATS: UNFINISHED}
        if outcome is not None:
            row[SIDES] = sum(1 << sides.index(side) for side in outcome.winners)
            row[SEATS] = sum(1 << seat - 1 for seat in outcome.seats)
            row |= enumerate((int(one * self.payoff_unit) for one in outcome.payoffs), PAYOFFS)
        begin = self.width * (number - self.numbers.start)
        for place, value in row.items():
            self.memory[begin + place] = value
