"""The shipped games as they were first written: they load, and mean what they meant.

`first_release` has the first text of each game (and those of two that others then extended, as they
were at that time: `-later`), and in `walks.txt` what it came to: how many moves
were legal at each ply of a walk through the game, and how it ended if it did. A text that is not
read any more would break the promise of `language: 1`: then the language is mended, not the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from gdl.interpreter.positions.examples import run_examples
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game

FOLDER = Path(__file__).parents[1] / "first_release"
LOADING = import_module("gdl.load")
"""The module; `gdl.load` is what programs call."""
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
PLIES = 12
MOST = 300
"""Behind a ply with more moves than this no other is listed: it could have far more."""
STEP = 7919
"""Which move is taken at each ply: a prime, so that all parts of lists are visited."""


@pytest.fixture(autouse=True)
def shipped_then(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let names of games mean those of the first release, as in `extends`."""
    monkeypatch.setattr(LOADING, "games_folder", lambda: FOLDER)
    LOADING.shipped_names.cache_clear()
    yield
    LOADING.shipped_names.cache_clear()


def walk(name: str) -> str:
    """Return how many moves are legal at each ply of a walk, and how the game ends on it."""
    rules = ReferenceRules(load_game(name))
    state = rules.start()
    told: list[str] = []
    for ply in range(PLIES):
        outcome = rules.outcome(state)
        if outcome is not None:
            return " ".join((*told, "over:", *(outcome.winners or ("a draw",))))
        moves = rules.legal(state)
        told.append(str(len(moves)))
        if len(moves) > MOST:
            break
        state = rules.apply(state, moves[(ply + 1) * STEP % len(moves)])
    return " ".join(told)


WALKS = dict(line.split(": ", 1) for line in (FOLDER / "walks.txt").read_text("utf-8").splitlines())


def test_each_first_text_has_a_walk() -> None:
    assert list(WALKS) == NAMES


@pytest.mark.at_night("hive")
@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_the_first_release_means_the_same(name: str) -> None:
    assert walk(name) == WALKS[name]


OTHERWISE = {
    "fox-and-geese": "`d4-f4-d6` is not a legal move",  # d6 is occupied in its drawing
    "halma": "There are 40 legal moves, not 1",  # a figure that was never counted
    "knights-tour": "`draw` is no side",
    "konane": "what holds there is told by `before: {legal: a2-a4}`",
    "peg-solitaire": "`draw` is no side",
}
"""What is told of examples that were wrong, or of which the check has changed."""


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_its_examples_hold(name: str) -> None:
    failed = [one for result in run_examples(load_game(name)) for one in result.diagnostics]
    assert bool(failed) == (name in OTHERWISE)
    told = " ".join(f"{one.message} {one.hint}" for one in failed)
    assert OTHERWISE.get(name, "") in told
