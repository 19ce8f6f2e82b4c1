"""Native code as an evaluator: many positions at once, threads, interrupts, and memory."""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from memory import peak_grows_by_less_than

from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.evaluation.moves import FORCED_PASS
from gdl.interpreter.native.runtime.machine_code import Compilation
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.native.runtime.uninterruptible import is_working
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_game, load_source

ROOT = Path(__file__).parents[2]
SMALL = ("tic-tac-toe", "go", "othello", "draughts")


ALONE = """\
game: Alone
players: A
board: square(2, 2)
turn: |
  choose s in empty
  place Stone at s
stuck: draw
"""


def native(name: str) -> NativeRules:
    return NativeRules(load_game(name))


def game_of(text: str) -> NativeRules:
    return NativeRules(load_source(Source("small.yaml", text)))


def positions(rules: NativeRules, number: int) -> list[State]:
    """Return positions of random games in which there is a legal move."""
    states = [rules.playout(rules.start(), Chance(5, n), n % 30).state for n in range(number)]
    return [state for state in states if rules.legal(state)]


# -------------------------------------------------------------- many positions at once


@pytest.mark.parametrize("name", SMALL)
def test_step_makes_a_move_in_each_position(name: str) -> None:
    rules = native(name)
    reference = ReferenceRules(rules.game)
    states = positions(rules, 40)
    picks = [n * 7 % len(rules.legal(state)) for n, state in enumerate(states)]
    expected = [
        reference.apply(state, reference.legal(state)[pick])
        for state, pick in zip(states, picks, strict=True)
    ]
    assert rules.step(states, picks) == expected
    assert rules.step([], []) == []


STUCK = """
game: Stuck
players: White, Black
board: square(3, 1)
turn: |
  choose s in empty where mover = White
  place Stone at s
stuck: passes
end: draw when count(empty) = 0
"""


def test_step_passes_where_a_side_must() -> None:
    rules = game_of(STUCK)
    state = rules.step([rules.start()], [2])[0]
    assert rules.legal(state) == (FORCED_PASS,)
    assert rules.step([rules.start(), state, rules.start()], [0, 0, 1]) == [
        rules.apply(rules.start(), rules.legal(rules.start())[0]),
        rules.apply(state, FORCED_PASS),
        rules.apply(rules.start(), rules.legal(rules.start())[1]),
    ]


@pytest.mark.parametrize("picks", [[0, 9], [9, 0], [0, -1], [9, 9]])
def test_step_refuses_a_move_that_is_not_there(picks: list[int]) -> None:
    rules = native("tic-tac-toe")
    with pytest.raises(IndexError):
        rules.step([rules.start()] * 2, picks)


def test_step_refuses_a_game_that_is_over() -> None:
    rules = native("tic-tac-toe")
    over = rules.playout(rules.start(), Chance(1), 9).state
    with pytest.raises(IndexError):
        rules.step([over], [0])


@pytest.mark.parametrize("name", SMALL)
def test_equal_positions_have_one_hash_and_others_have_others(name: str) -> None:
    rules = native(name)
    states = {rules.playout(rules.start(), Chance(3, n), 12).state for n in range(60)}
    again = {rules.playout(rules.start(), Chance(3, n), 12).state for n in range(60)}
    hashes = {rules.hash(state) for state in states}
    assert hashes == {rules.hash(state) for state in again}
    assert len(hashes) == len(states) > 10
    assert all(0 <= number < 1 << 128 for number in hashes)


def test_a_hash_does_not_tell_which_clause_has_ended_a_game() -> None:
    text = """
game: Two ends
players: A, B
pieces: Stone
board: square(2, 1)
turn: |
  either as stay
    next mover
  or as leave
    next enemy
end:
  - draw when turns > 1 and mover = A
  - draw when turns > 1
"""
    rules = NativeRules(load_source(Source("game.yaml", text)))
    state = rules.start()
    stay, leave = rules.legal(state)
    one, other = (
        rules.apply(rules.apply(state, first), second)
        for first, second in ((leave, stay), (stay, leave))
    )
    assert one == other and one.ended is not None and other.ended is not None
    assert one.ended.ending != other.ended.ending
    assert rules.hash(one) == rules.hash(other)


