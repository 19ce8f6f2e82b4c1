"""Each legal move is equally likely, by both evaluators: every construct that can be drawn.

In: small games, one for each way in which a turn decides something. Out: what then holds: their
random moves pass the test of `uniform.py`; a bound of the ways on that is too small does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from uniform import assert_moves_are_uniform

from gdl.analysis.bounds_of_ways import BoundsOfWays
from gdl.analysis.plain_turns import Plain, Way
from gdl.analysis.plan import Plan, plan_for_code
from gdl.core import build
from gdl.diagnostic import Source
from gdl.interpreter.evaluation.evaluator import Evaluator
from gdl.interpreter.native.games import moves_in_place
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.reference.ways import Ways
from gdl.load import load_source
from gdl.model import Game

HEAD = """\
game: Drawn
players: White, Black
pieces: Stone, King
board: square(3, 3)
state:
  code: number
  spots: sites
stuck: draw
"""
SET_UP = """\
setup:
  White Stone: a1 | b2 | c1
  Black Stone: b3
"""
TURNS = {
    "single": """
  choose s in empty
  place Stone at s
""",
    "single by condition": """
  choose s in empty where row(s) + column(s) != 4
  place Stone at s
""",
    "either": """
  either as low
    choose s in rows(1) & empty
    place Stone at s
  or as high
    choose s in rows(2, 3) & empty
    place King at s
  or as none
    set code = 1
""",
    "more on some sites": """
  choose t in empty
  place Stone at t
  if t in Stone & rows(2, 3)
    either as low
      set code = 1
    or as high
      place King at t
    or as none
      set code = 2
""",
    "more where it was told before": """
  choose t in empty
  let may = t in rows(2) or some adjacent(t) & enemy
  place Stone at t
  if may
    optionally as more
      set code = 1
""",
    "either in either": """
  either as one
    either as two
      choose s in empty
      place Stone at s
    or as three
      choose n in 1..3
      set code = n
  or as four
    choose s in corners & empty
    place King at s
""",
    "optionally": """
  choose s in empty
  place Stone at s
  optionally
    choose t in adjacent(s) & empty
    place King at t
    optionally as more
      set code = 1
""",
    "in any order": """
  choose a in empty
  place Stone at a
  choose b in empty unordered with a
  place Stone at b
""",
    "in any order, near": """
  choose a in empty
  place Stone at a
  choose b in adjacent(a) & empty unordered with a
  place Stone at b
""",
    "in any order, with unlike results": """
  choose a in empty
  place Stone at a
  choose b in empty unordered with a
  if row(a) = 1
    place King at b
  else
    place Stone at b
""",
    "in any order, with a condition": """
  choose a in empty
  place Stone at a
  choose b in empty unordered with a
  place Stone at b
  require count(own & corners) < 3
""",
    "several at once": """
  choose 2 stones in empty
  place Stone at stones
""",
    "up to three at once": """
  choose 1..3 stones in empty
  place Stone at stones
""",
    "three at once, with a condition": """
  choose 3 stones in empty where count(stones & corners) < 2
  place Stone at stones
""",
    "keep most": """
  choose a in own
  choose b in all - own
  move a to b
  keep most count(adjacent(b) & own)
""",
    "effects before choices": """
  set code = code + 1
  if some own
    set spots = own
  either
    choose a in own
    choose b in adjacent(a) - own
    move a to b
  or as away
    choose c in own
    remove c
  or as wait
    set code = code + 5
""",
    "effects that choices depend on": """
  set code = code + 1
  set spots = columns(code)
  either
    choose a in empty - spots
    place Stone at a
  or
    choose b in spots & empty
    place King at b
""",
    "keep most, in this case": """
  if some own
    choose a in empty
    place Stone at a
    keep most count(a - top)
  else
    choose a in own
    place King at a
""",
    "keep most, in the other case": """
  if no own
    choose a in empty
    place Stone at a
    keep most count(a - top)
  else
    choose a in own
    choose b in adjacent(a) - own
    move a to b
""",
    "keep most, of many": """
  choose n in 0..99
  set code = n
  keep most min(n, 20)
""",
    "keep most, in any order": """
  choose a in empty
  place Stone at a
  choose b in empty unordered with a
  place Stone at b
  keep least count(own & top)
""",
    "rounds": """
  repeat 2 times
    choose s in empty
    set code = code * 10 + row(s) * 3 + column(s) - 3
    place Stone at s
""",
    "rounds until": """
  let n = 0
  repeat
    choose m in 1..3
    set code = code * 4 + m
    set n = n + m
  until n >= 3
""",
    "a chain": """
  choose a in own
  let here = a
  repeat
    choose b in adjacent(here) & empty - spots
    move here to b
    set here = b
    add b to spots
    set code = code * 10 + row(b) * 3 + column(b) - 3
  until row(here) = 3 or no adjacent(here) & empty - spots
""",
    "for each": """
  for each t in corners & empty
    either as fill
      place Stone at t
    or as leave
      set code = code + 1
""",
    "require": """
  choose s in empty
  place Stone at s
  require no adjacent(s) & enemy
""",
    "require before the choice": """
  either as one
    require count(own) = 3
    choose s in empty
    place Stone at s
  or as two
    require count(own) = 4
    choose s in empty
    place King at s
""",
    "a choice that depends on one": """
  choose a in own
  choose b in adjacent(a) & empty
  move a to b
""",
    "three that depend on each other": """
  choose a in own
  choose b in adjacent(a) & empty
  move a to b
  choose c in north(b) | east(b) | a
  add c to spots
