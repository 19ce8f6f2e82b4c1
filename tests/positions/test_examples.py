"""What an example may say: state by its indices, turns made, further checks."""

from pathlib import Path

import pytest

from gdl.diagnostic import GameError
from gdl.interpreter import Rules, load
from gdl.interpreter.positions.examples import ExampleResult, run_examples

GAME = """game: Islands
players: White, Black
board: square(3, 3)
options: {counted: no}
state:
  hand(players): number in 0..9 = 4
  wall(orthogonal): sites
  seeds: number per site in 0..99 = 1
  kept(players, 1..2): number per site
  total: number
  spare: sites
  score: fraction = 1 / 2
  mode: name in (calm, wild)
  holder: side
turn: |
  choose s in empty - wall(north) - wall(south)
  place Stone at s
  add -1 to hand(mover)
  add 1 to seeds(s)
  add 1 to kept(mover, 1, s)
  add 1 to kept(mover, 2, s)
  add 1 to total
  if mode = wild
    set mode = calm
    set holder = owner(s)
    add 1 / 3 to score
stuck: draw
end:
  - mover wins when hand(own) = 0
  - draw when counted and (turns = 7 or passed = 2)
display: {scores: hand(own)}
examples:
"""
FIRST_LINE = 1 + GAME.count("\n")


def rules(tmp_path: Path, examples: str = "  - {count: 9}\n") -> Rules:
    path = tmp_path / "islands.yaml"
    path.write_text(GAME + examples, "utf-8")
    return load(str(path))


def run(tmp_path: Path, examples: str) -> tuple[ExampleResult, ...]:
    return run_examples(rules(tmp_path, examples).game)


@pytest.mark.parametrize(
    "example",
    [
        "{state: {spare: a1}, count: 9}",
        "{state: {hand(White): 3}, values: {hand(White): 3, hand(Black): 4}}",
        "{state: {hand( White ): 2 + 1}, values: {hand(White): 3}}",
        "{state: {wall(north): a1 | b1, wall(south): top}, count: 4}",
        "{state: {wall(north): a1 b1, wall(south): none}, count: 7}",
        "{state: {wall(north): all}, stuck: yes, winner: draw}",
        "{state: {seeds(a1): 3, seeds(b1 | c1): 5}, values: {seeds(a1 | c1): 3, seeds(c1): 5}}",
        "{state: {seeds: 7}, values: {seeds(a1): 7, seeds(c3): 7}}",
        "{state: {seeds: a1=3}, values: {seeds(a1): 3, seeds(c3): 0}}",
        '{state: {"kept(Black, 2, a1)": 5}, values: {"kept(Black, 2, a1)": 5}}',
        '{state: {"kept(Black, 2, a1)": 5}, values: {"kept(Black, 1, a1)": 0}}',
        '{state: {"kept(Black, 2)": 5}, values: {"kept(Black, 2, c3)": 5}}',
        "{state: {score: 2 / 3, mode: wild}, values: {score: 2 / 3, mode = wild: yes}}",
        "{state: {holder: Black, mode: wild}, values: {holder = Black: yes}}",
        "{state: {holder: none}, values: {holder in players: no}}",
        "{setup: {White Stone: top, Black Stone: b2 | c1}, count: 4}",
        "{setup: {rows: ... / XX. / ..., Black Stone: bottom - b1}, count: 5}",
        "{setup: {White Stone: a1, seeds(a1): 3}, values: {seeds(a1): 3, seeds(b1): 1, own: a1}}",
        "{setup: {hand(White): 3}, state: {hand(Black): 2}, values: {hand(White): 3}, count: 9}",
        "{setup: {Black Stone: all - a1}, mover: Black, play: a1, winner: draw}",
        "{turns: 6, passed: 1, count: 9}",
        "{options: {counted: yes}, turns: 6, play: a1, winner: draw}",
        "{options: {counted: yes}, turns: 7, winner: draw}",
        "{options: {counted: yes}, passed: 2, winner: draw}",
    ],
)
def test_positions_that_examples_describe(tmp_path: Path, example: str) -> None:
    (result,) = run(tmp_path, f"  - {example}\n")
    assert [d.to_text() for d in result.diagnostics] == []


