"""Players that know no more than their side does: they never look at what is hidden from it."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.diagnostic import Source
from gdl.interpreter import Engine, load
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.information import information
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.positions.view import ALL_SIDES
from gdl.interpreter.search.analysis import Analysis, MoveAnalysis
from gdl.interpreter.search.hidden import guesses, information_sets
from gdl.interpreter.search.hidden.guesses import Steps, guess, repaired
from gdl.interpreter.search.hidden.information_sets import similar_position
from gdl.interpreter.search.levels import Strength
from gdl.interpreter.search.review import reviewed
from gdl.interpreter.sessions.seats import chosen, make_player
from gdl.load import load_source

HIDING = [
    ("phantom-tic-tac-toe", {}, 9),
    ("goofspiel", {"cards": 4}, 8),
    ("dark-hex", {"size": 3}, 12),
    ("battleship", {"size": 4, "ships": 2}, 9),
    ("dark-chess", {}, 6),
    ("stratego", {}, 30),
]
DEALT = """\
game: Whose card
players: White, Black
board: square(1, 1)
state:
  card(players): number in 0..3
  hit: flag
  over: flag
phases:
  deal:
    seat: nobody
    turn: |
      choose a in 1..3
      choose b in 1..3
      set card(White) = a
      set card(Black) = b
      go to claim
      next White
  claim: |
    choose n in 1..3
    set over = yes
    set hit = n = card(enemy)
sees:
  values: card(own)
end:
  - mover wins when over and hit
  - enemy wins when over
