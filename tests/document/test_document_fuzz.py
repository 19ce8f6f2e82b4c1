"""Any text is answered with findings, never with another exception; spans always hold."""

from __future__ import annotations

import tempfile
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from test_document_reader import plain_data
from test_document_schema import FULL

from gdl.diagnostic import GameError, Report, Source
from gdl.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    apply_variants,
    load_document,
    read_document,
    read_source,
)

SIGNS = st.text(alphabet=" \n\r\t:-?,[]{}#&*!|>'\"%@`\\ab1é😀\ufeff\x00()", max_size=60)
WORDS = st.text(alphabet="abcé😀 (),.0#:'\"&*!|", max_size=12)
TREES = st.dictionaries(
    WORDS,
    st.recursive(
        WORDS | st.text(alphabet="ab \n:#", max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
        max_leaves=12,
    ),
    min_size=1,
    max_size=5,
)


def no_parent(name: str, source: Source) -> Source:
    return Source(f"{name} of {source.name}", FULL)


def scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Sequence):
        return [scalar for item in node.items for scalar in scalars(item)]
    return [scalar for key, value in node.entries for scalar in [key, *scalars(value)]]


def answer(text: str) -> None:
    """Load a text and hold what must be true of any."""
    report = Report()
    document = load_document(Source("game.yaml", text), report, no_parent)
    assert document is not None or report.failed
    if document is not None:
        apply_variants(document, ["small", "no such"], report)
        for scalar in scalars(document):
            same = scalar.span.text.split() == scalar.text.split()
            assert same or not scalar.exact
    for found in report.diagnostics:
        assert found.to_text()
        assert found.to_json()


@given(st.text(max_size=60) | SIGNS)
@settings(max_examples=300, deadline=None)
def test_random_text(text: str) -> None:
    answer(text)


@given(st.integers(0, len(FULL)), st.integers(0, 12), SIGNS)
@settings(max_examples=300, deadline=None)
def test_mutated_game(start: int, length: int, inserted: str) -> None:
    answer(FULL[:start] + inserted + FULL[start + length :])


@given(TREES, st.booleans(), st.sampled_from([None, "'", '"', "|", ">"]))
@settings(max_examples=200, deadline=None)
def test_written_tree_is_read_back(tree: dict[str, object], flow: bool, style: str | None) -> None:
    text = yaml.dump(
        tree, default_flow_style=flow, default_style=style, allow_unicode=True, sort_keys=False
    )
    report = Report()
    document = read_document(Source("game.yaml", text), report)
    # The writer marks what it can't write plainly, long keys and some quoted texts, in other ways.
    # It does not know that `(` and `)` in one line of braces hold together what is between them.
    if not report.diagnostics and not (flow and "(" in text):
        assert document is not None
        assert plain_data(document) == tree
    answer(text)


@given(TREES)
@settings(max_examples=100, deadline=None)
def test_exact_scalars_are_read_again_from_their_span(tree: dict[str, object]) -> None:
    document = read_document(
        Source("game.yaml", yaml.dump(tree, allow_unicode=True, sort_keys=False)), Report()
    )
    assert document is None or isinstance(document, Mapping)
    for scalar in scalars(document) if document is not None else []:
        if scalar.exact and scalar.style == "plain" and scalar.text:
            again = read_document(Source("again", f"k: {scalar.span.text}\n"), Report())
            assert again is not None and plain_data(again) == {"k": scalar.text}


@given(st.binary(max_size=80))
@settings(max_examples=100, deadline=None)
def test_random_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.yaml"
        path.write_bytes(data)
        try:
            source = read_source(path)
        except GameError as error:
            assert [found.code for found in error.diagnostics] == ["not-utf8"]
        else:
            answer(source.text)
