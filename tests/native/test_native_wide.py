"""Native code where things grow: fractions of hundreds of bits, tables of earlier positions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from replays import replayed

from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.native.runtime import exchange
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_game, load_source


def test_fractions_over_a_common_denominator_of_241_bits() -> None:
    """On a board of 169 squares, zones are worth 1/1 to 1/169."""
    game = load_game("taifas", {"size": 13}, ["fractional"])
    limits = Limits(games=2, max_plies=25, seconds=60)
    verdict = verify(ReferenceRules(game), NativeRules(game, checked=True), 1, limits)
    assert verdict.difference is None
    assert verdict.compared.plies > 20


def test_fractions_on_a_full_board() -> None:
    game = load_game("taifas", {"size": 13}, ["fractional"])
    assert replayed(NativeRules(game, checked=True), 2, 400).finished == 2


@pytest.mark.parametrize("room", [1, 3, 40])
def test_a_table_of_earlier_positions_grows(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("go", {"size": 5})
    usual = NativeRules(game)
    expected = usual.playouts(usual.start(), 30, 7, 2000)
    monkeypatch.setattr(exchange, "_USUAL_ROOM", room)
    grown: list[int] = []
    make_room = exchange.World.make_room

    def noted(self: exchange.World, wanted: int) -> None:
        grown.append(wanted)
        make_room(self, wanted)

    monkeypatch.setattr(exchange.World, "make_room", noted)
    rules = NativeRules(game, checked=True)
    assert rules.playouts(rules.start(), 30, 7, 2000) == expected
    assert max(grown) > max(room, expected.longest or 0)


def test_earlier_positions_are_compared_whole() -> None:
    """Superko forbids what has been, and nothing else: no game breaks a rule of the reference's."""
    game = load_game("go", {"size": 3})
    assert replayed(NativeRules(game, checked=True), 30, 300, seed=3).random_plies > 300


def test_fractions_that_the_rules_do_not_make_are_kept_exactly() -> None:
    """A described position has a third where the rules know halves alone."""
    text = """\
game: Fractions
players: White, Black
board: square(2, 2)
state: {a: fraction = 1 / 2, b: fraction}
turn: |
  choose s in empty
  place Stone at s
  set b = a / 2
stuck: draw
end: White wins when a * 3 = 1 and turns = 2
"""
    game = load_source(Source("fractions.yaml", text))
    reference, native = ReferenceRules(game), NativeRules(game)
    place = next(i for i, slot in enumerate(game.program.state) if slot.name == "a")
    values = list(game.program.initial)
    values[place] = Fraction(1, 3)
    state = native.settle(values)
    assert state == reference.settle(values)
    assert native.legal(state) == reference.legal(state)
    after = native.apply(state, native.legal(state)[0])
    assert after == reference.apply(state, reference.legal(state)[0])
    assert native.outcome(state) == reference.outcome(state)
    assert [native.perft(state, depth) for depth in (1, 2, 3)] == [4, 12, 0]
    assert native.playouts(state, 5, 1, 10).by_side["White"] == 5
    assert native.playout(state, Chance(1), 10).outcome == Outcome(("White",), (1,))
    assert native.step([state], [0]) == [after]
    assert native.hash(state) == native.hash(reference.settle(values))
    assert native.hash(state) != native.hash(native.start())
