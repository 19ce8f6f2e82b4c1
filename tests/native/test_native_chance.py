"""Random games of native code: each move a legal one, and each legal move as likely."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from math import sqrt

import pytest
from library_games import deep_games
from replays import replayed
from uniform import assert_as_expected, assert_moves_are_uniform

from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.playout import Statistics, playouts
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.load import load_game, load_source, shipped_names

FEW_PLIES = 100


def native(name: str, **options: int) -> NativeRules:
    return NativeRules(load_game(name, options))


# --------------------------------------------------------------- games by the rules


def one_by_one(rules: NativeRules, count: int, seed: int, max_plies: int) -> Statistics:
    """Return what games come to that are played each by itself."""
    statistics = Statistics(rules.game.sides, len(rules.game.sides))
    for played in playouts(rules, rules.start(), count, seed, max_plies):
        statistics.add(played)
    return statistics


@pytest.mark.at_night("breakthrough")
@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_random_games_are_played_by_the_rules(name: str) -> None:
    try:
        rules = NativeRules(load_game(name))
    except Uncovered:
        pytest.skip("native code does not cover it")
    assert replayed(rules, 1, FEW_PLIES).random_plies > 0
    played = rules.playouts(rules.start(), 10, 1, FEW_PLIES)
    assert played == one_by_one(rules, 10, 1, FEW_PLIES)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_names())
def test_random_games_of_every_variant_are_played_by_the_rules(name: str) -> None:
    for variant in load_game(name).all_variants:
        game = load_game(name, variants=[variant])
        try:
            rules = NativeRules(game)
        except Uncovered:
            continue
        assert replayed(rules, 5, 300, seed=5).random_plies > 0, variant
        played = rules.playouts(rules.start(), 20, 5, 1000)
        assert played == one_by_one(rules, 20, 5, 1000), variant


@pytest.mark.parametrize("name", ["draughts", "go", "hex", "trellis"])
def test_a_game_that_is_left_and_taken_up_goes_on_by_the_same_chance(name: str) -> None:
    rules = native(name)
    first, again = Chance(3, 4), Chance(3, 4)
    assert rules.playout(rules.start(), first, 50) == rules.playout(rules.start(), again, 50)
    assert first.state == again.state != Chance(3, 4).state


def test_the_numbers_are_those_of_the_published_generator() -> None:
    """The first outputs of SplitMix64 from a state of zero, as its authors' program gives them."""
    zero = Chance(0)
    zero.state = 0
    outputs = [zero.below(1 << 64) for _ in range(3)]
    assert outputs == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_the_games_of_a_seed_begin_unlike_each_other() -> None:
    assert len({Chance(seed, number).state for seed in range(50) for number in range(50)}) > 2450


# ------------------------------------------------------------- each move equally likely


def drawn(rules: NativeRules, state: State, games: int, plies: int = 1) -> list[State]:
    return [rules.playout(state, Chance(7, i), plies).state for i in range(games)]


def plain(state: State) -> Hashable:
    return state.values


def test_pairs_in_any_order_are_equally_likely() -> None:
    rules = native("trellis", size=5)
    first = rules.legal(rules.start())[0]
    state = rules.apply(rules.start(), first)
    while len(rules.legal(state)) < 20:
        state = rules.apply(state, rules.legal(state)[0])
    assert any(move.also for move in rules.legal(state))
    assert_moves_are_uniform(rules, state, 6000)


def test_moves_of_a_piece_are_equally_likely() -> None:
    rules = native("amazons")
    state = next(late(rules, lambda state: len(rules.legal(state)) < 60))
    assert_moves_are_uniform(rules, state, 3000)


def test_chains_are_equally_likely() -> None:
    rules = native("draughts")

    def has_chains(state: State) -> bool:
        lengths = [len(move.decisions) for move in rules.legal(state)]
        return len(set(lengths)) > 1 and len(lengths) > 2

    for state in islice(late(rules, has_chains), 3):
        assert_moves_are_uniform(rules, state, 2000)


