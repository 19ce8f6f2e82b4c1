"""Random moves of turns that are divided into cases, or whose ways are counted in place."""

from __future__ import annotations

from types import ModuleType

import pytest
from test_native_chance import assert_moves_are_uniform

from gdl.analysis import random_moves
from gdl.analysis.plain_turns import Plain
from gdl.analysis.random_moves import Cases, Counted, InPlace
from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.native.games import moves_in_place
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game, load_source

GAME = """\
game: Turns
players: First, Second
board: square(5, 5)
state:
  stage: number in 0..9
  trace: number
setup:
  First Stone: rows(1, 2)
  Second Stone: rows(4, 5)
turn: |
{turn}
  set stage = (stage + 1) mod 10
stuck: passes
end: draw when turns >= 40
"""


def rules_of(turn: str) -> NativeRules:
    indented = "\n".join(f"  {line}" for line in turn.splitlines())
    return NativeRules(load_source(Source("turns.yaml", GAME.format(turn=indented))))


def shape(turn: InPlace | None) -> object:
    """Return how a move is drawn, in short."""
    if isinstance(turn, Cases):
        return (shape(turn.then), shape(turn.otherwise))
    return {Plain: "drawn", Counted: "counted", type(None): "searched"}[type(turn)]


def shape_of(rules: NativeRules) -> object:
    return shape(rules.code.written.shared.plan.turn(0, 0).in_place)


STEP = "choose s in own\nchoose t in orthogonal(s) & empty\nmove s to t"
TAKING = """\
choose s in own
choose t in orthogonal(s) & empty
move s to t
if some orthogonal(t) & enemy
  choose x in enemy
  remove x"""
CHAIN = """\
choose s in own
let spot = s
set trace = 5 * row(s) + column(s)
repeat while some diagonal(spot) & empty and stage < 6
  choose b in diagonal(spot) & empty
  move spot to b
  set spot = b
  set stage = stage + 3
  set trace = (trace * 31 + row(b) * 5 + column(b)) mod 10007"""

HOPS = """\
let spot = s
repeat
  choose b in diagonal(spot) & empty
  move spot to b
  set spot = b
  set stage = (stage + 3) mod 10
  set trace = (trace * 31 + row(b) * 5 + column(b)) mod 10007
until no diagonal(spot) & empty or stage > 5"""


ROWS = """\
choose s in own
choose t in compass(s) & empty
move s to t
if some d in (north, east, northeast) where t in d(own) | inverse(d)(own) and some own & bottom
  choose x in enemy - adjacent(own)
  remove x
else
  set trace = (trace + 1) mod 10"""
LEAVING = """\
choose s in own
remove s & rows(1)
set trace = 5 * row(s) + column(s)
choose t in orthogonal(s) & empty
place Stone at t
if t in east(own - s) & west(own | top) or t in top - north(own)
  choose x in own
  set trace = trace * 31 + 5 * row(x) + column(x)
  if x in corners
    remove x"""


def nested(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def late(rules: NativeRules, number: int) -> list[State]:
    """Return positions of random games in which there is a choice."""
    found: list[State] = []
    for game in range(100):
        state = rules.playout(rules.start(), Chance(5, game), 2 + game % 12).state
        if rules.outcome(state) is None and 2 < len(rules.legal(state)) < 150:
            found.append(state)
    assert len(found) >= number
    return found[:number]


@pytest.mark.at_night("turn3", "turn1")
@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (STEP, "drawn"),
        (TAKING, "counted"),
        (f"{TAKING}\n  require row(x) != row(t)", "counted"),
        (f"{TAKING}\n  choose y in own\n  set trace = 5 * row(y) + column(y)", "counted"),
        (CHAIN, "counted"),
        (
            f"choose s in own\nset trace = 5 * row(s) + column(s)\nif some diagonal(s) & empty\n"
            f"{nested(HOPS)}\nelse\n  choose t in empty\n  move s to t",
            "counted",
        ),
        (f"choose s in own where some diagonal(s) & empty\n{HOPS}", "searched"),
        (
            "if stage < 5\n  choose s in empty\n  place Stone at s\nelse\n" + nested(TAKING),
            ("drawn", "counted"),
        ),
        (
            "let few = count(own) < 9\nchoose s in own\nif few\n  choose t in empty\n"
            "  move s to t\nelse\n  remove s\n  set trace = trace + 1",
            ("drawn", "drawn"),
        ),
        (
            f"if stage = 3\n  choose s in empty\n  place Stone at s\n"
            f"  repeat stage - 1 times\n    choose u in orthogonal(s) & empty\n"
            f"    place Stone at u\nelse\n{nested(STEP)}",
            ("searched", "drawn"),
        ),
    ],
)
def test_moves_are_equally_likely(turn: str, expected: object) -> None:
    rules = rules_of(turn)
    assert shape_of(rules) == expected
    for state in late(rules, 3):
        assert_moves_are_uniform(rules, state, 40 * len(rules.legal(state)))


