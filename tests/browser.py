"""Pages opened in a browser: Chromium, driven by Playwright.

In: a page's text. Out: it, opened from disk. What then holds: a test that opens a page fails for
each error that the page's console tells; where there is no browser it is skipped, and says so.

Run as `python tests/browser.py`, it draws the picture of a page in the documentation anew.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gdl.load import load_game
from gdl.model import Game
from interpreter.page.document import Held, page

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


@contextmanager
def opened(
    file: Path | str, fragment: str = "", *, waits: bool = True, **viewport: int
) -> Iterator[Opened]:
    """Open a page in a browser of its own; raise AssertionError for what it tells.

    A path is opened from disk, a text is the address of a page that somebody serves. It `waits`
    until programs can play there.
    """
    from playwright.sync_api import sync_playwright

    size = {"width": 1280, "height": 800, **viewport}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            context = browser.new_context(viewport=size, reduced_motion="reduce")
            address = file if isinstance(file, str) else file.resolve().as_uri()
            found = Opened(context.new_page(), address)
            found.go(f"{address}{fragment}")
            if waits:
                found.wait()
            yield found
            assert found.problems == []
        finally:
            browser.close()


@cache
def page_of(game: Game) -> str:
    """Return the page of a game, made once."""
    return page([Held(game)])


_PICTURE = Path(__file__).parents[1] / "docs" / "images" / "page.png"
_SHOWN, _SHOWN_MOVES, _SEARCHED = "troll", 14, 3000


def _draw(file: Path) -> None:
    """Draw the page that the documentation shows: a game of the engine against itself."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "page.html"
        made.write_text(page_of(load_game(_SHOWN)), encoding="utf-8")
        with opened(made) as shown:
            for seed in range(_SHOWN_MOVES):
                request = f"{{iterations: {_SEARCHED}, seed: {seed}}}"
                best = shown.gdl(f"gdl.analyse({request})")["moves"][0]["text"]
                shown.gdl(f"gdl.play({best!r})")
            shown.tab.wait_for_timeout(400)
            shown.tab.screenshot(path=file)


if __name__ == "__main__":
    _draw(_PICTURE)
