"""A search that knows no more than a side does, where something is hidden or decided together.

In: what a side knows; before chance decides, what all of them do. Out: an `Analysis` of the moves.
What then holds: it depends on what the side knows and on nothing else, so it is the same in
positions that are alike to the side. Where no position is found that agrees with all that it saw,
such serve as look to it like the present one. A guess counts by how likely chance was to bring
about what the side saw in it.

It is information set Monte-Carlo tree search with a tree for each side (P. Cowling, E. Powley and
D. Whitehouse, "Information set Monte Carlo tree search", 2012): each iteration guesses a position,
and each side chooses by what it would have seen since. A decision that others make at the same time
is hidden like any other. There, two that choose by fixed bounds can follow each other's choices in
step, and each takes that for its chances; so what is added for what is not known is drawn between
nothing and all of it. That is less where there are more moves: else some hundred iterations would
visit all cards of a hand about alike. Then moves are visited about as often as a side should make
them that is not to be seen through.
"""

from __future__ import annotations

import random
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import exp, log, sqrt
from typing import Any

from gdl.core.nodes import Get, Slot
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.encoding import read_plain
from gdl.interpreter.positions.information import Information
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.positions.view import ALL_SIDES, OF_NOBODY, View
from gdl.interpreter.search.analysis import Analysis, MoveAnalysis, end_values
from gdl.interpreter.search.hidden.guesses import Guess, PossibleGame, Steps, repaired
from gdl.interpreter.search.long_games import GamesBrokenOff
from gdl.interpreter.search.memory.positions import drawn_value
from gdl.model import Game, Layer

_EXPLORATION = 0.4
_GAMES = 4
"""How many random games judge a position."""
_MOST_GUESSES = 24
"""How many positions are guessed before the search begins."""
_GAMES_OF_GUESS = 8
"""After how many iterations a guess another one is made."""
_GUESS_STEPS = 2000
_STEPS_OF_ITERATION = 2
"""How many moves may be tried in guesses for each iteration, where these count and not time."""
_MOST_MISSED = 2
"""How many guesses may come to nothing, where some were kept, before no more are tried."""
_PART_TO_GUESS, _PART_FOR_MORE = 0.3, 0.15
"""Which part of the time may go into guesses, first and then."""
_NEXT_TO_NOTHING = 0.001
"""How far logarithms of weights may differ that count as equal."""
_MOST_LOG = 600.0
"""The logarithm of the greatest weight, so that all of them have a sum."""
_DEEPEST = 200


class _Arm:
    """What is known of a move of an information set."""

    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.visits = self.available = 0
        self.total = 0.0

    def score(self, weight: float) -> float:
        """Return the value of the move, with how much it may be more, by the weight of that.

        It may be less, the more of the times when it could be made it was.
        """
        unknown = sqrt(log(self.available) / self.visits)
        return self.total / self.visits + weight * unknown


class _Node:
    """What a side knows, and what it found out of the moves that it may have there."""

    __slots__ = ("arms", "later")

    def __init__(self) -> None:
        self.arms: dict[str, _Arm] = {}
        self.later: dict[tuple[Hashable, ...], _Node] = {}


class _Guesses:
    """Positions in which a side may be, and how likely each is.

    In a round in which others have decided, and the side has not seen what, a game is played from
    the beginning of the round: else they would be taken to decide by chance. `position` is one in
    which the side decides, `seen` what it sees from the beginning of the round to there.
    """

    def __init__(self) -> None:
        self.all: list[Guess] = []
        self.may_be_more = False
        self.position: Position | None = None
        self.seen: tuple[tuple[Hashable, ...], ...] = ()
        self._logs = (0.0, 0.0, 0.0)  # of the first, the least and the greatest weight
        self._sums: list[float] = []

    def add(self, game: Sequence[Guess], log_weight: float) -> None:
        """Add where a game has come to, by the logarithm of how likely it is."""
        begun = max((n for n, one in enumerate(game) if not one.position.is_undecided), default=-1)
        if self.position is None:
            self.position = game[-1].position
            way = [one.known.events for one in game[begun:]]
            self.seen = tuple(after[len(before) :] for before, after in pairwise(way))
        self.all.append(game[begun])
        first, least, most = self._logs if self._sums else (log_weight,) * 3
        self._logs = first, min(least, log_weight), max(most, log_weight)
        before = self._sums[-1] if self._sums else 0.0
        self._sums.append(before + exp(min(log_weight - first, _MOST_LOG)))

    def drawn(self, number: int, chance: random.Random) -> Guess:
        """Return a position as often as it is likely; of equals, each in turn, by a number."""
        _, least, most = self._logs
        if most - least < _NEXT_TO_NOTHING:
            return self.all[number % len(self.all)]
        return chance.choices(self.all, cum_weights=self._sums)[0]


