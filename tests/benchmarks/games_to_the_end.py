"""Games that come to an end which was fought for, for positions with a forced win.

In: rules, and who plays. Out: the moves of a game, and its positions. What then holds: moves are
random, or an engine's, or those that bring a side's aim nearer; in a careful game nobody lets the
other side win at once as long as there is another move, so the last position before that was
already lost.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from gdl.core.nodes import Expression
from gdl.diagnostic import Source, Span
from gdl.interpreter import Engine, ForcedWins, Position, Rules
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.solve.clock import OutOfTime
from gdl.interpreter.solve.retrograde import NoRoom
from gdl.interpreter.solve.solution import SolvedMove

LONGEST, OPENING = 250, 4
_RANDOM_MOVES = 0.1
_LAST = 6, 24
"""How many moves, at least and at most, are played again."""
_MOST_CHANGED = 4
_MOST_JUDGED = 60
"""Of how many moves an aim chooses."""
_SECONDS = 5.0
"""How long is looked for wins at once in a position; what is not found then is overlooked."""


@dataclass(frozen=True)
class Players:
    """How both sides of a game play.

    Both play at random for `opening` moves, and each tenth move. Else they play by an `engine` with
    so many `iterations`, or by the `aim`: an expression of the game's language, which a side wants
    to be high after its move. With a `search`, they are careful after the opening. A game has at
    most `longest` moves; when it has come to an end, its last moves are played `again` so often.
    Where one is `weak`, the side that is on turn at the start, and in the next game the other one,
    plays at random throughout.
    """

    rules: Rules
    chance: random.Random
    engine: Engine | None = None
    iterations: int = 0
    aim: str = ""
    search: ForcedWins | None = None
    opening: int = OPENING
    longest: int = LONGEST
    again: int = 0
    weak: bool = False
    stifle: bool = False

    def games(self) -> Iterator[tuple[list[str], list[Position]]]:
        """Yield the moves and the positions of games, without end."""
        for number in count():
            weak = 1 + number % 2 if self.weak else None
            moves, positions = self._played([], [self.rules.start()], weak)
            yield moves, positions
            for _ in range(self.again if positions[-1].over else 0):
                left = max(0, len(moves) - self.chance.randint(*_LAST))
                yield self._played(moves[:left], positions[: left + 1], weak)

    def near(
        self, moves: list[str], positions: list[Position], number: int
    ) -> Iterator[tuple[list[str], Position]]:
        """Yield so many positions that differ by the last moves, and the moves that lead there.

        One to four moves are replaced by random ones; where the game is over, nothing is yielded.
        """
        for _ in range(number if moves else 0):
            changed = self.chance.randint(1, min(_MOST_CHANGED, len(moves)))
            others, position = moves[:-changed], positions[-1 - changed]
            while len(others) < len(moves) and not position.over:
                move = self.chance.choice(position.moves())
                others.append(move.text)
                position = position.play(move)
            if not position.over:
                yield others, position

    def _played(
        self, moves: list[str], positions: list[Position], weak: int | None
    ) -> tuple[list[str], list[Position]]:
        """Play a game to its end, which was begun with these moves."""
        while not positions[-1].over and len(moves) < self.longest:
            move = self._next(positions[-1], len(moves), weak)
            moves.append(move.text)
            positions.append(positions[-1].play(move))
        return moves, positions

    def _next(self, position: Position, number: int, weak: int | None) -> Move:
        """Return the move that is made: in a careful game one that wins, if there is any."""
        if weak is not None and position.seat == weak:
            return self.chance.choice(position.moves())
        known = self._known(position) if number >= self.opening else ()
        if known and known[0].result.for_seat(position.seat or 1) == 1:
            return known[0].move
        lost = {one.move for one in known if one.result.for_seat(position.seat or 1) == 0}
        moves = self._in_order(position, number)
        return next((move for move in moves if move not in lost), moves[0])

    def _in_order(self, position: Position, number: int) -> list[Move]:
        """Return the moves from the best one on, as the side on turn sees it."""
        moves = list(position.moves())
        self.chance.shuffle(moves)
        is_random = number < self.opening or self.chance.random() < _RANDOM_MOVES
        is_random = is_random or position.seat is None
        if self.engine is not None and not is_random:
            best = self.engine.analyse(position, iterations=self.iterations, lines=0).best_move
            assert best is not None
            moves.insert(0, best)
        elif (self.aim or self.stifle) and not is_random:
            some = moves[:_MOST_JUDGED]
            some.sort(key=lambda move: self._worth(position, move), reverse=True)
            moves[:_MOST_JUDGED] = some
        return moves

    def _worth(self, position: Position, move: Move) -> int:
        """Return what a move is worth for the aim of the side on turn."""
        if self.stifle:
            after = position.play(move)
            return len(after.moves()) * (1 if after.mover == position.mover else -1)
        return int(position.play(move).value(self._aims[position.side]))

    @cached_property
    def _aims(self) -> list[Expression]:
        """The aim of each side."""
        span, words = Span(Source("aim", self.aim), 0, len(self.aim)), self.rules.game.words
        return [words.expression(span, side) for side in range(len(self.rules.sides))]

    def _known(self, position: Position) -> tuple[SolvedMove, ...]:
        """Return the moves that win at once, or let the other side do so, best first."""
        if self.search is None:
            return ()
        known: tuple[SolvedMove, ...] = ()
        with suppress(OutOfTime, NoRoom):
            known = self.search.known(position, 1, seconds=_SECONDS)
            known = self.search.known(position, 2, seconds=_SECONDS)
        return known