def test_a_hash_does_not_tell_in_which_order_positions_came() -> None:
    rules = native("go")
    moves = {move.text: move for move in rules.legal(rules.start())}
    a, b, c, d = ("a1", "b2", "c3", "d4")

    def played(*texts: str) -> State:
        state = rules.start()
        for text in texts:
            state = rules.apply(state, moves[text])
        return state

    assert played(a, b) != played(b, a)
    assert rules.hash(played(a, b, c, d)) != rules.hash(played(c, b, a, d))
    assert rules.hash(played(a, b)) == rules.hash(played(a, b))


# ---------------------------------------------------------------------------- values


@pytest.mark.parametrize("name", ["taifas", "quadrant-hex", "trellis-original"])
def test_scores_are_those_of_the_reference(name: str) -> None:
    """Of games played to the end: there the scores differ."""
    rules = native(name)
    reference = ReferenceRules(rules.game)
    found = set()
    for number in range(20):
        state = rules.playout(rules.start(), Chance(5, number), 400).state
        scores = tuple(rules.value(state, score) for score in rules.game.scores)
        assert scores == tuple(reference.value(state, score) for score in rules.game.scores)
        found.add(scores)
    assert len(found) > 1


# ------------------------------------------------------------------------- failures

GROWING = """
game: Growing
players: White, Black
board: square(2, 2)
state: {made: number in 0..5 = 0}
turn: |
  choose s in all
  set made = made + 1
"""


CLAUSES = """\
game: Clauses
players: White, Black
board: square(3, 1)
turn: |
  choose s in empty
  place Stone at s
stuck: loses
end:
  - White wins when turns = 1 and a1 in own
  - any wins when turns = 2 and b1 in own
"""


def test_the_ending_of_a_game_is_told_by_either_evaluator_to_the_other() -> None:
    native = game_of(CLAUSES)
    reference = ReferenceRules(native.game)
    found = set()
    for n in range(20):
        ended = reference.playout(reference.start(), Chance(5, n), 10).outcome
        there = native.playout(State(native.start().values, ended), Chance(5, n), 10).outcome
        assert ended is not None
        assert there is not None
        assert (there, there.ending, there.span) == (ended, ended.ending, ended.span)
        found.add(ended.ending)
    assert len(found) > 2 and 0 not in found


def test_what_the_rules_forbid_is_told_as_the_reference_tells_it() -> None:
    rules = game_of(GROWING)
    reference = ReferenceRules(rules.game)
    with pytest.raises(RuleError) as found:
        rules.playouts(rules.start(), 10, 1, 100, threads=2)
    with pytest.raises(RuleError) as expected:
        reference.playout(reference.start(), Chance(1), 100)
    assert found.value.diagnostic == expected.value.diagnostic
    assert rules.playouts(rules.start(), 10, 1, 5).unfinished == 10


LATE = """
game: Growing late
players: White, Black
board: square(2, 1)
state: {made: number in 0..5 = 0}
turn: |
  choose s in all
  place Stone at s
  set made = turns * 3
end: draw when turns = 9
"""


def test_a_game_that_is_left_before_the_rules_fail_does_not_fail() -> None:
    rules = game_of(LATE)
    for number in range(5):
        assert rules.playout(rules.start(), Chance(1, number), 2).outcome is None
        with pytest.raises(RuleError, match="6 does not fit"):
            rules.playout(rules.start(), Chance(1, number), 3)
    assert replayed_failure(rules) == "overflow"


def replayed_failure(rules: NativeRules) -> str:
    """Return the only failure of the rules that verifying meets."""
    verdict = verify(ReferenceRules(rules.game), rules, limits=Limits(3, 10))
    assert verdict.difference is None
    (failure,) = verdict.failures
    assert len(failure.moves) == 3
    return failure.diagnostic.code


# --------------------------------------------------------------------------- threads


@pytest.mark.parametrize("name", SMALL)
def test_threads_change_no_result(name: str) -> None:
    rules = native(name)
    start = rules.start()
    alone = rules.playouts(start, 101, 3, 200)
    assert alone.playouts == 101
    for threads in (2, 3, 7):
        assert rules.playouts(start, 101, 3, 200, threads=threads) == alone
    parts = rules.playouts(start, 40, 3, 200)
    parts.include(rules.playouts(start, 61, 3, 200, first=40))
    assert parts == alone
    assert rules.perft(start, 3, threads=2) == rules.perft(start, 3)
    assert rules.perft(start, 0, threads=2) == 1


