"""Extending files and applying variants."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from test_document_reader import plain_data, read

from gdl.diagnostic import Diagnostic, GameError, Report, Source
from gdl.document import Mapping, Node, Scalar, apply_variants, load_document, read_document
from gdl.document.merge import MAX_EXTENDS, MAX_VARIANTS


def finder(files: dict[str, str]) -> Callable[[str, Source], Source]:
    def find(name: str, source: Source) -> Source:
        if name not in files:
            raise GameError([Diagnostic("file-not-found", f"There is no `{name}` of {source}.")])
        return Source(name, files[name])

    return find


def load(files: dict[str, str]) -> tuple[Mapping | None, Report]:
    report = Report()
    first = next(iter(files))
    return load_document(Source(first, files[first]), report, finder(files)), report


def loaded(files: dict[str, str]) -> Mapping:
    document, report = load(files)
    assert document is not None and not report.diagnostics
    return document


PARENT = """\
game: Parent
also: Other
players: a, b
define:
  x(White): one
  y: two
turn: pass
variants:
  small: {turn: resign}
examples:
- name: of the parent
"""
CHILD = """\
extends: parent
game: Child
define:
  z: three
  x( White ): four
turn: swap
variants:
  large: {turn: swap}
"""


def test_child_adds_and_replaces() -> None:
    assert plain_data(loaded({"child": CHILD, "parent": PARENT})) == {
        "game": "Child",
        "players": "a, b",
        "define": {"x( White )": "four", "y": "two", "z": "three"},
        "turn": "swap",
        "variants": {"small": {"turn": "resign"}, "large": {"turn": "swap"}},
    }


def test_order_is_the_parents_then_the_childs() -> None:
    document = loaded({"child": CHILD + "stuck: loses\n", "parent": PARENT})
    define = document.get("define")
    assert isinstance(define, Mapping)
    assert define.keys == ("x( White )", "y", "z")
    assert document.keys == ("game", "players", "define", "turn", "variants", "stuck")


def test_spans_stay_in_their_file() -> None:
    define = loaded({"child": CHILD, "parent": PARENT}).get("define")
    assert isinstance(define, Mapping)
    places = [(key.span.source.name, value.span.text) for key, value in define.entries]
    assert places == [("child", "four"), ("parent", "two"), ("child", "three")]


def test_text_replaces_a_mapping_and_the_reverse() -> None:
    parent = "game: A\npieces: King\nboard: square(3, 3)\n"
    child = "extends: parent\npieces: {Queen: }\nboard: square(4, 4)\n"
    document = loaded({"child": child, "parent": parent})
    assert plain_data(document) == {
        "game": "A",
        "pieces": {"Queen": ""},
        "board": "square(4, 4)",
    }


def test_captions_are_added_and_other_parts_of_a_display_replaced() -> None:
    parent = "game: A\ndisplay: {captions: {Man: one, King: two}, figures: {Man: man}}\n"
    child = "extends: parent\ndisplay: {captions: {King: three}, figures: {King: king}}\n"
    document = loaded({"child": child, "parent": parent})
    assert plain_data(document) == {
        "game": "A",
        "display": {"captions": {"Man": "one", "King": "three"}, "figures": {"King": "king"}},
    }


def test_grandparents() -> None:
    files = {
        "c": "extends: b\ndefine: {z: 3}\n",
        "b": "extends: a\ndefine: {y: 2, x: 2}\n",
        "a": "game: A\ndefine: {x: 1, y: 1, z: 1}\n",
    }
    assert plain_data(loaded(files)) == {"game": "A", "define": {"x": "2", "y": "2", "z": "3"}}


@pytest.mark.parametrize(
    ("files", "code", "file"),
    [
        ({"a": "extends: a\n"}, "extends-cycle", "a"),
        ({"a": "extends: b\n", "b": "extends: a\nstuck: loses\n"}, "extends-cycle", "b"),
        ({"a": "extends: b\n"}, "file-not-found", "a"),
        ({"a": "extends: b\n", "b": "game: B\nbord: c\n"}, "unknown-key", "b"),
        ({"a": "extends: b\n", "b": "x: 'y"}, "yaml-syntax", "b"),
        ({"a": "extends: [b]\n"}, "wrong-shape", "a"),
    ],
)
def test_refused_extension(files: dict[str, str], code: str, file: str) -> None:
    _, report = load(files)
    (found,) = report.diagnostics
    assert found.span is not None
    assert (found.code, found.span.source.name) == (code, file)


def chain(length: int) -> dict[str, str]:
    files = {f"f{i}": f"extends: f{i + 1}\nstuck: s{i}\n" for i in range(length)}
    return {**files, f"f{length}": "game: A\n"}


def test_chain_has_a_limit() -> None:
    assert plain_data(loaded(chain(MAX_EXTENDS))) == {"game": "A", "stuck": "s0"}
    document, report = load(chain(MAX_EXTENDS + 1))
    assert document is None
    assert [found.code for found in report.diagnostics] == ["extends-too-long"]


GAME = """\
game: A
about: the game
define:
  x: 1
  y: 1
