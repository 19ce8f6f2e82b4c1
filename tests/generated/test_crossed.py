"""A few crossed games, of the thousands that `tests/crossed_nightly.py` plays."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from crossed import MOST_SITES, SIDES, crossed_text, donors
from crossed_nightly import SCRIPT

from gdl.diagnostic import GameError, Source
from gdl.load import load_source, shipped_names
from gdl.model import Game

_PLAYED = 2
_SEEDS = 34
_LOADED = (*range(1, 14), 33)
"""Seeds of boards of all sizes, and of all numbers of sides, that are soon loaded."""


@cache
def texts() -> tuple[str, ...]:
    return tuple(crossed_text(Random(seed)) for seed in range(_SEEDS))


@cache
def games() -> tuple[Game, ...]:
    return tuple(game for seed in _LOADED for game in loaded(texts()[seed]))


def loaded(text: str) -> tuple[Game, ...]:
    try:
        return (load_source(Source("crossed.yaml", text)),)
    except GameError:
        return ()


def test_some_crossed_games() -> None:
    found = [SCRIPT.play(seed) for seed in range(_PLAYED)]
    assert [one for one in found if "finding" in one] == []
    results = Counter(one["result"] for one in found)
    assert results["same"] >= _PLAYED // 2


def test_all_shipped_games_give_parts() -> None:
    assert len(donors()) > len(shipped_names())
    assert all(one.programs and one.board for one in donors())
    assert sum(bool(one.clauses["end"]) for one in donors()) > len(donors()) // 2


@pytest.mark.slow
def test_nearly_all_crossed_games_load() -> None:
    assert len(games()) >= len(_LOADED) * 9 // 10
    assert texts()[7] == crossed_text(Random(7)), "a seed always gives the same game"


@pytest.mark.slow
def test_crossed_games_have_boards_of_all_sizes_and_all_numbers_of_sides() -> None:
    sizes = [game.board.size for game in games()]
    assert min(sizes) <= 4 and 600 < max(sizes) <= MOST_SITES
    assert {len(game.sides) for game in games()} == set(range(2, len(SIDES) + 1))


@pytest.mark.slow
def test_all_constructs_come_up() -> None:
    every = "\n".join(texts())
    sections = ("relations", "regions", "define", "state", "stacks", "hands", "sees", "teams")
    wanted = [f"\n{section}:" for section in (*sections, "swap", "phases", "stuck", "end")]
    wanted += ["repeat", "optionally", "either", "keep", "seen(", "go to", "seat: nobody"]
    assert [words for words in wanted if words not in every] == []
