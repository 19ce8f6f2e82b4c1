"""Values for many sites at once are those that evaluation gives for one after the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gdl.core import build
from gdl.core.build import column
from gdl.core.evaluate import ExpressionEvaluator, evaluate
from gdl.core.nodes import Const, Expression, Get, If, Op, Select, Slot
from gdl.core.types import FLAG, NUMBER, SITES

SITE, OTHER = Slot("s", SITES), Slot("t", SITES)
TABLE = (3, 1, 4, 1, 5, 9, 2, 6)
SITES_ASKED = (0, 2, 3, 5, 7)


def number(name: str, *parts: Expression) -> Expression:
    return Op(name, parts, NUMBER)


def flag(name: str, *parts: Expression) -> Expression:
    return Op(name, parts, FLAG)


HERE = Op("lookup", (Get(SITE),), NUMBER, TABLE)
TWO = build.number(2)
ODD = flag("equal", number("modulo", HERE, TWO), build.number(1))
LARGE = flag("less", build.number(3), number("add", HERE, HERE, number("multiply", HERE, TWO)))
HUGE = number("power", build.number(2), number("multiply", HERE, build.number(1000)))

KNOWN: dict[str, Expression] = {
    "lookup": HERE,
    "constant": TWO,
    "arithmetic": number("subtract", number("power", HERE, TWO), HERE),
    "no division by zero": number("divide", TWO, number("subtract", HERE, build.number(3))),
    "and": flag("and", ODD, LARGE),
    "or": flag("or", ODD, flag("not", LARGE), ODD),
}
UNKNOWN: dict[str, Expression] = {
    "a set": flag("some", Get(SITE)),
    "another site": flag("less", HERE, Op("lookup", (Get(OTHER),), NUMBER, TABLE)),
    "a choice": If(ODD, HERE, TWO),
    "too large": flag("less", HUGE, HERE),
}


@pytest.mark.parametrize("node", KNOWN.values(), ids=KNOWN)
def test_columns_are_the_values_one_by_one(node: Expression) -> None:
    value: Callable[[list[int]], object] = ExpressionEvaluator({SITE: 0}).function(node)
    found = column(node, SITE, SITES_ASKED)
    expected = [value([1 << site]) for site in SITES_ASKED]
    assert found == expected
    assert list(map(type, found or ())) == list(map(type, expected))


@pytest.mark.parametrize("node", UNKNOWN.values(), ids=UNKNOWN)
def test_what_columns_cannot_tell_is_left_alone(node: Expression) -> None:
    assert column(node, SITE, SITES_ASKED) is None


@pytest.mark.parametrize(
    "condition", [ODD, flag("and", ODD, LARGE), flag("some", Get(SITE))], ids=("one", "both", "set")
)
def test_selected_sites_are_known_before_play(condition: Expression) -> None:
    among = build.sites(0b10111011)
    selected = build.select(SITE, among, condition)
    assert selected == Const(evaluate(Select(SITE, among, condition)), SITES)


def test_a_short_cut_that_fails_changes_nothing() -> None:
    """The huge number is never asked for: no site has a table entry above nine."""
    condition = flag("and", flag("less", build.number(9), HERE), flag("less", HUGE, HERE))
    assert column(condition, SITE, range(8)) is None
    assert build.select(SITE, build.sites(0b11111111), condition) == build.NOWHERE
