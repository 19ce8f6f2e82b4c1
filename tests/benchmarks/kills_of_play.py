"""Games under fire: `gdl play` killed at random moments, and gone on with.

Run as `python -m tests.benchmarks.kills_of_play --kills 1000` in the project's folder. Each process
is forked from this one, which has everything loaded, and plays a game of two random players, as
fast as it can; it is killed, and the next one goes on with the same game (`--resume`) until that
is over. Ends with status 1 if a game could not be gone on with, if a file was torn, or if more than
the move was lost that was being made.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from gdl.diagnostic import GameError
from gdl.interpreter.cli.commands.play import play
from gdl.interpreter.cli.parameters import OptionalRequest
from gdl.interpreter.sessions.autosave import FOLDER_VARIABLE
from gdl.interpreter.sessions.saves import read_record

GAME, OPTIONS = "hex", ["size=6"]
_LONGEST = 0.3  # seconds until a process is killed, from when it begins or plays
_AT_THE_BOARD = 0.8
"""The part of the processes that are killed after they have made a move; others at any moment."""
_STEP = 0.005
_MOST_WAITED = 60.0
_TOLD = b" plays "


def forked(out: int, seed: int, resume: bool) -> int:
    """Play in a process of its own, which writes to `out`; return its number."""
    child = os.fork()
    if child:
        return child
    os.dup2(out, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stdout = os.fdopen(1, "w", buffering=1)
    try:
        seats = ["1=random", "2=random"]
        request = OptionalRequest("" if resume else GAME, None if resume else OPTIONS)
        play(seats=seats, request=request, seed=seed, resume=resume, plain=True)
        os._exit(0)
    except BaseException:
        os._exit(9)


def killed(folder: Path, random: Random, before: int | None) -> tuple[str, int | None]:
    """Play on from `before` moves (None: a new game), and kill; return what came of it.

    What should not be begins with `!`. With it comes how many moves are kept, None if the game is
    over.
    """
    output = folder / "output"
    handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    child = forked(handle, random.randrange(10**6), before is not None)
    waited, waits = 0.0, random.random() < _AT_THE_BOARD
    while waits and waited < _MOST_WAITED and _TOLD not in output.read_bytes():
        time.sleep(_STEP)
        waited += _STEP
    time.sleep(random.random() * _LONGEST)
    os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(handle)
    told = output.read_bytes().count(_TOLD)
    if status not in (0, -signal.SIGKILL):
        return f"! ended with {status}", None
    records = sorted(folder.glob("*.yaml"))
    if not records:
        return ("killed before the first move", None) if told <= 1 else ("! nothing kept", None)
    try:
        record = read_record(records[-1])
    except GameError:
        return "! torn", None
    made = len(record.moves) - (before or 0)
    if made < 0 or not told - 1 <= made <= told:
        return f"! {told} told, {made} kept", None
    if status == 0 or record.result:
        return "played to its end", None
    return "killed at the board" if made else "killed before a move", len(record.moves)


def results(kills: int, seed: int = 0) -> Counter[str]:
    """Return how often what came of the kills."""
    random = Random(seed)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ[FOLDER_VARIABLE] = name
        before: int | None = None
        for _ in range(kills):
            told, before = killed(folder, random, before)
            found[told] += 1
            if before is None:
                for item in folder.iterdir():
                    item.unlink()
    return found


def main() -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    found = results(asked.kills, asked.seed)
    for what, number in sorted(found.items()):
        print(f"{number:6} {what}")
    return 1 if any("!" in what for what in found) else 0


if __name__ == "__main__":
    sys.exit(main())
