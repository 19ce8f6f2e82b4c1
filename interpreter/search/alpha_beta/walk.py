"""Positions on a way and those that follow them: where alpha-beta stands.

In: a position, a game's code. Out: the positions after all of its moves, in one call; of each, who
decides, whether the game is over, what it is worth at first sight, and whether its move was quiet.
What then holds: all of it lies in an arena of fixed size, that of deeper positions behind that of
those above.

A move changes little of a position, so what a position is worth is worked out of what the one
before was worth. A move is *forcing* if less of some kind of pieces stands on the board after it:
something was taken, or has become something else.
"""

from __future__ import annotations

from gdl.interpreter.native.memory import world as w
from gdl.interpreter.search.alpha_beta.arena import (
    ABORTED,
    BROKE_AT,
    CHANGE,
    CHANGES,
    DRAWN,
    FORCED,
    FORCING,
    JUDGED,
    LOST,
    OPEN,
    UNQUIET,
    WON,
    Walk,
)
from gdl.interpreter.search.alpha_beta.judging import Judge, changed_worth, is_loss, whole_worth
from gdl.interpreter.search.evaluation.row_worth import (
    changed_rows_worth,
    of_turn,
    rows_worth,
    without_turn,
)
from gdl.interpreter.search.machine.instructions import address, call, copy, native, shifted
from gdl.interpreter.search.memory.positions import (
    Desk,
    Fields,
    GameFunctions,
    prepare,
    put_keys,
    take_keys,
)
from gdl.interpreter.search.memory.tree import CHANCE

FAILED, NO_ROOM = -1, -2
"""In place of a number of moves: a call failed; the arena is full."""
_ERROR = w.ERROR // 8
_FIRST_FACTOR, _SECOND_FACTOR = -0x61C8864680B583EB, -0x40A7B892E31B1A47
_SHIFT = 29
_MOST_MOBILITY = 10_000


# ------------------------------------------------------------------- reading a position


@native
def number_at(walk: Walk, record: int, offset: int, size: int) -> int:
    """Return the number, which is not negative, in a field of a record."""
    begin = record * walk.size * 8 + offset
    value = 0
    for n in range(size):
        value |= walk.bytes[begin + n] << 8 * n
    return value


@native
def seat_at(walk: Walk, fields: Fields, record: int, side: int) -> int:
    """Return the seat of a side in a position."""
    if fields.seat_size == 0:
        return side
    return number_at(walk, record, fields.seats[side], fields.seat_size)


@native
def _decides(walk: Walk, fields: Fields, record: int) -> int:
    """Return the seat that decides in a position."""
    seat = fields.phase_choosers[number_at(walk, record, fields.phase, fields.phase_size)]
    if seat >= CHANCE:
        return seat
    mover = number_at(walk, record, fields.mover, fields.mover_size)
    return seat_at(walk, fields, record, mover)


@native
def _result(walk: Walk, fields: Fields, record: int) -> int:
    """Return what a game of two sides is worth for the first seat, or OPEN."""
    if number_at(walk, record, fields.ended, 4) == 0:
        return OPEN
    winners = number_at(walk, record, fields.winners, 4)
    if winners == 0 or winners == 3:
        return DRAWN
    return WON if seat_at(walk, fields, record, winners - 1) == 0 else LOST


@native
def mixed_in(number: int, word: int, factor: int) -> int:
    """Return a number into which a word is mixed."""
    found = (number ^ word) * factor
    return found ^ shifted(found, _SHIFT)


@native
def keep_key(walk: Walk, judge: Judge, ply: int, record: int) -> None:
    """Work out the two words by which a position is known that a way comes to after a ply."""
    begin = record * walk.size
    first, second = 0, 1
    for n in range(judge.words):
        word = walk.words[begin + n] & judge.masks[n]
        first = mixed_in(first, word, _FIRST_FACTOR)
        second = mixed_in(second, word, _SECOND_FACTOR)
    walk.keys[2 * ply] = first
    walk.keys[2 * ply + 1] = second


