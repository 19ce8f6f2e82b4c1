"""Reading what people type."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.evaluation.moves import (
    AmbiguousMoveError,
    IllegalMoveError,
    Move,
    MoveError,
    UnreadableMoveError,
    read_move,
)
from interpreter.sessions.choosing import Choosing

LEGAL = (
    Move((0, 1), "b2-b4"),
    Move((0, 2), "c3 f3", ("f3 c3",)),
    Move((1,), "swap"),
    Move((2, 0), "x4-x5"),
    Move((3, 0), "a1"),
    Move((3, 1), "a1"),
)
VOCABULARY = ("b2", "b4", "c3", "f3", "x4", "x5", "a1", "h8", "swap", "Black")


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
        ("a1", AmbiguousMoveError, "2 moves"),
        ("h8", IllegalMoveError, "not a legal move"),
        ("b4 b2", IllegalMoveError, "not a legal move"),
        ("pass", IllegalMoveError, "not a legal move"),
        ("c3", IllegalMoveError, "It goes on: c3 f3"),
        ("black", IllegalMoveError, "not a legal move"),
        ("12", IllegalMoveError, "not a legal move"),
        ("z9", UnreadableMoveError, "neither a site"),
        ("swpa", UnreadableMoveError, "Did you mean `swap`?"),
        ("", UnreadableMoveError, "empty"),
        (" - ", UnreadableMoveError, "empty"),
    ],
)
def test_three_kinds_of_error(text: str, error: type[MoveError], told: str) -> None:
    with pytest.raises(error) as raised:
        read_move(text, LEGAL, VOCABULARY)
    assert told in str(raised.value)


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
