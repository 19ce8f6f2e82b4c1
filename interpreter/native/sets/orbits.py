"""Floods along relations that lead back: unions of known sets.

In: relations. Out: which sites are reached from the same sites, and code that joins those sets.
What then holds: where every step can be gone back in some number of steps, what is reached from
a site is the same for all sites that are reached; so a flood looks at its seed alone. Steps from
sites to which no flood comes don't matter.
"""

from __future__ import annotations

from array import array

from gdl.board.relation import Relation, bits
from gdl.core.nodes import Closure, Const, Expression, Get, Op
from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I16, I64, Address
from interpreter.native.emit.values import Sites
from interpreter.native.sets.word_arrays import WordSets

_MOST_ORBITS = 512


def relation_that_leads_back(node: Closure) -> Relation | None:
    """Return the relation of a closure's step, if that is all of it and it leads back.

    It is that part of the relation which concerns sites that may be reached.
    """
    step = node.step
    if not (isinstance(step, Op) and step.name == "image"):
        return None
    (source,) = step.arguments
    relation = step.payload
    if not (isinstance(source, Get) and source.slot is node.frontier):
        return None
    assert isinstance(relation, Relation), "an image has a relation"
    if relation.is_symmetric:
        return relation
    reached = _reached(relation, _bound(node.seed, relation.size))
    relation = relation.restrict(reached, reached)
    back = relation.inverse()
    turns = relation.is_function and back.is_function
    return relation if turns and relation.image(reached) == back.image(reached) else None


def _bound(seed: Expression, size: int) -> int:
    """Return a known set that a seed lies in, on a board of so many sites."""
    found = (1 << size) - 1
    match seed:
        case Const(int(sites)):
            found = sites
        case Op("intersection", parts):
            for part in parts:
                found &= _bound(part, size)
    return found


def _reached(relation: Relation, seed: int) -> int:
    """Return all that a relation leads to from a set, and the set."""
    reached = frontier = seed
    while frontier:
        frontier = relation.image(frontier) & ~reached
        reached |= frontier
    return reached


def orbits_of(relation: Relation) -> list[int]:
    """Return the sets of more than one site of which each reaches all the others."""
    left = relation.image((1 << relation.size) - 1)
    found = []
    while left:
        reached = _reached(relation, left & -left)
        if reached.bit_count() > 1:
            found.append(reached)
        left &= ~reached
    return found


class Orbits:
    """Writes the functions of floods along relations that lead back."""

    def __init__(self, sets: WordSets) -> None:
        self._module = sets.module
        self._sets = sets
        self._known: dict[Relation, list[int]] = {}

    def flood(self, f: Function, relation: Relation, seed: Sites) -> Sites | None:
        """Write what is reached from a seed; None if there are too many sets to know them all."""
        if relation not in self._known:
            self._known[relation] = orbits_of(relation)
        orbits = self._known[relation]
        if len(orbits) > _MOST_ORBITS:
            return None
        name = self._module.once("orbits", relation, lambda name: self._write(name, orbits))
        source, result = self._sets.mask(f, seed), self._sets.variable(f)
        f.do(f"call void @{name}(ptr {source}, ptr {result})")
        return Sites(result)

    def _write(self, name: str, orbits: list[int]) -> None:
        sets = self._sets
        number = [0] * sets.size
        for which, orbit in enumerate(orbits, 1):
            for site in bits(orbit):
                number[site] = which
        numbers = self._module.tables.add(array("H", number).tobytes())
        packed = b"".join(orbit.to_bytes(sets.bytes, "little") for orbit in (0, *orbits))
        masks = self._module.tables.add(packed)
        parameters = ["ptr noalias %source", "ptr noalias %result"]
        f = self._module.function(name, "internal void", parameters, "noinline ")
        f.clear(Address("%result"), sets.bytes)
        with sets.each_at(f, Address("%source")) as loop:
            one = Sites(None, loop.index, True)
            with f.when(f.is_not(sets.holds(f, Sites(Address("%result")), one))):
                sets.add(f, Address("%result"), loop.index)
                place = f.get(I16, f.entry(I16, numbers, loop.index))
                with f.when(f.compare("ne", I16, place, 0)):
                    wide = f.convert("zext", I16, place, I64)
                    mask = Sites(f.at(masks, f.binary("mul", I64, wide, sets.bytes)))
                    sets.write(
                        f, sets.union(f, [Sites(Address("%result")), mask]), Address("%result")
                    )
        f.give("void")
