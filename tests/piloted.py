"""A table on the full screen, at which a pilot plays: typing, mouse, waiting."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping

from textual.pilot import Pilot

from gdl.interpreter.positions.position import Rules
from gdl.interpreter.screen.app import Screens
from gdl.interpreter.screen.board import Board
from gdl.interpreter.screen.play import PlayScreen
from gdl.interpreter.sessions.autosave import Keeper
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.seats import players_at
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table
from gdl.load import load_game

Script = Callable[[Pilot[None], Table], Awaitable[None]]


def table_of(
    game: str,
    options: Mapping[str, str] | None = None,
    seats: Mapping[int, str] | None = None,
    seed: int = 1,
    keeper: Keeper | None = None,
    as_side: str | None = None,
    variants: tuple[str, ...] = (),
) -> Table:
    rules = Rules(load_game(game, options or {}, variants))
    chance = random.Random(seed)
    kinds = dict(seats or {})
    session = Session(Replay((rules.start(),), ()), seed, kinds)
    players = players_at(kinds, rules, chance)
    return Table(session, players, chance, keeper=keeper, as_side=as_side)


def played(table: Table, script: Script, size: tuple[int, int] = (100, 30)) -> Table:
    """Run a script at a table on a screen; return the table."""

    async def run() -> None:
        app = Screens(table)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot, table)
            await app.workers.wait_for_complete()

    asyncio.run(run())
    return table


async def settled(pilot: Pilot[None]) -> None:
    """Wait until no player thinks any more, and what they did is shown."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def status(pilot: Pilot[None]) -> str:
    """Return what the line below the board says."""
    (screen,) = [one for one in pilot.app.screen_stack if isinstance(one, PlayScreen)]
    return screen.status()


async def typed(pilot: Pilot[None], text: str) -> None:
    for character in text:
        await pilot.press("space" if character == " " else character)
    await pilot.press("enter")


async def clicked(pilot: Pilot[None], table: Table, name: str) -> None:
    """Click the site of this name."""
    board = pilot.app.screen.query_one(Board)
    site = table.position.rules.game.board.index(name)
    assert site is not None
    row, column = board._picture.sites[site]
    board.bring_in_sight((row, column))
    await pilot.pause()
    sheet = pilot.app.screen.query_one("#sheet")
    await pilot.click(sheet, offset=(column, row))
    await pilot.pause()


def moves_of(table: Table) -> list[str]:
    return [move.text for move in table.session.moves]
