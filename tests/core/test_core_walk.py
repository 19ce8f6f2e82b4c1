"""Walks over statements and expressions: what is found, what is not, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest
from library_games import deep_games, shipped

from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Branch,
    Choose,
    Const,
    Decide,
    Expression,
    ForEach,
    Get,
    GroupsOf,
    Let,
    Op,
    RangeOf,
    Repeat,
    Require,
    Say,
    SitesOf,
    Slot,
)
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.core.walk import (
    assigned_slots,
    changed_slots,
    decisions_in,
    expressions_in,
    expressions_of,
    filled_slots,
    is_effect,
    program_statements,
    read_slots,
    slots_in,
    slots_of,
    statements_in,
)
from gdl.load import shipped_names
from gdl.optimise import optimise

LAYER = Slot("layer", SITES, is_state=True)
COUNT = Slot("count", NUMBER, is_state=True)
TABLE = Slot("table", NUMBER, is_state=True, per_site=True)
SITE, EACH, ROUND = Slot("site", SITES), Slot("each", SITES), Slot("round", NUMBER)

COUNTED = Op("count", (Get(LAYER),), NUMBER)
CHOICE = Choose(None, SITE, SitesOf(Get(LAYER)))
MARK = AssignAt(None, TABLE, Get(EACH), Get(ROUND))
LOOP = ForEach(None, EACH, SitesOf(Get(LAYER)), (MARK,))
NUMBERS = Choose(None, ROUND, RangeOf(Const(1, NUMBER), Get(COUNT)))
WAYS = Decide(None, (Alternative("more", (NUMBERS, LOOP)), Alternative("done", (Say(None, "x"),))))
ASK = Require(None, Op("some", (Get(SITE),), FLAG))
BLOCK = (
    CHOICE,
    Branch(None, Const(True, FLAG), (Assign(None, COUNT, COUNTED),), (WAYS,)),
    Repeat(None, "times", Get(COUNT), (ASK,), 9),
)


def test_statements_come_as_they_are_written_outer_ones_first() -> None:
    names = [type(statement).__name__ for statement in statements_in(BLOCK)]
    assert names == (
        [
            "Choose",
            "Branch",
            "Assign",
            "Decide",
            "Choose",
            "ForEach",
            "AssignAt",
            "Say",
            "Repeat",
            "Require",
        ]
    )
    assert decisions_in(BLOCK) == (CHOICE, WAYS, NUMBERS)


def test_slots_that_get_a_value_are_told_apart_by_how() -> None:
    assert list(assigned_slots(BLOCK)) == [COUNT, TABLE]
    assert list(changed_slots(BLOCK)) == [SITE, COUNT, ROUND, TABLE]
    assert list(filled_slots(BLOCK)) == [SITE, COUNT, ROUND, EACH, TABLE]


def test_slots_that_are_read_are_not_those_that_are_only_written() -> None:
    assert read_slots(BLOCK) == {LAYER, EACH, ROUND, COUNT, SITE}
    assert read_slots((CHOICE, LOOP)) == {LAYER, EACH, ROUND}


@pytest.mark.parametrize("statement", [CHOICE, WAYS, ASK, Say(None, "x")], ids=str)
def test_what_decides_fails_or_speaks_is_more_than_an_effect(statement: Decide) -> None:
    assert not is_effect(statement)
    assert not is_effect(Repeat(None, "settled", None, (statement,), 9))


def test_a_loop_of_assignments_is_an_effect() -> None:
    assert is_effect(LOOP)


def test_a_shared_part_is_found_once() -> None:
    doubled = Op("add", (COUNTED, COUNTED), NUMBER)
    assert len(list(expressions_in(doubled))) == 3


def test_slots_of_an_expression_are_those_read_and_those_bound() -> None:
    node = Let(ROUND, COUNTED, Op("add", (Get(ROUND), Get(COUNT)), NUMBER))
    assert slots_in(node) == {ROUND, LAYER, COUNT}
    assert node.free == {LAYER, COUNT}


def test_slots_of_a_program_come_in_the_order_of_first_mention() -> None:
    groups = ForEach(None, EACH, GroupsOf(Get(LAYER), SITE, Get(SITE)), (MARK,))
    assert list(slots_of((groups, BLOCK))) == [EACH, LAYER, SITE, TABLE, ROUND, COUNT]


class Untouchable(tuple[int, ...]):
    """A table that nobody may look through."""

    def __iter__(self) -> Iterator[int]:
        raise AssertionError("a table was looked through")

    def __reversed__(self) -> Iterator[int]:
        raise AssertionError("a table was looked through")


def test_tables_are_not_looked_through() -> None:
    node = Op("lookup", (Get(LAYER),), NUMBER, Untouchable((1, 2, 3)))
    assert list(slots_of((Assign(None, COUNT, node),))) == [COUNT, LAYER]
    assert len(list(expressions_in(node))) == 2


# --------------------------------------------------- the parts that a node tells of


def inside(value: object) -> Iterator[Expression]:
    """Yield the expressions in a field of a node."""
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from inside(item)
    elif isinstance(value, SitesOf | GroupsOf | RangeOf):
        for field in fields(value):
            yield from inside(getattr(value, field.name))


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_every_node_tells_of_all_its_parts(name: str) -> None:
    game = shipped(name)
    for program in (game.program, optimise(game.program, len(game.board.sites))):
        for statement in program_statements(program):
            for root in expressions_of(statement):
                for node in expressions_in(root):
                    held = [part for f in fields(node) for part in inside(getattr(node, f.name))]
                    assert list(node.parts()) == held
