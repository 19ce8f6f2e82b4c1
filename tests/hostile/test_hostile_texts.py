"""Texts made to do harm, too long to be kept as files: each is refused, or played, at once.

In: texts made here. Out: the code that they end with. What then holds: what doubles, or is looked
through again for each part, is counted or done once; a test that fails takes minutes.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import gdl

from gdl.diagnostic import GameError, Source
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.render.text.text import render_text
from gdl.load import load_source

OTHERS = Path(__file__).parents[1] / "hostile" / "others"
USUAL = {
    "game": "H",
    "players": "A, B",
    "board": "square(5, 5)",
    "stuck": "draw",
    "turn": "|\n  choose s in empty\n  place Stone at s",
}


def text_of(**sections: str) -> str:
    return "".join(f"{name}: {value}\n" for name, value in (USUAL | sections).items())


def names(letter: str, number: int) -> str:
    return ", ".join(f"{letter}{n}" for n in range(number))


def twice(number: int) -> str:
    """Return actions of which each does the one before twice."""
    first = "\n  a0(s): place Stone at s"
    return first + "".join(f"\n  a{n}(s): do a{n - 1}(s); do a{n - 1}(s)" for n in range(1, number))


PLACED = "|\n  choose s in empty\n  choose k in kinds\n  place k at s"
CONDITIONS = "".join(f"\n  if turns > {n}\n    choose x{n} in 1..2" for n in range(60))
PHASES = "".join(f"\n  p{n}:\n    turn: place Stone at a1; go to p{n - 1}" for n in range(1, 1200))
TOO_LARGE = {
    "sides": ("out-of-range", {"players": names("P", 20_000)}),
    "kinds": ("too-large", {"pieces": names("K", 2_000), "turn": PLACED}),
    "traits": (
        "too-large",
        {"pieces": "{P: {" + ", ".join(f"{t}: ({names(t, 200)})" for t in ("a", "b", "c")) + "}}"},
    ),
    "actions": ("too-large", {"actions": twice(30), "turn": "choose s in empty; do a29(s)"}),
    "levels": ("impossible-board", {"board": "square(1, 1, 10000)"}),
    "start": (
        "too-large",
        {
            "board": "square(60, 60)",
            "state": "{x: number per site = sum a in all of sum b in all of row(a) * row(site)}",
            "end": "draw when x(a1) > 3",
        },
    ),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_doubles_before_play_is_refused(name: str) -> None:
    code, sections = TOO_LARGE[name]
    with pytest.raises(GameError) as refused:
        load_source(Source(f"{name}.yaml", text_of(**sections)))
    assert code in {found.code for found in refused.value.diagnostics}
    assert len(refused.value.diagnostics) <= 1001


def test_conditions_in_a_row_do_not_double_native_code() -> None:
    turn = f"|\n  choose s in empty{CONDITIONS}\n  place Stone at s"
    rules = NativeRules(load_source(Source("conditions.yaml", text_of(turn=turn))))
    assert rules.perft(rules.start(), 1) == 25


def test_of_very_many_statements_no_native_code_is_made() -> None:
    phases = f"\n  p0:\n    turn: choose s in empty; place Stone at s; go to p1199{PHASES}"
    text = text_of(phases=phases).replace(f"turn: {USUAL['turn']}\n", "")
    with pytest.raises(Uncovered):
        NativeRules(load_source(Source("phases.yaml", text)))


def test_points_that_lie_far_apart_are_drawn_close_together() -> None:
    points = ", ".join(f"p{n}: {n * 7919 % 100_003} {n * 104_729 % 99_991}" for n in range(2000))
    board = f"{{points: {{{points}}}, lines: [p0 p1]}}"
    rules = Rules(load_source(Source("points.yaml", text_of(board=board))))
    assert len(render_text(rules.start().scene(), ascii=True)) < 2_000_000


def test_a_random_game_without_an_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(OTHERS)
    done = gdl("playout", "board30000-quad.yaml", "-n", "1", "--budget", "0.2x")
    assert done.exit_code == 1 and "--seconds" in done.output


def test_what_takes_long_at_the_start_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(OTHERS)
    done = gdl("check", "can-heavy.yaml", "--budget", "0.5x", "--json")
    (told,) = json.loads(done.stdout)[0]["findings"]
    assert told["code"] == "fails-at-start"


def test_a_graph_of_very_many_pairs_is_written_only_if_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "large.yaml").write_text(text_of(board="square(120, 120)"))
    done = gdl("graph", tmp_path / "large.yaml")
    assert done.exit_code == 2 and "--budget" in done.output
