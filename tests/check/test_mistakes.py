"""Seeded mistakes: one of each kind, in the first of some small games to which it applies.

`python -m tests.benchmarks.mistakes` seeds all kinds into all shipped games; `docs/mistakes.md` has
its table.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from gdl.interpreter.check import Effort, check_game
from gdl.interpreter.check.effort import WITHOUT_PLAY
from gdl.load import games_folder, shipped_names
from tests.mistakes.judging import Key, found_in, judged, keys_of
from tests.mistakes.kinds import KINDS
from tests.mistakes.later import LATER
from tests.mistakes.newcomers import NEWCOMERS, SHOWN_BY_PLAY
from tests.mistakes.seeding import GameText, Seeded
from tests.mistakes.unforeseen import UNFORESEEN

GAMES = (
    *("tic-tac-toe", "hex", "kalah", "konane", "breakthrough", "nine-mens-morris", "y", "go"),
    *("brandubh", "fox-and-geese", "pentago", "minichess", "amazons"),
)
EFFORT = Effort(0.15)


@cache
def game_of(name: str) -> GameText:
    """Return the text of a shipped game, read once for all kinds."""
    return GameText.of(games_folder() / f"{name}.yaml")


@cache
def known_of(text: str) -> frozenset[Key]:
    """Return what is told of a text without a mistake, by its lines."""
    with TemporaryDirectory() as folder:
        return frozenset(keys_of(found_in(text, Path(folder), WITHOUT_PLAY)))


def first_place(kind: str) -> tuple[GameText, Seeded]:
    """Return the first of the games to which a kind applies, and the file with the mistake."""
    for name in GAMES:
        game = game_of(name)
        for seeded in KINDS[kind](game):
            return game, seeded
    raise LookupError(f"no game has a place for: {kind}")


def test_there_are_many_kinds() -> None:
    assert len(KINDS) >= 30


@pytest.mark.slow
def test_what_was_made_up_afterwards_has_a_place_in_some_game() -> None:
    texts = [game_of(name) for name in shipped_names()]
    for kind, seeder in (UNFORESEEN | LATER | NEWCOMERS).items():
        assert any(next(iter(seeder(text)), None) for text in texts), kind


@pytest.mark.at_night("a variable that nothing", "both sides place", "alternatives without")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "`stuck` is missing"])
def test_a_mistake_is_told_at_its_place(kind: str, tmp_path: Path) -> None:
    game, seeded = first_place(kind)
    assert judged(seeded, known_of(game.text), tmp_path, EFFORT) == "told", seeded.text


@pytest.mark.parametrize("kind", [kind for kind in NEWCOMERS if kind not in SHOWN_BY_PLAY])
def test_a_mistake_of_a_new_author_is_told_without_play(kind: str, tmp_path: Path) -> None:
    found = (
        (game, seeded)
        for name in shipped_names()
        for game in (game_of(name),)
        for seeded in NEWCOMERS[kind](game)
    )
    game, seeded = next(found)
    assert judged(seeded, known_of(game.text), tmp_path, WITHOUT_PLAY) == "told", seeded.text


OTHERS = sorted((Path(__file__).parents[1] / "mistakes" / "others").glob("*.yaml"))
_EXPECTED = re.compile(r"# expect: ([a-z-]+)")


@pytest.mark.slow
@pytest.mark.parametrize("file", OTHERS, ids=lambda file: file.stem)
def test_a_mistake_that_no_check_was_written_for_is_told(file: Path) -> None:
    expected = {
        (found[1], number)
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if (found := _EXPECTED.search(line))
    }
    told = [found.diagnostic for found in check_game(str(file), Effort(0.5))]
    assert expected <= {(one.code, one.span.line) for one in told if one.span is not None}
