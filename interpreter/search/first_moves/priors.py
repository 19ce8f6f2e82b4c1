"""What a move that sets a piece is worth before it is tried, by what stands around its site.

In: the position of a node, and those that it came from. Out: for each of its moves by how much its
first value is more or less than the usual. What then holds: nothing is asked but where each side
has pieces; who has learned nothing adds nothing.

A site is judged by a sum of learned numbers: one for what stands on the sites near it, one for each
site that lies beyond these, by what stands there and between; one for where the last move was, and
for where the last but one was, which is the side's own (patterns of moves: B. Bouzy and G. Chaslot,
"Bayesian generation and integration of k-nearest-neighbor patterns for 19x19 Go", 2005; as first
values of nodes: S. Gelly and D. Silver, 2007). `patterns` has which number is where.
"""

from __future__ import annotations

from gdl.interpreter.search.first_moves.surroundings import (
    EMPTY,
    ENEMY,
    MOST_BETWEEN,
    OFF,
    OWN,
    STATES,
)
from gdl.interpreter.search.machine.instructions import (
    Floats,
    Record,
    Shorts,
    Signs,
    Words,
    array,
    lowest_bit,
    native,
)
from gdl.interpreter.search.memory.positions import Desk
from gdl.interpreter.search.memory.tree import Tree

_WORD_BITS = 64
_NOWHERE = -1
BETWEEN_STATES: int = STATES**MOST_BETWEEN
BEYOND_STATES = STATES * BETWEEN_STATES
BESIDE_STATES = STATES * STATES
"""How many numbers there are for one site beyond, for what is between, and for what is beside."""


class Priors(Record):
    """What surroundings are worth.

    There are so many `sites`, 0 if nothing is known; so many are `near` one, in as many directions,
    and `beyond` it: `near_sites` and `beyond_sites` have them for each site, one after the other,
    `between` the near directions that lead beyond, and `near` in place of those that there are not.
    `masks` tell which bits of a position's words are sites with pieces of sides; of each bit,
    `site_of` has the site and `side_of` the side.
    `worth` has two tables of `size` numbers, one for each side; the parts of a table begin at the
    places that the fields from `of_beyond` on have, the first at 0.
    """

    sites: int
    near: int
    beyond: int
    near_sites: Shorts
    beyond_sites: Shorts
    between: Signs
    words: int
    masks: Words
    site_of: Shorts
    side_of: Signs
    size: int
    of_beyond: int
    of_answer: int
    of_answer_beyond: int
    of_own: int
    of_own_beyond: int
    of_site: int
    worth: Floats


def no_priors() -> Priors:
    """Return what stands for nothing that was learned."""
    numbers = {name: 0 for name, kind in Priors.__annotations__.items() if kind == "int"}
    kinds = {name: kind for name, kind in Priors.__annotations__.items() if kind != "int"}
    return Priors(**numbers, **{name: array(kind, 0) for name, kind in kinds.items()})


@native
def _new_site(tree: Tree, node: int, before: int, side: int, priors: Priors) -> int:
    """Return the one site on which a side has a piece in a node that it had not in another."""
    found = _NOWHERE
    for n in range(priors.words):
        was = tree.positions[before * priors.words + n]
        gained = tree.positions[node * priors.words + n] & priors.masks[n] & (was ^ -1)
        while gained != 0:
            bit = n * _WORD_BITS + lowest_bit(gained)
            if priors.side_of[bit] == side:
                if found != _NOWHERE:
                    return _NOWHERE
                found = priors.site_of[bit]
            gained = gained & (gained - 1)
    return found


@native
def _look_around(tree: Tree, node: int, side: int, desk: Desk, priors: Priors) -> None:
    """Put down for each site of a node's position what stands there, as a side sees it."""
    for site in range(priors.sites):
        desk.states[site] = EMPTY
    desk.states[priors.sites] = OFF
    for n in range(priors.words):
        word = tree.positions[node * priors.words + n] & priors.masks[n]
        while word != 0:
            bit = n * _WORD_BITS + lowest_bit(word)
            state = OWN if priors.side_of[bit] == side else ENEMY
            desk.states[priors.site_of[bit]] = state
            word = word & (word - 1)


