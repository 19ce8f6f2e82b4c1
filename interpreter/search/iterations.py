"""The search itself: Monte-Carlo tree search by upper confidence bounds.

In: a tree, a game's code, what a thread works with. Out: a tree that knows more. What then holds:
one iteration has added a node to the tree, and the result of one random game to each node on the
way there; or the way ended where the result is known. Several threads may search in one tree:
they take turns in it, and play random games at the same time.

Children are chosen by UCT: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning"
(2006); a child that was not tried counts as one of a fixed value ("first-play
urgency": S. Gelly and others, 2006). Where chance decides, moves are drawn as the
rules draw them. A thread counts its visits as lost as long as it is on its way ("virtual loss":
G. Chaslot, M. Winands and J. van den Herik, "Parallel Monte-Carlo tree search", 2008).
"""

from __future__ import annotations

from math import log, sqrt

from interpreter.native.memory import context as c
from interpreter.search.estimate import Estimate, estimate_values
from interpreter.search.instructions import (
    address,
    call,
    copy,
    exchanged,
    native,
)
from interpreter.search.policy import TABLED, Policy
from interpreter.search.positions import (
    Code,
    Desk,
    Fields,
    below,
    divisor,
    field_value,
    judge,
    load,
    load_keys,
    make,
    mark_over,
    prepare,
    store,
)
from interpreter.search.proofs import HOPELESS, is_hopeless, is_proven, tightened
from interpreter.search.tally import (
    IS_OFF,
    Tally,
    count_game,
    first_due,
    keep_marks,
    look_at_moves,
    put_in_order,
    table_for,
)
from interpreter.search.tree import (
    CHANCE,
    COUNTING,
    EMPTY,
    KNOWN,
    LOCK,
    MADE,
    NEVER,
    OPEN,
    OVER,
    PASS,
    ROOT,
    USED_NODES,
    Tree,
    has_all_places,
    has_places,
    new_node,
)

DEEPEST = 2048
"""How many moves from the root a tree may go down."""
_STOP, _ERROR = c.STOP // 8, c.ERROR // 8
_SPINS = 64


@native
def _acquire(tree: Tree, code: Code, policy: Policy) -> None:
    """Wait until no other thread is in the tree."""
    if policy.is_shared:
        spins = 0
        while exchanged(tree.state, LOCK, 1) != 0:
            spins += 1
            if spins % _SPINS == 0 and code.rest != 0:
                call(code.rest)


@native
def _release(tree: Tree, policy: Policy) -> None:
    if policy.is_shared:
        exchanged(tree.state, LOCK, 0)


@native
def _count_moves(tree: Tree, node: int, desk: Desk, code: Code, fields: Fields) -> int:
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
    tree.known[node] = OPEN
    tree.first_move[node] = 0
    tree.stride[node] = 1
    tree.moves[node] = max(1, moves)
    if moves == PASS:
        tree.first_move[node] = PASS
    elif moves < 0:
        tree.moves[node] = 0
        copy(address(tree.positions) + node * fields.bytes, address(desk.position), fields.bytes)
        mark_over(tree, node, desk, fields, policy)
    elif tree.choosers[node] == CHANCE:
        if not has_all_places(tree, node):
            tree.known[node] = KNOWN
    elif moves > 1:
        tree.first_move[node] = below(desk, moves)
        stride = 1 + below(desk, moves - 1)
        while divisor(stride, moves) != 1:
            stride = 1 + below(desk, moves - 1)
        tree.stride[node] = stride
    tree.due[node] = first_due(tree, node, tally)


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
def _chosen(tree: Tree, node: int, desk: Desk, policy: Policy, tally: Tally) -> int:
    """Return the place of the child to go to; `tried` of the node for a new one."""
    tried = tree.tried[node]
    if tree.choosers[node] == CHANCE:
        return below(desk, tree.moves[node])
    begin = tree.begin[node]
    weight = _weight(tree.visits[node], policy)
    place, best = EMPTY, 2.0 * HOPELESS
    if tried < tree.moves[node]:
        place = tried
        best = policy.urgency + weight
        if tree.is_ordered[node] != 0:
            best = tree.priors[begin + tried] + weight * _spread(tally.weight, policy)
        if node == tree.state[ROOT]:
            best = -HOPELESS
    for n in range(tried):
        score = tree.means[begin + n] + weight * tree.spreads[begin + n]
        if score > best:
            place, best = n, score
    return place


