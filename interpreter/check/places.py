"""Places, texts and rules in a file, and warnings and notes at them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gdl.codes import Code
from gdl.core.nodes import Const
from gdl.core.types import SITES
from gdl.diagnostic import Diagnostic, GameError, Span
from gdl.document.nodes import Mapping, Node, Scalar, Sequence
from gdl.elaborate.pieces.hand_words import HAND
from gdl.elaborate.sections.sections import readable
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in

PROGRAMS = dict.fromkeys(("turn", "phases", "actions", "together"), "program")
"""The sections of a file that are programs, for `parsed_rules`."""
RULES = {**PROGRAMS, "define": "expression", "end": "clause", "stuck": "stuck_clause"}
"""All sections of a file that have rules in them, for `parsed_rules`."""
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)


def warning(
    code: Code,
    message: str,
    span: Span | None,
    hint: str,
    related: Iterable[tuple[str, Span]] = (),
) -> Diagnostic:
    """Return what is hardly meant."""
    return Diagnostic(code, message, span, hint, "warning", tuple(related))


def note(
    code: Code,
    message: str,
    span: Span | None,
    hint: str,
    related: Iterable[tuple[str, Span]] = (),
) -> Diagnostic:
    """Return what may be meant, and is worth a look."""
    return Diagnostic(code, message, span, hint, "note", tuple(related))


def key_span(game: Game, *keys: str) -> Span | None:
    """Return where the first of some keys stands that the file has."""
    for key in keys:
        entry = game.document.entry(key)
        if entry is not None:
            return entry[0].span
    return None


def key_or_file_span(game: Game, *keys: str) -> Span:
    """Return where the first of some keys stands that the file has, else the whole file."""
    return key_span(game, *keys) or game.document.span


def turn_span(game: Game) -> Span:
    """Return where the file begins to say what one does in a turn."""
    return key_or_file_span(game, "turn", "phases", "game")


def word_span(game: Game, key: str, word: str) -> Span | None:
    """Return where a word stands in the value of a key, else that of the key."""
    return word_in(game, key, word) or key_span(game, key)


def word_in(game: Game, key: str, word: str) -> Span | None:
    """Return where a word stands in the value of a key; None if it does not."""
    entry = game.document.entry(key)
    if entry is None:
        return None
    whole = entry[1].span
    found = re.search(rf"\b{re.escape(word)}\b", whole.text)
    if found is None:
        return None
    return Span(whole.source, whole.start + found.start(), whole.start + found.end())


def without_comments(text: str) -> str:
    """Return a text of the file with blanks in place of its comments: all else stays in place.

    >>> without_comments("pass # no move")
    'pass          '
    """
    return _COMMENT.sub(lambda comment: " " * len(comment[0]), text)


def rule_texts(node: Node | None) -> Iterator[Scalar]:
    """Yield the texts of rules in a part of a file: all but captions."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from rule_texts(item)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if key.text != "says":
                yield from rule_texts(value)


def statements_by_place(*games: Game) -> dict[Span, t.Node]:
    """Return the statements of games' programs, as their files have them, by their places."""
    programs = (part for game in games for parts in parsed_rules(game, PROGRAMS) for part in parts)
    found: dict[Span, t.Node] = {}
    for node in nodes_in(programs):
        found.setdefault(node.span, node)
    return found


def moves_on_board(statement: t.Node | None) -> bool:
    """Return whether a statement moves pieces to sites of the board, not to a hand or a pile."""
    if not isinstance(statement, t.MovePiece) or statement.way != "to":
        return False
    return not any(isinstance(one, t.Name) and one.name == HAND for one in nodes_in([statement]))


def known_sites(game: Game, span: Span, side: int | None = None) -> int | None:
    """Return the set of sites that a text is, for a side; None if it is not known before play."""
    try:
        value = game.words.expression(span, side)
    except GameError:
        return None
    return int(value.value) if isinstance(value, Const) and value.type == SITES else None


def said_by_side(game: Game, section: str) -> dict[str, dict[str, tuple[Span, Scalar]]]:
    """Return what a section says for each side: by word and side, the head's place, and the rule.

    Words that are not said of all sides are left out.
    """
    node, found = game.document.get(section), dict[str, dict[str, tuple[Span, Scalar]]]()
    for key, body in node.entries if isinstance(node, Mapping) else ():
        name, _, rest = key.text.partition("(")
        side = rest.removesuffix(")").strip()
        if isinstance(body, Mapping):
            body = body.get("is") or body
        if isinstance(body, Scalar) and side in game.sides:
            found.setdefault(name.strip(), {})[side] = key.span, body
    return {name: said for name, said in found.items() if len(said) == len(game.sides)}


def parsed_rules(game: Game, entries: dict[str, str]) -> Iterator[tuple[t.Node, ...]]:
    """Yield the rules in sections of a file: by section, the part of the grammar that they are.

    Of a program, its statements are yielded together; of what can't be read, nothing.
    """
    for section, entry in entries.items():
        for text in rule_texts(game.document.get(section)):
            found = readable(text, entry)
            parts = found if isinstance(found, tuple) else (found,)
            yield tuple(part for part in parts if isinstance(part, t.Node))
