"""The engine: what it proves is true, what it plays is legal, and how its searches end."""

from __future__ import annotations

import ctypes
import random
import re
import threading
import time
from functools import cache
from math import sqrt
from textwrap import dedent

import pytest

from gdl.analysis.ranges import Uncovered
from gdl.diagnostic import GameError, Source
from gdl.interpreter import load
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.search.engine import GAMES_IF_SHORT, Engine
from gdl.interpreter.search.first_moves.amaf import IS_OFF, USED_TABLES
from gdl.interpreter.search.machine.compiled import Compiled, NotNative
from gdl.interpreter.search.machine.instructions import (
    ROW_BYTES,
    Doubles,
    Floats,
    PairFloats,
    Record,
    RowShorts,
    RowSigns,
    Shorts,
    Words,
    add_at_once,
    address,
    array,
    exchanged,
    interleaved,
    latest,
    native,
    publish,
    shifted,
)
from gdl.interpreter.search.memory.tree import ROOT
from gdl.interpreter.search.tree_search.findings import children_with_moves
from gdl.interpreter.sessions.seats import RandomPlayer, winning_move
from gdl.load import load_source
from gdl.model import Game


def rules_of(text: str) -> Rules:
    return Rules(load_source(Source("made-up.yaml", text)))


def after(rules: Rules, moves: str) -> Position:
    position = rules.start()
    for move in filter(None, moves.split(", ")):
        position = position.play(move)
    return position


def at_random(rules: Rules, plies: int, seed: int) -> Position:
    """Return a position after random moves, of a game that goes on."""
    chance = random.Random(seed)
    while True:
        position = rules.start()
        for _ in range(plies):
            if not position.over:
                position = position.play(chance.choice(position.moves()))
        if not position.over:
            return position


# ---------------------------------------------------------------- Python as machine code


class Numbers(Record):
    """What the function below works on."""

    weight: float
    is_odd: bool
    whole: Shorts
    parts: Floats
    sums: Doubles


BIAS = -3


@native
def _twice(number: int) -> int:
    return 2 * number


@native
def worked_out(numbers: Numbers, rounds: int) -> int:
    total, count = 0, 0
    for n in range(1, rounds, 2):
        if n == 5 or (n > 20 and not numbers.is_odd):
            continue
        if n > 40:
            break
        numbers.whole[n % 8] += n
        numbers.parts[n % 8] = n / 2
        numbers.sums[0] += numbers.weight * n
        total += _twice(n) if 3 < n <= 9 else BIAS
    while count < 1000:
        count += 7
        total = max(total, count) ^ min(count, 12) | shifted(-1, 60) & 3
    for n in range(10, 0, -3):
        total += n // 2 - (n << 2)
    return total + int(numbers.sums[0])


def numbers(is_odd: bool) -> Numbers:
    return Numbers(
        weight=0.75,
        is_odd=is_odd,
        whole=array("Shorts", 8),
        parts=array("Floats", 8),
        sums=array("Doubles", 1),
    )


@pytest.mark.parametrize("is_odd", [True, False])
def test_machine_code_does_what_python_does(is_odd: bool) -> None:
    ours, theirs = numbers(is_odd), numbers(is_odd)
    assert Compiled(worked_out)(worked_out, ours, 100) == worked_out(theirs, 100)
    for name in ("whole", "parts", "sums"):
        assert list(getattr(ours, name)) == list(getattr(theirs, name))


class Threads(Record):
    """What several threads write to: rows, and pairs."""

    visits: RowShorts
    locks: RowSigns
    means: PairFloats
    spreads: PairFloats
    words: Words


@native
def shared_out(threads: Threads, rounds: int) -> int:
    taken = 0
    for n in range(rounds):
        place = n % 3
        if exchanged(threads.locks, place, 1) == 0:
            taken += 1
        add_at_once(threads.visits, place, 2 * n)
        add_at_once(threads.means, place, 0.5)
        threads.spreads[place] += threads.means[place]
        publish(threads.words, 0, latest(threads.words, 0) + n)
        publish(threads.locks, place, n % 2)
    return taken


