"""Layers that random moves add sites to and never look at: they stay in memory, word by word.

In: the plain turns of a program, and what their endings read. Out: the layers that nothing reads
while random moves are made in place. What then holds: such a layer only ever gains the sites that
are chosen; it is right in the position that a random game was begun from, and nowhere else.

On boards of more than a word, where views stand for the layers, to write a whole set for each
move would be most of the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gdl.analysis.changes import Changes, Done
from gdl.analysis.plain_turns import Plain
from gdl.analysis.plan import Plan
from gdl.core.nodes import Assign, Choose, Slot, Statement
from gdl.core.types import SITES
from gdl.core.walk import slots_of
from interpreter.native.emit.ir import WORD
from interpreter.native.sets.set_code import SetCode
from interpreter.native.views.views import Views


def unread_layers(
    plan: Plan, sets: SetCode, views: Views, endings: Iterable[object]
) -> frozenset[Slot]:
    """Return the layers that random moves never look at; all that is in the `endings` is read."""
    drawn = [turn.in_place for turn in plan.turns if turn.in_place is not None]
    turns = [turn for turn in drawn if isinstance(turn, Plain)]
    ways = [way for turn in turns for way in turn.ways]
    if (
        sets.bits <= WORD
        or sets.are_arrays
        or plan.program.memories
        or len(turns) < len(drawn)
        or any(turn.draws_both for turn in plan.turns)
        or any(way.may_fail or way.is_pair or way.cases is not None for way in ways)
    ):
        return frozenset()
    read = set(slots_of(tuple(endings)))
    changed: set[Slot] = set()
    for turn in turns:
        read |= set(slots_of((turn.before, *(way.guards for way in turn.ways))))
    for way in ways:
        for path in ((*way.choices, *path) for path in way.paths):
            done = Done(path).changes
            changed |= done.changed
            read |= {*views.looked_at(done), *_read_by(path, done, views)}
        read |= set(views.looked_at(Done((*way.choices, *way.rest)).changes))
    layers = {slot for slot in plan.program.state if slot.type == SITES and not slot.per_site}
    return frozenset(layers - read - changed)


def _read_by(path: Sequence[Statement], done: Changes, views: Views) -> Iterator[Slot]:
    gaining = {layer for gain in done.added for layer in gain.layers}
    for place, statement in enumerate(path):
        if isinstance(statement, Choose):
            if statement not in views.pool_of:
                yield from slots_of(statement.domain)
        elif isinstance(statement, Assign) and statement.slot in gaining:
            continue  # it adds a chosen site to a layer that nothing else changes
        elif place not in done.idle:
            yield from slots_of(statement)
