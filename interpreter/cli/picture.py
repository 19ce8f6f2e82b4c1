"""A position as it is printed, and as JSON: the board, whose turn it is, how it has ended."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from gdl.core.types import SITES
from interpreter.cli.output import terminal_width, wants_ascii, wants_colour
from interpreter.encoding import write_plain
from interpreter.evaluator import Outcome
from interpreter.position import Position

_WIDTH = 80


def board_text(position: Position, *, ascii: bool = False) -> str:
    """Return the board as it suits stdout; below it the scores, and state that is not drawn."""
    board = position.render(
        colour=wants_colour(), ascii=ascii or wants_ascii(), width=terminal_width()
    )
    scores = ", ".join(f"{side} {number}" for side, number in position.scores().items())
    below = [fill(line, _WIDTH) for line in (scores, state_text(position)) if line]
    return "\n".join([board, *below])


def state_text(position: Position) -> str:
    """Return the state variables that are not drawn, with their values; empty sets are left out."""
    game = position.rules.game
    told = []
    for name, slot in game.state_slots.items():
        value = position.state.values[position.rules.places[slot]]
        if not slot.per_site and (value or slot.type != SITES):
            told.append(f"{name} {write_plain(game, slot.type, value)}")
    return ", ".join(told)


def turn_text(position: Position, outcome: Outcome | None = None) -> str:
    """Return whose turn it is, or how the game has ended, as a sentence.

    `outcome` is how it has ended if the position alone does not tell.
    """
    ended = outcome or position.outcome
    if ended is not None:
        told = ended_text(position, ended)
        return f"{told[0].upper()}{told[1:]}."
    if position.seat is None:
        return "Chance is to move."
    return f"{mover_text(position)} to move."


def mover_text(position: Position) -> str:
    """Return who is on turn: the side, and the seat where another one could play it."""
    return position.mover + _seat_text(position, position.seat)


def ended_text(position: Position, outcome: Outcome) -> str:
    """Return an outcome in words, with the seats where they could be others."""
    seats = " and ".join(str(seat) for seat in outcome.seats)
    if not seats or not position.rules.game.program.system.seats:
        return outcome.text
    return f"{outcome.text} (seat {seats})"


def _seat_text(position: Position, seat: int | None) -> str:
    changeable = position.rules.game.program.system.seats
    return f" (seat {seat})" if changeable and seat is not None else ""


def to_move_json(position: Position) -> dict[str, Any] | None:
    """Return who is on turn: `side` and `seat` (null: chance); None when the game is over."""
    if position.over:
        return None
    return {"side": position.mover, "seat": position.seat}


def outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """Return how a game has ended: `text`, the `winners` and their `seats`; None if it goes on."""
    if outcome is None:
        return None
    return {
        "text": outcome.text,
        "winners": list(outcome.winners),
        "seats": list(outcome.seats),
    }


def position_json(position: Position) -> dict[str, Any]:
    """Return a position as plain data, with its rows, who is on turn and how it has ended."""
    return {
        "game": position.rules.game.name,
        "rows": position.rows().splitlines(),
        "pieces": position.pieces(),
        "to_move": to_move_json(position),
        "scores": position.scores(),
        "outcome": outcome_json(position.outcome),
        "position": position.to_json(),
    }
