"""Guesses of newcomers: what is said of them leads to how it is said in this language."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gdl.diagnostic import Diagnostic, GameError, Source
from gdl.load import load_source

SECTIONS = {
    "players": "White, Black",
    "pieces": "Man, King",
    "board": "square(5, 5)",
    "state": "{n: number, die: number}",
    "define": "{nearby(t): diagonal(t)}",
    "end": "draw when full",
}
STEPS = "choose s in empty\nplace Man at s"


def text(changes: Mapping[str, str | None], steps: str = "") -> str:
    """Return a game with sections changed or left out, and steps at the end of its turn."""
    program = f"{STEPS}\n{steps}".replace("\n", "\n  ")
    sections = {**SECTIONS, "turn": f"|\n  {program}", **changes}
    lines = (f"{key}: {value}\n" for key, value in sections.items() if value is not None)
    named = "" if "game" in changes else "game: Guesses\n"
    return named + "".join(lines)


def found(changes: Mapping[str, str | None], steps: str = "") -> list[Diagnostic]:
    """Return the errors of such a game."""
    try:
        load_source(Source("game.yaml", text(changes, steps)), {})
    except GameError as error:
        return [one for one in error.diagnostics if one.severity == "error"]
    return []


def hint_of(changes: Mapping[str, str | None], steps: str = "") -> str:
    """Return what is said of the one mistake of such a game."""
    one, *others = found(changes, steps)
    assert not others, [other.to_text() for other in others]
    return one.hint


def test_a_game_without_a_guess_is_not_spoken_of() -> None:
    assert found({}) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("repeat turn", "again"),
        ("extra turn", "again"),
        ("play again", "again"),
        ("take another turn", "again"),
        ("repeat turn if n = 1", "if n = 1 again"),
        (
            "remove groups of enemy without liberties",
            "remove sites g in groups(enemy, adjacent) where no liberties(g)",
        ),
        (
            "capture enemy groups with no liberties",
            "remove sites g in groups(enemy, adjacent) where no liberties(g)",
        ),
        ("choose t in !own", "choose t in (all - own)"),
        ("require !own", "require no own"),
        ("if !enemy again", "if no enemy again"),
        ("forbid s in own", "require not (s in own)"),
        ("require s is occupied by enemy", "require s in enemy"),
        ("if north(s) is occupied by own remove s", "if north(s) in own remove s"),
        ("if any nearby(s) again", "if some nearby(s) again"),
        ("if any nearby(s)\n  again", "if some nearby(s)"),
        ("require not any nearby(s)", "require no nearby(s)"),
        ("choose t in rows(1..2)", "choose t in rows(1, 2)"),
        ("require s in columns(1..2)", "require s in columns(1, 2)"),
        ("choose t in own King", "choose t in own & King"),
        ("choose t in White King", "choose t in White & King"),
        ("remove enemy King", "remove enemy & King"),
        ("require some own King", "require some own & King"),
        ("require count own King > 3", "require count(own & King) > 3"),
        ("require n = [1, 3]", "require n in (1, 3)"),
        ("forbid repetition", "require seen(board) = 0"),
        ("require s is on the board", "require some s"),
        ("require count own in top >= 3", "require count(own & top) >= 3"),
        ("choose column c in 1..5", "choose c in 1..5"),
        ("choose t in diagonal(s) and empty\nremove north(s)", "choose t in diagonal(s) & empty"),
        ("require enemy King is captured", "require no enemy & King"),
        ("choose t in own if n = 1 else enemy", "choose t in (if n = 1 then own else enemy)"),
        ("place (Man if n = 1 else King) at s", "place (if n = 1 then Man else King) at s"),
        ("require n = (1 if n = 2 else 3)", "require n = (if n = 2 then 1 else 3)"),
        ("require max(1 if n = 2 else 3, 2) = n", "require max(if n = 2 then 1 else 3, 2) = n"),
        ("choose one of King, Man", "choose k in (King, Man)"),
        ("choose King or Man", "choose k in (King, Man)"),
        ("s must be in top", "require s in top"),
        ("require s has adjacent enemy", "require some adjacent(s) & enemy"),
        ("require s is adjacent to an enemy", "require some adjacent(s) & enemy"),
        ("choose t in own where t is next to s", "choose t in own where t in adjacent(s)"),
        ("require s is own and not on border", "require s in own and not s in border"),
        ("capture all enemies between s and s", "remove between(s, s) & enemy"),
        ("s must not be in top", "require not s in top"),
        ("s becomes King", "change s to King"),
        ("move s left", "move s to west(s)"),
        ("send s to a1", "move s to a1"),
        ("require some King at a1", "require some King & a1"),
        ("require King on a1", "require some King & a1"),
        ("require sum row(own) = 3", "require (sum x in own of row(x)) = 3"),
        ("require sum(row(own)) = 3", "require (sum x in own of row(x)) = 3"),
        ("choose t in adjacent(s) of s", "choose t in adjacent(s)"),
        ("choose t in own not Man and not King", "choose t in own - Man - King"),
        ("choose t in adjacent(s) not own", "choose t in adjacent(s) - own"),
        ("if n in 3, 4 again", "if n in (3, 4) again"),
        ("require count(own) in 3, 4", "require count(own) in (3, 4)"),
        ("require count own in 3", "require count(own) = 3"),
        ("require count own in 3, 4 and n = 2", "require count(own) in (3, 4) and n = 2"),
        ("require count own in (3, 4)", "require count(own) in (3, 4)"),
        ("require not (s in own != s in top)", "require not ((s in own) != (s in top))"),
        ("choose t in not own & nearby(s)", "choose t in (all - own) & nearby(s)"),
        ("choose t in not (own & top) & nearby(s)", "choose t in (all - (own & top)) & nearby(s)"),
        ("choose t in empty and not top & left", "choose t in (empty - top) & left"),
        ("choose t in not own & nearby(s) | top", "choose t in (all - own) & nearby(s) | top"),
        ("choose t in not (own | enemy)", "choose t in all - (own | enemy)"),
        ("require Black King captured", "require no Black & King"),
        ("move s n steps", "move s to (north^n)(s)"),
        ("move s forward 2 squares", "move s to (north^2)(s)"),
        ("if enemy at top: send s to a1", "if some enemy & top move s to a1"),
        ("if n = 1 then n += 2", "if n = 1 add 2 to n"),
        (
            "let l = union d in orthogonal of d(d(s)) where d(s) in own",
            "let l = union d in orthogonal of d(d(s)) when d(s) in own",
        ),
        (
            "require 3 = sum x in own of row(x) where x in King",
            "require 3 = sum x in (sites x in own where x in King) of row(x)",
        ),
        ("choose k in Man, King", "choose k in (Man, King)"),
        ("choose 1 to 3 t in empty", "choose 1..3 t in empty"),
        ("choose t in empty where adjacent to own", "choose t in empty & adjacent(own)"),
        (
            "for each group g in groups(own, adjacent):\n  remove g",
            "for each g in groups(own, adjacent)",
        ),
        ("choose t in (north^2 east)(s)", "choose t in chain(north^2, east)(s)"),
        ("require all nearby(s) in own", "require nearby(s) in own"),
        ("s becomes mover", "change s to kind(s) of mover"),
        ("choose t in empty where north(t) empty", "choose t in empty where north(t) in empty"),
        ("place Man at s and a1", "place Man at s | a1"),
        ("remove all t where row(t) >= row(s)", "remove sites t in all where row(t) >= row(s)"),
        ("require a1 is eaten", "require a1 in empty"),
        ("push s north by 1", "shift s by north"),
        ("return again", "again"),
        ("if s is not None again", "if some s again"),
        ("choose t in sites where row(t) = 2", "choose t in all where row(t) = 2"),
        ("choose t in top own", "choose t in own"),
        ("require all own off board", "require no own"),
        ("require the opponent has fewer than 3 men", "require count enemy < 3"),
        ("choose t in every dark site", "choose t in dark"),
        ("require next(mover) = White", "require following(mover) = White"),
        ("t = choose(diagonal(s))", "choose t in diagonal(s)"),
        ("require any(row(x) = 2 for x in own)", "require some x in own where row(x) = 2"),
        ("choose t in any empty square", "choose t in empty"),
        ("choose t in empty next to s in direction north", "choose t in empty & north(s)"),
        ("choose t in sites adjacent to s", "choose t in adjacent(s)"),
        ("if there are fewer than 6 Man again", "if count Man < 6 again"),
        ("require Black has no stones", "require no Black"),
        ("s.move_to(a1)", "move s to a1"),
        ("then choose t in empty", "choose t in empty"),
        ("again = True", "again"),
        ("choose a direction d", "choose d in compass"),
        ("move the stone from s to a1", "move s to a1"),
        ("if it is White's turn again", "if mover = White again"),
        ("require 3 of its men are in the top row", "require count(own & top) >= 3"),
        ("after moving, remove s", "remove s"),
        ("place Man on top of s", "place Man at s"),
        ("choose 2 sites in empty except top", "choose 2 x in empty - top"),
        ("choose some cell from own", "choose x in own"),
        ("choose d in all directions", "choose d in compass"),
        ("choose d in the diagonal directions", "choose d in diagonal"),
        ("choose k in 1..length of own", "choose k in 1..count own"),
        ("require enemy has less than 2 stones", "require count enemy < 2"),
        ("require own has 3 pieces left", "require count own = 3"),
        ("require own have 3 or more men", "require count own >= 3"),
        ("require all sites except top are occupied", "require no empty - top"),
        ("require every cell is full", "require full"),
        ("choose t in adjacent(s) that are empty", "choose t in adjacent(s) & empty"),
        ("choose t in adjacent empty of s", "choose t in adjacent(s) & empty"),
        ("choose t in empty neighbours of s", "choose t in adjacent(s) & empty"),
        ("choose t in an empty adjacent site to s", "choose t in adjacent(s) & empty"),
        ("choose k from 1 to max(n, 3)", "choose k in 1..max(n, 3)"),
        ("choose k between n and max(n, 3)", "choose k in n..max(n, 3)"),
        (
            "move s to north(s) if n = 1 else south(s)",
            "move s to if n = 1 then north(s) else south(s)",
        ),
    ],
)
def test_a_line_is_told_in_words_that_can_be_read(written: str, meant: str) -> None:
    assert f"Write `{meant}`." in hint_of({}, written)
    _, *block = written.split("\n")
    assert found({}, "\n".join([meant, *block])) == []


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("roll d", "a phase with `seat: nobody`"),
        ("roll the dice", "a phase with `seat: nobody`"),
        ("chance d in 1..6", "`choose n in 1..6; set d = n`"),
        ("place neutral Block at s", "`pieces: neutral Block`"),
        ("let n = n + 1", "by `set n = n + 1`; a new word"),
        ("require some north^2(own)", "Write `(north^2)(own)`."),
        ("require some (north | east)^3(own)", "Write `((north | east)^3)(own)`."),
        ("require own + 1 > 2", "Write `count own + 1`."),
        ("require 2 > 1 + enemy", "Write `1 + count enemy`."),
        ("let t = s + 2", "`(d^n)(s)`"),
        ("forbid own", "`require not C`"),
        ("forbid moves into check", "`can enemy make no own & King`"),
        ("require own is connected", "`count groups(S, R) = 1`"),
        ("require own in last row", "`goal: {White: top, Black: bottom}`"),
        ("require s in last_row", "`last_row(mover)`"),
        ("require s in goal", "`goal: top`"),
        ("require s in start", "`start: top`"),
        ("require s in center", "under `regions`"),
        ("choose t in tops(own)", "`holding(P)`"),
        ("choose t in step(s, north)", "`north(s)`"),
        ("set phase = moving", "`go to moving`"),
        ("if phase = moving again", "`go to`"),
        ("set winner = mover", "under `end`"),
        ("require winner = White", "`mover wins when C`"),
        ("winner: White", "under `end`"),
        ("set n = [1, 3]", "`number in 1..3 = 1`"),
        ("require checkmate", "`can enemy make no own & King`"),
        ("if moves = 3 again", "`turns`"),
        ("place at any empty cell", "`choose s in empty`"),
        ("set n = random(1, 6)", "a phase with `seat: nobody`"),
        ("simultaneous", "under `together`"),
        ("require position(s) = 3", "`row(s)`"),
        ("if n = 1\n  die = 3", "`set die = 3`"),
        ("let taken = own & top\nrequire taken is not empty", "`require some taken`, if that is a"),
        ("let taken = own & top\nrequire taken not empty", "`require some taken`, if that is a"),
        ("let taken = own & top\nif taken is empty\n  again", "`if no taken`, if that is a set"),
        ("let t = s\nlet t = north(s)", "`set t = north(s)`"),
        ("remove s from the board", "`remove s`"),
        ("remove s from board", "`remove s`"),
        ("let t = last(own)", "`sites x in S where no d(x) & S`"),
        ("if n = 1\n  continue", "A side goes on by `again`"),
        ("either as from\n  pass\nor as on\n  again", "`from` is a word of the language"),
        ("either as count\n  pass\nor as on\n  again", "`count` is a word of the language"),
        ("either move\n  again\nor\n  pass", "a word for it follows `as`"),
        ("choose t in own or pass", "`pass`: `either`"),
        ("if pass\n  again", "`pass`: `either`"),
        ("passes += 1", "`passed`"),
        ("reveal", "under `together`"),
        ("require row(down(s)) = 1", "`south(s)`"),
        ("choose t in queen_moves(s)", "`slides(s, R, empty)`"),
        ("choose t in piece(s)", "`kind(s)`"),
        ("require some edges", "`board: edges of square(5, 5)`"),
        ("place Line at s", "`pieces: Man, King, Line`"),
        ("set points(mover) = 2", "`state: {points(players): number}`"),
        ("require points(mover) > 2", "`state: {points(players): number}`"),
        ("remove left(s)", "`west(s)`"),
        ("remove corners(2)", "`corners` has no size"),
        ("if s beats north(s)\n  again", "joins nothing"),
        ("reveal s", "under `sees`"),
        ("if it is White's turn, move the king to a corner", "`if mover = White`"),
        ("move the King one step diagonally to an empty square", "`choose s in own`"),
        ("the King moves first", "The first of `players` begins"),
        ("you may not repeat a position", "Write `require seen(board) = 0`."),
        ("if you capture at least 2 you get another turn", "`if taken again`"),
        ("a player cannot push more than 2", "ruled out by `require not C`"),
        ("the turn passes to the next player", "told in steps"),
        ("choose the king", "Write `choose s in own & King`."),
        ("choose one of your stone", "Write `choose s in own`."),
        ("choose a site", "Write `choose s in empty`."),
        ("choose own or enemy", "Write `choose s in own | enemy`."),
        ("move 2 from s to a1", "`move 2 of s onto a1`"),
        ("let w = highest bid", "`let w = max p in players of bid(p)`"),
        ("if not legal_moves(enemy): pass", "`stuck: passes`"),
        ("the player must capture if possible", "`let taking = "),
        ("either step to an empty point", "stand alone"),
        ("require in_a_row(4, own)", "`in_a_row(own, 4)`"),
        ("take 2 from n", "`add -2 to n`"),
        ("phase := going", "Write `go to going`."),
        ("if row[s][n] = 3 again", "Write `if row(s, n) = 3 again`."),
        ("mine.remove(s)", "`set x = x - s`"),
        ("place Man at s for White", "Write `place Man of White at s`."),
        ("choose a piece p from hand", "`choose p in kinds where hand(mover, p) > 0`"),
        ("choose p in own and t in empty", "`choose p in own`, and below it `choose t in empty`"),
        ("move: {s: t}", "without a colon or braces"),
        ("each player chooses t in own", "under `together`"),
        ("jump from s over enemy to north", "of jump(s, d, enemy, empty)`"),
        ("let w = max(own, key=lambda x: 1)", "`max x in D of E`"),
        ("choose t in what s reaches by queen moves", "`slides(s, R, empty)`"),
        ("move Man from s to a1", "`move s to a1`"),
        ("repeat\n  remove s\nuntil done", "ends by `again`"),
        ("remove that enemy", "as in `remove s`"),
        ("require not line(own, 4)", "`in_a_row(own, 4)`"),
        ("if all pits are empty again", "`no s in all where pits(s) > 0`"),
        ("let t = the 3rd site of own", "`(north^n)(s)`"),
        ("require s not in enemy border", "asked for as `goal(mover)`"),
        ("if White\n  again", "`mover = White`"),
        ("change turn", "leave this out"),
        ("illegal", "`require not C`"),
        ("add random piece at random empty site", "a phase with `seat: nobody`"),
        ("place Man at s from hand", "`place Man from hand at s`"),
        ("let l = 3\nl(north(s)) = 0", "Write `set l(north(s)) = 0`."),
        ("require board != previous board", "`seen(board)`"),
        ("place Man on empty cell", "`choose s in empty`"),
        ("move own to adjacent empty", "`choose t in adjacent(s) & empty`"),
        ("move each piece in own 2 steps north", "`shift S by R`"),
        ("captures are mandatory", "`let taking = "),
        ("must capture if possible", "`let taking = "),
        ("remove enemy in line with s", "`run(s, d, S)`"),
        ("remove enemy stones from s in direction d until own", "`run(s, d, S)`"),
        ("choose fold or raise", "`either as fold`"),
        ("n = roll d6", "a phase with `seat: nobody`"),
        ("set n = d6", "a phase with `seat: nobody`"),
        ("if King is stuck\n  again", "`no adjacent(S) & empty`"),
        ("choose t in last empty from s in each direction", "sites t in run(s, d, empty)"),
        ("die = random(1, 6)", "go to roll"),
        ("place Man at any empty", "choose s in empty"),
        ("repeat\n  add 1 to n\n  stop\nuntil n = 3", "until"),
        ("repeat\n  add 1 to n\n  stop if n = 2\nuntil n = 3", "until"),
        ("choose k in {Man, King}", "choose k in (Man, King)"),
        ("choose w in edges", "cells and edges of"),
        ("choose s2 in corners | edges", "border"),
        ("choose a in own, b in adjacent(a) & empty", "choose b in"),
        ("turns += 1", "leave"),
        ("require position is not repeated", "seen(board)"),
        ("require position changed", "seen(board)"),
        ("either as swap\n  place Man at s\nor as draw\n  pass", "word of the language"),
        ("select own piece p", "choose"),
        ("enter a Man at a1", "place Man at a1"),
        ("choose k from 1 to min(5, n)", "choose k in 1..min(5, n)"),
        ("remove a where no adjacent(a) & own", "sites a in"),
        ("if s in top set s to King", "change s to King"),
        ("choose any empty square q", "choose q in empty"),
        ("remove jumped piece", "between(s, t)"),
        ("move s to adjacent empty square", "choose t in adjacent(s) & empty"),
        ("require no enemy between s and a1", "no between(s, a1) & enemy"),
        ("flip all Mans between s and a1", "flip between(s, a1) & Man"),
        ("require King not attacked", "can enemy make no own & King"),
        ("let m = number of own neighbours", "count"),
        ("choose v in enemy not in nearby(s)", "enemy - nearby(s)"),
        ("for q in own: remove q", "for each q in own"),
        ("require path exists from top to bottom", "joined"),
        ("choose a piece and move it to a1", "line of its own"),
        ("require s is on board", "require some s"),
        ("if s is a knight's move from a1 again", "leaper(1, 2)"),
        ("pick up n pieces from s", "move n of s"),
        ("switch mover", "leave this out"),
        ("s -> a1", "move s to a1"),
        ("next player", "leave this out"),
        ("set n = own + enemy", "|"),
        ("if some row(s) = 1\n  remove s", "`some S` asks whether a set has a site"),
        ("require no row(s) > 1", "`no S` asks whether a set has a site"),
    ],
)
def test_a_line_is_told_by_the_construct_that_says_it(written: str, hint: str) -> None:
    assert hint in hint_of({}, written)


@pytest.mark.parametrize(
    ("section", "written", "meant"),
    [
        ("end", "draw otherwise", "draw"),
        ("end", "draw after 60 turns", "draw when turns >= 60"),
        ("end", "draw when passes = 2", "draw when passed = 2"),
        ("end", "draw when both players pass", "draw when passed = 2"),
        ("end", "draw when everyone passes", "draw when passed = count players"),
        ("end", "draw when board full", "draw when full"),
        ("end", "mover wins when any own & top", "mover wins when some own & top"),
        (
            "end",
            "mover wins when own connects top and bottom",
            "mover wins when joined(top, bottom, adjacent, own)",
        ),
        (
            "end",
            "mover wins when row of 4 own Mans in any direction",
            "mover wins when in_a_row(own & Man, 4)",
        ),
        ("end", "mover wins when a line of 3", "mover wins when in_a_row(own, 3)"),
        ("end", "lowest men when full", "lowest count(own) wins when full"),
        ("board", "none", "square(1, 1)"),
        ("board", "8 by 8, dark squares only", "square(8, 8) without light"),
        ("board", "hexagonal board with 5 cells per side", "hex hexagon(5)"),
        ("board", "a grid of 6x6", "square(6, 6)"),
        ("end", "the White wins if it reaches row 1", "White wins when some White & rows(1)"),
        ("board", "square(5, 5) cells", "square(5, 5)"),
        (
            "end",
            "mover wins when own connects left to right or top to bottom",
            "mover wins when joined(left, right, adjacent, own)"
            " or joined(top, bottom, adjacent, own)",
        ),
        ("swap", "after 1", "turns = 1"),
        ("swap", "after the first move", "turns = 1"),
        ("swap", "after turn 2", "turns = 2"),
        ("swap", "on the second turn", "turns = 1"),
        ("state", "{n: number, die: number for each site}", "number per site"),
        ("state", "{n: number, die: 4 per site}", "number per site = 4"),
        ("state", "{n: number, die: number in 0..9 per cell}", "number per site in 0..9"),
        ("setup", "{White Man: rows(1..2)}", "rows(1, 2)"),
        ("setup", "{White Man: b1..d1}", "b1 | c1 | d1"),
        ("setup", "{White Man: rows 1-2 and a4}", "rows(1, 2) | a4"),
        ("setup", "{White Man: rows(1, 2) where corners}", "rows(1, 2) & corners"),
        ("setup", "{White Man: b1 to b3}", "b1 | b2 | b3"),
        ("setup", "\n  White Man: rows 1, 2, 3", "rows(1, 3)"),
        ("setup", "\n  White Man: rows 1, 3 and column 2", "rows(1) | rows(3) | columns(2)"),
        ("define", "{nearby(t): own King}", "own & King"),
        ("define", "{nearby(t): own where row(it) = 2}", "sites s in own where row(s) = 2"),
        ("define", "{nearby(t): sites where row(it) = 2}", "sites s in all where row(s) = 2"),
        ("define", "{nearby(t): sites when row(it) = 2}", "sites s in all where row(s) = 2"),
        ("board", "square(5, 5) with diagonals", "square(5, 5)"),
        ("board", "square(5, 5) points", "square(5, 5)"),
    ],
)
def test_a_section_is_told_in_words_that_can_be_read(
    section: str, written: str, meant: str
) -> None:
    assert f"Write `{meant}`." in hint_of({section: written})
    before, _, _ = written.rpartition(": ")
    closed = f"{before}: {meant}{'}' if written.startswith('{') else ''}" if before else meant
    assert found({section: closed}) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("if full: draw", "draw when full"),
        ("if full: mover wins", "mover wins when full"),
        ("mover wins: in_a_row(own, 3)", "mover wins when in_a_row(own, 3)"),
        ("mover wins: {when: full}", "mover wins when full"),
        ("draw: full", "draw when full"),
        ("winner: White\n    when: full", "White wins when full"),
        ("if: full\n    then: draw", "draw when full"),
        ("when full: highest count(own) wins", "highest count(own) wins when full"),
    ],
)
def test_a_clause_that_is_no_text_is_told_as_one(written: str, meant: str) -> None:
    assert f"Write `{meant}`." in hint_of({"end": f"\n  - {written}"})
    assert found({"end": f"\n  - {meant}"}) == []


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({"end": "\n  - stalemate: draw"}, "`stuck: draw`"),
        ({"end": "game over when full"}, "`draw when full`"),
        ({"end": "draw after 60 turns without capture"}, "`draw when quiet >= 60`"),
        ({"end": "draw when repeated"}, "`draw when seen(board) >= 2`"),
        ({"players": "\n  White: 1 king\n  Black: 4 men"}, "`players: White, Black`"),
        ({"end": "mover wins when White < 4"}, "`count(White)`"),
        ({"end": "\n  - enemy can't move: mover wins"}, "`stuck: loses`"),
        ({"board": "hexagonal 7x7 rhombus"}, "`hex rhombus(7, 7)`"),
        ({"board": "7x7 hex"}, "`hex rhombus(7, 7)`"),
        ({"pieces": "Man for White, King for Black"}, "`White Man, Black King`"),
        ({"setup": "|\n  k . k\n  . . .\n"}, "`rows: |`"),
        ({"end": "player with highest n wins when full"}, "`highest n(own) wins when full`"),
        ({"relations": "{linked: 'a1-b2, b2-c3'}"}, "`{path: [a1 b2, b2 c3]}`"),
        ({"relations": "{linked: [[a1, b2], [b2, c3]]}"}, "`{path: [a1 b2, b2 c3]}`"),
        ({"relations": "\n  linked:\n    - a1-b2\n    - b2-c3"}, "`{path: [a1 b2, b2 c3]}`"),
        ({"end": "the side with most pieces wins"}, "`highest count(own) wins`"),
        ({"end": "the side with most Man wins"}, "`highest count(own & Man) wins`"),
        ({"end": "\n  - when no pieces left: draw"}, "The outcome stands first"),
        ({"end": "highest n wins when full", "state": "{n(players): number}"}, "`highest n(own)"),
        ({"board": "square(5, 5) edges"}, "Write `edges of square(5, 5)`."),
        ({"state": "{die: hidden number}"}, "by `sees`"),
        ({"setup": "each side has 2 Man off board"}, "`hands: {Man: 2}`"),
        ({"setup": "\n  White:\n    King a1"}, "`White King: a1`"),
        ({"define": "{nearby(t): own where row(t) = 2}"}, "`sites s in A where C`"),
        ({"define": "\n  nearby(t): |\n    King: own\n    Man: enemy"}, "`NAME(King, s): …`"),
        ({"define": "{nearby(t): own when some adjacent(it)}"}, "`sites s in own where C`"),
        ({"board": "square(5, 5) where row = 2"}, "by `without S`"),
        ({"stacks": "3", "turn": "{go: remove top(own)}"}, "the uppermost piece"),
        ({"state": "{n: number, pit(sites): number = 4}"}, "`pit: number per site = 4`"),
        ({"hands": "{White: 10 Man}"}, "`hands: {Man: 10}`"),
        ({"score": "count own"}, "`state: {score(players): number}`"),
        ({"players": "1, 2"}, "begins with a letter"),
        ({"state": "{n per site: number, die: number}"}, "`n: number per site`"),
        ({"after both": "draw"}, "under `together`"),
        (
            {
                "turn": None,
                "phases": f"\n  first:\n    turn: {STEPS.split(chr(10))[0]}\n    next: two",
            },
            "`go to two`",
        ),
        ({"end": "checkmate"}, "`can enemy make no own & King`"),
        ({"end": "passes = 2"}, "`draw when passed = 2`"),
        ({"end": "mover wins when connected(top, bottom)"}, "`joined(top, bottom, adjacent, own)`"),
        ({"end": "mover wins when joined(top, bottom)"}, "`joined(top, bottom, adjacent, own)`"),
        ({"end": "player wins when full"}, "`mover`"),
        ({"end": "{draw: full}"}, "`draw when full`"),
        ({"state": "{n: number, die(sites): number}"}, "`die: number per site`"),
        ({"state": "{n: number, die(cells): number}"}, "`die: number per site`"),
        ({"state": "{n: number, die: number per cell}"}, "`number per site`"),
        ({"state": "\n  n: number\n  die: number = [1, 3]"}, "`number in 1..3 = 1`"),
        ({"state": "{score: {White: 0, Black: 0}}"}, "`score(players): number = 0`"),
        ({"state": "{score: {White: 0, Black: 2}}"}, "`score(players): number`"),
        ({"setup": "{King: {White: a1, Black: e5}}"}, "`White King: a1`, `Black King: e5`"),
        ({"setup": "{White: {King: a1}}"}, "`White King: a1`"),
        ({"setup": "{a1: White King}"}, "`White King: a1`"),
        ({"setup": "\n  - White King at a1"}, "`White King: a1`"),
        ({"hands": "{White: 3}"}, "`hands: {White Man: 3}`"),
        ({"hands": "{White: {Man: 3}}"}, "`hands: {White Man: 3}`"),
        ({"hands": "{each: 10 Man}"}, "`hands: {Man: 10}`"),
        ({"hands": "3"}, "`hands: {Man: 3}`"),
        ({"hands": "3 stones each"}, "`hands: {Man: 3}`"),
        ({"end": "count(own King) == 0"}, "`mover wins when count(own & King) = 0`"),
        ({"end": "\n  - checkmate: mover wins"}, "`can enemy make no own & King`"),
        ({"end": "\n  - draw: after 50 moves"}, "Write `draw when turns >= 50`."),
        ({"end": "White wins if 3 Man in a line"}, "`White wins when in_a_row(own & Man, 3)`"),
        ({"setup": "|\n  mmkmm\n  .....\n"}, "`rows: |`"),
        ({"end": "mover wins when own connects opposite sides"}, "joined(left, right, adjacent"),
        ({"end": "White wins when left and right linked"}, "`joined(left, right, adjacent, own)`"),
        ({"end": "\n  White wins: no Black\n  draw: full"}, "`- White wins when C`"),
        (
            {"setup": "\n  White: Man on row 1, King on c2"},
            "`White Man: rows(1)`, `White King: c2`",
        ),
        ({"setup": "{White Man: random 5}"}, "a phase with `seat: nobody`"),
        ({"options": "\n  size: 5, 7, 9"}, '`{default: 5, in: "5, 7, 9"}`'),
        ({"swap": "allowed"}, "`swap: turns = 1`"),
        ({"display": "{White: x}"}, "`symbols: {White Man: X}`"),
        ({"setup": "{Man: a1}"}, "`neutral Man`, under `pieces`"),
        ({"hands": "{Man: 3}", "turn": "{go: choose k in hand}"}, "`choose k in kinds where hand("),
        ({"end": "\n  - rule: draw when full"}, "write `draw when full` alone"),
        ({"game": "{name: Guesses, year: 2000}"}, "`game: Guesses`"),
        ({"players": "[{name: White, at: top}, {name: Black}]"}, "`players: White, Black`"),
        ({"players": "{White: {at: top}, Black: {at: top}}"}, "`players: White, Black`"),
        ({"phases": "bidding, building", "turn": None}, "`phases: {bidding: {turn: …}, building"),
        ({"setup": "the board is empty"}, "leave `setup` out"),
        ({"setup": "{White: {Man: [a1, b1]}}"}, "`White Man: a1 | b1`"),
        ({"setup": "{White Queen: a1}"}, "as in `pieces: Queen`"),
        ({"setup": "{neutral Man: a1}", "pieces": "neutral Man, King"}, "by its kind alone: `Man`"),
        ({"define": "{nearby(t): adjacent(t), safe: {4, 8}}"}, "`(4, 8)`"),
        ({"define": "{nearby(t): adjacent(t), safe: {own, enemy}}"}, "`own | enemy`"),
        ({"define": "{nearby(t): adjacent(t), safe: [1..4, 6]}"}, "`(1..4, 6)`"),
        ({"state": "\n  n: number = None"}, "always has a value"),
        ({"options": "{deep: {default: 4, in: [4, 5]}}"}, '`in: "4, 5"`'),
        ({"hands": "{size: 3}"}, "`hands: {Man: 3}`"),
        ({"pieces": "Man, nine King each"}, "by a table, as in `hands: {Stone: 3}`"),
        ({"pieces": "{King: {count: 5, stackable: true}}"}, "is a name alone: `pieces: King`"),
        ({"board": "three concentric squares"}, "{points: …, lines: …}"),
        ({"board": "graph(15, 2)"}, "any other graph"),
        ({"near(s)": "adjacent(s)"}, "an entry of `define`"),
        ({"tiles": "Land, Sea"}, "listed under `pieces`"),
        ({"stuck": "next player"}, "Write `passes`."),
        ({"define": "{nearby(t): {expr: adjacent(t)}}"}, "`nearby(t): adjacent(t)`"),
        ({"end": "nobody wins after 100 turns"}, "`draw when turns >= 100`"),
        ({"end": "draw when no capture in 50 turns"}, "`draw when quiet >= 50`"),
        ({"end": "draw when full unless some own"}, "`draw when full and not (some own)`"),
        ({"pieces": "\n  - one Man\n  - two King"}, "`pieces: Man, King`"),
        ({"options": "{size: {default: 3, values: 2}}"}, "`in: 3..9`"),
        ({"players": "{count: 2, names: [White, Black]}"}, "`players: White, Black`"),
        ({"state": "\n  n: 2..6\n  die: number"}, "Write `number in 2..6 = 2`."),
        ({"state": "\n  n: number(players)"}, "`NAME(players): number`"),
        ({"state": "{n(pieces): number}"}, "`worth(kinds): number`"),
        ({"state": "{n: {per: player, type: number, initial: 4}}"}, "`n(players): number = 4`"),
        ({"turn": "{choose: {from: own}}"}, "below `turn: |`"),
        ({"board": "{points: [a, b], lines: [a b]}"}, "`points: {a: 0 0, b: 1 0, …}`"),
        ({"define": "{nearby(t): {x for x in own if x = t}}"}, "`sites x in own where x = t`"),
        ({"setup": "|\n  place White Man at a3\n  choose t in empty"}, "each: `White Man: a3`."),
        (
            {"turn": None, "phases": "{one: {turn: choose s in empty, simultaneous: yes}}"},
            "under `together`",
        ),
        ({"end": "first to 3 wins"}, "`state: {score(players): number}`"),
        ({"end": "first player to reach 20 points"}, "score(mover) >= 20`"),
        ({"end": "same as before"}, "leave this out"),
        ({"hidden": "kinds"}, "under `sees`"),
        ({"options": "{deep: [true, false]}"}, "`deep: no`"),
        ({"options": "{size: [3, 5]}"}, '`size: {default: 3, in: "3, 5"}`'),
        ({"variants": "{big: size = 8}"}, "`big: {options: {size: 8}}`"),
        ({"setup": "{White Man: place 3 in top}"}, "`hands: {Man: 3}`"),
        ({"turn": "\n  simultaneous: choose s of own"}, "under `together`"),
        ({"examples": "\n  - {moves: a1}"}, "its `play`"),
        ({"examples": "\n  - {state: {n: {a1: 2, b1: 3}}}"}, "its name: `n(a1): 2`"),
        ({"examples": "\n  - after: a1, b2\n    illegal: a1"}, "stand under `play: a1, b2`"),
        ({"examples": "\n  - {play: a1, result: draw}"}, "`winner: SIDE`"),
        ({"examples": "\n  - {play: a1, wins: White}"}, "(or `draw`; `nobody`: it goes on)"),
        ({"examples": "\n  - {position: a1, count: 3}"}, "drawn as `rows`"),
        ({"end": "three in a row"}, "`mover wins when in_a_row(own, 3)`"),
        ({"end": "\n  White: connect top to bottom"}, "`White wins when joined(top, bottom, adj"),
        ({"stuck": "enemy may move"}, "Write `passes`."),
        ({"turn": "\n  if n = 1:\n    choose s in empty"}, "no heading has a colon"),
        ({"turn": "place Man at empty; if n = 1 again"}, "`if` begins a line of its own"),
        ({"state": "{n: number, die(side): number}"}, "`score(players): number`"),
        ({"game": None, "name": "Guesses"}, "Did you mean `game`?"),
        ({"pieces": "{King: , Man: 6}"}, "`hands: {Man: 6}`"),
        ({"pieces": "{King: , Man: White}"}, "`White Man`"),
        ({"stacks": "yes"}, "`stacks: 12`"),
        ({"stacks": "true"}, "`stacks: 12`"),
        ({"swap": "true"}, "`swap: turns = 1`"),
        ({"turn": "\n  - choose s in empty\n  - place Man at s"}, "Write `|` behind `turn:`"),
        ({"dice": "1"}, "`seat: nobody`"),
        ({"neutral": "Block"}, "as `neutral Block`"),
        ({"start": "White"}, "The first of `players` begins"),
        ({"start": "|\n  ....."}, "entry `rows`"),
        ({"winner": "mover"}, "under `end`"),
        ({"over": "full"}, "under `end`"),
        ({"win": "full"}, "under `end`"),
        ({"win": "mover wins when full"}, "Did you mean `end`?"),
        ({"moves": "{King: compass}"}, "an entry of `define`"),
        ({"goals": "a1"}, "`regions: {goals: …}`"),
        ({"forbid": "s in own"}, "by `require C`"),
        ({"pass": "yes"}, "is `pass`"),
        ({"players": "2..4"}, "`players: White, Black`"),
        ({"players": "2 to 4 players"}, "`players: White, Black`"),
        ({"state": "\n  score[player]: number\n  die: number"}, "Write `score(players)`."),
        ({"board": None}, "`board: square(1, 1)`"),
        ({"board": "{type: square, size: 3x4}"}, "`board: square(3, 4)`"),
        ({"board": "{shape: hexagon, size: 4}"}, "`board: hex hexagon(4)`"),
        ({"board": "{width: 4, height: 3}"}, "`board: square(4, 3)`"),
        ({"board": "{kind: torus}"}, "as in `board: square(8, 8)`"),
        ({"setup": "{White: {Man: a1, b1, King: c1}}"}, "`White Man: a1 | b1`, `White King: c1`"),
        ({"pieces": "{King: , Man: 4 each}"}, "`hands: {Man: 4}`"),
        ({"pieces": "{King: {White: k, Black: K}}"}, "from `display`"),
        ({"end": "White wins when own in row 4"}, "some own & rows(4)"),
        ({"end": "White wins when White in row 4"}, "some White & rows(4)"),
        ({"end": "mover wins when own Man in row 4"}, "some own & Man & rows(4)"),
        ({"dice": "d6"}, "go to roll"),
        ({"turn": "place Man at any empty"}, "choose s in empty"),
        (
            {"state": "{seeds: number per site = 4}", "end": "highest seeds wins when full"},
            "sum s in",
        ),
        ({"state": "{heap(3): number}"}, "heap(1..3)"),
        ({"setup": "|\n    . . O\n    . X .\n    O . ."}, "rows: |"),
        (
            {
                "phases": "{a: {turn: choose s in empty; next phase when n = 0}, b: {turn: pass}}",
                "turn": None,
            },
            "go to",
        ),
        ({"variants": "{fast: {size: 3}}", "options": "{size: 4 in 3..5}"}, "options: {size: 3}"),
        ({"end": "mover wins when own Man in top or bottom"}, "top | bottom"),
        ({"end": "loser is mover when no enemy"}, "mover loses when no enemy"),
        ({"forbid": "repetition of position"}, "seen(board)"),
        ({"ko": "positional superko"}, "seen(board)"),
        ({"regions": "{north camp: a1}"}, "north_camp"),
        ({"end": "mover wins when enemy has no moves"}, "stuck"),
        ({"board": "square(9, 9, torus)"}, "wrapping"),
        (
            {
                "turn": None,
                "phases": "\n  a:\n    turn:\n      choose s in own\n      if s in all: remove s",
            },
            "|",
        ),
        ({"define": "{born: {s in empty | n(s) = 3}}"}, "sites s in empty where"),
        ({"swap": "if n = 1 and turns = 1"}, "swap: n = 1"),
        ({"setup": "{Black: rows(1)}"}, "Black Man"),
        ({"setup": "{a1-e1: White Man}"}, "rows(1)"),
        ({"options": "\n  size: 4 in [3, 4, 5, 6]"}, "4 in 3, 4, 5, 6"),
        ({"state": "\n  heap(1..3): number = [3, 5, 7]\n  n: number\n  die: number"}, "first(i)"),
        ({"board": "ring(24)"}, "wrapping columns"),
        ({"board": "track of 12 points"}, "square(12, 1)"),
        ({"board": "mancala(6, 2) with stores"}, "square(6, 2)"),
        ({"board": "square(8, 8) dark squares only"}, "without light"),
        ({"board": "square(9, 9) with walls on edges"}, "cells and edges of"),
        ({"hands": "{Card: 3}"}, "pieces: Card"),
        ({"timeout": "100 turns"}, "turns >= 100"),
        ({"turn": None, "phases": "{a: {turn: pass, until: n = 1}, b: {turn: pass}}"}, "go to"),
        ({"end": "White reaches top"}, "some White & top"),
        ({"end": "mover wins when any Man of mover is in top"}, "some own & Man & top"),
        ({"end": "mover wins when own Man touches top"}, "some own & Man & top"),
        ({"end": "mover wins when King at edge"}, "some King & border"),
        ({"end": "mover wins when no Mans left"}, "no Man"),
        ({"end": "mover wins when no enemy Mans left"}, "no enemy & Man"),
        ({"end": "mover wins when |own| > 3"}, "count own"),
        ({"end": "the player with more pieces wins when full"}, "highest count(own)"),
        ({"end": "last player wins"}, "stuck"),
        ({"swap": "if turns = 1"}, "swap: turns = 1"),
        (
            {
                "turn": None,
                "phases": "{a: {turn: choose s in empty; next phase when n = 0}, b: {turn: pass}}",
            },
            "go to",
        ),
        (
            {"players": "Ann, Bob, Cem, Dee", "setup": None, "teams": "Ann+Cem vs Bob+Dee"},
            "`Ann and Cem, Bob and Dee`",
        ),
    ],
)
def test_a_section_is_told_by_the_construct_that_says_it(
    changes: dict[str, str | None], hint: str
) -> None:
    assert hint in hint_of(changes)


@pytest.mark.parametrize(
    ("changes", "written", "hint"),
    [
        ({"hands": "{Man: 4}"}, "place Man at s from hand", "place Man from hand at s"),
        ({"hands": "{Man: 4}"}, "choose c in hand(mover)", "choose c in kinds where"),
    ],
)
def test_a_line_is_told_by_what_other_sections_say(
    changes: dict[str, str | None], written: str, hint: str
) -> None:
    assert hint in hint_of(changes, written)


def test_a_word_of_the_file_that_is_spelled_alike_is_meant_rather_than_a_guess() -> None:
    assert hint_of({"regions": "{goals: top}"}, "require s in goal") == "Did you mean `goals`?"


def test_a_game_that_changes_another_one_is_told_where_its_options_are() -> None:
    source = Source("game.yaml", "game: Other\nextends: hex\nstart: ../..\n")
    with pytest.raises(GameError) as error:
        load_source(source, {})
    (one,) = error.value.diagnostics
    assert "under `options`" in one.hint and "under `setup`" in one.hint


def test_kinds_that_are_listed_by_side_are_told_with_the_side_before_them() -> None:
    hints = {one.hint for one in found({"pieces": "{White: Man, Black: King}"})}
    assert hints == {
        "A side stands before a kind that only it has: `pieces: White Man, Black King`."
    }


SIDES = "\n  White: |\n    choose s in top\n  Black: |\n    choose s in bottom"


@pytest.mark.parametrize(
    ("changes", "is_told"),
    [
        ({"turn": SIDES}, True),
        ({"turn": None, "phases": SIDES}, True),
        ({"turn": SIDES.replace("White", "Up").replace("Black", "Down")}, False),
        ({"variants": "\n  other:\n    turn:" + SIDES.replace("\n", "\n    ")}, True),
        ({"turn": SIDES.replace("s in", "s in mover & ")}, False),
        ({"turn": None, "phases": f"{SIDES}\n    go to White"}, False),
    ],
)
def test_parts_that_are_named_like_sides_are_told(
    changes: dict[str, str | None], is_told: bool
) -> None:
    game = load_source(Source("game.yaml", text(changes)), {})
    assert ("named-like-sides" in [one.code for one in game.warnings]) == is_told


@pytest.mark.parametrize(
    ("changes", "steps", "wrong"),
    [
        ({}, "choose u from empty", "from"),
        ({"stuck": "lose"}, "", "lose"),
    ],
)
def test_one_wrong_word_is_told_at_its_place_rather_than_at_the_end(
    changes: Mapping[str, str], steps: str, wrong: str
) -> None:
    one = found(changes, steps)[0]
    assert one.span is not None
    assert (one.span.text, one.message) == (wrong, f"`{wrong}` can't stand here.")


def test_what_is_missing_at_the_end_is_told_at_the_end() -> None:
    one = found({}, "choose u in")[0]
    assert one.message == "The text ends here too early."


def test_sides_that_cannot_be_read_are_the_one_mistake_of_what_names_them() -> None:
    changes = {
        "players": "2",
        "pieces": "White Man, King",
        "setup": "{White Man: a1, Black King: b2}",
        "define": "{goal: {White: top, Black: bottom}, nearby(t): diagonal(t)}",
        "end": "White wins when some own & goal(own)",
    }
    assert "The sides have names" in hint_of(changes)


def test_a_board_in_brackets_is_told_as_one_text() -> None:
    assert hint_of({"board": "[square(3,3)]"}) == "The board is one text: `board: square(3,3)`."


def test_phases_are_listed_where_another_one_is_gone_to() -> None:
    phases = "{lay: {turn: 'pass; go to battle'}, war: {turn: pass}}"
    changes = {"phases": phases, "turn": None}
    lines = (f"{key}: {value}\n" for key, value in {**SECTIONS, **changes}.items() if value)
    with pytest.raises(GameError) as raised:
        load_source(Source("game.yaml", "game: Guesses\n" + "".join(lines)), {})
    assert "The phases are: `lay`, `war`." in {one.hint for one in raised.value.diagnostics}


def test_a_parenthesis_that_a_line_above_opens_is_told_by_its_line() -> None:
    steps = "choose t in diagonal(diagonal(s) - own\nflip t"
    assert "A parenthesis of line 11 is not closed." in {one.hint for one in found({}, steps)}
    assert hint_of({}, "flip (s").startswith("A closing parenthesis is missing.")
