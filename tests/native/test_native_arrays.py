"""Properties of native code for large boards: sets as arrays do all that sets as registers do.

In: every conformance game, with arrays although its board is small, and a shipped game on a
large board. Out: what then holds: examples pass, counts are right, errors come, and games played
at random go as the reference interpreter has them go.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from benchmarks import curves
from hypothesis import given
from hypothesis import strategies as st
from replays import replayed

from gdl.analysis.ranges import Uncovered
from gdl.board.relation import Relation
from gdl.core.merging import equal_up_to_names
from gdl.core.nodes import Assign, Block, Choose, Closure, Const, Get, Op, SitesOf, Slot
from gdl.core.types import SITES
from gdl.diagnostic import Source
from gdl.interpreter import Engine, load
from gdl.interpreter.evaluation.evaluator import Evaluator, RuleError
from gdl.interpreter.native.choices import CHOICES, DOUBLING
from gdl.interpreter.native.emit.ir import WORD
from gdl.interpreter.native.expressions import closures
from gdl.interpreter.native.expressions.closures import orbits_of, relation_that_leads_back
from gdl.interpreter.native.game_code import form_of_sets
from gdl.interpreter.native.runtime import exchange
from gdl.interpreter.native.runtime.exchange import World
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.sets import arrays
from gdl.interpreter.positions.examples import run_examples
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_game, load_source
from gdl.model import Game
from gdl.optimise import PASSES
from tests.conformance.test_conformance import FILES, FOLDER, PLAYABLE

ON_ARRAYS = partial(NativeRules, most_register_sites=0)
_MOST_PLIES = 30


def in_part(paths: Sequence[Path]) -> list[Any]:
    """Return a parameter for each file, of which five of six are for the night."""
    return [
        pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if number % 6 else [])
        for number, path in enumerate(paths)
    ]


def on_registers(game: Game) -> NativeRules:
    """Return native rules as they are for a small board; skip a game that has none."""
    try:
        return NativeRules(game)
    except Uncovered as uncovered:
        pytest.skip(str(uncovered))


def follow(game: Game, native: Evaluator, seed: int, plies: int) -> None:
    """Play a game at random in both evaluators, and compare all that they say on the way."""
    reference = ReferenceRules(game)
    chance = random.Random(seed)
    here, there = native.start(), reference.start()
    for _ in range(plies):
        assert here == there
        moves = reference.legal(there)
        assert list(native.legal(here)) == list(moves)
        assert native.outcome(here) == reference.outcome(there)
        if not moves:
            return
        move = chance.choice(moves)
        here, there = native.apply(here, move), reference.apply(there, move)
    assert here == there


@pytest.mark.parametrize("path", in_part(FILES))
def test_examples_pass_on_arrays(path: Path) -> None:
    """Arrays give every value that the examples tell."""
    game = load_game(str(path))
    on_registers(game)
    results = run_examples(game, evaluator=ON_ARRAYS)
    assert [d.message for result in results for d in result.diagnostics] == []


@pytest.mark.at_night("end-any")
@pytest.mark.parametrize("path", in_part(PLAYABLE))
def test_games_go_alike_on_arrays(path: Path) -> None:
    """States, moves and outcomes are those of the reference interpreter; counts of sequences are
    those on registers, and random games of one seed, but where a small set to draw from is kept.
    """
    game = load_game(str(path))
    registers, on_arrays = on_registers(game), ON_ARRAYS(game)
    follow(game, on_arrays, 1, _MOST_PLIES)
    state = registers.start()
    assert on_arrays.perft(state, 2) == registers.perft(state, 2)
    if not registers.code.written.shared.plan.pools or game.board.size > WORD:
        assert played(on_arrays) == played(registers)


@pytest.fixture
def sites_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small boards be gone through as large ones are: where sites are few, one by one."""
    monkeypatch.setattr(closures, "_FEWEST_COUNTED", 0)
    monkeypatch.setattr(arrays, "_MOST_UNCOUNTED", -1)


@pytest.mark.at_night("piles-move")
@pytest.mark.usefixtures("sites_are_few")
@pytest.mark.parametrize("path", in_part(PLAYABLE[1:]))
def test_games_go_alike_site_by_site(path: Path) -> None:
    """Images and floods of few sites, made one by one, are those of the reference interpreter."""
    game = load_game(str(path))
    on_registers(game)
    follow(game, ON_ARRAYS(game), 2, _MOST_PLIES)


