"""Work that was interrupted, kept in a file until it is gone on with.

In: what solves a position, some way on. Out: a file; and from the file, what solves it as it stood.
What then holds: a file that is damaged, that another user can have written, or that belongs to
another game, position or version is not used: native code follows the numbers in it unasked.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gdl.kept import is_own
from interpreter.files import write_file
from interpreter.positions.position import Position
from interpreter.solve.graph import USED, fill_slots, is_crowded, with_more_slots
from interpreter.solve.proof_table import STORED, WORDS_OF_ENTRY, new_packed, pack, unpack
from interpreter.solve.proving import ProofSearch
from interpreter.solve.retrograde import Retrograde, Stage
from interpreter.solve.tables import usual_path

FORMAT = "gdl unfinished solving 2"
_RESUMED = (Stage.ENUMERATING, Stage.BACKWARDS)
_MOST_HEAD = 1 << 22
_CHECKSUM_BYTES = hashlib.sha256().digest_size
_MODE = 0o600


def path_of(position: Position) -> Path:
    """Return the file that keeps unfinished work on a position."""
    told = json.dumps(position.to_json(), sort_keys=True).encode()
    usual = usual_path(position.rules.game)
    return usual.with_name(f"{usual.stem}-{hashlib.blake2b(told, digest_size=6).hexdigest()}.part")


def drop(path: Path) -> None:
    """Remove the file of work that is done, if there is one that can be removed."""
    with suppress(OSError):
        path.unlink()


def keep_retrograde(path: Path, work: Retrograde) -> None:
    """Write how far an enumeration has come. Raises GameError."""
    graph, used = work.graph, int(work.graph.state[USED])
    head = {
        "kind": work.name,
        "layout": work.subject.layout,
        "symmetries": [list(symmetry) for symmetry in work.symmetries],
        "stage": (work.stage if work.stage in _RESUMED else Stage.TURNING).value,
        "levels": work.levels,
    }
    parts = (
        graph.state,
        graph.positions[: used * graph.words],
        graph.arrivals[:used],
        graph.results[:used],
    )
    _write(path, head, parts)


def keep_proofs(path: Path, work: ProofSearch, found: int = 0) -> None:
    """Write what has been proven, after so many positions were found to be too many to hold.

    Raises GameError.
    """
    head = {
        "kind": work.name,
        "layout": work.subject.layout,
        "symmetries": [list(symmetry) for symmetry in work.symmetries],
        "memory": work.memory,
        "goals": list(work.proofs),
        "found": found,
    }
    parts = []
    for proof in work.proofs.values():
        packed = new_packed(int(proof.state[STORED]))
        work.subject.call(pack, proof, packed)
        parts += [proof.state, packed.entries[: packed.count * WORDS_OF_ENTRY]]
    _write(path, head, parts)


def _write(path: Path, head: dict[str, Any], parts: Sequence[memoryview]) -> None:
    sizes = [part.nbytes for part in parts]
    line = json.dumps({"format": FORMAT, **head, "sizes": sizes}).encode() + b"\n"
    write_file(path, (line, *parts, _checksum(line, *parts)), mode=_MODE, makes_folder=True)


def _checksum(*parts: bytes | memoryview) -> bytes:
    """Return what a file ends with, so that it is known to be whole."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.digest()


def resume_retrograde(path: Path, work: Retrograde) -> bool:
    """Go on where an enumeration stood, if a file tells; return whether it does."""
    found = _read(path, work)
    if found is None:
        return False
    head, (state, positions, arrivals, results) = found
    graph = work.graph
    used = int.from_bytes(state[8 * USED : 8 * USED + 8], "little")
    if used > graph.room:
        return False
    _fill(graph.state, state)
    _fill(graph.positions, positions)
    _fill(graph.arrivals, arrivals)
    _fill(graph.results, results)
    while is_crowded(graph):
        graph = with_more_slots(graph)
    graph.slots.cast("B")[:] = bytes(graph.slots.nbytes)
    work.subject.call(fill_slots, graph, work.bench)
    work.graph, work.levels, work.stage = graph, list(head["levels"]), Stage(head["stage"])
    return True


def resume_proofs(path: Path, work: ProofSearch) -> bool:
    """Go on with what has been proven, if a file tells; return whether it does."""
    found = _read(path, work)
    if found is None or found[0]["memory"] != work.memory:
        return False
    head, parts = found
    for place, goal in enumerate(head["goals"]):
        proof = work.proof(int(goal))
        _fill(proof.state, parts[2 * place])
        proof = work.made_room(int(goal), int(proof.state[STORED]))
        packed = new_packed(int(proof.state[STORED]))
        if len(parts[2 * place + 1]) > packed.entries.nbytes:
            return False
        _fill(packed.entries, parts[2 * place + 1])
        work.subject.call(unpack, proof, packed)
    return True


def found_too_many(path: Path, work: ProofSearch) -> int:
    """Return how many positions had been found when they turned out to be too many to hold.

    It is 0 where that is not known, or was with other memory than this work has.
    """
    kept = _read(path, work)
    return kept[0].get("found", 0) if kept is not None and kept[0]["memory"] == work.memory else 0


def _fill(target: memoryview, data: memoryview) -> None:
    target.cast("B")[: len(data)] = data


def _read(
    path: Path, work: Retrograde | ProofSearch
) -> tuple[dict[str, Any], list[memoryview]] | None:
    """Return what a file tells of such work, or None."""
    if not path.is_file():  # a pipe would keep whoever opens it waiting
        return None
    try:
        with path.open("rb") as file:
            if not is_own(os.fstat(file.fileno())):
                return None
            line = file.readline(_MOST_HEAD)
            whole = memoryview(file.read())
    except OSError:
        return None
    data, checksum = whole[:-_CHECKSUM_BYTES], whole[-_CHECKSUM_BYTES:]
    if checksum != _checksum(line, data):
        return None
    head = json.loads(line)
    wanted = {
        "format": FORMAT,
        "kind": work.name,
        "layout": work.subject.layout,
        "symmetries": [list(symmetry) for symmetry in work.symmetries],
    }
    if any(head.get(name) != wanted[name] for name in wanted):
        return None
    parts, begin = [], 0
    for size in head["sizes"]:
        parts.append(data[begin : begin + size])
        begin += size
    return head, parts
