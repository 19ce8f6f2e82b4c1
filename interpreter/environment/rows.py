"""Rows of games as native code: a decision made in each, and what comes of it shown in arrays.

In: the functions of a game, and arrays with a row a game. Out: native functions over a stretch of
rows. What then holds: a row depends on nothing but what is in it, so it makes no difference how
rows are shared out among threads; where a function stops at a row, that row can be gone on with.

As in the search, these functions are written in a small part of Python and compiled.
"""

from __future__ import annotations

from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.turns.asking import ASKED, COMPLETE, NOTHING
from gdl.interpreter.native.turns.endings import PASSES
from gdl.interpreter.search.machine.instructions import (
    Bytes,
    Floats,
    Record,
    Shorts,
    Signs,
    Words,
    address,
    call,
    copy,
    native,
    shifted,
)
from gdl.interpreter.search.machine.random_numbers import drawn

ERROR = w.ERROR // WORD_BYTES
PAST, PAST_WORDS = w.PAST // WORD_BYTES, w.PAST_BYTES // WORD_BYTES
DIGESTED = w.PAST_DIGESTED // WORD_BYTES
_ROOM = w.PAST_ROOM // WORD_BYTES
_SPARE = 4
"""A row's memory has room for so many more positions whenever something is done in it."""

FINE, FAILED, FULL, LONG, LISTS = range(5)
"""Why a function stops at a row: not at all; native code failed; the row's memory for earlier
positions is full; a turn has more decisions than there is room for; a list needs more words, as
many as are reported."""
REASON, NEEDED, MOST = range(3)
"""What a thread reports: why it stopped; how many words a list needs; the most decisions met."""
CHANCE, OF_MOVER, NOBODY = -1, -2, -2
"""Who decides: chance; in tables, the seat of the side on turn; nobody: the game is over."""

MADE, PLIES, LAST, OVER, ASKS, IS_BEGUN, COUNTERS = range(7)
"""Numbers of a row: how many decisions are made in the turn; how many moves were made; of how many
decisions the last one was; whether the game is over; what the newest question gave; whether a turn
is still to be begun."""


class Rules(Record):
    """What is the same for all rows: functions by their addresses, and the layout of positions.

    `delta` has, by the group of decisions, what an action is more than the decision, `delta_of` the
    same by the numbers of statements; `plane_of`, `scalar_of` and `value_of` where an action that
    was decided is shown. A position after a move takes `record_bytes`, with what is remembered. Of
    what is told to seats, so many events are kept as `recall` says.
    """

    prepare: int
    ask: int
    count: int
    pick: int
    pass_on: int
    stuck: int
    listed: int
    followers: int
    playout: int
    work: int
    stack: int
    seen: Words
    actions: int
    sites: int
    planes: int
    scalars: int
    sides: int
    state_bytes: int
    frame_bytes: int
    ended: int
    winners: int
    payoffs: int
    payoff_unit: int
    mover: int
    mover_size: int
    phase: int
    phase_size: int
    phase_choosers: Signs
    seats: Words
    seat_size: int
    memories: int
    keys_at: int
    key_sizes: Words
    key_counts: Words
    delta: Words
    delta_of: Words
    record_bytes: int
    site_of: Shorts
    plane_of: Shorts
    scalar_of: Shorts
    value_of: Floats
    last_plane: int
    hides: int
    draws: int
    resets: int
    loses: int
    most_plies: int
    recall: int
    start: Bytes
    start_keys: Words


class Rows(Record):
    """The arrays, with a row a game; `longest` is how many decisions a turn has room for.

    `best` has what questions keep of a turn; `past`, for each memory of a row, where its keys are,
    how many fit, where their digests are, and how many there are of these.
    """

    frames: Bytes
    numbers: Shorts
    decisions: Shorts
    ids: Shorts
    last: Shorts
    longest: int
    best: Words
    random: Words
    past: Words
    ways: Words
    events: Shorts
    event_counts: Shorts
    actions: Shorts
    observation: Bytes
    scalars: Floats
    mask: Bytes
    group: Shorts
    seat: Signs
    reward: Floats
    terminated: Bytes
    truncated: Bytes