@native
def _best_tried(tree: Tree, node: int, desk: Desk, policy: Policy) -> int:
    """Return the place of a child that is there, where no memory is left; or EMPTY."""
    weight = _weight(tree.visits[node], policy)
    place, best = EMPTY, 2.0 * HOPELESS
    begin = tree.begin[node]
    if tree.choosers[node] != CHANCE:
        for n in range(tree.tried[node]):
            score = tree.means[begin + n] + weight * tree.spreads[begin + n]
            if score > best:
                place, best = n, score
    return place


@native
def _refresh(tree: Tree, parent: int, place: int, child: int, policy: Policy, tally: Tally) -> None:
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
        total = tree.totals[child * tree.seats + chooser] + before
        tree.means[at] = total * spread * spread
        if is_hopeless(tree, parent, child):
            tree.means[at] = HOPELESS
    tree.spreads[at] = spread


@native
def _enter(
    tree: Tree, desk: Desk, depth: int, node: int, place: int, policy: Policy, tally: Tally
) -> None:
    """Note that the way leads to a node."""
    desk.path[depth] = node
    desk.steps[depth] = place
    if policy.is_shared:
        tree.visits[node] += 1
        if depth > 0:
            _refresh(tree, desk.path[depth - 1], place, node, policy, tally)


@native
def _order(
    tree: Tree, depth: int, desk: Desk, code: Code, fields: Fields, policy: Policy, tally: Tally
) -> bool:
    """Put the moves of the last node of a way in order; return whether that went well."""
    node = desk.path[depth]
    table = table_for(tree, depth, desk, tally)
    if tally.state[IS_OFF] != 0:
        tree.due[node] = NEVER
    if table == EMPTY or tally.state[IS_OFF] != 0:
        return True
    if tree.is_ordered[node] == 0:
        tree.known[node] = COUNTING
        _release(tree, policy)
        are_marked = look_at_moves(tree, node, desk, code, fields, tally)
        _acquire(tree, code, policy)
        tree.known[node] = OPEN
        if not are_marked or not has_places(tree, node, tree.moves[node]):
            tree.due[node] = NEVER
            if not are_marked:
                tally.state[IS_OFF] = 1
            return desk.world[_ERROR] == 0
        keep_marks(tree, node, desk)
    put_in_order(tree, node, table, tally)
    for n in range(tree.tried[node]):
        _refresh(tree, node, n, tree.places[tree.begin[node] + n], policy, tally)
    return True


@native
def _descend(
    tree: Tree, desk: Desk, code: Code, fields: Fields, policy: Policy, tally: Tally
) -> int:
    """Go down to a node to judge, with the tree to oneself; return how far, or -1: a failure.

    The last node is new, or its value is known, or there is no way on from it now.
    """
    node, depth = tree.state[ROOT], 0
    _enter(tree, desk, 0, node, 0, policy, tally)
    while depth + 1 < DEEPEST and tree.known[node] != OVER and not is_proven(tree, node):
        desk.report[0] = depth
        if tree.known[node] == KNOWN:
            tree.known[node] = COUNTING
            _release(tree, policy)
            moves = _count_moves(tree, node, desk, code, fields)
            _acquire(tree, code, policy)
            if desk.world[_ERROR] != 0:
                tree.known[node] = KNOWN
                return -1
            _open(tree, node, moves, desk, fields, policy, tally)
            if tree.known[node] == OVER:
                break
        if tree.known[node] != OPEN:
            break
        is_due = tree.visits[node] >= tree.due[node]
        if is_due and not _order(tree, depth, desk, code, fields, policy, tally):
            return -1
        place = _chosen(tree, node, desk, policy, tally)
        is_chance = tree.choosers[node] == CHANCE
        is_new = place == tree.tried[node]
        if is_chance:
            is_new = tree.places[tree.begin[node] + place] == EMPTY
        child = EMPTY
        if is_new:
            if is_chance or has_places(tree, node, tree.tried[node] + 1):
                child = new_node(tree)
            if child != EMPTY:
                at = tree.begin[node] + place
                tree.places[at] = child
                tree.means[at] = 0.0
                tree.spreads[at] = 1.0
                tree.tried[node] += 1
            else:
                place = _best_tried(tree, node, desk, policy)
                if place == EMPTY:
                    break
        if child == EMPTY:
            child = tree.places[tree.begin[node] + place]
        depth += 1
        node = child
        _enter(tree, desk, depth, node, place, policy, tally)
        if tree.known[node] == MADE:
            break
        if fields.memories > 0:
            load_keys(tree, node, depth, desk, fields)
    desk.report[0] = depth
    return depth


