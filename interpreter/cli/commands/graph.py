"""`gdl graph`: the compiled board as a graph."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.beginning import load_requested
from interpreter.cli.output import write
from interpreter.cli.parameters import GameRequest
from interpreter.files import write_result


class Format(StrEnum):
    """The formats that a graph can be written in."""

    GRAPHML = "graphml"
    DOT = "dot"
    JSON = "json"


def graph(
    *,
    format: Annotated[Format, typer.Option(help="How the graph is written.")] = Format.GRAPHML,
    request: GameRequest,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to a file.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as `--format json`.")] = False,
) -> None:
    """Write the board as a graph.

    It has a node for each site, and an edge for each pair of each relation.
    """
    from gdl.board.export import write_graph

    loaded = load_requested(request)
    text = write_graph(loaded.graph, "json" if as_json else format.value)
    if output is None:
        write(text.rstrip("\n"))
    else:
        write_result(output, text)
