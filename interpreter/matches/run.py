"""The course of a match: its games, played here, by several processes, or on a cluster.

In: a match. Out: its games in their order. What then holds: the same games come, in the same order,
whoever plays them; a game whose process was killed is played again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from itertools import islice
from multiprocessing import get_context
from typing import Any

from gdl.diagnostic import Diagnostic, GameError
from interpreter.matches.plan import Match, Played
from interpreter.matches.play import play_game

_AHEAD = 2
"""How many games each process has waiting: a match that ends early has played few too many."""
_MOST_DEATHS = 8
"""How many processes may die over one game, which is played again each time."""

Games = Callable[[Match, Sequence[int]], Iterator[Played]]


def here(match: Match, numbers: Sequence[int]) -> Iterator[Played]:
    """Play the games of these numbers in this process."""
    for number in numbers:
        yield play_game(match, number)


def in_processes(workers: int) -> Games:
    """Return what plays games in so many processes of this machine."""

    def play(match: Match, numbers: Sequence[int]) -> Iterator[Played]:
        left, deaths = list(numbers), 0
        while left:
            try:
                with _pool(workers) as pool:
                    for game in _in_order(pool.submit, match, left, workers):
                        left.pop(0)
                        deaths = 0
                        yield game
            except BrokenProcessPool:
                deaths += 1
                if deaths > _MOST_DEATHS:
                    raise _too_many_deaths(left[0]) from None

    return play


def on_cluster(address: str) -> Games:
    """Return what plays games on a cluster of dask.distributed. Raises GameError."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        message = "dask.distributed is not installed."
        hint = "Install gdl with the extra `cluster`."
        raise GameError([Diagnostic("no-cluster", message, None, hint)]) from None

    def play(match: Match, numbers: Sequence[int]) -> Iterator[Played]:
        try:
            client = distributed.Client(address, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            message = f"There is no cluster at `{address}`: {error}."
            hint = "Start a scheduler and workers, and name the scheduler's address."
            raise GameError([Diagnostic("no-cluster", message, None, hint)]) from None
        with client:
            threads = max(1, sum(client.nthreads().values()))

            def submit(task: Callable[..., Played], *given: Any) -> Any:
                return client.submit(task, *given, pure=False, retries=_MOST_DEATHS)

            yield from _in_order(submit, match, numbers, threads)

    return play


def _in_order(
    submit: Callable[..., Any], match: Match, numbers: Sequence[int], workers: int
) -> Iterator[Played]:
    """Yield games in the order of their numbers, while others are played."""
    left = iter(list(numbers))
    waiting = [submit(play_game, match, n) for n in islice(left, workers * _AHEAD)]
    try:
        while waiting:
            game: Played = waiting.pop(0).result()
            waiting += [submit(play_game, match, n) for n in islice(left, 1)]
            yield game
    finally:
        for future in waiting:
            with suppress(Exception):
                future.cancel()


def _pool(workers: int) -> ProcessPoolExecutor:
    # A process that is forked while threads run may wait for a lock that nobody lets go.
    return ProcessPoolExecutor(min(workers, 4 * (os.cpu_count() or 1)), get_context("spawn"))


def _too_many_deaths(number: int) -> GameError:
    message = f"The process that plays game {number + 1} was killed {_MOST_DEATHS} times."
    return GameError([Diagnostic("worker-lost", message, None, "Is there memory enough?")])
