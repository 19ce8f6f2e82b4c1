"""Games of the engine: against itself, and against one who mirrors its moves.

In: a game of two seats, with native code. Out: how games ended, by seat; and whether somebody who
answers each move by its mirror image was ever beaten. What then holds: in all of them the engine
searched as much a move, the first moves of its own games are random ones, and each was watched.
Where there is no work for as many games as tell something, there is no engine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from gdl.board.symmetries import Permutation, symmetries
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError
from gdl.interpreter.check.effort import Part
from gdl.interpreter.check.finding import WitnessGame
from gdl.interpreter.check.play.counted import CountedNative
from gdl.interpreter.check.play.games import Games
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move, MoveError
from gdl.interpreter.positions.position import Position, Rules

if TYPE_CHECKING:
    # The engine is much to bring along, and needed for a few games only: it comes when one plays.
    from gdl.interpreter.search.engine import Engine

ENGINE_GAMES, FEWEST_STRONG = 24, 12
MIRROR_GAMES = 12
_ITERATIONS = 120
_MEMORY = 8 << 20
_MOST_PLIES = 300
_RANDOM_PLIES = 2
_SHARE_AGAINST_ITSELF = 0.5
_AS_LONG = 0.5
"""The part of the work for games of the engine against itself; and how long they are, about,
beside random ones."""
_AN_ENGINE = 60_000
"""Units of work to make an engine, besides its code."""
_LEAST_MIRRORED = 0.75
"""Which part of a side's moves must be mirror images, for it to be said that it mirrors."""
_LEAST_WON = 0.5
_FORCED_PLIES = 1, 3, 5, 7
_LONGER = 4
"""How many times as long random games must be as a win that can be forced for it to be told."""
_A_POSITION_TRIED = 1.2
_A_POSITION = 50
"""Units of work for a move of a game, besides what native code and the engine are asked."""
_WORD = re.compile(r"\w+")

Answer = Callable[[Position, Sequence[Move]], Move | None]


@dataclass
class Mirrored:
    """A seat that mirrors: how many games it played, how many it won, and one of these."""

    seat: int
    games: int
    won: int
    witness: WitnessGame


@dataclass(frozen=True)
class Forced:
    """A win that the first side can force from the start, in so many moves of both sides."""

    side: str
    plies: int
    witness: WitnessGame


@dataclass
class Strong:
    """How games of the engine against itself ended, by seat (0: drawn), and who mirrored well.

    An iteration of the engine is so many `units` of work, for about so many `plies`.
    """

    units: float = 0.0
    plies: float = 0.0
    by_seat: Counter[int] = field(default_factory=Counter)
    mirrored: Mirrored | None = None
    forced: Forced | None = None
    witness: dict[int, WitnessGame] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """How many games of the engine against itself came to an end."""
        return self.by_seat.total()


def units_of_engine(native: CountedNative) -> float:
    """Return how much work it is to make an engine: the code is compiled well."""
    return native.units_of_making + _AN_ENGINE