WIDE = """game: Wide
players: White, Black
board: square(28, size)
options: {size: 28 in 1..90}
setup:
  White Stone: union s in light of (s when row(s) mod 3 = 1)
  Black Stone: union s in dark of (s when column(s) mod 5 = 2)
"""
WIDE_TURNS = {
    "beside": "choose s in empty where no adjacent(s) & enemy\n  place Stone at s",
    "enclosed": """choose s in empty & compass(enemy)
  place Stone at s
  remove union d in compass of bracketed(s, d, enemy, own)""",
    "far": """choose s in empty & (union d in orthogonal of (d^20)(own | enemy))
  place Stone at s""",
    "groups": """choose s in empty & adjacent(connected(enemy & border, adjacent, enemy))
  place Stone at s
  remove connected(s, adjacent, own - border)""",
    "open": """choose s in empty & adjacent(connected(top & empty, adjacent, empty))
  place Stone at s""",
    "slides": """choose s in own
  choose t in slides(s, compass, empty)
  move s to t""",
}


@pytest.mark.at_night("slides-80")
@pytest.mark.parametrize("size", [28, 80])
@pytest.mark.parametrize("turn", WIDE_TURNS)
def test_wide_boards_are_played_by_the_rules(turn: str, size: int) -> None:
    """Images and floods go by shifts of many words, and site by site, as sites are many or few."""
    text = f"{WIDE}turn: |\n  {WIDE_TURNS[turn]}\nstuck: draw\n"
    game = load_source(Source("game.yaml", text), {"size": size})
    assert replayed(NativeRules(game), 1, 8).random_plies == 8


@pytest.mark.parametrize(("size", "form"), [(27, "register"), (28, "array")])
def test_the_plan_tells_which_form_sets_have(size: int, form: str) -> None:
    text = f"{WIDE}turn: |\n  {WIDE_TURNS['beside']}\nstuck: draw\n"
    code = NativeRules(load_source(Source("game.yaml", text), {"size": size})).code.written
    assert form in form_of_sets(code.shared.plan.size)
    assert code.shared.sets.are_arrays == (form == "array")


def test_no_more_is_written_for_a_wider_board() -> None:
    """What is done with sets in memory is loops: their code does not grow with the board."""
    turn = WIDE_TURNS["enclosed"]
    sizes = (75, 90)
    games = (
        load_source(Source("game.yaml", f"{WIDE}turn: |\n  {turn}\nstuck: draw\n"), {"size": size})
        for size in sizes
    )
    small, large = (len(NativeRules(game).code.games.text) for game in games)
    assert large < 1.3 * small


def played(rules: NativeRules) -> object:
    """Return what some random games come to: statistics, or the rules' failure."""
    try:
        return rules.playouts(rules.start(), 10, 3, 60)
    except RuleError as error:
        return str(error)


@pytest.mark.parametrize("variant", [None, "corner-auto"])
def test_a_large_board_goes_alike(variant: str | None) -> None:
    """A board of thousands of sites is played as the reference interpreter plays it."""
    variants = [] if variant is None else [variant]
    game = load_game("trichet", variants=variants, options={"tiles": 24})
    follow(game, NativeRules(game), 1, 12)


@pytest.mark.parametrize(("name", "size"), [("gomoku", 9), ("gomoku", 25), ("hex", 12)])
def test_random_games_of_placements_are_played_by_the_rules(name: str, size: int) -> None:
    """Sets of several words are arrays, too, where a board is too small to need them."""
    game = load_game(name, options={"size": size})
    assert replayed(ON_ARRAYS(game), 1, 40).random_plies == 40


def test_random_games_on_a_large_board_are_played_by_the_rules() -> None:
    """Each random move on a large board is one of the reference's."""
    game = load_game("trichet", options={"tiles": 24})
    assert replayed(NativeRules(game), 2, 12).random_plies > 8


@pytest.mark.parametrize("size", [28, 46])
def test_floods_in_one_direction_reach_the_same_in_any_way(size: int) -> None:
    """On the smaller board steps are always doubled; on the larger one that depends on the seed."""
    game = curves.game_of("othello", size)
    played = []
    for left_out in ((), (DOUBLING,)):
        rules = NativeRules(game, passes={*PASSES, *CHOICES}.difference(left_out))
        played.append(rules.playouts(rules.start(), 3, 1, 800))
        rules.close()
    assert played[0] == played[1]


