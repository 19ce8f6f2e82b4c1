"""The position that a thread of a search has in front of it, and those that nodes keep.

In: a tree, a thread's memory, a game's code. Out: positions brought there and back, moves made, and
what a position says: who decides, how the game has ended. What then holds: as in the whole search,
all of it is compiled.
"""

from __future__ import annotations

from gdl.interpreter.native.memory import world as w
from gdl.interpreter.search.machine.instructions import (
    Bytes,
    Doubles,
    Floats,
    Record,
    Shorts,
    Signs,
    Words,
    address,
    call,
    copy,
    latest,
    native,
    publish,
)
from gdl.interpreter.search.machine.random_numbers import drawn
from gdl.interpreter.search.memory.policy import Policy
from gdl.interpreter.search.memory.tree import CHANCE, KNOWN, OVER, PASS, PEAK, Tree, move_number

_ERROR, _STOP = w.ERROR // 8, w.STOP // 8
_PAST_DIGESTED, _PAST_WORDS = (w.PAST + w.PAST_DIGESTED) // 8, w.PAST_BYTES // 8


AT, LEFT, PLANNED, DONE = range(4)
"""Fields of `Desk.stay`: how far below the root the node is, how many ways are left, how many there
were to be, and how many were made."""


class GameFunctions(Record):
    """The addresses of a game's functions, and how much work and stack a call may take."""

    prepare: int
    count: int
    listed: int
    followers: int
    make: int
    pick: int
    pass_on: int
    stuck: int
    playout: int
    work: int
    stack: int


class Fields(Record):
    """Where in a position stands what a search reads: offsets, and sizes in bytes.

    A size is 0 if there is no such field. `phase_choosers` has for each phase the seat that
    decides, CHANCE, or -2: the seat of the side on turn. There are so many `memories`, whose keys
    take `key_bytes` in a node; `key_begins` has where each of them is there, `key_sizes` its size.
    `payoffs` is the word of the first side's payoff, 0 if the rules have none. There are so many
    `teams`, or sides where each plays alone.
    """

    teams: int
    bytes: int
    ended: int
    winners: int
    payoffs: int
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

    `words` are those of the position. `tables` has the address of each memory, and `remembered` how
    many keys it had at the root; `path` has the nodes from the root, `turns` how many moves lead to
    each where keys are remembered, `steps` its place among its siblings; `list` is a list of moves,
    and `levels` has with how many entries they begin as the one before (see `splitting`); `random`
    where its random numbers are; `values` the result of a random game, and `points` the sum of
    those of a way; `marks` what moves set that are looked at, `gains` the bits of some of them (see
    `tally`), `leans` what is learned of them, and `states` what stands on each site (see `priors`);
    `stock` what it has of the tree's memory for itself (see `growth`); `stay` where it stays for
    how long, and `sums` the results that it found there (see `stays`); `report` how long the way
    was, and the state of the random numbers, before the last random game; in `held` sets are put
    together (see `row_worth`), and `counts` has the numbers of races and of the outlook (see
    `territory_worth` and `outlook_worth`), `base` what the root promises.
    """

    position: Bytes
    words: Words
    world: Words
    tables: Words
    remembered: Words
    path: Shorts
    turns: Shorts
    list: Words
    levels: Words
    steps: Shorts
    random: Words
    values: Doubles
    marks: Shorts
    gains: Words
    leans: Floats
    states: Bytes
    stock: Words
    stay: Words
    points: Doubles
    sums: Doubles
    report: Words
    held: Words
    counts: Words
    base: Doubles


@native
def below(desk: Desk, number: int) -> int:
    """Return the next random number below another, of less than 32 bits."""
    return drawn(desk.random, 0, number)


@native
def divisor(a: int, b: int) -> int:
    """Return the greatest common divisor of two numbers."""
    while b > 0:
        a, b = b, a % b
    return a


@native
def field_value(desk: Desk, offset: int, size: int) -> int:
    """Return the number, which is not negative, in a field of the position in front of a thread."""
    value = 0
    for n in range(size):
        value |= desk.position[offset + n] << 8 * n
    return value


@native
def chooser(desk: Desk, fields: Fields) -> int:
    """Return the seat that decides in a position, or CHANCE."""
    phase = field_value(desk, fields.phase, fields.phase_size)
    seat = fields.phase_choosers[phase]
    if seat >= CHANCE:
        return seat
    return seat_of(desk, fields, field_value(desk, fields.mover, fields.mover_size))


@native
def seat_of(desk: Desk, fields: Fields, side: int) -> int:
    """Return the seat of a side."""
    if fields.seat_size == 0:
        return side
    return field_value(desk, fields.seats[side], fields.seat_size)


@native
def judge_payoffs(tree: Tree, desk: Desk, fields: Fields) -> None:
    """Put what the game was worth into the thread's values: for each seat a number from 0 to 1.

    The greatest payoff that was met in any game so far is 1, as much to lose is 0.
    """
    is_open = field_value(desk, fields.ended, 4) == 0
    for side in range(tree.seats):
        paid = desk.words[fields.payoffs + side]
        paid = max(paid, -paid)
        if paid > tree.state[PEAK]:
            tree.state[PEAK] = paid
    for side in range(tree.seats):
        value = 0.5
        if not is_open and tree.state[PEAK] != 0:
            value = 0.5 + 0.5 * desk.words[fields.payoffs + side] / tree.state[PEAK]
        desk.values[seat_of(desk, fields, side)] = value


@native
def drawn_value(teams: int) -> float:
    """Return what a game that nobody wins is worth to each of so many teams: as much to all.

    All that is to be won is 1 together. Who plays alone has lost then.
    """
    return 1.0 / teams if teams > 1 else 0.0


@native
def judge(tree: Tree, desk: Desk, fields: Fields) -> None:
    """Put the result of the game in the thread's position into its values: for each seat."""
    if fields.payoffs != 0:
        judge_payoffs(tree, desk, fields)
        return
    everyone = (1 << tree.seats) - 1
    winners = field_value(desk, fields.winners, 4)
    is_draw = field_value(desk, fields.ended, 4) == 0 or winners == 0
    is_draw = is_draw or (winners == everyone and tree.seats > 1)
    for seat in range(tree.seats):
        desk.values[seat] = drawn_value(fields.teams) if is_draw else 0.0
    for side in range(0 if is_draw else tree.seats):
        if winners >> side & 1 != 0:
            desk.values[seat_of(desk, fields, side)] = 1.0