@pytest.mark.at_night("turn1")
@pytest.mark.parametrize("turn", [TAKING, ROWS, LEAVING])
def test_more_is_decided_only_after_sites_that_are_told(turn: str) -> None:
    """The plan tells some of the sites; random moves are as likely as others all the same."""
    rules = rules_of(turn)
    plan = rules.code.written.shared.plan.turn(0, 0).in_place
    assert isinstance(plan, Counted) and plan.before_decisions
    for state in late(rules, 4):
        assert_moves_are_uniform(rules, state, 60 * len(rules.legal(state)))


def test_more_ways_than_the_table_holds_are_searched() -> None:
    """A turn with two free placements that each may lead on has hundreds of entries."""
    turn = (
        "choose s in all\nset trace = 0\nchoose t in all - s\n"
        "set trace = 5 * row(t) + column(t)\nif row(s) < 9\n  choose u in (s | t)\n"
        "  set trace = trace * 1000 + 25 * row(u) + column(u) + 5 * row(s) + column(s)"
    )
    rules = rules_of(turn)
    assert shape_of(rules) == "counted"
    assert len(rules.legal(rules.start())) == 25 * 24 * 2
    assert rules.playout(rules.start(), Chance(1), 30).moves == 30


def test_a_way_that_is_given_up_leaves_no_trace_in_variables() -> None:
    """What was set before the choices is as it was when another way is drawn."""
    rules = rules_of(
        "let steps = 0\nchoose s in own\nchoose t in orthogonal(s)\n"
        "set steps = steps + 1\nrequire t in empty and column(t) = stage mod 5 + 1\n"
        "move s to t\nset trace = trace + steps"
    )
    assert shape_of(rules) == "drawn"
    (total,) = (n for n, slot in enumerate(rules.game.program.state) if slot.name == "trace")
    for game in range(40):
        played = rules.playout(rules.start(), Chance(2, game), 12)
        moved = rules.playout(rules.start(), Chance(2, game), 1).state.values[total]
        assert moved == 1
        assert played.state.values[total] <= 12


@pytest.mark.at_night("lines-of-action", "nine-mens")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("draughts", ("counted", "drawn")),
        ("nine-mens-morris", ("counted", "counted")),
        ("lines-of-action", "drawn"),
    ],
)
def test_shipped_games(name: str, expected: object) -> None:
    rules = NativeRules(load_game(name))
    assert shape_of(rules) == expected
    for state in late(rules, 3):
        assert_moves_are_uniform(rules, state, 40 * len(rules.legal(state)))


LONG = " and ".join(
    f"not (some {side}({kind}(own & rows({row}))) & enemy and some {kind}({side}(enemy)) & corners)"
    for row in (1, 2)
    for side, kind in (("north", "diagonal"), ("south", "orthogonal"), ("east", "compass"))
)
ALIKE_AT_LAST = f"""\
if {LONG}
  set trace = (trace + 7) mod 1000
either as walk
  choose s in own
  choose t in orthogonal(s) & empty
  move s to t
or as drop
  choose t in empty & rows(2, 4)
  place Stone at t
or as leave
  choose t in own & corners
  remove t
require {LONG.replace("corners", "top")}"""


@pytest.mark.parametrize(
    ("module", "limit"), [(moves_in_place, "_MUCH_LAST"), (random_moves, "_LONG")]
)
def test_what_is_long_and_the_same_on_all_ways_is_written_once(
    module: ModuleType, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = rules_of(ALIKE_AT_LAST)
    monkeypatch.setattr(module, limit, 1 << 30)
    often = rules_of(ALIKE_AT_LAST)
    assert shape_of(once) == shape_of(often) == "drawn"
    assert len(once.code.games.text) < 0.8 * len(often.code.games.text)
    found = once.playouts(once.start(), 300, 4, 40)
    assert found == often.playouts(often.start(), 300, 4, 40)
    assert found.playouts - found.unfinished > 100


def test_random_moves_of_ways_that_end_alike_are_uniform() -> None:
    rules = rules_of(ALIKE_AT_LAST)
    for state in late(rules, 3):
        assert_moves_are_uniform(rules, state, 2_000)
