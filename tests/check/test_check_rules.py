"""Mistakes of meaning that the program shows: each is told at its place, and at no other game."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.interpreter.check import Effort, Finding, check_game

BODY = """\
game: Small
players: Black, White
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
"""
END = """\
end:
  - Black wins when joined(top, bottom, orthogonal, Black)
  - White wins when joined(left, right, orthogonal, White)
stuck: draw
"""
GAME = BODY + END


def findings(folder: Path, text: str) -> tuple[Finding, ...]:
    """Return what is found in a game's text."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    return check_game(str(path))


def test_a_game_without_a_mistake(tmp_path: Path) -> None:
    assert findings(tmp_path, GAME) == ()


@pytest.mark.parametrize("board", ["square(4, 4)", "hex rhombus(4, 4)"])
def test_a_board_that_wraps_is_the_same_after_a_shift(tmp_path: Path, board: str) -> None:
    text = GAME.replace("square(3, 3)", board).replace(END, "end: draw when turns = 9\n")
    text += "setup: {Black Stone: b1 | b2 | a3, White Stone: d1 | d2 | c3}\n"
    codes = {finding.diagnostic.code for finding in findings(tmp_path, text)}
    assert "uneven-setup" in codes
    wrapping = text.replace(board, f"{board} wrapping columns")
    assert "uneven-setup" not in {
        finding.diagnostic.code for finding in findings(tmp_path, wrapping)
    }
    uneven = wrapping.replace("d1 | d2 | c3", "d1 | d2 | c4")
    assert "uneven-setup" in {finding.diagnostic.code for finding in findings(tmp_path, uneven)}


def test_a_hand_that_nothing_fills(tmp_path: Path) -> None:
    text = GAME.replace("place Stone at s", "place Stone from hand at s")
    told = {f.diagnostic.message for f in findings(tmp_path, text + "hands: Stone\n")}
    assert "Pieces are to come out of hands, and no hand ever has one." in told


def test_one_side_wins_by_what_makes_the_other_lose(tmp_path: Path) -> None:
    text = BODY + "end:\n  - Black loses when some own & a1\n  - White wins when some own & c3\n"
    (told,) = (f for f in findings(tmp_path, text) if f.diagnostic.code == "no-mirror-image")
    assert told.diagnostic.span is not None and told.diagnostic.span.line == 8
    assert [span.line for _, span in told.diagnostic.related] == [9]


