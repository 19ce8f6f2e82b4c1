"""Shipped games, loaded once; which of them deep tests are run for: a few always, all at night.

In: names of games. Out: parameters for pytest. What then holds: a test that takes long a game runs
for the games of `ALWAYS`, and for those whose files differ from the main branch; for the others it
is marked `slow`. Tests that are quick run for all games and need nothing of this.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from doc_pages import ROOT

from gdl.load import find_game, load_game, shipped_names
from gdl.model import Game

ALWAYS = frozenset(
    {
        "breakthrough",
        "dvonn",
        "fox-and-geese",
        "go",
        "havannah",
        "hex",
        "kalah",
        "minichess",
        "nine-mens-morris",
        "othello",
        "royal-game-of-ur",
        "tic-tac-toe",
        "troll",
    }
)
"""Games that together use nearly all that the language has, and are quickly tested."""

FEWEST = frozenset({"dvonn", "go", "havannah", "minichess", "royal-game-of-ur"})
"""Of these, games on boards of each kind, with piles, passes and chance: for what takes longest."""

_MAIN = ("origin/main", "main")


@cache
def shipped(name: str) -> Game:
    """Return a shipped game, loaded once for all tests that only read it."""
    return load_game(name)


def games_with(*keys: str) -> list[str]:
    """Return the shipped games whose texts have one of these keys; none is loaded."""
    key = re.compile(rf"^ *({'|'.join(keys)}):", re.MULTILINE)
    return [name for name in shipped_names() if key.search(find_game(name).text)]


def deep_games(names: Iterable[str], always: frozenset[str] = ALWAYS) -> list[Any]:
    """Return a parameter for each game; those that need not be tested now are marked slow."""
    return [pytest.param(name, marks=deep_marks(name, always)) for name in names]


def deep_marks(name: str, always: frozenset[str] = ALWAYS) -> list[pytest.MarkDecorator]:
    """Return the marks of a deep test of a game: none, or that it is slow."""
    return [] if name in always | changed_games() else [pytest.mark.slow]


def changed_games() -> frozenset[str]:
    """Return the games whose files differ from the main branch; none where git can't tell."""
    return frozenset(name.removesuffix(".yaml") for name in changed_files("games"))


@cache
def changed_files(folder: str) -> frozenset[str]:
    """Return the files of a folder that differ from the main branch; none where git can't tell."""
    for branch in _MAIN:
        base = _git("merge-base", "HEAD", branch)
        if base is not None:
            changed = _git("diff", "--name-only", base.strip(), "--", folder) or ""
            new = _git("ls-files", "--others", "--exclude-standard", "--", folder) or ""
            found = (changed + new).splitlines()
            return frozenset(line.removeprefix(f"{folder}/") for line in found)
    return frozenset()


def _git(*arguments: str) -> str | None:
    """Return what git says; None where it fails or there is none."""
    try:
        told = subprocess.run(
            ("git", *arguments), cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return told.stdout


def uncaptioned(name: str, *, has_rules: bool = True) -> Game:
    """Return a shipped game of which the file says nothing in captions, or in `rules`."""
    game = load_game(name)
    credits = {key: text for key, text in game.credits.items() if has_rules or key != "rules"}
    return replace(game, credits=credits, looks=replace(game.looks, captions={}))
