"""Slots that a number tells apart: what is such, and that code of many is no longer than of few."""

from __future__ import annotations

import pytest

from gdl.core import build
from gdl.core.nodes import Assign, Branch, Expression, Get, Slot, Statement
from gdl.core.types import NUMBER, SITES
from gdl.diagnostic import Source
from gdl.interpreter.native.emit.blocks import Blocks, Label
from gdl.interpreter.native.emit.kinds import I64, Address
from gdl.interpreter.native.expressions.numbered_slots import (
    OneForSlots,
    assigned_by_number,
    one_for_slots,
)
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_source

MANY = 4
NUMBER_SLOT = Slot("number", NUMBER, low=0, high=MANY - 1)
LAYERS = tuple(Slot(f"layer {i}", SITES, is_state=True) for i in range(MANY))
SITE = Slot("site", SITES)


def below(number: int) -> Expression:
    return build.op("less", (Get(NUMBER_SLOT), build.number(number)), build.YES.type)


def done(parts: list[Statement], first: int = 0) -> Statement:
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    then, otherwise = done(parts[:middle], first), done(parts[middle:], first + middle)
    return Branch(None, below(first + middle), (then,), (otherwise,))


def test_a_number_tells_which_slot_is_changed() -> None:
    gains = [Assign(None, layer, build.union(Get(layer), Get(SITE))) for layer in LAYERS]
    statement = done([*gains])
    assert isinstance(statement, Branch)
    found = assigned_by_number(statement)
    assert found is not None and (found.number, found.slots) == (NUMBER_SLOT, LAYERS)
    assert isinstance(found.value, OneForSlots) and found.value.slots == LAYERS


def test_a_number_that_is_not_told_apart_to_the_end_tells_nothing() -> None:
    emptied = [Assign(None, layer, build.NOWHERE) for layer in LAYERS]
    short, twice = done([*emptied[:3]]), done([*emptied[:3], done([*emptied[:2]])])
    assert isinstance(short, Branch) and isinstance(twice, Branch)
    assert assigned_by_number(short) is None
    assert assigned_by_number(twice) is None


def test_what_differs_in_more_than_a_slot_is_not_one_for_slots() -> None:
    first = [build.union(Get(layer), Get(SITE)) for layer in LAYERS]
    assert one_for_slots(first) is not None
    assert one_for_slots([*first[:3], build.difference(Get(LAYERS[3]), Get(SITE))]) is None
    crossed = [build.union(Get(a), Get(b)) for a, b in zip(LAYERS, LAYERS[::-1], strict=True)]
    assert one_for_slots(crossed) is None


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