ALTERNATIVES = """\
game: Posts
players: First, Second
pieces: Post
board: square(4, 4)
state:
  high: sites
  low: sites
  from_site: sites
turn: |
  either
    either as up
      choose s in empty - high
      add s to high
      set from_site = none
    or as down
      require some high
      choose s in empty & orthogonal(high)
      choose t in orthogonal(s) - high - low
      add t to low
      set from_site = s
    or as neither
      require count(high) > 1
      set from_site = none
    place Post at first(empty)
  or
    choose t in high - low
    add t to low
    set from_site = none
end:
  - draw when count(empty) < 8
"""


def test_alternatives_of_alternatives_are_equally_likely() -> None:
    game = load_source(Source("posts.yaml", ALTERNATIVES))
    rules = NativeRules(game)
    assert rules.code.written.games_in_place.all_in_place
    assert replayed(rules, 40, 30, seed=3).finished > 0
    state = rules.playout(rules.start(), Chance(2), 4).state
    kinds = Counter(len(move.decisions) for move in rules.legal(state))
    assert set(kinds) == {2, 3, 4}
    assert_moves_are_uniform(rules, state, 8000)


@pytest.mark.slow
def test_ways_that_meet_again_are_equally_likely() -> None:
    rules = native("minichess")
    assert rules.code.written.games_in_place.all_in_place

    def promotes(state: State) -> bool:
        kinds = Counter(len(move.decisions) for move in rules.legal(state))
        return kinds[2] > 0 and kinds[3] > 0

    state = next(iter(late(rules, promotes)))
    assert_moves_are_uniform(rules, state, 4000)


def late(rules: NativeRules, wanted: Callable[[State], bool]) -> Iterable[State]:
    """Yield positions of random games for which something is so."""
    for number in range(200):
        state = rules.start()
        for turn in range(60):
            state = rules.playout(state, Chance(11, 60 * number + turn), 2).state
            if rules.outcome(state) is not None:
                break
            if wanted(state):
                yield state
                break


def test_whole_games_are_as_likely_as_their_moves() -> None:
    """The chance of a position after three moves is the sum over its games, each 1/(n n' n'')."""
    rules = native("tic-tac-toe")
    expected: defaultdict[Hashable, float] = defaultdict(float)
    pending = [(rules.start(), 1.0, 0)]
    while pending:
        state, chance, plies = pending.pop()
        moves = rules.legal(state)
        if plies == 3 or not moves:
            expected[plain(state)] += chance
            continue
        pending += [(rules.apply(state, move), chance / len(moves), plies + 1) for move in moves]
    found = Counter(map(plain, drawn(rules, rules.start(), 8000, plies=3)))
    assert_as_expected(found, expected)


def test_long_runs_end_as_often_as_the_exact_chances_say() -> None:
    """X wins 0.58493, O wins 0.28810 of all random games: the sums over the tree of the game."""
    rules = native("tic-tac-toe")
    exact = outcome_chances(rules, rules.start(), {})
    played = rules.playouts(rules.start(), 200_000, 1, 9)
    for number, chance in zip(
        (played.by_side["X"], played.by_side["O"], played.draws), exact, strict=True
    ):
        spread = sqrt(chance * (1 - chance) * played.playouts)
        assert abs(number - chance * played.playouts) < 4 * spread


def outcome_chances(
    rules: NativeRules, state: State, known: dict[Hashable, tuple[float, ...]]
) -> tuple[float, ...]:
    """Return how likely X wins, O wins, nobody does, when all moves are equally likely."""
    key = plain(state)
    if key not in known:
        outcome = rules.outcome(state)
        if outcome is not None:
            won = outcome.winners[0] if outcome.winners else ""
            known[key] = (float(won == "X"), float(won == "O"), float(not won))
        else:
            moves = rules.legal(state)
            parts = [outcome_chances(rules, rules.apply(state, move), known) for move in moves]
            known[key] = tuple(sum(column) / len(moves) for column in zip(*parts, strict=True))
    return known[key]


def test_a_seed_may_be_any_number() -> None:
    rules = native("tic-tac-toe")
    start = rules.start()
    for seed in (0, -1, 1 << 63, (1 << 64) - 1):
        played = rules.playouts(start, 5, seed, 9)
        assert played == one_by_one(rules, 5, seed, 9)
