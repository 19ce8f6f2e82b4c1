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

from interpreter.evaluation.chance import GOLDEN, MIXING
from interpreter.native.memory import context as c
from interpreter.search.compiled import (
    Bytes,
    Doubles,
    Floats,
    Record,
    Shorts,
    Signs,
    Words,
    address,
    array,
    call,
    copy,
    exchanged,
    native,
    shifted,
)
from interpreter.search.proofs import HOPELESS, is_hopeless, is_proven, tightened
from interpreter.search.tree import (
    CHANCE,
    COUNTING,
    EMPTY,
    KNOWN,
    LOCK,
    MADE,
    OPEN,
    OVER,
    PASS,
    ROOT,
    USED_NODES,
    Tree,
    has_all_places,
    has_place,
    move_number,
    new_node,
)

TABLED = 2048
"""Of how many visits there are tables."""
DEEPEST = 2048
"""How many moves from the root a tree may go down."""
_STOP, _ERROR = c.STOP // 8, c.ERROR // 8
_SPINS = 64
_FIRST_SHIFT, _FIRST_FACTOR = MIXING[0][0], MIXING[0][1] - (1 << 64)
_SECOND_SHIFT, _SECOND_FACTOR = MIXING[1][0], MIXING[1][1] - (1 << 64)
_THIRD_SHIFT = 31
_GOLDEN = GOLDEN - (1 << 64)
"""Constants of the generator of random numbers, as signed numbers."""


class Code(Record):
    """The addresses of a game's functions, and how much work and stack a call may take."""

    prepare: int
    count: int
    pick: int
    pass_on: int
    stuck: int
    playout: int
    rest: int
    work: int
    stack: int


class Fields(Record):
    """Where in a position stands what a search reads: offsets, and sizes in bytes.

    A size is 0 if there is no such field. `phase_choosers` has for each phase the seat that
    decides, CHANCE, or -2: the seat of the side on turn. There are so many `memories`, whose keys
    take `key_bytes` in a node; `key_begins` has where each of them is there, `key_sizes` its size.
    """

    bytes: int
    ended: int
    winners: int
    mover: int
    mover_size: int
    phase: int
    phase_size: int
    phase_choosers: Signs
    seats: Words
    seat_size: int
    memories: int
    key_bytes: int
    key_begins: Words
    key_sizes: Words


class Desk(Record):
    """What a thread works with: a position, its world, and the way that it takes.

    `tables` has the address of each memory, and `remembered` how many keys it had at the root;
    `path` has the nodes from the root, and `steps` the place
    of each among its siblings; `random` where its random numbers are; `values` the result of an
    iteration; `report` how long the way was, and the state of the random numbers, before the last
    random game.
    """

    position: Bytes
    world: Words
    tables: Words
    remembered: Words
    path: Shorts
    steps: Shorts
    random: Words
    values: Doubles
    report: Words


class Policy(Record):
    """How a search chooses.

    `weights` and `spreads` have the roots and the inverse roots below of few visits, which are
    those of most nodes.
    `exploration` is the weight of what is not known yet, `urgency` the value of a child that was
    not tried; `plies` the most moves of a random game. With `is_shared`, there are other threads;
    with `proves`, bounds are kept.
    """

    exploration: float
    urgency: float
    weights: Floats
    spreads: Floats
    plies: int
    is_shared: bool
    proves: bool


def policy(
    exploration: float, urgency: float, plies: int, *, is_shared: bool, proves: bool
) -> Policy:
    """Return how a search chooses, with its tables."""
    weights, spreads = array("Floats", TABLED), array("Floats", TABLED)
    for visits in range(TABLED):
        weights[visits] = exploration * sqrt(log(1 + visits))
        spreads[visits] = 1 / sqrt(max(1, visits))
    return Policy(
        exploration=exploration,
        urgency=urgency,
        weights=weights,
        spreads=spreads,
        plies=plies,
        is_shared=is_shared,
        proves=proves,
    )


# ------------------------------------------------------------------ numbers and fields


@native
def _below(desk: Desk, number: int) -> int:
    """Return the next random number below another, of less than 32 bits."""
    state = desk.random[0] + _GOLDEN
    desk.random[0] = state
    word = (state ^ shifted(state, _FIRST_SHIFT)) * _FIRST_FACTOR
    word = (word ^ shifted(word, _SECOND_SHIFT)) * _SECOND_FACTOR
    word ^= shifted(word, _THIRD_SHIFT)
    return shifted(shifted(word, 32) * number, 32)


@native
def _divisor(a: int, b: int) -> int:
    """Return the greatest common divisor of two numbers."""
    while b > 0:
        a, b = b, a % b
    return a


@native
def _field(desk: Desk, offset: int, size: int) -> int:
    """Return the number, which is not negative, in a field of the position in front of a thread."""
    value = 0
    for n in range(size):
        value |= desk.position[offset + n] << 8 * n
    return value


