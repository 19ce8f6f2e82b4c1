"""What is worth something in a game: learned from play, kept as text, used by the engine."""

from __future__ import annotations

import json
import signal
import time
from dataclasses import fields, replace
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from library_games import deep_marks

from gdl.core.digest import program_digest
from gdl.core.nodes import Phase
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, Source
from gdl.interpreter import load
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.evaluation.estimate import estimate_values
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.worth import (
    ALPHA_BETA,
    TREE,
    Worth,
    kept_worth,
    rules_digest,
    shipped_folder,
    usual_path,
)
from gdl.interpreter.solve.store import engine_for
from gdl.interpreter.tune import Tuned, tune
from gdl.interpreter.tune.fitting import Model, fitted
from gdl.interpreter.tune.samples import Samples, of_own_games, of_random_games
from gdl.interpreter.tune.tuner import _match
from gdl.interpreter.verify.deadline import stopped_by_interrupt
from gdl.load import load_source
from tests.counted_time import count_time_of_tuning

TAKING = """game: Taking
players: White, Black
pieces: Man, Lord
board: square(4, 4)
state: {points(players): number in 0..9}
turn: |
  choose s in own
  choose t in adjacent(s) - own
  if t in enemy
    add 1 to points(mover)
  move s to t
setup: {White Man: a1 | b1, White Lord: c1, Black Man: a4 | b4, Black Lord: c4}
stuck: loses
end:
  - mover wins when no enemy & Lord
  - draw when turns > 30
"""


LONG = """game: Wandering
players: White, Black
pieces: Man
board: square(5, 5)
turn: |
  choose s in own
  choose t in adjacent(s) & empty
  move s to t
setup: {White Man: a1, Black Man: e5}
end: draw when turns > 5000
"""


def taking() -> Rules:
    return Rules(load_source(Source("taking.yaml", TAKING)))


def some_worth(rules: Rules, plies: int | None = 0) -> Worth:
    each = {feature.name: 0.0 for feature in Engine(rules).binding.features}
    each |= {"White Man": 0.5, "Black Man": -0.5, "White Lord": 2.0, "Black Lord": -2.0}
    each |= {"points(White)": 0.25, "points(Black)": -0.25}
    at = {"White Man": {"a4": 0.125}, "Black Lord": {"d1": 1.0}}
    return Worth("Taking", rules_digest(rules.game), "by hand", plies, 0.0625, -0.125, each, at)


def by_hand(worth: Worth, position: Position) -> float:
    """Return the value of a position for White, from what its pieces and numbers are worth."""
    odds = worth.even + (worth.on_turn if position.mover == "White" else -worth.on_turn)
    for site, piece in position.pieces().items():
        odds += worth.each[piece] + worth.at.get(piece, {}).get(site, 0.0)
    for side in ("White", "Black"):
        name = f"points({side})"
        odds += worth.each[name] * int(position.to_json()["state"][name])
    return 1 / (1 + exp(-odds))


def test_positions_are_worth_what_their_pieces_are() -> None:
    rules, chance = taking(), Random(5)
    engine = Engine(rules)
    worth = some_worth(rules)
    sites = [site.name for site in rules.game.board.sites]
    estimate = worth.estimate(engine.binding.features, sites)
    assert estimate is not None
    compiled = Compiled(estimate_values)
    position, seen = rules.start(), 0
    while not position.over:
        seat = engine.binding.seat(position.state, 0, 0, 1)
        compiled(estimate_values, seat.desk, engine.binding.fields, estimate)
        expected = by_hand(worth, position)
        assert seat.desk.values[0] == pytest.approx(expected, abs=1e-6)
        assert seat.desk.values[1] == pytest.approx(1 - expected, abs=1e-6)
        position = position.play(chance.choice(position.moves()))
        seen += 1
    assert seen > 3


def test_a_text_has_all_of_a_worth() -> None:
    worth = some_worth(taking(), 4)
    again = Worth.of(worth.text)
    assert again.text == worth.text
    assert (again.plies, again.each["White Lord"], again.at["White Man"]) == (4, 2.0, {"a4": 0.125})


BAD = (".nan", "x", "1" + "0" * 400)


