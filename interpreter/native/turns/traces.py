"""The code of traces: what has been decided and said on the way to a point of a turn.

In: decisions and words, one after the other. Out: code that notes them. What then holds: the
trace of a completed way tells its move, and the frame how many decisions it has, and whether all
of it is a pass.

Each decision, and each word said without one, is an entry of the *trace*: the number of its
statement above 32 bits, and the decision below; the sign is that of a word without a decision.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.core.nodes import Choose, Decide, Say
from interpreter.evaluation.moves import PASS
from interpreter.native.emit.ir import CONTEXT
from interpreter.native.emit.kinds import I1, I32, I64, Integer, Word
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.frame import FrameLayout


class TraceWords:
    """The entries that traces are made of: `statements` has the statement of each number."""

    def __init__(self) -> None:
        self.statements: list[Choose | Decide | Say] = []

    def number(self, statement: Choose | Decide | Say) -> int:
        """Return the number of a statement; the same one for the same statement."""
        for number, known in enumerate(self.statements):
            if known is statement:
                return number
        self.statements.append(statement)
        return len(self.statements) - 1


class Entries:
    """Writes the entries of traces, of which none is longer than `most`."""

    def __init__(
        self,
        words: TraceWords,
        layout: FrameLayout,
        site_names: Sequence[str],
        most: int,
    ) -> None:
        self._words = words
        self._layout = layout
        self._pass_site = site_names.index(PASS) if PASS in site_names else None
        self._most = most

    def say(self, p: Place, statement: Say) -> None:
        """Write that a word is said without a decision."""
        self._said(p, statement.token)
        self._add(p, (self._words.number(statement) << 32) - (1 << 63))

    def choose(self, p: Place, statement: Choose, number: Word) -> Integer:
        """Write that a site or number (i64) is chosen; return the place of its entry (i32)."""
        f = p.f
        above = self._words.number(statement) << 32
        entry = f.binary("or", I64, f.binary("and", I64, number, 4294967295), above)
        self._layout.said.put(f, "2", p.frame)
        if self._pass_site is not None:
            self._said_site(p, number, self._pass_site)
        place = self._add(p, entry)
        self._count(p)
        return place

    def first(self, statement: Decide) -> int:
        """Return the entry of a decision's first alternative; the others' follow."""
        return self._words.number(statement) << 32

    def decide(self, p: Place, token: str | None, entry: int) -> None:
        """Write that an alternative is taken, and its word, if any, said."""
        if token is not None:
            self._said(p, token)
        self._add(p, entry)
        self._count(p)

    def _said(self, p: Place, token: str) -> None:
        f, said, value = p.f, self._layout.said, "2"
        if token == PASS:
            value = f.select(f.compare("eq", I32, said.get(f, p.frame), 0), I32, 1, 2)
        said.put(f, value, p.frame)

    def _said_site(self, p: Place, number: Word, pass_site: int) -> None:
        """A site may be called `pass`."""
        f = p.f
        said = self._layout.said.at(f, p.frame)
        depth = self._layout.depth.get(f, p.frame)
        here = f.compare("eq", I64, number, pass_site)
        both = f.binary("and", I1, here, f.compare("eq", I32, depth, 0))
        f.put(I32, f.select(both, I32, 1, 2), said)

    def _add(self, p: Place, entry: int | Word) -> Integer:
        """Write an entry of the trace; return its place (i32)."""
        f = p.f
        depth = self._layout.depth.at(f, p.frame)
        place = f.get(I32, depth)
        c.refuse(f, p.world, f.compare("uge", I32, place, self._most), c.TOO_DEEP)
        f.put(I64, entry, f.word_at(c.TRACE.get(f, CONTEXT), f.convert("zext", I32, place, I64)))
        f.put(I32, f.binary("add", I32, place, 1), depth)
        return place

    def _count(self, p: Place) -> None:
        self._layout.made.add(p.f, "1", p.frame)
