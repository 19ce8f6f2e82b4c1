"""The table of speeds: every shipped game beside the reference, C and its peers, and its target.

In: names of games, how long to measure. Out: a line a game, and the same as JSON. What then holds:
all players of a game took turns, in the same run; figures are medians of rounds. The exit status is
1 if a target that could be tried is not met.

Run it as `python -m tests.benchmarks.table [--hex-sizes] [--peers FOLDER] [GAME ...]`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from gdl.load import OptionValue, load_game, option_text

from . import measure
from .measure import NotNative, Player, Round
from .openspiel import OPENSPIEL, OpenSpielPlayer, installed
from .peers import rbg, spiel
from .programs import PROGRAMS, ProgramPlayer, compiler

RECORD = Path(__file__).with_name("reference.json")
OURS, REFERENCE, C, ELSEWHERE = "ours", "reference", "c", "openspiel"
SPIEL, RBG = "openspiel_cpp", "rbg"


@dataclass(frozen=True)
class Share:
    """At least this share of the playouts that C plays in the same time."""

    share: float

    def met(self, measured: Measured) -> bool | None:
        """Return whether it is; None if there was no C."""
        ratio = measured.ratio(C)
        return None if ratio is None else ratio >= self.share

    def __str__(self) -> str:
        return f"{self.share:g} of C"


@dataclass(frozen=True)
class Times:
    """At least so many times the reference's recorded moves a second, or `ENOUGH` of them."""

    factor: float

    def met(self, measured: Measured) -> bool | None:
        """Return whether it is; None if nothing is recorded and `ENOUGH` is not reached."""
        speed = measured.moves_per_second
        if speed is None:
            return None
        if speed >= ENOUGH:
            return True
        recorded = measured.recorded
        return None if recorded is None else speed >= self.factor * recorded

    def __str__(self) -> str:
        return f"{self.factor:g}x ref"


ENOUGH = 1_000_000
USUAL_TARGET = Times(1000)
TARGETS: Mapping[str, Share | Times] = {
    "amazons": Share(0.4),
    "breakthrough": Share(0.6),
    "connect-four": Share(0.6),
    "go superko=no": Share(0.4),
    "gomoku": Share(0.6),
    "hex": Share(0.8),
    "hex size=14": Share(0.6),
    "hex size=19": Share(0.5),
    "othello": Share(0.8),
    "tic-tac-toe": Share(0.6),
    "trichet": Times(200),
}
HEX_SIZES = (14, 19)


@dataclass(frozen=True)
class Case:
    """A game with options that are not the usual ones."""

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The game and its options, as the tables of programs and targets have them."""
        options = (f"{key}={option_text(value)}" for key, value in self.options.items())
        return " ".join((self.game, *options))


@dataclass(frozen=True)
class Measured:
    """A case and the rounds of all who played it. `note` says why ours did not."""

    case: Case
    rounds: Mapping[str, Sequence[Round]]
    recorded: float | None
    note: str = ""

    @property
    def target(self) -> Share | Times:
        """What is asked of this game."""
        return TARGETS.get(self.case.name, USUAL_TARGET)

    @cached_property
    def medians(self) -> dict[str, dict[str, float]]:
        """The medians of each player."""
        return {name: measure.median_round(rounds) for name, rounds in self.rounds.items()}

    @property
    def moves_per_second(self) -> float | None:
        """Our moves a second, if we played."""
        return self.medians[OURS]["moves_per_second"] if OURS in self.rounds else None

    def ratio(self, other: str) -> float | None:
        """Return how many playouts of ours go on one of another player; None without both."""
        if OURS not in self.rounds or other not in self.rounds:
            return None
        return measure.median_ratio(self.rounds[OURS], self.rounds[other])

    @property
    def times_reference(self) -> float | None:
        """Our speed in that of the reference: as measured beside ours, else as recorded."""
        beside = self.ratio(REFERENCE)
        if beside is not None or self.moves_per_second is None or self.recorded is None:
            return beside
        return self.moves_per_second / self.recorded

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None if that can't be said."""
        return self.target.met(self)

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        return {
            "case": self.case.name,
            "game": self.case.game,
            "options": dict(self.case.options),
            **self.medians,
            "recorded_reference_moves_per_second": self.recorded,
            "ratio_to_c": self.ratio(C),
            "ratio_to_openspiel": self.ratio(ELSEWHERE),
            "ratio_to_openspiel_cpp": self.ratio(SPIEL),
            "ratio_to_rbg": self.ratio(RBG),
            "times_reference": self.times_reference,
            "target": str(self.target),
            "met": self.met,
            "note": self.note,
        }

    def line(self) -> tuple[str, ...]:
        """Return the line of the table."""
        ours = self.medians.get(OURS, {})
        c, elsewhere = self.medians.get(C, {}), self.medians.get(ELSEWHERE, {})
        beside = self.medians.get(REFERENCE, {}).get("moves_per_second", self.recorded)
        verdict = {True: "met", False: "MISSED", None: "-"}[self.met]
        figures = (
            ours.get("playouts_per_second"),
            ours.get("moves_per_second"),
            ours.get("mean_length"),
            c.get("playouts_per_second"),
            self.ratio(C),
            beside,
            self.times_reference,
            elsewhere.get("playouts_per_second"),
            self.ratio(ELSEWHERE),
            self.medians.get(SPIEL, {}).get("mean_length"),
            self.ratio(SPIEL),
            self.medians.get(RBG, {}).get("mean_length"),
            self.ratio(RBG),
        )
        texts = (measure.figure(number) for number in figures)
        return (self.case.name, *texts, str(self.target), verdict)


