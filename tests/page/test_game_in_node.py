"""The rules in JavaScript, held against Python: random games that node walks in lockstep."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from library_games import FEWEST, deep_games, shipped
from page_walks import walks_json

from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.page.document import Held, game_data
from gdl.interpreter.page.drawing import drawing_data
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.render.tiles import corner_sites
from gdl.load import load_game, shipped_names
from gdl.model import Game

PLAYER = Path(__file__).parents[2] / "interpreter" / "page" / "player"
LOCKSTEP = Path(__file__).parent / "lockstep.mjs"
FEW_ENOUGH = 100_000
"""How many sequences of moves may be counted by how many may be looked at in turn."""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def run_node(*arguments: object) -> Any:
    told = subprocess.run(
        ["node", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr[-2000:]
    return json.loads(told.stdout)


def differences(game: Game, folder: Path, **how: int) -> list[str]:
    """Return what differs in random games between Python and the player."""
    native = NativeRules(game)
    walks = walks_json(Rules(game, native), native, **how)
    data_file, walks_file = folder / "data.json", folder / "walks.json"
    data_file.write_text(json.dumps(game_data(Held(game))), encoding="utf-8")
    walks_file.write_text(json.dumps(walks), encoding="utf-8")
    found: list[str] = run_node(LOCKSTEP, PLAYER, data_file, walks_file)
    return found


@pytest.mark.at_night("dvonn", "[go]", "minichess", "havannah")
@needs_node
@pytest.mark.parametrize("name", deep_games(shipped_names(), FEWEST))
def test_games_go_on_alike(name: str, tmp_path: Path) -> None:
    """Moves, their texts in all orders, pictures, what sides see, outcomes, perft, random games."""
    found = differences(
        shipped(name),
        tmp_path,
        games=2,
        plies=80,
        texts=400,
        looks_every=3,
        listed=40_000,
        perft=FEW_ENOUGH,
        playouts=100,
    )
    assert found == []


@needs_node
def test_corners_of_an_endless_board_are_found_across_its_window(tmp_path: Path) -> None:
    game = load_game("trichet", {"tiles": "20"})
    data = {"scene": drawing_data(game, Rules(game).start().scene())}
    (tmp_path / "data.json").write_text(json.dumps({"data": data}), encoding="utf-8")
    program = tmp_path / "corners.mjs"
    program.write_text(
        'import fs from "node:fs";\n'
        "const [player, file] = process.argv.slice(2);\n"
        "const { cornersOf } = await import(`${player}/scene.js`);\n"
        "const game = JSON.parse(fs.readFileSync(file));\n"
        "const found = game.data.scene.sites.map((_, site) => cornersOf(game, site) ?? null);\n"
        "console.log(JSON.stringify(found));\n",
        encoding="utf-8",
    )
    found = run_node(program, PLAYER, tmp_path / "data.json")
    wanted = dict(corner_sites(game.board, range(game.board.size)))
    assert {site: tuple(one) for site, one in enumerate(found) if one is not None} == wanted


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_names())
def test_a_thousand_random_games_are_the_same(name: str, tmp_path: Path) -> None:
    found = differences(
        shipped(name),
        tmp_path,
        games=0,
        plies=0,
        texts=0,
        looks_every=1,
        listed=0,
        perft=0,
        playouts=1000,
    )
    assert found == []
