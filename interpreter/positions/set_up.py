"""Positions that are set up by hand: pieces in rows of characters, who is on turn, what is kept.

In: a game, and what a person writes. Out: the values of the slots of a position. What then holds:
what was not named is as at the start, and each value is one that its slot may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.core.nodes import Slot
from gdl.diagnostic import Diagnostic, GameError, Report, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.elaborate.pictures import read_picture, uppermost
from gdl.model import Game
from interpreter.positions.setting import Setting, new_value


class SetUp:
    """A position while it is set up; `values` are those of its slots, at first as at the start."""

    def __init__(self, game: Game, places: Mapping[Slot, int]) -> None:
        """Begin with the start of a game, whose slots have these places."""
        self._game = game
        self._places = places
        self.values: list[Any] = list(game.program.initial)

    def arrange(self, section: Document) -> None:
        """Take the pieces and values of a section like `setup`. Raises GameError."""
        self._take(self._game.words.arrangement(section))

    def turn(self, mover: str | None, phase: str | None, turns: int, passed: int) -> None:
        """Say whose turn it is, in which phase, after how much play. Raises GameError."""
        system = self._game.program.system
        if mover is not None:
            self.values[self._places[system.mover]] = number_of(mover, self._game.sides, "side")
        if phase is not None:
            names = [known.name for known in self._game.program.phases]
            number = number_of(phase, names, "phase")
            if system.phase is not None:
                self.values[self._places[system.phase]] = number
        for slot, number in ((system.turns, turns), (system.passes, passed)):
            if number < 0:
                message = f"There can't have been {number} turns or passes."
                hint = "`turns` and `passed` are 0 or more."
                raise GameError([Diagnostic("wrong-value", message, None, hint)])
            if slot is not None:
                self.values[self._places[slot]] = number

    def place(self, rows: str, span: Span) -> None:
        """Put the pieces that rows of characters show in place of all others. Raises GameError."""
        report, piles, board = Report(), self._game.piles, self._game.board
        symbols = {layer.symbol: layer.slot for layer in self._game.layers}
        found = read_picture(rows, span, board, symbols, report, has_piles=piles is not None)
        report.raise_errors()
        tops = uppermost(found)
        for layer in self._game.layers:
            self.values[self._places[layer.slot]] = tops.get(layer.slot, 0)
        if piles is None:
            return
        is_told = piles.under in self._places
        for site, pile in found.items():
            if fault := piles.fault(pile, is_told=is_told):
                message = f"{fault.removesuffix('.')} ({board.sites[site].name})."
                raise GameError([Diagnostic("wrong-pile", message, span)])
        self._take(piles.values(found, board.size))

    def give(self, setting: Setting) -> None:
        """Give a state variable a value. Raises GameError."""
        now = {slot: self.values[place] for slot, place in self._places.items()}
        slot, value = new_value(self._game, setting, now)
        self._take({slot: value})

    def seat(self, seats: Mapping[str, int]) -> None:
        """Let seats, from 1, play these sides. Raises GameError."""
        slots, sides = self._game.program.system.seats, self._game.sides
        for name, seat in seats.items():
            side = number_of(name, sides, "side")
            if not slots and seat != side + 1:
                message = f"The seats never change in this game: {sides[side]} is seat {side + 1}."
                raise GameError([Diagnostic("wrong-value", message)])
            if slots:
                self.values[self._places[slots[side]]] = seat - 1

    def _take(self, found: Mapping[Slot, Any]) -> None:
        """Take values, but for what the rules never read."""
        for slot, value in found.items():
            if slot in self._places:
                self.values[self._places[slot]] = value


def number_of(name: str, names: tuple[str, ...] | list[str], what: str) -> int:
    """Return the place of a name among others, in any case.

    Raises GameError if it is none of them, and TypeError if it is no text.
    """
    if not isinstance(name, str):
        raise TypeError(f"a {what} is called by its name, such as {names[0]!r}, not by {name!r}")
    for place, known in enumerate(names):
        if known.lower() == name.strip().lower():
            return place
    message = f"There is no {what} called `{name.strip()[:60]}`."
    hint = suggest(name, names) or f"There are: {', '.join(names)}."
    raise GameError([Diagnostic("unknown-name", message, None, hint)])
