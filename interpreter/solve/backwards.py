"""What positions are worth, found out from their ends backwards.

In: all positions that can be reached. Out: the value of each, and in how many plies the game ends
there, if those who win hurry and those who lose delay. What then holds: a position without a value
at the end is one from which nobody can force a win: a draw.

Where each move leads to a position with a greater number, one way back through all of them is
enough. Elsewhere positions get their values in the order of plies, by the moves that lead to them:
retrograde analysis, after K. Thompson, "Retrograde analysis of certain endgames" (1986).
"""

from __future__ import annotations

from gdl.interpreter.search.machine.instructions import (
    Record,
    Shorts,
    Signs,
    Words,
    address,
    array,
    native,
)
from gdl.interpreter.search.memory.positions import Desk, Fields, GameFunctions, chooser, is_stopped
from gdl.interpreter.solve.enumeration import DONE, MORE, STOPPED, failure
from gdl.interpreter.solve.graph import (
    EDGES,
    NEXT,
    QUEUED,
    UNKNOWN,
    USED,
    VALUED,
    Graph,
    number_of_least,
    stand_at,
)
from gdl.interpreter.solve.images import take_least
from gdl.interpreter.solve.workspace import (
    DRAWN,
    FAILED,
    LOST,
    OVER,
    PASS,
    WON,
    Bench,
    keep_here,
    made,
    number_of_moves,
    outcome,
)

VALUES = 4
"""A result is a number of plies times this, and the value."""
_FAR = 1 << 28


@native
def result_of(value: int, plies: int) -> int:
    """Return a result as one number."""
    return plies * VALUES + value


@native
def _worth(result: int, seat: int) -> int:
    """Return how good a result is for the seat that chooses it: a quick win is the best."""
    value, plies = result % VALUES, result // VALUES
    if value == DRAWN:
        return 0
    is_won = value == WON if seat == 0 else value == LOST
    return _FAR - plies if is_won else plies - _FAR


@native
def value_backwards(
    graph: Graph, desk: Desk, code: GameFunctions, fields: Fields, bench: Bench, most: int
) -> int:
    """Find the values of so many positions at most, from the last to the first.

    What each needs is known then, if moves lead to greater numbers only. Return how that ended.
    """
    for _ in range(most):
        number = graph.state[USED] - graph.state[VALUED] - 1
        if number < 0:
            return DONE
        if is_stopped(desk):
            return STOPPED
        stand_at(graph, number, address(desk.position))
        moves = number_of_moves(desk, code, fields)
        result = 0
        if moves == FAILED:
            return failure(desk)
        if moves == OVER:
            result = result_of(outcome(desk, fields, bench), 0)
        else:
            stand_at(graph, number, address(desk.position))
            seat = chooser(desk, fields)
            keep_here(desk, bench)
            best = -2 * _FAR
            for place in range(max(1, moves)):
                if not made(PASS if moves == PASS else place, desk, code, bench):
                    return failure(desk)
                take_least(desk, bench)
                after = graph.results[number_of_least(graph, bench)]
                worth = _worth(after, seat)
                if worth > best:
                    best = worth
                    value = after % VALUES
                    plies = 0 if value == DRAWN else after // VALUES + 1
                    result = result_of(value, plies)
        graph.results[number] = result
        graph.state[VALUED] += 1
    return MORE


# ------------------------------------------------- where positions can come again


class Returns(Record):
    """The moves of a graph, from where they lead to back to where they come from.

    `ends` has for each position where the moves that lead to it end in `sources`, while they are
    filled in where the next one goes. `choosers` has the seat that decides, `left` how many of its
    moves may still be better than lost; `queue` the positions with a value, in the order of plies.
    """

    ends: Words
    sources: Shorts
    choosers: Signs
    left: Shorts
    queue: Shorts
    looked_at: Words


BYTES_OF_RETURN = 4
BYTES_OF_NODE = 8 + 1 + 4 + 4
"""How much memory a move and a position take while values are found by moves that lead to them."""


def new_returns(graph: Graph) -> Returns:
    """Return memory for the moves of a graph."""
    count = int(graph.state[USED])
    return Returns(
        ends=array("Words", count),
        sources=array("Shorts", int(graph.state[EDGES])),
        choosers=array("Signs", count),
        left=array("Shorts", count),
        queue=array("Shorts", count),
        looked_at=array("Words", 1),
    )


@native
def lay_out(graph: Graph, returns: Returns) -> int:
    """Find where the moves begin that lead to each position; begin anew with the first one."""
    begin = 0
    for number in range(graph.state[USED]):
        returns.ends[number] = begin
        begin += graph.arrivals[number]
    graph.state[NEXT] = 0
    graph.state[QUEUED] = 0
    graph.state[VALUED] = 0
    return begin


@native
def turn_round(
    graph: Graph,
    returns: Returns,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    bench: Bench,
    most: int,
) -> int:
    """Note the moves of so many positions at most where they lead to; return how that ended."""
    for _ in range(most):
        number = graph.state[NEXT]
        if number >= graph.state[USED]:
            return DONE
        if is_stopped(desk):
            return STOPPED
        stand_at(graph, number, address(desk.position))
        moves = number_of_moves(desk, code, fields)
        if moves == FAILED:
            return failure(desk)
        if moves == OVER:
            value = outcome(desk, fields, bench)
            graph.results[number] = result_of(value, 0)
            if value != DRAWN:
                returns.queue[graph.state[QUEUED]] = number
                graph.state[QUEUED] += 1
        else:
            stand_at(graph, number, address(desk.position))
            returns.choosers[number] = chooser(desk, fields)
            keep_here(desk, bench)
            count = max(1, moves)
            for place in range(count):
                if not made(PASS if moves == PASS else place, desk, code, bench):
                    return failure(desk)
                take_least(desk, bench)
                bench.children[place] = number_of_least(graph, bench)
            for place in range(count):
                child = bench.children[place]
                returns.sources[returns.ends[child]] = number
                returns.ends[child] += 1
            returns.left[number] = count
        graph.state[NEXT] = number + 1
    return MORE


@native
def value_by_plies(graph: Graph, returns: Returns, desk: Desk, most: int) -> int:
    """Go back from so many positions at most whose value is known; return how that ended."""
    for _ in range(most):
        if returns.looked_at[0] >= graph.state[QUEUED]:
            return DONE
        if is_stopped(desk):
            return STOPPED
        number = returns.queue[returns.looked_at[0]]
        returns.looked_at[0] += 1
        result = graph.results[number]
        value, plies = result % VALUES, result // VALUES + 1
        end = returns.ends[number]
        for place in range(end - graph.arrivals[number], end):
            source = returns.sources[place]
            if graph.results[source] != UNKNOWN:
                continue
            is_won = value == WON if returns.choosers[source] == 0 else value == LOST
            if not is_won:
                returns.left[source] -= 1
                if returns.left[source] > 0:
                    continue
            graph.results[source] = result_of(value, plies)
            returns.queue[graph.state[QUEUED]] = source
            graph.state[QUEUED] += 1
    return MORE


@native
def draw_the_rest(graph: Graph) -> int:
    """Give all positions a draw that have no value; return how many are none of an end."""
    count = 0
    for number in range(graph.state[USED]):
        if graph.results[number] == UNKNOWN:
            graph.results[number] = result_of(DRAWN, 0)
            count += 1
    graph.state[VALUED] = graph.state[USED]
    return count
