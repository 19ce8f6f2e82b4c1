"""What `gdl check` finds by playing: each mistake with its place, and a game that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.load import load_game
from interpreter.check import Finding, check_game
from interpreter.evaluation.evaluator import RuleError
from interpreter.positions.position import Rules

GAME = """\
game: Small
players: Black, White
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when in_a_row(own, 3)
  - draw when full
"""
SECONDS = 0.6


def findings(folder: Path, text: str) -> tuple[Finding, ...]:
    """Return what is found in a game's text."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    return check_game(str(path), SECONDS)


def test_a_game_without_a_mistake(tmp_path: Path) -> None:
    assert findings(tmp_path, GAME) == ()


PLACE = "place Stone at s"
TURN = f"  choose s in empty\n  {PLACE}\n"


@pytest.mark.parametrize(
    ("text", "code", "certainty", "place"),
    [
        (
            GAME.replace(PLACE, f"{PLACE}\n  add 1 to moves") + "state: {moves: number in 0..3}\n"
            "display: {scores: moves}\n",
            "fails-in-play",
            "witnessed",
            "add 1 to moves",
        ),
        (
            GAME.replace("  - draw when full\n", ""),
            "fails-in-play",
            "witnessed",
            "turn",
        ),
        (
            GAME.replace(
                f"  {PLACE}\n",
                "  either\n    place Stone at s\n  or\n    place enemy Stone at s\n",
            ),
            "moves-read-alike",
            "witnessed",
            "turn",
        ),
        (
            GAME.replace(f"  {PLACE}\n", "").replace("full", "turns > 9"),
            "changes-nothing",
            "witnessed",
            "turn",
        ),
        (
            GAME.replace("- mover wins", "- draw when turns >= 4\n  - mover wins"),
            "always-drawn",
            "witnessed",
            "end",
        ),
        (
            GAME.replace("mover wins", "Black wins").replace(
                "- draw when full", "- White wins when turns > 8 and no own"
            ),
            "always-wins",
            "witnessed",
            "Black wins when in_a_row(own, 3)",
        ),
        (
            GAME.replace("- draw when full", "- draw when full and turns < 5\n  - draw when full"),
            "never-held",
            "not seen",
            "draw when full and turns < 5",
        ),
        (
            GAME.replace(PLACE, f"{PLACE}\n  remove adjacent(s) & neutral"),
            "never-changes",
            "not seen",
            "remove adjacent(s) & neutral",
        ),
        (
            GAME.replace(
                TURN, f"  either\n  {TURN.replace('  place', '    place')}  or\n"
                "    choose s in own & enemy\n    remove s\n"
            ),
            "never-chosen",
            "not seen",
            "choose s in own & enemy",
        ),
        (
            GAME.replace(PLACE, f"{PLACE}\n  if some own & enemy\n    remove s"),
            "never-true",
            "not seen",
            "some own & enemy",
        ),
        (GAME.replace(PLACE, f"{PLACE}\n  again"), "never-on-turn", "not seen", "turn"),
        (GAME.replace(PLACE, "place Black Stone at s"), "never-on-board", "not seen", "players"),
        (GAME.replace("in empty", "in first(empty)"), "no-choice", "not seen", "turn"),
        (
            GAME.replace(
                f"turn: |\n{TURN}",
                "phases:\n  setting: |\n    choose s in empty\n    place Stone at s\n"
                "  moving: |\n    choose s in own\n    remove s\n",
            ),
            "phase-never-reached",
            "not seen",
            "moving",
        ),
        (
            "game: Round\nplayers: A, B\nboard: square(3, 3)\nsetup: {A Stone: a1, B Stone: c3}\n"
            "turn: |\n  choose s in own\n  choose t in adjacent(s) & empty\n  move s to t\n"
            "end: mover wins when no enemy\nstuck: loses\n",
            "never-ends",
            "not seen",
            "end",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_place(
    tmp_path: Path, text: str, code: str, certainty: str, place: str
) -> None:
    found = [one for one in findings(tmp_path, text) if one.diagnostic.code == code]
    assert found, "not told"
    (one,) = found
    assert one.certainty == certainty
    assert one.diagnostic.span is not None and one.diagnostic.span.text == place
    assert one.diagnostic.severity == ("note" if certainty == "not seen" else "warning")
    line = text.split("\n")[one.diagnostic.span.line - 1]
    accepted = findings(tmp_path, text.replace(line, f"{line}  # fine: {code}", 1))
    assert code not in {other.diagnostic.code for other in accepted}


def test_a_failure_comes_with_the_moves_that_lead_there(tmp_path: Path) -> None:
    text = GAME.replace(PLACE, f"{PLACE}\n  add 1 to moves") + "state: {moves: number in 0..3}\n"
    (one,) = (f for f in findings(tmp_path, text) if f.diagnostic.code == "fails-in-play")
    assert one.witness is not None and len(one.witness.moves) == 3
    position = Rules(load_game(str(tmp_path / "small.yaml"))).start()
    for move in one.witness.moves:
        position = position.play(move)
    with pytest.raises(RuleError, match="moves"):
        position.play(position.moves()[0])


def test_what_a_variant_makes_happen_counts_as_seen(tmp_path: Path) -> None:
    text = GAME.replace("- draw", "- draw when turns > 2 and count top & own > size\n  - draw")
    text += "options: {size: 9 in 1..9}\n"
    assert "never-held" not in {f.diagnostic.code for f in findings(tmp_path, text)}
