"""The codes of diagnostics, held against their page and against the code that reports them.

In: `Code`, `docs/diagnostics.md` and the modules of both packages. What then holds: each code is
explained, what is explained is a code, and the page, the enumeration and each report say the same
of how grave it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from gdl.codes import Code

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "diagnostics.md").read_text("utf-8")
ENTRIES = re.findall(r"^### `([a-z0-9-]+)`\n+(.*?)(?=\n\n|\Z)", PAGE, re.MULTILINE | re.DOTALL)
ROWS = [
    (code, text)
    for codes, text in re.findall(r"^\| ((?:`[a-z0-9-]+`(?:, )?)+) \| (.+) \|$", PAGE, re.MULTILINE)
    for code in re.findall(r"[a-z0-9-]+", codes)
]
REPORTS = {
    **dict.fromkeys(("problem", "error", "_error", "_refused", "refused"), "error"),
    **{severity: severity for severity in ("warning", "note")},
}
"""The functions that report with one severity."""


def said_of(text: str) -> set[str]:
    """Return how grave a code is by the page: an error, if nothing is said."""
    said = re.findall(r"\b(?:A|a|an) (error|warning|note)\b", " ".join(text.split()))
    return set(said) or {"error"}


def test_each_code_is_explained_and_all_that_is_explained_is_a_code() -> None:
    entries = [code for code, _ in ENTRIES]
    assert entries == sorted(set(entries)), "the entries are in alphabetical order, each once"
    assert set(entries) | {code for code, _ in ROWS} == set(Code)
    assert list(Code) == sorted(Code)


def test_the_page_says_how_grave_each_code_is() -> None:
    said: dict[str, set[str]] = {}
    for code, text in (*ENTRIES, *ROWS):
        said.setdefault(code, set()).update(said_of(text))
    of_page = {code: next(iter(all_)) if len(all_) == 1 else None for code, all_ in said.items()}
    assert of_page == {code: code.severity for code in Code}


def reported() -> Iterator[tuple[Code, str | None]]:
    """Yield each mention of a code, with the severity that the call around it gives it."""
    for path in (*(ROOT / "gdl").rglob("*.py"), *(ROOT / "interpreter").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        first = {
            call.args[0]: call
            for call in ast.walk(tree)
            if isinstance(call, ast.Call) and call.args
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Code":
                yield Code[node.attr], _severity(first.get(node))


def _severity(call: ast.Call | None) -> str | None:
    if call is None:
        return None
    name = ast.unparse(call.func).rpartition(".")[2]
    if name != "Diagnostic":
        return REPORTS.get(name)
    given = [word.value for word in call.keywords if word.arg == "severity"] + call.args[4:5]
    return ast.literal_eval(given[0]) if given and isinstance(given[0], ast.Constant) else "error"


def test_each_report_is_as_grave_as_its_code() -> None:
    uses = list(reported())
    assert {code for code, _ in uses} == set(Code), "each code is reported"
    wrong = {(code, told) for code, told in uses if told and code.severity not in (None, told)}
    assert wrong == set()
