"""Measuring the speed of random games: who plays them, rounds taken in turn, medians, tables.

In: players, each of which plays a number of random games. Out: for each player the rounds that
it played. What then holds: rounds of different players alternate, so that a disturbance of the
machine falls on all of them; seconds are those of the processor, not of the clock.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from gdl.diagnostic import Diagnostic
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Evaluator, State
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import shipped_names
from gdl.model import Game

MOST_PLIES = 2000
"""The number of moves after which a game is left, here as in the record of the reference."""
BACKENDS = ("native", "reference")
_GROWTH = 4


@dataclass(frozen=True)
class Round:
    """What one round came to: whole games, the moves in them, seconds of the processor."""

    games: int
    moves: int
    seconds: float

    @property
    def playouts_per_second(self) -> float:
        """Whole games a second."""
        return self.games / max(self.seconds, 1e-9)

    @property
    def moves_per_second(self) -> float:
        """Moves a second."""
        return self.moves / max(self.seconds, 1e-9)


class Player(Protocol):
    """Plays random games."""

    def play(self, games: int) -> Round:
        """Play so many games, and return what they came to."""
        ...


class NotNative(Exception):
    """The native backend does not cover a game; `diagnostic` says which construct, and where."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class ReferencePlayer:
    """The reference interpreter."""

    def __init__(self, game: Game) -> None:
        self._rules: Evaluator = ReferenceRules(game)
        self._start: State = self._rules.start()
        self._chance = Chance(1)

    def play(self, games: int) -> Round:
        """Play so many games, one after the other."""
        begun = time.process_time()
        moves = sum(
            self._rules.playout(self._start, self._chance, MOST_PLIES).moves for _ in range(games)
        )
        return Round(games, moves, time.process_time() - begun)


class NativePlayer:
    """The native backend, on one thread. Raises NotNative for a game it does not cover.

    `passes` names what it may do to be quick, as `NativeRules` has it; None: all it can.
    """

    def __init__(self, game: Game, passes: Collection[str] | None = None) -> None:
        from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered

        try:
            self._rules = NativeRules(game, passes=passes)
        except Uncovered as problem:
            raise NotNative(problem.diagnostic) from None
        self._rules.compile()
        self._start = self._rules.start()
        self._seed = 0

    def play(self, games: int) -> Round:
        """Play so many games in one call, with a seed not used before."""
        self._seed += 1
        begun = time.process_time()
        tally = self._rules.playouts(self._start, games, self._seed, MOST_PLIES, threads=1)
        return Round(tally.playouts, tally.moves, time.process_time() - begun)


def player(game: Game, backend: str) -> Player:
    """Return what plays a game with one of `BACKENDS`. Raises NotNative."""
    return NativePlayer(game) if backend == "native" else ReferencePlayer(game)


# ------------------------------------------------------------------------- rounds


def enough_games(one: Player, seconds: float) -> int:
    """Return how many games a player needs to play for about so many seconds, at least one."""
    games = 1
    while True:
        trial = one.play(games)
        if trial.seconds >= seconds / _GROWTH:
            return max(1, round(games * seconds / trial.seconds))
        games *= _GROWTH


def in_turn(players: Mapping[str, Player], rounds: int, seconds: float) -> dict[str, list[Round]]:
    """Return the rounds of each player, of about so many seconds each, taken in turn."""
    games = {name: enough_games(one, seconds) for name, one in players.items()}
    played: dict[str, list[Round]] = {name: [] for name in players}
    for _ in range(rounds):
        for name, one in players.items():
            played[name].append(one.play(games[name]))
    return played


def median_round(rounds: Sequence[Round]) -> dict[str, float]:
    """Return medians of speed, and the mean length of a game, as plain data."""
    return {
        "playouts_per_second": median(r.playouts_per_second for r in rounds),
        "moves_per_second": median(r.moves_per_second for r in rounds),
        "mean_length": sum(r.moves for r in rounds) / sum(r.games for r in rounds),
    }


def median_ratio(ours: Sequence[Round], theirs: Sequence[Round]) -> float:
    """Return how many of our playouts go on one of theirs: the median over rounds side by side."""
    pairs = zip(ours, theirs, strict=True)
    return median(a.playouts_per_second / b.playouts_per_second for a, b in pairs)


# ------------------------------------------------------------------------- results


def figure(number: float | None) -> str:
    """Return a number with about three digits that count, or a dash for none.

    >>> figure(1234567.0), figure(45.67), figure(0.1234), figure(None)
    ('1,234,567', '45.7', '0.123', '-')
    """
    if number is None:
        return "-"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def text_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as text: the first column to the left, the others to the right."""
    lines = [list(heads), *(list(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def write_json(path: Path | None, data: Mapping[str, Any]) -> None:
    """Write results with what they were measured on, or nothing if there is no path."""
    if path is None:
        return
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    path.write_text(json.dumps(machine | dict(data), indent=1) + "\n", "utf-8")


# ------------------------------------------------------------------------- commands


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that every command for measuring games has."""
    parser.add_argument("--rounds", type=int, default=5, help="of each player, in turn")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each round")
    parser.add_argument("--backend", choices=BACKENDS, default=BACKENDS[0], help="who is ours")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")


def shipped(parser: argparse.ArgumentParser, names: Sequence[str]) -> Sequence[str]:
    """Return the games that are named, all if there are none; an unknown name ends the command."""
    for name in names:
        if name not in shipped_names():
            parser.error(f"there is no shipped game called {name}")
    return names or shipped_names()


def progress(what: str) -> None:
    """Tell on the terminal what has been done."""
    if sys.stderr.isatty():
        print(what, file=sys.stderr, flush=True)
