"""Earlier positions that native code wrote down: equal to those that the reference remembers."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest

from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime.exchange import PackedHistory
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.history import History
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game


@pytest.mark.at_night("shogi")
@pytest.mark.parametrize("name", ["chess", "go", "shogi"])
def test_they_are_those_of_the_reference(name: str) -> None:
    game = load_game(name)
    native, reference = NativeRules(game), ReferenceRules(game)
    states = native.playout_states(native.start(), Chance(3), 30)
    state = reference.start()
    assert any(isinstance(value, PackedHistory) for value in states[-1].values)
    for before, after in pairwise(states):
        made = (reference.apply(state, move) for move in reference.legal(before))
        state = next(one for one in made if one.values == after.values)
        assert hash(state.values) == hash(after.values)
    assert native.hash(state) == native.hash(states[-1])
    assert [move.text for move in native.legal(state)] == [
        move.text for move in reference.legal(states[-1])
    ]
    assert pickle.loads(pickle.dumps(states[-1])) == state


def test_those_of_a_whole_game_are_those_of_its_moves() -> None:
    native = NativeRules(load_game("chess"))
    whole = native.playout(native.start(), Chance(5), 60).state
    by_moves = native.playout_states(native.start(), Chance(5), 60)[-1]
    assert whole == by_moves
    other = NativeRules(load_game("chess"))
    assert [m.text for m in other.legal(by_moves)] == [m.text for m in native.legal(whole)]


def test_keys_are_read_once_and_in_part() -> None:
    read: list[bytes] = []

    def unpack(new: bytes) -> list[tuple[int]]:
        read.append(new)
        return [(one,) for one in new]

    first = PackedHistory(History().adding((1,)), b"\x02\x02", unpack, 3)
    second = PackedHistory(first, b"\x01", unpack, 4)
    assert second == PackedHistory(first, b"\x01", unpack, 4)
    assert read == []
    assert first.count((2,)) == 2
    assert second.count((1,)) == 2 and second.count((3,)) == 0
    assert read == [b"\x02\x02", b"\x01"]
    assert second != first
    assert second == History({(1,): 2, (2,): 2})
    with pytest.raises(AttributeError):
        _ = second.nothing  # type: ignore[attr-defined]
