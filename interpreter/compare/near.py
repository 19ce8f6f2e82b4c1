"""Which moves are near to sites.

In: a board, and the texts of moves. Out: the sites that they name, and those around them.
"""

from __future__ import annotations

from gdl.board.board import Board
from interpreter.compare.two_games import MovePair
from interpreter.evaluation.moves import words


class Near:
    """Tells which moves are near to sites."""

    def __init__(self, board: Board) -> None:
        """Tell it of the moves of a game on this board."""
        self._board = board
        self._sites: dict[str, int] = {}
        relations = [board.relations.get(name) for name in ("adjacent", "compass", "incident")]
        self._relations = [relation for relation in relations if relation is not None]

    def sites(self, text: str) -> int:
        """Return the sites that a move names."""
        if text not in self._sites:
            found = (self._board.index(word) for word in words(text))
            self._sites[text] = sum(1 << index for index in set(found) if index is not None)
        return self._sites[text]

    def around(self, met: int) -> int:
        """Return sites with all that are next to one of them."""
        found = met
        for relation in self._relations:
            found |= relation.image(met)
        return found

    def those(self, legal: list[MovePair], met: int) -> list[MovePair]:
        """Return the moves that name a site next to those that were met, or one of them."""
        around = self.around(met)
        return [both for both in legal if self.sites(both[0].text) & around]
