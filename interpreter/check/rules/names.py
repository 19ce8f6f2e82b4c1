"""Regions and relations that nothing names.

In: the text of a game, with what it extends. Out: warnings. What then holds: outside its own
entries, such a name stands nowhere but in comments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping, Node, Scalar
from gdl.elaborate.sections import readable
from gdl.model import Game
from gdl.syntax import tree as t
from interpreter.check.places import warning, without_comments

_SECTIONS = ("regions", "relations")
_NAME = re.compile(r"[A-Za-z_]\w*")


def unused_regions_and_relations(game: Game) -> Iterator[Diagnostic]:
    """Yield the regions and relations whose names stand nowhere else, at their first entry."""
    unread = Counter(_names(game.document))
    found: dict[str, tuple[str, Span]] = {}
    for section in _SECTIONS:
        entries = game.document.get(section)
        for key, body in entries.entries if isinstance(entries, Mapping) else ():
            head = readable(key, "head")
            if isinstance(head, t.Head):
                found.setdefault(head.name.name, (section, head.span))
                unread.subtract(n for n in (*_names(key), *_names(body)) if n == head.name.name)
    for name, (section, span) in found.items():
        if not unread[name]:
            yield warning(
                "unused",
                f"`{name}` stands under `{section}`, but nothing uses it.",
                span,
                "Remove it, or use it: in a rule, in the set-up or under `display`.",
            )


def _names(node: Node) -> Iterator[str]:
    """Yield the names in the keys and texts of a part of a file, as often as they stand there."""
    if isinstance(node, Scalar):
        yield from _NAME.findall(without_comments(node.text))
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield from (*_names(key), *_names(value))
    else:
        for item in node.items:
            yield from _names(item)