class Desk(Record):
    """What a thread works with; `report` has why it stopped.

    `own_past` is what its world has of its own memory, `position` a position besides those of rows;
    `list` has room for so many words, and `ways` for a number for each action. What one seat sees
    goes into `planes` and `scalars`.
    """

    world: Words
    question: Words
    report: Words
    own_past: Words
    position: Bytes
    list: Words
    list_words: int
    ways: Words
    planes: Bytes
    scalars: Floats


# ------------------------------------------------------------------------- what is in a row


@native
def field(rules: Rules, rows: Rows, row: int, offset: int, size: int) -> int:
    """Return the number, which is not negative, in a field of a row's position."""
    value, begin = 0, row * rules.frame_bytes + offset
    for n in range(size):
        value |= rows.frames[begin + n] << 8 * n
    return value


@native
def seat_of(rules: Rules, rows: Rows, row: int, side: int) -> int:
    """Return the seat of a side."""
    if rules.seat_size == 0:
        return side
    return field(rules, rows, row, rules.seats[side], rules.seat_size)


@native
def side_of(rules: Rules, rows: Rows, row: int, seat: int) -> int:
    """Return the side that a seat plays."""
    found = 0
    for side in range(rules.sides):
        if seat_of(rules, rows, row, side) == seat:
            found = side
    return found


@native
def bring(rules: Rules, rows: Rows, desk: Desk, row: int) -> int:
    """Let a thread's world have the memory of a row; return FULL if there is little room in it."""
    result = FINE
    for n in range(rules.memories):
        own, there = (row * rules.memories + n) * PAST_WORDS, PAST + n * PAST_WORDS
        for word in range(PAST_WORDS):
            desk.world[there + word] = rows.past[own + word]
        count = field(rules, rows, row, rules.key_counts[n], WORD_BYTES)
        if count + _SPARE > rows.past[own + _ROOM]:
            result = FULL
    return result


@native
def keep(rules: Rules, rows: Rows, desk: Desk, row: int) -> None:
    """Keep in a row what the world has learned of its memory: how many keys have digests."""
    for n in range(rules.memories):
        own, there = (row * rules.memories + n) * PAST_WORDS, PAST + n * PAST_WORDS
        rows.past[own + DIGESTED] = desk.world[there + DIGESTED]


@native
def ask(rules: Rules, rows: Rows, desk: Desk, row: int, to_make: int, ways: int) -> int:
    """Ask how the turn in a row goes on, by the address of where ways are counted (0: not)."""
    desk.question[0] = address(rows.decisions) + row * rows.longest * 4
    desk.question[1] = rows.numbers[row * COUNTERS + MADE]
    desk.question[2] = address(rows.mask) + row * rules.actions
    desk.question[3] = ways
    desk.question[4] = to_make
    for n in range(3):
        desk.question[6 + n] = rows.best[row * 3 + n]
    world = address(desk.world)
    call(rules.prepare, world, rules.work, rules.stack)
    position = address(rows.frames) + row * rules.frame_bytes
    found = call(rules.ask, position, world, address(desk.question))
    for n in range(3):
        rows.best[row * 3 + n] = desk.question[6 + n]
    rows.group[row] = desk.question[5] if found == ASKED else -1
    return found


@native
def ways_in(rules: Rules, rows: Rows, row: int, seat: int) -> int:
    """Return the address of where a row counts the ways of chance, none as yet; 0 for others."""
    if seat != CHANCE or rules.draws != 0:
        return 0
    for action in range(rules.actions):
        rows.ways[row * rules.actions + action] = 0
    return address(rows.ways) + row * rules.actions * WORD_BYTES


@native
def begin_turn(rows: Rows, row: int) -> None:
    """Begin a turn in a row: nothing is decided in it."""
    rows.numbers[row * COUNTERS + MADE] = 0
    rows.best[row * 3] = 0


