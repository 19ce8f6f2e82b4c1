"""A page that follows a file: what it shows after each save, and who may ask it."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import uvicorn
from browser import needs_browser, opened

from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.page.server import Server
from gdl.interpreter.page.workshop import Shown, Workshop
from gdl.interpreter.positions.position import Position

GAME = """\
game: Corner
players: Black, White
pieces: Stone
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when count(own & (a1 | c3)) = 2
stuck: draw
define:
  ends: {is: a1 | c3, says: the ends}
  mine: {is: own, says: what the mover has}
examples:
  - name: all is free
    count: 9
  - name: not so
    count: 8
"""
BROKEN = GAME.replace("choose", "chose")
WAIT = 120


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "corner.yaml"
    path.write_text(GAME, "utf-8")
    return path


def test_what_is_found_is_told_and_a_broken_file_leaves_the_game_before(file: Path) -> None:
    workshop = Workshop(str(file))
    workshop.look()
    shown = workshop.shown
    assert (shown.game, shown.is_old, shown.is_looking) == (1, False, False)
    assert {one["name"]: len(one["failures"]) for one in shown.examples} == {
        "all is free": 0,
        "not so": 1,
    }
    assert all(one["picture"] for one in shown.examples)
    assert [one["code"] for one in shown.findings if one["severity"] == "error"]
    packed = workshop.packed
    file.write_text(BROKEN, "utf-8")
    workshop.saved()
    workshop.look()
    shown = workshop.shown
    assert (shown.game, shown.is_old, shown.is_looking) == (1, True, False)
    assert workshop.packed == packed
    (found,) = shown.findings
    assert (found["code"], found["line"], found["file"]) == ("syntax", 6, "corner.yaml")


def test_what_is_wrong_with_a_game_is_told_before_it_is_made(file: Path) -> None:
    states = list[Shown]()
    workshop = Workshop(str(file), lambda: states.append(workshop.shown))
    for number in range(2):
        states.clear()
        workshop.saved()
        workshop.look()
        first = next(one for one in states if not one.is_old and one.findings)
        assert first.game == number and first.is_looking and workshop.shown.game == number + 1
        file.write_text(BROKEN, "utf-8")
        workshop.saved()
        workshop.look()
        assert workshop.shown.is_old
        file.write_text(GAME, "utf-8")


def test_examples_are_played_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(f"{GAME}  - name: one is taken\n    play: b2\n    count: 8\n", "utf-8")
    parse, played = Position.parse, list[str]()

    def counted(position: Position, text: str) -> Move:
        played.append(text)
        return parse(position, text)

    monkeypatch.setattr(Position, "parse", counted)
    workshop = Workshop(str(file))
    workshop.look()
    *_, shown = workshop.shown.examples
    assert played == ["b2"] and shown["picture"] and not shown["failures"]


def test_a_file_that_never_was_a_game_has_findings_alone(tmp_path: Path) -> None:
    path = tmp_path / "none.yaml"
    path.write_text("game: [", "utf-8")
    workshop = Workshop(str(path))
    workshop.look()
    assert workshop.shown.game == 0 and workshop.shown.is_old and workshop.shown.findings
    assert workshop.value("ends", []) == {"text": "The file is not a game yet."}


@pytest.mark.slow
def test_names_are_drawn_in_the_position_that_is_shown(file: Path) -> None:
    file.write_text(GAME.split("examples:")[0], "utf-8")
    workshop = Workshop(str(file))
    workshop.look()
    assert [one["name"] for one in workshop.shown.names] == ["ends", "mine"]
    assert workshop.value("ends", []) == {"sites": [0, 8]}
    assert workshop.value("mine", []) == {"sites": []}
    assert workshop.value("mine", ["b2", "a1"]) == {"sites": [4]}
    assert len(workshop.value("adjacent", [])["pairs"]) == 24
    for name, moves in (("nothing", []), ("mine", ["z9"]), ("mine]", [])):
        assert workshop.value(name, list(moves))["text"]


def test_what_was_found_in_a_file_that_was_saved_again_is_not_shown(file: Path) -> None:
    workshop = Workshop(str(file))
    threads = []
    for number in range(12):
        file.write_text(BROKEN if number % 2 else GAME, "utf-8")
        workshop.saved()
        threads.append(threading.Thread(target=workshop.look))
        threads[-1].start()
    for thread in threads:
        thread.join()
    assert workshop.shown.is_old and not workshop.shown.is_looking
    assert [one["code"] for one in workshop.shown.findings] == ["syntax"]


class Client:
    """Asks an application that is served in this process."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"

    def get(self, path: str, data: str | None = None, host: str = "127.0.0.1") -> tuple[int, str]:
        body = None if data is None else data.encode()
        request = Request(self._address + path, body, {"Host": host})
        try:
            with urlopen(request, timeout=WAIT) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as problem:
            return problem.code, ""