@native
def _past_of(walk: Walk, fields: Fields, record: int) -> int:
    """Return a number for what is remembered of a position itself."""
    found = 0
    begin = record * walk.size + walk.keys_at
    for n in range(fields.memories):
        key = n + 1
        first = begin + fields.key_begins[n] // 8
        for place in range(fields.key_sizes[n] // 8):
            key = mixed_in(key, walk.words[first + place], _FIRST_FACTOR)
        found += key
    return found


# --------------------------------------------------------------------- what follows


@native
def take_up(walk: Walk, judge: Judge, fields: Fields, record: int, parent: int) -> None:
    """Find out what is to be known of a position that stands in its record; of the root (-1).

    What its rows are worth is added afterwards (`add_rows`): where there are none, this is quicker.
    """
    begin = record * walk.size
    walk.is_forcing[record] = 0
    walk.pasts[record] = 0
    if parent < 0:
        walk.sums[record] = whole_worth(judge, walk, begin)
    else:
        before = parent * walk.size
        found = changed_worth(judge, walk, before, begin)
        walk.sums[record] = walk.sums[parent] + found
        if is_loss(judge, walk, before, begin):
            walk.is_forcing[record] = 1
        if fields.memories > 0:
            walk.pasts[record] = walk.pasts[parent] + _past_of(walk, fields, record)
    worth = judge.even + walk.sums[record]
    if number_at(walk, record, fields.mover, fields.mover_size) == 0:
        worth += judge.on_turn
    else:
        worth -= judge.on_turn
    walk.values[record] = worth if seat_at(walk, fields, record, 0) == 0 else 0 - worth
    walk.seats[record] = _decides(walk, fields, record)
    walk.results[record] = _result(walk, fields, record)


@native
def add_rows(walk: Walk, judge: Judge, fields: Fields, record: int, parent: int) -> None:
    """Add what open rows are worth to what is known of a position; of the root (-1)."""
    begin, turns = record * walk.size, 0
    if parent < 0:
        found = rows_worth(judge.rows, walk.words, begin, walk.held)
    else:
        before = parent * walk.size
        found = changed_rows_worth(judge.rows, walk.words, before, begin, walk.held)
        turns = walk.turns[parent]
    turns += of_turn(found)
    walk.turns[record] = turns
    walk.sums[record] += without_turn(found)
    is_first = number_at(walk, record, fields.mover, fields.mover_size) == 0
    more = without_turn(found) + (turns if is_first else 0 - turns)
    walk.values[record] += more if seat_at(walk, fields, record, 0) == 0 else 0 - more


@native
def _passed(walk: Walk, record: int, target: int, desk: Desk, code: GameFunctions) -> bool:
    """Pass in a position; the one after it goes to a record. Returns whether that went well."""
    size = 8 * walk.size
    words, world = address(walk.words), address(desk.world)
    copy(words + target * size, words + record * size, size)
    call(code.pass_on, words + target * size, world)
    walk.words[target * walk.size + walk.name_at] = 0
    return desk.world[_ERROR] == 0


@native
def keep_remembered(
    walk: Walk, ply: int, record: int, desk: Desk, fields: Fields, is_in_record: bool
) -> None:
    """Bring what is remembered of a position after so many moves to where the rules look for it.

    If it is not in the record yet, it is brought there from where the rules have put it.
    """
    keys = address(walk.words) + (record * walk.size + walk.keys_at) * 8
    if is_in_record:
        put_keys(keys, ply, desk, fields)
    else:
        take_keys(keys, ply, desk, fields)


@native
def follow(
    walk: Walk, judge: Judge, ply: int, record: int, desk: Desk, code: GameFunctions, fields: Fields
) -> int:
    """Put all positions after that of a record behind one another; return how many there are.

    It is 0 if the game is over there after all, or FAILED, or NO_ROOM.
    """
    begin = walk.begins[ply]
    size = 8 * walk.size
    room = (walk.records - begin) * size
    words, world = address(walk.words), address(desk.world)
    walk.path[ply] = record
    if room < size:
        return NO_ROOM
    prepare(desk, code)
    used = call(code.followers, words + record * size, world, words + begin * size, room)
    count = used // size
    if used == 0 and desk.world[_ERROR] == 0:
        clause = call(code.stuck, words + record * size, world) & 0xFFFFFFFF
        if clause != 0xFFFFFFFF and desk.world[_ERROR] == 0:
            walk.results[record] = _result(walk, fields, record)
            return 0
        count = 1
        if desk.world[_ERROR] == 0 and _passed(walk, record, begin, desk, code):
            keep_remembered(walk, ply + 1, begin, desk, fields, False)
    if desk.world[_ERROR] != 0:
        walk.state[ABORTED] = 1
        walk.state[BROKE_AT] = ply
        return FAILED
    if used > room:
        return NO_ROOM
    walk.begins[ply + 1] = begin + count
    walk.state[JUDGED] += count
    walk.counts[ply] = count
    _take_up_all(walk, judge, fields, record, begin, count)
    if judge.mobility != 0:
        _add_mobility(walk, judge, ply, record)
    return count


@native
def _take_up_all(
    walk: Walk, judge: Judge, fields: Fields, record: int, begin: int, count: int
) -> None:
    """Take up positions that follow one another, and count what their moves do."""
    forcing, change = 0, 0
    for child in range(begin, begin + count):
        take_up(walk, judge, fields, child, record)
        if judge.has_rows:
            add_rows(walk, judge, fields, child, record)
        forcing += walk.is_forcing[child]
        step = walk.sums[child] - walk.sums[record]
        change += step if step > 0 else 0 - step
    walk.state[CHANGES] += count
    walk.state[FORCING] += forcing
    walk.state[CHANGE] += change
    if forcing > 0:
        walk.state[UNQUIET] += 1
        if forcing == count:
            walk.state[FORCED] += 1


@native
def _add_mobility(walk: Walk, judge: Judge, ply: int, record: int) -> None:
    """Add to what positions are worth how many moves led to them, beside those before.

    So each side has had its moves counted once, when it was last on turn, and no call is needed.
    """
    if ply == 0:
        return
    more = judge.mobility * (walk.counts[ply] - walk.counts[ply - 1])
    more = min(_MOST_MOBILITY, max(0 - _MOST_MOBILITY, more))
    if walk.seats[record] != 0:
        more = 0 - more
    for child in range(walk.begins[ply], walk.begins[ply + 1]):
        walk.values[child] += more


@native
def remembered_past(walk: Walk, desk: Desk, fields: Fields) -> int:
    """Return a number for all that is remembered of the game that has led to the root."""
    found = 0
    for n in range(fields.memories):
        for number in range(desk.remembered[n]):
            size = fields.key_sizes[n]
            copy(address(walk.words), desk.tables[n] + number * size, size)
            key = n + 1
            for place in range(size // 8):
                key = mixed_in(key, walk.words[place], _FIRST_FACTOR)
            found += key
    return found
