"""The moves of hand-made programs on a row of four sites, a1 to d1."""

from collections.abc import Sequence
from typing import Any

import pytest

from gdl.core import build
from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Block,
    Branch,
    Can,
    Choose,
    Decide,
    ForEach,
    Get,
    GetAt,
    Phase,
    Program,
    RangeOf,
    Repeat,
    Require,
    Say,
    SitesOf,
    Slot,
    SystemSlots,
    Turn,
)
from gdl.core.types import NUMBER, SITES, Type
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.reference.machine import Machine

NAMES = ("a1", "b1", "c1", "d1")
ALL = build.sites(0b1111)
SIDE = Type("side", ("Red", "Blue"))

STONES = Slot("Stone", SITES, is_state=True)
COUNT = Slot("count", NUMBER, is_state=True, low=0, high=9)
HEIGHTS = Slot("heights", NUMBER, is_state=True, per_site=True, low=0, high=3)
MOVER = Slot("mover", SIDE, is_state=True)
FOLLOWING = Slot("following", SIDE)
BEST = Slot("best", NUMBER)
A, B, N = Slot("a", SITES), Slot("b", SITES), Slot("n", NUMBER)

EMPTY = build.difference(ALL, Get(STONES))
INITIAL = (0, 0, (0, 0, 0, 0), 0)


def assign(slot: Slot, value: Any) -> Assign:
    return Assign(None, slot, value)


def place(slot: Slot) -> Assign:
    return assign(STONES, build.union(Get(STONES), Get(slot)))


def choose(
    slot: Slot, sites: Any = EMPTY, separator: str = " ", pair: Slot | None = None
) -> Choose:
    return Choose(None, slot, SitesOf(sites), separator, pair)


def either(*alternatives: tuple[str | None, Block]) -> Decide:
    return Decide(None, tuple(Alternative(token, body) for token, body in alternatives))


def increase(by: int = 1) -> Assign:
    return assign(COUNT, build.numeric("add", Get(COUNT), build.number(by)))


def machine_for(*blocks: Block) -> Machine:
    turns = tuple(Turn(block, (), ()) for block in (*blocks, *blocks)[:2])
    system = SystemSlots(MOVER, FOLLOWING, None, (), None, None, BEST)
    program = Program((STONES, COUNT, HEIGHTS, MOVER), INITIAL, system, (Phase("play", turns),), ())
    return Machine(program, NAMES)


def texts(block: Block, values: Sequence[Any] = INITIAL) -> list[str]:
    """The texts of the legal moves, after checking that all ways to get at them agree."""
    machine = machine_for(block)
    turn = machine.turn(0, 0)
    frame = machine.frame(values)
    before = list(frame[:4])
    moves = machine.ways.moves(frame, turn)
    results = list(machine.ways.results(frame, turn))
    assert [move for move, _ in results] == moves
    assert machine.ways.count(frame, turn) == len(moves)
    assert machine.ways.has_move(frame, turn) == bool(moves)
    for move, result in results:
        assert machine.ways.after(frame, turn, move.decisions)[:4] == result[:4]
    assert frame[:4] == before
    return [move.text for move in moves]


def state_after(block: Block, *decisions: int, values: Sequence[Any] = INITIAL) -> list[Any]:
    machine = machine_for(block)
    return machine.ways.after(machine.frame(values), machine.turn(0, 0), decisions)[:4]


def test_a_choice_offers_its_sites_in_order() -> None:
    assert texts((choose(A), place(A)), (0b0100, 0, (0,) * 4, 0)) == ["a1", "b1", "d1"]
    assert state_after((choose(A), place(A)), 2)[0] == 0b0100


def test_a_choice_sees_what_was_done_before_it() -> None:
    block = (choose(A), place(A), choose(B, separator="-"), place(B))
    found = texts(block)
    assert found[:4] == ["a1-b1", "a1-c1", "a1-d1", "b1-a1"]
    assert len(found) == 12


def test_a_requirement_after_a_choice_rules_the_choice_out() -> None:
    no_corner = Require(None, build.some(build.intersection(Get(STONES), build.sites(0b0110))))
    assert texts((choose(A), place(A), no_corner)) == ["b1", "c1"]


