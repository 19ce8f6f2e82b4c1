"""Several answers, each of which may be unknown, as one.

In: answers, None for those that are not known. Out: all of them, or None. What then holds: an
answer that is made of several is known if each of these is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Answer = TypeVar("Answer")


def all_known(answers: Iterable[Answer | None]) -> list[Answer] | None:
    """Return answers in their order; None if one of them is not known.

    >>> all_known([1, 0]), all_known([1, None])
    ([1, 0], None)
    """
    known: list[Answer] = []
    for answer in answers:
        if answer is None:
            return None
        known.append(answer)
    return known