def test_machine_code_does_what_python_does_with_what_threads_share() -> None:
    def shared() -> Threads:
        rows, pairs = array("Bytes", 3 * ROW_BYTES), array("Bytes", 3 * 8)
        return Threads(
            words=array("Words", 1),
            **interleaved({"visits": "RowShorts", "locks": "RowSigns"}, rows, 8),
            **interleaved({"means": "PairFloats", "spreads": "PairFloats"}, pairs),
        )

    ours, theirs = shared(), shared()
    assert Compiled(shared_out)(shared_out, ours, 20) == shared_out(theirs, 20) > 1
    for name in Threads.__annotations__:
        assert list(getattr(ours, name)) == list(getattr(theirs, name))


@native
def read_twice(threads: Threads) -> int:
    return latest(threads.words, 0) + latest(threads.words, 0) + threads.words[0]


def test_what_threads_share_is_read_each_time() -> None:
    text = Compiled(read_twice)._machine_code.optimised
    assert text.count("load atomic i64") == 2
    assert re.search(r"load atomic.*load atomic.*load i64", text, re.DOTALL)


def test_no_two_arrays_share_a_line_of_the_cache() -> None:
    begins = [address(array("Words", size)) for size in (1, 2, 3, 700)]
    assert not any(begin % (2 * ROW_BYTES) for begin in begins)


@native
def with_a_list(number: int) -> int:
    return len([number])


def test_what_is_not_native_is_refused() -> None:
    with pytest.raises(NotNative):
        Compiled(with_a_list)


# ------------------------------------------------------------------------------- proofs


def exact(rules: ReferenceRules, state: State, seats: tuple[int, ...]) -> dict[int, float]:
    """Return what a position is worth for each seat, by trying everything."""

    @cache
    def worth(state: State) -> float:
        outcome = rules.outcome(state)
        if outcome is not None:
            return 0.5 if len(outcome.seats) != 1 else float(outcome.seats[0] == 1)
        found = [worth(rules.apply(state, move)) for move in rules.legal(state)]
        seat = Position(Rules(rules.game), state).seat
        return max(found) if seat == 1 else min(found)

    first = worth(state)
    return dict(zip(seats, (first, 1 - first), strict=True))


@pytest.mark.at_night("othello-options4-56")
@pytest.mark.parametrize(
    ("name", "options", "plies"),
    [
        ("tic-tac-toe", {}, 3),
        ("hex", {"size": 3}, 2),
        ("hex", {"size": 3, "pie": "yes"}, 3),
        ("connect-four", {"columns_wide": 4, "rows_high": 4}, 8),
        ("othello", {}, 56),
        ("clobber", {"width": 4, "height": 3}, 2),
    ],
)
def test_what_is_proven_is_true(name: str, options: dict[str, object], plies: int) -> None:
    rules = load(name, options)  # type: ignore[arg-type]
    engine, proven = Engine(rules, seed=1), 0
    for seed in range(3):
        position = at_random(rules, plies, seed)
        analysis = engine.analyse(position, iterations=30_000)
        for move in analysis.moves:
            if move.is_proven:
                proven += 1
                state = position.play(move.move).state
                truth = exact(ReferenceRules(rules.game), state, (1, 2))
                assert truth[position.seat or 0] == move.value, (seed, str(move.move))
    assert proven


@pytest.mark.parametrize(
    ("name", "moves", "plies"),
    [
        ("tic-tac-toe", "a1, a2, b1, b2", 1),
        ("connect-four", "d1, a1, d2, a2, d3, b1", 1),
        ("hex", "", 0),
        ("connect-four", "d1, a1, e1, a2", 3),
        ("tic-tac-toe", "a1, b1, a2, a3", 3),
    ],
)
def test_a_forced_win_is_found_and_proven(name: str, moves: str, plies: int) -> None:
    rules = load(name, {"size": 2} if name == "hex" else None)
    analysis = Engine(rules, seed=2).analyse(after(rules, moves), iterations=60_000)
    best = analysis.best
    assert best is not None and best.is_proven and best.value == 1
    assert not plies or best.plies == plies
    assert analysis.verdict.startswith(f"{analysis.position.mover} wins in ")
    assert analysis.value[analysis.position.mover] == 1


def test_a_forced_loss_is_resisted() -> None:
    """Of moves that all lose, the one that holds out longest is the best."""
    rules = load("tic-tac-toe")
    position = after(rules, "a1, b1, b2")
    analysis = Engine(rules, seed=1).analyse(position, iterations=20_000)
    assert {move.value for move in analysis.moves} == {0.0}
    assert [move.plies for move in analysis.moves] == [4, 2, 2, 2, 2, 2]
    assert analysis.best_move == position.parse("c3")
    assert analysis.verdict == "O loses in 4 moves at most"