@native
def start(rules: Rules, rows: Rows, row: int) -> None:
    """Put the position that the game begins with into a row."""
    copy(address(rows.frames) + row * rules.frame_bytes, address(rules.start), rules.frame_bytes)
    for n in range(rules.memories):
        own = (row * rules.memories + n) * PAST_WORDS
        count = field(rules, rows, row, rules.key_counts[n], WORD_BYTES)
        copy(rows.past[own], rules.start_keys[n], count * rules.key_sizes[n])
        rows.past[own + DIGESTED] = 0
    begin_turn(rows, row)
    for counter in range(PLIES, COUNTERS):
        rows.numbers[row * COUNTERS + counter] = 0
    if rules.recall > 0:
        for seat in range(rules.sides):
            rows.event_counts[row * rules.sides + seat] = 0
    rows.numbers[row * COUNTERS + IS_BEGUN] = 1


# ----------------------------------------------------------------------- what happens in one


@native
def reward_winners(rules: Rules, rows: Rows, row: int) -> None:
    """Put what the game in a row was worth to each seat into the arrays."""
    everyone = (1 << rules.sides) - 1
    winners = field(rules, rows, row, rules.winners, 4)
    is_draw = rules.sides > 1 and (winners == 0 or winners == everyone)
    for side in range(rules.sides):
        place = row * rules.sides + seat_of(rules, rows, row, side)
        if rules.payoffs != 0:
            paid = field(rules, rows, row, rules.payoffs + side * WORD_BYTES, WORD_BYTES)
            rows.reward[place] = paid / rules.payoff_unit
        else:
            rows.reward[place] = 0.0 if is_draw else (1.0 if winners >> side & 1 != 0 else -1.0)


@native
def decide(rules: Rules, rows: Rows, desk: Desk, row: int, action: int) -> int:
    """Make an action in a row; return what `ask` gives, NOTHING where it is not legal."""
    numbers = row * COUNTERS
    if action == 0:
        if rows.numbers[numbers + ASKS] == NOTHING:
            world, position = address(desk.world), address(rows.frames) + row * rules.frame_bytes
            call(rules.prepare, world, rules.work, rules.stack)
            call(rules.pass_on, position, world)
            return COMPLETE if desk.world[ERROR] == 0 else -1
        return ask(rules, rows, desk, row, 1, 0)
    made = rows.numbers[numbers + MADE]
    entry = row * rows.longest + made
    rows.decisions[entry] = action - rules.delta[rows.group[row]]
    rows.ids[entry] = action
    rows.numbers[numbers + MADE] = made + 1
    return ask(rules, rows, desk, row, 1, ways_in(rules, rows, row, rows.seat[row]))


@native
def take_back(rules: Rules, rows: Rows, desk: Desk, row: int, action: int) -> None:
    """Leave a row as it was before an action with which native code has failed."""
    if action == 0:
        rows.mask[row * rules.actions] = 1
    else:
        rows.numbers[row * COUNTERS + MADE] -= 1
        ask(rules, rows, desk, row, 0, ways_in(rules, rows, row, rows.seat[row]))


@native
def end_turn(rules: Rules, rows: Rows, row: int) -> None:
    """Note the decisions of a turn that was made, and that another one is to begin."""
    numbers = row * COUNTERS
    made = rows.numbers[numbers + MADE]
    begin = row * rows.longest
    for n in range(made):
        rows.last[begin + n] = rows.ids[begin + n]
    rows.numbers[numbers + LAST] = made
    rows.numbers[numbers + PLIES] += 1
    rows.numbers[numbers + IS_BEGUN] = 1
    begin_turn(rows, row)


@native
def draw(rules: Rules, rows: Rows, desk: Desk, row: int) -> int:
    """Make one of chance's moves in a row; return how many there are, -1 where that fails."""
    world, position = address(desk.world), address(rows.frames) + row * rules.frame_bytes
    call(rules.prepare, world, rules.work, rules.stack)
    number = call(rules.count, position, world)
    if desk.world[ERROR] != 0:
        return -1
    if number == 0:
        return 0
    chosen = drawn(rows.random, row, number)
    call(rules.prepare, world, rules.work, rules.stack)
    call(rules.pick, position, world, chosen)
    return number if desk.world[ERROR] == 0 else -1


