"""Which of two sides reaches a site first: found in rules, counted natively, and judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import exp
from random import Random

import numpy as np
import pytest

from gdl.analysis.reach import Reach, leads
from gdl.board.relation import bits
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import Const, Expression, Get, Op, Slot
from gdl.core.types import NUMBER, SITES
from gdl.core.walk import slots_in
from gdl.diagnostic import Source
from gdl.interpreter import load
from gdl.interpreter.native.races import COUNTS, MOVES
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.binding import Binding
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.evaluation.estimate import estimate_values
from gdl.interpreter.search.evaluation.territory import ON_TURN, PARTED, SHARES, territory_of
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.worth import Worth, rules_digest
from gdl.interpreter.tune.fitting import fitted
from gdl.interpreter.tune.samples import Samples
from gdl.interpreter.tune.tuner import Models
from gdl.load import load_game, load_source

BY_TURNS = ("amazons", "hey-thats-my-fish", "breakthrough", "onitama", "einstein")
"""Games whose turns tell where moves lead."""

WANDERING = """game: Wandering
players: White, Black
pieces: Man, neutral Rock
board: square(6, 5)
setup: {White Man: a1 | b1, Black Man: f5 | e5}
turn: |
  choose s in own where some adjacent(s) & empty
  choose t in adjacent(s) & empty
  move s to t
  choose u in adjacent(t) & empty
  place Rock at u
stuck: loses
"""


def positions(rules: Rules, games: int, seed: int, most: int = 60) -> Iterator[Position]:
    """Yield the positions of random games."""
    chance = Random(seed)
    for _ in range(games):
        position = rules.start()
        for _ in range(most):
            if position.over:
                break
            yield position
            position = position.play(chance.choice(position.moves()))


def value_of(node: Expression, position: Position, bound: dict[Slot, int]) -> int:
    """Return the value of a set in a position, by the specification."""
    program = position.rules.game.program
    known = dict(zip(program.state, position.state.values, strict=True)) | bound
    places = {slot: place for place, slot in enumerate(dict.fromkeys((*known, *slots_in(node))))}
    frame = [known.get(slot) for slot in places]
    found: int = ExpressionEvaluator(places).function(node)(frame)
    return found


def distances(start: int, step: Callable[[int], int]) -> dict[int, int]:
    """Return after how many moves each site is reached, one site after another."""
    found = dict.fromkeys(bits(start), 0)
    front = list(found)
    while front:
        following = []
        for site in front:
            for there in bits(step(1 << site)):
                if there not in found:
                    found[there] = found[site] + 1
                    following.append(there)
        front = following
    return found


def race(one: dict[int, int], other: dict[int, int], among: int) -> list[int]:
    """Return the numbers of a race."""
    found = [0] * COUNTS
    for site in bits(among):
        mine, theirs = one.get(site, 10**6), other.get(site, 10**6)
        moves = min(mine, theirs)
        if 0 < moves < 10**6:
            whose = 0 if mine < theirs else 1 if theirs < mine else 2
            found[whose * MOVES + min(moves, MOVES) - 1] += 1
        for side, reached in enumerate((one, other)):
            is_alone = site in reached and site not in (other, one)[side]
            found[3 * MOVES + side] += is_alone
    return found


def by_hand(binding: Binding, position: Position) -> list[int]:
    """Return the numbers of a position's races, worked out site by site."""
    territory = binding.territory
    assert territory is not None
    found: list[int] = []
    for each in territory.races:

        def reached(reach: Reach) -> dict[int, int]:
            start = value_of(reach.start, position, {})
            return distances(
                start, lambda site: value_of(reach.step, position, {reach.frontier: site})
            )

        among = value_of(each.among, position, {})
        found += race(reached(each.one), reached(each.other), among)
    return found


def counted(binding: Binding, found: Sequence[Position]) -> list[list[int]]:
    """Return the numbers of positions as native code counts them."""
    return binding.counts_of(rows_of(binding, found)).tolist()


def rows_of(binding: Binding, found: Sequence[Position]) -> np.ndarray:
    """Return positions as native code has them, a row each."""
    world, memory = binding.exchange.world(), binding.exchange.buffer()
    rows = []
    for position in found:
        binding.exchange.write(position.state, memory, world)
        rows.append(np.frombuffer(bytes(memory), np.uint8))
    return np.array(rows)


