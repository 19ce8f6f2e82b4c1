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


def targets_of(relation: Relation) -> list[list[int]]:
    """Return the indices that a relation leads to from each site, ascending."""
    lists: list[list[int]] = [[] for _ in range(relation.size)]
    for sources, shift in relation.offset_classes:
        for source in listed(sources):
            lists[source].append(source + shift)
    return lists


def image_of(sets: WordSets, f: Function, relation: Relation, sites: Sites) -> Sites:
    """Call the function that makes the image of a set."""

    def write(f: Function, source: Address, result: Address) -> None:
        f.clear(result, sets.bytes)
        with (
            sets.each_at(f, source) as loop,
            _each_target(sets, f, relation, loop.index) as (target, _),
        ):
            sets.add(f, result, target)

    return sets.made_once(f, "image", (relation, 0), sites, write)


def image_of_all_but(
    sets: WordSets, f: Function, relation: Relation, known: int, missing: Sites
) -> Sites:
    """Call the function that makes the image of a known set, but for the sites of another.

    It takes out of the image of the known set what only missing sites lead to.
    """

    def write(f: Function, source: Address, result: Address) -> None:
        sources, left_out = Sites(known=known), Sites(source)
        f.copy(sets.mask(f, Sites(known=relation.image(known))), result, sets.bytes)
        back = relation.inverse()
        with (
            sets.each_at(f, source) as loop,
            f.when(sets.holds(f, sources, loop.site)),
            _each_target(sets, f, relation, loop.index) as (target, following),
        ):
            with _each_target(sets, f, back, target) as (other, _):
                one = Sites(None, other, True)
                stays = f.is_not(sets.holds(f, left_out, one))
                f.leave_if(f.binary("and", I1, sets.holds(f, sources, one), stays), following)
            sets.drop(f, result, target)

    return sets.made_once(f, "image", (relation, known), missing, write)


@contextmanager
def _each_target(
    sets: WordSets, f: Function, relation: Relation, site: Word
) -> Iterator[tuple[Word, Label]]:
    """Write a loop over the sites that a relation leads to from a site, in order.

    Yields the present one (i64), and the label of what goes on to the next.
    """
    lists, tables = targets_of(relation), sets.module.tables
    begins = tables.add(array("I", [0, *accumulate(map(len, lists))]).tobytes())
    targets = tables.add(array("H", chain.from_iterable(lists)).tobytes())
    start = f.entry(I32, begins, site)
    place = f.variable(I64, f.unsigned(I32, start))
    last = f.unsigned(I32, f.at(start, 4))
    with f.loop(max(map(len, lists), default=0)) as loop:
        now = f.get(I64, place)
        f.need(f.compare("ult", I64, now, last), loop.done)
        f.put(I64, f.binary("add", I64, now, 1), place)
        yield f.unsigned(I16, f.entry(I16, targets, now)), loop.head
