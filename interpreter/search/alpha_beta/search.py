"""Alpha-beta: what a position is worth if both sides play well for so many moves ahead.

In: a position, a depth and a window. Out: its value to the seat that decides there, if it lies in
the window; otherwise a bound of it. What then holds: without `prunes`, it is what looking at every
way of that length gives; a value that tells of a win or a loss is certain in any case.

D. Knuth and R. Moore, "An analysis of alpha-beta pruning" (1975), for games in which a side may
move twice in a row: values are turned round where the other seat decides, not at each move. All
moves but the first are searched to be refuted (T. Marsland and M. Campbell, "Parallel search of
strongly ordered game trees", 1982). With `prunes`, late moves are searched less deep, and what is
far above the window near the end of a way is taken to stay there. Where a way ends, it goes on with
forcing moves alone, until none is worth while (quiescence: D. Beal, "A generalised quiescence
search algorithm", 1990). A way goes one move deeper where there was but one move.
"""

from __future__ import annotations

from gdl.interpreter.search.alpha_beta.arena import (
    ABORTED,
    CHANGE,
    CHANGES,
    DRAWN,
    FORCED,
    FORCING,
    JUDGED,
    LIMIT,
    MORE,
    MOST_PLIES,
    OPEN,
    TOLD,
    UNQUIET,
    WHOLE,
    WON,
    Walk,
)
from gdl.interpreter.search.alpha_beta.judging import Judge
from gdl.interpreter.search.alpha_beta.ordering import blame, next_record, praise, put_in_order
from gdl.interpreter.search.alpha_beta.transpositions import (
    DEEPEST,
    EXACT,
    LEAST,
    MOST,
    TranspositionTable,
    depth_in,
    is_of_past,
    kind_in,
    look_up,
    move_in,
    remember,
    value_in,
)
from gdl.interpreter.search.alpha_beta.walk import (
    add_rows,
    follow,
    keep_key,
    keep_remembered,
    remembered_past,
    take_up,
)
from gdl.interpreter.search.machine.instructions import address, copy, native
from gdl.interpreter.search.memory.positions import Desk, Fields, GameFunctions, is_stopped

INFINITE = 2_000_000
WIN, SURE = 1_000_000, 900_000
"""What a win is worth at the root; from what value on it is certain. One that comes later is worth
less by one for each move."""
_NO_MOVE = (1 << 32) - 1
_QUIET_PLIES = 8
"""How many moves a way may go on with forcing moves."""
_ENOUGH = 2000
_MOST_FORCING = 3
"""If more than one move in so many is forcing, of that many moves, none of them tells much."""
_SHALLOW, _MARGIN = 2, 6
"""How deep what is far above the window is taken to stay there; how far that is, for each ply, in
changes that a move makes usually."""
_HOPE = 6
"""What a forcing move may gain beside what it takes, likewise."""
_LATE, _VERY_LATE, _FEW = 3, 12, 6
"""From which move on they are searched less deep; not where there are so few."""


@native
def _is_certain(value: int, kind: int) -> bool:
    """Return whether a value, of which `kind` says what it is, tells that the game is decided."""
    if value >= SURE:
        return kind != MOST
    return value <= 0 - SURE and kind != LEAST


@native
def _seen(walk: Walk, record: int, seat: int) -> int:
    """Return what a position is worth to a seat at first sight."""
    value = min(SURE - 1, max(1 - SURE, walk.values[record]))
    return value if seat == 0 else 0 - value


@native
def _ended(walk: Walk, record: int, seat: int, ply: int) -> int:
    """Return what a game that is over after so many moves is worth to a seat."""
    result = walk.results[record]
    if result == DRAWN:
        return 0
    return WIN - ply if (result == WON) == (seat == 0) else ply - WIN


@native
def _usual_change(walk: Walk) -> int:
    """Return how much a move changes what a position is worth, on average."""
    return walk.state[CHANGE] // max(1, walk.state[CHANGES])


@native
def _value_of_entry(told: int, ply: int) -> int:
    """Return the value of an entry as it is after so many moves."""
    value = value_in(told)
    if value >= SURE:
        return value - ply
    return value + ply if value <= 0 - SURE else value


@native
def _answers(told: int, more: int, past: int, depth: int, alpha: int, beta: int, ply: int) -> bool:
    """Return whether an entry tells enough of a position."""
    value, kind = _value_of_entry(told, ply), kind_in(told)
    is_whole = depth_in(told) == DEEPEST
    is_certain = is_whole or _is_certain(value, kind)
    if is_certain and not is_of_past(more, past):
        return False
    if not is_certain and depth_in(told) < depth:
        return False
    if kind == LEAST:
        return value >= beta
    return kind == EXACT or value <= alpha


