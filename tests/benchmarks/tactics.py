"""Forced wins that an engine should find.

In: names of games. Out: positions with a win in at most five plies, as lines of JSON in
`tests/tactics/`; or how many of them the engine solves. A position is found near the end of a
random game, and a proof that the side on turn can force a win stands behind each. It is solved if
the engine proves a win, or moves to a position that is proven to be lost for the other side; what
it says to be proven must be true in any case.

    python -m tests.benchmarks.tactics find hex othello --number 50
    python -m tests.benchmarks.tactics solve hex --seconds 1
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

from gdl.diagnostic import GameError
from interpreter import Engine, Position, Rules, load
from interpreter.native.runtime.rules import NativeRules
from interpreter.solve.clock import OutOfTime
from interpreter.solve.proving import Unsettled
from interpreter.solve.solver import Solver

FOLDER = Path(__file__).parent.parent / "tactics"
MOST_PLIES = 5
_LEAST_PLIES = 3
_LONGEST_GAME = 400
_SECONDS = 0.5
_MOST_GAMES = 2000
_SECONDS_TO_JUDGE = 30


def find(name: str, number: int) -> Iterator[dict[str, object]]:
    """Yield positions of a game: the moves that lead there, and in how many plies it is won."""
    rules = load(name)
    native = Rules(rules.game, NativeRules(rules.game))
    solver = Solver(rules, method="proof", memory=256 << 20)
    chance, found = random.Random(name), 0
    seen = set()
    for _ in range(_MOST_GAMES):
        moves, positions = _game(native, chance)
        for back in range(_LEAST_PLIES, MOST_PLIES + 3):
            if back > len(moves) or found == number:
                break
            position = positions[-1 - back]
            try:
                solution = solver.solve(position, seconds=_SECONDS)
            except (OutOfTime, Unsettled):
                continue
            plies = solution.result.plies
            is_won = solution.winner == position.mover and plies is not None
            if is_won and _LEAST_PLIES <= (plies or 0) <= MOST_PLIES and position not in seen:
                seen.add(position)
                found += 1
                yield {"after": ", ".join(moves[: len(moves) - back]), "plies": plies}
                break
        if found == number:
            return


def _game(rules: Rules, chance: random.Random) -> tuple[list[str], list[Position]]:
    """Return the moves and the positions of a random game."""
    positions, moves = [rules.start()], []
    while not positions[-1].over and len(moves) < _LONGEST_GAME:
        move = chance.choice(positions[-1].moves())
        moves.append(move.text)
        positions.append(positions[-1].play(move))
    return moves, positions


def kept(name: str) -> list[Position]:
    """Return the positions of a game that are kept."""
    rules = load(name)
    native = Rules(rules.game, NativeRules(rules.game))
    found = []
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        position = native.start()
        for move in json.loads(line)["after"].split(", "):
            position = position.play(move)
        found.append(position)
    return found


def is_solved(
    engine: Engine,
    solver: Solver,
    position: Position,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
) -> bool:
    """Return whether an engine finds a win. Raises AssertionError for a proof that is wrong."""
    engine.forget()
    best = engine.analyse(position, seconds=seconds, iterations=iterations, lines=0).best
    assert best is not None
    if best.is_proven:
        assert best.value == 1, f"a won position of {position.rules.name} is said to be no win"
    after = position.play(best.move)
    try:
        return solver.solve(after, seconds=_SECONDS_TO_JUDGE).winner == position.mover
    except (OutOfTime, Unsettled):
        return False


def main() -> None:
    """Find positions, or have them solved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("find", "solve"))
    parser.add_argument("games", nargs="+")
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1.0)
    asked = parser.parse_args()
    for name in asked.games:
        if asked.what == "find":
            try:
                lines = [json.dumps(one) for one in find(name, asked.number)]
            except GameError as error:
                print(f"{name}: {error.diagnostics[0].message}", flush=True)
                continue
            if lines:
                FOLDER.mkdir(exist_ok=True)
                text = "".join(f"{line}\n" for line in lines)
                (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")
            print(f"{name}: {len(lines)} positions", flush=True)
        else:
            rules = load(name)
            engine = Engine(rules, seed=1)
            solver = Solver(rules, method="proof", memory=256 << 20)
            positions = kept(name)[: asked.number]
            solved = sum(is_solved(engine, solver, one, seconds=asked.seconds) for one in positions)
            print(f"{name}: {solved} of {len(positions)} solved", flush=True)


if __name__ == "__main__":
    main()