def test_more_threads_than_games() -> None:
    rules = native("tic-tac-toe")
    assert rules.playouts(rules.start(), 2, 1, 9, threads=5).playouts == 2


def test_two_threads_on_two_games_do_not_disturb_each_other() -> None:
    def played(name: str) -> list[object]:
        rules = native(name)
        found: list[object] = [rules.playouts(rules.start(), 50, n, 100) for n in range(10)]
        return [*found, rules.perft(rules.start(), 2), rules.legal(rules.start())]

    names = ("hex", "go", "othello", "breakthrough")
    expected = [played(name) for name in names]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(played, names)) == expected


def test_threads_share_an_evaluator() -> None:
    rules = native("go")
    reference = ReferenceRules(rules.game)
    states = positions(rules, 24)
    expected = [reference.legal(state) for state in states]
    with ThreadPoolExecutor(4) as pool:
        assert [list(moves) for moves in pool.map(rules.legal, states)] == list(map(list, expected))


# ------------------------------------------------------------------------- interrupts

ENDLESS = {
    "playouts": "rules.playouts(rules.start(), 10**12, 1, 1000)",
    "playouts on threads": "rules.playouts(rules.start(), 10**12, 1, 1000, threads=2)",
    "perft": "rules.perft(rules.start(), 9)",
    "perft on threads": "rules.perft(rules.start(), 9, threads=2)",
}