def test_nothing_is_told_of_what_an_option_of_a_variant_decides(tmp_path: Path) -> None:
    text = (
        GAME
        + """
variants:
  late:
    options: {waits: no}
    turn: |
      choose s in empty - corners where turns > 3 or not waits or s in border
      place Stone at s
"""
    )
    assert findings(tmp_path, text) == ()


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        (BODY, "no-end", "turn"),
        (BODY + "stuck: passes\n", "no-end", "turn"),
        (
            GAME.replace("left, right, orthogonal, White", "top, bottom, orthogonal, Black"),
            "same-goal",
            "White wins when joined(top, bottom, orthogonal, Black)",
        ),
        (
            GAME.replace("White wins", "Black wins"),
            "never-wins",
            "Black wins when joined(top, bottom, orthogonal, Black)",
        ),
        (GAME + "pieces: Stone, King\n", "never-placed", "King"),
        (
            GAME.replace("in empty", "in own")
            .replace("place Stone at s", "move s to north(s)")
            .replace("stuck: draw", "stuck: passes"),
            "empty-board",
            "choose s in own",
        ),
        (GAME.replace("place Stone", "let spot = s\n  place Stone"), "unused", "spot"),
        (GAME + "about: Who closes a line plays again.\n", "text-differs", "turn"),
        (
            GAME.replace("stuck: draw", "stuck: wins") + "about: Who can't move loses.\n",
            "text-differs",
            "wins",
        ),
        (
            GAME.replace("stuck", "  - mover wins when in_a_row(enemy, 3)\nstuck"),
            "won-by-enemy",
            "mover wins when in_a_row(enemy, 3)",
        ),
        (
            GAME.replace(
                "  place Stone at s",
                "  either\n    place Stone at s\n    again\n  or\n"
                "    place Stone at s | north(s) & empty",
            ),
            "always-again",
            "again",
        ),
        (
            GAME.replace("  place Stone at s", "  repeat 2 times\n    place Stone at s\n    again"),
            "always-again",
            "again",
        ),
        (
            GAME.replace("turn:", "hands: {Black Stone: 5, White Stone: 4}\nturn:").replace(
                "Stone at s", "Stone from hand at s"
            ),
            "uneven-setup",
            "hands",
        ),
        (
            GAME.replace("stuck: draw", "stuck: loses") + "about: A full board is a draw.\n",
            "text-differs",
            "end",
        ),
        (
            GAME.replace("stuck: draw", "  - mover wins when in_a_row(own, 3)\nstuck: draw")
            + "about: First to have four in a row wins.\n",
            "text-differs",
            "in_a_row(own, 3)",
        ),
        (
            GAME.replace("stuck: draw", "  - lowest count(own) wins when full\nstuck: draw")
            + "about: The most stones win.\n",
            "text-differs",
            "lowest count(own) wins when full",
        ),
        (
            BODY + "end: [any loses when count own = 5]\nstuck: draw\nabout: Five stones win.\n",
            "text-differs",
            "any loses when count own = 5",
        ),
        (
            BODY + "end:\n  - {clause: draw when turns >= 5, says: seven turns were made}\n",
            "text-differs",
            "draw when turns >= 5",
        ),
        (
            GAME.replace(
                "place Stone at s", "place Stone at s\n  if s in top\n    add 1 to quiet"
            ).replace("stuck", "  - draw when quiet > 2\nstuck")
            + "state: {quiet: number}\ndisplay: {captions: {quiet: 'moves since: {}'}}\n",
            "text-differs",
            "quiet",
        ),
        (
            GAME + "setup: {Black Stone: a1 | a2 | b3, White Stone: c1 | c2}\n",
            "uneven-setup",
            "setup",
        ),
        (
            GAME.replace("place Stone at s", "place Stone at s\n  add 1 to moved(mover)")
            + "state: {moved(players): number}\n",
            "never-read",
            "moved",
        ),
        (
            GAME.replace(
                "place Stone at s", "let n = turns\n  require 2 ^ n > 0\n  place Stone at s"
            ),
            "not-native",
            "2 ^ n",
        ),
        (
            GAME.replace("stuck", "  - Black wins when count White = 7\nstuck"),
            "no-mirror-image",
            "Black wins when count White = 7",
        ),
        (
            GAME.replace("place Stone at s", "if mover = Black\n    remove b2\n  place Stone at s"),
            "no-mirror-image",
            "if mover = Black",
        ),
        (
            GAME.replace("orthogonal, White)", "orthogonal, White) and in_a_row(own, row_of)")
            + "options: {row_of: 3 in 2..4}\n",
            "never-true",
            "White wins when joined(left, right, orthogonal, White) and in_a_row(own, row_of)",
        ),
        (
            GAME.replace("stuck: draw", "  - draw when full and no occupied\nstuck: draw"),
            "never-true",
            "draw when full and no occupied",
        ),
        (
            GAME.replace("stuck: draw", "  - draw when count occupied > 9\nstuck: draw"),
            "never-true",
            "draw when count occupied > 9",
        ),
        (
            GAME.replace("stuck: draw", "  - draw when turns > 8 and turns <= 7\nstuck: draw"),
            "never-true",
            "draw when turns > 8 and turns <= 7",
        ),
        (
            GAME.replace("choose s in empty", "choose s in empty | adjacent(own & empty)"),
            "always-empty",
            "own & empty",
        ),
        (
            GAME.replace("orthogonal, Black)", "orthogonal, enemy)"),
            "no-mirror-image",
            "Black wins when joined(top, bottom, orthogonal, enemy)",
        ),
        (
            GAME.replace("stuck: draw", "  - draw when seen(board) > 5000\nstuck: draw"),
            "far-off",
            "draw when seen(board) > 5000",
        ),
        (
            GAME.replace(
                "place Stone at s", "if s = b2 add 1 to quiet\n  place Stone at s"
            ).replace("stuck: draw", "  - draw when quiet = 9 or quiet >= 9000\nstuck: draw")
            + "state: {quiet: number}\n",
            "far-off",
            "draw when quiet = 9 or quiet >= 9000",
        ),
        (
            GAME.replace("place Stone at s", "place Stone at s\n  set worth = 7").replace(
                "stuck: draw", "  - draw when worth = 4\nstuck: draw"
            )
            + "state: {worth: number in 0..5}\n",
            "out-of-bounds",
            "set worth = 7",
        ),
        (
            GAME + "regions: {nowhere: top & bottom}\ndisplay: {colours: {red: nowhere}}\n",
            "empty-region",
            "nowhere",
        ),
        (
            GAME.replace("square(3, 3)", "square(size, size)")
            + "options: {size: 3 in 2..4}\nregions: {heart: all - border}\n"
            + "display: {colours: {red: heart}}\n",
            "empty-region",
            "heart",
        ),
        (
            GAME.replace("place Stone at s", "repeat while some north(s)\n    place Stone at s"),
            "endless-loop",
            "repeat while some north(s)",
        ),
        (
            GAME.replace("place Stone at s", "place Stone at s\n  add 1 to quiet").replace(
                "stuck: draw", "  - draw when quiet = 9\nstuck: draw"
            )
            + "state: {quiet: number}\n",
            "counts-turns",
            "quiet",
        ),
        (
            GAME.replace("in empty", "in own")
            .replace("place Stone at s", "choose t in adjacent(s) - own\n  move s to t")
            .replace("stuck: draw\n", "setup: {Black Stone: a1, White Stone: c3}\n"),
            "may-be-stuck",
            "turn",
        ),
        (
            GAME + "setup: {Black Stone: a1 | b1, White Stone: b3 | a2}\n",
            "uneven-setup",
            "setup",
        ),
        (
            GAME.replace("in empty", "in occupied").replace("place Stone at s", "flip s")
            + "setup: {Black Stone: a1 | b3}\n",
            "uneven-setup",
            "setup",
        ),
        (
            GAME.replace("orthogonal, Black)", "orthogonal, own)").replace(
                "stuck", "  - mover wins by 3 - 5 when turns > 4\nstuck"
            ),
            "losing-win",
            "mover wins by 3 - 5 when turns > 4",
        ),
        (
            GAME.replace("Black, White", "Black, White, Red").replace(
                "stuck", "  - Red wins when some Red\nstuck"
            )
            + "teams: Black and White\n",
            "no-team",
            "teams",
        ),
        (
            GAME.replace("place Stone at s", "place Stone at s\n  again"),
            "never-on-turn",
            "again",
        ),
        (
            GAME.replace("place Stone at s", "place Stone at s\n  again").replace(
                "stuck: draw", "  - draw when full\nstuck: passes"
            ),
            "never-on-turn",
            "again",
        ),
        (
            GAME.replace("in empty", "in empty - (left & none)"),
            "always-empty",
            "left & none",
        ),
        (
            GAME.replace("at s\n", "at s\n  for each n in 3..1\n    flip rows(n)\n"),
            "always-empty",
            "3..1",
        ),
        (GAME + "swap: turns = 2\n", "swap-by-first", "turns = 2"),
        (GAME + "swap: turns = 4 and some own\n", "swap-by-first", "turns = 4"),
        (GAME + "options: {extra: no}\n", "unused", "extra"),
        (
            GAME.replace("in empty", "in empty where mine(s)")
            + "define: {mine(s): no own or some own}\n",
            "unused-parameter",
            "s",
        ),
        (
            GAME.replace("choose s in empty\n  place Stone at s", "place Stone at empty"),
            "nothing-decided",
            "turn",
        ),
        (
            GAME.replace("stuck: draw", "  - draw when Stone in left | right\nstuck: draw"),
            "of-all-sides",
            "Stone in left | right",
        ),
        (GAME + "variants: {plain: {stuck: draw}}\n", "no-effect", "plain"),
        (
            GAME.replace("choose s in empty", "choose s in own"),
            "over-at-start",
            "draw",
        ),
        (
            GAME.replace("- Black wins", "- draw when no Black\n  - Black wins"),
            "over-at-start",
            "draw when no Black",
        ),
        (
            GAME.replace("in empty", "in empty where turns > 3").replace("stuck: draw\n", ""),
            "fails-at-start",
            "turn",
        ),
        (
            GAME.replace("joined(top, bottom,", "joined(top, left,"),
            "no-mirror-image",
            "White wins when joined(left, right, orthogonal, White)",
        ),
        (
            GAME.replace(
                "- Black wins", "- mover wins when in_a_row(own, 3)\n  - Black wins"
            ).replace("  - White wins when joined(left, right, orthogonal, White)\n", ""),
            "for-one-side",
            "Black wins when joined(top, bottom, orthogonal, Black)",
        ),
        (
            GAME + "define:\n  home(Black): top\n  home(White): top\n  at_home: own & home(mover)\n"
            "display: {scores: count at_home}\n",
            "same-for-sides",
            "home(White): top",
        ),
        (
            GAME.replace(
                "- White", "- draw when joined(top, bottom, orthogonal, Black)\n  - White"
            ),
            "never-reached",
            "draw when joined(top, bottom, orthogonal, Black)",
        ),
        (
            GAME.replace("- Black wins", "- draw when in_a_row(own, 4)\n  - Black wins"),
            "never-true",
            "in_a_row(own, 4)",
        ),
        (
            GAME.replace("place Stone at s", "place Stone at s\n  if no all\n    remove s"),
            "never-true",
            "no all",
        ),
        (
            GAME.replace("place Stone at s", "place Stone at s\n  remove s"),
            "undone-at-once",
            "remove s",
        ),
        (
            GAME.replace("stuck: draw", "stuck: [draw when kept > 3, loses]")
            + "state: {kept: number}\n",
            "never-written",
            "kept",
        ),
        (
            GAME.replace("square(3, 3)", "square(size, 3)") + "options: {size: 3 in 0..5}\n",
            "option-fails",
            "size",
        ),
        (
            GAME.replace("stuck: draw", "stuck: [draw when odds, loses, draw]")
            + "options: {odds: no}\n",
            "never-reached",
            "draw",
        ),
        (
            GAME.replace("choose s in empty", "choose s in if wide then empty else all - occupied")
            + "options: {wide: no}\n",
            "no-effect",
            "wide",
        ),
        (
            GAME.replace("stuck: draw", "stuck: draw  # fine: never-ture"),
            "unknown-code",
            "never-ture",
        ),
    ],
)
def test_a_mistake_is_told_at_its_place(tmp_path: Path, text: str, code: str, place: str) -> None:
    (found,) = findings(tmp_path, text)
    diagnostic = found.diagnostic
    assert diagnostic.code == code and diagnostic.severity != "error", diagnostic.to_text()
    assert diagnostic.span is not None and diagnostic.span.text == place
    assert diagnostic.hint and found.variant is None
    accepting = f"{text}# a comment without a meaning\n"
    line = accepting.split("\n")[diagnostic.span.line - 1]
    assert findings(tmp_path, accepting.replace(line, f"{line}  # fine: {code}", 1)) == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("in empty", "in own", "Black has no first move, so the game is over"),
        ("- Black wins", "- draw when no Black\n  - Black wins", "This holds before anything"),
    ],
)
def test_why_a_game_is_over_at_its_start(tmp_path: Path, old: str, new: str, told: str) -> None:
    (found,) = findings(tmp_path, GAME.replace(old, new))
    assert found.diagnostic.message.startswith(told)


