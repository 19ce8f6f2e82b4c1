"""Alpha-beta: it finds what looking at everything finds, in fixed memory, and stops when asked."""

from __future__ import annotations

import ctypes
import random
import threading
import time
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from gdl.diagnostic import GameError, Source
from gdl.interpreter import load
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.search.alpha_beta.arena import MORE, new_walk
from gdl.interpreter.search.alpha_beta.deepening import Deepening
from gdl.interpreter.search.alpha_beta.judging import UNITS
from gdl.interpreter.search.alpha_beta.search import SURE, WIN
from gdl.interpreter.search.alpha_beta.transpositions import (
    EXACT,
    look_up,
    new_table,
    remember,
    spread_out,
    widened,
)
from gdl.interpreter.search.analysis import Analysis, Interrupted
from gdl.interpreter.search.analysis_text import rows
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.levels import Strength
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.worth import Worth
from gdl.load import load_source
from tests.benchmarks.tactics import kept

CLOSE = 4 / UNITS
"""How far a value may be off, whose parts are rounded."""
SMALL = 1 << 22
"""Bytes of memory for a search."""

REPEATING = """\
game: Repeating
players: White, Black
board: square(3, 2)
pieces: Man
setup: {White Man: a1 | b1, Black Man: b2 | c2}
turn: |
  choose s in own
  choose t in adjacent(s) - own
  move s to t
stuck: loses
end:
  - mover wins when no enemy
  - draw when seen(board, mover) >= 1
  - Black wins when turns > 9
"""


def rules_of(text: str) -> Rules:
    return Rules(load_source(Source("made-up.yaml", text)))


def named(name: str, options: dict[str, Any]) -> Rules:
    return rules_of(REPEATING) if name == "repeating" else load(name, options)


def at_random(rules: Rules, plies: int, chance: random.Random) -> Position:
    """Return a position after random moves, of a game that goes on."""
    while True:
        position = rules.start()
        for _ in range(plies):
            if not position.over:
                position = position.play(chance.choice(position.moves()))
        if not position.over:
            return position


def some_worth(engine: Engine, seed: int) -> Worth:
    """Return a worth in which pieces have any values at all."""
    chance, game = random.Random(seed), engine.rules.game
    features, sites = engine.binding.features, [site.name for site in game.board.sites]
    each = {feature.name: chance.uniform(-1, 1) for feature in features}
    at = {
        feature.name: {site: chance.uniform(-0.3, 0.3) for site in sites}
        for feature in features
        if feature.is_set
    }
    return Worth(game.name, game.digest, "", None, 0.1, -0.05, each, at)


def search_of(engine: Engine, worth: Worth, *, prunes: bool) -> Deepening:
    sites = [site.name for site in engine.rules.game.board.sites]
    estimate = worth.estimate(engine.binding.features, sites)
    return Deepening(engine.native, engine.binding, estimate, SMALL, prunes=prunes)


# ------------------------------------------------------------------- what follows a position