@pytest.mark.parametrize(
    ("whole", "damaged"),
    [
        *((None, text) for text in ("", "[]", "worth: 3", "a: [")),
        ("plies: 0", "plies: -1"),
        *(("each: 0.5", f"each: {bad}") for bad in BAD),
        ("about:", "about: [x]\nmore:"),
    ],
    ids=["empty", "list", "number", "torn", "plies", "nan", "word", "large", "text"],
)
def test_a_damaged_text_is_refused(whole: str | None, damaged: str) -> None:
    text = damaged
    if whole is not None:
        sound = some_worth(taking()).text
        text = sound.replace(whole, damaged)
        assert text != sound
    with pytest.raises(ValueError):
        Worth.of(text)


def test_a_worth_of_other_rules_is_refused() -> None:
    rules = taking()
    worth = some_worth(rules)
    del worth.each["White Lord"]  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="White Lord"):
        Engine(rules, worth=worth)


def test_what_decides_is_found() -> None:
    """The side with more points wins, whatever else there is: points are found to be worth all."""
    rules = taking()
    engine = Engine(rules)
    sites = [site.name for site in rules.game.board.sites]
    model = Model(engine.binding.features, sites, engine.binding.fields.mover)
    samples = of_random_games(engine, 2000, 20, 1, 60.0)
    fields = {feature.name: feature for feature in engine.binding.features}
    lead = sum(
        sign * samples.positions[:, fields[f"points({side})"].offset].astype(float)
        for side, sign in (("White", 1), ("Black", -1))
    )
    chance = np.random.default_rng(1)
    scores = (chance.random(len(lead)) < 1 / (1 + np.exp(-2 * lead))).astype(float)
    worths = fitted(model, Samples(samples.positions, scores, 1, samples.mobility))
    columns = model.columns(samples)
    loss = -np.mean(np.log(np.where(scores == 1, *(lambda p: (p, 1 - p))(odds(columns @ worths)))))
    least = -np.mean(np.log(np.where(scores == 1, *(lambda p: (p, 1 - p))(odds(2 * lead)))))
    assert least - 0.05 < loss < least + 0.02 < log(2)


def odds(numbers: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-numbers))


def test_random_games_tell_what_men_are_worth() -> None:
    engine = Engine(load("breakthrough"))
    names = [feature.name for feature in engine.binding.features]
    sites = [site.name for site in engine.rules.game.board.sites]
    model = Model(engine.binding.features, sites, engine.binding.fields.mover)
    samples = of_random_games(engine, 4000, 60, 1, 60.0).decided()
    worths = fitted(model, samples)
    places = [names.index(name) * (1 + len(sites)) for name in ("White Man", "Black Man")]
    assert worths[places[0]] > 0.1 > -0.1 > worths[places[1]]


@pytest.mark.slow
def test_a_man_is_worth_as_much_to_both_as_long_as_few_games_tell_otherwise() -> None:
    engine = Engine(load("breakthrough"))
    sites = [site.name for site in engine.rules.game.board.sites]
    parts = engine.binding.features, sites, engine.binding.fields.mover
    alone, together = Model(*parts), Model(*parts, engine.rules.sides)
    some = np.random.default_rng(1).normal(size=len(alone.hold))
    assert together.joined(together.parted(some)) == pytest.approx(some)
    samples = of_random_games(engine, 4000, 60, 1, 60.0).decided()
    for many, share in ((60, 0.3), (4000, 1.2)):
        few = samples.some(many, 1)
        men = [
            [model[n * (1 + len(sites))] for n in (0, 1)]
            for model in (fitted(alone, few), fitted(together, few))
        ]
        assert abs(sum(men[1])) < share * abs(sum(men[0])) + 0.02
        assert men[1][0] > 0 > men[1][1]


def test_few_games_that_agree_do_not_prove_too_much() -> None:
    """Where each result is as the points say, what was known before is not blown up."""
    engine = Engine(taking())
    sites = [site.name for site in engine.rules.game.board.sites]
    model = Model(engine.binding.features, sites, engine.binding.fields.mover)
    samples = of_random_games(engine, 400, 20, 1, 60.0)
    known = np.zeros(len(model.hold))
    place = sum(1 + parts for name, parts in model.told if name.partition("(")[0] != "points")
    known[place], known[place + 1] = 0.001, -0.001
    odds = model.columns(samples) @ known
    told = odds != 0
    scores = (odds[told] > 0).astype(float)
    sure = Samples(samples.positions[told], scores, 1, samples.mobility[told])
    worths = fitted(model, sure, known)
    assert 0.1 < np.abs(model.columns(sure) @ worths).mean() < 10


