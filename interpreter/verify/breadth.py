"""All short games, the shortest first.

In: two players side by side. Out: a shortest game that shows a difference, or how far was looked.
What then holds: to the depth that is told, every position was compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress

from gdl.data_classes import dataclass
from gdl.interpreter.verify.deadline import Deadline, TimeUp
from gdl.interpreter.verify.lockstep import Difference, Differs, Failed, Lockstep, Pair, Step


@dataclass(frozen=True)
class Looked:
    """How many positions were compared, and to which depth all of them.

    `in_time`: it was not the time that ended it.
    """

    difference: Difference | None
    positions: int
    depth: int
    is_all: bool = False
    in_time: bool = True


def look_at_all(
    lockstep: Lockstep[Step],
    most: int,
    deadline: Deadline,
    *,
    only: Collection[str] | None = None,
    deepest: int | None = None,
) -> Looked:
    """Compare all positions, nearest first, but no more than `most`, until the time is up.

    With `only`, those that these moves lead to, in any order; with `deepest`, those that so many
    moves lead to, or fewer.
    """
    positions, depth, is_whole = 0, -1, True
    try:
        level = [lockstep.begin()]
        met = set(level)
        while level:
            following: list[Pair] = []
            ahead: Differs | None = None
            for pair in level:
                deadline.check()
                if positions >= most:
                    return Looked(None, positions, depth)
                positions += 1
                try:
                    steps = lockstep.look(pair)
                except Failed:
                    continue
                if not is_whole or depth + 1 == deepest or ahead or len(met) >= 2 * most:
                    continue
                if only is not None:
                    steps = [step for step in steps if lockstep.moves_of(step)[0].text in only]
                try:
                    following += _new(lockstep, pair, steps, met)
                except Differs as found:
                    ahead = found
            if ahead is not None:
                raise ahead
            if not is_whole:
                return Looked(None, positions, depth)
            level, depth, is_whole = following, depth + 1, len(met) < 2 * most
    except Differs as found:
        return Looked(found.difference, positions, depth)
    except Failed:
        return Looked(None, positions, depth)
    except TimeUp:
        return Looked(None, positions, depth, in_time=False)
    return Looked(None, positions, depth, is_all=is_whole and depth != deepest)


def _new(
    lockstep: Lockstep[Step], pair: Pair, steps: Collection[Step], met: set[Pair]
) -> Iterator[Pair]:
    """Yield what steps lead to, if it was not met before. Raises Differs."""
    for step in steps:
        with suppress(Failed):
            after = lockstep.advance(pair, step)
            if after not in met:
                met.add(after)
                yield after
