"""The text of a record as lines that can be mailed.

In: a record's text. Out: lines of letters and digits; or from a mail with such lines to the text.
What then holds: marks of quotation, line breaks and white space that mail programs add do no harm;
a block that was damaged otherwise is told.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode

from gdl.diagnostic import Diagnostic, GameError, Source

_BEGIN, _END = "-----BEGIN GDL GAME-----", "-----END GDL GAME-----"
_COLUMNS = 64
_QUOTED = re.compile(r"^[^\n]*>", re.MULTILINE)


def block(text: str) -> str:
    """Return the text of a record as lines that can be mailed.

    >>> block("game: x").splitlines()[0], unblocked(Source("mail", block("game: x")), 99).text
    ('-----BEGIN GDL GAME-----', 'game: x')
    """
    letters = b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    lines = [letters[at : at + _COLUMNS] for at in range(0, len(letters), _COLUMNS)]
    return "\n".join([_BEGIN, *lines, _END])


def is_mail(text: str) -> bool:
    """Return whether there is a record as `block` has written it in a text."""
    return _BEGIN in text


def unblocked(source: Source, largest: int) -> Source:
    """Return the text of the record in a mail, of so many bytes at most.

    Of several, as in an answer that quotes what it answers, the longest is taken: games grow.
    Raises GameError (`damaged-mail`).
    """
    inside = [part.partition(_END) for part in source.text.split(_BEGIN)[1:]]
    letters, is_whole = max(
        (("".join(_QUOTED.sub("", part).split()), bool(end)) for part, end, _ in inside),
        key=lambda found: len(found[0]),
    )
    try:
        packed = b64decode(letters + "=" * (-len(letters) % 4), validate=True)
        decompressor = zlib.decompressobj()
        data = decompressor.decompress(packed, largest)
        if is_whole and decompressor.eof:
            return Source(source.name, data.decode())
    except (ValueError, zlib.error):
        pass
    message = f"The game in `{source.name}` is damaged: a part is missing or was changed."
    hint = f"Copy all from `{_BEGIN}` to `{_END}`."
    raise GameError([Diagnostic("damaged-mail", message, None, hint)])
