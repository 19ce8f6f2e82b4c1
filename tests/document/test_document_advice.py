"""Slips of YAML: one `yaml-syntax` each, at the place to mend, in words an author understands."""

from __future__ import annotations

import pytest

from gdl.diagnostic import Diagnostic, Report, Source
from gdl.document import read_document


def finding(text: str) -> Diagnostic:
    report = Report()
    read_document(Source("game.yaml", text), report)
    (found,) = report.diagnostics
    return found


@pytest.mark.parametrize(
    ("text", "line", "column", "word"),
    [
        ("a:\n\tb: 1\n", 2, 1, "tab"),
        ("a: |\n\tx\n", 2, 1, "tab"),
        ("a: b\n\tc: d\n", 2, 1, "tab"),
        ("a:b\nc: d\n", 1, 2, "space is missing"),
        ("x: y\na:b\nc: d\n", 2, 1, "no colon after this"),
        ("a\nc: d\n", 1, 1, "no colon"),
        ("a: b\nc d\ne: f\n", 2, 1, "no colon"),
        ("a: b: c\n", 1, 5, "second colon"),
        ("\ufeffa: b: c\n", 1, 6, "second colon"),
        ("a: b:\n", 1, 5, "second colon"),
        ("a: b\n c: d\n", 2, 2, "indented further"),
        ("a:\n    b: 1\n  c: 2\n", 3, 3, "indentation"),
        ("a: b\nr: |\n    x\n   y\n", 4, 4, "first line"),
        ("a: 'b\nc: d\n", 1, 4, "never closed"),
        ('a: "b\nc: d\n', 1, 4, "never closed"),
        ("a: 'b' c\n", 1, 8, "closing quote"),
        ("a: 'b\nc: 'd'\n", 2, 5, "closing quote"),
        ("a: [b, c\nd: e\n", 1, 4, "breaks off"),
        ("a: {b: c\nd: e\n", 1, 4, "breaks off"),
        ("a: @b\n", 1, 4, "quoted"),
        ("`: b\n", 1, 1, "quoted"),
        ("a: *\n", 1, 4, "`*`"),
        ("a: &\n", 1, 4, "`&`"),
        ("a: ]\n", 1, 4, "`]`"),
        (": x\n", 1, 1, "no key"),
        ("a: ? b\n", 1, 4, "`? `"),
        ("a: - b\n", 1, 4, "line of its key"),
        ("a: b\n- c\n", 2, 1, "among settings"),
        ("a:\n- b\n- c\n d: e\n", 4, 2, "indented further"),
        ("a:\n - b\n c: d\n", 3, 2, "dash"),
        ("a: b # c\n  d\n", 2, 3, "comment"),
        ("a: |b\n  c\n", 1, 5, "line after"),
        ('a: "\\q"\n', 1, 5, "backslash"),
        ("%A\n---\na: b\n", 1, 1, "directive"),
        ("{a: b}\nc: d\n", 2, 1, "YAML can't read this"),
    ],
)
def test_slip_is_explained_where_it_is(text: str, line: int, column: int, word: str) -> None:
    found = finding(text)
    assert found.code == "yaml-syntax"
    assert found.span is not None
    assert (found.span.line, found.span.column) == (line, column)
    assert word in found.message


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("a: b\nrows: |\n     x\n   x x\n", "|3"),
        ("a:\n- rows: |\n     x\n    x x\n", "|2"),
        ("a:\n  rows: |\n     x\n    x x\n", "|2"),
    ],
)
def test_indentation_of_a_picture_is_told(text: str, header: str) -> None:
    assert f"`{header}`" in finding(text).hint
    report = Report()
    assert read_document(Source("game.yaml", text.replace("|", header)), report) is not None
    assert not report.diagnostics


def test_a_clause_with_a_colon_is_told_as_one() -> None:
    assert "A clause has no colon" in finding("end: no moves: loses\n").hint