def test_a_flood_within_a_turn_of_two_sides_is_that_of_the_side_on_turn() -> None:
    """Random games of both sides share a function; a flood may read the layers of either."""
    text = """game: Enclosed
players: White, Black
board: square(5, 5)
turn: |
  choose s in empty
  place Stone at s
  remove union d in compass of bracketed(s, d, enemy, own)
stuck: draw
"""
    game = load_source(Source("game.yaml", text), {})
    limits = Limits(games=4, max_plies=60, seconds=60)
    verdict = verify(ReferenceRules(game), ON_ARRAYS(game), 1, limits)
    assert verdict.difference is None, verdict.difference
    assert verdict.compared.random_games == limits.games


def rooms_made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Leave hardly any room on the trails of worlds; return the rooms that these are given."""
    rooms: list[int] = []
    made = World.make_room

    def make_room(world: World, room: int) -> None:
        rooms.append(room)
        made(world, room)

    monkeypatch.setattr(exchange, "TRAIL_ENTRIES", 1 - exchange._USUAL_ROOM * 8)
    monkeypatch.setattr(World, "make_room", make_room)
    return rooms


def test_a_trail_that_is_too_short_is_made_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games are the same however little room there is for changes at first."""
    game = load_game(str(FOLDER / "keep-most.yaml"))
    rules = ON_ARRAYS(game)
    wanted = played(rules)
    rooms = rooms_made(monkeypatch)
    assert played(rules) == wanted
    assert max(rooms) > exchange._USUAL_ROOM


@given(st.permutations(range(12)))
def test_orbits_are_what_is_reached_from_a_site(targets: list[int]) -> None:
    """All sites of an orbit, and no others, are reached from each of its sites."""
    relation = Relation.from_pairs(12, enumerate(targets))
    orbits = orbits_of(relation)
    for site in range(12):
        reached = 1 << site
        while relation.image(reached) & ~reached:
            reached |= relation.image(reached)
        assert next((o for o in orbits if o >> site & 1), 1 << site) == reached


@pytest.mark.parametrize(("seed", "leads_back"), [(0b111, True), (0b1001, False)])
def test_a_flood_leads_back_that_does_so_from_its_seed(seed: int, leads_back: bool) -> None:
    """Steps from sites to which the flood never comes don't count."""
    relation = Relation.from_pairs(5, [(0, 1), (1, 2), (2, 0), (3, 4)])
    layer, frontier = Slot("layer", SITES, is_state=True), Slot("frontier", SITES)
    inside = Op("intersection", (Get(layer), Const(seed, SITES)), SITES)
    step = Op("image", (Get(frontier),), SITES, relation)
    found = relation_that_leads_back(Closure(inside, frontier, step))
    assert (found is not None) == leads_back
    assert found is None or orbits_of(found) == [0b111]


def test_turns_that_differ_in_names_only_are_alike() -> None:
    """One code serves sides whose turns are the same; fixed slots stand for themselves."""
    layer, other = Slot("layer", SITES, is_state=True), Slot("other", SITES, is_state=True)

    def block(slot: Slot, target: Slot, sites: int) -> Block:
        domain = SitesOf(Const(sites, SITES))
        return (Choose(None, slot, domain), Assign(None, target, Get(slot)))

    a, b = Slot("a", SITES), Slot("b", SITES)
    fixed = (layer, other, None)
    assert equal_up_to_names(block(a, layer, 3), block(b, layer, 3), fixed)
    assert not equal_up_to_names(block(a, layer, 3), block(b, other, 3), fixed)
    assert not equal_up_to_names(block(a, layer, 3), block(b, layer, 2), fixed)
    assert not equal_up_to_names(block(a, layer, 3), block(b, layer, 3), (layer, b))
    assert not equal_up_to_names(block(a, layer, 3), block(b, layer, 3)[:1], fixed)
    one_pair = (*block(a, layer, 3), Assign(None, layer, Get(b)))
    assert not equal_up_to_names(
        one_pair, (*block(b, layer, 3), Assign(None, layer, Get(b))), fixed
    )


def test_random_games_that_are_made_in_place_leave_no_trail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What nothing takes back needs no memory, however many games are played."""
    rules = ON_ARRAYS(load_game("hex", options={"size": 7}))
    rooms = rooms_made(monkeypatch)
    assert rules.playouts(rules.start(), 500, 1, 200).playouts == 500
    assert max(rooms) == exchange._USUAL_ROOM


def test_the_engine_makes_all_iterations_on_a_large_board() -> None:
    rules = load("hex", {"size": 25})
    assert Engine(rules).analyse(rules.start(), iterations=600).iterations == 600
