"""Measure the reference interpreter: random games of every shipped game, on one core.

In: seconds for each game, names of games. Out: a line a game with moves and playouts a second,
the median of several rounds; the same in `reference.json` and in the table of
`docs/performance.md`. Games not measured keep their figures.

Run it as `python -m tests.benchmarks.reference [--seconds N] [GAME ...]` in the project's folder.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game, shipped_names

ROUNDS = 5
MOST_PLIES = 2000
LEAST_MOVES = {"hex": 500, "othello": 200}
LEAST_OF_ANY = 20
RECORD = Path(__file__).with_name("reference.json")
PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
BEGINNING = "<!-- reference: written by tests/benchmarks/reference.py -->\n"
END = "<!-- end of reference -->\n"


@dataclass(frozen=True)
class Speed:
    """What one game came to: speeds a second, and the mean number of moves of a game."""

    moves: float
    playouts: float
    length: float

    def suffices(self, name: str) -> bool:
        """Whether it is as fast as the game of this name has to be."""
        return self.moves >= LEAST_MOVES.get(name, LEAST_OF_ANY)


def measure(name: str, seconds: float) -> Speed:
    """Return a game's speed: the median of rounds that last `seconds` together, or longer."""
    rules = ReferenceRules(load_game(name))
    start, chance = rules.start(), Chance(1)
    rules.playout(start, chance, 1)
    rounds = [_round(rules, chance, seconds / ROUNDS) for _ in range(ROUNDS)]
    moves = sum(moves for moves, _, _ in rounds)
    games = sum(games for _, games, _ in rounds)
    return Speed(
        moves=median(moves / spent for moves, _, spent in rounds),
        playouts=median(games / spent for _, games, spent in rounds),
        length=moves / games,
    )


def _round(rules: ReferenceRules, chance: Chance, seconds: float) -> tuple[int, int, float]:
    """Play whole games for about so long; return moves, games and the seconds spent."""
    start = rules.start()
    moves = games = 0
    begun = time.process_time()
    spent = 0.0
    while spent < seconds:
        moves += rules.playout(start, chance, MOST_PLIES).moves
        games += 1
        spent = time.process_time() - begun
    return moves, games, spent


def table(speeds: dict[str, Speed], python: str) -> str:
    """Return the table of the page, in Markdown."""
    lines = [
        f"Python {python}, one core.",
        "",
        "| game | moves a second | random games a second | moves a game |",
        "|---|---:|---:|---:|",
    ]
    for name, speed in sorted(speeds.items()):
        playouts = f"{speed.playouts:,.0f}" if speed.playouts >= 100 else f"{speed.playouts:.3g}"
        lines.append(f"| {name} | {speed.moves:,.0f} | {playouts} | {speed.length:,.1f} |")
    return "\n".join(lines) + "\n"


def write(speeds: dict[str, Speed]) -> None:
    """Update the record and the page with these speeds."""
    known: dict[str, Speed] = {}
    if RECORD.exists():
        kept = json.loads(RECORD.read_text())["games"]
        known = {name: Speed(**kept[name]) for name in kept if name in shipped_names()}
    known |= speeds
    python = platform.python_version()
    figures = {
        name: {key: float(f"{figure:.4g}") for key, figure in asdict(known[name]).items()}
        for name in sorted(known)
    }
    RECORD.write_text(json.dumps({"python": python, "games": figures}, indent=1) + "\n")
    before, beginning, rest = PAGE.read_text().partition(BEGINNING)
    _, end, after = rest.partition(END)
    if not (beginning and end):
        raise SystemExit(f"{PAGE.name} has no place for the table")
    PAGE.write_text(f"{before}{beginning}{table(known, python)}{end}{after}")


def main() -> None:
    """Measure the games that the command line names, or all; exit with 1 if one is too slow."""
    parser = argparse.ArgumentParser(description="Measure the reference interpreter.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all shipped games by default")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each game")
    arguments = parser.parse_args()
    speeds = {}
    for name in arguments.games or shipped_names():
        speeds[name] = measure(name, arguments.seconds)
        note = "" if speeds[name].suffices(name) else "  too slow"
        print(
            f"{name:20}{speeds[name].moves:12,.0f} moves/s"
            f"{speeds[name].playouts:12,.1f} playouts/s{note}",
            flush=True,
        )
    write(speeds)
    raise SystemExit(not all(speed.suffices(name) for name, speed in speeds.items()))


if __name__ == "__main__":
    main()