OF_THREE = """game: Three
players: A, B, C
board: square(3, 1)
turn: |
  choose s in empty
  place Stone at s
end: {end}
stuck: draw
"""


@pytest.mark.parametrize(
    ("end", "verdict"),
    [
        ("draw when full", "a draw"),
        ("every highest count(own) wins when full", "a draw"),
        ("mover wins when full", "C wins in 1 move at most"),
        ("A wins when full", "C loses in 1 move at most"),
    ],
)
def test_what_is_proven_of_three_sides_is_told(end: str, verdict: str) -> None:
    rules = rules_of(OF_THREE.format(end=end))
    analysis = Engine(rules).analyse(after(rules, "a1, b1"), iterations=50)
    assert analysis.verdict == verdict
    if end == "mover wins when full":
        assert analysis.value == {"A": 0, "B": 0, "C": 1}


def test_nothing_is_said_to_be_lost_while_moves_were_not_tried() -> None:
    end = "enemy wins when some own & a1"
    rules = rules_of(OF_THREE.format(end=end).replace("A, B, C", "A, B"))
    for iterations in (1, 2):
        assert Engine(rules, amaf=False).analyse(rules.start(), iterations=iterations).verdict == ""


def test_what_is_certain_comes_before_what_is_no_better() -> None:
    """A draw for certain is better than a move that was looked at more, but can at most draw."""
    rules = load("tic-tac-toe")
    for seed in range(3):
        engine = Engine(rules, seed=seed)
        analysis = engine.analyse(rules.start(), iterations=60_000)
        assert analysis.best is not None and analysis.best.bounds == (0.5, 0.5)
        assert all(move.value <= 0.5 for move in analysis.moves)
        assert set(analysis.value.values()) == {0.5}


def test_tic_tac_toe_is_never_lost() -> None:
    rules = load("tic-tac-toe")
    for game in range(6):
        engine, chance = Engine(rules, seed=game), random.Random(game)
        other = RandomPlayer(chance)
        position, seat = rules.start(), 1 + game % 2
        while not position.over:
            if position.seat == seat:
                move = engine.analyse(position, iterations=300).best_move
                assert move is not None
            else:
                move = winning_move(position) or other.choose(position)
            position = position.play(move)
        assert position.outcome is not None and position.outcome.seats in ((), (seat,))


# --------------------------------------------------- chance, seats, sides, what came before

CHANCE = """\
game: Two dice
players: White, Black
board: square(3, 1)
state: {pips: number in 0..12, rolls: number in 0..2}
phases:
  begin: |
    choose s in empty
    place Stone at s
    go to roll
  roll:
    seat: nobody
    turn: |
      choose n in 1..6
      add n to pips
      add 1 to rolls
end:
  - White wins when rolls = 2 and pips >= 10
  - Black wins when rolls = 2
"""


def test_dice_are_worth_what_they_are_worth() -> None:
    """Of 36 throws of two dice, 6 come to ten or more."""
    engine = Engine(rules_of(CHANCE), seed=1)
    analysis = engine.analyse(engine.rules.start(), iterations=40_000)
    truth = 6 / 36
    error = 4 * sqrt(truth * (1 - truth) / 40_000)
    assert abs(analysis.value["White"] - truth) < error
    assert abs(sum(analysis.value.values()) - 1) < 1e-9
    thrown = engine.rules.start().play("a1").play("6")
    analysis = engine.analyse(thrown, iterations=20_000)
    assert analysis.best_move is None and thrown.seat is None
    assert sorted(move.value for move in analysis.moves) == [0, 0, 0, 1, 1, 1]
    visits = [move.visits for move in analysis.moves]
    usual = sum(visits) / 6
    assert 0.85 * usual < min(visits) and max(visits) < 1.15 * usual


def test_seats_that_exchange_sides_are_told_apart() -> None:
    """On a board of two by two, who is second takes over any first stone, and wins."""
    rules = load("hex", {"size": 2, "pie": "yes"})
    analysis = Engine(rules, seed=1).analyse(after(rules, "b1"), iterations=20_000)
    assert analysis.best is not None and analysis.best.move.text == "swap"
    assert analysis.best.is_proven and analysis.best.value == 1


