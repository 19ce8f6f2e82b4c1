"""Faulty game files: each of `tests/faults` says on its lines which findings it must have.

In: files with `# expect: CODE, CODE` on the offending line, `# expect-next: CODE` on the line
before it, or `# expect-file: CODE` anywhere for a finding without a line in the file. A line
`# option: NAME=VALUE` or `# variant: NAME, NAME` says how the file is loaded. What then holds:
each file gets exactly these findings, and each code of `gdl/` occurs in a file or a test.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import gdl
from gdl.diagnostic import Diagnostic, GameError, Source, Span
from gdl.load import find_game, load_game, load_source

FAULTS = Path(__file__).parent / "faults"
PAGE = Path(__file__).parent.parent / "docs" / "diagnostics.md"
FILES = sorted(FAULTS.glob("*.yaml"))

_EXPECTATION = re.compile(r"# (expect(?:-next|-file)?): ([a-z0-9, -]+)$")
_LOADED_WITH = re.compile(r"^# (option|variant): (.+)$", re.MULTILINE)

TESTED_HERE = {
    "ambiguous-name",
}


def findings(source: Source) -> tuple[Diagnostic, ...]:
    """Load a file as its comments ask for; return what is found in it."""
    options: dict[str, int | float | str | bool] = {}
    variants: list[str] = []
    for kind, text in _LOADED_WITH.findall(source.text):
        if kind == "option":
            name, _, value = text.partition("=")
            options[name] = value
        else:
            variants += [name.strip() for name in text.split(",")]
    try:
        return load_source(source, options, variants).warnings
    except GameError as error:
        return error.diagnostics


def expected(source: Source) -> Counter[tuple[str, int]]:
    """Return the codes that the comments of a file ask for, each with its line (0: no line)."""
    wanted: Counter[tuple[str, int]] = Counter()
    for number, line in enumerate(source.text.split("\n"), start=1):
        comment = _EXPECTATION.search(line)
        if comment is not None:
            place = {"expect": number, "expect-next": number + 1, "expect-file": 0}[comment[1]]
            wanted.update((code.strip(), place) for code in comment[2].split(","))
    return wanted


def place(span: Span | None, source: Source) -> int:
    """Return the line of a span in a source, or 0 if it is not in it."""
    return 0 if span is None or span.source != source else span.line


def read_fault(path: Path) -> Source:
    """Return the text of a faulty file as it is, line breaks included."""
    return Source(str(path), path.read_bytes().decode("utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_fault_is_found_where_it_is(path: Path) -> None:
    source = read_fault(path)
    file_wide = {code for code, line in expected(source) if line == 0}
    found = Counter(
        (d.code, 0 if d.code in file_wide else place(d.span, source)) for d in findings(source)
    )
    assert found == expected(source), "\n".join(d.to_text() for d in findings(source))
