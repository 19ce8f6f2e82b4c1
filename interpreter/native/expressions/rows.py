"""Rows through a site: whether one of many known rows is full, looking at those of one site only.

In: the rows of each direction (gdl/analysis/rows.py), and a site of a layer. Out: code that tells
whether a row through it is full.

The rows of one direction through a site lie in one window; their sites, in order, are bits side
by side, in which a row is a run. The windows of all directions share a word, one lane for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gdl.analysis.rows import Rows
from gdl.board.relation import bits
from interpreter.native.emit.ir import WORD, Function
from interpreter.native.emit.values import Sites
from interpreter.native.sets.registers import RegisterSets

MOST_TABULATED = 12
"""The sites of the largest board for which a table tells of each set if it has a full row."""
_WORD_BYTES = WORD // 8
_MOST_PARTS = 16


@dataclass(frozen=True)
class Lanes:
    """Windows of all families, side by side in a word.

    `windows` has, for each family and each site, the sites of its rows through that site. A row
    is `length` of them side by side; each lane has `width` bits, of which one is never set.
    """

    windows: tuple[tuple[int, ...], ...]
    length: int
    width: int


def lanes_of(families: Sequence[Rows], size: int) -> Lanes | None:
    """Return the windows of families; None if rows are no runs there, or a word is too short."""
    lengths = {row.bit_count() for rows in families for row in rows}
    if len(lengths) != 1:
        return None
    (length,) = lengths
    width = 2 * length
    if len(families) * width > WORD:
        return None
    windows = []
    for rows in families:
        found = _windows(rows, size, length)
        if found is None:
            return None
        windows.append(found)
    return Lanes(tuple(windows), length, width)


def _windows(rows: Rows, size: int, length: int) -> tuple[int, ...] | None:
    through: list[list[int]] = [[] for _ in range(size)]
    for row in rows:
        for site in bits(row):
            through[site].append(row)
    windows = []
    for listed in through:
        window = 0
        for row in listed:
            window |= row
        places = list(bits(window))
        runs = {sum(1 << site for site in places[i : i + length]) for i in range(len(places))}
        full = {run for run in runs if run.bit_count() == length}
        if full != set(listed) or len(places) >= 2 * length:
            return None
        windows.append(window)
    return tuple(windows)


class RowCode:
    """Code for rows through a site, over sets in registers."""

    def __init__(self, sets: RegisterSets) -> None:
        self._sets = sets

    def through(self, f: Function, layer: str, site: str, families: tuple[Rows, ...]) -> str:
        """Return whether a row through a site (i64; there is one) is full (i1).

        `layer` is the address of a set that has the site.
        """
        sets = self._sets
        if sets.size <= MOST_TABULATED:
            return self._of_all(f, f.get("i64", layer), families)
        lanes = lanes_of(families, sets.size) if sets.has_deposit else None
        if lanes is None:
            return self._one_by_one(f, layer, site, families)
        if sets.bits == WORD:
            word = self._of_a_word(f, f.get("i64", layer), site, lanes)
        else:
            parts = _parts(lanes, sets.size, sets.bytes)
            if parts is None:
                return self._one_by_one(f, layer, site, families)
            word = self._of_parts(f, layer, site, parts)
        length = 1
        while length < lanes.length:
            further = min(length, lanes.length - length)
            word = f.ins(f"and i64 {word}, {f.ins(f'lshr i64 {word}, {further}')}")
            length += further
        return f.ins(f"icmp ne i64 {word}, 0")

    def _of_all(self, f: Function, word: str, families: tuple[Rows, ...]) -> str:
        """Return whether any row is full, from a table of all sets."""
        rows = [row for family in families for row in family]
        full = bytes(
            any(row & ~sites == 0 for row in rows) for sites in range(1 << self._sets.size)
        )
        table = self._sets.module.tables.add(full)
        return f.ins(f"trunc i8 {f.get('i8', f.at(table, word))} to i1")

    def _extract(self, f: Function, word: str, mask: str) -> str:
        self._sets.module.declare("i64 @llvm.x86.bmi.pext.64(i64, i64)")
        return f.ins(f"call i64 @llvm.x86.bmi.pext.64(i64 {word}, i64 {mask})")

    def _of_a_word(self, f: Function, word: str, site: str, lanes: Lanes) -> str:
        """Return the lanes, where the board is one word."""
        records = b"".join(
            window.to_bytes(_WORD_BYTES, "little")
            for windows in zip(*lanes.windows, strict=True)
            for window in windows
        )
        many = len(lanes.windows)
        table = self._sets.module.tables.add(records)
        offset = f.ins(f"mul i64 {site}, {_WORD_BYTES * many}")
        record = f.at(table, offset)
        result = ""
        for lane in range(many):
            mask = f.get("i64", f.at(record, _WORD_BYTES * lane))
            found = self._extract(f, word, mask)
            if lane:
                found = f.ins(f"shl i64 {found}, {lane * lanes.width}")
            result = f.ins(f"or i64 {result}, {found}") if lane else found
        return result

    def _of_parts(self, f: Function, layer: str, site: str, parts: Parts) -> str:
        """Return the lanes, gathered from any word of a set that holds a part of a window."""
        table = self._sets.module.tables.add(b"".join(parts.records))
        record = f.at(table, f.ins(f"mul i64 {site}, {len(parts.records[0])}"))
        result = f.get("i64", record)
        for part in range(parts.many):
            at = _WORD_BYTES + _WORD_BYTES * part
            mask = f.get("i64", f.at(record, at))
            places = _WORD_BYTES + _WORD_BYTES * parts.many + 2 * part
            byte = f.ins(f"zext i8 {f.get('i8', f.at(record, places))} to i64")
            shift = f.ins(f"zext i8 {f.get('i8', f.at(record, places + 1))} to i64")
            found = self._extract(f, f.get("i64", f.at(layer, byte)), mask)
            result = f.ins(f"or i64 {result}, {f.ins(f'shl i64 {found}, {shift}')}")
        return result

    def _one_by_one(self, f: Function, layer: str, site: str, families: tuple[Rows, ...]) -> str:
        sets = self._sets
        everywhere = (1 << sets.bits) - 1
        rows = sorted(row for family in families for row in family)
        through: list[list[int]] = [[] for _ in range(sets.size)]
        for row in rows:
            for place in bits(row):
                through[place].append(row)
        many = max(map(len, through))
        records = b"".join(
            row.to_bytes(sets.bytes, "little")
            for listed in through
            for row in (*listed, *[everywhere] * (many - len(listed)))
        )
        table = sets.module.tables.add(records)
        record = f.at(table, f.ins(f"mul i64 {site}, {sets.bytes * many}"))
        held = sets.read(f, layer)
        result = "false"
        for number in range(many):
            whole = Sites(f.get(sets.type, f.at(record, number * sets.bytes)))
            missing = sets.some(f, sets.difference(f, whole, held))
            result = f.ins(f"or i1 {result}, {f.ins(f'xor i1 {missing}, true')}")
        return result


@dataclass(frozen=True)
class Parts:
    """For each site, from where the bits of its windows are gathered: `many` parts.

    A record is a word with the site's own bit in each lane; then the mask of each part; then, for
    each part, the byte at which its word begins, and the place of its bits in the lanes.
    """

    records: tuple[bytes, ...]
    many: int


def _parts(lanes: Lanes, size: int, set_bytes: int) -> Parts | None:
    listed = [_parts_of(lanes, site, set_bytes) for site in range(size)]
    many = max(len(parts) for _, parts in listed)
    if many > _MOST_PARTS or set_bytes > 256:
        return None
    records = []
    for own, parts in listed:
        padded = [*parts, *[(0, 0, 0)] * (many - len(parts))]
        places = b"".join(bytes((byte, shift)) for _, byte, shift in padded)
        masks = b"".join(mask.to_bytes(_WORD_BYTES, "little") for mask, _, _ in padded)
        record = own.to_bytes(_WORD_BYTES, "little") + masks + places
        records.append(record + bytes(-len(record) % _WORD_BYTES))
    return Parts(tuple(records), many)


def _parts_of(lanes: Lanes, site: int, set_bytes: int) -> tuple[int, list[tuple[int, int, int]]]:
    """Return the lanes with the site alone, and the mask, byte and place of each part."""
    own = 0
    parts = []
    for lane, windows in enumerate(lanes.windows):
        place = lane * lanes.width
        below = windows[site] & (1 << site) - 1
        above = windows[site] >> site + 1 << site + 1
        for sites, first in ((below, place), (above, place + below.bit_count() + 1)):
            rest, shift = sites, first
            while rest:
                byte = min(((rest & -rest).bit_length() - 1) // 8, set_bytes - _WORD_BYTES)
                mask = rest >> 8 * byte & (1 << WORD) - 1
                parts.append((mask, byte, shift))
                shift += mask.bit_count()
                rest &= ~(mask << 8 * byte)
        if windows[site]:
            own |= 1 << place + below.bit_count()
    return own, parts
