"""First values of moves: what surrounds a site, judged natively, kept as text, and learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from gdl.board.board import Board
from gdl.interpreter import load
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.first_moves.first_values import FirstValues, sets_of_sides
from gdl.interpreter.search.first_moves.patterns import PARTS, Patterns
from gdl.interpreter.search.first_moves.surroundings import OFF, Surroundings, surroundings
from gdl.interpreter.search.memory.tree import CHANCE, ROOT, Tree
from gdl.interpreter.search.worth import Worth, rules_digest, usual_path
from gdl.interpreter.solve.store import engine_for, tuned_by
from gdl.interpreter.tune import Tuned, tune
from gdl.interpreter.tune.first_values import ChoiceModel
from gdl.interpreter.tune.root_moves import EngineChoice, of_own_choices, orders_moves
from gdl.interpreter.tune.tuner import likely_symmetries
from tests.counted_time import count_time_of_tuning

SMALL = (("havannah", {"size": "4"}), ("gomoku", {"size": "7"}), ("bridg-it", {"order": "5"}))
_NEAR = 0.05


def rules_of(name: str, options: dict[str, str]) -> Rules:
    return load(name, dict(options))


def around_of(board: Board) -> Surroundings:
    found = surroundings(board)
    assert found is not None
    return found


def worth_of(rules: Rules, first: FirstValues | None) -> Worth:
    """Return a worth that has first values alone."""
    each = {feature.name: 0.0 for feature in Engine(rules, memory=1 << 20).binding.features}
    for rows in Engine(rules, memory=1 << 20).binding.rows:
        each |= {name: 0.0 for name, _ in rows.told}
    digest = rules_digest(rules.game)
    return Worth(rules.game.name, digest, "by hand", None, each=each, first=first)


def some_values(rules: Rules, seed: int) -> FirstValues:
    """Return first values in which any name has a number of its own, no turn being alike."""
    patterns = patterns_of(rules, ())
    chance = Random(seed)
    worth: dict[str, dict[str, tuple[float, float]]] = {part: {} for part in PARTS}
    for part, name in patterns.named:
        worth[part][name] = chance.randint(-90, 90) / 1000, chance.randint(-90, 90) / 1000
    return FirstValues((), worth)


def patterns_of(rules: Rules, turns: Sequence[tuple[int, ...]]) -> Patterns:
    names = [site.name for site in rules.game.board.sites]
    return Patterns(around_of(rules.game.board), turns, names)


# -------------------------------------------------------------------------- where sites lie


@pytest.mark.parametrize(
    ("name", "near", "beyond"), [("hex", 6, 12), ("gomoku", 8, 16), ("bridg-it", 8, 4)]
)
def test_there_are_as_many_directions_as_a_board_has(name: str, near: int, beyond: int) -> None:
    board = load(name).game.board
    around = around_of(board)
    assert (len(around.near), len(around.beyond)) == (near, beyond)
    for (x, y), row in zip(around.near + around.beyond, rows_of(around), strict=True):
        for one, other in enumerate(row):
            if other == board.size:
                continue
            here, there = board.sites[one], board.sites[other]
            assert hypot(there.x - here.x - x, there.y - here.y - y) < _NEAR
        assert any(other < board.size for other in row)


def rows_of(around: Surroundings) -> tuple[tuple[int, ...], ...]:
    return around.near_sites + around.beyond_sites


def test_what_lies_between_is_near_to_both() -> None:
    around = around_of(load("hex").game.board)
    for number, through in enumerate(around.between):
        assert through
        for site, beyond in enumerate(around.beyond_sites[number]):
            for direction in through:
                between = around.near_sites[direction][site]
                if beyond < around.sites and between < around.sites:
                    assert beyond in [row[between] for row in around.near_sites]


def test_a_board_is_turned_by_its_symmetries() -> None:
    rules = rules_of("havannah", {"size": "4"})
    around = around_of(rules.game.board)
    symmetries = likely_symmetries(Engine(rules, memory=1 << 20).native, 1)
    turns = {around.turned(one) for one in symmetries}
    assert len(symmetries) == 11 and len(turns) == 11 and None not in turns
    rhombus = load("hex", {"size": 5})
    assert len(likely_symmetries(Engine(rhombus, memory=1 << 20).native, 1)) == 1


def test_what_a_turn_brings_to_each_other_is_the_same() -> None:
    rules = rules_of("havannah", {"size": "4"})
    around = around_of(rules.game.board)
    symmetries = likely_symmetries(Engine(rules, memory=1 << 20).native, 1)
    whole = tuple(range(6))
    turns = sorted({t for one in symmetries if (t := around.turned(one)) is not None} - {whole})
    patterns, chance = patterns_of(rules, turns), np.random.default_rng(1)
    for _ in range(20):
        states = np.append(chance.integers(0, 3, around.sites), OFF)
        last, own = (int(n) for n in chance.integers(0, around.sites, 2))
        sites = np.arange(around.sites)
        here = patterns.first[in_table(patterns, patterns.columns(states, sites, last, own))]
        symmetry = symmetries[int(chance.integers(len(symmetries)))]
        turned = states.copy()
        turned[list(symmetry)] = states[:-1]
        image = patterns.columns(turned, np.array(symmetry), symmetry[last], symmetry[own])
        there = patterns.first[in_table(patterns, image)]
        for one, other in zip(here, there, strict=True):
            assert sorted(one[:-1]) == sorted(other[:-1])


def in_table(patterns: Patterns, indices: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return indices with the first of all in place of none, which no turn moves."""
    return np.where(indices == patterns.size, 0, indices)


