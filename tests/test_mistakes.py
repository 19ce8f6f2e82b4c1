"""Seeded mistakes: one of each kind, in the first of some small games to which it applies.

`python -m tests.benchmarks.mistakes` seeds all kinds into all shipped games; `docs/mistakes.md` has
its table.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.load import games_folder
from tests.mistakes.judging import found_in, judged, keys_of
from tests.mistakes.kinds import KINDS
from tests.mistakes.seeding import GameText, Seeded

GAMES = (
    *("tic-tac-toe", "hex", "kalah", "konane", "breakthrough", "nine-mens-morris", "y", "go"),
    *("brandubh", "fox-and-geese", "pentago", "minichess", "amazons"),
)
SECONDS = 1.0


def first_place(kind: str) -> tuple[GameText, Seeded]:
    """Return the first of the games to which a kind applies, and the file with the mistake."""
    for name in GAMES:
        game = GameText.of(games_folder() / f"{name}.yaml")
        for seeded in KINDS[kind](game):
            return game, seeded
    raise LookupError(f"no game has a place for: {kind}")


def test_there_are_many_kinds() -> None:
    assert len(KINDS) >= 30


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "`stuck` is missing"])
def test_a_mistake_is_told_at_its_place(kind: str, tmp_path: Path) -> None:
    game, seeded = first_place(kind)
    known = keys_of(found_in(game.text, tmp_path, 0))
    assert judged(seeded, known, tmp_path, SECONDS) == "told", seeded.text
