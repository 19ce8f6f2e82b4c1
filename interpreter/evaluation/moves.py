"""Moves: the decisions of one whole turn, their text, and moves read from what people type.

In: a text and the legal moves. Out: the one move that it names. What then holds: the text of a
legal move reads as that move, in any case and with any separators, unless another legal move
has the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import field
from functools import cached_property, lru_cache
from itertools import islice, takewhile

from gdl.data_classes import dataclass
from gdl.diagnostic import Hint, Suggestion, suggest

PASS = "pass"

_WORD = re.compile(r"[^\s,:\-\u2010-\u2015\u2212]+")
"""Dashes stand between words, those that keyboards have and those that books have."""
_CAPTURE = re.compile(r"(?<=\d)x(?=[a-z])", re.IGNORECASE)
_IS_APART = re.compile(r"[\s,]+")
_BETWEEN_MOVES = re.compile(r"[,;\n]")
_READ_ALIKE = (
    "They read alike, so nobody can say which is meant. The rules can give each alternative "
    "a word: `either as NAME`, `or as NAME`."
)
_MOST_SHOWN = 8
_MOST_MEANT = 3
_LONGEST_QUOTED = 200


@dataclass(frozen=True)
class Move:
    """A whole turn.

    `decisions` has the index of each site, the number or the alternative that was chosen, in
    order; `text` is the move as people write it. `also` are further texts for the same move:
    its sites in another order.
    """

    decisions: tuple[int, ...]
    text: str
    also: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return self.text

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the move's own text."""
        return words(self.text)

    @cached_property
    def forms(self) -> tuple[tuple[str, ...], ...]:
        """The words of each text of the move: its own, and those in `also`."""
        return self.words, *map(words, self.also)


FORCED_PASS = Move((-1,), PASS)
"""The one legal move of a side that is stuck, where the rules make it pass."""


class MoveError(ValueError):
    """A text is no move that can be made: one sentence why, and a way out (or nothing)."""

    def __init__(self, message: str, hint: Hint = "") -> None:
        super().__init__(f"{message} {hint}".strip())
        self.message = message
        self.hint = hint


class UnreadableMoveError(MoveError):
    """A word of the text is not a word of any move of the game."""


class AmbiguousMoveError(MoveError):
    """Several legal moves read so."""


class IllegalMoveError(MoveError):
    """The text can be read, but the rules do not allow the move now."""


class SeveralMovesError(IllegalMoveError):
    """The text begins with a whole legal move, and what follows stands apart from it.

    `move` is that move, `rest` what follows; `has_comma` says whether a comma is between the two.
    """

    def __init__(self, message: str, move: Move, rest: str, has_comma: bool) -> None:
        super().__init__(message, f"`{move}` is a whole move; `{quoted(rest)}` is no part of it.")
        self.move = move
        self.rest = rest
        self.has_comma = has_comma

    def __reduce__(self) -> tuple[type[SeveralMovesError], tuple[str, Move, str, bool]]:
        """Return what it is made of, so that a process can tell it to another."""
        return SeveralMovesError, (self.message, self.move, self.rest, self.has_comma)


def words(text: str) -> tuple[str, ...]:
    """Return the words of a move's text, in lower case.

    An `x` between two words only joins them; the first one is a word, as any other.

    >>> words("B2-b4"), words("b2xb4"), words("b2, b4"), words("X b2"), words("b2 \\u2013 b4")
    (('b2', 'b4'), ('b2', 'b4'), ('b2', 'b4'), ('x', 'b2'), ('b2', 'b4'))
    """
    text = text.lower()
    if "x" not in text:
        return tuple(_WORD.findall(text))
    found = _WORD.findall(_CAPTURE.sub(" ", text))
    return tuple(word for place, word in enumerate(found) if word != "x" or not place)


def quoted(text: str) -> str:
    """Return a text as a message quotes it: without blanks around it, and not all of a long one.

    >>> quoted(" a1 "), quoted("a1 " * 100)[-5:]
    ('a1', 'a1 a…')
    """
    text = text.strip()
    return text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}…"


def move_texts(text: str) -> tuple[str, ...]:
    """Return the moves of a text with commas, semicolons or line breaks between them.

    >>> move_texts("a1, b2-b4; pass,")
    ('a1', 'b2-b4', 'pass')
    """
    parts = (part.strip() for part in _BETWEEN_MOVES.split(text))
    return tuple(part for part in parts if part)


@lru_cache(maxsize=16)
def words_of_all(texts: tuple[str, ...]) -> frozenset[str]:
    """Return the words of several texts; kept, for they may be those of a large board's sites.

    >>> sorted(words_of_all(("b2", "rolls 6")))
    ['6', 'b2', 'rolls']
    """
    return frozenset(word for text in texts for word in words(text))


def read_move(text: str, legal: Sequence[Move], vocabulary: tuple[str, ...]) -> Move:
    """Return the legal move that `text` names.

    `vocabulary` are the words that moves of the game are made of, besides numbers. Raises
    `UnreadableMoveError`, `AmbiguousMoveError` or `IllegalMoveError`.
    """
    wanted = words(text)
    same = [move for move in legal if move.text == text]
    found = same or [move for move in legal if wanted in move.forms]
    if len(found) == 1:
        return found[0]
    if found:
        shown = dict.fromkeys(str(move) for move in found)
        hint = f"They are: {_listed(shown)}." if len(shown) > 1 else _READ_ALIKE
        raise AmbiguousMoveError(f"`{quoted(text)}` can mean {len(found)} moves.", hint)
    _refuse_unknown_words(text, wanted, vocabulary, legal)
    message = f"`{quoted(text)}` is not a legal move."
    whole = _whole_move(wanted, legal)
    if whole is None:
        raise IllegalMoveError(message, _way_out(text, wanted, legal))
    move, number = whole
    places = list(word_places(text))
    (_, end), (start, _) = places[number - 1], places[number]
    between = text[end:start]
    if _IS_APART.fullmatch(between):
        raise SeveralMovesError(message, move, text[start:].strip(), "," in between)
    raise IllegalMoveError(message, f"`{move}` is a whole move, and none goes on from there.")


