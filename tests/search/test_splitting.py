"""Turns that the engine goes through in parts: the tree is whole, and what it proves is true."""

from __future__ import annotations

import random

import pytest

from gdl.diagnostic import Source
from gdl.interpreter import load
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.memory.tree import EMPTY, NEVER, ROOT, Tree
from gdl.interpreter.search.tree_search.findings import children_with_moves
from gdl.interpreter.solve.solver import Solver
from gdl.load import load_source

ARROWS = """\
game: Arrows on a small board
players: White, Black
pieces: Queen, neutral Arrow
board: square({size}, {size})
setup: {{White Queen: a1, Black Queen: top & right}}
turn: |
  choose a in own
  choose b in slides(a, compass, empty)
  move a to b
  choose c in slides(b, compass, empty)
  place Arrow at c
stuck: loses
"""
TWO_STEPS = """\
game: Two steps at once
players: White, Black
pieces: Queen
board: square(5, 5)
setup: {White Queen: bottom, Black Queen: top}
turn: |
  choose a in own
  choose b in slides(a, compass, empty)
  choose c in slides(b, compass, empty)
  move a to c
end:
  - mover wins when count(own & centre) >= 1 and turns > 6
  - draw when seen(board, mover) >= 2
define:
  centre: {is: c3, says: the middle}
"""
PAIRS = """\
game: Pairs of stones
players: Black, White
pieces: Stone
board: square(7, 7)
turn: |
  choose 2 stones in empty
  place Stone at stones
end:
  - mover wins when in_a_row(own, 5)
stuck: draw
"""
SPLIT = 16


def rules_of(text: str) -> Rules:
    return Rules(load_source(Source("made-up.yaml", text)))


def some_moves(rules: Rules, number: int, seed: int) -> Position:
    position, chance = rules.start(), random.Random(seed)
    for _ in range(number):
        if not position.over:
            position = position.play(chance.choice(position.moves()))
    return position


def parts_of(tree: Tree, node: int) -> list[int]:
    """Return the children of a node that are parts of its moves."""
    begin = int(tree.begin[node])
    children = tree.places[begin : begin + int(tree.tried[node])].tolist()
    return [child for child in children if tree.runs[child] != EMPTY]


@pytest.mark.at_night("text0-3", "text2-3")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("text", [ARROWS.format(size=6), TWO_STEPS, PAIRS])
def test_each_child_is_the_position_after_its_move(text: str, threads: int) -> None:
    rules = rules_of(text)
    engine, position = Engine(rules, seed=1, threads=threads, split=SPLIT), rules.start()
    for _ in range(2):
        analysis = engine.analyse(position, iterations=4000)
        moves = [move.move for move in analysis.moves]
        assert len(set(moves)) == len(moves) and set(moves) <= set(position.moves())
        position = position.play(position.moves()[0])
    engine.analyse(position, iterations=4000)
    tree, binding = engine._kept.tree, engine.binding
    assert tree is not None
    level = [(int(tree.state[ROOT]), position)]
    assert parts_of(tree, level[0][0])
    for _ in range(2):
        assert level
        below = []
        for node, at in level:
            assert tree.are_split[node]
            legal, found = engine.native.legal(at.state), children_with_moves(tree, node)
            assert len({number for number, _ in found}) == len(found)
            for number, child in found:
                after = at.play(legal[number])
                seat = binding.seat(after.state, 0, 0, 1)
                known = bytes(seat.desk.position[: binding.fields.bytes])
                assert binding.position(tree, child) == known
                keys, earlier = binding.key(tree, child), binding.earlier(seat)
                assert all(past.endswith(key) for past, key in zip(earlier, keys, strict=True))
                # A thread that is stopped may have split a node and not yet tried anything there;
                # and what was tried first may be a run of one move, which is no part.
                if not after.over and tree.are_split[child] and tree.tried[child]:
                    below.append((child, after))
        level = below[:4]


def test_the_best_move_is_of_the_part_that_was_visited_most() -> None:
    rules = rules_of(ARROWS.format(size=6))
    engine = Engine(rules, seed=2, split=SPLIT)
    analysis = engine.analyse(rules.start(), iterations=300)
    tree = engine._kept.tree
    assert tree is not None and analysis.best is not None and not analysis.best.is_proven
    most = max(parts_of(tree, 0), key=lambda part: int(tree.visits[part]))
    inside = {
        engine.native.legal(rules.start().state)[n] for n, _ in children_with_moves(tree, most)
    }
    assert {move.move for move in analysis.moves[: len(inside)]} == inside


