"""The walk through a turn in place: all its code in one function, without copies of frames.

In: blocks that follow one another. Out: their code. What then holds: what follows a statement that
divides the way stands on each branch, unless the branches meet.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Generic, TypeVar

from gdl.core.nodes import Block, Decide, ForEach, Repeat, Slot, Statement
from gdl.data_classes import dataclass
from interpreter.native.emit.blocks import Label
from interpreter.native.expressions.places import Place
from interpreter.native.memory.frame import FrameLayout
from interpreter.native.turns.walk import Walk


@dataclass(frozen=True)
class WayInPlace:
    """What follows on a way: blocks, and then the label `meeting`, or else its end."""

    rest: tuple[Block, ...] = ()
    meeting: Label | None = None

    @property
    def statements(self) -> Block:
        """All statements of the blocks that follow."""
        return tuple(statement for block in self.rest for statement in block)


Way = TypeVar("Way", bound=WayInPlace)


class WalkInPlace(Walk[Way], Generic[Way]):
    """Writes the ways through blocks that follow one another."""

    def after(self, block: Block, way: Way) -> Way:
        """Return the way on which a block comes before all that follows."""
        return replace(way, rest=(block, *way.rest))

    def end(self, p: Place, effects: Block, way: Way) -> None:
        """Write the last effects of a block, and what follows it."""
        self.go_on(p, self.do(p, effects, way))

    def go_on(self, p: Place, way: Way) -> None:
        """Write what follows on a way."""
        if way.rest:
            self.go(p, way.rest[0], replace(way, rest=way.rest[1:]))
        elif way.meeting is not None:
            p.f.jump(way.meeting)
        else:
            self.complete(p, way)

    def meet(self, p: Place, statement: Statement, way: Way) -> None:
        """Write a statement with decisions whose ways come together at its end."""
        with p.f.block() as meeting:
            super().fork(p, statement, replace(way, rest=(), meeting=meeting))

    def decide(self, p: Place, statement: Decide, way: Way) -> None:
        """Raise TypeError: most such turns have no alternatives."""
        raise TypeError(f"alternatives in place: {statement}")

    def loop(self, p: Place, statement: ForEach | Repeat, way: Way) -> None:
        """Raise TypeError: most such turns have no loops with decisions in them."""
        raise TypeError(f"a loop with decisions in place: {statement}")

    @abstractmethod
    def complete(self, p: Place, way: Way) -> None:
        """Write what a completed way is for."""


def keep(
    p: Place, layout: FrameLayout, slots: Iterable[Slot], *, with_all: bool = True
) -> Callable[[], None]:
    """Write that slots of the frame are copied; return what writes that they are put back.

    So is the whole position, `with_all`.
    """
    f = p.f
    kept = [(layout.state_bytes, p.frame)] if with_all else []
    for slot in slots:
        field = layout.fields[slot]
        kept.append((field.bytes, p.address(slot, field)))
    copies = [(size, address, f.room(f"[{size} x i8]")) for size, address in kept]
    for size, address, copy in copies:
        f.copy(address, copy, size)

    def put_back() -> None:
        for size, address, copy in copies:
            f.copy(copy, address, size)

    return put_back
