"""Rules in words: every clause and decision of every shipped game, and the parts one by one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from library_games import deep_games, shipped, uncaptioned

from gdl.diagnostic import Source
from gdl.interpreter.explain.answers import why
from gdl.interpreter.library.portrait import portrait
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.positions.position_text import end_text, mover_does
from gdl.interpreter.positions.threats import threats
from gdl.interpreter.sessions.judging import result_read
from gdl.interpreter.solve.solver import Solver
from gdl.interpreter.words.rules import rules_in_words, said_of, told_of_kind
from gdl.load import load_game, load_source, shipped_names

CODE = re.compile(r"[][{}<>=|&_^*`$\\]|\w\(|\)\w|\.\.|\bdef\b|\bNone\b|  ")
"""What no sentence has. Brackets are English where they stand around words, not behind a name."""
BASE = """
game: Base
players: White, Black
pieces: Man, King
board: square(5, 5)
options: {goal: 4}
state: {quiet: number, marked: sites, hand(players): number = 3, ready(players): flag}
setup: {White King: a1, Black King: e5}
"""


def said(text: str) -> list[str]:
    path = Path("words.yaml")
    path.write_text(BASE + text)
    return list(rules_in_words(load_game(str(path))).lines())


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_rules_of_shipped_games_read_as_sentences(name: str) -> None:
    game = shipped(name)
    rules = rules_in_words(game)
    turns = [turn for phase in game.program.phases for turn in phase.turns]
    assert rules.text or rules.turns
    assert all(said_of(game, e.span) for turn in turns for e in (*turn.endings, *turn.stuck))
    steps = [step for part in rules.turns for top in part.steps for step in top.all()]
    assert rules.text or steps
    for line in rules.lines():
        text = line.strip()
        assert not CODE.search(text), text
        assert re.fullmatch(r"[A-Z“a-z].*[.:]", text), text


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("choose s in empty & adjacent(own)", "Choose an empty site next to one of your pieces."),
        ("choose s in own & top", "Choose one of your pieces on the top side."),
        ("choose s in enemy - King", "Choose one of the enemy's pieces that is not a King."),
        ("choose 2 s in empty", "Choose two empty sites."),
        (
            "choose s in ray(King, north, empty)",
            "Choose a site in the unbroken row of empty sites from a King to the north or right"
            " behind it.",
        ),
        ("require ready(mover)", "This is allowed only if “your ready” holds."),
        (
            "choose s in leaper(1, 2)(King)",
            "Choose a site a leap of one by two away from a King.",
        ),
        ("choose d in orthogonal", "Choose a direction, along a row or column."),
        ("choose n in 1..3", "Choose a number: one to three."),
        ("choose k in (Man, King)", "Choose a kind of piece: Man or King."),
        ("choose s in slides(own, diagonal, empty)", "slide to diagonally."),
        ("choose s in all where seen(board) = 0", "this position has not come up before."),
        ("choose s in all where seen(board) < 2", "has come up at most once before."),
        ("choose s in all where seen(board) >= 2", "has come up twice before."),
        ("choose s in all where not turns > 2", "at most two turns have been made."),
        ("choose s in all where turns < 2", "fewer than two turns have been made."),
        (
            "choose s in all where not s in top | left",
            "neither on the top side nor on the left side.",
        ),
        ("choose s in all where not s in top & own", "not on the top side or not held by you."),
    ],
)
def test_decisions(turn: str, told: str) -> None:
    assert said(f"turn: {turn}\nstuck: draw\n")[0].endswith(told)


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("White wins when joined(top, bottom, adjacent, own)", "White wins when an unbroken chain"),
        ("mover wins when in_a_row(own, goal)", "four of its pieces stand in a row."),
        ("mover loses when no enemy & King", "The side that has just moved loses when"),
        ("draw when full", "The game is a draw when the board is full."),
        ("draw when passed = 2", "The game is a draw when the last two turns were passes."),
        ("draw when not (full or quiet > 3)", "some site is empty and “quiet” is at most three."),
        (
            "any wins when count own >= 3",
            "A side wins when there are at least three of its pieces.",
        ),
        ("highest count own wins when full", "The side with the most pieces wins when the board"),
        ("lowest hand(own) wins", "The side with the lowest hand wins."),
        (
            "lowest sum s in own of row(s) wins",
            "for which the sum of the rows of its pieces is lowest",
        ),
        (
            "highest max g in groups(own, adjacent) of count g wins",
            "for which the greatest of the sizes of the groups of its pieces is highest",
        ),
        ("mover wins when no own and goal > 3", "when it has no pieces left."),
        ("draw when every s in own has s in border", "for every one of the mover's pieces"),
    ],
)
def test_clauses(clause: str, told: str) -> None:
    assert told in said(f"turn: choose s in own\nstuck: draw\nend: {clause}\n")[1]


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("move s to t; place Man at s", "Put one of your Men on the site where the piece stood."),
        ("remove s; place Man at s", "Put one of your Men on the site where the piece stood."),
        ("if t in top; ; move s to t; else; ; remove s; place Man at s", "where the piece stood."),
        ("if t in top; ; move s to t; place Man at s", "Put one of your Men on the piece."),
        ("let spot = s; move spot to t; set spot = t; place Man at spot", "on the spot."),
    ],
)
def test_a_site_whose_piece_has_gone_is_not_called_by_it(turn: str, told: str) -> None:
    block = "\n  ".join(turn.replace("; ; ", "; " + " " * 2).split("; "))
    text = f"turn: |\n  choose s in own\n  choose t in empty\n  {block}\nstuck: draw\n"
    (*_, last) = [line for line in said(text) if "Put" in line]
    assert last.endswith(told)


def test_what_is_taken_from_a_number_goes_down_and_pieces_slide() -> None:
    turn = "choose s in own; choose t in slides(s, compass, empty); move s to t"
    turn += "; choose u in slides(t, compass, empty); choose n in 1..3; add -n to quiet"
    told = said("turn: |\n  " + turn.replace("; ", "\n  ") + "\nstuck: draw\n")
    assert any("goes down by the number." in line for line in told)
    assert any("that the piece can slide to in any direction." in line for line in told)
    assert any("that can be slid to from the first site" in line for line in told)


def test_things_of_one_sort_are_told_apart() -> None:
    told = said("turn: |\n  choose s in own\n  choose t in empty\n  move s to t\nstuck: draw\n")
    assert told[:3] == [
        "Choose one of your pieces.",
        "Choose an empty site.",
        "Move the piece to the site.",
    ]
    told = said(
        "turn: |\n  choose s in empty\n  choose t in empty - s\n  place Man at s | t\nstuck: draw\n"
    )
    assert told[1] == "Choose an empty site other than the first site."
    assert "the first site and the second site" in told[2]


def test_captions_name_parameters_options_and_the_side() -> None:
    told = said(
        """
