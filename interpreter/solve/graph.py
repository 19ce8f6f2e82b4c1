"""The positions that can be reached: each once, with a number, found again by its bytes.

In: how much memory there is. Out: a `Graph`, all of whose arrays have a fixed size; what is never
touched takes no memory. What then holds: positions are compared byte by byte, so that no two are
taken for the same; they are numbered in the order in which they were found, from the first.
"""

from __future__ import annotations

from gdl.interpreter.search.machine.instructions import (
    Record,
    Shorts,
    Words,
    address,
    array,
    copy,
    native,
)
from gdl.interpreter.solve.images import KEY_OF_GRAPHS, key
from gdl.interpreter.solve.workspace import WORD_BYTES, Bench

NONE = -1
UNKNOWN = -1
"""What is known of a position whose value is not."""

USED, NEXT, EDGES, ORDERED, REACHED, VALUED, QUEUED = range(7)
"""Fields of `Graph.state`: how many positions there are; the first one whose moves were not made;
how many moves were made; whether each led to a position with a greater number; how many positions
there are with all images; how many have their value; how many stand in the queue."""

_SLOTS_AT_FIRST = 1 << 12
_FULL = 0.6
"""Which part of the slots may be in use before there are more of them."""
_BYTES_OF_NODE = 8 + 4 + 4
"""How much memory a position takes beside its own bytes: slots, arrivals, its result."""


class Graph(Record):
    """Positions that can be reached, of `room` at most.

    A position takes so many `words` of `positions`. There are `mask` + 1 `slots`, which have the
    number of a position, or NONE. `arrivals` counts the moves that lead to a position; `results`
    has `plies` and value as one number (see `values`), or UNKNOWN. `state` has the fields above.
    """

    words: int
    room: int
    mask: int
    slots: Shorts
    positions: Words
    arrivals: Shorts
    results: Shorts
    state: Words


def most_positions(memory: int, words: int) -> int:
    """Return how many positions there is room for in so many bytes."""
    return max(16, min(memory // (words * WORD_BYTES + _BYTES_OF_NODE), (1 << 31) - 2))


def new_graph(memory: int, words: int) -> Graph:
    """Return a graph without positions."""
    room = most_positions(memory, words)
    graph = Graph(
        words=words,
        room=room,
        mask=_SLOTS_AT_FIRST - 1,
        slots=_slots(_SLOTS_AT_FIRST),
        positions=array("Words", room * words),
        arrivals=array("Shorts", room),
        results=array("Shorts", room),
        state=array("Words", 8),
    )
    graph.state[ORDERED] = 1
    return graph


def _slots(number: int) -> memoryview:
    found: memoryview = array("Shorts", number)
    return found


def is_crowded(graph: Graph) -> bool:
    """Return whether there should be more slots for what the graph has."""
    return int(graph.state[USED]) > _FULL * (graph.mask + 1)


def with_more_slots(graph: Graph) -> Graph:
    """Return the same graph with twice as many slots, all of which are empty: see `fill_slots`."""
    fields = {name: getattr(graph, name) for name in Graph.__annotations__}
    count = 2 * (graph.mask + 1)
    return Graph(**(fields | {"mask": count - 1, "slots": _slots(count)}))


@native
def fill_slots(graph: Graph, bench: Bench) -> int:
    """Put all positions into empty slots; return how many there are."""
    for number in range(graph.state[USED]):
        begin = address(graph.positions) + number * graph.words * WORD_BYTES
        copy(address(bench.least), begin, graph.words * WORD_BYTES)
        place = key(bench, KEY_OF_GRAPHS) & graph.mask
        while graph.slots[place] != 0:
            place = (place + 1) & graph.mask
        graph.slots[place] = number + 1
    return graph.state[USED]


@native
def _is_at(graph: Graph, number: int, bench: Bench) -> bool:
    """Return whether the least image is the position with a number."""
    begin, n = number * graph.words, 0
    while n < graph.words and graph.positions[begin + n] == bench.least[n]:
        n += 1
    return n == graph.words


@native
def slot_of_least(graph: Graph, bench: Bench) -> int:
    """Return the slot that has the least image, or that it would come into."""
    place = key(bench, KEY_OF_GRAPHS) & graph.mask
    while graph.slots[place] != 0:
        if _is_at(graph, graph.slots[place] - 1, bench):
            return place
        place = (place + 1) & graph.mask
    return place


@native
def number_of_least(graph: Graph, bench: Bench) -> int:
    """Return the number of the least image, or NONE if it is not there."""
    return graph.slots[slot_of_least(graph, bench)] - 1


@native
def number_with_least(graph: Graph, images: int, bench: Bench) -> int:
    """Return the number of the least image, which is added if it is not there."""
    place = slot_of_least(graph, bench)
    number = graph.slots[place] - 1
    if number == NONE:
        number = graph.state[USED]
        begin = address(graph.positions) + number * graph.words * WORD_BYTES
        copy(begin, address(bench.least), graph.words * WORD_BYTES)
        graph.slots[place] = number + 1
        graph.results[number] = UNKNOWN
        graph.state[USED] = number + 1
        graph.state[REACHED] += images
    return number


@native
def stand_at(graph: Graph, number: int, address_of_position: int) -> None:
    """Put the position with a number where a thread has its own."""
    begin = address(graph.positions) + number * graph.words * WORD_BYTES
    copy(address_of_position, begin, graph.words * WORD_BYTES)