@pytest.mark.parametrize(
    ("example", "code", "told"),
    [
        ("{state: {hand: 3}}", "wrong-number-of-arguments", "`hand(White)`, `hand(Black)`"),
        ("{state: {hand(Green): 3}}", "unknown-name", "Green"),
        ("{state: {hand(White): 10}}", "wrong-value", "0 to 9"),
        ("{state: {hand(White): hand(Black)}}", "not-constant", "before play"),
        ("{state: {total: 9223372036854775808}}", "wrong-value", "9223372036854775807"),
        ("{state: {seeds(own): 3}}", "no-side-here", "own"),
        ("{state: {seeds(empty): 3}}", "wrong-value", "known before play"),
        ("{state: {seeds: a9=3}}", "wrong-value", "a1=3"),
        ("{state: {seeds(a1): many}}", "wrong-value", "many"),
        ("{state: {wlal(north): a1}}", "unknown-name", "wall"),
        ("{state: {wall(nroth): a1}}", "unknown-name", "north"),
        ("{state: {wall(north): White}}", "wrong-value", "a side"),
        ("{state: {spare: tpo}}", "wrong-value", "top"),
        ("{state: {mode: clam}}", "wrong-value", "calm, wild"),
        ("{state: {mover: Black}}", "unknown-name", "mover"),
        ("{setup: {Green Stone: a1}}", "no-such-piece", "White Stone, Black Stone"),
        ("{setup: {White Stone: empty}}", "not-constant", "before play"),
        ("{setup: {White Stone: top, Black Stone: left}}", "site-taken", "a3"),
        ("{setup: {White Stone: tpo}}", "unknown-name", "top"),
        ("{setup: {rows: . . .}}", "picture", "3"),
        ("{rows: ... / ... / X.., setup: {White Stone: top}}", "wrong-value", "not by both"),
        ("{turns: many}", "wrong-value", "number of turns"),
        ("{turns: -1}", "wrong-value", "number of turns"),
    ],
)
def test_settings_that_are_refused(tmp_path: Path, example: str, code: str, told: str) -> None:
    (result,) = run(tmp_path, f"  - {example}\n")
    (diagnostic,) = result.diagnostics
    assert (diagnostic.code, told in diagnostic.to_text()) == (code, True), diagnostic.to_text()
    assert diagnostic.span is not None
    assert diagnostic.span.line == FIRST_LINE


THEN = """  - name: a short game
    play: a1
    to_move: Black
    then:
      - {play: "b1, c1", count: 6, illegal: a1, values: {White: a1 | c1}}
      - {to_move: White, play: a2, legal: b2}
      - {play: "b2, c2, a3", winner: WINNER}
"""


def test_further_checks_go_on_from_the_position_reached(tmp_path: Path) -> None:
    assert run(tmp_path, THEN.replace("WINNER", "White"))[0].passed
    (found,) = run(tmp_path, THEN.replace("WINNER", "Black"))[0].diagnostics
    assert found.message == f"Example `a short game` (line {FIRST_LINE}): The winner is White."
    assert found.span is not None
    assert found.span.line == FIRST_LINE + 6


def test_further_checks_end_with_a_move_that_is_refused(tmp_path: Path) -> None:
    (result,) = run(tmp_path, "  - {then: [{play: a1}, {play: a1}, {winner: White}]}\n")
    (found,) = result.diagnostics
    assert found.message.startswith(f"Example 1 (line {FIRST_LINE}): `a1` is not a legal move")


def test_what_the_rules_do_not_read_is_no_part_of_a_position(tmp_path: Path) -> None:
    played = rules(tmp_path)
    start = played.start()
    assert played.from_rows(state={"spare": "a1"}) == start
    assert played.from_rows(turns=3, passed=1) == start
    data = start.to_json()
    assert "hand(Black)" in data["state"]
    data["state"]["spare"] = "a1"
    assert played.from_json(data) == start
    data["state"]["speer"] = "a1"
    with pytest.raises(GameError):
        played.from_json(data)


def test_scores_are_told_by_side(tmp_path: Path) -> None:
    assert rules(tmp_path).start().play("a1").scores() == {"White": "3", "Black": "4"}
