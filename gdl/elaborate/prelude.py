"""The prelude: definitions that every game has, written in the language itself.

In: prelude.yaml. Out: its document, and its definitions by name. Both are read once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

from gdl.diagnostic import Report, Source
from gdl.document import read_document
from gdl.document.nodes import Mapping as Document
from gdl.elaborate.names import PRELUDE
from gdl.elaborate.scope import Definition
from gdl.elaborate.sections import entries, parsed, ruling


@cache
def prelude() -> Document:
    """Return the document of the prelude."""
    text = resources.files("gdl").joinpath("prelude.yaml").read_text("utf-8")
    report = Report()
    document = read_document(Source(PRELUDE, text), report)
    report.raise_errors()
    assert document is not None
    return document


@cache
def prelude_definitions() -> Mapping[str, tuple[Definition, ...]]:
    """Return the definitions of the prelude by name."""
    report = Report()
    found: dict[str, tuple[Definition, ...]] = {}
    for key, node in entries(prelude(), "define"):
        rule, says = ruling(node)
        head, body = parsed(key, "head", report), parsed(rule, "expression", report)
        report.raise_errors()
        known = found.get(head.name.name, ())
        found[head.name.name] = (*known, Definition(head, body, from_prelude=True, says=says))
    return found
