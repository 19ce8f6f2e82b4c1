"""Captions: what the author's texts for rules and variables may name in braces.

In: the document and its declarations. What then holds: each `{word}` of a caption is filled
wherever the caption is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.diagnostic import Source, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar, Sequence
from gdl.elaborate.scope import Declarations
from gdl.elaborate.sections import entries, readable

_NAMED = re.compile(r"\{([^{}\s]*)\}")


def check_captions(document: Document, d: Declarations, own: Source | None) -> None:
    """Report what captions name that nothing stands for; of the texts of the source `own` alone."""
    options = tuple(d.options)
    for section in ("relations", "regions", "define"):
        for key, node in entries(document, section):
            head = readable(key, "head") if isinstance(node, Document) else None
            parameters = () if head is None else tuple(p.name for p in head.parameters)
            _check(node, (*parameters, "own", *options), d, own)
    phases = [phase for _, phase in entries(document, "phases") if isinstance(phase, Document)]
    for part in (document, *phases):
        for section in ("end", "stuck"):
            _check(part.get(section), ("own", *options), d, own)
    display = document.get("display")
    captions = display.get("captions") if isinstance(display, Document) else None
    for _, text in captions.entries if isinstance(captions, Document) else ():
        if isinstance(text, Scalar):
            hint = "`{}` is the variable's value; nothing else can be named here."
            _report(text, ("",), hint, d, own)


def _check(node: Node | None, names: tuple[str, ...], d: Declarations, own: Source | None) -> None:
    known = ", ".join(f"`{{{name}}}`" for name in names)
    for text in _texts(node):
        _report(text, names, f"It may name {known}.", d, own)


def _texts(node: Node | None) -> Iterator[Scalar]:
    """Yield the captions of a definition or of clauses."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _texts(item)
    elif isinstance(node, Document):
        says = node.get("says")
        if isinstance(says, Scalar):
            yield says
        elif says is None:
            for _, part in node.entries:
                yield from _texts(part)


def _report(
    text: Scalar, names: tuple[str, ...], allowed: str, d: Declarations, own: Source | None
) -> None:
    for name in _NAMED.findall(text.text):
        if name not in names and text.span.source is own:
            message = f"Nothing stands for `{{{name}}}` in this caption."
            near = suggest(name, [one for one in names if one])
            hint = f"{near} {allowed}" if near else allowed
            d.report.error("unknown-name", message, text.span, hint)
