"""Pictures: positions drawn as rows of characters.

In: the rows as drawn, the uppermost first; `.` is an empty site, each other character a piece.
Blanks between sites mean nothing; rows may also share a line, with `/` between them. In a game
with piles, `(ab)` is a pile of `a` with `b` upon it, and `?` a piece in it of which nothing is
known. Out: what stands on each site. The same rule reads the set-up, options that are positions,
examples, and positions in files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from gdl.board.board import Board, Site
from gdl.codes import Code
from gdl.diagnostic import Report, Span

EMPTY = "."
UNKNOWN = "?"

Symbol = TypeVar("Symbol")

Pieces = tuple[Symbol | None, ...]
"""What stands on a site, the lowest first; None is a piece of which nothing is known."""


def drawn_rows(board: Board) -> list[list[Site]]:
    """Return the sites as a picture shows them: rows from the top, each from the left.

    Sites of different kinds are in rows of their own.
    """
    rows: dict[tuple[float, str], list[Site]] = {}
    for site in board.sites:
        rows.setdefault((-round(site.y, 3), site.kind), []).append(site)
    return [sorted(rows[key], key=lambda site: site.x) for key in sorted(rows)]


def read_picture(
    text: str,
    span: Span,
    board: Board,
    symbols: Mapping[str, Symbol],
    report: Report,
    *,
    has_piles: bool = False,
    see: Sequence[tuple[str, Span]] = (),
) -> dict[int, Pieces[Symbol]]:
    """Return what stands on each site, by index; what is wrong goes to the report.

    `see` are places that tell more where a symbol is unknown.
    """
    text = text.replace("/", "\n")
    lines = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    rows = drawn_rows(board)
    found: dict[int, Pieces[Symbol]] = {}
    if len(lines) != len(rows):
        has = f"{len(lines)} row{'' if len(lines) == 1 else 's'}"
        report.error(
            Code.PICTURE,
            f"The picture has {has}, but the board has {len(rows)}.",
            _place(span, 0),
            "Draw each row of the board as a line, the uppermost first.",
        )
        return found
    for number, (line, row) in enumerate(zip(lines, rows, strict=True), start=1):
        drawn = list((_PILES if has_piles else _PIECES).finditer(line))
        if len(drawn) != len(row):
            report.error(
                Code.PICTURE,
                f"Row {number} of the picture has {len(drawn)} sites, but should have {len(row)}.",
                _place(span, number - 1),
                "Draw a character for each site, `.` where it is empty.",
            )
            return found
        for part, site in zip(drawn, row, strict=True):
            pile = part[1] if has_piles and part[1] is not None else part[0]
            if pile in (EMPTY, ""):
                continue
            unknown = next((c for c in pile if c not in symbols and c != UNKNOWN), None)
            if pile[-1] == UNKNOWN:
                unknown = UNKNOWN
            if unknown is not None:
                report.error(
                    Code.UNKNOWN_SYMBOL,
                    f"No piece is drawn as `{unknown}` ({site.name}).",
                    _place(span, number - 1, part.start() + part[0].index(unknown)),
                    f"The symbols are: {' '.join(symbols)} and `.` for an empty site."
                    " Under `display`, `symbols: {Knight: N}` gives a kind another letter.",
                    see,
                )
                return found
            found[site.index] = tuple(symbols.get(char) for char in pile)
    return found


_PIECES = re.compile(".")
_PILES = re.compile(r"\(([^()]*)\)|.")


def uppermost(picture: Mapping[int, Pieces[Symbol]]) -> dict[Symbol, int]:
    """Return the sites of each meaning that stands uppermost on some."""
    found: dict[Symbol, int] = {}
    for site, pieces in picture.items():
        top = pieces[-1]
        assert top is not None, "an uppermost piece is known"
        found[top] = found.get(top, 0) | 1 << site
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


def write_picture(board: Board, pieces: Mapping[int, Pieces[str]]) -> str:
    """Return the rows of a position with pieces, by their symbols, on sites, by index."""
    return "\n".join(
        " ".join(_drawn(pieces.get(site.index, ())) for site in row) for row in drawn_rows(board)
    )


def _drawn(pieces: Pieces[str]) -> str:
    text = "".join(UNKNOWN if piece is None else piece for piece in pieces)
    return f"({text})" if len(text) > 1 else text or EMPTY
