"""Moves entered in steps: what can follow the words that are there already.

In: the beginning of a move, and the legal moves. Out: the words that may come next. What then
holds: each of them, written after the beginning, begins a legal move again or is one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from gdl.core.memo import Memo
from gdl.data_classes import dataclass
from gdl.interpreter.english import listed
from gdl.interpreter.evaluation.moves import Move, words
from gdl.interpreter.explain.asking import Asked, asked_for
from gdl.interpreter.positions.position import Position

_MOST_CHOICES, _MOST_ALONE = 9, 2
_MOST_OTHERS = 3  # words that are told with what is asked for
_BETWEEN_WORDS = re.compile(r"[\s,-]+")


def next_words(beginning: str, legal: Sequence[Move]) -> tuple[str, ...]:
    """Return the words that can follow `beginning` in a legal move, in the order of the moves.

    >>> moves = [Move((1, 3), "b2-b4"), Move((1, 4), "b2-b5"), Move((0, 9), "a1-c3")]
    >>> next_words("b2", moves), next_words("", moves), next_words("b2 b4", moves)
    (('b4', 'b5'), ('b2', 'a1'), ())
    """
    begun = words(beginning)
    found: dict[str, None] = {}
    for move in legal:
        for parts in move.forms:
            if len(parts) > len(begun) and parts[: len(begun)] == begun:
                found[parts[len(begun)]] = None
    return tuple(found)


def may_follow(before: str, choosing: Choosing, commands: Iterable[str]) -> tuple[str, ...]:
    """Return the words that may be typed after `before`: of moves, or at first commands."""
    whole = f"{choosing.text} {before}".strip()
    following = next_words(whole, choosing.legal)
    return following if whole else (*following, *commands)


def completed(typed: str, choosing: Choosing, commands: Iterable[str]) -> tuple[str, Sequence[str]]:
    """Return a text as far as its last word is known, and the words that this one may be.

    >>> moves = (Move((1, 3), "b2-b4"), Move((1, 4), "b2-b5"))
    >>> completed("hi", Choosing(moves), ["hint"]), completed("b2 b", Choosing(moves), [])
    (('hint ', ['hint']), ('b2 b', ['b4', 'b5']))
    """
    begun = max(typed.rfind(sign) for sign in " -,") + 1
    last = typed[begun:].lower()
    following = may_follow(typed[:begun], choosing, commands)
    found = [word for word in dict.fromkeys(following) if word.lower().startswith(last)]
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*found, strict=False))
    shared = "".join(letters[0] for letters in alike) or last
    return f"{typed[:begun]}{shared}{' ' * (len(found) == 1)}", found


def named_choices(
    position: Position, choosing: Choosing, most: int = _MOST_CHOICES
) -> tuple[str, ...]:
    """Return what may be chosen next as it is written in moves, at `most` so many.

    What is chosen already is left out; empty where a site may be chosen, too, or more than that.
    """
    board = position.rules.game.board
    if any(board.index(word) is not None for word in choosing.offered()):
        return ()
    offers = choosing.offers
    if not 1 < len(offers) <= most:
        return ()
    return _written(choosing, offers)


def _written(choosing: Choosing, said: Sequence[str]) -> tuple[str, ...]:
    """Return words as they are written in moves."""
    written = {
        word.lower(): word for move in choosing.fitting for word in _BETWEEN_WORDS.split(move.text)
    }
    return tuple(written.get(word, word) for word in said)


def moves_a_piece(beginning: str, legal: Sequence[Move]) -> bool:
    """Return whether `beginning` is the site that pieces are moved from.

    >>> moves_a_piece("b2", [Move((1, 3), "b2-b4")]), moves_a_piece("c3", [Move((1, 2), "c3 f3")])
    (True, False)
    """
    start = "-".join(words(beginning)) + "-"
    return any(move.text.lower().startswith(start) for move in legal)


def words_alone(position: Position, choosing: Choosing) -> tuple[str, ...]:
    """Return the words that are a whole move beside moves that name sites, such as `pass`, `swap`.

    Nothing if there are more than two, or if something is chosen already.
    """
    board = position.rules.game.board
    others = [text for text in dict.fromkeys(choosing.offers) if board.index(text) is None]
    is_whole = {move.text for move in choosing.legal}
    alone = tuple(word for word in others if word in is_whole)
    is_beside = len(others) < len(choosing.offers)
    return alone if is_beside and not choosing.chosen and len(alone) <= _MOST_ALONE else ()


def asked_next(position: Position, choosing: Choosing) -> Asked:
    """Return what is asked for next, about which sites, and how the board stands by then.

    Nothing is known of that where words are chosen that moves do not begin with.
    """
    if choosing.chosen and not choosing.is_beginning:
        return Asked("", frozenset(), position)
    number = len(choosing.chosen)
    return choosing.asked.of(position, lambda _: asked_for(position, choosing.fitting, number))


def asked_text(position: Position, choosing: Choosing) -> str:
    """Return what is asked for next, as it stands behind the name of who is on turn.

    At first, words that are a whole move are named beside sites.
    """
    chosen = choosing.chosen
    others = [w for w in choosing.offers if position.rules.game.board.index(w) is None]
    if not chosen and len(choosing.legal) > len(choosing.offers) == len(others) == 1:
        # All moves begin with the same word, which need not be said.
        return asked_text(position, Choosing(choosing.legal, (others[0],)))
    if chosen and len(choosing.fitting) == 1 and not choosing.wholes:
        return f": {choosing.fitting[0]} - Enter plays it"
    now = asked_next(position, choosing)
    asked = now.text
    if chosen:
        is_moved = moves_a_piece(choosing.text, choosing.legal)
        if 0 < len(others) <= _MOST_OTHERS:
            named = " or ".join(_written(choosing, others))
            joint = ": " if len(others) == len(choosing.offers) else ", or "
            asked = joint.join(filter(None, (asked, named)))
        again = ", or Enter again plays it" if len(choosing.wholes) == 1 and choosing.offers else ""
        is_site = not others and bool(choosing.offers)
        is_of_own = is_site and all(
            now.position.pieces().get(site, "").startswith(f"{position.mover} ")
            for site in choosing.offers
        )
        which = "which piece" if choosing.is_beginning else "with which piece"
        where = which if is_of_own else "where" if is_site else "and then"
        where = "to where" if is_moved else where
        text = " ".join(_written(choosing, chosen))
        return f": {text} - {asked or where}{again}"
    told = f", {asked}" if asked else ""
    if named_choices(position, choosing):
        return told
    alone = " or ".join(words_alone(position, choosing))
    if not alone:
        is_beside = not asked and 0 < len(others) <= _MOST_CHOICES and others != [*choosing.offers]
        return f", {listed(['a site', *others], 'or')}" if is_beside else told
    return f"{told}, or {alone}" if asked else f", a move or {alone}"


# ------------------------ a move that is chosen a word at a time, by pointing at sites or by typing


@dataclass(frozen=True)
class Choosing:
    """The legal moves, and the words of one of them that are chosen already, in any order.

    >>> moves = (Move((0, 1), "Black a1"), Move((1, 1), "White a1"), Move((2,), "b2-b4"))
    >>> begun = Choosing(moves).with_word("a1")
    >>> begun.offers, begun.with_word("white").move.text, begun.with_word("b4")
    (('black', 'white'), 'White a1', None)
    """

    legal: tuple[Move, ...]
    chosen: tuple[str, ...] = ()

    @cached_property
    def fitting(self) -> tuple[Move, ...]:
        """The legal moves that have all that was chosen, in their order.

        Where some begin with it, these alone.
        """
        if not self.chosen:
            return self.legal
        pairs = [(move, form) for move in self.legal for form in move.forms]
        length = len(self.chosen)
        begun = [move for move, form in pairs if form[:length] == self.chosen]
        if not begun:
            wanted = Counter(self.chosen)
            begun = [move for move, form in pairs if not wanted - Counter(form)]
        return tuple(dict.fromkeys(begun))

    @cached_property
    def asked(self) -> Memo[Position, Asked]:
        """What was found to be asked for next in a position."""
        return Memo()

    @cached_property
    def offers(self) -> tuple[str, ...]:
        """The words that may be chosen next, in the order of the moves."""
        return tuple(dict.fromkeys(self.offered()))

    def offered(self) -> Iterator[str]:
        """Yield the words that may be chosen next, some again and again."""
        forms = (form for move in self.fitting for form in move.forms)
        left = (_without(form, self.chosen) for form in forms) if self.chosen else forms
        yield from (form[0] for form in left if form)

    @cached_property
    def move(self) -> Move | None:
        """The move, if all its words are chosen and no other one is meant."""
        whole = self.wholes
        return whole[0] if len(whole) == 1 and not self.offers else None

    @cached_property
    def wholes(self) -> tuple[Move, ...]:
        """The moves of which all words are chosen."""
        own = Counter(self.chosen)
        return tuple(move for move in self.fitting if any(Counter(f) == own for f in move.forms))

    @property
    def only(self) -> Move | None:
        """The one move that is left, perhaps with words that were not chosen; None: more, or none.

        It is what a word of agreement stands for: so a forced move need not be spelled out.
        """
        if len(self.wholes) == 1:
            return self.wholes[0]
        return self.fitting[0] if len(self.fitting) == 1 else None

    def with_word(self, word: str) -> Choosing | None:
        """Return the choice with a word more; None if no legal move has that as well."""
        longer = Choosing(self.legal, (*self.chosen, *words(word)))
        return longer if longer.fitting and longer.chosen != self.chosen else None

    def without_last(self) -> Choosing:
        """Return the choice without the word that was chosen last."""
        return Choosing(self.legal, self.chosen[:-1])

    @property
    def is_beginning(self) -> bool:
        """Whether a move begins with the words that were chosen, in their order."""
        length = len(self.chosen)
        return any(form[:length] == self.chosen for move in self.fitting for form in move.forms)

    @property
    def text(self) -> str:
        """The words that were chosen."""
        return " ".join(self.chosen)


def _without(form: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a move that are left when others are taken out, each once."""
    taken, left = Counter(chosen), []
    for word in form:
        if taken[word]:
            taken[word] -= 1
        else:
            left.append(word)
    return tuple(left)