define:
  near(s): {is: some adjacent(s) & own, says: "one of {own}'s pieces touches {s}"}
turn: choose s in empty where near(s)
stuck: draw
end:
  clause: any wins when count own >= goal
  says: "{own} has {goal} pieces"
"""
    )
    assert told[0] == "Choose an empty site for which one of your pieces touches the site."
    assert told[1] == "A side wins when it has four pieces."


def test_what_differs_between_sides_is_told_of_each() -> None:
    told = said(
        "relations: {ahead(White): north, ahead(Black): south}\n"
        "define: {last(White): top, last(Black): bottom}\n"
        "turn: choose s in ahead(mover)(own)\nstuck: draw\n"
        "end: mover wins when some own & last(own)\n"
    )
    assert told[0] == "Choose a site an ahead step away from one of your pieces."
    assert told[1:3] == [
        "White wins when one of its pieces is on the top side.",
        "Black wins when one of its pieces is on the bottom side.",
    ]


def test_options_settle_what_is_told() -> None:
    text = (
        "turn: |\n  if goal > 3\n    choose s in own\n  else\n    choose s in empty\nstuck: draw\n"
    )
    assert said(text)[0] == "Choose one of your pieces."


def test_a_draw_of_who_cannot_move_is_told_with_its_condition() -> None:
    told = said("turn: choose s in own\nstuck: [draw when no enemy, loses]\n")
    assert "The game is a draw when a side can't move and the enemy has no pieces left." in told


def test_the_authors_rules_stand_in_place_of_turns() -> None:
    told = said("rules: Go anywhere.\nturn: choose s in own\nstuck: draw\n")
    assert told == ["Go anywhere.", "The game is a draw for a side without a legal move."]


def test_the_authors_rules_go_with_what_is_said_of_variants() -> None:
    told = said(
        "rules: Go anywhere.\nturn: choose s in own\nstuck: draw\n"
        "variants: {short: {about: Three turns are enough., end: draw when turns = 3}}\n"
    )
    assert told[0] == "Go anywhere."
    varied = rules_in_words(load_game("words.yaml", variants=("short",)))
    assert varied.text == "Go anywhere. Variant short: Three turns are enough."


def test_the_authors_rules_are_those_of_one_file() -> None:
    said("rules: Go anywhere.\nturn: choose s in own\nstuck: draw\n")
    Path("child.yaml").write_text("game: Child\nextends: words.yaml\nturn: choose s in empty\n")
    told = rules_in_words(load_game("child.yaml"))
    assert not told.text and [str(step.text) for step in told.turns[0].steps]


def test_directions_are_told_apart() -> None:
    told = said(
        "turn: |\n  choose f in orthogonal\n"
        "  choose r in orthogonal where r != f and r != opposite(f)\n"
        "  choose s in r(own)\nstuck: draw\n"
    )
    assert "the second direction is not the first direction" in told[1]
    assert "the second direction is not the opposite of the first direction" in told[1]
    assert told[2].endswith("in the second direction.")


def test_steps_known_in_play_are_told_by_their_number() -> None:
    told = said(
        "relations: {onward: {path: a1 b1 c1}}\n"
        "define: {ahead(s, n): (onward^n)(s)}\nstuck: draw\n"
        "turn: choose s in ahead(own, quiet); set quiet = 2\n"
    )
    assert told[0] == "Choose a site “quiet” onward steps away from one of your pieces."


def test_what_happens_to_a_stuck_side_is_told_beside_a_caption() -> None:
    clause = "stuck:\n  clause: {}\n  says: '{{own}} {}'\nturn: choose s in own\n"
    assert said(clause.format("wins", "cannot move"))[1].endswith("wins: it cannot move.")
    assert said(clause.format("loses", "has lost"))[1] == "It has lost."


def test_a_clause_by_which_one_side_alone_wins_names_it() -> None:
    told = said(
        "turn: choose s in own\nstuck: draw\nend:\n"
        "  - mover wins when mover = Black and count own = goal\n"
    )
    assert "Black wins when there are exactly four of its pieces." in told


def test_what_a_side_is_told_of_is_called_by_captions() -> None:
    told = said(
        "turn: choose s in own\nstuck: draw\nsees: {pieces: own, values: 'quiet, marked'}\n"
        "display: {captions: {quiet: 'turns without a capture: {}', marked: 'marked are {}'}}\n"
    )
    assert "It also sees turns without a capture and “marked”." in told


def test_of_a_clause_of_stuck_that_names_others_it_is_told_when_it_is_asked() -> None:
    clause = "stuck:\n  - {}\n  - draw\nturn: choose s in own\n"
    for tried, told in (
        ("highest count own wins", "Where a side has no legal move, the side with the most pieces"),
        ("enemy wins", "Where a side has no legal move, the other side wins."),
        ("mover wins when no enemy", "A side that is stuck wins if"),
        ("wins", "A side without a legal move wins."),
        ("White wins", "Where a side has no legal move, White wins."),
    ):
        assert said(clause.format(tried))[1].startswith(told)


def test_numbers_are_compared_as_numbers_where_a_direction_is_chosen() -> None:
    told = said(
        "turn: |\n  choose men in own\n  choose e in orthogonal\n  choose n in 1..4\n"
        "  require every k in 1..n has count((e^k)(own) & empty) = count own\n"
        "  place Man at (e^n)(men)\nstuck: draw\n"
    )
    assert told[3] == (
        "This is allowed only if for every number from one to the number, the number of empty sites"
        " that number of steps from one of your pieces in that direction is the number of your"
        " pieces."
    )
    assert told[4].endswith("the site that number of steps from the piece in that direction.")


def test_amounts_are_told_by_their_names() -> None:
    told = said(
        "stacks: 9\nturn: |\n  choose s in own\n  choose t in adjacent(s)\n"
        "  choose n in 1..height(s)\n  let far = n + 1\n  choose u in (north^far)(t)\n"
        "  move 1 of s onto t\n  move n of s onto t\n  remove 1 of t\n"
        "  repeat far times\n    remove 2 of t\nstuck: draw\n"
    )
    assert told[4:10] == [
        "Choose the site “far” steps from the first site to the north.",
        "Move the piece on top of the first site.",
        "Move that number of pieces from the top of the piece on top of the first site.",
        "Take the uppermost piece off the first site.",
        "Do this “far” times:",
        "  Take the uppermost two pieces off the first site.",
    ]


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        (
            "every d in orthogonal has some d(s) & empty",
            "in every direction along a row or column, the site next to the piece in that direction"
            " is empty.",
        ),
        (
            "not every d in compass has some d(s) & empty",
            "in some direction, the site next to the piece in that direction is not empty.",
        ),
        (
            "some d in orthogonal where some d(s) & empty",
            "the site next to the piece along a row or",
        ),
        (
            "some d in orthogonal where no d(s) & enemy",
            "in some direction along a row or column, none of the enemy's pieces is next to the"
            " piece in that direction.",
        ),
        (
            "not some d in diagonal where some d(s) & own and some (d^2)(s) & own",
            "in no direction diagonally, one of your pieces is next to the piece in that direction"
            " and one of your pieces is two steps from the piece in that direction.",
        ),
        (
            "every d in (north, east) has every e in diagonal has some d(e(s)) & own",
            "in every direction to the north or to the east, in every direction diagonally, one"
            " of your pieces is next to the site next to the piece in this direction in that"
            " direction.",
        ),
    ],
)
def test_what_holds_in_each_direction_is_told_of_that_direction(condition: str, told: str) -> None:
    text = said(f"turn: |\n  choose s in own\n  require {condition}\nstuck: draw\n")[1]
    assert told in text


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("some north(s) & own & Man", "one of your Men is directly north of the site."),
        ("s in own & Man", "the site is held by one of your Men."),
        ("s in King & enemy & top", "the site is held by the enemy's King and on the top side."),
        ("not s in Man", "the site is not held by a Man."),
        ("not s in White & Man", "the site is not held by one of White's Men."),
    ],
)
def test_a_site_is_held_by_what_stands_on_it(condition: str, told: str) -> None:
    more = "  require " + condition + "\nstuck: draw\n"
    assert said(f"turn: |\n  choose s in all\n{more}")[1].endswith(told)
    told_of_piece = said(f"turn: |\n  choose s in own\n  require s in own & Man\n{more}")[1]
    assert told_of_piece.endswith("the piece is one of your Men.")


WORDS = """
regions: {river: rows(3) & (columns(2) | columns(4)), hill: c3}
relations: {ahead(White): north | northeast, ahead(Black): south}
define:
  home: {White: bottom, Black: top}
  worth: {Man: 1, King: 3}
  rank(Man): 2
  rank(King): 4
  takes(t): |
    (union d in orthogonal of bracketed(t, d, enemy, own)) | enemy & corners & orthogonal(t)
  near(S): S & adjacent(King)
  lost(s): union d in compass of (d^2)(s) when d(s) in empty
  far(t): abs(row(t) - 10)
  unnamed(t): {is: adjacent(t) & own, says: "your neighbours of {t}"}
