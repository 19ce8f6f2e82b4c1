"""How far apart the levels of the engine are, and whether its hints are better than chance.

In: names of games, and a file of lines of JSON. Out: a line for each match that is played, and one
for each pair of levels that the file has not yet: the points of the higher one, of at most so many
matches, and what a sequential test says (`more`: the higher wins three games of five rather than
one of two; `less`: it does not). So it can be stopped after any match and begun again. `summary`
counts the games in which each pair is far enough apart. `hints` lets the engine play against random
moves, until all of the first games are won or it is certain whether 24 points of 40 are; a game
that is too long is broken off, and counts as what the engine takes it to be worth. `table` shows
what a file has of hints; `tests/benchmarks/hints.jsonl` is that of the shipped games. Levels think
for so many seconds of the processor at most: what else a machine does takes none of them.

    python -m tests.benchmarks.levels play levels.jsonl connect-four hex --highest 6
    python -m tests.benchmarks.levels summary levels.jsonl
    python -m tests.benchmarks.levels hints hints.jsonl hex hive --player engine:300i
    python -m tests.benchmarks.levels table tests/benchmarks/hints.jsonl
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from operator import itemgetter
from pathlib import Path
from random import Random

from gdl.interpreter import Engine, Position, Rules
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.matches.plan import Match
from gdl.interpreter.matches.play import play_game
from gdl.interpreter.matches.rating import elo
from gdl.interpreter.matches.sprt import SequentialTest
from gdl.interpreter.positions.information import Information
from gdl.interpreter.search.levels import LEVELS
from gdl.interpreter.sessions.seats import RandomPlayer
from gdl.load import load_game
from tests.benchmarks.tactics import by_processor

SHARE = 0.6
_FEWEST = 20
_TEST = SequentialTest(0, elo(SHARE))
_MOST_HINTS, _FEWEST_HINTS = 40, 8
_PLIES = 300
_JUDGED = 2000
"""How many iterations tell what a game is worth that was broken off."""


def play(name: str, level: int, most: int, path: Path) -> None:
    """Play a level against the one below, and add to a file what it has not yet."""
    found = [line for line in lines(path) if (line["game"], line["level"]) == (name, level)]
    if any("verdict" in line for line in found):
        return
    game = load_game(name)
    match = Match(name, (f"engine:{level}", f"engine:{level - 1}"), most, len(game.sides), seed=1)
    points = [float(str(line["point"])) for line in found]
    while len(points) < most and not (_is_told(len(points)) and _TEST.verdict(points)):
        one = play_game(game, match, len(points))
        points.append(one.points[one.seats.index(0)])
        add(path, {"game": name, "level": level, "point": points[-1]})
    verdict = _TEST.verdict(points) or ("more" if sum(points) >= SHARE * len(points) else "less")
    told = {"game": name, "level": level, "points": sum(points), "games": len(points)}
    add(path, told | {"verdict": verdict})


class _Watching(RandomPlayer):
    """Makes random moves, and keeps the last position in which it was on turn."""

    last: Position | None = None

    def choose(self, position: Position, known: Information | None = None) -> Move:
        """Return a legal move."""
        self.last = position
        return super().choose(position, known)


def hints(name: str, player: str, path: Path) -> None:
    """Play a player against random moves, and add to a file what came of it."""
    if any((line["game"], line.get("player")) == (name, player) for line in lines(path)):
        return
    game, begun = load_game(name), time.process_time()
    rules, watching = Rules(game), _Watching(Random())
    match = Match(name, (player, "random"), _MOST_HINTS, len(game.sides), seed=1, plies=_PLIES)
    points, moves, broken_off = list[float](), 0, 0
    while not _is_certain(points):
        one = play_game(game, match, len(points), {"random": watching})
        seat = one.seats.index(0)
        points.append(one.points[seat])
        moves += len(one.moves)
        if not one.result and watching.last is not None:
            broken_off += 1
            found = Engine(rules, seed=1).analyse(watching.last, iterations=_JUDGED)
            by_seat = {watching.last.seat_of(side): worth for side, worth in found.value.items()}
            points[-1] = by_seat[seat + 1]
    told = {"game": name, "player": player, "points": sum(points), "games": len(points)}
    spent = round(time.process_time() - begun, 1)
    counts = {"moves": moves, "broken off": broken_off, "seconds": spent}
    verdict = "more" if sum(points) >= SHARE * len(points) else "less"
    add(path, told | counts | {"verdict": verdict})


def _is_certain(points: list[float]) -> bool:
    """Return whether it is known whether enough of all games are won, or all were till now."""
    if len(points) == _FEWEST_HINTS and sum(points) == _FEWEST_HINTS:
        return True
    needed = SHARE * _MOST_HINTS - sum(points)
    return needed <= 0 or needed > _MOST_HINTS - len(points)


def add(path: Path, line: dict[str, object]) -> None:
    """Add a line to a file, and show it."""
    print(json.dumps(line), flush=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(line)}\n")


def _is_told(games: int) -> bool:
    """Return whether so many games are enough, and as many from each seat."""
    return games >= _FEWEST and games % 2 == 0


def lines(path: Path) -> list[dict[str, object]]:
    """Return what a file has."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    """Play what is missing, or sum up what is there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("play", "summary", "hints", "table"))
    parser.add_argument("file", type=Path)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--lowest", type=int, default=min(LEVELS) + 1)
    parser.add_argument("--highest", type=int, default=max(LEVELS))
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--player", default="engine:1s", help="of whom hints are asked")
    options = parser.parse_args()
    for name in options.games if options.what == "play" else ():
        for level in range(options.lowest, options.highest + 1):
            play(name, level, options.number, options.file)
    for name in options.games if options.what == "hints" else ():
        hints(name, options.player, options.file)
    for one in sorted(lines(options.file), key=itemgetter("game")) * (options.what == "table"):
        share = f"{one['points']:5.1f} of {one['games']:2}, {one['broken off']:2} broken off"
        print(f"{one['game']:24} {one['player']:14} {share}: {one['verdict']}")
    if options.what == "summary":
        found: dict[object, list[dict[str, object]]] = defaultdict(list)
        for one in lines(options.file):
            if "verdict" in one:
                found[one["level"]].append(one)
        for reached, ones in sorted(found.items(), key=str):
            apart = [one["game"] for one in ones if one["verdict"] == "more"]
            print(f"level {reached}: apart in {len(apart)} of {len(ones)} games")


if __name__ == "__main__":
    with by_processor():
        main()