@native
def _chooser(desk: Desk, fields: Fields) -> int:
    """Return the seat that decides in a position, or CHANCE."""
    phase = _field(desk, fields.phase, fields.phase_size)
    seat = fields.phase_choosers[phase]
    if seat >= CHANCE:
        return seat
    return _seat(desk, fields, _field(desk, fields.mover, fields.mover_size))


@native
def _seat(desk: Desk, fields: Fields, side: int) -> int:
    """Return the seat of a side."""
    if fields.seat_size == 0:
        return side
    return _field(desk, fields.seats[side], fields.seat_size)


@native
def _judge(tree: Tree, desk: Desk, fields: Fields) -> None:
    """Put the result of the game in the thread's position into its values: for each seat."""
    everyone = (1 << tree.seats) - 1
    winners = _field(desk, fields.winners, 4)
    is_draw = _field(desk, fields.ended, 4) == 0 or winners == 0
    is_draw = is_draw or (winners == everyone and tree.seats > 1)
    for seat in range(tree.seats):
        desk.values[seat] = 0.5 if is_draw else 0.0
    for side in range(0 if is_draw else tree.seats):
        if winners >> side & 1 != 0:
            desk.values[_seat(desk, fields, side)] = 1.0


# --------------------------------------------------------------------------- positions


@native
def _load(tree: Tree, node: int, desk: Desk, fields: Fields) -> None:
    """Put the position of a node in front of a thread."""
    copy(address(desk.position), address(tree.positions) + node * fields.bytes, fields.bytes)


@native
def _load_keys(tree: Tree, node: int, depth: int, desk: Desk, fields: Fields) -> None:
    """Put what is remembered of a node's position where the way has come to."""
    keys = address(tree.keys) + node * fields.key_bytes
    for n in range(fields.memories):
        size = fields.key_sizes[n]
        target = desk.tables[n] + (desk.remembered[n] + depth - 1) * size
        copy(target, keys + fields.key_begins[n], size)


@native
def _store(tree: Tree, node: int, depth: int, desk: Desk, fields: Fields, policy: Policy) -> None:
    """Keep the position in front of a thread as that of a node, with what is known of it."""
    copy(address(tree.positions) + node * fields.bytes, address(desk.position), fields.bytes)
    keys = address(tree.keys) + node * fields.key_bytes
    for n in range(fields.memories):
        size = fields.key_sizes[n]
        place = desk.remembered[n] + depth - 1
        if place >= 0:
            copy(keys + fields.key_begins[n], desk.tables[n] + place * size, size)
    tree.choosers[node] = _chooser(desk, fields)
    tree.known[node] = KNOWN
    if _field(desk, fields.ended, 4) != 0:
        _end(tree, node, desk, fields, policy)


@native
def _end(tree: Tree, node: int, desk: Desk, fields: Fields, policy: Policy) -> None:
    """Keep that the game is over in a node, whose position is in front of the thread."""
    tree.known[node] = OVER
    if policy.proves:
        _judge(tree, desk, fields)
        value = int(2 * desk.values[0])
        tree.low[node], tree.high[node] = value, value


@native
def _prepare(desk: Desk, code: Code) -> None:
    """Allow the calls that follow the work and the stack of a turn."""
    call(code.prepare, address(desk.world), code.work, code.stack)


@native
def _make(tree: Tree, parent: int, place: int, desk: Desk, code: Code, fields: Fields) -> bool:
    """Put the position of a child in front of a thread; return whether that went well."""
    _load(tree, parent, desk, fields)
    position, world = address(desk.position), address(desk.world)
    number = move_number(tree, parent, place)
    if number == PASS:
        call(code.pass_on, position, world)
        return desk.world[_ERROR] == 0
    made = call(code.pick, position, world, number)
    return made != 0 and desk.world[_ERROR] == 0


# ------------------------------------------------------------------------- one iteration


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
    _load(tree, node, desk, fields)
    position, world = address(desk.position), address(desk.world)
    moves = call(code.count, position, world)
    if moves == 0 and desk.world[_ERROR] == 0:
        clause = call(code.stuck, position, world) & 0xFFFFFFFF
        return PASS if clause == 0xFFFFFFFF else -2
    return moves


@native
def _open(tree: Tree, node: int, moves: int, desk: Desk, fields: Fields, policy: Policy) -> None:
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
        _end(tree, node, desk, fields, policy)
    elif tree.choosers[node] == CHANCE:
        if not has_all_places(tree, node):
            tree.known[node] = KNOWN
    elif moves > 1:
        tree.first_move[node] = _below(desk, moves)
        stride = 1 + _below(desk, moves - 1)
        while _divisor(stride, moves) != 1:
            stride = 1 + _below(desk, moves - 1)
        tree.stride[node] = stride


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
def _chosen(tree: Tree, node: int, desk: Desk, policy: Policy) -> int:
    """Return the place of the child to go to; `tried` of the node for a new one."""
    tried = tree.tried[node]
    if tree.choosers[node] == CHANCE:
        return _below(desk, tree.moves[node])
    begin = tree.begin[node]
    weight = _weight(tree.visits[node], policy)
    place, best = EMPTY, 2.0 * HOPELESS
    if tried < tree.moves[node]:
        place = tried
        best = policy.urgency + weight
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
def _refresh(tree: Tree, parent: int, place: int, child: int, policy: Policy) -> None:
    """Bring the numbers up to date by which a child is chosen."""
    chooser = tree.choosers[parent]
    at = tree.begin[parent] + place
    spread = _spread(max(1, tree.visits[child]), policy)
    if chooser != CHANCE:
        tree.means[at] = tree.totals[child * tree.seats + chooser] * spread * spread
        if is_hopeless(tree, parent, child):
            tree.means[at] = HOPELESS
    tree.spreads[at] = spread


