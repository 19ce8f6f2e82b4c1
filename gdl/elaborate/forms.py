"""The forms of a game: the file without variants, and with each of them.

In: a document before its variants were applied, and the form of it that is elaborated. Out: whether
a word that means nothing here has a meaning in another form. What then holds: what a display says
of a piece, a side or a site that only some forms have is read where it applies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from gdl.board.words import may_be_of_a_lattice
from gdl.diagnostic import Report, Source
from gdl.document import apply_variants
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar, Sequence

_WORD = re.compile(r"[^\W\d]\w*")
_CHOSEN = re.compile(r"\bchoose\s+(?:\S+\s+)?([^\W\d]\w*)\s+in\b")
_NO_RULES = ("variants", "examples", "display", "fine", "about", "rules", "author", "source")


class Forms:
    """The other forms of a game, of which one is `document`; `own` is its file.

    `variants` and `options` are what was chosen for it.
    """

    def __init__(
        self, whole: Document, document: Document, variants: tuple[str, ...], *, options: bool
    ) -> None:
        self.own: Source = document.span.source
        self._whole = whole
        self._document = document
        self._variants = variants
        self._has_options = options

    def know(self, text: str) -> bool:
        """Return whether a text has a word that this form has not, and another form has."""
        unknown = {word for word in _WORD.findall(text) if word not in self._here}
        return bool(unknown) and (
            any(self._has(unknown, words, form) for words, form in self._others)
            or (self._has_options and all(map(may_be_of_a_lattice, unknown)))
        )

    def choose(self, name: str) -> bool:
        """Return whether a variable is chosen anywhere in the texts of any form."""
        forms = (self._document, *(form for _, form in self._others))
        return any(name in _CHOSEN.findall(text) for form in forms for text in _texts(form))

    def _has(self, unknown: set[str], words: frozenset[str], form: Document) -> bool:
        has_other_sites = any(
            _text_of(form, section) != _text_of(self._document, section)
            for section in ("board", "options")
        )
        return all(
            word in words or (has_other_sites and may_be_of_a_lattice(word)) for word in unknown
        )

    @cached_property
    def _here(self) -> frozenset[str]:
        return _words(self._document)

    @cached_property
    def _others(self) -> list[tuple[frozenset[str], Document]]:
        node = self._whole.get("variants")
        names = node.keys if isinstance(node, Document) else ()
        chosen = [(), *((name,) for name in names)]
        found = (
            apply_variants(self._whole, list(some), Report())
            for some in chosen
            if some != self._variants
        )
        return [(_words(form), form) for form in found]


def _words(document: Document) -> frozenset[str]:
    return frozenset(word for text in _texts(document) for word in _WORD.findall(text))


def _texts(document: Document) -> Iterator[str]:
    """Yield the texts and keys of a form's rules."""
    for key, node in document.entries:
        if key.text not in _NO_RULES:
            yield from _texts_of(node)


def _texts_of(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _texts_of(item)
    else:
        for key, value in node.entries:
            yield key.text
            if key.text != "says":
                yield from _texts_of(value)


def _text_of(document: Document, section: str) -> str:
    node = document.get(section)
    return "" if node is None else node.span.text