def test_three_sides_have_a_value_each() -> None:
    rules = rules_of(
        "game: Thirds\nplayers: A, B, C\nboard: square(3, 3)\n"
        "turn: |\n  choose s in empty\n  place Stone at s\n"
        "end:\n  - mover wins when in_a_row(own, 3)\n  - draw when no empty\n"
    )
    position = after(rules, "a1, c3, b2, a2, c2, c1")
    analysis = Engine(rules, seed=1).analyse(position, iterations=5_000)
    assert set(analysis.value) == {"A", "B", "C"}
    assert all(0 <= value <= 1 for value in analysis.value.values())
    assert sum(analysis.value.values()) > 0.99


@pytest.mark.parametrize("iterations", [50, 2000])
def test_a_draw_of_two_teams_counts_half(iterations: int) -> None:
    """Winners of a team have a point each, so one of four that nobody beat has half of one."""
    rules = rules_of(
        "game: Pairs\nplayers: N, E, S, W\nteams: N and S, E and W\nboard: square(3, 1)\n"
        "turn: |\n  choose s in empty\n  place Stone at s\nend: draw when full\n"
    )
    for moves in ("a1", "a1, b1, c1"):
        analysis = Engine(rules, seed=1).analyse(after(rules, moves), iterations=iterations)
        assert all(value == 0.5 for value in analysis.value.values())


@pytest.mark.at_night("trellis", "nine-mens")
@pytest.mark.parametrize("name", ["go", "kalah", "nine-mens-morris", "royal-game-of-ur", "trellis"])
def test_whatever_it_expects_is_legal(name: str) -> None:
    """Positions that may not come again, stones that are sown on, passes: all by the rules."""
    rules = load(name, {"size": 3} if name == "go" else None)
    engine, chance = Engine(rules, seed=3), random.Random(1)
    position = rules.start()
    for _ in range(20):
        if position.over:
            break
        analysis = engine.analyse(position, iterations=150, lines=3)
        assert {move.move for move in analysis.moves} <= set(position.moves())
        for move in analysis.moves[:3]:
            reached = position
            for follows in move.line:
                reached = reached.play(follows)
        best = analysis.best_move
        position = position.play(best or chance.choice(position.moves()))


# ---------------------------------------------------------------------- how searches end


def told(engine: Engine, position: Position, **budget: float) -> list[tuple[str, int, float]]:
    analysis = engine.analyse(position, **budget)  # type: ignore[arg-type]
    return [(move.move.text, move.visits, move.value) for move in analysis.moves]


def test_the_same_seed_finds_the_same() -> None:
    rules = load("othello")
    position = rules.start()
    first, second, third = (Engine(rules, seed=seed) for seed in (5, 5, 6))
    found = told(first, position, iterations=3000)
    assert found == told(second, position, iterations=3000)
    assert found != told(third, position, iterations=3000)
    assert sum(visits for _, visits, _ in found) in (2999, 3000)


def test_short_random_games_are_played_several_from_a_node_where_time_counts() -> None:
    short, long = Engine(load("connect-four"), seed=1), Engine(load("hex"), seed=1)
    assert (short.games_in_time, long.games_in_time) == (GAMES_IF_SHORT, 1)
    start = short.rules.start()
    counted = short.analyse(start, iterations=1001)
    assert counted.iterations == 1001
    short.forget()
    timed = short.analyse(start, seconds=0.05)
    assert timed.iterations % GAMES_IF_SHORT == 0
    assert all(move.visits % GAMES_IF_SHORT == 0 for move in timed.moves)


def test_games_from_a_node_are_the_games_that_follow_it() -> None:
    """Each begins where the node is: what three games come to is what three nodes' games do."""
    rules = load("go", {"size": 5})
    position = at_random(rules, 30, seed=4)
    values = []
    for games in (1, 3):
        engine = Engine(rules, seed=7, games=games)
        values.append(engine.analyse(position, iterations=30_000).value[position.mover])
    assert values[0] == pytest.approx(values[1], abs=0.1)
    assert 0.05 < values[0] < 0.95


def test_what_was_found_out_is_kept() -> None:
    rules = load("othello")
    engine = Engine(rules, seed=1)
    analysis = engine.analyse(rules.start(), iterations=5000)
    first = analysis.moves[0]
    reply = first.line[1]
    position = rules.start().play(first.move).play(reply)
    again = engine.analyse(position, iterations=1)
    assert 100 < sum(move.visits for move in again.moves) < 5000
    engine.forget()
    assert sum(move.visits for move in engine.analyse(position, iterations=1).moves) <= 1


