"""Checked native code: it plays the same games, and finds what must not be."""

from __future__ import annotations

from typing import Any

import pytest

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import Range
from gdl.load import load_game
from interpreter.native.runtime.exchange import NativeFault
from interpreter.native.runtime.rules import NativeRules
from interpreter.native.sets.registers import RegisterSets

GAMES = ("hex", "othello", "go", "draughts", "taifas", "kalah", "nine-mens-morris", "trellis")


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
