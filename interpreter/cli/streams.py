"""Standard streams that are closed, full, or not read any more.

In: the streams of the process. Out: streams that can be written to, or fail as such. What then
holds: no other file takes the number of a closed stream, and the process ends without a complaint.
"""

from __future__ import annotations

import os
import sys


def open_closed() -> None:
    """Open the standard streams that are closed, so that no other file takes their numbers.

    There is nothing to read from them, and writing to them fails.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115


def discard() -> None:
    """Stop writing where nothing can be written, without a complaint at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
