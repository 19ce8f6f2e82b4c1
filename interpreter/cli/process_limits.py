"""What a whole command may take: seconds of the processor, and memory.

In: a budget. Out: a context that ends the work in it by `Overspent`. What then holds: whatever a
file makes the program do ends there, as by an interrupt; nothing is raised behind the context.

It is looked at as the processor's time passes, which an idle program does not use: so somebody who
thinks at the board is never out of time. Far too much memory, asked for at once, is refused by the
system.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gdl.codes import Code
from gdl.diagnostic import Diagnostic
from gdl.resources.budget import Budget

_TICK = 0.05  # seconds of the processor
_AGAIN = 1.0  # seconds, for what has to be tidied up; an exception may be lost
_AT_ONCE = 2  # times the memory allowed may be asked for,
_BESIDES = 1 << 30  # and so many bytes, besides what the program itself has in store


class Overspent(BaseException):
    """A limit is reached; no `except Exception` on the way may take it for a fault."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.code)
        self.diagnostic = diagnostic


@contextmanager
def limited_by(budget: Budget) -> Iterator[None]:
    """End what is done inside where it takes more than a budget allows. Raises Overspent."""
    if budget.seconds is None and budget.memory is None:
        yield
        return
    if not hasattr(signal, "setitimer"):
        raise Overspent(_not_here())
    began, last = time.process_time(), 0.0

    def look(number: int, frame: object) -> None:
        nonlocal last
        now = time.process_time()
        found = _overrun(budget, now - began)
        if found is not None and (not last or now - last > _AGAIN):
            last = now
            raise Overspent(found)

    before = signal.signal(signal.SIGPROF, look)
    try:
        with _memory_bounded(budget.memory):
            signal.setitimer(signal.ITIMER_PROF, _TICK, _TICK)
            yield
    except MemoryError:
        raise Overspent(out_of_memory(budget.memory)) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _overrun(budget: Budget, seconds: float) -> Diagnostic | None:
    if budget.seconds is not None and seconds >= budget.seconds:
        return Diagnostic(
            Code.OUT_OF_TIME,
            f"This took the {budget.seconds:g} s of the processor that the budget allows.",
            None,
            f"Ask for less, or allow more by `--budget seconds={10 * budget.seconds:g}`.",
        )
    if budget.memory is not None and _memory_used() > budget.memory:
        return out_of_memory(budget.memory)
    return None


def out_of_memory(allowed: int | None) -> Diagnostic:
    """Return that there is no more memory: no more than is allowed, or that the machine gives."""
    if allowed is None:
        return Diagnostic(
            Code.OUT_OF_MEMORY,
            "The machine has no more memory for this.",
            None,
            "Ask for less: fewer positions, a smaller board, a smaller table.",
        )
    mega = -(-allowed // 1_000_000)
    return Diagnostic(
        Code.OUT_OF_MEMORY,
        f"This took the {mega:,} MB of memory that the budget allows.",
        None,
        f"Ask for less, or allow more by `--budget memory={2 * mega}M`.",
    )


def _not_here() -> Diagnostic:
    return Diagnostic(
        Code.WRONG_OPTION,
        "This system can't limit seconds and memory.",
        None,
        "Leave `seconds` and `memory` out of `--budget`.",
    )


def _memory_used() -> int:
    """Return the bytes that the program had in memory at most."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def _data_in_use() -> int:
    """Return how many bytes Linux counts as the program's data, in memory or not."""
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def _memory_bounded(memory: int | None) -> Iterator[None]:
    """Let the system refuse what is far more memory than is allowed."""
    if memory is None or not sys.platform.startswith("linux"):
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    more = _AT_ONCE * memory + _BESIDES
    most = min(limit for limit in (_data_in_use() + more, hard) if limit >= 0)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