"""
# Two games, after which the side on turn knows the same.
ALIKE = [
    ("phantom-tic-tac-toe", {}, "b2", "a1"),
    ("phantom-tic-tac-toe", {}, "a1, b2, c1", "a3, b2, c3"),
    ("goofspiel", {"cards": 3}, "b2, a1", "b2, c1"),
    ("dark-chess", {}, "a2-a3, g7-g6", "a2-a3, h7-h6"),
]


def played(rules: Rules, texts: str) -> tuple[list[Position], list[Move]]:
    positions, moves = [rules.start()], []
    for text in texts.split(", "):
        moves.append(positions[-1].parse(text))
        positions.append(positions[-1].play(moves[-1]))
    return positions, moves


def at_random(rules: Rules, plies: int, chance: random.Random) -> tuple[list[Position], list[Move]]:
    positions, moves = [rules.start()], []
    while not positions[-1].over and len(moves) < plies:
        moves.append(chance.choice(positions[-1].moves()))
        positions.append(positions[-1].play(moves[-1]))
    return positions, moves


@pytest.mark.parametrize(("name", "options", "plies"), HIDING)
def test_a_guess_is_alike_to_the_side(name: str, options: dict, plies: int) -> None:
    rules, chance, found = load(name, options), random.Random(1), 0
    for _ in range(6):
        positions, moves = at_random(rules, chance.randint(1, plies), chance)
        if positions[-1].over or positions[-1].seat is None:
            continue
        known = information(positions, moves, positions[-1].mover)
        guessed = guess(rules, known, chance, 3000)
        if guessed is not None:
            found += 1
            assert guessed.known == known
            assert guessed.position.moves() == positions[-1].moves()
            assert guessed.position.view(known.side) == positions[-1].view(known.side)
    assert found


def test_a_possible_game_is_repaired_when_more_is_seen() -> None:
    """What refutes it late in a game was decided at its beginning."""
    loaded = load("battleship", {"size": 4, "ships": 2})
    rules, chance = Rules(loaded.game, NativeRules(loaded.game)), random.Random(1)
    positions, moves = at_random(rules, 24, chance)
    guessed_game, asked, found = None, 0, 0
    for number in range(4, len(moves)):
        position = positions[number]
        if position.mover != rules.sides[0]:
            continue
        known = information(positions[: number + 1], moves[:number], position.mover)
        guessed_game = repaired(rules, known, chance, Steps(1000), guessed_game)
        assert guessed_game is not None and guessed_game.agrees(known)
        asked += 1
        if guessed_game.reaches(known):
            found += 1
            assert guessed_game.last.known == known
            assert guessed_game.last.position.view(known.side) == position.view(known.side)
    assert asked == 10 and found >= 9


def test_guesses_differ_in_what_is_hidden() -> None:
    rules, chance = load("phantom-tic-tac-toe"), random.Random(2)
    known = information(*played(rules, "b2"), "O")
    guessed = [guess(rules, known, chance, 100) for _ in range(40)]
    pieces = {tuple(one.position.pieces()) for one in guessed if one is not None}
    assert len(pieces) > 4


@pytest.mark.at_night("engine:40i-dark-chess")
@pytest.mark.parametrize(("name", "options", "one", "other"), ALIKE)
@pytest.mark.parametrize("kind", ["engine:40i", "greedy"])
def test_players_choose_alike_where_positions_look_alike(
    name: str, options: dict, one: str, other: str, kind: str
) -> None:
    rules = load(name, options)
    player = make_player(kind, random.Random(1), rules)
    assert player is not None
    for seed in range(2):
        moves = []
        for texts in (one, other):
            player.begin(random.Random(seed))
            moves.append(chosen(player, *played(rules, texts)))
        assert moves[0] == moves[1]


def test_a_search_by_what_is_known_finds_a_win() -> None:
    rules = load("phantom-tic-tac-toe")
    known = information(*played(rules, "a1, a3, b1, b3"), "X")
    found = Engine(rules, seed=1).analyse_known(known, iterations=150)
    assert found is not None
    assert str(found.best_move) == "c1"


def test_where_nothing_agrees_there_is_no_guess() -> None:
    rules = load("phantom-tic-tac-toe")
    known = information(*played(rules, "a1, b2"), "X")
    impossible = replace(known, events=(*known.events, ("X", "a1")))
    assert guess(rules, impossible, random.Random(1), 60) is None
    found = Engine(rules, seed=1).analyse_known(impossible, iterations=10)
    assert found is not None and found.iterations == 10


@pytest.mark.parametrize(("name", "options", "plies"), HIDING)
def test_a_similar_position_has_what_the_side_sees(name: str, options: dict, plies: int) -> None:
    """Whatever the real position hides, the same is made of what the side sees."""
    rules, chance = load(name, options), random.Random(4)
    for seed in range(4):
        positions, moves = at_random(rules, 3 * plies, chance)
        number = chance.randrange(1, len(moves))
        if positions[number].over or positions[number].seat is None:
            continue
        view = positions[number].view(positions[number].mover)
        found = similar_position(positions[number // 2], view, random.Random(seed))
        assert found is not None and found.mover == view.mover and found.phase == view.phase
        assert dict(found.pieces()).items() >= {
            (site, piece) for site, piece in view.pieces if piece not in rules.sides
        }
        standing = {rules.game.board.sites[index].name for index, _ in found.occupied()}
        assert {site for site, _ in view.pieces} <= standing
        assert standing <= {site for site, _ in view.pieces} | set(view.unseen)


def test_hidden_pieces_are_kept_as_far_as_they_can_be() -> None:
    rules = load("stratego", variants=("barrage",))
    army = "Flag a1, Bomb b1, Spy c1, Scout d1, Scout e1, Miner f1, General g1, Marshal a4"
    theirs = (
        "Flag a10, Bomb b10, Spy c10, Scout d10, Scout e10, Miner f10, General g10, Marshal i10"
    )
    positions, _ = played(rules, f"{army}, {theirs}")
    view = positions[-1].play(positions[-1].parse("a4-a5")).view("Blue")
    found = similar_position(positions[-1], view, random.Random(1))
    assert found is not None
    standing = Counter(layer.name for _, layer in found.occupied() if layer.side == 0)
    assert standing == Counter(f"Red {name.split()[0]}" for name in army.split(", "))
    assert "Red" in dict(positions[-1].view("Blue").pieces)["a4"]


def test_analyse_tells_nothing_that_is_hidden() -> None:
    found = []
    for after in ("a1, b2, c1", "a3, b2, c3"):
        asked = ("phantom-tic-tac-toe", "--after", after, "--iterations", "20", "--seed", "1")
        told = json.loads(CliRunner().invoke(make_app(), ["analyse", *asked, "--json"]).stdout)
        found.append((told["moves"], told["value"]))
    assert found[0] == found[1]


def test_a_piece_of_nobody_whose_kind_is_not_seen_is_set() -> None:
    text = """
game: Rocks
players: White, Black
pieces: Stone, neutral Rock, neutral Tree
board: square(3, 1)
setup: {White Stone: a1, Rock: b1}
turn: |
  choose s in empty
  place Stone at s
