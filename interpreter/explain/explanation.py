"""What an answer to `why` is made of, whatever was asked.

In: rulings, made by the other modules. Out: one value, which is told as text, as JSON or as a
picture. What then holds: every ruling names a place of the file, or says why there is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.interpreter.explain.reasons import Reason
from gdl.interpreter.explain.witness import NOTHING, Witness
from gdl.interpreter.positions.position import Position


@dataclass(frozen=True)
class Ruling:
    """One thing that the rules say: a sentence, the place that says it, and why.

    `text` is the place's text as it applies here. `reasons` are conditions with their values,
    `changes` what is done, each a short sentence. `caption` is the author's own text; `words` say
    to a player what is so instead of what the rules ask for.
    """

    sentence: str
    span: Span | None = None
    text: str = ""
    reasons: tuple[Reason, ...] = ()
    changes: tuple[str, ...] = ()
    witness: Witness = NOTHING
    caption: str = ""
    words: str = ""


@dataclass(frozen=True)
class Explanation:
    """An answer: one sentence, then what the rules say.

    `about` is `legal`, `illegal`, `over`, `stuck`, `open` or `site`. `position` is
    that to be drawn. `nearest` are legal moves that are like one that is not.
    """

    about: str
    sentence: str
    position: Position
    rulings: tuple[Ruling, ...] = ()
    nearest: tuple[str, ...] = ()
    hint: str = ""
    drawn: Witness = NOTHING

    @property
    def witness(self) -> Witness:
        """All that is to be drawn."""
        found = self.drawn
        for ruling in self.rulings:
            found |= ruling.witness
        return found

    def reasons(self) -> Iterator[Reason]:
        """Yield the reasons of all rulings."""
        for ruling in self.rulings:
            yield from ruling.reasons