def test_a_clause_that_asks_for_sites_and_not_for_pieces_is_told_once_with_the_pieces(
    tmp_path: Path,
) -> None:
    text = GAME.replace("- Black wins", "- draw when some (a1 | b1)\n  - Black wins")
    path = tmp_path / "game.yaml"
    path.write_text(text)
    always, over = (one.diagnostic for one in check_game(str(path), Effort(0.25)))
    assert (always.code, over.code) == ("always-true", "over-at-start")
    assert "`some own & (a1 | b1)`" in always.hint


def test_a_mistake_of_a_variant_names_it(tmp_path: Path) -> None:
    variant = "variants: {idle: {setup: {Black Stone: all}}}\n"
    (found,) = findings(tmp_path, GAME + variant)
    assert (found.diagnostic.code, found.variant) == ("over-at-start", "idle")


def test_an_example_may_be_all_that_asks_for_a_variable(tmp_path: Path) -> None:
    text = GAME.replace("place Stone at s", "add 1 to moves\n  place Stone at s")
    text = text.replace("add 1", "if s = a1 add 1")
    text += "state: {moves: number}\nexamples: [{play: a1, values: {moves: 1}}]\n"
    assert findings(tmp_path, text) == ()


def test_of_choices_that_are_none_among_pieces_nobody_asks_whether_they_are_stuck(
    tmp_path: Path,
) -> None:
    bets = "  either as check\n    require no own\n  or as fold\n    require some own\n"
    text = GAME.replace("  choose s in empty\n  place Stone at s\n", bets).replace(
        "stuck: draw\n", ""
    )
    assert "may-be-stuck" not in [f.diagnostic.code for f in findings(tmp_path, text)]


