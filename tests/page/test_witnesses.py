"""What shows on the board that a clause has ended a game: chains between sides, full rows."""

from __future__ import annotations

from typing import Any

from library_games import shipped

from gdl.board.relation import Relation
from gdl.interpreter.native.wasm.module import wasm_code
from gdl.interpreter.page.witnesses import steps_of, witnesses_of


def clauses_of(name: str) -> tuple[list[list[dict[str, Any]]], list[Relation]]:
    code, relations = wasm_code(shipped(name)), list[Relation]()
    places = {slot: place for place, slot in enumerate(code.shared.program.state)}
    found = [witnesses_of(one.condition, places, relations) for one in code.endings.clauses]
    return found, relations


def test_a_chain_has_the_sides_that_it_joins() -> None:
    (red, blue), relations = clauses_of("hex")
    (chain,) = red
    board = shipped("hex").board
    rows = [sorted({board.sites[site].row for site in sites}) for sites in chain["ends"]]
    assert sorted(rows) == [[1], [11]]
    assert chain["holds"] == "8", "only a chain that touches both sides is one"
    assert blue[0]["layers"] != chain["layers"] and blue[0]["near"] == chain["near"] == 0
    (steps,) = map(steps_of, relations)
    assert sorted(map(len, steps)).count(6) == 9 * 9


def test_rows_are_all_those_of_the_board() -> None:
    clauses, _ = clauses_of("tic-tac-toe")
    rows = clauses[0][0]["rows"]
    assert len(rows) == 8 and all(len(row) == 3 for row in rows)


def test_a_clause_that_asks_for_neither_has_nothing_to_show() -> None:
    clauses, relations = clauses_of("breakthrough")
    assert not any(clauses) and relations == []
