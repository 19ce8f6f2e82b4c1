"""The course of hand-made games on a row of four sites: turns, ends, and what is remembered."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from gdl.board.make import BoardSpec, make_board
from gdl.core import build
from gdl.core.nodes import (
    Alternative,
    Assign,
    Block,
    Choose,
    Decide,
    Ending,
    Expression,
    Get,
    Memory,
    Phase,
    Program,
    SitesOf,
    Slot,
    SystemSlots,
    Times,
    Turn,
)
from gdl.core.types import NUMBER, SITES, Type
from gdl.diagnostic import Source, Span
from gdl.document.nodes import Mapping as Document
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Outcome, RuleError, State
from gdl.interpreter.evaluation.moves import FORCED_PASS
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.model import Game, Layer

SIDE = Type("side", ("Red", "Blue"))
ALL = build.sites(0b1111)

STONES = (Slot("Red Stone", SITES, is_state=True), Slot("Blue Stone", SITES, is_state=True))
MOVER = Slot("mover", SIDE, is_state=True)
PHASE = Slot("phase", NUMBER, is_state=True)
TURNS = Slot("turns", NUMBER, is_state=True)
PASSES = Slot("passes", NUMBER, is_state=True)
SEATS = (Slot("seat of Red", NUMBER, is_state=True), Slot("seat of Blue", NUMBER, is_state=True))
PAST = Slot("past", NUMBER, is_state=True)
FOLLOWING = Slot("following", SIDE)
S = Slot("s", SITES)

EMPTY = build.difference(ALL, build.union(Get(STONES[0]), Get(STONES[1])))
FULL = build.equal(EMPTY, build.NOWHERE)
IS_RED = build.equal(Get(MOVER), build.number(0))

INITIAL: Mapping[Slot, Any] = {
    STONES[0]: 0,
    STONES[1]: 0,
    MOVER: 0,
    PHASE: 0,
    TURNS: 0,
    PASSES: 0,
    SEATS[0]: 0,
    SEATS[1]: 1,
    PAST: None,
}


def drop(side: int) -> Block:
    stones = STONES[side]
    return (
        Choose(None, S, SitesOf(EMPTY)),
        Assign(None, stones, build.union(Get(stones), Get(S))),
    )


def assign(slot: Slot, value: int) -> Assign:
    return Assign(None, slot, build.number(value))


def ways(*alternatives: tuple[str | None, Block]) -> Decide:
    return Decide(None, tuple(Alternative(token, body) for token, body in alternatives))


def turn(program: Block, end: Sequence[Ending] = (), stuck: Sequence[Ending] = ()) -> Turn:
    return Turn(program, tuple(stuck), tuple(end))


def rules_for(*phases: Phase, memory: Memory | None = None, **initial: Any) -> ReferenceRules:
    values = {**INITIAL, **{slot: initial[slot.name] for slot in INITIAL if slot.name in initial}}
    system = SystemSlots(MOVER, FOLLOWING, PHASE, SEATS, TURNS, PASSES, None)
    if memory is None:
        del values[PAST]
    memories = () if memory is None else (memory,)
    program = Program(tuple(values), tuple(values.values()), system, phases, memories)
    nowhere = Span(Source("game", ""), 0, 0)
    game = Game(
        name="row",
        title="Row",
        credits={},
        other_names=(),
        sides=SIDE.values,
        kinds=("Stone",),
        board=make_board(BoardSpec("square", "rectangle", (4, 1))),
        layers=tuple(
            Layer(slot, 0, side, "XO"[side], slot.name) for side, slot in enumerate(STONES)
        ),
        marks=(),
        relations={},
        regions={},
        program=program,
        options=(),
        variants=(),
        all_variants={},
        digest="0",
        whole_digest="0",
        style="cells",
        scores=(),
        examples=(),
        document=Document((), nowhere),
        words=NoWords(),
        state_slots={},
    )
    return ReferenceRules(game)


class NoWords:
    def expression(self, span: Span, side: int | None) -> Expression:
        raise NotImplementedError

    def arrangement(self, section: Document) -> dict[Slot, object]:
        raise NotImplementedError


def one_phase(*turns: Turn, **settings: Any) -> Phase:
    return Phase("play", turns, **settings)


def texts(rules: ReferenceRules, state: State) -> list[str]:
    return [move.text for move in rules.legal(state)]


def played(rules: ReferenceRules, *moves: str) -> Position:
    position = Position(Rules(rules.game, rules), rules.start())
    for move in moves:
        position = position.play(move)
    return position


def value(position: Position, slot: Slot) -> Any:
    return position.state.values[position.rules.places[slot]]


DRAW_WHEN_FULL = Ending("draw", (), FULL)


def test_sides_alternate_until_an_ending_holds() -> None:
    rules = rules_for(one_phase(*(turn(drop(side), [DRAW_WHEN_FULL]) for side in (0, 1))))
    position = played(rules, "b1", "a1", "c1")
    assert (position.mover, position.seat, position.over) == ("Blue", 2, False)
    assert position.pieces() == {"b1": "Red Stone", "a1": "Blue Stone", "c1": "Red Stone"}
    assert position.rows() == "O X X ."
    position = position.play("d1")
    assert position.outcome == Outcome((), ())
    assert position.moves() == ()


def test_perft_counts_moves_and_no_games_that_ended_before() -> None:
    end = Ending("wins", (0,), build.some(build.intersection(Get(STONES[0]), build.sites(1))))
    rules = rules_for(one_phase(*(turn(drop(side), [end, DRAW_WHEN_FULL]) for side in (0, 1))))
    start = rules.start()
    assert [rules.perft(start, depth) for depth in range(3)] == [1, 4, 9]


def test_endings_see_the_side_that_moved_and_what_it_has_just_done() -> None:
    """Red's first turn ends the game: it is Red that is `mover`, in turn 1, in the new phase."""
    condition = build.conjunction(
        IS_RED,
        build.equal(Get(TURNS), build.number(1)),
        build.equal(Get(PHASE), build.number(1)),
    )
    red = turn((*drop(0), assign(PHASE, 1)), [Ending("wins", (0,), condition)])
    phases = (one_phase(red, turn(drop(1))), Phase("later", (turn(drop(0)), turn(drop(1)))))
    position = played(rules_for(*phases), "a1")
    assert str(position.outcome) == "Red wins"
    assert (position.phase, position.mover) == ("later", "Blue")


