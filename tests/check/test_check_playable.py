"""Mistakes that leave a game which can be played: each is told at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.interpreter.check import Effort, Finding, check_game
from gdl.interpreter.check.effort import WITHOUT_PLAY

DROPS = """\
game: Drops
players: Black, White
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when in_a_row(own, 3)
  - draw when full
"""
TAKES = """\
game: Takes
about: Who can take must.
players: White, Black
board: square(4, 4)
state: {quiet: number}
setup: {White Stone: bottom, Black Stone: top}
turn: |
  let taking = some own & adjacent(enemy)
  choose s in own where some adjacent(s) & enemy or not taking
  choose t in adjacent(s) & (if taking then enemy else empty)
  add 1 to quiet
  if t in enemy
    set quiet = 0
  move s to t
stuck: loses
end:
  - mover wins when no enemy
  - draw when quiet >= 40
"""
PASSES = DROPS.replace(
    "  choose s in empty\n  place Stone at s\n",
    "  either\n    choose s in empty\n    place Stone at s\n  or\n    pass\n",
)
WIN, DRAW = "  - mover wins when in_a_row(own, 3)\n", "  - draw when full\n"
SAYS = "  - clause: {clause}\n    says: {says}\n"
EFFORT = Effort(0.2)
OF_TEXTS = ("draw-first", "lost-value", "text-differs", "left-site", "free-pass", "number-twice")


def told(folder: Path, text: str, effort: Effort = WITHOUT_PLAY) -> list[Finding]:
    """Return what is found in a game's text."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    return list(check_game(str(path), effort))


def test_games_without_a_mistake(tmp_path: Path) -> None:
    for text in (DROPS, TAKES):
        found = {one.diagnostic.code for one in told(tmp_path, text, EFFORT)}
        assert not found & {*OF_TEXTS, "idle-part", "moves-nothing", "never-lasts"}


def test_what_sides_decide_together_need_not_last(tmp_path: Path) -> None:
    """Only a variable can be decided together, so one that is used up at once is no mistake."""
    text = """
game: Small
players: White, Black
board: square(3, 3)
state: {bid(players): number in 0..3}
together: |
  choose k in 1..3
  set bid(mover) = k
turn: |
  if bid(White) > bid(Black)
    place White Stone at first(empty)
  else
    place Black Stone at first(empty)
  for each p in players
    set bid(p) = 0
end: draw when full
"""
    assert "never-lasts" not in {one.diagnostic.code for one in told(tmp_path, text, EFFORT)}


def test_of_sides_that_decide_together_none_has_its_own_pieces_moved(tmp_path: Path) -> None:
    text = """
game: Small
players: White, Black
board: square(4, 4)
state: {chosen(players): side}
setup:
  White Stone: bottom
  Black Stone: top
together: |
  choose p in players
  set chosen(mover) = p
turn: |
  for each p in players
    for each s in first(chosen(p) & adjacent(empty))
      move s to first(adjacent(s) & empty)
"""
    assert "own-and-enemy" not in {one.diagnostic.code for one in told(tmp_path, text, EFFORT)}


@pytest.mark.parametrize(("declared", "codes"), [
    ("", ["unknown-name"]),
    ("state: {order: name in (march, charge)}\n", []),
    ("state: {order: name in (walk, ride)}\n", ["unknown-name"]),
])  # fmt: skip
def test_names_of_a_list_are_those_of_a_variable_that_need_not_be_read(
    tmp_path: Path, declared: str, codes: list[str]
) -> None:
    choice = (
        "choose n in (march, charge)\n  choose s in if n = march then empty & bottom else empty"
    )
    text = DROPS.replace("turn: |", f"{declared}turn: |").replace("choose s in empty", choice)
    found = [f.diagnostic for f in told(tmp_path, text) if f.diagnostic.severity != "note"]
    assert [str(one.code) for one in found] == codes
    assert all("`… name in (march, charge)`" in one.hint for one in found)


@pytest.mark.slow
def test_pieces_that_never_leave_a_row(tmp_path: Path) -> None:
    text = STEPS.replace("adjacent(s) & empty", "ahead(mover)(s) - own").replace("(4, 4)", "(5, 5)")
    text = text.replace("turn: |", "define:\n  ahead(White): north | northeast | northwest\n"
        "  ahead(Black): south | southeast | southwest\nturn: |")  # fmt: skip
    text += "end: mover wins when no enemy\n"
    stuck = [
        one.diagnostic
        for one in told(tmp_path, text, Effort(1))
        if one.diagnostic.code == "never-leaves"
    ]
    assert [found.message.split()[1:3] for found in stuck] == [
        ["White", "Stone"],
        ["Black", "Stone"],
    ]
    assert "a5, b5, c5, d5, e5" in stuck[0].message


