"""All short games, the shortest first.

In: two games side by side. Out: a shortest game that shows a difference, or how far was looked.
What then holds: to the depth that is told, every position was compared.
"""

from __future__ import annotations

from collections.abc import Collection

from gdl.data_classes import dataclass
from interpreter.compare.two_games import (
    BothFail,
    RulesDiffer,
    RulesDifference,
    StatePair,
    TwoGames,
)
from interpreter.verify.deadline import Deadline, TimeUp


@dataclass(frozen=True)
class Looked:
    """How many positions were compared, and to which depth all of them.

    `in_time`: it was not the time that ended it.
    """

    difference: RulesDifference | None
    positions: int
    depth: int
    is_all: bool = False
    in_time: bool = True


def look_at_all(
    two_games: TwoGames, most: int, deadline: Deadline, only: Collection[str] | None = None
) -> Looked:
    """Compare all positions, nearest first, but no more than `most`, until the time is up.

    With `only`, those that these moves lead to, in any order.
    """
    level: list[tuple[StatePair, tuple[str, ...]]] = []
    positions, depth = 0, -1
    try:
        level = [(two_games.begin(), ())]
        met = {level[0][0]}
        while level:
            following: list[tuple[StatePair, tuple[str, ...]]] = []
            for pair, moves in level:
                deadline.check()
                if positions >= most:
                    return Looked(None, positions, depth)
                positions += 1
                try:
                    legal = two_games.look(pair, moves)
                    for both in legal if len(met) < 2 * most else ():
                        if only is not None and both[0].text not in only:
                            continue
                        played = (*moves, both[0].text)
                        after = two_games.advance(pair, both, played)
                        if after not in met:
                            met.add(after)
                            following.append((after, played))
                except BothFail:
                    continue
            level, depth = following, depth + 1
            if len(met) >= 2 * most:
                return Looked(*_rest(two_games, level, positions, most, deadline), depth)
    except RulesDiffer as found:
        return Looked(found.difference, positions, depth)
    except BothFail:
        return Looked(None, positions, depth)
    except TimeUp:
        return Looked(None, positions, depth, in_time=False)
    return Looked(None, positions, depth, is_all=True)


def _rest(
    two_games: TwoGames,
    level: list[tuple[StatePair, tuple[str, ...]]],
    positions: int,
    most: int,
    deadline: Deadline,
) -> tuple[RulesDifference | None, int]:
    """Compare what is left of a level that is too large to be gone through as a whole."""
    for pair, moves in level:
        deadline.check()
        if positions >= most:
            break
        positions += 1
        try:
            two_games.look(pair, moves)
        except RulesDiffer as found:
            return found.difference, positions
        except BothFail:
            continue
    return None, positions
