"""Python's collection of garbage, made seldom while much is made that is kept.

In: a piece of work. Out: the same, in which garbage is looked for after many thousands of new
objects rather than after some hundreds. What then holds: what is made of a game is not gone through
again and again while it grows, which took a fifth of the time of loading and compiling it; memory
that circles keep is freed all the same; afterwards all is as it was.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 100_000
"""After how many new objects garbage is looked for where nearly all that is made is kept."""

_FEWEST_NEW = 1_000_000
"""So many objects may have been made and counted as old before all of them are gone through."""

_lock = threading.Lock()


def _renew_lock() -> None:
    """Let no thread hold the lock, in a process that was forked: it has no other thread."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)

_under_way = 0
_new = 0
"""How many objects have been counted as old since all were gone through, at most."""
_usual = gc.get_threshold()
_somebody_freezes = False
"""Whether objects were frozen once: to count them takes as long as to go through them all."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for garbage seldom until the end, in all threads; until the last end, if several ask.

    >>> with seldom_collected():
    ...     gc.get_threshold()[0]
    100000
    """
    global _under_way, _usual
    with _lock:
        if not _under_way:
            _usual = gc.get_threshold()
            if 0 < _usual[0] < SELDOM:
                gc.set_threshold(SELDOM, *_usual[1:])
        _under_way += 1
    try:
        yield
    finally:
        with _lock:
            _under_way -= 1
            if not _under_way:
                _take_for_old()
                gc.set_threshold(*_usual)


def _take_for_old() -> None:
    """Let all that there is count as old, so that it is not gone through at once.

    Python looks for garbage among what is old once enough was added to it, but does not count what
    is added here: that is done here, too. Where somebody else has frozen objects, they stay so.
    """
    global _new, _somebody_freezes
    _somebody_freezes = _somebody_freezes or gc.get_freeze_count() > 0
    if _somebody_freezes or not gc.isenabled() or not _usual[0]:
        return
    youngest, young, _ = gc.get_count()
    _new += youngest + young * SELDOM
    if _new > _FEWEST_NEW:
        gc.collect()
        _new = 0
    else:
        gc.freeze()
        gc.unfreeze()
