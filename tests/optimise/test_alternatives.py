"""Alternatives that are alike: they are made one, which is as good as all of them."""

from __future__ import annotations

from itertools import islice

import pytest
from uniform import assert_moves_are_uniform

from gdl.core.nodes import Block, Choose, Decide
from gdl.core.walk import (
    expressions_in,
    expressions_of,
    numbered,
    program_statements,
    statements_in,
)
from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_source
from gdl.model import Game
from gdl.optimise.alternatives import merge_alternatives

KINDS = (
    *("Ant", "Bee", "Cow", "Dog", "Elk", "Fox", "Gnu", "Hen"),
    *("Ibis", "Jay", "Kite", "Lynx", "Mole", "Newt", "Owl", "Pig"),
)
HEAD = """\
game: Zoo
players: White, Black
pieces: {kinds}
board: square(4, 4)
define:
  way(Ant): north | south
  way(Bee): north
  way(k): orthogonal
state:
  hand(players, kinds): number in 0..9 = 2
  last: kind
setup:
  White Ant: a1 | b1
  White Bee: c1
  Black Ant: a4 | c4
  Black Cow: b4
stuck: draw
turn: |
"""
TURNS = {
    "of what moves": """
  choose k in kinds where some own & k
  choose s in own & k
  choose t in compass(s) - own
  move s to t
""",
    "of what is put down": """
  choose k in kinds where hand(mover, k) > 0
  choose t in empty
  place k at t
  add -1 to hand(mover, k)
""",
    "without a condition": """
  choose k in kinds
  choose t in empty & way(k)(own)
  place k at t
  set last = k
""",
    "with more for some": """
  choose k in kinds where hand(mover, k) > 0
  choose t in empty
  place k at t
  if k = Bee
    set hand(mover, Cow) = 0
  set last = k
""",
    "of what a piece becomes": """
  choose s in own
  choose t in orthogonal(s) & empty
  move s to t
  choose k in kinds where hand(mover, k) > 0
  change t to k
  require count(own & Dog) < 2
""",
    "within another decision": """
  either
    choose s in own
    choose t in orthogonal(s) & empty
    move s to t
    set last = Dog
  or
    choose k in kinds where hand(mover, k) > 0
    choose t in (top | bottom) & empty
    place k at t
""",
    "with a choice of a number": """
  choose k in kinds where hand(mover, k) > 0
  choose t in empty & rows(2)
  choose n in 1..2
  place k at t
  set hand(mover, k) = n + 2
""",
    "with a loop": """
  choose k in kinds where hand(mover, k) > 0
  choose t in empty & rows(3)
  place k at t
  for each u in orthogonal(t) & enemy
    if u in bottom | top
      remove u
""",
}


def game_of(turn: str, kinds: int = 6) -> Game:
    """Return the game with this turn and so many kinds of pieces."""
    head = HEAD.format(kinds=", ".join(KINDS[:kinds]))
    return load_source(Source("zoo.yaml", head + turn.lstrip("\n")))


def decisions(game: Game) -> list[Decide]:
    """Return the decisions between alternatives that have become one."""
    found = program_statements(merge_alternatives(game.program))
    return [s for s in found if isinstance(s, Decide) and numbered(s) is not None]


def size(block: Block) -> int:
    """Return how many statements there are."""
    return sum(1 for _ in statements_in(block))


@pytest.mark.parametrize("turn", TURNS.values(), ids=list(TURNS))
def test_what_follows_is_there_once(turn: str) -> None:
    game = game_of(turn)
    assert len(decisions(game)) == len(game.sides)
    assert [len(decision.alternatives) for decision in decisions(game)] == [6, 6]
    before = game.program.phases[0].turns[0].program
    after = merge_alternatives(game.program).phases[0].turns[0].program
    assert size(after) < size(before) / 2


@pytest.mark.at_night("number", "more for some", "loop", "without a condition")
@pytest.mark.parametrize("turn", TURNS.values(), ids=list(TURNS))
def test_the_same_games_are_played(turn: str) -> None:
    game = game_of(turn)
    limits = Limits(games=4, max_plies=24, seconds=600)
    verdict = verify(ReferenceRules(game), NativeRules(game, checked=True), 1, limits)
    assert verdict.difference is None


@pytest.mark.at_night("number", "more for some", "loop", "without a condition")
@pytest.mark.parametrize("turn", TURNS.values(), ids=list(TURNS))
def test_moves_are_equally_likely(turn: str) -> None:
    rules = NativeRules(game_of(turn, 5))
    assert_moves_are_uniform(rules, rules.start(), 4000)


def test_made_once_is_made() -> None:
    program = merge_alternatives(game_of(TURNS["of what moves"]).program)
    assert merge_alternatives(program) == program


def test_few_stay_apart() -> None:
    turn = "  choose k in (Ant, Bee, Cow)\n  choose s in empty\n  place k at s\n"
    assert not decisions(game_of(turn))


def instructions(game: Game) -> int:
    """Return how many lines of LLVM's code a game has."""
    return len(NativeRules(game).code.ir.splitlines())


@pytest.mark.parametrize("name", list(islice(TURNS, 4)))
def test_code_grows_with_the_text(name: str) -> None:
    few, many = (instructions(game_of(TURNS[name], kinds)) for kinds in (4, 16))
    assert many < 3 * few


def expressions(game: Game) -> int:
    """Return how many expressions of their own a game's turns have before they are made one."""
    found = {
        id(part)
        for statement in program_statements(game.program)
        for whole in expressions_of(statement)
        for part in expressions_in(whole)
    }
    return len(found)


def test_what_alternatives_have_in_common_is_made_once() -> None:
    few, many = (expressions(game_of(TURNS["of what moves"], kinds)) for kinds in (4, 16))
    assert many < 8 * few


def test_choices_of_one_alternative_have_slots_of_their_own() -> None:
    turn = """  choose k in kinds
  do leave
  do leave
  place k at empty & top
"""
    action = "actions:\n  leave: |\n    choose s in own\n    remove s\n"
    head = HEAD.replace("turn: |\n", action + "turn: |\n").format(kinds=", ".join(KINDS[:6]))
    game = load_source(Source("zoo.yaml", head + turn))
    for statement in statements_in(game.program.phases[0].turns[0].program):
        if isinstance(statement, Decide):
            for way in statement.alternatives:
                chosen = [s.slot for s in way.body if isinstance(s, Choose)]
                assert len(chosen) == len(set(chosen)) == 2
    limits = Limits(games=4, max_plies=24, seconds=600)
    rules = NativeRules(game, checked=True)
    assert verify(ReferenceRules(game), rules, 1, limits).difference is None
