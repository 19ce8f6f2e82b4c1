"""Names of sites: column letters and row numbers.

In: columns and rows, counted from 1. Out: names such as `c4`, and back. What then holds: the
two directions are inverse to each other, and different places have different names.
"""

from __future__ import annotations

import re
from functools import cache

_NAME = re.compile(r"([a-z]+)([1-9][0-9]*)")


@cache
def column_letters(column: int) -> str:
    """Return the letters of a column, counted from 1; columns before it have none.

    >>> [column_letters(column) for column in (1, 26, 27, 702, 703)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    letters = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def site_name(column: int, row: int) -> str:
    """Return the name of a place: its column's letters and its row's number.

    >>> site_name(3, 12)
    'c12'
    """
    return f"{column_letters(column)}{row}"


def place_of(name: str) -> tuple[int, int] | None:
    """Return the column and row that a name of letters and a number tells, or None.

    >>> place_of("aa7"), place_of("north")
    ((27, 7), None)
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("a") + 1
    return column, int(match[2])
