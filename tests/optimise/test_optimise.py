"""Each pass by small expressions before and after it."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_games import deep_games

from gdl.analysis.commuting import proven_unordered
from gdl.board.relation import Relation
from gdl.core import build
from gdl.core.nodes import (
    Assign,
    Block,
    Branch,
    Choose,
    Closure,
    Decide,
    Decision,
    Expression,
    Fold,
    ForEach,
    Get,
    GroupsOf,
    If,
    Let,
    Op,
    Phase,
    Program,
    Require,
    Select,
    SitesOf,
    Slot,
    Statement,
    SystemSlots,
    Turn,
)
from gdl.core.rebuild import change_expressions
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.core.walk import program_statements
from gdl.load import load_game, shipped_names
from gdl.optimise import PASSES, optimise
from gdl.optimise.algebra.terms import Terms

CONFORMANCE = Path(__file__).parents[1] / "conformance"

SIZE = 9
EAST = Relation.from_pairs(SIZE, [(i, i + 1) for i in range(SIZE) if i % 3 != 2])
WEST = EAST.inverse()
NORTH = Relation.from_pairs(SIZE, [(i, i + 3) for i in range(6)])
BESIDE = EAST.union(WEST).union(NORTH).union(NORTH.inverse())

BLACK, WHITE = Slot("Black", SITES, True), Slot("White", SITES, True)
SCORE = Slot("score", NUMBER, True)
MOVER = Slot("mover", NUMBER, True)
S, T, F, G = (Slot(name, SITES) for name in "stfg")

black, white, s, t, f, g = map(Get, (BLACK, WHITE, S, T, F, G))


ONE, NONE = build.number(1), build.number(0)


def some(node: Expression) -> Expression:
    return Op("some", (node,), FLAG)


def both(*parts: Expression) -> Expression:
    return Op("intersection", parts, SITES)


def joint(*parts: Expression) -> Expression:
    return Op("union", parts, SITES)


def without(a: Expression, b: Expression) -> Expression:
    return Op("difference", (a, b), SITES)


def image(relation: Relation, of: Expression) -> Expression:
    return Op("image", (of,), SITES, relation)


def where(condition: Expression, among: Expression = black) -> Expression:
    return Select(S, among, condition)


def count(of: Expression) -> Expression:
    return Op("count", (of,), NUMBER)


def compare(name: str, a: Expression, b: Expression) -> Expression:
    return Op(name, (a, b), FLAG)


def negation(of: Expression) -> Expression:
    return Op("not", (of,), FLAG)


def run(relation: Relation, of: Expression, through: Expression) -> Expression:
    return Closure(both(image(relation, of), through), F, both(image(relation, Get(F)), through))


def groups(among: Expression = white) -> GroupsOf:
    return GroupsOf(among, F, image(BESIDE, f))


def program_of(*nodes: Expression) -> Program:
    """Return a program that assigns each of the expressions to a local."""
    block = tuple(Assign(None, Slot(f"v{i}", node.type), node) for i, node in enumerate(nodes))
    system = SystemSlots(MOVER, Slot("following", NUMBER), None, (), None, None, None)
    phases = (Phase("play", (Turn(block, (), ()),)),)
    return Program((BLACK, WHITE, SCORE, MOVER), (0, 0, 0, 0), system, phases, ())


def after(name: str, before: Expression) -> tuple[Terms, Expression]:
    """Return an expression after one pass."""
    terms = Terms(SIZE)
    program = PASSES[name].function(program_of(before), terms)
    (statement,) = program.phases[0].turns[0].program
    assert isinstance(statement, Assign)
    return terms, terms.intern(statement.value)


def check(name: str, before: Expression, expected: Expression) -> None:
    terms, found = after(name, before)
    assert found is terms.intern(expected)


RUN_TO_BLACK = Let(T, run(EAST, s, white), If(some(both(image(EAST, t), black)), t, build.NOWHERE))

SETS = [
    pytest.param(
        where(some(both(image(EAST, s), white))),
        both(black, image(WEST, white)),
        id="an image that meets a set",
    ),
    pytest.param(
        where(negation(some(both(image(EAST, s), white)))),
        without(black, image(WEST, white)),
        id="an image that meets no set",
    ),
    pytest.param(
        where(some(without(image(NORTH, s), white))),
        both(black, image(NORTH.inverse(), without(build.sites(511), white))),
        id="an image beyond a set",
    ),
    pytest.param(where(Op("subset", (s, white), FLAG)), both(black, white), id="a site of a set"),
    pytest.param(
        where(
            Op(
                "subset",
                (image(EAST, s), image(EAST, both(joint(white, s), image(NORTH, s)))),
                FLAG,
            )
        ),
        build.NOWHERE,
        id="a site that is not in what belongs to another",
    ),
    pytest.param(
        where(Op("subset", (s, image(NORTH, both(joint(white, s), image(EAST, white)))), FLAG)),
        both(black, image(NORTH, white), image(NORTH, image(EAST, white))),
        id="a site beyond what two sets have in common",
    ),
    pytest.param(
        where(compare("equal", Op("lookup", (s,), NUMBER, tuple(range(9))), build.number(2))),
        both(black, build.sites(4)),
        id="a number of a site",
    ),
    pytest.param(
        Fold("or", S, SitesOf(black), some(both(image(EAST, s), white)), False),
        some(both(black, image(WEST, white))),
        id="one site for which it holds",
    ),
    pytest.param(
        Fold("and", S, SitesOf(black), some(both(image(EAST, s), white)), True),
        negation(some(without(black, image(WEST, white)))),
        id="all sites for which it holds",
    ),
    pytest.param(
        Fold("union", S, SitesOf(black), both(image(EAST, s), white), 0),
        both(image(EAST, black), white),
        id="the union over sites",
    ),
    pytest.param(
        Fold(
            "sum", S, SitesOf(black), If(some(image(EAST, s)), build.number(1), build.number(0)), 0
        ),
        count(both(black, build.sites(0b011011011))),
        id="the number of sites for which it holds",
    ),
    pytest.param(
        where(compare("less", count(both(image(EAST.union(NORTH), s), white)), build.number(2))),
        without(
            black,
            both(image(WEST, white), image(NORTH.inverse(), white)),
        ),
        id="a count",
    ),
    pytest.param(
        Fold("or", S, SitesOf(black), some(run(EAST, s, white)), False),
        some(both(black, image(WEST, white))),
        id="whether a flood begins",
    ),
]


@pytest.mark.parametrize(("before", "expected"), SETS)
def test_all_sites_at_once(before: Expression, expected: Expression) -> None:
    check("set-at-a-time", before, expected)


def test_a_flood_to_a_set_becomes_one_backwards_from_it() -> None:
    _, found = after("set-at-a-time", where(some(RUN_TO_BLACK), without(build.sites(511), white)))
    assert not loops_in(found, Select)
    assert len(loops_in(found, Closure)) == 1


def test_what_can_not_be_turned_round_stays_a_loop_over_fewer_sites() -> None:
    odd = compare("equal", count(run(EAST, s, white)), Get(SCORE))
    here = some(both(image(EAST, s), white))
    check(
        "set-at-a-time",
        where(Op("and", (here, odd), FLAG)),
        where(odd, both(black, image(WEST, white))),
    )


def test_one_site_is_not_worked_out_as_a_set() -> None:
    chosen = Slot("chosen", SITES)
    before = Fold("or", S, SitesOf(Get(chosen)), some(both(image(EAST, s), white)), False)
    terms = Terms(SIZE)
    terms.singles.add(chosen)
    program = PASSES["set-at-a-time"].function(program_of(before), terms)
    (statement,) = program.phases[0].turns[0].program
    assert isinstance(statement, Assign)
    expected = some(both(image(EAST, Get(chosen)), white))
    assert terms.intern(statement.value) is terms.intern(expected)


def loops_in(node: Expression, kind: type[Expression]) -> list[Expression]:
    found = [node] if isinstance(node, kind) else []
    return found + [loop for part in node.parts() for loop in loops_in(part, kind)]


LIBERTIES = some(without(image(BESIDE, g), Op("union", (black, white), SITES)))


def test_groups_without_a_neighbour_are_what_a_flood_leaves() -> None:
    before = Fold("union", G, groups(), If(negation(LIBERTIES), g, build.NOWHERE), 0)
    _, found = after("groups-at-a-time", before)
    assert isinstance(found, Op)
    assert found.name == "difference"
    assert found.arguments[0] == white
    assert len(loops_in(found, Closure)) == 1
    assert not loops_in(found, Fold)


def test_whether_a_group_meets_a_set_needs_no_flood() -> None:
    check(
        "groups-at-a-time",
        Fold("or", G, groups(), some(both(image(EAST, g), black)), False),
        some(both(white, image(WEST, black))),
    )


def test_groups_of_steps_that_lead_one_way_are_left_alone() -> None:
    one_way = GroupsOf(white, F, image(EAST, f))
    before = Fold("union", G, one_way, If(negation(LIBERTIES), g, build.NOWHERE), 0)
    _, found = after("groups-at-a-time", before)
    assert isinstance(found, Fold)


def test_the_number_of_groups_is_that_of_fewer_sites() -> None:
    condition = some(both(g, build.sites(7)))
    before = Fold("sum", G, groups(), If(condition, build.number(1), build.number(0)), 0)
    _, found = after("groups-at-a-time", before)
    assert isinstance(found, Fold)
    assert isinstance(found.domain, GroupsOf)
    assert isinstance(found.domain.sites, Closure)
    assert found.body == build.number(1)


FLOOD = Closure(both(black, build.sites(7)), F, both(image(BESIDE, f), black))


def test_what_occurs_twice_is_worked_out_once() -> None:
    twice = Op("union", (image(EAST, FLOOD), image(NORTH, FLOOD)), SITES)
    value = Slot("value", SITES)
    once = Op("union", (image(EAST, Get(value)), image(NORTH, Get(value))), SITES)
    check("common-subexpressions", twice, Let(value, FLOOD, once))


def test_what_a_round_does_not_change_stands_before_the_loop() -> None:
    next_to_flood = Op("equal", (count(image(NORTH, s)), count(FLOOD)), FLAG)
    value = Slot("value", NUMBER)
    inside = Op("equal", (count(image(NORTH, s)), Get(value)), FLAG)
    check("common-subexpressions", where(next_to_flood), Let(value, count(FLOOD), where(inside)))


def test_what_a_first_condition_may_spare_stands_after_it() -> None:
    first = some(white)
    uses = (some(both(image(EAST, FLOOD), white)), some(both(image(NORTH, FLOOD), white)))
    value = Slot("value", SITES)
    bound = tuple(some(both(image(r, Get(value)), white)) for r in (EAST, NORTH))
    check(
        "common-subexpressions",
        Op("and", (first, *uses), FLAG),
        Op("and", (first, Let(value, FLOOD, Op("and", bound, FLAG))), FLAG),
    )


def test_what_may_fail_stays_where_it_was() -> None:
    huge = Op("power", (Get(SCORE), Get(SCORE)), NUMBER)
    before = where(compare("equal", count(image(EAST, s)), huge))
    check("common-subexpressions", before, before)


def test_a_let_used_once_is_put_in_its_place() -> None:
    check("common-subexpressions", Let(T, FLOOD, image(EAST, t)), image(EAST, FLOOD))


def test_what_a_loop_does_not_change_stands_before_it_if_it_is_used_outside_too() -> None:
    taken = Op("union", (black, white), SITES)
    value = Slot("value", SITES)

    def flood(among: Expression) -> Expression:
        return without(Closure(black, F, without(image(BESIDE, f), among)), among)

    check("common-subexpressions", flood(taken), Let(value, taken, flood(Get(value))))


def jumps(second: Relation) -> Expression:
    over = both(image(EAST, f), black)
    return Closure(white, F, without(image(second, over), white))


def test_a_step_after_a_step_in_a_flood_is_one_step() -> None:
    for second in (EAST, NORTH):
        reached = both(image(EAST.compose(second), f), image(second, black))
        check("unroll-closure", jumps(second), Closure(white, F, without(reached, white)))


def test_steps_that_lead_from_two_sites_to_one_stay_two() -> None:
    check("unroll-closure", jumps(BESIDE), jumps(BESIDE))


def test_what_several_parts_of_a_union_lack_is_taken_away_once() -> None:
    parts = tuple(without(image(r, black), white) for r in (EAST, NORTH))
    whole = Op("union", (image(EAST, black), image(NORTH, black)), SITES)
    expected = Op("union", (white, without(whole, white)), SITES)
    check("set-at-a-time", Op("union", (white, *parts), SITES), expected)


COUNTS = [
    (compare("less", NONE, count(black)), some(black)),
    (compare("not_more", ONE, count(black)), some(black)),
    (compare("equal", count(black), NONE), negation(some(black))),
    (compare("equal", NONE, count(black)), negation(some(black))),
    (compare("less", count(black), ONE), negation(some(black))),
    (compare("not_more", count(black), NONE), negation(some(black))),
    (compare("equal", black, build.NOWHERE), negation(some(black))),
    (
        compare("less", count(black), build.number(2)),
        compare("less", count(black), build.number(2)),
    ),
    (negation(compare("equal", count(black), NONE)), some(black)),
    (compare("less", NONE, Fold("sum", G, groups(), ONE, 0)), some(white)),
    (
        compare("less", NONE, Fold("sum", G, groups(), If(LIBERTIES, ONE, NONE), 0)),
        Fold("or", G, groups(), LIBERTIES, False),
    ),
]


@pytest.mark.parametrize(("before", "expected"), COUNTS)
def test_counts_that_ask_for_some(before: Expression, expected: Expression) -> None:
    check("counts", before, expected)


# ------------------------------------------------------------------------ the whole


def row(of: Expression, step: Relation, length: int) -> Expression:
    return some(both(*(build.image(step.power(far), of) for far in range(length))))


@pytest.mark.parametrize(
    ("other", "number"),
    [
        pytest.param(row(black, WEST, 3), 1, id="from the other end"),
        pytest.param(row(black, WEST, 2), 2, id="another length"),
        pytest.param(row(black, NORTH, 3), 2, id="another direction"),
        pytest.param(row(white, WEST, 3), 2, id="another set"),
        pytest.param(row(both(black, build.sites(7)), WEST, 3), 2, id="of some sites"),
    ],
)
def test_a_row_is_asked_for_from_one_end(other: Expression, number: int) -> None:
    terms = Terms(SIZE)
    made = terms.disjunction(terms.intern(row(black, EAST, 3)), terms.intern(other))
    assert len(made.parts() if isinstance(made, Op) and made.name == "or" else (made,)) == number


def test_a_part_that_another_absorbs_is_left_out() -> None:
    terms = Terms(SIZE)
    a, b, c = (terms.intern(node) for node in (black, white, s))
    assert terms.union(a, terms.intersection(b, a)) is a
    assert terms.intersection(terms.union(b, a), a) is a
    parts = (terms.intersection(a, b), terms.intersection(a, c))
    assert terms.union(*parts).parts() == parts
    holds, holds_too = terms.some(a), terms.some(b)
    assert terms.disjunction(holds, terms.conjunction(holds_too, holds)) is holds


@pytest.mark.parametrize(
    ("step", "stays"),
    [
        (both(white, f), True),
        (build.image(EAST, f), False),
        (build.image(Relation.identity(SIZE), both(f, white)), True),
        (joint(f, both(f, white)), True),
        (joint(f, white), False),
        (If(some(black), both(f, white), f), True),
    ],
)
def test_a_closure_whose_step_stays_is_its_seed(step: Expression, stays: bool) -> None:
    terms = Terms(SIZE)
    made = terms.closure(terms.intern(black), F, terms.intern(step))
    assert (made is terms.intern(black)) == stays


def test_equal_expressions_are_one_whatever_their_variables_are_called() -> None:
    terms = Terms(SIZE)
    one = Select(S, black, some(both(image(EAST, s), white)))
    other = Select(T, black, some(both(image(EAST, t), white)))
    assert terms.intern(one) is terms.intern(other)
    assert terms.intern(one) is not terms.intern(Select(T, black, some(image(EAST, t))))


def test_a_variable_in_another_keeps_its_meaning() -> None:
    terms = Terms(SIZE)
    inner = Select(T, black, some(both(image(EAST, t), s)))
    node = terms.intern(Select(S, white, some(inner)))
    assert isinstance(node, Select)
    (flag,) = node.condition.parts()
    assert isinstance(flag, Select)
    assert flag.slot is not node.slot


def test_passes_can_be_left_out() -> None:
    before = where(some(both(image(EAST, s), white)))
    program = optimise(program_of(before), SIZE, ())
    (statement,) = program.phases[0].turns[0].program
    assert isinstance(statement, Assign)
    assert statement.value is before
    with pytest.raises(ValueError, match="no optimisation is called faster"):
        optimise(program_of(before), SIZE, ["faster"])


def test_statements_are_as_they_were() -> None:
    program = load_game("go").program
    seen: list[Expression] = []

    def note(node: Expression) -> Expression:
        seen.append(node)
        return node

    assert change_expressions(program, note) == program
    assert seen


@pytest.mark.parametrize("name", ["hex", "go", "chess"])
def test_endings_keep_numbers_of_their_own(name: str) -> None:
    game = load_game(name)
    made = optimise(game.program, len(game.board.sites))
    before, after = ([e for turn in p.turns for e in turn.clauses] for p in (game.program, made))
    assert [e.number for e in after] == [e.number for e in before]
    assert len({e.number for e in before}) == len(before)


def test_sites_in_every_loop_of_a_shipped_rule_are_worked_out_at_once() -> None:
    for name in ("othello", "troll"):
        game = load_game(name)
        found: list[Expression] = []

        def note(node: Expression, found: list[Expression] = found) -> Expression:
            found.extend(loops_in(node, Select))
            return node

        change_expressions(game.program, note)
        assert found
        found.clear()
        change_expressions(optimise(game.program, len(game.board.sites)), note)
        assert not found


# -------------------------------------------------------------------- unordered choices

A, B = Slot("a", SITES), Slot("b", SITES)
EMPTY = without(build.sites(511), Op("union", (black, white), SITES))


def place(slot: Slot) -> tuple[Assign, Assign]:
    return (
        Assign(None, BLACK, Op("union", (black, Get(slot)), SITES)),
        Assign(None, WHITE, without(white, Get(slot))),
    )


def pair(second: Expression, *then: Assign | ForEach, between: bool = True) -> frozenset[Slot]:
    first = place(A) if between else ()
    block = (
        Choose(None, A, SitesOf(EMPTY)),
        *first,
        Choose(None, B, SitesOf(second), " ", A),
        *then,
    )
    return proven_unordered(program_of(), block, SIZE)


def test_two_stones_in_either_order() -> None:
    assert pair(EMPTY, *place(B)) == {B}
    assert pair(both(EMPTY, image(BESIDE, Get(A))), *place(B)) == {B}


def test_a_relation_that_leads_one_way_tells_the_two_apart() -> None:
    assert pair(both(EMPTY, image(EAST, Get(A))), *place(B)) == frozenset()


def test_what_is_read_later_must_be_the_same() -> None:
    last = Assign(None, WHITE, Get(B))
    assert pair(EMPTY, *place(B), last) == frozenset()
    both_of_them = Assign(None, WHITE, Op("union", (Get(A), Get(B)), SITES))
    assert pair(EMPTY, *place(B), both_of_them) == {B}


def test_two_kinds_of_stones_do_not_commute() -> None:
    other = Assign(None, WHITE, Op("union", (white, Get(B)), SITES))
    assert pair(EMPTY, other) == frozenset()


def test_what_the_second_may_not_be_the_first_may_not_be_either() -> None:
    assert pair(both(EMPTY, build.sites(7)), *place(B)) == frozenset()
    assert pair(EMPTY, *place(B), between=False) == frozenset()
    loop = ForEach(None, T, SitesOf(EMPTY), place(T))
    assert pair(EMPTY, loop) == frozenset()


@pytest.mark.parametrize(
    ("name", "is_proven"),
    [
        ("trellis", True),
        (str(CONFORMANCE / "unordered.yaml"), True),
        (str(CONFORMANCE / "unordered-results.yaml"), False),
        (str(CONFORMANCE / "unordered-unlike.yaml"), False),
    ],
)
def test_whole_games(name: str, is_proven: bool) -> None:
    game = load_game(name)
    turns = [turn for phase in game.program.phases for turn in phase.turns]
    found = [proven_unordered(game.program, turn.program, len(game.board.sites)) for turn in turns]
    assert any(found) is is_proven


# ---------------------------------------------------------------- choices with conditions


def turn_after(name: str, *block: Statement) -> Block:
    """Return a turn after the pass of a name."""
    system = SystemSlots(MOVER, Slot("following", NUMBER), None, (), None, None, None)
    phase = Phase("play", (Turn(block, (), ()),))
    program = Program((BLACK, WHITE, SCORE, MOVER), (), system, (phase,), ())
    return PASSES[name].function(program, Terms(SIZE)).phases[0].turns[0].program


def test_a_word_for_a_choice_is_the_choice() -> None:
    choice = Choose(None, S, SitesOf(black))
    block = (choice, Assign(None, T, s), Assign(None, F, t), Assign(None, WHITE, joint(white, f)))
    assert turn_after("words", *block) == (choice, Assign(None, WHITE, joint(white, s)))


def test_a_word_for_what_one_choice_is_made_from_is_that() -> None:
    word = Assign(None, T, both(image(EAST, black), white))
    (choice,) = turn_after("words", word, Choose(None, S, SitesOf(t)))
    assert choice == Choose(None, S, SitesOf(word.value))


ROOT = Slot("root", NUMBER)


@pytest.mark.parametrize(
    "block",
    [
        (
            Choose(None, S, SitesOf(black)),
            Assign(None, T, s),
            Choose(None, S, SitesOf(white)),
            Assign(None, WHITE, joint(s, t)),
        ),
        (Assign(None, T, black), Assign(None, BLACK, s), Choose(None, S, SitesOf(t))),
        (Assign(None, T, black), Choose(None, S, SitesOf(t)), Assign(None, WHITE, t)),
        (Assign(None, T, white), Assign(None, WHITE, black), Assign(None, BLACK, t)),
        (Assign(None, ROOT, Op("power", (Get(SCORE), Get(SCORE)), NUMBER)),),
        (
            Assign(None, SCORE, NONE),
            Assign(None, WHITE, If(compare("less", Get(SCORE), ONE), s, t)),
        ),
    ],
    ids=[
        "a choice made again",
        "a set that changes",
        "a set read twice",
        "a layer that changes",
        "what may fail",
        "a slot of the state",
    ],
)
def test_other_words_stay(block: Block) -> None:
    assert turn_after("words", *block) == block


def test_what_a_local_word_must_be_is_a_condition_of_the_choice() -> None:
    word = Assign(None, T, both(image(EAST, s), white))
    other = Require(None, some(white))
    choice, *rest = turn_after(
        "requirements", Choose(None, S, SitesOf(black)), word, other, Require(None, some(t))
    )
    assert isinstance(choice, Choose)
    (sites,) = choice.domain.parts()
    terms = Terms(SIZE)
    expected = Select(S, black, some(both(image(EAST, s), white)))
    assert terms.intern(sites) is terms.intern(expected)
    assert rest == [word, other]


@pytest.mark.parametrize(
    "between",
    [
        Assign(None, WHITE, both(white, s)),
        Assign(None, F, Op("power", (Get(SCORE), Get(SCORE)), NUMBER)),
        Choose(None, T, SitesOf(white)),
    ],
    ids=["a change", "what may fail", "a choice"],
)
def test_what_is_required_later_stays_there(between: Statement) -> None:
    block = (Choose(None, S, SitesOf(black)), between, Require(None, some(both(s, white))))
    assert turn_after("requirements", *block) == block


def test_what_is_required_of_a_pair_in_either_order_stays_there() -> None:
    pair = Choose(None, S, SitesOf(black)), Choose(None, T, SitesOf(white), unordered_with=S)
    block = (*pair, Require(None, some(both(t, white))))
    assert turn_after("requirements", *block) == block


# ------------------------------------------------------------------ choices that lead on


def choices_after_narrowing(second: Expression) -> tuple[Terms, Expression]:
    """Return where the first of two choices is among after the pass, the second among `second`."""
    block = (Choose(None, S, SitesOf(black)), Choose(None, T, SitesOf(second)))
    system = SystemSlots(MOVER, Slot("following", NUMBER), None, (), None, None, None)
    phase = Phase("play", (Turn(block, (), ()),))
    terms = Terms(SIZE)
    program = Program((BLACK, WHITE, SCORE, MOVER), (), system, (phase,), ())
    (first, last) = PASSES["narrow"].function(program, terms).phases[0].turns[0].program
    assert isinstance(first, Choose) and isinstance(first.domain, SitesOf)
    assert isinstance(last, Choose) and isinstance(last.domain, SitesOf)
    assert terms.intern(last.domain.sites) is terms.intern(second)
    return terms, terms.intern(first.domain.sites)


def steps(relation: Relation, of: Expression, many: int) -> Expression:
    return of if many == 0 else image(relation, steps(relation, of, many - 1))


def test_a_site_without_a_second_choice_is_not_chosen() -> None:
    second = both(steps(BESIDE, both(s, white), 12), black)
    terms, first = choices_after_narrowing(second)
    assert first is terms.intern(both(black, steps(BESIDE, black, 12), white))


def test_a_light_second_choice_is_left_to_itself() -> None:
    terms, first = choices_after_narrowing(both(image(BESIDE, s), white))
    assert first is terms.intern(black)


def test_a_second_choice_that_tables_tell_is_left_to_itself() -> None:
    """Where dense relations lead from one site is read at once; from a set, it is worked out."""
    later = Relation.from_pairs(SIZE, [(i, j) for i in range(SIZE) for j in range(i + 1, SIZE)])
    dense = later, later.inverse(), later.difference(EAST)
    of_site = [image(relation, s) for relation in dense]
    terms, first = choices_after_narrowing(both(white, *of_site))
    assert first is terms.intern(black)


def test_a_second_choice_of_floods_is_left_to_itself() -> None:
    terms, first = choices_after_narrowing(both(steps(EAST, run(EAST, s, white), 12), black))
    assert first is terms.intern(black)


def test_reading_a_number_of_any_size_is_no_obstacle() -> None:
    score = Get(SCORE)
    condition = Op("or", (compare("equal", score, ONE), some(both(image(EAST, s), white))), FLAG)
    _, found = after("set-at-a-time", where(condition))
    assert not loops_in(found, Select)
    grown = compare("equal", Op("multiply", (score, score), NUMBER), ONE)
    condition = Op("or", (grown, some(both(image(EAST, s), white))), FLAG)
    _, found = after("set-at-a-time", where(condition))
    assert loops_in(found, Select)


def decisions_of(program: Program) -> list[Decision]:
    statements = program_statements(program)
    return [s.decision for s in statements if isinstance(s, Choose | Decide)]


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_decisions_keep_their_identity(name: str) -> None:
    game = load_game(name)
    before = decisions_of(game.program)
    assert decisions_of(optimise(game.program, len(game.board.sites))) == before
    assert len(set(before)) == len(before)


# ------------------------------------------------------------- among statements


LAYER = both(FLOOD, white)


def test_what_several_statements_ask_for_is_put_into_a_slot_before_the_first() -> None:
    block = (
        Assign(None, T, image(EAST, FLOOD)),
        Assign(None, WHITE, joint(white, FLOOD)),
    )
    begun, first, second = turn_after("common-subexpressions", *block)
    assert isinstance(begun, Assign) and isinstance(begun.value, Closure)
    shared = Get(begun.slot)
    assert (first, second) == (
        Assign(None, T, image(EAST, shared)),
        Assign(None, WHITE, joint(white, shared)),
    )


@pytest.mark.parametrize(
    "block",
    [
        (Assign(None, T, LAYER), Assign(None, BLACK, white), Assign(None, F, LAYER)),
        (Assign(None, T, LAYER), Choose(None, S, SitesOf(white)), Assign(None, F, LAYER)),
        (Assign(None, T, both(black, white)), Assign(None, F, both(black, white))),
        (
            Assign(None, T, LAYER),
            Branch(None, some(white), (Assign(None, BLACK, white), Assign(None, F, LAYER)), ()),
        ),
    ],
    ids=["what it reads changes", "a decision comes between", "it is cheap", "it changes within"],
)
def test_what_is_asked_for_again_stays_where(block: tuple[Statement, ...]) -> None:
    assert len(turn_after("common-subexpressions", *block)) == len(block)


def test_what_layers_lack_is_cut_out_of_a_set_at_any_depth() -> None:
    own, enemy, marked = (Slot(name, SITES) for name in ("own", "enemy", "marked"))
    terms = Terms(SIZE, frozenset((own, enemy)))
    pieces = terms.union(terms.get(own), terms.get(enemy))
    left = terms.difference(terms.get(marked), pieces)
    golden = terms.difference(terms.get(marked), terms.get(enemy))
    assert terms.difference(terms.get(own), golden) is terms.difference(
        terms.get(own), terms.get(marked)
    )
    assert terms.difference(terms.get(own), left) is terms.get(own)
    assert terms.intersection(terms.get(own), left) is terms.nowhere
    # A site without a piece may be marked.
    assert terms.cut(left, frozenset((own,))) is not terms.nowhere