def test_that_a_side_may_be_stuck_is_not_called_proved(tmp_path: Path) -> None:
    text = GAME.replace("in empty", "in own").replace(
        "place Stone at s", "choose t in adjacent(s) - own\n  move s to t"
    )
    text = text.replace("stuck: draw\n", "setup: {Black Stone: a1, White Stone: c3}\n")
    (told,) = [f for f in findings(tmp_path, text) if f.diagnostic.code == "may-be-stuck"]
    assert told.certainty == "not seen" and "Should Black have no" in told.diagnostic.message


def test_a_caption_is_no_rule_that_comes_near(tmp_path: Path) -> None:
    goal = "  - clause: any wins when joined(left, right, adjacent, own)\n    says: White's line\n"
    text = GAME.replace("stuck: draw", f"{goal}stuck: draw").replace(
        "  place Stone at s", "  if mover = Black\n    require turns > 0\n  place Stone at s"
    )
    for found in findings(tmp_path, text):
        assert not any(
            "says" in span.source.line(span.line) for _, span in found.diagnostic.related
        )


THROWN = """\
game: Thrown
players: A, B
board: square(3, 1)
state: {die: number in 0..6}
setup: {A Stone: a1, B Stone: b1}
phases:
  roll:
    seat: nobody
    turn: |
      choose n in 1..6
      set die = n
      go to walk
  walk:
    turn: |
      choose s in own where some east(s) & empty and die > 0
      if die > 3
        remove east(s)
      move s to east(s)
      go to roll
    stuck: passes
end: mover wins when some own & c1
"""


def test_a_pass_that_stays_in_a_phase_which_all_turns_leave(tmp_path: Path) -> None:
    def told(text: str) -> list[str]:
        found = [one.diagnostic for one in findings(tmp_path, text)]
        return [one.message for one in found if one.code == "pass-stays"]

    (message,) = told(THROWN)
    assert message == "A pass here stays in `walk`; all other ways of its turn go to `roll`."
    assert not told(THROWN.replace("passes", "passes then go to roll"))
    assert not told(THROWN.replace("      go to roll", "      if die < 6 go to roll"))


CAUGHT = """\
game: Caught
players: White, Black
board: square(5, 5)
state: {taken(players): number}
turn: |
  choose s in empty
  place Stone at s
  let caught = orthogonal(s) & enemy
  add count caught to taken(mover)
  remove caught
end:
  - mover wins when in_a_row(own, 4) or taken(mover) >= 5
  - draw when turns > 60
"""


@pytest.mark.parametrize("exchanged", ["or taken(mover)", "to taken(mover)"])
def test_a_goal_that_only_the_turns_of_the_other_side_bring_about(
    tmp_path: Path, exchanged: str
) -> None:
    def told(text: str) -> list[str | None]:
        found = [f.diagnostic for f in findings(tmp_path, text)]
        return [f.span and f.span.text for f in found if f.code == "asked-too-late"]

    assert told(CAUGHT) == []
    mistaken = CAUGHT.replace(exchanged, exchanged.replace("mover", "enemy"))
    (clause,) = told(mistaken)
    assert clause is not None and clause.startswith("mover wins when in_a_row")


def test_a_caption_has_the_number_of_its_clause(tmp_path: Path) -> None:
    clause = """\
  - clause: draw when quiet >= 20
    says: ten moves of each side took nothing
"""
    text = CAUGHT.replace("state: {", "state: {quiet: number, ").replace(
        "  remove caught", "  remove caught\n  set quiet = if some caught then 0 else quiet + 1"
    )
    text = text.replace("  - mover wins", clause + "  - mover wins")

    def differing(text: str) -> list[str]:
        found = [f.diagnostic for f in findings(tmp_path, text)]
        return [f.span.text.split()[0] for f in found if f.code == "text-differs" and f.span]

    assert differing(text) == []
    assert differing(text.replace("quiet >= 20", "quiet >= 10")) == ["draw"]


PROMOTED = """\
game: Promoted
players: White, Black
board: square(5, 6)
pieces: Man, Lady, Guard, Chief
regions: {home: {White: bottom, Black: top}}
setup:
  White Man: a2 | b2 | d2 | e2
  White Chief: c1
  White Guard: b1
  Black Man: a5 | b5 | d5 | e5
  Black Chief: c6
  Black Guard: b6
actions:
  promote(s): choose k in (Lady, Guard); change s to k
turn: |
  choose s in own
  choose t in orthogonal(s) - own
  move s to t
  if t in Man & home(enemy)
    do promote(t)
  else if t in Guard and t in corners
    change t to Man
stuck: loses
end:
  - mover wins when no enemy & Chief
  - draw when turns > 99
"""