STEP = "choose s in own\n  choose t in adjacent(s) & empty\n  move s to t"
STEPS = TAKES[: TAKES.index("  let taking")] + f"  {STEP}\nstuck: loses\n"
STEPS = STEPS.replace("about: Who can take must.\n", "").replace("state: {quiet: number}\n", "")


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        (DROPS.replace(WIN + DRAW, DRAW + WIN), "draw-first", "draw when full"),
        (
            DROPS.replace(DRAW, "  - draw when full or turns > 7\n" + DRAW),
            "never-reached",
            "draw when full",
        ),
        (
            DROPS.replace(DRAW, DRAW + "  - draw when full and some Black & b2\n"),
            "never-reached",
            "draw when full and some Black & b2",
        ),
        (
            DROPS.replace(DRAW, "  - draw when turns >= 5\n  - draw when turns > 7\n"),
            "never-reached",
            "draw when turns > 7",
        ),
        (
            DROPS.replace(
                DRAW, SAYS.format(clause="draw when count empty < 2", says="fewer than three left")
            ),
            "text-differs",
            "draw when count empty < 2",
        ),
        (
            DROPS.replace(
                DRAW, SAYS.format(clause="draw when count empty <= 2", says="fewer than three left")
            ),
            "",
            "",
        ),
        (DROPS + "relations: {far: north^3}\n", "empty-relation", "far"),
        (
            DROPS.replace("square(3, 3)", "{points: a1 b1 a2 b2, lines: [a1 b1, a2 b2]}")
            .replace("s in empty", "s in empty where some (north | east)(s)"),
            "empty-relation",
            "north",
        ),
        (
            PASSES,
            "free-pass",
            "pass",
        ),
        (
            PASSES
            + "about: Who does not want to place a stone passes.\n",
            "",
            "",
        ),
        (
            DROPS.replace("in empty", "in empty where value(One) < 9").replace("Stone at", "One at")
            + "pieces: One, Two, Three, Four\n"
            "define: {value: {One: 1, Two: 2, Three: 4, Four: 4}}\n",
            "number-twice",
            "Four",
        ),
        (
            DROPS.replace(DRAW, DRAW + "  - Black wins when count White > 8 + limit\n")
            + "options: {limit: 0 in 0..9}\n",
            "never-true",
            "Black wins when count White > 8 + limit",
        ),
        (
            DROPS.replace(DRAW, "  - highest count(enemy) wins when full\n" + DRAW),
            "won-by-enemy",
            "highest count(enemy) wins when full",
        ),
        (
            DROPS.replace("mover wins when in_a_row(own, 3)", "draw when count occupied >= limit")
            + "options: {limit: 5 in 0..9}\n",
            "over-at-start",
            "draw when count occupied >= limit",
        ),
        (
            STEPS.replace("adjacent(s) & empty", "slides(s, orthogonal, all) - own"),
            "over-pieces",
            "all",
        ),
        (
            STEPS.replace("adjacent(s) & empty", "run(s, orthogonal, empty)"),
            "several-directions",
            "orthogonal",
        ),
        (
            DROPS.replace("in_a_row(own, 3)", "line(own, compass, 3)"),
            "several-directions",
            "compass",
        ),
        (
            STEPS.replace(
                "adjacent(s) & empty",
                "(union d in (north, diagonal within dark) of jump(s, d, enemy, empty))",
            ),
            "several-directions",
            "diagonal within dark",
        ),
        (
            STEPS.replace("adjacent(s) & empty", "slides(s, (north | east, south), empty)"),
            "several-directions",
            "north | east",
        ),
        (
            STEPS.replace("& empty\n  move s to t", "- own\n  move s to t\n  if t in enemy again"),
            "left-site",
            "t in enemy",
        ),
        (
            TAKES.replace("  if t in enemy\n    set quiet = 0\n", "  set quiet = 0\n"),
            "lost-value",
            "add 1 to quiet",
        ),
        (
            TAKES.replace("    set quiet = 0\n", "    set quiet = 0\n  else\n    set quiet = 1\n"),
            "lost-value",
            "add 1 to quiet",
        ),
        (
            TAKES.replace("  if t in enemy\n    set quiet = 0\n", "  set quiet = quiet\n"),
            "never-changes",
            "set quiet = quiet",
        ),
        (
            TAKES.replace(
                "  if t in enemy\n    set quiet = 0\n",
                "  if late\n    pass\n  set quiet = 0\n",
            )
            + "define: {late: quiet > 30}\n",
            "",
            "",
        ),
        (
            STEPS.replace("move s to t", "move s to t\n  remove adjacent(s)"),
            "left-site",
            "s",
        ),
        (STEPS, "", ""),
        (
            STEPS.replace("move s to t", "move s to t\n  choose u in adjacent(s) & empty\n  place "
            "Stone at u"),
            "left-site",
            "s",
        ),
        (
            STEPS.replace("move s to t", "move s to t\n  if s in own\n    again"),
            "left-site",
            "s",
        ),
        (
            STEPS.replace("move s to t", "move s to t\n  place Stone at s\n  if s in own again"),
            "",
            "",
        ),
    ],
)  # fmt: skip
def test_what_the_text_shows(tmp_path: Path, text: str, code: str, place: str) -> None:
    found = [
        one.diagnostic for one in told(tmp_path, text) if not code or one.diagnostic.code == code
    ]
    places = [one.span.text for one in found if one.span is not None]
    assert (place in places) if code else not {one.code for one in found} & {*OF_TEXTS}


