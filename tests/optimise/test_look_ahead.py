"""Looking ahead by a condition is the same as looking ahead by a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from gdl.core.nodes import Can, Program
from gdl.core.walk import expressions_in, expressions_of, program_statements
from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_source
from gdl.model import Game
from gdl.optimise import PASSES, optimise

FIRST = "choose s in own"
DOMAINS = (
    "compass(s) - own",
    "adjacent(s) & empty",
    "slides(s, orthogonal, empty) | adjacent(s) & enemy",
    "(if s in King then compass(s) else adjacent(s)) - own",
    "union k in kinds of (if s in k then reach_of(s, k) else none)",
)
SMALL = (
    "require some empty or t in border",
    "require t != mark",
    "set mark = s",
    "if t in enemy\n    remove adjacent(t) & enemy",
    "if s in King\n    if t in (east^2)(s)\n      move east(t) to west(t)\n    else if t in mark"
    "\n      remove mark",
    "let far = east(t)\n  add 1 to moved\n  if some far & enemy\n    flip far",
    "if row(t) = 1\n    choose k in kinds\n    change s to k",
    "optionally as also\n    choose u in adjacent(t) & enemy\n    remove u",
    "for each d in orthogonal\n    add d(s) to mark",
)
LAST = (
    "move s to t",
    "move s to t\n  add 1 to moved",
    "remove t\n  move s to t",
    "place Stone at t",
    "choose n in 1..2\n  move s to (if n = 1 then t else west(t))",
)
CONDITIONS = (
    "no own & King",
    "count own < 2",
    "some enemy & King & home",
    "mark = own & King or moved > 3",
    "no (own & Stone) - home",
    "some s & own and not s in enemy",
    "every x in own has some adjacent(x) & enemy",
    "t in empty",
)
SIDES = ("enemy", "own", "White")


def text_of(seed: int) -> str:
    """Return the text of a small game whose turns look ahead."""
    chance = Random(seed)
    middle = chance.sample(SMALL, chance.randint(0, 3))
    lines = [FIRST, f"choose t in {chance.choice(DOMAINS)}", *middle, chance.choice(LAST)]
    look = f"can {chance.choice(SIDES)} make {chance.choice(CONDITIONS)}"
    word = chance.choice(("require not", "require"))
    turn = "\n".join(f"  {line}" for line in (*lines, f"{word} {look}"))
    ending = chance.choice(CONDITIONS[:5])
    return f"""game: Ahead
players: White, Black
pieces: Stone, King
board: square(4, 3)
state: {{mark: sites, moved: number}}
define:
  home: bottom | d2
  reach_of(s, King): compass(s) - own
  reach_of(s, Stone): slides(s, orthogonal, empty) | orthogonal(s) & enemy
setup:
  White King: a1
  White Stone: b1 | c2
  Black King: d3
  Black Stone: c3 | b2
turn: |
{turn}
stuck:
  - loses when can enemy make {ending}
  - draw
