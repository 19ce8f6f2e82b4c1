"""A position as it is printed, and as JSON: the board, whose turn it is, how it has ended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import Any

from gdl.core.types import SITES
from gdl.visible import visible
from interpreter.cli.output import (
    terminal_width,
    wants_ascii,
    wants_colour,
    write,
    write_drawn,
    write_json,
)
from interpreter.evaluation.evaluator import Outcome
from interpreter.positions.encoding import write_plain
from interpreter.positions.position import Position
from interpreter.render.scene import Mark

_WIDTH = 80
_NOTHING = ("0", "no", "none")


def board_text(position: Position, *, ascii: bool = False) -> str:
    """Return the board as it suits stdout; below it the scores, and state that is not drawn."""
    board = position.render(
        colour=wants_colour(), ascii=ascii or wants_ascii(), width=terminal_width()
    )
    scores = ", ".join(f"{side} {number}" for side, number in position.scores().items())
    told = (f"Score: {scores}" if scores else "", state_text(position))
    below = [visible(fill(line, _WIDTH)) for line in told if line]
    return "\n".join([board, *below])


def write_position(position: Position, *, as_json: bool = False, ascii: bool = False) -> None:
    """Print a position: drawn, with whose turn it is below; or as JSON."""
    if as_json:
        write_json(position_json(position))
        return
    write_drawn(board_text(position, ascii=ascii))
    write_turn(position)


def introduction(position: Position, *, ascii: bool = False) -> str:
    """Return what a player wants to know first: the game, its aim, how its pieces are drawn."""
    game = position.rules.game
    told = (game.title, game.credits.get("about", ""), _legend(position, ascii or wants_ascii()))
    return "\n".join(fill(line, _WIDTH) for line in told if line)


def _legend(position: Position, ascii: bool) -> str:
    """Return which character stands for which piece; pieces that are drawn otherwise are not."""
    from interpreter.render.glyphs import ASCII, UNICODE, lettering

    game, scene = position.rules.game, position.scene()
    tiles = {scene.marks[site].kind for site in scene.tiles}
    layers = [layer for layer in game.layers if game.kinds[layer.kind] not in tiles]
    marks = {n: Mark(m.symbol, m.side, game.kinds[m.kind]) for n, m in enumerate(layers)}
    has_numbers_alone = scene.marks and all(m.count is not None for m in scene.marks.values())
    if len(marks) > len(game.board.sites) or has_numbers_alone:
        return ""
    kinds = tuple(kind for kind in scene.kinds if kind not in tiles)
    scene = replace(scene, marks=marks, kinds=kinds, tiles={}, highlights={})
    texts = lettering(scene, ASCII if ascii else UNICODE).texts
    sides = [game.sides[layer.side] if layer.side is not None else "" for layer in layers]
    is_one_each = len(set(sides)) == len(sides) and "" not in sides
    names = sides if is_one_each else [layer.name for layer in layers]
    return ", ".join(f"{name} {texts[n]}" for n, name in enumerate(names))


def state_text(position: Position) -> str:
    """Return the state variables that are not drawn, with their values.

    Empty sets are left out, and what is nothing as yet: a number that began with 0 and still is.
    """
    game, rules = position.rules.game, position.rules
    told = []
    for name, slot in game.state_slots.items():
        value = position.state.values[rules.places[slot]]
        text = write_plain(game, slot.type, value)
        is_new = value == game.program.initial[rules.places[slot]]
        is_left_out = text in _NOTHING and (is_new or slot.type == SITES)
        if not slot.per_site and not is_left_out:
            told.append(f"{name} {text}")
    return ", ".join(told)


def write_turn(position: Position, outcome: Outcome | None = None) -> None:
    """Print what `turn_text` tells; when the game has ended, the clause that ended it before."""
    clause = clause_text(position, outcome or position.outcome)
    if clause:
        write(clause)
    write(turn_text(position, outcome))


def clause_text(position: Position, outcome: Outcome | None) -> str:
    """Return the clause of the rules by which a game has ended, and where it stands.

    It is empty if the game goes on, or somebody has resigned.
    """
    if outcome is None or outcome.span is None:
        return ""
    span, is_stuck = outcome.span, position.state.ended is None
    reason = f", since {position.mover} has no move" if is_stuck else ""
    clause = " ".join(span.text.split())
    return fill(f"By line {span.line} of {Path(span.source.name).name}{reason}: {clause}", _WIDTH)


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