HEADS = (
    "game",
    "playouts/s",
    "moves/s",
    "length",
    "C playouts/s",
    "of C",
    "ref moves/s",
    "x ref",
    "OpenSpiel playouts/s",
    "x OpenSpiel",
    "its C++'s length",
    "x its C++",
    "RBG's length",
    "x RBG",
    "target",
    "",
)


def cases(games: Sequence[str], hex_sizes: bool) -> Iterator[Case]:
    """Yield what is to be measured for games."""
    for game in games:
        yield Case(game)
        if game == "go":
            yield Case(game, {"superko": False})
    if hex_sizes:
        yield from (Case("hex", {"size": size}) for size in HEX_SIZES)


def recorded_speeds() -> dict[str, float]:
    """Return the moves a second of the record of the reference, by game."""
    games = json.loads(RECORD.read_text("utf-8"))["games"]
    return {name: speed["moves"] for name, speed in games.items()}


@dataclass(frozen=True)
class Setting:
    """How to measure: who is ours, who else plays, rounds and seconds, where to build programs."""

    backend: str
    with_reference: bool
    rounds: int
    seconds: float
    folder: Path
    peers: Path | None = None

    def players(self, case: Case) -> dict[str, Player]:
        """Return who plays a case. Raises NotNative."""
        game = load_game(case.game, case.options)
        players = {OURS: measure.player(game, self.backend)}
        if self.with_reference:
            players[REFERENCE] = measure.ReferencePlayer(game)
        if case.name in PROGRAMS and compiler() is not None:
            players[C] = ProgramPlayer(PROGRAMS[case.name], self.folder)
        if case.name in OPENSPIEL and installed():
            players[ELSEWHERE] = OpenSpielPlayer(OPENSPIEL[case.name])
        if self.peers is not None:
            peers = {SPIEL: spiel(case.name, self.peers), RBG: rbg(case.name, self.peers)}
            players |= {name: peer for name, peer in peers.items() if peer is not None}
        return players

    def measured(self, case: Case) -> Measured:
        """Return the rounds of all players of a case, taken in turn."""
        recorded = None if case.options else recorded_speeds().get(case.game)
        try:
            players = self.players(case)
        except NotNative as problem:
            return Measured(case, {}, recorded, str(problem))
        return Measured(case, measure.in_turn(players, self.rounds, self.seconds), recorded)


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for, print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure the speed of random games.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all shipped games by default")
    parser.add_argument("--hex-sizes", action="store_true", help="Hex on bigger boards, too")
    measure.add_arguments(parser)
    parser.add_argument("--reference", action="store_true", help="measure the reference, too")
    parser.add_argument("--peers", type=Path, metavar="FOLDER", help="what cpp/build.sh built")
    chosen = parser.parse_args(words)
    games = measure.shipped(parser, chosen.games)
    with tempfile.TemporaryDirectory() as folder:
        setting = Setting(
            chosen.backend,
            chosen.reference,
            chosen.rounds,
            chosen.seconds,
            Path(folder),
            chosen.peers,
        )
        results = []
        for case in cases(games, chosen.hex_sizes):
            results.append(setting.measured(case))
            measure.progress(case.name)
    print(measure.text_table(HEADS, [result.line() for result in results]))
    for result in results:
        if result.note:
            print(f"{result.case.name}: {result.note}")
    measure.write_json(
        chosen.json,
        {
            "backend": chosen.backend,
            "rounds": chosen.rounds,
            "seconds": chosen.seconds,
            "games": [result.to_json() for result in results],
        },
    )
    return int(any(result.met is False or result.note for result in results))


if __name__ == "__main__":
    raise SystemExit(main())
