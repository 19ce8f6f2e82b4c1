"""Parts of some work: done here, by several processes, or on a cluster.

In: what does a part, and the parts. Out: what each comes to, in the order of the parts. What then
holds: whoever does the work, the results are the same; what a killed process did is done again.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from gdl.codes import Code
from gdl.diagnostic import GameError, refused

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

_AHEAD = 2
"""How many parts each process has waiting: work that ends early has done few too many."""
_MOST_DEATHS = 8
"""How many processes may die over one part, which is done again each time."""

Part = TypeVar("Part")
Result = TypeVar("Result")


class Run(Protocol):
    """What does all parts of some work, and how many it does `at_once`.

    The task is a function that a process can import, or a `functools.partial` of one.
    """

    at_once: int

    def __call__(self, task: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
        """Yield the results in the order of the parts. Raises GameError, and what the task does."""


class Here:
    """Does the work in this process, part by part."""

    at_once = 1

    def __call__(self, task: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
        """Yield the results in the order of the parts."""
        return map(task, parts)


class InProcesses:
    """Does the work in processes of this machine."""

    def __init__(self, workers: int) -> None:
        """Use so many processes, or four for each core if that is less."""
        self.at_once = min(workers, 4 * (os.cpu_count() or 1))

    def __call__(self, task: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
        """Yield the results in the order of the parts. Raises GameError (`worker-lost`)."""
        from concurrent.futures.process import BrokenProcessPool

        left, done, deaths = iter(parts), 0, 0
        begun: deque[Part] = deque()

        def beginning(first: Iterable[Part]) -> Iterator[Part]:
            for part in chain(first, left):
                begun.append(part)
                yield part

        while True:
            again = list(begun)
            begun.clear()
            try:
                with self._pool() as pool, _ending_children():
                    for result in _in_order(pool.submit, task, beginning(again), self.at_once):
                        begun.popleft()
                        deaths, done = 0, done + 1
                        yield result
                return
            except BrokenProcessPool:
                deaths += 1
                if deaths > _MOST_DEATHS:
                    raise _too_many_deaths(done) from None

    def _pool(self) -> ProcessPoolExecutor:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # A process that is forked while threads run may wait for a lock that nobody lets go.
        context = get_context("spawn")
        return ProcessPoolExecutor(self.at_once, context, initializer=_end_by_interrupts)


class OnCluster:
    """Does the work on a cluster of dask.distributed."""

    def __init__(self, address: str) -> None:
        """Join the cluster with this scheduler. Raises GameError (`no-cluster`)."""
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            message = "dask.distributed is not installed."
            hint = "In gdl's folder, `pip install '.[cluster]'` installs it."
            raise _no_cluster(message, hint) from None
        try:
            self._client = distributed.Client(address, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            message = f"There is no cluster at `{address}`: {error}."
            hint = "Start a scheduler and workers, and name the scheduler's address."
            raise _no_cluster(message, hint) from None
        self.at_once = max(1, sum(self._client.nthreads().values()))

    def __call__(self, task: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
        """Yield the results in the order of the parts."""

        def submit(task: Callable[..., Any], *arguments: Any) -> Any:
            return self._client.submit(task, *arguments, pure=False, retries=_MOST_DEATHS)

        return _in_order(submit, task, parts, self.at_once)


def workers(number: int = 1, cluster: str | None = None) -> Run:
    """Return what does the work: a cluster, so many processes, or this one. Raises GameError."""
    if cluster is not None:
        return OnCluster(cluster)
    return Here() if number == 1 else InProcesses(number)


def _in_order(
    submit: Callable[..., Any],
    task: Callable[[Part], Result],
    parts: Iterable[Part],
    at_once: int,
) -> Iterator[Result]:
    """Yield results in the order of the parts, while others are worked at."""
    left = iter(parts)
    waiting = deque(submit(task, part) for part in islice(left, at_once * _AHEAD))
    try:
        while waiting:
            result: Result = waiting.popleft().result()
            waiting.extend(submit(task, part) for part in islice(left, 1))
            yield result
    finally:
        for future in waiting:
            with suppress(Exception):
                future.cancel()


def _end_by_interrupts() -> None:
    """Let an interrupt end this process without a word, in the midst of native code as well."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def _ending_children() -> Iterator[None]:
    """End the processes that are begun inside, if what they do isn't waited for."""
    from multiprocessing import active_children

    earlier = set(active_children())
    try:
        yield
    except (KeyboardInterrupt, GeneratorExit):
        for child in set(active_children()) - earlier:
            child.terminate()
        raise


def _no_cluster(message: str, hint: str) -> GameError:
    return refused(Code.NO_CLUSTER, message, hint)


def _too_many_deaths(done: int) -> GameError:
    message = f"The process for part {done + 1} of the work was killed {_MOST_DEATHS} times."
    return refused(Code.WORKER_LOST, message, "Is there memory enough?")
