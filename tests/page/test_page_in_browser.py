"""A page in a browser: it plays as Python does, asks for nothing, and no text does anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import needs_browser, opened, page_of
from library_games import deep_games, shipped

from gdl.load import shipped_names
from gdl.model import Game
from interpreter.native.runtime.rules import NativeRules
from interpreter.positions.position import Rules

pytestmark = needs_browser

FEW_ENOUGH = 100_000


def written(game: Game, folder: Path) -> Path:
    file = folder / f"{game.name}.html"
    file.write_text(page_of(game), encoding="utf-8")
    return file


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_perft_random_games_and_a_whole_game_are_those_of_python(name: str, tmp_path: Path) -> None:
    game = shipped(name)
    native = NativeRules(game)
    start = native.start()
    depth = 2 if native.perft(start, 2) > FEW_ENOUGH else 3
    games = native.playouts(start, 200, 1, 1 << 40)
    with opened(written(game, tmp_path)) as page:
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
