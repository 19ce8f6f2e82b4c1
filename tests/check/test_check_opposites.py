"""Captions, names and texts that say one thing where rules say the other, in a small game."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.interpreter.check import check_game

GAME = """\
game: Small
about: ABOUT
players: Red, Blue
pieces: Ram, Fox
hands: {Ram: 4, Fox: 4}
board: square(7, 7)
state:
  points(players): number in 0..99
  wrecks(players): number in 0..9
regions:
  beacons: b2 | d4
setup: {Red Ram: a1, Blue Ram: g7}
define:
  largest(side p):
    is: max g in groups(p, orthogonal) of count g
    says: the size of the largest group of {p}
  strength(sites g): count g
  upper(s): s in top # upwards
  held(s): {is: some compass(s) & enemy & Ram, says: "{s} is beside an enemy's ram"}
actions:
  wreck(s): |
    add 2 to points(enemy)
    add 1 to wrecks(mover)
    remove s
turn:
  step: |
    choose s in own & Ram
    choose t in orthogonal(s)
    require no orthogonal(t) & own - s
    if t in enemy and strength(t) > strength(s)
      do wreck(s)
    else
      move s to t
  leap: |
    choose s in own & Fox where not held(s)
    choose d in compass
    choose t in (d^2 | d^3)(s) & empty
    move s to t
    if upper(t) do wreck(t)
  take: |
    choose s in enemy & Fox
    move s to hand
stuck: loses
end:
  - clause: highest largest(own) wins when turns = 90
    says: "{own} has the larger group"
  - draw when turns = 90
display:
  captions:
    points: "points for wrecks: {}"
    hand(Red): "the stable of Red: {}"
"""
ABOUT = """\
A ram that steps takes only those that are weaker. The beacons are b2 and d4."""


def told_at(folder: Path, text: str) -> list[str]:
    """Return the lines at which a sentence contradicts a rule."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    found = [one.diagnostic for one in check_game(str(path))]
    assert not [one for one in found if one.severity == "error"], found
    spans = [one.span for one in found if one.code == "text-differs" and one.span is not None]
    return [span.source.line(span.line).strip() for span in spans]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("strength(t) > strength(s)", "strength(t) >= strength(s)"),
        ("is: max g", "is: min g"),
        ("highest largest(own)", "lowest largest(own)"),
        ("beacons: b2 | d4", "beacons: b2 | d5"),
        ("& enemy & Ram, says", "& own & Ram, says"),
        ("upper(s): s in top", "upper(s): s in bottom"),
        ("s in top # upwards", "s in top # downwards"),
    ],
)
def test_a_text_beside_a_rule_says_the_opposite(tmp_path: Path, before: str, after: str) -> None:
    text = GAME.replace("ABOUT", ABOUT)
    assert before in text
    assert told_at(tmp_path, text) == []
    assert any(after in line for line in told_at(tmp_path, text.replace(before, after)))


@pytest.mark.parametrize(
    ("said", "is_told"),
    [("are weaker", True), ("are not\n  stronger", False), ("don't rank stronger", False)],
)
def test_what_is_not_more_may_be_as_much(tmp_path: Path, said: str, is_told: bool) -> None:
    text = GAME.replace("strength(t) > strength(s)", "strength(t) >= strength(s)")
    text = text.replace("ABOUT", ABOUT.replace("are weaker", said))
    assert any(">=" in line for line in told_at(tmp_path, text)) is is_told
