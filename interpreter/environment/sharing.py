"""Rows shared out among threads: each takes a stretch of them, and then another one.

In: a native function over rows, and threads' places. Out: which rows it has stopped at. What then
holds: it makes no difference which thread has done which rows; a thread that comes late, or is held
up, holds up the others for no longer than one stretch takes.

To wake a thread takes as long as a step of some hundred rows. So threads that have helped look out
for more, and sleep only when none has come for some 50 microseconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from gdl.interpreter.environment.code import Place, compiled_rows
from gdl.interpreter.environment.rows import begin_anew, illegal, sample
from gdl.interpreter.native.runtime.calling import Caller
from gdl.interpreter.native.runtime.exchange import World
from gdl.interpreter.native.runtime.uninterruptible import renew_in_child
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.machine.instructions import (
    Record,
    Words,
    array,
    call,
    exchanged,
    filled,
    latest,
    native,
    publish,
)

Function = Callable[..., Any]

_STRETCHES_A_THREAD = 8
_ROWS_OF_LINES = 64
"""Stretches of so many rows have lines of the processor's cache that no other stretch has."""
_BRIEF = (begin_anew, illegal, sample)
_MOST_GIVEN = 6
_PATIENCE = 150_000
"""How often a thread looks whether there is more to do, or whether others have done their part."""
_COURTESY = 10_000
"""How often a thread looks whether others take what is theirs before it does."""
_MOMENT = 5e-5
"""Seconds that this thread sleeps where others still have not."""
_WORTH_SHARING, _WORTH_WAKING = 2e-6, 5e-5
"""Seconds of work that are worth sharing with a thread that looks out for it, or that sleeps."""

NUMBER, FUNCTION, RULES, ROWS, ROW_COUNT, STRETCH, STRETCHES, GIVEN, PLACES, JOB_WORDS = range(10)
"""What a job is: the number of jobs so far, the function, its records, how many rows there are, how
many of them and how many stretches, how much the function is given besides, and how many places
there are."""
_NOT_YET, _DONE, _STOPPED = range(3)


class Job(Record):
    """What threads do: `words`, and what the function is `given`.

    `taken` tells of each stretch whether a thread has taken it, `stops` where it has stopped, and
    one more; 0: not yet. `desks` has where each thread's desk is, `here` whether it looks out.
    """

    words: Words
    given: Words
    taken: Words
    stops: Words
    desks: Words
    here: Words


@native
def put_up(
    job: Job, function: int, rules: int, rows: int, given: int, count: int, size: int
) -> None:
    """Put up a job for all threads that look out.

    A thread may look for stretches of the last one still: it finds none, or is early.
    """
    job.words[FUNCTION], job.words[RULES], job.words[ROWS] = function, rules, rows
    job.words[GIVEN], job.words[ROW_COUNT], job.words[STRETCH] = given, count, size
    stretches = (count + size - 1) // size
    for stretch in range(stretches):
        job.stops[stretch] = 0
    for stretch in range(stretches):
        publish(job.taken, stretch, 0)
    job.words[STRETCHES] = stretches
    publish(job.words, NUMBER, job.words[NUMBER] + 1)


@native
def do(job: Job, place: int, stretch: int) -> None:
    """Do a stretch of a job."""
    first = stretch * job.words[STRETCH]
    last = min(first + job.words[STRETCH], job.words[ROW_COUNT])
    function, rules, rows = job.words[FUNCTION], job.words[RULES], job.words[ROWS]
    desk, given = job.desks[place], job.words[GIVEN]
    a, b, c = job.given[0], job.given[1], job.given[2]
    d, e, f = job.given[3], job.given[4], job.given[5]
    stop = 0
    if given == 0:
        stop = call(function, rules, rows, desk, first, last)
    elif given == 1:
        stop = call(function, rules, rows, desk, a, first, last)
    elif given == 2:
        stop = call(function, rules, rows, desk, a, b, first, last)
    elif given == 3:
        stop = call(function, rules, rows, desk, a, b, c, first, last)
    else:
        stop = call(function, rules, rows, desk, a, b, c, d, e, f, first, last)
    publish(job.stops, stretch, stop + 1)


@native
def take(job: Job, place: int, stretch: int) -> None:
    """Do a stretch of a job, unless another thread has taken it."""
    if latest(job.taken, stretch) == 0 and exchanged(job.taken, stretch, 1) == 0:
        do(job, place, stretch)


