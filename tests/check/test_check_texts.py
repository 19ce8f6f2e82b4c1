"""What the rules show of boards and pieces of which the text says something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.interpreter.check import check_game

BOARD = "board: square(6, 5)"
GAME = f"""\
game: Small
players: Black, White
{BOARD}
setup: {{Black Stone: rows(1), White Stone: rows(5)}}
turn: |
  choose s in own
  choose t in orthogonal(s) & empty
  move s to t
stuck: loses
end: draw when turns > 40
about: """
PLACING = f"""\
game: Small
players: Black, White
{BOARD}
setup: {{Black Stone: b2, White Stone: c2}}
turn: |
  choose s in empty & adjacent(enemy)
  place Stone at s
stuck: loses
end: draw when turns > 40
about: """


def told_at(folder: Path, text: str, code: str = "text-differs") -> list[str]:
    """Return the places at which a code is told of a text."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    found = (one.diagnostic for one in check_game(str(path)))
    return [one.span.text for one in found if one.code == code and one.span is not None]


@pytest.mark.parametrize(
    ("says", "is_told"),
    [
        ("Played on 6 by 5 squares.", False),
        ("Played on 5 by 6 squares.", True),
        ("The board has six columns and five rows.", False),
        ("The board has five columns and six rows.", True),
        ("It is 5 squares wide and 6 squares high.", True),
        ("A 5 x 6 board.", True),
        ("A cube of 5 by 6 by 5 places.", False),
        ("Two boxes of 2 by 3 and one of 3 by 3 squares.", True),
        ("Boxes of 2 by 3 squares and boxes of 3 by 3 squares.", False),
        ("A row of five wins.", False),
        ("Small, on 6 by 5 squares. The board has 6 by 6 squares.", True),
    ],
)
def test_a_board_of_another_size_than_the_text_says(
    tmp_path: Path, says: str, is_told: bool
) -> None:
    assert told_at(tmp_path, GAME + says + "\n") == (["square(6, 5)"] if is_told else [])


@pytest.mark.parametrize(
    ("says", "is_told"),
    [
        ("Each side has six stones.", False),
        ("Each side has 6 pieces.", False),
        ("Each player begins with seven stones.", True),
        ("Each side has three goals.", False),
    ],
)
def test_another_number_of_pieces_than_the_text_says(
    tmp_path: Path, says: str, is_told: bool
) -> None:
    assert told_at(tmp_path, GAME + says + "\n") == (["setup"] if is_told else [])


@pytest.mark.parametrize(
    ("first", "asked", "says", "is_told"),
    [
        ("X", "own", "one", False),
        ("X", "own", "two", True),
        ("(XX)", "own & holding(enemy)", "two", False),
        ("(XX)", "own & holding(enemy)", "three", True),
        ("(XX)", "own", "three", False),  # what lies below the uppermost piece is not kept
    ],
)
def test_pieces_in_piles_are_counted(
    tmp_path: Path, first: str, asked: str, says: str, is_told: bool
) -> None:
    second = first.replace("X", "O")
    setup = f'setup: {{rows: "{first} {second} . . . .{"/. . . . . ." * 4}"}}'
    text = GAME.replace("setup: {Black Stone: rows(1), White Stone: rows(5)}", setup)
    text = text.replace("& empty", "- own").replace("move s to", "move s onto")
    text = text.replace("s in own", f"s in {asked}")
    text = text.replace("about: ", f"stacks: 6\nabout: Each side has {says} stones.\n")
    assert told_at(tmp_path, text) == (["setup"] if is_told else [])


@pytest.mark.parametrize(
    ("says", "is_told"),
    [
        ("Each side has twenty stones.", True),
        ("Each side has four stones.", False),
    ],
)
def test_pieces_that_no_rule_counts(tmp_path: Path, says: str, is_told: bool) -> None:
    text = GAME.replace("setup: {Black Stone: rows(1), White Stone: rows(5)}\n", "")
    text = text.replace("s in own", "s in empty").replace("orthogonal(s) & empty", "empty")
    text = text.replace("move s to t", "place Stone at s | t").replace("turns > 40", "turns = 6")
    assert told_at(tmp_path, text + says + "\n") == (["players"] if is_told else [])


@pytest.mark.parametrize(
    ("about", "is_told"),
    [
        ("Who leaves the enemy no move wins.", False),
        ("Who leaves the enemy no move loses.", True),
        ("Who has no move wins.", True),
    ],
)
def test_what_becomes_of_who_cant_move(tmp_path: Path, about: str, is_told: bool) -> None:
    text = f"{GAME}{about}\nrules: A stone goes to a square beside it.\n"
    assert told_at(tmp_path, text) == (["loses"] if is_told else [])


@pytest.mark.parametrize(
    ("says", "is_told"),
    [
        ("Taking all but the King wins.", True),
        ("Taking all but the King wins, unless the next move answers it.", False),
    ],
)
def test_a_loss_of_which_the_text_says_who_wins(tmp_path: Path, says: str, is_told: bool) -> None:
    text = GAME.replace("draw when turns > 40", "mover loses when count own = 1")
    expected = ["mover loses when count own = 1"] if is_told else []
    assert told_at(tmp_path, text + says + "\n") == expected


