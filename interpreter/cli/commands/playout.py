"""`gdl playout`: random games, and how they end."""

from __future__ import annotations

import random
import time
from typing import Annotated

import typer

from interpreter.cli.beginning import begin
from interpreter.cli.failures import wrong_use
from interpreter.cli.output import tracked, write, write_json
from interpreter.cli.parameters import (
    AsJson,
    Backend,
    BackendChoice,
    Request,
    Seed,
    require_backend,
)
from interpreter.playout import USUAL_MAX_PLIES, Statistics, playouts, rate


def playout(
    *,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="How many games.")] = 100,
    request: Request,
    seed: Seed = None,
    max_plies: Annotated[
        int, typer.Option(min=0, help="The moves after which a game is left unfinished.")
    ] = USUAL_MAX_PLIES,
    threads: Annotated[int, typer.Option(min=1, help="How many threads play.")] = 1,
    backend: BackendChoice = Backend.REFERENCE,
    as_json: AsJson = False,
) -> None:
    """Play random games.

    Tells who wins, how long the games are, and how fast they are played. Each legal move is
    equally likely.
    """
    require_backend(backend)
    if threads > 1:
        raise wrong_use(
            "wrong-option", "The reference backend plays on one thread.", "Leave `--threads` out."
        )
    begun = time.perf_counter()
    root = begin(request).last
    root.moves()
    ready = time.perf_counter()
    drawn = random.SystemRandom().getrandbits(32) if seed is None else seed
    played = playouts(root.rules.evaluator, root.state, number, drawn, max_plies)
    sides = root.rules.sides
    statistics = Statistics(sides, len(sides))
    for one in tracked(played, number, "playouts"):
        statistics.add(one)
    seconds = time.perf_counter() - ready
    if as_json:
        data = statistics.to_json(seconds, ready - begun)
        settings = {"seed": drawn, "max_plies": max_plies, "threads": 1, "backend": backend.value}
        write_json({"game": root.rules.game.name} | data | settings)
    else:
        _write_statistics(statistics, seconds, drawn)


def _write_statistics(statistics: Statistics, seconds: float, seed: int) -> None:
    for side in statistics.sides:
        _write_share(f"{side} wins", statistics.by_side[side], statistics.playouts)
    seats = range(1, statistics.seats + 1)
    if any(statistics.by_seat[n] != statistics.by_side[statistics.sides[n - 1]] for n in seats):
        for seat in seats:
            _write_share(f"seat {seat} wins", statistics.by_seat[seat], statistics.playouts)
    _write_share("draw", statistics.draws, statistics.playouts)
    _write_share("unfinished", statistics.unfinished, statistics.playouts)
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
