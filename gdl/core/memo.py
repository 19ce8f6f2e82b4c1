"""What was worked out for nodes, told by which object a node is, not by what it is equal to.

In: nodes, each made once and never changed: of the core or of the syntax, blocks, relations. Out:
what was kept for them. What then holds: a node lives as long as what is kept for it, so no other
one can be taken for it. (The number that `id` gives goes to another object when the first is gone.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

Node = TypeVar("Node")
Other = TypeVar("Other")
Value = TypeVar("Value")


class Memo(Generic[Node, Value]):
    """What is kept for each of some nodes."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        """Begin with nothing."""
        self._known: dict[int, tuple[Node, Value]] = {}

    def __getstate__(self) -> tuple[list[tuple[Node, Value]]]:
        return (list(self._known.values()),)

    def __setstate__(self, state: tuple[list[tuple[Node, Value]]]) -> None:
        self._known = {id(node): (node, value) for node, value in state[0]}

    def of(self, node: Node, work: Callable[[Node], Value]) -> Value:
        """Return what is kept for a node; the first time, that is what is worked out now."""
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = node, work(node)
        return known[1]

    def get(self, node: Node) -> Value | None:
        """Return what is kept for a node; None if nothing is."""
        known = self._known.get(id(node))
        return None if known is None else known[1]

    def keep(self, node: Node, value: Value) -> Value:
        """Keep a value for a node, and return it."""
        self._known[id(node)] = node, value
        return value

    def __contains__(self, node: Node) -> bool:
        return id(node) in self._known

    def __len__(self) -> int:
        return len(self._known)

    def items(self) -> Iterator[tuple[Node, Value]]:
        """Return the nodes, each with what is kept for it, in the order in which they came."""
        return iter(self._known.values())


class PairMemo(Generic[Node, Other, Value]):
    """What is kept for each of some pairs of nodes."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        """Begin with nothing."""
        self._known: dict[tuple[int, int], tuple[Node, Other, Value]] = {}

    def of(self, a: Node, b: Other, work: Callable[[Node, Other], Value]) -> Value:
        """Return what is kept for a pair; the first time, that is what is worked out now."""
        known = self._known.get((id(a), id(b)))
        if known is None:
            known = self._known[id(a), id(b)] = a, b, work(a, b)
        return known[2]

    def get(self, a: Node, b: Other) -> Value | None:
        """Return what is kept for a pair; None if nothing is."""
        known = self._known.get((id(a), id(b)))
        return None if known is None else known[2]

    def keep(self, a: Node, b: Other, value: Value) -> Value:
        """Keep a value for a pair, and return it."""
        self._known[id(a), id(b)] = a, b, value
        return value

    def drop(self, value: Value) -> None:
        """Forget all pairs for which a value is kept."""
        self._known = {pair: known for pair, known in self._known.items() if known[2] != value}


class Met(Generic[Node]):
    """Nodes that have been met."""

    __slots__ = ("_nodes",)

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        """Begin with some nodes."""
        self._nodes: dict[int, Node] = {id(node): node for node in nodes}

    def add(self, node: Node) -> bool:
        """Take note of a node; return whether it was not met before."""
        if id(node) in self._nodes:
            return False
        self._nodes[id(node)] = node
        return True

    def __contains__(self, node: Node) -> bool:
        return id(node) in self._nodes

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes.values())
