"""Runs: places side by side in one row, whose indices follow one another.

In: the places of one kind, in the order of their indices. Out: where a step leads from a whole
run. What then holds: a step of a board is told by a few runs a row, however long the rows are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gdl.board.lattice import Key


class Run(NamedTuple):
    """The places in `length` columns of a row from `column`; the index of the first is `first`."""

    column: int
    row: int
    tag: str
    first: int
    length: int

    def part(self, start: int, length: int) -> Run:
        """Return the part of the run that begins `start` places further on."""
        return Run(self.column + start, self.row, self.tag, self.first + start, length)


Link = tuple[Run, Run]
"""Two runs of one length: each place of the one with the place of the other at its rank."""


class Runs:
    """All runs of the places of one kind, on a board whose `periods` (0: none) wrap around."""

    def __init__(
        self, places: Sequence[Key], first_index: int, periods: tuple[int, int] = (0, 0)
    ) -> None:
        """Divide the places into runs; the first of them has the index `first_index`."""
        self._periods = periods
        self._in_row: dict[tuple[int, str], list[Run]] = {}
        start = 0
        for end, (column, row, tag) in enumerate(places, 1):
            if end == len(places) or places[end] != (column + 1, row, tag):
                length = end - start
                run = Run(column + 1 - length, row, tag, first_index + start, length)
                self._in_row.setdefault((row, tag), []).append(run)
                start = end

    def __iter__(self) -> Iterator[Run]:
        """Yield the runs."""
        for runs in self._in_row.values():
            yield from runs

    def links(self, source: Run, step: Key) -> Iterator[Link]:
        """Yield the parts of a run, of whatever kind, from which a step leads to one of these."""
        columns, rows = self._periods
        row = source.row + step[1]
        if rows:
            row = (row - 1) % rows + 1
        targets = self._in_row.get((row, step[2]), ())
        for start, column, length in _stretches(source, step[0], columns):
            for target in targets:
                begin = max(column, target.column)
                common = min(column + length, target.column + target.length) - begin
                if common > 0:
                    part = source.part(start + begin - column, common)
                    yield part, target.part(begin - target.column, common)


def _stretches(source: Run, across: int, period: int) -> Iterator[tuple[int, int, int]]:
    """Yield the columns that a step across leads to, as they lie side by side on the board.

    Each stretch is the rank of its first place in the run, its first column, its length.
    """
    column = source.column + across
    if not period:
        yield 0, column, source.length
        return
    start = 0
    while start < source.length:
        place = (column + start - 1) % period + 1
        length = min(source.length - start, period - place + 1)
        yield start, place, length
        start += length


def shared_steps(parts: Mapping[str, tuple[Key, ...]]) -> dict[str, list[Key]]:
    """Return for each tag the steps to all that has a part in common with it, itself too.

    `parts` are the steps from each tag to its parts.
    """
    steps: dict[str, set[Key]] = {tag: set() for tag in parts}
    for one, of_one in parts.items():
        for other, of_other in parts.items():
            for column, row, tag in of_one:
                for column_back, row_back, same in of_other:
                    if tag == same:
                        steps[one].add((column - column_back, row - row_back, other))
    return {tag: sorted(found) for tag, found in steps.items()}