"""


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("choose s in all - river", ["“river”: row 3 in column 2 or in column 4."]),
        (
            "choose s in ahead(mover)(own)",
            ["“ahead” step: for White to the north or to the northeast; for Black to the south."],
        ),
        (
            "choose s in own - home(mover)",
            ["“home”: for White the bottom side; for Black the top side."],
        ),
        ("require worth(kind(a1)) > 1", ["“worth”: for Man one; for King three."]),
        ("require rank(kind(a1)) > 1", ["“rank”: for Man two; for King four."]),
        (
            "|\n  choose s in own\n  remove takes(s)",
            [
                "“takes” of t: the rows of the enemy's pieces along a row or column between t and"
                " one of your pieces, and the enemy's pieces in a corner and orthogonally"
                " next to t."
            ],
        ),
        ("choose s in lost(a1)", []),
        ("choose s in unnamed(a1)", []),
        ("choose s in hill", []),
    ],
)
def test_words_of_the_file_that_are_used_by_name_are_told_once(turn: str, told: list[str]) -> None:
    lines = said(f"{WORDS}turn: {turn}\nstuck: draw\n")
    assert [line for line in lines if re.match("“.*:", line)] == told


KINDS = """
relations: {ahead(White): north, ahead(Black): south}
define:
  ride(s, R): union d in R of ray(s, d, empty)
  ways(s, Man): ride(s, ahead(mover))
  ways(s, King): {is: twice(s), says: "the second site from {s} that way, over an empty one"}
  ways(s, kind k): none
  twice(s): union d in compass of d(d(s) & empty)
