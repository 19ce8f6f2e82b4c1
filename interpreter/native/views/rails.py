"""Rows along lines, each line a word: what a new site adds to them.

In: families of rows, as `rows` has found them. Out: `Rails`, and the code that adds a site. What
then holds: the words of the lines have a bit for each site that was added, side by side; a row
is a run of bits. The bits of a line are where no line of some other families has any, so that the
lines through a site are looked at as one word.

On boards of more than a word, this is quicker than to gather the windows of a site from the words
of a layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gdl.analysis.rows import Rows
from gdl.board.relation import bits
from interpreter.native.emit.ir import WORD, Function, Module

_WIDTHS = (16, 32, 64)
_WORD_BYTES = WORD // 8


@dataclass(frozen=True)
class Rails:
    """Lines of sites: for each family and each site, the number of its line and its place there.

    A row is `length` places side by side, two at least. A line takes `width` bits of its word, of
    which one at least is never set. Sites on no line of a family have line -1; they share the
    first place of a word that the family has for them.
    """

    places: tuple[tuple[tuple[int, int], ...], ...]
    lines: int
    length: int
    width: int

    @property
    def bytes(self) -> int:
        """The size of all words."""
        return (self.lines + len(self.places)) * _WORD_BYTES


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


def write_add(module: Module, f: Function, rails: Rails, words: str) -> str:
    """Write that `%site` is added; return whether a row is full (i1)."""
    record_bytes = 4 * len(rails.places)
    lanes = WORD // rails.width
    records = bytearray()
    for site in range(len(rails.places[0])):
        for number, family in enumerate(rails.places):
            line, place = family[site]
            index = rails.lines + number if line < 0 else line
            records += (index * _WORD_BYTES).to_bytes(2, "little")
            records += (place + number % lanes * rails.width).to_bytes(2, "little")
    table = module.tables.add(bytes(records))
    record = f.at(table, f.ins(f"mul i64 %site, {record_bytes}"))
    packed: list[str] = []
    for number in range(len(rails.places)):
        offset = f.ins(f"zext i16 {f.get('i16', f.at(record, 4 * number))} to i64")
        bit = f.ins(f"zext i16 {f.get('i16', f.at(record, 4 * number + 2))} to i64")
        address = f.at(words, offset)
        after = f.ins(f"or i64 {f.get('i64', address)}, {f.ins(f'shl i64 1, {bit}')}")
        f.put("i64", after, address)
        if number % lanes == 0:
            packed.append(after)
        else:
            packed[-1] = f.ins(f"or i64 {packed[-1]}, {after}")
    result = "false"
    for word in packed:
        length = 1
        while length < rails.length:
            further = min(length, rails.length - length)
            word = f.ins(f"and i64 {word}, {f.ins(f'lshr i64 {word}, {further}')}")
            length += further
        result = f.ins(f"or i1 {result}, {f.ins(f'icmp ne i64 {word}, 0')}")
    return result
