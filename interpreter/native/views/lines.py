"""Views of full rows: along lines, each a word; and, on the smallest boards, from a table.

In: conditions on rows, with the lines on which they lie (`gdl.analysis.rows`). Out: their views.
What then holds: the words of the lines have a bit for each site of the layers, side by side; a row
is a run of bits. The bits of a line are where no line of some other families has any, so that the
lines through a site are looked at as one word.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.analysis.rows import Lines, Rows
from gdl.analysis.views import Kept
from gdl.core.nodes import Get, Slot
from interpreter.native.emit.ir import WORD, WORD_BYTES, Function, Module
from interpreter.native.emit.kinds import FALSE, I1, I8, I16, I64, Address, Bit, Word
from interpreter.native.emit.values import Flag, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.views.view import KeptView, View, packed

MOST_TABULATED = 12
"""The sites of the largest board for which a table tells of each set if it has a full row."""


class LineView(KeptView):
    """A condition that a row is full, followed along lines."""

    def __init__(self, expressions: Expressions, kept: Kept, lines: Lines, name: str) -> None:
        """Write `name(memory, site)`, which adds a site."""
        super().__init__(expressions, (kept,))
        self.bytes = bytes_of(lines)
        self.reads_layers = kept.asks.may_end
        self._name = name
        parameters = ["ptr %memory", "i64 %site"]
        f = self._module.function(name, "internal i1", parameters)
        f.give(f"i1 {write_add(self._module, f, lines, Address('%memory'))}")

    def add(self, p: Place, memory: Address, site: Sites) -> list[Bit]:
        """Write that a site is added; return whether a row is full."""
        index = self._sets.index(p.f, site)
        return [p.f.call(I1, f"@{self._name}(ptr {memory}, i64 {index})")]


class TableView(View):
    """A condition on full rows, which a table of all sets tells; nothing is kept for it.

    Where more is asked of a row, the condition is worked out if there is a full one.
    """

    reads_layers = True

    def __init__(self, expressions: Expressions, kept: Kept, asks: Rows) -> None:
        super().__init__(expressions, asks.layers, {kept.condition: Get(kept.slot)})
        self._kept = kept
        rows = [row for family in asks.families for row in family]
        full = (any(row & ~sites == 0 for row in rows) for sites in range(1 << self._sets.size))
        self._table = self._module.tables.add(bytes(full))

    def read(self, p: Place) -> Iterator[tuple[Slot, Flag]]:
        """Yield whether a row is full, and does what more is asked of it."""
        f = p.f
        layers = [self._expressions.sites(p, Get(layer)) for layer in self.layers]
        word = Word(self._sets.mask(f, self._sets.union(f, layers)))
        full = f.convert("trunc", I8, f.get(I8, f.at(self._table, word)), I1)
        if self._kept.asks.may_end:
            holds = f.variable(I1, full)
            with f.when(full):
                f.put(I1, self._expressions.flag(p, self._kept.condition), holds)
            full = f.get(I1, holds)
        yield self._kept.slot, Flag(full)


def bytes_of(lines: Lines) -> int:
    """Return the size of the words of lines; each family has one for sites on none of its own."""
    return (lines.number + len(lines.places)) * WORD_BYTES


def write_add(module: Module, f: Function, lines: Lines, words: Address) -> Bit:
    """Write that `%site` is added; return whether a row is full (i1)."""
    lanes = WORD // lines.width
    records: list[int] = []
    for site in range(len(lines.places[0])):
        for number, family in enumerate(lines.places):
            line, place = family[site]
            index = lines.number + number if line < 0 else line
            records += (index * WORD_BYTES, place + number % lanes * lines.width)
    table = module.tables.add(packed(records))
    record = f.at(table, f.binary("mul", I64, Word("%site"), 4 * len(lines.places)))
    joined: list[Word] = []
    for number in range(len(lines.places)):
        offset = f.unsigned(I16, f.at(record, 4 * number))
        bit = f.unsigned(I16, f.at(record, 4 * number + 2))
        address = f.at(words, offset)
        after = f.binary("or", I64, f.get(I64, address), f.binary("shl", I64, 1, bit))
        f.put(I64, after, address)
        if number % lanes == 0:
            joined.append(after)
        else:
            joined[-1] = f.binary("or", I64, joined[-1], after)
    result = FALSE
    for word in joined:
        length = 1
        while length < lines.length:
            further = min(length, lines.length - length)
            word = f.binary("and", I64, word, f.binary("lshr", I64, word, further))
            length += further
        result = f.binary("or", I1, result, f.compare("ne", I64, word, 0))
    return result
