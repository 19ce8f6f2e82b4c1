"""Rows that only one side can still fill, as features of a game.

In: a program and the layout of its positions. Out: `OpenRows` where a side's pieces in a row decide
the game. What then holds: they have names that a person can read, and can be counted in many
positions at once.

A row is *open* to a side if it has a piece there and nobody else has. Where it lacks but one site
of a row, it matters which: so such rows are counted for each site that they lack, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gdl.analysis.rows import rows_of
from gdl.analysis.views import without_lets
from gdl.board.relation import bits, site_set
from gdl.core.nodes import Ending, Program, Slot
from gdl.core.types import FLAG, SITES
from gdl.core.walk import expressions_in
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.native.memory.frame import FrameLayout

_MOST_ROWS = 4000
_AT_ONCE = 1000
"""In how many positions rows are counted at once: that takes a number for each row of each."""


@dataclass(frozen=True)
class OpenRows:
    """The `rows` of `length` sites that a side can fill, or each of two, as sets of sites.

    Of each of the `sides`, `own` has where its pieces are, `nobodys` what closes a row to all: the
    first word of each such set.
    """

    sides: tuple[str, ...]
    length: int
    own: tuple[tuple[int, ...], ...]
    nobodys: tuple[int, ...]
    rows: tuple[int, ...]
    size: int

    def names(self, side: int) -> list[str]:
        """The names of how many rows of a side have one piece, two, and so on."""
        return self._named(self.sides[side], "")

    @property
    def turn_names(self) -> list[str]:
        """The names of how many rows of any side there are, for the side on turn."""
        return self._named(" or ".join(self.sides), ", on turn")

    @property
    def told(self) -> Iterator[tuple[str, int]]:
        """Yield the name of each column or columns of `columns`, and how many more there are."""
        for side in range(len(self.sides)):
            *names, last = self.names(side)
            for name in names:
                yield name, 0
            yield last, self.size
        for name in self.turn_names:
            yield name, 0

    def _named(self, whose: str, when: str) -> list[str]:
        numbers = range(1, self.length)
        return [f"rows of {whose} with {n} of {self.length}{when}" for n in numbers]

    @cached_property
    def _sites(self) -> NDArray[np.float32]:
        """Which sites each row has: a row of numbers for each site."""
        found = np.zeros((self.size, len(self.rows)), np.float32)
        for number, row in enumerate(self.rows):
            found[list(bits(row)), number] = 1
        return found

    def columns(
        self, positions: NDArray[np.uint8], on_turn: NDArray[np.float32]
    ) -> list[NDArray[np.float32]]:
        """Return what is told of rows, of each position.

        For each side, that is how many rows have one piece, two, and so on, and at last which sites
        such rows lack; then how many rows there are, or less than none: `on_turn` has 1 for each
        position with the first side on turn, or -1.
        """
        if len(positions) > _AT_ONCE:
            begins = range(0, len(positions), _AT_ONCE)
            stretches = [slice(begin, begin + _AT_ONCE) for begin in begins]
            parts = [self.columns(positions[some], on_turn[some]) for some in stretches]
            return [np.concatenate(columns) for columns in zip(*parts, strict=True)]
        held = [self._held(positions, which) for which in (*self.own, self.nobodys)]
        found: list[NDArray[np.float32]] = []
        turns = [np.zeros((len(positions), 1), np.float32) for _ in range(1, self.length)]
        for side in range(len(self.sides)):
            closed = sum(held[:side] + held[side + 1 :]) @ self._sites
            filled = np.where(closed == 0, held[side] @ self._sites, 0)
            for n in range(1, self.length):
                count = (filled == n).sum(axis=1, keepdims=True).astype(np.float32)
                found.append(count)
                turns[n - 1] += count * on_turn
            lacking = (filled == self.length - 1).astype(np.float32) @ self._sites.T
            found.append(lacking * (1 - held[side]))
        return [*found, *turns]

    def _held(self, positions: NDArray[np.uint8], which: Sequence[int]) -> NDArray[np.float32]:
        """Return which sites are in some sets, in each position."""
        held = np.zeros((len(positions), self.size), np.float32)
        last = -(-self.size // 8)
        for word in which:
            begin = word * WORD_BYTES
            data = np.ascontiguousarray(positions[:, begin : begin + last])
            held += np.unpackbits(data, axis=1, bitorder="little")[:, : self.size]
        return held


# ----------------------------------------------------------------- found in a program


@dataclass(frozen=True)
class _Asked:
    """Rows of so many sites that endings ask for of one side: where it has pieces, the rows."""

    side: int
    layers: tuple[Slot, ...]
    rows: frozenset[int]
    length: int

    def goes_with(self, other: _Asked) -> bool:
        """Return whether another side is asked for the same rows of other pieces."""
        are_apart = self.side != other.side and not set(self.layers) & set(other.layers)
        return are_apart and self.rows == other.rows


def open_rows(
    program: Program, layout: FrameLayout, sides: Sequence[str], size: int
) -> tuple[OpenRows, ...]:
    """Return the rows that a program's endings ask for, those of two sides together."""
    left, found = list(_asked(program)), list[OpenRows]()
    while left:
        one = left.pop(0)
        together = [one, *[other for other in left if one.goes_with(other)][:1]]
        left = [other for other in left if other not in together]
        own = [_words_of(layout, asked.layers) for asked in together]
        closing = _words_of(layout, _nobodys(program, together))
        if closing is None or None in own:
            continue
        names = tuple(sides[asked.side] for asked in together)
        if any((names, one.length) == (known.sides, known.length) for known in found):
            names = tuple(", ".join(slot.name for slot in asked.layers) for asked in together)
        words = tuple(places for places in own if places is not None)
        found.append(OpenRows(names, one.length, words, closing, tuple(sorted(one.rows)), size))
    return tuple(found)


