"""First drafts of games: what was wrong in them, and what was right and told all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.interpreter.check import Effort, Finding, check_game
from gdl.interpreter.check.effort import WITHOUT_PLAY

STEPS = """\
game: Steps
players: White, Black
pieces: Man
board: square(4, 4)
setup: {White Man: bottom, Black Man: top}
turn: |
  choose s in own
  choose t in adjacent(s) & empty
  move s to t
stuck: loses
end:
  - mover wins when top in White or bottom in Black
  - draw when turns > 60
"""
DICE = """\
game: Dice
players: White, Black
board: square(1, 1)
state:
  die(players): number in 0..6
  bid: number in 0..99
phases:
  throw:
    seat: nobody
    turn: |
      choose a in 1..6
      choose b in 1..6
      set die(White) = a
      set die(Black) = b
      go to say
  say: |
    choose n in 1..3
    add n to bid
sees:
  values: die(own), bid
  moves: {moves}
end: any wins when bid > 20 and die(own) > die(enemy)
stuck: draw
"""


def told(folder: Path, text: str, code: str, effort: Effort = WITHOUT_PLAY) -> list[str]:
    """Return the places at which a code is told of a game's text."""
    return [f.diagnostic.span.text for f in found(folder, text, code, effort) if f.diagnostic.span]


def found(folder: Path, text: str, code: str, effort: Effort = WITHOUT_PLAY) -> list[Finding]:
    """Return the findings of a code in a game's text, which must have a meaning."""
    path = folder / "draft.yaml"
    path.write_text(text, "utf-8")
    findings = check_game(str(path), effort)
    assert not [
        f for f in findings if f.diagnostic.severity == "error" and f.diagnostic.code != code
    ]
    return [f for f in findings if f.diagnostic.code == code]


@pytest.mark.parametrize(
    ("clause", "is_told"),
    [
        ("enemy wins when count enemy < 2", True),
        ("enemy loses when some enemy & corners", True),
        ("enemy wins when count own > count enemy", False),
        ("enemy loses when count own < 2", False),
        ("enemy wins when count mover < 2", False),
    ],
)
@pytest.mark.parametrize("section", ["end", "stuck"])
def test_in_a_clause_about_the_enemy_own_is_that_side(
    tmp_path: Path, section: str, clause: str, is_told: bool
) -> None:
    old = "end:\n" if section == "end" else "stuck: loses\n"
    new = f"end:\n  - {clause}\n" if section == "end" else f"stuck:\n  - {clause}\n  - loses\n"
    places = told(tmp_path, STEPS.replace(old, new), "won-by-enemy")
    assert places == (["enemy"] if is_told else [])


LOSE = """\
game: Throws
players: White, Black
state: {{points(players): number in 0..200, run: number in 0..200, die: number in 0..6}}
board: square(1, 1)
phases:
  throw:
    seat: nobody
    turn: |
      choose n in 1..6
      set die = n
      go to play
  play:
    turn: |
      require die > 1
      add die to run
      either as go_on
        again
      or as stop
        add run to points(mover)
        set run = 0
      go to throw
    stuck: passes then go to lose
  lose: {lose}
end: mover wins when points(mover) > 30
"""


@pytest.mark.parametrize(
    ("lose", "is_told"),
    [
        ("|\n    set run = 0\n    go to throw", True),
        ("\n    seat: nobody\n    turn: set run = 0; go to throw", False),
        ("|\n    set run = 0\n    again\n    go to throw", False),
        ("|\n    either as well\n      set run = 0\n    go to throw", False),
    ],
)
def test_a_phase_in_which_nothing_is_decided_takes_a_turn(
    tmp_path: Path, lose: str, is_told: bool
) -> None:
    places = told(tmp_path, LOSE.format(lose=lose), "nothing-decided")
    assert [place.rstrip(":") for place in places] == (["lose"] if is_told else [])


@pytest.mark.parametrize(("moves", "is_told"), [("yes", True), ("turns > 1", False), ("no", False)])
def test_moves_of_chance_tell_what_it_has_drawn(tmp_path: Path, moves: str, is_told: bool) -> None:
    text = DICE.replace("{moves}", moves)
    assert told(tmp_path, text, "leaking-moves", Effort(0.02)) == (["sees"] if is_told else [])


