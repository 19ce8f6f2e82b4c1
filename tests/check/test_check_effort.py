"""What `gdl check` finds depends on the file alone; its seconds are an outer limit, and told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from gdl.interpreter.check import Effort, Work, findings_of
from gdl.interpreter.check.effort import Part
from gdl.interpreter.check.leaks import check_leaks
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.verify.deadline import TimeUp

SMALL = """\
game: Small
players: Black, White
board: square(3, 3)
options: {length: 3 in 2..4}
turn: |
  choose s in empty
  place Stone at s
  remove adjacent(s) & neutral
end:
  - mover wins when in_a_row(own, length)
  - draw when full and turns < 5
variants:
  wide: {board: "square(4, 3)"}
"""
HIDDEN = """\
game: Hidden
players: Black, White
board: square(3, 3)
sees: {pieces: own}
turn: |
  choose s in all - own
  remove s
  place Stone at s
end:
  - mover wins when in_a_row(own, 3)
  - draw when turns > 20
"""
CLOCKS = ("monotonic", "perf_counter", "process_time")


def told(name: str, effort: Effort) -> tuple[str, int, int]:
    """Return all that is found, with its witnesses, as text; and what was seen by it."""
    work = Work(effort)
    found = [one.to_json() for layer in findings_of(name, work) for one in layer]
    return json.dumps(found), work.games, work.moves


@pytest.fixture(
    params=[SMALL, HIDDEN, pytest.param("nine-mens-morris", marks=pytest.mark.slow)],
    ids=["small", "hidden", "shipped"],
)
def game(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A file of two games, or the name of a shipped one."""
    if "\n" not in request.param:
        return str(request.param)
    path = tmp_path / "small.yaml"
    path.write_text(request.param, "utf-8")
    return str(path)


@pytest.mark.at_night("hidden")
@pytest.mark.usefixtures("games_loaded_anew")
def test_a_clock_that_runs_faster_changes_nothing(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    effort = Effort(0.2, seconds=1e9)
    usual = told(game, effort)
    for name in CLOCKS:
        clock = getattr(time, name)
        monkeypatch.setattr(time, name, lambda clock=clock: 20 * clock())
    assert told(game, effort) == usual


@pytest.mark.slow
def test_neither_does_the_order_of_sets(game: str) -> None:
    code = (
        "import sys; from tests.check.test_check_effort import *;"
        "print(told(sys.argv[1], Effort(0.2)))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code, game],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] and runs[0]


@pytest.mark.slow
@pytest.mark.at_night("hidden")
def test_more_effort_watches_more(game: str) -> None:
    little, more = (told(game, Effort(times)) for times in (0.1, 0.4))
    assert little[2] < more[2]


def test_that_the_seconds_are_over_is_told(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = count()
    monkeypatch.setattr(time, "process_time", lambda: next(looks))  # a second for each look
    work = Work(Effort(seconds=500))
    *_, (stopped,) = findings_of(game, work)
    assert stopped.diagnostic.code == "check-stopped" and stopped.certainty == "not seen"
    assert stopped.diagnostic.message.startswith("The check was stopped after 500 s: ")
    assert next(looks) < 1000


def test_a_look_for_leaks_ends_in_the_middle_when_the_seconds_are_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hidden.yaml"
    path.write_text(HIDDEN, "utf-8")
    looks = count()
    monkeypatch.setattr(time, "process_time", lambda: next(looks))
    with pytest.raises(TimeUp):
        list(check_leaks(Subject(str(path), Work(Effort(seconds=20)))))


def test_a_part_of_the_work_is_used_up_by_what_is_counted() -> None:
    work = Work(Effort())
    part = Part(work, 100)
    work.count(60)
    assert part.left == 40
    work.count(60)
    with pytest.raises(TimeUp):
        part.check()
    assert not work.was_cut