@pytest.mark.slow
def test_what_is_proven_in_parts_is_true() -> None:
    rules, proven = rules_of(ARROWS.format(size=4)), 0
    solver = Solver(rules, method="proof", memory=64 << 20)
    for seed in range(5):
        position = some_moves(rules, 2, seed)
        whole, in_parts = (
            Engine(rules, seed=seed, split=split).analyse(position, iterations=40_000)
            for split in (NEVER, SPLIT)
        )
        for analysis in (whole, in_parts):
            for move in analysis.moves:
                if move.is_proven:
                    proven += 1
                    after = position.play(move.move)
                    outcome = after.outcome
                    won = outcome.winners if outcome else (solver.solve(after).winner,)
                    assert (position.mover in won) == (move.value == 1)
    assert proven > 10


def test_a_win_that_is_found_in_parts_is_as_long_as_it_is_told() -> None:
    """The parts of a move are no moves: plies are counted as if there were none."""
    rules = rules_of(ARROWS.format(size=4))
    for seed in range(6):
        position = some_moves(rules, 4, seed)
        if position.over:
            continue
        analysis = Engine(rules, seed=seed, split=2).analyse(position, iterations=60_000)
        best = analysis.best
        if best is not None and best.is_proven and best.value == 1:
            assert best.plies is not None and best.plies % 2 == 1
            assert len(best.line) <= best.plies
    assert best is not None


def test_parts_are_in_the_order_of_what_random_games_tell_of_what_they_set() -> None:
    """The mark of a run is the stone that all its moves set, that of a move in a part the other."""
    rules = rules_of(PAIRS)
    engine = Engine(rules, seed=1)
    engine.analyse(rules.start(), iterations=6000)
    tree = engine.tree
    assert tree is not None
    root = int(tree.state[ROOT])
    legal = engine.native.legal(rules.start().state)
    begin, site_bits = int(tree.begin[root]), dict[int, str]()
    assert tree.is_ordered[root]
    for n in range(begin, begin + int(tree.moves[root])):
        run = [legal[int(tree.numbers[n]) + k].words for k in range(int(tree.lengths[n]))]
        (first,) = {words[0] for words in run}
        if len(run) > 1:
            site_bits[int(tree.marks[n])] = first
    assert len(site_bits) == 47
    ordered = [part for part in parts_of(tree, root) if tree.is_ordered[part]]
    assert ordered
    for part in ordered:
        begin = int(tree.begin[part])
        places = range(begin, begin + int(tree.moves[part]))
        for n in places:
            second = legal[int(tree.numbers[n])].words[1]
            assert site_bits.get(int(tree.marks[n]), second) == second
        untried = [tree.priors[n] for n in places[int(tree.tried[part]) :]]
        assert untried == sorted(untried, reverse=True)


def test_where_turns_set_several_stones_the_order_of_parts_finds_what_matters() -> None:
    """Black has three in a row, and wins by two more; three of 741 pairs of White prevent it."""
    rules = rules_of(PAIRS)
    position = rules.start()
    for move in ("c4 d4", "a1 g7", "e4 a7", "g1 a2", "g6 b7"):
        position = position.play(move)
    found = Engine(rules, seed=1).analyse(position, iterations=4000).best_move
    assert found is not None
    after = position.play(found)
    assert not any(
        (outcome := after.play(reply).outcome) and outcome.winners for reply in after.moves()
    )


@pytest.mark.at_night("[40000-", "[400000-")
@pytest.mark.parametrize("text", [ARROWS.format(size=6), PAIRS])
@pytest.mark.parametrize("memory", [10_000, 40_000, 400_000])
def test_a_full_memory_does_not_end_a_search_in_parts(text: str, memory: int) -> None:
    rules = rules_of(text)
    engine, position = Engine(rules, seed=1, memory=memory, split=SPLIT), rules.start()
    for _ in range(3):
        analysis = engine.analyse(position, iterations=3000)
        assert analysis.iterations == 3000 and analysis.best_move is not None
        position = position.play(analysis.best_move)


def test_the_same_seed_finds_the_same_in_parts() -> None:
    rules = load("amazons")
    first, second = (Engine(rules, seed=3).analyse(rules.start(), iterations=500) for _ in range(2))
    assert [(m.move, m.visits, m.value) for m in first.moves] == [
        (m.move, m.visits, m.value) for m in second.moves
    ]


def test_turns_of_one_choice_and_moves_that_are_ordered_are_not_split() -> None:
    for name in ("hex", "quadrant-hex"):
        rules = load(name)
        engine = Engine(rules, seed=1, split=SPLIT)
        engine.analyse(rules.start(), iterations=500)
        tree = engine._kept.tree
        assert tree is not None and not tree.are_split[tree.state[ROOT]]