turn: pass
variants:
  small: {about: the variant, define: {x: 2}}
  large: {define: {x: 3}}
  same: {define: {"x": 2}}
  other: {define: {y: 4}, stuck: loses}
  plain: {turn: swap}
  short: {turn: resign}
  kings: {pieces: King}
  queens: {pieces: {Queen: }}
"""


def applied(*names: str) -> tuple[object, tuple[Diagnostic, ...]]:
    report = Report()
    result = apply_variants(read(GAME), names, report)
    return plain_data(result), report.diagnostics


def test_no_variant_leaves_the_rules() -> None:
    assert applied() == (
        {"game": "A", "about": "the game", "define": {"x": "1", "y": "1"}, "turn": "pass"},
        (),
    )


def test_variants_that_change_different_things_add_up() -> None:
    assert applied("small", "other", "plain") == (
        {
            "game": "A",
            "about": "the game",
            "define": {"x": "2", "y": "4"},
            "turn": "swap",
            "stuck": "loses",
        },
        (),
    )


@pytest.mark.parametrize("names", [("small", "same"), ("small", "small"), ("plain", "plain")])
def test_variants_that_agree_do_not_conflict(names: tuple[str, ...]) -> None:
    assert applied(*names)[1] == ()


@pytest.mark.parametrize(
    ("names", "line", "other_line"),
    [
        (("small", "large"), 9, 8),
        (("large", "other", "same"), 10, 9),
        (("short", "plain"), 12, 13),
        (("kings", "queens"), 15, 14),
        (("queens", "kings"), 14, 15),
    ],
)
def test_conflict_names_both_places(names: tuple[str, ...], line: int, other_line: int) -> None:
    (found,) = applied(*names)[1]
    assert found.code == "variants-conflict"
    assert found.span is not None and found.span.line == line
    assert [span.line for _, span in found.related] == [other_line]


def test_unknown_variant_is_suggested() -> None:
    (found,) = applied("smal")[1]
    assert (found.code, found.hint) == ("unknown-variant", "Did you mean `small`?")


def test_game_without_variants() -> None:
    report = Report()
    apply_variants(read("game: A\n"), ["small"], report)
    assert [found.code for found in report.diagnostics] == ["unknown-variant"]


def test_entry_of_a_variant_keeps_its_place_in_the_file() -> None:
    result = apply_variants(read(GAME), ["other"], Report())
    stuck: Node | None = result.get("stuck")
    assert isinstance(stuck, Scalar) and stuck.span.line == 11


def test_broken_variants_are_not_applied() -> None:
    report = Report()
    source = Source("game.yaml", "game: A\nvariants: {small: text}\n")
    document = read_document(source, report)
    assert document is not None
    assert plain_data(apply_variants(document, ["small"], report)) == {"game": "A"}
    assert [found.code for found in report.diagnostics] == ["unknown-variant"]


def test_variants_are_as_many_as_a_person_reads() -> None:
    text = "game: Many\nvariants:\n" + "".join(
        f"  v{number}: {{about: x}}\n" for number in range(MAX_VARIANTS)
    )
    loaded({"many": text})
    _, report = load({"many": text + "  more: {about: x}\n"})
    (found,) = report.diagnostics
    assert found.code == "too-large" and found.span is not None and found.span.text == "more"


@pytest.mark.parametrize(
    "option, change, merged",
    [
        ("{default: a, in: '1, 2', about: b}", "c", {"default": "c", "in": "1, 2", "about": "b"}),
        ("3 in 2..5", "4", {"default": "4", "in": "2..5"}),
        ("3 in 2..5", "9 in 5..9", "9 in 5..9"),
        ("{default: 3 in 2..5, about: b}", "4", {"default": "4", "in": "2..5", "about": "b"}),
        ("3", "4", "4"),
        ("3 in 2..5", "{default: 4}", {"default": "4"}),
    ],
)
def test_a_new_default_keeps_the_rest_of_an_option(
    option: str, change: str, merged: object
) -> None:
    files = {
        "child": f"extends: parent\noptions:\n  x: {change}\n",
        "parent": f"game: Parent\noptions:\n  x: {option}\n",
    }
    assert plain_data(loaded(files))["options"]["x"] == merged
