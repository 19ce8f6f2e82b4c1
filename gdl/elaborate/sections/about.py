"""What a file says of its game besides the rules: texts, style, variants, examples.

In: the document of a game. Out: its texts, and a hash that tells its rules from others.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping

from gdl.board.board import Board
from gdl.codes import Code
from gdl.diagnostic import Report
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar, Sequence
from gdl.elaborate.sections.looks import display_text
from gdl.elaborate.sections.prelude import prelude
from gdl.elaborate.sections.sections import entries, ruling


def text_of(document: Document, key: str) -> str:
    """Return a text of the document in one line; the items of a list are joined."""
    return ", ".join(texts_of(document.get(key)))


def texts_of(node: Node | None) -> list[str]:
    """Return the texts of a setting, each in one line."""
    if isinstance(node, Scalar):
        return [" ".join(node.text.split())] if node.text.strip() else []
    if isinstance(node, Sequence):
        return [" ".join(i.text.split()) for i in node.items if isinstance(i, Scalar)]
    return []


def style_of(document: Document, board: Board | None, report: Report) -> str:
    """Return how pieces are drawn; arcs divide cells whose corners are sites, too."""
    style = display_text(document, "style") or "cells"
    kinds = set() if board is None else {site.kind for site in board.sites}
    if style == "arcs" and kinds and not {"cell", "vertex"} <= kinds:
        display = document.get("display")
        node = display.get("style") if isinstance(display, Document) else None
        report.error(
            Code.WRONG_VALUE,
            "Arcs divide cells whose corners are sites, too.",
            (node or document).span,
            "Take a board of `cells and vertices`, or another style.",
        )
    return style


def words_of_examples(document: Document) -> frozenset[str]:
    """Return every word in the examples: what one of them uses is not without use."""
    node = document.get("examples")
    return frozenset(re.findall(r"\w+", node.span.text)) if node is not None else frozenset()


def variants_of(document: Document) -> dict[str, str]:
    """Return what the file says of each variant."""
    found = {}
    for key, node in entries(document, "variants"):
        about = node.get("about") if isinstance(node, Document) else None
        found[key.text] = " ".join(about.text.split()) if isinstance(about, Scalar) else ""
    return found


def examples_of(document: Document) -> tuple[Document, ...]:
    """Return the examples of the file."""
    node = document.get("examples")
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(item for item in items if isinstance(item, Document))


_NO_RULES = (
    *("examples", "variants", "display", "notation", "fine", "language"),
    *("about", "rules", "source", "author", "year"),
)


def digests(document: Document, options: Mapping[str, str]) -> tuple[str, str]:
    """Return what tells one set of rules from another: hashes of all that they are made from.

    What captions say is no rule. The first is short, and of the texts alone; no two sets of rules
    have the second in common, even if somebody means them to: it is of which text belongs where.
    """
    parts: list[str] = []

    def add(whole: Node) -> object:
        node, _ = ruling(ruling(whole, "is")[0], "clause")
        if isinstance(node, Scalar):
            parts.append(" ".join(node.text.split(" ")))
            return parts[-1]
        if isinstance(node, Sequence):
            return [add(item) for item in node.items]
        return {"has": [named(key, value) for key, value in node.entries]}

    def named(key: Scalar, value: Node) -> list[object]:
        parts.append(key.text)
        return [key.text, add(value)]

    own = [named(key, value) for key, value in document.entries if key.text not in _NO_RULES]
    tree = [own, add(prelude()), sorted(options.items())]
    parts += [f"{name}={value}" for name, value in sorted(options.items())]
    short = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    return short, hashlib.sha256(json.dumps(tree).encode()).hexdigest()
