"""Moves that can't break what is required are counted together: as many as there are one by one.

The requirements read pieces of either side, what is between them, and sets of the state, in either
direction, so that some moves matter that look as if they didn't.
"""

from __future__ import annotations

import pytest

from gdl.analysis.plan import plan_for_code
from gdl.analysis.plan_in_words import plan_in_words
from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.choices import CHOICES, HARMLESS
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game, load_source
from gdl.model import Game
from gdl.optimise import PASSES

WITHOUT = frozenset((*PASSES, *CHOICES)) - {HARMLESS}

GAME = """
game: Harmless
players: White, Black
pieces: King, Rook, Stone
board: square(5, 5)
relations:
  forward(White): north
  forward(Black): south
state:
  marked: sites = corners
define:
  lines(s): union d in orthogonal of ray(s, d, empty)
  go(s): (compass(s) when s in King) | (lines(s) when s in Rook) | (forward(own)(s) when s in Stone)
setup: {{rows: rs.sk/...s./...../.S.../KS.SR}}
turn: |
  choose s in own
  choose t in go(s) - own
  {effects}
  require {required}
stuck: draw
"""
MOVE = "move s to t"
REQUIRED = {
    "no attack along lines": (MOVE, "no lines(own & King) & enemy & Rook"),
    "no attack past a screen": (
        MOVE,
        "no lines(lines(own & King) & occupied) & enemy & Rook",
    ),
    "a line to a friend": (MOVE, "some lines(own & King) & own or no enemy & Rook"),
    "all are near a friend": (MOVE, "own & Stone in touching(own) | compass(own & King)"),
    "room beside the king": (MOVE, "some compass(own & King) & empty"),
    "a set of the state": (
        "set marked = marked - s - t\n  move s to t",
        "no lines(own & King) & enemy & Rook - marked",
    ),
    "a gain of the state": (
        "set marked = marked | s\n  move s to t",
        "no lines(own & King) & marked",
    ),
    "numbers of pieces": (MOVE, "count(own & compass(own & King)) >= 1"),
    "more than a step": (
        "move s to t\n  if t in Stone & corners\n    either as rook\n      change t to Rook\n    "
        "or as stone\n      set marked = marked - t",
        "no lines(own & King) & enemy & Rook",
    ),
    "what lines meet is gained by the move": (
        MOVE,
        "no lines(own & King) & (own | enemy) & Rook",
    ),
    "two pieces leave a line": (
        "remove north(s) & own & Stone\n  move s to t",
        "no lines(own & King) & enemy & Rook",
    ),
    "several are taken": (
        "remove orthogonal(t) & enemy & Stone\n  move s to t",
        "no lines(own & King) & enemy & Rook",
    ),
    "what is taken changes its kind first": (
        "change t & marked & enemy to Stone\n  remove t & enemy\n  move s to t",
        "no lines(own & King) & enemy & Rook",
    ),
    "two open a way together": (
        "remove own & Stone & orthogonal(s)\n  move s to t",
        "no lines(own & King) & enemy & Rook",
    ),
    "a way that begins anew where another piece went": (
        "move own & King & corners to s\n  remove s - King\n  place own Stone at t",
        "no lines(own & King) & enemy & Rook",
    ),
    "two ways one after the other": (
        MOVE,
        "no lines(compass(own & King) & empty) & lines(lines(own & Rook)) & enemy & Rook",
    ),
    "a king that is exchanged": (
        "if s in Rook and t in corners\n    move own & King to s\n  move s to t",
        "no lines(own & King) & enemy & Rook",
    ),
}


def _counts_are_the_same(game: Game, seed: int, plies: int) -> None:
    """Play at random; hold counts of moves, and each move by its number, against the reference."""
    reference, native = ReferenceRules(game), NativeRules(game)
    chance, state = Chance(seed), reference.start()
    for _ in range(plies):
        moves = reference.legal(state)
        if not moves:
            break
        assert native.perft(state, 1) == len(moves)
        assert list(native.legal(state)) == list(moves)
        state = reference.apply(state, moves[chance.below(len(moves))])