class InformationSearch:
    """Searches the moves of a side by what it knows.

    `native` plays the random games, each of so many `plies` at most; where they come to no end,
    they count as draws, unless there is what has them `broken_off` and judges them. Guesses are
    kept: where a side sees more of the same game, they are gone on with, and repaired.
    """

    def __init__(
        self,
        rules: Rules,
        native: NativeRules,
        plies: int,
        broken_off: GamesBrokenOff | None = None,
    ) -> None:
        """Prepare to search the moves of a game by its rules."""
        self._broken_off = broken_off
        self._native = native
        self._rules = Rules(rules.game, native)
        self._plies = plies
        self._is_mixed = bool(rules.game.undecided)
        self._peak = 0.0
        self._possible_games: dict[str, list[PossibleGame]] = {}

    def analyse(
        self, known: Information, *, seed: int, seconds: float | None, iterations: int | None
    ) -> Analysis | None:
        """Return what is found out; None if no position is found that agrees with it."""
        begun = time.perf_counter()
        end = None if seconds is None else begun + seconds
        chance = random.Random(seed)
        tried = None
        if seconds is None and iterations is not None:
            tried = Steps(_GUESS_STEPS + _STEPS_OF_ITERATION * iterations)
        until = None if seconds is None else begun + _PART_TO_GUESS * seconds
        guesses = self._guesses(known, chance, Steps(_MOST_GUESSES * _GUESS_STEPS, until, tried))
        if not guesses.all:
            return None
        guessing = time.perf_counter() - begun
        trees = [_Node() for _ in (*self._rules.sides, ALL_SIDES)]
        sums = [0.0] * len(self._rules.sides)
        made = 0
        while (iterations is None or made < iterations) and (
            end is None or not made or time.perf_counter() < end
        ):
            now = time.perf_counter()
            late = seconds is not None and guessing > _PART_FOR_MORE * (now - begun)
            if guesses.may_be_more and made >= _GAMES_OF_GUESS * len(guesses.all) and not late:
                self._guess_once_more(guesses, known, chance, Steps(_GUESS_STEPS, end, tried))
                guessing += time.perf_counter() - now
            values = self._iterate(trees, guesses.drawn(made, chance), chance)
            sums = [total + value for total, value in zip(sums, values, strict=True)]
            made += 1
        means = [total / made for total in sums]
        return self._told(trees, guesses, made, means, time.perf_counter() - begun)

    def _guesses(self, known: Information, chance: random.Random, steps: Steps) -> _Guesses:
        kept = [one for one in self._possible_games.get(known.side, ()) if one.agrees(known)]
        found: list[PossibleGame] = []
        missed = 0
        for number in range(_MOST_GUESSES):
            begun_so = kept[number] if number < len(kept) else None
            one = repaired(self._rules, known, chance, Steps(_GUESS_STEPS, whole=steps), begun_so)
            if one is not None:
                found.append(one)
            missed += one is None or not one.reaches(known)
            if steps.are_over or missed > (_MOST_MISSED if kept else 0):
                break
        games = self._possible_games[known.side] = found + kept[len(found) :]
        guesses = _Guesses()
        for game in found:
            if game.reaches(known):
                guesses.add(game.guesses, game.log_likelihood(known, chance))
        guesses.may_be_more = bool(guesses.all) and not missed
        for similar in () if guesses.all else self._similar_positions(games, known, chance):
            guesses.add((similar,), 0.0)
        return guesses

    def _guess_once_more(
        self, guesses: _Guesses, known: Information, chance: random.Random, steps: Steps
    ) -> None:
        """Add a guess; where none is found that agrees, no more are looked for."""
        game = repaired(self._rules, known, chance, steps)
        if game is not None and game.reaches(known):
            guesses.add(game.guesses, game.log_likelihood(known, chance))
        else:
            guesses.may_be_more = False

    def _similar_positions(
        self, games: Sequence[PossibleGame], known: Information, chance: random.Random
    ) -> Iterator[Guess]:
        """Yield positions that look alike to the side now, where what it saw before is too much."""
        begun = [game.last.position for game in games] or [self._rules.start()]
        for number in range(_MOST_GUESSES):
            position = similar_position(begun[number % len(begun)], known.view, chance)
            if position is not None:
                yield Guess(position, known)

    def _iterate(
        self, trees: Sequence[_Node], start: Guess, chance: random.Random
    ) -> Sequence[float]:
        """Play one game, and let each side know how it went in the places where it decided.

        Return what it was worth for each seat.
        """
        sides, position = self._rules.sides, start.position
        known = [start.known_to(side) for side in sides]
        nodes, is_new = list(trees), False
        way: list[tuple[_Arm, int]] = []
        is_drawn = start.known.side == ALL_SIDES
        if is_drawn:  # here, no side is the one whose hidden part alone is known
            for n, own in enumerate(known):
                nodes[n] = trees[n].later.setdefault(own.events, _Node())
        while not position.over and not is_new and len(way) < _DEEPEST:
            moves = position.moves()
            if position.seat is None:
                move = chance.choice(moves)
                if is_drawn and position is start.position:
                    way.append((trees[-1].arms.setdefault(move.text, _Arm()), 0))
            else:
                arms = nodes[position.side].arms
                here = [arms.setdefault(move.text, _Arm()) for move in moves]
                untried = [n for n, arm in enumerate(here) if not arm.visits]
                is_new = bool(untried)
                for arm in here:
                    arm.available += 1
                if untried:
                    number = chance.choice(untried)
                else:
                    most = sqrt(1 / len(here))
                    weights = (
                        most * chance.random() if self._is_mixed else _EXPLORATION for _ in here
                    )
                    scores = list(map(_Arm.score, here, weights))
                    number = scores.index(max(scores))
                move = moves[number]
                way.append((here[number], position.seat - 1))
            after = position.after(move)
            for n in () if is_new else range(len(sides)):
                events = len(known[n].events)
                known[n] = known[n].after(position, move, after)
                news = known[n].events[events:]
                if news:
                    nodes[n] = nodes[n].later.setdefault(news, _Node())
            position = after
        values = self._values(position, chance)
        for arm, seat in way:
            arm.visits += 1
            arm.total += values[seat]
        return values

    def _values(self, position: Position, chance: random.Random) -> list[float]:
        """Return what a position is worth for each seat, by how it ended or by random games."""
        seats = range(1, len(self._rules.sides) + 1)
        teams = self._rules.game.number_of_teams
        outcome = position.outcome
        if outcome is not None and outcome.payoffs:
            paid = map(float, outcome.payoffs)
            return self._paid(position, dict(zip(self._rules.sides, paid, strict=False)))
        if outcome is not None:
            return end_values(outcome.seats, seats, teams)
        seed = chance.getrandbits(32)
        if self._broken_off is not None:
            values = self._broken_off.value(position, _GAMES, seed)
            if values is not None:
                return values
        try:
            found = self._native.playouts(position.state, _GAMES, seed, self._plies)
        except RuleError as problem:
            # Its moves begin in a guess, to which no moves of the game need lead.
            raise RuleError(problem.diagnostic) from None
        if found.payoffs:
            return self._paid(position, found.mean_payoffs)
        shared = drawn_value(teams) * (found.draws + found.unfinished)
        return [min(1.0, (found.by_seat[seat] + shared) / found.playouts) for seat in seats]

    def _paid(self, position: Position, payoffs: Mapping[str, float]) -> list[float]:
        """Return numbers from 0 to 1 in place of payoffs; the greatest so far is 1."""
        self._peak = max(self._peak, *map(abs, payoffs.values()))
        found = [0.5] * len(self._rules.sides)
        for side, payoff in payoffs.items():
            if self._peak:
                found[position.seat_of(side) - 1] = 0.5 + 0.5 * payoff / self._peak
        return found

    def _told(
        self,
        trees: Sequence[_Node],
        guesses: _Guesses,
        made: int,
        means: Sequence[float],
        seconds: float,
    ) -> Analysis:
        """Return what is known of the moves; those that can't be made here are left out.

        `means` has what the games were worth for each seat. A move of chance is told by what it is
        worth for the first seat.
        """
        position = guesses.position
        assert position is not None, "there is a guess"
        is_drawn = position.seat is None
        node = trees[-1 if is_drawn else position.side]
        for news in filter(None, guesses.seen):
            node = node.later.get(news, _Node())
        arms = node.arms
        ranked = sorted(
            ((move, arms[move.text]) for move in position.moves() if move.text in arms),
            key=lambda entry: -entry[1].visits,
        )
        moves = tuple(
            MoveAnalysis(
                move, arm.visits, arm.total / max(1, arm.visits), (0.0, 1.0), None, (move,)
            )
            for move, arm in ranked
            if arm.visits
        )
        value = {side: means[position.seat_of(side) - 1] for side in self._rules.sides}
        if moves and len(value) == 2 and not (self._is_mixed or is_drawn):
            best, mover = moves[0].value, position.mover
            value = {side: best if side == mover else 1 - best for side in value}
        return Analysis(position, made, seconds, value, moves, is_mixed=self._is_mixed)