@native
def over(rules: Rules, rows: Rows, row: int) -> bool:
    """End the game in a row; return whether another one begins there."""
    numbers = row * COUNTERS
    has_moved = rows.numbers[numbers + PLIES] > 0
    if rules.resets != 0 and has_moved:
        start(rules, rows, row)
        return True
    close(rules, rows, row)
    return False


@native
def close(rules: Rules, rows: Rows, row: int) -> None:
    """Let nobody decide any more in a row."""
    rows.numbers[row * COUNTERS + OVER] = 1
    rows.numbers[row * COUNTERS + IS_BEGUN] = 0
    rows.seat[row], rows.group[row] = NOBODY, -1
    for action in range(rules.actions):
        rows.mask[row * rules.actions + action] = 0


@native
def begin(rules: Rules, rows: Rows, desk: Desk, row: int) -> int:
    """Go on with a row until somebody has to decide, or its game is over; return how that went."""
    numbers = row * COUNTERS
    goes_on = True
    while goes_on:
        if bring(rules, rows, desk, row) != FINE:
            return FULL
        if field(rules, rows, row, rules.ended, 4) != 0:
            reward_winners(rules, rows, row)
            rows.terminated[row] = 1
            goes_on = over(rules, rows, row)
            continue
        if rows.numbers[numbers + PLIES] >= rules.most_plies:
            rows.truncated[row] = 1
            goes_on = over(rules, rows, row)
            continue
        phase = field(rules, rows, row, rules.phase, rules.phase_size)
        seat = rules.phase_choosers[phase]
        found = 1
        if seat == CHANCE and rules.draws != 0:
            found = draw(rules, rows, desk, row)
            if found > 0:
                keep(rules, rows, desk, row)
                note(rules, rows, desk, row, CHANCE, -1)
                rows.numbers[numbers + PLIES] += 1
                continue
        else:
            found = ask(rules, rows, desk, row, 0, ways_in(rules, rows, row, seat))
        if found < 0:
            return FAILED
        if found == NOTHING:
            world, position = address(desk.world), address(rows.frames) + row * rules.frame_bytes
            call(rules.prepare, world, rules.work, rules.stack)
            clause = call(rules.stuck, position, world) & 0xFFFFFFFF
            if desk.world[ERROR] != 0:
                return FAILED
            if clause != PASSES & 0xFFFFFFFF:
                continue
        if seat == OF_MOVER:
            mover = field(rules, rows, row, rules.mover, rules.mover_size)
            seat = seat_of(rules, rows, row, mover)
        rows.seat[row] = seat
        if found != ASKED:
            rows.mask[row * rules.actions] = 1
            if seat == CHANCE:
                rows.ways[row * rules.actions] = 1
        rows.numbers[numbers + ASKS] = found
        rows.numbers[numbers + IS_BEGUN] = 0
        goes_on = False
    keep(rules, rows, desk, row)
    return FINE


@native
def show_to(
    rules: Rules,
    rows: Rows,
    desk: Desk,
    row: int,
    side: int,
    at: int,
    planes: Bytes,
    scalars: Floats,
) -> int:
    """Fill a place of arrays with what a side sees of a row.

    Return whether the last move is told to it; -1 where that fails.
    """
    world, position = address(desk.world), address(rows.frames) + row * rules.frame_bytes
    size = rules.planes * rules.sites
    call(rules.prepare, world, rules.work, rules.stack)
    is_told = call(
        rules.seen[side],
        position,
        world,
        address(planes) + at * size,
        address(scalars) + at * rules.scalars * 4,
    )
    if desk.world[ERROR] != 0:
        return -1
    numbers, begin_at = row * COUNTERS, row * rows.longest
    if is_told != 0:
        for n in range(rows.numbers[numbers + LAST]):
            site = rules.site_of[rows.last[begin_at + n]]
            if site >= 0:
                planes[at * size + rules.last_plane * rules.sites + site] = 1
    mover = field(rules, rows, row, rules.mover, rules.mover_size)
    if rules.hides == 0 or side == mover:
        for n in range(rows.numbers[numbers + MADE]):
            action = rows.ids[begin_at + n]
            if rules.plane_of[action] >= 0:
                place = rules.plane_of[action] * rules.sites + rules.site_of[action]
                planes[at * size + place] = min(n + 1, 255)
            if rules.scalar_of[action] >= 0:
                place = at * rules.scalars + rules.scalar_of[action]
                scalars[place] = rules.value_of[action]
    return is_told


