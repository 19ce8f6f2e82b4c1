"""What each way of making machine code fast gains: games with all of them, and with all but one.

In: games, each perhaps with options. Out: a line a game with a column a way: how many random games
are played with all ways in the time that one takes without it, and the same as JSON. What then
holds: all players of a game took turns, in the same run; figures are medians of ratios of rounds
side by side, in seconds of the processor. A figure of 1 says that the way gains nothing there.

The ways are the passes over the core (`gdl.optimise.PASSES`), the choices of code
(`gdl.interpreter.native.choices.CHOICES`), and those of `UNNAMED`, which only this measurement can
leave out. One of these gains nothing and costs something: `looks`, by which work is counted and
stopped.

Run it as `python -m tests.benchmarks.gains [--json FILE] [GAME | GAME,OPTION=VALUE,... ...]`.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from gdl.analysis.bounds_of_ways import BoundsOfWays, WaysOn
from gdl.analysis.views import Pool
from gdl.core.nodes import Block, Choose
from gdl.diagnostic import GameError
from gdl.interpreter.native.choices import CHOICES
from gdl.interpreter.native.memory.work_checks import Polls
from gdl.load import load_game
from gdl.model import Game
from gdl.optimise import PASSES
from gdl.optimise.algebra.terms import Terms

from . import measure
from .measure import NativePlayer, NotNative, Round

ALL = "all"
USUAL = (
    "amazons",
    "blocs",
    "breakthrough",
    "connect-four",
    "go",
    "gomoku",
    "hex",
    "hex,size=19",
    "lines-of-action",
    "nine-mens-morris",
    "othello",
    "quadrant-hex",
    "taifas",
    "tic-tac-toe",
    "trellis",
    "trichet,tiles=24",
    "troll",
)
"""The games that are measured if none is named: each way matters to some of them."""


def _never_in_place(block: Block, weights: WaysOn, terms: Terms, best: object) -> None:
    """Draw no turn's move in place, so that a search finds each random move."""


def _never_counted(block: Block, terms: Terms) -> None:
    """Count no turn's ways in place."""


def _as_it_is(block: Block, terms: Terms) -> Block:
    """Leave effects before the choices of a turn."""
    return block


def _no_room(function: object, shared: object) -> None:
    """Gather no ways that have the best value: count them, and look for the one that is drawn."""


def _called(ply: object) -> bool:
    """Call the function of a long turn's random moves where games are played."""
    return False


def _no_pools(choices: object, growing: object) -> dict[Choose, Pool]:
    """Keep no set of candidates from one move to the next."""
    return {}


def _no_looks(polls: Polls, function: object, head: object, cost: object) -> bool:
    """Look into no loop whether it is to stop."""
    return False


class _Unbounded(BoundsOfWays):
    """The bounds of a block without those that are worth drawing by."""

    def __init__(self, block: Block, size: int) -> None:
        super().__init__(block, size)
        self.after = {key: bound if bound == 1 else None for key, bound in self.after.items()}


UNNAMED: Mapping[str, tuple[str, Callable[..., Any] | None]] = {
    "in place": ("gdl.analysis.plan.drawn_in_place", _never_in_place),
    "counting": ("gdl.analysis.random_moves.counted", _never_counted),
    "behind choices": ("gdl.analysis.random_moves.effects_behind_choices", _as_it_is),
    "gathering": ("gdl.interpreter.native.games.searched_moves._room_for_gathered", _no_room),
    "in the loop": (
        "gdl.interpreter.native.games.moves_in_place._PlyCode._may_live_in_registers",
        _called,
    ),
    "open lines": ("gdl.analysis.plan.open_lines", lambda turn, terms: {}),
    "more ways asked": ("gdl.analysis.plain_turns.Way.needed_for_more", None),
    "sites by number": (
        "gdl.interpreter.native.expressions.expressions.Expressions._where",
        lambda self, p, condition, slot: None,
    ),
    "pools": ("gdl.analysis.plan.pools_of", _no_pools),
    "bounds": ("gdl.analysis.plan.BoundsOfWays", _Unbounded),
    "looks": ("gdl.interpreter.native.memory.work_checks.Polls.runs_long", _no_looks),
}
"""Ways without a name in the backend: what takes the place of which function without them."""


@dataclass(frozen=True)
class Gains:
    """A game as it was named, and the rounds of each player; `ALL` has all ways."""

    game: str
    rounds: Mapping[str, Sequence[Round]]

    def of(self, way: str) -> float:
        """Return how many games go with the way on one without it."""
        return measure.median_ratio(self.rounds[ALL], self.rounds[way])

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        speed = measure.median_round(self.rounds[ALL])["playouts_per_second"]
        gains = {way: self.of(way) for way in self.rounds if way != ALL}
        return {"game": self.game, "playouts_per_second": speed, "gains": gains}

    def line(self, ways: Sequence[str]) -> tuple[str, ...]:
        """Return the line of the table."""
        return (self.game, *(measure.figure(self.of(way)) for way in ways))


def game_of(text: str) -> Game:
    """Return the game that a text names, its options behind commas. Raises GameError."""
    name, *options = text.split(",")
    pairs = (option.partition("=") for option in options)
    return load_game(name, {key: _value(value) for key, _, value in pairs})


def _value(text: str) -> int | bool | str:
    return int(text) if text.isdecimal() else {"yes": True, "no": False}.get(text, text)


def without(game: Game, way: str) -> NativePlayer:
    """Return who plays without one way. Raises NotNative."""
    passes = (*PASSES, *CHOICES)
    with _patched(way):
        return NativePlayer(game, [name for name in passes if name != way])


def _patched(way: str) -> AbstractContextManager[object]:
    return mock.patch(*UNNAMED[way]) if way in UNNAMED else nullcontext()


def measured(text: str, ways: Sequence[str], rounds: int, seconds: float) -> Gains:
    """Return the rounds of a game with all ways and with all but each. Raises as `game_of`."""
    gc.collect()  # the code of the game before, so that its end is in nobody's time
    game = game_of(text)
    players = {way: without(game, way) for way in (ALL, *ways)}
    for player in players.values():
        player.play(1)
    return Gains(text, measure.in_turn(players, rounds, seconds))


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, print the table; return the exit status."""
    every = (*PASSES, *CHOICES, *UNNAMED)
    parser = argparse.ArgumentParser(description="Measure what each way of writing code gains.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="as GAME or GAME,OPTION=VALUE")
    parser.add_argument("--way", action="append", choices=every, help="this way only; repeatable")
    parser.add_argument("--rounds", type=int, default=3, help="of each player, in turn")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each round")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")
    chosen = parser.parse_args(words)
    ways = chosen.way or every
    results = []
    for text in chosen.games or USUAL:
        try:
            results.append(measured(text, ways, chosen.rounds, chosen.seconds))
        except (GameError, NotNative) as problem:
            parser.error(f"{text}: {problem}")
        measure.progress(text)
    print(measure.text_table(("game", *ways), [result.line(ways) for result in results]))
    measure.write_json(chosen.json, {"games": [result.to_json() for result in results]})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
