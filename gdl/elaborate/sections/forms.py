"""The forms of a game: the file without variants, and with each of them.

In: a document before its variants were applied, and the form of it that is elaborated. Out: whether
a word that means nothing here has a meaning in another form. What then holds: what a display says
of a piece, a side or a site that only some forms have is read where it applies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from gdl.board.make import may_be_of_a_lattice
from gdl.diagnostic import Report, Source, Span
from gdl.document import apply_variants
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar, Sequence

_WORD = re.compile(r"[^\W\d]\w*")
_CHOSEN = re.compile(r"\bchoose\s(?:.*?\s)??([^\W\d]\w*)\s+in\b")
_PROGRAMS = ("turn", "together", "phases", "actions")
PIECES = ("players", "pieces")
VARIABLES = (*PIECES, "state", "hands", "sees")
WORDS = (*VARIABLES, "options", "board", "relations", "regions", "define")
"""The sections that declare what a part of the display may name."""


class Forms:
    """The other forms of a game, of which one is `document`, with the `variants` that were chosen.

    `options` is whether options were chosen, which a board may depend on.
    """

    def __init__(
        self, whole: Document, document: Document, variants: tuple[str, ...], *, options: bool
    ) -> None:
        self.own: Source = document.span.source
        self._whole = whole
        self._document = document
        self._variants = variants
        self._has_options = options

    def have(self, text: str, span: Span, sections: tuple[str, ...]) -> bool:
        """Return whether another form has the words of a text that this one has not.

        They are those that some `sections` declare. What stands outside of the variants is judged
        without them.
        """
        if self._variants and not self._is_of_variants(span):
            return True
        here = _words(self._document, sections)
        unknown = {word for word in _WORD.findall(text) if word not in here}
        if not unknown or not (self._has_options or self._others):
            return False
        has_sites = "board" in sections
        of_lattice = {word for word in unknown if has_sites and may_be_of_a_lattice(word)}
        if self._has_options and unknown == of_lattice:
            return True
        return any(
            unknown <= _words(form, sections) | (of_lattice if self._is_elsewhere(form) else set())
            for form in self._others
        )

    def choose(self, name: str) -> bool:
        """Return whether a variable is chosen anywhere in the programs of any form."""
        texts = (
            text
            for form in (self._document, *self._others)
            for section in _PROGRAMS
            for text in _texts(form.get(section))
        )
        return any(name in _CHOSEN.findall(text) for text in texts)

    def _is_of_variants(self, span: Span) -> bool:
        found = self._whole.get("variants")
        return (
            found is not None
            and found.span.source is span.source
            and found.span.start <= span.start <= found.span.end
        )

    def _is_elsewhere(self, form: Document) -> bool:
        """Return whether a form may have other sites."""
        return any(_text(form, key) != _text(self._document, key) for key in ("board", "options"))

    @cached_property
    def _others(self) -> list[Document]:
        node = self._whole.get("variants")
        names = node.keys if isinstance(node, Document) else ()
        chosen = [(), *((name,) for name in names)]
        return [
            apply_variants(self._whole, list(some), Report())
            for some in chosen
            if some != self._variants
        ]


def _words(document: Document, sections: tuple[str, ...]) -> set[str]:
    """Return the words in sections of a form; of phases, their names."""
    found: set[str] = set()
    for section in sections:
        node = document.get(section)
        is_named = section == "phases" and isinstance(node, Document)
        texts = node.keys if is_named and isinstance(node, Document) else _texts(node)
        found.update(word for text in texts for word in _WORD.findall(text))
    return found


def _texts(node: Node | None) -> Iterator[str]:
    """Yield the keys and texts of a part of a file, but captions."""
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _texts(item)
    elif isinstance(node, Document):
        for key, value in node.entries:
            yield key.text
            if key.text != "says":
                yield from _texts(value)


def _text(document: Document, section: str) -> str:
    node = document.get(section)
    return "" if node is None else node.span.text
