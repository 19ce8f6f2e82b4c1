"""Faulty game files: each of `tests/faults` says on its lines which findings it must have.

In: files with `# expect: CODE, CODE` on the offending line, `# expect-next: CODE` on the line
before it, or `# expect-file: CODE` anywhere for a finding whose line is not looked at. A line
`# option: NAME=VALUE` or `# variant: NAME, NAME` says how the file is loaded. What then holds:
each file gets exactly these findings, and each code of `gdl/` occurs in a file or in a test here.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gdl
from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError, Source, Span
from gdl.document.files import GAME_FILE
from gdl.document.merge import MAX_EXTENDS
from gdl.load import load_game, load_source

FAULTS = Path(__file__).parents[1] / "faults"
FILES = sorted(FAULTS.glob("*.yaml"))

_EXPECTATION = re.compile(r"# (expect(?:-next|-file)?): ([a-z0-9, -]+)$")
_LOADED_WITH = re.compile(r"^# (option|variant): (.+)$", re.MULTILINE)
_REPORTING = frozenset(
    {"problem", "error", "warning", "Diagnostic", "_error", "_TooMuchError", "refused"}
)


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
    """Return the codes that the comments of a file ask for, each with its line (0: any)."""
    wanted: Counter[tuple[str, int]] = Counter()
    for number, line in enumerate(source.text.split("\n"), start=1):
        comment = _EXPECTATION.search(line)
        if comment is not None:
            place = {"expect": number, "expect-next": number + 1, "expect-file": 0}[comment[1]]
            wanted.update((code.strip(), place) for code in comment[2].split(","))
    return wanted


def line_of(span: Span | None, source: Source) -> int:
    """Return the line of a span in a source, or -1 if it is not in it."""
    return -1 if span is None or span.source != source else span.line


def read_fault(path: Path) -> Source:
    """Return the text of a faulty file just as it is."""
    return Source(str(path), path.read_bytes().decode("utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_fault_is_found_where_it_is_and_told_in_a_sentence(path: Path) -> None:
    source = read_fault(path)
    wanted = expected(source)
    anywhere = {code for code, line in wanted if line == 0}
    found = findings(source)
    assert wanted, "the file expects nothing"
    assert wanted == Counter(
        (d.code, 0 if d.code in anywhere else line_of(d.span, source)) for d in found
    ), "\n".join(d.to_text() for d in found)
    for diagnostic in found:
        assert_is_told_well(diagnostic)


def assert_is_told_well(found: Diagnostic) -> None:
    """Assert that a finding is a sentence with a place and a way out."""
    assert found.message.endswith((".", "?")), found.message
    assert found.message[0].isupper() or not found.message[0].isalpha(), found.message
    assert "\n" not in found.message
    assert found.hint, f"{found.code}: {found.message}"
    for span in (found.span, *(span for _, span in found.related)):
        if span is not None:
            assert 0 <= span.start <= span.end <= len(span.source.text)


# ------------------------------------------- what no text of a game file can show


def codes(load: Callable[[], object]) -> list[str]:
    """Return the codes of the GameError that a call raises, after a look at their hints."""
    with pytest.raises(GameError) as caught:
        load()
    assert all(d.hint for d in caught.value.diagnostics)
    return [d.code for d in caught.value.diagnostics]


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes("game: Fünf\n".encode("latin-1"))
    assert codes(lambda: load_game(str(path))) == ["not-utf8"]


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(b"#" * (GAME_FILE.bytes + 1))
    assert codes(lambda: load_game(str(path))) == ["file-too-large"]


def test_a_file_of_too_many_parts() -> None:
    text = "also: [" + "a," * (GAME_FILE.nodes + 1) + "]"
    assert codes(lambda: load_source(Source("game.yaml", text))) == ["too-many-nodes"]


def test_a_folder_instead_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.mkdir()
    assert codes(lambda: load_game(str(path))) == ["not-a-file"]


def test_a_file_that_cannot_be_read() -> None:
    name = "a" * 5000 + ".yaml"
    assert codes(lambda: load_game(name)) == ["file-unreadable"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert codes(lambda: load_game(str(tmp_path / "game.yaml"))) == ["file-not-found"]


def test_files_that_extend_each_other(tmp_path: Path) -> None:
    for name, other in (("one", "two"), ("two", "one")):
        (tmp_path / f"{name}.yaml").write_text(f"game: {name}\nextends: {other}.yaml\n")
    assert codes(lambda: load_game(str(tmp_path / "one.yaml"))) == ["extends-cycle"]


def test_a_long_chain_of_files(tmp_path: Path) -> None:
    for number in range(MAX_EXTENDS + 3):
        text = f"game: number {number}\nextends: number{number + 1}.yaml\n"
        (tmp_path / f"number{number}.yaml").write_text(text)
    assert codes(lambda: load_game(str(tmp_path / "number0.yaml"))) == ["extends-too-long"]


TESTED_WITHOUT_A_FILE = frozenset(
    {
        "not-utf8",
        "file-too-large",
        "too-many-nodes",
        "not-a-file",
        "file-unreadable",
        "extends-cycle",
        "extends-too-long",
        "not-a-game",
    }
)
"""The codes of the tests above, and of `tests/hostile/test_untrusted.py`."""


# ------------------------------------------------------------------ every code


def _codes_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and node.args:
            function, first = node.func, node.args[0]
            name = function.attr if isinstance(function, ast.Attribute) else ""
            name = function.id if isinstance(function, ast.Name) else name
            if name in _REPORTING and ast.unparse(first).startswith("Code."):
                yield Code[first.attr]


def codes_in_use() -> set[str]:
    """Return the codes of diagnostics that the text layer can report.

    What `gdl.analysis` reports is about native code, not about the text.
    """
    root = Path(os.fspath(gdl.__file__)).parent
    paths = [path for path in root.rglob("*.py") if path.parent.name != "analysis"]
    return {code for path in paths for code in _codes_in(path)}


def test_every_code_has_a_faulty_file_or_a_test() -> None:
    shown = {code for path in FILES for code, _ in expected(read_fault(path))}
    assert codes_in_use() <= shown | TESTED_WITHOUT_A_FILE


def test_every_expected_code_exists() -> None:
    shown = {code for path in FILES for code, _ in expected(read_fault(path))}
    assert shown | TESTED_WITHOUT_A_FILE <= codes_in_use() | {"yaml-syntax"}
