"""`why` in stored positions: the clause that ended a game, and the sites that make it so.

`tests/why/endings.jsonl` has, for each end clause of each shipped game, a game that ends by it: the
moves before the last one, or the position, then the last move (`tests/why_endings.py` looks for
them). `tests/why/documents.jsonl` asks in the examples that come from authors' documents. All were
read by a person when they were stored.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from library_games import deep_games, shipped
from why_endings import again, clauses, sites

from gdl.interpreter.explain.answers import why
from gdl.interpreter.positions.examples import example_position
from gdl.load import load_game, shipped_names

STORED = Path(__file__).parents[1] / "why"


def stored(name: str) -> dict[str, list[dict[str, Any]]]:
    """Return what is stored in a file, by game."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (STORED / name).read_text("utf-8").splitlines():
        record = json.loads(line)
        found[record["game"]].append(record)
    return found


ENDINGS, DOCUMENTS = stored("endings.jsonl"), stored("documents.jsonl")


@pytest.mark.parametrize("name", deep_games(ENDINGS))
def test_the_clause_that_ended_a_game_is_told(name: str) -> None:
    for record in ENDINGS[name]:
        assert again(record) == record


@pytest.mark.at_night("taifas")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_positions_of_the_documents_are_told(name: str) -> None:
    game = load_game(name)
    for record in DOCUMENTS[name]:
        told = why([example_position(game, record["example"])], [], record["asked"])[-1]
        assert (told.about, told.sentence) == (record["about"], record["sentence"])
        assert [ruling.text for ruling in told.rulings] == record["clauses"]
        assert sites(told) == record["sites"]


@pytest.mark.parametrize("name", shipped_names())
def test_every_end_clause_is_stored(name: str) -> None:
    told = {(record["file"], record["clause"]) for record in ENDINGS[name]}
    assert clauses(shipped(name)).keys() == told


def test_much_is_stored() -> None:
    assert sum(map(len, DOCUMENTS.values())) >= 20
