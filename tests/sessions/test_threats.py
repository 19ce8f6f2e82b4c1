"""Threats: what the other sides could do at once if it were their turn."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from reached import after

from gdl.diagnostic import Source
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.positions.threats import threats
from gdl.load import load_source


@pytest.mark.parametrize(
    ("game", "moves", "winning", "taken"),
    [
        ("tic-tac-toe", "a1 b2 a2", "a3", ""),
        ("connect-four", "a1 b1 a2 b2 a3", "a4", ""),
        ("chess", "e2-e4 d7-d5 a2-a3", "", "d5"),
        ("draughts", "c3-d4 f6-e5", "", "d4"),
        ("hex", "", "", ""),
        ("royal-game-of-ur", "", "", ""),
        ("peg-solitaire", "", "", ""),
    ],
)
def test_what_others_threaten(game: str, moves: str, winning: str, taken: str) -> None:
    position = after(game, moves)
    found = threats(position)
    names = [site.name for site in position.rules.game.board.sites]
    assert [move.text for move in found.winning] == winning.split()
    assert sorted(names[site] for site in found.taken) == taken.split()
    assert found.is_whole


def test_who_is_on_turn_is_told_of_a_win_as_well() -> None:
    found = threats(after("tic-tac-toe", "a1 b1 a2 b2"))
    assert [move.text for move in found.chances] == ["a3"]
    assert found.text == "X can win at once by a3. O threatens to win by b3."
    assert threats(after("tic-tac-toe", "a1")).text == "X threatens nothing at once."


@pytest.mark.parametrize(
    ("game", "moves", "says"),
    [
        (
            "nine-mens-morris",
            "a1 b2 d1 f2",
            "Black threatens to take one of 2 pieces by d2 a1, d2 d1.",
        ),
        ("chess", "e2-e4 d7-d5 a2-a3", "White threatens to take 1 piece by e4-d5."),
        ("dots-and-boxes", "a1h a1v b1v", "First threatens to score by a2h."),
        ("go", "", "White threatens nothing at once."),
    ],
)
def test_it_is_told_by_what_pieces_or_points_would_be_won(game: str, moves: str, says: str) -> None:
    found = threats(after(game, moves))
    assert found.text == says
    assert not found.scoring or found.marked


def test_where_most_pieces_could_be_taken_only_the_most_at_once_is_told() -> None:
    text = (
        "game: Prey\nplayers: A, B\npieces: Stone\nboard: square(7, 2)\nturn: |\n"
        "  choose s in own\n  choose t in {}\n  remove t\nend: draw when turns = 9\n"
        "setup: {{A Stone: bottom, B Stone: top}}\n"
    )
    alike = threats(Rules(load_source(Source("prey.yaml", text.format("enemy")))).start())
    assert alike.text == "B threatens to take any of 7 pieces." and not alike.marked
    more = text.format("enemy").replace("remove t", "remove t | east(t & a1)")
    most = threats(Rules(load_source(Source("prey.yaml", more))).start())
    assert most.many == 0 and most.taken == {0, 1} and most.most_taken == 2


def test_several_others_threaten_nothing_each() -> None:
    text = "game: Three\nplayers: A, B, C\npieces: Stone\nboard: square(2, 2)\nturn: |\n"
    text += "  choose s in empty\n  place Stone at s\nstuck: draw\n"
    start = Rules(load_source(Source("three.yaml", text))).start()
    assert threats(start).text == "Neither B nor C threatens anything at once."


def test_who_has_no_time_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.interpreter.positions.threats._SECONDS", 0)
    found = threats(after("amazons", ""))
    assert not found.is_whole and found.text.endswith("Not all moves were looked at.")


def test_line_by_line_they_are_marked() -> None:
    told = CliRunner().invoke(make_app(), ["play", "tic-tac-toe"], input="a1\nb2\na2\nthreats\n")
    assert "X threatens to win by a3." in told.stdout and "│ x │" in told.stdout
