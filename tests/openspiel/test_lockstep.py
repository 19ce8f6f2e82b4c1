"""A hundred random games of each classic, played in our interpreter and in OpenSpiel.

The games past an adapter's `quick_games` are marked slow: `pytest tests/openspiel` plays all
of them, `-m "not slow"` the first few.
"""

from functools import cache
from typing import Any

import pytest
from library_games import deep_marks

from gdl.interpreter import load

from .adapter import Adapter
from .adapters import ADAPTERS
from .lockstep import play_in_lockstep

GAMES = 100
BATCH = 5


def batches() -> list[Any]:
    return [
        pytest.param(
            adapter,
            range(first, first + BATCH),
            id=f"{adapter.title}-{first}",
            marks=deep_marks(adapter.game) + [pytest.mark.slow] * (first >= adapter.quick_games),
        )
        for first in range(0, GAMES, BATCH)
        for adapter in ADAPTERS
    ]


@cache
def our_game(name: str, options: tuple[tuple[str, object], ...], variants: tuple[str, ...]) -> Any:
    return load(name, options=dict(options), variants=list(variants))


@pytest.mark.at_night(
    "hex-1", "othello-1", "breakthrough-1", "havannah-2", "havannah-3", "go-", "-4"
)
@pytest.mark.parametrize(("adapter", "seeds"), batches())
def test_random_games_are_the_same_in_openspiel(adapter: Adapter, seeds: range) -> None:
    game = our_game(adapter.game, tuple(adapter.options.items()), adapter.variants)
    decided = [play_in_lockstep(adapter, game, seed) for seed in seeds]
    assert any(decided), "every game was cut off as a draw, so no winner was compared"
