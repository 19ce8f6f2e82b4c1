"""Solving: the method is chosen by the game, the work can be interrupted, the result is kept.

In: rules, and a position. Out: a `Solution`. What then holds: it is exact, whichever method found
it.

By all positions, if there is memory for them: a million of them are found first, and how their
number grows tells how many there will be. Else by proof, which examines only what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

from gdl.board.symmetries import Permutation
from gdl.diagnostic import GameError
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position, Rules
from interpreter.solve import unfinished
from interpreter.solve.clock import Clock, OutOfTime, Tell, refuse_no_time
from interpreter.solve.enumeration import enumerate_more
from interpreter.solve.openings import Openings
from interpreter.solve.proof import prove
from interpreter.solve.proving import ProofSearch, Unsettled
from interpreter.solve.retrograde import NoRoom, Retrograde
from interpreter.solve.solution import Result, Solution, SolvedMove, ranked
from interpreter.solve.subject import Subject, compiled
from interpreter.solve.tables import Head, Places
from interpreter.workers.run import Run

METHODS = ("auto", "retrograde", "proof")
USUAL_MEMORY = 2 << 30
_TRIAL = 1 << 20
"""How many positions are found before it is judged how many there will be."""
_LONGEST_LINE = 200
_WORTH_KEEPING = 100_000
"""Fewer positions are found again in no time."""


Lookup = Callable[[Position], tuple[int, int] | None]
"""What tells the value of a position for the first seat and its plies, if they are known."""


class Method(Protocol):
    """What the two methods have in common."""

    name: str

    @property
    def symmetries(self) -> Sequence[Permutation]:
        """The symmetries that were used, the identity left out."""

    @property
    def positions(self) -> int:
        """How many positions were reached or examined."""

    def look_up(self, position: Position) -> tuple[int, int] | None:
        """Return the value and the plies of a position, if they are known."""

    def table(self) -> tuple[Head, Places] | None:
        """Return what is known as a table."""


class Solver:
    """Solves positions of one game, by `method`; `used` is the method that was used last.

    It is that which is being used, too, while the work is not done.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        method: str = "auto",
        memory: int = USUAL_MEMORY,
        with_symmetries: bool = True,
        tell: Tell | None = None,
        is_kept: bool = False,
        run: Run | None = None,
    ) -> None:
        """Compile the game; `tell` is called with the progress, several times a second.

        With `run`, which may be on other machines, the openings are proven one by one where each
        move is asked for. If it `is_kept`, unfinished work goes into a file, now and then and when
        it is interrupted, and what such a file tells is used. Raises GameError
        (`not-solvable`, `not-native`), and ValueError for a method that there is not.
        """
        if method not in METHODS:
            raise ValueError(f"method: {method!r} is none of {', '.join(METHODS)}")
        self.rules = rules
        self.used: Method | None = None
        self.subject = Subject(rules, with_symmetries=with_symmetries)
        self._method = method
        self._memory = memory
        self._tell = tell
        self._is_kept = is_kept
        self._run = run
        self._with_symmetries = with_symmetries
        self._retrograde: Retrograde | None = None
        self._proofs: ProofSearch | None = None
        self._too_many = 0
        self.not_kept: GameError | None = None
        """Why unfinished work could not be written, if that was so the last time."""

    @property
    def looked_at(self) -> int:
        """How many positions were looked at so far, also in work that was gone on with.

        Where there were too many to look at all, those that were found until then count, too.
        """
        return self._too_many + (0 if self.used is None else self.used.positions)

    def solve(
        self, position: Position, *, seconds: float | None = None, each_move: bool = False
    ) -> Solution:
        """Solve a position, within so many seconds; with `each_move`, also each move's position.

        What was found out before is used: after OutOfTime or KeyboardInterrupt, the work goes on
        where it stood. Raises besides NoRoom where there are too many positions for retrograde
        analysis, Unsettled where nothing can be proven, RuleError where the rules fail, ValueError
        for a position of another game, and for no time. A move of which nothing can be proven is
        left out.
        """
        self.rules.state_of(position)
        refuse_no_time(seconds)
        self.not_kept = None
        self._look_for_kept_proofs(position)
        self.prepare()
        keep = partial(self._keep, position) if self._is_kept else None
        clock = Clock(seconds, self._tell, keep)
        try:
            found = self._solved(position, clock, each_move)
        except (OutOfTime, KeyboardInterrupt):
            if self._is_kept:
                try:
                    self._keep(position)
                except GameError as error:
                    self.not_kept = error
            raise
        if self._is_kept:
            unfinished.drop(unfinished.path_of(position))
        return found

    def _look_for_kept_proofs(self, position: Position) -> None:
        """Go on with a proof, if one is kept that was begun since there were too many positions."""
        if self._method == "auto" and self._is_kept and self._retrograde is None:
            path = unfinished.path_of(position)
            self._too_many = unfinished.found_too_many(path, self._new_proofs())
            self._method = "proof" if self._too_many else "auto"

    def prepare(self) -> None:
        """Compile what is needed, before time is taken."""
        compiled(prove if self._method == "proof" else enumerate_more)

    def _solved(self, position: Position, clock: Clock, each_move: bool) -> Solution:
        retrograde = self._enumerated(position, clock)
        if retrograde is not None:
            self.used = retrograde
            found = retrograde.look_up(position)
            assert found is not None, "it has just been solved"
            return self._told(position, found, retrograde, clock, retrograde.look_up)
        if each_move and self._run is not None:
            openings = self.used = Openings(
                self.subject, self._run, self._memory, with_symmetries=self._with_symmetries
            )
            found = openings.settle(position, clock)
            return self._told(position, found, openings, clock, openings.look_up)
        proofs = self.used = self._proven(position)
        found = proofs.settle(position, clock)
        wanted: Lookup = proofs.look_up
        if each_move:
            wanted = partial(_settled, proofs, clock)
        return self._told(position, found, proofs, clock, wanted)

    def _keep(self, position: Position) -> None:
        """Write unfinished work into a file, if there is enough of it."""
        path = unfinished.path_of(position)
        if self._proofs is not None:
            unfinished.keep_proofs(path, self._proofs, self._too_many)
        elif self._retrograde is not None and self._retrograde.positions > _WORTH_KEEPING:
            unfinished.keep_retrograde(path, self._retrograde)

    def _proven(self, position: Position) -> ProofSearch:
        compiled(prove)
        if self._proofs is None:
            self._proofs = self._new_proofs()
            if self._is_kept:
                unfinished.resume_proofs(unfinished.path_of(position), self._proofs)
        return self._proofs

    def _new_proofs(self) -> ProofSearch:
        return ProofSearch(self.subject, self._memory)

    def value(self, position: Position, seconds: float | None = None) -> Result:
        """Return the result of a position that can be reached from the one solved last."""
        if self.used is self._retrograde and self._retrograde is not None:
            found = self._retrograde.look_up(position)
            if found is not None:
                return self.subject.result(*found)
        if self._proofs is None:
            return self.solve(position, seconds=seconds).result
        return self.subject.result(*self._proofs.settle(position, Clock(seconds)))

    def _enumerated(self, position: Position, clock: Clock) -> Retrograde | None:
        """Return all positions with their values; None if there are too many for that."""
        if self._method == "proof":
            return None
        known = self._retrograde
        if known is None or known.position != position:
            known = self._retrograde = Retrograde(self.subject, position, self._memory)
            if self._is_kept:
                unfinished.resume_retrograde(unfinished.path_of(position), known)
        self.used = known
        try:
            if self._method == "auto" and not known.is_solved:
                known.work(clock, _TRIAL)
                if not known.is_solved and known.estimate() > known.room:
                    raise NoRoom
            known.work(clock)
        except NoRoom:
            self._retrograde = None
            if self._method == "retrograde":
                raise
            self._method, self._too_many = "proof", known.positions
            self.used = None
            return None
        return known

    # ------------------------------------------------------------- what was found out

    def _told(
        self,
        position: Position,
        found: tuple[int, int],
        method: Method,
        clock: Clock,
        wanted: Lookup,
    ) -> Solution:
        retrograde = method if isinstance(method, Retrograde) else None
        seat = position.seat or 1
        moves = ranked(self._moves(position, wanted), seat)
        return Solution(
            position=position,
            result=self.subject.result(*found),
            moves=moves,
            line=tuple(self._line(position, method)),
            method=method.name,
            positions=method.positions,
            symmetries=1 + len(method.symmetries),
            is_shortest=retrograde is not None,
            endless=0 if retrograde is None else retrograde.endless or 0,
            seconds=clock.seconds,
        )

    def _moves(self, position: Position, wanted: Lookup) -> Iterator[SolvedMove]:
        """Yield the moves of a position whose results are known."""
        if position.over:
            return
        for move, after in self.subject.after(position):
            found = wanted(after)
            if found is not None:
                result = self.subject.result(*found)
                plies = None if result.plies is None else result.plies + 1
                yield SolvedMove(move, Result(result.value, plies))

    def _line(self, position: Position, method: Method) -> Iterator[Move]:
        """Yield the moves of a game that is played well, as far as it is known."""
        seen = {position}
        while not position.over and len(seen) < _LONGEST_LINE:
            moves = ranked(self._moves(position, method.look_up), position.seat or 1)
            if not moves:
                return
            best = moves[0]
            now = method.look_up(position)
            if now is not None and self.subject.result(*now).value != best.result.value:
                return
            yield best.move
            position = Position(
                position.rules, self.subject.native.apply(position.state, best.move)
            )
            if position in seen:
                return
            seen.add(position)


def _settled(proofs: ProofSearch, clock: Clock, position: Position) -> tuple[int, int] | None:
    """Return the value of a position; None where nothing can be proven. Raises OutOfTime."""
    try:
        return proofs.settle(position, clock)
    except Unsettled:
        return None
