"""`gdl about`: a game in words."""

from __future__ import annotations

from typing import Annotated

from gdl.interpreter.cli.beginning import load_requested
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.output import write, write_json
from gdl.interpreter.cli.parameters import Ascii, AsJson, GameRequest
from gdl.interpreter.library.portrait import portrait, portrait_text


def about(
    request: GameRequest,
    pictures: Annotated[
        bool, option("--pictures", help="Show where each kind of piece may go, too.")
    ] = False,
    ascii: Ascii = False,
    as_json: AsJson = False,
) -> None:
    """Tell a game in words: rules, goals, options, variants."""
    game = load_requested(request)
    told = portrait(game)
    if as_json:
        write_json(told.to_json())
        return
    write(portrait_text(told))
    if pictures:
        from gdl.interpreter.library.pieces import pieces_text

        for text in pieces_text(game, ascii=ascii):
            write(text)
