"""How threads that search one tree keep out of each other's way.

In: a tree, a node. Out: the node, or all that is shared, is one thread's until it is released. What
then holds: a thread that has a node to itself never waits for another node, so none waits for ever.

Going down and adding results up takes no lock: a thread reads what others write meanwhile (M.
Enzenberger and M. Müller, "A lock-free multithreaded Monte-Carlo tree search algorithm", 2010).
What has several parts is published last by a field that tells that it is there. Locks are for what
changes a node's state, its list of children, or its bounds; they are held for some instructions.
"""

from __future__ import annotations

from interpreter.search.instructions import call, exchanged, native, publish
from interpreter.search.tree import LOCK, Tree

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