@native
def _keep(
    walk: Walk, table: TranspositionTable, ply: int, value: int, depth: int, kind: int, move: int
) -> None:
    """Remember what was found out of the position that the way goes on from."""
    if value >= SURE:
        value += ply
    elif value <= 0 - SURE:
        value -= ply
    deep = DEEPEST if walk.state[WHOLE] != 0 else max(0, depth)
    first, second = walk.keys[2 * ply], walk.keys[2 * ply + 1]
    remember(table, first, second, value, deep, kind, move, walk.pasts[walk.path[ply]])


@native
def _child(
    walk: Walk,
    judge: Judge,
    table: TranspositionTable,
    ply: int,
    record: int,
    seat: int,
    depth: int,
    alpha: int,
    beta: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
) -> int:
    """Return what a position after a move of a seat, at a ply, is worth to this seat."""
    if walk.results[record] != OPEN:
        walk.state[WHOLE] = 1
        return _ended(walk, record, seat, ply + 1)
    if fields.memories > 0:
        keep_remembered(walk, ply + 1, record, desk, fields, True)
    if walk.seats[record] == seat:
        return value_below(
            walk, judge, table, ply + 1, record, depth, alpha, beta, desk, code, fields
        )
    return 0 - value_below(
        walk, judge, table, ply + 1, record, depth, 0 - beta, 0 - alpha, desk, code, fields
    )


@native
def _may_stay_above(walk: Walk, record: int, seat: int, depth: int, alpha: int, beta: int) -> bool:
    """Return whether a position looks so good that it need not be searched."""
    usual = _usual_change(walk)
    if not walk.prunes or depth > _SHALLOW or beta - alpha > 1 or usual == 0:
        return False
    is_open = beta < SURE and beta > 0 - SURE
    return is_open and _seen(walk, record, seat) - depth * _MARGIN * usual >= beta


@native
def value_below(
    walk: Walk,
    judge: Judge,
    table: TranspositionTable,
    ply: int,
    record: int,
    depth: int,
    alpha: int,
    beta: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
) -> int:
    """Return what a position in which the game goes on is worth to the seat that decides there.

    `state` says whether the search was given up meanwhile, and whether it came to all ends.
    """
    if is_stopped(desk) or walk.state[JUDGED] >= walk.state[LIMIT]:
        walk.state[ABORTED] = 1
        return 0
    seat = walk.seats[record]
    walk.state[WHOLE] = 0
    if ply >= MOST_PLIES:
        return _seen(walk, record, seat)
    if depth <= 0:
        return _quiet_value(walk, judge, table, ply, record, depth, alpha, beta, desk, code, fields)
    keep_key(walk, judge, ply, record)
    remembered = _NO_MOVE
    if look_up(walk, table, walk.keys[2 * ply], walk.keys[2 * ply + 1]):
        told, more = walk.state[TOLD], walk.state[MORE]
        remembered = move_in(more)
        if _answers(told, more, walk.pasts[record], depth, alpha, beta, ply):
            value = _value_of_entry(told, ply)
            is_certain = depth_in(told) == DEEPEST or _is_certain(value, kind_in(told))
            walk.state[WHOLE] = 1 if is_certain else 0
            return value
    if _may_stay_above(walk, record, seat, depth, alpha, beta):
        return _seen(walk, record, seat)
    count = follow(walk, judge, ply, record, desk, code, fields)
    if count == 0:
        walk.state[WHOLE] = 1
        return _ended(walk, record, seat, ply)
    if count < 0:
        return _seen(walk, record, seat)
    put_in_order(walk, ply, seat, count, remembered)
    best, best_record, floor = 0 - INFINITE, -1, alpha
    is_whole, best_whole = True, False
    deeper = depth if count == 1 and walk.prunes else depth - 1
    for tried in range(count):
        child = next_record(walk, ply, count, tried)
        is_first = tried == 0
        value = INFINITE
        if not is_first:
            less = 0
            is_late = tried >= _LATE and count > _FEW and walk.is_forcing[child] == 0
            if walk.prunes and is_late and depth > _SHALLOW and best > 0 - SURE:
                less = 2 if tried >= _VERY_LATE and depth > _SHALLOW + 1 else 1
            value = _child(
                walk,
                judge,
                table,
                ply,
                child,
                seat,
                deeper - less,
                floor,
                floor + 1,
                desk,
                code,
                fields,
            )
            if value > floor and less > 0:
                value = _child(
                    walk,
                    judge,
                    table,
                    ply,
                    child,
                    seat,
                    deeper,
                    floor,
                    floor + 1,
                    desk,
                    code,
                    fields,
                )
        if is_first or (value > floor and value < beta):
            value = _child(
                walk, judge, table, ply, child, seat, deeper, floor, beta, desk, code, fields
            )
        if walk.state[ABORTED] != 0:
            return 0
        child_whole = walk.state[WHOLE] != 0
        is_whole = is_whole and child_whole
        if value > best:
            best, best_record, best_whole = value, child, child_whole
        floor = max(floor, value)
        if floor >= beta:
            break
    kind = MOST
    if best >= beta:
        kind = LEAST
        is_whole = best_whole
        praise(walk, ply, best_record, seat, depth)
        blame(walk, ply, count, best_record, seat, depth)
    elif best > alpha:
        kind = EXACT
    walk.state[WHOLE] = 1 if is_whole or _is_certain(best, kind) else 0
    _keep(walk, table, ply, best, depth, kind, best_record - walk.begins[ply])
    return best


