"""Rows through a site: whether one of many known rows is full, looking at those of one site only.

In: a condition that some row of sites, out of a known family, lies in a layer. Out: the condition
that one of those rows which run through a given site does. What then holds: where the layer has
the site, and no row was full without it, both are the same.

The rows of one direction through a site lie in one window; their sites, in order, are bits side
by side, in which a row is a run. The windows of all directions share a word, one lane for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from gdl.board.relation import Relation, bits
from gdl.core.nodes import Const, Expression, Get, Op, Slot
from gdl.core.types import FLAG
from interpreter.native.emit.ir import WORD, Function
from interpreter.native.emit.values import Sites
from interpreter.native.sets.registers import RegisterSets

MOST_ROWS = 24
"""How many rows through one site are looked at one by one."""
MOST_TABULATED = 12
"""The sites of the largest board for which a table tells of each set if it has a full row."""
_WORD_BYTES = WORD // 8
_MOST_PARTS = 16

Rows = frozenset[int]
"""Sets of sites, of which each is a row."""


@dataclass(frozen=True)
class RowThrough(Expression):
    """Whether a row through the one site in `newest` lies in the layer.

    `families` has the rows of each direction. It is no node of the core: only native code has it.
    """

    layer: Slot
    newest: Expression
    families: tuple[Rows, ...]

    def __post_init__(self) -> None:
        """Settle the type."""
        object.__setattr__(self, "type", FLAG)

    def parts(self) -> tuple[Expression, ...]:
        """Return the newest site."""
        return (self.newest,)

    @cached_property
    def free(self) -> frozenset[Slot]:
        """The layer, and what the site depends on."""
        return self.newest.free | {self.layer}


def row_through(node: Expression, newest: Slot) -> RowThrough | None:
    """Return what a condition on full rows is worth once a site was added; None for no such."""
    parts = node.arguments if isinstance(node, Op) and node.name == "or" else (node,)
    layers: set[Slot] = set()
    families: dict[Rows, None] = {}
    for part in parts:
        found = _family(part)
        if found is None:
            return None
        layer, rows = found
        layers.add(layer)
        families[rows] = None
    if len(layers) != 1:
        return None
    made = RowThrough(layers.pop(), Get(newest), tuple(families))
    if most_rows(made.families) > MOST_ROWS:
        return None
    return made


def _family(node: Expression) -> tuple[Slot, Rows] | None:
    """Match a condition that a layer meets its own images under known relations."""
    if not isinstance(node, Op) or node.name != "some":
        return None
    (of,) = node.arguments
    if not isinstance(of, Op) or of.name != "intersection":
        return None
    within: int | None = None
    layers: set[Slot] = set()
    sources: list[Sequence[int] | None] = []
    for part in of.arguments:
        if isinstance(part, Const):
            within = int(part.value) if within is None else within & int(part.value)
        elif isinstance(part, Get) and part.slot.is_state:
            layers.add(part.slot)
            sources.append(None)
        elif isinstance(part, Op) and part.name == "image" and isinstance(part.arguments[0], Get):
            assert isinstance(part.payload, Relation), "an image has a relation"
            layers.add(part.arguments[0].slot)
            sources.append(part.payload.inverse().successors)
        else:
            return None
    sizes = {len(table) for table in sources if table is not None}
    if len(layers) != 1 or len(sizes) != 1:
        return None
    return _rows(layers.pop(), sources, sizes.pop(), within)


def _rows(
    layer: Slot, sources: Sequence[Sequence[int] | None], size: int, within: int | None
) -> tuple[Slot, Rows] | None:
    """Return the row of each site at which all images meet; None if it is not just one."""
    rows = set()
    for site in range(size):
        if within is not None and not within >> site & 1:
            continue
        before = [1 << site if table is None else table[site] for table in sources]
        if not all(before):
            continue
        if any(each & each - 1 for each in before):
            return None
        row = 0
        for each in before:
            row |= each
        rows.add(row)
    return layer, frozenset(rows)


def most_rows(families: Iterable[Rows]) -> int:
    """Return the greatest number of rows that run through one site."""
    many: dict[int, int] = {}
    for row in (row for rows in families for row in rows):
        for site in bits(row):
            many[site] = many.get(site, 0) + 1
    return max(many.values(), default=0)


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
