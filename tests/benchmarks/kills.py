"""Saved games under fire: `gdl move` killed at random moments, and two at once in one file.

Run as `python -m tests.benchmarks.kills --kills 1000 --races 200` in the project's folder. Each
process is forked from this one, which has everything loaded; half of the kills come at a moment of
the whole command, half while it writes; half of the races begin when both have read the file.
Ends with status 1 if a move was lost that was told to be kept, if a file was torn, or if something
was left that the next move does not remove.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

from gdl.diagnostic import GameError
from gdl.interpreter import load
from gdl.interpreter.cli.commands.move import move
from gdl.interpreter.sessions import saves
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.saves import read_record, write_record
from gdl.kept import UNFINISHED

GAME, SITES = "hex", tuple(f"{column}{row}" for row in range(1, 5) for column in "abcd")
KEPT, TOLD = 0, 1
"""How a child ends: its move is kept; or it was told that another one came before."""

_TIMED = 5

_write = saves.write_file


def begun(path: Path) -> None:
    """Begin a game in a file."""
    path.unlink(missing_ok=True)
    start = load(GAME, options={"size": 4}).start()
    write_record(Record.of(start, []), path, is_new=True)


def forked(path: Path, text: str, before_writing: Callable[[], object] = lambda: None) -> int:
    """Make a move in a process of its own; return its number."""
    child = os.fork()
    if child:
        return child

    def write(*arguments: object, **named: object) -> None:
        before_writing()
        _write(*arguments, **named)  # type: ignore[arg-type]

    saves.write_file = write
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        move(path, [text])
        os._exit(KEPT)
    except GameError as error:
        os._exit(TOLD if error.diagnostics[0].code == "save-changed" else 9)
    except BaseException:
        os._exit(9)


def status_of(child: int) -> int:
    """Wait for a process; return its status, negative if a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kept_in(path: Path) -> list[str]:
    """Return the moves in a file. Raises GameError if it is torn."""
    return list(read_record(path).moves)


def seconds_of_a_move(path: Path) -> tuple[float, float]:
    """Return how long a move usually takes, and how long until it is about to be written."""
    begun(path)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        move(path, [SITES[0]])  # what it loads, each forked process has
    found = [_timed_move(path) for _ in range(_TIMED)]
    return min(whole for whole, _ in found), median(reading for _, reading in found)


def _timed_move(path: Path) -> tuple[float, float]:
    begun(path)
    ours, theirs = os.pipe()
    first = time.perf_counter()
    child = forked(path, SITES[0], lambda: os.write(theirs, b"."))
    os.read(ours, 1)
    writes = time.perf_counter()
    assert status_of(child) == KEPT
    os.close(ours)
    os.close(theirs)
    return time.perf_counter() - first, writes - first


def kill(path: Path, random: Random, whole: float, reading: float, while_writing: bool) -> str:
    """Kill a move; return what came of it, which begins with `!` if it should not be."""
    before = kept_in(path)
    text = next(site for site in SITES if site not in before)
    ours, theirs = os.pipe()
    child = forked(path, text, lambda: os.write(theirs, b"."))
    if while_writing:
        os.read(ours, 1)
        time.sleep(random.random() * max(0.0, whole - reading))
    else:
        time.sleep(random.random() * whole)
    os.kill(child, signal.SIGKILL)
    status = status_of(child)
    os.close(ours)
    os.close(theirs)
    litter = sorted({item.name for item in path.parent.iterdir()} - {path.name, UNFINISHED})
    if litter:
        return f"! {litter}"
    try:
        after = kept_in(path)
    except GameError:
        return "! torn"
    if after not in (before, [*before, text]):
        return "! lost"
    if status == KEPT and after == before:
        return "! told to be kept, and lost"
    if status == KEPT:
        return "too late"
    is_left = (path.parent / UNFINISHED).exists()
    moved = "kept" if after != before else "not made"
    return f"{moved}, for an instant unfinished" if is_left else moved


def race(path: Path, random: Random, both_have_read: bool) -> str:
    """Let two move at once; return what came of it, which begins with `!` if it should not be."""
    before = kept_in(path)
    texts = random.sample([site for site in SITES if site not in before], 2)
    read_ends, write_ends = zip(*(os.pipe() for _ in range(4)), strict=True)

    def ready(number: int) -> Callable[[], None]:
        def meet() -> None:
            if both_have_read:
                os.write(write_ends[number], b".")
                os.read(read_ends[2 + number], 1)

        return meet

    children = [forked(path, text, ready(number)) for number, text in enumerate(texts)]
    if both_have_read:
        for number in range(2):
            os.read(read_ends[number], 1)
        for number in range(2):
            os.write(write_ends[2 + number], b".")
    results = [status_of(child) for child in children]
    for end in (*read_ends, *write_ends):
        os.close(end)
    kept = {text for text, result in zip(texts, results, strict=True) if result == KEPT}
    after = kept_in(path)
    if set(results) - {KEPT, TOLD}:
        return f"! ended with {results}"
    if len(after) != len(before) + len(kept) or {*after[len(before) :]} != kept:
        return f"! {sorted(kept)} told to be kept, {after[len(before) :]} there"
    if sorted(path.parent.iterdir()) != [path]:
        return "! litter"
    return "one told" if len(kept) == 1 else "one after the other" if len(kept) == 2 else "! none"


def results(kills: int, races: int, seed: int = 0) -> Counter[str]:
    """Return how often what came of the kills and of the races."""
    random = Random(seed)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.save"
        whole, reading = seconds_of_a_move(path)
        for number in range(kills):
            if number % 12 == 0:
                begun(path)
            found[f"kill: {kill(path, random, whole, reading, number % 2 == 1)}"] += 1
        begun(path)
        if sorted(path.parent.iterdir()) != [path]:
            found["kill: ! litter after the next write"] += 1
        for number in range(races):
            if number % 6 == 0:
                begun(path)
            found[f"race: {race(path, random, number % 2 == 1)}"] += 1
    return found


def main() -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--races", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    found = results(asked.kills, asked.races, asked.seed)
    for what, number in sorted(found.items()):
        print(f"{number:6} {what}")
    return 1 if any("!" in what for what in found) else 0


if __name__ == "__main__":
    sys.exit(main())
