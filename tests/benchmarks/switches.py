"""Whether a switch of the engine pays: games against the engine with other switches.

In: names of games, with options, and switches. Out: a line of JSON a game of points, of the first
player, until a sequential test has decided or so many games are played. Both have equal processor
time: the first has as many iterations a move as take the time that the second needs for its own.
Openings are drawn, and each is played from both seats. `--as-shipped`, the first has its tuned data
and usual switches, the other is the plain search by UCT; without names, in all shipped games of
two sides that see everything. `--by-clock`, both have these seconds for each move in place of a
number of iterations, so that the first looks for quick wins, as it does when it is played against.

    python -m tests.benchmarks.switches hex:size=9 y --switches '{}' --against '{"amaf": false}'
    python -m tests.benchmarks.switches --as-shipped --seconds 0.03 --number 12
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gdl.interpreter import Engine, load
from gdl.interpreter.matches.sprt import SequentialTest
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.memory.tree import NEVER
from gdl.interpreter.solve.store import QuickWins
from gdl.load import shipped_names
from tests.benchmarks.search import engine_in_time

_MEMORY = 64 << 20
_LONGEST_GAME = 400
_LONGEST_OPENING = 4
_TEST = SequentialTest(0, 70)
_MEASURED_MOVES = 3
_FIRST_ITERATIONS = 16


@dataclass
class Player:
    """An engine, and how much time its iterations took so far; or how long it has for a move."""

    engine: Engine
    seconds: float = 0.0
    iterations: int = 0
    seconds_a_move: float | None = None

    @property
    def pace(self) -> float:
        """Seconds of the processor that an iteration takes."""
        return self.seconds / max(1, self.iterations)

    def measure(self, position: Position, seconds: float) -> int:
        """Find out how long an iteration takes; return how many are made in so many seconds."""
        number = _FIRST_ITERATIONS
        while self.seconds < seconds:
            self.engine.forget()
            begun = time.process_time()
            found = self.engine.analyse(position, iterations=number, lines=0).iterations
            self.seconds, self.iterations = time.process_time() - begun, max(1, found)
            if found < number // 2:
                break
            number *= 2
        return max(_FIRST_ITERATIONS, int(seconds / self.pace))

    def play(self, position: Position, iterations: int) -> Position:
        """Return the position after the move that is found."""
        if self.seconds_a_move is not None:
            found = self.engine.analyse(position, seconds=self.seconds_a_move, lines=0)
            assert found.best_move is not None
            return position.play(found.best_move)
        begun = time.process_time()
        found = self.engine.analyse(position, iterations=iterations, lines=0)
        if found.iterations > iterations // 2:
            self.seconds += time.process_time() - begun
            self.iterations += found.iterations
        assert found.best_move is not None
        return position.play(found.best_move)


def players_of(
    name: str, one: Mapping[str, object], other: Mapping[str, object]
) -> tuple[Rules, list[Player]]:
    """Return the rules of a game, and two players with these switches."""
    base, _, options = name.partition(":")
    rules = load(base, dict(pair.split("=") for pair in options.split("+") if pair))
    return rules, [
        Player(Engine(rules, memory=_MEMORY, **switches))  # type: ignore[arg-type]
        for switches in (one, other)
    ]


def points(
    rules: Rules, players: Sequence[Player], iterations: int, most: int
) -> tuple[list[float], float]:
    """Return the points of the first player in each game, and its pace as part of the other's."""
    native = Rules(rules.game, players[0].engine.native)
    chance, found = random.Random(rules.game.name), list[float]()
    while len(found) < most and not _TEST.verdict(found):
        opening = _opening(native, chance)
        for seats in (players, players[::-1]):
            found.append(_points(opening, seats, players, iterations, chance))
    return found, players[1].pace / max(players[0].pace, 1e-9)


def _opening(rules: Rules, chance: random.Random) -> Position:
    while True:
        position = rules.start()
        for _ in range(chance.randint(1, _LONGEST_OPENING)):
            if not position.over:
                position = position.play(chance.choice(position.moves()))
        if not position.over:
            return position


def _points(
    position: Position,
    seats: Sequence[Player],
    players: Sequence[Player],
    iterations: int,
    chance: random.Random,
) -> float:
    """Play a game; return the points of the first of the players."""
    for player in players:
        player.engine.begin(chance.getrandbits(32))
    are_measured = all(p.iterations > _MEASURED_MOVES * iterations for p in players)
    for _ in range(_LONGEST_GAME):
        if position.over:
            break
        if position.seat is None:
            position = position.play(chance.choice(position.moves()))
            continue
        player, number = seats[position.seat - 1], iterations
        if are_measured and player is players[0]:
            number = max(8, int(iterations * players[1].pace / player.pace))
        position = player.play(position, number)
    outcome = position.outcome
    winners = () if outcome is None else outcome.seats
    return float(seats[winners[0] - 1] is players[0]) if len(winners) == 1 else 0.5


def as_shipped(name: str, seconds: float, most: int) -> tuple[list[float], float, int]:
    """Play a game as it is shipped against the plain search; return also how much that searches."""
    rules = load(name)
    plain = Engine(rules, memory=_MEMORY, amaf=False, split=NEVER, games=1)
    players = [Player(engine_in_time(rules, memory=_MEMORY)), Player(plain)]
    iterations = [player.measure(rules.start(), seconds) for player in players][1]
    return *points(rules, players, iterations, most), iterations


def by_clock(name: str, seconds: float, most: int) -> list[float]:
    """Play a game as it is shipped, quick wins included, against the plain search."""
    rules = load(name)
    shipped = engine_in_time(rules, memory=_MEMORY)
    shipped.wins = QuickWins(rules, shipped)
    plain = Engine(rules, memory=_MEMORY, amaf=False, split=NEVER, games=1)
    players = [Player(engine, seconds_a_move=seconds) for engine in (shipped, plain)]
    return points(rules, players, 0, most)[0]


def _is_open(name: str) -> bool:
    game = load(name).game
    return len(game.sides) == 2 and not game.hides


def main() -> None:
    """Print a line of JSON for each game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*")
    parser.add_argument("--switches", type=json.loads, default={})
    parser.add_argument("--against", type=json.loads, default={"amaf": False})
    parser.add_argument("--as-shipped", action="store_true")
    parser.add_argument("--by-clock", action="store_true")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=0.03)
    parser.add_argument("--number", type=int, default=40)
    options = parser.parse_args()
    for name in options.games or filter(_is_open, shipped_names()):
        asked: dict[str, object]
        if options.by_clock:
            found, asked = (
                by_clock(name, options.seconds, options.number),
                {"seconds": options.seconds},
            )
        elif options.as_shipped:
            found, pace, iterations = as_shipped(name, options.seconds, options.number)
            asked = {"pace": round(pace, 2), "iterations": iterations}
        else:
            rules, players = players_of(name, options.switches, options.against)
            found, pace = points(rules, players, options.iterations, options.number)
            asked = {"pace": round(pace, 2), "iterations": options.iterations}
            asked |= {"switches": options.switches}
        told = {"game": name, "points": sum(found), "games": len(found)}
        print(json.dumps(told | {"verdict": _TEST.verdict(found)} | asked), flush=True)


if __name__ == "__main__":
    main()
