"""The command `gdl page`, and what of a page can be told without a browser."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from zlib import decompress

import pytest
from browser import needs_browser, opened, page_of
from command_line import gdl
from library_games import FEWEST, deep_games, shipped

from gdl.interpreter.cli.commands import page as command
from gdl.interpreter.files import Kind
from gdl.interpreter.page.document import modules_of, player_script, read
from gdl.interpreter.page.folder import INDEX
from gdl.load import shipped_names

MOST_BYTES = 400_000
MOST_BYTES_OF_CODE = 170_000


def parts(text: str, pattern: str) -> list[str]:
    return re.findall(pattern, text, re.DOTALL)


def test_a_page_allows_its_own_script_and_style_and_no_more() -> None:
    text = page_of(shipped("hex"))
    (policy,) = parts(text, '<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
    (script,) = parts(text, '<script id="player">(.*?)</script>')
    (style,) = parts(text, "<style>(.*?)</style>")
    for part in (script, style):
        hashed = b64encode(sha256(part.encode()).digest()).decode()
        assert f"'sha256-{hashed}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe-inline" not in policy and "'unsafe-eval'" not in policy
    assert "http:" not in policy and "https:" not in policy
    without = text.replace(script, "")
    assert not re.search(r"\son\w+=", without) and "javascript:" not in without
    assert text.startswith(Kind.PAGE.value.decode()) and len(text.encode()) < MOST_BYTES


@pytest.mark.parametrize("name", modules_of())
def test_modules_keep_to_what_joining_them_takes(name: str) -> None:
    """Imports of one line, no text of several lines, lines of a hundred characters, remarks."""
    text = read(name)
    assert text.startswith("//") and "\t" not in text and "\r" not in text
    for line in text.splitlines():
        assert len(line) <= 100, line
        is_remark = line.strip().startswith(("*", "//", "/**"))
        is_code = line.count("{") != line.count("}") or line.count("(") != line.count(")")
        assert line.count("`") % 2 == 0 or is_remark or is_code, line
        if line.startswith("import "):
            found = re.fullmatch(r'import \{ ([\w, ]+) \} from "\./([\w.-]+)";', line)
            assert found is not None, line
            exported = re.findall(
                r"^export (?:\w+ )+?(\w+)\b(?: =| ?[({]| extends)", read(found[2]), re.M
            )
            assert set(found[1].split(", ")) <= set(exported), line
        assert ".innerHTML" not in line and ".outerHTML" not in line, line
        assert "insertAdjacentHTML" not in line and "document.write" not in line, line
    assert "</script" not in player_script() and "import " not in player_script()[:200]


@pytest.mark.parametrize("name", modules_of())
def test_modules_import_what_others_export(name: str) -> None:
    """A name that a module lacks would be undefined in the page, and be missed when it is used."""
    for names, other in re.findall(
        r'^import \{ ([\w, ]+) \} from "\./([\w.-]+)";', read(name), re.M
    ):
        pattern = r"^export (?:async )?(?:function\*?|class|const) (\w+)"
        assert set(names.split(", ")) <= set(re.findall(pattern, read(other), re.M)), other


def test_what_is_asked_for_in_vain_is_told(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    for wrong in (
        ("page", "hex"),
        ("page", "-o", file),
        ("page", "hex", "--all", "-o", file),
        ("page", "hex", "--option", "siz=5", "-o", file),
        ("page", "hex", "--variant", "none-such", "-o", file),
        ("page", "hex", *(f"--option=size={n}" for n in range(2, 26)), "--with-usual", "-o", file),
    ):
        told = gdl(*wrong)
        assert told.exit_code == 2 and "error[" in told.stderr, wrong
    assert not file.exists()


def test_a_file_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.html"
    file.write_text("my own", encoding="utf-8")
    assert "file-exists" in gdl("page", "hex", "-o", file).stderr
    assert file.read_text("utf-8") == "my own"


def test_a_game_without_native_code_is_refused_at_its_place(tmp_path: Path) -> None:
    game = tmp_path / "deep.yaml"
    depth = " + ".join(["row(s) * (1"] * 60) + " + 1" + ")" * 60
    game.write_text(
        "game: Deep\nplayers: Red, Blue\nboard: square(2, 2)\npieces: Stone\n"
        "state: {heat: number}\n"
        f"turn: |\n  choose s in empty\n  place Stone at s\n  change heat to {depth}\n"
        "end:\n  - draw when full\n",
        encoding="utf-8",
    )
    told = gdl("page", game, "-o", tmp_path / "deep.html")
    if told.exit_code:  # what native code does not cover may be covered one day
        assert "deep.yaml:" in told.stderr and "Traceback" not in told.stderr


@needs_browser
def test_an_index_leads_to_the_pages_and_finds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("hex", "troll", "tic-tac-toe")
    monkeypatch.setattr(command, "shipped_names", lambda: names)
    folder = tmp_path / "games"
    told = gdl("page", "--all", "-o", folder)
    assert told.exit_code == 0 and "3 games" in told.stdout
    assert {file.name for file in folder.iterdir()} == {INDEX, *(f"{name}.html" for name in names)}
    with opened(folder / INDEX, waits=False) as index:
        assert index.tab.locator("li:visible").count() == 3
        index.tab.fill("#search", "noughts CROSSES")
        assert index.tab.locator("li:visible").count() == 1
        assert index.tab.inner_text("#found") == "1 game"
        index.tab.click("li:visible a")
        index.wait()
        assert index.gdl("gdl.moves().length") == 9


@pytest.mark.at_night("[go]", "minichess", "dvonn")
@pytest.mark.parametrize("name", deep_games(shipped_names(), FEWEST))
def test_each_page_is_small(name: str) -> None:
    is_small(name)


@pytest.mark.slow
def test_the_page_with_most_code_is_small() -> None:
    is_small("hive")


def is_small(name: str) -> None:
    text = page_of(shipped(name))
    (code,) = parts(text, '<script [^>]* id="code-0">(.*?)</script>')
    assert len(text.encode()) < MOST_BYTES
    assert len(decompress(b64decode(code))) <= MOST_BYTES_OF_CODE
