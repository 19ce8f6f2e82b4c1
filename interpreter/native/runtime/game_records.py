"""Memory for what each of many random games came to, a row of numbers a game.

In: how many games there are. Out: rows, which native code fills, or which are told a game that the
reference interpreter has played. What then holds: the rows of games that were played are filled.
"""

from __future__ import annotations

import ctypes
from typing import Any

from interpreter.evaluation.evaluator import Playout
from interpreter.native.games.records import ROW, UNFINISHED
from interpreter.native.memory.frame import FrameLayout

_WORD = ctypes.sizeof(ctypes.c_int64)


class GameRecords:
    """The rows of the games with these `numbers`: `memory` has `width` words (i64) for each.

    Payoffs in a row are so many times what the rules say as `payoff_unit` tells.
    """

    def __init__(self, layout: FrameLayout, numbers: range) -> None:
        """Take the memory. Raises MemoryError."""
        self.numbers = numbers
        self.width = len(ROW) + len(layout.payoffs)
        self.payoff_unit = layout.payoff_unit
        self.memory = (ctypes.c_int64 * (self.width * len(numbers)))()

    def row(self, number: int) -> Any:
        """Return where the row of a game lies, as native code takes it."""
        return ctypes.byref(self.memory, _WORD * self.width * (number - self.numbers.start))

    def write(self, number: int, playout: Playout, sides: tuple[str, ...]) -> None:
        """Fill the row of a game that was played in another way."""
        outcome, values = playout.outcome, [playout.moves, UNFINISHED, UNFINISHED]
        if outcome is not None:
            values[1] = sum(1 << sides.index(side) for side in outcome.winners)
            values[2] = sum(1 << seat - 1 for seat in outcome.seats)
            values += [int(one * self.payoff_unit) for one in outcome.payoffs]
        begin = self.width * (number - self.numbers.start)
        for place, value in enumerate(values, begin):
            self.memory[place] = value
