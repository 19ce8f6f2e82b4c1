"""`gdl playout`: random games, and how they end."""

from __future__ import annotations

import time
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, refused
from gdl.interpreter.cli.backend import Prepared, Settings, prepare
from gdl.interpreter.cli.beginning import led_by_request
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.failures import Stoppable
from gdl.interpreter.cli.output import print_message, timed, tracked, write, write_json
from gdl.interpreter.cli.parameters import (
    AsJson,
    BackendChoice,
    Checked,
    Cluster,
    Processes,
    Request,
    Seed,
    Threads,
    drawn_seed,
    finite,
)
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.playout import (
    USUAL_MAX_PLIES,
    Statistics,
    moves_counted,
    playouts,
    rate,
    winning_together,
)
from gdl.interpreter.verify.deadline import TimeUp, limited
from gdl.interpreter.workers.packed import pack
from gdl.interpreter.workers.run import Run, workers
from gdl.resources.budget import budget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gdl.interpreter.native.runtime.rules import NativeRules
    from gdl.model import Game

_LEAST_SECONDS = 0.2
"""How long a part of the games takes at least, after which an interrupt finds what there is."""
_USUAL_NUMBER = 100
_ENDLESS = 1 << 40
"""More games than are ever played."""
_TRIAL_SECONDS = 0.1
_PATIENCE = 0.75
"""Seconds of the processor after which the first game must have ended, in the usual budget or a
smaller one; and how much of them it must have had."""
_MOST_OF_IT = 0.8
_PART_SECONDS = 1.0
"""How long a worker plays before it tells what came out."""


