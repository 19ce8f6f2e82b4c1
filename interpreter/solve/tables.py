"""Values on disk: for each position that was solved, what it is worth and in how many plies.

In: a graph with values, or what is proven. Out: a file; and from a file, what a position is worth.
What then holds: of the positions that the table was made of, no two have the same key; a table
belongs to one digest of a game; what was changed on the disk since is not told for a result. A file
is a line of JSON, filled up with blanks, then keys of eight bytes, then results of two: an open
hash table, of which an empty place has the key 0. Last are checksums of four bytes (CRC-32): of the
line, then of each part of so many places, its keys and its results.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, refused
from gdl.interpreter.files import write_file
from gdl.interpreter.search.machine.instructions import (
    Record,
    Signs,
    Words,
    address,
    array,
    copy,
    native,
)
from gdl.interpreter.solve.backwards import VALUES
from gdl.interpreter.solve.graph import USED, Graph
from gdl.interpreter.solve.images import KEY_OF_TABLES, key
from gdl.interpreter.solve.proof_table import (
    DN,
    ENTRIES_OF_BUCKET,
    PLIES,
    PN,
    WORDS_OF_ENTRY,
    Proof,
    take_entry,
    work_of,
)
from gdl.interpreter.solve.workspace import WORD_BYTES, Bench
from gdl.kept import cache_folder
from gdl.model import Game

FORMAT = "gdl solved positions 2"
_FORMATS = FORMAT.rstrip("0123456789")
"""How a table of any version begins to tell what it is."""
_HEAD_ALIGNED = 4096
_PLACES_OF_PART = 4096
_SUM_BYTES = 4
_KEY_BYTES, _RESULT_BYTES = 8, 2
_FULL = 0.75
_BITS = 8
MOST_PLIES = (1 << 14) - 1
_MOST_HEAD = 1 << 22


class Places(Record):
    """The places of a table while it is filled: `mask` + 1 `keys`, with `results` of two bytes.

    `state` has how many are in use, and how many keys were there already.
    """

    mask: int
    keys: Words
    results: Signs
    state: Words


@native
def _put(places: Places, wanted: int, value: int, plies: int) -> None:
    """Put a result into the table."""
    place = wanted & places.mask
    while places.keys[place] != 0:
        if places.keys[place] == wanted:
            places.state[1] += 1
            return
        place = (place + 1) & places.mask
    result = min(plies, MOST_PLIES) * VALUES + value
    places.keys[place] = wanted
    places.results[2 * place] = result & 0xFF
    places.results[2 * place + 1] = result >> _BITS
    places.state[0] += 1


@native
def fill_table(places: Places, graph: Graph, bench: Bench) -> int:
    """Put all positions of a graph into a table; return how many keys were there already."""
    for number in range(graph.state[USED]):
        begin = address(graph.positions) + number * graph.words * WORD_BYTES
        copy(address(bench.least), begin, graph.words * WORD_BYTES)
        result = graph.results[number]
        _put(places, key(bench, KEY_OF_TABLES), result % VALUES, result // VALUES)
    return places.state[1]


@native
def fill_proven(places: Places, proof: Proof, won: int, lost: int) -> int:
    """Put all that is proven into a table: as `won` for the seat, or as `lost` (-1: leave it out).

    Return how many there are.
    """
    end = (proof.mask + 1) * (ENTRIES_OF_BUCKET * WORDS_OF_ENTRY)
    for entry in range(0, end, WORDS_OF_ENTRY):
        if work_of(proof, entry) > 0:
            take_entry(proof, entry)
            if proof.state[PN] == 0:
                _put(places, proof.entries[entry], won, proof.state[PLIES])
            elif proof.state[DN] == 0 and lost >= 0:
                _put(places, proof.entries[entry], lost, proof.state[PLIES])
    return places.state[0]


def new_places(number: int) -> Places:
    """Return an empty table for so many positions."""
    capacity = 1 << max(4, int(number / _FULL).bit_length())
    return Places(
        mask=capacity - 1,
        keys=array("Words", capacity),
        results=array("Signs", _RESULT_BYTES * capacity),
        state=array("Words", 2),
    )


# ------------------------------------------------------------------------- files


def folder() -> Path:
    """Return where tables are kept: `GDL_TABLES`, or a folder in the user's cache."""
    return cache_folder("tables", "GDL_TABLES")


def usual_path(game: Game) -> Path:
    """Return the file that has the table of a game, if there is one."""
    return folder() / f"{game.name[:40]}-{game.digest[:16]}.table"


@dataclass(frozen=True)
class Head:
    """What a table says of itself: the game's `digest`, the `layout` of its positions.

    `symmetries` were used, `is_exact` tells that the numbers of plies are those of the best play
    and that the table has all positions that can be reached from the one that was solved; else it
    has what was proven on the way, and plies are at most so many.
    """

    game: str
    digest: str
    layout: str
    symmetries: tuple[tuple[int, ...], ...]
    positions: int
    is_exact: bool

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "format": FORMAT,
            "game": self.game,
            "digest": self.digest,
            "layout": self.layout,
            "symmetries": [list(symmetry) for symmetry in self.symmetries],
            "positions": self.positions,
            "is_exact": self.is_exact,
        }