@pytest.mark.parametrize(
    ("says", "effect", "is_told"),
    [
        ("What is caught is flipped.", "", True),
        ("What is caught is turned over.", "remove north(s) & enemy", True),
        ("What is caught changes colour.", "flip north(s) & enemy", False),
        ("What is caught is captured.", "", True),
        ("What is caught is captured.", "remove north(s) & enemy", False),
        ("Cards are turned up.", "", False),
        ("Tiles are turned by a quarter.", "", False),
    ],
)
def test_pieces_of_which_the_text_says_what_no_statement_does(
    tmp_path: Path, says: str, effect: str, is_told: bool
) -> None:
    text = PLACING.replace("  place", f"  {effect}\n  place" if effect else "  place")
    assert told_at(tmp_path, text + says + "\n") == (["turn"] if is_told else [])


@pytest.mark.parametrize(
    ("size", "is_told"), [("wide, rows_high", False), ("rows_high, wide", True)]
)
def test_a_width_in_the_place_of_a_height(tmp_path: Path, size: str, is_told: bool) -> None:
    text = GAME.replace("square(6, 5)", f"square({size})") + "A game.\n"
    text = text.replace("rows(5)", "top") + "options: {wide: 6, rows_high: 5}\n"
    expected = [f"square({size})"] if is_told else []
    assert told_at(tmp_path, text, "arguments-exchanged") == expected


def test_rows_of_which_another_text_speaks(tmp_path: Path) -> None:
    text = PLACING + "Four in a row win.\nrules: Each side wants three in a row.\n"
    text = text.replace("draw when", "mover wins when in_a_row(own, 4) or")
    assert told_at(tmp_path, text) == []
    assert told_at(tmp_path, text.replace("Four", "Five")) == ["in_a_row(own, 4)"] * 2


CAPTIONED = """game: Small
players: Black, White
board: square(5, 5)
state: {{met(players): sites}}
define:
  beside(s): {{is: {rule}, says: "{says}"}}
turn: |
  choose s in empty where not beside(s)
  place Stone at s
stuck: loses
end: draw when turns > 30
"""


@pytest.mark.parametrize(
    ("rule", "says", "is_told"),
    [
        ("some adjacent(s) & own", "{{s}} is beside an enemy", True),
        ("some adjacent(s) & enemy", "{{s}} is beside an enemy", False),
        ("some adjacent(s) & enemy", "{{s}} is beside a friend", True),
        ("some adjacent(s) & own", "{{s}} is beside a piece of {own}", False),
        ("some adjacent(s) & met(own)", "{{s}} is beside an enemy", False),
        ("some adjacent(s) & own", "{{s}} is beside a friend, not an enemy", False),
        ("some adjacent(s) & enemy", "no stone is beside {{s}}", True),
        ("no adjacent(s) & enemy", "no stone is beside {{s}}", False),
        ("some adjacent(s) & enemy", "no longer alone", False),
        ("some adjacent(s) & enemy", "every one beside {{s}}, or any", False),
    ],
)
def test_a_caption_of_another_side_or_of_all(
    tmp_path: Path, rule: str, says: str, is_told: bool
) -> None:
    text = CAPTIONED.format(rule=rule, says=says.replace("{{", "{").replace("}}", "}"))
    (*places,) = told_at(tmp_path, text.replace("{own}", "one's own"))
    assert len(places) == is_told
    assert all(place in rule for place in places)


@pytest.mark.parametrize(
    ("says", "asked", "is_told"),
    [
        ("No more than three may be used.", "count own >= 3", True),
        ("At most three may be used.", "count own < 3", True),
        ("At most three may be used.", "count own <= 3", False),
        ("Three or more end it.", "count own > 3", True),
        ("At least three, and at most three.", "count own > 3", False),
        ("At least four.", "count own > 3", False),
        ("At least three.", "count own > most", True),
        ("At least three.", "most <= count own", False),
    ],
)
def test_another_bound_than_the_text_says(
    tmp_path: Path, says: str, asked: str, is_told: bool
) -> None:
    text = PLACING.replace("& adjacent(enemy)", f"where not {asked}")
    text = text.replace("about: ", f"define: {{most: 3}}\nabout: {says}")
    assert told_at(tmp_path, f"{text}\n") == ([asked] if is_told else [])


@pytest.mark.parametrize(
    ("says", "back", "is_told"),
    [
        ("A row of three, but not more than twice in a row.", "", True),
        ("A row of three, but not more than twice in a row.", "set extra = 0", False),
        ("Three in a row win.", "", False),
    ],
)
def test_a_counter_of_times_in_a_row(tmp_path: Path, says: str, back: str, is_told: bool) -> None:
    more = "  if some s & top and extra < 2\n    add 1 to extra\n    again\n"
    more += f"  else\n    {back}\n" if back else ""
    text = PLACING.replace("stuck: loses", f"{more}stuck: loses\nstate: {{extra: number in 0..2}}")
    assert told_at(tmp_path, f"{text}{says}\n") == (["extra"] if is_told else [])


@pytest.mark.parametrize(
    ("says", "rule", "place"),
    [
        ("After forty turns it is a draw.", "draw when turns > 40", ""),
        ("After forty turns it is a draw.", "draw when turns >= 41", "draw when turns >= 41"),
        ("Forty turns, or 41 if one is late.", "draw when turns >= 41", ""),
        ("Who has seven wins.", "mover wins when count own >= goal", "8"),
        ("Who has seven wins, after eight turns.", "mover wins when count own >= goal", ""),
        ("Who has seven and no more wins.", "mover wins when count own = 7 or turns = goal", ""),
    ],
)
def test_a_number_next_to_that_of_the_text(
    tmp_path: Path, says: str, rule: str, place: str
) -> None:
    text = PLACING.replace("draw when turns > 40", rule)
    text = text.replace("about: ", f"options: {{goal: 8}}\nabout: {says}\n")
    assert told_at(tmp_path, text) == ([place] if place else [])
