"""The texts of moves: where a `-` stands before the site that a piece goes to."""

from __future__ import annotations

import pytest

from gdl.diagnostic import Source
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_source

GAME = """game: Texts
players: A, B
board: square(3, 1)
setup: {{A Stone: a1}}
actions:
  step(a, b): move a to b
  twice(a, b): |
    if some a
      do step(a, b)
  mark(s): place Stone at s
turn: |
  choose s in own
  choose t in adjacent(s) & empty
  {step}
stuck: draw
"""


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("move s to t", "a1-b1"),
        ("do step(s, t)", "a1-b1"),
        ("do twice(s, t)", "a1-b1"),
        ("do step(t, s)", "a1 b1"),
        ("do mark(t)", "a1 b1"),
        ("for each x in own move x to t", "a1-b1"),
        ("repeat 1 times\n    move s to t", "a1-b1"),
    ],
)
def test_a_dash_stands_before_where_a_piece_goes(step: str, text: str) -> None:
    game = load_source(Source("texts.yaml", GAME.format(step=step)))
    (move,) = Rules(game, ReferenceRules(game)).start().moves()
    assert move.text == text
