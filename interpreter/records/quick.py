"""Recorded games followed in native memory: most games, by the thousand.

In: rules with native code, and recorded games. Out: how many moves the rules allow of a game, and
how it ended; or nothing. What then holds: what is told is what `follow` would tell. Wherever
something is not plain (a move that can't be read at once, a start of its own, a result that the
rules contradict), nothing is told, and `follow` has to look.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gdl.core.nodes import Expression
from gdl.interpreter.evaluation.evaluator import Outcome, RuleError, State
from gdl.interpreter.evaluation.moves import Move, MoveError
from gdl.interpreter.native.runtime.line import CannotGoOn, NativeLine
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.piece_numbers import PieceNumbers
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.positions.written_moves import Writing, read_written
from gdl.interpreter.records.following import Followed, follow_end, is_mirrored
from gdl.interpreter.records.recorded import USUAL_START, Recorded
from gdl.model import Layer


class QuickFollower:
    """Follows games of one game's rules."""

    def __init__(self, rules: Rules, line: NativeLine) -> None:
        """Make ready to follow games of `rules`, which native code plays in a `line`."""
        self._rules = rules
        self._line = line
        self._here = _Here(rules, line)
        self._start = rules.start()

    @classmethod
    def of(cls, rules: Rules) -> QuickFollower | None:
        """Return one for rules that native code plays, else None."""
        evaluator = rules.evaluator
        if not rules.writings or rules.tells_numbers or not isinstance(evaluator, NativeRules):
            return None
        return cls(rules, evaluator.line())

    def follow(self, game: Recorded) -> Followed | None:
        """Return what the rules say of a game, without the positions between; or None."""
        if game.counts or game.setup != USUAL_START or game.problem or not game.moves:
            return None
        if is_mirrored(self._rules, game):
            return None
        ordered = sorted(self._rules.writings.values(), key=lambda w: w.name != game.format)
        try:
            return self._line.within(lambda: self._followed(game, ordered))
        except (CannotGoOn, MoveError, RuleError):
            return None

    def _followed(self, game: Recorded, writings: Sequence[Writing]) -> Followed | None:
        here, line = self._here, self._line
        line.begin(self._start.state)
        sides = self._rules.sides
        done = Followed([self._start], held=len(game.moves), winner=game.winner(sides))
        for number, text in enumerate(game.moves):
            here.begin()
            if game.colours and game.side_of(game.colours[number], sides) != sides[here.side]:
                return None
            own = () if game.format else (move for move in here.moves() if move.text == text)
            move = next(iter(own), None) or read_written(text, here, writings)
            if move is None:
                return None
            done.moves.append(move)
            done.movers.append(here.side)
            line.make(move)
        here.begin()
        if not line.moves():
            last = Position(self._rules, line.state())
            done.positions.append(last)
        follow_end(done, game, sides)
        return None if done.refused is not None else done


class _Here:
    """The position in memory, as far as reading a move asks for it."""

    def __init__(self, rules: Rules, line: NativeLine) -> None:
        game = rules.game
        self._rules = rules
        self._line = line
        self._mover = game.program.system.mover
        self._layers = [(layer.slot, game.kinds[layer.kind]) for layer in game.layers]
        self._moves: Sequence[Move] | None = None
        self._state: State | None = None

    def begin(self) -> None:
        """Forget what was asked of the position before."""
        self._moves = self._state = None

    @property
    def side(self) -> int:
        """The number of the side on turn."""
        return self._line.number(self._mover)

    def moves(self) -> Sequence[Move]:
        """Return the legal moves."""
        if self._moves is None:
            self._moves = self._line.moves()
        return self._moves

    def kind_on(self, index: int) -> str:
        """Return the kind of the uppermost piece on a site."""
        for slot, kind in self._layers:
            if self._line.holds(slot, index):
                return kind
        return ""

    @property
    def state(self) -> State:
        """The state."""
        if self._state is None:
            self._state = self._line.state()
        return self._state

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended."""
        return self._rules.evaluator.outcome(self.state)

    def after(self, move: Move) -> Position:
        """Return the position after a legal move."""
        return Position(self._rules, self._rules.evaluator.apply(self.state, move))

    def value(self, expression: Expression) -> Any:
        """Return what an expression is worth."""
        return self._rules.evaluator.value(self.state, expression)

    @property
    def piece_numbers(self) -> PieceNumbers:
        """What stands on each site, with numbers."""
        return Position(self._rules, self.state).piece_numbers

    def occupied(self) -> Iterator[tuple[int, Layer]]:
        """Yield each site with a piece, and its layer."""
        return Position(self._rules, self.state).occupied()