stuck: draw
sees:
  pieces: all
  kinds: own
"""
    rules = Rules(load_source(Source("rocks.yaml", text)))
    start = rules.start()
    view = start.view("White")
    assert dict(view.pieces) == {"a1": "White Stone", "b1": "a piece"}
    found = similar_position(start, view, random.Random(1))
    assert found is not None and found.pieces() == {"a1": "White Stone", "b1": "Rock"}


MATCHING = """\
game: Matching
players: Even, Odd
board: square(2, 1)
state: {pick(players): sites}
together: |
  choose s in all
  set pick(mover) = s
turn: |
  if pick(Even) = pick(Odd)
    place Even Stone at a1
  else
    place Odd Stone at a1
end:
  - Even wins when some Even & all
  - Odd wins when some Odd & all
"""


@pytest.mark.slow
def test_who_decides_at_the_same_time_as_another_is_not_to_be_seen_through() -> None:
    """Neither side can have more than every other game, and whoever plays so makes both moves."""
    rules = Rules(load_source(Source("matching.yaml", MATCHING)))
    known = information([rules.start()], [], "Even")
    for seed in range(2):
        found = Engine(rules, seed=seed).analyse_known(known, iterations=1000)
        assert found is not None and found.is_mixed
        assert all(abs(value - 0.5) < 0.05 for value in found.value.values())
        assert sum(found.value.values()) == pytest.approx(1)
        assert all(400 < move.visits < 600 for move in found.moves)
    player = make_player("engine:200i", random.Random(1), rules)
    assert player is not None
    made = Counter(str(chosen(player, [rules.start()], [])) for _ in range(20))
    assert set(made) == {"a1", "b1"}


URNS = """\
game: Urns
players: Guesser, House
board: square(2, 1)
state: {urn: number in 0..2, red: flag}
phases:
  urns:
    seat: nobody
    turn: |
      choose u in 1..2
      set urn = u
      go to balls
  balls:
    seat: nobody
    turn: |
      choose n in 1..10
      set red = (urn = 2 or n = 1)
      go to guessing
  guessing: |
    choose g in 1..2
    place Stone at a1
    if g = urn
      place Stone at b1
sees: {pieces: all, values: red}
end:
  - Guesser wins when count Guesser = 2
  - House wins when some Guesser
"""


@pytest.mark.parametrize(("moves", "best", "value"), [("2, 4", "2", 10 / 11), ("1, 3", "1", 1.0)])
def test_what_chance_was_unlikely_to_bring_about_weighs_little(
    moves: str, best: str, value: float
) -> None:
    rules = Rules(load_source(Source("urns.yaml", URNS)))
    positions, made = played(rules, moves)
    known = information(positions, made, "Guesser")
    for seed in range(2):
        found = Engine(rules, seed=seed).analyse_known(known, iterations=800)
        assert found is not None and found.best_move is not None
        assert found.best_move.text == best
        assert abs(found.moves[0].value - value) < 0.06


def test_a_review_holds_a_choice_against_what_its_side_knew() -> None:
    """A guess that was as good as could be is no mistake, though it was wrong."""
    rules = Rules(load_source(Source("urns.yaml", URNS)))
    for moves, change, sign, better in (("1, 1, 2", 0, "", None), ("2, 4, 1", -0.6, "??", "2")):
        positions, made = played(rules, moves)
        known = partial(Engine(rules, seed=1).analyse_known, iterations=3000)
        found = list(reviewed(positions, made, Engine(rules).analyse, known))
        assert [one.change for one in found[:2]] == [0, 0]
        assert abs(found[2].change - change) < 0.15 and found[2].sign == sign
        assert (found[2].better and found[2].better.text) == better
        assert not any(one.proven_after for one in found)


@pytest.mark.slow
def test_more_is_guessed_the_longer_a_search_takes() -> None:
    text = URNS.replace("sees: {pieces: all, values: red}", "sees: {pieces: all}")
    rules = Rules(load_source(Source("coin.yaml", text)))
    positions, made = played(rules, "2, 4")
    known = information(positions, made, "Guesser")
    values = [Engine(rules, seed=seed).analyse_known(known, iterations=3000) for seed in range(3)]
    assert all(one is not None and 0.45 < one.value["Guesser"] < 0.62 for one in values)


PENNIES = """\
game: Pennies
players: Even, Odd
board: square(2, 1)
state: {pick(players): number in 0..2}
together: |
  choose n in 1..2
  set pick(mover) = n
