"""The board as a graph of networkx, and the graph as text.

In: a board, with the relations and regions to show. Out: a `networkx.MultiDiGraph`: a node a
site, an edge each pair of each relation; and its text as GraphML, DOT or JSON. What then
holds: such a text has all of the graph, its nodes, edges and attributes (tests read it back).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

import networkx as nx

from gdl.board.board import Board
from gdl.board.relation import Relation

if TYPE_CHECKING:
    BoardGraph = nx.MultiDiGraph[str]

Format = Literal["graphml", "dot", "json"]
FORMATS: tuple[Format, ...] = ("graphml", "dot", "json")


def board_graph(
    board: Board, relations: Mapping[str, Relation], regions: Mapping[str, int]
) -> BoardGraph:
    """Return the graph of a board's sites and of these relations between them.

    Nodes are the sites' names, with `index`, `kind`, `column`, `row`, `x`, `y` and `regions`
    (names joined by commas). An edge has the relation's name as its key and as `relation`.
    """
    graph: BoardGraph = nx.MultiDiGraph()
    for site in board.sites:
        within = [name for name, region in regions.items() if region >> site.index & 1]
        graph.add_node(
            site.name,
            index=site.index,
            kind=site.kind,
            column=site.column,
            row=site.row,
            x=site.x,
            y=site.y,
            regions=",".join(within),
        )
    names = [site.name for site in board.sites]
    for relation, pairs in relations.items():
        for source, target in pairs.pairs():
            graph.add_edge(names[source], names[target], key=relation, relation=relation)
    return graph


def write_graph(graph: BoardGraph, format: Format) -> str:
    """Return the text of a graph made by `board_graph`."""
    return _WRITERS[format](graph)


def _write_graphml(graph: BoardGraph) -> str:
    """Write GraphML with an identifier of its own for each edge, as the format demands."""
    numbered: BoardGraph = nx.MultiDiGraph()
    numbered.add_nodes_from(graph.nodes(data=True))
    for number, (source, target, relation) in enumerate(graph.edges(keys=True)):
        numbered.add_edge(source, target, key=f"e{number}", relation=relation)
    return "\n".join(nx.generate_graphml(numbered)) + "\n"


def _write_json(graph: BoardGraph) -> str:
    return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1) + "\n"


_DRAWN_AT = "pos"


def _write_dot(graph: BoardGraph) -> str:
    """Write a statement a line; `pos` lets Graphviz draw each site where it belongs."""
    lines = ["digraph board {"]
    for name, attributes in graph.nodes(data=True):
        place = f"{_dot_number(attributes['x'])},{_dot_number(attributes['y'])}!"
        written = _dot_attributes({**attributes, _DRAWN_AT: place})
        lines.append(f"  {_dot_value(name)} [{written}];")
    for source, target, attributes in graph.edges(data=True):
        written = _dot_attributes(attributes)
        lines.append(f"  {_dot_value(source)} -> {_dot_value(target)} [{written}];")
    return "\n".join([*lines, "}"]) + "\n"


def _dot_attributes(attributes: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_dot_value(value)}" for name, value in attributes.items())


def _dot_value(value: str | int | float) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return _dot_number(value)


def _dot_number(value: int | float) -> str:
    """Write a number without exponent, which DOT lacks; a float keeps its point."""
    digits = format(Decimal(repr(value)), "f")
    return digits + ".0" if isinstance(value, float) and "." not in digits else digits


_WRITERS: dict[Format, Callable[[BoardGraph], str]] = {
    "graphml": _write_graphml,
    "dot": _write_dot,
    "json": _write_json,
}
