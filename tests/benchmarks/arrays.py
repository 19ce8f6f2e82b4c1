"""The speed of environments: steps a second of many games at once, with masks and planes.

    python -m tests.benchmarks.arrays [--rows N] [--seconds S] [--rounds R] [--threads T] [GAME …]
    python -m tests.benchmarks.arrays --memory MINUTES [--rows N] [--seconds S] [GAME …]

In: names of games, perhaps with options (`go:size=9`), or `all`. Out: a table: decisions a second,
as a share of what is wanted, and how many times as long a move takes as in our own random games.
With `--memory`, how much memory the process has after each time that all games were stepped
through, each for so many seconds, in an environment that is made for it and closed. What then
holds: seconds are those of the processor; a step draws a legal action for each row, makes it, and
fills masks, planes and scalars.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Sequence
from math import exp, log
from pathlib import Path
from resource import getpagesize
from statistics import median

from gdl.interpreter.environment import Env
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game, shipped_names
from gdl.model import Game

WANTED = {
    "connect-four": 3_000_000,
    "othello": 1_500_000,
    "breakthrough": 1_300_000,
    "hex": 500_000,
    "chess": 350_000,
    "go:size=9": 280_000,
    "amazons": 200_000,
    "trellis": 500_000,
}
"""Steps a second of one core that each game has to make, with 1,024 rows."""
_GAMES, _MOST_PLIES = 200, 2000


def game_of(text: str) -> Game:
    """Return the game of a name and options behind a colon."""
    name, _, options = text.partition(":")
    return load_game(name, options=dict(each.split("=") for each in options.split(",") if each))


def steps_a_second(env: Env, seconds: float) -> float:
    """Return how many decisions an environment makes in a second of the processor's time."""
    begun, steps = time.process_time(), 0
    while time.process_time() - begun < seconds:
        env.step(env.sample())
        steps += env.n
    return steps / (time.process_time() - begun)


def moves_a_second(game: Game, seconds: float) -> float:
    """Return how many moves our own random games make in a second."""
    rules = NativeRules(game)
    rules.compile()
    start, moves, seed = rules.start(), 0, 0
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        moves += rules.playouts(start, _GAMES, seed, _MOST_PLIES).moves
        seed += 1
    return moves / (time.process_time() - begun)


def tell_memory(games: Sequence[str], rows: int, seconds: float, minutes: float) -> None:
    """Step through games again and again, and print how much memory the process has each time."""
    loaded = {name: game_of(name) for name in games}
    begun, steps = time.monotonic(), 0
    print("| minutes | steps | memory, MB |")
    print("|---:|---:|---:|")
    while (spent := (time.monotonic() - begun) / 60) < minutes:
        for game in loaded.values():
            with Env(game, rows) as env:
                until = time.process_time() + seconds
                while time.process_time() < until:
                    env.step(env.sample())
                    steps += rows
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        spent = (time.monotonic() - begun) / 60
        print(f"| {spent:.1f} | {steps:,} | {pages * getpagesize() / 1e6:.1f} |", flush=True)


def main() -> None:
    """Measure games, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(WANTED))
    parser.add_argument("--rows", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--memory", type=float, metavar="MINUTES")
    given = parser.parse_args()
    if given.games == ["all"]:
        given.games = shipped_names()
    if given.memory:
        tell_memory(given.games, given.rows, given.seconds, given.memory)
        return
    found: dict[str, dict[str, float]] = {}
    print("| game | steps a second | of what is wanted | times our own random games |")
    print("|---|---:|---:|---:|")
    for name in given.games:
        game = game_of(name)
        with Env(game, given.rows, threads=given.threads) as env:
            steps_a_second(env, given.seconds / 5)
            speed = median(steps_a_second(env, given.seconds) for _ in range(given.rounds))
        own = moves_a_second(game, given.seconds)
        wanted = WANTED.get(name)
        found[name] = {"steps": speed, "moves": own}
        share = f"{speed / wanted:.1f}" if wanted else ""
        print(f"| {name} | {speed:,.0f} | {share} | {own / speed:.1f} |", flush=True)
    mean = exp(sum(log(each["moves"] / each["steps"]) for each in found.values()) / len(found))
    print(f"| geometric mean | | | {mean:.1f} |")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
