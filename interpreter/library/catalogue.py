"""The shipped games at a glance.

In: the folder of the shipped games. Out: an entry for each: what its file says of it. The rules
themselves are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, Report, Source
from gdl.document import load_document
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from gdl.document.nodes import Sequence as ListNode
from gdl.load import find_game, other_names, shipped_names


@dataclass(frozen=True)
class Entry:
    """A game as it is listed; what its file does not say is empty."""

    name: str
    title: str
    other_names: tuple[str, ...]
    author: str
    year: str
    about: str
    family: str
    source: str


def catalogue() -> Iterator[Entry]:
    """Yield the shipped games in the order of their names; one that can't be read is left out."""
    for name in shipped_names():
        try:
            document = load_document(find_game(name), Report(), _parent)
        except GameError:
            continue
        if document is not None:
            yield _entry(name, document)


def _parent(name: str, child: Source) -> Source:
    return find_game(name.removesuffix(".yaml"))


def _entry(name: str, document: Document) -> Entry:
    return Entry(
        name=name,
        title=_text(document, "game") or name,
        other_names=tuple(other_names(document)),
        author=_text(document, "author"),
        year=_text(document, "year"),
        about=_text(document, "about"),
        family=_text(document, "family"),
        source=_text(document, "source"),
    )


def _text(document: Document, key: str) -> str:
    """Return a text in one line; the items of a list are joined."""
    node = document.get(key)
    items = node.items if isinstance(node, ListNode) else (node,)
    texts = (" ".join(item.text.split()) for item in items if isinstance(item, Scalar))
    return ", ".join(text for text in texts if text)
