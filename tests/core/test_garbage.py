"""Collections of garbage are seldom while a game is loaded, and as often as before afterwards.

All of this is tried in a process that has just begun: others hold millions of objects, to go
through which takes seconds.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from doc_pages import ROOT

from gdl.load import load_game
from gdl.resources import gc_pause
from gdl.resources.gc_pause import seldom_collected

ALONE = "GDL_TEST_ALONE"
"""The environment variable that tells this file that it is tried by itself."""
needs_to_be_alone = pytest.mark.skipif(ALONE not in os.environ, reason="tried by the first test")


@pytest.mark.skipif(ALONE in os.environ, reason="is what tries the others")
def test_all_of_this_holds_in_a_process_of_its_own() -> None:
    asked = [sys.executable, "-m", "pytest", "-v", "-n", "0", "-p", "no:cacheprovider", __file__]
    environment = os.environ | {ALONE: "1"}
    ran = subprocess.run(asked, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
    assert "8 passed, 1 skipped" in ran.stdout


@pytest.fixture
def threshold(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, int, int]]:
    """Let all be as in a process that has just begun."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    gc.unfreeze()
    monkeypatch.setattr(gc_pause, "_somebody_freezes", False)
    yield (700, 10, 10)
    gc.set_threshold(*before)


@needs_to_be_alone
@pytest.mark.usefixtures("threshold")
def test_it_is_as_before_after_errors_and_within_one_another() -> None:
    with pytest.raises(ValueError, match="no"), seldom_collected():
        with seldom_collected():
            pass
        assert gc.get_threshold() == (100_000, 10, 10)
        raise ValueError("no")
    assert gc.get_threshold() == (700, 10, 10)


@needs_to_be_alone
@pytest.mark.usefixtures("threshold")
def test_the_last_of_several_threads_puts_it_back() -> None:
    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with seldom_collected():
            entered.set()
            leave.wait(60)

    thread = threading.Thread(target=other)
    with seldom_collected():
        thread.start()
        assert entered.wait(60)
    assert gc.get_threshold() == (100_000, 10, 10)
    leave.set()
    thread.join()
    assert gc.get_threshold() == (700, 10, 10)


@needs_to_be_alone
@pytest.mark.usefixtures("threshold")
@pytest.mark.parametrize("own", [(0, 10, 10), (200_000, 5, 5)])
def test_who_wants_it_never_or_more_seldom_gets_that(own: tuple[int, int, int]) -> None:
    gc.set_threshold(*own)
    with seldom_collected():
        assert gc.get_threshold() == own
    assert gc.get_threshold() == own


@needs_to_be_alone
@pytest.mark.usefixtures("threshold")
def test_a_game_is_loaded_with_few_collections() -> None:
    collected = []

    def note(phase: str, _: dict[str, int]) -> None:
        collected.append(phase)

    gc.freeze()  # what other tests have left is not to be gone through
    gc.callbacks.append(note)
    try:
        load_game("tic-tac-toe")
    finally:
        gc.callbacks.remove(note)
        gc.unfreeze()
    assert len(collected) <= 4
    assert gc.get_threshold() == (700, 10, 10)


@needs_to_be_alone
@pytest.mark.usefixtures("threshold")
def test_what_was_frozen_stays_so() -> None:
    kept: list[list[int]] = [[]]
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        assert frozen > 0
        with seldom_collected():
            kept.append([])
        assert gc.get_freeze_count() > frozen - 100
    finally:
        gc.unfreeze()


@needs_to_be_alone
@pytest.mark.usefixtures("threshold")
def test_what_is_frozen_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def count() -> int:
        counted.append(1)
        return 1

    monkeypatch.setattr(gc, "get_freeze_count", count)
    for _ in range(3):
        with seldom_collected():
            pass
    assert len(counted) == 1


@needs_to_be_alone
@pytest.mark.usefixtures("threshold")
def test_what_circles_keep_is_freed_though_all_counts_as_old(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when games are loaded and dropped, one after the other."""
    monkeypatch.setattr(gc_pause, "_FEWEST_NEW", 2000)
    monkeypatch.setattr(gc_pause, "_new", 0)
    first = Circle()
    seen = weakref.ref(first)
    del first
    for _ in range(4):
        with seldom_collected():
            kept = [Circle() for _ in range(1000)]
        del kept
    assert seen() is None


class Circle:
    """What keeps itself."""

    def __init__(self) -> None:
        self.own = self
