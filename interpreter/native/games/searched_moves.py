"""The code of random moves found by search, for turns of which they are not made in place.

In: the searches of a game. Out: `ply_listed(position, world, random)`, which makes a random move
and returns whether there was one. What then holds: each legal complete move is equally likely.

Ways of which some may fail are drawn until one does not; where that takes too long, all that do
not fail are counted, and one of them is drawn. The ways with the best value are gathered while the
value is learnt, and one of them is taken; where they are too many, they are counted, too.
"""

from __future__ import annotations

from gdl.analysis.bounds_of_ways import MOST_DRAWS
from gdl.interpreter.native.emit.ir import FRAME_BYTES, FRAME_TYPE, POSITION, WORLD, Function
from gdl.interpreter.native.emit.kinds import I1, I64, Address, Word
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.games.moves_in_place import GamesInPlace
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.turns.search_calls import SearchCall, make
from gdl.interpreter.native.turns.searches import Searches
from gdl.interpreter.native.turns.shared_code import SharedCode

_MOST_GATHERED = 64
"""How many ways with the best value there is room for."""


def write_ply_listed(shared: SharedCode, searches: Searches, games: GamesInPlace) -> None:
    """Write the function, and `draw(position, world, random, out)`, which finds the move.

    In plain turns so many ways have been drawn before that now all are tried.
    """
    parameters = ["ptr %position", "ptr %world", "ptr %random"]
    f = shared.module.function("draw", "internal i1", [*parameters, "ptr %out"])
    query = SearchCall(f)
    gathered = _room_for_gathered(f, shared)
    for phase, side in shared.turns(Place(f, POSITION)):
        if searches.turn(phase, side).draws_likely and (phase, side) not in games.in_place:
            _draw_likely(f, query)
        if gathered is not None and searches.turn(phase, side).keeps:
            _draw_gathered(f, query, gathered)
        ways = _counted(f, query, c.SETTLED)
        query.again(c.SETTLED, f.call(I64, f"@random_below(ptr %random, i64 {ways})"))
        f.give(f"i1 {query.found(Address('%out'))}")
    f = shared.module.function("ply_listed", "i1", parameters)
    frame = f.room(FRAME_TYPE)
    found = f.call(I1, f"@draw(ptr %position, ptr %world, ptr %random, ptr {frame})")
    with f.when(found):
        make(shared, f, frame)
    f.give(f"i1 {found}")


def _room_for_gathered(f: Function, shared: SharedCode) -> Address | None:
    """Return where ways are gathered, or None where no turn keeps some, or frames are large."""
    if shared.sets.are_arrays or not any(turn.keeps_best for turn in shared.plan.turns):
        return None
    return f.room(f"[{_MOST_GATHERED} x {FRAME_TYPE}]")


def _draw_gathered(f: Function, query: SearchCall, gathered: Address) -> None:
    """Draw among the ways with the best value, if there is room for them, in a single round."""
    query.set(c.MODE, c.GATHERING)
    query.set(c.LIST, gathered)
    query.set(c.LIST_SIZE, _MOST_GATHERED)
    query.set(c.LIST_USED, 0)
    query.again(c.NO_SHORTCUT)
    query.run()
    query.set(c.MODE, c.SELECTING)
    ways = query.get(c.LIST_USED)
    f.give_if(f.compare("eq", I64, ways, 0), "i1 false")
    with f.when(f.compare("ule", I64, ways, _MOST_GATHERED)):
        drawn = f.call(I64, f"@random_below(ptr %random, i64 {ways})")
        f.copy(
            f.at(gathered, f.binary("mul", I64, drawn, FRAME_BYTES)), Address("%out"), FRAME_BYTES
        )
        f.give("i1 true")


def _draw_likely(f: Function, query: SearchCall) -> None:
    """Draw among ways of which some may fail, until one does not, if that comes soon.

    Half as many are drawn as there are: where they are few, all are soon tried.
    """
    ways = _counted(f, query, c.LIKELY)
    draws = f.at_most(f.binary("lshr", I64, ways, 1), MOST_DRAWS)
    with f.rounds(draws, MOST_DRAWS) as loop:
        with f.when(w.has_failed(f, WORLD)):
            f.jump(loop.done)
        query.again(c.LIKELY, f.call(I64, f"@random_below(ptr %random, i64 {ways})"))
        with f.when(query.found(Address("%out"))):
            f.give("i1 true")


def _counted(f: Function, query: SearchCall, shortcut: int) -> Word:
    """Write that ways are counted; return how many there are, if there are any."""
    query.again(shortcut)
    query.run()
    ways = query.passed_over()
    with f.when(f.compare("eq", I64, ways, 0)):
        f.give("i1 false")
    return ways
