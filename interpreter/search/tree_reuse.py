"""The tree of an engine, kept from one position to the next.

In: positions in front of a thread, as they are reached. Out: a tree whose root is that position.
What then holds: what was found out about a position some moves below the root is not lost when it
is reached; the moves that were not made are left behind.
"""

from __future__ import annotations

from gdl.interpreter.search.binding import Binding, Seat
from gdl.interpreter.search.first_moves.amaf import (
    TABLE_BYTES_A_WORD,
    USED_TABLES,
    Tally,
    new_tally,
)
from gdl.interpreter.search.first_moves.priors import Priors
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.machine.instructions import Record, Shorts, address, array, copy, native
from gdl.interpreter.search.memory.positions import Fields
from gdl.interpreter.search.memory.tree import (
    EMPTY,
    KNOWN,
    OVER,
    ROOT,
    SIZES,
    USED_NODES,
    USED_PLACES,
    Tree,
    children,
    new_lists,
)
from gdl.interpreter.search.tree_search.findings import children_with_moves
from gdl.interpreter.search.tree_search.growth import room

_MOST_LOOKED_THROUGH = 30_000
_DEEPEST_KNOWN = 6
PART_OF_TALLY = 4
"""A tally has this part of what memory a tree has."""


class KeptTree:
    """The `tree`, once there is one, and the `tally` of what happened in its random games."""

    def __init__(
        self,
        binding: Binding,
        compiled: Compiled,
        memory: int,
        *,
        is_shared: bool,
        has_order: bool,
        priors: Priors,
    ) -> None:
        """Take how many bytes of `memory` a tree has, and whether several threads share it.

        With `has_order`, the tally has room for what puts moves in order, and `priors` change that.
        """
        self.tree: Tree | None = None
        self._binding = binding
        self._compiled = compiled
        self._memory = memory
        self._is_shared = is_shared
        self._has_order = has_order
        self._priors = priors
        self._earlier: tuple[bytes, ...] = ()
        self.tally = self._new_tally()

    def forget(self) -> None:
        """Let the next tree be a new one."""
        self.tree = None

    def take(self, seat: Seat) -> Tree:
        """Return the tree for the position in front of a thread, with what is known of it."""
        earlier = self._binding.earlier(seat)
        node = None if self.tree is None else self._known(self.tree, seat, earlier)
        if self.tree is None or node is None:
            self.tree = self._binding.new_tree(
                self._memory,
                is_shared=self._is_shared,
                has_leans=self._priors.sites > 0,
            )
            self.tally = self._new_tally()
        elif node != self.tree.state[ROOT]:
            fields = self._binding.fields
            self.tree = pruned(self._compiled, self.tree, node, fields, self.tally)
        self._earlier = earlier
        return self.tree

    def _new_tally(self) -> Tally:
        memory = self._memory // PART_OF_TALLY if self._has_order else 0
        return new_tally(self._binding.masks, memory, self._priors)

    def _known(self, tree: Tree, seat: Seat, earlier: tuple[bytes, ...]) -> int | None:
        """Return the node of the position in front of a thread, some moves below the root."""
        if not tree.state[USED_NODES]:
            return None
        wanted = seat.desk.position[: self._binding.fields.bytes].tobytes()
        level = [(int(tree.state[ROOT]), self._earlier)]
        looked_through = 0
        for _ in range(_DEEPEST_KNOWN):
            for node, past in level:
                is_there = tree.known[node] >= KNOWN and tree.known[node] != OVER
                if is_there and self._binding.position(tree, node) == wanted and past == earlier:
                    return node
            looked_through += len(level)
            level = [
                (child, tuple(map(bytes.__add__, past, self._binding.key(tree, child))))
                for node, past in level
                for _, child in children_with_moves(tree, node)
            ]
            if not level or looked_through + len(level) > _MOST_LOOKED_THROUGH:
                return None
        return None


# ------------------------------------------------- what is kept of a tree when moves have been made


class Pruning(Record):
    """The node that is to be the root, the new number of each node, and those to be looked at."""

    root: int
    numbers: Shorts
    waiting: Shorts


@native
def number_anew(tree: Tree, pruning: Pruning) -> None:
    """Give each node that can be reached from the root its new number, and EMPTY to others."""
    root = pruning.root
    used = tree.state[USED_NODES]
    for node in range(used):
        pruning.numbers[node] = EMPTY
    pruning.waiting[0] = root
    pruning.numbers[root] = 0
    number = 1
    while number > 0:
        number -= 1
        node = pruning.waiting[number]
        for n in range(children(tree, node)):
            child = tree.places[tree.begin[node] + n]
            if child != EMPTY:
                pruning.numbers[child] = 0
                pruning.waiting[number] = child
                number += 1
    kept = 0
    for node in range(used):
        if pruning.numbers[node] != EMPTY:
            pruning.numbers[node] = kept
            kept += 1