@pytest.mark.at_night("othello")
@pytest.mark.parametrize("wide", [False, True], ids=["registers", "arrays"])
@pytest.mark.parametrize(
    "name",
    [
        "draughts",
        "othello",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("minichess", "trellis")),
    ],
)
def test_all_that_follows_is_what_each_move_leads_to(name: str, wide: bool) -> None:
    size: dict[str, Any] = {"size": 5} if name == "trellis" else {}
    game = load(name, size).game
    native = NativeRules(game, most_register_sites=0) if wide else NativeRules(game)
    native.compile()
    written, exchange = native.code.written, native._exchange
    record = written.layout.frame_bytes + c.FOLLOWER_HEAD + -(-sum(exchange.key_bytes) // 16) * 16
    rules, chance = Rules(game, native), random.Random(7)
    for plies in (0, 2, 4, 6) if name == "trellis" else (0, 5, 12, 20, 33):
        position = at_random(rules, plies, chance)
        moves = position.moves()
        if moves[0].text == "pass":
            continue
        world, memory = exchange.world(), exchange.buffer()
        exchange.write(position.state, memory, world)
        room = record * len(moves)
        found = ctypes.create_string_buffer(room)
        native._caller.within(
            native.code.calls, "followers", world, memory, world.memory, found, room
        )
        for number, move in enumerate(moves):
            after = native.apply(position.state, move)
            assert (
                exchange.read(found, position.state, world, number * record).values[:-1]
                == (after.values[:-1])
            )
        used = native._caller.within(
            native.code.calls, "followers", world, memory, world.memory, found, record
        )
        assert used == record * min(2, len(moves))


# ------------------------------------------------------------------------- what is found


def plainly(rules: ReferenceRules, engine: Engine, worth: Worth, seat: int) -> Any:
    """Return a function of a position and a depth: its value to a seat, by looking at all."""
    plain = Rules(rules.game)
    sites = [site.name for site in rules.game.board.sites]

    def ended(winners: tuple[int, ...], plies: int) -> int:
        if len(winners) != 1:
            return 0
        return WIN - plies if winners[0] == seat else plies - WIN

    def at_sight(state: State) -> int:
        memory, world = engine.binding.exchange.buffer(), engine.binding.exchange.world()
        engine.binding.exchange.write(state, memory, world)
        position = Position(plain, state)
        total = round(UNITS * worth.even)
        total += round(UNITS * worth.on_turn) * (1 if position.mover == plain.sides[0] else -1)
        for feature in engine.binding.features:
            data = bytes(memory[feature.offset : feature.end])
            each, at = worth.each[feature.name], worth.at.get(feature.name, {})
            if feature.is_set:
                here = [s for n, s in enumerate(sites) if data[n // 8] >> n % 8 & 1]
                total += round(UNITS * sum(each + at.get(site, 0.0) for site in here))
            else:
                size = feature.entry_bytes
                numbers = [data[n : n + size] for n in range(0, len(data), size)]
                found = sum(int.from_bytes(one, "little", signed=True) for one in numbers)
                total += round(UNITS * each * found)
        return total if position.seat_of(plain.sides[0]) == seat else -total

    @cache
    def value(state: State, depth: int, plies: int) -> int:
        if state.ended is not None:
            return ended(state.ended.seats, plies)
        if not depth:
            return at_sight(state)
        outcome = rules.outcome(state)
        if outcome is not None:
            return ended(outcome.seats, plies)
        after = [value(rules.apply(state, m), depth - 1, plies + 1) for m in rules.legal(state)]
        mine = Position(plain, state).seat == seat
        return max(after) if mine else min(after)

    return value


@pytest.mark.at_night("tic-tac-toe", "draughts")
@pytest.mark.parametrize(
    ("name", "options", "plies", "depth"),
    [
        ("tic-tac-toe", {}, 2, 7),
        ("connect-four", {"columns_wide": 4, "rows_high": 4}, 4, 5),
        ("breakthrough", {}, 30, 2),
        ("kalah", {}, 12, 4),
        pytest.param("othello", {}, 40, 3, marks=pytest.mark.slow),
        ("hex", {"size": 3, "pie": "yes"}, 1, 4),
        ("draughts", {}, 20, 3),
        ("repeating", {}, 3, 5),
    ],
)
def test_values_are_those_of_looking_at_everything(
    name: str, options: dict[str, Any], plies: int, depth: int
) -> None:
    rules = named(name, options)
    engine, chance = Engine(rules), random.Random(3)
    worth = some_worth(engine, 5)
    search = search_of(engine, worth, prunes=False)
    for _ in range(4):
        position = at_random(rules, plies, chance)
        assert position.seat is not None
        found = search.analyse(position, seconds=None, iterations=None, slack=1.0, deepest=depth)
        value = plainly(ReferenceRules(rules.game), engine, worth, position.seat)
        assert len(found.moves) == len(position.moves())
        for move in found.moves:
            truth = value(position.play(move.move).state, (found.depth or 0) - 1, 1)
            if move.is_bound:
                assert chances(truth) <= move.value + CLOSE
            elif abs(truth) >= SURE:
                assert move.value == float(truth > 0)
                assert move.plies is not None and move.plies >= WIN - abs(truth)
            else:
                assert move.value == pytest.approx(chances(truth), abs=CLOSE), str(move)


@pytest.mark.parametrize(("name", "plies"), [("breakthrough", 20), ("othello", 12), ("kalah", 8)])
def test_mobility_counts_the_moves_of_both_sides(name: str, plies: int) -> None:
    rules = load(name)
    engine, chance, each = Engine(rules), random.Random(4), 0.0625
    worth = some_worth(engine, 5)
    search = search_of(engine, replace(worth, mobility=each), prunes=False)
    for _ in range(4):
        position = at_random(rules, plies, chance)
        assert position.seat is not None
        found = search.analyse(position, seconds=None, iterations=None, slack=1.0, deepest=2)
        value = plainly(ReferenceRules(rules.game), engine, worth, position.seat)
        for move in found.moves:
            after = position.play(move.move)
            truth = value(after.state, 1, 1)
            if after.over or abs(truth) >= SURE or move.is_bound:
                continue
            more = round(UNITS * each) * (len(after.moves()) - len(position.moves()))
            truth += more if after.seat == position.seat else -more
            assert move.value == pytest.approx(chances(truth), abs=CLOSE), str(move)


def chances(value: float) -> float:
    if abs(value) >= SURE:
        return float(value > 0)
    return float(1 / (1 + pow(2.718281828459045, -value / UNITS)))


def exact(rules: ReferenceRules) -> Any:
    """Return a function of a state: what it is worth to the first seat, by trying everything."""
    plain = Rules(rules.game)

    @cache
    def worth(state: State) -> float:
        outcome = rules.outcome(state)
        if outcome is not None:
            return 0.5 if len(outcome.seats) != 1 else float(outcome.seats[0] == 1)
        found = [worth(rules.apply(state, move)) for move in rules.legal(state)]
        return max(found) if Position(plain, state).seat == 1 else min(found)

    return worth


@pytest.mark.parametrize(
    ("name", "options", "plies"),
    [
        ("tic-tac-toe", {}, 2),
        ("connect-four", {"columns_wide": 4, "rows_high": 4}, 8),
        ("othello", {}, 54),
        ("clobber", {"width": 4, "height": 3}, 2),
        ("repeating", {}, 2),
    ],
)
def test_what_is_proven_is_true(name: str, options: dict[str, Any], plies: int) -> None:
    rules, proven = named(name, options), 0
    engine, chance = Engine(rules, search="alpha-beta", memory=SMALL), random.Random(1)
    truth = exact(ReferenceRules(rules.game))
    for _ in range(3):
        position = at_random(rules, plies, chance)
        for move in engine.analyse(position, iterations=50_000).moves:
            first = truth(position.play(move.move).state)
            worth = first if position.seat == 1 else 1 - first
            assert move.bounds[0] <= worth <= move.bounds[1], str(move)
            proven += move.is_proven
    assert proven > 3


@pytest.mark.at_night("ataxx")
@pytest.mark.parametrize("name", ["breakthrough", "connect-four", "ataxx", "konane"])
def test_forced_wins_are_found(name: str) -> None:
    rules = load(name)
    engine = Engine(rules, search="alpha-beta")
    for tactic in kept(name)[:3]:
        best = engine.analyse(tactic.position, iterations=600_000, lines=0).best
        assert best is not None and best.is_proven and best.value == 1, tactic.position.render()


def test_a_side_that_has_no_move_passes() -> None:
    rules = load("othello")
    engine, chance = Engine(rules, search="alpha-beta", memory=SMALL), random.Random(2)
    quick, passes = Rules(rules.game, engine.native), 0
    for _ in range(400):
        position = at_random(quick, 50, chance)
        if position.moves()[0].text == "pass":
            passes += 1
            analysis = engine.analyse(position, iterations=2000)
            assert [move.move.text for move in analysis.moves] == ["pass"]
        if passes == 2:
            break
    assert passes


def test_lines_are_legal_and_moves_stand_from_best_to_worst() -> None:
    rules = load("breakthrough")
    engine = Engine(rules, search="alpha-beta", memory=SMALL)
    position = at_random(rules, 20, random.Random(4))
    analysis = engine.analyse(position, iterations=100_000, lines=3)
    known = [move.value for move in analysis.moves if not move.is_bound]
    assert known == sorted(known, reverse=True)
    assert all(move.value <= known[-1] for move in analysis.moves if move.is_bound)
    assert len(analysis.moves) == len(position.moves())
    for move in analysis.moves[:3]:
        after = position
        for one in move.line:
            assert one in after.moves()
            after = after.play(one)
    assert set(analysis.to_json()) == set(Engine(rules).analyse(position, iterations=9).to_json())


def test_how_far_ahead_each_move_was_looked_at_is_told() -> None:
    rules = load("breakthrough")
    analysis = Engine(rules, search="alpha-beta").analyse(rules.start(), iterations=3000)
    depths = [move.depth or 0 for move in analysis.moves]
    assert depths == sorted(depths, reverse=True) and depths[0] == analysis.depth > depths[-1]
    told = analysis.to_json()["moves"]
    assert [one["depth"] for one in told] == depths
    assert [one["is_bound"] for one in told] == [move.is_bound for move in analysis.moves]
    values = [row[2] for row in rows(analysis, len(depths))]
    for value, depth in zip(values, depths, strict=True):
        assert value.endswith(f", {depth} ahead") == (depth != depths[0])


def test_a_move_that_is_certain_to_lose_is_made_only_if_all_are() -> None:
    engine = Engine(load("connect-four"), search="alpha-beta", memory=SMALL)
    lost = 0
    for tactic in kept("connect-four")[:12]:
        for move in tactic.position.moves()[:4]:
            position = tactic.position.play(move)
            for iterations in range(20, 400, 20):
                engine.forget()
                found = engine.analyse(position, iterations=iterations, lines=0).moves
                certain = [one.is_proven and one.value == 0 for one in found]
                lost += any(certain)
                assert certain == sorted(certain), (position.render(), iterations)
    assert lost > 100


def test_a_player_that_is_content_with_less_knows_what_it_chooses() -> None:
    rules = load("breakthrough")
    engine = Engine(rules, search="alpha-beta", memory=SMALL)
    analysis = engine.analyse(rules.start(), iterations=5000, lines=0, slack=0.1)
    close = [move for move in analysis.moves if not move.is_bound]
    assert len(close) > 5
    chosen = {Strength.of("1").choose(analysis, random.Random(n)) for n in range(40)}  # type: ignore[union-attr]
    assert 1 < len(chosen) <= len(close) and chosen <= {move.move for move in close}


# ------------------------------------------------------------------- memory, time, and how it ends


def told(engine: Engine, position: Position) -> list[tuple[str, int, float]]:
    analysis = engine.analyse(position, iterations=40_000)
    return [(move.move.text, move.visits, move.value) for move in analysis.moves]


def test_the_same_iterations_find_the_same() -> None:
    rules = load("breakthrough")
    first, second = (Engine(rules, search="alpha-beta", memory=SMALL) for _ in range(2))
    position = rules.start()
    for _ in range(3):
        found = told(first, position)
        assert found == told(second, position)
        position = position.play(found[0][0])
    first.begin(1)
    # What is soon done is done without a thread, and finds the same.
    soon, late = (
        Engine(rules, search="alpha-beta", memory=SMALL).analyse(rules.start(), **budget)
        for budget in ({"iterations": 3000}, {"iterations": 3000, "seconds": 600.0})
    )
    assert [move.value for move in soon.moves] == [move.value for move in late.moves]
    assert told(first, rules.start()) == told(
        Engine(rules, search="alpha-beta", memory=SMALL), rules.start()
    )


@pytest.mark.parametrize("iterations", [60_000, None])
def test_threads_share_what_they_find_out(iterations: int | None) -> None:
    rules = load("breakthrough")
    engine = Engine(rules, threads=3, search="alpha-beta")
    seconds = None if iterations else 0.3
    analysis = engine.analyse(rules.start(), iterations=iterations, seconds=seconds)
    assert {move.move for move in analysis.moves} == set(rules.start().moves())
    assert analysis.depth > 2
    assert iterations is None or iterations // 3 <= analysis.iterations < iterations + 1000
    solved = Engine(load("tic-tac-toe"), threads=2, search="alpha-beta")
    assert solved.analyse(solved.rules.start(), iterations=500_000).verdict == "a draw"


def test_a_position_that_is_asked_again_is_gone_on_with() -> None:
    rules = load("breakthrough")
    often, once = (Engine(rules, search="alpha-beta", memory=SMALL) for _ in range(2))
    position, depths = rules.start(), []
    for _ in range(12):
        analysis = often.analyse(position, iterations=8000, lines=0)
        depths.append(analysis.depth or 0)
    assert depths == sorted(depths) and depths[-1] > depths[0]
    assert depths[-1] > (once.analyse(position, iterations=8000, lines=0).depth or 0)


@pytest.mark.parametrize("memory", [0, 10_000, 1 << 22])
def test_memory_is_fixed(memory: int) -> None:
    """However little there is, the search goes on, and takes no more."""
    rules = load("hex", {"size": 9})
    engine = Engine(rules, search="alpha-beta", memory=memory)
    search = engine._deepening
    assert search is not None
    size = search._walk.words.nbytes + search._table.entries.nbytes
    assert size <= max(memory, 1 << 17)
    analysis = engine.analyse(rules.start(), iterations=30_000)
    assert search._walk.words.nbytes + search._table.entries.nbytes == size
    assert analysis.best_move is not None


def test_a_table_remembers_as_much_when_more_of_it_comes_into_use() -> None:
    compiled, table = Compiled(remember, look_up, spread_out), new_table(SMALL)
    walk, chance = new_walk(1 << 16, 64, 64, prunes=True), random.Random(1)
    kept: list[tuple[int, int, int]] = []

    def found() -> list[int]:
        """Return which of the positions are remembered with their own move, by their numbers."""
        return [
            number
            for number, (first, second, move) in enumerate(kept)
            if compiled(look_up, walk, table, first, second) and walk.state[MORE] == move
        ]

    for used, more in pairwise((1 << 10, 1 << 12, 1 << 14, SMALL >> 7)):
        assert table.mask == used - 1 and widened(table, compiled) is table
        while table.filled[0] < 2 * used:
            kept.append((chance.getrandbits(62), chance.getrandbits(62), len(kept)))
            first, second, move = kept[-1]
            compiled(remember, table, first, second, 7, 3, EXACT, move, 0)
        before = found()
        assert len(before) == table.filled[0] > 0.9 * len(kept)
        table = widened(table, compiled)
        assert table.mask == more - 1 and found() == before
    assert widened(table, compiled) is table


def test_time_ends_a_search_and_so_does_an_interrupt() -> None:
    rules = load("breakthrough")
    engine = Engine(rules, search="alpha-beta")
    analysis = engine.analyse(rules.start(), seconds=0.1)
    assert analysis.iterations > 0 and analysis.seconds >= 0.1 and analysis.best_move is not None
    assert engine.analyse(rules.start(), seconds=1e-9).best_move is not None
    main = threading.get_ident()

    def interrupt() -> None:
        time.sleep(0.3)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(main), ctypes.py_object(KeyboardInterrupt)
        )

    threading.Thread(target=interrupt).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        engine.analyse(rules.start(), seconds=600)
    assert time.monotonic() - begun < 60
    assert engine.analyse(rules.start(), iterations=1000).best_move is not None


def test_rules_that_fail_are_told_with_the_moves_that_lead_there() -> None:
    rules = rules_of(
        "game: Failing\nplayers: White, Black\nboard: square(3, 3)\n"
        "state: {stones: number in 0..2}\n"
        "turn: |\n  choose s in empty\n  place Stone at s\n  add 1 to stones\n"
        "end: draw when no empty\n"
    )
    with pytest.raises(RuleError) as found:
        Engine(rules, search="alpha-beta").analyse(rules.start(), iterations=1000)
    assert found.value.diagnostic.span is not None
    position = rules.start()
    for move in found.value.moves or ():
        position = position.play(move)
    with pytest.raises(RuleError):
        for one in position.moves():
            position.play(one)


@pytest.mark.at_night("backgammon")
@pytest.mark.parametrize("name", ["backgammon", "dark-hex", "goofspiel"])
def test_games_that_it_is_not_for_are_refused(name: str) -> None:
    with pytest.raises(GameError) as caught:
        Engine(load(name), search="alpha-beta")
    assert caught.value.diagnostics[0].code == "no-alpha-beta"


def test_an_interrupted_search_counts_what_it_has_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(load("breakthrough"), search="alpha-beta", memory=SMALL)
    search = engine._deepening
    assert search is not None
    whole, made = search.analyse, list[Analysis]()

    def interrupted(*given: Any, **named: Any) -> Analysis:
        made.append(whole(*given, **named))
        if len(made) == 1:
            raise KeyboardInterrupt
        return made[-1]

    monkeypatch.setattr(search, "analyse", interrupted)
    with pytest.raises(Interrupted) as told:
        engine.analyse(engine.rules.start(), iterations=200)
    assert told.value.found.iterations == sum(one.iterations for one in made) > 200
    assert told.value.found.best is not None
