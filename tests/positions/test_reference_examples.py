"""Examples that hold, and examples that do not."""

from pathlib import Path

import pytest

from gdl.diagnostic import GameError
from gdl.interpreter.explain.why_move import why_refused
from gdl.interpreter.positions.examples import ExampleResult, example_position, run_examples
from gdl.interpreter.positions.position import Rules
from gdl.load import load_game

GAME = """game: Islands
players: Red, Blue
board: square(size, 2)
options:
  size: {default: 3, in: 2..5}
state:
  drops: number in 0..9 = 0
turn: |
  choose s in empty
  place Stone at s
  set drops = drops + 1
stuck: loses
end:
  - Red wins when some own & top
  - draw when drops = 9
variants:
  quiet:
    end: [draw when full]
examples:
"""


def run(tmp_path: Path, examples: str) -> tuple[ExampleResult, ...]:
    return run_examples(rules(tmp_path, examples).game)


def rules(tmp_path: Path, examples: str, choice: str = "choose s in empty") -> Rules:
    from gdl.interpreter import load

    path = tmp_path / "islands.yaml"
    path.write_text(GAME.replace("choose s in empty", choice) + examples, "utf-8")
    return load(str(path))


@pytest.mark.parametrize(
    "example",
    [
        "{count: 6, to_move: Red, winner: nobody, stuck: no}",
        '{play: "a1, b1", count: 4, legal: "a2, c1", illegal: "a1, pass", to_move: Red}',
        "{play: [a1, b1], legal: [a2]}",
        "{options: {size: 2}, count: 4}",
        '{options: {size: 2}, variant: quiet, play: "a1, a2, b1, b2", winner: draw}',
        '{mover: Blue, state: {drops: 8}, only: "a1, b1, c1, a2, b2, c2", play: , }',
        "{state: {drops: 8}, play: a1, winner: draw}",
        "{play: a2, winner: Red}",
        '{play: "a1, b1", values: {drops: 2, own: a1, count empty: 4, top: a2 | b2 | c2}}',
        "{values: {own: none, mover: Red}}",
    ],
)
def test_examples_that_hold(tmp_path: Path, example: str) -> None:
    example = example.replace("play: , ", "")
    (result,) = run(tmp_path, f"  - {example}\n")
    assert [d.to_text() for d in result.diagnostics] == []
    assert result.passed


def test_pictures_are_compared(tmp_path: Path) -> None:
    picture = "  - rows: |\n      . . .\n      X O .\n    mover: Red\n    play: c1\n    board: |\n"
    right, wrong = "      ...\n      XOX\n", "      ...\n      XO.\n"
    assert run(tmp_path, picture + right)[0].passed
    (diagnostic,) = run(tmp_path, picture + wrong)[0].diagnostics
    assert diagnostic.code == "example-failed"
    assert "c1" in diagnostic.message


