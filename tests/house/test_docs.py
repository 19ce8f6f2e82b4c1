"""Everything runnable in `docs/language.md` and `docs/recipes.md`, run.

In: the pages. A block `yaml` is a whole game; `yaml base` is the game that the blocks `yaml
fragment` change, as if each began with `extends`; `position` is a position of the base game, in
which the tables with the head `| expression | value |` hold. Out: what then holds: each game
loads without a finding of weight, its examples pass, and each table tells the truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from doc_pages import DOCS, ROOT, Block, blocks

from gdl.board.lattice import KINDS
from gdl.board.make import SHAPES, BoardSpec, make_board
from gdl.diagnostic import Report
from gdl.document import read_document, read_source
from gdl.document.nodes import Mapping as Document
from gdl.document.schema import _DISPLAY, _EXAMPLE, _GAME
from gdl.elaborate.expressions.builtins import FUNCTIONS, WORDS
from gdl.interpreter.positions.examples import run_examples
from gdl.load import load_game
from gdl.syntax.parser import keywords, reserved_words

LANGUAGE = DOCS / "language.md"
RECIPES = DOCS / "recipes.md"
GRAMMAR = DOCS / "grammar.md"

_TABLE_HEAD = re.compile(r"^\| expression \| value \|")
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Row:
    """A line of a table of values; no value stands for an expression that is an error."""

    expression: str
    value: str | None
    line: int


def rows(page: Path) -> Iterator[Row]:
    """Yield the rows of the tables of values."""
    inside = False
    for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
        if _TABLE_HEAD.match(line):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            cells = [cell.strip().replace("\\|", "|") for cell in _CELL.split(line)]
            value = None if cells[2].startswith("error") else cells[2].strip("`")
            yield Row(cells[1].strip("`"), value, number)


def the(kind: str, page: Path) -> str:
    """Return the text of the one block of a kind."""
    (found,) = (b for b in blocks(page) if kind in (b.language, b.kind))
    return found.text


BLOCKS = [
    pytest.param(block, id=f"{page.stem} line {block.line}")
    for page in (LANGUAGE, RECIPES, GRAMMAR)
    for block in blocks(page)
    if block.language == "yaml"
]
ROWS = list(rows(LANGUAGE))


def failures(path: Path) -> list[str]:
    """Return all that fails in the examples of a file."""
    return [
        f"{result.name}: {diagnostic.message} {diagnostic.hint}"
        for result in run_examples(load_game(str(path)))
        for diagnostic in result.diagnostics
    ]


@pytest.mark.parametrize("block", BLOCKS)
def test_block_of_a_page(block: Block, tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(the("base", LANGUAGE), "utf-8")
    text = f"extends: base.yaml\n{block.text}" if block.kind == "fragment" else block.text
    path = tmp_path / "game.yaml"
    path.write_text(text, "utf-8")
    assert failures(path) == []


def game_of_the_position(values: str) -> str:
    """Return the base game with the position of the reference and values that hold in it."""
    drawn = the("position", LANGUAGE).replace("\n", "\n      ").rstrip()
    head = "extends: base.yaml\nend: draw when turns > 99\nexamples:\n"
    return f"{head}  - rows: |\n      {drawn}\n    mover: White\n    values:\n      {values}\n"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.line}: {row.expression}")
def test_value_in_the_reference(row: Row, tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(the("base", LANGUAGE), "utf-8")
    path = tmp_path / "game.yaml"
    if row.value is None:
        path.write_text(game_of_the_position(f"{row.expression}: none"), "utf-8")
        assert failures(path) != []
    else:
        path.write_text(game_of_the_position(f"{row.expression}: {row.value}"), "utf-8")
        assert failures(path) == []


def test_the_reference_has_examples() -> None:
    assert len(BLOCKS) > 60
    assert len(ROWS) > 100


def test_a_wrong_value_is_found(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(the("base", LANGUAGE), "utf-8")
    path = tmp_path / "game.yaml"
    path.write_text(game_of_the_position("count own: 5"), "utf-8")
    assert len(failures(path)) == 1


def test_reserved_words_are_listed() -> None:
    text = LANGUAGE.read_text("utf-8")
    reserved, free = (
        {*text.split(f"**{title}**")[1].split("`")[1].split()} for title in ("Reserved", "Free")
    )
    assert reserved == reserved_words()
    assert free == keywords() - reserved


def declared_words() -> set[str]:
    """Return every word that the language, its boards and its sections bring along."""
    prelude = read_document(read_source(ROOT / "gdl" / "prelude.yaml"), Report())
    assert prelude is not None
    defined = prelude.get("define")
    assert isinstance(defined, Document)
    found = {key.split("(")[0] for key in defined.keys}
    found |= {*WORDS, *FUNCTIONS, *_GAME.fields, *_EXAMPLE.fields, *_DISPLAY.fields}
    for (lattice, shape), sizes in SHAPES.items():
        kinds = KINDS[:1] if shape == "box" else KINDS
        board = make_board(BoardSpec(lattice, shape, (3,) * sizes, kinds))
        found |= {*board.relations, *board.families, *board.regions, *board.numbers}
    return found


def test_every_word_is_explained() -> None:
    explained = set(re.findall(r"\w+", LANGUAGE.read_text("utf-8")))
    explained |= {f"from_{side}" for side in explained}
    assert declared_words() - explained == set()


def test_every_reserved_word_is_in_the_grammar() -> None:
    assert set(keywords()) - set(re.findall(r"\w+", GRAMMAR.read_text("utf-8"))) == set()


def test_a_page_without_the_block_is_refused() -> None:
    with pytest.raises(ValueError, match="unpack"):
        the("nothing", LANGUAGE)