def playout(
    *,
    number: Annotated[
        int | None,
        option(
            "--number",
            "-n",
            min=1,
            max=1_000_000_000,
            help="How many games.",
            show_default="100; with --seconds, as many as there is time for",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        option(
            min=0,
            check=finite,
            help="The time after which no more are played.",
            show_default="none",
        ),
    ] = None,
    request: Request,
    seed: Seed = None,
    max_plies: Annotated[
        int, option(min=0, help="The moves after which a game is left unfinished.")
    ] = USUAL_MAX_PLIES,
    threads: Threads = 1,
    backend: BackendChoice = None,
    checked: Checked = False,
    processes: Processes = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Play random games.

    Tells who wins, how long the games are, and how fast they are played. Each legal move is
    equally likely. The same seed gives the same games, on any number of threads, processes, or
    machines. With `--seconds`, games that have not ended by then do not count; without, the budget
    allows the first one a second. Native code is built before that time begins.
    """
    is_shared = processes > 1 or cluster is not None
    if is_shared and seconds is not None:
        raise refused(
            Code.WRONG_OPTION,
            "`--seconds` holds for games that are played in this process.",
            "Leave `--workers` and `--cluster` out, or name how many games by `-n`.",
        )
    prepared = prepare(request, Settings(backend, threads, checked))
    wanted = number or (_USUAL_NUMBER if seconds is None else _ENDLESS)
    asked = _Asked(wanted, drawn_seed(seed), max_plies, seconds)
    begun, stoppable = time.perf_counter(), Stoppable()
    sides = prepared.root.rules.sides
    statistics = Statistics(sides, len(sides))
    with stoppable, led_by_request(request, prepared.played):
        if is_shared:
            run = workers(processes, cluster)
            _shared(prepared, run, asked, statistics, checked=checked)
        else:
            _played(prepared, asked, statistics)
    taken = time.perf_counter() - begun - prepared.later_seconds
    in_time = number is None or statistics.playouts == number
    if as_json:
        drawing = {"seed": asked.seed, "max_plies": max_plies, "in_time": in_time}
        data = {"game": prepared.root.rules.game.name} | statistics.to_json(taken) | drawing
        write_json(data | prepared.to_json())
        stoppable.end()
        return
    if statistics.playouts:
        _write_statistics(statistics, prepared.root.rules.game, taken, asked.seed)
    if statistics.unfinished:
        print_message(f"`--max-plies {max_plies}` left {statistics.unfinished:,} unfinished.")
    if stoppable.is_stopped:
        of = "" if wanted == _ENDLESS else f" of {wanted:,}"
        print_message(f"Stopped after {statistics.playouts:,}{of} games.")
    elif not in_time or not statistics.playouts:
        told = f"When the {seconds:g} s were over, {statistics.playouts} games had ended."
        print_message(f"{told}{_compiling(prepared)}")
    stoppable.end()


def _compiling(prepared: Prepared) -> str:
    """Return how long it took to build native code, which is not part of the seconds."""
    if prepared.native is None:
        return ""
    spent = sum(prepared.native.code.seconds.values())
    return f" Before that, native code took {spent:.1f} s to build."


@dataclass(frozen=True)
class _Asked:
    """Which games are asked for, and within how many seconds (None: as many as they take)."""

    number: int
    seed: int
    max_plies: int
    seconds: float | None


def _played(prepared: Prepared, asked: _Asked, statistics: Statistics) -> None:
    """Count how the games have ended that have ended in time."""
    if prepared.native is not None:
        _played_natively(prepared, prepared.native, asked, statistics)
        return
    root, seconds = prepared.root, asked.seconds
    games = playouts(prepared.evaluator, root.state, asked.number, asked.seed, asked.max_plies)
    with suppress(TimeUp), nullcontext() if seconds is None else limited(seconds):
        for one in tracked(games, asked.number, "playouts"):
            statistics.add(one)


def _played_natively(
    prepared: Prepared, native: NativeRules, asked: _Asked, statistics: Statistics
) -> None:
    number, seconds = asked.number, asked.seconds

    def play(part: range, until: float | None = None) -> int:
        """Count how the games of a part end; return how many have."""
        state, threads, first = prepared.root.state, prepared.threads, part.start
        most = asked.max_plies
        found = native.playouts(
            state, len(part), asked.seed, most, threads, first=first, until=until
        )
        statistics.include(found)
        return found.playouts

    if seconds is None:
        statistics.include(_first_game(prepared, native, asked))
        for part in tracked(_parts(1, number), number - 1, "playouts", len):
            play(part)
        return
    # What is compiled meanwhile puts off the end.
    end = time.monotonic() + seconds - prepared.later_seconds
    with timed(seconds, "playouts"):
        for part in _parts(0, number):
            if play(part, end + prepared.later_seconds) < len(part):
                break


def _parts(played: int, number: int) -> Iterator[range]:
    """Yield the games by their numbers, from so many on, as parts that take some time each."""
    size = 1
    while played < number:
        begun = time.perf_counter()
        yield range(played, min(number, played + size))
        played += size
        if time.perf_counter() - begun < _LEAST_SECONDS:
            size *= 2


def _first_game(prepared: Prepared, native: NativeRules, asked: _Asked) -> Statistics:
    """Return how the first game has ended. Raises GameError if that takes too long.

    Each turn has its budget, but a game has many turns. What is compiled meanwhile does not count.
    """
    root, patience = prepared.root, budget().times
    if patience is None:
        return native.playouts(root.state, 1, asked.seed, asked.max_plies)
    seconds = patience = max(1, patience) * _PATIENCE
    played = 0.0
    while played < _MOST_OF_IT * patience:
        begun, compiled = time.process_time(), native.code.seconds["llvm"]
        until = time.monotonic() + seconds
        found = native.playouts(root.state, 1, asked.seed, asked.max_plies, until=until)
        if found.playouts:
            return found
        if native.code.seconds["llvm"] == compiled:
            played += time.process_time() - begun
            seconds *= 2  # the machine does something else
    raise GameError(
        [
            Diagnostic(
                Code.TOO_MUCH_WORK,
                "A random game takes more time than the budget allows.",
                root.rules.game.program.phases[0].span,
                "Give games time by `--seconds 60`, leave them unfinished by `--max-plies 100`, or "
                "allow more by `--budget 10x`.",
            )
        ]
    )


def _shared(
    prepared: Prepared, run: Run, wanted: _Asked, statistics: Statistics, *, checked: bool
) -> None:
    """Play games on workers, but for the first, which tell how many are a second's work.

    Raises GameError where there is no native code.
    """
    root, native = prepared.root, prepared.native
    if native is None:
        raise refused(
            Code.WRONG_OPTION,
            "The reference interpreter plays in this process alone.",
            "Leave `--workers` and `--cluster` out.",
        )
    from gdl.interpreter.native.runtime.games_of_a_worker import Playouts, play_packed

    number, seed, max_plies = wanted.number, wanted.seed, wanted.max_plies
    asked = Playouts(root.state, seed, max_plies, prepared.threads, checked)
    statistics.include(_first_game(prepared, native, wanted))
    begun, done = time.perf_counter(), 1
    while done < number and time.perf_counter() - begun < _TRIAL_SECONDS:
        several = min(number - done, max(1, done))
        statistics.include(
            native.playouts(root.state, several, seed, max_plies, asked.threads, first=done)
        )
        done += several
    size = max(1, round(_PART_SECONDS * rate(done, time.perf_counter() - begun)))
    parts = [range(n, min(number, n + size)) for n in range(done, number, size)]
    task = partial(play_packed, pack(root.rules.game), asked)
    for part in tracked(run(task, parts), len(parts), "parts"):
        statistics.include(part)


def _write_statistics(statistics: Statistics, game: Game, seconds: float, seed: int) -> None:
    for group in winning_together(game, statistics.by_side):
        _write_share(does(group, "wins"), statistics.by_side[group[0]], statistics.playouts)
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
        f"{statistics.mean_length:.1f} {moves_counted(game)} on average,"
        f" {statistics.shortest} to {statistics.longest}"
    )
    write(
        f"{statistics.playouts} playouts in {seconds:.2f} s:"
        f" {rate(statistics.playouts, seconds):,.1f} playouts"
        f" and {rate(statistics.moves, seconds):,.0f} moves a second (seed {seed})"
    )


def _write_share(what: str, number: int, total: int) -> None:
    write(f"{what}: {number} ({number / total:.1%})")
