"""What random games tell of moves before they are tried, and how that orders them.

In: the last positions of random games, and who won them. Out: a first value for each move of a
node. What then holds: it takes nothing but sets of sites in positions, so it serves any game whose
pieces are on sites; the code that plays random games does not know of it.

A move is judged by the one bit that it sets: by how much more often the games were won that ended
with it. Where pieces stay where they are placed, this is AMAF, "all moves as first" (B. Bruegmann,
1993), by which rapid action values are estimated (RAVE: S. Gelly and D. Silver, 2011). A node that
was not visited often asks the table of the nearest node above it that was (GRAVE: T. Cazenave,
"Generalized rapid action value estimation", 2015). The value counts as some visits, in place of
others that do not come (S. Gelly and D. Silver, "Combining online and offline knowledge in UCT",
2007), so it orders moves that were not tried, and is forgotten with time ("progressive history": J.
Nijssen and M. Winands, 2010).
"""

from __future__ import annotations

from gdl.interpreter.native.memory import world as w
from gdl.interpreter.search.first_moves.priors import Priors
from gdl.interpreter.search.machine.instructions import (
    Doubles,
    Floats,
    Record,
    Shorts,
    Words,
    address,
    array,
    call,
    lowest_bit,
    native,
    publish,
)
from gdl.interpreter.search.memory.positions import (
    AT,
    LEFT,
    Desk,
    Fields,
    GameFunctions,
    field_value,
    judge,
    load,
    prepare,
)
from gdl.interpreter.search.memory.tree import (
    CHANCE,
    EMPTY,
    NEVER,
    PASS,
    Tree,
    acquire_all,
    is_part,
    move_number,
    release_all,
)

_ERROR = w.ERROR // 8
USED_TABLES, IS_OFF, GAMES_WITH_LOSSES = range(3)
"""Fields of `Tally.state`."""
_MOST_LOST = 8
"""If pieces are lost in more than one game of so many, nothing is ordered."""
_WORD_BITS = 64
FEWEST_MOVES, MOST_MOVES = 12, 4096
"""Nodes of fewer or more moves are not ordered; of few, all are soon tried."""
TABLE_BYTES_A_WORD = 2 * 4 * _WORD_BITS
"""How large a table is, for each word of a position."""
WEIGHT = 150
"""Of how many visits the first value of a move takes the place."""
_ENOUGH = 50
"""From how many visits on a node has a table, and from how many games on others use it."""
_HOLD = 10.0
"""What fewer games tell is taken to be chance for the most part."""
_FEWEST_VISITS, _MOVES_A_VISIT = 16, 4
"""Moves are ordered after so many visits, or more where a node has many: one for each so many."""
_LEAST, _MOST = 0.02, 0.98
_AGAIN = 4
"""Moves are judged anew after a part of the visits, one in so many."""
_FEW = 4
"""If none of so many moves sets one bit, no more are looked at."""
_NO_MARK = -1
_ENDS, _FAILED = -4, -8
"""In place of a mark: that there is none; that the game ends, more by twice its value; that a move
failed."""
_COMMON, _FIRST, _LAST, GAINS = range(4)
"""The sets of bits in `Desk.gains`: what all moves of a part set, what a move does, and another;
and how many sets there are."""


class Tally(Record):
    """What stood where when games ended, and how many points the first side had then.

    A position has so many `words`, and `masks` tell which of their bits are sites of sets. There
    are so many `tables`; table n belongs to the node `owners[n]`; `state` has the fields above;
    `games` and `scores` count all of its games; `cells` has for each bit how many of them ended
    with it, and their points.

    `weight` is of how many visits the first value of a move takes the place; `priors` tell what is
    learned of it.
    """

    words: int
    masks: Words
    tables: int
    state: Words
    owners: Shorts
    games: Doubles
    scores: Doubles
    cells: Floats
    weight: int
    priors: Priors


def new_tally(masks: memoryview, memory: int, priors: Priors) -> Tally:
    """Return an empty tally of so many bytes; of memory that is never used, nothing is taken."""
    words = len(masks)
    tables = memory // (words * TABLE_BYTES_A_WORD) if words else 0
    return Tally(
        words=words,
        masks=masks,
        tables=tables,
        state=array("Words", 3),
        owners=array("Shorts", tables),
        games=array("Doubles", tables),
        scores=array("Doubles", tables),
        cells=array("Floats", tables * words * _WORD_BITS * 2),
        weight=WEIGHT,
        priors=priors,
    )


