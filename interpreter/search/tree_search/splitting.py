"""Turns of many moves, gone through in parts: first the first decisions, then those that follow.

In: a node of many moves. Out: in place of a child for each move, one for each *run* of moves that
begin with the same decisions. What then holds: a part stands for the position of the node that it
is in, and leads to moves of its run alone; whose move it is stays the same.

What is found out about a move so tells something of all that begin as it does. This is "Split moves
for Monte-Carlo tree search" (J. Kowalski, M. Mika, W. Pawlik, J. Sutowicz, M. Szykuła and M.
Winands, 2022), with as many decisions taken together as leave some moves in each run.
"""

from __future__ import annotations

from gdl.interpreter.native.memory import world as w
from gdl.interpreter.search.first_moves.amaf import Tally, can_be_ordered, first_due
from gdl.interpreter.search.machine.instructions import address, call, native
from gdl.interpreter.search.memory.policy import Policy
from gdl.interpreter.search.memory.positions import (
    Desk,
    Fields,
    GameFunctions,
    below,
    load,
    prepare,
)
from gdl.interpreter.search.memory.tree import (
    CHANCE,
    ROOT,
    SPLIT,
    SPLIT_UP,
    Tree,
    acquire,
    is_part,
    release,
)
from gdl.interpreter.search.tree_search.growth import has_places

_ERROR, _STOPPED = w.ERROR // 8, w.STOPPED
LIST_WORDS = 1 << 18
"""How long a list of moves may be; of more, none are split."""
LEVELS = 16
"""How many entries of a move are looked at, less one."""
FEWEST_MOVES = 32
"""Nodes of fewer moves are not split: all of them are soon tried."""
_LEAST_RUN = 5
_FEWEST_RUNS = 8
"""How many moves a run has at least, as a mean, and how many runs there are: the mean of a few
moves, such as those of one piece, tells little of the best of them."""
_MOVES_A_VISIT = 128
"""Moves are listed when a node has a visit for each so many: where there are thousands, that takes
longer than a random game."""


@native
def _length_in_common(desk: Desk, one: int, other: int) -> int:
    """Return with how many equal entries two moves of the list begin."""
    most = min(LEVELS - 1, min(desk.list[one], desk.list[other]))
    for n in range(most):
        if desk.list[one + 1 + n] != desk.list[other + 1 + n]:
            return n
    return most


@native
def _begin_of(desk: Desk, number: int) -> int:
    """Return where in the list a move stands."""
    at = 0
    for _ in range(number):
        at += desk.list[at] + 1
    return at


@native
def _level(desk: Desk, first: int, moves: int) -> int:
    """Return of how many entries runs are to be made, 0 for none, of moves from a place on."""
    for n in range(LEVELS):
        desk.levels[n] = 0
    at = first
    for _ in range(moves - 1):
        following = at + desk.list[at] + 1
        desk.levels[_length_in_common(desk, at, following)] += 1
        at = following
    runs, level = 1, 0
    for n in range(LEVELS - 1):
        runs += desk.levels[n]
        if runs >= _FEWEST_RUNS and runs * _LEAST_RUN <= moves:
            level = n + 1
    return level


@native
def waits(tree: Tree, node: int, policy: Policy) -> bool:
    """Return whether a node has too many moves for its visits to be worth a list of them."""
    if tree.moves[node] < policy.split or node == tree.state[ROOT] or is_part(tree, node):
        return False
    return tree.visits[node] * _MOVES_A_VISIT < tree.moves[node]


@native
def _is_one_left(desk: Desk, first: int, moves: int, level: int) -> bool:
    """Return whether each move, from a place of the list on, has one entry after so many."""
    at = first
    for _ in range(moves):
        if desk.list[at] != level + 1:
            return False
        at += desk.list[at] + 1
    return True


@native
def is_split(
    tree: Tree,
    node: int,
    parent: int,
    moves: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    policy: Policy,
    tally: Tally,
) -> bool:
    """Split the moves of a node that a thread has to itself; return whether there was cause to."""
    if moves < policy.split or tree.choosers[node] == CHANCE:
        return False
    if is_part(tree, node):
        if tree.are_split[parent] == SPLIT_UP:
            return False
    elif can_be_ordered(tree, node, moves, desk, code, fields, tally):
        return False
    prepare(desk, code)
    load(tree, node, desk, fields)
    used = call(
        code.listed, address(desk.position), address(desk.world), address(desk.list), LIST_WORDS
    )
    if desk.world[_ERROR] != 0:
        if desk.world[_ERROR] != _STOPPED:
            desk.world[_ERROR] = 0
        return False
    if used > LIST_WORDS:
        return False
    run = max(0, tree.runs[node])
    first = _begin_of(desk, run)
    level = _level(desk, first, moves)
    if level == 0:
        return False
    runs = 1
    for n in range(level):
        runs += desk.levels[n]
    acquire(tree, node)
    has_room = has_places(tree, node, runs, desk)
    if has_room:
        _keep_runs(tree, node, run, first, moves, level, desk)
        tree.moves[node] = runs
        is_last = _is_one_left(desk, first, moves, level)
        tree.are_split[node] = SPLIT_UP if is_last else SPLIT
        tree.due[node] = first_due(tree, node, tally)
    release(tree, node)
    return has_room


@native
def _keep_runs(
    tree: Tree, node: int, run: int, first: int, moves: int, level: int, desk: Desk
) -> None:
    """Give each run its place, in a random order: the number of its first move, and how many."""
    begin, at, count, size = tree.begin[node], first, 0, 1
    for n in range(1, moves + 1):
        following = at + desk.list[at] + 1
        if n < moves and _length_in_common(desk, at, following) >= level:
            size += 1
        else:
            place = begin + below(desk, count + 1)
            tree.numbers[begin + count] = tree.numbers[place]
            tree.lengths[begin + count] = tree.lengths[place]
            tree.numbers[place] = run + n - size
            tree.lengths[place] = size
            count += 1
            size = 1
        at = following
