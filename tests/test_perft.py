"""Counts of move sequences from the start, against figures found by other programs.

Tic-tac-toe's can be counted by hand; those of Othello, Breakthrough, Amazons, connect four, Nine
Men's Morris and draughts are the well-known ones, of which `tests/openspiel` recounts some.
"""

import pytest

from gdl.load import load_game
from interpreter.reference.rules import ReferenceRules

QUICK = [
    ("tic-tac-toe", {}, [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
    ("connect-four", {}, [7, 49, 343, 2401, 16807, 117649, 823536]),
    ("othello", {}, [4, 12, 56, 244, 1396, 8200]),
    ("hex", {}, [121, 14520]),
    ("hex", {"pie": True}, [121, 14641]),
    ("troll", {}, [48, 2268, 104940]),
    ("breakthrough", {}, [22, 484, 11132]),
    ("amazons", {}, [2176]),
    ("nine-mens-morris", {}, [24, 552]),
    ("draughts", {}, [7, 49, 302, 1469, 7361]),
    ("go", {}, [82, 6643]),
]

SLOW = [
    ("othello", {}, 7, 55092),
    ("othello", {}, 8, 390216),
    ("nine-mens-morris", {}, 5, 5140800),
    ("connect-four", {}, 8, 5673234),
    ("draughts", {}, 6, 36768),
]


@pytest.mark.parametrize(("name", "options", "counts"), QUICK)
def test_perft(name: str, options: dict[str, bool], counts: list[int]) -> None:
    rules = ReferenceRules(load_game(name, options))
    found = [rules.perft(rules.start(), depth) for depth in range(1, len(counts) + 1)]
    assert found == counts


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "depth", "count"), SLOW)
def test_deep_perft(name: str, options: dict[str, bool], depth: int, count: int) -> None:
    rules = ReferenceRules(load_game(name, options))
    assert rules.perft(rules.start(), depth) == count