def test_a_full_memory_does_not_end_the_search() -> None:
    rules = load("hex")
    engine = Engine(rules, seed=1, memory=100_000)
    analysis = engine.analyse(rules.start(), iterations=20_000)
    assert analysis.iterations == 20_000
    assert sum(move.visits for move in analysis.moves) > 19_000


def test_several_threads_search_one_tree() -> None:
    rules = load("breakthrough")
    engine = Engine(rules, seed=1, threads=3)
    analysis = engine.analyse(rules.start(), iterations=30_000)
    assert analysis.iterations == 30_000
    assert sum(move.visits for move in analysis.moves) in range(29_990, 30_001)
    solved = Engine(load("tic-tac-toe"), seed=1, threads=2)
    assert solved.analyse(solved.rules.start(), iterations=500_000).verdict == "a draw"


@pytest.mark.at_night("backgammon")
@pytest.mark.parametrize(
    ("name", "games", "iterations"),
    [("hex", 1, 6000), ("backgammon", 1, 1200), ("go", 1, 6000), ("hex", 4, 6000), ("go", 3, 6000)],
)
def test_a_tree_that_threads_have_searched_is_whole(name: str, games: int, iterations: int) -> None:
    """Each child is the position after its move, and no visit and no result is lost."""
    rules = load(name, {"size": 5} if name != "backgammon" else {})
    engine, position = Engine(rules, seed=1, threads=3, games=games), rules.start()
    while position.seat is None:
        position = position.play(position.moves()[0])
    engine.analyse(position, iterations=iterations)
    tree, binding = engine._kept.tree, engine.binding
    assert tree is not None
    level = [(int(tree.state[ROOT]), position)]
    for _ in range(2):
        below = []
        for node, at in level:
            seat = binding.seat(at.state, 0, 0, 1)
            assert binding.position(tree, node) == bytes(seat.desk.position[: binding.fields.bytes])
            totals = tree.totals[node * tree.apart : node * tree.apart + 2]
            assert sum(totals) == pytest.approx(tree.visits[node])
            assert tree.visits[node] % games == 0
            moves = engine.native.legal(at.state)
            found = children_with_moves(tree, node)
            assert len({number for number, _ in found}) == len(found)
            assert sum(tree.visits[child] for _, child in found) <= tree.visits[node]
            below += [(child, at.play(moves[number])) for number, child in found[:5]]
        level = [(node, at) for node, at in below if not at.over and tree.visits[node]]
    assert level


def test_moves_are_ordered_where_pieces_stay() -> None:
    rules = load("hex", {"size": 5})
    engine, position, most = Engine(rules, seed=1), rules.start(), 0
    for _ in range(8):
        analysis = engine.analyse(position, iterations=4000)
        moves = [move.move for move in analysis.moves]
        assert len(set(moves)) == len(moves) and set(moves) <= set(position.moves())
        position = position.play(analysis.moves[0].move)
        tree, tally = engine._kept.tree, engine._kept.tally
        assert tree is not None and not tally.state[IS_OFF]
        for table in range(tally.state[USED_TABLES]):
            assert tree.tables[tally.owners[table]] == table
            assert tally.games[table] > 0
        most = max(most, tally.state[USED_TABLES])
    assert most > 4


@pytest.mark.parametrize("name", ["breakthrough", "othello", "go"])
def test_moves_are_not_ordered_where_pieces_move_or_are_taken(name: str) -> None:
    rules = load(name, {"size": 5} if name == "go" else {})
    position = at_random(rules, 16 if name == "othello" else 6, seed=1)
    with_it, without = (Engine(rules, seed=1, amaf=amaf) for amaf in (True, False))
    assert told(with_it, position, iterations=2000) == told(without, position, iterations=2000)
    assert with_it._kept.tally.state[IS_OFF]


