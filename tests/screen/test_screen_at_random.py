"""Keys, clicks and typed lines at random, at the full screen: none of them fails in any state."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from piloted import played, table_of, typed
from textual.pilot import Pilot

from gdl.interpreter.screen.play import PlayScreen
from gdl.interpreter.sessions.table import Table
from gdl.load import shipped_names

KEYS = (
    *("up", "down", "left", "right", "enter", "escape", "space", "backspace", "tab", "shift+tab"),
    *("ctrl+z", "ctrl+y", "pageup", "pagedown", "home", "end", "question_mark", "delete"),
    *("f1", "f2", "f3", "f4", "f8", "f9", "ctrl+r", "ctrl+e", "ctrl+n"),
    *("y", "n", "a", "b", "q", "1", "2", "minus", "comma", "x", "at", "backslash"),
)
LINES = ("undo", "redo", "why", "why a1", "moves", "moves a", "rules", "go 3", "go", "save")


OF_THE_ENGINE = ("f5", "f6", "f7")


async def at_random(
    pilot: Pilot[None], choices: random.Random, events: int, keys: Sequence[str]
) -> None:
    """Press keys, click and type, anywhere and at any time."""
    for _ in range(events):
        what = choices.random()
        if what < 0.45:
            await pilot.press(choices.choice(keys))
        elif what < 0.95:
            columns, rows = pilot.app.size
            await pilot.click(offset=(choices.randrange(columns), choices.randrange(rows)))
        else:
            await typed(pilot, choices.choice(LINES))


def clicked_at_random(
    game: str, events: int, size: tuple[int, int], more: Sequence[str] = ()
) -> None:
    """Play a game at random by keys and mouse; what fails there raises."""

    async def script(pilot: Pilot[None], table: Table) -> None:
        await at_random(pilot, random.Random(game), events, (*KEYS, *more))
        for screen in pilot.app.screen_stack:
            if isinstance(screen, PlayScreen):
                screen._advice.drop()

    played(table_of(game, seats={2: "random"}), script, size)


@pytest.mark.parametrize(
    "game",
    [
        "phantom-tic-tac-toe",
        pytest.param("royal-game-of-ur", marks=pytest.mark.slow),
        pytest.param("trichet", marks=pytest.mark.slow),
    ],
)
def test_no_key_or_click_in_any_state_fails(game: str) -> None:
    clicked_at_random(game, 30, (100, 30))


@pytest.mark.slow
@pytest.mark.parametrize("game", shipped_names()[::4][:20])
def test_ten_thousand_keys_and_clicks_in_twenty_games_fail_nowhere(game: str) -> None:
    size = random.Random(game).choice([(60, 20), (80, 24), (120, 40)])
    clicked_at_random(game, 500, size, OF_THE_ENGINE)