def test_the_endings_of_the_side_that_moved_are_tried_in_order() -> None:
    red = turn(drop(0), [Ending("loses", (0,), build.YES), Ending("wins", (0,), build.YES)])
    assert str(played(rules_for(one_phase(red, turn(drop(1)))), "a1").outcome) == "Blue wins"


def test_a_set_up_can_be_over_as_if_the_last_side_had_moved() -> None:
    over = [Ending("draw", (), build.negation(IS_RED))]
    rules = rules_for(one_phase(turn(drop(0)), turn(drop(1), over)))
    assert rules.outcome(rules.start()) == Outcome((), ())


@pytest.mark.parametrize(
    ("kind", "inverted", "values", "winners"),
    [
        ("highest", False, (3, 2), ("Red",)),
        ("highest", True, (3, 2), ("Blue",)),
        ("lowest", False, (3, 2), ("Blue",)),
        ("lowest", True, (3, 2), ("Red",)),
        ("highest", False, (2, 2), None),
    ],
)
def test_the_extreme_of_values_wins_unless_it_is_shared(
    kind: str, inverted: bool, values: tuple[int, int], winners: tuple[str, ...] | None
) -> None:
    end = Ending(kind, (), build.YES, tuple(map(build.number, values)), inverted)
    outcome = played(rules_for(one_phase(turn(drop(0), [end]), turn(drop(1)))), "a1").outcome
    assert (outcome and outcome.winners) == winners


def test_the_next_side_may_be_named_for_one_turn() -> None:
    again = turn((*drop(0), assign(FOLLOWING, 0)))
    rules = rules_for(one_phase(again, turn(drop(1))))
    position = played(rules, "a1", "b1")
    assert position.mover == "Red"
    once = turn((*drop(0), ways(("again", (assign(FOLLOWING, 0),)), (None, ()))))
    position = played(rules_for(one_phase(once, turn(drop(1)))), "a1 again", "b1")
    assert position.mover == "Blue"


def test_turns_and_passes_in_a_row_are_counted() -> None:
    either = [turn((ways((None, drop(side)), ("pass", ())),)) for side in (0, 1)]
    position = played(rules_for(one_phase(*either)), "a1", "pass", "pass")
    assert (value(position, TURNS), value(position, PASSES)) == (3, 2)
    assert value(position.play("b1"), PASSES) == 0


def test_a_stuck_side_passes_by_a_move() -> None:
    stuck = [Ending("passes", (), build.YES)]
    red = turn((Choose(None, S, SitesOf(build.NOWHERE)),), stuck=stuck)
    rules = rules_for(one_phase(red, turn(drop(1), [DRAW_WHEN_FULL])))
    start = rules.start()
    assert rules.legal(start) == (FORCED_PASS,)
    assert rules.outcome(start) is None
    assert rules.perft(start, 2) == 4
    position = played(rules, "pass")
    assert (position.mover, value(position, PASSES), value(position, TURNS)) == ("Blue", 1, 1)
    assert position.rows() == ". . . ."


def test_the_first_stuck_clause_that_holds_decides() -> None:
    stuck = [Ending("wins", (0,), build.NO), Ending("loses", (0,), build.YES)]
    red = turn((Choose(None, S, SitesOf(build.NOWHERE)),), stuck=stuck)
    rules = rules_for(one_phase(red, turn(drop(1))))
    assert str(rules.outcome(rules.start())) == "Blue wins"
    assert rules.perft(rules.start(), 1) == 0