@native
def take_part(job: Job, place: int) -> None:
    """Do a thread's own share of a job, which is in its cache; then what others have left.

    They are left a moment to take it themselves: rows that go from one processor's cache to the
    other's cost more.
    """
    stretches, places = job.words[STRETCHES], job.words[PLACES]
    for stretch in range(stretches * place // places, stretches * (place + 1) // places):
        take(job, place, stretch)
    idle = 0
    for passed in range(stretches):
        stretch = stretches - 1 - passed
        while latest(job.taken, stretch) == 0 and idle < _COURTESY:
            idle += 1
        take(job, place, stretch)


@native
def look_out(job: Job, place: int) -> int:
    """Take part in one job after the other, until none comes for a while."""
    seen, idle = 0, 0
    while idle < _PATIENCE:
        number = latest(job.words, NUMBER)
        idle += 1
        if number != seen:
            seen, idle = number, 0
            take_part(job, place)
    publish(job.here, place, 0)
    return 0


@native
def await_others(job: Job) -> int:
    """Wait for a while until all has been done; return whether it is, and whether it was to end."""
    result, idle = _DONE, 0
    for stretch in range(job.words[STRETCHES]):
        while latest(job.stops, stretch) == 0:
            idle += 1
            if idle == _PATIENCE:
                return _NOT_YET
        last = min((stretch + 1) * job.words[STRETCH], job.words[ROW_COUNT])
        if job.stops[stretch] - 1 < last:
            result = _STOPPED
    return result


@native
def lead(job: Job, function: int, rules: int, rows: int, given: int, count: int, size: int) -> int:
    """Put up a job, take part in it, and wait for the others."""
    put_up(job, function, rules, rows, given, count, size)
    take_part(job, 0)
    return await_others(job)


@cache
def _compiled() -> Compiled:
    return Compiled(put_up, take_part, await_others, look_out, lead)


class Sharing:
    """Calls functions over rows, in this thread and in others, each at its place.

    There is a place for each thread, the first for this one.
    """

    def __init__(self, caller: Caller, places: Sequence[Place]) -> None:
        self._caller = caller
        self._places = places
        self._functions = compiled_rows()
        self._native = _compiled()
        self._spent: dict[Callable[..., Any], float] = {}
        self._job, self._job_apart = (_no_job(places) for _ in range(2))
        renew_in_child(self)

    def renew_locks(self) -> None:
        """In a process that was forked, let no thread look out."""
        for place in range(len(self._places)):
            self._job.here[place] = 0

    def make_list_room(self, words: int) -> None:
        """Give each place's list room for so many words."""
        for number, place in enumerate(self._places):
            place.make_list_room(words)
            for job in (self._job, self._job_apart):
                job.desks[number] = place.desk.address

    def run(
        self, function: Function, records: Sequence[Record], given: Sequence[int], count: int
    ) -> list[tuple[int, int]]:
        """Call a function for so many rows, with records and what is given.

        Returns from where to where rows are left at which it has stopped.
        """
        if not self._is_brief(function):
            return self._apart(function, records, given, count)
        begun, work = time.perf_counter(), self._spent.get(function, 0.0) * count
        helpers = self._called(work) if work > _WORTH_SHARING else 0
        if helpers:
            left = self._led(function, records, given, count)
        else:
            stop = self._functions(function, *records, self._places[0].desk, *given, 0, count)
            left = [(stop, count)] if stop < count else []
        self._spent[function] = (time.perf_counter() - begun) * (helpers + 1) / max(1, count)
        return left

    def alone(
        self,
        function: Function,
        records: Sequence[Record],
        given: Sequence[int],
        begin: int,
        end: int,
    ) -> int:
        """Call a function for some rows at the first place; return where it has stopped."""
        place = self._places[0]

        def called(_: World) -> int:
            return self._functions(function, *records, place.desk, *given, begin, end)

        if self._is_brief(function):
            return called(place.world)
        (stop,) = self._caller.threads([(place.world, called)])
        return stop

    def _is_brief(self, function: Function) -> bool:
        """Return whether a function needs little stack, so that this thread may call it."""
        return self._caller.is_short or function in _BRIEF

    def _called(self, work: float) -> int:
        """Return how many threads look out for so much work, of which more are woken if it pays."""
        number = 0
        for place in range(1, len(self._places)):
            if not self._job.here[place]:
                if work < place * _WORTH_WAKING:
                    break
                self._job.here[place] = 1
                self._caller.begin(self._places[place].world, self._looking_out(place))
            number += 1
        return number

    def _looking_out(self, place: int) -> Callable[[World], int]:
        return lambda _: self._native(look_out, self._job, place)

    def _led(
        self, function: Function, records: Sequence[Record], given: Sequence[int], count: int
    ) -> list[tuple[int, int]]:
        """Call a function, of whose rows threads that look out do some."""
        size, told = self._given(self._job, given, count), _NOT_YET
        address = self._functions.address(function)
        try:
            told = self._native(lead, self._job, address, *records, len(given), count, size)
            while told == _NOT_YET:
                time.sleep(_MOMENT)
                told = self._native(await_others, self._job)
        finally:
            while told == _NOT_YET:
                told = self._native(await_others, self._job)
        return [] if told == _DONE else _left(self._job, count, size)

    def _apart(
        self, function: Function, records: Sequence[Record], given: Sequence[int], count: int
    ) -> list[tuple[int, int]]:
        """Call a function in other threads, so that it can be interrupted."""
        job = self._job_apart  # which no thread looks out for
        size = self._given(job, given, count)
        address = self._functions.address(function)
        self._native(put_up, job, address, *records, len(given), count, size)

        def task(place: int) -> tuple[World, Callable[[World], int]]:
            return self._places[place].world, lambda _: self._native(take_part, job, place)

        self._caller.threads([task(place) for place in range(min(len(self._places), count))])
        return _left(job, count, size)

    def _given(self, job: Job, given: Sequence[int], count: int) -> int:
        """Write down what a function is given; return how many rows a stretch has."""
        for number, value in enumerate(given):
            job.given[number] = value
        if len(self._places) == 1:
            return max(1, count)
        size = max(1, -(-count // (_STRETCHES_A_THREAD * len(self._places))))
        is_cheap = size > _ROWS_OF_LINES // 2
        return -(-size // _ROWS_OF_LINES) * _ROWS_OF_LINES if is_cheap else size


def _no_job(places: Sequence[Place]) -> Job:
    most = _STRETCHES_A_THREAD * len(places)
    return Job(
        words=filled("Words", [0] * PLACES + [len(places)]),
        given=array("Words", _MOST_GIVEN),
        taken=filled("Words", [1] * most),
        stops=array("Words", most),
        desks=filled("Words", [place.desk.address for place in places]),
        here=array("Words", len(places)),
    )


def _left(job: Job, count: int, size: int) -> list[tuple[int, int]]:
    """Return from where to where rows are left."""
    ends = [min(begin + size, count) for begin in range(0, count, size)]
    stops = [stop - 1 for stop in job.stops[: len(ends)]]
    return [(stop, end) for stop, end in zip(stops, ends, strict=True) if stop < end]
