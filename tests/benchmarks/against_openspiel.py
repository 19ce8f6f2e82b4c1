"""Whom the engine beats: games against OpenSpiel's tree search, whose solver is on.

In: a game's name. Out: a line of JSON a game, at the end of a file, and what they come to. What
then holds: seats are exchanged; the engine has its tuned data, if there are some; the rules of both
are held against each other move by move while they play. Each may search as often for a move as it
can in so many seconds of the processor at the start of a game: where a move is several actions of
OpenSpiel's, each of these has an equal part. Games that the file has are not played again.

    python -m tests.benchmarks.against_openspiel hex games.jsonl --seconds 0.5 --number 100
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import pyspiel  # type: ignore[import-not-found]

from gdl.interpreter import Engine, Position, load
from tests.benchmarks.search import engine_in_time
from tests.openspiel.adapters import ADAPTERS, Adapter
from tests.openspiel.lockstep import Lockstep

_CALIBRATION = 2000
_EXPLORATION, _MEGABYTES = 2.0, 1000
_RESULTS = ("won", "drawn", "lost")


def _iterations_in(engine: Engine, position: Position, seconds: float) -> int:
    """Return how many iterations an engine makes in so many seconds of the processor.

    What is compiled meanwhile is not counted: of two searches, the quicker is.
    """
    number = _CALIBRATION
    while True:
        spent = []
        for _ in range(2):
            engine.forget()
            begun = time.process_time()
            found = engine.analyse(position, iterations=number, lines=0)
            spent.append(time.process_time() - begun)
        if min(spent) > seconds / 2 or found.iterations < number // 2:
            return int(seconds / min(spent) * number)
        number *= 2


class Duel(Lockstep):
    """A game in both programs, in which the engine has a seat and OpenSpiel's search the other."""

    def __init__(self, adapter: Adapter, seconds: float, seat: int, seed: int) -> None:
        """Begin a game; find out how often each may search."""
        rules = load(adapter.game, adapter.options)  # type: ignore[arg-type]
        super().__init__(adapter, rules, seed)
        self._seat = seat
        self._engine = engine_in_time(rules, seed)
        self._iterations = _iterations_in(self._engine, rules.start(), seconds)
        self._engine.begin(seed)
        self._game = pyspiel.load_game(adapter.openspiel)
        begun = time.process_time()
        self._searcher(_CALIBRATION).step(self._game.new_initial_state())
        spent = time.process_time() - begun
        self._simulations = int(seconds / spent * _CALIBRATION)
        self._searchers: dict[int, Any] = {}

    def _searcher(self, simulations: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
        budget = (simulations, _MEGABYTES, True, self.seed, False)
        return pyspiel.MCTSBot(self._game, evaluator, _EXPLORATION, *budget)

    def _play_a_move(self, pairs: list[tuple[Any, Any]]) -> None:
        position: Position = self.position  # type: ignore[assignment]
        if position.seat == self._seat:
            known = dict(pairs)
            found = self._engine.analyse(position, iterations=self._iterations, lines=0).moves
            move = next(one.move for one in found if one.move in known)
            turn = known[move]
        else:
            actions = self._their_actions([turn.actions for _, turn in pairs])
            move, turn = next(pair for pair in pairs if pair[1].actions == actions)
        self.history.append(str(move))
        self.position, self.state = position.play(move), turn.after

    def _their_actions(self, turns: list[tuple[int, ...]]) -> tuple[int, ...]:
        """Return the best of these turns by OpenSpiel's search, which in Go knows others, too."""
        state, done = self.state.clone(), ()
        parts = max(map(len, turns))
        if parts not in self._searchers:
            self._searchers[parts] = self._searcher(max(2, self._simulations // parts))
        while done not in turns:
            root = self._searchers[parts].mcts_search(state)
            by_visits = sorted(root.children, key=lambda child: -child.explore_count)
            searched = (child.action for child in (root.best_child(), *by_visits))
            number = len(done) + 1
            action = next(a for a in searched if any(t[:number] == (*done, a) for t in turns))
            done = (*done, action)
            state.apply_action(action)
        return done

    @property
    def result(self) -> str:
        """How the engine has fared: `won`, `drawn` or `lost`."""
        outcome = self.position.outcome
        seats = () if outcome is None else outcome.seats  # type: ignore[attr-defined]
        return "drawn" if not seats else "won" if self._seat in seats else "lost"


def main() -> None:
    """Play the games that are missing; tell what all of them come to."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--number", type=int, default=20)
    options = parser.parse_args()
    adapter = next(adapter for adapter in ADAPTERS if adapter.game == options.name)
    texts = options.file.read_text("utf-8").splitlines() if options.file.exists() else []
    lines = [line for line in map(json.loads, texts) if line["game"] == options.name]
    for number in range(len(lines), options.number):
        duel = Duel(adapter, options.seconds, 1 + number % 2, number)
        duel.play()
        line = {
            "game": options.name,
            "number": number,
            "result": duel.result,
            "moves": duel.history,
        }
        lines.append(line)
        with options.file.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line)}\n")
    counts = (f"{sum(line['result'] == one for line in lines)} {one}" for one in _RESULTS)
    print(f"{options.name}: {', '.join(counts)}")


if __name__ == "__main__":
    main()
