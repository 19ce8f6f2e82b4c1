"""`gdl why`: what the rules say of a move, a site, or how a game stands."""

from __future__ import annotations

from typing import Annotated

from gdl.interpreter.cli.beginning import begin
from gdl.interpreter.cli.declarations import argument
from gdl.interpreter.cli.drawing import (
    ColourBlind,
    Flip,
    Look,
    Png,
    Svg,
    Themed,
    ThemeName,
    Turn,
    draw,
)
from gdl.interpreter.cli.failures import results_first
from gdl.interpreter.cli.output import write, write_drawn, write_json
from gdl.interpreter.cli.parameters import Ascii, AsJson, Request
from gdl.interpreter.cli.picture import scene_text
from gdl.interpreter.explain.answers import why as answers
from gdl.interpreter.explain.telling import explanation_json, explanation_scene, explanation_text
from gdl.interpreter.sessions.typed import typed_move


def why(
    request: Request,
    text: Annotated[
        str | None,
        argument(
            "MOVE|SITE",
            help="A move, legal or not, or a site; nothing for the position itself.",
        ),
    ] = None,
    ascii: Ascii = False,
    svg: Svg = None,
    png: Png = None,
    theme: Themed = ThemeName.LIGHT,
    colour_blind: ColourBlind = False,
    flip: Flip = False,
    as_json: AsJson = False,
) -> None:
    """Tell why a move is legal or not, or how the game stands.

    Of a site it tells what stands there since when, of the position itself why the game is over, or
    what each clause says now.

    Each rule is told with its place in the file and the values of its parts. Of a saved game that
    hides something, nothing is told until it is over.
    """
    played = begin(request)
    found = answers(played.positions, played.moves, text or "", typed_move)
    look = Look.asked(theme, colour_blind, flip, Turn.NONE, None)
    with results_first() as tried:
        tried(lambda: draw(explanation_scene(found[-1]), look, svg, png))
        if as_json:
            write_json({"explanations": [explanation_json(told) for told in found]})
        for told in () if as_json else found:
            if svg is png is None:
                scene = explanation_scene(told)
                write_drawn(scene_text(scene, ascii=ascii, theme=look.theme, flip=flip))
            write(explanation_text(told))
