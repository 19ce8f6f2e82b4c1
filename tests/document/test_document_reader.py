"""Text to nodes: what the nodes say, where they stand, and what is refused."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gdl.diagnostic import GameError, Report, Source
from gdl.document import Mapping, Node, Scalar, Sequence, read_document, read_source
from gdl.document.files import GAME_FILE
from gdl.document.reader import MAX_DEPTH


def read(text: str) -> Mapping:
    report = Report()
    document = read_document(Source("game.yaml", text), report)
    assert document is not None and not report.diagnostics
    return document


def codes(text: str) -> list[str]:
    report = Report()
    read_document(Source("game.yaml", text), report)
    return [found.code for found in report.diagnostics]


def scalar(document: Mapping, key: str) -> Scalar:
    node = document.get(key)
    assert isinstance(node, Scalar)
    return node


def plain_data(node: Node) -> object:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [plain_data(item) for item in node.items]
    return {key.text: plain_data(value) for key, value in node.entries}


def test_every_value_is_text() -> None:
    document = read("a: no\nb: 1.0\nc: 2000-06-01\nd: ~\ne: 0x10\nf: 1_000\ng: null\n")
    assert plain_data(document) == {
        "a": "no",
        "b": "1.0",
        "c": "2000-06-01",
        "d": "~",
        "e": "0x10",
        "f": "1_000",
        "g": "null",
    }


def test_absent_value_is_an_empty_plain_scalar() -> None:
    value = scalar(read("a:\nb: x\n"), "a")
    assert (value.text, value.style, value.exact) == ("", "plain", True)
    assert (value.span.line, value.span.column) == (1, 3)


def test_mappings_and_lists_nest() -> None:
    document = read("a:\n  b: [x, {y: z}]\n  c:\n  - d\n  - e: f\n    g: h\n")
    assert plain_data(document) == {"a": {"b": ["x", {"y": "z"}], "c": ["d", {"e": "f", "g": "h"}]}}
    assert document.keys == ("a",)
    assert document.get("b") is None
    assert document.entry("b") is None


@pytest.mark.parametrize(
    ("text", "value", "content", "style", "exact"),
    [
        ("a: x y  # c\n", "x y", "x y", "plain", True),
        ("a: é😀日\n", "é😀日", "é😀日", "plain", True),
        ("é😀日: x\n", "x", "x", "plain", True),
        ("a: x\n  y\n\n", "x y", "x\n  y", "plain", True),
        ("a:\n  x\n", "x", "x", "plain", True),
        ("a: 'x y'\n", "x y", "x y", "quoted", True),
        ('a: "x: y"\n', "x: y", "x: y", "quoted", True),
        ("a: 'it''s'\n", "it's", "it''s", "quoted", False),
        ('a: "\\u0041"\n', "A", "\\u0041", "quoted", False),
        ('a: "x\\\n  y"\n', "xy", "x\\\n  y", "quoted", False),
        ("a: ''\n", "", "", "quoted", True),
        ("a: |\n  x\n    y\n\n\n", "x\n  y\n", "  x\n    y\n", "block", True),
        ("a: |-  # c\n  x\n# d\n", "x", "  x\n", "block", True),
        ("a: |+\n  x\n\n", "x\n\n", "  x\n", "block", True),
        ("a: |2\n   x\n  y\n", " x\ny\n", "   x\n  y\n", "block", True),
        ("a: |\n\n  x\n", "\nx\n", "\n  x\n", "block", True),
        ("a: |\n  x # y", "x # y", "  x # y", "block", True),
        ("a: |\n", "", "", "block", True),
        ("a: |", "", "", "block", True),
        ("a: >\n  x\n  y\n", "x y\n", "  x\n  y\n", "folded", True),
        ("a: |\r\n  x\r\n  y\r\n", "x\ny\n", "  x\r\n  y\r\n", "block", True),
        ("\ufeffa: x\n", "x", "x", "plain", True),
        ("---\na: x\n...\n", "x", "x", "plain", True),
    ],
)
def test_scalar_knows_its_content(
    text: str, value: str, content: str, style: str, exact: bool
) -> None:
    ((_, found),) = read(text).entries
    assert isinstance(found, Scalar)
    assert (found.text, found.span.text, found.style, found.exact) == (value, content, style, exact)


def test_block_in_a_list_ends_before_the_next_item() -> None:
    document = read("a:\n- |\n  x\n\n# c\n- y\nb: z\n")
    items = document.get("a")
    assert isinstance(items, Sequence)
    assert [item.span.text for item in items.items] == ["  x\n", "y"]
    assert items.span.text == "- |\n  x\n\n# c\n- y"


def test_span_of_a_collection_ends_with_its_last_part() -> None:
    document = read("a:\n  b: c\n\n# d\ne: {f: g}\n\n")
    section = document.get("a")
    braces = document.get("e")
    assert section is not None and section.span.text == "b: c"
    assert braces is not None and braces.span.text == "{f: g}"
    assert document.span.text == "a:\n  b: c\n\n# d\ne: {f: g}"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a: x\nb: y\na: z\n", "duplicate-key", 3, 1),
        ("a: {b: x, b: y}\n", "duplicate-key", 1, 11),
        ("d:\n  f(x): a\n  f( x ): b\n", "duplicate-key", 3, 3),
        ("a: &b x\n", "yaml-anchor", 1, 4),
        ("a: &b\n  c: d\n", "yaml-anchor", 1, 4),
        ("a: *b\n", "yaml-alias", 1, 4),
        ("a: !b x\n", "yaml-tag", 1, 4),
        ("a: !!python/object:os.system x\n", "yaml-tag", 1, 4),
        ("a: x\n---\nb: y\n", "yaml-several-documents", 2, 1),
        ("%YAML 1.1\n---\na: x\n", "yaml-directive", 1, 1),
        ("? [a, b]\n: x\n", "yaml-key", 1, 3),
        ("? |\n  a\n: x\n", "yaml-key", 2, 1),
        ("?\n: x\n", "yaml-key", 1, 2),
        ("<<: {a: b}\n", "yaml-merge-key", 1, 1),
        ("", "empty-file", 1, 1),
        ("# a\n", "empty-file", 1, 1),
        ("---\n", "empty-file", 1, 1),
        ("- a\n", "wrong-shape", 1, 1),
        ("a\n", "wrong-shape", 1, 1),
        ("a: x\nb: \x00\n", "control-character", 2, 4),
        ("a: x\x85\n", "control-character", 1, 5),
        ("a: x\u2028y\n", "control-character", 1, 5),
        ("a: x\rb: y\n", "control-character", 1, 5),
        ("a: \ud800\n", "control-character", 1, 4),
    ],
)
def test_refused(text: str, code: str, line: int, column: int) -> None:
    report = Report()
    read_document(Source("game.yaml", text), report)
    (found,) = report.diagnostics
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column) == (code, line, column)


def test_duplicate_key_names_the_first() -> None:
    report = Report()
    document = read_document(Source("game.yaml", "a: x\nb: y\na: z\n"), report)
    (found,) = report.diagnostics
    assert [span.line for _, span in found.related] == [1]
    assert document is not None and plain_data(document) == {"a": "x", "b": "y"}


def test_all_findings_are_gathered() -> None:
    assert codes("a: &b x\nc: *b\na: y\nd: !e f\n") == [
        "yaml-anchor",
        "yaml-alias",
        "duplicate-key",
        "yaml-tag",
    ]


def nested(depth: int) -> str:
    return "a: " + "[" * (depth - 1) + "]" * (depth - 1)


def test_depth_has_a_limit() -> None:
    assert codes(nested(MAX_DEPTH)) == []
    assert codes(nested(MAX_DEPTH + 1)) == ["nested-too-deep"]


def test_number_of_nodes_has_a_limit() -> None:
    # The mapping, the key and the list are nodes too.
    assert codes("a: [" + "b, " * (GAME_FILE.nodes - 3) + "]") == []
    assert codes("a: [" + "b, " * (GAME_FILE.nodes - 2) + "]") == ["too-many-nodes"]


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "{a: ",
        "- ",
        "? ",
        ": ",
        "- a\n",
        "a: b\n",
        "a:\n ",
        "!a ",
        "&a ",
        "*a ",
        "---\n",
        "'",
        "\\",
        '"\\',
        "#\n",
        "\n",
        " ",
        "a ",
        "a\n",
        "a,",
        "%a\n",
        "|\n",
        "a: |\n  b\n",
    ],
)
@pytest.mark.parametrize("start", ["", "a: [", "a:\n  - "])
def test_hostile_text_is_answered_in_time(start: str, unit: str) -> None:
    text = (start + unit * GAME_FILE.bytes)[: GAME_FILE.bytes - 1]
    report = Report()
    begin = time.process_time()
    read_document(Source("game.yaml", text), report)
    assert time.process_time() - begin < 20
    assert len(report.diagnostics) <= 102


def test_text_has_a_limit() -> None:
    assert codes("a: " + "x" * (GAME_FILE.bytes - 3)) == []
    assert codes("a: " + "x" * (GAME_FILE.bytes - 2)) == ["file-too-large"]


def test_file_is_read_with_plain_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes("\ufeffgame: Ä\r\nabout: x\r".encode())
    source = read_source(path)
    assert source.text == "game: Ä\nabout: x\n"
    assert source.name == str(path)


def file_code(path: Path) -> str:
    with pytest.raises(GameError) as caught:
        read_source(path)
    (found,) = caught.value.diagnostics
    return found.code


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    large.write_bytes(b"#" * (GAME_FILE.bytes + 1))
    assert file_code(tmp_path / "none.yaml") == "file-not-found"
    assert file_code(tmp_path / "nul\0.yaml") == "file-not-found"
    assert file_code(tmp_path) == "not-a-file"
    assert file_code(Path("/dev/zero")) == "not-a-file"
    assert file_code(large) == "file-too-large"
    assert file_code(tmp_path / ("n" * 300)) == "file-unreadable"


def test_bad_byte_is_pointed_at(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes("game: Ä\r\nabout: é".encode() + b"\xff\n")
    with pytest.raises(GameError) as caught:
        read_source(path)
    (found,) = caught.value.diagnostics
    assert found.code == "not-utf8"
    assert found.span is not None and (found.span.line, found.span.column) == (2, 9)


def test_utf16_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes("game: x\n".encode("utf-16"))
    with pytest.raises(GameError) as caught:
        read_source(path)
    assert "UTF-16" in caught.value.diagnostics[0].hint


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (
            "a: {hand(White, King): 2, b: f(x, g(y, z))}",
            {"hand(White, King)": "2", "b": "f(x, g(y, z))"},
        ),
        ("a: [f(x, y), z]", ["f(x, y)", "z"]),
        ("a: {b: '(c', d: 'e)'}", {"b": "(c", "d": "e)"}),
        ("a: |\n  f(x, y)\n", "f(x, y)\n"),
    ],
)
def test_commas_between_parentheses_divide_nothing(text: str, data: object) -> None:
    document = read(text)
    assert plain_data(document)["a"] == data  # type: ignore[index]
    entry = document.entry("a")
    assert entry is not None and entry[1].span.text in text


def test_parentheses_without_end_take_no_time_to_speak_of() -> None:
    assert codes("a: {b: " + "(" * 100_000 + "}") == []
    assert codes("a: {b: " + "(" * 60_000 + ")" * 60_000 + "}") == []