@pytest.mark.at_night("einstein", "hey-thats", "amazons")
@pytest.mark.parametrize(
    "wide", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["registers", "arrays"]
)
@pytest.mark.parametrize("name", BY_TURNS)
def test_native_floods_are_those_of_the_rules(name: str, wide: bool) -> None:
    rules = load(name)
    native = NativeRules(rules.game, **({"most_register_sites": 0} if wide else {}))
    binding = Binding(rules.game, native.code)
    assert binding.territory is not None
    assert binding.territory.ways == ("moves", "steps")
    found = [*positions(rules, 2, 3)][::7]
    expected = [by_hand(binding, position) for position in found]
    assert counted(binding, found) == expected
    assert any(map(any, expected))


def test_queens_race_as_queens_move() -> None:
    """An independent judge: moves of queens on a board of squares, and steps over its edges."""
    rules = load("amazons")
    native = NativeRules(rules.game)
    binding = Binding(rules.game, native.code)
    ways = [way for way in product((-1, 0, 1), repeat=2) if way != (0, 0)]
    found = [*positions(rules, 1, 8)][::5]
    for position, row in zip(found, counted(binding, found), strict=True):
        pieces = {
            (ord(site[0]) - ord("a"), int(site[1:]) - 1): piece
            for site, piece in position.pieces().items()
        }
        empty = {place for place in product(range(10), repeat=2) if place not in pieces}

        def moves(site: int, longest: int, empty: set[tuple[int, int]] = empty) -> int:
            found = 0
            column, line = site % 10, site // 10
            for across, up in ways:
                if longest == 1 and across and up:
                    continue
                for far in range(1, longest + 1):
                    there = column + far * across, line + far * up
                    if there not in empty:
                        break
                    found |= 1 << there[0] + 10 * there[1]
            return found

        def sites(which: set[tuple[int, int]]) -> int:
            return sum(1 << column + 10 * line for column, line in which)

        expected: list[int] = []
        for longest in (9, 1):
            one, other = (
                distances(
                    sites({place for place, piece in pieces.items() if piece.startswith(side)}),
                    lambda site, longest=longest: moves(site.bit_length() - 1, longest),
                )
                for side in rules.sides
            )
            expected += race(one, other, sites(empty))
        assert row == expected


def test_a_step_may_be_chosen_with_conditions() -> None:
    rules = Rules(load_source(Source("wandering.yaml", WANDERING)))
    native = NativeRules(rules.game)
    binding = Binding(rules.game, native.code)
    assert binding.territory is not None
    assert binding.territory.ways == ("moves", "steps")
    found = [*positions(rules, 3, 1)]
    assert counted(binding, found) == [by_hand(binding, position) for position in found]


def test_what_does_not_distribute_tells_nothing() -> None:
    slot = Slot("s", SITES)
    here, all_ = Get(slot), Const(255, SITES)
    assert leads(Op("intersection", (here, all_), SITES), {slot})
    assert leads(Op("difference", (here, all_), SITES), {slot})
    assert not leads(Op("difference", (all_, here), SITES), {slot})
    assert not leads(Op("intersection", (here, here), SITES), {slot})
    assert not leads(Op("union", (here, all_), SITES), {slot})
    assert not leads(Op("count", (here,), NUMBER), {slot})
    assert not leads(Op("first", (here,), SITES), {slot})
    assert not leads(all_, {slot})


@pytest.mark.parametrize("name", ["quarto", "cram", "zertz"])
def test_without_pieces_of_two_sides_there_are_no_races(name: str) -> None:
    game = load_game(name)
    assert territory_of(game, NativeRules(game).code) is None


def test_where_turns_do_not_tell_there_are_steps() -> None:
    game = load_game("lines-of-action")
    native = NativeRules(game)
    found = territory_of(game, native.code)
    assert found is not None
    assert found.ways == ("steps",)


# ---------------------------------------------------------------------- what it is worth


def drawn(rules: Rules, engine: Engine) -> Worth:
    """Return any worths."""
    chance = Random(4)
    assert engine.binding.territory is not None
    each = {feature.name: 0.0 for feature in engine.binding.features}
    each |= {name: chance.randint(-90, 90) / 1000 for name in engine.binding.territory.names}
    return Worth("Wandering", rules_digest(rules.game), "by hand", 0, 0.5, -0.25, each)


