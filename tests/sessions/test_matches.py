"""Matches: who plays whom, the same games wherever they are played, standings, games in a file."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from command_line import gdl

from gdl.diagnostic import GameError, Source
from gdl.interpreter.cli.output import INTERRUPTED
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.matches.ladder import ENOUGH_GAMES, budgets, doubts, ladder
from gdl.interpreter.matches.match_file import Keeper
from gdl.interpreter.matches.plan import Match, Played
from gdl.interpreter.matches.play import games_by
from gdl.interpreter.matches.rating import elo, expected, standings
from gdl.interpreter.matches.sprt import SequentialTest
from gdl.interpreter.search.levels import Level
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import parse_record, read_record
from gdl.interpreter.workers.run import Here, InProcesses, OnCluster
from gdl.load import load_game

GAME = load_game("tic-tac-toe")
PUZZLE = """
game: Guess
players: Solver
pieces: Stone
board: square(2, 1)
turn: |
  choose s in empty
  place Stone at s
end:
  - Solver wins when own = a1
  - Solver loses when turns = 1
"""
TWO = Match("tic-tac-toe", ("greedy", "random"), 6, 2, seed=3)


def here(match: Match, numbers: Sequence[int]) -> Iterator[Played]:
    """Play games of tic-tac-toe in this process."""
    return games_by(Here(), GAME)(match, numbers)


def test_each_choice_of_players_sits_in_all_rotations() -> None:
    assert TWO.lineups == ((0, 1), (1, 0))
    three = Match("any", ("a", "b", "c"), 6, 2)
    assert three.lineups == ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1))
    assert Match("any", ("a", "b", "c"), 6, 3).lineups == ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def test_an_opening_is_played_in_all_lineups() -> None:
    games = list(here(TWO, range(6)))
    openings = [game.moves[:2] for game in games]
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) > 1


@pytest.mark.slow
def test_the_same_games_are_played_whoever_plays_them() -> None:
    match = Match("tic-tac-toe", ("engine:50i", "random"), 6, 2, seed=1)
    alone = list(here(match, range(6)))
    assert list(here(match, range(5, -1, -1))) == alone[::-1]
    assert list(games_by(InProcesses(2), GAME)(match, range(6))) == alone


def test_a_process_that_is_killed_loses_nothing() -> None:
    match = Match("tic-tac-toe", ("greedy", "random"), 40, 2, seed=1)
    played = []
    for number, game in enumerate(games_by(InProcesses(1), GAME)(match, range(40))):
        played.append(game)
        if number == 3:
            for child in multiprocessing.active_children():
                assert child.pid is not None
                os.kill(child.pid, signal.SIGKILL)
    assert played == list(here(match, range(40)))


@pytest.mark.slow
def test_a_cluster_plays_the_same_games() -> None:
    distributed = pytest.importorskip("distributed")
    match = Match("tic-tac-toe", ("greedy", "random"), 8, 2, seed=1)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as one:
        played = list(games_by(OnCluster(one.scheduler_address), GAME)(match, range(8)))
    assert played == list(here(match, range(8)))


def test_a_game_without_an_end_is_a_draw() -> None:
    (game,) = here(Match("tic-tac-toe", ("random", "random"), 1, 2, plies=3), range(1))
    assert game.points == (0.5, 0.5) and game.result == "" and len(game.moves) == 3


def test_a_puzzle_is_won_or_lost(tmp_path: Path) -> None:
    path = tmp_path / "guess.yaml"
    path.write_text(PUZZLE)
    kept = tmp_path / "games.jsonl"
    result = gdl("match", path, "random", "-n", "20", "--opening", "0", "-o", kept, "--json")
    (told,) = json.loads(result.stdout)["players"]
    records = [json.loads(line) for line in kept.read_text().splitlines()]
    solved = sum(record["moves"] == ["a1"] for record in records)
    assert 0 < solved < 20
    assert (told["wins"], told["draws"], told["losses"]) == (solved, 0, 20 - solved)
    assert told["score"] == solved / 20
    assert all(record["winners"] == ["1"] * (record["moves"] == ["a1"]) for record in records)
    again = gdl("match", path, "random", "-n", "20", "--opening", "0", "-o", kept, "--json")
    assert json.loads(again.stdout)["players"] == [told]


def test_a_match_that_is_begun_or_cut_short_otherwise_is_another(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    match = ("match", "tic-tac-toe", "random", "random", "--seed", "1", "-o", kept)
    assert gdl(*match, "-n", "2", "--opening", "3", "--max-plies", "4").exit_code == 0
    for other in ((), ("--opening", "3"), ("--max-plies", "4"), ("--opening", "1")):
        told = gdl(*match, "-n", "4", *other)
        assert told.exit_code == 2 and "[other-match]" in told.stderr
    assert gdl(*match, "-n", "4", "--opening", "3", "--max-plies", "4").exit_code == 0
    assert len(kept.read_text().splitlines()) == 4
    assert gdl("show", f"{kept}:1").exit_code == 0


def test_a_puzzle_that_comes_to_no_end_is_lost() -> None:
    told = json.loads(gdl("match", "8-puzzle", "random", "-n", "3", "--json").stdout)
    (player,) = told["players"]
    assert told["unfinished"] == 3
    assert (player["wins"], player["draws"], player["losses"], player["score"]) == (0, 0, 3, 0)


def game_of(number: int, points: tuple[float, float]) -> Played:
    seats = (0, 1) if number % 2 == 0 else (1, 0)
    return Played(number, seats, (), "", points if number % 2 == 0 else points[::-1])


def test_standings_count_points_whatever_the_seat() -> None:
    games = [game_of(n, (1, 0)) for n in range(6)] + [game_of(6, (0.5, 0.5)), game_of(7, (0, 1))]
    first, second = standings(TWO, games)
    assert (first.name, first.wins, first.draws, first.losses) == ("greedy", 6, 1, 1)
    assert (second.wins, second.draws, second.losses) == (1, 1, 6)
    assert first.score == 6.5 / 8 and first.elo == pytest.approx(-(second.elo or 0))
    assert first.interval[0] < first.score < first.interval[1]
    assert expected(elo(0.8125)) == pytest.approx(0.8125)


def test_an_interval_has_the_true_score_in_95_of_100_cases() -> None:
    chance = Random(1)
    inside = 0
    for _ in range(400):
        games = [game_of(n, (1, 0) if chance.random() < 0.6 else (0, 1)) for n in range(60)]
        low, high = next(s for s in standings(TWO, games) if s.name == "greedy").interval
        inside += low <= 0.6 <= high
    assert 0.91 <= inside / 400 <= 0.99


@pytest.mark.parametrize(("less", "more", "draws"), [(0, 200, 0), (0, 100, 0.4), (-150, 50, 0)])
@pytest.mark.parametrize("verdict", ["less", "more"])
def test_the_sequential_test_errs_in_5_of_100_matches(
    less: float, more: float, draws: float, verdict: str
) -> None:
    test, chance = SequentialTest(less, more), Random(2)
    mean = expected(less if verdict == "less" else more)
    kinds, weights = (0.5, 1.0, 0.0), (draws, mean - draws / 2, 1 - mean - draws / 2)
    told = [test.verdict(chance.choices(kinds, weights, k=400)) for _ in range(2000)]
    wrong = len(told) - told.count(verdict) - told.count("")
    # Of 2000 tests that err in 5 % of all cases, fewer than 1 in 1000 times 131 do.
    assert wrong <= 130 and told.count("") <= 20


def test_the_sequential_test_waits_for_both_games_of_an_opening() -> None:
    test, won = SequentialTest(0, 200), [1.0] * 40
    fewest = next(number for number in range(40) if test.verdict(won[:number]))
    assert fewest >= 6 and fewest % 2 == 0
    assert not test.verdict([1.0, 0.0] * 3)


def test_what_the_sequential_test_has_decided_stands() -> None:
    test = SequentialTest(0, 200)
    assert test.verdict([1.0] * 40) == test.verdict([1.0] * 40 + [0.0] * 400) == "more"


def test_a_match_goes_on_behind_the_last_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    everything = list(here(TWO, range(6)))
    keeper = Keeper(path, TWO, "digest")
    assert keeper.earlier() == ()
    for game in everything[:4]:
        keeper.keep(game)
    keeper.close()
    path.write_bytes(path.read_bytes()[:-20])
    again = Keeper(path, TWO, "digest")
    assert list(again.earlier()) == everything[:3]
    for game in everything[3:]:
        again.keep(game)
    again.close()
    third = Keeper(path, TWO, "digest")
    assert list(third.earlier()) == everything
    third.close()
    with pytest.raises(GameError, match="is no game of this match"):
        Keeper(path, Match("tic-tac-toe", ("greedy", "random"), 6, 2, seed=4), "digest").earlier()


OTHERS = (
    *("notes", "notes\n", "[" * 100_000 + "\n", '{"game": "x"}\n'),
    '{"game": "x", "winners": [Infinity], "moves": [], "result": ""}\n',
)


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_file_of_games_stays_as_it_was(tmp_path: Path, text: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(GameError, match="is no game of this match"):
        Keeper(path, TWO, "digest").earlier()
    assert path.read_text() == text


def test_too_few_players_are_counted() -> None:
    assert "but 1 player is named" in gdl("match", "hex", "random").stderr
    assert "but 0 players are named" in gdl("match", "hex").stderr


def test_each_command_takes_one_game_of_a_file_of_several(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert gdl("match", "tic-tac-toe", "random", "greedy", "-n", 4, "-o", path).exit_code == 0
    games = [json.loads(line) for line in path.read_text().splitlines()]
    for number, game in enumerate(games, start=1):
        told = json.loads(gdl("show", f"{path}:{number}", "--json").stdout)
        last = replay(parse_record(Source("x", json.dumps(game)))).last
        assert told["position"] == last.to_json()
    moves = games[2]["moves"]
    named = f"{path}:3"
    assert f"{len(moves)}. " in gdl("replay", named, "--plain").stdout
    assert f"of {len(moves)} moves in all" in gdl("trace", "tic-tac-toe", named).stdout
    ended = gdl("show", named).stdout.splitlines()[-1].split(". ")[-1]
    assert ended in gdl("show", "tic-tac-toe", "--position", named).stdout
    loaded = CliRunner().invoke(make_app(), ["play", "tic-tac-toe", "--plain"], f"load {named}\n")
    assert loaded.exit_code == 0 and ended in loaded.stdout
    for command in (("replay", "--review"), ("show",), ("analyse",), ("play", "--plain"), ("why",)):
        refused = gdl(command[0], path, *command[1:])
        assert refused.exit_code != 0 and "has 4 games: say which" in refused.stderr
        assert ":4` the last" in refused.stderr
    for number in (0, 5, 9, -1, "last"):
        refused = gdl("replay", f"{path}:{number}")
        assert f"has no game {number}: there are only games 1 to 4." in refused.stderr
        assert ":4` the last" in refused.stderr and "say which" not in refused.stderr
    before = path.read_text()
    assert "belongs to a file of games" in gdl("move", named, "a1").stderr
    assert path.read_text() == before and not Path(named).exists()


def test_what_is_wrong_with_a_game_of_a_file_is_told_at_its_line(tmp_path: Path) -> None:
    path, other = tmp_path / "games.jsonl", tmp_path / "other.yaml"
    good = json.dumps({"game": "tic-tac-toe", "moves": ["a1"], "payoffs": [1.5, -1.5]})
    path.write_text(f'{good}\n\n{{"game": "tic-tac-toe", "moves": ["z9"]}}\n{good[:-9]}\n')
    assert gdl("show", f"{path}:1").exit_code == 0
    assert "games.jsonl:3:" in gdl("show", f"{path}:2").stderr
    assert "games.jsonl:4:" in gdl("show", f"{path}:3").stderr
    other.write_text("game: tic-tac-toe\nmoves: [a1]\n")
    assert "is no file of games" in gdl("show", f"{other}:1").stderr
    odd = tmp_path / "odd:1"
    odd.write_text("game: tic-tac-toe\nmoves: [a1, a2]\n")
    (tmp_path / "odd").write_text(f"{good}\n{good}\n")
    assert read_record(odd).moves == ("a1", "a2")


def test_games_are_kept_in_plain_files_alone() -> None:
    for name in ("/dev/zero", os.curdir):
        with pytest.raises(GameError, match="no plain file"):
            Keeper(Path(name), TWO, "digest").earlier()


def test_an_interrupted_match_tells_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def two_games(match: Match, numbers: Sequence[int]) -> Iterator[Played]:
        yield from here(match, numbers[:2])
        raise KeyboardInterrupt

    monkeypatch.setattr("gdl.interpreter.cli.commands.match.games_by", lambda run, game: two_games)
    result = gdl("match", "tic-tac-toe", "greedy", "random", "-n", "8", "--json")
    assert result.exit_code == INTERRUPTED
    assert json.loads(result.stdout)["games"] == 2


def test_each_line_is_a_saved_game(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    result = gdl("match", "tic-tac-toe", "greedy", "random", "-n", "4", "-o", path)
    assert result.exit_code == 0, result.output
    lines = path.read_text().splitlines()
    assert len(lines) == 4
    for line in lines:
        record = parse_record(Source("line.yaml", line))
        outcome = replay(record).last.outcome
        assert outcome is not None and outcome.text == record.result
        assert [str(seat) for seat in outcome.seats] == json.loads(line)["winners"]
    more = gdl("match", "tic-tac-toe", "greedy", "random", "-n", "6", "-o", path, "--json")
    assert path.read_text().splitlines()[:4] == lines
    assert json.loads(more.stdout)["games"] == 6


def test_json_has_what_programs_need() -> None:
    told = json.loads(gdl("match", "tic-tac-toe", "greedy", "random", "-n", "4", "--json").stdout)
    assert told["games"] == 4 and len(told["players"]) == 2
    for player in told["players"]:
        assert player["wins"] + player["draws"] + player["losses"] == 4
        assert {"name", "score", "interval", "elo"} <= set(player)


def test_a_match_ends_when_it_is_clear() -> None:
    arguments = ("match", "connect-four", "greedy", "random", "-n", "200", "--sprt", "0:100")
    told = json.loads(gdl(*arguments, "--json").stdout)
    assert told["sprt"] == "more" and told["games"] < 200
    decided = "greedy is 100 Elo stronger rather than 0 (error at most 5%)."
    assert f"The sequential test has decided: {decided}" in gdl(*arguments).stdout
    few = gdl("match", "tic-tac-toe", "random", "random", "-n", "4", "--sprt", "0:100")
    assert "The sequential test has not decided." in few.stdout
    other = gdl("match", "connect-four", "random", "greedy", "-n", "200", "--sprt", "0:100")
    assert "decided: random is 0 Elo stronger rather than 100 (" in other.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("tic-tac-toe", "greedy"), "wrong-players"),
        (("tic-tac-toe", "greedy", "human"), "wrong-players"),
        (("tic-tac-toe", "greedy", "random", "random", "-n", "2"), "wrong-players"),
        (("tic-tac-toe", "random", "random", "-o", "none/m.jsonl"), "There is no folder `none`"),
        (("tic-tac-toe", "greedy", "nobody"), "unknown-player"),
        (("tic-tac-toe", "greedy", "random", "--sprt", "20"), "wrong-option"),
        (("tic-tac-toe", "greedy", "random", "--sprt", "-1e6:0"), "wrong-option"),
        (("tic-tac-toe", "greedy", "--ladder"), "wrong-option"),
        (("tic-tac-toe", "greedy", "random", "--cluster", "nowhere"), "no-cluster"),
    ],
)
def test_what_can_not_be_played_is_refused(arguments: tuple[str, ...], code: str) -> None:
    result = gdl("match", *arguments)
    assert result.exit_code != 0 and code in result.stderr


def test_rungs_of_the_ladder_beat_the_rung_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.interpreter.matches.ladder.LEVELS", {1: Level(64, 64, 1.0, 0.0)})
    rungs = list(ladder(Match("tic-tac-toe", ("a", "b"), 6, 2), here))
    assert rungs[0].player == "random" and rungs[0].standing is None
    assert all(rung.standing is not None and rung.standing.score >= 0.6 for rung in rungs[1:])
    tried = [f"engine:{number}i" for number in budgets()]
    assert [rung.player for rung in rungs[1:]] == [
        player for player in tried if player in {rung.player for rung in rungs}
    ]


def test_rungs_are_told_with_intervals_and_doubts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.interpreter.matches.ladder.LEVELS", {1: Level(64, 64, 1.0, 0.0)})
    lines = gdl("match", "connect-four", "--ladder", "-n", "4").stdout.splitlines()
    assert "% to 100%) against the rung below" in lines[1]
    assert lines[-1] == "4 games a rung are too few to tell 60% from 50%: that takes 93."


@pytest.mark.parametrize(("games", "are_enough"), [(95, True), (90, False)])
def test_enough_games_tell_three_fifths_from_a_half(games: int, are_enough: bool) -> None:
    won = games * 3 // 5
    played = [game_of(n, (1, 0) if n < won else (0, 1)) for n in range(games)]
    standing = next(one for one in standings(TWO, played) if one.name == "greedy")
    assert standing.score == 0.6 and (standing.interval[0] > 0.5) == are_enough
    assert (games >= ENOUGH_GAMES) == are_enough == (not doubts(games))
