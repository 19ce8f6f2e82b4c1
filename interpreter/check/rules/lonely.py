"""A rule for one side that has no mirror image, where all other such rules have one.

In: the texts of a game of two sides. Out: notes, each with the line that comes nearest. What then
holds: some rule of the file has a mirror image, and in its section the one that is told alone has
none: no text says the same, or nearly the same, with the names of the sides exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping, Node, Scalar
from gdl.document.nodes import Sequence as Items
from gdl.model import Game
from interpreter.check.places import note

_LEAST_SIMILARITY = 0.6
_TOKEN = re.compile(r"\w+|[^\w\s]")
_LINE = re.compile(r"[^\n]+")
_PROGRAMS = ("turn", "phases", "actions")
_CAPTIONS = ("says", "about")
_MOST_RULES = 60


@dataclass(frozen=True)
class _Rule:
    """A text that names one of the sides, with its words."""

    span: Span
    side: int
    tokens: tuple[str, ...]


def lonely_rules(game: Game) -> Iterator[Diagnostic]:
    """Yield the rules without a mirror image."""
    by_section = [list(_rules(game, ("end",))), list(_rules(game, _PROGRAMS))]
    paired = [_pairs(rules, game.sides) for rules in by_section]
    if not any(paired):
        return
    for rules, pairs in zip(by_section, paired, strict=True):
        alone = [rule for rule in rules if rule not in pairs]
        if len(alone) == 1 and len(rules) <= _MOST_RULES:
            (rule,) = alone
            name, other = game.sides[rule.side], game.sides[1 - rule.side]
            yield note(
                "no-mirror-image",
                f"This is said of {name}, and nothing like it of {other}.",
                rule.span,
                f"See whether it should be said of {other}, too, or of whoever moves (`mover`).",
                _nearest(rule, [r for rs in by_section for r in rs], game.sides),
            )


def _rules(game: Game, keys: Sequence[str]) -> Iterator[_Rule]:
    """Yield the lines of some sections that name one side, without what comes after `#`."""
    for key in keys:
        node = game.document.get(key)
        for span in () if node is None else _lines(node):
            code = re.split(r"(?:^|\s)#", span.text, maxsplit=1)[0].rstrip()
            tokens = tuple(_TOKEN.findall(code))
            named = {token for token in tokens if token in game.sides}
            first = next((t for t in tokens if t in game.sides), None)
            if first is None or code.startswith("draw") or _has_else(span):
                continue
            if len(named) == 1 or "wins" in tokens:
                whole = Span(span.source, span.start, span.start + len(code))
                yield _Rule(whole, game.sides.index(first), tokens)


def _has_else(line: Span) -> bool:
    """Return whether what a line asks has an answer for the other side, too."""
    following = line.source.text[line.end :].split("\n")[1:]
    margin = line.column - 1
    near = (text for text in following if text.strip() and len(text) - len(text.lstrip()) <= margin)
    return next(near, "").strip().startswith("else")


def _lines(node: Node) -> Iterator[Span]:
    """Yield the lines of all texts in a part of a file, without the blanks before them."""
    if isinstance(node, Scalar):
        for line in _LINE.finditer(node.span.text):
            blanks = len(line.group()) - len(line.group().lstrip())
            start = node.span.start + line.start() + blanks
            yield Span(node.span.source, start, node.span.start + line.end())
    elif isinstance(node, Items):
        for item in node.items:
            yield from _lines(item)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if key.text not in _CAPTIONS:
                yield from _lines(value)


def _pairs(rules: list[_Rule], sides: Sequence[str]) -> set[_Rule]:
    """Return the rules that have a mirror image, each another one, the most alike first."""
    likeness = sorted(
        (
            (-found, one, other)
            for one, first in enumerate(rules)
            for other, second in enumerate(rules[:one])
            if first.side != second.side
            and (found := _similarity(first, second, sides)) >= _LEAST_SIMILARITY
        ),
    )
    paired: set[_Rule] = set()
    for _, one, other in likeness:
        if rules[one] not in paired and rules[other] not in paired:
            paired |= {rules[one], rules[other]}
    return paired


def _similarity(one: _Rule, other: _Rule, sides: Sequence[str]) -> float:
    exchanged = dict(zip(sides, reversed(sides), strict=True))
    mirrored = [exchanged.get(token, token) for token in one.tokens]
    return SequenceMatcher(None, mirrored, other.tokens, autojunk=False).ratio()


def _nearest(rule: _Rule, rules: Sequence[_Rule], sides: Sequence[str]) -> list[tuple[str, Span]]:
    others = [other for other in rules if other.side != rule.side]
    best = max(others, key=lambda other: _similarity(rule, other, sides), default=None)
    return [] if best is None else [("This comes nearest.", best.span)]
