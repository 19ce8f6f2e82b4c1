"""What is under way while texts are elaborated: what is told, used, counted, asked for and kept.

In: a report. Out: an `Elaboration`, which all scopes share in which a file is read. What then
holds: what is kept here is kept for speed alone; a fork, and what goes on in it, changes nothing of
what it was made from.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field, replace

from gdl.core.memo import Memo
from gdl.core.nodes import Expression, Memory, Slot
from gdl.data_classes import dataclass
from gdl.diagnostic import Report, Span
from gdl.elaborate.names.origins import Origins, origins_wanted
from gdl.elaborate.names.values import Value


@dataclass
class Spent:
    """The work that texts have made: their expressions and statements, and `calls` of definitions.

    `written_out` has for each head how often what it names was put in place, and what work that
    was in all.
    """

    work: int = 0
    calls: int = 0
    written_out: dict[Span, tuple[int, int]] = field(default_factory=dict)

    def so_far(self) -> Spent:
        """Return a copy, to be held against what it will be."""
        return Spent(self.work, self.calls, dict(self.written_out))

    def since(self, before: Spent) -> Spent:
        """Return what was spent since it was so much."""
        known = before.written_out
        more = {
            head: (times - known.get(head, (0, 0))[0], work - known.get(head, (0, 0))[1])
            for head, (times, work) in self.written_out.items()
            if known.get(head) != (times, work)
        }
        return Spent(self.work - before.work, self.calls - before.calls, more)

    def add(self, more: Spent) -> None:
        """Count what is there once more."""
        self.work += more.work
        self.calls += more.calls
        for head, (times, work) in more.written_out.items():
            self.note(head, times, work)

    def note(self, head: Span, times: int, work: int) -> None:
        """Take down that what a head names was put in place so many times."""
        so_far = self.written_out.get(head, (0, 0))
        self.written_out[head] = so_far[0] + times, so_far[1] + work


@dataclass(frozen=True)
class Made:
    """What a definition has become in a call, and what it took to write it out.

    `variables` are those that its parameters stand for there. It was put in place within so many
    others: `depth`.
    """

    value: Expression
    variables: tuple[Slot, ...]
    depth: int
    spent: Spent


@dataclass
class AskedFor:
    """What a game has only if its rules ask for it: it appears when they first do.

    `pile_words` are variables that turns use for piles.
    """

    turns: Slot | None = None
    passes: Slot | None = None
    best: Slot | None = None
    memories: list[Memory] = field(default_factory=list)
    seats_change: bool = False
    looks_ahead: bool = False
    pile_words: set[Slot] = field(default_factory=set)


@dataclass
class Elaboration:
    """What is told and used so far, how much was done, and what need not be made again.

    `origins` is who listens, and `endings` how many endings have been numbered. Kept are calls of
    definitions: `worked_out`, those that are known before play; `put_in_place`, those whose
    arguments are known, in the turn of a side; `originals`, those that can be copied. `united` are
    the pieces of each side and of each kind that has been asked for, `within` the layers of sets.
    """

    report: Report
    used: set[str] = field(default_factory=set)
    origins: Origins | None = field(default_factory=origins_wanted)
    spent: Spent = field(default_factory=Spent)
    asked_for: AskedFor = field(default_factory=AskedFor)
    endings: int = 0
    worked_out: dict[Hashable, Value] = field(default_factory=dict)
    put_in_place: dict[Hashable, Made] = field(default_factory=dict)
    originals: dict[Hashable, Made] = field(default_factory=dict)
    united: dict[tuple[str, int], Expression] = field(default_factory=dict)
    within: Memo[Expression, frozenset[Slot] | None] = field(default_factory=Memo)

    def next_ending(self) -> int:
        """Return a number that no ending has yet."""
        self.endings += 1
        return self.endings

    def fork(self, report: Report | None = None) -> Elaboration:
        """Return what goes on from here for texts that are no part of the file.

        They have a report and a count of work of their own, and nobody listens.
        """
        asked_for = self.asked_for
        return Elaboration(
            report or Report(),
            origins=None,
            asked_for=replace(
                asked_for,
                memories=list(asked_for.memories),
                pile_words=set(asked_for.pile_words),
            ),
            endings=self.endings,
            worked_out=dict(self.worked_out),
            put_in_place=dict(self.put_in_place),
            originals=dict(self.originals),
            united=dict(self.united),
        )