@native
def show(rules: Rules, rows: Rows, desk: Desk, row: int) -> int:
    """Show a row to the side on turn."""
    mover = field(rules, rows, row, rules.mover, rules.mover_size)
    told = show_to(rules, rows, desk, row, mover, row, rows.observation, rows.scalars)
    return FAILED if told < 0 else FINE


@native
def note(rules: Rules, rows: Rows, desk: Desk, row: int, seat: int, action: int) -> None:
    """Note what each seat is told of a decision: who decided, what, and what the seat sees now.

    What it sees is noted as a number that the same arrays have; and only where moves may not be
    told, or are drawn.
    """
    if rules.recall == 0:
        return
    for each in range(rules.sides):
        count = rows.event_counts[row * rules.sides + each]
        digest, told = 0, action
        if rules.hides != 0 or seat == CHANCE:
            side = side_of(rules, rows, row, each)
            is_told = show_to(rules, rows, desk, row, side, 0, desk.planes, desk.scalars)
            digest = digest_of(rules, desk)
            if is_told <= 0 and each != seat:
                told = -1
        if count < rules.recall:
            place = ((row * rules.sides + each) * rules.recall + count) * 3
            rows.events[place], rows.events[place + 1] = seat, told
            rows.events[place + 2] = digest
        rows.event_counts[row * rules.sides + each] = count + 1


@native
def digest_of(rules: Rules, desk: Desk) -> int:
    """Return 31 bits that tell what is seen from other things (FNV-1a, byte by byte)."""
    total = 14695981039346656037 - (1 << 64)
    for place in range(rules.planes * rules.sites):
        total = (total ^ desk.planes[place]) * 1099511628211
    for n in range(rules.scalars):
        total = (total ^ int(desk.scalars[n] * 4096.0)) * 1099511628211
    return shifted(total, 33)


# ---------------------------------------------------------------------- stretches of rows


@native
def illegal(rules: Rules, rows: Rows, desk: Desk, first: int, last: int) -> int:
    """Return the first of some rows whose action is not legal, or the end of them."""
    for row in range(first, last):
        action = rows.actions[row]
        is_wrong = rows.numbers[row * COUNTERS + OVER] != 0 or not 0 <= action < rules.actions
        mask = row * rules.actions
        if action != -1 and (is_wrong or rows.mask[mask + action] == 0):
            return row
    return last


@native
def lose(rules: Rules, rows: Rows, row: int) -> bool:
    """End a row's game, which the seat on turn has lost; return whether another one begins."""
    for seat in range(rules.sides):
        rows.reward[row * rules.sides + seat] = -1.0 if seat == rows.seat[row] else 1.0
    rows.terminated[row] = 1
    rows.numbers[row * COUNTERS + PLIES] += 1
    return over(rules, rows, row)


@native
def act_in(rules: Rules, rows: Rows, desk: Desk, row: int) -> int:
    """Make the action of a row, and begin the next turn where it completes one."""
    numbers = row * COUNTERS
    if rows.numbers[numbers + IS_BEGUN] == 0:
        for seat in range(rules.sides):
            rows.reward[row * rules.sides + seat] = 0.0
        rows.terminated[row], rows.truncated[row] = 0, 0
        action = rows.actions[row]
        if action == -1 or rows.numbers[numbers + OVER] != 0:
            return FINE
        if bring(rules, rows, desk, row) != FINE:
            return FULL
        is_legal = 0 <= action < rules.actions
        if is_legal:
            is_legal = rows.mask[row * rules.actions + action] != 0
        if not is_legal:
            if not lose(rules, rows, row):
                return show(rules, rows, desk, row)
        else:
            if rows.numbers[numbers + MADE] >= rows.longest:
                return LONG
            found = decide(rules, rows, desk, row, action)
            if found < 0 or found == NOTHING:
                take_back(rules, rows, desk, row, action)
                return FAILED
            keep(rules, rows, desk, row)
            if found == COMPLETE:
                end_turn(rules, rows, row)
            note(rules, rows, desk, row, rows.seat[row], action)
            if found == ASKED:
                return show(rules, rows, desk, row)
    how = begin(rules, rows, desk, row)
    return how if how != FINE else show(rules, rows, desk, row)