@native
def _move_node(tree: Tree, node: int, target: int, position_bytes: int, key_bytes: int) -> None:
    tree.visits[target] = tree.visits[node]
    for seat in range(tree.seats):
        tree.totals[target * tree.apart + seat] = tree.totals[node * tree.apart + seat]
    tree.choosers[target] = tree.choosers[node]
    tree.known[target] = tree.known[node]
    tree.moves[target] = tree.moves[node]
    tree.tried[target] = tree.tried[node]
    tree.first_move[target] = tree.first_move[node]
    tree.stride[target] = tree.stride[node]
    tree.begin[target] = tree.begin[node]
    tree.sizes[target] = tree.sizes[node]
    tree.low[target] = tree.low[node]
    tree.high[target] = tree.high[node]
    tree.plies[target] = tree.plies[node]
    tree.due[target] = tree.due[node]
    tree.is_ordered[target] = tree.is_ordered[node]
    tree.are_split[target] = tree.are_split[node]
    tree.runs[target] = tree.runs[node]
    tree.tables[target] = tree.tables[node]
    tree.locks[target] = 0
    if node != target:
        positions, keys = address(tree.positions), address(tree.keys)
        copy(positions + target * position_bytes, positions + node * position_bytes, position_bytes)
        copy(keys + target * key_bytes, keys + node * key_bytes, key_bytes)


@native
def move_nodes(tree: Tree, other: Tree, pruning: Pruning, fields: Fields, tally: Tally) -> None:
    """Move nodes to their new numbers, and lists of children to other memory.

    `other` is the tree with that memory.
    """
    used, kept = 0, 0
    for node in range(tree.state[USED_NODES]):
        target = pruning.numbers[node]
        if target == EMPTY:
            continue
        kept += 1
        _move_node(tree, node, target, fields.bytes, fields.key_bytes)
        if tree.sizes[target] == EMPTY:
            continue
        begin = tree.begin[target]
        for n in range(children(tree, target)):
            child = tree.places[begin + n]
            other.places[used + n] = EMPTY if child == EMPTY else pruning.numbers[child]
            other.means[used + n] = tree.means[begin + n]
            other.spreads[used + n] = tree.spreads[begin + n]
        if tree.is_ordered[target] != 0 or tree.are_split[target] != 0:
            for n in range(tree.moves[target]):
                other.numbers[used + n] = tree.numbers[begin + n]
                other.lengths[used + n] = tree.lengths[begin + n]
                other.marks[used + n] = tree.marks[begin + n]
                other.priors[used + n] = tree.priors[begin + n]
                if tally.priors.sites > 0:
                    other.leans[used + n] = tree.leans[begin + n]
        tree.begin[target] = used
        used += room(tree.sizes[target])
    for size in range(SIZES):
        tree.free[size] = EMPTY
    tree.state[USED_NODES] = kept
    tree.state[USED_PLACES] = used
    tree.state[ROOT] = pruning.numbers[pruning.root]


@native
def move_tables(tree: Tree, tally: Tally, pruning: Pruning) -> None:
    """Give the tables of nodes that are kept to these, and move them together."""
    kept, size = 0, tally.words * TABLE_BYTES_A_WORD
    for table in range(tally.state[USED_TABLES]):
        node = pruning.numbers[tally.owners[table]]
        if node == EMPTY:
            continue
        if table != kept:
            cells = address(tally.cells)
            copy(cells + kept * size, cells + table * size, size)
            tally.games[kept] = tally.games[table]
            tally.scores[kept] = tally.scores[table]
        tally.owners[kept] = node
        tree.tables[node] = kept
        kept += 1
    tally.state[USED_TABLES] = kept


def pruned(code: Compiled, tree: Tree, root: int, fields: Fields, tally: Tally) -> Tree:
    """Return the part of a tree below a node; the tree itself is used up.

    Of the tally, the tables of its nodes are kept.
    """
    pruning = new_pruning(root, tree.state[USED_NODES])
    code(number_anew, tree, pruning)
    other = with_lists_anew(tree, has_leans=tally.priors.sites > 0)
    code(move_nodes, tree, other, pruning, fields, tally)
    code(move_tables, tree, tally, pruning)
    return other


def new_pruning(root: int, nodes: int) -> Pruning:
    """Return what is needed to leave all but what is below a node, in a tree of so many."""
    return Pruning(root=root, numbers=array("Shorts", nodes), waiting=array("Shorts", nodes))


def with_lists_anew(tree: Tree, *, has_leans: bool) -> Tree:
    """Return a tree of the same memory, but with other memory for lists of children."""
    return tree.replaced(**new_lists(tree.room, has_leans=has_leans))
