"""The pass `disjoint-layers`: layers that have nothing on a chosen site are not asked for it."""

from __future__ import annotations

import pytest

from gdl.core.listing import Names, listing
from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_source
from gdl.model import Game
from gdl.optimise import optimise

HEAD = """\
game: Apart
players: White, Black
pieces: Man, King
board: square(4, 4)
setup:
  White Man: a1 | b1
  White King: c1
  Black Man: b4 | c4
  Black King: d4
stuck: draw
turn: |
"""
STEP = """\
  choose s in own
  choose t in compass(s) - own
  move s to t
"""
AGAIN = """\
  choose s in own & Man
  choose t in compass(s) & empty
  place King at t
  remove s
  if t in top | bottom
    choose u in compass(t) - own
    move t to u
  require not s in enemy
"""
LOOP = """\
  choose s in own
  for each t in compass(s) & enemy
    remove t
    for each u in compass(t) & empty
      if not s in enemy
        place White Man at u
"""


def game_of(turn: str) -> Game:
    """Return the game with this turn."""
    return load_source(Source("apart.yaml", HEAD + turn))


def told(turn: str) -> list[str]:
    """Return the lines of the turn of White after optimisation."""
    game = game_of(turn)
    sites = tuple(site.name for site in game.board.sites)
    program = optimise(game.program, len(sites), ["disjoint-layers"])
    names = Names(sites, game.sides, game.relations, game.regions)
    lines = listing(program, names).splitlines()
    begin = next(n for n, line in enumerate(lines) if line.endswith("turn of White"))
    end = next(n for n, line in enumerate(lines) if line.endswith("turn of Black"))
    return [line.strip() for line in lines[begin:end]]


def test_an_enemy_has_nothing_on_an_own_piece() -> None:
    lines = told(STEP)
    assert "Black Man := difference(Black Man, t)" in lines
    assert "Black King := difference(Black King, t)" in lines
    own = next(line for line in lines if line.startswith("White Man :="))
    assert own.startswith("White Man := union(difference(White Man, s)")


def test_nothing_is_taken_off_an_empty_site() -> None:
    lines = told("  choose s in empty\n  place Man at s\n")
    assert [line for line in lines if ":=" in line] == ["White Man := union(White Man, s)"]


def test_what_has_moved_is_not_forgotten() -> None:
    lines = told("  choose s in empty\n  place Man at s\n  remove s\n")
    assert "White Man := difference(White Man, s)" in lines
    assert not [line for line in lines if line.startswith("Black")]


@pytest.mark.parametrize("turn", [STEP, AGAIN, LOOP], ids=["step", "again", "loop"])
def test_the_same_games_are_played(turn: str) -> None:
    game = game_of(turn)
    limits = Limits(games=10, max_plies=40, seconds=600)
    verdict = verify(ReferenceRules(game), NativeRules(game), 1, limits)
    assert verdict.difference is None