# ---------------------------------------------------------------------- judged natively


class ByHand:
    """What is learned of moves, worked out by the names of what stands around their sites."""

    def __init__(self, rules: Rules, engine: Engine, values: FirstValues) -> None:
        self.board = rules.game.board
        self.around = around_of(self.board)
        self.engine, self.values = engine, values
        self.sets = sets_of_sides(engine.binding.features)
        self.places = {
            (round(s.x, 1) + 0.0, round(s.y, 1) + 0.0): s.index for s in self.board.sites
        }

    @staticmethod
    def place(x: float, y: float) -> tuple[float, float]:
        return round(x, 1) + 0.0, round(y, 1) + 0.0

    def pieces(self, tree: Tree, node: int) -> dict[int, int]:
        """Return the side of the piece on each site."""
        bits = int.from_bytes(self.engine.binding.position(tree, node), "little")
        return {
            site: side
            for begin, side in self.sets
            for site in range(self.board.size)
            if bits >> begin + site & 1
        }

    def site_at(self, site: int, x: float, y: float) -> int | None:
        here = self.board.sites[site]
        return self.places.get(self.place(here.x + x, here.y + y))

    def sign(self, site: int | None, pieces: dict[int, int], side: int) -> str:
        if site is None:
            return "#"
        return "." if site not in pieces else "o" if pieces[site] == side else "x"

    def worth(
        self, site: int, side: int, pieces: dict[int, int], last: int | None, own: int | None
    ) -> float:
        """Return what is learned of a move of a side to a site."""
        near = [self.site_at(site, *direction) for direction in self.around.near]
        signs = [self.sign(one, pieces, side) for one in near]
        names = [("near", "".join(signs)), ("site", self.board.sites[site].name)]
        for n, ((x, y), one) in enumerate(zip(self.around.near, near, strict=True)):
            if one is not None and one == last:
                right, left = signs[n - 1], signs[(n + 1) % len(signs)]
                names.append(("answer", f"{x:.1f},{y:.1f} {right}{left}"))
            if one is not None and one == own:
                names.append(("follow", f"{x:.1f},{y:.1f}"))
        for (x, y), through in zip(self.around.beyond, self.around.between, strict=True):
            one, between = self.site_at(site, x, y), "".join(signs[n] for n in through)
            sign = self.sign(one, pieces, side)
            names.append(("beyond", f"{x:.1f},{y:.1f} {sign}{between}"))
            if one is not None and one == last:
                names.append(("answer beyond", f"{x:.1f},{y:.1f} {between}"))
            if one is not None and one == own:
                names.append(("follow beyond", f"{x:.1f},{y:.1f}"))
        return sum(self.values.worth[part][name][side] for part, name in names)


