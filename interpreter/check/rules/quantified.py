"""Captions that speak of all, and rules that ask for one, or the other way round.

In: the clauses and definitions of a game that have captions. Out: notes. What then holds: the words
stand in the caption, and the rule has no word that could say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping, Node, Sequence
from gdl.model import Game
from interpreter.check.places import note

_ALL_SAID = re.compile(r"\b(?:all|every)\b(?! the time)", re.IGNORECASE)
_ONE_SAID = re.compile(r"^(?:an? (?:side|player)\b|some\b|one of\b|any of\b)", re.IGNORECASE)
_SOME = re.compile(r"\bsome\s+\w+\s+in\b")
_EVERY = re.compile(r"\bevery\s+(?:\w+\s+)+?in\b")
_OTHERS_FOR_ALL = re.compile(r"\b(?:every|no|all|not|count|max|min|sum)\b")
_OTHERS_FOR_ONE = re.compile(r"\b(?:some|no|not|count|or)\b")


def misquantified(game: Game) -> Iterator[Diagnostic]:
    """Yield the rules that ask for one where their captions say all, or for all where one."""
    for section in ("end", "stuck", "define", "regions", "relations"):
        for rule, says in captioned(game.document.get(section)):
            code, said = rule.text, " ".join(says.text.strip("\"'").split())
            is_one = _ALL_SAID.search(said) and _SOME.search(code)
            is_all = _ONE_SAID.search(said) and _EVERY.search(code)
            if is_one and not _OTHERS_FOR_ALL.search(code):
                yield _told(
                    "The caption says that it is so of all, and this asks for one.", rule, says
                )
            elif is_all and not _OTHERS_FOR_ONE.search(code):
                yield _told("The caption speaks of one, and this asks for every one.", rule, says)


def captioned(node: Node | None) -> Iterator[tuple[Span, Span]]:
    """Yield the rules in a part of a file that have captions, with these."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from captioned(item)
    elif isinstance(node, Mapping):
        rule, says = node.get("clause") or node.get("is"), node.get("says")
        if rule is not None and says is not None:
            yield rule.span, says.span
        else:
            for _, value in node.entries:
                yield from captioned(value)


def _told(message: str, rule: Span, says: Span) -> Diagnostic:
    return note(
        "text-differs",
        message,
        rule,
        "Mend the rule, or the text.",
        (("The text says so here.", says),),
    )
