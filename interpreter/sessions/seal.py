"""Moves that nobody should read by chance: sealed in the file of a game that hides something.

In: the text of a move, and where it stands. Out: letters and digits that don't show it, and the
text back. What then holds: equal moves look different, and all short ones are of one length. A
seal keeps a glance at the file from giving a secret away; the file itself has all it takes to
break it, so it is no protection from a player who means to look.
"""

from __future__ import annotations

from base64 import b32decode, b32encode
from hashlib import shake_256

_MARK = "~"
_BLOCK = 15
"""Texts are filled up to a multiple of so many bytes: base 32 has no padding then."""
_CHECKED = 2


def sealed(text: str, key: str) -> str:
    """Return a text sealed under a key, another one for each move of each game.

    >>> sealed("c3", "game:1"), unsealed(sealed("c3", "game:1"), "game:1")
    ('~K4QFX3XFU6DLROPCQM5DUTA5', 'c3')
    """
    plain = text.encode()
    filled = plain + bytes(-(len(plain) + _CHECKED) % _BLOCK)
    checked = _checksum(filled, key) + filled
    return _MARK + b32encode(_mixed(checked, key)).decode()


def is_sealed(text: str) -> bool:
    """Return whether a text is one that `sealed` has made."""
    return text.startswith(_MARK)


def unsealed(text: str, key: str) -> str | None:
    """Return the text that was sealed under this key; None if it is damaged or of another key."""
    try:
        checked = _mixed(b32decode(text.removeprefix(_MARK)), key)
        filled = checked[_CHECKED:]
        return (
            filled.rstrip(b"\0").decode() if _checksum(filled, key) == checked[:_CHECKED] else None
        )
    except ValueError:
        return None


def _checksum(filled: bytes, key: str) -> bytes:
    return shake_256(key.encode() + filled).digest(_CHECKED)


def _mixed(data: bytes, key: str) -> bytes:
    stream = shake_256(key.encode()).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, stream, strict=True))
