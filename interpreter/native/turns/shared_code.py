"""What the code of a game's turns stands on: its module, its frames, and whose turn it is.

In: a program, and what writes its expressions. Out: the pieces that searches, endings, calls and
random games share. What then holds: none of them needs to know who joins them.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.analysis.plan import Plan
from gdl.core.nodes import Get, Turn
from gdl.interpreter.native.emit.kinds import I64, Word
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place


class SharedCode:
    """What is shared by all that writes a part of a game's code.

    `pairs` are the turns, by phase and side.
    """

    def __init__(self, plan: Plan, sides: int, expressions: Expressions) -> None:
        self.plan = plan
        self.program = program = plan.program
        self.sides = sides
        self.pairs = [(p, s) for p in range(len(program.phases)) for s in range(sides)]
        self.expressions = expressions
        self.sets = expressions.sets
        self.module = expressions.sets.module
        self.layout = expressions.layout

    def turn(self, phase: int, side: int) -> Turn:
        """Return what the program says of a side's turn in a phase."""
        return self.program.phases[phase].turns[side]

    def which(self, p: Place) -> Word:
        """Return the number (i64) of phase and side on turn."""
        f = p.f
        system = self.program.system
        mover = self.expressions.word(p, Get(system.mover))
        if system.phase is None:
            return mover
        phase = self.expressions.word(p, Get(system.phase))
        return f.binary("add", I64, f.binary("mul", I64, phase, self.sides), mover)

    def turns(self, p: Place, which: Word | None = None) -> Iterator[tuple[int, int]]:
        """Write what is done by phase and side: those on turn, or those with a number (i64)."""
        return p.f.cases(I64, which or self.which(p), self.pairs)

    def seat(self, p: Place, side: int) -> Word:
        """Return the seat (i64, from 0) that plays a side."""
        seats = self.program.system.seats
        return self.expressions.word(p, Get(seats[side])) if seats else Word(str(side))
