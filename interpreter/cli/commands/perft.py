"""`gdl perft`: the number of move sequences of a length."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from interpreter.cli.beginning import begin
from interpreter.cli.output import print_message, tracked, write, write_json
from interpreter.cli.parameters import AsJson, Backend, BackendChoice, Request, require_backend
from interpreter.perft import perft_by_move
from interpreter.playout import rate
from interpreter.record import spelled


def perft(
    request: Request,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="The number of moves.")],
    divide: Annotated[bool, typer.Option("--divide", help="Tell each first move's share.")] = False,
    backend: BackendChoice = Backend.REFERENCE,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of moves.

    Moves are whole turns; a game that is over before the depth does not count.
    """
    require_backend(backend)
    begun = time.perf_counter()
    root = begin(request).last
    first = root.moves()
    ready = time.perf_counter()
    counted = perft_by_move(root.rules.evaluator, root.state, first if depth else (), depth)
    by_move = {
        spelled(move, root) if divide else str(move.decisions): nodes
        for move, nodes in tracked(counted, len(first), f"depth {depth}")
    }
    seconds = time.perf_counter() - ready
    nodes = sum(by_move.values()) if depth else 1
    if as_json:
        write_json(
            {
                "game": root.rules.game.name,
                "depth": depth,
                "nodes": nodes,
                "seconds": seconds,
                "nodes_per_second": rate(nodes, seconds),
                "compile_seconds": ready - begun,
                "backend": backend.value,
            }
            | ({"divide": by_move} if divide else {})
        )
        return
    if divide:
        for text, number in by_move.items():
            write(f"{text}: {number}")
    write(str(nodes))
    print_message(f"{seconds:.2f} s, {rate(nodes, seconds):,.0f} a second")
