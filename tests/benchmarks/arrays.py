"""The speed of environments: steps a second of many games at once, with masks and planes.

    python -m tests.benchmarks.arrays [--rows N] [--seconds S] [--rounds R] [--threads T] [GAME …]
    python -m tests.benchmarks.arrays --memory MINUTES [--rows N] [--seconds S] [GAME …]
    python -m tests.benchmarks.arrays --beside openspiel|pgx [--rows N] [--seconds S] [GAME …]

In: names of games, perhaps with options (`go:size=9`), or `all`. Out: a table: decisions a second,
as a share of what is wanted, and how many times as long a move takes as in our own random games.
With `--beside`, as many decisions of OpenSpiel, called from Python, or of pgx, on the processor, in
turn with ours, in each game that it has, too. With `--memory`, how much memory the process has
after each time that all games were stepped through, each for so many seconds, in an environment
that is made for it and closed. What then holds: seconds are those of the processor; a step draws a
legal action for each row, makes it, and fills masks, planes and scalars.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from pathlib import Path
from resource import getpagesize
from statistics import median
from typing import Any

import numpy as np

from gdl.interpreter.environment import Env
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game, shipped_names
from gdl.model import Game

from .openspiel import OPENSPIEL

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

_SIZES = {"go": "go:size=9", "go superko=no": "go:size=9,superko=no"}
"""Games of `OPENSPIEL` that are smaller there than their names say."""
_OPENSPIEL: Mapping[str, str] = {
    **{_SIZES.get(name, name.replace(" ", ":")): other for name, other in OPENSPIEL.items()},
    "backgammon": "backgammon",
    "dark-hex": "dark_hex(board_size=11)",
    "phantom-tic-tac-toe": "phantom_ttt",
    "quoridor": "quoridor",
    "ultimate-tic-tac-toe": "ultimate_tic_tac_toe",
}
_PGX: Mapping[str, str] = {
    "backgammon": "backgammon",
    "chess": "chess",
    "connect-four": "connect_four",
    "go": "go_19x19",
    "go:size=9": "go_9x9",
    "hex": "hex",
    "minichess": "gardner_chess",
    "othello": "othello",
    "shogi": "shogi",
    "tic-tac-toe": "tic_tac_toe",
}
"""Names of games in OpenSpiel and in pgx, by ours."""


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


def openspiel_steps(name: str, rows: int) -> Callable[[float], float]:
    """Return what tells how many decisions OpenSpiel makes in a second, with masks and tensors."""
    import pyspiel

    game: Any = pyspiel.load_game(name)
    drawn = np.random.default_rng(1)
    has_tensor = game.get_type().provides_observation_tensor

    def begun() -> Any:
        return through_chance(game.new_initial_state())

    def through_chance(state: Any) -> Any:
        while state.is_chance_node():
            actions, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(drawn.choice(actions, p=shares)))
        return state

    states = [begun() for _ in range(min(rows, 64))]  # they are gone through one by one

    def measure(seconds: float) -> float:
        since, steps = time.process_time(), 0
        while time.process_time() - since < seconds:
            for row, state in enumerate(states):
                legal = state.legal_actions()
                state.apply_action(legal[drawn.integers(len(legal))])
                state = begun() if state.is_terminal() else through_chance(state)
                states[row] = state
                np.array(state.legal_actions_mask(), np.uint8)
                if has_tensor:
                    np.array(state.observation_tensor(state.current_player()), np.float32)
            steps += len(states)
        return steps / (time.process_time() - since)

    return measure


def pgx_steps(name: str, rows: int) -> Callable[[float], float]:
    """Return what tells how many decisions pgx makes in a second of one processor."""
    import jax  # type: ignore[import-not-found]
    import pgx  # type: ignore[import-not-found]
    from pgx.experimental import auto_reset  # type: ignore[import-not-found]

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    @jax.jit
    def go_on(state: Any, key: Any) -> Any:
        keys = jax.random.split(key, rows + 1)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(keys[0], logits, axis=1)
        return jax.vmap(step)(state, actions, keys[1:])

    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, rows))
    state = jax.block_until_ready(go_on(state, key))

    def measure(seconds: float) -> float:
        nonlocal state, key
        since, steps = time.process_time(), 0
        while not steps or time.process_time() - since < seconds:
            key, own = jax.random.split(key)
            state = jax.block_until_ready(go_on(state, own))
            steps += rows
        return steps / (time.process_time() - since)

    return measure


def tell_beside(other: str, games: Sequence[str], rows: int, seconds: float, rounds: int) -> None:
    """Measure games in turn with another program that has them, and print a table."""
    make, names = {"openspiel": (openspiel_steps, _OPENSPIEL), "pgx": (pgx_steps, _PGX)}[other]
    print(f"| game | steps a second | {other} | times as many |")
    print("|---|---:|---:|---:|")
    for name in games or names:
        theirs = make(names[name], rows)
        with Env(game_of(name), rows) as env:
            steps_a_second(env, seconds / 5)
            measured = [(steps_a_second(env, seconds), theirs(seconds)) for _ in range(rounds)]
        times = median(own / their for own, their in measured)
        own, their = map(median, zip(*measured, strict=True))
        print(f"| {name} | {own:,.0f} | {their:,.0f} | {times:,.0f} |", flush=True)


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
    parser.add_argument("games", nargs="*")
    parser.add_argument("--rows", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--memory", type=float, metavar="MINUTES")
    parser.add_argument("--beside", choices=["openspiel", "pgx"])
    given = parser.parse_args()
    if given.beside:
        tell_beside(given.beside, given.games, given.rows, given.seconds, given.rounds)
        return
    given.games = given.games or list(WANTED)
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
