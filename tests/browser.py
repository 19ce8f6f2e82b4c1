"""Pages opened in a browser: Chromium, driven by Playwright.

In: a page's text. Out: it, opened from disk. What then holds: a test that opens a page fails for
each error that the page's console tells; where there is no browser it is skipped, and says so.

Run as `python tests/browser.py`, it draws the pictures of pages in the documentation anew.
"""

from __future__ import annotations

import asyncio
import atexit
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gdl.interpreter.page.document import Held, page
from gdl.load import load_game
from gdl.model import Game

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_LONGEST = 60.0
"""Seconds after which a page that has not opened never will."""


def chromium() -> str | None:
    """Return where the browser is, if there is one."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


needs_browser = pytest.mark.skipif(chromium() is None, reason="Chromium is not installed")


class Opened:
    """A page that is open: `tab` is Playwright's, `problems` what its console has told.

    It may ask `server` for something, and nobody else.
    """

    def __init__(self, tab: Any, server: str = "file:") -> None:
        self.tab = tab
        self._asked = (server, "file:", "blob:", "data:")
        self.problems: list[str] = []
        tab.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        tab.on("console", self._hear)
        tab.on("request", self._watch)

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text}")

    def _watch(self, request: Any) -> None:
        if not request.url.startswith(self._asked):
            self.problems.append(f"a request: {request.url}")

    def go(self, address: str) -> None:
        """Open an address."""
        self.tab.goto("about:blank")
        self.tab.goto(address)

    def wait(self) -> None:
        """Wait until programs can play there."""
        begun = time.monotonic()
        while not self.tab.evaluate("!!window.gdl"):
            assert not self.problems, self.problems
            assert time.monotonic() - begun < _LONGEST, "the page does not open"
            self.tab.wait_for_timeout(20)

    def gdl(self, expression: str) -> Any:
        """Return what an expression with `gdl` is worth."""
        return self.tab.evaluate(expression)


_started: list[Any] = []
"""The browser that this process has begun, what drives it, and the event loop of that."""


def _browser() -> Any:
    """Return a browser, which all pages that this process opens have in common.

    To begin one takes as long as most of what is tried in it. What drives it leaves its event loop
    as the one that runs in this thread, so that it is put back by whoever opens a page.
    """
    from playwright.sync_api import sync_playwright

    if _started and not _started[0].is_connected():
        _started.clear()
    if not _started:
        driver = sync_playwright().start()
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        _started[:] = browser, driver, asyncio._get_running_loop()
        atexit.register(_end, browser, driver, _started[2])
    return _started[0]


def _end(browser: Any, driver: Any, loop: Any) -> None:
    with _running(loop):
        browser.close()
        driver.stop()


@contextmanager
def _running(loop: Any = None) -> Iterator[None]:
    """Let an event loop count as the one that runs; afterwards, what did before."""
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(loop or before)
    try:
        yield
    finally:
        asyncio._set_running_loop(before)


@contextmanager
def opened(
    file: Path | str, fragment: str = "", *, waits: bool = True, **viewport: int
) -> Iterator[Opened]:
    """Open a page in a window that knows of no other; raise AssertionError for what it tells.

    A path is opened from disk, a text is the address of a page that somebody serves. It `waits`
    until programs can play there.
    """
    size = {"width": 1280, "height": 800, **viewport}
    with _running():
        browser = _browser()
        asyncio._set_running_loop(_started[2])
        context = browser.new_context(viewport=size, reduced_motion="reduce")
        try:
            address = file if isinstance(file, str) else file.resolve().as_uri()
            found = Opened(context.new_page(), address)
            found.go(f"{address}{fragment}")
            if waits:
                found.wait()
            yield found
            assert found.problems == []
        finally:
            context.close()


@cache
def page_of(game: Game) -> str:
    """Return the page of a game, made once."""
    return page([Held(game)])


_PICTURES = Path(__file__).parents[1] / "docs" / "images"
_SHOWN, _SHOWN_MOVES, _SEARCHED = "troll", 14, 3000
_MOST_MOVES = 60
_TELEPHONE = (390, 844)
_EDITED = """\
game: Corner
players: Black, White
pieces: Stone
board: square(4, 4)
turn: |
  choose s in empty - near
  place Stone at s
end:
  - mover wins when count(own & corners) = 3
stuck: draw
define:
  near: {is: adjacent(corners), says: the sites beside a corner}
examples:
  - name: the corners are free
    play: b2, c3
    legal: a1, d4
  - name: three corners win
    play: a1, b2, d1, b3, a4
    winner: White
"""


def _draw() -> None:
    """Draw the pages that the documentation shows."""
    with tempfile.TemporaryDirectory() as folder:
        _draw_played(Path(folder))
        _draw_won(Path(folder))
        _draw_served(Path(folder) / "corner.yaml")


def _written(name: str, folder: Path) -> Path:
    made = folder / f"{name}.html"
    made.write_text(page_of(load_game(name)), encoding="utf-8")
    return made


def _draw_played(folder: Path) -> None:
    """Draw a game of the engine against itself."""
    with opened(_written(_SHOWN, folder)) as shown:
        _play_against_itself(shown, _SHOWN_MOVES)
        shown.tab.wait_for_timeout(400)
        shown.tab.screenshot(path=_PICTURES / "page.png")


def _play_against_itself(shown: Opened, number: int) -> None:
    for seed in range(number):
        if shown.gdl("gdl.state().outcome"):
            return
        request = f"{{iterations: {_SEARCHED}, seed: {seed}}}"
        best = shown.gdl(f"gdl.analyse({request})")["moves"][0]["text"]
        shown.gdl(f"gdl.play({best!r})")


def _draw_won(folder: Path) -> None:
    """Draw the end of such a game on a telephone."""
    width, height = _TELEPHONE
    with opened(_written(_SHOWN, folder), width=width, height=height) as shown:
        _play_against_itself(shown, _MOST_MOVES)
        shown.tab.wait_for_timeout(400)
        shown.tab.screenshot(path=_PICTURES / "page-won.png")


def _draw_served(file: Path) -> None:
    """Draw the page that follows a file."""
    file.write_text(_EDITED, encoding="utf-8")
    command = [sys.executable, "-m", "gdl.interpreter.cli", "serve", str(file), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            with opened(process.stdout.readline().strip()) as shown:
                shown.tab.wait_for_selector(".standing.known", timeout=1000 * _LONGEST)
                shown.gdl("gdl.load(['b2', 'c3', 'd4'])")
                shown.tab.click("[data-name=near]")
                shown.tab.wait_for_timeout(400)
                shown.tab.screenshot(path=_PICTURES / "page-served.png")
        finally:
            process.terminate()


if __name__ == "__main__":
    _draw()
