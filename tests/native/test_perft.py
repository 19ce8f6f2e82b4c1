"""Counts of move sequences from the start, against figures found by other programs.

Tic-tac-toe's can be counted by hand; those of Othello, Breakthrough, Amazons, connect four, Nine
Men's Morris and draughts are the well-known ones, of which `tests/openspiel` recounts some. The
reference counts as far as it can quickly, native code farther.
"""

from collections.abc import Mapping, Sequence

import pytest
from library_games import deep_marks

from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game

SHALLOW: Sequence[tuple[str, Mapping[str, bool], Sequence[int]]] = [
    ("tic-tac-toe", {}, [9, 72, 504, 3024, 15120, 54720]),
    ("connect-four", {}, [7, 49, 343, 2401, 16807]),
    ("othello", {}, [4, 12, 56, 244, 1396, 8200]),
    ("hex", {}, [121, 14520]),
    ("hex", {"pie": True}, [121, 14641]),
    ("troll", {}, [48, 2268]),
    ("breakthrough", {}, [22, 484, 11132]),
    ("amazons", {}, [2176]),
    ("nine-mens-morris", {}, [24, 552]),
    ("draughts", {}, [7, 49, 302, 1469, 7361]),
    ("go", {}, [82, 6643]),
]

# Of the 24571284 sequences of ten moves that are told of Othello, 228 go on by a pass after the
# enemy was wiped out by the ninth; here such a game is over.
DEEP: Sequence[tuple[str, Sequence[str], Mapping[int, int]]] = [
    ("tic-tac-toe", (), {7: 148176, 8: 200448, 9: 127872}),
    ("connect-four", (), {6: 117649, 7: 823536, 8: 5673234}),
    ("othello", (), {7: 55092, 8: 390216, 9: 3005288, 10: 24571284 - 228}),
    ("hex", (), {3: 121 * 120 * 119}),
    ("troll", (), {3: 104940}),
    ("amazons", (), {2: 4307152}),
    ("nine-mens-morris", (), {5: 5140800}),
    ("draughts", (), {6: 36768}),
    ("trellis", ("no-pie", "pass-unlimited"), {2: 1700799}),
]


# See https://github.com/fairy-stockfish/Fairy-Stockfish/blob/master/tests/perft.sh and
# https://www.chessprogramming.org/Chinese_Chess_Perft_Results, …/Shogi_Perft_Results; for draughts
# https://damforum.nl/bb3/viewtopic.php?t=2822; for Hive
# https://github.com/jonthysell/Mzinga/wiki/Perft. Those of Tak are in the tests of several
# programs; five moves have 187855252 sequences.
PUBLISHED: Sequence[tuple[str, Sequence[int]]] = [
    ("antichess", [20, 400, 8067, 153299, 2732672]),
    ("crazyhouse", [20, 400, 8902, 197281, 4888832]),
    ("hive", [4, 96, 1440, 21600, 516240, 12219480]),
    ("frisian-draughts", [9, 81, 658, 3880, 21345, 103584]),
    ("international-draughts", [9, 81, 658, 4265, 27117, 167140, 1049442]),
    ("russian-draughts", [7, 49, 302, 1469, 7482, 37986, 190146, 929905, 4570667]),
    ("shogi", [30, 900, 25470, 719731]),
    ("tak", [25, 600, 43320, 2999784]),
    ("xiangqi", [44, 1920, 79666, 3290240]),
]

HIVE: Sequence[tuple[Sequence[str], Sequence[int]]] = [
    (("mosquito",), [5, 150, 2610, 45414, 1252800]),
    (("ladybug",), [5, 150, 2610, 45414, 1252800]),
    (("pillbug",), [5, 150, 2610, 45414, 1255932]),
    (("mosquito", "ladybug"), [6, 216, 4320, 86400, 2725920]),
    (("mosquito", "pillbug"), [6, 216, 4320, 86400, 2730888]),
    (("ladybug", "pillbug"), [6, 216, 4320, 86400, 2730240]),
    (("mosquito", "ladybug", "pillbug"), [7, 294, 6678, 151686, 5427108]),
]
"""With expansions, as published beside those of the basic game."""
HIVE_AT_SIX = (34233432, 34233672, 34395984, 85201200, 85492248, 85457136, 192353904)


@pytest.mark.at_night("draughts-options9", "othello-options2")
@pytest.mark.parametrize(("name", "options", "counts"), SHALLOW)
def test_perft(name: str, options: Mapping[str, bool], counts: Sequence[int]) -> None:
    rules = ReferenceRules(load_game(name, options))
    found = [rules.perft(rules.start(), depth) for depth in range(1, len(counts) + 1)]
    assert found == counts


@pytest.mark.at_night("othello", "nine-mens-morris")
@pytest.mark.parametrize(("name", "variants", "counts"), DEEP)
def test_deep_perft(name: str, variants: Sequence[str], counts: Mapping[int, int]) -> None:
    rules = NativeRules(load_game(name, variants=variants))
    found = {depth: rules.perft(rules.start(), depth) for depth in counts}
    assert found == counts


@pytest.mark.parametrize(
    ("name", "counts"), [pytest.param(*row, marks=deep_marks(row[0])) for row in PUBLISHED]
)
def test_published_perft(name: str, counts: Sequence[int]) -> None:
    rules = NativeRules(load_game(name))
    found = [rules.perft(rules.start(), depth) for depth in range(1, len(counts) + 1)]
    assert found == counts


@pytest.mark.parametrize(
    ("variants", "counts"), [pytest.param(*row, marks=deep_marks("hive")) for row in HIVE]
)
def test_published_perft_of_expansions(variants: Sequence[str], counts: Sequence[int]) -> None:
    rules = NativeRules(load_game("hive", variants=variants))
    found = [rules.perft(rules.start(), depth) for depth in range(1, len(counts) + 1)]
    assert found == counts


def test_perft_of_all_expansions_together() -> None:
    variants, counts = HIVE[-1]
    rules = ReferenceRules(load_game("hive", variants=variants))
    assert [rules.perft(rules.start(), depth) for depth in (1, 2, 3)] == counts[:3]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variants", "count"), [(row[0], count) for row, count in zip(HIVE, HIVE_AT_SIX, strict=True)]
)
def test_published_perft_of_expansions_at_six_plies(variants: Sequence[str], count: int) -> None:
    rules = NativeRules(load_game("hive", variants=variants))
    assert rules.perft(rules.start(), 6) == count


@pytest.mark.parametrize("size", [pytest.param(8, marks=deep_marks("international-draughts"))])
def test_published_perft_of_brazilian_draughts(size: int) -> None:
    rules = NativeRules(load_game("international-draughts", {"size": size}))
    found = [rules.perft(rules.start(), depth) for depth in range(1, 8)]
    assert found == [7, 49, 302, 1469, 7473, 37628, 187302]
