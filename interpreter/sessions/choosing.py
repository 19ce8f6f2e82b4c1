"""A move that is chosen a word at a time, by pointing at sites or by typing.

In: the legal moves, and the words that were chosen so far. Out: what may be chosen next, and the
move once it is clear. What then holds: whatever has been chosen, some legal move has all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from gdl.data_classes import dataclass
from interpreter.evaluation.moves import Move, words


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
