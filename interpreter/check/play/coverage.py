"""What of the rules has been seen at work, place by place in the file.

In: the reference interpreter's turns and endings, watched. Out: counts for each place: how often a
condition held, how many ways a choice had, whether an effect changed anything, which clause ended a
game. What then holds: what several sides, variants and options make of one place is counted as one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from gdl.core.evaluate import Evaluated, Frame
from gdl.core.nodes import Assign, AssignAt, Choose, Ending, Expression
from gdl.diagnostic import Span
from gdl.elaborate.origins import Origins
from interpreter.reference.steps import Effect
from interpreter.reference.watch import Candidates

_ASKED_AT_ONCE = 50
_MANY_ENDS = 2000


class Coverage:
    """Counts, by places in the file.

    `conditions`: how often each failed and held. `choices`: how often there was no way, one,
    several. `effects`: how often each was carried out, and changed something. `endings`: how often
    each was the first to hold.
    """

    def __init__(self) -> None:
        self.conditions: dict[Span, list[int]] = defaultdict(lambda: [0, 0])
        self.choices: dict[Span, list[int]] = defaultdict(lambda: [0, 0, 0])
        self.effects: dict[Span, list[int]] = defaultdict(lambda: [0, 0])
        self.endings: Counter[Span] = Counter()
        self._asked = 0

    def is_complete(self) -> bool:
        """Return whether all that was tried has happened, often enough to be sure of the rest."""
        self._asked += 1
        if self._asked % _ASKED_AT_ONCE:
            return False
        counts = (*self.conditions.values(), *self.effects.values())
        return (
            sum(self.endings.values()) >= _MANY_ENDS
            and all(held for _, held in counts)
            and all(failed for failed, _ in self.conditions.values())
            and all(one + several for _, one, several in self.choices.values())
        )


class CoverageWatch:
    """Counts what happens in a game with `kept` slots of its position into a coverage."""

    def __init__(self, coverage: Coverage, origins: Origins, kept: int) -> None:
        self._coverage = coverage
        self._origins = origins
        self._kept = kept

    def value(self, node: Expression, function: Evaluated) -> Evaluated:
        """Return a function that counts how often a condition of the file holds."""
        counts = [self._coverage.conditions[place] for place in self._origins.places(node)]
        if not counts:
            return function
        if len(counts) > 1:
            return _counting_all(counts, function)
        (only,) = counts

        def counted(frame: Frame) -> bool:
            value: bool = function(frame)
            only[value] += 1
            return value

        return counted

    def choice(self, statement: Choose, candidates: Candidates) -> Candidates:
        """Return a function that counts how many ways there are."""
        if statement.span is None:
            return candidates
        counts = self._coverage.choices[statement.span]

        def counted(frame: Frame) -> Sequence[int]:
            found = candidates(frame)
            counts[min(2, len(found))] += 1
            return found

        return counted

    def effect(self, statement: Assign | AssignAt, place: int, effect: Effect) -> Effect:
        """Return a function that counts how often an effect changes the position."""
        if statement.span is None or place >= self._kept:
            return effect
        counts = self._coverage.effects[statement.span]

        def counted(frame: Frame) -> None:
            before = frame[place]
            effect(frame)
            counts[0] += 1
            if frame[place] != before:
                counts[1] += 1

        return counted

    def ending(self, ending: Ending) -> None:
        """Count an ending that holds."""
        if ending.span is not None:
            self._coverage.endings[ending.span] += 1


def _counting_all(counts: list[list[int]], function: Evaluated) -> Evaluated:
    """Return a function that counts at several places."""

    def counted(frame: Frame) -> bool:
        value: bool = function(frame)
        for one in counts:
            one[value] += 1
        return value

    return counted
