"""The memory of a search: nodes, their children, and the position of each.

In: how much memory there is. Out: a `Tree`, all of whose arrays have a fixed size. What then
holds: a node keeps its number, while the list of its children moves as it grows; `growth` says how.

A node is a position that was reached; most of what is known of it stands in one row of memory. Its
children stand in a stretch of *places*, in the order in which they were first tried: `Tree.places`.
The n-th child that is tried is the legal move with the number `first_move + n * stride`, modulo the
number of moves: so each node tries its moves in an order of its own, of which nothing has to be
kept, until something is known of its moves: then they are put in order. Where chance decides, the
n-th place is that of the n-th move, and empty (-1) as long as it did not come.
"""

from __future__ import annotations

from gdl.interpreter.search.machine.instructions import (
    ROW_BYTES,
    Doubles,
    Floats,
    PairFloats,
    Record,
    RowShorts,
    RowSigns,
    Shorts,
    Words,
    array,
    call,
    exchanged,
    interleaved,
    latest,
    native,
    publish,
)

EMPTY = -1
CHANCE = -1
"""Who decides in a node, if it is no seat."""
PASS = -1
"""The `first_move` of a node in which the side has no move, and passes."""

MADE, KNOWN, COUNTING, OPEN, OVER = range(5)
"""What is known of a node: MADE, that it is there; KNOWN, its position; COUNTING, a thread counts
its moves; OPEN, it may have children; OVER, the game is over."""

SPLIT, SPLIT_UP = 1, 2
"""In `Tree.are_split`: that a node is split, and that its parts, of one decision, will not be."""

USED_NODES, USED_PLACES, LOCK = range(3)
ROOT, PEAK = 16, 17
"""Fields of `Tree.state`; the last is the greatest payoff that was met. Those that threads read at
each step stand apart from those that they write."""
_STATE = 18

NEVER = 1 << 30
"""As many visits as no node has."""

_OF_ROWS = ("RowShorts", "RowSigns")
_SEATS_IN_A_ROW = 2
"""For how many seats a row has the totals of a node as well."""
SIZES = 24
_PLACE_BYTES, _LEAN_BYTES = 28, 4
_PLACES_A_NODE = 4
"""How many places there are for a node, which stands in one; lists of children have some left."""


class Tree(Record):
    """Nodes, and places of their children.

    There are so many `nodes` and so much `room` for places; `state` has the fields above, and
    `free` for each size the first list of places that is free again. With `is_shared`, several
    threads search in it; `rest` is the address of a function that lets others go first, or 0.

    Of a node: `visits`; `totals`, the sum of values for each seat, which are so far `apart` from
    one node to the next; `choosers`, the seat that
    decides; `known`, what is known of it; `moves`, the number of legal moves; `tried`, of how many
    there are children; `first_move` and `stride`, their order; `begin` and `sizes`, where its
    places are, and by what power of two there are more than the fewest; `low` and `high`, bounds
    of twice the value for the first seat; `plies`, in how many plies the game ends, where these
    are equal; `positions` and `keys`, its position and what is remembered of it. `due` has at how
    many visits its moves are to be judged; `is_ordered`, whether they were; `tables`, where it
    counts the ends of games, or EMPTY. With `are_split`, the children are parts of the node's moves
    (see `splitting`); `runs` has of a part with what number its moves begin, and of others EMPTY.

    Of a place: `places` has the child; `means` its value for the seat that decides; `spreads` the
    inverse of the root of its visits. In an ordered node each move has a place, of
    which `numbers` has its number, `marks` what it sets, and `priors` its first value; in a split
    one each run, with the number of its first move, and in `lengths` how many they are. `leans` has
    by how much what is learned of surroundings changes a first value; with `has_leans`, there is
    room for it.
    """

    nodes: int
    room: int
    seats: int
    apart: int
    is_shared: bool
    rest: int
    state: Words
    free: Shorts
    visits: RowShorts
    totals: Doubles
    choosers: RowSigns
    known: RowSigns
    moves: RowShorts
    tried: RowShorts
    first_move: RowShorts
    stride: RowShorts
    begin: RowShorts
    sizes: RowSigns
    low: RowSigns
    high: RowSigns
    plies: RowShorts
    positions: Words
    keys: Words
    due: RowShorts
    is_ordered: RowSigns
    are_split: RowSigns
    runs: RowShorts
    tables: RowShorts
    locks: RowSigns
    places: Shorts
    means: PairFloats
    spreads: PairFloats
    numbers: Shorts
    lengths: Shorts
    marks: Shorts
    priors: Floats
    leans: Floats


