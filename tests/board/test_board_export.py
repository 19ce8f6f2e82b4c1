"""The board as a graph, and the graph as text and back."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree

import networkx as nx
import pytest
from board_graphs import read_graph

from gdl.board.board import Board
from gdl.board.export import FORMATS, Format, board_graph, write_graph
from gdl.board.make import BoardSpec, make_board, make_graph_board
from gdl.board.relation import bits

BOARDS: Mapping[str, Board] = {
    "squares": make_board(BoardSpec("square", "rectangle", (4, 3))),
    "torus": make_board(
        BoardSpec("triangular", "rhombus", (3, 4), ("cell", "vertex"), ("columns", "rows"))
    ),
    "graph": make_graph_board(
        {'say "x=1"\\': (1e-7, -1e22), "β [tag];": (0.1, 1 / 3), "plain": (3, 4)},
        [['say "x=1"\\', "β [tag];", "plain"]],
    ),
}

every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
every_format = pytest.mark.parametrize("format", FORMATS)


@every_board
def test_the_graph_holds_what_the_board_holds(board: Board) -> None:
    graph = board_graph(board, board.relations, board.regions)
    names = [site.name for site in board.sites]
    assert list(graph) == names
    edges = {
        (names[i], names[j], name)
        for name, relation in board.relations.items()
        for i, j in relation.pairs()
    }
    assert set(graph.edges(keys=True)) == edges
    assert graph.number_of_edges() == len(edges)
    assert all(data["relation"] == key for _, _, key, data in graph.edges(keys=True, data=True))
    for site in board.sites:
        node = graph.nodes[site.name]
        assert (node["index"], node["kind"], node["x"], node["y"]) == (
            site.index,
            site.kind,
            site.x,
            site.y,
        )
    for name, region in board.regions.items():
        inside = [n for n, data in graph.nodes(data=True) if name in data["regions"].split(",")]
        assert inside == [names[i] for i in bits(region)]


@every_board
@every_format
@pytest.mark.parametrize("with_regions", [True, False])
def test_texts_give_back_the_graph(board: Board, format: Format, with_regions: bool) -> None:
    graph = board_graph(board, board.relations, board.regions if with_regions else {})
    again = read_graph(write_graph(graph, format), format)
    assert type(again) is nx.MultiDiGraph
    assert nx.utils.graphs_equal(graph, again)
    for name, node in graph.nodes(data=True):
        assert {key: type(value) for key, value in again.nodes[name].items()} == {
            key: type(value) for key, value in node.items()
        }


def test_graphml_gives_each_edge_an_identifier_of_its_own() -> None:
    board = BOARDS["squares"]
    text = write_graph(board_graph(board, board.relations, {}), "graphml")
    namespace = "{http://graphml.graphdrawing.org/xmlns}"
    identifiers = [edge.get("id") for edge in ElementTree.fromstring(text).iter(f"{namespace}edge")]
    assert len(identifiers) == len(set(identifiers)) > 0
