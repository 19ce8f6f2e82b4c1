"""Relations by formula: short cuts find the pairs that the formula itself holds of."""

from __future__ import annotations

from unittest import mock

import pytest

from gdl.board.relation import Relation
from gdl.core import build
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import Expression, Get, If, Op, Slot
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.elaborate.relations import formula
from gdl.elaborate.relations.formula import _matching, grouped, pair_number, relation_where
from gdl.resources.scoped_cache import work_shared

SIDE = 4
SIZE = SIDE * SIDE
A, B = Slot("a", SITES), Slot("b", SITES)
ROWS = tuple(index // SIDE + 1 for index in range(SIZE))
COLUMNS = tuple(index % SIDE + 1 for index in range(SIZE))


def row(slot: Slot) -> Expression:
    return Op("lookup", (Get(slot),), NUMBER, ROWS)


def column(slot: Slot) -> Expression:
    return Op("lookup", (Get(slot),), NUMBER, COLUMNS)


def op(name: str, *parts: Expression) -> Expression:
    return Op(name, parts, NUMBER)


def flag(name: str, *parts: Expression) -> Expression:
    return Op(name, parts, FLAG)


ACROSS, UP = op("subtract", column(B), column(A)), op("subtract", row(B), row(A))
PRODUCT = op("multiply", ACROSS, UP)
SQUARES = op("add", op("multiply", ACROSS, ACROSS), op("multiply", UP, UP))
LONG = flag(
    "and",
    flag("less", op("add", SQUARES, PRODUCT, PRODUCT), op("add", SQUARES, build.number(5))),
    flag("not_more", PRODUCT, op("multiply", SQUARES, SQUARES, build.number(2))),
    flag("not", flag("equal", PRODUCT, op("add", PRODUCT, ACROSS, UP))),
)
TURNED = flag("and", flag("equal", column(B), row(A)), flag("less", row(B), column(A)))
EITHER = flag("equal", If(flag("less", row(A), row(B)), row(B), column(A)), build.number(3))


@pytest.mark.parametrize("condition", [LONG, TURNED, EITHER], ids=["long", "turned", "either"])
def test_short_cuts_change_nothing(condition: Expression) -> None:
    holds = ExpressionEvaluator({A: 0, B: 1}).function(condition)
    pairs = [(a, b) for a in range(SIZE) for b in range(SIZE) if holds([1 << a, 1 << b])]
    expected = Relation.from_pairs(SIZE, pairs)
    assert 0 < len(pairs) < SIZE * SIZE
    assert relation_where(SIZE, None, A, B, condition) == expected
    some = Relation.from_pairs(SIZE, [pair for pair in pairs if sum(pair) % 2])
    assert relation_where(SIZE, some, A, B, condition) == some


def test_numbers_of_two_sites_are_told_by_value() -> None:
    one, other = Slot("one", SITES), Slot("other", SITES)
    again = op("subtract", column(other), column(one))
    assert pair_number(ACROSS, A, B, SIZE) == pair_number(again, one, other, SIZE) is not None
    assert pair_number(ACROSS, A, B, SIZE) != pair_number(ACROSS, B, A, SIZE)
    assert pair_number(PRODUCT, A, B, SIZE) is None
    assert pair_number(row(A), A, B, SIZE) == pair_number(row(other), other, one, SIZE)


def test_pairs_are_grouped_once_for_conditions_on_the_same_numbers() -> None:
    everything, identity = None, Relation.identity(SIZE)
    with mock.patch.object(formula, "grouped", side_effect=grouped) as made, work_shared():
        long = relation_where(SIZE, everything, A, B, LONG)
        assert long != Relation.empty(SIZE) and made.call_count == 1
        opposite = relation_where(SIZE, everything, A, B, Op("not", (LONG,), FLAG))
        assert opposite == Relation.from_pairs(SIZE, set(pairs_of_all()) - set(long.pairs()))
        assert made.call_count == 1
        relation_where(SIZE, identity, A, B, LONG)
        assert made.call_count == 2
    assert set(made.call_args.args[1]) == {pair_number(n, A, B, SIZE) for n in (ACROSS, UP)}


def pairs_of_all() -> list[tuple[int, int]]:
    return [(a, b) for a in range(SIZE) for b in range(SIZE)]


def test_sites_with_equal_numbers_are_found_at_once() -> None:
    matching = _matching(flag("equal", column(B), row(A)), A, B, SIZE)
    assert matching is not None
    assert matching[0] == sum(1 << index for index in range(SIZE) if COLUMNS[index] == 1)
    assert _matching(flag("equal", column(B), ACROSS), A, B, SIZE) is None
