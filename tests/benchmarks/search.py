"""How fast the engine searches, and whom it beats.

In: names of games. Out: tables. `speed` tells iterations a second, and how many that is for each
random game that `gdl playout` would play in the same time; the seconds are those of the processor.
`threads` tells how many iterations two threads make in one tree while one thread makes one: in
stretches of a millisecond in which both had a processor, so that other work matters little.
`match` plays the engine against `greedy` or `random`, with so many seconds a move, seats exchanged.

    python -m tests.benchmarks.search speed hex othello
    python -m tests.benchmarks.search threads hex othello
    python -m tests.benchmarks.search match hex --against greedy --seconds 0.1 --number 20
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

from gdl.interpreter import Position, load
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.runtime.exchange import World
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.search.binding import Seat
from gdl.interpreter.search.engine import MOST_PLIES, USUAL_MEMORY, Engine
from gdl.interpreter.search.tree_search.iterations import search
from gdl.interpreter.search.worth import kept_worth
from gdl.interpreter.sessions.seats import make_player

FAST = ("hex", "othello", "breakthrough", "connect-four")
_ROUNDS = 5
_BATCH = 5000
_A_STRETCH, _A_SEARCH = 0.001, 0.15
_ALL = 0.95


def speed(name: str, seconds: float) -> tuple[float, float]:
    """Return how many iterations, and how many random games, there are in a second."""
    rules = load(name)
    engine, start = Engine(rules, seed=1), rules.start()
    engine.analyse(start, iterations=100)
    iterations, games, times = 0, 0, [0.0, 0.0]
    for seed in range(_ROUNDS):
        engine.forget()
        begun = time.process_time()
        iterations += engine.analyse(start, seconds=seconds / _ROUNDS, lines=0).iterations
        middle = time.process_time()
        times[0] += middle - begun
        while time.process_time() - middle < seconds / _ROUNDS:
            engine.native.playouts(start.state, _BATCH, seed * 1_000_000 + games, MOST_PLIES)
            games += _BATCH
        times[1] += time.process_time() - middle
    return iterations / times[0], games / times[1]


@dataclass(frozen=True)
class _Stretch:
    """When a thread searched, for how many seconds of a processor, and how often."""

    begun: float
    ended: float
    spent: float
    iterations: int

    @property
    def pace(self) -> float:
        return self.iterations / (self.ended - self.begun)

    @property
    def is_whole(self) -> bool:
        """Whether the thread had a processor all the time."""
        return self.spent > _ALL * (self.ended - self.begun)

    def lies_in(self, others: Sequence[_Stretch]) -> bool:
        shared = (min(self.ended, one.ended) - max(self.begun, one.begun) for one in others)
        return sum(max(0.0, part) for part in shared) > _ALL * (self.ended - self.begun)


def threads(name: str, seconds: float) -> tuple[float, int]:
    """Return what two threads make while one makes one iteration, and of how many stretches."""
    rules = load(name)
    engines = [Engine(rules, seed=1, threads=number) for number in (1, 2)]
    found = engines[0].analyse(rules.start(), iterations=3000, lines=0)
    size = max(5, int(found.iterations_per_second * _A_STRETCH))
    alone: list[float] = []
    together: list[float] = []
    until = time.monotonic() + _ROUNDS * seconds
    while time.monotonic() < until:
        (only,) = _stretches(engines[0], rules, size)
        alone += [stretch.pace for stretch in only if stretch.is_whole]
        first, second = _stretches(engines[1], rules, size)
        for ours, theirs in ((first, second), (second, first)):
            whole = [stretch for stretch in theirs if stretch.is_whole]
            both = (stretch for stretch in ours if stretch.is_whole and stretch.lies_in(whole))
            together += [stretch.pace for stretch in both]
    share = 2 * median(together) / median(alone) if together and alone else 0.0
    return share, len(together)


def _stretches(engine: Engine, rules: Rules, size: int) -> list[list[_Stretch]]:
    """Search anew for a moment; return the stretches of each thread, of so many iterations."""
    engine.forget()
    seats = engine._seats(rules.start().state)
    tree, found = engine._kept.take(seats[0]), [list[_Stretch]() for _ in seats]
    end = time.perf_counter() + _A_SEARCH

    def task(seat: Seat, noted: list[_Stretch]) -> Callable[[World], None]:
        records = (tree, engine.binding.code, engine.binding.fields, seat.desk)

        def work(_: World) -> None:
            while time.perf_counter() < end:
                begun, before = time.perf_counter(), time.thread_time()
                made = engine._compiled(
                    search,
                    *records,
                    engine._policy_in_time,
                    engine._worth,
                    engine._kept.tally,
                    size,
                )
                spent = time.thread_time() - before
                noted.append(_Stretch(begun, time.perf_counter(), spent, made))

        return work

    tasks = [(seat.world, task(seat, noted)) for seat, noted in zip(seats, found, strict=True)]
    engine.binding.caller.threads(tasks)
    return found


def match(name: str, against: str, seconds: float, games: int) -> list[int]:
    """Return how many games the engine has won, drawn and lost."""
    result = [0, 0, 0]
    for number in range(games):
        seat = 1 + number % 2
        seats = _against_player(name, against, seconds, seat, number)
        result[1 if not seats else 0 if seat in seats else 2] += 1
    return result


def _best(engine: Engine, position: Position, seconds: float) -> Move:
    found = engine.analyse(position, seconds=seconds, lines=0).best_move
    assert found is not None, "the engine is on turn, and the game goes on"
    return found


def _against_player(name: str, kind: str, seconds: float, seat: int, seed: int) -> Sequence[int]:
    rules = load(name)
    engine, chance = Engine(rules, seed=seed), Random(seed)
    other = make_player(kind, chance, rules)
    assert other is not None, "somebody plays"
    position = rules.start()
    while position.outcome is None:
        if position.seat is None:
            move = chance.choice(position.moves())
        elif position.seat == seat:
            move = _best(engine, position, seconds)
        else:
            move = other.choose(position)
        position = position.play(move)
    return position.outcome.seats


def engine_in_time(rules: Rules, seed: int = 0, memory: int = USUAL_MEMORY) -> Engine:
    """Return an engine, with its tuned data, that counts iterations and plays as in time."""
    worth = kept_worth(rules.game)
    games = Engine(rules, worth=worth).games_in_time
    return Engine(rules, seed=seed, memory=memory, worth=worth, games=games)


def main() -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("speed", "threads", "match"))
    parser.add_argument("games", nargs="*", default=FAST)
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--number", type=int, default=20)
    options = parser.parse_args()
    for name in options.games:
        if options.what == "speed":
            iterations, games = speed(name, options.seconds)
            share = iterations / games
            print(f"{name}: {iterations:,.0f} iterations, {games:,.0f} games, {share:.2f}")
        elif options.what == "threads":
            share, stretches = threads(name, options.seconds)
            print(f"{name}: {share:.2f} times one thread ({stretches} stretches)")
        else:
            won, drawn, lost = match(name, options.against, options.seconds, options.number)
            print(f"{name}: {won} won, {drawn} drawn, {lost} lost against {options.against}")


if __name__ == "__main__":
    main()
