"""What `gdl check` says to be unused: what its author can remove, in the game and all variants."""

from __future__ import annotations

from pathlib import Path

from gdl.interpreter.check import check_game

GAME = """\
game: Small
players: Black, White
board: square(3, 3)
define:
  far: top
  near: bottom
  both: far | near
turn: |
  choose s in empty
  place Stone at s
stuck: draw
"""


def unused(folder: Path, text: str) -> list[str]:
    """Return the words that are found unused in a game's text, in order."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    found = [finding.diagnostic for finding in check_game(str(path))]
    assert {diagnostic.code for diagnostic in found} <= {"unused", "unread-choice"}
    found = [diagnostic for diagnostic in found if diagnostic.code == "unused"]
    return [diagnostic.message.split("`")[1] for diagnostic in found]


def test_what_an_unused_word_uses_is_used(tmp_path: Path) -> None:
    assert unused(tmp_path, GAME) == ["both"]


def test_what_a_variant_uses_is_used(tmp_path: Path) -> None:
    variant = "variants: {low: {turn: 'choose s in near'}}\n"
    assert unused(tmp_path, GAME + variant) == ["both"]
    assert unused(tmp_path, GAME + variant.replace("near", "both")) == []


def test_what_an_example_uses_is_used(tmp_path: Path) -> None:
    assert unused(tmp_path, GAME + "examples: [{values: {both: top | bottom}}]\n") == []


def test_what_stands_in_another_file_is_not_the_authors(tmp_path: Path) -> None:
    (tmp_path / "parent.yaml").write_text(GAME, "utf-8")
    own = "extends: parent.yaml\ndefine: {mine: left}\n"
    assert unused(tmp_path, own) == ["mine"]


PARTS = """\
regions:
  start(Black): top
  start(White): bottom
  hill: b2
  far_off: a1
relations:
  aslant: diagonal
  odd_way: aslant | orthogonal  # aslant is read here, hill is not
"""


def test_regions_and_relations_that_nothing_names_are_unused(tmp_path: Path) -> None:
    both = GAME.replace("both: far | near", "both: far | near | far_off")
    assert unused(tmp_path, PARTS + both) == ["both", "start", "hill", "odd_way"]
    drawn = "display: {colours: {gold: hill}, lines: {grey: odd_way}}\n"
    assert unused(tmp_path, PARTS + both + drawn) == ["both", "start"]
    placed = "setup: {Black Stone: start(Black)}\n"
    assert unused(tmp_path, PARTS + both + placed) == ["both", "hill", "odd_way"]
