"""Parts of rules that were made of one another, and differ too little, or in one thing too much."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.interpreter.check import check_game

GAME = """\
game: Small
players: Black, White
board: square(5, 5)
stuck: draw
end: draw when full
"""
PLACING = GAME + "turn: |\n  choose s in empty\n  place Stone at s\n"
WALLS = """\
state: {above: sites, beside: sites}
define:
  walk: REPLACED
turn: |
  choose s in empty
  place Stone at s
  choose d in (north, east)
  if d = north add s to above
  else add walk(s) to beside
"""


def told_at(folder: Path, text: str, code: str) -> list[str]:
    """Return the places at which a code is told of a text."""
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    found = [one.diagnostic for one in check_game(str(path))]
    assert not [one for one in found if one.severity == "error"], found
    return [one.span.text for one in found if one.code == code and one.span is not None]


@pytest.mark.parametrize(
    ("before", "after", "is_told"),
    [
        ("add s to lower", "add s to lower", True),
        ("add s to lower", "add north(s) to lower", False),
        ("add s to upper", "add s to lower", False),
    ],
)
def test_branches_that_do_the_same(tmp_path: Path, before: str, after: str, is_told: bool) -> None:
    text = f"""\
{GAME}state: {{lower: sites, upper: sites}}
turn: |
  choose s in empty - lower - upper
  place Stone at s
  if s in top
    add south(s) to upper
  else if s in bottom
    {before}
  else
    {after}
"""
    assert told_at(tmp_path, text, "same-branches") == ([after] if is_told else [])


@pytest.mark.parametrize(
    ("lists", "is_told"),
    [
        (("Man, King", "King, Ox", "Ox, Elk", "Elk, Man"), False),
        (("Man, King", "King, Ox", "Ox, Elk", "Elk, King"), True),
        (("Man, King", "King, Ox", "Ox, King", "King, Man"), False),
        (("Man, King", "King, Ox, Elk", "Ox, Elk", "Elk, King"), False),
    ],
)
def test_a_name_too_often_in_alternatives(
    tmp_path: Path, lists: tuple[str, ...], is_told: bool
) -> None:
    ways = " or ".join(
        f"(d = {d} and k in ({names}))"
        for d, names in zip(("north", "south", "east", "west"), lists, strict=True)
    )
    text = f"""\
{GAME}pieces: Man, King, Ox, Elk
define:
  opens(kind k, direction d): {ways}
turn: |
  choose k in (Man, King, Ox, Elk)
  choose s in empty where some d in orthogonal where opens(k, d) and no d(s) & occupied
  place k at s
"""
    assert told_at(tmp_path, text, "number-twice") == ([ways] if is_told else [])


@pytest.mark.parametrize(
    ("last", "is_told"),
    [
        ("west into (all - beside)", False),
        ("west from (all - beside)", True),
        ("west from (all - above)", False),
    ],
)
def test_a_way_that_does_not_lead_back(tmp_path: Path, last: str, is_told: bool) -> None:
    ways = "(north from (all - above)) | (south into (all - above)) | (east from (all - beside))"
    text = GAME + WALLS.replace("REPLACED", f"{ways} | ({last})")
    assert told_at(tmp_path, text, "missing-direction") == ([last] if is_told else [])


@pytest.mark.parametrize(
    ("sites", "place"),
    [
        ("site(column(s), row(k)) | site(row(s), column(k))", "site(row(s), column(k))"),
        ("site(column(s), row(k)) | site(column(k), row(s))", ""),
        ("s | site(row(s), column(s))", ""),
    ],
)
def test_a_row_in_the_place_of_a_column(tmp_path: Path, sites: str, place: str) -> None:
    text = PLACING.replace("in empty\n", f"in empty where let k = a1; some {sites}\n")
    expected = [place] if place else []
    assert told_at(tmp_path, text, "arguments-exchanged") == expected


@pytest.mark.parametrize(
    ("condition", "place"),
    [
        ("turns > 3 and (turns < 9 and s in top)", "turns < 9 and s in top"),
        ("turns > 3 and (turns < 9 or s in top)", ""),
        ("turns > 3 and turns < 9 and s in top", ""),
        ("s in top or (s in bottom or s in left)", "s in bottom or s in left"),
        ("s in top | (bottom | left)", "bottom | left"),
        ("s in top | bottom & left", ""),
        ("s in (north | south)(top) | ((east | west) | (north | south))(top)", ""),
    ],
)
def test_parentheses_that_change_nothing(tmp_path: Path, condition: str, place: str) -> None:
    text = PLACING.replace("in empty\n", f"in empty where not ({condition})\n")
    assert told_at(tmp_path, text, "joined-alike") == ([place] if place else [])


BUYING = f"""\
{GAME}pieces: Man, King, Ox
state: {{{{coins(players): number = 9, last: sites}}}}
turn:
  man: |
    choose s in empty where some adjacent(s) & own or no own
    {{man}}
    place Man at s
    set last = s
  king: |
    choose t in empty{{king}}
    require coins(mover) >= 2
    add -2 to coins(mover)
    place King at t
    set last = t
  ox: |
    choose u in empty where some adjacent(u) & own or no own
    require coins(mover) >= 3
    add -3 to coins(mover)
    place Ox at u
    set last = u
"""
ALL_NEAR = " where some adjacent(t) & own or no own"
PAID = "require coins(mover) >= 1; add -1 to coins(mover)"


@pytest.mark.parametrize(
    ("man", "king", "place"),
    [
        (PAID, ALL_NEAR, ""),
        (PAID, "", "choose t in empty"),
        ("require coins(mover) >= 1", ALL_NEAR, "require coins(mover) >= 1"),
        ("add 0 to coins(mover)", ALL_NEAR, ""),
        (f"{PAID[:-6]}enemy)", ALL_NEAR, "add -1 to coins(enemy)"),
    ],
)
def test_a_way_that_is_unlike_all_others(tmp_path: Path, man: str, king: str, place: str) -> None:
    text = BUYING.format(man=man, king=king)
    assert told_at(tmp_path, text, "unlike-others") == ([place] if place else [])


FERRY = """\
game: Small
players: Black, White
pieces: Load
stacks: 9
hands: {Load: 3}
board: square(5, 5)
setup: {Black Load: b2, White Load: d4}
define:
  held(s): {is: some adjacent(s) & enemy, says: "{s} is held"}
actions:
  trim(t): |
    if height(t) > 5 remove 1 of t
turn:
  carry: |
    choose s in own where not held(s)
    choose t in adjacent(s)
    move 1 of s onto t
    do trim(t)
  heave: |
    choose u in own where not held(u)
    choose v in diagonal(u)
    move 1 of u onto v
    do trim(v)
stuck: draw
end: draw when turns > 60
"""


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("", "", ""),
        ("    do trim(v)\n", "", "move 1 of u onto v"),
        ("own where not held(u)", "own", "choose u in own"),
        ("own where not held(u)", "own where held(u)", ""),
    ],
)
def test_one_of_two_ways_that_asks_or_does_less(
    tmp_path: Path, before: str, after: str, place: str
) -> None:
    text = FERRY.replace(before, after)
    assert told_at(tmp_path, text, "unlike-others") == ([place] if place else [])
