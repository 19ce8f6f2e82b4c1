"""Variables that are given and never spent, and numbers that end one too early."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from gdl.interpreter.check import check_game

GAME = """\
game: Small
players: Black, White
board: square(5, 5)
state:
  pot: number in 0..99
  laid: number in 0..8
  banker: side = Black
  coins(players): number in 0..99
turn: |
  choose s in empty
  place Stone at s
  add 1 to laid
  for each p in players
    if p != banker
      add laid to coins(banker)
      set banker = p
  either as pay
    add 1 to pot
  or as take
    add pot to coins(mover)
    set pot = 0
stuck: draw
end: highest coins(own) wins when laid = 8
"""


@pytest.mark.parametrize(
    ("code", "before", "after", "place"),
    [
        ("never-spent", "    set pot = 0\n", "", "add pot to coins(mover)"),
        ("never-spent", "set pot = 0", "add 0 - pot to pot", ""),
        ("equal-names", "p != banker", "p = banker", "set banker = p"),
        ("below-bound", "laid = 8", "laid = 7", "laid = 7"),
        ("below-bound", "laid = 8", "laid >= 8 or laid = 7", ""),
    ],
)
def test_a_variable_that_is_never_spent_or_ends_too_early(
    tmp_path: Path, code: str, before: str, after: str, place: str
) -> None:
    known, found = ([*_told(tmp_path, text, code)] for text in (GAME, GAME.replace(before, after)))
    assert [one for one in found if one not in known] == ([place] if place else [])


@pytest.mark.parametrize(
    ("last", "display", "severity"),
    [
        ("sites", "", "warning"),
        ("sites", 'captions: {last: "the last stone: {}"}', "note"),
        ("sites", "colours: {red: last}", ""),
        ("number in 0..5", "figures: {last: die}", ""),
    ],
)
def test_a_variable_that_is_drawn_is_there_to_be_shown(
    tmp_path: Path, last: str, display: str, severity: str
) -> None:
    value = "s" if last == "sites" else "row(s)"
    text = GAME.replace("  add 1 to laid\n", f"  add 1 to laid\n  set last = {value}\n")
    text = text.replace("state:\n", f"state:\n  last: {last}\n")
    path = tmp_path / "small.yaml"
    path.write_text(text + (f"display: {{{display}}}\n" if display else ""), "utf-8")
    found = [one.diagnostic for one in check_game(str(path))]
    assert not [one for one in found if one.severity == "error"], found
    told = [one.severity for one in found if one.code == "never-read" and "last" in one.message]
    assert told == ([severity] if severity else [])


@pytest.mark.parametrize(("numbers", "is_told"), [("1..hand(neutral, k)", False), ("1..4", True)])
def test_chance_chooses_a_number_to_draw_as_if_from_a_bag(
    tmp_path: Path, numbers: str, is_told: bool
) -> None:
    text = f"""\
game: Bag
players: White, Black
pieces: neutral Ball, neutral Cube
hands: {{neutral Ball: 12, neutral Cube: 4}}
board: square(4, 4)
state: {{drawn: kind}}
phases:
  drawing:
    seat: nobody
    turn: |
      choose k in kinds
      choose n in {numbers}
      set drawn = k
      go to putting
  putting: |
    choose s in empty
    place drawn from hand(neutral) at s
    go to drawing
end: draw when full
"""
    assert _told(tmp_path, text, "unread-choice") == ([f"choose n in {numbers}"] if is_told else [])


COUNTS = """\
game: Counts
players: Black, White
board: square(4, 4)
setup: {Black Stone: a1 | c1, White Stone: d4}
state: {quiet: number in 0..99, last: sites}
turn: |
  choose s in own
  choose t in adjacent(s) - own
  if t in enemy
    set quiet = 0
  else
    add 1 to quiet
  set last = t
  move s to t
stuck: loses
end: draw when seen(position) >= 2
"""


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("", "", "seen(position)"),
        ("draw when seen(position) >= 2", "draw when quiet > 20", ""),
        ("seen(position)", "seen(board, quiet)", "seen(board, quiet)"),
        ("seen(position)", "seen(board, mover, last)", ""),
        ("  move s to t\n", "  move s to t\n  require seen(position) < 2\n", "seen(position)"),
        ("set quiet = 0", "set quiet = quiet - 1", ""),
        ("    add 1 to quiet\n", "    if some s & top\n      add 1 to quiet\n", ""),
        ("if t in enemy", "if quiet = 1", ""),  # it counts the steps of something
        ("stuck: loses", "stuck: passes", ""),
        ("    add 1 to quiet\n", "    set quiet = 1\n", ""),
    ],
)
def test_nothing_is_seen_twice_that_a_counter_is_a_part_of(
    tmp_path: Path, before: str, after: str, place: str
) -> None:
    assert before in COUNTS
    found = _told(tmp_path, COUNTS.replace(before, after), "never-repeats")
    assert found == ([place] if place else [])


@pytest.mark.parametrize(("back", "is_told"), [("    go to moving\n", False), ("", True)])
def test_a_phase_without_the_counter(tmp_path: Path, back: str, is_told: bool) -> None:
    """Nothing is told if moves lead to a phase that does not count, where all may come again."""
    turn, end = COUNTS.split("turn: |\n")[1].split("stuck: loses")
    phases = "phases:\n  moving: |\n    choose s in own\n    move s to first(empty)\n"
    phases += "    go to taking\n  taking: |\n" + textwrap.indent(turn, "  ")
    text = COUNTS.split("turn: |\n")[0] + phases + back
    assert _told(tmp_path, f"{text}stuck: loses{end}", "never-repeats") == (
        ["seen(position)"] if is_told else []
    )


def _told(folder: Path, text: str, code: str) -> list[str]:
    """Return the places at which a code is told of a text."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    found = [one.diagnostic for one in check_game(str(path))]
    assert not [one for one in found if one.severity == "error"], found
    return [one.span.text for one in found if one.code == code and one.span is not None]


@pytest.mark.parametrize(
    ("captions", "told"),
    [
        ("pot: in the pot", ["in the pot"]),
        ('pot: "{} in the pot"', []),
        ("pot = 3: three in the pot", []),
        ("coins(Black): Black's coins", ["Black's coins"]),
        ("banker: who has the bank", []),
    ],
)
def test_the_caption_of_a_number_shows_it(tmp_path: Path, captions: str, told: list[str]) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(f"{GAME}display:\n  captions:\n    {captions}\n", "utf-8")
    found = (one.diagnostic for one in check_game(str(path)))
    texts = [one.span.text for one in found if one.code == "caption-without-value" and one.span]
    assert texts == told