def test_mobility_is_learned_from_the_moves_before() -> None:
    """Who had more moves wins in these samples, or loses, whatever stands on the board."""
    engine = Engine(taking())
    sites = [site.name for site in engine.rules.game.board.sites]
    model = Model(engine.binding.features, sites, engine.binding.fields.mover)
    samples = of_own_games(engine, 30, 20, 3, 60.0)
    assert 1 < np.abs(samples.mobility).mean() < 16 and samples.mobility[0] == 0
    chance = np.random.default_rng(1).random(len(samples.scores))
    for sign in (1, -1):
        scores = (chance < odds(0.5 * sign * samples.mobility)).astype(float)
        told = Samples(samples.positions, scores, samples.games, samples.mobility)
        assert 0.1 < sign * fitted(model, told)[-1] < 0.5, "few samples are held back"


def test_own_games_are_scored_by_who_wins() -> None:
    engine = Engine(taking())
    samples = of_own_games(engine, 4, 20, 3, 60.0)
    assert samples.games == 4
    assert set(samples.scores) <= {0.0, 0.5, 1.0}
    assert len(samples.positions) == len(samples.scores) > 10


def test_an_interrupt_ends_the_games_that_tuning_learns_from() -> None:
    engine = Engine(taking())
    with stopped_by_interrupt():
        signal.raise_signal(signal.SIGINT)
        assert of_own_games(engine, 100, 20, 3, 3600.0).games == 0
        assert of_random_games(engine, 1000, 20, 3, 3600.0).games == 0
        with pytest.raises(KeyboardInterrupt):
            tune(taking(), seconds=3600.0)


def test_what_was_tuned_is_used_for_these_rules_alone() -> None:
    rules = taking()
    assert kept_worth(rules.game) is None
    target = usual_path(rules.game)
    target.parent.mkdir(parents=True)
    target.write_text(some_worth(rules).text, "utf-8")
    assert kept_worth(rules.game) is not None
    position = rules.start()
    tuned = engine_for(rules, seed=1).analyse(position, iterations=100)
    plain = Engine(rules, seed=1).analyse(position, iterations=100)
    assert tuned.value != plain.value
    target.write_text(some_worth(rules).text.replace(rules_digest(rules.game), "0" * 16), "utf-8")
    assert kept_worth(rules.game) is None
    target.write_text("torn: [", "utf-8")
    assert engine_for(rules, seed=1).analyse(position, iterations=100).value == plain.value


@pytest.mark.slow
def test_analyse_says_whose_values_it_goes_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def analysed(game: object, *more: str) -> tuple[str, dict[str, Any]]:
        command = ["analyse", str(game), "--iterations", "60", "--seed", "1", *more]
        line = CliRunner().invoke(make_app(), command).stdout.splitlines()[-1]
        told = json.loads(CliRunner().invoke(make_app(), [*command, "--json"]).stdout)
        return line.partition("(seed 1), ")[2], told

    path = tmp_path / "taking.yaml"
    path.write_text(TAKING, "utf-8")
    plain, found = analysed(path)
    assert plain == "by tree search" and (found["search"], found["tuned"]) == (TREE, None)
    target = usual_path(taking().game)
    target.parent.mkdir(parents=True)
    target.write_text(some_worth(taking()).text, "utf-8")
    line, own = analysed(path)
    assert line == "by tree search with tuned values (your own)" and own["tuned"] == "own"
    assert own["value"] != found["value"]
    line, untuned = analysed(path, "--untuned")
    assert line == plain and untuned["tuned"] is None and untuned["value"] == found["value"]
    target.write_text(some_worth(taking(), None).text, "utf-8")
    assert analysed(path)[0] == plain
    line, shipped = analysed("breakthrough")
    worth = kept_worth(load("breakthrough").game)
    assert worth is not None and shipped["search"] == worth.search
    assert line.endswith(" with tuned values (shipped)") and shipped["tuned"] == "shipped"
    line, untuned = analysed("breakthrough", "--untuned")
    assert (line, untuned["search"], untuned["tuned"]) == (plain, TREE, None)


