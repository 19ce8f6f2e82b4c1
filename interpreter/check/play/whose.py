"""What single statements did each time: whose pieces they touched, and what they named.

In: the coverage of all games. Out: notes. What then holds: each statement that is told was carried
out many times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.diagnostic import Diagnostic
from gdl.elaborate.origins import Origins
from interpreter.check.places import note
from interpreter.check.play.coverage import Coverage

_WORD = re.compile(r"\w+")
_FEWEST = 20
_MANY = 1000
_DOES = {"move": "moved", "remove": "took", "flip": "flipped", "change": "changed"}


def whose_pieces(coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the statements that touched pieces of the side on turn as well as of another one.

    Where a statement names both, it means both. Also those that only ever flipped the pieces of the
    side on turn.
    """
    for span, (others, own) in coverage.touched.items():
        if {"own", "enemy"} <= {*_WORD.findall(span.text)}:
            continue
        verb = span.text.split(maxsplit=1)[0]
        if own >= _FEWEST and others >= _FEWEST:
            yield note(
                "own-and-enemy",
                f"This {_DOES[verb]} pieces of the side on turn {own:,} times, and of another side"
                f" {others:,} times.",
                span,
                "See whether it should be the pieces of one side alone: `own`, or `enemy`.",
            )
        elif verb == "flip" and own >= _FEWEST and not others:
            yield note(
                "only-own-lost",
                f"This flipped pieces of the side on turn, {own:,} times, and never others.",
                span,
                "See whether `own` should be `enemy`.",
            )


def always_same(coverage: Coverage, origins: Origins) -> Iterator[Diagnostic]:
    """Yield the words of turns that stood for the same each time, where nothing says so plainly."""
    for span, named in coverage.named.items():
        if named.times >= _MANY and not named.has_varied and named.value in (0, False):
            if span in origins.folded:
                continue
            yield note(
                "always-nothing",
                f"This was {'no' if named.value is False else 'nothing'} each time, {named.times:,}"
                " times.",
                span,
                "See whether it is asked for in time, and whether it says what was meant.",
            )
