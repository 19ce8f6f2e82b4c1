"""Games that end by each end clause of the shipped games, to be read and stored.

`python tests/why_endings.py [GAME ...]` looks for a game that ends by each clause that
`tests/why/endings.jsonl` lacks, and prints a line for each that it found: in random games first,
then in games that head for the clause. A person reads whether `why` tells it as the rules have it
before the line is added there. `--again` prints the stored lines anew, with what `why` says now.

What is stored is short: the moves of a short game, otherwise the position before the last move.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gdl.core.nodes import Ending
from gdl.diagnostic import Span
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import RuleError, State, moves_between
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.explain.answers import why
from gdl.interpreter.explain.explanation import Explanation
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.reference.distance import distance_to
from gdl.load import OptionValue, load_game, shipped_names
from gdl.model import Game

STORED = Path(__file__).parent / "why" / "endings.jsonl"
FEWEST_MOVES = 12
MOST_PLIES = 600
SMALLER: dict[str, dict[str, OptionValue]] = {
    "abalone": {"goal": 1},
    "catchup": {"size": 3},
    "chinese-checkers": {"size": 1},
    "connect6": {"size": 7},
    "dark-hex": {"size": 3},
    "dots-and-boxes": {"width": 2, "height": 2},
    "gomoku": {"size": 9},
    "goofspiel": {"cards": 4},
    "havannah": {"size": 4},
    "hex": {"size": 4},
    "kalah": {"pits": 3, "start": 2},
    "oware": {"houses": 3, "start": 2},
    "pente": {"size": 9},
    "quadrant-hex": {"half": 3},
    "quoridor": {"stock": 1},
    "taifas": {"size": 3},
    "tak": {"size": 4},
    "trellis": {"size": 7},
    "trellis-original": {"half": 3},
    "trichet": {"tiles": 8},
    "tumbleweed": {"size": 3},
    "turkish-draughts": {"patience": 4},
    "twixt": {"size": 6},
    "y": {"size": 4},
    "yinsh": {"goal": 1},
}

Record = dict[str, Any]
Place = tuple[str, str]
"""The file that a clause stands in, and its text."""


@dataclass(frozen=True)
class Found:
    """A game that ends by a clause: the states on the way, or the last two of them."""

    states: tuple[State, ...]
    moves: tuple[str, ...]


def clauses(game: Game) -> dict[Place, Ending]:
    """Return the clauses that end a game, by their places: those of `end`, then of `stuck`."""
    return {
        place_of(ending.span): ending
        for phase in game.program.phases
        for turn in phase.turns
        for ending in (*turn.endings, *turn.stuck)
        if ending.span is not None and ending.kind != "passes"
    }


def place_of(span: Span) -> Place:
    """Return the file and the text of a clause."""
    return Path(span.source.name).name, " ".join(span.text.split())


def stored(name: str) -> list[Record]:
    """Return what is stored of a game."""
    lines = STORED.read_text("utf-8").splitlines()
    return [record for record in map(json.loads, lines) if record["game"] == name]


def before(rules: Rules, record: Record) -> Position:
    """Return the position before the move that ends a game."""
    if "position" in record:
        start = rules.start().to_json()
        return rules.from_json({**start, "state": {**start["state"], **record["position"]}})
    position = rules.start()
    for text in filter(None, record["after"].split(", ")):
        position = position.play(text)
    return position


def shortened(record: Record) -> Record:
    """Return a record without what `why` says the same without: earlier positions above all.

    What is as at the start is left out.
    """
    rules = Rules(load_game(record["game"], record["options"]))
    start = rules.start().to_json()["state"]
    state = {key: value for key, value in record["position"].items() if start[key] != value}
    wanted = again(record)
    for key in [key for key in start if key.startswith("history")]:
        known = state.get(key, start[key])
        for kept in ([], [entry for entry in known if entry[1] > 1], known):
            shorter = {**record, "position": {**state, key: kept}}
            if again(shorter) == {**wanted, "position": shorter["position"]}:
                state = shorter["position"]
                break
    return {**wanted, "position": state}


def told(record: Record) -> Explanation:
    """Return what `why` says of the end of a stored game."""
    position = before(Rules(load_game(record["game"], record["options"])), record)
    move = position.parse(record["move"])
    return why([position, position.play(move)], [move])[-1]


def sites(explanation: Explanation) -> str:
    """Return the sites that are drawn, in the order of the board."""
    drawn = explanation.witness.sites
    board = explanation.position.rules.game.board
    return " ".join(site.name for site in board.sites if drawn >> site.index & 1)


def again(record: Record) -> Record:
    """Return a record with what `why` says of it now."""
    now = told(record)
    span = now.rulings[-1].span
    assert span is not None
    file, clause = place_of(span)
    what = {"sentence": now.sentence, "file": file, "clause": clause}
    keys = ("game", "options", "after", "position", "move")
    kept = {key: record[key] for key in keys if key in record}
    return {**kept, **what, "sites": sites(now)}


# ------------------------------------------------------------------------------ search


class Search:
    """Looks for games of one game that end by its clauses."""

    def __init__(self, name: str, options: Mapping[str, OptionValue]) -> None:
        self._name = name
        self._options = dict(options)
        self._game = load_game(name, options)
        self._rules = Rules(self._game)
        self._missing = clauses(self._game)
        for record in stored(name):
            self._missing.pop((record["file"], record["clause"]), None)
        if self._missing:
            self._native = NativeRules(self._game)
            self._start = self._native.start()

    @property
    def missing(self) -> Mapping[Place, Ending]:
        """The clauses that no game was found for."""
        return self._missing

    def by_chance(self, seconds: float) -> Iterator[Record]:
        """Yield the shortest of many random games for each clause that ended any."""
        shortest: dict[Place, tuple[int, int]] = {}
        until, number = time.process_time() + seconds, 0
        while self._missing and time.process_time() < until:
            played = self._native.playout(self._start, Chance(1, number), MOST_PLIES)
            if played.outcome is not None and played.outcome.span is not None:
                place = place_of(played.outcome.span)
                if place in self._missing:
                    best = shortest.get(place, (MOST_PLIES, 0))
                    shortest[place] = min(best, (played.moves, number))
            number += 1
        for place, (length, number) in sorted(shortest.items()):
            record = self._random_game(length, number)
            if record is not None:
                yield record
                self._missing.pop(place, None)

    def _random_game(self, length: int, number: int) -> Record | None:
        first = 0 if length <= FEWEST_MOVES else max(0, length - 1)
        for begin in dict.fromkeys((first, 0)):
            states = [
                self._native.playout(self._start, Chance(1, number), plies).state
                for plies in range(begin, length + 1)
            ]
            moves = tuple(move.text for move in moves_between(self._native, states))
            if len(moves) == length - begin and moves:
                record = self._record(states, moves)
                if record is not None:
                    return record
        return None

    def _record(self, states: list[State], moves: tuple[str, ...]) -> Record | None:
        """Return a record of a game, from the start or of its last move; None if not so."""
        record: Record = {"game": self._name, "options": self._options}
        if states[0] == self._start:
            record["after"] = ", ".join(moves[:-1])
        else:
            record["position"] = Position(self._rules, states[-2]).to_json()["state"]
        record["move"] = moves[-1]
        try:
            return shortened(record) if "position" in record else again(record)
        except Exception as error:
            print(f"{self._name}: {error!r} {record}", file=sys.stderr)
            return None

    def by_repetition(self, seconds: float) -> Iterator[Record]:
        """Yield games in which both sides go to and fro, for clauses on repetition and quiet."""
        until, chance, number = time.process_time() + seconds, random.Random(0), 0
        while self._missing and time.process_time() < until:
            begun = self._native.playout(self._start, Chance(2, number), number % 24)
            number += 1
            states = [begun.state]
            moves: list[str] = []
            while len(moves) < MOST_PLIES and self._native.outcome(states[-1]) is None:
                legal = {move.text: move for move in self._native.legal(states[-1])}
                wanted = _back(moves[-2]) if len(moves) >= 2 else ""
                move = legal.get(wanted) or chance.choice(list(legal.values()))
                if wanted not in legal and len(moves) > 1:
                    break
                states.append(self._native.apply(states[-1], move))
                moves.append(move.text)
            outcome = self._native.outcome(states[-1])
            if (
                outcome is None
                or outcome.span is None
                or place_of(outcome.span) not in self._missing
            ):
                continue
            ways = [
                self._native.playout(self._start, Chance(2, number - 1), plies).state
                for plies in range(begun.moves + 1)
            ]
            first = tuple(move.text for move in moves_between(self._native, ways))
            if len(first) == begun.moves:
                record = self._short(Found((*ways, *states[1:]), (*first, *moves)))
                if record is not None and self._is_missing(record):
                    yield record
                    self._missing.pop(place_of(outcome.span), None)

    def _is_missing(self, record: Record) -> bool:
        return (record["file"], record["clause"]) in self._missing

    def by_goals(self, seconds: float) -> Iterator[Record]:
        """Yield games that head for each clause that is missing, in turn."""
        for place, ending in list(self._missing.items()):
            found = self._towards(place, ending, time.process_time() + seconds)
            if found is not None:
                record = self._short(found)
                if record is not None:
                    yield record
                    self._missing.pop(place, None)

    def _short(self, found: Found) -> Record | None:
        states, moves = list(found.states), found.moves
        if len(moves) > FEWEST_MOVES:
            record = self._record(states[-2:], moves[-1:])
            if record is not None and self._is_missing(record):
                return record
        return self._record(states, moves)

    def _towards(self, place: Place, ending: Ending, until: float) -> Found | None:
        reference = self._rules.evaluator
        far = distance_to(reference, ending.condition, True)  # type: ignore[arg-type]
        chance, tries = random.Random(0), 0
        while time.process_time() < until:
            tries += 1
            state, states, moves = self._start, [self._start], list[str]()
            here = far(state)
            while len(moves) < MOST_PLIES and time.process_time() < until:
                try:
                    legal = list(self._native.legal(state))
                    outcome = self._native.outcome(state)
                except RuleError:
                    break
                if outcome is not None:
                    if outcome.span is not None and place_of(outcome.span) == place:
                        return Found(tuple(states), tuple(moves))
                    break
                move, state, here = self._nearest(state, legal, far, here, chance)
                states.append(state)
                moves.append(move.text)
        return None

    def _nearest(
        self, state: State, legal: list[Move], far: Any, here: float, chance: random.Random
    ) -> tuple[Move, State, float]:
        best: tuple[float, float, Move, State] | None = None
        for move in chance.sample(legal, min(len(legal), 60)):
            after = self._native.apply(state, move)
            distance = far(after)
            if after.ended is not None and distance > 0:
                distance += 1000
            key = (distance, chance.random())
            if best is None or key < best[:2]:
                best = (*key, move, after)
        assert best is not None
        if chance.random() < 0.1:
            move = chance.choice(legal)
            after = self._native.apply(state, move)
            return move, after, far(after)
        return best[2], best[3], best[0]


def _back(text: str) -> str:
    """Return the move that goes back, where one goes from a site to a site."""
    return "-".join(reversed(text.split("-")))


def main() -> None:
    """Look for games, or tell the stored ones again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=shipped_names())
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--towards", type=float, default=20.0)
    parser.add_argument("--full", action="store_true", help="no smaller options")
    arguments = parser.parse_args()
    for name in arguments.games:
        if arguments.again:
            for record in stored(name):
                print(json.dumps(again(record)), flush=True)
            continue
        search = Search(name, {} if arguments.full else SMALLER.get(name, {}))
        for record in search.by_chance(arguments.seconds):
            print(json.dumps(record), flush=True)
        for record in search.by_repetition(arguments.seconds):
            print(json.dumps(record), flush=True)
        for record in search.by_goals(arguments.towards):
            print(json.dumps(record), flush=True)
        for place in search.missing:
            print(f"{name}: not reached: {': '.join(place)}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