ELSE = {
    "choose s in own\n": "choose s in  own # a man of mine\n",
    "choose t in adjacent(s) - own\n": "choose t in adjacent(s) where not t in own\n",
    "if t in enemy": "if t in adjacent(s) & enemy",
    "turns > 30": "turns > 31",
    "White Lord: c1": "White Lord: d1",
    "square(4, 4)": "square(4, 5)",
    "game: Taking": "game: Catching",
}
SAME = {"game: Taking", "choose s in own\n"}


@pytest.mark.parametrize("before", ELSE)
def test_what_was_tuned_outlives_another_text_of_the_same_rules(before: str) -> None:
    assert before in TAKING
    text = TAKING.replace(before, ELSE[before])
    found = rules_digest(load_source(Source("other.yaml", text)))
    assert (found == rules_digest(taking().game)) == (before in SAME)


NAMED = """game: Named
players: White, Black
pieces: Man
board: square(3, 3)
DEFINE
turn: |
  choose {s} in FREE
  let near = adjacent({s}) & empty
  place Man at {s}
end: draw when full
"""


def test_rules_are_told_by_what_their_words_mean() -> None:
    free = "sites {x} in empty where some adjacent({x}) & empty"
    plain = NAMED.replace("DEFINE\n", "").replace("FREE", free.format(x="x")).format(s="s")
    named = NAMED.replace("FREE", "free").replace(
        "DEFINE", "define:\n  free: " + free.replace("{x}", "one")
    )
    named = named.replace("{s}", "place_of")
    first, second = (rules_digest(load_source(Source("a.yaml", t))) for t in (plain, named))
    assert first == second


def test_what_programs_may_say_one_day_changes_nothing_where_they_do_not() -> None:
    program = taking().game.program

    @dataclass(frozen=True)
    class OfMore(Phase):
        more: int = 0

    OfMore.__name__ = Phase.__name__
    parts = [{f.name: getattr(phase, f.name) for f in fields(phase)} for phase in program.phases]

    def with_more(number: int) -> str:
        phases = tuple(OfMore(**part, more=number) for part in parts)
        return program_digest(replace(program, phases=phases), (), ())

    assert with_more(0) == program_digest(program, (), ()) != with_more(1)


TUNED = sorted(shipped_folder().glob("*.yaml"))


def shipped_worth(path: Path) -> tuple[Rules, Worth | None]:
    """Return the rules that a shipped file was made for, and what is kept for them."""
    name, *options = path.stem.split(".")
    rules = load(name, dict(option.rsplit("-", 1) for option in options))
    return rules, kept_worth(rules.game)


def deep_marks_of(path: Path) -> list[pytest.MarkDecorator]:
    """Return the marks of a deep test of a shipped file, or of the game that it is for."""
    of_file, of_game = f"tuned/{path.stem}", path.stem.split(".")[0]
    return deep_marks(of_game) and deep_marks(of_file)


