"""The course of a game: whose turn it is, what a move leads to, and how the game ends.

In: a `Game`. Out: the `Evaluator` that says what its rules mean. What then holds, for every
move: its turn's program has run; the counts of turns and of passes in a row are those after the
move; the endings of the turn were tried, in order, with `mover` still the side that moved; the
position was remembered, likewise; and then `mover` became the side that is next. An ending that
yields was left out if that side is stuck and the game ends by that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from gdl.codes import Code
from gdl.core.evaluate import Evaluated, Frame
from gdl.core.nodes import Ending, Expression
from gdl.core.operations import Overflow
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import (
    Outcome,
    Playout,
    RuleError,
    State,
    failure_in_moves,
    is_about_work,
    too_much_work,
    usual_payoffs,
)
from gdl.interpreter.evaluation.moves import FORCED_PASS, PASS, Move
from gdl.interpreter.reference.failures import overflow, told_at, while_trying_stuck
from gdl.interpreter.reference.history import History
from gdl.interpreter.reference.machine import Machine
from gdl.interpreter.reference.watch import Watch
from gdl.interpreter.reference.ways import TurnSteps
from gdl.model import Game, OfAGame, game_of
from gdl.resources.budget import TooMuchWork
from gdl.resources.scoped_cache import shared

Winners = tuple[int, ...]
Payoff = int | Fraction
_MOST_PAID = 1 << 63


@dataclass(frozen=True)
class Clause:
    """An ending, and functions of a frame: its winners, or None if it fails; what each side has."""

    ending: Ending
    winners: Callable[[Frame], Winners | None]
    payoffs: Callable[[Frame], tuple[Payoff, ...]]


@shared
def reference_rules(game: Game) -> ReferenceRules:
    """Return rules that play a game, within a scope the same for all that ask for them."""
    return ReferenceRules(game)


class ReferenceRules:
    """Plays a game by walking through its program."""

    def __init__(self, given: Game | OfAGame, watch: Watch | None = None) -> None:
        """Prepare to play a game, or that of its rules; turns are made ready when first needed.

        `watch` sees what happens in turns and endings. Raises TypeError for what is no game.
        """
        game = self._game = game_of(given)
        self._program = game.program
        self._sides = len(game.sides)
        self._has_payoffs = game.program.has_payoffs
        names = tuple(site.name for site in game.board.sites)
        self.machine = Machine(game.program, names, watch)
        self.machine.is_over = self._is_over
        self._watch = watch
        system = game.program.system
        places = self.machine.places
        self._mover = places[system.mover]
        self._following = places[system.following]
        self._turns = None if system.turns is None else places[system.turns]
        self._passes = None if system.passes is None else places[system.passes]
        self._phase = None if system.phase is None else places[system.phase]
        self._seats = tuple(places[slot] for slot in system.seats)
        self._state_size = len(game.program.state)
        self._clauses: dict[tuple[int, int, bool], tuple[Clause, ...]] = {}

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @cached_property
    def _memories(self) -> tuple[tuple[int, tuple[Evaluated, ...]], ...]:
        function = self.machine.evaluator.function
        return tuple(
            (
                self.machine.places[memory.slot],
                tuple(told_at(memory.span, part, function(part)) for part in memory.key),
            )
            for memory in self._program.memories
        )

    # -------------------------------------------------------------------- states

    def start(self) -> State:
        """Return the state that the game begins with."""
        return self.settle(self._program.initial)

    def settle(self, values: Sequence[Any]) -> State:
        """Return the state with these values of the slots, as if the side before had just moved.

        Earlier positions are forgotten; an ending may hold.
        """
        frame, phase, before = self.described(values)
        mover = int(values[self._mover])
        ended = self._ended(frame, phase, before, mover)
        self._remember(frame)
        frame[self._mover] = mover
        return State(tuple(frame[: self._state_size]), ended)

    def described(self, values: Sequence[Any]) -> tuple[Frame, int, int]:
        """Return the frame in which endings are tried in a position that was not played.

        With it come its phase and the side that might just have moved.
        """
        self.machine.begin_turn()
        self.machine.is_counted = True
        frame = self.machine.frame(values)
        before = (int(frame[self._mover]) - 1) % self._sides
        for place, _ in self._memories:
            frame[place] = History()
        frame[self._mover] = before
        return frame, self.machine.phase(frame), before

    def legal(self, state: State) -> Sequence[Move]:
        """Return the legal moves, ordered by decisions; none when the game is over."""
        if state.ended is not None:
            return ()
        self.machine.begin_turn()
        frame = self.machine.frame(state.values)
        moves = self.machine.ways.moves(frame, self._turn(frame))
        if moves:
            self.machine.tally.list(len(moves), len(moves[-1].decisions))
        elif self.stuck_by(frame).ending.kind == "passes":
            return (FORCED_PASS,)
        return moves

    def named(self, state: State, text: str) -> Sequence[Move]:
        """Return the legal moves that read just so, but for a pass that the rules force."""
        if state.ended is not None:
            return ()
        self.machine.begin_turn()
        frame = self.machine.frame(state.values)
        return self.machine.ways.named(frame, self._turn(frame), text)

    def apply(self, state: State, move: Move) -> State:
        """Return the state after a legal move; raises ValueError for one that can't be made."""
        frame, phase, side = self.turn_made(state, move)
        return self._finished(frame, phase, side)

    def turn_made(self, state: State, move: Move) -> tuple[Frame, int, int]:
        """Return the frame in which endings are tried after a move, its phase and its side.

        Raises ValueError for a move that can't be made.
        """
        self.machine.begin_turn()
        frame = self.machine.frame(state.values)
        phase, side = self.machine.phase(frame), int(frame[self._mover])
        if move != FORCED_PASS:
            frame = self.machine.ways.after(frame, self.machine.turn(phase, side), move.decisions)
        elif self._phase is not None:
            following = self.stuck_by(frame).ending.phase
            frame[self._phase] = phase if following is None else following
        self._count(frame, move.text == PASS)
        return frame, phase, side

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game has ended, or None if it goes on."""
        if state.ended is not None:
            return state.ended
        self.machine.begin_turn()
        frame = self.machine.frame(state.values)
        if self.machine.ways.has_move(frame, self._turn(frame)):
            return None
        return self._stuck_outcome(frame)

    def value(self, state: State, expression: Expression) -> Any:
        """Return what an expression in the game's words is worth in a state."""
        self.machine.begin_turn()
        self.machine.is_counted = True
        try:
            return self.machine.value(expression, state.values)
        except Overflow:
            raise overflow(None) from None
        except TooMuchWork:
            raise too_much_work(None) from None

    # -------------------------------------------------------------- many moves

    def perft(self, state: State, depth: int) -> int:
        """Return the number of sequences of `depth` moves; a game that ends earlier has none."""
        if depth == 0:
            return 1
        if depth == 1:
            return self._moves_of(state)
        found, pending = 0, [(state, iter(self.legal(state)))]
        while pending:
            here, moves = pending[-1]
            move = next(moves, None)
            if move is None:
                pending.pop()
                continue
            after = self.apply(here, move)
            if len(pending) == depth - 1:
                found += self._moves_of(after)
            else:
                pending.append((after, iter(self.legal(after))))
        return found

    def perfts(self, states: Sequence[State], depth: int) -> list[int]:
        """Return the number of sequences of `depth` moves from each state."""
        return [self.perft(state, depth) for state in states]

    def _moves_of(self, state: State) -> int:
        if state.ended is not None:
            return 0
        self.machine.begin_turn()
        frame = self.machine.frame(state.values)
        number = self.machine.ways.count(frame, self._turn(frame))
        if number == 0 and self.stuck_by(frame).ending.kind == "passes":
            return 1
        return number

    def playout(self, state: State, chance: Chance, max_plies: int) -> Playout:
        """Play equally likely legal moves to the end, or until `max_plies` are made.

        Raises RuleError, with the moves, where the rules fail.
        """
        made: list[str] = []
        try:
            for plies in range(max_plies):
                if state.ended is not None:
                    return Playout(plies, state.ended, state)
                self.machine.begin_turn()
                frame = self.machine.frame(state.values)
                phase, side = self.machine.phase(frame), int(frame[self._mover])
                path = self.machine.ways.draw(frame, self.machine.turn(phase, side), chance)
                if path is not None:
                    self._count(path.frame, path.text in ("", PASS))
                    state = self._finished(path.frame, phase, side)
                    made.append(path.text or PASS)
                    continue
                outcome = self._stuck_outcome(frame)
                if outcome is not None:
                    return Playout(plies, outcome, state)
                state = self.apply(state, FORCED_PASS)
                made.append(FORCED_PASS.text)
            return Playout(max_plies, self.outcome(state), state)
        except RuleError as problem:
            found = None if is_about_work(problem.diagnostic) else failure_in_moves(self, state)
            found = found or problem
            raise RuleError(found.diagnostic, made, found.move) from None

    # ------------------------------------------------------------------ a turn

    def _turn(self, frame: Frame) -> TurnSteps:
        return self.machine.turn(self.machine.phase(frame), int(frame[self._mover]))

    def _count(self, frame: Frame, passed: bool) -> None:
        """Count a turn whose program has run."""
        self.machine.is_counted = True
        if self._turns is not None:
            frame[self._turns] += 1
        if self._passes is not None:
            frame[self._passes] = frame[self._passes] + 1 if passed else 0

    def _finished(self, frame: Frame, phase: int, side: int) -> State:
        """Return the state after a turn that is made and counted."""
        following = self._next(frame, phase, side)
        ended = self._ended(frame, phase, side, following)
        self._remember(frame)
        frame[self._mover] = following
        return State(tuple(frame[: self._state_size]), ended)

    def _next(self, frame: Frame, phase: int, side: int) -> int:
        """Return the side that is on turn after a turn that was made."""
        if frame[self._following] >= 0:
            return int(frame[self._following])
        return side if self._program.phases[phase].by_chance else (side + 1) % self._sides

    def _remember(self, frame: Frame) -> None:
        keys = [tuple(part(frame) for part in key) for _, key in self._memories]
        for (place, _), key in zip(self._memories, keys, strict=True):
            frame[place] = frame[place].adding(key)

    # ----------------------------------------------------------------- endings

    def _ended(self, frame: Frame, phase: int, side: int, following: int) -> Outcome | None:
        found = self.ended_by(frame, phase, side, following)
        return None if found is None else self._outcome(frame, *found)

    def ended_by(
        self, frame: Frame, phase: int, side: int, following: int | None = None
    ) -> tuple[Clause, Winners] | None:
        """Return the clause that ends the game after a turn that was made, and who wins by it.

        `following` is the side on turn afterwards, if it is not the one that the turn leads to.
        """
        for clause in self._clauses_of(phase, side, is_stuck=False):
            winners = clause.winners(frame)
            if winners is not None:
                if clause.ending.yields:
                    later = self._next(frame, phase, side) if following is None else following
                    if self._ends_by_standstill(frame, later, clause.ending):
                        return None
                if self._watch is not None:
                    self._watch.ending(clause.ending)
                return clause, winners
        return None

    def _ends_by_standstill(self, frame: Frame, following: int, yields: Ending) -> bool:
        """Return whether a side has no legal move after a turn, and the game ends by that.

        Asked where an ending `yields` to that.
        """
        after = list(frame)
        self._remember(after)
        after[self._mover] = following
        try:
            return self.outcome(State(tuple(after[: self._state_size]))) is not None
        except RuleError as failure:
            raise while_trying_stuck(failure, yields) from None

    def _is_over(self, frame: Frame) -> bool:
        """Return whether an ending that looks no turn ahead holds, of the side on turn."""
        clauses = self._clauses_of(self.machine.phase(frame), int(frame[self._mover]), False)
        return any(
            clause.winners(frame) is not None
            for clause in clauses
            if not any(part.looks_ahead for part in clause.ending.expressions)
        )

    def stuck_by(self, frame: Frame) -> Clause:
        """Return what the rules say of a side without a legal move. Raises RuleError."""
        phase, side = self.machine.phase(frame), int(frame[self._mover])
        for clause in self._clauses_of(phase, side, is_stuck=True):
            if clause.winners(frame) is not None:
                if self._watch is not None:
                    self._watch.ending(clause.ending)
                return clause
        raise self._no_way_on(phase, side)

    def _stuck_outcome(self, frame: Frame) -> Outcome | None:
        clause = self.stuck_by(frame)
        if clause.ending.kind == "passes":
            return None
        return self._outcome(frame, clause, clause.winners(frame) or ())

    def _outcome(self, frame: Frame, clause: Clause, winners: Winners) -> Outcome:
        payoffs = clause.payoffs(frame)
        if self._has_payoffs and not payoffs:
            payoffs = usual_payoffs(winners, self._sides)
        return Outcome(
            tuple(self._game.sides[side] for side in winners),
            tuple(frame[self._seats[side]] + 1 if self._seats else side + 1 for side in winners),
            payoffs,
            clause.ending.span,
            clause.ending.number,
            is_puzzle=self._sides == 1,
        )

    def _no_way_on(self, phase: int, side: int) -> RuleError:
        phases = self._program.phases
        where = f" in phase `{phases[phase].name}`" if len(phases) > 1 else ""
        told = "the rules do not say what happens then"
        hint = "Add `stuck:`, for example `stuck: passes` or `stuck: loses`."
        if phases[phase].turns[side].stuck:
            told = "no clause of `stuck` holds"
            hint = (
                "Let the last clause of `stuck` be one that always holds, such as `- draw`."
                " In a tie, none is the highest or lowest."
            )
        return RuleError(
            Diagnostic(
                Code.NO_MOVE_NO_STUCK,
                f"{does([self._game.sides[side]], 'has')} no legal move{where}, and {told}.",
                phases[phase].span,
                hint,
            )
        )

    def _clauses_of(self, phase: int, side: int, is_stuck: bool) -> tuple[Clause, ...]:
        key = (phase, side, is_stuck)
        if key not in self._clauses:
            turn = self._program.phases[phase].turns[side]
            endings = turn.stuck if is_stuck else turn.endings
            self._clauses[key] = tuple(self._clause(ending) for ending in endings)
        return self._clauses[key]

    def _clause(self, ending: Ending) -> Clause:
        function = self.machine.evaluator.function
        condition = function(ending.condition)
        values, worths = tuple(map(function, ending.values)), tuple(map(function, ending.payoffs))

        def payoffs(frame: Frame) -> tuple[Payoff, ...]:
            try:
                found = tuple(worth(frame) for worth in worths)
            except Overflow:
                raise overflow(ending.span) from None
            except TooMuchWork:
                raise too_much_work(ending.span) from None
            if any(abs(worth) >= _MOST_PAID for worth in found):
                raise overflow(ending.span)
            return found

        def winners(frame: Frame) -> Winners | None:
            try:
                if not condition(frame):
                    return None
                return self._winners(ending, tuple(value(frame) for value in values))
            except Overflow:
                raise overflow(ending.span) from None
            except TooMuchWork:
                raise too_much_work(ending.span) from None

        return Clause(ending, winners, payoffs)

    def _winners(self, ending: Ending, values: tuple[Any, ...]) -> Winners | None:
        """Return the sides that win by an ending whose condition holds."""
        together = self._program.together
        if ending.kind == "wins":
            return together(ending.sides)
        if ending.kind == "loses":
            return self._others(together(ending.sides))
        if ending.kind in ("highest", "lowest"):
            extreme = max(values) if ending.kind == "highest" else min(values)
            found = tuple(side for side, value in enumerate(values) if value == extreme)
            if together(found) != together(found[:1]) and not ending.is_shared:
                return None
            return self._others(found) if ending.inverted else found
        return ()

    def _others(self, sides: Winners) -> Winners:
        return tuple(side for side in range(self._sides) if side not in sides)