def write_table(path: Path, head: Head, places: Places) -> int:
    """Write a table; return its size in bytes. Raises GameError."""
    capacity = places.mask + 1
    told = json.dumps({**head.to_json(), "places": capacity}).encode()
    size = -(-(len(told) + 1) // _HEAD_ALIGNED) * _HEAD_ALIGNED
    line = told.ljust(size - 1) + b"\n"
    keys = places.keys.cast("B")[: capacity * _KEY_BYTES]
    results = places.results.cast("B")[: capacity * _RESULT_BYTES]
    sums = [zlib.crc32(line), *_sums(keys, results, range(_parts(capacity)))]
    parts = (line, keys, results, struct.pack(f"={len(sums)}I", *sums))
    write_file(path, parts, makes_folder=True)
    return sum(map(len, parts))


def _parts(places: int) -> int:
    """Return how many parts so many places have."""
    return -(-places // _PLACES_OF_PART)


def _sums(keys: memoryview, results: memoryview, parts: Sequence[int]) -> Iterator[int]:
    """Yield the checksums of parts of a table, of which all keys and results are given as bytes."""
    for part in parts:
        first, end = part * _PLACES_OF_PART, (part + 1) * _PLACES_OF_PART
        of_keys = zlib.crc32(keys[first * _KEY_BYTES : end * _KEY_BYTES])
        yield zlib.crc32(results[first * _RESULT_BYTES : end * _RESULT_BYTES], of_keys)


class TableFile:
    """A table in a file, of which only what is asked for is read."""

    def __init__(self, path: Path) -> None:
        """Open a file. Raises GameError (`damaged-table`), OSError."""
        self.path = path
        if not path.is_file():  # a pipe would keep whoever opens it waiting
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        with path.open("rb") as file:
            line = file.readline(_MOST_HEAD)
            size = os.fstat(file.fileno()).st_size
            self.head, self._places = _read_head(path, line)
            end_of_keys = len(line) + self._places * _KEY_BYTES
            end = end_of_keys + self._places * _RESULT_BYTES
            if size != end + (1 + _parts(self._places)) * _SUM_BYTES:
                raise _damaged(path, "it is not as long as it says")
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        view = memoryview(self._data)
        self._bytes = view[len(line) : end_of_keys], view[end_of_keys:end]
        self._keys, self._results = self._bytes[0].cast("q"), self._bytes[1].cast("H")
        self._sums = view[end:].cast("I")
        if self._sums[0] != zlib.crc32(line):
            raise _damaged(path, "its first line was changed")
        self._is_whole: dict[int, bool] = {}

    def find(self, wanted: int) -> tuple[int, int] | None:
        """Return the value for the first seat and the plies of the position with a key, or None.

        What lies in a part that was changed since it was written is not known.
        """
        mask = self._places - 1
        for step in range(self._places):
            place = (wanted + step) & mask
            if not self._is_part_whole(place // _PLACES_OF_PART):
                return None
            found = self._keys[place]
            if found == wanted:
                result = self._results[place]
                return result % VALUES, result // VALUES
            if found == 0:
                return None
        return None

    def _is_part_whole(self, part: int) -> bool:
        """Return whether a part is as it was written; it is gone through once."""
        if part not in self._is_whole:
            (found,) = _sums(*self._bytes, [part])
            self._is_whole[part] = found == self._sums[1 + part]
        return self._is_whole[part]


def _read_head(path: Path, line: bytes) -> tuple[Head, int]:
    try:
        told = json.loads(line)
        if told["format"] != FORMAT and told["format"].startswith(_FORMATS):
            raise _damaged(path, "another version of gdl wrote it")
        if told["format"] != FORMAT or not line.endswith(b"\n"):
            raise ValueError
        capacity = int(told["places"])
        head = Head(
            game=str(told["game"]),
            digest=str(told["digest"]),
            layout=str(told["layout"]),
            symmetries=_symmetries(told["symmetries"]),
            positions=int(told["positions"]),
            is_exact=bool(told["is_exact"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise _damaged(path, "it does not begin as one does") from None
    if capacity <= 0 or capacity & (capacity - 1):
        raise _damaged(path, "it has a wrong number of places")
    return head, capacity


def _symmetries(told: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    found = tuple(tuple(map(int, symmetry)) for symmetry in told)
    if any(sorted(symmetry) != list(range(len(symmetry))) for symmetry in found):
        raise ValueError
    return found


def _damaged(path: Path, reason: str) -> GameError:
    message = f"`{path}` is no table of solved positions: {reason}."
    return refused(Code.DAMAGED_TABLE, message, "Remove it, and solve again.")
