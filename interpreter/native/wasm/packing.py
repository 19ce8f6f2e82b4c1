"""Data of a module, packed: tables are long, and most of their numbers go on as they began.

In: bytes. Out: fewer bytes, which `__unpack` (in `support`) makes the same of. What then holds: a
module with large tables is small, and needs nothing of its host to have them whole.

The data are words of 16 bits. A token has how many words come as they are (8 bits), a stride (8),
and how many words follow that go on (16): each is as far from the word a stride before as that is
from the one before it. So numbers that grow by rows, numbers that stay and zeros are all alike. The
words that come as they are stand behind their token.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_STRIDES = range(1, 49)
_LEAST = 3
"""How many words must go on for a token to pay."""
_MOST_LITERAL, _MOST_GOING_ON = 0xFF, 0xFFFF

_Words = NDArray[np.uint16]
_Counts = NDArray[np.int64]


def packed(data: bytes) -> bytes:
    """Return bytes that `__unpack` makes data of, with a zero more where their number is odd."""
    words = np.frombuffer(data + b"\0" * (len(data) % 2), "<u2")
    return b"".join(_tokens(words))


def _tokens(words: _Words) -> Iterator[bytes]:
    longest, stride = np.zeros(len(words), np.int64), np.ones(len(words), np.int64)
    for step in _STRIDES:
        going_on = _going_on(words, step)
        is_longer = going_on > longest
        longest[is_longer] = going_on[is_longer]
        stride[is_longer] = step
    paying = _next(longest >= _LEAST)
    place = 0
    while place < len(words):
        begin = min(int(paying[place]), place + _MOST_LITERAL)
        count = 0
        if begin < len(words) and longest[begin] >= _LEAST:
            count = min(int(longest[begin]), _MOST_GOING_ON)
        step = int(stride[begin]) if count else 0
        yield struct.pack("<BBH", begin - place, step, count) + words[place:begin].tobytes()
        place = begin + count


def _going_on(words: _Words, step: int) -> _Counts:
    """Return for each place how many words go on from there in a stride."""
    goes_on = np.zeros(len(words), bool)
    if len(words) > 2 * step:
        before, earlier = words[step:-step], words[: -2 * step]
        goes_on[2 * step :] = words[2 * step :] == before * np.uint16(2) - earlier
    return _next(~goes_on) - np.arange(len(words))


def _next(holds: NDArray[np.bool_]) -> _Counts:
    """Return for each place the next one, from it on, where something holds; else the end."""
    places = np.where(holds, np.arange(len(holds)), len(holds))
    return np.minimum.accumulate(places[::-1])[::-1]
