"""`gdl show`: a position, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.beginning import Request, begin
from interpreter.cli.output import print_message, write, write_json
from interpreter.cli.parameters import (
    After,
    Ascii,
    AsJson,
    Example,
    GameOrSave,
    Options,
    PositionFile,
    Variants,
)
from interpreter.cli.picture import board_text, position_json, turn_text


def show(
    game: GameOrSave,
    options: Options = None,
    variants: Variants = None,
    after: After = None,
    example: Example = None,
    position: PositionFile = None,
    ascii: Ascii = False,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw to an SVG file.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a position.

    Of a game it is the first, or that after some moves; of a saved game where it stands.
    """
    shown = begin(Request(game, options, variants, after, example, position)).last
    if svg is not None:
        from interpreter.render.svg import render_svg

        svg.write_text(render_svg(shown.scene()), encoding="utf-8")
        print_message(f"Drawn to {svg}.")
    if as_json:
        write_json(position_json(shown))
    elif svg is None:
        write(board_text(shown, ascii=ascii))
        write(turn_text(shown))
