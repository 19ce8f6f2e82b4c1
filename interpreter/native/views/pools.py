"""Views of sets to choose from that only lose sites: how many there are, and which.

In: sets to choose from (`gdl.analysis.views`). Out: their views, and code that draws from them.
What then holds: a list has the sites of its set in some order, each once; a table says where each
site is in it.

The domain of most placements is a board without the sites of some layers. A piece that is placed
takes one site out of it; so there is no need to make the set anew for each move and to count it
from one end to the other. The last of the list takes the place of a site that is taken out. On
boards of one word, the set itself is kept in place of a list: the next draw waits for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.analysis.views import Pool
from gdl.core import build
from gdl.core.nodes import Choose, Get, Slot
from gdl.interpreter.native.emit.ir import WORD, Function
from gdl.interpreter.native.emit.kinds import I1, I16, I64, Address, Mask, Word
from gdl.interpreter.native.emit.values import Flag, Sites
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.views.view import View

_ENTRY = 2


class PoolView(View):
    """A set to choose from: its size is in the frame, its list in memory, and then the table.

    On boards of one word, the set is behind its size, and there is no list.
    """

    def __init__(self, expressions: Expressions, pool: Pool, choices: Sequence[Choose]) -> None:
        """Keep what is known of a set that some first `choices` draw from."""
        layers = sorted(pool.layers, key=lambda slot: slot.name)
        super().__init__(expressions, layers, {build.some(pool.domain): Get(pool.slot)})
        self._pool = pool
        self._drawn = {choice.slot for choice in choices}
        self._has_list = self._sets.bits > WORD
        self._size = self._sets.size
        self.bytes = 2 * _ENTRY * self._size if self._has_list else 0
        self.reads_layers = not self._has_list
        self.follows_sets = self._has_list

    def read(self, p: Place) -> Iterator[tuple[Slot, Flag]]:
        """Yield whether there is a site."""
        yield self._pool.slot, Flag(p.f.compare("ne", I64, self.number(p), 0))

    def number(self, p: Place) -> Word:
        """Return how many sites (i64) there are."""
        return p.f.get(I64, self._number(p))

    def draw(self, p: Place, place: Word) -> Sites:
        """Return the site at a place (i64) among those there are."""
        f = p.f
        if not self._has_list:
            bit = self._sets.nth_bit(f, f.get(I64, self._set(p)), place)
            return Sites(Mask(bit), self._sets.place_of_bit(f, bit), True)
        return self._sets.one(self._get(f, self.memory(p), place), is_there=True)

    def fill(self, p: Place) -> None:
        """Write the list of a position."""
        f, memory = p.f, self.memory(p)
        domain = self._expressions.sites(p, self._pool.domain)
        f.put(I64, self._sets.count(f, domain), self._number(p))
        if not self._has_list:
            f.put(I64, Word(self._sets.mask(f, domain)), self._set(p))
            return
        f.clear(memory, self.bytes)
        place = f.variable(I64, 0)
        with self._sets.each(f, domain) as loop:
            now = f.get(I64, place)
            self._put(f, memory, now, loop.index)
            f.put(I64, f.binary("add", I64, now, 1), place)

    def follow(self, p: Place, sites: Sequence[Slot]) -> None:
        """Write that sites are taken out; those that were drawn are there."""
        f, memory = p.f, self.memory(p)
        for site in sites:
            if site in self._drawn:
                self._take(p, memory, site)
        others = [site for site in sites if site not in self._drawn]
        if others and not self._has_list:
            self.fill(p)
            return
        for site in others:
            index = self._site(p, site)
            place = self._place_of(f, memory, index)
            is_before = f.compare("ult", I64, place, self.number(p))
            here = self._get(f, memory, place)
            with f.when(f.binary("and", I1, is_before, f.compare("eq", I64, here, index))):
                self._take(p, memory, site)

    def _number(self, p: Place) -> Address:
        return self._expressions.layout.fields[self._pool.slot].at(p.f, p.frame)

    def _set(self, p: Place) -> Address:
        return p.f.at(self._number(p), WORD // 8)

    def _take(self, p: Place, memory: Address, site: Slot) -> None:
        """Write that a site that is there is taken out."""
        f = p.f
        last = f.binary("sub", I64, self.number(p), 1)
        f.put(I64, last, self._number(p))
        if self._has_list:
            place = self._place_of(f, memory, self._site(p, site))
            self._put(f, memory, place, self._get(f, memory, last))
        else:
            bit = Word(self._sets.mask(f, self._expressions.sites(p, Get(site))))
            f.put(I64, f.binary("xor", I64, f.get(I64, self._set(p)), bit), self._set(p))

    def _put(self, f: Function, memory: Address, place: Word, index: Word) -> None:
        """Write that a site is at a place of the list."""
        f.put(I16, f.convert("trunc", I64, index, I16), f.entry(I16, memory, place))
        where = f.entry(I16, memory, f.binary("add", I64, index, self._size))
        f.put(I16, f.convert("trunc", I64, place, I16), where)

    def _place_of(self, f: Function, memory: Address, index: Word) -> Word:
        """Return the place (i64) that the table, which is behind the list, has for a site."""
        return self._get(f, memory, f.binary("add", I64, index, self._size))

    def _get(self, f: Function, memory: Address, place: Word) -> Word:
        return f.unsigned(I16, f.entry(I16, memory, place))

    def _site(self, p: Place, site: Slot) -> Word:
        """Return the index (i64) of a chosen site."""
        return self._sets.index(p.f, self._expressions.sites(p, Get(site)))
