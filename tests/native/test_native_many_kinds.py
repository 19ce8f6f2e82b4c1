"""Games of many kinds: they are played as the rules say, and code of many is hardly longer."""

from __future__ import annotations

import pytest

from gdl.diagnostic import Source
from gdl.interpreter.native.emit.blocks import Blocks, Label
from gdl.interpreter.native.emit.kinds import I64, Address
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_source


def test_a_block_works_out_nothing_twice() -> None:
    blocks = Blocks()
    first = blocks.ins("add i64 %a, %b", I64)
    assert blocks.ins("add i64 %a, %b", I64) == first
    blocks.label(Label("next"))
    assert blocks.ins("add i64 %a, %b", I64) != first


def test_memory_is_read_again_after_it_may_have_changed() -> None:
    blocks = Blocks()
    first = blocks.get(I64, Address("%p"))
    assert blocks.get(I64, Address("%p")) == first
    blocks.put(I64, 1, Address("%q"))
    second = blocks.get(I64, Address("%p"))
    assert second != first
    blocks.call(I64, "@f()")
    assert blocks.get(I64, Address("%p")) != second
    volatile = "load volatile i64, ptr %p"
    assert blocks.ins(volatile, I64) != blocks.ins(volatile, I64)


KINDS = (
    *("Ant", "Bee", "Cow", "Dog", "Elk", "Fox", "Gnu", "Hen"),
    *("Ibis", "Jay", "Kite", "Lynx", "Mole", "Newt", "Owl", "Pig"),
)
GAME = """\
game: Zoo
players: White, Black
pieces: {kinds}
board: square(4, 4)
state:
  hand(players, kinds): number in 0..9 = 2
  all_in_hand: number = 0
setup:
  White Ant: a1
  Black Bee: d4
stuck: draw
end:
  - draw when turns >= 40
turn: |
{turn}
"""
DROP = """\
  choose k in kinds where hand(mover, k) > 0
  choose t in empty
  place k at t
  add -1 to hand(mover, k)
"""
MOVE = """\
  choose k in kinds where some own & k
  choose s in own & k
  choose t in orthogonal(s) - own
  move s to t
"""
PROMOTE = """\
  choose s in own
  choose t in orthogonal(s) - own
  move s to t
  if t in top | bottom
    choose k in kinds
    change t to k
"""
FOR_EACH = """\
  choose s in own
  choose t in orthogonal(s) - own
  move s to t
  choose p in empty
  choose l in kinds
  place l at p
  set all_in_hand = 0
  for each k in kinds
    if t in k and hand(mover, k) > hand(mover, Bee) - 1
      remove orthogonal(t) & enemy & k
      add -1 to hand(mover, k)
    add hand(mover, k) to all_in_hand
  if all_in_hand mod 5 = 0
    again
"""


def rules_of(turn: str, kinds: int) -> NativeRules:
    text = GAME.format(kinds=", ".join(KINDS[:kinds]), turn=turn)
    return NativeRules(load_source(Source("zoo.yaml", text)))


@pytest.mark.parametrize("turn", [DROP, MOVE, PROMOTE, FOR_EACH])
def test_four_times_as_many_kinds_are_not_twice_the_code(turn: str) -> None:
    few, many = (rules_of(turn, kinds) for kinds in (4, 16))
    assert len(many.code.written.games) < 1.5 * len(few.code.written.games)
    few.close()
    many.close()


@pytest.mark.at_night("turn2")
@pytest.mark.parametrize(
    "turn", [DROP, MOVE, PROMOTE, pytest.param(FOR_EACH, marks=pytest.mark.slow)]
)
def test_games_of_many_kinds_are_played_as_the_rules_say(turn: str) -> None:
    rules = rules_of(turn, 16)
    assert verify(ReferenceRules(rules.game), rules, 1, Limits(games=3)).difference is None