"""


def looks(program: Program) -> bool:
    """Return whether a turn or a clause looks ahead."""
    conditions = [e for s in program_statements(program) for e in expressions_of(s)]
    conditions += [c.condition for p in program.phases for t in p.turns for c in t.stuck]
    return any(isinstance(part, Can) for node in conditions for part in expressions_in(node))


def optimised(game: Game, *names: str) -> Game:
    return replace(game, program=optimise(game.program, len(game.board.sites), names))


def assert_alike(one: ReferenceRules, other: ReferenceRules, seed: int) -> None:
    """Play a random game by one, and ask the other at each move."""
    chance, state = Chance(seed), one.start()
    for _ in range(12):
        moves = one.legal(state)
        assert list(other.legal(state)) == list(moves)
        assert other.outcome(state) == one.outcome(state)
        if not moves:
            return
        state = one.apply(state, moves[chance.below(len(moves))])


@pytest.mark.at_night("[3", "[4", "[5")
@pytest.mark.parametrize("seed", range(60))
def test_a_condition_finds_what_a_search_finds(seed: int) -> None:
    game = load_source(Source("ahead.yaml", text_of(seed)))
    direct = optimised(game, "look-ahead")
    assert looks(game.program)
    assert not looks(direct.program)
    for number in range(3):
        assert_alike(ReferenceRules(game), ReferenceRules(direct), number)


@pytest.mark.parametrize("seed", range(100, 106))
def test_machine_code_finds_it_with_and_without_the_pass(seed: int) -> None:
    game = load_source(Source("ahead.yaml", text_of(seed)))
    plain, quick = NativeRules(game, passes=set(PASSES) - {"look-ahead"}), NativeRules(game)
    for depth in (1, 2):
        expected = ReferenceRules(game).perft(plain.start(), depth)
        assert plain.perft(plain.start(), depth) == expected
        assert quick.perft(quick.start(), depth) == expected


def listed(rules: ReferenceRules | NativeRules, state: State) -> list[Move]:
    """Return the legal moves."""
    return list(rules.legal(state))


def said(work: Callable[..., object], *given: object) -> object:
    """Return what comes of some work, or as what it fails, and where."""
    try:
        return work(*given)
    except RuleError as failure:
        return failure.diagnostic.code, failure.diagnostic.span


@pytest.mark.parametrize("seed", range(200, 216))
def test_machine_code_keeps_numbers_within_bounds_past_an_end_as_the_reference(seed: int) -> None:
    chance = Random(seed)
    most, last = chance.randint(1, 4), chance.randint(1, 4)
    ending = chance.choice(
        (
            f"draw when moved >= {last}",
            f"draw when turns >= {last} and passed = 0",
            f"mover wins when no enemy & King or moved >= {last}",
            f"highest count(own) wins when moved >= {last}",
        )
    )
    text = text_of(seed).replace("moved: number", f"moved: number in 0..{most}")
    text = text.replace("turn: |\n", "turn: |\n  add 1 to moved\n")
    text += f"end:\n  - mover wins when can own make count own > 7\n  - {ending}\n"
    game = load_source(Source("ahead.yaml", text))
    reference, native = ReferenceRules(game), NativeRules(game, checked=bool(seed % 2))
    state = reference.start()
    for number in range(6):
        moves = said(listed, reference, state)
        assert said(listed, native, state) == moves
        if not isinstance(moves, list) or not moves:
            return
        move = moves[number % len(moves)]
        after = said(reference.apply, state, move)
        assert said(native.apply, state, move) == after
        if not isinstance(after, State):
            return
        state = after


KEEPS_CHECKS = """game: Kept checks
players: White, Black
pieces: King, Rook, Bishop
board: square(8, 8)
state:
  era(players): number      # how many moves of a side gave no check
define:
  long(s): slides(s, orthogonal, empty)
  bent(s, d, e): ray(d(s) & empty, e, empty) | e(e(d(s) & empty) & empty)
  reached(s, King): compass(s)
  reached(s, Rook): long(s) | adjacent(long(s) | s)
  reached(s, Bishop): union d in diagonal of union e in diagonal of bent(s, d, e)
  reached(s): union k in kinds of reached(s, k) when s in k
  gives_check: can own make no enemy & King
setup:
  White King: d1
  White Rook: a1 | b1 | g1 | h1
  White Bishop: c1 | f1
  Black King: d8
  Black Rook: a8 | b8 | g8 | h8
  Black Bishop: c8 | f8
turn: |
  choose s in own
  choose t in reached(s) - own
  move s to t
  require not can enemy make no own & King
  either
    require gives_check
  or
    require not gives_check
    add 1 to era(mover)
stuck: loses
"""


def test_a_turn_that_keeps_what_the_next_could_bring_is_no_more_work_than_it_does() -> None:
    game = load_source(Source("kept.yaml", KEEPS_CHECKS))
    reference, native = ReferenceRules(game), NativeRules(game)
    moves = reference.legal(reference.start())
    assert reference.machine.share_left > 0
    assert list(native.legal(native.start())) == list(moves)
