"""Where each condition of a program stands in its file, and which of them are known before play.

In: conditions, as they are elaborated. Out: `Origins`. What then holds: of every condition that was
elaborated while somebody listened, each place in the file is known, whether it was folded there to
a constant, and to which; the same place may have several meanings, one for each side or argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from gdl.core.nodes import Const, Expression
from gdl.core.types import FLAG
from gdl.diagnostic import Span


class Origins:
    """The places of conditions: `folded` has the values known before play, `open` all others."""

    def __init__(self) -> None:
        self.folded: dict[Span, set[bool]] = {}
        self.open: set[Span] = set()
        self._places: dict[int, tuple[Expression, dict[Span, None]]] = {}

    def note(self, span: Span, value: object) -> None:
        """Take down what stands at a place, if it is a condition."""
        if isinstance(value, Const):
            if value.type == FLAG:
                self.folded.setdefault(span, set()).add(bool(value.value))
        elif isinstance(value, Expression) and value.type == FLAG:
            self.open.add(span)
            self._places.setdefault(id(value), (value, {}))[1][span] = None

    def include(self, other: Origins) -> None:
        """Take over what others know."""
        for span, values in other.folded.items():
            self.folded.setdefault(span, set()).update(values)
        self.open |= other.open
        for key, (node, places) in other._places.items():
            self._places.setdefault(key, (node, {}))[1].update(places)

    def places(self, node: Expression) -> tuple[Span, ...]:
        """Return the places that a condition of the program was made from."""
        found = self._places.get(id(node))
        return () if found is None else tuple(found[1])


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
