"""Whole games on the full screen: every move typed or clicked, to the end, by a pilot."""

from __future__ import annotations

import random

import pytest
from piloted import clicked, played, status, table_of, typed
from textual.pilot import Pilot

from gdl.interpreter.evaluation.moves import words
from gdl.interpreter.screen.pages import Picker
from gdl.interpreter.sessions.notation import spelled
from gdl.interpreter.sessions.table import Table

SOURCES = {
    "blocs": {"size": "3", "start": "XXX/XXX/XXX"},
    "bridg-it": {"order": "3"},
    "quadrant-hex": {"half": "2"},
    "taifas": {"size": "3"},
    "trellis": {"size": "4"},
    "trellis-original": {"half": "2"},
    "trichet": {"tiles": "6"},
    "troll": {},
}
"""The games of the source documents, with small boards, so that they end soon."""

OTHERS = {
    "hex": {"size": "4"},
    "connect-four": {"columns_wide": "4", "rows_high": "4"},
    "othello": {"size": "4"},
    "draughts": {"size": "6"},
    "breakthrough": {},
    "lines-of-action": {},
    "nine-mens-morris": {},
    "oware": {"houses": "3"},
    "royal-game-of-ur": {"team": "2"},
    "dots-and-boxes": {"width": "2", "height": "2"},
}
AT_ALL_TIMES = ("taifas",)
"""One in which colours are chosen, and one in which pieces are moved and must jump."""

_MOST_MOVES = 400


def is_played_out(game: str, options: dict[str, str]) -> None:
    """Play a random game to its end: moves are typed and clicked by turns."""
    chance = random.Random(f"{game}, a short one")

    async def script(pilot: Pilot[None], table: Table) -> None:
        while not table.over and len(table.session.moves) < _MOST_MOVES:
            made = len(table.session.moves)
            move = chance.choice(table.position.moves())
            if made % 2:
                await typed(pilot, spelled(move, table.position))
                if len(table.session.moves) == made:  # it could go on
                    await pilot.press("enter")
            else:
                await clicked_move(pilot, table, move.text)
            assert table.session.moves[made] == move, status(pilot)
        assert table.ended()

    played(table_of(game, options), script, (120, 50))


async def clicked_move(pilot: Pilot[None], table: Table, text: str) -> None:
    """Click the sites of a move, type its other words, and say yes if that is not all."""
    made = len(table.session.moves)
    for word in words(text):
        if len(table.session.moves) > made:
            return
        if table.position.rules.game.board.index(word) is None:
            await typed(pilot, word)
        else:
            await clicked(pilot, table, word)
    if len(table.session.moves) == made:
        await pilot.press("space")


@pytest.mark.parametrize("game", AT_ALL_TIMES)
def test_a_game_is_played_to_its_end_by_keys_and_mouse(game: str) -> None:
    is_played_out(game, (SOURCES | OTHERS)[game])


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in SOURCES | OTHERS if game not in AT_ALL_TIMES])
def test_every_source_game_and_ten_others_are_played_to_their_end(game: str) -> None:
    is_played_out(game, (SOURCES | OTHERS)[game])


def test_seats_of_a_game_that_hides_something_are_not_asked_for_while_it_goes_on() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "b2")
        await pilot.press("f10")
        assert "seats stay as they are" in status(pilot)
        assert not isinstance(pilot.app.screen, Picker)

    played(table_of("phantom-tic-tac-toe", seats={2: "random"}), script)