""",
    "a slide": """
  choose a in own
  choose b in slides(a, orthogonal, empty)
  move a to b
""",
    "dead ends": """
  choose a in own
  choose b in adjacent(a) & empty
  choose c in north(b) & empty
  move a to c
  add b to spots
""",
    "few of many": """
  choose a in empty
  choose b in empty - a
  require row(a) = row(b) and column(a) < column(b)
  place Stone at a
  place King at b
""",
    "numbers": """
  choose n in 1..5
  choose m in n..6
  set code = n * 10 + m
""",
    "sides and kinds": """
  choose p in players
  choose k in (Stone, King)
  choose s in top & empty
  place p k at s
""",
    "directions": """
  choose a in own
  choose d in orthogonal
  require some d(a) & empty
  move a to d(a)
""",
    "can": """
  choose s in empty
  place Stone at s
  require not (can enemy make some b1 & enemy & adjacent(a1)) or s in corners
""",
    "a loop that some ways miss": """
  choose s in own
  set code = row(s) * 3 + column(s)
  if some adjacent(s) & enemy
    repeat
      choose t in adjacent(s) - own
      set spots = t & enemy
      place Stone at t
      set code = code * 20 + row(t) * 3 + column(t)
    until no spots
  else
    choose t in adjacent(s) & empty
    place Stone at t
    set code = code * 20 + row(t) * 3 + column(t)
""",
    "swap words": """
  either as low
    set code = 1
  or as high
    set code = 2
  either as one
    set code = code + 10
  or as two
    set code = code + 20
    choose n in 1..2
    set code = code * n
""",
    "again or not": """
  either as on
    choose s in empty
    choose t in adjacent(s) & own
    place Stone at s
    set code = row(t) * 3 + column(t)
    again
  or as over
    set code = 1
""",
}
CHANCE = """\
game: Tossed
players: White, Black
board: square(3, 1)
state: {code: number}
phases:
  toss:
    seat: nobody
    turn: |
      choose k in 1..3
      choose m in k..4
      set code = k * 10 + m
      go to act
  act: |
    choose s in empty
    place Stone at s
    go to toss
stuck: draw
"""
EVALUATORS: dict[str, Callable[[Game], Evaluator]] = {
    "native": NativeRules,
    "checked": lambda game: NativeRules(game, checked=True),
    "arrays": lambda game: NativeRules(game, most_register_sites=0),
    "reference": ReferenceRules,
}
DRAWS_A_MOVE = 60


def game_of(turn: str) -> Game:
    return load_source(Source("drawn.yaml", f"{HEAD}{SET_UP}turn: |{turn}"))


@pytest.fixture(params=list(EVALUATORS))
def make(request: pytest.FixtureRequest) -> Callable[[Game], Evaluator]:
    """What makes an evaluator."""
    return EVALUATORS[request.param]


def plan(turn: str) -> Plan:
    game = game_of(turn)
    return plan_for_code(game.program, game.board.size)


def check(rules: Evaluator) -> None:
    start = rules.start()
    assert_moves_are_uniform(rules, start, DRAWS_A_MOVE * len(rules.legal(start)))


@pytest.mark.at_night("checked-", "arrays-", "reference-keep most")
@pytest.mark.parametrize("turn", TURNS.values(), ids=list(TURNS))
def test_moves_are_equally_likely(turn: str, make: Callable[[Game], Evaluator]) -> None:
    check(make(game_of(turn)))


def test_what_nobody_decides_is_equally_likely(make: Callable[[Game], Evaluator]) -> None:
    check(make(load_source(Source("tossed.yaml", CHANCE))))


def test_a_way_that_stands_for_no_move_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ways, "_is_listed", lambda *arguments: True)
    with pytest.raises(AssertionError):
        check(ReferenceRules(game_of(TURNS["in any order, with unlike results"])))


@pytest.mark.parametrize("name", ["more on some sites", "more where it was told before"])
def test_what_more_ways_on_need_is_asked_as_it_is(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = plan(TURNS[name]).turns[0].in_place
    assert isinstance(turn, Plain)
    assert [way.needed_for_more is None for way in turn.ways] == [False]
    monkeypatch.setattr(Way, "needed_for_more", build.NO)
    with pytest.raises(AssertionError):
        check(NativeRules(game_of(TURNS[name])))


BOUNDED = ["a choice that depends on one", "three that depend on each other", "a slide"]


@pytest.mark.parametrize("name", BOUNDED)
def test_a_bound_that_is_too_small_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most = BoundsOfWays._most

    def too_small(self: BoundsOfWays, choice: Any) -> int:
        return max(1, most(self, choice) - 2)

    monkeypatch.setattr(BoundsOfWays, "_most", too_small)
    with pytest.raises(AssertionError):
        check(NativeRules(game_of(TURNS[name])))


@pytest.mark.parametrize("name", BOUNDED)
def test_a_bound_that_is_too_large_is_none_the_worse(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = BoundsOfWays._most
    monkeypatch.setattr(BoundsOfWays, "_most", lambda self, choice: most(self, choice) + 1)
    check(NativeRules(game_of(TURNS[name])))


COUNTED = (
    *BOUNDED,
    *("optionally", "in any order, near", "in any order, with a condition", "dead ends"),
    *("few of many", "directions", "can", "swap words", "again or not"),
)


@pytest.mark.parametrize("name", COUNTED)
def test_moves_are_equally_likely_where_all_numbers_are_tried(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moves_in_place, "MOST_DRAWS", 1)
    check(NativeRules(game_of(TURNS[name])))
