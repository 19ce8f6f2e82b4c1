"""The grammar's tables: what is read from the file where they are kept is what was made."""

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
    (file,) = (tmp_path / "gdl" / "grammar").iterdir()
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
