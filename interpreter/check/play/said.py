"""What a file says in words, held against what was played.

In: what was seen of the game. Out: notes, with a game that shows it. What then holds: the text says
so in plain English, and the game that is told has a legal move that does otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.core.nodes import Choose
from gdl.core.walk import program_statements
from gdl.document.nodes import Scalar
from interpreter.check.finding import Finding
from interpreter.check.places import note, turn_span
from interpreter.check.play.seen import Seen

_MUST_TAKE = re.compile(
    r"\b(?:can (?:take|capture|jump),? must\b|must (?:take|capture|jump)\b"
    r"|(?:taking|capturing|captures?|jumps?|jumping) (?:is|are) (?:compulsory|mandatory|forced))",
    re.IGNORECASE,
)
_FEWEST = 5


def said_otherwise(seen: Seen) -> Iterator[Finding]:
    """Yield that a side need not take, though the text says that it must."""
    times, witness = seen.spared
    for key in ("about", "rules"):
        text = seen.game.document.get(key)
        if times < _FEWEST or not isinstance(text, Scalar):
            continue
        if _MUST_TAKE.search(" ".join(text.text.split())):
            choices = (
                s.span for s in program_statements(seen.game.program) if isinstance(s, Choose)
            )
            told = note(
                "text-differs",
                "The text says that who can take must; a move that takes nothing was legal where"
                f" others took, in {times:,} positions.",
                next((span for span in choices if span is not None), turn_span(seen.game)),
                "Mend the rule, or the text.",
                (("The text says so here.", text.span),),
            )
            yield Finding(told, None, "witnessed", witness)
            return