@pytest.mark.parametrize(
    ("text", "code", "certainty", "place"),
    [
        (
            TAKES.replace("  if t in enemy\n", "  if turns >= 0\n"),
            "never-lasts",
            "not seen",
            "quiet",
        ),
        (
            TAKES.replace(
                "  move s to t\n", "  remove s & corners\n  move s to t\n"
            ),
            "moves-nothing",
            "witnessed",
            "move s to t",
        ),
        (
            TAKES.replace(" where some adjacent(s) & enemy or not taking", "").replace(
                "(if taking then enemy else empty)", "(enemy | empty)"
            ).replace("  let taking = some own & adjacent(enemy)\n", ""),
            "text-differs",
            "witnessed",
            "choose s in own",
        ),
        (
            TAKES.replace("adjacent(s) & (if", "(adjacent(s) | s & enemy) & (if"),
            "idle-part",
            "not seen",
            "s & enemy",
        ),
        (
            TAKES.replace("choose s in own", "choose s in occupied"),
            "own-and-enemy",
            "not seen",
            "move s to t",
        ),
        (
            TAKES.replace(
                "  add 1 to quiet", "  let both = count(empty & s)\n  add 1 + both to quiet"
            ),
            "always-nothing",
            "not seen",
            "let both = count(empty & s)",
        ),
        (
            DROPS.replace("  place Stone at s", "  choose r in empty - s\n  place Stone at s | r"),
            "orders-alike",
            "witnessed",
            "choose r in empty - s",
        ),
        (
            TAKES.replace("else empty)", "else empty | own & enemy)"),
            "idle-part",
            "not seen",
            "own & enemy",
        ),
    ],
)  # fmt: skip
def test_what_play_shows(tmp_path: Path, text: str, code: str, certainty: str, place: str) -> None:
    found = [one for one in told(tmp_path, text, EFFORT) if one.diagnostic.code == code]
    assert [one.certainty for one in found] == [certainty]
    (span,) = [one.diagnostic.span for one in found]
    assert span is not None and span.text == place
    if certainty == "witnessed":
        assert found[0].witness is not None


def test_a_word_for_the_first_kind_is_not_nothing(tmp_path: Path) -> None:
    text = TAKES.replace("setup:", "pieces: Stone, Man\nsetup:").replace(
        "  add 1 to quiet", "  let k = kind(s)\n  if k = Stone\n    add 1 to quiet"
    )
    found = [one.diagnostic for one in told(tmp_path, text, EFFORT)]
    assert not any(one.code == "always-nothing" or one.severity == "error" for one in found)


def test_a_game_that_is_over_at_the_start_is_not_played(tmp_path: Path) -> None:
    text = DROPS.replace("when in_a_row(own, 3)", "when no enemy")
    (over,) = [one.diagnostic for one in told(tmp_path, text, EFFORT) if one.is_last]
    assert over.code == "over-at-start" and "`setup`" in over.hint
    accepted = text.replace("when no enemy", "when no enemy  # fine: over-at-start")
    assert not any(one.is_last for one in told(tmp_path, accepted, EFFORT))


def test_who_always_wins_is_told_where_games_end(tmp_path: Path) -> None:
    text = "game: Fills\nplayers: White, Black\nboard: square(3, 3)\nturn: |\n"
    text += "  choose s in empty\n  place Stone at s\n"
    text += "end:\n  - White wins when count own > 6\nstuck: White wins\n"
    (found,) = [
        one.diagnostic
        for one in told(tmp_path, text, EFFORT)
        if one.diagnostic.code == "always-wins"
    ]
    assert found.span is not None and found.span.text == "White wins"