turn: |
  place Even Stone at a1
end:
  - Even wins by 4 when turns >= 1 and pick(Even) = 1 and pick(Odd) = 1
  - Even wins by 1 when turns >= 1 and pick(Even) = 2 and pick(Odd) = 2
  - Odd wins by 2 when turns >= 1 and pick(Even) = 1 and pick(Odd) = 2
  - Odd wins by 1 when turns >= 1 and pick(Even) = 2 and pick(Odd) = 1
"""


@pytest.mark.slow
@pytest.mark.at_night("[1]")
@pytest.mark.parametrize("first", ["1", "2"])
def test_who_decides_second_takes_the_first_to_decide_well(first: str) -> None:
    """By the rule of minimax, Odd is to play 1 in 3 of 8 games, whatever Even has decided."""
    rules = Rules(load_source(Source("pennies.yaml", PENNIES)))
    positions, made = played(rules, first)
    found = Engine(rules, seed=1).analyse_known(
        information(positions, made, "Odd"), iterations=3000
    )
    assert found is not None
    visits = {str(one.move): one.visits for one in found.moves}
    assert 0.25 < visits["1"] / sum(visits.values()) < 0.5


def test_before_a_hidden_deal_nobody_knows_what_is_dealt(tmp_path: Path) -> None:
    """White has to guess Black's card, and is right a third of the times, also after the deal."""
    file = tmp_path / "higher.yaml"
    file.write_text(DEALT)
    asked = ["analyse", str(file), "--iterations", "600", "--seed", "1", "--json"]
    for after in ([], ["--after", "2 3"]):
        ran = CliRunner().invoke(make_app(), [*asked, *after])
        found = json.loads(ran.stdout)
        assert not found["verdict"]
        assert all(move["bounds"] == [0, 1] for move in found["moves"])
        assert 0.2 < found["value"]["White"] < 0.6
        assert {move["move"] for move in found["moves"]} == (
            {"1", "2", "3"} if after else {f"{a} {b}" for a in "123" for b in "123"}
        )


def test_what_all_sides_know_is_what_each_of_them_sees(tmp_path: Path) -> None:
    file = tmp_path / "higher.yaml"
    file.write_text(DEALT)
    rules = load(file)
    start = rules.start()
    positions = [start, start.play("2 3")]
    for side in ("White", "Black", ALL_SIDES):
        seen = dict(positions[1].view(side).values)
        assert set(seen) == (set() if side == ALL_SIDES else {"card(own)"})
    other = [start, start.play("1 1")]
    moves = [start.parse("2 3")], [start.parse("1 1")]
    known = [information(p, m, ALL_SIDES) for p, m in zip((positions, other), moves, strict=True)]
    assert known[0] == known[1]
    with pytest.raises(ValueError, match="is not on turn"):
        Engine(rules).analyse_known(known[0])


def test_guesses_take_no_more_than_the_iterations_that_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A late position of a game that tells little took some ten thousand moves for a hint."""
    rules, tried, after = load("dark-hex"), list[Move](), guesses._after
    positions, moves = at_random(rules, 20, random.Random(3))
    known = information(positions, moves, positions[-1].mover)
    monkeypatch.setattr(guesses, "_after", lambda now, move: tried.append(move) or after(now, move))
    found = Engine(rules, seed=1).analyse_known(known, iterations=20)
    assert found is not None and found.iterations == 20
    assert len(tried) <= information_sets._GUESS_STEPS + 20 * information_sets._STEPS_OF_ITERATION


def test_a_move_that_was_visited_little_is_not_mixed_in() -> None:
    def drawn(*visits: int) -> set[int]:
        position = load("goofspiel", {"cards": 4}).start().play("b2")
        moves = tuple(
            MoveAnalysis(move, number, 0.5, (0, 1), None, ())
            for move, number in zip(position.moves(), visits, strict=False)
        )
        found = Analysis(position, sum(visits), 1.0, {}, moves, is_mixed=True)
        chance, strength = random.Random(1), Strength(200, None)
        made = [strength.choose(found, chance) for _ in range(200)]
        return {visits[n] for n, move in enumerate(position.moves()) if move in made}

    assert drawn(30, 20, 9) == {30, 20}
    assert drawn(800, 150, 40) == {800, 150}
