"""What native code does where a turn takes more work, time or memory than there is.

In: turns that nothing ends, and turns with thousands of decisions. Out: what then holds: whatever
runs is stopped at a deadline and by an interrupt; a turn that takes too much work fails with a
place in its file, always at the same point; nothing crashes.

What might crash or hang runs in a process of its own.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from textwrap import dedent

import pytest
from forked_commands import run_python

from gdl.core.work import units_of_block
from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.native.emit.ir import Module
from gdl.interpreter.native.emit.kinds import FALSE, I64, Address
from gdl.interpreter.native.memory import context
from gdl.interpreter.native.memory.work_checks import Polls
from gdl.interpreter.native.runtime import machine_code
from gdl.interpreter.native.runtime.machine_code import this_machine
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.turns import search_calls, searches
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game, load_source

ROOT = Path(__file__).parents[2]
_PATIENCE = 120
_LITTLE_WORK = 1 << 20

HEAD = "game: Long\nplayers: White, Black\nstuck: draw\n"
ENDLESS = {
    "ranges": """\
        board: square(3, 3)
        state: {n: number}
        turn: |
          choose s in empty
          for each a in 1..1000
            for each b in 1..1000
              for each c in 1..1000
                for each d in 1..1000
                  set n = a
          require n > 0
          place Stone at s
        """,
    "ranges of unknown length": """\
        board: square(3, 3)
        state: {n: number, z: number = 1000}
        turn: |
          choose s in empty
          for each a in 1..z
            for each b in 1..z
              for each c in 1..z
                for each d in 1..z
                  set n = a
          require n > 0
          place Stone at s
        """,
    "rounds within rounds": """\
        board: square(3, 3)
        state: {n: number}
        turn: |
          repeat 1000 times
            repeat 1000 times
              repeat 1000 times
                repeat 1000 times
                  set n = (n + 1) mod 1000003
          choose s in empty
          place Stone at s
        """,
    "a sum": """\
        board: square(3, 3)
        state: {z: number = 1000000000000}
        turn: |
          choose s in empty
          require (sum i in 1..z of i mod 7) > 0
          place Stone at s
        """,
    "dead ends": """\
        board: square(3, 3)
        turn: |
          choose a in 1..2000
          choose b in 1..2000
          choose c in 1..2000
          choose d in 1..2000
          require a + b + c = d - 3
          place Stone at first(empty)
        """,
    "orders": """\
        board: square(5, 5)
        turn: |
          choose a in empty
          choose b in empty - a
          choose c in empty - a - b
          choose d in empty - a - b - c
          choose e in empty - a - b - c - d
          choose f in empty - a - b - c - d - e
          choose g in empty - a - b - c - d - e - f
          place Stone at a
          require a in b
        """,
    "looking ahead": """\
        board: square(19, 19)
        turn: |
          choose s in empty
          choose t in empty - s
          place Stone at s | t
          require can enemy make count own > 900
        """,
    "decisions without choices": """\
        board: square(3, 3)
        state: {n: number}
        turn: |
          repeat 1000 times
            repeat 1000 times
              repeat 1000 times
                repeat 1000 times
                  set n = (n + 1) mod 1000003
                  if n > 2000000
                    choose t in empty
          choose s in empty
          place Stone at s
        """,
    "a large board": """\
        board: square(150, 150)
        turn: |
          choose s in sites s in empty where \
            (count t in all where (count u in all where t in adjacent(u) | s) > 5) > 3
          place Stone at s
        """,
}
CALLS = {
    "playouts": "rules.playouts(rules.start(), 10**9, 1, 10)",
    "perft": "rules.perft(rules.start(), 2)",
    "legal": "rules.legal(rules.start())",
}
BEGINNING = """
import sys, time
from gdl.diagnostic import Source
from gdl.load import load_source
from gdl.interpreter.native.runtime import machine_code
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.wasm.rules import WasmRules
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.native.runtime.threads import TimeIsUp
rules = KIND(load_source(Source('long.yaml', sys.stdin.read())))
rules.compile()
"""
NATIVE, WASM = "NativeRules", "WasmRules"
KINDS = [NATIVE, WASM]
BY_KINDS = [
    *((NATIVE, rules) for rules in ENDLESS),
    *((WASM, rules) for rules in ("ranges", "dead ends", "looking ahead", "a large board")),
]
"""What plays; and which turns without an end by which of them."""


def rules_of(text: str) -> str:
    """Return the text of a game with these rules."""
    return HEAD + dedent(text)


def run(program: str, text: str, kind: str = NATIVE) -> str:
    """Return what a program prints, that is given a game's text and plays in one way."""
    with tempfile.TemporaryDirectory() as folder:
        done = run_python(BEGINNING.replace("KIND", kind) + program, Path(folder), text)
    assert done.status == 0, done.errors
    return done.output