@pytest.mark.parametrize("work", ENDLESS)
def test_an_interrupt_ends_the_work(work: str) -> None:
    program = (
        "import sys, time\n"
        "from gdl.load import load_game\n"
        "from gdl.interpreter.native.runtime.rules import NativeRules\n"
        "rules = NativeRules(load_game('hex'))\n"
        "print('ready', flush=True)\n"
        f"try:\n    {ENDLESS[work]}\n"
        "except KeyboardInterrupt:\n    print(time.time(), flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=200)
    assert process.returncode == 0
    assert float(output) - sent < 0.2


def test_a_process_ends_while_something_is_compiled() -> None:
    """A thread that holds LLVM when the process ends, as after an interrupt, is not waited for."""
    program = (
        "import threading\n"
        "from gdl.load import load_game\n"
        "from gdl.interpreter.native.runtime import machine_code\n"
        "from gdl.interpreter.native.runtime.rules import NativeRules\n"
        "rules = NativeRules(load_game('tic-tac-toe'))\n"
        "rules.playouts(rules.start(), 10, 1, 9)\n"
        "thread = threading.Thread(target=machine_code._lock.acquire)\n"
        "thread.start()\n"
        "thread.join()\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=60)


def test_an_interrupted_evaluator_goes_on() -> None:
    rules = native("hex")
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        rules.perft(rules.start(), 9)
    assert rules.perft(rules.start(), 2) == 121 * 120
    assert rules.playouts(rules.start(), 10, 1, 1000).playouts == 10


def test_an_interrupt_does_not_wait_for_what_nothing_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compiling is LLVM's work: it goes on by itself, and what is compiled next waits for it."""
    goes_on, compiled = threading.Event(), Compilation.object_code

    def slowly(code: Compilation) -> bytes:
        goes_on.wait(200)
        return compiled(code)

    rules = game_of(ALONE)
    with monkeypatch.context() as slow:
        slow.setattr(Compilation, "object_code", slowly)
        slow.setenv("GDL_CODE", "off")
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            rules.compile()
        assert is_working()
        goes_on.set()
    assert rules.perft(rules.start(), 1) == 4


# ----------------------------------------------------------------------------- memory


def resident() -> int:
    """Return the bytes of memory that the process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")


def test_a_million_games_need_no_more_memory_than_a_thousand() -> None:
    rules = native("tic-tac-toe")
    rules.playouts(rules.start(), 1000, 1, 9, threads=2)
    with peak_grows_by_less_than(4 << 20):
        rules.playouts(rules.start(), 1_000_000, 1, 9, threads=2)


def growth_by_loading(times: int) -> int:
    """Return how many bytes more the process has after a game is loaded and dropped so often.

    Each is looked for at once: how many wait to be found says nothing of what is kept for good.
    """
    game = load_game("tic-tac-toe")

    def load() -> None:
        rules = NativeRules(game)
        rules.playouts(rules.start(), 5, 1, 9)
        del rules
        gc.collect()

    for _ in range(5):
        load()
    before = resident()
    for _ in range(times):
        load()
    return resident() - before


def growth_in_a_new_process(times: int) -> int:
    """Return how much a process grows that has nothing else to go through for garbage."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
        return processes.submit(growth_by_loading, times).result()


@needs_proc
def test_games_that_are_dropped_are_freed() -> None:
    assert growth_in_a_new_process(20) < 20 * _MOST_LEFT


@pytest.mark.slow
@needs_proc
def test_hundreds_of_games_that_are_dropped_are_freed() -> None:
    assert growth_in_a_new_process(200) < 200 * _MOST_LEFT


_MOST_LEFT = 1 << 17
"""Bytes a game: llvmlite keeps what LLVM's passes are made of, and what is remembered of
expressions grows up to a bound; together about half of this."""


def test_a_closed_evaluator_frees_its_code_once() -> None:
    rules = native("tic-tac-toe")
    rules.close()
    rules.close()
    with pytest.raises(RuntimeError, match="freed"):
        _ = rules.code.assembly


# --------------------------------------------------------------- what it does not cover

UNCOVERED = {
    "in a condition": "    require 2 ^ n > 0\n",
    "in a statement": "    set n = 2 ^ n\n",
    "in a variable that is chosen": "    choose m in 1..2 ^ (n - turns)\n",
    "in a sum": "    add (sum i in 1..3 of i ^ n) to n\n",
}


@pytest.mark.parametrize("line", UNCOVERED.values(), ids=UNCOVERED.keys())
def test_what_keeps_a_game_from_native_code_is_told_with_its_line(line: str) -> None:
    text = (
        "game: Powers\nplayers: White, Black\nboard: square(2, 2)\nturn: |\n"
        "  choose s in empty\n  let n = 3\n  repeat 2 times\n    add -1 to n\n"
        f"{line}  place Stone at s\nstuck: draw\n"
    )
    with pytest.raises(Uncovered) as caught:
        NativeRules(load_source(Source("powers.yaml", text)))
    span = caught.value.diagnostic.span
    assert span is not None
    assert span.line == 9


def test_what_keeps_a_game_from_native_code_is_told_where_it_is_written() -> None:
    text = (
        "game: Powers\nplayers: White, Black\nboard: square(2, 2)\nstate: {n: number}\n"
        "options: {base: 2 in 2..3}\n"
        "define:\n  worth(s): count adjacent(s) + base ^ n\n  is_rich(s): worth(s) > 7\n"
        "turn: |\n  choose s in empty where is_rich(s)\n  add 1 to n\n  place Stone at s\n"
        "stuck: draw\n"
    )
    with pytest.raises(Uncovered) as caught:
        NativeRules(load_source(Source("powers.yaml", text), {"base": 3}))
    found = caught.value.diagnostic
    assert found.span is not None
    assert found.span.text == "base ^ n"
    assert [(span.line, words) for words, span in found.related] == [(4, "`n` has no bounds here.")]


NUMBERS_THAT_SHARE_NAMES = """game: Sums of dice
players: Red, Blue
board: square(11, 1)
define:
  length(s): 13 - 2 * abs(column(s) - 6)
  number_of(s): column(s) + 1
  total: die(1) + die(2) + die(3) + die(4)
  is_sum(n): some w in 2..3 where die(1) + die(w) = n
  level_of(s): if runner(s) > 0 then runner(s) else base(mover, s)
  open(s): level_of(s) < length(s) and not (some p in players where base(p, s) = length(s))
  both(x, y):
    number_of(x) + number_of(y) = total and is_sum(number_of(x)) and open(x) and open(y)
  single(x): is_sum(number_of(x)) and open(x) and not (some y in bottom where both(x, y))
state:
  die(1..4): number in 0..6
  base(players): number per site in 0..13
  runner: number per site in 0..13
turn: |
  either
    choose x in bottom
    choose y in bottom where both(x, y)
  or
    require no x in bottom where single(x)
    choose n in 1..6
    set die(1) = n
stuck: draw
end: draw when turns = 4
"""


def test_variables_of_one_name_that_stand_within_each_other_both_ways_have_bounds() -> None:
    game = load_source(Source("dice.yaml", NUMBERS_THAT_SHARE_NAMES))
    reference, native = ReferenceRules(game), NativeRules(game, checked=True)
    assert native.perft(native.start(), 3) == reference.perft(reference.start(), 3)
