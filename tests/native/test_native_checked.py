"""Checked native code: it plays the same games, and finds what must not be."""

from __future__ import annotations

from typing import Any

import pytest

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import Range
from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.exchange import NativeFault
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.sets.arrays import ArraySets
from gdl.interpreter.native.sets.registers import RegisterSets
from gdl.load import load_game, load_source

GAMES = ("hex", "othello", "go", "draughts", "taifas", "kalah", "nine-mens-morris", "trellis")


@pytest.mark.at_night("trellis", "draughts")
@pytest.mark.parametrize("name", GAMES)
def test_the_same_games(name: str) -> None:
    game = load_game(name)
    plain, checked = NativeRules(game), NativeRules(game, checked=True)
    played = [rules.playouts(rules.start(), 20, 1, 300) for rules in (plain, checked)]
    assert played[0] == played[1]
    assert plain.perft(plain.start(), 2) == checked.perft(checked.start(), 2)


def test_bounds_that_are_too_narrow_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    of = NumberRanges.of

    def narrow(self: NumberRanges, node: Any) -> Range:
        found = of(self, node)
        return Range(0, 2) if getattr(node, "name", "") == "count" else found

    monkeypatch.setattr(NumberRanges, "of", narrow)
    game = load_game("othello")
    rules = NativeRules(game, checked=True)
    with pytest.raises(NativeFault):
        rules.playouts(rules.start(), 5, 1, 300)


def test_sites_beyond_the_board_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_bits(self: RegisterSets, f: Any, a: Any, b: Any) -> Any:
        inside = f.binary("xor", self.type, self.mask(f, b), -1)
        return type(a)(f.binary("or", self.type, self.mask(f, a), inside))

    monkeypatch.setattr(RegisterSets, "difference", all_bits)
    rules = NativeRules(load_game("tic-tac-toe"), checked=True)
    with pytest.raises(NativeFault):
        rules.playouts(rules.start(), 5, 1, 300)


@pytest.mark.at_night("chess")
@pytest.mark.parametrize("name", ["chess", "gipf"])
def test_sets_in_memory_that_lie_elsewhere_are_found(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, begin = load_game(name), ArraySets.__init__
    rules = NativeRules(game, checked=True, most_register_sites=0)
    assert rules.playouts(rules.start(), 3, 1, 300) == NativeRules(game).playouts(
        rules.start(), 3, 1, 300
    )

    def narrow(self: ArraySets, module: Any, size: int, bounds: Any) -> None:
        begin(self, module, size, dict.fromkeys(bounds, 1))

    monkeypatch.setattr(ArraySets, "__init__", narrow)
    rules = NativeRules(game, checked=True, most_register_sites=0)
    with pytest.raises(NativeFault):
        rules.playouts(rules.start(), 3, 1, 300)


HARD_TO_NUMBER = """\
game: Hard to number
players: White, Black, Red
board:
  points: a1 b1 c1 a2 c2 b3
  lines: [a1 b1 c1, a1 a2, c1 c2, a2 b3 c2]
state:
  told(1..3): number
  shown(1..2): sites
  sure(1..2): flag
  last: kind = Stone
  mode: name in (calm, wild) = wild
  power: mark in 0..5
turn: |
  repeat
    set mode = wild
  until yes
  let round = 0
  repeat
    change Red to own
    add 1 to round
  until (owner(first(interior)) in players) or round >= 2
  set told(1) = seen(board)
  set told(2) = max(abs(power(c1)), power(a1) * passed, power(b3))
  set shown(2) = sites g in groups(bottom - (union n in 0..2 of Black), adjacent)
    where joined(g, own, (pairs one, other in north where last = last), first(g))
  set sure(1) = joined(vertices, enemy, chain(adjacent & identity, inverse(diagonal)),
    (reach(bottom, north) when even(passed)))
"""


def test_code_is_compiled_in_which_llvm_numbers_values_without_end() -> None:
    """LLVM issue 60439: its NewGVN ends the process here (found by a generated program)."""
    rules = NativeRules(load_source(Source("hard.yaml", HARD_TO_NUMBER)), checked=True)
    rules.compile()
    assert rules.playouts(rules.start(), 2, 1, 4).moves == 8