def test_a_piece_becomes_what_it_is_or_what_there_is_to_be_one_of(tmp_path: Path) -> None:
    def told(text: str) -> list[str]:
        found = [f.diagnostic for f in findings(tmp_path, text)]
        return [f.span.text for f in found if f.code == "unlikely-kind" and f.span]

    plain = PROMOTED.replace("(Lady, Guard)", "(Guard, Man)")
    assert told(PROMOTED) == []
    assert told(PROMOTED.replace("t to Man", "t to Guard")) == ["Guard"]
    assert told(PROMOTED.replace("(Lady, Guard)", "(Guard, Chief)")) == ["Chief"]
    assert told(plain) == ["Man"]
    # What a Guard is promoted to may be a Man, if the action is done for Guards as well.
    both = plain.replace("t in Man & home(enemy)", "t in home(enemy)")
    assert told(both) == []
    # Two that change places stay as many.
    places = "  choose u in own & {}\n  change t to Chief\n  change u to Guard\nstuck"
    assert told(PROMOTED.replace("stuck", places.format("Chief"), 1)) == []
    assert told(PROMOTED.replace("stuck", places.format("Man"), 1)) == ["Chief"]
    # Who has lost no Chief may have two, where no goal asks for it.
    without = PROMOTED.replace("no enemy & Chief", "no enemy & Man").replace(
        "(Lady, Guard)", "(Guard, Chief)"
    )
    assert told(without) == []


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("if hand(enemy) > 0", ["hand(enemy)"]),
        ("if hand(mover) > 0", []),
        ("if hand(mover) + hand(enemy) > 0", []),
        ("if many", ["hand(enemy)"]),
        ("if some enemy & top move enemy & top to hand(enemy)\n  if hand(mover) > 0", []),
    ],
)
def test_a_turn_asks_for_the_hand_that_it_takes_from(
    tmp_path: Path, turn: str, told: list[str]
) -> None:
    text = """\
game: Hands
players: White, Black
board: square(4, 4)
hands: {Stone: 4}
define:
  many: hand(enemy) > 1
turn: |
  TURN
    choose s in empty
    place Stone from hand at s
  else
    choose s in own
    choose t in adjacent(s) & empty
    move s to t
stuck: loses
end:
  - mover wins when hand(enemy) = 0 and in_a_row(own, 3)
  - draw when turns > 40
"""
    found = [f.diagnostic for f in findings(tmp_path, text.replace("TURN", turn))]
    assert [f.span.text for f in found if f.code == "enemy-hand" and f.span] == told


FOUL = """\
game: Foul
players: White, Black
board: square(5, 5)
options: {foul: "banned in banned, forfeit", wanted: 3 in 3..7}
state: {fouled: flag}
turn: |
  choose s in empty
  if s in corners
    require foul = forfeit
    set fouled = yes
  place Stone at s
end:
  - mover loses when fouled
  - mover wins when count (own & corners) >= wanted
  - draw when full
"""


def test_what_another_value_of_an_option_sets_is_not_told(tmp_path: Path) -> None:
    codes = [f.diagnostic.code for f in findings(tmp_path, FOUL.replace("wanted: 3", "wanted: 4"))]
    assert "never-written" not in codes
    without = FOUL.replace("    set fouled = yes\n", "")
    assert "never-written" in [f.diagnostic.code for f in findings(tmp_path, without)]


def test_what_cant_hold_as_an_option_stands_names_its_value(tmp_path: Path) -> None:
    wide = FOUL.replace("wanted: 3", "wanted: 5")
    (told,) = [f.diagnostic for f in findings(tmp_path, wide) if f.diagnostic.code == "never-true"]
    assert told.severity == "note" and told.message.startswith("With wanted 5, as it stands: ")


ROWS = BODY + "setup: {Black Stone: rows(1), White Stone: rows(3)}\nstuck: loses\nend: "


@pytest.mark.parametrize(
    ("end", "place", "message", "hint"),
    [
        ("mover wins when some own & rows(4)", "rows(4)", "no row 4", "Its rows are 1 to 3"),
        ("mover wins when no rows(0) - own", "rows(0)", "no row 0", "Its rows are 1 to 3"),
        ("draw when some columns(4, 9)", "columns(4, 9)", "column from 4 to 9", "are 1 to 3"),
        ("mover wins when rows(3, 1) in own", "rows(3, 1)", "row is from 3 to 1", "`rows(1, 3)`"),
    ],
)
def test_a_row_that_the_board_does_not_have_is_told_alone(
    tmp_path: Path, end: str, place: str, message: str, hint: str
) -> None:
    found = [one.diagnostic for one in findings(tmp_path, f"{ROWS}{end}\n")]
    (told,) = [one for one in found if one.code == "no-such-row"]
    assert told.span is not None
    assert told.span.text == place
    assert message in told.message
    assert hint in told.hint
    assert not {one.code for one in found} & {"never-true", "always-true", "always-empty"}


@pytest.mark.parametrize(
    "text",
    [
        ROWS + "mover wins when some own & rows(2, 9)\n",
        ROWS + "mover wins when some own & rows(count own)\n",
        ROWS.replace("square(3, 3)", "square(wide, wide)")
        + "mover wins when some own & rows(4)\noptions: {wide: 3 in 3..5}\n",
        ROWS + "mover wins when some own & rows(4)\nvariants: {wide: {board: 'square(5, 5)'}}\n",
    ],
)
def test_a_row_of_a_larger_board_may_be_asked_for(tmp_path: Path, text: str) -> None:
    assert "no-such-row" not in {one.diagnostic.code for one in findings(tmp_path, text)}


def test_what_follows_from_a_row_of_the_setup_is_not_told(tmp_path: Path) -> None:
    text = ROWS.replace("rows(3)", "rows(4)") + "mover wins when some own & top\n"
    (one,) = findings(tmp_path, text)
    assert (one.diagnostic.code, one.is_last) == ("no-such-row", True)


BESIDE = BODY + "setup: {Black Stone: a2, White Stone: c2}\nstuck: loses\nend: "


@pytest.mark.parametrize(
    ("condition", "value", "hint"),
    [
        (
            "some own & top | bottom",
            "always",
            "this asks for `(own & top) | bottom`. Write `some own & (top | bottom)`.",
        ),
        ("no top | bottom & own", "never", "this asks for `(bottom & own) | top`."),
        ("some own | top", "always", "`top` has sites whatever is played"),
    ],
)
def test_sets_of_which_one_always_has_sites(
    tmp_path: Path, condition: str, value: str, hint: str
) -> None:
    found = findings(tmp_path, f"{BESIDE}mover wins when turns > 3 and {condition}\n")
    (told,) = [one.diagnostic for one in found if one.diagnostic.code == f"{value}-true"]
    assert told.span is not None
    assert told.span.text == condition
    assert hint in told.hint


