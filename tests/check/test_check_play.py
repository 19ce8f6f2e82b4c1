"""What `gdl check` finds by playing: each mistake with its place, and a game that shows it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from gdl.diagnostic import Source
from gdl.elaborate.names.origins import Origins
from gdl.interpreter.check import Effort, Finding, Work, check_game
from gdl.interpreter.check.coverage import Coverage
from gdl.interpreter.check.effort import WITHOUT_PLAY
from gdl.interpreter.check.play.both_sides import SideComparison
from gdl.interpreter.check.play.games import Games
from gdl.interpreter.check.play.guided import GuidedGames
from gdl.interpreter.check.play.opponent import weak_opponent
from gdl.interpreter.check.play.results import seats
from gdl.interpreter.check.play.seen import Kept, Seen
from gdl.interpreter.check.play.strong import StrongGames
from gdl.interpreter.check.play.unseen import unseen
from gdl.interpreter.check.subject import Accepted, Subject
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.playout import Statistics
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify.combinations import Combination
from gdl.load import load_game

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
EFFORT = Effort(0.08)
LITTLE = Effort(0.02)


def findings(folder: Path, text: str, effort: Effort = EFFORT) -> tuple[Finding, ...]:
    """Return what is found in a game's text."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    return check_game(str(path), effort)


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
        (
            GAME.replace(
                PLACE, f"{PLACE}\n  for each t in adjacent(s) & enemy & own\n    remove t"
            ),
            "never-gone-through",
            "not seen",
            "for each t in adjacent(s) & enemy & own",
        ),
        (
            GAME.replace(
                PLACE, f"{PLACE}\n  optionally\n    choose t in first(enemy)\n    remove t"
            ).replace("full", "turns > 20"),
            "one-way-only",
            "not seen",
            "choose t in first(enemy)",
        ),
        (
            GAME.replace(PLACE, f"{PLACE}\n  remove adjacent(s) & own").replace(
                "full", "turns > 20"
            ),
            "only-own-lost",
            "not seen",
            "remove adjacent(s) & own",
        ),
        (
            GAME.replace(TURN, "  choose s in enemy\n  choose t in empty\n  move s to t\n")
            .replace("mover wins", "any wins")
            .replace("full", "turns > 30")
            + "setup: {Black Stone: a1 | b3, White Stone: c3 | b1}\nstuck: draw\n",
            "only-others-moved",
            "not seen",
            "choose s in enemy",
        ),
        (
            GAME.replace(TURN, "  choose s in own\n  choose t in empty\n  move t to s\n")
            + "setup: {Black Stone: a1 | b3, White Stone: c3 | b1}\nstuck: draw\n",
            "only-takes-away",
            "not seen",
            "move t to s",
        ),
        (
            GAME.replace("in empty", "in empty & border") .replace("full", "no empty & border")
            + "regions: {temple: b2}\n",
            "region-never-entered",
            "not seen",
            "temple",
        ),
        (
            GAME.replace(
                f"turn: |\n{TURN}",
                f"phases:\n  setting: |\n  {TURN.replace('  place', '    place')}"
                "    if count own > 8\n      go to moving\n"
                "  moving: |\n    choose s in own\n    remove s\n",
            ),
            "phase-never-left",
            "not seen",
            "setting",
        ),
        (
            GAME.replace(
                TURN, "  choose a in empty\n  place Stone at a\n"
                "  choose b in empty unordered with a\n  place enemy Stone at b\n"
            ).replace("full", "turns > 4"),
            "one-order-only",
            "witnessed",
            "choose b in empty unordered with a",
        ),
        (
            "game: Late\nplayers: Black, White\npieces: Man, King\nboard: square(3, 3)\n"
            "setup: {Black King: a1, Black Man: c1, White King: c3, White Man: a3}\n"
            "turn: |\n  choose s in own\n  choose t in adjacent(s) - own\n  move s to t\n"
            "stuck: loses\nend: mover wins when no own & King\n",
            "asked-too-late",
            "witnessed",
            "mover wins when no own & King",
        ),
        (
            GAME.replace("in empty", "in (if own = Black then empty else empty - b2)"),
            "sides-differ",
            "witnessed",
            "choose s in (if own = Black then empty else empty - b2)",
        ),
        (
            GAME.replace(PLACE, "place Stone at (if own = Black then s else s | adjacent(s))"),
            "sides-differ",
            "witnessed",
            "place Stone at (if own = Black then s else s | adjacent(s))",
        ),
        (
            GAME.replace("own, 3", "own, least(mover)")
            + "define: {least(Black): 2, least(White): 3}\n",
            "sides-differ",
            "witnessed",
            "mover wins when in_a_row(own, least(mover))",
        ),
        (
            GAME.replace(TURN, "  choose s in own\n  choose t in all - s\n  move s to t\n")
            .replace("- mover wins", "- mover wins when no enemy\n  - mover wins")
            + "setup: {Black Stone: a1 | b3, White Stone: c3 | b1}\nstuck: draw\n",
            "own-taken",
            "not seen",
            "choose t in all - s",
        ),
        (
            GAME.replace(TURN, "  choose s in own - King\n  choose t in empty\n  move s to t\n")
            + "pieces: Stone, King\nsetup: {Black Stone: a1, White Stone: c3, Black King: a2,"
            " White King: c2}\nstuck: draw\n",
            "kind-never-acts",
            "not seen",
            "King",
        ),
        (GAME.replace(PLACE, f"{PLACE}\n  again"), "never-on-turn", "proved", "again"),
        (
            GAME.replace(PLACE, f"{PLACE}\n  if count own < 99\n    again"),
            "never-on-turn",
            "not seen",
            "turn",
        ),
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
        (
            GAME.replace("in empty", "in empty where no adjacent(s) & occupied").replace(
                "  - draw when full", "stuck: passes"
            ),
            "endless-passes",
            "proved",
            "stuck",
        ),
        (
            GAME.replace(TURN, f"  optionally\n{textwrap.indent(TURN, '  ')}").replace(
                "  - draw when full", ""
            ),
            "endless-passes",
            "witnessed",
            "turn",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_place(
    tmp_path: Path, text: str, code: str, certainty: str, place: str
) -> None:
    for effort in (LITTLE, EFFORT):
        found = [one for one in findings(tmp_path, text, effort) if one.diagnostic.code == code]
        if found:
            break
    assert found, "not told"
    (one,) = found
    assert one.certainty == certainty
    assert one.diagnostic.span is not None and one.diagnostic.span.text == place
    notes = ("one-order-only", "sides-differ", "asked-too-late")
    is_note = certainty == "not seen" or code in notes
    assert one.diagnostic.severity == ("note" if is_note else "warning")
    line = text.split("\n")[one.diagnostic.span.line - 1]
    accepting = Source(one.diagnostic.span.source.name, text.replace(line, fine(line, code), 1))
    assert Accepted(accepting).accepts(one.diagnostic)
    assert not Accepted(one.diagnostic.span.source).accepts(one.diagnostic)


def fine(line: str, code: str) -> str:
    """Return a line of a game's text with a comment that accepts what is found there."""
    return f"{line}  # fine: {code}"


def test_what_a_comment_accepts_is_not_told(tmp_path: Path) -> None:
    clause = "  - draw when full and turns < 5"
    text = GAME.replace("  - draw when full", f"{clause}\n  - draw when full")
    assert "never-held" in {f.diagnostic.code for f in findings(tmp_path, text)}
    accepting = text.replace(clause, fine(clause, "never-held"))
    assert "never-held" not in {f.diagnostic.code for f in findings(tmp_path, accepting)}


def codes(folder: Path, text: str, effort: Effort = EFFORT) -> set[str]:
    """Return the codes of what is found in a game's text."""
    return {found.diagnostic.code for found in findings(folder, text, effort)}


def test_no_games_head_for_what_only_a_caption_asks_for(tmp_path: Path) -> None:
    captions = GAME + "display:\n  captions:\n    let n = count own; n > 7: many\n"
    (found,) = findings(tmp_path, captions, Effort(0.5))
    assert found.diagnostic.code == "never-true"


def test_a_caption_that_was_never_told_is_told(tmp_path: Path) -> None:
    captions = GAME + "display:\n  captions:\n    count own > 5: many\n    count own = 2: two\n"
    told = [f.diagnostic for f in findings(tmp_path, captions)]
    (found,) = [one for one in told if one.span is not None and one.span.text == "count own > 5"]
    assert found.code == "never-true" and "never told" in found.message
    assert not any(one.span is not None and one.span.text == "count own = 2" for one in told)


@pytest.mark.parametrize(
    ("first", "code"), [("- Black wins", "always-wins"), ("- draw", "always-drawn")]
)
def test_a_win_that_an_example_shows_can_be_reached(tmp_path: Path, first: str, code: str) -> None:
    text = GAME.replace("- draw when full", "- White wins when White = top and no Black")
    text = text.replace("- mover wins when in_a_row(own, 3)", f"{first} when full")
    assert code in codes(tmp_path, text)
    text += "examples: [{setup: {White Stone: a3 | b3}, mover: White, play: c3, winner: White}]\n"
    assert not codes(tmp_path, text) & {code, "example-failed"}


def test_few_games_that_were_won_say_nothing_of_who_wins(tmp_path: Path) -> None:
    text = GAME.replace("- mover wins", "- draw when turns = 3 and not b2 in own\n  - mover wins")
    text = text.replace("mover wins when in_a_row(own, 3)", "Black wins when turns = 3")
    assert "always-wins" in codes(tmp_path, text)
    rare = text.replace("not b2 in own", "not (a1 | b2 in own and c3 in enemy)")
    assert "always-wins" not in codes(tmp_path, rare.replace("a1 | b2", "(a1 | b2)"))


def test_one_side_that_hunts_another_may_win_most_random_games(tmp_path: Path) -> None:
    clauses = "- Black wins when some own & most\n  - White wins when some own & one\n"
    text = GAME.split("  - mover")[0] + f"  {clauses}regions: {{most: a2 | b2 | c2, one: b3}}\n"
    hunt = text + "setup: {Black Stone: a1, White Stone: a3 | c3}\n"
    even = hunt.replace("a3 | c3", "a3")
    assert "one-sided" not in codes(tmp_path, hunt)
    assert "one-sided" in codes(tmp_path, even)
    assert "one-sided" not in codes(tmp_path, even.replace("some own & one", "b3 in own"))


def test_a_phase_that_a_turn_goes_to_and_is_in_already(tmp_path: Path) -> None:
    turn = f"phases:\n  one: |\n{textwrap.indent(TURN, '  ')}    go to one\n"
    told = [one.diagnostic for one in findings(tmp_path, GAME.replace(f"turn: |\n{TURN}", turn))]
    (found,) = (one for one in told if one.code == "never-changes")
    assert found.span is not None and found.span.text == "go to one"
    assert "another phase" in found.hint


def test_a_goal_that_one_move_reaches_is_told_once(tmp_path: Path) -> None:
    told = codes(tmp_path, GAME.replace("in_a_row(own, 3)", "b2 in own"), Effort())
    assert "over-after-a-move" in told and told.isdisjoint({"forced-win", "unequal-seats"})


def test_who_wins_without_pieces_may_take_own_ones(tmp_path: Path) -> None:
    text = GAME.replace(TURN, "  choose s in own\n  remove s\n").replace("- draw when full", "")
    text = text.replace("in_a_row(own, 3)", "no {}") + "stuck: draw\n"
    text += "setup: {{Black Stone: a1 | b1 | c1, White Stone: a3 | b3 | c3}}\n"
    assert "only-own-lost" not in codes(tmp_path, text.format("own"))
    assert "only-own-lost" in codes(tmp_path, text.format("enemy"))


def test_pieces_of_either_side_may_be_taken_where_a_text_says_so(tmp_path: Path) -> None:
    taking = "\n  optionally\n    choose t in adjacent(s) & occupied\n    remove t"
    text = GAME.replace(PLACE, PLACE + taking)
    said = text + "about: A stone may take another one, of either side.\n"
    whole = text.replace("    remove t", "    remove t & occupied")
    assert "own-and-enemy" in codes(tmp_path, text)
    assert "own-and-enemy" not in codes(tmp_path, said)
    assert "own-and-enemy" not in codes(tmp_path, whole)


def test_a_let_that_names_own_says_whose_pieces_are_taken(tmp_path: Path) -> None:
    text = GAME.replace(PLACE, f"{PLACE}\n  let near = SET\n  remove near\n  remove enemy & b2")
    own, same = (
        text.replace("SET", sites)
        for sites in ("adjacent(s) & own", "adjacent(s) & (if mover = Black then Black else White)")
    )
    assert "only-own-lost" not in codes(tmp_path, own)
    assert "only-own-lost" in codes(tmp_path, same)


def test_cards_that_are_dealt_in_turn_make_no_sides_differ(tmp_path: Path) -> None:
    text = """\
game: A card each
players: First, Second
board: square(1, 1)
state:
  card(players): number in 0..6
  dealt: number in 0..2
  bid: number in 0..7
  called: flag
phases:
  deal:
    seat: nobody
    turn: |
      choose n in 1..6
      if dealt = 0 set card(First) = n
      else set card(Second) = n
      add 1 to dealt
      if dealt = 2 go to bidding
      next First
  bidding: |
    either as bid
      choose n in 1..7 where n > bid
      set bid = n
    or as call
      require bid > 0
      set called = yes
end:
  - mover wins when called and bid > card(First) and bid > card(Second)
  - enemy wins when called
stuck: loses
"""
    assert "sides-differ" not in codes(tmp_path, text)
    numbered = text.replace("      else set card(Second) = n\n", "").replace(
        "if dealt = 0 set card(First) = n", "set card(following(First, dealt)) = n"
    )
    assert "sides-differ" not in codes(tmp_path, numbered)
    barred = text.replace("n > bid", "n > bid + least(mover)")
    barred += "define:\n  least(First): 0\n  least(Second): 1\n"
    assert "sides-differ" in codes(tmp_path, barred)


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        (GAME.replace("in_a_row(own, 3)", "b2 in own"), True),
        (GAME.replace("mover wins when in_a_row(own, 3)", "mover loses when b2 in own"), False),
        (GAME.replace("mover wins when in_a_row(own, 3)", "mover loses when some own"), True),
        (GAME.replace("Black, White", "Black").replace("in_a_row(own, 3)", "b2 in own"), False),
        (GAME.replace("in_a_row(own, 3)", "hit").replace(PLACE, f"{PLACE}\n  set hit = s = secret")
         + "state: {hit: flag, secret: site = b2}\nsees: {values: hit}\n", False),
    ],
)  # fmt: skip
def test_a_game_over_after_a_move_is_told_where_that_is_hardly_meant(
    tmp_path: Path, text: str, is_told: bool
) -> None:
    assert ("over-after-a-move" in codes(tmp_path, text)) == is_told


