"""The memory of a search: nodes, their children, and the position of each.

In: how much memory there is. Out: a `Tree`, all of whose arrays have a fixed size. What then
holds: a node keeps its number, while the list of its children moves as it grows.

A node is a position that was reached. Its children stand in a stretch of *places*, in the order
in which they were first tried: `Tree.places`. The n-th child that is tried is the legal move with
the number `first_move + n * stride`, modulo the number of moves: so each node tries its moves in
an order of its own, of which nothing has to be kept, until something is known of its moves: then
they are put in order. Where chance decides, the n-th place is that
of the n-th move, and empty (-1) as long as it did not come.
"""

from __future__ import annotations

from interpreter.search.instructions import (
    Doubles,
    Floats,
    Record,
    Shorts,
    Signs,
    Words,
    array,
    native,
)

EMPTY = -1
CHANCE = -1
"""Who decides in a node, if it is no seat."""
PASS = -1
"""The `first_move` of a node in which the side has no move, and passes."""

MADE, KNOWN, COUNTING, OPEN, OVER = range(5)
"""What is known of a node: MADE, that it is there; KNOWN, its position; COUNTING, a thread counts
its moves; OPEN, it may have children; OVER, the game is over."""

USED_NODES, USED_PLACES, LOCK, ROOT, PEAK = range(5)
"""Fields of `Tree.state`; the last is the greatest payoff that was met."""

NEVER = 1 << 30
"""As many visits as no node has."""

_SMALLEST = 4
SIZES = 24
_PLACES_A_NODE = 4
"""How many places there are for a node, which stands in one; lists of children have some left."""


class Tree(Record):
    """Nodes, and places of their children.

    There are so many `nodes` and so much `room` for places; `state` has the fields above, and
    `free` for each size the first list of places that is free again.

    Of a node: `visits`; `totals`, the sum of values for each seat; `choosers`, the seat that
    decides; `known`, what is known of it; `moves`, the number of legal moves; `tried`, of how many
    there are children; `first_move` and `stride`, their order; `begin` and `sizes`, where its
    places are, and by what power of two there are more than the fewest; `low` and `high`, bounds
    of twice the value for the first seat; `plies`, in how many plies the game ends, where these
    are equal; `positions` and `keys`, its position and what is remembered of it. `due` has at how
    many visits its moves are to be judged; `is_ordered`, whether they were; `tables`, where it
    counts the ends of games, or EMPTY.

    Of a place: `places` has the child; `means` its value for the seat that decides; `spreads` the
    inverse of the root of its visits. In an ordered node each move has a place, of
    which `numbers` has its number, `marks` what it sets, and `priors` its first value.
    """

    nodes: int
    room: int
    seats: int
    state: Words
    free: Shorts
    visits: Shorts
    totals: Doubles
    choosers: Signs
    known: Signs
    moves: Shorts
    tried: Shorts
    first_move: Shorts
    stride: Shorts
    begin: Shorts
    sizes: Signs
    low: Signs
    high: Signs
    plies: Shorts
    positions: Words
    keys: Words
    due: Shorts
    is_ordered: Signs
    tables: Shorts
    places: Shorts
    means: Floats
    spreads: Floats
    numbers: Shorts
    marks: Shorts
    priors: Floats


