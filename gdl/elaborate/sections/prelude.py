"""The prelude: definitions that every game has, written in the language itself.

In: prelude.yaml. Out: its document, and its definitions by name. The document is read once, each
definition when a game first uses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from gdl.diagnostic import Report, Source
from gdl.document import read_document
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.expressions.names import PRELUDE
from gdl.elaborate.names.scope import Definition
from gdl.elaborate.sections.sections import entries, parsed, ruling
from gdl.syntax import tree as t


@cache
def prelude() -> Document:
    """Return the document of the prelude."""
    text = (Path(__file__).parents[2] / "prelude.yaml").read_text("utf-8")
    report = Report()
    document = read_document(Source(PRELUDE, text), report)
    report.raise_errors()
    assert document is not None
    return document


class _Word(Definition):
    """A definition of the prelude, which is read when it is first used."""

    def __init__(self, key: Scalar, rule: Node, says: str) -> None:
        self.__dict__.update(result=None, from_prelude=True, says=says, key=key, rule=rule)

    @cached_property
    def head(self) -> t.Head:
        """The word and its parameters."""
        head: t.Head = _read(self.__dict__["key"], "head")
        return head

    @cached_property
    def body(self) -> t.Expression:
        """What it stands for."""
        body: t.Expression = _read(self.__dict__["rule"], "expression")
        return body


def _read(node: Node, entry: str) -> Any:
    report = Report()
    found = parsed(node, entry, report)
    report.raise_errors()
    return found


@cache
def prelude_definitions() -> Mapping[str, tuple[Definition, ...]]:
    """Return the definitions of the prelude by name."""
    found: dict[str, tuple[Definition, ...]] = {}
    for key, node in entries(prelude(), "define"):
        name = key.text.partition("(")[0].strip()
        found[name] = (*found.get(name, ()), _Word(key, *ruling(node, "is")))
    return found