class StrongGames:
    """Plays a game by the engine."""

    def __init__(self, games: Games, native: CountedNative) -> None:
        """Prepare games: nothing is compiled yet."""
        from gdl.interpreter.search.long_games import PLIES, shortest

        self._games = games
        self._native = native
        self._rules = Rules(games.rules.game, native)
        self._plies = games.seen.statistics.mean_length
        self._random = Random(0)
        is_long = self._plies >= shortest(native)
        plies = min(self._plies, PLIES) if is_long else self._plies
        self.found = Strong(native.units_of_iteration(plies), plies)

    def play(self, units: float) -> None:
        """Look for a quick win, then let the engine play, as long as some work is not done."""
        from gdl.interpreter.solve.retrograde import NoRoom

        part = self._games.work.part(units)
        try:
            engine = self._engine(units)
            with suppress(NoRoom):  # what is not found out so is not told
                self._force(engine, part)
            if engine is not None:
                half = self._games.work.part(part.left * _SHARE_AGAINST_ITSELF)
                self._against_itself(engine, half)
                self._against_mirrors(engine, part)
        except (RuleError, GameError, MoveError):
            return  # that rules fail is told by other games

    def _engine(self, units: float) -> Engine | None:
        """Return an engine, if the work is enough for it, and as many games as tell something."""
        a_game = _AS_LONG * self._plies * _ITERATIONS * self.found.units
        from gdl.interpreter.search.engine import Engine

        making = units_of_engine(self._native)
        if making + FEWEST_STRONG * a_game / _SHARE_AGAINST_ITSELF > units:
            return None
        self._native.make_well()
        self._games.work.count(_AN_ENGINE)
        return Engine(self._rules, memory=_MEMORY)

    # ---------------------------------------------------------- a win from the beginning

    def _force(self, engine: Engine | None, part: Part) -> None:
        """Look for a quick win of the first side that nothing can stop, as long as that is little.

        Where random games are short, quick wins are no wonder.
        """
        from gdl.interpreter.solve.forced_wins import ForcedWins

        start = self._rules.start()
        if start.over or self._plies < _LONGER * _FORCED_PLIES[0]:
            return
        wins = ForcedWins(self._rules, memory=_MEMORY, engine=engine, native=self._native)
        self._games.work.count(_AN_ENGINE)
        before = 1
        for plies in _FORCED_PLIES:
            ways = max(2.0, wins.positions / before) if plies > 1 else 1.0
            likely = wins.positions * ways * _A_POSITION_TRIED
            if self._plies < _LONGER * plies or likely > part.left / 2:
                return
            before = max(1, wins.positions)
            found = wins.quickest(start, plies)
            self._games.work.count(_A_POSITION_TRIED * wins.positions)
            if found is not None:
                solution = wins.solve(start, plies)
                self._games.work.count(_A_POSITION_TRIED * wins.positions)
                line = () if solution is None else tuple(move.text for move in solution.line)
                witness = WitnessGame(self._games.seen.combination, line)
                self.found.forced = Forced(start.mover, plies, witness)
                return

    # --------------------------------------------------------------- against itself

    def _against_itself(self, engine: Engine, part: Part) -> None:
        while part.left > 0 and self.found.games < ENGINE_GAMES:
            engine.begin(self.found.games)
            played = self._game(engine, _nobody, part, _RANDOM_PLIES)
            if played is None:
                return
            moves, position = played
            self._count(moves, position)

    def _count(self, moves: Sequence[Move], position: Position) -> None:
        outcome = position.outcome
        seat = 0
        if outcome is not None and len(outcome.seats) == 1:
            (seat,) = outcome.seats
        self.found.by_seat[seat] += 1
        way = tuple(move.text for move in moves)
        known = self.found.witness.get(seat)
        if known is None or len(way) < len(known.moves):
            self.found.witness[seat] = WitnessGame(self._games.seen.combination, way)
        self._watch(moves)

    def _watch(self, moves: Sequence[Move]) -> None:
        """Let the reference make the moves, so that what they do is counted."""
        state, made = self._games.begin, list[str]()
        for move in moves:
            after = self._games.made(state, move, partial(tuple, tuple(made)))
            if after is None:
                return
            state = after
            made.append(move.text)

    def _game(
        self, engine: Engine, answer: Answer, part: Part, random_plies: int
    ) -> tuple[list[Move], Position] | None:
        """Play a game; None where the work was done before its end.

        `answer` gives the move of one seat, or None if another is on turn: that plays at random for
        so many plies, and then as the engine does.
        """
        position, moves = self._rules.start(), list[Move]()
        while not position.over:
            if part.left <= 0 or len(moves) >= _MOST_PLIES:
                return None
            move = answer(position, moves)
            if move is None:
                move = self._own_move(engine, position, len(moves) < random_plies)
            if move is None:
                return None
            self._games.work.count(_A_POSITION)
            moves.append(move)
            position = position.play(move)
        return moves, position

    def _own_move(self, engine: Engine, position: Position, is_random: bool) -> Move | None:
        if position.seat is None or is_random:
            moves = position.moves()
            self._games.work.count_listed(moves)
            return self._random.choice(moves)
        self._native.count_search(_ITERATIONS, self.found.plies)
        return engine.analyse(position, iterations=_ITERATIONS, lines=0).best_move

    # -------------------------------------------------------------- against mirrors

    def _against_mirrors(self, engine: Engine, part: Part) -> None:
        """Let a side mirror the moves of a random player, then of the engine, until it loses."""
        identity = list(range(self._rules.game.board.size))
        for image in symmetries(self._rules.game.board):
            if list(image) == identity or any(
                image[there] != here for here, there in enumerate(image)
            ):
                continue
            for seat in (2, 1):
                mirror = _Mirror(self._rules, image, seat, self._random)
                found = None
                for is_engine in (False, True):
                    found = self._unbeaten(engine, mirror, is_engine, part)
                    if found is None:
                        break
                if found is not None:
                    self.found.mirrored = found
                    return

    def _unbeaten(
        self, engine: Engine, mirror: _Mirror, is_engine: bool, part: Part
    ) -> Mirrored | None:
        """Return how a side that mirrors did; None if it was beaten once, or hardly mirrors."""
        won, shortest = 0, None
        for number in range(MIRROR_GAMES):
            engine.begin(number)
            mirror.images = mirror.others = 0
            played = self._game(engine, mirror.answer, part, 0 if is_engine else _MOST_PLIES)
            if played is None or played[1].outcome is None:
                return None
            moves, outcome = played[0], played[1].outcome
            if outcome.seats and mirror.seat not in outcome.seats:
                return None
            if mirror.images < _LEAST_MIRRORED * (mirror.images + mirror.others):
                return None
            if mirror.seat in outcome.seats:
                won += 1
                if shortest is None or len(moves) < len(shortest):
                    shortest = moves
        if shortest is None or won < _LEAST_WON * MIRROR_GAMES:
            return None
        way = tuple(move.text for move in shortest)
        witness = WitnessGame(self._games.seen.combination, way)
        return Mirrored(mirror.seat, MIRROR_GAMES, won, witness)


def _nobody(position: Position, moves: Sequence[Move]) -> None:
    """Answer no move."""


class _Mirror:
    """A seat that answers each move by its mirror image, where that is legal."""

    def __init__(self, rules: Rules, image: Permutation, seat: int, chance: Random) -> None:
        self.seat = seat
        self.images = self.others = 0
        self._chance = chance
        names = [site.name for site in rules.game.board.sites]
        self._names = {name: names[image[index]] for index, name in enumerate(names)}

    def answer(self, position: Position, moves: Sequence[Move]) -> Move | None:
        """Return the move of this seat; None if another is on turn."""
        if position.seat != self.seat:
            return None
        if not moves:
            fixed = [m for m in position.moves() if self._image(m.text) == m.text]
            return self._chance.choice(fixed or position.moves())
        try:
            move = position.parse(self._image(moves[-1].text))
            self.images += 1
            return move
        except MoveError:
            self.others += 1
            return self._chance.choice(position.moves())

    def _image(self, text: str) -> str:
        return _WORD.sub(lambda word: self._names.get(word.group(), word.group()), text)
