"""Turns that are made from the other side's: where that can be, and that they do the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from gdl.analysis.plan import plan_of
from gdl.analysis.side_symmetry import mirrors_of, with_later, without_later
from gdl.core.nodes import Assign, Choose, Decide, Program, Statement
from gdl.core.walk import statements_in
from gdl.diagnostic import Source
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game, load_source
from gdl.model import Game
from gdl.optimise import optimise
from gdl.optimise.alternatives import merge_alternatives
from gdl.optimise.early_requirements import require_early

SIZE = 16
GAME = """\
game: Alike
players: White, Black
pieces: Man, King, Rook, Duke
board: square(4, 4)
relations:
  forward(White): north
  forward(Black): south
state:
  taken(players): number in 0..9
  last: sites
setup:
  White Man: rows(1)
  Black Man: rows(4)
turn: |
{turn}
stuck: loses
end:
  - draw when turns >= 30
"""
ALIKE = {
    "moved": "choose s in own\nchoose t in adjacent(s) - own\nmove s to t",
    "placed": (
        "choose k in kinds\nchoose t in empty\nplace k at t\n"
        "if taken(mover) < 9\n  add 1 to taken(mover)"
    ),
    "won over": "choose s in empty\nplace Man at s\nchange adjacent(s) & enemy to own",
    "decided": (
        "either as up\n  choose s in own & Man\n  change s to King\n"
        "or as gone\n  choose s in own & Man\n  remove s\n"
        "or as on\n  choose s in own\n  choose t in adjacent(s) & empty\n  move s to t"
    ),
    "required": (
        "choose s in own\nchoose t in empty\nmove s to t\n"
        "require count(reach(t, adjacent)) > count(enemy)"
    ),
    "repeated": (
        "choose s in own\nset last = s\nrepeat 3 times\n"
        "  set last = last | adjacent(last) & own\n"
        "for each t in last\n  if t in Man\n    change t to King\n  else\n    change t to Man"
    ),
    "without a name": "choose s in empty\nplace Man at s\nlet a = adjacent(s) & own\nremove a",
}
UNLIKE = {
    "by a direction": "choose s in own\nchoose t in forward(mover)(s) & empty\nmove s to t",
    "by a side's name": "choose s in White\nremove s",
    "by who is next": "choose s in empty\nplace Man at s\nif turns = 3\n  again",
    "by looking ahead": (
        "choose s in own\nchoose t in empty\nmove s to t\nrequire not can enemy make no own"
    ),
}


def game_of(turn: str) -> Game:
    lines = "\n".join(f"  {line}" for line in turn.split("\n"))
    return load_source(Source("alike.yaml", GAME.format(turn=lines)))


def prepared(game: Game) -> Program:
    """Return a game's program as it is when turns are compared."""
    return merge_alternatives(require_early(game.program))


def made(game: Game) -> Program:
    """Return a game's program, optimised, with the turns that are made from others."""
    program = prepared(game)
    mirrors = mirrors_of(program)
    return with_later(optimise(without_later(program, mirrors), SIZE), mirrors)[0]


@pytest.mark.at_night("won over")
@pytest.mark.parametrize("name", ALIKE)
def test_turns_that_are_made_from_others_do_the_same(name: str) -> None:
    game = game_of(ALIKE[name])
    assert list(mirrors_of(prepared(game))) == [0]
    rules, other = ReferenceRules(game), ReferenceRules(replace(game, program=made(game)))
    for seed in range(3):
        random, state = Random(seed), rules.start()
        while moves := rules.legal(state):
            assert [move.text for move in other.legal(state)] == [move.text for move in moves]
            number = random.randrange(len(moves))
            after = rules.apply(state, moves[number])
            assert other.apply(state, other.legal(state)[number]) == after
            state = after
        assert other.outcome(state) == rules.outcome(state)


@pytest.mark.parametrize("name", UNLIKE)
def test_turns_that_differ_are_not(name: str) -> None:
    game = game_of(UNLIKE[name])
    program = prepared(game)
    mirrors = mirrors_of(program)
    assert not mirrors
    assert without_later(program, mirrors) is program
    assert with_later(program, mirrors) == (program, {})


def test_parts_of_a_union_may_stand_in_any_order() -> None:
    assert mirrors_of(game_of("choose s in White | Black\nremove s").program)
    assert not mirrors_of(game_of("choose s in White - Black\nremove s").program)


def test_fractions_are_not_exchanged() -> None:
    turn = "choose s in empty\nplace Man at s\nadd 1 to points(mover)"
    text = GAME.format(turn="\n".join(f"  {line}" for line in turn.split("\n")))
    for kind, is_so in (("number", True), ("fraction", False)):
        state = text.replace("  last: sites", f"  points(players): {kind}")
        program = prepared(load_source(Source("alike.yaml", state)))
        assert bool(mirrors_of(program)) == is_so


def test_each_phase_is_looked_at_for_itself() -> None:
    game = load_game("royal-game-of-ur")
    assert list(mirrors_of(prepared(game))) == [0, 1]


def test_each_side_has_decisions_and_variables_of_its_own() -> None:
    first, second = made(game_of(ALIKE["decided"])).phases[0].turns
    ours, theirs = (
        {id(part) for s in statements_in(turn.program) for part in owned(s)}
        for turn in (first, second)
    )
    assert ours and ours.isdisjoint(theirs)


def owned(statement: Statement) -> Iterator[object]:
    """Yield a statement's decision, and the variable that it gives a value to."""
    if isinstance(statement, Choose | Decide):
        yield statement.decision
    if isinstance(statement, Assign | Choose) and not statement.slot.is_state:
        yield statement.slot


@pytest.mark.parametrize("name", ALIKE)
def test_what_is_known_of_a_turn_is_what_would_be_found_of_it(name: str) -> None:
    game = game_of(ALIKE[name])
    program = prepared(game)
    mirrors = mirrors_of(program)
    half = without_later(program, mirrors)
    plan = plan_of(half, optimise(half, SIZE), SIZE, mirrors)
    anew = plan_of(program, optimise(program, SIZE), SIZE)
    for turn, other in zip(plan.turns, anew.turns, strict=True):
        assert turn.ways_on == other.ways_on or turn.draws_both
        assert (turn.both is None) == (other.both is None)
        if turn.both is not None and other.both is not None:
            assert turn.both.variables.items() >= other.both.variables.items()
            assert turn.both.exchanged == other.both.exchanged
