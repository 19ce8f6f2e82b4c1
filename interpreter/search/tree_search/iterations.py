"""The search itself: Monte-Carlo tree search by upper confidence bounds.

In: a tree, a game's code, what a thread works with. Out: a tree that knows more. What then holds:
one way down the tree has added a node to it, and the results of random games from there, each an
iteration, to each node on the way; or the way ended where the result is known. Several threads may
search in one tree (see `locks`); where another is just counting the moves of a node, the way ends
there.
"""

from __future__ import annotations

from gdl.interpreter.native.memory import world as w
from gdl.interpreter.search.evaluation.estimate import Estimate, estimate_values
from gdl.interpreter.search.evaluation.outlook import outlook_worth
from gdl.interpreter.search.first_moves.amaf import (
    IS_OFF,
    Tally,
    count_game,
    first_due,
    keep_marks,
    look_at_moves,
    put_in_order,
    table_for,
)
from gdl.interpreter.search.first_moves.priors import lean
from gdl.interpreter.search.machine.instructions import (
    add_at_once,
    address,
    call,
    copy,
    latest,
    native,
    publish,
)
from gdl.interpreter.search.memory.policy import Policy
from gdl.interpreter.search.memory.positions import (
    AT,
    DONE,
    LEFT,
    PLANNED,
    Desk,
    Fields,
    GameFunctions,
    below,
    divisor,
    field_value,
    is_stopped,
    judge,
    load,
    load_keys,
    make,
    mark_over,
    prepare,
    store,
)
from gdl.interpreter.search.memory.proofs import is_proven, tightened
from gdl.interpreter.search.memory.tree import (
    CHANCE,
    COUNTING,
    EMPTY,
    KNOWN,
    MADE,
    NEVER,
    OPEN,
    OVER,
    PASS,
    ROOT,
    USED_NODES,
    Tree,
    acquire,
    acquire_all,
    claimed,
    is_part,
    release,
    release_all,
)
from gdl.interpreter.search.tree_search.growth import (
    child_at,
    has_all_places,
    has_places,
    make_empty,
)
from gdl.interpreter.search.tree_search.splitting import is_split, waits
from gdl.interpreter.search.tree_search.uct import best_tried, chosen, enter, leave, refresh

DEEPEST = 2048
"""How many moves from the root a tree may go down."""
_ERROR = w.ERROR // 8


@native
def _count_moves(tree: Tree, node: int, desk: Desk, code: GameFunctions, fields: Fields) -> int:
    """Count the moves in a node, outside of the tree; return how many, PASS, or -2: none."""
    load(tree, node, desk, fields)
    position, world = address(desk.position), address(desk.world)
    moves = call(code.count, position, world)
    if moves == 0 and desk.world[_ERROR] == 0:
        clause = call(code.stuck, position, world) & 0xFFFFFFFF
        return PASS if clause == 0xFFFFFFFF else -2
    return moves


@native
def _open(
    tree: Tree,
    node: int,
    moves: int,
    desk: Desk,
    fields: Fields,
    policy: Policy,
    tally: Tally,
) -> None:
    """Keep the number of moves of a node, and the order in which they are to be tried."""
    tree.first_move[node] = 0
    tree.stride[node] = 1
    tree.moves[node] = max(1, moves)
    then = OPEN
    if moves == PASS:
        tree.first_move[node] = PASS
    elif moves < 0:
        tree.moves[node] = 0
        acquire(tree, node)
        copy(address(tree.positions) + node * fields.bytes, address(desk.position), fields.bytes)
        release(tree, node)
        mark_over(tree, node, desk, fields, policy)
        then = OVER
    elif tree.choosers[node] == CHANCE:
        if not has_all_places(tree, node, desk):
            then = KNOWN
    elif moves > 1:
        tree.first_move[node] = below(desk, moves)
        stride = 1 + below(desk, moves - 1)
        while divisor(stride, moves) != 1:
            stride = 1 + below(desk, moves - 1)
        tree.stride[node] = stride
    tree.due[node] = first_due(tree, node, tally)
    publish(tree.known, node, then)


@native
def _order(
    tree: Tree,
    depth: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    policy: Policy,
    tally: Tally,
) -> bool:
    """Put the moves of the last node of a way in order; return whether that went well."""
    node = desk.path[depth]
    table = table_for(tree, depth, desk, tally)
    if tally.state[IS_OFF] != 0:
        tree.due[node] = NEVER
    if table == EMPTY or tally.state[IS_OFF] != 0:
        return True
    is_whole = tree.are_split[node] == 0 and not is_part(tree, node)
    if tree.is_ordered[node] == 0:
        if not claimed(tree, node, OPEN, COUNTING):
            return True
        are_marked = look_at_moves(tree, node, desk, code, fields, tally)
        if are_marked and is_whole and tally.priors.sites > 0:
            lean(tree, depth, desk, tally.priors)
        acquire(tree, node)
        has_order = are_marked and has_places(tree, node, tree.moves[node], desk)
        if has_order:
            keep_marks(tree, node, desk, tally)
            _put_in_order(tree, node, table, policy, tally)
        else:
            tree.due[node] = NEVER
        publish(tree.known, node, OPEN)
        release(tree, node)
        if is_whole and not are_marked:
            tally.state[IS_OFF] = 1
        return has_order or desk.world[_ERROR] == 0
    acquire(tree, node)
    _put_in_order(tree, node, table, policy, tally)
    release(tree, node)
    return True