@native
def first_due(tree: Tree, node: int, tally: Tally) -> int:
    """Return at how many visits the moves of a node are to be judged."""
    moves = tree.moves[node]
    is_never = tally.tables == 0 or tally.state[IS_OFF] != 0 or tree.choosers[node] == CHANCE
    if is_never or tree.first_move[node] == PASS or moves < FEWEST_MOVES or moves > MOST_MOVES:
        return NEVER
    return 0 if is_part(tree, node) else max(_FEWEST_VISITS, moves // _MOVES_A_VISIT)


# ------------------------------------------------------------------------- counting


@native
def _new_table(tree: Tree, node: int, tally: Tally) -> int:
    """Return an empty table for a node, or that which it got meanwhile; EMPTY if none is left."""
    acquire_all(tree)
    table = tree.tables[node]
    is_new = table == EMPTY and tally.state[USED_TABLES] < tally.tables
    if is_new:
        table = tally.state[USED_TABLES]
        tally.state[USED_TABLES] = table + 1
        _clear(tree, node, table, tally)
    release_all(tree)
    return table


@native
def _clear(tree: Tree, node: int, table: int, tally: Tally) -> None:
    """Give an empty table to a node."""
    tally.owners[table] = node
    tally.games[table] = 0.0
    tally.scores[table] = 0.0
    size = tally.words * _WORD_BITS * 2
    for n in range(table * size, (table + 1) * size):
        tally.cells[n] = 0.0
    publish(tree.tables, node, table)


@native
def _count(table: int, desk: Desk, tally: Tally) -> None:
    """Count the position in front of a thread, and the points that came of it, in a table."""
    score = desk.values[0]
    tally.games[table] += 1.0
    tally.scores[table] += score
    for n in range(tally.words):
        word = desk.words[n] & tally.masks[n]
        first = (table * tally.words + n) * _WORD_BITS
        while word != 0:
            cell = 2 * (first + lowest_bit(word))
            tally.cells[cell] += 1.0
            tally.cells[cell + 1] += score
            word = word & (word - 1)


@native
def _has_lost(tree: Tree, desk: Desk, tally: Tally) -> bool:
    """Return whether what stood somewhere at the root is gone at the end of a game."""
    first = desk.path[0] * tally.words
    for n in range(tally.words):
        if tree.positions[first + n] & tally.masks[n] & (desk.words[n] ^ -1) != 0:
            return True
    return False


@native
def count_game(tree: Tree, depth: int, desk: Desk, tally: Tally) -> None:
    """Count the last position of a game for all nodes on the way to it that have a table.

    Of games that a thread has while it stays below a node, nodes above count one: they have many.
    Where pieces do not stay in many games, nothing is counted any more.
    """
    if tally.state[IS_OFF] != 0:
        return
    first = desk.stay[AT] if desk.stay[LEFT] > 1 else 0
    if first == 0 and _has_lost(tree, desk, tally):
        tally.state[GAMES_WITH_LOSSES] += 1
        root = tree.tables[desk.path[0]]
        if root != EMPTY and tally.state[GAMES_WITH_LOSSES] * _MOST_LOST > tally.games[root]:
            tally.state[IS_OFF] = 1
            return
    for n in range(first, depth):
        node = desk.path[n]
        table = tree.tables[node]
        is_often_here = n == 0 or tree.visits[node] >= _ENOUGH
        if table == EMPTY and is_often_here and tree.due[node] != NEVER:
            table = _new_table(tree, node, tally)
        if table != EMPTY:
            _count(table, desk, tally)


# ------------------------------------------------------------------------- judging


@native
def table_for(tree: Tree, depth: int, desk: Desk, tally: Tally) -> int:
    """Return the nearest table on a way that has enough games, or EMPTY."""
    for n in range(depth, -1, -1):
        table = tree.tables[desk.path[n]]
        enough = _ENOUGH if n > 0 else _FEWEST_VISITS
        if table != EMPTY and tally.games[table] >= enough:
            return table
    return EMPTY


@native
def _is_made(
    tree: Tree, node: int, number: int, desk: Desk, code: GameFunctions, fields: Fields
) -> bool:
    """Put the position after a move out of a node in front of a thread; return whether it could."""
    prepare(desk, code)
    load(tree, node, desk, fields)
    made = call(code.pick, address(desk.position), address(desk.world), number)
    return made != 0 and desk.world[_ERROR] == 0


@native
def _keep_gain(tree: Tree, node: int, gain: int, desk: Desk, tally: Tally) -> None:
    """Note which bits the position in front of a thread has more than a node, if it lacks none."""
    lost, first = 0, gain * tally.words
    for n in range(tally.words):
        before = tree.positions[node * tally.words + n] & tally.masks[n]
        after = desk.words[n] & tally.masks[n]
        lost |= before & (after ^ -1)
        desk.gains[first + n] = after & (before ^ -1)
    if lost != 0:
        _forget_gain(gain, desk, tally)


@native
def _forget_gain(gain: int, desk: Desk, tally: Tally) -> None:
    """Note no bits."""
    for n in range(gain * tally.words, (gain + 1) * tally.words):
        desk.gains[n] = 0


@native
def _find_common(
    tree: Tree, node: int, desk: Desk, code: GameFunctions, fields: Fields, tally: Tally
) -> bool:
    """Note which bits all moves of a node set, if it is a part; return whether that went well.

    Its moves begin with the same decisions, and what its first move and its last set is taken for
    what these set.
    """
    _forget_gain(_COMMON, desk, tally)
    if not is_part(tree, node):
        return True
    first, begin = tree.runs[node], tree.begin[node]
    last = first + tree.moves[node] - 1
    if tree.are_split[node] != 0:
        for n in range(begin, begin + tree.moves[node]):
            last = max(last, tree.numbers[n] + tree.lengths[n] - 1)
    if not _is_made(tree, node, first, desk, code, fields):
        return False
    _keep_gain(tree, node, _FIRST, desk, tally)
    if not _is_made(tree, node, last, desk, code, fields):
        return False
    _keep_gain(tree, node, _LAST, desk, tally)
    for n in range(tally.words):
        in_both = desk.gains[_FIRST * tally.words + n] & desk.gains[_LAST * tally.words + n]
        desk.gains[_COMMON * tally.words + n] = in_both
    return True


@native
def _mark(
    tree: Tree,
    node: int,
    first: int,
    last: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    tally: Tally,
) -> int:
    """Return the one bit that two moves out of a node set, and not all; or what stands for another.

    They are the first and the last of a run, or the same one.
    """
    if not _is_made(tree, node, first, desk, code, fields):
        return _FAILED
    if first == last and field_value(desk, fields.ended, 4) != 0:
        judge(tree, desk, fields)
        return _ENDS + int(2.0 * desk.values[0])
    _keep_gain(tree, node, _FIRST, desk, tally)
    other = _FIRST
    if first < last:
        if not _is_made(tree, node, last, desk, code, fields):
            return _FAILED
        _keep_gain(tree, node, _LAST, desk, tally)
        other = _LAST
    mark = _NO_MARK
    for n in range(tally.words):
        bits = desk.gains[_FIRST * tally.words + n] & desk.gains[other * tally.words + n]
        bits &= desk.gains[_COMMON * tally.words + n] ^ -1
        if bits != 0:
            if mark != _NO_MARK or bits & (bits - 1) != 0:
                return _NO_MARK
            mark = n * _WORD_BITS + lowest_bit(bits)
    return mark


@native
def look_at_moves(
    tree: Tree, node: int, desk: Desk, code: GameFunctions, fields: Fields, tally: Tally
) -> bool:
    """Find out what each move of a node sets, or each run of moves, for the thread's `marks`.

    The tree belongs to others meanwhile. Returns whether that is so of most moves.
    """
    if not _find_common(tree, node, desk, code, fields, tally):
        return False
    begin, moves, marked = tree.begin[node], tree.moves[node], 0
    for n in range(moves):
        first = max(0, tree.runs[node]) + n
        last = first
        if tree.are_split[node] != 0:
            first = tree.numbers[begin + n]
            last = first + tree.lengths[begin + n] - 1
        mark = _mark(tree, node, first, last, desk, code, fields, tally)
        if mark == _FAILED:
            return False
        desk.marks[n] = mark
        desk.leans[n] = 0.0
        if mark != _NO_MARK:
            marked += 1
        elif n >= _FEW and marked == 0:
            return False
    return 2 * marked > moves


@native
def can_be_ordered(
    tree: Tree, node: int, moves: int, desk: Desk, code: GameFunctions, fields: Fields, tally: Tally
) -> bool:
    """Return whether most of a few moves of a node set one bit, so that it may be put in order."""
    if tally.tables == 0 or tally.state[IS_OFF] != 0 or moves > MOST_MOVES:
        return False
    _forget_gain(_COMMON, desk, tally)
    marked = 0
    for n in range(_FEW):
        number = n * moves // _FEW
        if _mark(tree, node, number, number, desk, code, fields, tally) >= 0:
            marked += 1
    return 2 * marked > _FEW


@native
def keep_marks(tree: Tree, node: int, desk: Desk, tally: Tally) -> None:
    """Give each move of a node, or run of moves, its mark, and its number.

    All of them have places.
    """
    begin = tree.begin[node]
    for n in range(tree.moves[node]):
        number = move_number(tree, node, n)
        looked_at = n if tree.are_split[node] != 0 else number - max(0, tree.runs[node])
        tree.numbers[begin + n] = number
        tree.marks[begin + n] = desk.marks[looked_at]
        if tally.priors.sites > 0:
            tree.leans[begin + n] = desk.leans[looked_at]


@native
def _first_value(mark: int, usual: float, lean: float, table: int, tally: Tally) -> float:
    """Return what a move with a mark is worth to the first side, before it is tried."""
    if mark < _NO_MARK:
        return (mark - _ENDS) / 2.0
    if mark == _NO_MARK:
        return usual
    cell = 2 * (table * tally.words * _WORD_BITS + mark)
    games = tally.cells[cell]
    mean = tally.scores[table] / max(1.0, tally.games[table])
    gain = (tally.cells[cell + 1] - mean * games) / (games + _HOLD)
    return min(max(usual + gain + lean, _LEAST), _MOST)


@native
def put_in_order(tree: Tree, node: int, table: int, tally: Tally) -> None:
    """Give the moves of a node new first values, and order those that were not tried by them.

    The thread has the node to itself.
    """
    begin, visits = tree.begin[node], tree.visits[node]
    usual = tree.totals[node * tree.apart] / max(1, visits)
    for n in range(begin, begin + tree.moves[node]):
        leaning = tree.leans[n] if tally.priors.sites > 0 else 0.0
        if tree.choosers[node] != 0:
            leaning = 0.0 - leaning
        value = _first_value(tree.marks[n], usual, leaning, table, tally)
        tree.priors[n] = value if tree.choosers[node] == 0 else 1.0 - value
    has_lengths, has_leans = tree.are_split[node] != 0, tally.priors.sites > 0
    _sort(tree, begin + tree.tried[node], begin + tree.moves[node], has_lengths, has_leans)
    tree.due[node] = visits + visits // _AGAIN + _FEWEST_VISITS
    publish(tree.is_ordered, node, 1)


@native
def _sort(tree: Tree, begin: int, end: int, has_lengths: bool, has_leans: bool) -> None:
    """Sort places by their first values, the best first (D. L. Shell, 1959)."""
    gap = (end - begin) // 2
    while gap > 0:
        for n in range(begin + gap, end):
            value, number, mark = tree.priors[n], tree.numbers[n], tree.marks[n]
            length = tree.lengths[n] if has_lengths else 0
            leaning = tree.leans[n] if has_leans else 0.0
            at = n
            while at >= begin + gap and tree.priors[at - gap] < value:
                tree.priors[at] = tree.priors[at - gap]
                tree.numbers[at] = tree.numbers[at - gap]
                if has_lengths:
                    tree.lengths[at] = tree.lengths[at - gap]
                tree.marks[at] = tree.marks[at - gap]
                if has_leans:
                    tree.leans[at] = tree.leans[at - gap]
                at -= gap
            tree.priors[at], tree.numbers[at], tree.marks[at] = value, number, mark
            if has_lengths:
                tree.lengths[at] = length
            if has_leans:
                tree.leans[at] = leaning
        gap = gap // 2
