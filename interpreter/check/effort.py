"""How much a check does: units of work; and a clock, which is no more than an outer limit.

In: an effort. Out: the work that is done, and parts of it with what is left of each. What then
holds: what a check finds depends on the file and the effort alone, on any machine and however busy
it is; but for one that the clock has stopped, which is told.

A unit is about a microsecond of a processor of today. Work is counted by what is done, and never by
the time that it took: what the reference counts as it goes through a turn, moves that are listed by
their decisions, games that are watched by the instructions of their code, moves of other native
games and iterations of the engine by its lines.
`python -m tests.benchmarks.effort` compares the units of each kind of work with its time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.reference.rules import ReferenceRules, reference_rules
from gdl.interpreter.verify.deadline import Deadline, TimeUp, limited
from gdl.model import Game
from gdl.resources.budget import Tally

USUAL_SECONDS = 60.0
"""The outer limit: many times as long as any check takes that has a processor of its own."""


@dataclass(frozen=True)
class Effort:
    """How much each layer of a check may do: so many `times` the usual; nothing is played for none.

    After so many `seconds` of the processor's time, it ends wherever it is.

    >>> Effort(2).play == 2 * Effort().play, Effort(0).is_played
    (True, False)
    """

    times: float = 1.0
    seconds: float = USUAL_SECONDS

    @property
    def is_played(self) -> bool:
        """Whether examples are run, and games are played."""
        return self.times > 0

    @property
    def loading(self) -> int:
        """How much is loaded where nothing is played, for options and examples to be, too."""
        return 50_000

    @property
    def options(self) -> int:
        """How much each layer before play loads and looks at other values of options."""
        return max(30_000, int(500_000 * self.times))

    @property
    def examples(self) -> int:
        """How much examples are run."""
        return int(4_000_000 * self.times)

    @property
    def leaks(self) -> int:
        """How much it is looked for moves that give away what is hidden."""
        return int(3_000_000 * self.times)

    @property
    def play(self) -> int:
        """How much all games of the file are played, and watched, with what is done before that."""
        return int(3_500_000 * self.times)

    @classmethod
    def lasting(cls, seconds: float) -> Effort:
        """Return one that takes about so many seconds, and in no case many times as long.

        >>> Effort.lasting(7).times
        2.0
        """
        return cls(seconds * 1_000_000 / Effort().play, seconds * _MOST_LONGER)


_MOST_LONGER = 10
WITHOUT_PLAY = Effort(0)

_A_QUESTION, _A_UNIT_OF_A_TURN, _A_DECISION_LISTED, _A_STATEMENT_MADE = 16, 0.5, 1.8, 50
"""Units for what the reference is asked: each question, what it counts for it, each decision of
the moves that it lists, and each statement of a turn when it is first gone through."""


A_GAME = 50
"""Units to begin a game: one that is over at once is some work, too."""


class Work:
    """The work of one check: what of it is done, in units, and what was seen by it.

    `games` are those that were watched to their end, with `moves`, of which none natively if it
    `has_no_native`; of more games, the `unwatched`, only the ends were seen. Of so many `clauses`
    of `end`, games were `met` that they ended; `ended` has all clauses by which a game did, also of
    those from late positions. It `was_cut` if the seconds were over before all
    was done; `so_far` says how far it had come.
    """

    def __init__(self, effort: Effort = WITHOUT_PLAY) -> None:
        self.effort = effort
        self.tally = Tally()
        self.games = 0
        self.unwatched = 0
        self.moves = 0
        self.clauses = 0
        self.met = 0
        self.ended: frozenset[Span] = frozenset()
        self.has_no_native = False
        self.was_cut = False
        self.so_far = "nothing was played"
        self._counted = 0.0
        self._clock = Deadline(effort.seconds, time.process_time)

    @property
    def done(self) -> float:
        """How many units are done."""
        tally = self.tally
        asked = _A_QUESTION * tally.questions + _A_UNIT_OF_A_TURN * tally.units
        made = _A_STATEMENT_MADE * tally.statements
        return self._counted + asked + _A_DECISION_LISTED * tally.decisions + made

    def count(self, units: float) -> None:
        """Count work that was done."""
        self._counted += units

    def rules(self, game: Game) -> ReferenceRules:
        """Return the reference's rules of a game, whose work is counted."""
        rules = reference_rules(game)
        rules.machine.tally = self.tally
        return rules

    def count_listed(self, moves: Sequence[Move]) -> None:
        """Count that moves were listed, or gone through."""
        if moves:
            self._counted += _A_DECISION_LISTED * len(moves) * (1 + len(moves[-1].decisions))

    def part(self, units: float) -> Part:
        """Return a part of the work, which begins now."""
        return Part(self, units)

    def for_play(self) -> Part:
        """Return the part of the work that is left for play: half of it in any case."""
        return self.part(max(self.effort.play - self.done, self.effort.play / 2))

    def check_clock(self) -> None:
        """Raise TimeUp if the seconds are over."""
        if self._clock.is_over:
            self.was_cut = True
            raise TimeUp

    @contextmanager
    def in_time(self) -> Iterator[None]:
        """End what is done inside when the seconds are over: there, and nothing is raised here."""
        try:
            with limited(self._clock.left, of_processor=True):
                yield
        except TimeUp:
            self.was_cut = True


class Part(Deadline):
    """So many units of the work, from where it was when the part was made: a clock that counts it.

    What asks for what is left raises TimeUp where the seconds of the whole work are over.
    """

    def __init__(self, work: Work, units: float) -> None:
        super().__init__(units, lambda: work.done)
        self._work = work

    @property
    def left(self) -> float:
        """How many units are left."""
        self._work.check_clock()
        return super().left