@pytest.mark.at_night("turns", "quiet")
@pytest.mark.parametrize("draw", ["seen(board, mover) >= 4", "turns >= 200", "quiet >= 100"])
def test_draws_of_long_games_are_not_told_to_be_unseen(tmp_path: Path, draw: str) -> None:
    text = GAME.replace("when full", f"when {draw}\n  - draw when full")
    text = text.replace(
        PLACE, f"{PLACE}\n  set quiet = if b2 in own then 0 else min(quiet + 1, 100)"
    )
    assert "never-held" not in codes(tmp_path, text + "state: {quiet: number in 0..100}\n")


def test_a_failure_comes_with_the_moves_that_lead_there(tmp_path: Path) -> None:
    text = GAME.replace(PLACE, f"{PLACE}\n  add 1 to moves") + "state: {moves: number in 0..3}\n"
    (one,) = (f for f in findings(tmp_path, text) if f.diagnostic.code == "fails-in-play")
    assert one.witness is not None and len(one.witness.moves) == 3
    position = Rules(load_game(str(tmp_path / "small.yaml"))).start()
    for move in one.witness.moves:
        position = position.play(move)
    with pytest.raises(RuleError, match="moves"):
        position.play(position.moves()[0])


def test_sides_that_part_come_with_a_position_and_what_is_said_of_each(tmp_path: Path) -> None:
    text = GAME.replace("in empty", "in empty - barred(mover)")
    text += "define:\n  barred(Black): a1\n  barred(White): b2\n"
    found = findings(tmp_path, text, Effort(0.15))
    (one,) = (f for f in found if f.diagnostic.code == "sides-differ")
    assert one.witness is not None and one.witness.moves == ()
    told = {span.text for _, span in one.diagnostic.related}
    assert told == {"barred(Black): a1", "barred(White): b2"}
    text = text.replace("barred(White): b2", "barred(White): c3")
    assert "sides-differ" not in {f.diagnostic.code for f in findings(tmp_path, text)}


