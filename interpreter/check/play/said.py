"""What a file says in words, held against what was played.

In: what was seen of the game. Out: notes, with a game that shows it. What then holds: the text says
so in plain English, and the game that is told has a legal move that does otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.codes import Code
from gdl.core.nodes import Choose
from gdl.core.walk import program_statements
from gdl.document.nodes import Scalar
from gdl.interpreter.check.finding import Finding
from gdl.interpreter.check.places import note, turn_span
from gdl.interpreter.check.play.seen import Seen
from gdl.model import Game

_MUST_TAKE = re.compile(
    r"\b(?:can (?:take|capture|jump),? must\b|must (?:take|capture|jump)\b"
    r"|(?:taking|capturing|captures?|jumps?|jumping) (?:is|are) (?:compulsory|mandatory|forced))",
    re.IGNORECASE,
)
_FEWEST = 5


def text_on_taking(game: Game) -> Scalar | None:
    """Return the text of a game that says of a side that it must take, if one does.

    In piles, what is taken may lie upon another piece of its side: nothing is told of them.
    """
    if game.piles is None:
        for key in ("about", "rules"):
            text = game.document.get(key)
            if isinstance(text, Scalar) and _MUST_TAKE.search(" ".join(text.text.split())):
                return text
    return None


def said_otherwise(seen: Seen) -> Iterator[Finding]:
    """Yield that a side need not take, though the text says that it must."""
    times, witness = seen.spared
    text = text_on_taking(seen.game)
    if text is not None and times >= _FEWEST:
        choices = (s.span for s in program_statements(seen.game.program) if isinstance(s, Choose))
        told = note(
            Code.TEXT_DIFFERS,
            "The text says that who can take must; a move that takes nothing was legal where"
            f" others took, in {times:,} positions.",
            next((span for span in choices if span is not None), turn_span(seen.game)),
            "Mend the rule, or the text.",
            (("The text says so here.", text.span),),
        )
        yield Finding(told, None, "witnessed", witness)
