"""Forced wins that an engine should find.

In: names of games, all by default. Out: positions with a win in three to five plies, as lines of
JSON in `tests/tactics/`; or how many of them the engine solves. A position is found near the end of
a random game, or of one that the engine plays with so many iterations a move and some random moves;
every way of that length was looked at (`interpreter/solve/forced.py`). It is
solved if the engine moves to a position in which its side can still force a win, at most two plies
later than it could; what it says to be proven must be true in any case.

    python -m tests.benchmarks.tactics find hex othello --number 50
    python -m tests.benchmarks.tactics solve hex --seconds 1
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gdl.diagnostic import GameError
from gdl.load import shipped_names
from interpreter import Engine, ForcedWins, Position, Rules, load
from interpreter.native.runtime.rules import NativeRules
from interpreter.solve.clock import OutOfTime
from interpreter.solve.retrograde import NoRoom
from interpreter.solve.store import engine_for

FOLDER = Path(__file__).parent.parent / "tactics"
MOST_PLIES = 5
_LEAST_PLIES = 3
_LONGEST_GAME = 250
_OPENING, _RANDOM_MOVES = 4, 0.1
_SECONDS = 0.5
_SECONDS_TO_FIND = 90
_SECONDS_TO_JUDGE = 10


@dataclass(frozen=True)
class Tactic:
    """A position in which the side on turn can force a win in so many plies."""

    position: Position
    plies: int


def find(
    name: str, number: int, seconds: float, iterations: int = 0
) -> Iterator[dict[str, object]]:
    """Yield positions of a game: the moves that lead there, and in how many plies it is won.

    Games are random, or with `iterations` the engine's own; it is looked for so many `seconds`.
    """
    rules = load(name)
    native = Rules(rules.game, NativeRules(rules.game))
    search = ForcedWins(native)
    engine = engine_for(native, seed=1) if iterations else None
    chance, found, seen = random.Random(name), 0, set[Position]()
    last = time.monotonic() + seconds
    while True:
        moves, positions = _game(native, chance, engine, iterations)
        for back in range(_LEAST_PLIES, MOST_PLIES + 3):
            if found == number or time.monotonic() > last:
                return
            if back > len(moves) or not positions[-1].over:
                break
            position = positions[-1 - back]
            plies = _won_in(search, position)
            if plies is not None and plies >= _LEAST_PLIES and position not in seen:
                seen.add(position)
                found += 1
                yield {"after": ", ".join(moves[: len(moves) - back]), "plies": plies}
                break


def _won_in(search: ForcedWins, position: Position) -> int | None:
    """Return in how many plies the side on turn wins; None if that is not known."""
    try:
        solution = search.solve(position, MOST_PLIES, seconds=_SECONDS)
    except (OutOfTime, NoRoom):
        return None
    is_won = solution is not None and solution.winner == position.mover
    return solution.result.plies if solution is not None and is_won else None


def _game(
    rules: Rules, chance: random.Random, engine: Engine | None, iterations: int
) -> tuple[list[str], list[Position]]:
    """Return the moves and the positions of a game, of random moves where no engine plays."""
    positions, moves = [rules.start()], []
    while not positions[-1].over and len(moves) < _LONGEST_GAME:
        position, best = positions[-1], None
        is_random = len(moves) < _OPENING or chance.random() < _RANDOM_MOVES
        if engine is not None and not is_random:
            best = engine.analyse(position, iterations=iterations, lines=0).best_move
        move = best or chance.choice(position.moves())
        moves.append(move.text)
        positions.append(position.play(move))
    return moves, positions


def kept(name: str) -> list[Tactic]:
    """Return the positions of a game that are kept."""
    rules = load(name)
    native = Rules(rules.game, NativeRules(rules.game))
    found = []
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        told, position = json.loads(line), native.start()
        for move in told["after"].split(", "):
            position = position.play(move)
        found.append(Tactic(position, told["plies"]))
    return found


def is_solved(
    engine: Engine,
    search: ForcedWins,
    tactic: Tactic,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
) -> bool:
    """Return whether an engine finds a win. Raises AssertionError for a proof that is wrong."""
    position = tactic.position
    engine.forget()
    best = engine.analyse(position, seconds=seconds, iterations=iterations, lines=0).best
    assert best is not None
    if best.is_proven:
        assert best.value == 1, f"a won position of {position.rules.name} is said to be no win"
    after = position.play(best.move)
    try:
        found = search.solve(after, tactic.plies + 1, seconds=_SECONDS_TO_JUDGE)
    except (OutOfTime, NoRoom):
        return False
    return found is not None and found.winner == position.mover


def main() -> None:
    """Find positions, or have them solved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("find", "solve"))
    parser.add_argument("games", nargs="*")
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("--seconds", type=float, help="a position, or to find those of a game")
    parser.add_argument("--iterations", type=int, default=0, help="let the engine play")
    asked = parser.parse_args()
    if asked.what == "find":
        for name in asked.games or shipped_names():
            _keep(name, asked.number, asked.seconds or _SECONDS_TO_FIND, asked.iterations)
        return
    for name in asked.games or sorted(path.stem for path in FOLDER.glob("*.jsonl")):
        rules = load(name)
        engine, search = engine_for(rules, seed=1), ForcedWins(rules)
        tactics = kept(name)[: asked.number]
        solved = sum(
            is_solved(engine, search, one, seconds=asked.seconds or 1.0) for one in tactics
        )
        print(f"{name}: {solved} of {len(tactics)} solved", flush=True)


def _keep(name: str, number: int, seconds: float, iterations: int) -> None:
    """Find positions of a game, and write them where they are kept."""
    try:
        lines = [json.dumps(one) for one in find(name, number, seconds, iterations)]
    except GameError as error:
        print(f"{name}: {error.diagnostics[0].message}", flush=True)
        return
    if lines:
        FOLDER.mkdir(exist_ok=True)
        text = "".join(f"{line}\n" for line in lines)
        (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")
    print(f"{name}: {len(lines)} positions", flush=True)


if __name__ == "__main__":
    main()