@pytest.mark.at_night("onitama")
@pytest.mark.parametrize("path", TUNED, ids=lambda path: path.stem)
def test_what_is_shipped_fits_the_rules(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If not, the rules were changed: `gdl tune NAME -o games/tuned/NAME.yaml` learns anew."""
    monkeypatch.setenv("GDL_TUNED", "/nowhere")
    _, worth = shipped_worth(path)
    assert worth is not None, f"{path.name} was made for other rules of {path.stem}"
    assert worth.is_used, "a file that changes nothing need not be shipped"


@pytest.mark.at_night("minichess", "havannah")
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=deep_marks_of(path)) for path in TUNED]
)
def test_what_is_shipped_fits_the_engine(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GDL_TUNED", "/nowhere")
    rules, worth = shipped_worth(path)
    assert worth is not None
    engine = Engine(rules, worth=worth)
    rows = {name for rows in engine.binding.rows for name, _ in rows.told}
    races = set(engine.binding.territory.names if engine.binding.territory else ())
    told = set(worth.each)
    assert {feature.name for feature in engine.binding.features} | rows == told - races
    assert told & races in (races, set())
    assert engine.search == worth.search


def test_tuning_says_what_it_found_and_tried() -> None:
    told: list[str] = []
    found = tune(taking(), seconds=2.0, seed=1, tell=told.append)
    rounds = [f"games of its own, round {number} of 3" for number in (1, 2, 3)]
    assert told[:2] == ["random games", rounds[0]] and set(told[1:-1]) <= set(rounds)
    assert told[-1] == "games against the engine without it"
    assert found.random_games > 100
    assert found.own_games >= 1
    assert [trial.plies for trial in found.trials] == [0, 4, 16, None]
    assert [trial.search for trial in found.trials] == [*[TREE] * 3, ALPHA_BETA]
    assert all(trial.games % 2 == 0 for trial in found.trials)
    assert Worth.of(found.worth.text).digest == rules_digest(taking().game)


@pytest.mark.parametrize(
    ("name", "variants"), [("chinese-checkers", ["three"]), ("phantom-tic-tac-toe", [])]
)
def test_what_can_not_be_tuned_is_refused(name: str, variants: list[str]) -> None:
    with pytest.raises(GameError) as caught:
        tune(load(name, variants=variants), seconds=1.0)
    assert caught.value.diagnostics[0].code == "not-tunable"


def tried(
    monkeypatch: pytest.MonkeyPatch, tree: list[tuple[float, int]], alpha_beta: tuple[float, int]
) -> Tuned:
    """Return what is tuned if those that search a tree win so much, and alpha-beta does."""
    results = iter((tree, [alpha_beta]))
    monkeypatch.setattr("gdl.interpreter.tune.tuner._match", lambda *_: next(results))
    count_time_of_tuning(monkeypatch, 100)
    return tune(taking(), seconds=1.0, seed=1)


def test_two_games_of_two_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tried(monkeypatch, [(2, 2), (6, 6), (0, 2)], (2, 2))
    assert not found.is_decided
    assert (found.worth.search, found.worth.plies) == (TREE, None)


@pytest.mark.slow
def test_a_lead_in_enough_games_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tried(monkeypatch, [(2, 2), (6, 8), (8, 16)], (2, 2))
    assert found.is_decided and (found.worth.search, found.worth.plies) == (TREE, 4)
    assert found.trials[-1].against == 4
    found = tried(monkeypatch, [(0, 8), (4, 8), (5, 8)], (8, 10))
    assert found.is_decided and found.worth.search == ALPHA_BETA
    found = tried(monkeypatch, [(0, 8), (4, 8), (5, 8)], (5, 10))
    assert found.is_decided and (found.worth.search, found.worth.plies) == (TREE, None)


@pytest.mark.slow
@pytest.mark.at_night("cache")
@pytest.mark.parametrize("arguments", [(), ("-o", "out.yaml")], ids=["cache", "file"])
def test_what_was_tuned_before_stays_where_there_was_no_time_to_tell(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "taking.yaml"
    path.write_text(TAKING, "utf-8")
    before = usual_path(taking().game)
    before.parent.mkdir(parents=True)
    before.write_text(some_worth(taking()).text, "utf-8")
    results = iter(([(2.0, 2)] * 3, [(2.0, 2)]) * 2)
    monkeypatch.setattr("gdl.interpreter.tune.tuner._match", lambda *_: next(results))
    count_time_of_tuning(monkeypatch, 100)
    command = ["tune", str(path), "--seconds", "1", *arguments]
    shown = CliRunner().invoke(make_app(), command)
    assert shown.exit_code == 0 and "There was too little time to tell: each" in shown.stdout
    told = json.loads(CliRunner().invoke(make_app(), [*command, "--json"]).stdout)
    assert not told["decided"] and told["file"] == (arguments[1] if arguments else None)
    assert before.read_text("utf-8") == some_worth(taking()).text


@pytest.mark.slow
def test_games_are_broken_off_when_time_is_up() -> None:
    """Each game would be 300 moves long, with a hundredth of a second for each at least."""
    rules = Rules(load_source(Source("long.yaml", LONG)))
    begun = time.monotonic()
    (won,) = _match([Engine(rules)], Engine(rules), 1, 300, begun + 1.0)
    assert won == (0.0, 0) and time.monotonic() - begun < 100
    engine = Engine(taking())
    one = of_own_games(engine, 50, 20, 3, 0.0)
    assert one.games == 1
    some = of_own_games(engine, 10_000, 20, 3, 0.5)
    assert 1 <= some.games < 10_000
    assert len(some.positions) == len(some.scores) == len(some.mobility)
