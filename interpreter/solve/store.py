"""What is known of positions for certain when a game is played: by kept tables, or at once.

In: a solver, or rules. Out: a file in the user's cache, and an engine that asks it, tries quick
wins, and solves what is small enough while somebody waits. What then holds: a table is used only
for the rules that it was made of; one that is cut short or of another form is as good as none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from gdl.diagnostic import GameError, wanted
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.files import file_exists
from gdl.interpreter.positions.position import Position, Rules, rules_of
from gdl.interpreter.search.analysis import Analysis, MoveAnalysis
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.worth import kept_worth, kept_worth_of
from gdl.interpreter.solve.clock import Clock, OutOfTime
from gdl.interpreter.solve.enumeration import enumerate_more
from gdl.interpreter.solve.forced_wins import ForcedWins
from gdl.interpreter.solve.retrograde import NoRoom, Retrograde
from gdl.interpreter.solve.solution import Result, SolvedMove, ranked
from gdl.interpreter.solve.solver import Solver
from gdl.interpreter.solve.subject import Subject, compiled, value_at_end
from gdl.interpreter.solve.tables import Head, TableFile, usual_path, write_table
from gdl.model import Game

# -------------------------------------- quick wins, found by every way, which a search may overlook

_MEMORY = 1 << 26


class QuickWins:
    """Looks for quick wins in the positions of one game, with the code of an engine."""

    def __init__(self, rules: Rules, engine: Engine) -> None:
        """Look for wins by these rules; nothing is compiled before the first time."""
        self._rules = rules
        self._engine = engine

    @cached_property
    def _search(self) -> ForcedWins | None:
        """The search; None in a game that is none for it."""
        try:
            return ForcedWins(self._rules, memory=_MEMORY, engine=self._engine)
        except GameError:
            return None

    def forget(self) -> None:
        """Forget all that was found out so far."""
        self.__dict__.pop("_search", None)

    def find(
        self, position: Position, plies: int, seconds: float, first: Sequence[int] = ()
    ) -> MoveAnalysis | None:
        """Return the move that begins the quickest win of so many plies, if it is found in time.

        The moves with the numbers in `first` are tried before the others.
        """
        if self._search is None or position.seat is None:
            return None
        try:
            best = self._search.quickest(position, plies, seconds=seconds, first=first)
        except (OutOfTime, NoRoom, RuleError):
            return None
        if best is None:
            return None
        return MoveAnalysis(best.move, 0, 1.0, (1.0, 1.0), best.result.plies, (best.move,))


# -------------------------------------- what is known of positions for certain, told as an analysis

_LONGEST_LINE = 12


class Knowledge(ABC):
    """What is known of the positions of a game."""

    def __init__(self, subject: Subject) -> None:
        """Know positions of a subject's game."""
        self.rules = subject.rules
        self._subject = subject

    @abstractmethod
    def result(self, position: Position) -> Result | None:
        """Return what a position is worth, if that is known."""

    def moves(self, position: Position) -> tuple[SolvedMove, ...]:
        """Return the moves whose results are known, from best to worst."""
        found = []
        for move, after in [] if position.over else self._subject.after(position):
            result = self.result(after)
            if result is not None:
                plies = None if result.plies is None else result.plies + 1
                found.append(SolvedMove(move, Result(result.value, plies)))
        return ranked(found, position.seat or 1)

    def analysis(self, position: Position, lines: int = 1) -> Analysis | None:
        """Return what is known of a position as an analysis; None if it is not enough.

        It is enough where the best move is known.
        """
        result = self.result(position)
        if result is None or position.over:
            return None
        moves = self.moves(position)
        seat = position.seat or 1
        if not moves or moves[0].result.for_seat(seat) != result.for_seat(seat):
            return None
        value = {side: result.for_seat(position.seat_of(side)) for side in position.rules.sides}
        told = []
        for rank, one in enumerate(moves):
            worth = one.result.for_seat(seat)
            line = (one.move, *self._line(position, one)) if rank < lines else (one.move,)
            told.append(MoveAnalysis(one.move, 0, worth, (worth, worth), one.result.plies, line))
        return Analysis(position, 0, 0.0, value, tuple(told))

    def _line(self, position: Position, one: SolvedMove) -> list[Move]:
        """Return the moves that follow a move if both go on playing well."""
        found: list[Move] = []
        native = self._subject.native
        position = Position(self.rules, native.apply(position.state, one.move))
        while len(found) < _LONGEST_LINE:
            result, moves = self.result(position), self.moves(position)
            if not moves or result is None or moves[0].result.value != result.value:
                break
            found.append(moves[0].move)
            position = Position(self.rules, native.apply(position.state, moves[0].move))
        return found


_MOST_POSITIONS = 50_000_000
"""Larger tables are written only where somebody names a file."""


def keep_table(solver: Solver, path: Path | None = None, *, is_usual: bool = True) -> Path | None:
    """Write what a solver knows as a table; return the file, if one was written.

    Without a `path`, it goes into the user's cache, if it `is_usual`, unless what stands there
    knows more. Raises GameError, TypeError for what is no Solver.
    """
    wanted(solver, Solver, "a Solver")
    used = solver.used
    if used is None or (path is None and (not is_usual or used.positions > _MOST_POSITIONS)):
        return None
    table = used.table()
    if table is None:
        return None
    target = usual_path(solver.rules.game) if path is None else path
    if path is not None or not _knows_more(target, table[0]):
        write_table(target, *table)
    return target


