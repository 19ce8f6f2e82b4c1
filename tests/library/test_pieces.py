"""The pieces of a game: how each moves, in words and in pictures."""

from __future__ import annotations

import re

import pytest
from library_games import shipped, uncaptioned

from gdl.interpreter.english import in_words, plural
from gdl.interpreter.library.pieces import pieces_text, pieces_told
from gdl.interpreter.library.portrait import portrait
from gdl.interpreter.positions.meant import ADVISED
from gdl.interpreter.render.svg import render_svg
from gdl.interpreter.words.rules import told_of_kind
from gdl.load import load_game, shipped_names


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("chess", 6), ("onitama", 2), ("tablut", 2), ("draughts", 2), ("stratego", 12)],
)
def test_each_kind_is_told_once_with_its_figures(name: str, kinds: int) -> None:
    told = pieces_told(load_game(name))
    assert len(told) == len({piece.kind for piece in told}) == kinds
    for piece in told:
        assert piece.marks and all(mark.kind == piece.kind for mark in piece.marks)
        assert any(piece.told)


@pytest.mark.parametrize("name", shipped_names())
def test_each_kind_on_the_board_is_told_of_in_about(name: str) -> None:
    """By its name, or by each word of a name of several: a tall red round piece is so in Quarto."""
    game = shipped(name)
    about = portrait(game)
    steps = (line for _, line in about.turns)
    told = " ".join((about.about, about.rules, *about.kinds, *about.meanings, *steps, *about.ends))
    for kind in game.kinds if len(game.kinds) > 1 else ():
        assert any(told_of_kind(game, kind)), kind
        words = in_words(kind)
        named = [rf"\b({one}|{plural(one)})\b" for one in (words, *words.split())]
        found = [re.search(name, told, re.IGNORECASE) is not None for name in named]
        assert found[0] or all(found[1:]), kind


def test_a_picture_marks_where_the_piece_may_go_and_nothing_else() -> None:
    scenes = {piece.kind: piece.scene for piece in pieces_told(load_game("chess"))}
    for kind, scene in scenes.items():
        assert scene is not None, kind
        (site,) = scene.last
        assert scene.marks[site].kind == kind
        column, row = scene.board.sites[site].column, scene.board.sites[site].row
        ways = [
            (abs(scene.board.sites[to].column - column), abs(scene.board.sites[to].row - row))
            for to, text in scene.highlights.items()
            if text == ADVISED
        ]
        assert len(ways) == len(scene.highlights) > 2
        allowed = {
            "Knight": lambda a, b: {a, b} == {1, 2},
            "Bishop": lambda a, b: a == b,
            "Rook": lambda a, b: 0 in (a, b),
            "Queen": lambda a, b: a == b or 0 in (a, b),
            "King": lambda a, b: max(a, b) == 1 or (a, b) == (2, 0),
            "Pawn": lambda a, b: b == 1 or (a, b) == (0, 2),
        }
        assert all(allowed[kind](*way) for way in ways), (kind, ways)
        assert 'class="highlight"' in render_svg(scene)


def test_pieces_that_do_not_move_have_no_picture() -> None:
    (stone,) = pieces_told(load_game("hex"))
    assert stone.scene is None
    assert next(iter(pieces_text(load_game("hex")))) == "\nStone: ● Red, ○ Blue"


def test_what_the_rules_say_only_by_other_words_is_told_in_the_authors() -> None:
    told = {kind: told_of_kind(uncaptioned("hive"), kind)[0] for kind in ("Spider", "Grasshopper")}
    assert told["Spider"] == "“goals”: the sites three steps from the Spider along the hive."
    assert "behind insects in a line with the Grasshopper" in told["Grasshopper"]
    pawn = told_of_kind(uncaptioned("minichess"), "Pawn")
    assert "the enemy's pieces directly east or west" in pawn[0]


def test_hidden_pieces_are_told_as_well() -> None:
    text = "\n".join(pieces_text(load_game("stratego"), ascii=True))
    assert text.isascii()
    assert "Scout: S Red, s Blue" in text
