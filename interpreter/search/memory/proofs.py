"""What is proven of a position: bounds of its value, and in how many plies the game ends.

In: a node whose child is known better than before. Out: the node's own bounds. What then holds:
whatever the players do, the game is worth no less and no more, if the seat that decides plays
well; a proof needs no random game.

Bounds are those of T. Cazenave and A. Saffidine, "Score bounded Monte-Carlo tree search" (2010),
after M. Winands and others, "Monte-Carlo tree search solver" (2008). They are
kept where there are one or two seats, as twice the value for the first: 0, 1 or 2.
"""

from __future__ import annotations

from gdl.interpreter.search.machine.instructions import native, publish
from gdl.interpreter.search.memory.tree import CHANCE, EMPTY, Tree, children, is_part

LOST, DRAWN, WON = 0, 1, 2
"""Twice the value for the first seat."""
HOPELESS = -1e9
"""In place of the mean of a child which can be no better than another."""


@native
def is_proven(tree: Tree, node: int) -> bool:
    """Return whether the value of a node is known."""
    return tree.low[node] == tree.high[node]


@native
def tightened(tree: Tree, node: int) -> bool:
    """Tighten the bounds of a node by those of its children; return whether they changed.

    The thread has the node to itself; what it finds of the children holds, as bounds only tighten.
    """
    chooser = tree.choosers[node]
    is_whole = tree.tried[node] == tree.moves[node]
    least_low, most_low, least_high, most_high = WON, LOST, WON, LOST
    begin = tree.begin[node]
    for n in range(children(tree, node)):
        child = tree.places[begin + n]
        if child != EMPTY:
            least_low = min(least_low, tree.low[child])
            most_low = max(most_low, tree.low[child])
            least_high = min(least_high, tree.high[child])
            most_high = max(most_high, tree.high[child])
    low, high = LOST, WON
    if chooser == 0:
        low = most_low
        high = most_high if is_whole else WON
    elif chooser == 1:
        high = least_high
        low = least_low if is_whole else LOST
    elif is_whole:
        low, high = least_low, most_high
    if low <= tree.low[node] and high >= tree.high[node]:
        return False
    low, high = max(low, tree.low[node]), min(high, tree.high[node])
    if low == high:
        tree.plies[node] = _plies(tree, node, low)
    publish(tree.low, node, low)
    publish(tree.high, node, high)
    if chooser != CHANCE:
        _give_up_hopeless(tree, node)
    return True


@native
def _plies(tree: Tree, node: int, value: int) -> int:
    """Return in how many plies a node of this value ends: the winner hurries, others do not."""
    chooser = tree.choosers[node]
    wins = (chooser == 0 and value == WON) or (chooser == 1 and value == LOST)
    best = EMPTY
    begin = tree.begin[node]
    for n in range(children(tree, node)):
        child = tree.places[begin + n]
        if child == EMPTY or tree.low[child] != value or tree.high[child] != value:
            continue
        plies = tree.plies[child] + (0 if is_part(tree, child) else 1)
        if best == EMPTY or (plies < best if wins else plies > best):
            best = plies
    return best


@native
def _give_up_hopeless(tree: Tree, node: int) -> None:
    """Mark children that are known to be no better than what the node has already."""
    begin = tree.begin[node]
    for n in range(tree.tried[node]):
        if is_hopeless(tree, node, tree.places[begin + n]):
            tree.means[begin + n] = HOPELESS


@native
def is_hopeless(tree: Tree, node: int, child: int) -> bool:
    """Return whether a child is known to be no better than what the node has already."""
    if tree.choosers[node] == 0:
        return tree.high[child] <= tree.low[node]
    return tree.low[child] >= tree.high[node]