def refuse_other_file(path: Path) -> None:
    """Refuse to write a table over what is none. Raises GameError (`file-exists`)."""
    if path.is_file():
        try:
            TableFile(path)
        except (GameError, OSError, ValueError):
            raise file_exists(path) from None


def _knows_more(path: Path, new: Head) -> bool:
    """Return whether a table stands there that has more, or exact plies where the new has not."""
    try:
        head = TableFile(path).head
    except (GameError, OSError):
        return False
    is_same = (head.digest, head.layout) == (new.digest, new.layout)
    return is_same and (head.is_exact, head.positions) > (new.is_exact, new.positions)


class Stored(Knowledge):
    """What a table knows of the positions of a game."""

    def __init__(self, rules: Rules, table: TableFile, engine: Engine | None = None) -> None:
        """Use a table, and the code of an engine if there is one. Raises GameError."""
        super().__init__(Subject(rules, with_symmetries=False, engine=engine))
        self.table = table
        self._bench = self._subject.bench_of(table.head.symmetries)

    @property
    def fits(self) -> bool:
        """Whether the table is one of these rules."""
        head = self.table.head
        return head.digest == self.rules.game.digest and head.layout == self._subject.layout

    def result(self, position: Position) -> Result | None:
        """Return what a position is worth, if the table knows it."""
        if position.over:
            return self._subject.result(value_at_end(position), 0)
        found = self.table.find(self._subject.key(position, self._bench))
        return None if found is None else self._subject.result(*found)


def _engine(rules: Rules, seed: int, threads: int, search: str | None) -> Engine:
    """Return an engine that judges positions by what was tuned, if that was."""
    with suppress(ValueError):
        worth = kept_worth(rules.game)
        return Engine(rules, seed=seed, threads=threads, worth=worth, search=search)
    return Engine(rules, seed=seed, threads=threads, search=search)


def tuned_by(engine: Engine) -> str | None:
    """Return whose tuned values `engine_for` has its engine judge by: OWN, SHIPPED, or None."""
    game = engine.rules.game
    found = None if game.hides else kept_worth_of(game)
    if found is None or not found[0].is_used:
        return None
    try:
        sites = [site.name for site in game.board.sites]
        found[0].estimate(engine.binding.features, sites, engine.binding.rows)
        if found[0].first is not None:
            found[0].first.priors(engine.binding.features, engine.binding.masks, game)
    except ValueError:
        return None
    return found[1]


def engine_for(
    rules: Rules | Game,
    *,
    seed: int = 0,
    threads: int = 1,
    search: str | None = None,
    is_tuned: bool = True,
) -> Engine:
    """Return an engine that knows what is stored of a game, and what was tuned of it.

    Unless it `is_tuned`, it does without what was tuned; where games have payoffs, without what is
    stored, which tells who wins, and not how much. Raises GameError (`not-native`, or
    `no-alpha-beta` where a search is named that can't be).
    """
    rules = rules_of(rules)
    if is_tuned:
        engine = _engine(rules, seed, threads, search)
    else:
        engine = Engine(rules, seed=seed, threads=threads, search=search)
    engine.made_by = engine_for
    engine.settings = {"threads": threads, "search": search, "is_tuned": is_tuned}
    if engine.binding.payoff_unit:
        return engine
    engine.wins = QuickWins(rules, engine)
    with suppress(GameError):
        engine.small_games = SmallGame(rules, engine)
    try:
        stored = Stored(rules, TableFile(usual_path(rules.game)), engine)
    except (GameError, OSError):
        return engine
    if stored.fits:
        engine.known = stored
    return engine


# ---------------- games, and ends of games, that are small enough to be solved while somebody waits

_MEMORY_WHILE_WAITING = 64 << 20
_TRIAL = 4096
"""So many positions are found before it is estimated how many there will be."""
_SHARE = 0.3
"""The part of the time that is taken at most."""
_LEFT_OUT = 3
"""Where there were too many positions, it is not tried for so many other ones."""


class SmallGame(Knowledge):
    """Solves a game, or what is left of it, if that is soon done."""

    def __init__(self, rules: Rules, engine: Engine) -> None:
        """Use the code of an engine. Raises GameError (`not-solvable`)."""
        super().__init__(Subject(rules, with_symmetries=False, engine=engine))
        self._solved: Retrograde | None = None
        self._left_out: list[Position] = []

    def result(self, position: Position) -> Result | None:
        """Return what a position is worth, if it was solved or follows one that was."""
        found = None if self._solved is None else self._solved.look_up(position)
        return None if found is None else self._subject.result(*found)

    def forget(self) -> None:
        """Forget all that was found out so far."""
        self._solved, self._left_out = None, []

    def solved(self, position: Position, lines: int, seconds: float) -> Analysis | None:
        """Return what a position is worth, if that takes a part of so many seconds at most.

        Nothing is known where the rules fail in some position: who searches tells where.
        """
        found = self.analysis(position, lines)
        if found is not None or self._is_left_out(position):
            return found
        work = Retrograde(self._subject, position, _MEMORY_WHILE_WAITING)
        compiled(enumerate_more)
        clock = Clock(_SHARE * seconds)
        try:
            work.work(clock, _TRIAL)
            if not work.is_solved and work.estimate() > work.room:
                raise NoRoom
            work.work(clock)
        except (NoRoom, OutOfTime, RuleError):
            self._left_out = [position]
            return None
        self._solved = work
        return self.analysis(position, lines)

    def _is_left_out(self, position: Position) -> bool:
        """Return whether a position is among those for which it is not tried again."""
        if not self._left_out or position in self._left_out:
            return bool(self._left_out)
        self._left_out.append(position)
        return len(self._left_out) <= _LEFT_OUT + 1