def test_a_clause_that_holds_at_once_is_told_by_what_always_holds(tmp_path: Path) -> None:
    found = findings(tmp_path, f"{BESIDE}mover wins when some own & top | bottom\n")
    (over,) = [one.diagnostic for one in found if one.diagnostic.code == "over-at-start"]
    assert "binds more closely" in over.hint


@pytest.mark.parametrize(
    "condition",
    ["some own & (top | bottom)", "some own & top | enemy & bottom", "some own | enemy"],
)
def test_sets_of_which_none_always_has_sites(tmp_path: Path, condition: str) -> None:
    found = findings(tmp_path, f"{BESIDE}mover wins when turns > 3 and {condition}\n")
    assert "always-true" not in {one.diagnostic.code for one in found}


@pytest.mark.parametrize(
    "text",
    [
        GAME + "swap: turns = 1\n",
        GAME + "swap: turns = 2 or turns = 1\n",
        GAME.replace("at s\n", "at s\n  if turns = 0\n    again\n") + "swap: turns = 2\n",
    ],
)
def test_a_swap_by_the_second_side_is_not_spoken_of(tmp_path: Path, text: str) -> None:
    assert "swap-by-first" not in {one.diagnostic.code for one in findings(tmp_path, text)}


def test_what_a_definition_makes_of_the_enemy_is_not_told(tmp_path: Path) -> None:
    clause = "end:\n  - mover wins when {}\n  - draw when full\n"
    text = BODY + clause.format("surrounded(enemy)")
    text += "define:\n  surrounded(sites p): some s in p where no adjacent(s) & empty\n"
    assert "won-by-enemy" not in {f.diagnostic.code for f in findings(tmp_path, text)}
    plain = BODY + clause.format("in_a_row(enemy, 3)")
    assert "won-by-enemy" in {f.diagnostic.code for f in findings(tmp_path, plain)}


ABOUT = "about: {}\n"
STUCK = BODY.replace("in empty", "in own").replace("place Stone at", "remove") + (
    "setup: {Black Stone: top, White Stone: bottom}\nend: draw when turns > 30\nstuck: %s\n"
)


@pytest.mark.parametrize(
    ("about", "stuck", "is_told"),
    [
        ("Who can't move wins.", "loses", True),
        ("Who can't move loses.", "wins", True),
        ("Who can't move, loses.", "draw", True),
        ("A side without a move loses.", "loses", False),
        ("If a side can't move, the other wins.", "loses", False),
        ("If a side can't move, the enemy wins.", "wins", True),
        ("Who can't move passes.", "passes", False),
        ("Who has no moves left passes.", "loses", True),
        ("Stalemate is a draw.", "loses", True),
        ("Stalemate is a draw.", "draw", False),
        ("Who can't move never loses.", "draw", False),
    ],
)
def test_what_a_text_says_of_who_cannot_move(
    tmp_path: Path, about: str, stuck: str, is_told: bool
) -> None:
    found = findings(tmp_path, STUCK % stuck + ABOUT.format(about))
    told = [f.diagnostic for f in found if f.diagnostic.code == "text-differs"]
    assert [one.span.text for one in told if one.span] == ([stuck] if is_told else [])


GOALS = "about: Black joins top and bottom, White left and right.\n"


def test_goals_that_a_text_gives_to_the_other_side(tmp_path: Path) -> None:
    assert not findings(tmp_path, GAME + GOALS)
    turned = GAME.replace("Black wins", "RED wins").replace("White wins", "Black wins")
    turned = turned.replace("RED wins", "White wins")
    told = [f.diagnostic for f in findings(tmp_path, turned + GOALS)]
    assert [one.code for one in told if one.code == "text-differs"] == ["text-differs"] * 2


def code_at(folder: Path, text: str, code: str) -> list[str]:
    """Return the places at which a code is found in a game's text."""
    found = (f.diagnostic for f in findings(folder, text) if f.diagnostic.code == code)
    return [one.span.text for one in found if one.span is not None]


@pytest.mark.parametrize(
    ("loss", "win", "is_told"),
    [
        ("mover loses when tries = 3", "mover wins when c3 in own", True),
        ("mover loses when in_a_row(own, 2)", "mover wins when in_a_row(own, 3)", True),
        ("mover loses when in_a_row(enemy, 3)", "mover wins when in_a_row(own, 3)", False),
        ("mover loses when full and c3 in own", "mover wins when c3 in own", False),
        ("mover loses when no own", "mover wins when count own > 2", False),
        ("enemy loses when tries = 3", "mover wins when c3 in own", False),
    ],
)
def test_a_loss_above_a_win(tmp_path: Path, loss: str, win: str, is_told: bool) -> None:
    text = f"{BODY}  add 1 to tries\nstate: {{tries: number in 0..9}}\nend:\n"
    text += f"  - {loss}\n  - {win}\n  - draw when full\n"
    assert code_at(tmp_path, text, "loses-first") == ([loss] if is_told else [])
    below = f"{text.split('end:')[0]}end:\n  - {win}\n  - {loss}\n  - draw when full\n"
    assert not code_at(tmp_path, below, "loses-first")


@pytest.mark.parametrize(
    ("ranking", "payoff", "is_told"),
    [
        ("lowest", "count(own & top) - count(enemy & top)", True),
        ("lowest", "count(enemy & top) - count(own & top)", False),
        ("highest", "count(own & top) - count(enemy & top)", False),
        ("highest", "2 * (count(enemy & top) - count(own & top)) - 1", True),
        ("lowest", "count(own & top) - count(enemy & top) + 9", False),
        ("lowest", "count own", False),
    ],
)
def test_a_winner_that_is_paid_less_than_nothing(
    tmp_path: Path, ranking: str, payoff: str, is_told: bool
) -> None:
    clause = f"{ranking} count(own & top) wins by {payoff} when full"
    text = f"{BODY}end:\n  - {clause}\n  - draw when full\n"
    assert code_at(tmp_path, text, "losing-win") == ([clause] if is_told else [])


