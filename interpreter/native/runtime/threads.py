"""Native work in threads of its own, so that an interrupt can stop it.

In: a function for each thread, and the worlds that they work in. Out: their results. What then
holds: no thread is still at work, whether they ended by themselves, one failed, or the program
was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from interpreter.native.runtime.exchange import World

_MOMENT = 0.05  # seconds

Result = TypeVar("Result")


def run(tasks: Sequence[tuple[World, Callable[[World], Result]]]) -> list[Result]:
    """Run each task with its world, all at once; return their results.

    Where one raises an exception, or the program is interrupted, all are stopped.
    """
    with ThreadPoolExecutor(len(tasks)) as pool:
        futures = [pool.submit(function, world) for world, function in tasks]
        try:
            while not all(future.done() for future in futures):
                _, pending = wait(futures, timeout=_MOMENT, return_when=FIRST_EXCEPTION)
                if pending and any(_has_failed(future) for future in futures):
                    break
        finally:
            for world, _ in tasks:
                world.stop()
    return [future.result() for future in futures]


def _has_failed(future: Future[Result]) -> bool:
    return future.done() and future.exception() is not None
