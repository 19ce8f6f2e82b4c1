"""Tables that are kept for later: written when a game is solved, asked when it is played.

In: a solver, or rules. Out: a file in the user's cache, and what it knows of a position. What then
holds: a table is used only for the rules that it was made of; one that is cut short or of another
form is as good as none.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from gdl.diagnostic import GameError
from interpreter.files import file_exists
from interpreter.positions.position import Position, Rules
from interpreter.search.engine import Engine
from interpreter.search.worth import kept_worth, kept_worth_of
from interpreter.solve.knowledge import Knowledge
from interpreter.solve.quick_wins import QuickWins
from interpreter.solve.small_games import SmallGame
from interpreter.solve.solution import Result
from interpreter.solve.solver import Solver
from interpreter.solve.subject import Subject, value_at_end
from interpreter.solve.tables import Head, TableFile, usual_path, write_table

_MOST_POSITIONS = 50_000_000
"""Larger tables are written only where somebody names a file."""


def keep_table(solver: Solver, path: Path | None = None, *, is_usual: bool = True) -> Path | None:
    """Write what a solver knows as a table; return the file, if one was written.

    Without a `path`, it goes into the user's cache, if it `is_usual`, unless what stands there
    knows more. Raises GameError.
    """
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
    rules: Rules,
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
    if is_tuned:
        engine = _engine(rules, seed, threads, search)
    else:
        engine = Engine(rules, seed=seed, threads=threads, search=search)
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
