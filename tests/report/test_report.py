"""The report of a game: its figures, its page, and what of a file must not do anything there."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.interpreter.check import Effort, Work, findings_of
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.report.charts import use_map, win_map
from gdl.interpreter.report.guided import Guided, tension_of
from gdl.interpreter.report.measured import _held, clock, measure, openings, report_json
from gdl.interpreter.report.numbers import Share, mean_of
from gdl.interpreter.report.page import _else, in_short, report_page
from gdl.interpreter.report.sampled import (
    MOST_TOLD,
    Whole,
    heat_of,
    watched_games,
    whole_games,
    witness,
)
from gdl.load import load_game

SMALL = """
game: Small <script>alert(1)</script>
about: Who <b>fills</b> the board & stops.
players: White, Black
board: square(2, 2)
options: {goal: 2 in 1..3}
turn: |
  choose s in empty
  place Stone at s
stuck: draw
end:
  - mover wins when in_a_row(own, goal) and turns > 9
  - draw when full
"""


class Balanced(HTMLParser):
    """Notes tags that are not closed, and what a page would load or run."""

    EMPTY = frozenset({"meta", "br", "rect", "line", "circle", "polygon", "path", "stop"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.EMPTY:
            self.open.append(tag)
        if tag in ("script", "link", "img", "iframe", "object"):
            self.foreign.append(tag)
        self.foreign += [n for n, v in attrs if n.startswith("on") or (n in ("src", "href"))]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.foreign += [name for name, _ in attrs if name.startswith("on") or name == "src"]

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
            self.open.pop()


def parsed(text: str) -> Balanced:
    reader = Balanced()
    reader.feed(text)
    assert not reader.open
    return reader


def test_a_page_has_all_its_parts_and_nothing_from_elsewhere(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    arguments = ["report", "tic-tac-toe", "--option", "size=4", "--seconds", "3", "--json"]
    result = CliRunner().invoke(make_app(), [*arguments, "-o", str(out)])
    assert result.exit_code == 0, result.output
    text = out.read_text()
    assert not parsed(text).foreign
    assert "http" not in re.sub(r"http://www.w3.org/\S+|https://en.wikipedia\S+", "", text)
    for part in (
        "In short",
        "Rules",
        "Random games",
        "Sites",
        "Clauses",
        "Two games",
        "Findings of gdl check",
    ):
        assert f"<h2>{part}" in text
    assert "size = 4" in text and "three of its marks stand in a row" in text
    data = json.loads(result.stdout)
    games = data["random_games"]
    assert data["options"]["size"] == "4" and data["backend"] == "native"
    shares = [*games["by_side"].values(), games["draws"]]
    assert games["games"] > 20 and sum(share["count"] for share in shares) == games["games"]
    assert sum(clause["held"]["count"] for clause in data["clauses"]) == games["games"]
    assert len(data["shortest"]) == games["length"]["least"]
    assert len(data["longest"]) == games["length"]["most"] <= 16
    assert len(data["sites"]) == 16


def test_a_clause_that_two_phases_have_is_counted_once_for_both(tmp_path: Path) -> None:
    path = tmp_path / "phases.yaml"
    path.write_text("""\
game: Phases
players: White, Black
board: square(3, 3)
phases:
  first:
    end: any wins when in_a_row(own, 2)
    turn: |
      choose s in empty
      place Stone at s
      if turns > 2 go to second
  second:
    turn: |
      choose s in empty
      place Stone at s
end:
  - any wins when in_a_row(own, 2)
  - draw when full
""")
    game = load_game(str(path))
    whole = whole_games(NativeRules(game), clock(10), 1, 300)
    counts = {one.text: one.held.count for one in _held(game, whole)}
    assert len(whole.by_clause) == 2 and len(counts) == 2
    assert counts["any wins when in_a_row(own, 2)"] == whole.finished == 300


def test_a_clause_that_no_random_game_comes_to_is_met_near_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "late.yaml"
    path.write_text("""\
game: Late
players: White, Black
board: square(4, 4)
state: {quiet: number in 0..200}
setup: {White Stone: a1, Black Stone: d4}
turn: |
  choose s in own
  choose t in orthogonal(s) & empty
  move s to t
  add 1 to quiet
