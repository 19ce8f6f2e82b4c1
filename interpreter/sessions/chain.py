"""The digests of a signed game: one of what it begins with, and one up to each of its entries.

In: a record. Out: digests, each of the one before and of what is added. What then holds: two
records with the same digest have the same rules, players, moves and secrets up to there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from interpreter.sessions.record import Record
from interpreter.sessions.signing.protocol import Place, head_digest


def digests(record: Record) -> Iterator[bytes]:
    """Yield the digest of what a record begins with, and then that up to each entry."""
    digest = first_digest(record)
    yield digest
    for entry, texts in zip(record.entries, added(record), strict=True):
        digest = entry.digest(digest, texts)
        yield digest


def last_digest(record: Record) -> bytes:
    """Return the digest of all that is in a record."""
    *_, last = digests(record)
    return last


def place_of(record: Record, before: Sequence[bytes], seat: int, number: int) -> Place:
    """Return where a seat commits itself, in the entry with a number from 1, of these digests."""
    return Place(record.protocol, before[0], number, seat, before[number - 1])


def added(record: Record) -> Iterator[Sequence[str]]:
    """Yield the texts of the moves that each entry has added."""
    done = 0
    for entry in record.entries:
        yield record.moves[done : entry.moves]
        done = max(done, entry.moves)


def first_digest(record: Record) -> bytes:
    """Return the digest of what a game begins with."""
    head = [
        record.game_id,
        record.digest,
        _sorted(record.options),
        list(record.variants),
        record.start,
        _sorted({str(seat): key for seat, key in record.reserved.items()}),
    ]
    return head_digest(record.protocol, head)


def _sorted(table: Mapping[str, str]) -> list[list[str]]:
    return sorted([name, value] for name, value in table.items())