def _whole_move(wanted: tuple[str, ...], legal: Sequence[Move]) -> tuple[Move, int] | None:
    """Return the move that these words begin with, and how many of them are its own.

    Only a move that no other legal move goes on from counts: elsewhere the rest may well be meant
    as the rest of that one move.
    """
    forms = [(move, form) for move in legal for form in move.forms]
    number = _longest_beginning(wanted[:-1], (form for _, form in forms))
    begun = [(move, form) for move, form in forms if form[:number] == wanted[:number]]
    if not number or any(len(form) > number for _, form in begun):
        return None
    return begun[0][0], number


def _longest_beginning(wanted: Sequence[str], forms: Iterable[Sequence[str]]) -> int:
    """Return how many of some words one of several forms begins with, at most.

    >>> _longest_beginning(("a1", "b2", "c3"), [("a1", "b1"), ("a1", "b2", "d3")])
    2
    """
    longest = 0
    for form in forms:
        if form[:longest] == wanted[:longest]:
            further = zip(form[longest:], islice(wanted, longest, len(form)), strict=False)
            longest += sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], further))
    return longest


def word_places(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each of the words of a move's text begins and ends."""
    for place, found in enumerate(_WORD.finditer(_CAPTURE.sub(" ", text))):
        if found[0].lower() != "x" or not place:
            yield found.span()


def _refuse_unknown_words(
    text: str, wanted: tuple[str, ...], vocabulary: tuple[str, ...], legal: Sequence[Move]
) -> None:
    known = words_of_all(vocabulary) | {PASS}
    is_joint = wanted == ("x",) and "x" not in known
    if is_joint or (not wanted and text.strip()):
        raise UnreadableMoveError(
            f"`{quoted(text)}` only stands between the words of a move; it is none itself.",
            "Write the words that it joins, such as `a1-b2`.",
        )
    if not wanted:
        raise UnreadableMoveError("There is no move in an empty text.", "Write one, such as `a1`.")
    read = tuple(word for word in wanted if word in known or word.isdigit())
    if read != wanted:
        word = next(word for word in wanted if word not in read)
        without = [move.text for move in legal if read in move.forms]
        raise UnreadableMoveError(
            f"`{quoted(word)}` is neither a site of the board nor a word of a move.",
            Suggestion(without[0])
            if len(without) == 1
            else _with_gaps(word, known) or suggest(word, known) or "",
        )


def _with_gaps(word: str, known: Set[str]) -> str:
    """Return that words of a move stand apart, of one that is made of two or three known ones.

    >>> _with_gaps("e2e4", {"e2", "e4"}), _with_gaps("e2e5", {"e2", "e4"})
    ('Words of a move stand apart: `e2-e4`.', '')
    """
    longest = max(map(len, known), default=0)
    for end in range(min(len(word) - 1, longest), 0, -1):
        if word[:end] in known:
            rest = word[end:]
            parts = [rest] if rest in known else _two_of(rest, known)
            if parts:
                return f"Words of a move stand apart: `{'-'.join((word[:end], *parts))}`."
    return ""


def _two_of(word: str, known: Set[str]) -> list[str]:
    """Return the two known words that a word is made of, if it is."""
    for end in range(len(word) - 1, 0, -1):
        if word[:end] in known and word[end:] in known:
            return [word[:end], word[end:]]
    return []


def _way_out(text: str, wanted: tuple[str, ...], legal: Sequence[Move]) -> Hint:
    if not legal:
        return "The game is over."
    longer = _beginning_with(wanted, legal)
    if longer:
        return f"It goes on: {_listed(longer)}."
    if len(legal) == 1:
        return f"The only legal move is `{legal[0].text}`."
    same = sorted(wanted)
    turned = [move.text for move in legal if sorted(move.words) == same]
    if turned:
        return Suggestion(turned[0])
    fuller = _with_further_words(wanted, legal) if len(wanted) > 1 else []
    if len(fuller) == 1:
        return Suggestion(fuller[0])
    if fuller:
        return f"Did you mean {' or '.join(f'`{move}`' for move in fuller)}?"
    number = _longest_beginning(wanted[:-1], (move.words for move in legal))
    if not number:
        return ""
    others, places = _beginning_with(wanted[:number], legal), list(word_places(text))
    return f"With `{text[places[0][0] : places[number - 1][1]]}` begin: {_listed(others)}."


def _with_further_words(wanted: tuple[str, ...], legal: Sequence[Move]) -> list[str]:
    """Return the moves that have all these words, in this order, and others; none if many have."""
    found: list[str] = []
    for move in legal:
        rest = iter(move.words)
        if all(word in rest for word in wanted):
            found.append(move.text)
            if len(found) > _MOST_MEANT:
                return []
    return found


def _beginning_with(wanted: tuple[str, ...], legal: Sequence[Move]) -> list[str]:
    return [move.text for move in legal if move.words[: len(wanted)] == wanted]


def _listed(texts: Iterable[str]) -> str:
    shown = list(texts)
    more = "" if len(shown) <= _MOST_SHOWN else f" and {len(shown) - _MOST_SHOWN} more"
    return ", ".join(shown[:_MOST_SHOWN]) + more
