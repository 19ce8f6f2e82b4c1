"""Where each condition of a program stands in its file, and which of them are known before play.

In: conditions and numbers, and sets that are joined, as they are elaborated. Out: `Origins`. What
then holds: of every condition that was elaborated while somebody listened, each place in the file
is known, whether it was folded there to a constant, and to which; the same place may have several
meanings, one for each side or argument. Where numbers stand is known, too, and what `|`, `&` and
`-` join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from operator import and_, or_
from typing import Any

from gdl.core.memo import Memo
from gdl.core.nodes import Const, Expression
from gdl.core.types import FLAG, FRACTION, NUMBER
from gdl.data_classes import dataclass
from gdl.diagnostic import Span


@dataclass(frozen=True)
class JoinedSets:
    """Sets that `|`, `&` or `-` joins, each with its place."""

    operator: str
    parts: tuple[tuple[Span, Expression], ...]


class Origins:
    """The places of conditions: `folded` has the values known before play, `open` all others.

    `telling` says of parts that are joined whether what is known of them before play makes a
    difference.
    """

    def __init__(self) -> None:
        self.folded: dict[Span, set[bool]] = {}
        self.open: set[Span] = set()
        self.telling: dict[Span, bool] = {}
        # By the nodes themselves, which are kept: an expression has no place of its own, since one
        # node may stand for several places of the file, and equal ones for different places. What
        # is made anew of a node is told by `note_copy`.
        self._places = Memo[Expression, dict[Span, None]]()
        self._numbers = Memo[Expression, dict[Span, None]]()
        self._joined = Memo[Expression, dict[JoinedSets, None]]()

    def note(self, span: Span, value: object) -> None:
        """Take down what stands at a place, if it is a condition or a number."""
        if isinstance(value, Const):
            if value.type == FLAG:
                self.folded.setdefault(span, set()).add(bool(value.value))
        elif isinstance(value, Expression) and value.type == FLAG:
            self.open.add(span)
            self._places.of(value, _nothing)[span] = None
        elif isinstance(value, Expression) and value.type in (NUMBER, FRACTION):
            self._numbers.of(value, _nothing)[span] = None

    def note_joined(self, joined: JoinedSets, result: Expression) -> None:
        """Take down sets that are joined, and what they are together."""
        values = [int(part.value) for _, part in joined.parts if isinstance(part, Const)]
        if len(values) == len(joined.parts):
            for number, (span, _) in enumerate(joined.parts):
                self.note_telling(span, makes_difference(joined.operator, values, number))
        elif not isinstance(result, Const):
            self._joined.of(result, _nothing)[joined] = None
        else:
            for span, _ in joined.parts:
                self.note_telling(span, True)

    def note_copy(
        self, node: Expression, copy: Expression, copied: Callable[[Expression], Expression]
    ) -> None:
        """Take down that something was made as something else was, with other variables in it."""
        if copy is node:
            return
        for known in (self._places, self._numbers):
            if (places := known.get(node)) is not None:
                known.of(copy, _nothing).update(places)
        for joined in self.joined(node):
            parts = tuple((span, copied(part)) for span, part in joined.parts)
            self._joined.of(copy, _nothing)[JoinedSets(joined.operator, parts)] = None

    def note_telling(self, span: Span, is_telling: bool) -> None:
        """Take down whether a part makes a difference, as is known before play."""
        self.telling[span] = self.telling.get(span, False) or is_telling

    def include(self, other: Origins) -> None:
        """Take over what others know."""
        for span, values in other.folded.items():
            self.folded.setdefault(span, set()).update(values)
        self.open |= other.open
        for known, more in ((self._places, other._places), (self._numbers, other._numbers)):
            for node, places in more.items():
                known.of(node, _nothing).update(places)
        for span, is_telling in other.telling.items():
            self.note_telling(span, is_telling)
        for node, joined in other._joined.items():
            self._joined.of(node, _nothing).update(joined)

    def places(self, node: Expression) -> tuple[Span, ...]:
        """Return the places that a condition of the program was made from."""
        return tuple(self._places.get(node) or ())

    def places_of_number(self, node: Expression) -> tuple[Span, ...]:
        """Return the places that a number of the program was made from."""
        return tuple(self._numbers.get(node) or ())

    def joined(self, node: Expression) -> tuple[JoinedSets, ...]:
        """Return of what sets a part of the program was made."""
        return tuple(self._joined.get(node) or ())

    def joined_at(self) -> dict[tuple[Span, ...], list[JoinedSets]]:
        """Return the sets that are joined, by their places: those of each side or argument."""
        found: dict[tuple[Span, ...], list[JoinedSets]] = {}
        for _, joined in self._joined.items():
            for one in joined:
                found.setdefault(tuple(span for span, _ in one.parts), []).append(one)
        return found


def _nothing(_: Expression) -> dict[Any, None]:
    return {}


def makes_difference(operator: str, sets: Sequence[int], number: int) -> bool:
    """Return whether one of the sets that are joined adds a site, or takes one away."""
    others = [sites for place, sites in enumerate(sets) if place != number]
    if operator == "|":
        return bool(sets[number] & ~reduce(or_, others))
    if operator == "&":
        return bool(reduce(and_, others) & ~sets[number])
    return bool(sets[0] & sets[1])


_listening: ContextVar[Origins | None] = ContextVar("listening", default=None)


@contextmanager
def origins_noted(origins: Origins) -> Iterator[None]:
    """Let the conditions of games that are loaded inside, in this thread, be taken down."""
    token = _listening.set(origins)
    try:
        yield
    finally:
        _listening.reset(token)


def origins_wanted() -> Origins | None:
    """Return where conditions are to be taken down, if somebody listens."""
    return _listening.get()
