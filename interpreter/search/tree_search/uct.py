"""Which child of a node a search goes to, and what it keeps of each to tell.

In: a node, and what is known of its children. Out: the place of one. What then holds: the numbers
by which a child is chosen stand in its place, side by side with those of its siblings.

Children are chosen by UCT: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning"
(2006); a child that was not tried counts as one of a fixed value ("first-play
urgency": S. Gelly and others, 2006). Where chance decides, moves are drawn as the
rules draw them. A thread counts its visits as lost as long as it is on its way ("virtual loss":
G. Chaslot, M. Winands and J. van den Herik, "Parallel Monte-Carlo tree search", 2008).
"""

from __future__ import annotations

from math import log, sqrt

from gdl.interpreter.search.first_moves.amaf import Tally
from gdl.interpreter.search.machine.instructions import add_at_once, latest, native
from gdl.interpreter.search.memory.policy import TABLED, Policy
from gdl.interpreter.search.memory.positions import LEFT, Desk, below
from gdl.interpreter.search.memory.proofs import HOPELESS, is_hopeless
from gdl.interpreter.search.memory.tree import CHANCE, EMPTY, ROOT, Tree

_IN_ORDER = 0.6
"""By what the weight of what is not known is multiplied where moves are in an order."""


@native
def _weight(visits: int, policy: Policy) -> float:
    """Return the weight of what is not known yet, in a node of so many visits."""
    if visits < TABLED:
        return policy.weights[visits]
    return policy.exploration * sqrt(log(1.0 + visits))


@native
def _spread(visits: int, policy: Policy) -> float:
    """Return the inverse of the root of a number of visits."""
    return policy.spreads[visits] if visits < TABLED else 1.0 / sqrt(visits)


@native
def chosen(tree: Tree, node: int, desk: Desk, policy: Policy, tally: Tally) -> int:
    """Return the place of the child to go to; `tried` of the node for a new one."""
    if tree.choosers[node] == CHANCE:
        return below(desk, tree.moves[node])
    # Another thread that adds a child may move the list: it does so before it says so.
    tried, is_ordered = latest(tree.tried, node), latest(tree.is_ordered, node)
    begin = latest(tree.begin, node)
    weight = _weight(tree.visits[node], policy)
    if is_ordered != 0:
        weight = weight * _IN_ORDER
    place, best = EMPTY, 2.0 * HOPELESS
    if tried < tree.moves[node]:
        place = tried
        best = policy.urgency + weight
        if is_ordered != 0:
            best = tree.priors[begin + tried] + weight * _spread(tally.weight, policy)
        if node == tree.state[ROOT]:
            best = -HOPELESS
    for n in range(tried):
        score = tree.means[begin + n] + weight * tree.spreads[begin + n]
        if score > best:
            place, best = n, score
    return place


@native
def best_tried(tree: Tree, node: int, policy: Policy) -> int:
    """Return the place of a child that is there, where no memory is left; or EMPTY."""
    weight = _weight(tree.visits[node], policy)
    place, best = EMPTY, 2.0 * HOPELESS
    tried = latest(tree.tried, node)
    begin = latest(tree.begin, node)
    if tree.choosers[node] != CHANCE:
        for n in range(tried):
            score = tree.means[begin + n] + weight * tree.spreads[begin + n]
            if score > best:
                place, best = n, score
    return place


@native
def refresh(tree: Tree, parent: int, place: int, child: int, policy: Policy, tally: Tally) -> None:
    """Bring the numbers up to date by which a child is chosen."""
    chooser = tree.choosers[parent]
    at = tree.begin[parent] + place
    visits = max(1, tree.visits[child])
    before = 0.0
    if tree.is_ordered[parent] != 0:
        before = tree.priors[at] * tally.weight
        visits += tally.weight
    spread = _spread(visits, policy)
    if chooser != CHANCE:
        total = tree.totals[child * tree.apart + chooser] + before
        tree.means[at] = total * spread * spread
        if is_hopeless(tree, parent, child):
            tree.means[at] = HOPELESS
    tree.spreads[at] = spread


@native
def enter(
    tree: Tree, desk: Desk, depth: int, node: int, place: int, policy: Policy, tally: Tally
) -> None:
    """Note that the way leads to a node, which counts as lost until the result is known.

    On a way from the root that is counted when it is known where the thread stays.
    """
    desk.path[depth] = node
    desk.steps[depth] = place
    if tree.is_shared and desk.stay[LEFT] > 0:
        add_at_once(tree.visits, node, policy.games)
        refresh(tree, desk.path[depth - 1], place, node, policy, tally)


@native
def leave(tree: Tree, node: int, desk: Desk, policy: Policy) -> None:
    """Add the result of a way to one of its nodes."""
    for seat in range(tree.seats):
        if tree.is_shared:
            add_at_once(tree.totals, node * tree.apart + seat, desk.points[seat])
        else:
            tree.totals[node * tree.apart + seat] += desk.points[seat]
    if not tree.is_shared:
        tree.visits[node] += policy.games
