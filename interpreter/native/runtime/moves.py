"""Moves as native code tells of them: traces, made into moves with their texts.

In: a list of traces (see `turns.traces`), each with its length before it. Out: moves. What then
holds: decisions and texts are those of the reference interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gdl.core.nodes import Choose, Decide, Say, SitesOf
from interpreter.evaluation.moves import PASS, Move
from interpreter.evaluation.word_orders import Spot, neighbours, other_orders

_Statement = Choose | Decide | Say


class Traces:
    """Reads traces; `statements` has the statement of each number, `site_names` the sites'."""

    def __init__(self, statements: Sequence[_Statement], site_names: Sequence[str]) -> None:
        self._statements = statements
        self._site_names = site_names

    def moves(self, entries: Sequence[int]) -> list[Move]:
        """Return the moves that a list of traces tells of."""
        return [self._move(trace) for trace in _parted(entries)]

    def _move(self, trace: Sequence[int]) -> Move:
        decisions: list[int] = []
        exchangeable: list[tuple[int, int]] = []
        ranked: list[tuple[int, int]] = []
        places: dict[Any, int] = {}
        for place, entry in enumerate(trace):
            statement = self._statement(entry)
            if isinstance(statement, Say):
                continue
            if isinstance(statement, Choose):
                partner = places.get(statement.unordered_with)
                if partner is not None:
                    exchangeable.append((partner, place))
                places[statement.slot] = place
                if statement.rank:
                    ranked.append((statement.rank, place))
            decisions.append(_decision(entry))
        text, spots = self._text(trace)
        pairs = (*exchangeable, *neighbours(ranked))
        return Move(tuple(decisions), text or PASS, other_orders(text, spots, pairs))

    def _text(self, trace: Sequence[int]) -> tuple[str, dict[int, Spot]]:
        """Return the text of a trace, and where in it the word of each entry stands."""
        text = ""
        spots: dict[int, Spot] = {}
        for place, entry in enumerate(trace):
            separator, word = self._word(entry)
            if word is not None:
                text = f"{text}{separator}{word}" if text else word
                spots[place] = (len(text) - len(word), len(text))
        return text, spots

    def _word(self, entry: int) -> tuple[str, str | None]:
        """Return the word of an entry, if it has one, and what stands before it in a text."""
        statement, value = self._statement(entry), _decision(entry)
        if isinstance(statement, Say):
            return " ", statement.token
        if isinstance(statement, Decide):
            return " ", statement.alternatives[value].token
        is_site = isinstance(statement.domain, SitesOf)
        return statement.separator, self._site_names[value] if is_site else str(value)

    def _statement(self, entry: int) -> _Statement:
        return self._statements[entry >> 32 & 0x7FFFFFFF]


def _parted(entries: Sequence[int]) -> Iterator[Sequence[int]]:
    place = 0
    while place < len(entries):
        end = place + 1 + entries[place]
        yield entries[place + 1 : end]
        place = end


def _decision(entry: int) -> int:
    value = entry & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value
