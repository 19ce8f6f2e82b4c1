"""What is told of words that are used where they are not known, and of words that take in more.

Each hint is looked for in what is told of one line of a turn, or of an ending.
"""

from __future__ import annotations

import pytest

from gdl.diagnostic import Diagnostic, GameError, Source
from gdl.load import load_source

GAME = """game: Words
players: White, Black
board: square(5, 5)
pieces: Man, King
state: {{n: number}}
define: {{forward: {{White: north, Black: south}}}}
turn: |
  choose s in empty
  place Man at s
{turn}
end:
  - {end}
stuck: draw
"""
OVER = "mover wins when n + count(forward(mover)(Man)) > 9"


def found(turn: str = "  pass", end: str = OVER, more: str = "") -> list[Diagnostic]:
    """Return the errors of a game whose turn, or ending, has some lines."""
    try:
        load_source(Source("game.yaml", GAME.format(turn=turn, end=end) + more))
    except GameError as error:
        return [one for one in error.diagnostics if one.severity == "error"]
    return []


def test_without_a_mistake_nothing_is_told() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("turn", "place", "hint"),
    [
        ("  choose q in empty & adjacent(q)", "q", "follows the set: `choose q in S where C`"),
        ("  require some y in adjacent(y) where n > 0", "y", "`some y in S where C`"),
        ("  require every y in adjacent(y) has n > 0", "y", "`every y in S has C`"),
        ("  for each y in adjacent(y)\n    flip y", "y", "`for each y in S where C`"),
        ("  let m = m + 1", "m", "not known in its own value"),
        ("  either\n    choose q in empty\n  or\n    pass\n  flip q", "q", "made in line 11"),
        ("  if n > 0\n    choose q in own\n  remove q", "q", "known in that block alone"),
        ("  for each z in own\n    flip z\n  remove z", "z", "in the loop of line 10 alone"),
        ("  if some w in own where row(w) = 3\n    flip w", "w", "inside `some w in …` alone"),
        ("  flip t\n  choose t in own", "t", "known below line 11"),
        (
            "  either\n    choose t in own\n    flip t\n"
            "  or\n    choose q in 1..row(t)\n    let t = s\n    flip t",
            "t",
            "known below line 15",
        ),
        ("  choose q in empty & forward(own)", "forward(own)", "as in `forward(mover)(own)`"),
        ("  choose q in empty & adjacent", "adjacent", "apply it, as in `adjacent(own)`"),
        ("  choose q in adjacent into empty & own", "own", "`into (all - own)`"),
        (
            "  set n = count empty - own",
            "own",
            "or `count empty - count(own)`",
        ),
        ("  set n = 1 + count own - enemy", "enemy", "`count(own - enemy)`"),
        ("  set n = sum x in own of n = 2", "n = 2", "Write `(sum x in own of n) = 2`."),
        ("  require s > 3", "s > 3", "`count(s)`; where it is, `row(s)`"),
        ("  require s is King", "is", "`require s in King`"),
        ("  require s is not King", "is", "`require not s in King`"),
        ("  require mover is White", "is", "`require mover = White`"),
        ("  require kind(s) is King", "is", "`require kind(s) = King`"),
        ("  choose from in own\n  move from to s", "from", "`from` is a word of the language"),
        ("  require s in from", "from", "`from` is a word of the language"),
    ],
)
def test_a_word_of_a_turn(turn: str, place: str, hint: str) -> None:
    (only,) = found(turn)
    assert only.span is not None
    assert only.span.text == place
    assert hint in only.hint


@pytest.mark.parametrize(
    ("end", "hint"),
    [
        ("mover wins when s in corners", "kept in a variable under `state`"),
        ("mover wins when count own & corners > 2", "Write `count(own & corners)`."),
        ("highest count own | neutral wins when full", "Write `count(own | neutral)`."),
        ("mover wins by if full then 2 else 1 when full", "(if … then … else …) when …"),
        ("mover wins when max x in own of row(x) = 5", "Write `(max x in own of row(x)) = 5`."),
        (
            "mover wins when each own has adjacent(own)",
            "every x in own has some adjacent(x) & own`",
        ),
    ],
)
def test_an_ending(end: str, hint: str) -> None:
    (only,) = found(end=end)
    assert hint in only.hint


def test_what_a_broken_condition_leads_to_is_known_below() -> None:
    turn = "  if emty\n    choose t in own\n  else\n    choose t in enemy\n  remove t"
    assert [one.span.text for one in found(turn) if one.span is not None] == ["emty"]


def test_what_is_left_out_hides_no_other_mistakes() -> None:
    known = found("  set n = count empty - own", more="cubes: {d: number}\n")
    assert [one.code for one in known] == ["wrong-type", "unknown-key"]


def test_what_may_come_of_a_part_that_is_left_out_is_not_told() -> None:
    known = found("  set d = 1\n  set e = 1", more="cubes: {d: number}\n")
    assert [one.span.text for one in known if one.span is not None] == ["e", "cubes"]