def test_a_trait_alone_is_told_with_the_kinds_that_it_means(tmp_path: Path) -> None:
    text = STEPS.replace("White Man", "White red").replace("Black Man", "Black blue")
    text = text.replace("pieces: Man", "pieces:\n  Man: {colour: (red, blue)}")
    (one,) = found(tmp_path, text, "wrong-value")
    assert "`pieces: red, blue`" in one.diagnostic.hint


def test_chance_that_draws_too_much_at_once_is_to_draw_in_several_turns(tmp_path: Path) -> None:
    more = "".join(f"      choose x{n} in 1..6\n" for n in range(10))
    text = DICE.replace("{moves}", "no").replace("      choose a", f"{more}      choose a")
    (one,) = found(tmp_path, text, "fails-in-play", Effort(0.02))
    assert "in several turns" in one.diagnostic.hint
    assert "choose" in (one.diagnostic.span.text if one.diagnostic.span else "")


DRAWN = "|\n    k . . k\n    . . . .\n    . . . .\n    N K . N\n"


def test_a_letter_that_another_kind_has_is_told_with_how_to_give_one(tmp_path: Path) -> None:
    text = STEPS.replace("pieces: Man", "pieces: Knight, King")
    text = text.replace("{White Man: bottom, Black Man: top}", f"\n  rows: {DRAWN}")
    (one,) = found(tmp_path, text, "unknown-symbol")
    assert "`symbols: {Knight: N}`" in one.diagnostic.hint


# ------------------------------------------------------- what was told of rules that were right

SHOVE = "  choose d in compass\n  move s to d(s)\n  choose t in {sites}\n  place Man at t\n"


@pytest.mark.parametrize(
    ("sites", "is_told"),
    [("adjacent(d(s)) & empty", False), ("adjacent(s) & empty", True)],
)
def test_where_a_piece_has_gone_is_told_by_where_it_was(
    tmp_path: Path, sites: str, is_told: bool
) -> None:
    text = STEPS.replace(
        "  choose t in adjacent(s) & empty\n  move s to t\n", SHOVE.format(sites=sites)
    )
    assert told(tmp_path, text, "left-site") == (["s"] if is_told else [])


@pytest.mark.parametrize(("below", "is_told"), [("hand(mover)", False), ("2", True)])
def test_who_asks_for_the_enemys_hand_may_go_on_to_its_own(
    tmp_path: Path, below: str, is_told: bool
) -> None:
    turn = f"  if hand(enemy) = 0\n    repeat {below} times\n      choose s in empty\n"
    turn += "      place Man from hand at s\n  else\n    choose s in empty\n"
    text = STEPS[: STEPS.index("  choose s")] + turn + "    place Man from hand at s\n"
    text += STEPS[STEPS.index("stuck") :] + "hands: {Man: 4}\n"
    assert told(tmp_path, text, "enemy-hand") == (["hand(enemy)"] if is_told else [])


@pytest.mark.parametrize(
    ("numbers", "is_told"), [((1, 2, 3, 3, 4), False), ((1, 2, 4, 4), True), ((1, 2, 3, 3), True)]
)
def test_two_keys_of_a_table_may_have_one_number(
    tmp_path: Path, numbers: tuple[int, ...], is_told: bool
) -> None:
    kinds = [f"K{place}" for place in range(len(numbers))]
    table = ", ".join(f"{kind}: {number}" for kind, number in zip(kinds, numbers, strict=True))
    text = STEPS.replace("pieces: Man", f"pieces: {', '.join(kinds)}").replace(" Man:", " K0:")
    text += f"define: {{size: {{{table}}}}}\ndisplay: {{scores: sum k in kinds of size(k)}}\n"
    assert bool(told(tmp_path, text, "number-twice")) == is_told