@pytest.mark.at_night("orders", "unknown length", "rounds", "WasmRules-d", "WasmRules-r", "a sum")
@pytest.mark.parametrize(("kind", "rules"), BY_KINDS)
def test_a_deadline_ends_what_runs(kind: str, rules: str) -> None:
    program = "".join(
        "rules.limit(work=1 << 60, deadline=time.monotonic() + 0.1)\n"
        f"try:\n    {call}\nexcept TimeIsUp:\n    print('{name}')\n"
        for name, call in CALLS.items()
    )
    assert run(program, rules_of(ENDLESS[rules]), kind).split() == list(CALLS)


SHORT_TURNS = """\
    board: square(3, 3)
    turn: |
      choose s in all
      if s in Stone
        remove s
      else
        place Stone at s
    """
"""Nothing of these turns can fail or take long, and no game of them ends."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_deadline_ends_a_game_of_short_turns(kind: str) -> None:
    program = (
        "rules.limit(deadline=time.monotonic() + 0.1)\n"
        "try:\n    rules.playouts(rules.start(), 1, 1, 10**15)\n"
        "except TimeIsUp:\n    print('ended')\n"
    )
    assert run(program, rules_of(SHORT_TURNS), kind) == "ended\n"


@pytest.mark.parametrize("plies", [0, 1, 2, 255, 256, 257, 511, 512, 513, 1000])
def test_a_game_of_short_turns_has_as_many_as_are_asked_for(plies: int) -> None:
    game = load_source(Source("short.yaml", rules_of(SHORT_TURNS)))
    native, reference = NativeRules(game), ReferenceRules(game)
    played = native.playout(native.start(), Chance(3), plies)
    assert played.moves == plies
    assert played == reference.playout(reference.start(), Chance(3), plies)


@pytest.mark.at_night("NativeRules-playouts")
@pytest.mark.parametrize(("kind", "call"), [*((NATIVE, call) for call in CALLS), (WASM, "legal")])
def test_an_interrupt_ends_what_runs(kind: str, call: str) -> None:
    program = (
        "rules.limit(work=1 << 60)\nprint('ready', flush=True)\n"
        f"try:\n    {CALLS[call]}\nexcept KeyboardInterrupt:\n    print('ended')\n"
    )
    text = rules_of(ENDLESS["orders"])
    with subprocess.Popen(
        [sys.executable, "-c", BEGINNING.replace("KIND", kind) + program],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(text)
        process.stdin.close()
        process.stdin = None
        assert process.stdout.readline() == "ready\n"
        threading.Event().wait(0.3)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=_PATIENCE)
    assert output == "ended\n"


@pytest.mark.parametrize(("kind", "rules"), BY_KINDS)
def test_a_turn_that_takes_too_much_work_fails_at_a_place(kind: str, rules: str) -> None:
    program = "from gdl.interpreter.evaluation.evaluator import RuleError\n" + "".join(
        f"rules.limit(work={_LITTLE_WORK})\n"
        f"try:\n    {call}\nexcept RuleError as error:\n"
        "    print(error.diagnostic.code, error.diagnostic.span.line)\n"
        for call in CALLS.values()
    )
    lines = run(program, rules_of(ENDLESS[rules]), kind).splitlines()
    assert len(lines) == len(CALLS)
    for line in lines:
        code, number = line.split()
        assert code == "too-much-work"
        assert int(number) >= 6


def test_work_is_counted_the_same_on_any_number_of_threads() -> None:
    """The number of a game decides whether a turn takes too much work, nothing else."""
    text = """\
        board: square(3, 3)
        state: {n: number}
        turn: |
          choose s in empty
          for each i in 1..n
            for each j in 1..n
              add 0 to n
          add 60 to n
          place Stone at s
        """
    rules = NativeRules(load_source(Source("growing.yaml", rules_of(text))))
    start = rules.start()
    ends = set()
    for work in range(100_000, 1_000_000, 100_000):
        rules.limit(work=work)
        for threads in (1, 2):
            try:
                ends.add((work, rules.playouts(start, 20, 1, 100, threads).playouts))
            except RuleError as error:
                ends.add((work, error.diagnostic.code))
    assert len(ends) == len(range(100_000, 1_000_000, 100_000))
    assert {what for _, what in ends} == {"too-much-work", 20}


@pytest.mark.slow
def test_what_is_read_of_earlier_positions_is_work() -> None:
    text = """\
        board: square(3, 3)
        state: {n: number}
        turn: |
          for each i in 1..1000
            if seen(n) > i
              add 1 to n
          add 1 to n
          pass
        """
    rules = NativeRules(load_source(Source("remembering.yaml", rules_of(text))))
    rules.limit(work=_LITTLE_WORK)
    assert rules.playouts(rules.start(), 1, 1, 400).moves == 400
    with pytest.raises(RuleError) as caught:
        rules.playouts(rules.start(), 1, 1, 2000)
    assert caught.value.diagnostic.code == "too-much-work"


DEEP = """\
    board: square(24, 24)
    state:
      v: number per site
      w: number per site
    turn: |
      repeat 1000 times
        choose n in 1..1
        set v(a1) = n
        set w(a1) = n
      place Stone at first(empty)
    """
DEEPER = """\
    board: square(60, 60)
    state:
      v: number per site
    turn: |
      repeat 1000 times
        repeat 1000 times
          if count own > 9000
            choose n in 1..2
        choose n in 1..1
        set v(a1) = n
      place Stone at first(empty)
    """


@pytest.mark.parametrize("kind", KINDS)
def test_decisions_one_after_the_other_need_no_more_stack_than_there_is(kind: str) -> None:
    program = (
        "start = rules.start()\n"
        "print(rules.perft(start, 1), len(rules.legal(start)), rules.perft(start, 2))\n"
        "print(rules.playouts(start, 1, 1, 2).moves)\n"
    )
    assert run(program, rules_of(DEEP), kind).split() == ["1", "1", "1", "2"]


@pytest.mark.parametrize("kind", KINDS)
def test_rounds_without_decisions_need_no_more_stack_than_there_is(kind: str) -> None:
    program = (
        "from gdl.interpreter.evaluation.evaluator import RuleError\n"
        "rules.limit(deadline=time.monotonic() + 2)\n"
        "try:\n    rules.perft(rules.start(), 1)\n"
        "except (RuleError, TimeIsUp):\n    pass\n"
        "print('ended')\n"
    )
    assert run(program, rules_of(DEEPER), kind) == "ended\n"


def test_sequences_as_deep_as_one_likes_are_counted() -> None:
    text = "board: square(1, 1)\nturn: pass\nend: draw when turns = 9000\n"
    program = "print(rules.perft(rules.start(), 3000), rules.perft(rules.start(), 9001))"
    assert run(program, rules_of(text)) == "1 0\n"


def test_a_choice_that_is_much_too_large_is_refused_at_once() -> None:
    text = """\
        board: square(100, 100)
        turn: |
          choose s in empty
          choose t in all
          place Stone at s
        """
    game = load_source(Source("large.yaml", rules_of(text)))
    native, reference = NativeRules(game), ReferenceRules(game)
    codes = []
    for rules in (native, reference):
        for ask in (rules.legal, lambda state, rules=rules: rules.perft(state, 1)):
            with pytest.raises(RuleError) as caught:
                ask(rules.start())
            codes.append(caught.value.diagnostic)
    assert codes[0].code == "too-many-moves"
    assert len(set(map(str, codes))) == 1


def test_closing_waits_for_what_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """\
        board: square(9, 9)
        turn: |
          choose s in empty
          place Stone at s
        """
    rules = NativeRules(load_source(Source("filling.yaml", rules_of(text))))
    rules.code.games.compile()
    played = []
    begun = threading.Event()

    def under_way(call: Callable[..., int], *arguments: object) -> int:
        begun.set()
        return call(*arguments)

    def play() -> None:
        played.append(rules.playouts(rules.start(), 20_000, 1, 1000).playouts)

    users = rules.code.users
    monkeypatch.setattr(users, "call", partial(users.call, under_way))
    player = threading.Thread(target=play)
    player.start()
    assert begun.wait(_PATIENCE)
    rules.close()
    assert played or player.is_alive()
    player.join()
    assert played == [20_000]


def test_a_random_game_alone_is_limited_too() -> None:
    rules = NativeRules(load_source(Source("long.yaml", rules_of(ENDLESS["ranges"]))))
    rules.limit(work=_LITTLE_WORK)
    with pytest.raises(RuleError) as caught:
        rules.playout(rules.start(), Chance(1), 5)
    assert caught.value.diagnostic.code == "too-much-work"


FAILING = """\
board: square(4, 4)
state: {n: number in 0..5}
turn: |
  choose s in empty
  place Stone at s
  if s in rows(1)
    add 2 to n
