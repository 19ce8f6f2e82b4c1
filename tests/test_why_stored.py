"""`why` in stored positions: the clause that ended a game, and the sites that make it so.

`tests/why/endings.jsonl` has, for end clauses of shipped games, a game that ends by each: the
moves before the last one, or the position, then the last move. `tests/why/documents.jsonl` asks in
the examples that come from authors' documents. Both were read by a person when they were stored.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from gdl.load import load_game
from interpreter.explain.answers import why
from interpreter.explain.explanation import Explanation
from interpreter.positions.examples import example_position
from interpreter.positions.position import Position, Rules

STORED = Path(__file__).parent / "why"


def stored(name: str) -> dict[str, list[dict[str, Any]]]:
    """Return what is stored in a file, by game."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (STORED / name).read_text("utf-8").splitlines():
        record = json.loads(line)
        found[record["game"]].append(record)
    return found


ENDINGS, DOCUMENTS = stored("endings.jsonl"), stored("documents.jsonl")


def sites(told: Explanation) -> str:
    """Return the sites that are drawn, in the order of the board."""
    drawn = told.witness.sites
    board = told.position.rules.game.board
    return " ".join(site.name for site in board.sites if drawn >> site.index & 1)


def before(rules: Rules, record: dict[str, Any]) -> Position:
    """Return the position before the move that ends a game."""
    if "position" in record:
        return rules.from_json(record["position"])
    position = rules.start()
    for text in filter(None, record["after"].split(", ")):
        position = position.play(text)
    return position


@pytest.mark.parametrize("name", ENDINGS)
def test_the_clause_that_ended_a_game_is_told(name: str) -> None:
    for record in ENDINGS[name]:
        position = before(Rules(load_game(name, record["options"])), record)
        move = position.parse(record["move"])
        told = why([position, position.play(move)], [move])[-1]
        assert told.sentence == record["sentence"]
        assert told.rulings[-1].text == record["clause"]
        assert sites(told) == record["sites"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_positions_of_the_documents_are_told(name: str) -> None:
    game = load_game(name)
    for record in DOCUMENTS[name]:
        told = why([example_position(game, record["example"])], [], record["asked"])[-1]
        assert (told.about, told.sentence) == (record["about"], record["sentence"])
        assert [ruling.text for ruling in told.rulings] == record["clauses"]
        assert sites(told) == record["sites"]


def test_much_is_stored() -> None:
    assert sum(map(len, DOCUMENTS.values())) >= 20
    assert len(ENDINGS) >= 40
