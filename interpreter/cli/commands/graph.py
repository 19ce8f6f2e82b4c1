"""`gdl graph`: the compiled board as a graph."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli.beginning import load_requested
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.output import write
from gdl.interpreter.cli.parameters import GameRequest
from gdl.interpreter.files import write_result
from gdl.resources.budget import budget

_MOST_PAIRS = 300_000


class Format(StrEnum):
    """The formats that a graph can be written in."""

    GRAPHML = "graphml"
    DOT = "dot"
    JSON = "json"


def graph(
    *,
    format: Annotated[Format, option(help="How the graph is written.")] = Format.GRAPHML,
    request: GameRequest,
    output: Annotated[
        Path | None,
        option("--output", "-o", metavar="FILE", help="Write to a file.", show_default=False),
    ] = None,
    as_json: Annotated[bool, option("--json", help="The same as `--format json`.")] = False,
) -> None:
    """Write the board as a graph.

    It has a node for each site, and an edge for each pair of each relation.
    """
    from gdl.board.export import write_graph

    loaded = load_requested(request)
    pairs = sum(relation.pair_count for relation in loaded.relations.values())
    if pairs > budget().of(_MOST_PAIRS):
        raise refused(
            Code.TOO_LARGE,
            f"The relations of this board have {pairs:,} pairs, more than {_MOST_PAIRS:,}.",
            "Allow more by `--budget 10x`.",
        )
    text = write_graph(loaded.graph, "json" if as_json else format.value)
    if output is None:
        write(text.rstrip("\n"))
    else:
        write_result(output, text)
