"""How much a test may let the process's memory grow."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def peak_grows_by_less_than(size: int) -> Iterator[None]:
    """Fail if the process's highest use of memory rises by `size` bytes or more within.

    Not that peak itself: it belongs to all tests that ran in the process before.
    """
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown << 10 < size
