"""How long the full screen takes to answer a key, in every shipped game.

Run as `python -m tests.benchmarks.keys` in the project's folder, perhaps with names of games. For
each game, after some random moves, it prints milliseconds of the processor: for a letter that is
typed, for an arrow key, for a click on the first site of a move, which marks where that can go on,
and for Enter after a move, which makes the move, draws the board and lists the next moves. Each is
the median of several.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import time
from statistics import median

from textual.pilot import Pilot

from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.screen.app import Screens
from gdl.interpreter.screen.board import Board
from gdl.interpreter.sessions.notation import all_spelled
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table
from gdl.load import load_game, shipped_names
from gdl.resources.gc_pause import SELDOM

MOST_MOVES = 10_000
"""Games that list more legal moves than these are left out."""
_BEFORE, _MEASURED = 6, 5


def table_of(game: str, seed: int) -> Table | None:
    """Return a table after a few random moves; None if so many moves are legal that it is slow."""
    rules, chance = Rules(load_game(game)), random.Random(seed)
    session = Session(Replay((rules.start(),), ()))
    table = Table(session, {}, chance)
    table.begin()
    for _ in range(_BEFORE):
        legal = table.position.moves()
        if len(legal) > MOST_MOVES:
            return None
        if legal:
            table.make(chance.choice(legal))
    return table


async def pressed(pilot: Pilot[None], key: str) -> float:
    """Press a key; return the processor's milliseconds until all is shown."""
    begun = time.process_time()
    await pilot.press(key)
    await pilot.pause()
    return 1000 * (time.process_time() - begun)


async def clicked(pilot: Pilot[None], table: Table, chance: random.Random) -> float | None:
    """Click where a longer move begins; return the milliseconds, None if there is none."""
    choices, board = table.snapshot().choices, table.position.rules.game.board
    sites = [board.index(name) for name in choices.sites] if choices else []
    longer = [site for site in sites if site is not None and not _is_whole(table, site)]
    places = pilot.app.screen.query_one(Board)._picture.sites
    shown = [site for site in longer if site in places]
    if not shown:
        return None
    row, column = places[chance.choice(shown)]
    pilot.app.screen.query_one(Board).bring_in_sight((row, column))
    await pilot.pause()
    start = time.process_time()
    await pilot.click("#sheet", offset=(column, row))
    await pilot.pause()
    taken = 1000 * (time.process_time() - start)
    await pilot.press("escape")
    return taken


def _is_whole(table: Table, site: int) -> bool:
    """Whether a site by itself is a move."""
    chosen = table.choosing.with_word(table.position.rules.game.board.sites[site].name)
    return chosen is None or chosen.move is not None


async def measured(table: Table, chance: random.Random) -> tuple[float, float, float, float]:
    """Return what a letter, an arrow key, a click and a move take."""
    letters, arrows, clicks, moves = [], [], [], []
    app = Screens(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for _ in range(_MEASURED):
            letters.append(await pressed(pilot, "z"))
            await pilot.press("backspace")
            arrows.append(await pressed(pilot, chance.choice(("up", "down", "left", "right"))))
            click = await clicked(pilot, table, chance)
            clicks += [] if click is None else [click]
            texts = all_spelled(table.position)
            if not texts:
                break
            screen = app.screen
            screen._typed = chance.choice(texts)  # type: ignore[attr-defined]
            moves.append(await pressed(pilot, "enter"))
    return median(letters), median(arrows), median(clicks or [0.0]), median(moves or [0.0])


def main() -> None:
    """Print a line a game, the slowest moves last."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    gc.set_threshold(SELDOM)  # as in every command
    found = []
    for game in asked.games or shipped_names():
        try:
            table = table_of(game, asked.seed)
        except RuleError:
            table = None
        if table is None:
            print(f"{game}: left out")
        else:
            found.append((*asyncio.run(measured(table, random.Random(asked.seed))), game))
    print(f"{'game':24} letter  arrow  click   move   (ms)")
    for letter, arrow, click, move, game in sorted(found, key=lambda one: one[3]):
        print(f"{game:24} {letter:6.1f} {arrow:6.1f} {click:6.1f} {move:6.1f}")


if __name__ == "__main__":
    main()
