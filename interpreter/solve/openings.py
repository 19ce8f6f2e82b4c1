"""A position solved by its openings, each of which is proven apart, perhaps by another process.

In: a position with its moves, and what does the work. Out: the value of each opening, and that of
the position. What then holds: openings that are images of each other are proven once; whoever
proves them, the values are the same.
"""

from __future__ import annotations

from functools import lru_cache, partial

from gdl.data_classes import dataclass
from gdl.model import Game
from interpreter.evaluation.evaluator import State
from interpreter.positions.position import Position, Rules
from interpreter.solve.bench import DRAWN, LOST, WON
from interpreter.solve.clock import Clock, Progress
from interpreter.solve.proving import ProofSearch, Unsettled
from interpreter.solve.subject import Subject, value_at_end
from interpreter.solve.tables import Head, Places
from interpreter.workers.packed import Packed, pack
from interpreter.workers.run import Run


@dataclass(frozen=True)
class Proven:
    """What an opening came to: its value for the first seat, and in how many plies at most.

    `positions` were gone on from.
    """

    value: int
    plies: int
    positions: int


@dataclass(frozen=True)
class Share:
    """What each worker has: bytes of memory, whether to use symmetries, seconds (None: no end)."""

    memory: int
    with_symmetries: bool
    seconds: float | None


class Openings:
    """Solves a position by its openings; as a method it knows these, and no other positions."""

    name = "proof"

    def __init__(self, subject: Subject, run: Run, memory: int, *, with_symmetries: bool) -> None:
        """Share `memory`, in bytes, among those that work at once."""
        self.subject = subject
        self.symmetries = subject.symmetries
        self.positions = 0
        self._run = run
        self._memory = memory // run.at_once
        self._with_symmetries = with_symmetries
        self._known: dict[State, tuple[int, int]] = {}

    def settle(self, position: Position, clock: Clock) -> tuple[int, int]:
        """Return the value of a position for the first seat, and in how many plies at most.

        Raises OutOfTime, Unsettled, RuleError, KeyboardInterrupt.
        """
        if position.over:
            return value_at_end(position), 0
        openings = {after.state: after for _, after in self.subject.after(position)}
        apart: dict[int, list[Position]] = {}
        for after in openings.values():
            apart.setdefault(self.subject.key(after, self.subject.bench), []).append(after)
        share = Share(self._memory, self._with_symmetries, clock.left)
        task = partial(_prove, pack(position.rules.game), share)
        done = 0
        with clock.watching(lambda: Progress("openings proven", done, len(apart))):
            found = self._run(task, [group[0].state for group in apart.values()])
            for group, proven in zip(apart.values(), found, strict=True):
                done += 1
                if proven is None:
                    continue
                self.positions += proven.positions
                for after in group:
                    self._known[after.state] = proven.value, proven.plies
        return self._best(position, openings)

    def _best(self, position: Position, openings: dict[State, Position]) -> tuple[int, int]:
        """Return the value of a position whose openings are known, and its plies."""
        known = [self._known[state] for state in openings if state in self._known]
        choose, win = (max, WON) if (position.seat or 1) == 1 else (min, LOST)
        best = choose((value for value, _ in known), default=None)
        if best is None or (best != win and len(known) < len(openings)):
            raise Unsettled
        plies = [1 + plies for value, plies in known if value == best]
        return best, 0 if best == DRAWN else min(plies) if best == win else max(plies)

    def look_up(self, position: Position) -> tuple[int, int] | None:
        """Return what is known of a position: the end of a game, or an opening."""
        if position.over:
            return value_at_end(position), 0
        return self._known.get(position.state)

    def table(self) -> tuple[Head, Places] | None:
        """Return nothing: what was proven below the openings is not sent back."""
        return None


def _prove(packed: Packed, share: Share, state: State) -> Proven | None:
    """Prove one opening; nothing where it can't be. Raises OutOfTime, RuleError."""
    with packed.opened() as game:
        subject = _subject(game, share.with_symmetries)
        search = ProofSearch(subject, share.memory)
        try:
            value, plies = search.settle(Position(subject.rules, state), Clock(share.seconds))
        except Unsettled:
            return None
        return Proven(value, plies, search.positions)


@lru_cache(maxsize=2)
def _subject(game: Game, with_symmetries: bool) -> Subject:
    """Return a game as what is to be solved: a process compiles it once, not for each opening."""
    return Subject(Rules(game), with_symmetries=with_symmetries)