def test_races_are_worth_what_is_told_of_them() -> None:
    rules = Rules(load_source(Source("wandering.yaml", WANDERING)))
    worth = Worth.of(drawn(rules, Engine(rules)).text)
    engine = Engine(rules, worth=worth)
    binding = engine.binding
    sites = [site.name for site in rules.game.board.sites]
    table = binding.territory_table(worth.each)
    estimate = worth.estimate(binding.features, sites, binding.rows, table)
    compiled, seen = Compiled(estimate_values), set[float]()
    for position in positions(rules, 2, 9):
        seat = binding.seat(position.state, 0, 0, 1)
        compiled(estimate_values, seat.desk, binding.fields, estimate)
        turn = 1 if position.mover == "White" else -1
        odds = worth.even + turn * worth.on_turn
        numbers, names = by_hand(binding, position), iter(binding.territory.names)  # type: ignore[union-attr]
        for begin in range(0, len(numbers), COUNTS):
            here = numbers[begin : begin + COUNTS]
            share = SHARES * sum(here[3 * MOVES :]) // max(1, sum(here[: 3 * MOVES])) / SHARES
            for times in (1.0, share):
                for number in here:
                    name = next(names)
                    assert (PARTED in name) == (times is share)
                    odds += number * times * worth.each[name] * (turn if ON_TURN in name else 1)
        assert seat.desk.values[0] == pytest.approx(1 / (1 + exp(-odds)), abs=1e-3)
        seen.add(float(seat.desk.values[0]))
    assert len(seen) > 10


def test_the_same_seed_gives_the_same_with_races() -> None:
    rules = Rules(load_source(Source("wandering.yaml", WANDERING)))
    worth = drawn(rules, Engine(rules))
    found = [
        [(move.move.text, move.visits, move.value) for move in engine.moves]
        for engine in (
            Engine(rules, seed=3, worth=worth).analyse(rules.start(), iterations=500)
            for _ in range(2)
        )
    ]
    assert found[0] == found[1]


def test_nothing_is_run_where_nothing_is_told() -> None:
    rules = Rules(load_source(Source("wandering.yaml", WANDERING)))
    engine = Engine(rules)
    binding = engine.binding
    assert binding.territory_table({"White Man": 1.0}).run == 0
    assert binding.territory is not None
    assert binding.territory_table({binding.territory.names[0]: 1.0}).run != 0


# ---------------------------------------------------------------------- what is learned


def samples(binding: Binding, found: Sequence[Position], scores: Sequence[float]) -> Samples:
    """Return positions with these results."""
    rows = rows_of(binding, found)[:, : binding.fields.bytes]
    return Samples(rows, np.array(scores), len(found), np.zeros(len(found)))


def is_dark(site: str) -> bool:
    """Return whether a square is dark, by its name."""
    return (ord(site[0]) + int(site[1:])) % 2 == 0


@pytest.mark.parametrize("tells", [True, False], ids=["races", "pieces"])
def test_races_are_used_where_they_tell_clearly_more(tells: bool) -> None:
    """Who reaches more sites first wins; or who has a man on a dark square does."""
    rules = Rules(load_source(Source("wandering.yaml", WANDERING)))
    engine = Engine(rules)
    binding = engine.binding
    found = [*positions(rules, 60, 2)]
    numbers = counted(binding, found)
    first = [float(sum(row[:2]) > sum(row[2:4])) for row in numbers]
    dark = [
        float(any(is_dark(s) and p == "White Man" for s, p in position.pieces().items()))
        for position in found
    ]
    scores = first if tells else dark
    half = len(found) // 2
    sites = [site.name for site in rules.game.board.sites]
    models = Models(binding, sites, rules.sides, [])
    models.fit(samples(binding, found[:half], scores[:half]))
    models.compare(samples(binding, found[half:], scores[half:]))
    assert (models.best is not models.plain) == tells


def test_fitting_finds_what_a_site_is_worth() -> None:
    rules = Rules(load_source(Source("wandering.yaml", WANDERING)))
    engine = Engine(rules)
    binding = engine.binding
    found = [*positions(rules, 60, 2)]
    scores = [float(sum(row[:2]) > sum(row[2:4])) for row in counted(binding, found)]
    models = Models(binding, [s.name for s in rules.game.board.sites], rules.sides, [])
    model = models._all[1]
    worths = fitted(model, samples(binding, found, scores))
    names = [name for name, _ in model.told]
    one, other = (
        worths[names.index(f"sites that {side} reaches first, in 1 move")] for side in rules.sides
    )
    assert one > 0 > other