@native
def _judge_leaf(
    tree: Tree,
    depth: int,
    desk: Desk,
    code: Code,
    fields: Fields,
    policy: Policy,
    estimate: Estimate,
    tally: Tally,
) -> bool:
    """Find the value of the last node of a way; return whether that went well.

    The tree is free meanwhile, and ours again then.
    """
    node = desk.path[depth]
    known = tree.known[node]
    if known == OVER:
        load(tree, node, desk, fields)
        judge(tree, desk, fields)
        return True
    if is_proven(tree, node):
        desk.values[0] = tree.low[node] / 2.0
        if tree.seats > 1:
            desk.values[1] = 1.0 - desk.values[0]
        return True
    _release(tree, policy)
    is_well = True
    if known == MADE:
        is_well = make(tree, desk.path[depth - 1], desk.steps[depth], desk, code, fields)
        if is_well:
            _acquire(tree, code, policy)
            if tree.known[node] == MADE:
                store(tree, node, depth, desk, fields, policy)
            _release(tree, policy)
    else:
        load(tree, node, desk, fields)
    plies = policy.plies if estimate.bytes == 0 else estimate.plies
    if is_well and plies > 0 and field_value(desk, fields.ended, 4) == 0:
        desk.report[1] = desk.random[0]
        position, world = address(desk.position), address(desk.world)
        call(code.playout, position, world, address(desk.random), plies)
        is_well = desk.world[_ERROR] == 0
    if estimate.bytes > 0 and field_value(desk, fields.ended, 4) == 0:
        estimate_values(desk, fields, estimate)
    else:
        judge(tree, desk, fields)
    _acquire(tree, code, policy)
    if tally.tables > 0 and is_well:
        count_game(tree, depth, desk, tally)
    return is_well


@native
def _pass_up(tree: Tree, depth: int, desk: Desk, policy: Policy, tally: Tally) -> None:
    """Add a result to all nodes of a way, and let them know what is proven."""
    is_news = policy.proves and is_proven(tree, desk.path[depth])
    for n in range(depth, -1, -1):
        node = desk.path[n]
        if not policy.is_shared:
            tree.visits[node] += 1
        for seat in range(tree.seats):
            tree.totals[node * tree.seats + seat] += desk.values[seat]
        if n < depth and is_news:
            is_news = tightened(tree, node)
        if n > 0:
            _refresh(tree, desk.path[n - 1], desk.steps[n], node, policy, tally)


@native
def _take_back(tree: Tree, desk: Desk, policy: Policy, tally: Tally) -> None:
    """Undo what a way has counted that came to nothing."""
    if policy.is_shared:
        for n in range(desk.report[0] + 1):
            tree.visits[desk.path[n]] -= 1
            if n > 0:
                _refresh(tree, desk.path[n - 1], desk.steps[n], desk.path[n], policy, tally)


@native
def search(
    tree: Tree,
    code: Code,
    fields: Fields,
    desk: Desk,
    policy: Policy,
    estimate: Estimate,
    tally: Tally,
    iterations: int,
) -> int:
    """Search; return how many iterations were made.

    The root of an empty tree is the position in front of the thread. Fewer iterations are made
    when the search is stopped, when the root is proven, and where a call fails: then the world
    says why, and `report` of the desk where.
    """
    _acquire(tree, code, policy)
    if tree.state[USED_NODES] == 0:
        tree.state[ROOT] = new_node(tree)
        store(tree, tree.state[ROOT], 0, desk, fields, policy)
    _release(tree, policy)
    for n in range(iterations):
        if desk.world[_STOP] != 0 or is_proven(tree, tree.state[ROOT]):
            return n
        prepare(desk, code)
        _acquire(tree, code, policy)
        depth = _descend(tree, desk, code, fields, policy, tally)
        is_well = depth >= 0
        if is_well:
            is_well = _judge_leaf(tree, depth, desk, code, fields, policy, estimate, tally)
        if is_well:
            _pass_up(tree, depth, desk, policy, tally)
        else:
            _take_back(tree, desk, policy, tally)
        _release(tree, policy)
        if not is_well:
            return n
    return iterations
