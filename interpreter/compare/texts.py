"""Which texts of two games' files differ.

In: two games. Out: the parts that only one of them has, or that say different things, each with
its place. What then holds: examples, credits and how things are drawn are no rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.data_classes import dataclass
from gdl.diagnostic import Report, Span
from gdl.document.merge import apply_variants
from gdl.document.nodes import Mapping, Node, Scalar, Sequence
from gdl.model import Game

_RULES = (
    "players",
    "teams",
    "pieces",
    "board",
    "relations",
    "regions",
    "define",
    "state",
    "setup",
    "actions",
    "turn",
    "phases",
    "swap",
    "sees",
    "stuck",
    "end",
)


@dataclass(frozen=True)
class TextDifference:
    """A part of the rules, such as `define/home(p)`, with its text in each of the two files."""

    part: str
    first: str
    second: str
    first_span: Span | None = None
    second_span: Span | None = None


def text_differences(first: Game, second: Game) -> list[TextDifference]:
    """Return the parts of the rules whose texts differ, and the options."""
    found = list(_options(first, second))
    texts = [dict(_parts(game)) for game in (first, second)]
    for part in dict.fromkeys((*texts[0], *texts[1])):
        one, other = texts[0].get(part), texts[1].get(part)
        if (one and one[0]) != (other and other[0]):
            found.append(
                TextDifference(
                    part,
                    one[0] if one else "",
                    other[0] if other else "",
                    one[1] if one else None,
                    other[1] if other else None,
                )
            )
    return found


def _options(first: Game, second: Game) -> Iterator[TextDifference]:
    values = [{option.name: option.value for option in game.options} for game in (first, second)]
    for name in dict.fromkeys((*values[0], *values[1])):
        texts = [" ".join(known.get(name, "").split()) for known in values]
        if texts[0] != texts[1]:
            yield TextDifference(f"option {name}", texts[0], texts[1])


def _parts(game: Game) -> Iterator[tuple[str, tuple[str, Span]]]:
    document = apply_variants(game.document, game.variants, Report())
    for key, node in document.entries:
        if key.text in _RULES:
            yield from _texts(key.text, node)


def _texts(part: str, node: Node) -> Iterator[tuple[str, tuple[str, Span]]]:
    if isinstance(node, Scalar):
        yield part, (" ".join(node.text.split()), node.span)
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items, 1):
            yield from _texts(f"{part} {number}", item)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if key.text != "says":
                yield from _texts(f"{part}/{key.text}", value)
