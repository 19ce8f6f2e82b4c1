"""The grammar's tables: kept in a file of the user's, and made anew where that is not possible."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gdl.diagnostic import Source, Span
from gdl.syntax import parser
from gdl.syntax.parser import SyntaxProblem, keywords, parse


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    parser._machinery.cache_clear()
    yield
    parser._machinery.cache_clear()


def parsed(text: str, entry: str) -> object:
    return parse(Span(Source("a text", text), 0, len(text)), entry)


PROGRAM = "if some own\n  choose s in empty where s in top\nelse\n  pass\n"


def test_what_is_read_from_the_file_is_what_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = parsed(PROGRAM, "program"), parsed("own & (top | a1)", "expression"), keywords()
    with pytest.raises(SyntaxProblem) as before:
        parsed("own &", "expression")
    (file,) = (tmp_path / "gdl").iterdir()
    written = file.stat().st_mtime_ns
    parser._machinery.cache_clear()
    assert made == (
        parsed(PROGRAM, "program"),
        parsed("own & (top | a1)", "expression"),
        keywords(),
    )
    with pytest.raises(SyntaxProblem) as after:
        parsed("own &", "expression")
    assert before.value.diagnostic == after.value.diagnostic
    assert file.stat().st_mtime_ns == written


@pytest.mark.parametrize("content", [b"", b"nonsense", b"nonsense\n\x80\x04K"])
def test_a_damaged_file_is_written_anew(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    expected = parsed("own & top", "expression")
    (file,) = (tmp_path / "gdl").iterdir()
    digest = file.read_bytes().split(b"\n")[0]
    file.write_bytes(content)
    parser._machinery.cache_clear()
    assert parsed("own & top", "expression") == expected
    assert file.read_bytes().split(b"\n")[0] == digest


def test_no_folder_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = parsed("own & top", "expression")
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    parser._machinery.cache_clear()
    assert parsed("own & top", "expression") == expected
    assert blocked.read_bytes() == b""
