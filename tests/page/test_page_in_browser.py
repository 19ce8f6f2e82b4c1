"""A page in a browser: it plays as Python does, asks for nothing, and no text does anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import needs_browser, opened, page_of
from doc_pages import DOCS, blocks
from library_games import FEWEST, deep_games, shipped

from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Rules
from gdl.load import load_source, shipped_names
from gdl.model import Game

pytestmark = needs_browser

FEW_ENOUGH = 100_000


def written(game: Game, folder: Path) -> Path:
    file = folder / f"{game.name}.html"
    file.write_text(page_of(game), encoding="utf-8")
    return file


@pytest.mark.at_night("[go]", "dvonn", "minichess")
@pytest.mark.parametrize("name", deep_games(shipped_names(), FEWEST))
def test_perft_random_games_and_a_whole_game_are_those_of_python(name: str, tmp_path: Path) -> None:
    game = shipped(name)
    native = NativeRules(game)
    start = native.start()
    depth = 2 if native.perft(start, 2) > FEW_ENOUGH else 3
    games = native.playouts(start, 200, 1, 1 << 40)
    with opened(written(game, tmp_path)) as page:
        page.gdl("gdl.hold()")
        page.gdl("gdl.load([])")
        assert page.gdl("gdl.moves().length") == native.perft(start, 1)
        if native.perft(start, 2) <= 20 * FEW_ENOUGH:
            assert page.gdl(f"gdl.perft({depth})") == native.perft(start, depth)
        told = page.gdl("gdl.playouts(200, 1)")
        assert told["moves"] == games.moves
        assert told["bySide"] == [games.by_side[side] for side in game.sides]
        position = Rules(game, native).start()
        for _ in range(12):
            texts = page.gdl("gdl.moves()")
            if position.over or not texts:
                break
            text = texts[len(texts) // 2]
            state = page.gdl(f"gdl.play({text!r})")
            position = position.play(position.moves()[len(texts) // 2])
            outcome = position.outcome
            assert state["outcome"] is None if outcome is None else state["outcome"]["text"]
            if outcome is None:
                assert state["mover"] == position.mover
            assert "\n".join(state["rows"]) == position.rows()
        assert page.gdl("gdl.undo()")["ply"] == page.gdl("gdl.state().ply")


def test_programs_play_as_the_documentation_says(tmp_path: Path) -> None:
    (block,) = (one for one in blocks(DOCS / "page.md") if one.language == "js")
    with opened(written(shipped("chess"), tmp_path)) as page:
        assert page.gdl(f"(async () => {{ {block.text} return gdl.state().ply; }})()") == 3


HOSTILE = r"""
game: "<img src=x onerror=hacked(1)> \u202Eevil & </title><script>hacked(2)</script>"
about: "</script><script>hacked(3)</script><b>bold</b> {{script}} {{data}} \u2066\u202E"
author: "<svg onload=hacked(4)>"
rules: "<a href='javascript:hacked(5)'>Here</a> </style><script>hacked(6)</script>"
players: Red, Blue
board: square(3, 3)
pieces: Stone
state: {heat: number = 3}
turn: |
  choose s in empty
  place Stone at s
  add 1 to heat
end:
  - clause: mover wins when in_a_row(own, 3)
    says: "<script>hacked(7)</script> \u202E"
  - draw when full
display:
  captions: {heat: "<iframe src='javascript:hacked(8)'></iframe> {} \u202E"}
  prompts: {s: "<img src=x onerror=hacked(9)>"}
examples:
  - name: "<script>hacked(10)</script>"
    play: a1
"""


def test_hostile_text_does_nothing(tmp_path: Path) -> None:
    """Markup, scripts, marks that turn the writing: in texts of a game, in links, in moves."""
    game = load_source(Source("hostile.yaml", HOSTILE))
    written_to = tmp_path / "hostile.html"
    written_to.write_text(page_of(game), encoding="utf-8")
    address = "#v=<script>hacked(11)</script>&m=<img src=x onerror=hacked(12)>,a1"
    with opened(written_to) as page:
        page.tab.evaluate("window.hackedBy = []; window.hacked = (n) => window.hackedBy.push(n); 0")
        for move in ("a1", "b1", "a2", "b2", "a3"):
            page.gdl(f"gdl.play({move!r})")
        for name in page.tab.locator("[role=tab]").all():
            name.click()
        page.tab.evaluate(f"location.hash = {address!r}")
        page.tab.wait_for_timeout(300)
        with pytest.raises(Exception, match="not a legal move"):
            page.gdl("gdl.play('<script>hacked(13)</script>')")
        assert page.gdl("window.hackedBy") == []
        assert page.gdl("document.scripts.length") == page.gdl(
            "document.querySelectorAll('script[id]').length"
        )
        assert (
            page.gdl("document.querySelectorAll('iframe, b, body img, a[href^=javascript]').length")
            == 0
        )
        turned = "\u202e"
        assert turned not in page.gdl("document.title")
        assert turned not in page.gdl("document.body.innerText")
