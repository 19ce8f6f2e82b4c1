"""The budget: how much work a game's text may make while it is loaded, and in each of its turns.

In: how much more than usual somebody allows. Out: limits, and meters that count work up to one.
What then holds: where work is stopped depends on the text and the position alone, never on the
time, the machine, or what else it does. Seconds and memory can be limited besides, for a whole
command, by who runs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from gdl.data_classes import dataclass

ENDLESS = 1 << 60
"""More work than is ever done."""


@dataclass(frozen=True)
class Budget:
    """How many times the usual work is allowed; None stands for as much as there is.

    `statements` is how much work a turn may take, instead of what is usual. `seconds` of the
    processor and bytes of `memory` are what the whole program may take; None: as much as there is.
    """

    times: float | None = 1
    statements: int | None = None
    seconds: float | None = None
    memory: int | None = None

    def of(self, usual: int) -> int:
        """Return the limit that this budget makes of a usual one.

        >>> Budget(10).of(500), Budget().of(500), Budget(None).of(500) == ENDLESS
        (5000, 500, True)
        """
        return ENDLESS if self.times is None else min(ENDLESS, int(usual * self.times))

    def of_turn(self, usual: int) -> int:
        """Return the limit of the work of a turn.

        >>> Budget(10).of_turn(500), Budget(10, statements=800).of_turn(500)
        (5000, 800)
        """
        return self.of(usual) if self.statements is None else self.statements

    def part(self, share: float) -> Budget:
        """Return a budget with a part of the work that this one allows.

        >>> Budget(10, statements=800).part(0.5)
        Budget(times=5.0, statements=400, seconds=None, memory=None)
        """
        return replace(
            self,
            times=None if self.times is None else share * self.times,
            statements=None if self.statements is None else int(share * self.statements),
        )


USUAL = Budget()
_allowed: ContextVar[Budget | None] = ContextVar("allowed", default=None)


def budget() -> Budget:
    """Return the budget that is allowed here."""
    return _allowed.get() or USUAL


@contextmanager
def allowed(new: Budget) -> Iterator[None]:
    """Allow a budget for what is done inside, in this thread."""
    token = _allowed.set(new)
    try:
        yield
    finally:
        _allowed.reset(token)


class TooMuchWork(Exception):
    """More work was to be done than is allowed."""


class Meter:
    """Counts units of work: `left` are those that may still be done.

    What counts often takes from `left` itself, and calls `refuse` where that is below nothing.
    """

    __slots__ = ("left",)

    def __init__(self, left: int = ENDLESS) -> None:
        self.left = left

    def spend(self, units: int) -> None:
        """Count units of work. Raises TooMuchWork where there are more than are left."""
        self.left -= units
        if self.left < 0:
            raise TooMuchWork

    def affords(self, units: int) -> bool:
        """Count units of work that need not be done, if they are a small part of what is left."""
        if units * _SMALL_PART > self.left:
            return False
        self.left -= units
        return True


class Tally:
    """Adds up work that is done: how many `questions` were asked, and the `units` they took.

    `decisions` are those of all the moves that were listed, `statements` those of the turns that
    were made ready to be gone through.
    """

    __slots__ = ("decisions", "questions", "statements", "units")

    def __init__(self) -> None:
        self.decisions = 0
        self.statements = 0
        self.questions = 0
        self.units = 0

    def list(self, moves: int, decisions: int) -> None:
        """Count moves that were listed, of about so many decisions each."""
        self.decisions += moves * (1 + decisions)


_SMALL_PART = 20
_USUAL_LOADING = 10_000_000
_loading: ContextVar[Meter | None] = ContextVar("loading", default=None)


@contextmanager
def loading() -> Iterator[Meter]:
    """Count the work of what is loaded inside, in this thread, as one."""
    meter = Meter(budget().of(_USUAL_LOADING))
    token = _loading.set(meter)
    try:
        yield meter
    finally:
        _loading.reset(token)


def meter_of_loading() -> Meter:
    """Return what counts the work of the loading that goes on; one without end if there is none."""
    return _loading.get() or Meter()
