"""`gdl playout`: random games, and how they end."""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from typing import Annotated

import typer

from interpreter.cli.backend import Prepared, Settings, prepare
from interpreter.cli.output import tracked, write, write_json
from interpreter.cli.parameters import (
    AsJson,
    BackendChoice,
    Checked,
    Request,
    Seed,
    Threads,
    drawn_seed,
)
from interpreter.evaluation.playout import USUAL_MAX_PLIES, Statistics, playouts, rate

_PARTS = 50


def playout(
    *,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="How many games.")] = 100,
    request: Request,
    seed: Seed = None,
    max_plies: Annotated[
        int, typer.Option(min=0, help="The moves after which a game is left unfinished.")
    ] = USUAL_MAX_PLIES,
    threads: Threads = 1,
    backend: BackendChoice = None,
    checked: Checked = False,
    as_json: AsJson = False,
) -> None:
    """Play random games.

    Tells who wins, how long the games are, and how fast they are played. Each legal move is
    equally likely. The same seed gives the same games, on any number of threads.
    """
    prepared = prepare(request, Settings(backend, threads, checked), for_games=True)
    drawn = drawn_seed(seed)
    begun = time.perf_counter()
    statistics = _played(prepared, number, drawn, max_plies)
    seconds = time.perf_counter() - begun - prepared.later_seconds
    if as_json:
        data = statistics.to_json(seconds) | {"seed": drawn, "max_plies": max_plies}
        write_json({"game": prepared.root.rules.game.name} | data | prepared.to_json())
    else:
        _write_statistics(statistics, seconds, drawn)


def _played(prepared: Prepared, number: int, seed: int, max_plies: int) -> Statistics:
    root, native = prepared.root, prepared.native
    statistics = Statistics(root.rules.sides, len(root.rules.sides))
    if native is None:
        games = playouts(prepared.evaluator, root.state, number, seed, max_plies)
        for one in tracked(games, number, "playouts"):
            statistics.add(one)
        return statistics
    parts = min(number, _PARTS) if sys.stderr.isatty() else 1
    edges = [number * part // parts for part in range(parts + 1)]
    for first, last in tracked(list(pairwise(edges)), parts, "playouts"):
        statistics.include(
            native.playouts(
                root.state, last - first, seed, max_plies, prepared.threads, first=first
            )
        )
    return statistics


def _write_statistics(statistics: Statistics, seconds: float, seed: int) -> None:
    for side in statistics.sides:
        _write_share(f"{side} wins", statistics.by_side[side], statistics.playouts)
    seats = range(1, statistics.seats + 1)
    if any(statistics.by_seat[n] != statistics.by_side[statistics.sides[n - 1]] for n in seats):
        for seat in seats:
            _write_share(f"seat {seat} wins", statistics.by_seat[seat], statistics.playouts)
    _write_share(
        "lost" if len(statistics.sides) == 1 else "draw", statistics.draws, statistics.playouts
    )
    _write_share("unfinished", statistics.unfinished, statistics.playouts)
    if statistics.payoffs:
        told = (f"{side} {payoff:+.3f}" for side, payoff in statistics.mean_payoffs.items())
        write(f"payoff on average: {', '.join(told)}")
    write(
        f"{statistics.mean_length:.1f} moves on average,"
        f" {statistics.shortest} to {statistics.longest}"
    )
    write(
        f"{statistics.playouts} playouts in {seconds:.2f} s:"
        f" {rate(statistics.playouts, seconds):,.1f} playouts"
        f" and {rate(statistics.moves, seconds):,.0f} moves a second (seed {seed})"
    )


def _write_share(what: str, number: int, total: int) -> None:
    write(f"{what}: {number} ({number / total:.1%})")