@pytest.mark.parametrize(
    ("example", "code", "told"),
    [
        ("{count: 5}", "example-failed", "6 legal moves"),
        ("{count: full}", "example-failed", "not a number"),
        ('{play: "a1, a1"}', "example-failed", "not a legal move"),
        ("{legal: z9}", "example-failed", "neither a site"),
        ("{legal: x}", "example-failed", "only stands between the words"),
        ("{illegal: z9}", "example-failed", "neither a site"),
        ("{illegal: a1 b1}", "example-failed", "put a comma before `b1`"),
        ("{legal: a1 b1}", "example-failed", "put a comma before `b1`"),
        ("{only: a1 b1}", "example-failed", "put a comma before `b1`"),
        ("{play: a1 b1}", "example-failed", "put a comma before `b1`"),
        ("{illegal: a1}", "example-failed", "is legal here"),
        ('{only: "a1, b1"}', "example-failed", "c1, a2, b2, c2"),
        ("{play: a2, winner: Blue}", "example-failed", "winner is Red"),
        ("{winner: draw}", "example-failed", "not over"),
        ("{winner: Rde}", "example-failed", "no side"),
        ("{to_move: Blue}", "example-failed", "Red is to move"),
        ("{stuck: yes}", "example-failed", "has a move"),
        ("{values: {drops: 3}}", "example-failed", "is 0"),
        ("{values: {own: a1}}", "example-failed", "is none"),
        ("{mover: Green}", "unknown-name", "Green"),
        ("{rows: xx}", "picture", "rows"),
        ("{state: {drop: 3}}", "unknown-name", "drop"),
        ("{seats: Blue, play: a1}", "wrong-value", "seats never change"),
        ("{play: a1, state: {drops: 9}}", "example-failed", "is described here is over: draw."),
        ('{play: "a2, b1"}', "example-failed", "The game is over: Red wins."),
        ("{play: a2, legal: b1}", "example-failed", "Red wins. It was legal before `play`; what"),
        ("{play: a1, legal: a1}", "example-failed", "told by `before: {legal: a1}`."),
        ("{play: a1, count: 6}", "example-failed", "told by `before: {count: 6}`."),
        ("{play: a1, to_move: Red}", "example-failed", "told by `before: {to_move: Red}`."),
        ("{values: {a1: none}}", "example-failed", "Write `a1 & occupied: none`."),
        ("{play: a1, values: {a1: Blue}}", "example-failed", "Write `a1 in Blue: yes`."),
    ],
)
def test_examples_that_fail(tmp_path: Path, example: str, code: str, told: str) -> None:
    (result,) = run(tmp_path, f"  - {example}\n")
    assert not result.passed
    first = result.diagnostics[0]
    assert (first.code, told in first.to_text()) == (code, True), first.to_text()
    assert first.span is not None
    assert first.span.line == 20


def test_what_was_illegal_before_the_moves_is_told(tmp_path: Path) -> None:
    choice = "choose s in empty where drops > 0 or s in bottom"
    game = rules(tmp_path, "  - {play: a1, illegal: [a2, b1]}\n", choice).game
    (result,) = run_examples(game)
    hints = {found.span.text: found.hint for found in result.diagnostics if found.span}
    told = "It was illegal before `play`; what holds there is told by `before: {illegal: a2}`."
    assert hints == {"a2": told, "b1": ""}


@pytest.mark.parametrize(
    ("example", "told"),
    [
        ("{play: a1, b1}", "a comma ends the value of `play`: put several in `[…]` or in quotes."),
        ("{play: a1, b1, b2}", "a comma ends the value of `play`: put several"),
        ("{count: 6, b1}", "a comma ends the value of `count`: put several in quotes."),
        ("{play: a1, winer: Red}", "Did you mean `winner`?"),
        ("{play: a1, b1: 3}", "Its settings are"),
    ],
)
def test_a_comma_in_braces_is_told(tmp_path: Path, example: str, told: str) -> None:
    with pytest.raises(GameError) as raised:
        run(tmp_path, f"  - {example}\n")
    assert all(told in found.hint for found in raised.value.diagnostics)


@pytest.mark.parametrize(
    ("example", "told", "line"),
    [
        ("{play: [a2, a1]}", "This ends the game.", "Red wins when some own & top"),
        ("{play: [a1, a1]}", "`s` can't be a1, which is not one of these.", "choose s in empty"),
        ("{play: a2, then: [{legal: b1}]}", "This ends the game.", "Red wins when some own & top"),
    ],
)
def test_what_forbids_a_move_is_told(tmp_path: Path, example: str, told: str, line: str) -> None:
    (result,) = run_examples(rules(tmp_path, f"  - {example}\n").game, why=why_refused)
    ((message, span),) = result.diagnostics[0].related
    assert (message, span.text) == (told, line)