@native
def _put_in_order(tree: Tree, node: int, table: int, policy: Policy, tally: Tally) -> None:
    """Judge the moves of a node anew, and bring what is kept of its children up to date."""
    put_in_order(tree, node, table, tally)
    for n in range(tree.tried[node]):
        refresh(tree, node, n, tree.places[tree.begin[node] + n], policy, tally)


@native
def _descend(
    tree: Tree, desk: Desk, code: GameFunctions, fields: Fields, policy: Policy, tally: Tally
) -> int:
    """Go down to a node to judge; return how far, or -1: a failure.

    The last node is new, or its value is known, or there is no way on from it now.
    """
    depth = desk.stay[AT]
    node = desk.path[depth]
    if desk.stay[LEFT] == 0:
        node, depth = tree.state[ROOT], 0
        enter(tree, desk, 0, node, 0, policy, tally)
    while depth + 1 < DEEPEST:
        known = latest(tree.known, node)
        if known == OVER or is_proven(tree, node):
            break
        desk.report[0] = depth
        if known == KNOWN and waits(tree, node, policy):
            break
        if known == KNOWN and claimed(tree, node, KNOWN, COUNTING):
            moves = tree.moves[node]
            if moves == 0:
                moves = _count_moves(tree, node, desk, code, fields)
            if desk.world[_ERROR] != 0:
                publish(tree.known, node, KNOWN)
                return -1
            tree.moves[node] = max(0, moves)
            if waits(tree, node, policy):
                publish(tree.known, node, KNOWN)
                break
            parent = desk.path[max(0, depth - 1)]
            if is_split(tree, node, parent, moves, desk, code, fields, policy, tally):
                publish(tree.known, node, OPEN)
            else:
                _open(tree, node, moves, desk, fields, policy, tally)
            known = tree.known[node]
        if known != OPEN:
            break
        is_due = tree.visits[node] >= tree.due[node]
        if is_due and not _order(tree, depth, desk, code, fields, policy, tally):
            return -1
        place = chosen(tree, node, desk, policy, tally)
        child = EMPTY
        if tree.choosers[node] == CHANCE or place < latest(tree.tried, node):
            child = latest(tree.places, tree.begin[node] + place)
        if child == EMPTY:
            child = child_at(tree, node, place, desk, fields)
        if child == EMPTY:
            place = best_tried(tree, node, policy)
            if place == EMPTY:
                break
            child = tree.places[tree.begin[node] + place]
        depth += 1
        node = child
        enter(tree, desk, depth, node, place, policy, tally)
        if fields.memories > 0:
            desk.turns[depth] = desk.turns[depth - 1] + (0 if is_part(tree, node) else 1)
        if latest(tree.known, node) == MADE:
            break
        if fields.memories > 0:
            load_keys(tree, node, desk.turns[depth], desk, fields)
    desk.report[0] = depth
    return depth


@native
def _add_values(tree: Tree, desk: Desk, times: int) -> None:
    """Add what a game was worth, so many times, to what a way has come to."""
    for seat in range(tree.seats):
        desk.points[seat] += times * desk.values[seat]


@native
def _play(
    tree: Tree,
    depth: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    policy: Policy,
    estimate: Estimate,
    tally: Tally,
) -> bool:
    """Play a random game from the position in front of a thread; return whether that went well."""
    is_well = True
    plies = estimate.plies if estimate.judges else policy.plies
    if plies > 0 and field_value(desk, fields.ended, 4) == 0:
        desk.report[1] = desk.random[0]
        position, world = address(desk.position), address(desk.world)
        call(code.playout, position, world, address(desk.random), plies)
        is_well = desk.world[_ERROR] == 0
    if estimate.judges and field_value(desk, fields.ended, 4) == 0:
        estimate_values(desk, fields, estimate)
    else:
        judge(tree, desk, fields)
    if tally.tables > 0 and is_well:
        count_game(tree, depth, desk, tally)
    _add_values(tree, desk, 1)
    return is_well


@native
def _load_alone(tree: Tree, node: int, desk: Desk, fields: Fields) -> None:
    """Put the position of a node in front of a thread, while no other writes it."""
    acquire(tree, node)
    load(tree, node, desk, fields)
    release(tree, node)


