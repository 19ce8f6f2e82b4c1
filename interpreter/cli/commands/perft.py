"""`gdl perft`: the number of move sequences of a length."""

from __future__ import annotations

import time
from typing import Annotated

from interpreter.cli.backend import Prepared, Settings, prepare
from interpreter.cli.beginning import led_by_request
from interpreter.cli.declarations import argument, option
from interpreter.cli.output import print_message, tracked, write, write_json
from interpreter.cli.parameters import AsJson, BackendChoice, Checked, Request, Threads
from interpreter.evaluation.moves import Move
from interpreter.evaluation.playout import perft_by_move, rate
from interpreter.sessions.failing import led_from
from interpreter.sessions.notation import spelled


def perft(
    request: Request,
    depth: Annotated[int, argument("DEPTH", min=0, help="The number of moves.")],
    divide: Annotated[bool, option("--divide", help="Tell each first move's share.")] = False,
    threads: Threads = 1,
    backend: BackendChoice = None,
    checked: Checked = False,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of moves.

    Moves are whole turns; a game that is over before the depth does not count.
    """
    prepared = prepare(request, Settings(backend, threads, checked))
    begun = time.perf_counter()
    with led_by_request(request, prepared.played), led_from(prepared.root):
        by_move = {} if prepared.native is not None and not divide else _by_move(prepared, depth)
        nodes = _nodes(prepared, by_move, depth)
    seconds = time.perf_counter() - begun - prepared.later_seconds
    root = prepared.root
    shares = {spelled(move, root): by_move[move] for move in by_move} if divide else {}
    if as_json:
        write_json(
            {
                "game": root.rules.game.name,
                "depth": depth,
                "nodes": nodes,
                "seconds": seconds,
                "nodes_per_second": rate(nodes, seconds),
            }
            | prepared.to_json()
            | ({"divide": shares} if divide else {})
        )
        return
    for text, number in shares.items():
        write(f"{text}: {number}")
    write(str(nodes))
    print_message(f"{seconds:.2f} s, {rate(nodes, seconds):,.0f} a second")


def _by_move(prepared: Prepared, depth: int) -> dict[Move, int]:
    """Return the number of sequences that each first move begins; none if there is no first."""
    root, native = prepared.root, prepared.native
    moves = prepared.evaluator.legal(root.state) if depth else ()
    if native is not None and depth > 1:
        after = [native.apply(root.state, move) for move in moves]
        return dict(zip(moves, native.perfts(after, depth - 1, prepared.threads), strict=True))
    counted = perft_by_move(prepared.evaluator, root.state, moves, depth)
    return dict(tracked(counted, len(moves), f"depth {depth}"))


def _nodes(prepared: Prepared, by_move: dict[Move, int], depth: int) -> int:
    if prepared.native is not None and not by_move:
        return prepared.native.perft(prepared.root.state, depth, prepared.threads)
    return sum(by_move.values()) if depth else 1
