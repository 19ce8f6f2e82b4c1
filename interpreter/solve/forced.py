"""Whether a seat can force a win within so many plies, by every way of that length.

In: a position, a seat, a number of plies. Out: yes or no. What then holds: it is certain, also
where rules ask for earlier positions. A position is kept, those after it behind it, and those of
deeper plies behind these; nothing is remembered of positions that were left, so nothing has to be
told apart.

A side that could win gives up a position at its first move that does not fail, the other one at
its first that does: of b moves each, five plies take some b³ positions where there is no win. The
move that settled a position at the same ply last is made first, before any other is looked for
(a killer move: S. G. Akl and M. M. Newborn, 1977): mostly it settles this one, too. Close to the
last ply, so are some that did so before.
"""

from __future__ import annotations

from gdl.interpreter.native.memory import context as c
from gdl.interpreter.search.machine.instructions import (
    Record,
    Words,
    address,
    array,
    call,
    copy,
    native,
)
from gdl.interpreter.search.memory.positions import (
    Desk,
    Fields,
    GameFunctions,
    chooser,
    is_stopped,
    prepare,
    put_keys,
    take_keys,
)
from gdl.interpreter.solve.workspace import (
    ERROR,
    FAILED,
    LOST,
    OVER,
    WON,
    WORD_BYTES,
    Bench,
    is_over,
    number_of_moves,
    outcome,
)

OPEN = -1
"""What a game that is not over is worth."""
LOOKED, ABORTED, BROKE_AT, CROWDED = range(4)
"""Fields of `Ways.state`: how many positions were looked at; whether the search is given up; after
how many moves a call failed or was stopped; whether there was no room."""
MOST_PLIES = 60
"""How far ahead may be looked."""
_LIST_WORDS = 1 << 16
_KILLERS = 16
"""How many moves are remembered of a ply that settled positions there.

In the last ply all are tried, which costs as many moves; with two plies left a quarter of them;
with more the last one alone, as each may cost all that it saves.
"""
_MOST_DECISIONS = 64
"""How long a list of moves may be from which one is learned, and that one with its words.

They are so in most games; in others, no move is made before the others.
"""


class Ways(Record):
    """Positions on a way and those that follow them, and the seat that is to win.

    A position takes a record of `size` words, in which from `keys_at` on (in bytes) stands what is
    remembered of it; there are so many `records`. `path` has the number of each move on the way,
    `killers` the decisions of the moves that settled positions at each ply, `lengths` how many they
    are, and `newest` the place of the last such move among those of its ply, before which older
    ones stand in a ring; `list` is for a list of moves, `state` the fields above. Of the moves at
    the beginning, `order` has the numbers, as they are to be tried, and `found` what the game is
    worth after each, or OPEN. `may_be_stuck` says whether a game may end because there is no move;
    `are_compared` whether only the moves with most of something are legal, so that none can be
    made before the others are known.
    """

    size: int
    records: int
    keys_at: int
    may_be_stuck: bool
    are_compared: bool
    words: Words
    path: Words
    killers: Words
    lengths: Words
    newest: Words
    list: Words
    order: Words
    found: Words
    state: Words


