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
    "define": "{begun: 3}",
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


def test_what_looks_like_a_site_is_answered_by_the_sites_of_its_row() -> None:
    (diagnostic,) = found({"board": "hex hexagon(3)"}, f"{TURN}  require a1 in own\n")
    assert diagnostic.hint == "Row 1 of the board goes from c1 to e1."
    (diagnostic,) = found({}, f"  let spot1 = top\n{TURN}  require spot2 in own\n")
    assert diagnostic.hint == "Did you mean `spot1`?"


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
        ("remove adjacent(s) & opponent", None),
        ("place Wall at s", None),
    ],
)
def test_only_what_is_surely_meant_is_put_in_place(line: str, text: str | None) -> None:
    (diagnostic,) = found({}, f"{TURN}  {line}\n")
    assert diagnostic.hint.startswith("Did you mean")
    assert (None if diagnostic.fix is None else diagnostic.fix.text) == text
