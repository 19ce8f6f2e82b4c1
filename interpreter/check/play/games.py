"""Games that are played to see the rules at work.

In: a game, with a watch, and time. Out: what was seen. What then holds: what went wrong comes with
the moves that lead there, and random games are those of `gdl playout` with the same seed.

Positions come from random games, native ones where there is native code: each at some depth. There
the reference lists all moves and makes some of them, so that every rule that bears on the position
is gone through; how games end is counted over many more games, which nobody watches.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from random import Random

from gdl.board.relation import bits
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.finding import Witness
from interpreter.check.play.coverage import Coverage, CoverageWatch
from interpreter.check.subject import Subject
from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import Evaluator, Playout, RuleError, State
from interpreter.evaluation.failures import is_about_work
from interpreter.evaluation.moves import Move
from interpreter.evaluation.playout import Statistics
from interpreter.native.runtime.rules import NativeRules, Uncovered
from interpreter.native.runtime.threads import TimeIsUp
from interpreter.reference.rules import ReferenceRules
from interpreter.verify.combinations import Combination

SEED = 1
MOST_PLIES = 2000
_MOVES_A_POSITION = 12
_WALL = 2
_WALL_MORE = 1.5
_WORD = re.compile(r"\w+")
_WITHOUT_NATIVE = 0.2
"""Seconds that a game must be worth before native code is made for it."""


@dataclass
class Seen:
    """What was seen of one combination of variants and options.

    `statistics` count whole games. `failures` have the shortest game to each error of the rules;
    `alike` is a position in which two moves read the same, `idle` one with a move that changes
    nothing; `short` games are over after one move, by a clause.
    """

    combination: Combination
    game: Game
    statistics: Statistics
    failures: dict[Diagnostic, Witness] = field(default_factory=dict)
    alike: tuple[str, Witness] | None = None
    idle: tuple[str, Witness] | None = None
    short: dict[Span, Witness] = field(default_factory=dict)
    positions: int = 0
    moves: int = 0
    most_moves: int = 0
    occupied: dict[int, int] = field(default_factory=dict)
    phases: set[int] = field(default_factory=set)
    movers: set[int] = field(default_factory=set)


class Clock:
    """Seconds of the processor that may be used; of a clock on the wall, twice as many and some."""

    def __init__(self, seconds: float) -> None:
        self._processor = time.process_time() + seconds
        self._wall = time.monotonic() + _WALL * seconds + _WALL_MORE

    @property
    def left(self) -> float:
        """How many seconds are left."""
        wall = (self._wall - time.monotonic()) / _WALL
        return min(self._processor - time.process_time(), wall)


class Games:
    """Plays a combination of variants and options of a game, and watches."""

    def __init__(
        self, subject: Subject, combination: Combination, game: Game, coverage: Coverage
    ) -> None:
        watch = CoverageWatch(coverage, subject.origins, len(game.program.state))
        self._game = game
        self._coverage = coverage
        self._rules = ReferenceRules(game, watch)
        self._random = Random(SEED)
        self._numbers = iter(range(1 << 40))
        self.seen = Seen(combination, game, Statistics(game.sides, len(game.sides)))
        phase = game.program.system.phase
        self._mover_place = self._rules.machine.places[game.program.system.mover]
        self._phase_place = None if phase is None else self._rules.machine.places[phase]
        self._start: State | None = None

    def play(self, seconds: float, is_enough: Callable[[], bool]) -> None:
        """Play for some seconds, or until it is enough."""
        clock = Clock(seconds)
        try:
            self._start = self._rules.start()
        except RuleError:
            return  # the layer before tells it
        is_short = seconds < _WITHOUT_NATIVE
        self._walk(clock.left if is_short else clock.left / 4, is_enough)
        if is_short or self._has_failed_at_once or self.is_slow:
            return
        try:
            native = NativeRules(self._game)
        except Uncovered:
            self._walk(clock.left, is_enough)
            return
        native.code.compile_games()
        self._count_games(native, clock.left / 3)
        self._jump(native, clock, is_enough)

    @property
    def is_slow(self) -> bool:
        """Whether a turn takes more work than the budget allows: each try would take as long."""
        return any(map(is_about_work, self.seen.failures))

    @property
    def _has_failed_at_once(self) -> bool:
        """Whether the rules fail so soon that there is nothing else to see."""
        return any(len(witness.moves) < 2 for witness in self.seen.failures.values())

    # ---------------------------------------------------------------- whole games

    def _count_games(self, native: NativeRules, seconds: float) -> None:
        """Play native random games, and count how they end."""
        clock = Clock(seconds)
        while clock.left > 0 and not self.is_slow:
            native.limit(deadline=time.monotonic() + max(0.1, _WALL * clock.left))
            try:
                self._whole(native, next(self._numbers))
            except TimeIsUp:
                break
        native.limit()

    def _whole(self, native: NativeRules, number: int) -> Playout | None:
        """Play a random game to its end, and count how it ends."""
        whole = self._playout(native, number, MOST_PLIES)
        if whole is not None:
            self.seen.statistics.add(whole)
            span = None if whole.outcome is None else whole.outcome.span
            if span is not None:
                self._coverage.endings[span] += 1
                if whole.moves == 1 and span not in self.seen.short:
                    way = self._way_to(native, number, 1)()
                    self.seen.short[span] = Witness(self.seen.combination, way)
        return whole

    @property
    def _begin(self) -> State:
        assert self._start is not None
        return self._start

    # -------------------------------------------------------------------- positions

    def _jump(self, native: NativeRules, clock: Clock, is_enough: Callable[[], bool]) -> None:
        """Look at positions of native random games: the last but one, and one before it."""
        while clock.left > 0 and not is_enough() and not self.is_slow:
            number = next(self._numbers)
            whole = self._whole(native, number)
            if whole is None:
                continue
            last = max(0, whole.moves - 1)
            for depth in sorted({last, self._random.randrange(whole.moves + 1)}):
                there = self._playout(native, number, depth)
                if there is None or there.outcome is not None:
                    continue
                self._look(there.state, self._way_to(native, number, depth))
                if depth == last and whole.state.ended is not None:
                    with contextlib.suppress(RuleError):
                        moves_between(self._rules, (there.state, whole.state))

    def _playout(self, rules: Evaluator, number: int, plies: int) -> Playout | None:
        try:
            return rules.playout(self._begin, Chance(SEED, number), plies)
        except RuleError as error:
            self._failed(error.diagnostic, tuple(error.moves or ()))
            return None

    def _walk(self, seconds: float, is_enough: Callable[[], bool]) -> None:
        """Play random games by the reference, and look at each position of them."""
        clock = Clock(seconds)
        while clock.left > 0 and not is_enough() and not self.is_slow:
            state, moves = self._begin, list[str]()
            while clock.left > 0 and len(moves) < MOST_PLIES:
                following = self._look(state, partial(tuple, tuple(moves)))
                if following is None:
                    break
                move, state = following
                moves.append(move.text)
            else:
                if len(moves) == MOST_PLIES:
                    self.seen.statistics.add(Playout(MOST_PLIES, None, state))
                continue
            self._ended(state, tuple(moves))

    def _ended(self, state: State, moves: tuple[str, ...]) -> None:
        """Count a game of the reference that has come to its end."""
        try:
            outcome = self._rules.outcome(state)
        except RuleError:
            return
        if outcome is not None:
            self.seen.statistics.add(Playout(len(moves), outcome, state))
            if len(moves) == 1 and outcome.span is not None:
                self.seen.short[outcome.span] = Witness(self.seen.combination, moves)

    def _look(self, state: State, way: Callable[[], tuple[str, ...]]) -> tuple[Move, State] | None:
        """Look at a position, and make some of its moves; return one of them, and where it leads.

        `way` gives the moves that lead there.
        """
        seen = self.seen
        seen.positions += 1
        seen.movers.add(int(state.values[self._mover_place]))
        if self._phase_place is not None:
            seen.phases.add(int(state.values[self._phase_place]))
        for number, layer in enumerate(self._game.layers):
            place = self._rules.machine.places[layer.slot]
            seen.occupied[number] = seen.occupied.get(number, 0) | int(state.values[place])
        try:
            legal = self._rules.legal(state)
            if not legal:
                self._rules.outcome(state)
                return None
        except RuleError as error:
            self._failed(error.diagnostic, way())
            return None
        seen.most_moves = max(seen.most_moves, len(legal))
        if seen.alike is None and len(legal) > 1:
            self._note_alike(legal, way)
        found: list[tuple[Move, State]] = []
        tried = (
            legal
            if len(legal) <= _MOVES_A_POSITION
            else self._random.sample(legal, _MOVES_A_POSITION)
        )
        for move in tried:
            try:
                after = self._rules.apply(state, move)
            except RuleError as error:
                self._failed(error.diagnostic, way())
                if is_about_work(error.diagnostic):
                    return None
                continue
            seen.moves += 1
            if seen.idle is None and self._names_a_site(move) and self._is_idle(state, after):
                seen.idle = move.text, Witness(seen.combination, way())
            found.append((move, after))
        return self._random.choice(found) if found else None

    def _is_idle(self, before: State, after: State) -> bool:
        """Return whether nothing but the course of the game has changed."""
        program = self._game.program
        system = program.system
        course = {system.mover, system.turns, system.passes, *(m.slot for m in program.memories)}
        return after.ended is None and all(
            one == other
            for slot, one, other in zip(program.state, before.values, after.values, strict=True)
            if slot not in course
        )

    def _names_a_site(self, move: Move) -> bool:
        return any(self._game.board.index(word) is not None for word in _WORD.findall(move.text))

    def _note_alike(self, legal: Sequence[Move], way: Callable[[], tuple[str, ...]]) -> None:
        texts = Counter(move.text for move in legal)
        text, many = texts.most_common(1)[0]
        if many > 1:
            self.seen.alike = text, Witness(self.seen.combination, way())

    # -------------------------------------------------------------------- witnesses

    def _failed(self, diagnostic: Diagnostic, moves: tuple[str, ...]) -> None:
        """Keep the shortest game that leads to an error of the rules."""
        if is_about_work(diagnostic) and diagnostic in self.seen.failures:
            return
        known = self.seen.failures.get(diagnostic)
        if known is None or len(moves) < len(known.moves):
            self.seen.failures[diagnostic] = Witness(self.seen.combination, moves)

    def _way_to(
        self, native: NativeRules, number: int, depth: int
    ) -> Callable[[], tuple[str, ...]]:
        """Return what finds the moves of a native random game up to some depth."""

        def way() -> tuple[str, ...]:
            states = [
                native.playout(self._begin, Chance(SEED, number), plies).state
                for plies in range(depth + 1)
            ]
            return moves_between(self._rules, states)

        return way


def moves_between(rules: Evaluator, states: Sequence[State]) -> tuple[str, ...]:
    """Return moves that lead from each state to the next, as far as they can be told."""
    found: list[str] = []
    for before, after in pairwise(states):
        for move in _by_likelihood(rules.legal(before), before, after):
            if rules.apply(before, move).values == after.values:
                found.append(move.text)
                break
        else:
            break
    return tuple(found)


def _by_likelihood(legal: Sequence[Move], before: State, after: State) -> Sequence[Move]:
    """Return the moves, those first that name sites at which something has changed."""
    changed: set[int] = set()
    for one, two in zip(before.values, after.values, strict=True):
        if isinstance(one, int) and isinstance(two, int) and one >= 0 and two >= 0:
            changed.update(bits(one ^ two))
    return sorted(legal, key=lambda move: -sum(site in changed for site in move.decisions))
