"""Rows along lines, each line a word: what a new site adds to them.

In: families of rows, as `rows` has found them. Out: `Rails`, and the code that adds a site. What
then holds: the words of the lines have a bit for each site that was added, side by side; a row
is a run of bits.

On boards of more than a word, this is quicker than to gather the windows of a site from the words
of a layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gdl.board.relation import bits
from interpreter.native.code import WORD, Function, Module
from interpreter.native.rows import Rows

_WIDTHS = (16, 32, 64)


@dataclass(frozen=True)
class Rails:
    """Lines of sites: for each family and each site, the number of its line and its place there.

    A row is `length` places side by side, two at least. The words of lines have `width` bits, of
    which one at least is never set. Sites on no line have line -1; they share the first place of
    a word of their own.
    """

    places: tuple[tuple[tuple[int, int], ...], ...]
    lines: int
    length: int
    width: int

    @property
    def bytes(self) -> int:
        """The size of all words."""
        return (self.lines + 1) * self.width // 8


def rails_of(families: Sequence[Rows], size: int) -> Rails | None:
    """Return the lines that rows lie on; None if rows are not just the runs of lines."""
    lengths = {row.bit_count() for rows in families for row in rows}
    if len(lengths) != 1:
        return None
    (length,) = lengths
    if length < 2:
        return None
    places = []
    lines = 0
    longest = 0
    for rows in families:
        found = _lines(rows, length)
        if found is None:
            return None
        where = [(-1, 0)] * size
        for line in found:
            longest = max(longest, len(line))
            for place, site in enumerate(line):
                where[site] = (lines, place)
            lines += 1
        places.append(tuple(where))
    width = next((width for width in _WIDTHS if width > longest), None)
    return None if width is None else Rails(tuple(places), lines, length, width)


def _lines(rows: Rows, length: int) -> list[list[int]] | None:
    """Return the sites of each line, in order; None if its runs are not just the rows."""
    merged: list[int] = []
    for row in rows:
        apart = [line for line in merged if not line & row]
        for line in merged:
            if line & row:
                row |= line
        merged = [*apart, row]
    lines = [list(bits(line)) for line in merged]
    runs = {
        sum(1 << site for site in line[i : i + length])
        for line in lines
        for i in range(len(line) - length + 1)
    }
    return lines if runs == set(rows) else None


def write_add(module: Module, f: Function, rails: Rails, words: str) -> None:
    """Write the rest of a function that adds `%site` and returns whether a row is full (i1)."""
    step = rails.width // 8
    record_bytes = 4 * len(rails.places)
    records = bytearray()
    for site in range(len(rails.places[0])):
        for family in rails.places:
            line, place = family[site]
            spare = rails.lines if line < 0 else line
            records += (spare * step).to_bytes(2, "little")
            records += place.to_bytes(2, "little")
    table = module.tables.add(bytes(records))
    record = f.at(table, f.ins(f"mul i64 %site, {record_bytes}"))
    type_ = f"i{rails.width}"
    lanes = WORD // rails.width
    packed: list[str] = []
    for number in range(len(rails.places)):
        offset = f.ins(f"zext i16 {f.get('i16', f.at(record, 4 * number))} to i64")
        bit = f.ins(f"zext i16 {f.get('i16', f.at(record, 4 * number + 2))} to i64")
        address = f.at(words, offset)
        before = f.get(type_, address)
        wide = before if rails.width == WORD else f.ins(f"zext {type_} {before} to i64")
        after = f.ins(f"or i64 {wide}, {f.ins(f'shl i64 1, {bit}')}")
        stored = after if rails.width == WORD else f.ins(f"trunc i64 {after} to {type_}")
        f.put(type_, stored, address)
        lane = number % lanes
        if lane == 0:
            packed.append(after)
        else:
            moved = f.ins(f"shl i64 {after}, {lane * rails.width}")
            packed[-1] = f.ins(f"or i64 {packed[-1]}, {moved}")
    result = "false"
    for word in packed:
        length = 1
        while length < rails.length:
            further = min(length, rails.length - length)
            word = f.ins(f"and i64 {word}, {f.ins(f'lshr i64 {word}, {further}')}")
            length += further
        result = f.ins(f"or i1 {result}, {f.ins(f'icmp ne i64 {word}, 0')}")
    f.give(f"i1 {result}")
