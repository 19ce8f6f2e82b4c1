"""Earlier positions in native code: long games, counted by digests and by whole keys."""

from __future__ import annotations

import ctypes

import pytest

from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.turns import history
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.search.binding import Binding, Seat
from gdl.interpreter.search.machine.instructions import address
from gdl.interpreter.search.memory.positions import put_keys
from gdl.load import load_source

WALK = """\
game: Walk
players: White, Black
board: square({size}, {size})
pieces: King
setup:
  White King: a1
  Black King: c3
turn: |
  choose s in own & King
  choose t in orthogonal(s) & empty
  require seen(board) < {often}
  move s to t
stuck: draw
"""
PLIES = 2 * w.DIGESTS_COMPARED


def walk(size: int = 3, often: int = 4) -> NativeRules:
    """Return the rules of two kings that walk; a position may come `often` times."""
    return NativeRules(load_source(Source("walk.yaml", WALK.format(size=size, often=often))))


def differing(rules: NativeRules, seed: int) -> int:
    """Return how often a position of a game had other moves than the reference lists."""
    reference, state, chance = ReferenceRules(rules.game), rules.start(), Chance(seed, 0)
    wrong = 0
    for _ in range(PLIES):
        moves = rules.legal(state)
        wrong += list(moves) != list(reference.legal(state))
        if not moves or state.ended is not None:
            break
        state = rules.apply(state, moves[chance.below(len(moves))])
    return wrong


@pytest.mark.at_night("[30]")
@pytest.mark.parametrize("size", [3, 5, 30])
def test_long_games_are_counted_as_the_reference_counts_them(size: int) -> None:
    assert sum(differing(walk(size), seed) for seed in range(3)) == 0


@pytest.mark.parametrize("size", [3, 20])
def test_keys_with_one_digest_are_told_apart(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_FACTOR", 0)
    assert sum(differing(walk(size), seed) for seed in range(3)) == 0


def test_games_of_one_memory_do_not_see_each_other() -> None:
    """The keys of the game before lie where those of the next one are written."""
    rules = walk()
    reference = ReferenceRules(rules.game)
    games = [rules.playout(rules.start(), Chance(9, n), 20 + 3 * n).state for n in range(12)]
    own, theirs = ([list(each.legal(s)) for s in games] for each in (rules, reference))
    assert own == theirs
    assert rules.perfts(games, 2) == [reference.perft(state, 2) for state in games]


def counted(binding: Binding, seat: Seat) -> int:
    """Return how many moves native code counts in the position of a thread of a search."""
    code, desk = binding.code, seat.desk
    word = ctypes.c_int64
    arguments = word(address(desk.world)), word(code.work), word(code.stack)
    ctypes.CFUNCTYPE(None, word, word, word)(code.prepare)(*arguments)
    count = ctypes.CFUNCTYPE(word, word, word)(code.count)
    return int(count(word(address(desk.position)), word(address(desk.world))))


def test_a_search_puts_keys_in_place_of_others() -> None:
    rules = walk()
    binding = Binding(rules.game, rules.code)
    states = [rules.playout(rules.start(), Chance(9, n), 40).state for n in range(8)]
    here, *others = (binding.seat(state, 1, 0, 1) for state in states)
    assert counted(binding, here) == len(rules.legal(states[0]))
    for state, other in zip(states[1:], others, strict=True):
        for place in range(other.desk.remembered[0]):
            source = other.desk.tables[0] + place * binding.fields.key_sizes[0]
            turns = place + 1 - here.desk.remembered[0]
            put_keys(source, turns, here.desk, binding.fields)
        here.desk.position[:] = other.desk.position
        assert counted(binding, here) == len(rules.legal(state))


def test_endings_in_a_row_ask_their_condition_once() -> None:
    asked = []
    for second in (0, 1):
        text = f"{WALK.format(size=3, often=9)}end:\n  - highest count(own & top) wins when {{0}}\n"
        text = f"{text}  - draw when {{1}}\n".format("seen(board) > 0", f"seen(board) > {second}")
        rules = NativeRules(load_source(Source("walk.yaml", text)))
        ended = rules.code.games.text.partition("define internal i1 @ended_0_0(")[2]
        asked.append(ended.partition("\n}")[0].count("@past_0("))
        assert differing(rules, 1) == 0
    assert asked == [1, 2]
