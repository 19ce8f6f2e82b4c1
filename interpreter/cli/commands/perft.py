"""`gdl perft`: the number of move sequences of a length."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Annotated

from gdl.interpreter.cli.backend import Prepared, Settings, prepare
from gdl.interpreter.cli.beginning import led_by_request
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.failures import Stoppable
from gdl.interpreter.cli.output import print_message, tracked, write, write_json
from gdl.interpreter.cli.parameters import AsJson, BackendChoice, Checked, Request, Threads
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.evaluation.playout import perft_by_move, rate
from gdl.interpreter.sessions.failing import led_from
from gdl.interpreter.sessions.notation import spelled


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
    begun, stoppable = time.perf_counter(), Stoppable()
    by_move: dict[Move, int] = {}
    with stoppable, led_by_request(request, prepared.played), led_from(prepared.root):
        for move, number in _by_move(prepared, depth):
            by_move[move] = number
    nodes = sum(by_move.values()) if depth else 1
    seconds = time.perf_counter() - begun - prepared.later_seconds
    root = prepared.root
    is_told = divide or stoppable.is_stopped
    shares = {spelled(move, root): by_move[move] for move in by_move} if is_told else {}
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
            | ({"divide": shares} if is_told else {})
        )
        stoppable.end()
        return
    for text, number in shares.items():
        write(f"{text}: {number}")
    write(str(nodes))
    print_message(f"{seconds:.2f} s, {rate(nodes, seconds):,.0f} a second")
    if stoppable.is_stopped:
        print_message(f"Stopped: these are the sequences of {len(by_move)} first moves.")
    stoppable.end()


def _by_move(prepared: Prepared, depth: int) -> Iterator[tuple[Move, int]]:
    """Yield each first move with the number of sequences that it begins; none if there is none."""
    root, native = prepared.root, prepared.native
    moves = prepared.evaluator.legal(root.state) if depth else ()
    if native is not None and depth > 1:
        counted: Iterable[tuple[Move, int]] = (
            (move, native.perft(native.apply(root.state, move), depth - 1, prepared.threads))
            for move in moves
        )
    else:
        counted = perft_by_move(prepared.evaluator, root.state, moves, depth)
    yield from tracked(counted, len(moves), f"depth {depth}")
