"""Forced wins that an engine should find.

In: names of games, all by default. Out: positions with a win in three to five plies, as lines of
JSON in `tests/tactics/`; or how many of them the engine solves. A position is found near
the end of a random game, or of one that the engine plays with so many iterations a move and some
random moves, or where sides follow an aim, or are careful (`tests/benchmarks/games_to_the_end.py`);
every way of that length was looked at (`interpreter/solve/forced.py`). It is solved if the engine
moves to a position in which its side can still force a win, at most two plies later than it could,
or as soon as it claims to have proven; what it says to be proven must be true in any case.

    python -m tests.benchmarks.tactics find hex othello --number 50
    python -m tests.benchmarks.tactics find pente --careful --look 10
    python -m tests.benchmarks.tactics find hive --kept --near 20 --least 1
    python -m tests.benchmarks.tactics solve hex --seconds 1
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from unittest.mock import patch

from gdl.diagnostic import GameError
from gdl.interpreter import Engine, ForcedWins, Position, Rules, load
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.solve.clock import OutOfTime
from gdl.interpreter.solve.forced import MOST_PLIES
from gdl.interpreter.solve.retrograde import NoRoom
from gdl.interpreter.solve.store import engine_for
from gdl.load import shipped_names
from tests.benchmarks.games_to_the_end import LONGEST, OPENING, Players

FOLDER = Path(__file__).parent.parent / "tactics"
_LONGEST_WIN = 5
_LEAST_PLIES = 3
_SECONDS = 0.5
_SECONDS_TO_FIND = 90
_SECONDS_TO_JUDGE = 60


@dataclass(frozen=True)
class Tactic:
    """A position in which the side on turn can force a win in so many plies."""

    position: Position
    plies: int


def find(
    rules: Rules, players: Players, number: int, asked: argparse.Namespace
) -> Iterator[dict[str, object]]:
    """Yield so many positions: the moves that lead there, and in how many plies each is won.

    They are near the end of games, or anywhere in them, or differ from such by the last moves; the
    rest is said by what is `asked`.
    """
    found = islice(_found(ForcedWins(rules), players, asked), max(0, number))
    return ({"after": ", ".join(moves), "plies": plies} for moves, plies in found)


def _found(
    search: ForcedWins, players: Players, asked: argparse.Namespace
) -> Iterator[tuple[list[str], int]]:
    """Yield what leads to positions with a win, each once, and its plies, while there is time."""
    seen, last = set[Position](), time.monotonic() + (asked.seconds or _SECONDS_TO_FIND)

    def won_in(position: Position) -> int | None:
        plies = None if position in seen else _won_in(search, position, asked.most, asked.look)
        if plies is None or plies < asked.least:
            return None
        seen.add(position)
        return plies

    for moves, _ in _kept(players.rules.game.name) if asked.kept else ():
        for others, other in players.near(moves, _way(players.rules, moves), asked.near):
            if time.monotonic() > last:
                return
            if plies := won_in(other):
                yield others, plies
    for moves, positions in () if asked.kept else players.games():
        is_looked_at = asked.anywhere or positions[-1].over
        backs = len(moves) if asked.anywhere else min(len(moves), asked.most + 2)
        for back in range(asked.least, backs + 1 if is_looked_at else 0):
            if time.monotonic() > last:
                return
            before, to_here = moves[: len(moves) - back], positions[: len(positions) - back]
            if plies := won_in(to_here[-1]):
                yield before, plies
                for others, other in players.near(before, to_here, asked.near):
                    if plies := won_in(other):
                        yield others, plies
                break
        if time.monotonic() > last:
            return


def _kept(name: str, number: int | None = None) -> Iterator[tuple[list[str], int]]:
    """Yield the moves that lead to each position of a game that is kept, and the plies to a win."""
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[:number]:
        told = json.loads(line)
        yield told["after"].split(", "), told["plies"]


def _way(rules: Rules, moves: list[str]) -> list[Position]:
    """Return the start, and the position after each of the moves."""
    positions = [rules.start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions


def _won_in(search: ForcedWins, position: Position, most: int, look: float) -> int | None:
    """Return in how many plies the side on turn wins; None if that is not known."""
    try:
        found = search.quickest(position, most, seconds=look)
    except (OutOfTime, NoRoom):
        return None
    return None if found is None else found.result.plies


def kept(name: str, number: int | None = None) -> list[Tactic]:
    """Return the positions of a game that are kept, or the first so many."""
    rules = load(name)
    native = Rules(rules.game, NativeRules(rules.game))
    return [Tactic(_way(native, moves)[-1], plies) for moves, plies in _kept(name, number)]


def is_solved(
    engine: Engine,
    search: ForcedWins,
    tactic: Tactic,
    *,
    seconds: float,
) -> bool:
    """Return whether an engine finds a win. Raises AssertionError for a proof that is wrong."""
    position = tactic.position
    engine.forget()
    best = engine.analyse(position, seconds=seconds, lines=0).best
    assert best is not None
    claimed = (best.plies or 1) - 1 if best.is_proven else None
    assert claimed is None or best.value == 1, f"in {position.rules.name}, a win is said to be none"
    after, plies = position.play(best.move), min(max(tactic.plies + 1, claimed or 0), MOST_PLIES)
    try:
        found = search.solve(after, plies, seconds=_SECONDS_TO_JUDGE)
    except (OutOfTime, NoRoom):
        return False
    is_won = found is not None and found.winner == position.mover
    assert is_won or claimed is None or claimed > plies, f"{best.move} is said to win {position!r}"
    return is_won


@contextmanager
def by_processor() -> Iterator[None]:
    """Let clocks tell the time of the processor: what else a machine does takes none of it."""
    with patch.multiple(time, perf_counter=time.process_time, monotonic=time.process_time):
        yield


def main() -> None:
    """Find positions, or have them solved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("find", "solve"))
    parser.add_argument("games", nargs="*")
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("--seconds", type=float, help="of the processor, for a position or to find")
    parser.add_argument("--iterations", type=int, default=0, help="let the engine play")
    parser.add_argument("--aim", default="", help="what a side wants to be high after its move")
    parser.add_argument("--careful", action="store_true", help="let nobody win at once")
    parser.add_argument("--opening", type=int, default=OPENING, help="random moves to begin with")
    parser.add_argument("--longest", type=int, default=LONGEST, help="moves of a game")
    parser.add_argument("--anywhere", action="store_true", help="look at all positions of a game")
    parser.add_argument("--again", type=int, default=0, help="play the last moves so often again")
    parser.add_argument("--near", type=int, default=0, help="try so many with other last moves")
    parser.add_argument("--kept", action="store_true", help="begin with what is kept, not games")
    parser.add_argument("--stifle", action="store_true", help="leave few moves to the other side")
    parser.add_argument("--weak", action="store_true", help="one side plays at random")
    parser.add_argument("--least", type=int, default=_LEAST_PLIES, help="plies of a win")
    parser.add_argument("--most", type=int, default=_LONGEST_WIN, help="plies of a win")
    parser.add_argument("--look", type=float, default=_SECONDS, help="seconds for a position")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.what == "find":
        for name in asked.games or shipped_names():
            _keep(name, asked)
        return
    for name in asked.games or sorted(path.stem for path in FOLDER.glob("*.jsonl")):
        rules = load(name)
        engine, search = engine_for(rules, seed=1), ForcedWins(rules)
        tactics = kept(name, asked.number)
        solved = [is_solved(engine, search, one, seconds=asked.seconds or 1) for one in tactics]
        missed = "".join(f" {n}" for n, found in enumerate(solved, 1) if not found)
        told = f"; not those of line{missed}" if missed else ""
        print(f"{name}: {sum(solved)} of {len(tactics)} solved{told}", flush=True)


def _keep(name: str, asked: argparse.Namespace) -> None:
    """Find positions of a game, and add them where they are kept, each as soon as it is found."""
    path, chance = FOLDER / f"{name}.jsonl", random.Random(f"{name} {asked.seed}")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    try:
        loaded = load(name)
        rules = Rules(loaded.game, NativeRules(loaded.game))
        players = Players(
            rules,
            chance,
            engine=engine_for(rules, seed=1) if asked.iterations else None,
            iterations=asked.iterations,
            aim=asked.aim,
            search=ForcedWins(rules) if asked.careful else None,
            opening=asked.opening,
            longest=asked.longest,
            again=asked.again,
            weak=asked.weak,
            stifle=asked.stifle,
        )
        FOLDER.mkdir(exist_ok=True)
        for one in find(rules, players, asked.number - len(lines), asked):
            line = json.dumps(one)
            if line not in lines:
                lines.append(line)
                text = "".join(f"{line}\n" for line in lines)
                path.write_text(text, encoding="utf-8")
    except GameError as error:
        print(f"{name}: {error.diagnostics[0].message}", flush=True)
        return
    print(f"{name}: {len(lines)} positions", flush=True)


if __name__ == "__main__":
    with by_processor():
        main()
