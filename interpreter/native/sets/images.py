"""What relations lead to from sets in memory: functions of a set's address.

In: relations. Out: functions that write an image at another address. What then holds: an image
takes as long as its set has sites; that of all sites of a known set but some, as long as those
are many, since all else is known.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate, chain

from gdl.board.relation import Relation, listed
from interpreter.native.emit.blocks import Label
from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I1, I16, I32, I64, Address, Word
from interpreter.native.emit.values import Sites
from interpreter.native.sets.word_arrays import WordSets

Lists = tuple[tuple[int, ...], ...]


class Images:
    """Writes functions for the images of sets, one for each relation."""

    def __init__(self, sets: WordSets) -> None:
        self._module = sets.module
        self._sets = sets
        self._lists: dict[Relation, Lists] = {}
        self._fewest_and_most: dict[tuple[Relation, int], tuple[int, int]] = {}

    def targets(self, relation: Relation) -> Lists:
        """Return the indices that a relation leads to from each site, ascending."""
        if relation not in self._lists:
            lists: list[list[int]] = [[] for _ in range(self._sets.size)]
            for sources, shift in relation.offset_classes:
                for source in listed(sources):
                    lists[source].append(source + shift)
            self._lists[relation] = tuple(map(tuple, lists))
        return self._lists[relation]

    def fewest_and_most(self, relation: Relation, sites: int) -> tuple[int, int]:
        """Return to how few and to how many sites a relation leads from one site of a set."""
        key = (relation, sites)
        if key not in self._fewest_and_most:
            self._fewest_and_most[key] = relation.least_and_most(sites)
        return self._fewest_and_most[key]

    def of(self, relation: Relation, known: int = 0) -> str:
        """Return the name of a function of a set and the address for its image.

        If a set is `known`, it is the image of that, but for the sites of the set given.
        """

        def write(name: str) -> None:
            parameters = ["ptr noalias %source", "ptr noalias %result"]
            f = self._module.function(name, "internal void", parameters, "noinline ")
            if known:
                self._write_all_but(f, relation, known)
            else:
                self._write(f, relation)
            f.give("void")

        return self._module.once("image", (relation, known), write)

    def _write(self, f: Function, relation: Relation) -> None:
        sets = self._sets
        f.clear(Address("%result"), sets.bytes)
        with (
            sets.each_at(f, Address("%source")) as loop,
            self._each_target(f, relation, loop.index) as (target, _),
        ):
            sets.add(f, Address("%result"), target)

    def _write_all_but(self, f: Function, relation: Relation, known: int) -> None:
        """Take out of the image of the known set what only missing sites lead to."""
        sets = self._sets
        sources = Sites(known=known)
        image = sets.mask(f, Sites(known=relation.image(known)))
        f.copy(image, Address("%result"), sets.bytes)
        back = relation.inverse()
        with sets.each_at(f, Address("%source")) as loop:
            missing = Sites(None, loop.index, True)
            with (
                f.when(sets.holds(f, sources, missing)),
                self._each_target(f, relation, loop.index) as (target, following),
            ):
                with self._each_target(f, back, target) as (source, _):
                    one = Sites(None, source, True)
                    stays = f.is_not(sets.holds(f, Sites(Address("%source")), one))
                    f.leave_if(f.binary("and", I1, sets.holds(f, sources, one), stays), following)
                sets.drop(f, Address("%result"), target)

    @contextmanager
    def _each_target(
        self, f: Function, relation: Relation, site: Word
    ) -> Iterator[tuple[Word, Label]]:
        """Write a loop over the sites that a relation leads to from a site, in order.

        Yields the present one (i64), and the label of what goes on to the next.
        """
        begins, targets = self._adjacency(relation)
        start = f.entry(I32, begins, site)
        place = f.variable(I64, f.unsigned(I32, start))
        last = f.unsigned(I32, f.at(start, 4))
        with f.loop(max(map(len, self.targets(relation)), default=0)) as loop:
            now = f.get(I64, place)
            f.need(f.compare("ult", I64, now, last), loop.done)
            f.put(I64, f.binary("add", I64, now, 1), place)
            yield f.unsigned(I16, f.entry(I16, targets, now)), loop.head

    def _adjacency(self, relation: Relation) -> tuple[Address, Address]:
        """Return tables: where the targets of each site begin, and all targets."""
        lists, tables = self.targets(relation), self._module.tables
        begins = array("I", [0, *accumulate(map(len, lists))])
        targets = array("H", chain.from_iterable(lists))
        return tables.add(begins.tobytes()), tables.add(targets.tobytes())
