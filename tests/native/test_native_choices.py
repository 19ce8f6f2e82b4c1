"""Ways of writing machine code that may be left out: with and without them, games are the same."""

from __future__ import annotations

import pytest

from gdl.interpreter.native.choices import (
    CHOICES,
    CONNECTIONS,
    DOUBLING,
    HARMLESS,
    RAYS,
    ROWS,
    TREES,
    chosen,
    core_passes,
)
from gdl.interpreter.native.emit.ir import COPIED_HERE
from gdl.interpreter.native.games import moves_in_place
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game
from gdl.optimise import PASSES

ALL = frozenset((*PASSES, *CHOICES))
GAMES = [
    ("othello", {}, (DOUBLING, RAYS)),
    ("troll", {}, (DOUBLING, RAYS)),
    ("tic-tac-toe", {}, (ROWS,)),
    ("connect-four", {}, (ROWS,)),
    ("gomoku", {"size": 8}, (ROWS,)),
    ("gomoku", {}, (ROWS,)),
    ("hex", {"size": 6}, (CONNECTIONS,)),
    ("hex", {"size": 12}, (TREES,)),
    ("chess", {}, (HARMLESS,)),
]


def test_each_choice_is_tried() -> None:
    assert {choice for _, _, choices in GAMES for choice in choices} == set(CHOICES)


@pytest.mark.parametrize(("name", "options", "choices"), GAMES, ids=[name for name, *_ in GAMES])
def test_games_are_the_same_without_a_choice(
    name: str, options: dict[str, int], choices: tuple[str, ...]
) -> None:
    game = load_game(name, options)
    with_all, without = NativeRules(game), NativeRules(game, passes=ALL - set(choices))
    assert with_all.code.ir != without.code.ir
    start = with_all.start()
    assert with_all.playouts(start, 300, 1, 500) == without.playouts(start, 300, 1, 500)


@pytest.mark.parametrize("name", ["draughts", "lines-of-action"])
def test_games_are_the_same_where_moves_are_not_copied_to_the_loop(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game(name)
    copied = NativeRules(game)
    assert f"{COPIED_HERE}\n" in copied.code.games.text
    monkeypatch.setattr(moves_in_place, "_MOST_IN_LOOP", 0)
    called = NativeRules(game)
    assert f"{COPIED_HERE}\n" not in called.code.games.text
    start = copied.start()
    assert copied.playouts(start, 300, 1, 500) == called.playouts(start, 300, 1, 500)


def test_names_of_passes_and_choices_are_told_apart() -> None:
    assert chosen(None) == frozenset(CHOICES)
    assert core_passes(None) is None
    assert chosen(("common-subexpressions", RAYS)) == {RAYS}
    assert core_passes(("common-subexpressions", RAYS)) == frozenset(("common-subexpressions",))


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match="no optimisation is called magic"):
        NativeRules(load_game("tic-tac-toe"), passes=("magic",))