# ------------------- positions that look to a side much like what it sees now, whatever came before

Piece = tuple[int, Layer]
"""A site, by its index, and what stands there."""


def similar_position(position: Position, view: View, chance: random.Random) -> Position | None:
    """Return a position with all that the side sees, in which it can go on, or None.

    There is none of games with piles.
    """
    rules, game = position.rules, position.rules.game
    if game.piles is not None:
        return None
    values = list(position.state.values)
    for layer in game.layers:
        values[rules.places[layer.slot]] = 0
    for index, layer in _arranged(game, list(position.occupied()), view, chance):
        values[rules.places[layer.slot]] |= 1 << index
    phases = [phase.name for phase in game.program.phases]
    system = game.program.system
    on_turn = (
        (system.mover, rules.sides.index(view.mover)),
        (system.phase, phases.index(view.phase)),
    )
    for slot, value in (*on_turn, *_seen_values(game, view)):
        if slot in rules.places:
            values[rules.places[slot]] = value
    try:
        found = Position(rules, rules.evaluator.settle(values))
        return found if found.moves() else None
    except RuleError:
        return None


def _arranged(
    game: Game, standing: Sequence[Piece], view: View, chance: random.Random
) -> Iterator[Piece]:
    """Yield the pieces as a side sees them, and the others where they may stand."""
    indices = {site.name: index for index, site in enumerate(game.board.sites)}
    layers = {layer.name: layer for layer in game.layers}
    seen = {indices[name]: what for name, what in view.pieces}
    left = list(standing)
    for index, what in seen.items():
        if what in layers:
            _taken(left, index, [piece for piece in left if piece[1].name == what], chance)
            yield index, layers[what]
    for index, what in seen.items():
        if what not in layers:
            sides = [layer for layer in game.layers if _side_name(game, layer) == what]
            fitting = [piece for piece in left if piece[1] in sides]
            yield index, _taken(left, index, fitting, chance) or chance.choice(sides)
    free = {indices[name] for name in view.unseen}
    hidden = [piece for piece in left if _side_name(game, piece[1]) != view.side]
    chance.shuffle(hidden)
    for index, layer in sorted(hidden, key=lambda piece: piece[0] not in free):
        if free:
            place = index if index in free else chance.choice(sorted(free))
            free.discard(place)
            yield place, layer