def test_sides_do_not_part_where_the_game_is_over(tmp_path: Path) -> None:
    path = tmp_path / "rows.yaml"
    path.write_text(
        "game: Rows\nplayers: White, Black\nboard: square(4, 1)\nturn: |\n  choose s in empty\n"
        "  place Stone at s\nend:\n  - White wins when count White = 2\n"
        "  - Black wins when count Black = 2\nstuck: draw\n"
    )
    game = load_game(str(path))
    state = ReferenceRules(game).start()
    for text in ("a1", "b1", "c1"):
        state = ReferenceRules(game).apply(state, ReferenceRules(game).named(state, text)[0])
    assert state.ended is not None
    seen = Seen(Combination(), game, Statistics(game.sides, 2))
    seen.kept.append(Kept(state, lambda: ("a1", "b1", "c1")))
    work = Work()
    assert not list(SideComparison(game, work).found(seen, work.part(5_000_000)))


def test_games_that_a_rule_of_repetition_does_not_end_are_told(tmp_path: Path) -> None:
    text = GAME.replace("square(3, 3)", "square(9, 9)").replace("row(own, 3)", "row(own, 5)")
    text = text.replace(TURN, "  choose s in own\n  choose t in empty\n  move s to t\n")
    text = text.replace("full", "seen(position) >= 3")
    text += "setup: {Black Stone: a1 | b3 | c8, White Stone: c3 | b1 | g7}\nstuck: draw\n"
    told = [f.diagnostic for f in findings(tmp_path, text) if f.diagnostic.code == "never-ends"]
    assert len(told) == 1 and " had not ended after 2,000 moves" in told[0].message
    assert "repetition" not in told[0].hint and "a bound on `turns`" in told[0].hint


