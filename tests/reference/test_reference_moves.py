"""Reading what people type."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gdl.interpreter.evaluation.moves import (
    AmbiguousMoveError,
    IllegalMoveError,
    Move,
    MoveError,
    SeveralMovesError,
    UnreadableMoveError,
    read_move,
)
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.sessions.choosing import Choosing
from gdl.load import load_game

LEGAL = (
    Move((0, 1), "b2-b4"),
    Move((0, 2), "c3 f3", ("f3 c3",)),
    Move((1,), "swap"),
    Move((2, 0), "x4-x5"),
    Move((3, 0), "a1"),
    Move((3, 1), "a1"),
    Move((4, 0), "slide h1-h2 h3"),
    Move((5, 0), "g1"),
    Move((5, 1), "g1-g2"),
)
VOCABULARY = ("b2", "b4", "c3", "f3", "x4", "x5", "a1", "h8", "swap", "Black", "slide")
VOCABULARY += ("h1", "h2", "h3", "g1", "g2")


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("b2-b4", 0),
        (" B2 b4 ", 0),
        ("b2xb4", 0),
        ("b2 x b4", 0),
        ("b2:b4", 0),
        ("b2, b4", 0),
        ("c3 f3", 1),
        ("F3 C3", 1),
        ("SWAP", 2),
        ("x4 x5", 3),
        ("x4xx5", 3),
    ],
)
def test_spellings_of_a_legal_move(text: str, index: int) -> None:
    assert read_move(text, LEGAL, VOCABULARY) is LEGAL[index]


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("a1", AmbiguousMoveError, "2 moves. They read alike"),
        ("h8", IllegalMoveError, "not a legal move"),
        ("b4 b2", IllegalMoveError, "not a legal move"),
        ("pass", IllegalMoveError, "not a legal move"),
        ("c3", IllegalMoveError, "It goes on: c3 f3"),
        ("black", IllegalMoveError, "not a legal move"),
        ("12", IllegalMoveError, "not a legal move"),
        ("b2-b4 c3", SeveralMovesError, "`b2-b4` is a whole move; `c3` is no part of it"),
        ("B2 B4 C3", SeveralMovesError, "`b2-b4` is a whole move; `C3` is no part of it"),
        ("b2xb4, X4xX5", SeveralMovesError, "`b2-b4` is a whole move; `X4xX5` is no part"),
        ("b2-b4-c3", IllegalMoveError, "`b2-b4` is a whole move, and none goes on from there"),
        ("x4-h8", IllegalMoveError, "With `x4` begin: x4-x5."),
        ("slide h1-h2-h8", IllegalMoveError, "With `slide h1-h2` begin: slide h1-h2 h3."),
        ("h1-h2 h3", IllegalMoveError, "Did you mean `slide h1-h2 h3`?"),
        ("g1 h8", IllegalMoveError, "With `g1` begin: g1, g1-g2."),
        ("z9", UnreadableMoveError, "neither a site"),
        ("swpa", UnreadableMoveError, "Did you mean `swap`?"),
        ("B2b4", UnreadableMoveError, "Words of a move stand apart: `b2-b4`."),
        ("slideh1h2", UnreadableMoveError, "Words of a move stand apart: `slide-h1-h2`."),
        ("glide x4-x5", UnreadableMoveError, "Did you mean `x4-x5`?"),
        ("", UnreadableMoveError, "empty"),
        (" - ", UnreadableMoveError, "only stands between the words of a move"),
    ],
)
def test_three_kinds_of_error(text: str, error: type[MoveError], told: str) -> None:
    with pytest.raises(error) as raised:
        read_move(text, LEGAL, VOCABULARY)
    assert told in str(raised.value)


def test_several_moves_are_told_apart() -> None:
    for text, has_comma in (("b2 b4 c3-f3", False), ("b2 b4, c3-f3 ", True)):
        with pytest.raises(SeveralMovesError) as raised:
            read_move(text, LEGAL, VOCABULARY)
        found = raised.value
        assert (found.move, found.rest, found.has_comma) == (LEGAL[0], "c3-f3", has_comma)


def test_no_guess_is_made_among_many_fuller_moves() -> None:
    legal = [Move((number,), f"{word} h1 h2") for number, word in enumerate(("a", "b", "c", "d"))]
    for most, told in ((3, "Did you mean `a h1 h2` or `b h1 h2` or `c h1 h2`?"), (4, "")):
        with pytest.raises(IllegalMoveError) as raised:
            read_move("h1 h2", legal[:most], VOCABULARY)
        assert raised.value.hint == told


def test_a_game_that_is_over_says_so() -> None:
    with pytest.raises(IllegalMoveError) as raised:
        read_move("b2", (), VOCABULARY)
    assert raised.value.hint == "The game is over."


@given(st.text(max_size=40))
def test_any_text_is_a_move_or_a_move_error(text: str) -> None:
    try:
        assert read_move(text, LEGAL, VOCABULARY) in LEGAL
    except MoveError as error:
        assert error.message


def test_moves_are_equal_by_their_decisions_and_text() -> None:
    assert Move((0, 2), "c3 f3") == LEGAL[1]
    assert hash(Move((0, 2), "c3 f3")) == hash(LEGAL[1])
    assert LEGAL[4] != LEGAL[5]


def test_what_a_move_reads_as_is_its_own_though_another_is_equal() -> None:
    in_order, in_any = Move((0, 1), "a1 b1"), Move((0, 1), "a1 b1", ("b1 a1",))
    assert in_order == in_any
    assert in_order.forms == (("a1", "b1"),)
    assert in_any.forms == (("a1", "b1"), ("b1", "a1"))
    assert Choosing((in_order,)).with_word("a1") and Choosing((in_any,)).with_word("b1")
    begun = Choosing((in_any,)).with_word("b1")
    assert begun is not None and begun.offers == ("a1",)


@pytest.mark.parametrize("name", ["amazons", "draughts", "konane", "minichess", "trellis", "hive"])
def test_moves_that_read_so_are_found_without_the_others(name: str) -> None:
    smaller = {"size": 7} if name == "trellis" else None
    rules, chance = ReferenceRules(load_game(name, smaller)), random.Random(1)
    state = rules.start()
    for _ in range(4):
        legal = list(rules.legal(state))
        for text in {move.text for move in chance.sample(legal, min(4, len(legal)))} | {"a1", "zz"}:
            assert list(rules.named(state, text)) == [m for m in legal if m.text == text]
        state = rules.apply(state, chance.choice(legal))
