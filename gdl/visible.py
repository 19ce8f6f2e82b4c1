"""Characters that cannot be seen, shown: what a stranger wrote does nothing to a terminal.

In: any text. Out: the same text with escapes such as `\\x1b` for control characters, marks that
turn the direction of writing, and all others that show nothing. What then holds: printed, it moves
no cursor, changes no colour and hides or reorders nothing.
"""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing all the same (Unicode: Default_Ignorable_Code_Point), but for
those that choose between forms of the character before (U+FE00 to U+FE0F)."""


def visible(text: str) -> str:
    r"""Return a text in which each character can be seen; line breaks and blanks stay.

    >>> print(visible("red\x1b[31m \u202eabc\n"), end="")
    red\x1b[31m \u202eabc
    """
    if text.isprintable() and not _UNSEEN.search(text):
        return text
    return "\n".join(
        "".join(map(_shown, line)) if not line.isprintable() or _UNSEEN.search(line) else line
        for line in text.split("\n")
    )


def visible_line(text: str) -> str:
    r"""Return a text in one line: as `visible` does, and line breaks are escapes, too.

    >>> visible_line("one\ntwo")
    'one\\ntwo'
    """
    return visible(text).replace("\n", "\\n")


def _shown(char: str) -> str:
    is_seen = char.isprintable() and not _UNSEEN.match(char)
    if is_seen or unicodedata.category(char) == "Zs":
        return char
    number = ord(char)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
