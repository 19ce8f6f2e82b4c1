"""Moves typed run together, cut short, or by a piece's letter; at the table and in commands."""

from __future__ import annotations

import pytest
from reached import after
from typer.testing import CliRunner

from interpreter.cli.registry import make_app
from interpreter.evaluation.moves import AmbiguousMoveError, MoveError
from interpreter.sessions.typed import typed_move


@pytest.mark.parametrize(
    ("game", "moves", "typed", "meant"),
    [
        ("draughts", "", "c3d4", "c3-d4"),
        ("amazons", "", "d1d7g7", "d1-d7 g7"),
        ("taifas", "", "whiteb2", "White b2"),
        ("connect-four", "", "d", "d1"),
        ("connect-four", "d1", "d", "d2"),
        ("chess", "", "Nc3", "b1-c3"),
        ("chess", "g1-f3 a7-a6", "Ng1", "f3-g1"),
        ("chess", "g1-f3 a7-a6", "Nbc3", "b1-c3"),
        ("chess", "g1-f3 a7-a6", "N1c3", "b1-c3"),
        ("chess", "g1-f3 e7-e5", "Nxe5+", "f3-e5"),
        ("chess", "", "e4", "e2-e4"),
        ("troll", "", "d5", "d5"),
    ],
)
def test_a_short_text_means_the_only_move_that_it_can(
    game: str, moves: str, typed: str, meant: str
) -> None:
    assert typed_move(typed, after(game, moves)).text == meant


@pytest.mark.parametrize(
    ("game", "moves", "typed"),
    [
        ("draughts", "", "c3"),
        ("troll", "", "d"),
        ("chess", "", "Nd2"),
        ("chess", "", "e"),
        ("lines-of-action", "", "b1"),
        ("hex", "a1", "a"),
        ("hex", "a1", "a1"),
        ("hex", "", "x"),
        ("hex", "", ""),
    ],
)
def test_a_short_text_that_could_be_several_moves_is_none(
    game: str, moves: str, typed: str
) -> None:
    with pytest.raises(MoveError):
        typed_move(typed, after(game, moves))


def test_pieces_of_one_letter_are_told_apart() -> None:
    with pytest.raises(AmbiguousMoveError, match="b1-d2, f3-d2"):
        typed_move("Nd2", after("chess", "g1-f3 a7-a6 d2-d4 a6-a5"))


def test_line_by_line_and_in_commands() -> None:
    told = CliRunner().invoke(make_app(), ["play", "chess"], input="Nc3\nd5\n").stdout
    assert "not a legal move" not in told and "8 │ ♜ │ ♞ │" in told
    assert CliRunner().invoke(make_app(), ["show", "chess", "--after", "e2e4, Nf6"]).exit_code == 0
