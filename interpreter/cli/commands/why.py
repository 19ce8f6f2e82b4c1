"""`gdl why`: what the rules say of a move, a site, or how a game stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.beginning import begin
from interpreter.cli.output import print_message, write, write_drawn, write_json
from interpreter.cli.parameters import Ascii, AsJson, Request
from interpreter.cli.picture import scene_text
from interpreter.explain.answers import why as answers
from interpreter.explain.telling import explanation_json, explanation_scene, explanation_text
from interpreter.files import write_file


def why(
    request: Request,
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="MOVE|SITE",
            help="A move, legal or not, or a site; nothing for the position itself.",
            show_default=False,
        ),
    ] = None,
    ascii: Ascii = False,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw to an SVG file what it is about.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell why a move is legal or not, or how the game stands.

    Of a site it tells what stands there since when, of the position itself why the game is over, or
    what each clause says now.

    Each rule is told with its place in the file and the values of its parts.
    """
    course = begin(request)
    found = answers(course.positions, course.moves, text or "")
    if svg is not None:
        from interpreter.render.svg import render_svg

        write_file(svg, render_svg(explanation_scene(found[-1])))
        print_message(f"Drawn to {svg}.")
    if as_json:
        write_json({"explanations": [explanation_json(told) for told in found]})
        return
    for told in found:
        if svg is None:
            write_drawn(scene_text(explanation_scene(told), ascii=ascii))
        write(explanation_text(told))
