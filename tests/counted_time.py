"""Time that is counted instead of measured: each look at the clock takes as much.

In: how many looks a second has. Out: tuning that plays as much on any machine, however busy it
is. What then holds: a test sees the same games whenever it runs, so that no time has to be spared
for slow machines.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gdl.interpreter.tune import root_moves, samples, tuner


def count_time_of_tuning(monkeypatch: pytest.MonkeyPatch, looks_a_second: float) -> None:
    """Let each look at the clock of tuning take a part of a second, and nothing else any."""
    now = 0.0

    def looked() -> float:
        nonlocal now
        now += 1 / looks_a_second
        return now

    clock = SimpleNamespace(monotonic=looked)
    for module in (tuner, samples, root_moves):
        monkeypatch.setattr(module, "time", clock)