stuck: draw
end:
  - mover wins when own in (if mover = White then d4 else a1)
  - draw when quiet >= 180
""")
    work = Work(Effort(0.5))
    list(findings_of(str(path), work))
    game = load_game(str(path))
    held = {one.text: one for one in _held(game, Whole(game.sides), work.ended)}
    assert held["draw when quiet >= 180"].is_met and not held["draw"].is_met
    told = [_else(replace(held["draw"], searched=number)) for number in (0, 2)]
    assert told == ["no game", "2 of the engine"]


def test_the_way_of_a_long_game_is_told() -> None:
    rules = NativeRules(load_game("chess"))
    whole = whole_games(rules, clock(20), 1, 20)
    assert whole.longest is not None and whole.lengths[whole.longest] > 400
    moves = witness(rules, whole.longest, whole.lengths[whole.longest], 1)
    assert len(moves) == whole.lengths[whole.longest]
    assert witness(rules, whole.longest, MOST_TOLD + 1, 1) == ()


def test_a_map_tells_what_its_colours_stand_for() -> None:
    board = load_game("tic-tac-toe").board
    shares = [Share(count, 100) for count in (1, 2, 3, 4, 5, 6, 7, 8, 0)]
    drawn = use_map(board, shares, on_points=False, title="Use")
    assert ">1.0%</text>" in drawn and ">8.0%</text>" in drawn
    assert drawn.count("<polygon") == 9
    same = use_map(board, [Share(1, 9)] * 9, on_points=False, title="Use")
    assert ">11%</text>" in same and "nan" not in same


def test_who_wins_together_is_counted_together(tmp_path: Path) -> None:
    path = tmp_path / "teams.yaml"
    path.write_text("""\
game: Teams
players: N, E, S, W
teams: N and S, E and W
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when in_a_row(own, 2)
  - draw when full
