"""Parameters that what they belong to does not depend on.

In: the definitions and actions of a game and its variants. Out: warnings. What then holds: the name
of a parameter that is told stands nowhere in what it is a parameter of, and no definition of the
same name tells cases of it apart.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from gdl.diagnostic import Diagnostic
from gdl.document.nodes import Mapping, Node
from gdl.elaborate.sections import readable
from gdl.model import Game
from gdl.syntax import tree as t
from interpreter.check.places import warning, without_comments

_SECTIONS = ("define", "regions", "relations", "actions")
_WORD = re.compile(r"[A-Za-z_]\w*")


def unused_parameters(game: Game) -> Iterator[Diagnostic]:
    """Yield the parameters without which what they belong to would be the same in all variants."""
    same: dict[tuple[str, int], list[tuple[t.Head, Node]]] = defaultdict(list)
    variants = game.document.get("variants")
    changed = variants.entries if isinstance(variants, Mapping) else ()
    for part in (game.document, *(one for _, one in changed)):
        for head, body in _definitions(part):
            same[head.name.name, len(head.parameters)].append((head, body))
    constants = _constants(game)
    for (name, number), found in same.items():
        for place in range(number):
            words = [head.parameters[place].name for head, _ in found]
            if any(word in constants or not word.isidentifier() for word in words):
                continue
            if any(word in _words(body) for word, (_, body) in zip(words, found, strict=True)):
                continue
            yield warning(
                "unused-parameter",
                f"`{name}` does not depend on its parameter `{words[0]}`.",
                found[0][0].parameters[place].span,
                f"Use `{words[0]}` in it, or leave it out here and where `{name}` is asked for.",
            )


def _definitions(sections: Node) -> Iterator[tuple[t.Head, Node]]:
    for section in _SECTIONS:
        entries = sections.get(section) if isinstance(sections, Mapping) else None
        for key, body in entries.entries if isinstance(entries, Mapping) else ():
            head = readable(key, "head")
            if isinstance(head, t.Head):
                yield head, body


def _constants(game: Game) -> set[str]:
    """Return names that are a value where they stand for a parameter: cases are told apart."""
    named = game.document.get("state")
    values = set(_WORD.findall(named.span.text)) if named is not None else set[str]()
    words = {"neutral", "none", "yes", "no"}
    return words.union(game.sides, game.kinds, game.board.relations, values)


def _words(body: Node) -> set[str]:
    return set(_WORD.findall(without_comments(body.span.text)))
