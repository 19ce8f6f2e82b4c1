"""Native code whose work is counted, as part of that of a check.

In: a game, and the work of its check. Out: native rules that count what they are asked. What then
holds: what is counted depends on the positions alone; what the reference answers instead is counted
as its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.interpreter.check.effort import Work
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Playout, State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.runtime.compiled import CompiledGame, Part
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.runtime.watched import Moment
from gdl.model import Game

_A_LINE_WRITTEN, _A_LINE_COMPILED, _A_LINE_COMPILED_WELL = 10, 9, 50
"""Units for a line of code."""
_WORTH_MAKING = 4
"""How many times as much work must be to be done as it is to compile code well."""
_A_CALL, _A_SLOT, _A_THREAD = 35, 4, 120
"""Units to hand a position to native code and back, for each of its slots, and for a thread."""
_A_MOVE_LISTED = 0.3
_A_MOVE = 0.36, 0.0001, 0.015, 0.00015
_A_MOVE_OF_ENGINE = 0.1, 0.00003, 0.01, 0.0004
"""Units of a move of a random game: each; by the lines of the code, for each word of a set; and
where it has to be searched for, by what the reference listed and did in a position."""
_MOST_DECISIONS, _MOST_UNITS = 700, 400_000
"""Of more, random games make no more: they take the first move that is drawn and is legal."""
_AN_INSTRUCTION_OF_WAY, _MOST_OF_WAY = 0.00025, 10
"""Units of a random move by how much work a way was to list and make where games were watched."""
_BITS_A_WORD = 64
_WIDE = 4
"""Sets of more words than these are much more work for the engine, whose code is not made well."""
_AN_ITERATION, _A_DECISION_OF_NODE = 4, 0.01


class _SoonMade(CompiledGame):
    """Code that is compiled well where that is asked for, and never because it ran for so long.

    A check knows what is left to be done; on a busy machine, the clock says that it pays too soon.
    """

    def turning_point(self, until: float | None) -> float | None:
        """Return None: the code can stay."""
        return None


class CountedNative(NativeRules):
    """Plays a game by machine code, and counts what it does as work."""

    compiled = _SoonMade

    def __init__(
        self,
        game: Game,
        work: Work,
        decisions: float,
        units: float,
        way: float = 0.0,
        seed: int = 0,
    ) -> None:
        """Write the code. Raises Uncovered where there is no native code for a construct.

        Its own random games are those of a `seed`. The moves of a position have so many
        `decisions`, on the average, and to look at it was so many `units` of work for the
        reference; a `way` was so many instructions where games were watched.
        """
        super().__init__(game)
        self._work = work
        self._seed = seed
        self.reference.machine.tally = work.tally
        self._decisions = decisions
        self._units = units
        self._in_a_thread = _A_CALL + _A_SLOT * len(game.program.state) + _A_THREAD
        self._a_call = self._in_a_thread - _A_THREAD * self._caller.is_short
        self._a_move = min(_MOST_OF_WAY, _AN_INSTRUCTION_OF_WAY * way) + self._units_of_move(
            *_A_MOVE, min(decisions, _MOST_DECISIONS), min(units, _MOST_UNITS)
        )
        self._compiled_as: dict[Part, float] = {}
        work.count(_A_LINE_WRITTEN * sum(map(_lines, self._parts)))

    def _units_of_move(
        self, each: float, line: float, decision: float, unit: float, decisions: float, units: float
    ) -> float:
        """Return how many units of work a move of a random game is."""
        words = -(-self.game.board.size // _BITS_A_WORD)
        found = each + line * _lines(self.code.games) * words
        if self.code.needs_search:
            found += decision * decisions + unit * units
        return found

    @property
    def _parts(self) -> tuple[Part, Part]:
        return self.code.games, self.code.calls

    def _compile(self, *parts: Part, a_line: float = _A_LINE_COMPILED) -> None:
        """Count that parts of the code are compiled, unless they were, as well as that."""
        for part in parts:
            if a_line > self._compiled_as.get(part, 0):
                self._compiled_as[part] = a_line
                self._work.count(a_line * _lines(part))

    def _compile_for_games(self) -> None:
        self._compile(*self._parts[: 1 + self.code.needs_search])

    @property
    def units_of_making(self) -> float:
        """How much work it is to compile all code well that is not yet."""
        parts = (part for part in self._parts if self._is_plain(part))
        return sum(_A_LINE_COMPILED_WELL * _lines(part) for part in parts)

    def _is_plain(self, part: Part) -> bool:
        return self._compiled_as.get(part, 0) < _A_LINE_COMPILED_WELL

    def make_well(self) -> None:
        """Count that all code is compiled well, as the engine has it done."""
        self._compile(*self._parts, a_line=_A_LINE_COMPILED_WELL)

    def make_well_for(self, units: float) -> None:
        """Compile the code well, if games are to be played for so much work that this pays."""
        if units > _WORTH_MAKING * self.units_of_making:
            self.make_well()
            self.code.compile()

    def units_of_game(self, plies: float) -> float:
        """Return how much work a random game is of about so many moves."""
        return self._in_a_thread + self._a_move * plies

    def count_search(self, iterations: int, plies: float) -> None:
        """Count iterations of the engine, each of which plays about so many moves."""
        self._work.count(self._a_call + iterations * self.units_of_iteration(plies))

    def units_of_iteration(self, plies: float) -> float:
        """Return how much work an iteration of the engine is that plays about so many moves."""
        node = _AN_ITERATION + _A_DECISION_OF_NODE * self._decisions
        each, line, decision, unit = _A_MOVE_OF_ENGINE
        line *= max(1, self.game.board.size // _BITS_A_WORD / _WIDE)
        move = self._units_of_move(each, line, decision, unit, self._decisions, self._units)
        return node + plies * move

    def legal(self, state: State) -> Sequence[Move]:
        """Return the legal moves, ordered by decisions; none when the game is over."""
        self._compile(self.code.calls)
        moves = super().legal(state)
        self._work.count(self._a_call + _A_MOVE_LISTED * len(moves))
        return moves

    def apply(self, state: State, move: Move) -> State:
        """Return the state after a legal move; raises ValueError for one that can't be made."""
        self._compile(self.code.calls)
        self._work.count(self._a_call)
        return super().apply(state, move)

    def perft(self, state: State, depth: int, threads: int = 1) -> int:
        """Return the number of sequences of `depth` moves; a game that ends earlier has none."""
        self._compile(self.code.calls)
        number = super().perft(state, depth, threads)
        self._work.count(self._in_a_thread + number)
        return number

    def playout(self, state: State, chance: Chance, max_plies: int) -> Playout:
        """Play equally likely legal moves to the end, or until `max_plies` are made."""
        self._compile_for_games()
        self._work.count(self._in_a_thread)
        found = super().playout(state, chance, max_plies)
        self._work.count(self._a_move * found.moves)
        return found

    def playout_states(self, state: State, chance: Chance, max_plies: int) -> list[State]:
        """Return the states of the game that `playout` plays, this one and those after each."""
        self._compile_for_games()
        found = super().playout_states(state, chance, max_plies)
        self._work.count((self._a_call + self._a_move) * len(found))
        return found

    def whole(self, state: State, number: int, max_plies: int) -> Playout:
        """Return the random game with a number from a state on. Raises RuleError."""
        return self.playout(state, Chance(self._seed, number), max_plies)

    def state_at(self, state: State, moment: Moment) -> State:
        """Return the state at a moment of the random games from a state on."""
        return self.whole(state, moment.number, moment.ply).state

    def way_to(self, state: State, moment: Moment) -> tuple[str, ...]:
        """Return the moves from a state on that lead to a moment of its random games."""
        chance = Chance(self._seed, moment.number)
        return tuple(move.text for move in self.playout_moves(state, chance, moment.ply))


def _lines(part: Part) -> int:
    return part.text.count("\n")