def new_tree(memory: int, seats: int, position_words: int, key_words: int) -> Tree:
    """Return an empty tree of so many bytes; of memory that is never used, nothing is taken."""
    of_node = 42 + 8 * (seats + position_words + key_words) + 24 * _PLACES_A_NODE
    nodes = max(64, min(memory // of_node, (1 << 31) // _PLACES_A_NODE - 1))
    free = array("Shorts", SIZES)
    for size in range(SIZES):
        free[size] = EMPTY
    return Tree(
        nodes=nodes,
        room=nodes * _PLACES_A_NODE,
        seats=seats,
        state=array("Words", 5),
        free=free,
        visits=array("Shorts", nodes),
        totals=array("Doubles", nodes * seats),
        choosers=array("Signs", nodes),
        known=array("Signs", nodes),
        moves=array("Shorts", nodes),
        tried=array("Shorts", nodes),
        first_move=array("Shorts", nodes),
        stride=array("Shorts", nodes),
        begin=array("Shorts", nodes),
        sizes=array("Signs", nodes),
        low=array("Signs", nodes),
        high=array("Signs", nodes),
        plies=array("Shorts", nodes),
        positions=array("Words", nodes * position_words),
        keys=array("Words", nodes * key_words),
        due=array("Shorts", nodes),
        is_ordered=array("Signs", nodes),
        tables=array("Shorts", nodes),
        **new_lists(nodes * _PLACES_A_NODE),
    )


def new_lists(room: int) -> dict[str, memoryview]:
    """Return memory for so many places."""
    return {
        "places": array("Shorts", room),
        "means": array("Floats", room),
        "spreads": array("Floats", room),
        "numbers": array("Shorts", room),
        "marks": array("Shorts", room),
        "priors": array("Floats", room),
    }


@native
def new_node(tree: Tree) -> int:
    """Return the number of a new node, or EMPTY if there is no memory left."""
    node = tree.state[USED_NODES]
    if node >= tree.nodes:
        return EMPTY
    tree.state[USED_NODES] = node + 1
    tree.visits[node] = 0
    for seat in range(tree.seats):
        tree.totals[node * tree.seats + seat] = 0.0
    tree.known[node] = MADE
    tree.tried[node] = 0
    tree.moves[node] = 0
    tree.sizes[node] = EMPTY
    tree.low[node] = 0
    tree.high[node] = 2
    tree.plies[node] = 0
    tree.due[node] = NEVER
    tree.is_ordered[node] = 0
    tree.tables[node] = EMPTY
    return node


@native
def room(size: int) -> int:
    """Return how many places there are in a list of a size."""
    return _SMALLEST << size


@native
def _new_places(tree: Tree, size: int) -> int:
    """Return where new places begin, or EMPTY if there are none left."""
    begin = tree.free[size]
    if begin != EMPTY:
        tree.free[size] = tree.places[begin]
        return begin
    used = tree.state[USED_PLACES]
    if used + room(size) > tree.room:
        return EMPTY
    tree.state[USED_PLACES] = used + room(size)
    return used


@native
def has_places(tree: Tree, node: int, number: int) -> bool:
    """Make sure that there is a place for so many children; return whether there is."""
    size, tried = tree.sizes[node], tree.tried[node]
    if size != EMPTY and number <= room(size):
        return True
    wanted = size + 1
    while room(wanted) < number:
        wanted += 1
    begin = _new_places(tree, wanted)
    if begin == EMPTY:
        return False
    if size != EMPTY:
        before = tree.begin[node]
        for n in range(tried):
            tree.places[begin + n] = tree.places[before + n]
            tree.means[begin + n] = tree.means[before + n]
            tree.spreads[begin + n] = tree.spreads[before + n]
        tree.places[before] = tree.free[size]
        tree.free[size] = before
    tree.begin[node] = begin
    tree.sizes[node] = wanted
    return True


@native
def has_all_places(tree: Tree, node: int) -> bool:
    """Make an empty place for each move of a node where chance decides; return whether it could."""
    size = 0
    while room(size) < tree.moves[node]:
        size += 1
    begin = _new_places(tree, size)
    if begin == EMPTY:
        return False
    for n in range(tree.moves[node]):
        tree.places[begin + n] = EMPTY
    tree.begin[node] = begin
    tree.sizes[node] = size
    return True


@native
def children(tree: Tree, node: int) -> int:
    """Return how many places of a node's list may have children."""
    if tree.tried[node] == 0:
        return 0
    return tree.moves[node] if tree.choosers[node] == CHANCE else tree.tried[node]


@native
def move_number(tree: Tree, node: int, place: int) -> int:
    """Return the number of the legal move that leads to a place, or PASS."""
    if tree.first_move[node] == PASS:
        return PASS
    if tree.is_ordered[node] != 0:
        return tree.numbers[tree.begin[node] + place]
    return (tree.first_move[node] + place * tree.stride[node]) % tree.moves[node]


def numbers_of_moves(tree: Tree, node: int, number: int) -> list[int]:
    """Return the numbers of the legal moves that lead to the first so many places of a node."""
    return [move_number(tree, node, place) for place in range(number)]
