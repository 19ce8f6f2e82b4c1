"""Statements that are alike but for slots: which of them are rounds of a loop."""

from __future__ import annotations

from gdl.core import build
from gdl.core.nodes import Assign, Branch, Expression, Get, Slot, Statement
from gdl.core.types import NUMBER, SITES
from gdl.interpreter.native.expressions.repeated_statements import Stretch, stretches

MANY = 16
WHITE, BLACK = (tuple(Slot(f"{side} {i}", SITES) for i in range(MANY)) for side in "WB")
HANDS = tuple(Slot(f"hand {i}", NUMBER, low=0, high=9) for i in range(MANY))
SITE, NUMBER_SLOT = Slot("site", SITES), Slot("number", NUMBER)


def loses(layer: Slot, site: Slot = SITE) -> Statement:
    return Assign(None, layer, build.difference(Get(layer), Get(site)))


def adds(slot: Slot, number: Expression) -> Statement:
    return Assign(None, slot, build.numeric("add", Get(slot), number))


def found(*statements: Statement) -> list[Stretch]:
    return list(stretches(statements))


def test_statements_alike_are_one_stretch() -> None:
    (one,) = found(*map(loses, WHITE))
    assert (one.times, one.first, one.series) == (MANY, (loses(WHITE[0]),), (WHITE,))
    assert one.same == (SITE,)


def test_a_round_has_several_statements_and_blocks() -> None:
    blocks = [
        (loses(black), adds(hand, build.number(1)))
        for black, hand in zip(BLACK, HANDS, strict=True)
    ]
    rounds = [
        (loses(white), Branch(None, build.some(Get(white)), block, ()))
        for white, block in zip(WHITE, blocks, strict=True)
    ]
    first, one, last = found(
        loses(SITE, WHITE[0]), *(each for both in rounds for each in both), loses(SITE)
    )
    assert (first.times, last.times) == (1, 1)
    assert (one.times, one.first, one.same) == (MANY, rounds[0], (SITE,))
    assert set(one.series) == {WHITE, BLACK, HANDS}


def test_what_differs_in_more_than_slots_is_no_round() -> None:
    by_number = (adds(hand, build.number(i)) for i, hand in enumerate(HANDS))
    assert {each.times for each in found(*by_number)} == {1}
    assert {each.times for each in found(*map(loses, WHITE[:8]), *map(loses, WHITE[:4]))} == {1}


def test_a_slot_stands_for_one_other_in_each_round() -> None:
    own = [loses(white, WHITE[0]) for white in WHITE]
    first, rest = found(*own)
    assert (first.times, rest.times) == (1, MANY - 1)
    assert rest.same == (WHITE[0],)


def test_a_slot_that_rounds_fill_is_none_that_they_only_read() -> None:
    (one,) = found(*(adds(NUMBER_SLOT, Get(hand)) for hand in HANDS))
    assert (one.series, one.same) == ((HANDS,), ())


def by_case(slot: Slot, number: int) -> Statement:
    """Return that a slot has something by its number."""
    is_it = build.equal(Get(NUMBER_SLOT), build.number(number))
    value = build.conditional(is_it, Get(SITE), build.NOWHERE)
    return Assign(None, slot, value)


def test_a_number_that_grows_by_one_stands_for_that_of_the_round() -> None:
    first, one = found(by_case(WHITE[0], 0), *(by_case(w, i) for i, w in enumerate(WHITE)))
    assert first.times == 1
    (number,) = one.numbers
    assert (one.times, number.low, number.high) == (MANY, 0, MANY - 1)
    (statement,) = one.first
    assert isinstance(statement, Assign) and statement.value.free == {NUMBER_SLOT, number, SITE}


def test_numbers_that_do_not_grow_by_one_end_a_stretch() -> None:
    twice = (by_case(white, 2 * i) for i, white in enumerate(WHITE))
    assert {each.times for each in found(*twice)} == {1}
    *_, last = found(*(by_case(white, min(i, MANY - 2)) for i, white in enumerate(WHITE)))
    assert (last.times, len(last.numbers)) == (1, 0)
    (same,) = found(*(by_case(white, 3) for white in WHITE))
    assert (same.times, same.numbers) == (MANY, ())