def test_nothing_is_told_of_a_word_that_is_none(tmp_path: Path) -> None:
    (result,) = run_examples(rules(tmp_path, "  - {legal: z9}\n").game, why=why_refused)
    assert result.diagnostics[0].related == ()


TWINS = """game: Twins
players: Red, Blue
board: square(3, 3)
turn: |
  choose a in empty
  place Stone at a
  choose b in empty
  place Stone at b
stuck: draw
end: draw when full
examples:
"""
STEPS = """game: Steps
players: Red, Blue
board: square(3, 3)
setup: {rows: "OOO / ... / XXX"}
turn: |
  choose a in own
  choose b in orthogonal(a) & empty
  move a to b
  optionally
    choose c in orthogonal(b) & empty & top
    move b to c
stuck: loses
end: draw when turns = 40
examples:
"""


@pytest.mark.parametrize(
    ("example", "told"),
    [
        ("illegal: a1-a2 c1-c2", "`a1-a2 c1-c2` is more than one move"),
        ("illegal: a1-a2 b1", "`a1-a2 b1` is more than one move"),
        ("illegal: a1 a2 a3 b3", "`a1 a2 a3 b3` is more than one move"),
        ("illegal: ['a1-a2, c1-c2']", "`a1-a2, c1-c2` is more than one move"),
        ("illegal: a1 a2 a3", ""),
        ("illegal: a1-a2-a3", ""),
        ("illegal: a1-b1 a2", ""),
    ],
)
def test_an_illegal_move_is_one_that_some_position_could_have(
    tmp_path: Path, example: str, told: str
) -> None:
    path = tmp_path / "steps.yaml"
    path.write_text(f"{STEPS}  - {example}\n", "utf-8")
    (result,) = run_examples(load_game(str(path)))
    messages = [diagnostic.message.partition(": ")[2] for diagnostic in result.diagnostics]
    assert messages == ([f"{told}."] if told else [])


@pytest.mark.parametrize(
    ("example", "told"),
    [
        ("illegal: a1 b1 c1", ""),
        ("illegal: a1 b1 c1 a2", "`a1 b1 c1 a2` is more than one move"),
        ("illegal: a1-b1 c1", "`a1-b1 c1` is more than one move"),
        ("illegal: a1 a1", ""),
    ],
)
def test_a_word_too_many_may_be_one_move(tmp_path: Path, example: str, told: str) -> None:
    path = tmp_path / "twins.yaml"
    path.write_text(f"{TWINS}  - {example}\n", "utf-8")
    (result,) = run_examples(load_game(str(path)))
    messages = [diagnostic.message.partition(": ")[2] for diagnostic in result.diagnostics]
    assert messages == ([f"{told}."] if told else [])


def test_wrong_options_and_expressions_are_told_at_the_example(tmp_path: Path) -> None:
    for example in ("{options: {size: 9}, count: 1}", "{values: {owm: a1}}", "{variant: loud}"):
        (result,) = run(tmp_path, f"  - {example}\n")
        assert not result.passed
        assert all(d.span is not None and d.span.line == 20 for d in result.diagnostics)


def test_one_failure_does_not_hide_another(tmp_path: Path) -> None:
    (result,) = run(tmp_path, "  - {count: 1, winner: Red, to_move: Blue}\n")
    assert len(result.diagnostics) == 3


def test_a_rule_that_fails_is_told(tmp_path: Path) -> None:
    (result,) = run(tmp_path, '  - {state: {drops: 9}, mover: Blue, play: "a1"}\n')
    assert not result.passed


def test_examples_can_be_gone_to_by_name(tmp_path: Path) -> None:
    game = rules(tmp_path, "  - {name: middle, play: b1}\n  - {play: 'a1, b1'}\n").game
    assert example_position(game, "middle").rows() == ". . .\n. X ."
    assert example_position(game, "2").rows() == ". . .\nX O ."
    with pytest.raises(GameError) as error:
        example_position(game, "midle")
    assert "middle" in error.value.diagnostics[0].hint
