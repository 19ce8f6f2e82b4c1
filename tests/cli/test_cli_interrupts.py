"""What a command has found when it is interrupted is told, and its exit status says so."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import gdl

from gdl.interpreter import Engine, load
from gdl.interpreter.cli.commands import check, perft, playout, report, verify
from gdl.interpreter.compare import compare as comparing
from gdl.interpreter.files import Kind
from gdl.interpreter.report import measured
from gdl.interpreter.search.analysis import Interrupted
from gdl.interpreter.tune import tuner

INTERRUPTED = 130


def broken_off(make: Callable[..., Any], number: int) -> Callable[..., Iterator[Any]]:
    """Return what gives as many items as that, and is then interrupted."""

    def some(*arguments: Any, **more: Any) -> Iterator[Any]:
        for _, item in zip(range(number), make(*arguments, **more), strict=False):
            yield item
        raise KeyboardInterrupt

    return some


def interrupting(do: Callable[..., Any]) -> Callable[..., Any]:
    """Return what does the same after an interrupt, as from a terminal."""

    def after(*arguments: Any, **more: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return do(*arguments, **more)

    return after


def test_random_games_that_were_played_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout, "playouts", broken_off(playout.playouts, 3))
    told = gdl("playout", "tic-tac-toe", "-n", 50, "--seed", 1, "--backend", "reference")
    assert told.exit_code == INTERRUPTED
    assert "3 playouts in" in told.stdout and "Stopped after 3 of 50 games." in told.stderr


def test_random_games_within_seconds_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout, "_parts", broken_off(playout._parts, 3))
    told = gdl("playout", "tic-tac-toe", "--seconds", 600, "--seed", 1)
    assert told.exit_code == INTERRUPTED
    assert " playouts in" in told.stdout and " games." in told.stderr


def test_first_moves_that_were_counted_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perft, "perft_by_move", broken_off(perft.perft_by_move, 2))
    told = gdl("perft", "tic-tac-toe", 3, "--backend", "reference")
    assert told.exit_code == INTERRUPTED
    assert told.stdout.splitlines() == ["a1: 56", "b1: 56", "112"]


def test_what_a_search_has_found_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Engine(load("tic-tac-toe"), seed=1).analyse(load("tic-tac-toe").start(), iterations=50)

    def interrupted(*_: object, **__: object) -> None:
        raise Interrupted(found)

    monkeypatch.setattr(Engine, "analyse", interrupted)
    told = gdl("analyse", "tic-tac-toe", "--seed", 1)
    assert told.exit_code == INTERRUPTED and "50 iterations" in told.stdout


def test_what_was_verified_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "_results", broken_off(verify._results, 1))
    told = gdl("verify", "tic-tac-toe", "hex", "-n", 1)
    assert told.exit_code == INTERRUPTED
    assert "tic-tac-toe: same" in told.stdout and "Stopped after 1 result." in told.stderr


def test_files_that_were_checked_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "findings_of", interrupting(check.findings_of))
    told = gdl("check", "tic-tac-toe", "hex")
    assert told.exit_code == INTERRUPTED
    assert "Stopped: 0 of 2 were looked at as a whole." in told.stderr
    assert "The check was interrupted: " in told.stderr


def test_games_that_were_compared_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "play_random", interrupting(comparing.play_random))
    told = gdl("diff", "chess", "king-of-the-hill", "-n", 5, "--positions", 3, "--seconds", 5)
    assert told.exit_code == INTERRUPTED


def test_a_report_has_what_was_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(measured, "_held", interrupting(measured._held))
    told = gdl("report", "tic-tac-toe", "-o", tmp_path / "report.html", "--seconds", 30)
    assert told.exit_code == INTERRUPTED and (tmp_path / "report.html").exists()


def test_a_report_without_a_game_takes_the_place_of_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page, found = tmp_path / "report.html", SimpleNamespace(whole=SimpleNamespace(games=0))
    page.write_bytes(Kind.PAGE.value)
    monkeypatch.setattr(report, "measure", interrupting(lambda *_: found))
    told = gdl("report", "tic-tac-toe", "-o", page)
    assert told.exit_code == INTERRUPTED and "nothing is written" in told.stderr
    assert page.read_bytes() == Kind.PAGE.value


@pytest.mark.slow
def test_what_was_learned_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuner, "likely_symmetries", interrupting(tuner.likely_symmetries))
    told = gdl("tune", "tic-tac-toe", "--seconds", 60, "--seed", 1)
    assert told.exit_code == INTERRUPTED and "too little time" in told.stdout
