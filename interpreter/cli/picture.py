"""A position as it is printed, and as JSON: the board, whose turn it is, how it has ended."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from gdl.interpreter.cli.output import (
    colour_system,
    terminal_width,
    wants_ascii,
    wants_colour,
    write,
    write_drawn,
    write_json,
)
from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.position_text import (
    clause_text,
    hands_text,
    seen_text,
    state_text,
    turn_text,
)
from gdl.interpreter.positions.view import View
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.theme import LIGHT, Theme
from gdl.visible import visible

_WIDTH = 80


def scene_text(
    scene: Scene, *, ascii: bool = False, theme: Theme = LIGHT, flip: bool = False
) -> str:
    """Return a scene as it suits stdout."""
    from gdl.interpreter.render.text.text import render_text

    return render_text(
        scene,
        colour=wants_colour(),
        ascii=ascii or wants_ascii(),
        width=terminal_width(),
        theme=theme,
        flip=flip,
        colours=colour_system(),
    )


def board_text(
    shown: Position | View, *, ascii: bool = False, theme: Theme = LIGHT, flip: bool = False
) -> str:
    """Return the board as it suits stdout; below it the scores, and state that is not drawn."""
    scene = shown.scene if isinstance(shown, View) else shown.scene()
    board = scene_text(scene, ascii=ascii, theme=theme, flip=flip)
    numbers = dict(shown.scores) if isinstance(shown, View) else shown.scores()
    scores = ", ".join(f"{side} {number}" for side, number in numbers.items())
    state = seen_text(shown) if isinstance(shown, View) else state_text(shown)
    hands = "" if isinstance(shown, View) else hands_text(shown)
    told = (f"Score: {scores}" if scores else "", hands, state)
    below = [visible(fill(line, _WIDTH)) for line in told if line]
    return "\n".join([board, *below])


def write_position(
    position: Position,
    *,
    as_side: str | None = None,
    as_json: bool = False,
    ascii: bool = False,
    theme: Theme = LIGHT,
    flip: bool = False,
    told: str = "",
) -> None:
    """Print a position: drawn, with whose turn it is below; or as JSON.

    With `as_side`, it is what that side sees. `told` is said instead of whose turn it is. Raises
    GameError if there is no such side.
    """
    view = None if as_side is None else position.view(as_side)
    if as_json:
        shown = position_json(position) if view is None else view_json(position, view)
        write_json({**shown, "told": told} if told else shown)
        return
    drawn = position if view is None else view
    write_drawn(board_text(drawn, ascii=ascii, theme=theme, flip=flip))
    write_turn(position, told=told)


def write_turn(position: Position, outcome: Outcome | None = None, *, told: str = "") -> None:
    """Print what `turn_text` tells; when the game has ended, the clause that ended it before.

    `told` is said instead of whose turn it is.
    """
    clause = clause_text(position, outcome or position.outcome)
    if clause:
        write(clause)
    write(told or turn_text(position, outcome))


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
        **({"payoffs": [float(worth) for worth in outcome.payoffs]} if outcome.payoffs else {}),
    }


def view_json(position: Position, view: View) -> dict[str, Any]:
    """Return what a side sees as plain data, with its rows."""
    return {
        "game": position.rules.game.name,
        "rows": view.rows().splitlines(),
        **view.to_json(),
        "outcome": outcome_json(position.outcome),
    }


def position_json(position: Position) -> dict[str, Any]:
    """Return a position as plain data, with its rows, who is on turn and how it has ended."""
    return {
        "game": position.rules.game.name,
        "rows": position.rows().splitlines(),
        "pieces": position.pieces(),
        "hands": position.hands(),
        "to_move": to_move_json(position),
        "scores": position.scores(),
        "outcome": outcome_json(position.outcome),
        "position": position.to_json(),
    }
