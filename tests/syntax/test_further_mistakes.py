"""A program with one line that can't be read has one mistake; with several, it has them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from library_games import deep_games

from gdl.diagnostic import Diagnostic, GameError, Report, Source, Span
from gdl.document import read_document
from gdl.document.nodes import Mapping, Node, Scalar
from gdl.elaborate.sections.sections import parsed_span
from gdl.load import find_game, load_source, shipped_names

_PROGRAM = re.compile(r"^\s*(choose|place|move|set|remove)\b", re.MULTILINE)


def programs(node: Node) -> Iterator[Span]:
    """Yield the programs of several lines in a tree."""
    if isinstance(node, Mapping):
        for _, value in node.entries:
            yield from programs(value)
    elif isinstance(node, Scalar) and node.style == "block" and _PROGRAM.search(node.text):
        yield node.span


def broken(line: str, random: Random) -> str:
    """Return a line with one mistake."""
    bare = line.split("#")[0].rstrip()
    first = bare.split()[0]
    ways = (line.replace(first, "zzz", 1), f"{bare}:", f"{bare} zz yy", line.replace("(", "((", 1))
    return random.choice(ways)


def mistakes(source: Source, start: int, end: int) -> tuple[Diagnostic, ...]:
    """Return what is found in a program."""
    report = Report()
    parsed_span(Span(source, start, end), "program", report)
    return report.diagnostics


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_one_line_that_cannot_be_read_is_one_mistake(name: str) -> None:
    random, source = Random(name), find_game(name)
    document = read_document(source, Report())
    assert document is not None
    for program in programs(document):
        lines = [
            line for line in re.finditer(r"[^\n]+", program.text) if line[0].split("#")[0].strip()
        ]
        for line in random.sample(lines, min(3, len(lines))):
            place = program.start + line.start()
            instead = broken(line[0], random)
            text = source.text[:place] + instead + source.text[place + len(line[0]) :]
            end = program.end + len(instead) - len(line[0])
            found = mistakes(Source(source.name, text), program.start, end)
            assert len(found) <= 1, (instead, [one.to_text() for one in found])
        assert len(found_in_game(Source(source.name, text))) <= 1, instead


def found_in_game(source: Source) -> tuple[Diagnostic, ...]:
    """Return what is found in a whole game, in which the lines that can be read are read on."""
    try:
        load_source(source)
    except GameError as error:
        return error.diagnostics
    return ()


GAME = """game: Further
players: White, Black
board: square(3, 3)
turn: |
  choose s in {}
  {}
  place Stone at s
  move s to t