def test_a_standstill_is_told_at_its_first_position_unless_passes_are_counted(
    tmp_path: Path,
) -> None:
    text = GAME.replace("in empty", "in empty where no adjacent(s) & occupied")
    text = text.replace("in_a_row(own, 3)", "count(own) > 5")
    stuck = text.replace("  - draw when full", "stuck: passes")
    (one,) = (f for f in findings(tmp_path, stuck) if f.diagnostic.code == "endless-passes")
    assert one.witness is not None and "passed >= 2" in one.diagnostic.hint
    position = Rules(load_game(str(tmp_path / "small.yaml"))).start()
    for move in one.witness.moves:
        assert [legal.text for legal in position.moves()] != ["pass"]
        position = position.play(move)
    assert [legal.text for legal in position.moves()] == ["pass"]
    counted = text.replace("when full", "when passed >= 2") + "stuck: passes\n"
    assert "endless-passes" not in {f.diagnostic.code for f in findings(tmp_path, counted)}


def test_a_standstill_is_told_though_turns_are_asked_for_at_the_beginning(tmp_path: Path) -> None:
    text = GAME.replace("in empty", "in empty where no adjacent(s) & occupied")
    stuck = text.replace("  - draw when full", "stuck: passes")
    assert "endless-passes" in codes(tmp_path, f"{stuck}swap: turns = 1\n")
    ends = stuck.replace("- mover wins", "- draw when turns >= 5000\n  - mover wins")
    assert "endless-passes" not in codes(tmp_path, ends)


def test_passes_are_not_told_to_have_ended_games(tmp_path: Path) -> None:
    text = GAME.replace("in empty", "in empty where no adjacent(s) & occupied")
    text = text.replace("when full", "when passed >= 2") + "stuck: passes\n"
    (one,) = (f for f in findings(tmp_path, text) if f.diagnostic.code == "always-wins")
    assert [span.text for _, span in one.diagnostic.related] == ["draw when passed >= 2"]


