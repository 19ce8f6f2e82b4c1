"""The entries of an example, as they stand in the file.

In: nodes of the document. Out: their texts, with places; a finding with a place in the example.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.nodes import Sequence as ListNode


def items(node: Node | None) -> Iterator[Scalar]:
    """Yield the entries of a list, or the parts of a text between its commas."""
    if isinstance(node, ListNode):
        yield from (item for item in node.items if isinstance(item, Scalar))
    elif isinstance(node, Scalar):
        start = node.span.start
        for part in node.span.text.split(","):
            text = part.strip()
            if text:
                begin = start + part.index(text)
                yield Scalar(text, Span(node.span.source, begin, begin + len(text)))
            start += len(part) + 1


def text_of(document: Document, key: str) -> str:
    """Return the text of an entry, its spaces trimmed; empty if there is none."""
    node = document.get(key)
    return trimmed(node) if node is not None else ""


def trimmed(node: Node) -> str:
    """Return a node's text with single spaces; empty if it is not a text."""
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def placed(diagnostic: Diagnostic, span: Span) -> Diagnostic:
    """Return a finding with the example as its place, and its own place as a further one."""
    if diagnostic.span is None:
        return Diagnostic(
            diagnostic.code, diagnostic.message, span, diagnostic.hint, diagnostic.severity
        )
    inside = span.start <= diagnostic.span.start <= span.end
    if inside and diagnostic.span.source == span.source:
        return diagnostic
    return Diagnostic(
        diagnostic.code,
        diagnostic.message,
        span,
        diagnostic.hint,
        diagnostic.severity,
        (("It comes from here.", diagnostic.span), *diagnostic.related),
    )


def parts(document: Document, key: str) -> list[Document]:
    """Return the parts of an example that an entry lists: those of `then`, or of `cases`."""
    node = document.get(key)
    listed = node.items if isinstance(node, ListNode) else ()
    return [part for part in listed if isinstance(part, Document)]