end: draw when full
"""


@pytest.mark.parametrize(
    ("domain", "line", "codes"),
    [
        ("emty", "let t : 1", ["unknown-name", "unknown-character"]),
        ("empty", "if some t & own then", ["syntax"]),
        ("empty", "for each u in own do", ["syntax", "unknown-name"]),
        ("count own", "choose t of emty", ["wrong-type", "syntax"]),
    ],
)
def test_names_are_told_beside_a_line_that_cannot_be_read(
    domain: str, line: str, codes: list[str]
) -> None:
    found = found_in_game(Source("x", GAME.format(domain, line)))
    assert [one.code for one in found] == codes


def test_lines_behind_a_heading_of_another_language_are_read() -> None:
    text = "if n = 1\n  n = 2\nelif n = 31\n  n = 4\nelse\n  n = 5\n"
    assert [one.span.line for one in mistakes(Source("x", text), 0, len(text)) if one.span] == [
        *(2, 3, 4, 6)
    ]


def test_lines_behind_a_heading_with_a_colon_are_read() -> None:
    text = "choose s in empty\nif some s:\n  n = 3\nelse:\n  n += 2\nif n = 1:\n  end turn\n"
    assert [one.span.line for one in mistakes(Source("x", text), 0, len(text)) if one.span] == [
        *range(2, 8)
    ]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("choose sites in empty\nplace Stone at sites\nadd 1 to sites", [1]),
        ("let from = a1\nmove from to a2\nfrom = a3\nremove the from", [1, 3, 4]),
        ("let from = a1\nremove from: b1\nplace from", [1, 2, 3]),
        ("let at = a1\nremove at: b1\nplace at", [2, 3]),
    ],
)
def test_a_reserved_name_is_told_once(lines: str, told: list[int]) -> None:
    found = mistakes(Source("x", f"{lines}\n"), 0, len(lines) + 1)
    assert [one.span.line for one in found if one.span] == told
    told_words = [
        one.message + one.hint + (one.edit.replacement if one.edit else "") for one in found
    ]
    assert not [text for text in told_words if "zz" in text]


def test_words_of_a_file_are_told_as_they_are_beside_a_reserved_name() -> None:
    """Whatever names a file has: none is taken for what stands in place of a reserved word."""
    text = "let from = a1\nadd 1 to zqzq zqzq\nmove from to zzzz\nzzzz zzzz\nzqzq = a1\n"
    found = mistakes(Source("x", text), 0, len(text))
    assert [one.message for one in found[1:]] == [
        "`zqzq` can't stand here.",
        "`zzzz` can't stand here.",
        "`zqzq` can't stand here.",
    ]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("repeat n\n  n = 3\nn -= 2", [1, 2, 3]),
        ("repeat n\n  n = 3\nuntil n = 4\nn -= 2", [1, 2, 4]),
        ("repeat\n  n = 3\nwhile n\nn -= 2", [2, 3]),
    ],
)
def test_lines_behind_a_heading_of_a_loop_are_read(lines: str, told: list[int]) -> None:
    found = mistakes(Source("x", f"{lines}\n"), 0, len(lines) + 1)
    assert [one.span.line for one in found if one.span] == told


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("about", 'about: "A game'),
        ("swap", "swap: after: 1"),
        ("setup", "setup:\n\tWhite Man: a1"),
        ("also", "also: [Other, Further"),
    ],
)
def test_mistakes_beside_a_line_that_yaml_cannot_read_are_told(section: str, line: str) -> None:
    text = GAME.replace("board:", f"{line}\nboard:").format("emty", "zzz t")
    found = found_in_game(Source("x", text))
    assert [one.code for one in found] == ["yaml-syntax", "unknown-name", "syntax"], section


def test_what_a_line_that_yaml_cannot_read_declares_is_not_missed() -> None:
    text = GAME.format("near(a1)", "zzz t")
    text = text.replace("board:", 'define: {near: "adjacent}\nboard:')
    found = found_in_game(Source("x", text))
    assert [one.code for one in found] == ["yaml-syntax", "syntax"]


@pytest.mark.parametrize(
    ("board", "codes"),
    [
        ("sqare(3, 3)", ["unknown-board", "unknown-name"]),
        ("square(3)", ["wrong-number-of-arguments", "unknown-name"]),
        ("{points: {a: 0}}", ["impossible-board"]),
    ],
)
def test_names_are_told_where_the_board_is_not_known(board: str, codes: list[str]) -> None:
    text = GAME.replace("square(3, 3)", board.replace("{", "{{").replace("}", "}}"))
    found = found_in_game(
        Source("x", text.format("(emty - hexagonal(d9) & upper_left)", "let t = s"))
    )
    assert [one.code for one in found] == codes


@pytest.mark.parametrize("turn", ["{go: [a b]}", "{go: {}}", "{go: {a: b}}", "{}"])
@pytest.mark.parametrize("key", ["turn", "phases"])
def test_a_turn_without_a_program_is_told(turn: str, key: str) -> None:
    section = f"turn: {turn}" if key == "turn" else f"phases: {{one: {{turn: {turn}}}}}"
    text = f"game: Further\nplayers: White, Black\nboard: square(3, 3)\n{section}\n"
    assert found_in_game(Source("x", text))
