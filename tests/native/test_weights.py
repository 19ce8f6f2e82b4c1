"""Bounds of the ways on from each choice: what random moves are drawn by."""

from __future__ import annotations

import pytest
from test_native_chance import assert_moves_are_uniform

from gdl.analysis import open_lines
from gdl.analysis.bounds_of_ways import Bound, BoundsOfWays
from gdl.analysis.plan import plan_for_code
from gdl.analysis.set_sizes import Reach
from gdl.board.relation import Relation
from gdl.core.walk import decisions_in
from gdl.diagnostic import Source
from gdl.interpreter.native.emit.ir import Function
from gdl.interpreter.native.emit.kinds import I64, Word
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.games import moves_in_place
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.sets.registers import RegisterSets
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


ARROWS = """\
game: Arrows
players: First, Second
pieces: Stone, neutral Wall
board: square(7, 6)
setup:
  First Stone: b2 | e1
  Second Stone: b4
  Wall: columns(6, 7) | d2 | a4 | c4 | d4 | c5
turn: |
  choose a in own
  choose b in slides(a, compass, empty)
  move a to b
  choose c in slides(b, {steps}, empty)
  place Wall at c
stuck: draw
"""


@pytest.mark.parametrize(
    "steps", ["compass", "orthogonal | northeast", "north | east | west | northwest | southwest"]
)
@pytest.mark.parametrize("draws", [moves_in_place.MOST_DRAWS, 1])
def test_moves_are_equally_likely_where_open_lines_bound_the_last_choice(
    steps: str, draws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moves_in_place, "MOST_DRAWS", draws)
    monkeypatch.setattr(open_lines, "_LEAST_WEIGHT", 1)
    game = load_source(Source("arrows.yaml", ARROWS.format(steps=steps)))
    assert plan_for_code(game.program, game.board.size).turns[0].lines
    rules = NativeRules(game)
    start = rules.start()
    assert_moves_are_uniform(rules, start, 60 * len(rules.legal(start)))


def test_a_bound_of_open_lines_that_is_too_small_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = RegisterSets.most_in_line

    def too_small(self: RegisterSets, f: Function, sites: Sites, step: Relation) -> Word:
        return f.binary("lshr", I64, whole(self, f, sites, step), 1)

    monkeypatch.setattr(RegisterSets, "most_in_line", too_small)
    rules = NativeRules(load_source(Source("arrows.yaml", ARROWS.format(steps="compass"))))
    start = rules.start()
    with pytest.raises(AssertionError):
        assert_moves_are_uniform(rules, start, 60 * len(rules.legal(start)))
