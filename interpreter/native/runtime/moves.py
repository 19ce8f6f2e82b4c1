"""Moves as native code tells of them: traces, made into moves with their texts.

In: a list of traces (see `turns.traces`), each with its length before it. Out: moves. What then
holds: decisions and texts are those of the reference interpreter, and a move is made when it is
asked for: of thousands, a search names a few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

from gdl.core.nodes import Choose, Decide, Say, SitesOf
from interpreter.evaluation.moves import PASS, Move
from interpreter.evaluation.word_orders import Spot, neighbours, other_orders

_Statement = Choose | Decide | Say


class ListedMoves(Sequence[Move]):
    """Moves, each made of its trace by `made` when first asked for; equal to a list of them."""

    def __init__(self, entries: Sequence[int], made: Callable[[Sequence[int]], Move]) -> None:
        self._entries = entries
        self._made = made
        self._ends = _ends(entries)
        self._moves: list[Move | None] = [None] * len(self._ends)

    def __len__(self) -> int:
        return len(self._ends)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    @overload
    def __getitem__(self, place: int) -> Move: ...

    @overload
    def __getitem__(self, place: slice) -> list[Move]: ...

    def __getitem__(self, place: int | slice) -> Move | list[Move]:
        if isinstance(place, slice):
            return [self[n] for n in range(len(self))[place]]
        place = range(len(self))[place]
        move = self._moves[place]
        if move is None:
            begin = self._ends[place - 1] if place else 0
            move = self._made(self._entries[begin + 1 : self._ends[place]])
            self._moves[place] = move
        return move


class Traces:
    """Reads traces; `statements` has the statement of each number, `site_names` the sites'."""

    def __init__(self, statements: Sequence[_Statement], site_names: Sequence[str]) -> None:
        self._statements = statements
        self._site_names = site_names

    def moves(self, entries: Sequence[int]) -> Sequence[Move]:
        """Return the moves that a list of traces tells of."""
        return ListedMoves(entries, self._move)

    def _move(self, trace: Sequence[int]) -> Move:
        decisions: list[int] = []
        exchangeable: list[tuple[int, int]] = []
        ranked: list[tuple[int, int]] = []
        places: dict[Any, int] = {}
        text = ""
        spots: dict[int, Spot] = {}  # where in the text the word of each entry stands
        for place, entry in enumerate(trace):
            statement, value = self._statements[entry >> 32 & 0x7FFFFFFF], _decision(entry)
            separator, word = " ", None
            match statement:
                case Say():
                    word = statement.token
                case Decide():
                    word = statement.alternatives[value].token
                case Choose():
                    separator, word = statement.separator, str(value)
                    if isinstance(statement.domain, SitesOf):
                        word = self._site_names[value]
                    if statement.unordered_with in places:
                        exchangeable.append((places[statement.unordered_with], place))
                    places[statement.slot] = place
                    if statement.rank:
                        ranked.append((statement.rank, place))
            if not isinstance(statement, Say):
                decisions.append(value)
            if word is not None:
                text = f"{text}{separator}{word}" if text else word
                spots[place] = (len(text) - len(word), len(text))
        pairs = (*exchangeable, *neighbours(ranked))
        return Move(tuple(decisions), text or PASS, other_orders(text, spots, pairs))


def _ends(entries: Sequence[int]) -> list[int]:
    """Return where each trace of a list ends."""
    ends: list[int] = []
    place = 0
    while place < len(entries):
        place += 1 + entries[place]
        ends.append(place)
    return ends


def _decision(entry: int) -> int:
    value = entry & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value
