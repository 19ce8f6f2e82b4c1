"""What a place in a file leads to: the definitions that it names, and those that they name.

In: a game, and a place. Out: places of definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.diagnostic import Span
from gdl.document.nodes import Mapping, Node
from gdl.model import Game
from gdl.resources.scoped_cache import shared

_SECTIONS = ("define", "relations", "regions", "actions")
_WORD = re.compile(r"[A-Za-z_]\w*")
_ABSOLUTE = re.compile(
    r"\b(?:north|south|(?:north|south)?(?:east|west)|top|bottom|left|right|rows?|columns?)\b"
)
_MOST = 4


def said_of_sides(game: Game, place: Span) -> list[Span]:
    """Return the definitions behind a place that name a side; if none does, a direction or edge."""
    names_side = re.compile(rf"\b(?:{'|'.join(map(re.escape, game.sides))})\b")
    found = list(definitions_behind(game, place))
    found = [span for span in found if span.line != place.line]
    of_sides = [span for span in found if names_side.search(span.text)]
    return (of_sides or [span for span in found if _ABSOLUTE.search(span.text)])[:_MOST]


def definitions_behind(game: Game, place: Span) -> Iterator[Span]:
    """Yield the definitions that a place names, then those that these name, once each."""
    by_name = _by_name(game)
    known: set[str] = set()
    pending = [place]
    while pending:
        span = pending.pop(0)
        for name in words_in(span.text):
            if name in by_name and name not in known:
                known.add(name)
                pending += by_name[name]
                yield from by_name[name]


def defined_names(game: Game) -> frozenset[str]:
    """Return the names of all that a file defines."""
    return frozenset(_by_name(game))


def variable_names(game: Game) -> frozenset[str]:
    """Return the names of all variables, without their indices; hands are among them."""
    return frozenset(name.partition("(")[0] for name in game.state_slots)


@shared
def _by_name(game: Game) -> dict[str, list[Span]]:
    """Return the places of all that is defined under each name."""
    found: dict[str, list[Span]] = {}
    for section in _SECTIONS:
        node = game.document.get(section)
        for key, body in node.entries if isinstance(node, Mapping) else ():
            name = _WORD.match(key.text)
            if name is not None:
                found.setdefault(name[0], []).extend(_parts(key.span, body))
    return found


@shared
def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a text that may be names, each once, in their order."""
    return tuple(dict.fromkeys(_WORD.findall(text)))


def _parts(key: Span, body: Node) -> Iterator[Span]:
    """Yield a definition, or each of those that a mapping has for the sides."""
    if isinstance(body, Mapping) and body.get("is") is None and body.entries:
        for inner, value in body.entries:
            yield inner.span.to(value.span)
    else:
        yield key.to(body.span)
