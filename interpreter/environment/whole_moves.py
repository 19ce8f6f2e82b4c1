"""Whole moves of rows as native code: weighed, listed, followed by positions, played to the end.

In: rows of games. Out: native functions over a stretch of rows. What then holds: whole moves are
those of `listed`, in its order; in the middle of a turn, those that go on with what is decided.
"""

from __future__ import annotations

from gdl.interpreter.environment.rows import (
    ASKS,
    COUNTERS,
    DIGESTED,
    ERROR,
    FAILED,
    FINE,
    LISTS,
    MADE,
    MOST,
    NEEDED,
    OVER,
    PAST,
    PAST_WORDS,
    PLIES,
    REASON,
    Desk,
    Rows,
    Rules,
    ask,
    bring,
    decide,
    field,
    keep,
    reward_winners,
)
from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.native.turns.asking import ASKED, COMPLETE
from gdl.interpreter.search.machine.instructions import (
    Bytes,
    Floats,
    Shorts,
    Words,
    address,
    call,
    copy,
    native,
    shifted,
)
from gdl.interpreter.search.machine.random_numbers import drawn


@native
def weigh(rules: Rules, rows: Rows, desk: Desk, row: int) -> int:
    """Count into `desk.ways` how many moves go on with each action; return how many in all."""
    for action in range(rules.actions):
        desk.ways[action] = 0
    found = ask(rules, rows, desk, row, 0, address(desk.ways))
    if found == ASKED:
        total = 0
        for action in range(rules.actions):
            total += desk.ways[action]
        return total
    return 0 if found >= 0 else -1


@native
def draw_weighed(rules: Rules, rows: Rows, desk: Desk, row: int, total: int) -> int:
    """Return an action that is as likely as the part of all moves that go on with it."""
    left, action = drawn(rows.random, row, total), 0
    while left >= desk.ways[action]:
        left -= desk.ways[action]
        action += 1
    return action


@native
def sample_moves(rules: Rules, rows: Rows, desk: Desk, first: int, last: int) -> int:
    """Put an action into each of some rows, so that whole moves are equally likely."""
    for row in range(first, last):
        rows.actions[row] = -1
        if rows.numbers[row * COUNTERS + OVER] == 0:
            bring(rules, rows, desk, row)
            rows.actions[row] = 0
            if rows.numbers[row * COUNTERS + ASKS] == ASKED:
                total = weigh(rules, rows, desk, row)
                if total <= 0:
                    desk.report[REASON] = FAILED
                    return row
                rows.actions[row] = draw_weighed(rules, rows, desk, row, total)
            keep(rules, rows, desk, row)
    return last


@native
def list_in(rules: Rules, rows: Rows, desk: Desk, row: int) -> int:
    """List the whole moves of the turn of a row; return the words of the list, -1 if that fails."""
    world, position = address(desk.world), address(rows.frames) + row * rules.frame_bytes
    call(rules.prepare, world, rules.work, rules.stack)
    used = call(rules.listed, position, world, address(desk.list), desk.list_words)
    return used if desk.world[ERROR] == 0 else -1


@native
def read_move(
    rules: Rules, rows: Rows, desk: Desk, row: int, begin: int, ids: Shorts, at: int
) -> int:
    """Put the actions of a listed move where they go; return how many, -1 if others are made.

    Nothing is put there where `at` is less than 0.
    """
    made, count, is_same = rows.numbers[row * COUNTERS + MADE], 0, True
    for place in range(begin + 1, begin + 1 + desk.list[begin]):
        entry = desk.list[place]
        if entry >= 0:
            value = entry & 0xFFFFFFFF
            if value >= 0x80000000:
                value -= 0x100000000
            action = value + rules.delta_of[shifted(entry, 32)]
            if count < made and rows.ids[row * rows.longest + count] != action:
                is_same = False
            if at >= 0:
                ids[at + count] = action
            count += 1
    return count if is_same else -1


@native
def count_moves(
    rules: Rules, rows: Rows, desk: Desk, chosen: Words, counts: Words, first: int, last: int
) -> int:
    """Count the whole moves of chosen rows, and note the most decisions of one."""
    for place in range(first, last):
        row, number = chosen[place], 0
        if rows.numbers[row * COUNTERS + OVER] == 0:
            bring(rules, rows, desk, row)
            used = list_in(rules, rows, desk, row)
            if used < 0 or used > desk.list_words:
                desk.report[REASON] = FAILED if used < 0 else LISTS
                desk.report[NEEDED] = used
                return place
            begin_at = 0
            while begin_at < used:
                length = read_move(rules, rows, desk, row, begin_at, rows.ids, -1)
                if length >= 0:
                    number += 1
                desk.report[MOST] = max(desk.report[MOST], length)
                begin_at += 1 + desk.list[begin_at]
            if used == 0:
                number = 1
            keep(rules, rows, desk, row)
        counts[place] = number
    return last


@native
def list_moves(
    rules: Rules,
    rows: Rows,
    desk: Desk,
    chosen: Words,
    begins: Words,
    ids: Shorts,
    width: int,
    records: Bytes,
    has_records: int,
    first: int,
    last: int,
) -> int:
    """Put the whole moves of chosen rows into arrays, and with it the positions after them.

    `begins` has where those of each row begin; a move has room for `width` actions.
    """
    for place in range(first, last):
        row, number = chosen[place], begins[place]
        if rows.numbers[row * COUNTERS + OVER] != 0:
            continue
        bring(rules, rows, desk, row)
        used = list_in(rules, rows, desk, row)
        if used < 0 or used > desk.list_words:
            desk.report[REASON] = FAILED if used < 0 else LISTS
            desk.report[NEEDED] = used
            return place
        begin_at = 0
        if used == 0:
            ids[number * width] = 0
            if has_records != 0:
                pass_after(rules, rows, desk, row, address(records) + number * rules.record_bytes)
        while begin_at < used:
            if read_move(rules, rows, desk, row, begin_at, ids, -1) >= 0:
                length = read_move(rules, rows, desk, row, begin_at, ids, number * width)
                if length == 0:
                    ids[number * width] = 0
                number += 1
            begin_at += 1 + desk.list[begin_at]
        if has_records != 0 and used > 0:
            how = follow_in(rules, rows, desk, place, row, begins, records, used)
            if how != FINE:
                desk.report[REASON] = how
                return place
        keep(rules, rows, desk, row)
        if desk.world[ERROR] != 0:
            desk.report[REASON] = FAILED
            return place
    return last


