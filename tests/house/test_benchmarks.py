"""The benchmarks run, measure what they say, and their C programs play by the games' rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from benchmarks import (
    compile_times,
    curves,
    gains,
    lengths,
    measure,
    openspiel,
    peers,
    programs,
    table,
    wasm,
)
from benchmarks.measure import NotNative, Round
from benchmarks.programs import PROGRAMS, Program, ProgramPlayer
from benchmarks.table import Case, Measured, Share, Times

from gdl.diagnostic import Diagnostic
from gdl.interpreter.evaluation.playout import playouts
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game, shipped_names

needs_c = pytest.mark.skipif(programs.compiler() is None, reason="there is no C compiler")
TINY = ["--backend", "reference", "--rounds", "2", "--seconds", "0.01"]
TOLERANCE = 4.5  # standard errors


# ----------------------------------------------------------------------- C programs

CASES = {case.name: case for case in table.cases(shipped_names(), hex_sizes=True)}
REFERENCE_GAMES = {
    "amazons": 150,
    "breakthrough": 400,
    "connect-four": 3000,
    "go superko=no": 150,
    "gomoku": 600,
    "hex": 400,
    "hex size=14": 150,
    "hex size=19": 60,
    "othello": 200,
    "tic-tac-toe": 8000,
}


@needs_c
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_compiles_and_plays(name: str, tmp_path: Path) -> None:
    sites = len(load_game(CASES[name].game, CASES[name].options).board.sites)
    player = ProgramPlayer(PROGRAMS[name], tmp_path)
    played = player.play(200)
    assert played.games == 200
    assert played.seconds > 0
    report = player.report(200)
    assert report.unfinished == 0
    assert 0.1 < report.first_wins < 0.9
    assert sites / 3 < report.length < 2 * sites


@needs_c
def test_a_macro_changes_the_program(tmp_path: Path) -> None:
    small = ProgramPlayer(Program("hex", {"N": 5}), tmp_path).report(1000)
    assert small.length < 25


@needs_c
def test_a_program_that_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.c").write_text("int main(void) { return nothing; }\n")
    monkeypatch.setattr(programs, "SOURCES", tmp_path)
    with pytest.raises(programs.BuildError, match="nothing"):
        ProgramPlayer(Program("broken"), tmp_path)


@pytest.mark.slow
@needs_c
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_plays_by_the_rules(name: str, tmp_path: Path) -> None:
    rules = ReferenceRules(load_game(CASES[name].game, CASES[name].options))
    start, games = rules.start(), REFERENCE_GAMES[name]
    played = list(playouts(rules, start, games, seed=2))
    report = ProgramPlayer(PROGRAMS[name], tmp_path).report(100_000)
    lengths = [playout.moves for playout in played]
    wins = [playout.outcome is not None and playout.outcome.seats == (1,) for playout in played]
    assert all(playout.outcome is not None for playout in played)
    assert abs(report.length - mean(lengths)) < TOLERANCE * stdev(lengths) / games**0.5
    assert abs(report.first_wins - mean(wins)) < TOLERANCE * stdev(wins) / games**0.5


@pytest.mark.slow
@needs_c
def test_amazons_drawn_and_counted_are_the_same_games(tmp_path: Path) -> None:
    """The two ways of drawing a move agree to a thousandth: 140 exceeds all from-to pairs."""
    drawn, counted = (
        ProgramPlayer(Program("amazons", {"FEW": few}), tmp_path).report(200_000)
        for few in (1, 140)
    )
    assert abs(drawn.length - counted.length) < 0.1
    assert abs(drawn.first_wins - counted.first_wins) < 0.01


# ----------------------------------------------------------------------- peers in C++


def test_peers_are_named_by_what_is_measured() -> None:
    assert peers.RBG.keys() | peers.IN_CPP.keys() <= CASES.keys()


def test_what_a_peer_prints_is_read(tmp_path: Path) -> None:
    assert peers.spiel("hex", tmp_path) is None and peers.rbg("hex", tmp_path) is None
    (tmp_path / "bin").mkdir()
    for name in ("spiel", "rbg-reversi"):
        program = tmp_path / "bin" / name
        line = "9 playouts/s 1 M moves/s first wins 0.5 length 60.5 draws 0.1 unfinished 0.0"
        program.write_text(f'#!/bin/sh\necho "{line}"\n', "utf-8")
        program.chmod(0o755)
    one, other = peers.spiel("othello", tmp_path), peers.rbg("othello", tmp_path)
    assert one is not None and one.play(4).moves == 242
    assert other is not None and other.report(4).length == 60.5
    assert peers.rbg("halma", tmp_path) is None


# ----------------------------------------------------------------------- machinery


@dataclass
class Metronome:
    """A player whose every game takes a fixed time, and that writes down when it plays."""

    seconds: float
    diary: list[tuple[str, int]] = field(default_factory=list)
    name: str = ""

    def play(self, games: int) -> Round:
        self.diary.append((self.name, games))
        return Round(games, 10 * games, games * self.seconds)


def test_enough_games_are_played_but_at_least_one() -> None:
    assert measure.enough_games(Metronome(0.001), 2.0) == 2000
    assert measure.enough_games(Metronome(5.0), 2.0) == 1


def test_rounds_are_taken_in_turn() -> None:
    diary: list[tuple[str, int]] = []
    players = {name: Metronome(1 / 64, diary, name) for name in ("a", "b")}
    played = measure.in_turn(players, 3, 1.0)
    assert [name for name, _ in diary[-6:]] == ["a", "b"] * 3
    assert all(games == 64 for _, games in diary[-6:])
    assert {name: len(rounds) for name, rounds in played.items()} == {"a": 3, "b": 3}


def test_medians_are_of_rounds_side_by_side() -> None:
    ours = [Round(10, 50, 1.0), Round(10, 50, 2.0), Round(10, 50, 5.0)]
    theirs = [Round(20, 40, 1.0), Round(20, 40, 1.0), Round(20, 40, 10.0)]
    assert measure.median_ratio(ours, theirs) == 0.5
    assert measure.median_round(ours) == {
        "playouts_per_second": 5.0,
        "moves_per_second": 25.0,
        "mean_length": 5.0,
    }


def test_a_table_is_aligned() -> None:
    text = measure.text_table(("game", "speed"), [("a", "10"), ("longer", "1,000")])
    assert text.splitlines() == ["game    speed", "a          10", "longer  1,000"]


# ----------------------------------------------------------------------- the table


def a_result(name: str, ours: Round | None, recorded: float | None = None, **others: Round) -> Any:
    players = others if ours is None else {table.OURS: ours, **others}
    return Measured(Case(name), {name: [played] for name, played in players.items()}, recorded)


def test_a_share_of_c_is_met_or_not() -> None:
    result = a_result("hex", Round(70, 700, 1.0), c=Round(100, 1000, 1.0))
    assert Share(0.7).met(result) is True
    assert Share(0.8).met(result) is False
    assert Share(0.8).met(a_result("hex", Round(70, 700, 1.0))) is None
    assert result.target == Share(0.8)


def test_times_the_record_or_enough_moves_are_met() -> None:
    slow = a_result("halma", Round(1, 500_000, 1.0), 600)
    assert Times(1000).met(slow) is False
    assert Times(800).met(slow) is True
    assert Times(1000).met(a_result("halma", Round(1, 1_000_000, 1.0), 10_000)) is True
    assert Times(1).met(a_result("halma", None, 600)) is None
    assert slow.target == table.USUAL_TARGET
    assert slow.times_reference == pytest.approx(500_000 / 600)


def test_what_is_measured_beside_counts_more_than_the_record() -> None:
    result = a_result("halma", Round(40, 400, 1.0), 1, reference=Round(4, 40, 1.0))
    assert result.times_reference == 10


def test_targets_and_programs_are_of_cases() -> None:
    for names in (table.TARGETS, PROGRAMS, openspiel.OPENSPIEL):
        assert set(names) <= set(CASES)
    shares = {name for name, target in table.TARGETS.items() if isinstance(target, Share)}
    assert shares == set(PROGRAMS) == set(REFERENCE_GAMES)


def test_the_table_is_printed_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.json"
    status = table.main([*TINY, "--reference", "--json", str(path), "tic-tac-toe", "clobber"])
    heads, *lines = capsys.readouterr().out.splitlines()
    assert heads.split()[:2] == ["game", "playouts/s"]
    assert [line.split()[0] for line in lines] == ["tic-tac-toe", "clobber"]
    first, second = json.loads(path.read_text())["games"]
    assert first["case"] == "tic-tac-toe"
    assert 5 < first["ours"]["mean_length"] < 9
    assert first["reference"]["playouts_per_second"] > 0
    assert 0.2 < first["times_reference"] < 5
    assert first["met"] is (None if programs.compiler() is None else False)
    assert second["met"] is False
    assert status == 1
    assert (first["ratio_to_openspiel"] is not None) == openspiel.installed()


def test_a_game_that_is_not_native_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(game: object, backend: str) -> measure.Player:
        raise NotNative(Diagnostic("not-native", "This word is not covered.", None))

    monkeypatch.setattr(measure, "player", refuse)
    assert table.main(["clobber"]) == 1
    assert "clobber: This word is not covered." in capsys.readouterr().out
    assert curves.main(["hex", "--size", "5"]) == 1
    assert "hex 5: This word is not covered." in capsys.readouterr().out


def test_the_sizes_of_hex_are_cases_of_their_own() -> None:
    names = [case.name for case in table.cases(["hex", "go"], hex_sizes=True)]
    assert names == ["hex", "go", "go superko=no", "hex size=14", "hex size=19"]


# ----------------------------------------------------------- curves and compile times


def test_curves_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "curves.json"
    assert curves.main([*TINY, "--json", str(path), "--size", "5", "--size", "6", "hex"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    small, large = json.loads(path.read_text())["points"]
    assert (small["sites"], large["sites"]) == (25, 36)
    assert small["nanoseconds_per_move"] == pytest.approx(1e9 / small["moves_per_second"])
    assert small["nanoseconds_per_move_and_site"] == pytest.approx(
        small["nanoseconds_per_move"] / 25
    )


@pytest.mark.at_night("trellis")
@pytest.mark.parametrize("name", curves.CURVES)
def test_a_curve_is_of_sizes_that_its_game_has(name: str) -> None:
    for size in (curves.CURVES[name][0], curves.CURVES[name][-1]):
        assert len(curves.game_of(name, size).board.sites) == size**2


def test_a_curve_of_another_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as problem:
        curves.main(["nonesuch"])
    assert problem.value.code == 2
    assert "no curve of nonesuch" in capsys.readouterr().err


@pytest.mark.parametrize("command", [table.main, compile_times.main], ids=["table", "times"])
def test_an_unknown_game_is_refused(
    command: Callable[[Sequence[str]], int], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as problem:
        command(["nonesuch"])
    assert problem.value.code == 2
    assert "no shipped game called nonesuch" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("games_loaded_anew")
def test_compile_times_are_of_all_variants_the_slowest_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "times.json"
    words = ["--backend", "reference", "--times", "1", "--json", str(path), "taifas"]
    compile_times.main(words)
    games = json.loads(path.read_text())["games"]
    assert len(capsys.readouterr().out.splitlines()) == len(games) + 1
    assert {""} | set(load_game("taifas").all_variants) == {
        game["variant"] for game in games if game["game"] == "taifas"
    }
    shares = [game["to_play"] / game["limit"] for game in games]
    assert shares == sorted(shares, reverse=True)
    assert all(game["parse"] > 0 and game["check"] > 0 for game in games)


def test_a_large_board_has_a_limit_of_its_own() -> None:
    one = compile_times.Compiled("a", "", 500, 0.1, 0.2, 0.3, 0.1, 0.4)
    assert one.to_play == pytest.approx(0.7)
    assert one.to_search == pytest.approx(1.0)
    assert not one.in_time
    assert replace(one, sites=501).in_time


@pytest.mark.parametrize("turn", compile_times.TURNS)
def test_a_made_up_game_has_as_many_kinds_as_are_wanted(turn: str) -> None:
    assert len(compile_times.game_of_kinds(turn, compile_times.MANY).kinds) == compile_times.MANY


@pytest.mark.slow
def test_many_kinds_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert compile_times.main(["--kinds", "--times", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(compile_times.TURNS) + 1


@pytest.mark.at_night("times")
@pytest.mark.parametrize(
    "command", [table.main, curves.main, compile_times.main], ids=["table", "curves", "times"]
)
def test_the_native_backend_is_measured(
    command: Callable[[Sequence[str]], int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("gdl.interpreter.native.runtime.rules")
    path = tmp_path / "native.json"
    few = ["--times", "1"] if command is compile_times.main else ["--rounds", "1", "--seconds=.01"]
    size = ["--size", "5"] if command is curves.main else []
    command([*few, *size, "--json", str(path), "hex"])
    assert len(capsys.readouterr().out.splitlines()) >= 2
    assert json.loads(path.read_text())["backend"] == "native"


# ------------------------------------------------------------------------------ gains


@pytest.mark.slow
def test_gains_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gains.json"
    few = ["--rounds", "1", "--seconds", ".01", "--way", "rows", "--way", "in place"]
    assert gains.main([*few, "--json", str(path), "gomoku,size=7", "tic-tac-toe"]) == 0
    heads, *lines = capsys.readouterr().out.splitlines()
    assert heads.split() == ["game", "rows", "in", "place"]
    assert [line.split()[0] for line in lines] == ["gomoku,size=7", "tic-tac-toe"]
    first, _ = json.loads(path.read_text())["games"]
    assert set(first["gains"]) == {"rows", "in place"}
    assert all(gain > 0 for gain in first["gains"].values())


@pytest.mark.parametrize("way", ["set-at-a-time", "connections", "rows"])
def test_without_a_way_the_games_are_the_same(way: str) -> None:
    game = gains.game_of("hex,size=9")
    assert gains.without(game, way).play(200).moves == gains.without(game, "all").play(200).moves


def test_a_gain_is_that_of_games_on_games_without() -> None:
    rounds = {gains.ALL: [Round(30, 300, 1.0)], "rays": [Round(10, 100, 1.0)]}
    assert gains.Gains("hex", rounds).of("rays") == 3


@pytest.mark.at_night("hex")
@pytest.mark.parametrize("text", ["nonesuch", "hex,size=99", "hex,colour=3"])
def test_gains_of_no_game_are_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as problem:
        gains.main([text])
    assert problem.value.code == 2
    assert text in capsys.readouterr().err


# -------------------------------------------------------------------------- lengths


def test_the_page_of_lengths_tells_how_long_the_games_are() -> None:
    page = lengths.PAGE.read_text("utf-8")
    assert lengths.with_lengths(page) == page
    assert lengths.with_lengths("| nim | 0 | 103 | 0 | 511 | 0 |") in page


def test_what_does_not_make_the_rules_has_no_length() -> None:
    rules = lengths.rules_of("cram")
    assert "pieces" in rules and "about" not in rules and "examples" not in rules


def test_modules_are_measured_beside_native_code() -> None:
    one = wasm.measured("tic-tac-toe", 1)
    assert 5_000 < one.bytes < 50_000 and one.native > 0 and one.wasmtime > 0
    assert wasm.line(one)[0] == "tic-tac-toe" and len(wasm.line(one)) == len(wasm.HEADS)
