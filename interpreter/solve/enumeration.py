"""All positions that can be reached, found one behind the other.

In: a graph with its first position. Out: the graph with all. What then holds: a position's moves
are all made or none is, wherever the work is interrupted.
"""

from __future__ import annotations

from gdl.interpreter.search.machine.instructions import address, native
from gdl.interpreter.search.memory.positions import Desk, Fields, GameFunctions, is_stopped
from gdl.interpreter.solve.graph import (
    EDGES,
    NEXT,
    ORDERED,
    USED,
    Graph,
    number_of_least,
    number_with_least,
    stand_at,
)
from gdl.interpreter.solve.images import take_least
from gdl.interpreter.solve.workspace import (
    FAILED,
    OVER,
    PASS,
    Bench,
    keep_here,
    made,
    number_of_moves,
)

MOST_MOVES = 500_000
"""How many moves a position may have: as many as a turn may have ways."""
DONE, MORE, CROWDED, FULL, STOPPED, BROKEN = range(6)
"""How a stretch of work has ended: all is done; there is more to do; there should be more slots;
there is no room left; it was stopped; a call failed."""
_SLACK = 4


@native
def add_first(graph: Graph, desk: Desk, bench: Bench) -> int:
    """Add the position in front of a thread; return its number."""
    return number_with_least(graph, take_least(desk, bench), bench)


@native
def find(graph: Graph, desk: Desk, bench: Bench) -> int:
    """Return the number of the position in front of a thread, or NONE."""
    take_least(desk, bench)
    return number_of_least(graph, bench)


@native
def enumerate_more(
    graph: Graph, desk: Desk, code: GameFunctions, fields: Fields, bench: Bench, most: int
) -> int:
    """Make the moves of so many positions at most; return how that ended."""
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
        if moves != OVER:
            ways = max(1, moves)
            if graph.state[USED] + ways > graph.room:
                return FULL
            if _SLACK * (graph.state[USED] + ways) > (_SLACK - 1) * (graph.mask + 1):
                return CROWDED
            stand_at(graph, number, address(desk.position))
            keep_here(desk, bench)
            for place in range(ways):
                if not made(PASS if moves == PASS else place, desk, code, bench):
                    return failure(desk)
                images = take_least(desk, bench)
                bench.children[place] = number_with_least(graph, images, bench)
            for place in range(ways):
                child = bench.children[place]
                graph.arrivals[child] += 1
                if child <= number:
                    graph.state[ORDERED] = 0
            graph.state[EDGES] += ways
        graph.state[NEXT] = number + 1
    return MORE


@native
def failure(desk: Desk) -> int:
    """Return what a call that failed means; what it says is forgotten if it was stopped."""
    return STOPPED if is_stopped(desk) else BROKEN
