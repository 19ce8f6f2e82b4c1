"""The code of floods that tell which of two sides reaches a site first.

In: for both sides, where pieces stand and where a move leads. Out: the function
`reach(position, world, counts)`, which counts sites by who reaches them, and in how many moves.
What then holds: `gdl.interpreter.search.evaluation.territory` says what each of the counts is.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.analysis.reach import Reach
from gdl.core.nodes import Expression
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.ir import POSITION, WORD_BYTES
from gdl.interpreter.native.emit.kinds import I1, I64, Address, Word
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place

MOVES = 2
"""Sites that are reached in so many moves or more count alike."""
COUNTS = 3 * MOVES + 2
"""How many numbers there are of each race: by moves, how many sites the one side reaches first, the
other, and both at once; and at last how many either reaches alone."""


@dataclass(frozen=True)
class Race:
    """Two sides that set out for the sites of `among`."""

    one: Reach
    other: Reach
    among: Expression


def write_reach(expressions: Expressions, races: Sequence[Race]) -> str:
    """Write the function; return its name."""
    name, counts = "reach", Address("%counts")
    parameters = ["ptr %position", "ptr %world", f"ptr {counts}"]
    f = expressions.sets.module.function(name, "void", parameters)
    f.clear(counts, COUNTS * WORD_BYTES * len(races))
    for number, race in enumerate(races):
        own = f.at(counts, number * COUNTS * WORD_BYTES)
        _write_race(expressions, Place(f, POSITION), race, own)
    f.give("void")
    return name


def _write_race(expressions: Expressions, p: Place, race: Race, counts: Address) -> None:
    """Write floods of both sides, round by round; their numbers go to an address."""
    f, sets = p.f, expressions.sets
    among = sets.settled(f, expressions.sites(p, race.among))
    reaches = (race.one, race.other)

    def stepped(side: int) -> Sites:
        """Return what a side reaches first by one more move."""
        here = sets.settled(f, sets.read(f, front[side]))
        reach = reaches[side]
        found = expressions.sites(p.binding(reach.frontier, here), reach.step)
        return sets.settled(f, sets.difference(f, found, sets.read(f, reached[side])))

    def add(sites: Sites, first: int, move: Word) -> None:
        """Add how many sites there are to one of the numbers from the first on."""
        place = f.binary("add", I64, move, first)
        address = f.at(counts, f.binary("mul", I64, place, WORD_BYTES))
        f.add(I64, sets.count(f, sites), address)

    reached = [sets.variable(f, expressions.sites(p, reach.start)) for reach in reaches]
    front = [sets.variable(f, expressions.sites(p, reach.start)) for reach in reaches]
    move = f.variable(I64, 0)
    with f.loop(sets.size) as loop:
        new = [stepped(side) for side in range(2)]
        is_new = [sets.some(f, sites) for sites in new]
        f.need(f.binary("or", I1, is_new[0], is_new[1]), loop.done)
        now = f.get(I64, move)
        before = [sets.read(f, one) for one in reached]
        fresh = [sets.intersection(f, [sites, among]) for sites in new]
        for side in range(2):
            first = sets.difference(f, fresh[side], before[1 - side])
            add(sets.difference(f, first, new[1 - side]), side * MOVES, now)
        add(sets.intersection(f, fresh), 2 * MOVES, now)
        for side in range(2):
            sets.write(f, sets.union(f, [before[side], new[side]]), reached[side])
            sets.write(f, new[side], front[side])
        is_last = f.compare("sge", I64, now, MOVES - 1)
        f.put(I64, f.select(is_last, I64, now, f.binary("add", I64, now, 1)), move)
    at_last = [sets.read(f, one) for one in reached]
    for side in range(2):
        alone = sets.difference(f, at_last[side], at_last[1 - side])
        add(sets.intersection(f, [alone, among]), 3 * MOVES + side, Word("0"))