@native
def follow_in(
    rules: Rules,
    rows: Rows,
    desk: Desk,
    place: int,
    row: int,
    begins: Words,
    records: Bytes,
    listed: int,
) -> int:
    """Put the positions after the moves of a row into records; the list has its moves."""
    world, position = address(desk.world), address(rows.frames) + row * rules.frame_bytes
    call(rules.prepare, world, rules.work, rules.stack)
    at = address(desk.list) + listed * WORD_BYTES
    room = (desk.list_words - listed) * WORD_BYTES
    used = call(rules.followers, position, world, at, room)
    if desk.world[ERROR] != 0:
        return FAILED
    begin_at, number, record = 0, begins[place], 0
    needed = 0
    while begin_at < listed:
        needed += rules.record_bytes
        begin_at += 1 + desk.list[begin_at]
    if used > room or needed > room:
        desk.report[NEEDED] = listed + needed // WORD_BYTES + 1
        return LISTS
    begin_at = 0
    while begin_at < listed:
        if read_move(rules, rows, desk, row, begin_at, rows.ids, -1) >= 0:
            target = address(records) + number * rules.record_bytes
            copy(target, at + record * rules.record_bytes, rules.record_bytes)
            number += 1
        record += 1
        begin_at += 1 + desk.list[begin_at]
    return FINE


@native
def pass_after(rules: Rules, rows: Rows, desk: Desk, row: int, target: int) -> None:
    """Put the position after a forced pass into a record, with what is remembered of it."""
    copy(target, address(rows.frames) + row * rules.frame_bytes, rules.frame_bytes)
    world = address(desk.world)
    call(rules.prepare, world, rules.work, rules.stack)
    call(rules.pass_on, target, world)
    keys = target + rules.keys_at
    for n in range(rules.memories):
        size = rules.key_sizes[n]
        count = field(rules, rows, row, rules.key_counts[n], WORD_BYTES)
        copy(keys, desk.world[PAST + n * PAST_WORDS] + count * size, size)
        keys += size


# -------------------------------------------------------------------------- random games


@native
def complete(rules: Rules, rows: Rows, desk: Desk, row: int) -> int:
    """Make the rest of the turn of a row at random, whole moves equally likely."""
    found = ASKED
    while found == ASKED:
        total = weigh(rules, rows, desk, row)
        if total <= 0:
            return FAILED
        found = decide(rules, rows, desk, row, draw_weighed(rules, rows, desk, row, total))
    return FINE if found == COMPLETE else FAILED


@native
def play(
    rules: Rules,
    rows: Rows,
    desk: Desk,
    chosen: Words,
    games: int,
    results: Floats,
    first: int,
    last: int,
) -> int:
    """Play random games from chosen rows; add what they were worth to each seat to the results."""
    for place in range(first, last):
        row = chosen[place]
        numbers = row * COUNTERS
        if rows.numbers[numbers + OVER] != 0:
            for seat in range(rules.sides):
                share = rows.reward[row * rules.sides + seat] * games
                results[place * rules.sides + seat] = share
            continue
        own, frame = address(rows.frames) + row * rules.frame_bytes, rules.frame_bytes
        made, group = rows.numbers[numbers + MADE], rows.group[row]
        copy(address(desk.position), own, frame)
        for _ in range(games):
            bring(rules, rows, desk, row)
            if made > 0:
                how = complete(rules, rows, desk, row)
                if how != FINE:
                    desk.report[REASON] = how
                    return place
            for n in range(rules.memories):
                count = field(rules, rows, row, rules.key_counts[n], WORD_BYTES)
                there = PAST + n * PAST_WORDS
                for word in range(PAST_WORDS):
                    desk.world[there + word] = desk.own_past[n * PAST_WORDS + word]
                size = count * rules.key_sizes[n]
                copy(desk.world[there], rows.past[(row * rules.memories + n) * PAST_WORDS], size)
                desk.world[there + DIGESTED] = 0
            world = address(desk.world)
            call(rules.prepare, world, rules.work, rules.stack)
            left = max(0, rules.most_plies - rows.numbers[numbers + PLIES])
            call(rules.playout, own, world, address(rows.random) + row * WORD_BYTES, left)
            if desk.world[ERROR] != 0:
                copy(own, address(desk.position), frame)
                desk.report[REASON] = FAILED
                return place
            if field(rules, rows, row, rules.ended, 4) != 0:
                for seat in range(rules.sides):
                    desk.scalars[seat] = rows.reward[row * rules.sides + seat]
                reward_winners(rules, rows, row)
                for seat in range(rules.sides):
                    results[place * rules.sides + seat] += rows.reward[row * rules.sides + seat]
                    rows.reward[row * rules.sides + seat] = desk.scalars[seat]
            copy(own, address(desk.position), frame)
            rows.numbers[numbers + MADE], rows.group[row] = made, group
        if made > 0:
            bring(rules, rows, desk, row)
            ask(rules, rows, desk, row, 0, 0)
            keep(rules, rows, desk, row)
    return last