def ordered_nodes(tree: Tree) -> Iterator[list[int]]:
    """Yield each node whose moves are in order, with those on the way to it, itself at last."""
    waiting = [[int(tree.state[ROOT])]]
    while waiting:
        way = waiting.pop()
        node = way[-1]
        if tree.is_ordered[node]:
            yield way
        assert tree.choosers[node] != CHANCE
        begin = tree.begin[node]
        waiting += [[*way, int(tree.places[begin + n])] for n in range(tree.tried[node])]


def new_site(after: dict[int, int], before: dict[int, int], side: int) -> int | None:
    found = [site for site, one in after.items() if one == side and site not in before]
    return found[0] if len(found) == 1 else None


def assert_leans(by_hand: ByHand, tree: Tree, shallowest: int) -> int:
    """Hold what a tree keeps against what is worked out by hand; return of how many nodes."""
    seen = 0
    for way in ordered_nodes(tree):
        if len(way) <= shallowest:
            continue
        pieces = [by_hand.pieces(tree, node) for node in way[-3:]]
        node, begin = way[-1], tree.begin[way[-1]]
        places = range(begin, begin + tree.moves[node])
        moves: list[tuple[int, int, float]] = []
        for n in places:
            bit, side = max((b, side) for b, side in by_hand.sets if b <= max(0, tree.marks[n]))
            if tree.marks[n] >= 0:
                moves.append((tree.marks[n] - bit, side, tree.leans[n]))
            else:
                assert tree.leans[n] == 0
        side = moves[0][1]
        last = new_site(pieces[-1], pieces[-2], 1 - side) if len(pieces) > 1 else None
        own = new_site(pieces[-2], pieces[-3], side) if len(pieces) > 2 else None
        expected = [by_hand.worth(site, side, pieces[-1], last, own) for site, _, _ in moves]
        mean = sum(expected) / len(expected)
        found = [lean for _, _, lean in moves]
        assert found == pytest.approx([one - mean for one in expected], abs=1e-5)
        seen += 1
    return seen


@pytest.mark.at_night("gomoku", "bridg-it")
@pytest.mark.parametrize(("name", "options"), SMALL)
def test_moves_are_judged_by_what_stands_around_their_sites(
    name: str, options: dict[str, str]
) -> None:
    rules = rules_of(name, options)
    values = some_values(rules, 3)
    engine = Engine(rules, seed=1, worth=worth_of(rules, values), memory=1 << 24)
    by_hand = ByHand(rules, engine, values)
    position, chance = rules.start(), Random(4)
    for _ in range(3):
        position = position.play(chance.choice(position.moves()))
    for number in range(3):
        engine.analyse(position, iterations=3000)
        assert engine.tree is not None
        # What led to the root is known to the nodes that were in order before it was the root.
        assert assert_leans(by_hand, engine.tree, 0 if number == 0 else 2) > 3
        best = engine.analyse(position, iterations=1).best_move
        assert best is not None
        position = position.play(best)


def test_first_values_change_what_is_tried() -> None:
    rules = rules_of("hex", {"size": "5"})
    plain = Engine(rules, seed=1).analyse(rules.start(), iterations=2000)
    values = FirstValues((), {"site": {"c3": (-1.0, -1.0)}})
    told = Engine(rules, seed=1, worth=worth_of(rules, values))
    found = told.analyse(rules.start(), iterations=2000)
    visits = [next(m.visits for m in one.moves if m.move.text == "c3") for one in (plain, found)]
    assert visits[1] < visits[0] / 2


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_numbers_that_are_0_change_nothing(name: str, options: dict[str, str]) -> None:
    rules = rules_of(name, options)
    found = [
        Engine(rules, seed=1, worth=worth_of(rules, first)).analyse(rules.start(), iterations=3000)
        for first in (None, FirstValues())
    ]
    assert [m.visits for m in found[0].moves] == [m.visits for m in found[1].moves]