@native
def _judge_leaf(
    tree: Tree,
    depth: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    policy: Policy,
    estimate: Estimate,
    tally: Tally,
) -> bool:
    """Find the value of the last node of a way; return whether that went well."""
    node = desk.path[depth]
    known = latest(tree.known, node)
    for seat in range(tree.seats):
        desk.points[seat] = 0.0
    if known == OVER or is_proven(tree, node):
        if known == OVER:
            load(tree, node, desk, fields)
            judge(tree, desk, fields)
        else:
            desk.values[0] = tree.low[node] / 2.0
            if tree.seats > 1:
                desk.values[1] = 1.0 - desk.values[0]
        _add_values(tree, desk, policy.games)
        return True
    is_well = True
    if known == MADE:
        is_well = make(tree, desk.path[depth - 1], desk.steps[depth], desk, code, fields)
        if is_well:
            acquire(tree, node)
            if tree.known[node] == MADE:
                store(tree, node, desk.turns[depth], desk, fields, policy)
            release(tree, node)
    else:
        _load_alone(tree, node, desk, fields)
    games = policy.games
    while is_well and games > 0:
        is_well = _play(tree, depth, desk, code, fields, policy, estimate, tally)
        games -= 1
        if games > 0:
            prepare(desk, code)
            _load_alone(tree, node, desk, fields)
            load_keys(tree, node, desk.turns[depth], desk, fields)
    return is_well


@native
def _pass_up(tree: Tree, depth: int, desk: Desk, policy: Policy, tally: Tally) -> None:
    """Add a result to the nodes of a way that were gone down, and tell them what is proven."""
    at = desk.stay[AT]
    is_news = policy.proves and is_proven(tree, desk.path[depth])
    for n in range(depth, at - 1, -1):
        node = desk.path[n]
        leave(tree, node, desk, policy)
        if n < depth and is_news:
            acquire(tree, node)
            is_news = tightened(tree, node)
            release(tree, node)
        if n > at:
            refresh(tree, desk.path[n - 1], desk.steps[n], node, policy, tally)
    for seat in range(tree.seats):
        desk.sums[seat] += desk.points[seat]
    desk.stay[DONE] += 1
    desk.stay[LEFT] -= 1
    if desk.stay[LEFT] == 0 or is_proven(tree, desk.path[at]) or (is_news and at > 0):
        end_stay(tree, desk, is_news, policy, tally)


@native
def _take_back(tree: Tree, depth: int, desk: Desk, policy: Policy, tally: Tally) -> None:
    """Undo what a way has counted that came to nothing, and go up."""
    if tree.is_shared:
        for n in range(desk.stay[AT] + 1, depth + 1):
            add_at_once(tree.visits, desk.path[n], -policy.games)
            refresh(tree, desk.path[n - 1], desk.steps[n], desk.path[n], policy, tally)
    end_stay(tree, desk, False, policy, tally)


@native
def _make_root(tree: Tree, desk: Desk, fields: Fields, policy: Policy) -> None:
    """Begin a tree with the position in front of a thread, unless another has done so."""
    acquire_all(tree)
    if tree.state[USED_NODES] == 0:
        tree.state[ROOT] = 0
        make_empty(tree, 0)
        store(tree, 0, 0, desk, fields, policy)
        publish(tree.state, USED_NODES, 1)
    release_all(tree)


@native
def search(
    tree: Tree,
    code: GameFunctions,
    fields: Fields,
    desk: Desk,
    policy: Policy,
    estimate: Estimate,
    tally: Tally,
    iterations: int,
) -> int:
    """Search; return how many iterations were made. The next call goes on, or `end_search` ends it.

    The root of an empty tree is the position in front of the thread. Fewer iterations are made
    when the search is stopped, when the root is proven, and where a call fails: then the world
    says why, and `report` of the desk where.
    """
    if latest(tree.state, USED_NODES) == 0:
        _make_root(tree, desk, fields, policy)
    if estimate.outlook.run != 0:
        prepare(desk, code)
        _load_alone(tree, tree.state[ROOT], desk, fields)
        position, world = address(desk.position), desk.world
        promised = outlook_worth(estimate.outlook, position, world, desk.counts)
        desk.base[0] = estimate.even + promised
    made, is_well = 0, True
    while made < iterations and is_well:
        if is_stopped(desk) or is_proven(tree, tree.state[ROOT]):
            break
        prepare(desk, code)
        is_first = desk.stay[LEFT] == 0
        depth = _descend(tree, desk, code, fields, policy, tally)
        if is_first:
            begin_stay(tree, desk.report[0], desk, policy, tally)
        is_well = depth >= 0
        if is_well:
            is_well = _judge_leaf(tree, depth, desk, code, fields, policy, estimate, tally)
        if is_well:
            _pass_up(tree, depth, desk, policy, tally)
            made += policy.games
        else:
            _take_back(tree, desk.report[0], desk, policy, tally)
    return made


@native
def end_search(tree: Tree, desk: Desk, policy: Policy, tally: Tally) -> int:
    """Let all nodes know what a thread has found out that searches no more; return 0."""
    if desk.stay[LEFT] > 0:
        end_stay(tree, desk, False, policy, tally)
    return 0


# --------------------- how long a thread stays below a node before it goes down from the root again

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
