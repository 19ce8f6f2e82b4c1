"""Random games: whole ones by the thousand, and some move by move.

In: an evaluator, and seconds. Out: `Whole` games, counted, and `Watched` ones. What then holds: a
seed gives the same games, as many as there is time for.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from random import Random

from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Evaluator, Outcome, moves_between
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.report.numbers import Mean, Share, mean_of

MOST_PLIES = 2000
MOST_TOLD = 1000
"""How many moves a game has at most of which they are told."""
_WORD = re.compile(r"\w+")


@dataclass
class Whole:
    """Whole random games: how long they were, and how they ended.

    `shortest` and `longest` are numbers of games, from 0, of those that came to an end.
    """

    sides: tuple[str, ...]
    lengths: list[int] = field(default_factory=list)
    by_side: Counter[str] = field(default_factory=Counter)
    by_seat: Counter[int] = field(default_factory=Counter)
    by_clause: Counter[Span] = field(default_factory=Counter)
    draws: int = 0
    unfinished: int = 0
    points: float = 0.0
    seconds: float = 0.0
    shortest: int | None = None
    longest: int | None = None

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.lengths)

    @property
    def finished(self) -> int:
        """The number of games that came to an end."""
        return self.games - self.unfinished

    def add(self, length: int, outcome: Outcome | None) -> None:
        """Count a game."""
        self.lengths.append(length)
        if outcome is None:
            self.unfinished += 1
            return
        number = self.games - 1
        if self.shortest is None or length < self.lengths[self.shortest]:
            self.shortest = number
        if self.longest is None or length > self.lengths[self.longest]:
            self.longest = number
        if outcome.span is not None:
            self.by_clause[outcome.span] += 1
        self.by_side.update(outcome.winners)
        self.by_seat.update(outcome.seats)
        self.draws += not outcome.winners
        self.points += points_of_first(outcome)

    def seconds_of_search(self, iterations: int) -> float:
        """Return about how long a game takes in which each move is searched for so long."""
        if not self.games:
            return 0.0
        return iterations * self.seconds / self.games * sum(self.lengths) / self.games

    @property
    def first(self) -> Share:
        """The points of the first seat: a draw counts half, as in Ludii's `AdvantageP1`."""
        return Share(self.points, self.finished)

    @property
    def length(self) -> Mean | None:
        """How long games are."""
        return mean_of(self.lengths)


def points_of_first(outcome: Outcome) -> float:
    """Return the points of the first seat: 1, a share of 1, half for a draw, 0 if it lost."""
    if not outcome.seats:
        return 0.0 if outcome.is_puzzle else 0.5
    return 1 / len(outcome.seats) if 1 in outcome.seats else 0.0


@dataclass(frozen=True)
class Watched:
    """A game move by move: its moves, who made each, how many there were to choose from."""

    moves: tuple[Move, ...]
    movers: tuple[int, ...]
    choices: tuple[int, ...]
    outcome: Outcome | None


def whole_games(rules: Evaluator, seconds: Iterator[float], seed: int, most: int) -> Whole:
    """Play whole games while there are `seconds` left, `most` at most. Raises RuleError."""
    whole = Whole(rules.game.sides)
    start, begun = rules.start(), time.perf_counter()
    while next(seconds) > 0 and whole.games < most:
        played = rules.playout(start, Chance(seed, whole.games), MOST_PLIES)
        whole.add(played.moves, played.outcome)
    whole.seconds = time.perf_counter() - begun
    return whole


def witness(rules: Evaluator, number: int, length: int, seed: int) -> tuple[str, ...]:
    """Return the moves of a whole game, by its number; none of one that is too long to be told."""
    if length > MOST_TOLD:
        return ()
    start = rules.start()
    chance, states = Chance(seed, number), [start]
    if isinstance(rules, NativeRules):
        states = rules.playout_states(start, chance, length)
    else:
        for _ in range(length):
            states.append(rules.playout(states[-1], chance, 1).state)
    return tuple(move.text for move in moves_between(rules, states))


def watched_games(
    rules: Evaluator, seconds: Iterator[float], seed: int, most: int
) -> list[Watched]:
    """Play games move by move while there are `seconds` left. Raises RuleError.

    One that has no end when time is up is left out, unless there is no other.
    """
    random, games = Random(seed), list[Watched]()
    system = rules.game.program.system
    place = list(rules.game.program.state).index(system.mover)
    while len(games) < most and (next(seconds) > 0 or not games):
        state, is_whole = rules.start(), True
        moves: list[Move] = []
        movers: list[int] = []
        choices: list[int] = []
        while len(moves) < MOST_PLIES:
            legal = rules.legal(state)
            if not legal:
                break
            if moves and next(seconds) <= 0:
                is_whole = False
                break
            moves.append(random.choice(legal))
            movers.append(int(state.values[place]))
            choices.append(len(legal))
            state = rules.apply(state, moves[-1])
        if is_whole or not games:
            outcome = rules.outcome(state) if is_whole else None
            games.append(Watched(tuple(moves), tuple(movers), tuple(choices), outcome))
    return games


@dataclass(frozen=True)
class Heat:
    """Of each site: the share of moves that named it, and of games won by who made them."""

    used: tuple[Share, ...]
    won: tuple[Share, ...]


def heat_of(rules: Evaluator, games: list[Watched]) -> Heat:
    """Return how the sites of the board were used in games."""
    board, sides = rules.game.board, rules.game.sides
    used, by, won = ([0] * board.size for _ in range(3))
    for game in games:
        named: dict[int, set[int]] = {}
        for move, mover in zip(game.moves, game.movers, strict=True):
            for word in _WORD.findall(move.text):
                site = board.index(word)
                if site is not None:
                    used[site] += 1
                    named.setdefault(site, set()).add(mover)
        winners = () if game.outcome is None else game.outcome.winners
        for site, movers in named.items():
            if winners:
                by[site] += len(movers)
                won[site] += sum(sides[mover] in winners for mover in movers)
    moves = sum(len(game.moves) for game in games)
    return Heat(
        tuple(Share(count, moves) for count in used),
        tuple(Share(count, of) for count, of in zip(won, by, strict=True)),
    )
