"""The tree of an engine, kept from one position to the next.

In: positions in front of a thread, as they are reached. Out: a tree whose root is that position.
What then holds: what was found out about a position some moves below the root is not lost when it
is reached; the moves that were not made are left behind.
"""

from __future__ import annotations

from interpreter.search.binding import Binding, Seat
from interpreter.search.compiled import Compiled
from interpreter.search.findings import children_with_moves
from interpreter.search.priors import Priors
from interpreter.search.pruning import pruned
from interpreter.search.tally import Tally, new_tally
from interpreter.search.tree import KNOWN, OVER, ROOT, USED_NODES, Tree

_MOST_LOOKED_THROUGH = 30_000
_DEEPEST_KNOWN = 6
_PART_OF_TALLY = 4
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
        memory = self._memory // _PART_OF_TALLY if self._has_order else 0
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