@pytest.mark.parametrize(
    ("more", "code", "place"),
    [
        ("", "may-be-stuck", "turn"),
        ("stuck: loses\n", "full-board", "loses"),
        ("stuck: passes\n", "endless-passes", "stuck"),
        ("stuck: draw\n", "full-board", ""),
        ("stuck: loses\nabout: Who can't move loses.\n", "full-board", ""),
    ],
)
def test_a_full_board_without_a_row(tmp_path: Path, more: str, code: str, place: str) -> None:
    goals = "  - draw when in_a_row(enemy, 3)\n  - mover wins when in_a_row(own, 3)\n"
    expected = [place] if place else []
    assert code_at(tmp_path, f"{BODY}end:\n{goals}{more}", code) == expected
    other = goals.replace("in_a_row(own, 3)", "joined(left, right, adjacent, own)")
    assert code_at(tmp_path, f"{BODY}end:\n{other}{more}", code) == []


@pytest.mark.parametrize(("white", "is_told"), [("c3 | b3", True), ("rows(2, 3)", False)])
def test_sites_of_sides_that_begin_with_other_numbers_of_pieces_need_no_mirror(
    tmp_path: Path, white: str, is_told: bool
) -> None:
    text = GAME.replace("in empty", "in empty where not s in home(mover) or turns > 1")
    text += f"regions:\n  home(Black): a1 | c1\n  home(White): {white}\n"
    text += "setup:\n  Black Stone: home(Black)\n  White Stone: home(White)\n"
    expected = [f"home(White): {white}"] if is_told else []
    assert code_at(tmp_path, text, "no-mirror-image") == expected


@pytest.mark.parametrize(
    ("leaves", "is_told"), [("go to placing", False), ("if count own > 3 go to placing", True)]
)
def test_a_pass_between_which_nobody_may_pass(tmp_path: Path, leaves: str, is_told: bool) -> None:
    phases = (
        "phases:\n  placing: |\n    choose s in empty\n    place Stone at s\n    go to moving\n"
    )
    phases += "  moving: |\n    either\n      choose s in own\n      remove s\n    or\n      pass\n"
    text = BODY.split("turn:")[0] + phases + f"    {leaves}\n" + END
    assert code_at(tmp_path, text, "free-pass") == (["pass"] if is_told else [])


@pytest.mark.parametrize(
    ("other", "is_told"),
    [
        ("joined(top, bottom, adjacent, own)", True),
        ("joined(top, bottom, compass, own - b2)", True),
        ("joined(top, bottom, adjacent, own - b2)", False),
        ("joined(top, bottom, compass, own)", False),
    ],
)
def test_two_ways_to_a_goal_that_differ(tmp_path: Path, other: str, is_told: bool) -> None:
    ways = f"joined(left, right, adjacent, own - b2) or {other}"
    text = f"{BODY}stuck: draw\nend: mover wins when {ways}\n"
    assert code_at(tmp_path, text, "no-mirror-image") == ([other] if is_told else [])


@pytest.mark.parametrize(
    ("says", "is_told"),
    [
        ("the board is full, or it is the ninth turn", True),
        ("the board is full at the ninth turn", False),
        ("the board is full and it is the ninth turn", False),
        ("one or two sites were left", False),
        ("no site, or turn, is left", False),
        ("the board is full, or there is no turn left", True),
    ],
)
def test_a_caption_that_joins_otherwise(tmp_path: Path, says: str, is_told: bool) -> None:
    rule = "draw when full and turns = 9"
    text = f"{BODY}stuck: draw\nend:\n  - clause: {rule}\n    says: {says}\n"
    assert code_at(tmp_path, text, "text-differs") == ([rule] if is_told else [])


def test_a_payoff_of_numbers_that_are_the_same_but_for_names(tmp_path: Path) -> None:
    worth = "define: {worth(P): sum s in P of row(s)}\n"
    clause = "lowest worth(own) wins by worth(own) - worth(enemy) when full"
    text = f"{BODY}{worth}end:\n  - {clause}\n  - draw when full\n"
    assert code_at(tmp_path, text, "losing-win") == [clause]


@pytest.mark.parametrize(
    ("one", "other", "is_told"),
    [
        ("joined(top, bottom, compass, own)", "joined(left, right, orthogonal, own)", True),
        ("joined(top, bottom, compass, own)", "joined(left, right, compass, own)", False),
        ("some own & north(top - a3)", "some own & south(top - a3)", False),
        ("count own > 3", "count own > 4", True),
    ],
)
def test_goals_of_another_relation_or_number(
    tmp_path: Path, one: str, other: str, is_told: bool
) -> None:
    text = f"{BODY}stuck: draw\nend:\n  - Black wins when {one}\n  - White wins when {other}\n"
    expected = [f"White wins when {other}"] if is_told else []
    assert code_at(tmp_path, text, "no-mirror-image") == expected


@pytest.mark.parametrize(
    ("condition", "place"),
    [
        ("beats(s, c3)", ""),
        ("beats(b, a)", "beats(b, a)"),
        ("beats(a, b)", ""),
        ("(beats(a, b) or beats(b, a))", ""),
    ],
)
def test_parameters_in_another_order(tmp_path: Path, condition: str, place: str) -> None:
    body = BODY.replace("s in empty", "a in empty").replace("at s", "at b")
    body = body.replace(
        "  place", f"  choose b in empty where {condition.replace('s,', 'a,')}\n  place"
    )
    text = body + END + "define:\n  beats(a, b): row(a) > row(b) or column(a) > 1\n"
    assert code_at(tmp_path, text, "arguments-exchanged") == ([place] if place else [])