def _asked(program: Program) -> Iterator[_Asked]:
    """Yield the rows that endings ask for; what is asked of several sides alike is nobody's."""
    rows_in: dict[tuple[Slot, ...], set[int]] = {}
    sides_of: dict[tuple[Slot, ...], set[int]] = {}
    for turn in program.turns:
        for ending in turn.endings:
            for layers, rows in _asked_by(ending):
                sides_of.setdefault(layers, set()).update(ending.sides)
                rows_in.setdefault(layers, set()).update(rows)
    owned = [layers for layers, sides in sides_of.items() if len(sides) == 1]
    for layers in sorted(owned, key=lambda layers: min(sides_of[layers])):
        for length in sorted({row.bit_count() for row in rows_in[layers]}):
            found = frozenset(row for row in rows_in[layers] if row.bit_count() == length)
            if length > 1 and len(found) <= _MOST_ROWS:
                yield _Asked(min(sides_of[layers]), layers, found, length)


def _asked_by(ending: Ending) -> Iterator[tuple[tuple[Slot, ...], set[int]]]:
    """Yield the layers in which an ending asks for rows, with the rows."""
    for node in expressions_in(without_lets(ending.condition)):
        asks = rows_of(node) if node.type == FLAG else None
        if asks is not None:
            yield asks.layers, {site_set(row) for family in asks.families for row in family}


def _nobodys(program: Program, together: Sequence[_Asked]) -> set[Slot]:
    """Return the pieces that close a row to all who are asked for it."""
    own = {slot for asked in together for slot in asked.layers}
    return set(program.layers) - own if own <= set(program.layers) else set()


def _words_of(layout: FrameLayout, slots: Iterable[Slot]) -> tuple[int, ...] | None:
    """Return the first word of each set, in order; None if one has not whole words."""
    found: list[int] = []
    for slot in slots:
        field = layout.fields[slot]
        if slot.type != SITES or slot.per_site or field.offset % WORD_BYTES:
            return None
        if field.bytes % WORD_BYTES:
            return None
        found.append(field.offset // WORD_BYTES)
    return tuple(sorted(found))