@pytest.mark.at_night("a set of the state", "more than a step", "several are taken", "a line to")
@pytest.mark.parametrize("name", REQUIRED)
def test_moves_are_counted_whatever_is_required(name: str) -> None:
    effects, required = REQUIRED[name]
    game = load_source(Source("harmless.yaml", GAME.format(effects=effects, required=required)))
    for seed in range(6):
        _counts_are_the_same(game, seed, 25)
    native, without = NativeRules(game), NativeRules(game, passes=WITHOUT)
    assert native.perft(native.start(), 4) == without.perft(native.start(), 4)


def test_lines_of_attack_are_known_before_the_move() -> None:
    effects, required = REQUIRED["no attack along lines"]
    game = load_source(Source("harmless.yaml", GAME.format(effects=effects, required=required)))
    plan = plan_for_code(game.program, game.board.size)
    assert plan.turns[0].harmless.sites
    assert not plan.without_harmless.turns[0].harmless.sites


def test_pieces_that_go_one_way_are_counted_at_once() -> None:
    effects, required = REQUIRED["no attack along lines"]
    game = load_source(Source("harmless.yaml", GAME.format(effects=effects, required=required)))
    plan = plan_for_code(game.program, game.board.size)
    ((king, rook, stone),) = (found.kinds for found in plan.kinds.values())
    assert len(stone.at_once) == 1
    assert not king.at_once
    assert not rook.at_once
    told = "pieces of 3 kinds are counted kind by kind, those of 1 for all pieces at once"
    assert told in plan_in_words(plan, game.sides)


AT_ONCE = {
    "forward(own)(s) | (east | west)(s & marked)": 3,
    "(forward(own)(s) & empty) | forward(own)(forward(own)(s & marked) & empty)": 2,
    "(north | south)(s) - marked": 2,
    "north(s) | north(s & marked)": 0,
    "(compass - orthogonal)(s) & (empty | marked)": 4,
    "if some marked & own then north(s) else south(s)": 1,
    "ray(s, north, empty)": 0,
}


@pytest.mark.parametrize("go", AT_ONCE)
def test_as_many_are_counted_at_once_as_one_by_one(go: str) -> None:
    _, required = REQUIRED["no attack along lines"]
    text = GAME.format(effects="set marked = marked - s\n  move s to t", required=required)
    text = text.replace("forward(own)(s) when s in Stone", "stones(s) when s in Stone")
    text = text.replace("  lines(s):", f"  stones(s): {go}\n  lines(s):")
    text = text.replace("rs.sk/...s./...../.S.../KS.SR", "rsssk/s..s./..s../SS.S./KSSSR")
    game = load_source(Source("stones.yaml", text))
    (found,) = plan_for_code(game.program, game.board.size).kinds.values()
    assert len(found.kinds[-1].at_once) == AT_ONCE[go]
    for seed in range(4):
        _counts_are_the_same(game, seed, 25)
    native, without = NativeRules(game), NativeRules(game, passes=WITHOUT)
    assert native.perft(native.start(), 3) == without.perft(native.start(), 3)


@pytest.mark.at_night("makruk", "minichess")
@pytest.mark.parametrize("name", ["chess", "crazyhouse", "xiangqi", "makruk", "minichess", "shogi"])
def test_games_count_the_same(name: str) -> None:
    game = load_game(name)
    native, without = NativeRules(game), NativeRules(game, passes=WITHOUT)
    assert native.code.ir != without.code.ir
    reference, chance = ReferenceRules(game), Chance(7)
    for _ in range(3):
        state = reference.start()
        for _ in range(40):
            moves = native.legal(state)
            if not moves:
                break
            assert native.perft(state, 1) == len(moves)
            state = native.apply(state, moves[chance.below(len(moves))])
        assert native.perft(state, 2) == without.perft(state, 2)
