"""Tables that number all their keys but one.

In: the texts of a game. Out: notes. What then holds: with one other number in it, the table that is
told would have each of so many numbers once, from 0 or from 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from gdl.diagnostic import Diagnostic
from gdl.document.nodes import Mapping, Scalar
from gdl.model import Game
from interpreter.check.places import note

_FEWEST = 4
_WHOLE = re.compile(r"-?\d{1,9}")


def uneven_tables(game: Game) -> Iterator[Diagnostic]:
    """Yield the tables in which one number comes twice, and the next one is missing."""
    section = game.document.get("define")
    for name, body in section.entries if isinstance(section, Mapping) else ():
        entries = _numbers(body)
        if len(entries) < _FEWEST:
            continue
        values = Counter(value for _, value in entries)
        missing = _missing(values)
        twice = next((value for value, times in values.items() if times > 1), None)
        if missing is None or twice is None:
            continue
        first, second = (key for key, value in entries if value == twice)
        yield note(
            "number-twice",
            f"`{name.text}` is {twice} for {first.text} and for {second.text}, and {missing} for"
            " nothing; its other numbers come once each.",
            second.span,
            f"Write {missing} for one of them, if each should have its own.",
            (("The other one is here.", first.span),),
        )


def _numbers(body: object) -> list[tuple[Scalar, int]]:
    """Return the keys and numbers of a table that has nothing else."""
    if not isinstance(body, Mapping):
        return []
    found = [
        (key, int(value.text))
        for key, value in body.entries
        if isinstance(value, Scalar) and _WHOLE.fullmatch(value.text.strip())
    ]
    return found if len(found) == len(body.entries) else []


def _missing(values: Counter[int]) -> int | None:
    """Return the one number that is missing from a row of numbers, of which another comes twice."""
    size = values.total()
    for first in (1, 0):
        missing = Counter(range(first, first + size)) - values
        if missing.total() == 1 and max(values) < first + size and min(values) >= first:
            return next(iter(missing))
    return None
