"""Variables that are given and never spent, and numbers that end one too early."""

from __future__ import annotations

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


def _told(folder: Path, text: str, code: str) -> list[str]:
    """Return the places at which a code is told of a text."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    found = [one.diagnostic for one in check_game(str(path))]
    assert not [one for one in found if one.severity == "error"], found
    return [one.span.text for one in found if one.code == code and one.span is not None]
