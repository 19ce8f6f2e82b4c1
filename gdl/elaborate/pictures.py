"""Pictures: positions drawn as rows of characters.

In: the rows as drawn, the uppermost first; `.` is an empty site, each other character a piece.
Blanks between sites mean nothing; rows may also share a line, with `/` between them. Out: the
sites of each symbol. The same rule reads the set-up, options that are positions, examples, and
positions in files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from gdl.board.board import Board, Site
from gdl.diagnostic import Report, Span

EMPTY = "."

Symbol = TypeVar("Symbol")


def drawn_rows(board: Board) -> list[list[Site]]:
    """Return the sites as a picture shows them: rows from the top, each from the left.

    Sites of different kinds are in rows of their own.
    """
    rows: dict[tuple[float, str], list[Site]] = {}
    for site in board.sites:
        rows.setdefault((-round(site.y, 3), site.kind), []).append(site)
    return [sorted(rows[key], key=lambda site: site.x) for key in sorted(rows)]


def read_picture(
    text: str, span: Span, board: Board, symbols: Mapping[str, Symbol], report: Report
) -> dict[Symbol, int]:
    """Return the sites of each symbol's meaning; what is wrong goes to the report."""
    text = text.replace("/", "\n")
    lines = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    rows = drawn_rows(board)
    found: dict[Symbol, int] = {}
    if len(lines) != len(rows):
        report.error(
            "picture",
            f"The picture has {len(lines)} rows, but the board has {len(rows)}.",
            _place(span, 0),
            "Draw each row of the board as a line, the uppermost first.",
        )
        return found
    for number, (line, row) in enumerate(zip(lines, rows, strict=True), start=1):
        if len(line) != len(row):
            report.error(
                "picture",
                f"Row {number} of the picture has {len(line)} sites, but should have {len(row)}.",
                _place(span, number - 1),
                "Draw a character for each site, `.` where it is empty.",
            )
            return found
        for column, (char, site) in enumerate(zip(line, row, strict=True)):
            if char == EMPTY:
                continue
            if char not in symbols:
                report.error(
                    "unknown-symbol",
                    f"No piece is drawn as `{char}` ({site.name}).",
                    _place(span, number - 1, column),
                    f"The symbols are: {' '.join(symbols)} and `.` for an empty site.",
                )
                return found
            meaning = symbols[char]
            found[meaning] = found.get(meaning, 0) | 1 << site.index
    return found


def _place(span: Span, row: int, column: int | None = None) -> Span:
    """Return where a row stands, or a site in it (both from 0); the whole span if it has none."""
    rows = [found for found in re.finditer(r"[^\n]+", span.text) if found.group().strip()]
    if row >= len(rows):
        return span
    start = span.start + rows[row].start()
    chars = [start + offset for offset, char in enumerate(rows[row].group()) if not char.isspace()]
    if column is None:
        return Span(span.source, chars[0], chars[-1] + 1)
    if column >= len(chars):
        return span
    return Span(span.source, chars[column], chars[column] + 1)


def write_picture(board: Board, symbols: Mapping[int, str]) -> str:
    """Return the rows of a position in which `symbols` stand on sites, by index."""
    return "\n".join(
        " ".join(symbols.get(site.index, EMPTY) for site in row) for row in drawn_rows(board)
    )