@pytest.mark.parametrize(
    ("board", "directions", "way", "is_told"),
    [
        ("square(5, 5)", "(north, northeast, east)", "line(own, d, 3)", True),
        ("square(5, 5)", "(north, northeast, east)", "some own & (d^2)(own)", True),
        ("square(5, 5)", "(north, northeast, east)", "some own & d(own)", False),
        ("square(5, 5)", "(north, northeast, east, southeast)", "line(own, d, 3)", False),
        ("square(5, 5)", "(north, east)", "line(own, d, 3)", False),
        ("hex rhombus(5, 5)", "(east, northeast)", "line(own, d, 3)", True),
        ("hex rhombus(5, 5)", "(east, northeast, northwest)", "line(own, d, 3)", False),
    ],
)
def test_a_line_that_is_left_out(
    tmp_path: Path, board: str, directions: str, way: str, is_told: bool
) -> None:
    text = BODY.replace("square(3, 3)", board)
    text += f"end:\n  - mover wins when some d in {directions} where {way}\n  - draw when full\n"
    assert code_at(tmp_path, text, "missing-direction") == ([directions] if is_told else [])


@pytest.mark.parametrize(
    ("swap", "code"),
    [
        ("turns = 1", ""),
        ("turns = 0", "swap-by-first"),
        ("turns = 2", "swap-by-first"),
        ("turns >= 1", "swap-always"),
        ("turns > 0 and turns = 1", ""),
    ],
)
def test_when_sides_may_be_exchanged(tmp_path: Path, swap: str, code: str) -> None:
    told = {f.diagnostic.code for f in findings(tmp_path, f"{GAME}swap: {swap}\n")}
    assert {one for one in told if "swap" in one} == ({code} if code else set())


def test_a_side_that_is_on_turn_twice_at_first(tmp_path: Path) -> None:
    text = GAME.replace("  place Stone at s\n", "  place Stone at s\n  if turns = 0\n    again\n")
    assert code_at(tmp_path, text, "first-twice") == ["again"]
    assert not code_at(
        tmp_path, text + ABOUT.format("Black begins with two stones."), "first-twice"
    )
    other = ABOUT.format("Twice as many stones, without double steps.")
    assert code_at(tmp_path, text + other, "first-twice") == ["again"]
    often = text.replace("turns = 0", "turns mod 2 = 0")
    assert not code_at(tmp_path, often, "first-twice")


@pytest.mark.parametrize(("number", "is_told"), [(0, False), (1, False), (2, True), (3, False)])
def test_a_phase_that_one_side_has_more_turns_of(
    tmp_path: Path, number: int, is_told: bool
) -> None:
    text = GAME.replace(
        "turn: |\n  choose s in empty\n  place Stone at s\n",
        f"""\
phases:
  first: |
    choose s in empty & interior
    place Stone at s
    if turns = {number}
      go to later
  later: |
    choose s in empty
    place Stone at s
""",
    ).replace("square(3, 3)", "square(5, 5)")
    assert code_at(tmp_path, text, "first-twice") == ([f"turns = {number}"] if is_told else [])


@pytest.mark.parametrize(
    ("one", "other", "is_told"),
    [
        ("joined(top, bottom, adjacent, Black)", "joined(top, bottom, adjacent, White)", True),
        ("joined(top, bottom, adjacent, Black)", "joined(left, right, adjacent, White)", False),
        ("in_a_row(Black, 3)", "in_a_row(White, 3)", False),
    ],
)
def test_definitions_that_name_the_same_edges_for_both_sides(
    tmp_path: Path, one: str, other: str, is_told: bool
) -> None:
    text = f"{BODY}stuck: draw\ndefine:\n  won(Black): {one}\n  won(White): {other}\n"
    text += "end: any wins when won(own)\n"
    expected = [f"won(White): {other}"] if is_told else []
    assert code_at(tmp_path, text, "same-for-sides") == expected


def test_what_does_not_fit_into_a_definition_is_told_with_where_it_is_given(tmp_path: Path) -> None:
    text = GAME.replace("in empty", "in empty where some near(north, s)")
    found = findings(tmp_path, text + "define:\n  near(s, d): d(s) & empty\n")
    (one,) = (f.diagnostic for f in found if f.diagnostic.severity == "error")
    assert [span.text for _, span in one.related] == ["near"]


SCORED = (
    BODY.replace(
        "  place Stone at s\n", "  place Stone at s\n  if s in corners add 1 to score(mover)\n"
    )
    + "state: {score(players): number in 0..9}\nend:\n  - mover wins when in_a_row(own, 3)\n"
    "  - draw when full\n"
)
"""A game that counts what only an option, or a variant, asks for."""


def test_a_variable_that_a_variant_alone_reads_is_read(tmp_path: Path) -> None:
    assert code_at(tmp_path, SCORED, "never-read")
    variant = "variants: {scored: {end: [highest score(own) wins when full, draw when full]}}\n"
    assert not code_at(tmp_path, SCORED + variant, "never-read")


def test_a_variable_that_an_option_alone_reads_is_read_however_many_options_there_are(
    tmp_path: Path,
) -> None:
    clause = (
        "highest score(own) wins when full and scoring and a + b + c + d + e + f + g + h + i = 9"
    )
    text = SCORED.replace("  - draw", f"  - {clause}\n  - draw")
    text += "options:\n" + "".join(f"  {name}: 1 in 1..9\n" for name in "abcdefghi")
    text += "  scoring: {default: no, about: Whether corners count.}\n"
    assert not code_at(tmp_path, text, "never-read")
    assert not code_at(tmp_path, text, "no-effect")
    assert len(code_at(tmp_path, text.replace("scoring and ", ""), "unused")) == 1