def _taken(
    left: list[Piece], index: int, fitting: Sequence[Piece], chance: random.Random
) -> Layer | None:
    """Take one of the pieces that fit away from those left: the one that stands there, or any."""
    if not fitting:
        return None
    here = next((piece for piece in fitting if piece[0] == index), None)
    taken = here or chance.choice(fitting)
    left.remove(taken)
    return taken[1]


def _side_name(game: Game, layer: Layer) -> str:
    return OF_NOBODY if layer.side is None else game.sides[layer.side]


def _variables(game: Game, side: str) -> Iterator[tuple[str, Slot]]:
    """Yield the variables that a side may see, each with the text that asks for it."""
    sight = game.sight(None if side == ALL_SIDES else game.sides.index(side))
    if sight is None:
        yield from game.state_slots.items()
        return
    for text, value in sight.values:
        if isinstance(value, Get):
            yield text, value.slot


def _seen_values(game: Game, view: View) -> Iterator[tuple[Slot, Any]]:
    """Yield the variables that a side sees, with their values."""
    shown = dict(view.values)
    for text, slot in _variables(game, view.side):
        told = shown.get(text, "")
        words = told.split() if slot.per_site else [told]
        read = tuple(read_plain(game, slot.type, word) for word in words)
        if None not in read:
            yield slot, read if slot.per_site else read[0]
