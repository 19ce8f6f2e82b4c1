"""How fast records are held against the rules, and in how much memory.

Run as `python -m tests.benchmarks.records [GAME]` in the project's folder; by default of chess.
Random games of at most 80 turns are written in portable game notation, once and many times over,
and `gdl trace` reads both files, each in a process of its own. Printed are the games that one more
minute of the processor adds, so that what is spent before the first game is left out, and the most
memory that each process took.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from gdl.interpreter.positions.position import Rules
from gdl.interpreter.records.writing import text_of, told
from gdl.load import load_game

TURNS = 80
_GAMES, _TIMES = 200, (5, 40)


def random_game(rules: Rules, chance: random.Random) -> str:
    """Return a random game in portable game notation, broken off after `TURNS`."""
    positions, moves = [rules.start()], []
    while not positions[-1].over and len(moves) < TURNS:
        moves.append(chance.choice(positions[-1].moves()))
        positions.append(positions[-1].play(moves[-1]))
    return text_of(told(positions, moves), "pgn")


def cost_of(command: list[str]) -> tuple[float, int]:
    """Return the processor's seconds and the most megabytes that a command takes."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise ChildProcessError(f"{' '.join(command)} ended with {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss >> 10


def main(arguments: list[str]) -> None:
    """Print what reading records of a game costs."""
    (name,) = arguments or ["chess"]
    rules, chance = Rules(load_game(name)), random.Random(1)
    games = "\n".join(random_game(rules, chance) for _ in range(_GAMES))
    with TemporaryDirectory() as folder:
        costs = []
        for times in _TIMES:
            path = Path(folder, f"{times}.pgn")
            path.write_text("\n".join([games] * times), "utf-8")
            trace = [sys.executable, "-m", "gdl.interpreter.cli", "trace", name, str(path)]
            if not costs:
                cost_of(trace)  # machine code is made, and kept
            costs.append(cost_of(trace))
            megabytes = path.stat().st_size / 1e6
            print(f"{_GAMES * times:,} games, {megabytes:.1f} MB: {costs[-1][1]} MB of memory")
    added = _GAMES * (_TIMES[1] - _TIMES[0])
    print(f"{60 * added / (costs[1][0] - costs[0][0]):,.0f} games a minute")


if __name__ == "__main__":
    main(sys.argv[1:])
