"""The picture of the architecture and the tables of rooms are those of the code as it is."""

from __future__ import annotations

import ast

import networkx as nx
from architecture import (
    PACKAGES,
    PAGE,
    PICTURE,
    about,
    graph_of,
    levels,
    modules_of,
    page,
    picture,
    rooms_of,
    where,
)

AGAIN = "out of date: `python tests/architecture.py` writes it anew"


def test_the_picture_is_current() -> None:
    assert PICTURE.read_text("utf-8") == picture(), AGAIN


def test_the_tables_are_current() -> None:
    text = PAGE.read_text("utf-8")
    assert text == page(text), AGAIN
    assert text.count("<!-- end of rooms -->") == 2


def test_every_room_is_in_a_table() -> None:
    text = PAGE.read_text("utf-8")
    for room in graph_of(*PACKAGES):
        assert f"`{where(room)}" in text, room
    of_native = ast.get_docstring(
        ast.parse(modules_of("gdl.interpreter.native")[0].read_text("utf-8"))
    )
    for room in rooms_of("gdl.interpreter.native"):
        assert f"`{room.rpartition('.')[2]}`" in str(of_native), room


def test_imports_go_down_only() -> None:
    graph = graph_of(*PACKAGES)
    assert nx.is_directed_acyclic_graph(graph)
    row_of = {room: number for number, row in enumerate(levels(graph)) for room in row}
    assert all(row_of[a] > row_of[b] for a, b in graph.edges)
    assert not any(
        a.startswith("gdl.")
        and b.startswith("gdl.interpreter.")
        and not a.startswith("gdl.interpreter.")
        for a, b in graph.edges
    )


def test_known_imports_are_found() -> None:
    graph = graph_of(*PACKAGES)
    assert graph.has_edge("gdl.core", "gdl.board")
    assert graph.has_edge("gdl.interpreter.cli", "gdl.interpreter.sessions")
    assert not graph.has_edge("gdl.core", "gdl.elaborate")


def test_what_a_room_does_is_a_sentence() -> None:
    for room in graph_of(*PACKAGES):
        assert about(room)[0].isupper() and about(room).endswith((".", "?", "!")), room