def test_the_same_seed_finds_the_same() -> None:
    rules = rules_of("havannah", {"size": "4"})
    worth = worth_of(rules, some_values(rules, 1))
    found = [
        [m.visits for m in Engine(rules, seed=5, worth=worth).analyse(p, iterations=2000).moves]
        for p in (rules.start(), rules.start())
    ]
    assert found[0] == found[1]


# ---------------------------------------------------------------------------- as text


def test_a_text_has_all_first_values() -> None:
    rules = rules_of("havannah", {"size": "4"})
    turns = ((1, 2, 3, 4, 5, 0), (5, 0, 1, 2, 3, 4))
    numbers = {"near": {"oo....": (0.125, 0.125), "......": (-0.5, 0.25)}}
    numbers |= {"answer": {"1.0,0.0 oo": (0.062, -0.062)}, "site": {"a1": (0.003, 0.003)}}
    worth = worth_of(rules, FirstValues(turns, numbers))
    again = Worth.of(worth.text)
    assert again == worth and again.text == worth.text and again.is_used
    assert "first values" not in worth_of(rules, None).text
    assert not worth_of(rules, None).is_used


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("oo....: 0.125", "oo....: much"),
        ("oo....: 0.125", "oo....: 1000"),
        ("oo....: 0.125", "oo....: .nan"),
        ("turns:", "turned:"),
        ("near:", "near: 3\n  far:"),
    ],
)
def test_damaged_first_values_are_refused(before: str, after: str) -> None:
    rules = rules_of("havannah", {"size": "4"})
    values = FirstValues(((1, 2, 3, 4, 5, 0),), {"near": {"oo....": (0.125, 0.125)}})
    text = worth_of(rules, values).text
    assert before in text
    with pytest.raises(ValueError):
        Worth.of(text.replace(before, after))


@pytest.mark.at_night("site", "turn of few")
@pytest.mark.parametrize(
    "values",
    [
        FirstValues((), {"near": {"oo": (0.1, 0.1)}}),
        FirstValues((), {"site": {"z99": (0.1, 0.1)}}),
        FirstValues(((0, 1, 2),), {}),
        FirstValues(((1, 0, 2, 3, 4, 5),), {}),
    ],
    ids=["pattern", "site", "turn of few", "no turn"],
)
def test_first_values_of_another_board_are_refused(values: FirstValues) -> None:
    rules = rules_of("havannah", {"size": "4"})
    worth = worth_of(rules, values)
    with pytest.raises(ValueError):
        Engine(rules, worth=worth)
    target = usual_path(rules.game)
    target.parent.mkdir(parents=True)
    target.write_text(worth.text, "utf-8")
    engine = engine_for(rules, seed=1)
    plain = Engine(rules, seed=1).analyse(rules.start(), iterations=500)
    found = engine.analyse(rules.start(), iterations=500)
    assert [m.visits for m in found.moves] == [m.visits for m in plain.moves]
    assert tuned_by(engine) is None


# ------------------------------------------------------------------------- learned


def made_up(rules: Rules, engine: Engine) -> Iterator[EngineChoice]:
    """Yield choices of a search that likes to play beside the last move, as random games tell."""
    chance, exchange = Random(2), engine.binding.exchange
    around = around_of(rules.game.board)
    found = sets_of_sides(engine.binding.features)
    sets = {side: begin for begin, side in found}
    world, memory = exchange.world(), exchange.buffer()
    for game in range(20):
        position, before = rules.start(), list[bytes]()
        last = -1
        for _ in range(12):
            exchange.write(position.state, memory, world)
            here = bytes(memory[: engine.binding.fields.bytes])
            moves = [move for move in position.moves() if move.text != "swap"]
            names = [site.name for site in rules.game.board.sites]
            sites = [names.index(move.text) for move in moves]
            side = 0 if position.mover == rules.sides[0] else 1
            near = [row[last] for row in around.near_sites] if last >= 0 else []
            liked = [site for site in near if chance.random() < 0.6]
            visits = [20.0 if site in liked else 1.0 for site in sites]
            yield EngineChoice(
                here,
                tuple(before),
                np.array([sets[side] + site for site in sites]),
                np.array([0.3 * chance.random() for _ in sites]) + np.array(visits) * 0.01,
                np.array(visits),
                game,
            )
            before = [here, *before[:1]]
            number = chance.randrange(len(moves))
            last, position = sites[number], position.play(moves[number])


