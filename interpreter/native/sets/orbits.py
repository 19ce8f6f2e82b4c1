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
from interpreter.native.sets.arrays import ArraySets

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


def flood_by_orbits(sets: ArraySets, f: Function, relation: Relation, seed: Sites) -> Sites | None:
    """Write what is reached from a seed; None if there are too many sets to know them all."""
    if relation not in sets.orbits:
        sets.orbits[relation] = orbits_of(relation)
    orbits = sets.orbits[relation]
    if len(orbits) > _MOST_ORBITS:
        return None

    def write(f: Function, source: Address, result: Address) -> None:
        number = [0] * sets.size
        for which, orbit in enumerate(orbits, 1):
            for site in bits(orbit):
                number[site] = which
        numbers = sets.module.tables.add(array("H", number).tobytes())
        packed = b"".join(orbit.to_bytes(sets.bytes, "little") for orbit in (0, *orbits))
        masks = sets.module.tables.add(packed)
        f.clear(result, sets.bytes)
        reached = Sites(result)
        with (
            sets.each_at(f, source) as loop,
            f.when(f.is_not(sets.holds(f, reached, loop.site))),
        ):
            sets.add(f, result, loop.index)
            place = f.get(I16, f.entry(I16, numbers, loop.index))
            with f.when(f.compare("ne", I16, place, 0)):
                wide = f.convert("zext", I16, place, I64)
                mask = Sites(f.at(masks, f.binary("mul", I64, wide, sets.bytes)))
                sets.write(f, sets.union(f, [reached, mask]), result)

    return sets.made_once(f, "orbits", relation, seed, write)