@native
def _pattern(site: int, desk: Desk, priors: Priors) -> int:
    """Return what stands on the sites near one."""
    found, first = 0, site * priors.near
    for n in range(priors.near):
        found |= desk.states[priors.near_sites[first + n]] << 2 * n
    return found


@native
def _between(pattern: int, direction: int, priors: Priors) -> int:
    """Return what stands between a site and one beyond it, of what stands near."""
    found = 0
    for n in range(MOST_BETWEEN):
        near = priors.between[direction * MOST_BETWEEN + n]
        found |= (pattern >> 2 * near & 3) << 2 * n
    return found


@native
def _beyond_worth(site: int, pattern: int, begin: int, desk: Desk, priors: Priors) -> float:
    """Return what sites beyond one are worth, by a part of a table that begins there."""
    found, first = 0.0, site * priors.beyond
    for n in range(priors.beyond):
        state = desk.states[priors.beyond_sites[first + n]]
        index = n * BEYOND_STATES + (_between(pattern, n, priors) << 2) + state
        found += priors.worth[begin + index]
    return found


@native
def _answer_worth(
    site: int, pattern: int, last: int, begin: int, desk: Desk, priors: Priors
) -> float:
    """Return what it is worth that the enemy's last move was on a site."""
    first, neighbours = site * priors.near, priors.near
    for n in range(neighbours):
        if priors.near_sites[first + n] == last:
            right = pattern >> 2 * ((n + neighbours - 1) % neighbours) & 3
            left = pattern >> 2 * ((n + 1) % neighbours) & 3
            index = n * BESIDE_STATES + right + STATES * left
            return priors.worth[begin + priors.of_answer + index]
    for n in range(priors.beyond):
        if priors.beyond_sites[site * priors.beyond + n] == last:
            index = n * BETWEEN_STATES + _between(pattern, n, priors)
            return priors.worth[begin + priors.of_answer_beyond + index]
    return 0.0


@native
def _own_worth(site: int, own: int, begin: int, priors: Priors) -> float:
    """Return what it is worth that the side's own last move was on a site."""
    for n in range(priors.near):
        if priors.near_sites[site * priors.near + n] == own:
            return priors.worth[begin + priors.of_own + n]
    for n in range(priors.beyond):
        if priors.beyond_sites[site * priors.beyond + n] == own:
            return priors.worth[begin + priors.of_own_beyond + n]
    return 0.0


@native
def lean(tree: Tree, depth: int, desk: Desk, priors: Priors) -> None:
    """Judge the moves of the last node of a way, of which `marks` has what they set, into `leans`.

    All of them are taken to be moves of one side. The mean of them is 0.
    """
    node, side = desk.path[depth], -1
    last, own, begin = _NOWHERE, _NOWHERE, 0
    total, judged = 0.0, 0
    for number in range(tree.moves[node]):
        mark = desk.marks[number]
        desk.leans[number] = 0.0
        if mark < 0 or priors.side_of[mark] < 0:
            continue
        if side != priors.side_of[mark]:
            side = priors.side_of[mark]
            begin = side * priors.size
            _look_around(tree, node, side, desk, priors)
            if depth > 0:
                last = _new_site(tree, node, desk.path[depth - 1], 1 - side, priors)
            if depth > 1:
                own = _new_site(tree, desk.path[depth - 1], desk.path[depth - 2], side, priors)
        site = priors.site_of[mark]
        pattern = _pattern(site, desk, priors)
        worth = priors.worth[begin + pattern] + priors.worth[begin + priors.of_site + site]
        worth += _beyond_worth(site, pattern, begin + priors.of_beyond, desk, priors)
        if last != _NOWHERE:
            worth += _answer_worth(site, pattern, last, begin, desk, priors)
        if own != _NOWHERE:
            worth += _own_worth(site, own, begin, priors)
        desk.leans[number] = worth
        total += worth
        judged += 1
    for number in range(tree.moves[node]):
        mark = desk.marks[number]
        if mark >= 0 and priors.side_of[mark] >= 0:
            desk.leans[number] -= total / judged
