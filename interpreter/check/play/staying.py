"""Pieces that never move again once they stand on certain sites.

In: positions, and their legal moves. Out: notes. What then holds: of a kind that is told, no legal
move of any position named a piece on those sites, and many named its pieces elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set

from gdl.board.relation import bits, site_set
from gdl.diagnostic import Diagnostic
from gdl.model import Game
from interpreter.check.places import key_or_file_span, note, word_in
from interpreter.evaluation.evaluator import State
from interpreter.evaluation.moves import Move

_FEWEST_ON_A_SITE = 25
_FEWEST_STILL = 150
_MANY_MOVED = 1000
_MOST_NAMED = 6
_WORD = re.compile(r"\w+")


class Staying:
    """Counts, by layers of pieces and by sites, how often a piece could move, and could not."""

    def __init__(self, game: Game) -> None:
        self._game = game
        program = game.program
        places = {slot: place for place, slot in enumerate(program.state)}
        self._mover = places[program.system.mover]
        self._layers = [
            (number, layer.side, places[layer.slot]) for number, layer in enumerate(game.layers)
        ]
        self.still: Counter[tuple[int, int]] = Counter()
        self.movable: Counter[tuple[int, int]] = Counter()

    def note(self, state: State, legal: Sequence[Move]) -> None:
        """Look at a position; one in which no piece of the side on turn moves is left out."""
        board, mover = self._game.board, state.values[self._mover]
        words = {word for move in legal for word in _WORD.findall(move.text)}
        named = site_set(index for word in words if (index := board.index(word)) is not None)
        own = [
            (number, state.values[place]) for number, side, place in self._layers if side == mover
        ]
        if not any(sites & named for _, sites in own):
            return
        for number, sites in own:
            self.movable.update((number, index) for index in bits(sites & named))
            self.still.update((number, index) for index in bits(sites & ~named))

    def found(self, moved_kinds: Set[int]) -> Iterator[Diagnostic]:
        """Yield the kinds of pieces, of those that have moved, that some sites hold for good."""
        game = self._game
        for number, layer in enumerate(game.layers):
            if layer.kind not in moved_kinds:
                continue
            moved = sum(times for (which, _), times in self.movable.items() if which == number)
            held = {
                index: times
                for (which, index), times in self.still.items()
                if which == number
                and times >= _FEWEST_ON_A_SITE
                and not self.movable[number, index]
            }
            if moved < _MANY_MOVED or sum(held.values()) < _FEWEST_STILL:
                continue
            names = [game.board.sites[index].name for index in sorted(held)]
            where = ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
            yield note(
                "never-leaves",
                f"No {layer.name} ever had a move from {where}, where it stood in"
                f" {sum(held.values()):,} positions; elsewhere it had.",
                word_in(game, "pieces", game.kinds[layer.kind])
                or key_or_file_span(game, "pieces", "players"),
                "See whether it should become another kind there, or leave the board, or go back.",
            )
