"""What a person may choose next, and how that is told.

In: a position, a move that is chosen a word at a time, and whether somebody is asked. Out: the
sites and words that may come next, and sentences about them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from gdl.data_classes import dataclass
from gdl.visible import visible_line
from interpreter.explain.asking import asked_for
from interpreter.positions.position import Position
from interpreter.positions.position_text import mover_text
from interpreter.sessions.choosing import Choosing
from interpreter.sessions.entry import named_choices, words_alone

_MOST_OTHERS = 3  # words that are told with what is asked for
_MOST_NAMED = 99  # choices in a list
_MOST_LETTERS = 90  # of choices that are told in a line


@dataclass(frozen=True)
class Offers:
    """What may be chosen after what is chosen already.

    A person `is_asked` now, or a position is shown from which another move could be made
    (`is_open`).
    """

    position: Position
    choosing: Choosing
    is_asked: bool
    is_open: bool

    def sites(self) -> Iterator[int]:
        """Yield the sites that may be chosen next."""
        if not self.is_asked and not self.is_open:
            return
        board = self.position.rules.game.board
        for word in self.choosing.offers:
            site = board.index(word)
            if site is not None:
                yield site

    def words(self) -> tuple[str, ...]:
        """Return the words that may be chosen next and are no sites."""
        board = self.position.rules.game.board
        return tuple(word for word in self.choosing.offers if board.index(word) is None)

    def named(self) -> tuple[str, ...]:
        """Return what may be chosen next where that is no site: a side, a piece, yes or no."""
        if not self.is_asked:
            return ()
        return named_choices(self.position, self.choosing, _MOST_NAMED)

    @property
    def is_forced(self) -> bool:
        """Whether there is one legal move alone, and it can't be pointed at."""
        legal = self.choosing.legal
        return self.is_asked and len(legal) == 1 and not self.position.sites_of(legal[0])

    def can_follow(self, site: int | None) -> bool:
        """Whether a site can be chosen after what is chosen already."""
        return bool(self.choosing.chosen) and site in tuple(self.sites())

    def prompt(self) -> str:
        """Return who is on turn, what is chosen, and what is asked for."""
        who, chosen = mover_text(self.position), self.choosing.text
        is_only = len(self.choosing.legal) == 1
        fitting = () if is_only else self.choosing.fitting
        asked = asked_for(self.position, fitting, len(self.choosing.chosen))
        others = self.words()
        if asked and 0 < len(others) <= _MOST_OTHERS:
            asked = f"{asked}, or {' or '.join(others)}"
        if chosen:
            return f"{who}: {chosen} … {asked}".rstrip()
        if asked:
            return f"{who}, {asked}"
        alone = " or ".join(words_alone(self.position, self.choosing))
        return f"{who}, a move or {alone}" if alone else who

    def only(self) -> str:
        """Return the only move and how it is made, if there is one alone; else nothing."""
        if not self.is_asked or len(self.choosing.legal) != 1:
            return ""
        key = "Enter" if self.is_forced else "Space"
        return f"The only move is {self.choosing.legal[0]}: press {key}."

    def told(self, at: int | None = None) -> str:
        """Return what may be chosen next, in a line; the cursor is `at` a site."""
        choosing, legal, names = self.choosing, len(self.choosing.legal), self.named()
        if names and not choosing.wholes:
            listed = _listed([f"{n} {name}" for n, name in enumerate(names, start=1)])
            return f"Choose: {visible_line(listed)} Type it or its number; Enter lists them."
        if not choosing.chosen:
            if legal == 1:
                return f"Enter makes the only move: {choosing.legal[0]}."
            how = "point at a site, or type one" if any(self.sites()) else "type one"
            return f"There are {legal} legal moves: {how}."
        if len(choosing.wholes) > 1:
            return f"{len(choosing.wholes)} moves read so: type one as `moves` lists them."
        if at is not None and self.can_follow(at):
            return f"Enter chooses {self.position.rules.game.board.sites[at].name}."
        if choosing.only is not None:
            more = ", or chooses a marked site" if any(self.sites()) else ""
            return f"Enter makes the move {choosing.only}{more}."
        others = self.words()
        return f"Then: {visible_line(_listed(others))}" if others else "Then a marked site."

    def why_not(self, name: str, pieces: Mapping[str, str]) -> str:
        """Return that a site can't be chosen, and which of the `pieces` by site stands there."""
        piece = pieces.get(name)
        stands = f" There stands: {piece}." if piece is not None else ""
        begins = f" after {self.choosing.text}" if self.choosing.chosen else ""
        return f"{name} can't be chosen{begins} now.{stands}"


def _listed(texts: Sequence[str]) -> str:
    """Return texts as the end of a sentence, as many as there is room for.

    >>> _listed(["1 no", "2 yes"]), _listed(["x" * 60, "y" * 60, "z"])[58:]
    ('1 no, 2 yes.', 'xx, …')
    """
    ends = accumulate(len(text) + len(", ") for text in texts)
    shown = max(1, sum(end <= _MOST_LETTERS for end in ends))
    return ", ".join([*texts[:shown], "…"]) if shown < len(texts) else f"{', '.join(texts)}."