def test_a_choice_of_nothing_ends_the_path() -> None:
    block = (either((None, (choose(A, build.NOWHERE),)), ("stay", ())),)
    assert texts(block) == ["stay"]
    assert texts((choose(A, build.NOWHERE),)) == []


def test_silent_alternatives_are_decisions_without_a_word() -> None:
    block = (either((None, (choose(A),)), ("pass", ()), (None, ())),)
    machine = machine_for(block)
    moves = machine.ways.moves(machine.frame(INITIAL), machine.turn(0, 0))
    assert [(m.decisions, m.text) for m in moves[3:]] == [
        ((0, 3), "d1"),
        ((1,), "pass"),
        ((2,), "pass"),
    ]


def test_a_word_without_a_decision_is_part_of_the_text() -> None:
    block = (choose(A), Branch(None, build.some(Get(A)), (Say(None, "up"),), ()), choose(B, Get(A)))
    assert texts(block)[0] == "a1 up a1"


def test_numbers_are_chosen_in_ascending_order() -> None:
    block = (
        Choose(None, N, RangeOf(build.number(-1), build.number(1))),
        assign(COUNT, build.number(1)),
    )
    assert texts(block) == ["-1", "0", "1"]
    assert texts((Choose(None, N, RangeOf(build.number(1), build.number(0))),)) == []


def test_too_many_ways_on_are_refused() -> None:
    block = (Choose(None, N, RangeOf(build.number(0), build.number(10**12))),)
    with pytest.raises(RuleError) as error:
        texts(block)
    assert error.value.diagnostic.code == "too-many-moves"


def test_decisions_inside_a_loop_over_sites_come_in_the_loop_s_order() -> None:
    block = (
        ForEach(None, A, SitesOf(build.sites(0b0101)), (either(("yes", (place(A),)), ("no", ())),)),
    )
    assert texts(block) == ["yes yes", "yes no", "no yes", "no no"]
    assert state_after(block, 1, 0)[0] == 0b0100


def test_a_loop_over_sites_runs_over_them_as_they_were() -> None:
    block = (ForEach(None, A, SitesOf(EMPTY), (assign(STONES, ALL), increase())),)
    assert state_after(block)[:2] == [0b1111, 4]


@pytest.mark.parametrize("with_decision", [False, True])
@pytest.mark.parametrize(
    ("mode", "bound", "start", "count"),
    [
        ("while", build.numeric("less", Get(COUNT), build.number(3)), 0, 3),
        ("while", build.numeric("less", Get(COUNT), build.number(3)), 5, 5),
        ("until", build.numeric("less", build.number(2), Get(COUNT)), 5, 6),
        ("times", build.numeric("add", Get(COUNT), build.number(2)), 0, 2),
        ("times", build.number(-1), 0, 0),
    ],
)
def test_loops(mode: str, bound: Any, start: int, count: int, with_decision: bool) -> None:
    more: Block = (Say(None, "again"),) if with_decision else ()
    block = (Repeat(None, mode, bound, (increase(), *more), 10),)
    assert state_after(block, values=(0, start, (0,) * 4, 0))[1] == count
    assert texts(block, (0, start, (0,) * 4, 0)) == [
        " ".join(["again"] * (count - start) * with_decision) or "pass"
    ]


def test_a_settled_loop_ends_when_a_round_changes_nothing() -> None:
    smaller = build.numeric(
        "minimum", build.numeric("add", Get(COUNT), build.number(2)), build.number(7)
    )
    block = (Repeat(None, "settled", None, (assign(COUNT, smaller),), 10, (COUNT,)),)
    assert state_after(block)[1] == 7


@pytest.mark.parametrize("with_word", [False, True])
def test_a_loop_beyond_its_limit_is_an_error(with_word: bool) -> None:
    more: Block = (Say(None, "on"),) if with_word else ()
    with pytest.raises(RuleError) as error:
        texts((Repeat(None, "while", build.YES, (assign(COUNT, build.number(1)), *more), 5),))
    assert error.value.diagnostic.code == "endless-loop"


def test_a_number_out_of_its_bounds_is_an_error() -> None:
    assert state_after((increase(9),))[1] == 9
    for block in (
        (increase(10),),
        (increase(-1),),
        (AssignAt(None, HEIGHTS, build.sites(1), build.number(4)),),
    ):
        with pytest.raises(RuleError) as error:
            state_after(block)
        assert error.value.diagnostic.code == "overflow"


