"""Time of checks that is counted instead of measured: each look at the clock takes as much.

In: how many looks a second has. Out: checks that play as much on any machine, however busy it is.
What then holds: a test sees the same games whenever it runs, so that no time has to be spared for
slow machines.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from interpreter.check import countdown


def count_time(monkeypatch: pytest.MonkeyPatch, looks_a_second: float) -> None:
    """Let each look at the clock of a check take a part of a second, and nothing else any."""
    now = 0.0

    def looked() -> float:
        nonlocal now
        now += 1 / looks_a_second
        return now

    monkeypatch.setattr(
        countdown, "time", SimpleNamespace(process_time=looked, monotonic=lambda: 0.0)
    )
