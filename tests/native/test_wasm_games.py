"""Every shipped game as a WebAssembly module: the same games for a seed, by a small module."""

from __future__ import annotations

import pytest
from library_games import FEWEST, deep_games

from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.native.wasm.rules import WasmRules
from gdl.interpreter.verify import combinations_of
from gdl.load import shipped_names
from gdl.model import Game

MOST_BYTES = 150_000
GAMES, PLIES = 5, 500


def plays_alike(game: Game) -> bool:
    """Hold a module against native code; return whether there is any."""
    try:
        native = NativeRules(game)
    except Uncovered:
        with pytest.raises(Uncovered):
            WasmRules(game)
        return False
    module = WasmRules(game)
    start = native.start()
    records = native.records(range(GAMES)), module.records(range(GAMES))
    told = [
        rules.playouts(start, GAMES, 11, PLIES, records=one)
        for rules, one in zip((native, module), records, strict=True)
    ]
    assert told[0] == told[1]
    assert [*records[0].memory] == [*records[1].memory]
    assert len(module.code.module.code) <= MOST_BYTES
    return True


@pytest.mark.at_night("[go]", "dvonn", "minichess")
@pytest.mark.parametrize("name", deep_games(shipped_names(), FEWEST))
def test_a_game_and_its_variants_play_alike(name: str) -> None:
    games = (game for one, game in combinations_of(name) if len(one.variants) < 2)
    played = [plays_alike(game) for game in games]
    assert any(played)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_names())
def test_all_combinations_of_variants_play_alike(name: str) -> None:
    for _, game in combinations_of(name, edges=True):
        plays_alike(game)