@native
def act(rules: Rules, rows: Rows, desk: Desk, first: int, last: int) -> int:
    """Make an action in each of some rows; return where that stopped, or the end of them."""
    for row in range(first, last):
        how = act_in(rules, rows, desk, row)
        if how != FINE:
            desk.report[REASON] = how
            return row
    return last


@native
def look_at(rules: Rules, rows: Rows, desk: Desk, row: int) -> int:
    """Fill the arrays of a row whose numbers and position have been set."""
    numbers = row * COUNTERS
    for seat in range(rules.sides):
        rows.reward[row * rules.sides + seat] = 0.0
    rows.terminated[row], rows.truncated[row] = 0, 0
    if bring(rules, rows, desk, row) != FINE:
        return FULL
    if rows.numbers[numbers + OVER] != 0:
        if field(rules, rows, row, rules.ended, 4) != 0:
            reward_winners(rules, rows, row)
            rows.terminated[row] = 1
        else:
            rows.truncated[row] = 1
        close(rules, rows, row)
        return show(rules, rows, desk, row)
    if rows.numbers[numbers + MADE] == 0:
        how = begin(rules, rows, desk, row)
        return how if how != FINE else show(rules, rows, desk, row)
    phase = field(rules, rows, row, rules.phase, rules.phase_size)
    seat = rules.phase_choosers[phase]
    found = ask(rules, rows, desk, row, 0, ways_in(rules, rows, row, seat))
    if found != ASKED:
        return FAILED
    if seat == OF_MOVER:
        seat = seat_of(rules, rows, row, field(rules, rows, row, rules.mover, rules.mover_size))
    rows.seat[row] = seat
    keep(rules, rows, desk, row)
    return show(rules, rows, desk, row)


@native
def look(rules: Rules, rows: Rows, desk: Desk, chosen: Words, first: int, last: int) -> int:
    """Fill the arrays of chosen rows; return the place in `chosen` where that stopped, or last."""
    for place in range(first, last):
        how = look_at(rules, rows, desk, chosen[place])
        if how != FINE:
            desk.report[REASON] = how
            return place
    return last


@native
def begin_anew(rules: Rules, rows: Rows, desk: Desk, chosen: Words, first: int, last: int) -> int:
    """Put the start into chosen rows."""
    for place in range(first, last):
        start(rules, rows, chosen[place])
    return last


@native
def observe(
    rules: Rules,
    rows: Rows,
    desk: Desk,
    wanted: int,
    planes: Bytes,
    scalars: Floats,
    first: int,
    last: int,
) -> int:
    """Fill arrays with what a seat sees in some rows."""
    for row in range(first, last):
        bring(rules, rows, desk, row)
        side = side_of(rules, rows, row, wanted)
        if show_to(rules, rows, desk, row, side, row, planes, scalars) < 0:
            desk.report[REASON] = FAILED
            return row
    return last


@native
def sample(rules: Rules, rows: Rows, desk: Desk, first: int, last: int) -> int:
    """Put an action into each of some rows, equally likely among those of the mask."""
    for row in range(first, last):
        number, begin_at = 0, row * rules.actions
        low, high = 0, rules.actions
        for action in range(low, high):
            number += rows.mask[begin_at + action]
        rows.actions[row] = -1
        if number > 0:
            left = drawn(rows.random, row, number)
            action = low
            while left >= 0:
                left -= rows.mask[begin_at + action]
                action += 1
            rows.actions[row] = action - 1
    return last
