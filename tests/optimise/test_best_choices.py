"""The pass `best-choices`: of a turn that keeps the best ways, only these are chosen."""

from __future__ import annotations

import pytest

from gdl.analysis.plan import plan_for_code
from gdl.core.walk import changed_slots
from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_game, load_source
from gdl.model import Game
from gdl.optimise import PASSES

HEAD = """\
game: The Most
players: White, Black
pieces: Man, King
board: square(6, 6)
relations:
  forward(White): north
  forward(Black): south
  aslant(White): northwest | northeast
  aslant(Black): southwest | southeast
state:
  behind: sites = d3
  code: number in 0..5 = 0
  made: number
setup:
  White Man: rows(1, 2) - c1
  White King: c1
  Black Man: rows(5, 6) - d6
  Black King: d6
define:
  hops(s): union d in (northeast, northwest, southeast, southwest) of jump(s, d, enemy, empty)
  takes(s): (aslant(own)(s) & (enemy | behind)) | forward(own)(s)
  goals(s): (compass(s) when s in King) | (takes(s) when s in Man)
  ride(s): union d in compass of ray(s, d, empty)
stuck: loses
end: stuck
turn: |
"""
KEEP = "  keep least count enemy\n"
STEP = """\
  choose s in own
  choose t in (forward(own)(s) & empty) | (aslant(own)(s) - own)
  remove t & enemy
  move s to t
"""
JUMP = """\
  choose s in own
  choose t in (aslant(own)(s) & empty) | hops(s)
  if t in hops(s)
    remove diagonal(s) & diagonal(t) & enemy
  move s to t
  if t in Man & (top | bottom)
    change t to King
"""
RIDE = """\
  choose s in own
  choose t in ride(s) - own
  remove t & enemy
  move s to t
"""
IN_PASSING = """\
  choose s in own
  choose t in goals(s) - own
  if s in King
    if t in (east^2)(s)
      move east(t) to west(t)
  remove t & enemy
  if s in Man and t = behind
    remove inverse(forward(own))(t)
  set behind = none
  move s to t
  if t in Man & (top | bottom)
    either as King
      change t to King
    or as Man
      set behind = t
"""
ONE = """\
  choose t in all - own
  remove t & enemy
  place Man at t
"""
NUMBER = """\
  choose s in own
  choose t in aslant(own)(s) - own
  let n = 0
  if t in enemy
    set n = 2
    remove t
  else if t in (left | right)
    set n = 1
  move s to t
  keep most n
"""
FITS = {
    "step": STEP + KEEP,
    "jump": JUMP + KEEP,
    "ride": RIDE + KEEP,
    "in passing": IN_PASSING + KEEP,
    "one choice": ONE + KEEP,
    "a number that grows": STEP.replace("  remove", "  add 1 to made\n  remove") + KEEP,
    "more of few": STEP + "  keep most 0 - count enemy\n",
    "a number": NUMBER,
}
STAYS = {
    "required afterwards": STEP + "  require count own > 5\n" + KEEP,
    "two removed at most, not told apart": STEP + "  remove orthogonal(t) & enemy\n" + KEEP,
    "a third choice": STEP + "  choose u in empty\n  place Man at u\n" + KEEP,
    "another value": STEP + "  keep most row(t)\n",
    "kept twice": STEP + "  keep most count own\n" + KEEP,
    "kept in one case": STEP + "  if s in top\n    keep least count enemy\n",
    "an error on some ways": STEP + "  if t in enemy\n    set code = made + 3\n" + KEEP,
    "a gain": STEP + "  keep most count own\n",
}


def game_of(turn: str) -> Game:
    """Return the game with this turn."""
    return load_source(Source("most.yaml", HEAD + turn))


def compares(game: Game) -> bool:
    """Return whether values of ways are compared in the program for code."""
    program = plan_for_code(game.program, game.board.size).program
    return any(program.system.best in changed_slots(turn.program) for turn in program.turns)


def assert_same(game: Game) -> None:
    """Assert that both evaluators play the same games."""
    limits = Limits(games=6, max_plies=40, seconds=600)
    assert verify(ReferenceRules(game), NativeRules(game), 1, limits).difference is None


@pytest.mark.parametrize("turn", FITS.values(), ids=FITS)
def test_only_the_best_are_chosen_and_moves_are_the_same(turn: str) -> None:
    game = game_of(turn)
    assert not compares(game)
    assert_same(game)


@pytest.mark.parametrize("turn", STAYS.values(), ids=STAYS)
def test_what_choices_do_not_tell_is_compared_still(turn: str) -> None:
    game = game_of(turn)
    assert compares(game)
    assert_same(game)


def test_the_pass_can_be_left_out() -> None:
    game = load_game("antichess")
    assert not compares(game)
    passes = [name for name in PASSES if name != "best-choices"]
    turn = plan_for_code(game.program, game.board.size, passes).turns[0]
    assert turn.keeps_best and not turn.chooses_best
    assert plan_for_code(game.program, game.board.size).turns[0].chooses_best
