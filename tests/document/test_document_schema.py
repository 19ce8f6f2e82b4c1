"""Shapes: small game files in which the expected code stands on the offending line."""

from __future__ import annotations

import re

import pytest

from gdl.diagnostic import Diagnostic, Report, Source
from gdl.document import check_shape, read_document

EXPECTED = re.compile(r"#! ([a-z-]+)")


def findings(text: str) -> tuple[Diagnostic, ...]:
    report = Report()
    document = read_document(Source("game.yaml", text), report)
    assert document is not None
    check_shape(document, report)
    return report.diagnostics


def places(text: str) -> list[tuple[int, str]]:
    return [(found.span.line, found.code) for found in findings(text) if found.span is not None]


FULL = """\
game: Example
also: [Other name]
author: A. Uthor
year: 1999
source: ["a book: the first", "it's a page"]
about: >
  Two lines of
  prose.
family: connection
options:
  size: 11 in 2..25
  gap:
    default: 3
    in: 2..4
    about: "steps: how many"
players: Red, Blue
board:
  points:
    a1: 0 0
    b1: 1 0
  lines:
  - a1, b1
relations:
  link(Red): orthogonal
regions:
  home(Red): top | bottom
pieces:
  Stone:
state:
  count(Red): 0
define:
  far(s): |
    interior - s
setup:
  Stone of Red: a1
  rows: |
    x.
    .o
turn: |
  choose s in empty
  place Stone at s
phases:
  opening: |
    choose s in empty
  main:
    seat: second
    turn: pass
    stuck: passes
    end: Red wins when true
stuck: loses
end:
- Red wins when some top
- draw when full
variants:
  small:
    about: A small board.
    options:
      size: 5
    stuck: passes
examples:
- name: the start
  options: {size: 3}
  variant: small
  rows: |2
     x .
    . o
  state:
    count(Red): 1
  mover: Red
  phase: main
  seats: first, second
  play: [a1, b1]
  legal: a1, b1
  illegal: []
  only:
  - a1
  count: 2
  winner: Red
  board: |
    xo
  values:
    some top: true
  to_move: Blue
display:
  symbols: {Red: x, Blue: "#"}
  style: points
"""


def test_every_setting_is_known() -> None:
    assert findings(FULL) == ()


@pytest.mark.parametrize(
    "text",
    [
        """\
game: A
bord: square(8, 8) #! unknown-key
""",
        """\
game: A
players: #
- Red #! wrong-shape
- Blue
""",
        """\
game: A
define: far #! wrong-shape
turn: [a, b] #! wrong-shape
end:
  Red wins: far #! wrong-shape
examples:
- name: b
  mover: {a: b} #! wrong-shape
  plya: c #! unknown-key
- c #! wrong-shape
""",
        """\
game: A
end:
- Red wins
- Blue wins: far #! wrong-shape
- #! missing-value
""",
        """\
game: A
turn: #! missing-value
define: #! missing-value
  # nothing
options:
  size: #! missing-value
""",
        """\
game: A
turn: "choose \\"s\\"" #! escaped-text
define:
  'it''s': a #! escaped-text
""",
        """\
game: A
options:
  size:
    in: 2..5 #! missing-key
  gap:
    default: 3
    at: 4 #! unknown-key
""",
        """\
players: a, b #! missing-key
""",
        """\
extends: other
players: a, b
""",
        """\
game: A
variants:
  b:
    game: c #! unknown-key
    examples: [] #! unknown-key
    extends: d #! unknown-key
    also: e #! unknown-key
    variants: {} #! unknown-key
    about: f
    turn: pass
  g: h #! wrong-shape
""",
        """\
game: A
display:
  style: point #! wrong-value
  symbols:
    Red: xx #! wrong-value
    Blue: # missing #! missing-value
    Green: " " #! wrong-value
""",
        """\
game: A
board:
  lines: [a] #! missing-key
phases:
  b:
    seats: c #! unknown-key
    end:
    - d
""",
    ],
)
def test_finding_stands_on_its_line(text: str) -> None:
    expected = [
        (number, code)
        for number, line in enumerate(text.split("\n"), 1)
        for code in EXPECTED.findall(line)
    ]
    assert places(text) == expected


def test_near_miss_is_suggested() -> None:
    (found,) = findings("game: A\nregoins:\n  a: b\n")
    assert found.hint == "Did you mean `regions`?"
    (found,) = findings("game: A\ndisplay: {style: point}\n")
    assert found.hint == "Did you mean `points`?"


@pytest.mark.parametrize(
    ("word", "meant"), [("start", "setup"), ("Goal", "end"), ("tests", "examples")]
)
def test_a_word_of_other_languages_is_known(word: str, meant: str) -> None:
    found, *_ = findings(f"game: Example\n{word}: a1\n")
    assert (found.code, found.hint) == ("unknown-key", f"Did you mean `{meant}`?")


def test_far_miss_lists_what_there_is() -> None:
    (found,) = findings("game: A\nphases:\n  a: {zzz: b}\n")
    assert found.hint == "Its settings are: end, seat, stuck, swap, together, turn."


def test_message_names_both_kinds() -> None:
    (found,) = findings("game: A\nplayers: {Red: x}\n")
    assert found.message == (
        "`players` should be names with commas between them, not a set of settings."
    )
    assert found.hint == "Write it as one text, without braces and names for its parts."


def test_comment_instead_of_a_symbol_is_explained() -> None:
    (found,) = findings("game: A\ndisplay:\n  symbols:\n    Red: #\n")
    assert found.code == "missing-value"
    assert "comment" in found.hint


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ("|\n    x .\n    . x\n", None),
        ("x.o\n", None),
        ("x .\n    . x\n", "wrong-shape"),
        (">\n    x .\n    . x\n", "wrong-shape"),
        ('"x\\n."\n', "escaped-text"),
        ("[x, o]\n", "wrong-shape"),
    ],
)
def test_rows_keep_their_line_breaks(rows: str, code: str | None) -> None:
    found = [finding.code for finding in findings(f"game: A\nsetup:\n  rows: {rows}")]
    assert found == ([] if code is None else [code])


def test_findings_are_limited() -> None:
    text = "game: A\n" + "".join(f"unknown{i}: a\n" for i in range(5000))
    assert len(findings(text)) == 100
