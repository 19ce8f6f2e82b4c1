"""Where each condition of a program stands in its file, and which of them are known before play.

In: conditions, and sets that are joined, as they are elaborated. Out: `Origins`. What then holds:
of every condition that was elaborated while somebody listened, each place in the file is known,
whether it was folded there to a constant, and to which; the same place may have several meanings,
one for each side or argument. The same is known of what `|`, `&` and `-` join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from operator import and_, or_

from gdl.core.nodes import Const, Expression
from gdl.core.types import FLAG
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
        self._places: dict[int, tuple[Expression, dict[Span, None]]] = {}
        self._joined: dict[int, tuple[Expression, dict[JoinedSets, None]]] = {}

    def note(self, span: Span, value: object) -> None:
        """Take down what stands at a place, if it is a condition."""
        if isinstance(value, Const):
            if value.type == FLAG:
                self.folded.setdefault(span, set()).add(bool(value.value))
        elif isinstance(value, Expression) and value.type == FLAG:
            self.open.add(span)
            self._places.setdefault(id(value), (value, {}))[1][span] = None

    def note_joined(self, joined: JoinedSets, result: Expression) -> None:
        """Take down sets that are joined, and what they are together."""
        values = [int(part.value) for _, part in joined.parts if isinstance(part, Const)]
        if len(values) == len(joined.parts):
            for number, (span, _) in enumerate(joined.parts):
                self.note_telling(span, makes_difference(joined.operator, values, number))
        elif not isinstance(result, Const):
            self._joined.setdefault(id(result), (result, {}))[1][joined] = None
        else:
            for span, _ in joined.parts:
                self.note_telling(span, True)

    def note_copy(
        self, node: Expression, copy: Expression, copied: Callable[[Expression], Expression]
    ) -> None:
        """Take down that something was made as something else was, with other variables in it."""
        if copy is node:
            return
        if (places := self._places.get(id(node))) is not None:
            self._places.setdefault(id(copy), (copy, {}))[1].update(places[1])
        if (known := self._joined.get(id(node))) is not None:
            for joined in list(known[1]):
                parts = tuple((span, copied(part)) for span, part in joined.parts)
                self._joined.setdefault(id(copy), (copy, {}))[1][
                    JoinedSets(joined.operator, parts)
                ] = None

    def note_telling(self, span: Span, is_telling: bool) -> None:
        """Take down whether a part makes a difference, as is known before play."""
        self.telling[span] = self.telling.get(span, False) or is_telling

    def include(self, other: Origins) -> None:
        """Take over what others know."""
        for span, values in other.folded.items():
            self.folded.setdefault(span, set()).update(values)
        self.open |= other.open
        for key, (node, places) in other._places.items():
            self._places.setdefault(key, (node, {}))[1].update(places)
        for span, is_telling in other.telling.items():
            self.note_telling(span, is_telling)
        for key, (node, joined) in other._joined.items():
            self._joined.setdefault(key, (node, {}))[1].update(joined)

    def places(self, node: Expression) -> tuple[Span, ...]:
        """Return the places that a condition of the program was made from."""
        found = self._places.get(id(node))
        return () if found is None else tuple(found[1])

    def joined(self, node: Expression) -> tuple[JoinedSets, ...]:
        """Return of what sets a part of the program was made."""
        found = self._joined.get(id(node))
        return () if found is None else tuple(found[1])


def makes_difference(operator: str, sets: Sequence[int], number: int) -> bool:
    """Return whether one of the sets that are joined adds a site, or takes one away."""
    others = [sites for place, sites in enumerate(sets) if place != number]
    if operator == "|":
        return bool(sets[number] & ~reduce(or_, others))
    if operator == "&":
        return bool(reduce(and_, others) & ~sets[number])
    return bool(sets[0] & sets[1])


def could_differ(operator: str, sets: Sequence[int], number: int) -> bool:
    """Return whether another set in the place of one of those that are joined would show."""
    others = [sites for place, sites in enumerate(sets) if place != number]
    if operator == "&":
        return bool(reduce(and_, others))
    return operator == "|" or (number == 1 and bool(sets[0]))


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
