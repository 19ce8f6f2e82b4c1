"""`gdl show`: a position, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.beginning import begin
from interpreter.cli.failures import wrong_use
from interpreter.cli.output import print_message
from interpreter.cli.parameters import Ascii, AsJson, AsSide, Request
from interpreter.cli.picture import write_position
from interpreter.files import write_file


def show(
    request: Request,
    as_side: AsSide = None,
    ascii: Ascii = False,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw to an SVG file.", show_default=False),
    ] = None,
    witness: Annotated[
        str | None,
        typer.Option(
            metavar="CODE[:LINE]",
            help="Check the game, and play what shows this finding.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a position.

    Of a game it is the first, or that after some moves, or that which shows a finding of
    `gdl check`; of a saved game where it stands. Of a saved game that hides something, only what a
    side sees is shown until it is over.
    """
    if witness is not None:
        from interpreter.cli.witness import with_witness

        request = with_witness(request, witness)
    course = begin(request)
    shown = course.last
    is_going_on = course.record is not None and not course.record.result and not shown.over
    if is_going_on and shown.rules.game.hides and as_side is None:
        raise wrong_use(
            "wrong-option",
            "This game hides something, and it is not over.",
            f"Say who looks: `--as {shown.mover}`.",
        )
    if svg is not None:
        from interpreter.render.svg import render_svg

        scene = shown.scene() if as_side is None else shown.view(as_side).scene
        write_file(svg, render_svg(scene))
        print_message(f"Drawn to {svg}.")
    if as_json or svg is None:
        write_position(shown, as_side=as_side, as_json=as_json, ascii=ascii)