@native
def _enter(tree: Tree, desk: Desk, depth: int, node: int, place: int, policy: Policy) -> None:
    """Note that the way leads to a node."""
    desk.path[depth] = node
    desk.steps[depth] = place
    if policy.is_shared:
        tree.visits[node] += 1
        if depth > 0:
            _refresh(tree, desk.path[depth - 1], place, node, policy)


@native
def _descend(tree: Tree, desk: Desk, code: Code, fields: Fields, policy: Policy) -> int:
    """Go down to a node to judge, with the tree to oneself; return how far, or -1: a failure.

    The last node is new, or its value is known, or there is no way on from it now.
    """
    node, depth = tree.state[ROOT], 0
    _enter(tree, desk, 0, node, 0, policy)
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
            _open(tree, node, moves, desk, fields, policy)
            if tree.known[node] == OVER:
                break
        if tree.known[node] != OPEN:
            break
        place = _chosen(tree, node, desk, policy)
        is_chance = tree.choosers[node] == CHANCE
        is_new = place == tree.tried[node]
        if is_chance:
            is_new = tree.places[tree.begin[node] + place] == EMPTY
        child = EMPTY
        if is_new:
            if is_chance or has_place(tree, node):
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
        _enter(tree, desk, depth, node, place, policy)
        if tree.known[node] == MADE:
            break
        if fields.memories > 0:
            _load_keys(tree, node, depth, desk, fields)
    desk.report[0] = depth
    return depth


@native
def _judge_leaf(
    tree: Tree, depth: int, desk: Desk, code: Code, fields: Fields, policy: Policy
) -> bool:
    """Find the value of the last node of a way; return whether that went well.

    The tree is free meanwhile, and ours again then.
    """
    node = desk.path[depth]
    known = tree.known[node]
    if known == OVER:
        _load(tree, node, desk, fields)
        _judge(tree, desk, fields)
        return True
    if is_proven(tree, node):
        desk.values[0] = tree.low[node] / 2.0
        if tree.seats > 1:
            desk.values[1] = 1.0 - desk.values[0]
        return True
    _release(tree, policy)
    is_well = True
    if known == MADE:
        is_well = _make(tree, desk.path[depth - 1], desk.steps[depth], desk, code, fields)
        if is_well:
            _acquire(tree, code, policy)
            if tree.known[node] == MADE:
                _store(tree, node, depth, desk, fields, policy)
            _release(tree, policy)
    else:
        _load(tree, node, desk, fields)
    if is_well and _field(desk, fields.ended, 4) == 0:
        desk.report[1] = desk.random[0]
        position, world = address(desk.position), address(desk.world)
        call(code.playout, position, world, address(desk.random), policy.plies)
        is_well = desk.world[_ERROR] == 0
    _judge(tree, desk, fields)
    _acquire(tree, code, policy)
    return is_well


@native
def _pass_up(tree: Tree, depth: int, desk: Desk, policy: Policy) -> None:
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
            _refresh(tree, desk.path[n - 1], desk.steps[n], node, policy)


@native
def _take_back(tree: Tree, desk: Desk, policy: Policy) -> None:
    """Undo what a way has counted that came to nothing."""
    if policy.is_shared:
        for n in range(desk.report[0] + 1):
            tree.visits[desk.path[n]] -= 1
            if n > 0:
                _refresh(tree, desk.path[n - 1], desk.steps[n], desk.path[n], policy)


@native
def search(
    tree: Tree, code: Code, fields: Fields, desk: Desk, policy: Policy, iterations: int
) -> int:
    """Search; return how many iterations were made.

    The root of an empty tree is the position in front of the thread. Fewer iterations are made
    when the search is stopped, when the root is proven, and where a call fails: then the world
    says why, and `report` of the desk where.
    """
    _acquire(tree, code, policy)
    if tree.state[USED_NODES] == 0:
        tree.state[ROOT] = new_node(tree)
        _store(tree, tree.state[ROOT], 0, desk, fields, policy)
    _release(tree, policy)
    for n in range(iterations):
        if desk.world[_STOP] != 0 or is_proven(tree, tree.state[ROOT]):
            return n
        _prepare(desk, code)
        _acquire(tree, code, policy)
        depth = _descend(tree, desk, code, fields, policy)
        is_well = depth >= 0 and _judge_leaf(tree, depth, desk, code, fields, policy)
        if is_well:
            _pass_up(tree, depth, desk, policy)
        else:
            _take_back(tree, desk, policy)
        _release(tree, policy)
        if not is_well:
            return n
    return iterations
