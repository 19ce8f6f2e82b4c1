"""Short texts of moves: a letter and a number, such as `d3`.

In: the legal moves of a position. Out: a number for each site that a move can begin with, which
is drawn there, and a letter for each way to go on from it. What then holds: the short text of a
move reads as that move; a text that names a site where a move can begin is not read as a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gdl.board.board import Board
from gdl.board.naming import column_letters
from interpreter.evaluation.moves import IllegalMoveError, Move

_SHORT = re.compile(r"\s*(?:([a-z]{1,4})([0-9]{1,6})|([0-9]{1,6})([a-z]{1,4}))\s*")


class Numbering:
    """The short texts of the legal moves of one position.

    The sites that moves name first have the numbers 1, 2, … in the order of the board; the moves
    that begin with one site have the letters a, b, … in the order of the moves. A move that names
    no site has no short text.
    """

    def __init__(self, board: Board, moves: Sequence[Move]) -> None:
        """Number the legal moves of a position on a board."""
        self._board = board
        found: dict[int, list[Move]] = {}
        for move in moves:
            site = _first_site(board, move)
            if site is not None:
                found.setdefault(site, []).append(move)
        self._ways = [found[site] for site in sorted(found)]
        self._kinds = {board.sites[site].kind for site in found}
        self._texts = {
            move.decisions: f"{column_letters(way)}{number}"
            for number, ways in enumerate(self._ways, start=1)
            for way, move in enumerate(ways, start=1)
        }
        self.numbers: Mapping[int, int] = {
            site: number for number, site in enumerate(sorted(found), start=1)
        }

    def short(self, move: Move) -> str:
        """Return the short text of a legal move, or an empty one.

        Where `d3` is a site that could be meant, the text is `3d`.
        """
        text = self._texts.get(move.decisions, "")
        return _turned(text) if self._names_a_site(text) else text

    def read(self, text: str) -> Move | None:
        """Return the legal move that a short text stands for, or None if it is none.

        The number may also come first. Legal moves' own texts are to be tried before. Raises
        IllegalMoveError if there is no such number or letter.
        """
        match = _SHORT.fullmatch(text.lower())
        if match is None or self._names_a_site(text.strip().lower()):
            return None
        if not self._ways:
            raise IllegalMoveError(f"`{text.strip()}` is not a legal move.", "None has a number.")
        letter, number = match[1] or match[4], int(match[2] or match[3])
        if not 1 <= number <= len(self._ways):
            raise IllegalMoveError(
                f"`{text.strip()}` is not a legal move.",
                f"The numbers on the board are 1 to {len(self._ways)}.",
            )
        ways = self._ways[number - 1]
        for way, move in enumerate(ways, start=1):
            if column_letters(way) == letter:
                return move
        last = column_letters(len(ways))
        raise IllegalMoveError(
            f"`{text.strip()}` is not a legal move.",
            f"At {number} there {'is a' if len(ways) == 1 else f'are a to {last}'}.",
        )

    def _names_a_site(self, text: str) -> bool:
        index = self._board.index(text)
        return index is not None and self._board.sites[index].kind in self._kinds


def _first_site(board: Board, move: Move) -> int | None:
    return next((i for i in map(board.index, move.words) if i is not None), None)


def _turned(text: str) -> str:
    letter = text.rstrip("0123456789")
    return text[len(letter) :] + letter
