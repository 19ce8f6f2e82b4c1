"""The text of a board's graph, read back: whether all of the graph is in it.

In: a text that `write_graph` wrote. Out: the graph.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import networkx as nx

from gdl.board.export import Format

BoardGraph = Any


def read_graph(text: str, format: Format) -> BoardGraph:
    """Return the graph that `write_graph` wrote."""
    return _READERS[format](text)


def _read_graphml(text: str) -> BoardGraph:
    numbered = nx.parse_graphml(text, node_type=str, edge_key_type=str, force_multigraph=True)
    graph = nx.MultiDiGraph()
    for name, attributes in numbered.nodes(data=True):
        # An empty text is left out by the reader of GraphML.
        graph.add_node(name, **{"regions": "", **attributes})
    for source, target, attributes in numbered.edges(data=True):
        graph.add_edge(source, target, key=attributes["relation"], **attributes)
    return graph


def _read_json(text: str) -> BoardGraph:
    return nx.MultiDiGraph(
        nx.node_link_graph(json.loads(text), directed=True, multigraph=True, edges="edges")
    )


_STRING = r'"(?:[^"\\]|\\.)*"'
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_ATTRIBUTE = re.compile(rf"(\w+)=({_STRING}|{_NUMBER})")
_STATEMENT = re.compile(rf"  ({_STRING})(?: -> ({_STRING}))? \[(.*)\];")
_DRAWN_AT = "pos"


def _read_dot(text: str) -> BoardGraph:
    begin, *lines, end = text.strip().split("\n")
    assert (begin, end) == ("digraph board {", "}")
    graph = nx.MultiDiGraph()
    for line in lines:
        match = _STATEMENT.fullmatch(line)
        assert match is not None, line
        attributes = {name: json.loads(value) for name, value in _ATTRIBUTE.findall(match[3])}
        attributes.pop(_DRAWN_AT, None)
        if match[2] is None:
            graph.add_node(json.loads(match[1]), **attributes)
        else:
            source, target = json.loads(match[1]), json.loads(match[2])
            graph.add_edge(source, target, key=attributes["relation"], **attributes)
    return graph


_READERS: dict[Format, Callable[[str], BoardGraph]] = {
    "graphml": _read_graphml,
    "dot": _read_dot,
    "json": _read_json,
}