@contextlib.contextmanager
def answering(*files: Path) -> Iterator[Client]:
    """Serve files in a thread, with the token `token`."""
    app = Server([str(file) for file in files], "token").app
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield Client(listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()


def test_only_who_knows_the_token_is_answered(file: Path) -> None:
    with answering(file) as client:
        for path in ("/", "/0/", "/token/1/", "/token/7/state", "/wrong/0/state"):
            assert client.get(path) == (404, "")
        status, page = client.get("/token/0/")
        assert status == 200 and "connect-src 'self'" in page
        until(lambda: json.loads(client.get("/token/0/state")[1])["game"] == 1)
        assert client.get("/token/0/game")[1]
        asked = client.get("/token/0/value", '{"name": "ends", "moves": []}')
        assert json.loads(asked[1]) == {"sites": [0, 8]}
        for content in ("", "[]", '{"name": 1}', "{"):
            assert client.get("/token/0/value", content)[0] == 400
        assert client.get("/token/0/", host="elsewhere.example")[0] == 400


def test_without_files_all_shipped_games_are_served() -> None:
    with answering() as client:
        assert client.get("/token/hex.html")[0] == 200
        assert client.get("/token/no-such-game.html")[0] == 404


@contextlib.contextmanager
def served(file: Path) -> Iterator[str]:
    """Serve a file by the command; give the address of its page."""
    command = [sys.executable, "-m", "gdl.interpreter.cli", "serve", str(file), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        _, told = process.communicate(timeout=WAIT)
        assert "Traceback" not in told, told


@needs_browser
def test_a_page_follows_its_file(file: Path) -> None:
    with served(file) as address, opened(address) as page:
        tab = page.tab
        tab.wait_for_selector(".standing.known", timeout=1000 * WAIT)
        assert tab.locator(".kept").count() == tab.locator(".failed").count() == 1
        page.gdl("gdl.load(['b2', 'a1', 'c1'])")
        file.write_text(BROKEN, "utf-8")
        tab.wait_for_selector(".standing.old", timeout=1000 * WAIT)
        assert "syntax" in tab.inner_text(".findings")
        file.write_text(GAME.replace("in empty", "in empty - c1"), "utf-8")
        tab.wait_for_selector(".standing.known", timeout=1000 * WAIT)
        state = page.gdl("gdl.state()")
        assert state["ply"] == 2 and set(state["pieces"]) == {"a1", "b2"}
        tab.click("[data-name=mine]")
        tab.wait_for_selector(".lit", state="attached", timeout=1000 * WAIT)
        assert tab.locator(".lit").count() == 1


@pytest.mark.slow
@needs_browser
def test_two_hundred_saves_leave_no_page_stale(file: Path) -> None:
    with served(file) as address, opened(address) as page:
        page.tab.wait_for_selector(".standing.known", timeout=1000 * WAIT)
        for number in range(200):
            is_broken = bool(number * 7 % 3)
            text = BROKEN if is_broken else GAME.replace("3, 3", f"3, {3 + number % 5}")
            file.write_text(text, "utf-8")
            shown = ".standing.old" if is_broken else ".standing:not(.old)"
            page.tab.wait_for_selector(shown, timeout=1000 * WAIT)
