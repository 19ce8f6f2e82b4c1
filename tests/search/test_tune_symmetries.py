"""What is learned of a position holds of its image, where random games do not tell them apart."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.diagnostic import Source
from gdl.interpreter import Engine, load
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.tune.fitting import Model, fitted
from gdl.interpreter.tune.samples import of_random_games
from gdl.interpreter.tune.tuner import likely_symmetries
from gdl.load import load_source

MARKS = """game: Marks
players: White, Black
pieces: Stone
board: square(5, 5)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when {wins}
  - draw when full
"""


def marks(wins: str) -> Rules:
    return Rules(load_source(Source("marks.yaml", MARKS.format(wins=wins))))


def alike_in(rules: Rules) -> int:
    return len(likely_symmetries(NativeRules(rules.game), seed=1))


@pytest.mark.parametrize(
    ("wins", "number"),
    [
        ("count(own & (bottom | top)) = 4", 3),
        ("count(own & (bottom | top | left | right)) = 4", 7),
        ("count(own & bottom) = 3", 1),
        ("count(own & (rows(1) | columns(2))) = 3", 0),
        ("count(own) = 4 and a1 in own", 1),
    ],
)
def test_a_symmetry_has_to_be_one_of_the_rules(wins: str, number: int) -> None:
    assert alike_in(marks(wins)) == number


def test_a_symmetry_has_to_be_one_of_the_beginning() -> None:
    assert alike_in(load("othello")) == 3
    assert alike_in(load("breakthrough")) == 1
    assert alike_in(load("chess")) == 0


def model_of(rules: Rules, engine: Engine, *, has_symmetries: bool) -> Model:
    sites = [site.name for site in rules.game.board.sites]
    found = likely_symmetries(engine.native, 1) if has_symmetries else []
    mover = engine.binding.fields.mover
    return Model(engine.binding.features, sites, mover, rules.sides, (), found)


def test_what_is_alike_is_worth_the_same() -> None:
    rules = load("connect-four")
    engine = Engine(rules)
    samples = of_random_games(engine, 1500, 50, 1, 60.0).decided()
    apart, together = (model_of(rules, engine, has_symmetries=has) for has in (False, True))
    width, sites = 7, len(apart.sites)
    for model, is_same in ((apart, False), (together, True)):
        worths = fitted(model, samples)
        rows = worths[1 : 1 + sites].reshape(-1, width)
        assert np.allclose(rows, rows[:, ::-1], atol=1e-6) == is_same


def test_games_that_are_images_of_each_other_tell_the_same() -> None:
    """With each position and its image, the model without symmetries finds as much."""
    rules = load("connect-four")
    engine = Engine(rules)
    samples = of_random_games(engine, 1500, 50, 1, 60.0).decided()
    worths = fitted(model_of(rules, engine, has_symmetries=True), samples)
    apart = model_of(rules, engine, has_symmetries=False)
    columns = apart.columns(samples)
    mirrored = columns.copy()
    sites, width = len(apart.sites), 7
    for begin in (1, 2 + sites):
        parts = columns[:, begin : begin + sites].reshape(len(columns), -1, width)
        mirrored[:, begin : begin + sites] = parts[:, :, ::-1].reshape(len(columns), -1)
    assert not np.allclose(columns, mirrored)
    assert columns @ worths == pytest.approx(mirrored @ worths, abs=1e-5)