@native
def _quiet_value(
    walk: Walk,
    judge: Judge,
    table: TranspositionTable,
    ply: int,
    record: int,
    depth: int,
    alpha: int,
    beta: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
) -> int:
    """Return what a position is worth when no forcing move is left that is worth while.

    Where a side has to make such a move, it can't stay as it is.
    """
    seat = walk.seats[record]
    seen = _seen(walk, record, seat)
    changes, forcing = walk.state[CHANGES], walk.state[FORCING]
    if changes > _ENOUGH and forcing * _MOST_FORCING > changes:
        return seen
    if not walk.prunes or depth <= 0 - _QUIET_PLIES:
        return seen
    has_to = walk.state[FORCED] * 2 > walk.state[UNQUIET]
    if seen >= beta and not has_to:
        return seen
    count = follow(walk, judge, ply, record, desk, code, fields)
    if count == 0:
        return _ended(walk, record, seat, ply)
    if count < 0:
        return seen
    begin, quiet = walk.begins[ply], 0
    for child in range(begin, begin + count):
        quiet += 1 - walk.is_forcing[child]
    is_forced = quiet == 0 or count == 1
    best = 0 - INFINITE if is_forced else seen
    floor = max(alpha, best)
    hope = _HOPE * _usual_change(walk)
    put_in_order(walk, ply, seat, count, _NO_MOVE)
    for tried in range(count):
        if floor >= beta:
            break
        child = next_record(walk, ply, count, tried)
        is_idle = walk.is_forcing[child] == 0 or _seen(walk, child, seat) + hope <= floor
        if is_idle and not is_forced and walk.results[child] == OPEN:
            continue
        value = _child(
            walk, judge, table, ply, child, seat, depth - 1, floor, beta, desk, code, fields
        )
        if walk.state[ABORTED] != 0:
            return 0
        best = max(best, value)
        floor = max(floor, best)
    kind = EXACT
    if best >= beta:
        kind = LEAST
    elif best <= alpha:
        kind = MOST
    walk.state[WHOLE] = 1 if _is_certain(best, kind) else 0
    return best


# ------------------------------------------------------------------------- the root


@native
def take_root(walk: Walk, judge: Judge, desk: Desk, fields: Fields) -> int:
    """Take up the position in front of a thread as that which ways begin at; return 0."""
    past = remembered_past(walk, desk, fields)
    copy(address(walk.words), address(desk.position), fields.bytes)
    take_up(walk, judge, fields, 0, -1)
    if judge.has_rows:
        add_rows(walk, judge, fields, 0, -1)
    walk.pasts[0] = past
    walk.path[0] = 0
    walk.begins[0] = 1
    return 0


@native
def moves_of_root(walk: Walk, judge: Judge, desk: Desk, code: GameFunctions, fields: Fields) -> int:
    """Take up all positions after the root; return how many there are."""
    return follow(walk, judge, 0, 0, desk, code, fields)


@native
def best_at_root(walk: Walk, judge: Judge, table: TranspositionTable) -> int:
    """Return the number of the move that is remembered as the best of the root, or -1."""
    keep_key(walk, judge, 0, 0)
    if not look_up(walk, table, walk.keys[0], walk.keys[1]):
        return -1
    return move_in(walk.state[MORE])


@native
def value_of_move(
    walk: Walk,
    judge: Judge,
    table: TranspositionTable,
    record: int,
    depth: int,
    alpha: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
) -> int:
    """Return what a move of the root is worth: if that is no more than alpha, a bound of it."""
    seat = walk.seats[0]
    value = INFINITE
    if alpha > 0 - INFINITE:
        value = _child(
            walk, judge, table, 0, record, seat, depth - 1, alpha, alpha + 1, desk, code, fields
        )
    if value > alpha and walk.state[ABORTED] == 0:
        value = _child(
            walk, judge, table, 0, record, seat, depth - 1, alpha, INFINITE, desk, code, fields
        )
    return value
