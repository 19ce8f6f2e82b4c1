"""`gdl show`: a position, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.beginning import begin
from interpreter.cli.output import print_message
from interpreter.cli.parameters import Ascii, AsJson, Request
from interpreter.cli.picture import write_position
from interpreter.files import write_file


def show(
    request: Request,
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
    shown = begin(request).last
    if svg is not None:
        from interpreter.render.svg import render_svg

        write_file(svg, render_svg(shown.scene()))
        print_message(f"Drawn to {svg}.")
    if as_json or svg is None:
        write_position(shown, as_json=as_json, ascii=ascii)