""")
    game = load_game(str(path))
    report = measure(str(path), game, 1.0, 1, lambda _: None)
    text, counted = report_page(report), report_json(report)["random_games"]
    assert "N and S win" in text and "N wins" not in text
    assert list(counted["by_team"]) == ["N and S", "E and W"]
    assert counted["by_team"]["N and S"] == counted["by_side"]["N"]


def test_what_a_file_says_is_text_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL)
    game = load_game(str(path))
    report = measure(str(path), game, 1.0, 1, lambda _: None)
    text = report_page(report)
    assert not parsed(text).foreign
    assert "&lt;script&gt;" in text and "&lt;b&gt;fills&lt;/b&gt; the board &amp; stops" in text
    assert report_json(report)["random_games"]["draws"]["share"] == 1


def test_a_page_is_made_without_native_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gdl.interpreter.positions.position import Rules
    from gdl.interpreter.report import measured

    monkeypatch.setattr(measured, "_evaluator", lambda game: (Rules(game).evaluator, "reference"))
    path = tmp_path / "small.yaml"
    path.write_text(SMALL)
    report = measure(str(path), load_game(str(path)), 1.0, 1, lambda _: None)
    assert report.backend == "reference" and report.tension is None and report.whole.games
    assert "the reference interpreter" in report_page(report) and "no native code" in report_page(
        report
    )


def test_rules_that_fail_in_play_are_told(tmp_path: Path) -> None:
    path = tmp_path / "fails.yaml"
    path.write_text(
        "game: Fails\nplayers: A, B\nboard: square(2, 2)\nstate: {n: number in 0..2}\n"
        "turn: |\n  choose s in empty\n  place Stone at s\n  add 1 to n\nstuck: draw\n"
    )
    report = measure(str(path), load_game(str(path)), 1.0, 1, lambda _: None)
    assert report.failure is not None and "The rules fail in play" in report_page(report)
    result = CliRunner().invoke(
        make_app(), ["report", str(path), "--seconds", "1", "-o", str(tmp_path / "out.html")]
    )
    assert result.exit_code == 1


def test_a_report_needs_a_file() -> None:
    result = CliRunner().invoke(make_app(), ["report", "hex"])
    assert result.exit_code == 2 and "-o report.html" in result.stderr


# ------------------------------------------------------------------------------ figures


def test_whole_and_watched_games_are_counted_alike() -> None:
    rules = NativeRules(load_game("tic-tac-toe"))
    whole = whole_games(rules, clock(60), 1, 500)
    assert whole.games == 500 == sum(whole.by_side.values()) + whole.draws
    assert whole.points == whole.by_side["X"] + whole.draws / 2
    assert whole.length is not None and 5 <= whole.length.least <= whole.length.most <= 9
    assert whole_games(NativeRules(load_game("peg-solitaire")), clock(60), 1, 20).points == 0
    games = watched_games(rules, clock(60), 1, 60)
    assert len(games) == 60 and all(game.choices[0] == 9 for game in games)
    heat = heat_of(rules, games)
    assert sum(share.count for share in heat.used) == sum(len(game.moves) for game in games)
    assert all(
        won.count <= won.of <= used.count for won, used in zip(heat.won, heat.used, strict=True)
    )


@pytest.mark.slow
def test_the_middle_is_the_best_first_move() -> None:
    found = openings(NativeRules(load_game("tic-tac-toe")), clock(2), 1)
    assert found is not None and len(found.values) == 9
    assert found.values[0][0] == "b2"
    assert abs(found.fairest[1].value - 0.5) == min(abs(s.value - 0.5) for _, s in found.values)


def test_tension() -> None:
    values = ((0.4, 0.6), (0.32, 0.68), (0.9, 0.1))
    upset = Guided(("a", "b", "c", "d"), values, Outcome(("A",), (1,)))
    steady = Guided(("a", "b"), ((0.3, 0.7), (0.1, 0.9)), Outcome(("B",), (2,)))
    found = tension_of(("A", "B"), (upset, steady), 300)
    assert found.drama is not None and found.lead_changes is not None
    assert found.drama.value == pytest.approx((0.2**0.5 + 0.36**0.5) / 2 / 2)
    assert found.lead_changes.value == pytest.approx((1 / 2 + 0) / 2)
    assert found.decisiveness is not None
    assert found.decisiveness.value == pytest.approx((2 / 3 + 0) / 2)
    assert found.first.value == 0.5


def test_intervals() -> None:
    low, high = Share(0, 20).interval
    assert low == 0 and 0.1 < high < 0.2
    assert mean_of([]) is None
    found = mean_of([4.0] * 5)
    assert found is not None and found.half == 0


@pytest.mark.slow
def test_of_shares_it_is_said_which_games_they_are_of() -> None:
    game = load_game("tic-tac-toe")
    report = measure("tic-tac-toe", game, 1.0, 1, lambda _: None)
    assert "How games end" in report_page(report) and "unfinished, of all" not in report_page(
        report
    )
    report.whole.unfinished += 1
    text = report_page(report)
    assert f"How the {report.whole.finished:,} games that have ended end" in text
    assert "unfinished, of all" in text


def test_wins_of_few_games_are_not_shown_on_the_map() -> None:
    board = load_game("hex", {"size": 2}).board
    shares = [Share(5, 10), Share(9, 10), Share(9, 9), Share(0, 0)]
    drawn = win_map(board, shares, on_points=False, title="wins")
    shown = re.findall(r'pointer-events="none">(\d+)<', drawn)
    assert sorted(shown) == ["50", "90"] and drawn.count('fill="#fff"') >= 2


ENDLESS = """
game: Endless
players: White, Black
board: square(2, 2)
setup: {White Stone: a1, Black Stone: b2}
turn: |
  choose s in own
  choose t in empty
  move s to t
stuck: draw
end:
  - draw when full
"""


def test_where_no_random_game_ends_nothing_is_told_of_an_advantage(tmp_path: Path) -> None:
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS)
    report = measure(str(path), load_game(str(path)), 1.0, 1, lambda _: None)
    text = report_page(report)
    assert report.whole.games and not report.whole.finished
    assert "ended after 2,000 moves: nothing can be told of who wins" in text
    assert "First-move advantage" not in text and "the fairest would be" not in text
    assert "they tell nothing of who wins" in dict(in_short(report))["random games"]
    assert "length" not in dict(in_short(report))
    assert report_json(report)["random_games"]["first_seat_points"]["share"] is None