"""


def test_an_error_in_a_random_game_tells_the_moves_that_lead_there() -> None:
    """Three sites of the first row are too many: after the moves told, some move fails."""
    game = load_source(Source("failing.yaml", HEAD + FAILING))
    native, reference = NativeRules(game), ReferenceRules(game)
    errors = []
    for play in (
        lambda: native.playouts(native.start(), 10, 1, 100, threads=2),
        lambda: native.playout(native.start(), Chance(1), 100),
    ):
        with pytest.raises(RuleError) as caught:
            play()
        errors.append(caught.value)
    for error in errors:
        assert error.diagnostic.code == "overflow"
        assert error.diagnostic.span is not None and error.diagnostic.span.line == 10
        assert error.moves is not None
        position = Rules(game, reference).start()
        for text in error.moves:
            position = position.play(text)
        assert sum(text.endswith("1") for text in error.moves) == 2
        with pytest.raises(RuleError):
            for move in reference.legal(position.state):
                reference.apply(position.state, move)


def test_an_error_while_moves_are_counted_has_its_place() -> None:
    rules = NativeRules(load_source(Source("failing.yaml", HEAD + FAILING)))
    assert rules.perft(rules.start(), 3) == 16 * 15 * 14
    with pytest.raises(RuleError) as caught:
        rules.perft(rules.start(), 4)
    assert caught.value.diagnostic.span is not None
    assert caught.value.diagnostic.span.line == 10


def test_a_step_that_takes_long_is_carried_out_to_its_end() -> None:
    rounds = " ".join(f"sum {word} in all of" for word in "abcd")
    sums = HEAD + dedent(
        f"""\
        board: square(3, 3)
        state: {{n: number}}
        turn: |
          choose s in empty
          place Stone at s
          set n = {rounds} sum e in occupied of row(e) + n
        """
    )
    native = NativeRules(load_source(Source("sums.yaml", sums)), most_register_sites=1)
    start = native.start()
    after = [native.apply(start, move) for move in native.legal(start)]
    assert native.step([start] * len(after), range(len(after))) == after
    native.close()


def test_who_plays_on_when_the_code_is_freed_is_told() -> None:
    rules = NativeRules(load_game("tic-tac-toe"))
    rules.compile()
    start, ends = rules.start(), []

    def play(ask: Callable[[], object]) -> None:
        try:
            while True:
                ask()
        except BaseException as error:
            ends.append(error)

    asked: list[Callable[[], object]] = [
        lambda: rules.legal(start),
        lambda: rules.perft(start, 2),
        lambda: rules.playouts(start, 3, 1, 9),
    ]
    players = [threading.Thread(target=play, args=(ask,)) for ask in asked]
    for player in players:
        player.start()
    rules.close()
    for player in players:
        player.join()
    assert [type(end) for end in ends] == [RuntimeError] * len(asked)


SEVERAL = """\
    board: square(7, 7)
    define: {large(side p): max g in groups(p, adjacent) of count g}
    turn: |
      if turns = 0
        choose 1 stones in empty
      else
        choose 1..3 stones in empty
      place Stone at stones
    end:
      - any wins when full and large(own) > 9
      - draw when full
    """


def test_listing_is_not_charged_with_the_turns_that_come_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = NativeRules(load_source(Source("several.yaml", rules_of(SEVERAL))))
    rules.limit(work=_LITTLE_WORK << 2)
    second = rules.apply(rules.start(), rules.legal(rules.start())[0])
    monkeypatch.setattr(ReferenceRules, "legal", None)
    assert len(rules.legal(second)) == 48 + 48 * 47 // 2 + 48 * 47 * 46 // 6


def test_ways_of_a_turn_are_counted_by_the_branch_that_they_take(tmp_path: Path) -> None:
    """Many branches of which each way takes one are no more work than the longest of them."""

    def units(branches: int) -> int:
        cases = "".join(
            f"  else if k = {n}\n    choose t in empty where t != s\n    place Stone at t\n"
            for n in range(2, branches + 1)
        )
        path = tmp_path / "branches.yaml"
        path.write_text(
            "game: Branches\nplayers: A, B\nboard: square(5, 5)\n"
            f"turn: |\n  choose k in 1..{branches}\n  choose s in empty\n"
            "  if k = 1\n    choose t in empty where t != s\n    place Stone at t\n"
            f"{cases}  place Stone at s\nstuck: draw\n"
        )
        return units_of_block(load_game(str(path)).program.phases[0].turns[0].program)

    assert units(16) < 3 * units(2)


def test_what_comes_after_a_loop_is_work_besides_the_loop() -> None:
    def units(*, has_loop: bool, has_more: bool) -> int:
        module = Module(this_machine())
        f = module.function("work", "void", ["ptr %counts"])
        with f.rounds(3 if has_loop else 0), f.when(FALSE):
            for _ in range(50):
                f.add(I64, 1, Address("%counts"))
        for _ in range(50 if has_more else 0):
            f.add(I64, 1, Address("%counts"))
        f.give("void")
        return Polls(module, module.reached(("work",))[0], 3).cost_of("work").usual

    alone = units(has_loop=True, has_more=False), units(has_loop=False, has_more=True)
    assert units(has_loop=True, has_more=True) > 0.9 * sum(alone)


def test_code_never_divides_by_how_many_ways_there_are_not() -> None:
    """LLVM takes a division by the number 0 for code that is never reached."""
    text = (ROOT / "tests" / "conformance" / "nowhere-to-go-on.yaml").read_text(encoding="utf-8")
    rules = NativeRules(load_source(Source("nowhere.yaml", text)))
    assert not re.search(r"\b[us](div|rem) i64 \S+, 0$", rules.code.games.text, re.MULTILINE)
    outcome = rules.playout(rules.start(), Chance(1, 0), 10).outcome
    assert outcome is not None and outcome.winners == ("Black",)


def test_a_text_as_long_as_a_book_is_spared_what_takes_long() -> None:
    passes = machine_code._passes
    assert machine_code._SIMPLIFICATION in passes(" " * 600_000, machine_code.Effort.FULL)
    assert machine_code._SIMPLIFICATION not in passes(" " * 700_000, machine_code.Effort.FULL)


def test_each_search_of_a_turn_may_go_through_all_its_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ways are counted, and then one is picked: each time as many may be compared."""
    for module in (context, search_calls, searches):
        monkeypatch.setattr(module, "MOST_WAYS", 300)
    text = (
        f"{HEAD}board: square(4, 4)\nturn: |\n  choose a in all\n  choose b in all\n"
        "  place Stone at a | b\n  keep most row(a)\n"
    )
    native = NativeRules(load_source(Source("keep.yaml", text), {}))
    monkeypatch.setattr(ReferenceRules, "playout", None)
    assert native.playouts(native.start(), 5, 1, 10).moves == 50