def new_ways(
    memory: int, frame_bytes: int, record_bytes: int, *, may_be_stuck: bool, are_compared: bool
) -> Ways:
    """Return room for positions, of so many bytes, whose frame and whose record take so many."""
    size = record_bytes // WORD_BYTES
    records = max(64, memory // record_bytes)
    return Ways(
        size=size,
        records=records,
        keys_at=frame_bytes + c.FOLLOWER_HEAD,
        may_be_stuck=may_be_stuck,
        are_compared=are_compared,
        words=array("Words", records * size),
        path=array("Words", MOST_PLIES + 1),
        killers=array("Words", (MOST_PLIES + 1) * _KILLERS * _MOST_DECISIONS),
        lengths=array("Words", (MOST_PLIES + 1) * _KILLERS),
        newest=array("Words", MOST_PLIES + 1),
        list=array("Words", _LIST_WORDS),
        order=array("Words", records),
        found=array("Words", records),
        state=array("Words", 8),
    )


@native
def _record(ways: Ways, number: int) -> int:
    """Return the address of a record."""
    return address(ways.words) + number * ways.size * WORD_BYTES


@native
def _take(ways: Ways, record: int, ply: int, desk: Desk, fields: Fields) -> None:
    """Put a position after so many moves in front of a thread, with what is remembered of it."""
    copy(address(desk.position), _record(ways, record), fields.bytes)
    put_keys(_record(ways, record) + ways.keys_at, ply, desk, fields)


@native
def _keep(ways: Ways, record: int, ply: int, desk: Desk, fields: Fields) -> None:
    """Keep the position in front of a thread, after so many moves, and what is remembered of it."""
    copy(_record(ways, record), address(desk.position), fields.bytes)
    take_keys(_record(ways, record) + ways.keys_at, ply, desk, fields)


@native
def _followed(
    ways: Ways, begin: int, ply: int, desk: Desk, code: GameFunctions, fields: Fields
) -> int:
    """Keep all positions after that in front of a thread, after so many moves; return how many.

    It is 0 where the game is over, as the position tells then, or where the search is given up.
    """
    room = (ways.records - begin) * ways.size * WORD_BYTES
    prepare(desk, code)
    position, world = address(desk.position), address(desk.world)
    used = call(code.followers, position, world, _record(ways, begin), room)
    count = used // (ways.size * WORD_BYTES)
    if used > room or room < ways.size * WORD_BYTES:
        ways.state[CROWDED] = 1
        ways.state[ABORTED] = 1
        return 0
    if used == 0 and desk.world[ERROR] == 0:
        clause = call(code.stuck, position, world) & 0xFFFFFFFF
        if clause == 0xFFFFFFFF and desk.world[ERROR] == 0:
            call(code.pass_on, position, world)
            _keep(ways, begin, ply + 1, desk, fields)
            count = 1
    if desk.world[ERROR] != 0 or is_stopped(desk):
        ways.state[ABORTED] = 1
        ways.state[BROKE_AT] = ply
        return 0
    ways.state[LOOKED] += count
    return count


@native
def _is_won(goal: int, desk: Desk, fields: Fields, bench: Bench) -> bool:
    """Return whether a seat has won the game that is over in front of a thread."""
    return outcome(desk, fields, bench) == (WON if goal == 0 else LOST)


@native
def _is_stuck(ways: Ways, ply: int, desk: Desk, code: GameFunctions, fields: Fields) -> bool:
    """Return whether there is no move in front of a thread, which ends the game."""
    if not ways.may_be_stuck:
        return False
    moves = number_of_moves(desk, code, fields)
    if moves == FAILED:
        ways.state[ABORTED] = 1
        ways.state[BROKE_AT] = ply
    return moves == OVER


@native
def _is_at_end(
    ways: Ways, left: int, ply: int, desk: Desk, code: GameFunctions, fields: Fields
) -> bool:
    """Return whether the game is over in front of a thread, also for want of moves in the last ply.

    With more plies `left`, that there is no move is found when they are looked for.
    """
    return is_over(desk, fields) or (left == 1 and _is_stuck(ways, ply, desk, code, fields))


@native
def _killer(ways: Ways, ply: int, before: int) -> int:
    """Return the number of a move that settled a position at a ply, with so many learned since."""
    return ply * _KILLERS + (ways.newest[ply] + _KILLERS - before) % _KILLERS


@native
def _learn(ways: Ways, record: int, number: int, ply: int, desk: Desk, code: GameFunctions) -> None:
    """Take a move of the position in a record, after a ply, as the one to be made first there."""
    if ways.are_compared:
        return
    prepare(desk, code)
    moves = address(ways.list)
    used = call(code.listed, _record(ways, record), address(desk.world), moves, _LIST_WORDS)
    if used > _LIST_WORDS or desk.world[ERROR] != 0:
        desk.world[ERROR] = 0
        return
    place = 0
    for _ in range(number):
        if place < used:
            place += 1 + ways.list[place]
    if place >= used or ways.list[place] > _MOST_DECISIONS:
        return
    ways.newest[ply] = (ways.newest[ply] + 1) % _KILLERS
    killer, length = _killer(ways, ply, 0), 0
    for entry in range(place + 1, place + 1 + ways.list[place]):
        word = ways.list[entry]
        if word >= 0:
            value = word & 0xFFFFFFFF
            ways.killers[killer * _MOST_DECISIONS + length] = value - (value >> 31 << 32)
            length += 1
    ways.lengths[killer] = length


@native
def _is_made(ways: Ways, killer: int, desk: Desk, code: GameFunctions) -> bool:
    """Make a move that settled a position before, if it can be made."""
    prepare(desk, code)
    position, world = address(desk.position), address(desk.world)
    decisions = address(ways.killers) + killer * _MOST_DECISIONS * WORD_BYTES
    made = call(code.make, position, world, decisions, ways.lengths[killer])
    ways.state[LOOKED] += made
    return made != 0 and desk.world[ERROR] == 0


@native
def _forced(
    ways: Ways,
    goal: int,
    left: int,
    ply: int,
    begin: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    bench: Bench,
) -> bool:
    """Return whether a seat forces a win from the position in front of a thread, after a ply.

    No end was found there yet; there are so many plies left, and room from the record `begin` on.
    """
    if begin + 2 >= ways.records:
        ways.state[CROWDED] = 1
        ways.state[ABORTED] = 1
        return False
    is_own = chooser(desk, fields) == goal
    _keep(ways, begin, ply, desk, fields)
    for before in range(max(1, _KILLERS // (left * left))):
        killer = _killer(ways, ply, before)
        if ways.lengths[killer] == 0:
            break
        if _is_made(ways, killer, desk, code):
            # What is remembered of it has to be put where rules look for it, as of all others.
            _keep(ways, begin + 1, ply + 1, desk, fields)
            _take(ways, begin + 1, ply + 1, desk, fields)
            is_won = False
            if _is_at_end(ways, left, ply + 1, desk, code, fields):
                is_won = _is_won(goal, desk, fields, bench)
            elif left > 1 and ways.state[ABORTED] == 0:
                is_won = _forced(
                    ways, goal, left - 1, ply + 1, begin + 1, desk, code, fields, bench
                )
            if ways.state[ABORTED] == 0 and is_won == is_own:
                return is_own
        if is_stopped(desk):
            ways.state[ABORTED] = 1
            return False
        # What fails after this move is met again, by its number.
        ways.state[ABORTED] = 0
        ways.state[CROWDED] = 0
        desk.world[ERROR] = 0
        _take(ways, begin, ply, desk, fields)
    first = begin + 1
    count = _followed(ways, first, ply, desk, code, fields)
    if ways.state[ABORTED] != 0:
        return False
    if count == 0:
        return _is_won(goal, desk, fields, bench)
    for number in range(count):
        ways.path[ply] = number
        _take(ways, first + number, ply + 1, desk, fields)
        if not _is_at_end(ways, left, ply + 1, desk, code, fields):
            if ways.state[ABORTED] != 0 or (left == 1 and not is_own):
                return False
        elif _is_won(goal, desk, fields, bench) == is_own:
            _learn(ways, begin, number, ply, desk, code)
            return is_own
    for number in range(count if left > 1 else 0):
        ways.path[ply] = number
        _take(ways, first + number, ply + 1, desk, fields)
        if not is_over(desk, fields):
            below = first + count
            found = _forced(ways, goal, left - 1, ply + 1, below, desk, code, fields, bench)
            if ways.state[ABORTED] != 0:
                return False
            if found == is_own:
                _learn(ways, begin, number, ply, desk, code)
                return is_own
    return not is_own


@native
def open_ways(ways: Ways, desk: Desk, code: GameFunctions, fields: Fields, bench: Bench) -> int:
    """Keep all positions after that in front of a thread; return how many there are.

    What a game is worth that is over is found; the others are open.
    """
    ways.state[ABORTED] = 0
    ways.state[BROKE_AT] = 0
    count = _followed(ways, 0, 0, desk, code, fields)
    for number in range(count):
        ways.path[0] = number
        _take(ways, number, 1, desk, fields)
        is_at_end = _is_at_end(ways, 1, 1, desk, code, fields)
        ways.found[number] = outcome(desk, fields, bench) if is_at_end else OPEN
        if ways.state[ABORTED] != 0:
            return 0
    return count


@native
def find_forced(
    ways: Ways,
    moves: int,
    goal: int,
    worth: int,
    left: int,
    is_one_enough: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    bench: Bench,
) -> bool:
    """Find after which of so many moves a seat forces a win within so many plies: it is `worth` so.

    Only open ones are looked at, in order, and none after the first that is found if that
    `is_one_enough`. Returns whether it ended with one.
    """
    for place in range(moves):
        number = ways.order[place]
        if ways.found[number] == OPEN:
            ways.path[0] = number
            _take(ways, number, 1, desk, fields)
            is_found = _forced(ways, goal, left, 1, moves, desk, code, fields, bench)
            if is_found:
                ways.found[number] = worth
            if ways.state[ABORTED] != 0 or (is_found and is_one_enough != 0):
                return is_found
    return False