def test_what_a_search_prefers_is_learned() -> None:
    rules = rules_of("hex", {"size": "5"})
    engine = Engine(rules, memory=1 << 20)
    model = ChoiceModel(rules, engine.binding.features, likely_symmetries(engine.native, 1))
    choices = [replace(c, first=c.first * 0 + 0.5) for c in made_up(rules, engine)]
    assert model.fitted(choices) is None, "where random games tell nothing, there is no unit"
    found = model.fitted(list(made_up(rules, engine)))
    assert found is not None
    answers = {name: both for name, both in found.worth["answer"].items() if name.endswith("..")}
    assert len(answers) == 3, "of six directions, a half turn brings each to another"
    assert all(one > 0 for both in answers.values() for one in both)
    assert found.turns == ((3, 4, 5, 0, 1, 2),)
    assert Engine(rules, worth=worth_of(rules, found)).search == "tree"


def test_too_few_choices_teach_nothing() -> None:
    rules = rules_of("hex", {"size": "5"})
    engine = Engine(rules, memory=1 << 20)
    model = ChoiceModel(rules, engine.binding.features, ())
    assert model.fitted(list(made_up(rules, engine))[:50]) is None


def test_choices_are_those_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("havannah", {"size": "4"})
    engine = Engine(rules, memory=1 << 24)
    assert orders_moves(engine, 1)
    assert not orders_moves(Engine(load("breakthrough"), memory=1 << 24), 1)
    count_time_of_tuning(monkeypatch, 20)
    choices = of_own_choices(engine, 1000, 1, 3.0)
    assert choices and {len(one.before) for one in choices} <= {0, 1, 2}
    for one in choices:
        assert len(one.marks) == len(one.first) == len(one.visits) == len(set(one.marks.tolist()))
        assert 900 <= one.visits.sum() <= 1000
        assert ((one.first >= 0) & (one.first <= 1)).all()


def tried(monkeypatch: pytest.MonkeyPatch, first: list[tuple[float, int]]) -> Tuned:
    """Return what is tuned of a small game if engines with first values win so much."""
    rules = rules_of("havannah", {"size": "4"})
    results = iter([first, [(0.0, 8)] * 3, [(0.0, 8)]])
    monkeypatch.setattr("gdl.interpreter.tune.tuner._match", lambda *_: next(results))
    monkeypatch.setattr("gdl.interpreter.tune.first_values.FEWEST_CHOICES", 20)
    monkeypatch.setattr("gdl.interpreter.tune.tuner._CHOICE_ITERATIONS", 600)
    count_time_of_tuning(monkeypatch, 40)
    return tune(rules, seconds=4.0, seed=1)


def test_first_values_that_do_not_win_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tried(monkeypatch, [(4.0, 10), (5.5, 10)])
    assert found.worth.first is None and not found.worth.is_used
    assert [trial.first for trial in found.trials[:3]] == [1.0, 2.0, None]


def test_first_values_that_win_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tried(monkeypatch, [(6.5, 8), (8.0, 8)])
    assert found.worth.first is not None and found.worth.is_used and found.is_decided
    assert set(found.worth.each.values()) == {0.0}
    rules = rules_of("havannah", {"size": "4"})
    target = usual_path(rules.game)
    target.parent.mkdir(parents=True)
    target.write_text(found.worth.text, "utf-8")
    assert tuned_by(engine_for(rules)) == "own"
