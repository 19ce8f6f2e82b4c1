"""Bounds of the ways on from each choice: what random moves are drawn by."""

from __future__ import annotations

import pytest
from test_native_chance import assert_moves_are_uniform

from gdl.analysis.bounds_of_ways import Bound, BoundsOfWays
from gdl.analysis.set_sizes import Reach
from gdl.core.walk import decisions_in
from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_source

GAME = """\
game: Leaps
players: First, Second
board: square(5, 5)
define:
  whole(s, d): s | run(s, d, all) | run(s, inverse(d), all)
setup:
  First Stone: rows(1, 2)
  Second Stone: rows(5, 5)
turn: |
  choose s in own
  choose t in {targets}
  move s to t
end: draw when no enemy
"""


def bounds(targets: str) -> tuple[Bound, ...]:
    game = load_source(Source("leaps.yaml", GAME.format(targets=targets)))
    (phase,) = game.program.phases
    block = phase.turns[0].program
    after = BoundsOfWays(block, Reach(len(game.board.sites))).after
    return tuple(after[statement.decision] for statement in decisions_in(block))


@pytest.mark.parametrize(
    ("targets", "bound"),
    [
        ("orthogonal(s) - own", 4),
        ("union j in 1..2 of ((north^j)(s) - own)", 2),
        ("union j in 1..2 of ((north^j)(s) - own when count(own) = j)", 1),
        ("union d in (north, east) of union j in 1..3 of ((d^j)(s) - own when turns = j)", 2),
        ("(north(s) when turns = 1) | (east(s) when turns = 1) | (west(s) when turns = 2)", 2),
        ("(north(s) when turns = 1) | (east(s) when count(own) = 2)", 2),
        (
            "union d in orthogonal of union j in 1..3 of"
            " ((d^j)(s) - own when count(whole(s, d) & occupied) = j)",
            4,
        ),
    ],
)
def test_of_cases_of_one_value_only_the_largest_counts(targets: str, bound: int) -> None:
    assert bounds(targets) == (bound, 1)


def test_cases_of_a_value_are_equally_likely() -> None:
    targets = (
        "union d in orthogonal of union j in 1..3 of"
        " ((d^j)(s) - own when count(whole(s, d) & occupied) = j)"
    )
    rules = NativeRules(load_source(Source("leaps.yaml", GAME.format(targets=targets))))
    assert len(rules.legal(rules.start())) > 8
    assert_moves_are_uniform(rules, rules.start(), 3000)