def new_tree(
    memory: int,
    seats: int,
    position_words: int,
    key_words: int,
    *,
    is_shared: bool = False,
    rest: int = 0,
    has_leans: bool = False,
) -> Tree:
    """Return an empty tree of so many bytes; of memory that is never used, nothing is taken."""
    place_bytes = _PLACE_BYTES + (_LEAN_BYTES if has_leans else 0)
    of_node = ROW_BYTES + 8 * (seats + position_words + key_words) + place_bytes * _PLACES_A_NODE
    nodes = max(64, min(memory // of_node, (1 << 31) // _PLACES_A_NODE - 1))
    free = array("Shorts", SIZES)
    for size in range(SIZES):
        free[size] = EMPTY
    rows = array("Bytes", nodes * ROW_BYTES)
    totals, apart = rows.cast("d"), ROW_BYTES // 8
    if seats > _SEATS_IN_A_ROW:
        totals, apart = array("Doubles", nodes * seats), seats
    kinds = {name: kind for name, kind in Tree.__annotations__.items() if kind in _OF_ROWS}
    return Tree(
        nodes=nodes,
        room=nodes * _PLACES_A_NODE,
        seats=seats,
        apart=apart,
        is_shared=is_shared,
        rest=rest,
        state=array("Words", _STATE),
        free=free,
        totals=totals,
        positions=array("Words", nodes * position_words),
        keys=array("Words", nodes * key_words),
        **interleaved(kinds, rows, 8 * _SEATS_IN_A_ROW),
        **new_lists(nodes * _PLACES_A_NODE, has_leans=has_leans),
    )


def new_lists(room: int, *, has_leans: bool) -> dict[str, memoryview]:
    """Return memory for so many places."""
    pairs = array("Bytes", 8 * room)
    return {
        "places": array("Shorts", room),
        **interleaved({"means": "PairFloats", "spreads": "PairFloats"}, pairs),
        "numbers": array("Shorts", room),
        "lengths": array("Shorts", room),
        "marks": array("Shorts", room),
        "priors": array("Floats", room),
        "leans": array("Floats", room if has_leans else 0),
    }


@native
def is_part(tree: Tree, node: int) -> bool:
    """Return whether a node is a part of a turn: some of the moves of the node that it is in."""
    return tree.runs[node] != EMPTY


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
    if tree.are_split[node] != 0 or latest(tree.is_ordered, node) != 0:
        return tree.numbers[tree.begin[node] + place]
    return (
        max(0, tree.runs[node])
        + (tree.first_move[node] + place * tree.stride[node]) % tree.moves[node]
    )


def numbers_of_moves(tree: Tree, node: int, number: int) -> list[int]:
    """Return the numbers of the legal moves that lead to the first so many places of a node."""
    return [move_number(tree, node, place) for place in range(number)]


# ------------------------------------ how threads that search one tree keep out of each other's way

_SPINS = 64
"""How often a thread looks before it lets others go first."""


@native
def acquire(tree: Tree, node: int) -> None:
    """Wait until no other thread has a node to itself."""
    if tree.is_shared:
        spins = 0
        while exchanged(tree.locks, node, 1) != 0:
            spins += 1
            if spins % _SPINS == 0 and tree.rest != 0:
                call(tree.rest)


@native
def release(tree: Tree, node: int) -> None:
    """Let other threads have a node."""
    if tree.is_shared:
        publish(tree.locks, node, 0)


@native
def acquire_all(tree: Tree) -> None:
    """Wait until no other thread takes memory of the tree."""
    if tree.is_shared:
        spins = 0
        while exchanged(tree.state, LOCK, 1) != 0:
            spins += 1
            if spins % _SPINS == 0 and tree.rest != 0:
                call(tree.rest)


@native
def release_all(tree: Tree) -> None:
    """Let other threads take memory of the tree."""
    if tree.is_shared:
        publish(tree.state, LOCK, 0)


@native
def claimed(tree: Tree, node: int, known: int, then: int) -> bool:
    """Say of a node of which something is known that something else is; return whether it was so.

    Of several threads that ask, one is answered with yes.
    """
    acquire(tree, node)
    is_ours = tree.known[node] == known
    if is_ours:
        tree.known[node] = then
    release(tree, node)
    return is_ours
