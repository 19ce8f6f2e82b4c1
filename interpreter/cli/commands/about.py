"""`gdl about`: a game in words."""

from __future__ import annotations

from interpreter.cli.beginning import Request, load_requested
from interpreter.cli.output import write, write_json
from interpreter.cli.parameters import AsJson, GameName, Options, Variants
from interpreter.portrait import portrait, portrait_text


def about(
    game: GameName, options: Options = None, variants: Variants = None, as_json: AsJson = False
) -> None:
    """Tell a game in words: rules, goals, options, variants."""
    told = portrait(load_requested(Request(game, options, variants)))
    if as_json:
        write_json(told.to_json())
    else:
        write(portrait_text(told))
