"""Positions with the sides exchanged.

In: a game of two sides, a symmetry of its board, positions. Out: positions. What then holds: they
differ in nothing but whose pieces are whose, who is on turn, and where on the board all of it
stands; nothing earlier is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from gdl.board.symmetries import Permutation, moved_set
from gdl.core.nodes import Slot
from gdl.core.piles import Piles
from gdl.core.types import SITES
from gdl.model import Game
from interpreter.evaluation.evaluator import Outcome

_WORD = re.compile(r"\w+")


class NotExchangeableError(Exception):
    """A position has something of which nobody knows what the other side's is."""


class Exchange:
    """Turns positions of a game into those in which the sides are exchanged."""

    def __init__(self, game: Game, symmetry: Permutation, start: Sequence[Any]) -> None:
        """Raises NotExchangeableError where slots have no partner."""
        self._game = game
        self._start = start
        self._symmetry = symmetry
        program = game.program
        places = {slot: place for place, slot in enumerate(program.state)}
        by_name = {slot.name: place for slot, place in places.items()}
        self._layers = {layer.slot: layer for layer in game.layers}
        self._forgotten = {memory.slot for memory in program.memories}
        self._exchanging: list[Callable[[Sequence[Any]], Any]] = []
        for place, slot in enumerate(program.state):
            if slot in self._layers:
                source = places[self._partner(slot)]
            else:
                source = by_name.get(self.text(slot.name, sites=False), place)
            self._exchanging.append(self._value_of(slot, place, source))

    def _value_of(self, slot: Slot, place: int, source: int) -> Callable[[Sequence[Any]], Any]:
        """Return what gives a slot its value in an exchanged position."""
        program, symmetry, piles = self._game.program, self._symmetry, self._game.piles
        if piles is not None and slot is piles.under:
            return self._under(piles, place, program.state.index(piles.height))
        if slot in self._forgotten:
            initial = self._start[place]
            return lambda values: initial
        if slot in program.system.seats:
            return lambda values: values[place]
        if slot.type == SITES and not slot.per_site:
            return lambda values: moved_set(values[source], symmetry)
        is_side = slot is program.system.mover or slot.type.name == "side"
        if slot.type.name == "direction":
            raise NotExchangeableError

        def one(value: Any) -> Any:
            return 1 - value if is_side and value in (0, 1) else value

        if not slot.per_site:
            return lambda values: one(values[source])

        def each(values: Sequence[Any]) -> tuple[Any, ...]:
            before = values[source]
            after = list(before)
            for index, value in enumerate(before):
                after[symmetry[index]] = one(value)
            return tuple(after)

        return each

    def _under(
        self, piles: Piles, place: int, height: int
    ) -> Callable[[Sequence[Any]], tuple[int, ...]]:
        """Return what gives the slot of what lies under the uppermost pieces its value."""
        counterparts = [piles.coverable.index(self._partner(slot)) for slot in piles.coverable]
        width, mask = piles.width, (1 << piles.width) - 1

        def under(values: Sequence[Any]) -> tuple[int, ...]:
            found = [0] * len(self._symmetry)
            for index, digits in enumerate(values[place]):
                shifts = range(0, width * max(0, values[height][index] - 1), width)
                found[self._symmetry[index]] = sum(
                    counterparts[digits >> shift & mask] << shift for shift in shifts
                )
            return tuple(found)

        return under

    def _partner(self, slot: Slot) -> Slot:
        """Return the layer that has the pieces of the other side of the same kind."""
        layer = self._layers[slot]
        whose = None if layer.side is None else 1 - layer.side
        for other in self._game.layers:
            if (other.kind, other.side) == (layer.kind, whose):
                return other.slot
        raise NotExchangeableError

    def values(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the values of a position with the sides exchanged."""
        return tuple(exchanged(values) for exchanged in self._exchanging)

    def without_past(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the values of a position of which the rules remember nothing earlier."""
        program = self._game.program
        return tuple(
            start if slot in self._forgotten else value
            for slot, value, start in zip(program.state, values, self._start, strict=True)
        )

    def is_start(self) -> bool:
        """Return whether the position that games begin with is its own, but for who is on turn."""
        program = self._game.program
        mover = program.state.index(program.system.mover)
        first = tuple(self._start)
        other = self.values(first)
        return first[:mover] == other[:mover] and first[mover + 1 :] == other[mover + 1 :]

    def text(self, text: str, *, sites: bool = True) -> str:
        """Return a text with the names of the sides, and of sites, exchanged."""
        one, other = self._game.sides

        def exchanged(found: re.Match[str]) -> str:
            word = found[0]
            if word in (one, other):
                return other if word == one else one
            index = self._game.board.index(word) if sites else None
            if index is None:
                return word
            return self._game.board.sites[self._symmetry[index]].name

        return _WORD.sub(exchanged, text)

    def led(self, values: Sequence[Any], outcome: Outcome | None) -> object:
        """Return a position and how the game ended in it, both with the sides exchanged."""
        return self.values(values), None if outcome is None else self._result(outcome)

    def kept(self, values: Sequence[Any], outcome: Outcome | None) -> object:
        """Return a position and how the game ended in it, to be compared with what `led` gives."""
        result = None if outcome is None else (tuple(sorted(outcome.winners)), outcome.payoffs)
        return self.without_past(values), result

    def _result(self, outcome: Outcome) -> object:
        winners = sorted(self.text(winner, sites=False) for winner in outcome.winners)
        return tuple(winners), tuple(reversed(outcome.payoffs))

    def inverse(self) -> Exchange:
        """Return what leads back. Raises NotExchangeableError."""
        back = [0] * len(self._symmetry)
        for index, image in enumerate(self._symmetry):
            back[image] = index
        return Exchange(self._game, tuple(back), self._start)