display: {captions: {quiet: "turns without a capture: {}", marked: "marked are {}"}}
stuck: draw
"""


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("choose s in own", []),
        (
            "|\n  choose s in own\n  choose t in union k in kinds of ways(s, k) when s in k",
            ["Choose one of the “ways” of the piece."],
        ),
        ("add 1 to quiet", ["“quiet”: turns without a capture."]),
        ("set marked = all - marked", ["“marked”: marked are …."]),
    ],
)
def test_how_kinds_move_and_what_is_shown_are_told(turn: str, told: list[str]) -> None:
    lines = said(f"{KINDS}turn: {turn}\n")
    assert (
        "“ways” of s: for Man the unbroken row of empty sites from s along ahead steps or right"
        " behind it; for King the second site from s that way, over an empty one;"
        " otherwise nothing."
    ) in lines
    assert "“ahead” step: for White to the north; for Black to the south." in lines
    assert [line for line in told if line not in lines] == []


def test_a_word_that_depends_on_the_mover_is_told_of_each_side() -> None:
    game = uncaptioned("arimaa", has_rules=False)
    (told,) = (one for one in rules_in_words(game).meanings if "“onward”" in one)
    assert "for Gold the empty sites next to s other than the site directly south of s" in told
    assert "for Silver the empty sites next to s other than the site directly north of s" in told


def test_the_caption_of_a_kind_is_what_is_told_of_it() -> None:
    said(f"{KINDS.replace('{quiet:', '{Man: any way ahead, quiet:')}turn: choose s in own\n")
    game = load_game("words.yaml")
    assert told_of_kind(game, "Man") == ("Any way ahead.",)
    assert told_of_kind(game, "King")[0].startswith("“ways”")
    assert portrait(game).kinds == ("Man: any way ahead",)


def test_words_that_tell_of_a_kind_are_told_with_it() -> None:
    said(f"{KINDS}turn: choose s in own\n")
    game = load_game("words.yaml")
    assert told_of_kind(game, "Man") == (
        "“ways”: the unbroken row of empty sites from the Man along ahead steps or right behind"
        " it.",
        "“ahead” step: for White to the north; for Black to the south.",
    )
    pawn, elephant = (
        " ".join(told_of_kind(uncaptioned(name), kind))
        for name, kind in (("chess", "Pawn"), ("xiangqi", "Elephant"))
    )
    assert "second one" in pawn and "just passed" in pawn and "“double”" not in pawn
    assert "two steps diagonally from the Elephant" in elephant and "“bank”: for Red" in elephant


def test_where_no_word_tells_of_a_kind_all_of_the_text_and_the_ways_of_a_turn_do() -> None:
    told = told_of_kind(uncaptioned("hnefatafl", has_rules=False), "King")
    assert told[0].startswith("A king and his defenders")
    assert any("can slide to along a row or column" in one for one in told)
    assert "“king squares”: f6 and the corners." in told


def test_words_of_the_file_are_told_to_be_such() -> None:
    turn = "turn: |\n  choose s in own\n  remove takes(s)\nstuck: draw\n"
    assert said(f"{WORDS}{turn}")[1] == "Remove what stands on the “takes” of the piece."


@pytest.mark.parametrize(
    ("domain", "told"),
    [
        ("all - own - river", "a site not held by you and not in the river."),
        (
            "(adjacent(King) - river | slides(King, diagonal, empty)) - own - corners",
            "a site next to a King not in the river, or an empty site that a King can slide to"
            " diagonally, not held by you and not in a corner.",
        ),
        ("own & river", "one of your pieces in the river."),
        ("own - hill", "one of your pieces other than c3."),
    ],
)
def test_what_is_left_out_stands_apart(domain: str, told: str) -> None:
    assert said(f"{WORDS}turn: choose s in {domain}\nstuck: draw\n")[0] == f"Choose {told}"


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("add 1 to seeds(a1)", "The seeds of a1 go up by one."),
        ("set seeds(a1) = 0", "The seeds of a1 become zero."),
        ("add 1 to quiet", "“quiet” goes up by one."),
        ("require seeds(a1) <= 0", "the seeds of a1 are at most zero."),
        ("require row(first(own)) > 2", "the row of the first of your pieces is more than two."),
        ("require first(own) = marked", "the first of your pieces is “marked”."),
        ("require marked != a1", "“marked” is not a1."),
        ("change own to King", "Your pieces become your Kings."),
        ("require pair(mover)", "This is allowed only if two stones of yours touch."),
        ("require not pair(mover)", "only if it is not so that two stones of yours touch."),
        ("require not held(a1)", "This is allowed only if no piece stands on a1."),
        ("require not held_or(a1)", "it is not so that a piece stands on a1 or not."),
        ("require not reach_of(mover)", "only if it is not so that the reach of you is wide."),
        ("require a1 in gone_to", "a1 is one of the gone to sites."),
        ("require reach_of(mover)", "This is allowed only if the reach of you is wide."),
    ],
)
def test_verbs_and_words_for_you_fit(turn: str, told: str) -> None:
    defined = (
        "define:\n  pair(p): {is: some p & a3, says: 'two stones of {own} touch'}\n"
        "  held(s): {is: some s & own, says: 'a piece stands on {s}'}\n"
        "  held_or(s): {is: some s & own, says: 'a piece stands on {s} or not'}\n"
        "  reach_of(p): {is: some p & a4, says: 'the reach of {own} is wide'}\n"
    )
    base = BASE.replace("state: {", "state: {seeds: number per site, gone_to: sites, ")
    Path("words.yaml").write_text(f"{base}{defined}turn: {turn}\nstuck: draw\n")
    assert next(rules_in_words(load_game("words.yaml")).lines()).endswith(told)


ONLY_THOSE = "Of all such moves, only those for which"
KEEP_OWN = f"{ONLY_THOSE} the number of your pieces is greatest are allowed."
KEEP_KINGS = KEEP_OWN.replace("pieces", "King")


def kept(turn: str) -> list[str]:
    """Return what is told of the `keep` of a turn that begins with a choice."""
    lines = "".join(f"  {line}\n" for line in ("choose s in own", *turn.split("\n")))
    return [line.strip() for line in said(f"turn: |\n{lines}stuck: draw\n") if "allowed" in line]


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("keep most count own\nkeep most count (King & own)", [KEEP_KINGS]),
        ("if s in King\n  keep most count own\nkeep most count (King & own)", [KEEP_KINGS]),
        (
            "keep most count own\nif s in King\n  keep most count (King & own)",
            [KEEP_OWN, f"Instead of those, o{KEEP_KINGS[1:]}"],
        ),
        (
            "keep most count empty\nif s in King\n  keep most count own\nelse\n"
            "  keep most count (King & own)",
            [KEEP_OWN, KEEP_KINGS],
        ),
        (
            "keep most count own\neither\n  change s to King\nor\n  keep most count (King & own)",
            [KEEP_OWN, f"Instead of those, o{KEEP_KINGS[1:]}"],
        ),
        (
            "keep most count own\nrepeat\n  keep most count (King & own)\nuntil turns > 3",
            [KEEP_KINGS],
        ),
    ],
)
def test_of_several_things_that_are_kept_the_last_is_told(turn: str, told: list[str]) -> None:
    assert kept(turn) == told


def test_an_action_that_keeps_something_counts() -> None:
    action = "actions:\n  narrow: keep most count (King & own)\n"
    turn = "turn: |\n  choose s in own\n  keep most count own\n  do narrow\nstuck: draw\n"
    assert [line for line in said(action + turn) if "allowed" in line] == [KEEP_KINGS]


def test_sides_with_plural_names_do_things_in_the_plural() -> None:
    path = Path("plural.yaml")
    path.write_text(
        "game: Plural\nplayers: Mice, Zeus\nboard: square(3, 3)\nturn: |\n  choose s in empty\n"
        "  place Stone at s\nstuck:\n  - Mice loses when full\n  - Zeus loses when full\n  - draw\n"
        "end:\n  - Mice wins when turns = 8\n  - Zeus wins when turns = 7\n"
    )
    rules = Rules(load_game(str(path)))
    text = "\n".join(rules_in_words(rules.game).lines())
    assert "Mice win when" in text and "Mice lose if" in text
    assert "Zeus wins when" in text and "Zeus loses if" in text
    position = rules.start()
    assert mover_does(position, "resigns") == "Mice resign"
    given_up = result_read(position.play("a1"), "Mice wins")
    assert given_up is not None and given_up.text == "Mice win", "older records say `wins`"
    assert mover_does(position.play("a1"), "has") == "Zeus has"
    while not position.over:
        position = position.play(position.moves()[0])
    assert str(position.outcome) == "Zeus wins"
    assert why([rules.start()], [])[-1].sentence == "The game goes on: Mice are to move."
    assert threats(rules.start().play("a1")).text.startswith("Mice threaten nothing")
    solution = Solver(rules).solve(rules.start())
    assert solution.told in ("Mice win", "Zeus wins")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "turn: choose s in own; choose t in compass(s) & empty;"
            " require direction(s, t) in orthogonal; move s to t",
            "is one of the directions along a row or column.",
        ),
        (
            "turn: choose s in own; choose t in compass(s) & empty;"
            " remove opposite(direction(s, t))(s) & enemy",
            "on the site next to the piece against the direction from the piece to the site.",
        ),
        (
            "turn: pass\nend: draw when seen(board, quiet) >= 2",
            "this position with the same value of “quiet” has come up twice before.",
        ),
        ("turn: next following(mover, 2)", "The second side after you is on turn next."),
        (
            "turn: choose n in 1..3; next following(mover, n)",
            "The side that number of places after you is on turn next.",
        ),
        ("turn: require quiet - (3 - count own) > 2", "“quiet” minus (three minus the number of"),
        (
            "define: {step: {north: east, east: north}}\n"
            "turn: choose d in (north, east); choose e in (step(d), opposite(step(d))); pass",
            "Choose a thing: the step of that direction or the opposite of the step of that",
        ),
        (
            "define:\n  goals(s, King): compass(s) - own\n  goals(s, Man): north(s) & empty\n"
            "turn: choose s in own; choose t in goals(s, kind(s)); move s to t",
            "“goals” of s: for King the sites next to s in any direction not held by you; for Man"
            " the empty sites directly north of s.",
        ),
        (
            "define:\n  fits(sites a, sites b): some a & b and a in empty\n"
            "turn: choose s in all where fits(s | north(s), corners); pass",
            "“fits” of a, b: that a site of a is in b and all of a is empty.",
        ),
        (
            "define:\n  bonus(p): if count (p & corners) > 2 then 1 else 0\n"
            "  points(p): count (p & top) + bonus(p) - 4 * count (p & bottom)\n"
            "turn: pass\nend: highest points(own) wins",
            "“points” of p: the number of sites of p on the top side plus (one if there are at"
            " least three sites of p in a corner, else zero) minus (four times the number of sites"
            " of p on the bottom side).",
        ),
        (
            "define:\n  beats(s, t): if s in King then yes else quiet > 2\n"
            "turn: choose s in own; choose t in enemy where beats(s, t); pass",
            "“quiet” is more than two",
        ),
        (
            "sees: {pieces: own | marked, kinds: own, values: 'quiet, hand(own)', moves: quiet > 2}"
            "\nturn: add 1 to quiet",
            "A side sees its pieces and what stands on the marked sites. It sees the kinds of its"
            " pieces alone. It also sees “quiet” and its hand. It is told what others play when"
            " “quiet” is more than two.",
        ),
    ],
)
def test_no_part_of_a_phrase_is_lost(text: str, told: str) -> None:
    before, turn, program = text.partition("turn: ")
    program, line, end = program.partition("\n")
    block = "\n  ".join(("|", *program.split("; ")))
    assert told in " ".join(said(f"{before}{turn}{block}{line}{end}"))


def test_a_piece_comes_out_of_the_hand_of_its_side() -> None:
    text = BASE.replace("hand(players): number = 3, ", "") + "hands: {Man: 5}\nturn: |\n"
    text += "  choose p in players\n  choose s in empty\n  place Man of p from hand at s\n"
    text += "  move enemy & Man to hand\n"
    lines = " ".join(rules_in_words(load_source(Source("hands.yaml", text))).lines())
    assert "Put a Man of the side from the side's hand on the site." in lines
    assert "Take the enemy's Men into the owner's hand." in lines


def test_numbers_with_plural_names_stay_as_they_are() -> None:
    text = "turn: pass\nend: draw when (sum s in all of seeds(s)) = 0"
    with_seeds = BASE.replace("ready(players): flag", "seeds: number per site = 2")
    game = load_source(Source("seeds.yaml", with_seeds + text))
    assert "the sum of the seeds of the whole board is zero." in " ".join(
        rules_in_words(game).lines()
    )


@pytest.mark.parametrize(
    ("name", "moves", "told"),
    [
        ("sim", "ab, de, bc, ef, ac", "Blue wins: three of Red's lines join three of the points."),
        ("tic-tac-toe", "a1, a2, b1, b2, c1", "X wins: three of X's marks stand in a row."),
        ("chomp", "a1", "Second wins. Second has no move. A side without a legal move wins."),
    ],
)
def test_how_a_game_has_ended_is_told_of_the_sides_by_their_names(
    name: str, moves: str, told: str
) -> None:
    position = Rules(shipped(name)).start()
    for move in moves.split(", "):
        position = position.play(move)
    assert position.outcome is not None and end_text(position, position.outcome) == told
