"""The code of what is asked of positions besides moves, such as what is drawn, seen or counted.

In: expressions, and relations that depend on the position. Out: the function
`asked(position, world, out)`, which writes the value of each to its place behind `out`. What then
holds: the `Answer` to each question says where its value lies, and how it is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.core.nodes import Expression
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.ir import POSITION, number_type, width_of
from gdl.interpreter.native.emit.kinds import I1, I64, Address
from gdl.interpreter.native.emit.values import Flag, Number, Sites
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place
from gdl.model import Leading

Question = Expression | Leading

ALIGNED = 64
"""Each answer begins at a multiple of so many bytes."""


@dataclass(frozen=True)
class Answer:
    """Where a value lies behind `out`, in bytes, and how it is read.

    A number of `bits` is a multiple of one over `unit`; sets have `bits`, of a relation `count` of
    them, one a site; a condition is a number that is not 0.
    """

    offset: int
    bits: int
    unit: int = 1
    count: int = 1


def write_asked(
    expressions: Expressions, questions: Sequence[Question], name: str = "asked"
) -> tuple[str, tuple[Answer, ...]]:
    """Write the function; return its name, and where it puts the answers. Raises Uncovered."""
    sets, out = expressions.sets, Address("%out")
    parameters = ["ptr %position", "ptr %world", f"ptr {out}"]
    f = sets.module.function(name, "void", parameters)
    p = Place(f, POSITION)
    answers: list[Answer] = []
    for question in questions:
        end = answers[-1].offset + answers[-1].count * answers[-1].bits // 8 if answers else 0
        here = -(-end // ALIGNED) * ALIGNED
        at = f.at(out, here)
        if isinstance(question, Leading):
            answers.append(Answer(here, sets.bits, count=sets.size))
            f.clear(at, sets.bits // 8 * sets.size)
            with sets.each(f, expressions.sites(p, question.sources)) as loop:
                image = expressions.sites(p.binding(question.slot, loop.site), question.image)
                place = f.binary("mul", I64, loop.index, sets.bits // 8)
                sets.write(f, image, f.at(at, place))
            continue
        match expressions.value(p, question):
            case Sites() as value:
                answers.append(Answer(here, sets.bits))
                sets.write(f, value, at)
            case Flag(register):
                answers.append(Answer(here, 64))
                f.put(I64, f.convert("zext", I1, register, I64), at)
            case Number() as value:
                answers.append(Answer(here, width_of(value.range), value.range.denominator))
                f.put(number_type(value.range), value.register, at)
    f.give("void")
    return name, tuple(answers)


def bytes_of(answers: Sequence[Answer]) -> int:
    """Return how much room `out` has to have."""
    return max((one.offset + one.count * one.bits // 8 for one in answers), default=0) + ALIGNED
