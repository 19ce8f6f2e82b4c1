"""`gdl about`: a game in words."""

from __future__ import annotations

from gdl.interpreter.cli.beginning import load_requested
from gdl.interpreter.cli.output import write, write_json
from gdl.interpreter.cli.parameters import AsJson, GameRequest
from gdl.interpreter.library.portrait import portrait, portrait_text


def about(request: GameRequest, as_json: AsJson = False) -> None:
    """Tell a game in words: rules, goals, options, variants."""
    told = portrait(load_requested(request))
    if as_json:
        write_json(told.to_json())
    else:
        write(portrait_text(told))
