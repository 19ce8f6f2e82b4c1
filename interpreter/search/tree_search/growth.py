"""How a tree grows: new nodes, and places for their children.

In: a tree, and a thread's desk. Out: nodes and places that nothing else has. What then holds: where
several threads search, each takes some memory at a time for itself, and a list that has grown stays
where it was as well, since another thread may still read it; `pruning` puts all in order again.
"""

from __future__ import annotations

from gdl.interpreter.search.machine.instructions import address, copy, native, publish
from gdl.interpreter.search.memory.positions import Desk, Fields
from gdl.interpreter.search.memory.tree import (
    CHANCE,
    EMPTY,
    KNOWN,
    MADE,
    NEVER,
    USED_NODES,
    USED_PLACES,
    Tree,
    acquire,
    acquire_all,
    release,
    release_all,
)

NODE, END_OF_NODES, PLACE, END_OF_PLACES = range(4)
"""Fields of `Desk.stock`: the next node and place that a thread has for itself, and their ends."""
_SMALLEST = 4
_NODES_AT_A_TIME, _PLACES_AT_A_TIME = 64, 1024
_PARTS = 64
"""How much a thread takes for itself at once, but no more than one in so many parts of all."""


@native
def new_node(tree: Tree, desk: Desk) -> int:
    """Return the number of a new node, or EMPTY if there is no memory left."""
    if desk.stock[NODE] == desk.stock[END_OF_NODES]:
        wanted = 1
        if tree.is_shared:
            wanted = max(1, min(_NODES_AT_A_TIME, tree.nodes // _PARTS))
        acquire_all(tree)
        desk.stock[NODE] = tree.state[USED_NODES]
        tree.state[USED_NODES] = min(tree.nodes, tree.state[USED_NODES] + wanted)
        desk.stock[END_OF_NODES] = tree.state[USED_NODES]
        release_all(tree)
        if desk.stock[NODE] == desk.stock[END_OF_NODES]:
            return EMPTY
    node = desk.stock[NODE]
    desk.stock[NODE] = node + 1
    make_empty(tree, node)
    return node


@native
def make_empty(tree: Tree, node: int) -> None:
    """Begin a node of which nothing is known."""
    tree.visits[node] = 0
    for seat in range(tree.seats):
        tree.totals[node * tree.apart + seat] = 0.0
    tree.known[node] = MADE
    tree.tried[node] = 0
    tree.moves[node] = 0
    tree.sizes[node] = EMPTY
    tree.low[node] = 0
    tree.high[node] = 2
    tree.plies[node] = 0
    tree.due[node] = NEVER
    tree.is_ordered[node] = 0
    tree.are_split[node] = 0
    tree.runs[node] = EMPTY
    tree.tables[node] = EMPTY
    tree.locks[node] = 0


@native
def room(size: int) -> int:
    """Return how many places there are in a list of a size."""
    return _SMALLEST << size


@native
def _new_places(tree: Tree, desk: Desk, size: int) -> int:
    """Return where new places begin, or EMPTY if there are none left."""
    if not tree.is_shared:
        begin = tree.free[size]
        if begin != EMPTY:
            tree.free[size] = tree.places[begin]
            return begin
    if desk.stock[PLACE] + room(size) > desk.stock[END_OF_PLACES]:
        wanted = room(size)
        if tree.is_shared:
            wanted = max(wanted, min(_PLACES_AT_A_TIME, tree.room // _PARTS))
        acquire_all(tree)
        used = tree.state[USED_PLACES]
        wanted = min(wanted, tree.room - used)
        if wanted >= room(size):
            desk.stock[PLACE] = used
            desk.stock[END_OF_PLACES] = used + wanted
            tree.state[USED_PLACES] = used + wanted
        release_all(tree)
        if wanted < room(size):
            return EMPTY
    begin = desk.stock[PLACE]
    desk.stock[PLACE] = begin + room(size)
    return begin


@native
def has_places(tree: Tree, node: int, number: int, desk: Desk) -> bool:
    """Make sure that there is a place for so many children; return whether there is.

    The thread has the node to itself.
    """
    size, tried = tree.sizes[node], tree.tried[node]
    if size != EMPTY and number <= room(size):
        return True
    wanted = size + 1
    while room(wanted) < number:
        wanted += 1
    begin = _new_places(tree, desk, wanted)
    if begin == EMPTY:
        return False
    if size != EMPTY:
        before = tree.begin[node]
        for n in range(tried):
            tree.places[begin + n] = tree.places[before + n]
            tree.means[begin + n] = tree.means[before + n]
            tree.spreads[begin + n] = tree.spreads[before + n]
        if not tree.is_shared:
            tree.places[before] = tree.free[size]
            tree.free[size] = before
    publish(tree.begin, node, begin)
    tree.sizes[node] = wanted
    return True


@native
def has_all_places(tree: Tree, node: int, desk: Desk) -> bool:
    """Make an empty place for each move of a node where chance decides; return whether it could."""
    size = 0
    while room(size) < tree.moves[node]:
        size += 1
    begin = _new_places(tree, desk, size)
    if begin == EMPTY:
        return False
    for n in range(tree.moves[node]):
        tree.places[begin + n] = EMPTY
    tree.begin[node] = begin
    tree.sizes[node] = size
    return True


@native
def _make_part(tree: Tree, parent: int, at: int, child: int, fields: Fields) -> None:
    """Make a new node a part of its parent's moves: the run that a place has."""
    tree.runs[child] = tree.numbers[at]
    tree.moves[child] = tree.lengths[at]
    tree.choosers[child] = tree.choosers[parent]
    positions, keys = address(tree.positions), address(tree.keys)
    copy(positions + child * fields.bytes, positions + parent * fields.bytes, fields.bytes)
    copy(keys + child * fields.key_bytes, keys + parent * fields.key_bytes, fields.key_bytes)
    tree.known[child] = KNOWN


@native
def child_at(tree: Tree, node: int, place: int, desk: Desk, fields: Fields) -> int:
    """Return the child at a place of a node, a new one where there is none; EMPTY without memory.

    Another thread may have made it since the place was chosen.
    """
    acquire(tree, node)
    is_chance = tree.choosers[node] == CHANCE
    child = EMPTY
    if is_chance or place < tree.tried[node]:
        child = tree.places[tree.begin[node] + place]
    if child == EMPTY and (is_chance or has_places(tree, node, tree.tried[node] + 1, desk)):
        child = new_node(tree, desk)
        if child != EMPTY:
            at = tree.begin[node] + place
            if tree.are_split[node] != 0 and tree.lengths[at] > 1:
                _make_part(tree, node, at, child, fields)
            tree.means[at] = 0.0
            tree.spreads[at] = 1.0
            publish(tree.places, at, child)
            publish(tree.tried, node, tree.tried[node] + 1)
    release(tree, node)
    return child