def test_order_by_random_games_is_stronger_in_hex() -> None:
    rules = load("hex", {"size": 7})
    players = [Engine(rules, seed=1, amaf=amaf) for amaf in (True, False)]
    won = 0
    for game in range(10):
        position, chance = at_random(rules, 2, seed=game // 2), random.Random(game)
        for engine in players:
            engine.begin(chance.getrandbits(32))
        while not position.over:
            engine = players[((position.seat or 1) + game) % 2]
            best = engine.analyse(position, iterations=400, lines=0).best_move
            assert best is not None
            position = position.play(best)
        assert position.outcome is not None
        won += players[(position.outcome.seats[0] + game) % 2] is players[0]
    assert won >= 7


def test_time_ends_a_search() -> None:
    rules = load("hex")
    analysis = Engine(rules, seed=1).analyse(rules.start(), seconds=0.2)
    assert analysis.iterations > 0 and analysis.seconds >= 0.2
    assert analysis.iterations_per_second == analysis.iterations / analysis.seconds


def test_an_interrupt_ends_a_search() -> None:
    """Nobody waits for the end of the time; and the engine can be asked again."""
    rules = load("hex")
    engine = Engine(rules, seed=1)
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
    assert engine.analyse(rules.start(), iterations=10).iterations == 10


def test_a_finished_game_has_a_value_but_no_moves() -> None:
    rules = load("tic-tac-toe")
    analysis = Engine(rules).analyse(after(rules, "a1, a2, b1, b2, c1"))
    assert analysis.moves == () and analysis.value == {"X": 1.0, "O": 0.0}
    assert analysis.best_move is None and analysis.verdict == ""


# --------------------------------------------------------------------------- what fails


FAILING = """\
game: Failing
players: White, Black
board: square(3, 3)
state: {stones: number in 0..2}
turn: |
  choose s in empty
  place Stone at s
  add 1 to stones
end: draw when no empty
"""


def test_rules_that_fail_are_told_with_the_moves_that_lead_there() -> None:
    engine = Engine(rules_of(FAILING), seed=1)
    with pytest.raises(RuleError) as found:
        engine.analyse(engine.rules.start(), iterations=100)
    assert found.value.diagnostic.span is not None
    position = engine.rules.start()
    for move in found.value.moves or ():
        position = position.play(move)
    with pytest.raises(RuleError):
        for move in position.moves():
            position.play(move)


def test_a_game_without_native_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: Game) -> None:
        raise Uncovered("a construct")

    monkeypatch.setattr("gdl.interpreter.native.runtime.rules.NativeRules", refuse)
    with pytest.raises(GameError) as found:
        Engine(load("hex"))
    (diagnostic,) = found.value.diagnostics
    assert diagnostic.code == "not-native" and diagnostic.span is not None
    assert "no engine" in (diagnostic.hint or "")


def filled(players: str, end: str) -> Rules:
    """Return rules by which the board is filled."""
    text = f"""\
        game: Filling
        players: {players}
        board: square(2, 2)
        turn: |
          choose s in empty
          place Stone at s
        end: {end} when full
        """
    return Rules(load_source(Source("filling.yaml", dedent(text))))


def test_a_draw_is_shared_out_among_all() -> None:
    rules = filled("A, B, C", "draw")
    analysis = Engine(rules, seed=1).analyse(rules.start(), iterations=100)
    assert list(analysis.value.values()) == pytest.approx([1 / 3] * 3)
    last = rules.start()
    while not last.over:
        last = last.play(last.moves()[0])
    assert list(Engine(rules).analyse(last).value.values()) == pytest.approx([1 / 3] * 3)


def test_who_plays_alone_and_does_not_win_has_lost() -> None:
    rules = filled("A", "draw")
    analysis = Engine(rules, seed=1).analyse(rules.start(), iterations=1000)
    assert analysis.value == {"A": 0} and analysis.verdict == "A loses in 4 moves at most"


def test_what_can_not_be_searched_is_refused() -> None:
    rules = filled("A, B", "draw")
    engine, start = Engine(rules), rules.start()
    for wrong in ({"seconds": -1.0}, {"seconds": float("nan")}, {"iterations": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            engine.analyse(start, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Tic-tac-toe, not of Filling"):
        engine.analyse(load("tic-tac-toe").start())
    for wrong in ({"threads": 0}, {"search": "foo"}):  # type: ignore[assignment]
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Engine(rules, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("search", ["tree", "alpha-beta"])
def test_threads_that_share_an_engine_wait_for_each_other(search: str) -> None:
    rules = load("connect-four")
    engine, start = Engine(rules, search=search), rules.start()
    wrong: list[object] = []

    def ask(position: Position) -> None:
        try:
            for _ in range(10):
                found = engine.analyse(position, iterations=1000)
                wrong.extend({one.move for one in found.moves} - set(position.moves()))
        except Exception as error:
            wrong.append(error)

    threads = [
        threading.Thread(target=ask, args=(start.after(move),)) for move in start.moves()[:3]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