def test_a_value_that_grows_beyond_use_is_an_error() -> None:
    huge = build.numeric("power", Get(COUNT), build.numeric("power", Get(COUNT), build.number(30)))
    with pytest.raises(RuleError) as error:
        texts((Require(None, build.equal(huge, Get(COUNT))),), (0, 9, (0,) * 4, 0))
    assert error.value.diagnostic.code == "overflow"


def test_values_for_each_site_are_set_at_sites_alone() -> None:
    block = (
        AssignAt(None, HEIGHTS, build.sites(0b1010), build.number(2)),
        assign(COUNT, GetAt(HEIGHTS, build.sites(0b1100))),
    )
    assert state_after(block)[1:3] == [0, (0, 2, 0, 2)]


# ------------------------------------------------------- moves compared with others


def test_a_pair_in_either_order_is_one_move() -> None:
    block = (choose(A), place(A), choose(B, pair=A), place(B))
    machine = machine_for(block)
    moves = machine.ways.moves(machine.frame(INITIAL), machine.turn(0, 0))
    assert [m.text for m in moves] == ["a1 b1", "a1 c1", "a1 d1", "b1 c1", "b1 d1", "c1 d1"]
    assert moves[0].also == ("b1 a1",)
    assert len(texts(block)) == 6


def test_a_pair_that_only_one_order_allows_is_no_move() -> None:
    not_after_a = build.conditional(build.equal(Get(A), build.sites(1)), build.sites(0b0100), EMPTY)
    block = (choose(A), place(A), choose(B, not_after_a, pair=A), place(B))
    assert texts(block) == ["a1 c1", "b1 c1", "b1 d1", "c1 d1"]


def test_a_pair_whose_orders_lead_to_different_positions_is_no_move() -> None:
    block = (choose(A), place(A), choose(B, pair=A), assign(STONES, Get(B)))
    assert texts(block) == []


def test_an_optional_second_choice_leaves_single_ones_alone() -> None:
    second = either((None, (choose(B, pair=A), place(B))), (None, ()))
    assert texts((choose(A, build.sites(0b0111)), place(A), second)) == [
        "a1 b1",
        "a1 c1",
        "a1",
        "b1 c1",
        "b1",
        "c1",
    ]


def test_only_the_best_ways_are_kept() -> None:
    size = build.op("count", (build.intersection(Get(A), build.sites(0b1010)),), NUMBER)
    assert texts((choose(A), place(A), assign(BEST, size))) == ["b1", "d1"]


def test_no_value_is_less_than_any() -> None:
    some_low = Branch(
        None, build.equal(Get(A), build.sites(0b10)), (assign(BEST, build.number(-5)),), ()
    )
    assert texts((choose(A), place(A), some_low)) == ["b1"]


# -------------------------------------------------------------------- looking ahead


def can(side: int, condition: Any) -> Can:
    return Can(side, condition, frozenset((STONES, COUNT, HEIGHTS, MOVER)))


def test_a_move_may_be_forbidden_by_what_the_other_side_could_do() -> None:
    """Red may not leave Blue a way to fill everything."""
    full = build.equal(Get(STONES), ALL)
    guarded = (choose(A), place(A), Require(None, build.negation(can(1, full))))
    assert texts(guarded, (0b0011, 0, (0,) * 4, 0)) == []
    assert texts(guarded, (0b0001, 0, (0,) * 4, 0)) == ["b1", "c1", "d1"]


def test_looking_ahead_leaves_locals_and_state_as_they_were() -> None:
    """The condition reads the outer choice, though the move ahead makes one in the same slot."""
    same = build.some(build.intersection(Get(A), build.sites(1)))
    block = (choose(A), Require(None, can(0, same)), assign(COUNT, build.number(3)), place(A))
    assert texts(block) == ["a1"]
    assert state_after(block, 0)[:2] == [1, 3]


def test_decisions_that_cannot_be_made_are_refused() -> None:
    block = (choose(A), place(A))
    for decisions in ((), (4,), (0, 0)):
        with pytest.raises(ValueError, match=r"decisions|complete"):
            state_after(block, *decisions)