def test_where_few_games_were_played_nothing_is_made_of_it(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(GAME, "utf-8")
    game = load_game(str(tmp_path / "small.yaml"))
    seen = Seen(Combination(), game, Statistics(game.sides, 2), positions=5000, most_moves=1)
    origins, coverage = Origins(), Coverage()
    told = [found.diagnostic for found in unseen([seen], coverage, origins, lambda span: True)]
    assert "no-choice" in [one.code for one in told]
    for one in told:
        assert one.hint.endswith("no whole games were watched: `--effort 5` looks further.")


def test_a_region_that_pieces_leave_again_within_the_turn_is_entered(tmp_path: Path) -> None:
    text = GAME.replace("in empty", "in empty & border").replace("full", "no empty & border")
    text = text.replace(PLACE, "place Stone at b2\n  move b2 to s") + "regions: {water: b2}\n"
    codes = [f.diagnostic.code for f in findings(tmp_path, text)]
    assert "region-never-entered" not in codes


def test_own_pieces_that_leave_are_not_told_where_others_are_moved(tmp_path: Path) -> None:
    exchange = (
        "  choose s in own\n  choose t in enemy\n  remove t\n  move s to t\n"
        "  place enemy Stone at s\n  remove t & corners\n"
    )
    text = GAME.replace(TURN, exchange).replace("full", "turns > 30")
    text += "setup: {Black Stone: a1 | b3 | a2, White Stone: c3 | b1 | c2}\nstuck: draw\n"
    codes = [f.diagnostic.code for f in findings(tmp_path, text)]
    assert "only-own-lost" not in codes


def test_what_a_variant_makes_happen_counts_as_seen(tmp_path: Path) -> None:
    text = GAME.replace("- draw", "- draw when turns > 2 and count top & own > size\n  - draw")
    text += "options: {size: 9 in 1..9}\n"
    assert "never-held" not in {f.diagnostic.code for f in findings(tmp_path, text)}


AMPLE = 60_000_000  # units of work for what comes to its end much sooner


def played(folder: Path, text: str) -> Games:
    """Return some random games of a game's text."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    subject, combination = Subject(str(path), Work(Effort())), Combination()
    game = subject.load(combination)[0]
    assert game is not None
    games = Games(subject, combination, game)
    games.play(300_000, lambda: False)
    return games


def told_of_seats(folder: Path, text: str) -> dict[str, Finding]:
    """Return what games of the engine tell of the seats, by code."""
    games = played(folder, text)
    assert games.native is not None
    strong = StrongGames(games, games.native)
    strong.play(AMPLE)
    return {found.diagnostic.code: found for found in seats(games.seen, strong.found)}


@pytest.mark.slow
def test_who_mirrors_and_never_loses_is_told_with_a_game(tmp_path: Path) -> None:
    text = (
        "game: Apart\nplayers: Black, White\nboard: square(4, 4)\nturn: |\n"
        "  choose s in empty where no own & adjacent(s)\n  place Stone at s\nstuck: loses\n"
    )
    told = told_of_seats(tmp_path, text)["mirror-never-loses"]
    assert told.witness is not None and told.certainty == "witnessed"
    position = Rules(load_game(str(tmp_path / "small.yaml"))).start()
    for move in told.witness.moves:
        position = position.play(move)
    assert position.outcome is not None and position.outcome.winners == ("White",)


def test_an_engine_that_will_be_weak_is_told_by_the_work_of_a_try(tmp_path: Path) -> None:
    slow = (
        "game: Slow\nplayers: Black, White\nboard: square(10, 10)\nturn: |\n"
        "  choose a in empty\n  place Stone at a\n  choose b in empty\n  place Stone at b\n"
        "  require count groups(own, adjacent) > 1\nstuck: draw\n"
    )
    for text, is_weak in ((slow, True), (GAME, False)):
        games = played(tmp_path, text)
        assert games.native is not None
        found = list(weak_opponent(games.seen, StrongGames(games, games.native).found))
        assert [one.diagnostic.code for one in found] == ["weak-opponent"] * is_weak


def test_seats_that_are_not_equal_are_told(tmp_path: Path) -> None:
    text = GAME.replace("in_a_row(own, 3)", "in_a_row(own, 2)")
    assert "Seat 1" in told_of_seats(tmp_path, text)["unequal-seats"].diagnostic.message
    assert "unequal-seats" not in told_of_seats(tmp_path, GAME)


def test_what_chance_never_meets_is_headed_for(tmp_path: Path) -> None:
    text = (
        "game: Edge\nplayers: Black, White\nboard: square(9, 9)\nstate: {streak: number}\n"
        "turn: |\n  choose s in empty\n  place Stone at s\n"
        "  set streak = if s in top then streak + 1 else 0\nend: mover wins when streak > 6\n"
        "stuck: draw\n"
    )
    games = played(tmp_path, text)
    assert not games.coverage.is_met
    GuidedGames(games).play(AMPLE)
    assert games.coverage.is_met


def test_a_failure_is_told_by_a_short_game(tmp_path: Path) -> None:
    text = (
        GAME.replace(PLACE, f"{PLACE}\n  if b2 in own\n    add 9 to moves").replace(
            "- mover wins", "- draw when moves > 99\n  - mover wins"
        )
        + "state: {moves: number in 0..5}\n"
    )
    (one,) = (f for f in findings(tmp_path, text) if f.diagnostic.code == "fails-in-play")
    assert one.witness is not None and one.witness.moves == ()


def test_a_counter_that_fails_where_stuck_comes_first_is_told_so(tmp_path: Path) -> None:
    text = GAME.replace(PLACE, f"{PLACE}\n  add 1 to quiet\n  require some empty").replace(
        "- draw when full", "- stuck\n  - draw when quiet >= 3"
    )
    text += "stuck: draw\nstate: {quiet: number in 0..BOUND}\n"
    narrow, wide = (findings(tmp_path, text.replace("BOUND", bound)) for bound in "34")
    (one,) = (f.diagnostic for f in narrow if f.diagnostic.code == "fails-in-play")
    assert "wider by what one move adds" in one.hint
    assert [span.text for _, span in one.related] == ["draw when quiet >= 3"]
    assert not any(f.diagnostic.code == "fails-in-play" for f in wide)


def place_of(folder: Path, text: str, code: str, effort: Effort = EFFORT) -> list[str]:
    """Return the places at which a code is found in a game's text."""
    told = (one.diagnostic for one in findings(folder, text, effort))
    found = [one for one in told if one.code == code]
    return [one.span.text for one in found if one.span is not None]


def test_own_pieces_taken_are_told_at_the_choice_by_which_they_are(tmp_path: Path) -> None:
    turn = (
        "  if turns mod 6 >= 4\n    choose a in own\n    choose b in adjacent(a)\n"
        "    move a to b\n  else\n    choose s in empty\n    place Stone at s\n"
    )
    text = GAME.replace(TURN, turn).replace("square(3, 3)", "square(5, 5)").replace("3)", "5)")
    assert place_of(tmp_path, text, "own-taken") == ["choose b in adjacent(a)"]
    mended = text.replace("adjacent(a)", "adjacent(a) - own")
    assert place_of(tmp_path, mended, "own-taken") == []


BURNT = """\
game: Burnt
players: Ice, Fire
pieces: Rune, Torch, Snow
board: square(5, 5)
setup: {Ice Rune: a1 | e1, Fire Rune: a5 | e5}
turn: |
  either as walk
    choose s in own & Rune
    choose t in slides(s, compass, empty)
    move s to t
    place Snow at s
  or as burn
    choose s in own & Rune
    choose u in adjacent(s) & Snow
    remove u
    change s to Torch
stuck: loses
"""


def test_what_is_removed_where_nothing_moves_is_not_told_to_be_moved_onto(tmp_path: Path) -> None:
    assert place_of(tmp_path, BURNT, "own-taken") == []
    assert place_of(tmp_path, BURNT, "own-and-enemy") == ["remove u"]
    moved = BURNT.replace("    change s to Torch\n", "    move s to u\n")
    assert place_of(tmp_path, moved, "own-taken")


FERRY = """\
game: Small
players: Black, White
board: square(3, 5)
pieces: Boat, Man
setup: {rows: "bBb/.../.../.../aAa"}
display: {symbols: {Black Boat: A, White Boat: B, Black Man: a, White Man: b}}
turn: |
  choose p in own & Man
  choose s in own & Boat
  choose t in adjacent(s) SITES
  move s to t
  if some adjacent(p) & empty
    move p to first(adjacent(p) & empty)
  for each b in (own & Boat)
    if b in border
      remove b
stuck: draw
end: draw when turns > 20
"""


def test_own_pieces_that_another_statement_takes_later_are_not_told(tmp_path: Path) -> None:
    def told(text: str) -> list[tuple[str, list[str]]]:
        found = (one.diagnostic for one in findings(tmp_path, text))
        return [
            (one.span.text, [span.text for _, span in one.related])
            for one in found
            if one.code == "own-taken" and one.span is not None
        ]

    ferry = FERRY.replace("    move p to first(adjacent(p) & empty)\n", "    remove none\n")
    assert told(ferry.replace("SITES", "& empty")) == []
    assert told(ferry.replace("SITES", "- p")) == [("choose t in adjacent(s) - p", ["move s to t"])]
    struck = (
        "turn: |\n  choose s in own\n  choose t in adjacent(s)\n  do strike(t)\n  move s to t\n"
    )
    small = GAME[: GAME.index("turn")] + struck + "actions: {strike(x): remove x}\nstuck: draw\n"
    small += "setup: {rows: OOO/.../XXX}\nend: draw when turns > 20\n"
    assert told(small) == [("choose t in adjacent(s)", ["remove x"])]


def test_own_pieces_that_a_definition_takes_are_told(tmp_path: Path) -> None:
    text = GAME.replace(PLACE, f"{PLACE}\n  remove caught(s)\n  remove beside(s) & enemy")
    text = text.replace("square(3, 3)", "square(5, 5)").replace("full", "turns > 40")
    text += "define:\n  caught(s): north(s) & {}\n  beside(s): west(s)\nstuck: draw\n"
    assert place_of(tmp_path, text.format("own"), "only-own-lost") == ["remove caught(s)"]
    assert place_of(tmp_path, text.format("enemy"), "only-own-lost") == []
    plain = text.format("own").replace("remove caught(s)", "remove north(s) & own")
    assert place_of(tmp_path, plain, "only-own-lost") == []


def test_pieces_that_are_placed_over_others_are_told(tmp_path: Path) -> None:
    text = GAME.replace(PLACE, f"{PLACE}\n  place Mark at north(s)").replace("full", "turns > 40")
    text += "pieces: Stone, Mark\nstuck: draw\n"
    assert place_of(tmp_path, text, "placed-over") == ["place Mark at north(s)"]
    free = text.replace("at north(s)", "at north(s) & empty")
    assert place_of(tmp_path, free, "placed-over") == []
    meant = text.replace("at north(s)", "at north(s) & (empty | enemy)")
    assert place_of(tmp_path, meant, "placed-over") == []


@pytest.mark.parametrize(
    ("steps", "is_told"),
    [
        ("choose t in adjacent(s) & all\n    place Stone at t", True),
        ("choose t in targets\n    place Stone at t", False),
        ("let t = adjacent(s) & enemy\n    place Stone at t", False),
        ("for each t in adjacent(s) & enemy\n      place Stone at t", False),
        ("choose t in adjacent(s)\n    if t in enemy\n      place Stone at t", False),
        ("choose t in adjacent(s) - own\n    place Stone at t", True),
    ],
)
def test_what_names_the_pieces_that_are_placed_over_means_it(
    tmp_path: Path, steps: str, is_told: bool
) -> None:
    text = GAME.replace(PLACE, f"{PLACE}\n  optionally\n    {steps}").replace("full", "turns > 40")
    text += "define:\n  targets: adjacent(own) & enemy\nstuck: draw\n"
    found = place_of(tmp_path, text, "placed-over")
    assert found == (["place Stone at t"] if is_told else [])


@pytest.mark.at_night("enemy | empty", "s in empty")
@pytest.mark.parametrize(
    ("sites", "is_told"),
    [
        ("all - own", True),
        ("all", True),
        ("all - own where some occupied or s in top", True),
        ("all where s in empty or s in enemy", False),
        ("enemy | empty", False),
    ],
)
def test_a_choice_that_leaves_own_pieces_out_does_not_say_that_others_may_be_lost(
    tmp_path: Path, sites: str, is_told: bool
) -> None:
    text = GAME.replace("in empty", f"in {sites}").replace("full", "turns > 20")
    found = place_of(tmp_path, text + "stuck: draw\n", "placed-over")
    assert found == ([PLACE] if is_told else [])


def test_the_one_site_to_which_a_direction_leads_is_not_told(tmp_path: Path) -> None:
    text = GAME.replace(PLACE, f"{PLACE}\n  optionally\n    choose t in {{}}\n    remove t")
    text = text.replace("full", "turns > 20")
    assert place_of(tmp_path, text.format("north(s) & enemy"), "one-way-only") == []
    first = "first(adjacent(s) & enemy)"
    assert place_of(tmp_path, text.format(first), "one-way-only") == [f"choose t in {first}"]


SPIES = """\
game: Small
players: Black, White
board: square(5, 5)
pieces: Guard, Spy
setup: {rows: "gsggg/...../...../...../GGGSG"}
turn:
  guard: |
    choose s in own & Guard
    choose t in orthogonal(s) - own
    move s to t
  spy: |
    choose s in own & Spy
    choose t in diagonal(s) & empty
    move s to t
stuck: draw
end: draw when turns > 60
"""


def test_a_choice_of_the_one_piece_of_its_kind_is_not_told(tmp_path: Path) -> None:
    assert place_of(tmp_path, SPIES, "one-way-only") == []
    first = SPIES.replace("own & Spy", "first(own & Guard)")
    assert place_of(tmp_path, first, "one-way-only") == ["choose s in first(own & Guard)"]


@pytest.mark.parametrize(("rows", "is_told"), [("XOX/O.X/OXO", False), ("XOX/O../OXO", True)])
def test_a_choice_of_the_one_site_that_is_ever_empty_is_not_told(
    tmp_path: Path, rows: str, is_told: bool
) -> None:
    sites = "first(adjacent(s) & empty)" if is_told else "adjacent(s) & empty"
    text = f"""\
game: Small
players: Black, White
board: square(3, 3)
setup: {{rows: "{rows}"}}
turn: |
  choose s in own where some adjacent(s) & empty
  choose t in {sites}
  move s to t
stuck: loses
end: draw when turns > 60
"""
    expected = [f"choose t in {sites}"] if is_told else []
    assert place_of(tmp_path, text, "one-way-only") == expected


@pytest.mark.parametrize(("asked", "is_told"), [("own", False), ("enemy", True)])
def test_a_goal_that_the_last_turn_could_undo_is_not_asked_too_late(
    tmp_path: Path, asked: str, is_told: bool
) -> None:
    """A piece wins on the last row that is not taken at once: but it is not the taker who wins."""
    goal = f"{'mover' if is_told else 'enemy'} wins when some {asked} & far({asked})"
    text = f"""\
game: Small
players: Black, White
board: square(4, 4)
regions: {{far(Black): top, far(White): bottom}}
setup: {{Black Stone: bottom, White Stone: top}}
turn: |
  choose s in own
  choose t in adjacent(s) - own
  move s to t
stuck: loses
end: {goal}
"""
    assert place_of(tmp_path, text, "asked-too-late") == ([goal] if is_told else [])


@pytest.mark.parametrize(
    ("added", "is_told"),
    [
        ("stuck: loses", True),
        ("stuck: draw", False),
        ("stuck: loses\nabout: Who can't move loses.", False),
    ],
)
def test_a_full_board_that_is_lost_by_who_is_on_turn_is_told(
    tmp_path: Path, added: str, is_told: bool
) -> None:
    text = GAME.replace("  - draw when full\n", "") + added + "\n"
    assert place_of(tmp_path, text, "full-board") == (["loses"] if is_told else [])


@pytest.mark.slow
def test_a_win_that_can_be_forced_from_the_start_is_told(tmp_path: Path) -> None:
    text = (
        "game: Race\nplayers: Black, White\nboard: square(6, 6)\n"
        "setup: {{Black Stone: rows({}), White Stone: rows({})}}\nturn: |\n  choose s in own\n"
        "  choose t in orthogonal(s) & empty\n  move s to t\nstuck: loses\n"
        "end:\n  - Black wins when some own & rows(6) & columns(1)\n"
        "  - White wins when some own & rows(1) & columns(6)\n  - draw when turns > 99\n"
    )
    games = played(tmp_path, text.format(5, 2))
    assert games.native is not None
    strong = StrongGames(games, games.native)
    strong.play(AMPLE)
    (told,) = (f for f in seats(games.seen, strong.found) if f.diagnostic.code == "forced-win")
    assert told.witness is not None and told.certainty == "proved"
    position = Rules(load_game(str(tmp_path / "small.yaml"))).start()
    for move in told.witness.moves:
        position = position.play(move)
    assert position.outcome is not None and position.outcome.winners == ("Black",)
    right = played(tmp_path, text.format(1, 6))
    assert right.native is not None
    calm = StrongGames(right, right.native)
    calm.play(AMPLE)
    assert calm.found.forced is None


def test_a_count_that_would_come_before_a_side_without_a_move_is_told(tmp_path: Path) -> None:
    text = GAME.replace(
        TURN, "  choose s in own\n  choose t in adjacent(s) & empty\n  move s to t\n"
    )
    text = text.split("  - mover")[0] + "  - draw when quiet >= 40\nstuck: loses\n"
    text = text.replace("  move s to t\n", "  move s to t\n  set quiet = min(quiet + 1, 40)\n")
    text += "state: {quiet: number in 0..40}\n"
    text += "setup: {Black Stone: a1 | b2, White Stone: c3 | b1 | a2}\n"
    (told,) = (f for f in findings(tmp_path, text) if f.diagnostic.code == "before-stuck")
    assert told.diagnostic.span is not None
    assert told.diagnostic.span.text == "draw when quiet >= 40"
    assert "with `quiet` at 39 before, it is a draw" in told.diagnostic.message
    assert "with 41 in the range of `quiet`" in told.diagnostic.hint
    assert told.witness is not None
    position = Rules(load_game(str(tmp_path / "small.yaml"))).start()
    for move in told.witness.moves:
        position = position.play(move)
    assert position.outcome is not None and position.outcome.winners
    first = text.replace("end:\n", "end:\n  - stuck\n")
    assert "before-stuck" not in codes(tmp_path, first)
    assert "before-stuck" not in codes(tmp_path, text.replace("stuck: loses", "stuck: draw"))


def test_an_option_that_another_rule_forces_is_told(tmp_path: Path) -> None:
    text = GAME.replace("square(3, 3)", "square(4, 4)").replace("in empty", "in empty where {}")
    text += "options: {{strict: {{default: no, about: Whether a stone needs room.}}}}\n"
    path = tmp_path / "small.yaml"
    for condition, told in (
        ("not strict or s in empty", ["strict"]),
        ("not strict or turns < 2 or some adjacent(s) & occupied", []),
    ):
        path.write_text(text.format(condition), "utf-8")
        found = (one.diagnostic for one in check_game(str(path), Effort(0.5)))
        there = [one.span.text for one in found if one.code == "never-matters" and one.span]
        assert there == told


def test_games_that_are_over_soon_on_a_large_board_are_told(tmp_path: Path) -> None:
    text = GAME.replace("square(3, 3)", "square(6, 6)")
    soon = text.replace("in_a_row(own, 3)", "some own & adjacent(own | enemy)")
    assert place_of(tmp_path, soon, "over-soon") == [
        "mover wins when some own & adjacent(own | enemy)"
    ]
    assert place_of(tmp_path, text, "over-soon") == []


@pytest.mark.slow
def test_a_part_that_an_option_switches_off_is_not_told_to_be_idle(tmp_path: Path) -> None:
    text = GAME.replace("square(3, 3)", "square(5, 5)").replace("full", "turns > 24")
    text = (
        text.replace("in empty", "in empty - {}")
        + "options: {strict: {default: no, about: No corners.}}\n"
    )
    path = tmp_path / "small.yaml"
    told = {}
    for part in ("(a1 & occupied)", "((a1 & occupied) when strict)"):
        path.write_text(text.replace("- {}", f"- {part}"), "utf-8")
        found = (one.diagnostic for one in check_game(str(path), Effort(0.5)))
        told[part] = [one.span.text for one in found if one.code == "idle-part" and one.span]
    assert all("strict" not in place for places in told.values() for place in places)
    assert any(told.values())


def test_a_key_accepts_findings_everywhere(tmp_path: Path) -> None:
    text = GAME.replace("- draw when full", "- draw when full and turns < 5\n  - draw when full")
    assert "never-held" in {f.diagnostic.code for f in findings(tmp_path, text)}
    told = findings(tmp_path, f"{text}fine: never-held, never-true\n")
    assert "never-held" not in {f.diagnostic.code for f in told}
    wrong = findings(tmp_path, f"{text}fine: [never-held, never-helt]\n")
    assert [f.diagnostic.code for f in wrong if f.diagnostic.code == "unknown-code"]


def test_own_pieces_that_are_left_out_in_part_are_told_so(tmp_path: Path) -> None:
    text = GAME.replace(TURN, "  choose s in own\n  choose t in all - own & top\n  move s to t\n")
    text = text.replace("- mover wins", "- mover wins when no enemy\n  - mover wins")
    text += "setup: {Black Stone: a1 | b3, White Stone: c3 | b1}\nstuck: draw\n"
    hints = {one.diagnostic.code: one.diagnostic.hint for one in findings(tmp_path, text)}
    assert "All of `own`: `(… - own) & top`." in hints["own-taken"]


QUIET = """\
game: Small
players: Black, White
board: square(4, 4)
state: {quiet: number in 0..100}
setup: {rows: "XXXX/..../..../OOOO"}
turn: |
  choose s in own
  choose t in orthogonal(s) - own
  add 1 to quiet
  if some t & enemy & border
    set quiet = 0
  move s to t
stuck: loses
end:
  - any loses when no own
  - draw when quiet >= 60
display: {captions: {quiet: "moves without a capture: {}"}}
"""


def test_a_counter_of_moves_without_a_capture_that_goes_on(tmp_path: Path) -> None:
    assert "move s to t" in place_of(tmp_path, QUIET, "text-differs")
    mended = QUIET.replace("enemy & border", "enemy")
    assert place_of(tmp_path, mended, "text-differs") == []


PILES = """\
game: Small
players: Black, White
board: square(4, 4)
stacks: 8
about: No tower may have more than three pieces.
setup: {rows: "XXXX/..../..../OOOO"}
turn: |
  choose s in own
  choose t in orthogonal(s) - s where height(t) + height(s) <= 3
  move height(s) of s onto t
stuck: loses
end: draw when turns > 40
"""


@pytest.mark.parametrize(("bound", "is_told"), [("<= 3", False), ("<= 4", True), ("< 3", True)])
def test_piles_that_are_higher_or_lower_than_the_text_says(
    tmp_path: Path, bound: str, is_told: bool
) -> None:
    text = PILES.replace("<= 3", bound).replace("more than three", "more than three")
    found = place_of(tmp_path, text, "text-differs", Effort(0.3))
    assert [place for place in found if place == "turn"] == (["turn"] if is_told else [])


@pytest.mark.parametrize(
    ("guard", "step", "is_told"),
    [
        ("n < 3", "add 1 to n", False),
        ("3 > n", "add 1 to n", False),
        ("n <= 1 and s in own", "add 2 to n", False),
        ("n >= 0", "set n = n - 0", False),
        ("n < 2", "add 1 to n", True),
        ("n <= 2", "remove none", True),
        ("m < 3", "add 1 to m", True),
    ],
)
def test_a_condition_that_keeps_a_variable_within_its_bounds_may_always_hold(
    tmp_path: Path, guard: str, step: str, is_told: bool
) -> None:
    text = GAME.replace(PLACE, f"{PLACE}\n  if {guard}\n    {step}\n    set n = 0")
    text = text.replace("square(3, 3)", "square(4, 4)").replace("    set n", "  set n")
    text += "state: {n: number in 0..3, m: number}\n"
    if "m" in step:
        text = text.replace("set n = 0", "set m = 0")
    told = place_of(tmp_path, text, "always-true")
    assert guard.partition(" and ")[0] in told if is_told else told in ([], ["s in own"])


BACK = """\
game: Small
players: Black, White
board: square(3, 3)
setup: {rows: "XX./.../OO."}
turn: |
  choose s in own
  choose t in adjacent(s) & empty
  move s to t
  move t to first(CURRENT)
stuck: draw
end: draw when turns > 20
"""


@pytest.mark.parametrize(
    ("current", "is_told"), [("south(t) & empty | t", False), ("s", True), ("t - s", False)]
)
def test_what_a_turn_takes_back_by_chance_is_not_told(
    tmp_path: Path, current: str, is_told: bool
) -> None:
    found = place_of(tmp_path, BACK.replace("CURRENT", current), "changes-nothing")
    assert found == (["turn"] if is_told else [])


def test_a_move_by_which_no_statement_changes_anything_is_told(tmp_path: Path) -> None:
    text = BACK.replace("  move t to first(CURRENT)\n", "").replace("& empty", "& empty | s")
    assert place_of(tmp_path, text, "changes-nothing") == ["turn"]


POND = """\
game: Small
players: Black, White
board: square(4, 4)
regions: {pond: b2 | c3}
define: {DEFINED}
setup: {rows: "XXXX/..../..../OOOO"}
turn: |
  choose s in own
  choose t in adjacent(s) & empty where ASKED
  move s to t
stuck: draw
end:
  - draw when turns > 30 MORE
"""


@pytest.mark.parametrize(
    ("defined", "asked", "more", "is_told"),
    [
        ("land: all - pond", "t in land", "", False),
        ("lake: pond | a2", "not t in lake", "", False),
        ("shore: adjacent(pond)", "not t in pond or t in own & shore", "and no own & pond", False),
        ("shore: adjacent(pond)", "not t in pond", "or some own & pond", True),
        ("dry: border | b3 | c2", "t in dry", "or pond in own", True),
    ],
)
def test_a_region_that_the_rules_leave_out_stays_empty(
    tmp_path: Path, defined: str, asked: str, more: str, is_told: bool
) -> None:
    text = POND.replace("DEFINED", defined).replace("ASKED", asked).replace("MORE", more)
    found = place_of(tmp_path, text, "region-never-entered", Effort(0.3))
    assert found == (["pond"] if is_told else [])


def test_a_region_of_points_is_not_entered_where_pieces_stand_on_edges(tmp_path: Path) -> None:
    text = GAME.replace("square(3, 3)", "vertices and edges of square(3, 3)")
    text = text.replace("in_a_row(own, 3)", "count (own & incident(towns)) > 2")
    text = text.replace("in empty", "in edges & empty").replace("full", "no edges & empty")
    text += "regions: {towns: a1 | b2}\n"
    assert place_of(tmp_path, text, "region-never-entered", Effort(0.3)) == []


def test_a_region_of_its_own_to_which_no_side_comes(tmp_path: Path) -> None:
    text = """\
game: Small
players: Black, White
board: square(3, 2)
regions: {gate(Black): a1, gate(White): c2}
turn: |
  choose s in empty - gate(mover)
  place Stone at s
end: draw when count occupied = 4
"""
    effort = Effort(0.3)
    assert place_of(tmp_path, text, "region-never-entered", effort) == ["gate"]
    mended = text.replace(" - gate(mover)", " - gate(following(mover))")
    assert place_of(tmp_path, mended, "region-never-entered", effort) == []


SHOWN = """\
game: Small
players: Black, White
board: square(6, 6)
turn: |
  choose s in empty
  place Stone at s
stuck: draw
end:
  - any wins when own = (a1 | b3 | c5 | d2 | e6 | f4)
  - draw when turns >= 20
"""
FIVE = "examples:\n  - setup: {Black Stone: a1 | b3 | c5 | d2 | e6}\n    turns: 5\n"


@pytest.mark.parametrize(
    ("example", "is_told"),
    [("", True), (FIVE, False), (f"{FIVE}    play: f4\n    winner: Black\n", False)],
)
def test_a_clause_is_met_in_what_an_example_leads_to(
    tmp_path: Path, example: str, is_told: bool
) -> None:
    found = place_of(tmp_path, SHOWN + example, "never-held", Effort(0.5))
    assert [place[:3] for place in found] == (["any"] if is_told else [])


def test_a_side_that_is_never_stuck_in_play_needs_no_clause(tmp_path: Path) -> None:
    turn = "  choose s in own\n  choose t in adjacent(s) & empty\n  move s to t\n"
    text = GAME.replace(TURN, turn).replace("square(3, 3)", "square(4, 4)")
    text = text.replace("mover wins when in_a_row(own, 3)", "draw when turns > 6")
    text += "setup: {Black Stone: a1, White Stone: b2}\n"
    assert "may-be-stuck" in codes(tmp_path, text, WITHOUT_PLAY)
    assert "may-be-stuck" not in codes(tmp_path, text, Effort())
    assert "may-be-stuck" in codes(tmp_path, text.replace("b2", "b1 | a2"), Effort())