def test_a_stuck_side_without_a_clause_is_an_error() -> None:
    rules = rules_for(one_phase(turn((Choose(None, S, SitesOf(build.NOWHERE)),)), turn(drop(1))))
    for ask in (rules.legal, rules.outcome, lambda s: rules.perft(s, 1)):
        with pytest.raises(RuleError) as error:
            ask(rules.start())
        assert error.value.diagnostic.code == "no-move-no-stuck"
    assert "Red" in error.value.diagnostic.message
    assert "stuck: passes" in error.value.diagnostic.hint


def test_a_stuck_side_for_which_no_clause_holds_is_told_so() -> None:
    stuck = [Ending("wins", (0,), build.NO)]
    red = turn((Choose(None, S, SitesOf(build.NOWHERE)),), stuck=stuck)
    rules = rules_for(one_phase(red, turn(drop(1))))
    with pytest.raises(RuleError) as error:
        rules.legal(rules.start())
    assert "no clause of `stuck` holds" in error.value.diagnostic.message


def test_chance_leaves_the_side_on_turn_and_belongs_to_no_seat() -> None:
    roll = turn((ways(("heads", ()), ("tails", ())), assign(PHASE, 1)))
    drops = (turn((*drop(0), assign(PHASE, 0))), turn((*drop(1), assign(PHASE, 0))))
    rules = rules_for(Phase("roll", (roll, roll), by_chance=True), Phase("drop", drops))
    position = played(rules)
    assert (position.seat, position.mover) == (None, "Red")
    position = position.play("tails")
    assert (position.seat, position.mover, position.phase) == (1, "Red", "drop")
    assert played(rules, "tails", "a1").mover == "Blue"


def test_outcomes_tell_the_seats_that_play_the_winners() -> None:
    swap = (ways((None, drop(1)), ("swap", (assign(SEATS[0], 1), assign(SEATS[1], 0)))),)
    win = [Ending("wins", (0,), build.equal(Get(TURNS), build.number(3)))]
    rules = rules_for(one_phase(turn(drop(0), win), turn(swap)))
    position = played(rules, "a1", "swap")
    assert (position.mover, position.seat) == ("Red", 2)
    assert position.play("b1").outcome == Outcome(("Red",), (2,))


def test_a_phase_may_belong_to_one_seat() -> None:
    rules = rules_for(one_phase(turn(drop(0)), turn(drop(1)), seat=1))
    assert played(rules).seat == 2


# ---------------------------------------------------------------------- repetition

KEY = (Get(STONES[0]), Get(MOVER))


def walking() -> ReferenceRules:
    """Red's one stone goes to any site, Blue waits; the third time in one place ends the game."""
    stones = STONES[0]
    red = (Choose(None, S, SitesOf(ALL)), Assign(None, stones, Get(S)))
    blue = (ways(("wait", ())),)
    ending = Ending("draw", (), build.equal(Times(PAST, KEY), build.number(2)))
    phase = one_phase(turn(red, [ending]), turn(blue))
    return rules_for(phase, memory=Memory(PAST, KEY))


def test_earlier_positions_count_with_the_side_that_made_them() -> None:
    rules = walking()
    position = played(rules, "a1", "wait", "a1", "wait")
    assert not position.over
    assert played(rules, "a1", "wait", "b1", "wait", "a1", "wait").over is False
    assert position.play("a1").outcome == Outcome((), ())


def test_the_start_is_the_first_position_to_be_remembered() -> None:
    past = value(played(walking()), PAST)
    assert list(past.items()) == [((0, 1), 1)]


def test_positions_are_equal_if_the_same_came_as_often_in_any_order() -> None:
    rules = walking()
    left = played(rules, "a1", "wait", "b1", "wait", "c1", "wait")
    right = played(rules, "b1", "wait", "a1", "wait", "c1", "wait")
    assert left == right
    assert hash(left) == hash(right)
    assert left != played(rules, "b1", "wait", "b1", "wait", "c1", "wait")
    assert left.rules.from_json(left.to_json()) == left


# ----------------------------------------------------------------------- playouts


def test_playouts_draw_each_move_equally_and_repeat_with_the_seed() -> None:
    rules = rules_for(one_phase(*(turn(drop(side), [DRAW_WHEN_FULL]) for side in (0, 1))))
    start = rules.start()
    first: dict[tuple[Any, ...], int] = {}
    for seed in range(400):
        played_out = rules.playout(start, Chance(seed), 1)
        assert (played_out.moves, played_out.outcome) == (1, None)
        first[played_out.state.values] = first.get(played_out.state.values, 0) + 1
    assert len(first) == 4
    assert min(first.values()) > 60
    whole = rules.playout(start, Chance(3), 100)
    assert whole == rules.playout(start, Chance(3), 100)
    assert (whole.moves, str(whole.outcome)) == (4, "draw")


def test_a_playout_meets_a_stuck_side() -> None:
    stuck = [Ending("loses", (1,), build.YES)]
    rules = rules_for(
        one_phase(turn(drop(0)), turn((Choose(None, S, SitesOf(build.NOWHERE)),), stuck=stuck))
    )
    played_out = rules.playout(rules.start(), Chance(1), 10)
    assert (played_out.moves, str(played_out.outcome)) == (1, "Red wins")
