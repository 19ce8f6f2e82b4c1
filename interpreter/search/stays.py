"""How long a thread stays below a node before it goes down from the root again.

In: a way from the root. Out: the node on it where the next ways begin, and how many of them. What
then holds: the nodes above learn of all results when the thread goes up.

A node that was visited often is hardly judged otherwise after some more visits, so what is above it
is not asked again after each of them. That saves the upper half of most ways; and threads seldom
write to what others read.
"""

from __future__ import annotations

from interpreter.search.choosing import refresh
from interpreter.search.instructions import add_at_once, native
from interpreter.search.locks import acquire, release
from interpreter.search.policy import Policy
from interpreter.search.positions import AT, DONE, LEFT, PLANNED, Desk
from interpreter.search.proofs import tightened
from interpreter.search.tally import Tally
from interpreter.search.tree import CHANCE, Tree

_OFTEN = 256
"""From how many visits on a thread may stay below a node."""
_PART, _LONGEST = 32, 32
_PART_OF_SEVERAL, _LONGEST_OF_SEVERAL = 8, 64
"""It stays for one way for each so many visits, and for so many at most; longer where there are
several threads."""
_NEAR = 3
"""Of so many nodes above, other threads are told at once that the visits to come count as lost."""


@native
def begin_stay(tree: Tree, depth: int, desk: Desk, policy: Policy, tally: Tally) -> None:
    """Choose where to stay on a way that has come from the root, which is the first.

    What is below a decision of chance would be looked at more often than it comes.
    """
    part, longest = _PART, _LONGEST
    if tree.is_shared:
        part, longest = _PART_OF_SEVERAL, _LONGEST_OF_SEVERAL
    at, planned, n = 0, 1, 0
    while n < depth and tree.visits[desk.path[n]] >= _OFTEN:
        at, planned = n, min(longest, tree.visits[desk.path[n]] // part)
        if tree.choosers[desk.path[n]] == CHANCE:
            break
        n += 1
    desk.stay[AT], desk.stay[LEFT], desk.stay[PLANNED], desk.stay[DONE] = at, planned, planned, 0
    if tree.is_shared:
        for n in range(max(0, at - _NEAR), depth + 1):
            add_at_once(tree.visits, desk.path[n], policy.games * (planned if n <= at else 1))
            if n > 0:
                refresh(tree, desk.path[n - 1], desk.steps[n], desk.path[n], policy, tally)


@native
def end_stay(tree: Tree, desk: Desk, is_news: bool, policy: Policy, tally: Tally) -> None:
    """Go up to the root: add all results to the nodes above, and let them know what is proven."""
    at, made = desk.stay[AT], desk.stay[DONE]
    for n in range(at, -1, -1):
        node = desk.path[n]
        if tree.is_shared:
            counted = desk.stay[PLANNED] if n >= at - _NEAR else 0
            if made != counted:
                add_at_once(tree.visits, node, policy.games * (made - counted))
        elif n < at:
            tree.visits[node] += policy.games * made
        if n < at:
            for seat in range(tree.seats):
                if tree.is_shared:
                    add_at_once(tree.totals, node * tree.apart + seat, desk.sums[seat])
                else:
                    tree.totals[node * tree.apart + seat] += desk.sums[seat]
            if is_news:
                acquire(tree, node)
                is_news = tightened(tree, node)
                release(tree, node)
        if n > 0:
            refresh(tree, desk.path[n - 1], desk.steps[n], node, policy, tally)
    for seat in range(tree.seats):
        desk.sums[seat] = 0.0
    desk.stay[LEFT] = 0
