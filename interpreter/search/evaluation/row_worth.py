"""What rows are worth that only one side can still fill.

In: `OpenRows`, and what is told of them. Out: a `RowTable`, by which compiled functions find what
the rows of a position are worth. What then holds: that is the same, whether it is added up whole or
worked out of what has changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gdl.interpreter.search.evaluation.open_rows import OpenRows
from gdl.interpreter.search.machine.instructions import (
    Record,
    Shorts,
    Words,
    filled,
    lowest_bit,
    native,
    ones,
)

UNITS = 1000
"""How many units a worth of 1 has."""
TURN_BITS = 32
"""From which bit on a number has what is worth something to the side on turn."""
HELD = 4
"""How many sets are put together at once."""
_MOST_UNITS = 1 << 16
_WORD = 64


class RowTable(Record):
    """What open rows are worth to the first side of a game, in units.

    There are so many `groups` of rows on a board of `size` sites, whose sets have `width` words. A
    group's rows are open to one side or to another: `layers` has where the words of their sets
    begin, those of the one before those of the other; what is of neither comes after both, and
    closes a row. `bounds` has four numbers for each group: where these parts begin, and where the
    last ends; `lengths`, how many sites its rows have, and `rows`, its first row.

    A row has so many `parts`: in `places` the number of a word of sets, in `masks` its sites there.
    `begins` has for each site of each group where the numbers of the rows through it begin in
    `through`. `worth` has from `worth_begins` on what a row is worth with so many pieces of the
    one, and so many of the other, together with what it is worth to the side on turn (see
    `of_turn`); `lacking` what it is worth more on the site that one, or the other, lacks.
    """

    groups: int
    size: int
    width: int
    parts: int
    layers: Shorts
    bounds: Shorts
    lengths: Shorts
    rows: Shorts
    places: Shorts
    masks: Words
    begins: Shorts
    through: Shorts
    worth_begins: Shorts
    worth: Words
    lacking: Shorts


@native
def of_turn(both: int) -> int:
    """Return what is worth something to the side on turn, of a number that has it, too."""
    return (both + (1 << TURN_BITS - 1)) >> TURN_BITS


@native
def without_turn(both: int) -> int:
    """Return what is worth something to the first side, of such a number."""
    return both - (of_turn(both) << TURN_BITS)


@native
def _gather(
    table: RowTable, words: Words, begin: int, group: int, held: Words, target: int
) -> None:
    """Put the sites that are not the other's, and those that are not the one's, side by side.

    What is nobody's counts as of both, so that it closes a row.
    """
    first, second = table.bounds[4 * group], table.bounds[4 * group + 1]
    third, last = table.bounds[4 * group + 2], table.bounds[4 * group + 3]
    for word in range(table.width):
        ours, theirs, nobodys = 0, 0, 0
        for n in range(first, second):
            ours |= words[begin + table.layers[n] + word]
        for n in range(second, third):
            theirs |= words[begin + table.layers[n] + word]
        for n in range(third, last):
            nobodys |= words[begin + table.layers[n] + word]
        held[target + word] = ours | nobodys
        held[target + table.width + word] = theirs | nobodys


@native
def _lacking(table: RowTable, held: Words, own: int, row: int, group: int, which: int) -> int:
    """Return what a row is worth more on the one of its sites that is not held."""
    for part in range(row * table.parts, (row + 1) * table.parts):
        left = table.masks[part] & (-1 - held[own + table.places[part]])
        if left != 0:
            site = 64 * table.places[part] + lowest_bit(left)
            return table.lacking[(2 * group + which) * table.size + site]
    return 0


@native
def _row_worth(table: RowTable, held: Words, begin: int, group: int, row: int) -> int:
    """Return what a row is worth where sites are held as they were gathered."""
    ours, theirs = 0, 0
    for part in range(row * table.parts, (row + 1) * table.parts):
        place, mask = begin + table.places[part], table.masks[part]
        ours += ones(held[place] & mask)
        theirs += ones(held[place + table.width] & mask)
    if (ours != 0) == (theirs != 0):
        return 0
    length = table.lengths[group]
    found = table.worth[table.worth_begins[group] + (ours if theirs == 0 else length + theirs)]
    if ours == length - 1:
        found += _lacking(table, held, begin, row, group, 0)
    elif theirs == length - 1:
        found += _lacking(table, held, begin + table.width, row, group, 1)
    return found


@native
def rows_worth(table: RowTable, words: Words, begin: int, held: Words) -> int:
    """Return what the open rows of the position are worth whose words begin there, both numbers.

    There is room in `held` for four sets.
    """
    found = 0
    for group in range(table.groups):
        _gather(table, words, begin, group, held, 0)
        for row in range(table.rows[group], table.rows[group + 1]):
            found += _row_worth(table, held, 0, group, row)
    return found


@native
def _changed(table: RowTable, held: Words, word: int) -> int:
    """Return the sites of a word that have changed hands."""
    found = held[word] ^ held[2 * table.width + word]
    return found | (held[table.width + word] ^ held[3 * table.width + word])


@native
def _is_first(table: RowTable, held: Words, row: int, site: int) -> bool:
    """Return whether a site is the first of a row that has changed hands."""
    for part in range(row * table.parts, (row + 1) * table.parts):
        word = table.places[part]
        if 64 * word <= site:
            sites = table.masks[part]
            if 64 * word + 64 > site:
                sites &= (1 << site - 64 * word) - 1
            if sites & _changed(table, held, word) != 0:
                return False
    return True


@native
def changed_rows_worth(table: RowTable, words: Words, before: int, begin: int, held: Words) -> int:
    """Return by how much the open rows of a position are worth more than those of the one before.

    Both numbers are told (see `of_turn`). Both positions begin at a word; there is room in `held`
    for four sets. Only rows through sites that have changed hands are looked at.
    """
    found = 0
    for group in range(table.groups):
        _gather(table, words, before, group, held, 0)
        _gather(table, words, begin, group, held, 2 * table.width)
        changed = 0
        for word in range(table.width):
            changed += ones(_changed(table, held, word))
        for word in range(table.width if changed > 0 else 0):
            left = _changed(table, held, word)
            while left != 0:
                site = 64 * word + lowest_bit(left)
                left &= left - 1
                place = group * table.size + site
                for n in range(table.begins[place], table.begins[place + 1]):
                    row = table.through[n]
                    if changed == 1 or _is_first(table, held, row, site):
                        found += _row_worth(table, held, 2 * table.width, group, row)
                        found -= _row_worth(table, held, 0, group, row)
    return found


def row_table(
    rows: Sequence[OpenRows],
    each: Mapping[str, float],
    at: Mapping[str, Mapping[str, float]],
    sites: Sequence[str],
) -> RowTable:
    """Return the table of what rows are worth, by the names of what is told of them.

    Rows of which nothing is told are left out.
    """
    groups = [one for one in rows if any(each.get(name) for name, _ in one.told)]
    size = len(sites)
    layers, bounds, lengths, worth_begins = list[int](), list[int](), list[int](), list[int]()
    worth, lacking = list[int](), list[int]()
    firsts, begins, through, numbered = [0], [0], list[int](), list[list[tuple[int, int]]]()
    for group in groups:
        for sets in (*group.own, *[()] * (2 - len(group.own)), group.nobodys):
            bounds.append(len(layers))
            layers += sets
        bounds.append(len(layers))
        lengths.append(group.length)
        for site in range(size):
            through += [len(numbered) + n for n, row in enumerate(group.rows) if row >> site & 1]
            begins.append(len(through))
        numbered += [list(_parts(row)) for row in group.rows]
        firsts.append(len(numbered))
        worth_begins.append(len(worth))
        worth.append(0)
        turns = [in_units(each.get(name, 0.0)) << TURN_BITS for name in group.turn_names]
        for side in range(2):
            names = group.names(side) if side < len(group.sides) else []
            units = [in_units(each.get(name, 0.0)) for name in names] or [0] * len(turns)
            worth += [one + turn for one, turn in zip(units, turns, strict=True)]
            # A full row is worth nothing: the game is over, or goes on without it.
            worth.append(0)
            more = at.get(names[-1], {}) if names else {}
            lacking += [in_units(more.get(site, 0.0)) for site in sites]
    parts = max(map(len, numbered), default=0)
    padded = [part for row in numbered for part in row + [(0, 0)] * (parts - len(row))]
    return RowTable(
        groups=len(groups),
        size=size,
        width=-(-size // _WORD),
        parts=parts,
        layers=filled("Shorts", layers),
        bounds=filled("Shorts", bounds),
        lengths=filled("Shorts", lengths),
        rows=filled("Shorts", firsts),
        places=filled("Shorts", [place for place, _ in padded]),
        masks=filled("Words", [mask for _, mask in padded]),
        begins=filled("Shorts", begins),
        through=filled("Shorts", through),
        worth_begins=filled("Shorts", worth_begins),
        worth=filled("Words", worth),
        lacking=filled("Shorts", lacking),
    )


def in_units(worth: float) -> int:
    """Return a worth as the nearest whole number of `UNITS`, as far as there is room for it."""
    return max(-_MOST_UNITS, min(_MOST_UNITS, round(UNITS * worth)))


def _parts(row: int) -> Iterator[tuple[int, int]]:
    """Yield the number of each word of a set that has some of a row, with its bits, signed."""
    word = 0
    while row >> _WORD * word:
        mask = row >> _WORD * word & ((1 << _WORD) - 1)
        if mask:
            yield word, mask - (1 << _WORD) if mask >> _WORD - 1 else mask
        word += 1