# --------------------------------------------------------------- positions of nodes


@native
def load(tree: Tree, node: int, desk: Desk, fields: Fields) -> None:
    """Put the position of a node in front of a thread."""
    copy(address(desk.position), address(tree.positions) + node * fields.bytes, fields.bytes)


@native
def load_keys(tree: Tree, node: int, turns: int, desk: Desk, fields: Fields) -> None:
    """Put what is remembered of a node's position where the way has come to."""
    put_keys(address(tree.keys) + node * fields.key_bytes, turns, desk, fields)


@native
def put_keys(source: int, turns: int, desk: Desk, fields: Fields) -> None:
    """Put what is remembered of a position, after so many turns, where the rules look for it.

    The keys stand behind an address; they have no digests yet.
    """
    for n in range(fields.memories):
        size, place = fields.key_sizes[n], desk.remembered[n] + turns - 1
        copy(desk.tables[n] + place * size, source + fields.key_begins[n], size)
        digested = _PAST_DIGESTED + n * _PAST_WORDS
        desk.world[digested] = min(desk.world[digested], place)


@native
def take_keys(target: int, turns: int, desk: Desk, fields: Fields) -> None:
    """Bring what the rules remember of a position, after so many turns, behind an address."""
    for n in range(fields.memories):
        size, place = fields.key_sizes[n], desk.remembered[n] + turns - 1
        if place >= 0:
            copy(target + fields.key_begins[n], desk.tables[n] + place * size, size)


@native
def store(tree: Tree, node: int, turns: int, desk: Desk, fields: Fields, policy: Policy) -> None:
    """Keep the position in front of a thread as that of a node, with what is known of it."""
    copy(address(tree.positions) + node * fields.bytes, address(desk.position), fields.bytes)
    take_keys(address(tree.keys) + node * fields.key_bytes, turns, desk, fields)
    tree.choosers[node] = chooser(desk, fields)
    if field_value(desk, fields.ended, 4) != 0:
        mark_over(tree, node, desk, fields, policy)
    else:
        publish(tree.known, node, KNOWN)


@native
def mark_over(tree: Tree, node: int, desk: Desk, fields: Fields, policy: Policy) -> None:
    """Keep that the game is over in a node, whose position is in front of the thread."""
    if policy.proves:
        judge(tree, desk, fields)
        value = int(2 * desk.values[0])
        tree.low[node], tree.high[node] = value, value
    publish(tree.known, node, OVER)


@native
def is_stopped(desk: Desk) -> bool:
    """Return whether all work is to stop: another thread says so."""
    return latest(desk.world, _STOP) != 0


@native
def prepare(desk: Desk, code: GameFunctions) -> None:
    """Allow the calls that follow the work and the stack of a turn."""
    call(code.prepare, address(desk.world), code.work, code.stack)


@native
def make(
    tree: Tree, parent: int, place: int, desk: Desk, code: GameFunctions, fields: Fields
) -> bool:
    """Put the position of a child in front of a thread; return whether that went well."""
    load(tree, parent, desk, fields)
    position, world = address(desk.position), address(desk.world)
    number = move_number(tree, parent, place)
    if number == PASS:
        call(code.pass_on, position, world)
        return desk.world[_ERROR] == 0
    made = call(code.pick, position, world, number)
    return made != 0 and desk.world[_ERROR] == 0
