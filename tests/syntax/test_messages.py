"""What is said about typical slips: the way out that a writer needs, where he needs it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gdl.diagnostic import Diagnostic, GameError, Source
from gdl.load import load_source

SECTIONS = {
    "players": "Red, Blue",
    "board": "square(3, 3)",
    "pieces": "Man, King",
    "options": "{pie: no, size: 3 in 2..5}",
    "state": "{n: number, k(players): number}",
    "define": "{begun: 3, nearby(t): diagonal(t)}",
    "end": "draw when full",
}
TURN = "  choose s in empty\n  place Man at s\n"


def found(
    changes: Mapping[str, str], turn: str = TURN, options: Mapping[str, str] | None = None
) -> list[Diagnostic]:
    """Return the errors of a game with some sections changed."""
    sections = "".join(f"{key}: {text}\n" for key, text in {**SECTIONS, **changes}.items())
    source = Source("game.yaml", f"game: Slips\n{sections}turn: |\n{turn}")
    try:
        load_source(source, dict(options or {}))
    except GameError as error:
        return [one for one in error.diagnostics if one.severity == "error"]
    return []


def test_without_a_slip_nothing_is_said() -> None:
    assert found({}) == []


@pytest.mark.parametrize(
    ("line", "place", "hint"),
    [
        ("n = n + 1", "n", "`set n = n + 1`"),
        ("k(Red) = 2", "k", "`set k(Red) = 2`"),
        ("require n == 4", "=", "Equality is one `=`"),
        ("require 1 < n < 3", "<", "`require 1 < n and n < 3`"),
        ("if n = 1 then", "then", "has no `then`"),
        ("do next_one()", ")", "leave `()` out"),
        ("choice as walk", "choice", "`either as NAME`"),
        ("else as burn", "else", "`or as NAME`"),
        ("elif n = 1", "elif", "Did you mean `else if`?"),
        ("  require n = 1", "require", "This line is deeper"),
        ("require count(d in orthogonal where some d(s)) > 1", "where", "`(count x in S where …)`"),
        ("choose t in empty unordered with s where t != s", "where", "before `unordered with`"),
        ("require some row(3)", "3", "`rows(3)`"),
        ("require some north & south", "north & south", "apply it"),
        ("require adjacent = touching", "adjacent = touching", "`a(s) = b(s)`"),
        ("require g7 in own", "g7", "a1, b1, c1 and so on"),
        ("set k(players) = 0", "k(players)", "`for each` goes through a list"),
    ],
)
def test_a_slip_in_a_turn(line: str, place: str, hint: str) -> None:
    (diagnostic,) = found({}, f"{TURN}  {line}\n")
    assert diagnostic.span is not None
    assert (diagnostic.span.text, diagnostic.span.line) == (place, 12), diagnostic.to_text()
    assert hint in diagnostic.hint


def test_what_looks_like_a_site_is_answered_by_the_sites_of_its_row_or_column() -> None:
    (diagnostic,) = found({"board": "hex hexagon(3)"}, f"{TURN}  require a1 in own\n")
    assert diagnostic.hint == "Row 1 of the board goes from c1 to e1."
    sides = {"players": "A, B", "board": "square(3, 3) without b9"}
    diagnostic = found(sides)[0]
    assert diagnostic.hint == "Column b of the board goes from b1 to b3."
    (diagnostic,) = found({}, f"  let spot1 = top\n{TURN}  require spot2 in own\n")
    assert diagnostic.hint == "Did you mean `spot1`?"


@pytest.mark.parametrize(
    ("end", "hint"),
    [
        ("draw when n >= 2 size", "A product has its sign: `2 * size`."),
        ("draw when n = = 2", "Equality is one `=`."),
        ("draw when n > = 2", "`>=` is written without a blank."),
    ],
)
def test_a_slip_in_an_end(end: str, hint: str) -> None:
    (diagnostic,) = found({"end": end})
    assert diagnostic.hint == hint


def test_a_word_for_a_family_of_directions_is_no_variable() -> None:
    (diagnostic,) = found({}, f"{TURN}  let h = orthogonal\n  set h = diagonal\n")
    assert "`h` is a relation" in diagnostic.message and "Did you mean" not in diagnostic.hint


@pytest.mark.parametrize(
    ("section", "text", "hint"),
    [
        ("state", "{n: number = m, k(players): number, m: number}", "known before play"),
        ("board", "square(3, k)", "known before play"),
        ("end", "highest shared count(own) wins when full", "A clause reads"),
        ("end", "mover win when full", "Did you mean `wins`?"),
        ("end", "draw if full", "Did you mean `when`?"),
        ("options", "{pie: no, goal: rows in rows, corners}", "a comma ends a value"),
    ],
)
def test_a_slip_in_a_section(section: str, text: str, hint: str) -> None:
    (diagnostic,) = found({section: text})
    assert hint in diagnostic.hint, diagnostic.to_text()


@pytest.mark.parametrize(("name", "hint"), [("pie", "yes, no"), ("size", "2..5")])
def test_what_an_option_can_be_is_told(name: str, hint: str) -> None:
    (diagnostic,) = found({}, options={name: "maybe"})
    assert f"It can be: {hint}." in diagnostic.hint


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("require some adjacnet(s)", "adjacent"),
        ("place Kingg at s", "King"),
        ("remove adjacent(s) & opponent", "enemy"),
        ("require some emptyy & top", "empty"),
        ("set n = enny", None),
    ],
)
def test_only_what_is_surely_meant_is_put_in_place(line: str, text: str | None) -> None:
    (diagnostic,) = found({}, f"{TURN}  {line}\n")
    assert diagnostic.hint.startswith("Did you mean")
    assert (None if diagnostic.edit is None else diagnostic.edit.replacement) == text


def program(text: str) -> str:
    """Return a turn that goes on with the lines of a text."""
    return TURN + "".join(f"  {line}\n" for line in text.split("\n"))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("n += 1", "add 1 to n"),
        ("n++", "add 1 to n"),
        ("n -= 1", "add -1 to n"),
        ("n -= k(Red)", "set n = n - k(Red)"),
        ("n *= 2", "set n = n * 2"),
        ("n = 1", "set n = 1"),
        ("n = n + 1;", "set n = n + 1"),
        ("k[mover] += 1", "add 1 to k(mover)"),
        ("k(mover) = 2", "set k(mover) = 2"),
        ("set n to 3", "set n = 3"),
        ("set n := 3", "set n = 3"),
        ("increment n", "add 1 to n"),
        ("subtract k(Red) from n", "set n = n - k(Red)"),
        ("let m be 3", "let m = 3"),
        ("var m = 3", "let m = 3"),
        ("move s -> a1", "move s to a1"),
        ("move s a1", "move s to a1"),
        ("move from s to a1", "move s to a1"),
        ("move s north", "move s to north(s)"),
        ("move s to north of s", "move s to north(s)"),
        ("slide s to a1", "move s to a1"),
        ("remove all enemy", "remove enemy"),
        ("remove Man at s", "remove s"),
        ("capture s", "remove s"),
        ("flip s to Red", "change s to Red"),
        ("change s into King", "change s to King"),
        ("promote s to King", "change s to King"),
        ("place Man on s", "place Man at s"),
        ("place Red's Man at s", "place Red Man at s"),
        ("place s Man", "place Man at s"),
        ("place Man at a1, a2", "place Man at a1 | a2"),
        ("put a Man on s", "place Man at s"),
        ("for x in own\n  remove x", "for each x in own"),
        ("foreach x in own\n  remove x", "for each x in own"),
        ("for each x of own:\n  remove x", "for each x in own"),
        ("for x = 1 to 3\n  add 1 to n", "for each x in 1..3"),
        ("for x in range(3)\n  add x to n", "for each x in 0..2"),
        ("repeat 3\n  add 1 to n", "repeat 3 times"),
        ("while n < 3:\n  add 1 to n", "repeat while n < 3"),
        ("while True\n  add 1 to n", "repeat while yes"),
        ("if n = 1:\n  add 1 to n", "if n = 1"),
        ("if n = 1 then add 1 to n", "if n = 1 add 1 to n"),
        ("if n = 1: add 1 to n", "if n = 1 add 1 to n"),
        ("maybe\n  remove s", "optionally"),
        ("remove s if n = 1", "if n = 1 remove s"),
        ("again when n = 1", "if n = 1 again"),
        ("remove s unless n = 1", "if not (n = 1) remove s"),
        ("if n <> 1 again", "if n != 1 again"),
        ("if n is not 1 again", "if n != 1 again"),
        ("if n => 1 again", "if n >= 1 again"),
        ("if some own && n = 1 again", "if some own and n = 1 again"),
        ("if some own || n == 1 again", "if some own or n = 1 again"),
        ("if !(n = 1) again", "if not (n = 1) again"),
        ("if s not in own again", "if not s in own again"),
        ("if kind of s = King again", "if kind(s) = King again"),
        ("if owner of s = mover again", "if owner(s) = mover again"),
        ("if s is empty again", "if s in empty again"),
        ("if n >= 1 and <= 3 again", "if n >= 1 and n <= 3 again"),
        ("if n in 1..3 again", "if 1 <= n and n <= 3 again"),
        ("if every x in own is in top again", "if every x in own has x in top again"),
        ("if some x in own: x in top again", "if some x in own where x in top again"),
        ("set n = n % 2", "set n = n mod 2"),
        ("set n = n // 2", "set n = n div 2"),
        ("set n = n ** 2", "set n = n ^ 2"),
        ("set n = s.row", "set n = row(s)"),
        ("set n = number of own", "set n = count own"),
        ("set n = 1 if n > 2 else 2", "set n = if n > 2 then 1 else 2"),
        ("set n = n > 2 ? 1 : 2", "set n = if n > 2 then 1 else 2"),
        ("set n = sum(row(x) for x in own)", "set n = (sum x in own of row(x))"),
        ("choose t in own and corners", "choose t in own & corners"),
        ("choose t in own or corners", "choose t in own | corners"),
        ("choose t in not own", "choose t in all - own"),
        ("choose t in own and not corners", "choose t in own - corners"),
        ("choose t in all - own and corners", "choose t in (all - own) & corners"),
        ("choose t in own and enemy", "choose t in own | enemy"),
        ("choose t in a1 and a2", "choose t in a1 | a2"),
        ("choose t in own except corners", "choose t in own - corners"),
        ("choose t in {a1, a2}", "choose t in (a1 | a2)"),
        ("choose t in own if t in top", "choose t in own where t in top"),
        ("choose t from own", "choose t in own"),
        ("choose m in 1 to 3", "choose m in 1..3"),
        ("choose t in adjacent to s", "choose t in adjacent(s)"),
        ("choose t in empty squares", "choose t in empty"),
        ("choose t in row 3", "choose t in rows(3)"),
        ("require that n = 1", "require n = 1"),
        ("assert n = 1", "require n = 1"),
        ("remove s and flip a1", "remove s; flip a1"),
        ("remove s;", "remove s"),
        ('remove "s"', "remove s"),
        ("skip", "pass"),
        ("remove s // the piece", "remove s # the piece"),
        ("if count own ≥ 3 again", "if count own >= 3 again"),
        ("if at least 3 own again", "if count own >= 3 again"),
        ("if own has King again", "if some own & King again"),
        ("for each direction d:\n  remove d(s)", "for each d in compass"),
        ("if north(north(s)) is enemy again", "if north(north(s)) in enemy again"),
        ("if north(s) is not empty again", "if not north(s) in empty again"),
        ("if adjacent(s) is empty again", "if adjacent(s) in empty again"),
        ("if nearby(s) is not empty again", "if some nearby(s) again"),
        ("if nearby(north(s)) is empty again", "if no nearby(north(s)) again"),
        ("if own is empty again", "if no own again"),
        ("if enemy is not empty again", "if some enemy again"),
        ("if any own in top again", "if some own & top again"),
        ("remove north(s), north(north(s))", "remove north(s) | north(north(s))"),
    ],
)
def test_a_line_is_told_as_it_is_meant_and_can_be_read_then(written: str, meant: str) -> None:
    (diagnostic,) = found({}, program(written))
    assert f"`{meant}`" in diagnostic.hint, diagnostic.to_text()
    _, *block = written.split("\n")
    assert found({}, program("\n".join([meant, *block]))) == []


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("swap s and a1", "two pieces change places by"),
        ("remove own and corners", "`own | corners` has the sites of either"),
        ("repeat until n = 3\n  add 1 to n", "`until n = 3` below it"),
        ("choose own", "Write `choose s in own`."),
        ("choose mine", "What is chosen has a name"),
        ("choose t, u in own", "`choose 2 x in own`"),
        ("either remove s or remove a1", "lines of their own"),
        ("if n = 1 then pass else again", "in the line below `else again`"),
        ("mover wins", "under `end`"),
        ("return", "leave this out"),
        ("end if", "nothing closes it"),
        ("go_on(s)", "`do go_on(s)`"),
        ("move s", "move A to B"),
        ("place a Man at s", "`a` are left out"),
        ("if n = one again", "`1`"),
        ("if n = true again", "Did you mean `yes`?"),
        ("set n = len(own)", "`count S`"),
        ("if empty(s) again", "`s in empty`"),
        ("remove (a1, a2)", "`(a1 | a2)`"),
        ("require some (own and not corners)", "`own - corners`"),
        ("require some (own and enemy)", "`own | enemy`"),
        ("require not own", "`all - own`"),
        ("place Wall at s", "`pieces: Man, King, Wall`"),
    ],
)
def test_what_is_meant_is_said_where_one_line_does_not_do(written: str, hint: str) -> None:
    (diagnostic,) = found({}, program(written))
    assert hint in diagnostic.hint, diagnostic.to_text()


@pytest.mark.parametrize(
    ("section", "written", "meant"),
    [
        ("board", "square 3x3", "square(3, 3)"),
        ("board", "square(3x3)", "square(3, 3)"),
        ("board", "square(3)", "square(3, 3)"),
        ("board", "square 3", "square(3, 3)"),
        ("board", "3 by 3", "square(3, 3)"),
        ("board", "grid(3, 3)", "square(3, 3)"),
        ("board", "hex 3", "hex hexagon(3)"),
        ("board", "hexagon(3)", "hex hexagon(3)"),
        ("board", "square 3x3 wrapping columns", "square(3, 3) wrapping columns"),
        ("board", "square(3, 3) except corners", "square(3, 3) without corners"),
        ("board", "torus(3, 3)", "square(3, 3) wrapping columns and rows"),
        ("stuck", "loose", "loses"),
        ("stuck", "lose", "loses"),
        ("stuck", "win", "wins"),
        ("stuck", "pass", "passes"),
        ("stuck", "tie", "draw"),
        ("end", "win when full", "mover wins when full"),
        ("end", "Red won when full", "Red wins when full"),
        ("end", "if full then Red wins", "Red wins when full"),
        ("end", "Red wins unless full", "Red wins when not (full)"),
        ("end", "the winner is Red when full", "Red wins when full"),
        ("end", "draws when full", "draw when full"),
        ("end", "draw if the board is full", "draw when full"),
        ("end", "Red wins when no Blue Man", "Red wins when no Blue & Man"),
        ("players", "[Red, Blue]", "Red, Blue"),
        ("setup", "{Red Man: [a1, a2]}", "a1 | a2"),
        ("end", "mover wins when 3 in a row", "mover wins when in_a_row(own, 3)"),
        ("end", "mover wins when own reaches top", "mover wins when some own & top"),
        ("end", "Red and Blue win when full", "Red, Blue wins when full"),
        ("define", "{good: the own}", "own"),
        ("define", "{good: sites s in own with full}", "sites s in own where full"),
        ("define", "{good: sites s in own & top}", "own & top"),
        ("define", "{good: own & (sites s in top | a2)}", "own & (top | a2)"),
        ("end", "draw when count(sites s in own) > 3", "draw when count(own) > 3"),
        ("end", "draw when some s in own", "draw when some own"),
        ("define", "{good: own if full else enemy}", "if full then own else enemy"),
        ("options", "{size: 3 from 2 to 5}", "3 in 2..5"),
        ("options", "{size: int = 3}", "3"),
        ("setup", "{Red Man: a1 a2}", "a1 | a2"),
        ("setup", "{Red Man: row 1}", "rows(1)"),
        ("setup", "{Red Man: (a1, a2)}", "(a1 | a2)"),
        ("setup", "{Red Man: a1 and a2}", "a1 | a2"),
        ("state", "{n: 1}", "number = 1"),
        ("state", "{n: 1 in 0..9}", "number in 0..9 = 1"),
        ("state", "{n: in 0..9 = 1}", "number in 0..9 = 1"),
        ("state", "{n: number = 1 in 0..9}", "number in 0..9 = 1"),
        ("state", "{n: number from 0 to 9}", "number in 0..9"),
        ("state", "{n: int}", "number"),
        ("state", "{n: bool = false}", "flag = no"),
        ("state", "{n: true}", "flag = yes"),
        ("state", "{n: player}", "side"),
        ("state", "{n: Red}", "side = Red"),
    ],
)
def test_a_section_is_told_as_it_is_meant_and_can_be_read_then(
    section: str, written: str, meant: str
) -> None:
    (diagnostic,) = found({section: written})
    assert f"`{meant}`" in diagnostic.hint, diagnostic.to_text()
    key = written.partition(":")[0] + ": " if written.startswith("{") else ""
    assert found({section: f"{key}{meant}{'}' if key else ''}"}) == []


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("move s to ahead(s)", "`ahead(mover)(s)`"),
        ("move s to ahead(mover)", "`ahead(mover)(s)`"),
        ("move s to ahead(mover, s)", "`ahead(mover)(s)`"),
        ("choose t in ahead(s)", "apply it"),
        ("choose t in onward(s)", "`onward(mover)(s)`"),
        ("choose t in home & empty", "`home(mover)`"),
    ],
)
def test_what_differs_by_side_is_asked_for_with_the_side(line: str, hint: str) -> None:
    words = """
  begun: 3
  ahead: {Red: north, Blue: south}
  home: {Red: top, Blue: bottom}
  onward(Red): north
  onward(Blue): south"""
    (diagnostic,) = found({"define": words}, program(line))
    assert hint in diagnostic.hint, diagnostic.to_text()


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"state": "{taken: name in (nothing, pawn)}"}, "nothing"),
        ({"state": "{taken: name in (pawn, own, when)}"}, "when"),
        ({"options": "{goal: 'highest in highest, lines'}"}, "highest"),
        ({"pieces": "{Man: {size: (small, then)}}"}, "then"),
        ({"state": "{n(p in players, of in kinds): number}"}, "of"),
        ({"actions": "{work(where): pass}"}, "where"),
        ({"pieces": "Man, swap"}, "swap"),
    ],
)
def test_a_reserved_word_is_told_as_such_wherever_a_name_is_declared(
    changes: dict[str, str], word: str
) -> None:
    one, *_ = found(changes)
    assert one.span.text == word
    assert one.hint.startswith(f"`{word}` is a word of the language and can't be a name here")


def test_a_game_that_is_surely_meant_is_put_in_place_of_what_is_extended() -> None:
    source = Source("game.yaml", "game: Other\nextends: tic-tac-to\n")
    with pytest.raises(GameError) as caught:
        load_source(source, {})
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.edit is not None
    assert (diagnostic.edit.span.text, diagnostic.edit.replacement) == ("tic-tac-to", "tic-tac-toe")


@pytest.mark.parametrize(
    ("pieces", "line", "meant"),
    [
        ("Man, Red King", "place King at s", "Red King"),
        ("Man, Red King", "place Blue King at s", None),
    ],
)
def test_whose_piece_it_is_is_told_where_a_side_has_no_such(
    pieces: str, line: str, meant: str | None
) -> None:
    changes = {"players": "Red, Blue, White", "pieces": pieces}
    one, *_ = found(changes, f"{TURN}  {line}\n")
    assert one.code == "no-such-piece"
    assert ("if mover = Red" in one.hint) == ("Blue King at" not in line)
    assert (None if one.edit is None else one.edit.replacement) == meant


@pytest.mark.parametrize(
    ("domain", "hint"),
    [
        ("adjacent", "orthogonal | (diagonal within dark)"),
        ("adjacent into empty", "a list of relations that each lead one way"),
        ("(if n = 1 then diagonal else north)", "It depends on the position"),
    ],
)
def test_what_can_be_run_over_is_told(domain: str, hint: str) -> None:
    (one,) = found({}, f"{TURN}  require some d in {domain} where some d(s)\n")
    assert one.code == "wrong-type" and hint in one.hint


def test_what_stands_nowhere_at_first_has_no_entry() -> None:
    (diagnostic,) = found({"setup": "{Man: none}"})
    assert diagnostic.hint.endswith("Of what stands nowhere at first, `setup` has no entry.")
