"""Rules that are said a little differently: they mean what they say, and are measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks import cliffs
from replays import replayed

from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game, load_source, shipped_names

LONG = {"where"}  # The reference asks its condition of each square.


@pytest.mark.at_night("rounds", "no-let")
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n in LONG)) for n in cliffs.names()]
)
def test_machine_code_plays_each_by_its_rules(name: str) -> None:
    twin, about = cliffs.twin_of(name)
    assert twin in shipped_names()
    assert about
    rules = NativeRules(load_game(cliffs.path_of(name)))
    assert replayed(rules, 1, 30).random_plies > 0


@pytest.mark.at_night("no-let", "look-ahead")
@pytest.mark.parametrize("name", cliffs.SAME)
def test_those_that_say_the_same_have_the_same_moves(name: str) -> None:
    twin, _ = cliffs.twin_of(name)
    depth = 1 if twin == "amazons" else 3
    counts = []
    for game in (load_game(cliffs.path_of(name)), load_game(twin)):
        rules = NativeRules(game)
        counts.append(rules.perft(rules.start(), depth))
    assert counts[0] == counts[1] > 1


@pytest.mark.slow
def test_they_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cliffs.json"
    cliffs.main(["--rounds", "1", "--seconds", ".01", "--json", str(path), "second-kind"])
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["second-kind", "tic-tac-toe"]
    (found,) = json.loads(path.read_text())["cliffs"]
    assert found["ratio"] > 0


ROWS = """
game: Rows that come and go
players: X, O
pieces: Stone, Cross
board: square(6, 6)
define:
  three(d): intersection j in 0..2 of (d^j)(own)
  alone(d): three(d) - d(three(d)) - (inverse(d))(three(d))
turn: |
  choose s in empty
  optionally as cross
    remove adjacent(s) & enemy
  either as one
    place Stone at s
  or as other
    place %s at s
end:
  - %s
  - draw when full
"""


@pytest.mark.at_night("Cross")
@pytest.mark.parametrize(
    "clause",
    [
        "mover wins when count own > 9 and some d in (north, east) where some alone(d)",
        "mover loses when turns > 9 and some d in (north, east) where some three(d) - d(three(d))",
        "any wins when some d in (east, southeast) where some three(d)",
    ],
)
@pytest.mark.parametrize("kind", ["Stone", "Cross"])
def test_rows_that_may_be_broken_are_kept_as_they_are(clause: str, kind: str) -> None:
    game = load_source(Source("rows.yaml", ROWS % (kind, clause)))
    assert replayed(NativeRules(game), 15, 60).finished > 0