HIDING = """\
game: Hiding
players: White, Black
pieces: Man
board: square(4, 4)
phases:
  hide: |
    choose s in empty
    place Man at s
    if mover = Black
      {then}
  seek: |
    choose s in empty
    place Man at s
    go to hide
end:
  - White wins when White & c3
  - Black wins when Black & b2
stuck: draw
"""


@pytest.mark.parametrize(("then", "is_told"), [("go to seek", False), ("remove s", True)])
def test_who_is_last_may_leave_a_phase(tmp_path: Path, then: str, is_told: bool) -> None:
    text = HIDING.format(then=then).replace("wins when", "wins when some")
    places = [place.split("\n")[0] for place in told(tmp_path, text, "no-mirror-image")]
    assert places == (["if mover = Black"] if is_told else [])


@pytest.mark.parametrize(
    ("turn", "code"),
    [
        ("  choose s in own\n  choose t in adjacent(s) & enemy\n  flip s | t\n", "own-and-enemy"),
        (
            "  choose s in own\n  choose t in adjacent(s) & enemy\n"
            "  let blast = s | t | adjacent(t)\n  remove blast\n",
            "own-and-enemy",
        ),
        (
            "  choose s in own\n  choose t in adjacent(s) - own\n  if t in enemy\n    remove t\n"
            "  let men = s | adjacent(s) & own & south(s)\n  remove men\n  place Man at t\n",
            "only-own-lost",
        ),
    ],
)
def test_statements_that_say_whose_pieces_they_mean(tmp_path: Path, turn: str, code: str) -> None:
    first, last = STEPS.index("  choose s"), STEPS.index("stuck")
    text = STEPS[:first] + turn + STEPS[last:]
    text = text.replace("bottom, Black Man: top", "rows(1) | rows(3), Black Man: rows(2) | rows(4)")
    assert not told(tmp_path, text, code, Effort(0.1))


def test_pieces_that_go_back_to_a_hand_are_not_lost(tmp_path: Path) -> None:
    text = STEPS.replace("  choose s in own\n", "  choose s in own\n  choose u in own - s\n")
    text = text.replace("move s to t", "move s to t\n  move u to hand(mover)")
    text = text.replace("board:", "hands: Man\nboard:")
    assert not told(tmp_path, text, "only-own-lost", Effort(0.1))


RACE = """\
game: Race
players: White, Black
pieces: Man
board: square(5, 5)
setup: {{White Man: rows(1), Black Man: rows(5)}}
state: {{home(players): number in 0..5}}
regions:
  goal(White): d4
  goal(Black): b2
turn: |
  choose s in own
  choose t in adjacent(s) & (empty | enemy){but}
  if t in enemy
    remove t
  move s to t
{then}stuck: passes
end:
  - mover wins when home(mover) > 1 or goal(enemy) in own
  - mover wins when no enemy
  - draw when turns > 100
"""
OUT = "  if t in goal(mover)\n    remove t\n    add 1 to home(mover)\n"


@pytest.mark.parametrize(
    ("but", "then"),
    [("", OUT), (" - goal(mover)", "")],
    ids=["left at once", "left out"],
)
def test_a_region_of_its_own_that_a_side_never_stands_in(
    tmp_path: Path, but: str, then: str
) -> None:
    text = RACE.format(but=but, then=then)
    assert not told(tmp_path, text, "region-never-entered", Effort(0.3))


@pytest.mark.parametrize(
    ("asked", "is_told"),
    [
        ("some s in own where some adjacent(s) & empty", False),
        ("some s in own where some adjacent(s) & enemy", True),
        ("some s in enemy where some adjacent(s) & empty", True),
        ("some own", True),
    ],
)
def test_what_is_chosen_where_it_is_there_always_can_be(
    tmp_path: Path, asked: str, is_told: bool
) -> None:
    turn = STEPS[STEPS.index("  choose s") : STEPS.index("stuck")].replace("  ", "    ")
    text = STEPS[: STEPS.index("  choose s")] + f"  if {asked}\n{turn}  else\n    pass\n"
    text += STEPS[STEPS.index("end:") :]
    assert bool(told(tmp_path, text, "may-be-stuck")) == is_told
