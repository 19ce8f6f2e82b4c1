"""What README, CONTRIBUTING and the pages of docs/ show is what a reader will see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doc_pages import (
    CARRIED_OUT,
    DOCS,
    ROOT,
    Block,
    Session,
    blocks,
    commands,
    matches,
    without_numbers,
)

PAGES = [*ROOT.glob("*.md"), *DOCS.glob("*.md")]


@pytest.mark.parametrize("page", CARRIED_OUT, ids=lambda page: page.name)
def test_what_a_page_shows(page: Path, tmp_path: Path) -> None:
    session = Session(tmp_path)
    for block in blocks(page):
        if block.language == "yaml" and block.kind:
            session.write(block)
        elif block.language == "console":
            for command in commands(block, page.name):
                result = session.run(command)
                assert command.agrees(result.output), f"{command.place}\n{result.output}"
                assert result.status == (block.kind == "fails"), command.place
                assert "Traceback" not in result.output, command.place
        elif block.language == "python" and ">>>" in block.text:
            assert session.talk(block, page.name) == ""


@pytest.mark.parametrize("page", CARRIED_OUT, ids=lambda page: page.name)
def test_a_page_shows_only_what_is_tested(page: Path) -> None:
    for block in blocks(page):
        assert block.language in ("", "yaml", "console", "python", "sh", "js", "mermaid"), (
            block.line
        )
        assert block.kind in ("", "fails", "figures") or block.language == "yaml", block.line
        if block.language == "sh":
            assert page.name == "README.md", "only the commands of test_readme.py are not run"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(#[^)]*)?\)", page.read_text("utf-8")):
        path = page.parent / target if target else page
        assert path.exists(), target
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path), f"{target}{anchor}"


def anchors(page: Path) -> set[str]:
    """Return what links can name of a page: its headings, as web pages of repositories do."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {f"#{re.sub(r'[^a-z0-9 _-]', '', h.lower()).replace(' ', '-')}" for h in headings}


def test_the_loops_of_contributing_name_tests_that_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = set(re.findall(r"[` ](tests/[\w/.]+)", text))
    assert len(named) >= 15
    assert [path for path in sorted(named) if not (ROOT / path.rstrip(".")).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_that_are_run_are_there(page: Path) -> None:
    text = " ".join(page.read_text("utf-8").split())
    for name in re.findall(r"python -m (tests[\w.]*)", text):
        assert (ROOT / f"{name.replace('.', '/')}.py").exists(), name
    for path in re.findall(r"python (tests/[\w/]+\.py)", text):
        assert (ROOT / path).exists(), path


# ------------------------------------------------------- that faults would be found


def test_lines_that_are_left_out_stand_for_any_lines() -> None:
    assert matches("a\n...\nd\n", "a\nb\nc\nd\n")
    assert matches("a\n...\nd\n", "a\nd\n")
    assert not matches("a\n...\nd\n", "a\nb\n")
    assert not matches("a\n...\nd\n", "x\na\nd\n")


def test_figures_may_differ_and_words_may_not() -> None:
    assert without_numbers("5 in 0.5 s: 1,200.5") == without_numbers("17 in 2 s: 3")
    assert without_numbers("5 in 0.5 s") != without_numbers("5 of 0.5 s")


def told(text: str, tmp_path: Path) -> list[bool]:
    """Return of each command in a block whether it prints what is shown."""
    session = Session(tmp_path)
    block = Block("console", "", text, 1)
    return [c.agrees(session.run(c).output) for c in commands(block, "a page")]


def test_another_output_is_found(tmp_path: Path) -> None:
    text = "$ echo one; echo two >&2\none\ntwo\n$ echo one\none\ntwo\n$ true\n$ echo\n"
    assert told(text, tmp_path) == [True, False, True, False]


def test_another_value_is_found(tmp_path: Path) -> None:
    session = Session(tmp_path)
    assert session.talk(Block("python", "", ">>> a = 1 + 1\n", 1), "a page") == ""
    assert session.talk(Block("python", "", ">>> a\n2\n", 1), "a page") == ""
    assert "Got:\n    2" in session.talk(Block("python", "", ">>> a\n3\n", 1), "a page")
