"""The work of loading: what is slow for no reason is fast, and the rest is bounded."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gdl.board.relation import Relation
from gdl.diagnostic import GameError, Source, suggest
from gdl.load import load_game, load_source
from gdl.resources.budget import Budget, Meter, TooMuchWork, allowed, loading

FAR = """\
game: Far
players: Black, White
board: square(7, 7)
turn: |
  choose s in empty
  place Stone at s
stuck: draw
relations: {far: (compass | identity)^64}
end: draw when some far(own)
"""


def load(text: str, budget: Budget) -> str:
    """Return the code of the finding that stops loading, or nothing."""
    with allowed(budget):
        try:
            load_source(Source("far.yaml", text))
        except GameError as error:
            return ", ".join(found.code for found in error.diagnostics)
    return ""


def test_a_power_of_a_relation_is_worked_out_by_squares() -> None:
    assert load(FAR, Budget(0.02)) == ""
    assert load(FAR, Budget(0.0001)) == "too-large"


def test_the_budget_of_loading_is_one_for_the_whole_file() -> None:
    many = "\n".join(f"  r{n}: (compass | identity)^{n + 2}" for n in range(60))
    text = FAR.replace("relations: {far: (compass | identity)^64}", f"relations:\n{many}")
    text = text.replace("far(own)", "(" + " | ".join(f"r{n}(own)" for n in range(60)) + ")")
    assert load(text, Budget(1)) == ""
    assert load(text, Budget(0.02)) == "too-large"


@pytest.mark.parametrize("size", [1, 2, 5, 40])
def test_dense_relations_have_the_classes_of_their_pairs(size: int) -> None:
    chance = random.Random(size)
    successors = [chance.getrandbits(size) for _ in range(size)]
    pairs = [(i, j) for i in range(size) for j in range(size) if successors[i] >> j & 1]
    dense, one_by_one = Relation(size, successors), Relation.from_pairs(size, pairs)
    assert dense.offset_classes == one_by_one.offset_classes


def test_where_very_many_names_are_wrong_only_the_first_have_hints() -> None:
    names = [f"word{n}" for n in range(2000)]
    with loading():
        hints = [suggest(f"wort{n}", names) for n in range(2000)]
    assert hints[0] and not hints[-1]
    assert str(suggest("wort1999", names)) == "Did you mean `word1999`?"


def test_a_meter_counts_up_to_what_is_left() -> None:
    meter = Meter(100)
    meter.spend(100)
    with pytest.raises(TooMuchWork):
        meter.spend(1)
    assert not meter.affords(1)


def test_what_is_written_out_too_often_is_named_and_a_larger_budget_allows_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "wide.yaml"
    families = ("compass", "compass", "compass", "orthogonal")
    levels = "".join(
        f"  n{n}(s): some d in {family} where n{n + 1}(s)\n" for n, family in enumerate(families)
    )
    path.write_text(
        "game: Wide\nplayers: A, B\nboard: square(3, 3)\n"
        f"define:\n{levels}  n4(s): some d in orthogonal where some d(s) & own\n"
        "turn: |\n  choose s in empty where n0(s)\n  place Stone at s\nstuck: draw\n"
    )
    with pytest.raises(GameError) as refused:
        load_game(str(path))
    (found,) = refused.value.diagnostics
    assert found.code == "too-large" and found.span is not None and found.span.text == "n4(s)"
    assert "more than 40,000" in found.message and "`n0(s)` has " in found.message
    with allowed(Budget(10)):
        assert load_game(str(path)).title == "Wide"
