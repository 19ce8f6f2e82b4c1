"""Clocks: time runs for the seat on turn, is kept with the game, and loses it when it is up."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import gdl

from gdl.diagnostic import GameError
from gdl.interpreter import load
from gdl.interpreter.sessions.clock import Clock, TimeControl
from gdl.interpreter.sessions.replaying import Replay, replay
from gdl.interpreter.sessions.saves import read_record, write_record
from gdl.interpreter.sessions.session import Session


class Watch:
    """A clock's hands, moved by tests."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def timed_session(watch: Watch) -> Session:
    start = load("hex", {"size": 3}).start()
    return Session(Replay((start,), ()), clock=Clock(TimeControl(60, 5), now=watch))


def test_time_runs_for_the_seat_on_turn_alone() -> None:
    watch = Watch()
    session = timed_session(watch)
    clock = session.clock
    assert clock is not None
    session.run_clock()
    watch.time += 20
    assert (clock.left(1), clock.left(2)) == (40, 60)
    session.play(session.position.parse("a1"))
    session.run_clock()
    watch.time += 7
    assert (clock.left(1), clock.left(2)) == (45, 53)
    session.take_back(frozenset({1, 2}))
    session.run_clock()
    watch.time += 5
    assert (clock.left(1), clock.left(2)) == (40, 53)


def test_who_has_no_time_left_loses_and_the_clock_stands() -> None:
    watch = Watch()
    session = timed_session(watch)
    session.run_clock()
    watch.time += 59
    assert not session.lose_on_time()
    watch.time += 2
    assert session.lose_on_time() and not session.lose_on_time()
    assert session.outcome is not None and session.outcome.text == "Blue wins"


def test_what_is_lost_on_time_is_not_taken_back_as_a_resignation() -> None:
    watch = Watch()
    session = timed_session(watch)
    session.run_clock()
    watch.time += 61
    assert session.lose_on_time() and not session.withdraw()
    session = timed_session(watch)
    session.resign()
    assert session.withdraw() and session.outcome is None


def test_a_saved_game_keeps_its_clock(tmp_path: Path) -> None:
    watch, save = Watch(), tmp_path / "game.save"
    session = timed_session(watch)
    session.run_clock()
    watch.time += 20.25
    session.play(session.position.parse("a1"))
    write_record(session.record(), save)
    assert "clock: 60s+5s\nleft:\n  1: 44.8\n" in save.read_text()
    record = read_record(save)
    again = Session(replay(record, save))
    assert again.clock is not None
    assert (again.clock.control, again.clock.left(1)) == (TimeControl(60, 5), 44.8)
    for text, told in (("soon", "clock"), ("60s+5s\nleft: {1: long}", "seconds")):
        save.write_text(f"game: hex\nclock: {text}\nmoves: []\n")
        with pytest.raises(GameError, match=told):
            read_record(save)


def test_line_by_line_the_time_left_is_told() -> None:
    told = gdl("play", "hex", "--clock", "1h", typed="a1\n").stdout
    assert "Red 1:00:00> a1" in told
    told = gdl("play", "hex", "--clock", "soon")
    assert told.exit_code == 2 and "--clock 10m+5s" in told.stderr
